/* Counters: what each instruction asked of memory, summed by the source's lines after the launch.
   Sectors are pieces of 32 bytes that a warp's request touches; a shared request takes as many
   turns as one bank of 4 bytes has different words to give. */
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum { BANKS = 32 };

/* How many different values; they mostly come in order. */
static int distinct(uint64_t *v, int n) {
    int kept = 0;
    for (int k = 0; k < n; k++) {
        int m = kept;
        while (m > 0 && v[m - 1] != v[k]) m--;
        if (m == 0) v[kept++] = v[k];
    }
    return kept;
}

/* Turns of the lanes of one phase: 4 bytes a lane go at once, 8 bytes in two halves of the warp, 16
   in four quarters. */
static int turns_of(const uint64_t *at, int n, int bytes) {
    uint64_t word[BANKS * 2];
    int count[BANKS] = {0}, most = 0, kept = 0;
    int words = bytes < 4 ? 1 : bytes / 4;
    for (int k = 0; k < n; k++) {
        for (int p = 0; p < words; p++) {
            uint64_t u = (at[k] >> 2) + (uint64_t)p;
            int *c = &count[u % BANKS], m = *c ? kept : 0; /* a free bank gives a new word */
            while (m > 0 && word[m - 1] != u) m--;
            if (m > 0 || kept == BANKS * 2) continue;
            word[kept++] = u;
            if (++*c > most) most = *c;
        }
    }
    return most;
}

static void count_shared(gx_count *c, const uint64_t *at, const int *lane, int n, int bytes,
                         bool load, bool store) {
    int phases = bytes <= 4 ? 1 : bytes / 4, size = GX_LANES / phases;
    c->shared++;
    if (load) c->shared_reads += n;
    if (store) c->shared_writes += n;
    for (int from = 0; from < n;) {
        int to = from;
        while (to < n && lane[to] / size == lane[from] / size) to++;
        int turns = turns_of(at + from, to - from, bytes);
        c->turns += turns;
        c->conflicts += turns - 1;
        from = to;
    }
}

static void count_global(gx_count *c, const uint64_t *at, int n, int bytes, bool load, bool store) {
    uint64_t sector[GX_LANES];
    for (int k = 0; k < n; k++) sector[k] = at[k] >> 5;
    c->requests++;
    c->sectors += distinct(sector, n);
    c->bytes += (int64_t)n * bytes;
    if (load) c->reads += n;
    if (store) c->writes += n;
}

/* Accesses of one element a lane that lie near each other: words of shared memory on different
   banks, or the same ones; sectors among 64. */
static bool count_near(gx_sim_warp *w, const gx_ins *i, gx_count *c, uint32_t mask, int bytes) {
    uint64_t at[GX_LANES], low = UINT64_MAX, high = 0, touched = 0;
    int n = 0;
    if (i->space != SP_SHARED && i->space != SP_GLOBAL) return false;
    gx_mem_addresses(w, i, at);
    for (uint32_t left = mask; left; left &= left - 1, n++) {
        uint64_t a = at[__builtin_ctz(left)];
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    bool load = i->access != ACCESS_STORE, store = i->access != ACCESS_LOAD;
    if (i->space == SP_SHARED) {
        if (bytes > 4 || (high >> 2) - (low >> 2) >= BANKS) return false;
        c->shared++;
        c->turns++;
        if (load) c->shared_reads += n;
        if (store) c->shared_writes += n;
        return true;
    }
    if (low >> GX_SEGMENT_SHIFT < GX_SEG_FIRST || (high >> 5) - (low >> 5) >= 64) return false;
    for (uint32_t left = mask; left; left &= left - 1)
        touched |= UINT64_C(1) << ((at[__builtin_ctz(left)] >> 5) - (low >> 5));
    c->requests++;
    c->sectors += __builtin_popcountll(touched);
    c->bytes += (int64_t)n * bytes;
    if (load) c->reads += n;
    if (store) c->writes += n;
    return true;
}

static void count_at(gx_sim_warp *w, gx_count *c, uint32_t mask, int32_t base, int mode,
                     int64_t imm, int space, int bytes, int what) {
    uint64_t shared[GX_LANES], global[GX_LANES];
    int lane[GX_LANES], n_shared = 0, n_global = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint64_t at = gx_address_of(w, l, base, mode, imm);
        if (space == SP_SHARED || at >> GX_SEGMENT_SHIFT == GX_SEG_SHARED) {
            lane[n_shared] = l;
            shared[n_shared++] = at;
        } else if (at >> GX_SEGMENT_SHIFT != GX_SEG_LOCAL) {
            global[n_global++] = at;
        }
    }
    bool load = what != ACCESS_STORE, store = what != ACCESS_LOAD;
    if (n_shared) count_shared(c, shared, lane, n_shared, bytes, load, store);
    if (n_global) count_global(c, global, n_global, bytes, load, store);
}

