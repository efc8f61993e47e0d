/* Linear algebra by cuSOLVER: systems, inverses, singular values, eigenvalues of symmetric
   matrices, QR and Cholesky of large real matrices, one after the other. Its matrices run down
   columns: a row-major matrix is its transpose there, which is what is factored where that serves.
   What it does not take (takes, takes_system) is the host's. */
#include "runtime/cuda/state_int.h"

enum {
    LEAST = 128, /* rows: below, the host is done before the GPU has begun */
    MOST_BATCH = 16,
    FILL_LOWER = 0, /* cublasFillMode_t */
    FILL_UPPER = 1,
    REAL_64F = 1, /* cudaDataType_t */
    ROOMS = 8
};

/* A job's memory on the device and the host, which live until it is done. */
typedef struct rooms {
    gx_cuda *c;
    int count;
    gx_buffer *held[ROOMS];
    void *host;
    gx_buffer *info;
} rooms;

static bool check(gx_cuda *c, unsigned status, const char *what) {
    if (GX_LIKELY(status == 0)) return true;
    /* A lost device shows in the driver first. */
    return gx_cuda_wait(c) && gx_fail(c->base.rt, GX_RuntimeError, "cuda.solver",
                                      "%s: cuSOLVER status %u", what, status);
}

static bool open_solver(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (!gx_cuda_usable(c)) return false;
    if (s->solver_handle) return true;
    if (!gx_cuda_symbols(c->base.rt, GX_LIB_SOLVER, s->compiler.prefer, &s->solver, NULL, 0))
        return false;
    struct cusolverDnContext *handle = NULL;
    if (!check(c, s->solver.cusolverDnCreate(&handle), "opening cuSOLVER")) return false;
    if (!check(c, s->solver.cusolverDnSetStream(handle, s->stream), "cuSOLVER's stream") ||
        !check(c, s->solver.cusolverDnCreateParams(&s->solver_params), "cuSOLVER's options")) {
        s->solver.cusolverDnDestroy(handle);
        return false;
    }
    s->solver_handle = handle;
    return true;
}

void gx_cuda_solver_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->solver_handle) s->solver.cusolverDnDestroy(s->solver_handle);
    s->solver_handle = NULL;
}

static bool begin(gx_device *d, rooms *r) {
    *r = (rooms){.c = gx_cuda_of(d)};
    return open_solver(r->c) && gx_cuda_scratch(r->c, 64, &r->info);
}

static bool end(rooms *r, bool ok) {
    while (r->count > 0) gx_buffer_drop(r->held[--r->count]);
    gx_buffer_drop(r->info);
    gx_free(r->c->base.rt, r->host);
    return ok;
}

/* Device memory for `bytes`, at least one; NULL: the error is set. */
static char *room(rooms *r, int64_t bytes) {
    gx_buffer *b;
    if (!gx_cuda_scratch(r->c, bytes > 0 ? bytes : 64, &b)) return NULL;
    r->held[r->count++] = b;
    return b->data;
}

/* Working memory as the library asks for it. */
static bool work_room(rooms *r, size_t device, size_t host, char **work) {
    gx_free(r->c->base.rt, r->host);
    r->host = host ? gx_alloc(r->c->base.rt, host) : NULL;
    *work = !host || r->host ? room(r, (int64_t)device) : NULL;
    return *work != NULL;
}

/* What the library says of the matrix: positive when it has no such factors. */
static bool read_info(rooms *r, int64_t *info) {
    int value = 0;
    if (!gx_cuda_download(r->c, &value, gx_cuda_address(r->info), sizeof value)) return false;
    if (value < 0)
        return gx_fail(r->c->base.rt, GX_RuntimeError, "cuda.solver",
                       "cuSOLVER refuses its argument %d", -value);
    *info = value;
    return true;
}

static int *info_of(const rooms *r) {
    return (int *)(void *)r->info->data;
}

/* to (rows, cols), row by row, = from down columns: both of `bytes` at `at` in their memory. */
static bool turn(rooms *r, gx_dtype d, const char *from, int64_t rows, int64_t cols, char *to) {
    return gx_cuda_copy_matrix(r->c, d, GX_PART_ALL, rows, cols, from, 1, rows, to, cols, 1);
}

/* --- systems --- */

static unsigned type_of(gx_dtype d) {
    return d == GX_f32 ? 0 : d == GX_f64 ? 1 : d == GX_c64 ? 4 : 5;
}

static bool takes_system(gx_dtype d, int64_t batch, int64_t n) {
    (void)d;
    return n >= LEAST && batch <= MOST_BATCH;
}

