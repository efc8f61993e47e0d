/* itertools' iterators that combine items: product, permutations, combinations, accumulate,
   groupby, zip_longest, tee, pairwise, batched. Indices are kept in lists of ints, which the
   collector knows. */
#include "runtime/object/container/list.h"
#include "runtime/object/operators.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"

/* first, first + step, … n ints as a list. */
static bool index_list(gx_rt *rt, int64_t n, int64_t first, int64_t step, gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = gx_list_reserve(rt, gx_as_list(list), n);
    for (int64_t i = 0; ok && i < n; i++) ok = gx_list_push(rt, list, gx_int(first + i * step));
    if (ok)
        *out = list;
    else
        gx_drop(list);
    return ok;
}

static gx_value *indices(gx_borrowed list) {
    return gx_as_list(list)->items;
}

/* A tuple of the items at the first n indices: of one pool (a tuple), or of a pool each. */
static bool pick(gx_rt *rt, const gx_value *pools, bool each, const gx_value *at, int64_t n,
                 gx_value *out) {
    gx_borrowed few[16], *items = few;
    if (n > 16 && !(items = gx_alloc(rt, (size_t)n * sizeof *items))) return false;
    for (int64_t i = 0; i < n; i++) items[i] = gx_as_tuple(pools[each ? i : 0])->items[at[i].i];
    bool ok = gx_tuple_new(rt, n, items, out);
    if (items != few) gx_free(rt, items);
    return ok;
}

/* --- product: items the pools, a the indices; i: started --- */

static bool product_advance(gx_walk *w) {
    gx_value *at = indices(w->a);
    if (!w->i) {
        w->i = 1;
        for (int64_t k = 0; k < w->count; k++)
            if (gx_as_tuple(w->items[k])->count == 0) return false;
        return true;
    }
    for (int64_t k = w->count; k-- > 0;) {
        if (++at[k].i < gx_as_tuple(w->items[k])->count) return true;
        at[k].i = 0;
    }
    return false;
}

static bool product_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    if (w->j || !product_advance(w)) {
        w->j = 1;
        return gx_walk_end(more);
    }
    *more = true;
    return pick(rt, w->items, true, indices(w->a), w->count, out);
}
static GX_WALK_TYPE(product_type, "itertools.product", product_next, NULL);

static bool itertools_product(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    int64_t repeat;
    gx_value list;
    if (!gx_arg_int(c, 1, &repeat)) return false;
    if (repeat < 0)
        return gx_fail(c->rt, GX_ValueError, "iter.count", "repeat argument cannot be negative");
    if (t->count * repeat > 10000)
        return gx_fail(c->rt, GX_OverflowError, "iter.count", "repeat argument too large");
    gx_walk *w = gx_walk_new(c->rt, &product_type, t->count * repeat);
    if (!w) return false;
    bool ok = index_list(c->rt, w->count, 0, 0, &list);
    if (ok) w->a = list;
    for (int64_t i = 0; ok && i < w->count; i++) {
        if (i < t->count)
            ok = gx_tuple_of(c->rt, t->items[i], &w->items[i]);
        else
            w->items[i] = gx_keep(w->items[i - t->count]);
    }
    if (ok) return gx_walk_done(c->rt, w, out);
    gx_drop(gx_object(&w->head.obj));
    return false;
}

/* --- permutations: a pool, b indices, c cycles; k: length --- */

static bool permutations_advance(gx_walk *w) {
    gx_value *at = indices(w->b), *cycles = indices(w->c);
    int64_t n = gx_as_tuple(w->a)->count;
    for (int64_t k = w->k; k-- > 0;) {
        if (--cycles[k].i == 0) {
            gx_value first = at[k];
            for (int64_t i = k; i < n - 1; i++) at[i] = at[i + 1];
            at[n - 1] = first;
            cycles[k].i = n - k;
        } else {
            int64_t other = n - cycles[k].i;
            gx_value t = at[k];
            at[k] = at[other];
            at[other] = t;
            return true;
        }
    }
    return false;
}

/* --- combinations: a pool, b indices; k: length; i: with replacement --- */

static bool combinations_advance(gx_walk *w) {
    gx_value *at = indices(w->b);
    int64_t n = gx_as_tuple(w->a)->count, r = w->k, k = r;
    while (k-- > 0)
        if (at[k].i != (w->i ? n - 1 : k + n - r)) break;
    if (k < 0) return false;
    at[k].i++;
    for (int64_t i = k + 1; i < r; i++) at[i].i = at[i - 1].i + (w->i ? 0 : 1);
    return true;
}

