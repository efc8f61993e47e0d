/* Numbers between samples: interp, trapezoid, gradient, ediff1d, unwrap. */
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
    gx_array *x = gx_np_arr(&s, c->argv[0]), *xp = gx_np_arr_as(&s, c->argv[1], GX_f64);
    gx_array *fp = gx_np_arr(&s, c->argv[2]);
    double period = 0, ends[2][2];
    if (!x || !xp || !fp || !check_points(c->rt, xp, fp)) return gx_np_end(&s, false);
    if (gx_dtype_kind(x->dtype) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.cast",
                                     "Cannot cast array data from dtype('%s') to dtype('float64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[x->dtype].name));
    x = gx_np_cast(&s, x, GX_f64);
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

/* --- trapezoid --- */

static gx_array *differences(gx_np *s, gx_array *a, int axis) {
    if (!a) return NULL;
    int64_t n = gx_shape(a)[axis];
    int64_t m = n > 0 ? n - 1 : 0;
    return gx_np_op2(s, GX_OP_subtract, gx_np_slice(s, a, axis, n ? 1 : 0, 1, m),
                     gx_np_slice(s, a, axis, 0, 1, m));
}

/* Is the axis (argument 3) counted from the end? */
static bool axis_from_end(gx_call *c, int64_t *out) {
    *out = -1;
    return !gx_arg_given(c, 3) || (gx_as_index(c->rt, c->argv[3], out) == GX_TRY_YES && *out < 0);
}

static bool trapezoid_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *y = gx_np_arr(&s, c->argv[0]), *d;
    int axis;
    int64_t from_end = -1;
    if (!y || !gx_np_axis_arg(c, 3, y->ndim, y->ndim - 1, &axis)) return gx_np_end(&s, false);
    if (y->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_AxisError, "axis.range",
                                     "axis -1 is out of bounds for array of dimension 0"));
    if (gx_arg_some(c, 1)) {
        gx_array *x = gx_np_arr(&s, c->argv[1]);
        if (x && x->ndim == 1) {
            d = differences(&s, x, 0);
            int64_t shape[GX_MAX_DIMS];
            for (int i = 0; i < y->ndim; i++) shape[i] = i == axis && d ? d->count : 1;
            d = gx_np_reshape(&s, d, y->ndim, shape);
        } else {
            int own = axis; /* counted from the end, the axis is x's own, and the product's */
            if (x && axis_from_end(c, &from_end)) own = x->ndim + (int)from_end;
            d = x && own >= 0 && own < x->ndim ? differences(&s, x, own) : x;
        }
    } else {
        double dx = 1;
        if (gx_is_array(c->argv[2]))
            d = gx_np_arr(&s, c->argv[2]);
        else if (!gx_arg_float(c, 2, &dx))
            return gx_np_end(&s, false);
        else
            d = gx_np_weak(&s, (gx_dtype)y->dtype, dx);
    }
    int64_t n = gx_shape(y)[axis], m = n > 0 ? n - 1 : 0;
    gx_array *sum = gx_np_op2(&s, GX_OP_add, gx_np_slice(&s, y, axis, n ? 1 : 0, 1, m),
                              gx_np_slice(&s, y, axis, 0, 1, m));
    gx_array *area = gx_np_op2(&s, GX_OP_multiply, d, sum);
    if (!area) return gx_np_end(&s, false);
    area = gx_np_op2(&s, GX_OP_divide, area, gx_np_weak_int(&s, (gx_dtype)area->dtype, 2));
    if (area && axis_from_end(c, &from_end)) axis = area->ndim + (int)from_end;
    return gx_np_give(
        &s, gx_np_reduce(&s, GX_RED_sum, area, UINT64_C(1) << axis, false, GX_NO_DTYPE), out);
}

/* --- ediff1d, unwrap --- */

static bool ediff1d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr1(&s, c->argv[0])), *parts[3];
    int n = 0;
    if (!a) return gx_np_end(&s, false);
    gx_dtype d = (gx_dtype)a->dtype;
    for (int k = 0; k < 3; k++) {
        int arg = k == 0 ? 2 : 1;
        if (k == 1) {
            parts[n++] = differences(&s, a, 0);
            continue;
        }
        if (!gx_arg_some(c, arg)) continue;
        gx_array *end = gx_np_flat(&s, gx_np_arr1(&s, c->argv[arg]));
        if (!end) return gx_np_end(&s, false);
        if (!gx_can_cast((gx_dtype)end->dtype, d, GX_CAST_SAME_KIND))
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "ediff1d.dtype",
                                         "dtype of `%s` must be compatible with input `ary` under "
                                         "the `same_kind` rule.",
                                         arg == 2 ? "to_begin" : "to_end"));
        parts[n++] = gx_np_cast(&s, end, d);
    }
    for (int k = 0; k < n; k++)
        if (!parts[k]) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_concat(&s, n, parts, 0, d), out);
}

