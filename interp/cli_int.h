/* The parts of the command line: options, the REPL, and `gx test`. */
#ifndef GX_INTERP_CLI_INT_H
#define GX_INTERP_CLI_INT_H

#include "interp/interp_int.h"

/* Runs the REPL in a module until its input ends; the exit status. */
int gx_repl(gx_rt *rt, gx_module *m, bool quiet);
/* Binds np and cp. */
GX_CHECK bool gx_repl_predefine(gx_rt *rt, gx_module *m);
/* `gx test ARGS…`: the exit status. */
int gx_test_main(gx_rt *rt, int argc, char **argv);
/* Everything from a file descriptor. */
GX_CHECK bool gx_read_all(gx_rt *rt, int file, gx_buf *out);
/* Prints the pending error as a program's end: SystemExit's status, else a message and 1. */
int gx_finish_error(gx_rt *rt);

#endif
