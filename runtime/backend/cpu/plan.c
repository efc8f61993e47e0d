/* A tape made ready: dims joined where every leaf and output allows, steps turned into loops with
   places in a few blocks that stay in the cache, and the walk over the space in pieces. It decides
   nothing about threads or reductions.

   Invariant: a step's value is at scratch->at[step] from its code on until its last use, as one
   element when code.single, else as the piece's elements, contiguous. Contiguous leaves are used
   where they lie, and results go straight into contiguous outputs. */
#include "runtime/backend/cpu/cpu_int.h"

#include <string.h>

static void set_port(gx_cpu_plan *p, int to, int64_t base, const int64_t *strides, const int *dims,
                     int used) {
    gx_port *port = &p->port[to];
    port->base = base;
    for (int d = 0; d < used; d++) port->strides[d] = strides[dims[d]];
}

void gx_plan_dims(gx_cpu_plan *p, gx_cpu *cpu, const gx_tape *t, bool reduce) {
    int dims[GX_MAX_DIMS], used = 0, kept = 0;
    int lead = t->ndim - (reduce ? t->reduced : 0);
    p->cpu = cpu;
    p->tape = t;
    p->total = 1;
    for (int d = 0; d < t->ndim; d++) {
        p->total *= t->shape[d];
        if (t->shape[d] == 1) continue;
        if (d < lead) kept++;
        p->shape[used] = t->shape[d];
        dims[used++] = d;
    }
    p->nd = used;
    p->kept = kept;
    p->n_port = t->n_leaf + t->n_out;
    for (int i = 0; i < t->n_leaf; i++) {
        const gx_leaf *l = &t->leaf[i];
        int64_t base = l->offset;
        if (l->kind == GX_LEAF_BUFFER) base += (int64_t)(intptr_t)l->buf->data;
        set_port(p, i, base, l->strides, dims, used);
    }
    for (int i = 0; i < t->n_out; i++) {
        const gx_out *o = &t->out[i];
        int to = t->n_leaf + i;
        set_port(p, to, o->offset + (int64_t)(intptr_t)o->buf->data, o->strides, dims, used);
        if (reduce)
            for (int d = kept; d < used; d++) p->port[to].strides[d] = 0;
    }
    if (used == 0) { /* one element */
        p->nd = 1;
        p->kept = 1;
        p->shape[0] = 1;
        for (int i = 0; i < p->n_port; i++) p->port[i].strides[0] = 0;
    }
}

static bool joins(const gx_cpu_plan *p, int d) {
    for (int i = 0; i < p->n_port; i++)
        if (p->port[i].strides[d] != p->port[i].strides[d + 1] * p->shape[d + 1]) return false;
    return true;
}

void gx_plan_collapse(gx_cpu_plan *p, int lo, int hi) {
    for (int d = hi - 2; d >= lo; d--) {
        if (!joins(p, d)) continue;
        p->shape[d] *= p->shape[d + 1];
        for (int i = 0; i < p->n_port; i++) p->port[i].strides[d] = p->port[i].strides[d + 1];
        for (int e = d + 1; e < p->nd - 1; e++) {
            p->shape[e] = p->shape[e + 1];
            for (int i = 0; i < p->n_port; i++) p->port[i].strides[e] = p->port[i].strides[e + 1];
        }
        p->nd--;
        if (d < p->kept - 1) p->kept--;
    }
}

void gx_plan_permute(gx_cpu_plan *p, const int *order) {
    int64_t old[GX_MAX_DIMS];
    memcpy(old, p->shape, sizeof(int64_t) * (size_t)p->nd);
    for (int d = 0; d < p->nd; d++) p->shape[d] = old[order[d]];
    for (int i = 0; i < p->n_port; i++) {
        int64_t *strides = p->port[i].strides;
        memcpy(old, strides, sizeof(int64_t) * (size_t)p->nd);
        for (int d = 0; d < p->nd; d++) strides[d] = old[order[d]];
    }
}

/* Bytes of a block: several of them fit the first-level cache or a good part of the second. */
enum { BLOCK_BYTES = 16384 };

/* Uses of each step: the last step that reads it. Steps nobody needs get -1; `wanted` ones stay. */
static void find_uses(const gx_cpu_plan *p, int *last) {
    const gx_tape *t = p->tape;
    int end = p->n_code;
    for (int i = 0; i < end; i++) last[i] = -1;
    for (int i = p->first_out; i < t->n_out; i++) last[t->out[i].step] = end;
    if (p->red_step >= 0) last[p->red_step] = end;
    if (p->red_step == t->n_step) last[t->out[0].step] = t->n_step;
    for (int i = t->n_step - 1; i >= 0; i--) {
        const gx_step *s = &t->step[i];
        if (last[i] < 0) continue;
        int operands = gx_step_arity(s);
        if (operands > 0 && last[s->a] < i) last[s->a] = i;
        if (operands > 1 && last[s->b] < i) last[s->b] = i;
        if (operands > 2 && last[s->c] < i) last[s->c] = i;
    }
}

