/* Rules that ufuncs have beside their dtypes: what dtype= asks for, when integers overflow;
   and an operation on plain elements of memory. */
#include "runtime/backend/loop.h"
#include "runtime/op/ufunc_int.h"

bool gx_is_comparison(gx_opcode op) {
    return op == GX_OP_equal || op == GX_OP_not_equal || op == GX_OP_less ||
           op == GX_OP_less_equal || op == GX_OP_greater || op == GX_OP_greater_equal;
}

static bool fail_signature(gx_rt *rt, gx_opcode op, gx_dtype asked) {
    gx_fail(rt, GX_TypeError, "dtype.signature",
            "No loop matching the specified signature and casting was found for ufunc %s",
            gx_ops[op].name);
    return gx_note(rt, "dtype= is the dtype of the result; %s gives no %s", gx_ops[op].name,
                   gx_dtypes[asked].name);
}

static bool is_complex_operand(const gx_operands *o, int k) {
    if (o->weak[k]) return o->value[k].tag == GX_COMPLEX;
    return gx_dtype_kind(o->dtype[k]) == GX_KIND_CPLX;
}

/* Does the real dtype asked for stand for parts of fewer digits than a complex operand's? */
static bool loses_parts(const gx_operands *o, int k, gx_dtype asked) {
    const gx_dtype parts = o->weak[k] ? GX_f64 : gx_real_dtype((gx_dtype)o->dtype[k]);
    return gx_dtype_size(asked) < gx_dtype_size(parts);
}

static bool fail_parts(gx_rt *rt, gx_opcode op, const gx_operands *o, int k, gx_dtype asked) {
    const gx_dtype from = o->weak[k] ? GX_c128 : (gx_dtype)o->dtype[k];
    return gx_fail(rt, GX_UFuncTypeError, "dtype.casting",
                   "Cannot cast ufunc '%s' input from dtype('%s') to dtype('%s')", gx_ops[op].name,
                   gx_dtypes[from].name, gx_dtypes[asked].name);
}

/* Has ldexp a loop of a dtype? One of floats, to which its first operand goes safely. */
static bool scales(const gx_operands *o, gx_dtype asked) {
    const gx_dtype weak = o->value[0].tag == GX_FLOAT ? GX_f64 : GX_i64;
    return gx_dtype_kind(asked) == GX_KIND_FLOAT &&
           gx_can_cast(o->weak[0] ? weak : (gx_dtype)o->dtype[0], asked, GX_CAST_SAFE);
}

GX_CHECK bool gx_op_asked(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype *asked) {
    gx_dtype compute, result;
    if (op == GX_OP_ldexp && !scales(o, *asked)) return fail_signature(rt, op, *asked);
    switch ((gx_rule)gx_ops[op].rule) {
    case GX_RULE_TRUTH:
    case GX_RULE_INEXACT_TRUTH:
    case GX_RULE_COUNT:
        if (*asked != (gx_ops[op].rule == GX_RULE_COUNT ? GX_u8 : GX_bool))
            return fail_signature(rt, op, *asked);
        *asked = GX_NO_DTYPE;
        return true;
    case GX_RULE_REALPART:
    case GX_RULE_INEXACT_REAL:
        if (gx_dtype_kind(*asked) == GX_KIND_CPLX) return fail_signature(rt, op, *asked);
        for (int k = 0; k < o->n; k++) {
            if (!is_complex_operand(o, k)) continue;
            if (gx_dtype_kind(*asked) != GX_KIND_FLOAT) return fail_signature(rt, op, *asked);
            if (loses_parts(o, k, *asked)) return fail_parts(rt, op, o, k, *asked);
            *asked = gx_complex_dtype(*asked);
            break;
        }
        return true;
    case GX_RULE_LDEXP: return true;
    case GX_RULE_COMMON:
    case GX_RULE_DIVIDE:
    case GX_RULE_FLOAT64:
    case GX_RULE_INEXACT:
    case GX_RULE_ROUND:
    case GX_RULE_SELECT:
    case GX_RULE_SPECIAL:
    case GX_RULE_WIDEN: break;
    }
    if (gx_op_dtypes(op, *asked, &compute, &result) && result == *asked) return true;
    return fail_signature(rt, op, *asked);
}

