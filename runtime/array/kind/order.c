/* Elements that are no numbers compared, and put in order: by their families' order, with a key of
   eight bytes for texts that decides most comparisons. */
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/operators.h"

/* --- comparing -------------------------------------------------------------------------------- */

typedef struct compare_job {
    const gx_dtype_info *da, *db;
    const char *a, *b;
    int64_t step_a, step_b; /* bytes; 0: always the same element */
    uint8_t *to;
    int64_t n, tasks;
    gx_cmpop op;
} compare_job;

static inline bool answer(gx_cmpop op, int c) {
    return op == GX_EQ   ? c == 0
           : op == GX_NE ? c != 0
           : op == GX_LT ? c < 0
           : op == GX_LE ? c <= 0
           : op == GX_GT ? c > 0
                         : c >= 0;
}

static bool is_zero(const char *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i]) return false;
    return true;
}

/* Texts of one family are equal where the bytes that both have are, and the rest is zeros. */
static void equal_texts(const compare_job *j, int64_t from, int64_t to) {
    const size_t na = j->da->bytes, nb = j->db->bytes, n = na < nb ? na : nb;
    const bool want = j->op == GX_EQ;
    for (int64_t i = from; i < to; i++) {
        const char *a = j->a + i * j->step_a, *b = j->b + i * j->step_b;
        bool same = (n < 4 || memcmp(a, b, 4) == 0) && memcmp(a, b, n) == 0 &&
                    (na == n || is_zero(a + n, na - n)) && (nb == n || is_zero(b + n, nb - n));
        j->to[i] = same == want;
    }
}

/* to[i] stays true where two columns of elements of one dtype are equal; false: no dtype of plain
   numbers. */
static bool equal_numbers(gx_dtype d, const char *a, int64_t step_a, const char *b, int64_t step_b,
                          uint8_t *to, int64_t n) {
#define EQUAL(T)                                                                                   \
    for (int64_t i = 0; i < n; i++) {                                                              \
        T x, y;                                                                                    \
        memcpy(&x, a + i * step_a, sizeof x);                                                      \
        memcpy(&y, b + i * step_b, sizeof y);                                                      \
        to[i] &= x == y;                                                                           \
    }                                                                                              \
    return true
    if (gx_is_kind(d) || d == GX_bool) return false;
    if (d == GX_f64) {
        EQUAL(double);
    }
    if (d == GX_f32) {
        EQUAL(float);
    }
    const int kind = gx_dtype_kind(d);
    if (kind == GX_KIND_FLOAT || kind == GX_KIND_CPLX) return false;
    switch (gx_dtype_size(d)) {
    case 1: EQUAL(uint8_t);
    case 2: EQUAL(uint16_t);
    case 4: EQUAL(uint32_t);
    case 8: EQUAL(uint64_t);
    default: return false;
    }
#undef EQUAL
}

/* Records are equal where all their fields are: a field at a time, in blocks. */
static void equal_records(const compare_job *j, int64_t from, int64_t to) {
    enum { BLOCK = 1024 };
    const gx_record_row *r = j->da->more, *q = j->db->more;
    for (int64_t n; from < to; from += n) {
        n = to - from < BLOCK ? to - from : BLOCK;
        uint8_t *same = j->to + from;
        memset(same, 1, (size_t)n);
        for (int k = 0; k < r->count && k < q->count; k++) {
            const gx_field_row *f = &r->fields[k], *g = &q->fields[k];
            const char *a = j->a + from * j->step_a + f->offset;
            const char *b = j->b + from * j->step_b + g->offset;
            if (f->dtype == g->dtype &&
                equal_numbers(f->dtype, a, j->step_a, b, j->step_b, same, n))
                continue;
            for (int64_t i = 0; i < n; i++)
                same[i] = same[i] && gx_any_equal(f->dtype, a + i * j->step_a, g->dtype,
                                                  b + i * j->step_b);
        }
        for (int64_t i = 0; j->op == GX_NE && i < n; i++) same[i] = !same[i];
    }
}

