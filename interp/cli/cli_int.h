/* The parts of the command line. All that it asks of gx is include/gx.h and interp/embed/tools.h.
 */
#ifndef GX_INTERP_CLI_CLI_INT_H
#define GX_INTERP_CLI_CLI_INT_H

#include "include/gx.h"

/* What the options ask for. */
typedef struct gx_cli {
    const char *code;   /* -c, -p */
    const char *file;   /* NULL: stdin or the REPL */
    const char *errors; /* --errors; NULL: not given */
    bool print;         /* -p */
    bool learn;         /* gx learn: the rest is its arguments */
    bool format, check, serve; /* gx fmt, gx check, gx lsp: so are they */
    bool debug;                /* gx debug: the file is run by the debugger */
    bool dap;                  /* gx dap: the file, which comes later, is run by the adapter, */
    gx_ref *adapter;           /* this module */
    char **commands;           /* debug: `-c COMMAND` so many times */
    int command_count;
    bool interactive, quiet, standard_input, doctor, require_gpu, no_init, safe;
    int rest; /* index of the first argument of the script */
} gx_cli;

/* cli_options.c: reads the options. -1: run; else the exit status, what there was to say is said.
   Options that are switches of the environment are put there. */
int gx_cli_read(int argc, char **argv, gx_cli *o);
/* Warns of GX_ variables that are no switch of gx. */
void gx_cli_check_switches(void);
/* explain.c: `gx explain CODE…`: the exit status. */
int gx_explain_main(int argc, char **argv);
/* fmt.c: `gx fmt FILE…`: the exit status. */
int gx_format_main(gx_state *s, int argc, char **argv);
/* check.c: `gx check FILE…`: the exit status. */
int gx_check_main(gx_state *s, int argc, char **argv);
/* lsp.c: `gx lsp`: the exit status. */
int gx_lsp_main(gx_state *s, int argc, char **argv);
/* debug.c: `gx debug [-c COMMAND]… FILE`: reads the arguments, -1: run; else the exit status. The
   debugger waits for the program's first statement; it is told that the program has failed. */
int gx_debug_read(int argc, char **argv, gx_cli *o);
bool gx_debug_start(gx_state *s, const gx_cli *o);
void gx_debug_failed(gx_state *s);
/* dap.c: `gx dap`: the streams of the process become the program's, -1 or the exit status; the
   adapter's session, in which it calls `run`; there, true: the program is to go. */
int gx_dap_open(gx_config *c);
void gx_dap_give_up(void); /* standard error is again that of the process */
int gx_dap_main(gx_state *s, gx_cli *o, int (*run)(gx_state *s, const gx_cli *o));
bool gx_dap_start(gx_state *s, const gx_cli *o, bool compiled);
/* text.c: the whole of a file, `-` being standard input, for free(); NULL: errno says why not. */
char *gx_cli_read_text(const char *path, size_t *length);
/* fence.c: --safe: GX_SAFE=1 on the host, before the state is opened; then the kernel's locks.
   False: there is no memory. */
void gx_fence_switches(void);
bool gx_fence_raise(const gx_cli *o);
/* The whole program: reads the command line, runs, and returns the exit status. */
int gx_main(int argc, char **argv);

#endif
