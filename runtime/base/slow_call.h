/* A call that gx cannot look into (a compiler, a library): when it takes long, a line on a terminal
   says what is waited for, and when Ctrl-C comes meanwhile and it does not end soon, that it has to
   end first. */
#ifndef GX_RUNTIME_BASE_SLOW_CALL_H
#define GX_RUNTIME_BASE_SLOW_CALL_H

#include <pthread.h>

#include "runtime/base/rt.h"

typedef struct gx_slow_call {
    gx_rt *rt;
    char what[96];
    double after; /* seconds until the line is shown */
    bool terminal, running, shown, told;
    int deaf;   /* looks since Ctrl-C came */
    bool ended; /* under the lock */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
} gx_slow_call;

/* Before the call; without a thread to spare nothing is said. `what` is copied. */
void gx_slow_call_begin(gx_slow_call *p, gx_rt *rt, const char *what, double after);
/* Behind it: the line is wiped. */
void gx_slow_call_end(gx_slow_call *p);

#endif
