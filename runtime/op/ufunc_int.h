/* Shared by the ufunc files: resolved operands. */
#ifndef GX_RUNTIME_OP_UFUNC_INT_H
#define GX_RUNTIME_OP_UFUNC_INT_H

#include "runtime/graph/lazy.h"
#include "runtime/op/ufunc.h"

/* Operands of one operation: an array, a strong element (array NULL), or a weak Python number. */
typedef struct gx_operands {
    int n;
    gx_namespace ns; /* of the result */
    gx_array *array[3]; /* owned */
    uint16_t dtype[3];  /* unless weak */
    bool weak[3];
    gx_scalar scalar[3];
    gx_value value[3]; /* borrowed */
    bool as_operator;  /* Python's operator on NumPy scalars: warnings say so, ints may overflow */
    bool function;     /* called by its name: x ** 2's short cuts are the operator's alone */
    bool unsafe;       /* casting='unsafe': Python's numbers become whatever is left of them */
} gx_operands;

GX_CHECK bool gx_operands_read(gx_rt *rt, int n, const gx_borrowed *values, gx_namespace ns,
                               gx_operands *o);
void gx_operands_free(gx_operands *o);
/* kinds.c: the operation where an operand's elements are no numbers. NO: all are numbers. YES: its
   result; or, where only the truth of texts counts, `truths` are what to operate on instead. */
gx_try gx_op_on_kinds(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                      const gx_op_options *options, gx_value truths[2], gx_value *out);
/* ufunc_call.c: what out= and where= make of the result of an operation on elements that are no
   numbers; takes v. */
GX_CHECK bool gx_op_give(gx_rt *rt, const gx_op_options *options, gx_value v, gx_value *out);
/* The same of n arrays, as an array. */
GX_CHECK bool gx_op_arrays_of_kinds(gx_rt *rt, gx_opcode op, int n, gx_array *const *a,
                                    gx_array **out);
/* The operation, computing dtype `asked` (or GX_NO_DTYPE). keep_array: 0-d operands give an array.
 */
GX_CHECK bool gx_op_resolved(gx_rt *rt, gx_opcode op, gx_operands *o, gx_dtype asked,
                             bool keep_array, gx_value *out);
/* matmul_watch.c: the warnings of c = a @ b, all of one dtype and at least 2-D, c contiguous. */
GX_CHECK bool gx_matmul_watch(gx_rt *rt, const gx_array *a, const gx_array *b, const gx_array *c,
                              const char *name);
GX_CHECK bool gx_op_node(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype compute,
                         gx_dtype result, gx_array **out);
GX_CHECK bool gx_op_with_options(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                                 const gx_op_options *options, gx_value *out);
/* The short way for small ready arrays; GX_TRY_NO: take the general one. */
gx_try gx_op_fast(gx_rt *rt, gx_opcode op, const gx_borrowed *operands, gx_value *out);
/* The same of a reduction of all elements, folded in acc. */
gx_try gx_reduce_fast(gx_rt *rt, gx_redcode red, const gx_array *a, gx_dtype acc, gx_dtype result,
                      gx_array **out);
/* Says that integers have no negative powers. */
GX_CHECK bool gx_power_negative(gx_rt *rt);
bool gx_fail_no_loop(gx_rt *rt, gx_opcode op, gx_dtype d);
/* The dtype that the operands have in common. */
gx_dtype gx_operands_common(gx_opcode op, const gx_operands *o);
/* What a comparison with every element of `a` gives, in the memory order of its results. */
GX_CHECK bool gx_all_compared(gx_rt *rt, const gx_array *a, gx_namespace ns, bool answer,
                              gx_value *out);
bool gx_is_comparison(gx_opcode op);
/* A comparison that needs more than a common dtype; GX_TRY_NO: it does not. */
/* Two Python ints of which one has no int64: the exact answer. */
bool gx_op_compare_ints(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_value *out);
gx_try gx_op_compare(gx_rt *rt, gx_opcode op, gx_operands *o, gx_dtype common, gx_value *out);
/* Does the operator on two elements (one: the second is 0) of an integer dtype overflow it? */
bool gx_int_overflows(gx_opcode op, gx_dtype d, const gx_scalar *x, const gx_scalar *y);
/* Finds the computing dtype that dtype=asked stands for; TypeError where no loop gives it. Where it
   says nothing new *asked becomes GX_NO_DTYPE. */
GX_CHECK bool gx_op_asked(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype *asked);

#endif
