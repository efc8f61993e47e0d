/* Gamma's kin of complex arguments: gamma, its reciprocal and logarithm, digamma, Riemann's zeta,
   and the exponential integrals with those of sine and cosine. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "stdlib/scipy/special/complex_int.h"

#define PI 3.14159265358979323846
#define EULER 0.57721566490153286061

static double complex argument(const double *in) {
    return gx_sp_complex(in[0], in[1]);
}
static void give(double *out, double complex r) {
    memcpy(out, &r, sizeof r);
}

static bool is_pole(double complex z) {
    return cimag(z) == 0 && creal(z) <= 0 && creal(z) == floor(creal(z));
}

/* sin(pi z), whose real part is reduced first. */
static double complex sin_pi(double complex z) {
    const double x = creal(z), y = PI * cimag(z), r = fmod(x, 2);
    const double s = x == floor(x) ? 0 : sin(PI * r);
    const double c = x - 0.5 == floor(x) ? 0 : cos(PI * r);
    return gx_sp_complex(s * cosh(y), c * sinh(y));
}

/* --- gamma --- */

/* Stirling's series, after steps to the right. */
static double complex loggamma_right(double complex z) {
    static const double b[] = {1.0 / 12,   -1.0 / 360,       1.0 / 1260,  -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400};
    double complex less = 0;
    for (; creal(z) < 12 && fabs(cimag(z)) < 12; z += 1) less += clog(z);
    double complex r = (z - 0.5) * clog(z) - z + 0.5 * log(2 * PI), p = 1 / z, q = p * p;
    for (int k = 0; k < 8; k++, p *= q) r += b[k] * p;
    return r - less;
}

/* Left of 0 by reflection: the branch is that of the sum of logarithms. */
static double complex loggamma_of(double complex z) {
    const double x = creal(z), y = cimag(z);
    if (isnan(x) || isnan(y) || is_pole(z)) return gx_sp_complex(NAN, NAN);
    if (x >= 0.1 || fabs(y) > 12) return loggamma_right(z);
    const double turns = copysign(2 * PI, y) * floor(0.5 * x + 0.25);
    return gx_sp_complex(log(PI), turns) - clog(sin_pi(z)) - loggamma_right(1 - z);
}

void gx_sp_loggamma_complex(const double *in, double *out) {
    give(out, loggamma_of(argument(in)));
}
void gx_sp_gamma_complex(const double *in, double *out) {
    const double complex z = argument(in);
    const bool lost = is_pole(z) || !isfinite(in[0]) || !isfinite(in[1]);
    give(out, lost             ? gx_sp_complex(NAN, NAN)
              : cimag(z) == 0 ? gx_sp_complex(tgamma(creal(z)), 0)
                              : cexp(loggamma_of(z)));
}
void gx_sp_rgamma_complex(const double *in, double *out) {
    const double complex z = argument(in);
    const bool lost = in[0] == -INFINITY && in[1] == 0;
    give(out, lost ? gx_sp_complex(NAN, NAN) : is_pole(z) ? 0 : cexp(-loggamma_of(z)));
}

