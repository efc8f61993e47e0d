/* Computing pending values. A worklist: plan the top; if something must come first, push it; else
   run the tape and make its results ready. Output buffers are taken from inputs that nobody else
   holds where each element is read before it is written at the same position; stores write into the
   old buffer under the same rule, else into a copy. */
#include <stdio.h>
#include <string.h>

#include "runtime/base/vec.h"
#include "runtime/device/backends.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/out_of_memory.h"
#include "runtime/graph/plan.h"
#include "runtime/object/warn.h"

enum { STEAL_BYTES = 1 << 15 };

/* --- who else holds a value? --- */

static void count_below(gx_data *d, uint32_t mark) {
    for (int k = 0; k < d->arity; k++) {
        gx_data *x = d->in[k].data;
        if (!x) continue;
        if (x->mark != mark) {
            x->mark = mark;
            x->uses = 0;
        }
        if (++x->uses > 1) continue;
        if (x->kind != GX_DATA_READY) count_below(x, mark);
    }
}

void gx_count_uses(gx_rt *rt, gx_data *root) {
    count_below(root, ++gx_engine_of(rt)->mark);
}

/* Is this the first visit of a walk? Graphs share nodes: each is looked at once. */
static bool first_visit(gx_data *d, uint32_t mark) {
    bool first = d->mark != mark;
    d->mark = mark;
    return first;
}

/* After gx_count_uses(root): does something outside reach `target` through a pending node? Such a
   node would still have to read it later. */
static bool reached_from_outside(const gx_data *d, const gx_data *target, const gx_plan *plan,
                                 bool top, uint32_t mark) {
    if (d->kind == GX_DATA_READY) return false;
    bool ends = top; /* the root and the tape's other outputs drop their inputs when done */
    for (int i = 0; i < plan->n_also && !ends; i++) ends = plan->also[i] == d;
    bool held = !ends && d->refs != d->uses;
    for (int k = 0; k < d->arity; k++) {
        gx_data *x = d->in[k].data;
        if (!x) continue;
        if (x == target && held) return true;
        if (x != target && x->kind != GX_DATA_READY && first_visit(x, mark)) {
            if (held && x->leaves) return true; /* may reach it below: not worth a search */
            if (reached_from_outside(x, target, plan, false, mark)) return true;
        }
    }
    return false;
}

/* May `target`, read below root, be overwritten by root's computation? */
static bool is_exclusive(gx_rt *rt, gx_data *root, gx_data *target, const gx_plan *plan) {
    if (target->kind != GX_DATA_READY) return false;
    const gx_buffer *b = gx_data_on(target, (gx_place)root->place);
    if (!b || b->refs != 1 || b->foreign) return false;
    gx_count_uses(rt, root);
    return target->refs == target->uses && target->storages == 0 &&
           !reached_from_outside(root, target, plan, true, ++gx_engine_of(rt)->mark);
}

/* Are all reads of a buffer at the very position that is written? */
static bool reads_in_place(const gx_tape *t, const gx_buffer *buf, const gx_out *o) {
    for (int i = 0; i < t->n_leaf; i++) {
        const gx_leaf *l = &t->leaf[i];
        if (l->kind != GX_LEAF_BUFFER || l->buf != buf) continue;
        if (l->offset != o->offset) return false;
        if (gx_dtypes[l->dtype].bytes != gx_dtypes[t->step[o->step].dtype].bytes) return false;
        for (int j = 0; j < t->ndim; j++) {
            if (t->shape[j] > 1 && l->strides[j] != o->strides[j]) return false;
        }
    }
    return true;
}

/* The value below d whose buffer is `buf`, or NULL. */
static gx_data *find_owner(gx_data *d, const gx_buffer *buf, uint32_t mark) {
    for (int k = 0; k < d->arity; k++) {
        gx_data *x = d->in[k].data;
        if (!x || !first_visit(x, mark)) continue;
        if (x->kind == GX_DATA_READY && gx_copies_have(&x->copies, buf)) return x;
        gx_data *found = x->kind == GX_DATA_READY ? NULL : find_owner(x, buf, mark);
        if (found) return found;
    }
    return NULL;
}

