/* Python's operators as numbers, shared by the parser and the runtime. runtime/object/operators.h
   says what they do on values; NumPy's operations are kernels/ops.def. */
#ifndef GX_RUNTIME_BASE_OPERATOR_H
#define GX_RUNTIME_BASE_OPERATOR_H

typedef enum gx_binop {
    GX_ADD,
    GX_SUB,
    GX_MUL,
    GX_MATMUL,
    GX_DIV,
    GX_FLOORDIV,
    GX_MOD,
    GX_POW,
    GX_LSHIFT,
    GX_RSHIFT,
    GX_BITAND,
    GX_BITXOR,
    GX_BITOR,
    GX_BINOPS
} gx_binop;

typedef enum gx_unop { GX_NEG, GX_POS, GX_INVERT } gx_unop;

typedef enum gx_cmpop {
    GX_EQ,
    GX_NE,
    GX_LT,
    GX_LE,
    GX_GT,
    GX_GE,
    GX_IS,
    GX_IS_NOT,
    GX_IN,
    GX_NOT_IN
} gx_cmpop;

#endif
