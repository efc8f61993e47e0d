/* The order of elements on a GPU, for stdlib. Each function gives NULL where the
   values do not live on a GPU that does it: the caller works on the host. */
#ifndef GX_RUNTIME_OP_DEVICE_ORDER_H
#define GX_RUNTIME_OP_DEVICE_ORDER_H

#include "runtime/array/array.h"

/* Does a's value live on a GPU that has these? */
bool gx_device_orders(gx_rt *rt, const gx_array *a);
/* And can it sort along an axis? */
bool gx_device_sorts(gx_rt *rt, const gx_array *a, int axis);
/* a sorted along its last axis, or (index) the positions that sort it. */
GX_CHECK bool gx_device_sort(gx_rt *rt, gx_array *a, bool index, gx_array **out);
/* Both at once. */
GX_CHECK bool gx_device_sort_both(gx_rt *rt, gx_array *a, gx_array **sorted, gx_array **index);
/* For each element of v its place in the sorted 1-d array among; dtypes are equal and real, or
   among has float64 and v is no half. */
GX_CHECK bool gx_device_search(gx_rt *rt, gx_array *among, gx_array *v, bool right, gx_array **out);
/* The elements of m ranks along the last axis of a real array, which becomes m long. */
GX_CHECK bool gx_device_select(gx_rt *rt, gx_array *a, int m, const int64_t *ranks,
                               gx_array **out);
/* What unique finds in a 1-d real array; those of the last three that are NULL are not looked for.
   lengths: how often each value occurs. *values NULL: not done. */
GX_CHECK bool gx_device_unique(gx_rt *rt, gx_array *a, bool equal_nan, gx_array **values,
                               gx_array **lengths, gx_array **first, gx_array **inverse);

#endif
