/* x[mask] on a device that can do it at once: the expression of the mask and the elements are one
   tape, so that a mask which nobody else wants is never stored. */
#include <string.h>

#include "runtime/op/ufunc.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/plan.h"

/* Will nobody read this pending mask again? As reduce.c's dying_value. */
static gx_data *dying_mask(const gx_array *a) {
    gx_data *d = a->storage->data;
    if (d->kind == GX_DATA_READY || a->base || d->storages != 1 || a->obj.refs != 1) return NULL;
    return a->storage->refs == 1 && d->reads < 2 ? d : NULL;
}

/* where(mask, x, x): its tape has both. */
static gx_data *both_node(gx_rt *rt, const gx_array *a, const gx_array *mask) {
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, (gx_dtype)a->dtype, a->ndim, a->ndim, 3);
    if (!m || !gx_extent_value_take(rt, m, gx_shape(a))) return NULL;
    size_t dims = (size_t)a->ndim * sizeof(int64_t);
    int64_t at = gx_dtype_size(a->dtype);
    m->op = GX_OP_where;
    m->compute = (uint8_t)a->dtype;
    for (int i = a->ndim - 1; i >= 0; i--) {
        m->layout[i] = at;
        at *= gx_shape(a)[i];
    }
    for (int k = 0; k < 3; k++) {
        const gx_array *x = k ? a : mask;
        memcpy(m->in[k].strides, gx_strides(x), dims);
        m->in[k].data = gx_data_keep(x->storage->data);
        m->in[k].offset = x->offset;
        m->in[k].dtype = (uint8_t)x->dtype;
    }
    gx_data_count(m);
    return m;
}

/* The tape with the mask and the element as outputs; what must be there first is computed. */
static bool plan_both(gx_rt *rt, gx_data *m) {
    gx_plan plan;
    for (;;) {
        gx_planned planned = gx_plan_make(rt, m, &plan);
        if (planned == GX_PLAN_ERROR) return false;
        gx_data *first = planned == GX_PLAN_BLOCKED ? plan.blocker
                         : plan.n_also > 0          ? plan.also[0]
                                                    : NULL;
        if (!first) break;
        gx_data_keep(first);
        bool ok = gx_data_force(rt, first);
        gx_data_drop(first);
        if (!ok) return false;
    }
    gx_tape *t = gx_engine_of(rt)->tape;
    const gx_step where = t->step[t->out[0].step];
    t->out[1] = t->out[0];
    t->out[0].step = where.a;
    t->out[1].step = where.b;
    t->n_out = 2;
    t->n_step--;
    return true;
}

static bool give_take(gx_rt *rt, const gx_array *a, gx_buffer *b, int64_t count, gx_array **out) {
    gx_data *d = gx_data_new(rt, GX_DATA_READY, (gx_dtype)a->dtype, 1, 1, 0);
    if (!d) {
        gx_buffer_drop(b);
        return false;
    }
    d->place = b->device->place;
    gx_copies_begin_take(&d->copies, b);
    if (!gx_extent_value_take(rt, d, &count)) return false;
    d->held = d->bytes;
    d->leaves = 1;
    d->layout[0] = gx_dtype_size(a->dtype);
    return gx_array_of_data_take(rt, d, (gx_namespace)a->ns, out);
}

static bool run_both(gx_rt *rt, const gx_array *a, gx_data *m, gx_array **out) {
    gx_device *device = gx_place_device(rt, (gx_place)m->place);
    gx_buffer *to;
    int64_t count;
    int fp = 0;
    if (!plan_both(rt, m)) return false;
    rt->stats.kernels += 2;
    if (!device->backend->select(device, gx_engine_of(rt)->tape, &to, &count, &fp)) return false;
    if (device->backend->blame) device->backend->blame(device, "select", m->origin);
    if (!give_take(rt, a, to, count, out)) return false;
    if ((fp == 0 || gx_fp_warn(rt, fp, "select", m->origin)) && gx_gpu_report(rt)) return true;
    gx_array_drop(*out);
    *out = NULL;
    return false;
}

GX_CHECK bool gx_select(gx_rt *rt, gx_array *a, gx_array *mask, gx_array **out) {
    *out = NULL;
    const bool there = gx_place_device(rt, gx_array_place(a))->backend->launches &&
                       !rt->debug.nofuse && !rt->debug.eager;
    if (!there || a->count == 0 || a->ndim != mask->ndim ||
        memcmp(gx_shape(a), gx_shape(mask), (size_t)a->ndim * sizeof(int64_t)) != 0)
        return true;
    gx_data *m = both_node(rt, a, mask);
    if (!m) return false;
    m->place = (uint8_t)gx_array_place(a);
    gx_data *dying = dying_mask(mask);
    if (dying) {
        dying->reads++;
        dying->storages--;
    }
    gx_array *r = NULL;
    bool ok = run_both(rt, a, m, &r);
    if (dying) dying->storages++;
    gx_data_drop(m);
    if (ok) {
        *out = r;
    } else {
        gx_array_drop(r);
    }
    return ok;
}
