/* Class objects: birth and death, attributes by name through the order of ancestors, and what holds
   for a class as a whole. Lookups are kept in a small cache a class.

   Invariant: cached answers are valid while the shared version has not moved; every change of any
   class moves it. */
#include "runtime/object/class/hooks.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"

/* --- fields ----------------------------------------------------------------------------------- */

/* --- shared state ----------------------------------------------------------------------------- */

static void changed(gx_rt *rt) {
    rt->class_version++;
}

/* --- lookups ---------------------------------------------------------------------------------- */

/* --- birth ------------------------------------------------------------------------------------ */

static void leave_bases(gx_class *cls) {
    const gx_value *items;
    int64_t n = gx_sequence_items(cls->bases, &items);
    for (int64_t i = 0; i < n; i++) {
        if (!gx_is_class(items[i])) continue;
        gx_class *base = gx_as_class(items[i]);
        for (int32_t k = 0; k < base->below_count; k++)
            if (base->below[k] == cls) base->below[k--] = base->below[--base->below_count];
    }
}

static bool join_bases(gx_rt *rt, gx_class *cls) {
    const gx_value *items;
    int64_t n = gx_sequence_items(cls->bases, &items);
    for (int64_t i = 0; i < n; i++) {
        if (!gx_is_class(items[i])) continue;
        gx_class *base = gx_as_class(items[i]);
        if (base->below_count == base->below_room) {
            int32_t room = base->below_room ? base->below_room * 2 : 4;
            gx_class **list = gx_realloc(rt, base->below, (size_t)room * sizeof *list);
            if (!list) return false;
            base->below = list;
            base->below_room = room;
        }
        base->below[base->below_count++] = cls;
    }
    return true;
}

static size_t bytes_of(const gx_type *builtin) {
    if (builtin->tag == GX_EXCEPTION) return sizeof(gx_exception);
    if (builtin->tag == GX_LIST) return sizeof(gx_list);
    if (builtin->tag == GX_DICT || builtin->tag == GX_SET) return sizeof(gx_dict);
    return sizeof(gx_container);
}

bool gx_class_new(gx_rt *rt, gx_sym name, gx_sym module, const char *doc, gx_borrowed bases,
                  gx_value *out) {
    if (!gx_classes_of(rt)) return false;
    gx_class *cls = gx_obj_new(rt, gx_core_types[GX_TYPE], sizeof *cls);
    if (!cls) return false;
    cls->head.obj.tag = GX_OBJECT;
    cls->name = name;
    cls->module = module;
    cls->bases = gx_keep(bases);
    cls->builtin = &gx_type_object;
    size_t doc_bytes = doc ? strlen(doc) + 1 : 0;
    bool told = !doc || (cls->doc = gx_alloc(rt, doc_bytes));
    if (doc && told) memcpy(cls->doc, doc, doc_bytes);
    if (!told || !gx_class_order(rt, cls) || !gx_class_check_slots(rt, bases) ||
         !join_bases(rt, cls)) {
        gx_obj_drop(&cls->head.obj);
        return false;
    }
    gx_class_inherit_meta(cls);
    const gx_type *b = cls->builtin;
    bool value = gx_is_value_type(b);
    cls->part = value                ? gx_value_part(b)
                : b->tag == GX_ARRAY ? 0
                                     : (bytes_of(b) + 15) / 16 * 16;
    cls->type = (gx_type){
        .name = gx_sym_text(rt, name),
        .base = b == &gx_type_object ? NULL : b,
        .tag = b->tag == GX_INT ? GX_BIGINT : b->tag == GX_FLOAT ? GX_OBJECT : b->tag,
        .dtype = GX_NO_DTYPE,
        .error = b->error,
        .container = true,
        .heap = true,
        .apart = (value && !b->container) || b->tag == GX_ARRAY,
        .doc = cls->doc,
        .free = gx_instance_free,
        .parting = gx_instance_parting,
        .traverse = gx_instance_traverse,
        .clear = gx_instance_clear,
        .attr = gx_instance_attr,
        .set_attr = gx_instance_set_attr,
    };
    changed(rt);
    gx_class_slots(rt, cls);
    gx_container_track(rt, &cls->head);
    *out = gx_object(&cls->head.obj);
    return true;
}

