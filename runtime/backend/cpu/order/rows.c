/* Rows of elements sorted, ordered and partitioned; they are shared out among threads. The sorts
   themselves are radix.c and vector.c. */
#include <string.h>

#include "runtime/backend/cpu/loops/loops.h"
#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/cpu/order/radix_int.h"
#include "runtime/backend/cpu/order/vector_int.h"
#include "runtime/backend/keys.h"
#include "runtime/backend/loop.h"

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
        gx_cpu_vector_arg_part(rt, j->d, j->from + at, index, spare, j->n, j->kth))
        return;
    if (j->verb == ROWS_ORDERED || j->verb == ROWS_ARG_PARTED) {
        uint64_t *keys = spare;
        gx_order_keys(rt, j->d, j->from + at, j->item, j->n, keys);
        if (!gx_work_stops(rt)) gx_cpu_radix_order(rt, inside, keys, j->n, index, keys + j->n);
    } else if (j->verb == ROWS_PARTED) {
        gx_cpu_vector_part(rt, j->d, j->from + at, j->to + at, spare, j->n, j->kth);
    } else if (j->vector) {
        gx_cpu_vector_row(rt, inside, j->d, j->from + at, j->to + at, spare, j->n);
    } else {
        gx_cpu_radix_row(rt, inside, j->d, j->from + at, j->to + at, spare, j->n);
    }
}

static void rows_task(void *arg, int64_t task, int thread) {
    const rows_job *j = arg;
    int64_t end = j->rows * (task + 1) / j->tasks;
    for (int64_t row = j->rows * task / j->tasks; row < end && !gx_work_stops(j->rt); row++)
        do_row(j->rt, true, j, row, j->spare + thread * j->room);
}

/* Many rows are shared out among threads, a few large ones are each spread over them. */
static bool run_rows(gx_device *d, rows_job *j, rows_verb verb) {
    enum { SMALL = 8192, TASKS = 64 };
    int threads = gx_cpu_spread_threads(d->rt);
    gx_buffer *spare;
    bool spread = j->rows < 2 * threads;
    if (spread || j->rows * j->n < SMALL) threads = 1;
    j->verb = verb;
    bool order = verb == ROWS_ORDERED || verb == ROWS_ARG_PARTED;
    j->room = ((j->n + 1) * (order ? 3 * 8 : j->item) + 63) / 64 * 64;
    if (!d->backend->alloc(d, j->room * threads, &spare)) return false;
    j->spare = spare->data;
    j->tasks = threads == 1 ? 1 : j->rows < TASKS ? j->rows : TASKS;
    for (int64_t row = 0; spread && row < j->rows && !gx_work_stops(d->rt); row++)
        do_row(d->rt, false, j, row, j->spare);
    if (!spread) gx_tasks_run(d, j->tasks, rows_task, j);
    gx_buffer_drop(spare);
    return gx_work_end(d->rt);
}

static rows_job job_of(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to) {
    return (rows_job){.rt = d->rt, .d = from->dtype, .from = gx_cpu_bytes_of(from),
                      .to = to ? to->data : NULL, .n = from->n / rows,
                      .item = gx_dtypes[from->dtype].bytes, .rows = rows,
                      .vector = gx_cpu_vector_can(d, from->dtype)};
}

/* The elements of each row in the order of `index`. */
static bool take_rows(gx_rt *rt, const rows_job *j, const int64_t *index, char *to) {
#define TAKE(T)                                                                                    \
    for (int64_t at = 0; at < j->rows * j->n; at += j->n) {                                        \
        const T *x = (const T *)(const void *)j->from + at;                                        \
        T *y = (T *)(void *)to + at;                                                               \
        GX_LONG_LOOP(rt, i, 0, j->n) y[i] = x[index[at + i]];                                      \
    }                                                                                              \
    break
    if (gx_work_stops(rt)) return gx_work_end(rt); /* `index` is not filled */
    switch (j->item) {
    case 1: TAKE(uint8_t);
    case 2: TAKE(uint16_t);
    case 4: TAKE(uint32_t);
    case 8: TAKE(uint64_t);
    default: TAKE(gx_c128);
    }
#undef TAKE
    return gx_work_end(rt);
}

bool gx_cpu_sorts(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n) {
    (void)d;
    (void)dtype;
    (void)rows;
    (void)n;
    return true;
}

static bool is_complex(const gx_elements *from) {
    return gx_dtypes[from->dtype].kind == GX_KIND_CPLX;
}

/* Positions of the elements in their order (kth < 0), or as far as that kth is in its place; with
   `to` the elements themselves too. */
