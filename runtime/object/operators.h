/* Python's operators on values: None, bool, int, float, complex, str, list … by hand. Arrays and
   NumPy scalars take over through their types' `binary`, `unary` and `compare` slots, where NumPy's
   meaning (kernels/ops.def) holds. They differ: 7 // 0 raises here and is 0 there. */
#ifndef GX_RUNTIME_OBJECT_OPERATORS_H
#define GX_RUNTIME_OBJECT_OPERATORS_H

#include "runtime/object/object.h"

GX_CHECK bool gx_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* a op= b: lists, sets and arrays change in place; *out is what the name is bound to afterwards. */
GX_CHECK bool gx_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
GX_CHECK bool gx_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out);
/* Any gx_cmpop, `is` and `in` included; the result need not be a bool (arrays). */
GX_CHECK bool gx_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* The comparison that gives the same with its operands in the other order. */
static inline gx_cmpop gx_cmpop_mirrored(gx_cmpop op) {
    switch ((int)op) {
    case GX_LT: return GX_GT;
    case GX_LE: return GX_GE;
    case GX_GT: return GX_LT;
    case GX_GE: return GX_LE;
    default: return op;
    }
}
/* "+", "//", "<=" … for messages. */
const char *gx_binop_text(gx_binop op);
const char *gx_cmpop_text(gx_cmpop op);

#endif
