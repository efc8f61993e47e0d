/* vectorize and frompyfunc: a function of the script called for each element of its arguments, the
   results gathered into arrays. By a signature it is called for whole sub-arrays instead
   (vectorize_axes.c). Each element is one call and no more, so that cache= has nothing to do. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "stdlib/numpy/ufunc/vectorize_int.h"

extern const gx_native gx_np_vectorize_functions[];

enum { MOST_ARGS = GX_NP_VECTOR_ARGS };

static bool is_excluded(gx_rt *rt, const gx_walk *w, int position, gx_sym name, bool *out) {
    gx_value key = gx_int(position);
    bool ok = true;
    *out = false;
    if (w->c.tag == GX_NONE) return true;
    if (name && !gx_str_of_sym(rt, name, &key)) return false;
    ok = gx_contains(rt, w->c, key, out);
    gx_drop(key);
    return ok;
}

/* The function's value for the elements at i. */
static bool call_element(const gx_np_vector_call *e, int64_t i, gx_value *out) {
    gx_value argv[MOST_ARGS];
    int all = e->n + e->named, made = 0;
    bool ok = true;
    for (; ok && made < all; made++) {
        gx_scalar x;
        if (!e->arrays[made]) {
            argv[made] = gx_keep(e->argv[made]);
            continue;
        }
        gx_dtype d = (gx_dtype)e->arrays[made]->dtype;
        bool plain = d == GX_i64 || d == GX_f64 || d == GX_c128 || d == GX_bool;
        ok = gx_array_item_at(e->rt, e->arrays[made], i, &x) &&
             (plain ? gx_scalar_item(e->rt, d, &x, &argv[made])
                    : gx_scalar_new(e->rt, d, &x, &argv[made]));
        if (!ok) break;
    }
    ok = ok && gx_call_value(e->rt, e->w->a, e->n, argv, e->named, e->kw, out);
    for (int k = 0; k < made; k++) gx_drop(argv[k]);
    return ok;
}

bool gx_np_vector_dtype(gx_rt *rt, const gx_walk *w, int64_t k, gx_dtype *out) {
    gx_value letter;
    *out = GX_NO_DTYPE;
    if (w->b.tag != GX_STR || (size_t)k >= gx_as_str(w->b)->length) return true;
    if (!gx_str_new(rt, gx_as_str(w->b)->text + k, 1, &letter)) return false;
    bool ok = gx_dtype_of(rt, letter, out);
    gx_drop(letter);
    return ok;
}

/* The values of all elements, lists[k] those of the k-th result. */
static bool run_elements(gx_np *s, const gx_np_vector_call *e, int64_t count, int64_t *results,
                         gx_value *lists) {
    for (int64_t i = 0; i < count; i++) {
        gx_value v;
        const gx_value *parts = &v;
        if (gx_must_stop(s->rt)) return gx_stop(s->rt);
        if (!call_element(e, i, &v)) return false;
        int64_t n = v.tag == GX_TUPLE && *results != 1 ? gx_sequence_items(v, &parts) : 1;
        bool ok = true;
        if (i == 0 && *results == 0) *results = n;
        if (n != *results || n > MOST_ARGS)
            ok = gx_fail(s->rt, GX_ValueError, "vectorize.results",
                         "the function gave %lld results, before %lld", (long long)n,
                         (long long)*results);
        for (int64_t k = 0; ok && k < n; k++) {
            if (i == 0) {
                ok = gx_list_new(s->rt, 0, NULL, &lists[k]) && gx_np_hold(s, lists[k]);
            }
            ok = ok && gx_list_push(s->rt, lists[k], parts[k]);
        }
        gx_drop(v);
        if (!ok) return false;
    }
    return true;
}

/* The arguments that are taken apart, as arrays. */
static bool read_arguments(gx_np *s, gx_np_vector_call *e, gx_array **some, int *many) {
    *many = 0;
    for (int i = 0; i < e->n + e->named; i++) {
        bool excluded;
        if (!is_excluded(e->rt, e->w, i, i < e->n ? 0 : e->kw[i - e->n], &excluded)) return false;
        if (excluded) continue;
        /* As it is now: the function may resize or fill what it was called for, which is in use
           until it is copied. */
        gx_np given = gx_np_begin_at(e->rt, s->ns);
        given.seen = s->seen;
        e->arrays[i] = gx_np_copy(s, gx_np_arr(&given, e->argv[i]), 'K');
        s->ns = given.ns;
        s->seen = given.seen;
        if (!gx_np_end(&given, e->arrays[i] != NULL)) return false;
        some[(*many)++] = e->arrays[i];
    }
    return true;
}

