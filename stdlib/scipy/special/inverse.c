/* scipy.special's inverses and integrals of one or two numbers: gammaincinv, gammainccinv,
   betaincinv, lambertw, loggamma, exp1, expi, sici, dawsn, erfcx, erfi and others. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/scipy/special/complex_int.h"

extern const gx_native gx_sp_inverse_functions[];

#define PI 3.14159265358979323846
#define EULER 0.57721566490153286061

/* --- inverses of increasing functions, by halving --- */

/* The x with f(x) = y, f growing (or falling) from low to high. */
static double halving(double (*f)(double, double, double), double a, double b, double y,
                      double low, double high, bool falls) {
    for (int i = 0; i < 2200; i++) {
        double mid = low + (high - low) / 2;
        if (low > 0 && high > 4 * low) mid = sqrt(low) * sqrt(high);
        else if (low == 0 && high > 1e-300) mid = high > 1e-3 ? high / 16 : high * 1e-8;
        if (!(mid > low && mid < high)) break;
        if ((f(a, b, mid) < y) != falls) low = mid;
        else high = mid;
    }
    return high;
}

static double lower_gamma(double a, double b, double x) {
    (void)b;
    return gx_sp_gammainc(a, x);
}
static double upper_gamma(double a, double b, double x) {
    (void)b;
    return gx_sp_gammaincc(a, x);
}
static double beyond(double (*f)(double, double, double), double a, double y, bool falls) {
    double high = a + 1;
    while ((f(a, 0, high) < y) != falls && high < 1e300) high *= 2;
    return high;
}

static void gammaincinv_of(const double *in, double *out) {
    double a = in[0], y = in[1];
    *out = isnan(a) || isnan(y) || a < 0 || y < 0 || y > 1 ? NAN : y == 0 ? 0 : INFINITY;
    if ((a == 0 || isinf(a)) && y > 0 && y < 1) *out = NAN;
    if (y > 0 && y < 1 && a > 0 && !isinf(a))
        *out = y <= 0.9 ? halving(lower_gamma, a, 0, y, 0, beyond(lower_gamma, a, y, false), false)
                        : halving(upper_gamma, a, 0, 1 - y, 0,
                                  beyond(upper_gamma, a, 1 - y, true), true);
}

static void gammainccinv_of(const double *in, double *out) {
    double a = in[0], y = in[1];
    *out = isnan(a) || isnan(y) || a < 0 || y < 0 || y > 1 ? NAN : y == 1 ? 0 : INFINITY;
    if ((a == 0 || isinf(a)) && y > 0 && y < 1) *out = NAN;
    if (y > 0 && y < 1 && a > 0 && !isinf(a))
        *out = halving(upper_gamma, a, 0, y, 0, beyond(upper_gamma, a, y, true), true);
}

static void betaincinv_of(const double *in, double *out) {
    double a = in[0], b = in[1], y = in[2];
    *out = !(a > 0) || !(b > 0) || !(y >= 0 && y <= 1) ? NAN : y;
    if (!(y > 0 && y < 1 && a > 0 && b > 0)) return;
    if (b == 1)
        *out = pow(y, 1 / a);
    else if (a == 1)
        *out = -expm1(log1p(-y) / b);
    else if (a > 1e100 || b > 1e100)
        *out = NAN; /* as in SciPy */
    else
        *out = halving(gx_sp_betainc, a, b, y, 0, 1, false);
}

static void betaincc_of(const double *in, double *out) {
    double a = in[0], b = in[1], x = in[2];
    *out = a == 0 || b == 0 || isinf(a) || isinf(b) ? 1 - gx_sp_betainc(a, b, x)
                                                    : gx_sp_betainc(b, a, 1 - x);
}

/* --- exponential integrals --- */

static double exp1(double x) {
    if (isnan(x) || x < 0) return NAN;
    if (x == 0) return INFINITY;
    if (isinf(x)) return 0;
    if (x <= 1) {
        double sum = -EULER - log(x), term = -1;
        for (int k = 1; k < 40; k++) {
            term *= -x / k;
            sum += term / k;
        }
        return sum;
    }
    double b = x + 1, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 1000; i++) {
        double an = -(double)i * i;
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-16) break;
    }
    return h * exp(-x);
}

