/* __slots__: attributes of instances that are named in the class. Their values are among the
   instance's own fields under a name that no script can write (".x"), so that they are beside
   __dict__; the class has a descriptor for each.

   Invariant: instances of a class without a dict have fields for slots only. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

typedef struct member {
    gx_container head;
    gx_sym name, hidden;
    gx_value owner; /* its class */
} member;

static member *as_member(gx_borrowed v) {
    return (member *)v.obj;
}

static void member_free(gx_rt *rt, gx_obj *o) {
    member *m = (member *)o;
    gx_container_untrack(rt, &m->head);
    gx_drop(m->owner);
    gx_obj_release(rt, o);
}

static void member_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    const gx_value owner = ((member *)o)->owner;
    if (gx_is_object(owner)) visit(owner.obj, ctx);
}

static void member_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((member *)o)->owner));
}

/* The name of its class; of one that is being collected there is none. */
static const char *owner_name(gx_rt *rt, gx_borrowed v) {
    const gx_value owner = as_member(v)->owner;
    return gx_is_object(owner) ? gx_sym_text(rt, gx_as_class(owner)->name) : "?";
}

static bool member_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_buf_printf(out, "<member '%s' of '%s' objects>", gx_sym_text(rt, as_member(v)->name),
                         owner_name(rt, v));
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, as_member(self)->name, out);
}

static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_printf(rt, out, "%s.%s", owner_name(rt, self),
                         gx_sym_text(rt, as_member(self)->name));
}

static bool get_owner(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_value owner = as_member(self)->owner;
    *out = gx_is_object(owner) ? gx_keep(owner) : gx_none();
    return true;
}

static const gx_member member_members[] = {
    {"__qualname__", get_qualname, NULL, "The class's name and the attribute's."},
    {"__name__", get_name, NULL, "The attribute's name."},
    {"__objclass__", get_owner, NULL, "The class that has it."},
    {0},
};

const gx_type gx_type_slot_member = {
    .name = "member_descriptor",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = member_free,
    .traverse = member_traverse,
    .clear = member_clear,
    .repr = member_repr,
    .members = member_members,
    .methods = gx_data_descriptor_methods,
    .doc = "An attribute that __slots__ names.",
};

static bool missing(gx_rt *rt, gx_borrowed self, gx_borrowed found) {
    return gx_fail(rt, GX_AttributeError, "attr.unknown", "'%s' object has no attribute '%s'",
                   gx_type_name(self), gx_sym_text(rt, as_member(found)->name));
}

gx_sym gx_slot_field(gx_borrowed found) {
    return as_member(found)->hidden;
}

bool gx_slot_read(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_value *out) {
    gx_value *place = gx_is_instance(self)
                          ? gx_named_find(&gx_part_of(self.obj)->fields, as_member(found)->hidden)
                          : NULL;
    if (!place) return missing(rt, self, found);
    *out = gx_keep(*place);
    return true;
}

bool gx_slot_write(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value) {
    gx_sym hidden = as_member(found)->hidden;
    if (!gx_is_instance(self)) return missing(rt, self, found);
    gx_named *fields = &gx_part_of(self.obj)->fields;
    if (value.tag != GX_UNDEF) return gx_named_set(rt, fields, hidden, value);
    return gx_named_remove(fields, hidden) || missing(rt, self, found);
}

static gx_sym hidden_name(gx_rt *rt, const char *name) {
    gx_buf b = gx_buf_new(rt);
    gx_sym sym = gx_buf_printf(&b, ".%s", name) ? gx_sym_of(rt, b.data, b.length) : 0;
    gx_buf_free(&b);
    return sym;
}