static void compare_task(void *arg, int64_t task, int thread) {
    const compare_job *j = arg;
    const int64_t from = j->n * task / j->tasks, to = j->n * (task + 1) / j->tasks;
    (void)thread;
    if ((j->op == GX_EQ || j->op == GX_NE) && j->da->family == j->db->family &&
        (j->da->family == &gx_family_str || j->da->family == &gx_family_bytes)) {
        equal_texts(j, from, to);
        return;
    }
    const gx_dtype_info *da = j->da, *db = j->db;
    if ((j->op == GX_EQ || j->op == GX_NE) && gx_record_of((gx_dtype)(da - gx_dtypes)) &&
        gx_record_of((gx_dtype)(db - gx_dtypes))) {
        equal_records(j, from, to);
        return;
    }
    if (j->op == GX_EQ || j->op == GX_NE) {
        const gx_dtype a = (gx_dtype)(j->da - gx_dtypes), b = (gx_dtype)(j->db - gx_dtypes);
        for (int64_t i = from; i < to; i++)
            j->to[i] = gx_any_equal(a, j->a + i * j->step_a, b, j->b + i * j->step_b) ==
                       (j->op == GX_EQ);
        return;
    }
    for (int64_t i = from; i < to; i++)
        j->to[i] = answer(j->op, j->da->family->order(j->da, j->a + i * j->step_a, j->db,
                                                      j->b + i * j->step_b));
}

/* An operand over the result's shape, its elements one after the other, or one for all. */
static bool spread(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape, gx_array **out,
                   const char **data, int64_t *step) {
    gx_array *wide, *whole;
    if (a->count == 1) {
        gx_array_keep(a);
        whole = a;
    } else {
        if (!gx_broadcast_to(rt, a, ndim, shape, &wide)) return false;
        bool ok = gx_array_contiguous(rt, wide, &whole);
        gx_array_drop(wide);
        if (!ok) return false;
    }
    *step = a->count == 1 ? 0 : gx_dtype_size(a->dtype);
    *out = whole;
    return gx_array_read(rt, whole, data);
}

static bool compare_arrays(gx_rt *rt, gx_cmpop op, gx_array *a, gx_array *b, gx_value *out) {
    gx_array *both[2] = {a, b}, *x = NULL, *y = NULL, *r = NULL;
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    compare_job j = {.da = &gx_dtypes[a->dtype], .db = &gx_dtypes[b->dtype], .op = op};
    if (!gx_broadcast_shapes(rt, 2, both, &ndim, shape)) return false;
    bool ok = gx_array_empty(rt, GX_bool, ndim, shape, (gx_namespace)a->ns, &r);
    if (ok && r->count) {
        ok = spread(rt, a, ndim, shape, &x, &j.a, &j.step_a) &&
             spread(rt, b, ndim, shape, &y, &j.b, &j.step_b) &&
             gx_array_write(rt, r, (char **)&j.to);
        j.n = r->count;
        j.tasks = gx_work_tasks(j.n, 4096);
        if (ok) gx_work_run(rt, j.tasks, compare_task, &j);
        ok = ok && gx_work_end(rt);
        gx_array_drop(x);
        gx_array_drop(y);
    }
    if (!ok) {
        gx_array_drop(r);
        return false;
    }
    return gx_array_result_take(rt, r, out);
}

/* Of what cannot be equal every answer is the same. */
static bool all_alike(gx_rt *rt, gx_array *a, gx_array *b, bool truth, gx_value *out) {
    gx_array *both[2] = {a, b}, *r;
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    const gx_scalar s = {.b = truth};
    return gx_broadcast_shapes(rt, 2, both, &ndim, shape) &&
           gx_array_full(rt, GX_bool, ndim, shape, (gx_namespace)a->ns, &s, &r) &&
           gx_array_result_take(rt, r, out);
}

/* b beside an array of a's dtype: as an array, of that family where it is a plain value. */
static bool beside(gx_rt *rt, gx_borrowed v, const gx_array *other, gx_namespace ns,
                   gx_array **out) {
    gx_dtype d = GX_NO_DTYPE;
    if (v.tag == GX_STR && other && gx_is_time(other->dtype)) d = GX_NO_DTYPE;
    else if (v.tag != GX_ARRAY && other && !gx_is_text(other->dtype) && !gx_is_void(other->dtype) &&
        gx_is_kind(other->dtype))
        d = (gx_dtype)other->dtype;
    return gx_asarray(rt, v, d, ns, false, out);
}

