/* What the files here share: entries of gx_order_calls (runtime/backend/order.h). */
#ifndef GX_RUNTIME_BACKEND_CPU_ORDER_ORDER_INT_H
#define GX_RUNTIME_BACKEND_CPU_ORDER_ORDER_INT_H

#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

static inline const char *gx_cpu_bytes_of(const gx_elements *e) {
    return e->buf->data + e->offset;
}

/* Tasks on the host's threads, and how many there are, where only the context is at hand. */
static inline void gx_cpu_spread(gx_rt *rt, int64_t n, void (*fn)(void *, int64_t, int),
                                 void *arg) {
    gx_tasks_run(rt->device, n, fn, arg);
}
static inline int gx_cpu_spread_threads(const gx_rt *rt) {
    return gx_threads_count(gx_cpu_of(rt->device));
}

/* ---- rows.c ---- */
bool gx_cpu_sorts(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n);
GX_CHECK bool gx_cpu_sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                          gx_buffer *index);
GX_CHECK bool gx_cpu_part(gx_device *d, const gx_elements *from, int64_t rows, int64_t kth,
                          gx_buffer *to, gx_buffer *index);
bool gx_cpu_takes_ranks(gx_device *d, int64_t rows, int64_t n, int m);
GX_CHECK bool gx_cpu_select(gx_device *d, const gx_elements *from, int64_t rows, int m,
                            const int64_t *ranks, gx_buffer *to);

/* ---- complex.c ---- */
/* The positions of each row's elements in their order; of a part where kth is one: as far as that
   the element of this rank is in its place. */
GX_CHECK bool gx_cpu_complex_order(gx_rt *rt, gx_dtype d, const char *data, int64_t rows, int64_t n,
                                   int64_t kth, int64_t *index);

/* ---- search.c ---- */
GX_CHECK bool gx_cpu_search(gx_device *d, const gx_elements *among, const gx_elements *what,
                            bool right, gx_buffer *to);

/* ---- runs.c ---- */
GX_CHECK bool gx_cpu_count_runs(gx_device *d, gx_runs *r);
GX_CHECK bool gx_cpu_write_runs(gx_device *d, const gx_runs *r);

/* ---- sets.c ---- */
GX_CHECK bool gx_cpu_tally(gx_device *d, gx_runs *r, bool places, bool *done);
GX_CHECK bool gx_cpu_write_tally(gx_device *d, const gx_runs *r);
GX_CHECK bool gx_cpu_members(gx_device *d, const gx_elements *what, const gx_elements *set,
                             bool invert, gx_buffer *to);

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
