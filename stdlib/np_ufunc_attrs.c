/* What a ufunc says of itself: nin, nout, nargs, ntypes, types, identity, signature. All of it is
   read from the table of operations. */
#include "stdlib/np_int.h"
#include "stdlib/np_ufunc_int.h"

extern const gx_member gx_np_ufunc_members[];

static gx_opcode op_of(gx_borrowed self) {
    return (gx_opcode)self.native->op;
}

static bool get_nin(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_ops[op_of(self)].arity);
    return true;
}

static bool get_nout(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(1);
    return true;
}

static bool get_nargs(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_ops[op_of(self)].arity + 1);
    return true;
}

static bool get_none(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}

/* The loops there are: 'dd->d'. */
static bool get_types(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_op_info *op = &gx_ops[op_of(self)];
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (int d = 0; d < GX_DTYPES; d++) {
        gx_dtype compute, result;
        char text[8] = "";
        int n = 0;
        gx_value item;
        if (!gx_op_dtypes(op_of(self), (gx_dtype)d, &compute, &result) || (int)compute != d)
            continue;
        for (int k = 0; k < op->arity; k++)
            text[n++] = k == 0 && op->rule == GX_RULE_SELECT ? '?' : gx_dtypes[d].letter;
        text[n++] = '-';
        text[n++] = '>';
        text[n] = gx_dtypes[result].letter;
        if (!gx_str_c(rt, text, &item) || !gx_list_push_take(rt, list, item)) {
            gx_drop(list);
            return false;
        }
    }
    *out = list;
    return true;
}

static bool get_ntypes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value list;
    if (!get_types(rt, self, &list)) return false;
    *out = gx_int(gx_as_list(list)->count);
    gx_drop(list);
    return true;
}

static bool get_identity(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_opcode op = op_of(self);
    double x;
    (void)rt;
    if (!gx_np_ufunc_identity(op, &x))
        *out = gx_none();
    else if (op == GX_OP_logical_and || op == GX_OP_logical_or || op == GX_OP_logical_xor)
        *out = gx_bool(x != 0);
    else if (op == GX_OP_logaddexp || op == GX_OP_logaddexp2)
        *out = gx_float(x);
    else
        *out = gx_int((int64_t)x);
    return true;
}

const gx_member gx_np_ufunc_members[] = {
    {"nin", get_nin, NULL, "How many operands."},
    {"nout", get_nout, NULL, "How many results."},
    {"nargs", get_nargs, NULL, "Operands and results."},
    {"ntypes", get_ntypes, NULL, "How many loops there are."},
    {"types", get_types, NULL, "The loops there are, by letters of dtypes."},
    {"identity", get_identity, NULL, "What changes nothing as an operand."},
    {"signature", get_none, NULL, "None: every ufunc here works element by element."},
    {NULL, NULL, NULL, NULL},
};
