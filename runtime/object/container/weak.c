/* Weak references. A table finds an object's references by its address; the object's flag
   GX_WATCHED says that there are some. A reference leaves the table when it is dropped, or when its
   target ends. Callbacks run as last words do: by themselves, later. */
#include "runtime/object/container/weak.h"

#include <string.h>

#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/types.h"

typedef struct gx_weak_table gx_weak_table;

static size_t place_of(const gx_weak_table *t, const gx_obj *obj) {
    size_t i = (size_t)(((uintptr_t)obj >> 5) * 0x9E3779B97F4A7C15u >> 20) & (t->room - 1);
    while (t->slots[i] && t->slots[i]->target != obj) i = (i + 1) & (t->room - 1);
    return i;
}

/* Empties a slot; those behind it that had to go further move up. */
static void take_out(gx_weak_table *t, size_t i) {
    t->slots[i] = NULL;
    t->count--;
    for (size_t k = (i + 1) & (t->room - 1); t->slots[k]; k = (k + 1) & (t->room - 1)) {
        gx_weak *w = t->slots[k];
        t->slots[k] = NULL;
        t->slots[place_of(t, w->target)] = w;
    }
}

static void call_back(gx_rt *rt, gx_obj *obj) {
    gx_weak *w = (gx_weak *)obj;
    gx_value self = gx_object(obj), r, fn = gx_steal(&w->callback);
    if (fn.tag == GX_UNDEF) return;
    if (gx_call_value(rt, fn, 1, &self, 0, NULL, &r)) gx_drop(r);
    gx_drop(fn);
}

/* An object that is watched ends: its references are told. */
static void end_target(gx_rt *rt, gx_obj *obj) {
    gx_weak_table *t = &rt->heap->weak;
    size_t i = place_of(t, obj);
    gx_weak *w = t->slots[i];
    if (!w) return;
    take_out(t, i);
    while (w) {
        gx_weak *next = w->next;
        w->target = NULL;
        w->next = NULL;
        if (w->callback.tag != GX_UNDEF) (void)gx_last_words_later(rt, &w->head.obj, call_back);
        w = next;
    }
}

static bool make_room(gx_rt *rt) {
    gx_weak_table *t = &rt->heap->weak;
    if (t->count * 2 < t->room) return true;
    gx_weak_table larger = {.room = t->room ? t->room * 2 : 16, .end = end_target};
    larger.slots = gx_alloc_zero(rt, larger.room * sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < t->room; i++)
        if (t->slots[i]) larger.slots[place_of(&larger, t->slots[i]->target)] = t->slots[i];
    larger.count = t->count;
    gx_free(rt, t->slots);
    *t = larger;
    return true;
}

gx_weak *gx_weak_first(gx_rt *rt, gx_borrowed v) {
    if (!gx_is_object(v) || !(v.obj->flags & GX_WATCHED)) return NULL;
    gx_weak_table *t = &rt->heap->weak;
    return t->slots[place_of(t, v.obj)];
}

static bool can_be_watched(gx_borrowed v) {
    switch (v.tag) {
    case GX_FUNC:
    case GX_METHOD:
    case GX_MODULE:
    case GX_SET:
    case GX_ARRAY:
    case GX_OBJECT:
    case GX_EXCEPTION:
        return true;
    default:
        return gx_is_object(v) && v.obj->type->heap;
    }
}

bool gx_weak_new(gx_rt *rt, gx_borrowed v, gx_borrowed callback, gx_value *out) {
    bool calls = callback.tag != GX_UNDEF && callback.tag != GX_NONE;
    gx_weak *w = gx_weak_first(rt, v);
    for (; !calls && w; w = w->next)
        if (w->callback.tag == GX_UNDEF) {
            *out = gx_keep(gx_object(&w->head.obj));
            return true;
        }
    if (!can_be_watched(v))
        return gx_fail(rt, GX_TypeError, "object.weak",
                       "cannot create weak reference to '%s' object", gx_type_name(v));
    if (!make_room(rt)) return false;
    w = gx_obj_new(rt, &gx_type_weak, sizeof *w);
    if (!w) return false;
    gx_weak_table *t = &rt->heap->weak;
    size_t i = place_of(t, v.obj);
    w->target = v.obj;
    w->next = t->slots[i];
    if (!t->slots[i]) t->count++;
    t->slots[i] = w;
    v.obj->flags |= GX_WATCHED;
    if (calls) w->callback = gx_keep(callback);
    gx_container_track(rt, &w->head);
    *out = gx_object(&w->head.obj);
    return true;
}

