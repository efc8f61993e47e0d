/* Ufuncs that are no row of ops.def: divmod, modf and frexp, which give two results, with out=,
   where=, dtype= and casting= for each; and what these and the products with a signature (matmul,
   vecdot, matvec, vecmat) say of themselves. Their reduce, accumulate and at are refused here. */
#include <math.h>
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

extern const gx_native gx_np_ufunc_two_functions[];

static const gx_np_ufunc_special specials[] = {
    {"divmod", 2, 2, NULL},
    {"modf", 1, 2, NULL},
    {"frexp", 1, 2, NULL},
    {"matmul", 2, 1, "(n?,k),(k,m?)->(n?,m?)"},
    {"matvec", 2, 1, "(m,n),(n)->(m)"},
    {"vecdot", 2, 1, "(n),(n)->()"},
    {"vecmat", 2, 1, "(n),(n,m)->(m)"},
};

const gx_np_ufunc_special *gx_np_ufunc_special_of(const gx_native *fn) {
    if (fn->op) return NULL;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (strcmp(specials[i].name, fn->name) == 0) return &specials[i];
    return NULL;
}

bool gx_np_ufunc_refused(gx_call *c) {
    const gx_np_ufunc_special *u = gx_np_ufunc_special_of(c->argv[0].native);
    const char *method = c->fn->name;
    if (!u) return false;
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
        return !gx_fail(c->rt, GX_ValueError, "ufunc.at",
                        "Only single output ufuncs supported at this time");
    }
    if (u->signature)
        return !gx_fail(c->rt, GX_RuntimeError, "ufunc.signature",
                        "Reduction not defined on ufunc with signature");
    return !gx_fail(c->rt, GX_ValueError, "ufunc.binary", "%s only supported for %s", method,
                    u->nin == 2 ? "functions returning a single value" : "binary functions");
}

/* "dd->dd": the loop of a dtype, or nothing. */
void gx_np_ufunc_special_loop(const gx_np_ufunc_special *u, gx_dtype d, char text[8]) {
    gx_dtype compute = d, result = d;
    const char x = gx_dtypes[d].letter;
    text[0] = 0;
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
    int nin;
    gx_array *outs[2], *where;
    char order; /* of new results */
    gx_casting casting;
    bool has_casting, keeps; /* keeps: results are arrays, out=... */
    gx_dtype dtype;
} two_call;

/* Parameters: operands, out1, out2, out, where, casting, order, dtype, subok. */
static bool read_outs(two_call *t) {
    gx_call *c = t->c;
    gx_value pair[2] = {c->argv[t->nin], c->argv[t->nin + 1]}, out = c->argv[t->nin + 2];
    const gx_value *items = pair;
    if (out.tag != GX_NONE) {
        if (pair[0].tag != GX_NONE || pair[1].tag != GX_NONE)
            return gx_fail(c->rt, GX_TypeError, "arg.out",
                           "cannot specify 'out' as both a positional and keyword argument");
        t->keeps = out.tag == GX_ELLIPSIS;
        if (t->keeps) return true;
        if (out.tag != GX_TUPLE)
            return gx_fail(c->rt, GX_TypeError, "arg.out", "'out' must be a tuple of arrays");
        if (gx_sequence_items(out, &items) != 2)
            return gx_fail(c->rt, GX_ValueError, "arg.out",
                           "The 'out' tuple must have exactly one entry per ufunc output");
    }
    for (int k = 0; k < 2; k++) {
        if (items[k].tag == GX_NONE) continue;
        if (!gx_is_array(items[k]))
            return gx_fail(c->rt, GX_TypeError, "arg.out", "return arrays must be of ArrayType");
        t->outs[k] = gx_as_array(items[k]);
        if (!gx_array_writable(c->rt, t->outs[k])) return false;
    }
    return true;
}

static bool read_options(two_call *t) {
    gx_call *c = t->c;
    const int at = t->nin + 3;
    gx_value where = c->argv[at];
    if (c->argv[at + 4].tag != GX_BOOL) return gx_arg_wrong(c, at + 4, "a bool");
    t->order = 'K';
    if (!read_outs(t) || !gx_casting_of(c->rt, c->argv[at + 1], &t->casting) ||
        !gx_np_order_arg(c, at + 2, &t->order) || !gx_np_dtype_arg(c, at + 3, &t->dtype))
        return false;
    t->has_casting = t->casting != GX_CAST_SAME_KIND;
    if (where.tag == GX_BOOL && where.b) return true;
    t->where = gx_np_mask_arg(&t->s, c, at);
    return t->where != NULL;
}

