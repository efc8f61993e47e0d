/* The module itertools: iterators that pass items on, one at a time. Those that combine (product,
   permutations, combinations) are in combine.c. */
#include "runtime/object/container/list.h"
#include "runtime/object/operators.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

/* A walk over one iterable (items[0] its iterator) with a function in a; NULL: an error. */
static gx_walk *over_one(gx_call *c, const gx_type *type, gx_borrowed iterable) {
    gx_walk *w = gx_walk_new(c->rt, type, 1);
    return w && gx_walk_iters(c->rt, w, 1, &iterable) ? w : NULL;
}

/* --- count: a is the next number, b the step --- */

static bool count_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value next;
    if (!gx_binary(rt, GX_ADD, w->a, w->b, &next)) return false;
    *out = w->a;
    w->a = next;
    *more = true;
    return true;
}
static GX_WALK_TYPE(count_type, "itertools.count", count_next, NULL);

static bool itertools_count(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &count_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->b = gx_keep(c->argv[1]);
    return gx_walk_done(c->rt, w, out);
}

/* --- cycle: items[0] the iterator until it ends, a the list of what it gave --- */

static bool cycle_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value item;
    if (!w->j) {
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (*more) {
            if (!gx_list_push(rt, w->a, item)) {
                gx_drop(item);
                return false;
            }
            *out = item;
            return true;
        }
        w->j = 1;
    }
    const gx_list *list = gx_as_list(w->a);
    if (list->count == 0) return gx_walk_end(more);
    *out = gx_keep(list->items[w->i]);
    w->i = (w->i + 1) % list->count;
    *more = true;
    return true;
}
static GX_WALK_TYPE(cycle_type, "itertools.cycle", cycle_next, NULL);

static bool itertools_cycle(gx_call *c, gx_value *out) {
    gx_value list;
    gx_walk *w = over_one(c, &cycle_type, c->argv[0]);
    if (!w) return false;
    if (!gx_list_new(c->rt, 0, NULL, &list)) {
        gx_drop(gx_object(&w->head.obj));
        return false;
    }
    w->a = list;
    return gx_walk_done(c->rt, w, out);
}

/* --- repeat: a, i times; i < 0: for ever --- */

static bool repeat_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    (void)rt;
    gx_walk *w = gx_as_walk(self);
    if (w->i == 0) return gx_walk_end(more);
    if (w->i > 0) w->i--;
    *out = gx_keep(w->a);
    *more = true;
    return true;
}
static GX_WALK_TYPE(repeat_type, "itertools.repeat", repeat_next, NULL);

static bool itertools_repeat(gx_call *c, gx_value *out) {
    int64_t times = -1;
    if (gx_arg_given(c, 1)) {
        if (!gx_arg_int(c, 1, &times)) return false;
        if (times < 0) times = 0;
    }
    gx_walk *w = gx_walk_new(c->rt, &repeat_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->i = times;
    return gx_walk_done(c->rt, w, out);
}

/* --- chain: a iterates over the iterables, b is the current iterator --- */

static bool chain_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    for (;;) {
        gx_value source;
        if (w->b.tag != GX_UNDEF) {
            if (!gx_next(rt, w->b, out, more)) return false;
            if (*more) return true;
            gx_drop(gx_steal(&w->b));
        }
        if (!gx_next(rt, w->a, &source, more)) return false;
        if (!*more) return true;
        bool ok = gx_iter(rt, source, &w->b);
        gx_drop(source);
        if (!ok) return false;
    }
}

static bool chain_over(gx_rt *rt, const gx_type *type, gx_borrowed sources, gx_value *out) {
    gx_value it;
    if (!gx_iter(rt, sources, &it)) return false;
    gx_walk *w = gx_walk_new(rt, type, 0);
    if (!w) {
        gx_drop(it);
        return false;
    }
    w->a = it;
    return gx_walk_done(rt, w, out);
}

static const gx_type chain_type;
static bool itertools_chain(gx_call *c, gx_value *out) {
    return chain_over(c->rt, &chain_type, c->argv[0], out);
}

