/* What py_math.c and py_math_int.c share. */
#ifndef GX_STDLIB_MATH_INT_H
#define GX_STDLIB_MATH_INT_H

#include "runtime/native.h"

/* Any real number as a double; TypeError "must be real number, not str". */
GX_CHECK bool gx_math_number(gx_call *c, gx_borrowed v, double *out);
/* ValueError "math domain error". Always false. */
bool gx_math_domain(gx_rt *rt);

#endif
