/* What math.c and math_whole.c share. */
#ifndef GX_STDLIB_PYTHON_MATH_INT_H
#define GX_STDLIB_PYTHON_MATH_INT_H

#include "runtime/object/native.h"

/* Any real number as a double; TypeError "must be real number, not str". */
GX_CHECK bool gx_math_number(gx_call *c, gx_borrowed v, double *out);
/* ValueError "math domain error". Always false. */
bool gx_math_domain(gx_rt *rt);

#endif
