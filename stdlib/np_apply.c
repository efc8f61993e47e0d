/* Functions of the script for arrays: apply_along_axis, apply_over_axes, vectorize, frompyfunc.
   Each element or line is one call; the results are gathered into arrays. */
#include <string.h>

#include "runtime/dict.h"
#include "stdlib/np_int.h"
#include "stdlib/walk.h"

extern const gx_native gx_np_apply_functions[];

/* --- calls with more arguments behind --- */

enum { MOST_ARGS = 16 };

/* fn(first, *args, **kwargs) */
static bool call_with(gx_rt *rt, gx_borrowed fn, gx_borrowed first, gx_borrowed args,
                      gx_borrowed kwargs, gx_value *out) {
    gx_value argv[MOST_ARGS];
    gx_sym names[MOST_ARGS];
    const gx_tuple *t = gx_as_tuple(args);
    gx_dict *d = gx_as_dict(kwargs);
    int n = 0, named = 0;
    int64_t at = 0;
    gx_entry *e;
    if (t->count + d->count + 1 > MOST_ARGS)
        return gx_fail(rt, GX_TypeError, "apply.args", "more than %d arguments", MOST_ARGS);
    argv[n++] = first;
    for (int64_t i = 0; i < t->count; i++) argv[n++] = t->items[i];
    while ((e = gx_dict_next(d, &at))) {
        if (!(names[named] = gx_str_sym(rt, e->key))) return false;
        argv[n + named++] = e->value;
    }
    return gx_call_value(rt, fn, n, argv, named, names, out);
}

/* What is given for one line, as an array of the scope; NULL: an error. */
static gx_array *line_result(gx_np *s, gx_call *c, gx_array *rows, int64_t i) {
    gx_value v;
    gx_array *line = gx_np_at(s, rows, 0, i);
    if (!line || !call_with(s->rt, c->argv[0], gx_np_value(line), c->argv[3], c->argv[4], &v) ||
        !gx_np_hold(s, v))
        return NULL;
    return gx_np_arr(s, v);
}

static bool apply_along_axis_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[2]), *first, *r;
    int axis, outer;
    int64_t shape[GX_MAX_DIMS], flat[2], full[GX_MAX_DIMS + 1];
    if (!a || !gx_np_axis_arg(c, 1, a->ndim, 0, &axis)) return gx_np_end(&s, false);
    gx_array *moved = gx_np_moveaxis(&s, a, axis, a->ndim - 1);
    if (!moved) return gx_np_end(&s, false);
    outer = a->ndim - 1;
    memcpy(shape, gx_shape(moved), (size_t)outer * sizeof *shape);
    flat[0] = gx_np_size(outer, shape);
    flat[1] = gx_shape(moved)[outer];
    if (flat[0] == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.empty",
                                     "Cannot apply_along_axis when any iteration dimensions are "
                                     "0"));
    gx_array *rows = gx_np_reshape(&s, moved, 2, flat);
    if (!rows || !(first = line_result(&s, c, rows, 0))) return gx_np_end(&s, false);
    if (outer + first->ndim > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.dims", "too many dimensions"));
    full[0] = flat[0];
    memcpy(full + 1, gx_shape(first), (size_t)first->ndim * sizeof *full);
    r = gx_np_empty(&s, (gx_dtype)first->dtype, first->ndim + 1, full);
    for (int64_t i = 0; r && i < flat[0]; i++) {
        gx_np t = gx_np_begin_at(c->rt, s.door); /* what a line made is dropped at once */
        gx_array *one = i ? line_result(&t, c, rows, i) : first, *to = gx_np_at(&t, r, 0, i);
        bool ok = one && to && gx_array_store(c->rt, to, one);
        if (!gx_np_end(&t, ok)) return gx_np_end(&s, false);
    }
    memcpy(shape + outer, gx_shape(first), (size_t)first->ndim * sizeof *shape);
    r = gx_np_reshape(&s, r, outer + first->ndim, shape);
    /* The dims of a result stand where the axis stood. */
    for (int i = 0; i < first->ndim; i++) r = gx_np_moveaxis(&s, r, outer + i, axis + i);
    return gx_np_give_array(&s, r, out);
}

