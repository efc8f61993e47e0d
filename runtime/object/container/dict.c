/* The hash table of dicts and sets: entries in insertion order, and an index of positions by open
   addressing. Methods are in dict_methods.c, views in dict_views.c, sets in set.c.

   Invariant: the index has a free place for every search to end at; a deleted entry keeps its
   place in `entries` (key UNDEF) until the table is rebuilt. Comparing keys may run code of a
   script that changes the table; a search notices by the version and starts again. */
#include "runtime/object/container/dict.h"

#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/str.h"

enum { FREE = GX_TABLE_FREE, DELETED = GX_TABLE_DELETED, FIRST_INDEX = 8, SMALL_INDEX = 64 };

/* --- making ----------------------------------------------------------------------------------- */

bool gx_table_new(gx_rt *rt, const gx_type *type, gx_value *out) {
    gx_dict *d = gx_obj_new(rt, type, sizeof *d);
    if (!d) return false;
    gx_container_track(rt, &d->head);
    *out = gx_object(&d->head.obj);
    return true;
}

bool gx_dict_new(gx_rt *rt, gx_value *out) {
    return gx_table_new(rt, gx_core_types[GX_DICT], out);
}

/* Text that hashes and compares by its bytes, as that of a script's class below str may not. */
static inline bool is_str(gx_borrowed key) {
    return key.tag == GX_STR && !key.obj->type->heap;
}

/* The fast hashes without a call. */
static inline bool key_hash(gx_rt *rt, gx_borrowed key, uint64_t *out) {
    if (is_str(key)) {
        *out = gx_str_hash(gx_as_str(key));
        return true;
    }
    if (key.tag == GX_INT) {
        *out = gx_hash_int(key.i);
        return true;
    }
    return gx_hash(rt, key, out);
}

/* Spreads a hash over the index: ints next to each other stay next to each other. */
static inline uint64_t spread(uint64_t hash) {
    return hash ^ (hash >> 32);
}

static inline int64_t probe(int64_t place, uint64_t *rest, int64_t mask) {
    *rest >>= 5;
    return (place * 5 + 1 + (int64_t)*rest) & mask;
}

static int64_t free_place(const int32_t *index, int64_t size, uint64_t hash) {
    int64_t mask = size - 1;
    uint64_t rest = spread(hash);
    int64_t place = (int64_t)(rest & (uint64_t)mask);
    while (index[place] >= 0) place = probe(place, &rest, mask);
    return place;
}

bool gx_table_store_new(gx_rt *rt, int64_t size, int64_t room, gx_table_store *out) {
    if (size > INT32_MAX) return gx_no_memory(rt);
    int32_t *index = gx_alloc(rt, (size_t)size * sizeof *index);
    gx_entry *entries = index ? gx_alloc(rt, (size_t)room * sizeof *entries) : NULL;
    if (!entries) {
        gx_free(rt, index);
        return false;
    }
    memset(index, 0xFF, (size_t)size * sizeof *index);
    *out = (gx_table_store){index, entries, size, room};
    return true;
}

void gx_table_store_take(gx_rt *rt, gx_dict *d, const gx_table_store *from, int64_t used) {
    gx_free(rt, d->index);
    gx_free(rt, d->entries);
    d->index = from->index;
    d->entries = from->entries;
    d->used = d->filled = used;
    d->first = 0;
    d->room = from->room;
    d->index_size = from->size;
}

/* Rebuilds the table for `want` entries, deleted ones dropped out. */
static bool rebuild(gx_rt *rt, gx_dict *d, int64_t want) {
    int64_t size = FIRST_INDEX, n = 0;
    while (size * 2 < want * 3) size *= 2;
    gx_table_store to;
    if (!gx_table_store_new(rt, size, size * 2 / 3 + 1, &to)) return false;
    for (int64_t i = 0; i < d->used; i++) {
        if (d->entries[i].key.tag == GX_UNDEF) continue;
        to.entries[n] = d->entries[i];
        to.index[free_place(to.index, size, to.entries[n].hash)] = (int32_t)n;
        n++;
    }
    gx_table_store_take(rt, d, &to, n);
    return true;
}

bool gx_table_reserve(gx_rt *rt, gx_dict *d, int64_t count) {
    return count <= d->room ? true : rebuild(rt, d, count);
}

/* --- searching -------------------------------------------------------------------------------- */

