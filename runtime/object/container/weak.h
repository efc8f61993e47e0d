/* Weak references: they tell an object while it lives, and do not keep it. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_WEAK_H
#define GX_RUNTIME_OBJECT_CONTAINER_WEAK_H

#include "runtime/object/object.h"

typedef struct gx_weak {
    gx_container head;
    gx_obj *target;       /* borrowed; NULL: it is gone */
    struct gx_weak *next; /* of the same target */
    gx_value callback;    /* called with the reference once the target is gone; or UNDEF */
    uint64_t hash;        /* the target's, once it was asked for; else 0 */
} gx_weak;

extern const gx_type gx_type_weak;

static inline gx_weak *gx_as_weak(gx_borrowed v) {
    return (gx_weak *)v.obj;
}
/* A reference to v; without a callback there is one, which is shared. TypeError: values, which are
   made anew at any time, have none. */
GX_CHECK bool gx_weak_new(gx_rt *rt, gx_borrowed v, gx_borrowed callback, gx_value *out);
/* The target, one reference more; None: it is gone. */
gx_value gx_weak_get(const gx_weak *w);
/* The first reference to an object, or NULL. */
gx_weak *gx_weak_first(gx_rt *rt, gx_borrowed v);

#endif
