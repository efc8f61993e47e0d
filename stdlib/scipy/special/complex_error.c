/* The error function's kin of complex arguments, by Faddeeva's w(z) = exp(-z^2) erfc(-i z): the
   trapezoidal and midpoint rules of its integral, corrected by the residue of the pole (M. Al Azah
   and S. N. Chandler-Wilde, 2021). Near zero, series. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "stdlib/scipy/special/complex_int.h"

#define PI 3.14159265358979323846
#define ROOT_PI 1.77245385090551602730

enum { TERMS = 11 };

static double complex times_i(double complex z) {
    return gx_sp_complex(-cimag(z), creal(z));
}
static double complex over_i(double complex z) {
    return gx_sp_complex(cimag(z), -creal(z));
}

/* exp(-z^2), whose parts overflow only where the result does. */
static double complex exp_minus_square(double complex z) {
    const double x = creal(z), y = cimag(z);
    return cexp(gx_sp_complex((y - x) * (y + x), -2 * x * y));
}

/* w in the first quadrant. */
static double complex faddeeva_first(double complex z) {
    const double h = sqrt(PI / (TERMS + 1)), x = creal(z), y = cimag(z);
    const double complex z2 = z * z;
    double complex sum = 0, pole = 0;
    if (cabs(z) > 1e5) return times_i(1 / (ROOT_PI * z)) * (1 + (0.5 + 0.75 / z2) / z2);
    const bool above = y >= fmax(x, PI / h);
    const double part = x / h - floor(x / h);
    const bool trapezia = !above && part >= 0.25 && part <= 0.75;
    for (int k = TERMS; k >= (trapezia ? 1 : 0); k--) {
        const double t = (k + (trapezia ? 0 : 0.5)) * h;
        sum += exp(-t * t) / (z2 - t * t);
    }
    double complex w = times_i(2 * h / PI * z * sum);
    if (trapezia) w += times_i(h / PI / z);
    if (!above && y < PI / h) {
        const double complex turn = cexp(times_i(-2 * PI / h * z));
        pole = 2 * exp_minus_square(z) / (trapezia ? 1 - turn : 1 + turn);
    }
    return w + pole;
}

static double complex faddeeva(double complex z) {
    const double x = creal(z), y = cimag(z);
    if (isnan(x) || isnan(y)) return gx_sp_complex(NAN, NAN);
    if (y < 0) return 2 * exp_minus_square(z) - faddeeva(-z);
    return x < 0 ? conj(faddeeva_first(gx_sp_complex(-x, y))) : faddeeva_first(z);
}

/* erf by its series, for |z| up to 1. */
static double complex erf_near_zero(double complex z) {
    const double complex q = -z * z;
    double complex term = z, sum = z;
    for (int k = 1; k < 40 && cabs(term) > 1e-18 * cabs(sum); k++) {
        term *= q / k;
        sum += term / (2 * k + 1);
    }
    return 2 / ROOT_PI * sum;
}

static double complex erfc_of(double complex z) {
    if (creal(z) < 0) return 2 - erfc_of(-z);
    return exp_minus_square(z) * faddeeva(times_i(z));
}

static double complex erf_of(double complex z) {
    if (cimag(z) == 0) return gx_sp_complex(erf(creal(z)), cimag(z));
    if (cabs(z) <= 1) return erf_near_zero(z);
    return creal(z) < 0 ? erfc_of(-z) - 1 : 1 - erfc_of(z);
}

static double complex dawson_of(double complex z) {
    if (cabs(z) <= 1) {
        const double complex q = -2 * z * z;
        double complex term = z, sum = z;
        for (int k = 1; k < 60 && cabs(term) > 1e-18 * cabs(sum); k++)
            sum += term *= q / (2 * k + 1);
        return sum;
    }
    if (cimag(z) < 0) return -dawson_of(-z);
    return times_i(ROOT_PI / 2 * (exp_minus_square(z) - faddeeva(z)));
}

static double complex argument(const double *in) {
    return gx_sp_complex(in[0], in[1]);
}
static void give(double *out, double complex r) {
    memcpy(out, &r, sizeof r);
}

void gx_sp_erf_complex(const double *in, double *out) {
    give(out, erf_of(argument(in)));
}
void gx_sp_erfc_complex(const double *in, double *out) {
    const double complex z = argument(in);
    give(out, cimag(z) == 0   ? gx_sp_complex(erfc(creal(z)), -cimag(z))
              : cabs(z) <= 1 ? 1 - erf_near_zero(z)
                             : erfc_of(z));
}
void gx_sp_erfcx_complex(const double *in, double *out) {
    give(out, faddeeva(times_i(argument(in))));
}
void gx_sp_erfi_complex(const double *in, double *out) {
    give(out, over_i(erf_of(times_i(argument(in)))));
}
void gx_sp_dawsn_complex(const double *in, double *out) {
    give(out, dawson_of(argument(in)));
}
void gx_sp_ndtr_complex(const double *in, double *out) {
    const double complex z = -sqrt(0.5) * argument(in);
    give(out, cimag(z) == 0   ? gx_sp_complex(erfc(creal(z)) / 2, 0)
              : cabs(z) <= 1 ? 0.5 - erf_near_zero(z) / 2
                             : erfc_of(z) / 2);
}

/* S and C, of erf((1 - i) s) and erf((1 + i) s) with s = z sqrt(pi) / 2; their series near 0. */
void gx_sp_fresnel_complex(const double *in, double *out) {
    const double complex z = argument(in), s = z * (ROOT_PI / 2);
    if (cabs(z) <= 0.8) {
        const double complex q = PI / 2 * z * z;
        double complex term = z, sine = 0, cosine = z;
        for (int k = 1; k < 40; k++) {
            term *= q / k;
            const double complex part = term / (2 * k + 1);
            if (k % 2) sine += k % 4 == 1 ? part : -part;
            else cosine += k % 4 == 0 ? part : -part;
        }
        give(out, sine);
        give(out + 2, cosine);
        return;
    }
    const double complex a = erf_of(s - times_i(s)), b = erf_of(s + times_i(s));
    /* C + i S = (1 + i) / 2 erf((1 - i) s); C - i S = (1 - i) / 2 erf((1 + i) s) */
    const double complex up = gx_sp_complex(0.5, 0.5) * a, down = gx_sp_complex(0.5, -0.5) * b;
    give(out, over_i((up - down) / 2));
    give(out + 2, (up + down) / 2);
}
