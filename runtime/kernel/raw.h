/* Kernels that a script writes in CUDA C++: compiled by NVRTC, their signatures read back from the
   compiler, launched on the GPU or, where there is none, in the simulator. */
#ifndef GX_RUNTIME_KERNEL_RAW_H
#define GX_RUNTIME_KERNEL_RAW_H

#include "runtime/array/array.h"
#include "runtime/backend/gpu.h"
#include "runtime/backend/sim/sim.h"

enum { GX_RAW_PARAMS = 64 };

typedef struct gx_raw_param {
    char name[48]; /* as the source writes it; "" when that is not clear */
    char type[64]; /* the declaration's text without the name */
    bool pointer, constant;
    gx_dtype kind;   /* of the value or what it points to; GX_NO_DTYPE: a struct, void … */
    int lanes;       /* 4 for float4, whose kind is float32; mostly 1 */
    int size, align; /* bytes of the value, or of what it points to */
    int64_t offset;  /* in the packed parameters */
} gx_raw_param;

typedef struct gx_raw_entry {
    char *name, *symbol; /* as C++ names it, "q::f" or "f<float>"; in the PTX */
    int n_param;
    bool known; /* the compiler told the parameters' types */
    gx_raw_param param[GX_RAW_PARAMS];
    int64_t param_bytes, shared, local;
    int max_threads; /* of a block */
} gx_raw_entry;

typedef struct gx_raw {
    gx_rt *rt;
    uint32_t refs;
    void (*drop)(struct gx_raw *raw); /* gx_raw_drop: for what that is made of */
    char *source, *file;
    int first_line; /* of the source in the file */
    struct gx_sim *sim;
    /* the GPU's, loaded at the first launch there: as compiled, and watching its accesses */
    void *module, *watching;
    struct gx_check *check; /* of `watching`; NULL until needed */
    struct gx_sim *simulator;    /* runs its text when the host plays the GPU */
    bool unwatchable;       /* the driver does not take the instrumented text */
    char *ptx;
    bool together; /* its blocks wait for each other: they are launched all at once */
    bool prints;   /* has a printf: the GPU is waited for, so that lines stand in order */
    gx_raw_entry *entry;
    int n_entry;
    char **option; /* as given to the compiler */
    int n_option;
    struct gx_raw_made *instance; /* of its templates, as far as they were asked for */
    int n_instance;
} gx_raw;

/* How a kernel is launched. */
typedef struct gx_raw_shape {
    int64_t grid[3], block[3], shared; /* shared: dynamic, bytes */
    bool unchecked;                    /* on a GPU the kernel does not watch its accesses */
    bool warn, full;   /* what is wrong is warned of; arrays of any size are watched */
    bool sized, quiet; /* by size=; nothing is said of arrays that are not watched */
    bool together;                     /* all blocks at once (grid.sync) */
    gx_sim_counters *counters;         /* not NULL: run in the simulator, and counted */
    const gx_sim_stepper *step; /* not NULL: so with a thread watched, on copies of the arrays */
} gx_raw_shape;

/* One argument: an array for a pointer (its bytes go to where the kernel runs), or the bytes of a
   value. */
typedef struct gx_raw_arg {
    gx_array *array; /* NULL: `bytes` */
    bool lost;       /* nobody else holds the array: what is written into it is lost */
    char bytes[64];
    const char *large; /* a value of more than 64 bytes: they are here, borrowed */
} gx_raw_arg;

enum { GX_TEMPLATE_PARAMS = 16 };

/* A kernel that is a template, as the source declares it. */
typedef struct gx_template_param {
    char name[48];
    bool is_type, has_default;
} gx_template_param;
typedef struct gx_raw_template {
    char name[64];
    int n_param;
    gx_template_param param[GX_TEMPLATE_PARAMS];
    gx_raw_entry function; /* the texts of its parameters */
} gx_raw_template;

/* The k-th of a source; false: there are no more. Its number by its name, or -1. */
bool gx_raw_template_at(const gx_raw *raw, int k, gx_raw_template *out);
int gx_raw_template_find(const gx_raw *raw, const char *name);
/* The type that a template's parameter is by the arguments, of which dtypes and arrays tell; NULL:
   they do not. */
const char *gx_raw_template_type(const gx_raw_template *t, int param, const uint8_t *dtypes,
                                 const bool *arrays, int n);

/* The instance that an expression names, "f<float, 4>": compiled at the first time, and kept. */
GX_CHECK bool gx_raw_instance(gx_raw *raw, const char *expression, gx_raw **out, int *entry);

/* Compiles a source whose first line is `line` of `file`. `names`: further kernels by name
   expressions (templates). One reference. */
GX_CHECK bool gx_raw_new(gx_rt *rt, const char *source, const char *file, int line,
                         const char *const *options, int n_options, const char *const *names,
                         int n_names, gx_raw **out);
void gx_raw_drop(gx_raw *raw);
/* Is there a compiler for kernels? */
bool gx_raw_possible(gx_rt *rt);
/* Do kernels run on a GPU (not in the simulator)? Opens it. */
bool gx_raw_on_gpu(gx_rt *rt);
/* The entry of that name (or name expression, or a name without its namespaces and parameters that
   only one has), or -1. */
int gx_raw_find(const gx_raw *raw, const char *name);
/* Launches; args: one for each parameter. IndexError [kernel.bounds] and the like say what the
   kernel did wrong, where. */
GX_CHECK bool gx_raw_launch(gx_raw *raw, int entry, const gx_raw_shape *shape,
                            const gx_raw_arg *args);
/* A __device__ or __constant__ variable of the module: its size, its bytes. */
GX_CHECK bool gx_raw_global(gx_raw *raw, const char *name, int64_t *bytes);
GX_CHECK bool gx_raw_global_put(gx_raw *raw, const char *name, const void *from, int64_t bytes);
GX_CHECK bool gx_raw_global_get(gx_raw *raw, const char *name, void *to, int64_t bytes);
/* A number about a kernel on the GPU. */
GX_CHECK bool gx_raw_number(gx_raw *raw, const gx_raw_entry *e, gx_kernel_fact fact, int *out);
/* Loads the module on the GPU, watching or not. */
GX_CHECK bool gx_raw_load(gx_raw *raw, bool watching, void **module);

/* The pending error of a launch becomes a warning; false: it is none of a launch. */
GX_CHECK bool gx_raw_as_warning(gx_rt *rt);

#endif
