/* Sets of elements: the distinct ones of integers of a small range by tables, and which elements
   are among others. */
#include <string.h>

#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/keys.h"
#include "runtime/backend/loop.h"

enum { BLOCK = 1024, MOST_SPAN = 65536 };

/* --- distinct integers --- */

/* What is between the two steps: the elements' keys; for each key from `least` on how often it
   occurs (in the second step its rank), and where first. */
typedef struct tally_head {
    uint64_t least;
    int64_t span;
    uint64_t *keys;
    int64_t *count, *first;
} tally_head;

/* Widens *low … *high to n keys. */
static void widen(const gx_rt *rt, const uint64_t *keys, int64_t n, uint64_t *low,
                  uint64_t *high) {
    uint64_t least = *low, most = *high;
    GX_LONG_LOOP(rt, i, 0, n) {
        least = keys[i] < least ? keys[i] : least;
        most = keys[i] > most ? keys[i] : most;
    }
    *low = least;
    *high = most;
}

/* Do some of the elements say already that they need a table of more than `most`? */
static bool are_wide(const gx_rt *rt, const gx_elements *e, int64_t most) {
    enum { SAMPLE = 64 };
    uint64_t keys[SAMPLE], low = UINT64_MAX, high = 0;
    if (e->n < 4 * SAMPLE) return most == 0;
    gx_order_keys(rt, e->dtype, gx_cpu_bytes_of(e), e->n / SAMPLE * gx_dtypes[e->dtype].bytes,
                  SAMPLE, keys);
    widen(rt, keys, SAMPLE, &low, &high);
    return high - low >= (uint64_t)most;
}

/* From the last element to the first: what stays is where each key is first. */
static void fill_table(const gx_rt *rt, tally_head *t, int64_t n) {
    memset(t->count, 0, (size_t)t->span * 8);
    GX_LONG_LOOP(rt, i, 0, n) {
        const uint64_t at = t->keys[n - 1 - i] - t->least;
        t->first[at] = n - 1 - i;
        t->count[at]++;
    }
}

bool gx_cpu_tally(gx_device *d, gx_runs *r, bool places, bool *done) {
    enum { FEW = 256 };
    const gx_elements *e = r->sorted;
    const int64_t limit = places ? e->n : e->n < FEW ? 0 : e->n / 4;
    const int64_t most = limit < MOST_SPAN ? limit : MOST_SPAN;
    *done = false;
    if (gx_dtypes[e->dtype].kind > GX_KIND_UINT || are_wide(d->rt, e, most)) return true;
    if (!d->backend->alloc(d, (int64_t)sizeof(tally_head) + 8 * e->n + 16 * most, &r->before))
        return false;
    tally_head *t = (tally_head *)(void *)r->before->data;
    uint64_t low = UINT64_MAX, high = 0;
    t->keys = (uint64_t *)(void *)(t + 1);
    gx_order_keys(d->rt, e->dtype, gx_cpu_bytes_of(e), gx_dtypes[e->dtype].bytes, e->n, t->keys);
    if (!gx_work_stops(d->rt)) widen(d->rt, t->keys, e->n, &low, &high);
    if (!gx_work_end(d->rt)) return false;
    if (high - low >= (uint64_t)most) return true;
    t->least = low;
    t->span = (int64_t)(high - low) + 1;
    t->count = (int64_t *)(void *)(t->keys + e->n);
    t->first = t->count + t->span;
    fill_table(d->rt, t, e->n);
    r->count = 0;
    for (int64_t i = 0; i < t->span; i++) r->count += t->count[i] > 0;
    *done = true;
    return gx_work_end(d->rt);
}

bool gx_cpu_write_tally(gx_device *d, const gx_runs *r) {
    const gx_elements *e = r->sorted;
    const int64_t item = gx_dtypes[e->dtype].bytes;
    tally_head *t = (tally_head *)(void *)r->before->data;
    int64_t *lengths = r->lengths ? (int64_t *)(void *)r->lengths->data : NULL;
    int64_t *first = r->first ? (int64_t *)(void *)r->first->data : NULL;
    int64_t *inverse = r->inverse ? (int64_t *)(void *)r->inverse->data : NULL;
    for (int64_t i = 0, k = 0; i < t->span; i++) {
        if (t->count[i] == 0) continue;
        if (r->values)
            memcpy(r->values->data + k * item, gx_cpu_bytes_of(e) + t->first[i] * item,
                   (size_t)item);
        if (lengths) lengths[k] = t->count[i];
        if (first) first[k] = t->first[i];
        t->count[i] = k++;
    }
    if (inverse)
        GX_LONG_LOOP(d->rt, i, 0, e->n) inverse[i] = t->count[t->keys[i] - t->least];
    return gx_work_end(d->rt);
}

/* --- members --- */

/* Elements looked for in tasks: among sorted keys, or in a table of the keys from `least` on. */
typedef struct members_job {
    const gx_rt *rt;
    const uint64_t *set; /* keys in order, without nan; of complex numbers pairs */
    const uint8_t *table;
    uint64_t least;
    int64_t n, span, count, tasks;
    const char *what;
    gx_dtype part;
    int parts;
    bool invert, floats; /* of floats the largest key is nan */
    uint8_t *is;
} members_job;

static bool has_key(const members_job *j, uint64_t key) {
    const uint64_t *set = j->set;
    int64_t n = j->n;
    if (j->table) {
        const uint64_t at = key - j->least;
        return j->table[at < (uint64_t)j->span ? at : (uint64_t)j->span];
    }
    while (n > 1) {
        const int64_t half = n / 2;
        set += half & -(int64_t)(set[half - 1] < key);
        n -= half;
    }
    return n && *set == key && !(j->floats && key == UINT64_MAX);
}

