/* What special functions share: functions of several numbers made functions of
   arrays. */
#ifndef GX_STDLIB_SCIPY_SPECIAL_SPECIAL_INT_H
#define GX_STDLIB_SCIPY_SPECIAL_SPECIAL_INT_H

#include <complex.h>
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/numpy/base/scope.h"

enum { GX_SP_MOST = GX_EACH_MOST };

static inline double complex gx_sp_complex(double re, double im) {
    const double parts[2] = {re, im};
    double complex z;
    memcpy(&z, parts, sizeof z);
    return z;
}

/* A function's loops as NumPy's dtype characters, one word a loop, tried in this order: "ff dd DD".
   l is computed in float64 as d is, f in float64 and F in complex128, whose results are rounded. */
typedef struct gx_sp_loops {
    const char *types;
    gx_each_function real, cplx; /* a complex one has two doubles for each number */
    bool strong; /* Python's numbers are arrays of int64, float64 or complex128 first */
} gx_sp_loops;

/* A function of `texts`, which a GPU takes, too; one that the host alone has. */
#define GX_SP_TEXT(f) {f, #f, texts, NULL}
#define GX_SP_HOST(f) {f, NULL, NULL, NULL}

/* The call's first arguments broadcast together, the function for each of them;
   `results` arrays (one, or a tuple). */
GX_CHECK bool gx_sp_each(gx_call *c, int operands, int results, const gx_sp_loops *loops,
                         gx_value *out);

/* The regularized incomplete gamma functions and beta function (several.c). */
double gx_sp_gammainc(double a, double x);
double gx_sp_gammaincc(double a, double x);
double gx_sp_betainc(double a, double b, double x);

double gx_sp_binom(double n, double k);

/* A row's function of n operands with loops of its own: that of real numbers in `texts`, or on the
   host alone. */
#define GX_SP_ROW(name, types, n, results, real, cplx)                                             \
    static bool name##_fn(gx_call *c, gx_value *out) {                                             \
        static const gx_sp_loops loops = {types, real, GX_SP_HOST(cplx), false};                   \
        return gx_sp_each(c, n, results, &loops, out);                                             \
    }
#define GX_SP_CALL(name, types, n, results, real, cplx)                                            \
    GX_SP_ROW(name, types, n, results, GX_SP_TEXT(real), cplx)
#define GX_SP_HOST_CALL(name, types, n, results, real, cplx)                                       \
    GX_SP_ROW(name, types, n, results, GX_SP_HOST(real), cplx)

#endif
