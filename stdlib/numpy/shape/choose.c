/* Elements chosen: select, piecewise, choose, place, trim_zeros, real_if_close, sort_complex,
 * top_k. */
#include <string.h>

#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_choose_functions[];

/* --- select --- */

static bool select_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_value conditions, choices;
    if (!gx_tuple_of(c->rt, c->argv[0], &conditions) || !gx_np_hold(&s, conditions) ||
        !gx_tuple_of(c->rt, c->argv[1], &choices) || !gx_np_hold(&s, choices))
        return gx_np_end(&s, false);
    const gx_tuple *conds = gx_as_tuple(conditions), *list = gx_as_tuple(choices);
    if (conds->count != list->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "select.length",
                                     "list of cases must be same length as list of conditions"));
    if (!conds->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "select.empty",
                                     "select with an empty condition list is not possible"));
    gx_value *all = gx_np_room(&s, list->count + 1, sizeof *all);
    gx_dtype d;
    if (!all) return gx_np_end(&s, false);
    memcpy(all, list->items, (size_t)list->count * sizeof *all);
    all[list->count] = c->argv[2];
    if (!gx_np_result_type(c->rt, (int)list->count + 1, all, &d)) return gx_np_end(&s, false);
    gx_array *r = gx_np_arr_as(&s, c->argv[2], d);
    for (int64_t i = conds->count; r && i-- > 0;) {
        gx_array *cond = gx_np_arr(&s, conds->items[i]);
        if (cond && cond->dtype != GX_bool)
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "select.bool",
                                         "invalid entry %lld in condlist: should be boolean "
                                         "ndarray",
                                         (long long)i));
        r = gx_np_op3(&s, GX_OP_where, cond, gx_np_arr_as(&s, list->items[i], d), r);
    }
    return gx_np_give_array(&s, r, out);
}

/* --- piecewise --- */

/* out[where] = what the i-th function (or value) gives for x[where]. */
static bool put_piece(gx_np *s, gx_call *c, gx_array *r, gx_array *x, gx_array *where,
                      gx_borrowed fn) {
    enum { MOST = 16 };
    gx_value part, v, argv[MOST];
    gx_value key = gx_np_value(where);
    if (!where) return false;
    if (!gx_callable(fn)) return gx_array_set(s->rt, r, key, fn);
    if (!gx_array_get(s->rt, x, key, &part)) return false;
    const gx_tuple *more = gx_as_tuple(c->argv[3]);
    bool ok = true;
    int64_t n = more->count;
    if (n + 1 > MOST) ok = gx_fail(s->rt, GX_TypeError, "piecewise.args", "too many arguments");
    if (ok && gx_is_array(part) && gx_as_array(part)->count == 0) {
        gx_drop(part);
        return true;
    }
    argv[0] = part;
    for (int64_t i = 0; ok && i < n; i++) argv[i + 1] = more->items[i];
    ok = ok && gx_call_value(s->rt, fn, 1 + (int)n, argv, 0, NULL, &v);
    gx_drop(part);
    if (!ok) return false;
    ok = gx_array_set(s->rt, r, key, v);
    gx_drop(v);
    return ok;
}

static bool piecewise_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]);
    gx_value functions, conditions;
    const gx_value *items;
    if (!x || !gx_tuple_of(c->rt, c->argv[2], &functions) || !gx_np_hold(&s, functions))
        return gx_np_end(&s, false);
    const gx_tuple *fn = gx_as_tuple(functions);
    /* One condition may stand without a list. */
    int64_t many = gx_sequence_items(c->argv[1], &items);
    bool single =
        many < 0 ? !gx_is_array(c->argv[1]) || gx_as_array(c->argv[1])->ndim <= x->ndim
                 : many > 0 && items[0].tag != GX_LIST && !gx_is_array(items[0]) && x->ndim > 0;
    bool ok = single ? gx_tuple_new(c->rt, 1, &c->argv[1], &conditions)
                     : gx_tuple_of(c->rt, c->argv[1], &conditions);
    if (!ok || !gx_np_hold(&s, conditions)) return gx_np_end(&s, false);
    const gx_tuple *cond = gx_as_tuple(conditions);
    int64_t n = cond->count;
    if (n != fn->count && n + 1 != fn->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "piecewise.length",
                                     "with %lld condition(s), either %lld or %lld functions are "
                                     "expected",
                                     (long long)n, (long long)n, (long long)n + 1));
    gx_array *r = gx_np_zeros(&s, (gx_dtype)x->dtype, x->ndim, gx_shape(x)), *any = NULL;
    for (int64_t i = 0; r && i < n; i++) {
        gx_array *w = gx_np_cast(&s, gx_np_arr(&s, cond->items[i]), GX_bool);
        any = any ? gx_np_op2(&s, GX_OP_logical_or, any, w) : w;
        if (!any) return gx_np_end(&s, false);
    }
    if (r && n + 1 == fn->count &&
        !put_piece(&s, c, r, x, gx_np_op1(&s, GX_OP_logical_not, any), fn->items[n]))
        return gx_np_end(&s, false);
    for (int64_t i = 0; r && i < n; i++)
        if (!put_piece(&s, c, r, x, gx_np_cast(&s, gx_np_arr(&s, cond->items[i]), GX_bool),
                       fn->items[i]))
            return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_laid_as(&s, r, x), out);
}

