/* The way to a GPU backend for everything that is not arrays. Computes nothing itself. */
#include "runtime/backend/gpu.h"

#include "runtime/device/backends.h"

GX_CHECK bool gx_gpu_there(gx_rt *rt, bool *there) {
    if (rt->gpu_choice == GX_GPU_UNDECIDED && !gx_backends_gpu(rt)) return false;
    *there = rt->gpu_choice == GX_GPU_OPEN && rt->gpu->backend->gpu;
    return true;
}

static const gx_gpu_calls *calls(gx_rt *rt) {
    bool there;
    if (!gx_gpu_there(rt, &there)) return NULL;
    if (there) return rt->gpu->backend->gpu;
    gx_fail(rt, GX_RuntimeError, "cuda.none",
            "no CUDA device is available: gx computes on the CPU here");
    gx_help(rt, "gx --doctor says what is missing");
    return NULL;
}

GX_CHECK bool gx_gpu_facts(gx_rt *rt, gx_gpu_info *out) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->facts(rt->gpu, out);
}

GX_CHECK bool gx_gpu_number(gx_rt *rt, gx_gpu_fact fact, int *out) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->number(rt->gpu, fact, out);
}

GX_CHECK bool gx_gpu_toolkit(gx_rt *rt, int *out) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->toolkit(rt->gpu, out);
}

GX_CHECK bool gx_gpu_memory(gx_rt *rt, int64_t *available, int64_t *total, int64_t *used,
                            int64_t *kept) {
    if (!calls(rt) || !rt->gpu->backend->memory(rt->gpu, available, total)) return false;
    *used = rt->gpu->live_bytes;
    *kept = rt->gpu->pool_bytes;
    return true;
}

GX_CHECK bool gx_gpu_trim(gx_rt *rt) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->trim(rt->gpu);
}

GX_CHECK bool gx_gpu_set_limit(gx_rt *rt, int64_t bytes) {
    bool there;
    if (!gx_gpu_there(rt, &there)) return false;
    if (rt->gpu) rt->gpu->limit = bytes;
    return true;
}

int64_t gx_gpu_limit(const gx_rt *rt) {
    return rt->gpu ? rt->gpu->limit : 0;
}

GX_CHECK bool gx_gpu_event_new(gx_rt *rt, void **event) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->event_new(rt->gpu, event);
}

void gx_gpu_event_free(gx_rt *rt, void *event) {
    if (!event || !rt->gpu || !rt->gpu->backend->gpu) return;
    rt->gpu->backend->gpu->event_free(rt->gpu, event);
}

GX_CHECK bool gx_gpu_event_record(gx_rt *rt, void *event, void *stream) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->event_record(rt->gpu, event, stream);
}

GX_CHECK bool gx_gpu_event_wait(gx_rt *rt, void *event) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->event_wait(rt->gpu, event);
}

GX_CHECK bool gx_gpu_event_done(gx_rt *rt, void *event, bool *done) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->event_done(rt->gpu, event, done);
}

GX_CHECK bool gx_gpu_event_elapsed(gx_rt *rt, void *start, void *end, double *milliseconds) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->event_elapsed(rt->gpu, start, end, milliseconds);
}

/* --- streams --- */

GX_CHECK bool gx_gpu_stream_new(gx_rt *rt, bool non_blocking, int priority, void **stream) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->streams->make(rt->gpu, non_blocking, priority, stream);
}

void gx_gpu_stream_keep(gx_rt *rt, void *stream) {
    if (stream) rt->gpu->backend->gpu->streams->keep(stream);
}

void gx_gpu_stream_drop(gx_rt *rt, void *stream) {
    if (stream && rt->gpu) rt->gpu->backend->gpu->streams->drop(rt->gpu, stream);
}

void *gx_gpu_stream_current(gx_rt *rt) {
    if (!rt->gpu || !rt->gpu->backend->gpu) return NULL;
    return rt->gpu->backend->gpu->streams->current(rt->gpu);
}

GX_CHECK bool gx_gpu_stream_use(gx_rt *rt, void *stream) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->streams->use(rt->gpu, stream);
}

GX_CHECK bool gx_gpu_stream_sync(gx_rt *rt, void *stream) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->streams->sync(rt->gpu, stream);
}

GX_CHECK bool gx_gpu_stream_done(gx_rt *rt, void *stream, bool *done) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->streams->done(rt->gpu, stream, done);
}

GX_CHECK bool gx_gpu_stream_wait(gx_rt *rt, void *stream, void *event) {
    const gx_gpu_calls *c = calls(rt);
    return c && c->streams->wait(rt->gpu, stream, event);
}

uint64_t gx_gpu_stream_handle(gx_rt *rt, void *stream) {
    return stream ? rt->gpu->backend->gpu->streams->handle(rt->gpu, stream) : 0;
}

bool gx_gpu_lost(const gx_rt *rt) {
    return rt->gpu && rt->gpu->backend->gpu && rt->gpu->backend->gpu->lost(rt->gpu);
}

GX_CHECK bool gx_gpu_doctor(gx_rt *rt, gx_buf *out) {
    return gx_backends_vendor()->gpu->doctor(rt, out);
}