/* May step s go straight into output `out`? Not when memory that is still to be read would change:
   a leaf of the same buffer that a later step uses. */
static bool may_write(const gx_cpu_plan *p, const int *last, int s, int out) {
    const gx_tape *t = p->tape;
    for (int i = 0; i < t->n_step; i++) {
        const gx_step *step = &t->step[i];
        if (step->kind != GX_STEP_LOAD || last[i] <= s) continue;
        const gx_leaf *l = &t->leaf[step->arg];
        if (l->kind == GX_LEAF_BUFFER && l->buf == t->out[out].buf && i != s) return false;
    }
    return true;
}

/* Is a leaf one element for every piece? */
static bool constant_leaf(const gx_cpu_plan *p, const gx_port *port) {
    return port->strides[p->nd - 1] == 0 &&
           (!p->multirow || p->nd < 2 || port->strides[p->nd - 2] == 0);
}

/* A leaf that is an output as it is, while another output overwrites its buffer (a swap): it must
   be copied before any output is stored. */
static bool read_late(const gx_cpu_plan *p, const gx_leaf *l, int step) {
    const gx_tape *t = p->tape;
    bool stored = false, overwritten = false;
    if (l->kind != GX_LEAF_BUFFER) return false;
    for (int k = p->first_out; k < t->n_out; k++) {
        if (t->out[k].step == step) stored = true;
        else if (t->out[k].buf == l->buf) overwritten = true;
    }
    return stored && overwritten;
}

static bool code_operand(gx_cpu_plan *p, gx_code *c, int k, int step) {
    bool single = p->code[step].single;
    if (single) c->scalars |= (uint8_t)(1u << k);
    return single;
}

/* The loop and operands of step i; false: there is no such loop. */
static bool code_step(gx_cpu_plan *p, int i) {
    const gx_tape *t = p->tape;
    const gx_step *s = &t->step[i];
    gx_code *c = &p->code[i];
    switch ((gx_step_kind)s->kind) {
    case GX_STEP_CONST:
        c->single = true;
        return true;
    case GX_STEP_LOAD: {
        const gx_leaf *l = &t->leaf[s->arg];
        c->port = (int16_t)s->arg;
        c->kind = l->kind == GX_LEAF_BUFFER ? GX_CODE_LOAD
                  : l->kind == GX_LEAF_IOTA ? GX_CODE_IOTA
                                            : GX_CODE_RANDOM;
        c->single = constant_leaf(p, &p->port[s->arg]);
        c->copy = read_late(p, l, i);
        return true;
    }
    case GX_STEP_CAST:
        c->fn = p->cpu->loops->cast[s->compute][s->dtype];
        break;
    case GX_STEP_OP:
        c->fn = p->cpu->loops->op[s->arg][s->compute];
        break;
    case GX_STEP_CALL: /* a GPU's alone */
        return false;
    }
    c->kind = GX_CODE_LOOP;
    c->a = s->a;
    c->single = code_operand(p, c, 0, s->a);
    int arity = s->kind == GX_STEP_CAST ? 1 : gx_ops[s->arg].arity;
    c->b = c->c = UINT16_MAX;
    if (arity > 1) {
        c->b = s->b;
        c->single = code_operand(p, c, 1, s->b) && c->single;
    }
    if (arity > 2) {
        c->c = s->c;
        c->single = code_operand(p, c, 2, s->c) && c->single;
    }
    p->cost += s->kind == GX_STEP_OP ? gx_ops[s->arg].cost : 1;
    return c->fn != NULL;
}

/* Places for results: blocks freed by their last reader are used again. */
typedef struct slots {
    int16_t free[GX_TAPE_STEPS + 1];
    int n_free, n;
} slots;

static void free_slot(gx_cpu_plan *p, slots *f, const int *last, int operand, int i) {
    if (last[operand] != i || p->code[operand].slot < 0) return;
    f->free[f->n_free++] = p->code[operand].slot;
    p->code[operand].slot = (int16_t)(-2 - p->code[operand].slot); /* once; see gx_plan_code */
}

static void free_operands(gx_cpu_plan *p, slots *f, const int *last, int i, bool same_item) {
    const gx_code *c = &p->code[i];
    const uint16_t operand[3] = {c->a, c->b, c->c};
    for (int k = 0; k < 3; k++) {
        if (operand[k] == UINT16_MAX) continue;
        bool same = p->code[operand[k]].item.bytes == c->item.bytes;
        if (same == same_item) free_slot(p, f, last, operand[k], i);
    }
}

