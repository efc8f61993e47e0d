/* What computing an array would run. */
#ifndef GX_RUNTIME_INSPECT_EXPLAIN_H
#define GX_RUNTIME_INSPECT_EXPLAIN_H

#include "runtime/array/array.h"

/* The tape that computing a would run, as text, without running it (golden tests, explain). */
GX_CHECK bool gx_explain_tape(gx_rt *rt, gx_array *a, gx_buf *out);

#endif
