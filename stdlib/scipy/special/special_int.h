/* What special functions share: functions of several numbers made functions of
   arrays. */
#ifndef GX_STDLIB_SCIPY_SPECIAL_SPECIAL_INT_H
#define GX_STDLIB_SCIPY_SPECIAL_SPECIAL_INT_H

#include <complex.h>
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/numpy/base/results.h"

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

/* Of zeta and polygamma, which are no rows of a table. */
enum { GX_SP_OWN_LOOPS = 3 };
extern const gx_sp_loops gx_sp_own_loops[GX_SP_OWN_LOOPS];

/* The call's first arguments broadcast together, the function for each of them. */
GX_CHECK bool gx_sp_each(gx_call *c, int operands, const gx_sp_loops *loops, gx_value *out);
/* The same where a ufunc's keywords stand behind the operands. */
GX_CHECK bool gx_sp_call(gx_call *c, int operands, const gx_sp_loops *loops, gx_value *out);

/* The regularized incomplete gamma functions and beta function (several.c). */
double gx_sp_gammainc(double a, double x);
double gx_sp_gammaincc(double a, double x);
double gx_sp_betainc(double a, double b, double x);

double gx_sp_binom(double n, double k);

/* A ufunc that is no row of ops.def: what it computes. */
typedef struct gx_sp_row {
    const char *name;
    gx_sp_loops loops;
    int nin, nout;
    bool (*check)(gx_call *c); /* of the operands, or NULL */
} gx_sp_row;
#define GX_SP_UFUNC(name, types, nin, nout, real, cplx)                                            \
    {#name, {types, GX_SP_TEXT(real), GX_SP_HOST(cplx), false}, nin, nout, NULL}
#define GX_SP_HOST_UFUNC(name, types, nin, nout, real, cplx)                                       \
    {#name, {types, GX_SP_HOST(real), GX_SP_HOST(cplx), false}, nin, nout, NULL}

/* A file's rows, and what scripts call its functions by: that finds the row by its name. */
typedef struct gx_sp_table {
    const gx_sp_row *rows;
    bool (*call)(gx_call *c, gx_value *out);
    int n; /* rows */
} gx_sp_table;
extern const gx_sp_table gx_sp_more_table, gx_sp_inverse_table, gx_sp_bessel_table,
    gx_sp_elliptic_table, gx_sp_eval_table, gx_sp_counts_table;
#define GX_SP_TABLE(file)                                                                          \
    static bool call_row(gx_call *c, gx_value *out) {                                              \
        return gx_sp_row_call(c, rows, out);                                                       \
    }                                                                                              \
    const gx_sp_table gx_sp_##file##_table = {rows, call_row, (int)(sizeof rows / sizeof *rows)};
const gx_sp_row *gx_sp_row_of(const gx_sp_row *rows, const gx_native *fn);
GX_CHECK bool gx_sp_row_call(gx_call *c, const gx_sp_row *rows, gx_value *out);

/* Its row for scripts: one result, two, or four. */
#define GX_SP_NATIVE(name, args, keywords, doc, example)                                           \
    {name, name "(" args keywords, doc, name example, call_row, GX_NATIVE_UFUNC, 0}
#define GX_SP_ONE(name, args, doc, example) GX_SP_NATIVE(name, args, GX_NP_OUT, doc, example)
#define GX_SP_TWO(name, args, doc, example) GX_SP_NATIVE(name, args, GX_NP_OUT_2, doc, example)
#define GX_SP_FOUR(name, args, doc, example) GX_SP_NATIVE(name, args, GX_NP_OUT_4, doc, example)
/* NumPy's functions of smaller loops (functions.c), and their loops. */
bool gx_sp_wide_call(gx_call *c, gx_value *out);
const char *gx_sp_wide_types(const gx_native *fn);
/* The only operand of a call in a wider dtype, where casting= allows that. */
gx_array *gx_sp_wider(gx_call *c, gx_np *s, gx_array *a, gx_dtype d);
/* Of one that is a row of ops.def and knows complex numbers here (ufunc.c); NULL: it does not. */
const gx_sp_loops *gx_sp_loops_of(uint16_t op);

#endif
