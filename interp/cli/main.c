/* The program gx: gives the interpreter a C stack of its own, so that deep expressions and deep
   recursion meet gx's limits and not the shell's. The pages are committed only when they are used.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "interp/cli/cli_int.h"

typedef struct job {
    int argc, status;
    char **argv;
} job;

/* Ctrl-C, the clock and a change of the terminal are the interpreter's thread's business: it must
   wake from reading. */
static void its_signals(int how) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGWINCH);
    sigaddset(&set, SIGCONT);
    pthread_sigmask(how, &set, NULL);
}

static void *work(void *arg) {
    job *j = arg;
    its_signals(SIG_UNBLOCK);
    j->status = gx_main(j->argc, j->argv);
    return NULL;
}

int main(int argc, char **argv) {
    static const size_t sizes[] = {(size_t)1 << 30, (size_t)256 << 20, (size_t)32 << 20};
    job j = {.argc = argc, .argv = argv, .status = 1};
    pthread_attr_t attr;
    pthread_t thread;
    /* Set for another program or machine, these pick slower kernels. No thread reads them yet. */
    const char *core = getenv("GX_OPENBLAS_CORE");
    if (core && *core)
        setenv("OPENBLAS_CORETYPE", core, 1);
    else
        unsetenv("OPENBLAS_CORETYPE");
    unsetenv("OPENBLAS_L2_SIZE");
    its_signals(SIG_BLOCK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (pthread_attr_init(&attr) != 0) break;
        int failed =
            pthread_attr_setstacksize(&attr, sizes[i]) || pthread_create(&thread, &attr, work, &j);
        pthread_attr_destroy(&attr);
        if (failed) continue;
        pthread_join(thread, NULL);
        return j.status;
    }
    its_signals(SIG_UNBLOCK);
    return gx_main(argc, argv);
}
