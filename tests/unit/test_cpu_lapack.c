/* Unit tests of matrix decompositions on the CPU: the factors multiply to the matrix and have the
   form that they should, with LAPACK and with gx's own ways, real and complex, tall and wide. */
#include "tests/unit/cpu_tape_int.h"

#include <math.h>

enum { BATCH = 2 };

typedef struct shape {
    int64_t m, n;
} shape;

static const shape shapes[] = {{1, 1}, {2, 2},   {5, 3},   {3, 5},
                               {1, 6}, {20, 13}, {13, 20}, {33, 33}};

static gx_c128 at(const gx_buffer *b, bool cplx, int64_t i) {
    const double *x = (const double *)(void *)b->data;
    return cplx ? (gx_c128){x[2 * i], x[2 * i + 1]} : (gx_c128){x[i], 0};
}

static void set(gx_buffer *b, bool cplx, int64_t i, gx_c128 value) {
    double *x = (double *)(void *)b->data;
    if (cplx) x[2 * i] = value.re, x[2 * i + 1] = value.im;
    else x[i] = value.re;
}

static gx_buffer *matrices(bench *b, bool cplx, int64_t rows, int64_t cols) {
    return new_buffer(b, BATCH * rows * cols * (cplx ? 16 : 8));
}

static double random_part(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 40) / (1 << 24) - 0.5;
}

/* A random batch; square ones Hermitian with a heavy diagonal when `positive`. */
static gx_buffer *random_matrices(bench *b, bool cplx, shape s, bool positive) {
    gx_buffer *a = matrices(b, cplx, s.m, s.n);
    uint64_t seed = (uint64_t)(s.m * 100 + s.n);
    for (int64_t i = 0; i < BATCH; i++)
        for (int64_t r = 0; r < s.m; r++)
            for (int64_t c = 0; c < s.n; c++) {
                int64_t here = (i * s.m + r) * s.n + c;
                gx_c128 x = {random_part(&seed), random_part(&seed)};
                if (positive && r == c) x = (gx_c128){(double)s.n + x.re, 0};
                if (positive && c < r) {
                    x = at(a, cplx, (i * s.m + c) * s.n + r);
                    x.im = -x.im;
                }
                set(a, cplx, here, x);
            }
    return a;
}

/* x (p, q) of matrix i times y (q, r), with one of them flipped (transposed and conjugated) or
   the columns of x scaled by s: an element. */
typedef struct product {
    const gx_buffer *x, *y;
    const double *s;
    bool cplx, flip_x, flip_y;
    int64_t p, q, r, x_cols, y_cols, x_rows, y_rows;
} product;

static gx_c128 element(const product *t, int64_t i, int64_t row, int64_t col) {
    gx_c128 sum = {0, 0};
    for (int64_t k = 0; k < t->q; k++) {
        int64_t xr = t->flip_x ? k : row, xc = t->flip_x ? row : k;
        int64_t yr = t->flip_y ? col : k, yc = t->flip_y ? k : col;
        gx_c128 x = at(t->x, t->cplx, (i * t->x_rows + xr) * t->x_cols + xc);
        gx_c128 y = at(t->y, t->cplx, (i * t->y_rows + yr) * t->y_cols + yc);
        if (t->flip_x) x.im = -x.im;
        if (t->flip_y) y.im = -y.im;
        double by = t->s ? t->s[i * t->q + k] : 1;
        sum.re += (x.re * y.re - x.im * y.im) * by;
        sum.im += (x.re * y.im + x.im * y.re) * by;
    }
    return sum;
}

/* The product is `want`, or the unit matrix when that is NULL. */
static void check_product(const product *t, const gx_buffer *want) {
    for (int64_t i = 0; i < BATCH; i++)
        for (int64_t r = 0; r < t->p; r++)
            for (int64_t c = 0; c < t->r; c++) {
                gx_c128 x = element(t, i, r, c), y = {r == c, 0};
                if (want) y = at(want, t->cplx, (i * t->p + r) * t->r + c);
                cr_assert(hypot(x.re - y.re, x.im - y.im) < 1e-11, "(%ld, %ld): %g%+gj, not %g%+gj",
                          (long)r, (long)c, x.re, x.im, y.re, y.im);
            }
}

static void check_unit(const gx_buffer *q, bool cplx, int64_t rows, int64_t cols) {
    product t = {.x = q, .y = q, .cplx = cplx, .flip_x = true, .p = cols, .q = rows, .r = cols,
                 .x_rows = rows, .x_cols = cols, .y_rows = rows, .y_cols = cols};
    check_product(&t, NULL);
}

