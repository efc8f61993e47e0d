/* Arrays joined, split, repeated, shifted and padded. Everything is stores into parts of a new
   array; splits are views. */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/common_dtype.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/methods.h"

extern const gx_native gx_np_join_functions[];

/* --- concatenate and kin --- */

static bool fits(gx_np *s, gx_array *a, gx_array *b, int axis, int i) {
    gx_rt *rt = s->rt;
    if (a->ndim != b->ndim)
        return gx_fail(rt, GX_ValueError, "concatenate.dims",
                       "all the input array dimensions must match, but the array at index 0 has %d "
                       "dimension(s) and the array at index %d has %d dimension(s)",
                       a->ndim, i, b->ndim);
    for (int d = 0; d < a->ndim; d++)
        if (d != axis && gx_shape(a)[d] != gx_shape(b)[d])
            return gx_fail(rt, GX_ValueError, "concatenate.shape",
                           "all the input array dimensions except for the concatenation axis must "
                           "match exactly, but along dimension %d, the array at index 0 has size "
                           "%lld and the array at index %d has size %lld",
                           d, (long long)gx_shape(a)[d], i, (long long)gx_shape(b)[d]);
    return true;
}

/* n arrays joined with every check. */
static gx_array *join_as(gx_np *s, int n, gx_array **a, int64_t axis, gx_dtype d, gx_casting rule) {
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    int at;
    gx_np_dtypes all = 0;
    if (n == 0) {
        gx_fail(s->rt, GX_ValueError, "concatenate.empty",
                "need at least one array to concatenate");
        return NULL;
    }
    if (a[0]->ndim == 0) {
        gx_fail(s->rt, GX_ValueError, "concatenate.scalar",
                "zero-dimensional arrays cannot be concatenated");
        return NULL;
    }
    if (!gx_axis(s->rt, axis, a[0]->ndim, &at)) return NULL;
    for (int i = 1; i < n; i++)
        if (!fits(s, a[0], a[i], at, i)) return NULL;
    for (int i = 0; d == GX_NO_DTYPE && rule < GX_CAST_SAME_KIND && i < n; i++)
        if (!gx_is_kind(a[i]->dtype)) all = gx_np_with_dtype(all, a[i]->dtype);
    if (all) d = gx_np_common(all);
    for (int i = 0; d != GX_NO_DTYPE && i < n; i++)
        if (!gx_can_cast((gx_dtype)a[i]->dtype, d, rule)) {
            gx_fail(s->rt, GX_TypeError, "dtype.cast",
                    "Cannot cast array data from dtype('%s') to dtype('%s') according to the rule "
                    "'%s'",
                    gx_dtypes[a[i]->dtype].name, gx_dtypes[d].name, names[rule]);
            return NULL;
        }
    return gx_np_concat(s, n, a, at, d);
}

static gx_array *join(gx_np *s, int n, gx_array **a, int64_t axis, gx_dtype d) {
    return join_as(s, n, a, axis, d, GX_CAST_SAME_KIND);
}

/* dtype= and casting=, and at most one of dtype= and out=. */
static bool cast_args(gx_call *c, int out, int dtype, gx_dtype *d, gx_casting *rule) {
    if (out && gx_arg_some(c, out) && gx_arg_some(c, dtype))
        return gx_fail(c->rt, GX_TypeError, "arg.both",
                       "%s() only takes `out` or `dtype` as an argument, but both were provided.",
                       c->fn->name);
    return gx_np_dtype_arg(c, dtype, d) && gx_casting_of(c->rt, c->argv[dtype + 1], rule);
}

/* Python numbers among arrays that are joined flat are weak: they take the dtype of the others. */
static bool weaken(gx_np *s, gx_borrowed seq, int n, gx_array **a) {
    const gx_value *items;
    int64_t given;
    gx_dtype d = GX_NO_DTYPE;
    gx_value *kinds = gx_np_room(s, n + 1, sizeof *kinds); /* numbers, and arrays of all others */
    if (!kinds || !gx_np_items(s, seq, &items, &given)) return false;
    for (int i = 0; given == n && i < n; i++)
        kinds[i] = gx_operand_kind(items[i]) == GX_OPERAND_WEAK ? items[i] : gx_np_value(a[i]);
    for (int i = 0; given == n && i < n; i++) {
        if (gx_operand_kind(items[i]) != GX_OPERAND_WEAK) continue;
        if (d == GX_NO_DTYPE && !gx_np_result_type(s->rt, n, kinds, &d)) return false;
        if (!(a[i] = gx_np_cast(s, a[i], d))) return false;
    }
    return true;
}

