/* The rows of types: methods and members by name, those of the type's own file and those that upper
   layers add. What a name means on a type is looked up once through the type's rows, its bases'
   rows and the added ones, and then kept in a small cache by (type, name).

   Invariant: the cache never outlives a gx_type_extend, which empties it. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/types.h"

static bool extend(gx_rt *rt, gx_extension rows) {
    gx_heap *h = rt->heap;
    if (h->extension_count == h->extension_room) {
        size_t room = h->extension_room ? h->extension_room * 2 : 16;
        gx_extension *list = gx_realloc(rt, h->extensions, room * sizeof *list);
        if (!list) return false;
        h->extensions = list;
        h->extension_room = room;
    }
    h->extensions[h->extension_count++] = rows;
    if (h->attrs_used) memset(h->attrs, 0, sizeof h->attrs);
    h->attrs_used = false;
    return true;
}

bool gx_type_extend(gx_rt *rt, const gx_type *type, const gx_native *methods,
                    const gx_member *members) {
    return extend(rt, (gx_extension){.type = type, .methods = methods, .members = members});
}

bool gx_type_extend_statics(gx_rt *rt, const gx_type *type, const gx_native *statics) {
    return extend(rt, (gx_extension){.type = type, .statics = statics});
}

/* NumPy's scalars have their own. */
const gx_native *gx_type_statics(const gx_rt *rt, const gx_type *t) {
    const gx_heap *h = rt->heap;
    for (; t && t->dtype == GX_NO_DTYPE; t = t->base)
        for (size_t i = 0; i < h->extension_count; i++)
            if (h->extensions[i].type == t && h->extensions[i].statics)
                return h->extensions[i].statics;
    return NULL;
}

static const gx_native *method_in(const gx_native *rows, const char *name) {
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0) return rows;
    return NULL;
}

static const gx_member *member_in(const gx_member *rows, const char *name) {
    for (; rows && rows->name; rows++)
        if (strcmp(rows->name, name) == 0) return rows;
    return NULL;
}

static void find_rows(gx_heap *h, gx_attr_entry *e, const char *name) {
    for (const gx_type *t = e->type; t; t = gx_type_parent(t)) {
        e->member = member_in(t->members, name);
        e->method = method_in(t->methods, name);
        for (size_t i = h->extension_count; i-- > 0 && !e->member && !e->method;)
            if (h->extensions[i].type == t) {
                e->member = member_in(h->extensions[i].members, name);
                e->method = method_in(h->extensions[i].methods, name);
            }
        if (e->member || e->method) return;
    }
}

const gx_attr_entry *gx_type_look_up(gx_rt *rt, const gx_type *type, gx_sym name) {
    gx_heap *h = rt->heap;
    if (GX_UNLIKELY(type->heap)) type = gx_plain_type(type);
    size_t at = (((uintptr_t)type >> 5) * 31 + name * 7u) % GX_ATTR_CACHE;
    gx_attr_entry *e = &h->attrs[at];
    if (GX_LIKELY(e->type == type && e->name == name)) return e;
    *e = (gx_attr_entry){.type = type, .name = name};
    h->attrs_used = true;
    find_rows(h, e, gx_sym_text(rt, name));
    return e;
}

const gx_native *gx_type_method(gx_rt *rt, const gx_type *type, gx_sym name) {
    const gx_attr_entry *e = gx_type_look_up(rt, type, name);
    return e->member ? NULL : e->method;
}

const gx_member *gx_type_member(gx_rt *rt, const gx_type *type, gx_sym name) {
    return gx_type_look_up(rt, type, name)->member;
}

void gx_each_row(const gx_native *methods, const gx_member *members,
                     void (*fn)(const char *name, void *ctx), void *ctx) {
    for (; methods && methods->name; methods++) fn(methods->name, ctx);
    for (; members && members->name; members++) fn(members->name, ctx);
}

void gx_type_each(gx_rt *rt, const gx_type *t, void (*fn)(const char *name, void *ctx), void *ctx) {
    const gx_heap *h = rt->heap;
    gx_each_row(t->methods, t->members, fn, ctx);
    for (size_t i = 0; i < h->extension_count; i++)
        if (h->extensions[i].type == t)
            gx_each_row(h->extensions[i].methods, h->extensions[i].members, fn, ctx);
}