static bool unwrap_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *p = gx_np_arr(&s, c->argv[0]);
    if (p && p->dtype == GX_bool) p = gx_np_cast(&s, p, GX_f64);
    double period, discont;
    int axis;
    if (!p || !gx_arg_float(c, 3, &period) || !gx_np_axis_arg(c, 2, p->ndim, p->ndim - 1, &axis))
        return gx_np_end(&s, false);
    if (p->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "diff.dims",
                                     "diff requires input that is at least one dimensional"));
    discont = period / 2;
    if (gx_arg_some(c, 1) && !gx_arg_float(c, 1, &discont)) return gx_np_end(&s, false);
    bool whole = !gx_np_is_float(p->dtype) && c->argv[3].tag == GX_INT;
    gx_array *d = differences(&s, p, axis);
    gx_dtype dt = whole ? (gx_dtype)p->dtype : gx_promote_weak((gx_dtype)p->dtype, GX_KIND_FLOAT);
    double half = whole ? floor(period / 2) : period / 2;
    bool even = !whole || fmod(period, 2) == 0;
    gx_array *by = whole ? gx_np_weak_int(&s, dt, (int64_t)period) : gx_np_weak(&s, dt, period);
    gx_array *high = whole ? gx_np_weak_int(&s, dt, (int64_t)half) : gx_np_weak(&s, dt, half);
    gx_array *low = gx_np_op1(&s, GX_OP_negative, high);
    gx_array *m = gx_np_op2(&s, GX_OP_remainder, gx_np_op2(&s, GX_OP_subtract, d, low), by);
    m = gx_np_op2(&s, GX_OP_add, m, low);
    if (even) {
        gx_array *edge = gx_np_op2(&s, GX_OP_logical_and, gx_np_op2(&s, GX_OP_equal, m, low),
                                   gx_np_op2(&s, GX_OP_greater, d, gx_np_i64(&s, 0)));
        m = gx_np_op3(&s, GX_OP_where, edge, high, m);
    }
    gx_array *correct = gx_np_op2(&s, GX_OP_subtract, m, d);
    gx_array *small =
        gx_np_op2(&s, GX_OP_less, gx_np_op1(&s, GX_OP_absolute, d), gx_np_f64(&s, discont));
    correct = gx_np_op3(&s, GX_OP_where, small, gx_np_weak_int(&s, dt, 0), correct);
    gx_array *r = gx_np_fresh(&s, p, dt);
    if (!r || !correct) return gx_np_end(&s, false);
    int64_t n = gx_shape(p)[axis] - 1;
    if (n < 1) return gx_np_give_array(&s, gx_np_laid_as(&s, r, p), out);
    const gx_value argv[2] = {gx_np_value(correct), gx_int(axis)};
    gx_array *tail = gx_np_slice(&s, r, axis, 1, 1, n);
    gx_array *sum = gx_np_op2(&s, GX_OP_add, tail, gx_np_call_values(&s, "cumsum", 2, argv));
    if (!sum || !gx_array_store(c->rt, tail, sum)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_laid_as(&s, r, p), out);
}

const gx_native gx_np_calculus_functions[] = {
    {"interp", "interp(x, xp, fp, left=None, right=None, period=None)",
     "Values between points, on straight lines.", "interp(2.5, [1, 2, 3], [3, 2, 0])  # 1.0",
     interp_fn, 0, 0},
    {"trapezoid", "trapezoid(y, x=None, dx=1.0, axis=-1)", "Integral by the trapezoidal rule.",
     "trapezoid([1, 2, 3])  # 4.0", trapezoid_fn, 0, 0},
    {"ediff1d", "ediff1d(ary, to_end=None, to_begin=None)",
     "Differences of consecutive flat elements.", "ediff1d([1, 2, 4, 7, 0])  # [ 1  2  3 -7]",
     ediff1d_fn, 0, 0},
    {"unwrap", "unwrap(p, discont=None, axis=-1, *, period=6.283185307179586)",
     "Adds multiples of the period so that no jump exceeds half a period.",
     "unwrap([0, 3, 6, 1], period=7)  # [0 3 6 8]", unwrap_fn, 0, 0},
    {.name = NULL},
};
