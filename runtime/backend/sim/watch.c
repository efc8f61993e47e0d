/* Races, and reads of shared memory that nothing was written to. Every 1, 2 or 4 bytes (the
   smallest access of the module) of shared memory and of what the launch can write have a shadow:
   who wrote last, who read last, when. An access is compared with the shadow before it is done, and
   becomes part of it. Two accesses by different threads race when one writes another value than was
   there, nothing orders them (order.c), and they are neither both atomic nor one volatile. Reads
   beside atomics are told of where that is sure to be a mistake.

   Blocks on several host threads share the shadows of global memory without a lock: what they read
   there may be old by some nanoseconds, so that a race may be seen one access later, but none is
   made up, since every field that is read was written by somebody who did touch that memory. */
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum { SHADOW_LIMIT = 1 << 26 }; /* of all shadows of global memory: more are not watched */

typedef struct look {
    gx_sim_warp *w;
    const gx_ins *i;
    uint32_t mask, now;
    int64_t bytes;
    uint8_t flags; /* SHADOW_VOLATILE */
    bool read, write, atomic;
    bool *said; /* of the access of this lane something was said */
} look;

/* Where an address lies: its memory and its shadow; false: not watched. */
typedef struct spot {
    gx_shadow *shadow;
    const char *data;
    bool shared;
    int shift;
    uint32_t since; /* what was written before counts as nothing; 0: it all counts */
} spot;

static inline bool find_spot(const look *k, uint64_t at, spot *out) {
    gx_block *b = k->w->block;
    const gx_run *run = b->run;
    uint64_t number = at >> GX_SEGMENT_SHIFT;
    uint64_t off = at & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1);
    if (off & (uint64_t)(k->bytes - 1)) return false;
    out->shared = number == GX_SEG_SHARED;
    if (out->shared) {
        out->shift = run->sim->shared_shift;
        bool fixed = off < GX_SHARED_DYNAMIC && (int64_t)off + k->bytes <= run->fn->shared_bytes;
        out->data = fixed ? b->shared + off : gx_mem_shared(b, off, k->bytes);
        if (!out->data || !b->shadow) return false;
        out->shadow = b->shadow + ((out->data - b->shared) >> out->shift);
        out->since = b->started;
        return true;
    }
    if (number < GX_SEG_FIRST || number >= (uint64_t)run->n_segment) return false;
    const gx_segment *s = &run->segment[number];
    if (!s->shadow || (int64_t)off + k->bytes > s->bytes) return false;
    out->shift = run->sim->global_shift;
    out->data = s->data + off;
    out->shadow = s->shadow + (off >> out->shift);
    out->since = s->since;
    return true;
}

static inline bool other_block(uint32_t a, uint32_t b) {
    return (a ^ b) >> 10 != 0;
}

/* Could an access at `when` by `who` be unordered with one now? The common answers at once. */
static inline bool apart(const look *k, int lane, uint32_t me, bool shared, uint32_t who,
                         uint32_t when) {
    const gx_block *b = k->w->block;
    if (who == me || when <= b->run->began) return false;
    if (shared ? when < b->barrier_at : !other_block(who, me) && when < b->barrier_at) return false;
    return !gx_ordered(k->w, lane, who, when);
}

/* Is a plain read beside an atomic told of? In shared memory it is a forgotten barrier, unless
   the module has loops of compare-and-swap, which begin with such a read; of global memory it may
   well be a glance at a counter. */
static bool blames_reads(const look *k, const spot *s) {
    return s->shared && !k->w->block->run->sim->swaps;
}

/* Does that trace race with the access at hand? */
static inline bool races(const look *k, int lane, uint32_t me, bool shared, const gx_touch *t) {
    if (t->who == me) return false;
    if ((k->flags | t->flags) & SHADOW_VOLATILE) {
        /* volatile does not order the lanes of a warp: __syncwarp does */
        bool both = k->flags & t->flags & SHADOW_VOLATILE;
        if (!both || !shared || (t->who ^ me) / GX_LANES != 0) return false;
    }
    return apart(k, lane, me, shared, t->who, t->at);
}

/* Was nothing ever written there? */
static inline bool is_unset(const spot *s, const gx_shadow *e) {
    return s->since && e->write.at < s->since && e->atomic.at < s->since;
}

/* A race with that trace, or without one a read before any write: once an access. */
static void tell(const look *k, int lane, uint64_t at, const gx_touch *t, gx_sim_access what) {
    if (*k->said) return;
    *k->said = true;
    if (t)
        gx_fault_race(k->w, k->i, lane, at, k->bytes, t, what);
    else
        gx_fault_add(k->w, k->i, lane, GX_FAULT_UNSET, at, k->bytes, false);
}

