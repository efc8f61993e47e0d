/* The extent of elements, and what falls into bins: counts and sums of weights. Elements become
   numbers of their bins a block at a time. */
#include <math.h>
#include <string.h>

#include "kernels/bins.h"
#include "runtime/backend/cpu/loops/loops.h"
#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/loop.h"

enum { BLOCK = 1024, TASKS = 8, LONG = 65536 };

bool gx_cpu_takes_bins(gx_device *d, int64_t n, int64_t bins, bool weighted) {
    (void)d;
    (void)n;
    (void)bins;
    (void)weighted;
    return true;
}

/* --- extent --- */

typedef struct extent_job {
    const gx_rt *rt;
    const char *data;
    int64_t n, item, tasks;
    gx_fold fold[2];
    gx_scalar (*found)[2]; /* of each task */
} extent_job;

static void extent_task(void *arg, int64_t task, int thread) {
    const extent_job *j = arg;
    int64_t from = j->n * task / j->tasks, end = j->n * (task + 1) / j->tasks;
    (void)thread;
    for (int k = 0; k < 2; k++)
        memcpy(&j->found[task][k], j->data + from * j->item, (size_t)j->item);
    for (int64_t i = from, many; i < end && !gx_work_stops(j->rt); i += many) {
        many = end - i < 8 * BLOCK ? end - i : 8 * BLOCK;
        for (int k = 0; k < 2; k++)
            j->fold[k](&j->found[task][k], j->data + i * j->item, (size_t)many);
    }
}

bool gx_cpu_extent(gx_device *d, const gx_elements *from, gx_scalar *low, gx_scalar *high) {
    const gx_loops *loops = gx_cpu_of(d)->loops;
    gx_scalar found[TASKS][2];
    extent_job j = {.rt = d->rt, .found = found, .data = gx_cpu_bytes_of(from), .n = from->n,
                    .item = gx_dtypes[from->dtype].bytes, .tasks = from->n < LONG ? 1 : TASKS,
                    .fold = {loops->fold[GX_RED_min][from->dtype],
                             loops->fold[GX_RED_max][from->dtype]}};
    if (j.tasks == 1) extent_task(&j, 0, 0);
    else gx_tasks_run(d, j.tasks, extent_task, &j);
    for (int64_t t = 1; t < j.tasks; t++)
        for (int k = 0; k < 2; k++) j.fold[k](&found[0][k], &found[t][k], 1);
    *low = found[0][0];
    *high = found[0][1];
    return gx_work_end(d->rt);
}

/* --- bins --- */

/* Bins without edges are the elements themselves, integers. */
typedef struct bins_job {
    const gx_rt *rt;
    const gx_elements *from;
    const gx_bins *bins;
    double scale; /* bins per unit where they are even, else 0 */
    gx_loop cast; /* NULL: elements are what is needed already */
    int64_t tasks;
    uint32_t *tables; /* two for each task, so that equal neighbours need not wait for each other;
                         the last entry of a table is for what falls into no bin */
} bins_job;

static bins_job job_of(gx_device *d, const gx_elements *from, const gx_bins *b) {
    const gx_dtype as = b->edges ? GX_f64 : GX_i64;
    bins_job j = {.rt = d->rt, .from = from, .bins = b};
    if (from->dtype != as) j.cast = gx_cpu_of(d)->loops->cast[from->dtype][as];
    if (!b->edges) return j;
    const double wide = b->edges[b->count] - b->edges[0];
    j.scale = (double)b->count / wide;
    if (!isfinite(j.scale) || !isfinite(wide)) j.scale = 0;
    return j;
}

/* The bins of n <= BLOCK elements from i on: 0 … count - 1, or count where there is none. In `room`
   where the elements are not the bins. */
