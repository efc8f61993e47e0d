/* Sets of elements: unique and isin. All by sorting; results are sorted. */
#include <string.h>

#include "runtime/backend/keys.h"
#include "runtime/device/work.h"
#include "runtime/op/order.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_set_functions[];

/* What unique finds: arrays of the scope. */
typedef struct distinct {
    gx_array *values, *index, *inverse, *counts;
} distinct;

/* 0 of a complex number; 1, 2, 3 where its imaginary part, its real one, or both are nan. */
static uint64_t half_nan(const uint64_t *pair) {
    return (uint64_t)(pair[0] == UINT64_MAX) * 2 + (pair[1] == UINT64_MAX);
}

/* Are rows i and k (m elements each) equal? Of complex numbers any two with a nan may be. */
static bool rows_equal(const uint64_t *keys, int64_t m, int64_t i, int64_t k, bool equal_nan,
                       bool complex) {
    if (complex && equal_nan && m == 2 && half_nan(keys + i * m) && half_nan(keys + k * m))
        return true;
    for (int64_t j = 0; j < m; j++) {
        if (keys[i * m + j] != keys[k * m + j]) return false;
        if (!equal_nan && keys[i * m + j] == UINT64_MAX) return false;
    }
    return true;
}

/* Keys of a C-contiguous array: one an element, two a complex one. */
static uint64_t *all_keys(gx_np *s, gx_array *a, int *parts) {
    gx_dtype d = (gx_dtype)a->dtype, part = gx_real_dtype(d);
    *parts = gx_dtype_kind(d) == GX_KIND_CPLX ? 2 : 1;
    const char *data = gx_np_data(s, a);
    uint64_t *keys = gx_np_room(s, a->count * *parts + 1, sizeof *keys);
    if (!data || !keys) return NULL;
    gx_order_keys(s->rt, part, data, gx_dtype_size(part), a->count * *parts, keys);
    return gx_work_end(s->rt) ? keys : NULL;
}

/* The order of n rows of m keys, the first key most important; `complex`: keys are pairs, and those
   with a nan come last. */
static int64_t *row_order(gx_np *s, const uint64_t *keys, int64_t n, int64_t m, bool complex) {
    int64_t *index = gx_np_room(s, n + 1, sizeof *index);
    uint64_t *column = gx_np_room(s, n + 1, sizeof *column);
    if (!index || !column) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, n) index[i] = i;
    for (int64_t j = m; j-- > 0;) {
        GX_LONG_LOOP(s->rt, i, 0, n) column[i] = keys[i * m + j];
        if (!gx_work_end(s->rt)) return NULL;
        if (!gx_np_sort_keys(s, column, n, index)) return NULL;
        if (!complex || j % 2) continue;
        GX_LONG_LOOP(s->rt, i, 0, n) column[i] = half_nan(keys + i * m + j);
        if (!gx_work_end(s->rt)) return NULL;
        if (!gx_np_sort_keys(s, column, n, index)) return NULL;
    }
    return index;
}

/* --- whole numbers of a small range: tables --- */

/* The keys' least and the number of whole numbers up to the most; 0: too many for a table. */
static int64_t key_span(const gx_rt *rt, const uint64_t *keys, int64_t n, int64_t most,
                        uint64_t *least) {
    uint64_t low = UINT64_MAX, high = 0;
    GX_LONG_LOOP(rt, i, 0, n) {
        low = keys[i] < low ? keys[i] : low;
        high = keys[i] > high ? keys[i] : high;
    }
    *least = low;
    return n == 0 || gx_work_stops(rt) || high - low >= (uint64_t)most ? 0
                                                                       : (int64_t)(high - low) + 1;
}

