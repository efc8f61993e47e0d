/* Unit tests of products and linear algebra on the CPU: every dtype and layout against sums
   element by element, with OpenBLAS and with gx's own loops. */
#include "tests/unit/cpu_tape_int.h"

#include <math.h>

static void get_complex(gx_dtype dtype, const char *p, double *re, double *im) {
    gx_scalar v;
    memcpy(&v, p, gx_dtypes[dtype].bytes);
    *im = 0;
    switch (dtype) {
#define X(id, name, kind, store, compute, cuda, bytes, letter, ...)                                \
    case GX_##id: *re = (double)v.id; return;
        GX_INT_DTYPES(X)
        GX_UINT_DTYPES(X)
#undef X
    case GX_bool: *re = v.b; return;
    case GX_f32: *re = (double)v.f32; return;
    case GX_f64: *re = v.f64; return;
    case GX_c64: *re = (double)v.c64.re; *im = (double)v.c64.im; return;
    case GX_c128: *re = v.c128.re; *im = v.c128.im; return;
    GX_HALF_DTYPES(GX_CASE)
    case GX_DTYPES: break;
    }
    *re = 0;
}

static void put_complex(gx_dtype dtype, char *p, int re, int im) {
    gx_scalar v = {.bits = {0, 0}};
    switch (dtype) {
#define X(id, name, kind, store, compute, cuda, bytes, letter, ...)                                \
    case GX_##id: v.id = (store)(kind == 'u' ? re + 3 : re); break;
        GX_INT_DTYPES(X)
        GX_UINT_DTYPES(X)
#undef X
    case GX_bool: v.b = re & 1; break;
    case GX_f32: v.f32 = (float)re; break;
    case GX_f64: v.f64 = re; break;
    case GX_c64: v.c64 = (gx_c64){(float)re, (float)im}; break;
    case GX_c128: v.c128 = (gx_c128){re, im}; break;
    GX_HALF_DTYPES(GX_CASE)
    case GX_DTYPES: break;
    }
    memcpy(p, &v, gx_dtypes[dtype].bytes);
}

/* A matrix of small integers in one of five layouts. */
static gx_matrix random_matrix(bench *b, gx_dtype dtype, int64_t batch, int64_t rows, int64_t cols,
                               uint64_t *seed) {
    int item = gx_dtypes[dtype].bytes;
    gx_matrix m = {.rows = rows, .cols = cols, .offset = 2 * item};
    uint32_t layout = next_random(seed) % 5;
    m.row_stride = layout == 1 ? 1 : layout == 2 ? cols + 3 : layout == 3 ? 2 * cols : cols;
    m.col_stride = layout == 1 ? rows : layout == 3 ? 2 : 1;
    m.batch_stride = layout == 4 ? 0 : rows * cols * 2 + rows * 3;
    int64_t n = batch * (rows * cols * 2 + rows * 3) + 8;
    m.buf = new_buffer(b, n * item);
    for (int64_t i = 0; i < n; i++)
        put_complex(dtype, m.buf->data + i * item, (int)(next_random(seed) % 7) - 3,
                    (int)(next_random(seed) % 7) - 3);
    return m;
}

static const char *element(const gx_matrix *m, int item, int64_t batch, int64_t r, int64_t c) {
    return m->buf->data + m->offset +
           (batch * m->batch_stride + r * m->row_stride + c * m->col_stride) * item;
}

