/* What a script may ask of the GPU: whether there is one, facts, memory, events, waiting. Arrays
   reach it by themselves (runtime/graph/place.c). */
#ifndef GX_RUNTIME_BACKEND_GPU_H
#define GX_RUNTIME_BACKEND_GPU_H

#include <pthread.h>

#include "runtime/base/buf.h"

typedef struct gx_gpu_info {
    char name[128];
    char pci[32];
    int index, count; /* which of how many */
    int major, minor; /* compute capability */
    int driver;       /* 13000: 13.0 */
    int64_t total_bytes;
} gx_gpu_info;

/* *there: is there a GPU to use? Opens it at the first question; an error when GX_DEVICE asks for
   one that cannot be had. */
GX_CHECK bool gx_gpu_there(gx_rt *rt, bool *there);
/* Opens the driver while the user thinks: `warm` begins it in a thread, where GX_DEVICE lets
   a GPU be used, and `warmed` waits for that thread, before the process ends. */
typedef struct gx_gpu_warming {
    pthread_t thread;
    void (*work)(int index);
    int index;
    bool begun;
} gx_gpu_warming;
void gx_gpu_warm(gx_rt *rt, gx_gpu_warming *w);
void gx_gpu_warmed(gx_gpu_warming *w);
/* Facts about the GPU in use, which must be there. */
GX_CHECK bool gx_gpu_facts(gx_rt *rt, gx_gpu_info *out);
/* A CU_DEVICE_ATTRIBUTE_*. */
GX_CHECK bool gx_gpu_attribute(gx_rt *rt, int attribute, int *out);
/* The version of CUDA's compiler in use, as 13000. */
GX_CHECK bool gx_gpu_toolkit(gx_rt *rt, int *out);
/* Bytes: free and all on the device, in use by arrays, kept by the pool. */
GX_CHECK bool gx_gpu_memory(gx_rt *rt, int64_t *available, int64_t *total, int64_t *used,
                            int64_t *kept);
/* Gives what the pool keeps back. */
GX_CHECK bool gx_gpu_trim(gx_rt *rt);

/* The most bytes that arrays may take on the GPU; 0: no limit. The getter needs no GPU. */
GX_CHECK bool gx_gpu_set_limit(gx_rt *rt, int64_t bytes);
int64_t gx_gpu_limit(const gx_rt *rt);

/* Events on the stream; a handle is freed by gx_gpu_event_free. */
GX_CHECK bool gx_gpu_event_new(gx_rt *rt, void **event);
void gx_gpu_event_free(gx_rt *rt, void *event);
GX_CHECK bool gx_gpu_event_record(gx_rt *rt, void *event, void *stream);
GX_CHECK bool gx_gpu_event_wait(gx_rt *rt, void *event);
GX_CHECK bool gx_gpu_event_done(gx_rt *rt, void *event, bool *done);
GX_CHECK bool gx_gpu_event_elapsed(gx_rt *rt, void *start, void *end, double *milliseconds);

/* Streams: counted handles; NULL is the one that is used when none is chosen. */
GX_CHECK bool gx_gpu_stream_new(gx_rt *rt, bool non_blocking, int priority, void **stream);
void gx_gpu_stream_keep(gx_rt *rt, void *stream);
void gx_gpu_stream_drop(gx_rt *rt, void *stream);
/* The one in use, borrowed; NULL also without a GPU. */
void *gx_gpu_stream_current(gx_rt *rt);
/* What is enqueued from now on goes there, after all that was enqueued before. */
GX_CHECK bool gx_gpu_stream_use(gx_rt *rt, void *stream);
GX_CHECK bool gx_gpu_stream_sync(gx_rt *rt, void *stream);
GX_CHECK bool gx_gpu_stream_done(gx_rt *rt, void *stream, bool *done);
GX_CHECK bool gx_gpu_stream_wait(gx_rt *rt, void *stream, void *event);
/* The driver's handle; 0 for NULL. */
uint64_t gx_gpu_stream_handle(gx_rt *rt, void *stream);

/* Waits for the GPU, where one is open, and reports what its work met. */
GX_CHECK bool gx_gpu_sync(gx_rt *rt);
/* Was the GPU lost to a fault? */
bool gx_gpu_lost(const gx_rt *rt);

/* One line a finding, for `gx --doctor`: looks for NVIDIA's libraries and a device. */
GX_CHECK bool gx_gpu_doctor(gx_rt *rt, gx_buf *out);

#endif
