/* What scipy.special has beside the elementwise functions of its own in kernels/ops.def: second
   homes of NumPy's functions, and the normalised exponentials over axes. */
#include "stdlib/numpy/base/reduce.h"

extern const gx_native gx_sp_functions[];

/* The argument as floats. */
static gx_array *floats(gx_np *s, gx_borrowed v) {
    gx_array *a = gx_np_arr(s, v);
    return a && !gx_np_is_float(a->dtype) ? gx_np_cast(s, a, GX_f64) : a;
}

static gx_array *sum_of(gx_np *s, gx_array *a, uint64_t mask) {
    return a ? gx_np_reduce(s, GX_RED_sum, a, mask, true, (gx_dtype)a->dtype) : NULL;
}

/* The largest over the axes, and what is taken off before exp: that, or 0 where it is not finite.
 */
static gx_array *shift_of(gx_np *s, gx_array *a, uint64_t mask, gx_array **most) {
    *most = a ? gx_np_reduce(s, GX_RED_max, a, mask, true, GX_NO_DTYPE) : NULL;
    return *most ? gx_np_op3(s, GX_OP_where, gx_np_op1(s, GX_OP_isfinite, *most), *most,
                             gx_np_weak(s, (gx_dtype)a->dtype, 0))
                 : NULL;
}

/* log(sum(exp(a))): the largest elements are counted, the others added relative to them, so that a
   sum near 1 keeps its digits. */
static gx_array *log_sum(gx_np *s, gx_array *a, uint64_t mask) {
    gx_array *most, *shift = shift_of(s, a, mask, &most);
    if (!shift) return NULL;
    gx_dtype d = (gx_dtype)a->dtype;
    gx_array *top = gx_np_op2(s, GX_OP_equal, a, most);
    gx_array *rest = gx_np_op3(s, GX_OP_where, top, gx_np_weak(s, d, 0),
                               gx_np_op1(s, GX_OP_exp, gx_np_op2(s, GX_OP_subtract, a, shift)));
    gx_array *count =
        gx_np_op2(s, GX_OP_maximum, sum_of(s, gx_np_cast(s, top, d), mask), gx_np_weak(s, d, 1));
    gx_array *more = gx_np_op2(s, GX_OP_divide, sum_of(s, rest, mask), count);
    return gx_np_op2(
        s, GX_OP_add,
        gx_np_op2(s, GX_OP_add, gx_np_op1(s, GX_OP_log1p, more), gx_np_op1(s, GX_OP_log, count)),
        most);
}

/* The same with weights b. */
static gx_array *log_weighted(gx_np *s, gx_array *a, gx_array *b, uint64_t mask) {
    gx_array *most, *shift = shift_of(s, a, mask, &most);
    gx_array *e = gx_np_op1(s, GX_OP_exp, gx_np_op2(s, GX_OP_subtract, a, shift));
    gx_array *sum = sum_of(s, gx_np_op2(s, GX_OP_multiply, b, e), mask);
    return gx_np_op2(s, GX_OP_add, gx_np_op1(s, GX_OP_log, sum), shift);
}

static bool real_only(gx_call *c, const gx_array *a) {
    return gx_dtype_kind(a->dtype) != GX_KIND_CPLX ||
           gx_fail(c->rt, GX_TypeError, "special.complex", "%s takes real input; got %s",
                   c->fn->name, gx_dtypes[a->dtype].name);
}

static bool logsumexp_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = floats(&s, c->argv[0]), *r, *b = NULL;
    uint64_t mask;
    bool keep = false;
    if (a && gx_arg_some(c, 2)) {
        /* a and b are broadcast together before axes are counted. */
        b = floats(&s, c->argv[2]);
        a = b ? gx_np_op2(&s, GX_OP_add, a,
                          gx_np_op2(&s, GX_OP_multiply, b, gx_np_weak(&s, GX_f64, 0)))
              : NULL;
    }
    const int64_t one = 1;
    if (a && a->ndim == 0) a = gx_np_reshape(&s, a, 1, &one);
    if (!a || !real_only(c, a) || !gx_np_axes_arg(c, 1, a->ndim, &mask) ||
        (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &keep)))
        return gx_np_end(&s, false);
    if (!a->count) {
        r = gx_np_reduce(&s, GX_RED_sum, a, mask, true, (gx_dtype)a->dtype);
        r = gx_np_op1(&s, GX_OP_log, r);
    } else {
        r = b ? log_weighted(&s, a, b, mask) : log_sum(&s, a, mask);
    }
    return gx_np_give(&s, keep ? r : gx_np_squeeze(&s, r, mask), out);
}

