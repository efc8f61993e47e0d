/* Means and spreads: mean, var, std, average, nansum and the other nan forms. Sums and quotients of
   pending arrays, in NumPy's dtypes and with its warnings for empty slices. */
#include <math.h>

#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_mean_functions[];

int64_t gx_np_fold_count(const gx_array *a, uint64_t mask) {
    int64_t n = 1;
    for (int i = 0; i < a->ndim; i++)
        if (mask >> i & 1) n *= gx_shape(a)[i];
    return n;
}

/* How many elements each result is made of: a 0-d int64, or an array when there is a mask. */
static gx_array *fold_counts(gx_np *s, gx_array *a, uint64_t mask, bool keep, gx_array *where) {
    if (!where) return gx_np_i64(s, gx_np_fold_count(a, mask));
    return gx_np_reduce(s, GX_RED_sum, where, mask, keep, GX_NO_DTYPE);
}

static gx_array *masked_sum(gx_np *s, gx_array *a, uint64_t mask, bool keep, gx_dtype d,
                            gx_array *where) {
    gx_array *r = NULL;
    return a && gx_reduce(s->rt, GX_RED_sum, a, mask, keep, d, NULL, where, &r) ? gx_np_own(s, r)
                                                                                : NULL;
}

/* total / count, rounded to the dtype of total, as NumPy's division into it. */
static gx_array *share(gx_np *s, gx_array *total, gx_array *count) {
    gx_array *q = gx_np_op2(s, GX_OP_divide, total, count);
    if (!q || !(q = gx_np_cast(s, q, (gx_dtype)total->dtype))) return NULL;
    return gx_np_ones_as(s, gx_np_laid_as(s, q, total), total);
}

/* Counts as divisors; those below 1 are nan, so that the quotient is nan without a warning. */
static gx_array *counts_or_nan(gx_np *s, gx_array *count, gx_dtype of) {
    gx_array *few = count ? gx_np_op2(s, GX_OP_less_equal, count,
                                      gx_np_weak_int(s, (gx_dtype)count->dtype, 0))
                          : NULL;
    gx_array *nan = NULL;
    gx_scalar both = {.c128 = {NAN, NAN}};
    if (gx_dtype_kind(of) != GX_KIND_CPLX) nan = gx_np_f64(s, NAN);
    else if (few && gx_array_scalar(s->rt, GX_c128, &both, s->ns, &nan)) nan = gx_np_own(s, nan);
    return gx_np_op3(s, GX_OP_where, few, nan, count);
}

/* Warns when a result is made of no more than `most` elements. */
static bool warn_few(gx_np *s, gx_array *count, double most, const char *text) {
    gx_array *least = NULL;
    gx_scalar n;
    if (!count) return false;
    if (count->count == 0) return true;
    least = gx_np_reduce(s, GX_RED_min, count, gx_np_all(count), false, GX_NO_DTYPE);
    if (!least || !gx_array_item(s->rt, least, &n)) return false;
    return (double)n.i64 > most || gx_warn(s->rt, GX_RuntimeWarning, "%s", text);
}

/* The dtype sums of a mean are kept in. */
static gx_dtype mean_dtype(const gx_array *a, gx_dtype d) {
    if (d != GX_NO_DTYPE) return d;
    if (!gx_np_is_float(a->dtype)) return GX_f64;
    return gx_is_half(a->dtype) ? GX_f32 : (gx_dtype)a->dtype;
}

/* `to`: the dtype of the array that the mean is stored in, which takes the sum first. */
static gx_array *mean_in(gx_np *s, gx_array *a, uint64_t mask, bool keep, gx_dtype d,
                         gx_array *where, gx_dtype to) {
    if (!a) return NULL;
    gx_array *count = fold_counts(s, a, mask, keep, where);
    if ((where || gx_np_fold_count(a, mask) == 0) && !warn_few(s, count, 0, "Mean of empty slice"))
        return NULL;
    gx_array *total = masked_sum(s, a, mask, keep, mean_dtype(a, d), where);
    if (to != GX_NO_DTYPE) return share(s, gx_np_cast(s, total, to), count);
    gx_array *r = share(s, total, count);
    return d == GX_NO_DTYPE && gx_is_half(a->dtype) ? gx_np_cast(s, r, (gx_dtype)a->dtype) : r;
}