/* An input's buffer that the result may take over, or NULL. */
static gx_buffer *steal(gx_rt *rt, gx_data *root, const gx_plan *plan) {
    const gx_tape *t = gx_engine_of(rt)->tape;
    if (root->kind != GX_DATA_MAP || root->bytes < STEAL_BYTES) return NULL;
    for (int i = 0; i < t->n_leaf; i++) {
        gx_buffer *b = t->leaf[i].buf;
        if (t->leaf[i].kind != GX_LEAF_BUFFER || b->bytes != root->bytes || b->refs != 1) continue;
        if (!reads_in_place(t, b, &t->out[0])) continue;
        gx_data *owner = find_owner(root, b, ++gx_engine_of(rt)->mark);
        if (owner && is_exclusive(rt, root, owner, plan)) return b;
    }
    return NULL;
}

/* --- becoming ready --- */

/* The value is computed: its buffer is `buf` (taken over), its inputs are dropped. */
static void settle_take(gx_data *d, gx_buffer *buf) {
    d->kind = GX_DATA_READY;
    gx_copies_begin_take(&d->copies, buf);
    d->nodes = 0;
    d->leaves = 1;
    d->held = d->bytes;
    int arity = d->arity;
    d->arity = 0;
    for (int k = 0; k < arity; k++) {
        gx_data *x = d->in[k].data;
        d->in[k].data = NULL;
        gx_data_drop(x);
    }
}

/* The operation to name in a warning: the last that can meet the conditions by itself. */
static const char *blamed_op(const gx_tape *t) {
    if (t->has_red && t->about_mean) return "subtract";
    if (t->has_red && t->n_step <= 2) return "reduce";
    const char *op = "multiply";
    for (int i = t->n_step - 1; i >= 0; i--) {
        const gx_step *s = &t->step[i];
        /* an integer becomes a float without a condition */
        if (s->kind == GX_STEP_CAST && gx_dtype_kind(t->step[s->a].dtype) >= GX_KIND_FLOAT)
            op = "cast";
        if (s->kind != GX_STEP_OP || s->dtype == GX_bool) continue;
        if (gx_ops[s->arg].fp == GX_FPC_NONE) continue;
        op = gx_ops[s->arg].name;
        if (gx_ops[s->arg].fp > GX_FPC_HARDWARE || s->arg == GX_OP_divide || s->arg == GX_OP_sqrt)
            break;
    }
    return op;
}

/* Runs a tape; *fp: the floating-point conditions that it met, save those that are told later. */
static bool run_tape(gx_rt *rt, gx_place place, const gx_tape *t, gx_span origin, int *fp) {
    gx_device *device = gx_place_device(rt, place);
    if (GX_UNLIKELY(rt->debug.verify) && !gx_tape_verify(rt, t)) return false;
    if (GX_UNLIKELY(rt->debug.trace_tape)) {
        gx_buf text = gx_buf_new(rt);
        if (gx_tape_text(t, &text)) gx_say(rt, GX_ERR, "%s", gx_buf_text(&text));
        gx_buf_free(&text);
    }
    rt->stats.kernels++;
    if (GX_UNLIKELY(rt->profile)) gx_profile_calls_of(rt)->origin(rt, origin);
    if (!device->backend->run(device, t, fp)) return false;
    if (device->backend->blame) device->backend->blame(device, blamed_op(t), origin);
    return true;
}

GX_CHECK bool gx_tape_run(gx_rt *rt, gx_place place, const gx_tape *t, gx_span origin) {
    int fp = 0;
    if (!run_tape(rt, place, t, origin, &fp)) return false;
    return GX_LIKELY(fp == 0) || gx_fp_warn(rt, fp, blamed_op(t), origin);
}

