/* Comparisons that no common dtype answers: a Python int beyond the dtype, and int64 beside uint64.
   The answer is the mathematical one, as NumPy's. Everything else is left to ufunc.c. */
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/op/ufunc_int.h"

GX_CHECK bool gx_all_compared(gx_rt *rt, const gx_array *a, gx_namespace ns, bool answer,
                              gx_value *out) {
    const gx_scalar fill = {.b = answer};
    gx_array *r;
    int order[GX_MAX_DIMS];
    const int64_t *strides = gx_strides(a);
    gx_order_of_operands(a->ndim, 1, &strides, order);
    if (!gx_order_full(rt, GX_bool, a->ndim, gx_shape(a), order, ns, &fill, &r)) return false;
    *out = gx_array_value(r);
    return true;
}

/* Comparing with a Python int that the dtype cannot hold: the answer is the same everywhere. */
static gx_try compare_out_of_range(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_dtype common,
                                   gx_value *out) {
    int kind = gx_dtype_kind(common);
    if (o->n != 2 || o->weak[0] == o->weak[1] || (kind != GX_KIND_INT && kind != GX_KIND_UINT))
        return GX_TRY_NO;
    int w = o->weak[0] ? 0 : 1;
    gx_value v = o->value[w];
    gx_scalar s;
    if (gx_scalar_from(rt, v, common, &s)) return GX_TRY_NO;
    if (rt->error.kind != GX_OverflowError) return GX_TRY_ERROR;
    gx_error_clear(rt);
    bool above = v.tag == GX_INT ? v.i > 0 : !((gx_bigint *)(void *)v.obj)->negative;
    bool array_less = above; /* the array's elements are below the int */
    bool left_less = w == 1 ? array_less : !array_less;
    bool answer = op == GX_OP_not_equal ||
                  ((op == GX_OP_less || op == GX_OP_less_equal) && left_less) ||
                  ((op == GX_OP_greater || op == GX_OP_greater_equal) && !left_less);
    gx_scalar fill = {.b = answer};
    const gx_array *a = o->array[1 - w];
    if (!a || a->ndim == 0)
        return gx_scalar_new(rt, GX_bool, &fill, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return gx_all_compared(rt, a, o->ns, answer, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* int64 with uint64: correct by sign first. less(i, u) is (i < 0) | (u64(i) < u). */
static bool compare_signs(gx_rt *rt, gx_opcode op, gx_operands *o, gx_value *out) {
    int s = gx_dtype_kind(o->dtype[0]) == GX_KIND_INT ? 0 : 1; /* the signed one */
    gx_value sides[2] = {gx_undef(), gx_undef()}, as_u = gx_undef(), neg = gx_undef(),
             cmp = gx_undef();
    bool ok = true;
    for (int k = 0; k < 2; k++) {
        sides[k] = gx_keep(o->value[k]);
        if (o->array[k] && o->value[k].tag != GX_ARRAY) {
            gx_drop(sides[k]);
            gx_array_keep(o->array[k]);
            sides[k] = gx_array_value(o->array[k]);
        }
    }
    if (o->array[s]) {
        gx_array *u;
        ok = gx_array_cast(rt, o->array[s], GX_u64, false, &u);
        if (ok) as_u = gx_array_value(u);
    } else {
        gx_scalar u = gx_scalar_cast((gx_dtype)o->dtype[s], GX_u64, &o->scalar[s]);
        ok = gx_scalar_new(rt, GX_u64, &u, &as_u);
    }
    bool signed_less =
        (op == GX_OP_less || op == GX_OP_less_equal) == (s == 0) || op == GX_OP_not_equal;
    if (op == GX_OP_equal) signed_less = false;
    ok = ok && gx_op2(rt, GX_OP_less, sides[s], gx_int(0), &neg);
    ok = ok && gx_op2(rt, op, s == 0 ? as_u : sides[0], s == 0 ? sides[1] : as_u, &cmp);
    if (ok) ok = gx_where(rt, neg, gx_bool(signed_less), cmp, out);
    for (int k = 0; k < 2; k++) gx_drop(sides[k]);
    gx_drop(as_u);
    gx_drop(neg);
    gx_drop(cmp);
    return ok;
}

static bool is_int64_pair(const gx_operands *o) {
    if (o->n != 2 || o->weak[0] || o->weak[1]) return false;
    int a = o->dtype[0], b = o->dtype[1];
    return (a == GX_u64 && gx_dtype_kind(b) == GX_KIND_INT) ||
           (b == GX_u64 && gx_dtype_kind(a) == GX_KIND_INT);
}

bool gx_op_compare_ints(gx_rt *rt, gx_opcode op, const gx_operands *o, gx_value *out) {
    static const gx_cmpop ops[] = {[GX_OP_equal] = GX_EQ,     [GX_OP_not_equal] = GX_NE,
                                   [GX_OP_less] = GX_LT,      [GX_OP_less_equal] = GX_LE,
                                   [GX_OP_greater] = GX_GT,   [GX_OP_greater_equal] = GX_GE};
    bool big = false;
    for (int k = 0; k < o->n; k++) {
        if (o->value[k].tag != GX_INT && o->value[k].tag != GX_BIGINT) return false;
        big = big || o->value[k].tag == GX_BIGINT;
    }
    gx_value answer;
    if (!big || !gx_compare(rt, ops[op], o->value[0], o->value[1], &answer)) return false;
    const gx_scalar is = {.b = answer.b};
    return gx_scalar_new(rt, GX_bool, &is, out);
}

gx_try gx_op_compare(gx_rt *rt, gx_opcode op, gx_operands *o, gx_dtype common, gx_value *out) {
    if (is_int64_pair(o)) return compare_signs(rt, op, o, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return compare_out_of_range(rt, op, o, common, out);
}