static double expi(double x) {
    if (isnan(x)) return NAN;
    if (x == 0) return -INFINITY;
    if (x < 0) return -exp1(-x);
    if (isinf(x)) return INFINITY;
    double sum = 0, term = 1;
    if (x < 40) {
        for (int k = 1; k < 500; k++) {
            term *= x / k;
            sum += term / k;
            if (term / k < sum * 1e-17) break;
        }
        return EULER + log(x) + sum;
    }
    for (int k = 0; k < 60 && term > 1e-17; k++) {
        sum += term;
        term *= (k + 1) / x;
    }
    return exp(x) / x * sum;
}

static void exp1_of(const double *in, double *out) {
    *out = exp1(in[0]);
}
static void expi_of(const double *in, double *out) {
    *out = expi(in[0]);
}

static void sici_of(const double *in, double *out) {
    double x = fabs(in[0]), s = 0, c = 0;
    if (isnan(x)) {
        out[0] = out[1] = NAN;
    } else if (x == 0) {
        out[0] = 0;
        out[1] = -INFINITY;
    } else if (x <= 4) {
        double term = 1;
        for (int k = 1; k < 60; k++) {
            term *= x / k;
            double part = term / k;
            if (k % 2) s += k % 4 == 1 ? part : -part;
            else c += k % 4 == 0 ? part : -part;
        }
        out[0] = copysign(s, in[0]);
        out[1] = EULER + log(x) + c;
    } else {
        double complex b = gx_sp_complex(1, x), d = 1 / b, h = d, cc = 1e300;
        for (int i = 1; i < 500 && !isinf(x); i++) {
            double an = -(double)i * i;
            b += 2;
            d = 1 / (an * d + b);
            cc = b + an / cc;
            h *= cc * d;
            if (cabs(cc * d - 1) < 1e-16) break;
        }
        h = isinf(x) ? 0 : h * gx_sp_complex(cos(x), -sin(x));
        out[0] = copysign(PI / 2 + cimag(h), in[0]);
        out[1] = 0 - creal(h);
    }
    if (in[0] == -INFINITY) out[1] = NAN;
}

/* --- the error function's kin --- */

static double dawson(double x) {
    double a = fabs(x), sum = 0;
    if (isnan(x)) return NAN;
    if (a < 0.2) {
        double term = x, q = x * x;
        for (int k = 0; k < 20; k++) {
            sum += term;
            term *= -2 * q / (2 * k + 3);
        }
        return sum;
    }
    if (a > 12) {
        double term = 1 / (2 * x), q = 2 * x * x;
        for (int k = 0; k < 20 && !isinf(x); k++) {
            sum += term;
            term *= (2 * k + 1) / q;
        }
        return sum;
    }
    const double h = 0.2;
    int middle = (int)(a / h);
    for (int n = middle - 34 - (middle % 2 == 0); n <= middle + 36; n += 2)
        if (n % 2) sum += exp(-(a - n * h) * (a - n * h)) / n;
        else n--;
    return copysign(sum / sqrt(PI), x);
}

static void dawsn_of(const double *in, double *out) {
    *out = dawson(in[0]);
}
static void erfi_of(const double *in, double *out) {
    *out = fabs(in[0]) > 27 ? copysign(INFINITY, in[0])
                            : 2 / sqrt(PI) * exp(in[0] * in[0]) * dawson(in[0]);
    if (isnan(in[0])) *out = NAN;
}
static void erfcx_of(const double *in, double *out) {
    double x = in[0];
    if (!(x > 5)) {
        *out = x < -27 ? INFINITY : exp(x * x) * erfc(x);
        return;
    }
    double f = x;
    for (int k = 60; k > 0; k--) f = x + k / 2.0 / f;
    *out = 1 / (sqrt(PI) * f);
}

/* --- gamma's kin --- */

