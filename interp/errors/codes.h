/* What error codes say about themselves; their pages are in interp/embed/tools.h. */
#ifndef GX_INTERP_ERRORS_CODES_H
#define GX_INTERP_ERRORS_CODES_H

#include <stdbool.h>

/* Does a code stand for a mistake of gx itself? */
bool gx_code_is_internal(const char *code);
/* One sentence about a code, or NULL. */
const char *gx_code_meaning(const char *code);

#endif
