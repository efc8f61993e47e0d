/* Entries by the CPU backend's loops, over the bytes behind the device's buffers: of the twin all,
   of both what NVIDIA's libraries do on a real one. */
#include "runtime/backend/sim/device/device_int.h"

static gx_device *host_of(gx_device *d) {
    return gx_sim_of(d)->host;
}

static void leaf_to_host(gx_leaf *l) {
    if (l->kind == GX_LEAF_BUFFER) l->buf = gx_sim_host(l->buf);
}

/* The tape over the host's buffers; n_out: those of its outputs that are set. */
static gx_tape *tape_to_host(gx_device *d, const gx_tape *t, int n_out) {
    gx_tape *own = gx_alloc(d->rt, sizeof *own);
    if (!own) return NULL;
    *own = *t;
    for (int i = 0; i < own->n_leaf; i++) leaf_to_host(&own->leaf[i]);
    for (int i = 0; i < n_out; i++) own->out[i].buf = gx_sim_host(own->out[i].buf);
    return own;
}

/* A tape that calls functions of a script has a kernel and no loop. */
bool gx_sim_run_tape(gx_device *d, const gx_tape *t, int *fp) {
    if (t->n_call) return gx_gpu_run(d, t, fp);
    gx_tape *own = tape_to_host(d, t, t->n_out);
    bool ok = own && gx_cpu_backend.run(host_of(d), own, fp);
    gx_free(d->rt, own);
    return ok;
}

bool gx_sim_select(gx_device *d, const gx_tape *t, gx_buffer **out, int64_t *count, int *fp) {
    gx_buffer *found;
    if (t->n_call) return gx_gpu_select(d, t, out, count, fp);
    gx_tape *own = tape_to_host(d, t, 0);
    bool ok = own && gx_cpu_backend.select(host_of(d), own, &found, count, fp) &&
              gx_sim_adopt_take(gx_sim_of(d), found, out);
    gx_free(d->rt, own);
    return ok;
}

static bool take(gx_device *d, const gx_take *t, bool (*entry)(gx_device *, const gx_take *)) {
    gx_take *own = gx_alloc(d->rt, sizeof *own);
    if (!own) return false;
    *own = *t;
    leaf_to_host(&own->array);
    leaf_to_host(&own->other);
    for (int i = 0; i < own->n_index; i++) leaf_to_host(&own->index[i]);
    bool ok = entry(host_of(d), own);
    gx_free(d->rt, own);
    return ok;
}

bool gx_sim_gather(gx_device *d, const gx_take *t) {
    return take(d, t, gx_cpu_backend.gather);
}

bool gx_sim_scatter(gx_device *d, const gx_take *t) {
    return take(d, t, gx_cpu_backend.scatter);
}

bool gx_sim_nonzero(gx_device *d, const gx_buffer *mask, int64_t offset, int64_t n,
                    gx_buffer **out, int64_t *count) {
    gx_buffer *found;
    return gx_cpu_backend.nonzero(host_of(d), gx_sim_host(mask), offset, n, &found, count) &&
           gx_sim_adopt_take(gx_sim_of(d), found, out);
}

bool gx_sim_scan(gx_device *d, const gx_totals *j, int *fp) {
    gx_totals own = *j;
    own.from = gx_sim_host(j->from);
    own.to = gx_sim_host(j->to);
    return gx_cpu_backend.scan(host_of(d), &own, fp);
}

bool gx_sim_scans(const gx_totals *j) {
    return gx_cpu_backend.scans(j);
}

bool gx_sim_each(gx_device *d, const gx_each *j) {
    gx_each own = *j;
    for (int k = 0; k < j->n_in; k++) own.in[k] = gx_sim_host(j->in[k]);
    for (int k = 0; k < j->n_line; k++) own.line[k] = gx_sim_host(j->line[k]);
    for (int k = 0; k < j->n_out; k++) own.out[k] = gx_sim_host(j->out[k]);
    return gx_cpu_backend.each(host_of(d), &own);
}

bool gx_sim_has_each(const gx_each_function *f) { /* what a GPU has */
    return f->texts != NULL;
}

bool gx_sim_filter(gx_device *d, const gx_filter *f) {
    gx_filter own = *f;
    own.in = gx_sim_host(f->in);
    own.out = gx_sim_host(f->out);
    return gx_cpu_backend.filter(host_of(d), &own);
}

bool gx_sim_takes_filter(const gx_filter *f) {
    return gx_cpu_backend.takes_filter(f);
}

/* --- linear algebra --- */

static gx_matrix matrix_of(const gx_matrix *m) {
    gx_matrix own = *m;
    own.buf = gx_sim_host(m->buf);
    return own;
}

bool gx_sim_matmul(gx_device *d, gx_dtype t, int64_t batch, const gx_matrix *a, const gx_matrix *b,
                   const gx_matrix *c) {
    const gx_matrix x = matrix_of(a), y = matrix_of(b), z = matrix_of(c);
    return gx_cpu_backend.matmul(host_of(d), t, batch, &x, &y, &z);
}

static bool solve(gx_device *d, gx_dtype t, int64_t batch, int64_t n, int64_t m, gx_buffer *a,
                  gx_buffer *b, int64_t *info) {
    return gx_cpu_backend.linalg->solve(host_of(d), t, batch, n, m, gx_sim_host(a), gx_sim_host(b),
                                        info);
}

static bool inv(gx_device *d, gx_dtype t, int64_t batch, int64_t n, gx_buffer *a, int64_t *info) {
    return gx_cpu_backend.linalg->inv(host_of(d), t, batch, n, gx_sim_host(a), info);
}

