/* What the files of polynomials share. */
#ifndef GX_STDLIB_NP_POLY_INT_H
#define GX_STDLIB_NP_POLY_INT_H

#include "stdlib/np_int.h"

/* 1-d coefficients without the zeros before them (and after them). */
gx_array *gx_np_poly_trim(gx_np *s, gx_array *a, bool back);
/* The product of two polynomials. */
gx_array *gx_np_poly_times(gx_np *s, gx_array *a, gx_array *b);

#endif
