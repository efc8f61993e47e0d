/* The backends that are built in, and the devices that are open: rt->device is the host, rt->gpu
   the GPU or NULL. GX_DEVICE chooses a row of backends.def: cpu, cuda, cuda:N; without it a GPU is
   used where there is one. For tests, sim and twin are simulated GPUs: all that moves values
   between places runs on a machine without one. */
#ifndef GX_RUNTIME_DEVICE_BACKENDS_H
#define GX_RUNTIME_DEVICE_BACKENDS_H

#include "runtime/backend/backend.h"

/* rt->gpu_choice. */
typedef enum gx_gpu_choice { GX_GPU_UNDECIDED, GX_GPU_NONE, GX_GPU_OPEN } gx_gpu_choice;

/* What a profile wants to be told; rt->profile begins with it. */
typedef struct gx_profile_calls {
    void (*opened)(gx_rt *rt);                 /* the GPU */
    void (*cancel)(gx_rt *rt);                 /* ends the profile */
    void (*origin)(gx_rt *rt, gx_span origin); /* the next tape's kernel is this statement's */
} gx_profile_calls;

/* The calls of the profile that runs, or NULL. */
static inline const gx_profile_calls *gx_profile_calls_of(const gx_rt *rt) {
    return (const gx_profile_calls *)rt->profile;
}

/* Opens the host into rt->device; nothing when it is open. */
GX_CHECK bool gx_backends_open(gx_rt *rt);
/* Decides whether there is a GPU to use, and opens it into rt->gpu. An error only when GX_DEVICE
   asks for one that cannot be had. */
GX_CHECK bool gx_backends_gpu(gx_rt *rt);
/* Opens one more device of a backend, beside the host and the GPU. */
GX_CHECK bool gx_backends_more(gx_rt *rt, const gx_backend *backend, gx_place *out);
/* Closes all. Their buffers must be gone. */
void gx_backends_close(gx_rt *rt);
/* The k-th backend built in, or NULL after the last. */
const gx_backend *gx_backends_list(int k);
/* The backend of the GPU that is tried first, which need not be there: what it knows without a
   device (sources, rates on disk, what is missing). */
const gx_backend *gx_backends_vendor(void);

#endif
