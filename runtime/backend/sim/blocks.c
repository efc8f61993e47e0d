/* Blocks: their memory, their barriers, and in which order they run. Blocks that cannot see each
   other are spread over host threads. The others run one after another in order of their index;
   when one only asks again and again for what nobody changes, the next one starts beside it, so
   that barriers over the whole grid and flags between blocks work as on a GPU that has room for all
   of them. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum {
    MAX_WARPS = 8192,  /* of blocks that run beside each other */
    STALLED = 3,       /* sweeps without an answer until the next block starts */
    STALLED_LAST = 100 /* and until nobody is believed to answer */
};

/* --- barriers --- */

static void release(gx_block *b, int id) {
    gx_barrier *barrier = &b->barrier[id];
    bool whole = !barrier->expected || barrier->expected >= b->threads;
    b->progress++;
    if (b->clock) gx_meet_barrier(b, id);
    for (int k = 0; k < b->n_warp; k++) {
        gx_sim_warp *w = &b->warp[k];
        for (int n = 0; n < w->n_group; n++) {
            gx_group *g = &w->group[n];
            if (g->state != GROUP_BARRIER || g->barrier != id) continue;
            const gx_ins *i = &g->frame->fn->code[g->pc];
            w->base[0] = g->frame->regs;
            if (i->mode == 1) {
                uint32_t *d = gx_operand_at(w, i->op[0]);
                for (uint32_t left = g->mask; left; left &= left - 1)
                    d[__builtin_ctz(left)] = barrier->count;
            } else if (i->mode > 1) {
                uint32_t *p = gx_operand_at(w, i->op[0]);
                bool yes = i->mode == 2 ? barrier->all : barrier->any;
                *p = (*p & ~g->mask) | (yes ? g->mask : 0);
            }
            if (w->watched) gx_order_release(b, w, g->mask, whole);
            g->pc++;
            g->state = GROUP_READY;
            g->turns = 0;
        }
    }
    *barrier = (gx_barrier){.all = 1};
}

/* Exited threads count as arrived. */
static bool release_full(gx_block *b) {
    bool any = false;
    for (int id = 0; id < GX_BARRIERS; id++) {
        gx_barrier *barrier = &b->barrier[id];
        int expected = barrier->expected ? barrier->expected : b->threads;
        if (!barrier->arrived || barrier->arrived + b->exited < expected) continue;
        release(b, id);
        any = true;
    }
    return any;
}

static const gx_ins *waiting_at(const gx_group *g) {
    return &g->frame->fn->code[g->pc];
}

/* Nobody can move: who waits where. */
static void report_deadlock(gx_block *b) {
    char text[256];
    gx_sim_warp *first = NULL;
    const gx_group *group = gx_meet_waiting(b, &first, text, sizeof text);
    if (!group) return;
    gx_fault_add(first, waiting_at(group), __builtin_ctz(group->mask), GX_FAULT_DEADLOCK, 0, 0,
                 false);
    gx_fault_text(first, GX_FAULT_DEADLOCK, text);
}

/* --- memory of blocks --- */

static void free_block(gx_run *run, gx_block *b) {
    if (!b) return;
    for (int k = 0; k < b->n_warp && b->warp; k++) {
        run->report->instructions += b->warp[k].clock;
        run->report->lane_instructions += b->warp[k].lanes;
        gx_warp_free(run->rt, &b->warp[k]);
    }
    if (b->clock && *b->clock > run->sim->clock) run->sim->clock = *b->clock;
    gx_free(run->rt, b->warp);
    gx_free(run->rt, b->shared);
    gx_free(run->rt, b->shadow);
    gx_free(run->rt, b);
}

static bool make_block(gx_run *run, gx_block **out) {
    const uint32_t *size = run->launch->block;
    gx_block *b = gx_alloc_zero(run->rt, sizeof *b);
    if (!b) return false;
    b->run = run;
    b->threads = (int)(size[0] * size[1] * size[2]);
    b->n_warp = (b->threads + GX_LANES - 1) / GX_LANES;
    b->shared_bytes = (run->fn->shared_bytes + 15) / 16 * 16 + run->launch->shared;
    b->warp = gx_alloc_zero(run->rt, (size_t)b->n_warp * sizeof *b->warp);
    b->shared = gx_alloc_zero(run->rt, (size_t)b->shared_bytes + 16);
    bool ok = b->warp && b->shared;
    if (ok && !run->launch->unwatched) {
        b->clock = run->serial ? &run->clock : &b->own_clock;
        b->own_clock = run->clock;
        size_t grains = (size_t)(b->shared_bytes >> run->sim->shared_shift) + 1;
        if (b->shared_bytes) b->shadow = gx_alloc_zero(run->rt, grains * sizeof *b->shadow);
        ok = b->shadow || !b->shared_bytes;
        if (ok) gx_watch_gaps(b);
    }
    if (!ok) {
        free_block(run, b);
        return false;
    }
    *out = b;
    return true;
}

