/* Threads that should meet: the lanes that a warp's instruction names, the threads of a block at
   one barrier; and where a thread is when a launch is ended. What CUDA leaves undefined is told,
   also where the machines at hand happen to do what was meant. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

/* "lane 3", "lanes 16 to 31", "lanes 1, 3, 5 …" */
static void lanes_text(uint32_t lanes, char *to, size_t room) {
    int low = __builtin_ctz(lanes), n = __builtin_popcount(lanes);
    uint32_t run = lanes >> low;
    if (n == 1)
        snprintf(to, room, "lane %d", low);
    else if ((run & (run + 1)) == 0)
        snprintf(to, room, "lanes %d to %d", low, low + n - 1);
    else {
        size_t used = (size_t)snprintf(to, room, "lanes ");
        for (int k = 0; k < 4 && lanes; k++, lanes &= lanes - 1)
            used += (size_t)snprintf(to + used, room - used, "%s%d", k ? ", " : "",
                                     __builtin_ctz(lanes));
        if (lanes) snprintf(to + used, room - used, " …");
    }
}

void gx_meet_lanes(gx_sim_warp *w, const gx_ins *i, uint32_t mask, uint32_t awaited) {
    if (i->op[4] == GX_NO_OPERAND) return;
    const uint32_t *named = gx_operand_at(w, i->op[4]);
    uint32_t absent = awaited & ~mask, alien = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        absent |= named[l] & w->live & ~mask;
        alien |= (~named[l] >> l & 1) << l;
    }
    if (!(absent | alien)) return;
    char lanes[48], text[160];
    uint32_t who = alien ? alien : mask;
    int lane = __builtin_ctz(who);
    if (alien) {
        lanes_text(alien, lanes, sizeof lanes);
        snprintf(text, sizeof text, "%s %s part, which its mask, 0x%08" PRIx32 ", does not name",
                 lanes, alien & (alien - 1) ? "take" : "takes", named[lane]);
    } else {
        lanes_text(absent, lanes, sizeof lanes);
        snprintf(text, sizeof text, "its mask, 0x%08" PRIx32 ", names %s, which %s not come here",
                 named[lane], lanes, absent & (absent - 1) ? "do" : "does");
    }
    gx_fault_add(w, i, lane, GX_FAULT_LANES, 0, 0, false);
    gx_fault_text(w, GX_FAULT_LANES, text);
}

void gx_meet_source(gx_sim_warp *w, const gx_ins *i, int lane, int from) {
    char text[160];
    const gx_block *b = w->block;
    const char *why = w->number * GX_LANES + from >= b->threads ? "which the block does not have"
                      : !(w->live >> from & 1)                  ? "which has ended"
                                                                : "which takes no part";
    snprintf(text, sizeof text, "lane %d reads from lane %d, %s", lane, from, why);
    gx_fault_add(w, i, lane, GX_FAULT_LANES, 0, 0, false);
    gx_fault_text(w, GX_FAULT_LANES, text);
}

/* --- barriers --- */

static const gx_ins *waiting_at(const gx_group *g) {
    return &g->frame->fn->code[g->pc];
}

const gx_group *gx_meet_waiting(const gx_block *b, gx_sim_warp **first, char *text, size_t room) {
    size_t n = 0;
    const gx_group *group = NULL;
    uint32_t line[4] = {0};
    int count[4] = {0}, lines = 0;
    for (int k = 0; k < b->n_warp; k++) {
        for (int j = 0; j < b->warp[k].n_group; j++) {
            const gx_group *g = &b->warp[k].group[j];
            if (g->state != GROUP_BARRIER) continue;
            if (!group) {
                group = g;
                *first = &b->warp[k];
            }
            uint32_t at = waiting_at(g)->line;
            int m = 0;
            while (m < lines && line[m] != at) m++;
            if (m == lines && lines < 4) line[lines++] = at;
            if (m < 4) count[m] += __builtin_popcount(g->mask);
        }
    }
    text[0] = 0;
    for (int m = 0; m < lines && n < room - 60; m++)
        n += (size_t)snprintf(text + n, room - n, "%s%d of %d threads wait at line %u",
                              m ? ", " : "", count[m], b->threads, line[m]);
    return group;
}

/* One that waits at that barrier and at another instruction than the first does, or NULL. */
static const gx_group *find_other(const gx_block *b, int id, gx_sim_warp **warp) {
    const gx_ins *first = NULL;
    for (int k = 0; k < b->n_warp; k++) {
        for (int n = 0; n < b->warp[k].n_group; n++) {
            const gx_group *g = &b->warp[k].group[n];
            if (g->state != GROUP_BARRIER || g->barrier != id) continue;
            if (!first) first = waiting_at(g);
            *warp = &b->warp[k];
            if (waiting_at(g) != first) return g;
        }
    }
    return NULL;
}

