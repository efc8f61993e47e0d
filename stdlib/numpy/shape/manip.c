/* Shapes rearranged without touching elements: reshape, ravel, transpose, axes moved, added,
   removed, reversed, broadcast. Results are views wherever NumPy's are. */
#include <string.h>

#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/methods.h"

extern const gx_native gx_np_manip_functions[];

static bool give(gx_np *s, gx_array *a, gx_value *out) {
    return gx_np_give_array(s, a, out);
}

/* A NumPy scalar that keeps having no axes is a scalar. */
static bool give_like(gx_np *s, gx_array *a, gx_borrowed of, gx_value *out) {
    return gx_is_scalar(of) ? gx_np_give(s, a, out) : give(s, a, out);
}

/* --- reshape, ravel --- */

/* A view of a fresh copy is the copy: it has no base. */
static void disown(gx_array *a) {
    gx_array_drop(a->base);
    a->base = NULL;
}

static GX_CHECK bool reshaped(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape, char order,
                              gx_array **out) {
    return ndim < 0 ? gx_array_view(rt, a, (gx_dtype)a->dtype, a->ndim, gx_shape(a),
                                    gx_strides(a), a->offset, out)
                    : gx_reshape(rt, a, ndim, shape, order, out);
}

/* reshape to a shape, the array's own where ndim is below 0; order 'A' follows the array. */
bool gx_np_reshape_to(gx_call *c, int ndim, const int64_t *shape, char order, int copy,
                      gx_value *out) {
    gx_array *a, *r = NULL, *own;
    if (order == 'K')
        return gx_fail(c->rt, GX_ValueError, "arg.order",
                       "order 'K' is not permitted for reshaping");
    if (gx_is_array(c->argv[0])) { /* a view or a copy of it: nothing else to hold */
        a = gx_as_array(c->argv[0]);
        if (!reshaped(c->rt, a, ndim, shape, order, &r)) return false;
        bool shared = r->storage == a->storage, want = copy == 1;
        if (copy == 0 && !shared) {
            gx_array_drop(r);
            return gx_fail(c->rt, GX_ValueError, "reshape.copy",
                           "Unable to avoid creating a copy while reshaping.");
        }
        if (want && shared) {
            bool ok = gx_array_copy(c->rt, r, 'K', &own);
            gx_array_drop(r);
            if (!ok) return false;
            r = own;
        }
        *out = gx_array_value(r);
        return true;
    }
    gx_np s = gx_np_begin(c);
    a = gx_np_arr(&s, c->argv[0]);
    if (!a || !reshaped(c->rt, a, ndim, shape, order, &r)) return gx_np_end(&s, false);
    return give_like(&s, gx_np_own(&s, r), c->argv[0], out);
}

static bool reshape_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    int ndim = -1, copy;
    int64_t shape[GX_MAX_DIMS];
    return gx_np_order_arg(c, 2, &order) && gx_np_copy_arg(c, 3, &copy) &&
           (c->argv[1].tag == GX_NONE ||
            gx_shape_of(c->rt, c->argv[1], GX_SIZES_REST, "reshape", &ndim, shape)) &&
           gx_np_reshape_to(c, ndim, shape, order, copy, out);
}

void gx_np_memory_order(const gx_array *a, int *perm) {
    for (int i = 0; i < a->ndim; i++) { /* ties keep C order, axes of stride 0 their places */
        const int64_t size = gx_strides(a)[i] < 0 ? -gx_strides(a)[i] : gx_strides(a)[i];
        int at = i;
        for (int k = i - 1; k >= 0; k--) {
            const int64_t step = gx_strides(a)[perm[k]], before = step < 0 ? -step : step;
            if (!size || !before) continue;
            if (before >= size) break;
            at = k;
        }
        for (int k = i; k > at; k--) perm[k] = perm[k - 1];
        perm[at] = i;
    }
}

