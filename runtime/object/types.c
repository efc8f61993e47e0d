/* The types of inline values and of the small plumbing objects: object, type, None, Ellipsis, bool,
   builtin functions, bound methods, boxes. Types with data of their own are in their own files. */
#include "runtime/object/text/bytearray.h"
#include "runtime/object/types.h"

#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/str.h"

/* --- object, type ----------------------------------------------------------------------------- */

static bool object_class(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_type_value(gx_as_type(self) ? gx_metaclass(self) : gx_type_of(self));
    return true;
}

static bool object_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const char *doc = gx_type_of(self)->doc;
    if (doc) return gx_str_c(rt, doc, out);
    *out = gx_none();
    return true;
}

const gx_member gx_object_members[] = {
    {"__class__", object_class, NULL, "The type."},
    {"__doc__", object_doc, NULL, "What it is for."},
    {0},
};

/* --- None, Ellipsis --------------------------------------------------------------------------- */

static bool none_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "None");
}

static bool ellipsis_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "Ellipsis");
}

const gx_type gx_type_none = {
    .name = "NoneType", .tag = GX_NONE, .dtype = GX_NO_DTYPE, .repr = none_repr,
    .doc = "The absence of a value.",
};
const gx_type gx_type_ellipsis = {
    .name = "ellipsis", .tag = GX_ELLIPSIS, .dtype = GX_NO_DTYPE, .repr = ellipsis_repr,
    .doc = "The value of '...'.",
};

/* --- builtin functions ------------------------------------------------------------------------ */

static bool native_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, gx_is_ufunc(v.native) ? "<ufunc '%s'>" : "<built-in function %s>",
                         v.native->name);
}

static bool native_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, self.native->name, out);
}

static bool native_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_printf(rt, out, "%s\n\n%s",
                         self.native->sig ? self.native->sig : self.native->name,
                         self.native->doc ? self.native->doc : "");
}

static const gx_member native_members[] = {
    {"__name__", native_name, NULL, "The name."},
    {"__doc__", native_doc, NULL, "What it does."},
    {0},
};

static bool native_call(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    return gx_native_call(rt, fn.native, (gx_namespace)fn.ns, NULL, argc, argv, kwc, kw, out);
}

const gx_type gx_type_native = {
    .name = "builtin_function_or_method", .tag = GX_NATIVE, .dtype = GX_NO_DTYPE,
    .repr = native_repr, .members = native_members, .call = native_call,
    .doc = "A builtin function.",
};
const gx_type gx_type_ufunc = {
    .name = "numpy.ufunc", .tag = GX_NATIVE, .dtype = GX_NO_DTYPE,
    .repr = native_repr, .members = native_members, .call = native_call,
    .doc = "An operation on arrays, element by element.",
};

/* --- bound methods ---------------------------------------------------------------------------- */

static bool bound_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_bound *b = (gx_bound *)v.obj;
    if (b->fn.tag == GX_NATIVE) {
        if (!gx_buf_printf(out, "<built-in method %s of %s object", b->fn.native->name,
                           gx_type_name(b->self)))
            return false;
        return gx_is_object(b->self) ? gx_buf_printf(out, " at %p>", (void *)b->self.obj)
                                     : gx_buf_char(out, '>');
    }
    return gx_buf_puts(out, "<bound method ") && gx_repr(rt, b->fn, out) &&
           gx_buf_puts(out, " of ") && gx_repr(rt, b->self, out) && gx_buf_char(out, '>');
}

static gx_try bound_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_bound *b = (gx_bound *)v.obj;
    const char *text = gx_sym_text(rt, name);
    if (strcmp(text, "__self__") == 0) {
        *out = gx_keep(b->self);
        return GX_TRY_YES;
    }
    if (strcmp(text, "__func__") == 0) {
        *out = gx_keep(b->fn);
        return GX_TRY_YES;
    }
    if (strcmp(text, "__call__") == 0) return GX_TRY_NO; /* its own, with self */
    return gx_try_attr(rt, b->fn, name, out);
}

static gx_try bound_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || a.tag != GX_METHOD || b.tag != GX_METHOD) return GX_TRY_NO;
    gx_bound *x = (gx_bound *)a.obj, *y = (gx_bound *)b.obj;
    bool equal = gx_is(x->self, y->self) && gx_is(x->fn, y->fn);
    *out = gx_bool(equal == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool bound_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_bound *b = (gx_bound *)v.obj;
    uint64_t fn;
    if (!gx_hash(rt, b->fn, &fn)) return false;
    *out = fn * 31 + (gx_is_object(b->self) ? (uint64_t)(uintptr_t)b->self.obj >> 4 : b->self.u);
    return true;
}

/* A method bound to self: self goes before the arguments. */
static bool bound_call(gx_rt *rt, gx_borrowed fn, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_bound *b = (gx_bound *)fn.obj;
    if (b->fn.tag == GX_NATIVE)
        return gx_native_call_method(rt, b->fn.native, b->self, argc, argv, kwc, kw, out);
    enum { NEAR = 8 };
    gx_value near[NEAR], *all = near;
    int n = argc + kwc;
    if (n + 1 > NEAR && !(all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all))) return false;
    all[0] = b->self;
    for (int i = 0; i < n; i++) all[i + 1] = argv[i];
    bool ok = gx_call_held(rt, b->fn, argc + 1, all, kwc, kw, out);
    if (all != near) gx_free(rt, all);
    return ok;
}

static bool bound_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "__doc__");
    return name && gx_get_attr(rt, ((gx_bound *)self.obj)->fn, name, out);
}

static const gx_member bound_members[] = {
    {"__doc__", bound_doc, NULL, "What the function is for."},
    {0},
};

const gx_type gx_type_bound = {
    .name = "method", .tag = GX_METHOD, .dtype = GX_NO_DTYPE, .container = true,
    .members = bound_members,
    .free = gx_bound_free, .traverse = gx_bound_traverse, .clear = gx_bound_clear,
    .repr = bound_repr, .attr = bound_attr, .compare = bound_compare, .hash = bound_hash,
    .call = bound_call,
    .doc = "A function bound to its first argument.",
};

/* --- boxes ------------------------------------------------------------------------------------ */

static void box_free(gx_rt *rt, gx_obj *o) {
    gx_box *b = (gx_box *)o;
    gx_container_untrack(rt, &b->head);
    gx_drop(b->value);
    gx_obj_release(rt, o);
}

static void box_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_box *b = (gx_box *)o;
    if (gx_is_object(b->value)) visit(b->value.obj, ctx);
}

static void box_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((gx_box *)o)->value));
}

const gx_type gx_type_box = {
    .name = "cell", .tag = GX_BOX, .dtype = GX_NO_DTYPE, .container = true, .free = box_free,
    .traverse = box_traverse, .clear = box_clear,
};

bool gx_box_new(gx_rt *rt, gx_borrowed value, gx_value *out) {
    gx_box *b = gx_obj_new(rt, &gx_type_box, sizeof *b);
    if (!b) return false;
    b->value = gx_keep(value);
    gx_container_track(rt, &b->head);
    *out = gx_object(&b->head.obj);
    return true;
}
