/* Reductions that fold an axis with one operation: sum, prod, min, max, any, all, argmin, argmax,
   ptp, count_nonzero, and the running ones cumsum and cumprod. Each is one definition for the
   function and the method. Folds stay pending and fuse with what stands before them; running totals
   are computed at once, where the array lives. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/warn.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/ranked.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_reduce_functions[];

/* The mask argument `where`: NULL when it is True. */
static bool where_arg(gx_np *s, gx_call *c, int i, gx_array *a, gx_array **out) {
    *out = NULL;
    if (i < 0 || !gx_arg_given(c, i) || (c->argv[i].tag == GX_BOOL && c->argv[i].b)) return true;
    *out = gx_np_broadcast(s, gx_np_mask_arg(s, c, i), a->ndim, gx_shape(a));
    return *out != NULL;
}

bool gx_np_axes_arg(gx_call *c, int i, int ndim, uint64_t *mask) {
    gx_borrowed v = gx_arg_given(c, i) ? c->argv[i] : gx_none();
    if (v.tag == GX_LIST) return gx_arg_wrong(c, i, "None, an integer or a tuple of integers");
    return gx_axes(c->rt, v, ndim, mask);
}

bool gx_np_ufunc_axes_arg(gx_call *c, int i, int ndim, uint64_t *mask) {
    int64_t k;
    if (ndim == 0 && gx_arg_some(c, i) && c->argv[i].tag != GX_TUPLE) {
        gx_try number = c->argv[i].tag == GX_BOOL ? GX_TRY_NO : gx_as_index(c->rt, c->argv[i], &k);
        if (number == GX_TRY_ERROR) return false;
        if (number == GX_TRY_YES && (k == 0 || k == -1)) {
            *mask = 0;
            return true;
        }
    }
    return gx_np_axes_arg(c, i, ndim, mask);
}

/* Positions of the shared parameters in a signature; -1: it has none. */
typedef struct fold_args {
    int axis, dtype, out, keepdims, initial, where;
} fold_args;

bool gx_np_folds_some(gx_rt *rt, const gx_array *a, uint64_t mask, const char *ufunc) {
    bool nothing = false, kept = true;
    for (int i = 0; i < a->ndim; i++) {
        const bool folded = mask >> i & 1, empty = gx_shape(a)[i] == 0;
        nothing = nothing || (folded && empty);
        kept = kept && (folded || !empty);
    }
    return !nothing || !kept ||
           gx_fail(rt, GX_ValueError, "reduce.empty",
                   "zero-size array to reduction operation %s which has no identity", ufunc);
}

/* The dtype an initial value is given in: the result's. */
static gx_dtype fold_dtype(gx_redcode red, gx_dtype in, gx_dtype asked) {
    if (asked != GX_NO_DTYPE) return asked;
    int kind = gx_dtype_kind(in);
    if (gx_reds[red].rule != GX_REDRULE_SUM) return in;
    return kind == GX_KIND_BOOL || kind == GX_KIND_INT ? GX_i64
           : kind == GX_KIND_UINT                      ? GX_u64
                                                       : in;
}

gx_dtype gx_np_out_dtype(const gx_array *a, gx_dtype asked, gx_borrowed dest) {
    if (asked != GX_NO_DTYPE || !gx_is_array(dest)) return asked;
    return gx_promote((gx_dtype)a->dtype, (gx_dtype)gx_as_array(dest)->dtype);
}

static const char *ufunc_name(gx_redcode red) {
    return gx_reds[red].ufunc ? gx_ops[gx_reds[red].ufunc].name : gx_reds[red].name;
}

static bool needs_initial(gx_call *c, gx_redcode red, bool initial, bool none) {
    if ((gx_reds[red].has_identity && !none) || initial) return true;
    return gx_fail(c->rt, GX_ValueError, "reduce.where",
                   "reduction operation '%s' does not have an identity, so to use a where mask one "
                   "has to specify 'initial'",
                   ufunc_name(red));
}

/* An array as it came, without one more reference: the runtime sees a temporary that nobody will
   read again, and folds what is pending in it without keeping it. */
static gx_array *folded(gx_np *s, gx_borrowed v) {
    if (!gx_is_array(v)) return gx_np_arr(s, v);
    s->ns = (gx_namespace)gx_as_array(v)->ns;
    s->seen = true;
    return gx_as_array(v);
}

