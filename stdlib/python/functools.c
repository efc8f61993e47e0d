/* The module functools: partial, reduce, lru_cache, cmp_to_key; the rest is modules/functools.gx.
   Callable objects are walks (walk.h) without a `next`. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"
#include "runtime/object/use.h"
#include "stdlib/python/builtins.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

#define CALLABLE_TYPE(id, text, call_fn, extra_methods, extra_members)                             \
    static const gx_type id = {                                                                    \
        .name = text, .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,                   \
        .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,                \
        .call = call_fn, .methods = extra_methods, .members = extra_members,                       \
    }

/* --- reduce --- */

static bool functools_reduce(gx_call *c, gx_value *out) {
    gx_value it, item, next, total = gx_undef();
    bool ok, more;
    gx_use_hands_on(c);
    if (!gx_iter(c->rt, c->argv[1], &it)) return false;
    if (gx_arg_given(c, 2)) total = gx_keep(c->argv[2]);
    while ((ok = gx_next(c->rt, it, &item, &more)) && more) {
        if (total.tag == GX_UNDEF) {
            total = item;
            continue;
        }
        ok = gx_call2(c->rt, c->argv[0], total, item, &next);
        gx_drop(item);
        if (!ok) break;
        gx_drop(total);
        total = next;
    }
    gx_drop(it);
    if (ok && total.tag == GX_UNDEF)
        ok = gx_fail(c->rt, GX_TypeError, "iter.empty",
                     "reduce() of empty iterable with no initial value");
    if (ok)
        *out = total;
    else
        gx_drop(total);
    return ok;
}

/* --- partial: a the function, b a tuple of arguments, c a dict of keywords --- */

bool gx_call_joined(gx_rt *rt, gx_borrowed fn, gx_borrowed first, gx_borrowed keywords, int argc,
                    const gx_borrowed *argv, int kwc, const gx_sym *kw, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(first);
    gx_dict *d = gx_as_dict(keywords); /* partial.keywords gives it to the script */
    size_t most = (size_t)t->count + (size_t)argc + (size_t)kwc + (size_t)d->count;
    gx_value *args = gx_alloc(rt, (most + 1) * sizeof *args);
    if (!args) return false;
    gx_sym *names = gx_alloc(rt, (most + 1) * sizeof *names);
    bool ok = names != NULL;
    int n = 0, named = 0;
    for (int64_t i = 0; ok && i < t->count; i++) args[n++] = t->items[i];
    for (int i = 0; ok && i < argc; i++) args[n++] = argv[i];
    int64_t at = 0;
    gx_entry *e;
    while (ok && (e = gx_dict_next(d, &at))) {
        gx_sym name = e->key.tag == GX_STR ? gx_str_sym(rt, e->key) : 0;
        bool again = false;
        ok = name != 0;
        if (e->key.tag != GX_STR)
            gx_fail(rt, GX_TypeError, "call.keyword", "keywords must be strings, not '%s'",
                    gx_type_name(e->key));
        for (int k = 0; k < kwc; k++) again |= kw[k] == name;
        if (!ok || again) continue;
        args[n + named] = e->value;
        names[named++] = name;
    }
    for (int k = 0; ok && k < kwc; k++) {
        args[n + named] = argv[argc + k];
        names[named++] = kw[k];
    }
    ok = ok && gx_call_value(rt, fn, n, args, named, names, out);
    gx_free(rt, names);
    gx_free(rt, args);
    return ok;
}

static bool partial_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                         const gx_sym *kw, gx_value *out) {
    const gx_walk *w = gx_as_walk(self);
    return gx_call_joined(rt, w->a, w->b, w->c, argc, argv, kwc, kw, out);
}

static bool walk_a(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->a);
    return true;
}

static bool walk_b(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->b);
    return true;
}

static bool walk_c(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->c);
    return true;
}

static const gx_member partial_members[] = {
    {"func", walk_a, NULL, "The function."},
    {"args", walk_b, NULL, "The arguments given already."},
    {"keywords", walk_c, NULL, "The keywords given already."},
    {NULL, NULL, NULL, NULL},
};

