/* The table of inner loops: one function for each operation and computing dtype, made from the
   texts of kernels/ops.def. Built three times, for x86-64-v2, v3 and v4 (v2.c, v3.c,
   v4.c include make.inc); the best one for this CPU is picked once.

   Same bits for an element at every position, length and alignment: functions go through the
   vector version for every element, tails are padded inside the loop.

   Floating-point conditions: after any loop, cast or fold the sticky flags of MXCSR hold what they
   held before plus exactly NumPy's conditions: ZE divide by zero (integers too), OE overflow, IE
   invalid. UE (underflow) is only what arithmetic raised. So a reader clears the flags, runs any
   number of blocks, and reads them; operations that cannot warn restore what they found. */
#ifndef GX_RUNTIME_BACKEND_CPU_LOOPS_LOOPS_H
#define GX_RUNTIME_BACKEND_CPU_LOOPS_LOOPS_H

#include <stddef.h>

#include "kernels/optable.h"

/* n elements of contiguous storage types. Bit k of `scalars`: operand k is one element, to be used
   for all. Operands not used are NULL. out may be the same block as an operand. */
typedef void (*gx_loop)(void *out, const void *a, const void *b, const void *c, size_t n,
                        unsigned scalars);

/* Folds n contiguous elements of dtype `acc` into *state (its first use: the identity or the first
   element). For sum and prod: pairwise in a fixed order that depends on n only. */
typedef void (*gx_fold)(void *state, const void *in, size_t n);
/* state[i] = combine(state[i], in[i]) for n elements of dtype `acc`. */
typedef void (*gx_fold_rows)(void *state, const void *in, size_t n);

enum { GX_SHORT_ROW = 16 };

typedef struct gx_loops {
    const char *isa; /* "x86-64-v3" */
    gx_loop op[GX_OP_COUNT][GX_DTYPES];     /* by computing dtype; NULL: no such pair */
    gx_loop cast[GX_DTYPES][GX_DTYPES];     /* [from][to] */
    gx_fold fold[GX_RED_COUNT][GX_DTYPES];  /* by accumulator dtype; NULL for argmin, argmax */
    gx_fold_rows fold_rows[GX_RED_COUNT][GX_DTYPES];
    /* The starting state of a reduction; false: it has none (min, max): start from an element. */
    bool (*identity)(int red, int acc, void *state);
    /* Index of the first minimum / maximum (NaN wins) of n elements; *best is updated and the
       result is the index in `in`, or -1 when *best stays (strict comparison). `first`: no best
       yet. */
    int64_t (*arg)(int red, int dtype, void *best, const void *in, size_t n, bool first);
    /* That index for each of many rows of n elements, 1 to GX_SHORT_ROW. */
    void (*arg_rows)(int red, int dtype, const void *in, size_t rows, size_t n, int64_t *index);
} gx_loops;

extern const gx_loops gx_loops_v2, gx_loops_v3, gx_loops_v4;
/* The best table for this CPU; GX_ISA=v2|v3|v4 in the environment picks a lower one. */
const gx_loops *gx_cpu_loops(void);

#endif
