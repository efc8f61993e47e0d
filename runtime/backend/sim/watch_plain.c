/* The common accesses, looked at quickly: one element of the watched size a lane, plain, where
   nothing can be wrong because all that the shadow knows is this thread's own or from before the
   last barrier of the block. What is not so, and every other access, is left to watch.c, which says
   what is to be said; after an access that is in order both leave the same shadow. */
#include "runtime/backend/sim/sim_int.h"

#include <string.h>

#define OFFSET_MASK ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1)

/* The memory that the lanes access, and what an access there must be older than to be in order. */
typedef struct place {
    gx_shadow *shadow;
    const char *data;
    uint64_t start, last; /* the first address, and the last offset that is inside */
    uint64_t at[GX_LANES];
    uint32_t before, since, first; /* first: who lane 0 is; since: see gx_segment */
    bool shared;
} place;

/* Where the first lane goes decides; false: `*rest` of the lanes are for watch.c. */
static bool find_place(place *p, const gx_sim_warp *w, const gx_ins *i, uint32_t mask,
                       uint32_t *rest) {
    const gx_block *b = w->block;
    const gx_run *run = b->run;
    uint64_t first = p->at[__builtin_ctz(mask)],
             bytes = (uint64_t)gx_ptx_bytes((gx_ptx_type)i->type), size;
    *rest = mask;
    p->shared = i->space == SP_SHARED;
    if (p->shared) {
        int64_t statics = (run->fn->shared_bytes + 15) / 16 * 16;
        bool dynamic = first >= GX_SHARED_DYNAMIC;
        p->start = dynamic ? GX_SHARED_DYNAMIC : 0;
        p->data = b->shared + (dynamic ? statics : 0);
        size = (uint64_t)(dynamic ? run->launch->shared : run->fn->shared_bytes);
        p->shadow =
            b->shadow ? b->shadow + ((p->data - b->shared) >> run->sim->shared_shift) : NULL;
        p->before = b->barrier_at;
        p->since = b->started;
    } else {
        uint64_t number = first >> GX_SEGMENT_SHIFT;
        if (number < GX_SEG_FIRST || number >= (uint64_t)run->n_segment) return false;
        const gx_segment *s = &run->segment[number];
        p->start = number << GX_SEGMENT_SHIFT;
        p->data = s->data;
        p->shadow = s->shadow;
        p->before = run->began + 1;
        p->since = s->since;
        size = (uint64_t)s->bytes;
    }
    if (!p->shadow) { /* nobody watches there */
        for (uint32_t left = mask; left; left &= left - 1) {
            int l = __builtin_ctz(left);
            if (p->shared || (p->at[l] & ~OFFSET_MASK) == p->start) *rest &= ~(1u << l);
        }
        return false;
    }
    p->last = size - bytes;
    p->first = gx_who(w, 0);
    return size >= bytes;
}

/* Is that trace no matter to `me`? */
static inline bool harmless(const gx_touch *t, uint32_t me, uint32_t before) {
    return t->who == me || t->at < before;
}

static uint32_t read_lanes(const place *p, const gx_ins *i, uint32_t mask, int shift,
                           uint32_t now) {
    uint32_t rest = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint32_t me = p->first + (uint32_t)l;
        uint64_t off = p->at[l] - p->start;
        if (off > p->last || off & ((1u << shift) - 1)) {
            rest |= 1u << l;
            continue;
        }
        gx_shadow *e = &p->shadow[off >> shift];
        bool known = !p->since || e->write.at >= p->since || e->atomic.at >= p->since;
        bool told = (e->write.flags & SHADOW_CHANGED) && !harmless(&e->write, me, p->before);
        if (!known || told || (p->shared && !harmless(&e->atomic, me, p->before))) {
            rest |= 1u << l;
            continue;
        }
        if (e->read[0].who != me) e->read[1] = e->read[0];
        e->read[0] = (gx_touch){.at = now, .who = me, .line = (uint16_t)i->line};
    }
    return rest;
}

static uint32_t write_lanes(const place *p, gx_sim_warp *w, const gx_ins *i, uint32_t mask,
                            int shift, uint32_t now) {
    const char *fresh = gx_operand_at(w, i->op[0]);
    size_t bytes = (size_t)1 << shift, step = i->mode & REGISTER_BYTES;
    uint32_t rest = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint32_t me = p->first + (uint32_t)l, before = p->before, value = 0, old = 0;
        uint64_t off = p->at[l] - p->start;
        if (off > p->last || off & (bytes - 1)) {
            rest |= 1u << l;
            continue;
        }
        gx_shadow *e = &p->shadow[off >> shift];
        if (!harmless(&e->write, me, before) || !harmless(&e->atomic, me, before) ||
            !harmless(&e->read[0], me, before) || !harmless(&e->read[1], me, before)) {
            rest |= 1u << l;
            continue;
        }
        bool fill = p->since && e->write.at < p->since && e->atomic.at < p->since;
        if (bytes == 4) {
            memcpy(&value, fresh + (size_t)l * step, 4);
            memcpy(&old, p->data + off, 4);
        } else {
            memcpy(&value, fresh + (size_t)l * step, bytes);
            memcpy(&old, p->data + off, bytes);
        }
        if (value != old) w->block->progress++;
        e->write = (gx_touch){.at = now,
                              .who = me,
                              .line = (uint16_t)i->line,
                              .flags = fill || value != old ? SHADOW_CHANGED : 0,
                              .hash = gx_watch_hash(value)};
    }
    return rest;
}

uint32_t gx_watch_plain(gx_sim_warp *w, const gx_ins *i, uint32_t mask, uint32_t now) {
    const gx_sim *sim = w->block->run->sim;
    int shift = i->space == SP_SHARED ? sim->shared_shift : sim->global_shift;
    bool plain = (i->access == ACCESS_LOAD || i->access == ACCESS_STORE) && i->width == 1 &&
                 !i->order && !i->used && gx_ptx_bytes((gx_ptx_type)i->type) == 1 << shift &&
                 (i->space == SP_SHARED || i->space == SP_GLOBAL);
    place p;
    uint32_t rest;
    if (!plain || !mask) return mask;
    gx_mem_addresses(w, i, p.at);
    if (!find_place(&p, w, i, mask, &rest)) return rest;
    return i->access == ACCESS_LOAD ? read_lanes(&p, i, mask, shift, now)
                                    : write_lanes(&p, w, i, mask, shift, now);
}
