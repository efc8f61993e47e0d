/* The kernels behind a pending array, one after the other, with what each costs. The array's own
   value is planned, and run into memory of its own when its time is wanted; what must be computed
   before it is looked at in the same way and then computed, as its plan needs it. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cost.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"

/* Tiles that are turned in shared memory take so much longer than rows, as measured on an H200. */
#define TURNED 1.25
/* Faster than this share of the model, and no shorter than this: the rates are too low. */
#define TOO_FAST 0.6
#define SHORTEST 50e-6

typedef struct walk {
    gx_rt *rt;
    const gx_cost_want *want;
    gx_cost_visit visit;
    void *ctx;
} walk;

static void put_operations(const gx_tape *t, const gx_data *d, char *out, size_t room) {
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < t->n_step && n + 24 < room; i++)
        if (t->step[i].kind >= GX_STEP_OP)
            n += (size_t)snprintf(out + n, room - n, "%s%.20s", n ? " " : "",
                                  t->step[i].kind == GX_STEP_CALL ? t->call[t->step[i].arg]->name
                                                                  : gx_ops[t->step[i].arg].name);
    if (n + 24 >= room) n = (size_t)snprintf(out + n, room - n, " …") + n;
    if (t->has_red)
        snprintf(out + n, room - n, "%s%s", n ? " " : "",
                 t->about_mean ? "squared distance" : gx_reds[t->red].name);
    if (out[0]) return;
    const char *what = d->kind == GX_DATA_FILL     ? "fill"
                       : d->kind == GX_DATA_IOTA   ? "range"
                       : d->kind == GX_DATA_RANDOM ? "random"
                                                   : "copy";
    snprintf(out, room, "%s", what);
}

static void put_result(const gx_data *d, char *out, size_t room) {
    size_t n = (size_t)snprintf(out, room, "%s (", gx_dtypes[d->dtype].name);
    for (int j = 0; j < d->ndim && n + 24 < room; j++)
        n += (size_t)snprintf(out + n, room - n, "%s%lld", j ? ", " : "", (long long)d->shape[j]);
    snprintf(out + n, room - n, d->ndim == 1 ? ",)" : ")");
}

static void model(const gx_tape *t, const gx_roof *r, gx_kernel_cost *k) {
    const gx_traffic *f = &k->traffic;
    double read = (double)f->moved, written = (double)f->written;
    k->memory = gx_roof_seconds(r, read, written);
    if (k->gpu && r->cached > 0 && (double)f->asked / r->cached > k->memory)
        k->memory = (double)f->asked / r->cached;
    if (k->gpu && f->turned) k->memory *= TURNED;
    k->work = f->work32 / r->work32 + f->work64 / r->work64;
    k->by_memory = k->memory >= k->work;
    k->model = (t->has_red ? r->start_reduce : r->start) +
               (k->by_memory ? k->memory : k->work);
    k->rate = k->memory > 0 ? (read + written) / k->memory : r->copy;
}

/* Outputs of a copy of the plan's tape: buffers of its own, or, when nothing is run, a stand-in
   whose address is as even as a buffer's. */
static bool set_outputs(walk *w, gx_data *d, const gx_plan *plan, gx_tape *t, bool run,
                        gx_buffer *dummy, gx_buffer **own) {
    for (int i = 0; i < t->n_out; i++) {
        const gx_data *of = i ? plan->also[i - 1] : d;
        if (run && !gx_buffer_at(w->rt, (gx_place)d->place, of->bytes, &own[i])) return false;
        t->out[i].buf = run ? own[i] : dummy;
    }
    return true;
}

static bool has_room(walk *w, const gx_data *d, const gx_plan *plan) {
    gx_device *device = gx_place_device(w->rt, (gx_place)d->place);
    int64_t there = 0, total = 0, wanted = d->bytes;
    for (int i = 0; i < plan->n_also; i++) wanted += plan->also[i]->bytes;
    if (!device->backend->memory(device, &there, &total)) {
        gx_error_clear(w->rt);
        return false;
    }
    return wanted < there / 2 && (!device->limit || wanted < device->limit - device->live_bytes);
}