gx_array *gx_np_mean(gx_np *s, gx_array *a, uint64_t mask, bool keep, gx_dtype d, gx_array *where) {
    return mean_in(s, a, mask, keep, d, where, GX_NO_DTYPE);
}

/* The arguments most functions here share. */
typedef struct spread_args {
    gx_array *a, *where;
    uint64_t mask;
    bool keep;
    gx_dtype dtype;
} spread_args;

static gx_dtype out_dtype(gx_call *c) {
    return gx_is_array(c->argv[3]) ? (gx_dtype)gx_as_array(c->argv[3])->dtype : GX_NO_DTYPE;
}

/* The nan forms of floats need floats for dtype and out. */
static bool need_inexact(gx_call *c, const spread_args *x) {
    const gx_dtype to = out_dtype(c);
    if (x->dtype != GX_NO_DTYPE && !gx_np_is_float(x->dtype))
        return gx_fail(c->rt, GX_TypeError, "nan.inexact",
                       "If a is inexact, then dtype must be inexact");
    return to == GX_NO_DTYPE || gx_np_is_float(to) ||
           gx_fail(c->rt, GX_TypeError, "nan.inexact", "If a is inexact, then out must be inexact");
}

/* skip_nan: floats are folded by a ufunc, which has axes for a 0-d array. Without where, they are
   added up or multiplied in any dtype. */
static bool get_args(gx_np *s, gx_call *c, bool skip_nan, int keep, int where, spread_args *x) {
    *x = (spread_args){.a = gx_np_arr(s, c->argv[0]), .dtype = GX_NO_DTYPE};
    if (!x->a) return false;
    /* A mask is counted by a ufunc, which has axes for a number. */
    const bool masked = where >= 0 && gx_arg_given(c, where) &&
                        !(c->argv[where].tag == GX_BOOL && c->argv[where].b);
    if (skip_nan && where >= 0 && gx_np_is_float(x->a->dtype) &&
        (!gx_np_dtype_arg(c, 2, &x->dtype) || !need_inexact(c, x)))
        return false;
    const bool folds = masked || (skip_nan && (where < 0 || gx_np_is_float(x->a->dtype)));
    if (!(folds ? gx_np_ufunc_axes_arg : gx_np_axes_arg)(c, 1, x->a->ndim, &x->mask) ||
        !gx_np_dtype_arg(c, 2, &x->dtype) || !gx_np_keepdims_arg(c, keep, &x->keep))
        return false;
    if (!masked) return true;
    x->where = gx_np_broadcast(s, gx_np_mask_arg(s, c, where), x->a->ndim, gx_shape(x->a));
    return x->where != NULL;
}

static bool give_mean(gx_np *s, gx_call *c, const spread_args *x, gx_value *out) {
    gx_array *r = mean_in(s, x->a, x->mask, x->keep, x->dtype, x->where, out_dtype(c));
    return gx_np_give_folded(s, r, c->argv[3], out);
}

static bool mean_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    gx_np s = gx_np_begin(c);
    spread_args x;
    return get_args(&s, c, false, 4, 5, &x) ? give_mean(&s, c, &x, out) : gx_np_end(&s, false);
}

/* |x|^2 as NumPy computes it: re*re + im*im. */
static gx_array *squared(gx_np *s, gx_array *x) {
    if (!x || gx_dtype_kind(x->dtype) != GX_KIND_CPLX) return gx_np_op2(s, GX_OP_multiply, x, x);
    gx_array *re = gx_np_op1(s, GX_OP_real, x), *im = gx_np_op1(s, GX_OP_imag, x);
    return gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, re, re),
                     gx_np_op2(s, GX_OP_multiply, im, im));
}

/* Squared distances from the mean, added up: in one pass where a device does that, else the mean
   first. */
