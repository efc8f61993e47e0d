/* cupy.cuda where the CPU serves arrays: streams, devices, events and memory pools that scripts use
   for timing and clean-up behave (synchronising computes what is pending); questions that need a
   device say that there is none. */
#include <stdio.h>
#include <time.h>

#include "runtime/list.h"
#include "runtime/str.h"
#include "runtime/ufunc.h"
#include "stdlib/stdlib.h"

/* A stream, device, event or pool: they differ in their types. */
typedef struct cuda_object {
    gx_obj obj;
    int64_t id;      /* of a device */
    double recorded; /* when an event was recorded, in ms; negative: never */
} cuda_object;

static cuda_object *as_cuda(gx_borrowed v) {
    return (cuda_object *)v.obj;
}

static bool make(gx_rt *rt, const gx_type *type, int64_t id, gx_value *out) {
    cuda_object *o = gx_obj_new(rt, type, sizeof *o);
    if (!o) return false;
    o->id = id;
    o->recorded = -1;
    *out = gx_object(&o->obj);
    return true;
}

static bool no_device(gx_rt *rt) {
    return gx_fail(rt, GX_RuntimeError, "cuda.none",
                   "no CUDA device is available: gx computes on the CPU here");
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

static bool cuda_synchronize(gx_call *c, gx_value *out) {
    return gx_lazy_flush(c->rt) && done(out);
}

static bool cuda_enter(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool cuda_unavailable(gx_call *c, gx_value *out) {
    (void)out;
    return no_device(c->rt);
}

static bool get_true(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(true);
    return true;
}

static bool get_id(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(as_cuda(self)->id);
    return true;
}

static bool get_unavailable(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)self;
    (void)out;
    return no_device(rt);
}

#define ROW(n, sig, text, fn) {n, sig, text, NULL, fn, 0, 0}
#define END {NULL, NULL, NULL, NULL, NULL, 0, 0}

/* --- events --- */

static bool record_now(gx_rt *rt, cuda_object *event) {
    struct timespec t;
    if (!gx_lazy_flush(rt)) return false;
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->recorded = (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
    return true;
}

static bool event_record(gx_call *c, gx_value *out) {
    return record_now(c->rt, as_cuda(c->argv[0])) && done(out);
}

static const gx_native event_methods[] = {
    ROW("record", "record(self, stream=None)", "Notes the time, once pending work is done.",
        event_record),
    ROW("synchronize", "synchronize(self)", "Waits for pending work.", cuda_synchronize),
    END,
};
static const gx_member event_members[] = {
    {"done", get_true, NULL, "Has it happened?"},
    {NULL, NULL, NULL, NULL},
};
static const gx_type event_type = {
    .name = "cupy.cuda.stream.Event", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = event_methods, .members = event_members,
};

static bool cuda_Event(gx_call *c, gx_value *out) {
    return make(c->rt, &event_type, 0, out);
}

static bool cuda_get_elapsed_time(gx_call *c, gx_value *out) {
    for (int i = 0; i < 2; i++) {
        if (gx_type_of(c->argv[i]) != &event_type) return gx_arg_wrong(c, i, "a cuda.Event");
        if (as_cuda(c->argv[i])->recorded < 0)
            return gx_fail(c->rt, GX_ValueError, "cuda.event",
                           "get_elapsed_time: an event has not been recorded");
    }
    *out = gx_float(as_cuda(c->argv[1])->recorded - as_cuda(c->argv[0])->recorded);
    return true;
}

/* --- streams --- */

static bool stream_record(gx_call *c, gx_value *out) {
    gx_value event;
    if (c->argv[1].tag == GX_NONE) {
        if (!make(c->rt, &event_type, 0, &event)) return false;
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
    ROW("synchronize", "synchronize(self)", "Waits for pending work.", cuda_synchronize),
    ROW("use", "use(self)", "Makes it the current stream.", cuda_enter),
    ROW("record", "record(self, event=None)", "Records an event.", stream_record),
    ROW("wait_event", "wait_event(self, event)", "Waits for an event.", cuda_nothing),
    ROW("__enter__", "__enter__(self, /)", "Makes it the current stream.", cuda_enter),
    ROW("__exit__", "__exit__(self, *args)", "Goes back to the stream before.", cuda_nothing),
    END,
};
static const gx_member stream_members[] = {
    {"done", get_true, NULL, "Is all work done?"},
    {"ptr", get_id, NULL, "The handle: 0."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type stream_type = {
    .name = "cupy.cuda.stream.Stream", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = stream_methods, .members = stream_members,
};

static bool cuda_get_current_stream(gx_call *c, gx_value *out) {
    return make(c->rt, &stream_type, 0, out);
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
    return make(rt, &stream_type, 0, out);
}

static bool class_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    (void)v;
    return gx_buf_puts(out, "<class 'cupy.cuda.stream.Stream'>");
}

static bool class_null(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)self;
    return make(rt, &stream_type, 0, out);
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

static bool make_stream_class(gx_rt *rt, gx_door door, gx_value *out) {
    (void)door;
    return make(rt, &class_type, 0, out);
}

/* --- devices --- */

static bool device_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<CUDA Device %lld>", (long long)as_cuda(v)->id);
}

static gx_try device_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || gx_type_of(a) != gx_type_of(b)) return GX_TRY_NO;
    *out = gx_bool((as_cuda(a)->id == as_cuda(b)->id) == (op == GX_EQ));
    return GX_TRY_YES;
}

static const gx_native device_methods[] = {
    ROW("use", "use(self)", "Makes it the current device.", cuda_enter),
    ROW("synchronize", "synchronize(self)", "Waits for pending work.", cuda_synchronize),
    ROW("__enter__", "__enter__(self, /)", "Makes it the current device.", cuda_enter),
    ROW("__exit__", "__exit__(self, *args)", "Goes back to the device before.", cuda_nothing),
    END,
};
static const gx_member device_members[] = {
    {"id", get_id, NULL, "The device's number."},
    {"compute_capability", get_unavailable, NULL, "The generation, as '90'."},
    {"mem_info", get_unavailable, NULL, "Free and total bytes."},
    {"attributes", get_unavailable, NULL, "The device's properties."},
    {"pci_bus_id", get_unavailable, NULL, "Where it is plugged in."},
    {NULL, NULL, NULL, NULL},
};
static const gx_type device_type = {
    .name = "cupy.cuda.device.Device", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .repr = device_repr, .compare = device_compare, .methods = device_methods,
    .members = device_members,
};

static bool cuda_Device(gx_call *c, gx_value *out) {
    int64_t id = 0;
    if (gx_arg_some(c, 0) && !gx_arg_int(c, 0, &id)) return false;
    if (id != 0) return no_device(c->rt);
    return make(c->rt, &device_type, 0, out);
}

/* --- memory pools --- */

static bool pool_used_bytes(gx_call *c, gx_value *out) {
    *out = gx_int(c->rt->stats.array_bytes);
    return true;
}

static bool pool_zero(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_int(0);
    return true;
}

static const gx_native pool_methods[] = {
    ROW("used_bytes", "used_bytes(self)", "Bytes of living arrays.", pool_used_bytes),
    ROW("total_bytes", "total_bytes(self)", "Bytes taken from the system.", pool_used_bytes),
    ROW("free_bytes", "free_bytes(self)", "Bytes kept for later.", pool_zero),
    ROW("n_free_blocks", "n_free_blocks(self)", "Blocks kept for later.", pool_zero),
    ROW("free_all_blocks", "free_all_blocks(self, stream=None)", "Gives back what is kept.",
        cuda_nothing),
    ROW("set_limit", "set_limit(self, size=None, fraction=None)", "Has no effect on the CPU.",
        cuda_nothing),
    ROW("get_limit", "get_limit(self)", "The limit in bytes; 0: none.", pool_zero),
    END,
};
static const gx_type pool_type = {
    .name = "cupy.cuda.memory.MemoryPool", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE,
    .methods = pool_methods,
};

static bool cuda_pool(gx_call *c, gx_value *out) {
    return make(c->rt, &pool_type, 0, out);
}

static bool cuda_is_available(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_bool(false);
    return true;
}

const gx_native gx_cuda_functions[] = {
    ROW("is_available", "is_available()", "Is there a usable CUDA device?", cuda_is_available),
    ROW("Device", "Device(device=None)", "A device; a context manager.", cuda_Device),
    ROW("Event", "Event(block=False, disable_timing=False, interprocess=False)",
        "A moment between two pieces of work.", cuda_Event),
    ROW("get_elapsed_time", "get_elapsed_time(start_event, end_event)",
        "Milliseconds between two recorded events.", cuda_get_elapsed_time),
    ROW("get_current_stream", "get_current_stream(device_id=None)", "The current stream.",
        cuda_get_current_stream),
    ROW("MemoryPool", "MemoryPool(allocator=None)", "A memory pool.", cuda_pool),
    ROW("set_allocator", "set_allocator(allocator=None)", "Has no effect on the CPU.",
        cuda_nothing),
    END,
};

const gx_constant gx_cuda_constants[] = {
    {.name = "Stream", .kind = GX_CONST_MAKE, .make = make_stream_class},
    {.name = "runtime", .kind = GX_CONST_MODULE, .text = "cupy.cuda.runtime"},
    {.name = NULL},
};

const gx_native gx_cuda_runtime_functions[] = {
    ROW("getDeviceCount", "getDeviceCount()", "How many CUDA devices there are.", pool_zero),
    ROW("deviceSynchronize", "deviceSynchronize()", "Waits for pending work.", cuda_synchronize),
    ROW("getDevice", "getDevice()", "The current device's number.", cuda_unavailable),
    ROW("setDevice", "setDevice(device)", "Sets the current device.", cuda_unavailable),
    ROW("runtimeGetVersion", "runtimeGetVersion()", "The CUDA runtime's version.",
        cuda_unavailable),
    ROW("driverGetVersion", "driverGetVersion()", "The CUDA driver's version.", cuda_unavailable),
    ROW("getDeviceProperties", "getDeviceProperties(device)", "Facts about a device.",
        cuda_unavailable),
    ROW("memGetInfo", "memGetInfo()", "Free and total bytes.", cuda_unavailable),
    END,
};

/* What cupy has beside numpy's names. */
const gx_native gx_cupy_functions[] = {
    ROW("get_default_memory_pool", "get_default_memory_pool()", "The pool of array memory.",
        cuda_pool),
    ROW("get_default_pinned_memory_pool", "get_default_pinned_memory_pool()",
        "The pool of host memory for transfers.", cuda_pool),
    END,
};

const gx_constant gx_cupy_constants[] = {
    {.name = "cuda", .kind = GX_CONST_MODULE, .text = "cupy.cuda"},
    {.name = NULL},
};
