/* Runs a warp. Its lanes stand in groups, each at one place; the group deepest in calls and lowest
   in the code goes first, and groups that meet become one: so lanes that parted come together again
   where the code does. A group that goes round 1,000 times while others wait lets them go first, so
   that a lock held by another lane of the warp is released.

   Groups' masks are disjoint, so there are at most 32; one that is DONE is a free place. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

enum { MAX_TURNS = 1000, MAX_DEPTH = 4096, MAX_LOCAL = 512 << 10 };

static int count(uint32_t mask) {
    return __builtin_popcount(mask);
}

/* --- frames: not from gx_alloc, as threads of the pool make them --- */

static gx_sim_frame *new_frame(gx_run *run, const gx_ptx_fn *fn) {
    size_t head = (sizeof(gx_sim_frame) + 31) / 32 * 32;
    /* An instruction wider than its register (bad inline assembly) stays inside the frame. */
    size_t regs = ((size_t)fn->reg_bytes + GX_REGISTER_ROOM + 31) / 32 * 32;
    gx_sim_frame *f =
        gx_outside_alloc(run->rt, head + regs + (size_t)fn->param_bytes * GX_LANES);
    if (!f) {
        run->no_memory = run->stop = true;
        return NULL;
    }
    memset(f, 0, head + regs);
    f->fn = fn;
    f->regs = (char *)f + head;
    f->params = f->regs + regs;
    return f;
}

static void enter(gx_sim_warp *w, gx_sim_frame *f) {
    w->frame = f;
    w->base[0] = f->regs;
    w->base[2] = f->fn->consts;
    w->code = f->fn->code;
}

/* Local memory for a frame, grown for all lanes. */
static bool need_local(gx_sim_warp *w, int32_t bytes) {
    if (bytes <= w->local_room) return true;
    int32_t room = w->local_room ? w->local_room : 256;
    while (room < bytes) room *= 2;
    if (room > MAX_LOCAL) return false;
    char *more = gx_outside_zero(w->block->run->rt, (size_t)GX_LANES * (size_t)room);
    if (!more) {
        w->block->run->no_memory = w->block->run->stop = true;
        return false;
    }
    for (int l = 0; l < GX_LANES && w->local; l++)
        memcpy(more + (size_t)l * (size_t)room, w->local + (size_t)l * (size_t)w->local_room,
               (size_t)w->local_room);
    gx_outside_free(w->block->run->rt, w->local);
    w->local = more;
    if (w->watched) {
        uint8_t *set = gx_outside_zero(w->block->run->rt, (size_t)GX_LANES * (size_t)room);
        for (int l = 0; l < GX_LANES && w->set && set; l++)
            memcpy(set + (size_t)l * (size_t)room, w->set + (size_t)l * (size_t)w->local_room,
                   (size_t)w->local_room);
        gx_outside_free(w->block->run->rt, w->set);
        w->set = set;
    }
    w->local_room = room;
    return true;
}

/* A group without lanes: its place is free. */
static void finish(gx_group *g) {
    g->state = GROUP_DONE;
    g->mask = 0;
}

static void leave_lanes(gx_sim_warp *w, gx_sim_frame *f, uint32_t mask) {
    while (f) {
        gx_sim_frame *parent = f->parent;
        f->lanes &= ~mask;
        if (parent && !f->lanes) {
            if (w->frame == f) w->frame = NULL;
            gx_outside_free(w->block->run->rt, f);
        }
        f = parent;
    }
}