bool gx_class_set(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_class *cls = gx_as_class(v);
    bool ok = true;
    if (value.tag == GX_UNDEF)
        gx_named_remove(&cls->attrs, name);
    else
        ok = gx_named_set(rt, &cls->attrs, name, value);
    changed(rt);
    const char *text = gx_sym_text(rt, name);
    if (text[0] == '_' && text[1] == '_') gx_class_slots(rt, cls);
    return ok;
}

/* --- finishing -------------------------------------------------------------------------------- */

/* The pending exception gets a note. */
static void name_failed(gx_rt *rt, gx_borrowed v, const char *type, gx_sym name) {
    gx_value exc, note, method, r;
    gx_sym add = gx_sym_c(rt, "add_note");
    if (rt->error.kind == GX_MemoryError || !add || !gx_exception_from_error(rt, &exc)) return;
    bool ok = gx_str_printf(rt, &note, "Error calling __set_name__ on '%s' instance '%s' in '%s'",
                            type, gx_sym_text(rt, name), gx_as_type(v)->name);
    if (ok && gx_get_attr(rt, exc, add, &method)) {
        if (gx_call_value(rt, method, 1, &note, 0, NULL, &r)) gx_drop(r);
        gx_drop(method);
    }
    if (ok) gx_drop(note);
    gx_error_clear(rt);
    gx_exception_raise(rt, exc);
    gx_drop(exc);
}

/* __set_name__(owner, name) of the attributes that have it. */
static bool tell_names(gx_rt *rt, gx_borrowed v) {
    gx_class *cls = gx_as_class(v);
    for (int32_t i = 0; i < cls->attrs.count; i++) {
        gx_value item = cls->attrs.values[i], args[2] = {v, gx_undef()}, r;
        gx_property_name(item, cls->attrs.names[i]);
        bool cached = gx_is_object(item) && item.obj->type == &gx_type_cached_property;
        if (!cached && !gx_is_instance(item)) continue;
        if (!cached && gx_class_hook(rt, gx_type_of(item), GX_HOOK_set_name).tag == GX_UNDEF)
            continue;
        if (!gx_str_of_sym(rt, cls->attrs.names[i], &args[1])) return false;
        gx_keep(item);
        gx_sym name = cls->attrs.names[i];
        gx_try done = GX_TRY_NO;
        if (!cached) done = gx_call_hook(rt, item, GX_HOOK_set_name, 2, args, &r);
        else if (!gx_cached_set_name(rt, item, args[1])) done = GX_TRY_ERROR;
        if (done == GX_TRY_ERROR) name_failed(rt, v, gx_type_name(item), name);
        gx_drop(item);
        gx_drop(args[1]);
        if (done == GX_TRY_ERROR) return false;
        if (done == GX_TRY_YES) gx_drop(r);
    }
    return true;
}

/* The nearest ancestor's __init_subclass__, with the class as its first argument. */
static bool tell_ancestors(gx_rt *rt, gx_borrowed v, int kwc, const gx_sym *kw,
                           const gx_borrowed *values) {
    gx_class *cls = gx_as_class(v);
    const gx_type *builtin;
    gx_value r, fn = gx_class_find_after(rt, cls, &cls->type,
                                         gx_classes_of(rt)->names[GX_HOOK_init_subclass], &builtin);
    if (fn.tag == GX_UNDEF) {
        if (!kwc) return true;
        return gx_fail(rt, GX_TypeError, "class.keyword",
                       "%s.__init_subclass__() takes no keyword arguments",
                       gx_sym_text(rt, gx_class_qualname(cls)));
    }
    if (gx_is_object(fn) && fn.obj->type == &gx_type_classmethod)
        fn = ((gx_bound *)fn.obj)->fn; /* descriptor.c: the same shape */
    gx_keep(fn);
    bool ok = gx_call_found(rt, fn, v, 0, values, kwc, kw, &r);
    gx_drop(fn);
    if (ok) gx_drop(r);
    return ok;
}

