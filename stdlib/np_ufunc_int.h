/* What the files of ufuncs as objects share. */
#ifndef GX_STDLIB_NP_UFUNC_INT_H
#define GX_STDLIB_NP_UFUNC_INT_H

#include "kernels/optable.h"

/* The number that changes nothing as an operand of op; false: there is none. */
bool gx_np_ufunc_identity(gx_opcode op, double *out);

#endif