/* What unique finds among integers of a small range. */
static bool distinct_small(gx_np *s, gx_array *a, const uint64_t *keys, uint64_t least,
                           int64_t span, distinct *r) {
    int64_t n = a->count, k = 0;
    int64_t *first = gx_np_room(s, span, sizeof *first);
    int64_t *count = gx_np_room(s, span, sizeof *count);
    r->inverse = gx_np_empty(s, GX_i64, 1, &n);
    int64_t *inverse = gx_np_data_write(s, r->inverse);
    if (!first || !count || !inverse) return false;
    memset(count, 0, (size_t)span * sizeof *count);
    GX_LONG_LOOP(s->rt, i, 0, n) {
        uint64_t at = keys[n - 1 - i] - least;
        first[at] = n - 1 - i;
        count[at]++;
    }
    if (!gx_work_end(s->rt)) return false;
    for (int64_t i = 0; i < span; i++) k += count[i] > 0;
    r->index = gx_np_empty(s, GX_i64, 1, &k);
    r->counts = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *x = gx_np_data_write(s, r->index), *y = gx_np_data_write(s, r->counts);
    if (!x || !y) return false;
    for (int64_t i = 0, at = 0; i < span; i++) {
        if (count[i] == 0) continue;
        x[at] = first[i];
        y[at] = count[i];
        count[i] = at++; /* from here on the rank */
    }
    GX_LONG_LOOP(s->rt, i, 0, n) inverse[i] = count[keys[i] - least];
    r->values = gx_np_take(s, a, r->index, 0);
    return r->values != NULL;
}

/* What unique finds in a 1-d real array by sorting it, where `want` says what of index, inverse and
   counts is looked for. */
static bool distinct_sorted(gx_np *s, gx_array *a, bool equal_nan, const bool want[3],
                            distinct *r) {
    gx_array *counts = NULL, *first = NULL, *inverse = NULL, *values = NULL;
    if (!gx_array_unique(s->rt, a, equal_nan, &values, want[2] ? &counts : NULL,
                         want[0] ? &first : NULL, want[1] ? &inverse : NULL))
        return false;
    r->index = first ? gx_np_own(s, first) : NULL;
    r->inverse = inverse ? gx_np_own(s, inverse) : NULL;
    r->counts = counts ? gx_np_own(s, counts) : NULL;
    r->values = gx_np_own(s, values);
    return r->values && (r->index || !first) && (r->inverse || !inverse) && (r->counts || !counts);
}

/* Of a 1-d array on a GPU that sorts it. r->values NULL: a does not live there. */
static bool distinct_on_device(gx_np *s, gx_array *a, bool equal_nan, const bool want[3],
                               distinct *r) {
    if (!a || gx_dtype_kind(a->dtype) == GX_KIND_CPLX || !gx_device_sorts(s->rt, a, 0))
        return a != NULL;
    return distinct_sorted(s, a, equal_nan, want, r);
}

/* The distinct rows of a C-contiguous array along its first axis. */
static bool find_distinct(gx_np *s, gx_array *a, bool equal_nan, distinct *r) {
    static const bool all[3] = {true, true, true};
    int parts;
    if (a && a->ndim == 1 && gx_dtype_kind(a->dtype) == GX_KIND_FLOAT)
        return distinct_sorted(s, a, equal_nan, all, r);
    uint64_t *keys = a ? all_keys(s, a, &parts) : NULL;
    if (!keys) return false;
    int64_t n = gx_shape(a)[0], m = n ? a->count * parts / n : 1, k = 0;
    if (m == 1 && gx_dtype_kind(a->dtype) <= GX_KIND_UINT) {
        uint64_t least;
        int64_t span = key_span(s->rt, keys, n, n < 65536 ? n : 65536, &least);
        if (span) return distinct_small(s, a, keys, least, span, r);
    }
    if (a->ndim == 1 && parts == 1) return distinct_sorted(s, a, equal_nan, all, r);
    int64_t *order = row_order(s, keys, n, m, parts == 2);
    equal_nan = equal_nan || !gx_np_is_float(a->dtype);
    r->inverse = gx_np_empty(s, GX_i64, 1, &n);
    int64_t *inverse = gx_np_data_write(s, r->inverse);
    int64_t *first = gx_np_room(s, n + 1, sizeof *first);
    int64_t *count = gx_np_room(s, n + 1, sizeof *count);
    if (!order || !inverse || !first || !count) return false;
    GX_LONG_LOOP(s->rt, i, 0, n) {
        if (i == 0 || !rows_equal(keys, m, order[i - 1], order[i], equal_nan, parts == 2)) {
            first[k] = order[i];
            count[k++] = 0;
        }
        count[k - 1]++;
        inverse[order[i]] = k - 1;
    }
    if (!gx_work_end(s->rt)) return false;
    r->index = gx_np_empty(s, GX_i64, 1, &k);
    r->counts = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *x = gx_np_data_write(s, r->index), *y = gx_np_data_write(s, r->counts);
    if (!x || !y) return false;
    gx_work_copy(s->rt, x, first, (size_t)k * sizeof *x);
    gx_work_copy(s->rt, y, count, (size_t)k * sizeof *y);
    r->values = gx_np_take(s, a, r->index, 0);
    return r->values != NULL;
}

