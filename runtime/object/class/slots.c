/* The slots of a script's class: each calls the special method of its name. A slot is set only
   while a class in the order has the method, so that everything that asks for a slot gets the same
   answer as for a builtin type.

   Invariant: the slots of a class and of all below it are up to date after every change of a
   special method. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

/* --- calling ---------------------------------------------------------------------------------- */

/* The hook is there: the slot was set for it. After a change in the middle of things it may not. */
static bool call(gx_rt *rt, gx_borrowed self, gx_hook hook, int argc, const gx_borrowed *argv,
                 gx_value *out) {
    gx_try done = gx_call_hook(rt, self, hook, argc, argv, out);
    if (done == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "class.method", "'%s' object has lost its method %s",
                       gx_type_name(self), gx_sym_text(rt, gx_classes_of(rt)->names[hook]));
    return done == GX_TRY_YES;
}

/* --- text ------------------------------------------------------------------------------------- */

static bool text_of(gx_rt *rt, gx_borrowed v, gx_hook hook, const char *name, int argc,
                    const gx_borrowed *argv, gx_buf *out) {
    gx_value r;
    if (!gx_stack_check(rt) || !call(rt, v, hook, argc, argv, &r)) return false;
    bool ok = r.tag == GX_STR;
    if (ok)
        ok = gx_buf_add(out, gx_as_str(r)->text, gx_as_str(r)->length);
    else
        gx_fail(rt, GX_TypeError, "class.text", "%s returned non-string (type %s)", name,
                gx_type_name(r));
    gx_drop(r);
    return ok;
}

static bool slot_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    if (gx_class_hook(rt, v.obj->type, GX_HOOK_repr).tag != GX_UNDEF)
        return text_of(rt, v, GX_HOOK_repr, "__repr__", 0, NULL, out);
    const gx_class *cls = gx_class_of(v.obj->type);
    return gx_buf_printf(out, "<%s.%s object at %p>", gx_sym_text(rt, cls->module), cls->type.name,
                         (void *)v.obj);
}

static bool slot_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return text_of(rt, v, GX_HOOK_str, "__str__", 0, NULL, out);
}

static bool slot_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_value text;
    if (!gx_str_new(rt, spec, length, &text)) return false;
    bool ok = text_of(rt, v, GX_HOOK_format, "__format__", 1, &text, out);
    gx_drop(text);
    return ok;
}

/* --- truth, length, hash ---------------------------------------------------------------------- */

static bool slot_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    gx_value r;
    if (!call(rt, v, GX_HOOK_bool, 0, NULL, &r)) return false;
    bool ok = r.tag == GX_BOOL;
    if (ok)
        *out = r.b;
    else
        gx_fail(rt, GX_TypeError, "class.bool", "__bool__ should return bool, returned %s",
                gx_type_name(r));
    gx_drop(r);
    return ok;
}

static bool slot_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_value r;
    int64_t n;
    if (!call(rt, v, GX_HOOK_len, 0, NULL, &r)) return false;
    gx_try is = gx_as_index(rt, r, &n);
    if (is == GX_TRY_NO)
        gx_fail(rt, GX_TypeError, "class.length", "'%s' object cannot be interpreted as an integer",
                gx_type_name(r));
    gx_drop(r);
    if (is != GX_TRY_YES) return false;
    if (n < 0) return gx_fail(rt, GX_ValueError, "class.length", "__len__() should return >= 0");
    *out = n;
    return true;
}

static bool slot_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_value r, found = gx_class_hook(rt, v.obj->type, GX_HOOK_hash);
    if (found.tag == GX_UNDEF) {
        *out = (uint64_t)(uintptr_t)v.obj >> 4;
        return true;
    }
    if (found.tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "hash.unhashable", "unhashable type: '%s'",
                       gx_type_name(v));
    if (!call(rt, v, GX_HOOK_hash, 0, NULL, &r)) return false;
    bool ok = r.tag == GX_INT || r.tag == GX_BIGINT || r.tag == GX_BOOL;
    gx_value plain = gx_plain_number(r);
    if (ok && plain.tag == GX_INT)
        *out = (uint64_t)(plain.i == -1 ? -2 : plain.i);
    else if (ok)
        ok = gx_hash(rt, plain, out);
    else
        gx_fail(rt, GX_TypeError, "class.hash", "__hash__ method should return an integer");
    gx_drop(r);
    return ok;
}

/* --- items ------------------------------------------------------------------------------------ */

static bool slot_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    return call(rt, v, GX_HOOK_getitem, 1, &key, out);
}

/* dict's own d[key], which asks __missing__ for a key that is not there. */
static bool slot_get_or_missing(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_try has = gx_dict_find(rt, v, key, out);
    if (has != GX_TRY_NO) return has == GX_TRY_YES;
    return call(rt, v, GX_HOOK_missing, 1, &key, out);
}

static bool slot_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_value args[2] = {key, item}, r;
    if (!call(rt, v, GX_HOOK_setitem, 2, args, &r)) return false;
    gx_drop(r);
    return true;
}

static bool slot_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    gx_value r;
    if (!call(rt, v, GX_HOOK_delitem, 1, &key, &r)) return false;
    gx_drop(r);
    return true;
}

