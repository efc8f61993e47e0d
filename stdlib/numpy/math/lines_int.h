/* interp and convolve of float64 lines that are on a GPU (lines_real.h). */
#ifndef GX_STDLIB_NUMPY_MATH_LINES_INT_H
#define GX_STDLIB_NUMPY_MATH_LINES_INT_H

#include "runtime/op/whole.h"

extern const gx_each_function gx_interp_function, gx_convolve_function;

#endif