static bool has_pair(const members_job *j, const uint64_t *key) {
    int64_t low = 0, high = j->n;
    if (key[0] == UINT64_MAX || key[1] == UINT64_MAX) return false;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        const uint64_t *at = j->set + 2 * mid;
        if (at[0] < key[0] || (at[0] == key[0] && at[1] < key[1])) low = mid + 1;
        else high = mid;
    }
    return low < j->n && j->set[2 * low] == key[0] && j->set[2 * low + 1] == key[1];
}

static void members_task(void *arg, int64_t task, int thread) {
    const members_job *j = arg;
    const int64_t end = j->count * (task + 1) / j->tasks, item = gx_dtypes[j->part].bytes;
    uint64_t keys[BLOCK];
    (void)thread;
    for (int64_t i = j->count * task / j->tasks, some; i < end && !gx_work_stops(j->rt);
         i += some) {
        some = end - i < BLOCK / 2 ? end - i : BLOCK / 2;
        gx_order_keys(j->rt, j->part, j->what + i * j->parts * item, item, some * j->parts, keys);
        for (int64_t k = 0; k < some; k++)
            j->is[i + k] =
                (j->parts == 1 ? has_key(j, keys[k]) : has_pair(j, keys + 2 * k)) != j->invert;
    }
}

/* Integers as a table, where one more entry stands for all that are outside. *room NULL: their
   range is too large. */
static bool open_table(gx_device *d, const gx_elements *set, members_job *j, gx_buffer **room) {
    uint64_t low = UINT64_MAX, high = 0, keys[BLOCK];
    const int64_t item = gx_dtypes[set->dtype].bytes, most = 8 * (set->n + j->count) + 1024;
    for (int64_t i = 0, some; i < set->n && !gx_work_stops(d->rt); i += some) {
        some = set->n - i < BLOCK ? set->n - i : BLOCK;
        gx_order_keys(d->rt, set->dtype, gx_cpu_bytes_of(set) + i * item, item, some, keys);
        widen(d->rt, keys, some, &low, &high);
    }
    if (gx_work_stops(d->rt)) return gx_work_end(d->rt);
    if (set->n == 0 || high - low >= (uint64_t)most) return true;
    j->least = low;
    j->span = (int64_t)(high - low) + 1;
    if (!d->backend->alloc(d, j->span + 1, room)) return false;
    uint8_t *table = (uint8_t *)(*room)->data;
    gx_work_fill(d->rt, table, 0, (size_t)j->span + 1);
    for (int64_t i = 0, some; i < set->n && !gx_work_stops(d->rt); i += some) {
        some = set->n - i < BLOCK ? set->n - i : BLOCK;
        gx_order_keys(d->rt, set->dtype, gx_cpu_bytes_of(set) + i * item, item, some, keys);
        for (int64_t k = 0; k < some; k++) table[keys[k] - low] = 1;
    }
    j->table = table;
    return true;
}

/* The keys of the set in order; complex numbers with a nan, which stand last, left out. */
static bool open_sorted(gx_device *d, const gx_elements *set, members_job *j, gx_buffer **room) {
    gx_buffer *sorted;
    const int64_t item = gx_dtypes[set->dtype].bytes;
    if (!d->backend->alloc(d, set->n * item, &sorted)) return false;
    bool ok = gx_cpu_sort(d, set, 1, sorted, NULL) &&
              d->backend->alloc(d, (set->n * j->parts + 1) * 8, room);
    if (ok) {
        uint64_t *keys = (uint64_t *)(void *)(*room)->data;
        gx_order_keys(d->rt, j->part, sorted->data, item / j->parts, set->n * j->parts, keys);
        while (j->parts == 2 && j->n && !gx_work_stops(d->rt) &&
               (keys[2 * j->n - 2] == UINT64_MAX || keys[2 * j->n - 1] == UINT64_MAX))
            j->n--;
        j->set = keys;
    }
    gx_buffer_drop(sorted);
    return ok;
}

bool gx_cpu_members(gx_device *d, const gx_elements *what, const gx_elements *set, bool invert,
                    gx_buffer *to) {
    enum { FEW = 16384, TASKS = 32, EACH = 1 << 18 };
    const int kind = gx_dtypes[set->dtype].kind;
    const int64_t many = what->n / EACH > TASKS ? what->n / EACH : TASKS;
    members_job j = {.rt = d->rt,
                     .n = set->n,
                     .count = what->n,
                     .what = gx_cpu_bytes_of(what),
                     .part = set->dtype == GX_c64    ? GX_f32
                             : set->dtype == GX_c128 ? GX_f64
                                                     : set->dtype,
                     .parts = kind == GX_KIND_CPLX ? 2 : 1,
                     .invert = invert,
                     .floats = kind >= GX_KIND_FLOAT,
                     .is = (uint8_t *)to->data,
                     .tasks = what->n < FEW ? 1 : many};
    gx_buffer *room = NULL;
    bool ok = kind > GX_KIND_UINT || open_table(d, set, &j, &room);
    if (ok && !j.table && set->n) ok = open_sorted(d, set, &j, &room);
    if (ok) gx_tasks_run(d, j.tasks, members_task, &j);
    gx_buffer_drop(room);
    return ok && gx_work_end(d->rt);
}
