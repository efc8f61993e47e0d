/* Shapes as numbers: reading them from values, broadcasting, axes; the errors teach. Views made
   from them are view.c's. */
#include "runtime/array/shape.h"

#include <string.h>

#include "runtime/graph/extent.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"

void gx_contiguous_strides(int ndim, const int64_t *shape, int64_t item, char order,
                           int64_t *strides) {
    int64_t at = item;
    for (int k = 0; k < ndim; k++) {
        int i = order == 'F' ? k : ndim - 1 - k;
        strides[i] = at;
        at *= shape[i] > 0 ? shape[i] : 1;
    }
}

GX_CHECK bool gx_shape_text(gx_buf *out, int ndim, const int64_t *shape) {
    if (!gx_buf_char(out, '(')) return false;
    for (int i = 0; i < ndim; i++) {
        if (!gx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)shape[i])) return false;
    }
    return gx_buf_puts(out, ndim == 1 ? ",)" : ")");
}

static bool one_size(gx_rt *rt, gx_borrowed v, gx_sizes which, const char *name, int64_t *out) {
    if (v.tag == GX_NONE && which & GX_SIZES_NONE) {
        *out = GX_SIZE_NONE;
        return true;
    }
    if (v.tag == GX_BIGINT && which & GX_SIZES_SIGNED) {
        *out = ((const gx_bigint *)(const void *)v.obj)->negative ? INT64_MIN : INT64_MAX;
        return true;
    }
    if (v.tag == GX_BIGINT)
        return gx_fail(rt, GX_ValueError, "shape.large", "Maximum allowed dimension exceeded");
    gx_try t = v.tag == GX_BOOL && !(which & GX_SIZES_BOOLS) ? GX_TRY_NO : gx_as_index(rt, v, out);
    if (t == GX_TRY_ERROR) return false;
    if (t == GX_TRY_NO) {
        return gx_fail(rt, GX_TypeError, "shape.type",
                       "%s: a shape is an integer or a tuple of integers, not %s", name,
                       gx_type_name(v));
    }
    if (*out < 0 && which & GX_SIZES_REST) *out = -1;
    return true;
}

/* The items of a list that a script's code may change while they are looked at: a tuple of them,
   or UNDEF where none of them runs any. False: no memory. */
static bool still(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_value *items;
    int64_t n = v.tag == GX_LIST ? gx_sequence_items(v, &items) : 0;
    *out = gx_undef();
    for (int64_t i = 0; i < n; i++)
        if (items[i].tag != GX_INT) return gx_tuple_of(rt, v, out);
    return true;
}

GX_CHECK bool gx_shape_of_items(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_sizes which,
                                const char *name, int *ndim, int64_t shape[GX_MAX_DIMS]) {
    if (n > GX_MAX_DIMS) return gx_extent_fail_dims(rt, n);
    for (int64_t i = 0; i < n; i++) {
        if (GX_LIKELY(items[i].tag == GX_INT && items[i].i >= 0))
            shape[i] = items[i].i;
        else if (!one_size(rt, items[i], which, name, &shape[i]))
            return false;
    }
    for (int64_t i = 0; i < n; i++) /* behind those that are no integers */
        if (shape[i] < 0 && !(which & (GX_SIZES_REST | GX_SIZES_SIGNED)))
            return gx_fail(rt, GX_ValueError, "shape.negative",
                           "%s: negative dimensions are not allowed", name);
    *ndim = (int)n;
    if (which & (GX_SIZES_REST | GX_SIZES_SIGNED)) return true;
    int64_t count = 1;
    for (int64_t i = 0; i < n; i++) count = gx_size_times(count, shape[i] ? shape[i] : 1);
    return count < INT64_MAX || (n == 1 && shape[0] == count) ||
           gx_shape_count(rt, (int)n, shape, 1, &count);
}

/* Does v, which is neither an int, a list nor a tuple, have sizes as its items? */
static bool has_sizes(gx_borrowed v, gx_sizes which) {
    if (v.tag == GX_STR || gx_is_scalar(v)) return false;
    if (v.tag == GX_ARRAY) return gx_as_array(v)->ndim > 0;
    return which & GX_SIZES_ITERABLE ? gx_iterable(v) : gx_is_sequence(v);
}

