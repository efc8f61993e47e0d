/* The prompt's parts: reading entries (repl.c), and what the line editor asks (repl_host.c). */
#ifndef GX_INTERP_REPL_REPL_H
#define GX_INTERP_REPL_REPL_H

#include "interp/cli/cli.h"
#include "interp/repl/edit.h"
#include "runtime/backend/gpu.h"

typedef struct gx_repl_state {
    gx_rt *rt;
    gx_module *module;
    gx_edit *edit; /* NULL: a plain prompt */
    gx_buf log;    /* the entries that ran without an error, each with its newline */
    size_t last;   /* where the last of them starts */
    int64_t logged;
    bool terminal; /* somebody sees it, and can answer */
    bool failed; /* an entry has met an error */
    bool leave;  /* %quit */
    gx_gpu_warming gpu; /* the GPU that is opened meanwhile */
} gx_repl_state;

/* What the editor asks of the language, about a gx_repl_state. */
gx_edit_host gx_repl_host(gx_repl_state *s);
/* repl_init.c: runs the user's file for the prompt; false: it has ended gx, with *status. */
bool gx_repl_init(gx_rt *rt, gx_module *m, int *status);
/* Is a text whole, or beyond repair? Nothing of it is run. */
bool gx_repl_whole(gx_rt *rt, const char *text, size_t length);
/* Names that may stand at a place of a text (repl_names.c). */
bool gx_repl_complete(void *state, const char *text, size_t length, size_t at, gx_choices *out);
/* magic.c: is a line no program but %NAME …, ?NAME or NAME?; runs it; their names. */
bool gx_magic_is(const char *text, size_t length);
bool gx_magic_is_cell(const char *text, size_t length);
/* Is a magic's text complete? A cell is when a blank row has ended it. */
bool gx_magic_is_whole(const char *text, size_t length);
/* The code of a function of the script, or NULL. */
const gx_function *gx_magic_code_of(gx_borrowed v);
GX_CHECK bool gx_magic_run(gx_repl_state *s, const char *text);
/* How many variables the user has bound. */
int gx_magic_count(const gx_repl_state *s);
void gx_magic_each(void (*fn)(const char *name, void *ctx), void *ctx);

#endif
