/* What suggest.c and suggest_operand.c share: the script's words for a message. */
#ifndef GX_INTERP_ERRORS_SUGGEST_INT_H
#define GX_INTERP_ERRORS_SUGGEST_INT_H

#include "interp/eval/evaluator.h"

/* The source text of an expression that is short and stands on one line. */
bool gx_source_words(gx_rt *rt, const gx_node *n, const char **text, size_t *length);
/* An expression as it was written, in parentheses where something is to follow it. */
bool gx_put_source(gx_rt *rt, const gx_node *n, bool tight, gx_buf *out);
/* The value of a name; looking it up has no effects. UNDEF: it is no name, or not bound. */
gx_value gx_name_value(gx_frame *f, const gx_node *n);
/* The new help takes the place of a vaguer one; an empty text changes nothing. */
void gx_set_help(gx_error *e, const gx_buf *text);

#endif
