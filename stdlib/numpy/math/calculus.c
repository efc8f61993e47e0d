/* Numbers between samples: interp. */
#include <math.h>
#include <string.h>

#include "kernels/each_side.h"
#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/numpy/base/call.h"

#include "stdlib/numpy/math/lines_real.h"
#include "stdlib/numpy/math/math_text_int.h"

extern const gx_native gx_np_calculus_functions[];

static const char *const texts[] = {gx_math_text_lines_real, NULL};
const gx_each_function gx_interp_function = {NULL, "interp_at", texts, interp_at};
const gx_each_function gx_convolve_function = {NULL, "convolved_at", texts, convolved_at};

/* --- interp --- */

/* One part (of `step` interleaved ones) of the values at x. */
static void interpolate(const gx_rt *rt, const double *x, int64_t count, const double *xp,
                        int64_t n, const double *fp, int64_t step, double left, double right,
                        double *out) {
    GX_LONG_LOOP(rt, i, 0, count)
        out[i * step] = value_at(xp, n, fp, step, left, right, x[i]);
}

/* x and xp within one period, with a point before and behind. */
static bool make_periodic(gx_np *s, double period, gx_array **x, gx_array **xp, gx_array **fp) {
    if (period == 0)
        return gx_fail(s->rt, GX_ValueError, "interp.period", "period must be a non-zero value");
    gx_array *p = gx_np_f64(s, fabs(period));
    *x = gx_np_op2(s, GX_OP_remainder, *x, p);
    *xp = gx_np_op2(s, GX_OP_remainder, *xp, p);
    gx_array *order = gx_np_call_arrays(s, "argsort", 1, *xp);
    *xp = gx_np_take(s, *xp, order, 0);
    *fp = gx_np_take(s, *fp, order, 0);
    if (!*x || !*xp || !*fp) return false;
    int64_t n = (*xp)->count;
    gx_array *const places[3] = {
        gx_np_op2(s, GX_OP_subtract, gx_np_slice(s, *xp, 0, n - 1, 1, 1), p), *xp,
        gx_np_op2(s, GX_OP_add, gx_np_slice(s, *xp, 0, 0, 1, 1), p)};
    gx_array *const values[3] = {gx_np_slice(s, *fp, 0, n - 1, 1, 1), *fp,
                                 gx_np_slice(s, *fp, 0, 0, 1, 1)};
    *xp = gx_np_concat(s, 3, places, 0, GX_NO_DTYPE);
    *fp = gx_np_concat(s, 3, values, 0, GX_NO_DTYPE);
    return *xp && *fp;
}

/* The values beyond the ends: given, or those at the ends. */
static bool ends_of(gx_call *c, bool cplx, const double *fp, int64_t n, double ends[2][2]) {
    for (int e = 0; e < 2; e++) {
        const double *at = fp + (e ? n - 1 : 0) * (cplx ? 2 : 1);
        ends[e][0] = at[0];
        ends[e][1] = cplx ? at[1] : 0;
        if (!gx_arg_some(c, 3 + e) || gx_arg_some(c, 5)) continue;
        gx_try is = gx_as_complex(c->rt, c->argv[3 + e], &ends[e][0], &ends[e][1]);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) return gx_arg_wrong(c, 3 + e, "a number");
    }
    return true;
}

/* The value beyond an end as an array of one element. */
static gx_array *end_of(gx_np *s, gx_call *c, int e, gx_array *fp) {
    double x;
    if (!gx_arg_some(c, 3 + e) || gx_arg_some(c, 5))
        return gx_np_slice(s, fp, 0, e ? fp->count - 1 : 0, 1, 1);
    return gx_arg_float(c, 3 + e, &x) ? gx_np_flat(s, gx_np_f64(s, x)) : NULL;
}