static const gx_native chain_row = {"chain", "chain(*iterables)",
                                    "The items of one iterable after the other.",
                                    "list(itertools.chain('ab', [1]))  # ['a', 'b', 1]",
                                    itertools_chain, 0, 0};
/* chain.from_iterable is reached through the type. */
static const gx_native chain_methods[] = {
    {"from_iterable", "from_iterable(iterables, /)",
     "chain(), the iterables taken from an iterable.", NULL, itertools_chain, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

static const gx_type chain_type = {
    .name = "itertools.chain", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,
    .iter = gx_walk_self, .next = chain_next, .construct = &chain_row, .methods = chain_methods,
};

/* --- islice: i the index of the next item of the source, j the next wanted, k the end or -1 --- */

static bool islice_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    for (;;) {
        gx_value item;
        /* The source is consumed up to the end of the slice, as Python does. */
        if (w->k >= 0 && w->j >= w->k && w->i >= w->k) return gx_walk_end(more);
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (!*more) {
            w->k = 0;
            return true;
        }
        if (w->i++ == w->j) {
            w->j += w->b.i;
            *out = item;
            return true;
        }
        gx_drop(item);
    }
}
static GX_WALK_TYPE(islice_type, "itertools.islice", islice_next, NULL);

static bool slice_bound(gx_call *c, int i, int64_t fallback, int64_t *out) {
    gx_borrowed v = c->argv[i];
    *out = fallback;
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) return true;
    if (gx_as_index(c->rt, v, out) == GX_TRY_YES && *out >= 0) return true;
    gx_error_clear(c->rt);
    return gx_fail(c->rt, GX_ValueError, "iter.count",
                   "%s for islice() must be None or an integer: 0 <= x <= sys.maxsize.",
                   gx_arg_given(c, 2) ? "Indices" : "Stop argument");
}

static bool itertools_islice(gx_call *c, gx_value *out) {
    int64_t start = 0, stop, step = 1;
    bool ok = gx_arg_given(c, 2) ? slice_bound(c, 1, 0, &start) &&
                                       slice_bound(c, 2, -1, &stop) &&
                                       slice_bound(c, 3, 1, &step)
                                 : slice_bound(c, 1, -1, &stop);
    if (!ok) return false;
    if (step < 1)
        return gx_fail(c->rt, GX_ValueError, "iter.count",
                       "Step for islice() must be a positive integer or None.");
    gx_walk *w = over_one(c, &islice_type, c->argv[0]);
    if (!w) return false;
    w->j = start;
    w->k = stop;
    w->b = gx_int(step);
    return gx_walk_done(c->rt, w, out);
}

/* --- takewhile, dropwhile: a the predicate, i: its run is over --- */

static bool test(gx_rt *rt, gx_borrowed fn, gx_borrowed item, bool *yes) {
    gx_value v;
    if (!gx_call1(rt, fn, item, &v)) return false;
    bool ok = gx_truth(rt, v, yes);
    gx_drop(v);
    return ok;
}

static bool takewhile_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value item;
    bool yes;
    if (w->i) return gx_walk_end(more);
    if (!gx_next(rt, w->items[0], &item, more)) return false;
    if (!*more) return true;
    if (test(rt, w->a, item, &yes)) {
        if (yes) {
            *out = item;
            return true;
        }
        gx_drop(item);
        w->i = 1;
        return gx_walk_end(more);
    }
    gx_drop(item);
    return false;
}
static GX_WALK_TYPE(takewhile_type, "itertools.takewhile", takewhile_next, NULL);

static bool dropwhile_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    for (;;) {
        gx_value item;
        bool yes = false;
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (!*more) return true;
        bool ok = w->i || test(rt, w->a, item, &yes);
        if (ok && !yes) {
            w->i = 1;
            *out = item;
            return true;
        }
        gx_drop(item);
        if (!ok) return false;
    }
}
static GX_WALK_TYPE(dropwhile_type, "itertools.dropwhile", dropwhile_next, NULL);

