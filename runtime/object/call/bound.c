/* Methods bound to self, and other objects of two values (classmethod, super): their memory. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"

bool gx_bound_new(gx_rt *rt, gx_borrowed self, gx_borrowed fn, gx_value *out) {
    gx_bound *b = gx_obj_new(rt, gx_core_types[GX_METHOD], sizeof *b);
    if (!b) return false;
    b->self = gx_keep(self);
    b->fn = gx_keep(fn);
    gx_container_track(rt, &b->head);
    *out = gx_object(&b->head.obj);
    return true;
}

void gx_bound_free(gx_rt *rt, gx_obj *o) {
    gx_bound *b = (gx_bound *)o;
    gx_container_untrack(rt, &b->head);
    gx_drop(b->self);
    gx_drop(b->fn);
    gx_obj_release(rt, o);
}

void gx_bound_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_bound *b = (gx_bound *)o;
    if (gx_is_object(b->self)) visit(b->self.obj, ctx);
    if (gx_is_object(b->fn)) visit(b->fn.obj, ctx);
}

void gx_bound_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_bound *b = (gx_bound *)o;
    gx_value self = b->self, fn = b->fn;
    b->self = b->fn = gx_none();
    gx_drop(self);
    gx_drop(fn);
}
