/* numpy.fft's helpers: the frequencies of the results, and shifts that put frequency zero in the
   middle. Transforms nothing. */
#include "runtime/op/whole.h"
#include "stdlib/fft/fft_int.h"

static bool freq(gx_call *c, bool half, gx_value *out) {
    int64_t n;
    double d;
    gx_try is = gx_as_index(c->rt, c->argv[0], &n);
    if (is == GX_TRY_NO)
        return gx_fail(c->rt, GX_ValueError, "fft.length", "n should be an integer");
    if (is == GX_TRY_ERROR || !gx_arg_float(c, 1, &d) || !gx_np_device_arg(c, 2)) return false;
    if ((double)n * d == 0)
        return gx_fail(c->rt, GX_ZeroDivisionError, "fft.length", "float division by zero");
    if (n < 0 && !half)
        return gx_fail(c->rt, GX_ValueError, "fft.length", "negative dimensions are not allowed");
    gx_np s = gx_np_begin(c);
    int64_t count = !half ? n : n < 0 ? 0 : n / 2 + 1;
    gx_array *i = gx_np_iota(&s, count);
    if (!half)
        i = gx_np_op3(&s, GX_OP_where,
                      gx_np_op2(&s, GX_OP_greater_equal, i, gx_np_i64(&s, (n + 1) / 2)),
                      gx_np_op2(&s, GX_OP_subtract, i, gx_np_i64(&s, n)), i);
    gx_array *scale = gx_np_f64(&s, 1.0 / ((double)n * d));
    return gx_np_give_array(&s, gx_np_op2(&s, GX_OP_multiply, i, scale), out);
}

bool gx_fft_fftfreq_fn(gx_call *c, gx_value *out) {
    return freq(c, false, out);
}
bool gx_fft_rfftfreq_fn(gx_call *c, gx_value *out) {
    return freq(c, true, out);
}

enum { TOGETHER = 4 }; /* axes that are shifted at once, in 2^4 blocks */

/* The blocks of a, each to its place in a new array: those with bit k of `block` set have the end
   of the k-th axis come first. */
static gx_array *shifted(gx_np *s, gx_array *a, int count, const int *axes, bool back) {
    gx_array *r = gx_np_empty_near(s, a, (gx_dtype)a->dtype, a->ndim, gx_shape(a));
    for (int block = 0; r && block < 1 << count; block++) {
        gx_array *from = a, *to = r;
        for (int k = 0; k < count; k++) {
            int64_t n = gx_shape(a)[axes[k]], cut = back ? n / 2 : n - n / 2;
            bool end = block >> k & 1;
            int64_t size = end ? n - cut : cut;
            from = gx_np_slice(s, from, axes[k], end ? cut : 0, 1, size);
            to = gx_np_slice(s, to, axes[k], end ? 0 : n - cut, 1, size);
        }
        if (!from || !to || !gx_array_store(s->rt, to, from)) return NULL;
    }
    return r;
}

/* The axes to shift along. Those that are named again are shifted here. */
static bool axes_once(gx_np *s, gx_borrowed v, gx_array **a, bool back, uint64_t *mask) {
    int n, axes[GX_MAX_DIMS];
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return gx_axes(s->rt, v, (*a)->ndim, mask);
    if (!gx_axis_list(s->rt, v, (*a)->ndim, true, &n, axes)) return false;
    for (int i = 0; i < n; i++) {
        const uint64_t one = UINT64_C(1) << axes[i];
        if (*mask & one && gx_shape(*a)[axes[i]] > 1 && !(*a = shifted(s, *a, 1, &axes[i], back)))
            return false;
        *mask |= one;
    }
    return true;
}

static bool shift(gx_call *c, bool back, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask = 0;
    const gx_array *given = a;
    if (a && a->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "fft.dims",
                                     "%s: a number has nothing to shift", c->fn->name));
    if (!a || !axes_once(&s, c->argv[1], &a, back, &mask)) return gx_np_end(&s, false);
    int axes[TOGETHER], count = 0;
    for (int i = 0, ndim = a->ndim; a && i < ndim; i++) {
        if (mask >> i & 1 && gx_shape(a)[i] > 1) axes[count++] = i;
        if (count == 0 || (count < TOGETHER && i < ndim - 1)) continue;
        a = shifted(&s, a, count, axes, back);
        count = 0;
    }
    if (a && a == given) a = gx_np_copy(&s, a, 'K'); /* nothing was shifted */
    return gx_np_give_array(&s, a ? gx_np_laid_as(&s, a, given) : NULL, out);
}

bool gx_fft_fftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, false, out);
}
bool gx_fft_ifftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, true, out);
}
