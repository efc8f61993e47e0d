/* Operations on elements that are no numbers: texts, dates, records. */
#include "runtime/array/kind/date.h"
#include "runtime/object/container/list.h"
#include "runtime/op/ufunc_int.h"

/* Operands that are no numbers: comparisons, and + of texts. NO: all are numbers. */
static gx_try op_on_kinds(gx_rt *rt, gx_opcode op, const gx_borrowed *v, gx_value *out) {
    static const gx_opcode codes[] = {GX_OP_equal, GX_OP_not_equal, GX_OP_less, GX_OP_less_equal,
                                      GX_OP_greater, GX_OP_greater_equal};
    gx_dtype kind = GX_NO_DTYPE;
    for (int k = 0; k < gx_ops[op].arity; k++)
        if (v[k].tag == GX_ARRAY && gx_is_kind(gx_as_array(v[k])->dtype))
            kind = (gx_dtype)gx_as_array(v[k])->dtype;
    if (GX_LIKELY(kind == GX_NO_DTYPE)) return GX_TRY_NO;
    for (int i = 0; i < 6; i++)
        if (op == codes[i]) return gx_kind_compare(rt, (gx_cmpop)(GX_EQ + i), v[0], v[1], out);
    gx_try time = gx_time_op(rt, op, v, out);
    if (time != GX_TRY_NO) return time;
    if (op == GX_OP_add) return gx_kind_add(rt, v[0], v[1], out);
    gx_kind_refuse(rt, kind, gx_ops[op].name);
    return GX_TRY_ERROR;
}

/* Is v text, or rows whose first element is? */
static bool begins_with_text(gx_borrowed v) {
    const gx_value *items;
    for (int deep = 0; deep < GX_MAX_DIMS && (v.tag == GX_LIST || v.tag == GX_TUPLE); deep++) {
        if (gx_sequence_items(v, &items) <= 0) return false;
        v = items[0];
    }
    return v.tag == GX_STR || v.tag == GX_BYTES ||
           (v.tag == GX_ARRAY && gx_is_text(gx_as_array(v)->dtype));
}

/* An operation some of whose operands are text, as arrays, Python's texts or rows of them. For
   logical_and and its kin the truth of each is what counts: `truths`. NO: there is no text, or it
   has no meaning there. */
static gx_try op_on_texts(gx_rt *rt, gx_opcode op, const gx_borrowed *v, gx_namespace ns,
                          gx_value truths[2], gx_value *out) {
    const bool logical = op == GX_OP_logical_and || op == GX_OP_logical_or ||
                         op == GX_OP_logical_xor;
    gx_value w[2];
    gx_array *a[2] = {NULL, NULL};
    if (gx_ops[op].arity != 2 || !(logical || gx_is_comparison(op) || op == GX_OP_add))
        return GX_TRY_NO;
    const bool text[2] = {begins_with_text(v[0]), begins_with_text(v[1])};
    if (!text[0] && !text[1]) return GX_TRY_NO;
    for (int k = 0; k < 2; k++) /* dates read texts themselves */
        if (!text[k] && v[k].tag == GX_ARRAY && gx_is_kind(gx_as_array(v[k])->dtype))
            return GX_TRY_NO;
    bool ok = true;
    for (int k = 0; ok && k < 2; k++) {
        const bool row = v[k].tag == GX_LIST || v[k].tag == GX_TUPLE;
        w[k] = v[k];
        if (!row && !text[k]) continue;
        ok = gx_asarray(rt, v[k], GX_NO_DTYPE, ns, false, &a[k]);
        if (ok && logical && text[k]) {
            gx_array *truth = NULL;
            ok = gx_array_cast(rt, a[k], GX_bool, false, &truth);
            gx_array_drop(a[k]);
            a[k] = truth;
        }
        if (ok) w[k] = gx_array_value(a[k]);
    }
    gx_try t = GX_TRY_YES;
    if (ok && gx_is_comparison(op) &&
        !(a[0] && a[1] && gx_dtypes[a[0]->dtype].family == gx_dtypes[a[1]->dtype].family))
        ok = gx_kind_refuse(rt, (gx_dtype)(text[0] ? a[0] : a[1])->dtype, gx_ops[op].name);
    if (ok && logical)
        for (int k = 0; k < 2; k++) truths[k] = gx_keep(w[k]);
    else if (ok) t = op_on_kinds(rt, op, w, out);
    gx_array_drop(a[0]);
    gx_array_drop(a[1]);
    return ok ? t : GX_TRY_ERROR;
}

gx_try gx_op_on_kinds(gx_rt *rt, gx_opcode op, const gx_borrowed *operands,
                      const gx_op_options *options, gx_value truths[2], gx_value *out) {
    truths[0] = truths[1] = gx_undef();
    gx_try t = options ? op_on_texts(rt, op, operands, options->ns, truths, out) : GX_TRY_NO;
    return t != GX_TRY_NO ? t : op_on_kinds(rt, op, operands, out);
}

bool gx_op_arrays_of_kinds(gx_rt *rt, gx_opcode op, int n, gx_array *const *a,
                           gx_array **out) {
    gx_value values[3], v;
    for (int k = 0; k < n; k++) values[k] = (gx_value){.tag = GX_ARRAY, .obj = &a[k]->obj};
    if (op_on_kinds(rt, op, values, &v) != GX_TRY_YES) return false;
    bool ok = gx_asarray(rt, v, GX_NO_DTYPE, (gx_namespace)a[0]->ns, false, out);
    gx_drop(v);
    return ok;
}
