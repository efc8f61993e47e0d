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
