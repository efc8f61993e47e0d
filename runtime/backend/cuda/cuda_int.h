/* What the files of the CUDA backend share: the device, its one stream, and the primitives that
   everything else is made of: compile, launch, scratch memory, transfers. Only driver.c
   calls the driver, only nvrtc.c the compiler; each status is turned into a gx error in one place
   (gx_cuda_check). No function here is safe from another thread. */
#ifndef GX_RUNTIME_BACKEND_CUDA_CUDA_INT_H
#define GX_RUNTIME_BACKEND_CUDA_CUDA_INT_H

#include "runtime/backend/gpu/gpu_int.h"

typedef struct gx_cuda_facts {
    char name[128];
    int major, minor; /* compute capability */
    int sm_count, max_threads_sm, shared_sm, shared_block_optin;
    int driver; /* 13000 for 13.0 */
    int64_t total_bytes, l2_bytes;
} gx_cuda_facts;

/* The device: `gpu` is the first member, so that a gx_device * of this backend is a gx_cuda *. */
typedef struct gx_cuda {
    gx_gpu gpu;
    gx_cuda_facts facts;
    struct gx_cuda_state *state; /* driver.c's: context, stream, pool, library handles */
} gx_cuda;

static inline gx_cuda *gx_cuda_of(gx_device *d) {
    return (gx_cuda *)d;
}

/* gpu_driver: code for the device, compiled unless the text is on disk with the same options,
   target and compiler build. RuntimeError [cuda.compile] with NVRTC's log. */
GX_CHECK bool gx_cuda_load(gx_gpu *g, const char *entry, const char *source, void **out);
GX_CHECK bool gx_cuda_begin(gx_gpu *g, const char *entry, const char *source, void **out,
                            void **job);
GX_CHECK bool gx_cuda_look(gx_gpu *g, const char *entry, bool waits, void **job, void **out);
GX_CHECK bool gx_cuda_load_prebuilt(gx_gpu *g, const char *entry, void **out);
GX_CHECK bool gx_cuda_load_stored(gx_gpu *g, const char *entry, const char *source, void **out);
void gx_cuda_unload(gx_gpu *g, void *code);
GX_CHECK bool gx_cuda_launch(gx_gpu *g, gx_gpu_kernel *k, int64_t blocks, int threads,
                             int shared_bytes, const void *param, size_t param_bytes);

/* The CU_FUNC_ATTRIBUTE_* of a fact. */
extern const unsigned char gx_cuda_kernel_attributes[GX_KERNEL_FACTS];
GX_CHECK bool gx_cuda_kernel_number(gx_cuda *c, gx_gpu_kernel *k, gx_kernel_fact fact, int *out);

/* Device memory of this backend's pool, one reference; not counted as a script's. */
GX_CHECK bool gx_cuda_scratch(gx_cuda *c, int64_t bytes, gx_buffer **out);
/* Small host data (<= 64 KiB) to device memory, in stream order; copied before it returns. */
GX_CHECK bool gx_cuda_upload(gx_cuda *c, gx_gpu_ptr to, const void *from, int64_t bytes);
/* Device memory to the host; waits for the stream. */
GX_CHECK bool gx_cuda_download(gx_cuda *c, void *to, gx_gpu_ptr from, int64_t bytes);
GX_CHECK bool gx_cuda_fill_bytes(gx_cuda *c, gx_gpu_ptr to, int byte, int64_t bytes);
extern const gx_gpu_driver gx_cuda_gpu_driver; /* gpu_driver.c */

/* --- what the other files implement of gx_backend --- */
GX_CHECK bool gx_cuda_matmul(gx_device *d, gx_dtype t, int64_t batch, const gx_matrix *a,
                             const gx_matrix *b, const gx_matrix *c); /* blas.c */
GX_CHECK bool gx_cuda_triangle(gx_device *d, const gx_triangle *t);    /* blas.c */
GX_CHECK bool gx_cuda_fourier(gx_device *d, const gx_fourier *f);     /* fft.c */
extern const gx_raw_calls gx_cuda_raw;                                /* raw.c */
extern const gx_linalg gx_cuda_linalg;                                /* solver.c */
extern const struct gx_cost_calls gx_cuda_cost;                       /* cost.c */

#endif
