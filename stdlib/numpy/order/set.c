/* Sets of elements: unique and isin. All by sorting; results are sorted. */
#include <string.h>

#include "runtime/op/order.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_set_functions[];

/* What unique finds: arrays of the scope. */
typedef struct distinct {
    gx_array *values, *index, *inverse, *counts;
} distinct;

/* What unique finds in a 1-d real array, where `want` says what of index, inverse and
   counts is looked for. */
static bool distinct_line(gx_np *s, gx_array *a, bool equal_nan, const bool want[3],
                            distinct *r) {
    gx_array *counts = NULL, *first = NULL, *inverse = NULL, *values = NULL;
    if (!gx_array_unique(s->rt, a, equal_nan, &values, want[2] ? &counts : NULL,
                         want[0] ? &first : NULL, want[1] ? &inverse : NULL))
        return false;
    r->index = first ? gx_np_own(s, first) : NULL;
    r->inverse = inverse ? gx_np_own(s, inverse) : NULL;
    r->counts = counts ? gx_np_own(s, counts) : NULL;
    r->values = gx_np_own(s, values);
    return r->values && (r->index || !first) && (r->inverse || !inverse) && (r->counts || !counts);
}

/* The distinct rows of an array along its first axis. */
static bool distinct_rows(gx_np *s, gx_call *c, gx_array *a, bool equal_nan, distinct *r) {
    gx_array **to[] = {&r->index, &r->inverse, &r->counts};
    gx_value found;
    const gx_borrowed argv[2] = {gx_np_value(a), gx_bool(equal_nan)};
    if (!gx_library_pass(c, "numpy.sets", gx_library_text_numpy_sets, "_distinct_rows", 2, argv,
                         &found))
        return false;
    for (int i = 0; i < 3; i++) {
        gx_array *part = gx_as_array(gx_as_tuple(found)->items[i]);
        gx_array_keep(part);
        *to[i] = gx_np_own(s, part);
    }
    gx_drop(found);
    r->values = gx_np_take(s, a, r->index, 0);
    return r->values != NULL;
}

static bool unique_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *give[4];
    bool want[3], equal_nan;
    int axis = 0, n = 1;
    distinct r = {NULL, NULL, NULL, NULL};
    gx_array *named = NULL; /* what ranks stand for, where elements are no numbers */
    if (!a || !gx_np_ranked(&s, 1, &a, &named) || !gx_arg_bool(c, 5, &equal_nan) ||
        !gx_np_unused_truth(c, 6))
        return gx_np_end(&s, false);
    for (int i = 0; i < 3; i++)
        if (!gx_arg_bool(c, 1 + i, &want[i])) return gx_np_end(&s, false);
    bool flat = !gx_arg_some(c, 4);
    if (!flat && !gx_np_axis_arg(c, 4, a->ndim, 0, &axis)) return gx_np_end(&s, false);
    const bool line = flat || a->ndim == 1;
    gx_array *rows = line ? gx_np_flat(&s, a) : gx_np_moveaxis(&s, a, axis, 0);
    if (!rows) return gx_np_end(&s, false);
    if (!(line && gx_dtype_kind(a->dtype) != GX_KIND_CPLX
              ? distinct_line(&s, rows, equal_nan, want, &r)
              : distinct_rows(&s, c, rows, equal_nan && line, &r)))
        return gx_np_end(&s, false); /* as NumPy: rows with nan are all different */
    if (named && !(r.values = gx_np_take(&s, named, r.values, 0))) return gx_np_end(&s, false);
    give[0] = flat ? r.values : gx_np_viewed(&s, gx_np_moveaxis(&s, r.values, 0, axis));
    if (want[0]) give[n++] = r.index;
    if (want[1]) give[n++] = flat ? gx_np_reshape(&s, r.inverse, a->ndim, gx_shape(a)) : r.inverse;
    if (want[2]) give[n++] = r.counts;
    if (n == 1) return gx_np_give_array(&s, give[0], out);
    return gx_np_give_tuple(&s, n, give, out);
}

