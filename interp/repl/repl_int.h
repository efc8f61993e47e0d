/* The prompt's parts: reading entries (repl.c), its own % lines (commands.c), the user's file. */
#ifndef GX_INTERP_REPL_REPL_INT_H
#define GX_INTERP_REPL_REPL_INT_H

#include "interp/repl/edit.h"
#include "interp/repl/repl.h"

typedef struct gx_prompt {
    gx_state *s;
    gx_edit *edit; /* NULL: a plain prompt */
    const gx_repl_options *options; /* NULL: entries of a file */
    gx_pad log;    /* the entries that ran without an error, each with its newline */
    size_t last;   /* where the last of them starts */
    int64_t logged;
    bool terminal; /* somebody sees it, and can answer */
    bool failed;   /* an entry has met an error */
    bool leave;    /* %quit */
} gx_prompt;

/* Adds %history, %save, %load, %edit, %quit; false: a failure. */
bool gx_prompt_commands(gx_prompt *p);
/* Runs a file in the module of the prompt: its mistakes are told; false: a failure. */
bool gx_prompt_run_file(gx_state *s, const char *path);
/* repl_init.c: runs the user's file for the prompt; false: it has ended gx, with *status. */
bool gx_repl_init(gx_state *s, int *status);

#endif
