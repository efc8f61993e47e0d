/* What the files of ufuncs as objects share. */
#ifndef GX_STDLIB_NUMPY_UFUNC_UFUNC_INT_H
#define GX_STDLIB_NUMPY_UFUNC_UFUNC_INT_H

#include "kernels/optable.h"
#include "runtime/object/native.h"

/* The number that changes nothing as an operand of op; false: there is none. */
bool gx_np_ufunc_identity(gx_opcode op, double *out);

/* A ufunc that is no row of ops.def; signature NULL: element by element, with two results. */
typedef struct gx_np_ufunc_special {
    const char *name;
    int nin, nout;
    const char *signature;
    const char *types; /* loops of a function of scipy.special, "ff dd"; NULL: it is none */
    const char *truths; /* letters of the dtypes of which it gives bools; NULL: no such function */
} gx_np_ufunc_special;
/* What is known of fn; false: it is a row of ops.def. */
bool gx_np_ufunc_special_of(const gx_native *fn, gx_np_ufunc_special *out);
/* Its loop for a dtype, as in `types`; "": there is none. */
void gx_np_ufunc_special_loop(const gx_np_ufunc_special *u, gx_dtype d, char text[8]);
/* Does the ufunc argv[0] not have the method that is called? Then the error is pending. */
bool gx_np_ufunc_refused(gx_call *c);
/* Does a function of numpy's text stand for a method of the ufunc argv[0]? Then it has been called
   with argc arguments, those not given as None; ok: it raised nothing. */
bool gx_np_ufunc_in_text(gx_call *c, const char *function, int argc, gx_value *out, bool *ok);
/* The method at. */
bool gx_np_ufunc_at(gx_call *c, gx_value *out);

#endif
