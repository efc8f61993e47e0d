/* The general kernel (kernels/general.cu) on this side: a space as a program of numbers, and its
   launch. It takes what a tape's own kernel would while that is compiled. What it cannot take (a
   script's functions, very many values at a time, selections) waits for the compiler. */
#include <string.h>

#include "kernels/general.h"
#include "runtime/backend/gpu/emit_int.h"

enum { SLOTS = 96, STEPS = GX_TAPE_STEPS + 2, MAP_BLOCKS = INT32_MAX };

/* A program, and what its making needs. */
typedef struct program {
    const gx_space *s;
    gx_general head;
    gx_general_port port[GX_PORTS];
    gx_general_step step[STEPS];
    uint64_t constant[GX_TAPE_IMMS][2];
    int n_constant, n_slot;
    bool taken[SLOTS];
    uint8_t slot[STEPS]; /* of a step's value */
    int last[STEPS];     /* the last step that reads it */
    bool used[GX_TAPE_STEPS];
    bool fits;
} program;

static int words(int dtype) {
    return dtype == GX_c128 ? 2 : 1;
}

static uint8_t take_slot(program *p, int dtype) {
    const int n = words(dtype);
    for (int i = 0; i + n <= SLOTS; i++) {
        if (p->taken[i] || p->taken[i + n - 1]) continue;
        for (int k = 0; k < n; k++) p->taken[i + k] = true;
        if (i + n > p->n_slot) p->n_slot = i + n;
        return (uint8_t)i;
    }
    p->fits = false;
    return 0;
}

/* Operands whose last reader was step i give their slots back. */
static void free_slots(program *p, int i) {
    const gx_recipe *r = &p->s->recipe;
    for (int j = 0; j < i; j++)
        if (p->used[j] && p->last[j] == i)
            for (int k = 0; k < words(r->step[j].dtype); k++) p->taken[p->slot[j] + k] = false;
}

static void find_last(program *p) {
    const gx_recipe *r = &p->s->recipe;
    gx_recipe_used(r, p->used);
    for (int i = 0; i < r->n_step; i++) {
        const gx_step *s = &r->step[i];
        const uint16_t from[] = {s->a, s->b, s->c};
        p->last[i] = i;
        if (!p->used[i]) continue;
        for (int k = 0; k < gx_step_arity(s); k++) p->last[from[k]] = i;
    }
    for (int k = 0; k < r->n_out; k++) p->last[r->port[r->n_leaf + k].step] = STEPS;
}

static gx_general_step cast_step(uint8_t from, uint8_t to, uint8_t at, uint8_t slot) {
    return (gx_general_step){.kind = GX_GENERAL_CAST, .dtype = to, .compute = from,
                             .met = GX_MET_NEVER, .to = slot, .a = at, .b = at, .c = at,
                             .half = gx_is_half(from) ? from : 0};
}

static void add_step(program *p, int i) {
    const gx_recipe *r = &p->s->recipe;
    const gx_step *s = &r->step[i];
    gx_general_step *to = &p->step[p->head.n_step++];
    const int arity = gx_step_arity(s);
    *to = (gx_general_step){.dtype = s->dtype, .compute = s->compute, .met = GX_MET_NEVER};
    p->slot[i] = to->to = take_slot(p, s->dtype);
    to->a = p->slot[s->a];
    to->b = arity > 1 ? p->slot[s->b] : to->a;
    to->c = arity > 2 ? p->slot[s->c] : to->a;
    if (gx_is_half(s->compute)) to->half = s->compute;
    if (r->checks) to->met = (uint8_t)gx_emit_class(s);
    switch ((gx_step_kind)s->kind) {
    case GX_STEP_LOAD:
        to->kind = GX_GENERAL_LOAD;
        to->arg = (uint8_t)s->arg;
        break;
    case GX_STEP_CONST:
        to->kind = GX_GENERAL_CONST;
        to->arg = (uint8_t)p->n_constant;
        memcpy(p->constant[p->n_constant++], &p->s->tape->imm[s->arg],
               sizeof *p->constant);
        break;
    case GX_STEP_CAST:
        to->kind = GX_GENERAL_CAST;
        break;
    case GX_STEP_OP:
        to->kind = GX_GENERAL_OP;
        to->op = (uint8_t)s->arg;
        to->unary = arity == 1;
        to->quotient = gx_ops[s->arg].fp == GX_FPC_QUOTIENT;
        to->rounds = gx_is_half(s->dtype) && s->arg != GX_OP_where &&
                     s->arg != GX_OP_nextafter && s->arg != GX_OP_spacing;
        break;
    case GX_STEP_CALL:
        p->fits = false;
        break;
    }
    free_slots(p, i);
}

static void add_ports(program *p) {
    const gx_space *s = p->s;
    const gx_recipe *r = &s->recipe;
    for (int i = 0; i < r->n_leaf + r->n_out; i++) {
        gx_general_port *to = &p->port[i];
        *to = (gx_general_port){.base = s->port[i].base, .kind = r->port[i].kind,
                                .dtype = r->port[i].dtype, .dist = r->port[i].dist};
        memcpy(to->strides, s->port[i].strides, (size_t)s->nd * sizeof *to->strides);
        if (to->kind == GX_PORT_OUT) {
            to->slot = p->slot[r->port[i].step];
            continue;
        }
        const gx_leaf *l = &s->tape->leaf[i];
        to->seed = l->seed;
        if (to->kind == GX_LEAF_RANDOM) to->base += (int64_t)l->counter;
        memcpy(to->first, &l->first, sizeof to->first);
        memcpy(to->step, &l->step, sizeof to->step);
    }
}

/* A reduction: the value is cast to the accumulator's dtype, and, behind the program proper, what
   it comes to, to the result's. */