static bool concatenate_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array **a;
    int64_t axis = 0;
    gx_dtype d;
    bool flat = gx_arg_given(c, 1) && c->argv[1].tag == GX_NONE;
    if (gx_arg_given(c, 1) && gx_is_array(c->argv[1])) {
        gx_fail(c->rt, GX_TypeError, "arg.arrays",
                "%s takes one list of arrays; got an array as the axis", c->fn->name);
        gx_help(c->rt, "%s([a, b])", c->fn->name);
        return gx_np_end(&s, false);
    }
    gx_casting rule;
    if (!gx_np_out_arg(c, 2)) return gx_np_end(&s, false);
    if (gx_arg_given(c, 1) && c->argv[1].tag == GX_BOOL)
        return gx_np_end(&s, gx_arg_wrong(c, 1, "an integer, not a bool"));
    if (!gx_np_arrays(&s, c->argv[0], c->fn->name, &n, &a) || (!flat && !gx_arg_int(c, 1, &axis)) ||
        !cast_args(c, 2, 3, &d, &rule))
        return gx_np_end(&s, false);
    if (d == GX_NO_DTYPE && gx_is_array(c->argv[2])) d = (gx_dtype)gx_as_array(c->argv[2])->dtype;
    for (int i = 0; flat && i < n; i++)
        if (!(a[i] = gx_np_flat(&s, a[i]))) return gx_np_end(&s, false);
    if (flat && d == GX_NO_DTYPE && !weaken(&s, c->argv[0], n, a)) return gx_np_end(&s, false);
    gx_array *r = join_as(&s, n, a, axis, d, rule);
    if (gx_arg_some(c, 2)) return gx_np_give_out(&s, r, c->argv[2], out);
    return gx_np_give_array(&s, r, out);
}

static bool stack_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n, axis;
    gx_array **a;
    gx_dtype d;
    gx_casting rule;
    if (!gx_np_arrays(&s, c->argv[0], "stack", &n, &a) || !cast_args(c, 2, 3, &d, &rule))
        return gx_np_end(&s, false);
    if (n == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "concatenate.empty",
                                     "need at least one array to stack"));
    for (int i = 0; i < n; i++) {
        if (a[i]->ndim != a[0]->ndim ||
            memcmp(gx_shape(a[i]), gx_shape(a[0]), a[0]->ndim * sizeof(int64_t)) != 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "stack.shape",
                                         "all input arrays must have the same shape"));
    }
    if (!gx_np_axis_arg(c, 1, a[0]->ndim + 1, 0, &axis)) return gx_np_end(&s, false);
    for (int i = 0; i < n; i++)
        if (!(a[i] = gx_np_expand(&s, a[i], a[i]->ndim + 1, UINT64_C(1) << axis)))
            return gx_np_end(&s, false);
    gx_array *r = join_as(&s, n, a, axis, d, rule);
    if (gx_arg_some(c, 2)) return gx_np_give_out(&s, r, c->argv[2], out);
    return gx_np_give_array(&s, r, out);
}

/* vstack, hstack, dstack: arrays of at least `dims` dims joined along an axis. */
static bool stack_along(gx_call *c, int dims, int axis, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array **a;
    gx_dtype d = GX_NO_DTYPE;
    gx_casting rule = GX_CAST_SAME_KIND; /* dstack has neither */
    if (!gx_np_arrays(&s, c->argv[0], c->fn->name, &n, &a) ||
        (dims < 3 && !cast_args(c, 0, 1, &d, &rule)))
        return gx_np_end(&s, false);
    for (int i = 0; i < n; i++)
        if (!(a[i] = gx_np_at_least(&s, a[i], dims))) return gx_np_end(&s, false);
    if (axis == 1 && dims == 1 && n && a[0]->ndim == 1) axis = 0;
    return gx_np_give_array(&s, join_as(&s, n, a, axis, d, rule), out);
}

static bool vstack_fn(gx_call *c, gx_value *out) {
    return stack_along(c, 2, 0, out);
}
static bool hstack_fn(gx_call *c, gx_value *out) {
    return stack_along(c, 1, 1, out);
}
static bool dstack_fn(gx_call *c, gx_value *out) {
    return stack_along(c, 3, 2, out);
}