/* Registers that are the same for every block of the launch. */
static void fill_specials(gx_sim_warp *w) {
    const gx_block *b = w->block;
    const uint32_t *size = b->run->launch->block;
    int first = w->number * GX_LANES;
    for (int l = 0; l < GX_LANES; l++) {
        uint32_t t = (uint32_t)(first + l);
        w->specials[SR_TID_X][l] = t % size[0];
        w->specials[SR_TID_Y][l] = t / size[0] % size[1];
        w->specials[SR_TID_Z][l] = t / size[0] / size[1];
        for (int k = 0; k < 3; k++) {
            w->specials[SR_NTID_X + k][l] = size[k];
            w->specials[SR_NCTAID_X + k][l] = b->run->launch->grid[k];
        }
        w->specials[SR_LANEID][l] = (uint32_t)l;
        w->specials[SR_WARPID][l] = (uint32_t)w->number;
        w->specials[SR_NWARPID][l] = (uint32_t)b->n_warp;
        w->specials[SR_NSMID][l] = 1;
        w->specials[SR_MASK_EQ][l] = 1u << l;
        w->specials[SR_MASK_LT][l] = (1u << l) - 1;
        w->specials[SR_MASK_LE][l] = (1u << l) | ((1u << l) - 1);
        w->specials[SR_MASK_GE][l] = ~((1u << l) - 1);
        w->specials[SR_MASK_GT][l] = ~((1u << l) | ((1u << l) - 1));
        uint64_t words = (uint64_t)(b->run->heap_first - 1) << GX_SEGMENT_SHIFT;
        w->specials[SR_GRID_LOW][l] = (uint32_t)words;
        w->specials[SR_GRID_HIGH][l] = (uint32_t)(words >> 32);
        w->specials[SR_DYNAMIC_SHARED][l] = (uint32_t)b->run->launch->shared;
        w->specials[SR_TOTAL_SHARED][l] =
            (uint32_t)(b->run->launch->shared + b->run->fn->shared_used);
    }
}

bool gx_warp_start(gx_sim_warp *w, gx_block *b, int number) {
    bool fresh = !w->root;
    if (!w->root) w->root = new_frame(b->run, b->run->fn);
    if (!w->root) return false;
    gx_sim_frame *root = w->root;
    int first = number * GX_LANES, n = b->threads - first;
    w->block = b;
    w->number = number;
    w->live = n >= GX_LANES ? 0xffffffffu : (1u << n) - 1;
    w->carry = 0;
    w->watched = b->clock != NULL;
    w->traced = gx_trace_lane(b, number);
    memset(w->asked, 0, sizeof w->asked);
    memset(w->top, 0, sizeof w->top);
    if (fresh) fill_specials(w);
    w->base[1] = (char *)w->specials;
    w->base[3] = w->scratch;
    w->group[0] = (gx_group){.mask = w->live, .frame = root, .state = GROUP_READY};
    w->n_group = 1;
    root->lanes = w->live;
    root->local = 0;
    if (!need_local(w, b->run->fn->local_bytes)) return false;
    if (w->set && !fresh) memset(w->set, 0, (size_t)GX_LANES * (size_t)w->local_room);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < GX_LANES; l++) w->specials[SR_CTAID_X + k][l] = b->index[k];
    return true;
}

void gx_warp_abandon(gx_sim_warp *w) {
    for (int k = 0; k < w->n_group; k++) {
        gx_group *g = &w->group[k];
        if (g->mask) leave_lanes(w, g->frame, g->mask);
        finish(g);
    }
}

void gx_warp_free(gx_rt *rt, gx_sim_warp *w) {
    gx_outside_free(rt, w->root);
    gx_outside_free(rt, w->local);
    gx_outside_free(rt, w->set);
    gx_outside_free(rt, w->stack);
}

/* --- groups --- */

static bool waits_here(const gx_group *g) {
    return g->state == GROUP_READY || g->state == GROUP_CONVERGE;
}

static gx_group *add_group(gx_sim_warp *w, gx_group g) {
    for (int k = 0; k < w->n_group; k++) {
        if (w->group[k].state == GROUP_DONE && w->group[k].mask == 0 && k > 0) {
            w->group[k] = g;
            return &w->group[k];
        }
    }
    if (w->n_group < GX_LANES) {
        w->group[w->n_group] = g;
        return &w->group[w->n_group++];
    }
    w->group[0] = g; /* only place 0 is free */
    return &w->group[0];
}

