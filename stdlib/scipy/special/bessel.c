/* scipy.special's Bessel functions of real order and argument, and Airy's: series where terms do
   not cancel, Hankel's expansions far out, and the integrals of Bessel and Schlaefli between. Those
   of complex arguments are in bessel_complex.c. */
#include "kernels/each_side.h"
#include "stdlib/scipy/special/bessel_int.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/temme_real.h"

#include "stdlib/scipy/special/bessel_real.h"
#include "stdlib/scipy/special/special_text_int.h"

extern const gx_native gx_sp_bessel_functions[];

static const char *const texts[] = {gx_special_text_temme_real, gx_special_text_bessel_real, NULL};

#define REAL "ff dd fF dD"

static const gx_sp_row rows[] = {
    {"jv", {REAL, GX_SP_TEXT(jv_of), GX_SP_HOST(gx_sp_jv), false}, 2, 1, NULL},
    {"jn", {REAL, GX_SP_TEXT(jv_of), GX_SP_HOST(gx_sp_jv), false}, 2, 1, NULL},
    {"jve", {REAL, GX_SP_TEXT(jve_of), GX_SP_HOST(gx_sp_jve), false}, 2, 1, NULL},
    {"yv", {REAL, GX_SP_TEXT(yv_of), GX_SP_HOST(gx_sp_yv), false}, 2, 1, NULL},
    {"yn", {"ld ff dd", GX_SP_TEXT(yn_of), GX_SP_HOST(NULL), false}, 2, 1, NULL},
    {"yve", {REAL, GX_SP_TEXT(yve_of), GX_SP_HOST(gx_sp_yve), false}, 2, 1, NULL},
    {"iv", {REAL, GX_SP_TEXT(iv_of), GX_SP_HOST(gx_sp_iv), false}, 2, 1, NULL},
    {"ive", {REAL, GX_SP_TEXT(ive_of), GX_SP_HOST(gx_sp_ive), false}, 2, 1, NULL},
    {"kv", {REAL, GX_SP_TEXT(kv_of), GX_SP_HOST(gx_sp_kv), false}, 2, 1, NULL},
    {"kn", {"ld ff dd", GX_SP_TEXT(kn_of), GX_SP_HOST(NULL), false}, 2, 1, NULL},
    {"kve", {REAL, GX_SP_TEXT(kve_of), GX_SP_HOST(gx_sp_kve), false}, 2, 1, NULL},
    {"hankel1", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel1), false}, 2, 1, NULL},
    {"hankel2", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel2), false}, 2, 1, NULL},
    {"hankel1e", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel1e), false}, 2, 1, NULL},
    {"hankel2e", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel2e), false}, 2, 1, NULL},
    GX_SP_UFUNC(airy, "f d F D", 1, 4, airy_of, gx_sp_airy_complex),
    {.name = NULL},
};

GX_SP_TABLE(bessel)

const gx_native gx_sp_bessel_functions[] = {
    GX_SP_ONE("jv", "v, z", "Bessel function of the first kind of real order.",
              "(0.5, 1.0).round(6)  # 0.671397"),
    GX_SP_ONE("jn", "v, z", "Bessel function of the first kind; another name of jv.",
              "(2, 1.0).round(6)  # 0.114903"),
    GX_SP_ONE("yv", "v, z", "Bessel function of the second kind of real order.",
              "(0.5, 1.0).round(6)  # -0.431099"),
    GX_SP_ONE("yn", "n, x", "Bessel function of the second kind of integer order.",
              "(2, 1.0).round(6)  # -1.650683"),
    GX_SP_ONE("iv", "v, z", "Modified Bessel function of the first kind of real order.",
              "(0.5, 1.0).round(6)  # 0.937675"),
    GX_SP_ONE("ive", "v, z",
              "Scaled modified Bessel function of the first kind: iv(v, z) * exp(-|z.real|).",
              "(0.5, 1.0).round(6)  # 0.344951"),
    GX_SP_ONE("kv", "v, z", "Modified Bessel function of the second kind of real order.",
              "(0.5, 1.0).round(6)  # 0.461069"),
    GX_SP_ONE("kn", "n, x", "Modified Bessel function of the second kind of integer order.",
              "(2, 1.0).round(6)  # 1.624839"),
    GX_SP_ONE("kve", "v, z",
              "Scaled modified Bessel function of the second kind: kv(v, z) * exp(z).",
              "(0.5, 1.0).round(6)  # 1.253314"),
    GX_SP_ONE("jve", "v, z", "Scaled Bessel function of the first kind: jv(v, z) * exp(-|z.imag|).",
              "(0.5, 1.0).round(6)  # 0.671397"),
    GX_SP_ONE("yve", "v, z",
              "Scaled Bessel function of the second kind: yv(v, z) * exp(-|z.imag|).",
              "(0.5, 1.0).round(6)  # -0.431099"),
    GX_SP_ONE("hankel1", "v, z",
              "Hankel function of the first kind of real order: jv(v, z) + 1j * yv(v, z).",
              "(0.5, 1.0).round(6)  # (0.671397-0.431099j)"),
    GX_SP_ONE("hankel2", "v, z",
              "Hankel function of the second kind of real order: jv(v, z) - 1j * yv(v, z).",
              "(0.5, 1.0).round(6)  # (0.671397+0.431099j)"),
    GX_SP_ONE("hankel1e", "v, z",
              "Scaled Hankel function of the first kind: hankel1(v, z) * exp(-1j * z).",
              "(0.5, 1.0).imag.round(6)  # -0.797885"),
    GX_SP_ONE("hankel2e", "v, z",
              "Scaled Hankel function of the second kind: hankel2(v, z) * exp(1j * z).",
              "(0.5, 1.0).imag.round(6)  # 0.797885"),
    GX_SP_FOUR("airy", "z", "Airy functions and their derivatives: (Ai, Ai', Bi, Bi').",
               "(0.0)[0].round(6)  # 0.355028"),
    {.name = NULL},
};
