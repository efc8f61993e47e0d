/* The objects behind x.flat and x.flags. */
#ifndef GX_STDLIB_NUMPY_OBJECT_FLAT_INT_H
#define GX_STDLIB_NUMPY_OBJECT_FLAT_INT_H

#include "stdlib/numpy/base/scope.h"

extern const gx_type gx_type_flatiter, gx_type_flags;
GX_CHECK bool gx_np_flat_new(gx_rt *rt, gx_array *a, gx_value *out);
GX_CHECK bool gx_np_flags_new(gx_rt *rt, gx_array *a, gx_value *out);
/* x.flat = v: v's elements over and over. */
GX_CHECK bool gx_np_flat_assign(gx_rt *rt, gx_array *a, gx_borrowed v);
/* Allows or forbids storing through this array. */
GX_CHECK bool gx_np_set_writeable(gx_rt *rt, gx_array *a, bool on);

#endif
