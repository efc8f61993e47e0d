/* What the files of this folder share: a GPU as they need one, whoever made it. A vendor's device
   begins with a gx_gpu, and its gx_gpu_driver compiles kernels from C++ text, launches them and
   moves memory; everything else here is of any GPU. Work is done in the order in which it was
   enqueued; only downloads wait. No function is safe from another thread. */
#ifndef GX_RUNTIME_BACKEND_GPU_GPU_INT_H
#define GX_RUNTIME_BACKEND_GPU_GPU_INT_H

#include "kernels/sort.h"
#include "runtime/backend/backend.h"
#include "runtime/backend/gpu/texts_int.h"

typedef uint64_t gx_gpu_ptr; /* a device address */

typedef struct gx_gpu gx_gpu;

/* A compiled entry, owned by the device's table of kernels. */
typedef struct gx_gpu_kernel {
    void *code; /* the vendor's; NULL: it is being compiled */
    void *job;  /* then: the vendor's compilation */
    unsigned from; /* GX_RAN_… */
    uint64_t hash;
    char entry[64];
    size_t key_bytes;
    char key[];
} gx_gpu_kernel;

/* What a vendor gives. */
typedef struct gx_gpu_driver {
    /* A kernel compiled from C++; `entry` is its extern "C" name. *out is the vendor's own. */
    bool (*load)(gx_gpu *, const char *entry, const char *source, void **out);
    void (*unload)(gx_gpu *, void *code);
    /* As load, without waiting: either *code is set, or *job, a compilation that runs beside. Then
       `look` asks for its code, which stays NULL until it is there (`waits`: it is awaited); where
       it fails or gives the code, the job has ended. `leave` ends one that nobody asks for. */
    bool (*begin)(gx_gpu *, const char *entry, const char *source, void **code, void **job);
    bool (*look)(gx_gpu *, const char *entry, bool waits, void **job, void **code);
    void (*leave)(gx_gpu *, void *job);
    /* A kernel of the file of compiled ones (kernels/general.h); *code NULL: there is none for this
       GPU, which is no error. */
    bool (*prebuilt)(gx_gpu *, const char *entry, void **code);
    /* A kernel whose text was compiled with gx (texts_int.h); likewise. */
    bool (*stored)(gx_gpu *, const char *entry, const char *source, void **code);
    /* Enqueues a kernel whose one parameter is a struct passed by value (`param_bytes` <= 4000).
       Nothing happens when blocks is 0; blocks may be any int64 below 2^31. */
    bool (*launch)(gx_gpu *, gx_gpu_kernel *, int64_t blocks, int threads, int shared_bytes,
                   const void *param, size_t param_bytes);
    /* Memory of the device, one reference; not counted as a script's. */
    bool (*scratch)(gx_gpu *, int64_t bytes, gx_buffer **out);
    /* Host data to the device, copied before it returns: at most 64 KiB, or (put) any size. */
    bool (*upload)(gx_gpu *, gx_gpu_ptr to, const void *from, int64_t bytes);
    bool (*put)(gx_gpu *, gx_gpu_ptr to, const void *from, int64_t bytes);
    /* Device memory to the host; waits for the work so far. */
    bool (*download)(gx_gpu *, void *to, gx_gpu_ptr from, int64_t bytes);
    bool (*fill)(gx_gpu *, gx_gpu_ptr to, int byte, int64_t bytes);
    bool (*wait)(gx_gpu *);
    /* False, with the error, when the device was lost to an earlier fault. */
    bool (*usable)(gx_gpu *);
    /* Sorting long rows of words (kernels/sort.h); `sorts` false: this device does not (never an
       error), and the other two are not called. *last: see kernels/sort.h. */
    bool (*sorts)(gx_gpu *);
    bool (*sort_keys)(gx_gpu *, gx_sort_keys_job *job);
    bool (*sort_pairs)(gx_gpu *, gx_sort_pairs_job *job, int *last);
} gx_gpu_driver;

struct gx_gpu {
    gx_device base; /* first, so that a gx_device * of such a backend is a gx_gpu * */
    const gx_gpu_driver *driver;
    int units;        /* multiprocessors */
    int shared_block; /* most bytes of shared memory of a block */
    struct gx_gpu_kernels *kernels;
    struct gx_gpu_conditions *conditions;
    bool bare;           /* it is known that there are no prebuilt kernels */
    gx_buffer *arrivals; /* reduce.c's counters, zero between launches; NULL until needed */
    int told;            /* words behind the counters that launches have used up */
};

static inline gx_gpu *gx_gpu_of(gx_device *d) {
    return (gx_gpu *)d;
}
static inline gx_gpu_ptr gx_gpu_address(const gx_buffer *b) {
    return (gx_gpu_ptr)(uintptr_t)b->data;
}

/* What all vendors' devices have, once `base` and `driver` are set; closed also where opening
   failed, while the driver can still unload. */
GX_CHECK bool gx_gpu_open(gx_gpu *g);
void gx_gpu_close(gx_gpu *g);

/* --- kernels.c --- */
GX_CHECK bool gx_gpu_kernels_open(gx_gpu *g);
void gx_gpu_kernels_close(gx_gpu *g);
/* The kernel whose key is `key` (any bytes: what decides the text, never shapes, pointers or
   scalars). When it is not in memory, its family writes its source out of `arg`. */
GX_CHECK bool gx_gpu_kernel_get(gx_gpu *g, gx_gpu_family family, const void *key, size_t key_bytes,
                                const char *entry, const void *arg, gx_gpu_kernel **out);

/* The same, without waiting for the compiler: *out is NULL while it works. */
GX_CHECK bool gx_gpu_kernel_soon(gx_gpu *g, gx_gpu_family family, const void *key,
                                 size_t key_bytes, const char *entry, const void *arg,
                                 gx_gpu_kernel **out);