/* Without otypes the first value of a vectorized function decides the dtype of all. */
static bool first_decides(gx_np *s, const gx_np_vector_call *e, gx_borrowed list, int64_t count,
                          gx_dtype *d) {
    const gx_value *items;
    if (*d != GX_NO_DTYPE || e->w->j || !count || gx_sequence_items(list, &items) < 1) return true;
    gx_array *first = gx_np_arr(s, items[0]);
    if (first) *d = (gx_dtype)first->dtype;
    return first != NULL;
}

static bool by_element(gx_np *s, gx_np_vector_call *e, gx_array **some, int many, gx_value *out) {
    gx_array *r[MOST_ARGS];
    gx_value lists[MOST_ARGS];
    gx_rt *rt = s->rt;
    int ndim;
    int64_t shape[GX_MAX_DIMS], results = e->w->i;
    if (!gx_broadcast_shapes(rt, many, some, &ndim, shape)) return gx_np_end(s, false);
    int64_t count = gx_np_size(ndim, shape);
    for (int i = 0; i < e->n + e->named; i++)
        if (e->arrays[i] && !(e->arrays[i] = gx_np_broadcast(s, e->arrays[i], ndim, shape)))
            return gx_np_end(s, false);
    if (!count && e->w->b.tag == GX_NONE)
        return gx_np_end(s, gx_fail(rt, GX_ValueError, "vectorize.empty",
                                    "cannot call `vectorize` on size 0 inputs unless `otypes` is "
                                    "set"));
    if (!run_elements(s, e, count, &results, lists)) return gx_np_end(s, false);
    if (!count && !results) results = (int64_t)gx_as_str(e->w->b)->length;
    if (results < 1 || results > MOST_ARGS)
        return gx_np_end(s, gx_fail(rt, GX_ValueError, "vectorize.results",
                                    "vectorize takes 1 to %d results, not %lld", MOST_ARGS,
                                    (long long)results));
    for (int64_t k = 0; k < results; k++) {
        gx_dtype d;
        if (!gx_np_vector_dtype(rt, e->w, k, &d) || !first_decides(s, e, lists[k], count, &d))
            return gx_np_end(s, false);
        gx_array *line = count ? gx_np_arr(s, lists[k]) : gx_np_zeros(s, GX_f64, ndim, shape);
        if (line && line->ndim != 1 && count)
            return gx_np_end(s, gx_fail(rt, GX_ValueError, "vectorize.shape",
                                        "setting an array element with a sequence."));
        r[k] = gx_np_reshape(s, d == GX_NO_DTYPE ? line : gx_np_cast(s, line, d), ndim, shape);
    }
    if (results == 1) return gx_np_give_array(s, r[0], out);
    return gx_np_give_tuple(s, (int)results, r, out);
}

/* @vectorize(otypes=…): what is called first is given the function. */
static bool take_function(gx_rt *rt, gx_walk *w, int argc, const gx_borrowed *argv, int kwc,
                          gx_value *out);

static bool elements_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                          const gx_sym *kw, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    gx_np_vector_call e = {
        .rt = rt, .w = gx_as_walk(self), .n = argc, .named = kwc, .argv = argv, .kw = kw};
    gx_array *some[MOST_ARGS];
    int many;
    if (e.w->a.tag == GX_UNDEF) return take_function(rt, e.w, argc, argv, kwc, out);
    if (argc + kwc > MOST_ARGS)
        return gx_fail(rt, GX_TypeError, "vectorize.args", "more than %d arguments", MOST_ARGS);
    if (e.w->j && argc != e.w->j)
        return gx_fail(rt, GX_TypeError, "frompyfunc.args",
                       "the function takes %lld arguments, not %d", (long long)e.w->j, argc);
    gx_value signature = e.w->items[GX_NP_VECTOR_SIGNATURE];
    if (!read_arguments(&s, &e, some, &many)) return gx_np_end(&s, false);
    if (signature.tag == GX_STR) return gx_np_vector_axes(&s, &e, gx_as_str(signature)->text, out);
    if (!many) return gx_np_end(&s, gx_call_value(rt, e.w->a, argc, argv, kwc, kw, out));
    return by_element(&s, &e, some, many, out);
}