static bool is_identifier(const char *text) {
    if (!*text || (*text >= '0' && *text <= '9')) return false;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

/* "__x" in class A is "_A__x". */
static gx_sym mangled(gx_rt *rt, const gx_class *cls, gx_sym name) {
    const char *text = gx_sym_text(rt, name), *owner = gx_sym_text(rt, cls->name);
    size_t n = strlen(text);
    while (*owner == '_') owner++;
    if (strncmp(text, "__", 2) != 0 || !*owner || (n > 3 && strcmp(text + n - 2, "__") == 0))
        return name;
    gx_buf b = gx_buf_new(rt);
    gx_sym sym = gx_buf_printf(&b, "_%s%s", owner, text) ? gx_sym_of(rt, b.data, b.length) : 0;
    gx_buf_free(&b);
    return sym;
}

static bool add_member(gx_rt *rt, gx_borrowed v, gx_sym name) {
    gx_class *cls = gx_as_class(v);
    if (!(name = mangled(rt, cls, name))) return false;
    if (gx_named_find(&cls->attrs, name))
        return gx_fail(rt, GX_ValueError, "class.slots",
                       "'%s' in __slots__ conflicts with class variable", gx_sym_text(rt, name));
    member *m = gx_obj_new(rt, &gx_type_slot_member, sizeof *m);
    if (!m) return false;
    m->name = name;
    m->owner = gx_keep(v);
    gx_container_track(rt, &m->head);
    m->hidden = hidden_name(rt, gx_sym_text(rt, name));
    gx_value made = gx_object(&m->head.obj);
    bool ok = m->hidden && gx_class_set(rt, v, name, made);
    gx_drop(made);
    cls->slots++;
    return ok;
}

/* One entry of __slots__. */
static bool take(gx_rt *rt, gx_borrowed v, gx_borrowed entry, bool *dict) {
    gx_class *cls = gx_as_class(v);
    if (entry.tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "class.slots", "__slots__ items must be strings, not '%s'",
                       gx_type_name(entry));
    gx_sym name = gx_str_sym(rt, entry);
    if (!name) return false;
    const char *text = gx_sym_text(rt, name);
    if (strcmp(text, "__weakref__") == 0) return true;
    if (strcmp(text, "__dict__") == 0) {
        if (*dict)
            return gx_fail(rt, GX_TypeError, "class.slots",
                           "__dict__ slot disallowed: we already got one");
        *dict = true;
        return true;
    }
    if (!is_identifier(text))
        return gx_fail(rt, GX_TypeError, "class.slots", "__slots__ must be identifiers");
    const gx_type *b = cls->builtin;
    if (b == &gx_type_int || b == &gx_type_bytes || b == &gx_type_tuple)
        return gx_fail(rt, GX_TypeError, "class.slots",
                       "nonempty __slots__ not supported for subtype of '%s'", b->name);
    return add_member(rt, v, name);
}

/* The instances of the classes above have a dict. */
static bool inherits_dict(const gx_class *cls) {
    for (int32_t i = 1; i < cls->order_count; i++)
        if (cls->order[i]->heap && !gx_class_of(cls->order[i])->closed) return true;
    return cls->builtin->tag == GX_EXCEPTION;
}

bool gx_class_take_slots(gx_rt *rt, gx_borrowed v) {
    gx_class *cls = gx_as_class(v);
    gx_sym name = gx_sym_c(rt, "__slots__");
    if (!name) return false;
    gx_value *given = gx_named_find(&cls->attrs, name), list;
    if (!given) return true;
    bool ok, dict = inherits_dict(cls), above = dict;
    gx_value words = gx_keep(*given);
    if (words.tag == GX_STR)
        ok = gx_list_new(rt, 1, &words, &list);
    else
        ok = gx_list_of(rt, words, &list);
    gx_drop(words);
    if (!ok) return false;
    for (int64_t i = 0; ok && i < gx_as_list(list)->count; i++)
        ok = take(rt, v, gx_as_list(list)->items[i], &dict);
    gx_drop(list);
    cls->closed = !dict && !above;
    return ok;
}

/* The class whose slots an ancestor's instances end with, or NULL. */
static const gx_class *solid(const gx_type *t) {
    if (!t->heap) return NULL;
    const gx_class *cls = gx_class_of(t);
    for (int32_t i = 0; i < cls->order_count; i++)
        if (cls->order[i]->heap && gx_class_of(cls->order[i])->slots)
            return gx_class_of(cls->order[i]);
    return NULL;
}

bool gx_class_check_slots(gx_rt *rt, gx_borrowed bases) {
    const gx_value *items;
    int64_t n = gx_sequence_items(bases, &items);
    const gx_class *best = NULL;
    for (int64_t i = 0; i < n; i++) {
        const gx_class *next = solid(gx_as_type(items[i]));
        if (!next || (best && gx_class_is(&best->type, &next->type))) continue;
        if (best && !gx_class_is(&next->type, &best->type))
            return gx_fail(rt, GX_TypeError, "class.layout",
                           "multiple bases have instance lay-out conflict");
        best = next;
    }
    for (int64_t i = 0; best && i < n; i++) { /* data of a builtin type beside the slots */
        const gx_type *b = gx_plain_type(gx_as_type(items[i]));
        if (b == &gx_type_object || b == &gx_type_abc || gx_type_is(gx_plain_type(&best->type), b))
            continue;
        return gx_fail(rt, GX_TypeError, "class.layout",
                       "multiple bases have instance lay-out conflict");
    }
    return true;
}

/* --- attributes of builtin types -------------------------------------------------------------- */
/* int.real is `<attribute 'real' of 'int' objects>`, which reads and sets that attribute of a value
   by __get__ and __set__, also from a script's class that has it under another name. */

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

static bool attribute_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, as_attribute(self)->member->name, out);
}
static bool attribute_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_printf(rt, out, "%s.%s", last_part(as_attribute(self)->owner->name),
                         as_attribute(self)->member->name);
}
static bool attribute_owner(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_type_value(as_attribute(self)->owner);
    return true;
}
static bool attribute_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const char *doc = as_attribute(self)->member->doc;
    if (doc) return gx_str_c(rt, doc, out);
    *out = gx_none();
    return true;
}

