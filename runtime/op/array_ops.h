/* Operator slots of arrays and NumPy scalars. */
#ifndef GX_RUNTIME_OP_ARRAY_OPS_H
#define GX_RUNTIME_OP_ARRAY_OPS_H

#include "runtime/op/ufunc.h"

gx_try gx_array_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
gx_try gx_array_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out);
gx_try gx_array_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);

#endif