/* A kernel that was compiled with gx; NULL: there is none for this GPU. */
GX_CHECK bool gx_gpu_kernel_prebuilt(gx_gpu *g, const char *entry, gx_gpu_kernel **out);

/* --- conditions.c --- */
enum { GX_GPU_FLAGS = 4096 };
/* GX_GPU_FLAGS zeroed words of memory that host and device see. */
void gx_gpu_conditions_at(gx_gpu *g, uint32_t *words, gx_gpu_ptr device);
/* The address of a zeroed 32-bit word that the next kernel ORs its floating-point conditions
   (GX_FP_*) into, when it meets any. They are reported when the device is next waited for, so that
   nothing waits for them: gx_gpu_run leaves *fp 0. */
GX_CHECK bool gx_gpu_flags(gx_gpu *g, gx_gpu_ptr *word);
void gx_gpu_blame(gx_device *d, const char *op, gx_span origin);
bool gx_gpu_met(gx_device *d, int *fp, const char **op, gx_span *origin);

/* --- the driver's --- */
GX_CHECK static inline bool gx_gpu_launch(gx_gpu *g, gx_gpu_kernel *k, int64_t blocks, int threads,
                                          int shared_bytes, const void *param,
                                          size_t param_bytes) {
    g->base.rt->gpu_stats.ran |= k->from;
    return g->driver->launch(g, k, blocks, threads, shared_bytes, param, param_bytes);
}
GX_CHECK static inline bool gx_gpu_scratch(gx_gpu *g, int64_t bytes, gx_buffer **out) {
    return g->driver->scratch(g, bytes, out);
}
GX_CHECK static inline bool gx_gpu_upload(gx_gpu *g, gx_gpu_ptr to, const void *from,
                                          int64_t bytes) {
    return g->driver->upload(g, to, from, bytes);
}
GX_CHECK static inline bool gx_gpu_put(gx_gpu *g, gx_gpu_ptr to, const void *from, int64_t bytes) {
    return g->driver->put(g, to, from, bytes);
}
GX_CHECK static inline bool gx_gpu_download(gx_gpu *g, void *to, gx_gpu_ptr from, int64_t bytes) {
    return g->driver->download(g, to, from, bytes);
}
GX_CHECK static inline bool gx_gpu_fill(gx_gpu *g, gx_gpu_ptr to, int byte, int64_t bytes) {
    return g->driver->fill(g, to, byte, bytes);
}
/* --- the entries of gx_backend that this folder implements --- */
GX_CHECK bool gx_gpu_run(gx_device *d, const gx_tape *t, int *fp);        /* map.c, reduce.c */
GX_CHECK bool gx_gpu_gather(gx_device *d, const gx_take *t);              /* index.c */
GX_CHECK bool gx_gpu_scatter(gx_device *d, const gx_take *t);             /* index.c */
GX_CHECK bool gx_gpu_outside(gx_device *d, gx_outside *out);              /* index.c */
GX_CHECK bool gx_gpu_select(gx_device *d, const gx_tape *t, gx_buffer **out,
                            int64_t *count, int *fp);                     /* select.c */
/* Matrices of one dtype to those of another, which has the same sizes. */
GX_CHECK bool gx_gpu_convert(gx_gpu *g, int64_t batch, gx_dtype from, const gx_matrix *x,
                             gx_dtype to, const gx_matrix *y);              /* matmul.c */
/* Products of integers and bools, of no extent 0; a vendor's library multiplies the others. */
GX_CHECK bool gx_gpu_matmul(gx_gpu *g, gx_dtype d, int64_t batch, const gx_matrix *a,
                            const gx_matrix *b, const gx_matrix *c);        /* matmul.c */
GX_CHECK bool gx_gpu_nonzero(gx_device *d, const gx_buffer *mask, int64_t offset, int64_t n,
                             gx_buffer **out, int64_t *count);            /* index.c */
GX_CHECK bool gx_gpu_scan(gx_device *d, const gx_totals *j, int *fp);      /* scan.c */
bool gx_gpu_scans(const gx_totals *j);                                    /* scan.c */
GX_CHECK bool gx_gpu_each(gx_device *d, const gx_each *j);                  /* each.c */
bool gx_gpu_has_each(const gx_each_function *f);                          /* each.c */
GX_CHECK bool gx_gpu_filter(gx_device *d, const gx_filter *f);            /* filter.c */
bool gx_gpu_takes_filter(const gx_filter *f);                             /* filter.c */
extern const gx_order_calls gx_gpu_order;                                 /* order.c */

/* Text of the kernel that a tape needs, for golden tests: needs no device. */
GX_CHECK bool gx_gpu_emit(gx_rt *rt, const gx_tape *t, gx_buf *out); /* emit.c */
/* Text of one of the filters' kernels, by its number, for tests; false: there is none. */
bool gx_gpu_filter_text(gx_rt *rt, const gx_filter *f, int kernel, gx_buf *out); /* filter.c */

/* What of a matrix is copied; the rest becomes 0. UNIT: the identity, nothing is read. */
typedef enum gx_gpu_part {
    GX_PART_ALL,
    GX_PART_UPPER,
    GX_PART_LOWER,
    GX_PART_CONJUGATE, /* all, conjugated */
    GX_PART_UNIT
} gx_gpu_part;
/* Copies (rows, cols) elements between addresses of the device, steps in elements (copy.c). */
GX_CHECK bool gx_gpu_copy_matrix(gx_gpu *g, gx_dtype d, gx_gpu_part part, int64_t rows,
                                 int64_t cols, const char *from, int64_t from_row, int64_t from_col,
                                 char *to, int64_t to_row, int64_t to_col);

#endif
