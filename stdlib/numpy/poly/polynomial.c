/* numpy.polynomial: the rows of its functions, alike for six families, and its classes and
   constants. The work is done by the texts stdlib/numpy/poly*.gx. */
#include "runtime/object/container/list.h"
#include "runtime/object/module.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"

extern const gx_native gx_np_powers_functions[], gx_np_cheb_functions[], gx_np_leg_functions[],
    gx_np_herm_functions[], gx_np_herme_functions[], gx_np_lag_functions[],
    gx_np_polyutils_functions[], gx_np_polynomial_functions[];
extern const gx_constant gx_np_polynomial_constants[], gx_np_powers_constants[],
    gx_np_cheb_constants[], gx_np_leg_constants[], gx_np_herm_constants[], gx_np_herme_constants[],
    gx_np_lag_constants[];

/* The text's function `call` is given the row's name and its arguments. */
static bool series_fn(gx_call *c, gx_value *out) {
    gx_value argv[2], args[16];
    for (int i = 0; i < c->argc && i < 16; i++)
        args[i] = c->argv[i].tag == GX_UNDEF ? gx_none() : c->argv[i];
    if (!gx_str_c(c->rt, c->fn->name, &argv[0])) return false;
    bool ok = gx_tuple_new(c->rt, c->argc, args, &argv[1]);
    if (ok) {
        ok = gx_library_pass(c, "numpy.polynomial", gx_library_text_numpy_polynomial, "call", 2,
                             argv, out);
        gx_drop(argv[1]);
    }
    gx_drop(argv[0]);
    return ok;
}

static bool utils_fn(gx_call *c, gx_value *out) {
    return gx_library_call(c, "numpy.polynomial.polyutils", gx_library_text_numpy_polyutils, out);
}

/* A name of the classes' text. */
static bool from_text(gx_rt *rt, const char *name, gx_value *out) {
    return gx_library_name(rt, "numpy.polynomial", gx_library_text_numpy_polynomial_class,
                           GX_NS_NUMPY, name, out);
}