/* Factors of the n by n matrix down columns at a, in place. */
static bool factor(rooms *r, gx_dtype d, int64_t n, char *a, int64_t *pivots, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned type = type_of(d);
    return check(r->c,
                 s->solver.cusolverDnXgetrf_bufferSize(s->solver_handle, s->solver_params, n, n,
                                                       type, a, n, type, &device, &host),
                 "getrf") &&
           work_room(r, device, host, &work) &&
           check(r->c,
                 s->solver.cusolverDnXgetrf(s->solver_handle, s->solver_params, n, n, type, a, n,
                                            pivots, type, work, device, r->host, host, info_of(r)),
                 "getrf") &&
           read_info(r, info);
}

static bool substitute(rooms *r, gx_dtype d, int64_t n, int64_t m, unsigned transposed,
                       const char *a, const int64_t *pivots, char *b) {
    gx_cuda_state *s = r->c->state;
    unsigned type = type_of(d);
    return check(r->c,
                 s->solver.cusolverDnXgetrs(s->solver_handle, s->solver_params, transposed, n, m,
                                            type, a, n, pivots, type, b, n, info_of(r)),
                 "getrs");
}

static bool solve(gx_device *device, gx_dtype d, int64_t batch, int64_t n, int64_t m, gx_buffer *a,
                  gx_buffer *b, int64_t *info) {
    rooms r;
    int64_t item = gx_dtypes[d].bytes;
    bool ok = begin(device, &r);
    int64_t *pivots = ok ? (int64_t *)(void *)room(&r, n * 8) : NULL;
    char *turned = pivots && m > 1 ? room(&r, n * m * item) : NULL;
    ok = pivots && (m == 1 || turned);
    for (int64_t i = 0; i < batch && ok; i++) {
        char *at = a->data + i * n * n * item, *to = b->data + i * n * m * item;
        int kept = r.count;
        ok = factor(&r, d, n, at, pivots, &info[i]);
        if (ok && info[i] == 0 && m == 1) {
            ok = substitute(&r, d, n, m, 1, at, pivots, to);
        } else if (ok && info[i] == 0) {
            /* (n, m) by rows is (m, n) down columns: turned, solved, turned back */
            ok = turn(&r, d, to, m, n, turned) && substitute(&r, d, n, m, 1, at, pivots, turned) &&
                 turn(&r, d, turned, n, m, to);
        }
        while (r.count > kept) gx_buffer_drop(r.held[--r.count]);
    }
    return end(&r, ok);
}

/* The inverse of the transpose, down columns, is the inverse by rows. */
static bool invert(gx_device *device, gx_dtype d, int64_t batch, int64_t n, gx_buffer *a,
                   int64_t *info) {
    rooms r;
    int64_t item = gx_dtypes[d].bytes, size = n * n * item;
    bool ok = begin(device, &r);
    int64_t *pivots = ok ? (int64_t *)(void *)room(&r, n * 8) : NULL;
    char *x = pivots ? room(&r, size) : NULL;
    ok = x != NULL;
    for (int64_t i = 0; i < batch && ok; i++) {
        char *at = a->data + i * size;
        int kept = r.count;
        ok = factor(&r, d, n, at, pivots, &info[i]);
        if (ok && info[i] == 0) {
            ok = gx_cuda_copy_matrix(r.c, d, GX_PART_UNIT, n, n, x, n, 1, x, n, 1) &&
                 substitute(&r, d, n, n, 0, at, pivots, x) &&
                 gx_cuda_copy_matrix(r.c, d, GX_PART_ALL, n, n, x, n, 1, at, n, 1);
        }
        while (r.count > kept) gx_buffer_drop(r.held[--r.count]);
    }
    return end(&r, ok);
}

/* --- singular values --- */

/* One matrix of a batch: a has p rows down columns, p >= q; u (p, p or q) and vt or v (q, q) down
   columns, or NULL. */
typedef struct svd {
    int64_t p, q, cols; /* cols: of u */
    char *a, *s, *u, *v;
} svd;

static bool svd_polar(rooms *r, const svd *j, int64_t *info, double *error) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned vectors = j->u != NULL;
    int econ = j->cols == j->q;
    return check(r->c,
                 s->solver.cusolverDnXgesvdp_bufferSize(
                     s->solver_handle, s->solver_params, vectors, econ, j->p, j->q, REAL_64F, j->a,
                     j->p, REAL_64F, j->s, REAL_64F, j->u, j->p, REAL_64F, j->v, j->q, REAL_64F,
                     &device, &host),
                 "gesvdp") &&
           work_room(r, device, host, &work) &&
           check(r->c,
                 s->solver.cusolverDnXgesvdp(s->solver_handle, s->solver_params, vectors, econ,
                                             j->p, j->q, REAL_64F, j->a, j->p, REAL_64F, j->s,
                                             REAL_64F, j->u, j->p, REAL_64F, j->v, j->q, REAL_64F,
                                             work, device, r->host, host, info_of(r), error),
                 "gesvdp") &&
           read_info(r, info);
}

