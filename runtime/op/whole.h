/* Operations of whole arrays that are entries of a backend (runtime/backend/backend.h), done where
   the array lives. */
#ifndef GX_RUNTIME_OP_WHOLE_H
#define GX_RUNTIME_OP_WHOLE_H

#include "runtime/array/array.h"
#include "runtime/backend/each.h"
#include "runtime/backend/filter.h"

/* The running total (or product) of dtype `total` along an axis of an array that has one, with the
   warnings of NumPy's accumulate. */
GX_CHECK bool gx_array_scan(gx_rt *rt, gx_array *a, int axis, bool product, gx_dtype total,
                            gx_array **out);

/* Filters a C-contiguous array into another, whose elements are all written: both parts of complex
   ones, cval being the real part beyond the edges. The job's dtypes, places, buffers and steps are
   set here. */
GX_CHECK bool gx_array_filter(gx_rt *rt, gx_array *from, gx_filter *job, gx_array *to);

/* A function of every element of n contiguous arrays of one shape, float64 or complex128: `results`
   new arrays, made on a GPU where one of the operands is there and the function has a text. */
GX_CHECK bool gx_array_each(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *in,
                            int results, gx_array **out);

/* Does an array live on a GPU, whatever copies of it there are? */
bool gx_array_is_away(gx_rt *rt, const gx_array *a);
/* Is one of n arrays on a GPU that has the function? */
bool gx_array_looks(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *a);
/* A float64 array of that shape: a function with `look` of each number of its elements, of `in`
   (which may be NULL) and of n whole lines, all contiguous float64. */
GX_CHECK bool gx_array_look(gx_rt *rt, const gx_each_function *f, gx_array *in, int n,
                            gx_array *const *lines, int ndim, const int64_t *shape,
                            gx_array **out);
/* The same of n lines alone, and made where a new array of the namespace lives. */
GX_CHECK bool gx_array_make(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *lines,
                            int ndim, const int64_t *shape, gx_namespace ns, gx_array **out);

/* The coordinates of n flat positions, which lie in a row and inside an array of that shape:
   (n, ndim) int64, an axis beside the other or one after the other (columns). */
GX_CHECK bool gx_coordinates(gx_rt *rt, gx_array *linear, int ndim, const int64_t *shape,
                             bool columns, gx_array **out);
/* Those of an array's true elements, in C order. */
GX_CHECK bool gx_places(gx_rt *rt, gx_array *a, bool columns, gx_array **out);

/* Uninitialised elements in C order, where one of the n arrays has its own on a GPU there, too. */
GX_CHECK bool gx_array_empty_near(gx_rt *rt, int n, gx_array *const *near, gx_dtype d, int ndim,
                                  const int64_t *shape, gx_namespace ns, gx_array **out);

/* Uninitialised elements for n arrays joined along an axis, in the order of joined arrays. */
GX_CHECK bool gx_array_empty_joined(gx_rt *rt, int n, gx_array *const *parts, gx_dtype d,
                                    const int64_t *shape, gx_namespace ns, gx_array **out);

#endif
