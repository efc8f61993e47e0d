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

/* Types of the tags that have exactly one; NULL: the value knows. */
static const gx_type *tag_types[GX_TAGS] = {
    [GX_UNDEF] = &gx_type_none,     [GX_NONE] = &gx_type_none, [GX_ELLIPSIS] = &gx_type_ellipsis,
    [GX_BOOL] = &gx_type_bool,      [GX_INT] = &gx_type_int,   [GX_FLOAT] = &gx_type_float,
    [GX_TYPE] = &gx_type_type,      [GX_NATIVE] = &gx_type_native,
};
static const gx_type *scalar_types; /* by dtype */

void gx_types_of_arrays(const gx_type *dtype, const gx_type scalars[GX_DTYPES]) {
    tag_types[GX_DTYPE] = dtype;
    scalar_types = scalars;
}

bool gx_is_ufunc(const gx_native *fn) {
    return fn->op || fn->flags & GX_NATIVE_UFUNC;
}

const gx_type *gx_type_of(gx_borrowed v) {
    if (v.tag >= GX_FIRST_OBJECT) return v.obj->type;
    if (v.tag == GX_SCALAR) return &scalar_types[v.dtype];
    if (v.tag == GX_NATIVE && gx_is_ufunc(v.native)) return &gx_type_ufunc;
    return tag_types[v.tag];
}

bool gx_type_is(const gx_type *t, const gx_type *ancestor) {
    if (ancestor == &gx_type_object) return true;
    if (t && t->heap) return gx_class_is(t, ancestor);
    /* AxisError has two parents, which only its kind knows. */
    if (t && t->tag == GX_EXCEPTION && ancestor && ancestor->tag == GX_EXCEPTION && !ancestor->heap)
        return gx_error_is((gx_error_kind)t->error, (gx_error_kind)ancestor->error);
    for (; t; t = t->base)
        if (t == ancestor) return true;
    return false;
}

bool gx_isinstance(gx_borrowed v, const gx_type *type) {
    const gx_type *t = gx_type_of(v);
    if (gx_type_is(t, type)) return true;
    if (t == &gx_type_type) return gx_type_is(gx_metaclass(v), type);
    /* numpy.float64 is a float, numpy.complex128 a complex. */
    if (t->dtype == GX_f64 && t->tag != GX_ARRAY) return type == &gx_type_float;
    return t->dtype == GX_c128 && t->tag != GX_ARRAY && type == &gx_type_complex;
}

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

static const gx_member object_members[] = {
    {"__class__", object_class, NULL, "The type."},
    {"__doc__", object_doc, NULL, "What it is for."},
    {0},
};

const gx_type gx_type_object = {
    .name = "object", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .members = object_members,
    .doc = "The base of all types.",
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

const gx_type gx_type_native = {
    .name = "builtin_function_or_method", .tag = GX_NATIVE, .dtype = GX_NO_DTYPE,
    .repr = native_repr, .members = native_members, .doc = "A builtin function.",
};
const gx_type gx_type_ufunc = {
    .name = "numpy.ufunc", .tag = GX_NATIVE, .dtype = GX_NO_DTYPE,
    .repr = native_repr, .members = native_members,
    .doc = "An operation on arrays, element by element.",
};

/* --- bound methods ---------------------------------------------------------------------------- */

void gx_bound_free(gx_rt *rt, gx_obj *o) {
    gx_bound *b = (gx_bound *)o;
    gx_container_untrack(rt, &b->head);
    gx_drop(b->self);
    gx_drop(b->fn);
    gx_obj_release(rt, o);
}

void gx_bound_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_bound *b = (gx_bound *)o;
    if (gx_is_object(b->self)) visit(b->self.obj, ctx);
    if (gx_is_object(b->fn)) visit(b->fn.obj, ctx);
}

void gx_bound_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_bound *b = (gx_bound *)o;
    gx_value self = b->self, fn = b->fn;
    b->self = b->fn = gx_none();
    gx_drop(self);
    gx_drop(fn);
}

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

const gx_type gx_type_bound = {
    .name = "method", .tag = GX_METHOD, .dtype = GX_NO_DTYPE, .container = true,
    .free = gx_bound_free, .traverse = gx_bound_traverse, .clear = gx_bound_clear,
    .repr = bound_repr, .attr = bound_attr, .compare = bound_compare, .hash = bound_hash,
    .doc = "A function bound to its first argument.",
};

bool gx_bound_new(gx_rt *rt, gx_borrowed self, gx_borrowed fn, gx_value *out) {
    gx_bound *b = gx_obj_new(rt, &gx_type_bound, sizeof *b);
    if (!b) return false;
    b->self = gx_keep(self);
    b->fn = gx_keep(fn);
    gx_container_track(rt, &b->head);
    *out = gx_object(&b->head.obj);
    return true;
}

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
