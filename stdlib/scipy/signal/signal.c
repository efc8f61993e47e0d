/* scipy.signal's convolution in any number of axes, told in terms of numpy's functions. */
#include <string.h>

#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"

extern const gx_native gx_sp_signal_functions[];

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
    const char *wrong = "acceptable mode flags are 'valid', 'same', or 'full', not '%s'";
    if (!numbers && !(gx_np_convolve_mode(c, 2, wrong, &mode) && method_arg(c, &how)))
        return gx_np_end(&s, false);
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

const gx_native gx_sp_signal_functions[] = {
    {"convolve", "convolve(in1, in2, mode='full', method='auto')",
     "Convolution of two arrays with as many axes; mode: 'full', 'same' or 'valid'.",
     "scipy.signal.convolve([1, 2], [1, 1, 1])  # [1 3 3 2]", convolve_fn, 0, 0},
    {"correlate", "correlate(in1, in2, mode='full', method='auto')",
     "Cross-correlation of two arrays with as many axes; mode: 'full', 'same' or 'valid'.",
     "scipy.signal.correlate([1, 2, 3], [0, 1])  # [1 2 3 0]", correlate_fn, 0, 0},
    {.name = NULL},
};