/* By looking up a (of a set's dtype) in the sorted set. */
static gx_array *look_up(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    gx_array *sorted = gx_np_sorted(s, gx_np_flat(s, set), 0);
    gx_array *at = gx_np_search(s, sorted, a, false);
    at = at ? gx_np_op2(s, GX_OP_minimum, at, gx_np_i64(s, set->count - 1)) : NULL;
    gx_array *found = at ? gx_np_take(s, sorted, at, 0) : NULL;
    return gx_np_op2(s, invert ? GX_OP_not_equal : GX_OP_equal, found, a);
}

/* Fewer are compared one by one, as NumPy's: an int64 and a uint64 are then not rounded. */
enum { MANY_MEMBERS = 10 };

static gx_array *few_members(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    gx_array *is = NULL, *flat = gx_np_flat(s, set);
    for (int64_t i = 0; i < set->count; i++) {
        gx_array *one = flat ? gx_np_op2(s, GX_OP_equal, a, gx_np_at(s, flat, 0, i)) : NULL;
        is = i ? gx_np_op2(s, GX_OP_logical_or, is, one) : one;
        if (!is) return NULL;
    }
    return invert ? gx_np_op1(s, GX_OP_logical_not, is) : is;
}

/* Which elements of a are among the elements of set. */
static gx_array *member_mask(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    if (!a || !set) return NULL;
    gx_array *both[2] = {a, set}, *values;
    if (!gx_np_ranked(s, 2, both, &values)) return NULL;
    a = both[0];
    set = both[1];
    if (set->count && set->count < MANY_MEMBERS) return few_members(s, a, set, invert);
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)set->dtype);
    gx_array *x = gx_np_cast(s, a, d), *among = gx_np_cast(s, set, d), *r;
    if (!x || !among || !gx_array_members(s->rt, x, among, invert, &r)) return NULL;
    return r ? gx_np_own(s, r) : look_up(s, x, among, invert);
}

static bool isin_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *set = NULL;
    const char *kind = "";
    size_t length;
    bool invert;
    if (!a || !gx_arg_bool(c, 3, &invert) ||
        (gx_arg_some(c, 4) && !gx_arg_str(c, 4, &kind, &length)))
        return gx_np_end(&s, false);
    if (*kind && strcmp(kind, "sort") != 0 && strcmp(kind, "table") != 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "isin.kind",
                                     "Invalid kind: '%s'. Please use None, 'sort' or 'table'.",
                                     kind));
    if (c->argv[1].tag == GX_SET) { /* one object, which no number equals */
        gx_array *none = gx_np_zeros(&s, GX_bool, a->ndim, gx_shape(a));
        return gx_np_give_array(
            &s, gx_np_viewed(&s, invert ? gx_np_op1(&s, GX_OP_logical_not, none) : none), out);
    }
    set = gx_np_arr(&s, c->argv[1]);
    if (set && strcmp(kind, "table") == 0 &&
        (gx_np_is_float(a->dtype) || gx_np_is_float(set->dtype)))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "isin.kind",
                                     "The 'table' method is only supported for boolean or integer "
                                     "arrays. Please select 'sort' or None for kind."));
    gx_array *is = gx_np_contiguous(&s, member_mask(&s, a, set, invert));
    return gx_np_give_array(&s, gx_np_viewed(&s, is), out);
}

const gx_native gx_np_set_functions[] = {
    {"unique",
     "unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
     "equal_nan=True, sorted=True)",
     "The sorted distinct elements; if asked for also first indices, inverse indices and counts.",
     "unique([3, 1, 3])  # [1 3]", unique_fn, 0, 0},
    {"isin", "isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
     "Where an element is among test_elements, as bool in the shape of element.",
     "isin([1, 2, 3], [2])  # [False  True False]", isin_fn, 0, 0},
    {.name = NULL},
};
