/* numpy.lib.stride_tricks: views with strides of one's own. They never reach beyond the memory of
   the array they are made of. */
#include <string.h>

#include "stdlib/numpy/base/scope.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_strides_functions[];
extern const gx_constant gx_np_lib_constants[];

const gx_constant gx_np_lib_constants[] = {
    {.name = "stride_tricks", .kind = GX_CONST_MODULE, .text = "~stride_tricks"},
    {.name = NULL},
};

/* Integers, one a dimension. */
static bool strides_of(gx_rt *rt, gx_borrowed v, int ndim, int64_t *strides) {
    gx_value t;
    bool ok = true;
    if (!gx_tuple_of(rt, v, &t)) return false;
    const gx_tuple *items = gx_as_tuple(t);
    if (items->count != ndim)
        ok = gx_fail(rt, GX_ValueError, "strides.count",
                     "mismatch in length of strides and shape: %lld and %d",
                     (long long)items->count, ndim);
    for (int i = 0; ok && i < ndim; i++) {
        gx_try is = gx_as_index(rt, items->items[i], &strides[i]);
        ok = is == GX_TRY_YES;
        if (is == GX_TRY_NO)
            gx_fail(rt, GX_TypeError, "strides.type", "a stride must be an integer, not %s",
                    gx_type_name(items->items[i]));
    }
    gx_drop(t);
    return ok;
}

/* Do all elements lie within the array that owns the memory? */
static bool inside(gx_rt *rt, const gx_array *a, int ndim, const int64_t *shape,
                   const int64_t *strides) {
    const int64_t low = 0, high = gx_array_storage(a); /* whatever became of its base */
    __int128 first = a->offset, end = a->offset + gx_dtype_size(a->dtype);
    for (int i = 0; i < ndim; i++) {
        __int128 reach = (__int128)(shape[i] - 1) * strides[i];
        if (!shape[i]) return true;
        if (reach < 0)
            first += reach;
        else
            end += reach;
    }
    if (first >= low && end <= high) return true;
    gx_fail(rt, GX_ValueError, "strides.bounds",
            "as_strided: the shape and strides reach outside of the array's memory");
    return gx_note(rt, "bytes %lld to %lld are asked for, the array has %lld to %lld",
                   (long long)first, (long long)end, (long long)low, (long long)high);
}

static bool as_strided_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    bool writeable;
    if (!a || !gx_np_unused_truth(c, 3) || !gx_arg_bool(c, 4, &writeable) ||
        !gx_np_unused_truth(c, 5) || !gx_array_ready(c->rt, a))
        return gx_np_end(&s, false);
    int ndim = a->ndim;
    memcpy(shape, gx_shape(a), (size_t)ndim * sizeof *shape);
    memcpy(strides, gx_strides(a), (size_t)ndim * sizeof *strides);
    if (gx_arg_some(c, 1)) {
        gx_value sizes; /* one number is none */
        if (!gx_tuple_of(c->rt, c->argv[1], &sizes)) return gx_np_end(&s, false);
        const bool ok = gx_shape_of(c->rt, sizes, GX_SIZES_PLAIN, "as_strided", &ndim, shape);
        gx_drop(sizes);
        if (!ok) return gx_np_end(&s, false);
    }
    if (gx_arg_some(c, 1) && !gx_arg_some(c, 2) && gx_array_is_contiguous(a, 'C'))
        gx_contiguous_strides(ndim, shape, gx_dtype_size(a->dtype), 'C', strides);
    else if (gx_arg_some(c, 2) ? !strides_of(c->rt, c->argv[2], ndim, strides) : ndim != a->ndim) {
        if (!gx_arg_some(c, 2))
            gx_fail(c->rt, GX_ValueError, "strides.count",
                    "as_strided: strides are needed with a shape of another length");
        return gx_np_end(&s, false);
    }
    if (!inside(c->rt, a, ndim, shape, strides) ||
        !gx_array_view(c->rt, a, (gx_dtype)a->dtype, ndim, shape, strides, a->offset, &r))
        return gx_np_end(&s, false);
    if (!writeable) r->flags |= GX_ARRAY_READONLY;
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

static bool axes_of(gx_call *c, int ndim, int n, int *axes) {
    int count;
    if (!gx_arg_some(c, 2)) {
        for (int i = 0; i < ndim; i++) axes[i] = i;
        return n == ndim || gx_fail(c->rt, GX_ValueError, "window.count",
                                    "Since axis is `None`, must provide window_shape for all "
                                    "dimensions of `x`; got %d window_shape elements and `x.ndim` "
                                    "is %d.",
                                    n, ndim);
    }
    if (!gx_axis_list(c->rt, c->argv[2], ndim, true, &count, axes)) return false;
    return count == n ||
           gx_fail(c->rt, GX_ValueError, "window.count",
                   "Must provide matching length window_shape and axis; got %d window_shape "
                   "elements and %d axes elements.",
                   n, count);
}

static bool sliding_window_view_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    int64_t window[GX_MAX_DIMS], shape[2 * GX_MAX_DIMS], strides[2 * GX_MAX_DIMS];
    int n, axes[GX_MAX_DIMS];
    bool writeable;
    if (!a || !gx_shape_of(c->rt, c->argv[1], GX_SIZES_REST | GX_SIZES_ITERABLE,
                           "sliding_window_view", &n, window) ||
        !gx_np_unused_truth(c, 3) || !gx_arg_bool(c, 4, &writeable) ||
        !axes_of(c, a->ndim, n, axes) || !gx_array_ready(c->rt, a))
        return gx_np_end(&s, false);
    if (a->ndim + n > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "window.dims", "too many dimensions"));
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    memcpy(strides, gx_strides(a), (size_t)a->ndim * sizeof *strides);
    for (int i = 0; i < n; i++) {
        if (window[i] < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "window.negative",
                                         "`window_shape` cannot contain negative values"));
        if (shape[axes[i]] < window[i])
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "window.size",
                                         "window shape cannot be larger than input array shape"));
        shape[axes[i]] -= window[i] - 1;
        shape[a->ndim + i] = window[i];
        strides[a->ndim + i] = gx_strides(a)[axes[i]];
    }
    if (!gx_array_view(c->rt, a, (gx_dtype)a->dtype, a->ndim + n, shape, strides, a->offset, &r))
        return gx_np_end(&s, false);
    if (!writeable) r->flags |= GX_ARRAY_READONLY;
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

const gx_native gx_np_strides_functions[] = {
    {"as_strided",
     "as_strided(x, shape=None, strides=None, subok=False, writeable=True, *, check_bounds=None)",
     "A view with the given shape and strides (in bytes).",
     "lib.stride_tricks.as_strided(arange(3), (2, 2), (8, 8)).tolist()  # [[0, 1], [1, 2]]",
     as_strided_fn, 0, 0},
    {"sliding_window_view",
     "sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)",
     "A view of all windows of window_shape that slide over an array; the window's axes come last.",
     "lib.stride_tricks.sliding_window_view(arange(4), 3).tolist()  # [[0, 1, 2], [1, 2, 3]]",
     sliding_window_view_fn, 0, 0},
    {.name = NULL},
};
