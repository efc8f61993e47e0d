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

static const gx_sp_row rows[] = {
    GX_SP_UFUNC(elliprf, "fff ddd FFF DDD", 3, 1, elliprf, gx_sp_elliprf_complex),
    GX_SP_UFUNC(elliprd, "fff ddd FFF DDD", 3, 1, elliprd, gx_sp_elliprd_complex),
    GX_SP_UFUNC(elliprc, "ff dd FF DD", 2, 1, elliprc, gx_sp_elliprc_complex),
    GX_SP_UFUNC(ellipkm1, "f d", 1, 1, ellipkm1, NULL),
    GX_SP_UFUNC(ellipe, "f d", 1, 1, ellipe, NULL),
    GX_SP_UFUNC(ellipkinc, "ff dd", 2, 1, ellipkinc, NULL),
    GX_SP_UFUNC(ellipeinc, "ff dd", 2, 1, ellipeinc, NULL),
    GX_SP_UFUNC(ellipj, "ff dd", 2, 4, ellipj, NULL),
    GX_SP_UFUNC(fresnel, "f d F D", 1, 2, fresnel, gx_sp_fresnel_complex),
    {.name = NULL},
};

GX_SP_TABLE(elliptic)

const gx_native gx_sp_elliptic_functions[] = {
    GX_SP_ONE("ellipkm1", "p",
              "Complete elliptic integral of the first kind at m = 1 - p, accurate near m = 1.",
              "(1).round(6)  # 1.570796"),
    GX_SP_ONE("ellipe", "m",
              "Complete elliptic integral of the second kind, of the parameter m = k**2.",
              "(0).round(6)  # 1.570796"),
    GX_SP_ONE("ellipkinc", "phi, m",
              "Incomplete elliptic integral of the first kind: amplitude phi (radians), parameter "
              "m = k**2.",
              "(1, 0).round(6)  # 1.0"),
    GX_SP_ONE("ellipeinc", "phi, m",
              "Incomplete elliptic integral of the second kind: amplitude phi (radians), parameter "
              "m = k**2.",
              "(1, 0).round(6)  # 1.0"),
    GX_SP_FOUR("ellipj", "u, m",
               "Jacobi elliptic functions of u and parameter m: (sn, cn, dn, amplitude).",
               "(0.5, 1)[0].round(6)  # 0.462117"),
    GX_SP_ONE("elliprc", "x, y", "Carlson's degenerate symmetric elliptic integral RC.",
              "(1, 1).round(6)  # 1.0"),
    GX_SP_ONE("elliprf", "x, y, z", "Carlson's symmetric elliptic integral of the first kind, RF.",
              "(1, 1, 1).round(6)  # 1.0"),
    GX_SP_ONE("elliprd", "x, y, z", "Carlson's symmetric elliptic integral of the second kind, RD.",
              "(1, 1, 1).round(6)  # 1.0"),
    GX_SP_TWO("fresnel", "z",
              "Fresnel integrals (S, C): of sin(pi t**2 / 2) and cos(pi t**2 / 2) from 0 to z.",
              "(1.0)[0].round(6)  # 0.438259"),
    {.name = NULL},
};
