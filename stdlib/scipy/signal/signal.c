/* scipy.signal beside filters: convolution in any number of axes, detrend.
   Told in terms of numpy's functions; the time axis is moved to the end. */
#include <string.h>

#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"

extern const gx_native gx_sp_signal_functions[];

/* --- convolution --- */

/* 'f'ull, 's'ame or 'v'alid. */
static bool mode_arg(gx_call *c, int i, char *out) {
    const char *text;
    size_t length;
    if (!gx_arg_str(c, i, &text, &length)) return false;
    if (strcmp(text, "full") != 0 && strcmp(text, "same") != 0 && strcmp(text, "valid") != 0)
        return gx_fail(c->rt, GX_ValueError, "convolve.mode",
                       "acceptable mode flags are 'valid', 'same', or 'full', not '%s'", text);
    *out = text[0];
    return true;
}

static bool method_arg(gx_call *c, char *how) {
    const char *text;
    size_t length;
    if (!gx_arg_str(c, 3, &text, &length)) return false;
    *how = text[0];
    return strcmp(text, "auto") == 0 || strcmp(text, "direct") == 0 || strcmp(text, "fft") == 0 ||
           gx_fail(c->rt, GX_ValueError, "convolve.method",
                   "Acceptable method flags are 'auto', 'direct', or 'fft', not '%s'", text);
}

/* As it is defined: the larger array once for each number of the smaller one. */
static gx_array *direct(gx_np *s, gx_array *a, gx_array *b, const int64_t *shape) {
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)b->dtype);
    if (a->count < b->count) {
        gx_array *t = a;
        a = b;
        b = t;
    }
    a = gx_np_cast(s, a, d);
    b = gx_np_contiguous(s, gx_np_cast(s, b, d));
    gx_array *flat = gx_np_flat(s, b),
             *r = gx_np_copy(s, gx_np_zeros(s, d, a ? a->ndim : 0, shape), 'C');
    if (!a || !flat || !r) return NULL;
    for (int64_t i = 0; i < flat->count; i++) {
        gx_np part = gx_np_begin_at(s->rt, s->ns); /* what one step needs goes with it */
        int64_t at = i;
        gx_array *to = r;
        for (int k = a->ndim - 1; to && k >= 0; k--) {
            to = gx_np_slice(&part, to, k, at % gx_shape(b)[k], 1, gx_shape(a)[k]);
            at /= gx_shape(b)[k];
        }
        gx_array *sum = gx_np_op2(&part, GX_OP_multiply, a, gx_np_at(&part, flat, 0, i));
        sum = to ? gx_np_op2(&part, d == GX_bool ? GX_OP_logical_or : GX_OP_add, to, sum) : NULL;
        bool ok = sum && gx_array_store(s->rt, to, sum) && gx_interrupt_check(s->rt);
        if (!gx_np_end(&part, ok)) return NULL;
    }
    return r;
}

static gx_array *by_fft(gx_np *s, gx_call *c, gx_array *a, gx_array *b) {
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)b->dtype);
    if (!gx_np_is_float(d)) d = GX_f64;
    a = gx_np_cast(s, a, d);
    b = gx_np_cast(s, b, d);
    if (!a || !b) return NULL;
    const gx_value argv[2] = {gx_np_value(a), gx_np_value(b)};
    gx_value r;
    return gx_library_pass(c, "scipy.filters", gx_library_text_scipy_filters, "fftconvolve", 2,
                           argv, &r) &&
                   gx_np_hold(s, r)
               ? gx_np_cast(s, gx_np_arr(s, r), d)
               : NULL;
}

static gx_array *part_of(gx_np *s, gx_array *r, const gx_array *a, const gx_array *b, char mode) {
    for (int k = 0; r && mode != 'f' && k < r->ndim; k++) {
        int64_t n = gx_shape(a)[k], m = gx_shape(b)[k], most = n > m ? n : m, least = n + m - most;
        int64_t first = mode == 'v' ? least - 1 : (m - 1) / 2;
        r = gx_np_slice(s, r, k, first, 1, mode == 'v' ? most - least + 1 : n);
    }
    return mode == 'f' ? r : gx_np_copy(s, r, 'C');
}

/* All of a may lie inside b, or the other way round, but not one axis of each. */
static bool valid_fits(gx_rt *rt, const gx_array *a, const gx_array *b) {
    bool more = false, less = false;
    for (int k = 0; k < a->ndim; k++) {
        more = more || gx_shape(a)[k] > gx_shape(b)[k];
        less = less || gx_shape(a)[k] < gx_shape(b)[k];
    }
    return !more || !less ||
           gx_fail(
               rt, GX_ValueError, "convolve.valid",
               "For 'valid' mode, one must be at least as large as the other in every dimension");
}

