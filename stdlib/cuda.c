/* cupy.cuda: streams and events. There is one stream; synchronising computes what is pending and
   waits. Without a GPU they behave the same, by the clock. Devices and memory are cuda_device.c's.
   */
#include <time.h>

#include "runtime/gpu.h"
#include "runtime/ufunc.h"
#include "stdlib/cuda_int.h"

/* A stream or an event: they differ in their types. */
typedef struct cuda_object {
    gx_obj obj;
    double recorded; /* when an event was recorded, in ms; negative: never */
    void *event;     /* the GPU's, once it was recorded there */
} cuda_object;

static cuda_object *as_cuda(gx_borrowed v) {
    return (cuda_object *)v.obj;
}

static bool make(gx_rt *rt, const gx_type *type, gx_value *out) {
    cuda_object *o = gx_obj_new(rt, type, sizeof *o);
    if (!o) return false;
    o->event = NULL;
    o->recorded = -1;
    *out = gx_object(&o->obj);
    return true;
}

static bool done(gx_value *out) {
    *out = gx_none();
    return true;
}

/* --- shared methods --- */

static bool cuda_nothing(gx_call *c, gx_value *out) {
    (void)c;
    return done(out);
}

bool gx_cuda_synchronize(gx_call *c, gx_value *out) {
    return gx_lazy_flush(c->rt) && done(out);
}

static bool cuda_enter(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool get_true(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(true);
    return true;
}

static bool get_zero(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(0);
    return true;
}

#define ROW(n, sig, text, fn) {n, sig, text, NULL, fn, 0, 0}
#define END {NULL, NULL, NULL, NULL, NULL, 0, 0}

/* --- events --- */

/* On a GPU the event follows what is enqueued; nothing waits. */
static bool record_now(gx_rt *rt, cuda_object *event) {
    struct timespec t;
    bool there;
    if (!gx_lazy_start(rt) || !gx_gpu_there(rt, &there)) return false;
    if (there) {
        if (!event->event && !gx_gpu_event_new(rt, &event->event)) return false;
        if (!gx_gpu_event_record(rt, event->event)) return false;
    } else if (!gx_lazy_flush(rt)) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->recorded = (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
    return true;
}

static void event_free(gx_rt *rt, gx_obj *o) {
    gx_gpu_event_free(rt, ((cuda_object *)o)->event);
    gx_free(rt, o);
}

static bool event_synchronize(gx_call *c, gx_value *out) {
    cuda_object *event = as_cuda(c->argv[0]);
    bool ok = event->event ? gx_gpu_event_wait(c->rt, event->event) : gx_lazy_flush(c->rt);
    return ok && done(out);
}

static bool event_get_done(gx_rt *rt, gx_borrowed self, gx_value *out) {
    bool happened = true;
    void *event = as_cuda(self)->event;
    if (event && !gx_gpu_event_done(rt, event, &happened)) return false;
    *out = gx_bool(happened);
    return true;
}

static bool event_record(gx_call *c, gx_value *out) {
    return record_now(c->rt, as_cuda(c->argv[0])) && done(out);
}

static const gx_native event_methods[] = {
    ROW("record", "record(self, stream=None)", "Notes the time, once pending work is done.",
        event_record),
    ROW("synchronize", "synchronize(self)", "Waits until it has happened.", event_synchronize),
    END,
};
static const gx_member event_members[] = {
    {"done", event_get_done, NULL, "Has it happened?"},
    {NULL, NULL, NULL, NULL},
};
static const gx_type event_type = {
    .name = "cupy.cuda.stream.Event", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = event_methods, .members = event_members, .free = event_free,
};

bool gx_cuda_event(gx_call *c, gx_value *out) {
    return make(c->rt, &event_type, out);
}

bool gx_cuda_elapsed(gx_call *c, gx_value *out) {
    for (int i = 0; i < 2; i++) {
        if (gx_type_of(c->argv[i]) != &event_type) return gx_arg_wrong(c, i, "a cuda.Event");
        if (as_cuda(c->argv[i])->recorded < 0)
            return gx_fail(c->rt, GX_ValueError, "cuda.event",
                           "get_elapsed_time: an event has not been recorded");
    }
    const cuda_object *start = as_cuda(c->argv[0]), *end = as_cuda(c->argv[1]);
    double ms = end->recorded - start->recorded;
    if (start->event && end->event &&
        !gx_gpu_event_elapsed(c->rt, start->event, end->event, &ms))
        return false;
    *out = gx_float(ms);
    return true;
}

/* --- streams --- */

static bool stream_record(gx_call *c, gx_value *out) {
    gx_value event;
    if (c->argv[1].tag == GX_NONE) {
        if (!make(c->rt, &event_type, &event)) return false;
    } else if (gx_type_of(c->argv[1]) != &event_type) {
        return gx_arg_wrong(c, 1, "a cuda.Event");
    } else {
        event = gx_keep(c->argv[1]);
    }
    if (!record_now(c->rt, as_cuda(event))) {
        gx_drop(event);
        return false;
    }
    *out = event;
    return true;
}

static const gx_native stream_methods[] = {
    ROW("synchronize", "synchronize(self)", "Waits for pending work.", gx_cuda_synchronize),
    ROW("use", "use(self)", "Makes it the current stream.", cuda_enter),
    ROW("record", "record(self, event=None)", "Records an event.", stream_record),
    ROW("wait_event", "wait_event(self, event)", "Waits for an event.", cuda_nothing),
    ROW("__enter__", "__enter__(self, /)", "Makes it the current stream.", cuda_enter),
    ROW("__exit__", "__exit__(self, *args)", "Goes back to the stream before.", cuda_nothing),
    END,
};
static const gx_member stream_members[] = {
    {"done", get_true, NULL, "Is all work done?"},
    {"ptr", get_zero, NULL, "The handle: 0."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type stream_type = {
    .name = "cupy.cuda.stream.Stream", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = stream_methods, .members = stream_members,
};

bool gx_cuda_current_stream(gx_call *c, gx_value *out) {
    return make(c->rt, &stream_type, out);
}

/* cuda.Stream: callable, and Stream.null is the default stream. */
static bool class_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    (void)self;
    (void)argv;
    (void)kw;
    if (argc + kwc > 4)
        return gx_fail(rt, GX_TypeError, "",
                       "Stream(null=False, non_blocking=False, ptds=False, priority=0)");
    return make(rt, &stream_type, out);
}

static bool class_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "<class 'cupy.cuda.stream.Stream'>");
}

static bool class_null(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)self;
    return make(rt, &stream_type, out);
}

static const gx_member class_members[] = {
    {"null", class_null, NULL, "The default stream."},
    {"ptds", class_null, NULL, "The default stream of a thread."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type class_type = {
    .name = "type", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .repr = class_repr,
    .call = class_call, .members = class_members,
};

bool gx_cuda_stream_class(gx_rt *rt, gx_door door, gx_value *out) {
    (void)door;
    return make(rt, &class_type, out);
}
