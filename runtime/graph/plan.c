/* From a graph to a tape. The index space of the root is walked in the order of its memory; every
   pending input is read through a map from that space to bytes of its virtual buffer. A map that is
   affine in the input's own indices (slices, transposes, splits, diagonals, broadcasts) is pushed
   down to the input's inputs, so that nothing in between is stored. What cannot or should not be
   fused is reported as the blocker: force.c computes it first and plans again.

   Invariant: a step's value depends on the element's position only, never on the order of blocks.
 */
#include "runtime/graph/plan.h"

#include <string.h>

#include "runtime/object/warn.h"

enum { RECOMPUTE_NODES = 2, RECOMPUTE_COST = 8, RECOMPUTE_TIMES = 2, REPEAT_LIMIT = 4, SHORT = 8 };

typedef struct planner {
    gx_rt *rt;
    gx_tape *t;
    gx_memo *memo;
    gx_data *root;
    gx_plan *plan;
    int64_t count; /* elements of the index space */
    bool failed;  /* an error is pending */
    int promised; /* further outputs decided on; n_also counts those already emitted */
} planner;

static bool emit(planner *p, gx_data *d, int dtype, int64_t offset, const int64_t *strides,
                 uint16_t *step);

/* Not an error: something must be computed first. */
static bool block_on(planner *p, gx_data *d) {
    if (!p->plan->blocker) p->plan->blocker = d;
    return false;
}

static int64_t data_count(const gx_data *d) {
    return d->bytes / gx_dtype_size(d->dtype);
}

