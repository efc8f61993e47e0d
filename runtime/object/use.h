/* What C code works on while code of a script may run: the arguments of the builtin functions that
   are running (gx_call), what their scopes hold, an array that is being indexed. An array in use
   keeps its shape: resize and `a.shape =` refuse, whatever an __index__ or a callback tries. So C
   code may keep sizes and strides across anything. */
#ifndef GX_RUNTIME_OBJECT_USE_H
#define GX_RUNTIME_OBJECT_USE_H

#include "runtime/object/native.h"

/* `count` values in use, which the user may change: the first `few` of them at `first`, the
   others at `more`. It stays where it is from gx_use_begin to gx_use_end. */
typedef struct gx_use {
    struct gx_use *up;
    const gx_call *within; /* the builtin function that it belongs to, or NULL */
    const gx_value *first;
    gx_value *more;
    int count, few;
} gx_use;

static inline void gx_use_begin(gx_rt *rt, gx_use *u, const gx_value *first, int few) {
    u->first = first;
    u->few = u->count = few;
    u->up = rt->uses;
    u->within = rt->calls;
    rt->uses = u;
}
static inline void gx_use_end(gx_rt *rt, const gx_use *u) {
    gx_use **at = &rt->uses;
    while (*at != u) at = &(*at)->up; /* nearly always the first */
    *at = u->up;
}
/* A builtin function that only hands its arguments on, and works on them no more. */
static inline void gx_use_hands_on(const gx_call *c) {
    if (c->rt->calls == c) c->rt->calls = c->up;
}
/* To be asked before a script changes the shape of an array in place: false, with ValueError, when
   C code works on it, but for the call `by`, which may be NULL. */
GX_CHECK bool gx_use_none(gx_rt *rt, const gx_obj *a, const gx_call *by);

#endif