static void add_reduction(program *p) {
    const gx_recipe *r = &p->s->recipe;
    gx_general *g = &p->head;
    const int value = r->port[r->n_leaf].step;
    const gx_red_info *red = &gx_reds[r->red];
    g->form = r->form == GX_FORM_ROWS ? GX_GENERAL_ROWS : GX_GENERAL_COLUMNS;
    g->width = r->width;
    g->team = r->team;
    g->red = r->red;
    g->acc = r->acc;
    g->red_dtype = r->red_dtype;
    g->index = red->rule == GX_REDRULE_INDEX;
    g->about = r->about;
    g->sums = r->checks && red->rule == GX_REDRULE_SUM &&
              gx_dtypes[r->acc].kind >= GX_KIND_FLOAT && !r->about;
    g->slot = take_slot(p, GX_c128);
    p->step[g->n_step++] =
        cast_step(r->step[value].dtype, r->acc, p->slot[value], (uint8_t)g->slot);
    const uint8_t result = take_slot(p, GX_c128);
    gx_general_step *last = &p->step[g->n_step]; /* not counted */
    *last = cast_step(g->index ? GX_i64 : r->acc, r->red_dtype, (uint8_t)g->slot, result);
    if (g->sums && gx_is_half(r->red_dtype) && r->acc != r->red_dtype) last->met = GX_MET_RANGE;
    p->port[r->n_leaf].slot = result;
}

/* Bytes of a state, and how many a thread has (kernels/general.cu). */
static int64_t state_bytes(const gx_general *g) {
    const int item = g->acc == GX_c128 ? 16 : 8;
    const int small = g->acc == GX_f32 || gx_is_half(g->acc) ? 4 : item;
    int bytes = g->about ? 32 : g->index ? (item == 16 ? 32 : 16) : small;
    if (g->acc == GX_bool && !g->index) bytes = 1;
    const bool wide = g->form == GX_GENERAL_COLUMNS || !(g->index || g->about);
    return (int64_t)bytes * (wide ? g->width : 1) * (g->about ? 1 : 4);
}

static bool make_program(program *p, const gx_space *s, gx_gpu_ptr word, gx_gpu_ptr told) {
    const gx_recipe *r = &s->recipe;
    gx_general *g = &p->head;
    if (r->form == GX_FORM_SELECT || s->nd > GX_GENERAL_DIMS) return false;
    p->s = s;
    p->fits = true;
    *g = (gx_general){.form = GX_GENERAL_MAP, .n_port = r->n_leaf + r->n_out, .n_leaf = r->n_leaf,
                      .nd = s->nd, .kept = s->kept, .total = s->total, .n_kept = s->n_kept,
                      .n_reduced = s->n_reduced, .splits = s->splits};
    const uint64_t at[] = {s->parts, s->arrived, word, told};
    memcpy(&g->parts, at, sizeof at);
    memcpy(g->n, s->shape, (size_t)s->nd * sizeof *g->n);
    find_last(p);
    for (int i = 0; i < r->n_step && p->fits; i++)
        if (p->used[i]) add_step(p, i);
    add_ports(p);
    if (r->form >= GX_FORM_ROWS) add_reduction(p);
    g->state_at = p->n_slot;
    return p->fits;
}

/* The parts of a program one behind the other; bytes. */
static int64_t pack(program *p, char *to) {
    const int n = p->head.n_step + (p->head.form != GX_GENERAL_MAP);
    const size_t bytes[] = {sizeof p->head, (size_t)p->head.n_port * sizeof *p->port,
                            (size_t)n * sizeof *p->step,
                            (size_t)p->n_constant * sizeof *p->constant};
    const void *from[] = {&p->head, p->port, p->step, p->constant};
    size_t at = 0;
    for (int i = 0; i < 4; i++) {
        memcpy(to + at, from[i], bytes[i]);
        at += bytes[i];
    }
    return (int64_t)at;
}

static bool launch(gx_gpu *g, program *p, char *room, bool *done) {
    const bool reduces = p->head.form != GX_GENERAL_MAP;
    const int64_t blocks = reduces ? p->s->blocks : (p->s->total + 255) / 256;
    const int64_t shared =
        GX_GPU_THREADS * (p->n_slot * 8 + (reduces ? state_bytes(&p->head) : 0));
    const char *entry = reduces ? "gx_general_reduce" : "gx_general_map";
    gx_gpu_kernel *k;
    if (shared > g->shared_block || blocks > MAP_BLOCKS) return true;
    if (!gx_gpu_kernel_prebuilt(g, entry, &k)) return false;
    if (!k) return true;
    gx_buffer *far;
    const int64_t bytes = pack(p, room);
    if (!gx_gpu_scratch(g, bytes, &far)) return false;
    const gx_gpu_ptr at = gx_gpu_address(far);
    bool ok = gx_gpu_upload(g, at, room, bytes) &&
              gx_gpu_launch(g, k, blocks, GX_GPU_THREADS, (int)shared, &at, sizeof at);
    gx_buffer_drop(far);
    if (ok) g->base.rt->gpu_stats.general++;
    *done = ok;
    return ok;
}

GX_CHECK bool gx_gpu_general(gx_gpu *g, const gx_space *s, gx_gpu_ptr word, gx_gpu_ptr told,
                             bool *done) {
    typedef struct room {
        program program;
        char bytes[sizeof(program)];
    } room;
    *done = false;
    room *all = gx_alloc_zero(g->base.rt, sizeof *all);
    if (!all) return false;
    bool ok = !make_program(&all->program, s, word, told) ||
              launch(g, &all->program, all->bytes, done);
    gx_free(g->base.rt, all);
    return ok;
}
