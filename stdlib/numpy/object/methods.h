/* Bodies that functions and ndarray's methods of another signature share. */
#ifndef GX_STDLIB_NUMPY_OBJECT_METHODS_H
#define GX_STDLIB_NUMPY_OBJECT_METHODS_H

#include "stdlib/numpy/base/scope.h"

/* a.reshape(shape): c->argv[0] as a view, or a copy where a view cannot be; ndim below 0: in the
   shape that it has. copy: as gx_np_copy_arg says. */
bool gx_np_reshape_to(gx_call *c, int ndim, const int64_t *shape, char order, int copy,
                      gx_value *out);
/* The axes of a from the one with the largest strides on: the order of its elements in memory. */
void gx_np_memory_order(const gx_array *a, int *perm);
/* a.transpose(axes) of c->argv[0]. */
GX_CHECK bool gx_np_do_transpose(gx_call *c, gx_borrowed axes, gx_value *out);
/* asnumpy(a, stream, order, out) and a.get(stream, order, out): on the host, of the numpy
 * namespace. */
bool gx_np_do_get(gx_call *c, gx_value *out);
/* numpy.atleast_1d … 3d of one array. */
gx_array *gx_np_at_least(gx_np *s, gx_array *a, int ndim);

#endif
