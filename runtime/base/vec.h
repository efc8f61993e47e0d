/* A typed growable array: GX_VEC(gx_value) xs = {0}; if (!gx_vec_push(rt, &xs, v)) … */
#ifndef GX_RUNTIME_BASE_VEC_H
#define GX_RUNTIME_BASE_VEC_H

#include "runtime/base/rt.h"

#define GX_VEC(T)                                                                                  \
    struct {                                                                                       \
        T *items;                                                                                  \
        size_t count, room;                                                                        \
    }
/* Room for `more` items beyond count; false: MemoryError. */
#define gx_vec_reserve(rt, v, more)                                                                \
    gx_vec_grow((rt), (void **)&(v)->items, &(v)->room, (v)->count + (more), sizeof *(v)->items)
/* Appends; false: MemoryError, the vector is unchanged and `item` was not evaluated. */
#define gx_vec_push(rt, v, item)                                                                   \
    (gx_vec_reserve(rt, v, 1) ? ((v)->items[(v)->count++] = (item), true) : false)
#define gx_vec_free(rt, v)                                                                         \
    (gx_free((rt), (v)->items), (v)->items = NULL, (v)->count = (v)->room = 0)

/* The one growth policy: at least `want` items, by half more each time. */
GX_CHECK bool gx_vec_grow(gx_rt *rt, void **items, size_t *room, size_t want, size_t item_bytes);

#endif
