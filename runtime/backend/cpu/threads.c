/* The thread pool. Threads start at the first large job, spin for about 20 microseconds between
   jobs and then sleep. Tasks are fixed pieces of work taken in order from a counter, so what a task
   computes never depends on which thread runs it, nor on how many there are.

   Invariant: job fields change only while no worker is inside a job (`inside` is 0). A worker
   first counts itself in and only then looks whether the job is open. Jobs do not nest. */
#include "runtime/backend/cpu/cpu_int.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

struct gx_workers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_uint epoch; /* one more for each job */
    atomic_int inside, asleep;
    atomic_bool open, quit;
    atomic_llong next;
    int64_t tasks;
    gx_task fn;
    void *arg;
    int started; /* threads that run besides the caller */
    int last_id; /* guarded by lock: thread numbers given out */
    pthread_t thread[];
};

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void work(gx_workers *w, int thread) {
    for (;;) {
        int64_t task = atomic_fetch_add(&w->next, 1);
        if (task >= w->tasks) return;
        w->fn(w->arg, task, thread);
    }
}

/* Waits for an epoch other than `seen`: spins, then sleeps. */
static void await(gx_workers *w, unsigned seen) {
    int64_t until = now_ns() + 20000;
    for (int i = 0; atomic_load(&w->epoch) == seen && !atomic_load(&w->quit); i++) {
        relax();
        if (i % 64 == 63 && now_ns() > until) {
            pthread_mutex_lock(&w->lock);
            atomic_fetch_add(&w->asleep, 1);
            while (atomic_load(&w->epoch) == seen && !atomic_load(&w->quit))
                pthread_cond_wait(&w->wake, &w->lock);
            atomic_fetch_sub(&w->asleep, 1);
            pthread_mutex_unlock(&w->lock);
            return;
        }
    }
}

static void *worker(void *p) {
    gx_workers *w = p;
    pthread_mutex_lock(&w->lock);
    int id = ++w->last_id;
    pthread_mutex_unlock(&w->lock);
    unsigned seen = 0;
    while (!atomic_load(&w->quit)) {
        await(w, seen);
        seen = atomic_load(&w->epoch);
        atomic_fetch_add(&w->inside, 1);
        if (atomic_load(&w->open)) work(w, id);
        atomic_fetch_sub(&w->inside, 1);
    }
    return NULL;
}

static int cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        int n = CPU_COUNT(&set);
        if (n > 0) return n;
    }
    return 1;
}

bool gx_threads_open(gx_cpu *cpu) {
    int n = cpu->base.rt->debug.threads;
    if (n <= 0) n = cores();
    if (n > 256) n = 256;
    cpu->threads = n;
    cpu->workers = NULL;
    return true;
}

int gx_threads_count(const gx_cpu *cpu) {
    return cpu->threads;
}

/* Starts the threads; fewer when the system gives fewer, none when memory is gone. */
static void start(gx_cpu *cpu) {
    size_t more = (size_t)(cpu->threads - 1);
    gx_rt *rt = cpu->base.rt;
    gx_workers *w = gx_alloc_zero(rt, sizeof *w + more * sizeof(pthread_t));
    if (!w) {
        gx_error_clear(rt); /* the work is done by the caller alone */
        return;
    }
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    /* Signals are the main thread's, but for what a thread's own reading raises (map_fault.c). */
    sigset_t all, old;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    for (size_t i = 0; i < more; i++) {
        if (pthread_create(&w->thread[w->started], NULL, worker, w) != 0) break;
        w->started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    cpu->workers = w;
}

void gx_threads_close(gx_cpu *cpu) {
    gx_workers *w = cpu->workers;
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->quit, true);
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->started; i++) pthread_join(w->thread[i], NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    gx_free(cpu->base.rt, w);
    cpu->workers = NULL;
}

void gx_threads_enough(gx_cpu *cpu) {
    cpu->enough = true;
    if (cpu->workers) atomic_store(&cpu->workers->next, cpu->workers->tasks);
}

void gx_threads_run(gx_cpu *cpu, int64_t n, bool parallel, gx_task fn, void *arg) {
    if (parallel && n > 1 && cpu->threads > 1 && !cpu->workers) start(cpu);
    gx_workers *w = cpu->workers;
    if (!parallel || n <= 1 || !w || w->started == 0) {
        cpu->enough = false;
        for (int64_t i = 0; i < n && !cpu->enough; i++) fn(arg, i, 0);
        return;
    }
    cpu->enough = false;
    w->tasks = n;
    w->fn = fn;
    w->arg = arg;
    atomic_store(&w->next, 0);
    atomic_store(&w->open, true);
    atomic_fetch_add(&w->epoch, 1);
    if (atomic_load(&w->asleep) > 0) {
        pthread_mutex_lock(&w->lock);
        pthread_cond_broadcast(&w->wake);
        pthread_mutex_unlock(&w->lock);
    }
    work(w, 0);
    atomic_store(&w->open, false);
    for (int i = 0; atomic_load(&w->inside) > 0; i++) {
        if (i > 2000) sched_yield(); /* more threads than cores: let the last one finish */
        else relax();
    }
}

static bool grow_scratch(gx_rt *rt, gx_scratch **at, size_t bytes) {
    if (!*at) {
        gx_scratch *fresh = gx_alloc(rt, sizeof *fresh);
        if (!fresh) return false;
        fresh->memory = fresh->raw = NULL;
        fresh->bytes = 0;
        fresh->fp = 0;
        *at = fresh;
    }
    gx_scratch *s = *at;
    if (s->bytes >= bytes) return true;
    bytes += bytes / 2;
    void *raw = gx_alloc(rt, bytes + 64);
    if (!raw) return false;
    gx_free(rt, s->raw);
    s->raw = raw;
    s->memory = (char *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
    s->bytes = bytes;
    return true;
}

bool gx_cpu_scratch(gx_cpu *cpu, size_t bytes, bool parallel) {
    int n = parallel ? cpu->threads : 1;
    for (int i = 0; i < n; i++) {
        if (cpu->scratch[i] && cpu->scratch[i]->bytes >= bytes) continue;
        if (!grow_scratch(cpu->base.rt, &cpu->scratch[i], bytes)) return false;
    }
    return true;
}
