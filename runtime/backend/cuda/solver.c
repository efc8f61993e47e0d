/* Linear algebra by cuSOLVER: systems, inverses and LU factors here, decompositions in the files
   beside; many small matrices are batch.c's. The library's matrices run down columns: a row-major
   matrix is its transpose there, which is what is factored where that serves. Large matrices are
   worked on one after the other. What is not taken (takes, takes_system) is the host's. */
#include "runtime/backend/cuda/solver_int.h"

enum {
    LEAST = 128, /* rows: below, the host is done before the GPU has begun */
    LARGE = 512, /* rows: from here batches of any length are taken */
    MOST_BATCH = 16,
    LEAST_EIG = 256 /* rows: the host's geev is faster below */
};

bool gx_solver_check(gx_cuda *c, unsigned status, const char *what) {
    if (GX_LIKELY(status == 0)) return true;
    /* A lost device shows in the driver first. */
    return gx_cuda_wait(c) && gx_fail(c->gpu.base.rt, GX_RuntimeError, "cuda.solver",
                                      "%s: cuSOLVER status %u", what, status);
}

static bool open_solver(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!gx_cuda_usable(c)) return false;
    if (s->solver_handle) return true;
    if (!gx_cuda_symbols(c->gpu.base.rt, GX_LIB_SOLVER, s->compiler.prefer, &s->solver, NULL, 0))
        return false;
    struct cusolverDnContext *handle = NULL;
    if (!gx_solver_check(c, s->solver.cusolverDnCreate(&handle), "opening cuSOLVER")) return false;
    if (!gx_solver_check(c, s->solver.cusolverDnSetStream(handle, s->stream),
                         "cuSOLVER's stream") ||
        !gx_solver_check(c, s->solver.cusolverDnCreateParams(&s->solver_params),
                         "cuSOLVER's options")) {
        s->solver.cusolverDnDestroy(handle);
        return false;
    }
    s->solver_handle = handle;
    return true;
}

void gx_cuda_solver_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->solver_handle) {
        s->solver.cusolverDnDestroyParams(s->solver_params);
        s->solver.cusolverDnDestroy(s->solver_handle);
    }
    s->solver_params = NULL;
    s->solver_handle = NULL;
}

static bool begin(gx_device *d, gx_rooms *r) {
    *r = (gx_rooms){.c = gx_cuda_of(d)};
    return open_solver(r->c) && gx_cuda_scratch(r->c, 64, &r->info);
}

static void drop_from(gx_rooms *r, int kept) {
    while (r->count > kept) gx_buffer_drop(r->held[--r->count]);
}

static bool end(gx_rooms *r, bool ok) {
    drop_from(r, 0);
    gx_buffer_drop(r->info);
    gx_free(r->c->gpu.base.rt, r->host);
    return ok;
}

char *gx_rooms_get(gx_rooms *r, int64_t bytes) {
    gx_buffer *b;
    if (r->count == GX_ROOMS || !gx_cuda_scratch(r->c, bytes > 0 ? bytes : 64, &b)) return NULL;
    r->held[r->count++] = b;
    return b->data;
}

bool gx_rooms_work(gx_rooms *r, size_t device, size_t host, char **work) {
    gx_free(r->c->gpu.base.rt, r->host);
    r->host = host ? gx_alloc(r->c->gpu.base.rt, host) : NULL;
    *work = !host || r->host ? gx_rooms_get(r, (int64_t)device) : NULL;
    return *work != NULL;
}

bool gx_rooms_info(gx_rooms *r, int64_t *info) {
    int value = 0;
    if (!gx_cuda_download(r->c, &value, gx_gpu_address(r->info), sizeof value)) return false;
    if (value < 0)
        return gx_fail(r->c->gpu.base.rt, GX_RuntimeError, "cuda.solver",
                       "cuSOLVER refuses its argument %d", -value);
    *info = value;
    return true;
}

bool gx_solver_turn(gx_rooms *r, gx_dtype d, bool conjugate, const char *from, int64_t rows,
                    int64_t cols, char *to) {
    return gx_gpu_copy_matrix(&r->c->gpu, d, conjugate ? GX_PART_CONJUGATE : GX_PART_ALL, rows,
                              cols, from, 1, rows, to, cols, 1);
}

