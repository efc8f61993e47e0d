/* float16 and wider floats: to nearest, halves to even. */
#ifndef GX_RUNTIME_BACKEND_HALF_H
#define GX_RUNTIME_BACKEND_HALF_H

#include "kernels/dtypes.h"

float gx_half_to_float(gx_half h);
gx_half gx_float_to_half(float x);
/* Rounds once, as the two conversions one after the other do not. */
gx_half gx_half_of_double(double x);

#endif
