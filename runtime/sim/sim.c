/* Modules and launches: memory for both, blocks and their barriers. */
#include "runtime/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/sim/sim_int.h"

/* --- modules --- */

void gx_sim_free(gx_sim *sim) {
    if (!sim) return;
    gx_rt *rt = sim->rt;
    for (int k = 0; k < sim->n_fn; k++) {
        gx_free(rt, sim->fn[k].code);
        gx_free(rt, sim->fn[k].consts);
    }
    for (int k = 0; k < sim->n_variable; k++) gx_free(rt, sim->variable[k].data);
    gx_free(rt, sim->fn);
    gx_free(rt, sim->variable);
    if (sim->text) {
        gx_arena_free((gx_arena *)(void *)sim->text);
        gx_free(rt, sim->text);
    }
    gx_free(rt, sim);
}

bool gx_sim_new(struct gx_rt *rt, const char *ptx, size_t length, gx_sim **out) {
    gx_sim *sim = gx_alloc_zero(rt, sizeof *sim);
    gx_arena *arena = sim ? gx_alloc(rt, sizeof *arena) : NULL;
    if (!arena) {
        gx_free(rt, sim);
        return false;
    }
    *arena = gx_arena_new(rt);
    sim->rt = rt;
    sim->text = (struct gx_ptx_text *)(void *)arena;
    if (!gx_ptx_read(sim, ptx, length)) {
        gx_sim_free(sim);
        return false;
    }
    for (int k = 0; k < sim->n_fn; k++) {
        const gx_ptx_fn *f = &sim->fn[k];
        if (f->uses_atomics || (!f->defined && f->builtin && f->builtin != BUILTIN_UNKNOWN))
            sim->sequential = true;
    }
    *out = sim;
    return true;
}

int gx_sim_entry(const gx_sim *sim, const char *name) {
    for (int k = 0; k < sim->n_fn; k++)
        if (sim->fn[k].entry && sim->fn[k].defined && strcmp(sim->fn[k].name, name) == 0) return k;
    return -1;
}

const char *gx_sim_entry_name(const gx_sim *sim, int n) {
    for (int k = 0; k < sim->n_fn; k++)
        if (sim->fn[k].entry && sim->fn[k].defined && n-- == 0) return sim->fn[k].name;
    return NULL;
}

bool gx_sim_param(const gx_sim *sim, int entry, int p, int64_t *offset, int64_t *bytes) {
    const gx_ptx_fn *f = &sim->fn[entry];
    if (p < 0 || p >= f->n_param) return false;
    *offset = f->param[p].offset;
    *bytes = f->param[p].bytes;
    return true;
}

int64_t gx_sim_static_shared(const gx_sim *sim, int entry) {
    return sim->fn[entry].shared_bytes;
}

int gx_sim_max_threads(const gx_sim *sim, int entry) {
    return sim->fn[entry].max_threads;
}

int64_t gx_sim_local(const gx_sim *sim, int entry) {
    return sim->fn[entry].local_bytes;
}

bool gx_sim_variable(const gx_sim *sim, const char *name, char **data, int64_t *bytes) {
    for (int k = 0; k < sim->n_variable; k++) {
        if (strcmp(sim->variable[k].name, name) != 0) continue;
        *data = sim->variable[k].data;
        *bytes = sim->variable[k].bytes;
        return true;
    }
    return false;
}

uint64_t gx_sim_address(const gx_sim *sim, int k) {
    return (uint64_t)(GX_SEG_FIRST + sim->n_variable + k) << GX_SEGMENT_SHIFT;
}

/* --- blocks --- */

