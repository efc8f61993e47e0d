/* Instances of a script's classes: birth and death, and their attributes. An instance is the data
   of its class's builtin ancestor, then a gx_part with the attributes that were set on it.

   Invariant: an instance holds one reference to its class, dropped after everything else. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

enum { NEAR = 8 };

/* --- birth and death -------------------------------------------------------------------------- */

/* An abstract class's method that nobody has defined, or 0. */
static gx_sym abstract_method(gx_rt *rt, gx_class *cls) {
    gx_sym mark = gx_classes_of(rt)->names[GX_HOOK_abstract];
    if (!gx_class_is_abstract(&cls->type)) return 0;
    for (int32_t i = 0; i < cls->order_count; i++) {
        if (!cls->order[i]->heap) continue;
        const gx_named *f = &gx_class_of(cls->order[i])->attrs;
        for (int32_t k = 0; k < f->count; k++) {
            gx_sym name = f->names[k];
            gx_value v = gx_class_find(rt, cls, name), yes;
            if (gx_is_object(v) && v.obj->type == &gx_type_property) v = *gx_property_getter(v);
            if (!gx_is_object(v) || v.obj->type->heap) continue;
            gx_try has = gx_try_attr(rt, v, mark, &yes);
            if (has == GX_TRY_ERROR) gx_error_clear(rt);
            if (has == GX_TRY_YES) {
                gx_drop(yes);
                return name;
            }
        }
    }
    return 0;
}

/* An instance without attributes: builtin data that are zero, then the fields. */
static bool plain_object(gx_rt *rt, gx_class *cls, gx_value *out) {
    gx_obj *obj = gx_obj_new(rt, &cls->type, cls->part + sizeof(gx_part));
    if (!obj) return false;
    gx_obj_keep(&cls->head.obj);
    gx_container_track(rt, (gx_container *)obj);
    *out = gx_object(obj);
    return true;
}

bool gx_class_plain_object(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_class *cls = gx_as_class(v);
    if (!plain_object(rt, cls, out)) return false;
    const int32_t room = cls->making.room;
    if (!room || gx_named_reserve(rt, &gx_part_of(out->obj)->fields, room)) return true;
    gx_drop(*out);
    return false;
}

bool gx_instance_new(gx_rt *rt, gx_borrowed cls, int argc, const gx_borrowed *argv, gx_value *out) {
    return gx_instance_make(rt, cls, argc, argv, 0, NULL, out);
}

bool gx_instance_make(gx_rt *rt, gx_borrowed v, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    gx_class *cls = gx_as_class(v);
    if (gx_type_is(cls->builtin, &gx_type_type))
        return gx_class_make(rt, &cls->type, argc, argv, kwc, kw, out);
    gx_sym missing = abstract_method(rt, cls);
    if (missing)
        return gx_fail(rt, GX_TypeError, "class.abstract",
                       "Can't instantiate abstract class %s with abstract method %s",
                       cls->type.name, gx_sym_text(rt, missing));
    const gx_subclassing *own = cls->builtin ? cls->builtin->subclassing : NULL;
    if (own) return own->make(rt, &cls->type, argc, argv, kwc, kw, out);
    if (gx_is_value_type(cls->builtin)) {
        gx_value plain;
        if (!gx_call_value(rt, gx_type_value(cls->builtin), argc, argv, kwc, kw, &plain))
            return false;
        bool ok = gx_instance_of_value(rt, cls, plain, out);
        gx_drop(plain);
        return ok;
    }
    if (!plain_object(rt, cls, out)) return false;
    if (cls->type.tag != GX_EXCEPTION || gx_exception_new_args(rt, *out, argc, argv)) return true;
    gx_drop(gx_steal(out));
    return false;
}

static void call_del(gx_rt *rt, gx_obj *obj) {
    gx_value r;
    if (gx_call_hook(rt, gx_object(obj), GX_HOOK_del, 0, NULL, &r) == GX_TRY_YES) gx_drop(r);
}

bool gx_instance_parting(gx_rt *rt, gx_obj *obj) {
    if (gx_class_hook(rt, obj->type, GX_HOOK_del).tag == GX_UNDEF || obj->flags & GX_FINALIZED)
        return false;
    obj->flags |= GX_FINALIZED;
    return gx_last_words_later(rt, obj, call_del);
}

