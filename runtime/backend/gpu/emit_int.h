/* From a tape to a kernel. A recipe is all that decides the text: form, steps, dtypes, how each
   port (leaf or output) is reached. Its bytes are the cache key. A space is what decides the
   parameters: extents, addresses, strides. Both are made from a tape by space.c; emit*.c turns a
   recipe into text, map.c and reduce.c pack the parameters in the order of the text's struct. */
#ifndef GX_RUNTIME_BACKEND_GPU_EMIT_INT_H
#define GX_RUNTIME_BACKEND_GPU_EMIT_INT_H

#include "kernels/general.h"
#include "runtime/backend/gpu/gpu_int.h"

enum { GX_PORTS = GX_TAPE_LEAVES + GX_TAPE_OUTS, GX_GPU_THREADS = 256 };

/* MAP: a thread has V elements in a row. TILE: blocks of 32 by 32, inputs that run along another
   dim are turned in shared memory. SELECT: as MAP, but the values of output 1 stay where output 0
   is true, and lie close: a pass for each output. ROWS: reduced elements lie in a row. COLUMNS:
   kept ones do. */
typedef enum gx_form {
    GX_FORM_MAP,
    GX_FORM_TILE,
    GX_FORM_SELECT,
    GX_FORM_ROWS,
    GX_FORM_COLUMNS
} gx_form;
enum { GX_SELECT_PACKS = 4 }; /* packs a thread */

/* How a thread reaches the elements of a port along the dim that its V elements lie in. */
typedef enum gx_reach {
    GX_REACH_ONE,   /* one element for all V */
    GX_REACH_PACK,  /* V of them in one access */
    GX_REACH_EACH,  /* V accesses */
    GX_REACH_BYTES, /* V accesses at addresses of any alignment */
    GX_REACH_TILE   /* from shared memory */
} gx_reach;

enum { GX_PORT_OUT = 3 }; /* beyond gx_leaf_kind */

typedef struct gx_recipe_port {
    uint8_t kind; /* gx_leaf_kind or GX_PORT_OUT */
    uint8_t dtype, dist;
    uint8_t reach; /* gx_reach */
    uint8_t flat;  /* bit g: the dims of group g are walked by one stride */
    uint8_t spare;
    uint16_t step;  /* of an output */
    uint64_t moves; /* bit d: its stride along dim d is not 0 */
} gx_recipe_port;

typedef struct gx_recipe {
    uint8_t form, wide; /* gx_form; 64-bit indices */
    uint8_t width;      /* V */
    uint8_t nd, kept;   /* dims; group 0 is [0, kept), group 1 the rest */
    uint8_t even;       /* V elements never cross the end of a row of the last dim of their group */
    uint8_t n_leaf, n_out;
    uint8_t checks;              /* floating-point conditions are looked for */
    uint8_t red, acc, red_dtype; /* ROWS, COLUMNS */
    uint8_t team;                /* ROWS: log2 of the threads of a row; COLUMNS: unused */
    uint8_t split;               /* a row has several blocks; SELECT: the pass */
    uint8_t memory;              /* the parameters are in memory */
    uint8_t cross;               /* TILE: the dim that turned inputs run along */
    uint8_t spread;              /* MAP: a thread's elements lie 256 apart, not in a row */
    uint8_t parts;               /* MAP: packs a thread, one after the other */
    uint8_t about;               /* ROWS, COLUMNS: squared distances from the mean */
    uint16_t n_step, n_const;
    const gx_inline *call[GX_TAPE_CALLS]; /* one of a text, never freed: the key may hold it */
    gx_recipe_port port[GX_PORTS]; /* leaves, then outputs */
    gx_step step[GX_TAPE_STEPS];
} gx_recipe;

typedef struct gx_space_port {
    int64_t base; /* address; IOTA, RANDOM: position */
    int64_t strides[GX_MAX_DIMS];
} gx_space_port;

typedef struct gx_space {
    const gx_tape *tape;
    int nd, kept;
    int64_t shape[GX_MAX_DIMS];
    int64_t total, n_kept, n_reduced; /* elements */
    int64_t blocks, splits;
    gx_gpu_ptr parts, arrived; /* of a reduction: states of blocks, their counters; or 0 */
    gx_recipe recipe;
    gx_space_port port[GX_PORTS];
} gx_space;

/* --- space.c --- */
/* The space and recipe of a map, or of a reduction. */
void gx_space_map(gx_space *s, const gx_tape *t);
void gx_space_reduce(gx_space *s, const gx_tape *t);
void gx_space_select(gx_space *s, const gx_tape *t);
/* Bytes of the key at the start of `key` (room for sizeof(gx_recipe)). */
size_t gx_space_key(const gx_recipe *r, char *key);
/* May any step meet a floating-point condition? */
bool gx_space_may_meet(const gx_tape *t);
/* Is output k computed? A pass of SELECT computes one. */
static inline bool gx_recipe_gives(const gx_recipe *r, int k) {
    return r->form != GX_FORM_SELECT || k == r->split;
}
/* Which steps are needed for the outputs. */
void gx_recipe_used(const gx_recipe *r, bool *used);

