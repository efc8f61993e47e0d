/* Image filters of arrays on a GPU whose backend has them. Decides nothing about modes or axes:
   stdlib does. */
#ifndef GX_RUNTIME_OP_DEVICE_FILTER_H
#define GX_RUNTIME_OP_DEVICE_FILTER_H

#include "runtime/array/array.h"
#include "runtime/backend/filter.h"

/* Does the array live on a GPU that filters? */
bool gx_device_has_filters(const gx_rt *rt, const gx_array *a);
/* Filters a C-contiguous array into another, whose elements are all written: both parts of complex
   ones, cval being the real part beyond the edges. The job's dtypes, places and steps are set here.
   *taken false: the GPU does not filter this way, and nothing was done. */
GX_CHECK bool gx_device_filter(gx_rt *rt, gx_array *from, gx_filter *job, gx_array *to,
                               bool *taken);

#endif