static bool ravel_fn(gx_call *c, gx_value *out) {
    char order = 'C';
    int perm[GX_MAX_DIMS];
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    if (!a || !gx_np_order_arg(c, 1, &order)) return gx_np_end(&s, false);
    if (order == 'K') {
        gx_np_memory_order(a, perm);
        if (!gx_transpose(c->rt, a, perm, &r) || !(a = gx_np_own(&s, r)))
            return gx_np_end(&s, false);
        order = 'C';
    }
    bool fortran = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C');
    if (order == 'A') order = fortran ? 'F' : 'C';
    bool copied = false;
    const int64_t flat = -1;
    if (a->count && !gx_array_is_contiguous(a, order)) { /* unlike reshape: never a strided view */
        gx_array *copy;
        if (!gx_array_copy(c->rt, a, order, &copy)) return gx_np_end(&s, false);
        a = gx_np_own(&s, copy);
        if (!a) return gx_np_end(&s, false);
        copied = true;
    }
    if (a->count == 0 ? !gx_reshape(c->rt, a, 1, &a->count, order, &r)
                      : !gx_reshape(c->rt, a, 1, &flat, order, &r))
        return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    if (r && r == a && gx_is_array(c->argv[0])) r = gx_np_slice(&s, a, 0, 0, 1, a->count);
    if (r && copied) disown(r);
    return give(&s, r, out);
}

static bool resize_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    int ndim;
    int64_t shape[GX_MAX_DIMS], n;
    if (!a || !gx_shape_of(c->rt, c->argv[1], GX_SIZES_PLAIN, "resize", &ndim, shape) ||
        !gx_shape_count(c->rt, ndim, shape, gx_dtype_size(a->dtype), &n))
        return gx_np_end(&s, false);
    if (a->count == 0) return give(&s, gx_np_zeros(&s, (gx_dtype)a->dtype, ndim, shape), out);
    a = gx_np_copy(&s, gx_np_cycled(&s, a, n), 'C');
    return give(&s, gx_np_reshape(&s, a, ndim, shape), out);
}

/* --- axes --- */

static bool permutation(gx_rt *rt, gx_borrowed v, int ndim, int *perm) {
    int n;
    uint64_t seen = 0;
    gx_value t;
    int64_t axis = 0;
    gx_try one = gx_as_index(rt, v, &axis);
    if (one == GX_TRY_ERROR) return false;
    if (one == GX_TRY_NO && !gx_is_sequence(v))
        return gx_fail(rt, GX_TypeError, "transpose.axes",
                       "axes are a sequence of integers, not %s", gx_type_name(v));
    bool ok = one == GX_TRY_YES ? gx_tuple_new(rt, 1, &v, &t) : gx_tuple_of(rt, v, &t);
    if (!ok) return false;
    gx_tuple *items = gx_as_tuple(t);
    n = (int)items->count;
    for (int i = 0; ok && i < n; i++) {
        const bool truth = one == GX_TRY_NO && items->items[i].tag == GX_BOOL;
        gx_try is = truth ? GX_TRY_NO : gx_as_index(rt, items->items[i], &axis);
        if (is == GX_TRY_NO)
            gx_fail(rt, GX_TypeError, "transpose.axes", "axes must be integers, not %s",
                    gx_type_name(items->items[i]));
        ok = is == GX_TRY_YES;
    }
    if (ok && n != ndim)
        ok = gx_fail(rt, GX_ValueError, "transpose.axes", "axes don't match array");
    for (int i = 0; ok && i < n; i++) {
        ok = gx_as_index(rt, items->items[i], &axis) == GX_TRY_YES &&
             gx_axis(rt, axis, ndim, &perm[i]);
        if (ok && seen >> perm[i] & 1)
            ok = gx_fail(rt, GX_ValueError, "transpose.axes", "repeated axis in transpose");
        if (ok) seen |= UINT64_C(1) << perm[i];
    }
    gx_drop(t);
    return ok;
}

