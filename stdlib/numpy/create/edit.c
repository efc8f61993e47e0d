/* delete and insert: copies of an array without some positions along an axis, or with more. */
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_edit_functions[];

/* Positions along an axis of n from an index argument: int, slice, list, mask. */
static gx_array *positions(gx_np *s, gx_borrowed key, int64_t n) {
    gx_value picked;
    if (key.tag == GX_ARRAY && gx_dtype_kind(gx_as_array(key)->dtype) <= GX_KIND_UINT &&
        gx_as_array(key)->dtype != GX_bool) {
        gx_array *k = gx_np_fresh(s, gx_np_flat(s, gx_as_array(key)), GX_i64);
        int64_t *at = gx_np_data_write(s, k), i = 0;
        for (; at && i < k->count && at[i] >= -n && at[i] < n; i++) at[i] += at[i] < 0 ? n : 0;
        if (!at) return NULL;
        if (i == k->count) return k; /* else the general way says what is wrong */
    }
    gx_array *all = gx_np_iota(s, n);
    if (!all) return NULL;
    if (key.tag == GX_LIST || key.tag == GX_TUPLE) {
        gx_array *k = gx_np_arr(s, key);
        if (!k) return NULL;
        if (k->count == 0 && k->dtype != GX_bool) k = gx_np_cast(s, k, GX_i64);
        if (!k || !gx_array_get(s->rt, all, gx_np_value(k), &picked)) return NULL;
    } else if (!gx_array_get(s->rt, all, key, &picked))
        return NULL;
    if (!gx_np_hold(s, picked)) return NULL;
    return gx_np_flat(s, gx_np_arr1(s, picked));
}

/* The positions along an axis but for `drop`, a stretch at a time. */
static gx_array *without(gx_np *s, gx_array *a, int axis, const int64_t *drop, int64_t many) {
    int64_t n = gx_shape(a)[axis], kept = n, inner = 1, shape[GX_MAX_DIMS];
    char *gone = gx_np_scratch(s, (size_t)n + 1);
    if (!gone) return NULL;
    memset(gone, 0, (size_t)n + 1);
    GX_LONG_LOOP(s->rt, i, 0, many) {
        kept -= !gone[drop[i]];
        gone[drop[i]] = 1;
    }
    for (int i = axis + 1; i < a->ndim; i++) inner *= gx_shape(a)[i];
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[axis] = kept;
    a = gx_np_contiguous(s, a);
    const char *from = gx_np_data(s, a);
    gx_array *r = gx_np_empty(s, a ? (gx_dtype)a->dtype : GX_f64, a ? a->ndim : 0, shape);
    char *to = gx_np_data_write(s, r);
    if (!from || !to) return NULL;
    int64_t item = inner * gx_dtype_size(a->dtype), rows = r->count ? a->count / inner / n : 0;
    for (int64_t row = 0; row < rows; row++, from += n * item)
        for (int64_t i = 0; i < n && !gx_work_stops(s->rt);) {
            const char *next = gone[i] ? gone + i : memchr(gone + i, 1, (size_t)(n - i));
            int64_t stop = next ? next - gone : n;
            gx_work_copy(s->rt, to, from + i * item, (size_t)((stop - i) * item));
            to += (stop - i) * item;
            i = stop + 1;
        }
    return r;
}

enum { FEW = 16 };

/* What lies between a few positions, joined where it lives. */
static gx_array *between(gx_np *s, gx_array *a, int axis, const int64_t *gone, int64_t many) {
    gx_array *parts[FEW + 1];
    int64_t sorted[FEW + 1], from = 0;
    int n = 0;
    for (int64_t i = 0, k; i < many; i++) {
        for (k = i; k > 0 && sorted[k - 1] > gone[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = gone[i];
    }
    sorted[many] = gx_shape(a)[axis];
    for (int64_t i = 0; i <= many; from = sorted[i++] + 1)
        if (sorted[i] > from && !(parts[n++] = gx_np_slice(s, a, axis, from, 1, sorted[i] - from)))
            return NULL;
    if (!n) return gx_np_copy(s, gx_np_slice(s, a, axis, 0, 1, 0), 'C');
    return gx_np_concat(s, n, parts, axis, GX_NO_DTYPE);
}

/* Bools that tell what is deleted are one for each position. */
static bool is_mask_of(gx_np *s, gx_borrowed key, int64_t n) {
    if (key.tag == GX_SLICE || key.tag == GX_INT) return true;
    gx_array *k = gx_np_arr(s, key);
    if (!k) return false;
    return k->dtype != GX_bool || (k->ndim == 1 && k->count == n) ||
           gx_fail(s->rt, GX_ValueError, "index.mask",
                   "boolean array argument obj to delete must be one dimensional and match the "
                   "axis length of %lld",
                   (long long)n);
}

static bool delete_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis = 0;
    if (!a) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 2))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 2, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    if (!a) return gx_np_end(&s, false);
    if (c->argv[1].tag == GX_NONE)
        return gx_np_end(&s, gx_fail(c->rt, GX_IndexError, "index.type",
                                     "obj is an integer, a slice or an array of integers or bools, "
                                     "not None"));
    int64_t n = gx_shape(a)[axis];
    if (!is_mask_of(&s, c->argv[1], n)) return gx_np_end(&s, false);
    gx_array *drop = gx_np_contiguous(&s, positions(&s, c->argv[1], n));
    const int64_t *d = gx_np_data(&s, drop);
    if (!d) return gx_np_end(&s, false);
    gx_array *r = drop->count <= FEW ? between(&s, a, axis, d, drop->count)
                                     : without(&s, a, axis, d, drop->count);
    if (c->argv[1].tag == GX_SLICE || drop->count == 1)
        return gx_np_give_array(&s, gx_np_as_fortran(&s, r, a), out);
    return gx_np_give_array(&s, gx_np_laid_picked(&s, r, a, axis), out);
}