void gx_instance_free(gx_rt *rt, gx_obj *obj) {
    gx_class *cls = gx_class_of(obj->type);
    gx_part *part = gx_part_of(obj);
    gx_container_untrack(rt, gx_container_of(obj));
    gx_named_free(rt, &part->fields);
    gx_drop(gx_steal(&part->dict));
    if (cls->builtin->free)
        cls->builtin->free(rt, obj);
    else
        gx_obj_release(rt, obj);
    gx_obj_drop(&cls->head.obj);
}

void gx_instance_traverse(gx_obj *obj, gx_visit visit, void *ctx) {
    gx_class *cls = gx_class_of(obj->type);
    gx_part *part = gx_part_of(obj);
    gx_named_visit(&part->fields, visit, ctx);
    if (gx_is_object(part->dict)) visit(part->dict.obj, ctx);
    visit(&cls->head.obj, ctx);
    if (cls->builtin->traverse) cls->builtin->traverse(obj, visit, ctx);
}

void gx_instance_clear(gx_rt *rt, gx_obj *obj) {
    gx_class *cls = gx_class_of(obj->type);
    gx_part *part = gx_part_of(obj);
    gx_named_free(rt, &part->fields);
    gx_drop(gx_steal(&part->dict));
    if (cls->builtin->clear) cls->builtin->clear(rt, obj);
}

/* --- reading ---------------------------------------------------------------------------------- */

gx_try gx_instance_find_plain(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_part *part = gx_part_of(v.obj);
    gx_value key;
    if (GX_LIKELY(part->dict.tag == GX_UNDEF)) {
        gx_value *place = gx_named_find(&part->fields, name);
        if (!place) return GX_TRY_NO;
        *out = gx_keep(*place);
        return GX_TRY_YES;
    }
    if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
    gx_try has = gx_dict_find(rt, part->dict, key, out);
    gx_drop(key);
    return has;
}

/* A view of an array of the class is of the class. */
static bool get_member(gx_rt *rt, const gx_member *m, gx_borrowed v, gx_value *out) {
    gx_value r;
    const gx_subclassing *own = gx_plain_type(v.obj->type)->subclassing;
    if (!m->get(rt, v, &r)) return false;
    if (own && strcmp(m->name, "base") != 0) return own->like_take(rt, v, r, out);
    *out = r;
    return true;
}

gx_try gx_instance_builtin_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_type *t = gx_plain_type(v.obj->type);
    const gx_member *m = gx_type_member(rt, t, name);
    if (m) return get_member(rt, m, v, out) ? GX_TRY_YES : GX_TRY_ERROR;
    const gx_native *row = gx_type_method(rt, t, name);
    if (!row) row = gx_slot_native(t, gx_sym_text(rt, name));
    if (row) {
        bool ok = gx_bound_new(rt, v, gx_native_value(row, GX_NS_GX), out);
        return ok ? GX_TRY_YES : GX_TRY_ERROR;
    }
    for (; t; t = t->base)
        if (t->attr) {
            gx_try r = t->attr(rt, v, name, out);
            if (r != GX_TRY_NO) return r;
        }
    return GX_TRY_NO;
}

/* __getattr__(name), for a name that nothing else has. */
static gx_try ask_getattr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_value text;
    if (gx_class_hook(rt, v.obj->type, GX_HOOK_getattr).tag == GX_UNDEF) return GX_TRY_NO;
    if (!gx_stack_check(rt) || !gx_str_of_sym(rt, name, &text)) return GX_TRY_ERROR;
    gx_try done = gx_call_hook(rt, v, GX_HOOK_getattr, 1, &text, out);
    gx_drop(text);
    return done;
}

/* What the cache says from now on of a name that was looked up: for quick.c. */
static gx_found *known(gx_rt *rt, gx_class *cls, gx_sym name) {
    gx_found *e = gx_class_entry(rt, cls, name);
    const gx_value v = e->value;
    if (e->field) return e;
    e->field = name;
    if (v.tag == GX_UNDEF) {
        e->shows = GX_SHOWS_FIELD;
    } else if (v.tag == GX_OBJECT && v.obj->type == &gx_type_slot_member) {
        e->shows = GX_SHOWS_SLOT;
        e->field = gx_slot_field(v);
    } else if (v.tag != GX_FUNC && v.tag != GX_NATIVE && v.tag != GX_OBJECT) {
        e->shows = GX_SHOWS_VALUE;
    }
    return e;
}

