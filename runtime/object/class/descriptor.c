/* What a class's attribute becomes when it is reached through an instance or the class: functions
   become methods, property calls its getter, staticmethod and classmethod bind nothing and the
   class, a script's descriptor is asked by __get__. Also super.

   Invariant: binding never changes what the class holds. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

typedef struct property {
    gx_container head;
    gx_value part[4]; /* getter, setter, deleter, doc; None: not there */
    gx_sym name;      /* in the class that was made with it; 0: not known */
} property;

enum { GETTER, SETTER, DELETER, DOC, PARTS };

static bool is_a(gx_borrowed v, const gx_type *t) {
    return gx_is_object(v) && v.obj->type == t;
}

static gx_value inner(gx_borrowed v) {
    return ((gx_bound *)v.obj)->fn;
}

void gx_property_name(gx_borrowed v, gx_sym name) {
    if (is_a(v, &gx_type_property)) ((property *)v.obj)->name = name;
}

/* "property 'x' of 'Temp' object has no setter". */
static bool has_no(gx_rt *rt, gx_borrowed v, const char *type, const char *what) {
    gx_sym name = ((property *)v.obj)->name;
    const char *quote = name ? "'" : "";
    return gx_fail(rt, GX_AttributeError, "attr.property",
                   "property%s%s%s%s of '%s' object has no %s", name ? " " : "", quote,
                   name ? gx_sym_text(rt, name) : "", quote, type, what);
}

const gx_value *gx_property_getter(gx_borrowed v) {
    return &((property *)v.obj)->part[GETTER];
}

/* The name under which a cached_property keeps what was computed; 0: an error, none was given. */
static gx_sym cached_name(gx_rt *rt, gx_borrowed cached) {
    gx_value name = ((gx_bound *)cached.obj)->self;
    if (name.tag == GX_STR) return gx_str_sym(rt, name);
    gx_fail(rt, GX_TypeError, "attr.cached",
            "Cannot use cached_property instance without calling __set_name__ on it.");
    gx_help(rt, "name it in the class's body, or call p.__set_name__(cls, \"p\")");
    return 0;
}

bool gx_cached_set_name(gx_rt *rt, gx_borrowed v, gx_borrowed name) {
    gx_bound *b = (gx_bound *)v.obj;
    bool same = true;
    if (b->self.tag != GX_STR) {
        gx_value old = b->self;
        b->self = gx_keep(name);
        gx_drop(old);
        return true;
    }
    if (!gx_equal(rt, b->self, name, &same) || same) return !gx_failed(&rt->error);
    gx_buf text = gx_buf_new(rt);
    if (gx_repr(rt, b->self, &text) && gx_buf_puts(&text, " and ") && gx_repr(rt, name, &text))
        gx_fail(rt, GX_TypeError, "attr.cached",
                "Cannot assign the same cached_property to two different names (%s).",
                gx_buf_text(&text));
    gx_buf_free(&text);
    return false;
}

/* An instance without room for attributes: only its __getattr__ can know a __dict__. */
static bool has_no_room(gx_rt *rt, gx_borrowed self, gx_sym name) {
    gx_value dict, get;
    gx_sym sym = gx_sym_c(rt, "__dict__"), asked = gx_sym_c(rt, "get");
    if (sym && asked && gx_get_attr(rt, self, sym, &dict)) {
        bool has = gx_get_attr(rt, dict, asked, &get);
        gx_drop(dict);
        if (!has) return false;
        gx_drop(get);
    } else if (rt->error.kind != GX_AttributeError)
        return false;
    else
        gx_error_clear(rt);
    return gx_fail(rt, GX_TypeError, "attr.dict",
                   "No '__dict__' attribute on '%s' instance to cache '%s' property.",
                   gx_type_name(self), gx_sym_text(rt, name));
}

/* cached_property: computed once, then an attribute of the instance, which super() finds, too. */
static bool compute(gx_rt *rt, gx_borrowed cached, gx_borrowed self, gx_value *out) {
    gx_value fn = inner(cached);
    gx_hold(fn);
    gx_sym name = cached_name(rt, cached);
    gx_try has = GX_TRY_ERROR;
    if (name && gx_class_of(gx_type_of(self))->closed)
        has_no_room(rt, self, name);
    else if (name)
        has = gx_instance_find_plain(rt, self, name, out);
    bool ok = has == GX_TRY_YES;
    if (has == GX_TRY_NO && gx_call_value(rt, fn, 1, &self, 0, NULL, out)) {
        ok = gx_instance_set_plain(rt, self, name, *out) == GX_TRY_YES;
        if (!ok) gx_drop(gx_steal(out));
    }
    gx_drop(fn);
    return ok;
}

