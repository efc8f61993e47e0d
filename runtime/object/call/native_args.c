/* Checked getters of builtin functions' arguments.
   A getter's message names the function and the parameter; nothing is converted silently. */
#include "runtime/object/class/class.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/native.h"
#include "runtime/object/call/native_int.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

bool gx_arg_wrong(gx_call *c, int i, const char *expected) {
    const char *name = gx_native_param(c->rt, c->fn, i);
    return gx_fail(c->rt, GX_TypeError, "arg.type", "%s: argument '%s' must be %s, not %s",
                   c->fn->name, name ? name : "?", expected, gx_type_name(c->argv[i]));
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

bool gx_arg_bool(gx_call *c, int i, bool *out) {
    return gx_truth(c->rt, c->argv[i], out);
}

bool gx_arg_bound(gx_call *c, int i, int64_t *out) {
    gx_try r = gx_as_bound(c->rt, c->argv[i], out);
    return r == GX_TRY_NO ? gx_arg_wrong(c, i, "an integer or None") : r == GX_TRY_YES;
}

bool gx_arg_str(gx_call *c, int i, const char **text, size_t *length) {
    if (c->argv[i].tag != GX_STR) return gx_arg_wrong(c, i, "a str");
    const gx_str *s = gx_as_str(c->argv[i]);
    *text = s->text;
    *length = s->length;
    return true;
}

/* What __index__ of a script's class gives. */
static gx_try index_of_instance(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_value r;
    gx_try has = gx_special_int(rt, v, "__index__", &r);
    if (has != GX_TRY_YES) return has;
    has = gx_as_index(rt, r, out);
    gx_drop(r);
    return has;
}

/* What a value's own type says. */
static gx_try index_of_slot(gx_rt *rt, const gx_type *type, gx_borrowed v, int64_t *out) {
    gx_value i;
    gx_try r = type->index(rt, v, &i);
    if (r != GX_TRY_YES) return r;
    r = gx_as_index(rt, i, out);
    gx_drop(i);
    return r;
}

gx_try gx_as_index(gx_rt *rt, gx_borrowed v, int64_t *out) {
    v = gx_plain_number(v);
    if (v.tag == GX_INT || v.tag == GX_BOOL) {
        *out = v.tag == GX_INT ? v.i : v.b;
        return GX_TRY_YES;
    }
    if (v.tag == GX_BIGINT) {
        gx_fail(rt, GX_OverflowError, "index.large", "int too large to convert to an index");
        return GX_TRY_ERROR;
    }
    const gx_type *plain = gx_plain_type(gx_type_of(v));
    return plain && plain->index ? index_of_slot(rt, plain, v, out) : index_of_instance(rt, v, out);
}