/* --- attributes --- */

static bool get_function(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_as_walk(self)->a.tag == GX_UNDEF ? gx_none() : gx_keep(gx_as_walk(self)->a);
    return true;
}

static bool get_excluded(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->c);
    return true;
}

static bool get_otypes(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->b);
    return true;
}

static bool get_signature(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->items[GX_NP_VECTOR_SIGNATURE]);
    return true;
}

static bool get_cache(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(gx_as_walk(self)->k != 0);
    return true;
}

static bool of_function(gx_rt *rt, gx_borrowed self, const char *name, gx_value *out) {
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym) return false;
    gx_try r = gx_as_walk(self)->a.tag == GX_UNDEF ? GX_TRY_NO
                                                   : gx_try_attr(rt, gx_as_walk(self)->a, sym, out);
    if (r == GX_TRY_NO) *out = gx_none();
    return r != GX_TRY_ERROR;
}

static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value doc = gx_as_walk(self)->items[GX_NP_VECTOR_DOC];
    if (doc.tag != GX_STR) return of_function(rt, self, "__doc__", out);
    *out = gx_keep(doc);
    return true;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return of_function(rt, self, "__name__", out);
}

static const gx_member vectorize_members[] = {
    {"pyfunc", get_function, NULL, "The function that is called for each element."},
    {"excluded", get_excluded, NULL, "The positions and names that are passed as they are."},
    {"otypes", get_otypes, NULL, "The dtypes of the results, by letters."},
    {"signature", get_signature, NULL, "The core dimensions of arguments and results."},
    {"cache", get_cache, NULL, "As it was given: no element is computed twice in any case."},
    {"__doc__", get_doc, NULL, "What it does."},
    {"__name__", get_name, NULL, "The function's name."},
    {NULL, NULL, NULL, NULL},
};

static const gx_type vectorize_type = {
    .name = "numpy.vectorize",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .free = gx_walk_free,
    .traverse = gx_walk_traverse,
    .clear = gx_walk_clear,
    .call = elements_call,
    .members = vectorize_members,
};

/* --- making --- */

/* w's fields are borrowed; a new object holds them. */
static bool new_elements(gx_rt *rt, const gx_walk *from, gx_borrowed signature, gx_borrowed doc,
                         gx_value *out) {
    gx_walk *w = gx_walk_new(rt, &vectorize_type, GX_NP_VECTOR_ITEMS);
    if (!w) return false;
    w->a = gx_keep(from->a);
    w->b = gx_keep(from->b);
    w->c = gx_keep(from->c);
    w->i = from->i;
    w->j = from->j;
    w->k = from->k;
    w->items[GX_NP_VECTOR_SIGNATURE] = gx_keep(signature);
    w->items[GX_NP_VECTOR_DOC] = gx_keep(doc);
    return gx_walk_done(rt, w, out);
}

static bool take_function(gx_rt *rt, gx_walk *w, int argc, const gx_borrowed *argv, int kwc,
                          gx_value *out) {
    if (argc != 1 || kwc || !gx_callable(argv[0]))
        return gx_fail(rt, GX_TypeError, "vectorize.function",
                       "vectorize was given no function yet: it is called with one");
    gx_walk next = *w;
    next.a = argv[0];
    return new_elements(rt, &next, w->items[GX_NP_VECTOR_SIGNATURE], w->items[GX_NP_VECTOR_DOC],
                        out);
}