bool gx_np_do_transpose(gx_call *c, gx_borrowed axes, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    int perm[GX_MAX_DIMS];
    if (!a) return gx_np_end(&s, false);
    if (axes.tag == GX_NONE || axes.tag == GX_UNDEF)
        return give_like(&s, gx_np_transposed(&s, a), c->argv[0], out);
    if (!permutation(c->rt, axes, a->ndim, perm) || !gx_transpose(c->rt, a, perm, &r))
        return gx_np_end(&s, false);
    return give_like(&s, gx_np_own(&s, r), c->argv[0], out);
}

static bool transpose_fn(gx_call *c, gx_value *out) {
    return gx_np_do_transpose(c, c->argv[1], out);
}

static bool matrix_transpose_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (a && a->ndim < 2)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "transpose.axes",
                                     "Input array must be at least 2-dimensional, but it is %d",
                                     a->ndim));
    return give(&s, a ? gx_np_swapaxes(&s, a, a->ndim - 1, a->ndim - 2) : NULL, out);
}

static bool swapaxes_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int i, j;
    int64_t first, second; /* what is no axis at all is said before what is none of a's */
    if (!gx_arg_int(c, 1, &first) || !gx_arg_int(c, 2, &second)) return gx_np_end(&s, false);
    if (!a || !gx_np_axis_arg(c, 1, a->ndim, 0, &i) || !gx_np_axis_arg(c, 2, a->ndim, 0, &j))
        return gx_np_end(&s, false);
    return give(&s, gx_np_viewed(&s, gx_np_swapaxes(&s, a, i, j)), out);
}

static bool moveaxis_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    int n, m, from[GX_MAX_DIMS], to[GX_MAX_DIMS], perm[GX_MAX_DIMS];
    if (!a || !gx_axis_list(c->rt, c->argv[1], a->ndim, false, &n, from) ||
        !gx_axis_list(c->rt, c->argv[2], a->ndim, false, &m, to))
        return gx_np_end(&s, false);
    if (n != m)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "moveaxis.count",
                                     "`source` and `destination` arguments must have the same "
                                     "number of elements"));
    for (int i = 0; i < a->ndim; i++) perm[i] = -1;
    uint64_t moved = 0;
    for (int i = 0; i < n; i++) {
        perm[to[i]] = from[i];
        moved |= UINT64_C(1) << from[i];
    }
    for (int i = 0, rest = 0; i < a->ndim; i++) {
        if (perm[i] >= 0) continue;
        while (moved >> rest & 1) rest++;
        perm[i] = rest++;
    }
    if (!gx_transpose(c->rt, a, perm, &r)) return gx_np_end(&s, false);
    return give(&s, gx_np_own(&s, r), out);
}

static bool rollaxis_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis;
    int64_t start;
    if (!a || !gx_np_axis_arg(c, 1, a->ndim, 0, &axis) || !gx_arg_int(c, 2, &start))
        return gx_np_end(&s, false);
    if (start < 0) start += a->ndim;
    if (start < 0 || start > a->ndim)
        return gx_np_end(&s, gx_fail(c->rt, GX_AxisError, "axis.range",
                                     "start %lld is out of bounds for array of dimension %d",
                                     (long long)start, a->ndim));
    if (axis < start) start--;
    return give(&s, gx_np_viewed(&s, gx_np_moveaxis(&s, a, axis, (int)start)), out);
}

