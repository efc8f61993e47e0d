/* Ufuncs that are no row of ops.def: divmod, modf and frexp, which give two results, with out=,
   where=, dtype= and casting= for each; isnat; and what these and the products with a signature
   (matmul, vecdot, matvec, vecmat) say of themselves. Their reduce, accumulate and at are refused
   here; those of functions of scipy.special are written in gx (stdlib/numpy/extras.gx). */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/op/ufunc.h"
#include "runtime/op/whole.h"
#include "stdlib/common.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/results.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

extern const gx_native gx_np_ufunc_two_functions[];

static const gx_np_ufunc_special specials[] = {
    {"divmod", 2, 2, NULL, NULL, NULL},
    {"modf", 1, 2, NULL, NULL, NULL},
    {"frexp", 1, 2, NULL, NULL, NULL},
    {"isnat", 1, 1, NULL, NULL, "Mm"},
    {"matmul", 2, 1, "(n?,k),(k,m?)->(n?,m?)", NULL, NULL},
    {"matvec", 2, 1, "(m,n),(n)->(m)", NULL, NULL},
    {"vecdot", 2, 1, "(n),(n)->()", NULL, NULL},
    {"vecmat", 2, 1, "(n),(n,m)->(m)", NULL, NULL},
};

bool gx_np_ufunc_special_of(const gx_native *fn, gx_np_ufunc_special *out) {
    if (fn->op) return false;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (strcmp(specials[i].name, fn->name) != 0) continue;
        *out = specials[i];
        return true;
    }
    *out = (gx_np_ufunc_special){.name = fn->name};
    out->types = gx_sp_types(fn, &out->nin, &out->nout);
    return out->types != NULL;
}

bool gx_np_ufunc_refused(gx_call *c) {
    gx_np_ufunc_special special, *u = &special;
    const char *method = c->fn->name;
    if (!gx_np_ufunc_special_of(c->argv[0].native, u)) return false;
    if (strcmp(method, "outer") == 0) {
        if (!u->signature && u->nin == 2) return false;
        if (u->signature)
            return !gx_fail(c->rt, GX_TypeError, "ufunc.signature",
                            "method outer is not allowed in ufunc with non-trivial signature");
        return !gx_fail(c->rt, GX_ValueError, "ufunc.binary",
                        "outer product only supported for binary functions");
    }
    if (strcmp(method, "at") == 0) {
        if (u->signature)
            return !gx_fail(c->rt, GX_TypeError, "ufunc.signature",
                            "%s.at does not support ufunc with non-trivial signature: %s has "
                            "signature %s.",
                            u->name, u->name, u->signature);
        if (u->truths)
            return !gx_fail(c->rt, GX_TypeError, "dtype.signature",
                            "Cannot cast ufunc '%s' output from dtype('bool'): it is no time",
                            u->name);
        if (u->nout > 1)
            return !gx_fail(c->rt, GX_ValueError, "ufunc.at",
                            "Only single output ufuncs supported at this time");
        return false;
    }
    if (u->signature)
        return !gx_fail(c->rt, GX_RuntimeError, "ufunc.signature",
                        "Reduction not defined on ufunc with signature");
    if (u->nin == 2 && u->nout == 1) return false;
    return !gx_fail(c->rt, GX_ValueError, "ufunc.binary", "%s only supported for %s", method,
                    u->nin == 2 ? "functions returning a single value" : "binary functions");
}

static bool is_complex(gx_call *c, int i) {
    gx_array *a;
    const gx_borrowed v = c->argv[i];
    const char *param = gx_native_param(c->rt, c->fn, i);
    gx_dtype d = GX_NO_DTYPE;
    if (!gx_arg_some(c, i)) return false;
    if (param && strcmp(param, "dtype") == 0) {
        if (!gx_np_dtype_arg(c, i, &d)) gx_error_clear(c->rt); /* is told where it is read */
    } else if (v.tag == GX_ARRAY) {
        d = (gx_dtype)gx_as_array(v)->dtype;
    } else if (param && (strcmp(param, "a") == 0 || strcmp(param, "array") == 0 ||
                         strcmp(param, "b") == 0)) {
        if (gx_asarray(c->rt, v, GX_NO_DTYPE, c->ns, false, &a)) {
            d = (gx_dtype)a->dtype;
            gx_array_drop(a);
        } else {
            gx_error_clear(c->rt);
        }
    }
    return d != GX_NO_DTYPE && gx_dtype_kind(d) == GX_KIND_CPLX;
}

