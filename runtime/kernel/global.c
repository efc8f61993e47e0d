/* Variables of a module (__device__ and __constant__) from the host's side: their size, and their
   bytes there and back, wherever the module runs. */
#include <string.h>

#include "runtime/device/backends.h"
#include "runtime/kernel/launch_int.h"

/* The simulator's variable; simulated GPU: of the instrumented text, which checks its accesses. */
static bool host_variable(gx_raw *raw, const char *name, char **data, int64_t *bytes) {
    gx_sim *sim = raw->sim;
    bool there;
    if (!gx_gpu_there(raw->rt, &there)) return false;
    if (gx_raw_is_simulated(raw->rt)) {
        if (!gx_raw_simulator(raw)) return false;
        sim = raw->simulator;
    }
    return gx_sim_variable(sim, name, data, bytes);
}

/* The text runs in one or two modules: with checks, and without. */
static int gpu_variables(gx_raw *raw, const char *name, uint64_t address[2], int64_t *bytes) {
    gx_rt *rt = raw->rt;
    void *module;
    int n = 0;
    for (int watching = 1; watching >= 0; watching--) {
        if (watching && raw->unwatchable) continue;
        if (!gx_raw_load(raw, watching, &module)) return 0;
        if (rt->gpu->backend->raw->global(rt->gpu, module, name, &address[n], bytes)) n++;
        if (gx_failed(&rt->error)) return 0;
    }
    return n;
}

bool gx_raw_global(gx_raw *raw, const char *name, int64_t *bytes) {
    char *data;
    uint64_t address[2];
    bool there = gx_raw_on_gpu(raw->rt);
    if (strncmp(name, "gx_types_", 9) != 0 && (there ? gpu_variables(raw, name, address, bytes) > 0
                                                     : host_variable(raw, name, &data, bytes)))
        return true;
    return !gx_failed(&raw->rt->error) &&
           gx_fail(raw->rt, GX_ValueError, "kernel.global",
                   "the source has no variable '%s': a __device__ or __constant__ one that a "
                   "kernel uses",
                   name);
}

bool gx_raw_global_put(gx_raw *raw, const char *name, const void *from, int64_t bytes) {
    gx_rt *rt = raw->rt;
    char *data;
    int64_t size;
    uint64_t address[2];
    if (!gx_raw_on_gpu(rt)) {
        if (!host_variable(raw, name, &data, &size)) return false;
        memcpy(data, from, (size_t)(bytes < size ? bytes : size));
        return true;
    }
    int n = gpu_variables(raw, name, address, &size);
    bool ok = n > 0;
    for (int k = 0; k < n && ok; k++)
        ok = rt->gpu->backend->raw->copy(rt->gpu, (void *)(uintptr_t)from, address[k],
                                         bytes < size ? bytes : size, true);
    return ok;
}

bool gx_raw_global_get(gx_raw *raw, const char *name, void *to, int64_t bytes) {
    gx_rt *rt = raw->rt;
    char *data;
    int64_t size;
    uint64_t address[2];
    if (!gx_raw_on_gpu(rt)) {
        if (!host_variable(raw, name, &data, &size)) return false;
        memcpy(to, data, (size_t)(bytes < size ? bytes : size));
        return true;
    }
    return gpu_variables(raw, name, address, &size) > 0 &&
           rt->gpu->backend->raw->copy(rt->gpu, to, address[0], bytes < size ? bytes : size, false);
}
