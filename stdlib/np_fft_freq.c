/* numpy.fft's helpers: the frequencies of the results, and shifts that put frequency zero in the
   middle. Transforms nothing. */
#include "stdlib/np_fft_int.h"

static bool freq(gx_call *c, bool half, gx_value *out) {
    int64_t n;
    double d;
    if (!gx_arg_int(c, 0, &n) || !gx_arg_float(c, 1, &d)) return false;
    if (n < 1) return gx_fail(c->rt, GX_ValueError, "fft.length", "n should be a positive integer");
    gx_np s = gx_np_begin(c);
    int64_t count = half ? n / 2 + 1 : n;
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

static bool shift(gx_call *c, bool back, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    if (!a || !gx_axes(c->rt, c->argv[1], a->ndim, &mask)) return gx_np_end(&s, false);
    for (int i = 0; a && i < a->ndim; i++) {
        int64_t n = gx_shape(a)[i], k = back ? n / 2 : n - n / 2;
        if (!(mask >> i & 1) || n < 2) continue;
        gx_array *parts[2] = {gx_np_slice(&s, a, i, k, 1, n - k), gx_np_slice(&s, a, i, 0, 1, k)};
        a = gx_np_concat(&s, 2, parts, i, (gx_dtype)a->dtype);
    }
    return gx_np_give_array(&s, a, out);
}

bool gx_fft_fftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, false, out);
}
bool gx_fft_ifftshift_fn(gx_call *c, gx_value *out) {
    return shift(c, true, out);
}
