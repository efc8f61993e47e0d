/* A profile's beginning and end, its rows, and the sampler: a thread that looks every two
   milliseconds which statement runs. What counted calls take is known exactly, so it looks away
   from those; the rest is the interpreter's. It only reads: a place that it sees half written is
   dropped. */
#include "runtime/inspect/profile.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/device/backends.h"
#include "runtime/inspect/profile_int.h"

enum { TICK = 2000000 }; /* nanoseconds */

double gx_profile_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- rows --- */

int gx_profile_row_of(struct gx_profile *p, gx_span at, gx_profile_kind kind, uint64_t hash,
                      const char *what) {
    uint64_t h = (at.start * UINT64_C(0x9E3779B97F4A7C15)) ^ (hash + at.source * 31u);
    h = (h ^ (uint64_t)kind * 0x51ED27u) * UINT64_C(0xD6E8FEB86659FD93);
    for (uint32_t i = (uint32_t)(h >> 32);; i++) {
        int16_t *slot = &p->slot[i % GX_PROFILE_PLACES];
        if (*slot) {
            const gx_profile_row *r = &p->row[*slot - 1];
            if (r->at.start == at.start && r->at.source == at.source && r->kind == kind &&
                r->hash == hash)
                return *slot - 1;
            continue;
        }
        if (p->count == GX_PROFILE_ROWS) return p->count - 1;
        gx_profile_row *r = &p->row[p->count];
        *r = (gx_profile_row){.at = at, .kind = kind, .hash = hash, .least = -1};
        size_t n = strlen(what);
        memcpy(r->what, what, n < sizeof r->what ? n : sizeof r->what - 1);
        *slot = (int16_t)(++p->count);
        return p->count - 1;
    }
}

void gx_profile_resolve(struct gx_profile *p, int left) {
    gx_device *d = p->rt->gpu;
    while (p->pair_count > left) {
        gx_profile_pair *pair = &p->pair[p->pair_first];
        double ms;
        if (!d->backend->gpu->event_elapsed(d, pair->event[0], pair->event[1], &ms)) {
            gx_error_clear(p->rt); /* a fault is told by who meets it */
            ms = 0;
        }
        p->row[pair->row].time += ms * 1e-3;
        p->row[pair->row].timed++;
        p->pair_first = (p->pair_first + 1) % GX_PROFILE_PAIRS;
        p->pair_count--;
    }
}

static void set_origin(gx_rt *rt, gx_span origin) {
    rt->profile->origin = origin;
}

/* --- the sampler --- */

static void add_sample(struct gx_profile *p, gx_span at, double time) {
    uint32_t i = (at.start * 2654435761u) ^ at.source;
    for (int tries = 0; tries < 64; tries++, i++) {
        gx_profile_sample *s = &p->sample[i % GX_PROFILE_PLACES];
        if (s->time > 0 && (s->at.start != at.start || s->at.source != at.source)) continue;
        s->at = at;
        s->time += time;
        return;
    }
}

static void *sample(void *arg) {
    struct gx_profile *p = arg;
    const volatile gx_span *here = &p->rt->here;
    double last = gx_profile_now(), counted = 0;
    while (!p->stop) {
        nanosleep(&(struct timespec){.tv_nsec = TICK}, NULL);
        double now = gx_profile_now(), before = counted;
        counted = p->counted;
        gx_span at = {here->source, here->start, here->end};
        double own = now - last - (counted - before);
        if (!p->inside && at.end > at.start && own > 0) add_sample(p, at, own);
        last = now;
    }
    return NULL;
}

static void stop_sampler(struct gx_profile *p) {
    if (!p->sampling) return;
    p->stop = 1;
    pthread_join(p->thread, NULL);
    p->sampling = false;
}

static bool is_place(gx_rt *rt, gx_span at) {
    const gx_source *s = gx_source_of(rt, at);
    return s && at.end <= s->length && at.start < at.end;
}

static void add_host_rows(struct gx_profile *p) {
    for (int i = 0; i < GX_PROFILE_PLACES; i++) {
        const gx_profile_sample *s = &p->sample[i];
        if (s->time <= 0 || !is_place(p->rt, s->at)) continue;
        gx_profile_row *r =
            &p->row[gx_profile_row_of(p, s->at, GX_PROFILE_HOST, 0, "interpreter")];
        r->time += s->time;
    }
}

/* --- begin, end --- */

static void open_events(struct gx_profile *p) {
    gx_device *d = p->rt->gpu;
    if (p->events || !d || !d->backend->gpu) return;
    for (int i = 0; i < GX_PROFILE_PAIRS; i++)
        for (int k = 0; k < 2; k++)
            if (!d->backend->gpu->event_new(d, &p->pair[i].event[k])) {
                gx_error_clear(p->rt);
                return;
            }
    p->events = true;
}

