/* The module math: functions of real numbers with Python's errors. Functions of whole numbers are
   in math_whole.c. Arguments are Python numbers, NumPy scalars and arrays of one element. */
#include <math.h>

#include "runtime/array/array.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/math_int.h"
#include "stdlib/stdlib.h"

static bool array_number(gx_call *c, int i, double *out) {
    const gx_array *a = gx_as_array(c->argv[i]);
    gx_scalar s;
    if (a->ndim || gx_dtype_kind(a->dtype) == GX_KIND_CPLX) {
        gx_fail(c->rt, GX_TypeError, "math.array",
                "math.%s takes one number, not an array of %lld element%s", c->fn->name,
                (long long)a->count, a->count == 1 ? "" : "s");
        if (gx_numpy_function(c->rt, c->fn->name))
            return gx_help(c->rt, "np.%s works element by element", c->fn->name);
        return false;
    }
    if (!gx_array_item(c->rt, a, &s)) return false;
    *out = gx_scalar_cast((gx_dtype)a->dtype, GX_f64, &s).f64;
    return true;
}

bool gx_math_number(gx_call *c, gx_borrowed v, double *out) {
    if (v.tag == GX_FLOAT) {
        *out = v.f;
        return true;
    }
    gx_try is = gx_as_double(c->rt, v, out);
    if (is != GX_TRY_NO) return is == GX_TRY_YES;
    return gx_fail(c->rt, GX_TypeError, "number.type", "must be real number, not %s",
                   gx_type_name(v));
}

static bool number(gx_call *c, int i, double *out) {
    if (c->argv[i].tag == GX_ARRAY) return array_number(c, i, out);
    return gx_math_number(c, c->argv[i], out);
}

bool gx_math_domain(gx_rt *rt) {
    return gx_fail(rt, GX_ValueError, "math.domain", "math domain error");
}

static bool range_error(gx_rt *rt) {
    return gx_fail(rt, GX_OverflowError, "math.range", "math range error");
}

/* r = f(x): a nan from a number is a domain error; infinity from a finite number overflows or is a
   pole. */
static bool give(gx_call *c, double x, double r, bool overflows, gx_value *out) {
    if (isnan(r) && !isnan(x)) return gx_math_domain(c->rt);
    if (isinf(r) && isfinite(x)) return overflows ? range_error(c->rt) : gx_math_domain(c->rt);
    *out = gx_float(r);
    return true;
}

#define REAL(name, expr, overflows)                                                                \
    static bool math_##name(gx_call *c, gx_value *out) {                                           \
        double x;                                                                                  \
        return number(c, 0, &x) && give(c, x, expr, overflows, out);                               \
    }
REAL(sqrt, sqrt(x), false)
REAL(cbrt, cbrt(x), false)
REAL(exp, exp(x), true)
REAL(exp2, exp2(x), true)
REAL(expm1, expm1(x), true)
REAL(log1p, log1p(x), false)
REAL(sin, sin(x), false)
REAL(cos, cos(x), false)
REAL(tan, tan(x), false)
REAL(asin, asin(x), false)
REAL(acos, acos(x), false)
REAL(atan, atan(x), false)
REAL(sinh, sinh(x), true)
REAL(cosh, cosh(x), true)
REAL(tanh, tanh(x), false)
REAL(asinh, asinh(x), false)
REAL(acosh, acosh(x), false)
REAL(atanh, atanh(x), false)
REAL(erf, erf(x), false)
REAL(erfc, erfc(x), false)
REAL(fabs, fabs(x), false)
REAL(degrees, x * (180.0 / 3.14159265358979323846), true)
REAL(radians, x * (3.14159265358979323846 / 180.0), true)

#define TEST(name, expr)                                                                           \
    static bool math_##name(gx_call *c, gx_value *out) {                                           \
        double x;                                                                                  \
        if (!number(c, 0, &x)) return false;                                                       \
        *out = gx_bool(expr);                                                                      \
        return true;                                                                               \
    }
TEST(isnan, isnan(x))
TEST(isinf, isinf(x))
TEST(isfinite, isfinite(x))

static bool two(gx_call *c, double *x, double *y) {
    return number(c, 0, x) && number(c, 1, y);
}

static bool math_atan2(gx_call *c, gx_value *out) {
    double y, x;
    if (!two(c, &y, &x)) return false;
    *out = gx_float(atan2(y, x));
    return true;
}

