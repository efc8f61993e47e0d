/* Elementwise kernels of a script as operations of the lazy graph: the function of one element
   becomes a part of the kernel that computes what reads it. */
#ifndef GX_RUNTIME_OP_INLINE_H
#define GX_RUNTIME_OP_INLINE_H

#include "runtime/array/array.h"
#include "runtime/array/dtype.h"

struct gx_inline;

/* The most inputs of such a function. */
enum { GX_INLINE_MOST = 3 };

/* The function of a text that defines call(x0, …), of inputs of these dtypes: the same for the same
   text. `name` is what scripts call it. It lives as long as rt. */
GX_CHECK bool gx_inline_get(gx_rt *rt, const char *name, const char *text, int arity,
                            const gx_dtype *in, gx_dtype result, const struct gx_inline **out);
/* Its value at operands (arrays, or numbers), broadcast to this shape, as a pending value in C
   order; *out is NULL where no GPU would compute that, and nothing was done. */
GX_CHECK bool gx_inline_call(gx_rt *rt, const struct gx_inline *f, const gx_borrowed *operands,
                             int ndim, const int64_t *shape, gx_namespace ns, gx_array **out);
/* Frees the functions, before the engine goes. */
void gx_inlines_free(gx_rt *rt);

#endif