static bool begin(two_call *t, gx_call *c, int nin) {
    *t = (two_call){.s = gx_np_begin(c), .c = c, .nin = nin, .dtype = GX_NO_DTYPE};
    return read_options(t);
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

/* The k-th result as it is stored: where the mask is false, out keeps what it holds. NULL: an
   error. */
static gx_array *settled(two_call *t, int k, gx_array *r) {
    static const char *const rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    gx_array *to = t->outs[k];
    if (!r) return NULL;
    if (to && !gx_can_cast((gx_dtype)r->dtype, (gx_dtype)to->dtype, t->casting)) {
        gx_fail(t->c->rt, GX_UFuncTypeError, "dtype.casting",
                "Cannot cast ufunc '%s' output %d from dtype('%s') to dtype('%s') with casting "
                "rule '%s'",
                t->c->fn->name, t->nin + k, gx_dtypes[r->dtype].name, gx_dtypes[to->dtype].name,
                rules[t->casting]);
        return NULL;
    }
    if (to) r = gx_np_cast(&t->s, r, (gx_dtype)to->dtype);
    if (r && t->where)
        r = gx_np_op3(&t->s, GX_OP_where, t->where, r,
                      to ? to : gx_np_weak_int(&t->s, (gx_dtype)r->dtype, 0));
    if (!r || !to) return r;
    if (r->ndim > to->ndim) {
        gx_fail(t->c->rt, GX_ValueError, "shape.out",
                "non-broadcastable output operand: the result has %d dimensions, out has %d",
                r->ndim, to->ndim);
        return NULL;
    }
    return gx_np_broadcast(&t->s, r, to->ndim, gx_shape(to));
}

/* Both results, each where it was asked to go; those of scalars are scalars. */
static bool give_two(two_call *t, gx_array *a, gx_array *b, gx_value *out) {
    gx_np *s = &t->s;
    gx_array *r[2] = {settled(t, 0, a), NULL};
    gx_value items[2] = {gx_none(), gx_none()};
    if (r[0]) r[1] = settled(t, 1, b);
    bool ok = r[0] && r[1];
    for (int k = 0; ok && k < 2; k++) { /* a result without an out is as wide as the other's */
        gx_array *to = t->outs[1 - k];
        if (t->outs[k] || !to || r[k]->ndim >= to->ndim) continue;
        r[k] = gx_np_copy(s, gx_np_broadcast(s, r[k], to->ndim, gx_shape(to)), 'C');
        ok = r[k] != NULL;
    }
    for (int k = 0; ok && k < 2; k++) {
        if (t->outs[k]) {
            ok = gx_array_store(s->rt, t->outs[k], r[k]);
            if (ok) items[k] = gx_keep(gx_np_value(t->outs[k]));
            continue;
        }
        if (t->order != 'K' && r[k]->ndim > 1) r[k] = gx_np_copy(s, r[k], t->order);
        if (!r[k]) {
            ok = false;
            break;
        }
        gx_array_keep(r[k]);
        if (r[k]->ndim || t->keeps)
            items[k] = gx_array_value(r[k]);
        else
            ok = gx_array_result_take(s->rt, r[k], &items[k]);
    }
    if (ok) return gx_np_end(s, gx_tuple_take(s->rt, 2, items, out));
    gx_drop(items[0]);
    return gx_np_end(s, false);
}

/* --- modf and frexp --- */

static bool may_become(const two_call *t, const gx_array *x, gx_dtype d) {
    return gx_can_cast((gx_dtype)x->dtype, d, t->casting) ||
           gx_fail(t->c->rt, GX_UFuncTypeError, "dtype.casting",
                   "Cannot cast ufunc '%s' input from dtype('%s') to dtype('%s') with this casting "
                   "rule",
                   t->c->fn->name, gx_dtypes[x->dtype].name, gx_dtypes[d].name);
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
    if (t->dtype == GX_NO_DTYPE) {
        if (!gx_op_dtypes(GX_OP_sqrt, (gx_dtype)x->dtype, &compute, &result)) return NULL;
        return may_become(t, x, compute) ? gx_np_cast(&t->s, x, compute) : NULL;
    }
    if (gx_dtype_kind(t->dtype) != GX_KIND_FLOAT || t->c->fn->name[0] == 'f') {
        (void)no_loop(t, t->dtype);
        return NULL;
    }
    return may_become(t, x, t->dtype) ? gx_np_cast(&t->s, x, t->dtype) : NULL;
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
    gx_op_options o = {.ns = t->c->ns, .dtype = t->dtype, .casting = t->casting,
                       .has_dtype = t->dtype != GX_NO_DTYPE, .has_casting = t->has_casting};
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
    if (t->dtype == GX_NO_DTYPE)
        return gx_op_dtypes(GX_OP_remainder, common, &compute, &result) || no_loop(t, GX_NO_DTYPE);
    return (gx_op_dtypes(GX_OP_remainder, t->dtype, &compute, &result) && result == t->dtype) ||
           no_loop(t, t->dtype);
}

static bool divmod_fn(gx_call *c, gx_value *out) {
    two_call t;
    if (!begin(&t, c, 2) || !divisible(&t)) return gx_np_end(&t.s, false);
    gx_array *q = divided(&t, GX_OP_floor_divide);
    return give_two(&t, q, q ? divided(&t, GX_OP_remainder) : NULL, out);
}

#define TWO                                                                                        \
    "out1=None, out2=None, /, *, out=None, where=True, casting='same_kind', order='K', "          \
    "dtype=None, subok=True)"
const gx_native gx_np_ufunc_two_functions[] = {
    {"divmod", "divmod(x1, x2, " TWO, "The pair (x1 // x2, x1 % x2), element by element.",
     "divmod([7, -7], 2)  # (array([ 3, -4]), array([1, 1]))", divmod_fn, GX_NATIVE_UFUNC, 0},
    {"modf", "modf(x, " TWO, "Fraction and whole part of each element.",
     "modf([1.5])  # (array([0.5]), array([1.]))", modf_fn, GX_NATIVE_UFUNC, 0},
    {"frexp", "frexp(x, " TWO, "Mantissa and power of two of each element.",
     "frexp([8.0])  # (array([0.5]), array([4], dtype=int32))", frexp_fn, GX_NATIVE_UFUNC, 0},
    {.name = NULL},
};
