/* The parts of the command line: options, the REPL, and `gx test`. */
#ifndef GX_INTERP_CLI_CLI_H
#define GX_INTERP_CLI_CLI_H

#include "interp/eval/evaluator.h"

/* What the options ask for. */
typedef struct gx_cli {
    const char *code;   /* -c, -p */
    const char *file;   /* NULL: stdin or the REPL */
    const char *errors; /* --errors; NULL: not given */
    bool print;         /* -p */
    bool interactive, quiet, standard_input, doctor, require_gpu, no_init, safe;
    int rest; /* index of the first argument of the script */
} gx_cli;

/* cli_options.c: reads the options. -1: run; else the exit status, what there was to say is said.
   Options that are switches of the environment are put there. */
int gx_cli_read(int argc, char **argv, gx_cli *o);
/* Warns of GX_ variables that are no switch of gx. */
void gx_cli_check_switches(void);
/* codes.c: `gx explain CODE…`: the exit status. */
int gx_explain_main(int argc, char **argv);
/* Does a code stand for a mistake of gx itself? */
bool gx_code_is_internal(const char *code);
/* One sentence about a code, or NULL. */
const char *gx_code_meaning(const char *code);

/* Runs a source as entries of the prompt, whose errors do not end it; 1 when there was one. */
int gx_repl_file(gx_rt *rt, gx_module *m, uint32_t source);
/* Runs the REPL in a module until its input ends; the exit status. init: the user's file first. */
int gx_repl(gx_rt *rt, gx_module *m, bool quiet, bool init);
/* Binds np and cp. */
GX_CHECK bool gx_repl_predefine(gx_rt *rt, gx_module *m);
/* `gx test ARGS…`: the exit status. */
int gx_test_main(gx_rt *rt, int argc, char **argv);
/* fence.c: --safe: GX_SAFE=1 on the host, before the context is opened; then the kernel's locks. */
void gx_fence_switches(void);
GX_CHECK bool gx_fence_raise(gx_rt *rt, const gx_cli *o);
/* Binds __file__ and sets the folder where imports look. */
GX_CHECK bool gx_set_folder(gx_rt *rt, const char *file, gx_module *m);
/* Everything from a file descriptor. */
GX_CHECK bool gx_read_all(gx_rt *rt, int file, gx_buf *out);
enum { GX_STATUS_LATE = 124 };
/* signals.c: Ctrl-C goes to this context from now on; NULL: to none. */
void gx_catch_interrupts(gx_rt *rt);
/* So many variables are lost when the session is ended now: the third Ctrl-C while one call runs
   asks before it ends it. Below 0: it does not ask. */
void gx_catch_stake(int variables);
/* From now on the process has so many seconds, 0: as many as it wants. When they are over the
   program is asked to stop (rt->late), and a second later, if it still runs, the process ends. */
void gx_clock_start(gx_rt *rt, double seconds);
void gx_clock_end(void);
/* Prints the pending error as a program's end: SystemExit's status, else a message and 1. */
int gx_finish_error(gx_rt *rt);

#endif
