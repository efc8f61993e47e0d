/* The program that the general kernel (general.cu) runs: a tape as numbers, made by
   runtime/backend/gpu/general.c. Included by C and by CUDA C++.

   In memory stand a gx_general, its ports (leaves, then outputs), steps and constants (16 bytes
   each), one behind the other. The last step of a reduction casts its result and is not counted.
   The value of a step is in a slot of 8 bytes, in two if it is of 16: integers as 64 bits, halves
   as the float they stand for. */
#ifndef GX_KERNELS_GENERAL_H
#define GX_KERNELS_GENERAL_H

#include <stdint.h>

/* What the file of compiled kernels is called. */
#define GX_GENERAL_FILE "gxgeneral.fatbin"

enum { GX_GENERAL_DIMS = 8 };

/* Conditions by class of result (conditions section of device.cu). */
enum {
    GX_MET_NAN = 0,    /* infinity is nothing */
    GX_MET_POLE = 1,   /* infinity: divide */
    GX_MET_RANGE = 2,  /* infinity: overflow */
    GX_MET_X_ZERO = 3, /* divide where x is 0, else overflow */
    GX_MET_Y_ZERO = 4, /* divide where y is 0, else overflow */
    GX_MET_FLOOR = 5,  /* divide where y is 0, else overflow and invalid */
    GX_MET_ROUND = 6,  /* halves: nothing but the rounding */
    GX_MET_NEVER = 7
};

typedef enum gx_general_form {
    GX_GENERAL_MAP,
    GX_GENERAL_ROWS,
    GX_GENERAL_COLUMNS,
    GX_GENERAL_FORMS
} gx_general_form;

typedef enum gx_general_kind {
    GX_GENERAL_LOAD,
    GX_GENERAL_CONST,
    GX_GENERAL_CAST,
    GX_GENERAL_OP
} gx_general_kind;

typedef struct gx_general_port {
    int64_t base; /* address, or position */
    uint64_t seed;
    uint64_t first[2], step[2]; /* of a counting leaf */
    int64_t strides[GX_GENERAL_DIMS];
    uint8_t kind, dtype, dist; /* as of a gx_recipe_port */
    uint8_t slot;              /* of an output's value */
    uint8_t spare[4];
} gx_general_port;

typedef struct gx_general_step {
    uint8_t kind;    /* gx_general_kind */
    uint8_t op;      /* gx_opcode */
    uint8_t dtype;   /* of the result */
    uint8_t compute; /* of the operands */
    uint8_t met;     /* GX_MET_* */
    uint8_t to, a, b, c; /* slots; operands that it has not are its first */
    uint8_t arg;         /* LOAD: leaf; CONST: constant */
    uint8_t rounds;      /* the result is rounded to its dtype, a half */
    uint8_t half;        /* the dtype of the operands if they are halves, else 0 */
    uint8_t unary, quotient;
    uint8_t spare[2];
} gx_general_step;

typedef struct gx_general {
    int32_t form, n_port, n_leaf, n_step, nd, kept; /* dims; [0, kept) are those of kept elements */
    int32_t width, team, red, acc, red_dtype;       /* of a reduction, as in a gx_recipe */
    int32_t slot, state_at;                         /* its value; where its states lie */
    int32_t index, about, sums; /* argmin, argmax; squared distances; conditions of sums are told */
    int64_t n[GX_GENERAL_DIMS];
    int64_t total, n_kept, n_reduced, splits;
    char *parts;
    unsigned *arrived;
    int *fp, *told;
} gx_general;

#endif