static inline void look_read(const look *k, int lane, uint32_t me, const spot *s, gx_shadow *e,
                             uint64_t at) {
    if (is_unset(s, e)) tell(k, lane, at, NULL, ACCESS_NONE);
    if (k->atomic) return;
    if ((e->write.flags & SHADOW_CHANGED) && races(k, lane, me, s->shared, &e->write))
        tell(k, lane, at, &e->write, ACCESS_STORE);
    else if (blames_reads(k, s) && races(k, lane, me, s->shared, &e->atomic))
        tell(k, lane, at, &e->atomic, ACCESS_ATOMIC);
    if (k->flags) return;
    if (e->read[0].who != me) e->read[1] = e->read[0];
    e->read[0] = (gx_touch){.at = k->now, .who = me, .line = (uint16_t)k->i->line};
}

static void look_write(const look *k, int lane, uint32_t me, const spot *s, gx_shadow *e,
                       uint64_t at, bool changed, uint8_t hash) {
    if (is_unset(s, e)) changed = true; /* what was there before was nothing */
    bool beside = races(k, lane, me, s->shared, &e->write);
    if (beside && (k->atomic || hash != e->write.hash))
        tell(k, lane, at, &e->write, ACCESS_STORE);
    else if (!k->atomic && changed && races(k, lane, me, s->shared, &e->atomic))
        tell(k, lane, at, &e->atomic, ACCESS_ATOMIC);
    else if (changed && (!k->atomic || blames_reads(k, s)))
        for (int n = 0; n < 2; n++) {
            if (!races(k, lane, me, s->shared, &e->read[n])) continue;
            tell(k, lane, at, &e->read[n], ACCESS_LOAD);
            break;
        }
    gx_touch *t = k->atomic ? &e->atomic : &e->write;
    bool kept = beside && (e->write.flags & SHADOW_CHANGED);
    *t = (gx_touch){.at = k->now,
                    .who = me,
                    .line = (uint16_t)k->i->line,
                    .flags = (uint8_t)(k->flags | (changed || kept ? SHADOW_CHANGED : 0)),
                    .hash = hash};
}

/* --- what is written --- */

/* The bytes that a store writes, of a lane. */
static void stored(const look *k, int lane, char to[16]) {
    const gx_ins *i = k->i;
    int item = gx_ptx_bytes((gx_ptx_type)i->type), reg = i->mode & REGISTER_BYTES;
    if (i->width == 1 && item == 4 && reg == 4) {
        memcpy(to, (const char *)gx_operand_at(k->w, i->op[0]) + lane * 4, 4);
        return;
    }
    for (int n = 0; n < i->width; n++)
        memcpy(to + n * item, (const char *)gx_operand_at(k->w, i->op[n]) + lane * reg,
               (size_t)item);
}

/* Of at most 4 bytes. */
static inline uint32_t value_of(const char *p, size_t n) {
    uint32_t u = 0;
    if (n == 4)
        memcpy(&u, p, 4);
    else
        memcpy(&u, p, n);
    return u;
}

static inline void look_lane(const look *k, int lane, uint64_t at, const spot *s) {
    int grain = 1 << s->shift;
    int64_t parts = (k->bytes + grain - 1) >> s->shift;
    uint32_t me = gx_who(k->w, lane);
    char fresh[16];
    bool plain = k->write && k->i->access == ACCESS_STORE;
    *k->said = false;
    if (plain) stored(k, lane, fresh);
    for (int64_t p = 0; p < parts && s->shared; p++) {
        if (s->shadow[p].write.at != SHADOW_GAP) continue;
        gx_fault_add(k->w, k->i, lane, GX_FAULT_SHARED, at, k->bytes, k->write);
        return;
    }
    for (int64_t p = 0; p < parts; p++) {
        gx_shadow *e = &s->shadow[p];
        size_t size = (size_t)(k->bytes < grain ? k->bytes : grain);
        if (k->i->used && !(k->i->used >> (p * grain) & ((1u << size) - 1))) continue;
        if (k->read) look_read(k, lane, me, s, e, at);
        if (!k->write) continue;
        uint32_t value = plain ? value_of(fresh + p * grain, size) : me;
        bool changed = !plain || value_of(s->data + p * grain, size) != value;
        if (plain && changed) k->w->block->progress++;
        look_write(k, lane, me, s, e, at, changed, gx_watch_hash(value));
    }
}