/* Of contiguous float64 arrays that are on a GPU. */
static gx_array *interp_there(gx_np *s, gx_call *c, gx_array *x, gx_array *xp, gx_array *fp) {
    gx_array *ends[2], *r;
    for (int e = 0; e < 2; e++)
        if (!(ends[e] = end_of(s, c, e, fp))) return NULL;
    gx_array *const lines[3] = {xp, fp,
                                gx_np_contiguous(s, gx_np_concat(s, 2, ends, 0, GX_NO_DTYPE))};
    if (!lines[2] ||
        !gx_array_look(s->rt, &gx_interp_function, x, 3, lines, x->ndim, gx_shape(x), &r))
        return NULL;
    return gx_np_own(s, r);
}

static bool check_points(gx_rt *rt, const gx_array *xp, const gx_array *fp) {
    if (xp->ndim != 1 || fp->ndim != 1)
        return gx_fail(rt, GX_ValueError, "interp.dims", "Data points must be 1-D sequences");
    if (xp->count != fp->count)
        return gx_fail(rt, GX_ValueError, "interp.length", "fp and xp are not of the same length.");
    return xp->count ||
           gx_fail(rt, GX_ValueError, "interp.empty", "array of sample points is empty");
}

static bool interp_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]), *xp = gx_np_arr(&s, c->argv[1]);
    gx_array *fp = gx_np_arr(&s, c->argv[2]);
    double period = 0, ends[2][2];
    if (!x || !xp || !fp || !check_points(c->rt, xp, fp)) return gx_np_end(&s, false);
    const gx_dtype complex = gx_dtype_kind(x->dtype) == GX_KIND_CPLX ? (gx_dtype)x->dtype
                                                                     : (gx_dtype)xp->dtype;
    if (gx_dtype_kind(complex) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.cast",
                                     "Cannot cast array data from dtype('%s') to dtype('float64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[complex].name));
    x = gx_np_cast(&s, x, GX_f64);
    xp = gx_np_cast(&s, xp, GX_f64);
    if (!x || !xp) return gx_np_end(&s, false);
    bool cplx = gx_dtype_kind(fp->dtype) == GX_KIND_CPLX;
    fp = gx_np_cast(&s, fp, cplx ? GX_c128 : GX_f64);
    if (gx_arg_some(c, 5) &&
        (!gx_arg_float(c, 5, &period) || !make_periodic(&s, period, &x, &xp, &fp)))
        return gx_np_end(&s, false);
    x = gx_np_contiguous(&s, x);
    xp = gx_np_contiguous(&s, xp);
    fp = gx_np_contiguous(&s, fp);
    if (!x || !xp || !fp) return gx_np_end(&s, false);
    if (!cplx && gx_array_looks(c->rt, &gx_interp_function, 3, (gx_array *[]){x, xp, fp}))
        return gx_np_give(&s, interp_there(&s, c, x, xp, fp), out);
    const double *at = gx_np_data(&s, x), *places = gx_np_data(&s, xp);
    const double *values = gx_np_data(&s, fp);
    if (!at || !places || !values || !ends_of(c, cplx, values, xp->count, ends))
        return gx_np_end(&s, false);
    gx_array *r = gx_np_empty(&s, cplx ? GX_c128 : GX_f64, x->ndim, gx_shape(x));
    double *to = gx_np_data_write(&s, r);
    if (!to) return gx_np_end(&s, false);
    for (int k = 0; k < (cplx ? 2 : 1); k++)
        interpolate(c->rt, at, x->count, places, xp->count, values + k, cplx ? 2 : 1, ends[0][k],
                    ends[1][k], to + k);
    return gx_np_give(&s, r, out);
}

const gx_native gx_np_calculus_functions[] = {
    {"interp", "interp(x, xp, fp, left=None, right=None, period=None)",
     "Linear interpolation at x between points (xp, fp); xp rises. Beyond the ends: left and "
     "right.",
     "interp(2.5, [1, 2, 3], [3, 2, 0])  # 1.0", interp_fn, 0, 0},
    {.name = NULL},
};