/* As distinct_values, for integers of a small range: without sorting. *done: it is so, or it
   failed. */
static gx_array *distinct_counted(gx_np *s, gx_array *a, gx_array **counts, bool *done) {
    enum { SAMPLE = 64 };
    int parts;
    uint64_t least = 0;
    gx_array *flat = gx_np_contiguous(s, a);
    const char *data = gx_np_data(s, flat);
    *done = !data;
    if (!data || flat->count < 4 * SAMPLE || gx_dtype_kind(flat->dtype) > GX_KIND_UINT) return NULL;
    int64_t n = flat->count, most = n / 4 < 65536 ? n / 4 : 65536, k = 0;
    uint64_t some[SAMPLE];
    gx_order_keys(s->rt, (gx_dtype)flat->dtype, data, n / SAMPLE * gx_dtype_size(flat->dtype),
                  SAMPLE, some);
    if (!key_span(s->rt, some, SAMPLE, most, &least)) return NULL;
    uint64_t *keys = all_keys(s, flat, &parts);
    int64_t span = keys ? key_span(s->rt, keys, n, most, &least) : 0;
    *done = !keys || span;
    if (!span) return NULL;
    int64_t *count = gx_np_scratch(s, 2 * (size_t)span * sizeof *count);
    if (!count) return NULL;
    int64_t *first = count + span;
    memset(count, 0, (size_t)span * sizeof *count);
    GX_LONG_LOOP(s->rt, i, 0, n) {
        count[keys[i] - least]++;
        first[keys[i] - least] = i;
    }
    if (!gx_work_end(s->rt)) return NULL;
    for (int64_t i = 0; i < span; i++) k += count[i] > 0;
    gx_array *index = gx_np_empty(s, GX_i64, 1, &k), *many = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *at = gx_np_data_write(s, index), *times = gx_np_data_write(s, many);
    if (!at || !times) return NULL;
    for (int64_t i = 0, to = 0; i < span; i++)
        if (count[i]) {
            at[to] = first[i];
            times[to++] = count[i];
        }
    if (counts) *counts = many;
    return gx_np_take(s, flat, index, 0);
}

/* The distinct elements of a 1-d real array: sorted, then each run of equal ones made one. With
   `counts` also how often each occurs. */
static gx_array *distinct_values(gx_np *s, gx_array *a, bool equal_nan, gx_array **counts) {
    bool done = false;
    gx_array *r = a ? distinct_counted(s, a, counts, &done) : NULL, *many = NULL;
    if (done || !a) return r;
    if (!gx_array_unique(s->rt, a, equal_nan, &r, counts ? &many : NULL, NULL, NULL)) return NULL;
    if (counts) *counts = gx_np_own(s, many);
    r = gx_np_own(s, r);
    return counts && !*counts ? NULL : r;
}

static bool unique_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *give[4];
    bool want[3], equal_nan;
    int axis = 0, n = 1;
    distinct r = {NULL, NULL, NULL, NULL};
    if (!a || !gx_arg_bool(c, 5, &equal_nan)) return gx_np_end(&s, false);
    for (int i = 0; i < 3; i++)
        if (!gx_arg_bool(c, 1 + i, &want[i])) return gx_np_end(&s, false);
    bool flat = !gx_arg_some(c, 4);
    if (!flat && !gx_np_axis_arg(c, 4, a->ndim, 0, &axis)) return gx_np_end(&s, false);
    if (flat && !distinct_on_device(&s, gx_np_flat(&s, a), equal_nan, want, &r))
        return gx_np_end(&s, false);
    if (!r.values && flat && !want[0] && !want[1] && gx_dtype_kind(a->dtype) != GX_KIND_CPLX) {
        give[0] = distinct_values(&s, gx_np_flat(&s, a), equal_nan, want[2] ? &give[1] : NULL);
        if (!give[0] || !want[2]) return gx_np_give_array(&s, give[0], out);
        return gx_np_give_tuple(&s, 2, give, out);
    }
    equal_nan = equal_nan && (flat || a->ndim == 1); /* as NumPy: rows with nan are all different */
    if (!r.values) {
        gx_array *rows = flat ? gx_np_flat(&s, a) : gx_np_moveaxis(&s, a, axis, 0);
        if (!find_distinct(&s, gx_np_contiguous(&s, rows), equal_nan, &r))
            return gx_np_end(&s, false);
    }
    give[0] = flat ? r.values : gx_np_moveaxis(&s, r.values, 0, axis);
    if (want[0]) give[n++] = r.index;
    if (want[1]) give[n++] = flat ? gx_np_reshape(&s, r.inverse, a->ndim, gx_shape(a)) : r.inverse;
    if (want[2]) give[n++] = r.counts;
    if (n == 1) return gx_np_give_array(&s, give[0], out);
    return gx_np_give_tuple(&s, n, give, out);
}