/* functools.partial(<built-in function pow>, 2), as it was called. */
static bool partial_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_walk *w = gx_as_walk(v);
    const gx_tuple *t = gx_as_tuple(w->b);
    bool ok = gx_buf_puts(out, "functools.partial(") && gx_repr(rt, w->a, out);
    for (int64_t i = 0; ok && i < t->count; i++)
        ok = gx_buf_puts(out, ", ") && gx_repr(rt, t->items[i], out);
    int64_t at = 0;
    const gx_entry *e;
    while (ok && (e = gx_dict_next(gx_as_dict(w->c), &at)))
        ok = gx_buf_printf(out, ", %s=", gx_as_str(e->key)->text) &&
             gx_repr(rt, e->value, out);
    return ok && gx_buf_char(out, ')');
}

static bool functools_partial(gx_call *c, gx_value *out);
static const gx_native partial_row = {"partial",
                                      "partial(func, /, *args, **keywords)",
                                      "The function with some arguments given already.",
                                      "functools.partial(pow, 2)(5)  # 32",
                                      functools_partial,
                                      0,
                                      0};
static const gx_type partial_type = {
    .name = "functools.partial", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,
    .call = partial_call, .repr = partial_repr, .construct = &partial_row,
    .members = partial_members, .doc = "The function with some arguments given already.",
};

/* A partial of a partial is one of the function inside. */
static bool join_inner(gx_rt *rt, gx_walk *w, const gx_walk *inner) {
    const gx_tuple *first = gx_as_tuple(inner->b), *then = gx_as_tuple(w->b);
    gx_value list, args, named, key;
    bool ok = gx_list_new(rt, first->count, first->items, &list);
    if (!ok) return false;
    for (int64_t i = 0; ok && i < then->count; i++)
        ok = gx_list_push_take(rt, list, gx_keep(then->items[i]));
    ok = ok && gx_tuple_of(rt, list, &args);
    gx_drop(list);
    if (!ok) return false;
    gx_drop(w->b);
    w->b = args;
    if (!gx_dict_new(rt, &named)) return false;
    for (int k = 0; ok && k < 2; k++) {
        int64_t at = 0;
        const gx_entry *e;
        gx_dict *d = gx_as_dict(k ? w->c : inner->c);
        while (ok && (e = gx_dict_next(d, &at))) {
            key = gx_keep(e->key);
            ok = gx_dict_set(rt, named, key, e->value);
            gx_drop(key);
        }
    }
    gx_drop(w->c);
    w->c = named;
    gx_value fn = gx_keep(inner->a);
    gx_drop(w->a);
    w->a = fn;
    return ok;
}