static bool expand_dims_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int n = 1, axes[GX_MAX_DIMS];
    const gx_value *items;
    int64_t many = gx_sequence_items(c->argv[1], &items);
    if (!a) return gx_np_end(&s, false);
    int nd = a->ndim + (many >= 0 ? (int)many : 1);
    if (nd > GX_MAX_DIMS)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "axis.count", "more than %d axes", (int)GX_MAX_DIMS));
    int64_t one = 0;
    gx_try is = many < 0 ? gx_as_index(c->rt, c->argv[1], &one) : GX_TRY_YES;
    if (is == GX_TRY_NO && !gx_is_array(c->argv[1]))
        gx_arg_wrong(c, 1, "an integer or a tuple of integers");
    if (gx_failed(&c->rt->error) || !gx_axis_list(c->rt, c->argv[1], nd, false, &n, axes))
        return gx_np_end(&s, false);
    uint64_t mask = 0;
    for (int i = 0; i < n; i++) mask |= UINT64_C(1) << axes[i];
    if (__builtin_popcountll(mask) != nd - a->ndim)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "axis.repeated",
                                     "axis is one new axis, or a tuple of different ones"));
    int64_t shape[GX_MAX_DIMS];
    for (int i = 0, k = 0; i < nd; i++) shape[i] = mask >> i & 1 ? 1 : gx_shape(a)[k++];
    return give(&s, gx_np_reshape(&s, a, nd, shape), out);
}

static bool squeeze_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask = 0;
    if (!a) return gx_np_end(&s, false);
    if (c->argv[1].tag == GX_LIST)
        return gx_np_end(&s, gx_arg_wrong(c, 1, "None, an integer or a tuple of integers"));
    int64_t axis;
    bool one =
        a->ndim == 0 && gx_arg_some(c, 1) && gx_as_index(c->rt, c->argv[1], &axis) == GX_TRY_YES;
    if (one && (axis == 0 || axis == -1)) /* as if it had one axis */
        return give_like(&s, a, c->argv[0], out);
    if (!gx_arg_some(c, 1)) {
        for (int i = 0; i < a->ndim; i++)
            if (gx_shape(a)[i] == 1) mask |= UINT64_C(1) << i;
    } else if (!gx_axes(c->rt, c->argv[1], a->ndim, &mask))
        return gx_np_end(&s, false);
    if (!mask && gx_is_array(c->argv[0])) { /* the array itself, as in NumPy */
        *out = gx_keep(c->argv[0]);
        return gx_np_end(&s, true);
    }
    return give_like(&s, mask ? gx_np_squeeze(&s, a, mask) : a, c->argv[0], out);
}

/* --- reversing --- */

static gx_array *reversed(gx_np *s, gx_array *a, uint64_t mask) {
    for (int i = 0; a && i < a->ndim; i++)
        if (mask >> i & 1) a = gx_np_slice(s, a, i, gx_shape(a)[i] - 1, -1, gx_shape(a)[i]);
    return a;
}

static bool flip_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    if (!a || !gx_axes_by_index(c->rt, c->argv[1], a->ndim, &mask)) return gx_np_end(&s, false);
    if (a->ndim == 0) return gx_np_give(&s, a, out);
    return give(&s, gx_np_viewed(&s, reversed(&s, a, mask)), out);
}

static bool flip_axis(gx_call *c, int axis, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (a && a->ndim <= axis)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "flip.dims", "Input must be >= %d-d.", axis + 1));
    return give(&s, reversed(&s, a, UINT64_C(1) << axis), out);
}

static bool flipud_fn(gx_call *c, gx_value *out) {
    return flip_axis(c, 0, out);
}
static bool fliplr_fn(gx_call *c, gx_value *out) {
    return flip_axis(c, 1, out);
}

/* --- broadcasting --- */

static bool broadcast_to_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!a || !gx_np_unused_truth(c, 2) ||
        !gx_shape_of(c->rt, c->argv[1], GX_SIZES_ITERABLE, "broadcast_to", &ndim, shape) ||
        !gx_broadcast_to(c->rt, a, ndim, shape, &r))
        return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    if (r == a) { /* of its own shape: still a view that is not to be written */
        gx_array *view;
        if (!gx_array_view(c->rt, a, (gx_dtype)a->dtype, ndim, shape, gx_strides(a), a->offset,
                           &view))
            return gx_np_end(&s, false);
        view->flags |= GX_ARRAY_READONLY;
        r = gx_np_own(&s, view);
    }
    return give(&s, r, out);
}

