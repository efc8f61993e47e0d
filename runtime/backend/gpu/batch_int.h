/* Linear algebra of many small matrices, each by one block of a kernel (batch.c). */
#ifndef GX_RUNTIME_BACKEND_GPU_BATCH_INT_H
#define GX_RUNTIME_BACKEND_GPU_BATCH_INT_H

#include "runtime/backend/gpu/gpu_int.h"

typedef enum gx_batch_system { GX_BATCH_SOLVE, GX_BATCH_INVERT, GX_BATCH_FACTOR } gx_batch_system;

typedef enum gx_batch_kernel {
    GX_KERNEL_SYSTEMS,
    GX_KERNEL_CHOLESKY,
    GX_KERNEL_EIGH,
    GX_KERNEL_SVD
} gx_batch_kernel;
typedef struct gx_batch_key {
    uint8_t dtype, kernel; /* gx_batch_kernel */
} gx_batch_key;

/* The dtype of a decomposition's matrices. */
static inline gx_dtype gx_decomp_dtype(const gx_decomp *d) {
    return d->cplx ? GX_c128 : GX_f64;
}

bool gx_batch_takes(const gx_decomp *d);
bool gx_batch_takes_system(int64_t batch, int64_t n);
GX_CHECK bool gx_batch_decompose(gx_gpu *g, const gx_decomp *d);
/* b (n, m) is SOLVE's, pivots FACTOR's. */
GX_CHECK bool gx_batch_systems(gx_gpu *g, gx_batch_system what, gx_dtype d, int64_t batch,
                               int64_t n, int64_t m, gx_buffer *a, gx_buffer *b, int64_t *pivots,
                               int64_t *info);

#endif
