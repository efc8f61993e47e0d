/* Attributes of instances by what their class's cache knows of the name (gx_found): the way that
   most reads and stores in a script's methods go. Whatever it cannot tell goes the long way, in
   instance.c.

   Invariant: nothing here runs code of a script. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"

/* The place of a field, as gx_named_find; inline here. */
static inline gx_value *field_place(gx_named *f, gx_sym name) {
    for (int32_t i = 0; i < f->count; i++)
        if (f->names[i] == name) return &f->values[i];
    return NULL;
}

bool gx_instance_get_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_type *type = v.obj->type;
    gx_class *cls = gx_class_of(type);
    const gx_found *e = &cls->cache[name % GX_CLASS_CACHE];
    if (GX_UNLIKELY(e->name != name || e->version != rt->heap->classes->version) ||
        e->shows == GX_SHOWS_ASKED || type->attr == gx_instance_attr_asked)
        return false;
    gx_part *part = gx_part_of(v.obj);
    const gx_value *place = field_place(&part->fields, e->field);
    if (!place) {
        /* Fields of an instance that has a __dict__ are there. */
        if (e->shows != GX_SHOWS_VALUE || part->dict.tag != GX_UNDEF) return false;
        place = &e->value;
    }
    *out = gx_keep(*place);
    return true;
}

bool gx_instance_set_quick(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_class *cls = gx_class_of(v.obj->type);
    const gx_found *e = &cls->cache[name % GX_CLASS_CACHE];
    if (GX_UNLIKELY(e->name != name || e->version != rt->heap->classes->version) || !e->direct)
        return false;
    gx_value *place = field_place(&gx_part_of(v.obj)->fields, e->field), old;
    if (!place) return false;
    old = *place;
    *place = gx_keep(value);
    gx_drop(old);
    return true;
}
