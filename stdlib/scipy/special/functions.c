/* What scipy.special has beside the elementwise functions of its own in kernels/ops.def: second
   homes of NumPy's functions. */
#include "runtime/op/ufunc.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/scipy/special/special_int.h"

extern const gx_native gx_sp_functions[];

/* The argument as floats. */
static gx_array *floats(gx_np *s, gx_borrowed v) {
    gx_array *a = gx_np_arr(s, v);
    return a && !gx_np_is_float(a->dtype) ? gx_np_cast(s, a, GX_f64) : a;
}

const char *gx_sp_wide_types(const gx_native *fn) {
    return fn->op == GX_OP_expm1 || fn->op == GX_OP_log1p ? "f d F D" : "f d";
}

gx_array *gx_sp_wider(gx_call *c, gx_np *s, gx_array *a, gx_dtype d) {
    gx_casting casting;
    return gx_casting_of(c->rt, c->argv[3], &casting) &&
                   gx_ufunc_may_cast(c->rt, c->fn->name, (gx_dtype)a->dtype, d, casting, "input")
               ? gx_np_cast(s, a, d)
               : NULL;
}

/* SciPy's loops are of 32 and 64 bits: smaller numbers become float32 first. */
bool gx_sp_wide_call(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_borrowed argv[8];
    gx_call inner = *c;
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_dtype asked;
    if (!a || !gx_np_dtype_arg(c, 5, &asked)) return gx_np_end(&s, false);
    if (asked != GX_NO_DTYPE && !strchr(gx_sp_wide_types(c->fn), gx_dtypes[asked].letter))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "dtype.signature",
                                     "No loop matching the specified signature and casting was "
                                     "found for ufunc %s: it has those of %s",
                                     c->fn->name, gx_sp_wide_types(c->fn)));
    gx_dtype d = (gx_dtype)a->dtype;
    if (!strchr(gx_sp_wide_types(c->fn), 'F') && gx_dtype_kind(d) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "special.complex",
                                     "%s is not defined for complex numbers here", c->fn->name));
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    if (d != GX_f32 && gx_can_cast(d, GX_f32, GX_CAST_SAFE)) {
        if (!(a = gx_sp_wider(c, &s, a, GX_f32))) return gx_np_end(&s, false);
        argv[0] = gx_array_value(a);
    }
    inner.argv = argv;
    return gx_np_end(&s, gx_op_call(&inner, out));
}

/* sin(pi x) / (pi x), 1 at zero, of complex numbers too. */
static bool sinc_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = floats(&s, c->argv[0]);
    if (!x || gx_dtype_kind(x->dtype) != GX_KIND_CPLX)
        return gx_np_give(&s, gx_np_op1(&s, GX_OP_sinc, x), out);
    gx_array *zero = gx_np_op2(&s, GX_OP_equal, x, gx_np_weak(&s, (gx_dtype)x->dtype, 0));
    gx_array *one = gx_np_weak(&s, (gx_dtype)x->dtype, 1);
    gx_array *y = gx_np_op2(&s, GX_OP_multiply, gx_np_op3(&s, GX_OP_where, zero, one, x),
                            gx_np_weak(&s, (gx_dtype)x->dtype, 3.14159265358979323846));
    y = gx_np_op2(&s, GX_OP_divide, gx_np_op1(&s, GX_OP_sin, y), y);
    return gx_np_give(&s, gx_np_op3(&s, GX_OP_where, zero, one, y), out);
}

#define UFUNC(name, doc, example)                                                                  \
    {#name, #name "(x" GX_NP_OUT, doc, #name example, gx_sp_wide_call, 0, GX_OP_##name}
const gx_native gx_sp_functions[] = {
    UFUNC(exp2, "2 to the power x.", "([3, -1])  # [8.  0.5]"),
    UFUNC(expm1, "exp(x) - 1, accurate near zero.", "(1e-10)  # 1.00000000005e-10"),
    UFUNC(log1p, "log(1 + x), accurate near zero.", "(1e-10)  # 9.999999999500001e-11"),
    UFUNC(cbrt, "Cube root of x.", "([27, -8])  # [ 3. -2.]"),
    {"sinc", "sinc(x)", "sin(pi x) / (pi x), 1 at zero.",
     "sinc([0, 0.5])  # [1.         0.63661977]", sinc_fn, 0, 0},
    {.name = NULL},
};
