/* Stopping a program between its statements: `gx debug`, breakpoint(), `gx dap`. While a debugger
   is attached every statement's executor is gx_exec_traced, which asks whether to stop and then
   calls the statement's own; a program that nobody debugs runs without any of it. Where it stops it
   calls the debugger's function, a text in gx (stdlib/debug), which says what comes next by the
   builtin function gx_debugger_control. */
#ifndef GX_INTERP_EVAL_DEBUG_DEBUGGER_H
#define GX_INTERP_EVAL_DEBUG_DEBUGGER_H

#include "interp/eval/evaluator.h"
#include "runtime/array/array.h"

/* When to stop next, apart from breakpoints. */
typedef enum gx_stepping {
    GX_STEP_NEVER,
    GX_STEP_ANY,    /* at the next statement */
    GX_STEP_OVER,   /* at the next one that is not in a call */
    GX_STEP_UNTIL,  /* at one behind a line, or out of the function */
    GX_STEP_OUT     /* at its return, or out of it */
} gx_stepping;

/* A line to stop at. */
typedef struct gx_break_line {
    char *path;     /* as realpath tells it, or a source's name; owned */
    uint32_t line;  /* that was asked for */
    uint32_t found; /* of the statement there; 0: no text of that name has come yet */
} gx_break_line;

/* A name or an array that is looked at after each statement. */
typedef struct gx_watched {
    const gx_frame *frame; /* of a local; it may have ended: then the place is gone */
    gx_module *module;     /* of a global; else NULL */
    int32_t slot;
    gx_box *box;           /* of a captured name; else NULL; owned */
    bool gone;             /* there is no place: the array alone is watched */
    gx_value value;        /* what it held, owned; and of an array: */
    gx_value before;       /* a copy, and what its storage held */
    gx_lent seen;
} gx_watched;

/* What is looked for in a unit: the first statement from a line on; functions of a name. */
typedef struct gx_line_search {
    uint32_t line;
    gx_node *best;
    const char *name;
    gx_value places; /* a list */
} gx_line_search;

typedef struct gx_debugger {
    bool attached;
    bool busy;   /* the debugger's own text runs */
    bool keeps;  /* what was running when an error arose is kept */
    bool stopped; /* its text has said how to go on, so the program had stopped */
    bool loaded; /* a text has come since the last statement */
    bool raised; /* it stops where an error is raised, caught or not */
    uint8_t how; /* gx_stepping */
    /* Statements of a unit that has just been linked learn of it; its end. */
    void (*link)(gx_rt *rt, gx_unit *unit);
    void (*free)(gx_rt *rt);
    volatile int asked; /* set by Ctrl-C and by other threads: stop at the next statement */
    gx_value hook;      /* hook(why, what) */
    const gx_frame *frame; /* that it stopped in, and how many there are from there on */
    int depth;
    gx_span last;  /* the statement */
    uint32_t line; /* of UNTIL */
    GX_VEC(gx_break_line) breaks;
    gx_line_search search;
    GX_VEC(gx_watched *) watched; /* NULL: not any more */
    gx_value failed;    /* a frame object of where the last error arose, */
    gx_value exception; /* and the error */
} gx_debugger;

static inline bool gx_is_debugged(const gx_rt *rt) {
    const gx_debugger *d = rt->interp->debugger;
    return GX_UNLIKELY(d != NULL) && d->attached;
}
/* control(what, a, b): what the debugger's text asks for (stdlib/debug/a_core.gx). */
GX_CHECK bool gx_debugger_control(gx_call *c, gx_value *out);
/* Watches: a new one's number; looks at all after a statement; forgets them. */
GX_CHECK bool gx_watch_add(gx_rt *rt, gx_debugger *d, gx_frame *f, gx_sym name, gx_borrowed value,
                           gx_value *out);
GX_CHECK bool gx_watch_look(gx_rt *rt, gx_debugger *d,
                            bool (*tell)(gx_rt *rt, const char *why, gx_borrowed what));
void gx_watch_drop(gx_rt *rt, gx_debugger *d, size_t i);
#endif
