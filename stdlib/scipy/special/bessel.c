/* scipy.special's Bessel functions of real order and argument, and Airy's: series where terms do
   not cancel, Hankel's expansions far out, and the integrals of Bessel and Schlaefli between. Those
   of complex arguments are in bessel_complex.c. */
#include "kernels/each_side.h"
#include "stdlib/scipy/special/bessel_int.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/bessel_real.h"
#include "stdlib/scipy/special/special_text_int.h"

extern const gx_native gx_sp_bessel_functions[];

static const char *const texts[] = {gx_special_text_bessel_real, NULL};

#define REAL "ff dd fF dD"

typedef struct named {
    const char *name;
    gx_sp_loops loops;
} named;

static const named functions[] = {
    {"jv", {REAL, GX_SP_TEXT(jv_of), GX_SP_HOST(gx_sp_jv), false}},
    {"jn", {REAL, GX_SP_TEXT(jv_of), GX_SP_HOST(gx_sp_jv), false}},
    {"jve", {REAL, GX_SP_TEXT(jve_of), GX_SP_HOST(gx_sp_jve), false}},
    {"yv", {REAL, GX_SP_TEXT(yv_of), GX_SP_HOST(gx_sp_yv), false}},
    {"yn", {"ld ff dd", GX_SP_TEXT(yn_of), GX_SP_HOST(NULL), false}},
    {"yve", {REAL, GX_SP_TEXT(yve_of), GX_SP_HOST(gx_sp_yve), false}},
    {"iv", {REAL, GX_SP_TEXT(iv_of), GX_SP_HOST(gx_sp_iv), false}},
    {"ive", {REAL, GX_SP_TEXT(ive_of), GX_SP_HOST(gx_sp_ive), false}},
    {"kv", {REAL, GX_SP_TEXT(kv_of), GX_SP_HOST(gx_sp_kv), false}},
    {"kn", {"ld ff dd", GX_SP_TEXT(kn_of), GX_SP_HOST(NULL), false}},
    {"kve", {REAL, GX_SP_TEXT(kve_of), GX_SP_HOST(gx_sp_kve), false}},
    {"hankel1", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel1), false}},
    {"hankel2", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel2), false}},
    {"hankel1e", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel1e), false}},
    {"hankel2e", {"fF dD", GX_SP_HOST(NULL), GX_SP_HOST(gx_sp_hankel2e), false}},
};

static bool bessel_fn(gx_call *c, gx_value *out) {
    const named *f = functions;
    while (strcmp(f->name, c->fn->name) != 0) f++;
    return gx_sp_each(c, 2, 1, &f->loops, out);
}

GX_SP_CALL(airy, "f d F D", 1, 4, airy_of, gx_sp_airy_complex)

#define ROW(name, args, doc, example)                                                              \
    { name, name args, doc, name example, bessel_fn, 0, 0 }
const gx_native gx_sp_bessel_functions[] = {
    ROW("jv", "(v, z)", "Bessel function of the first kind of real order.",
        "(0.5, 1.0).round(6)  # 0.671397"),
    ROW("jn", "(v, z)", "Bessel function of the first kind; another name of jv.",
        "(2, 1.0).round(6)  # 0.114903"),
    ROW("yv", "(v, z)", "Bessel function of the second kind of real order.",
        "(0.5, 1.0).round(6)  # -0.431099"),
    ROW("yn", "(n, x)", "Bessel function of the second kind of integer order.",
        "(2, 1.0).round(6)  # -1.650683"),
    ROW("iv", "(v, z)", "Modified Bessel function of the first kind of real order.",
        "(0.5, 1.0).round(6)  # 0.937675"),
    ROW("ive", "(v, z)", "iv times exp(-abs(z)).", "(0.5, 1.0).round(6)  # 0.344951"),
    ROW("kv", "(v, z)", "Modified Bessel function of the second kind of real order.",
        "(0.5, 1.0).round(6)  # 0.461069"),
    ROW("kn", "(n, x)", "Modified Bessel function of the second kind of integer order.",
        "(2, 1.0).round(6)  # 1.624839"),
    ROW("kve", "(v, z)", "kv times exp(z).", "(0.5, 1.0).round(6)  # 1.253314"),
    ROW("jve", "(v, z)", "jv times exp(-abs(z.imag)).", "(0.5, 1.0).round(6)  # 0.671397"),
    ROW("yve", "(v, z)", "yv times exp(-abs(z.imag)).", "(0.5, 1.0).round(6)  # -0.431099"),
    ROW("hankel1", "(v, z)", "Hankel's first function, jv + 1j * yv.",
        "(0.5, 1.0).round(6)  # (0.671397-0.431099j)"),
    ROW("hankel2", "(v, z)", "Hankel's second function, jv - 1j * yv.",
        "(0.5, 1.0).round(6)  # (0.671397+0.431099j)"),
    ROW("hankel1e", "(v, z)", "hankel1 times exp(-1j * z).",
        "(0.5, 1.0).imag.round(6)  # -0.797885"),
    ROW("hankel2e", "(v, z)", "hankel2 times exp(1j * z).", "(0.5, 1.0).imag.round(6)  # 0.797885"),
    {"airy", "airy(z)", "Airy's functions Ai, Ai', Bi and Bi'.",
     "airy(0.0)[0].round(6)  # 0.355028", airy_fn, 0, 0},
    {.name = NULL},
};
