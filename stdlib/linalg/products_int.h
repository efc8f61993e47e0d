/* Products for other files of this folder. */
#ifndef GX_STDLIB_LINALG_PRODUCTS_INT_H
#define GX_STDLIB_LINALG_PRODUCTS_INT_H

#include "stdlib/numpy/base/scope.h"

/* Sum over n pairs of axes. */
gx_array *gx_np_tensordot(gx_np *s, gx_array *a, gx_array *b, int n, const int *x, const int *y);
/* numpy.dot of two arrays. */
gx_array *gx_np_dot(gx_np *s, gx_array *a, gx_array *b);

#endif
