/* What other files of this folder use of np_extras.c. */
#ifndef GX_STDLIB_NP_EXTRAS_INT_H
#define GX_STDLIB_NP_EXTRAS_INT_H

#include "stdlib/np_int.h"

/* The ufunc c->fn of two operands with axes=, the argument at `axes`; dest: the place of out=, or
   -1. */
GX_CHECK bool gx_np_with_axes(gx_call *c, int axes, int dest, gx_value *out);
/* The array that v.__dlpack__() lends, one reference more. NO: v lends none. */
GX_CHECK gx_try gx_np_lent(gx_rt *rt, gx_borrowed v, gx_array **out);

#endif
