/* Python's builtins about iteration: iter next zip map filter enumerate reversed sorted. All are
   lazy but sorted. */
#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "stdlib/common.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"

/* --- zip: items are the iterators; i: strict; a: the last tuple --- */

static bool zip_uneven(gx_rt *rt, int64_t at, bool shorter) {
    return gx_fail(rt, GX_ValueError, "iter.strict",
                   "zip() argument %lld is %s than argument%s%lld", (long long)at + 1,
                   shorter ? "shorter" : "longer", at == 1 ? " " : "s 1-", (long long)at);
}

/* Iterator `at` ended in strict mode: all must end at the same item. */
static bool zip_ended(gx_rt *rt, gx_walk *w, int64_t at) {
    if (!w->i) return true;
    if (at > 0) return zip_uneven(rt, at, true);
    for (int64_t k = 1; k < w->count; k++) {
        gx_value item;
        bool more;
        if (!gx_next(rt, w->items[k], &item, &more)) return false;
        if (!more) continue;
        gx_drop(item);
        return zip_uneven(rt, k, false);
    }
    return true;
}

static bool zip_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    enum { FEW = 8 };
    gx_walk *w = gx_as_walk(self);
    gx_value few[FEW], *items = few;
    int64_t n = 0;
    if (w->count == 0 || w->j) return gx_walk_end(more);
    if (w->count > FEW && !(items = gx_alloc(rt, (size_t)w->count * sizeof *items))) return false;
    bool ok = true;
    *more = true;
    for (; n < w->count; n++) {
        ok = gx_next(rt, w->items[n], &items[n], more);
        if (!ok || !*more) break;
    }
    if (ok && *more) {
        ok = gx_tuple_again(rt, &w->a, n, items, out);
    } else {
        for (int64_t i = 0; i < n; i++) gx_drop(items[i]);
        w->j = 1;
        if (ok) ok = zip_ended(rt, w, n);
    }
    if (items != few) gx_free(rt, items);
    return ok;
}

static bool core_zip(gx_call *c, gx_value *out) {
    gx_tuple *t = gx_as_tuple(c->argv[0]);
    bool strict;
    if (!gx_arg_bool(c, 1, &strict)) return false;
    gx_walk *w = gx_walk_new(c->rt, &gx_type_zip, t->count);
    if (!w || !gx_walk_iters(c->rt, w, t->count, t->items)) return false;
    w->i = strict;
    return gx_walk_done(c->rt, w, out);
}

/* --- map: a is the function --- */

static bool map_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    enum { MOST = 8 };
    gx_walk *w = gx_as_walk(self);
    gx_value args[MOST];
    int n = 0;
    bool ok = true;
    *more = true;
    for (; n < w->count; n++) {
        ok = gx_next(rt, w->items[n], &args[n], more);
        if (!ok || !*more) break;
    }
    if (ok && *more) ok = gx_call_value(rt, w->a, n, args, 0, NULL, out);
    while (n > 0) gx_drop(args[--n]);
    return ok;
}

static bool core_map(gx_call *c, gx_value *out) {
    gx_tuple *t = gx_as_tuple(c->argv[1]);
    if (t->count == 0)
        return gx_fail(c->rt, GX_TypeError, "call.arguments",
                       "map() must have at least two arguments.");
    if (t->count > 8)
        return gx_fail(c->rt, GX_TypeError, "call.arguments", "map() takes at most 8 iterables");
    gx_walk *w = gx_walk_new(c->rt, &gx_type_map, t->count);
    if (!w || !gx_walk_iters(c->rt, w, t->count, t->items)) return false;
    w->a = gx_keep(c->argv[0]);
    return gx_walk_done(c->rt, w, out);
}

/* --- filter: a is the function or None; i: keep what is false (itertools.filterfalse) --- */

static bool filter_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    for (;;) {
        gx_value item, verdict;
        bool yes;
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (!*more) return true;
        bool ok;
        if (w->a.tag == GX_NONE) {
            ok = gx_truth(rt, item, &yes);
        } else {
            ok = gx_call1(rt, w->a, item, &verdict);
            if (ok) {
                ok = gx_truth(rt, verdict, &yes);
                gx_drop(verdict);
            }
        }
        if (ok && yes != (w->i != 0)) {
            *out = item;
            return true;
        }
        gx_drop(item);
        if (!ok) return false;
    }
}

