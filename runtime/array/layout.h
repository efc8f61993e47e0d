/* The memory order of results, NumPy's, decided here for all who make arrays. There are three
   rules: a copy follows the array that it copies, an elementwise result its operands, and what is
   joined its parts. An order is the axes from the outermost in memory to the innermost. */
#ifndef GX_RUNTIME_ARRAY_LAYOUT_H
#define GX_RUNTIME_ARRAY_LAYOUT_H

#include "runtime/array/array.h"
#include "runtime/array/shape.h"

/* Of a copy in order 'K', by the strides: larger ones first, ties in C order. */
void gx_order_of_copy(int ndim, const int64_t *strides, int *order);
/* Of an elementwise result, by the strides of n operands over its shape (nditer's 'K'): conflicts
   end in C order, and axes along which an operand is repeated do not count for it. */
void gx_order_of_operands(int ndim, int n, const int64_t *const *strides, int *order);
/* Of n arrays joined along an axis of theirs. */
void gx_order_of_joined(int n, gx_array *const *parts, int *order);

bool gx_order_is_c(int ndim, const int *order);
/* Strides in bytes of an array whose axes lie in the order. */
void gx_order_strides(int ndim, const int64_t *shape, int64_t item, const int *order,
                      int64_t *strides);
/* r, whose axes stand in the order, with the axes where they belong. */
GX_CHECK static inline bool gx_order_back(gx_rt *rt, gx_array *r, const int *order,
                                          gx_array **out) {
    int back[GX_MAX_DIMS];
    for (int i = 0; i < r->ndim; i++) back[order[i]] = i;
    return gx_transpose(rt, r, back, out);
}
/* An array of equal elements whose axes lie in the order. */
GX_CHECK bool gx_order_full(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape,
                            const int *order, gx_namespace ns, const gx_scalar *fill,
                            gx_array **out);
/* A view of all of an array that nobody else will see becomes the owner of the elements. */
void gx_array_settle(gx_array *view);

#endif