/* What arrays are made of; anything else is not equal. */
static bool may_stand_beside(gx_borrowed v) {
    return v.tag == GX_ARRAY || v.tag == GX_STR || v.tag == GX_BYTES || v.tag == GX_LIST ||
           v.tag == GX_TUPLE || v.tag == GX_RANGE || gx_operand_kind(v) != GX_OPERAND_NONE;
}

static bool compare_voids(gx_rt *rt, gx_cmpop op, gx_array *a, gx_array *b, gx_value *out) {
    gx_dtype both;
    if (!gx_is_void(a->dtype) || !gx_is_void(b->dtype)) {
        gx_fail(rt, GX_TypeError, "dtype.kind",
                "Cannot compare structured or void to non-void arrays.");
        return gx_help(rt, "a == np.array(value, a.dtype) compares records with a record");
    }
    if (gx_record_of(a->dtype) && gx_record_of(b->dtype) &&
        !gx_promote_any(rt, (gx_dtype)a->dtype, (gx_dtype)b->dtype, &both)) {
        if (rt->error.kind == GX_MemoryError) return false;
        gx_error_clear(rt);
        gx_fail(rt, GX_TypeError, "dtype.kind",
                "Cannot compare structured arrays unless they have a common dtype.  I.e. "
                "`np.result_type(arr1, arr2)` must be defined.");
        return gx_note(rt, "they have %s and %s", gx_dtypes[a->dtype].name,
                       gx_dtypes[b->dtype].name);
    }
    return compare_arrays(rt, op, a, b, out);
}

gx_try gx_kind_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    static const char *const names[] = {[GX_EQ] = "equal", [GX_NE] = "not_equal",
                                        [GX_LT] = "less", [GX_LE] = "less_equal",
                                        [GX_GT] = "greater", [GX_GE] = "greater_equal"};
    gx_array *x = NULL, *y = NULL;
    const bool equality = op == GX_EQ || op == GX_NE;
    if (!may_stand_beside(a) || !may_stand_beside(b)) return GX_TRY_NO;
    const gx_namespace ns = (gx_namespace)(a.tag == GX_ARRAY ? gx_as_array(a)->ns
                                                             : gx_as_array(b)->ns);
    bool ok = beside(rt, a, b.tag == GX_ARRAY ? gx_as_array(b) : NULL, ns, &x) &&
              beside(rt, b, a.tag == GX_ARRAY ? gx_as_array(a) : NULL, ns, &y);
    if (ok) {
        const gx_family *fx = gx_dtypes[x->dtype].family, *fy = gx_dtypes[y->dtype].family;
        const bool voids = gx_is_void(x->dtype) || gx_is_void(y->dtype);
        if (fx && fy && gx_is_time(x->dtype) && gx_is_time(y->dtype) && fx == fy)
            ok = gx_time_compare(rt, op, x, y, out);
        else if (equality && voids) ok = compare_voids(rt, op, x, y, out);
        else if (fx && fx == fy && !voids) ok = compare_arrays(rt, op, x, y, out);
        else if (equality) ok = all_alike(rt, x, y, op == GX_NE, out);
        else
            ok = gx_fail(rt, GX_UFuncTypeError, "dtype.kind",
                         "ufunc '%s' did not contain a loop with signature matching types "
                         "(dtype('%s'), dtype('%s')) -> None",
                         names[op], gx_dtypes[x->dtype].name, gx_dtypes[y->dtype].name);
    }
    gx_array_drop(x);
    gx_array_drop(y);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- order ------------------------------------------------------------------------------------ */

typedef struct entry {
    uint64_t key; /* of unequal keys the order is the elements' */
    int64_t at;
} entry;

typedef struct ordering {
    gx_rt *rt;
    const gx_dtype_info *d;
    const char *data;
    bool whole; /* equal keys are equal elements */
} ordering;