/* Where each lane goes, in the 64-bit space. */
static uint64_t segment_of(const gx_ins *i) {
    return i->space == SP_SHARED  ? (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT
           : i->space == SP_LOCAL ? (uint64_t)GX_SEG_LOCAL << GX_SEGMENT_SHIFT
                                  : 0;
}

static void look_all(const look *k, int32_t base, int mode, int64_t imm, uint64_t segment) {
    spot s;
    for (uint32_t left = k->mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint64_t at = gx_address_of(k->w, l, base, mode, imm) | segment;
        if (find_spot(k, at, &s)) look_lane(k, l, at, &s);
    }
}

/* A copy reads global memory and writes shared memory, of any size. */
static void look_copy(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    bool said;
    look k = {.w = w,
              .i = i,
              .said = &said,
              .mask = mask,
              .bytes = i->width,
              .read = true,
              .now = ++*w->block->clock};
    look_all(&k, i->op[1], i->mode, i->imm, 0);
    k.read = false;
    k.write = true;
    look_all(&k, i->op[0], i->site->arg[1], i->site->arg[0],
             (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT);
}

/* The same question with the same answer as one of the last four: the warp waits for others. */
static void note_asking(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const gx_block *b = w->block;
    uint64_t hash = mask;
    if (i->access == ACCESS_STORE) return;
    int64_t bytes = gx_ptx_bytes((gx_ptx_type)i->type);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t at =
            gx_address_of(w, __builtin_ctz(left), i->op[4], i->mode, i->imm) | segment_of(i);
        uint64_t number = at >> GX_SEGMENT_SHIFT, value = 0;
        uint64_t off = at & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1);
        const char *from = NULL;
        if (number == GX_SEG_SHARED)
            from = gx_mem_shared(b, off, bytes);
        else if (number >= GX_SEG_FIRST && number < (uint64_t)b->run->n_segment &&
                 (int64_t)off + bytes <= b->run->segment[number].bytes)
            from = b->run->segment[number].data + off;
        if (from) memcpy(&value, from, (size_t)(bytes < 8 ? bytes : 8));
        hash = (hash ^ at ^ value * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
        hash ^= hash >> 32;
    }
    for (int k = 0; k < 4; k++) w->polled = w->polled || w->asked[k] == hash;
    memmove(&w->asked[1], &w->asked[0], 3 * sizeof w->asked[0]);
    w->asked[0] = hash;
}

void gx_watch_access(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    gx_block *b = w->block;
    if (i->access == ACCESS_FENCE) {
        gx_order_fence(w, mask);
        return;
    }
    if (i->access == ACCESS_COPY) {
        look_copy(w, i, mask);
        return;
    }
    bool atomic = i->access == ACCESS_ATOMIC;
    if (atomic || i->order) {
        gx_order_tell(w, mask, i->order & ORDER_RELEASE);
        note_asking(w, i, mask);
    }
    bool said;
    look k = {.w = w,
              .i = i,
              .said = &said,
              .mask = mask,
              .bytes = (int64_t)gx_ptx_bytes((gx_ptx_type)i->type) * (atomic ? 1 : i->width),
              .flags = i->order && !atomic ? SHADOW_VOLATILE : 0,
              .atomic = atomic,
              .read = i->access == ACCESS_LOAD || (atomic && i->space == SP_SHARED),
              .write = i->access != ACCESS_LOAD};
    k.now = k.write ? ++*b->clock : *b->clock;
    k.mask = gx_watch_plain(w, i, mask, k.now);
    if (k.mask) look_all(&k, i->op[4], i->mode, i->imm, segment_of(i));
}

void gx_watch_touch(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, int64_t bytes,
                    bool write) {
    bool said;
    spot s;
    look k = {.w = w, .i = i, .said = &said, .bytes = bytes, .read = !write, .write = write};
    k.now = write ? ++*w->block->clock : *w->block->clock;
    if (find_spot(&k, at, &s)) look_lane(&k, lane, at, &s);
}

/* --- shadows of a launch --- */

/* Arrays that share memory share shadows; each group that can be written to gets them. */
static int group_of(const gx_run *run, int *group) {
    int n = run->n_segment;
    for (int k = 0; k < n; k++) group[k] = k;
    for (bool again = true; again;) {
        again = false;
        for (int k = GX_SEG_FIRST; k < n; k++) {
            const gx_segment *a = &run->segment[k];
            for (int m = GX_SEG_FIRST; m < k; m++) {
                const gx_segment *b = &run->segment[m];
                if (group[k] == group[m] || a->data >= b->data + b->bytes ||
                    b->data >= a->data + a->bytes)
                    continue;
                int from = group[k] > group[m] ? group[k] : group[m];
                int to = group[k] + group[m] - from;
                for (int j = 0; j < n; j++)
                    if (group[j] == from) group[j] = to;
                again = true;
            }
        }
    }
    return n;
}

typedef struct extent {
    const char *low, *high;
    bool writable;
    int64_t first;
} extent;

/* A module keeps its shadows: what is older than the launch counts as nothing. */
static bool take_shadows(gx_run *run, int64_t total) {
    gx_sim *sim = run->sim;
    if (total > sim->room_shadows) {
        gx_free(run->rt, sim->shadows);
        sim->room_shadows = 0;
        sim->shadows = gx_alloc_zero(run->rt, (size_t)total * sizeof *sim->shadows);
        if (!sim->shadows) return false;
        sim->room_shadows = total;
    } else if (sim->clock > UINT32_MAX / 4) {
        memset(sim->shadows, 0, (size_t)sim->room_shadows * sizeof *sim->shadows);
        gx_builtin_unwatch(run);
        sim->clock = 0;
    }
    run->clock = run->began = sim->clock;
    return true;
}

static void share_shadows(gx_run *run, int *group, extent *x) {
    int n = group_of(run, group), shift = run->sim->global_shift;
    int64_t total = 0;
    for (int k = GX_SEG_FIRST; k < n; k++) {
        const gx_segment *s = &run->segment[k];
        extent *e = &x[group[k]];
        if (!s->data || s->bytes == 0) continue;
        if (!e->low || s->data < e->low) e->low = s->data;
        if (!e->high || s->data + s->bytes > e->high) e->high = s->data + s->bytes;
        bool blank = s->array >= 0 && run->launch->arrays[s->array].blank;
        e->writable |= s->writable || s->lost || blank;
    }
    for (int k = GX_SEG_FIRST; k < n; k++) {
        if (!x[k].writable) continue;
        x[k].first = total;
        total += ((x[k].high - x[k].low) >> shift) + 1;
    }
    if (total == 0) return;
    bool many = total > SHADOW_LIMIT / (int64_t)sizeof(gx_shadow) && !run->launch->full;
    if (many || !take_shadows(run, total)) {
        run->unwatched = total << shift;
        return;
    }
    for (int k = GX_SEG_FIRST; k < n; k++) {
        gx_segment *s = &run->segment[k];
        const extent *e = &x[group[k]];
        if (s->data && s->bytes && e->writable)
            s->shadow = run->sim->shadows + e->first + ((s->data - e->low) >> shift);
        if (s->shadow && s->array >= 0 && run->launch->arrays[s->array].blank)
            s->since = run->began + 1;
    }
}

void gx_watch_gaps(gx_block *b) {
    const gx_sim *sim = b->run->sim;
    const gx_ptx_fn *fn = b->run->fn;
    int shift = sim->shared_shift;
    for (int64_t k = 0; k < fn->shared_bytes >> shift; k++) b->shadow[k].write.at = SHADOW_GAP;
    for (int n = 0; n < sim->n_shared; n++) {
        const gx_ptx_shared *v = &sim->shared[n];
        if (!v->bytes || (v->fn && strcmp(v->fn, fn->name) != 0)) continue;
        /* Of a module that declares it behind the kernel: the kernel has no room for it. */
        if ((int64_t)v->at + v->bytes > fn->shared_bytes) continue;
        int64_t end = ((int64_t)v->at + v->bytes - 1) >> shift;
        for (int64_t k = v->at >> shift; k <= end; k++) b->shadow[k].write.at = 0;
    }
    for (int64_t k = 0; k < fn->shared_bytes >> shift; k++)
        if (b->shadow[k].write.at)
            b->shadow[k].write = (gx_touch){
                .at = SHADOW_GAP, .who = UINT32_MAX, .flags = SHADOW_CHANGED}; /* nobody's */
}

void gx_watch_start(gx_run *run) {
    int n = run->heap_first - 1; /* the grid's words and memory from malloc are not watched */
    int *group = gx_alloc(run->rt, (size_t)run->n_segment * sizeof *group);
    extent *x = gx_alloc_zero(run->rt, (size_t)run->n_segment * sizeof *x);
    int all = run->n_segment;
    run->n_segment = n;
    if (group && x) share_shadows(run, group, x);
    run->n_segment = all;
    gx_free(run->rt, group);
    gx_free(run->rt, x);
    gx_error_clear(run->rt); /* without memory nothing is watched */
}
