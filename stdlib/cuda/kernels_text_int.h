/* What ElementwiseKernel and ReductionKernel are made of, and the source that they become. */
#ifndef GX_STDLIB_CUDA_KERNELS_TEXT_INT_H
#define GX_STDLIB_CUDA_KERNELS_TEXT_INT_H

#include "stdlib/cuda/kernels_int.h"
#include "stdlib/numpy/base/scope.h"

enum { GX_FORMULA_PARAMS = 24, GX_FORMULA_THREADS = 256, GX_FORMULA_LETTERS = 26,
       GX_FORMULA_OPTIONS = 32 };

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
    bool looked_at, inlines; /* its text was looked at, and may be a part of other kernels */
    char *file; /* where the text stands; NULL: it is called by its name */
    int line;
    /* owned; reductions use all. reduce: the C type of what is combined, "": the output's. */
    char *name, *text, *combine, *finish, *identity, *preamble, *reduce;
    gx_value options; /* None, or a tuple or list of NVRTC's options; owned */
    gx_value kernels; /* dict: dtypes of a call -> kernel */
} gx_formula;

/* One call of a formula. */
typedef struct gx_formula_call {
    gx_np s;
    gx_rt *rt;
    gx_formula *f;
    int threads; /* of a block */
    bool asked;   /* for a launch: on a stream, with blocks of a size */
    bool inlined; /* the kernel calls its text as a function */
    gx_dtype letter[GX_FORMULA_LETTERS];
    gx_dtype dtype[2 * GX_FORMULA_PARAMS]; /* inputs, then outputs */
    bool scalar[GX_FORMULA_PARAMS];        /* an input that is one number: passed by value */
    gx_value arg[2 * GX_FORMULA_PARAMS + 2];
} gx_formula_call;

/* An output of a call comes behind its inputs. */
static inline const gx_formula_input *gx_formula_param(const gx_formula *f, int k) {
    return k < f->n_in ? &f->in[k] : &f->out[k - f->n_in];
}

/* The compiler's options for a formula's kernels, gx's own first: how many (of `most`), -1: an
   error (kernels_inline.c). */
int gx_formula_options(gx_rt *rt, const gx_formula *f, const char **out, int most);
/* May a call's text be a part of other kernels (kernels_inline.c)? */
bool gx_formula_inlines(gx_formula_call *c);
/* The call as a pending value, if a GPU would compute it: *done. Its kernel compiles. */
GX_CHECK bool gx_formula_pend(gx_formula_call *c, const gx_borrowed *v, int ndim,
                              const int64_t *shape, gx_value *out, bool *done);
/* Its text as the function call(x0, …) of one element; `lines`: with the script's lines. */
GX_CHECK bool gx_formula_function(const gx_formula_call *c, bool lines, gx_buf *out);

/* The kernel for the dtypes of a call. */
GX_CHECK bool gx_formula_elementwise(const gx_formula_call *c, gx_buf *out);
GX_CHECK bool gx_formula_reduction(const gx_formula_call *c, gx_buf *out);

#endif
