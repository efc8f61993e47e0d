/* dict (insertion ordered) and set. Keys are hashed by gx_hash and compared by gx_equal. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_DICT_H
#define GX_RUNTIME_OBJECT_CONTAINER_DICT_H

#include "runtime/object/object.h"

typedef struct gx_entry {
    uint64_t hash;
    gx_value key, value; /* key UNDEF: deleted; sets: value UNDEF */
} gx_entry;

typedef struct gx_dict { /* dict, set, frozenset */
    gx_container head;
    gx_entry *entries; /* in insertion order */
    int32_t *index;    /* open addressing into entries; -1 free, -2 deleted */
    int64_t count;     /* live entries */
    int64_t used;      /* entries used, deleted ones included */
    int64_t room, index_size;
    int64_t filled; /* index places that are not free */
    int64_t first;  /* no entry before it is live */
    int64_t finger; /* sets: where pop() looks next */
    uint64_t version; /* changes with every insertion or deletion: iteration checks it */
} gx_dict;

static inline gx_dict *gx_as_dict(gx_borrowed v) {
    return (gx_dict *)v.obj;
}
GX_CHECK bool gx_dict_new(gx_rt *rt, gx_value *out);
GX_CHECK bool gx_set_new(gx_rt *rt, bool frozen, gx_value *out);
/* GX_TRY_YES: *out is the value, owned. */
gx_try gx_dict_find(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out);
/* GX_TRY_YES: *out is the key as the dict holds it, owned. */
gx_try gx_dict_own_key(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out);
GX_CHECK bool gx_dict_set(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_borrowed value);
GX_CHECK bool gx_dict_set_c(gx_rt *rt, gx_borrowed dict, const char *key, gx_borrowed value);
/* As gx_dict_set_c; the value is consumed, also on failure. */
GX_CHECK bool gx_dict_set_c_take(gx_rt *rt, gx_borrowed dict, const char *key, gx_value value);
GX_CHECK bool gx_dict_set_text(gx_rt *rt, gx_borrowed dict, const char *key, const char *text);
/* Removes; *out (may be NULL) owns the old value. GX_TRY_NO: it was not there. */
gx_try gx_dict_remove(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out);
/* Removes the entry added last or first of a dict that is not empty, as key and value; no key is
   compared. */
void gx_dict_pop_end(gx_borrowed dict, bool last, gx_value pair[2]);
void gx_dict_drop_first(gx_borrowed dict);
GX_CHECK bool gx_set_add(gx_rt *rt, gx_borrowed set, gx_borrowed item);
/* Everything an iterable yields, added to a set. */
GX_CHECK bool gx_set_update(gx_rt *rt, gx_borrowed set, gx_borrowed iterable);
/* Is it an item of the set, or a key of the dict? */
gx_try gx_set_has(gx_rt *rt, gx_borrowed table, gx_borrowed item);
/* The next live entry at or after *at, or NULL; *at moves behind it. */
gx_entry *gx_dict_next(gx_dict *d, int64_t *at);
/* What of a dict a view or an iterator gives; GX_VIEW_ORDERED is added for an OrderedDict's. */
enum gx_view { GX_VIEW_KEYS, GX_VIEW_VALUES, GX_VIEW_ITEMS, GX_VIEW_ORDERED = 4 };
GX_CHECK bool gx_view_new(gx_rt *rt, gx_borrowed dict, int what, gx_value *out);
/* An iterator over keys, values or items, forwards or backwards. */
GX_CHECK bool gx_table_iter(gx_rt *rt, gx_borrowed table, int what, bool backwards, gx_value *out);

#endif
