/* Modules, and additions to modules, that are written in gx. */
#ifndef GX_STDLIB_LIBRARY_PYTHON_MODULES_H
#define GX_STDLIB_LIBRARY_PYTHON_MODULES_H

#include "runtime/base/compressed/compressed.h"

typedef struct gx_text_module {
    const char *module, *first; /* first: a name that is bound once the text has run */
    const gx_compressed *text;
} gx_text_module;

/* The text of a module, or NULL. */
const gx_text_module *gx_text_module_find(const char *module);
/* Calls fn for the name of each that a program may import. */
void gx_text_module_each(void (*fn)(const char *name, void *ctx), void *ctx);

#endif
