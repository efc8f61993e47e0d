/* What the lanes of a warp do together: shuffles, votes, matches, reductions. The scheduler
   (warp.c) has brought the lanes of the mask to this instruction. */
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

#define REG(T, k) ((T *)gx_operand_at(w, i->op[k]))

/* The lane that l reads from by its step b and its limits c; false: outside of them, its own. */
static inline bool source_of(int mode, int l, uint32_t b, uint32_t c, int *from) {
    int step = (int)(b & 31), limit = (int)(c & 31), segment = (int)(c >> 8 & 31);
    int low = l & segment, top = low | (limit & ~segment);
    bool ok;
    switch (mode) {
    case 0:
        *from = l - step;
        ok = *from >= top;
        break; /* up: the clamp is the lowest lane */
    case 1:
        *from = l + step;
        ok = *from <= top;
        break;
    case 2:
        *from = l ^ step;
        ok = *from <= top;
        break;
    default:
        *from = low | (step & ~segment);
        ok = *from <= top;
        break;
    }
    if (!ok) *from = l;
    return ok;
}

static void look_sources(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    int from;
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        if (source_of(i->mode, l, REG(uint32_t, 2)[l], REG(uint32_t, 3)[l], &from) &&
            !(mask >> (from & 31) & 1))
            gx_meet_source(w, i, l, from & 31);
    }
}

/* A lane of the mask that is not here (it has exited) keeps what the reader had: undefined on a
   GPU. */
void gx_lane_shuffle(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    uint32_t old[GX_LANES], inside = 0;
    const uint32_t *a = REG(uint32_t, 1), *b = REG(uint32_t, 2), *c = REG(uint32_t, 3);
    if (mask != UINT32_MAX && w->watched) look_sources(w, i, mask);
    memcpy(old, a, sizeof old);
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left), from;
        bool ok = source_of(i->mode, l, b[l], c[l], &from);
        REG(uint32_t, 0)[l] = old[from & 31];
        inside |= (uint32_t)ok << l;
    }
    if (i->target != GX_NO_OPERAND) {
        uint32_t *p = gx_operand_at(w, i->target);
        *p = (*p & ~mask) | inside;
    }
}

void gx_lane_vote(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    uint32_t yes = *REG(uint32_t, 1);
    if (i->imm) yes = ~yes;
    yes &= mask;
    if (i->mode == 3) {
        for (uint32_t left = mask; left; left &= left - 1)
            REG(uint32_t, 0)[__builtin_ctz(left)] = yes;
        return;
    }
    bool r = i->mode == 0 ? yes == mask : i->mode == 1 ? yes != 0 : yes == 0 || yes == mask;
    uint32_t *p = REG(uint32_t, 0);
    *p = (*p & ~mask) | (r ? mask : 0);
}

static uint64_t value(const gx_sim_warp *w, const gx_ins *i, int lane) {
    return gx_ptx_bytes((gx_ptx_type)i->type) == 8 ? REG(uint64_t, 1)[lane]
                                                   : REG(uint32_t, 1)[lane];
}

void gx_lane_match(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    uint32_t equal[GX_LANES], all = mask;
    uint64_t first = value(w, i, __builtin_ctz(mask));
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint64_t v = value(w, i, l);
        equal[l] = 0;
        for (uint32_t other = mask; other; other &= other - 1) {
            int k = __builtin_ctz(other);
            if (value(w, i, k) == v) equal[l] |= 1u << k;
        }
        if (v != first) all = 0;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        REG(uint32_t, 0)[l] = i->mode == 0 ? equal[l] : all;
    }
    if (i->target != GX_NO_OPERAND) {
        uint32_t *p = gx_operand_at(w, i->target);
        *p = (*p & ~mask) | all;
    }
}

void gx_lane_redux(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const uint32_t *a = REG(uint32_t, 1);
    uint32_t r = a[__builtin_ctz(mask)];
    bool sign = i->type == PT_S32;
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
        uint32_t v = a[__builtin_ctz(left)];
        bool less = sign ? (int32_t)v < (int32_t)r : v < r;
        switch (i->mode) {
        case 0:
            r += v;
            break;
        case 1:
            r = less ? v : r;
            break;
        case 2:
            r = less ? r : v;
            break;
        case 3:
            r &= v;
            break;
        case 4:
            r |= v;
            break;
        default:
            r ^= v;
            break;
        }
    }
    for (uint32_t left = mask; left; left &= left - 1) REG(uint32_t, 0)[__builtin_ctz(left)] = r;
}

void gx_lane_active(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    for (uint32_t left = mask; left; left &= left - 1) REG(uint32_t, 0)[__builtin_ctz(left)] = mask;
}
