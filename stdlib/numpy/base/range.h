/* Ranges for other files of this folder. */
#ifndef GX_STDLIB_NUMPY_BASE_RANGE_H
#define GX_STDLIB_NUMPY_BASE_RANGE_H

#include "stdlib/numpy/base/scope.h"

/* arange(start, stop, step, dtype) as an array of the scope; d may be GX_NO_DTYPE. */
gx_array *gx_np_range(gx_np *s, gx_borrowed start, gx_borrowed stop, gx_borrowed step, gx_dtype d);
/* linspace(start, stop, num, endpoint) in float64. */
gx_array *gx_np_linspace(gx_np *s, double start, double stop, int64_t num, bool endpoint);
/* The numbers of one slice: a complex step counts them, and the stop is then included. */
gx_array *gx_np_slice_numbers(gx_np *s, gx_borrowed key);

#endif
