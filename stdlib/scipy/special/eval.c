/* scipy.special's orthogonal polynomials at given points: recurrences for whole degrees,
   hypergeometric functions for others. in[0] is the degree, the last operand the point. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "stdlib/scipy/special/special_int.h"

extern const gx_native gx_sp_eval_functions[];

enum { MOST_DEGREE = 100000 };

typedef double complex dcomplex;

/* --- hypergeometric functions --- */

static dcomplex series21(dcomplex a, dcomplex b, dcomplex c, dcomplex z) {
    dcomplex sum = 1, term = 1;
    for (int k = 0; k < 2000000; k++) {
        term *= (a + k) * (b + k) / ((c + k) * (k + 1)) * z;
        sum += term;
        if (!(cabs(term) > 1e-17 * cabs(sum))) break;
    }
    return sum;
}

/* Gauss's function continued: the power series of the differential equation at points that lead
   from the unit circle to z, each step half as long as the way to the next singular point. */
static dcomplex continued(double a, double b, double c, dcomplex z) {
    dcomplex at = 0.5 * z / cabs(z), w = series21(a, b, c, at);
    dcomplex slope = a * b / c * series21(a + 1, b + 1, c + 1, at);
    for (int i = 0; i < 400 && at != z; i++) {
        double free = fmin(cabs(at), cabs(1 - at)) / 2;
        dcomplex step = z - at;
        if (cabs(step) > free) {
            if (cabs(z - 1) < 1 || cabs(at - 1) < 0.6) /* around 1 on the side of z */
                step += gx_sp_complex(0, (cimag(z) < 0 ? -1 : 1) * free);
            step *= free / cabs(step);
        }
        dcomplex p = at * (1 - at), c0 = w, c1 = slope, hk = step, sum = w + slope * step,
                 d = slope;
        for (int k = 0; k < 400; k++) {
            dcomplex next = -((k + 1) * ((1 - 2 * at) * k + c - (a + b + 1) * at) * c1 -
                              (k * (k - 1.0) + (a + b + 1) * k + a * b) * c0) /
                            (p * (k + 1) * (k + 2));
            d += (k + 2) * next * hk;
            hk *= step;
            sum += next * hk;
            c0 = c1;
            c1 = next;
            if (cabs(next * hk) < 1e-18 * cabs(sum) && k > 4) break;
        }
        w = sum;
        slope = d;
        at += step;
        if (cabs(z - at) < 1e-15 * cabs(z)) at = z;
    }
    return w;
}

static bool ends(double a) {
    return a <= 0 && a == floor(a);
}

static dcomplex hyp21(double a, double b, double c, dcomplex z) {
    if (ends(a) || ends(b)) return series21(a, b, c, z);
    if (!isfinite(creal(z)) || !isfinite(cimag(z))) return NAN;
    if (cimag(z) == 0 && creal(z) >= 1) {
        if (isinf(creal(z))) return NAN;
        if (creal(z) > 1 || c - a - b <= 0) return INFINITY;
        if (ends(c - a) || ends(c - b)) return 0;
        return tgamma(c) * tgamma(c - a - b) / tgamma(c - a) / tgamma(c - b);
    }
    dcomplex other = z / (z - 1);
    if (cabs(other) < cabs(z) && (cabs(other) < 0.9 || cimag(z) == 0))
        return cpow(1 - z, -a) * series21(a, c - b, c, other);
    return cabs(z) < 0.9 || cimag(z) == 0 ? series21(a, b, c, z) : continued(a, b, c, z);
}

static dcomplex hyp11(double a, double b, dcomplex z) {
    dcomplex sum = 1, term = 1, by = 1;
    if (creal(z) < 0 && !ends(a)) {
        by = cexp(z);
        a = b - a;
        z = -z;
    }
    for (int k = 0; k < 100000; k++) {
        term *= (a + k) / ((b + k) * (k + 1)) * z;
        sum += term;
        if (!(cabs(term) > 1e-17 * cabs(sum))) break;
    }
    return by * sum;
}

