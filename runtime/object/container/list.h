/* list and tuple. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_LIST_H
#define GX_RUNTIME_OBJECT_CONTAINER_LIST_H

#include "runtime/object/object.h"

typedef struct gx_list {
    gx_container head;
    gx_value *items;
    int64_t count, room;
} gx_list;

typedef struct gx_tuple {
    gx_container head;
    int64_t count;
    const gx_sym *fields; /* named tuples (results like SVD's): count names, or NULL */
    const char *type_name;
    gx_value items[];
} gx_tuple;

static inline gx_list *gx_as_list(gx_borrowed v) {
    return (gx_list *)v.obj;
}
static inline gx_tuple *gx_as_tuple(gx_borrowed v) {
    return (gx_tuple *)v.obj;
}
/* A list of n copies of references to items (kept); items may be NULL when n is 0. */
GX_CHECK bool gx_list_new(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_value *out);
/* Room for so many items in all; false: MemoryError, the list is unchanged. */
GX_CHECK bool gx_list_reserve(gx_rt *rt, gx_list *l, int64_t room);
GX_CHECK bool gx_list_push(gx_rt *rt, gx_borrowed list, gx_borrowed item);
/* As gx_list_push; the item is consumed, also on failure. */
GX_CHECK bool gx_list_push_take(gx_rt *rt, gx_borrowed list, gx_value item);
GX_CHECK bool gx_tuple_new(gx_rt *rt, int64_t n, const gx_borrowed *items, gx_value *out);
/* A tuple that takes over n references from items, also on failure. */
GX_CHECK bool gx_tuple_take(gx_rt *rt, int64_t n, gx_value *items, gx_value *out);
/* The same for an iterator that yields tuples of one length: the tuple in *kept (UNDEF at first,
   owned by the iterator) gets the new items when nobody else has kept it. */
GX_CHECK bool gx_tuple_again(gx_rt *rt, gx_value *kept, int64_t n, gx_value *items,
                             gx_value *out);
/* A tuple whose items also have names: SVDResult(U=…, S=…). type_name must outlive it; the field
   names are copied. */
GX_CHECK bool gx_tuple_named(gx_rt *rt, const char *type_name, int64_t n, const gx_sym *fields,
                             const gx_borrowed *items, gx_value *out);
/* A tuple of ints: shapes. */
GX_CHECK bool gx_tuple_ints(gx_rt *rt, int n, const int64_t *items, gx_value *out);
/* Everything an iterable yields, as a list; for a tuple, gx_tuple_of. */
GX_CHECK bool gx_list_of(gx_rt *rt, gx_borrowed iterable, gx_value *out);
GX_CHECK bool gx_tuple_of(gx_rt *rt, gx_borrowed iterable, gx_value *out);
/* Items of a list or tuple without copying: count, or -1 when v is neither. */
int64_t gx_sequence_items(gx_borrowed v, const gx_value **items);
/* Does iterating give just the items, as no class of a script has an __iter__ of its own? */
bool gx_iterates_plainly(gx_borrowed v);
/* As gx_list_of, where Python reads a sequence: an instance is not asked for its length. */
GX_CHECK bool gx_list_walked(gx_rt *rt, gx_borrowed iterable, gx_value *out);
/* Asks an instance for its length, or else for its __length_hint__, as Python's list() does where
   it makes room: only what that code prints or raises counts. */
GX_CHECK bool gx_length_heard(gx_rt *rt, gx_borrowed v);
/* Stable sort in place; key may be UNDEF or None. On error the list holds the same items. */
GX_CHECK bool gx_list_sort(gx_rt *rt, gx_borrowed list, gx_borrowed key, bool reverse);

#endif