static gx_array *spread_total(gx_np *s, spread_args x, gx_dtype d, gx_array *mean, bool skip_nan) {
    if (!mean && !x.where) {
        gx_array *total = NULL;
        gx_dtype sum = d != GX_NO_DTYPE ? d : (gx_dtype)x.a->dtype;
        if (d != GX_bool && !gx_reduce_spread(s->rt, x.a, x.mask, x.keep, sum, &total)) return NULL;
        if (total) return gx_np_own(s, total);
    }
    if (!mean) {
        gx_array *total = masked_sum(s, x.a, x.mask, true, d, x.where);
        gx_array *n = fold_counts(s, x.a, x.mask, true, x.where);
        mean = share(s, total, skip_nan ? counts_or_nan(s, n, (gx_dtype)total->dtype) : n);
    }
    gx_array *delta = gx_np_op2(s, GX_OP_subtract, x.a, mean);
    return masked_sum(s, squared(s, delta), x.mask, x.keep, d, x.where);
}

/* skip_nan: nan is masked out, and too few elements give nan without another warning. `to` as in
   mean_in. */
static gx_array *variance(gx_np *s, spread_args x, double ddof, gx_array *mean, bool skip_nan,
                          gx_dtype to) {
    const char *few = skip_nan ? "Degrees of freedom <= 0 for slice."
                               : "Degrees of freedom <= 0 for slice";
    gx_dtype d = x.dtype;
    if (d == GX_NO_DTYPE && !gx_np_is_float(x.a->dtype)) d = GX_f64;
    gx_array *count = fold_counts(s, x.a, x.mask, x.keep, x.where);
    bool too_few = !x.where && (double)gx_np_fold_count(x.a, x.mask) <= ddof;
    if ((x.where || too_few) && !warn_few(s, count, ddof, few)) return NULL;
    gx_array *total = gx_np_cast(s, spread_total(s, x, d, mean, skip_nan), to);
    if (!total) return NULL;
    bool whole = ddof == floor(ddof) && fabs(ddof) < 9e15;
    gx_array *less = gx_np_op2(s, GX_OP_subtract, count,
                               whole ? gx_np_i64(s, (int64_t)ddof) : gx_np_f64(s, ddof));
    if (skip_nan) return share(s, total, counts_or_nan(s, less, (gx_dtype)total->dtype));
    gx_array *zero = less ? gx_np_weak_int(s, (gx_dtype)less->dtype, 0) : NULL;
    gx_array *r = share(s, total, gx_np_op2(s, GX_OP_maximum, less, zero));
    /* divided by itself, so that a root taken of it is not what is blamed */
    return !r || !too_few || gx_lazy_start(s->rt) ? r : NULL;
}

static bool ddof_arg(gx_call *c, int at, int correction, double *ddof) {
    const bool none = gx_arg_given(c, at) && c->argv[at].tag == GX_NONE;
    *ddof = 0;
    if (gx_arg_some(c, at) && !gx_arg_float(c, at, ddof)) return false;
    if (!gx_arg_given(c, correction)) return !none || gx_arg_wrong(c, at, "a number");
    if (*ddof != 0 || none)
        return gx_fail(c->rt, GX_ValueError, "var.ddof",
                       "ddof and correction can't be provided simultaneously.");
    return gx_arg_float(c, correction, ddof);
}