/* --- running --- */

static bool start_block(gx_block *b, int64_t number) {
    const uint32_t *grid = b->run->launch->grid;
    b->number = number;
    b->index[0] = (uint32_t)(number % grid[0]);
    b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    b->exited = 0;
    b->failed = false;
    b->stalled = 0;
    memset(b->barrier, 0, sizeof b->barrier);
    if (b->shared_bytes) memset(b->shared, 0, (size_t)b->shared_bytes);
    if (b->clock) gx_order_start(b);
    for (int k = 0; k < b->n_warp; k++) {
        if (gx_warp_start(&b->warp[k], b, k)) continue;
        b->run->no_memory = b->run->stop = true;
        return false;
    }
    return true;
}

/* In every sweep, since a barrier in an endless loop lets a warp begin its turns anew. */
static void stop_when_due(gx_run *run, gx_sim_warp *w) {
    if (!run->rt->interrupted && !(run->launch->most && w->clock > run->launch->most)) return;
    for (int k = 0; k < w->n_group; k++) gx_meet_late(w, &w->group[k]);
    run->stop = true;
}

/* Every warp as far as it comes; false: the block is at its end, or the launch is. */
static bool sweep(gx_block *b) {
    bool moved = false, asked = false;
    int64_t progress = b->progress;
    for (int k = 0; k < b->n_warp; k++) {
        gx_sim_warp *w = &b->warp[k];
        w->polled = false;
        moved = gx_warp_run(w) || moved;
        asked |= w->polled;
        stop_when_due(b->run, w);
    }
    if (!release_full(b) && !moved && b->exited < b->threads) {
        report_deadlock(b);
        b->failed = true;
    }
    b->stalled = asked && b->progress == progress ? b->stalled + 1 : 0;
    if (b->exited < b->threads && !b->failed && !b->run->stop) return true;
    for (int k = 0; k < b->n_warp && b->exited < b->threads; k++) gx_warp_abandon(&b->warp[k]);
    if (b->failed) b->run->stop = true; /* as a trap ends the whole grid */
    return false;
}

typedef struct share {
    gx_run *run;
    gx_block **blocks; /* one a host thread */
    int64_t each;
} share;

static void run_share(void *arg, int64_t task, int thread) {
    share *s = arg;
    int64_t from = task * s->each, to = from + s->each;
    if (to > s->run->blocks) to = s->run->blocks;
    for (int64_t k = from; k < to && !s->run->stop; k++) {
        if (!start_block(s->blocks[thread], k)) return;
        while (sweep(s->blocks[thread])) continue;
        if (s->run->rt->interrupted) s->run->stop = true;
    }
}

/* --- one after another --- */

typedef struct line_up {
    gx_run *run;
    gx_block **block; /* the first `active` of them run, in order of their index */
    int made, active, room;
    int64_t next;
} line_up;

static bool start_next(line_up *l) {
    gx_run *run = l->run;
    if (l->active == l->made) {
        if (l->made == l->room) {
            int room = l->room ? l->room * 2 : 8;
            gx_block **more = gx_realloc(run->rt, l->block, (size_t)room * sizeof *more);
            if (!more) return false;
            l->block = more;
            l->room = room;
        }
        if (!make_block(run, &l->block[l->made])) return false;
        l->block[l->made]->count = l->block[0]->count;
        l->made++;
    }
    if (!start_block(l->block[l->active], l->next++)) return false;
    l->active++;
    for (int k = 0; k < l->active; k++) l->block[k]->stalled = 0;
    return true;
}