gx_array *gx_np_reduce_given(gx_np *s, gx_call *c, gx_redcode red, gx_array *a, uint64_t mask,
                             bool keep, gx_dtype d, int initial_at) {
    gx_array *where, *r = NULL;
    gx_scalar initial;
    bool has_initial;
    if (!a || !where_arg(s, c, initial_at + 1, a, &where) ||
        !gx_np_initial_arg(c, initial_at, fold_dtype(red, (gx_dtype)a->dtype, d), &has_initial,
                           &initial))
        return NULL;
    const bool none = !has_initial && gx_arg_given(c, initial_at);
    if (where && !needs_initial(c, red, has_initial, none)) return NULL;
    if (none && !gx_np_folds_some(c->rt, a, mask, ufunc_name(red))) return NULL;
    if (!gx_reduce(c->rt, red, a, mask, keep, d, has_initial ? &initial : NULL, where, &r))
        return NULL;
    return gx_np_own(s, r);
}

static bool fold(gx_call *c, gx_redcode red, fold_args at, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = folded(&s, c->argv[0]), *where, *r = NULL;
    uint64_t mask;
    bool keep = false;
    gx_dtype d = GX_NO_DTYPE;
    gx_scalar initial;
    bool has_initial = false;
    if (!a || !gx_np_ufunc_axes_arg(c, at.axis, a->ndim, &mask) ||
        (at.dtype >= 0 && !gx_np_dtype_arg(c, at.dtype, &d)) ||
        !gx_np_keepdims_arg(c, at.keepdims, &keep) || !where_arg(&s, c, at.where, a, &where))
        return gx_np_end(&s, false);
    if (gx_is_array(c->argv[at.out]) && red != GX_RED_any && red != GX_RED_all) {
        d = gx_np_out_dtype(a, d, c->argv[at.out]);
        if (at.dtype < 0 && !(a = gx_np_cast(&s, a, d))) return gx_np_end(&s, false);
    }
    if (at.initial >= 0 &&
        !gx_np_initial_arg(c, at.initial, fold_dtype(red, (gx_dtype)a->dtype, d), &has_initial,
                           &initial))
        return gx_np_end(&s, false);
    const bool none = at.initial >= 0 && !has_initial && gx_arg_given(c, at.initial);
    if (where && !needs_initial(c, red, has_initial, none)) return gx_np_end(&s, false);
    if (none && !gx_np_folds_some(c->rt, a, mask, ufunc_name(red))) return gx_np_end(&s, false);
    if (!gx_reduce(c->rt, red, a, mask, keep, d, has_initial ? &initial : NULL, where, &r))
        return gx_np_end(&s, false);
    return gx_np_give_folded(&s, gx_np_own(&s, r), c->argv[at.out], out);
}

static const fold_args sum_args = {1, 2, 3, 4, 5, 6};
static const fold_args min_args = {1, -1, 2, 3, 4, 5};
static const fold_args truth_args = {1, -1, 2, 3, -1, 4};

static bool sum_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    return fold(c, GX_RED_sum, sum_args, out);
}
static bool prod_fn(gx_call *c, gx_value *out) {
    return fold(c, GX_RED_prod, sum_args, out);
}
static bool min_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    return fold(c, GX_RED_min, min_args, out);
}
static bool max_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    return fold(c, GX_RED_max, min_args, out);
}
static bool any_fn(gx_call *c, gx_value *out) {
    return fold(c, GX_RED_any, truth_args, out);
}
static bool all_fn(gx_call *c, gx_value *out) {
    return fold(c, GX_RED_all, truth_args, out);
}

/* --- positions --- */

gx_array *gx_np_arg_extreme(gx_np *s, gx_redcode red, gx_array *a, int axis, bool all, bool keep) {
    if (!a) return NULL;
    int nd = a->ndim;
    gx_array *flat = all ? gx_np_flat(s, a) : a;
    if (!flat) return NULL;
    if (gx_shape(flat)[all ? 0 : axis] == 0) {
        gx_fail(s->rt, GX_ValueError, "reduce.empty", "attempt to get %s of an empty sequence",
                gx_reds[red].name);
        return NULL;
    }
    gx_array *r =
        gx_np_reduce(s, red, flat, UINT64_C(1) << (all ? 0 : axis), keep && !all, GX_NO_DTYPE);
    if (!all || !keep || !r) return r;
    int64_t ones[GX_MAX_DIMS];
    for (int i = 0; i < nd; i++) ones[i] = 1;
    return gx_np_settled(s, gx_np_reshape(s, r, nd, ones));
}

