/* Modules, and additions to modules, that are written in gx. */
#ifndef GX_INTERP_EVAL_PRELUDE_H
#define GX_INTERP_EVAL_PRELUDE_H

#include <stddef.h>

typedef struct gx_prelude {
    const char *module, *first; /* first: a name that is bound once the text has run */
    const char *text;
} gx_prelude;

/* The text of a module, or NULL. */
const gx_prelude *gx_prelude_find(const char *module);

#endif
