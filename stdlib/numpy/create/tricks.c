/* Objects that are indexed to make something: r_ and c_ (arrays joined), s_ and index_exp (the
   index itself). And iterators over positions: ndindex, ndenumerate. */
#include <stdlib.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/range.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_tricks_functions[];
extern const gx_constant gx_np_tricks_constants[];

/* --- s_ and index_exp: the key comes back --- */

typedef struct trick {
    gx_obj obj;
    gx_namespace ns;
    int axis, ndmin, trans; /* r_ and c_ */
    bool tuple;             /* index_exp */
} trick;

static void trick_free(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static bool index_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (((trick *)v.obj)->tuple && key.tag != GX_TUPLE) return gx_tuple_new(rt, 1, &key, out);
    *out = gx_keep(key);
    return true;
}

static bool index_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<%s: indexing it gives the index>",
                         ((trick *)v.obj)->tuple ? "index_exp" : "s_");
}

static const gx_type index_type = {.name = "numpy.lib.IndexExpression",
                                   .tag = GX_OBJECT,
                                   .dtype = GX_NO_DTYPE,
                                   .doc = "The index that it is indexed with.",
                                   .free = trick_free,
                                   .repr = index_repr,
                                   .get = index_get};

/* --- r_ and c_ --- */

/* 'axis,ndmin,trans1d' as r_ takes it first. */
static bool read_directive(gx_rt *rt, const char *text, trick *t) {
    int *const to[3] = {&t->axis, &t->ndmin, &t->trans};
    char *end;
    int i = 0;
    if (strcmp(text, "r") == 0 || strcmp(text, "c") == 0)
        return gx_fail(rt, GX_ValueError, "r_.matrix",
                       "'%s' asks for a matrix; gx has arrays only: use '0,2' or c_", text);
    for (const char *p = text; i < 3; i++, p = end + 1) {
        *to[i] = (int)strtol(p, &end, 10);
        if (end == p || (*end && *end != ',')) break;
        if (!*end) return true;
    }
    return gx_fail(rt, GX_ValueError, "r_.directive", "unknown special directive '%s'", text);
}

/* An array brought to ndmin dims, its own standing where trans says. */
static gx_array *raise_dims(gx_np *s, gx_array *a, const trick *t) {
    if (!a || a->ndim >= t->ndmin) return a;
    int more = t->ndmin - a->ndim, from = t->trans < 0 ? t->trans + more + 1 : t->trans;
    uint64_t mask = 0;
    if (from < 0) from = 0;
    if (from > more) from = more;
    for (int i = 0; i < t->ndmin; i++)
        if (i < from || i >= from + a->ndim) mask |= UINT64_C(1) << i;
    return gx_np_expand(s, a, t->ndmin, mask);
}

static bool join_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    trick t = *(trick *)v.obj;
    gx_np s = gx_np_begin_at(rt, t.ns);
    const gx_value *items = &key;
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &items) : 1;
    int count = 0;
    gx_array **parts = gx_np_room(&s, n + 1, sizeof *parts);
    gx_value *types = gx_np_room(&s, n + 1, sizeof *types);
    gx_dtype d;
    if (!parts || !types) return gx_np_end(&s, false);
    for (int64_t i = 0; i < n; i++) {
        gx_borrowed item = items[i];
        if (item.tag == GX_STR) {
            if (i > 0)
                return gx_np_end(&s, gx_fail(rt, GX_ValueError, "r_.directive",
                                             "special directives must be the first entry."));
            if (!read_directive(rt, gx_as_str(item)->text, &t)) return gx_np_end(&s, false);
            continue;
        }
        gx_array *a = item.tag == GX_SLICE ? gx_np_slice_numbers(&s, item) : gx_np_arr(&s, item);
        if (a && a->ndim == 0) a = gx_np_expand(&s, a, 1, 1);
        if (!(a = raise_dims(&s, a, &t))) return gx_np_end(&s, false);
        types[count] = gx_operand_kind(item) == GX_OPERAND_WEAK ? item : gx_np_value(a);
        parts[count++] = a;
    }
    if (!count)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "concatenate.empty",
                                     "need at least one array to concatenate"));
    int axis;
    if (!gx_axis(rt, t.axis, parts[0]->ndim, &axis) || !gx_np_result_type(rt, count, types, &d))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_concat(&s, count, parts, axis, d), out);
}

static bool join_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_puts(out, ((trick *)v.obj)->ndmin > 1 ? "<c_: index it, c_[[1, 2], [3, 4]]>"
                                                        : "<r_: index it, r_[1:4, 0, 4]>");
}

static const gx_type join_type = {.name = "numpy.lib.AxisConcatenator",
                                  .tag = GX_OBJECT,
                                  .dtype = GX_NO_DTYPE,
                                  .doc = "Arrays joined by indexing.",
                                  .free = trick_free,
                                  .repr = join_repr,
                                  .get = join_get};