static bool starmap_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value item, args;
    if (!gx_next(rt, w->items[0], &item, more)) return false;
    if (!*more) return true;
    bool ok = gx_tuple_of(rt, item, &args);
    gx_drop(item);
    if (!ok) return false;
    const gx_tuple *t = gx_as_tuple(args);
    ok = gx_call_value(rt, w->a, (int)t->count, t->items, 0, NULL, out);
    gx_drop(args);
    return ok;
}
static GX_WALK_TYPE(starmap_type, "itertools.starmap", starmap_next, NULL);
static GX_WALK_TYPE(filterfalse_type, "itertools.filterfalse", gx_filter_next, NULL);

static bool with_function(gx_call *c, const gx_type *type, gx_value *out) {
    gx_walk *w = over_one(c, type, c->argv[1]);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    return gx_walk_done(c->rt, w, out);
}

static bool itertools_takewhile(gx_call *c, gx_value *out) {
    return with_function(c, &takewhile_type, out);
}

static bool itertools_dropwhile(gx_call *c, gx_value *out) {
    return with_function(c, &dropwhile_type, out);
}

static bool itertools_starmap(gx_call *c, gx_value *out) {
    return with_function(c, &starmap_type, out);
}

static bool itertools_filterfalse(gx_call *c, gx_value *out) {
    return gx_filter_new(c->rt, &filterfalse_type, c->argv[0], c->argv[1], true, out);
}

/* --- compress: items[0] data, items[1] selectors --- */

static bool compress_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    for (;;) {
        gx_value item, selector;
        bool yes = false;
        if (!gx_next(rt, w->items[0], &item, more)) return false;
        if (!*more) return true;
        bool ok = gx_next(rt, w->items[1], &selector, more);
        if (ok && *more) {
            ok = gx_truth(rt, selector, &yes);
            gx_drop(selector);
        }
        if (ok && *more && yes) {
            *out = item;
            return true;
        }
        gx_drop(item);
        if (!ok || !*more) return ok;
    }
}
static GX_WALK_TYPE(compress_type, "itertools.compress", compress_next, NULL);

static bool itertools_compress(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &compress_type, 2);
    if (!w || !gx_walk_iters(c->rt, w, 2, c->argv)) return false;
    return gx_walk_done(c->rt, w, out);
}

#define ROW(n, sig, text, example) {#n, #n sig, text, example, itertools_##n, 0, 0}

const gx_native gx_py_itertools_functions[] = {
    ROW(count, "(start=0, step=1)", "start, start + step, … without end.",
        "list(itertools.islice(itertools.count(5), 3))  # [5, 6, 7]"),
    ROW(cycle, "(iterable, /)", "The items in an endless loop.",
        "list(itertools.islice(itertools.cycle('ab'), 3))  # ['a', 'b', 'a']"),
    ROW(repeat, "(object, times=<no value>)", "The object again and again, or so many times.",
        "list(itertools.repeat(7, 2))  # [7, 7]"),
    ROW(islice, "(iterable, start, stop=<no value>, step=None, /)",
        "A slice of an iterator: islice(it, stop) or islice(it, start, stop, step).",
        "list(itertools.islice('abcde', 1, None, 2))  # ['b', 'd']"),
    ROW(takewhile, "(predicate, iterable, /)", "The items up to the first that fails.",
        "list(itertools.takewhile(lambda x: x < 3, [1, 2, 3, 1]))  # [1, 2]"),
    ROW(dropwhile, "(predicate, iterable, /)", "The items from the first that fails.",
        "list(itertools.dropwhile(lambda x: x < 3, [1, 2, 3, 1]))  # [3, 1]"),
    ROW(starmap, "(function, iterable, /)", "function(*item) of each item.",
        "list(itertools.starmap(pow, [(2, 3)]))  # [8]"),
    ROW(filterfalse, "(function, iterable, /)", "The items for which the function is false.",
        "list(itertools.filterfalse(None, [0, 1]))  # [0]"),
    ROW(compress, "(data, selectors)", "The items whose selector is true.",
        "list(itertools.compress('abc', [1, 0, 1]))  # ['a', 'c']"),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_itertools_constants[] = {
    {.name = "chain", .kind = GX_CONST_TYPE, .type = &chain_type},
    {.name = NULL},
};