static const int64_t *bins_of(const bins_job *j, int64_t i, int64_t n, int64_t room[BLOCK]) {
    const char *data = gx_cpu_bytes_of(j->from) + i * gx_dtypes[j->from->dtype].bytes;
    double wide[BLOCK];
    if (!j->bins->edges) {
        if (!j->cast) return (const int64_t *)(const void *)data;
        j->cast(room, data, NULL, NULL, (size_t)n, 0);
        return room;
    }
    const double *x = (const double *)(const void *)data;
    if (j->cast) {
        j->cast(wide, data, NULL, NULL, (size_t)n, 0);
        x = wide;
    }
    for (int64_t k = 0; k < n; k++) {
        const int64_t at = gx_bin_of(j->bins->edges, j->bins->count, j->scale, x[k]);
        room[k] = at < 0 ? j->bins->count : at;
    }
    return room;
}

static void count_task(void *arg, int64_t task, int thread) {
    const bins_job *j = arg;
    const int64_t end = j->from->n * (task + 1) / j->tasks, size = j->bins->count + 1;
    uint32_t *a = j->tables + 2 * task * size, *b = a + size;
    int64_t room[BLOCK];
    (void)thread;
    memset(a, 0, (size_t)(2 * size) * sizeof *a);
    for (int64_t i = j->from->n * task / j->tasks, n; i < end && !gx_work_stops(j->rt); i += n) {
        n = end - i < BLOCK ? end - i : BLOCK;
        const int64_t *at = bins_of(j, i, n, room);
        for (int64_t k = 0; k < n / 2; k++) {
            a[at[2 * k]]++;
            b[at[2 * k + 1]]++;
        }
        if (n % 2) a[at[n - 1]]++;
    }
}

/* One after the other, where tables would cost more than they spare. */
static bool count_few(gx_device *d, const bins_job *j, int64_t *to) {
    int64_t room[BLOCK];
    for (int64_t i = 0, n; i < j->from->n && !gx_work_stops(d->rt); i += n) {
        n = j->from->n - i < BLOCK ? j->from->n - i : BLOCK;
        const int64_t *at = bins_of(j, i, n, room);
        for (int64_t k = 0; j->bins->edges && k < n; k++)
            if (at[k] < j->bins->count) to[at[k]]++;
        for (int64_t k = 0; !j->bins->edges && k < n; k++) to[at[k]]++;
    }
    return gx_work_end(d->rt);
}

bool gx_cpu_histogram(gx_device *d, const gx_elements *from, const gx_bins *b, gx_buffer *buf) {
    bins_job j = job_of(d, from, b);
    int64_t *to = (int64_t *)(void *)buf->data;
    const int64_t n = from->n, size = b->count + 1;
    gx_work_fill(d->rt, to, 0, (size_t)b->count * sizeof *to);
    j.tasks = n < LONG ? 1 : TASKS;
    if (n < 256 || n > UINT32_MAX || size > n / (8 * j.tasks)) return count_few(d, &j, to);
    j.tables = gx_alloc(d->rt, (size_t)(2 * j.tasks * size) * sizeof *j.tables);
    if (!j.tables) return false;
    const bool ok = gx_tasks_long(d, j.tasks, count_task, &j);
    for (int64_t t = 0; ok && t < 2 * j.tasks; t++)
        for (int64_t k = 0; k < b->count; k++) to[k] += j.tables[t * size + k];
    gx_free(d->rt, j.tables);
    return ok;
}

bool gx_cpu_count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to) {
    const gx_bins b = {.edges = NULL, .count = bins};
    return gx_cpu_histogram(d, from, &b, to);
}

bool gx_cpu_weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *b,
                              const gx_elements *weights, gx_buffer *to) {
    const bins_job j = job_of(d, from, b);
    const double *weight = (const double *)(const void *)gx_cpu_bytes_of(weights);
    double *sums = (double *)(void *)to->data;
    int64_t room[BLOCK];
    gx_work_fill(d->rt, sums, 0, (size_t)b->count * sizeof *sums);
    for (int64_t i = 0, n; i < from->n && !gx_work_stops(d->rt); i += n) {
        n = from->n - i < BLOCK ? from->n - i : BLOCK;
        const int64_t *at = bins_of(&j, i, n, room);
        for (int64_t k = 0; k < n; k++)
            if (at[k] < b->count) sums[at[k]] += weight[i + k];
    }
    return gx_work_end(d->rt);
}
