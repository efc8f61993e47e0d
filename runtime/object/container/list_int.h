/* Lists' inside, for lists and tuples. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_LIST_INT_H
#define GX_RUNTIME_OBJECT_CONTAINER_LIST_INT_H

#include "runtime/object/container/list.h"
#include "runtime/object/native.h"

/* Replaces `count` items from `start` by n items (kept). */
GX_CHECK bool gx_list_splice(gx_rt *rt, gx_list *l, int64_t start, int64_t count, int64_t n,
                             const gx_value *items);
GX_CHECK bool gx_list_extend(gx_rt *rt, gx_borrowed list, gx_borrowed iterable);
/* Drops all items; the list is empty before the first of them is freed. */
void gx_list_empty(gx_rt *rt, gx_list *l);
GX_CHECK bool gx_items_repr(gx_rt *rt, gx_borrowed owner, gx_buf *out);
/* The first item equal to x in [from, to): its index, or -1. False: an error. */
GX_CHECK bool gx_items_find(gx_rt *rt, gx_borrowed owner, gx_borrowed x, int64_t from, int64_t to,
                            int64_t *out);
/* Optional start and stop arguments of index(x, start, stop), wrapped and clamped to n. */
GX_CHECK bool gx_find_bounds(gx_call *c, int at, int64_t n, int64_t *from, int64_t *to);

extern const gx_native gx_list_methods[], gx_tuple_methods[];

#endif
