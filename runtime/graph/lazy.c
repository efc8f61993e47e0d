/* The lazy graph: values, storages, and the one policy that decides when something is computed
   (must_force). Nothing here knows shapes or operations: ufunc.c makes nodes, plan.c turns a graph
   into a tape, force.c runs it. */
#include <string.h>
#include <unistd.h>

#include "runtime/array/memory.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/graph/plan.h"
#include "runtime/object/warn.h"

enum {
    MAX_NODES = 256,    /* pending nodes below one value */
    MAX_LEAVES = 24,    /* buffers one value reads */
    SMALL_BYTES = 4096  /* values up to this are computed at once */
};

GX_CHECK bool gx_engine_new(gx_rt *rt) {
    gx_engine *e = gx_alloc_zero(rt, sizeof *e);
    if (!e) return false;
    e->pending.next = e->pending.prev = &e->pending;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    e->ram = pages > 0 && page > 0 ? (int64_t)pages * page : INT64_C(1) << 32;
    e->tape = gx_alloc(rt, sizeof *e->tape);
    e->memo = gx_alloc(rt, sizeof *e->memo);
    rt->engine = e;
    if (!e->tape || !e->memo || !gx_backends_open(rt)) {
        gx_engine_free(rt);
        return false;
    }
    return true;
}

void gx_engine_free(gx_rt *rt) {
    if (rt->engine && rt->engine->forget) rt->engine->forget(rt);
    gx_backends_close(rt);
    gx_warn_free(rt);
    if (!rt->engine) return;
    for (int op = 0; rt->engine->op_rows && op < GX_OP_COUNT; op++)
        gx_free(rt, (void *)rt->engine->op_rows[op].sig);
    gx_free(rt, rt->engine->op_rows);
    gx_free(rt, rt->engine->tape);
    gx_free(rt, rt->engine->memo);
    gx_free(rt, rt->engine);
    rt->engine = NULL;
}

GX_CHECK gx_data *gx_data_new(gx_rt *rt, gx_data_kind kind, gx_dtype d, int ndim, int space,
                              int arity) {
    if (GX_UNLIKELY(d > GX_DTYPES)) { /* below arrays there are numbers only */
        gx_fail(rt, GX_TypeError, "dtype.kind", "elements of '%s' are no numbers",
                gx_dtypes[d].name);
        return NULL;
    }
    size_t tail = (size_t)(space + ndim + arity * space);
    size_t head = kind == GX_DATA_READY ? offsetof(gx_data, in) : sizeof(gx_data);
    gx_data *v = gx_alloc(rt, head + tail * sizeof(int64_t));
    if (!v) return NULL;
    if (kind == GX_DATA_READY) memset(v, 0, offsetof(gx_data, in)); /* sizes the compiler knows */
    else memset(v, 0, sizeof *v);
    v->refs = 1;
    v->kind = (uint8_t)kind;
    v->dtype = (uint8_t)d;
    v->ndim = (uint8_t)ndim;
    v->reduced = (uint8_t)(space - ndim);
    v->arity = (uint8_t)arity;
    v->rt = rt;
    v->nodes = kind != GX_DATA_READY;
    v->origin = rt->here;
    int64_t *room = (int64_t *)(void *)((char *)v + head);
    v->shape = room;
    v->layout = room + space;
    for (int k = 0; k < arity; k++) v->in[k].strides = v->layout + ndim + k * space;
    return v;
}

GX_CHECK bool gx_buffer_new(gx_rt *rt, int64_t bytes, gx_buffer **out) {
    return rt->device->backend->alloc(rt->device, bytes, out);
}

/* A pending value has at most MAX_NODES nodes below, so this recursion is shallow. */
void gx_data_drop(gx_data *d) {
    if (!d || --d->refs != 0) return;
    for (int k = 0; k < d->arity; k++) gx_data_drop(d->in[k].data);
    gx_copies_free(d->rt, &d->copies);
    gx_free(d->rt, d);
}