/* insert: where each of the new layers goes, counted in the old array. */
typedef struct place {
    int64_t at, from;
} place;

enum { FEW_PLACES = 32 };

static void sort_few_places(place *p, int64_t n) {
    for (int64_t i = 1; i < n; i++)
        for (int64_t k = i; k > 0 && p[k - 1].at > p[k].at; k--) {
            place t = p[k];
            p[k] = p[k - 1];
            p[k - 1] = t;
        }
}

/* A few places: stretches of the old array and of the new layers are joined. */
static gx_array *insert_few(gx_np *s, gx_array *a, gx_array *v, int axis, place *p, int64_t m) {
    gx_array *parts[2 * FEW_PLACES + 1];
    int64_t n = gx_shape(a)[axis], done = 0;
    int count = 0;
    sort_few_places(p, m);
    for (int64_t k = 0; k < m;) {
        int64_t first = k++;
        while (k < m && p[k].at == p[first].at && p[k].from == p[k - 1].from + 1) k++;
        parts[count++] = gx_np_slice(s, a, axis, done, 1, p[first].at - done);
        parts[count++] = gx_np_slice(s, v, axis, p[first].from, 1, k - first);
        done = p[first].at;
    }
    parts[count++] = gx_np_slice(s, a, axis, done, 1, n - done);
    for (int i = 0; i < count; i++)
        if (!parts[i]) return NULL;
    return gx_np_concat(s, count, parts, axis, (gx_dtype)a->dtype);
}

/* Those of the same place stay in their order. */
static GX_CHECK bool sort_places(gx_np *s, place *p, int64_t n) {
    uint64_t *keys = gx_np_room(s, n, sizeof *keys);
    int64_t *order = gx_np_room(s, n, sizeof *order);
    place *sorted = gx_np_room(s, n, sizeof *sorted);
    if (!keys || !order || !sorted) return false;
    GX_LONG_LOOP(s->rt, i, 0, n) {
        keys[i] = (uint64_t)p[i].at;
        order[i] = i;
    }
    if (!gx_work_end(s->rt) || !gx_np_sort_keys(s, keys, n, order)) return false;
    GX_LONG_LOOP(s->rt, i, 0, n) sorted[i] = p[order[i]];
    gx_work_copy(s->rt, p, sorted, (size_t)n * sizeof *p);
    return gx_work_end(s->rt);
}

static gx_array *insert_at(gx_np *s, gx_array *a, gx_array *v, int axis, place *p, int64_t m) {
    if (m <= FEW_PLACES) return insert_few(s, a, v, axis, p, m);
    int64_t n = gx_shape(a)[axis], total = n + m, shape[GX_MAX_DIMS];
    gx_array *old = gx_np_empty(s, GX_i64, 1, &n), *new = gx_np_empty(s, GX_i64, 1, &m);
    int64_t *o = gx_np_data_write(s, old), *w = gx_np_data_write(s, new);
    if (!o || !w) return NULL;
    if (!sort_places(s, p, m)) return NULL;
    int64_t k = 0, next = 0;
    GX_LONG_LOOP(s->rt, i, 0, n + 1) {
        for (; k < m && p[k].at == i; k++) w[p[k].from] = next++;
        if (i < n) o[i] = next++;
    }
    if (!gx_work_end(s->rt)) return NULL;
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = total;
    gx_array *r = gx_np_zeros(s, (gx_dtype)a->dtype, a->ndim, shape);
    r = gx_np_moveaxis(s, r, axis, 0);
    a = gx_np_moveaxis(s, a, axis, 0);
    if (!r || !a) return NULL;
    v = gx_np_moveaxis(s, v, axis, 0);
    if (!v || !gx_array_set(s->rt, r, gx_np_value(old), gx_np_value(a)) ||
        !gx_array_set(s->rt, r, gx_np_value(new), gx_np_value(v)))
        return NULL;
    return gx_np_moveaxis(s, r, 0, axis);
}

static bool in_range(gx_call *c, int64_t k, int axis, int64_t n) {
    if (k >= -n && k <= n) return true;
    gx_fail(c->rt, GX_IndexError, "index.range",
            "index %lld is out of bounds for axis %d with size %lld", (long long)k, axis,
            (long long)n);
    return gx_about(c->rt, 3, (int64_t[]){k, axis, n});
}

