/* Ctrl-C and the clock. The handler sets a flag that everything looks at; a thread of its own
   counts the seconds, and ends the process when nothing has looked. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "interp/host/signals.h"

/* A handler can be told of a state only through a variable of its own. */
static gx_state *volatile interrupt_target;
static volatile sig_atomic_t pressed;
static volatile sig_atomic_t presses;    /* of Ctrl-C since a program has last noticed one */
static volatile sig_atomic_t stake = -1; /* variables that the end of the session loses */

/* --- Ctrl-C: only what a handler may call --- */

static void say(const char *text) {
    ssize_t done = write(STDERR_FILENO, text, strlen(text));
    (void)done;
}

/* A number in digits at the end of `room`. */
static const char *digits(int n, char room[16]) {
    char *at = room + 15;
    *at = '\0';
    do *--at = (char)('0' + n % 10);
    while ((n /= 10) > 0 && at > room);
    return at;
}

/* The first character of the next line of the terminal. */
static char read_answer(void) {
    char text[256];
    ssize_t n;
    do n = read(STDIN_FILENO, text, sizeof text);
    while (n < 0 && errno == EINTR);
    return n > 0 ? text[0] : 'n';
}

/* The end of the session, if the user wants it. */
static void ask(void) {
    char room[16];
    (void)tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before does not answer */
    say("\nend the session and lose ");
    say(digits(stake, room));
    say(stake == 1 ? " variable? [y/N] " : " variables? [y/N] ");
    char answer = read_answer();
    if ((answer | 32) == 'y') _exit(130);
    say("what runs goes on; it ends at the next place where it can\n");
    presses = 0;
}

static void on_interrupt(int signal_number) {
    int kept = errno;
    (void)signal_number;
    gx_state *s = interrupt_target;
    pressed = 1;
    if (!s) return;
    if (!gx_state_interrupt(s)) presses = 0;
    /* A program that does not come back to the interpreter is ended by the third Ctrl-C. */
    if (++presses == 2 && stake >= 0)
        say("\nonce more, and gx asks whether the session is to end\n");
    if (presses > 2) {
        if (stake < 0) _exit(130);
        ask();
    }
    errno = kept;
}

void gx_catch_stake(int variables) {
    stake = variables;
}

void gx_interrupts_forget(void) {
    pressed = 0;
    if (interrupt_target) gx_state_interrupt_forget(interrupt_target);
}

static void set_handler(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    /* Started with SIGINT ignored (nohup, a shell's &): stays so. */
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
    sigaction(SIGINT, &action, NULL);
}

/* --- the clock --- */

typedef struct watch {
    double seconds;
    void (*leave)(void);
    pthread_t thread, program;
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool running, ended; /* ended, and interrupt_target: under the lock */
    volatile sig_atomic_t over;
} watch;

static watch the_clock; /* the process has one time */

static void on_alarm(int signal_number) {
    (void)signal_number; /* that the program wakes up is all */
}

static void on_last_alarm(int signal_number) {
    (void)signal_number;
    _exit(GX_STATUS_LATE);
}

static struct timespec later(struct timespec t, double seconds) {
    time_t whole = (time_t)seconds;
    t.tv_sec += whole;
    t.tv_nsec += (long)((seconds - (double)whole) * 1e9);
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

/* Waits until then; false: the program has ended. */
static bool wait_until(watch *w, struct timespec until) {
    while (!w->ended && pthread_cond_timedwait(&w->end, &w->lock, &until) != ETIMEDOUT) continue;
    return !w->ended;
}

/* Says where the program is, brings out what it has printed, and ends the process. */
static void end_process(const watch *w) {
    char text[200];
    sigset_t wake;
    struct sigaction action = {.sa_handler = on_last_alarm};
    if (w->leave) w->leave();
    snprintf(text, sizeof text,
             "gx: stopped after %g seconds: what runs cannot be interrupted\n"
             "  = GX_MAX_SECONDS allows no more\n",
             w->seconds);
    say(text);
    /* Whoever reads the output may not, and the program may hold its lock. */
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&wake);
    sigaddset(&wake, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &wake, NULL);
    alarm(1);
    if (ftrylockfile(stdout) == 0) fflush(stdout);
    _exit(GX_STATUS_LATE);
}

static void *count_time(void *arg) {
    enum { GRACE = 20 }; /* wakings, 50 ms apart */
    watch *w = arg;
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    pthread_mutex_lock(&w->lock);
    at = later(at, w->seconds);
    bool runs = wait_until(w, at);
    for (int i = 0; runs && i < GRACE; i++) {
        w->over = 1;
        if (interrupt_target) gx_state_late(interrupt_target);
        pthread_kill(w->program, SIGALRM); /* from reading and from sleeping */
        at = later(at, 0.05);
        runs = wait_until(w, at);
    }
    if (runs) end_process(w);
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

void gx_clock_start(double seconds, void (*leave)(void)) {
    watch *w = &the_clock;
    struct sigaction action = {.sa_handler = on_alarm};
    pthread_condattr_t attr;
    sigset_t all, before;
    if (!(seconds > 0)) return;
    *w = (watch){.seconds = seconds, .leave = leave, .program = pthread_self()};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&w->end, &attr);
    pthread_condattr_destroy(&attr);
    sigfillset(&all); /* signals are the program's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->running = pthread_create(&w->thread, NULL, count_time, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (w->running) return;
    fputs("gx: no thread for the clock of GX_MAX_SECONDS\n", stderr);
    _exit(2); /* better than without a limit */
}

bool gx_clock_is_over(void) {
    return the_clock.over != 0;
}

bool gx_interrupted(void) {
    return pressed != 0 || the_clock.over != 0;
}

void gx_catch_interrupts(gx_state *s) {
    watch *w = &the_clock;
    if (w->running) pthread_mutex_lock(&w->lock);
    interrupt_target = s;
    if (w->running) pthread_mutex_unlock(&w->lock);
    if (s) set_handler();
}

void gx_clock_end(void) {
    watch *w = &the_clock;
    if (!w->running) return;
    pthread_mutex_lock(&w->lock);
    w->ended = true;
    pthread_cond_signal(&w->end);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    w->running = false;
}

void gx_clock_forget(void) {
    the_clock.over = 0;
}
