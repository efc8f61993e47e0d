/* The backends and the devices that are open: the host's always, the GPU's when an array first
   wants to live there. To add a backend: a folder, and a row here. Opening the host is cheap:
   threads and libraries start at their first use; a machine without a GPU pays one failed look for
   its driver. */
#include "runtime/device/backends.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/gpu.h"

static const gx_backend *const backends[] = {&gx_cpu_backend, &gx_cuda_backend};

enum { COUNT = sizeof backends / sizeof *backends };

const gx_backend *gx_backends_list(int k) {
    return k >= 0 && k < COUNT ? backends[k] : NULL;
}

/* GX_DEVICE as it was asked for. */
typedef enum choice { BEST, HOST, CUDA, TWIN } choice;

static bool read_choice(gx_rt *rt, choice *asked, int *index) {
    const char *name = rt->debug.device;
    *asked = BEST;
    *index = 0;
    if (!*name) return true;
    if (strcmp(name, "cpu") == 0 || strcmp(name, "twin") == 0) {
        *asked = *name == 'c' ? HOST : TWIN;
        return true;
    }
    if (strncmp(name, "cuda", 4) == 0 && (!name[4] || name[4] == ':')) {
        char *end = NULL;
        long n = name[4] ? strtol(name + 5, &end, 10) : 0;
        if (!name[4] || (end != name + 5 && !*end && n >= 0 && n < 1024)) {
            *asked = CUDA;
            *index = (int)n;
            return true;
        }
    }
    return gx_fail(rt, GX_RuntimeError, "device.unknown",
                   "there is no device '%s': it is cpu, cuda or cuda:N", name);
}

bool gx_backends_open(gx_rt *rt) {
    choice asked;
    int index;
    if (rt->device) return true;
    if (!read_choice(rt, &asked, &index)) return false;
    const char *numpy = getenv("GX_NUMPY");
    rt->gpu_choice = asked == HOST ? GX_GPU_NONE : GX_GPU_UNDECIDED;
    rt->gpu_numpy = numpy && strcmp(numpy, "gpu") == 0;
    return gx_cpu_backend.open(rt, &rt->device);
}

bool gx_backends_gpu(gx_rt *rt) {
    choice asked;
    if (rt->gpu_choice != GX_GPU_UNDECIDED) return true;
    if (!read_choice(rt, &asked, &rt->gpu_index)) return false;
    const gx_backend *backend = asked == TWIN ? &gx_cpu_backend : &gx_cuda_backend;
    if (backend->open(rt, &rt->gpu)) {
        rt->gpu_choice = GX_GPU_OPEN;
        rt->gpu->limit = rt->debug.gpu_memory;
        if (rt->profile) gx_profile_calls_of(rt)->opened(rt);
        return true;
    }
    if (asked != BEST || gx_error_is(rt->error.kind, GX_MemoryError)) return false;
    gx_error_clear(rt); /* no noise: gx --doctor tells why */
    rt->gpu_choice = GX_GPU_NONE;
    return true;
}

static void *warm(void *arg) {
    gx_gpu_warming *w = arg;
    w->work(w->index);
    return NULL;
}

void gx_gpu_warm(gx_rt *rt, gx_gpu_warming *w) {
    choice asked;
    sigset_t all, before;
    *w = (gx_gpu_warming){.work = gx_cuda_backend.warm};
    if (rt->gpu_choice != GX_GPU_UNDECIDED) return;
    if (!read_choice(rt, &asked, &w->index)) {
        gx_error_clear(rt); /* the first array tells it */
        return;
    }
    if (asked != BEST && asked != CUDA) return;
    sigfillset(&all); /* signals are the interpreter's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->begun = pthread_create(&w->thread, NULL, warm, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void gx_gpu_warmed(gx_gpu_warming *w) {
    if (w->begun) pthread_join(w->thread, NULL);
    w->begun = false;
}

void gx_backends_close(gx_rt *rt) {
    if (rt->profile) gx_profile_calls_of(rt)->cancel(rt);
    if (rt->gpu) rt->gpu->backend->close(rt->gpu);
    rt->gpu = NULL;
    if (rt->device) rt->device->backend->close(rt->device);
    rt->device = NULL;
}