/* __init_subclass__ and __class_getitem__ are class methods by themselves. */
static bool implied_classmethod(gx_rt *rt, gx_borrowed v, gx_sym name) {
    gx_value *found = gx_named_find(&gx_as_class(v)->attrs, name), wrapped;
    if (!found || found->tag != GX_FUNC) return true;
    if (!gx_classmethod_new(rt, *found, &wrapped)) return false;
    bool ok = gx_class_set(rt, v, name, wrapped);
    gx_drop(wrapped);
    return ok;
}

bool gx_class_finish(gx_rt *rt, gx_borrowed v, int kwc, const gx_sym *kw,
                     const gx_borrowed *values) {
    gx_class *cls = gx_as_class(v);
    const gx_sym *names = gx_classes_of(rt)->names;
    /* What compares by value and says nothing about hashing cannot be hashed. */
    if (gx_named_find(&cls->attrs, names[GX_HOOK_eq]) &&
        !gx_named_find(&cls->attrs, names[GX_HOOK_hash]) &&
        !gx_class_set(rt, v, names[GX_HOOK_hash], gx_none()))
        return false;
    if (!implied_classmethod(rt, v, names[GX_HOOK_init_subclass]) ||
        !implied_classmethod(rt, v, names[GX_HOOK_class_getitem]))
        return false;
    gx_value *given = gx_named_find(&cls->attrs, names[GX_HOOK_qualname]);
    if (given && given->tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "class.type", "type __qualname__ must be a str, not %s",
                       gx_type_name(*given));
    if (given && !(cls->qualname = gx_str_sym(rt, *given))) return false;
    if (given) gx_named_remove(&cls->attrs, names[GX_HOOK_qualname]);
    gx_value *module = gx_named_find(&cls->attrs, names[GX_HOOK_module]);
    gx_sym own = module && module->tag == GX_STR ? gx_str_sym(rt, *module) : 0;
    if (own) cls->module = own;
    return gx_class_take_slots(rt, v) && tell_names(rt, v) &&
           tell_ancestors(rt, v, kwc, kw, values);
}

/* --- death ------------------------------------------------------------------------------------ */

static void release(gx_rt *rt, gx_class *cls) {
    leave_bases(cls);
    changed(rt);
    gx_named_free(rt, &cls->attrs);
    cls->order_count = 0;
    gx_drop(gx_steal(&cls->bases));
    gx_class_set_meta(cls, NULL);
}

void gx_class_free(gx_rt *rt, gx_obj *o) {
    gx_class *cls = (gx_class *)o;
    gx_container_untrack(rt, &cls->head);
    release(rt, cls);
    changed(rt); /* another class may lie at its address */
    gx_free(rt, cls->order);
    gx_free(rt, cls->below);
    gx_free(rt, cls->doc);
    gx_obj_release(rt, o);
}

void gx_class_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_class *cls = (gx_class *)o;
    gx_named_visit(&cls->attrs, visit, ctx);
    if (gx_is_object(cls->bases)) visit(cls->bases.obj, ctx);
    if (cls->meta && cls->meta->heap) visit(&gx_class_of(cls->meta)->head.obj, ctx);
}

void gx_class_clear(gx_rt *rt, gx_obj *o) {
    release(rt, (gx_class *)o);
}

/* --- what operations ask ---------------------------------------------------------------------- */

const gx_class_ops gx_class_operations = {
    .binary = gx_class_binary, .inplace = gx_class_inplace, .compare = gx_class_compare,
    .item = gx_type_item, .bind = gx_bind_found, .defines = gx_builtin_defines,
    .attr = gx_instance_attr, .attr_asked = gx_instance_attr_asked,
};
