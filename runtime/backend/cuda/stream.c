/* Streams of a script. All that gx enqueues goes to one stream at a time; choosing another hands
   over: its work begins when that of the stream before has ended. So a buffer that several streams
   use is freed after all of them, and values are those of one stream. */
#include "runtime/backend/cuda/state_int.h"

enum { NON_BLOCKING = 1, UNTIMED = 2, STATUS_NOT_READY = 600 };

static bool stream_make(gx_device *d, bool non_blocking, int priority, void **stream) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    gx_cuda_stream *made = gx_alloc_zero(d->rt, sizeof *made);
    if (!made) return false;
    if (!gx_cuda_usable(c) ||
        !gx_cuda_check(c,
                       s->api.cuStreamCreateWithPriority(
                           &made->handle, non_blocking ? NON_BLOCKING : 0, priority),
                       "making a stream")) {
        gx_free(d->rt, made);
        return false;
    }
    made->refs = 1;
    *stream = made;
    return true;
}

static void stream_keep(void *stream) {
    if (stream) ((gx_cuda_stream *)stream)->refs++;
}

static void stream_drop(gx_device *d, void *stream) {
    gx_cuda_stream *t = stream;
    gx_cuda_state *s = gx_cuda_of(d)->state;
    if (!t || --t->refs > 0) return;
    /* The driver ends what is enqueued on it first. */
    if (!s->fault) s->api.cuStreamDestroy_v2(t->handle);
    gx_free(d->rt, t);
}

static struct CUstream_st *handle_of(gx_cuda_state *s, void *stream) {
    return stream ? ((gx_cuda_stream *)stream)->handle : s->first;
}

static void *stream_current(gx_device *d) {
    return gx_cuda_of(d)->state->chosen;
}

static bool stream_use(gx_device *d, void *stream) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    struct CUstream_st *to = handle_of(s, stream);
    if (stream == s->chosen) return true;
    if (!gx_cuda_usable(c)) return false;
    if (!s->handover &&
        !gx_cuda_check(c, s->api.cuEventCreate(&s->handover, UNTIMED), "an event"))
        return false;
    if (!gx_cuda_check(c, s->api.cuEventRecord(s->handover, s->stream), "a stream's end") ||
        !gx_cuda_check(c, s->api.cuStreamWaitEvent(to, s->handover, 0), "a stream's start"))
        return false;
    stream_keep(stream);
    stream_drop(d, s->chosen);
    s->chosen = stream;
    s->stream = to;
    return gx_cuda_libraries_follow(c);
}

/* What is enqueued elsewhere may still fault: only the stream in use clears suspicion. */
static bool stream_sync(gx_device *d, void *stream) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    if (stream == s->chosen) return gx_cuda_wait(c);
    return gx_cuda_usable(c) &&
           gx_cuda_check(c, s->api.cuStreamSynchronize(handle_of(s, stream)),
                         "waiting for a stream");
}

static bool stream_done(gx_device *d, void *stream, bool *done) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    if (!gx_cuda_usable(c)) return false;
    unsigned status = s->api.cuStreamQuery(handle_of(s, stream));
    *done = status == 0;
    return status == STATUS_NOT_READY || gx_cuda_check(c, status, "asking a stream");
}

static bool stream_wait(gx_device *d, void *stream, void *event) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    return gx_cuda_usable(c) &&
           gx_cuda_check(c, s->api.cuStreamWaitEvent(handle_of(s, stream), event, 0),
                         "waiting for an event");
}

static uint64_t stream_handle(gx_device *d, void *stream) {
    (void)d;
    return stream ? (uint64_t)(uintptr_t)((gx_cuda_stream *)stream)->handle : 0;
}

void gx_cuda_streams_close(gx_cuda *c) {
    gx_cuda_state *s = c->state;
    if (s->chosen) stream_drop(&c->gpu.base, s->chosen);
    if (s->handover && !s->fault) s->api.cuEventDestroy_v2(s->handover);
    s->chosen = NULL;
    s->handover = NULL;
}

const gx_stream_calls gx_cuda_streams = {
    .make = stream_make,
    .keep = stream_keep,
    .drop = stream_drop,
    .current = stream_current,
    .use = stream_use,
    .sync = stream_sync,
    .done = stream_done,
    .wait = stream_wait,
    .handle = stream_handle,
};