static void rgamma_of(const double *in, double *out) {
    double x = in[0];
    *out = x <= 0 && x == floor(x) ? 0 : 1 / tgamma(x);
}
static void gammasgn_of(const double *in, double *out) {
    double x = in[0];
    if (isnan(x)) *out = NAN;
    else if (x > 0) *out = 1;
    else if (x == 0) *out = copysign(1, x);
    else *out = x == floor(x) ? NAN : fmod(floor(x), 2) == 0 ? 1 : -1;
}
static double gamma_sign(double x) {
    double sign;
    gammasgn_of(&x, &sign);
    return sign;
}
static bool is_gamma_pole(double x) {
    return x <= 0 && x == ceil(x) && fabs(x) < 1e13;
}

/* Whole steps of m first, as far as no factor is 0 or beyond the numbers. */
static void poch_of(const double *in, double *out) {
    double a = in[0], m = in[1], r = 1;
    for (; m >= 1 && a + m != 1; ) {
        m -= 1;
        r *= a + m;
        if (!isfinite(r) || r == 0) break;
    }
    for (; m <= -1 && a + m != 0; m += 1) {
        r /= a + m;
        if (!isfinite(r) || r == 0) break;
    }
    *out = r;
    if (m == 0) return;
    if (a > 1e4 && fabs(m) <= 1) /* gamma(a + m) / gamma(a) by powers of 1 / a */
        *out *= pow(a, m) * (1 + m * (m - 1) / (2 * a) +
                             m * (m - 1) * (m - 2) * (3 * m - 1) / (24 * a * a) +
                             m * m * (m - 1) * (m - 1) * (m - 2) * (m - 3) / (48 * a * a * a));
    else if (is_gamma_pole(a + m) && !is_gamma_pole(a) && a + m != m) *out = INFINITY;
    else if (!is_gamma_pole(a + m) && is_gamma_pole(a)) *out = 0;
    else *out *= exp(lgamma(a + m) - lgamma(a)) * gamma_sign(a + m) * gamma_sign(a);
}
static void loggamma_of(const double *in, double *out) {
    *out = in[0] < 0 ? NAN : lgamma(in[0]);
}

/* --- Lambert's w --- */

/* Near -1/e, where branches meet, a series of the root; near 0 a fraction; else what w grows as. */
static double complex lambert_start(double complex z, int k) {
    const double x = creal(z), y = fabs(cimag(z));
    if (k == 0 && cabs(z + exp(-1)) < 0.3) {
        double complex p = csqrt(2 * (exp(1) * z + 1));
        return (-p / 3 + 1) * p - 1;
    }
    if (k == 0 && x > -1 && x < 1.5 && y < 1 && -2.5 * y - 0.2 < x)
        return z * ((12.85106382978723404255 * z + 12.34042553191489361902) * z + 1) /
               ((32.53191489361702127660 * z + 14.34042553191489361702) * z + 1);
    if (k == -1 && cabs(z) <= exp(-1) && cimag(z) == 0 && x < 0) return log(-x);
    double complex w = clog(z) + gx_sp_complex(0, 2 * PI * k);
    return w - clog(w);
}

/* Halley's steps, with exp(-w) where exp(w) may overflow, until one is small beside w. */
static double complex lambert_steps(double complex z, double complex w, double tol) {
    for (int i = 0; i < 100; i++) {
        double complex e, f, next;
        if (creal(w) >= 0) {
            e = cexp(-w);
            f = w - z * e;
            next = w - f / (w + 1 - (w + 2) * f / (2 * w + 2));
        } else {
            e = cexp(w);
            f = w * e - z;
            next = w - f / (w * e + e - (w + 2) * f / (2 * w + 2));
        }
        if (cabs(next - w) <= tol * cabs(next)) return next;
        w = next;
    }
    return gx_sp_complex(NAN, NAN);
}

static void lambertw_of(const double *in, double *out) {
    double complex z = gx_sp_complex(in[0], in[1]), w;
    int k = fabs(in[2]) < 1e6 ? (int)in[2] : 0;
    if (isnan(in[0]) || isnan(in[1]) || !(fabs(in[2]) < 1e6))
        w = gx_sp_complex(NAN, NAN);
    else if (z == 0)
        w = k == 0 ? z : gx_sp_complex(-INFINITY, 0);
    else if (isinf(in[0]) && in[1] == 0)
        w = gx_sp_complex(INFINITY, in[0] > 0 ? 2 * PI * k : (2 * k + 1) * PI);
    else if (z == 1 && k == 0)
        w = 0.567143290409783872999968662210355;
    else
        w = lambert_steps(z, lambert_start(z, k), in[4]);
    memcpy(out, &w, sizeof w);
}

