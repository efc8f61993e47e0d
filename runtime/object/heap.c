/* The heap: birth and death of counted objects, and the collection of cycles by trial deletion.

   A container is seen by the collector only while it is tracked, and it is tracked only once its
   fields are valid; references from anything else (C variables, untracked objects) count as roots,
   so a collection at any gx_container_track is safe. Freeing never recurses deeply: beyond a depth,
   containers wait in a list. Invariant: the ring `all` holds exactly the tracked containers. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str_int.h"

#include <string.h>

enum { FREE_DEPTH = 48, MIN_THRESHOLD = 20000, ON_TRIAL = -1 };

bool gx_heap_new(gx_rt *rt) {
    gx_heap *h = gx_alloc_zero(rt, sizeof *h);
    if (!h) return false;
    h->all.gc_next = h->all.gc_prev = &h->all;
    h->threshold = rt->debug.gc_threshold > 0 ? rt->debug.gc_threshold : MIN_THRESHOLD;
    rt->heap = h;
    rt->class_version = 1;
    rt->free_object = gx_obj_free;
    return true;
}

void gx_heap_free(gx_rt *rt) {
    gx_heap *h = rt->heap;
    if (!h) return;
    for (int i = 0; i < GX_SHARED_CHARS; i++) gx_drop(gx_steal(&h->chars[i]));
    gx_drop(gx_steal(&h->empty_str));
    gx_drop(gx_steal(&h->empty_bytes));
    gx_drop(gx_steal(&h->lent_bytes));
    gx_drop(gx_steal(&h->empty_tuple));
    if (h->classes) gx_drop(gx_steal(&h->classes->not_implemented));
    gx_collect(rt);
    gx_free(rt, h->dying);
    gx_free(rt, h->classes);
    gx_free(rt, h->weak.slots);
    gx_free(rt, h->extensions);
    gx_free(rt, h->bytearray_rows);
    gx_free(rt, h->printing);
    for (int i = 0; i < GX_TEXTS_WITH_PLACES; i++) gx_free(rt, h->places[i].at);
    rt->heap = NULL;
    gx_free(rt, h);
}

int64_t gx_live_objects(const gx_rt *rt) {
    return rt->heap ? rt->heap->live : 0;
}

void *gx_obj_raw(gx_rt *rt, const gx_type *type, size_t bytes) {
    gx_obj *obj = gx_alloc(rt, bytes);
    if (!obj) return NULL;
    *obj = (gx_obj){.type = type, .refs = 1, .tag = type->tag};
    rt->heap->live++;
    return obj;
}

void *gx_obj_new(gx_rt *rt, const gx_type *type, size_t bytes) {
    gx_obj *obj = gx_obj_raw(rt, type, bytes);
    if (obj) memset(obj + 1, 0, bytes - sizeof *obj);
    return obj;
}

void gx_obj_release(gx_rt *rt, void *obj) {
    gx_free(rt, obj);
}

static void link_before(gx_container *at, gx_container *c) {
    c->gc_next = at;
    c->gc_prev = at->gc_prev;
    at->gc_prev->gc_next = c;
    at->gc_prev = c;
}

static inline void end(gx_rt *rt, gx_obj *obj) {
    rt->heap->live--;
    if (GX_UNLIKELY(obj->flags & (GX_HAS_PLACES | GX_WATCHED))) {
        if (obj->flags & GX_WATCHED) rt->heap->weak.end(rt, obj);
        else gx_str_forget_places((gx_str *)obj);
    }
    if (obj->type->free) obj->type->free(rt, obj);
    else gx_obj_release(rt, obj);
}

static void free_now(gx_rt *rt, gx_obj *obj) {
    if (obj->type->parting && obj->type->parting(rt, obj)) {
        gx_container *c = gx_container_of(obj);
        if (!c->gc_next) link_before(&rt->heap->all, c), rt->heap->tracked++; /* it had waited */
        return;
    }
    end(rt, obj);
}

