/* Keys of elements, and sorting, ordering and searching of arrays by them; rows are shared out
   among threads. The sort itself is radix.c. Knows no functions of scripts. */
#include "stdlib/numpy/order/order.h"

#include <string.h>

#include "kernels/half.h"
#include "runtime/device/work.h"
#include "runtime/op/device_order.h"
#include "stdlib/numpy/order/radix.h"
#include "stdlib/numpy/order/vector_int.h"

/* Keys of floats whose words are u; a nan is UINT64_MAX, and narrow keys stand at the top. */
#define FLOAT_KEYS(T, BITS, INFINITE)                                                              \
    GX_LONG_LOOP(rt, i, 0, n) {                                                                    \
        T u, top = (T)((T)1 << (BITS - 1));                                                        \
        memcpy(&u, data + i * stride, sizeof u);                                                   \
        T size = (T)(u & (T)~top), sign = (T)(0 - (T)(u >> (BITS - 1)));                           \
        uint64_t key = (uint64_t)(T)((size ? u : 0) ^ (T)((size ? sign : 0) | top))                \
                       << (64 - BITS);                                                             \
        keys[i] = size > (T)INFINITE ? UINT64_MAX : key;                                           \
    }                                                                                              \
    break

#define INT_KEYS(T, FLIP)                                                                          \
    GX_LONG_LOOP(rt, i, 0, n) {                                                                    \
        T v;                                                                                       \
        memcpy(&v, data + i * stride, sizeof v);                                                   \
        keys[i] = (uint64_t)(int64_t)v ^ (FLIP);                                                   \
    }                                                                                              \
    break

void gx_np_keys(const gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                uint64_t *keys) {
    switch ((int)d) {
    GX_HALF_DTYPES(GX_CASE)
        FLOAT_KEYS(uint16_t, 16, gx_half_infinity(gx_dtypes[d].fraction));
    case GX_f32:
        FLOAT_KEYS(uint32_t, 32, 0x7f800000);
    case GX_f64:
        FLOAT_KEYS(uint64_t, 64, UINT64_C(0x7ff0000000000000));
    case GX_i8:
        INT_KEYS(int8_t, UINT64_C(1) << 63);
    case GX_i16:
        INT_KEYS(int16_t, UINT64_C(1) << 63);
    case GX_i32:
        INT_KEYS(int32_t, UINT64_C(1) << 63);
    case GX_i64:
        INT_KEYS(int64_t, UINT64_C(1) << 63);
    case GX_u16:
        INT_KEYS(uint16_t, 0);
    case GX_u32:
        INT_KEYS(uint32_t, 0);
    case GX_u64:
        INT_KEYS(uint64_t, 0);
    default:
        INT_KEYS(uint8_t, 0);
    }
}

bool gx_np_sort_keys(gx_rt *rt, const uint64_t *keys, int64_t n, int64_t *index) {
    uint64_t *ordered = gx_alloc(rt, (size_t)(n + 1) * 4 * sizeof *ordered);
    if (!ordered) return false;
    int64_t *order = (int64_t *)(ordered + n), *moved = (int64_t *)ordered;
    GX_LONG_LOOP(rt, i, 0, n) ordered[i] = keys[index[i]];
    gx_np_radix_order(rt, false, ordered, n, order, ordered + 2 * n);
    if (!gx_work_stops(rt)) { /* else `order` is none, and `moved` would not be */
        GX_LONG_LOOP(rt, i, 0, n) moved[i] = index[order[i]];
    }
    if (!gx_work_stops(rt)) gx_work_copy(rt, index, moved, (size_t)n * sizeof *index);
    gx_free(rt, ordered);
    return gx_work_end(rt);
}

/* Complex numbers: by class (nan in the real part, in the imaginary part), then real, then
   imaginary part; stable passes from the least important on. */
