/* What the files of the CUDA backend share: the device, its one stream, and the primitives that
   everything else is made of: compile (cached), launch, scratch memory, transfers. Only driver.c
   calls the driver, only nvrtc.c the compiler; each status is turned into a gx error in one place
   (gx_cuda_check). No function here is safe from another thread. */
#ifndef GX_RUNTIME_BACKEND_CUDA_CUDA_INT_H
#define GX_RUNTIME_BACKEND_CUDA_CUDA_INT_H

#include "runtime/backend/backend.h"

typedef uint64_t gx_cuda_ptr; /* a device address (CUdeviceptr) */

typedef struct gx_cuda_facts {
    char name[128];
    int major, minor; /* compute capability */
    int sm_count, max_threads_sm, shared_sm, shared_block_optin;
    int driver; /* 13000 for 13.0 */
    int64_t total_bytes, l2_bytes;
} gx_cuda_facts;

/* The device: `base` is the first member, so that a gx_device * of this backend is a gx_cuda *. */
typedef struct gx_cuda {
    gx_device base;
    gx_cuda_facts facts;
    struct gx_cuda_state *state; /* driver.c's: context, stream, pool, modules, library handles */
    gx_buffer *arrivals; /* reduce.c's counters, zero between launches; NULL until needed */
    int told;            /* words behind the counters that launches have used up */
} gx_cuda;

typedef struct gx_cuda_kernel gx_cuda_kernel; /* a compiled entry, owned by the device's cache */

static inline gx_cuda *gx_cuda_of(gx_device *d) {
    return (gx_cuda *)d;
}
static inline gx_cuda_ptr gx_cuda_address(const gx_buffer *b) {
    return (gx_cuda_ptr)(uintptr_t)b->data;
}

/* Writes the CUDA C++ source of a kernel. */
typedef bool (*gx_cuda_source_fn)(gx_rt *rt, const void *arg, gx_buf *out);

/* The kernel whose cache key is `key` (any bytes: what decides the text, never shapes, pointers or
   scalars). When it is not in memory, `make` writes its source, which is looked up on disk by its
   text, options, target and compiler build, else compiled. `entry` is its extern "C" name.
   RuntimeError [cuda.compile] with NVRTC's log. */
GX_CHECK bool gx_cuda_kernel_get(gx_cuda *c, const void *key, size_t key_bytes, const char *entry,
                                 gx_cuda_source_fn make, const void *arg, gx_cuda_kernel **out);

/* Enqueues a kernel whose one parameter is a struct passed by value (`param_bytes` <= 4000).
   Nothing happens when blocks is 0; blocks may be any int64 below 2^31. */
GX_CHECK bool gx_cuda_launch(gx_cuda *c, gx_cuda_kernel *k, int64_t blocks, int threads,
                             int shared_bytes, const void *param, size_t param_bytes);

/* A CU_FUNC_ATTRIBUTE_* of a kernel. */
GX_CHECK bool gx_cuda_kernel_attribute(gx_cuda *c, gx_cuda_kernel *k, int attribute, int *out);

/* Device memory of this backend's pool, one reference; not counted as a script's. */
GX_CHECK bool gx_cuda_scratch(gx_cuda *c, int64_t bytes, gx_buffer **out);
/* Small host data (<= 64 KiB) to device memory, in stream order; copied before it returns. */
GX_CHECK bool gx_cuda_upload(gx_cuda *c, gx_cuda_ptr to, const void *from, int64_t bytes);
/* Device memory to the host; waits for the stream. */
GX_CHECK bool gx_cuda_download(gx_cuda *c, void *to, gx_cuda_ptr from, int64_t bytes);
GX_CHECK bool gx_cuda_fill_bytes(gx_cuda *c, gx_cuda_ptr to, int byte, int64_t bytes);
/* The address of a zeroed 32-bit word that the next kernel ORs its floating-point conditions
   (GX_FP_*) into, when it meets any. They are reported when the stream is next waited for, so that
   nothing waits for them: gx_cuda_run leaves *fp 0. */
GX_CHECK bool gx_cuda_flags(gx_cuda *c, gx_cuda_ptr *word);

/* --- what the other files implement of gx_backend --- */
GX_CHECK bool gx_cuda_run(gx_device *d, const gx_tape *t, int *fp);        /* map.c, reduce.c */
GX_CHECK bool gx_cuda_gather(gx_device *d, const gx_take *t);              /* index.c */
GX_CHECK bool gx_cuda_scatter(gx_device *d, const gx_take *t);             /* index.c */
GX_CHECK bool gx_cuda_outside(gx_device *d, gx_outside *out);              /* index.c */
GX_CHECK bool gx_cuda_select(gx_device *d, const gx_tape *t, gx_buffer **out,
                             int64_t *count);                              /* select.c */
GX_CHECK bool gx_cuda_nonzero(gx_device *d, const gx_buffer *mask, int64_t offset, int64_t n,
                              gx_buffer **out, int64_t *count);            /* index.c */
GX_CHECK bool gx_cuda_matmul(gx_device *d, gx_dtype t, int64_t batch, const gx_matrix *a,
                             const gx_matrix *b, const gx_matrix *c);      /* blas.c */
extern const gx_raw_calls gx_cuda_raw;                                     /* raw.c */
extern const gx_order_calls gx_cuda_order;                                 /* order.c */
extern const gx_linalg gx_cuda_linalg;                                     /* solver.c */

GX_CHECK bool gx_cuda_scan(gx_device *d, gx_dtype dtype, bool product, int64_t outer, int64_t n,
                           int64_t inner, const gx_buffer *from, int64_t offset,
                           gx_buffer *to); /* scan.c */

GX_CHECK bool gx_cuda_fourier(gx_device *d, const gx_fourier *f);          /* fft.c */
GX_CHECK bool gx_cuda_filter(gx_device *d, const gx_filter *f);             /* filter.c */
bool gx_cuda_takes_filter(const gx_filter *f);                             /* filter.c */

extern const struct gx_cost_calls gx_cuda_cost;                            /* cost.c */
/* Text of the kernel that a tape needs, for golden tests: needs no device. */
GX_CHECK bool gx_cuda_emit(gx_rt *rt, const gx_tape *t, gx_buf *out);      /* emit.c */

/* Text of one of the filters' kernels, by its number, for tests; false: there is none. */
bool gx_cuda_filter_text(gx_rt *rt, const gx_filter *f, int kernel, gx_buf *out); /* filter.c */

#endif
