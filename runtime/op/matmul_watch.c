/* NumPy's warnings of products: overflow where finite numbers gave an infinite one, an invalid
   value where numbers gave nan. The library's threads keep their flags to themselves, so the result
   is looked at instead: only where it holds inf or nan are sums computed again, term by term, up to
   a bound on the work. The answer does not depend on threads or on the library. Products on a GPU
   and of integers are not looked at. */
#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "kernels/half.h"
#include "runtime/array/shape.h"
#include "runtime/object/warn.h"
#include "runtime/op/ufunc_int.h"

enum { MOST_TERMS = 1 << 17 };

typedef struct part {
    double re, im;
} part;

typedef struct watch {
    gx_dtype dtype;
    const gx_array *a, *b, *c; /* of one dtype, at least 2-D */
    const char *a_data, *b_data, *c_data;
    bool overflow, invalid;
    int64_t terms; /* that may still be looked at */
} watch;

/* --- one sum again --- */

static part load(gx_dtype d, const char *p) {
    float f[2];
    part x = {0, 0};
    if (gx_is_half(d)) {
        gx_half h;
        memcpy(&h, p, sizeof h);
        x.re = (double)gx_half_widen(gx_dtypes[d].fraction, h);
    } else if (d == GX_f32 || d == GX_c64) {
        memcpy(f, p, d == GX_f32 ? sizeof *f : sizeof f);
        x = (part){(double)f[0], d == GX_f32 ? 0 : (double)f[1]};
    } else {
        memcpy(&x, p, d == GX_f64 ? sizeof x.re : sizeof x);
    }
    return x;
}

/* What an operation of finite (or infinite) numbers made, in the dtype's precision. */
static double made(watch *w, double x, double y, double r) {
    if (w->dtype != GX_f64 && w->dtype != GX_c128) r = (double)(float)r;
    if (isinf(r) && isfinite(x) && isfinite(y)) w->overflow = true;
    if (isnan(r) && !isnan(x) && !isnan(y)) w->invalid = true;
    return r;
}

static double add_product(watch *w, double sum, double x, double y) {
    double p = made(w, x, y, x * y);
    return made(w, sum, p, sum + p);
}

/* The sum for the element of c at `found`, of k terms. */
static void again(watch *w, const char *a, int64_t a_step, const char *b, int64_t b_step, int64_t k,
                  part found) {
    bool complex = gx_dtype_kind(w->dtype) == GX_KIND_CPLX, clean = true;
    part sum = {0, 0};
    for (int64_t i = 0; i < k; i++, a += a_step, b += b_step) {
        part x = load(w->dtype, a), y = load(w->dtype, b);
        clean = clean && isfinite(x.re) && isfinite(x.im) && isfinite(y.re) && isfinite(y.im);
        sum.re = add_product(w, sum.re, x.re, y.re);
        if (!complex) continue;
        sum.re = add_product(w, sum.re, -x.im, y.im);
        sum.im = add_product(w, sum.im, x.re, y.im);
        sum.im = add_product(w, sum.im, x.im, y.re);
    }
    /* A half is too small for what its sum could hold, and another order of adding, or another way
       to multiply complex numbers, may have gone beyond the range. */
    if (!clean) return;
    if ((isinf(found.re) && isfinite(sum.re)) || (isinf(found.im) && isfinite(sum.im)))
        w->overflow = true;
    if ((isnan(found.re) && !isnan(sum.re)) || (isnan(found.im) && !isnan(sum.im)))
        w->invalid = true;
}

/* --- which sums --- */

/* All of (word & ones) + last, or-ed together. */
static uint64_t gather(const char *p, int64_t n, uint64_t ones, uint64_t last) {
    uint64_t met = 0, w;
    for (; n >= (int64_t)sizeof w; n -= (int64_t)sizeof w, p += sizeof w) {
        memcpy(&w, p, sizeof w);
        met |= (w & ones) + last;
    }
    w = 0;
    memcpy(&w, p, (size_t)n);
    return met | ((w & ones) + last);
}

static __attribute__((target("avx2"))) uint64_t gather_wide(const char *p, int64_t n, uint64_t ones,
                                                            uint64_t last) {
    const __m256i keep = _mm256_set1_epi64x((long long)ones);
    const __m256i more = _mm256_set1_epi64x((long long)last);
    __m256i a = _mm256_setzero_si256(), b = a;
    uint64_t lane[4];
    for (; n >= 64; n -= 64, p += 64) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        a = _mm256_or_si256(a, _mm256_add_epi64(_mm256_and_si256(v, keep), more));
        b = _mm256_or_si256(b, _mm256_add_epi64(_mm256_and_si256(w, keep), more));
    }
    a = _mm256_or_si256(a, b);
    memcpy(lane, &a, sizeof lane);
    return lane[0] | lane[1] | lane[2] | lane[3] | gather(p, n, ones, last);
}

