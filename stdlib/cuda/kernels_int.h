/* What the kernel files of this folder share: kernels as objects, and a call's arguments as a
   kernel takes them. */
#ifndef GX_STDLIB_CUDA_KERNELS_INT_H
#define GX_STDLIB_CUDA_KERNELS_INT_H

#include "runtime/kernel/raw.h"
#include "runtime/object/native.h"
#include "runtime/object/object.h"

typedef struct gx_kernel {
    gx_obj obj;
    gx_raw *raw; /* shared by the kernels of a module */
    int entry;
    int64_t shared_more, carveout; /* as the script has set them; a launch asks for what it needs */
} gx_kernel;

extern const gx_type gx_type_raw_kernel, gx_type_raw_module, gx_type_kernel_launcher;

typedef gx_raw_shape gx_shape3;

/* An int, or a tuple or list of one to three. `what`: "grid" or "block". */
GX_CHECK bool gx_kernel_size(gx_rt *rt, const gx_raw_entry *e, gx_borrowed v, const char *what,
                             int64_t out[3]);
/* Checks and converts n arguments to the kernel's parameters, and launches. An array that only its
   `holders` hold is a temporary: the kernel must not write into it. Every refusal names the
   parameter, its type in C, what came and the fix. */
GX_CHECK bool gx_kernel_launch(gx_rt *rt, gx_kernel *k, const gx_shape3 *size, int64_t n,
                               const gx_borrowed *args, uint32_t holders);
/* The object that tells what a launch did; takes what the counters hold. */
GX_CHECK bool gx_kernel_counters(gx_rt *rt, gx_kernel *k, const gx_shape3 *size,
                                 gx_sim_counters *counters, gx_value *out);
/* What the object holds; NULL: it is none. The text of a line of its kernel. */
const gx_sim_counters *gx_kernel_counted(gx_borrowed v);
const char *gx_kernel_counted_source(gx_borrowed v, uint32_t line, int *length);
/* A launcher like the given one whose launches run in the simulator and are counted. */
GX_CHECK bool gx_kernel_simulated(gx_rt *rt, gx_borrowed given, gx_value *out);
/* The kernel, grid and block of a launcher. */
gx_kernel *gx_kernel_launched(gx_borrowed launcher, gx_shape3 *size);
/* A line of a kernel's source without the blanks around it; "" when it is none of it. */
const char *gx_kernel_line(const gx_raw *raw, uint32_t line, int *length);
/* Makes a kernel object of an entry; takes no reference of raw away. */
GX_CHECK bool gx_kernel_of(gx_rt *rt, gx_raw *raw, int entry, gx_value *out);

enum { GX_KERNEL_OPTIONS = 32 };

/* Argument i, options or name expressions: a tuple or list of at most `most` strings. */
GX_CHECK bool gx_kernel_strings(gx_call *c, int i, const char **out, int most, int *n);
/* A kernel of a module by its name; the error lists those there are. */
GX_CHECK bool gx_kernel_find(gx_rt *rt, const gx_raw *raw, const char *name, int *entry);

/* The k-th template of a module: t[grid, block](…) finds the instance by the arguments. */
GX_CHECK bool gx_kernel_template(gx_rt *rt, gx_raw *raw, int k, gx_value *out);

/* A variable of the module. */
GX_CHECK bool gx_kernel_global(gx_rt *rt, gx_raw *raw, const char *name, gx_value *out);

#endif