static bool svd_plain(rooms *r, const svd *j, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    signed char what = !j->u ? 'N' : j->cols == j->q ? 'S' : 'A';
    return check(r->c,
                 s->solver.cusolverDnXgesvd_bufferSize(
                     s->solver_handle, s->solver_params, what, what, j->p, j->q, REAL_64F, j->a,
                     j->p, REAL_64F, j->s, REAL_64F, j->u, j->p, REAL_64F, j->v, j->q, REAL_64F,
                     &device, &host),
                 "gesvd") &&
           work_room(r, device, host, &work) &&
           check(r->c,
                 s->solver.cusolverDnXgesvd(s->solver_handle, s->solver_params, what, what, j->p,
                                            j->q, REAL_64F, j->a, j->p, REAL_64F, j->s, REAL_64F,
                                            j->u, j->p, REAL_64F, j->v, j->q, REAL_64F, work,
                                            device, r->host, host, info_of(r)),
                 "gesvd") &&
           read_info(r, info);
}

/* a (m, n) by rows: the wide one is factored as its transpose, which is how it lies there. By the
   polar decomposition, which is quick and says when it was not exact; then the plain way. */
static bool svd_one(rooms *r, const gx_decomp *d, int64_t i) {
    int64_t m = d->m, n = d->n, k = m < n ? m : n, uc = d->full ? m : k, vr = d->full ? n : k;
    bool wide = n >= m, vectors = d->x != NULL;
    char *a = d->a->data + i * m * n * 8, *x = vectors ? d->x->data + i * m * uc * 8 : NULL,
         *z = vectors ? d->z->data + i * vr * n * 8 : NULL;
    svd j = {.p = wide ? n : m, .q = k, .cols = wide ? vr : uc, .s = d->y->data + i * k * 8};
    char *kept = room(r, m * n * 8), *other = vectors ? room(r, j.p * j.cols * 8) : NULL;
    j.a = room(r, m * n * 8);
    double error = 0;
    if (!kept || !j.a || (vectors && !other)) return false;
    if (wide ? !gx_cuda_copy_matrix(r->c, GX_f64, GX_PART_ALL, m, n, a, n, 1, kept, n, 1)
             : !turn(r, GX_f64, a, n, m, kept))
        return false;
    for (int round = 0; round < 2; round++) {
        if (!gx_cuda_copy_matrix(r->c, GX_f64, GX_PART_ALL, 1, m * n, kept, 0, 1, j.a, 0, 1))
            return false;
        bool polar = round == 0;
        /* wide: u is vh by rows as it lies; v is u down columns. Else the other way about. */
        j.u = !vectors ? NULL : wide ? z : other;
        j.v = !vectors ? NULL : !wide ? (polar ? z : x) : polar ? other : x;
        if (polar ? !svd_polar(r, &j, &d->info[i], &error) : !svd_plain(r, &j, &d->info[i]))
            return false;
        if (polar && (d->info[i] || error > 1e-12)) continue;
        if (!vectors || d->info[i]) return true;
        if (wide) return !polar || turn(r, GX_f64, other, m, k, x);
        if (polar) return turn(r, GX_f64, other, m, uc, x);
        /* x holds vt down columns: it goes by rows into z, and u into x */
        return turn(r, GX_f64, x, k, k, z) && turn(r, GX_f64, other, m, uc, x);
    }
    return true;
}

/* --- the other decompositions --- */

static bool eigh_one(rooms *r, const gx_decomp *d, int64_t i) {
    gx_cuda_state *s = r->c->state;
    int64_t n = d->n;
    char *a = d->a->data + i * n * n * 8, *w = d->y->data + i * n * 8, *work;
    size_t device = 0, host = 0;
    unsigned vectors = d->x != NULL, fill = d->upper ? FILL_LOWER : FILL_UPPER;
    return check(r->c,
                 s->solver.cusolverDnXsyevd_bufferSize(s->solver_handle, s->solver_params, vectors,
                                                       fill, n, REAL_64F, a, n, REAL_64F, w,
                                                       REAL_64F, &device, &host),
                 "syevd") &&
           work_room(r, device, host, &work) &&
           check(r->c,
                 s->solver.cusolverDnXsyevd(s->solver_handle, s->solver_params, vectors, fill, n,
                                            REAL_64F, a, n, REAL_64F, w, REAL_64F, work, device,
                                            r->host, host, info_of(r)),
                 "syevd") &&
           read_info(r, &d->info[i]) &&
           (!vectors || turn(r, GX_f64, a, n, n, d->x->data + i * n * n * 8));
}

