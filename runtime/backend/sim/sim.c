/* Modules and launches: what a module holds, and the memory that a launch may touch. */
#include "runtime/backend/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"
#include "runtime/base/arena.h"

enum { FEW_THREADS = 4096 };

/* --- modules --- */

void gx_sim_free(gx_sim *sim) {
    if (!sim) return;
    gx_rt *rt = sim->rt;
    for (int k = 0; k < sim->n_fn; k++) {
        gx_free(rt, sim->fn[k].code);
        gx_free(rt, sim->fn[k].consts);
    }
    for (int k = 0; k < sim->n_variable; k++) gx_free(rt, sim->variable[k].data);
    for (int k = 0; k < sim->n_heap; k++) {
        gx_outside_free(rt, sim->heap[k].data);
        gx_outside_free(rt, sim->heap[k].shadow);
    }
    gx_free(rt, sim->heap);
    gx_free(rt, sim->fn);
    gx_free(rt, sim->shared);
    gx_free(rt, sim->shadows);
    gx_free(rt, sim->variable);
    if (sim->text) {
        gx_arena_free((gx_arena *)(void *)sim->text);
        gx_free(rt, sim->text);
    }
    gx_free(rt, sim);
}

/* Which functions let blocks see each other (atomics, volatile accesses, printf), themselves or
   through what they call. A call by address may go to any. */
static void find_serial(gx_sim *sim) {
    bool any = false;
    for (int k = 0; k < sim->n_fn; k++) {
        gx_ptx_fn *f = &sim->fn[k];
        f->serial = f->uses_atomics || (!f->defined && f->builtin && f->builtin != BUILTIN_UNKNOWN);
        any |= f->serial;
        sim->mallocs |= f->builtin == BUILTIN_MALLOC || f->builtin == BUILTIN_FREE;
    }
    for (bool again = any; again;) {
        again = false;
        for (int k = 0; k < sim->n_fn; k++) {
            gx_ptx_fn *f = &sim->fn[k];
            for (int n = 0; n < f->count && !f->serial; n++) {
                const gx_ins *i = &f->code[n];
                if (i->flow != FLOW_CALL || (i->target >= 0 && !sim->fn[i->target].serial))
                    continue;
                f->serial = again = true;
            }
        }
    }
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
    sim->shared_shift = sim->global_shift = 2;
    sim->text = (struct gx_ptx_text *)(void *)arena;
    if (!gx_ptx_read(sim, &gx_sim_opcodes, ptx, length)) {
        gx_sim_free(sim);
        return false;
    }
    find_serial(sim);
    for (int k = 0; k < sim->n_fn; k++) {
        sim->fn[k].first = sim->instructions;
        sim->instructions += sim->fn[k].count;
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
    return sim->fn[entry].shared_used;
}

int gx_sim_max_threads(const gx_sim *sim, int entry) {
    return sim->fn[entry].max_threads;
}

int64_t gx_sim_local(const gx_sim *sim, int entry) {
    return sim->fn[entry].local_bytes;
}

bool gx_sim_twins(const gx_sim *sim, int entry, char first[64], char second[64]) {
    const gx_ptx_fn *f = &sim->fn[entry];
    if (!f->dynamic[1]) return false;
    gx_fault_plain(f->dynamic[0], first, 64);
    gx_fault_plain(f->dynamic[1], second, 64);
    return true;
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

const char *gx_sim_at(const gx_sim *sim, uint64_t address, int64_t *bytes) {
    int64_t at = (int64_t)(address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1));
    for (int k = 0; k < sim->n_variable; k++) {
        const gx_ptx_variable *v = &sim->variable[k];
        if ((uint64_t)v->segment != address >> GX_SEGMENT_SHIFT || at >= v->bytes) continue;
        *bytes = v->bytes - at;
        return v->data + at;
    }
    return NULL;
}

uint64_t gx_sim_address(const gx_sim *sim, int k) {
    return (uint64_t)(GX_SEG_FIRST + sim->n_variable + k) << GX_SEGMENT_SHIFT;
}

/* --- launches --- */

static bool make_segments(gx_run *run) {
    gx_sim *sim = run->sim;
    int arrays = sim->mallocs ? GX_LAUNCH_ARRAYS : run->launch->n_array;
    run->heap_first = GX_SEG_FIRST + sim->n_variable + arrays + 1;
    run->n_segment = run->heap_first + sim->n_heap;
    run->room_segment =
        run->heap_first + (sim->mallocs && run->serial ? GX_HEAP_BLOCKS : sim->n_heap);
    run->segment = gx_alloc_zero(run->rt, (size_t)run->room_segment * sizeof *run->segment);
    if (!run->segment) return false;
    for (int k = 0; k < run->heap_first; k++) run->segment[k].array = -1;
    run->segment[run->heap_first - 1] = (gx_segment){.data = (char *)run->grid_words,
                                                     .bytes = sizeof run->grid_words,
                                                     .name = "the grid's own words",
                                                     .array = -1,
                                                     .writable = true};
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
                                                                        .writable = a->writable,
                                                                        .lost = a->lost};
    }
    for (int k = 0; k < sim->n_heap; k++) run->segment[run->heap_first + k] = sim->heap[k];
    return true;
}

