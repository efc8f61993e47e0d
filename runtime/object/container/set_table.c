/* The table of sets: that of dict.c with places, growth and order as CPython has them, so that sets
   of numbers print, iterate and pop in CPython's order. Sets that hold anything else are walked in
   the order of insertion (finger < 0), since CPython's order of texts changes from run to run.

   Invariant: `filled` counts places that are not free; of these some have been given up again, and
   are taken by new items before free ones are. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"

/* A set's places for a hash, as CPython tries them: runs of ten, then a jump. Items that hash as
   they do in CPython are walked in the order of their places, which is CPython's. */
enum { SET_RUN = 9, SET_LARGE = 50000, FIRST_PLACES = 8 };
typedef struct set_probe {
    int64_t at, first, mask;
    uint64_t rest;
    int left;
} set_probe;

static inline set_probe set_start(uint64_t hash, int64_t size) {
    return (set_probe){.first = (int64_t)(hash & (uint64_t)(size - 1)), .mask = size - 1,
                       .rest = hash, .left = -1};
}

/* Moves to the next place; always true. */
static inline bool set_more(set_probe *p) {
    if (p->left > 0) {
        p->left--;
        p->at++;
        return true;
    }
    if (p->left == 0) {
        p->rest >>= 5;
        p->first = (int64_t)(((uint64_t)p->first * 5 + 1 + p->rest) & (uint64_t)p->mask);
    }
    p->at = p->first;
    p->left = p->first + SET_RUN <= p->mask ? SET_RUN : 0;
    return true;
}

static int64_t set_free_place(const int32_t *index, int64_t size, uint64_t hash) {
    set_probe p = set_start(hash, size);
    while (set_more(&p) && index[p.at] != GX_TABLE_FREE) {
    }
    return p.at;
}

/* A set's table anew, with more than `least` places; what is there moves in the order of its
   places, and stays in the order of insertion within `entries`. */
static bool set_resize(gx_rt *rt, gx_dict *d, int64_t least) {
    int64_t size = FIRST_PLACES, n = 0;
    while (size <= least) size *= 2;
    gx_table_store to;
    if (!gx_table_store_new(rt, size, size * 3 / 5 + 2, &to)) return false;
    for (int64_t i = 0; i < d->used; i++) {
        if (d->entries[i].key.tag == GX_UNDEF) continue;
        to.entries[n] = d->entries[i];
        to.entries[n].value = gx_undef();
        d->entries[i].value = gx_int(n++); /* where it went */
    }
    for (int64_t at = 0; at < d->index_size; at++) {
        if (d->index[at] < 0) continue;
        const gx_entry *e = &d->entries[d->index[at]];
        to.index[set_free_place(to.index, size, e->hash)] = (int32_t)e->value.i;
    }
    gx_table_store_take(rt, d, &to, n);
    return true;
}

/* Takes the gaps out of `entries`; the places stay. */
static void pack(gx_dict *d) {
    int64_t n = 0;
    if (d->used == d->count) return;
    for (int64_t i = 0; i < d->used; i++)
        if (d->entries[i].key.tag != GX_UNDEF) d->entries[i].value = gx_int(n++);
    for (int64_t at = 0; at < d->index_size; at++)
        if (d->index[at] >= 0) d->index[at] = (int32_t)d->entries[d->index[at]].value.i;
    n = 0;
    for (int64_t i = 0; i < d->used; i++) {
        if (d->entries[i].key.tag == GX_UNDEF) continue;
        d->entries[n] = d->entries[i];
        d->entries[n++].value = gx_undef();
    }
    d->used = n;
    d->first = 0;
}

/* Where a new item goes: the last place given up on the way to a free one, else the free one. */
static int64_t set_new_place(const gx_dict *d, uint64_t hash) {
    int64_t given_up = -1;
    for (set_probe p = set_start(hash, d->index_size); set_more(&p);) {
        if (d->index[p.at] == GX_TABLE_FREE) return given_up >= 0 ? given_up : p.at;
        if (d->index[p.at] == GX_TABLE_DELETED) given_up = p.at;
    }
    return given_up;
}

/* Does it hash as in CPython? Texts do not: there their hash differs from run to run. */
static bool hashes_alike(gx_borrowed key) {
    if (key.tag == GX_TUPLE) {
        const gx_tuple *t = gx_as_tuple(key);
        for (int64_t i = 0; i < t->count; i++)
            if (!hashes_alike(t->items[i])) return false;
        return true;
    }
    if (key.tag == GX_SET) return gx_as_dict(key)->finger >= 0;
    return key.tag == GX_NONE || key.tag == GX_COMPLEX || key.tag == GX_INT ||
           key.tag == GX_FLOAT || key.tag == GX_BOOL || key.tag == GX_SCALAR ||
           (key.tag == GX_BIGINT && !key.obj->type->heap);
}