gx_value gx_weak_get(const gx_weak *w) {
    return w->target ? gx_keep(gx_object(w->target)) : gx_none();
}

/* The reference leaves its target's list. */
static void forget(gx_rt *rt, gx_weak *w) {
    if (!w->target) return;
    gx_weak_table *t = &rt->heap->weak;
    size_t i = place_of(t, w->target);
    gx_weak **at = &t->slots[i];
    while (*at != w) at = &(*at)->next;
    if (at == &t->slots[i] && !w->next) {
        w->target->flags &= (uint8_t)~GX_WATCHED;
        take_out(t, i);
    } else {
        *at = w->next;
    }
    w->target = NULL;
}

static void clear_weak(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_drop(gx_steal(&((gx_weak *)o)->callback));
}

static void free_weak(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    forget(rt, (gx_weak *)o);
    clear_weak(rt, o);
    gx_obj_release(rt, o);
}

static void traverse_weak(gx_obj *o, gx_visit visit, void *ctx) {
    gx_value callback = ((gx_weak *)o)->callback;
    if (gx_is_object(callback)) visit(callback.obj, ctx);
}

static bool repr_weak(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const gx_weak *w = gx_as_weak(v);
    if (!w->target) return gx_buf_printf(out, "<weakref at %p; dead>", (void *)w);
    return gx_buf_printf(out, "<weakref at %p; to '%s' at %p>", (void *)w, w->target->type->name,
                         (void *)w->target);
}

static bool hash_weak(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_weak *w = gx_as_weak(v);
    if (!w->hash) {
        if (!w->target)
            return gx_fail(rt, GX_TypeError, "object.weak", "weak object has gone away");
        gx_value held = gx_weak_get(w);
        bool ok = gx_hash(rt, held, &w->hash);
        gx_drop(held);
        if (!ok) return false;
    }
    *out = w->hash;
    return true;
}

static gx_try compare_weak(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if ((op != GX_EQ && op != GX_NE) || !gx_isinstance(a, &gx_type_weak) ||
        !gx_isinstance(b, &gx_type_weak))
        return GX_TRY_NO;
    bool same = a.obj == b.obj;
    if (gx_as_weak(a)->target && gx_as_weak(b)->target) {
        gx_value x = gx_weak_get(gx_as_weak(a)), y = gx_weak_get(gx_as_weak(b));
        bool ok = gx_equal(rt, x, y, &same);
        gx_drop(x);
        gx_drop(y);
        if (!ok) return GX_TRY_ERROR;
    }
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool call_weak(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    (void)argv;
    (void)kw;
    if (argc || kwc)
        return gx_fail(rt, GX_TypeError, "arg.count",
                       "a weak reference is called without arguments");
    *out = gx_weak_get(gx_as_weak(self));
    return true;
}

static bool get_callback(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_weak *w = gx_as_weak(self);
    *out = w->callback.tag == GX_UNDEF || !w->target ? gx_none() : gx_keep(w->callback);
    return true;
}

static const gx_member weak_members[] = {
    {"__callback__", get_callback, NULL, "What is called once the object is gone."},
    {NULL, NULL, NULL, NULL},
};

static bool construct_weak(gx_call *c, gx_value *out) {
    return gx_weak_new(c->rt, c->argv[0], c->argv[1], out);
}

static const gx_native weak_row = {"ref",
                                   "ref(object, callback=None, /)",
                                   "Tells an object while it lives, and does not keep it.",
                                   NULL,
                                   construct_weak,
                                   0,
                                   0};

const gx_type gx_type_weak = {
    .name = "weakref.ReferenceType",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "Tells an object while it lives, and does not keep it.",
    .free = free_weak,
    .traverse = traverse_weak,
    .clear = clear_weak,
    .repr = repr_weak,
    .hash = hash_weak,
    .compare = compare_weak,
    .call = call_weak,
    .construct = &weak_row,
    .members = weak_members,
};
