/* What a script may ask of the device beside arrays: facts and events. */
#include <string.h>

#include "runtime/backend/cuda/state_int.h"

enum { STATUS_NOT_READY = 600 };

static bool read_info(gx_device *d, gx_gpu_info *out) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    *out = (gx_gpu_info){.index = d->index, .major = c->facts.major, .minor = c->facts.minor,
                         .driver = c->facts.driver, .total_bytes = c->facts.total_bytes};
    memcpy(out->name, c->facts.name, sizeof out->name);
    return gx_cuda_check(c, s->api.cuDeviceGetCount(&out->count), "counting devices") &&
           gx_cuda_check(c, s->api.cuDeviceGetPCIBusId(out->pci, sizeof out->pci, s->device),
                         "PCI bus id");
}

/* CU_DEVICE_ATTRIBUTE_*. */
static const unsigned char attributes[GX_FACTS] = {
    [GX_FACT_THREADS_BLOCK] = 1,
    [GX_FACT_BLOCK_X] = 2,
    [GX_FACT_BLOCK_Y] = 3,
    [GX_FACT_BLOCK_Z] = 4,
    [GX_FACT_GRID_X] = 5,
    [GX_FACT_GRID_Y] = 6,
    [GX_FACT_GRID_Z] = 7,
    [GX_FACT_SHARED_BLOCK] = 8,
    [GX_FACT_CONSTANT_BYTES] = 9,
    [GX_FACT_WARP_LANES] = 10,
    [GX_FACT_REGISTERS_BLOCK] = 12,
    [GX_FACT_CLOCK] = 13,
    [GX_FACT_UNITS] = 16,
    [GX_FACT_INTEGRATED] = 18,
    [GX_FACT_MAPS_HOST] = 19,
    [GX_FACT_CONCURRENT] = 31,
    [GX_FACT_ECC] = 32,
    [GX_FACT_PCI_BUS] = 33,
    [GX_FACT_PCI_DEVICE] = 34,
    [GX_FACT_MEMORY_CLOCK] = 36,
    [GX_FACT_BUS_WIDTH] = 37,
    [GX_FACT_L2_BYTES] = 38,
    [GX_FACT_THREADS_UNIT] = 39,
    [GX_FACT_COPY_ENGINES] = 40,
    [GX_FACT_UNIFIED] = 41,
    [GX_FACT_PCI_DOMAIN] = 50,
    [GX_FACT_MAJOR] = 75,
    [GX_FACT_MINOR] = 76,
    [GX_FACT_SHARED_UNIT] = 81,
    [GX_FACT_REGISTERS_UNIT] = 82,
    [GX_FACT_MANAGED] = 83,
    [GX_FACT_SHARED_OPTIN] = 97,
    [GX_FACT_POOLS] = 115,
};

static bool read_number(gx_device *d, gx_gpu_fact fact, int *out) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    return gx_cuda_check(c, s->api.cuDeviceGetAttribute(out, attributes[fact], s->device),
                         "a device attribute");
}

static bool read_toolkit(gx_device *d, int *out) {
    gx_cuda_compiler *n = &gx_cuda_of(d)->state->compiler;
    if (!gx_cuda_compiler_open(n)) return false;
    *out = n->major * 1000 + n->minor * 10;
    return true;
}

/* Between two pieces of work: the libraries' work areas go too. */
static bool trim(gx_device *d) {
    gx_cuda *c = gx_cuda_of(d);
    if (!gx_cuda_wait(c)) return false;
    gx_cuda_libraries_close(c);
    return gx_cuda_trim(c);
}

/* --- events --- */

static bool event_new(gx_device *d, void **event) {
    gx_cuda *c = gx_cuda_of(d);
    struct CUevent_st *e = NULL;
    if (!gx_cuda_usable(c) || !gx_cuda_check(c, c->state->api.cuEventCreate(&e, 0), "an event"))
        return false;
    *event = e;
    return true;
}

static void event_free(gx_device *d, void *event) {
    gx_cuda_state *s = gx_cuda_of(d)->state;
    if (!s->fault) s->api.cuEventDestroy_v2(event);
}

static bool event_record(gx_device *d, void *event, void *stream) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    struct CUstream_st *on = stream ? ((gx_cuda_stream *)stream)->handle : s->first;
    return gx_cuda_usable(c) &&
           gx_cuda_check(c, s->api.cuEventRecord(event, on), "recording an event");
}

static bool event_wait(gx_device *d, void *event) {
    gx_cuda *c = gx_cuda_of(d);
    return gx_cuda_usable(c) &&
           gx_cuda_check(c, c->state->api.cuEventSynchronize(event), "waiting for an event");
}

static bool event_done(gx_device *d, void *event, bool *done) {
    gx_cuda *c = gx_cuda_of(d);
    unsigned status = c->state->api.cuEventQuery(event);
    *done = status == 0;
    return status == STATUS_NOT_READY || gx_cuda_check(c, status, "asking an event");
}

static bool event_elapsed(gx_device *d, void *start, void *end, double *milliseconds) {
    gx_cuda *c = gx_cuda_of(d);
    float ms = 0;
    if (!event_wait(d, end) ||
        !gx_cuda_check(c, c->state->api.cuEventElapsedTime(&ms, start, end), "elapsed time"))
        return false;
    *milliseconds = (double)ms;
    return true;
}

static bool lost(const gx_device *d) {
    return ((const gx_cuda *)d)->state->fault != 0;
}

const gx_gpu_calls gx_cuda_calls = {
    .facts = read_info,
    .number = read_number,
    .toolkit = read_toolkit,
    .trim = trim,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_done = event_done,
    .event_elapsed = event_elapsed,
    .lost = lost,
    .doctor = gx_cuda_doctor,
    .streams = &gx_cuda_streams,
};
