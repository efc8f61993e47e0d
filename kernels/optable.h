/* The tables of operations and reductions, built from ops.def and reductions.def. Everything that
   needs to know an operation's name, arity, dtype rule, documentation or device text reads it here.
   Meaning on the CPU: runtime/backend/cpu/loops/loops.h compiles the same texts. */
#ifndef GX_KERNELS_OPTABLE_H
#define GX_KERNELS_OPTABLE_H

#include <stdbool.h>

#include "kernels/dtypes.h"

typedef enum gx_opcode {
    GX_OP_NONE,
#define OP(name, ...) GX_OP_##name,
#include "kernels/ops.def"
    GX_OP_COUNT
} gx_opcode;

/* How operand dtypes give the computing dtype ("common": NumPy's promotion of the operands) and
   the result's. */
typedef enum gx_rule {
    GX_RULE_COMMON,   /* common -> common */
    GX_RULE_INEXACT,  /* common, bool and integers become floats (b1 i1 u1 -> f2, i2 u2 -> f4, else
                         f8) */
    GX_RULE_DIVIDE,   /* common, all bool and integers become f8: true_divide */
    GX_RULE_TRUTH,    /* common -> bool */
    GX_RULE_REALPART, /* c -> its real dtype, others unchanged: absolute, real, imag, angle */
    GX_RULE_SELECT,   /* operand 0 is bool, the rest common -> common: where */
    GX_RULE_WIDEN,    /* bool -> int8, others COMMON: floor_divide, mod, power, square, shifts */
    GX_RULE_ROUND,    /* bool -> f2, others COMMON: round */
    GX_RULE_FLOAT64,  /* real dtypes compute in f8, complex in c16: float_power */
    GX_RULE_INEXACT_TRUTH, /* as INEXACT, result bool: signbit */
    GX_RULE_INEXACT_REAL,  /* as INEXACT, then the real dtype of a complex: angle */
    GX_RULE_COUNT,         /* common -> u1: bitwise_count */
    GX_RULE_LDEXP, /* INEXACT of operand 0 alone; operand 1, an integer, is converted to it */
    GX_RULE_SPECIAL /* common, what is smaller than an f4 becomes one, other integers f8: SciPy's */
} gx_rule;

/* How NumPy's floating-point conditions of float and complex elements are found. The CPU loops
   leave exactly those conditions in the sticky flags (runtime/backend/cpu/loops/loops.h); a device
   that has no flags derives them from values by the same classes. Integer kinds: division by zero
   alone, in floor_divide, remainder and fmod (and MIN // -1: overflow). */
typedef enum gx_fp_class {
    GX_FPC_NONE,     /* never any */
    GX_FPC_HARDWARE, /* what IEEE arithmetic raises */
    GX_FPC_VALUES,   /* nan from no nan: invalid */
    GX_FPC_INVALID,  /* the same; nothing else can happen */
    GX_FPC_POLE,     /* and infinity from finite operands: divide */
    GX_FPC_RANGE,    /* and infinity from finite operands: overflow */
    GX_FPC_POWER,    /* and infinity from finite operands: divide if x is 0, else overflow */
    GX_FPC_QUOTIENT  /* and infinity from finite operands: divide if y is 0, else overflow */
} gx_fp_class;

typedef struct gx_op_info {
    const char *name; /* "floor_divide" */
    uint8_t arity;    /* 1 … 3 */
    uint8_t rule;     /* gx_rule */
    uint8_t fp;       /* gx_fp_class */
    bool method;      /* also a method of arrays? (round, clip, conjugate) */
    const char *module; /* NULL: numpy's top level; "special", "cupyx" */
    const char *sig, *doc, *example;
    const char *text[GX_KINDS]; /* by gx_dkind; NULL: a dtype error */
    uint16_t cost;    /* rough weight of one element: 1 add, 4 divide, 20 sin */
} gx_op_info;
extern const gx_op_info gx_ops[GX_OP_COUNT];
/* The opcode of a name or alias, or GX_OP_NONE. */
gx_opcode gx_op_find(const char *name);

/* Second names: "abs" of absolute, "mod" of remainder. The last row's name is NULL. */
typedef struct gx_op_alias {
    const char *name;
    gx_opcode op;
} gx_op_alias;
extern const gx_op_alias gx_op_aliases[];

typedef enum gx_redcode {
#define REDUCTION(name, ...) GX_RED_##name,
#include "kernels/reductions.def"
    GX_RED_COUNT
} gx_redcode;

/* How the input dtype gives the accumulator's and the result's. */
typedef enum gx_redrule {
    GX_REDRULE_SUM,   /* bool and signed ints -> int64, unsigned -> uint64, floats same (f2
                         accumulates in f4) */
    GX_REDRULE_SAME,  /* min, max */
    GX_REDRULE_TRUTH, /* any, all -> bool */
    GX_REDRULE_INDEX  /* argmin, argmax -> int64 */
} gx_redrule;

typedef struct gx_red_info {
    const char *name;
    uint8_t rule;
    bool has_identity;         /* false: an empty axis is a ValueError */
    uint8_t ufunc;             /* the gx_opcode whose reduce it is, or GX_OP_NONE */
    const char *sig, *doc, *example;
    const char
        *identity[GX_KINDS]; /* text by gx_dkind of the accumulator; says nothing without
                                has_identity */
    const char *combine[GX_KINDS]; /* text of the combination of x (so far) and y, by gx_dkind; for
                                  argmin and argmax: whether y replaces x */
} gx_red_info;
extern const gx_red_info gx_reds[GX_RED_COUNT];
/* The reduction of a name, or GX_RED_COUNT. */
gx_redcode gx_red_find(const char *name);

#endif
