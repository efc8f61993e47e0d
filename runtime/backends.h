/* The backends that are built in, and the choice of one. GX_BACKEND names it; without that, the
   first in the list whose device opens. */
#ifndef GX_RUNTIME_BACKENDS_H
#define GX_RUNTIME_BACKENDS_H

#include "runtime/backend.h"

/* Opens the device that arrays live on and puts it into rt->device; nothing when it is open. */
GX_CHECK bool gx_backends_open(gx_rt *rt);
/* Closes it. Its buffers must be gone. */
void gx_backends_close(gx_rt *rt);
/* The k-th backend built in, or NULL after the last. */
const gx_backend *gx_backends_list(int k);

#endif