static bool spread_of(gx_call *c, bool root, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    spread_args x;
    double ddof;
    gx_array *mean = NULL;
    if (!get_args(&s, c, skip_nan, 5, 6, &x) || !ddof_arg(c, 4, 8, &ddof))
        return gx_np_end(&s, false);
    if (gx_arg_some(c, 7) && !(mean = gx_np_arr(&s, c->argv[7]))) return gx_np_end(&s, false);
    const gx_operand kind = mean ? gx_operand_kind(c->argv[7]) : GX_OPERAND_NONE;
    if (kind == GX_OPERAND_WEAK && gx_dtype_kind(mean->dtype) <= gx_dtype_kind(x.a->dtype) &&
        gx_np_is_float(x.a->dtype) && !(mean = gx_np_cast(&s, mean, (gx_dtype)x.a->dtype)))
        return gx_np_end(&s, false);
    if (skip_nan && gx_np_is_float(x.a->dtype)) {
        if (mean && !(mean = gx_np_broadcast(&s, mean, x.a->ndim, gx_shape(x.a))))
            return gx_np_end(&s, false); /* it is subtracted in place */
        gx_array *valid = gx_np_op1(&s, GX_OP_logical_not, gx_np_op1(&s, GX_OP_isnan, x.a));
        x.where = x.where ? gx_np_op2(&s, GX_OP_logical_and, x.where, valid) : valid;
        if (!x.where) return gx_np_end(&s, false);
        x.a = gx_np_op3(&s, GX_OP_where, valid, x.a, gx_np_weak_int(&s, (gx_dtype)x.a->dtype, 0));
        if (!x.a) return gx_np_end(&s, false);
    }
    gx_array *v = variance(&s, x, ddof, mean, skip_nan && gx_np_is_float(x.a->dtype),
                           out_dtype(c));
    if (root && v) {
        gx_array *r = gx_np_op1(&s, GX_OP_sqrt, v);
        v = r ? gx_np_ones_as(&s, gx_np_cast(&s, r, (gx_dtype)v->dtype), v) : NULL;
    }
    if (!root) return gx_np_give_folded(&s, v, c->argv[3], out);
    return gx_np_give_out(&s, v, c->argv[3], out);
}

static bool var_fn(gx_call *c, gx_value *out) {
    return spread_of(c, false, false, out);
}
static bool std_fn(gx_call *c, gx_value *out) {
    return spread_of(c, true, false, out);
}
static bool nanvar_fn(gx_call *c, gx_value *out) {
    return spread_of(c, false, true, out);
}
static bool nanstd_fn(gx_call *c, gx_value *out) {
    return spread_of(c, true, true, out);
}

/* --- average --- */

static bool give_pair(gx_np *s, gx_array *a, gx_array *b, gx_value *out) {
    gx_value pair[2] = {gx_undef(), gx_undef()};
    gx_array *const both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!both[i]) return gx_np_end(s, false);
        gx_array_keep(both[i]);
        if (!gx_array_result_take(s->rt, both[i], &pair[i]) || !gx_np_hold(s, pair[i]))
            return gx_np_end(s, false);
    }
    return gx_np_end(s, gx_tuple_new(s->rt, 2, pair, out));
}

