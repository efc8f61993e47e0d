/* The CPU backend: its table of functions, opening and closing. The work is in the other files of
   this folder; buffers are host memory, so every call is done when it returns. */
#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/cpu/fft/fft.h"
#include "runtime/backend/cpu/image/image.h"

#include <string.h>

static void close_device(gx_device *device) {
    gx_cpu *cpu = gx_cpu_of(device);
    gx_rt *rt = device->rt;
    (void)gx_leave_sweep(cpu, true);
    gx_threads_close(cpu);
    gx_fft_cache_free(cpu);
    gx_pool_close(cpu);
    if (cpu->scratch) {
        for (int i = 0; i < cpu->threads; i++) {
            if (!cpu->scratch[i]) continue;
            gx_free(rt, cpu->scratch[i]->raw);
            gx_free(rt, cpu->scratch[i]);
        }
        gx_free(rt, cpu->scratch);
    }
    gx_free(rt, cpu->plan);
    gx_free(rt, cpu);
}

static bool open_device(gx_rt *rt, gx_device **out) {
    gx_cpu *cpu = gx_alloc_zero(rt, sizeof *cpu);
    if (!cpu) return false;
    cpu->base.backend = &gx_cpu_backend;
    cpu->base.rt = rt;
    cpu->loops = gx_cpu_loops();
    if (!gx_threads_open(cpu) || !gx_pool_open(cpu)) goto fail;
    cpu->plan = gx_alloc(rt, sizeof *cpu->plan);
    if (!cpu->plan) goto fail;
    cpu->scratch = gx_alloc_zero(rt, sizeof *cpu->scratch * (size_t)cpu->threads);
    if (!cpu->scratch) goto fail;
    *out = &cpu->base;
    return true;
fail:
    close_device(&cpu->base);
    return false;
}

static bool sync_device(gx_device *device) {
    (void)device; /* nothing runs behind the caller's back */
    return true;
}

static bool memory(gx_device *device, int64_t *free_bytes, int64_t *total) {
    gx_pool_memory(gx_cpu_of(device), free_bytes, total);
    return true;
}

static bool host_put(gx_buffer *b, int64_t at, const void *from, int64_t bytes) {
    if (bytes > 0) memcpy(b->data + at, from, (size_t)bytes);
    return true;
}

static bool get(const gx_buffer *b, int64_t at, void *to, int64_t bytes) {
    if (bytes > 0) memcpy(to, b->data + at, (size_t)bytes);
    return true;
}

static int thread_count(gx_device *device) {
    return gx_threads_count(gx_cpu_of(device));
}

static void run_tasks(gx_device *device, int64_t n, gx_task fn, void *arg) {
    gx_threads_run(gx_cpu_of(device), n, true, fn, arg);
}

const gx_backend gx_cpu_backend = {
    .name = "cpu",
    .doc = "Loops over blocks in the cache, on all cores.",
    .open = open_device,
    .close = close_device,
    .sync = sync_device,
    .memory = memory,
    .alloc = gx_pool_alloc,
    .release = gx_pool_release,
    .put = host_put,
    .get = get,
    .host = true,
    .order = &gx_cpu_order,
    .run = gx_run_tape,
    .small = gx_cpu_small,
    .at = gx_cpu_at,
    .fold = gx_cpu_fold,
    .gather = gx_take_gather,
    .scatter = gx_take_scatter,
    .select = gx_take_select,
    .nonzero = gx_take_nonzero,
    .matmul = gx_matmul_run,
    .squares = true,
    .nonzeros = gx_cpu_nonzeros,
    .each = gx_cpu_each,
    .has_each = gx_cpu_has_each,
    .scan = gx_cpu_scan,
    .scans = gx_cpu_scans,
    .linalg = &gx_cpu_linalg,
    .threads = thread_count,
    .tasks = run_tasks,
    .fourier_lines = gx_cpu_fourier_lines,
    .filter = gx_cpu_filter,
    .takes_filter = gx_cpu_takes_filter,
    .cost = &gx_cpu_cost,
};
