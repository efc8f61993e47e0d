/* The parts of `gx test`. Every file runs in a state of its own, so that nothing that one file
   sets is seen by the next. */
#ifndef GX_INTERP_TEST_GXTEST_INT_H
#define GX_INTERP_TEST_GXTEST_INT_H

#include <stdio.h>

#include "include/gx.h"
#include "interp/host/pad.h"

/* What came of a file. */
typedef struct gx_result {
    char *name; /* owned */
    int passed, failed;
    double seconds;
    gx_pad said; /* of its failures */
} gx_result;

typedef struct gx_tests {
    int passed, failed;
    bool quiet;   /* the last line only */
    bool stopped; /* Ctrl-C */
    const char *word; /* -k: in the path, or in the text of a table's case; "": any */
    uint32_t line;    /* PATH:LINE: of a table only the case there; 0: all */
    int64_t launched, compiled, prebuilt, general; /* kernels on a GPU: shown with GX_STATS=1 */
    int64_t rounded;            /* lines of scripts that agree but for rounding */
    FILE *log; /* failures */
    GX_ROW(gx_result) results;
    bool incomplete; /* there was no memory for one */
    gx_pad said;     /* of the file that runs */
    double began;    /* when that did */
    int before[2];   /* passed and failed then */
} gx_tests;

/* results.c: a file begins and has ended; writes them all as JUnit's XML or as JSON. */
void gx_result_begin(gx_tests *t);
void gx_result_end(gx_tests *t, const char *name);
bool gx_results_write(const gx_tests *t, const char *path, bool json);
void gx_results_free(gx_tests *t);

/* What a state writes: kept while a test runs, else the process's own. */
typedef struct gx_kept_output {
    bool on;
    gx_pad text;
} gx_kept_output;
/* The configuration's writer; self: the kept output. */
bool gx_test_take(void *self, int stream, const char *text, size_t length);
void gx_capture_begin(gx_kept_output *c);
/* Ends it; what was written goes to *out, which is empty before. */
void gx_capture_end(gx_kept_output *c, gx_pad *out);
/* The first line of the failure: its class, message and code. */
void gx_test_head(gx_state *s, gx_pad *out);

/* One failure: "path:line: what" and the lines that differ; either text may be NULL. */
void gx_tests_fail(gx_tests *t, const char *path, uint32_t line, const char *what,
                   const char *expected, const char *actual);

/* A .gx file with `# expect` comments; a text file with >>> or gx> transcripts; a table. */
void gx_test_script(gx_tests *t, gx_state *s, gx_kept_output *capture, const char *path);
void gx_test_transcript(gx_tests *t, gx_state *s, gx_kept_output *capture, const char *path);
void gx_test_table(gx_tests *t, gx_state *s, gx_kept_output *capture, const char *path);
/* Why a file whose first line says what it needs is left out here; NULL: it is run. */
const char *gx_test_left_out(gx_state *s, const char *text);
/* The example of every function. */
void gx_test_docs(gx_tests *t, gx_state *s, gx_kept_output *capture);

/* What the comments of an example ask for, in its code or its expected output. */
typedef enum gx_test_option {
    GX_TEST_PLAIN,
    GX_TEST_SKIP,  /* `# doctest: +SKIP`: it is not run */
    GX_TEST_VARIES /* `# may vary`, `# random`, `# uninitialized`: any output will do */
} gx_test_option;
gx_test_option gx_test_options(const char *code, const char *expected);
/* NumPy's way of printing scalars in an expected text becomes gx's, in place: np.float64(1.5) is
   1.5, np.True_ is True. */
void gx_test_bare(char *text);
/* Are two outputs the same, white space folded, `...` standing for anything, floats to the printed
   digits? */
bool gx_test_match(const char *expected, const char *actual);
/* Are two outputs the same but for the last digits of floats (one part in 10^14; in 4 million where
   float32 or complex64 is named), the sign of zero and white space? What a GPU's functions and sums
   may differ in from the host's. */
bool gx_test_rounded(const char *expected, const char *actual);

#endif
