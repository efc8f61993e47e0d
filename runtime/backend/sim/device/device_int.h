/* The simulated GPU: a device whose memory no host code can reach, for all of gx that moves values
   between places, on machines without a GPU. Two backends share it: `sim` runs backend/gpu's
   kernels in the PTX simulator, `twin` the CPU backend's loops.

   Each buffer has a number, and its address is that number far above what a host address can be:
   what reads it as one faults. Its bytes lie in a buffer of the CPU backend. */
#ifndef GX_RUNTIME_BACKEND_SIM_DEVICE_DEVICE_INT_H
#define GX_RUNTIME_BACKEND_SIM_DEVICE_DEVICE_INT_H

#include "runtime/backend/gpu/gpu_int.h"

enum {
    GX_SIM_SHIFT = 40, /* bits of an address that are the place in a buffer */
    GX_SIM_FIRST = 256 /* number of the first buffer: no host address has bit 48 alone */
};

typedef struct gx_sim_buffer {
    gx_buffer head;  /* first: a gx_buffer of this device is a gx_sim_buffer */
    gx_buffer *host; /* where its bytes are */
    int64_t number;
} gx_sim_buffer;

typedef struct gx_sim_device {
    gx_gpu gpu;
    gx_device *host;         /* the CPU backend's, with memory of its own */
    gx_sim_buffer **buffers; /* by number; NULL: none */
    int64_t count, room;
    gx_buffer *flags; /* the words of conditions */
    gx_gpu_library stored; /* kernels/gxkernels.ptx, where GX_KERNELS asks for what was compiled
                              with gx */
    bool looked_for_stored;
} gx_sim_device;

static inline gx_sim_device *gx_sim_of(gx_device *d) {
    return (gx_sim_device *)d;
}
/* The host's buffer behind one of the device; NULL of NULL. */
static inline gx_buffer *gx_sim_host(const gx_buffer *b) {
    return b ? ((const gx_sim_buffer *)b)->host : NULL;
}

/* --- memory.c --- */
GX_CHECK bool gx_sim_alloc(gx_device *d, int64_t bytes, gx_buffer **out);
void gx_sim_release(gx_buffer *b);
GX_CHECK bool gx_sim_put(gx_buffer *b, int64_t at, const void *from, int64_t bytes);
GX_CHECK bool gx_sim_get(const gx_buffer *b, int64_t at, void *to, int64_t bytes);
/* A buffer of the device that has the host's bytes, which it takes over. */
GX_CHECK bool gx_sim_adopt_take(gx_sim_device *s, gx_buffer *host, gx_buffer **out);
/* The host's bytes at an address of the device; RuntimeError when they are not all there. */
GX_CHECK bool gx_sim_bytes(gx_sim_device *s, gx_gpu_ptr at, int64_t bytes, char **out);

extern const gx_gpu_driver gx_sim_driver; /* kernels.c */

/* --- host.c: entries of gx_backend by the CPU's loops --- */
GX_CHECK bool gx_sim_run_tape(gx_device *d, const gx_tape *t, int *fp);
GX_CHECK bool gx_sim_gather(gx_device *d, const gx_take *t);
GX_CHECK bool gx_sim_scatter(gx_device *d, const gx_take *t);
GX_CHECK bool gx_sim_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count,
                            int *fp);
GX_CHECK bool gx_sim_nonzero(gx_device *d, const gx_buffer *mask, int64_t offset, int64_t n,
                             gx_buffer **out, int64_t *count);
GX_CHECK bool gx_sim_matmul(gx_device *d, gx_dtype t, int64_t batch, const gx_matrix *a,
                            const gx_matrix *b, const gx_matrix *c);
GX_CHECK bool gx_sim_each(gx_device *d, const gx_each *j);
bool gx_sim_has_each(const gx_each_function *f);
GX_CHECK bool gx_sim_scan(gx_device *d, const gx_totals *j, int *fp);
bool gx_sim_scans(const gx_totals *j);
GX_CHECK bool gx_sim_filter(gx_device *d, const gx_filter *f);
bool gx_sim_takes_filter(const gx_filter *f);
extern const gx_linalg gx_sim_linalg;
extern const gx_order_calls gx_sim_order;
extern const gx_cost_calls gx_sim_cost;

#endif
