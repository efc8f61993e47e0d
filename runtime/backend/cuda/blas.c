/* Matrix products by cuBLAS. Its matrices run down columns, so that a row-major product is asked
   for as the product of the transposes; a transposed operand is a flag. What is neither a matrix
   nor a transpose in memory is packed first. float32 is multiplied in float32: TF32 is never used.
   */
#include "runtime/backend/cuda/state_int.h"

enum {
    WORKSPACE = 32 << 20,
    OP_N = 0, /* cublasOperation_t */
    OP_T = 1,
    COMPUTE_32F = 68, /* cublasComputeType_t */
    COMPUTE_64F = 70
};

/* cudaDataType_t, the compute type and the size of a factor; compute 0: not cuBLAS's. */
typedef struct kind {
    unsigned type, compute;
} kind;

static kind kind_of(gx_dtype d) {
    switch ((int)d) {
    case GX_f16: return (kind){2, COMPUTE_32F};
    case GX_bf16: return (kind){14, COMPUTE_32F};
    case GX_f32: return (kind){0, COMPUTE_32F};
    case GX_f64: return (kind){1, COMPUTE_64F};
    case GX_c64: return (kind){4, COMPUTE_32F};
    case GX_c128: return (kind){5, COMPUTE_64F};
    default: return (kind){0, 0}; /* integers */
    }
}

static bool check_blas(gx_cuda *c, unsigned status, const char *what) {
    if (GX_LIKELY(status == 0)) return true;
    /* A lost device shows in the driver first. */
    return gx_cuda_wait(c) && gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.blas",
                                      "%s: cuBLAS status %u", what, status);
}

static bool open_blas(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->blas_handle) return true;
    if (!gx_cuda_symbols(c->gpu.base.rt, GX_LIB_BLAS, s->compiler.prefer, &s->blas, NULL, 0))
        return false;
    struct cublasContext *handle = NULL;
    if (!check_blas(c, s->blas.cublasCreate_v2(&handle), "opening cuBLAS")) return false;
    bool ok = check_blas(c, s->blas.cublasSetStream_v2(handle, s->stream), "cuBLAS's stream") &&
              gx_cuda_scratch(c, WORKSPACE, &s->blas_workspace);
    if (ok) {
        void *memory = s->blas_workspace->data;
        ok = check_blas(c, s->blas.cublasSetWorkspace_v2(handle, memory, WORKSPACE),
                        "cuBLAS's workspace");
    }
    if (!ok) {
        s->blas.cublasDestroy_v2(handle);
        gx_buffer_drop(s->blas_workspace);
        s->blas_workspace = NULL;
        return false;
    }
    s->blas_handle = handle;
    return true;
}

bool gx_cuda_libraries_follow(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!gx_cuda_fft_follow(c)) return false;
    if (s->solver_handle &&
        !check_blas(c, s->solver.cusolverDnSetStream(s->solver_handle, s->stream),
                    "cuSOLVER's stream"))
        return false;
    if (!s->blas_handle) return true;
    void *memory = s->blas_workspace->data; /* setting the stream forgets it */
    return check_blas(c, s->blas.cublasSetStream_v2(s->blas_handle, s->stream),
                      "cuBLAS's stream") &&
           check_blas(c, s->blas.cublasSetWorkspace_v2(s->blas_handle, memory, WORKSPACE),
                      "cuBLAS's workspace");
}

void gx_cuda_libraries_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    gx_cuda_solver_close(c);
    gx_cuda_fft_close(c);
    if (s->blas_handle) s->blas.cublasDestroy_v2(s->blas_handle);
    gx_buffer_drop(s->blas_workspace);
    s->blas_handle = NULL;
    s->blas_workspace = NULL;
}

/* How cuBLAS reads an operand, whose transpose it wants: plain or transposed, and by which step. */
static bool as_operand(const gx_matrix *m, unsigned *op, int64_t *ld) {
    if (m->batch_stride < 0) return false;
    if (m->col_stride == 1 || m->cols == 1) {
        *op = OP_N;
        *ld = m->rows == 1 ? m->cols : m->row_stride;
        if (*ld >= m->cols) return true;
    }
    if (m->row_stride == 1 || m->rows == 1) {
        *op = OP_T;
        *ld = m->cols == 1 ? m->rows : m->col_stride;
        if (*ld >= m->rows) return true;
    }
    return false;
}

/* The matrices, row by row, in memory of their own. */
static bool pack(gx_cuda *c, gx_dtype d, int64_t batch, gx_matrix *m, gx_buffer **out) {
    int64_t item = gx_dtypes[d].bytes;
    gx_rt *rt = c->gpu.base.rt;
    gx_buffer *b;
    if (m->batch_stride == 0) batch = 1;
    if (!gx_cuda_scratch(c, batch * m->rows * m->cols * item, &b)) return false;
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    bool ok = t != NULL;
    if (ok) {
        t->ndim = 3;
        t->n_leaf = t->n_step = t->n_out = 1;
        const int64_t shape[3] = {batch, m->rows, m->cols},
                      from[3] = {m->batch_stride, m->row_stride, m->col_stride},
                      to[3] = {m->rows * m->cols, m->cols, 1};
        t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)d, .buf = m->buf,
                               .offset = m->offset};
        t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)d};
        t->out[0].buf = b;
        for (int i = 0; i < 3; i++) {
            t->shape[i] = shape[i];
            t->leaf[0].strides[i] = shape[i] > 1 ? from[i] * item : 0;
            t->out[0].strides[i] = to[i] * item;
        }
        int fp = 0;
        ok = gx_gpu_run(&c->gpu.base, t, &fp);
    }
    gx_free(rt, t);
    if (!ok) {
        gx_buffer_drop(b);
        return false;
    }
    *m = (gx_matrix){.buf = b, .rows = m->rows, .cols = m->cols, .row_stride = m->cols,
                     .col_stride = 1, .batch_stride = m->batch_stride ? m->rows * m->cols : 0};
    *out = b;
    return true;
}

