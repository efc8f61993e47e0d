/* The order of elements, for sorting and searching: each element gets a key whose unsigned order is
   NumPy's order (nan last, -0.0 equal to 0.0), and a stable radix sort orders the keys. */
#ifndef GX_STDLIB_NUMPY_ORDER_ORDER_H
#define GX_STDLIB_NUMPY_ORDER_ORDER_H

#include "stdlib/numpy/base/scope.h"

/* Keys of n elements of a real dtype, `stride` bytes apart. Ends early (runtime/device/work.h). */
void gx_np_keys(const gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                uint64_t *keys);
/* Reorders index (n positions) so that keys[index[i]] ascends; equal ones keep their order. */
GX_CHECK bool gx_np_sort_keys(gx_rt *rt, const uint64_t *keys, int64_t n, int64_t *index);
/* The order of n elements of any dtype: index becomes 0 … n-1 reordered. */
GX_CHECK bool gx_np_order(gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                          int64_t *index);

/* Memory that the scope owns, as gx_np_scratch, but from the pool of arrays, which keeps it. */
void *gx_np_spare(gx_np *s, int64_t bytes);
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