static const gx_member attribute_members[] = {
    {"__name__", attribute_name, NULL, "The attribute's name."},
    {"__qualname__", attribute_qualname, NULL, "The type's name and the attribute's."},
    {"__objclass__", attribute_owner, NULL, "The type that has it."},
    {"__doc__", attribute_doc, NULL, "What it is."},
    {0},
};
const gx_type gx_type_attribute = {
    .name = "getset_descriptor",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .free = free_attribute,
    .repr = attribute_repr,
    .members = attribute_members,
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

static bool applies(gx_rt *rt, gx_borrowed found, gx_borrowed self) {
    const attribute *a = as_attribute(found);
    return gx_isinstance(self, a->owner) ||
           gx_fail(rt, GX_TypeError, "call.self",
                   "descriptor '%s' for '%s' objects doesn't apply to a '%s' object",
                   a->member->name, a->owner->name, gx_type_name(self));
}

bool gx_attribute_read(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_value *out) {
    if (!applies(rt, found, self)) return false;
    gx_value held = gx_hold(self);
    const bool ok = as_attribute(found)->member->get(rt, self, out);
    gx_drop(held);
    return ok;
}

bool gx_attribute_write(gx_rt *rt, gx_borrowed found, gx_borrowed self, gx_borrowed value) {
    const attribute *a = as_attribute(found);
    if (!applies(rt, found, self)) return false;
    if (a->member->set && value.tag != GX_UNDEF) {
        const bool held = gx_hold2(self, value), ok = a->member->set(rt, self, value);
        gx_release2(held, self, value);
        return ok;
    }
    return gx_fail(rt, GX_AttributeError, "attr.readonly",
                   "attribute '%s' of '%s' objects is not writable", a->member->name,
                   a->owner->name);
}
