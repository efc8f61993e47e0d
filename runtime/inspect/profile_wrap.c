/* The tables of functions that count: each entry notes the time, calls the real one and adds to the
   row of its statement. On a GPU, times are those of events around the work; of many calls of one
   row only some are timed, so that counting costs little. A call within a counted one is part of
   it. */
#include <stdio.h>
#include <string.h>

#include "runtime/inspect/profile_int.h"

/* Calls of a row that are timed: the first ones, then some, then fewer. */
enum { ALL_TIMED = 24, ONE_OF = 16, SOME_TIMED = 512, ONE_OF_MANY = 128 };

typedef struct mark {
    struct gx_profile *p;
    gx_device *d;
    const gx_backend *real;
    double start;
    int row; /* -1: within a counted call */
    bool gpu, events, pair, untimed;
} mark;

static bool is_timed(const gx_profile_row *r) {
    return r->calls < ALL_TIMED || r->calls % (r->calls < SOME_TIMED ? ONE_OF : ONE_OF_MANY) == 0;
}

static const gx_backend *real_of(const gx_device *d) {
    struct gx_profile *p = d->rt->profile;
    return p->real[d == d->rt->gpu];
}

static void end_idle(struct gx_profile *p) {
    if (p->idle_from <= 0) return;
    p->row[p->idle_row].time += gx_profile_now() - p->idle_from;
    p->row[p->idle_row].calls++;
    p->idle_from = 0;
}

static bool record(mark *m, int k) {
    struct gx_profile *p = m->p;
    const gx_gpu_calls *gpu = m->real->gpu;
    int at = (p->pair_first + p->pair_count) % GX_PROFILE_PAIRS;
    if (gpu->event_record(m->d, p->pair[at].event[k], gpu->streams->current(m->d))) return true;
    gx_error_clear(p->rt);
    return false;
}

static void enter(mark *m, gx_device *d, gx_span at, gx_profile_kind kind, uint64_t hash,
                  const char *what) {
    struct gx_profile *p = d->rt->profile;
    *m = (mark){.p = p, .d = d, .real = real_of(d), .row = -1, .gpu = d == d->rt->gpu};
    if (p->depth++) return;
    p->inside = 1;
    p->rt->gpu_stats.ran = 0;
    m->row = gx_profile_row_of(p, at, kind, hash, what);
    gx_profile_row *r = &p->row[m->row];
    r->gpu = m->gpu;
    if (m->gpu) {
        p->used_gpu = true;
        end_idle(p);
    }
    m->events = m->gpu && p->events && kind <= GX_PROFILE_LIBRARY;
    if (m->events && is_timed(r)) {
        if (p->pair_count == GX_PROFILE_PAIRS) gx_profile_resolve(p, GX_PROFILE_PAIRS / 2);
        m->pair = record(m, 0);
    }
    m->start = gx_profile_now();
}

/* True: the call was timed. */
static bool leave(mark *m, bool ok) {
    struct gx_profile *p = m->p;
    p->depth--;
    if (m->row < 0) return false;
    double took = gx_profile_now() - m->start;
    p->counted = p->counted + took;
    gx_profile_row *r = &p->row[m->row];
    bool timed = !m->events;
    r->ran |= p->rt->gpu_stats.ran;
    r->calls++;
    /* The first call finds or makes its kernel: that is not the kernel's time. */
    bool loads = m->events && r->kind == GX_PROFILE_KERNEL && r->calls == 1 && took > 2e-4;
    if (loads) {
        int k = gx_profile_row_of(p, r->at, GX_PROFILE_COMPILE, 0, "first call");
        p->row[k].time += took;
        p->row[k].calls++;
    } else if (m->pair && ok && record(m, 1)) {
        int at = (p->pair_first + p->pair_count++) % GX_PROFILE_PAIRS;
        p->pair[at].row = m->row;
        timed = true;
    } else if (!m->events && !m->untimed) {
        r->time += took;
        r->timed++;
    }
    p->inside = 0;
    return timed;
}

/* --- tapes --- */

