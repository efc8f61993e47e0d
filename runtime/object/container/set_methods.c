/* The methods of set and frozenset. */
#include <string.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool add(gx_call *c, gx_value *out) {
    return gx_set_add(c->rt, c->argv[0], c->argv[1]) && none(out);
}

static gx_try take_out(gx_call *c) {
    gx_value key;
    gx_try r = gx_dict_remove(c->rt, c->argv[0], c->argv[1], NULL);
    if (r == GX_TRY_ERROR && gx_set_as_key(c->rt, c->argv[1], &key) == GX_TRY_YES) {
        r = gx_dict_remove(c->rt, c->argv[0], key, NULL);
        gx_drop(key);
    }
    return r;
}

static bool discard(gx_call *c, gx_value *out) {
    return take_out(c) != GX_TRY_ERROR && none(out);
}

static bool remove_item(gx_call *c, gx_value *out) {
    gx_try r = take_out(c);
    if (r == GX_TRY_NO) return gx_key_error(c->rt, c->argv[1]);
    return r == GX_TRY_YES && none(out);
}

static bool pop(gx_call *c, gx_value *out) {
    gx_value text;
    if (gx_set_pop(gx_as_dict(c->argv[0]), out)) return true;
    if (!gx_str_c(c->rt, "pop from an empty set", &text)) return false;
    gx_key_error(c->rt, text);
    gx_drop(text);
    return false;
}

static bool clear(gx_call *c, gx_value *out) {
    gx_table_clear(c->rt, c->argv[0].obj);
    return none(out);
}

static bool copy(gx_call *c, gx_value *out) {
    gx_value s;
    if (!gx_table_new(c->rt, gx_plain_type(c->argv[0].obj->type), &s)) return false;
    if (!gx_table_copy(c->rt, c->argv[0], s)) {
        gx_drop(s);
        return false;
    }
    *out = s;
    return true;
}

/* What cannot change is its own copy. */
static bool copied(gx_call *c, gx_value *out) {
    if (c->argv[0].obj->type != &gx_type_frozenset) return copy(c, out);
    *out = gx_keep(c->argv[0]);
    return true;
}

/* Sets and dicts are walked as tables, everything else as what it yields. */
static bool is_table(gx_borrowed v) {
    return v.tag == GX_SET || (gx_is_object(v) && v.obj->type == &gx_type_dict);
}

static bool remove_each(gx_rt *rt, gx_borrowed set, gx_borrowed iterable) {
    gx_value it, x;
    bool ok, more;
    if (is_table(iterable)) return gx_set_remove_all(rt, set, iterable, false);
    if (!gx_iter(rt, iterable, &it)) return false;
    while ((ok = gx_next(rt, it, &x, &more)) && more) {
        ok = gx_dict_remove(rt, set, x, NULL) != GX_TRY_ERROR;
        gx_drop(x);
        if (!ok) break;
    }
    gx_drop(it);
    return ok && gx_set_tidy(rt, gx_as_dict(set));
}

/* What an iterable yields of a set, as a new set. */
static bool common(gx_rt *rt, gx_borrowed set, gx_borrowed iterable, gx_value *out) {
    gx_value it, x, s;
    bool ok, more;
    if (iterable.tag == GX_SET) return gx_set_combine(rt, GX_BITAND, set, iterable, out);
    if (!gx_iter(rt, iterable, &it)) return false;
    if (!gx_table_new(rt, gx_plain_type(set.obj->type), &s)) {
        gx_drop(it);
        return false;
    }
    while ((ok = gx_next(rt, it, &x, &more)) && more) {
        gx_try has = gx_set_has(rt, set, x);
        ok = has != GX_TRY_ERROR && (has == GX_TRY_NO || gx_set_add(rt, s, x));
        gx_drop(x);
        if (!ok) break;
    }
    gx_drop(it);
    if (ok) *out = s;
    else gx_drop(s);
    return ok;
}

/* *out, or nothing when !ok. */
static bool give(bool ok, gx_value r, gx_value *out) {
    if (ok) *out = r;
    else gx_drop(r);
    return ok;
}

static void become(gx_call *c, gx_value r) {
    gx_set_become(c->argv[0], r);
    gx_drop(r);
}

