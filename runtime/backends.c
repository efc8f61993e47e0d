/* The backends and the devices that are open: the host's always, the GPU's when an array first wants
   to live there. To add a backend: a folder, and a row here. Opening the host is cheap: threads and
   libraries start at their first use; a machine without a GPU pays one failed look for its driver. */
#include "runtime/backends.h"

#include <stdlib.h>
#include <string.h>

static const gx_backend *const backends[] = {&gx_cpu_backend, &gx_cuda_backend};

enum { COUNT = sizeof backends / sizeof *backends };

const gx_backend *gx_backends_list(int k) {
    return k >= 0 && k < COUNT ? backends[k] : NULL;
}

/* GX_DEVICE as it was asked for: -1 the best there is, 0 the host, 1 the GPU. */
static bool read_choice(gx_rt *rt, int *choice, int *index) {
    const char *name = getenv("GX_DEVICE");
    *choice = -1;
    *index = 0;
    if (!name || !*name) return true;
    if (strcmp(name, "cpu") == 0) {
        *choice = 0;
        return true;
    }
    if (strncmp(name, "cuda", 4) == 0 && (!name[4] || name[4] == ':')) {
        char *end = NULL;
        long n = name[4] ? strtol(name + 5, &end, 10) : 0;
        if (!name[4] || (end != name + 5 && !*end && n >= 0 && n < 1024)) {
            *choice = 1;
            *index = (int)n;
            return true;
        }
    }
    return gx_fail(rt, GX_RuntimeError, "device.unknown",
                   "there is no device '%s': it is cpu, cuda or cuda:N", name);
}

bool gx_backends_open(gx_rt *rt) {
    int choice, index;
    if (rt->device) return true;
    if (!read_choice(rt, &choice, &index)) return false;
    const char *numpy = getenv("GX_NUMPY");
    rt->gpu_choice = choice == 0 ? GX_GPU_NONE : GX_GPU_UNDECIDED;
    rt->gpu_numpy = numpy && strcmp(numpy, "gpu") == 0;
    return gx_cpu_backend.open(rt, &rt->device);
}

bool gx_backends_gpu(gx_rt *rt) {
    int choice, index;
    if (rt->gpu_choice != GX_GPU_UNDECIDED) return true;
    if (!read_choice(rt, &choice, &index)) return false;
    rt->gpu_index = index;
    if (gx_cuda_backend.open(rt, &rt->gpu)) {
        rt->gpu_choice = GX_GPU_OPEN;
        return true;
    }
    if (choice == 1 || gx_error_is(rt->error.kind, GX_MemoryError)) return false;
    gx_error_clear(rt); /* no noise: gx --doctor tells why */
    rt->gpu_choice = GX_GPU_NONE;
    return true;
}

void gx_backends_close(gx_rt *rt) {
    if (rt->gpu) rt->gpu->backend->close(rt->gpu);
    rt->gpu = NULL;
    if (rt->device) rt->device->backend->close(rt->device);
    rt->device = NULL;
}