static bool cholesky_one(rooms *r, const gx_decomp *d, int64_t i) {
    gx_cuda_state *s = r->c->state;
    int64_t n = d->n;
    char *a = d->a->data + i * n * n * 8, *work;
    size_t device = 0, host = 0;
    unsigned fill = d->upper ? FILL_LOWER : FILL_UPPER;
    return check(r->c,
                 s->solver.cusolverDnXpotrf_bufferSize(s->solver_handle, s->solver_params, fill, n,
                                                       REAL_64F, a, n, REAL_64F, &device, &host),
                 "potrf") &&
           work_room(r, device, host, &work) &&
           check(r->c,
                 s->solver.cusolverDnXpotrf(s->solver_handle, s->solver_params, fill, n, REAL_64F,
                                            a, n, REAL_64F, work, device, r->host, host,
                                            info_of(r)),
                 "potrf") &&
           read_info(r, &d->info[i]) &&
           gx_cuda_copy_matrix(r->c, GX_f64, d->upper ? GX_PART_UPPER : GX_PART_LOWER, n, n, a, n,
                               1, a, n, 1);
}

static bool qr_one(rooms *r, const gx_decomp *d, int64_t i) {
    gx_cuda_state *s = r->c->state;
    int64_t m = d->m, n = d->n, k = m < n ? m : n, qc = d->full ? m : k, rr = d->full ? m : k;
    int64_t wide = qc > n ? qc : n;
    char *tau = room(r, k * 8), *a = tau ? room(r, m * wide * 8) : NULL, *work;
    size_t device = 0, host = 0;
    int want = 0;
    bool ok = a && turn(r, GX_f64, d->a->data + i * m * n * 8, n, m, a) &&
              check(r->c,
                    s->solver.cusolverDnXgeqrf_bufferSize(s->solver_handle, s->solver_params, m, n,
                                                          REAL_64F, a, m, REAL_64F, tau, REAL_64F,
                                                          &device, &host),
                    "geqrf") &&
              work_room(r, device, host, &work) &&
              check(r->c,
                    s->solver.cusolverDnXgeqrf(s->solver_handle, s->solver_params, m, n, REAL_64F,
                                               a, m, REAL_64F, tau, REAL_64F, work, device, r->host,
                                               host, info_of(r)),
                    "geqrf") &&
              read_info(r, &d->info[i]) &&
              gx_cuda_copy_matrix(r->c, GX_f64, GX_PART_UPPER, rr, n, a, 1, m,
                                  d->y->data + i * rr * n * 8, n, 1);
    if (!ok || !d->x) return ok;
    double *q = (double *)(void *)a, *t = (double *)(void *)tau;
    return check(r->c,
                 s->solver.cusolverDnDorgqr_bufferSize(s->solver_handle, (int)m, (int)qc, (int)k, q,
                                                       (int)m, t, &want),
                 "orgqr") &&
           work_room(r, (size_t)want * 8, 0, &work) &&
           check(r->c,
                 s->solver.cusolverDnDorgqr(s->solver_handle, (int)m, (int)qc, (int)k, q, (int)m, t,
                                            (double *)(void *)work, want, info_of(r)),
                 "orgqr") &&
           read_info(r, &d->info[i]) && turn(r, GX_f64, a, m, qc, d->x->data + i * m * qc * 8);
}

static bool takes(const gx_decomp *d) {
    int64_t least = d->m < d->n ? d->m : d->n;
    if (d->cplx || least < LEAST || d->batch > MOST_BATCH || d->m > INT32_MAX || d->n > INT32_MAX)
        return false;
    return d->kind == GX_DECOMP_SVD || d->kind == GX_DECOMP_EIGH || d->kind == GX_DECOMP_QR ||
           d->kind == GX_DECOMP_CHOLESKY;
}

static bool decompose(gx_device *device, const gx_decomp *d) {
    rooms r;
    bool ok = begin(device, &r);
    for (int64_t i = 0; i < d->batch && ok; i++) {
        ok = d->kind == GX_DECOMP_SVD    ? svd_one(&r, d, i)
             : d->kind == GX_DECOMP_EIGH ? eigh_one(&r, d, i)
             : d->kind == GX_DECOMP_QR   ? qr_one(&r, d, i)
                                         : cholesky_one(&r, d, i);
        while (r.count > 0) gx_buffer_drop(r.held[--r.count]);
    }
    return end(&r, ok);
}

const gx_linalg gx_cuda_linalg = {
    .solve = solve,
    .inv = invert,
    .decompose = decompose,
    .takes = takes,
    .takes_system = takes_system,
};