/* Elements looked for in tasks: among sorted keys, or in a table of the keys from `least` on. */
typedef struct member_job {
    const uint64_t *keys, *set;
    const int64_t *order; /* of complex keys, which come in pairs */
    const uint8_t *table;
    uint64_t least;
    int64_t n, count, span, tasks;
    int parts;
    bool invert, floats; /* of floats the largest key is nan */
    uint8_t *is;
} member_job;

static bool has_key(const uint64_t *set, int64_t n, uint64_t key) {
    while (n > 1) {
        int64_t half = n / 2;
        set += half & -(int64_t)(set[half - 1] < key);
        n -= half;
    }
    return n && *set == key;
}

static bool has_pair(const member_job *j, const uint64_t *key) {
    int64_t low = 0, high = j->n;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        const uint64_t *at = j->set + j->order[mid] * 2;
        if (at[0] < key[0] || (at[0] == key[0] && at[1] < key[1]))
            low = mid + 1;
        else
            high = mid;
    }
    if (low == j->n || key[0] == UINT64_MAX || key[1] == UINT64_MAX) return false;
    const uint64_t *at = j->set + j->order[low] * 2;
    return at[0] == key[0] && at[1] == key[1];
}

static void member_task(void *arg, int64_t task, int thread) {
    const member_job *j = arg;
    int64_t end = j->count * (task + 1) / j->tasks;
    (void)thread;
    for (int64_t i = j->count * task / j->tasks; i < end; i++) {
        bool found;
        if (j->table)
            found = j->table[j->keys[i] - j->least < (uint64_t)j->span ? j->keys[i] - j->least
                                                                       : (uint64_t)j->span];
        else if (j->parts == 1)
            found = has_key(j->set, j->n, j->keys[i]) && !(j->floats && j->keys[i] == UINT64_MAX);
        else
            found = has_pair(j, j->keys + 2 * i);
        j->is[i] = found != j->invert;
    }
}

/* The keys of a set as a table (one entry more stands for all that are outside) or in order. */
static bool open_members(gx_np *s, gx_array *set, uint64_t *keys, member_job *j) {
    gx_dtype d = (gx_dtype)set->dtype;
    j->n = set->count;
    j->set = keys;
    if (j->parts == 2) {
        j->order = row_order(s, keys, j->n, 2, false);
        return j->order != NULL;
    }
    if (gx_dtype_kind(d) <= GX_KIND_UINT)
        j->span = key_span(s->rt, keys, j->n, 8 * (j->n + j->count) + 1024, &j->least);
    if (j->span) {
        uint8_t *table = gx_np_scratch(s, (size_t)j->span + 1);
        if (!table) return false;
        gx_work_fill(s->rt, table, 0, (size_t)j->span + 1);
        GX_LONG_LOOP(s->rt, i, 0, j->n) table[keys[i] - j->least] = 1;
        j->table = table;
        return true;
    }
    gx_array *sorted = gx_np_contiguous(s, gx_np_sorted(s, set, 0));
    const char *data = gx_np_data(s, sorted);
    if (!data) return false;
    gx_order_keys(s->rt, d, data, gx_dtype_size(d), j->n, keys);
    return true;
}

