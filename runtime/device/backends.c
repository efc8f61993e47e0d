/* The backends and the devices that are open: the host's always, the GPU's when an array first
   wants to live there. Opening the host is cheap: threads and libraries start at their first use; a
   machine without a GPU pays one failed look for its driver. */
#include "runtime/device/backends.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/gpu.h"

typedef enum role { HOST, GPU, SIMULATED } role;

/* In the order of backends.def. */
static const struct row {
    const char *name;
    role role;
    const gx_backend *backend;
} rows[] = {
#define GX_BACKEND(name, role) {#name, role, &gx_##name##_backend},
#include "runtime/backend/backends.def"
};

enum { COUNT = sizeof rows / sizeof *rows };

const gx_backend *gx_backends_list(int k) {
    return k >= 0 && k < COUNT ? rows[k].backend : NULL;
}

static const struct row *find_role(role r) {
    const struct row *at = rows;
    while (at->role != r) at++;
    return at;
}

const gx_backend *gx_backends_vendor(void) {
    return find_role(GPU)->backend;
}

/* The names for messages: "cpu, cuda or cuda:N". */
static void list_names(char *out, size_t room) {
    size_t n = 0;
    out[0] = '\0';
    for (int k = 0; k < COUNT && n < room; k++)
        if (rows[k].role != SIMULATED)
            n += (size_t)snprintf(out + n, room - n, rows[k].role == GPU ? ", %s or %s:N" : "%s",
                                  rows[k].name, rows[k].name);
}

/* The row that GX_DEVICE asks for: of the GPU tried by itself where it is empty (*asked false). */
static const struct row *read_choice(gx_rt *rt, bool *asked, int *index) {
    const char *name = rt->debug.device;
    char names[128];
    *asked = *name != '\0';
    *index = 0;
    if (!*name) return find_role(GPU);
    for (const struct row *r = rows; r < rows + COUNT; r++) {
        const size_t length = strlen(r->name);
        char *end = NULL;
        if (strncmp(name, r->name, length) != 0) continue;
        if (!name[length]) return r;
        if (r->role != GPU || name[length] != ':') continue;
        const char *number = name + length + 1;
        const long n = strtol(number, &end, 10);
        if (end == number || *end || n < 0 || n >= 1024) continue;
        *index = (int)n;
        return r;
    }
    list_names(names, sizeof names);
    gx_fail(rt, GX_RuntimeError, "device.unknown", "there is no device '%s': it is %s", name,
            names);
    return NULL;
}

static void enter(gx_rt *rt, gx_place place, gx_device *device) {
    device->place = (uint8_t)place;
    rt->places[place] = device;
}

bool gx_backends_open(gx_rt *rt) {
    bool asked;
    int index;
    if (rt->device) return true;
    const struct row *r = read_choice(rt, &asked, &index);
    if (!r) return false;
    const char *numpy = getenv("GX_NUMPY");
    rt->gpu_choice = r->role == HOST ? GX_GPU_NONE : GX_GPU_UNDECIDED;
    rt->gpu_numpy = numpy && strcmp(numpy, "gpu") == 0;
    if (!find_role(HOST)->backend->open(rt, &rt->device)) return false;
    enter(rt, GX_HOST, rt->device);
    return true;
}

bool gx_backends_gpu(gx_rt *rt) {
    bool asked;
    if (rt->gpu_choice != GX_GPU_UNDECIDED) return true;
    const struct row *r = read_choice(rt, &asked, &rt->gpu_index);
    if (!r) return false;
    if (r->backend->open(rt, &rt->gpu)) {
        rt->gpu_choice = GX_GPU_OPEN;
        enter(rt, GX_GPU, rt->gpu);
        rt->gpu->limit = rt->debug.gpu_memory;
        if (rt->profile) gx_profile_calls_of(rt)->opened(rt);
        return true;
    }
    if (asked || gx_error_is(rt->error.kind, GX_MemoryError)) return false;
    gx_error_clear(rt); /* no noise: gx --doctor tells why */
    rt->gpu_choice = GX_GPU_NONE;
    return true;
}

bool gx_backends_more(gx_rt *rt, const gx_backend *backend, gx_place *out) {
    gx_device *d;
    int place = GX_GPU + 1;
    while (place < GX_MAX_PLACES && rt->places[place]) place++;
    if (place == GX_MAX_PLACES)
        return gx_fail(rt, GX_RuntimeError, "device.many", "%d devices are open: no more can be",
                       GX_MAX_PLACES);
    if (!backend->open(rt, &d)) return false;
    enter(rt, (gx_place)place, d);
    *out = (gx_place)place;
    return true;
}

static void *warm(void *arg) {
    gx_gpu_warming *w = arg;
    w->work(w->index);
    return NULL;
}

void gx_gpu_warm(gx_rt *rt, gx_gpu_warming *w) {
    bool asked;
    sigset_t all, before;
    *w = (gx_gpu_warming){.work = NULL};
    if (rt->gpu_choice != GX_GPU_UNDECIDED) return;
    const struct row *r = read_choice(rt, &asked, &w->index);
    if (!r) gx_error_clear(rt); /* the first array tells it */
    if (!r || !r->backend->warm) return;
    w->work = r->backend->warm;
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
    for (int place = GX_MAX_PLACES; place-- > 0;) {
        gx_device *d = rt->places[place];
        if (d) d->backend->close(d);
        rt->places[place] = NULL;
    }
    rt->gpu = rt->device = NULL;
}