static bool order_complex(gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                          uint64_t *keys, int64_t *index) {
    gx_dtype part = gx_real_dtype(d);
    int64_t half = gx_dtype_size(part);
    gx_np_keys(rt, part, data + half, stride, n, keys);
    if (!gx_np_sort_keys(rt, keys, n, index)) return false;
    uint64_t *classes = gx_alloc(rt, (size_t)n * sizeof *classes);
    if (!classes) return false;
    GX_LONG_LOOP(rt, i, 0, n) classes[i] = keys[i] == UINT64_MAX;
    gx_np_keys(rt, part, data, stride, n, keys);
    GX_LONG_LOOP(rt, i, 0, n) classes[i] += keys[i] == UINT64_MAX ? 2 : 0;
    bool ok = gx_np_sort_keys(rt, keys, n, index) && gx_np_sort_keys(rt, classes, n, index);
    gx_free(rt, classes);
    return ok;
}

bool gx_np_order(gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                 int64_t *index) {
    uint64_t *keys = gx_alloc(rt, (size_t)(n + 1) * sizeof *keys);
    if (!keys) return false;
    bool ok;
    GX_LONG_LOOP(rt, i, 0, n) index[i] = i;
    if (!gx_work_end(rt)) {
        gx_free(rt, keys);
        return false;
    }
    if (gx_dtype_kind(d) == GX_KIND_CPLX)
        ok = order_complex(rt, d, data, stride, n, keys, index);
    else {
        gx_np_keys(rt, d, data, stride, n, keys);
        ok = gx_np_sort_keys(rt, keys, n, index);
    }
    gx_free(rt, keys);
    return ok;
}

/* The rows along an axis as a C-contiguous array, that axis last. */
static gx_array *rows_of(gx_np *s, gx_array *a, int axis) {
    return a ? gx_np_contiguous(s, gx_np_moveaxis(s, a, axis, a->ndim - 1)) : NULL;
}

void *gx_np_spare(gx_np *s, int64_t bytes) {
    int64_t n = bytes > 0 ? (bytes + 7) / 8 : 1;
    return gx_np_data_write(s, gx_np_empty(s, GX_u64, 1, &n));
}

/* What is done to rows. */
typedef enum rows_verb { ROWS_SORTED, ROWS_ORDERED, ROWS_PARTED, ROWS_ARG_PARTED } rows_verb;

/* Rows done in tasks: `to` takes elements or positions; each thread has `room` bytes of spare. */
typedef struct rows_job {
    gx_rt *rt;
    gx_dtype d;
    rows_verb verb;
    bool vector; /* by vector.c */
    const char *from;
    char *to, *spare;
    int64_t n, item, rows, tasks, room;
    int64_t kth;
} rows_job;

static void do_row(gx_rt *rt, bool inside, const rows_job *j, int64_t row, void *spare) {
    int64_t at = row * j->n * j->item, *index = (int64_t *)j->to + row * j->n;
    if (j->verb == ROWS_ARG_PARTED &&
        gx_np_vector_arg_part(rt, j->d, j->from + at, index, spare, j->n, j->kth))
        return;
    if (j->verb == ROWS_ORDERED || j->verb == ROWS_ARG_PARTED) {
        uint64_t *keys = spare;
        gx_np_keys(rt, j->d, j->from + at, j->item, j->n, keys);
        if (!gx_work_stops(rt)) gx_np_radix_order(rt, inside, keys, j->n, index, keys + j->n);
    } else if (j->verb == ROWS_PARTED) {
        gx_np_vector_part(rt, j->d, j->from + at, j->to + at, spare, j->n, j->kth);
    } else if (j->vector) {
        gx_np_vector_row(rt, inside, j->d, j->from + at, j->to + at, spare, j->n);
    } else {
        gx_np_radix_row(rt, inside, j->d, j->from + at, j->to + at, spare, j->n);
    }
}

static void rows_task(void *arg, int64_t task, int thread) {
    const rows_job *j = arg;
    int64_t end = j->rows * (task + 1) / j->tasks;
    for (int64_t row = j->rows * task / j->tasks; row < end && !gx_work_stops(j->rt); row++)
        do_row(j->rt, true, j, row, j->spare + thread * j->room);
}

