/* %time and %timeit. What they time is done: what was pending before is computed first, results
   are computed and a GPU is waited for before the clock is read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/session/magic_int.h"
#include "runtime/op/ufunc.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool gx_magic_time(gx_session *s, const char *rest) {
    gx_unit *unit;
    char text[32];
    if (!gx_magic_needs(s, rest, "%time", "code to run")) return false;
    if (!gx_lazy_flush(s->rt)) return false; /* what was pending before is not its time */
    if (!gx_magic_load(s, "<time>", rest, &unit)) return false;
    if (!unit) return true;
    int64_t compiled = s->rt->gpu_stats.compiled;
    double start = now();
    bool ok = gx_run_unit(s->rt, unit, s->module, true) && gx_lazy_flush(s->rt);
    gx_unit_drop(unit);
    gx_magic_put_seconds(text, sizeof text, now() - start);
    compiled = s->rt->gpu_stats.compiled - compiled;
    if (!ok) return false;
    gx_say(s->rt, GX_OUT, "%s", text);
    if (compiled) gx_say(s->rt, GX_OUT, " (%lld kernels were compiled)", (long long)compiled);
    gx_say(s->rt, GX_OUT, "\n");
    return true;
}

/* Seconds that `count` runs take, their results computed. */
static bool run_many(gx_session *s, gx_unit *unit, int64_t count, double *seconds) {
    double start = now();
    bool ok = true;
    for (int64_t i = 0; i < count && ok; i++) {
        gx_value v = gx_none();
        ok = gx_run_value(s->rt, unit, s->module, &v);
        /* A pending result is computed while it is held, so that each run does its work. */
        ok = ok && gx_lazy_start(s->rt);
        gx_drop(v);
        if (s->rt->interrupted) ok = ok && gx_stop(s->rt);
    }
    ok = ok && gx_lazy_flush(s->rt);
    *seconds = now() - start;
    return ok;
}

typedef struct timing {
    int64_t runs, batches; /* asked for by -n and -r; 0: gx decides */
    double first, mean, spread, best;
} timing;

/* -n N and -r R before the code; *rest goes on behind them. */
static bool read_counts(gx_session *s, const char **rest, timing *t) {
    for (;;) {
        const char *p = *rest + strspn(*rest, " ");
        if (p[0] != '-' || (p[1] != 'n' && p[1] != 'r') || !p[2]) return true;
        char *end;
        long long n = strtoll(p + 2, &end, 10);
        if (end == p + 2) return true; /* an expression: -n */
        if (n < 1 || n > 1000000000)
            return gx_fail(s->rt, GX_ValueError, "magic.usage",
                           "-%c is a count from 1 on, not %lld", p[1], n);
        if (p[1] == 'n')
            t->runs = n;
        else
            t->batches = n;
        *rest = end;
    }
}

static bool measure(gx_session *s, gx_unit *unit, timing *t) {
    double seconds, sum = 0, squares = 0;
    if (!run_many(s, unit, 1, &t->first)) return false;
    int64_t count = t->runs ? t->runs : 1;
    seconds = t->first;
    for (; !t->runs && seconds < 0.05 && count < 10000000; count *= 2)
        if (!run_many(s, unit, count, &seconds)) return false;
    if (!t->runs && t->first > 0.5) count = 1;
    t->runs = count;
    if (!t->batches) t->batches = 7;
    t->best = INFINITY;
    for (int64_t i = 0; i < t->batches; i++) {
        if (!run_many(s, unit, count, &seconds)) return false;
        seconds /= (double)count;
        t->best = fmin(t->best, seconds);
        sum += seconds;
        squares += seconds * seconds;
    }
    double n = (double)t->batches;
    t->mean = sum / n;
    t->spread = sqrt(fmax(0, squares / n - t->mean * t->mean));
    return true;
}

bool gx_magic_timeit(gx_session *s, const char *rest) {
    gx_unit *unit;
    timing t = {0};
    char text[4][32];
    if (!read_counts(s, &rest, &t)) return false;
    rest += strspn(rest, " ");
    if (!gx_magic_needs(s, rest, "%timeit", "code to run")) return false;
    if (!gx_lazy_flush(s->rt)) return false;
    if (!gx_magic_load(s, "<timeit>", rest, &unit)) return false;
    if (!unit) return true;
    int64_t compiled = s->rt->gpu_stats.compiled;
    bool ok = measure(s, unit, &t);
    gx_unit_drop(unit);
    if (!ok) return false;
    compiled = s->rt->gpu_stats.compiled - compiled;
    gx_magic_put_seconds(text[0], sizeof text[0], t.mean);
    gx_magic_put_seconds(text[1], sizeof text[1], t.spread);
    gx_magic_put_seconds(text[2], sizeof text[2], t.best);
    gx_magic_put_seconds(text[3], sizeof text[3], t.first);
    gx_say(s->rt, GX_OUT, "%s ± %s a run (best %s; %lld batch%s of %lld", text[0], text[1], text[2],
           (long long)t.batches, t.batches == 1 ? "" : "es", (long long)t.runs);
    if (t.first > 3 * t.mean && t.first > 1e-3) {
        gx_say(s->rt, GX_OUT, "; the first run took %s", text[3]);
        if (compiled) gx_say(s->rt, GX_OUT, ": %lld kernels were compiled", (long long)compiled);
    }
    gx_say(s->rt, GX_OUT, ")\n");
    return true;
}