void gx_layout_order(int ndim, const int64_t *layout, int *order) {
    for (int i = 0; i < ndim; i++) {
        int k = i;
        while (k > 0 && layout[order[k - 1]] < layout[i]) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
}

/* Do the map's strides walk the whole of d's buffer, each element once? Then d can be an output. */
static bool covers(const planner *p, const gx_data *d, int64_t offset, const int64_t *strides) {
    if (offset != 0 || data_count(d) != p->count) return false;
    int64_t expect = gx_dtype_size(d->dtype);
    for (int j = p->t->ndim - 1; j >= 0; j--) {
        if (p->t->shape[j] == 1) continue;
        if (strides[j] != expect) return false;
        expect *= p->t->shape[j];
    }
    return true;
}

/* Rough cost of an element of a pending value, in additions. */
static int subtree_cost(const gx_data *d) {
    if (d->kind != GX_DATA_MAP) return 0;
    int cost = d->fn ? d->fn->cost : d->op ? gx_ops[d->op].cost : 1;
    for (int k = 0; k < d->arity && cost < 1000; k++) {
        if (d->in[k].data) cost += subtree_cost(d->in[k].data);
    }
    return cost;
}

/* Is a variable's pending value better kept than computed again and again? */
static bool worth_keeping(gx_data *d) {
    if (d->nodes <= RECOMPUTE_NODES && d->reads < RECOMPUTE_TIMES &&
        subtree_cost(d) <= RECOMPUTE_COST) {
        d->reads++;
        return false;
    }
    return true;
}

/* Is a pending value read through so many maps that computing it anew for each costs more than
   storing it? A chain of such reads would double the work at every link. */
static bool read_often(const planner *p, const gx_data *d) {
    int maps = 0;
    if (p->count < data_count(d) / 2) return false; /* little of it is read */
    for (int i = 0; i < p->memo->count; i++) maps += p->memo->entry[i].data == d;
    return maps > 0 && maps * subtree_cost(d) > (p->root->place != GX_HOST ? 8 : 2);
}

/* Decides how a pending MAP below the root is read: false with a blocker, or true: fuse it. */
static bool may_fuse(planner *p, gx_data *d, int64_t offset, const int64_t *strides, bool *output) {
    const gx_engine *e = gx_engine_of(p->rt);
    *output = false;
    if (d->bytes > e->ram / 8)
        return true; /* too big to be worth keeping: recompute what is read */
    if (p->rt->debug.nofuse) return block_on(p, d);
    if (p->count >= REPEAT_LIMIT * data_count(d) && d->bytes > 0) {
        for (int j = 0; j < p->t->ndim;
             j++) { /* broadcast: each element would be computed many times */
            if (strides[j] == 0 && p->t->shape[j] >= REPEAT_LIMIT) return block_on(p, d);
        }
    }
    if (read_often(p, d)) return block_on(p, d);
    bool shared = d->refs > d->uses; /* another pending value reads it too */
    if (d->storages == 0 && !shared) return true;
    if (p->root->kind == GX_DATA_MAP && covers(p, d, offset, strides) &&
        p->promised < GX_TAPE_OUTS - 1) {
        p->promised++;
        *output = true;
        return true;
    }
    return d->storages > 0 && worth_keeping(d) ? block_on(p, d) : true;
}

/* One iteration stride as steps along d's dims: stride = sum(q[k] * layout[order[k]]). */
static bool split_stride(const gx_data *d, const int *order, int64_t stride, int64_t *q) {
    for (int k = 0; k < d->ndim; k++) {
        int dim = order[k];
        q[k] = 0;
        if (d->shape[dim] <= 1) continue;
        q[k] = stride / d->layout[dim];
        stride -= q[k] * d->layout[dim];
    }
    return stride == 0;
}

typedef struct composed {
    int64_t offset[3];
    int64_t strides[3][GX_MAX_DIMS];
} composed;

/* Is the map exactly d's own layout, dim by dim? */
static bool is_plain(const planner *p, const gx_data *d, int64_t offset, const int64_t *strides) {
    if (offset != 0 || d->ndim != p->t->ndim) return false;
    for (int j = 0; j < d->ndim; j++) {
        if (p->t->shape[j] != d->shape[j]) return false;
        if (strides[j] != d->layout[j] && d->shape[j] > 1) return false;
    }
    return true;
}

/* Composes the map with d's edges; false when it is not affine in d's indices. */
static bool compose(const planner *p, const gx_data *d, int64_t offset, const int64_t *strides,
                    composed *c) {
    int ndim = p->t->ndim;
    if (is_plain(p, d, offset, strides)) {
        for (int k = 0; k < d->arity; k++) {
            c->offset[k] = d->in[k].offset;
            for (int j = 0; j < ndim; j++)
                c->strides[k][j] = p->t->shape[j] > 1 ? d->in[k].strides[j] : 0;
        }
        return true;
    }
    int order[GX_MAX_DIMS];
    int64_t q[GX_MAX_DIMS], low[GX_MAX_DIMS], high[GX_MAX_DIMS];
    gx_layout_order(d->ndim, d->layout, order);
    if (!split_stride(d, order, offset, low)) return false;
    memcpy(high, low, sizeof high);
    for (int k = 0; k < d->arity; k++) {
        c->offset[k] = d->in[k].offset;
        for (int i = 0; i < d->ndim; i++) c->offset[k] += low[i] * d->in[k].strides[order[i]];
    }
    for (int j = 0; j < ndim; j++) {
        int64_t steps = p->t->shape[j] - 1;
        bool moves = steps > 0 && strides[j] != 0;
        if (moves && !split_stride(d, order, strides[j], q)) return false;
        for (int k = 0; k < d->arity; k++) c->strides[k][j] = 0;
        for (int i = 0; i < d->ndim && moves; i++) {
            if (q[i] < 0) low[i] += q[i] * steps;
            else high[i] += q[i] * steps;
            for (int k = 0; k < d->arity; k++)
                c->strides[k][j] += q[i] * d->in[k].strides[order[i]];
        }
    }
    for (int i = 0; i < d->ndim; i++) {
        if (low[i] < 0 || (high[i] >= d->shape[order[i]] && high[i] > 0)) return false;
    }
    return true;
}

/* The same operation on the same steps is not done twice. Constants stay apart, whatever their
   values: those are parameters. */
static bool add_step(planner *p, gx_step s, uint16_t *out) {
    for (int i = p->t->n_step - 1; i >= 0 && s.kind >= GX_STEP_CAST; i--) {
        if (memcmp(&p->t->step[i], &s, sizeof s) != 0) continue;
        *out = (uint16_t)i;
        return true;
    }
    if (p->t->n_step >= GX_TAPE_STEPS) return false;
    *out = (uint16_t)p->t->n_step;
    p->t->step[p->t->n_step++] = s;
    return true;
}

static bool add_const(planner *p, int dtype, const gx_scalar *s, uint16_t *out) {
    gx_tape *t = p->t;
    if (t->n_imm >= GX_TAPE_IMMS) return false;
    t->imm[t->n_imm] = *s;
    return add_step(
        p, (gx_step){.kind = GX_STEP_CONST, .dtype = (uint8_t)dtype, .arg = (uint16_t)t->n_imm++},
        out);
}

static bool add_call(planner *p, const gx_inline *f, const uint16_t *arg, uint16_t *step) {
    gx_tape *t = p->t;
    int k = 0;
    while (k < t->n_call && t->call[k] != f) k++;
    if (k == GX_TAPE_CALLS) return false;
    t->call[k] = f;
    if (k == t->n_call) t->n_call++;
    return add_step(p,
                    (gx_step){.kind = GX_STEP_CALL, .dtype = f->out, .compute = f->out,
                              .spare = f->arity, .arg = (uint16_t)k, .a = arg[0], .b = arg[1],
                              .c = arg[2]},
                    step);
}

static bool add_cast(planner *p, int from, int to, uint16_t *step) {
    if (from == to) return true;
    gx_step s = {.kind = GX_STEP_CAST, .dtype = (uint8_t)to, .compute = (uint8_t)from, .a = *step};
    return add_step(p, s, step);
}

static bool add_leaf(planner *p, gx_data *d, int dtype, int64_t offset, const int64_t *strides,
                     uint16_t *out) {
    gx_tape *t = p->t;
    if (t->n_leaf >= GX_TAPE_LEAVES) return false;
    gx_leaf *l = &t->leaf[t->n_leaf];
    int64_t unit = d->kind == GX_DATA_READY ? 1 : gx_dtype_size(d->dtype);
    l->kind = d->kind == GX_DATA_READY  ? GX_LEAF_BUFFER
              : d->kind == GX_DATA_IOTA ? GX_LEAF_IOTA
                                        : GX_LEAF_RANDOM;
    /* Bools that see another dtype's bytes: what is not 0 is true. */
    bool loose = dtype == GX_bool && d->dtype != GX_bool;
    if (loose) dtype = GX_u8;
    l->dtype = (uint8_t)dtype;
    l->dist = d->red;
    l->buf = NULL;
    if (d->kind == GX_DATA_READY && !gx_data_at(p->rt, d, (gx_place)p->root->place, &l->buf)) {
        p->failed = true;
        return false;
    }
    if (d->kind != GX_DATA_READY) { /* a ready value ends before its immediates */
        l->first = d->imm[0];
        l->step = d->imm[1];
    }
    l->seed = d->seed;
    l->counter = d->counter;
    l->offset = offset / unit;
    for (int j = 0; j < t->ndim; j++) l->strides[j] = t->shape[j] > 1 ? strides[j] / unit : 0;
    gx_step s = {.kind = GX_STEP_LOAD, .dtype = (uint8_t)dtype, .arg = (uint16_t)t->n_leaf++};
    return add_step(p, s, out) && (!loose || add_cast(p, GX_u8, GX_bool, out));
}

/* No room left on the tape: the node at hand is computed first, or the root's tallest input. */
static bool overflow(planner *p, gx_data *d) {
    if (d != p->root) return block_on(p, d);
    gx_data *tallest = NULL;
    for (int k = 0; k < d->arity; k++) {
        gx_data *x = d->in[k].data;
        if (x && x->kind != GX_DATA_READY && (!tallest || x->nodes > tallest->nodes)) tallest = x;
    }
    return tallest ? block_on(p, tallest) : false;
}

static void add_output(planner *p, gx_data *d, const int64_t *strides, uint16_t step) {
    gx_out *o = &p->t->out[1 + p->plan->n_also];
    o->step = step;
    o->offset = 0;
    memcpy(o->strides, strides, (size_t)p->t->ndim * sizeof(int64_t));
    p->plan->also[p->plan->n_also++] = d;
}

static bool emit_map(planner *p, gx_data *d, int64_t offset, const int64_t *strides,
                     uint16_t *step) {
    bool output = false;
    if (d != p->root && !may_fuse(p, d, offset, strides, &output)) return false;
    composed c;
    if (!compose(p, d, offset, strides, &c)) return d == p->root ? false : block_on(p, d);
    uint16_t arg[3] = {0, 0, 0};
    for (int k = 0; k < d->arity; k++) {
        const gx_edge *e = &d->in[k];
        bool select = k == 0 && d->op && gx_ops[d->op].rule == GX_RULE_SELECT;
        int want = d->fn ? d->fn->in[k] : select ? GX_bool : d->compute;
        bool ok;
        if (!e->data) ok = add_const(p, want, &d->imm[k], &arg[k]);
        else {
            ok = emit(p, e->data, e->dtype, c.offset[k], c.strides[k], &arg[k]) &&
                 add_cast(p, e->dtype, want, &arg[k]);
        }
        if (!ok) return p->plan->blocker ? false : overflow(p, d);
    }
    *step = arg[0];
    if (d->fn) {
        if (!add_call(p, d->fn, arg, step)) return overflow(p, d);
    } else if (d->op) {
        gx_step s = {.kind = GX_STEP_OP, .dtype = d->dtype, .compute = d->compute, .arg = d->op,
                     .a = arg[0], .b = arg[1], .c = arg[2]};
        if (!add_step(p, s, step)) return overflow(p, d);
    }
    if (output) add_output(p, d, strides, *step);
    return true;
}

/* May a reduction be unrolled into the expression that reads it? Where a launch costs more than
   folding a few elements, and nobody else wants the result. */
static bool is_short(const planner *p, const gx_data *d) {
    int64_t n = 1;
    if (p->root->place == GX_HOST || p->root->kind != GX_DATA_MAP || d->ndim == 0 || d->op)
        return false;
    if (gx_is_half(d->compute) || d->storages > 0 || p->rt->debug.nofuse) return false;
    for (int j = d->ndim; j < d->ndim + d->reduced; j++) n *= d->shape[j];
    return n > 0 && n <= SHORT && (d->red == GX_RED_sum || d->red == GX_RED_prod ||
                                   d->red == GX_RED_min || d->red == GX_RED_max);
}

/* The elements are folded one after the other, as a thread of the reduction does. */
static bool emit_short(planner *p, gx_data *d, int64_t offset, const int64_t *strides,
                       uint16_t *step) {
    bool output = false;
    composed c;
    if (!may_fuse(p, d, offset, strides, &output)) return false;
    if (output || !compose(p, d, offset, strides, &c)) return block_on(p, d);
    const gx_edge *e = &d->in[0];
    const gx_opcode op = (gx_opcode)gx_reds[d->red].ufunc;
    int64_t at[GX_MAX_DIMS] = {0}, from = c.offset[0];
    int j;
    bool first = true;
    do {
        uint16_t x;
        if (!emit(p, e->data, e->dtype, from, c.strides[0], &x) ||
            !add_cast(p, e->dtype, d->compute, &x))
            return p->plan->blocker || p->failed ? false : overflow(p, d);
        gx_step s = {.kind = GX_STEP_OP, .dtype = d->compute, .compute = d->compute,
                     .arg = (uint16_t)op, .a = *step, .b = x};
        if (first) *step = x;
        else if (!add_step(p, s, step)) return overflow(p, d);
        first = false;
        for (j = d->reduced - 1; j >= 0; j--) {
            from += e->strides[d->ndim + j];
            if (++at[j] < d->shape[d->ndim + j]) break;
            from -= at[j] * e->strides[d->ndim + j];
            at[j] = 0;
        }
    } while (j >= 0);
    return add_cast(p, d->compute, d->dtype, step) || overflow(p, d);
}

static bool find_memo(const planner *p, const gx_data *d, int dtype, int64_t offset,
                      const int64_t *strides, uint16_t *step) {
    for (int i = 0; i < p->memo->count; i++) {
        const gx_memo_entry *m = &p->memo->entry[i];
        if (m->data != d || m->offset != offset || m->dtype != dtype) continue;
        if (memcmp(m->strides, strides, (size_t)p->t->ndim * sizeof(int64_t)) != 0) continue;
        *step = m->step;
        return true;
    }
    return false;
}

static void add_memo(planner *p, const gx_data *d, int dtype, int64_t offset,
                     const int64_t *strides, uint16_t step) {
    if (p->memo->count >= GX_TAPE_STEPS) return;
    gx_memo_entry *m = &p->memo->entry[p->memo->count++];
    m->data = d;
    m->dtype = (uint8_t)dtype;
    m->offset = offset;
    m->step = step;
    memcpy(m->strides, strides, (size_t)p->t->ndim * sizeof(int64_t));
}

/* The step that gives d's element, read as `dtype` through the map. False: blocked or full. */
static bool emit(planner *p, gx_data *d, int dtype, int64_t offset, const int64_t *strides,
                 uint16_t *step) {
    if (GX_UNLIKELY(dtype >= GX_DTYPES)) {
        p->failed = true;
        return gx_fail(p->rt, GX_TypeError, "dtype.kind", "elements that are no numbers cannot be "
                                                          "computed with");
    }
    if (find_memo(p, d, dtype, offset, strides, step)) return true;
    if (d->kind != GX_DATA_READY && dtype != d->dtype) return block_on(p, d);
    if (d->kind != GX_DATA_READY && d->place != GX_HOST && d->place != p->root->place)
        return block_on(p, d);
    bool ok = false;
    switch ((gx_data_kind)d->kind) {
    case GX_DATA_READY:
    case GX_DATA_IOTA:
    case GX_DATA_RANDOM: ok = add_leaf(p, d, dtype, offset, strides, step); break;
    case GX_DATA_FILL: ok = add_const(p, d->dtype, &d->imm[0], step); break;
    case GX_DATA_MAP: ok = emit_map(p, d, offset, strides, step); break;
    case GX_DATA_REDUCE:
        if (!is_short(p, d)) return block_on(p, d);
        ok = emit_short(p, d, offset, strides, step);
        break;
    case GX_DATA_STORE: return block_on(p, d);
    }
    if (ok) add_memo(p, d, dtype, offset, strides, *step);
    return ok;
}

/* The root's own index space, outermost in memory first; strides over it for an edge of the root.
 */
static void open_space(planner *p, int ndim, const int64_t *shape, const int *order) {
    gx_tape *t = p->t;
    t->ndim = ndim;
    t->reduced = 0;
    t->has_red = t->about_mean = false;
    t->n_leaf = t->n_imm = t->n_step = t->n_out = t->n_call = 0;
    p->count = 1;
    for (int j = 0; j < ndim; j++) {
        t->shape[j] = shape[order[j]];
        p->count *= t->shape[j];
    }
}

/* A node without inputs, or a MAP: the tape of its elements in memory order. */
static bool plan_map(planner *p) {
    gx_data *d = p->root;
    int order[GX_MAX_DIMS];
    int64_t strides[GX_MAX_DIMS];
    gx_layout_order(d->ndim, d->layout, order);
    open_space(p, d->ndim, d->shape, order);
    for (int j = 0; j < d->ndim; j++) strides[j] = d->layout[order[j]];
    gx_out *o = &p->t->out[0];
    o->offset = 0;
    memcpy(o->strides, strides, (size_t)d->ndim * sizeof(int64_t));
    if (!emit(p, d, d->dtype, 0, strides, &o->step)) return false;
    p->t->n_out = 1 + p->plan->n_also;
    return true;
}

/* Reduced dims by descending stride of the first buffer read: folding then follows memory. The
   order of argmin and argmax is the index order. */
static void order_space(const gx_data *d, int from, int to, int *order) {
    const int64_t *s = d->in[0].strides;
    for (int i = from; i < to; i++) {
        int k = i;
        int64_t key = s[i] < 0 ? -s[i] : s[i];
        while (k > from) {
            int64_t other = s[order[k - 1]] < 0 ? -s[order[k - 1]] : s[order[k - 1]];
            if (other >= key) break;
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
}

static bool plan_reduce(planner *p) {
    gx_data *d = p->root;
    int space = d->ndim + d->reduced, order[GX_MAX_DIMS];
    for (int i = 0; i < space; i++) order[i] = i;
    bool by_index = gx_reds[d->red].rule == GX_REDRULE_INDEX;
    order_space(d, 0, d->ndim, order);
    if (!by_index) order_space(d, d->ndim, space, order);
    open_space(p, space, d->shape, order);
    gx_tape *t = p->t;
    t->reduced = d->reduced;
    t->has_red = true;
    t->about_mean = d->op != 0;
    t->red = d->red;
    t->acc = d->compute;
    t->red_dtype = d->dtype;
    int64_t strides[GX_MAX_DIMS];
    for (int j = 0; j < space; j++) strides[j] = d->in[0].strides[order[j]];
    gx_out *o = &t->out[0];
    o->offset = 0;
    for (int j = 0; j < d->ndim; j++) o->strides[j] = d->layout[order[j]];
    t->n_out = 1;
    return emit(p, d->in[0].data, d->in[0].dtype, d->in[0].offset, strides, &o->step);
}

/* The stored expression over the region, converted to the storage's dtype. */
static bool plan_store(planner *p) {
    gx_data *d = p->root;
    int order[GX_MAX_DIMS];
    int64_t strides[GX_MAX_DIMS], size[GX_MAX_DIMS];
    for (int j = 0; j < d->ndim; j++) size[j] = d->layout[j] < 0 ? -d->layout[j] : d->layout[j];
    gx_layout_order(d->ndim, size, order);
    open_space(p, d->ndim, d->shape, order);
    const gx_edge *e = &d->in[1];
    for (int j = 0; j < d->ndim; j++) strides[j] = e->data ? e->strides[order[j]] : 0;
    gx_out *o = &p->t->out[0];
    o->offset = d->region_offset;
    for (int j = 0; j < d->ndim; j++) o->strides[j] = d->layout[order[j]];
    p->t->n_out = 1;
    if (!e->data) return add_const(p, d->dtype, &d->imm[1], &o->step);
    return emit(p, e->data, e->dtype, e->offset, strides, &o->step) &&
           add_cast(p, e->dtype, d->dtype, &o->step);
}

gx_planned gx_plan_make(gx_rt *rt, gx_data *root, gx_plan *plan) {
    gx_engine *e = gx_engine_of(rt);
    planner p = {.rt = rt, .t = e->tape, .memo = e->memo, .root = root, .plan = plan};
    *plan = (gx_plan){.n_also = 0};
    p.memo->count = 0;
    gx_count_uses(rt, root);
    p.t->whole = false;
    p.t->fp_mask = GX_FP_DIVIDE | GX_FP_OVERFLOW | GX_FP_INVALID | GX_FP_INTDIV;
    if (GX_UNLIKELY(gx_warn_of_underflow(rt))) p.t->fp_mask |= GX_FP_UNDERFLOW;
    bool ok = root->kind == GX_DATA_REDUCE  ? plan_reduce(&p)
              : root->kind == GX_DATA_STORE ? plan_store(&p)
                                            : plan_map(&p);
    if (ok) {
        gx_tape_collapse(p.t);
        return GX_PLAN_OK;
    }
    if (p.failed) return GX_PLAN_ERROR;
    if (plan->blocker) return GX_PLAN_BLOCKED;
    gx_fail(rt, GX_RuntimeError, "tape.full", "an expression does not fit a tape");
    return GX_PLAN_ERROR;
}
