/* scipy.special's inverses and integrals of one or two numbers: gammaincinv, gammainccinv,
   betaincinv, lambertw, loggamma, exp1, expi, sici, dawsn, erfcx, erfi and others. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/each_side.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/inverse_real.h"
#include "stdlib/scipy/special/special_text_int.h"

extern const gx_native gx_sp_inverse_functions[];

static const char *const texts[] = {gx_special_text_several_real,
                                    gx_special_text_inverse_real, NULL};

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

static const gx_sp_row rows[] = {
    GX_SP_UFUNC(gammaincinv, "ff dd", 2, 1, gammaincinv_of, NULL),
    GX_SP_UFUNC(gammainccinv, "ff dd", 2, 1, gammainccinv_of, NULL),
    GX_SP_UFUNC(betaincinv, "fff ddd", 3, 1, betaincinv_of, NULL),
    GX_SP_UFUNC(betaincc, "fff ddd", 3, 1, betaincc_of, NULL),
    GX_SP_UFUNC(exp1, "f d F D", 1, 1, exp1_of, gx_sp_exp1_complex),
    GX_SP_UFUNC(expi, "f d F D", 1, 1, expi_of, gx_sp_expi_complex),
    GX_SP_UFUNC(sici, "f d F D", 1, 2, sici_of, gx_sp_sici_complex),
    GX_SP_UFUNC(dawsn, "f d F D", 1, 1, dawsn_of, gx_sp_dawsn_complex),
    GX_SP_UFUNC(erfi, "f d F D", 1, 1, erfi_of, gx_sp_erfi_complex),
    GX_SP_UFUNC(erfcx, "f d F D", 1, 1, erfcx_of, gx_sp_erfcx_complex),
    GX_SP_UFUNC(rgamma, "f d F D", 1, 1, rgamma_of, gx_sp_rgamma_complex),
    GX_SP_UFUNC(gammasgn, "f d", 1, 1, gammasgn_of, NULL),
    GX_SP_UFUNC(poch, "ff dd", 2, 1, poch_of, NULL),
    GX_SP_UFUNC(loggamma, "f d F D", 1, 1, loggamma_of, gx_sp_loggamma_complex),
        {.name = NULL},
};

static bool lambertw_fn(gx_call *c, gx_value *out) {
    static const gx_sp_loops loops = {"DDD", GX_SP_HOST(NULL), GX_SP_HOST(lambertw_of), false};
    return gx_sp_each(c, 3, &loops, out);
}

GX_SP_TABLE(inverse)

const gx_native gx_sp_inverse_functions[] = {
    GX_SP_ONE("gammaincinv", "a, y", "Inverse of gammainc: the x with gammainc(a, x) = y.",
              "(1, 0.5).round(6)  # 0.693147"),
    GX_SP_ONE("gammainccinv", "a, y", "Inverse of gammaincc: the x with gammaincc(a, x) = y.",
              "(1, 0.5).round(6)  # 0.693147"),
    GX_SP_ONE("betaincinv", "a, b, y", "Inverse of betainc: the x with betainc(a, b, x) = y.",
              "(1, 1, 0.25).round(6)  # 0.25"),
    GX_SP_ONE("betaincc", "a, b, x",
              "Complement of the regularized incomplete beta function: 1 - betainc(a, b, x).",
              "(1, 1, 0.25).round(6)  # 0.75"),
    GX_SP_ONE("exp1", "z", "Exponential integral E1: of exp(-z * t) / t for t from 1 to infinity.",
              "(1.0).round(6)  # 0.219384"),
    GX_SP_ONE(
        "expi", "x",
        "Exponential integral Ei: of exp(t) / t for t from minus infinity to x (principal value).",
        "(1.0).round(6)  # 1.895118"),
    GX_SP_TWO("sici", "x", "Sine and cosine integrals (Si, Ci) of x.",
              "(1.0)[0].round(6)  # 0.946083"),
    GX_SP_ONE("dawsn", "x",
              "Dawson's integral: exp(-x**2) times the integral of exp(t**2) from 0 to x.",
              "(1.0).round(6)  # 0.53808"),
    GX_SP_ONE("erfi", "z", "Imaginary error function: erf(1j * z) / 1j.",
              "(1.0).round(6)  # 1.650426"),
    GX_SP_ONE("erfcx", "x", "Scaled complementary error function: exp(x**2) * erfc(x).",
              "(1.0).round(6)  # 0.427584"),
    GX_SP_ONE("rgamma", "z", "Reciprocal gamma function 1 / gamma(z), 0 at its poles.",
              "([4.0, -1.0]).round(6)  # [0.166667 0.      ]"),
    GX_SP_ONE("gammasgn", "x", "Sign of gamma(x): 1 or -1.", "([0.5, -0.5])  # [ 1. -1.]"),
    GX_SP_ONE("poch", "z, m", "Pochhammer symbol (rising factorial): gamma(z + m) / gamma(z).",
              "(2.0, 3)  # 24.0"),
    GX_SP_ONE("loggamma", "z", "Natural log of gamma(z), the principal branch for complex z.",
              "(0.5).round(6)  # 0.572365"),
    {"lambertw", "lambertw(z, k=0, tol=1e-8)",
     "Lambert W function: the complex w with w * exp(w) = z on branch k.",
     "lambertw(1.0).real.round(6)  # 0.567143", lambertw_fn, 0, 0},
    {.name = NULL},
};