static void decompose(bench *b, gx_decomp *job, const gx_buffer *a) {
    int64_t info[BATCH] = {-1, -1};
    gx_buffer *work = new_buffer(b, a->bytes);
    memcpy(work->data, a->data, (size_t)a->bytes);
    job->batch = BATCH;
    job->info = info;
    job->a = work;
    cr_assert(gx_cpu_backend.linalg->decompose(b->device, job));
    cr_assert(info[0] == 0 && info[1] == 0);
    if (job->kind == GX_DECOMP_CHOLESKY) memcpy(job->x->data, work->data, (size_t)a->bytes);
    gx_buffer_drop(work);
}

static void check_svd(bench *b, bool cplx, shape s, bool full) {
    int64_t k = s.m < s.n ? s.m : s.n, u = full ? s.m : k, v = full ? s.n : k;
    gx_buffer *a = random_matrices(b, cplx, s, false);
    gx_decomp job = {.kind = GX_DECOMP_SVD, .cplx = cplx, .full = full, .m = s.m, .n = s.n};
    job.x = matrices(b, cplx, s.m, u);
    job.y = matrices(b, false, k, 1);
    job.z = matrices(b, cplx, v, s.n);
    decompose(b, &job, a);
    const double *values = (const double *)(void *)job.y->data;
    product t = {.x = job.x, .y = job.z, .s = values, .cplx = cplx, .p = s.m, .q = k, .r = s.n,
                 .x_rows = s.m, .x_cols = u, .y_rows = v, .y_cols = s.n};
    check_product(&t, a);
    check_unit(job.x, cplx, s.m, u);
    for (int64_t i = 1; i < k; i++) cr_assert(values[i] <= values[i - 1] && values[i] >= 0);
    gx_buffer_drop(a);
    gx_buffer_drop(job.x);
    gx_buffer_drop(job.y);
    gx_buffer_drop(job.z);
}

static void check_qr(bench *b, bool cplx, shape s, bool full) {
    int64_t k = s.m < s.n ? s.m : s.n, cols = full ? s.m : k;
    gx_buffer *a = random_matrices(b, cplx, s, false);
    gx_decomp job = {.kind = GX_DECOMP_QR, .cplx = cplx, .full = full, .m = s.m, .n = s.n};
    job.x = matrices(b, cplx, s.m, cols);
    job.y = matrices(b, cplx, cols, s.n);
    decompose(b, &job, a);
    product t = {.x = job.x, .y = job.y, .cplx = cplx, .p = s.m, .q = cols, .r = s.n,
                 .x_rows = s.m, .x_cols = cols, .y_rows = cols, .y_cols = s.n};
    check_product(&t, a);
    check_unit(job.x, cplx, s.m, cols);
    for (int64_t r = 1; r < cols; r++)
        for (int64_t c = 0; c < r && c < s.n; c++)
            cr_assert_eq(at(job.y, cplx, r * s.n + c).re, 0);
    gx_buffer_drop(a);
    gx_buffer_drop(job.x);
    gx_buffer_drop(job.y);
}

/* Values and vectors, or the factor, of a Hermitian matrix. */
static void check_square(bench *b, bool cplx, int64_t n, gx_decomp_kind kind, bool upper) {
    gx_buffer *a = random_matrices(b, cplx, (shape){n, n}, true);
    gx_decomp job = {.kind = kind, .cplx = cplx, .upper = upper, .m = n, .n = n};
    job.x = matrices(b, cplx, n, n);
    job.y = matrices(b, false, n, 1);
    decompose(b, &job, a);
    product t = {.x = job.x, .y = job.x, .cplx = cplx, .flip_y = true, .p = n, .q = n, .r = n,
                 .x_rows = n, .x_cols = n, .y_rows = n, .y_cols = n};
    if (kind == GX_DECOMP_EIGH) {
        t.s = (const double *)(void *)job.y->data;
        check_unit(job.x, cplx, n, n);
        for (int64_t i = 1; i < n; i++) cr_assert(t.s[i] >= t.s[i - 1]);
    } else if (upper) {
        t.flip_x = true;
        t.flip_y = false;
    }
    check_product(&t, a);
    gx_buffer_drop(a);
    gx_buffer_drop(job.x);
    gx_buffer_drop(job.y);
}

static void check_all(void) {
    bench b = bench_open(0, 2);
    for (int cplx = 0; cplx < 2; cplx++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int flag = 0; flag < 2; flag++) {
                check_svd(&b, cplx, shapes[i], flag);
                check_qr(&b, cplx, shapes[i], flag);
                check_square(&b, cplx, shapes[i].m, GX_DECOMP_EIGH, flag);
                check_square(&b, cplx, shapes[i].m, GX_DECOMP_CHOLESKY, flag);
            }
    bench_close(&b);
}

Test(cpu_lapack, with_openblas) {
    check_all();
}

Test(cpu_lapack, with_own_ways) {
    setenv("GX_OPENBLAS", "none", 1);
    check_all();
}