GX_SP_CALL(gammaincinv, "ff dd", 2, 1, gammaincinv_of, NULL)
GX_SP_CALL(gammainccinv, "ff dd", 2, 1, gammainccinv_of, NULL)
GX_SP_CALL(betaincinv, "fff ddd", 3, 1, betaincinv_of, NULL)
GX_SP_CALL(betaincc, "fff ddd", 3, 1, betaincc_of, NULL)
GX_SP_CALL(exp1, "f d F D", 1, 1, exp1_of, gx_sp_exp1_complex)
GX_SP_CALL(expi, "f d F D", 1, 1, expi_of, gx_sp_expi_complex)
GX_SP_CALL(sici, "f d F D", 1, 2, sici_of, gx_sp_sici_complex)
GX_SP_CALL(dawsn, "f d F D", 1, 1, dawsn_of, gx_sp_dawsn_complex)
GX_SP_CALL(erfi, "f d F D", 1, 1, erfi_of, gx_sp_erfi_complex)
GX_SP_CALL(erfcx, "f d F D", 1, 1, erfcx_of, gx_sp_erfcx_complex)
GX_SP_CALL(rgamma, "f d F D", 1, 1, rgamma_of, gx_sp_rgamma_complex)
GX_SP_CALL(gammasgn, "f d", 1, 1, gammasgn_of, NULL)
GX_SP_CALL(poch, "ff dd", 2, 1, poch_of, NULL)
GX_SP_CALL(loggamma, "f d F D", 1, 1, loggamma_of, gx_sp_loggamma_complex)
GX_SP_CALL(lambertw, "DDD", 3, 1, NULL, lambertw_of)

#define ROW(name, args, doc, example) {#name, #name args, doc, #name example, name##_fn, 0, 0}
const gx_native gx_sp_inverse_functions[] = {
    ROW(gammaincinv, "(a, y)", "The x with gammainc(a, x) = y.", "(1, 0.5).round(6)  # 0.693147"),
    ROW(gammainccinv, "(a, y)", "The x with gammaincc(a, x) = y.", "(1, 0.5).round(6)  # 0.693147"),
    ROW(betaincinv, "(a, b, y)", "The x with betainc(a, b, x) = y.",
        "(1, 1, 0.25).round(6)  # 0.25"),
    ROW(betaincc, "(a, b, x)", "1 - betainc(a, b, x).", "(1, 1, 0.25).round(6)  # 0.75"),
    ROW(exp1, "(z)", "The exponential integral E1.", "(1.0).round(6)  # 0.219384"),
    ROW(expi, "(x)", "The exponential integral Ei.", "(1.0).round(6)  # 1.895118"),
    ROW(sici, "(x)", "The integrals of the sine and the cosine over x.",
        "(1.0)[0].round(6)  # 0.946083"),
    ROW(dawsn, "(x)", "Dawson's integral.", "(1.0).round(6)  # 0.53808"),
    ROW(erfi, "(z)", "The error function of an imaginary number, over i.",
        "(1.0).round(6)  # 1.650426"),
    ROW(erfcx, "(x)", "exp(x**2) * erfc(x).", "(1.0).round(6)  # 0.427584"),
    ROW(rgamma, "(z)", "1 / gamma(z), 0 at its poles.",
        "([4.0, -1.0]).round(6)  # [0.166667 0.      ]"),
    ROW(gammasgn, "(x)", "The sign of gamma(x).", "([0.5, -0.5])  # [ 1. -1.]"),
    ROW(poch, "(z, m)", "gamma(z + m) / gamma(z).", "(2.0, 3)  # 24.0"),
    ROW(loggamma, "(z)", "The logarithm of gamma, of complex numbers too.",
        "(0.5).round(6)  # 0.572365"),
    ROW(lambertw, "(z, k=0, tol=1e-8)",
        "The w with w * exp(w) = z, a complex number; k: the branch; tol: the last step beside w.",
        "(1.0).real.round(6)  # 0.567143"),
    {.name = NULL},
};
