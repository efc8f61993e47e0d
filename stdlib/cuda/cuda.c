/* cupy.cuda: streams and events. What is pending is enqueued before a stream is chosen, recorded or
   left; synchronising computes what is pending and waits. Without a GPU they behave the same, by
   the clock. Devices and memory are device.c's. */
#include <string.h>
#include <time.h>

#include "runtime/backend/gpu.h"
#include "runtime/op/ufunc.h"
#include "stdlib/cuda/cuda.h"

typedef struct cuda_event {
    gx_obj obj;
    double recorded; /* in ms; negative: never */
    void *event;     /* the GPU's, once it was recorded there */
    bool untimed;
} cuda_event;

typedef struct cuda_stream {
    gx_obj obj;
    void *handle; /* counted; NULL: the default stream, or there is no GPU */
    bool null;
    void **before; /* the streams that blocks go back to */
    int depth, room;
} cuda_stream;

static cuda_event *as_event(gx_borrowed v) {
    return (cuda_event *)v.obj;
}

static cuda_stream *as_stream(gx_borrowed v) {
    return (cuda_stream *)v.obj;
}

static bool done(gx_value *out) {
    *out = gx_none();
    return true;
}

bool gx_cuda_synchronize(gx_call *c, gx_value *out) {
    return gx_lazy_flush(c->rt) && done(out);
}

#define ROW(n, sig, text, fn) {n, sig, text, NULL, fn, 0, 0}
#define END {NULL, NULL, NULL, NULL, NULL, 0, 0}

/* --- events --- */

static const gx_type stream_type;

