/* What a kernel did wrong. The fault of the first block counts, whatever thread of the host ran it;
   others of its kind are only counted. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

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
        f->made_line = s->made_line;
        f->freed_line = s->freed_line;
        f->size = s->bytes;
    }
}

/* "_ZZ4flipE1s" is s: the last of the names that a mangled one holds. */
void gx_fault_plain(const char *name, char *to, size_t room) {
    const char *best = name;
    size_t length = strlen(name);
    if (strncmp(name, "_Z", 2) == 0) {
        for (const char *p = name; *p; p++) {
            char *end;
            if (*p < '1' || *p > '9' || (p > name && p[-1] >= '0' && p[-1] <= '9')) continue;
            unsigned long n = strtoul(p, &end, 10);
            if (n > strlen(end)) continue;
            best = end;
            length = n;
            p = end + n - 1;
        }
    }
    snprintf(to, room, "%.*s", (int)length, best);
}

/* The shared variable at an offset of the window; f->index in elements of the access's size. */
static void name_shared(const gx_run *run, uint64_t off, gx_sim_fault *f) {
    const gx_sim *sim = run->sim;
    const gx_ptx_shared *nearest = NULL;
    const int64_t at = off >> 31 ? (int64_t)off - (INT64_C(1) << 32) : (int64_t)off;
    int64_t near = INT64_MAX, item = f->bytes ? f->bytes : 1;
    f->shared = true;
    f->index = (int64_t)off;
    f->size = 0;
    for (int k = 0; k < sim->n_shared; k++) {
        const gx_ptx_shared *v = &sim->shared[k];
        bool mine = !v->fn || strcmp(v->fn, run->fn->name) == 0;
        int64_t end = v->bytes ? v->at + v->bytes : GX_SHARED_DYNAMIC + run->launch->shared;
        if (!mine) continue;
        int64_t away = at < v->at ? v->at - at : at >= end ? at - end + 1 : 0;
        if (away >= near) continue;
        near = away;
        nearest = v;
    }
    if (!nearest) return;
    int64_t from = at - nearest->at;
    gx_fault_plain(nearest->name, f->text, sizeof f->text);
    f->index = from >= 0 ? from / item : (from - item + 1) / item;
    f->size = nearest->bytes ? nearest->bytes : run->launch->shared;
}

void gx_fault_name(const gx_run *run, uint64_t address, gx_sim_fault *f) {
    uint64_t off = address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1);
    if (address >> GX_SEGMENT_SHIFT == GX_SEG_SHARED) {
        name_shared(run, off, f);
    } else if (address >> GX_SEGMENT_SHIFT == GX_SEG_LOCAL) {
        f->local = true;
        f->index = (int64_t)off / (f->bytes ? f->bytes : 1);
    } else {
        name_array(run, address, f);
    }
}

/* An element of a thread's arrays, by the access's size: from the start of its frame. */
static void name_local(const gx_sim_warp *w, uint64_t off, gx_sim_fault *f) {
    int64_t item = f->bytes ? f->bytes : 1, from = (int64_t)off - w->frame->local;
    if (off >> (GX_SEGMENT_SHIFT - 1)) from -= INT64_C(1) << GX_SEGMENT_SHIFT;
    f->local = true;
    f->size = w->frame->fn->local_bytes;
    f->index = from >= 0 ? from / item : (from - item + 1) / item;
}

static int64_t order_of(const gx_block *b) {
    return b->number;
}

static gx_sim_fault fault_of(const gx_sim_warp *w, const gx_ins *i, int lane,
                             gx_sim_fault_kind kind, int64_t bytes, bool write) {
    gx_sim_fault f = {.kind = kind, .line = i->line, .bytes = bytes, .write = write, .array = -1};
    for (int k = 0; k < 3; k++) {
        f.block[k] = w->block->index[k];
        f.thread[k] = w->specials[SR_TID_X + k][lane];
    }
    return f;
}

/* Lines above 65535 keep their lower half in the shadow: they are near the other one's. */
static uint32_t line_near(uint32_t near, uint16_t low) {
    return low ? (near & ~0xffffu) | low : 0;
}