GX_CHECK bool gx_shape_of(gx_rt *rt, gx_borrowed v, gx_sizes which, const char *name, int *ndim,
                          int64_t shape[GX_MAX_DIMS]) {
    const gx_value *items;
    gx_value list = gx_undef();
    if (!still(rt, v, &list)) return false;
    int64_t n = v.tag == GX_INT ? -1 : gx_sequence_items(list.tag == GX_TUPLE ? list : v, &items);
    if (n < 0 && has_sizes(v, which)) {
        if (!gx_list_of(rt, v, &list)) return false;
        n = gx_sequence_items(list, &items);
    }
    if (n < 0) return gx_shape_of_items(rt, 1, &v, which, name, ndim, shape);
    bool ok = gx_shape_of_items(rt, n, items, which, name, ndim, shape);
    gx_drop(list);
    return ok;
}

/* "= aligned from the right:  3  4" lines for a failed broadcast of two shapes. */
static bool note_alignment(gx_rt *rt, const gx_array *a, const gx_array *b) {
    int n = a->ndim > b->ndim ? a->ndim : b->ndim;
    if (n > 8) return false;
    for (int i = n - 1; i >= 0; i--) { /* i counts from the right */
        int64_t x = 1, y = 1;
        if (i < a->ndim) x = gx_shape(a)[a->ndim - 1 - i];
        if (i < b->ndim) y = gx_shape(b)[b->ndim - 1 - i];
        if (x != y && x != 1 && y != 1) {
            return gx_note(rt, "aligned from the right, sizes %lld and %lld meet, and neither is 1",
                           (long long)x, (long long)y);
        }
    }
    return false;
}

static bool shapes_fit(int na, const int64_t *a, int nb, const int64_t *b) {
    for (int i = 1; i <= na && i <= nb; i++) {
        if (a[na - i] != b[nb - i] && a[na - i] != 1 && b[nb - i] != 1) return false;
    }
    return true;
}

/* A help whose shapes have been checked to work: a transposed operand, or an axis added to one. */
static bool help_broadcast(gx_rt *rt, const gx_array *a, const gx_array *b) {
    int64_t t[GX_MAX_DIMS + 1];
    for (int i = 0; i < b->ndim; i++) t[i] = gx_shape(b)[b->ndim - 1 - i];
    if (b->ndim > 1 && shapes_fit(a->ndim, gx_shape(a), b->ndim, t)) {
        return gx_help(rt, "the second operand fits when it is transposed, with .T");
    }
    if (b->ndim + 1 == a->ndim) {
        memcpy(t, gx_shape(b), (size_t)b->ndim * sizeof(int64_t));
        t[b->ndim] = 1;
        if (shapes_fit(a->ndim, gx_shape(a), b->ndim + 1, t)) {
            return gx_help(
                rt, "add an axis to the second operand: b[..., newaxis], or use keepdims=True "
                    "in the reduction that made it");
        }
    }
    if (a->ndim + 1 == b->ndim) {
        memcpy(t, gx_shape(a), (size_t)a->ndim * sizeof(int64_t));
        t[a->ndim] = 1;
        if (shapes_fit(a->ndim + 1, t, b->ndim, gx_shape(b))) {
            return gx_help(rt, "add an axis to the first operand: a[..., newaxis]");
        }
    }
    return false;
}

static bool fail_broadcast(gx_rt *rt, int n, gx_array *const *arrays) {
    gx_buf text = gx_buf_new(rt);
    const gx_array *seen[2] = {NULL, NULL};
    int count = 0, shown = 0;
    bool ok = gx_buf_puts(&text, "cannot combine shapes ");
    for (int i = 0; i < n; i++) count += arrays[i] != NULL;
    for (int i = 0; i < n && ok; i++) {
        if (!arrays[i]) continue;
        if (shown < 2) seen[shown] = arrays[i];
        ok = gx_buf_puts(&text, shown == 0           ? ""
                                : shown == count - 1 ? " and "
                                                     : ", ") &&
             gx_shape_text(&text, arrays[i]->ndim, gx_shape(arrays[i]));
        shown++;
    }
    if (ok) {
        gx_fail(rt, GX_ValueError, "shape.broadcast", "%s", gx_buf_text(&text));
        if (count == 2) {
            note_alignment(rt, seen[0], seen[1]);
            help_broadcast(rt, seen[0], seen[1]);
        }
    }
    gx_buf_free(&text);
    return false;
}

GX_CHECK bool gx_broadcast_shapes(gx_rt *rt, int n, gx_array *const *arrays, int *ndim,
                                  int64_t shape[GX_MAX_DIMS]) {
    int most = 0;
    for (int i = 0; i < n; i++)
        if (arrays[i] && arrays[i]->ndim > most) most = arrays[i]->ndim;
    for (int k = 0; k < most; k++) shape[k] = 1;
    for (int i = 0; i < n; i++) {
        if (!arrays[i]) continue;
        int shift = most - arrays[i]->ndim;
        for (int k = 0; k < arrays[i]->ndim; k++) {
            int64_t size = gx_shape(arrays[i])[k];
            if (size == 1 || size == shape[k + shift]) continue;
            if (shape[k + shift] != 1) return fail_broadcast(rt, n, arrays);
            shape[k + shift] = size;
        }
    }
    *ndim = most;
    int64_t count;
    return gx_shape_count(rt, most, shape, 1, &count);
}

