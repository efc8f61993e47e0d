/* What the files sp_*.c of special functions share: functions of several numbers made functions of
   arrays. */
#ifndef GX_STDLIB_SP_INT_H
#define GX_STDLIB_SP_INT_H

#include <complex.h>
#include <string.h>

#include "stdlib/np_int.h"

enum { GX_SP_MOST = 4 };

static inline double complex gx_sp_complex(double re, double im) {
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* out[0 …] from in[0 …]; a complex function has two doubles for each number. */
typedef void (*gx_sp_fn)(const double *in, double *out);

/* The call's arguments broadcast together, fn for each of them on the host in float64; `results`
   arrays (one, or a tuple). float32 in gives float32 out. c->argc is the number of operands. */
GX_CHECK bool gx_sp_each(gx_call *c, int operands, int results, gx_sp_fn fn, gx_value *out);
/* The same for operands some of which are complex: then fn_complex, else fn (NULL: results are
   always complex). */
GX_CHECK bool gx_sp_each_complex(gx_call *c, int operands, gx_sp_fn fn, gx_sp_fn fn_complex,
                                 gx_value *out);

/* The regularized incomplete gamma functions and beta function (sp_more.c). */
double gx_sp_gammainc(double a, double x);
double gx_sp_gammaincc(double a, double x);
double gx_sp_betainc(double a, double b, double x);

/* May float32 stand for an operand? What kinds of operands there are. */
typedef struct gx_sp_kinds {
    bool ints, floats, beside_ints, beside_floats;
} gx_sp_kinds;
bool gx_sp_fits_f32(gx_borrowed v, gx_dtype d, gx_sp_kinds *seen);
bool gx_sp_is_f32(const gx_sp_kinds *seen);

#endif
