/* Sums along lines: convolve and correlate; i0. Convolution is done as it is defined, one shifted
   row after the other, in the dtype of the result. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_signal_functions[];

/* --- convolution --- */

#define MOST_THERE INT64_C(1000000000000) /* products that a kernel does in some seconds */

#define ROWS(T)                                                                                    \
    do {                                                                                           \
        const T *x = a, *y = v;                                                                    \
        T *restrict r = out;                                                                       \
        for (int64_t j = 0; j < m; j++) {                                                          \
            T by = y[j];                                                                           \
            GX_LONG_LOOP(rt, i, 0, n) r[i + j] += x[i] * by;                                       \
            if (!gx_interrupt_check(rt)) return false;                                             \
        }                                                                                          \
    } while (0)

static bool complex_rows(gx_rt *rt, const gx_c128 *x, int64_t n, const gx_c128 *y, int64_t m,
                         gx_c128 *r) {
    for (int64_t j = 0; j < m; j++) {
        gx_c128 by = y[j];
        GX_LONG_LOOP(rt, i, 0, n) {
            r[i + j].re += x[i].re * by.re - x[i].im * by.im;
            r[i + j].im += x[i].re * by.im + x[i].im * by.re;
        }
        if (!gx_interrupt_check(rt)) return false;
    }
    return true;
}

/* out, n + m - 1 zeros, becomes the convolution of n and m elements; m is the smaller. */
static bool convolve_rows(gx_rt *rt, gx_dtype d, const void *a, int64_t n, const void *v, int64_t m,
                          void *out) {
    if (d == GX_f32)
        ROWS(float);
    else if (d == GX_f64)
        ROWS(double);
    else if (d == GX_u64)
        ROWS(uint64_t);
    else
        return complex_rows(rt, a, n, v, m, out);
    return true;
}

/* The dtype that a convolution of elements of d is worked out in. */
static gx_dtype work_dtype(gx_dtype d) {
    if (gx_dtype_kind(d) == GX_KIND_CPLX) return GX_c128;
    if (gx_dtype_kind(d) == GX_KIND_FLOAT) return d == GX_f64 ? GX_f64 : GX_f32;
    return GX_u64;
}

/* Of lines on a GPU; the longer one is first. */
static gx_array *convolve_there(gx_np *s, gx_array *a, gx_array *v, gx_dtype d) {
    const int64_t total = a->count + v->count - 1;
    gx_array *const lines[2] = {gx_np_contiguous(s, gx_np_cast(s, a, GX_f64)),
                                gx_np_contiguous(s, gx_np_cast(s, v, GX_f64))};
    gx_array *r;
    if (!lines[0] || !lines[1] ||
        !gx_array_look(s->rt, &gx_convolve_function, NULL, 2, lines, 1, &total, &r))
        return NULL;
    return gx_np_cast(s, gx_np_own(s, r), d);
}

/* As the products of all windows of a, continued by zeros, with v backwards: integers, bools and
   complex numbers on a GPU. */
static gx_array *convolve_windows(gx_np *s, gx_array *a, gx_array *v, gx_dtype d) {
    const int64_t m = v->count, total = a->count + m - 1, ends = m - 1;
    const int64_t shape[2] = {total, m}, strides[2] = {gx_dtype_size(d), gx_dtype_size(d)};
    gx_array *zeros = gx_np_zeros(s, d, 1, &ends), *windows;
    gx_array *parts[3] = {zeros, gx_np_cast(s, a, d), zeros};
    gx_array *wide = zeros && parts[1] ? gx_np_concat(s, 3, parts, 0, d) : NULL;
    gx_array *back = gx_np_slice(s, gx_np_cast(s, v, d), 0, m - 1, -1, m);
    if (!wide || !back || !gx_array_ready(s->rt, wide) ||
        !gx_array_view(s->rt, wide, d, 2, shape, strides, wide->offset, &windows))
        return NULL;
    const bool bools = d == GX_bool;
    gx_array *products = gx_np_op2(s, bools ? GX_OP_logical_and : GX_OP_multiply,
                                   gx_np_own(s, windows), back);
    return gx_np_reduce(s, bools ? GX_RED_any : GX_RED_sum, products, 2, false, d);
}

