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
/* Binds __file__ and sets the folder where imports look. */
GX_CHECK bool gx_set_folder(gx_rt *rt, const char *file, gx_module *m);
/* Everything from a file descriptor. */
GX_CHECK bool gx_read_all(gx_rt *rt, int file, gx_buf *out);
/* Ctrl-C goes to this context from now on; NULL: to none. */
void gx_catch_interrupts(gx_rt *rt);
/* Prints the pending error as a program's end: SystemExit's status, else a message and 1. */
int gx_finish_error(gx_rt *rt);

#endif
