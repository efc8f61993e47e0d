/* Runs tapes: makes a space of the tape, finds the kernel by the recipe's bytes, packs the
   parameters and launches. While the kernel is being compiled, the general one runs. Maps here,
   reductions through reduce.c. Nothing waits: conditions are left in a word of the device
   (gx_gpu_flags). */
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

enum { MOST_PARAM = 4000 };

/* What one run needs, too large for the stack of a generator. */
typedef struct run_room {
    gx_space space;
    gx_params params;
} run_room;

/* Parameters beyond what a launch takes go to memory. */
static bool launch_far(gx_gpu *g, gx_gpu_kernel *k, int64_t blocks, const gx_params *p) {
    gx_buffer *far;
    if (!gx_gpu_scratch(g, (int64_t)p->size, &far)) return false;
    gx_gpu_ptr at = gx_gpu_address(far);
    bool ok = gx_gpu_upload(g, at, p->data, (int64_t)p->size) &&
              gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, 0, &at, sizeof at);
    gx_buffer_drop(far);
    return ok;
}

GX_CHECK bool gx_gpu_launch_space(gx_gpu *g, gx_space *s, gx_params *p) {
    gx_rt *rt = g->base.rt;
    gx_recipe *r = &s->recipe;
    gx_gpu_kernel *k;
    gx_gpu_ptr word = 0, told = 0;
    if (r->checks && !(gx_gpu_flags(g, &word) && gx_gpu_told(g, &told))) return false;
    gx_params_i64(p, (int64_t)word);
    gx_params_i64(p, (int64_t)told);
    if (p->full)
        return gx_fail(rt, GX_RuntimeError, "tape.full",
                       "an expression has too many operands for one kernel");
    r->memory = p->size > MOST_PARAM;
    size_t bytes = gx_space_key(r, p->key);
    const uint8_t which = g->base.rt->debug.kernels;
    bool done = false;
    k = NULL;
    if (which <= GX_KERNELS_BOTH &&
        !gx_gpu_kernel_soon(g, gx_gpu_family_TAPE(), p->key, bytes, "gx_kernel", r, &k))
        return false;
    if (!k && which != GX_KERNELS_OWN && !gx_gpu_general(g, s, word, told, &done)) return false;
    if (done) return true;
    if (!k && !gx_gpu_kernel_get(g, gx_gpu_family_TAPE(), p->key, bytes, "gx_kernel", r, &k))
        return false;
    if (s->blocks > INT32_MAX)
        return gx_fail(rt, GX_ValueError, "cuda.size", "%lld elements are more than one kernel has",
                       (long long)s->total);
    if (r->memory) return launch_far(g, k, s->blocks, p);
    return gx_gpu_launch(g, k, s->blocks, GX_GPU_THREADS, 0, p->data, p->size);
}

static bool run_map(gx_gpu *g, const gx_tape *t, run_room *room) {
    gx_space_map(&room->space, t);
    if (room->space.total == 0) return true;
    gx_params_space(&room->params, &room->space);
    return gx_gpu_launch_space(g, &room->space, &room->params);
}

GX_CHECK bool gx_gpu_run(gx_device *d, const gx_tape *t, int *fp) {
    gx_gpu *g = gx_gpu_of(d);
    run_room *room = gx_alloc(d->rt, sizeof *room);
    if (!room) return false;
    bool ok = t->has_red ? gx_gpu_reduce(g, t, &room->space, &room->params) : run_map(g, t, room);
    gx_free(d->rt, room);
    if (ok && fp) *fp = 0;
    return ok;
}