static bool i64_overflows(gx_opcode op, int64_t x, int64_t y, int64_t *r) {
    switch ((int)op) {
    case GX_OP_add: return __builtin_add_overflow(x, y, r);
    case GX_OP_subtract: return __builtin_sub_overflow(x, y, r);
    case GX_OP_multiply: return __builtin_mul_overflow(x, y, r);
    case GX_OP_negative: return __builtin_sub_overflow((int64_t)0, x, r);
    case GX_OP_absolute:
        *r = x < 0 ? (int64_t)(0 - (uint64_t)x) : x;
        return *r < 0;
    default: *r = 0; return false;
    }
}

static bool u64_overflows(gx_opcode op, uint64_t x, uint64_t y) {
    uint64_t r;
    switch ((int)op) {
    case GX_OP_add: return __builtin_add_overflow(x, y, &r);
    case GX_OP_subtract: return __builtin_sub_overflow(x, y, &r);
    case GX_OP_multiply: return __builtin_mul_overflow(x, y, &r);
    case GX_OP_negative: return x != 0;
    default: return false;
    }
}

bool gx_int_overflows(gx_opcode op, gx_dtype d, const gx_scalar *x, const gx_scalar *y) {
    int kind = gx_dtype_kind(d);
    if (kind != GX_KIND_INT && kind != GX_KIND_UINT) return false;
    if (d == GX_u64) return u64_overflows(op, x->u64, y->u64);
    gx_scalar a = gx_scalar_cast(d, GX_i64, x), b = gx_scalar_cast(d, GX_i64, y), r;
    if (i64_overflows(op, a.i64, b.i64, &r.i64)) return true;
    gx_scalar back = gx_scalar_cast(GX_i64, d, &r);
    return gx_scalar_cast(d, GX_i64, &back).i64 != r.i64;
}

bool gx_power_negative(gx_rt *rt) {
    gx_fail(rt, GX_ValueError, "power.negative",
            "Integers to negative integer powers are not allowed.");
    return gx_help(rt, "make the base a float: x.astype(float) ** y");
}

/* Is one of n integers below 0? */
static bool any_negative(gx_dtype d, const void *at, int64_t n) {
    const size_t size = gx_dtype_size(d);
    for (int64_t i = 0; i < n; i++) {
        gx_scalar x = {.bits = {0, 0}};
        gx_item_copy(&x, (const char *)at + (size_t)i * size, size);
        if (gx_scalar_cast(d, GX_i64, &x).i64 < 0) return true;
    }
    return false;
}

GX_CHECK bool gx_op_elements(gx_rt *rt, gx_opcode op, gx_dtype d, void *out, const void *x,
                             const void *y, int64_t n, int *fp) {
    const void *const in[3] = {x, y, NULL};
    int met = 0;
    if (op == GX_OP_power && gx_dtype_kind(d) == GX_KIND_INT && any_negative(d, y, n))
        return gx_power_negative(rt);
    if (!rt->device->backend->small(rt->device, op, d, d, out, in, n, 0, &met)) return false;
    *fp |= met;
    return true;
}

GX_CHECK bool gx_op_at(gx_rt *rt, gx_opcode op, gx_dtype compute, gx_dtype result, gx_dtype d,
                       void *to, const int64_t *at, const void *other, int64_t n) {
    int fp = 0;
    if (op == GX_OP_power && gx_dtype_kind(compute) == GX_KIND_INT &&
        any_negative(compute, other, n))
        return gx_power_negative(rt);
    return rt->device->backend->at(rt->device, op, compute, result, d, to, at, other, n, &fp) &&
           gx_work_end(rt) && (!fp || gx_fp_warn(rt, fp, "at", rt->here));
}

GX_CHECK bool gx_op_met(gx_rt *rt, gx_opcode op, int fp) {
    return !fp || gx_fp_warn(rt, fp, gx_ops[op].name, rt->here);
}
