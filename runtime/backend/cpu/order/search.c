/* Where elements would go among sorted ones: their keys are looked for. */
#include "runtime/backend/cpu/loops/loops.h"
#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/keys.h"
#include "runtime/backend/loop.h"

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

/* The keys of elements as those of float64. */
static void wide_keys(gx_device *d, const gx_elements *e, uint64_t *keys) {
    enum { BLOCK = 1024 };
    const gx_loop cast = gx_cpu_of(d)->loops->cast[e->dtype][GX_f64];
    const int64_t item = gx_dtypes[e->dtype].bytes;
    double wide[BLOCK];
    for (int64_t i = 0, n; i < e->n && !gx_work_stops(d->rt); i += n) {
        n = e->n - i < BLOCK ? e->n - i : BLOCK;
        cast(wide, gx_cpu_bytes_of(e) + i * item, NULL, NULL, (size_t)n, 0);
        gx_order_keys(d->rt, GX_f64, (const char *)wide, sizeof *wide, n, keys + i);
    }
}

bool gx_cpu_search(gx_device *d, const gx_elements *among, const gx_elements *what, bool right,
                   gx_buffer *to) {
    enum { EACH = 1 << 18, LEAST = 32 };
    gx_buffer *room;
    const int64_t item = gx_dtypes[among->dtype].bytes, count = what->n;
    if (!d->backend->alloc(d, (among->n + 1) * 8, &room)) return false;
    uint64_t *keys = (uint64_t *)(void *)room->data;
    /* A question's key stands where its answer goes. */
    uint64_t *asked = (uint64_t *)(void *)to->data;
    gx_order_keys(d->rt, among->dtype, gx_cpu_bytes_of(among), item, among->n, keys);
    if (what->dtype == among->dtype)
        gx_order_keys(d->rt, what->dtype, gx_cpu_bytes_of(what), item, count, asked);
    else
        wide_keys(d, what, asked);
    const int64_t many = count / EACH > LEAST ? count / EACH : LEAST;
    search_job j = {keys, among->n, count, count < 2048 ? 1 : many, asked, (int64_t *)asked, right};
    gx_tasks_run(d, j.tasks, search_task, &j);
    gx_buffer_drop(room);
    return gx_work_end(d->rt);
}