/* --- choose --- */

/* Positions 0 … n - 1 by a mode; NULL: an error. */
static gx_array *chosen(gx_np *s, gx_array *a, int64_t n, const char *mode) {
    gx_array *top = gx_np_i64(s, n - 1), *zero = gx_np_i64(s, 0);
    if (strcmp(mode, "clip") == 0)
        return gx_np_op2(s, GX_OP_maximum, gx_np_op2(s, GX_OP_minimum, a, top), zero);
    if (strcmp(mode, "wrap") == 0) return gx_np_op2(s, GX_OP_remainder, a, gx_np_i64(s, n));
    if (strcmp(mode, "raise") != 0) {
        gx_fail(s->rt, GX_ValueError, "arg.mode",
                "clipmode must be one of 'clip', 'raise', or 'wrap' (got '%s')", mode);
        return NULL;
    }
    gx_scalar is;
    gx_array *wrong = gx_np_op2(s, GX_OP_logical_or, gx_np_op2(s, GX_OP_less, a, zero),
                                gx_np_op2(s, GX_OP_greater, a, top));
    wrong = gx_np_reduce(s, GX_RED_any, wrong, gx_np_all(a), false, GX_NO_DTYPE);
    if (!wrong || !gx_array_item(s->rt, wrong, &is)) return NULL;
    if (!is.b) return a;
    gx_fail(s->rt, GX_ValueError, "choose.range", "invalid entry in choice array");
    return NULL;
}

static bool choose_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), **list;
    const char *mode;
    size_t length;
    int n, ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!a || !gx_np_arrays(&s, c->argv[1], "choose", &n, &list) ||
        !gx_arg_str(c, 3, &mode, &length))
        return gx_np_end(&s, false);
    if (!gx_can_cast((gx_dtype)a->dtype, GX_i64, GX_CAST_SAFE))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "choose.dtype",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[a->dtype].name));
    if (n == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "choose.empty",
                                     "choose needs at least one array of choices"));
    gx_array *index = chosen(&s, gx_np_cast(&s, a, GX_i64), n, mode);
    gx_array **all = gx_np_room(&s, n + 1, sizeof *all);
    gx_dtype d = (gx_dtype)list[0]->dtype;
    if (!index || !all) return gx_np_end(&s, false);
    memcpy(all, list, (size_t)n * sizeof *all);
    all[n] = index;
    if (!gx_broadcast_shapes(c->rt, n + 1, all, &ndim, shape)) return gx_np_end(&s, false);
    const gx_value *items; /* Python numbers among them are weak */
    int64_t given;
    if (!gx_np_items(&s, c->argv[1], &items, &given) ||
        (given == n && !gx_np_result_type(c->rt, n, items, &d)))
        return gx_np_end(&s, false);
    gx_array *r = gx_np_broadcast(&s, gx_np_cast(&s, list[n - 1], d), ndim, shape);
    for (int i = n - 1; r && i-- > 0;)
        r = gx_np_op3(&s, GX_OP_where, gx_np_op2(&s, GX_OP_equal, index, gx_np_i64(&s, i)),
                      gx_np_cast(&s, list[i], d), r);
    if (gx_arg_some(c, 2)) return gx_np_give_out(&s, r, c->argv[2], out);
    r = gx_np_copy(&s, r, 'C');
    return a->ndim ? gx_np_give_array(&s, r, out) : gx_np_give(&s, r, out);
}

/* --- place --- */