static bool apply_over_axes_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[1]), *axes = gx_np_arr_as(&s, c->argv[2], GX_i64);
    axes = gx_np_contiguous(
        &s, gx_np_flat(&s, axes && !axes->ndim ? gx_np_expand(&s, axes, 1, 1) : axes));
    const int64_t *list = gx_np_data(&s, axes);
    if (!a || !list) return gx_np_end(&s, false);
    for (int64_t i = 0; i < axes->count; i++) {
        int axis;
        gx_value v;
        if (!gx_axis(c->rt, list[i], a->ndim, &axis)) return gx_np_end(&s, false);
        const gx_value argv[2] = {gx_np_value(a), gx_int(axis)};
        if (!gx_call2(c->rt, c->argv[0], argv[0], argv[1], &v) || !gx_np_hold(&s, v))
            return gx_np_end(&s, false);
        gx_array *r = gx_np_arr(&s, v);
        if (r && r->ndim == a->ndim - 1) r = gx_np_expand(&s, r, a->ndim, UINT64_C(1) << axis);
        if (r && r->ndim != a->ndim)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "apply.shape",
                                         "function is not returning an array of the correct "
                                         "shape"));
        if (!(a = r)) return gx_np_end(&s, false);
    }
    return gx_np_give_array(&s, a, out);
}

/* --- vectorize and frompyfunc: a the function, b otypes or None, c the excluded or None, i how
   many results (0: the first call decides), j: how many arguments (0: any) --- */

typedef struct element_call {
    gx_rt *rt;
    gx_walk *w;
    int n, named;
    const gx_borrowed *argv; /* those that are passed as they are */
    gx_array *arrays[MOST_ARGS];
    const gx_sym *kw;
} element_call;

static bool is_excluded(gx_rt *rt, gx_walk *w, int position, gx_sym name, bool *out) {
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
static bool call_element(const element_call *e, int64_t i, gx_value *out) {
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

/* The k-th result of the dtypes asked for; GX_NO_DTYPE: what the values make. */
static bool asked_dtype(gx_rt *rt, gx_walk *w, int64_t k, gx_dtype *out) {
    const gx_value *items;
    *out = GX_NO_DTYPE;
    if (w->b.tag == GX_NONE) return true;
    if (w->b.tag == GX_STR) {
        const gx_str *text = gx_as_str(w->b);
        gx_value letter;
        if ((size_t)k >= text->length) return true;
        if (!gx_str_new(rt, text->text + k, 1, &letter)) return false;
        bool ok = gx_dtype_of(rt, letter, out);
        gx_drop(letter);
        return ok;
    }
    int64_t n = gx_sequence_items(w->b, &items);
    if (n < 0) return gx_dtype_of(rt, w->b, out);
    return k >= n || gx_dtype_of(rt, items[k], out);
}

/* The values of all elements, results[k] a list each. */
static bool run_elements(gx_np *s, const element_call *e, int64_t count, int64_t *results,
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

static bool elements_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                          const gx_sym *kw, gx_value *out) {
    gx_np s = gx_np_begin_at(rt, GX_DOOR_NUMPY);
    element_call e = {
        .rt = rt, .w = gx_as_walk(self), .n = argc, .named = kwc, .argv = argv, .kw = kw};
    gx_array *some[MOST_ARGS], *r[MOST_ARGS];
    int many = 0, ndim;
    int64_t shape[GX_MAX_DIMS], results = e.w->i;
    gx_value lists[MOST_ARGS];
    if (argc + kwc > MOST_ARGS)
        return gx_fail(rt, GX_TypeError, "vectorize.args", "more than %d arguments", MOST_ARGS);
    if (e.w->j && argc != e.w->j)
        return gx_fail(rt, GX_TypeError, "frompyfunc.args",
                       "the function takes %lld arguments, not %d", (long long)e.w->j, argc);
    for (int i = 0; i < argc + kwc; i++) {
        bool excluded;
        if (!is_excluded(rt, e.w, i, i < argc ? 0 : kw[i - argc], &excluded))
            return gx_np_end(&s, false);
        if (excluded) continue;
        if (!(e.arrays[i] = gx_np_arr(&s, argv[i]))) return gx_np_end(&s, false);
        some[many++] = e.arrays[i];
    }
    if (!many) return gx_np_end(&s, gx_call_value(rt, e.w->a, argc, argv, kwc, kw, out));
    if (!gx_broadcast_shapes(rt, many, some, &ndim, shape)) return gx_np_end(&s, false);
    int64_t count = gx_np_size(ndim, shape);
    for (int i = 0; i < argc + kwc; i++)
        if (e.arrays[i] && !(e.arrays[i] = gx_np_broadcast(&s, e.arrays[i], ndim, shape)))
            return gx_np_end(&s, false);
    if (!count && e.w->b.tag == GX_NONE)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "vectorize.empty",
                                     "cannot call `vectorize` on size 0 inputs unless `otypes` is "
                                     "set"));
    if (!run_elements(&s, &e, count, &results, lists)) return gx_np_end(&s, false);
    if (!count && !results) results = 1;
    for (int64_t k = 0; k < results; k++) {
        gx_dtype d;
        if (!asked_dtype(rt, e.w, k, &d)) return gx_np_end(&s, false);
        gx_array *line = count ? gx_np_arr(&s, lists[k]) : gx_np_zeros(&s, GX_f64, ndim, shape);
        if (line && line->ndim != 1 && count)
            return gx_np_end(&s, gx_fail(rt, GX_ValueError, "vectorize.shape",
                                         "setting an array element with a sequence."));
        r[k] = gx_np_reshape(&s, gx_np_cast(&s, line, d), ndim, shape);
    }
    if (results == 1) return gx_np_give_array(&s, r[0], out);
    return gx_np_give_tuple(&s, (int)results, r, out);
}

