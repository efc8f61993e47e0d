/* Warnings' state. */
#ifndef GX_RUNTIME_WARN_H
#define GX_RUNTIME_WARN_H

#include "runtime/base/rt.h"

/* Forgets which warnings have been shown. */
void gx_warn_free(gx_rt *rt);

#endif