static bool arg_extreme(gx_call *c, gx_redcode red, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    bool keep, all = !gx_arg_some(c, 1);
    int axis = 0;
    gx_array *values;
    if (!a || !gx_np_ranked(&s, 1, &a, &values) || !gx_arg_bool(c, 3, &keep))
        return gx_np_end(&s, false);
    if (!all && !gx_np_axis_arg(c, 1, a->ndim ? a->ndim : 1, 0, &axis))
        return gx_np_end(&s, false);
    if (gx_is_array(c->argv[2]) && (all || a->ndim < 2) && gx_as_array(c->argv[2])->ndim && !keep)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "shape.out",
                                     "output array does not match result of np.%s.",
                                     c->fn->name));
    if (gx_is_array(c->argv[2]) &&
        !gx_can_cast((gx_dtype)gx_as_array(c->argv[2])->dtype, GX_i64, GX_CAST_SAFE))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "reduce.out",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[gx_as_array(c->argv[2])->dtype].name));
    return gx_np_give_folded(&s, gx_np_arg_extreme(&s, red, a, axis, all || a->ndim == 0, keep),
                             c->argv[2], out);
}

static bool argmin_fn(gx_call *c, gx_value *out) {
    return arg_extreme(c, GX_RED_argmin, out);
}
static bool argmax_fn(gx_call *c, gx_value *out) {
    return arg_extreme(c, GX_RED_argmax, out);
}

/* --- combinations --- */

static bool ptp_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    bool keep;
    if (!a || !gx_np_ufunc_axes_arg(c, 1, a->ndim, &mask) || !gx_np_keepdims_arg(c, 3, &keep))
        return gx_np_end(&s, false);
    gx_array *high = gx_np_reduce(&s, GX_RED_max, a, mask, keep, GX_NO_DTYPE);
    gx_array *low = gx_np_reduce(&s, GX_RED_min, a, mask, keep, GX_NO_DTYPE);
    return gx_np_give_out(&s, gx_np_op2(&s, GX_OP_subtract, high, low), c->argv[2], out);
}

static bool count_nonzero_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    bool keep;
    if (!a || !gx_np_ufunc_axes_arg(c, 1, a->ndim, &mask) || !gx_arg_bool(c, 2, &keep) ||
        ((keep || gx_arg_some(c, 1)) && !gx_np_keepdims_arg(c, 2, &keep)))
        return gx_np_end(&s, false);
    int64_t count;
    gx_try quick = mask == gx_np_all(a) && !keep ? gx_count_nonzero(c->rt, a, &count) : GX_TRY_NO;
    if (quick == GX_TRY_ERROR) return gx_np_end(&s, false);
    if (quick == GX_TRY_YES) return gx_np_give(&s, gx_np_i64(&s, count), out);
    gx_array *b = gx_np_cast(&s, a, GX_bool);
    return gx_np_give(&s, gx_np_reduce(&s, GX_RED_sum, b, mask, keep, GX_NO_DTYPE), out);
}

/* --- running totals --- */

gx_array *gx_np_scan(gx_np *s, gx_array *a, int axis, bool product, gx_dtype d) {
    gx_array *r;
    if (!a) return NULL;
    const gx_dtype total = fold_dtype(GX_RED_sum, (gx_dtype)a->dtype, d);
    return gx_array_scan(s->rt, a, axis, product, total, &r) ? gx_np_own(s, r) : NULL;
}

static bool scan_call(gx_call *c, bool product, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_dtype d;
    int axis = 0;
    if (!a || !gx_np_dtype_arg(c, 2, &d)) return gx_np_end(&s, false);
    if (gx_arg_some(c, 1) && !gx_np_axis_arg(c, 1, a->ndim ? a->ndim : 1, 0, &axis))
        return gx_np_end(&s, false);
    if (!gx_arg_some(c, 1) || a->ndim == 0) a = gx_np_flat(&s, a);
    gx_array *given = a;
    if (a && skip_nan && gx_np_is_float(a->dtype))
        a = gx_np_op3(&s, GX_OP_where, gx_np_op1(&s, GX_OP_isnan, a),
                      gx_np_weak_int(&s, (gx_dtype)a->dtype, product), a);
    const bool copied = a != given;
    a = gx_np_scan(&s, a, axis, product, a ? gx_np_out_dtype(a, d, c->argv[3]) : d);
    if (a) a = copied ? gx_np_laid_as(&s, a, given) : gx_np_laid_like(&s, a, given);
    if (gx_arg_some(c, 3)) return gx_np_give_folded(&s, a, c->argv[3], out);
    return gx_np_give_array(&s, a, out);
}

