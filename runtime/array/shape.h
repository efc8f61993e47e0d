/* Shapes: broadcasting, axes, reshape, transposition; all shape errors. Nothing here computes. */
#ifndef GX_RUNTIME_ARRAY_SHAPE_H
#define GX_RUNTIME_ARRAY_SHAPE_H

#include "runtime/array/array.h"

typedef enum gx_sizes {
    GX_SIZES_PLAIN = 0, /* >= 0; those other than 0 have a product that fits */
    GX_SIZES_REST = 1,  /* or below 0, given as -1: what is left; the product is the caller's */
    GX_SIZES_SIGNED = 2, /* or below 0, as they are; the product is the caller's, and of a size
                            beyond 64 bits, the nearest, too */
    GX_SIZES_BOOLS = 4,  /* or bools, with any of these */
    GX_SIZES_ITERABLE = 8, /* from any iterable, as NumPy's Python code takes them */
    GX_SIZES_NONE = 16, /* or None, given as GX_SIZE_NONE, beside GX_SIZES_SIGNED */
} gx_sizes;
#define GX_SIZE_NONE (INT64_MIN + 1)
/* A shape from an int or a sequence of ints. `name`: for the message ("zeros"). */
GX_CHECK bool gx_shape_of(gx_rt *rt, gx_borrowed v, gx_sizes which, const char *name, int *ndim,
                          int64_t shape[GX_MAX_DIMS]);
/* The same from n ints. */
GX_CHECK bool gx_shape_of_items(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_sizes which,
                                const char *name, int *ndim, int64_t shape[GX_MAX_DIMS]);
/* No array has more bytes than this, ready, pending or seen through strides of 0: sums of a few
   sizes, and products of their number with a struct's bytes, need no check then. */
#define GX_MAX_BYTES (INT64_MAX / 64)
/* Sizes >= 0 that are worked out: what does not fit stays INT64_MAX, which no array can have. */
static inline int64_t gx_size_plus(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_add_overflow(a, b, &r) ? INT64_MAX : r;
}
static inline int64_t gx_size_times(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}
/* The number of elements. ValueError "array is too big" where the sizes other than 0 times `item`
   bytes are more than that, and for more than GX_MAX_DIMS dims
   (runtime/graph/extent.c). */
GX_CHECK bool gx_shape_count(gx_rt *rt, int ndim, const int64_t *shape, int64_t item, int64_t *out);
/* "(3, 4)" into a buffer. */
GX_CHECK bool gx_shape_text(gx_buf *out, int ndim, const int64_t *shape);
/* The broadcast shape of n arrays (any may be NULL: a scalar). ValueError [shape.broadcast]
   "cannot combine shapes (3, 4) and (4, 3)" with the alignment note and, where it works, a help. */
GX_CHECK bool gx_broadcast_shapes(gx_rt *rt, int n, gx_array *const *arrays, int *ndim,
                                  int64_t shape[GX_MAX_DIMS]);
/* A read-only view of a as `shape`. */
GX_CHECK bool gx_broadcast_to(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape,
                              gx_array **out);
/* axis normalised to 0 … ndim-1; AxisError "axis 2 is out of bounds for array of dimension 2". */
GX_CHECK bool gx_axis(gx_rt *rt, int64_t axis, int ndim, int *out);
/* None (all), an int or a tuple of ints: a bit a dimension. Repeated axes are a ValueError. */
GX_CHECK bool gx_axes(gx_rt *rt, gx_borrowed v, int ndim, uint64_t *out);
/* The same where bools are axes, too, and any iterable has some, as in NumPy's Python code. */
GX_CHECK bool gx_axes_by_index(gx_rt *rt, gx_borrowed v, int ndim, uint64_t *out);
/* An int or any iterable of ints as axes in their order; `again`: one may be named twice. */
GX_CHECK bool gx_axis_list(gx_rt *rt, gx_borrowed v, int ndim, bool again, int *n,
                           int axes[GX_MAX_DIMS]);
/* A view when strides allow, else a copy (order 'C', 'F' or 'A'); one -1 is worked out. */
GX_CHECK bool gx_reshape(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape, char order,
                         gx_array **out);
/* perm: ndim axes. */
GX_CHECK bool gx_transpose(gx_rt *rt, gx_array *a, const int *perm, gx_array **out);
/* All axes reversed: a.T. */
GX_CHECK bool gx_transpose_all(gx_rt *rt, gx_array *a, gx_array **out);
/* Axis moved. */
GX_CHECK bool gx_moveaxis(gx_rt *rt, gx_array *a, int from, int to, gx_array **out);
GX_CHECK bool gx_swapaxes(gx_rt *rt, gx_array *a, int i, int j, gx_array **out);
/* Removes the axes of size 1 in mask (ValueError if another size); inserts axes of size 1 at mask's
   positions in the result. */
GX_CHECK bool gx_squeeze(gx_rt *rt, gx_array *a, uint64_t mask, gx_array **out);
GX_CHECK bool gx_expand_dims(gx_rt *rt, gx_array *a, int result_ndim, uint64_t mask,
                             gx_array **out);
GX_CHECK bool gx_diagonal(gx_rt *rt, gx_array *a, int64_t offset, int axis1, int axis2,
                          gx_array **out);
/* Element strides of a contiguous layout in bytes; order 'C' or 'F'. */
void gx_contiguous_strides(int ndim, const int64_t *shape, int64_t item, char order,
                           int64_t *strides);

#endif
