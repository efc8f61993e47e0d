/* What a ufunc says of itself: nin, nout, nargs, ntypes, types, identity, signature. All of it is
   read from the table of operations, or from that of the ufuncs that are no operation. */
#include <stdio.h>

#include "stdlib/common.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/ufunc/ufunc_int.h"

extern const gx_member gx_np_ufunc_members[];

static gx_opcode op_of(gx_borrowed self) {
    return (gx_opcode)self.native->op;
}

static int operands_of(gx_borrowed self) {
    gx_np_ufunc_special u;
    return gx_np_ufunc_special_of(self.native, &u) ? u.nin : gx_ops[op_of(self)].arity;
}

static int results_of(gx_borrowed self) {
    gx_np_ufunc_special u;
    return gx_np_ufunc_special_of(self.native, &u) ? u.nout : 1;
}

static bool get_nin(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(operands_of(self));
    return true;
}

static bool get_nout(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(results_of(self));
    return true;
}

static bool get_nargs(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(operands_of(self) + results_of(self));
    return true;
}

static bool get_signature(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_np_ufunc_special u;
    if (gx_np_ufunc_special_of(self.native, &u) && u.signature)
        return gx_str_c(rt, u.signature, out);
    *out = gx_none();
    return true;
}

/* The loop of a dtype, 'dd->d'; "": there is none. */
static void loop_text(gx_borrowed self, gx_dtype d, char text[8]) {
    gx_np_ufunc_special u;
    const gx_op_info *op = &gx_ops[op_of(self)];
    gx_dtype compute, result;
    int n = 0;
    text[0] = 0;
    if (gx_np_ufunc_special_of(self.native, &u)) {
        gx_np_ufunc_special_loop(&u, d, text);
        return;
    }
    if (!gx_op_dtypes(op_of(self), d, &compute, &result) || compute != d) return;
    for (int k = 0; k < op->arity; k++)
        text[n++] = k == 0 && op->rule == GX_RULE_SELECT ? '?' : gx_dtypes[d].letter;
    text[n++] = '-';
    text[n++] = '>';
    text[n++] = gx_dtypes[result].letter;
    text[n] = 0;
}

/* Those of a function of scipy.special: each result is of the last operand's type. */
static bool push_special(gx_rt *rt, const char *types, int nin, int nout, gx_value list) {
    for (const char *loop = types; *loop; loop += nin + (loop[nin] != 0)) {
        char text[16];
        gx_value item;
        int n = snprintf(text, sizeof text, "%.*s->", nin, loop);
        for (int k = 0; k < nout; k++) text[n++] = loop[nin - 1];
        text[n] = 0;
        if (!gx_str_c(rt, text, &item) || !gx_list_push_take(rt, list, item)) return false;
    }
    return true;
}

/* The loops there are: 'dd->d'. */
static bool get_types(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value list, item;
    int nin, nout;
    const char *types = gx_sp_types(self.native, &nin, &nout);
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    gx_np_ufunc_special u;
    if (gx_np_ufunc_special_of(self.native, &u) && u.truths) {
        for (const char *x = u.truths; *x; x++) {
            const char text[] = {*x, '-', '>', '?', 0};
            if (gx_str_c(rt, text, &item) && gx_list_push_take(rt, list, item)) continue;
            gx_drop(list);
            return false;
        }
    }
    if (types) {
        if (!push_special(rt, types, nin, nout, list)) {
            gx_drop(list);
            return false;
        }
        *out = list;
        return true;
    }
    for (int d = 0; d < GX_DTYPES; d++) {
        char text[8];
        loop_text(self, (gx_dtype)d, text);
        if (!*text || gx_is_extension(d)) continue; /* NumPy lists its own */
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
    if (!op || !gx_np_ufunc_identity(op, &x))
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
    {"signature", get_signature, NULL, "The axes of a product; None: element by element."},
    {NULL, NULL, NULL, NULL},
};