static uint64_t hash_tape(const gx_tape *t) {
    uint64_t h = (uint64_t)t->n_step << 8 ^ (uint64_t)t->red << 1 ^ t->has_red;
    for (int i = 0; i < t->n_step; i++) {
        const gx_step *s = &t->step[i];
        if (s->kind == GX_STEP_CONST) continue;
        h = (h ^ (uint64_t)(s->kind << 24 | s->dtype << 16 | (s->kind == GX_STEP_OP ? s->arg : 0)))
            * UINT64_C(0x100000001B3);
    }
    return h;
}

static void put_name(const gx_tape *t, char *out, size_t room) {
    size_t n = 0;
    const char *name = NULL;
    out[0] = '\0';
    for (int i = 0; i <= t->n_step; i++) {
        if (i < t->n_step && t->step[i].kind < GX_STEP_OP) continue;
        name = i == t->n_step                      ? (t->has_red ? gx_reds[t->red].name : "")
               : t->step[i].kind == GX_STEP_CALL ? t->call[t->step[i].arg]->name
                                                   : gx_ops[t->step[i].arg].name;
        size_t length = strlen(name);
        if (n + length + 6 > room) {
            memcpy(out + n, " …", sizeof " …");
            return;
        }
        if (n && length) out[n++] = ' ';
        memcpy(out + n, name, length + 1);
        n += length;
    }
    if (n == 0) memcpy(out, t->n_leaf ? "copy" : "fill", 5);
}

static void count_bytes(gx_profile_row *r, const gx_tape *t, bool gpu) {
    gx_traffic f;
    gx_traffic_of(t, gpu ? 32 : 64, &f);
    r->read += (double)f.moved;
    r->wanted += (double)f.read;
    r->written += (double)f.written;
    r->sized++;
    if (r->least < 0 || (double)f.elements < r->least) r->least = (double)f.elements;
}

static bool timed_run(gx_device *d, const gx_tape *t, int *fp) {
    struct gx_profile *p = d->rt->profile;
    char name[96];
    mark m;
    gx_span at = p->origin.end ? p->origin : d->rt->here;
    p->origin.end = 0;
    uint64_t hash = hash_tape(t);
    int before = p->count;
    enter(&m, d, at, GX_PROFILE_KERNEL, hash, "");
    if (m.row >= 0 && p->count != before) {
        put_name(t, name, sizeof name);
        memcpy(p->row[m.row].what, name, sizeof name);
    }
    bool ok = m.real->run(d, t, fp);
    if (leave(&m, ok) || (m.row >= 0 && p->row[m.row].calls == 1))
        count_bytes(&p->row[m.row], t, m.gpu && p->events);
    return ok;
}

/* --- the rest of a table --- */

static uint64_t hash_name(const char *name) {
    uint64_t h = 1469598103934665603u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return h;
}

#define COUNTED(fn, what, real_fn, params, args)                                                   \
    static bool fn params {                                                                        \
        mark m;                                                                                    \
        enter(&m, d, d->rt->here, GX_PROFILE_LIBRARY, hash_name(what), what);                      \
        bool ok = m.real->real_fn args;                                                            \
        leave(&m, ok);                                                                             \
        return ok;                                                                                 \
    }

COUNTED(gather, "gather", gather, (gx_device * d, const gx_take *t), (d, t))
COUNTED(scatter, "scatter", scatter, (gx_device * d, const gx_take *t), (d, t))
COUNTED(select_true, "select by a mask", select,
        (gx_device * d, const gx_tape *t, gx_buffer **out, int64_t *count, int *fp),
        (d, t, out, count, fp))
COUNTED(nonzero, "nonzero", nonzero,
        (gx_device * d, const gx_buffer *mask, int64_t offset, int64_t n, gx_buffer **out,
         int64_t *count),
        (d, mask, offset, n, out, count))
COUNTED(matmul, "matmul", matmul,
        (gx_device * d, gx_dtype t, int64_t batch, const gx_matrix *a, const gx_matrix *b,
         const gx_matrix *c),
        (d, t, batch, a, b, c))
COUNTED(scan, "running total", scan,
        (gx_device * d, const gx_totals *j, int *fp), (d, j, fp))
