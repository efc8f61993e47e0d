/* Elements that are no numbers by their ranks: what sorts, searches and counts numbers does so with
   these. */
#ifndef GX_STDLIB_NUMPY_BASE_RANKED_H
#define GX_STDLIB_NUMPY_BASE_RANKED_H

#include "stdlib/numpy/base/scope.h"

/* Arrays of which one holds no numbers become the ranks of their elements among all of them, int64
   of the same shapes; *values: the distinct elements in order, 1-d. Else *values is NULL and
   nothing changes. */
GX_CHECK bool gx_np_ranked(gx_np *s, int n, gx_array **a, gx_array **values);

#endif