static bool broadcast_arrays_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n, ndim;
    gx_array **a;
    int64_t shape[GX_MAX_DIMS];
    if (!gx_np_unused_truth(c, 1) || !gx_np_arrays(&s, c->argv[0], "broadcast_arrays", &n, &a) ||
        !gx_broadcast_shapes(c->rt, n, a, &ndim, shape))
        return gx_np_end(&s, false);
    for (int i = 0; i < n; i++) a[i] = gx_np_spread(&s, a[i], ndim, shape);
    return gx_np_give_tuple(&s, n, a, out);
}

static bool broadcast_shapes_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_tuple *args = gx_as_tuple(c->argv[0]);
    gx_array **a = gx_np_room(&s, args->count + 1, sizeof *a);
    gx_array *one = gx_np_zeros(&s, GX_bool, 0, NULL);
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS] = {0};
    int ndim = 0;
    if (!a || !one) return gx_np_end(&s, false);
    for (int64_t i = 0; i < args->count; i++) {
        gx_array *seen = NULL; /* one element everywhere */
        if (!gx_shape_of(c->rt, args->items[i], GX_SIZES_PLAIN, "broadcast_shapes", &ndim, shape) ||
            !gx_array_view(c->rt, one, GX_bool, ndim, shape, strides, one->offset, &seen))
            return gx_np_end(&s, false);
        a[i] = gx_np_own(&s, seen);
    }
    bool ok = gx_broadcast_shapes(c->rt, (int)args->count, a, &ndim, shape) &&
              gx_tuple_ints(c->rt, ndim, shape, out);
    return gx_np_end(&s, ok);
}

gx_array *gx_np_at_least(gx_np *s, gx_array *a, int ndim) {
    if (!a || a->ndim >= ndim) return a;
    if (ndim == 3 && a->ndim == 2) return gx_np_expand(s, a, 3, 4);
    if (ndim == 3 && a->ndim == 1) return gx_np_expand(s, a, 3, 5);
    return gx_np_expand(s, a, ndim, gx_np_first(ndim - a->ndim));
}

static bool at_least(gx_call *c, int ndim, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int n;
    gx_array **a;
    if (!gx_np_arrays(&s, c->argv[0], c->fn->name, &n, &a)) return gx_np_end(&s, false);
    for (int i = 0; i < n; i++) a[i] = gx_np_at_least(&s, a[i], ndim);
    return n == 1 ? give(&s, a[0], out) : gx_np_give_tuple(&s, n, a, out);
}

static bool atleast_1d_fn(gx_call *c, gx_value *out) {
    return at_least(c, 1, out);
}
static bool atleast_2d_fn(gx_call *c, gx_value *out) {
    return at_least(c, 2, out);
}
static bool atleast_3d_fn(gx_call *c, gx_value *out) {
    return at_least(c, 3, out);
}