bool gx_filter_new(gx_rt *rt, const gx_type *type, gx_borrowed fn, gx_borrowed over, bool invert,
                   gx_value *out) {
    gx_walk *w = gx_walk_new(rt, type, 1);
    if (!w || !gx_walk_iters(rt, w, 1, &over)) return false;
    w->a = gx_keep(fn);
    w->i = invert;
    return gx_walk_done(rt, w, out);
}

bool gx_filter_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    return filter_next(rt, self, out, more);
}

static bool core_filter(gx_call *c, gx_value *out) {
    return gx_filter_new(c->rt, &gx_type_filter, c->argv[0], c->argv[1], false, out);
}

/* --- enumerate: i counts; b: the last tuple --- */

static bool enumerate_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value pair[2];
    if (!gx_next(rt, w->items[0], &pair[1], more)) return false;
    if (!*more) return true;
    pair[0] = gx_int(w->i++);
    if (w->a.tag != GX_UNDEF && !gx_binary(rt, GX_ADD, w->a, pair[0], &pair[0])) {
        gx_drop(pair[1]);
        return false;
    }
    return gx_tuple_again(rt, &w->b, 2, pair, out);
}

static bool core_enumerate(gx_call *c, gx_value *out) {
    int64_t start = 0;
    gx_value big = gx_undef();
    gx_try is = gx_as_integer(c->rt, c->argv[1], &big);
    if (is == GX_TRY_NO) return gx_arg_wrong(c, 1, "an integer");
    if (is == GX_TRY_ERROR) return false;
    if (big.tag == GX_INT && big.i < INT64_MAX / 2) start = gx_steal(&big).i;
    gx_walk *w = gx_walk_new(c->rt, &gx_type_enumerate, 1);
    if (!w || !gx_walk_iters(c->rt, w, 1, c->argv)) {
        gx_drop(big);
        return false;
    }
    w->i = start;
    w->a = big; /* what is added to the place: beyond int64 */
    return gx_walk_done(c->rt, w, out);
}

/* --- reversed: of what has a length and items --- */

static bool reversed_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    if (w->i <= 0) return gx_walk_end(more);
    *more = true;
    return gx_get_item(rt, w->a, gx_int(--w->i), out);
}

