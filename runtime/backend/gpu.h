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

/* Numbers about a GPU. A unit is a multiprocessor; sizes are the largest allowed, in bytes where
   they are of memory; clocks are in kHz, the bus is in bits; MAJOR and MINOR are of the capability,
   SHARED_OPTIN of a block that asks for more. */
typedef enum gx_gpu_fact {
    GX_FACT_THREADS_BLOCK, GX_FACT_BLOCK_X, GX_FACT_BLOCK_Y, GX_FACT_BLOCK_Z, GX_FACT_GRID_X,
    GX_FACT_GRID_Y, GX_FACT_GRID_Z, GX_FACT_SHARED_BLOCK, GX_FACT_CONSTANT_BYTES,
    GX_FACT_WARP_LANES, GX_FACT_REGISTERS_BLOCK, GX_FACT_CLOCK, GX_FACT_UNITS, GX_FACT_INTEGRATED,
    GX_FACT_MAPS_HOST, GX_FACT_CONCURRENT, GX_FACT_ECC, GX_FACT_PCI_BUS, GX_FACT_PCI_DEVICE,
    GX_FACT_MEMORY_CLOCK, GX_FACT_BUS_WIDTH, GX_FACT_L2_BYTES, GX_FACT_THREADS_UNIT,
    GX_FACT_COPY_ENGINES, GX_FACT_UNIFIED, GX_FACT_PCI_DOMAIN, GX_FACT_MAJOR, GX_FACT_MINOR,
    GX_FACT_SHARED_UNIT, GX_FACT_REGISTERS_UNIT, GX_FACT_MANAGED, GX_FACT_SHARED_OPTIN,
    GX_FACT_POOLS,
    GX_FACTS
} gx_gpu_fact;

/* Numbers about a compiled kernel: threads of a block at most, bytes of shared, constant and local
   memory, registers of a thread, versions as 75, shared memory that a launch may add. */
typedef enum gx_kernel_fact {
    GX_KERNEL_THREADS,
    GX_KERNEL_SHARED,
    GX_KERNEL_CONSTANT,
    GX_KERNEL_LOCAL,
    GX_KERNEL_REGISTERS,
    GX_KERNEL_TEXT_VERSION,
    GX_KERNEL_CODE_VERSION,
    GX_KERNEL_SHARED_MORE,
    GX_KERNEL_FACTS
} gx_kernel_fact;

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
GX_CHECK bool gx_gpu_number(gx_rt *rt, gx_gpu_fact fact, int *out);
/* The version of the vendor's compiler in use, as 13000. */
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
