/* Shared by the ufunc files: resolved operands. */
#ifndef GX_RUNTIME_UFUNC_INT_H
#define GX_RUNTIME_UFUNC_INT_H

#include "runtime/lazy_int.h"
#include "runtime/ufunc.h"

/* Operands of one operation: an array, a strong element (array NULL), or a weak Python number. */
typedef struct gx_operands {
    int n;
    gx_door door; /* of the result */
    gx_array *array[3]; /* owned */
    uint8_t dtype[3];   /* unless weak */
    bool weak[3];
    gx_scalar scalar[3];
    gx_value value[3]; /* borrowed */
} gx_operands;

GX_CHECK bool gx_operands_read(gx_rt *rt, int n, const gx_borrowed *values, gx_door door,
                               gx_operands *o);
void gx_operands_free(gx_operands *o);
/* The operation, computing dtype `asked` (or GX_NO_DTYPE). keep_array: 0-d operands give an array.
 */
GX_CHECK bool gx_op_resolved(gx_rt *rt, gx_opcode op, gx_operands *o, gx_dtype asked,
                             bool keep_array, gx_value *out);
GX_CHECK bool gx_op_node(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype compute,
                         gx_dtype result, gx_array **out);
GX_CHECK bool gx_op_with_options(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                                 const gx_op_options *options, gx_value *out);
/* The short way for small ready arrays; GX_TRY_NO: take the general one. */
gx_try gx_op_fast(gx_rt *rt, gx_opcode op, const gx_borrowed *operands, gx_value *out);
bool gx_fail_no_loop(gx_rt *rt, gx_opcode op, gx_dtype d);

#endif