void gx_data_count(gx_data *d) {
    uint32_t nodes = 1, leaves = 0;
    int64_t held = 0;
    for (int k = 0; k < d->arity; k++) {
        const gx_data *x = d->in[k].data;
        bool seen = !x;
        for (int j = 0; j < k && !seen; j++) seen = d->in[j].data == x;
        if (seen) continue;
        nodes += x->nodes;
        leaves += x->leaves;
        held += x->held;
        if (d->place == GX_HOST) d->place = x->place;
    }
    d->nodes = (uint16_t)(nodes > UINT16_MAX ? UINT16_MAX : nodes);
    d->leaves = (uint16_t)(leaves > UINT16_MAX ? UINT16_MAX : leaves);
    d->held = held;
}

/* --- the policy --- */

/* Must this fresh value be computed at once? The only place that decides. Small and partial stores
   are done now: on the host nothing is gained by waiting. */
static bool must_force(gx_rt *rt, const gx_data *d) {
    if (rt->debug.eager) return true;
    if (d->kind == GX_DATA_STORE) return true;
    if (GX_UNLIKELY(rt->explaining)) return false;
    if (d->place != GX_HOST) return false; /* each computation is a launch: let them gather */
    if (d->bytes <= SMALL_BYTES && rt->debug.small) return true;
    return false;
}

/* Is a pending value's graph too big to grow further? Then its tallest pending input is computed.
 */
static bool is_too_tall(gx_rt *rt, const gx_data *d) {
    return d->nodes > MAX_NODES || d->leaves > MAX_LEAVES ||
           (d->nodes > 1 && d->held > gx_engine_of(rt)->ram / 4);
}

static bool trim(gx_rt *rt, gx_data *d) {
    while (d->kind != GX_DATA_READY && is_too_tall(rt, d)) {
        gx_data *tallest = NULL;
        for (int k = 0; k < d->arity; k++) {
            gx_data *x = d->in[k].data;
            if (!x || x->kind == GX_DATA_READY) continue;
            if (!tallest || x->nodes > tallest->nodes ||
                (x->nodes == tallest->nodes && x->leaves > tallest->leaves)) {
                tallest = x;
            }
        }
        if (!tallest) return true;
        if (!gx_data_force(rt, tallest)) return false;
        gx_data_count(d);
    }
    return true;
}

/* --- storages --- */

static void list_storage(gx_rt *rt, gx_storage *c) {
    bool wanted = c->data && c->data->kind != GX_DATA_READY;
    if (wanted == c->listed) return;
    if (wanted) {
        gx_storage *head = &gx_engine_of(rt)->pending;
        c->prev = head->prev;
        c->next = head;
        head->prev->next = c;
        head->prev = c;
    } else {
        c->prev->next = c->next;
        c->next->prev = c->prev;
    }
    c->listed = wanted;
}

void gx_storage_unlist(gx_rt *rt, gx_storage *c) {
    list_storage(rt, c);
}

GX_CHECK bool gx_storage_new_take(gx_rt *rt, gx_data *d, gx_storage **out) {
    gx_storage *c = gx_alloc(rt, sizeof *c);
    if (!c) {
        gx_data_drop(d);
        return false;
    }
    *c = (gx_storage){.refs = 1};
    if (d->kind == GX_DATA_READY) {
        c->data = d;
        d->storages++;
    } else if (!gx_storage_put_take(rt, c, d)) {
        gx_storage_drop(rt, c);
        return false;
    }
    *out = c;
    return true;
}

void gx_storage_drop(gx_rt *rt, gx_storage *c) {
    if (--c->refs != 0) return;
    if (c->data) {
        c->data->storages--;
        gx_data_drop(c->data);
    }
    c->data = NULL;
    list_storage(rt, c);
    gx_free(rt, c);
}

/* A store takes the storage's own reference to the old value with it, so that it can see that
   nobody else holds the buffer; on failure the storage gets the old value back. */
