/* What ElementwiseKernel and ReductionKernel are made of, and the source that they become. */
#ifndef GX_STDLIB_KERNELS_TEXT_INT_H
#define GX_STDLIB_KERNELS_TEXT_INT_H

#include "stdlib/kernels_int.h"
#include "stdlib/np_int.h"

enum { GX_FORMULA_PARAMS = 24, GX_FORMULA_THREADS = 256, GX_FORMULA_LETTERS = 26 };

typedef struct gx_formula_input {
    char name[40];
    gx_dtype dtype; /* GX_NO_DTYPE: letter decides */
    char letter;
    bool raw;
} gx_formula_input;

typedef struct gx_formula {
    gx_obj obj;
    gx_formula_input in[GX_FORMULA_PARAMS], out[GX_FORMULA_PARAMS];
    int n_in, n_out;
    bool reduces;
    char *file; /* where the text stands; NULL: it is called by its name */
    int line;
    /* owned; reductions use all. reduce: the C type of what is combined, "": the output's. */
    char *name, *text, *combine, *finish, *identity, *preamble, *reduce;
    gx_value kernels; /* dict: dtypes of a call -> kernel */
} gx_formula;

/* One call of a formula. */
typedef struct gx_formula_call {
    gx_np s;
    gx_rt *rt;
    gx_formula *f;
    int threads; /* of a block */
    gx_dtype letter[GX_FORMULA_LETTERS];
    gx_dtype dtype[2 * GX_FORMULA_PARAMS]; /* inputs, then outputs */
    bool scalar[GX_FORMULA_PARAMS];        /* an input that is one number: passed by value */
    gx_value arg[2 * GX_FORMULA_PARAMS + 2];
} gx_formula_call;

/* An output of a call comes behind its inputs. */
static inline const gx_formula_input *gx_formula_param(const gx_formula *f, int k) {
    return k < f->n_in ? &f->in[k] : &f->out[k - f->n_in];
}

/* The kernel for the dtypes of a call. */
GX_CHECK bool gx_formula_elementwise(const gx_formula_call *c, gx_buf *out);
GX_CHECK bool gx_formula_reduction(const gx_formula_call *c, gx_buf *out);

#endif