/* Weights whose axes stand as the axis argument lists them, in the order of a's axes. */
static gx_array *in_order(gx_np *s, gx_array *w, const gx_array *a, gx_borrowed axis) {
    const gx_value *items;
    int64_t n, k;
    int at[GX_MAX_DIMS], perm[GX_MAX_DIMS], one;
    gx_array *r = NULL;
    if (!gx_np_items(s, axis, &items, &n)) return NULL;
    if (n != w->ndim || n < 2) return w;
    for (int i = 0; i < n; i++) {
        if (gx_as_index(s->rt, items[i], &k) != GX_TRY_YES || !gx_axis(s->rt, k, a->ndim, &one))
            return NULL;
        at[i] = one;
        int to = i;
        for (; to > 0 && at[perm[to - 1]] > one; to--) perm[to] = perm[to - 1];
        perm[to] = i;
    }
    return gx_transpose(s->rt, w, perm, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_weights_along(gx_np *s, gx_array *w, gx_array *a, uint64_t mask,
                              gx_borrowed axis) {
    const bool same =
        w->ndim == a->ndim && memcmp(gx_shape(w), gx_shape(a), (size_t)a->ndim * 8) == 0;
    int64_t shape[GX_MAX_DIMS];
    int folded = 0;
    if (same) return w;
    if (axis.tag == GX_NONE || axis.tag == GX_UNDEF) {
        gx_fail(s->rt, GX_TypeError, "average.axis",
                "Axis must be specified when shapes of a and weights differ.");
        return NULL;
    }
    if (w->ndim != a->ndim && !(w = in_order(s, w, a, axis))) return NULL;
    bool fits = true;
    for (int i = 0; i < a->ndim; i++) {
        shape[i] = mask >> i & 1 ? gx_shape(a)[i] : 1;
        if (!(mask >> i & 1)) continue;
        fits = fits && folded < w->ndim && gx_shape(w)[folded] == shape[i];
        folded++;
    }
    if (w->ndim != folded || !fits) {
        gx_fail(s->rt, GX_ValueError, "average.shape",
                "Shape of weights must be consistent with shape of a along specified axis.");
        return NULL;
    }
    return gx_np_broadcast(s, gx_np_reshape(s, w, a->ndim, shape), a->ndim, gx_shape(a));
}

static bool average_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *w = NULL, *mean, *scale;
    uint64_t mask;
    bool returned, keep;
    if (!a || !gx_axes_by_index(c->rt, c->argv[1], a->ndim, &mask) ||
        !gx_arg_bool(c, 3, &returned) || !gx_np_keepdims_arg(c, 4, &keep))
        return gx_np_end(&s, false);
    if (!gx_arg_some(c, 2)) {
        mean = gx_np_mean(&s, a, mask, keep, GX_NO_DTYPE, NULL);
        scale =
            mean ? gx_np_cast(&s, gx_np_i64(&s, gx_np_fold_count(a, mask)), (gx_dtype)mean->dtype)
                 : NULL;
    } else {
        if (!(w = gx_np_arr(&s, c->argv[2])) ||
            !(w = gx_np_weights_along(&s, w, a, mask, c->argv[1])))
            return gx_np_end(&s, false);
        gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)w->dtype);
        if (!gx_np_is_float(d)) d = GX_f64;
        scale = gx_np_reduce(&s, GX_RED_sum, w, mask, keep, d);
        gx_array *zero = gx_np_op2(&s, GX_OP_equal, scale, gx_np_weak_int(&s, d, 0));
        gx_array *any =
            zero ? gx_np_reduce(&s, GX_RED_any, zero, gx_np_all(zero), false, GX_NO_DTYPE) : NULL;
        gx_scalar bad;
        if (!any || !gx_array_item(c->rt, any, &bad)) return gx_np_end(&s, false);
        if (bad.b)
            return gx_np_end(&s, gx_fail(c->rt, GX_ZeroDivisionError, "average.zero",
                                         "Weights sum to zero, can't be normalized"));
        gx_array *parts = gx_np_cast(&s, gx_np_op2(&s, GX_OP_multiply, a, w), d);
        mean = gx_np_op2(&s, GX_OP_divide,
                         gx_np_reduce(&s, GX_RED_sum, parts, mask, keep, GX_NO_DTYPE), scale);
    }
    if (!returned) return gx_np_give(&s, mean, out);
    if (mean && scale && mean->ndim)
        scale = gx_np_copy(&s, gx_np_broadcast(&s, scale, mean->ndim, gx_shape(mean)), 'C');
    return give_pair(&s, mean, scale, out);
}

/* --- nan forms --- */

static gx_array *without_nan(gx_np *s, gx_array *a, int fill) {
    if (!a || !gx_np_is_float(a->dtype)) return a;
    gx_array *r = gx_np_op3(s, GX_OP_where, gx_np_op1(s, GX_OP_isnan, a),
                            gx_np_weak_int(s, (gx_dtype)a->dtype, fill), a);
    return r ? gx_np_laid_as(s, r, a) : NULL; /* as the copy that NumPy makes */
}

static bool nan_fold(gx_call *c, gx_redcode red, int fill, gx_value *out) {
    gx_np s = gx_np_begin(c);
    spread_args x;
    if (!get_args(&s, c, true, 4, -1, &x)) return gx_np_end(&s, false);
    gx_array *r =
        gx_np_reduce_given(&s, c, red, without_nan(&s, x.a, fill), x.mask, x.keep, x.dtype, 5);
    return gx_np_give_folded(&s, r, c->argv[3], out);
}

static bool nansum_fn(gx_call *c, gx_value *out) {
    return nan_fold(c, GX_RED_sum, 0, out);
}
static bool nanprod_fn(gx_call *c, gx_value *out) {
    return nan_fold(c, GX_RED_prod, 1, out);
}

