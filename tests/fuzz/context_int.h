/* Whole contexts for the fuzz targets: what a program may use is limited, so that every input ends
   soon, and closing a context checks that nothing is left of it. */
#ifndef GX_TESTS_FUZZ_CONTEXT_INT_H
#define GX_TESTS_FUZZ_CONTEXT_INT_H

#include "interp/eval/evaluator.h"
#include "tests/fuzz/fuzz_int.h"

/* A context with limits of steps, memory and processor time; safe: without files. NULL: no memory
   at all. */
gx_rt *gx_fuzz_open(bool safe);
/* Ends a context; traps when memory is still alive. */
void gx_fuzz_close(gx_rt *rt);
/* Parses and runs a text in a fresh module __main__, which is written to *out, owned, also when
   the text fails. False: it does not parse or raised; the error is pending. */
bool gx_fuzz_run(gx_rt *rt, const char *text, size_t length, gx_value *out);
/* Takes the pending error as the prompt would: its report is made and dropped. */
void gx_fuzz_report(gx_rt *rt);
/* Runs `driver`, a script that defines check(data, path), and calls it with the input as bytes and
   as the path of a file that holds it. Traps when check raises AssertionError. */
void gx_fuzz_check_file(const char *driver, const uint8_t *data, size_t size);

#endif