static bool place_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    if (!gx_is_array(c->argv[0]))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "place.array",
                                     "place() argument 1 must be numpy.ndarray, not %s",
                                     gx_type_name(c->argv[0])));
    gx_array *a = gx_np_arr(&s, c->argv[0]), *places[GX_MAX_DIMS];
    gx_array *mask = gx_np_flat(&s, gx_np_cast(&s, gx_np_arr(&s, c->argv[1]), GX_bool));
    gx_array *v = a ? gx_np_flat(&s, gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype)) : NULL;
    if (!a || !mask || !v) return gx_np_end(&s, false);
    if (mask->count != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "place.size",
                                     "place: mask and data must be the same size"));
    if (!gx_nonzero(c->rt, mask, places) || !gx_np_own(&s, places[0])) return gx_np_end(&s, false);
    int64_t n = places[0]->count;
    if (n && !v->count)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "place.empty", "Cannot insert from an empty array!"));
    if (n) {
        gx_array *at = gx_np_op2(&s, GX_OP_remainder, gx_np_iota(&s, n), gx_np_i64(&s, v->count));
        gx_array *values = gx_np_take(&s, v, at, 0);
        if (!values) return gx_np_end(&s, false);
        const gx_value argv[3] = {gx_np_value(a), gx_np_value(places[0]), gx_np_value(values)};
        gx_value none;
        if (!gx_np_call(&s, "put", 3, argv, &none)) return gx_np_end(&s, false);
        gx_drop(none);
    }
    *out = gx_none();
    return gx_np_end(&s, true);
}

/* --- trim_zeros --- */

/* first and count of what is not zero along an axis. */
static bool not_zero(gx_np *s, gx_array *a, int axis, bool front, bool back, int64_t *first,
                     int64_t *count) {
    gx_array *any = gx_np_cast(s, a, GX_bool);
    any =
        gx_np_reduce(s, GX_RED_any, any, gx_np_all(a) & ~(UINT64_C(1) << axis), false, GX_NO_DTYPE);
    any = gx_np_contiguous(s, any);
    const uint8_t *x = gx_np_data(s, any);
    if (!x) return false;
    int64_t n = any->count, low = 0, high = n;
    while (low < n && !x[low]) low++;
    while (high > low && !x[high - 1]) high--;
    bool none = low == n;
    if (!front && !(none && back)) low = 0;
    if (!back && !(none && front)) high = n;
    if (none) low = high = front ? n : 0;
    *first = low;
    *count = high - low;
    return true;
}

static bool trim_zeros_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    const char *text;
    size_t length;
    uint64_t mask;
    if (!a || !gx_arg_str(c, 1, &text, &length) || !gx_axes(c->rt, c->argv[2], a->ndim, &mask))
        return gx_np_end(&s, false);
    bool front = strchr(text, 'f') || strchr(text, 'F'),
         back = strchr(text, 'b') || strchr(text, 'B');
    if (length == 0 || length > 2 || strspn(text, "fbFB") != length)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "trim.trim",
                                     "unexpected character(s) in `trim`: '%s'", text));
    gx_array *r = a;
    for (int axis = 0; r && axis < a->ndim; axis++) {
        int64_t first, count;
        if (!(mask >> axis & 1)) continue;
        if (!not_zero(&s, a, axis, front, back, &first, &count)) return gx_np_end(&s, false);
        r = gx_np_slice(&s, r, axis, first, 1, count);
    }
    if (c->argv[0].tag != GX_LIST && c->argv[0].tag != GX_TUPLE)
        return gx_is_scalar(c->argv[0]) ? gx_np_give(&s, r, out) : gx_np_give_array(&s, r, out);
    /* Of a list, a list. */
    gx_sym name = gx_sym_c(c->rt, "tolist");
    gx_value method, list;
    if (!r || !name || !gx_get_attr(c->rt, gx_np_value(r), name, &method))
        return gx_np_end(&s, false);
    bool ok = gx_call_value(c->rt, method, 0, NULL, 0, NULL, &list);
    gx_drop(method);
    if (!ok) return gx_np_end(&s, false);
    if (c->argv[0].tag == GX_TUPLE) {
        ok = gx_tuple_of(c->rt, list, out);
        gx_drop(list);
        return gx_np_end(&s, ok);
    }
    *out = list;
    return gx_np_end(&s, true);
}

/* --- small ones --- */