enum { FEW = 300 }; /* numbers of the smaller array that are not worth a transform */

static bool convolution(gx_call *c, bool turn, gx_value *out) {
    gx_np s = gx_np_begin(c);
    char how = 'd';
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]), *r;
    int64_t shape[GX_MAX_DIMS];
    char mode = 'f';
    if (!a || !b) return gx_np_end(&s, false);
    const bool numbers = a->ndim == 0 && b->ndim == 0; /* their product, whatever the options */
    if (!numbers && !(mode_arg(c, 2, &mode) && method_arg(c, &how))) return gx_np_end(&s, false);
    if (a->ndim != b->ndim)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "convolve.dims",
                                     "in1 and in2 should have the same dimensionality, not %d and "
                                     "%d",
                                     a->ndim, b->ndim));
    if (mode == 'v' && !valid_fits(c->rt, a, b)) return gx_np_end(&s, false);
    const gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)b->dtype);
    if (a->ndim > 1 && how != 'f' && (gx_is_half(d) || d == GX_bool))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "convolve.half",
                                     "%s takes no %s of several axes; use %s", c->fn->name,
                                     gx_dtypes[d].name, d == GX_bool ? "int8" : "float32"));
    if (!a->count || !b->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "convolve.empty",
                                     "%s needs arrays that are not empty", c->fn->name));
    if (turn && gx_dtype_kind(b->dtype) == GX_KIND_CPLX) b = gx_np_op1(&s, GX_OP_conjugate, b);
    for (int k = 0; b && k < a->ndim; k++) {
        int64_t m = gx_shape(b)[k];
        if (turn) b = gx_np_slice(&s, b, k, m - 1, -1, m);
        shape[k] = gx_shape(a)[k] + m - 1;
    }
    if (!b) return gx_np_end(&s, false);
    bool real = gx_np_is_float(a->dtype) || gx_np_is_float(b->dtype);
    int64_t least = a->count < b->count ? a->count : b->count;
    bool fast = how == 'f' || (how == 'a' && real && least > FEW);
    r = fast && a->ndim ? by_fft(&s, c, a, b) : direct(&s, a, b, shape);
    if (r && r->dtype != d) { /* transforms of integers */
        if (gx_dtype_kind(d) != GX_KIND_BOOL) r = gx_np_op1(&s, GX_OP_rint, r);
        r = gx_np_cast(&s, r, d);
    }
    if (!a->ndim) return gx_np_give(&s, r, out);
    return gx_np_give_array(&s, part_of(&s, r, a, b, mode), out);
}

static bool convolve_fn(gx_call *c, gx_value *out) {
    return convolution(c, false, out);
}
static bool correlate_fn(gx_call *c, gx_value *out) {
    return convolution(c, true, out);
}

/* --- along one axis --- */

static gx_array *signal_arg(gx_np *s, gx_call *c, int axis_at, int *axis) {
    gx_array *x = gx_np_arr(s, c->argv[0]);
    if (!x || !gx_np_axis_arg(c, axis_at, x->ndim ? x->ndim : 1, x->ndim ? x->ndim - 1 : 0, axis))
        return NULL;
    if (x->ndim == 0) {
        gx_fail(s->rt, GX_ValueError, "signal.dims", "%s needs a signal of at least one axis",
                c->fn->name);
        return NULL;
    }
    return gx_np_moveaxis(s, gx_np_is_float(x->dtype) ? x : gx_np_cast(s, x, GX_f64), *axis,
                          x->ndim - 1);
}

/* Along the last axis, whose numbers then have the mean 0, or no slope either. */
static gx_array *detrended(gx_np *s, gx_array *x, bool linear) {
    if (!x) return NULL;
    int last = x->ndim - 1;
    int64_t n = gx_shape(x)[last];
    uint64_t mask = UINT64_C(1) << last;
    x = gx_np_op2(s, GX_OP_subtract, x, gx_np_mean(s, x, mask, true, GX_NO_DTYPE, NULL));
    if (!linear || !x || n < 2) return x;
    gx_array *t = gx_np_op2(s, GX_OP_subtract, gx_np_cast(s, gx_np_iota(s, n), GX_f64),
                            gx_np_f64(s, ((double)n - 1) / 2));
    double square = (double)n * ((double)n * (double)n - 1) / 12;
    gx_array *slope =
        gx_np_reduce(s, GX_RED_sum, gx_np_op2(s, GX_OP_multiply, x, t), mask, true, GX_NO_DTYPE);
    slope = gx_np_op2(s, GX_OP_divide, slope, gx_np_f64(s, square));
    return gx_np_op2(s, GX_OP_subtract, x, gx_np_op2(s, GX_OP_multiply, slope, t));
}

