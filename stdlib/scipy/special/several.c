/* scipy.special's zeta, polygamma, gammainc, gammaincc, betainc, ndtri, erfcinv, k0, k1 and ellipk,
   computed in float64; float32 in gives float32 out. */

#include "kernels/each_side.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/several_real.h"
#include "stdlib/scipy/special/special_text_int.h"

extern const gx_native gx_sp_more_functions[];

static const char *const texts[] = {gx_special_text_several_real, NULL};

enum { RIEMANN, HURWITZ, POLYGAMMA };
const gx_sp_loops gx_sp_own_loops[GX_SP_OWN_LOOPS] = {
    [RIEMANN] = {"f d F D", GX_SP_TEXT(riemann_of), GX_SP_HOST(gx_sp_zeta_complex), false},
    [HURWITZ] = {"ff dd", GX_SP_TEXT(zeta_of), GX_SP_HOST(NULL), false},
    [POLYGAMMA] = {"ff dd", GX_SP_TEXT(polygamma_of), GX_SP_HOST(NULL), true},
};

static bool zeta_fn(gx_call *c, gx_value *out) {
    const int operands = gx_arg_some(c, 1) ? 2 : 1;
    gx_value r;
    if (!gx_sp_each(c, operands, &gx_sp_own_loops[operands == 2 ? HURWITZ : RIEMANN], &r))
        return false;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, r);
    gx_drop(r);
    return gx_np_give_spread(&s, a, 0, c->argc > 2 ? c->argv[2] : gx_none(), out);
}

/* Both operands become arrays first, so that Python's numbers are as wide as NumPy's. */
static bool polygamma_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_value r;
    if (!gx_sp_each(c, 2, &gx_sp_own_loops[POLYGAMMA], &r)) return gx_np_end(&s, false);
    gx_array *a = gx_np_arr(&s, r);
    gx_drop(r);
    return gx_np_give_array(&s, a, out);
}

static const gx_sp_row rows[] = {
    GX_SP_UFUNC(gammainc, "ff dd", 2, 1, gammainc_of, NULL),
    GX_SP_UFUNC(gammaincc, "ff dd", 2, 1, gammaincc_of, NULL),
    GX_SP_UFUNC(betainc, "fff ddd", 3, 1, betainc_of, NULL),
    GX_SP_UFUNC(ndtri, "f d", 1, 1, ndtri_of, NULL),
    GX_SP_UFUNC(erfcinv, "f d", 1, 1, erfcinv_of, NULL),
    GX_SP_UFUNC(k0, "f d", 1, 1, k0_of, NULL),
    GX_SP_UFUNC(k1, "f d", 1, 1, k1_of, NULL),
    GX_SP_UFUNC(ellipk, "f d", 1, 1, ellipk_of, NULL),
    {.name = NULL},
};

GX_SP_TABLE(more)

const gx_native gx_sp_more_functions[] = {
    {"zeta", "zeta(x, q=None, out=None)",
     "Riemann zeta function of x, or with q Hurwitz's: the sum of (k + q)**-x for k = 0, 1 …",
     "zeta(2).round(6)  # 1.644934", zeta_fn, 0, 0},
    {"polygamma", "polygamma(n, x)", "Polygamma function: the n-th derivative of digamma.",
     "polygamma(1, 1).round(6)  # 1.644934", polygamma_fn, 0, 0},
    GX_SP_ONE("gammainc", "a, x",
              "Regularized lower incomplete gamma function, from 0 at x = 0 to 1.",
              "(1, 1).round(6)  # 0.632121"),
    GX_SP_ONE("gammaincc", "a, x",
              "Regularized upper incomplete gamma function: 1 - gammainc(a, x).",
              "(1, 1).round(6)  # 0.367879"),
    GX_SP_ONE("betainc", "a, b, x",
              "Regularized incomplete beta function, from 0 at x = 0 to 1 at x = 1.",
              "(1, 1, 0.25).round(6)  # 0.25"),
    GX_SP_ONE("ndtri", "y", "Inverse of ndtr: quantiles of the standard normal distribution.",
              "(0.975).round(4)  # 1.96"),
    GX_SP_ONE("erfcinv", "y", "Inverse of the complementary error function.", "(1)  # 0.0"),
    GX_SP_ONE("k0", "x", "Modified Bessel function of the second kind, order 0.",
              "(1).round(6)  # 0.421024"),
    GX_SP_ONE("k1", "x", "Modified Bessel function of the second kind, order 1.",
              "(1).round(6)  # 0.601907"),
    GX_SP_ONE("ellipk", "m",
              "Complete elliptic integral of the first kind, of the parameter m = k**2.",
              "(0).round(6)  # 1.570796"),
    {.name = NULL},
};
