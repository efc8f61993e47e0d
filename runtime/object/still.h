/* Items of a sequence while code of a script runs, which may change a list or drop what it holds.
 */
#ifndef GX_RUNTIME_OBJECT_STILL_H
#define GX_RUNTIME_OBJECT_STILL_H

#include "runtime/object/container/list.h"

static inline void gx_still_end(gx_value *own) {
    gx_drop(*own);
}
/* A value that is dropped where its block ends, by whichever way. */
#define GX_STILL(own) __attribute__((cleanup(gx_still_end))) gx_value own = gx_undef()

/* The items of a list or tuple as they are now, which `own`, declared by GX_STILL, holds where v is
   a list; *n is -1 for anything else. */
GX_CHECK static inline bool gx_still_items(gx_rt *rt, gx_borrowed v, gx_value *own,
                                           const gx_value **items, int64_t *n) {
    gx_value copy;
    *n = gx_sequence_items(v, items);
    if (v.tag != GX_LIST) return true;
    if (!gx_tuple_of(rt, v, &copy)) return false;
    gx_drop(*own);
    *own = copy;
    *n = gx_sequence_items(copy, items);
    return true;
}
/* The items that *args of a builtin function stands for, in a tuple; how many. */
static inline int64_t gx_rest_items(gx_borrowed args, const gx_value **items) {
    *items = gx_as_tuple(args)->items;
    return gx_as_tuple(args)->count;
}

#endif