static bool nanmean_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    spread_args x;
    if (!get_args(&s, c, true, 4, 5, &x)) return gx_np_end(&s, false);
    if (!gx_np_is_float(x.a->dtype)) return give_mean(&s, c, &x, out);
    gx_array *valid = gx_np_op1(&s, GX_OP_logical_not, gx_np_op1(&s, GX_OP_isnan, x.a));
    if (x.where) valid = gx_np_op2(&s, GX_OP_logical_and, valid, x.where);
    gx_array *count = gx_np_reduce(&s, GX_RED_sum, valid, x.mask, x.keep, GX_NO_DTYPE);
    gx_array *total =
        masked_sum(&s, without_nan(&s, x.a, 0), x.mask, x.keep, x.dtype, x.where);
    gx_array *low = count && count->count
                        ? gx_np_reduce(&s, GX_RED_min, gx_np_flat(&s, count), 1, false,
                                       GX_NO_DTYPE)
                        : NULL;
    gx_scalar least;
    if (count && count->count && (!low || !gx_array_item(c->rt, low, &least)))
        return gx_np_end(&s, false);
    if (count && count->count && least.i64 == 0 &&
        !gx_warn(c->rt, GX_RuntimeWarning, "Mean of empty slice"))
        return gx_np_end(&s, false);
    if (!count) return gx_np_end(&s, false);
    /* 0 / 0 is not computed: the warning above has said it. */
    gx_array *none = gx_np_op2(&s, GX_OP_equal, count, gx_np_i64(&s, 0));
    gx_array *one = gx_np_op3(&s, GX_OP_where, none, gx_np_i64(&s, 1), count);
    gx_array *mean = share(&s, total, one);
    if (mean) {
        const gx_scalar nan = {.c128 = {NAN, NAN}}; /* both parts of a complex one */
        const gx_dtype d = (gx_dtype)mean->dtype;
        const gx_scalar v = gx_scalar_cast(GX_c128, d, &nan);
        gx_array *t = NULL;
        if (!gx_array_scalar(c->rt, d, &v, c->ns, &t)) return gx_np_end(&s, false);
        mean = gx_np_op3(&s, GX_OP_where, none, gx_np_own(&s, t), mean);
        mean = gx_np_ones_as(&s, mean, total);
    }
    return gx_np_give_folded(&s, mean, c->argv[3], out);
}

static bool nan_extreme(gx_call *c, gx_redcode red, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    bool keep;
    if (!a || !gx_np_ufunc_axes_arg(c, 1, a->ndim, &mask) || !gx_np_keepdims_arg(c, 3, &keep))
        return gx_np_end(&s, false);
    gx_array *r = gx_np_reduce_given(&s, c, red, a, mask, keep, GX_NO_DTYPE, 4);
    if (r && gx_np_is_float(r->dtype)) {
        gx_array *bad = gx_np_op1(&s, GX_OP_isnan, r);
        gx_array *any =
            bad ? gx_np_reduce(&s, GX_RED_any, bad, gx_np_all(bad), false, GX_NO_DTYPE) : NULL;
        gx_scalar is;
        if (!any || !gx_array_item(c->rt, any, &is)) return gx_np_end(&s, false);
        if (is.b && !gx_warn(c->rt, GX_RuntimeWarning, "All-NaN slice encountered"))
            return gx_np_end(&s, false);
    }
    return gx_np_give_folded(&s, r, c->argv[2], out);
}

static bool nanmin_fn(gx_call *c, gx_value *out) {
    return nan_extreme(c, GX_RED_nanmin, out);
}
static bool nanmax_fn(gx_call *c, gx_value *out) {
    return nan_extreme(c, GX_RED_nanmax, out);
}