/* Differences of integers are integers, and their exponentials as wide as NumPy's. */
static bool normalised(gx_call *c, bool log, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *most;
    uint64_t mask;
    if (!a) return gx_np_end(&s, false);
    gx_dtype given = (gx_dtype)a->dtype, wide = GX_f64;
    if (gx_dtype_kind(given) == GX_KIND_BOOL)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "special.bool",
                                     "%s takes numbers; bools have no differences", c->fn->name));
    if (given == GX_i8 || given == GX_u8) wide = GX_f16;
    if (given == GX_i16 || given == GX_u16) wide = GX_f32;
    if (!gx_np_is_float(given)) a = gx_np_cast(&s, a, GX_f64);
    if (!a || !real_only(c, a) || !gx_np_axes_arg(c, 1, a->ndim, &mask))
        return gx_np_end(&s, false);
    gx_array *shift = shift_of(&s, a, mask, &most);
    gx_array *x = gx_np_op2(&s, GX_OP_subtract, a, log ? shift : most);
    gx_array *e = gx_np_op1(&s, GX_OP_exp, x), *sum = sum_of(&s, e, mask);
    x = log ? gx_np_op2(&s, GX_OP_subtract, x, gx_np_op1(&s, GX_OP_log, sum))
            : gx_np_op2(&s, GX_OP_divide, e, sum);
    return gx_np_give(&s, gx_np_is_float(given) ? x : gx_np_cast(&s, x, wide), out);
}

static bool softmax_fn(gx_call *c, gx_value *out) {
    return normalised(c, false, out);
}
static bool log_softmax_fn(gx_call *c, gx_value *out) {
    return normalised(c, true, out);
}

/* SciPy's loops are of 32 and 64 bits: smaller numbers become float32 first. */
static bool wide_call(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_borrowed argv[6];
    gx_call inner = *c;
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a) return gx_np_end(&s, false);
    gx_dtype d = (gx_dtype)a->dtype;
    bool both = c->fn->op == GX_OP_expm1 || c->fn->op == GX_OP_log1p;
    if (!both && gx_dtype_kind(d) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "special.complex",
                                     "%s is not defined for complex numbers here", c->fn->name));
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    if (d != GX_f32 && gx_can_cast(d, GX_f32, GX_CAST_SAFE)) {
        if (!(a = gx_np_cast(&s, a, GX_f32))) return gx_np_end(&s, false);
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
    {                                                                                              \
#name,                                                                                     \
            #name "(x, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None)",   \
            doc, #name example, wide_call, 0, GX_OP_##name                                        \
    }
const gx_native gx_sp_functions[] = {
    UFUNC(exp2, "2 to the power x.", "([3, -1])  # [8.  0.5]"),
    UFUNC(expm1, "exp(x) - 1, accurate near zero.", "(1e-10)  # 1.00000000005e-10"),
    UFUNC(log1p, "log(1 + x), accurate near zero.", "(1e-10)  # 9.999999999500001e-11"),
    UFUNC(cbrt, "Cube root of x.", "([27, -8])  # [ 3. -2.]"),
    {"sinc", "sinc(x)", "sin(pi x) / (pi x), 1 at zero.",
     "sinc([0, 0.5])  # [1.         0.63661977]", sinc_fn, 0, 0},
    {"logsumexp", "logsumexp(a, axis=None, b=None, keepdims=False)",
     "log(sum(b * exp(a))) without overflow.", "logsumexp([1000.0, 1000.0])  # 1000.6931471805599",
     logsumexp_fn, 0, 0},
    {"softmax", "softmax(x, axis=None)", "exp(x) / sum(exp(x)).",
     "softmax([0.0, 1.0])  # [0.26894142 0.73105858]", softmax_fn, 0, 0},
    {"log_softmax", "log_softmax(x, axis=None)", "Logarithm of softmax.",
     "log_softmax([0.0, 1000.0])  # [-1000.     0.]", log_softmax_fn, 0, 0},
    {.name = NULL},
};