/* str.upper, dict.__repr__: methods of builtin types, unlike functions such as len, are methods in
   a class of the script too. */
static bool is_builtin_method(gx_borrowed v) {
    const char *open = v.tag == GX_NATIVE && v.native->sig ? strchr(v.native->sig, '(') : NULL;
    if (!open) return false;
    if (strncmp(open, "(self", 5) == 0) return true;
    return strncmp(v.native->name, "__", 2) == 0 && strncmp(open, "(object", 7) == 0;
}

bool gx_bind_found(gx_rt *rt, gx_borrowed found, gx_borrowed self, const gx_type *cls,
                   gx_value *out) {
    bool instance = self.tag != GX_UNDEF;
    if (found.tag == GX_FUNC && instance) return gx_bound_new(rt, self, found, out);
    if (instance && is_builtin_method(found)) return gx_bound_new(rt, self, found, out);
    if (found.tag != GX_OBJECT) {
        *out = gx_keep(found);
        return true;
    }
    const gx_type *t = found.obj->type;
    if (t == &gx_type_staticmethod) {
        *out = gx_keep(inner(found));
        return true;
    }
    if (t == &gx_type_classmethod) {
        gx_value owner = gx_type_value(cls);
        bool ok = gx_bound_new(rt, owner, inner(found), out);
        gx_drop(owner);
        return ok;
    }
    if (t == &gx_type_property && instance) {
        gx_value getter = ((property *)found.obj)->part[GETTER];
        if (getter.tag == GX_NONE) return has_no(rt, found, cls->name, "getter");
        gx_keep(found);
        bool ok = gx_call_value(rt, getter, 1, &self, 0, NULL, out);
        gx_drop(found);
        return ok;
    }
    if (t == &gx_type_slot_member && instance) return gx_slot_read(rt, found, self, out);
    if (t == &gx_type_attribute && instance) return gx_attribute_read(rt, found, self, out);
    if (t == &gx_type_cached_property && instance) return compute(rt, found, self, out);
    if (t->call && !t->heap && instance && strncmp(t->name, "functools._lru", 14) == 0)
        return gx_bound_new(rt, self, found, out);
    if (gx_class_hook(rt, t, GX_HOOK_get).tag != GX_UNDEF) {
        gx_value args[2] = {instance ? self : gx_none(), gx_type_value(cls)};
        gx_keep(found);
        gx_try done = gx_call_hook(rt, found, GX_HOOK_get, 2, args, out);
        gx_drop(found);
        gx_drop(args[1]);
        return done == GX_TRY_YES;
    }
    *out = gx_keep(found);
    return true;
}

bool gx_is_data_descriptor(gx_rt *rt, gx_borrowed found) {
    if (found.tag != GX_OBJECT) return false;
    const gx_type *t = found.obj->type;
    if (t == &gx_type_property || t == &gx_type_slot_member || t == &gx_type_attribute) return true;
    return t->heap && (gx_class_hook(rt, t, GX_HOOK_set).tag != GX_UNDEF ||
                       gx_class_hook(rt, t, GX_HOOK_delete).tag != GX_UNDEF);
}

gx_try gx_set_descriptor(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value) {
    gx_value args[2] = {self, value}, r;
    bool removes = value.tag == GX_UNDEF;
    if (is_a(found, &gx_type_property)) {
        gx_value fn = ((property *)found.obj)->part[removes ? DELETER : SETTER];
        if (fn.tag == GX_NONE) {
            has_no(rt, found, gx_as_type(self) ? gx_metaclass(self)->name : gx_type_name(self),
                   removes ? "deleter" : "setter");
            return GX_TRY_ERROR;
        }
        gx_keep(fn);
        bool ok = gx_call_value(rt, fn, removes ? 1 : 2, args, 0, NULL, &r);
        gx_drop(fn);
        if (ok) gx_drop(r);
        return ok ? GX_TRY_YES : GX_TRY_ERROR;
    }
    if (is_a(found, &gx_type_slot_member))
        return gx_slot_write(rt, found, self, value) ? GX_TRY_YES : GX_TRY_ERROR;
    if (is_a(found, &gx_type_attribute))
        return gx_attribute_write(rt, found, self, value) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_keep(found);
    gx_try done =
        gx_call_hook(rt, found, removes ? GX_HOOK_delete : GX_HOOK_set, removes ? 1 : 2, args, &r);
    gx_drop(found);
    if (done == GX_TRY_YES) gx_drop(r);
    if (done == GX_TRY_NO) {
        gx_fail(rt, GX_AttributeError, "attr.missing", removes ? "__delete__" : "__set__");
        return GX_TRY_ERROR;
    }
    return done;
}

