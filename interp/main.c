/* The program gx: gives the interpreter a C stack of its own, so that deep expressions and deep
   recursion meet gx's limits and not the shell's. The pages are committed only when they are used.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#include "interp/interp.h"

typedef struct job {
    int argc, status;
    char **argv;
} job;

static void *work(void *arg) {
    job *j = arg;
    sigset_t ints;
    sigemptyset(&ints);
    sigaddset(&ints, SIGINT);
    sigaddset(&ints, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &ints, NULL);
    j->status = gx_main(j->argc, j->argv);
    return NULL;
}

int main(int argc, char **argv) {
    static const size_t sizes[] = {(size_t)1 << 30, (size_t)256 << 20, (size_t)32 << 20};
    job j = {.argc = argc, .argv = argv, .status = 1};
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t ints;
    /* Ctrl-C and the clock are the interpreter's thread's business: it must wake from reading. */
    sigemptyset(&ints);
    sigaddset(&ints, SIGINT);
    sigaddset(&ints, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &ints, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (pthread_attr_init(&attr) != 0) break;
        int failed = pthread_attr_setstacksize(&attr, sizes[i]) ||
                     pthread_create(&thread, &attr, work, &j);
        pthread_attr_destroy(&attr);
        if (failed) continue;
        pthread_join(thread, NULL);
        return j.status;
    }
    pthread_sigmask(SIG_UNBLOCK, &ints, NULL);
    return gx_main(argc, argv);
}