static bool functools_partial(gx_call *c, gx_value *out) {
    if (!gx_callable(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "call.type", "the first argument must be callable");
    gx_walk *w = gx_walk_new(c->rt, &partial_type, 0);
    if (!w) return false;
    for (int i = 0; i < 3; i++) (&w->a)[i] = gx_keep(c->argv[i]);
    const bool joins = c->argv[0].tag == GX_OBJECT && gx_type_of(c->argv[0]) == &partial_type;
    if (joins && !join_inner(c->rt, w, gx_as_walk(c->argv[0]))) {
        gx_drop(gx_object(&w->head.obj));
        return false;
    }
    return gx_walk_done(c->rt, w, out);
}

/* --- lru_cache --- */
/* a: the function, b a dict of results in order of use, c whether types count; i hits, j misses, k
   the size or -1. */

/* The types of the arguments as a tuple; None: they do not count. */
static bool types_of(gx_rt *rt, bool count, int n, const gx_borrowed *v, gx_value *out) {
    gx_value list;
    *out = gx_none();
    if (!count) return true;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        ok = gx_list_push_take(rt, list, gx_type_value(gx_type_of(v[i])));
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

/* The keywords' names and values as a tuple. */
static bool keywords_of(gx_rt *rt, int n, const gx_sym *kw, const gx_borrowed *v, gx_value *out) {
    gx_value list, name;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int k = 0; ok && k < n; k++)
        ok = gx_str_of_sym(rt, kw[k], &name) && gx_list_push_take(rt, list, name) &&
             gx_list_push(rt, list, v[k]);
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

/* The arguments as a tuple, a lone int or text by itself; with keywords or types a slice of tuples,
   which equals no key of a call without them. */
static bool cache_key(gx_rt *rt, bool typed, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    gx_value list, part[3] = {gx_none(), gx_none(), gx_none()};
    const bool plain = kwc == 0 && !typed;
    if (plain && argc == 1 && (argv[0].tag == GX_INT || argv[0].tag == GX_STR)) {
        *out = gx_keep(argv[0]);
        return true;
    }
    if (!gx_list_new(rt, argc, argv, &list)) return false;
    bool ok = gx_tuple_of(rt, list, plain ? out : &part[0]);
    gx_drop(list);
    if (plain || !ok) return ok;
    ok = keywords_of(rt, kwc, kw, argv + argc, &part[1]) &&
         types_of(rt, typed, argc + kwc, argv, &part[2]) &&
         gx_slice_new(rt, part[0], part[1], part[2], out);
    for (int i = 0; i < 3; i++) gx_drop(part[i]);
    return ok;
}

/* Adds a result, and forgets the one used longest ago when the cache is full. A key's code may
   call the function again and empty the cache, so what is there is looked at afterwards. */
static bool remember(gx_rt *rt, gx_walk *w, gx_borrowed key, gx_borrowed value) {
    if (w->k == 0) return true;
    if (!gx_dict_set(rt, w->b, key, value)) return false;
    if (w->k > 0 && gx_as_dict(w->b)->count > w->k) gx_dict_drop_first(w->b);
    return true;
}

/* A result that was found counts as used last. */
static bool use_again(gx_rt *rt, gx_walk *w, gx_borrowed key, gx_borrowed value) {
    w->i++;
    if (w->k <= 0) return true;
    return gx_dict_remove(rt, w->b, key, NULL) != GX_TRY_ERROR && remember(rt, w, key, value);
}

static bool cached_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    gx_walk *w = gx_as_walk(self);
    gx_value key, value;
    if (w->k == 0) { /* nothing is remembered, so no argument is hashed */
        w->j++;
        return gx_call_value(rt, w->a, argc, argv, kwc, kw, out);
    }
    if (!cache_key(rt, w->c.tag == GX_BOOL && w->c.b, argc, argv, kwc, kw, &key)) return false;
    gx_try found = gx_dict_find(rt, w->b, key, &value);
    bool ok = found == GX_TRY_YES;
    if (found == GX_TRY_NO) {
        w->j++;
        ok = gx_call_value(rt, w->a, argc, argv, kwc, kw, &value);
    }
    if (ok) {
        ok = found == GX_TRY_YES ? use_again(rt, w, key, value) : remember(rt, w, key, value);
        if (ok)
            *out = value;
        else
            gx_drop(value);
    }
    gx_drop(key);
    return ok;
}

static bool cache_info(gx_call *c, gx_value *out) {
    static const char *const names[] = {"hits", "misses", "maxsize", "currsize"};
    const gx_walk *w = gx_as_walk(c->argv[0]);
    gx_sym fields[4];
    for (int i = 0; i < 4; i++)
        if (!(fields[i] = gx_sym_c(c->rt, names[i]))) return false;
    gx_value items[4] = {gx_int(w->i), gx_int(w->j), w->k < 0 ? gx_none() : gx_int(w->k),
                         gx_int(gx_as_dict(w->b)->count)};
    return gx_tuple_named(c->rt, "CacheInfo", 4, fields, items, out);
}

static bool cache_parameters(gx_call *c, gx_value *out) {
    const gx_walk *w = gx_as_walk(c->argv[0]);
    if (!gx_dict_new(c->rt, out)) return false;
    if (gx_dict_set_c_take(c->rt, *out, "maxsize", w->k < 0 ? gx_none() : gx_int(w->k)) &&
        gx_dict_set_c_take(c->rt, *out, "typed", gx_keep(w->c)))
        return true;
    gx_drop(gx_steal(out));
    return false;
}

static bool cache_clear(gx_call *c, gx_value *out) {
    gx_walk *w = gx_as_walk(c->argv[0]);
    gx_value fresh;
    if (!gx_dict_new(c->rt, &fresh)) return false;
    gx_value old = w->b;
    w->b = fresh;
    w->i = w->j = 0;
    gx_drop(old);
    *out = gx_none();
    return true;
}

static const gx_native cache_methods[] = {
    {"cache_info", "cache_info(self, /)", "Hits, misses, the limit and the size.", NULL, cache_info,
     0, 0},
    {"cache_parameters", "cache_parameters(self, /)", "How the cache was made.", NULL,
     cache_parameters, 0, 0},
    {"cache_clear", "cache_clear(self, /)", "Forgets all results.", NULL, cache_clear, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
static const gx_member cache_members[] = {
    {"__wrapped__", walk_a, NULL, "The function itself."},
    {NULL, NULL, NULL, NULL},
};
CALLABLE_TYPE(cache_type, "functools._lru_cache_wrapper", cached_call, cache_methods,
              cache_members);

static bool cache_around(gx_rt *rt, gx_borrowed fn, int64_t size, bool typed, gx_value *out) {
    gx_value dict;
    if (!gx_dict_new(rt, &dict)) return false;
    gx_walk *w = gx_walk_new(rt, &cache_type, 0);
    if (!w) {
        gx_drop(dict);
        return false;
    }
    w->a = gx_keep(fn);
    w->b = dict;
    w->c = gx_bool(typed);
    w->k = size;
    return gx_walk_done(rt, w, out);
}

/* lru_cache(maxsize=…)(f): i is the size, j whether types count. */
static bool decorator_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                           const gx_sym *kw, gx_value *out) {
    (void)kw;
    if (argc != 1 || kwc)
        return gx_fail(rt, GX_TypeError, "call.arguments", "a decorator takes one function");
    return cache_around(rt, argv[0], gx_as_walk(self)->i, gx_as_walk(self)->j != 0, out);
}
CALLABLE_TYPE(decorator_type, "function", decorator_call, NULL, NULL);

static bool functools_cache(gx_call *c, gx_value *out) {
    return cache_around(c->rt, c->argv[0], -1, false, out);
}

static bool functools_lru_cache(gx_call *c, gx_value *out) {
    int64_t size = -1;
    bool typed;
    if (!gx_arg_bool(c, 1, &typed)) return false;
    if (c->argv[0].tag != GX_INT && gx_callable(c->argv[0]))
        return cache_around(c->rt, c->argv[0], 128, typed, out);
    if (gx_arg_some(c, 0) && !gx_arg_int(c, 0, &size)) return false;
    gx_walk *w = gx_walk_new(c->rt, &decorator_type, 0);
    if (!w) return false;
    w->i = size < 0 && gx_arg_some(c, 0) ? 0 : size;
    w->j = typed;
    return gx_walk_done(c->rt, w, out);
}

/* --- cmp_to_key: a the function (on the maker and its keys), b the object of a key --- */

static gx_try key_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out);
static const gx_type key_type = {
    .name = "functools.KeyWrapper", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = gx_walk_free, .traverse = gx_walk_traverse, .clear = gx_walk_clear,
    .compare = key_compare,
};

static gx_try key_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value order;
    if (gx_type_of(a) != &key_type || gx_type_of(b) != &key_type) return GX_TRY_NO;
    if (!gx_call2(rt, gx_as_walk(a)->a, gx_as_walk(a)->b, gx_as_walk(b)->b, &order))
        return GX_TRY_ERROR;
    bool ok = gx_compare(rt, op, order, gx_int(0), out);
    gx_drop(order);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static bool key_maker_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                           const gx_sym *kw, gx_value *out) {
    (void)kw;
    if (argc != 1 || kwc)
        return gx_fail(rt, GX_TypeError, "call.arguments", "K() takes one object");
    gx_walk *w = gx_walk_new(rt, &key_type, 0);
    if (!w) return false;
    w->a = gx_keep(gx_as_walk(self)->a);
    w->b = gx_keep(argv[0]);
    return gx_walk_done(rt, w, out);
}
CALLABLE_TYPE(key_maker_type, "functools.KeyMaker", key_maker_call, NULL, NULL);