/* --- emit.c, emit_*.c: text --- */
typedef struct gx_emit {
    const gx_recipe *r;
    gx_buf *out;
    bool used[GX_TAPE_STEPS];
    bool seen[GX_TAPE_STEPS];     /* is an infinity or a nan of this step seen in a later one? */
    bool leaf[GX_TAPE_LEAVES];    /* is it read? */
    char ref[GX_TAPE_LEAVES][40]; /* what the form calls a leaf's element */
    bool ok;                      /* false: out of memory */
} gx_emit;

void gx_emit_text(gx_emit *e, const char *fmt, ...) GX_PRINTF(2, 3);
/* A section of device.cu. */
void gx_emit_section(gx_emit *e, const char *name);
/* The functions of a half's dtype: conversions; steps to the next number. */
void gx_emit_half(gx_emit *e, int dtype);
void gx_emit_half_steps(gx_emit *e, int dtype);
/* Begins the bits to be stored of a computed value: for a half a call that ")" ends. */
void gx_emit_to_bits(gx_emit *e, int dtype);
/* C++ type of a dtype in memory and in computation. */
const char *gx_emit_stored(int dtype);
const char *gx_emit_type(int dtype);
/* In a script's kernel: bool is a type of its own. */
const char *gx_emit_c_type(int dtype);
/* emit_ops.c: the functions of all operations, casts and reductions of the recipe. */
void gx_emit_functions(gx_emit *e);
/* The functions of elementwise kernels that the steps call, declared and defined. */
void gx_emit_calls(gx_emit *e, bool define);
/* emit_steps.c: element() of a recipe, and conditions(). */
void gx_emit_element(gx_emit *e);
/* Calls them: "…element(inputs, outputs);" with the inputs that e->ref names. */
void gx_emit_call(gx_emit *e, const char *indent, const char *outputs);
bool gx_emit_looks(const gx_emit *e); /* are there conditions to look for? */
/* A cast of the expression `x`. */
void gx_emit_cast(gx_emit *e, int from, int to, const char *x);
int gx_emit_class(const gx_step *s); /* GX_MET_* of a step's result */
/* emit_access.c: the parameter struct, indices, loads and stores. */
void gx_emit_params(gx_emit *e);
/* The head of the entry, up to "{": constants and pointers out of the parameters. */
void gx_emit_begin(gx_emit *e);
/* Indices x<d> of the dims of a group from the flat index `flat`, where some port needs them. */
void gx_emit_decode(gx_emit *e, const char *indent, int group, const char *flat);
/* " + …" for each dim of a group that a port moves along; from x<d>, or from `flat`. */
void gx_emit_offset(gx_emit *e, int port, int group, const char *flat);
/* "c<port> + …": the address, or position, of an element. */
void gx_emit_read(gx_emit *e, int port, const char *at); /* expression: the element at address */
bool gx_emit_moves(const gx_emit *e, int port, int group);

/* emit_map.c, emit_reduce.c */
void gx_emit_map(gx_emit *e);
void gx_emit_tile(gx_emit *e);
void gx_emit_select(gx_emit *e);
void gx_emit_reduce(gx_emit *e);

/* --- parameters --- */
typedef struct gx_params {
    char data[32768];
    size_t size;
    bool full;
    char key[sizeof(gx_recipe)]; /* room for the kernel's key */
} gx_params;
void gx_params_add(gx_params *p, const void *bytes, size_t size); /* padded to 8 */
static inline void gx_params_i64(gx_params *p, int64_t v) {
    gx_params_add(p, &v, sizeof v);
}
/* Ports, dims, strides and constants, as gx_emit_params has them. */
void gx_params_space(gx_params *p, const gx_space *s);
/* reduce.c */
GX_CHECK bool gx_gpu_reduce(gx_gpu *g, const gx_tape *t, gx_space *s, gx_params *p);
/* The counters of arrivals, made at the first call; a zero word that a launch may use up. */
GX_CHECK bool gx_gpu_counters(gx_gpu *g);
GX_CHECK bool gx_gpu_told(gx_gpu *g, gx_gpu_ptr *word);
/* Where takes leave what they met out of range: 64 bytes, zero when nothing was met. */
GX_CHECK bool gx_gpu_told_outside(gx_gpu *g, gx_gpu_ptr *at);
/* general.c: launches the general kernel for a space, with the words for conditions (or 0). *done
   false: it cannot run this one, or there is none. */
GX_CHECK bool gx_gpu_general(gx_gpu *g, const gx_space *s, gx_gpu_ptr word, gx_gpu_ptr told,
                             bool *done);
/* map.c: finds or makes the kernel and launches it; adds the conditions' word to the parameters. */
GX_CHECK bool gx_gpu_launch_space(gx_gpu *g, gx_space *s, gx_params *p);

#endif