/* Is an exponent all ones among n bytes of elements? Many bytes at a time: adding one to the
   exponent's last place reaches the sign's only from there, and carries no further. */
static bool has_odd(gx_dtype d, const char *p, int64_t n) {
    const bool half = gx_is_half(d), single = d == GX_f32 || d == GX_c64;
    const int fraction = gx_dtypes[d].fraction;
    const uint64_t each = half ? UINT64_C(0x0001000100010001) : UINT64_C(0x0000000100000001);
    const uint64_t ones = half     ? each * gx_half_infinity(fraction)
                          : single ? each * 0x7F800000
                                   : UINT64_C(0x7FF0000000000000);
    const uint64_t last = half     ? each << fraction
                          : single ? each * 0x00800000
                                   : UINT64_C(0x0010000000000000);
    const uint64_t sign = half ? each << 15 : single ? each << 31 : UINT64_C(1) << 63;
    const bool wide = n >= 256 && __builtin_cpu_supports("avx2");
    return ((wide ? gather_wide(p, n, ones, last) : gather(p, n, ones, last)) & sign) != 0;
}

/* Where matrix number `batch` of c begins in an array that was broadcast to c's batch. */
static int64_t start_of(const watch *w, const gx_array *x, int64_t batch) {
    int64_t at = 0;
    for (int i = w->c->ndim - 3; i >= 0; i--) {
        int64_t size = gx_shape(w->c)[i], index = batch % size;
        int d = i - (w->c->ndim - x->ndim);
        batch /= size;
        if (d >= 0 && gx_shape(x)[d] != 1) at += index * gx_strides(x)[d];
    }
    return at;
}

static void look_at_row(watch *w, int64_t row, const char *from) {
    const gx_array *a = w->a, *b = w->b, *c = w->c;
    const int64_t rows = gx_shape(c)[c->ndim - 2], columns = gx_shape(c)[c->ndim - 1];
    const int64_t k = gx_shape(a)[a->ndim - 1], item = gx_dtype_size(w->dtype);
    const int64_t batch = row / rows;
    const char *left = w->a_data + start_of(w, a, batch) + row % rows * gx_strides(a)[a->ndim - 2];
    const char *right = w->b_data + start_of(w, b, batch);
    for (int64_t j = 0; j < columns && w->terms > 0; j++) {
        const char *at = from + j * item;
        if ((w->overflow && w->invalid) || !has_odd(w->dtype, at, item)) continue;
        w->terms -= k + 1;
        again(w, left, gx_strides(a)[a->ndim - 1], right + j * gx_strides(b)[b->ndim - 1],
              gx_strides(b)[b->ndim - 2], k, load(w->dtype, at));
    }
}

/* Row by row, since a row that is in order is passed over fast. */
static void look(watch *w) {
    const int64_t columns = gx_shape(w->c)[w->c->ndim - 1];
    const int64_t bytes = columns * gx_dtype_size(w->dtype), rows = w->c->count / columns;
    for (int64_t i = 0; i < rows && w->terms > 0 && !(w->overflow && w->invalid); i++)
        if (has_odd(w->dtype, w->c_data + i * bytes, bytes))
            look_at_row(w, i, w->c_data + i * bytes);
}

GX_CHECK bool gx_matmul_watch(gx_rt *rt, const gx_array *a, const gx_array *b, const gx_array *c,
                              const char *name) {
    const int kind = gx_dtype_kind(c->dtype);
    if (c->count == 0 || (kind != GX_KIND_FLOAT && kind != GX_KIND_CPLX)) return true;
    watch w = {.dtype = (gx_dtype)c->dtype, .a = a, .b = b, .c = c, .terms = MOST_TERMS};
    if (!gx_array_read(rt, c, &w.c_data)) return false;
    if (!has_odd(w.dtype, w.c_data, c->count * gx_dtype_size(w.dtype))) return true;
    if (!gx_array_read(rt, a, &w.a_data) || !gx_array_read(rt, b, &w.b_data)) return false;
    look(&w);
    return gx_warn_met(rt, w.overflow, w.invalid, name);
}