/* Nobody answers: the first of those that wait. */
static void report_waiting(line_up *l) {
    gx_block *b = l->block[0];
    gx_sim_warp *waiting = NULL;
    char text[256];
    size_t used = gx_meet_waiting(b, &waiting, text, sizeof text - 100) ? strlen(text) : 0;
    for (int k = 0; k < b->n_warp; k++) {
        gx_sim_warp *w = &b->warp[k];
        for (int n = 0; n < w->n_group; n++) {
            gx_group *g = &w->group[n];
            if (g->state != GROUP_READY || !g->mask) continue;
            if (used)
                snprintf(text + used, sizeof text - used,
                         ", and others ask in line %u for what no thread changes",
                         waiting_at(g)->line);
            else
                snprintf(text, sizeof text,
                         "it asks for what no thread changes, as %d of %lld blocks do", l->active,
                         (long long)l->run->blocks);
            gx_fault_add(w, waiting_at(g), __builtin_ctz(g->mask), GX_FAULT_DEADLOCK, 0, 0, false);
            gx_fault_text(w, GX_FAULT_DEADLOCK, text);
            k = b->n_warp;
            break;
        }
    }
    for (int k = 0; k < l->active; k++) {
        l->block[k]->failed = true;
        for (int n = 0; n < b->n_warp; n++) gx_warp_abandon(&l->block[k]->warp[n]);
    }
    l->run->stop = true;
}

/* One sweep over the blocks that run. */
static bool sweep_all(line_up *l) {
    gx_run *run = l->run;
    int stalled = STALLED_LAST;
    for (int k = 0; k < l->active;) {
        gx_block *b = l->block[k];
        if (!run->stop && sweep(b)) {
            stalled = b->stalled < stalled ? b->stalled : stalled;
            k++;
            continue;
        }
        stalled = 0;
        if (run->stop) return true;
        memmove(&l->block[k], &l->block[k + 1], (size_t)(l->made - k - 1) * sizeof *l->block);
        l->block[l->made - 1] = b;
        l->active--;
        if (run->rt->interrupted) run->stop = true;
    }
    if (stalled < STALLED || !l->active) return true;
    bool room = (int64_t)(l->active + 1) * l->block[0]->n_warp <= MAX_WARPS;
    if (l->next < run->blocks && room) return start_next(l);
    if (stalled >= STALLED_LAST) report_waiting(l);
    return true;
}

static bool run_serial(gx_run *run, line_up *l) {
    bool ok = true;
    while (ok && !run->stop && (l->active || l->next < run->blocks)) {
        if (!l->active) ok = start_next(l);
        ok = ok && sweep_all(l);
    }
    /* stopped: what still runs is dropped */
    for (int k = 0; k < l->active; k++) {
        gx_block *b = l->block[k];
        for (int n = 0; n < b->n_warp; n++) gx_warp_abandon(&b->warp[n]);
    }
    return ok || run->no_memory;
}

/* --- launches --- */

static bool make_counts(gx_run *run, gx_block **blocks, int n) {
    if (!run->launch->counters) return true;
    for (int k = 0; k < n; k++) {
        blocks[k]->count =
            gx_alloc_zero(run->rt, (size_t)run->sim->instructions * sizeof *blocks[k]->count);
        if (!blocks[k]->count) return false;
    }
    return true;
}

bool gx_blocks_run(gx_run *run, int threads) {
    gx_rt *rt = run->rt;
    line_up l = {.run = run, .room = threads};
    l.block = gx_alloc_zero(rt, (size_t)threads * sizeof *l.block);
    bool ok = l.block != NULL;
    for (int k = 0; k < threads && ok; k++, l.made += ok) ok = make_block(run, &l.block[k]);
    ok = ok && make_counts(run, l.block, threads);
    if (ok && run->serial && !run->launch->unwatched && run->blocks < 1 << 22) {
        run->released = gx_alloc_zero(rt, (size_t)run->blocks * sizeof *run->released);
        ok = run->released != NULL;
    }
    if (ok && run->serial) {
        ok = run_serial(run, &l);
    } else if (ok) {
        share s = {.run = run, .blocks = l.block};
        s.each = (run->blocks + threads * 8 - 1) / (threads * 8);
        run->launch->spread(run->launch->spread_arg, (run->blocks + s.each - 1) / s.each, run_share,
                            &s);
    }
    if (ok && run->no_memory) ok = gx_no_memory(rt);
    if (ok && run->launch->counters) ok = gx_count_lines(run, l.block, threads);
    gx_count *count = NULL;
    for (int k = 0; k < l.made; k++) { /* blocks in line share their counts */
        if (l.block[k]->count != count || !run->serial) gx_free(rt, l.block[k]->count);
        count = l.block[k]->count;
        free_block(run, l.block[k]);
    }
    gx_free(rt, l.block);
    gx_free(rt, run->released);
    return ok;
}
