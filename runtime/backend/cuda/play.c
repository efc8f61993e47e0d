/* Tapes as launches without a device (play.h): what map.c and reduce.c do, but for compiling to
   PTX, and with addresses that are filled in later. Scratch memory holds, one after the other, the
   states of blocks that share a row, the counters of their arrivals, the word of what was told and
   that of conditions. */
#include "runtime/backend/cuda/play.h"

#include <string.h>

#include "runtime/backend/cuda/state_int.h"
#include "runtime/backend/gpu/emit_int.h"

enum { STATE_BYTES = 32, ARRIVAL_BYTES = 4096 * 4, WORD_BYTES = 64 };

struct gx_play {
    gx_rt *rt;
    const gx_tape *tape;
    gx_buf ptx;
    int64_t states; /* bytes */
    gx_space space;
    gx_params params;
};

static bool compile(gx_play *p) {
    gx_cuda_compiler n = {.rt = p->rt};
    gx_buf source = gx_buf_new(p->rt);
    bool ok = gx_emit_source(p->rt, &p->space.recipe, &source) &&
              gx_cuda_compile(&n, "compute_75", gx_buf_text(&source), &p->ptx);
    gx_buf_free(&source);
    return ok;
}

GX_CHECK bool gx_play_new(gx_rt *rt, const gx_tape *t, gx_play **out) {
    *out = NULL;
    gx_play *p = gx_alloc_zero(rt, sizeof *p);
    if (!p) return false;
    p->rt = rt;
    p->tape = t;
    p->ptx = gx_buf_new(rt);
    if (t->has_red)
        gx_space_reduce(&p->space, t);
    else
        gx_space_map(&p->space, t);
    if (p->space.splits > 1) p->states = p->space.n_kept * p->space.splits * STATE_BYTES;
    if (p->space.total == 0 || !compile(p)) {
        bool empty = p->space.total == 0;
        gx_play_free(p);
        return empty;
    }
    *out = p;
    return true;
}

void gx_play_free(gx_play *p) {
    if (!p) return;
    gx_buf_free(&p->ptx);
    gx_free(p->rt, p);
}

const char *gx_play_ptx(const gx_play *p, size_t *length) {
    *length = strlen(p->ptx.data);
    return p->ptx.data;
}

int64_t gx_play_blocks(const gx_play *p) {
    return p->space.blocks;
}

int64_t gx_play_scratch(const gx_play *p) {
    return p->states + ARRIVAL_BYTES + WORD_BYTES;
}

/* An address moves from where the host has the buffer. */
static void move(gx_space *s, int port, const gx_buffer *b, uint64_t to) {
    s->port[port].base += (int64_t)(to - gx_gpu_address(b));
}

GX_CHECK bool gx_play_params(gx_play *p, const uint64_t *leaf, const uint64_t *out,
                             uint64_t scratch, const void **params, size_t *bytes) {
    const gx_tape *t = p->tape;
    gx_space *s = &p->space;
    uint64_t told = scratch + (uint64_t)p->states + ARRIVAL_BYTES;
    for (int i = 0; i < t->n_leaf; i++)
        if (t->leaf[i].kind == GX_LEAF_BUFFER) move(s, i, t->leaf[i].buf, leaf[i]);
    for (int i = 0; i < t->n_out; i++) move(s, t->n_leaf + i, t->out[i].buf, out[i]);
    gx_params_space(&p->params, s);
    if (t->has_red) {
        gx_params_i64(&p->params, s->n_kept);
        gx_params_i64(&p->params, s->n_reduced);
        gx_params_i64(&p->params, s->splits);
        gx_params_i64(&p->params, (int64_t)scratch);
        gx_params_i64(&p->params, (int64_t)scratch + p->states);
    }
    gx_params_i64(&p->params, s->recipe.checks ? (int64_t)told + 4 : 0);
    gx_params_i64(&p->params, s->recipe.checks ? (int64_t)told : 0);
    if (p->params.full)
        return gx_fail(p->rt, GX_RuntimeError, "tape.full",
                       "an expression has too many operands for one kernel");
    *params = p->params.data;
    *bytes = p->params.size;
    return true;
}

int gx_play_met(const gx_play *p, const void *scratch) {
    uint32_t word;
    memcpy(&word, (const char *)scratch + p->states + ARRIVAL_BYTES + 4, sizeof word);
    return (int)word;
}
