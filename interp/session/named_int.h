/* What the texts before the cursor stand for. */
#ifndef GX_INTERP_SESSION_NAMED_INT_H
#define GX_INTERP_SESSION_NAMED_INT_H

#include "interp/session/scan.h"
#include "interp/session/session.h"

bool gx_is_name_byte(char c);
/* Where the name that ends at `at` begins. */
size_t gx_name_start(const char *text, size_t at);
/* The value of the expression that ends at `end`, owned; UNDEF: it cannot be told without running
   it. May leave an error pending. */
gx_value gx_named_value(gx_session *s, const char *text, size_t end);
/* What is called by the innermost open parenthesis; UNDEF: none, or it is not known. */
gx_value gx_named_callee(gx_session *s, const char *text, const gx_scanned *open);

#endif