static bool column_stack_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array **a;
    if (!gx_np_arrays(&s, c->argv[0], "column_stack", &n, &a)) return gx_np_end(&s, false);
    for (int i = 0; i < n; i++) {
        if (a[i]->ndim < 2) {
            const int64_t shape[2] = {a[i]->count, 1};
            a[i] = gx_np_reshape(&s, a[i], 2, shape);
        }
        if (!a[i]) return gx_np_end(&s, false);
    }
    return gx_np_give_array(&s, join(&s, n, a, 1, GX_NO_DTYPE), out);
}

static bool append_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a[2] = {gx_np_arr(&s, c->argv[0]), gx_np_arr(&s, c->argv[1])};
    int64_t axis = 0;
    if (!a[0] || !a[1]) return gx_np_end(&s, false);
    if (gx_arg_some(c, 2)) {
        if (!gx_arg_int(c, 2, &axis)) return gx_np_end(&s, false);
    } else {
        a[0] = gx_np_flat(&s, a[0]);
        a[1] = gx_np_flat(&s, a[1]);
        if (!a[0] || !a[1]) return gx_np_end(&s, false);
    }
    return gx_np_give_array(&s, join(&s, 2, a, axis, GX_NO_DTYPE), out);
}

/* block of nested lists: the innermost lists join along the last axis, each list outside one axis
   further out. */
static int block_depth(gx_borrowed v) {
    int depth = 0;
    const gx_value *items;
    while (v.tag == GX_LIST && depth <= GX_MAX_DIMS) { /* a list may contain itself */
        depth++;
        if (gx_sequence_items(v, &items) == 0) break;
        v = items[0];
    }
    return depth;
}

static gx_array *block_join(gx_np *s, gx_borrowed v, int depth, int ndim, int level) {
    if (level > GX_MAX_DIMS) {
        gx_fail(s->rt, GX_ValueError, "shape.dims", "block: lists nested more than %d deep",
                GX_MAX_DIMS);
        return NULL;
    }
    if (v.tag != GX_LIST) {
        gx_array *a = gx_np_arr(s, v);
        if (!a || a->ndim >= ndim) return a;
        return gx_np_expand(s, a, ndim, gx_np_first(ndim - a->ndim));
    }
    const gx_value *items;
    int64_t n;
    if (!gx_np_items(s, v, &items, &n)) return NULL;
    gx_array **a = gx_np_room(s, n + 1, sizeof *a);
    if (!a) return NULL;
    for (int64_t i = 0; i < n; i++)
        if (!(a[i] = block_join(s, items[i], depth, ndim, level + 1))) return NULL;
    return join(s, (int)n, a, ndim - depth + level, GX_NO_DTYPE);
}

static int block_ndim(gx_np *s, gx_borrowed v, int level) {
    if (level > GX_MAX_DIMS) return level;
    if (v.tag == GX_TUPLE) {
        gx_fail(s->rt, GX_TypeError, "block.tuple",
                "block: a tuple stands among the blocks; only lists arrange them");
        gx_help(s->rt, "write [...] for (...)");
        return 0;
    }
    if (v.tag != GX_LIST) {
        gx_array *a = gx_np_arr(s, v);
        return a ? a->ndim : 0;
    }
    const gx_value *items;
    int64_t n;
    int most = 0;
    if (!gx_np_items(s, v, &items, &n)) return 0;
    for (int64_t i = 0; i < n; i++) {
        int d = block_ndim(s, items[i], level + 1);
        most = d > most ? d : most;
    }
    return most;
}

static bool block_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int depth = block_depth(c->argv[0]), ndim = block_ndim(&s, c->argv[0], 0);
    if (gx_failed(&c->rt->error)) return gx_np_end(&s, false);
    gx_array *r = block_join(&s, c->argv[0], depth, depth > ndim ? depth : ndim, 0);
    return gx_np_give_array(&s, depth ? r : gx_np_copy(&s, r, 'C'), out);
}

/* --- splitting --- */