COUNTED(fourier, "fft", fourier, (gx_device * d, const gx_fourier *f), (d, f))
COUNTED(filter, "filter", filter, (gx_device * d, const gx_filter *f), (d, f))
COUNTED(solve, "solve", linalg->solve,
        (gx_device * d, gx_dtype t, int64_t batch, int64_t n, int64_t m_, gx_buffer *a,
         gx_buffer *b, int64_t *info),
        (d, t, batch, n, m_, a, b, info))
COUNTED(inv, "inv", linalg->inv,
        (gx_device * d, gx_dtype t, int64_t batch, int64_t n, gx_buffer *a, int64_t *info),
        (d, t, batch, n, a, info))
COUNTED(lu, "lu", linalg->lu,
        (gx_device * d, gx_dtype t, int64_t batch, int64_t n, gx_buffer *a, int64_t *pivots,
         int64_t *info),
        (d, t, batch, n, a, pivots, info))
COUNTED(triangle, "triangular solve", linalg->triangle, (gx_device * d, const gx_triangle *j),
        (d, j))
COUNTED(decompose, "decomposition", linalg->decompose, (gx_device * d, const gx_decomp *j), (d, j))
COUNTED(sort, "sort", order->sort,
        (gx_device * d, const gx_elements *from, int64_t rows, gx_buffer *to, gx_buffer *index),
        (d, from, rows, to, index))
COUNTED(part, "partition", order->part,
        (gx_device * d, const gx_elements *from, int64_t rows, int64_t kth, gx_buffer *to,
         gx_buffer *index),
        (d, from, rows, kth, to, index))
COUNTED(search, "search", order->search,
        (gx_device * d, const gx_elements *among, const gx_elements *what, bool right,
         gx_buffer *to),
        (d, among, what, right, to))
COUNTED(ranks, "ranks", order->select,
        (gx_device * d, const gx_elements *from, int64_t rows, int n, const int64_t *rank,
         gx_buffer *to),
        (d, from, rows, n, rank, to))
COUNTED(extent, "extent", order->extent,
        (gx_device * d, const gx_elements *from, gx_scalar *low, gx_scalar *high),
        (d, from, low, high))
COUNTED(histogram, "histogram", order->histogram,
        (gx_device * d, const gx_elements *from, const gx_bins *bins, gx_buffer *to),
        (d, from, bins, to))
COUNTED(count, "bincount", order->count,
        (gx_device * d, const gx_elements *from, int64_t bins, gx_buffer *to), (d, from, bins, to))
COUNTED(weighted_bincount, "weights of bins", order->weighted_bincount,
        (gx_device * d, const gx_elements *from, const gx_bins *bins, const gx_elements *weights,
         gx_buffer *to),
        (d, from, bins, weights, to))
COUNTED(count_runs, "unique", order->count_runs, (gx_device * d, gx_runs *r), (d, r))
COUNTED(write_runs, "unique", order->write_runs, (gx_device * d, const gx_runs *r), (d, r))

static bool raw_launch(gx_device *d, void *module, const char *symbol, const int64_t grid[3],
                       const int64_t block[3], int64_t shared, bool together, const void *params,
                       size_t bytes) {
    mark m;
    enter(&m, d, d->rt->here, GX_PROFILE_LIBRARY, hash_name(symbol), symbol);
    bool ok = m.real->raw->launch(d, module, symbol, grid, block, shared, together, params, bytes);
    leave(&m, ok);
    return ok;
}

/* --- copies and waiting: the GPU's alone --- */

/* The GPU has done all it was given; from now on it waits for the host. */
static void begin_idle(struct gx_profile *p, gx_span at) {
    p->idle_row = gx_profile_row_of(p, at, GX_PROFILE_IDLE, 0, "the GPU waits for the host");
    p->row[p->idle_row].gpu = true;
    p->idle_from = gx_profile_now();
}

static void count_copy(mark *m, bool ok, int64_t bytes) {
    leave(m, ok);
    if (m->row < 0) return;
    gx_profile_row *r = &m->p->row[m->row];
    r->bytes += bytes;
    if (r->least < 0 || (double)bytes < r->least) r->least = (double)bytes;
}