/* Many rows are shared out among threads, a few large ones are each spread over them. */
static bool run_rows(gx_np *s, rows_job *j, rows_verb verb) {
    enum { SMALL = 8192, TASKS = 64 };
    int threads = gx_work_threads(s->rt);
    bool spread = j->rows < 2 * threads;
    if (spread || j->rows * j->n < SMALL) threads = 1;
    j->verb = verb;
    bool order = verb == ROWS_ORDERED || verb == ROWS_ARG_PARTED;
    j->room = ((j->n + 1) * (order ? 3 * 8 : j->item) + 63) / 64 * 64;
    j->spare = gx_np_spare(s, j->room * threads);
    if (!j->spare) return false;
    j->tasks = threads == 1 ? 1 : j->rows < TASKS ? j->rows : TASKS;
    j->rt = s->rt;
    for (int64_t row = 0; spread && row < j->rows && !gx_work_stops(s->rt); row++)
        do_row(s->rt, false, j, row, j->spare);
    if (!spread) gx_work_run(s->rt, j->tasks, rows_task, j);
    return gx_work_end(s->rt);
}

static rows_job job_of(const gx_array *rows, const void *from, void *to) {
    rows_job j = {.d = (gx_dtype)rows->dtype, .from = from, .to = to};
    j.n = gx_shape(rows)[rows->ndim - 1];
    j.item = gx_dtype_size(j.d);
    j.rows = j.n ? rows->count / j.n : 0;
    j.vector = gx_np_vector_can(j.d);
    return j;
}

static gx_array *ordered(gx_np *s, gx_array *a, int axis, rows_verb verb, int64_t kth) {
    gx_array *rows = rows_of(s, a, axis);
    if (!rows) return NULL;
    gx_array *r = gx_np_empty(s, GX_i64, rows->ndim, gx_shape(rows));
    const char *data = gx_np_data(s, rows);
    int64_t *index = gx_np_data_write(s, r);
    if (!data || !index) return NULL;
    rows_job j = job_of(rows, data, index);
    j.kth = kth;
    if (gx_dtype_kind(rows->dtype) != GX_KIND_CPLX) {
        if (!run_rows(s, &j, j.vector ? verb : ROWS_ORDERED)) return NULL;
    } else {
        for (int64_t at = 0; at < rows->count; at += j.n)
            if (!gx_np_order(s->rt, j.d, data + at * j.item, j.item, j.n, index + at)) return NULL;
    }
    return gx_np_moveaxis(s, r, a->ndim - 1, axis);
}

/* On the GPU where a lives on one that sorts: NULL and no error where not. */
static bool on_device(gx_np *s, gx_array *a, int axis, bool index, gx_array **out) {
    gx_array *r;
    *out = NULL;
    if (!a || !gx_device_sorts(s->rt, a, axis)) return true;
    gx_array *moved = gx_np_moveaxis(s, a, axis, a->ndim - 1);
    if (!moved || !gx_device_sort(s->rt, moved, index, &r)) return false;
    *out = gx_np_moveaxis(s, gx_np_own(s, r), a->ndim - 1, axis);
    return *out != NULL;
}

gx_array *gx_np_argsort(gx_np *s, gx_array *a, int axis) {
    gx_array *r;
    if (!on_device(s, a, axis, true, &r) || r) return r;
    return ordered(s, a, axis, ROWS_ORDERED, 0);
}

gx_array *gx_np_argpartitioned(gx_np *s, gx_array *a, int axis, int64_t kth) {
    gx_array *r;
    if (!on_device(s, a, axis, true, &r) || r) return r;
    return ordered(s, a, axis, ROWS_ARG_PARTED, kth);
}

