/* The CUDA backend: its table of functions, opening and closing, and the floating-point conditions
   that kernels leave behind. Everything is enqueued on one stream; only get, sync and what reads
   results back wait for it. */
#include "runtime/backend/cuda/state_int.h"

#include <string.h>

static void close_device(gx_device *device) {
    gx_cuda *c = gx_cuda_of(device);
    gx_rt *rt = device->rt;
    if (c->state->stream && !c->state->fault) {
        if (!gx_cuda_wait(c)) gx_error_clear(rt); /* kernels may still run: nothing to be told to */
        gx_cuda_libraries_close(c);
    }
    gx_cuda_modules_close(c);
    gx_buffer_drop(c->arrivals);
    gx_cuda_memory_close(c);
    gx_cuda_driver_close(c);
    gx_free(rt, c->state->sorter);
    gx_free(rt, c->state);
    gx_free(rt, c);
}

static bool open_device(gx_rt *rt, gx_device **out) {
    gx_cuda *c = gx_alloc_zero(rt, sizeof *c);
    if (!c) return false;
    c->base.backend = &gx_cuda_backend;
    c->base.rt = rt;
    c->state = gx_alloc_zero(rt, sizeof *c->state);
    if (!c->state) {
        gx_free(rt, c);
        return false;
    }
    if (!gx_cuda_driver_open(c, rt->gpu_index) || !gx_cuda_memory_open(c) ||
        !gx_cuda_modules_open(c)) {
        close_device(&c->base);
        return false;
    }
    *out = &c->base;
    return true;
}

static bool sync_device(gx_device *device) {
    return gx_cuda_wait(gx_cuda_of(device));
}

static bool put(gx_buffer *b, int64_t at, const void *from, int64_t bytes) {
    return gx_cuda_put(gx_cuda_of(b->device), gx_cuda_address(b) + (gx_cuda_ptr)at, from, bytes);
}

static bool get(const gx_buffer *b, int64_t at, void *to, int64_t bytes) {
    return gx_cuda_download(gx_cuda_of(b->device), to, gx_cuda_address(b) + (gx_cuda_ptr)at, bytes);
}

/* --- conditions --- */

/* No word is left and nobody asked in between: what was met moves to the front, if half of the
   words hold it, and the rest starts anew. */
static void fold_flags(gx_cuda_state *s) {
    int kept = 0;
    for (int i = 0; i < GX_FLAG_WORDS && kept < GX_FLAG_WORDS / 2; i++) {
        if (!s->flags[i] || i >= s->flag_told) continue;
        s->flags[kept] = s->flags[i];
        s->flag[kept++] = s->flag[i];
    }
    memset(s->flags + kept, 0, (size_t)(GX_FLAG_WORDS - kept) * sizeof *s->flags);
    s->flag_count = s->flag_told = kept;
    s->flag_next = 0;
}

bool gx_cuda_flags(gx_cuda *c, gx_cuda_ptr *word) {
    gx_cuda_state *s = c->state;
    if (s->flag_count == GX_FLAG_WORDS) {
        if (!gx_cuda_wait(c)) return false;
        fold_flags(s);
    }
    *word = s->flags_device + (gx_cuda_ptr)(4 * s->flag_count++);
    return true;
}

static void blame(gx_device *device, const char *op, gx_span origin) {
    gx_cuda_state *s = gx_cuda_of(device)->state;
    for (; s->flag_told < s->flag_count; s->flag_told++)
        s->flag[s->flag_told] = (gx_cuda_flag){.op = op, .origin = origin};
}

/* Called when the stream has been waited for: the words are final. */
static bool met(gx_device *device, int *fp, const char **op, gx_span *origin) {
    gx_cuda_state *s = gx_cuda_of(device)->state;
    while (s->flag_next < s->flag_told) {
        int i = s->flag_next++;
        if (!s->flags[i]) continue;
        *fp = (int)s->flags[i];
        *op = s->flag[i].op;
        *origin = s->flag[i].origin;
        s->flags[i] = 0;
        return true;
    }
    memset(s->flags, 0, (size_t)s->flag_count * sizeof *s->flags);
    s->flag_count = s->flag_told = s->flag_next = 0;
    return false;
}

const gx_backend gx_cuda_backend = {
    .name = "cuda",
    .doc = "Kernels compiled by NVRTC, and NVIDIA's libraries.",
    .open = open_device,
    .close = close_device,
    .warm = gx_cuda_warm,
    .sync = sync_device,
    .memory = gx_cuda_memory,
    .alloc = gx_cuda_alloc,
    .release = gx_cuda_release,
    .put = put,
    .get = get,
    .host = false,
    .about_mean = true,
    .run = gx_cuda_run,
    .gather = gx_cuda_gather,
    .scatter = gx_cuda_scatter,
    .outside = gx_cuda_outside,
    .select = gx_cuda_select,
    .nonzero = gx_cuda_nonzero,
    .matmul = gx_cuda_matmul,
    .scan = gx_cuda_scan,
    .fourier = gx_cuda_fourier,
    .filter = gx_cuda_filter,
    .takes_filter = gx_cuda_takes_filter,
    .order = &gx_cuda_order,
    .linalg = &gx_cuda_linalg,
    .gpu = &gx_cuda_calls,
    .cost = &gx_cuda_cost,
    .raw = &gx_cuda_raw,
    .blame = blame,
    .met = met,
};