/* The beta function, infinite at its poles. */
static double beta(double a, double b) {
    if (ends(a)) {
        if (b != floor(b) || 1 - a - b <= 0) return INFINITY;
        return (fmod(b, 2) == 0 ? 1 : -1) * beta(1 - a - b, b);
    }
    if (a + b > 150) return exp(lgamma(a) + lgamma(b) - lgamma(a + b));
    return tgamma(a) * tgamma(b) / tgamma(a + b);
}

static bool is_whole(double n) {
    return n == floor(n);
}

/* --- the polynomials --- */

/* Of an infinite degree, or nan, there is the value that all have at 1, and the infinite one. */
#define NO_DEGREE(n, x, at_one)                                                                    \
    if (!isfinite(n)) return (x) == 1 ? (at_one) : (x) == -INFINITY ? (at_one) * INFINITY : NONE

#define NUM double
#define NAME(f) f##_real
#define ABS fabs
#define STEP 1
#define NONE NAN
#define POINT(in, i) in[i]
#define HYP21(a, b, c, z) creal(hyp21(a, b, c, z))
#define HYP11(a, b, z) creal(hyp11(a, b, z))
#include "stdlib/scipy/special/eval.inc"
#undef NUM
#undef NAME
#undef ABS
#undef STEP
#undef NONE
#undef POINT
#undef HYP21
#undef HYP11

#define NUM dcomplex
#define NAME(f) f##_complex
#define ABS cabs
#define STEP 2
#define NONE gx_sp_complex(NAN, NAN)
#define POINT(in, i) gx_sp_complex(in[2 * (i)], in[2 * (i) + 1])
#define HYP21 hyp21
#define HYP11 hyp11
#include "stdlib/scipy/special/eval.inc"

static double hermitenorm(double n, double x) {
    if (isnan(x)) return x;
    if (!(n >= 0 && isfinite(n))) return NAN;
    if (n == 0) return 1;
    double y3 = 0, y2 = 1;
    for (double k = n; k > 1; k--) {
        double y1 = x * y2 - k * y3;
        y3 = y2;
        y2 = y1;
    }
    return x * y2 - y3;
}

static void hermitenorm_of(const double *in, double *out) {
    *out = hermitenorm(in[0], in[1]);
}
static void hermite_of(const double *in, double *out) {
    double n = in[0], x = in[1];
    *out = n < 2 ? (n == 0 ? 1 : 2 * x) : exp2(n / 2) * hermitenorm(n, sqrt(2.0) * x);
    if (!(n >= 0 && isfinite(n))) *out = NAN;
    if (isnan(x)) *out = x;
}

/* Legendre's associated function by steps of the degree, or where the degree is not whole. */
static double associated(double m, double v, double x) {
    double root = sqrt(1 - x * x), low = 0, now = 1;
    if (!is_whole(v)) {
        if (x == -1) return m == 0 ? -INFINITY : INFINITY;
        for (double k = 1; k <= m; k++) now *= -(v + k) * (v - k + 1) / (2 * k) * root;
        return now * creal(hyp21(m - v, v + m + 1, m + 1, (1 - x) / 2));
    }
    if (m > v) return 0 * root;
    for (double k = 1; k <= m; k++) now *= -(2 * k - 1) * root;
    for (double k = m; k < v; k++) {
        double next = ((2 * k + 1) * x * now - (k + m) * low) / (k - m + 1);
        low = now;
        now = next;
    }
    return now;
}

static void lpmv_of(const double *in, double *out) {
    double m = fabs(in[0]), v = in[1] < 0 ? -in[1] - 1 : in[1];
    *out = NAN;
    if (!is_whole(m) || isnan(v) || isnan(in[2]) || m > MOST_DEGREE || v > MOST_DEGREE) return;
    if (in[0] < 0 && is_whole(v) && v - m + 1 <= 0) return;
    *out = associated(m, v, in[2]);
    if (in[0] < 0)
        *out *= (fmod(m, 2) == 0 ? 1 : -1) * tgamma(v - m + 1) / tgamma(v + m + 1);
}

