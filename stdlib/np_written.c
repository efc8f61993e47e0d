/* Functions of numpy that are written in gx (stdlib/written/): numpy.emath, nditer, einsum_path. */
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_np_written_functions[], gx_np_emath_functions[];

static bool emath_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "numpy.emath", gx_written_text_numpy_emath, out);
}

static bool nditer_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "numpy.nditer", gx_written_text_numpy_nditer, out);
}

static bool einsum_path_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "numpy.einsum_path", gx_written_text_numpy_einsum_path, out);
}

const gx_native gx_np_written_functions[] = {
    {"einsum_path", "einsum_path(subscripts, /, *operands, optimize='greedy')",
     "In which order to contract the operands of einsum, as a list and as a text with its costs.",
     "np.einsum_path('ij,jk', [[1]], [[2]])[0]  # ['einsum_path', (0, 1)]", einsum_path_fn, 0, 0},
    {"nditer",
     "nditer(op, flags=None, op_flags=None, op_dtypes=None, order='K', casting='safe', "
     "op_axes=None, "
     "itershape=None, buffersize=0)",
     "An iterator over arrays together, element by element, in the order of memory; stores go "
     "through "
     "with op_flags=['readwrite'].",
     "[int(x) for x in np.nditer(np.arange(4).reshape(2, 2).T)]  # [0, 1, 2, 3]", nditer_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_emath_functions[] = {
    {"sqrt", "sqrt(x)", "The square root, complex where a number is negative.",
     "np.emath.sqrt(-4)  # 2j", emath_fn, 0, 0},
    {"log", "log(x)", "The natural logarithm, complex where a number is negative.",
     "np.emath.log(-1).imag.round(4)  # 3.1416", emath_fn, 0, 0},
    {"log2", "log2(x)", "The logarithm of base 2, complex where a number is negative.",
     "np.emath.log2(8)  # 3.0", emath_fn, 0, 0},
    {"log10", "log10(x)", "The logarithm of base 10, complex where a number is negative.",
     "np.emath.log10(100)  # 2.0", emath_fn, 0, 0},
    {"logn", "logn(n, x)", "The logarithm of base n, complex where a number is negative.",
     "np.emath.logn(2, 8).round(6)  # 3.0", emath_fn, 0, 0},
    {"power", "power(x, p)", "x to the power of p: complex for negative x, a float for negative p.",
     "np.emath.power([2, 4], -1)  # [0.5  0.25]", emath_fn, 0, 0},
    {"arccos", "arccos(x)", "The inverse cosine, complex beyond 1.", "np.emath.arccos(1)  # 0.0",
     emath_fn, 0, 0},
    {"arcsin", "arcsin(x)", "The inverse sine, complex beyond 1.", "np.emath.arcsin(0)  # 0.0",
     emath_fn, 0, 0},
    {"arctanh", "arctanh(x)", "The inverse hyperbolic tangent, complex beyond 1.",
     "np.emath.arctanh(0)  # 0.0", emath_fn, 0, 0},
    {.name = NULL},
};