/* Groups at g's place join it. */
static void absorb(gx_sim_warp *w, gx_group *g) {
    for (int k = 0; k < w->n_group; k++) {
        gx_group *o = &w->group[k];
        if (o == g || !waits_here(o) || o->pc != g->pc || o->frame != g->frame) continue;
        g->mask |= o->mask;
        g->awaited |= o->awaited;
        finish(o);
    }
}

/* The lowest place at which another group of this frame waits; g may run up to there. One that has
   turned too often waits for g, as does one behind g that waits for g's lanes. */
static int next_stop(const gx_sim_warp *w, const gx_group *g) {
    int stop = INT_MAX;
    for (int k = 0; k < w->n_group; k++) {
        const gx_group *o = &w->group[k];
        if (o == g || !waits_here(o) || o->turns >= MAX_TURNS || o->frame != g->frame) continue;
        if (o->state == GROUP_CONVERGE && o->pc < g->pc) continue;
        if (o->pc < stop) stop = o->pc;
    }
    return stop;
}

/* Deepest, then lowest; one that has turned too often comes last. */
static gx_group *choose(gx_sim_warp *w) {
    gx_group *best = NULL, *tired = NULL, *held = NULL;
    for (int k = 0; k < w->n_group; k++) {
        gx_group *g = &w->group[k];
        if (g->state == GROUP_CONVERGE && (!held || g->pc < held->pc)) held = g;
        if (g->state != GROUP_READY) continue;
        if (g->turns >= MAX_TURNS) {
            if (!tired || g->turns < tired->turns) tired = g;
            continue;
        }
        if (!best || g->frame->depth > best->frame->depth ||
            (g->frame->depth == best->frame->depth && g->pc < best->pc))
            best = g;
    }
    if (best) return best;
    if (tired) {
        for (int k = 0; k < w->n_group; k++) w->group[k].turns = 0;
        return tired;
    }
    if (held) held->state = GROUP_READY; /* nobody else will come: go on with those here */
    return held;
}

static bool others_ready(const gx_sim_warp *w, const gx_group *g) {
    for (int k = 0; k < w->n_group; k++)
        if (&w->group[k] != g && w->group[k].state == GROUP_READY) return true;
    return false;
}

/* The lanes of g outside `mask` go on behind the instruction in a group of their own. */
static void part_from(gx_sim_warp *w, gx_group *g, uint32_t mask) {
    uint32_t rest = g->mask & ~mask;
    if (!rest) return;
    g->mask = mask;
    add_group(w,
              (gx_group){.mask = rest, .pc = g->pc + 1, .frame = g->frame, .state = GROUP_READY});
}

/* --- control --- */

static void exit_lanes(gx_sim_warp *w, gx_group *g, uint32_t mask) {
    w->live &= ~mask;
    w->block->exited += count(mask);
    w->block->progress++;
    leave_lanes(w, g->frame, mask);
    g->mask &= ~mask;
    if (!g->mask)
        finish(g);
    else
        g->pc++;
}

static void branch(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t taken) {
    uint32_t rest = g->mask & ~taken;
    if (!rest) {
        g->pc = i->target;
        return;
    }
    g->mask = rest;
    g->pc++;
    add_group(w, (gx_group){.mask = taken,
                            .pc = i->target,
                            .frame = g->frame,
                            .state = GROUP_READY,
                            .turns = g->turns});
}

static void branch_table(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t mask) {
    const uint32_t *index = gx_operand_at(w, i->op[1]);
    int from = g->pc;
    part_from(w, g, mask);
    while (mask) {
        uint32_t v = index[__builtin_ctz(mask)], same = 0;
        for (uint32_t left = mask; left; left &= left - 1)
            if (index[__builtin_ctz(left)] == v) same |= left & (0 - left);
        int to = v < (uint32_t)i->site->n_target ? i->site->targets[v] : from + 1;
        mask &= ~same;
        if (!mask) {
            g->mask = same;
            g->pc = to;
        } else {
            add_group(w,
                      (gx_group){.mask = same, .pc = to, .frame = g->frame, .state = GROUP_READY});
            g->mask = mask;
        }
    }
}