/* Dtypes as a str of letters, each known. */
static bool read_otypes(gx_rt *rt, gx_borrowed v, gx_value *out) {
    char letters[MOST_ARGS + 1];
    gx_value items;
    int n = 0;
    *out = gx_none();
    if (v.tag == GX_NONE) return true;
    if (v.tag != GX_STR && gx_sequence_items(v, &(const gx_value *){NULL}) < 0)
        return gx_fail(rt, GX_ValueError, "vectorize.otypes", "Invalid otype specification");
    if (!gx_tuple_of(rt, v, &items)) return false;
    const gx_tuple *t = gx_as_tuple(items);
    bool ok = t->count <= MOST_ARGS ||
              gx_fail(rt, GX_ValueError, "vectorize.otypes", "more than %d results", MOST_ARGS);
    for (int64_t i = 0; ok && i < t->count; i++) {
        gx_dtype d;
        ok = gx_dtype_of(rt, t->items[i], &d);
        if (ok)
            letters[n++] = gx_dtypes[d].letter;
        else if (v.tag == GX_STR) {
            gx_error_clear(rt);
            gx_fail(rt, GX_ValueError, "vectorize.otypes", "Invalid otype specified: %s",
                    gx_as_str(t->items[i])->text);
        }
    }
    gx_drop(items);
    return ok && gx_str_new(rt, letters, (size_t)n, out);
}

static bool excluded_set(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value list;
    if (!gx_set_new(rt, false, out)) return false;
    if (v.tag == GX_NONE) return true;
    bool ok = gx_list_of(rt, v, &list);
    for (int64_t i = 0; ok && i < gx_as_list(list)->count; i++) {
        gx_value item = gx_as_list(list)->items[i];
        if (item.tag != GX_STR && item.tag != GX_INT)
            ok = gx_fail(rt, GX_TypeError, "vectorize.excluded",
                         "excluded holds positions and names of arguments, not %s",
                         gx_type_name(item));
        ok = ok && gx_set_add(rt, *out, item);
        if (!ok) gx_drop(list);
    }
    if (ok)
        gx_drop(list);
    else
        gx_drop(*out);
    return ok;
}

static bool vectorize_fn(gx_call *c, gx_value *out) {
    gx_walk w = {.a = c->argv[0]};
    gx_value doc = c->argv[2], signature = c->argv[5];
    bool cache;
    if (gx_arg_given(c, 0) && !gx_callable(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "vectorize.function",
                       "When used as a decorator, only accepts keyword arguments.");
    if (signature.tag != GX_NONE && signature.tag != GX_STR) return gx_arg_wrong(c, 5, "a str");
    if (signature.tag == GX_STR && !gx_np_vector_signature(c->rt, gx_as_str(signature)->text))
        return false;
    if (!gx_arg_bool(c, 4, &cache) || !read_otypes(c->rt, c->argv[1], &w.b)) return false;
    w.k = cache;
    bool ok = excluded_set(c->rt, c->argv[3], &w.c);
    if (ok) {
        ok = new_elements(c->rt, &w, signature, doc.tag == GX_STR ? doc : gx_none(), out);
        gx_drop(w.c);
    }
    gx_drop(w.b);
    return ok;
}

static bool frompyfunc_fn(gx_call *c, gx_value *out) {
    gx_walk w = {.a = c->argv[0], .b = gx_none(), .c = gx_none()};
    if (!gx_callable(c->argv[0])) return gx_arg_wrong(c, 0, "a function");
    if (!gx_arg_int(c, 1, &w.j) || !gx_arg_int(c, 2, &w.i)) return false;
    if (w.j < 0 || w.i < 1 || w.j > MOST_ARGS || w.i > MOST_ARGS || w.j + w.i > MOST_ARGS)
        return gx_fail(c->rt, GX_ValueError, "frompyfunc.args",
                       "Cannot construct a ufunc with more than %d operands or without a result",
                       MOST_ARGS);
    return new_elements(c->rt, &w, gx_none(), gx_none(), out);
}

const gx_native gx_np_vectorize_functions[] = {
    {"vectorize",
     "vectorize(pyfunc=<no value>, otypes=None, doc=None, excluded=None, cache=False, "
     "signature=None)",
     "Wraps pyfunc to be called for each element, or for sub-arrays by a signature such as "
     "'(n),(n)->()'.",
     "vectorize(lambda a, b: a + b if a > b else 0)([1, 5], 2)  # [0 7]", vectorize_fn, 0, 0},
    {"frompyfunc", "frompyfunc(func, /, nin, nout, *, identity=None)",
     "A ufunc of nin inputs and nout outputs that calls func for each element; it returns object "
     "arrays.",
     "frompyfunc(lambda a, b: a + b, 2, 1)([1, 5], 2)  # [3 7]", frompyfunc_fn, 0, 0},
    {.name = NULL},
};
