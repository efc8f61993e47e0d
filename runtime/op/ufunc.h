/* Operations on arrays: elementwise (kernels/ops.def), reductions, matmul, indexing. Results are
   pending where the lazy graph allows; shape and dtype errors are raised here and now. Operands may
   be arrays, NumPy scalars, Python numbers (weak), or lists (converted). */
#ifndef GX_RUNTIME_OP_UFUNC_H
#define GX_RUNTIME_OP_UFUNC_H

#include "runtime/array/array.h"
#include "runtime/object/native.h"
#include "runtime/object/warn.h"

/* Options of a ufunc call; zero-initialise, then set what is given. */
typedef struct gx_op_options {
    gx_array *out;   /* result is stored there and returned, or NULL */
    gx_array *where; /* bool mask, or NULL */
    gx_dtype dtype;  /* computing dtype asked for, when has_dtype */
    bool has_dtype;
    gx_casting casting; /* for out and dtype; default same_kind: set has_casting */
    bool has_casting;
    bool function; /* called by its name, not by an operator */
    gx_namespace ns;    /* of the result when no operand is an array */
} gx_op_options;

/* The operation on gx_ops[op].arity operands: an array, or a NumPy scalar when all operands are
   scalars or 0-d. options may be NULL. Integer power with a negative exponent is a ValueError. */
GX_CHECK bool gx_op(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                    const gx_op_options *options, gx_value *out);
static inline bool gx_op1(gx_rt *rt, gx_opcode op, gx_borrowed x, gx_value *out) {
    return gx_op(rt, op, &x, NULL, out);
}
static inline bool gx_op2(gx_rt *rt, gx_opcode op, gx_borrowed x, gx_borrowed y, gx_value *out) {
    const gx_borrowed xy[2] = {x, y};
    return gx_op(rt, op, xy, NULL, out);
}
/* Python's operator (or abs) on NumPy scalars: as gx_op, but a warning names it "scalar add" and
   integers that overflow give one. */
GX_CHECK bool gx_scalar_op(gx_rt *rt, gx_opcode op, const gx_borrowed *operands, gx_value *out);
/* The same on arrays, giving an array (0-d stays an array). */
GX_CHECK bool gx_op_arrays(gx_rt *rt, gx_opcode op, int n, gx_array *const *operands,
                           gx_array **out);
/* where(cond, x, y). */
GX_CHECK bool gx_where(gx_rt *rt, gx_borrowed cond, gx_borrowed x, gx_borrowed y, gx_value *out);
/* The body of every function row made from ops.def: fn->op says which; the signature is
   gx_op_signature: "exp(x, /, out=None, *, where=True, casting='same_kind', order='K',
   dtype=None)". */
bool gx_op_call(gx_call *c, gx_value *out);
/* order='A' of a call with n operands: 'F' where all of them lie so, else 'C'; others stay. */
GX_CHECK bool gx_order_of_call(gx_call *c, int n, char *order);
/* A ufunc's out=, parameter i: an array, or where it is `named` also a tuple of one, or `...`: an
   array where it would be a scalar (`keeps`). */
GX_CHECK bool gx_op_out_arg(gx_call *c, int i, bool named, gx_array **out, bool *keeps);
/* May a ufunc's `what` ("input", "output 1") become a dtype by the rule? */
GX_CHECK bool gx_ufunc_may_cast(gx_rt *rt, const char *name, gx_dtype from, gx_dtype to,
                                gx_casting rule, const char *what);
/* The body of rows of SciPy's functions instead, which also knows complex operands. */
void gx_op_set_special(gx_rt *rt, gx_native_fn fn);
/* The operation on n elements of host memory of its computing dtype d, which is the result's too; y
   NULL: it has one operand. *fp collects GX_FP_* conditions, which gx_op_met tells of. */
GX_CHECK bool gx_op_elements(gx_rt *rt, gx_opcode op, gx_dtype d, void *out, const void *x,
                             const void *y, int64_t n, int *fp);
GX_CHECK bool gx_op_met(gx_rt *rt, gx_opcode op, int fp);
/* The operation in place at n positions of host memory of dtype d (see gx_backend's `at`), with
   what it warns of. */
GX_CHECK bool gx_op_at(gx_rt *rt, gx_opcode op, gx_dtype compute, gx_dtype result, gx_dtype d,
                       void *to, const int64_t *at, const void *other, int64_t n);
/* The rows of ops.def as functions (index: gx_opcode); name NULL where an op is no function. Made
   once a context and kept in it. */
const gx_native *gx_op_native(gx_rt *rt, gx_opcode op);

/* A reduction over the axes in mask. dtype: GX_NO_DTYPE for the rule's. initial may be NULL; where
   may be NULL. Kept axes have size 1 with keepdims. ValueError for an empty axis with no identity
   ("zero-size array to reduction operation maximum which has no identity"). */
GX_CHECK bool gx_reduce(gx_rt *rt, gx_redcode red, gx_array *a, uint64_t mask, bool keepdims,
                        gx_dtype dtype, const gx_scalar *initial, gx_array *where, gx_array **out);
/* The sum of squared distances from the mean, in one pass and in dtype d; *out is NULL where the
   array's device does not do that. */
GX_CHECK bool gx_reduce_spread(gx_rt *rt, gx_array *a, uint64_t mask, bool keepdims, gx_dtype d,
                               gx_array **out);

/* NumPy's matmul (1-D promotion, batch broadcasting) and dot. */
GX_CHECK bool gx_matmul(gx_rt *rt, gx_array *a, gx_array *b, gx_array **out);
/* Is the sum of the squares of an array's elements best a product of it with itself? */
bool gx_matmul_sums(const gx_rt *rt, const gx_array *a);
/* gx_matmul that warns of overflow and invalid values as the function `name` does. */
GX_CHECK bool gx_matmul_watched(gx_rt *rt, gx_array *a, gx_array *b, const char *name,
                                gx_array **out);

/* The elements of `a` where a mask of its shape is true; the mask is computed on the way;
   *out is NULL where a's device has no such thing (select.c). */
GX_CHECK bool gx_select(gx_rt *rt, gx_array *a, gx_array *mask, gx_array **out);
/* How many elements are not zero, where they can be counted as they are (GX_TRY_NO: not so). */
GX_CHECK gx_try gx_count_nonzero(gx_rt *rt, gx_array *a, int64_t *out);

/* Opens the room: the types of arrays and NumPy scalars have their operators from here on. To be
   called after gx_heap_new. */
GX_CHECK bool gx_operations_open(gx_rt *rt);

#endif
