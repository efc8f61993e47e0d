/* Sets of elements: unique and what is built on it. All by sorting; results are sorted. */
#include <string.h>

#include "stdlib/np_int.h"
#include "stdlib/np_order_int.h"
#include "stdlib/np_radix_int.h"

extern const gx_native gx_np_set_functions[];

/* What unique finds: arrays of the scope. */
typedef struct distinct {
    gx_array *values, *index, *inverse, *counts;
} distinct;

/* Are rows i and k (m elements each) equal? */
static bool rows_equal(const uint64_t *keys, int64_t m, int64_t i, int64_t k, bool equal_nan) {
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
    uint64_t *keys = gx_np_scratch(s, (size_t)(a->count * *parts + 1) * sizeof *keys);
    if (!data || !keys) return NULL;
    gx_np_keys(part, data, gx_dtype_size(part), a->count * *parts, keys);
    return keys;
}

/* The order of n rows of m keys, the first key most important. */
static int64_t *row_order(gx_np *s, const uint64_t *keys, int64_t n, int64_t m) {
    int64_t *index = gx_np_scratch(s, (size_t)(n + 1) * sizeof *index);
    uint64_t *column = gx_np_scratch(s, (size_t)(n + 1) * sizeof *column);
    if (!index || !column) return NULL;
    for (int64_t i = 0; i < n; i++) index[i] = i;
    for (int64_t j = m; j-- > 0;) {
        for (int64_t i = 0; i < n; i++) column[i] = keys[i * m + j];
        if (!gx_np_sort_keys(s->rt, column, n, index)) return NULL;
    }
    return index;
}

/* The distinct rows of a C-contiguous array along its first axis. */
static bool find_distinct(gx_np *s, gx_array *a, bool equal_nan, distinct *r) {
    int parts;
    uint64_t *keys = a ? all_keys(s, a, &parts) : NULL;
    if (!keys) return false;
    int64_t n = gx_shape(a)[0], m = n ? a->count * parts / n : 1, k = 0;
    int64_t *order = row_order(s, keys, n, m);
    r->inverse = gx_np_empty(s, GX_i64, 1, &n);
    int64_t *inverse = gx_np_data_write(s, r->inverse);
    int64_t *first = gx_np_scratch(s, (size_t)(n + 1) * sizeof *first);
    int64_t *count = gx_np_scratch(s, (size_t)(n + 1) * sizeof *count);
    if (!order || !inverse || !first || !count) return false;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || !rows_equal(keys, m, order[i - 1], order[i], equal_nan)) {
            first[k] = order[i];
            count[k++] = 0;
        }
        count[k - 1]++;
        inverse[order[i]] = k - 1;
    }
    r->index = gx_np_empty(s, GX_i64, 1, &k);
    r->counts = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *x = gx_np_data_write(s, r->index), *y = gx_np_data_write(s, r->counts);
    if (!x || !y) return false;
    memcpy(x, first, (size_t)k * sizeof *x);
    memcpy(y, count, (size_t)k * sizeof *y);
    r->values = gx_np_take(s, a, r->index, 0);
    return r->values != NULL;
}

