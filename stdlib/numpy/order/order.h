/* The order of the elements of arrays along any axis, for functions of the library. */
#ifndef GX_STDLIB_NUMPY_ORDER_ORDER_H
#define GX_STDLIB_NUMPY_ORDER_ORDER_H

#include "stdlib/numpy/base/ranked.h"

/* Reorders index (n positions) so that keys[index[i]] ascends; equal ones keep their order. */
GX_CHECK bool gx_np_sort_keys(gx_np *s, const uint64_t *keys, int64_t n, int64_t *index);

/* Positions that sort a along an axis, int64. */
gx_array *gx_np_argsort(gx_np *s, gx_array *a, int axis);
/* A sorted copy. */
gx_array *gx_np_sorted(gx_np *s, gx_array *a, int axis);
/* A copy with the element of rank kth in its place, none larger before it and none smaller after.
 */
gx_array *gx_np_partitioned(gx_np *s, gx_array *a, int axis, int64_t kth);
/* Positions that partition likewise. */
gx_array *gx_np_argpartitioned(gx_np *s, gx_array *a, int axis, int64_t kth);
/* For each element of v where it would go into the sorted 1-d array a. */
gx_array *gx_np_search(gx_np *s, gx_array *a, gx_array *v, bool right);

#endif