static double complex digamma_of(double complex z) {
    static const double b[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    if (isnan(creal(z)) || isnan(cimag(z)) || is_pole(z)) return gx_sp_complex(NAN, NAN);
    if (creal(z) < 0) {
        /* pi cot(pi z), which is -i or i far from the real axis */
        const double complex cot = fabs(cimag(z)) > 12
                                       ? gx_sp_complex(0, -copysign(1, cimag(z)))
                                       : sin_pi(z + 0.5) / sin_pi(z);
        return digamma_of(1 - z) - PI * cot;
    }
    double complex r = 0;
    for (; creal(z) < 12 && fabs(cimag(z)) < 12; z += 1) r -= 1 / z;
    const double complex y = 1 / (z * z);
    double complex p = y;
    r += clog(z) - 0.5 / z;
    for (int k = 0; k < 7; k++, p *= y) r -= b[k] * p;
    return r;
}

void gx_sp_digamma_complex(const double *in, double *out) {
    give(out, digamma_of(argument(in)));
}

/* --- Riemann's zeta: Euler and Maclaurin's formula; left of 0 by reflection --- */

static double complex zeta_of(double complex s) {
    static const double b[] = {1.0 / 12,
                               -1.0 / 720,
                               1.0 / 30240,
                               -1.0 / 1209600,
                               1.0 / 47900160,
                               -691.0 / 1307674368000,
                               1.0 / 74724249600,
                               -3617.0 / 10670622842880000,
                               43867.0 / 5109094217170944000,
                               -174611.0 / 802857662698291200000.0};
    if (isnan(creal(s)) || isnan(cimag(s)) || fabs(cimag(s)) > 1e6) return gx_sp_complex(NAN, NAN);
    if (s == 1) return gx_sp_complex(INFINITY, 0);
    if (creal(s) < 0)
        return 2 * cpow(2 * PI, s - 1) * sin_pi(s / 2) * cexp(loggamma_of(1 - s)) * zeta_of(1 - s);
    if (creal(s) > 60) return 1 + cpow(2, -s);
    const int terms = 12 + (int)cabs(s);
    double complex sum = 0;
    for (int k = 1; k < terms; k++) sum += cexp(-s * log(k));
    double complex last = cexp(-s * log(terms)), factor = s, p = last / terms;
    sum += last * terms / (s - 1) + 0.5 * last;
    for (int k = 0; k < 10; k++) {
        sum += b[k] * factor * p;
        factor *= (s + 2 * k + 1) * (s + 2 * k + 2);
        p /= (double)terms * terms;
    }
    return sum;
}

void gx_sp_zeta_complex(const double *in, double *out) {
    give(out, zeta_of(argument(in)));
}

/* --- exponential integrals --- */

static double complex exp1_of(double complex z) {
    const double x = creal(z), size = cabs(z);
    if (!isfinite(x) || !isfinite(cimag(z))) return gx_sp_complex(NAN, NAN);
    if (size == 0) return gx_sp_complex(INFINITY, -0.0);
    if (size < 2 || (x < 0 && fabs(cimag(z)) < 5 && size < 40)) {
        double complex sum = 0, term = -1;
        for (int k = 1; k < 500; k++) {
            term *= -z / k;
            sum += term / k;
            if (cabs(term) < 1e-18 * cabs(sum)) break;
        }
        return sum - EULER - clog(z);
    }
    double complex r;
    if (x < 0 && fabs(cimag(z)) < 5) { /* near the cut: the asymptotic series */
        double complex term = 1;
        r = 0;
        for (int k = 0; k < 60 && cabs(term) > 1e-17; k++) {
            r += term;
            term *= -(k + 1) / z;
        }
        r *= cexp(-z) / z;
        if (cimag(z) == 0) r = gx_sp_complex(creal(r), 0);
    } else {
        double complex b = z + 1, c = 1e300, d = 1 / b, h = d;
        for (int i = 1; i < 1000 && isfinite(size); i++) {
            const double an = -(double)i * i;
            b += 2;
            d = 1 / (an * d + b);
            c = b + an / c;
            h *= c * d;
            if (cabs(c * d - 1) < 1e-16) break;
        }
        return h * cexp(-z);
    }
    if (cimag(z) == 0) r -= gx_sp_complex(0, copysign(PI, cimag(z)));
    return r;
}

static double complex expi_of(double complex z) {
    const double y = cimag(z);
    if (z == 0) return gx_sp_complex(-INFINITY, 0);
    double complex r = -exp1_of(-z);
    if (isnan(creal(r))) return gx_sp_complex(NAN, NAN);
    if (y > 0) r += gx_sp_complex(0, PI);
    else if (y < 0) r -= gx_sp_complex(0, PI);
    else r = gx_sp_complex(creal(r), 0);
    return r;
}

void gx_sp_exp1_complex(const double *in, double *out) {
    give(out, exp1_of(argument(in)));
}
void gx_sp_expi_complex(const double *in, double *out) {
    give(out, expi_of(argument(in)));
}

void gx_sp_sici_complex(const double *in, double *out) {
    const double complex z = argument(in);
    double complex si = 0, ci = 0;
    if (isnan(in[0]) || isnan(in[1])) {
        si = ci = gx_sp_complex(NAN, NAN);
    } else if (isinf(in[0]) && in[1] == 0) {
        si = copysign(PI / 2, in[0]);
        ci = gx_sp_complex(0, in[0] < 0 ? PI : 0);
    } else if (cabs(z) < 0.8) {
        double complex term = 1;
        for (int k = 1; k < 40; k++) {
            term *= z / k;
            const double complex part = term / k;
            if (k % 2) si += k % 4 == 1 ? part : -part;
            else ci += k % 4 == 0 ? part : -part;
        }
        ci = z == 0 ? gx_sp_complex(-INFINITY, NAN) : ci + EULER + clog(z);
    } else {
        const double complex a = expi_of(gx_sp_complex(-in[1], in[0])),
                             b = expi_of(gx_sp_complex(in[1], -in[0])), d = (a - b) / 2;
        si = gx_sp_complex(cimag(d), -creal(d));
        ci = (a + b) / 2;
        if (in[0] == 0) {
            ci += gx_sp_complex(0, in[1] > 0 ? PI / 2 : in[1] < 0 ? -PI / 2 : 0);
        } else if (in[0] > 0) {
            si -= PI / 2;
        } else {
            si += PI / 2;
            ci += gx_sp_complex(0, in[1] >= 0 ? PI : -PI);
        }
    }
    give(out, si);
    give(out + 2, ci);
}