/* Complex rows are taken in their order. */
static bool sort_complex(gx_np *s, const rows_job *j) {
    int64_t *index = gx_np_room(s, j->n + 1, sizeof *index);
    if (!index) return false;
    for (int64_t at = 0; at < j->rows * j->n; at += j->n) {
        const char *row = j->from + at * j->item;
        if (!gx_np_order(s->rt, j->d, row, j->item, j->n, index)) return false;
        GX_LONG_LOOP(s->rt, i, 0, j->n)
            memcpy(j->to + (at + i) * j->item, row + index[i] * j->item, (size_t)j->item);
    }
    return gx_work_end(s->rt);
}

/* The rows along an axis and an empty array for their result. */
static gx_array *open_rows(gx_np *s, gx_array *a, int axis, rows_job *j) {
    gx_array *rows = rows_of(s, a, axis);
    if (!rows) return NULL;
    gx_array *r = gx_np_empty(s, (gx_dtype)rows->dtype, rows->ndim, gx_shape(rows));
    const char *data = gx_np_data(s, rows);
    char *to = gx_np_data_write(s, r);
    if (!data || !to) return NULL;
    *j = job_of(rows, data, to);
    return r;
}

gx_array *gx_np_sorted(gx_np *s, gx_array *a, int axis) {
    rows_job j;
    gx_array *r;
    if (!on_device(s, a, axis, false, &r) || r) return r;
    r = open_rows(s, a, axis, &j);
    if (!r) return NULL;
    bool complex = gx_dtype_kind(j.d) == GX_KIND_CPLX;
    if (!(complex ? sort_complex(s, &j) : run_rows(s, &j, ROWS_SORTED))) return NULL;
    return gx_np_moveaxis(s, r, a->ndim - 1, axis);
}

static void part_long_row(gx_rt *rt, const rows_job *j, int64_t row) {
    const char *x = j->from + row * j->n * j->item;
    char *y = j->to + row * j->n * j->item;
    gx_scalar pivot = {.bits = {0, 0}};
    if (j->kth < gx_np_radix_valid(rt, j->d, x, j->n)) {
        gx_np_radix_select(rt, j->d, x, j->n, 1, &j->kth, &pivot, j->spare);
        gx_np_radix_split(rt, j->d, x, y, j->n, &pivot);
    } else {
        gx_np_radix_row(rt, false, j->d, x, y, j->spare, j->n);
    }
}

gx_array *gx_np_partitioned(gx_np *s, gx_array *a, int axis, int64_t kth) {
    enum { LONG = 16384 };
    rows_job j;
    if (!a || gx_dtype_kind(a->dtype) == GX_KIND_CPLX || gx_device_sorts(s->rt, a, axis))
        return gx_np_sorted(s, a, axis);
    if (gx_shape(a)[axis] < LONG && !gx_np_vector_can((gx_dtype)a->dtype))
        return gx_np_sorted(s, a, axis);
    gx_array *r = open_rows(s, a, axis, &j);
    if (!r) return NULL;
    j.kth = kth;
    if (j.vector) {
        if (!run_rows(s, &j, ROWS_PARTED)) return NULL;
    } else {
        j.spare = gx_np_spare(s, 2 * j.n * j.item);
        if (!j.spare) return NULL;
        for (int64_t row = 0; row < j.rows && !gx_work_stops(s->rt); row++)
            part_long_row(s->rt, &j, row);
        if (!gx_work_end(s->rt)) return NULL;
    }
    return gx_np_moveaxis(s, r, a->ndim - 1, axis);
}

typedef struct search_job {
    const uint64_t *keys;
    int64_t n, count, tasks;
    uint64_t *what; /* the keys looked for; int64 places take their room */
    int64_t *to;
    bool right;
} search_job;

/* The place of a key among n sorted ones; `right` keys were made one larger. */
static int64_t lower(const uint64_t *keys, int64_t n, uint64_t key) {
    const uint64_t *at = keys;
    if (n == 0) return 0;
    while (n > 1) {
        int64_t half = n / 2;
        at += half & -(int64_t)(at[half - 1] < key);
        n -= half;
    }
    return at - keys + (*at < key);
}

