/* Paths that a script gives: what text they have. stdlib/io/file.c. */
#ifndef GX_STDLIB_PATHS_H
#define GX_STDLIB_PATHS_H

#include "stdlib/stdlib.h"

/* The text of a path: a str, bytes, or what an object's __fspath__ gives. NO: v is none of these.
   The text lives until the fourth path after it is asked for. */
gx_try gx_path_of(gx_rt *rt, gx_borrowed v, const char **text, size_t *length);
/* The same of argument i; TypeError. Whether files may be used is not asked. */
GX_CHECK bool gx_arg_path_text(gx_call *c, int i, const char **text, size_t *length);
/* Where the texts of the last paths are kept (stdlib/stdlib.c). */
enum { GX_PATHS_KEPT = 4 };
gx_value *gx_stdlib_paths(gx_rt *rt);

#endif