/* Is a method of an operation called that has no complex loop, but a function beside it that has?
   Methods but at are for two operands. */
static bool is_beyond_op(gx_call *c, const gx_native *fn, int argc) {
    if (gx_ops[fn->op].arity != 2 && strcmp(c->fn->name, "at") != 0) return false;
    for (int i = 1; i < argc; i++)
        if (is_complex(c, i)) return true;
    return false;
}

bool gx_np_ufunc_in_text(gx_call *c, const char *function, int argc, gx_value *out, bool *ok) {
    const gx_native *fn = c->argv[0].native;
    gx_borrowed argv[8];
    int nin, nout;
    if (!gx_sp_types(fn, &nin, &nout)) return false;
    if (fn->op && !is_beyond_op(c, fn, argc)) return false;
    for (int i = 0; i < argc; i++) argv[i] = gx_arg_given(c, i) ? c->argv[i] : gx_none();
    *ok = gx_library_pass(c, "numpy.extras", gx_library_text_numpy_extras, function, argc, argv,
                          out);
    return true;
}

/* "dd->dd": the loop of a dtype, or nothing. */
void gx_np_ufunc_special_loop(const gx_np_ufunc_special *u, gx_dtype d, char text[8]) {
    gx_dtype compute = d, result = d;
    const char x = gx_dtypes[d].letter;
    text[0] = 0;
    if (u->types || u->truths) return;
    if (!u->signature) {
        gx_opcode op = u->nin == 2 ? GX_OP_remainder : GX_OP_trunc;
        if (u->nin == 1 && gx_dtype_kind(d) != GX_KIND_FLOAT) return;
        if (!gx_op_dtypes(op, d, &compute, &result) || compute != d) return;
    }
    int n = 0;
    for (int i = 0; i < u->nin; i++) text[n++] = x;
    text[n++] = '-';
    text[n++] = '>';
    text[n++] = x;
    if (u->nout == 2) text[n++] = strcmp(u->name, "frexp") == 0 ? 'i' : x;
    text[n] = 0;
}

/* --- the call of a function with two results --- */

typedef struct two_call {
    gx_np s;
    gx_call *c;
    gx_np_results r;
} two_call;

static bool begin(two_call *t, gx_call *c, int nin) {
    *t = (two_call){.s = gx_np_begin(c), .c = c};
    return gx_np_results_read(&t->r, &t->s, c, nin, 2);
}

static bool no_loop(const two_call *t, gx_dtype d) {
    if (d == GX_NO_DTYPE)
        return gx_fail(t->c->rt, GX_TypeError, "ufunc.dtype",
                       "ufunc '%s' not supported for the input types, and the inputs could not be "
                       "safely coerced to any supported types according to the casting rule "
                       "''safe''",
                       t->c->fn->name);
    return gx_fail(t->c->rt, GX_TypeError, "dtype.signature",
                   "No loop matching the specified signature and casting was found for ufunc %s",
                   t->c->fn->name);
}

static bool give_two(two_call *t, gx_array *a, gx_array *b, gx_value *out) {
    gx_array *const both[2] = {a, b};
    return gx_np_results_give(&t->r, both, out);
}

/* --- modf and frexp --- */

static bool may_become(const two_call *t, const gx_array *x, gx_dtype d) {
    return gx_ufunc_may_cast(t->c->rt, t->c->fn->name, (gx_dtype)x->dtype, d, t->r.casting,
                             "input");
}

