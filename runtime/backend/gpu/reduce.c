/* Reductions: the states of blocks that share a row in scratch memory, the counters of arrivals,
   and axes without elements. The counters are one buffer of the device, zero between launches. */
#include <string.h>

#include "kernels/half.h"
#include "runtime/backend/gpu/emit_int.h"

enum { ARRIVALS = 4096, TOLD = 4096, OUTSIDE_BYTES = 64, STATE_BYTES = 32 };
enum { COUNTER_BYTES = (ARRIVALS + TOLD) * 4 + OUTSIDE_BYTES };

/* The result over no elements: the identity everywhere. */
static bool run_empty(gx_gpu *g, const gx_tape *t) {
    gx_rt *rt = g->base.rt;
    if (!gx_reds[t->red].has_identity)
        return gx_fail(rt, GX_ValueError, "reduce.empty",
                       "zero-size array to reduction operation %s which has no identity",
                       gx_reds[t->red].name);
    gx_tape *fill = gx_alloc_zero(rt, sizeof *fill);
    if (!fill) return false;
    bool one = t->red == GX_RED_prod || t->red == GX_RED_all;
    int kind = gx_dtypes[t->red_dtype].kind;
    gx_scalar *v = &fill->imm[0];
    if (one && gx_is_half(t->red_dtype))
        v->half.bits = gx_half_one(gx_dtypes[t->red_dtype].fraction);
    else if (one && (t->red_dtype == GX_f32 || t->red_dtype == GX_c64))
        v->f32 = 1;
    else if (one && kind >= GX_KIND_FLOAT)
        v->f64 = 1;
    else if (one)
        v->u64 = 1;
    fill->ndim = t->ndim - t->reduced;
    memcpy(fill->shape, t->shape, (size_t)fill->ndim * sizeof *fill->shape);
    fill->n_imm = fill->n_step = fill->n_out = 1;
    fill->step[0] = (gx_step){.kind = GX_STEP_CONST, .dtype = t->red_dtype};
    fill->out[0] = t->out[0];
    fill->out[0].step = 0;
    bool ok = gx_gpu_run(&g->base, fill, NULL);
    gx_free(rt, fill);
    return ok;
}

GX_CHECK bool gx_gpu_counters(gx_gpu *g) {
    if (g->arrivals) return true;
    gx_buffer *b;
    if (!gx_gpu_scratch(g, COUNTER_BYTES, &b)) return false;
    if (!gx_gpu_fill(g, gx_gpu_address(b), 0, COUNTER_BYTES)) {
        gx_buffer_drop(b);
        return false;
    }
    g->arrivals = b;
    return true;
}

GX_CHECK bool gx_gpu_told(gx_gpu *g, gx_gpu_ptr *word) {
    if (!gx_gpu_counters(g)) return false;
    gx_gpu_ptr first = gx_gpu_address(g->arrivals) + ARRIVALS * 4;
    if (g->told == TOLD) { /* in the order of the stream: launches before are done with them */
        if (!gx_gpu_fill(g, first, 0, TOLD * 4)) return false;
        g->told = 0;
    }
    *word = first + (gx_gpu_ptr)g->told++ * 4;
    return true;
}

GX_CHECK bool gx_gpu_told_outside(gx_gpu *g, gx_gpu_ptr *at) {
    if (!gx_gpu_counters(g)) return false;
    *at = gx_gpu_address(g->arrivals) + (ARRIVALS + TOLD) * 4;
    return true;
}

GX_CHECK bool gx_gpu_reduce(gx_gpu *g, const gx_tape *t, gx_space *s, gx_params *p) {
    gx_space_reduce(s, t);
    if (s->n_kept == 0) return true;
    if (s->n_reduced == 0) return run_empty(g, t);
    gx_buffer *parts = NULL;
    if (s->splits > 1) {
        int64_t states = s->n_kept * s->splits;
        if (!gx_gpu_counters(g) || !gx_gpu_scratch(g, states * STATE_BYTES, &parts)) return false;
    }
    if (parts) s->parts = gx_gpu_address(parts);
    if (g->arrivals) s->arrived = gx_gpu_address(g->arrivals);
    gx_params_space(p, s);
    gx_params_i64(p, s->n_kept);
    gx_params_i64(p, s->n_reduced);
    gx_params_i64(p, s->splits);
    gx_params_i64(p, (int64_t)s->parts);
    gx_params_i64(p, (int64_t)s->arrived);
    bool ok = gx_gpu_launch_space(g, s, p);
    gx_buffer_drop(parts);
    return ok;
}
