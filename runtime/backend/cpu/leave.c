/* Calls of a library that cannot be interrupted run on a thread of their own, so that Ctrl-C leaves
   them behind: they go on, and what they work with is kept until they end. One at a time: while one
   is left, the next runs in its caller's thread as before. Only the interpreter's thread allocates
   and frees. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "runtime/backend/cpu/cpu_int.h"

enum { HELD = 16, LOOK = 20000000 /* ns */ };

struct gx_left {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool done; /* under the lock */
    gx_leave_fn fn;
    int held_count;
    gx_buffer *held[HELD];
    _Alignas(16) char args[];
};

bool gx_run_interrupted(gx_rt *rt) {
    if (rt->late || rt->map_lost) return gx_stop(rt);
    rt->interrupted = 0;
    return gx_fail(rt, GX_KeyboardInterrupt, "", "interrupted while computing an array");
}

static void *work(void *arg) {
    struct gx_left *l = arg;
    l->fn(l->args);
    pthread_mutex_lock(&l->lock);
    l->done = true;
    pthread_cond_signal(&l->end);
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

static void finish(gx_cpu *cpu, struct gx_left *l) {
    pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->end);
    pthread_mutex_destroy(&l->lock);
    for (int i = 0; i < l->held_count; i++) gx_buffer_drop(l->held[i]);
    gx_free(cpu->base.rt, l);
}

bool gx_leave_sweep(gx_cpu *cpu, bool wait) {
    struct gx_left *l = cpu->left;
    if (!l) return true;
    pthread_mutex_lock(&l->lock);
    bool done = l->done;
    pthread_mutex_unlock(&l->lock);
    if (!done && !wait) return false;
    cpu->left = NULL;
    finish(cpu, l);
    return true;
}

static bool begin(gx_cpu *cpu, struct gx_left *l) {
    pthread_condattr_t clock;
    sigset_t all, before;
    pthread_mutex_init(&l->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&l->end, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all); /* signals are the interpreter's, but for its own faults */
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&l->thread, NULL, work, l) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok) return true;
    pthread_cond_destroy(&l->end);
    pthread_mutex_destroy(&l->lock);
    for (int i = 0; i < l->held_count; i++) gx_buffer_drop(l->held[i]);
    gx_free(cpu->base.rt, l);
    return false;
}

/* Until it has ended or the program must stop; true: ended. */
static bool wait_for(gx_rt *rt, struct gx_left *l) {
    struct timespec until;
    pthread_mutex_lock(&l->lock);
    while (!l->done && !rt->interrupted) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&l->end, &l->lock, &until);
    }
    bool done = l->done;
    pthread_mutex_unlock(&l->lock);
    return done;
}

static bool leave(gx_cpu *cpu, struct gx_left *l) {
    gx_rt *rt = cpu->base.rt;
    cpu->left = l;
    gx_run_interrupted(rt);
    return gx_note(rt, "the library cannot be interrupted: it goes on by itself, and its memory is "
                       "taken until it ends");
}

bool gx_leave_call(gx_cpu *cpu, gx_leave_fn fn, void *args, size_t size, gx_buffer *const *held,
                   int n) {
    gx_rt *rt = cpu->base.rt;
    struct gx_left *l = NULL;
    if (gx_leave_sweep(cpu, false) && n <= HELD && (l = gx_alloc_zero(rt, sizeof *l + size))) {
        l->fn = fn;
        memcpy(l->args, args, size);
        for (int i = 0; i < n; i++)
            if (held[i]) (l->held[l->held_count++] = held[i])->refs++;
        if (!begin(cpu, l)) l = NULL;
    }
    if (!l) {
        gx_error_clear(rt); /* of memory: it is no more than a comfort */
        fn(args);
        return !rt->interrupted || gx_run_interrupted(rt);
    }
    if (!wait_for(rt, l)) return leave(cpu, l);
    memcpy(args, l->args, size);
    finish(cpu, l);
    return true;
}
