/* Keys of elements: words whose unsigned order is NumPy's order (nan last, -0.0 equal to 0.0). */
#ifndef GX_RUNTIME_BACKEND_KEYS_H
#define GX_RUNTIME_BACKEND_KEYS_H

#include "kernels/dtypes.h"
#include "runtime/base/rt.h"

/* Keys of n elements of a real dtype, `stride` bytes apart; a nan is UINT64_MAX. Ends early
   (runtime/backend/loop.h). */
void gx_order_keys(const gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                   uint64_t *keys);

#endif