/* x in the float dtype that it is taken apart in. */
static gx_array *as_float(two_call *t) {
    gx_array *x = gx_np_arr(&t->s, t->c->argv[0]);
    gx_dtype compute, result;
    if (!x) return NULL;
    if (gx_dtype_kind(x->dtype) == GX_KIND_CPLX) {
        (void)no_loop(t, GX_NO_DTYPE);
        return NULL;
    }
    if (t->r.dtype == GX_NO_DTYPE) {
        if (!gx_op_dtypes(GX_OP_sqrt, (gx_dtype)x->dtype, &compute, &result)) return NULL;
        return may_become(t, x, compute) ? gx_np_cast(&t->s, x, compute) : NULL;
    }
    if (gx_dtype_kind(t->r.dtype) != GX_KIND_FLOAT || t->c->fn->name[0] == 'f') {
        (void)no_loop(t, t->r.dtype);
        return NULL;
    }
    return may_become(t, x, t->r.dtype) ? gx_np_cast(&t->s, x, t->r.dtype) : NULL;
}

static bool modf_fn(gx_call *c, gx_value *out) {
    two_call t;
    if (!begin(&t, c, 1)) return gx_np_end(&t.s, false);
    gx_np *s = &t.s;
    gx_array *x = as_float(&t);
    gx_array *whole = gx_np_op1(s, GX_OP_trunc, x);
    gx_array *infinite = gx_np_op1(s, GX_OP_isinf, x);
    gx_array *safe = gx_np_op3(s, GX_OP_where, infinite,
                               x ? gx_np_cast(s, gx_np_f64(s, 0), (gx_dtype)x->dtype) : NULL, x);
    gx_array *part = gx_np_op2(s, GX_OP_subtract, safe, gx_np_op1(s, GX_OP_trunc, safe));
    return give_two(&t, gx_np_op2(s, GX_OP_copysign, part, x), whole, out);
}

