/* What a program may ask a state. */
#include "interp/embed/state_int.h"
#include "runtime/kernel/raw.h"
#include "runtime/op/ufunc.h"

bool gx_state_has(gx_state *s, gx_fact fact) {
    gx_rt *rt = gx_state_enter(s);
    bool is = false, ok = true;
    switch (fact) {
    case GX_HAS_GPU: ok = gx_gpu_there(rt, &is); break;
    case GX_HAS_COMPILER: is = gx_raw_possible(rt); break;
    case GX_HAS_LOST_GPU: is = gx_gpu_lost(rt); break;
    case GX_HAS_LOST_DATA: is = rt->lost_data; break;
    case GX_IS_SAFE: is = rt->debug.safe; break;
    }
    return gx_state_done(s, ok) && is;
}

int64_t gx_state_count(const gx_state *s, gx_counter which) {
    switch (which) {
    case GX_COUNT_KERNELS: return s->rt->stats.kernels;
    case GX_COUNT_LAUNCHED: return s->rt->gpu_stats.launched;
    case GX_COUNT_COMPILED: return s->rt->gpu_stats.compiled;
    case GX_COUNT_GENERAL: return s->rt->gpu_stats.general;
    case GX_COUNT_PREBUILT: return s->rt->gpu_stats.prebuilt;
    default: return 0;
    }
}

void gx_state_memory(const gx_state *s, int64_t *values, int64_t *arrays) {
    if (values) *values = s->rt->stats.live_bytes;
    if (arrays) *arrays = s->rt->stats.array_bytes;
}

bool gx_state_sync(gx_state *s) {
    gx_rt *rt = gx_state_enter(s);
    return gx_state_done(s, rt->interrupted ? gx_stop(rt) : gx_gpu_sync(rt));
}

double gx_state_seconds(const gx_state *s) {
    return s->rt->debug.max_seconds;
}

bool gx_state_messages(gx_state *s, const char *level) {
    gx_rt *rt = gx_state_enter(s);
    return gx_state_done(s, gx_messages_set(rt, level));
}

void gx_state_warm(gx_state *s) {
    gx_gpu_warm(s->rt, &s->session.gpu);
}
