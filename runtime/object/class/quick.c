/* Attributes of instances by what their class's cache knows of the name (gx_found): the way that
   most reads and stores in a script's methods go. Whatever it cannot tell goes the long way, in
   instance.c.

   Invariant: nothing here runs code of a script. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/types.h"

/* What the class's cache knows of a name; NULL: nothing. */
static inline const gx_found *known(gx_rt *rt, const gx_type *type, gx_sym name) {
    const gx_found *e = &gx_class_of(type)->cache[name % GX_CLASS_CACHE];
    return e->name == name && e->version == rt->class_version ? e : NULL;
}

/* Notes in a memo that objects of the type have the field at a place, and may be read or stored
   there without asking anything. */
static void note(gx_rt *rt, gx_field_memo *m, const gx_type *type, const gx_found *e,
                 int64_t place) {
    const size_t part = gx_class_of(type)->part;
    if (!part) return;
    *m = (gx_field_memo){.type = type, .version = rt->class_version, .field = e->field,
                         .place = (int32_t)place, .part = part, .direct = e->direct};
}

bool gx_instance_get_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_field_memo *m,
                           gx_value *out) {
    const gx_type *type = v.obj->type;
    const gx_found *e = known(rt, type, name);
    if (GX_UNLIKELY(!e) || e->shows == GX_SHOWS_ASKED || type->attr == gx_instance_attr_asked)
        return false;
    gx_part *part = gx_part_of(v.obj);
    const gx_value *place = gx_named_find(&part->fields, e->field);
    if (place) {
        if (m) note(rt, m, type, e, place - part->fields.values);
    } else {
        /* Fields of an instance that has a __dict__ are there. */
        if (e->shows != GX_SHOWS_VALUE || part->dict.tag != GX_UNDEF) return false;
        place = &e->value;
    }
    *out = gx_keep(*place);
    return true;
}

bool gx_instance_set_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_field_memo *m,
                           gx_borrowed value) {
    const gx_found *e = known(rt, v.obj->type, name);
    if (GX_UNLIKELY(!e) || !e->direct) return false;
    gx_part *part = gx_part_of(v.obj);
    gx_named *f = &part->fields;
    gx_value *place = gx_named_find(f, e->field), old;
    if (!place) { /* a new one; of an instance that has a __dict__ it goes there */
        if (f->count == f->room || part->dict.tag != GX_UNDEF) return false;
        f->bits |= gx_name_bit(e->field);
        f->names[f->count] = e->field;
        f->values[f->count++] = gx_keep(value);
        return true;
    }
    note(rt, m, v.obj->type, e, place - f->values);
    old = *place;
    *place = gx_keep(value);
    gx_drop(old);
    return true;
}

gx_value gx_instance_getter(gx_rt *rt, gx_borrowed v, gx_sym name) {
    const gx_type *type = v.obj->type;
    const gx_found *e = known(rt, type, name);
    const gx_value found = e ? e->value : gx_undef(); /* e may be of another name below */
    if (found.tag != GX_OBJECT || found.obj->type != &gx_type_property ||
        type->attr == gx_instance_attr_asked ||
        gx_class_hook(rt, type, GX_HOOK_getattr).tag != GX_UNDEF)
        return gx_undef();
    return *gx_property_getter(found);
}

bool gx_class_get_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_class *cls = gx_as_class(v);
    if (cls->meta || v.obj->type != &gx_type_type) return false;
    const gx_value found = gx_class_find(rt, cls, name);
    const bool is_static = found.tag == GX_OBJECT && found.obj->type == &gx_type_staticmethod;
    if (found.tag == GX_UNDEF || (found.tag == GX_OBJECT && !is_static) || gx_is_instance(found))
        return false;
    const gx_attr_entry *e = gx_type_look_up(rt, &gx_type_type, name); /* __name__ and the like */
    if (e->member || e->method) return false;
    return gx_bind_found(rt, found, gx_undef(), &cls->type, out);
}

/* Is a call of the class no more than a new object of fields and its __init__? */
static bool makes_plain(gx_rt *rt, gx_class *cls) {
    uint64_t version = rt->class_version;
    if (GX_LIKELY(cls->making.version == version)) return cls->making.plain;
    cls->making.init = gx_class_hook(rt, &cls->type, GX_HOOK_init);
    cls->making.plain = cls->builtin == &gx_type_object &&
                        cls->making.init.tag == GX_FUNC &&
                        gx_class_hook(rt, &cls->type, GX_HOOK_new).tag == GX_UNDEF &&
                        !gx_class_is_abstract(&cls->type) &&
                        (!cls->meta || gx_class_hook(rt, cls->meta, GX_HOOK_call).tag == GX_UNDEF);
    cls->making.version = version;
    return cls->making.plain;
}

gx_value gx_class_plain_init(gx_rt *rt, gx_borrowed cls) {
    return makes_plain(rt, gx_as_class(cls)) ? gx_as_class(cls)->making.init : gx_undef();
}
