/* Where the host plays the GPU (GX_DEVICE=twin), a tape that calls functions of a script, and with
   GX_TWIN=kernels every tape, runs as it would on a GPU: the kernel that CUDA emission writes,
   compiled by NVRTC, in the simulator, which watches it as it watches a script's. So tests see the
   fused kernel's own numbers without a GPU, and a race or an access outside an array in it is an
   error. */
#include <string.h>

#include "runtime/backend/cuda/play.h"
#include "runtime/backend/sim/sim.h"
#include "runtime/graph/lazy.h"

enum { THREADS = 256, MOST_ARRAYS = GX_TAPE_LEAVES + GX_TAPE_OUTS + 1 };

/* The buffers of a launch, each once. */
typedef struct arrays {
    gx_sim_array list[MOST_ARRAYS];
    int n;
} arrays;

static int number_of(arrays *a, const gx_buffer *b, bool writable) {
    int k = 0;
    while (k < a->n && a->list[k].data != b->data) k++;
    if (k == a->n)
        a->list[a->n++] = (gx_sim_array){.data = b->data, .bytes = b->bytes, .item = 1,
                                         .name = "an array"};
    a->list[k].writable |= writable;
    return k;
}

static bool launch(gx_rt *rt, gx_sim *sim, gx_play *p, const gx_tape *t, char *scratch, int *fp) {
    arrays a = {.n = 0};
    uint64_t leaf[GX_TAPE_LEAVES] = {0}, out[GX_TAPE_OUTS] = {0};
    gx_sim_report report;
    const void *params;
    size_t bytes;
    for (int i = 0; i < t->n_leaf; i++)
        if (t->leaf[i].kind == GX_LEAF_BUFFER)
            leaf[i] = gx_sim_address(sim, number_of(&a, t->leaf[i].buf, false));
    for (int i = 0; i < t->n_out; i++)
        out[i] = gx_sim_address(sim, number_of(&a, t->out[i].buf, true));
    uint64_t at = gx_sim_address(sim, a.n);
    a.list[a.n++] = (gx_sim_array){.data = scratch, .bytes = gx_play_scratch(p), .item = 4,
                                   .writable = true, .name = "scratch"};
    if (!gx_play_params(p, leaf, out, at, &params, &bytes)) return false;
    gx_sim_launch l = {.grid = {(uint32_t)gx_play_blocks(p), 1, 1}, .block = {THREADS, 1, 1},
                       .params = params, .param_bytes = (int64_t)bytes, .arrays = a.list,
                       .n_array = a.n, .threads = 1};
    if (!gx_sim_run(sim, gx_sim_entry(sim, "gx_kernel"), &l, &report)) return false;
    const gx_sim_fault *f = &report.fault;
    if (f->kind != GX_FAULT_NONE)
        return gx_fail(rt, GX_RuntimeError, "sim.twin",
                       "a fused kernel did wrong: fault %d at line %u, block %u, thread %u (a bug "
                       "in gx)",
                       (int)f->kind, f->line, f->block[0], f->thread[0]);
    *fp = gx_play_met(p, scratch);
    return true;
}

/* Over no elements no function is called: any value stands for its. */
static bool run_empty(gx_rt *rt, const gx_tape *t, int *fp) {
    gx_tape *without = gx_alloc(rt, sizeof *without);
    if (!without) return false;
    *without = *t;
    without->n_call = 0;
    for (int i = 0; i < t->n_step; i++) {
        gx_step *s = &without->step[i];
        if (s->kind != GX_STEP_CALL) continue;
        bool same = s->dtype == t->step[s->a].dtype;
        *s = same ? t->step[s->a]
                  : (gx_step){.kind = GX_STEP_CAST, .dtype = s->dtype,
                              .compute = t->step[s->a].dtype, .a = s->a};
    }
    const gx_backend *backend = rt->gpu->backend;
    bool ok = backend->run(rt->gpu, without, fp);
    gx_free(rt, without);
    return ok;
}

GX_CHECK bool gx_simulated_run(gx_rt *rt, const gx_tape *t, int *fp) {
    gx_play *p;
    gx_sim *sim = NULL;
    size_t length;
    if (!gx_play_new(rt, t, &p)) return false;
    if (!p) return run_empty(rt, t, fp);
    const char *ptx = gx_play_ptx(p, &length);
    char *scratch = gx_alloc_zero(rt, (size_t)gx_play_scratch(p));
    bool ok = scratch && gx_sim_new(rt, ptx, length, &sim) && launch(rt, sim, p, t, scratch, fp);
    gx_sim_free(sim);
    gx_free(rt, scratch);
    gx_play_free(p);
    return ok;
}
