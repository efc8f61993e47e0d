/* Tasks on host data: hands them to the device's threads, or does them here one after the other. */
#include "runtime/device/work.h"

#include "runtime/backend/backend.h"

int gx_work_threads(const gx_rt *rt) {
    gx_device *d = rt->device;
    return d && d->backend->threads ? d->backend->threads(d) : 1;
}

void gx_work_run(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg) {
    if (rt->device) {
        gx_tasks_run(rt->device, n, fn, arg);
        return;
    }
    for (int64_t i = 0; i < n && !gx_work_stops(rt); i++) fn(arg, i, 0);
}

bool gx_work_long(gx_rt *rt, int64_t n, gx_work_fn fn, void *arg) {
    gx_work_run(rt, n, fn, arg);
    return gx_interrupt_check(rt);
}

int64_t gx_work_tasks(int64_t n, int64_t least) {
    enum { EACH = 1 << 18 };
    return n / EACH > least ? n / EACH : least;
}
