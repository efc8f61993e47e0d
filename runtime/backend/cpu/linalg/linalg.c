/* Systems, inverses and LU factors of batches of square matrices: LAPACK out of OpenBLAS, or gx's
   own elimination with partial pivoting when there is none. LAPACK reads Fortran order, in which a
   C-contiguous matrix is its transpose: solve and lu transpose, inv need not. Whether a singular
   matrix is an error is the caller's business: info says which pivot was zero. */
#include "runtime/backend/cpu/linalg/lapack_int.h"

#include <math.h>
#include <string.h>

#define COMPLEX_ABS(x) (fabs((double)(x).re) + fabs((double)(x).im))
#define COMPLEX_MUL_SUB(to, x, y)                                                                  \
    ((to).re -= (x).re * (y).re - (x).im * (y).im, (to).im -= (x).re * (y).im + (x).im * (y).re)

/* x / y without overflow in between: by the larger part of y. */
static gx_c128 divide(gx_c128 x, gx_c128 y) {
    if (fabs(y.re) >= fabs(y.im)) {
        double r = y.im / y.re, d = y.re + y.im * r;
        return (gx_c128){(x.re + x.im * r) / d, (x.im - x.re * r) / d};
    }
    double r = y.re / y.im, d = y.re * r + y.im;
    return (gx_c128){(x.re * r + x.im) / d, (x.im * r - x.re) / d};
}

static gx_c64 divide32(gx_c64 x, gx_c64 y) {
    gx_c128 q = divide((gx_c128){x.re, x.im}, (gx_c128){y.re, y.im});
    return (gx_c64){(float)q.re, (float)q.im};
}

#define T float
#define NAME(verb) verb##_f32
#define ABS(x) fabsf(x)
#define MUL_SUB(to, x, y) ((to) -= (x) * (y))
#define DIV(to, x) ((to) /= (x))
#define CONJ(x) ((void)(x))
#include "runtime/backend/cpu/linalg/linalg_own.inc"

#define T double
#define NAME(verb) verb##_f64
#define ABS(x) fabs(x)
#define MUL_SUB(to, x, y) ((to) -= (x) * (y))
#define DIV(to, x) ((to) /= (x))
#define CONJ(x) ((void)(x))
#include "runtime/backend/cpu/linalg/linalg_own.inc"

#define T gx_c64
#define NAME(verb) verb##_c64
#define ABS(x) COMPLEX_ABS(x)
#define MUL_SUB(to, x, y) COMPLEX_MUL_SUB(to, x, y)
#define DIV(to, x) ((to) = divide32(to, x))
#define CONJ(x) ((x).im = -(x).im)
#include "runtime/backend/cpu/linalg/linalg_own.inc"

#define T gx_c128
#define NAME(verb) verb##_c128
#define ABS(x) COMPLEX_ABS(x)
#define MUL_SUB(to, x, y) COMPLEX_MUL_SUB(to, x, y)
#define DIV(to, x) ((to) = divide(to, x))
#define CONJ(x) ((x).im = -(x).im)
#include "runtime/backend/cpu/linalg/linalg_own.inc"

static int64_t own_factor(gx_dtype dtype, char *a, int64_t n, int64_t *pivot) {
    void *p = a;
    if (dtype == GX_f32) return factor_f32(p, n, pivot);
    if (dtype == GX_f64) return factor_f64(p, n, pivot);
    if (dtype == GX_c64) return factor_c64(p, n, pivot);
    return factor_c128(p, n, pivot);
}

static void own_substitute(gx_dtype dtype, const char *a, int64_t n, const int64_t *pivot, char *b,
                           int64_t m) {
    const void *p = a;
    void *q = b;
    if (dtype == GX_f32)
        substitute_f32(p, n, pivot, q, m);
    else if (dtype == GX_f64)
        substitute_f64(p, n, pivot, q, m);
    else if (dtype == GX_c64)
        substitute_c64(p, n, pivot, q, m);
    else
        substitute_c128(p, n, pivot, q, m);
}

