/* The shared body of lazy iterators: memory and cycles. What they yield is in the files that define
   their types. Invariant: every value field is owned or UNDEF. */
#include "stdlib/python/walk.h"

gx_walk *gx_walk_new(gx_rt *rt, const gx_type *type, int64_t count) {
    gx_walk *w = gx_obj_new(rt, type, sizeof *w + (size_t)count * sizeof(gx_value));
    if (w) w->count = count;
    return w;
}

bool gx_walk_done(gx_rt *rt, gx_walk *w, gx_value *out) {
    gx_container_track(rt, &w->head);
    *out = gx_object(&w->head.obj);
    return true;
}

bool gx_walk_iters(gx_rt *rt, gx_walk *w, int64_t n, const gx_borrowed *values) {
    for (int64_t i = 0; i < n; i++) {
        if (gx_iter(rt, values[i], &w->items[i])) continue;
        gx_drop(gx_object(&w->head.obj));
        return false;
    }
    return true;
}

void gx_walk_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_walk *w = (gx_walk *)o;
    gx_value old[3] = {gx_steal(&w->a), gx_steal(&w->b), gx_steal(&w->c)};
    for (int i = 0; i < 3; i++) gx_drop(old[i]);
    for (int64_t i = 0; i < w->count; i++) {
        gx_value item = gx_steal(&w->items[i]);
        gx_drop(item);
    }
}

void gx_walk_free(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    gx_walk_clear(rt, o);
    gx_free(rt, o);
}

void gx_walk_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_walk *w = (gx_walk *)o;
    if (gx_is_object(w->a)) visit(w->a.obj, ctx);
    if (gx_is_object(w->b)) visit(w->b.obj, ctx);
    if (gx_is_object(w->c)) visit(w->c.obj, ctx);
    for (int64_t i = 0; i < w->count; i++)
        if (gx_is_object(w->items[i])) visit(w->items[i].obj, ctx);
}

bool gx_walk_self(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(v);
    return true;
}