void gx_count_access(gx_sim_warp *w, const gx_ins *i, gx_count *c, uint32_t mask) {
    if (i->access == ACCESS_FENCE) return;
    if (i->access == ACCESS_COPY) {
        count_at(w, c, mask, i->op[1], i->mode, i->imm, SP_GLOBAL, i->width, ACCESS_LOAD);
        count_at(w, c, mask, i->op[0], i->site->arg[1], i->site->arg[0], SP_SHARED, i->width,
                 ACCESS_STORE);
        return;
    }
    int bytes = gx_ptx_bytes((gx_ptx_type)i->type) * (i->access == ACCESS_ATOMIC ? 1 : i->width);
    if (!count_near(w, i, c, mask, bytes))
        count_at(w, c, mask, i->op[4], i->mode, i->imm, i->space, bytes, i->access);
}

/* --- by lines --- */

static void add(gx_sim_line *to, const gx_count *c) {
    to->executed += c->executed;
    to->lanes += c->lanes;
    to->requests += c->requests;
    to->sectors += c->sectors;
    to->shared += c->shared;
    to->turns += c->turns;
    to->conflicts += c->conflicts;
    to->reads += c->reads;
    to->writes += c->writes;
    to->shared_reads += c->shared_reads;
    to->shared_writes += c->shared_writes;
    to->bytes += c->bytes;
}

static int by_line(const void *a, const void *b) {
    uint32_t x = ((const gx_sim_line *)a)->line, y = ((const gx_sim_line *)b)->line;
    return x < y ? -1 : x > y;
}

/* Adds an instruction's count to its line, which is searched from the end: neighbours share it. */
static void add_to_line(gx_sim_counters *out, uint32_t line, const gx_count *c) {
    int k = out->count - 1;
    while (k >= 0 && out->line[k].line != line) k--;
    if (k < 0) {
        k = out->count++;
        out->line[k] = (gx_sim_line){.line = line};
    }
    add(&out->line[k], c);
    add(&out->all, c);
}

bool gx_count_lines(gx_run *run, gx_block *const *blocks, int n) {
    gx_sim_counters *out = run->launch->counters;
    const gx_sim *sim = run->sim;
    memset(out, 0, sizeof *out);
    int used = 0;
    for (int k = 0; k < sim->instructions; k++)
        for (int t = 0; t < n; t++) used += blocks[t]->count[k].executed != 0;
    out->line = gx_alloc(run->rt, (size_t)(used + 1) * sizeof *out->line);
    if (!out->line) return false;
    for (int f = 0; f < sim->n_fn; f++) {
        const gx_ptx_fn *fn = &sim->fn[f];
        for (int k = 0; k < fn->count; k++)
            for (int t = 0; t < n; t++) {
                const gx_count *c = &blocks[t]->count[fn->first + k];
                if (c->executed) add_to_line(out, fn->code[k].line, c);
            }
    }
    qsort(out->line, (size_t)out->count, sizeof *out->line, by_line);
    out->threads =
        run->blocks * run->launch->block[0] * run->launch->block[1] * run->launch->block[2];
    return true;
}

void gx_sim_counters_free(gx_rt *rt, gx_sim_counters *counters) {
    gx_free(rt, counters->line);
    *counters = (gx_sim_counters){0};
}
