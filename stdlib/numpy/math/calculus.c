/* Numbers between samples: interp. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_calculus_functions[];

/* --- interp --- */

/* The last position whose xp is not above x: -1 … n - 1. */
static int64_t place_of(const double *xp, int64_t n, double x) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (xp[mid] <= x)
            low = mid + 1;
        else
            high = mid;
    }
    return low - 1;
}

/* Between points j and j + 1. */
static double between(const double *xp, const double *fp, int64_t step, int64_t j, double x) {
    double f0 = fp[j * step], f1 = fp[(j + 1) * step];
    double slope = (f1 - f0) / (xp[j + 1] - xp[j]);
    double r = slope * (x - xp[j]) + f0;
    if (r == r) return r;
    r = slope * (x - xp[j + 1]) + f1;
    return r != r && f0 == f1 ? f0 : r;
}

/* One part (of `step` interleaved ones) of the values at x. */
static void interpolate(const gx_rt *rt, const double *x, int64_t count, const double *xp,
                        int64_t n, const double *fp, int64_t step, double left, double right,
                        double *out) {
    GX_LONG_LOOP(rt, i, 0, count) {
        double v = x[i];
        int64_t j = v == v ? place_of(xp, n, v) : 0;
        if (v != v)
            out[i * step] = v;
        else if (j < 0)
            out[i * step] = left;
        else if (j == n - 1)
            out[i * step] = v > xp[j] ? right : fp[j * step];
        else if (xp[j] == v)
            out[i * step] = fp[j * step];
        else
            out[i * step] = between(xp, fp, step, j, v);
    }
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
     "Values between points, on straight lines.", "interp(2.5, [1, 2, 3], [3, 2, 0])  # 1.0",
     interp_fn, 0, 0},
    {.name = NULL},
};