/* The largest code point of a text array; texts of bytes have 255. */
static uint32_t largest(const gx_dtype_info *d, const char *data, int64_t n) {
    uint32_t all = 0, c;
    if (d->family == &gx_family_bytes) return 255;
    for (int64_t i = 0; i < n * d->parameter; i++) {
        memcpy(&c, data + 4 * i, 4);
        all |= c;
    }
    return all;
}

/* The first characters in as few bits as all of them need, the first one highest. */
static uint64_t key_of(const gx_dtype_info *d, const char *from, int bits, int64_t chars) {
    uint64_t key = 0;
    for (int64_t i = 0; i < chars; i++) {
        uint32_t c = (unsigned char)from[d->family == &gx_family_bytes ? i : 0];
        if (d->family == &gx_family_str) memcpy(&c, from + 4 * i, 4);
        key = key << bits | c;
    }
    return key;
}

static void fill_keys(ordering *o, entry *e, int64_t n) {
    const gx_dtype_info *d = o->d;
    int bits = 8;
    if (gx_is_time((int)(d - gx_dtypes))) { /* NaT last */
        for (int64_t i = 0; i < n; i++) {
            uint64_t x;
            memcpy(&x, o->data + 8 * i, 8);
            e[i] = (entry){(x - 1) ^ (UINT64_C(1) << 63), i};
        }
        o->whole = true;
        return;
    }
    if (!gx_is_text((int)(d - gx_dtypes))) {
        for (int64_t i = 0; i < n; i++) e[i] = (entry){0, i};
        o->whole = false;
        return;
    }
    for (uint32_t c = largest(d, o->data, n); bits < 32 && c >> bits;) bits += 8;
    const int64_t room = 64 / bits, chars = d->parameter < room ? d->parameter : room;
    o->whole = d->parameter <= room;
    for (int64_t i = 0; i < n; i++)
        e[i] = (entry){key_of(d, o->data + i * d->bytes, bits, chars), i};
}

static inline bool comes_after(const ordering *o, const entry *a, const entry *b) {
    if (a->key != b->key || o->whole) return a->key > b->key;
    const char *data = o->data;
    return o->d->family->order(o->d, data + a->at * o->d->bytes, o->d,
                               data + b->at * o->d->bytes) > 0;
}

/* Runs of a few entries by insertion, then merged from x to y and back. Stable. */
static entry *merge_sort(const ordering *o, entry *x, entry *y, int64_t n) {
    enum { RUN = 16 };
    for (int64_t from = 0; from < n; from += RUN) {
        const int64_t end = from + RUN < n ? from + RUN : n;
        for (int64_t i = from + 1; i < end; i++) {
            const entry e = x[i];
            int64_t k = i;
            for (; k > from && comes_after(o, &x[k - 1], &e); k--) x[k] = x[k - 1];
            x[k] = e;
        }
    }
    for (int64_t width = RUN; width < n; width *= 2) {
        if (gx_work_stops(o->rt)) return x;
        for (int64_t from = 0; from < n; from += 2 * width) {
            int64_t i = from, mid = from + width < n ? from + width : n, k = mid, at = from;
            const int64_t end = from + 2 * width < n ? from + 2 * width : n;
            while (i < mid && k < end) {
                const bool right = comes_after(o, &x[i], &x[k]);
                y[at++] = right ? x[k] : x[i];
                i += !right;
                k += right;
            }
            memcpy(y + at, x + i, (size_t)(mid - i) * sizeof *y);
            memcpy(y + at + (mid - i), x + k, (size_t)(end - k) * sizeof *y);
        }
        entry *t = x;
        x = y;
        y = t;
    }
    return x;
}