/* What the launch got from malloc is the module's. */
static bool keep_heap(gx_run *run) {
    gx_sim *sim = run->sim;
    const gx_segment *heap = run->segment + run->heap_first;
    int n = run->n_segment - run->heap_first;
    if (!sim->mallocs) return true;
    if (sim->n_heap) /* some are freed */
        memcpy(sim->heap, heap, (size_t)sim->n_heap * sizeof *heap);
    if (n > sim->room_heap) {
        int room = n + n / 2;
        gx_segment *more = gx_realloc(run->rt, sim->heap, (size_t)room * sizeof *more);
        if (!more) {
            for (int k = sim->n_heap; k < n; k++) {
                gx_outside_free(run->rt, heap[k].data);
                gx_outside_free(run->rt, heap[k].shadow);
            }
            return false;
        }
        sim->heap = more;
        sim->room_heap = room;
    }
    if (n) memcpy(sim->heap, heap, (size_t)n * sizeof *heap);
    sim->n_heap = n;
    return true;
}

/* The kernel itself, or a function that it may call. */
static bool is_refused(const gx_sim *sim, int entry) {
    const char *why = sim->fn[entry].refused;
    for (int k = 0; k < sim->n_fn && !why; k++)
        if (!sim->fn[k].entry) why = sim->fn[k].refused;
    if (!why) return false;
    gx_fail(sim->rt, GX_RuntimeError, "sim.ptx", "%s", why);
    const char *help = why + strlen(why) + 1;
    if (*help) gx_help(sim->rt, "%s", help);
    return true;
}

bool gx_sim_run(gx_sim *sim, int entry, const gx_sim_launch *launch, gx_sim_report *report) {
    if (is_refused(sim, entry)) return false;
    gx_run run = {
        .rt = sim->rt, .sim = sim, .fn = &sim->fn[entry], .launch = launch, .report = report};
    memset(report, 0, sizeof *report);
    if (launch->counters) *launch->counters = (gx_sim_counters){0};
    run.blocks = (int64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    int64_t each = (int64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (run.blocks == 0 || each == 0) return true;
    /* Few threads run in order: what is said of a race is then always the same. */
    run.serial = run.fn->serial || launch->threads < 2 || !launch->spread || launch->step ||
                 run.blocks * each < FEW_THREADS;
    char *kept = NULL;
    if (launch->step && !gx_trace_keep(sim, &kept)) return false;
    pthread_mutex_init(&run.lock, NULL);
    bool ok = make_segments(&run);
    if (ok && launch->unwatched)
        gx_builtin_unwatch(&run);
    else if (ok)
        gx_watch_start(&run);
    ok = ok && gx_blocks_run(&run, run.serial ? 1 : launch->threads);
    if (ok && sim->mallocs && !launch->unwatched) gx_builtin_leaks(&run);
    if (ok) gx_fault_choose(&run, report);
    report->late = run.late;
    report->unwatched = run.unwatched;
    if (ok && report->fault.kind == GX_FAULT_NONE) gx_cover_check(&run, report);
    if (run.segment && !keep_heap(&run)) ok = false;
    gx_free(sim->rt, run.segment);
    pthread_mutex_destroy(&run.lock);
    if (kept) gx_trace_restore(sim, kept);
    return ok;
}
