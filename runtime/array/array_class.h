/* Arrays whose type is a class of the script below ndarray: class Unit(np.ndarray). Such an array
   is a gx_array like any other, with tag GX_ARRAY, whose head names the class; the attributes that
   the script sets on it lie behind its sizes and strides. What computes
   with arrays sees none of this and gives plain arrays; operators, indexing and calls
   (stdlib/numpy/ufunc/override.c) then make the class's own of them. */
#ifndef GX_RUNTIME_ARRAY_ARRAY_CLASS_H
#define GX_RUNTIME_ARRAY_ARRAY_CLASS_H

#include "runtime/array/array.h"
#include "runtime/object/class/class.h"

static inline bool gx_is_class_array(gx_borrowed v) {
    return v.tag == GX_ARRAY && v.obj->type->heap;
}
/* The array as an instance of cls, a class below ndarray, sharing its elements; then
   __array_finalize__(like) is called. The array is consumed. A plain cls gives the array itself,
   or a plain view of an instance. */
GX_CHECK bool gx_array_as_take(gx_rt *rt, gx_array *a, const gx_type *cls, gx_borrowed like,
                               gx_value *out);
/* The bytes of an array's head, with its sizes and strides. */
static inline size_t gx_array_bytes(const gx_array *a) {
    return sizeof *a + (size_t)a->room * 2 * sizeof *a->dims;
}
/* A view of type ndarray of an instance. */
GX_CHECK bool gx_array_plain(gx_rt *rt, gx_array *a, gx_array **out);
/* What self[...], self.T and self.copy() give: a plain array becomes one of self's class. */
GX_CHECK bool gx_array_like_take(gx_rt *rt, gx_borrowed self, gx_value result, gx_value *out);
/* like.__array_wrap__(array, context, return_scalar), ndarray's own where the class has none.
   context: a tuple or None. The array is consumed. */
GX_CHECK bool gx_array_wrap_take(gx_rt *rt, gx_borrowed like, gx_array *a, gx_borrowed context,
                                 bool scalar, gx_value *out);

extern const gx_native gx_ndarray_native;
extern const gx_subclassing gx_array_subclassing;

#endif
