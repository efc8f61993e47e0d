/* Attributes of builtin types as objects: int.real is `<attribute 'real' of 'int' objects>`, which
   reads and sets that attribute of a value by __get__ and __set__, also from a script's class that
   has it under another name. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

typedef struct attribute {
    gx_obj obj;
    const gx_type *owner;
    const gx_member *member;
} attribute;

static attribute *as_attribute(gx_borrowed v) {
    return (attribute *)v.obj;
}

static void free_attribute(gx_rt *rt, gx_obj *o) {
    gx_obj_release(rt, o);
}

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool attribute_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const attribute *a = as_attribute(v);
    return gx_buf_printf(out, "<attribute '%s' of '%s' objects>", a->member->name, a->owner->name);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, as_attribute(self)->member->name, out);
}
static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_printf(rt, out, "%s.%s", last_part(as_attribute(self)->owner->name),
                         as_attribute(self)->member->name);
}
static bool get_owner(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_type_value(as_attribute(self)->owner);
    return true;
}
static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const char *doc = as_attribute(self)->member->doc;
    if (doc) return gx_str_c(rt, doc, out);
    *out = gx_none();
    return true;
}

static const gx_member members[] = {
    {"__name__", get_name, NULL, "The attribute's name."},
    {"__qualname__", get_qualname, NULL, "The type's name and the attribute's."},
    {"__objclass__", get_owner, NULL, "The type that has it."},
    {"__doc__", get_doc, NULL, "What it is."},
    {0},
};
const gx_type gx_type_attribute = {
    .name = "getset_descriptor",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .free = free_attribute,
    .repr = attribute_repr,
    .members = members,
    .methods = gx_data_descriptor_methods,
    .doc = "An attribute of a builtin type.",
};

gx_try gx_attribute_of(gx_rt *rt, const gx_type *type, gx_sym name, gx_value *out) {
    const gx_member *m = gx_type_member(rt, type, name);
    if (!m || strcmp(m->name, "__dict__") == 0) return GX_TRY_NO; /* that is the type's own */
    attribute *a = gx_obj_new(rt, &gx_type_attribute, sizeof *a);
    if (!a) return GX_TRY_ERROR;
    while (type->base && gx_type_member(rt, type->base, name) == m) type = type->base;
    a->owner = type;
    a->member = m;
    *out = gx_object(&a->obj);
    return GX_TRY_YES;
}

static bool fits(gx_rt *rt, gx_borrowed found, gx_borrowed self) {
    const attribute *a = as_attribute(found);
    return gx_isinstance(self, a->owner) ||
           gx_fail(rt, GX_TypeError, "call.self",
                   "descriptor '%s' for '%s' objects doesn't apply to a '%s' object",
                   a->member->name, a->owner->name, gx_type_name(self));
}

bool gx_attribute_read(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_value *out) {
    return fits(rt, found, self) && as_attribute(found)->member->get(rt, self, out);
}

bool gx_attribute_write(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value) {
    const attribute *a = as_attribute(found);
    if (!fits(rt, found, self)) return false;
    if (a->member->set && value.tag != GX_UNDEF) return a->member->set(rt, self, value);
    return gx_fail(rt, GX_AttributeError, "attr.readonly",
                   "attribute '%s' of '%s' objects is not writable", a->member->name,
                   a->owner->name);
}
