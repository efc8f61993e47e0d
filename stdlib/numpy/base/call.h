/* Calling functions of the library by name. */
#ifndef GX_STDLIB_NUMPY_BASE_CALL_H
#define GX_STDLIB_NUMPY_BASE_CALL_H

#include "stdlib/numpy/base/scope.h"

/* numpy's function ("sum"), or one of a module below it ("linalg.svd"). */
GX_CHECK bool gx_np_call(gx_np *s, const char *path, int n, const gx_borrowed *argv, gx_value *out);
/* The same, the result as an array of the scope; NULL: an error. */
gx_array *gx_np_call_values(gx_np *s, const char *path, int n, const gx_borrowed *argv);
/* The same with n (at most 4) arrays; one that is NULL gives NULL. */
gx_array *gx_np_call_arrays(gx_np *s, const char *path, int n, ...);

#endif