static void free_container(gx_rt *rt, gx_obj *obj) {
    gx_heap *h = rt->heap;
    gx_container *c = gx_container_of(obj);
    if (h->free_depth >= FREE_DEPTH) {
        gx_container_untrack(rt, c);
        c->gc_prev = h->pending;
        h->pending = c;
        return;
    }
    h->free_depth++;
    free_now(rt, obj);
    while (h->free_depth == 1 && h->pending) {
        c = h->pending;
        h->pending = c->gc_prev;
        c->gc_prev = NULL;
        free_now(rt, gx_contained(c));
    }
    h->free_depth--;
}

void gx_obj_free(gx_obj *obj) {
    gx_rt *rt = gx_rt_of(obj);
    if (obj->type->container) free_container(rt, obj);
    else if (GX_UNLIKELY(obj->type->parting)) free_now(rt, obj);
    else end(rt, obj);
}

/* --- last words ------------------------------------------------------------------------------- */

bool gx_last_words_later(gx_rt *rt, gx_obj *obj, void (*fn)(gx_rt *, gx_obj *)) {
    gx_heap *h = rt->heap;
    if (h->closed) return false;
    if (h->dying_count == h->dying_room) {
        gx_error pending;
        size_t room = h->dying_room ? h->dying_room * 2 : 16;
        gx_error_save(rt, &pending);
        struct gx_last *list = gx_realloc(rt, h->dying, room * sizeof *list);
        gx_error_clear(rt);
        gx_error_restore(rt, &pending);
        if (!list) return false;
        h->dying = list;
        h->dying_room = room;
    }
    gx_obj_keep(obj);
    h->dying[h->dying_count++] = (struct gx_last){obj, fn};
    rt->dying = true;
    return true;
}

void gx_last_words(gx_rt *rt) {
    gx_heap *h = rt->heap;
    gx_error pending;
    gx_error_save(rt, &pending);
    while (h->dying_count) { /* what they queue in turn runs inside them, by their own statements */
        struct gx_last *list = h->dying;
        size_t n = h->dying_count;
        h->dying = NULL;
        h->dying_count = h->dying_room = 0;
        rt->dying = false;
        for (size_t i = 0; i < n; i++) {
            list[i].fn(rt, list[i].obj);
            gx_error_clear(rt);
            gx_obj_drop(list[i].obj);
        }
        gx_free(rt, list);
    }
    gx_error_restore(rt, &pending);
}

void gx_last_words_end(gx_rt *rt) {
    gx_last_words(rt);
    rt->heap->closed = true;
}

/* --- tracking --------------------------------------------------------------------------------- */

static void unlink_one(gx_container *c) {
    c->gc_prev->gc_next = c->gc_next;
    c->gc_next->gc_prev = c->gc_prev;
    c->gc_next = c->gc_prev = NULL;
}

void gx_container_track(gx_rt *rt, gx_container *c) {
    gx_heap *h = rt->heap;
    if (c->gc_next) return;
    link_before(&h->all, c);
    h->tracked++;
    if (GX_UNLIKELY(++h->fresh > h->threshold)) gx_collect(rt);
}

void gx_container_untrack(gx_rt *rt, gx_container *c) {
    if (!c->gc_next) return;
    unlink_one(c);
    rt->heap->tracked--;
    if (rt->debug.gc_threshold <= 0 && rt->heap->fresh > 0)
        rt->heap->fresh--; /* what comes and goes leaves no cycle */
}

/* --- cycles ----------------------------------------------------------------------------------- */

static gx_container *tracked(gx_obj *child) {
    if (!child->type->container) return NULL;
    gx_container *c = gx_container_of(child);
    return c->gc_next ? c : NULL;
}

/* ctx: counts the references that a collection follows. */
static void subtract(gx_obj *child, void *ctx) {
    ++*(int64_t *)ctx;
    gx_container *c = tracked(child);
    if (c) c->gc_refs--;
}

/* A child of something reachable is reachable: back to the ring when it was put on trial. */
static void reach(gx_obj *child, void *ctx) {
    gx_container *c = tracked(child);
    if (!c) return;
    if (c->gc_refs == ON_TRIAL) {
        unlink_one(c);
        link_before(ctx, c);
        c->gc_refs = 1;
    } else if (c->gc_refs == 0) {
        c->gc_refs = 1;
    }
}