/* Several keys at a time, as each step waits for memory. */
static void lower_many(const search_job *j, int64_t from) {
    enum { MANY = 8 };
    const uint64_t *at[MANY];
    uint64_t key[MANY];
    for (int k = 0; k < MANY; k++) {
        at[k] = j->keys;
        key[k] = j->what[from + k] + j->right;
    }
    for (int64_t n = j->n; n > 1;) {
        int64_t half = n / 2;
        for (int k = 0; k < MANY; k++) at[k] += half & -(int64_t)(at[k][half - 1] < key[k]);
        n -= half;
    }
    for (int k = 0; k < MANY; k++) {
        int64_t place = at[k] - j->keys + (*at[k] < key[k]);
        j->to[from + k] = j->right && key[k] == 0 ? j->n : place;
    }
}

/* An answer from the one before it, by doubling steps. */
static int64_t after(const search_job *j, int64_t last, uint64_t key) {
    int64_t from = 0, n = j->n, step = 1;
    if (last >= n || j->keys[last] >= key) return lower(j->keys, n, key);
    while (step < 64 && last + step < n && j->keys[last + step] < key) step *= 2;
    from = last + step / 2;
    n = step < 64 && last + step < n ? step - step / 2 + 1 : n - from;
    return from + lower(j->keys + from, n, key);
}

static bool ascend(const uint64_t *x, int64_t n) {
    for (int64_t i = 1; i < n && i < 64; i++)
        if (x[i] < x[i - 1]) return false;
    return true;
}

static void search_task(void *arg, int64_t task, int thread) {
    const search_job *j = arg;
    int64_t i = j->count * task / j->tasks, end = j->count * (task + 1) / j->tasks, last = 0;
    (void)thread;
    if (j->n && !ascend(j->what + i, end - i))
        for (; i + 8 <= end; i += 8) lower_many(j, i);
    for (; i < end; i++) {
        uint64_t key = j->what[i] + j->right; /* 0 for the largest */
        last = j->right && key == 0 ? j->n : after(j, last, key);
        j->to[i] = last;
    }
}

gx_array *gx_np_search(gx_np *s, gx_array *a, gx_array *v, bool right) {
    if (!a || !v) return NULL;
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)v->dtype);
    if (gx_dtype_kind(d) == GX_KIND_CPLX) {
        gx_fail(s->rt, GX_TypeError, "search.complex",
                "searchsorted of complex numbers is ambiguous");
        return NULL;
    }
    a = gx_np_contiguous(s, gx_np_cast(s, a, d));
    gx_array *r = NULL;
    if (d != GX_f64 || gx_is_half(v->dtype)) v = gx_np_cast(s, v, d);
    if (!a || !v || !gx_device_search(s->rt, a, v, right, &r)) return NULL;
    if (r) return gx_np_own(s, r);
    v = gx_np_contiguous(s, gx_np_cast(s, v, d));
    const char *from = gx_np_data(s, a), *what = gx_np_data(s, v);
    if (!from || !what) return NULL;
    r = gx_np_empty(s, GX_i64, v->ndim, gx_shape(v));
    int64_t *to = gx_np_data_write(s, r), item = gx_dtype_size(d);
    uint64_t *keys = gx_np_spare(s, (a->count + 1) * (int64_t)sizeof *keys);
    if (!to || !keys) return NULL;
    gx_np_keys(s->rt, d, from, item, a->count, keys);
    /* A question's key stands where its answer goes. */
    uint64_t *asked = (uint64_t *)to;
    gx_np_keys(s->rt, d, what, item, v->count, asked);
    int64_t tasks = v->count < 2048 ? 1 : gx_work_tasks(v->count, 32);
    search_job j = {keys, a->count, v->count, tasks, asked, to, right};
    gx_work_run(s->rt, j.tasks, search_task, &j);
    return gx_work_end(s->rt) ? r : NULL;
}