/* The function that lanes call by address: those that call the first lane's; the others stay. */
static const gx_ptx_fn *callee_of(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t *mask) {
    gx_sim *sim = w->block->run->sim;
    if (i->target >= 0) return &sim->fn[i->target];
    const uint64_t *at = gx_operand_at(w, i->op[1]);
    uint64_t v = at[__builtin_ctz(*mask)];
    uint32_t same = 0, others;
    for (uint32_t left = *mask; left; left &= left - 1)
        if (at[__builtin_ctz(left)] == v) same |= left & (0 - left);
    others = *mask & ~same;
    if (others) {
        g->mask &= ~others;
        add_group(w,
                  (gx_group){.mask = others, .pc = g->pc, .frame = g->frame, .state = GROUP_READY});
    }
    *mask = same;
    uint64_t number = v & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1);
    bool ok = v >> GX_SEGMENT_SHIFT == GX_SEG_CODE && number < (uint64_t)sim->n_fn;
    return ok ? &sim->fn[number] : NULL;
}

/* Ends a launch that may not take longer. */
static void stop_late(gx_sim_warp *w) {
    gx_run *run = w->block->run;
    if (run->launch->most && w->clock > run->launch->most) run->stop = true;
}

static void call(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t mask) {
    part_from(w, g, mask);
    stop_late(w);
    const gx_ptx_fn *fn = callee_of(w, g, i, &mask);
    gx_sim_frame *caller = g->frame;
    if (fn && !fn->defined && fn->builtin && fn->builtin != BUILTIN_UNKNOWN) {
        gx_builtin_call(w, i, fn->builtin, mask);
        if (g->state == GROUP_READY) g->pc++;
        return;
    }
    gx_run *run = w->block->run;
    gx_sim_frame *f = fn && fn->defined && caller->depth < MAX_DEPTH ? new_frame(run, fn) : NULL;
    int32_t local = (caller->local + caller->fn->local_bytes + 15) / 16 * 16;
    if (!f || !need_local(w, local + fn->local_bytes)) {
        if (!run->no_memory) /* which is told otherwise */
            gx_fault_add(w, i, __builtin_ctz(mask),
                         fn && fn->defined ? GX_FAULT_STACK : GX_FAULT_CALL, 0, 0, false);
        gx_outside_free(w->block->run->rt, f);
        w->block->failed = true;
        exit_lanes(w, g, g->mask);
        return;
    }
    f->parent = caller;
    f->local = local;
    f->depth = caller->depth + 1;
    f->back = g->pc + 1;
    f->lanes = mask;
    memcpy(f->top, w->top, sizeof f->top);
    for (uint32_t left = w->set && fn->local_bytes ? mask : 0; left; left &= left - 1)
        memset(w->set + (int64_t)__builtin_ctz(left) * w->local_room + local, 0,
               (size_t)fn->local_bytes);
    for (int a = 0; a < i->site->n_arg && a < fn->n_param; a++) {
        int32_t bytes =
            i->site->arg_bytes[a] < fn->param[a].bytes ? i->site->arg_bytes[a] : fn->param[a].bytes;
        for (uint32_t left = mask; left; left &= left - 1) {
            int64_t l = __builtin_ctz(left);
            memcpy(f->params + l * fn->param_bytes + fn->param[a].offset,
                   caller->params + l * caller->fn->param_bytes + i->site->arg[a], (size_t)bytes);
        }
    }
    g->frame = f;
    g->pc = 0;
}