/* By looking up a (on a GPU, of a set's dtype) in a sorted set. */
static gx_array *members_on_device(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    gx_array *sorted = gx_np_sorted(s, gx_np_flat(s, set), 0);
    gx_array *at = gx_np_search(s, sorted, a, false);
    at = at ? gx_np_op2(s, GX_OP_minimum, at, gx_np_i64(s, set->count - 1)) : NULL;
    gx_array *found = at ? gx_np_take(s, sorted, at, 0) : NULL;
    return gx_np_op2(s, invert ? GX_OP_not_equal : GX_OP_equal, found, a);
}

/* Fewer are compared one by one, as NumPy's: an int64 and a uint64 are then not rounded. */
enum { MANY_MEMBERS = 10 };

static gx_array *few_members(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    gx_array *is = NULL, *flat = gx_np_flat(s, set);
    for (int64_t i = 0; i < set->count; i++) {
        gx_array *one = flat ? gx_np_op2(s, GX_OP_equal, a, gx_np_at(s, flat, 0, i)) : NULL;
        is = i ? gx_np_op2(s, GX_OP_logical_or, is, one) : one;
        if (!is) return NULL;
    }
    return invert ? gx_np_op1(s, GX_OP_logical_not, is) : is;
}

/* Which elements of a are among the elements of set. */
static gx_array *member_mask(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    if (!a || !set) return NULL;
    if (set->count && set->count < MANY_MEMBERS) return few_members(s, a, set, invert);
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)set->dtype);
    if (gx_dtype_kind(d) != GX_KIND_CPLX && set->count && gx_device_orders(s->rt, a))
        return members_on_device(s, gx_np_cast(s, a, d), gx_np_cast(s, set, d), invert);
    gx_array *both[2] = {gx_np_contiguous(s, gx_np_cast(s, a, d)),
                         gx_np_contiguous(s, gx_np_flat(s, gx_np_cast(s, set, d)))};
    if (!both[0] || !both[1]) return NULL;
    member_job j = {.invert = invert, .count = both[0]->count, .floats = gx_np_is_float(d)};
    j.tasks = j.count < 16384 ? 1 : gx_work_tasks(j.count, 32);
    j.keys = all_keys(s, both[0], &j.parts);
    uint64_t *from = all_keys(s, both[1], &j.parts);
    gx_array *r = gx_np_empty(s, GX_bool, a->ndim, gx_shape(a));
    j.is = gx_np_data_write(s, r);
    if (!j.keys || !from || !j.is || !open_members(s, both[1], from, &j)) return NULL;
    gx_work_run(s->rt, j.tasks, member_task, &j);
    return gx_work_end(s->rt) ? r : NULL;
}

static bool isin_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *set = NULL;
    const char *kind = "";
    size_t length;
    bool invert;
    if (!a || !gx_arg_bool(c, 3, &invert) ||
        (gx_arg_some(c, 4) && !gx_arg_str(c, 4, &kind, &length)))
        return gx_np_end(&s, false);
    if (*kind && strcmp(kind, "sort") != 0 && strcmp(kind, "table") != 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "isin.kind",
                                     "Invalid kind: '%s'. Please use None, 'sort' or 'table'.",
                                     kind));
    if (c->argv[1].tag == GX_SET) { /* one object, which no number equals */
        gx_array *none = gx_np_zeros(&s, GX_bool, a->ndim, gx_shape(a));
        return gx_np_give_array(&s, invert ? gx_np_op1(&s, GX_OP_logical_not, none) : none, out);
    }
    set = gx_np_arr(&s, c->argv[1]);
    if (set && strcmp(kind, "table") == 0 &&
        (gx_np_is_float(a->dtype) || gx_np_is_float(set->dtype)))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "isin.kind",
                                     "The 'table' method is only supported for boolean or integer "
                                     "arrays. Please select 'sort' or None for kind."));
    return gx_np_give_array(&s, member_mask(&s, a, set, invert), out);
}

const gx_native gx_np_set_functions[] = {
    {"unique",
     "unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
     "equal_nan=True, sorted=True)",
     "The distinct elements, sorted; also their indices, the inverse and counts.",
     "unique([3, 1, 3])  # [1 3]", unique_fn, 0, 0},
    {"isin", "isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
     "Whether each element is among others.", "isin([1, 2, 3], [2])  # [False  True False]",
     isin_fn, 0, 0},
    {.name = NULL},
};