static void check_product(bench *b, gx_dtype dtype, int64_t batch, int64_t m, int64_t n, int64_t k,
                          uint64_t *seed) {
    int item = gx_dtypes[dtype].bytes;
    gx_matrix x = random_matrix(b, dtype, batch, m, k, seed);
    gx_matrix y = random_matrix(b, dtype, batch, k, n, seed);
    gx_matrix z = random_matrix(b, dtype, batch, m, n, seed);
    if (z.batch_stride == 0) z.batch_stride = m * n * 2 + m * 3;
    memset(z.buf->data, 0xFF, (size_t)z.buf->bytes);
    bool ok = gx_cpu_backend.matmul(b->device, dtype, batch, &x, &y, &z);
    cr_assert(ok);
    for (int64_t i = 0; i < batch; i++)
        for (int64_t r = 0; r < m; r++)
            for (int64_t c = 0; c < n; c++) {
                double re = 0, im = 0, xr, xi, yr, yi;
                for (int64_t s = 0; s < k; s++) {
                    get_complex(dtype, element(&x, item, i, r, s), &xr, &xi);
                    get_complex(dtype, element(&y, item, i, s, c), &yr, &yi);
                    re += xr * yr - xi * yi;
                    im += xr * yi + xi * yr;
                }
                if (dtype == GX_bool) re = re > 0;
                char want[16];
                put_complex(dtype, want, 0, 0);
                get_complex(dtype, element(&z, item, i, r, c), &xr, &xi);
                if (gx_dtypes[dtype].kind == GX_KIND_UINT || gx_dtypes[dtype].kind == GX_KIND_INT) {
                    uint64_t mask = item == 8 ? ~(uint64_t)0 : ((uint64_t)1 << item * 8) - 1;
                    if (item < 8) /* wraps */
                        cr_assert_eq((uint64_t)(int64_t)xr & mask, (uint64_t)(int64_t)re & mask);
                    continue;
                }
                cr_assert(xr == re && xi == im, "%s %ldx%ldx%ld: %g %g, not %g %g",
                          gx_dtypes[dtype].name, m, n, k, xr, xi, re, im);
            }
    gx_buffer_drop(x.buf);
    gx_buffer_drop(y.buf);
    gx_buffer_drop(z.buf);
}

static void check_products(void) {
    static const int64_t extents[] = {1, 2, 3, 5, 17, 33, 64};
    bench b = bench_open(0, 2);
    uint64_t seed = 77;
    for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
        if (gx_is_half(dtype)) continue;
        for (int i = 0; i < 60; i++) {
            int64_t m = extents[next_random(&seed) % 7], n = extents[next_random(&seed) % 7];
            int64_t k = next_random(&seed) % 9 ? extents[next_random(&seed) % 7] : 0;
            check_product(&b, (gx_dtype)dtype, 1 + next_random(&seed) % 3, m, n, k, &seed);
        }
    }
    bench_close(&b);
}

Test(cpu_matmul, with_openblas) {
    check_products();
}

Test(cpu_matmul, with_own_loops) {
    setenv("GX_OPENBLAS", "none", 1);
    check_products();
}

Test(cpu_matmul, nan_and_inf_go_through) {
    for (int own = 0; own < 2; own++) {
        if (own) setenv("GX_OPENBLAS", "none", 1);
        bench b = bench_open(0, 2);
        enum { N = 40 };
        gx_matrix m = {.rows = N, .cols = N, .row_stride = N, .col_stride = 1};
        gx_matrix x = m, y = m, z = m;
        x.buf = new_buffer(&b, N * N * 8);
        y.buf = new_buffer(&b, N * N * 8);
        z.buf = new_buffer(&b, N * N * 8);
        double *dx = (double *)(void *)x.buf->data, *dy = (double *)(void *)y.buf->data;
        const double *dz = (double *)(void *)z.buf->data;
        for (int i = 0; i < N * N; i++) dx[i] = dy[i] = 0;
        dx[3 * N + 5] = NAN;
        dx[7 * N + 2] = INFINITY;
        cr_assert(gx_cpu_backend.matmul(b.device, GX_f64, 1, &x, &y, &z));
        for (int c = 0; c < N; c++) {
            cr_assert(isnan(dz[3 * N + c]));
            cr_assert(isnan(dz[7 * N + c])); /* inf times 0 */
            cr_assert_eq(dz[4 * N + c], 0);
        }
        gx_buffer_drop(x.buf);
        gx_buffer_drop(y.buf);
        gx_buffer_drop(z.buf);
        bench_close(&b);
    }
}