/* j: 0 before the first, 1 running, 2 ended. */
static bool combine_next(gx_rt *rt, gx_walk *w, bool (*advance)(gx_walk *), gx_value *out,
                         bool *more) {
    if (w->j == 2 || (w->j == 1 && !advance(w))) {
        w->j = 2;
        return gx_walk_end(more);
    }
    w->j = 1;
    *more = true;
    return pick(rt, &w->a, false, indices(w->b), w->k, out);
}

static bool permutations_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    return combine_next(rt, gx_as_walk(self), permutations_advance, out, more);
}

static bool combinations_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    return combine_next(rt, gx_as_walk(self), combinations_advance, out, more);
}
static GX_WALK_TYPE(permutations_type, "itertools.permutations", permutations_next, NULL);
static GX_WALK_TYPE(combinations_type, "itertools.combinations", combinations_next, NULL);
static GX_WALK_TYPE(replacement_type, "itertools.combinations_with_replacement", combinations_next,
                    NULL);

static bool combine(gx_call *c, const gx_type *type, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_walk *w = gx_walk_new(rt, type, 0);
    if (!w) return false;
    gx_value v;
    bool ok = gx_tuple_of(rt, c->argv[0], &v);
    if (!ok) goto fail;
    w->a = v;
    int64_t n = gx_as_tuple(v)->count, r = n;
    const bool whole = type == &permutations_type && !gx_arg_some(c, 1);
    if (!whole && !gx_arg_int(c, 1, &r)) goto fail;
    if (r < 0) {
        gx_fail(rt, GX_ValueError, "iter.count", "r must be non-negative");
        goto fail;
    }
    w->k = r;
    w->i = type == &replacement_type;
    if (w->i ? n == 0 && r > 0 : r > n) w->j = 2;
    if (w->j == 2) return gx_walk_done(rt, w, out);
    if (type == &permutations_type) {
        if (!index_list(rt, n, 0, 1, &w->b) || !index_list(rt, r, n, -1, &w->c)) goto fail;
    } else if (!index_list(rt, r, 0, !w->i, &w->b)) {
        goto fail;
    }
    return gx_walk_done(rt, w, out);
fail:
    gx_drop(gx_object(&w->head.obj));
    return false;
}

static bool itertools_permutations(gx_call *c, gx_value *out) {
    return combine(c, &permutations_type, out);
}

static bool itertools_combinations(gx_call *c, gx_value *out) {
    return combine(c, &combinations_type, out);
}

static bool itertools_combinations_with_replacement(gx_call *c, gx_value *out) {
    return combine(c, &replacement_type, out);
}

/* --- accumulate: a the function or None, b the total so far; i: b is the initial value --- */

static bool accumulate_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value item, total;
    if (w->i) {
        w->i = 0;
        *more = true;
        *out = gx_keep(w->b);
        return true;
    }
    if (!gx_next(rt, w->items[0], &item, more)) return false;
    if (!*more) return true;
    if (w->b.tag == GX_UNDEF) {
        total = item;
    } else {
        bool ok = w->a.tag == GX_NONE ? gx_binary(rt, GX_ADD, w->b, item, &total)
                                      : gx_call2(rt, w->a, w->b, item, &total);
        gx_drop(item);
        if (!ok) return false;
        gx_drop(w->b);
    }
    w->b = total;
    *out = gx_keep(total);
    return true;
}
static GX_WALK_TYPE(accumulate_type, "itertools.accumulate", accumulate_next, NULL);

static bool itertools_accumulate(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &accumulate_type, 1);
    if (!w || !gx_walk_iters(c->rt, w, 1, c->argv)) return false;
    w->a = gx_keep(c->argv[1]);
    if (gx_arg_some(c, 2)) {
        w->b = gx_keep(c->argv[2]);
        w->i = 1;
    }
    return gx_walk_done(c->rt, w, out);
}

/* --- zip_longest: a the filler; an iterator that ended is UNDEF --- */

static bool zip_longest_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value list, item;
    bool any = false;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < w->count; i++) {
        bool got = false;
        if (w->items[i].tag != GX_UNDEF) ok = gx_next(rt, w->items[i], &item, &got);
        if (!ok) break;
        if (!got) gx_drop(gx_steal(&w->items[i]));
        any |= got;
        ok = gx_list_push_take(rt, list, got ? item : gx_keep(w->a));
    }
    *more = any;
    if (ok && any) ok = gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}
static GX_WALK_TYPE(zip_longest_type, "itertools.zip_longest", zip_longest_next, NULL);

