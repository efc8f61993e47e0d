/* What a script may ask of the device beside arrays: facts, events, and `gx --doctor`, which looks
   for everything that computing on a GPU needs and says what is missing. */
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/order_int.h"
#include "runtime/cuda/state_int.h"

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

static bool read_attribute(gx_device *d, int attribute, int *out) {
    gx_cuda *c = gx_cuda_of(d);
    gx_cuda_state *s = c->state;
    return gx_cuda_check(c, s->api.cuDeviceGetAttribute(out, (unsigned)attribute, s->device),
                         "a device attribute");
}

static bool read_toolkit(gx_device *d, int *out) {
    gx_cuda_compiler *n = &gx_cuda_of(d)->state->compiler;
    if (!gx_cuda_compiler_open(n)) return false;
    *out = n->major * 1000 + n->minor * 10;
    return true;
}

static bool trim(gx_device *d) {
    return gx_cuda_trim(gx_cuda_of(d));
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

/* --- doctor --- */

/* The pending error and its help as lines; the error is gone then. */
static bool tell_error(gx_rt *rt, gx_buf *out, const char *what) {
    bool ok = gx_buf_printf(out, "%-10s missing: %s\n", what,
                            rt->error.message ? rt->error.message : "no memory");
    if (ok && rt->error.help) ok = gx_buf_printf(out, "%-10s help: %s\n", "", rt->error.help);
    gx_error_clear(rt);
    return ok;
}

/* NVRTC: found, and does it compile for this device? */
static bool look_at_compiler(gx_rt *rt, int prefer, const char *target, gx_buf *out) {
    gx_cuda_compiler n = {.rt = rt, .prefer = prefer};
    if (!gx_cuda_compiler_open(&n)) return tell_error(rt, out, "NVRTC");
    gx_buf code = gx_buf_new(rt);
    bool ok = gx_cuda_compile(&n, target, "extern \"C\" __global__ void gx_probe() {}", &code);
    gx_buf_free(&code);
    if (!ok) {
        if (!tell_error(rt, out, "NVRTC")) return false;
        return gx_buf_printf(out, "%-10s help: this GPU (%s) may be newer than NVRTC %d.%d\n", "",
                             target, n.major, n.minor);
    }
    return gx_buf_printf(out, "%-10s %d.%d, compiles for %s\n", "NVRTC", n.major, n.minor, target);
}

static bool look_at_library(gx_rt *rt, gx_cuda_library which, int prefer, const char *what,
                            gx_buf *out) {
    char path[4096];
    union {
        gx_cuda_blas blas;
        gx_cuda_solver solver;
    } functions;
    if (!gx_cuda_symbols(rt, which, prefer, &functions, path, sizeof path))
        return tell_error(rt, out, what);
    return gx_buf_printf(out, "%-10s %s\n", what, path);
}

static bool look_at_device(gx_rt *rt, gx_buf *out, int *prefer, char *target) {
    gx_device *d;
    if (!gx_cuda_backend.open(rt, &d)) return tell_error(rt, out, "GPU");
    gx_cuda *c = gx_cuda_of(d);
    int64_t available = 0, total = 0;
    bool ok = gx_cuda_memory(d, &available, &total);
    ok = ok &&
         gx_buf_printf(out, "%-10s %s, compute capability %d.%d, %.1f of %.1f GiB free\n", "GPU",
                       c->facts.name, c->facts.major, c->facts.minor, (double)available / 0x1p30,
                       (double)total / 0x1p30) &&
         gx_buf_printf(out, "%-10s %d.%d\n", "driver", c->facts.driver / 1000,
                       c->facts.driver % 1000 / 10);
    *prefer = c->facts.driver / 1000;
    memcpy(target, c->state->target, sizeof c->state->target);
    gx_cuda_backend.close(d);
    return ok;
}

/* What sorts large arrays. */
static bool look_at_sorter(gx_buf *out) {
    char path[4096];
    if (gx_cuda_sorter_path(path, sizeof path))
        return gx_buf_printf(out, "%-10s %s\n", "sorting", path);
    return gx_buf_printf(out, "%-10s libgxsort.so is missing: the host sorts large arrays\n"
                              "%-10s help: build gx where nvcc is, and keep lib/ beside bin/\n",
                         "sorting", "");
}

static bool doctor(gx_rt *rt, gx_buf *out) {
    int prefer = 0;
    char target[16] = "sm_90", folder[4096];
    bool ok = look_at_device(rt, out, &prefer, target) &&
              look_at_compiler(rt, prefer, target, out) &&
              look_at_library(rt, GX_LIB_BLAS, prefer, "cuBLAS", out) &&
              look_at_library(rt, GX_LIB_SOLVER, prefer, "cuSOLVER", out) &&
              look_at_library(rt, GX_LIB_FFT, prefer, "cuFFT", out) &&
              look_at_sorter(out);
    if (!ok) return false;
    if (!gx_cuda_cache_folder(folder, sizeof folder, true))
        return gx_buf_printf(out, "%-10s none: kernels are compiled anew in each process\n",
                             "cache");
    return gx_buf_printf(out, "%-10s %s\n", "cache", folder);
}

const gx_gpu_calls gx_cuda_calls = {
    .facts = read_info,
    .attribute = read_attribute,
    .toolkit = read_toolkit,
    .trim = trim,
    .event_new = event_new,
    .event_free = event_free,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_done = event_done,
    .event_elapsed = event_elapsed,
    .lost = lost,
    .doctor = doctor,
    .streams = &gx_cuda_streams,
};
