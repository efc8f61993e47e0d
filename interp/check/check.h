/* What a careful reader finds in a program without running it: mistakes of syntax, names, calls,
   shapes and dtypes. Where something is not known it is silent. Findings are errors as running the
   program would raise them, with their place, operands and help. */
#ifndef GX_INTERP_CHECK_CHECK_H
#define GX_INTERP_CHECK_CHECK_H

#include "interp/eval/evaluator.h"

typedef struct gx_findings {
    gx_rt *rt;
    GX_VEC(gx_error) items; /* in the order of the text */
} gx_findings;

/* What an editor asks beside. */
typedef struct gx_reading {
    gx_buf *names;  /* every name of the text as a JSON object (mentions.c); or NULL */
    uint32_t end;   /* where an expression ends that is asked about; 0: none */
    gx_value value; /* one like it, owned; UNDEF: nothing is known. Of a module or function of the
                       library it is the value itself, of an array it has other elements */
} gx_reading;

/* Reads a source, which is retired then. more: or NULL. False: memory is gone. */
GX_CHECK bool gx_check_source(gx_rt *rt, uint32_t source, gx_findings *out, gx_reading *more);
void gx_findings_free(gx_findings *f);
/* Each as its message. */
GX_CHECK bool gx_findings_text(const gx_findings *f, gx_buf *out);
/* One JSON array. */
GX_CHECK bool gx_findings_json(const gx_findings *f, gx_buf *out);
/* A text in quotes. */
GX_CHECK bool gx_json_text(gx_buf *out, const char *text);

#endif
