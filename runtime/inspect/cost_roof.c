/* A machine's rates, measured once by kernels of gx: a copy, a sum, a fill, and a chain of
   functions in single and in double precision. They are kept in memory and, by the device's name,
   beside the compiled kernels on disk. A kernel that is faster than they allow shows that the
   machine was busy then: they are measured anew, and the better ones kept.

   Two sizes tell a kernel's start from what its bytes take. */
#include <math.h>
#include <string.h>

#include "runtime/backend/cost.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"

enum { ROUNDS = 4, PLACES = 2 };

/* rt->costs */
struct gx_costs {
    bool known[PLACES], renewed[PLACES];
    gx_roof roof[PLACES];
};

void gx_costs_free(gx_rt *rt) {
    gx_free(rt, rt->costs);
    rt->costs = NULL;
}

typedef struct bench {
    gx_device *d;
    gx_tape *t;
    gx_buffer *from, *to;
    int64_t large, small, chain; /* elements of 4 bytes */
} bench;

/* A tape over n elements that loads them and stores what the last step gives. */
static void open_tape(bench *b, gx_dtype d, int64_t n, bool loads) {
    gx_tape *t = b->t;
    int64_t item = gx_dtypes[d].bytes;
    memset(t, 0, offsetof(gx_tape, shape));
    t->ndim = t->n_out = 1;
    t->shape[0] = n;
    t->n_leaf = loads;
    t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)d, .buf = b->from};
    t->leaf[0].strides[0] = item;
    t->step[0] = (gx_step){.kind = loads ? GX_STEP_LOAD : GX_STEP_CONST, .dtype = (uint8_t)d};
    t->n_step = 1;
    t->n_imm = !loads;
    t->imm[0] = (gx_scalar){.f32 = 1};
    t->out[0] = (gx_out){.buf = b->to};
    t->out[0].strides[0] = item;
    t->about_mean = t->whole = false;
    t->fp_mask = 0;
}

static void add_op(gx_tape *t, gx_opcode op, gx_dtype d, int a, int b) {
    t->step[t->n_step++] = (gx_step){.kind = GX_STEP_OP, .dtype = (uint8_t)d,
                                     .compute = (uint8_t)d, .arg = (uint16_t)op,
                                     .a = (uint16_t)a, .b = (uint16_t)b};
    t->out[0].step = (uint16_t)(t->n_step - 1);
}

static bool time_copy(bench *b, int64_t n, double *s) {
    open_tape(b, GX_f32, n, true);
    return gx_cost_time(b->d, b->t, !b->d->backend->gpu, s);
}

static bool time_fill(bench *b, int64_t n, double *s) {
    open_tape(b, GX_f32, n, false);
    return gx_cost_time(b->d, b->t, !b->d->backend->gpu, s);
}

static bool time_sum(bench *b, int64_t n, double *s) {
    gx_tape *t = b->t;
    open_tape(b, GX_f32, n, true);
    t->has_red = true;
    t->reduced = 1;
    t->red = GX_RED_sum;
    t->acc = t->red_dtype = GX_f32;
    return gx_cost_time(b->d, b->t, !b->d->backend->gpu, s);
}

/* Bytes a second that the cache before memory gives: four reads, each an element beside. */
static bool time_cache(bench *b, double *rate) {
    double s;
    int64_t n = b->large / 2;
    open_tape(b, GX_f32, n, true);
    for (int k = 1; k < 4; k++) {
        b->t->leaf[k] = b->t->leaf[0];
        b->t->leaf[k].offset = 4 * k;
        b->t->step[b->t->n_step++] =
            (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_f32, .arg = (uint16_t)k};
    }
    b->t->n_leaf = 4;
    for (int k = 1; k < 4; k++) add_op(b->t, GX_OP_add, GX_f32, k == 1 ? 0 : k + 2, k);
    if (!gx_cost_time(b->d, b->t, false, &s)) return false;
    *rate = 20.0 * (double)n / fmax(s, 1e-9);
    return true;
}

/* Weights a second of a chain of functions, which memory does not hold up. */
static bool time_chain(bench *b, gx_dtype d, double *rate) {
    double s, cost = 0;
    int64_t n = d == GX_f64 ? b->chain / 2 : b->chain;
    open_tape(b, d, n, true);
    for (int k = 0; k < ROUNDS; k++) {
        static const gx_opcode ops[] = {GX_OP_sin, GX_OP_multiply, GX_OP_exp, GX_OP_add,
                                        GX_OP_sqrt};
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            add_op(b->t, ops[i], d, b->t->n_step - 1, 0);
            cost += gx_ops[ops[i]].cost;
        }
    }
    if (!gx_cost_time(b->d, b->t, !b->d->backend->gpu, &s)) return false;
    *rate = cost * (double)n / fmax(s, 1e-9);
    return true;
}

/* What a byte takes, from two sizes; *start gets the rest. */
static double rate_of(const bench *b, double large, double small, int ways, double *start) {
    double bytes = 4.0 * ways * (double)(b->large - b->small);
    double rate = bytes / fmax(large - small, 1e-9);
    if (start) *start = fmax(small - 4.0 * ways * (double)b->small / rate, 0);
    return rate;
}

