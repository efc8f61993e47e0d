/* What the module of Python's (interp/python) needs of a state beyond include/gx.h: values cross by
   the bridge, and not by references. */
#ifndef GX_INTERP_EMBED_INSIDE_H
#define GX_INTERP_EMBED_INSIDE_H

#include "include/gx.h"
#include "runtime/base/buf.h"
#include "runtime/base/rt.h"

gx_rt *gx_state_rt(gx_state *s);
/* The value of a reference, one more owner. */
gx_value gx_ref_value(const gx_ref *r);
/* The C stack is another thread's from now on. */
void gx_state_moved(gx_state *s);
/* The last call's failure becomes pending. */
void gx_state_raise_again(gx_state *s);
/* The message of a pending error, as the command line shows it. */
GX_CHECK bool gx_state_message(gx_rt *rt, gx_buf *out);

#endif
