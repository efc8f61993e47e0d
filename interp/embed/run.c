/* Running texts: the clock and the limits of a run, a cell of a notebook. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "interp/embed/state_int.h"
#include "runtime/op/ufunc.h"
#include "stdlib/bridge/bridge.h"

/* --- the clock of a run ----------------------------------------------------------------------- */

static void *count_time(void *arg) {
    gx_state *s = arg;
    gx_run_clock *c = &s->clock;
    struct timespec until;
    double seconds = s->rt->debug.max_seconds;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)seconds;
    until.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&c->lock);
    while (!c->ended && pthread_cond_timedwait(&c->end, &c->lock, &until) != ETIMEDOUT) continue;
    if (!c->ended) {
        s->rt->late = 1;
        s->rt->interrupted = 1;
        gx_python_interrupt(s->rt);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool clock_begin(gx_state *s) {
    gx_run_clock *c = &s->clock;
    pthread_condattr_t attr;
    sigset_t all, before;
    if (!(s->rt->debug.max_seconds > 0)) return true;
    *c = (gx_run_clock){.running = false};
    pthread_mutex_init(&c->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&c->end, &attr);
    pthread_condattr_destroy(&attr);
    sigfillset(&all); /* signals are the program's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->running = pthread_create(&c->thread, NULL, count_time, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->running || gx_fail(s->rt, GX_RuntimeError, "limit.time",
                                 "there is no thread for the clock of max_seconds");
}

static void clock_end(gx_state *s) {
    gx_run_clock *c = &s->clock;
    if (!(s->rt->debug.max_seconds > 0) || !c->running) return;
    pthread_mutex_lock(&c->lock);
    c->ended = true;
    pthread_cond_signal(&c->end);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->end);
    pthread_mutex_destroy(&c->lock);
}

/* --- running ---------------------------------------------------------------------------------- */

gx_unit *gx_state_load(gx_state *s, uint32_t source) {
    gx_unit *unit;
    gx_parse_errors_free(&s->syntax);
    s->syntax_at = 0;
    if (gx_load(s->rt, source, gx_as_module(s->main), false, &unit, &s->syntax) != GX_PARSE_OK)
        return NULL;
    gx_parse_errors_free(&s->syntax);
    return unit;
}

bool gx_run_begin(gx_state *s) {
    gx_rt *rt = s->rt;
    if (s->running++ > 0 || s->config.whole) return true;
    rt->interrupted = rt->late = 0;
    rt->steps = rt->debug.max_steps ? rt->debug.max_steps : INT64_MAX;
    if (clock_begin(s)) return true;
    s->running--;
    return false;
}

void gx_run_end(gx_state *s) {
    if (--s->running == 0 && !s->config.whole) clock_end(s);
}

/* Runs the text as a program; `_` becomes its value. */
static bool run_text(gx_state *s, const char *text, size_t length, const char *name,
                     gx_value *out) {
    gx_rt *rt = s->rt;
    gx_module *m = gx_as_module(s->main);
    uint32_t source;
    if (!gx_source_add(rt, name ? name : "<cell>", text, length, &source)) return false;
    gx_unit *unit = gx_state_load(s, source);
    if (!unit) return false;
    bool ok = gx_run_value(rt, unit, m, out);
    gx_unit_drop(unit);
    if (!ok) {
        gx_lazy_first_error(rt);
        return false;
    }
    if (!gx_lazy_checkpoint(rt) ||
        (out->tag != GX_NONE && !gx_globals_set_c(rt, m, "_", *out))) {
        gx_drop(gx_steal(out));
        return false;
    }
    return true;
}

static bool run_any(gx_state *s, const gx_buf *text, const char *name, gx_value *out) {
    if (!gx_magic_is(gx_buf_text(text), text->length))
        return run_text(s, gx_buf_text(text), text->length, name, out);
    return gx_magic_run(&s->session, gx_buf_text(text));
}

bool gx_state_run(gx_state *s, const char *text, size_t length, const char *name,
                  gx_ref **value) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_none();
    gx_buf copy = gx_buf_new(rt);
    if (value) *value = NULL;
    bool ok = gx_buf_add(&copy, text, length) && gx_run_begin(s);
    if (ok) {
        ok = run_any(s, &copy, name, &v);
        gx_run_end(s);
    }
    gx_buf_free(&copy);
    if (ok && value && v.tag != GX_NONE)
        ok = (*value = gx_ref_new_take(s, v)) != NULL;
    else if (ok)
        gx_drop(v);
    return gx_state_done(s, ok);
}
