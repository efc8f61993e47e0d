/* dtypes at run time: names, promotion (NEP 50), casting rules, and NumPy scalars. The rows are
   kernels/dtypes.h. Python int, float and complex operands are weak: they give their kind only. */
#ifndef GX_RUNTIME_ARRAY_DTYPE_H
#define GX_RUNTIME_ARRAY_DTYPE_H

#include <string.h>

#include "kernels/optable.h"
#include "runtime/object/object.h"

static inline int64_t gx_dtype_size(int d) {
    return gx_dtypes[d].bytes;
}
static inline int gx_dtype_kind(int d) {
    return gx_dtypes[d].kind;
}
static inline gx_value gx_dtype_value(int d) {
    return (gx_value){.tag = GX_DTYPE, .dtype = (uint16_t)d};
}
/* A dtype from anything NumPy takes: 'float32', 'f4', '<f8', '?', np.float32, float, int, bool,
   complex, a dtype. TypeError "data type 'floot32' not understood" with the nearest name. */
GX_CHECK bool gx_dtype_of(gx_rt *rt, gx_borrowed v, gx_dtype *out);
/* numpy.promote_types. */
gx_dtype gx_promote(gx_dtype a, gx_dtype b);
/* A weak Python scalar of a kind (GX_KIND_INT, FLOAT, CPLX) beside a dtype. */
gx_dtype gx_promote_weak(gx_dtype a, gx_dkind kind);
typedef enum gx_casting {
    GX_CAST_NO,
    GX_CAST_EQUIV,
    GX_CAST_SAFE,
    GX_CAST_SAME_KIND,
    GX_CAST_UNSAFE
} gx_casting;
bool gx_can_cast(gx_dtype from, gx_dtype to, gx_casting rule);
/* "same_kind" … as a rule; ValueError otherwise. */
GX_CHECK bool gx_casting_of(gx_rt *rt, gx_borrowed v, gx_casting *out);
/* The real dtype of a complex one (float32 of complex64); others unchanged. And back. */
gx_dtype gx_real_dtype(gx_dtype d);
gx_dtype gx_complex_dtype(gx_dtype d);
/* The computing and result dtype of an operation on a common dtype; false: no such loop
   (TypeError is the caller's). */
bool gx_op_dtypes(gx_opcode op, gx_dtype common, gx_dtype *compute, gx_dtype *result);

/* --- one element ------------------------------------------------------------------------------ */
/* A NumPy scalar as a value (boxed for complex128), and its element. */
GX_CHECK bool gx_scalar_new(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_value *out);
/* The scalar's element; one that is still the GPU's is fetched now. */
GX_CHECK bool gx_scalar_read(gx_rt *rt, gx_borrowed v, gx_scalar *out);
/* A scalar whose element only the GPU has? */
bool gx_scalar_is_pending(gx_borrowed v);
void gx_scalar_free(gx_rt *rt, gx_obj *o); /* the slot of their types */
/* An element as a Python value (bool, int, float, complex): item(), tolist(). */
GX_CHECK bool gx_scalar_item(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_value *out);
/* A Python number, bool or NumPy scalar as an element of a dtype, as assignment does (unsafe cast;
   OverflowError for a Python int out of bounds; TypeError for what is no number). */
GX_CHECK bool gx_scalar_from(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out);
/* Does the class of an array say itself what number its one element is (__float__, __int__)? */
bool gx_reads_itself(gx_rt *rt, gx_borrowed v, gx_dtype d);
/* The same, as a store of one element takes it: NumPy's scalars are bound as Python's numbers are,
   OverflowError (ValueError for nan) where an integer dtype does not have them; unsigned ones
   wrap around. */
GX_CHECK bool gx_element_from(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out);
/* Converts one element (the cast loops' meaning). */
gx_scalar gx_scalar_cast(gx_dtype from, gx_dtype to, const gx_scalar *s);
/* Copies one element's bytes. */
static inline void gx_item_copy(void *to, const void *from, size_t item) {
    switch (item) { /* constant sizes are single moves */
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, 16); break;
    }
}
/* The largest number of a float's dtype. */
double gx_float_max(gx_dtype d);
/* A number as an element of a float's dtype holds it. */
double gx_float_rounded(gx_dtype d, double x);
/* The text of one element: repr (shortest digits) as NumPy's str(scalar). */
GX_CHECK bool gx_scalar_text(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_buf *out);
/* Python's weak numbers, strong scalars and arrays told apart. */
typedef enum gx_operand {
    GX_OPERAND_NONE,
    GX_OPERAND_WEAK,
    GX_OPERAND_SCALAR,
    GX_OPERAND_ARRAY
} gx_operand;
gx_operand gx_operand_kind(gx_borrowed v);

/* Calls fn for the name of every dtype of numbers. */
void gx_dtype_each_name(void (*fn)(const char *name, void *ctx), void *ctx);

#endif