gx_try gx_instance_attr_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_type *type = v.obj->type;
    const gx_sym *names = rt->heap->classes->names;
    gx_value found = known(rt, gx_class_of(type), name)->value;
    /* One without __get__ shows what the instance has, first. */
    if (found.tag == GX_OBJECT && gx_is_data_descriptor(rt, found) &&
        (!found.obj->type->heap ||
         gx_class_hook(rt, found.obj->type, GX_HOOK_get).tag != GX_UNDEF))
        return gx_bind_found(rt, found, v, type, out) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_try own = gx_instance_find_plain(rt, v, name, out);
    if (own != GX_TRY_NO) return own;
    if (found.tag != GX_UNDEF)
        return gx_bind_found(rt, found, v, type, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name == names[GX_HOOK_dict] && !gx_class_of(type)->closed)
        return gx_instance_dict(rt, v, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name == names[GX_HOOK_doc]) {
        if (!type->doc) *out = gx_none();
        return !type->doc || gx_str_c(rt, type->doc, out) ? GX_TRY_YES : GX_TRY_ERROR;
    }
    if (name == names[GX_HOOK_module])
        return gx_str_of_sym(rt, gx_class_of(type)->module, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return gx_instance_builtin_attr(rt, v, name, out);
}

gx_try gx_instance_attr_asked(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_value text;
    if (!gx_stack_check(rt) || !gx_str_of_sym(rt, name, &text)) return GX_TRY_ERROR;
    gx_try r = gx_call_hook(rt, v, GX_HOOK_getattribute, 1, &text, out);
    gx_drop(text);
    if (r != GX_TRY_ERROR || rt->error.kind != GX_AttributeError ||
        gx_class_hook(rt, v.obj->type, GX_HOOK_getattr).tag == GX_UNDEF)
        return r;
    gx_error_clear(rt);
    return ask_getattr(rt, v, name, out);
}

gx_try gx_instance_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    if (GX_UNLIKELY(v.obj->type->attr == gx_instance_attr_asked))
        return gx_instance_attr_asked(rt, v, name, out);
    gx_try r = gx_instance_attr_own(rt, v, name, out);
    if (r == GX_TRY_YES) return r;
    if (r == GX_TRY_ERROR) {
        /* A property that raises AttributeError asks __getattr__ too. */
        if (rt->error.kind != GX_AttributeError ||
            gx_class_hook(rt, v.obj->type, GX_HOOK_getattr).tag == GX_UNDEF)
            return r;
        gx_error_clear(rt);
    }
    return ask_getattr(rt, v, name, out);
}

gx_try gx_class_method(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_value found = gx_class_find(rt, gx_class_of(v.obj->type), name);
    if (found.tag != GX_FUNC || v.obj->type->attr == gx_instance_attr_asked) return GX_TRY_NO;
    gx_part *part = gx_part_of(v.obj);
    if (part->dict.tag != GX_UNDEF || gx_named_find(&part->fields, name)) return GX_TRY_NO;
    *out = gx_keep(found);
    return GX_TRY_YES;
}

/* --- writing ---------------------------------------------------------------------------------- */

gx_try gx_instance_set_plain(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_part *part = gx_part_of(v.obj);
    gx_value key;
    if (part->dict.tag == GX_UNDEF) {
        if (value.tag == GX_UNDEF)
            return gx_named_remove(&part->fields, name) ? GX_TRY_YES : GX_TRY_NO;
        return gx_named_set(rt, &part->fields, name, value) ? GX_TRY_YES : GX_TRY_ERROR;
    }
    if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
    gx_try done;
    if (value.tag == GX_UNDEF)
        done = gx_dict_remove(rt, part->dict, key, NULL);
    else
        done = gx_dict_set(rt, part->dict, key, value) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_drop(key);
    return done;
}

bool gx_instance_set_own(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    return gx_instance_set_plain(rt, v, name, value) == GX_TRY_YES;
}

/* Is the field one of __slots__? */
static bool is_slot(gx_rt *rt, gx_sym name) {
    return gx_sym_text(rt, name)[0] == '.';
}

/* Drops all fields but the slots. */
static void drop_fields(gx_rt *rt, gx_named *f) {
    for (int32_t i = f->count; i-- > 0;)
        if (i < f->count && !is_slot(rt, f->names[i])) gx_named_remove(f, f->names[i]);
    if (!f->count) gx_named_free(rt, f);
}

static int32_t slots_of(const gx_class *cls) {
    int32_t n = 0;
    for (int32_t i = 0; i < cls->order_count; i++)
        if (cls->order[i]->heap) n += gx_class_of(cls->order[i])->slots;
    return n;
}

