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

/* Reads a source, which is retired then. False: memory is gone. */
GX_CHECK bool gx_check_source(gx_rt *rt, uint32_t source, gx_findings *out);
void gx_findings_free(gx_findings *f);
/* Each as its message. */
GX_CHECK bool gx_findings_text(const gx_findings *f, gx_buf *out);
/* One JSON array. */
GX_CHECK bool gx_findings_json(const gx_findings *f, gx_buf *out);

#endif