static bool itertools_zip_longest(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_walk *w = gx_walk_new(c->rt, &zip_longest_type, t->count);
    if (!w || !gx_walk_iters(c->rt, w, t->count, t->items)) return false;
    w->a = gx_keep(c->argv[1]);
    return gx_walk_done(c->rt, w, out);
}

/* --- groupby --- */
/* a: key function, b the key of the item waiting, c that item (UNDEF: none). A group is a walk of
   its own: a the groupby, b the group's key. i counts the groups: a group whose number is not the
   groupby's any more is over. */

/* Makes an item wait if none does; *more false at the end. */
static bool groupby_fill(gx_rt *rt, gx_walk *w, bool *more) {
    gx_value item, key;
    *more = true;
    if (w->c.tag != GX_UNDEF) return true;
    if (!gx_next(rt, w->items[0], &item, more) || !*more) return !gx_failed(&rt->error);
    if (w->a.tag == GX_NONE)
        key = gx_keep(item);
    else if (!gx_call1(rt, w->a, item, &key)) {
        gx_drop(item);
        return false;
    }
    gx_drop(w->b);
    w->b = key;
    w->c = item;
    return true;
}

static bool group_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *g = gx_as_walk(self), *w = gx_as_walk(g->a);
    bool same;
    if (g->j || g->i != w->i) return gx_walk_end(more);
    if (!groupby_fill(rt, w, more)) return false;
    if (!*more) return true;
    if (!gx_equal(rt, w->b, g->b, &same)) return false;
    if (!same) {
        g->j = 1;
        return gx_walk_end(more);
    }
    *out = gx_steal(&w->c);
    return true;
}
static GX_WALK_TYPE(group_type, "itertools._grouper", group_next, NULL);

/* items[1]: the key of the last group. */
static bool groupby_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    bool same = true;
    w->i++;
    for (;;) {
        if (!groupby_fill(rt, w, more)) return false;
        if (!*more) return true;
        if (w->items[1].tag == GX_UNDEF) break;
        if (!gx_equal(rt, w->b, w->items[1], &same)) return false;
        if (!same) break;
        gx_drop(gx_steal(&w->c));
    }
    gx_walk *g = gx_walk_new(rt, &group_type, 0);
    if (!g) return false;
    gx_value group;
    g->a = gx_keep(self);
    g->b = gx_keep(w->b);
    g->i = w->i;
    gx_drop(w->items[1]);
    w->items[1] = gx_keep(w->b);
    gx_walk_done(rt, g, &group);
    gx_value pair[2] = {gx_keep(w->b), group};
    return gx_tuple_take(rt, 2, pair, out);
}
static GX_WALK_TYPE(groupby_type, "itertools.groupby", groupby_next, NULL);

static bool itertools_groupby(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &groupby_type, 2);
    if (!w || !gx_walk_iters(c->rt, w, 1, c->argv)) return false;
    w->a = gx_keep(c->argv[1]);
    return gx_walk_done(c->rt, w, out);
}

/* --- tee --- */
/* a: the shared source (a walk: a list of items so far, items[0] the iterator), i: where. */

static GX_WALK_TYPE(tee_source_type, "itertools._tee_source", NULL, NULL);

static bool tee_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self), *source = gx_as_walk(w->a);
    *more = true;
    if (w->i == gx_as_list(source->a)->count) {
        gx_value item;
        if (!gx_next(rt, source->items[0], &item, more)) return false;
        if (!*more) return true;
        if (!gx_list_push_take(rt, source->a, item)) return false;
    }
    *out = gx_keep(gx_as_list(source->a)->items[w->i++]);
    return true;
}
static GX_WALK_TYPE(tee_type, "itertools._tee", tee_next, NULL);

static bool itertools_tee(gx_call *c, gx_value *out) {
    int64_t n;
    gx_value source, list, v;
    if (!gx_arg_int(c, 1, &n)) return false;
    if (n < 0) return gx_fail(c->rt, GX_ValueError, "iter.count", "n must be >= 0");
    if (n == 0) return gx_tuple_new(c->rt, 0, NULL, out);
    gx_walk *s = gx_walk_new(c->rt, &tee_source_type, 1);
    if (!s || !gx_walk_iters(c->rt, s, 1, c->argv)) return false;
    bool ok = index_list(c->rt, 0, 0, 0, &s->a);
    gx_walk_done(c->rt, s, &source);
    ok = ok && gx_list_new(c->rt, 0, NULL, &list);
    if (!ok) {
        gx_drop(source);
        return false;
    }
    ok = gx_list_reserve(c->rt, gx_as_list(list), n);
    for (int64_t i = 0; ok && i < n; i++) {
        gx_walk *w = gx_walk_new(c->rt, &tee_type, 0);
        ok = w != NULL;
        if (!ok) break;
        w->a = gx_keep(source);
        ok = gx_walk_done(c->rt, w, &v) && gx_list_push_take(c->rt, list, v);
    }
    ok = ok && gx_tuple_of(c->rt, list, out);
    gx_drop(list);
    gx_drop(source);
    return ok;
}

