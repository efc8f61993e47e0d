/* What histogram and the rules for its bins share. */
#ifndef GX_STDLIB_NUMPY_MATH_HISTOGRAM_INT_H
#define GX_STDLIB_NUMPY_MATH_HISTOGRAM_INT_H

#include "stdlib/numpy/base/scope.h"

/* The width of bins that a named rule finds fit for n values, which it may reorder; 0: one bin. */
GX_CHECK bool gx_np_bin_width(gx_np *s, const char *name, double *x, int64_t n, double low,
                              double high, double *out);

#endif
