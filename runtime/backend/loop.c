#include "runtime/backend/loop.h"

#include <string.h>

#include "runtime/backend/backend.h"

enum { MOST_BYTES = 4 << 20 };

void gx_work_copy(const gx_rt *rt, void *to, const void *from, size_t bytes) {
    for (size_t at = 0, n; at < bytes && !gx_work_stops(rt); at += n) {
        n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        memcpy((char *)to + at, (const char *)from + at, n);
    }
}

void gx_work_fill(const gx_rt *rt, void *to, int byte, size_t bytes) {
    for (size_t at = 0, n; at < bytes && !gx_work_stops(rt); at += n) {
        n = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        memset((char *)to + at, byte, n);
    }
}

typedef struct unless_stopped {
    const gx_rt *rt;
    void (*fn)(void *arg, int64_t task, int thread);
    void *arg;
    int64_t from;
} unless_stopped;

enum { ROUND = 1 << 16 }; /* tasks between two looks at whether any is still wanted */

static void try_task(void *arg, int64_t task, int thread) {
    const unless_stopped *u = arg;
    if (!gx_work_stops(u->rt)) u->fn(u->arg, u->from + task, thread);
}

void gx_tasks_run(gx_device *d, int64_t n, void (*fn)(void *, int64_t, int), void *arg) {
    gx_rt *rt = d->rt;
    if (n > 1 && d->backend->tasks) {
        for (int64_t from = 0; from < n && !gx_work_stops(rt); from += ROUND) {
            unless_stopped u = {rt, fn, arg, from};
            d->backend->tasks(d, n - from < ROUND ? n - from : ROUND, try_task, &u);
        }
        return;
    }
    for (int64_t i = 0; i < n && !gx_work_stops(rt); i++) fn(arg, i, 0);
}

bool gx_tasks_long(gx_device *d, int64_t n, void (*fn)(void *, int64_t, int), void *arg) {
    gx_tasks_run(d, n, fn, arg);
    return gx_interrupt_check(d->rt);
}
