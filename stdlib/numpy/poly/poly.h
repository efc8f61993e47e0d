/* What the files of polynomials share. */
#ifndef GX_STDLIB_NUMPY_POLY_POLY_H
#define GX_STDLIB_NUMPY_POLY_POLY_H

#include "stdlib/numpy/base/scope.h"

/* 1-d coefficients without the zeros before them (and after them). */
gx_array *gx_np_poly_trim(gx_np *s, gx_array *a, bool back);
/* The product of two polynomials. */
gx_array *gx_np_poly_times(gx_np *s, gx_array *a, gx_array *b);
/* Their sum; the shorter one stands at the lower powers. */
gx_array *gx_np_poly_plus(gx_np *s, gx_array *a, gx_array *b);

/* numpy.poly1d. */
typedef struct gx_np_poly1d {
    gx_obj obj;
    gx_array *c;       /* owned: 1-d, the highest power first */
    gx_value variable; /* owned: a str */
} gx_np_poly1d;
extern const gx_type gx_type_np_poly1d;
/* The polynomial that v is, or NULL. */
gx_np_poly1d *gx_np_poly1d_of(gx_borrowed v);
/* The end of a function: coefficients as a poly1d. */
GX_CHECK bool gx_np_give_poly1d(gx_np *s, gx_array *a, gx_value *out);
/* The polynomial p of the polynomial x. */
gx_array *gx_np_poly1d_at(gx_np *s, gx_array *p, gx_array *x);
/* The slots of its type. */
GX_CHECK bool gx_np_poly1d_repr(gx_rt *rt, gx_borrowed v, gx_buf *out);
GX_CHECK bool gx_np_poly1d_str(gx_rt *rt, gx_borrowed v, gx_buf *out);

#endif
