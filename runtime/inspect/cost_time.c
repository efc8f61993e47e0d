/* The time of a tape's kernel, by running it: on a GPU by events, with the cache filled by other
   bytes before each run, as a program finds it; on the host by the clock. Conditions that the runs
   meet are nobody's: what was pending before is told first, theirs are dropped. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/backend/cost.h"
#include "runtime/graph/lazy.h"

enum { RUNS = 7 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double choose(double *t, int n, bool best) {
    qsort(t, (size_t)n, sizeof *t, ascending);
    return best ? t[0] : t[n / 2];
}

static bool run_host(gx_device *d, const gx_tape *t) {
    int fp;
    return d->backend->run(d, t, &fp);
}

/* Until there are RUNS of them, or half a second has gone by. */
static bool time_host(gx_device *d, const gx_tape *t, bool best, double *seconds) {
    double took[RUNS], begin = now();
    int n = 0;
    if (!run_host(d, t)) return false; /* loops, pages, scratch */
    while (n < RUNS && (n < 1 || now() - begin < 0.5)) {
        double start = now();
        if (!run_host(d, t) || !gx_interrupt_check(d->rt)) return false;
        took[n++] = now() - start;
    }
    *seconds = choose(took, n, best);
    return true;
}

/* A tape that fills `bytes` of a buffer: what turns the cache over. */
static void fill_tape(gx_tape *t, gx_buffer *to, int64_t bytes) {
    memset(t, 0, offsetof(gx_tape, shape));
    t->ndim = t->n_imm = t->n_step = t->n_out = 1;
    t->shape[0] = bytes / 4;
    t->imm[0] = (gx_scalar){.f32 = 1};
    t->step[0] = (gx_step){.kind = GX_STEP_CONST, .dtype = GX_f32};
    t->out[0] = (gx_out){.buf = to};
    t->out[0].strides[0] = 4;
    t->whole = false;
    t->about_mean = false;
    t->fp_mask = 0;
}

typedef struct timing {
    gx_device *d;
    const gx_gpu_calls *gpu;
    gx_tape *fill;
    gx_buffer *flush;
    void *event[2];
} timing;

static bool time_once(timing *m, const gx_tape *t, double *seconds) {
    int fp;
    double ms;
    void *stream = m->gpu->streams->current(m->d);
    if (m->flush && !m->d->backend->run(m->d, m->fill, &fp)) return false;
    if (!m->gpu->event_record(m->d, m->event[0], stream) || !m->d->backend->run(m->d, t, &fp) ||
        !m->gpu->event_record(m->d, m->event[1], stream) ||
        !m->gpu->event_elapsed(m->d, m->event[0], m->event[1], &ms))
        return false;
    *seconds = ms * 1e-3;
    return true;
}

static bool time_runs(timing *m, const gx_tape *t, bool best, double *seconds) {
    double took[RUNS], begin = now();
    int n = 0;
    if (!time_once(m, t, &took[0])) return false; /* compiles */
    while (n < RUNS && (n < 1 || now() - begin < 0.5)) {
        if (!time_once(m, t, &took[n]) || !gx_interrupt_check(m->d->rt)) return false;
        n++;
    }
    *seconds = choose(took, n, best);
    return true;
}

/* What the runs met is nobody's. */
static bool forget_conditions(gx_device *d) {
    const gx_backend *b = d->backend;
    int fp;
    const char *op;
    gx_span origin;
    if (b->blame) b->blame(d, "explain", (gx_span){0, 0, 0});
    if (!b->sync(d)) return false;
    while (b->met && b->met(d, &fp, &op, &origin)) {
    }
    return true;
}

static bool time_gpu(gx_device *d, const gx_tape *t, bool best, double *seconds) {
    gx_rt *rt = d->rt;
    timing m = {.d = d, .gpu = d->backend->gpu};
    int64_t cache = d->backend->cost ? d->backend->cost->cache(d) : 0, there = 0, total = 0;
    if (!gx_gpu_sync(rt) || !d->backend->memory(d, &there, &total)) return false;
    bool ok = m.gpu->event_new(d, &m.event[0]) && m.gpu->event_new(d, &m.event[1]);
    m.fill = ok ? gx_alloc(rt, sizeof *m.fill) : NULL;
    ok = ok && m.fill;
    if (ok && there > 8 * cache) {
        ok = d->backend->alloc(d, 2 * cache, &m.flush);
        if (ok) fill_tape(m.fill, m.flush, 2 * cache);
    }
    ok = ok && time_runs(&m, t, best, seconds);
    ok = ok && forget_conditions(d);
    gx_buffer_drop(m.flush);
    gx_free(rt, m.fill);
    for (int k = 0; k < 2; k++)
        if (m.event[k]) m.gpu->event_free(d, m.event[k]);
    return ok;
}

GX_CHECK bool gx_cost_time(gx_device *d, const gx_tape *t, bool best, double *seconds) {
    const gx_stats stats = d->rt->stats;
    const gx_gpu_stats gpu_stats = d->rt->gpu_stats;
    const uint8_t kernels = d->rt->debug.kernels;
    d->rt->debug.kernels = GX_KERNELS_OWN;
    bool ok = d->backend->gpu ? time_gpu(d, t, best, seconds) : time_host(d, t, best, seconds);
    d->rt->debug.kernels = kernels;
    d->rt->stats.kernels = stats.kernels; /* nobody's work */
    d->rt->stats.array_peak = stats.array_peak;
    d->rt->gpu_stats.launched = gpu_stats.launched;
    return ok;
}