bool gx_solver_copy(gx_rooms *r, gx_dtype d, bool conjugate, const char *from, int64_t count,
                    char *to) {
    return gx_gpu_copy_matrix(&r->c->gpu, d, conjugate ? GX_PART_CONJUGATE : GX_PART_ALL, 1, count,
                              from, 0, 1, to, 0, 1);
}

/* --- systems --- */

static bool takes_system(gx_dtype d, int64_t batch, int64_t n) {
    (void)d;
    return gx_batch_takes_system(batch, n) || (n >= LEAST && (batch <= MOST_BATCH || n >= LARGE));
}

/* Factors of the n by n matrix down columns at a, in place. */
static bool factor(gx_rooms *r, gx_dtype d, int64_t n, char *a, int64_t *pivots, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned type = gx_solver_type(d);
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgetrf_bufferSize(s->solver_handle, s->solver_params,
                                                                 n, n, type, a, n, type, &device,
                                                                 &host),
                           "getrf") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXgetrf(s->solver_handle, s->solver_params, n, n,
                                                      type, a, n, pivots, type, work, device,
                                                      r->host, host, gx_rooms_status(r)),
                           "getrf") &&
           gx_rooms_info(r, info);
}

static bool substitute(gx_rooms *r, gx_dtype d, int64_t n, int64_t m, unsigned transposed,
                       const char *a, const int64_t *pivots, char *b) {
    gx_cuda_state *s = r->c->state;
    unsigned type = gx_solver_type(d);
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgetrs(s->solver_handle, s->solver_params,
                                                      transposed, n, m, type, a, n, pivots, type, b,
                                                      n, gx_rooms_status(r)),
                           "getrs");
}

static bool solve(gx_device *device, gx_dtype d, int64_t batch, int64_t n, int64_t m, gx_buffer *a,
                  gx_buffer *b, int64_t *info) {
    gx_rooms r;
    if (gx_batch_takes_system(batch, n))
        return gx_batch_systems(gx_gpu_of(device), GX_BATCH_SOLVE, d, batch, n, m, a, b, NULL,
                                info);
    int64_t item = gx_dtypes[d].bytes;
    bool ok = begin(device, &r);
    int64_t *pivots = ok ? (int64_t *)(void *)gx_rooms_get(&r, n * 8) : NULL;
    char *turned = pivots && m > 1 ? gx_rooms_get(&r, n * m * item) : NULL;
    ok = pivots && (m == 1 || turned);
    for (int64_t i = 0; i < batch && ok; i++) {
        char *at = a->data + i * n * n * item, *to = b->data + i * n * m * item;
        int kept = r.count;
        ok = factor(&r, d, n, at, pivots, &info[i]);
        if (ok && info[i] == 0 && m == 1) {
            ok = substitute(&r, d, n, m, 1, at, pivots, to);
        } else if (ok && info[i] == 0) {
            /* (n, m) by rows is (m, n) down columns: turned, solved, turned back */
            ok = gx_solver_turn(&r, d, false, to, m, n, turned) &&
                 substitute(&r, d, n, m, 1, at, pivots, turned) &&
                 gx_solver_turn(&r, d, false, turned, n, m, to);
        }
        drop_from(&r, kept);
    }
    return end(&r, ok);
}

/* The inverse of the transpose, down columns, is the inverse by rows. */
static bool invert(gx_device *device, gx_dtype d, int64_t batch, int64_t n, gx_buffer *a,
                   int64_t *info) {
    gx_rooms r;
    if (gx_batch_takes_system(batch, n))
        return gx_batch_systems(gx_gpu_of(device), GX_BATCH_INVERT, d, batch, n, n, a, NULL, NULL,
                                info);
    int64_t item = gx_dtypes[d].bytes, size = n * n * item;
    bool ok = begin(device, &r);
    int64_t *pivots = ok ? (int64_t *)(void *)gx_rooms_get(&r, n * 8) : NULL;
    char *x = pivots ? gx_rooms_get(&r, size) : NULL;
    ok = x != NULL;
    for (int64_t i = 0; i < batch && ok; i++) {
        char *at = a->data + i * size;
        int kept = r.count;
        ok = factor(&r, d, n, at, pivots, &info[i]);
        if (ok && info[i] == 0) {
            ok = gx_gpu_copy_matrix(&r.c->gpu, d, GX_PART_UNIT, n, n, x, n, 1, x, n, 1) &&
                 substitute(&r, d, n, n, 0, at, pivots, x) &&
                 gx_gpu_copy_matrix(&r.c->gpu, d, GX_PART_ALL, n, n, x, n, 1, at, n, 1);
        }
        drop_from(&r, kept);
    }
    return end(&r, ok);
}