static bool split_list(gx_np *s, gx_array *a, int axis, int64_t parts, const int64_t *cuts,
                       int64_t n, gx_value *out) {
    int64_t size = gx_shape(a)[axis], count = cuts ? n + 1 : parts, at = 0;
    gx_array **r =
        count > INT32_MAX ? gx_np_room(s, INT64_MAX, 1) : gx_np_room(s, count, sizeof *r);
    if (!r) return gx_np_end(s, false);
    for (int64_t i = 0; i < count; i++) {
        int64_t from = at, to;
        if (cuts) {
            from = i ? cuts[i - 1] : 0;
            to = i < n ? cuts[i] : size;
            from = from < 0 ? (from + size < 0 ? 0 : from + size) : from > size ? size : from;
            to = to < 0 ? (to + size < 0 ? 0 : to + size) : to > size ? size : to;
        } else
            to = at + size / parts + (i < size % parts);
        r[i] = gx_np_slice(s, a, axis, from, 1, to > from ? to - from : 0);
        at = to;
    }
    return gx_np_give_list(s, (int)count, r, out);
}

static bool split_axis(gx_call *c, gx_np *s, gx_array *a, int axis, bool equal, gx_value *out) {
    int64_t parts;
    gx_try is = a ? gx_as_index(c->rt, c->argv[1], &parts) : GX_TRY_ERROR;
    if (is == GX_TRY_ERROR) return gx_np_end(s, false);
    double x;
    const gx_value *items;
    bool even = equal;
    if (is == GX_TRY_NO && gx_sequence_items(c->argv[1], &items) < 0 &&
        !(gx_is_array(c->argv[1]) && gx_as_array(c->argv[1])->ndim)) { /* 6 / 2 parts */
        is = gx_as_double(c->rt, c->argv[1], &x);
        if (is == GX_TRY_ERROR) return gx_np_end(s, false);
        if (is == GX_TRY_YES && equal && x != 0 && fmod((double)gx_shape(a)[axis], x) != 0)
            return gx_np_end(s, gx_fail(c->rt, GX_ValueError, "split.equal",
                                        "array split does not result in an equal division"));
        if (is == GX_TRY_YES) parts = x >= 1 && x < 0x1p62 ? (int64_t)x : 0;
        even = is == GX_TRY_YES && x == 0 && equal;
    }
    if (is == GX_TRY_YES) {
        if (parts == 0 && even)
            return gx_np_end(s, gx_fail(c->rt, GX_ZeroDivisionError, "split.sections",
                                        "number sections must be larger than 0."));
        if (parts <= 0)
            return gx_np_end(s, gx_fail(c->rt, GX_ValueError, "split.sections",
                                        "number sections must be larger than 0."));
        if (even && gx_shape(a)[axis] % parts) /* also a size of parts that is no divisor */
            return gx_np_end(s, gx_fail(c->rt, GX_ValueError, "split.equal",
                                        "array split does not result in an equal division"));
        return split_list(s, a, axis, parts, NULL, 0, out);
    }
    gx_array *given = gx_np_arr(s, c->argv[1]);
    if (!given) return gx_np_end(s, false);
    if (given->ndim > 1 || (gx_np_is_float(given->dtype) && given->count) ||
        gx_is_kind(given->dtype))
        return gx_np_end(s, gx_arg_wrong(c, 1, "a number of parts, or positions in a row"));
    gx_array *cuts = gx_np_fresh(s, gx_np_flat(s, given), GX_i64);
    const int64_t *at = gx_np_data(s, cuts);
    return at ? split_list(s, a, axis, 0, at, cuts->count, out) : gx_np_end(s, false);
}

static bool split(gx_call *c, bool equal, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis;
    if (a && a->ndim == 0 && !gx_is_array(c->argv[0]))
        return gx_np_end(&s, gx_arg_wrong(c, 0, "an array of at least one dimension"));
    if (!a || !gx_np_axis_arg(c, 2, a->ndim, 0, &axis)) return gx_np_end(&s, false);
    return split_axis(c, &s, a, axis, equal, out);
}

static bool split_fn(gx_call *c, gx_value *out) {
    return split(c, true, out);
}
static bool array_split_fn(gx_call *c, gx_value *out) {
    return split(c, false, out);
}

/* Along a fixed axis of an array with at least `dims` dims. */
static bool split_fixed(gx_call *c, int axis, int dims, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (a && a->ndim < dims)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "split.dims",
                                     "%s only works on arrays of %d or more dimensions",
                                     c->fn->name, dims));
    return split_axis(c, &s, a, axis, true, out);
}