/* Numbers are taken apart in place, by their bits: a block of normal numbers by vectors. */
enum { APART = 64 };
#define TAKE_APART(T, U, name, FRACTION, BIAS)                                                     \
    static void take_apart_##name(T *x, int32_t *power, int64_t n) {                               \
        const U all = 2 * (BIAS) + 1;                                                              \
        U bits[APART];                                                                             \
        for (int64_t i = 0; i < n; i += APART, x += APART, power += APART) {                       \
            int odd = n - i < APART;                                                               \
            if (!odd) {                                                                            \
                memcpy(bits, x, sizeof bits);                                                      \
                for (int k = 0; k < APART; k++)                                                    \
                    odd |= (bits[k] >> (FRACTION) & all) - 1 >= all - 1;                           \
            }                                                                                      \
            if (odd) {                                                                             \
                for (int64_t k = 0; k < APART && i + k < n; k++) {                                 \
                    int p = 0;                                                                     \
                    x[k] = (T)frexp(x[k], &p);                                                     \
                    power[k] = isfinite(x[k]) ? p : 0;                                             \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            for (int k = 0; k < APART; k++) {                                                      \
                power[k] = (int32_t)(bits[k] >> (FRACTION) & all) - ((BIAS)-1);                    \
                bits[k] = (bits[k] & ~(all << (FRACTION))) | (U)((BIAS)-1) << (FRACTION);          \
            }                                                                                      \
            memcpy(x, bits, sizeof bits);                                                          \
        }                                                                                          \
    }
TAKE_APART(float, uint32_t, f32, 23, 127)
TAKE_APART(double, uint64_t, f64, 52, 1023)

/* The same bits as another dtype. */
static gx_array *seen_as(gx_np *s, gx_array *a, gx_dtype d) {
    gx_array *r = NULL;
    a = gx_np_contiguous(s, a);
    return a && gx_array_view(s->rt, a, d, a->ndim, gx_shape(a), gx_strides(a), a->offset, &r)
               ? gx_np_own(s, r)
               : NULL;
}

/* Floats of 4 or 8 bytes on a GPU, by operations there: those below the normal ones are made 2^54
   times as large first, and 0, infinities and nan stay what they are. */
static bool apart_there(gx_np *s, gx_array *x, gx_array **mantissa, gx_array **power) {
    const bool wide = x->dtype == GX_f64;
    const gx_dtype d = (gx_dtype)x->dtype, u = wide ? GX_u64 : GX_u32;
    const int64_t fraction = wide ? 52 : 23, bias = wide ? 1023 : 127;
    gx_array *none = gx_np_weak(s, d, 0), *least = gx_np_weak(s, d, wide ? 0x1p-1022 : 0x1p-126);
    gx_array *small = gx_np_op2(s, GX_OP_less, gx_np_op1(s, GX_OP_absolute, x), least);
    gx_array *large = gx_np_op2(s, GX_OP_multiply, gx_np_op3(s, GX_OP_where, small, x, none),
                                gx_np_weak(s, d, 0x1p54));
    gx_array *bits = seen_as(s, gx_np_op3(s, GX_OP_where, small, large, x), u);
    gx_array *at = gx_np_weak_int(s, u, fraction), *all = gx_np_weak_int(s, u, 2 * bias + 1);
    gx_array *e = gx_np_op2(s, GX_OP_bitwise_and, gx_np_op2(s, GX_OP_right_shift, bits, at), all);
    gx_array *kept = gx_np_op2(s, GX_OP_bitwise_and, bits,
                               gx_np_op1(s, GX_OP_invert, gx_np_op2(s, GX_OP_left_shift, all, at)));
    gx_array *half = gx_np_op2(s, GX_OP_left_shift, gx_np_weak_int(s, u, bias - 1), at);
    gx_array *m = seen_as(s, gx_np_op2(s, GX_OP_bitwise_or, kept, half), d);
    gx_array *plain = gx_np_op2(s, GX_OP_logical_and, gx_np_op1(s, GX_OP_isfinite, x),
                                gx_np_op2(s, GX_OP_not_equal, x, none));
    e = e ? gx_np_op2(s, GX_OP_subtract, gx_np_cast(s, e, GX_i32),
                      gx_np_op3(s, GX_OP_where, small, gx_np_weak_int(s, GX_i32, bias - 1 + 54),
                                gx_np_weak_int(s, GX_i32, bias - 1)))
          : NULL;
    *mantissa = gx_np_op3(s, GX_OP_where, plain, m, x);
    *power = gx_np_op3(s, GX_OP_where, plain, e, gx_np_weak_int(s, GX_i32, 0));
    return *mantissa && *power;
}

static bool frexp_fn(gx_call *c, gx_value *out) {
    two_call t;
    if (!begin(&t, c, 1)) return gx_np_end(&t.s, false);
    gx_array *x = as_float(&t);
    if (!x) return gx_np_end(&t.s, false);
    gx_dtype d = (gx_dtype)x->dtype;
    if (gx_array_is_away(c->rt, x)) {
        gx_array *part, *power;
        if (!apart_there(&t.s, gx_np_cast(&t.s, x, d == GX_f64 ? GX_f64 : GX_f32), &part, &power))
            return gx_np_end(&t.s, false);
        return give_two(&t, gx_np_laid_like(&t.s, gx_np_cast(&t.s, part, d), x),
                        gx_np_laid_like(&t.s, power, x), out);
    }
    gx_array *m = gx_np_fresh(&t.s, x, d == GX_f64 ? GX_f64 : GX_f32);
    gx_array *e = gx_np_empty(&t.s, GX_i32, x->ndim, gx_shape(x));
    void *from = gx_np_data_write(&t.s, m);
    int32_t *to = gx_np_data_write(&t.s, e);
    if (!from || !to) return gx_np_end(&t.s, false);
    if (d == GX_f64) take_apart_f64(from, to, x->count);
    else take_apart_f32(from, to, x->count);
    return give_two(&t, gx_np_laid_like(&t.s, gx_np_cast(&t.s, m, d), x),
                    gx_np_laid_like(&t.s, e, x), out);
}

/* --- divmod --- */

/* One of the two operations on the operands as they came: Python's numbers stay weak. */
static gx_array *divided(two_call *t, gx_opcode op) {
    gx_op_options o = {.ns = t->c->ns,
                       .dtype = t->r.dtype,
                       .casting = t->r.casting,
                       .has_dtype = t->r.dtype != GX_NO_DTYPE,
                       .has_casting = t->r.casting != GX_CAST_SAME_KIND};
    gx_value v;
    if (!gx_op(t->c->rt, op, t->c->argv, &o, &v) || !gx_np_hold(&t->s, v)) return NULL;
    return gx_np_arr(&t->s, v);
}

/* Complex numbers have no remainder: said of divmod, not of what it is made of. */
static bool divisible(two_call *t) {
    gx_dtype common, compute, result;
    for (int k = 0; k < 2; k++)
        if (gx_operand_kind(t->c->argv[k]) == GX_OPERAND_NONE &&
            gx_sequence_items(t->c->argv[k], &(const gx_value *){NULL}) < 0)
            return true; /* said by the operation itself */
    if (!gx_np_result_type(t->c->rt, 2, t->c->argv, &common)) return false;
    if (t->r.dtype == GX_NO_DTYPE)
        return gx_op_dtypes(GX_OP_remainder, common, &compute, &result) || no_loop(t, GX_NO_DTYPE);
    return (gx_op_dtypes(GX_OP_remainder, t->r.dtype, &compute, &result) && result == t->r.dtype) ||
           no_loop(t, t->r.dtype);
}

static bool divmod_fn(gx_call *c, gx_value *out) {
    two_call t;
    if (!begin(&t, c, 2) || !divisible(&t)) return gx_np_end(&t.s, false);
    gx_array *q = divided(&t, GX_OP_floor_divide);
    return give_two(&t, q, q ? divided(&t, GX_OP_remainder) : NULL, out);
}

/* --- isnat --- */

/* isnan of times, and of nothing else. */
static bool isnat_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a;
    gx_borrowed argv[8];
    gx_call inner = *c;
    if (!gx_asarray(c->rt, c->argv[0], GX_NO_DTYPE, c->ns, false, &a)) return gx_np_end(&s, false);
    a = gx_np_own(&s, a);
    if (!gx_of_family(a->dtype, GX_FAMILY_DATE) && !gx_of_family(a->dtype, GX_FAMILY_SPAN))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "date.operands",
                                     "ufunc 'isnat' is only defined for np.datetime64 and "
                                     "np.timedelta64."));
    memcpy(argv, c->argv, (size_t)c->argc * sizeof *argv);
    argv[0] = gx_np_value(a);
    inner.argv = argv;
    inner.fn = gx_op_native(c->rt, GX_OP_isnan);
    gx_value v;
    if (!gx_op_call(&inner, &v)) return gx_np_end(&s, false);
    if (gx_is_array(v) && c->argv[1].tag == GX_NONE && gx_np_hold(&s, v))
        return gx_np_give_array(&s, gx_np_laid_like(&s, gx_as_array(v), a), out);
    *out = v;
    return gx_np_end(&s, true);
}

const gx_native gx_np_ufunc_two_functions[] = {
    {"isnat", "isnat(x" GX_NP_OUT, "Where a datetime64 or timedelta64 element is NaT (not a time).",
     "isnat(array(['2016-01-01', 'NaT'], dtype='datetime64[D]'))  # [False  True]", isnat_fn,
     GX_NATIVE_UFUNC, 0},
    {"divmod", "divmod(x1, x2" GX_NP_OUT_2, "The pair (x1 // x2, x1 % x2), element by element.",
     "divmod([7, -7], 2)  # (array([ 3, -4]), array([1, 1]))", divmod_fn, GX_NATIVE_UFUNC, 0},
    {"modf", "modf(x" GX_NP_OUT_2,
     "Splits x into fraction and whole part, both with the sign of x.",
     "modf([1.5])  # (array([0.5]), array([1.]))", modf_fn, GX_NATIVE_UFUNC, 0},
    {"frexp", "frexp(x" GX_NP_OUT_2,
     "Splits x into mantissa (0.5 <= |m| < 1) and exponent e (int32) with x = m * 2**e.",
     "frexp([8.0])  # (array([0.5]), array([4], dtype=int32))", frexp_fn, GX_NATIVE_UFUNC, 0},
    {.name = NULL},
};
