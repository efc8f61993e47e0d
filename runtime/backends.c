/* The list of backends and the choice among them. To add one: a folder, and a row here. Opening is
   cheap: threads and libraries start at their first use. */
#include "runtime/backends.h"

#include <stdlib.h>
#include <string.h>

static const gx_backend *const backends[] = {&gx_cpu_backend};

enum { COUNT = sizeof backends / sizeof *backends };

const gx_backend *gx_backends_list(int k) {
    return k >= 0 && k < COUNT ? backends[k] : NULL;
}

static bool unknown(gx_rt *rt, const char *name) {
    const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) names[i] = backends[i]->name;
    const char *near = gx_near_name(name, names, COUNT);
    gx_fail(rt, GX_RuntimeError, "backend.unknown", "GX_BACKEND=%s names no backend; there is %s",
            name, names[0]);
    if (near) gx_help(rt, "GX_BACKEND=%s", near);
    return false;
}

bool gx_backends_open(gx_rt *rt) {
    if (rt->device) return true;
    const char *name = getenv("GX_BACKEND");
    if (name && *name) {
        for (int i = 0; i < COUNT; i++)
            if (strcmp(backends[i]->name, name) == 0) return backends[i]->open(rt, &rt->device);
        return unknown(rt, name);
    }
    for (int i = 0; i < COUNT; i++) {
        if (backends[i]->open(rt, &rt->device)) return true;
        if (i + 1 < COUNT) gx_error_clear(rt); /* the next one is tried instead */
    }
    return false;
}

void gx_backends_close(gx_rt *rt) {
    if (!rt->device) return;
    rt->device->backend->close(rt->device);
    rt->device = NULL;
}