static bool classes_fn(gx_call *c, gx_value *out) {
    gx_value fn;
    if (!from_text(c->rt, c->fn->name, &fn)) return false;
    bool ok = gx_call_value(c->rt, fn, c->argc, c->argv, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

/* clang-format off */
#define MAKE(name)                                                                                 \
    static bool make_##name(gx_rt *rt, gx_namespace ns, gx_value *out) {                           \
        (void)ns;                                                                                \
        return from_text(rt, #name, out);                                                          \
    }
#define MADE(n) {.name = #n, .kind = GX_CONST_MAKE, .make = make_##n}
#define MAKE_ALL(table, p, type)                                                                   \
    MAKE(p##domain) MAKE(p##zero) MAKE(p##one) MAKE(p##x) MAKE(type)                               \
    const gx_constant gx_np_##table##_constants[] = {MADE(p##domain), MADE(p##zero), MADE(p##one), \
                                                 MADE(p##x), MADE(type), {.name = NULL}};
MAKE_ALL(powers, poly, Polynomial)
MAKE_ALL(cheb, cheb, Chebyshev)
MAKE_ALL(leg, leg, Legendre)
MAKE_ALL(herm, herm, Hermite)
MAKE_ALL(herme, herme, HermiteE)
MAKE_ALL(lag, lag, Laguerre)

#define BELOW(n) {.name = n, .kind = GX_CONST_MODULE, .text = "~" n}
const gx_constant gx_np_polynomial_constants[] = {
    MADE(Polynomial), MADE(Chebyshev), MADE(Legendre), MADE(Hermite), MADE(HermiteE),
    MADE(Laguerre), BELOW("polynomial"), BELOW("chebyshev"), BELOW("legendre"), BELOW("hermite"),
    BELOW("hermite_e"), BELOW("laguerre"), BELOW("polyutils"), {.name = NULL},
};

#define ROW(p, m, name, args, doc, example)                                                        \
    {p name, p name args, doc, "np.polynomial." m "." p name example, series_fn, 0, 0}
#define FAMILY(p, m, most)                                                                         \
    ROW(p, m, "add", "(c1, c2)",                                                                   \
        "Sum of two series, coefficients with the lowest degree first.",                           \
        "([1, 2], [3])  # [4. 2.]"),                                                               \
    ROW(p, m, "sub", "(c1, c2)",                                                                   \
        "Difference of two series, coefficients with the lowest degree first.",                    \
        "([1, 2], [3])  # [-2.  2.]"),                                                             \
    ROW(p, m, "mulx", "(c)", "Coefficients of a series times x.", "([0])  # [0.]"),                \
    ROW(p, m, "mul", "(c1, c2)",                                                                   \
        "Product of two series, coefficients with the lowest degree first.",                       \
        "([1, 2], [3])  # [3. 6.]"),                                                               \
    ROW(p, m, "div", "(c1, c2)",                                                                   \
        "Quotient and remainder of two series, coefficients with the lowest degree first.",        \
        "([4, 2], [2])  # (array([2., 1.]), array([0.]))"),                                        \
    ROW(p, m, "pow", "(c, pow, maxpower=" most ")",                                                \
        "Coefficients of a series to a power, an integer from 0 to maxpower.",                     \
        "([2], 3)  # [8.]"),                                                                       \
    ROW(p, m, "val", "(x, c, tensor=True)",                                                        \
        "Values at x of the series with coefficients c, the lowest degree first.",                 \
        "(0.5, [3])  # 3.0"),                                                                      \
    ROW(p, m, "val2d", "(x, y, c)",                                                                \
        "Values of a series in two variables, coefficients c[i, j], at points (x, y).",            \
        "(0.5, 0.5, [[3]])  # 3.0"),                                                               \
    ROW(p, m, "val3d", "(x, y, z, c)",                                                             \
        "Values of a series in three variables, coefficients c[i, j, k], at points (x, y, z).",    \
        "(0.5, 0.5, 0.5, [[[3]]])  # 3.0"),                                                        \
    ROW(p, m, "grid2d", "(x, y, c)",                                                               \
        "Values of a series in two variables, coefficients c[i, j], on the grid of x and y.",      \
        "([1, 2], [5], [[3]]).tolist()  # [[3.0], [3.0]]"),                                        \
    ROW(p, m, "grid3d", "(x, y, z, c)",                                                            \
        "Values of a series in three variables, coefficients c[i, j, k], on the grid of x, y "     \
        "and z.",                                                                                  \
        "([1], [2], [5], [[[3]]]).tolist()  # [[[3.0]]]"),                                         \
    ROW(p, m, "der", "(c, m=1, scl=1, axis=0)",                                                    \
        "Coefficients of the m-th derivative of a series along an axis; each step multiplies "     \
        "by scl.",                                                                                 \
        "([3])  # [0.]"),                                                                          \
    ROW(p, m, "int", "(c, m=1, k=(), lbnd=0, scl=1, axis=0)",                                      \
        "Coefficients of the m-th integral of a series; k: integration constants, lbnd: "          \
        "lower bound.",                                                                            \
        "([0], k=2)  # [2.]"),                                                                     \
    ROW(p, m, "vander", "(x, deg)",                                                                \
        "Pseudo-Vandermonde matrix: the values at x of the polynomials of degree 0 to deg, "       \
        "as columns.",                                                                             \
        "([1, 2], 0).tolist()  # [[1.0], [1.0]]"),                                                 \
    ROW(p, m, "vander2d", "(x, y, deg)",                                                           \
        "Pseudo-Vandermonde matrix in two variables: the values at (x, y) of all products up "     \
        "to deg.",                                                                                 \
        "([1], [2], [0, 0]).tolist()  # [[1.0]]"),                                                 \
    ROW(p, m, "vander3d", "(x, y, z, deg)",                                                        \
        "Pseudo-Vandermonde matrix in three variables: the values at (x, y, z) of all "            \
        "products up to deg.",                                                                     \
        "([1], [2], [3], [0, 0, 0]).tolist()  # [[1.0]]"),                                         \
    ROW(p, m, "fit", "(x, y, deg, rcond=None, full=False, w=None)",                                \
        "Least-squares fit of a series of degree deg to points (x, y): deg + 1 coefficients.",     \
        "([0, 1], [2, 4], 0).round(6)  # [3.]"),                                                   \
    ROW(p, m, "companion", "(c)",                                                                  \
        "Companion matrix: its eigenvalues are the roots of the series.",                          \
        "([0, 1, 1]).shape  # (2, 2)"),                                                            \
    ROW(p, m, "roots", "(c)", "Roots of a series, sorted; complex if one is.", "([3])  # []"),     \
    ROW(p, m, "fromroots", "(roots)",                                                              \
        "Coefficients, lowest degree first, of the series with these roots.", "([])  # [1.]"),     \
    ROW(p, m, "line", "(off, scl)",                                                                \
        "Coefficients of the straight line off + scl * x.", "(3, 0)  # [3]"),                      \
    ROW(p, m, "trim", "(c, tol=0)",                                                                \
        "The coefficients without those at the end of magnitude at most tol; one at least is "     \
        "kept.",                                                                                   \
        "([1, 0, 0])  # [1.]")
#define ORTHOGONAL(p, m, one)                                                                      \
    FAMILY(p, m, "16"),                                                                            \
    ROW(p, m, "2poly", "(c)",                                                                      \
        "Converts the coefficients of a series to those of powers of x, lowest first.",            \
        "([3])  # [3.]"),                                                                          \
    {"poly2" p, "poly2" p "(pol)",                                                                 \
        "Converts coefficients of powers of x, lowest first, to those of the series.",             \
     "np.polynomial." m ".poly2" p "([3])  # [3.]", series_fn, 0, 0},                              \
    ROW(p, m, "gauss", "(deg)", "Nodes and weights of Gaussian quadrature with deg points.",       \
        "(1)[1].round(4)  # " one),                                                                \
    ROW(p, m, "weight", "(x)",                                                                     \
        "The weight function at x for which the polynomials are orthogonal.",                      \
        "(0.0)  # 1.0")

const gx_native gx_np_powers_functions[] = {
    FAMILY("poly", "polynomial", "None"),
    ROW("poly", "polynomial", "valfromroots", "(x, r, tensor=True)",
        "Values at x of the monic polynomial with roots r.", "(2, [1, 0])  # 2.0"),
    {.name = NULL},
};
const gx_native gx_np_cheb_functions[] = {
    ORTHOGONAL("cheb", "chebyshev", "[3.1416]"),
    ROW("cheb", "chebyshev", "pts1", "(npts)",
        "The npts Chebyshev points of the first kind, in ascending order.",
        "(1)  # [0.]"),
    ROW("cheb", "chebyshev", "pts2", "(npts)",
        "The npts Chebyshev points of the second kind, in ascending order; they include -1 "
        "and 1.",
        "(2)  # [-1.  1.]"),
    ROW("cheb", "chebyshev", "interpolate", "(func, deg, args=())",
        "Coefficients of the series of degree deg that equals func at the Chebyshev points.",
        "(lambda x: x, 1).round(6)  # [0. 1.]"),
    {.name = NULL},
};
const gx_native gx_np_leg_functions[] = {ORTHOGONAL("leg", "legendre", "[2.]"), {.name = NULL}};
const gx_native gx_np_herm_functions[] = {ORTHOGONAL("herm", "hermite", "[1.7725]"),
                                          {.name = NULL}};
const gx_native gx_np_herme_functions[] = {ORTHOGONAL("herme", "hermite_e", "[2.5066]"),
                                           {.name = NULL}};
const gx_native gx_np_lag_functions[] = {ORTHOGONAL("lag", "laguerre", "[1.]"), {.name = NULL}};
/* clang-format on */

#define UTIL(name, args, doc, example)                                                             \
    { name, name args, doc, "np.polynomial.polyutils." name example, utils_fn, 0, 0 }

const gx_native gx_np_polyutils_functions[] = {
    UTIL("trimseq", "(seq)", "A sequence without the zeros at its end.", "([1, 0])  # [1]"),
    UTIL("as_series", "(alist, trim=True)",
         "Coefficient lists as a list of 1-d arrays of one dtype, without trailing zeros if trim.",
         "([[1, 0]])  # [array([1.])]"),
    UTIL(
        "trimcoef", "(c, tol=0)",
        "The coefficients without those at the end of magnitude at most tol; one at least is kept.",
        "([1, 0])  # [1.]"),
    UTIL("getdomain", "(x)", "The interval that holds all x, as an array (least, greatest).",
         "([3, 1])  # [1. 3.]"),
    UTIL("mapdomain", "(x, old, new)", "Maps x linearly as the interval old is mapped to new.",
         "(1, [0, 2], [0, 4])  # 2.0"),
    UTIL("mapparms", "(old, new)",
         "Offset and scale of the linear map from one interval to another.",
         "([0, 2], [0, 4])  # (0.0, 2.0)"),
    {.name = NULL},
};

const gx_native gx_np_polynomial_functions[] = {
    {"set_default_printstyle", "set_default_printstyle(style)",
     "Sets how polynomials are printed: 'unicode' or 'ascii'.",
     "np.polynomial.set_default_printstyle('unicode')  # None", classes_fn, 0, 0},
    {.name = NULL},
};