/* A line is fitted to numbers, and to some. */
static bool is_finite(gx_np *s, gx_array *x) {
    if (!x->count)
        return gx_fail(s->rt, GX_ValueError, "detrend.empty", "no line fits an empty signal");
    gx_array *all = gx_np_reduce(s, GX_RED_all, gx_np_op1(s, GX_OP_isfinite, x), gx_np_all(x),
                                 false, GX_NO_DTYPE);
    const bool *yes = (const bool *)gx_np_data(s, all);
    return yes && (*yes || gx_fail(s->rt, GX_ValueError, "detrend.finite",
                                   "array must not contain infs or NaNs"));
}

/* Piece by piece: from each breakpoint to the next. */
static gx_array *in_pieces(gx_np *s, gx_array *x, gx_borrowed breaks) {
    gx_array *bp = gx_np_flat(s, gx_np_arr_as(s, breaks, GX_i64));
    bp = bp ? gx_np_call_arrays(s, "sort", 1, bp) : NULL;
    const int64_t *sorted = gx_np_data(s, bp);
    int64_t *at = sorted ? gx_np_room(s, bp->count + 1, sizeof *at) : NULL;
    if (!at) return NULL;
    memcpy(at, sorted, (size_t)bp->count * sizeof *at);
    const int last = x->ndim - 1;
    const int64_t n = gx_shape(x)[last];
    gx_array **part = gx_np_room(s, bp->count + 1, sizeof *part);
    if (!part) return NULL;
    int count = 0;
    int64_t from = 0;
    for (int64_t i = 0; i <= bp->count; i++) {
        const int64_t to = i < bp->count ? at[i] : n;
        if (to < 0 || to > n) {
            gx_fail(s->rt, GX_ValueError, "detrend.break",
                    "Breakpoints must be less than length of data along given axis.");
            return NULL;
        }
        if (to == from && n > 0) continue;
        gx_array *piece = gx_np_slice(s, x, last, from, 1, to - from);
        if (!piece || !(part[count++] = detrended(s, piece, true))) return NULL;
        from = to;
    }
    return count == 1 ? part[0] : gx_np_concat(s, count, part, last, GX_NO_DTYPE);
}

static bool detrend_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int axis;
    const char *type;
    size_t length;
    gx_array *x = signal_arg(&s, c, 1, &axis);
    if (!x || !gx_arg_str(c, 2, &type, &length)) return gx_np_end(&s, false);
    bool linear = strcmp(type, "linear") == 0 || strcmp(type, "l") == 0;
    if (!linear && strcmp(type, "constant") != 0 && strcmp(type, "c") != 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "detrend.type",
                                     "Trend type must be 'linear' or 'constant'."));
    gx_dtype d = (gx_dtype)x->dtype;
    if (linear && !is_finite(&s, x)) return gx_np_end(&s, false);
    if (linear && gx_is_half(d)) d = GX_f64;
    x = gx_np_cast(&s, x, d);
    x = gx_np_cast(&s, linear ? in_pieces(&s, x, c->argv[3]) : detrended(&s, x, false), d);
    if (linear && x) { /* the axis of the lines is the first in memory */
        x = gx_np_moveaxis(&s, x, x->ndim - 1, 0);
        x = x ? gx_np_contiguous(&s, x) : NULL;
        return gx_np_give_array(&s, x ? gx_np_moveaxis(&s, x, 0, axis) : NULL, out);
    }
    return gx_np_give_array(&s, x ? gx_np_moveaxis(&s, x, x->ndim - 1, axis) : NULL, out);
}

const gx_native gx_sp_signal_functions[] = {
    {"convolve", "convolve(in1, in2, mode='full', method='auto')",
     "The convolution of two arrays of the same number of axes.",
     "scipy.signal.convolve([1, 2], [1, 1, 1])  # [1 3 3 2]", convolve_fn, 0, 0},
    {"correlate", "correlate(in1, in2, mode='full', method='auto')",
     "The correlation of two arrays of the same number of axes.",
     "scipy.signal.correlate([1, 2, 3], [0, 1])  # [1 2 3 0]", correlate_fn, 0, 0},
    {"detrend", "detrend(data, axis=-1, type='linear', bp=0, overwrite_data=False)",
     "A signal without its linear trend, or without its mean.",
     "scipy.signal.detrend([1, 2, 4], type='constant').round(3)  # [-1.333 -0.333  1.667]",
     detrend_fn, 0, 0},
    {.name = NULL},
};