static bool vsplit_fn(gx_call *c, gx_value *out) {
    return split_fixed(c, 0, 2, out);
}
static bool dsplit_fn(gx_call *c, gx_value *out) {
    return split_fixed(c, 2, 3, out);
}
static bool hsplit_fn(gx_call *c, gx_value *out) {
    bool flat = gx_is_array(c->argv[0]) && gx_as_array(c->argv[0])->ndim == 1;
    return split_fixed(c, flat ? 0 : 1, flat ? 1 : 2, out);
}

static bool unstack_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis;
    if (!a || !gx_np_target_axis(c, 1, a->ndim, &axis)) return gx_np_end(&s, false);
    a = gx_np_moveaxis(&s, a, axis, 0); /* its items: of a vector they are numbers */
    return gx_np_end(&s, a && gx_tuple_of(c->rt, gx_np_value(a), out));
}

#define STACK_SIG "(tup, *, dtype=None, casting='same_kind')"
const gx_native gx_np_join_functions[] = {
    {"concatenate", "concatenate(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
     "Joins arrays along an existing axis; their other sizes must agree, or ValueError.",
     "concatenate([[1, 2], [3]])  # [1 2 3]", concatenate_fn, 0, 0},
    {"stack", "stack(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
     "Joins arrays of one shape along a new axis.",
     "stack([[1, 2], [3, 4]], axis=1).tolist()  # [[1, 3], [2, 4]]", stack_fn, 0, 0},
    {"vstack", "vstack" STACK_SIG, "Joins arrays along the first axis; 1-d ones become rows.",
     "vstack([[1, 2], [3, 4]]).tolist()  # [[1, 2], [3, 4]]", vstack_fn, 0, 0},
    {"hstack", "hstack" STACK_SIG, "Joins arrays along the second axis; 1-d ones along the first.",
     "hstack([[1, 2], [3]])  # [1 2 3]", hstack_fn, 0, 0},
    {"dstack", "dstack(tup)",
     "Joins arrays along the third axis; those of fewer axes get new ones of size 1.",
     "dstack([[1, 2], [3, 4]]).tolist()  # [[[1, 3], [2, 4]]]", dstack_fn, 0, 0},
    {"column_stack", "column_stack(tup)",
     "Joins 1-d arrays as the columns of a matrix, 2-d arrays side by side.",
     "column_stack([[1, 2], [3, 4]]).tolist()  # [[1, 3], [2, 4]]", column_stack_fn, 0, 0},
    {"append", "append(arr, values, axis=None)",
     "A copy with values joined at the end of an axis; without an axis, both are flattened.",
     "append([1, 2], [3])  # [1 2 3]", append_fn, 0, 0},
    {"block", "block(arrays)",
     "Joins nested lists of arrays into one: the innermost lists along the last axis.",
     "block([[array([[1]]), array([[2]])]]).tolist()  # [[1, 2]]", block_fn, 0, 0},
    {"split", "split(ary, indices_or_sections, axis=0)",
     "Splits an array into a list of views: n equal parts (ValueError if uneven), or cut at "
     "indices.",
     "split(arange(4), 2)  # [array([0, 1]), array([2, 3])]", split_fn, 0, 0},
    {"array_split", "array_split(ary, indices_or_sections, axis=0)",
     "Splits as split() does; the axis need not divide evenly, so sizes may differ by one.",
     "array_split(arange(3), 2)  # [array([0, 1]), array([2])]", array_split_fn, 0, 0},
    {"hsplit", "hsplit(ary, indices_or_sections)",
     "Splits an array along its second axis (of a 1-d one, the first): into equal parts, or at "
     "indices.",
     "hsplit(arange(4), 2)  # [array([0, 1]), array([2, 3])]", hsplit_fn, 0, 0},
    {"vsplit", "vsplit(ary, indices_or_sections)",
     "Splits an array of at least two axes along the first: into equal parts, or at indices.",
     "len(vsplit(zeros((4, 2)), 2))  # 2", vsplit_fn, 0, 0},
    {"dsplit", "dsplit(ary, indices_or_sections)",
     "Splits an array along its third axis: into equal parts, or at indices.",
     "len(dsplit(zeros((1, 1, 4)), 2))  # 2", dsplit_fn, 0, 0},
    {"unstack", "unstack(x, /, *, axis=0)",
     "Splits an array along an axis into a tuple of views without that axis.",
     "unstack(array([[1, 2], [3, 4]]))  # (array([1, 2]), array([3, 4]))", unstack_fn, 0, 0},
    {.name = NULL},
};
