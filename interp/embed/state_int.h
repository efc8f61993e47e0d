/* What the public types of include/gx.h are. */
#ifndef GX_INTERP_EMBED_STATE_INT_H
#define GX_INTERP_EMBED_STATE_INT_H

#include <pthread.h>

#include "include/gx.h"
#include "interp/eval/evaluator.h"
#include "interp/session/session.h"

struct gx_ref {
    gx_value value;
    gx_state *state;
    uint32_t users;
    gx_ref *next, *before; /* all of a state's */
};

struct gx_program {
    gx_state *state;
    gx_unit *unit;
    uint32_t source;
    gx_program *next, *before; /* all of a state's */
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
    gx_session session; /* what completion and %commands work on */
    struct gx_host_command *commands;
    gx_ref *refs;
    gx_program *programs;
    struct gx_host_function *functions; /* scripts may hold them until the end */
    int depth;             /* calls of gx.h inside each other, through callbacks */
    int running;           /* those of them that run texts */
    bool on_thread;        /* the C stack's limits are those of `thread` */
    pthread_t thread;
    gx_run_clock clock;
    gx_error raised;       /* why the last call failed */
    gx_parse_errors syntax; /* all mistakes of a text that did not compile, */
    int syntax_at;          /* of which this one is `raised` */
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
/* Begins and ends running something: the limits of a run count. */
GX_CHECK bool gx_run_begin(gx_state *s);
void gx_run_end(gx_state *s);
/* A unit of a source, which the caller drops; NULL: its mistakes are pending and in s->syntax. */
gx_unit *gx_state_load(gx_state *s, uint32_t source);
/* Those that the program has not dropped. */
void gx_programs_free(gx_state *s);
/* A new reference, which takes the value over; NULL: there is no memory, and the value is gone. */
gx_ref *gx_ref_new_take(gx_state *s, gx_value v);
void gx_host_functions_free(gx_state *s);
void gx_host_commands_free(gx_state *s);
/* gx_session.run_own. */
bool gx_run_command(void *host, void *self, const char *rest);
/* What a function of the program has raised becomes pending. Always false. */
bool gx_host_failed(gx_state *s, const char *name);

#endif