/* Compares keys whose hashes agree. GX_TRY_NO: differ. *changed: the table is another one now. */
gx_try gx_table_same_key(gx_rt *rt, gx_dict *d, const gx_entry *e, gx_borrowed key, bool *changed) {
    if (is_str(key) && is_str(e->key))
        return gx_str_equal(gx_as_str(e->key), gx_as_str(key)) ? GX_TRY_YES : GX_TRY_NO;
    if (key.tag == GX_INT && e->key.tag == GX_INT)
        return e->key.i == key.i ? GX_TRY_YES : GX_TRY_NO;
    uint64_t version = d->version;
    gx_value own = gx_keep(e->key);
    bool equal;
    bool ok = gx_equal(rt, own, key, &equal);
    gx_drop(own);
    if (!ok) return GX_TRY_ERROR;
    *changed = d->version != version;
    return equal ? GX_TRY_YES : GX_TRY_NO;
}

/* Whether n bytes agree; short texts, as keys mostly are, without a call. */
static inline bool same_text(const char *a, const char *b, size_t n) {
    uint64_t x[2], y[2];
    uint32_t v[2], w[2];
    if (n > 16) return memcmp(a, b, n) == 0;
    if (n >= 8) {
        memcpy(x, a, 8), memcpy(x + 1, a + n - 8, 8);
        memcpy(y, b, 8), memcpy(y + 1, b + n - 8, 8);
        return x[0] == y[0] && x[1] == y[1];
    }
    if (n >= 4) {
        memcpy(v, a, 4), memcpy(v + 1, a + n - 4, 4);
        memcpy(w, b, 4), memcpy(w + 1, b + n - 4, 4);
        return v[0] == w[0] && v[1] == w[1];
    }
    return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

/* The search for a str among keys that are str; *mixed: one of another type with the same hash
   was met, and the search must be the general one. */
static inline gx_try find_str(const gx_dict *d, gx_borrowed key, uint64_t hash, int64_t *place,
                              bool *mixed) {
    const gx_str *want = gx_as_str(key);
    int64_t mask = d->index_size - 1;
    uint64_t rest = spread(hash);
    *mixed = false;
    for (int64_t at = (int64_t)(rest & (uint64_t)mask);; at = probe(at, &rest, mask)) {
        int32_t i = d->index[at];
        if (i == FREE) return GX_TRY_NO;
        if (i == DELETED || d->entries[i].hash != hash) continue;
        const gx_value *have = &d->entries[i].key;
        if (GX_UNLIKELY(!is_str(*have))) {
            *mixed = true;
            return GX_TRY_NO;
        }
        const gx_str *s = gx_as_str(*have);
        if (s == want || (s->length == want->length && same_text(s->text, want->text, s->length))) {
            *place = at;
            return GX_TRY_YES;
        }
    }
}

gx_try gx_table_find(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash, int64_t *place) {
    if (d->head.obj.tag == GX_SET) return gx_set_find(rt, d, key, hash, place);
again:
    if (d->count == 0) return GX_TRY_NO;
    if (is_str(key)) {
        bool mixed;
        gx_try r = find_str(d, key, hash, place, &mixed);
        if (!mixed) return r;
    }
    int64_t mask = d->index_size - 1;
    uint64_t rest = spread(hash);
    int64_t at = (int64_t)(rest & (uint64_t)mask);
    for (;; at = probe(at, &rest, mask)) {
        int32_t i = d->index[at];
        if (i == FREE) return GX_TRY_NO;
        if (i == DELETED || d->entries[i].hash != hash) continue;
        const gx_value *have = &d->entries[i].key;
        if (GX_LIKELY(have->tag == key.tag && have->u == key.u)) {
            *place = at;
            return GX_TRY_YES;
        }
        bool changed = false;
        gx_try r = gx_table_same_key(rt, d, &d->entries[i], key, &changed);
        if (r == GX_TRY_ERROR) return r;
        if (changed) goto again;
        if (r == GX_TRY_YES) {
            *place = at;
            return GX_TRY_YES;
        }
    }
}

int64_t gx_table_place(const gx_dict *d, int64_t i) {
    int64_t mask = d->index_size - 1;
    uint64_t rest = spread(d->entries[i].hash);
    int64_t at = (int64_t)(rest & (uint64_t)mask);
    while (d->index[at] != i) at = probe(at, &rest, mask);
    return at;
}

gx_entry *gx_table_entry(gx_dict *d, int64_t place) {
    return &d->entries[d->index[place]];
}

/* Adds a key that is known to be absent; both are kept. */
static bool add(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash, gx_borrowed value) {
    if (d->head.obj.tag == GX_SET) return gx_set_add_new(rt, d, key, hash);
    if ((d->used >= d->room || d->filled >= d->room) && !rebuild(rt, d, d->count * 2 + 4))
        return false;
    int64_t place = free_place(d->index, d->index_size, hash);
    d->filled += d->index[place] == FREE;
    d->index[place] = (int32_t)d->used;
    d->entries[d->used++] = (gx_entry){hash, gx_keep(key), gx_keep(value)};
    d->count++;
    d->version++;
    return true;
}

/* What a search that may run a key's code needs to the end: the table and the key. */
typedef struct search {
    gx_value table, key; /* UNDEF: nothing runs */
} search;

static inline search begin(gx_borrowed table, gx_borrowed key) {
    search s = {gx_undef(), gx_undef()};
    if (GX_UNLIKELY(gx_lively(key))) s = (search){gx_keep(table), gx_keep(key)};
    return s;
}

static inline void end(search s) {
    gx_drop(s.table);
    gx_drop(s.key);
}

/* The key (if asked for) and the value (if asked for) of an entry, owned. */
static inline gx_try find(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *own,
                          gx_value *value) {
    gx_dict *d = gx_as_dict(dict);
    search s = begin(dict, key);
    uint64_t hash;
    int64_t place;
    gx_try r = GX_TRY_ERROR;
    if (key_hash(rt, key, &hash)) r = gx_table_find(rt, d, key, hash, &place);
    if (r == GX_TRY_YES && own) *own = gx_keep(gx_table_entry(d, place)->key);
    if (r == GX_TRY_YES && value) *value = gx_keep(gx_table_entry(d, place)->value);
    end(s);
    return r;
}

gx_try gx_dict_find(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out) {
    return find(rt, dict, key, NULL, out);
}

gx_try gx_dict_own_key(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out) {
    return find(rt, dict, key, out, NULL);
}

static bool set_entry(gx_rt *rt, gx_dict *d, gx_borrowed key, gx_borrowed value) {
    uint64_t hash;
    int64_t place;
    if (!key_hash(rt, key, &hash)) return false;
    gx_try r = gx_table_find(rt, d, key, hash, &place);
    if (r == GX_TRY_ERROR) return false;
    if (r == GX_TRY_NO) return add(rt, d, key, hash, value);
    gx_entry *e = gx_table_entry(d, place);
    gx_value old = e->value;
    e->value = gx_keep(value);
    gx_drop(old);
    return true;
}

/* A key's code may drop the key and the value where they came from. */
bool gx_dict_set(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_borrowed value) {
    search s = begin(dict, key);
    gx_keep(value);
    bool ok = set_entry(rt, gx_as_dict(dict), key, value);
    gx_drop(value);
    end(s);
    return ok;
}

bool gx_dict_set_c(gx_rt *rt, gx_borrowed dict, const char *key, gx_borrowed value) {
    gx_value k;
    if (!gx_str_c(rt, key, &k)) return false;
    bool ok = gx_dict_set(rt, dict, k, value);
    gx_drop(k);
    return ok;
}

bool gx_dict_set_c_take(gx_rt *rt, gx_borrowed dict, const char *key, gx_value value) {
    bool ok = gx_dict_set_c(rt, dict, key, value);
    gx_drop(value);
    return ok;
}

bool gx_dict_set_text(gx_rt *rt, gx_borrowed dict, const char *key, const char *text) {
    gx_value v;
    return gx_str_c(rt, text, &v) && gx_dict_set_c_take(rt, dict, key, v);
}

bool gx_set_add(gx_rt *rt, gx_borrowed set, gx_borrowed item) {
    gx_dict *d = gx_as_dict(set);
    uint64_t hash;
    int64_t place;
    search s = begin(set, item);
    bool ok = key_hash(rt, item, &hash);
    if (ok) {
        gx_try r = gx_table_find(rt, d, item, hash, &place);
        ok = r == GX_TRY_YES || (r == GX_TRY_NO && add(rt, d, item, hash, gx_undef()));
    }
    end(s);
    return ok;
}

gx_try gx_set_has(gx_rt *rt, gx_borrowed set, gx_borrowed item) {
    uint64_t hash;
    int64_t place;
    search s = begin(set, item);
    gx_try r = GX_TRY_ERROR;
    if (key_hash(rt, item, &hash)) r = gx_table_find(rt, gx_as_dict(set), item, hash, &place);
    end(s);
    return r;
}

void gx_table_delete(gx_dict *d, int64_t place, gx_value *key, gx_value *value) {
    gx_entry *e = gx_table_entry(d, place);
    *key = e->key;
    *value = e->value;
    e->key = e->value = gx_undef();
    d->index[place] = DELETED;
    d->count--;
    d->version++;
    while (d->first < d->used && d->entries[d->first].key.tag == GX_UNDEF) d->first++;
    if (d->count > 0 || d->head.obj.tag == GX_SET) return;
    d->used = d->filled = d->first = 0; /* nothing left: all places are free again */
    if (d->index_size <= SMALL_INDEX) {
        memset(d->index, 0xFF, (size_t)d->index_size * sizeof *d->index);
        return;
    }
    gx_rt *rt = gx_rt_of(d);
    gx_free(rt, d->index);
    gx_free(rt, d->entries);
    d->index = NULL;
    d->entries = NULL;
    d->room = d->index_size = 0;
}

gx_try gx_dict_remove(gx_rt *rt, gx_borrowed dict, gx_borrowed key, gx_value *out) {
    gx_dict *d = gx_as_dict(dict);
    search s = begin(dict, key);
    uint64_t hash;
    int64_t place;
    gx_try r = GX_TRY_ERROR;
    if (key_hash(rt, key, &hash)) r = gx_table_find(rt, d, key, hash, &place);
    if (r == GX_TRY_YES) {
        gx_value old_key, old;
        gx_table_delete(d, place, &old_key, &old);
        gx_drop(old_key);
        if (out) *out = old;
        else gx_drop(old);
    }
    end(s);
    return r;
}

void gx_dict_pop_end(gx_borrowed dict, bool last, gx_value pair[2]) {
    gx_dict *d = gx_as_dict(dict);
    int64_t at = last ? d->used - 1 : d->first;
    while (d->entries[at].key.tag == GX_UNDEF) at--;
    gx_table_delete(d, gx_table_place(d, at), &pair[0], &pair[1]);
    if (last) d->used = d->count ? at : 0;
}

void gx_dict_drop_first(gx_borrowed dict) {
    gx_value pair[2];
    gx_dict_pop_end(dict, false, pair);
    gx_drop(pair[0]);
    gx_drop(pair[1]);
}

gx_entry *gx_dict_next(gx_dict *d, int64_t *at) {
    if (d->head.obj.tag == GX_SET && d->finger >= 0) {
        while (*at < d->index_size) {
            int32_t i = d->index[(*at)++];
            if (i >= 0) return &d->entries[i];
        }
        return NULL;
    }
    if (*at < d->first) *at = d->first;
    while (*at < d->used) {
        gx_entry *e = &d->entries[(*at)++];
        if (e->key.tag != GX_UNDEF) return e;
    }
    return NULL;
}

bool gx_table_copy(gx_rt *rt, gx_borrowed from, gx_borrowed to) {
    gx_dict *d = gx_as_dict(from), *t = gx_as_dict(to);
    if (t->head.obj.tag == GX_SET) return gx_set_merge(rt, d, to);
    if (t->count == 0 && !gx_table_reserve(rt, t, d->count)) return false;
    bool fresh = t->count == 0;
    int64_t at = 0, steps = 0;
    for (gx_entry *e; (e = gx_dict_next(d, &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return false;
        if (fresh) {
            if (!add(rt, t, e->key, e->hash, e->value)) return false;
            continue;
        }
        gx_value key = gx_keep(e->key), value = gx_keep(e->value);
        bool ok = gx_dict_set(rt, to, key, value);
        gx_drop(key);
        gx_drop(value);
        if (!ok) return false;
    }
    return true;
}

/* --- the slots that dict and set share -------------------------------------------------------- */

void gx_table_clear(gx_rt *rt, gx_obj *o) {
    gx_dict *d = (gx_dict *)o;
    gx_entry *entries = d->entries;
    int64_t n = d->used;
    gx_free(rt, d->index);
    d->entries = NULL;
    d->index = NULL;
    d->count = d->used = d->filled = d->first = d->room = d->index_size = d->finger = 0;
    d->version++;
    for (int64_t i = 0; i < n; i++) {
        gx_drop(entries[i].key);
        gx_drop(entries[i].value);
    }
    gx_free(rt, entries);
}

void gx_table_free(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    gx_table_clear(rt, o);
    gx_obj_release(rt, o);
}

void gx_table_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_dict *d = (gx_dict *)o;
    for (int64_t i = 0; i < d->used; i++) {
        if (gx_is_object(d->entries[i].key)) visit(d->entries[i].key.obj, ctx);
        if (gx_is_object(d->entries[i].value)) visit(d->entries[i].value.obj, ctx);
    }
}

bool gx_table_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = gx_as_dict(v)->count;
    return true;
}

bool gx_table_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_try r = gx_set_has(rt, v, item);
    *out = r == GX_TRY_YES;
    return r != GX_TRY_ERROR;
}

/* --- dict ------------------------------------------------------------------------------------- */
