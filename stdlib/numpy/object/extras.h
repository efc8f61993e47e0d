/* What other files of this folder use of extras.c. */
#ifndef GX_STDLIB_NUMPY_OBJECT_EXTRAS_H
#define GX_STDLIB_NUMPY_OBJECT_EXTRAS_H

#include "stdlib/numpy/base/scope.h"

/* The ufunc c->fn of two operands with axes=, the argument at `axes`; dest: the place of out=, or
   -1. */
GX_CHECK bool gx_np_with_axes(gx_call *c, int axes, int dest, gx_value *out);
/* The array that v.__dlpack__() lends, one reference more. NO: v lends none. */
GX_CHECK gx_try gx_np_lent(gx_rt *rt, gx_borrowed v, gx_array **out);

#endif
