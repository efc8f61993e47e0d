/* The CUDA backend: its table of functions, opening and closing. Everything is enqueued on one
   stream; only get, sync and what reads results back wait for it. */
#include "runtime/backend/cuda/state_int.h"

static void close_device(gx_device *device) {
    gx_cuda *c = gx_cuda_of(device);
    gx_rt *rt = device->rt;
    gx_cuda_warmed_products(c);
    if (c->state->stream && !c->state->fault) {
        if (!gx_cuda_wait(c)) gx_error_clear(rt); /* kernels may still run: nothing to be told to */
        gx_cuda_libraries_close(c);
    }
    gx_gpu_close(&c->gpu);
    gx_cuda_jobs_close(&c->state->compiler);
    gx_cuda_memory_close(c);
    gx_cuda_driver_close(c);
    gx_free(rt, c->state->sorter);
    gx_free(rt, c->state);
    gx_free(rt, c);
}

static bool open_device(gx_rt *rt, gx_device **out) {
    gx_cuda *c = gx_alloc_zero(rt, sizeof *c);
    if (!c) return false;
    c->gpu.base.backend = &gx_cuda_backend;
    c->gpu.base.rt = rt;
    c->gpu.driver = &gx_cuda_gpu_driver;
    c->state = gx_alloc_zero(rt, sizeof *c->state);
    if (!c->state) {
        gx_free(rt, c);
        return false;
    }
    c->state->compiler.rt = rt;
    gx_nvrtc_helper_open(&c->state->compiler);
    if (!gx_gpu_open(&c->gpu) || !gx_cuda_driver_open(c, rt->gpu_index) ||
        !gx_cuda_memory_open(c)) {
        close_device(&c->gpu.base);
        return false;
    }
    gx_cuda_warm_products(c);
    c->gpu.units = c->facts.sm_count;
    c->gpu.shared_block = c->facts.shared_block_optin;
    *out = &c->gpu.base;
    return true;
}

static bool sync_device(gx_device *device) {
    return gx_cuda_wait(gx_cuda_of(device));
}

static bool device_put(gx_buffer *b, int64_t at, const void *from, int64_t bytes) {
    return gx_cuda_put(gx_cuda_of(b->device), gx_gpu_address(b) + (gx_gpu_ptr)at, from, bytes);
}

static bool get(const gx_buffer *b, int64_t at, void *to, int64_t bytes) {
    return gx_cuda_download(gx_cuda_of(b->device), to, gx_gpu_address(b) + (gx_gpu_ptr)at, bytes);
}

const gx_backend gx_cuda_backend = {
    .name = "cuda",
    .doc = "Kernels compiled by NVRTC, and NVIDIA's libraries.",
    .open = open_device,
    .close = close_device,
    .warm = gx_cuda_warm,
    .sync = sync_device,
    .memory = gx_cuda_memory,
    .alloc = gx_cuda_alloc,
    .release = gx_cuda_release,
    .put = device_put,
    .get = get,
    .host = false,
    .launches = true,
    .about_mean = true,
    .run = gx_gpu_run,
    .gather = gx_gpu_gather,
    .scatter = gx_gpu_scatter,
    .outside = gx_gpu_outside,
    .select = gx_gpu_select,
    .nonzero = gx_gpu_nonzero,
    .matmul = gx_cuda_matmul,
    .each = gx_gpu_each,
    .has_each = gx_gpu_has_each,
    .scan = gx_gpu_scan,
    .scans = gx_gpu_scans,
    .fourier = gx_cuda_fourier,
    .filter = gx_gpu_filter,
    .takes_filter = gx_gpu_takes_filter,
    .order = &gx_gpu_order,
    .linalg = &gx_cuda_linalg,
    .gpu = &gx_cuda_calls,
    .cost = &gx_cuda_cost,
    .raw = &gx_cuda_raw,
    .blame = gx_gpu_blame,
    .met = gx_gpu_met,
};
