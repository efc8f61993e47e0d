/* Checked getters of builtin functions' arguments, and the type of builtin functions themselves.
   A getter's message names the function and the parameter. */
#include <string.h>

#include "runtime/native.h"
#include "runtime/native_int.h"
#include "runtime/number.h"
#include "runtime/str.h"

bool gx_arg_wrong(gx_call *c, int i, const char *expected) {
    const char *name = gx_native_param(c->rt, c->fn, i);
    return gx_fail(c->rt, GX_TypeError, "", "%s: argument '%s' must be %s, not %s", c->fn->name,
                   name ? name : "?", expected, gx_type_name(c->argv[i]));
}

bool gx_arg_int(gx_call *c, int i, int64_t *out) {
    gx_borrowed v = c->argv[i];
    if (GX_LIKELY(v.tag == GX_INT)) {
        *out = v.i;
        return true;
    }
    gx_try is = gx_as_index(c->rt, v, out);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, i, "an integer");
    return is == GX_TRY_YES;
}

bool gx_arg_float(gx_call *c, int i, double *out) {
    gx_borrowed v = c->argv[i];
    if (GX_LIKELY(v.tag == GX_FLOAT)) {
        *out = v.f;
        return true;
    }
    gx_try is = gx_as_double(c->rt, v, out);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, i, "a real number");
    return is == GX_TRY_YES;
}

bool gx_arg_bool(gx_call *c, int i, bool *out) {
    return gx_truth(c->rt, c->argv[i], out);
}

bool gx_arg_str(gx_call *c, int i, const char **text, size_t *length) {
    if (c->argv[i].tag != GX_STR) return gx_arg_wrong(c, i, "a str");
    const gx_str *s = gx_as_str(c->argv[i]);
    *text = s->text;
    *length = s->length;
    return true;
}

/* --- the type of builtin functions --- */

static bool repr_native(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    if (v.native->op) return gx_buf_printf(out, "<ufunc '%s'>", v.native->name);
    return gx_buf_printf(out, "<built-in function %s>", v.native->name);
}

static bool hash_native(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    *out = (uint64_t)(uintptr_t)v.native >> 3;
    return true;
}

static gx_try compare_native(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if (op != GX_EQ && op != GX_NE) return GX_TRY_NO;
    bool same = a.tag == GX_NATIVE && b.tag == GX_NATIVE && a.native == b.native;
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool call_native(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    return gx_native_call(rt, self.native, (gx_door)self.door, NULL, argc, argv, kwc, kw, out);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, self.native->name, out);
}

static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_printf(rt, out, "%s\n\n%s", self.native->sig, self.native->doc);
}

static const gx_member native_members[] = {
    {"__name__", get_name, NULL, "The function's name."},
    {"__doc__", get_doc, NULL, "Its signature and what it does."},
    {NULL, NULL, NULL, NULL},
};

const gx_type gx_type_native = {
    .name = "builtin_function_or_method",
    .tag = GX_NATIVE,
    .dtype = GX_NO_DTYPE,
    .doc = "A builtin function.",
    .repr = repr_native,
    .hash = hash_native,
    .compare = compare_native,
    .call = call_native,
    .members = native_members,
};