static bool functools_cmp_to_key(gx_call *c, gx_value *out) {
    gx_walk *w = gx_walk_new(c->rt, &key_maker_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    return gx_walk_done(c->rt, w, out);
}

#define ROW(n, sig, text, example) {#n, #n sig, text, example, functools_##n, 0, 0}

const gx_native gx_py_functools_functions[] = {
    ROW(reduce, "(function, iterable, initial=<no value>, /)",
        "function of the result so far and each item.",
        "functools.reduce(lambda a, b: a * b, [2, 3, 4])  # 24"),
    ROW(lru_cache, "(maxsize=128, typed=False)", "A function that remembers its last results.",
        NULL),
    ROW(cache, "(user_function, /)", "A function that remembers all its results.",
        "functools.cache(abs)(-2)  # 2"),
    ROW(cmp_to_key, "(mycmp)", "A key for sorted() from a function that compares two.",
        "sorted([1, 3, 2], key=functools.cmp_to_key(lambda a, b: b - a))  # [3, 2, 1]"),
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_constant gx_py_functools_constants[] = {
    {.name = "partial", .kind = GX_CONST_TYPE, .type = &partial_type},
    {.name = "cached_property", .kind = GX_CONST_TYPE, .type = &gx_type_cached_property},
    {.name = NULL},
};
