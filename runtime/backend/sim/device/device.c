/* The tables of the simulated GPU's two backends, opening and closing. */
#include <string.h>

#include "runtime/backend/sim/device/device_int.h"

static void close_device(gx_device *device) {
    gx_sim_device *s = gx_sim_of(device);
    gx_rt *rt = device->rt;
    gx_gpu_close(&s->gpu);
    gx_buffer_drop(s->flags);
    gx_gpu_library_close(&s->stored);
    if (s->host) gx_cpu_backend.close(s->host);
    gx_free(rt, s->buffers);
    gx_free(rt, s);
}

static bool open_device(gx_rt *rt, const gx_backend *backend, gx_device **out) {
    gx_sim_device *s = gx_alloc_zero(rt, sizeof *s);
    if (!s) return false;
    s->gpu = (gx_gpu){.base = {.backend = backend, .rt = rt}, .driver = &gx_sim_driver,
                      .units = 2, .shared_block = 96 << 10};
    if (!gx_cpu_backend.open(rt, &s->host) || !gx_gpu_open(&s->gpu) ||
        !gx_sim_alloc(&s->gpu.base, GX_GPU_FLAGS * 4, &s->flags)) {
        close_device(&s->gpu.base);
        return false;
    }
    char *words = gx_sim_host(s->flags)->data;
    memset(words, 0, GX_GPU_FLAGS * 4);
    gx_gpu_conditions_at(&s->gpu, (uint32_t *)(void *)words, gx_gpu_address(s->flags));
    *out = &s->gpu.base;
    return true;
}

static bool open_sim(gx_rt *rt, gx_device **out) {
    return open_device(rt, &gx_sim_backend, out);
}

static bool open_twin(gx_rt *rt, gx_device **out) {
    return open_device(rt, &gx_twin_backend, out);
}

static bool sync_device(gx_device *d) {
    (void)d; /* nothing runs behind the caller's back */
    return true;
}

static bool memory(gx_device *d, int64_t *free_bytes, int64_t *total) {
    return gx_cpu_backend.memory(gx_sim_of(d)->host, free_bytes, total);
}

const gx_backend gx_sim_backend = {
    .name = "sim",
    .doc = "A simulated GPU: the kernels of one, run by the PTX simulator.",
    .open = open_sim,
    .close = close_device,
    .sync = sync_device,
    .memory = memory,
    .alloc = gx_sim_alloc,
    .release = gx_sim_release,
    .put = gx_sim_put,
    .get = gx_sim_get,
    .simulated = true,
    .launches = true,
    .about_mean = true,
    .run = gx_gpu_run,
    .gather = gx_gpu_gather,
    .scatter = gx_gpu_scatter,
    .outside = gx_gpu_outside,
    .select = gx_gpu_select,
    .nonzero = gx_gpu_nonzero,
    .matmul = gx_sim_matmul,
    .linalg = &gx_sim_linalg,
    .each = gx_gpu_each,
    .has_each = gx_gpu_has_each,
    .scan = gx_gpu_scan,
    .scans = gx_gpu_scans,
    .filter = gx_gpu_filter,
    .takes_filter = gx_gpu_takes_filter,
    .order = &gx_gpu_order,
    .cost = &gx_sim_cost,
    .blame = gx_gpu_blame,
    .met = gx_gpu_met,
};

const gx_backend gx_twin_backend = {
    .name = "twin",
    .doc = "A simulated GPU: the host's loops over memory of its own.",
    .open = open_twin,
    .close = close_device,
    .sync = sync_device,
    .memory = memory,
    .alloc = gx_sim_alloc,
    .release = gx_sim_release,
    .put = gx_sim_put,
    .get = gx_sim_get,
    .simulated = true,
    .launches = true,
    .run = gx_sim_run_tape,
    .gather = gx_sim_gather,
    .scatter = gx_sim_scatter,
    .select = gx_sim_select,
    .nonzero = gx_sim_nonzero,
    .matmul = gx_sim_matmul,
    .linalg = &gx_sim_linalg,
    .each = gx_sim_each,
    .has_each = gx_sim_has_each,
    .scan = gx_sim_scan,
    .scans = gx_sim_scans,
    .filter = gx_sim_filter,
    .takes_filter = gx_sim_takes_filter,
    .order = &gx_sim_order,
    .cost = &gx_sim_cost,
    .blame = gx_gpu_blame,
    .met = gx_gpu_met,
};
