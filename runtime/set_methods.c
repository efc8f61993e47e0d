/* The methods of set and frozenset. */
#include <string.h>

#include "runtime/class_int.h"
#include "runtime/dict_int.h"
#include "runtime/exception.h"
#include "runtime/list.h"
#include "runtime/str.h"

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool add(gx_call *c, gx_value *out) {
    return gx_set_add(c->rt, c->argv[0], c->argv[1]) && none(out);
}

static bool discard(gx_call *c, gx_value *out) {
    return gx_dict_remove(c->rt, c->argv[0], c->argv[1], NULL) != GX_TRY_ERROR && none(out);
}

static bool remove_item(gx_call *c, gx_value *out) {
    gx_try r = gx_dict_remove(c->rt, c->argv[0], c->argv[1], NULL);
    if (r == GX_TRY_NO) return gx_key_error(c->rt, c->argv[1]);
    return r == GX_TRY_YES && none(out);
}

static bool pop(gx_call *c, gx_value *out) {
    gx_dict *d = gx_as_dict(c->argv[0]);
    int64_t at = 0;
    if (!gx_dict_next(d, &at)) {
        gx_value text;
        if (!gx_str_c(c->rt, "pop from an empty set", &text)) return false;
        gx_key_error(c->rt, text);
        gx_drop(text);
        return false;
    }
    gx_value none_here;
    gx_table_delete(d, gx_table_place(d, at - 1), out, &none_here);
    return true;
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

/* Folds the sets in *others into a copy of self. */
static bool fold(gx_call *c, gx_binop op, gx_value *out) {
    gx_value r;
    if (!copy(c, &r)) return false;
    const gx_value *items;
    int64_t n = gx_sequence_items(c->argv[1], &items);
    for (int64_t i = 0; i < n; i++) {
        gx_value other, next;
        bool ok = gx_set_of(c->rt, items[i], &other);
        if (ok) {
            ok = gx_set_combine(c->rt, op, r, other, &next);
            gx_drop(other);
        }
        gx_drop(r);
        if (!ok) return false;
        r = next;
    }
    *out = r;
    return true;
}

static void become(gx_call *c, gx_value r) {
    gx_set_become(c->argv[0], r);
    gx_drop(r);
}

static bool fold_here(gx_call *c, gx_binop op, gx_value *out) {
    gx_value r;
    if (!fold(c, op, &r)) return false;
    become(c, r);
    return none(out);
}

static bool union_of(gx_call *c, gx_value *out) {
    return fold(c, GX_BITOR, out);
}
static bool intersection(gx_call *c, gx_value *out) {
    return fold(c, GX_BITAND, out);
}
static bool difference(gx_call *c, gx_value *out) {
    return fold(c, GX_SUB, out);
}
static bool intersection_update(gx_call *c, gx_value *out) {
    return fold_here(c, GX_BITAND, out);
}
static bool difference_update(gx_call *c, gx_value *out) {
    return fold_here(c, GX_SUB, out);
}

static bool update(gx_call *c, gx_value *out) {
    const gx_value *items;
    int64_t n = gx_sequence_items(c->argv[1], &items);
    for (int64_t i = 0; i < n; i++)
        if (!gx_set_update(c->rt, c->argv[0], items[i])) return false;
    return none(out);
}

static bool symmetric_difference(gx_call *c, gx_value *out) {
    gx_value other;
    if (!gx_set_of(c->rt, c->argv[1], &other)) return false;
    bool ok = gx_set_combine(c->rt, GX_BITXOR, c->argv[0], other, out);
    gx_drop(other);
    return ok;
}

static bool symmetric_difference_update(gx_call *c, gx_value *out) {
    gx_value r;
    if (!symmetric_difference(c, &r)) return false;
    become(c, r);
    return none(out);
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
static bool is_superset(gx_call *c, gx_value *out) {
    return relation(c, GX_GE, out);
}

static bool is_disjoint(gx_call *c, gx_value *out) {
    gx_value other, common;
    if (!gx_set_of(c->rt, c->argv[1], &other)) return false;
    bool ok = gx_set_combine(c->rt, GX_BITAND, c->argv[0], other, &common);
    gx_drop(other);
    if (!ok) return false;
    *out = gx_bool(gx_as_dict(common)->count == 0);
    gx_drop(common);
    return true;
}

#define SHARED_ROWS                                                                               \
    {"copy", "copy(self, /)", "A new set of the same items.", NULL, copy, 0, 0},                  \
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