#define BOTH GX_NATIVE_METHOD
const gx_native gx_np_manip_functions[] = {
    {"reshape", "reshape(a, /, shape, order='C', *, copy=None)",
     "The same elements in another shape, a view where possible; a size of -1 is computed. "
     "ValueError if they don't fit.",
     "reshape([1, 2, 3, 4], (2, 2)).tolist()  # [[1, 2], [3, 4]]", reshape_fn, 0, 0},
    {"ravel", "ravel(a, order='C')", "The elements as a 1-d array, a view where possible.",
     "ravel([[1, 2], [3, 4]])  # [1 2 3 4]", ravel_fn, BOTH, 0},
    {"resize", "resize(a, new_shape)",
     "A copy in a new shape, filled with a's elements again and again.",
     "resize([1, 2], 5)  # [1 2 1 2 1]", resize_fn, 0, 0},
    {"transpose", "transpose(a, axes=None)",
     "A view with the axes reversed, or in the order given.",
     "transpose([[1, 2], [3, 4]]).tolist()  # [[1, 3], [2, 4]]", transpose_fn, 0, 0},
    {"matrix_transpose", "matrix_transpose(x, /)",
     "Transposes matrices: a view with the last two axes swapped.",
     "matrix_transpose([[1, 2], [3, 4]]).tolist()  # [[1, 3], [2, 4]]", matrix_transpose_fn, 0, 0},
    {"swapaxes", "swapaxes(a, axis1, axis2)", "A view with two axes swapped.",
     "swapaxes([[1, 2]], 0, 1).shape  # (2, 1)", swapaxes_fn, BOTH, 0},
    {"moveaxis", "moveaxis(a, source, destination)",
     "Moves axes to other positions, as a view; the rest keep their order.",
     "moveaxis(zeros((2, 3, 4)), 0, -1).shape  # (3, 4, 2)", moveaxis_fn, 0, 0},
    {"rollaxis", "rollaxis(a, axis, start=0)",
     "Moves one axis to lie before the axis `start`, as a view.",
     "rollaxis(zeros((2, 3, 4)), 2).shape  # (4, 2, 3)", rollaxis_fn, 0, 0},
    {"expand_dims", "expand_dims(a, axis)",
     "A view with new axes of size 1; axis says where they lie in the result.",
     "expand_dims([1, 2], 0).shape  # (1, 2)", expand_dims_fn, 0, 0},
    {"squeeze", "squeeze(a, axis=None)",
     "A view without axes of size 1: all of them, or those given (ValueError if another size).",
     "squeeze([[[1, 2]]]).shape  # (2,)", squeeze_fn, BOTH, 0},
    {"flip", "flip(m, axis=None)",
     "Reverses the order of elements along all axes or those given, as a view.",
     "flip([1, 2, 3])  # [3 2 1]", flip_fn, 0, 0},
    {"flipud", "flipud(m)", "Reverses the order of the rows (the first axis), as a view.",
     "flipud([1, 2, 3])  # [3 2 1]", flipud_fn, 0, 0},
    {"fliplr", "fliplr(m)", "Reverses the order of the columns (the second axis), as a view.",
     "fliplr([[1, 2, 3]])  # [[3 2 1]]", fliplr_fn, 0, 0},
    {"broadcast_to", "broadcast_to(array, shape, subok=False)",
     "A read-only view of the array, broadcast to a shape; ValueError if it does not fit.",
     "broadcast_to([1, 2], (2, 2)).tolist()  # [[1, 2], [1, 2]]", broadcast_to_fn, 0, 0},
    {"broadcast_arrays", "broadcast_arrays(*args, subok=False)",
     "The arrays broadcast to one shape, as a tuple of views; ValueError if the shapes do not fit.",
     "broadcast_arrays([1, 2], 3)[1]  # [3 3]", broadcast_arrays_fn, 0, 0},
    {"broadcast_shapes", "broadcast_shapes(*args)",
     "The shape that shapes broadcast to; ValueError if they do not fit together.",
     "broadcast_shapes((3, 1), (4,))  # (3, 4)", broadcast_shapes_fn, 0, 0},
    {"atleast_1d", "atleast_1d(*arys)", "Arrays with at least one dimension.",
     "atleast_1d(5)  # [5]", atleast_1d_fn, 0, 0},
    {"atleast_2d", "atleast_2d(*arys)", "Arrays with at least two dimensions.",
     "atleast_2d([1, 2])  # [[1 2]]", atleast_2d_fn, 0, 0},
    {"atleast_3d", "atleast_3d(*arys)", "Arrays with at least three dimensions.",
     "atleast_3d([1, 2]).shape  # (1, 2, 1)", atleast_3d_fn, 0, 0},
    {.name = NULL},
};