static bool core_reversed(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    const gx_type *t = gx_type_of(v);
    if (gx_special_refused(c->rt, v, "__reversed__"))
        return gx_fail(c->rt, GX_TypeError, "iter.reversed", "'%s' object is not reversible",
                       t->name);
    gx_try own = gx_special(c->rt, v, "__reversed__", 0, NULL, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (v.tag == GX_DICT) /* whatever __iter__ of a class below says */
        return gx_table_iter(c->rt, v, GX_VIEW_KEYS, true, out);
    if (gx_type_is(t, &gx_type_dict)) {
        gx_value keys;
        if (!gx_list_of(c->rt, v, &keys)) return false;
        bool ok = gx_seq_reversed(c->rt, keys, out);
        gx_drop(keys);
        return ok;
    }
    if (v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_STR || v.tag == GX_BYTES ||
        v.tag == GX_RANGE)
        return gx_seq_reversed(c->rt, v, out);
    gx_value backwards;
    own = gx_meta_special(c->rt, v, "__reversed__", 0, NULL, out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    gx_sym name = gx_sym_c(c->rt, "__reversed__");
    own = !name ? GX_TRY_ERROR : t->heap ? GX_TRY_NO : gx_try_attr(c->rt, v, name, &backwards);
    if (own == GX_TRY_ERROR) return false;
    if (own == GX_TRY_YES) {
        bool ok = gx_call_value(c->rt, backwards, 0, NULL, 0, NULL, out);
        gx_drop(backwards);
        return ok;
    }
    const bool own_items = gx_special_find(c->rt, v, "__getitem__").tag != GX_UNDEF;
    if (!own_items && (!t->length || !t->get || v.tag == GX_SET))
        return gx_fail(c->rt, GX_TypeError, "iter.reversed", "'%s' object is not reversible",
                       t->name);
    int64_t n;
    if (!gx_length(c->rt, v, &n)) return false;
    gx_walk *w = gx_walk_new(c->rt, &gx_type_reversed, 0);
    if (!w) return false;
    w->a = gx_keep(v);
    w->i = n;
    return gx_walk_done(c->rt, w, out);
}

/* --- iter(f, sentinel), iter(x), next --- */

static bool sentinel_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    bool equal;
    if (w->i) return gx_walk_end(more);
    gx_value item;
    if (!gx_call_value(rt, w->a, 0, NULL, 0, NULL, &item)) return false;
    if (!gx_equal(rt, item, w->b, &equal)) {
        gx_drop(item);
        return false;
    }
    if (equal) {
        gx_drop(item);
        w->i = 1;
        return gx_walk_end(more);
    }
    *more = true;
    *out = item;
    return true;
}

static GX_WALK_TYPE(sentinel_type, "callable_iterator", sentinel_next, NULL);

static bool core_iter(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 1)) return gx_iter(c->rt, c->argv[0], out);
    if (!gx_callable(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "call.type", "iter(v, w): v must be callable");
    gx_walk *w = gx_walk_new(c->rt, &sentinel_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->b = gx_keep(c->argv[1]);
    return gx_walk_done(c->rt, w, out);
}

bool gx_end_of_iterator(gx_rt *rt) {
    return gx_stop_iteration(rt, gx_none());
}

/* StopIteration with what a generator function has returned. */
static bool end_of(gx_rt *rt, gx_borrowed it) {
    gx_value v = gx_none();
    gx_sym name = gx_sym_c(rt, "gi_return");
    if (!name || (it.tag == GX_OBJECT && gx_try_attr(rt, it, name, &v) == GX_TRY_ERROR))
        return false;
    gx_stop_iteration(rt, v);
    gx_drop(v);
    return false;
}

static bool core_next(gx_call *c, gx_value *out) {
    bool more;
    if (!gx_type_of(c->argv[0])->next) {
        gx_fail(c->rt, GX_TypeError, "type.iterator", "'%s' object is not an iterator",
                gx_type_name(c->argv[0]));
        if (gx_type_of(c->argv[0])->iter) return gx_help(c->rt, "next(iter(x))");
        return false;
    }
    if (!gx_next(c->rt, c->argv[0], out, &more)) return false;
    if (more) return true;
    if (!gx_arg_given(c, 1)) return end_of(c->rt, c->argv[0]);
    *out = gx_keep(c->argv[1]);
    return true;
}

static bool core_sorted(gx_call *c, gx_value *out) {
    bool reverse;
    gx_value list;
    if (!gx_arg_bool(c, 2, &reverse) || !gx_list_of(c->rt, c->argv[0], &list)) return false;
    if (!gx_list_sort(c->rt, list, c->argv[1], reverse)) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static const gx_native zip_row = {
    "zip", "zip(*iterables, strict=False)", "Tuples of the items that stand at the same place.",
    "list(zip([1, 2], 'ab'))  # [(1, 'a'), (2, 'b')]", core_zip, 0, 0};
static const gx_native map_row = {"map", "map(function, /, *iterables)",
                                  "The function of each item, lazily.",
                                  "list(map(abs, [-1, 2]))  # [1, 2]", core_map, 0, 0};
static const gx_native filter_row = {
    "filter",
    "filter(function, iterable, /)",
    "The items for which the function is true; None: that are true.",
    "list(filter(None, [0, 1, 2]))  # [1, 2]",
    core_filter,
    0,
    0};
static const gx_native enumerate_row = {"enumerate", "enumerate(iterable, start=0)",
                                        "Pairs of a running number and an item.",
                                        "list(enumerate('ab'))  # [(0, 'a'), (1, 'b')]",
                                        core_enumerate, 0, 0};
static const gx_native reversed_row = {"reversed",
                                       "reversed(sequence, /)",
                                       "The items from the last to the first.",
                                       "list(reversed([1, 2, 3]))  # [3, 2, 1]",
                                       core_reversed,
                                       0,
                                       0};

GX_WALK_TYPE(gx_type_zip, "zip", zip_next, &zip_row);
GX_WALK_TYPE(gx_type_map, "map", map_next, &map_row);
GX_WALK_TYPE(gx_type_filter, "filter", filter_next, &filter_row);
GX_WALK_TYPE(gx_type_enumerate, "enumerate", enumerate_next, &enumerate_row);
GX_WALK_TYPE(gx_type_reversed, "reversed", reversed_next, &reversed_row);

const gx_native gx_core_iter_functions[] = {
    {"iter", "iter(object, sentinel=<no value>, /)",
     "An iterator over an object; iter(f, sentinel) calls f until it returns the sentinel.",
     "next(iter([5, 6]))  # 5", core_iter, 0, 0},
    {"next", "next(iterator, default=<no value>, /)",
     "The next item; at the end the default, or StopIteration.", "next(iter([]), 0)  # 0",
     core_next, 0, 0},
    {"sorted", "sorted(iterable, /, *, key=None, reverse=False)",
     "A new sorted list; the order of equal items is kept.", "sorted([3, 1, 2])  # [1, 2, 3]",
     core_sorted, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