static bool nan_position(gx_call *c, gx_redcode red, double fill, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    bool keep, all = !gx_arg_some(c, 1);
    int axis = 0;
    if (!a || !gx_arg_bool(c, 3, &keep) ||
        (!all && !gx_np_axis_arg(c, 1, a->ndim ? a->ndim : 1, 0, &axis)))
        return gx_np_end(&s, false);
    all = all || a->ndim == 0;
    if (gx_np_is_float(a->dtype)) {
        gx_array *nan = gx_np_op1(&s, GX_OP_isnan, a);
        gx_array *empty = gx_np_reduce(
            &s, GX_RED_all, nan, all ? gx_np_all(a) : UINT64_C(1) << axis, false, GX_NO_DTYPE);
        gx_array *any =
            empty ? gx_np_reduce(&s, GX_RED_any, empty, gx_np_all(empty), false, GX_NO_DTYPE)
                  : NULL;
        gx_scalar is;
        if (!any || !gx_array_item(c->rt, any, &is)) return gx_np_end(&s, false);
        if (is.b)
            return gx_np_end(
                &s, gx_fail(c->rt, GX_ValueError, "reduce.nan", "All-NaN slice encountered"));
        a = gx_np_op3(&s, GX_OP_where, nan, gx_np_weak(&s, (gx_dtype)a->dtype, fill), a);
    }
    return gx_np_give_out(&s, gx_np_arg_extreme(&s, red, a, axis, all, keep), c->argv[2], out);
}

static bool nanargmin_fn(gx_call *c, gx_value *out) {
    return nan_position(c, GX_RED_argmin, INFINITY, out);
}
static bool nanargmax_fn(gx_call *c, gx_value *out) {
    return nan_position(c, GX_RED_argmax, -INFINITY, out);
}

#define BOTH GX_NATIVE_METHOD
#define SPREAD_SIG                                                                                 \
    "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, "      \
    "correction=<no value>)"
const gx_native gx_np_mean_functions[] = {
    {"mean", "mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)",
     "Arithmetic mean, over all axes or those given; of integers in float64.",
     "mean([1, 2, 3, 4])  # 2.5", mean_fn, BOTH, 0},
    {"var", "var" SPREAD_SIG,
     "Variance (mean squared distance from the mean), over all axes or those given; divides by N - "
     "ddof.",
     "var([1, 2, 3, 4])  # 1.25", var_fn, BOTH, 0},
    {"std", "std" SPREAD_SIG,
     "Standard deviation (root of the variance), over all axes or those given; divides by N - "
     "ddof.",
     "std([1, 3])  # 1.0", std_fn, BOTH, 0},
    {"average", "average(a, axis=None, weights=None, returned=False, *, keepdims=False)",
     "Weighted mean over all axes or those given; returned=True adds the sum of the weights.",
     "average([1, 2], weights=[3, 1])  # 1.25", average_fn, 0, 0},
    {"nansum",
     "nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     "Sum of the elements that are not nan.", "nansum([1, nan, 2])  # 3.0", nansum_fn, 0, 0},
    {"nanprod",
     "nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     "Product of the elements that are not nan.", "nanprod([2, nan, 3])  # 6.0", nanprod_fn, 0, 0},
    {"nanmean", "nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)",
     "Mean of the elements that are not nan.", "nanmean([1, nan, 3])  # 2.0", nanmean_fn, 0, 0},
    {"nanvar", "nanvar" SPREAD_SIG, "Variance of the elements that are not nan.",
     "nanvar([1, nan, 3])  # 1.0", nanvar_fn, 0, 0},
    {"nanstd", "nanstd" SPREAD_SIG, "Standard deviation of the elements that are not nan.",
     "nanstd([1, nan, 3])  # 1.0", nanstd_fn, 0, 0},
    {"nanmin",
     "nanmin(a, axis=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     "Smallest element that is not nan.", "nanmin([3.0, nan, 2.0])  # 2.0", nanmin_fn, 0, 0},
    {"nanmax",
     "nanmax(a, axis=None, out=None, keepdims=False, initial=<no value>, "
     "where=True)",
     "Largest element that is not nan.", "nanmax([3.0, nan, 2.0])  # 3.0", nanmax_fn, 0, 0},
    {"nanargmin", "nanargmin(a, axis=None, out=None, *, keepdims=False)",
     "Index of the smallest element that is not nan.", "nanargmin([nan, 3, 2])  # 2", nanargmin_fn,
     0, 0},
    {"nanargmax", "nanargmax(a, axis=None, out=None, *, keepdims=False)",
     "Index of the largest element that is not nan.", "nanargmax([nan, 3, 2])  # 1", nanargmax_fn,
     0, 0},
    {.name = NULL},
};