/* The factors of a itself: it is turned, factored, and turned back. The library counts from 1. */
static bool factor_rows(gx_device *device, gx_dtype d, int64_t batch, int64_t n, gx_buffer *a,
                        int64_t *pivots, int64_t *info) {
    gx_rooms r;
    int64_t size = n * n * gx_dtypes[d].bytes;
    if (gx_batch_takes_system(batch, n))
        return gx_batch_systems(gx_gpu_of(device), GX_BATCH_FACTOR, d, batch, n, 0, a, NULL,
                                pivots, info);
    bool ok = begin(device, &r);
    int64_t *rows = ok ? (int64_t *)(void *)gx_rooms_get(&r, n * 8) : NULL;
    char *x = rows ? gx_rooms_get(&r, size) : NULL;
    ok = x != NULL;
    for (int64_t i = 0; i < batch && ok; i++) {
        char *at = a->data + i * size;
        int kept = r.count;
        ok = gx_solver_turn(&r, d, false, at, n, n, x) && factor(&r, d, n, x, rows, &info[i]) &&
             gx_solver_turn(&r, d, false, x, n, n, at) &&
             gx_cuda_download(r.c, pivots + i * n, (gx_gpu_ptr)(uintptr_t)rows, n * 8);
        for (int64_t k = 0; k < n && ok; k++) pivots[i * n + k]--;
        drop_from(&r, kept);
    }
    return end(&r, ok);
}

/* --- decompositions --- */

/* A library that cannot be opened is told of by what needs it. */
static bool has_eig(gx_device *d) {
    gx_cuda *c = gx_cuda_of(d);
    if (open_solver(c)) return gx_solver_has_eig(c);
    gx_error_clear(d->rt);
    return false;
}

static bool takes(gx_device *device, const gx_decomp *d) {
    int64_t least = d->m < d->n ? d->m : d->n;
    if (gx_batch_takes(d)) return true;
    if (least < LEAST || (d->batch > MOST_BATCH && least < LARGE)) return false;
    if (d->m > INT32_MAX || d->n > INT32_MAX) return false;
    if (d->kind == GX_DECOMP_EIG) return least >= LEAST_EIG && has_eig(device);
    return d->kind == GX_DECOMP_SVD || d->kind == GX_DECOMP_EIGH || d->kind == GX_DECOMP_QR ||
           d->kind == GX_DECOMP_CHOLESKY;
}

static bool decompose(gx_device *device, const gx_decomp *d) {
    gx_rooms r;
    if (gx_batch_takes(d)) return gx_batch_decompose(gx_gpu_of(device), d);
    bool ok = begin(device, &r);
    for (int64_t i = 0; i < d->batch && ok; i++) {
        ok = d->kind == GX_DECOMP_SVD    ? gx_solver_svd(&r, d, i)
             : d->kind == GX_DECOMP_EIGH ? gx_solver_eigh(&r, d, i)
             : d->kind == GX_DECOMP_EIG  ? gx_solver_eig(&r, d, i)
             : d->kind == GX_DECOMP_QR   ? gx_solver_qr(&r, d, i)
                                         : gx_solver_cholesky(&r, d, i);
        drop_from(&r, 0);
    }
    return end(&r, ok);
}

const gx_linalg gx_cuda_linalg = {
    .solve = solve,
    .inv = invert,
    .lu = factor_rows,
    .triangle = gx_cuda_triangle,
    .decompose = decompose,
    .takes = takes,
    .takes_system = takes_system,
};