static const void *address(const gx_matrix *m) {
    return m->buf->data + m->offset;
}

/* c = a @ b, no extent 0. */
static bool multiply(gx_cuda *c, gx_dtype d, int64_t batch, const gx_matrix *a, const gx_matrix *b,
                     const gx_matrix *to) {
    static const double one[2] = {1, 0}, zero[2] = {0, 0};
    static const float one_f[2] = {1, 0}, zero_f[2] = {0, 0};
    gx_cuda_state *s = c->state;
    const kind k = kind_of(d);
    bool wide = k.compute == COMPUTE_64F;
    gx_matrix m[2] = {*a, *b};
    gx_buffer *packed[2] = {NULL, NULL};
    unsigned op[2];
    int64_t ld[2];
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        if (as_operand(&m[i], &op[i], &ld[i])) continue;
        ok = pack(c, d, batch, &m[i], &packed[i]);
        if (ok) ok = as_operand(&m[i], &op[i], &ld[i]);
    }
    if (ok) {
        c->gpu.base.rt->gpu_stats.launched++;
        unsigned status = s->blas.cublasGemmStridedBatchedEx_64(
            s->blas_handle, op[1], op[0], b->cols, a->rows, a->cols,
            wide ? (const void *)one : one_f, address(&m[1]), k.type, ld[1], m[1].batch_stride,
            address(&m[0]), k.type, ld[0], m[0].batch_stride,
            wide ? (const void *)zero : zero_f, to->buf->data + to->offset, k.type,
            to->rows == 1 ? to->cols : to->row_stride, to->batch_stride, batch, k.compute, -1);
        ok = check_blas(c, status, "a matrix product");
    }
    gx_buffer_drop(packed[0]);
    gx_buffer_drop(packed[1]);
    return ok;
}

bool gx_cuda_matmul(gx_device *device, gx_dtype d, int64_t batch, const gx_matrix *a,
                    const gx_matrix *b, const gx_matrix *c) {
    gx_cuda *cuda = gx_cuda_of(device);
    if (batch == 0 || c->rows == 0 || c->cols == 0) return true;
    if (kind_of(d).compute == 0)
        return gx_fail(device->rt, GX_NotImplementedError, "cuda.blas",
                       "cuBLAS does not multiply matrices of %s", gx_dtypes[d].name);
    if (a->cols == 0)
        return gx_cuda_fill_bytes(cuda, gx_gpu_address(c->buf) + (gx_gpu_ptr)c->offset, 0,
                                  batch * c->rows * c->cols * gx_dtypes[d].bytes);
    return gx_cuda_usable(cuda) && open_blas(cuda) && multiply(cuda, d, batch, a, b, c);
}

/* By rows t x = b is, down columns, the transposes: x t' = b. */
bool gx_cuda_triangle(gx_device *device, const gx_triangle *t) {
    enum { RIGHT = 1, LOWER = 0, UPPER = 1 };
    static const double one[2] = {1, 0};
    static const float one_f[2] = {1, 0};
    gx_cuda *c = gx_cuda_of(device);
    const unsigned fill = t->lower ? UPPER : LOWER, op = (unsigned)t->transposed;
    const int n = (int)t->n, m = (int)t->m;
    const void *a = t->a->data + t->a_at;
    void *b = t->b->data;
    unsigned status;
    if (n == 0 || m == 0) return true;
    if (t->n > INT32_MAX || t->m > INT32_MAX)
        return gx_fail(device->rt, GX_ValueError, "linalg.size",
                       "a matrix of this size is too large");
    if (!gx_cuda_usable(c) || !open_blas(c)) return false;
    const gx_cuda_blas *f = &c->state->blas;
    struct cublasContext *h = c->state->blas_handle;
    device->rt->gpu_stats.launched++;
    if (t->dtype == GX_f32)
        status = f->cublasStrsm_v2(h, RIGHT, fill, op, t->unit, m, n, one_f, a, n, b, m);
    else if (t->dtype == GX_f64)
        status = f->cublasDtrsm_v2(h, RIGHT, fill, op, t->unit, m, n, one, a, n, b, m);
    else if (t->dtype == GX_c64)
        status = f->cublasCtrsm_v2(h, RIGHT, fill, op, t->unit, m, n, (const void *)one_f, a, n, b,
                                   m);
    else
        status = f->cublasZtrsm_v2(h, RIGHT, fill, op, t->unit, m, n, (const void *)one, a, n, b,
                                   m);
    return check_blas(c, status, "a triangular system");
}
