/* Elements chosen: choose, place. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/object/container/list.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_choose_functions[];

/* Positions 0 … n - 1 by a mode; NULL: an error. */
static gx_array *chosen(gx_np *s, gx_array *a, int64_t n, char mode) {
    gx_array *top = gx_np_i64(s, n - 1), *zero = gx_np_i64(s, 0);
    if (mode == 'c')
        return gx_np_op2(s, GX_OP_maximum, gx_np_op2(s, GX_OP_minimum, a, top), zero);
    if (mode == 'w') return gx_np_op2(s, GX_OP_remainder, a, gx_np_i64(s, n));
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
    char mode;
    int n, ndim;
    int64_t shape[GX_MAX_DIMS];
    gx_value choices = c->argv[1], letters;
    if (choices.tag == GX_STR || choices.tag == GX_BYTES) { /* a row as any other */
        if (!gx_list_of(c->rt, choices, &letters) || !gx_np_hold(&s, letters))
            return gx_np_end(&s, false);
        choices = letters;
    }
    if (!a || !gx_np_arrays(&s, choices, "choose", &n, &list) ||
        !gx_np_clip_mode(c->rt, c->argv[3], &mode))
        return gx_np_end(&s, false);
    if (!gx_can_cast((gx_dtype)a->dtype, GX_i64, GX_CAST_SAFE))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "choose.dtype",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[a->dtype].name));
    const gx_value *items; /* Python numbers among them are weak */
    int64_t given;
    if (!gx_np_items(&s, choices, &items, &given)) return gx_np_end(&s, false);
    if (n == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "choose.empty",
                                     "choose needs at least one array of choices"));
    if (gx_arg_some(c, 2) && !gx_is_array(c->argv[2]))
        return gx_np_end(&s, gx_arg_wrong(c, 2, "an array"));
    gx_array *index = gx_np_cast(&s, a, GX_i64);
    gx_array **all = gx_np_room(&s, n + 1, sizeof *all);
    gx_dtype d = (gx_dtype)list[0]->dtype;
    if (!index || !all) return gx_np_end(&s, false);
    memcpy(all, list, (size_t)n * sizeof *all);
    all[n] = index;
    if (!gx_broadcast_shapes(c->rt, n + 1, all, &ndim, shape)) return gx_np_end(&s, false);
    const bool nothing = gx_np_size(ndim, shape) == 0; /* is chosen */
    if (!nothing && !(index = chosen(&s, index, n, mode))) return gx_np_end(&s, false);
    bool kinds = false; /* whose texts are no names of dtypes */
    for (int i = 0; i < n; i++) kinds = kinds || gx_is_kind(list[i]->dtype);
    for (int i = 1; kinds && i < n; i++)
        if (!gx_promote_any(c->rt, d, (gx_dtype)list[i]->dtype, &d)) return gx_np_end(&s, false);
    if (!kinds && given == n && !gx_np_result_type(c->rt, n, items, &d))
        return gx_np_end(&s, false);
    gx_array *r = gx_np_broadcast(&s, gx_np_cast(&s, list[n - 1], d), ndim, shape);
    for (int i = n - 1; r && i-- > 0;)
        r = gx_np_where(&s, gx_np_op2(&s, GX_OP_equal, index, gx_np_i64(&s, i)),
                      gx_np_cast(&s, list[i], d), r);
    if (r && gx_is_array(c->argv[2])) {
        const gx_array *to = gx_as_array(c->argv[2]);
        if (to->ndim != ndim || memcmp(gx_shape(to), shape, (size_t)ndim * sizeof *shape) != 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "choose.out",
                                         "choose: invalid shape for output array."));
    }
    if (gx_arg_some(c, 2)) return gx_np_give_folded(&s, r, c->argv[2], out);
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
    if (!gx_array_writable(c->rt, gx_as_array(c->argv[0]))) return gx_np_end(&s, false);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_array *mask = gx_np_flat(&s, gx_np_cast(&s, gx_np_arr(&s, c->argv[1]), GX_bool));
    if (a && gx_is_array(c->argv[2]) &&
        !gx_can_cast((gx_dtype)gx_as_array(c->argv[2])->dtype, (gx_dtype)a->dtype, GX_CAST_SAFE))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.cast",
                                     "Cannot cast array data from dtype('%s') to dtype('%s') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[gx_as_array(c->argv[2])->dtype].name,
                                     gx_dtypes[a->dtype].name));
    gx_array *v = a ? gx_np_flat(&s, gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype)) : NULL;
    if (!a || !mask || !v) return gx_np_end(&s, false);
    if (mask->count != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "place.size",
                                     "place: mask and data must be the same size"));
    gx_array *places = gx_np_places(&s, mask);
    if (!places) return gx_np_end(&s, false);
    int64_t n = places->count;
    if (n && !v->count)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "place.empty", "Cannot insert from an empty array!"));
    if (n) {
        gx_array *values = gx_np_cycled(&s, v, n);
        if (!values) return gx_np_end(&s, false);
        const gx_value argv[3] = {gx_np_value(a), gx_np_value(places), gx_np_value(values)};
        gx_value none;
        if (!gx_np_call(&s, "put", 3, argv, &none)) return gx_np_end(&s, false);
        gx_drop(none);
    }
    *out = gx_none();
    return gx_np_end(&s, true);
}

const gx_native gx_np_choose_functions[] = {
    {"choose", "choose(a, choices, out=None, mode='raise')",
     "Takes each element from choices[a], where a holds an integer for every position.",
     "choose([1, 0], [[1, 2], [3, 4]])  # [3 2]", choose_fn, 0, 0},
    {"place", "place(arr, mask, vals)",
     "Stores vals, repeated as needed, in place where the mask is true.", NULL, place_fn, 0, 0},
    {.name = NULL},
};