static void release(gx_block *b, int id) {
    gx_barrier *barrier = &b->barrier[id];
    for (int k = 0; k < b->n_warp; k++) {
        gx_warp *w = &b->warp[k];
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
    size_t n = 0;
    gx_warp *first = NULL;
    const gx_group *group = NULL;
    uint32_t line[4] = {0};
    int count[4] = {0}, lines = 0;
    for (int k = 0; k < b->n_warp; k++) {
        for (int j = 0; j < b->warp[k].n_group; j++) {
            const gx_group *g = &b->warp[k].group[j];
            if (g->state != GROUP_BARRIER) continue;
            if (!group) {
                group = g;
                first = &b->warp[k];
            }
            uint32_t at = waiting_at(g)->line;
            int m = 0;
            while (m < lines && line[m] != at) m++;
            if (m == lines && lines < 4) line[lines++] = at;
            if (m < 4) count[m] += __builtin_popcount(g->mask);
        }
    }
    if (!group) return;
    text[0] = 0;
    for (int m = 0; m < lines && n < sizeof text - 60; m++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d of %d threads wait at line %u",
                              m ? ", " : "", count[m], b->threads, line[m]);
    gx_fault_add(first, waiting_at(group), __builtin_ctz(group->mask), GX_FAULT_DEADLOCK, 0, 0,
                 false);
    gx_fault_text(first, GX_FAULT_DEADLOCK, text);
}

static void run_block(gx_block *b, int64_t number) {
    const uint32_t *grid = b->run->launch->grid;
    b->index[0] = (uint32_t)(number % grid[0]);
    b->index[1] = (uint32_t)(number / grid[0] % grid[1]);
    b->index[2] = (uint32_t)(number / grid[0] / grid[1]);
    b->exited = 0;
    b->failed = false;
    memset(b->barrier, 0, sizeof b->barrier);
    if (b->shared_bytes) memset(b->shared, 0, (size_t)b->shared_bytes);
    for (int k = 0; k < b->n_warp; k++) {
        if (!gx_warp_start(&b->warp[k], b, k)) {
            b->run->no_memory = b->run->stop = true;
            return;
        }
    }
    while (b->exited < b->threads && !b->failed && !b->run->stop) {
        bool moved = false;
        for (int k = 0; k < b->n_warp; k++) moved = gx_warp_run(&b->warp[k]) || moved;
        if (!release_full(b) && !moved) {
            report_deadlock(b);
            b->failed = true;
        }
    }
    if (b->exited == b->threads) return;
    for (int k = 0; k < b->n_warp; k++) gx_warp_abandon(&b->warp[k]);
    if (b->failed) b->run->stop = true; /* as a trap ends the whole grid */
}

/* --- launches --- */

static void free_blocks(gx_run *run, gx_block *blocks, int n) {
    for (int t = 0; t < n; t++) {
        gx_block *b = &blocks[t];
        for (int k = 0; k < b->n_warp && b->warp; k++) {
            run->report->instructions += b->warp[k].clock;
            run->report->lane_instructions += b->warp[k].lanes;
            gx_warp_free(&b->warp[k]);
        }
        gx_free(run->rt, b->warp);
        gx_free(run->rt, b->shared);
    }
    gx_free(run->rt, blocks);
}

static bool make_blocks(gx_run *run, int n, gx_block **out) {
    const uint32_t *size = run->launch->block;
    gx_block *blocks = gx_alloc_zero(run->rt, (size_t)n * sizeof *blocks);
    if (!blocks) return false;
    for (int t = 0; t < n; t++) {
        gx_block *b = &blocks[t];
        b->run = run;
        b->threads = (int)(size[0] * size[1] * size[2]);
        b->n_warp = (b->threads + GX_LANES - 1) / GX_LANES;
        b->shared_bytes = (run->fn->shared_bytes + 15) / 16 * 16 + run->launch->shared;
        b->warp = gx_alloc_zero(run->rt, (size_t)b->n_warp * sizeof *b->warp);
        b->shared = gx_alloc_zero(run->rt, (size_t)b->shared_bytes + 16);
        if (!b->warp || !b->shared) {
            free_blocks(run, blocks, t + 1);
            return false;
        }
    }
    *out = blocks;
    return true;
}

static bool make_segments(gx_run *run) {
    gx_sim *sim = run->sim;
    run->heap_first = GX_SEG_FIRST + sim->n_variable + run->launch->n_array;
    run->n_segment = run->heap_first + (sim->sequential ? GX_HEAP_BLOCKS : 0);
    run->segment = gx_alloc_zero(run->rt, (size_t)run->n_segment * sizeof *run->segment);
    if (!run->segment) return false;
    for (int k = 0; k < run->n_segment; k++) run->segment[k].array = -1;
    for (int k = 0; k < sim->n_variable; k++) {
        const gx_ptx_variable *v = &sim->variable[k];
        run->segment[v->segment] = (gx_segment){.data = v->data,
                                                .bytes = v->bytes,
                                                .name = v->name,
                                                .array = -1,
                                                .writable = !v->constant};
    }
    for (int k = 0; k < run->launch->n_array; k++) {
        const gx_sim_array *a = &run->launch->arrays[k];
        run->segment[GX_SEG_FIRST + sim->n_variable + k] = (gx_segment){.data = a->data,
                                                                        .bytes = a->bytes,
                                                                        .name = a->name,
                                                                        .array = k,
                                                                        .writable = a->writable};
    }
    return true;
}

typedef struct share {
    gx_run *run;
    gx_block *blocks; /* one a host thread */
    int64_t each;
} share;

static void run_share(void *arg, int64_t task, int thread) {
    share *s = arg;
    int64_t from = task * s->each, to = from + s->each;
    if (to > s->run->blocks) to = s->run->blocks;
    for (int64_t k = from; k < to && !s->run->stop; k++) {
        run_block(&s->blocks[thread], k);
        if (s->run->rt->interrupted) s->run->stop = true;
    }
}

bool gx_sim_run(gx_sim *sim, int entry, const gx_sim_launch *launch, gx_sim_report *report) {
    gx_run run = {
        .rt = sim->rt, .sim = sim, .fn = &sim->fn[entry], .launch = launch, .report = report};
    memset(report, 0, sizeof *report);
    run.blocks = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (run.blocks == 0 || launch->block[0] * launch->block[1] * launch->block[2] == 0) return true;
    pthread_mutex_init(&run.lock, NULL);
    gx_block *blocks = NULL;
    int threads = sim->sequential || launch->threads < 1 || !launch->spread ? 1 : launch->threads;
    bool ok = make_segments(&run) && make_blocks(&run, threads, &blocks);
    if (ok) {
        share s = {.run = &run, .blocks = blocks, .each = run.blocks};
        if (threads > 1) {
            s.each = (run.blocks + threads * 8 - 1) / (threads * 8);
            launch->spread(launch->spread_arg, (run.blocks + s.each - 1) / s.each, run_share, &s);
        } else {
            run_share(&s, 0, 0);
        }
        free_blocks(&run, blocks, threads);
        gx_fault_choose(&run, report);
        ok = !run.no_memory;
        if (!ok) gx_no_memory(sim->rt);
    }
    for (int k = 0; k < run.n_heap; k++) free(run.segment[run.heap_first + k].data);
    gx_free(sim->rt, run.segment);
    pthread_mutex_destroy(&run.lock);
    return ok;
}