/* --- asked for by hand ------------------------------------------------------------------------ */

static bool call_get(gx_call *c, gx_value *out) {
    gx_value self = c->argv[1];
    const gx_type *cls = gx_as_type(c->argv[2]);
    if (self.tag == GX_NONE && !cls)
        return gx_fail(c->rt, GX_TypeError, "call.arguments", "__get__(None, None) is invalid");
    if (!cls) cls = gx_type_of(self);
    return gx_bind_found(c->rt, c->argv[0], self.tag == GX_NONE ? gx_undef() : self, cls, out);
}

static bool write(gx_call *c, gx_borrowed value, gx_value *out) {
    *out = gx_none();
    return gx_set_descriptor(c->rt, c->argv[0], c->argv[1], value) == GX_TRY_YES;
}
static bool call_set(gx_call *c, gx_value *out) {
    return write(c, c->argv[2], out);
}
static bool call_delete(gx_call *c, gx_value *out) {
    return write(c, gx_undef(), out);
}

/* clang-format off */
#define GET_ROW                                                                                    \
    {"__get__", "__get__(self, instance, owner=None, /)", "As an instance or the class shows it.", \
     NULL, call_get, 0, 0}
const gx_native gx_descriptor_methods[] = {GET_ROW, {0}};
#define DATA_ROWS                                                                                  \
    GET_ROW, {"__set__", "__set__(self, instance, value, /)", "Sets the instance's attribute.",    \
              NULL, call_set, 0, 0},                                                               \
        {"__delete__", "__delete__(self, instance, /)", "Removes the instance's attribute.", NULL, \
         call_delete, 0, 0}
/* clang-format on */
const gx_native gx_data_descriptor_methods[] = {DATA_ROWS, {0}};

/* --- property --------------------------------------------------------------------------------- */

static void property_free(gx_rt *rt, gx_obj *o) {
    property *p = (property *)o;
    gx_container_untrack(rt, &p->head);
    for (int i = 0; i < PARTS; i++) gx_drop(p->part[i]);
    gx_obj_release(rt, o);
}

static void property_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    property *p = (property *)o;
    for (int i = 0; i < PARTS; i++)
        if (gx_is_object(p->part[i])) visit(p->part[i].obj, ctx);
}

static void property_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    property *p = (property *)o;
    for (int i = 0; i < PARTS; i++) {
        gx_value old = p->part[i];
        p->part[i] = gx_none();
        gx_drop(old);
    }
}

static bool property_new(gx_rt *rt, const gx_borrowed *parts, gx_value *out) {
    property *p = gx_obj_new(rt, &gx_type_property, sizeof *p);
    if (!p) return false;
    for (int i = 0; i < PARTS; i++) p->part[i] = gx_keep(parts[i]);
    gx_container_track(rt, &p->head);
    *out = gx_object(&p->head.obj);
    return true;
}

static bool property_make(gx_call *c, gx_value *out) {
    return property_new(c->rt, c->argv, out);
}

static bool replaced(gx_call *c, int which, gx_value *out) {
    gx_value parts[PARTS];
    memcpy(parts, ((property *)c->argv[0].obj)->part, sizeof parts);
    parts[which] = c->argv[1];
    return property_new(c->rt, parts, out);
}

static bool property_getter(gx_call *c, gx_value *out) {
    return replaced(c, GETTER, out);
}
static bool property_setter(gx_call *c, gx_value *out) {
    return replaced(c, SETTER, out);
}
static bool property_deleter(gx_call *c, gx_value *out) {
    return replaced(c, DELETER, out);
}

