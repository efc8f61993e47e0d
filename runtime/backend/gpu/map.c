/* Runs tapes: makes a space of the tape, finds the kernel by the recipe's bytes, packs the
   parameters and launches. Maps here, reductions through reduce.c. Nothing waits: conditions are
   left in a word of the device (gx_cuda_flags). */
#include <string.h>

#include "runtime/backend/gpu/emit_int.h"

enum { MOST_PARAM = 4000 };

/* What one run needs, too large for the stack of a generator. */
typedef struct run_room {
    gx_space space;
    gx_params params;
} run_room;

/* Parameters beyond what a launch takes go to memory. */
static bool launch_far(gx_cuda *c, gx_cuda_kernel *k, int64_t blocks, const gx_params *p) {
    gx_buffer *far;
    if (!gx_cuda_scratch(c, (int64_t)p->size, &far)) return false;
    gx_cuda_ptr at = gx_cuda_address(far);
    bool ok = gx_cuda_upload(c, at, p->data, (int64_t)p->size) &&
              gx_cuda_launch(c, k, blocks, GX_CUDA_THREADS, 0, &at, sizeof at);
    gx_buffer_drop(far);
    return ok;
}

GX_CHECK bool gx_cuda_launch_space(gx_cuda *c, gx_space *s, gx_params *p) {
    gx_rt *rt = c->base.rt;
    gx_recipe *r = &s->recipe;
    gx_cuda_kernel *k;
    gx_cuda_ptr word = 0, told = 0;
    if (r->checks && !(gx_cuda_flags(c, &word) && gx_cuda_told(c, &told))) return false;
    gx_params_i64(p, (int64_t)word);
    gx_params_i64(p, (int64_t)told);
    if (p->full)
        return gx_fail(rt, GX_RuntimeError, "tape.full",
                       "an expression has too many operands for one kernel");
    r->memory = p->size > MOST_PARAM;
    size_t bytes = gx_space_key(r, p->key);
    if (!gx_cuda_kernel_get(c, p->key, bytes, "gx_kernel", gx_emit_source, r, &k)) return false;
    if (s->blocks > INT32_MAX)
        return gx_fail(rt, GX_ValueError, "cuda.size", "%lld elements are more than one kernel has",
                       (long long)s->total);
    if (r->memory) return launch_far(c, k, s->blocks, p);
    return gx_cuda_launch(c, k, s->blocks, GX_CUDA_THREADS, 0, p->data, p->size);
}

static bool run_map(gx_cuda *c, const gx_tape *t, run_room *room) {
    gx_space_map(&room->space, t);
    if (room->space.total == 0) return true;
    gx_params_space(&room->params, &room->space);
    return gx_cuda_launch_space(c, &room->space, &room->params);
}

GX_CHECK bool gx_cuda_run(gx_device *d, const gx_tape *t, int *fp) {
    gx_cuda *c = gx_cuda_of(d);
    run_room *room = gx_alloc(d->rt, sizeof *room);
    if (!room) return false;
    bool ok = t->has_red ? gx_cuda_reduce(c, t, &room->space, &room->params) : run_map(c, t, room);
    gx_free(d->rt, room);
    if (ok && fp) *fp = 0;
    return ok;
}