void gx_fault_race(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t address, int64_t bytes,
                   const gx_touch *t, gx_sim_access what) {
    gx_run *run = w->block->run;
    const gx_sim_launch *l = run->launch;
    pthread_mutex_lock(&run->lock);
    gx_fault_entry *e = &run->fault[GX_FAULT_RACE];
    if (e->fault.kind == GX_FAULT_NONE || order_of(w->block) < e->order) {
        gx_sim_fault f = fault_of(w, i, lane, GX_FAULT_RACE, bytes, i->access != ACCESS_LOAD);
        uint32_t block = t->who >> 10, thread = t->who & 1023;
        f.other_line = line_near(i->line, t->line);
        f.other_write = what == ACCESS_STORE;
        f.other_atomic = what == ACCESS_ATOMIC;
        f.atomic = i->access == ACCESS_ATOMIC;
        f.is_volatile = (t->flags & SHADOW_VOLATILE) && i->order;
        for (int k = 0; k < 3; k++) {
            f.other_block[k] = k == 0   ? block % l->grid[0]
                               : k == 1 ? block / l->grid[0] % l->grid[1]
                                        : block / l->grid[0] / l->grid[1];
            f.other_thread[k] = k == 0   ? thread % l->block[0]
                                : k == 1 ? thread / l->block[0] % l->block[1]
                                         : thread / l->block[0] / l->block[1];
        }
        gx_fault_name(run, address, &f);
        f.count = e->fault.count;
        e->fault = f;
        e->order = order_of(w->block);
        e->serial = run->faults;
    }
    e->fault.count++;
    run->faults++;
    pthread_mutex_unlock(&run->lock);
}

void gx_fault_add(gx_sim_warp *w, const gx_ins *i, int lane, gx_sim_fault_kind kind,
                  uint64_t address, int64_t bytes, bool write) {
    gx_run *run = w->block->run;
    int64_t order = order_of(w->block);
    pthread_mutex_lock(&run->lock);
    gx_fault_entry *e = &run->fault[kind];
    if (e->fault.kind == GX_FAULT_NONE || order < e->order) {
        gx_sim_fault f = fault_of(w, i, lane, kind, bytes, write);
        f.count = e->fault.count;
        if (kind == GX_FAULT_ASSERT)
            f.line = (uint32_t)address;
        else if (kind == GX_FAULT_SHARED)
            name_shared(run, address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1), &f);
        else if (kind == GX_FAULT_LOCAL)
            name_local(w, address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1), &f);
        else if (address)
            gx_fault_name(run, address, &f);
        if (kind == GX_FAULT_BOUNDS && f.array >= 0) gx_wrap_find(w, i, lane, &f);
        e->fault = f;
        e->order = order;
        e->serial = run->faults;
    }
    e->fault.count++;
    run->faults++;
    pthread_mutex_unlock(&run->lock);
}

void gx_fault_text(gx_sim_warp *w, gx_sim_fault_kind kind, const char *text) {
    gx_run *run = w->block->run;
    pthread_mutex_lock(&run->lock);
    gx_sim_fault *f = &run->fault[kind].fault;
    if (!f->text[0]) snprintf(f->text, sizeof f->text, "%s", text);
    pthread_mutex_unlock(&run->lock);
}

static bool follows(gx_sim_fault_kind k) {
    return k == GX_FAULT_RACE || k == GX_FAULT_UNSET;
}

/* Races and unset reads often follow from another fault: they count where there is none. */
void gx_fault_choose(const gx_run *run, gx_sim_report *report) {
    const gx_fault_entry *best = NULL;
    for (int k = GX_FAULT_RETURNED; k < GX_FAULT_KINDS && !report->warning.kind; k++)
        report->warning = run->fault[k].fault;
    for (int k = 1; k < GX_FAULT_RETURNED; k++) {
        const gx_fault_entry *e = &run->fault[k];
        if (e->fault.kind == GX_FAULT_NONE) continue;
        bool after = best && follows((gx_sim_fault_kind)k);
        bool before = best && follows(best->fault.kind);
        if (after && !before) continue;
        if (best && k == GX_FAULT_LOST) continue;
        if (best && k == GX_FAULT_UNSET && e->order >= best->order) continue;
        if (!best || (before && !after) || e->order < best->order ||
            (e->order == best->order && e->serial < best->serial))
            best = e;
    }
    if (best) report->fault = best->fault;
}
