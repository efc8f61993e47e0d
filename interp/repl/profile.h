/* Running a program with a profile of it: gx --profile. */
#ifndef GX_INTERP_REPL_PROFILE_H
#define GX_INTERP_REPL_PROFILE_H

#include "interp/eval/evaluator.h"

/* Runs a script's unit; with GX_PROFILE=1 (what --profile sets) a table of where its time went
   follows on stderr, whichever way it ends. */
GX_CHECK bool gx_run_profiled(gx_rt *rt, gx_unit *unit, gx_module *m);

#endif