static bool measure(bench *b, gx_roof *r) {
    double large, small, tiny;
    if (!time_fill(b, b->large, &large) || !time_fill(b, b->small, &small)) return false;
    r->write = rate_of(b, large, small, 1, NULL);
    gx_buffer *turn = b->from; /* the sums and copies read what the fill has written */
    b->from = b->to;
    b->to = turn;
    if (!time_copy(b, b->large, &large) || !time_copy(b, b->small, &small)) return false;
    r->copy = rate_of(b, large, small, 2, &r->start);
    if (!time_sum(b, b->large, &large) || !time_sum(b, b->small, &small)) return false;
    r->read = rate_of(b, large, small, 1, &r->start_reduce);
    if (!b->d->backend->gpu) { /* the host finds small arrays in its caches */
        enum { IN_CACHE = 1 << 16, TINY = 1 << 8 };
        if (!time_copy(b, TINY, &tiny) || !time_copy(b, IN_CACHE, &small)) return false;
        r->start = r->start_reduce = tiny;
        r->cached = 8.0 * (IN_CACHE - TINY) / fmax(small - tiny, 1e-9);
        r->cache = (double)b->d->backend->cost->cache(b->d);
    } else if (!time_cache(b, &r->cached)) {
        return false;
    }
    return time_chain(b, GX_f32, &r->work32) && time_chain(b, GX_f64, &r->work64);
}

static bool run_bench(gx_device *d, gx_roof *out) {
    enum { HOST_BYTES = 32 << 20, GPU_BYTES = 256 << 20 };
    int64_t there = 0, total = 0;
    if (!d->backend->memory(d, &there, &total)) return false;
    int64_t bytes = d->backend->gpu ? GPU_BYTES : HOST_BYTES;
    while (bytes > 1 << 20 && 8 * bytes > there) bytes /= 2;
    bench b = {.d = d, .large = bytes / 4, .small = bytes / 25 / 1024 * 1024, .chain = bytes / 64};
    b.t = gx_alloc_zero(d->rt, sizeof *b.t);
    bool ok = b.t && d->backend->alloc(d, bytes, &b.from) && d->backend->alloc(d, bytes, &b.to) &&
              measure(&b, out);
    gx_buffer_drop(b.from);
    gx_buffer_drop(b.to);
    gx_free(d->rt, b.t);
    return ok;
}

static bool is_sound(const gx_roof *r) {
    return r->read > 0 && r->write > 0 && r->copy > 0 && r->work32 > 0 && r->work64 > 0 &&
           r->start >= 0 && r->start < 1 && isfinite(r->read + r->write + r->copy);
}

/* The better of two measurements, rate by rate. */
static void take_better(gx_roof *r, const gx_roof *other) {
    r->read = fmax(r->read, other->read);
    r->write = fmax(r->write, other->write);
    r->copy = fmax(r->copy, other->copy);
    r->cached = fmax(r->cached, other->cached);
    r->work32 = fmax(r->work32, other->work32);
    r->work64 = fmax(r->work64, other->work64);
    r->start = fmin(r->start, other->start);
    r->start_reduce = fmin(r->start_reduce, other->start_reduce);
}

/* From the disk, or measured and put there; `known`: measured anew to better these. */
static bool find(gx_device *d, const gx_roof *known, gx_roof *out) {
    const gx_cost_calls *disk = gx_backends_vendor()->cost;
    gx_rt *rt = d->rt;
    char label[200] = "";
    if (d->backend->cost) d->backend->cost->label(d, label, sizeof label);
    gx_buf text = gx_buf_new(rt), found = gx_buf_new(rt);
    bool ok = gx_buf_printf(&text, "gx rates 2 %zu %s\n", sizeof *out, label);
    bool kept = ok && !known && disk->recall(rt, &text, &found) && found.length == sizeof *out;
    if (kept) memcpy(out, found.data, sizeof *out);
    kept = kept && is_sound(out);
    found.length = 0;
    if (ok && !kept) {
        *out = (gx_roof){0};
        ok = run_bench(d, out);
        if (ok && known) take_better(out, known);
        if (ok && is_sound(out)) {
            ok = gx_buf_add(&found, (const char *)out, sizeof *out);
            if (ok) disk->keep(rt, &text, &found);
        }
    }
    gx_buf_free(&text);
    gx_buf_free(&found);
    return ok;
}

GX_CHECK bool gx_roof_get(gx_rt *rt, bool gpu, gx_roof *out) {
    int k = gpu && rt->gpu;
    if (!rt->costs && !(rt->costs = gx_alloc_zero(rt, sizeof *rt->costs))) return false;
    if (!rt->costs->known[k]) {
        if (!find(k ? rt->gpu : rt->device, NULL, &rt->costs->roof[k])) return false;
        rt->costs->known[k] = true;
    }
    *out = rt->costs->roof[k];
    return true;
}

GX_CHECK bool gx_roof_renew(gx_rt *rt, bool gpu, gx_roof *out) {
    int k = gpu && rt->gpu;
    gx_roof fresh;
    if (!gx_roof_get(rt, gpu, out)) return false;
    if (rt->costs->renewed[k]) return true;
    rt->costs->renewed[k] = true;
    if (!find(k ? rt->gpu : rt->device, out, &fresh)) return false;
    *out = rt->costs->roof[k] = fresh;
    return true;
}