void gx_meet_barrier(gx_block *b, int id) {
    gx_sim_warp *w = NULL;
    char text[256];
    if (id != 0 || b->barrier[id].expected) return;
    const gx_group *other = find_other(b, id, &w);
    if (other) {
        gx_sim_warp *first;
        gx_meet_waiting(b, &first, text, sizeof text);
        gx_fault_add(w, waiting_at(other), __builtin_ctz(other->mask), GX_FAULT_DIVERGED, 0, 0,
                     false);
        gx_fault_text(w, GX_FAULT_DIVERGED, text);
    } else if (b->exited && w) {
        const gx_group *g = gx_meet_waiting(b, &w, text, sizeof text);
        snprintf(text, sizeof text, "%d of %d threads", b->exited, b->threads);
        gx_fault_add(w, waiting_at(g), __builtin_ctz(g->mask), GX_FAULT_RETURNED, 0, 0, false);
        gx_fault_text(w, GX_FAULT_RETURNED, text);
    }
}

/* --- the end of a launch that takes too long --- */

/* A value of a comparison, by its name "setp.lt.s32". */
static void value_text(const gx_sim_warp *w, int32_t op, int lane, const char *name, char *to,
                       size_t room) {
    size_t n = strlen(name);
    const char *type = name + n - 3;
    bool wide = strcmp(type, "s64") == 0 || strcmp(type, "u64") == 0 || strcmp(type, "f64") == 0 ||
                strcmp(type, "b64") == 0;
    const void *at = gx_operand_at(w, op);
    if (strcmp(type, "f32") == 0)
        snprintf(to, room, "%.9g", (double)((const float *)at)[lane]);
    else if (strcmp(type, "f64") == 0)
        snprintf(to, room, "%.17g", ((const double *)at)[lane]);
    else if (wide)
        snprintf(to, room, "%" PRId64, ((const int64_t *)at)[lane]);
    else if (*type == 'u')
        snprintf(to, room, "%" PRIu32, ((const uint32_t *)at)[lane]);
    else
        snprintf(to, room, "%" PRId32, ((const int32_t *)at)[lane]);
}

/* What the loop that begins at the group's place compares, at most three of it. */
static void loop_text(const gx_sim_warp *w, const gx_group *g, int lane, gx_sim_fault *f) {
    const gx_ptx_fn *fn = g->frame->fn;
    int from = g->pc, end = g->pc;
    for (int k = g->pc; k < fn->count; k++)
        if (fn->code[k].flow == FLOW_BRANCH && fn->code[k].back && fn->code[k].target <= g->pc) {
            end = k;
            if (fn->code[k].target < from) from = fn->code[k].target;
            break;
        }
    size_t used = 0;
    int said = 0;
    for (int k = from; k < end && said < 3; k++) {
        const gx_ins *i = &fn->code[k];
        const char *name = gx_alu_name(i->fn);
        if (!name || strncmp(name, "setp.", 5) != 0 || strlen(name) < 9) continue;
        char a[40], b[40];
        value_text(w, i->op[2], lane, name, a, sizeof a);
        value_text(w, i->op[3], lane, name, b, sizeof b);
        used += (size_t)snprintf(f->text + used, sizeof f->text - used,
                                 "%sline %" PRIu32 " compares %s and %s", said++ ? ", " : "",
                                 i->line, a, b);
        if (used >= sizeof f->text) break;
    }
}

void gx_meet_late(gx_sim_warp *w, const gx_group *g) {
    gx_run *run = w->block->run;
    if (!g || !g->mask || g->state == GROUP_DONE) return;
    pthread_mutex_lock(&run->lock);
    if (run->late.kind == GX_FAULT_NONE) {
        int lane = __builtin_ctz(g->mask);
        const gx_ins *i = waiting_at(g);
        run->late = (gx_sim_fault){.kind = GX_FAULT_DEADLOCK, .line = i->line, .array = -1};
        for (int k = 0; k < 3; k++) {
            run->late.block[k] = w->block->index[k];
            run->late.thread[k] = w->specials[SR_TID_X + k][lane];
        }
        w->base[0] = g->frame->regs;
        w->base[2] = g->frame->fn->consts;
        loop_text(w, g, lane, &run->late);
    }
    pthread_mutex_unlock(&run->lock);
}