static void return_lanes(gx_sim_warp *w, gx_group *g, uint32_t mask) {
    gx_sim_frame *f = g->frame, *caller = f->parent;
    part_from(w, g, mask);
    const gx_call_site *site = caller->fn->code[f->back - 1].site;
    int32_t bytes = site->n_result ? site->result_bytes : 0;
    if (bytes > f->fn->result.bytes) bytes = f->fn->result.bytes;
    for (uint32_t left = mask; left && bytes; left &= left - 1) {
        int64_t l = __builtin_ctz(left);
        memcpy(caller->params + l * caller->fn->param_bytes + site->result,
               f->params + l * f->fn->param_bytes + f->fn->result.offset, (size_t)bytes);
    }
    for (uint32_t left = mask; left; left &= left - 1)
        w->top[__builtin_ctz(left)] = f->top[__builtin_ctz(left)];
    g->frame = caller;
    g->pc = f->back;
    f->lanes &= ~mask;
    if (!f->lanes) gx_outside_free(w->block->run->rt, f);
}

/* Arrives at a barrier; the block (sim.c) lets groups go on when all threads have come. */
static void arrive(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t mask) {
    int lane = __builtin_ctz(mask);
    uint32_t id = ((const uint32_t *)gx_operand_at(w, i->op[1]))[lane] % GX_BARRIERS;
    gx_barrier *b = &w->block->barrier[id];
    if (i->op[2] != GX_NO_OPERAND)
        b->expected = (int)((const uint32_t *)gx_operand_at(w, i->op[2]))[lane];
    if (b->arrived == 0) *b = (gx_barrier){.expected = b->expected, .all = 1};
    b->arrived += count(mask);
    if (i->op[3] != GX_NO_OPERAND) {
        uint32_t p = *(const uint32_t *)gx_operand_at(w, i->op[3]);
        p = (i->imm ? ~p : p) & mask;
        b->count += (uint32_t)count(p);
        b->any |= p != 0;
        b->all &= p == mask;
    }
    if (w->watched) gx_order_arrive(w, mask);
    if (i->flow == FLOW_ARRIVE) {
        g->pc++;
        return;
    }
    part_from(w, g, mask);
    g->state = GROUP_BARRIER;
    g->barrier = (int)id;
}

/* Lanes that are about to end. */
static uint32_t ending(const gx_sim_warp *w) {
    uint32_t lanes = 0;
    for (int k = 0; k < w->n_group; k++) {
        const gx_group *g = &w->group[k];
        if (g->state != GROUP_READY || g->frame->parent) continue;
        uint8_t flow = g->frame->fn->code[g->pc].flow;
        if (flow == FLOW_EXIT || flow == FLOW_RETURN) lanes |= g->mask;
    }
    return lanes;
}

/* True: the lanes that the instruction names are here, or cannot come. */
static bool converged(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t mask) {
    absorb(w, g);
    uint32_t need = ((const uint32_t *)gx_operand_at(w, i->op[4]))[__builtin_ctz(mask)] & w->live;
    if (!(need & ~g->mask) || !others_ready(w, g)) return true;
    g->state = GROUP_CONVERGE;
    g->awaited |= need & ~g->mask & ~ending(w);
    return false;
}

/* The common case of gx_meet_lanes: all lanes are here, and the first names all. */
static inline bool all_named(const gx_sim_warp *w, const gx_ins *i, uint32_t mask,
                             uint32_t awaited) {
    const uint32_t *named = gx_operand_at(w, i->op[4]);
    return !awaited && mask == w->live && named[__builtin_ctz(mask)] == UINT32_MAX;
}

static uint32_t guarded(const gx_sim_warp *w, const gx_group *g, const gx_ins *i) {
    if (i->guard == GX_NO_OPERAND) return g->mask;
    uint32_t p = *(const uint32_t *)gx_operand_at(w, i->guard);
    return g->mask & (i->guard_not ? ~p : p);
}

