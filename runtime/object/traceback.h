/* Tracebacks as values (traceback.c). */
#ifndef GX_RUNTIME_TRACEBACK_H
#define GX_RUNTIME_TRACEBACK_H

#include "runtime/object/object.h"

/* A frame as scripts see it: the function's name and a place. */
GX_CHECK bool gx_trace_frame(gx_rt *rt, gx_sym name, gx_span at, gx_value *out);

#endif