static bool union_of(gx_call *c, gx_value *out) {
    gx_value r;
    const gx_value *items;
    int64_t n = gx_rest_items(c->argv[1], &items);
    if (!copy(c, &r)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = (gx_is_object(items[i]) && items[i].obj == c->argv[0].obj) ||
             gx_set_update(c->rt, r, items[i]);
    return give(ok, r, out);
}

static bool intersection(gx_call *c, gx_value *out) {
    const gx_value *items;
    int64_t n = gx_rest_items(c->argv[1], &items);
    if (n == 0) return copy(c, out);
    gx_value r = gx_keep(c->argv[0]);
    for (int64_t i = 0; i < n; i++) {
        gx_value next;
        bool ok = common(c->rt, r, items[i], &next);
        gx_drop(r);
        if (!ok) return false;
        r = next;
    }
    *out = r;
    return true;
}

static bool difference(gx_call *c, gx_value *out) {
    gx_value r;
    const gx_value *items;
    int64_t n = gx_rest_items(c->argv[1], &items), from = 0;
    if (n && items[0].tag == GX_SET) {
        if (!gx_set_combine(c->rt, GX_SUB, c->argv[0], items[from++], &r)) return false;
    } else if (!copy(c, &r)) {
        return false;
    }
    bool ok = true;
    for (int64_t i = from; ok && i < n; i++) ok = remove_each(c->rt, r, items[i]);
    return give(ok, r, out);
}

static bool intersection_update(gx_call *c, gx_value *out) {
    gx_value r;
    if (!intersection(c, &r)) return false;
    become(c, r);
    return none(out);
}

static bool difference_update(gx_call *c, gx_value *out) {
    const gx_value *items;
    int64_t n = gx_rest_items(c->argv[1], &items);
    for (int64_t i = 0; i < n; i++)
        if (!remove_each(c->rt, c->argv[0], items[i])) return false;
    return none(out);
}

static bool update(gx_call *c, gx_value *out) {
    const gx_value *items;
    int64_t n = gx_rest_items(c->argv[1], &items);
    for (int64_t i = 0; i < n; i++)
        if (!gx_set_update(c->rt, c->argv[0], items[i])) return false;
    return none(out);
}

static bool symmetric_difference(gx_call *c, gx_value *out) {
    gx_value r;
    if (!gx_table_new(c->rt, gx_plain_type(c->argv[0].obj->type), &r)) return false;
    bool ok = gx_set_update(c->rt, r, c->argv[1]) && gx_set_remove_all(c->rt, r, c->argv[0], true);
    return give(ok, r, out);
}

static bool symmetric_difference_update(gx_call *c, gx_value *out) {
    gx_value other = c->argv[1];
    if (is_table(other)) return gx_set_remove_all(c->rt, c->argv[0], other, true) && none(out);
    if (!gx_set_of(c->rt, other, &other)) return false;
    bool ok = gx_set_remove_all(c->rt, c->argv[0], other, true);
    gx_drop(other);
    return ok && none(out);
}

static bool relation(gx_call *c, gx_cmpop op, gx_value *out) {
    gx_value other;
    bool r;
    if (!gx_set_of(c->rt, c->argv[1], &other)) return false;
    bool ok = gx_set_relation(c->rt, op, c->argv[0], other, &r);
    gx_drop(other);
    if (ok) *out = gx_bool(r);
    return ok;
}

static bool is_subset(gx_call *c, gx_value *out) {
    return relation(c, GX_LE, out);
}
/* Are all items of an iterable (or is none) in the set? Ends at the first that tells. */
static bool all_there(gx_call *c, bool there, gx_value *out) {
    gx_value it, item;
    bool more, has = there, ok = gx_iter(c->rt, c->argv[1], &it);
    if (!ok) return false;
    while (has == there && (ok = gx_next(c->rt, it, &item, &more)) && more) {
        gx_value found;
        gx_try is = gx_dict_find(c->rt, c->argv[0], item, &found);
        gx_drop(item);
        has = is == GX_TRY_YES;
        if (!(ok = is != GX_TRY_ERROR)) break;
    }
    gx_drop(it);
    *out = gx_bool(has == there);
    return ok;
}

static bool is_superset(gx_call *c, gx_value *out) {
    return c->argv[1].tag == GX_SET ? relation(c, GX_GE, out) : all_there(c, true, out);
}

static bool is_disjoint(gx_call *c, gx_value *out) {
    return all_there(c, false, out);
}

#define SHARED_ROWS                                                                               \
    {"copy", "copy(self, /)", "A new set of the same items.", NULL, copied, 0, 0},                \
        {"union", "union(self, /, *others)", "Items of any of the sets.", NULL, union_of, 0, 0},  \
        {"intersection",                                                                          \
         "intersection(self, /, *others)",                                                        \
         "Items of all the sets.",                                                                \
         NULL,                                                                                    \
         intersection,                                                                            \
         0,                                                                                       \
         0},                                                                                      \
        {"difference",                                                                            \
         "difference(self, /, *others)",                                                          \
         "Items in none of the others.",                                                          \
         NULL,                                                                                    \
         difference,                                                                              \
         0,                                                                                       \
         0},                                                                                      \
        {"symmetric_difference",                                                                  \
         "symmetric_difference(self, other, /)",                                                  \
         "Items of exactly one.",                                                                 \
         NULL,                                                                                    \
         symmetric_difference,                                                                    \
         0,                                                                                       \
         0},                                                                                      \
        {"issubset", "issubset(self, other, /)", "Is every item in other?",                        \
         NULL, is_subset, 0, 0},                                                                   \
        {"issuperset",                                                                            \
         "issuperset(self, other, /)",                                                            \
         "Is every item of other here?",                                                          \
         NULL,                                                                                    \
         is_superset,                                                                             \
         0,                                                                                       \
         0},                                                                                      \
    {                                                                                             \
        "isdisjoint", "isdisjoint(self, other, /)", "Is there no common item?", NULL, is_disjoint, \
            0, 0                                                                                  \
    }

const gx_native gx_set_methods[] = {
    SHARED_ROWS,
    {"add", "add(self, object, /)", "Adds an item.", NULL, add, 0, 0},
    {"discard", "discard(self, object, /)", "Removes an item if it is there.", NULL, discard, 0, 0},
    {"remove", "remove(self, object, /)", "Removes an item that must be there.", NULL, remove_item,
     0, 0},
    {"pop", "pop(self, /)", "Removes and returns an item.", NULL, pop, 0, 0},
    {"clear", "clear(self, /)", "Removes everything.", NULL, clear, 0, 0},
    {"update", "update(self, /, *others)", "Adds the items of others.", NULL, update, 0, 0},
    {"intersection_update", "intersection_update(self, /, *others)", "Keeps items of all.", NULL,
     intersection_update, 0, 0},
    {"difference_update", "difference_update(self, /, *others)", "Removes items of others.", NULL,
     difference_update, 0, 0},
    {"symmetric_difference_update", "symmetric_difference_update(self, other, /)",
     "Keeps items of exactly one.", NULL, symmetric_difference_update, 0, 0},
    {0},
};

const gx_native gx_frozenset_methods[] = {SHARED_ROWS, {0}};