/* Anything but the next instruction; false: another group must be chosen. */
static bool move(gx_sim_warp *w, gx_group *g, const gx_ins *i, uint32_t mask) {
    switch ((gx_sim_flow)i->flow) {
    case FLOW_BRANCH: {
        bool alone = mask == g->mask;
        branch(w, g, i, mask);
        if (i->back && (++g->turns >= MAX_TURNS || w->block->run->stop)) return false;
        return alone && !(i->back && w->n_group > 1);
    }
    case FLOW_TABLE:
        branch_table(w, g, i, mask);
        return false;
    case FLOW_CALL:
        call(w, g, i, mask);
        return false;
    case FLOW_RETURN:
        if (g->frame->parent)
            return_lanes(w, g, mask);
        else
            exit_lanes(w, g, mask);
        return false;
    case FLOW_EXIT:
        exit_lanes(w, g, mask);
        return false;
    case FLOW_TRAP:
        gx_fault_add(w, i, __builtin_ctz(mask), GX_FAULT_TRAP, 0, 0, false);
        w->block->failed = true;
        exit_lanes(w, g, mask);
        return false;
    case FLOW_BARRIER:
    case FLOW_ARRIVE:
        arrive(w, g, i, mask);
        return g->state == GROUP_READY;
    case FLOW_CONVERGE:
        if (!converged(w, g, i, mask)) return false;
        mask = guarded(w, g, i);
        if (mask && w->watched) {
            gx_order_warp(w, mask);
            if (__builtin_expect(!all_named(w, i, mask, g->awaited), 0)) {
                gx_meet_lanes(w, i, mask, g->awaited);
                g->awaited = 0;
            }
        }
        if (mask) i->fn(w, i, mask);
        g->pc++;
        return true;
    case FLOW_NEXT:
    default:
        return true;
    }
}

static inline void observe(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    if (w->block->count) {
        gx_count *c = &w->block->count[i - w->code + w->frame->fn->first];
        c->executed++;
        c->lanes += count(mask);
        if (i->access && mask) gx_count_access(w, i, c, mask);
    }
    if (i->access && mask) gx_watch_access(w, i, mask);
}

/* Compiled twice, so that who does not watch pays nothing. */
static inline __attribute__((always_inline)) void run_code(gx_sim_warp *w, gx_group *g,
                                                           bool watched) {
    enter(w, g->frame);
    int stop = next_stop(w, g), from = w->n_group;
    for (;;) {
        if (__builtin_expect(g->pc >= stop, 0)) {
            if (g->pc == stop) absorb(w, g);
            stop = next_stop(w, g);
            if (g->pc > stop) return;
        }
        const gx_ins *i = w->code + g->pc;
        uint32_t mask = guarded(w, g, i);
        w->clock++;
        w->lanes += count(mask);
        if (watched) {
            if (__builtin_expect(w->traced & g->mask, 0)) gx_trace_step(w, i, g->mask, mask);
            observe(w, i, mask);
        }
        if (i->flow == FLOW_NEXT) {
            if (mask) i->fn(w, i, mask);
            g->pc++;
            continue;
        }
        if (!mask) {
            g->pc++;
            continue;
        }
        if (!move(w, g, i, mask)) return;
        if (w->n_group != from) {
            from = w->n_group;
            stop = next_stop(w, g);
        }
    }
}

static void run_group(gx_sim_warp *w, gx_group *g) {
    if (w->watched)
        run_code(w, g, true);
    else
        run_code(w, g, false);
}

bool gx_warp_run(gx_sim_warp *w) {
    bool moved = false;
    gx_group *g;
    while (!w->block->failed && !w->block->run->stop && (g = choose(w))) {
        moved = true;
        run_group(w, g);
        if (g->turns >= MAX_TURNS) {
            if (w->block->run->rt->interrupted) {
                gx_meet_late(w, g);
                w->block->run->stop = true;
            }
            stop_late(w);
            if (!others_ready(w, g)) {
                g->turns = 0;
                return true; /* other warps may be what it waits for */
            }
        }
    }
    return moved;
}