/* v.__class__ = another class whose instances lie in memory alike. */
static bool set_class(gx_rt *rt, gx_borrowed v, gx_borrowed value) {
    const gx_type *t = gx_as_type(value);
    gx_class *old = gx_class_of(v.obj->type);
    if (value.tag == GX_UNDEF)
        return gx_fail(rt, GX_TypeError, "attr.class", "can't delete __class__ attribute");
    if (!t)
        return gx_fail(rt, GX_TypeError, "attr.class",
                       "__class__ must be set to a class, not '%s' object", gx_type_name(value));
    if (!t->heap)
        return gx_fail(rt, GX_TypeError, "attr.class",
                       "__class__ assignment only supported for mutable types or ModuleType "
                       "subclasses");
    gx_class *cls = gx_class_of(t);
    if (cls->builtin != old->builtin || cls->part != old->part || cls->closed != old->closed ||
        slots_of(cls) != slots_of(old))
        return gx_fail(rt, GX_TypeError, "attr.class",
                       "__class__ assignment: '%s' object layout differs from '%s'", t->name,
                       old->type.name);
    gx_obj_keep(&cls->head.obj);
    v.obj->type = t;
    gx_obj_drop(&old->head.obj);
    return true;
}

/* object.__setattr__: descriptors of the class, the builtin ancestor's members, the instance. */
static gx_try set_default(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    const gx_type *type = v.obj->type;
    const gx_sym *names = rt->heap->classes->names;
    gx_value found = gx_class_find(rt, gx_class_of(type), name);
    if (found.tag == GX_OBJECT && gx_is_data_descriptor(rt, found)) {
        gx_try done = gx_set_descriptor(rt, found, v, value);
        if (done != GX_TRY_NO) return done;
    }
    const gx_member *m = gx_type_member(rt, gx_plain_type(type), name);
    if (m && m->set && value.tag != GX_UNDEF)
        return m->set(rt, v, value) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name == names[GX_HOOK_class]) return set_class(rt, v, value) ? GX_TRY_YES : GX_TRY_ERROR;
    if (name == names[GX_HOOK_dict] && value.tag == GX_DICT) {
        gx_part *part = gx_part_of(v.obj);
        drop_fields(rt, &part->fields);
        gx_value old = part->dict;
        part->dict = gx_keep(value);
        gx_drop(old);
        return GX_TRY_YES;
    }
    if (gx_class_of(type)->closed && value.tag != GX_UNDEF) {
        gx_fail(
            rt, GX_AttributeError, "attr.slots",
            found.tag != GX_UNDEF
                ? "'%s' object attribute '%s' is read-only"
                : "'%s' object has no attribute '%s' and no __dict__ for setting new attributes",
            type->name, gx_sym_text(rt, name));
        return GX_TRY_ERROR;
    }
    gx_class_entry(rt, gx_class_of(type), name)->stored = value.tag != GX_UNDEF;
    return gx_instance_set_plain(rt, v, name, value);
}

gx_try gx_instance_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    bool removes = value.tag == GX_UNDEF;
    gx_hook hook = removes ? GX_HOOK_delattr : GX_HOOK_setattr;
    if (gx_class_hook(rt, v.obj->type, hook).tag == GX_UNDEF) {
        gx_found *e = known(rt, gx_class_of(v.obj->type), name);
        e->direct = !removes && (e->stored || e->shows == GX_SHOWS_SLOT);
        if (!removes && e->stored) return gx_instance_set_plain(rt, v, name, value);
        return set_default(rt, v, name, value);
    }
    gx_value args[2], r;
    if (!gx_stack_check(rt) || !gx_str_of_sym(rt, name, &args[0])) return GX_TRY_ERROR;
    args[1] = value;
    gx_try done = gx_call_hook(rt, v, hook, removes ? 1 : 2, args, &r);
    gx_drop(args[0]);
    if (done == GX_TRY_YES) gx_drop(r);
    return done;
}

gx_try gx_instance_set_default(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    return set_default(rt, v, name, value);
}

gx_value gx_instance_asked_dict(gx_borrowed v) {
    return gx_part_of(v.obj)->dict;
}

gx_value *gx_instance_field(gx_borrowed v, int32_t i) {
    gx_named *f = &gx_part_of(v.obj)->fields;
    return i < f->count ? &f->values[i] : NULL;
}

