/* What the files of vectorize share. */
#ifndef GX_STDLIB_NUMPY_UFUNC_VECTORIZE_INT_H
#define GX_STDLIB_NUMPY_UFUNC_VECTORIZE_INT_H

#include "stdlib/numpy/base/scope.h"
#include "stdlib/python/walk.h"

enum { GX_NP_VECTOR_ARGS = 16 };
/* Items of a vectorize object: its signature, its doc, each a str or None. */
enum { GX_NP_VECTOR_SIGNATURE, GX_NP_VECTOR_DOC, GX_NP_VECTOR_ITEMS };

/* A call: w's a is the function, b the dtypes as a str of letters or None, c the set of excluded
   arguments or None, i how many results (0: the first call decides), j how many arguments (0: any).
   argv are the arguments as they came, the named ones last; arrays those that are vectorized, NULL
   for the others. */
typedef struct gx_np_vector_call {
    gx_rt *rt;
    gx_walk *w;
    int n, named;
    const gx_borrowed *argv;
    gx_array *arrays[GX_NP_VECTOR_ARGS];
    const gx_sym *kw;
} gx_np_vector_call;

/* The dtype asked for the k-th result; GX_NO_DTYPE: what the values make. */
GX_CHECK bool gx_np_vector_dtype(gx_rt *rt, const gx_walk *w, int64_t k, gx_dtype *out);
/* Is the text a signature, "(n),(m,n)->(n)"? Else ValueError. */
GX_CHECK bool gx_np_vector_signature(gx_rt *rt, const char *text);
/* The call by a signature: the function sees core dimensions as arrays. The scope is emptied. */
GX_CHECK bool gx_np_vector_axes(gx_np *s, gx_np_vector_call *e, const char *signature,
                                gx_value *out);

#endif