static bool real_if_close_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    double tol;
    gx_scalar all;
    if (!a || !gx_arg_float(c, 1, &tol)) return gx_np_end(&s, false);
    if (gx_dtype_kind(a->dtype) != GX_KIND_CPLX) return gx_np_give_array(&s, a, out);
    if (tol > 1) tol *= a->dtype == GX_c64 ? 1.1920928955078125e-07 : 2.220446049250313e-16;
    gx_array *size = gx_np_op1(&s, GX_OP_absolute, gx_np_op1(&s, GX_OP_imag, a));
    gx_array *small = gx_np_op2(&s, GX_OP_less, size, gx_np_f64(&s, tol));
    small = gx_np_reduce(&s, GX_RED_all, small, gx_np_all(a), false, GX_NO_DTYPE);
    if (!small || !gx_array_item(c->rt, small, &all)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, all.b ? gx_np_op1(&s, GX_OP_real, a) : a, out);
}

static bool sort_complex_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_copy(&s, gx_np_arr(&s, c->argv[0]), 'K');
    if (!a) return gx_np_end(&s, false);
    int small = gx_dtype_size(a->dtype) <= 2 && !gx_np_is_float(a->dtype) && a->dtype != GX_bool;
    gx_dtype d = (gx_dtype)a->dtype;
    if (gx_dtype_kind(d) != GX_KIND_CPLX) d = small ? GX_c64 : GX_c128;
    a = gx_np_call_arrays(&s, "sort", 1, a);
    return gx_np_give_array(&s, gx_np_cast(&s, a, d), out);
}

static bool top_k_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int64_t k;
    int axis;
    const char *mode;
    size_t length;
    if (!a || !gx_arg_int(c, 1, &k) || !gx_np_axis_arg(c, 2, a->ndim, 0, &axis) ||
        !gx_arg_str(c, 3, &mode, &length))
        return gx_np_end(&s, false);
    bool largest = strcmp(mode, "largest") == 0;
    if (!largest && strcmp(mode, "smallest") != 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "top_k.mode",
                                     "mode must be 'largest' or 'smallest', not '%s'", mode));
    int64_t n = gx_shape(a)[axis];
    if (k < 0 || k > n)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "top_k.k",
                                     "k is %lld; it must be from 0 to %lld, the axis's length",
                                     (long long)k, (long long)n));
    const gx_value argv[3] = {gx_np_value(a), gx_int(axis), c->argv[5]};
    gx_array *order = gx_np_call_values(&s, "argsort", 2, argv);
    order = largest ? gx_np_slice(&s, order, axis, n ? n - 1 : 0, -1, k)
                    : gx_np_slice(&s, order, axis, 0, 1, k);
    if (!order) return gx_np_end(&s, false);
    const gx_value take[3] = {gx_np_value(a), gx_np_value(order), gx_int(axis)};
    gx_array *const both[2] = {gx_np_call_values(&s, "take_along_axis", 3, take),
                               gx_np_copy(&s, order, 'C')};
    return gx_np_give_tuple(&s, 2, both, out);
}

const gx_native gx_np_choose_functions[] = {
    {"select", "select(condlist, choicelist, default=0)",
     "Elements of the choice whose condition is the first that is true.",
     "select([array([True, False]), array([True, True])], [1, 2])  # [1 2]", select_fn, 0, 0},
    {"piecewise", "piecewise(x, condlist, funclist, *args)",
     "Functions, each of the elements where its condition is true.",
     "piecewise(array([-2.0, 3.0]), [array([True, False])], [lambda v: -v, 10])  # [ 2. 10.]",
     piecewise_fn, 0, 0},
    {"choose", "choose(a, choices, out=None, mode='raise')",
     "Each element from the array of choices that a names.",
     "choose([1, 0], [[1, 2], [3, 4]])  # [3 2]", choose_fn, GX_NATIVE_METHOD, 0},
    {"place", "place(arr, mask, vals)", "Stores values, repeated, where a mask is true.", NULL,
     place_fn, 0, 0},
    {"trim_zeros", "trim_zeros(filt, trim='fb', axis=None)", "The array without zeros at the ends.",
     "trim_zeros([0, 0, 1, 0, 2, 0])  # [1, 0, 2]", trim_zeros_fn, 0, 0},
    {"real_if_close", "real_if_close(a, tol=100)",
     "The real parts if all imaginary parts are rounding errors.",
     "real_if_close([1 + 1e-15j])  # [1.]", real_if_close_fn, 0, 0},
    {"sort_complex", "sort_complex(a)", "Sorted as complex numbers.",
     "sort_complex([2, 1])  # [1.+0.j 2.+0.j]", sort_complex_fn, 0, 0},
    {"top_k", "top_k(a, k, /, *, axis=-1, mode='largest', sorted=True)",
     "The k largest (or smallest) elements and their positions.", "top_k([1, 5, 3], 2)[0]  # [5 3]",
     top_k_fn, 0, 0},
    {.name = NULL},
};
