/* The simulated GPU's memory: numbered buffers, whose bytes the CPU backend has. */
#include <string.h>

#include "runtime/backend/sim/device/device_int.h"

static void count(gx_sim_device *s) {
    gx_device *d = &s->gpu.base;
    d->live_bytes = s->host->live_bytes;
    d->pool_bytes = s->host->pool_bytes;
    if (d->live_bytes > d->peak_bytes) d->peak_bytes = d->live_bytes;
}

/* A number that no buffer has. */
static bool find_number(gx_sim_device *s, int64_t *out) {
    for (int64_t k = 0; k < s->count; k++)
        if (!s->buffers[k]) {
            *out = k;
            return true;
        }
    if (s->count == s->room) {
        int64_t room = s->room ? 2 * s->room : 64;
        gx_sim_buffer **fresh = gx_alloc_zero(s->gpu.base.rt, (size_t)room * sizeof(void *));
        if (!fresh) return false;
        if (s->count) memcpy(fresh, s->buffers, (size_t)s->count * sizeof(void *));
        gx_free(s->gpu.base.rt, s->buffers);
        s->buffers = fresh;
        s->room = room;
    }
    *out = s->count++;
    return true;
}

bool gx_sim_adopt_take(gx_sim_device *s, gx_buffer *host, gx_buffer **out) {
    gx_sim_buffer *b = gx_alloc_zero(s->gpu.base.rt, sizeof *b);
    if (!b || !find_number(s, &b->number)) {
        gx_free(s->gpu.base.rt, b);
        gx_buffer_drop(host);
        return false;
    }
    const uint64_t at = (uint64_t)(GX_SIM_FIRST + b->number) << GX_SIM_SHIFT;
    s->buffers[b->number] = b;
    b->host = host;
    b->head = (gx_buffer){.device = &s->gpu.base, .data = (char *)(uintptr_t)at,
                          .bytes = host->bytes, .room = host->room, .refs = 1};
    count(s);
    *out = &b->head;
    return true;
}

bool gx_sim_alloc(gx_device *d, int64_t bytes, gx_buffer **out) {
    gx_sim_device *s = gx_sim_of(d);
    gx_buffer *host;
    return gx_cpu_backend.alloc(s->host, bytes, &host) && gx_sim_adopt_take(s, host, out);
}

void gx_sim_release(gx_buffer *buffer) {
    gx_sim_buffer *b = (gx_sim_buffer *)buffer;
    gx_sim_device *s = gx_sim_of(buffer->device);
    s->buffers[b->number] = NULL;
    gx_buffer_drop(b->host);
    gx_free(s->gpu.base.rt, b);
    count(s);
}

bool gx_sim_bytes(gx_sim_device *s, gx_gpu_ptr at, int64_t bytes, char **out) {
    const int64_t number = (int64_t)(at >> GX_SIM_SHIFT) - GX_SIM_FIRST;
    const int64_t from = (int64_t)(at & ((UINT64_C(1) << GX_SIM_SHIFT) - 1));
    const gx_sim_buffer *b =
        number >= 0 && number < s->count ? s->buffers[number] : NULL;
    if (!b || bytes < 0 || from + bytes > b->head.room)
        return gx_fail(s->gpu.base.rt, GX_RuntimeError, "sim.address",
                       "%lld bytes at 0x%llx are not the simulated GPU's (a bug in gx)",
                       (long long)bytes, (unsigned long long)at);
    *out = b->host->data + from;
    return true;
}

bool gx_sim_put(gx_buffer *b, int64_t at, const void *from, int64_t bytes) {
    return gx_cpu_backend.put(gx_sim_host(b), at, from, bytes);
}

bool gx_sim_get(const gx_buffer *b, int64_t at, void *to, int64_t bytes) {
    return gx_cpu_backend.get(gx_sim_host(b), at, to, bytes);
}