bool gx_instance_dict(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_part *part = gx_part_of(v.obj);
    gx_value dict, key;
    if (part->dict.tag == GX_UNDEF) {
        if (!gx_dict_new(rt, &dict)) return false;
        for (int32_t i = 0; i < part->fields.count; i++) {
            if (is_slot(rt, part->fields.names[i])) continue;
            bool ok = gx_str_of_sym(rt, part->fields.names[i], &key);
            if (ok) {
                ok = gx_dict_set(rt, dict, key, part->fields.values[i]);
                gx_drop(key);
            }
            if (!ok) {
                gx_drop(dict);
                return false;
            }
        }
        part->dict = dict;
        drop_fields(rt, &part->fields);
    }
    *out = gx_keep(part->dict);
    return true;
}

/* The builtin ancestor's data. */
static bool copy_builtin(gx_rt *rt, gx_borrowed from, gx_borrowed to) {
    if (from.tag == GX_LIST) return gx_list_extend(rt, to, from);
    if (from.tag == GX_DICT) return gx_dict_update(rt, to, from);
    if (from.tag == GX_SET && !gx_is_value_type(gx_plain_type(from.obj->type)))
        return gx_set_update(rt, to, from);
    return from.tag != GX_EXCEPTION || gx_exception_copy_into(rt, from, to);
}

static bool copy_attrs(gx_rt *rt, gx_part *from, gx_part *to) {
    bool ok = true;
    for (int32_t i = 0; ok && i < from->fields.count; i++)
        ok = gx_named_set(rt, &to->fields, from->fields.names[i], from->fields.values[i]);
    if (!ok || from->dict.tag != GX_DICT) return ok;
    return gx_dict_new(rt, &to->dict) && gx_dict_update(rt, to->dict, from->dict);
}

bool gx_instance_copy(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value copy;
    gx_class *cls = gx_class_of(v.obj->type);
    const gx_subclassing *own = gx_plain_type(v.obj->type)->subclassing;
    if (own) return own->copy(rt, v, out);
    if (gx_is_value_type(cls->builtin)) {
        gx_value plain;
        if (!gx_plain_value(rt, v, &plain)) return false;
        bool ok = gx_instance_of_value(rt, cls, plain, &copy);
        gx_drop(plain);
        if (!ok) return false;
    } else if (!gx_instance_new(rt, gx_object(&cls->head.obj), 0, NULL, &copy)) {
        return false;
    }
    if (copy_builtin(rt, v, copy) && copy_attrs(rt, gx_part_of(v.obj), gx_part_of(copy.obj))) {
        *out = copy;
        return true;
    }
    gx_drop(copy);
    return false;
}

void gx_instance_each(gx_rt *rt, gx_borrowed v, void (*fn)(const char *name, void *ctx),
                      void *ctx) {
    gx_part *part = gx_part_of(v.obj);
    for (int32_t i = 0; i < part->fields.count; i++)
        if (!is_slot(rt, part->fields.names[i])) fn(gx_sym_text(rt, part->fields.names[i]), ctx);
    if (part->dict.tag != GX_DICT) return;
    int64_t at = 0;
    gx_entry *e;
    while ((e = gx_dict_next(gx_as_dict(part->dict), &at)))
        if (e->key.tag == GX_STR) fn(gx_as_str(e->key)->text, ctx);
}

/* --- calling a class -------------------------------------------------------------------------- */

bool gx_builtin_init(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                     const gx_sym *kw) {
    const gx_type *b = gx_plain_type(gx_type_of(self));
    /* __new__ has taken the arguments. */
    if (gx_is_value_type(b) || self.tag == GX_ARRAY || gx_is_class(self)) return true;
    if (b == gx_core_types[GX_LIST] && !kwc && argc <= 1)
        return argc == 0 || gx_list_extend(rt, self, argv[0]);
    if (b == gx_core_types[GX_DICT] && argc <= 1) {
        gx_value plain;
        if (!gx_call_value(rt, gx_type_value(gx_core_types[GX_DICT]), argc, argv, kwc, kw, &plain))
            return false;
        bool ok = gx_dict_update(rt, self, plain);
        gx_drop(plain);
        return ok;
    }
    if (b == gx_core_types[GX_SET] && !kwc && argc <= 1)
        return argc == 0 || gx_set_update(rt, self, argv[0]);
    if (self.tag == GX_EXCEPTION) return gx_exception_init(rt, self, argc, argv, kwc, kw);
    if (!argc && !kwc) return true;
    if (kwc)
        return gx_fail(rt, GX_TypeError, "class.init", "%s() takes no keyword arguments",
                       gx_type_name(self));
    return gx_fail(rt, GX_TypeError, "class.init", "%s() takes no arguments", gx_type_name(self));
}

