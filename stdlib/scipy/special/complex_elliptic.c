/* Carlson's integrals of complex arguments, by duplication. Negative real arguments have no value
   but for the second of elliprc, whose principal value is taken. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "stdlib/scipy/special/complex_int.h"

typedef double complex cplx;

static bool is_outside(cplx z) {
    return cimag(z) == 0 && creal(z) < 0;
}
static bool is_infinite(cplx z) {
    return isinf(creal(z)) || isinf(cimag(z));
}

static cplx form_f(cplx x, cplx y, cplx z) {
    if (is_outside(x) || is_outside(y) || is_outside(z)) return gx_sp_complex(NAN, NAN);
    if (is_infinite(x) || is_infinite(y) || is_infinite(z)) return 0;
    if ((x == 0) + (y == 0) + (z == 0) > 1) return gx_sp_complex(INFINITY, 0);
    for (int i = 0; i < 100; i++) {
        const cplx a = (x + y + z) / 3, dx = 1 - x / a, dy = 1 - y / a, dz = 1 - z / a;
        if (fmax(cabs(dx), fmax(cabs(dy), cabs(dz))) < 2e-3) {
            const cplx e2 = dx * dy + dy * dz + dz * dx, e3 = dx * dy * dz;
            return (1 + e2 * (-1.0 / 10 + e2 / 24 - 3 * e3 / 44 - 5 * e2 * e2 / 208) + e3 / 14 +
                    3 * e3 * e3 / 104) /
                   csqrt(a);
        }
        const cplx rx = csqrt(x), ry = csqrt(y), rz = csqrt(z), l = rx * ry + ry * rz + rz * rx;
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
    }
    return gx_sp_complex(NAN, NAN);
}

static cplx form_d(cplx x, cplx y, cplx z) {
    cplx sum = 0;
    double by = 1;
    if (is_outside(x) || is_outside(y) || is_outside(z)) return gx_sp_complex(NAN, NAN);
    if (is_infinite(x) || is_infinite(y) || is_infinite(z)) return 0;
    if (z == 0 || (x == 0 && y == 0)) return gx_sp_complex(INFINITY, 0);
    for (int i = 0; i < 100; i++) {
        const cplx a = (x + y + 3 * z) / 5, dx = 1 - x / a, dy = 1 - y / a, dz = -(dx + dy) / 3;
        if (fmax(cabs(dx), fmax(cabs(dy), cabs(dz))) < 1e-3) {
            const cplx xy = dx * dy, z2 = dz * dz;
            const cplx e2 = xy - 6 * z2, e3 = (3 * xy - 8 * z2) * dz, e4 = 3 * (xy - z2) * z2,
                       e5 = xy * z2 * dz;
            const cplx series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 -
                                9 * e2 * e3 / 52 + 3 * e5 / 26;
            return 3 * sum + by * series / (a * csqrt(a));
        }
        const cplx rx = csqrt(x), ry = csqrt(y), rz = csqrt(z), l = rx * ry + ry * rz + rz * rx;
        sum += by / (rz * (z + l));
        by /= 4;
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
    }
    return gx_sp_complex(NAN, NAN);
}

static cplx form_c(cplx x, cplx y) {
    if (y == 0) return gx_sp_complex(NAN, NAN);
    if (is_outside(y)) return csqrt(x / (x - y)) * form_c(x - y, -y);
    return form_f(x, y, y);
}

static bool numbers(const double *in, int n, cplx *z, double *out) {
    for (int k = 0; k < n; k++) {
        z[k] = gx_sp_complex(in[2 * k], in[2 * k + 1]);
        if (!isnan(in[2 * k]) && !isnan(in[2 * k + 1])) continue;
        out[0] = out[1] = NAN;
        return false;
    }
    return true;
}
static void give(double *out, cplx r) {
    memcpy(out, &r, sizeof r);
}

void gx_sp_elliprf_complex(const double *in, double *out) {
    cplx z[3];
    if (numbers(in, 3, z, out)) give(out, form_f(z[0], z[1], z[2]));
}
void gx_sp_elliprd_complex(const double *in, double *out) {
    cplx z[3];
    if (numbers(in, 3, z, out)) give(out, form_d(z[0], z[1], z[2]));
}
void gx_sp_elliprc_complex(const double *in, double *out) {
    cplx z[2];
    if (numbers(in, 2, z, out)) give(out, form_c(z[0], z[1]));
}