GX_CHECK bool gx_axis(gx_rt *rt, int64_t axis, int ndim, int *out) {
    if (axis < -ndim || axis >= ndim) {
        gx_fail(rt, GX_AxisError, "shape.axis",
                "axis %lld is out of bounds for array of dimension %d", (long long)axis, ndim);
        return gx_about(rt, 2, (int64_t[]){axis, ndim});
    }
    *out = (int)(axis < 0 ? axis + ndim : axis);
    return true;
}

static bool axes_of(gx_rt *rt, gx_borrowed v, int ndim, uint64_t *out) {
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) {
        *out = ndim == 64 ? UINT64_MAX : (UINT64_C(1) << ndim) - 1;
        return true;
    }
    const gx_value *items = &v;
    int64_t n = gx_sequence_items(v, &items);
    if (n < 0) {
        items = &v;
        n = 1;
    }
    uint64_t mask = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t axis;
        int k;
        gx_try t = items[i].tag == GX_BOOL ? GX_TRY_NO : gx_as_index(rt, items[i], &axis);
        if (t == GX_TRY_ERROR) return false;
        if (t == GX_TRY_NO) {
            return gx_fail(rt, GX_TypeError, "shape.axis", "an axis is an integer, not %s",
                           gx_type_name(items[i]));
        }
        if (!gx_axis(rt, axis, ndim, &k)) return false;
        if (mask >> k & 1)
            return gx_fail(rt, GX_ValueError, "shape.axis", "duplicate value in 'axis'");
        mask |= UINT64_C(1) << k;
    }
    *out = mask;
    return true;
}

GX_CHECK bool gx_axes(gx_rt *rt, gx_borrowed v, int ndim, uint64_t *out) {
    gx_value own;
    if (!still(rt, v, &own)) return false;
    bool ok = axes_of(rt, own.tag == GX_UNDEF ? v : own, ndim, out);
    gx_drop(own);
    return ok;
}

static bool fail_axis(gx_rt *rt, gx_borrowed v) {
    return gx_fail(rt, GX_TypeError, "axis.type",
                   "an axis is an integer or a tuple of integers, not %s", gx_type_name(v));
}

static bool axis_items(gx_rt *rt, const gx_tuple *items, int ndim, bool again, int *n, int *axes) {
    int64_t axis;
    if (items->count > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "axis.count", "more than %d axes", (int)GX_MAX_DIMS);
    for (int i = 0; i < (int)items->count; i++) {
        gx_try is = gx_as_index(rt, items->items[i], &axis);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) return fail_axis(rt, items->items[i]);
        if (!gx_axis(rt, axis, ndim, &axes[i])) return false;
    }
    *n = (int)items->count;
    for (int i = 0; !again && i < *n; i++)
        for (int k = 0; k < i; k++)
            if (axes[k] == axes[i])
                return gx_fail(rt, GX_ValueError, "axis.repeat", "repeated axis");
    return true;
}

GX_CHECK bool gx_axis_list(gx_rt *rt, gx_borrowed v, int ndim, bool again, int *n,
                           int axes[GX_MAX_DIMS]) {
    int64_t axis;
    gx_value items;
    gx_try is = v.tag == GX_TUPLE || v.tag == GX_LIST ? GX_TRY_NO : gx_as_index(rt, v, &axis);
    if (is == GX_TRY_ERROR) return false;
    *n = 1;
    if (is == GX_TRY_YES) return gx_axis(rt, axis, ndim, axes);
    if (v.tag == GX_STR || !gx_iterable(v)) return fail_axis(rt, v);
    if (!gx_tuple_of(rt, v, &items)) return false;
    bool ok = axis_items(rt, gx_as_tuple(items), ndim, again, n, axes);
    gx_drop(items);
    return ok;
}

GX_CHECK bool gx_axes_by_index(gx_rt *rt, gx_borrowed v, int ndim, uint64_t *out) {
    int n, axes[GX_MAX_DIMS];
    if (v.tag == GX_NONE || v.tag == GX_UNDEF || v.tag == GX_INT) return gx_axes(rt, v, ndim, out);
    if (!gx_axis_list(rt, v, ndim, false, &n, axes)) return false;
    *out = 0;
    for (int i = 0; i < n; i++) *out |= UINT64_C(1) << axes[i];
    return true;
}