/* a x = b, the inverse and the factors of random matrices, and of a singular one. */
static void check_linalg(gx_dtype dtype, int64_t n, int64_t m) {
    bench b = bench_open(0, 2);
    int item = gx_dtypes[dtype].bytes;
    double close = item == 4 || dtype == GX_c64 ? 2e-3 : 1e-9;
    uint64_t seed = 9;
    const gx_linalg *l = gx_cpu_backend.linalg;
    gx_buffer *a = new_buffer(&b, n * n * item), *x = new_buffer(&b, n * m * item);
    gx_buffer *keep = new_buffer(&b, n * n * item), *right = new_buffer(&b, n * m * item);
    for (int64_t i = 0; i < n * n; i++) /* a heavy diagonal: well conditioned */
        put_complex(dtype, a->data + i * item,
                    (int)(next_random(&seed) % 9) - 4 + (i % (n + 1) ? 0 : 40),
                    (int)(next_random(&seed) % 9) - 4);
    for (int64_t i = 0; i < n * m; i++)
        put_complex(dtype, x->data + i * item, (int)(next_random(&seed) % 9), 2);
    memcpy(keep->data, a->data, (size_t)(n * n * item));
    memcpy(right->data, x->data, (size_t)(n * m * item));
    int64_t info = -1;
    cr_assert(l->solve(b.device, dtype, 1, n, m, a, x, &info));
    cr_assert_eq(info, 0);
    memcpy(a->data, keep->data, (size_t)(n * n * item));
    cr_assert(l->inv(b.device, dtype, 1, n, a, &info));
    cr_assert_eq(info, 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) { /* a x and inv(a) b */
            double sr = 0, si = 0, ir = 0, ii = 0, ar, ai, xr, xi, br, bi;
            for (int64_t k = 0; k < n; k++) {
                get_complex(dtype, keep->data + (i * n + k) * item, &ar, &ai);
                get_complex(dtype, x->data + (k * m + j) * item, &xr, &xi);
                sr += ar * xr - ai * xi;
                si += ar * xi + ai * xr;
                get_complex(dtype, a->data + (i * n + k) * item, &ar, &ai);
                get_complex(dtype, right->data + (k * m + j) * item, &br, &bi);
                ir += ar * br - ai * bi;
                ii += ar * bi + ai * br;
            }
            get_complex(dtype, right->data + (i * m + j) * item, &br, &bi);
            get_complex(dtype, x->data + (i * m + j) * item, &xr, &xi);
            cr_assert(fabs(sr - br) < close && fabs(si - bi) < close);
            cr_assert(fabs(ir - xr) < close && fabs(ii - xi) < close);
        }
    memset(a->data, 0, (size_t)(n * n * item));
    cr_assert(l->inv(b.device, dtype, 1, n, a, &info));
    cr_assert_eq(info, 1, "the first pivot is zero");
    gx_buffer_drop(a);
    gx_buffer_drop(x);
    gx_buffer_drop(keep);
    gx_buffer_drop(right);
    bench_close(&b);
}

Test(cpu_linalg, solve_and_inv) {
    static const gx_dtype dtypes[] = {GX_f32, GX_f64, GX_c64, GX_c128};
    for (int own = 0; own < 2; own++) {
        if (own) setenv("GX_OPENBLAS", "none", 1);
        for (int i = 0; i < 4; i++) {
            check_linalg(dtypes[i], 3, 1);
            check_linalg(dtypes[i], 20, 7);
            check_linalg(dtypes[i], 65, 66);
        }
    }
}

Test(cpu_linalg, lu_pivots_are_row_swaps) {
    for (int own = 0; own < 2; own++) {
        if (own) setenv("GX_OPENBLAS", "none", 1);
        bench b = bench_open(0, 1);
        enum { N = 12 };
        gx_buffer *a = new_buffer(&b, N * N * 8);
        double *x = (double *)(void *)a->data, was[N * N];
        uint64_t seed = 4;
        for (int i = 0; i < N * N; i++) was[i] = x[i] = (double)(next_random(&seed) % 100);
        int64_t pivots[N], info;
        cr_assert(gx_cpu_backend.linalg->lu(b.device, GX_f64, 1, N, a, pivots, &info));
        cr_assert_eq(info, 0);
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++) {
                double t = was[k * N + j];
                was[k * N + j] = was[pivots[k] * N + j];
                was[pivots[k] * N + j] = t;
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0;
                for (int k = 0; k <= (i < j ? i : j); k++)
                    s += (k == i ? 1 : x[i * N + k]) * x[k * N + j];
                cr_assert_float_eq(s, was[i * N + j], 1e-9);
            }
        gx_buffer_drop(a);
        bench_close(&b);
    }
}