static bool counted_put(gx_buffer *b, int64_t at, const void *from, int64_t bytes) {
    gx_device *d = b->device;
    mark m;
    if (d != d->rt->gpu) return real_of(d)->put(b, at, from, bytes);
    enter(&m, d, d->rt->here, GX_PROFILE_UP, 0, "copy to the GPU");
    bool ok = m.real->put(b, at, from, bytes);
    count_copy(&m, ok, bytes);
    return ok;
}

static bool get(const gx_buffer *b, int64_t at, void *to, int64_t bytes) {
    gx_device *d = b->device;
    struct gx_profile *p = d->rt->profile;
    mark m;
    if (d != d->rt->gpu) return real_of(d)->get(b, at, to, bytes);
    char what[96] = "copy to the host";
    const char *name = gx_at_work(d->rt);
    if (name) snprintf(what, sizeof what, "copy to the host for %s", name);
    enter(&m, d, d->rt->here, GX_PROFILE_DOWN, name ? hash_name(name) : 0, what);
    bool ok = true;
    m.untimed = m.row < 0 || !is_timed(&p->row[m.row]);
    if (!m.untimed) { /* what the GPU still does is not the copy's time */
        ok = m.real->sync(d);
        double now = gx_profile_now();
        p->counted = p->counted + (now - m.start);
        m.start = now;
    }
    ok = ok && m.real->get(b, at, to, bytes);
    count_copy(&m, ok, bytes);
    if (m.row >= 0) begin_idle(p, d->rt->here);
    return ok;
}

static bool sync_device(gx_device *d) {
    struct gx_profile *p = d->rt->profile;
    if (d != d->rt->gpu || p->depth) return real_of(d)->sync(d);
    p->inside = 1;
    bool ok = real_of(d)->sync(d);
    p->inside = 0;
    if (p->used_gpu && p->idle_from <= 0) begin_idle(p, d->rt->here);
    return ok;
}

/* --- tables --- */

static void wrap_order(struct gx_profile *p, int k) {
    gx_order_calls *o = &p->order[k];
    *o = *p->real[k]->order;
    if (o->sort) o->sort = sort;
    if (o->part) o->part = part;
    if (o->search) o->search = search;
    if (o->select) o->select = ranks;
    if (o->extent) o->extent = extent;
    if (o->histogram) o->histogram = histogram;
    if (o->count) o->count = count;
    if (o->weighted_bincount) o->weighted_bincount = weighted_bincount;
    if (o->count_runs) o->count_runs = count_runs;
    if (o->write_runs) o->write_runs = write_runs;
    p->table[k].order = o;
}

static void wrap_linalg(struct gx_profile *p, int k) {
    gx_linalg *l = &p->linalg[k];
    *l = *p->real[k]->linalg;
    if (l->solve) l->solve = solve;
    if (l->inv) l->inv = inv;
    if (l->lu) l->lu = lu;
    if (l->triangle) l->triangle = triangle;
    if (l->decompose) l->decompose = decompose;
    p->table[k].linalg = l;
}

void gx_profile_wrap(struct gx_profile *p, int k) {
    gx_device *d = k ? p->rt->gpu : p->rt->device;
    p->real[k] = d->backend;
    gx_backend *t = &p->table[k];
    *t = *d->backend;
    t->run = timed_run;
    t->gather = gather;
    t->scatter = scatter;
    if (t->select) t->select = select_true;
    t->nonzero = nonzero;
    t->matmul = matmul;
    if (t->scan) t->scan = scan;
    if (t->fourier) t->fourier = fourier;
    if (t->filter) t->filter = filter;
    t->put = counted_put;
    t->get = get;
    t->sync = sync_device;
    if (t->order) wrap_order(p, k);
    if (t->linalg) wrap_linalg(p, k);
    if (t->raw) {
        p->raw[k] = *t->raw;
        p->raw[k].launch = raw_launch;
        t->raw = &p->raw[k];
    }
    d->backend = t;
}

void gx_profile_unwrap(struct gx_profile *p) {
    if (p->real[0]) p->rt->device->backend = p->real[0];
    if (p->real[1] && p->rt->gpu) p->rt->gpu->backend = p->real[1];
}