bool gx_set_add_new(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash) {
    if (!d->index_size && !set_resize(rt, d, 0)) return false;
    if (d->used >= d->room) pack(d);
    int64_t place = set_new_place(d, hash);
    bool taken_before = d->index[place] == GX_TABLE_DELETED;
    d->index[place] = (int32_t)d->used;
    d->entries[d->used++] = (gx_entry){hash, gx_keep(key), gx_undef()};
    d->count++;
    d->version++;
    if (d->finger >= 0 && !hashes_alike(key)) d->finger = -1;
    if (taken_before) return true;
    d->filled++;
    if (d->filled * 5 < (d->index_size - 1) * 3) return true;
    return set_resize(rt, d, d->count > SET_LARGE ? d->count * 2 : d->count * 4);
}

/* Room for `more` further items at once, as CPython's sets make it. */
static bool set_reserve(gx_rt *rt, gx_dict *d, int64_t more) {
    int64_t mask = (d->index_size ? d->index_size : FIRST_PLACES) - 1;
    if ((d->filled + more) * 5 >= mask * 3) return set_resize(rt, d, (d->count + more) * 2);
    return d->index_size || set_resize(rt, d, 0);
}

bool gx_set_tidy(gx_rt *rt, gx_dict *d) {
    if (d->filled - d->count <= (d->index_size - 1) / 4) return true;
    return set_resize(rt, d, d->count > SET_LARGE ? d->count * 2 : d->count * 4);
}

gx_try gx_set_find(gx_rt *rt, gx_dict *d, gx_borrowed key, uint64_t hash, int64_t *place) {
again:
    if (d->count == 0) return GX_TRY_NO;
    /* Mostly it is the first place that tells. */
    const int64_t first = (int64_t)(hash & (uint64_t)(d->index_size - 1));
    const int32_t at = d->index[first];
    if (at == GX_TABLE_FREE) return GX_TRY_NO;
    if (at >= 0 && d->entries[at].key.tag == key.tag && d->entries[at].key.u == key.u) {
        *place = first;
        return GX_TRY_YES;
    }
    for (set_probe p = set_start(hash, d->index_size); set_more(&p);) {
        int32_t i = d->index[p.at];
        if (i == GX_TABLE_FREE) return GX_TRY_NO;
        if (i == GX_TABLE_DELETED || d->entries[i].hash != hash) continue;
        const gx_value *have = &d->entries[i].key;
        bool same = have->tag == key.tag && have->u == key.u, changed = false;
        gx_try r = same ? GX_TRY_YES : gx_table_same_key(rt, d, &d->entries[i], key, &changed);
        if (r == GX_TRY_ERROR) return r;
        if (changed) goto again;
        if (r == GX_TRY_YES) {
            *place = p.at;
            return GX_TRY_YES;
        }
    }
    return GX_TRY_NO;
}

bool gx_set_merge(gx_rt *rt, gx_dict *d, gx_borrowed to) {
    gx_dict *t = gx_as_dict(to);
    if (d == t || d->count == 0) return true;
    if (!set_reserve(rt, t, d->count)) return false;
    bool set = d->head.obj.tag == GX_SET, fresh = t->filled == 0;
    if (fresh && set && t->index_size == d->index_size && d->filled == d->count) {
        pack(d);
        memcpy(t->index, d->index, (size_t)d->index_size * sizeof *d->index);
        for (int64_t i = 0; i < d->used; i++) {
            t->entries[i] = d->entries[i];
            gx_keep(t->entries[i].key);
        }
        t->used = t->filled = t->count = d->count;
        t->version++;
        if (d->finger < 0) t->finger = -1;
        return true;
    }
    int64_t at = 0, steps = 0;
    for (gx_entry *e; (e = gx_dict_next(d, &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return false;
        gx_value key = gx_keep(e->key);
        bool ok = fresh ? gx_set_add_new(rt, t, key, e->hash) : gx_set_add(rt, to, key);
        gx_drop(key);
        if (!ok) return false;
    }
    return true;
}

/* As CPython: what is removed leaves a mark, and marks beyond a quarter of the table are swept. */
bool gx_set_remove_all(gx_rt *rt, gx_borrowed set, gx_borrowed others, bool toggle) {
    int64_t at = 0, steps = 0;
    if (set.obj == others.obj) {
        gx_table_clear(rt, set.obj);
        return true;
    }
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(others), &at));) {
        if (++steps % 4096 == 0 && !gx_work_end(rt)) return false;
        gx_value key = gx_keep(e->key);
        gx_try r = gx_dict_remove(rt, set, key, NULL);
        bool ok = r != GX_TRY_ERROR && (r == GX_TRY_YES || !toggle || gx_set_add(rt, set, key));
        gx_drop(key);
        if (!ok) return false;
    }
    return toggle || gx_set_tidy(rt, gx_as_dict(set));
}

bool gx_set_pop(gx_dict *d, gx_value *out) {
    gx_value none_here;
    int64_t at = d->finger >= 0 ? d->finger & (d->index_size - 1) : 0;
    if (d->count == 0) return false;
    if (d->finger < 0) { /* the first that came */
        set_probe p = set_start(d->entries[d->first].hash, d->index_size);
        while (set_more(&p) && d->index[p.at] != d->first) {
        }
        at = p.at;
    } else {
        while (d->index[at] < 0) at = (at + 1) & (d->index_size - 1);
        d->finger = at + 1;
    }
    gx_table_delete(d, at, out, &none_here);
    return true;
}
