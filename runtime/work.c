/* Tasks on host data: hands them to the device's threads, or does them here one after the other. */
#include "runtime/work.h"

#include "runtime/backend.h"

int gx_work_threads(const gx_rt *rt) {
    gx_device *d = rt->device;
    return d && d->backend->threads ? d->backend->threads(d) : 1;
}

const struct gx_fft_loops *gx_fft_kernels(bool single) {
    return gx_cpu_backend.fft(single);
}

const struct gx_image_loops *gx_image_kernels(void) {
    return gx_cpu_backend.image();
}

void gx_work_run(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg) {
    gx_device *d = rt->device;
    if (n > 1 && d && d->backend->tasks) {
        d->backend->tasks(d, n, fn, arg);
        return;
    }
    for (int64_t i = 0; i < n; i++) fn(arg, i, 0);
}

typedef struct unless_stopped {
    const gx_rt *rt;
    gx_work_fn fn;
    void *arg;
} unless_stopped;

static void try_task(void *arg, int64_t task, int thread) {
    const unless_stopped *u = arg;
    if (!u->rt->interrupted) u->fn(u->arg, task, thread);
}

bool gx_work_long(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg) {
    unless_stopped u = {rt, fn, arg};
    gx_work_run(rt, n, try_task, &u);
    return gx_interrupt_check(rt);
}
