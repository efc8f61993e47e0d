/* What a kernel did wrong. The fault of the first block counts, whatever thread of the host ran it;
   others of its kind are only counted. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "runtime/sim/sim_int.h"

/* The array an address belongs to, or just misses: below one counts as before it. */
static void name_array(const gx_run *run, uint64_t address, gx_sim_fault *f) {
    uint64_t number = address >> GX_SEGMENT_SHIFT;
    int64_t off = (int64_t)(address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1));
    if (off >= INT64_C(1) << (GX_SEGMENT_SHIFT - 1)) {
        off -= INT64_C(1) << GX_SEGMENT_SHIFT;
        number++;
    }
    f->array = -1;
    f->index = off;
    if (number < GX_SEG_FIRST || number >= (uint64_t)run->n_segment) return;
    const gx_segment *s = &run->segment[number];
    f->array = s->array;
    if (s->array >= 0) {
        int item = run->launch->arrays[s->array].item;
        f->index = off >= 0 ? off / item : (off - item + 1) / item;
    } else if (s->name) {
        snprintf(f->text, sizeof f->text, "%s", s->name);
    }
}

void gx_fault_add(gx_warp *w, const gx_ins *i, int lane, gx_sim_fault_kind kind, uint64_t address,
                  int64_t bytes, bool write) {
    gx_block *b = w->block;
    gx_run *run = b->run;
    const uint32_t *grid = run->launch->grid;
    int64_t order = ((int64_t)b->index[2] * grid[1] + b->index[1]) * grid[0] + b->index[0];
    pthread_mutex_lock(&run->lock);
    gx_fault_entry *e = &run->fault[kind];
    if (e->fault.kind == GX_FAULT_NONE || order < e->order) {
        gx_sim_fault f = {.kind = kind,
                          .count = e->fault.count,
                          .line = i->line,
                          .bytes = bytes,
                          .write = write,
                          .array = -1};
        for (int k = 0; k < 3; k++) {
            f.block[k] = b->index[k];
            f.thread[k] = w->specials[SR_TID_X + k][lane];
        }
        if (kind == GX_FAULT_ASSERT)
            f.line = (uint32_t)address;
        else if (kind == GX_FAULT_SHARED || kind == GX_FAULT_LOCAL)
            f.index = (int64_t)(address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1));
        else
            name_array(run, address, &f);
        e->fault = f;
        e->order = order;
        e->serial = run->faults;
    }
    e->fault.count++;
    run->faults++;
    pthread_mutex_unlock(&run->lock);
}

void gx_fault_text(gx_warp *w, gx_sim_fault_kind kind, const char *text) {
    gx_run *run = w->block->run;
    pthread_mutex_lock(&run->lock);
    gx_sim_fault *f = &run->fault[kind].fault;
    if (!f->text[0]) snprintf(f->text, sizeof f->text, "%s", text);
    pthread_mutex_unlock(&run->lock);
}

void gx_fault_choose(const gx_run *run, gx_sim_report *report) {
    const gx_fault_entry *best = NULL;
    for (int k = 1; k < GX_FAULT_KINDS; k++) {
        const gx_fault_entry *e = &run->fault[k];
        if (e->fault.kind == GX_FAULT_NONE) continue;
        if (!best || e->order < best->order ||
            (e->order == best->order && e->serial < best->serial))
            best = e;
    }
    if (best) report->fault = best->fault;
}
