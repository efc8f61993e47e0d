/* What a class of the script has under a name, and calls of the special methods that are found: all
   that operations on values know of classes. What they need beyond that is in a table that the
   files of classes above fill (gx_class_ops).

   Invariant: cached answers are valid while the shared version has not moved; every change of any
   class moves it. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"

/* --- fields ----------------------------------------------------------------------------------- */

gx_value *gx_named_find(gx_named *f, gx_sym name) {
    if (!(f->bits & gx_name_bit(name))) return NULL;
    for (int32_t i = 0; i < f->count; i++)
        if (f->names[i] == name) return &f->values[i];
    return NULL;
}

/* One block: the values, then the names. */
bool gx_named_reserve(gx_rt *rt, gx_named *f, int32_t room) {
    gx_value *values = gx_alloc(rt, (size_t)room * (sizeof *values + sizeof *f->names));
    if (!values) return false;
    gx_sym *names = (gx_sym *)(values + room);
    if (f->count) {
        memcpy(values, f->values, (size_t)f->count * sizeof *values);
        memcpy(names, f->names, (size_t)f->count * sizeof *names);
    }
    gx_free(rt, f->values);
    f->values = values;
    f->names = names;
    f->room = room;
    return true;
}

bool gx_named_set(gx_rt *rt, gx_named *f, gx_sym name, gx_borrowed value) {
    gx_value *place = gx_named_find(f, name);
    if (place) {
        gx_value old = *place;
        *place = gx_keep(value);
        gx_drop(old);
        return true;
    }
    if (f->count == f->room && !gx_named_reserve(rt, f, f->room ? f->room * 2 : 4)) return false;
    f->bits |= gx_name_bit(name);
    f->names[f->count] = name;
    f->values[f->count++] = gx_keep(value);
    return true;
}

bool gx_named_remove(gx_named *f, gx_sym name) {
    gx_value *place = gx_named_find(f, name);
    if (!place) return false;
    gx_value old = *place;
    int32_t at = (int32_t)(place - f->values);
    f->count--;
    memmove(f->names + at, f->names + at + 1, (size_t)(f->count - at) * sizeof *f->names);
    memmove(f->values + at, f->values + at + 1, (size_t)(f->count - at) * sizeof *f->values);
    gx_drop(old);
    return true;
}

void gx_named_free(gx_rt *rt, gx_named *f) {
    gx_named old = *f;
    *f = (gx_named){0};
    for (int32_t i = 0; i < old.count; i++) gx_drop(old.values[i]);
    gx_free(rt, old.values);
}

void gx_named_visit(gx_named *f, gx_visit visit, void *ctx) {
    for (int32_t i = 0; i < f->count; i++)
        if (gx_is_object(f->values[i])) visit(f->values[i].obj, ctx);
}

/* --- shared state ----------------------------------------------------------------------------- */

gx_classes *gx_classes_of(gx_rt *rt) {
    static const char *const texts[] = {
#define X(id, text) text,
        GX_HOOKS(X)
#undef X
    };
    gx_heap *h = rt->heap;
    if (GX_LIKELY(h->classes != NULL)) return h->classes;
    gx_classes *c = gx_alloc_zero(rt, sizeof *c);
    if (!c) return NULL;
    for (int i = 0; i < GX_HOOK_COUNT; i++)
        if (!(c->names[i] = gx_sym_c(rt, texts[i]))) {
            gx_free(rt, c);
            return NULL;
        }
    h->classes = c;
    return c;
}

/* --- lookups ---------------------------------------------------------------------------------- */

gx_found *gx_class_look_up(gx_rt *rt, gx_class *cls, gx_sym name) {
    gx_found *e = &cls->cache[name % GX_CLASS_CACHE];
    *e = (gx_found){.name = name, .version = rt->class_version};
    for (int32_t i = 0; i < cls->order_count; i++) {
        if (!cls->order[i]->heap) { /* a builtin's own hide those of the classes behind it */
            if (i + 1 < cls->order_count && rt->heap->ops->defines(rt, cls->order[i], name)) break;
            continue;
        }
        gx_value *place = gx_named_find(&gx_class_of(cls->order[i])->attrs, name);
        if (!place) continue;
        e->value = *place;
        break;
    }
    return e;
}

gx_value gx_class_find_after(gx_rt *rt, gx_class *cls, const gx_type *after, gx_sym name,
                             const gx_type **builtin) {
    bool behind = false;
    *builtin = NULL;
    for (int32_t i = 0; i < cls->order_count; i++) {
        const gx_type *t = cls->order[i];
        if (behind && !t->heap && !*builtin) *builtin = t;
        if (behind && !t->heap && i + 1 < cls->order_count && rt->heap->ops->defines(rt, t, name))
            return gx_undef();
        if (behind && t->heap) {
            gx_value *place = gx_named_find(&gx_class_of(t)->attrs, name);
            if (place) return *place;
        }
        behind = behind || t == after;
    }
    return gx_undef();
}