/* --- pairwise: a the last item --- */

static bool pairwise_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value item;
    if (w->a.tag == GX_UNDEF) {
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (!*more) return true;
        w->a = item;
    }
    if (!gx_next(rt, w->items[0], &item, more)) return false;
    if (!*more) return true;
    gx_value pair[2] = {w->a, item};
    w->a = gx_keep(item);
    return gx_tuple_take(rt, 2, pair, out);
}
static GX_WALK_TYPE(pairwise_type, "itertools.pairwise", pairwise_next, NULL);

static bool itertools_pairwise(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &pairwise_type, 1);
    if (!w || !gx_walk_iters(c->rt, w, 1, c->argv)) return false;
    return gx_walk_done(c->rt, w, out);
}

/* --- batched: i items at a time; j: the last batch has as many --- */

static bool batched_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value list, item;
    bool got = true;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    while (ok && gx_as_list(list)->count < w->i) {
        ok = gx_next(rt, w->items[0], &item, &got);
        if (!ok || !got) break;
        ok = gx_list_push_take(rt, list, item);
    }
    *more = gx_as_list(list)->count > 0;
    if (ok && *more && w->j && gx_as_list(list)->count < w->i)
        ok = gx_fail(rt, GX_ValueError, "iter.count", "batched(): incomplete batch");
    if (ok && *more) ok = gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}
static GX_WALK_TYPE(batched_type, "itertools.batched", batched_next, NULL);

static bool itertools_batched(gx_call *c, gx_value *out) {
    int64_t n;
    bool strict;
    if (!gx_arg_int(c, 1, &n) || !gx_arg_bool(c, 2, &strict)) return false;
    if (n < 1) return gx_fail(c->rt, GX_ValueError, "iter.count", "n must be at least one");
    gx_walk *w = gx_walk_new(c->rt, &batched_type, 1);
    if (!w || !gx_walk_iters(c->rt, w, 1, c->argv)) return false;
    w->i = n;
    w->j = strict;
    return gx_walk_done(c->rt, w, out);
}

#define ROW(n, sig, text, example) {#n, #n sig, text, example, itertools_##n, 0, 0}

const gx_native gx_py_combine_functions[] = {
    ROW(product, "(*iterables, repeat=1)", "Every choice of one item from each iterable.",
        "list(itertools.product('ab', [1]))  # [('a', 1), ('b', 1)]"),
    ROW(permutations, "(iterable, r=None)", "Every order of r items.",
        "list(itertools.permutations('ab'))  # [('a', 'b'), ('b', 'a')]"),
    ROW(combinations, "(iterable, r)", "Every choice of r items.",
        "list(itertools.combinations('abc', 2))  # [('a', 'b'), ('a', 'c'), ('b', 'c')]"),
    ROW(combinations_with_replacement, "(iterable, r)", "Every choice of r items, repeats allowed.",
        "list(itertools.combinations_with_replacement('ab', 2))  # [('a', 'a'), ('a', 'b'), ('b', "
        "'b')]"),
    ROW(accumulate, "(iterable, func=None, *, initial=None)", "Running totals.",
        "list(itertools.accumulate([1, 2, 3]))  # [1, 3, 6]"),
    ROW(zip_longest, "(*iterables, fillvalue=None)", "zip() to the longest iterable's end.",
        "list(itertools.zip_longest('ab', [1], fillvalue=0))  # [('a', 1), ('b', 0)]"),
    ROW(groupby, "(iterable, key=None)", "Runs of equal keys: pairs (key, items).",
        "[(k, len(list(g))) for k, g in itertools.groupby('aab')]  # [('a', 2), ('b', 1)]"),
    ROW(tee, "(iterable, n=2, /)", "n iterators over the same items.",
        "[list(t) for t in itertools.tee('ab')]  # [['a', 'b'], ['a', 'b']]"),
    ROW(pairwise, "(iterable, /)", "Pairs of neighbours.",
        "list(itertools.pairwise([1, 2, 3]))  # [(1, 2), (2, 3)]"),
    ROW(batched, "(iterable, n, *, strict=False)",
        "Tuples of n items; the last may be shorter, or (strict) is a ValueError.",
        "list(itertools.batched('abc', 2))  # [('a', 'b'), ('c',)]"),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
