/* The order of the elements of arrays, found where they live if the device there does that, else on
   the host (runtime/backend/order.h). */
#ifndef GX_RUNTIME_OP_ORDER_H
#define GX_RUNTIME_OP_ORDER_H

#include "runtime/array/array.h"

/* Rows along the last axis sorted, and the positions that sort them, int64; either may be NULL. */
GX_CHECK bool gx_array_sort(gx_rt *rt, gx_array *a, gx_array **sorted, gx_array **index);
/* Rows with the element of rank kth in its place, none larger before it and none smaller after it;
   or (index) the positions that do so. */
GX_CHECK bool gx_array_partition(gx_rt *rt, gx_array *a, int64_t kth, bool index, gx_array **out);
/* For each element of v its place in the sorted 1-d array among; dtypes are equal and real, or
   among has float64 and v is no half. */
GX_CHECK bool gx_array_search(gx_rt *rt, gx_array *among, gx_array *v, bool right, gx_array **out);
/* The elements of m ranks along the last axis of a real array, which becomes m long; *out NULL
   where sorting is better. */
GX_CHECK bool gx_array_select(gx_rt *rt, gx_array *a, int m, const int64_t *ranks, gx_array **out);
/* What unique finds in a 1-d real array; those of the last three that are NULL are not looked for.
   lengths: how often each value occurs. */
GX_CHECK bool gx_array_unique(gx_rt *rt, gx_array *a, bool equal_nan, gx_array **values,
                              gx_array **lengths, gx_array **first, gx_array **inverse);
/* Which elements of a are (or are not) among those of a set of its dtype, as bools; *out NULL where
   looking them up in a sorted set is better, which is then real and not empty. */
GX_CHECK bool gx_array_members(gx_rt *rt, gx_array *a, gx_array *set, bool invert,
                               gx_array **out);

#endif
