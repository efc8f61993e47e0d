/* scipy.special's elliptic integrals and functions, by means of arithmetic and geometric means and
   by Carlson's duplication: ellipkm1, ellipe, ellipkinc, ellipeinc, ellipj, elliprc, elliprf,
   elliprd; and the integrals of Fresnel. Parameters are m, the modulus squared. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "kernels/each_side.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/elliptic_real.h"
#include "stdlib/scipy/special/special_text_int.h"

extern const gx_native gx_sp_elliptic_functions[];

static const char *const texts[] = {gx_special_text_elliptic_real, NULL};

/* --- Fresnel's integrals --- */

/* Series near zero, else the fraction of the complementary error function. */
static void fresnel(const double *in, double *out) {
    double x = fabs(in[0]), s = 0, c = 0;
    if (isnan(x)) {
        out[0] = out[1] = x;
        return;
    }
    if (x < 1.8) {
        double t = PI / 2 * x * x, term = x;
        for (int k = 0; k < 60; k++) {
            double part = term / (2 * k + 1);
            if (k % 2 == 0) c += k % 4 ? -part : part;
            else s += k % 4 == 1 ? part : -part;
            term *= t / (k + 1);
            if (term < 1e-18 * x) break;
        }
    } else if (x > 1e8) {
        s = c = 0.5;
    } else { /* modified Lentz, from far down */
        double complex z = gx_sp_complex(0, -PI * x * x), b = 1 + z, cc = 1e300, d = 1 / b, h = d;
        for (int k = 1; k < 2000; k++) {
            double an = -(2.0 * k - 1) * (2.0 * k);
            b += 4;
            d = 1 / (an * d + b);
            cc = b + an / cc;
            double complex del = cc * d;
            h *= del;
            if (fabs(creal(del) - 1) + fabs(cimag(del)) < 1e-16) break;
        }
        double half = fmod(x * x, 4) * PI / 2;
        double complex e = gx_sp_complex(cos(half), sin(half));
        double complex r = gx_sp_complex(0.5, 0.5) * (1 - e * (gx_sp_complex(x, -x) * h));
        c = creal(r);
        s = cimag(r);
    }
    out[0] = copysign(s, in[0]);
    out[1] = copysign(c, in[0]);
}

GX_SP_CALL(elliprf, "fff ddd FFF DDD", 3, 1, elliprf, gx_sp_elliprf_complex)
GX_SP_CALL(elliprd, "fff ddd FFF DDD", 3, 1, elliprd, gx_sp_elliprd_complex)
GX_SP_CALL(elliprc, "ff dd FF DD", 2, 1, elliprc, gx_sp_elliprc_complex)
GX_SP_CALL(ellipkm1, "f d", 1, 1, ellipkm1, NULL)
GX_SP_CALL(ellipe, "f d", 1, 1, ellipe, NULL)
GX_SP_CALL(ellipkinc, "ff dd", 2, 1, ellipkinc, NULL)
GX_SP_CALL(ellipeinc, "ff dd", 2, 1, ellipeinc, NULL)
GX_SP_CALL(ellipj, "ff dd", 2, 4, ellipj, NULL)
GX_SP_HOST_CALL(fresnel, "f d F D", 1, 2, fresnel, gx_sp_fresnel_complex)

const gx_native gx_sp_elliptic_functions[] = {
    {"ellipkm1", "ellipkm1(p)", "Complete elliptic integral of the first kind at m = 1 - p.",
     "ellipkm1(1).round(6)  # 1.570796", ellipkm1_fn, 0, 0},
    {"ellipe", "ellipe(m)", "Complete elliptic integral of the second kind.",
     "ellipe(0).round(6)  # 1.570796", ellipe_fn, 0, 0},
    {"ellipkinc", "ellipkinc(phi, m)", "Incomplete elliptic integral of the first kind.",
     "ellipkinc(1, 0).round(6)  # 1.0", ellipkinc_fn, 0, 0},
    {"ellipeinc", "ellipeinc(phi, m)", "Incomplete elliptic integral of the second kind.",
     "ellipeinc(1, 0).round(6)  # 1.0", ellipeinc_fn, 0, 0},
    {"ellipj", "ellipj(u, m)", "Jacobi's elliptic functions sn, cn and dn, and the amplitude.",
     "ellipj(0.5, 1)[0].round(6)  # 0.462117", ellipj_fn, 0, 0},
    {"elliprc", "elliprc(x, y)", "Carlson's degenerate integral.",
     "elliprc(1, 1).round(6)  # 1.0", elliprc_fn, 0, 0},
    {"elliprf", "elliprf(x, y, z)", "Carlson's integral of the first kind.",
     "elliprf(1, 1, 1).round(6)  # 1.0", elliprf_fn, 0, 0},
    {"elliprd", "elliprd(x, y, z)", "Carlson's integral of the second kind.",
     "elliprd(1, 1, 1).round(6)  # 1.0", elliprd_fn, 0, 0},
    {"fresnel", "fresnel(z)", "Fresnel's integrals S and C.",
     "fresnel(1.0)[0].round(6)  # 0.438259", fresnel_fn, 0, 0},
    {.name = NULL},
};