static void place(gx_cpu_plan *p, slots *f, const int *last, int i) {
    gx_code *c = &p->code[i];
    /* A result may overwrite an operand of the same width only. */
    if (c->kind == GX_CODE_LOOP) free_operands(p, f, last, i, true);
    if (c->kind != GX_CODE_SKIP) {
        c->slot = f->n_free ? f->free[--f->n_free] : (int16_t)f->n++;
        if (c->kind == GX_CODE_LOOP) free_operands(p, f, last, i, false);
    }
    if (c->item.bytes > p->item_max) p->item_max = c->item.bytes;
}

static void choose_out(gx_cpu_plan *p, const int *last, int i) {
    gx_code *c = &p->code[i];
    c->out = -1;
    if (c->single) return;
    if (i == p->red_step) {
        c->out = GX_OUT_FOLD;
        return;
    }
    for (int k = p->first_out; k < p->tape->n_out; k++) {
        if (p->tape->out[k].step == i && may_write(p, last, i, k)) {
            c->out = (int16_t)k;
            return;
        }
    }
}

bool gx_plan_code(gx_cpu_plan *p, int64_t block, size_t extra) {
    const gx_tape *t = p->tape;
    gx_rt *rt = p->cpu->base.rt;
    int last[GX_TAPE_STEPS + 1];
    slots f;
    f.n_free = f.n = 0;
    p->cost = 0;
    p->item_max = 1;
    find_uses(p, last);
    for (int i = 0; i < p->n_code; i++) {
        gx_code *c = &p->code[i];
        *c = (gx_code){.slot = -1, .out = -1, .b = UINT16_MAX, .c = UINT16_MAX};
        if (last[i] < 0) continue;
        if (i < t->n_step) {
            c->item = gx_unit_of(t->step[i].dtype);
            if (!code_step(p, i))
                return gx_fail(rt, GX_TypeError, "op.dtype", "the CPU backend has no '%s' for %s",
                               t->step[i].kind == GX_STEP_OP ? gx_ops[t->step[i].arg].name : "cast",
                               gx_dtypes[t->step[i].compute].name);
        } else {
            uint8_t from = t->step[t->out[0].step].dtype;
            c->item = gx_unit_of(t->acc);
            c->kind = GX_CODE_LOOP;
            c->a = t->out[0].step;
            c->fn = p->cpu->loops->cast[from][t->acc];
            c->single = code_operand(p, c, 0, c->a);
            if (!c->fn) return gx_fail(rt, GX_TypeError, "op.dtype", "no cast for a reduction");
        }
        choose_out(p, last, i);
        place(p, &f, last, i);
    }
    for (int i = 0; i < p->n_code; i++)
        if (p->code[i].slot < -1) p->code[i].slot = (int16_t)(-2 - p->code[i].slot);
    if (p->cost < 1) p->cost = 1;
    p->n_slot = f.n;
    p->block = block > 0 ? block : BLOCK_BYTES / p->item_max;
    if (p->block > GX_FOLD_UNIT * 2) p->block = GX_FOLD_UNIT * 2;
    /* One line more a block, so that blocks do not share cache sets. */
    p->slot_bytes = (size_t)((p->block * p->item_max + 63) / 64 * 64 + 64);
    return gx_cpu_scratch(p->cpu, p->slot_bytes * (size_t)f.n + extra, p->total >= GX_WORK_CHUNK);
}

char *gx_plan_extra(const gx_cpu_plan *p, const gx_scratch *s) {
    return s->memory + p->slot_bytes * (size_t)p->n_slot;
}

void gx_plan_enter(const gx_cpu_plan *p, gx_scratch *s) {
    const gx_tape *t = p->tape;
    for (int i = 0; i < t->n_step; i++)
        if (t->step[i].kind == GX_STEP_CONST)
            s->at[i] = (char *)(uintptr_t)&t->imm[t->step[i].arg];
}

/* Position of a port at a piece. */
static inline int64_t port_at(const gx_cpu_plan *p, const gx_port *port, const gx_piece *r) {
    int64_t at = port->base;
    for (int d = 0; d < p->nd; d++) at += r->idx[d] * port->strides[d];
    return at;
}

static inline int64_t row_stride(const gx_cpu_plan *p, const gx_port *port) {
    return p->nd > 1 ? port->strides[p->nd - 2] : 0;
}

/* Where the result of code c goes: into the output when its part is contiguous, else a block. */
static char *target(const gx_cpu_plan *p, const gx_scratch *s, const gx_code *c, const gx_piece *r,
                    char *dst) {
    if (c->out == GX_OUT_FOLD) {
        if (dst) return dst;
    } else if (c->out >= 0) {
        const gx_port *port = &p->port[p->tape->n_leaf + c->out];
        bool rows = r->nr == 1 || row_stride(p, port) == r->nc * c->item.bytes;
        if (rows && (port->strides[p->nd - 1] == c->item.bytes || r->nr * r->nc == 1))
            return (char *)(intptr_t)port_at(p, port, r);
    }
    return s->memory + p->slot_bytes * (size_t)c->slot;
}