/* The full convolution of two lines that are not empty. */
static gx_array *convolve(gx_np *s, gx_array *a, gx_array *v) {
    if (!a || !v) return NULL;
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)v->dtype), work = work_dtype(d);
    if (v->count > a->count) {
        gx_array *t = a;
        a = v;
        v = t;
    }
    int64_t n = a->count, m = v->count, total = n + m - 1;
    if (n <= MOST_THERE / m &&
        gx_array_looks(s->rt, &gx_convolve_function, 2, (gx_array *[]){a, v}))
        return gx_dtype_kind(d) == GX_KIND_FLOAT
                   ? convolve_there(s, a, v, d)
                   : gx_np_cast(s, convolve_windows(s, a, v, work == GX_c128 ? work : d), d);
    a = gx_np_contiguous(s, gx_np_cast(s, a, work));
    v = gx_np_contiguous(s, gx_np_cast(s, v, work));
    const void *x = gx_np_data(s, a), *y = gx_np_data(s, v);
    if (!x || !y) return NULL;
    gx_array *r = gx_np_empty(s, work, 1, &total);
    void *to = gx_np_data_write(s, r);
    if (!to) return NULL;
    memset(to, 0, (size_t)(total * gx_dtype_size(work)));
    return convolve_rows(s->rt, work, x, n, y, m, to) ? gx_np_cast(s, r, d) : NULL;
}

static bool mode_arg(gx_call *c, char *mode) {
    return gx_np_convolve_mode(c, 2, "mode must be one of 'valid', 'same', or 'full' (got '%s')",
                               mode);
}

/* The part of a full convolution that a mode keeps; swapped: counted from the other end. */
static gx_array *part_of(gx_np *s, gx_array *r, int64_t n, int64_t m, char mode, bool swapped) {
    if (!r || mode == 'f') return r;
    int64_t most = n > m ? n : m, least = n + m - most;
    int64_t start = mode == 'v' ? least - 1 : least - 1 - (least >> 1);
    int64_t count = mode == 'v' ? most - least + 1 : most;
    if (swapped) start = n + m - 1 - start - count;
    return gx_np_copy(s, gx_np_slice(s, r, 0, start, 1, count), 'C');
}

static bool line_args(gx_np *s, gx_call *c, gx_array **a, gx_array **v) {
    *a = gx_np_arr1(s, c->argv[0]);
    *v = gx_np_arr1(s, c->argv[1]);
    if (!*a || !*v) return false;
    bool plain = c->fn->name[3] == 'v';
    if ((*a)->ndim > 1 || (*v)->ndim > 1)
        return gx_fail(c->rt, GX_ValueError, "convolve.dims", "object too deep for desired array");
    if (!(*a)->count)
        return gx_fail(c->rt, GX_ValueError, "convolve.empty",
                       plain ? "a cannot be empty" : "first array argument cannot be empty");
    return (*v)->count ||
           gx_fail(c->rt, GX_ValueError, "convolve.empty",
                   plain ? "v cannot be empty" : "second array argument cannot be empty");
}

static bool convolve_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a, *v;
    char mode;
    if (!mode_arg(c, &mode) || !line_args(&s, c, &a, &v)) return gx_np_end(&s, false);
    gx_array *r = convolve(&s, a, v);
    return gx_np_give_array(&s, part_of(&s, r, a->count, v->count, mode, false), out);
}

static bool correlate_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a, *v;
    char mode;
    for (int i = 0; i < 2; i++)
        if (gx_np_is_number(c->argv[i]))
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "convolve.dims",
                                         "object of too small depth for desired array: correlate "
                                         "takes lines, not numbers"));
    if (!mode_arg(c, &mode) || !line_args(&s, c, &a, &v)) return gx_np_end(&s, false);
    gx_array *back = gx_np_slice(&s, v, 0, v->count - 1, -1, v->count);
    if (gx_dtype_kind(v->dtype) == GX_KIND_CPLX) back = gx_np_op1(&s, GX_OP_conjugate, back);
    gx_array *r = convolve(&s, a, back);
    return gx_np_give_array(&s, part_of(&s, r, a->count, v->count, mode, a->count < v->count), out);
}

static bool i0_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]);
    if (x && gx_dtype_kind(x->dtype) == GX_KIND_CPLX)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_TypeError, "i0.complex", "i0 not supported for complex values"));
    if (x && gx_dtype_kind(x->dtype) != GX_KIND_FLOAT) x = gx_np_cast(&s, x, GX_f64);
    gx_array *r = gx_np_op1(&s, GX_OP_i0, x);
    return gx_np_give_array(&s, r ? gx_np_cast(&s, r, (gx_dtype)x->dtype) : NULL, out);
}

const gx_native gx_np_signal_functions[] = {
    {"convolve", "convolve(a, v, mode='full')",
     "Discrete convolution of two 1-d arrays; mode: 'full', 'same' or 'valid'.",
     "convolve([1, 2, 3], [0, 1, 0.5])  # [0.  1.  2.5 4.  1.5]", convolve_fn, 0, 0},
    {"correlate", "correlate(a, v, mode='valid')",
     "Cross-correlation of two 1-d arrays; v is conjugated. mode: 'valid', 'same' or 'full'.",
     "correlate([1, 2, 3], [0, 1, 0.5])  # [3.5]", correlate_fn, 0, 0},
    {"i0", "i0(x)", "Modified Bessel function of the first kind, order 0.", "i0([0.0])  # [1.]",
     i0_fn, 0, 0},
    {.name = NULL},
};
