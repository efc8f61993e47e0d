/* Saying what is waited for: a thread that sleeps until the call has ended, and writes to stderr
   when that takes long. It touches nothing but its own struct, and reads whether Ctrl-C came. */
#include "runtime/base/slow_call.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runtime/base/terminal.h"

enum {
    LOOK = 50000000, /* nanoseconds between two looks */
    AWHILE = 4       /* looks until what Ctrl-C was to end counts as deaf */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void look(gx_slow_call *p, double waited) {
    char text[200];
    if (p->rt->interrupted && !p->told && ++p->deaf > AWHILE) {
        int n = snprintf(text, sizeof text,
                         "%s%s cannot be stopped, it ends first; %.1f s so far\n",
                         p->shown ? "\r\x1b[K" : "", p->what, waited);
        gx_say_aside(p->rt, text, (size_t)n);
        p->told = true;
        p->shown = false;
    } else if (p->terminal && !p->shown && !p->told && waited >= p->after) {
        int n = snprintf(text, sizeof text, "%s…", p->what);
        gx_say_aside(p->rt, text, (size_t)n);
        p->shown = true;
    }
}

static void *wait_for(void *arg) {
    gx_slow_call *p = arg;
    double start = now();
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_mutex_lock(&p->lock);
    while (!p->ended) {
        until.tv_nsec += LOOK;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        if (pthread_cond_timedwait(&p->end, &p->lock, &until) == ETIMEDOUT && !p->ended)
            look(p, now() - start);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void gx_slow_call_begin(gx_slow_call *p, gx_rt *rt, const char *what, double after) {
    *p = (gx_slow_call){.rt = rt, .after = after, .terminal = gx_is_terminal(rt, GX_ERR)};
    size_t n = strlen(what);
    memcpy(p->what, what, n < sizeof p->what ? n : sizeof p->what - 1);
    pthread_condattr_t clock;
    sigset_t all, before;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&p->end, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all); /* signals are the program's, not this thread's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    p->running = pthread_create(&p->thread, NULL, wait_for, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void gx_slow_call_end(gx_slow_call *p) {
    if (p->running) {
        pthread_mutex_lock(&p->lock);
        p->ended = true;
        pthread_cond_signal(&p->end);
        pthread_mutex_unlock(&p->lock);
        pthread_join(p->thread, NULL);
    }
    if (p->shown) gx_say_aside(p->rt, "\r\x1b[K", 4);
    pthread_cond_destroy(&p->end);
    pthread_mutex_destroy(&p->lock);
}
