/* Lazy iterators made of one struct: zip, map, itertools.* … differ in their `next` alone. */
#ifndef GX_STDLIB_PYTHON_WALK_H
#define GX_STDLIB_PYTHON_WALK_H

#include "runtime/object/native.h"

typedef struct gx_walk {
    gx_container head;
    gx_value a, b, c;  /* whatever the kind of iterator needs; owned */
    int64_t i, j, k;
    int64_t count;     /* items: owned, UNDEF at first */
    gx_value items[];
} gx_walk;

static inline gx_walk *gx_as_walk(gx_borrowed v) {
    return (gx_walk *)v.obj;
}
/* An untracked walk with `count` items; call gx_walk_done when its fields are set. */
GX_CHECK gx_walk *gx_walk_new(gx_rt *rt, const gx_type *type, int64_t count);
/* Tracks it and gives it as a value. Always true, so that a function can end with it. */
bool gx_walk_done(gx_rt *rt, gx_walk *w, gx_value *out);
/* The same iterators over: w->items[i] = iter(values[i]); on failure w is freed. */
GX_CHECK bool gx_walk_iters(gx_rt *rt, gx_walk *w, int64_t n, const gx_borrowed *values);
void gx_walk_free(gx_rt *rt, gx_obj *o);
void gx_walk_traverse(gx_obj *o, gx_visit visit, void *ctx);
void gx_walk_clear(gx_rt *rt, gx_obj *o);
/* iter(it) is it. */
bool gx_walk_self(gx_rt *rt, gx_borrowed v, gx_value *out);

/* The end of an iterator: `return gx_walk_end(more);` */
static inline bool gx_walk_end(bool *more) {
    *more = false;
    return true;
}

/* The type of such an iterator. `construct`: the row that calling the type runs, or NULL. */
#define GX_WALK_TYPE(id, text, next_fn, construct_row)                                             \
    const gx_type id = {                                                                           \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,                \
        .iter = gx_walk_self, .next = next_fn, .construct = construct_row,                         \
    }

/* Calls fn with one and two arguments. */
static inline bool gx_call1(gx_rt *rt, gx_borrowed fn, gx_borrowed a, gx_value *out) {
    return gx_call_value(rt, fn, 1, &a, 0, NULL, out);
}
static inline bool gx_call2(gx_rt *rt, gx_borrowed fn, gx_borrowed a, gx_borrowed b,
                            gx_value *out) {
    const gx_borrowed ab[2] = {a, b};
    return gx_call_value(rt, fn, 2, ab, 0, NULL, out);
}

#endif
