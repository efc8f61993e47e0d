/* What the public types of include/gx.h are. */
#ifndef GX_INTERP_EMBED_STATE_INT_H
#define GX_INTERP_EMBED_STATE_INT_H

#include <pthread.h>

#include "include/gx.h"
#include "interp/eval/evaluator.h"
#include "interp/repl/repl.h"

struct gx_ref {
    gx_value value;
    gx_state *state;
    uint32_t users;
    gx_ref *next, *before; /* all of a state's */
};

/* The seconds of a run: a thread that asks the program to stop when they are over. */
typedef struct gx_run_clock {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
    bool running, ended;
} gx_run_clock;

enum { GX_FAILURE_TEXTS = 2 * GX_MAX_TRACE + GX_MAX_NOTES + 16 };

struct gx_state {
    gx_rt *rt;
    gx_config config;
    gx_value main;        /* the module that cells run in */
    gx_repl_state prompt; /* what completion and %commands work on */
    gx_ref *refs;
    struct gx_host_function *functions; /* scripts may hold them until the end */
    int depth;             /* calls of gx.h inside each other, through callbacks */
    bool on_thread;        /* the C stack's limits are those of `thread` */
    pthread_t thread;
    gx_run_clock clock;
    gx_error raised;       /* why the last call failed */
    gx_failure failure;    /* the same for the program, once it asked */
    bool told;
    char *text[GX_FAILURE_TEXTS]; /* of the failure; owned */
    int text_count;
    gx_marked operand[2];
    gx_called frame[GX_MAX_TRACE];
    const char *note[GX_MAX_NOTES];
};

/* Begins and ends a call of gx.h that may run code: no failure is told, and the C stack's limits
   are those of the thread that calls. */
gx_rt *gx_state_enter(gx_state *s);
void gx_state_leave(gx_state *s);
/* Ends such a call: what is pending becomes the failure. Returns ok. */
bool gx_state_done(gx_state *s, bool ok);
/* The same for a value, which is taken over when ok. */
gx_ref *gx_state_give(gx_state *s, bool ok, gx_value v);
/* Forgets the failure. */
void gx_failure_clear(gx_state *s);
/* A new reference, which takes the value over; NULL: there is no memory, and the value is gone. */
gx_ref *gx_ref_new_take(gx_state *s, gx_value v);
void gx_host_functions_free(gx_state *s);

#endif