static void run_leaf(const gx_cpu_plan *p, gx_scratch *s, int i, const gx_piece *r, char *dst) {
    const gx_code *c = &p->code[i];
    const gx_port *port = &p->port[c->port];
    const gx_leaf *l = &p->tape->leaf[c->port];
    int64_t at = port_at(p, port, r), rs = row_stride(p, port), cs = port->strides[p->nd - 1];
    if (c->kind == GX_CODE_LOAD) {
        if (c->single || (!c->copy && (cs == c->item.bytes || r->nc == 1) &&
                          (r->nr == 1 || rs == r->nc * c->item.bytes))) {
            s->at[i] = (char *)(intptr_t)at;
            return;
        }
        s->at[i] = target(p, s, c, r, dst);
        gx_load_region(s->at[i], (const char *)(intptr_t)at, c->item, r->nr, r->nc, rs, cs);
        return;
    }
    static const gx_piece one = {.nr = 1, .nc = 1};
    s->at[i] = target(p, s, c, r, dst);
    gx_generate_leaf(p, l, s->at[i], at, c->single ? &one : r, rs, cs);
}

static void store_out(const gx_cpu_plan *p, const gx_scratch *s, int k, const gx_piece *r) {
    int step = p->tape->out[k].step;
    const gx_code *c = &p->code[step];
    const gx_port *port = &p->port[p->tape->n_leaf + k];
    char *to = (char *)(intptr_t)port_at(p, port, r);
    const char *from = s->at[step];
    int64_t rs = row_stride(p, port), cs = port->strides[p->nd - 1];
    if (c->single) gx_fill_region(to, from, c->item, r->nr, r->nc, rs, cs);
    else if (to != from || c->kind == GX_CODE_LOAD)
        gx_store_region(to, from, c->item, r->nr, r->nc, rs, cs);
}

void gx_plan_piece(const gx_cpu_plan *p, gx_scratch *s, const gx_piece *r, char *dst) {
    size_t n = (size_t)(r->nr * r->nc);
    for (int i = 0; i < p->n_code; i++) {
        const gx_code *c = &p->code[i];
        if (c->kind == GX_CODE_SKIP) continue;
        if (c->kind != GX_CODE_LOOP) {
            run_leaf(p, s, i, r, dst);
            continue;
        }
        const char *a = s->at[c->a];
        const char *b = c->b == UINT16_MAX ? NULL : s->at[c->b];
        const char *x = c->c == UINT16_MAX ? NULL : s->at[c->c];
        s->at[i] = target(p, s, c, r, dst);
        c->fn(s->at[i], a, b, x, c->single ? 1 : n, c->scalars);
    }
    for (int k = p->first_out; k < p->tape->n_out; k++) store_out(p, s, k, r);
}

void gx_walk_start(const gx_cpu_plan *p, gx_cpu_walk *w, int low, int64_t start, int64_t n) {
    w->low = low;
    w->left = n;
    for (int d = p->nd - 1; d >= low; d--) {
        w->at.idx[d] = d > low ? start % p->shape[d] : start;
        start /= p->shape[d];
    }
}

/* Steps the index on by `rows` along dim nd - 2, carrying. */
static void carry(const gx_cpu_plan *p, gx_cpu_walk *w, int64_t rows) {
    int d = p->nd - 2;
    if (d < w->low) return;
    w->at.idx[d] += rows;
    while (d > w->low && w->at.idx[d] == p->shape[d]) {
        w->at.idx[d] = 0;
        w->at.idx[--d]++;
    }
}

bool gx_walk_next(const gx_cpu_plan *p, gx_cpu_walk *w, int64_t most, gx_piece *piece) {
    if (w->left <= 0) return false;
    int in = p->nd - 1;
    int64_t width = p->shape[in], at = w->at.idx[in];
    memcpy(piece->idx, w->at.idx, sizeof(int64_t) * (size_t)p->nd);
    piece->nr = 1;
    if (p->multirow && at == 0 && in > w->low && w->left >= width && most >= width) {
        int64_t rows = most / width, left = w->left / width;
        int64_t here = p->shape[in - 1] - w->at.idx[in - 1];
        if (left < rows) rows = left;
        if (here < rows) rows = here;
        piece->nr = rows;
        piece->nc = width;
        w->left -= rows * width;
        carry(p, w, rows);
        return true;
    }
    int64_t n = width - at;
    if (n > most) n = most;
    if (n > w->left) n = w->left;
    piece->nc = n;
    w->left -= n;
    w->at.idx[in] += n;
    if (w->at.idx[in] == width) {
        w->at.idx[in] = 0;
        carry(p, w, 1);
    }
    return true;
}