/* Index of LAPACK's letter: s d c z. */
static int letter_of(gx_dtype dtype) {
    return dtype == GX_f32 ? 0 : dtype == GX_f64 ? 1 : dtype == GX_c64 ? 2 : 3;
}

static bool check(gx_device *device, gx_dtype dtype, int64_t n, int64_t m) {
    if (dtype != GX_f32 && dtype != GX_f64 && dtype != GX_c64 && dtype != GX_c128)
        return gx_fail(device->rt, GX_TypeError, "linalg.dtype",
                       "linear algebra takes float32, float64, complex64 or complex128, not %s",
                       gx_dtypes[dtype].name);
    if (n > 40000000 || m > INT32_MAX)
        return gx_fail(device->rt, GX_ValueError, "linalg.size",
                       "a matrix of this size is too large");
    return true;
}

static const gx_blas *lapack(gx_cpu *cpu, int64_t n) {
    /* Not worth opening a library for; nor asking one that is open: the answer of a call does not
       depend on the calls before it. */
    if (n <= 8) return NULL;
    const gx_blas *blas = gx_blas_open(cpu, n);
    return blas && blas->gesv[0] ? blas : NULL;
}

/* dst (cols, rows) = transpose of src (rows, cols), both C order. */
void gx_lapack_transpose(char *dst, const char *src, gx_cpu_unit unit, int64_t rows, int64_t cols) {
    int64_t item = unit.bytes;
    enum { TILE = 64 };
    for (int64_t i = 0; i < cols; i += TILE) {
        int64_t high = cols - i < TILE ? cols - i : TILE;
        gx_load_region(dst + i * rows * item, src + i * item, unit, high, rows, item, cols * item);
    }
}

static bool interrupted(gx_device *device) {
    return device->rt->interrupted != 0;
}

/* What the three functions work with: pivots of one matrix, and copies of a and b. */
typedef struct work {
    gx_buffer *pivot, *a, *b;
} work;

static void free_work(work *w) {
    gx_buffer_drop(w->pivot);
    gx_buffer_drop(w->a);
    gx_buffer_drop(w->b);
}

static bool new_work(gx_device *device, work *w, int64_t pivot, int64_t a, int64_t b) {
    *w = (work){NULL, NULL, NULL};
    if (gx_pool_alloc(device, pivot, &w->pivot) && gx_pool_alloc(device, a, &w->a) &&
        gx_pool_alloc(device, b, &w->b))
        return true;
    free_work(w);
    return false;
}

/* One matrix through LAPACK: solved with the columns of b (n, m), inverted, or factored. */
typedef struct one_call {
    const gx_blas *blas;
    int letter, n, m, room, code;
    char *a, *b, *space;
    int *pivot;
} one_call;

static void call_solve(void *args) {
    one_call *c = args;
    c->blas->gesv[c->letter](&c->n, &c->m, c->a, &c->n, c->pivot, c->b, &c->n, &c->code);
}

static void call_factor(void *args) {
    one_call *c = args;
    c->blas->getrf[c->letter](&c->n, &c->n, c->a, &c->n, c->pivot, &c->code);
}

/* The inverse of the transpose is the transpose of the inverse: in place as it lies. */
static void call_inverse(void *args) {
    one_call *c = args;
    call_factor(c);
    if (c->code == 0)
        c->blas->getri[c->letter](&c->n, c->a, &c->n, c->pivot, c->space, &c->room, &c->code);
}

/* Sets *info; a call that may take long can be left behind with the buffers. */
static bool call(gx_device *device, gx_leave_fn fn, one_call *c, gx_buffer *a, const work *w,
                 int64_t *info) {
    gx_buffer *held[4] = {a, w->a, w->b, w->pivot};
    if ((double)c->n * c->n * (c->n + c->m) < GX_LEAVE_WORK)
        fn(c);
    else if (!gx_leave_call(gx_cpu_of(device), fn, c, sizeof *c, held, 4))
        return false;
    *info = c->code > 0 ? c->code : 0;
    return true;
}

