/* What the files of signals share. */
#ifndef GX_STDLIB_NUMPY_MATH_SIGNAL_INT_H
#define GX_STDLIB_NUMPY_MATH_SIGNAL_INT_H

#include "stdlib/numpy/base/scope.h"

/* The full convolution of two lines that are not empty. */
gx_array *gx_np_convolve(gx_np *s, gx_array *a, gx_array *v);
/* The modified Bessel function of order 0. */
double gx_np_bessel_i0(double x);

#endif
