/* The prompt. All that it asks of gx is include/gx.h, and of texts interp/embed/tools.h. */
#ifndef GX_INTERP_REPL_REPL_H
#define GX_INTERP_REPL_REPL_H

#include "include/gx.h"

/* Runs a file as entries of the prompt, whose errors do not end it; 1 when there was one. */
int gx_repl_file(gx_state *s, const char *path);
/* Runs the prompt until its input ends; the exit status. */
typedef struct gx_repl_options {
    bool quiet; /* no banner */
    bool init;  /* the user's file first */
    /* What an entry of Enter alone runs, or NULL; then the text that a program binds to the name
       `offered` is what the next entry begins with. */
    const char *empty, *offered;
} gx_repl_options;
int gx_repl(gx_state *s, const gx_repl_options *o);
/* From another thread or a handler, right before the process ends: the terminal as it was. */
void gx_repl_leave(void);

#endif