static bool add_texts(walk *w, gx_device *device, const gx_tape *t, gx_kernel_cost *k) {
    const gx_cost_calls *gpu = gx_backends_vendor()->cost;
    if (w->want->tape && !gx_tape_text(t, &k->text)) return false;
    if (w->want->source && !gpu->source(w->rt, t, &k->text)) return false;
    if (w->want->ptx && !gpu->ptx(w->rt, t, &k->text)) return false;
    (void)device;
    return true;
}

static bool look(walk *w, gx_data *d, const gx_plan *plan, gx_tape *t) {
    gx_buffer dummy = {.data = (char *)(uintptr_t)(1 << 20)}, *own[GX_TAPE_OUTS] = {NULL};
    gx_device *device = gx_place_device(w->rt, (gx_place)d->place);
    gx_kernel_cost k = {.gpu = d->place == GX_GPU, .measured = -1, .origin = d->origin,
                        .text = gx_buf_new(w->rt)};
    gx_roof roof;
    bool run = w->want->measure && d->bytes > 0 && has_room(w, d, plan);
    bool ok = gx_roof_get(w->rt, k.gpu, &roof) &&
              set_outputs(w, d, plan, t, run, &dummy, own);
    if (ok) {
        gx_traffic_of(t, k.gpu && device->backend->gpu ? 32 : 64, &k.traffic);
        put_operations(t, d, k.operations, sizeof k.operations);
        put_result(d, k.result, sizeof k.result);
        model(t, &roof, &k);
    }
    ok = ok && (!run || gx_cost_time(device, t, false, &k.measured));
    if (ok && k.measured > SHORTEST && k.measured < TOO_FAST * k.model) {
        ok = gx_roof_renew(w->rt, k.gpu, &roof);
        if (ok) model(t, &roof, &k);
    }
    if (ok && device->backend->cost && (run || device->backend->gpu) && d->bytes > 0)
        ok = device->backend->cost->launch(device, t, &k.launch);
    for (int i = 0; i < t->n_out; i++) {
        t->out[i].buf = &dummy;
        gx_buffer_drop(own[i]);
    }
    ok = ok && add_texts(w, device, t, &k) && w->visit(w->rt, w->ctx, &k);
    gx_buf_free(&k.text);
    return ok;
}

/* Plans, as force.c does; *blocker: what must come first. */
static bool look_at(walk *w, gx_data *d, gx_data **blocker) {
    gx_plan plan;
    *blocker = NULL;
    if (d->kind == GX_DATA_STORE && d->in[0].data->kind != GX_DATA_READY) {
        *blocker = d->in[0].data;
        return true;
    }
    uint8_t reads = d->reads;
    gx_planned planned = gx_plan_make(w->rt, d, &plan);
    d->reads = reads;
    if (planned == GX_PLAN_ERROR) return false;
    if (planned == GX_PLAN_BLOCKED) {
        *blocker = plan.blocker;
        return true;
    }
    gx_tape *t = gx_alloc(w->rt, sizeof *t);
    if (!t) return false;
    *t = *gx_engine_of(w->rt)->tape; /* running one may plan others */
    bool ok = look(w, d, &plan, t);
    gx_free(w->rt, t);
    return ok;
}

/* Shows what d needs, deepest first, and computes those. */
static bool look_below(walk *w, gx_data *d) {
    gx_data *first;
    if (!gx_stack_check(w->rt)) return false;
    while (d->kind != GX_DATA_READY) {
        if (!look_at(w, d, &first)) return false;
        if (!first) return true;
        if (!look_below(w, first) || !gx_data_force(w->rt, first)) return false;
    }
    return true;
}

GX_CHECK bool gx_cost_each(gx_rt *rt, gx_array *a, const gx_cost_want *want, gx_cost_visit visit,
                           void *ctx, bool *ready) {
    walk w = {.rt = rt, .want = want, .visit = visit, .ctx = ctx};
    gx_data *d = gx_data_keep(a->storage->data);
    *ready = d->kind == GX_DATA_READY;
    bool ok = look_below(&w, d);
    gx_data_drop(d);
    return ok;
}