static bool make_trick(gx_rt *rt, const gx_type *type, trick like, gx_value *out) {
    trick *t = gx_obj_new(rt, type, sizeof *t);
    if (!t) return false;
    like.obj = t->obj;
    *t = like;
    *out = gx_object(&t->obj);
    return true;
}

static bool make_s(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_trick(rt, &index_type, (trick){.ns = ns}, out);
}
static bool make_index_exp(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_trick(rt, &index_type, (trick){.ns = ns, .tuple = true}, out);
}
static bool make_r(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_trick(rt, &join_type, (trick){.ns = ns, .ndmin = 1, .trans = -1}, out);
}
static bool make_c(gx_rt *rt, gx_namespace ns, gx_value *out) {
    return make_trick(rt, &join_type, (trick){.ns = ns, .axis = -1, .ndmin = 2}, out);
}

const gx_constant gx_np_tricks_constants[] = {
    {.name = "s_", .kind = GX_CONST_MAKE, .make = make_s},
    {.name = "index_exp", .kind = GX_CONST_MAKE, .make = make_index_exp},
    {.name = "r_", .kind = GX_CONST_MAKE, .make = make_r},
    {.name = "c_", .kind = GX_CONST_MAKE, .make = make_c},
    {.name = NULL},
};

/* --- ndindex, ndenumerate --- */
/* a: the array (or None), items[] the shape, i the flat position, k how many there are. */

static bool position(gx_rt *rt, const gx_walk *w, gx_value *out) {
    int64_t at[GX_MAX_DIMS], rest = w->i;
    int n = (int)w->count;
    for (int d = n - 1; d >= 0; d--) {
        at[d] = rest % w->items[d].i;
        rest /= w->items[d].i;
    }
    return gx_tuple_ints(rt, n, at, out);
}

static bool index_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    if (w->i >= w->k) return gx_walk_end(more);
    if (!position(rt, w, out)) return false;
    w->i++;
    *more = true;
    return true;
}
static GX_WALK_TYPE(ndindex_type, "numpy.ndindex", index_next, NULL);

static bool enumerate_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_value both[2];
    if (w->i >= w->k) return gx_walk_end(more);
    const gx_array *a = gx_as_array(w->a);
    if (!position(rt, w, &both[0])) return false;
    if (!gx_array_nth(rt, a, w->i, &both[1])) {
        gx_drop(both[0]);
        return false;
    }
    w->i++;
    *more = true;
    return gx_tuple_take(rt, 2, both, out);
}
static GX_WALK_TYPE(ndenumerate_type, "numpy.ndenumerate", enumerate_next, NULL);

static gx_walk *walk_of(gx_rt *rt, const gx_type *type, int n, const int64_t *shape) {
    gx_walk *w = gx_walk_new(rt, type, n);
    if (!w) return NULL;
    w->k = 1;
    for (int i = 0; i < n; i++) {
        w->items[i] = gx_int(shape[i]);
        w->k *= shape[i];
    }
    return w;
}

static bool ndindex_fn(gx_call *c, gx_value *out) {
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    int64_t shape[GX_MAX_DIMS];
    int n;
    bool one = t->count == 1 && (t->items[0].tag == GX_TUPLE || t->items[0].tag == GX_LIST);
    bool ok =
        one ? gx_shape_of(c->rt, t->items[0], GX_SIZES_BOOLS, "ndindex", &n, shape)
            : gx_shape_of_items(c->rt, t->count, t->items, GX_SIZES_BOOLS, "ndindex", &n, shape);
    gx_walk *w = ok ? walk_of(c->rt, &ndindex_type, n, shape) : NULL;
    return w && gx_walk_done(c->rt, w, out);
}

static bool ndenumerate_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_walk *w = a ? walk_of(c->rt, &ndenumerate_type, a->ndim, gx_shape(a)) : NULL;
    if (!w) return gx_np_end(&s, false);
    w->a = gx_keep(gx_np_value(a));
    return gx_np_end(&s, gx_walk_done(c->rt, w, out));
}

const gx_native gx_np_tricks_functions[] = {
    {"ndindex", "ndindex(*shape)",
     "An iterator over all index tuples of a shape, the last axis fastest.",
     "list(ndindex(2, 2))  # [(0, 0), (0, 1), (1, 0), (1, 1)]", ndindex_fn, 0, 0},
    {"ndenumerate", "ndenumerate(arr)",
     "An iterator of (index tuple, element) over an array in C order.",
     "list(ndenumerate([5, 6]))  # [((0,), 5), ((1,), 6)]", ndenumerate_fn, 0, 0},
    {.name = NULL},
};