/* Runs the planned tape of a MAP, a source or a REDUCE. */
static bool run_value(gx_rt *rt, gx_data *d, gx_plan *plan) {
    gx_tape *t = gx_engine_of(rt)->tape;
    gx_buffer *bufs[GX_TAPE_OUTS] = {NULL};
    int n = 1 + plan->n_also;
    bool ok = true;
    const gx_place place = (gx_place)d->place;
    gx_buffer *taken = steal(rt, d, plan);
    if (taken) {
        gx_buffer_keep(taken);
        bufs[0] = taken;
        t->whole = true;
    }
    for (int i = 0; i < n && ok; i++) {
        const gx_data *of = i ? plan->also[i - 1] : d;
        if (!bufs[i]) ok = gx_extent_claim(rt, of) && gx_buffer_at(rt, place, of->bytes, &bufs[i]);
        t->out[i].buf = bufs[i];
    }
    int fp = 0;
    const gx_span origin = d->origin;
    ok = ok && (d->bytes == 0 || run_tape(rt, place, t, origin, &fp));
    if (!ok) {
        for (int i = 0; i < n; i++) gx_buffer_drop(bufs[i]);
        return false;
    }
    rt->stats.forced += n;
    for (int i = 1; i < n; i++) gx_data_keep(plan->also[i - 1]);
    settle_take(d, bufs[0]);
    for (int i = 1; i < n; i++) {
        settle_take(plan->also[i - 1], bufs[i]);
        gx_data_drop(plan->also[i - 1]);
    }
    /* Only now: a condition that is an error leaves the value computed, for its input may be gone.
     */
    return GX_LIKELY(fp == 0) || gx_fp_warn(rt, fp, blamed_op(t), origin);
}

/* --- stores --- */

GX_CHECK bool gx_data_copy(gx_rt *rt, const gx_buffer *from, int64_t bytes, gx_buffer **out) {
    gx_buffer *b;
    const gx_place place = (gx_place)from->device->place;
    if (!gx_buffer_at(rt, place, bytes, &b)) return false;
    gx_tape *t = gx_alloc(rt, sizeof *t);
    if (!t) {
        gx_buffer_drop(b);
        return false;
    }
    t->ndim = 1;
    t->reduced = t->n_imm = t->n_call = 0;
    t->has_red = false;
    t->n_leaf = t->n_step = t->n_out = 1;
    t->fp_mask = 0;
    t->whole = false;
    int64_t unit = bytes % 8 == 0 ? 8 : 1;
    t->shape[0] = bytes / unit;
    t->leaf[0] = (gx_leaf){
        .kind = GX_LEAF_BUFFER, .dtype = unit == 8 ? GX_u64 : GX_u8, .buf = (gx_buffer *)from};
    t->leaf[0].strides[0] = unit;
    t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = t->leaf[0].dtype};
    t->out[0] = (gx_out){.buf = b};
    t->out[0].strides[0] = unit;
    bool ok = bytes == 0 || gx_tape_run(rt, place, t, (gx_span){0, 0, 0});
    gx_free(rt, t);
    if (!ok) {
        gx_buffer_drop(b);
        return false;
    }
    *out = b;
    return true;
}

/* The expression is computed apart, because it reads the buffer elsewhere than it writes. */
static bool detach_expression(gx_rt *rt, gx_data *d) {
    gx_edge *e = &d->in[1];
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, (gx_dtype)d->dtype, d->ndim, d->ndim, 1);
    if (!m || !gx_extent_value_take(rt, m, d->shape)) return false;
    int64_t n = 1;
    for (int j = d->ndim - 1; j >= 0; j--) {
        m->layout[j] = n * gx_dtype_size(d->dtype);
        m->in[0].strides[j] = e->strides[j];
        n *= d->shape[j];
    }
    m->compute = d->dtype;
    m->in[0].data = gx_data_keep(e->data);
    m->in[0].offset = e->offset;
    m->in[0].dtype = e->dtype;
    gx_data_count(m);
    m->place = d->place;
    if (!gx_data_force(rt, m)) {
        gx_data_drop(m);
        return false;
    }
    gx_data_drop(e->data);
    e->data = m;
    e->offset = 0;
    e->dtype = d->dtype;
    memcpy(e->strides, m->layout, (size_t)d->ndim * sizeof(int64_t));
    return true;
}