static bool solve(gx_device *device, gx_dtype dtype, int64_t batch, int64_t n, int64_t m,
                  gx_buffer *a, gx_buffer *b, int64_t *info) {
    if (!check(device, dtype, n, m)) return false;
    int item = gx_dtypes[dtype].bytes;
    const gx_blas *blas = lapack(gx_cpu_of(device), n);
    work w;
    if (!new_work(device, &w, n * 8, n * n * item, n * m * item)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < batch; i++) {
        char *ai = a->data + i * n * n * item, *bi = b->data + i * n * m * item;
        info[i] = 0;
        if (n == 0) continue;
        if (blas) {
            one_call c = {.blas = blas, .letter = letter_of(dtype), .n = (int)n, .m = (int)m,
                          .a = w.a->data, .b = w.b->data, .pivot = (int *)(void *)w.pivot->data};
            gx_lapack_transpose(w.a->data, ai, gx_unit_of(dtype), n, n);
            gx_lapack_transpose(w.b->data, bi, gx_unit_of(dtype), n, m);
            ok = call(device, call_solve, &c, NULL, &w, &info[i]);
            if (ok) gx_lapack_transpose(bi, w.b->data, gx_unit_of(dtype), m, n);
        } else {
            int64_t *pivot = (int64_t *)(void *)w.pivot->data;
            info[i] = own_factor(dtype, ai, n, pivot);
            if (info[i] == 0) own_substitute(dtype, ai, n, pivot, bi, m);
        }
        if (ok && interrupted(device)) ok = gx_run_interrupted(device->rt);
    }
    free_work(&w);
    return ok;
}

static void set_identity(gx_dtype dtype, char *a, int64_t n) {
    int item = gx_dtypes[dtype].bytes;
    gx_scalar one = {.bits = {0, 0}};
    if (dtype == GX_f32 || dtype == GX_c64)
        one.f32 = 1;
    else
        one.f64 = 1;
    memset(a, 0, (size_t)(n * n * item));
    for (int64_t i = 0; i < n; i++) memcpy(a + i * (n + 1) * item, &one, (size_t)item);
}

static bool inv(gx_device *device, gx_dtype dtype, int64_t batch, int64_t n, gx_buffer *a,
                int64_t *info) {
    if (!check(device, dtype, n, n)) return false;
    int item = gx_dtypes[dtype].bytes;
    const gx_blas *blas = lapack(gx_cpu_of(device), n);
    int64_t space = blas ? (n < 1 ? 1 : n) * 64 * item : n * n * item;
    work w;
    if (!new_work(device, &w, n * 8, space, 0)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < batch; i++) {
        char *ai = a->data + i * n * n * item;
        info[i] = 0;
        if (n == 0) continue;
        if (blas) {
            one_call c = {.blas = blas, .letter = letter_of(dtype), .n = (int)n, .a = ai,
                          .room = (int)(w.a->bytes / item), .space = w.a->data,
                          .pivot = (int *)(void *)w.pivot->data};
            ok = call(device, call_inverse, &c, a, &w, &info[i]);
        } else {
            int64_t *pivot = (int64_t *)(void *)w.pivot->data;
            info[i] = own_factor(dtype, ai, n, pivot);
            if (info[i] == 0) {
                set_identity(dtype, w.a->data, n);
                own_substitute(dtype, ai, n, pivot, w.a->data, n);
                memcpy(ai, w.a->data, (size_t)(n * n * item));
            }
        }
        if (ok && interrupted(device)) ok = gx_run_interrupted(device->rt);
    }
    free_work(&w);
    return ok;
}

