/* What the files here share: entries of gx_order_calls (runtime/backend/order.h). */
#ifndef GX_RUNTIME_BACKEND_CPU_ORDER_ORDER_INT_H
#define GX_RUNTIME_BACKEND_CPU_ORDER_ORDER_INT_H

#include "runtime/backend/cpu/cpu_int.h"

static inline const char *gx_cpu_bytes_of(const gx_elements *e) {
    return e->buf->data + e->offset;
}

/* ---- bins.c ---- */
bool gx_cpu_takes_bins(gx_device *d, int64_t n, int64_t bins, bool weighted);
GX_CHECK bool gx_cpu_extent(gx_device *d, const gx_elements *from, gx_scalar *low,
                            gx_scalar *high);
GX_CHECK bool gx_cpu_histogram(gx_device *d, const gx_elements *from, const gx_bins *b,
                               gx_buffer *to);
GX_CHECK bool gx_cpu_count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to);
GX_CHECK bool gx_cpu_weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *b,
                                       const gx_elements *weights, gx_buffer *to);

#endif