void gx_class_each(gx_rt *rt, const gx_type *t, void (*fn)(const char *name, void *ctx),
                   void *ctx) {
    const gx_class *cls = gx_class_of(t);
    for (int32_t i = 0; i < cls->order_count; i++) {
        if (!cls->order[i]->heap) continue;
        const gx_named *f = &gx_class_of(cls->order[i])->attrs;
        for (int32_t k = 0; k < f->count; k++) fn(gx_sym_text(rt, f->names[k]), ctx);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

bool gx_call_found(gx_rt *rt, gx_borrowed found, gx_borrowed self, int argc,
                   const gx_borrowed *argv, int kwc, const gx_sym *kw, gx_value *out) {
    enum { NEAR = 6 };
    gx_value near[NEAR], *all = near, fn;
    if (found.tag != GX_FUNC) {
        if (!rt->heap->ops->bind(rt, found, self, gx_type_of(self), &fn)) return false;
        bool ok = gx_call_value(rt, fn, argc, argv, kwc, kw, out);
        gx_drop(fn);
        return ok;
    }
    int n = argc + kwc;
    if (n + 1 > NEAR && !(all = gx_alloc(rt, (size_t)(n + 1) * sizeof *all))) return false;
    all[0] = self;
    for (int i = 0; i < n; i++) all[i + 1] = argv[i];
    gx_keep(found);
    bool ok = gx_call_value(rt, found, argc + 1, all, kwc, kw, out);
    gx_drop(found);
    if (all != near) gx_free(rt, all);
    return ok;
}

gx_try gx_call_hook(gx_rt *rt, gx_borrowed self, gx_hook hook, int argc, const gx_borrowed *argv,
                    gx_value *out) {
    gx_value found = gx_class_hook(rt, gx_type_of(self), hook);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    return gx_call_found(rt, found, self, argc, argv, 0, NULL, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_special(gx_rt *rt, gx_borrowed v, const char *name, int argc, const gx_borrowed *argv,
                  gx_value *out) {
    const gx_foreign *foreign = gx_type_of(v)->foreign;
    if (foreign) return foreign->special(rt, v, name, argc, argv, out);
    if (!gx_is_instance(v)) return GX_TRY_NO;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym) return GX_TRY_ERROR;
    gx_value found = gx_class_find(rt, gx_class_of(gx_type_of(v)), sym);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    return gx_call_found(rt, found, v, argc, argv, 0, NULL, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_special_refused(gx_rt *rt, gx_borrowed v, const char *name) {
    if (!gx_is_instance(v)) return false;
    gx_sym sym = gx_sym_c(rt, name);
    return sym && gx_class_find(rt, gx_class_of(gx_type_of(v)), sym).tag == GX_NONE;
}

gx_value gx_special_find(gx_rt *rt, gx_borrowed v, const char *name) {
    gx_sym sym = gx_is_instance(v) ? gx_sym_c(rt, name) : 0;
    return sym ? gx_class_find(rt, gx_class_of(gx_type_of(v)), sym) : gx_undef();
}

gx_try gx_meta_call(gx_rt *rt, gx_borrowed v, gx_hook hook, int argc, const gx_borrowed *argv,
                    gx_value *out) {
    gx_value found = gx_meta_hook(rt, v, hook);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    if (!gx_stack_check(rt)) return GX_TRY_ERROR;
    return gx_call_found(rt, found, v, argc, argv, 0, NULL, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_meta_special(gx_rt *rt, gx_borrowed v, const char *name, int argc,
                       const gx_borrowed *argv, gx_value *out) {
    const gx_type *meta = gx_is_class(v) ? gx_as_class(v)->meta : NULL;
    if (!meta || !meta->heap) return GX_TRY_NO;
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_stack_check(rt)) return GX_TRY_ERROR;
    gx_value found = gx_class_find(rt, gx_class_of(meta), sym);
    if (found.tag == GX_UNDEF) return GX_TRY_NO;
    return gx_call_found(rt, found, v, argc, argv, 0, NULL, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_meta_text(gx_rt *rt, gx_borrowed v, gx_hook hook, const char *name, gx_buf *out) {
    gx_value r;
    gx_try done = gx_meta_call(rt, v, hook, 0, NULL, &r);
    if (done != GX_TRY_YES) return done;
    bool ok = r.tag == GX_STR;
    if (ok)
        ok = gx_str_into(rt, r, out);
    else
        gx_fail(rt, GX_TypeError, "class.text", "%s returned non-string (type %s)", name,
                gx_type_name(r));
    gx_drop(r);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- NotImplemented --------------------------------------------------------------------------- */

static bool not_implemented_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "NotImplemented");
}

static const gx_type not_implemented_type = {
    .name = "NotImplementedType",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .repr = not_implemented_repr,
};

bool gx_not_implemented(gx_rt *rt, gx_value *out) {
    gx_classes *c = gx_classes_of(rt);
    if (!c) return false;
    if (c->not_implemented.tag == GX_UNDEF) {
        gx_obj *o = gx_obj_new(rt, &not_implemented_type, sizeof *o);
        if (!o) return false;
        c->not_implemented = gx_object(o);
    }
    *out = gx_keep(c->not_implemented);
    return true;
}

bool gx_is_not_implemented(gx_borrowed v) {
    return gx_is_object(v) && v.obj->type == &not_implemented_type;
}