static bool keep_part(gx_borrowed self, int which, gx_value *out) {
    *out = gx_keep(((property *)self.obj)->part[which]);
    return true;
}
static bool get_fget(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return keep_part(self, GETTER, out);
}
static bool get_fset(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return keep_part(self, SETTER, out);
}
static bool get_fdel(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return keep_part(self, DELETER, out);
}
static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    property *p = (property *)self.obj;
    gx_sym name = gx_sym_c(rt, "__doc__");
    if (p->part[DOC].tag != GX_NONE || p->part[GETTER].tag == GX_NONE)
        return keep_part(self, DOC, out);
    return name && gx_get_attr(rt, p->part[GETTER], name, out);
}

static const gx_member property_members[] = {
    {"fget", get_fget, NULL, "The getter."},
    {"fset", get_fset, NULL, "The setter."},
    {"fdel", get_fdel, NULL, "The deleter."},
    {"__doc__", get_doc, NULL, "What it is for."},
    {0},
};
static const gx_native property_methods[] = {
    DATA_ROWS,
    {"getter", "getter(self, fget, /)", "A copy with another getter.", NULL, property_getter, 0, 0},
    {"setter", "setter(self, fset, /)", "A copy with a setter.", NULL, property_setter, 0, 0},
    {"deleter", "deleter(self, fdel, /)", "A copy with a deleter.", NULL, property_deleter, 0, 0},
    {0},
};
static const gx_native property_row = {
    "property",
    "property(fget=None, fset=None, fdel=None, doc=None)",
    "An attribute of instances that is computed.",
    NULL,
    property_make,
    0,
    0,
};
const gx_type gx_type_property = {
    .name = "property",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = property_free,
    .traverse = property_traverse,
    .clear = property_clear,
    .construct = &property_row,
    .methods = property_methods,
    .members = property_members,
    .doc = "An attribute of instances that is computed.",
};

/* --- staticmethod, classmethod, cached_property, super: gx_bounds of other types --- */

static bool bound_like(gx_rt *rt, const gx_type *type, gx_borrowed self, gx_borrowed fn,
                       gx_value *out) {
    gx_bound *b = gx_obj_new(rt, type, sizeof *b);
    if (!b) return false;
    b->self = gx_keep(self);
    b->fn = gx_keep(fn);
    gx_container_track(rt, &b->head);
    *out = gx_object(&b->head.obj);
    return true;
}

static bool wrap(gx_call *c, gx_value *out) {
    return bound_like(c->rt, c->type, gx_none(), c->argv[0], out);
}

static bool get_func(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(inner(self));
    return true;
}

static gx_try wrapped_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    return gx_try_attr(rt, inner(v), name, out);
}

static bool static_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    return gx_call_value(rt, inner(self), argc, argv, kwc, kw, out);
}

static const gx_member wrapped_members[] = {
    {"__func__", get_func, NULL, "The function."},
    {"__wrapped__", get_func, NULL, "The function."},
    {0},
};
static const gx_native static_row = {
    "staticmethod",
    "staticmethod(function, /)",
    "A function in a class that gets no instance.",
    NULL,
    wrap,
    0,
    0,
};
static const gx_native class_row = {
    "classmethod",
    "classmethod(function, /)",
    "A method whose first argument is the class.",
    NULL,
    wrap,
    0,
    0,
};
static const gx_native cached_row = {
    "cached_property",
    "cached_property(func, /)",
    "A property that is computed once.",
    NULL,
    wrap,
    0,
    0,
};

static bool call_set_name(gx_call *c, gx_value *out) {
    if (c->argv[2].tag != GX_STR) return gx_arg_wrong(c, 2, "a str");
    *out = gx_none();
    return gx_cached_set_name(c->rt, c->argv[0], c->argv[2]);
}
static const gx_native cached_methods[] = {
    GET_ROW,
    {"__set_name__", "__set_name__(self, owner, name, /)", "The name that keeps what is computed.",
     NULL, call_set_name, 0, 0},
    {0},
};
static bool get_attrname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(((gx_bound *)self.obj)->self);
    return true;
}
static const gx_member cached_members[] = {
    {"func", get_func, NULL, "The function."},
    {"attrname", get_attrname, NULL, "The name that keeps what is computed, or None."},
    {0},
};