/* The distinct elements of a 1-d real array: sorted, then each run of equal ones made one. */
static gx_array *distinct_values(gx_np *s, gx_array *a, bool equal_nan) {
    gx_array *sorted = gx_np_contiguous(s, gx_np_sorted(s, a, 0));
    char *x = gx_np_data_write(s, sorted);
    if (!x) return NULL;
    if (sorted->count == 0) return sorted;
    int64_t n = sorted->count, k = 0, item = gx_dtype_size(sorted->dtype);
    int64_t valid = gx_np_radix_valid((gx_dtype)sorted->dtype, x, n);
    bool floats = gx_dtype_kind(sorted->dtype) == GX_KIND_FLOAT;
#define RUNS(T)                                                                                    \
    do {                                                                                           \
        T *v = (T *)x, none = floats ? (T)(1ull << (8 * sizeof(T) - 1)) : 0;                       \
        T last = v[0];                                                                             \
        k = valid > 0;                                                                             \
        for (int64_t i = 1; i < valid; i++) {                                                      \
            T now = v[i];                                                                          \
            bool zeros = floats && (T)((now | last) & (T)~none) == 0;                              \
            v[k] = now;                                                                            \
            k += (now != last) & !zeros;                                                           \
            last = now;                                                                            \
        }                                                                                          \
    } while (0)
    if (item == 1)
        RUNS(uint8_t);
    else if (item == 2)
        RUNS(uint16_t);
    else if (item == 4)
        RUNS(uint32_t);
    else
        RUNS(uint64_t);
#undef RUNS
    int64_t nans = equal_nan && valid < n ? 1 : n - valid;
    if (k < valid) memmove(x + k * item, x + valid * item, (size_t)(nans * item));
    gx_array *part = gx_np_slice(s, sorted, 0, 0, 1, k + nans);
    return k + nans < n ? gx_np_copy(s, part, 'C') : part;
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
    bool plain = flat && !want[0] && !want[1] && !want[2];
    if (plain && gx_dtype_kind(a->dtype) != GX_KIND_CPLX)
        return gx_np_give_array(&s, distinct_values(&s, gx_np_flat(&s, a), equal_nan), out);
    gx_array *rows =
        gx_np_contiguous(&s, flat ? gx_np_flat(&s, a) : gx_np_moveaxis(&s, a, axis, 0));
    if (!find_distinct(&s, rows, equal_nan, &r)) return gx_np_end(&s, false);
    give[0] = flat ? r.values : gx_np_moveaxis(&s, r.values, 0, axis);
    if (want[0]) give[n++] = r.index;
    if (want[1]) give[n++] = flat ? gx_np_reshape(&s, r.inverse, a->ndim, gx_shape(a)) : r.inverse;
    if (want[2]) give[n++] = r.counts;
    if (n == 1) return gx_np_give_array(&s, give[0], out);
    return gx_np_give_tuple(&s, n, give, out);
}

static gx_array *uniques(gx_np *s, gx_array *a) {
    distinct r = {NULL, NULL, NULL, NULL};
    a = gx_np_contiguous(s, gx_np_flat(s, a));
    if (a && gx_dtype_kind(a->dtype) != GX_KIND_CPLX) return distinct_values(s, a, true);
    return a && find_distinct(s, a, true, &r) ? r.values : NULL;
}

/* Which elements of a are among the sorted elements of set. */
static gx_array *member_mask(gx_np *s, gx_array *a, gx_array *set, bool invert) {
    if (!a || !set) return NULL;
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)set->dtype);
    gx_array *both[2] = {gx_np_contiguous(s, gx_np_cast(s, a, d)),
                         gx_np_contiguous(s, gx_np_flat(s, gx_np_cast(s, set, d)))};
    if (!both[0] || !both[1]) return NULL;
    int parts;
    uint64_t *key = all_keys(s, both[0], &parts), *from = all_keys(s, both[1], &parts);
    gx_array *r = gx_np_empty(s, GX_bool, a->ndim, gx_shape(a));
    uint8_t *is = gx_np_data_write(s, r);
    if (!key || !from || !is) return NULL;
    int64_t n = both[1]->count, *order = row_order(s, from, n, parts);
    if (!order) return NULL;
    for (int64_t i = 0; i < both[0]->count; i++) {
        int64_t low = 0, high = n;
        while (low < high) {
            int64_t mid = low + (high - low) / 2, at = order[mid];
            int less = 0;
            for (int p = 0; p < parts && !less; p++)
                less = from[at * parts + p] < key[i * parts + p]   ? -1
                       : from[at * parts + p] > key[i * parts + p] ? 1
                                                                   : 0;
            if (less < 0)
                low = mid + 1;
            else
                high = mid;
        }
        bool found = low < n;
        for (int p = 0; found && p < parts; p++)
            found = from[order[low] * parts + p] == key[i * parts + p] &&
                    key[i * parts + p] != UINT64_MAX;
        is[i] = found != invert;
    }
    return r;
}

static bool isin_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *set = gx_np_arr(&s, c->argv[1]);
    bool invert;
    if (!gx_arg_bool(c, 3, &invert)) return gx_np_end(&s, false);
    return gx_np_give(&s, member_mask(&s, a, set, invert), out);
}