/* --- calls --- */

/* The time of a recurrence is its degree's. */
static bool degrees_end(gx_call *c) {
    gx_np s = gx_np_begin(c);
    gx_array *n = gx_np_contiguous(&s, gx_np_arr_as(&s, c->argv[0], GX_f64));
    const double *at = gx_np_data(&s, n);
    for (int64_t i = 0; at && i < n->count; i++)
        if (isfinite(at[i]) && fabs(at[i]) > MOST_DEGREE)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "special.degree",
                                         "%s: degrees end at %d in gx", c->fn->name, MOST_DEGREE));
    return gx_np_end(&s, at != NULL);
}

#define POLYNOMIAL(name, n, types)                                                                 \
    {"eval_" #name,                                                                                \
     {types, GX_SP_HOST(name##_of_real), GX_SP_HOST(name##_of_complex), false},                    \
     n,                                                                                            \
     1,                                                                                            \
     degrees_end}
#define HERMITE(name)                                                                              \
    {"eval_" #name, {"ld", GX_SP_HOST(name##_of), GX_SP_HOST(NULL), false}, 2, 1, degrees_end}
static const gx_sp_row rows[] = {
    POLYNOMIAL(legendre, 2, "ld ff fF dd dD"),
    POLYNOMIAL(chebyt, 2, "ld ff fF dd dD"),
    POLYNOMIAL(chebyu, 2, "ld ff fF dd dD"),
    POLYNOMIAL(laguerre, 2, "ld ff fF dd dD"),
    POLYNOMIAL(genlaguerre, 3, "ldd fff ffF ddd ddD"),
    POLYNOMIAL(gegenbauer, 3, "ldd fff ffF ddd ddD"),
    POLYNOMIAL(jacobi, 4, "lddd ffff fffF dddd dddD"),
    HERMITE(hermite),
    HERMITE(hermitenorm),
    GX_SP_HOST_UFUNC(lpmv, "fff ddd", 3, 1, lpmv_of, NULL),
    {.name = NULL},
};

GX_SP_TABLE(eval)

const gx_native gx_sp_eval_functions[] = {
    GX_SP_ONE("eval_legendre", "n, x", "Legendre polynomial of degree n at x.",
              "(2, 0.5)  # -0.125"),
    GX_SP_ONE("eval_chebyt", "n, x", "Chebyshev polynomial of the first kind of degree n at x.",
              "(2, 0.5)  # -0.5"),
    GX_SP_ONE("eval_chebyu", "n, x", "Chebyshev polynomial of the second kind of degree n at x.",
              "(2, 0.5)  # 0.0"),
    GX_SP_ONE("eval_hermite", "n, x", "Physicists' Hermite polynomial of degree n at x.",
              "(2, 1.0).round(6)  # 2.0"),
    GX_SP_ONE("eval_hermitenorm", "n, x", "Probabilists' Hermite polynomial of degree n at x.",
              "(2, 0.5)  # -0.75"),
    GX_SP_ONE("eval_laguerre", "n, x", "Laguerre polynomial of degree n at x.", "(2, 1.0)  # -0.5"),
    GX_SP_ONE("eval_genlaguerre", "n, alpha, x",
              "Generalized Laguerre polynomial of degree n and parameter alpha at x.",
              "(1, 1.0, 1.0)  # 1.0"),
    GX_SP_ONE("eval_gegenbauer", "n, alpha, x",
              "Gegenbauer polynomial of degree n and parameter alpha at x.",
              "(2, 1.0, 0.5)  # 0.0"),
    GX_SP_ONE("eval_jacobi", "n, alpha, beta, x",
              "Jacobi polynomial of degree n and parameters alpha and beta at x.",
              "(1, 0.0, 0.0, 0.5)  # 0.5"),
    GX_SP_ONE("lpmv", "m, v, x",
              "Associated Legendre function of integer order m and real degree v, |x| <= 1.",
              "(1, 1, 0.0)  # -1.0"),
    {.name = NULL},
};