#define WRAPPER(id, text, row, call_fn, member_rows, method_rows)                                  \
    const gx_type id = {                                                                           \
        .name = text,                                                                              \
        .tag = GX_OBJECT,                                                                          \
        .dtype = GX_NO_DTYPE,                                                                      \
        .container = true,                                                                         \
        .free = gx_bound_free,                                                                     \
        .traverse = gx_bound_traverse,                                                             \
        .clear = gx_bound_clear,                                                                   \
        .attr = wrapped_attr,                                                                      \
        .members = member_rows,                                                                    \
        .methods = method_rows,                                                                    \
        .construct = &row,                                                                         \
        .call = call_fn,                                                                           \
    }
WRAPPER(gx_type_staticmethod, "staticmethod", static_row, static_call, wrapped_members,
        gx_descriptor_methods);
WRAPPER(gx_type_classmethod, "classmethod", class_row, NULL, wrapped_members,
        gx_descriptor_methods);
WRAPPER(gx_type_cached_property, "functools.cached_property", cached_row, NULL, cached_members,
        cached_methods);

bool gx_classmethod_new(gx_rt *rt, gx_borrowed fn, gx_value *out) {
    return bound_like(rt, &gx_type_classmethod, gx_none(), fn, out);
}

/* The class whose order super follows: self itself, its class, or its metaclass. */
static const gx_type *looked_in(const gx_type *after, gx_borrowed self) {
    const gx_type *as_class = gx_as_type(self);
    if (as_class && (gx_type_is(as_class, after) || !gx_type_is(after, &gx_type_type)))
        return as_class;
    return as_class ? gx_metaclass(self) : gx_type_of(self);
}

/* super(cls, self): fn the class after which to look, self the instance or class. */
static bool super_make(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0) || !gx_arg_given(c, 1))
        return gx_fail(c->rt, GX_RuntimeError, "super.arguments",
                       "super() without arguments works inside a method of a class only");
    const gx_foreign *foreign = gx_type_of(c->argv[0])->foreign;
    if (foreign) return foreign->super(c->rt, c->argv[0], c->argv[1], out);
    const gx_type *after = gx_as_type(c->argv[0]);
    if (!after || !gx_type_is(looked_in(after, c->argv[1]), after))
        return gx_fail(c->rt, GX_TypeError, "super.arguments",
                       "super(type, obj): obj must be an instance or subtype of type");
    return bound_like(c->rt, &gx_type_super, c->argv[1], c->argv[0], out);
}

static gx_try super_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_bound *b = (gx_bound *)v.obj;
    const gx_type *builtin, *cls = looked_in(gx_as_type(b->fn), b->self);
    bool as_class = gx_as_type(b->self) == cls;
    const gx_native *row = NULL;
    if (!cls->heap) return GX_TRY_NO;
    gx_value found = gx_class_find_after(rt, gx_class_of(cls), gx_as_type(b->fn), name, &builtin);
    gx_value self = as_class ? gx_undef() : b->self;
    if (found.tag != GX_UNDEF)
        return gx_bind_found(rt, found, self, cls, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (!builtin) return GX_TRY_NO;
    builtin = gx_class_of(cls)->builtin;
    row = gx_type_method(rt, builtin, name);
    if (!row) row = gx_slot_native(builtin, gx_sym_text(rt, name));
    if (!row && (as_class || gx_as_type(b->self))) return GX_TRY_NO;
    if (!row) return gx_instance_builtin_attr(rt, b->self, name, out);
    gx_value fn = gx_native_value(row, GX_NS_GX);
    /* __new__ and __init_subclass__ get the class by hand. */
    if (strcmp(row->name, "__new__") == 0) {
        *out = fn;
        return GX_TRY_YES;
    }
    return gx_bound_new(rt, b->self, fn, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

static bool super_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_bound *b = (gx_bound *)v.obj;
    return gx_buf_puts(out, "<super: ") && gx_repr(rt, b->fn, out) &&
           gx_buf_printf(out, ", <%s object>>", gx_type_name(b->self));
}

static const gx_native super_row = {
    "super",
    "super(type=<no value>, object=<no value>, /)",
    "The attributes of a class's ancestors.",
    NULL,
    super_make,
    0,
    0,
};
const gx_type gx_type_super = {
    .name = "super",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = gx_bound_free,
    .traverse = gx_bound_traverse,
    .clear = gx_bound_clear,
    .attr = super_attr,
    .repr = super_repr,
    .construct = &super_row,
    .doc = "The attributes of a class's ancestors.",
};
