/* Contexts with every layer: what interp/embed and the tests use. */
#ifndef GX_INTERP_EVAL_INTERP_H
#define GX_INTERP_EVAL_INTERP_H

#include "runtime/object/object.h"

#define GX_VERSION "0.1.0"

/* The interpreter of a context whose heap, natives and stdlib exist already; and its end. */
GX_CHECK bool gx_interp_new(gx_rt *rt);
void gx_interp_free(gx_rt *rt);

/* A context with every layer made, or NULL; and its end. The status is
   70 when GX_LEAKS found something left, else `status`. */
gx_rt *gx_interp_open(void);
/* As gx_interp_open with gx_rt_new_with's set_up; NULL: why is in *why, for gx_error_free. */
gx_rt *gx_interp_open_with(void (*set_up)(gx_rt *rt, void *self), void *self, gx_error *why);
int gx_interp_close(gx_rt *rt, int status);

#endif