/* Is the stored expression pending, and less than the whole? */
static bool is_smaller(const gx_data *d) {
    const gx_data *e = d->in[1].data;
    return e && e->kind != GX_DATA_READY && e->bytes < d->bytes;
}

/* Runs a STORE whose tape is planned and whose old value is ready. It stays pending when only its
   expression was computed: the worklist plans it once more. */
static bool run_store(gx_rt *rt, gx_data *d, gx_plan *plan) {
    gx_tape *t = gx_engine_of(rt)->tape;
    gx_data *old = d->in[0].data;
    gx_buffer *target = NULL, *held;
    const gx_place place = (gx_place)d->place;
    if (!gx_data_at(rt, old, place, &held)) return false;
    const bool exclusive = is_exclusive(rt, d, old, plan);
    if (exclusive && !reads_in_place(t, held, &t->out[0])) {
        if (!gx_store_frame(rt, d, held, &target)) return false;
        if (!target) return detach_expression(rt, d);
    } else if (exclusive) {
        target = held;
        gx_buffer_keep(target);
        t->whole = true;
    } else if (!gx_store_frame(rt, d, held, &target)) {
        return false;
    } else if (!target && place != GX_HOST && is_smaller(d)) {
        /* Its expression holds the old value: computed by itself, it lets go, and the next plan
           stores in place. */
        return gx_data_force(rt, d->in[1].data);
    } else if (!target) {
        if (!gx_data_copy(rt, held, old->bytes, &target)) return false;
    }
    t->out[0].buf = target;
    bool empty = false;
    for (int j = 0; j < t->ndim; j++) empty = empty || t->shape[j] == 0;
    if (!empty && !gx_tape_run(rt, place, t, d->origin)) {
        gx_buffer_drop(target);
        return false;
    }
    rt->stats.forced++;
    settle_take(d, target);
    return true;
}

/* --- the worklist --- */

static bool force_once(gx_rt *rt, gx_data *root) {
    GX_VEC(gx_data *) stack = {0};
    bool ok = gx_vec_push(rt, &stack, gx_data_keep(root)); /* kept only when there is room */
    while (ok && stack.count) {
        gx_data *d = stack.items[stack.count - 1];
        if (d->kind == GX_DATA_READY) {
            stack.count--;
            gx_data_drop(d);
            continue;
        }
        gx_plan plan;
        gx_planned planned = GX_PLAN_BLOCKED;
        if (d->kind == GX_DATA_STORE && d->in[0].data->kind != GX_DATA_READY)
            plan.blocker = d->in[0].data;
        else planned = gx_plan_make(rt, d, &plan);
        if (planned == GX_PLAN_ERROR) ok = false;
        else if (planned == GX_PLAN_BLOCKED) {
            ok = gx_vec_push(rt, &stack, gx_data_keep(plan.blocker));
        } else if (d->kind == GX_DATA_STORE) {
            ok = run_store(rt, d, &plan);
        } else {
            ok = run_value(rt, d, &plan);
        }
    }
    while (stack.count) gx_data_drop(stack.items[--stack.count]);
    gx_vec_free(rt, &stack);
    return ok;
}

static bool force_all(gx_rt *rt, gx_data *root) {
    if (GX_LIKELY(force_once(rt, root))) return true;
    if (!gx_out_of_memory(rt)) return false;
    gx_memory_reclaim(rt);
    if (force_once(rt, root)) return true;
    return gx_out_of_memory(rt) ? gx_out_of_memory_explain(rt, root) : false;
}

GX_CHECK bool gx_data_force(gx_rt *rt, gx_data *root) {
    const bool held = gx_warn_hold(rt), ok = force_all(rt, root);
    return held ? gx_warn_release(rt, ok) : ok;
}