/* Places that are no integers: of an array an IndexError; one number is compared with the size
   first. */
static bool places_fit(gx_np *s, gx_call *c, int64_t n) {
    gx_array *at = gx_np_arr(s, c->argv[1]);
    if (!at) return false;
    if (at->ndim > 1)
        return gx_fail(c->rt, GX_ValueError, "index.dims",
                       "index array argument obj to insert must be one dimensional or scalar");
    if (!gx_np_is_float(at->dtype) || at->count == 0) return true;
    const bool one = at->count == 1 && gx_dtype_kind(at->dtype) == GX_KIND_FLOAT;
    const double *x = gx_np_data(s, gx_np_contiguous(s, gx_np_cast(s, at, GX_f64)));
    if (!x) return false;
    if (one && x[0] >= -(double)n && x[0] <= (double)n)
        return gx_fail(c->rt, GX_TypeError, "index.type",
                       "slice indices must be integers or None or have an __index__ method");
    return gx_fail(c->rt, GX_IndexError, "index.type",
                   "arrays used as indices must be of integer (or boolean) type");
}

static bool is_mask(gx_borrowed v) {
    return gx_is_array(v) && gx_as_array(v)->dtype == GX_bool && gx_as_array(v)->ndim == 1;
}

static bool insert_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int axis = 0;
    int64_t m, shape[GX_MAX_DIMS], one;
    if (!a) return gx_np_end(&s, false);
    if (!gx_arg_some(c, 3))
        a = gx_np_flat(&s, a);
    else if (!gx_np_axis_arg(c, 3, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    if (!a) return gx_np_end(&s, false);
    gx_try scalar = gx_as_index(c->rt, c->argv[1], &one);
    if (scalar == GX_TRY_ERROR) return gx_np_end(&s, false);
    int64_t n = gx_shape(a)[axis];
    if (scalar == GX_TRY_NO && c->argv[1].tag != GX_SLICE && !places_fit(&s, c, n))
        return gx_np_end(&s, false);
    gx_array *where =
        scalar == GX_TRY_YES         ? gx_np_reshape(&s, gx_np_i64(&s, one), 1, (int64_t[]){1})
        : c->argv[1].tag == GX_SLICE ? positions(&s, c->argv[1], n)
        : is_mask(c->argv[1])        ? gx_np_places(&s, gx_np_arr(&s, c->argv[1]))
                                     : gx_np_flat(&s, gx_np_arr_as(&s, c->argv[1], GX_i64));
    where = gx_np_contiguous(&s, where);
    const int64_t *first = gx_np_data(&s, where);
    if (!first || (where->count == 1 && !in_range(c, first[0], axis, n)))
        return gx_np_end(&s, false);
    gx_array *v = gx_np_values(&s, c->argv[2], (gx_dtype)a->dtype);
    const int64_t *at = v ? gx_np_data(&s, where) : NULL;
    if (!at) return gx_np_end(&s, false);
    /* One place may take several layers: as many as the values have. */
    if (v->ndim < a->ndim)
        v = gx_np_expand(&s, v, a->ndim, gx_np_first(a->ndim - v->ndim));
    if (v && where->count == 1 && scalar == GX_TRY_YES) v = gx_np_moveaxis(&s, v, 0, axis);
    m = where->count;
    if (v && m == 1) m = gx_shape(v)[axis];
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[axis] = m;
    while (v && v->ndim > a->ndim && gx_shape(v)[0] == 1) v = gx_np_squeeze(&s, v, 1);
    /* Nothing, in any number of rows. */
    const bool nothing = v && v->count == 0 && a->ndim == 1 && m == 0 &&
                         (v->ndim == 0 || gx_shape(v)[v->ndim - 1] <= 1);
    v = nothing ? gx_np_empty(&s, (gx_dtype)a->dtype, a->ndim, shape)
                : gx_np_broadcast(&s, v, a->ndim, shape);
    place *p = gx_np_room(&s, m + 1, sizeof *p);
    if (!v || !p) return gx_np_end(&s, false);
    for (int64_t i = 0; i < m; i++) {
        int64_t k = at[where->count == 1 ? 0 : i];
        if (!in_range(c, k, axis, n)) return gx_np_end(&s, false);
        p[i] = (place){k < 0 ? k + n : k, i};
    }
    return gx_np_give_array(&s, gx_np_as_fortran(&s, insert_at(&s, a, v, axis, p, m), a), out);
}

const gx_native gx_np_edit_functions[] = {
    {"delete", "delete(arr, obj, axis=None)",
     "A copy without the elements at obj, an index, slice or mask along an axis (or of the flat "
     "array).",
     "delete([1, 2, 3], 1)  # [1 3]", delete_fn, 0, 0},
    {"insert", "insert(arr, obj, values, axis=None)",
     "A copy with values inserted before the indices obj along an axis (or of the flat array).",
     "insert([1, 3], 1, 2)  # [1 2 3]", insert_fn, 0, 0},
    {.name = NULL},
};
