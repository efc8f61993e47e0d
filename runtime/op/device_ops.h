/* What a GPU does for stdlib by entries of its own (runtime/backend/backend.h), beside tapes. Each
   gives NULL where the values do not live on a GPU that has the entry: the caller works on the
   host. */
#ifndef GX_RUNTIME_OP_DEVICE_OPS_H
#define GX_RUNTIME_OP_DEVICE_OPS_H

#include "runtime/array/array.h"

/* The running total (or product) of dtype `total` along an axis. */
GX_CHECK bool gx_device_scan(gx_rt *rt, gx_array *a, int axis, bool product, gx_dtype total,
                             gx_array **out);

/* Uninitialised elements in C order, on the GPU where one of the n arrays lives there. */
GX_CHECK bool gx_device_empty(gx_rt *rt, int n, gx_array *const *near, gx_dtype d, int ndim,
                              const int64_t *shape, gx_namespace ns, gx_array **out);

#endif