static bool slot_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_value r;
    if (gx_class_hook(rt, v.obj->type, GX_HOOK_contains).tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "contains.type", "'%s' object is not a container",
                       gx_type_name(v));
    if (!call(rt, v, GX_HOOK_contains, 1, &item, &r)) return false;
    bool ok = gx_truth(rt, r, out);
    gx_drop(r);
    return ok;
}

/* --- iteration -------------------------------------------------------------------------------- */

/* v[0], v[1], … until IndexError: what has __getitem__ and no __iter__. */
typedef struct by_index {
    gx_container head;
    gx_value over;
    int64_t at;
} by_index;

static void index_free(gx_rt *rt, gx_obj *o) {
    by_index *it = (by_index *)o;
    gx_container_untrack(rt, &it->head);
    gx_drop(it->over);
    gx_obj_release(rt, o);
}

static void index_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    by_index *it = (by_index *)o;
    if (gx_is_object(it->over)) visit(it->over.obj, ctx);
}

static void index_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((by_index *)o)->over));
}

static bool index_next(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    by_index *it = (by_index *)v.obj;
    *more = false;
    if (it->over.tag == GX_UNDEF) return true;
    if (gx_get_item(rt, it->over, gx_int(it->at), out)) {
        it->at++;
        *more = true;
        return true;
    }
    if (!gx_error_is(rt->error.kind, GX_IndexError) &&
        !gx_error_is(rt->error.kind, GX_StopIteration))
        return false;
    gx_error_clear(rt);
    gx_drop(gx_steal(&it->over));
    return true;
}

static const gx_type index_type = {
    .name = "iterator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = index_free,
    .traverse = index_traverse,
    .clear = index_clear,
    .next = index_next,
};

static bool slot_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value found = gx_class_hook(rt, v.obj->type, GX_HOOK_iter), r;
    if (found.tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "type.iterate", "'%s' object is not iterable",
                       gx_type_name(v));
    if (found.tag == GX_UNDEF) {
        by_index *it = gx_obj_new(rt, &index_type, sizeof *it);
        if (!it) return false;
        it->over = gx_keep(v);
        gx_container_track(rt, &it->head);
        *out = gx_object(&it->head.obj);
        return true;
    }
    if (!call(rt, v, GX_HOOK_iter, 0, NULL, &r)) return false;
    for (const gx_type *t = gx_type_of(r); t; t = t->base)
        if (t->next) {
            *out = r;
            return true;
        }
    gx_fail(rt, GX_TypeError, "class.iter", "iter() returned non-iterator of type '%s'",
            gx_type_name(r));
    gx_drop(r);
    return false;
}

static bool slot_next(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    *more = call(rt, v, GX_HOOK_next, 0, NULL, out);
    if (*more) return true;
    if (!gx_error_is(rt->error.kind, GX_StopIteration)) return false;
    gx_error_clear(rt);
    return true;
}

static bool slot_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    gx_value found = gx_class_hook(rt, self.obj->type, GX_HOOK_call);
    if (found.tag == GX_UNDEF)
        return gx_fail(rt, GX_TypeError, "call.type", "'%s' object is not callable",
                       gx_type_name(self));
    return gx_call_found(rt, found, self, argc, argv, kwc, kw, out);
}

static gx_try slot_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    gx_hook hook = op == GX_NEG ? GX_HOOK_neg : op == GX_POS ? GX_HOOK_pos : GX_HOOK_invert;
    return gx_call_hook(rt, a, hook, 0, NULL, out);
}

/* --- pointing --------------------------------------------------------------------------------- */

static bool iterates(const gx_type *t) {
    while (t && !t->iter && !t->next) t = t->base;
    return t != NULL;
}

void gx_class_slots(gx_rt *rt, gx_class *cls) {
    gx_type *t = &cls->type;
#define HAS(id) (gx_class_hook(rt, t, GX_HOOK_##id).tag != GX_UNDEF)
    bool plain = cls->builtin == &gx_type_object;
    t->repr = plain || HAS(repr) ? slot_repr : NULL;
    t->str = HAS(str) ? slot_str : NULL;
    t->format = HAS(format) ? slot_format : NULL;
    t->truth = HAS(bool) ? slot_truth : NULL;
    t->length = HAS(len) ? slot_length : NULL;
    t->hash = plain || HAS(hash) ? slot_hash : NULL;
    t->unary = HAS(neg) || HAS(pos) || HAS(invert) ? slot_unary : NULL;
    t->get = HAS(getitem)                                   ? slot_get
             : HAS(missing) && cls->builtin->tag == GX_DICT ? slot_get_or_missing
                                                            : NULL;
    t->set = HAS(setitem) ? slot_set : NULL;
    t->del = HAS(delitem) ? slot_del : NULL;
    t->contains = HAS(contains) ? slot_contains : NULL;
    t->iter = HAS(iter) || (HAS(getitem) && !iterates(cls->builtin)) ? slot_iter : NULL;
    t->next = HAS(next) ? slot_next : NULL;
    t->call = HAS(call) ? slot_call : NULL;
    t->attr = HAS(getattribute) ? rt->heap->ops->attr_asked : rt->heap->ops->attr;
    if (cls->builtin->tag == GX_ARRAY || HAS(array_ufunc) || HAS(array_function))
        rt->heap->overrides = true;
#undef HAS
    for (int32_t i = 0; i < cls->below_count; i++) gx_class_slots(rt, cls->below[i]);
}
