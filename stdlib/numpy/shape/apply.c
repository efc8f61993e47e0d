/* Functions of the script for arrays: apply_along_axis, apply_over_axes. Each line is one call; the
   results are gathered into an array. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/python/walk.h"

extern const gx_native gx_np_apply_functions[];

/* --- calls with more arguments behind --- */

enum { MOST_ARGS = 16 };

/* fn(first, *args, **kwargs) */
static bool call_with(gx_rt *rt, gx_borrowed fn, gx_borrowed first, gx_borrowed args,
                      gx_borrowed kwargs, gx_value *out) {
    gx_value argv[MOST_ARGS];
    gx_sym names[MOST_ARGS];
    const gx_tuple *t = gx_as_tuple(args);
    gx_dict *d = gx_as_dict(kwargs);
    int n = 0, named = 0;
    int64_t at = 0;
    gx_entry *e;
    if (t->count + d->count + 1 > MOST_ARGS)
        return gx_fail(rt, GX_TypeError, "apply.args", "more than %d arguments", MOST_ARGS);
    argv[n++] = first;
    for (int64_t i = 0; i < t->count; i++) argv[n++] = t->items[i];
    while ((e = gx_dict_next(d, &at))) {
        if (!(names[named] = gx_str_sym(rt, e->key))) return false;
        argv[n + named++] = e->value;
    }
    return gx_call_value(rt, fn, n, argv, named, names, out);
}

/* What is given for one line, as an array of the scope; NULL: an error. */
static gx_array *line_result(gx_np *s, gx_call *c, gx_array *rows, int64_t i) {
    gx_value v;
    gx_array *line = gx_np_at(s, rows, 0, i);
    if (!line || !call_with(s->rt, c->argv[0], gx_np_value(line), c->argv[3], c->argv[4], &v) ||
        !gx_np_hold(s, v))
        return NULL;
    return gx_np_arr(s, v);
}

static bool apply_along_axis_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[2]), *first, *r;
    int axis, outer;
    int64_t shape[GX_MAX_DIMS], flat[2], full[GX_MAX_DIMS + 1];
    if (!a || !gx_np_axis_arg(c, 1, a->ndim, 0, &axis)) return gx_np_end(&s, false);
    gx_array *moved = gx_np_moveaxis(&s, a, axis, a->ndim - 1);
    if (!moved) return gx_np_end(&s, false);
    outer = a->ndim - 1;
    memcpy(shape, gx_shape(moved), (size_t)outer * sizeof *shape);
    flat[0] = gx_np_size(outer, shape);
    flat[1] = gx_shape(moved)[outer];
    if (flat[0] == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.empty",
                                     "Cannot apply_along_axis when any iteration dimensions are "
                                     "0"));
    gx_array *rows = gx_np_reshape(&s, moved, 2, flat);
    if (!rows || !(first = line_result(&s, c, rows, 0))) return gx_np_end(&s, false);
    if (outer + first->ndim > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.dims", "too many dimensions"));
    full[0] = flat[0];
    memcpy(full + 1, gx_shape(first), (size_t)first->ndim * sizeof *full);
    r = gx_np_empty(&s, (gx_dtype)first->dtype, first->ndim + 1, full);
    for (int64_t i = 0; r && i < flat[0]; i++) {
        gx_np t = gx_np_begin_at(c->rt, s.ns); /* what a line made is dropped at once */
        gx_array *one = i ? line_result(&t, c, rows, i) : first, *to = gx_np_at(&t, r, 0, i);
        bool ok = one && to && gx_array_store(c->rt, to, one);
        if (!gx_np_end(&t, ok)) return gx_np_end(&s, false);
    }
    memcpy(shape + outer, gx_shape(first), (size_t)first->ndim * sizeof *shape);
    r = gx_np_reshape(&s, r, outer + first->ndim, shape);
    /* The dims of a result stand where the axis stood. */
    for (int i = 0; i < first->ndim; i++) r = gx_np_moveaxis(&s, r, outer + i, axis + i);
    return gx_np_give_array(&s, r, out);
}

static bool apply_over_axes_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[1]), *axes = gx_np_arr_as(&s, c->argv[2], GX_i64);
    axes = gx_np_contiguous(
        &s, gx_np_flat(&s, axes && !axes->ndim ? gx_np_expand(&s, axes, 1, 1) : axes));
    const int64_t *list = gx_np_data(&s, axes);
    if (!a || !list) return gx_np_end(&s, false);
    for (int64_t i = 0; i < axes->count; i++) {
        int axis;
        gx_value v;
        if (!gx_axis(c->rt, list[i], a->ndim, &axis)) return gx_np_end(&s, false);
        const gx_value argv[2] = {gx_np_value(a), gx_int(axis)};
        if (!gx_call2(c->rt, c->argv[0], argv[0], argv[1], &v) || !gx_np_hold(&s, v))
            return gx_np_end(&s, false);
        gx_array *r = gx_np_arr(&s, v);
        if (r && r->ndim == a->ndim - 1) r = gx_np_expand(&s, r, a->ndim, UINT64_C(1) << axis);
        if (r && r->ndim != a->ndim)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.shape",
                                         "function is not returning an array of the correct "
                                         "shape"));
        if (!(a = r)) return gx_np_end(&s, false);
    }
    return gx_np_give_array(&s, a, out);
}

const gx_native gx_np_apply_functions[] = {
    {"apply_along_axis", "apply_along_axis(func1d, axis, arr, *args, **kwargs)",
     "The results of a function for each vector along an axis.",
     "apply_along_axis(sum, 1, [[1, 2], [3, 4]])  # [3 7]", apply_along_axis_fn, 0, 0},
    {"apply_over_axes", "apply_over_axes(func, a, axes)",
     "Calls a function with an axis argument for one axis after the other.",
     "apply_over_axes(sum, [[1, 2], [3, 4]], [0, 1]).tolist()  # [[10]]", apply_over_axes_fn, 0, 0},
    {.name = NULL},
};