static gx_array *masked(gx_np *s, gx_array *a, gx_array *mask) {
    gx_value v;
    if (!a || !mask || !gx_array_get(s->rt, a, gx_np_value(mask), &v) || !gx_np_hold(s, v))
        return NULL;
    return gx_np_arr(s, v);
}

static bool union1d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *both[2] = {gx_np_flat(&s, gx_np_arr(&s, c->argv[0])),
                         gx_np_flat(&s, gx_np_arr(&s, c->argv[1]))};
    gx_array *all = both[0] && both[1] ? gx_np_concat(&s, 2, both, 0, GX_NO_DTYPE) : NULL;
    return gx_np_give_array(&s, uniques(&s, all), out);
}

static bool setdiff1d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *b = gx_np_arr(&s, c->argv[1]), *a = uniques(&s, gx_np_arr(&s, c->argv[0]));
    return gx_np_give_array(&s, masked(&s, a, member_mask(&s, a, b, true)), out);
}

static bool setxor1d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = uniques(&s, gx_np_arr(&s, c->argv[0])),
             *b = uniques(&s, gx_np_arr(&s, c->argv[1]));
    gx_array *parts[2] = {masked(&s, a, member_mask(&s, a, b, true)),
                          masked(&s, b, member_mask(&s, b, a, true))};
    gx_array *all = parts[0] && parts[1] ? gx_np_concat(&s, 2, parts, 0, GX_NO_DTYPE) : NULL;
    return gx_np_give_array(&s, gx_np_sorted(&s, all, 0), out);
}

static bool intersect1d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    bool indices;
    distinct a = {NULL, NULL, NULL, NULL}, b = {NULL, NULL, NULL, NULL};
    gx_array *x = gx_np_contiguous(&s, gx_np_flat(&s, gx_np_arr(&s, c->argv[0])));
    gx_array *y = gx_np_contiguous(&s, gx_np_flat(&s, gx_np_arr(&s, c->argv[1])));
    if (!gx_arg_bool(c, 3, &indices) || !find_distinct(&s, x, true, &a) ||
        !find_distinct(&s, y, true, &b))
        return gx_np_end(&s, false);
    gx_array *in = member_mask(&s, a.values, b.values, false);
    gx_array *r = masked(&s, a.values, in);
    if (r) r = gx_np_cast(&s, r, gx_promote((gx_dtype)x->dtype, (gx_dtype)y->dtype));
    if (!indices) return gx_np_give_array(&s, r, out);
    gx_array *back = member_mask(&s, b.values, a.values, false);
    gx_array *give[3] = {r, masked(&s, a.index, in), masked(&s, b.index, back)};
    return gx_np_give_tuple(&s, 3, give, out);
}

const gx_native gx_np_set_functions[] = {
    {"unique",
     "unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
     "equal_nan=True, sorted=True)",
     "The distinct elements, sorted; also where they are, and how often.",
     "unique([3, 1, 3])  # [1 3]", unique_fn, 0, 0},
    {"isin", "isin(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
     "Whether each element is among others.", "isin([1, 2, 3], [2])  # [False  True False]",
     isin_fn, 0, 0},
    {"union1d", "union1d(ar1, ar2)", "The distinct elements of two arrays.",
     "union1d([1, 2], [2, 3])  # [1 2 3]", union1d_fn, 0, 0},
    {"intersect1d", "intersect1d(ar1, ar2, assume_unique=False, return_indices=False)",
     "The distinct elements that two arrays have in common.", "intersect1d([1, 2], [2, 3])  # [2]",
     intersect1d_fn, 0, 0},
    {"setdiff1d", "setdiff1d(ar1, ar2, assume_unique=False)",
     "The distinct elements of one array that another lacks.", "setdiff1d([1, 2], [2, 3])  # [1]",
     setdiff1d_fn, 0, 0},
    {"setxor1d", "setxor1d(ar1, ar2, assume_unique=False)",
     "The elements in one of two arrays only.", "setxor1d([1, 2], [2, 3])  # [1 3]", setxor1d_fn, 0,
     0},
    {.name = NULL},
};