static bool elements_function(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_walk(self)->a);
    return true;
}

static const gx_member vectorize_members[] = {
    {"pyfunc", elements_function, NULL, "The function that is called for each element."},
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

static bool new_elements(gx_call *c, gx_borrowed otypes, gx_borrowed excluded, int64_t nin,
                         int64_t nout, gx_value *out) {
    if (!gx_callable(c->argv[0])) return gx_arg_wrong(c, 0, "a function");
    gx_walk *w = gx_walk_new(c->rt, &vectorize_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->b = gx_keep(otypes);
    w->c = gx_keep(excluded);
    w->i = nout;
    w->j = nin;
    return gx_walk_done(c->rt, w, out);
}

static bool vectorize_fn(gx_call *c, gx_value *out) {
    return new_elements(c, c->argv[1], c->argv[3], 0, 0, out);
}

static bool frompyfunc_fn(gx_call *c, gx_value *out) {
    int64_t nin, nout;
    if (!gx_arg_int(c, 1, &nin) || !gx_arg_int(c, 2, &nout)) return false;
    if (nin < 0 || nout < 1 || nin + nout > MOST_ARGS)
        return gx_fail(c->rt, GX_ValueError, "frompyfunc.args",
                       "Cannot construct a ufunc with more than %d operands or without a result",
                       MOST_ARGS);
    return new_elements(c, gx_none(), gx_none(), nin, nout, out);
}

const gx_native gx_np_apply_functions[] = {
    {"apply_along_axis", "apply_along_axis(func1d, axis, arr, *args, **kwargs)",
     "A function of each line along an axis.",
     "apply_along_axis(sum, 1, [[1, 2], [3, 4]])  # [3 7]", apply_along_axis_fn, 0, 0},
    {"apply_over_axes", "apply_over_axes(func, a, axes)",
     "A function with an axis argument, for one axis after the other.",
     "apply_over_axes(sum, [[1, 2], [3, 4]], [0, 1]).tolist()  # [[10]]", apply_over_axes_fn, 0, 0},
    {"vectorize", "vectorize(pyfunc, otypes=None, doc=None, excluded=None, cache=False)",
     "A function that is called for each element of its arguments.",
     "vectorize(lambda a, b: a + b if a > b else 0)([1, 5], 2)  # [0 7]", vectorize_fn, 0, 0},
    {"frompyfunc", "frompyfunc(func, /, nin, nout, *, identity=None)",
     "A function of nin arguments and nout results that is called for each element.",
     "frompyfunc(lambda a, b: a + b, 2, 1)([1, 5], 2)  # [3 7]", frompyfunc_fn, 0, 0},
    {.name = NULL},
};