static bool math_copysign(gx_call *c, gx_value *out) {
    double x, y;
    if (!two(c, &x, &y)) return false;
    *out = gx_float(copysign(x, y));
    return true;
}

/* x * y + z, rounded once. */
static bool math_fma(gx_call *c, gx_value *out) {
    double x, y, z;
    if (!two(c, &x, &y) || !gx_arg_float(c, 2, &z)) return false;
    double r = fma(x, y, z);
    if (isnan(r) && !isnan(x) && !isnan(y) && !isnan(z))
        return gx_fail(c->rt, GX_ValueError, "math.domain", "invalid operation in fma");
    if (isinf(r) && isfinite(x) && isfinite(y) && isfinite(z))
        return gx_fail(c->rt, GX_OverflowError, "math.range", "overflow in fma");
    *out = gx_float(r);
    return true;
}

static bool math_nextafter(gx_call *c, gx_value *out) {
    double x, y;
    if (!two(c, &x, &y)) return false;
    *out = gx_float(nextafter(x, y));
    return true;
}

static bool give2(gx_call *c, double x, double y, double r, gx_value *out) {
    if (isnan(r) && !isnan(x) && !isnan(y)) return gx_math_domain(c->rt);
    if (isinf(r) && isfinite(x) && isfinite(y)) return range_error(c->rt);
    *out = gx_float(r);
    return true;
}

static bool math_fmod(gx_call *c, gx_value *out) {
    double x, y;
    return two(c, &x, &y) && give2(c, x, y, isinf(y) && isfinite(x) ? x : fmod(x, y), out);
}

static bool math_remainder(gx_call *c, gx_value *out) {
    double x, y;
    return two(c, &x, &y) && give2(c, x, y, remainder(x, y), out);
}

static bool math_pow(gx_call *c, gx_value *out) {
    double x, y;
    if (!two(c, &x, &y)) return false;
    if (x == 0 && y < 0 && isfinite(y)) return gx_math_domain(c->rt);
    return give2(c, x, y, pow(x, y), out);
}

static bool math_ulp(gx_call *c, gx_value *out) {
    double x;
    if (!number(c, 0, &x)) return false;
    x = fabs(x);
    if (isfinite(x)) {
        double next = nextafter(x, INFINITY);
        x = isinf(next) ? x - nextafter(x, -INFINITY) : next - x;
    }
    *out = gx_float(x);
    return true;
}

static bool math_gamma(gx_call *c, gx_value *out) {
    double x;
    if (!number(c, 0, &x)) return false;
    if (x == 0 || (x < 0 && (isinf(x) || floor(x) == x))) return gx_math_domain(c->rt);
    return give(c, x, tgamma(x), true, out);
}

static bool math_lgamma(gx_call *c, gx_value *out) {
    double x;
    if (!number(c, 0, &x)) return false;
    if (x <= 0 && isfinite(x) && floor(x) == x) return gx_math_domain(c->rt);
    return give(c, x, lgamma(x), true, out);
}

