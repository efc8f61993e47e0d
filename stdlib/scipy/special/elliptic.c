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

GX_SP_CALL(elliprf, "fff ddd FFF DDD", 3, 1, elliprf, gx_sp_elliprf_complex)
GX_SP_CALL(elliprd, "fff ddd FFF DDD", 3, 1, elliprd, gx_sp_elliprd_complex)
GX_SP_CALL(elliprc, "ff dd FF DD", 2, 1, elliprc, gx_sp_elliprc_complex)
GX_SP_CALL(ellipkm1, "f d", 1, 1, ellipkm1, NULL)
GX_SP_CALL(ellipe, "f d", 1, 1, ellipe, NULL)
GX_SP_CALL(ellipkinc, "ff dd", 2, 1, ellipkinc, NULL)
GX_SP_CALL(ellipeinc, "ff dd", 2, 1, ellipeinc, NULL)
GX_SP_CALL(ellipj, "ff dd", 2, 4, ellipj, NULL)
GX_SP_CALL(fresnel, "f d F D", 1, 2, fresnel, gx_sp_fresnel_complex)

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
