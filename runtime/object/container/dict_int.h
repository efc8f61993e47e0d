/* The inside of hash tables, for dicts and sets. */
#ifndef GX_RUNTIME_OBJECT_CONTAINER_DICT_INT_H
#define GX_RUNTIME_OBJECT_CONTAINER_DICT_INT_H

#include "runtime/object/container/dict.h"
#include "runtime/object/native.h"

/* A table of a type whose instances begin with gx_dict: dict, set, or one derived from them. */
GX_CHECK bool gx_table_new(gx_rt *rt, const gx_type *type, gx_value *out);
GX_CHECK bool gx_table_reserve(gx_rt *rt, gx_dict *d, int64_t count);
/* An empty index of `size` places and `room` entries that nobody has filled; taking them for the
   table's own. */
typedef struct gx_table_store {
    int32_t *index;
    gx_entry *entries;
    int64_t size, room;
} gx_table_store;
GX_CHECK bool gx_table_store_new(gx_rt *rt, int64_t size, int64_t room, gx_table_store *out);
void gx_table_store_take(gx_rt *rt, gx_dict *d, const gx_table_store *from, int64_t used);
/* Where a key is in the index. */
gx_try gx_table_find(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash, int64_t *place);
gx_entry *gx_table_entry(gx_dict *d, int64_t place);
/* Where entry i is in the index; nothing is compared. */
int64_t gx_table_place(const gx_dict *d, int64_t i);
/* What stands in the index at a place without an entry. */
enum { GX_TABLE_FREE = -1, GX_TABLE_DELETED = -2 };
/* Compares keys whose hashes agree. *changed: the table is another one now. */
gx_try gx_table_same_key(gx_rt *rt, gx_dict *d, const gx_entry *e, gx_borrowed key, bool *changed);
/* set_table.c: as gx_table_find; adds an item that is absent; adds the items of a set or the keys
   of a dict; takes those away that are there, and with `toggle` adds the others; sweeps what
   removals have left; takes any item (false: there is none). */
gx_try gx_set_find(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash, int64_t *place);
GX_CHECK bool gx_set_add_new(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash);
GX_CHECK bool gx_set_merge(gx_rt *rt, gx_dict *from, gx_borrowed to);
GX_CHECK bool gx_set_remove_all(gx_rt *rt, gx_borrowed set, gx_borrowed others, bool toggle);
GX_CHECK bool gx_set_tidy(gx_rt *rt, gx_dict *d);
bool gx_set_pop(gx_dict *d, gx_value *out);
/* Takes an entry out; the caller owns what it held. */
void gx_table_delete(gx_dict *d, int64_t place, gx_value *key, gx_value *value);
/* Adds all entries of one table to another of the same kind. */
GX_CHECK bool gx_table_copy(gx_rt *rt, gx_borrowed from, gx_borrowed to);
void gx_table_clear(gx_rt *rt, gx_obj *o);
void gx_table_free(gx_rt *rt, gx_obj *o);
void gx_table_traverse(gx_obj *o, gx_visit visit, void *ctx);
bool gx_table_length(gx_rt *rt, gx_borrowed v, int64_t *out);
/* item in set. */
/* A set that is looked up in a set stands for its items, frozen. Asked after `item` could not be
   hashed; NO: the error stays. */
gx_try gx_set_as_key(gx_rt *rt, gx_borrowed item, gx_value *out);
GX_CHECK bool gx_set_contains(gx_rt *rt, gx_borrowed set, gx_borrowed item, bool *out);
bool gx_table_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out);

/* dict.update(other, **named): a mapping, or an iterable of pairs. */
GX_CHECK bool gx_dict_update(gx_rt *rt, gx_borrowed dict, gx_borrowed other);
/* dict |= other. */
gx_try gx_dict_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* A set of what an iterable yields; a set itself is only kept. */
GX_CHECK bool gx_set_of(gx_rt *rt, gx_borrowed iterable, gx_value *out);
/* a op b for op in & | - ^, a fresh set or frozenset as a is; both are sets. */
GX_CHECK bool gx_set_combine(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out);
/* Exchanges what two sets hold. */
void gx_set_become(gx_borrowed set, gx_borrowed other);
/* The order of two sets by inclusion. */
GX_CHECK bool gx_set_relation(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, bool *out);

bool gx_dict_iter(gx_rt *rt, gx_borrowed v, gx_value *out);

extern const gx_native gx_dict_methods[], gx_dict_statics[], gx_set_methods[],
    gx_frozenset_methods[];
extern const gx_native gx_dict_construct;

#endif