static bool force_store(gx_rt *rt, gx_storage *c, gx_data *d) {
    gx_data *old = gx_data_keep(d->in[0].data);
    bool held = c->data == old;
    if (held) {
        c->data = NULL;
        old->storages--;
        gx_data_drop(old);
    }
    old->refs--; /* the store's edge keeps it alive */
    bool ok = gx_data_force(rt, d);
    if (!ok && held) {
        c->data = gx_data_keep(d->in[0].data);
        c->data->storages++;
    }
    return ok;
}

GX_CHECK bool gx_storage_put_take(gx_rt *rt, gx_storage *c, gx_data *d) {
    if (d->kind != GX_DATA_READY) {
        bool ok = trim(rt, d);
        if (ok && must_force(rt, d))
            ok = d->kind == GX_DATA_STORE ? force_store(rt, c, d) : gx_data_force(rt, d);
        if (!ok) {
            gx_data_drop(d);
            return false;
        }
    }
    if (c->data) {
        c->data->storages--;
        gx_data_drop(c->data);
    }
    c->data = d;
    c->blank = false;
    d->storages++;
    list_storage(rt, c);
    return true;
}

GX_CHECK bool gx_storage_force(gx_rt *rt, gx_storage *c) {
    if (GX_LIKELY(c->data->kind == GX_DATA_READY)) return true;
    if (!gx_data_force(rt, c->data)) return false;
    list_storage(rt, c);
    return true;
}

/* Computes what variables hold pending, oldest first. Values too big for this machine stay pending:
   no clock needs them. Forcing one value never takes another storage off the list. */
GX_CHECK bool gx_lazy_start(gx_rt *rt) {
    gx_engine *e = gx_engine_of(rt);
    gx_storage *next;
    for (gx_storage *c = e->pending.next; c != &e->pending; c = next) {
        next = c->next;
        if (c->data->kind != GX_DATA_READY && c->data->bytes > e->ram / 2) continue;
        if (c->data->kind == GX_DATA_READY) list_storage(rt, c);
        else if (!gx_storage_force(rt, c)) return false;
    }
    return true;
}

/* Is one of the buffers that a value reads another's? */
static bool reads_outside(gx_data *d, uint32_t mark) {
    if (d->kind == GX_DATA_READY) return gx_data_is_foreign(d);
    if (d->mark == mark) return false; /* it was looked at before */
    d->mark = mark;
    for (int k = 0; k < d->arity; k++)
        if (d->in[k].data && reads_outside(d->in[k].data, mark)) return true;
    return false;
}

GX_CHECK bool gx_lazy_outside(gx_rt *rt) {
    gx_engine *e = gx_engine_of(rt);
    gx_storage *next;
    if (GX_LIKELY(e->outside == 0)) return true;
    for (gx_storage *c = e->pending.next; c != &e->pending; c = next) {
        next = c->next;
        if (c->data->kind == GX_DATA_READY || !reads_outside(c->data, ++e->mark)) continue;
        if (!gx_storage_force(rt, c)) return false;
    }
    return true;
}

GX_CHECK bool gx_lazy_flush(gx_rt *rt) {
    return gx_lazy_start(rt) && rt->device->backend->sync(rt->device) && gx_gpu_sync(rt);
}

/* On the host every check by data is made when the node is made. */
GX_CHECK bool gx_lazy_checkpoint(gx_rt *rt) {
    return GX_LIKELY(gx_engine_of(rt)->checks == 0) || gx_gpu_sync(rt);
}

void gx_lazy_first_error(gx_rt *rt) {
    gx_error later;
    if (GX_LIKELY(gx_engine_of(rt)->checks == 0) || !gx_error_is(rt->error.kind, GX_Exception))
        return;
    gx_error_save(rt, &later);
    if (gx_gpu_sync(rt)) gx_error_restore(rt, &later);
    else gx_error_free(&later);
}