static bool lu(gx_device *d, gx_dtype t, int64_t batch, int64_t n, gx_buffer *a, int64_t *pivots,
               int64_t *info) {
    return gx_cpu_backend.linalg->lu(host_of(d), t, batch, n, gx_sim_host(a), pivots, info);
}

static bool triangle(gx_device *d, const gx_triangle *job) {
    gx_triangle own = *job;
    own.a = gx_sim_host(job->a);
    own.b = gx_sim_host(job->b);
    return gx_cpu_backend.linalg->triangle(host_of(d), &own);
}

static bool decompose(gx_device *d, const gx_decomp *job) {
    gx_decomp own = *job;
    own.a = gx_sim_host(job->a);
    own.b = gx_sim_host(job->b);
    own.x = gx_sim_host(job->x);
    own.y = gx_sim_host(job->y);
    own.z = gx_sim_host(job->z);
    return gx_cpu_backend.linalg->decompose(host_of(d), &own);
}

static bool takes(gx_device *d, const gx_decomp *job) {
    return gx_cpu_backend.linalg->takes(host_of(d), job);
}

static bool takes_system(gx_dtype t, int64_t batch, int64_t n) {
    return gx_cpu_backend.linalg->takes_system(t, batch, n);
}

const gx_linalg gx_sim_linalg = {
    .solve = solve,
    .inv = inv,
    .lu = lu,
    .triangle = triangle,
    .decompose = decompose,
    .takes = takes,
    .takes_system = takes_system,
};

/* --- order --- */

static gx_elements elements_of(const gx_elements *e) {
    gx_elements own = *e;
    own.buf = gx_sim_host(e->buf);
    return own;
}

static bool sorts(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n) {
    return gx_cpu_backend.order->sorts(host_of(d), dtype, rows, n);
}

static bool sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                 gx_buffer *index) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->sort(host_of(d), &e, rows, gx_sim_host(to), gx_sim_host(index));
}

static bool part(gx_device *d, const gx_elements *from, int64_t rows, int64_t kth, gx_buffer *to,
                 gx_buffer *index) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->part(host_of(d), &e, rows, kth, gx_sim_host(to),
                                      gx_sim_host(index));
}

static bool search(gx_device *d, const gx_elements *among, const gx_elements *what, bool right,
                   gx_buffer *to) {
    const gx_elements a = elements_of(among), w = elements_of(what);
    return gx_cpu_backend.order->search(host_of(d), &a, &w, right, gx_sim_host(to));
}

static bool takes_ranks(gx_device *d, int64_t rows, int64_t n, int m) {
    return gx_cpu_backend.order->takes_ranks(host_of(d), rows, n, m);
}

static bool select_ranks(gx_device *d, const gx_elements *from, int64_t rows, int m,
                         const int64_t *ranks, gx_buffer *to) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->select(host_of(d), &e, rows, m, ranks, gx_sim_host(to));
}

static bool takes_bins(gx_device *d, int64_t n, int64_t bins, bool weighted) {
    return gx_cpu_backend.order->takes_bins(host_of(d), n, bins, weighted);
}

static bool extent(gx_device *d, const gx_elements *from, gx_scalar *low, gx_scalar *high) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->extent(host_of(d), &e, low, high);
}

static bool histogram(gx_device *d, const gx_elements *from, const gx_bins *bins, gx_buffer *to) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->histogram(host_of(d), &e, bins, gx_sim_host(to));
}

static bool count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to) {
    const gx_elements e = elements_of(from);
    return gx_cpu_backend.order->count(host_of(d), &e, bins, gx_sim_host(to));
}

static bool weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *bins,
                              const gx_elements *weights, gx_buffer *to) {
    const gx_elements e = elements_of(from), w = elements_of(weights);
    return gx_cpu_backend.order->weighted_bincount(host_of(d), &e, bins, &w, gx_sim_host(to));
}

/* `before` is the host's own between the two steps: gx_buffer_drop gives it back. */
static bool count_runs(gx_device *d, gx_runs *r) {
    const gx_elements e = elements_of(r->sorted);
    gx_runs own = *r;
    own.sorted = &e;
    if (!gx_cpu_backend.order->count_runs(host_of(d), &own)) return false;
    r->count = own.count;
    r->before = own.before;
    return true;
}

static bool write_runs(gx_device *d, const gx_runs *r) {
    const gx_elements e = elements_of(r->sorted);
    const gx_runs own = {.sorted = &e,
                         .equal_nan = r->equal_nan,
                         .count = r->count,
                         .before = r->before,
                         .values = gx_sim_host(r->values),
                         .lengths = gx_sim_host(r->lengths),
                         .index = gx_sim_host(r->index),
                         .first = gx_sim_host(r->first),
                         .inverse = gx_sim_host(r->inverse)};
    return gx_cpu_backend.order->write_runs(host_of(d), &own);
}

const gx_order_calls gx_sim_order = {
    .sorts = sorts,
    .sort = sort,
    .part = part,
    .search = search,
    .takes_ranks = takes_ranks,
    .select = select_ranks,
    .takes_bins = takes_bins,
    .extent = extent,
    .histogram = histogram,
    .count = count,
    .weighted_bincount = weighted_bincount,
    .count_runs = count_runs,
    .write_runs = write_runs,
};

/* --- costs: there is no machine to tell of --- */

static bool launch(gx_device *d, const gx_tape *t, gx_launch_info *out) {
    return gx_cpu_backend.cost->launch(host_of(d), t, out);
}

static int64_t cache_bytes(gx_device *d) {
    return gx_cpu_backend.cost->cache(host_of(d));
}

static void put_label(gx_device *d, char *out, size_t room) {
    gx_cpu_backend.cost->label(host_of(d), out, room);
}

const gx_cost_calls gx_sim_cost = {.launch = launch, .cache = cache_bytes, .label = put_label};