static bool math_frexp(gx_call *c, gx_value *out) {
    double x;
    int e = 0;
    if (!number(c, 0, &x)) return false;
    gx_value pair[2] = {gx_float(isfinite(x) ? frexp(x, &e) : x), gx_undef()};
    pair[1] = gx_int(e);
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool math_modf(gx_call *c, gx_value *out) {
    double x, whole;
    if (!number(c, 0, &x)) return false;
    double part = modf(x, &whole);
    gx_value pair[2] = {gx_float(part), gx_float(whole)};
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool math_ldexp(gx_call *c, gx_value *out) {
    double x;
    if (!number(c, 0, &x)) return false;
    if (!gx_is_int(c->argv[1]))
        return gx_fail(c->rt, GX_TypeError, "math.type", "Expected an int as second argument to "
                       "ldexp.");
    gx_value v = gx_plain_number(c->argv[1]);
    bool large = v.tag == GX_BIGINT;
    int64_t e = large ? (gx_int_compare(v, gx_int(0)) < 0 ? -5000 : 5000) : gx_small_int(v);
    int small = e > 5000 ? 5000 : e < -5000 ? -5000 : (int)e;
    return give(c, x, ldexp(x, small), true, out);
}

static bool math_isclose(gx_call *c, gx_value *out) {
    double a, b, rel, abs_tol;
    if (!two(c, &a, &b) || !number(c, 2, &rel) || !number(c, 3, &abs_tol)) return false;
    if (rel < 0 || abs_tol < 0)
        return gx_fail(c->rt, GX_ValueError, "math.range", "tolerances must be non-negative");
    double apart = fabs(a - b), larger = fmax(fabs(a), fabs(b));
    bool close = a == b || (!isinf(a) && !isinf(b) && (apart <= rel * larger || apart <= abs_tol));
    *out = gx_bool(close);
    return true;
}

/* --- logarithms: of ints of any size --- */

/* log(v) as m + e * log 2, m the value, e whole. */
static bool split_int(gx_call *c, gx_borrowed v, double *m, double *e) {
    int64_t bits = gx_int_bits(v), shift = bits > 1000 ? bits - 64 : 0;
    gx_value top;
    if (!gx_int_binary(c->rt, GX_RSHIFT, v, gx_int(shift), &top)) return false;
    bool ok = gx_int_to_double(c->rt, top, m);
    gx_drop(top);
    *e = (double)shift;
    return ok;
}

static bool logarithm(gx_call *c, int i, double (*fn)(double), gx_value *out) {
    double x, e = 0;
    if (c->argv[i].tag == GX_BIGINT ? !split_int(c, c->argv[i], &x, &e) : !number(c, i, &x))
        return false;
    if (x <= 0) return gx_math_domain(c->rt);
    *out = gx_float(e != 0 ? fn(x) + e * fn(2) : fn(x));
    return true;
}

static bool math_log(gx_call *c, gx_value *out) {
    gx_value x, base;
    if (!logarithm(c, 0, log, &x)) return false;
    if (gx_arg_given(c, 1)) {
        if (!logarithm(c, 1, log, &base)) return false;
        if (base.f == 0)
            return gx_fail(c->rt, GX_ZeroDivisionError, "number.zero", "float division by zero");
        x.f /= base.f;
    }
    *out = x;
    return true;
}

static bool math_log2(gx_call *c, gx_value *out) {
    return logarithm(c, 0, log2, out);
}

static bool math_log10(gx_call *c, gx_value *out) {
    return logarithm(c, 0, log10, out);
}

/* --- whole parts --- */

static bool whole(gx_call *c, double (*fn)(double), const char *special, gx_value *out) {
    double x;
    gx_borrowed v = c->argv[0];
    gx_try has = gx_special(c->rt, v, special, 0, NULL, out);
    if (has != GX_TRY_NO) return has == GX_TRY_YES;
    if (gx_is_int(v)) {
        *out = v.tag == GX_BOOL ? gx_int(v.b) : gx_keep(v);
        return true;
    }
    return number(c, 0, &x) && gx_int_from_double(c->rt, fn(x), out);
}

static bool math_floor(gx_call *c, gx_value *out) {
    return whole(c, floor, "__floor__", out);
}

static bool math_ceil(gx_call *c, gx_value *out) {
    return whole(c, ceil, "__ceil__", out);
}

static bool math_trunc(gx_call *c, gx_value *out) {
    return whole(c, trunc, "__trunc__", out);
}

#define ROW1(n, text, example)                                                                     \
    {#n, #n "(x, /)", text, example, math_##n, 0, 0}
#define ROW(n, sig, text, example) {#n, #n sig, text, example, math_##n, 0, 0}

const gx_native gx_py_math_functions[] = {
    ROW1(sqrt, "Square root.", "math.sqrt(2)  # 1.4142135623730951"),
    ROW1(cbrt, "Cube root.", "math.cbrt(8)  # 2.0"),
    ROW1(exp, "e to the power x.", "math.exp(1)  # 2.718281828459045"),
    ROW1(exp2, "2 to the power x.", "math.exp2(3)  # 8.0"),
    ROW1(expm1, "exp(x) - 1, exact near 0.", "math.expm1(1e-10)  # 1.00000000005e-10"),
    ROW1(log1p, "log(1 + x), exact near 0.", "math.log1p(0.0)  # 0.0"),
    ROW1(sin, "Sine of x radians.", "math.sin(0)  # 0.0"),
    ROW1(cos, "Cosine of x radians.", "math.cos(0)  # 1.0"),
    ROW1(tan, "Tangent of x radians.", "math.tan(0)  # 0.0"),
    ROW1(asin, "Arc sine, in radians.", "math.asin(0)  # 0.0"),
    ROW1(acos, "Arc cosine, in radians.", "math.acos(1)  # 0.0"),
    ROW1(atan, "Arc tangent, in radians.", "math.atan(0)  # 0.0"),
    ROW1(sinh, "Hyperbolic sine.", "math.sinh(0)  # 0.0"),
    ROW1(cosh, "Hyperbolic cosine.", "math.cosh(0)  # 1.0"),
    ROW1(tanh, "Hyperbolic tangent.", "math.tanh(0)  # 0.0"),
    ROW1(asinh, "Inverse of sinh.", "math.asinh(0)  # 0.0"),
    ROW1(acosh, "Inverse of cosh.", "math.acosh(1)  # 0.0"),
    ROW1(atanh, "Inverse of tanh.", "math.atanh(0)  # 0.0"),
    ROW1(erf, "Error function.", "math.erf(0)  # 0.0"),
    ROW1(erfc, "1 - erf(x).", "math.erfc(0)  # 1.0"),
    ROW1(gamma, "Gamma function.", "math.gamma(5)  # 24.0"),
    ROW1(lgamma, "Logarithm of |gamma(x)|.", "math.lgamma(1)  # 0.0"),
    ROW1(fabs, "Absolute value as a float.", "math.fabs(-2)  # 2.0"),
    ROW1(degrees, "Radians as degrees.", "math.degrees(math.pi)  # 180.0"),
    ROW1(radians, "Degrees as radians.", "math.radians(180)  # 3.141592653589793"),
    ROW1(isnan, "Is x nan?", "math.isnan(math.nan)  # True"),
    ROW1(isinf, "Is x infinite?", "math.isinf(1)  # False"),
    ROW1(isfinite, "Is x neither infinite nor nan?", "math.isfinite(1)  # True"),
    ROW1(ulp, "The distance to the next float.", "math.ulp(1)  # 2.220446049250313e-16"),
    ROW1(frexp, "x as m * 2**e: the pair (m, e).", "math.frexp(8)  # (0.5, 4)"),
    ROW1(modf, "The fraction and the whole part.", "math.modf(2.5)  # (0.5, 2.0)"),
    ROW1(floor, "The largest int not above x.", "math.floor(-1.5)  # -2"),
    ROW1(ceil, "The smallest int not below x.", "math.ceil(-1.5)  # -1"),
    ROW1(trunc, "x without its fraction, as an int.", "math.trunc(-1.5)  # -1"),
    ROW1(log2, "Logarithm to base 2.", "math.log2(8)  # 3.0"),
    ROW1(log10, "Logarithm to base 10.", "math.log10(1000)  # 3.0"),
    ROW(log, "(x, base=<no value>, /)", "Natural logarithm, or to a base.",
        "math.log(8, 2)  # 3.0"),
    ROW(atan2, "(y, x, /)", "The angle of the point (x, y).", "math.atan2(0, 1)  # 0.0"),
    ROW(copysign, "(x, y, /)", "|x| with the sign of y.", "math.copysign(1, -0.0)  # -1.0"),
    ROW(fmod, "(x, y, /)", "The remainder with the sign of x.", "math.fmod(-7, 3)  # -1.0"),
    ROW(remainder, "(x, y, /)", "IEEE's remainder: nearest to 0.", "math.remainder(7, 4)  # -1.0"),
    ROW(pow, "(x, y, /)", "x ** y as floats.", "math.pow(2, 3)  # 8.0"),
    ROW(ldexp, "(x, i, /)", "x * 2**i.", "math.ldexp(0.5, 4)  # 8.0"),
    ROW(fma, "(x, y, z, /)", "x * y + z, rounded once.", "math.fma(2.0, 3.0, 4.0)  # 10.0"),
    ROW(nextafter, "(x, y, /)", "The next float after x towards y.",
        "math.nextafter(1, 2)  # 1.0000000000000002"),
    ROW(isclose, "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", "Are a and b nearly equal?",
        "math.isclose(0.1 + 0.2, 0.3)  # True"),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_math_constants[] = {
    {.name = "pi", .kind = GX_CONST_FLOAT, .f = 3.14159265358979323846},
    {.name = "e", .kind = GX_CONST_FLOAT, .f = 2.71828182845904523536},
    {.name = "tau", .kind = GX_CONST_FLOAT, .f = 6.28318530717958647692},
    {.name = "inf", .kind = GX_CONST_FLOAT, .f = INFINITY},
    {.name = "nan", .kind = GX_CONST_FLOAT, .f = NAN},
    {.name = NULL},
};
