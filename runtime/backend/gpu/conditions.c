/* The floating-point conditions that kernels leave behind: a word for each launch, which the host
   reads when the device has been waited for, and whose operation a word is. */
#include <string.h>

#include "runtime/backend/gpu/gpu_int.h"

struct gx_gpu_conditions {
    uint32_t *words; /* 0 … count - 1 are in use */
    gx_gpu_ptr device;
    int count, told, next; /* taken; with a name; looked at */
    struct {
        const char *op; /* NULL: nothing is to be reported */
        gx_span origin;
    } of[GX_GPU_FLAGS];
};

bool gx_gpu_open(gx_gpu *g) {
    g->conditions = gx_alloc_zero(g->base.rt, sizeof *g->conditions);
    return g->conditions && gx_gpu_kernels_open(g);
}

void gx_gpu_close(gx_gpu *g) {
    gx_gpu_kernels_close(g);
    gx_buffer_drop(g->arrivals);
    g->arrivals = NULL;
    gx_free(g->base.rt, g->conditions);
    g->conditions = NULL;
}

void gx_gpu_conditions_at(gx_gpu *g, uint32_t *words, gx_gpu_ptr device) {
    g->conditions->words = words;
    g->conditions->device = device;
}

/* No word is left and nobody asked in between: what was met moves to the front, if half of the
   words hold it, and the rest starts anew. */
static void fold(struct gx_gpu_conditions *s) {
    int kept = 0;
    for (int i = 0; i < GX_GPU_FLAGS && kept < GX_GPU_FLAGS / 2; i++) {
        if (!s->words[i] || i >= s->told) continue;
        s->words[kept] = s->words[i];
        s->of[kept++] = s->of[i];
    }
    memset(s->words + kept, 0, (size_t)(GX_GPU_FLAGS - kept) * sizeof *s->words);
    s->count = s->told = kept;
    s->next = 0;
}

bool gx_gpu_flags(gx_gpu *g, gx_gpu_ptr *word) {
    struct gx_gpu_conditions *s = g->conditions;
    if (s->count == GX_GPU_FLAGS) {
        if (!g->driver->wait(g)) return false;
        fold(s);
    }
    *word = s->device + (gx_gpu_ptr)(4 * s->count++);
    return true;
}

void gx_gpu_blame(gx_device *device, const char *op, gx_span origin) {
    struct gx_gpu_conditions *s = gx_gpu_of(device)->conditions;
    for (; s->told < s->count; s->told++) {
        s->of[s->told].op = op;
        s->of[s->told].origin = origin;
    }
}

/* Called when the device has been waited for: the words are final. */
bool gx_gpu_met(gx_device *device, int *fp, const char **op, gx_span *origin) {
    struct gx_gpu_conditions *s = gx_gpu_of(device)->conditions;
    while (s->next < s->told) {
        int i = s->next++;
        if (!s->words[i]) continue;
        *fp = (int)s->words[i];
        *op = s->of[i].op;
        *origin = s->of[i].origin;
        s->words[i] = 0;
        return true;
    }
    memset(s->words, 0, (size_t)s->count * sizeof *s->words);
    s->count = s->told = s->next = 0;
    return false;
}