/* On a GPU the event follows what is enqueued; nothing waits. */
static bool record_on(gx_rt *rt, cuda_event *event, void *stream) {
    struct timespec t;
    bool there;
    if (!gx_lazy_start(rt) || !gx_gpu_there(rt, &there)) return false;
    if (there) {
        if (!event->event && !gx_gpu_event_new(rt, &event->event)) return false;
        if (!gx_gpu_event_record(rt, event->event, stream)) return false;
    } else if (!gx_lazy_flush(rt)) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->recorded = (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
    return true;
}

static void event_free(gx_rt *rt, gx_obj *o) {
    gx_gpu_event_free(rt, ((cuda_event *)o)->event);
    gx_free(rt, o);
}

static bool event_synchronize(gx_call *c, gx_value *out) {
    cuda_event *event = as_event(c->argv[0]);
    bool ok = event->event ? gx_gpu_event_wait(c->rt, event->event) : gx_lazy_flush(c->rt);
    return ok && done(out);
}

static bool event_get_done(gx_rt *rt, gx_borrowed self, gx_value *out) {
    bool happened = true;
    void *event = as_event(self)->event;
    if (event && !gx_gpu_event_done(rt, event, &happened)) return false;
    *out = gx_bool(happened);
    return true;
}

static bool event_record(gx_call *c, gx_value *out) {
    void *stream = gx_gpu_stream_current(c->rt);
    if (gx_arg_some(c, 1)) {
        if (gx_type_of(c->argv[1]) != &stream_type) return gx_arg_wrong(c, 1, "a cuda.Stream");
        stream = as_stream(c->argv[1])->handle;
    }
    return record_on(c->rt, as_event(c->argv[0]), stream) && done(out);
}

static const gx_native event_methods[] = {
    ROW("record", "record(self, stream=None)", "Happens when what is enqueued now is done.",
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

static bool make_event(gx_rt *rt, gx_value *out) {
    cuda_event *o = gx_obj_new(rt, &event_type, sizeof *o);
    if (!o) return false;
    o->recorded = -1;
    *out = gx_object(&o->obj);
    return true;
}

bool gx_cuda_event(gx_call *c, gx_value *out) {
    bool untimed;
    if (!gx_arg_bool(c, 1, &untimed) || !make_event(c->rt, out)) return false;
    as_event(*out)->untimed = untimed;
    return true;
}

bool gx_cuda_elapsed(gx_call *c, gx_value *out) {
    for (int i = 0; i < 2; i++) {
        if (gx_type_of(c->argv[i]) != &event_type) return gx_arg_wrong(c, i, "a cuda.Event");
        const cuda_event *e = as_event(c->argv[i]);
        if (e->recorded < 0)
            return gx_fail(c->rt, GX_ValueError, "cuda.event",
                           "get_elapsed_time: an event has not been recorded");
        if (e->untimed)
            return gx_fail(c->rt, GX_ValueError, "cuda.event",
                           "get_elapsed_time: an event was made with disable_timing=True");
    }
    const cuda_event *start = as_event(c->argv[0]), *end = as_event(c->argv[1]);
    double ms = end->recorded - start->recorded;
    if (start->event && end->event &&
        !gx_gpu_event_elapsed(c->rt, start->event, end->event, &ms))
        return false;
    *out = gx_float(ms);
    return true;
}

/* --- streams --- */

static void stream_free(gx_rt *rt, gx_obj *o) {
    cuda_stream *s = (cuda_stream *)o;
    while (s->depth > 0) gx_gpu_stream_drop(rt, s->before[--s->depth]);
    gx_gpu_stream_drop(rt, s->handle);
    gx_free(rt, s->before);
    gx_free(rt, o);
}

static bool stream_synchronize(gx_call *c, gx_value *out) {
    void *handle = as_stream(c->argv[0])->handle;
    bool there;
    if (!gx_gpu_there(c->rt, &there)) return false;
    if (!there || handle == gx_gpu_stream_current(c->rt)) return gx_cuda_synchronize(c, out);
    return gx_gpu_stream_sync(c->rt, handle) && done(out);
}

/* What is pending belongs to the stream that is left. */
static bool change_to(gx_rt *rt, void *handle) {
    bool there;
    if (!gx_gpu_there(rt, &there)) return false;
    if (!there || handle == gx_gpu_stream_current(rt)) return true;
    return gx_lazy_start(rt) && gx_gpu_stream_use(rt, handle);
}

bool gx_cuda_visit_begin(gx_rt *rt, gx_borrowed stream, const char *who, gx_cuda_visit *visit) {
    *visit = (gx_cuda_visit){0};
    if (stream.tag == GX_UNDEF || stream.tag == GX_NONE) return true;
    if (gx_type_of(stream) != &stream_type) {
        gx_fail(rt, GX_TypeError, "cuda.stream", "%s: stream is a cuda.Stream or None, not %s", who,
                gx_type_name(stream));
        return false;
    }
    visit->before = gx_gpu_stream_current(rt);
    gx_gpu_stream_keep(rt, visit->before);
    visit->inside = change_to(rt, as_stream(stream)->handle);
    if (!visit->inside) gx_gpu_stream_drop(rt, visit->before);
    return visit->inside;
}

bool gx_cuda_visit_end(gx_rt *rt, gx_cuda_visit *visit, bool ok) {
    if (!visit->inside) return ok;
    bool there = false;
    /* behind a failure its error is the one to tell, and nothing is pending that must start here */
    if (ok)
        ok = change_to(rt, visit->before);
    else if (!gx_gpu_lost(rt) && gx_gpu_there(rt, &there) && there)
        there = gx_gpu_stream_use(rt, visit->before);
    gx_gpu_stream_drop(rt, visit->before);
    visit->inside = false;
    return ok;
}

static bool stream_use(gx_call *c, gx_value *out) {
    if (!change_to(c->rt, as_stream(c->argv[0])->handle)) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool stream_enter(gx_call *c, gx_value *out) {
    cuda_stream *s = as_stream(c->argv[0]);
    gx_rt *rt = c->rt;
    if (s->depth == s->room) {
        int room = s->room ? 2 * s->room : 2;
        void **more = gx_realloc(rt, s->before, (size_t)room * sizeof *more);
        if (!more) return false;
        s->before = more;
        s->room = room;
    }
    void *before = gx_gpu_stream_current(rt);
    gx_gpu_stream_keep(rt, before);
    if (!change_to(rt, s->handle)) {
        gx_gpu_stream_drop(rt, before);
        return false;
    }
    s->before[s->depth++] = before;
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool stream_exit(gx_call *c, gx_value *out) {
    cuda_stream *s = as_stream(c->argv[0]);
    if (s->depth == 0)
        return gx_fail(c->rt, GX_RuntimeError, "cuda.stream", "no block of this stream is open");
    void *before = s->before[--s->depth];
    bool ok = gx_gpu_lost(c->rt) || change_to(c->rt, before); /* a lost GPU was told already */
    gx_gpu_stream_drop(c->rt, before);
    return ok && done(out);
}

static bool stream_record(gx_call *c, gx_value *out) {
    gx_value event;
    if (!gx_arg_some(c, 1)) {
        if (!make_event(c->rt, &event)) return false;
    } else if (gx_type_of(c->argv[1]) != &event_type) {
        return gx_arg_wrong(c, 1, "a cuda.Event");
    } else {
        event = gx_keep(c->argv[1]);
    }
    if (!record_on(c->rt, as_event(event), as_stream(c->argv[0])->handle)) {
        gx_drop(event);
        return false;
    }
    *out = event;
    return true;
}

static bool stream_wait(gx_call *c, gx_value *out) {
    if (gx_type_of(c->argv[1]) != &event_type) return gx_arg_wrong(c, 1, "a cuda.Event");
    void *event = as_event(c->argv[1])->event;
    if (event && !gx_gpu_stream_wait(c->rt, as_stream(c->argv[0])->handle, event)) return false;
    return done(out);
}

/* The function is called once the stream's work is done, before the script goes on. */
static bool call_after(gx_call *c, int argc, const gx_borrowed *argv, gx_value *out) {
    gx_value r;
    if (!stream_synchronize(c, &r)) return false;
    gx_drop(r);
    if (!gx_call_value(c->rt, c->argv[1], argc, argv, 0, NULL, &r)) return false;
    gx_drop(r);
    return done(out);
}

static bool stream_host_function(gx_call *c, gx_value *out) {
    return call_after(c, 1, &c->argv[2], out);
}

static bool stream_callback(gx_call *c, gx_value *out) {
    const gx_borrowed argv[3] = {c->argv[0], gx_int(0), c->argv[2]};
    return call_after(c, 3, argv, out);
}

static bool stream_is_capturing(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_bool(false);
    return true;
}

static bool get_done(gx_rt *rt, gx_borrowed self, gx_value *out) {
    bool there, finished = true;
    if (!gx_lazy_start(rt) || !gx_gpu_there(rt, &there)) return false;
    if (there && !gx_gpu_stream_done(rt, as_stream(self)->handle, &finished)) return false;
    *out = gx_bool(finished);
    return true;
}

static bool get_ptr(gx_rt *rt, gx_borrowed self, gx_value *out) {
    *out = gx_int((int64_t)gx_gpu_stream_handle(rt, as_stream(self)->handle));
    return true;
}

static bool get_null(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(as_stream(self)->null);
    return true;
}

static bool get_device_id(gx_rt *rt, gx_borrowed self, gx_value *out) {
    *out = gx_int(as_stream(self)->null ? -1 : rt->gpu_index);
    return true;
}

static gx_try stream_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || gx_type_of(a) != gx_type_of(b)) return GX_TRY_NO;
    const cuda_stream *x = as_stream(a), *y = as_stream(b);
    bool same = x == y || (x->handle == y->handle && (x->handle || (x->null && y->null)));
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool stream_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const cuda_stream *s = as_stream(v);
    return gx_buf_printf(out, "<Stream %llu (device %d)>",
                         (unsigned long long)gx_gpu_stream_handle(rt, s->handle),
                         s->null ? -1 : rt->gpu_index);
}

static const gx_native stream_methods[] = {
    ROW("synchronize", "synchronize(self)", "Waits for its work.", stream_synchronize),
    ROW("use", "use(self)", "Makes it the current stream.", stream_use),
    ROW("record", "record(self, event=None)", "Records an event, a new one if none is given.",
        stream_record),
    ROW("wait_event", "wait_event(self, event)", "What comes after waits for an event.",
        stream_wait),
    ROW("launch_host_func", "launch_host_func(self, callback, arg)",
        "Calls callback(arg) once the stream's work is done, for which it waits.",
        stream_host_function),
    ROW("add_callback", "add_callback(self, callback, arg)",
        "Calls callback(stream, 0, arg) once the stream's work is done, for which it waits.",
        stream_callback),
    ROW("is_capturing", "is_capturing(self)", "False: gx records no CUDA graphs.",
        stream_is_capturing),
    ROW("__enter__", "__enter__(self, /)", "Makes it the current stream.", stream_enter),
    ROW("__exit__", "__exit__(self, *args)", "Goes back to the stream before.", stream_exit),
    END,
};
static const gx_member stream_members[] = {
    {"done", get_done, NULL, "Is all work done?"},
    {"ptr", get_ptr, NULL, "The driver's handle; 0: the default stream."},
    {"null", get_null, NULL, "Is it the default stream?"},
    {"device_id", get_device_id, NULL, "Its device; -1: the default stream."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type stream_type = {
    .name = "cupy.cuda.stream.Stream", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = stream_methods, .members = stream_members, .free = stream_free,
    .compare = stream_compare, .repr = stream_repr,
};

/* `handle` is taken over, also on failure. */
static bool make_stream_take(gx_rt *rt, void *handle, bool null, gx_value *out) {
    cuda_stream *s = gx_obj_new(rt, &stream_type, sizeof *s);
    if (!s) {
        gx_gpu_stream_drop(rt, handle);
        return false;
    }
    s->handle = handle;
    s->null = null;
    *out = gx_object(&s->obj);
    return true;
}

bool gx_cuda_current_stream(gx_call *c, gx_value *out) {
    void *handle = gx_gpu_stream_current(c->rt);
    gx_gpu_stream_keep(c->rt, handle);
    return make_stream_take(c->rt, handle, !handle, out);
}

/* --- the class Stream: callable, and Stream.null is the default stream --- */

enum { ARG_NULL, ARG_NON_BLOCKING, ARG_PTDS, ARG_PRIORITY, ARGS };

static bool read_args(gx_rt *rt, int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw,
                      int64_t to[ARGS]) {
    static const char *const names[ARGS] = {"null", "non_blocking", "ptds", "priority"};
    for (int i = 0; i < argc + kwc; i++) {
        int at = i;
        if (i >= argc)
            for (at = 0; at < ARGS; at++)
                if (strcmp(gx_sym_text(rt, kw[i - argc]), names[at]) == 0) break;
        if (at >= ARGS)
            return gx_fail(rt, GX_TypeError, "cuda.stream",
                           "Stream(null=False, non_blocking=False, ptds=False, priority=0)");
        if (argv[i].tag == GX_NONE) continue;
        if (argv[i].tag != GX_BOOL && argv[i].tag != GX_INT)
            return gx_fail(rt, GX_TypeError, "cuda.stream", "Stream: %s is a number", names[at]);
        to[at] = argv[i].tag == GX_BOOL ? argv[i].b : argv[i].i;
    }
    return true;
}

static bool class_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    int64_t args[ARGS] = {0};
    void *handle = NULL;
    bool there;
    (void)self;
    if (!read_args(rt, argc, argv, kwc, kw, args) || !gx_gpu_there(rt, &there)) return false;
    bool null = args[ARG_NULL] || args[ARG_PTDS];
    int priority = args[ARG_PRIORITY] < -100   ? -100
                   : args[ARG_PRIORITY] > 100 ? 100
                                              : (int)args[ARG_PRIORITY];
    if (there && !null &&
        !gx_gpu_stream_new(rt, args[ARG_NON_BLOCKING] != 0, priority, &handle))
        return false;
    return make_stream_take(rt, handle, null, out);
}

static bool class_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "<class 'cupy.cuda.stream.Stream'>");
}

static bool class_null(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)self;
    return make_stream_take(rt, NULL, true, out);
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

bool gx_cuda_stream_class(gx_rt *rt, gx_namespace ns, gx_value *out) {
    gx_obj *o = gx_obj_new(rt, &class_type, sizeof *o);
    (void)ns;
    if (!o) return false;
    *out = gx_object(o);
    return true;
}