static bool lu(gx_device *device, gx_dtype dtype, int64_t batch, int64_t n, gx_buffer *a,
               int64_t *pivots, int64_t *info) {
    if (!check(device, dtype, n, n)) return false;
    int item = gx_dtypes[dtype].bytes;
    const gx_blas *blas = lapack(gx_cpu_of(device), n);
    work w;
    if (!new_work(device, &w, n * 8, n * n * item, 0)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < batch; i++) {
        char *ai = a->data + i * n * n * item;
        int64_t *pivot = pivots + i * n;
        info[i] = 0;
        if (n == 0) continue;
        if (blas) {
            one_call c = {.blas = blas, .letter = letter_of(dtype), .n = (int)n, .a = w.a->data,
                          .pivot = (int *)(void *)w.pivot->data};
            gx_lapack_transpose(w.a->data, ai, gx_unit_of(dtype), n, n);
            ok = call(device, call_factor, &c, NULL, &w, &info[i]);
            if (ok) gx_lapack_transpose(ai, w.a->data, gx_unit_of(dtype), n, n);
            for (int64_t k = 0; ok && k < n; k++) pivot[k] = c.pivot[k] - 1;
        } else {
            info[i] = own_factor(dtype, ai, n, pivot);
        }
        if (ok && interrupted(device)) ok = gx_run_interrupted(device->rt);
    }
    free_work(&w);
    return ok;
}

typedef void trsm(const char *side, const char *uplo, const char *trans, const char *diag,
                  const int *m, const int *n, const void *alpha, const void *a, const int *lda,
                  void *b, const int *ldb, size_t, size_t, size_t, size_t);

typedef struct triangle_call {
    trsm *fn;
    gx_triangle job;
    const char *a;
    char *b;
} triangle_call;

/* By rows t x = b is, down columns, the transposes: x t' = b. */
static void call_triangle(void *args) {
    static const double one[2] = {1, 0};
    static const float one_f[2] = {1, 0};
    const triangle_call *c = args;
    const gx_triangle *t = &c->job;
    const int n = (int)t->n, m = (int)t->m;
    const bool narrow = t->dtype == GX_f32 || t->dtype == GX_c64;
    c->fn("R", t->lower ? "U" : "L", t->transposed == 0 ? "N" : t->transposed == 1 ? "T" : "C",
          t->unit ? "U" : "N", &m, &n, narrow ? (const void *)one_f : one, c->a, &n, c->b, &m, 1, 1,
          1, 1);
}

static void own_triangle(const triangle_call *c) {
    const void *a = c->a;
    void *b = c->b;
    switch (c->job.dtype) {
    case GX_f32: triangle_f32(a, &c->job, b); return;
    case GX_f64: triangle_f64(a, &c->job, b); return;
    case GX_c64: triangle_c64(a, &c->job, b); return;
    default: triangle_c128(a, &c->job, b); return;
    }
}

static bool triangle(gx_device *device, const gx_triangle *t) {
    static const char *const names[] = {"strsm_", "dtrsm_", "ctrsm_", "ztrsm_"};
    const gx_dtype d = (gx_dtype)t->dtype;
    if (!check(device, d, t->n, t->m)) return false;
    if (t->n == 0 || t->m == 0) return true;
    const gx_blas *blas = lapack(gx_cpu_of(device), t->n);
    triangle_call c = {.job = *t, .a = t->a->data + t->a_at, .b = t->b->data,
                       .fn = blas ? (trsm *)gx_blas_find(blas, names[letter_of(d)]) : NULL};
    gx_buffer *held[2] = {(gx_buffer *)(uintptr_t)t->a, t->b};
    if (!c.fn) own_triangle(&c);
    else if ((double)t->n * (double)t->n * (double)t->m < GX_LEAVE_WORK) call_triangle(&c);
    else return gx_leave_call(gx_cpu_of(device), call_triangle, &c, sizeof c, held, 2);
    return true;
}

static bool takes_any(gx_device *device, const gx_decomp *d) {
    (void)device;
    (void)d;
    return true;
}

static bool takes_any_system(gx_dtype d, int64_t batch, int64_t n) {
    (void)d;
    (void)batch;
    (void)n;
    return true;
}

const gx_linalg gx_cpu_linalg = {
    .solve = solve,
    .inv = inv,
    .lu = lu,
    .triangle = triangle,
    .decompose = gx_lapack_decompose,
    .takes = takes_any,
    .takes_system = takes_any_system,
};