static bool cumsum_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    return scan_call(c, false, false, out);
}
static bool cumprod_fn(gx_call *c, gx_value *out) {
    return scan_call(c, true, false, out);
}
static bool nancumsum_fn(gx_call *c, gx_value *out) {
    return scan_call(c, false, true, out);
}
static bool nancumprod_fn(gx_call *c, gx_value *out) {
    return scan_call(c, true, true, out);
}

#define BOTH GX_NATIVE_METHOD
const gx_native gx_np_reduce_functions[] = {
    {"sum",
     "sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=<no value>, where=True)",
     "Sum of the elements; bool and integers add up as int64 or uint64.", "sum([1, 2, 3])  # 6",
     sum_fn, BOTH, 0},
    {"prod",
     "prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=<no value>, where=True)",
     "Product of the elements; bool and integers multiply as int64 or uint64.",
     "prod([1, 2, 3, 4])  # 24", prod_fn, BOTH, 0},
    {"min", "min(a, axis=None, out=None, keepdims=False, initial=<no value>, where=True)",
     "Smallest element over all or some axes, nan if there is one; ValueError if empty.",
     "min([3, 1, 2])  # 1", min_fn, BOTH, 0},
    {"max", "max(a, axis=None, out=None, keepdims=False, initial=<no value>, where=True)",
     "Largest element over all or some axes, nan if there is one; ValueError if empty.",
     "max([3, 1, 2])  # 3", max_fn, BOTH, 0},
    {"any", "any(a, axis=None, out=None, keepdims=False, *, where=True)",
     "Whether any element is true, over all axes or those given, as bool.", "any([0, 1])  # True",
     any_fn, BOTH, 0},
    {"all", "all(a, axis=None, out=None, keepdims=False, *, where=True)",
     "Whether all elements are true, over all axes or those given, as bool.",
     "all([0, 1])  # False", all_fn, BOTH, 0},
    {"argmin", "argmin(a, axis=None, out=None, *, keepdims=False)",
     "Index of the first minimum (nan, if any), along an axis or of the flat array.",
     "argmin([3, 1, 2])  # 1", argmin_fn, BOTH, 0},
    {"argmax", "argmax(a, axis=None, out=None, *, keepdims=False)",
     "Index of the first maximum (nan, if any), along an axis or of the flat array.",
     "argmax([3, 1, 2])  # 0", argmax_fn, BOTH, 0},
    {"ptp", "ptp(a, axis=None, out=None, keepdims=False)",
     "Range of the values (largest minus smallest), over all axes or those given.",
     "ptp([3, 1, 8])  # 7", ptp_fn, BOTH, 0},
    {"count_nonzero", "count_nonzero(a, axis=None, *, keepdims=False)",
     "Counts the elements that are not zero, over all axes or those given.",
     "count_nonzero([0, 1, 2])  # 2", count_nonzero_fn, 0, 0},
    {"cumsum", "cumsum(a, axis=None, dtype=None, out=None)",
     "Cumulative sum along an axis, or of the flat array; the last element is the sum.",
     "cumsum([1, 2, 3])  # [1 3 6]", cumsum_fn, BOTH, 0},
    {"cumprod", "cumprod(a, axis=None, dtype=None, out=None)",
     "Cumulative product along an axis, or of the flat array; the last element is the product.",
     "cumprod([1, 2, 3])  # [1 2 6]", cumprod_fn, BOTH, 0},
    {"nancumsum", "nancumsum(a, axis=None, dtype=None, out=None)",
     "Cumulative sum along an axis, or of the flat array; nan counts as 0.",
     "nancumsum([1, nan, 3])  # [1. 1. 4.]", nancumsum_fn, 0, 0},
    {"nancumprod", "nancumprod(a, axis=None, dtype=None, out=None)",
     "Cumulative product along an axis, or of the flat array; nan counts as 1.",
     "nancumprod([2, nan, 3])  # [2. 2. 6.]", nancumprod_fn, 0, 0},
    {.name = NULL},
};