static void close_events(struct gx_profile *p) {
    gx_device *d = p->rt->gpu;
    if (!d || !d->backend->gpu) return;
    for (int i = 0; i < GX_PROFILE_PAIRS; i++)
        for (int k = 0; k < 2; k++)
            if (p->pair[i].event[k]) d->backend->gpu->event_free(d, p->pair[i].event[k]);
}

static void attach(gx_rt *rt) {
    gx_profile_wrap(rt->profile, 1);
    open_events(rt->profile);
}

GX_CHECK bool gx_profile_begin(gx_rt *rt) {
    if (rt->profile)
        return gx_fail(rt, GX_RuntimeError, "profile.nested", "a profile is running already");
    if (!gx_lazy_flush(rt)) return false;
    struct gx_profile *p = gx_alloc_zero(rt, sizeof *p);
    if (!p) return false;
    p->calls = (gx_profile_calls){attach, gx_profile_cancel, set_origin};
    p->rt = rt;
    rt->profile = p;
    gx_profile_wrap(p, 0);
    if (rt->gpu) attach(rt);
    p->compiled = rt->gpu_stats.compiled;
    p->prebuilt = rt->gpu_stats.prebuilt;
    p->general = rt->gpu_stats.general;
    p->up = rt->gpu_stats.uploaded;
    p->down = rt->gpu_stats.downloaded;
    p->peak = rt->stats.array_peak;
    rt->stats.array_peak = rt->stats.array_bytes;
    sigset_t all, before;
    sigfillset(&all); /* signals are the program's, not the sampler's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    p->sampling = pthread_create(&p->thread, NULL, sample, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    p->start = gx_profile_now();
    return true;
}

static int by_line(const void *a, const void *b) {
    const gx_profile_row *x = a, *y = b;
    if (x->at.source != y->at.source) return x->at.source < y->at.source ? -1 : 1;
    if (x->at.start != y->at.start) return x->at.start < y->at.start ? -1 : 1;
    return x->time > y->time ? -1 : x->time < y->time;
}

/* Rows of timed calls stand for all calls of theirs. */
static void extrapolate(struct gx_profile *p, gx_profiled *out) {
    for (int i = 0; i < p->count; i++) {
        gx_profile_row *r = &p->row[i];
        if (r->timed > 0 && r->timed < r->calls) r->time *= (double)r->calls / (double)r->timed;
        if (r->sized > 0 && r->sized < r->calls) {
            double scale = (double)r->calls / (double)r->sized;
            r->read *= scale;
            r->wanted *= scale;
            r->written *= scale;
        }
        if (r->gpu && (r->kind == GX_PROFILE_KERNEL || r->kind == GX_PROFILE_LIBRARY))
            out->busy += r->time;
    }
}

static void finish(struct gx_profile *p) {
    gx_rt *rt = p->rt;
    stop_sampler(p);
    gx_profile_unwrap(p);
    close_events(p);
    if (rt->stats.array_peak < p->peak) rt->stats.array_peak = p->peak;
    rt->profile = NULL;
    gx_free(rt, p);
}

void gx_profile_cancel(gx_rt *rt) {
    if (rt->profile) finish(rt->profile);
}

GX_CHECK bool gx_profile_end(gx_rt *rt, gx_profiled *out) {
    struct gx_profile *p = rt->profile;
    *out = (gx_profiled){0};
    if (!p) return gx_fail(rt, GX_RuntimeError, "profile.none", "no profile is running");
    bool ok = gx_lazy_flush(rt);
    out->wall = gx_profile_now() - p->start;
    stop_sampler(p);
    if (ok && p->events) gx_profile_resolve(p, 0);
    add_host_rows(p);
    extrapolate(p, out);
    out->gpu = p->used_gpu;
    out->compiled = rt->gpu_stats.compiled - p->compiled;
    out->prebuilt = rt->gpu_stats.prebuilt - p->prebuilt;
    out->general = rt->gpu_stats.general - p->general;
    out->up = rt->gpu_stats.uploaded - p->up;
    out->down = rt->gpu_stats.downloaded - p->down;
    out->peak = rt->stats.array_peak;
    if (ok) out->row = gx_alloc(rt, sizeof *out->row * (size_t)(p->count + 1));
    ok = ok && out->row;
    if (ok) {
        out->count = p->count;
        memcpy(out->row, p->row, sizeof *out->row * (size_t)p->count);
        qsort(out->row, (size_t)out->count, sizeof *out->row, by_line);
    }
    finish(p);
    return ok;
}

void gx_profiled_free(gx_rt *rt, gx_profiled *p) {
    gx_free(rt, p->row);
    *p = (gx_profiled){0};
}
