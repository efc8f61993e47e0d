/* What orders the accesses of threads: barriers of the block or of a part of it, the warp's own
   synchronising instructions, and telling: a fence and then an atomic (or volatile, or releasing)
   access, which another thread learns of by such an access of its own.

   A block's clock counts these events, so that "ordered" is a comparison of times: an access at
   time T is before another when both threads have met, or one told and the other learned, after T.
   Whether they met at the same place is not asked: a kernel that is in order is never blamed, and
   one that meets in vain may go unnoticed. */
#include "runtime/backend/sim/sim_int.h"

#define FOR_LANES(l, mask)                                                                         \
    for (uint32_t left_ = (mask), l; left_ && (l = (uint32_t)__builtin_ctz(left_), true);          \
         left_ &= left_ - 1)

static uint32_t tick(gx_block *b) {
    return ++*b->clock;
}

void gx_order_start(gx_block *b) {
    b->started = b->barrier_at = tick(b);
    b->fenced = b->acquired = 0;
}

void gx_order_warp(gx_sim_warp *w, uint32_t mask) {
    uint32_t now = tick(w->block);
    FOR_LANES(l, mask) w->synced[l] = now;
}

void gx_order_arrive(gx_sim_warp *w, uint32_t mask) {
    uint32_t now = tick(w->block);
    FOR_LANES(l, mask) w->parted[l] = w->synced[l] = now;
}

void gx_order_release(gx_block *b, gx_sim_warp *w, uint32_t mask, bool whole) {
    uint32_t now = tick(b);
    if (whole) b->barrier_at = now;
    FOR_LANES(l, mask) w->parted[l] = w->synced[l] = now;
}

void gx_order_fence(gx_sim_warp *w, uint32_t mask) {
    uint32_t now = w->block->fenced = tick(w->block);
    FOR_LANES(l, mask) w->fenced[l] = now;
}

void gx_order_tell(gx_sim_warp *w, uint32_t mask, bool release) {
    gx_block *b = w->block;
    uint32_t now = tick(b);
    if (release) b->fenced = now;
    FOR_LANES(l, mask) {
        if (release) w->fenced[l] = now;
        w->released[l] = w->fenced[l];
        w->acquired[l] = now;
    }
    b->acquired = now;
    if (b->run->released) b->run->released[b->number] = b->fenced;
}

/* Has that lane told its warp, or itself told, of what was at `when`? */
static bool told(const gx_sim_warp *w, uint32_t lane, uint32_t when) {
    if (w->released[lane] > when) return true;
    if (w->synced[lane] <= when) return false;
    for (int l = 0; l < GX_LANES; l++)
        if (w->released[l] > when) return true;
    return false;
}

static bool learned(const gx_sim_warp *w, uint32_t lane, uint32_t when) {
    if (w->acquired[lane] > when) return true;
    if (w->synced[lane] <= when) return false;
    for (int l = 0; l < GX_LANES; l++)
        if (w->acquired[l] > when) return true;
    return false;
}

bool gx_ordered(const gx_sim_warp *w, int lane, uint32_t who, uint32_t when) {
    const gx_block *b = w->block;
    if ((who ^ gx_who(w, lane)) >> 10) {
        const uint32_t *released = b->run->released;
        return released && released[who >> 10] > when && b->acquired > when;
    }
    if (when < b->barrier_at) return true;
    uint32_t thread = who & 1023, other = thread % GX_LANES;
    const gx_sim_warp *o = &b->warp[thread / GX_LANES];
    if (o == w && w->synced[lane] > when && w->synced[other] > when) return true;
    if (w->parted[lane] > when && o->parted[other] > when) return true;
    return told(o, other, when) && learned(w, (uint32_t)lane, when);
}