/* By the keys' bytes from the lowest to the highest, but for those that all keys share. Stable. */
static entry *radix_sort(const ordering *o, entry *x, entry *y, int64_t n) {
    uint64_t apart = 0;
    for (int64_t i = 0; i < n; i++) apart |= x[i].key ^ x[0].key;
    for (int low = 0; low < 64 && !gx_work_stops(o->rt); low += 8) {
        int64_t to[256] = {0}, before = 0;
        if (!(apart >> low & 255)) continue;
        for (int64_t i = 0; i < n; i++) to[x[i].key >> low & 255]++;
        for (int c = 0; c < 256; c++) {
            const int64_t here = to[c];
            to[c] = before;
            before += here;
        }
        for (int64_t i = 0; i < n; i++) y[to[x[i].key >> low & 255]++] = x[i];
        entry *t = x;
        x = y;
        y = t;
    }
    return x;
}

/* By the keys, and then each run of equal ones that says no more by the elements. */
static entry *sort_entries(const ordering *o, entry *x, entry *y, int64_t n) {
    enum { FEW = 512 };
    if (n < FEW || (!o->whole && x[0].key == x[n / 2].key && x[0].key == x[n - 1].key))
        return merge_sort(o, x, y, n);
    entry *sorted = radix_sort(o, x, y, n), *free_room = sorted == x ? y : x;
    for (int64_t from = 0, end; !o->whole && from < n; from = end) {
        for (end = from + 1; end < n && sorted[end].key == sorted[from].key;) end++;
        if (end == from + 1) continue;
        const entry *run = merge_sort(o, sorted + from, free_room + from, end - from);
        if (run != sorted + from)
            memcpy(sorted + from, run, (size_t)(end - from) * sizeof *run);
    }
    return sorted;
}

/* The sorted entries of n elements, in memory to be freed: *free_this. */
static bool sort_all(ordering *o, int64_t n, entry **sorted, entry **free_this) {
    entry *e = gx_alloc(o->rt, (size_t)(2 * n + 1) * sizeof *e);
    if (!e) return false;
    fill_keys(o, e, n);
    *sorted = sort_entries(o, e, e + n, n);
    *free_this = e;
    if (gx_work_end(o->rt)) return true;
    gx_free(o->rt, e);
    return false;
}

/* A 1-d array of int64, and where its elements go. */
static bool new_row(gx_rt *rt, int64_t n, gx_namespace ns, gx_array **out, int64_t **to) {
    char *data;
    if (!gx_array_empty(rt, GX_i64, 1, &n, ns, out)) return false;
    if (!gx_array_write(rt, *out, &data)) {
        gx_array_drop(*out);
        return false;
    }
    *to = (int64_t *)(void *)data;
    return true;
}

GX_CHECK bool gx_kind_order(gx_rt *rt, const gx_array *a, gx_array **out) {
    ordering o = {.rt = rt, .d = &gx_dtypes[a->dtype]};
    entry *sorted, *own;
    int64_t *to;
    if (!gx_array_read(rt, a, &o.data) || !sort_all(&o, a->count, &sorted, &own)) return false;
    bool ok = new_row(rt, a->count, (gx_namespace)a->ns, out, &to);
    for (int64_t i = 0; ok && i < a->count; i++) to[i] = sorted[i].at;
    gx_free(rt, own);
    return ok;
}

GX_CHECK bool gx_kind_ranks(gx_rt *rt, const gx_array *a, gx_array **ranks, gx_array **firsts) {
    ordering o = {.rt = rt, .d = &gx_dtypes[a->dtype]};
    entry *sorted, *own;
    int64_t *rank, *first, n = a->count, k = 0;
    if (!gx_array_read(rt, a, &o.data) || !sort_all(&o, n, &sorted, &own)) return false;
    for (int64_t i = 0; i < n; i++) k += i == 0 || comes_after(&o, &sorted[i], &sorted[i - 1]);
    bool ok = new_row(rt, n, (gx_namespace)a->ns, ranks, &rank);
    if (ok && !new_row(rt, k, (gx_namespace)a->ns, firsts, &first)) {
        gx_array_drop(*ranks);
        ok = false;
    }
    k = -1;
    for (int64_t i = 0; ok && i < n; i++) {
        if (i == 0 || comes_after(&o, &sorted[i], &sorted[i - 1])) first[++k] = sorted[i].at;
        rank[sorted[i].at] = k;
    }
    gx_free(rt, own);
    return ok;
}