static void traverse(gx_container *c, gx_visit visit, void *ctx) {
    gx_obj *obj = gx_contained(c);
    if (obj->type->traverse) obj->type->traverse(obj, visit, ctx);
}

/* Returns how many references it has followed. */
static int64_t find_unreachable(gx_heap *h, gx_container *trial) {
    int64_t followed = 0;
    for (gx_container *c = h->all.gc_next; c != &h->all; c = c->gc_next)
        c->gc_refs = gx_contained(c)->refs;
    for (gx_container *c = h->all.gc_next; c != &h->all; c = c->gc_next)
        traverse(c, subtract, &followed);
    for (gx_container *c = h->all.gc_next, *next; c != &h->all; c = next) {
        if (c->gc_refs > 0) {
            traverse(c, reach, &h->all);
            next = c->gc_next;
        } else {
            next = c->gc_next;
            unlink_one(c);
            link_before(trial, c);
            c->gc_refs = ON_TRIAL;
        }
    }
    return followed;
}

/* Queues the last words of everything on trial; true: there are some, and all goes back. */
static bool let_speak(gx_rt *rt, gx_container *trial) {
    gx_heap *h = rt->heap;
    size_t before = h->dying_count;
    for (gx_container *c = trial->gc_next; c != trial; c = c->gc_next) {
        gx_obj *obj = gx_contained(c);
        if (obj->type->parting) (void)obj->type->parting(rt, obj);
    }
    if (h->dying_count == before) return false;
    while (trial->gc_next != trial) {
        gx_container *c = trial->gc_next;
        unlink_one(c);
        link_before(&h->all, c);
    }
    return true;
}

int64_t gx_collect(gx_rt *rt) {
    gx_heap *h = rt->heap;
    if (!h || h->collecting) return 0;
    h->collecting = true;
    gx_error pending;
    gx_error_save(rt, &pending);
    gx_container trial = {0};
    trial.gc_next = trial.gc_prev = &trial;
    const int64_t followed = find_unreachable(h, &trial);
    int64_t freed = 0;
    bool again = let_speak(rt, &trial);
    for (gx_container *c = trial.gc_next; c != &trial; c = c->gc_next) {
        gx_obj_keep(gx_contained(c));
        freed++;
    }
    while (trial.gc_next != &trial) {
        gx_container *c = trial.gc_next;
        unlink_one(c);
        link_before(&h->all, c);
        gx_obj *obj = gx_contained(c);
        if (obj->type->clear) obj->type->clear(rt, obj);
        gx_obj_drop(obj);
    }
    h->fresh = again ? h->threshold - h->threshold / 8 : 0; /* they go at the next collection */
    if (rt->debug.gc_threshold <= 0) { /* the next one's work is shared by as many newcomers */
        h->threshold = h->tracked > followed / 4 ? h->tracked : followed / 4;
        if (h->threshold < MIN_THRESHOLD) h->threshold = MIN_THRESHOLD;
    }
    gx_error_clear(rt);
    gx_error_restore(rt, &pending);
    h->collecting = false;
    return freed;
}

/* --- repr of containers that hold themselves -------------------------------------------------- */

bool gx_repr_enter(gx_rt *rt, gx_obj *obj, bool *again) {
    gx_heap *h = rt->heap;
    *again = false;
    if (obj->flags & GX_PRINTING) {
        *again = true;
        return true;
    }
    if (!gx_stack_check(rt)) return false;
    if (h->printing_count == h->printing_room) {
        size_t room = h->printing_room ? h->printing_room * 2 : 8;
        gx_obj **list = gx_realloc(rt, h->printing, room * sizeof *list);
        if (!list) return false;
        h->printing = list;
        h->printing_room = room;
    }
    h->printing[h->printing_count++] = obj;
    obj->flags |= GX_PRINTING;
    return true;
}

void gx_repr_leave(gx_rt *rt) {
    gx_heap *h = rt->heap;
    h->printing[--h->printing_count]->flags &= (uint8_t)~GX_PRINTING;
}
