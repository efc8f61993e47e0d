/* Matrix products by cuBLAS; those of integers wider than a byte are backend/gpu's. Its matrices
   run down columns, so that a row-major product is asked for as the product of the transposes; a
   transposed operand is a flag. What is neither a matrix nor a transpose in memory is packed first.
   float32 is multiplied in float32: TF32 is never used. */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/backend/cuda/state_int.h"

enum {
    WORKSPACE = 32 << 20,
    OP_N = 0, /* cublasOperation_t */
    OP_T = 1,
    COMPUTE_32F = 68, /* cublasComputeType_t */
    COMPUTE_64F = 70,
    COMPUTE_32I = 72,
    TYPE_8I = 3, /* cudaDataType_t */
    TYPE_32I = 10
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
    const int64_t count = m->rows * m->cols;
    gx_buffer *b;
    if (m->batch_stride == 0) batch = 1;
    if (!gx_cuda_scratch(c, batch * count * gx_dtypes[d].bytes, &b)) return false;
    const gx_matrix to = {.buf = b, .rows = m->rows, .cols = m->cols, .row_stride = m->cols,
                          .col_stride = 1, .batch_stride = count};
    if (!gx_gpu_convert(&c->gpu, batch, d, m, d, &to)) {
        gx_buffer_drop(b);
        return false;
    }
    const bool one = m->batch_stride == 0;
    *m = to;
    if (one) m->batch_stride = 0;
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

/* --- bytes, on tensor cores ------------------------------------------------------------------ */

enum {
    STEP = 16,           /* sizes and strides are multiples of it */
    LONGEST = 128 * 1024 /* sums of as many products of bytes fit in 32 bits */
};

static int64_t rounded(int64_t n) {
    return (n + STEP - 1) / STEP * STEP;
}

/* Lines of m (its rows, or columns) with their elements beside each other, and zeros up to whole
   steps. */
static bool lay_out(gx_cuda *c, int64_t batch, const gx_matrix *m, bool rows, gx_matrix *to,
                    gx_buffer **out) {
    const gx_matrix turned = rows ? *m
                                  : (gx_matrix){.buf = m->buf, .offset = m->offset, .rows = m->cols,
                                                .cols = m->rows, .row_stride = m->col_stride,
                                                .col_stride = m->row_stride,
                                                .batch_stride = m->batch_stride};
    const int64_t lines = rounded(turned.rows), wide = rounded(turned.cols);
    *to = turned;
    if (lines == turned.rows && wide == turned.cols && turned.col_stride == 1 &&
        turned.row_stride >= wide && turned.row_stride % STEP == 0 && turned.batch_stride >= 0 &&
        turned.batch_stride % STEP == 0 && turned.offset % STEP == 0)
        return true;
    if (m->batch_stride == 0) batch = 1;
    if (!gx_cuda_scratch(c, batch * lines * wide, out)) return false;
    *to = (gx_matrix){.buf = *out, .rows = turned.rows, .cols = turned.cols, .row_stride = wide,
                      .col_stride = 1, .batch_stride = lines * wide};
    if ((lines != turned.rows || wide != turned.cols) &&
        !gx_cuda_fill_bytes(c, gx_gpu_address(*out), 0, batch * lines * wide))
        return false;
    if (!gx_gpu_convert(&c->gpu, batch, GX_i8, &turned, GX_i8, to)) return false;
    if (m->batch_stride == 0) to->batch_stride = 0;
    return true;
}

/* The low bytes of exact sums are those of NumPy's, of either sign. *done: cuBLAS has it. */
static bool multiply_bytes(gx_cuda *c, int64_t batch, const gx_matrix *a, const gx_matrix *b,
                           const gx_matrix *to, bool *done) {
    static const int one = 1, zero = 0;
    gx_buffer *laid[3] = {NULL, NULL, NULL};
    gx_matrix x, y;
    const int64_t m = rounded(a->rows), n = rounded(b->cols), k = rounded(a->cols);
    bool ok = lay_out(c, batch, a, true, &x, &laid[0]) &&
              lay_out(c, batch, b, false, &y, &laid[1]) &&
              gx_cuda_scratch(c, batch * m * n * 4, &laid[2]);
    if (ok) {
        gx_cuda_state *s = c->state;
        c->gpu.base.rt->gpu_stats.launched++;
        *done = s->blas.cublasGemmStridedBatchedEx_64(
                    s->blas_handle, OP_T, OP_N, n, m, k, &one, address(&y), TYPE_8I, y.row_stride,
                    y.batch_stride, address(&x), TYPE_8I, x.row_stride, x.batch_stride, &zero,
                    laid[2]->data, TYPE_32I, n, m * n, batch, COMPUTE_32I, -1) == 0;
        const gx_matrix sums = {.buf = laid[2], .rows = to->rows, .cols = to->cols, .row_stride = n,
                                .col_stride = 1, .batch_stride = m * n};
        if (*done) ok = gx_gpu_convert(&c->gpu, batch, GX_i32, &sums, GX_i8, to);
    }
    for (int i = 0; i < 3; i++) gx_buffer_drop(laid[i]);
    return ok;
}

static bool multiply_whole(gx_cuda *c, gx_dtype d, int64_t batch, const gx_matrix *a,
                           const gx_matrix *b, const gx_matrix *to) {
    bool done = false;
    const bool bytes = d == GX_i8 || d == GX_u8;
    if (bytes && a->cols <= LONGEST && a->cols >= STEP && to->rows >= STEP && to->cols >= STEP &&
        !(open_blas(c) && multiply_bytes(c, batch, a, b, to, &done)))
        return false;
    return done || gx_gpu_matmul(&c->gpu, d, batch, a, b, to);
}

bool gx_cuda_matmul(gx_device *device, gx_dtype d, int64_t batch, const gx_matrix *a,
                    const gx_matrix *b, const gx_matrix *c) {
    gx_cuda *cuda = gx_cuda_of(device);
    if (batch == 0 || c->rows == 0 || c->cols == 0) return true;
    if (a->cols == 0)
        return gx_cuda_fill_bytes(cuda, gx_gpu_address(c->buf) + (gx_gpu_ptr)c->offset, 0,
                                  batch * c->rows * c->cols * gx_dtypes[d].bytes);
    if (!gx_cuda_usable(cuda)) return false;
    if (kind_of(d).compute == 0) return multiply_whole(cuda, d, batch, a, b, c);
    return open_blas(cuda) && multiply(cuda, d, batch, a, b, c);
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

/* --- its beginning, beside other work -------------------------------------------------------- */

/* What takes longest of a GPU's beginning: the driver and its context (0.3 s), while a user types,
   and cuBLAS (0.2 s: its library, and its products of float64 and float32, whose code is loaded by
   the first of each) while a script that multiplies matrices makes them. The thread has a handle
   and memory of its own: what it leaves is that all of it is loaded. */

enum { SMALL = 64, ROOM = 4 << 20, UNSHARED = 1, TYPE_F32 = 0, TYPE_F64 = 1 };

/* One thread at a time in a process; what ends it early. */
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stop, done;

static bool multiply_once(const gx_cuda_blas *b, struct cublasContext *h, unsigned type,
                          unsigned by, char *at) {
    static const double one[2] = {1, 0};
    static const float one_f[2] = {1, 0};
    const void *factor = type == TYPE_F64 ? (const void *)one : one_f;
    return !stop && b->cublasGemmStridedBatchedEx_64(
                        h, 0, 0, SMALL, SMALL, SMALL, factor, at, type, SMALL, 0, at, type, SMALL,
                        0, factor, at + SMALL * SMALL * 8, type, SMALL, 0, 1, by, -1) == 0;
}

static bool start_driver(gx_cuda_driver *d, int index, int *prefer) {
    int device;
    struct CUctx_st *context;
    if (!gx_cuda_symbols_quietly(GX_LIB_DRIVER, 0, d) || d->cuInit(0) != 0 ||
        d->cuDriverGetVersion(prefer) != 0 || d->cuDeviceGet(&device, index) != 0 ||
        d->cuDevicePrimaryCtxRetain(&context, device) != 0)
        return false;
    *prefer /= 1000;
    return d->cuCtxSetCurrent(context) == 0;
}

static void start_products(const gx_cuda_driver *d, int prefer) {
    gx_cuda_blas b;
    struct CUstream_st *stream = NULL;
    struct cublasContext *handle = NULL;
    unsigned long long at = 0;
    if (stop || !gx_cuda_symbols_quietly(GX_LIB_BLAS, prefer, &b) || stop) return;
    if (d->cuStreamCreate(&stream, UNSHARED) != 0) return;
    if (d->cuMemAllocAsync(&at, ROOM, stream) == 0) {
        char *room = (char *)(uintptr_t)at;
        if (!stop && b.cublasCreate_v2(&handle) == 0) {
            if (b.cublasSetStream_v2(handle, stream) == 0 &&
                b.cublasSetWorkspace_v2(handle, room + ROOM / 2, ROOM / 2) == 0 &&
                multiply_once(&b, handle, TYPE_F64, COMPUTE_64F, room))
                (void)multiply_once(&b, handle, TYPE_F32, COMPUTE_32F, room);
            b.cublasDestroy_v2(handle);
        }
        d->cuMemFreeAsync(at, stream);
    }
    d->cuStreamSynchronize(stream);
    d->cuStreamDestroy_v2(stream);
}

void gx_cuda_warm(int index) {
    gx_cuda_driver driver;
    int prefer;
    (void)start_driver(&driver, index, &prefer);
}

static void *warm(void *arg) {
    gx_cuda_driver driver;
    int prefer;
    pthread_mutex_lock(&busy);
    if (!done && start_driver(&driver, ((gx_cuda *)arg)->gpu.base.index, &prefer))
        start_products(&driver, prefer);
    done = true;
    pthread_mutex_unlock(&busy);
    return NULL;
}

/* Has the text an `@` that is no decorator's: behind something on its line, or before a space? */
static bool has_operator(const char *text) {
    for (const char *at = text; (at = strchr(at, '@')); at++) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t')) before--;
        if (at[1] == ' ' || (before > text && before[-1] != '\n')) return true;
    }
    return false;
}

/* Has a text of the script a matrix product or a word of one, or may the user type one? */
static bool multiplies(const gx_rt *rt) {
    static const char *const words[] = {"dot", "matmul", "linalg", "einsum", "inner"};
    for (uint32_t i = 0; i < rt->sources.count; i++) {
        const gx_source *s = &rt->sources.list[i];
        if (s->library || !s->text) continue;
        if (strncmp(s->name, "<input", 6) == 0 || has_operator(s->text)) return true;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strstr(s->text, words[k])) return true;
    }
    return false;
}

void gx_cuda_warm_products(gx_cuda *c) {
    gx_rt *rt = c->gpu.base.rt;
    sigset_t all, before;
    stop = false;
    if (done || rt->debug.safe || rt->debug.max_memory || !multiplies(rt)) return;
    sigfillset(&all); /* signals are the interpreter's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->state->warms = pthread_create(&c->state->warming, NULL, warm, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void gx_cuda_warmed_products(gx_cuda *c) {
    stop = true;
    if (c->state->warms) pthread_join(c->state->warming, NULL);
    c->state->warms = false;
}