static bool nothing_returned(gx_rt *rt, gx_value r) {
    if (GX_LIKELY(r.tag == GX_NONE)) return true;
    gx_fail(rt, GX_TypeError, "class.init", "__init__() should return None, not '%s'",
            gx_type_name(r));
    gx_drop(r);
    return false;
}

bool gx_class_init_done(gx_rt *rt, gx_borrowed made, gx_value returned) {
    gx_class_of(made.obj->type)->making.room = gx_part_of(made.obj)->fields.count;
    return nothing_returned(rt, returned);
}

/* __init__, a function of the script, of a fresh instance; the caller owns all of them. */
static bool init_plain(gx_rt *rt, gx_value fn, gx_borrowed v, int argc, const gx_borrowed *argv,
                       int kwc, const gx_sym *kw) {
    gx_value near[NEAR], *all = near, r;
    int n = argc + kwc;
    if (n + 1 > NEAR && !(all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all))) return false;
    all[0] = v;
    for (int i = 0; i < n; i++) all[i + 1] = argv[i];
    bool ok = gx_call_held(rt, fn, argc + 1, all, kwc, kw, &r);
    if (all != near) gx_free(rt, all);
    return ok && gx_class_init_done(rt, v, r);
}

/* The class of an instance, the metaclass of a class. */
static const gx_type *kind_of(gx_borrowed v) {
    return gx_is_class(v) ? gx_metaclass(v) : gx_type_of(v);
}

/* __init__ of a fresh instance. */
static bool init(gx_rt *rt, gx_borrowed v, int argc, const gx_borrowed *argv, int kwc,
                 const gx_sym *kw) {
    gx_value r, found = gx_class_hook(rt, kind_of(v), GX_HOOK_init);
    if (found.tag == GX_UNDEF) return gx_builtin_init(rt, v, argc, argv, kwc, kw);
    if (!gx_call_found(rt, found, v, argc, argv, kwc, kw, &r)) return false;
    return nothing_returned(rt, r);
}

/* The class's own __new__, with the class before the arguments. */
static bool call_new(gx_rt *rt, gx_borrowed cls, gx_borrowed fn, int argc, const gx_borrowed *argv,
                     int kwc, const gx_sym *kw, gx_value *out) {
    if (gx_is_object(fn) && fn.obj->type == &gx_type_staticmethod) fn = ((gx_bound *)fn.obj)->fn;
    gx_value near[NEAR], *all = near;
    int n = argc + kwc;
    if (n + 1 > NEAR && !(all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all))) return false;
    all[0] = cls;
    for (int i = 0; i < n; i++) all[i + 1] = argv[i];
    gx_keep(fn);
    bool ok = gx_call_value(rt, fn, argc + 1, all, kwc, kw, out);
    gx_drop(fn);
    if (all != near) gx_free(rt, all);
    return ok;
}

bool gx_class_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                   const gx_sym *kw, gx_value *out) {
    gx_value v;
    gx_value fn = gx_class_plain_init(rt, self);
    if (GX_LIKELY(fn.tag != GX_UNDEF)) {
        gx_keep(fn);
        bool made = gx_class_plain_object(rt, self, &v), ok = made;
        ok = ok && init_plain(rt, fn, v, argc, argv, kwc, kw);
        gx_drop(fn);
        if (ok) *out = v;
        else if (made) gx_drop(v);
        return ok;
    }
    gx_value own = gx_meta_hook(rt, self, GX_HOOK_call);
    if (own.tag != GX_UNDEF)
        return gx_stack_check(rt) && gx_call_found(rt, own, self, argc, argv, kwc, kw, out);
    return gx_class_call_own(rt, self, argc, argv, kwc, kw, out);
}

bool gx_class_call_own(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_value v, made = gx_class_hook(rt, gx_as_type(self), GX_HOOK_new);
    if (made.tag != GX_UNDEF) {
        if (!call_new(rt, self, made, argc, argv, kwc, kw, &v)) return false;
        if (!kind_of(v)->heap || !gx_type_is(kind_of(v), &gx_as_class(self)->type) ||
            gx_class_hook(rt, kind_of(v), GX_HOOK_init).tag == GX_UNDEF) {
            *out = v;
            return true;
        }
    } else if (!gx_instance_make(rt, self, argc, argv, kwc, kw, &v)) {
        return false;
    }
    if (init(rt, v, argc, argv, kwc, kw)) {
        *out = v;
        return true;
    }
    gx_drop(v);
    return false;
}