static bool order_rows(gx_device *d, const gx_elements *from, int64_t rows, int64_t kth,
                       gx_buffer *to, gx_buffer *index) {
    gx_buffer *own = NULL;
    if (!index && !d->backend->alloc(d, from->n * 8, &own)) return false;
    if (!index) index = own;
    rows_job j = job_of(d, from, rows, index);
    int64_t *at = (int64_t *)(void *)index->data;
    const bool ok = (is_complex(from)
                         ? gx_cpu_complex_order(d->rt, j.d, j.from, rows, j.n, kth, at)
                         : run_rows(d, &j, ROWS_ORDERED)) &&
                    (!to || take_rows(d->rt, &j, at, to->data));
    gx_buffer_drop(own);
    return ok;
}

bool gx_cpu_sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                 gx_buffer *index) {
    if (index || is_complex(from)) return order_rows(d, from, rows, -1, to, index);
    rows_job j = job_of(d, from, rows, to);
    return run_rows(d, &j, ROWS_SORTED);
}

static void part_long_row(gx_rt *rt, const rows_job *j, int64_t row) {
    const char *x = j->from + row * j->n * j->item;
    char *y = j->to + row * j->n * j->item;
    gx_scalar pivot = {.bits = {0, 0}};
    if (j->kth < gx_cpu_radix_valid(rt, j->d, x, j->n)) {
        gx_cpu_radix_select(rt, j->d, x, j->n, 1, &j->kth, &pivot, j->spare);
        gx_cpu_radix_split(rt, j->d, x, y, j->n, &pivot);
    } else {
        gx_cpu_radix_row(rt, false, j->d, x, y, j->spare, j->n);
    }
}

/* The rows' copies with the element of rank kth in its place: of words without a vector sort where
   they are long, by one pass around that element. */
static bool part_rows(gx_device *d, rows_job *j) {
    gx_buffer *spare;
    if (j->vector) return run_rows(d, j, ROWS_PARTED);
    if (!d->backend->alloc(d, 2 * j->n * j->item, &spare)) return false;
    j->spare = spare->data;
    for (int64_t row = 0; row < j->rows && !gx_work_stops(d->rt); row++)
        part_long_row(d->rt, j, row);
    gx_buffer_drop(spare);
    return gx_work_end(d->rt);
}

bool gx_cpu_part(gx_device *d, const gx_elements *from, int64_t rows, int64_t kth, gx_buffer *to,
                 gx_buffer *index) {
    enum { LONG = 16384 };
    rows_job j = job_of(d, from, rows, to ? to : index);
    j.kth = kth;
    if (is_complex(from)) return order_rows(d, from, rows, kth, to, index);
    if (!j.vector && (index || j.n < LONG)) return gx_cpu_sort(d, from, rows, to, index);
    return index ? run_rows(d, &j, ROWS_ARG_PARTED) : part_rows(d, &j);
}

bool gx_cpu_takes_ranks(gx_device *d, int64_t rows, int64_t n, int m) {
    (void)d;
    (void)rows;
    (void)n;
    (void)m;
    return true;
}

/* Ranks of sorted rows. */
static bool select_sorted(gx_device *d, const gx_elements *from, int64_t rows, int m,
                          const int64_t *ranks, char *to) {
    const int64_t n = from->n / rows, item = gx_dtypes[from->dtype].bytes;
    gx_buffer *sorted;
    if (!d->backend->alloc(d, from->n * item, &sorted)) return false;
    const bool ok = gx_cpu_sort(d, from, rows, sorted, NULL);
    for (int64_t row = 0; ok && row < rows && !gx_work_stops(d->rt); row++)
        for (int k = 0; k < m; k++, to += item)
            memcpy(to, sorted->data + (row * n + ranks[k]) * item, (size_t)item);
    gx_buffer_drop(sorted);
    return ok && gx_work_end(d->rt);
}

bool gx_cpu_select(gx_device *d, const gx_elements *from, int64_t rows, int m,
                   const int64_t *ranks, gx_buffer *to) {
    enum { LONG = 16384, FEW = 9 }; /* of which the last, the largest element, costs little */
    if (from->n / rows < LONG || m > FEW)
        return select_sorted(d, from, rows, m, ranks, to->data);
    const rows_job j = job_of(d, from, rows, to);
    const gx_fold most = gx_cpu_of(d)->loops->fold[GX_RED_max][j.d];
    gx_buffer *spare;
    if (!d->backend->alloc(d, 2 * j.n * j.item, &spare)) return false;
    for (int64_t row = 0; row < rows && !gx_work_stops(d->rt); row++)
        for (int k = 0; k < m; k++) {
            const char *x = j.from + row * j.n * j.item;
            char *y = j.to + (row * m + k) * j.item;
            if (ranks[k] == j.n - 1) { /* nan stands last, and wins */
                memcpy(y, x, (size_t)j.item);
                most(y, x, (size_t)j.n);
            } else {
                gx_cpu_radix_select(d->rt, j.d, x, j.n, 1, &ranks[k], y, spare->data);
            }
        }
    gx_buffer_drop(spare);
    return gx_work_end(d->rt);
}
