/* Reductions. Two strategies: rows, where a result's elements are folded one run after the other,
   and columns, where memory runs along kept elements and whole rows are folded into a row of
   states. Which one depends on strides; how the work is cut depends on the shape only.

   Invariant: the same tape gives the same bits for every number of threads and every GX_BLOCK.
   Rows are folded by halves, as NumPy does, so that the units, the parts done by different threads
   and the order in which they are joined depend on the length alone. */
#include "runtime/backend/cpu/reduce_int.h"

#include <string.h>

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

bool gx_reduce_stopped(gx_fold_job *job) {
    if (GX_UNLIKELY(job->p->cpu->base.rt->interrupted)) {
        atomic_store(&job->stop, true);
        gx_threads_enough(job->p->cpu);
    }
    return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

bool gx_reduce_tasks(gx_fold_job *job, int64_t tasks, gx_task fn) {
    gx_threads_run(job->p->cpu, tasks, job->parallel, fn, job);
    return !atomic_load(&job->stop) || gx_run_interrupted(job->p->cpu->base.rt);
}

static const char *take_values(gx_fold_job *job, gx_scratch *s, const gx_piece *piece, char *buffer,
                               bool may_stay) {
    const gx_cpu_plan *p = job->p;
    int64_t n = piece->nr * piece->nc;
    gx_plan_piece(p, s, piece, buffer);
    const char *at = s->at[p->red_step];
    if (p->code[p->red_step].single) {
        gx_fill_region(buffer, at, job->acc_unit, 1, n, 0, job->acc_item);
        return buffer;
    }
    if (at == buffer || may_stay) return at;
    memcpy(buffer, at, (size_t)(n * job->acc_item));
    return buffer;
}

const char *gx_reduce_piece(gx_fold_job *job, gx_scratch *s, const gx_piece *piece, char *buffer) {
    const gx_cpu_plan *p = job->p;
    if (piece->nr * piece->nc <= p->block) return take_values(job, s, piece, buffer, true);
    gx_piece part;
    memcpy(part.idx, piece->idx, sizeof(int64_t) * (size_t)p->nd);
    part.nr = 1;
    for (int64_t r = 0; r < piece->nr; r++) {
        if (p->nd > 1) part.idx[p->nd - 2] = piece->idx[p->nd - 2] + r;
        for (int64_t c = 0; c < piece->nc; c += p->block) {
            part.idx[p->nd - 1] = piece->idx[p->nd - 1] + c;
            part.nc = piece->nc - c < p->block ? piece->nc - c : p->block;
            take_values(job, s, &part, buffer + (r * piece->nc + c) * job->acc_item, false);
        }
    }
    return buffer;
}

const char *gx_reduce_range(gx_fold_job *job, gx_scratch *s, int64_t start, int64_t n,
                            char *buffer) {
    const gx_cpu_plan *p = job->p;
    gx_cpu_walk w;
    gx_piece piece;
    int64_t done = 0;
    gx_walk_start(p, &w, 0, start, n);
    while (gx_walk_next(p, &w, p->block, &piece)) {
        int64_t m = piece.nr * piece.nc;
        const char *at = take_values(job, s, &piece, buffer + done * job->acc_item, m == n);
        if (m == n) return at;
        done += m;
    }
    return buffer;
}

void gx_reduce_store(const gx_fold_job *job, int64_t first, int64_t n, const char *results) {
    const gx_port *port = &job->p->port[job->t->n_leaf];
    int last = job->kept_dims - 1;
    int64_t item = job->red_item;
    int64_t idx[GX_MAX_DIMS];
    if (last < 0) {
        memcpy((char *)(intptr_t)port->base, results, (size_t)item);
        return;
    }
    for (int d = last; d >= 0; d--) {
        idx[d] = first % job->kept_shape[d];
        first /= job->kept_shape[d];
    }
    while (n > 0) {
        int64_t run = job->kept_shape[last] - idx[last], at = port->base;
        if (run > n) run = n;
        for (int d = 0; d <= last; d++) at += idx[d] * job->kept_stride[d];
        gx_store_region((char *)(intptr_t)at, results, job->red_unit, 1, run, 0,
                        job->kept_stride[last]);
        results += run * item;
        n -= run;
        idx[last] += run;
        for (int d = last; d > 0 && idx[d] == job->kept_shape[d]; d--) {
            idx[d] = 0;
            idx[d - 1]++;
        }
    }
}

/* Casts n states to the result's dtype and stores them. */
static void store_states(const gx_fold_job *job, int thread, int64_t first, int64_t n,
                         const char *states) {
    const gx_tape *t = job->t;
    char *results = gx_reduce_area(job, thread, 2);
    if (t->acc == t->red_dtype) {
        gx_reduce_store(job, first, n, states);
        return;
    }
    job->p->cpu->loops->cast[t->acc][t->red_dtype](results, states, NULL, NULL, (size_t)n, 0);
    gx_reduce_store(job, first, n, results);
}

static inline void start_state(const gx_fold_job *job, char *state, const char *first) {
    memcpy(state, job->has_identity ? job->identity : first, (size_t)job->acc_item);
}

/* any and all are decided by one element. */
static bool decided(const gx_fold_job *job, const char *state) {
    return (job->t->red == GX_RED_any && *state) || (job->t->red == GX_RED_all && !*state);
}

/* Where a run of n elements is split: NumPy's pairwise order, so that sums of runs have its bits.
 */
static int64_t left_part(const gx_fold_job *job, int64_t n) {
    int64_t half = n / 2;
    return half - half % (gx_dtypes[job->t->acc].kind == GX_KIND_CPLX ? 4 : 8);
}

/* Folds the range start … start + n - 1 of the space into *state, by halves down to a unit. */
static void fold_range(gx_fold_job *job, gx_scratch *s, int64_t start, int64_t n, char *buffer,
                       char *state) {
    if (n <= GX_FOLD_UNIT) {
        const char *values = gx_reduce_range(job, s, start, n, buffer);
        start_state(job, state, values);
        job->fold(state, values, (size_t)n);
        return;
    }
    int64_t left = left_part(job, n);
    gx_scalar right;
    if (n > GX_FOLD_CHUNK && gx_reduce_stopped(job)) { /* garbage, which nobody reads */
        memcpy(state, job->identity, (size_t)job->acc_item);
        return;
    }
    fold_range(job, s, start, left, buffer, state);
    if (decided(job, state)) return;
    fold_range(job, s, start + left, n - left, buffer, (char *)&right);
    job->fold(state, &right, 1);
}

static void begin(gx_fold_job *job, int thread) {
    gx_plan_enter(job->p, job->p->cpu->scratch[thread]);
    if (job->flags) gx_run_fp_clear();
}

static void end(gx_fold_job *job) {
    if (job->flags) atomic_fetch_or(&job->fp, gx_run_fp_test());
}

/* Rows: `rows` whole results; short ones are evaluated several at a time. */
static void rows_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    gx_scratch *s = job->p->cpu->scratch[thread];
    char *buffer = gx_reduce_area(job, thread, 0), *states = gx_reduce_area(job, thread, 1);
    int64_t from = task * job->rows, n = job->reduced, item = job->acc_item;
    int64_t to = from + job->rows < job->kept ? from + job->rows : job->kept;
    int64_t group = n <= GX_FOLD_UNIT ? GX_FOLD_UNIT / n : 1;
    if (gx_reduce_stopped(job)) return;
    begin(job, thread);
    for (int64_t k = from; k < to; k += group) {
        int64_t g = to - k < group ? to - k : group;
        if (n <= GX_FOLD_UNIT) {
            const char *values = gx_reduce_range(job, s, k * n, g * n, buffer);
            for (int64_t i = 0; i < g; i++) {
                start_state(job, states + i * item, values + i * n * item);
                job->fold(states + i * item, values + i * n * item, (size_t)n);
            }
        } else {
            fold_range(job, s, k * n, n, buffer, states);
        }
        store_states(job, thread, k, g, states);
    }
    end(job);
}

/* Rows: one partial result of a long one. */
static void chunk_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    int64_t row = task / job->chunks, at = job->starts[task % job->chunks];
    int64_t n = job->starts[task % job->chunks + 1] - at;
    char *state = job->partials + task * job->acc_item;
    if (gx_reduce_stopped(job)) return;
    if (atomic_load_explicit(&job->decided, memory_order_relaxed)) {
        memcpy(state, job->identity, (size_t)job->acc_item);
        return;
    }
    begin(job, thread);
    fold_range(job, job->p->cpu->scratch[thread], (job->first + row) * job->reduced + at, n,
               gx_reduce_area(job, thread, 0), state);
    if (job->kept == 1 && decided(job, state)) atomic_store(&job->decided, true);
    end(job);
}

/* The parts of a row that are partial results, in order: `starts`, and how many. */
static void cut_row(gx_fold_job *job, int64_t start, int64_t n) {
    if (n <= job->chunk) {
        job->starts[job->chunks++] = start;
        job->starts[job->chunks] = start + n;
        return;
    }
    int64_t left = left_part(job, n);
    cut_row(job, start, left);
    cut_row(job, start + left, n - left);
}

/* Joins the partial results of a row of n elements as they were cut; returns those left over. */
static const char *join_row(gx_fold_job *job, int64_t n, const char *from, char *state) {
    if (n <= job->chunk) {
        memcpy(state, from, (size_t)job->acc_item);
        return from + job->acc_item;
    }
    int64_t left = left_part(job, n);
    gx_scalar right;
    from = join_row(job, left, from, state);
    from = join_row(job, n - left, from, (char *)&right);
    job->fold(state, &right, 1);
    return from;
}

static bool long_rows(gx_fold_job *job) {
    enum { MOST = 2048 };
    gx_rt *rt = job->p->cpu->base.rt;
    job->chunk = job->reduced / MOST;
    if (job->chunk < GX_FOLD_CHUNK) job->chunk = GX_FOLD_CHUNK;
    int64_t most = 4 * (job->reduced / job->chunk + 1), batch = 4 * MOST / most;
    if (batch > job->kept) batch = job->kept;
    if (batch < 1) batch = 1;
    job->starts = gx_alloc(rt, (size_t)(most + 1) * sizeof(int64_t));
    job->partials = gx_alloc(rt, (size_t)(batch * most * job->acc_item));
    bool ok = job->starts && job->partials;
    if (ok) cut_row(job, 0, job->reduced);
    for (job->first = 0; ok && job->first < job->kept; job->first += batch) {
        int64_t n = job->kept - job->first < batch ? job->kept - job->first : batch;
        ok = gx_reduce_tasks(job, n * job->chunks, chunk_task);
        for (int64_t i = 0; ok && i < n; i++) {
            gx_scalar state;
            join_row(job, job->reduced, job->partials + i * job->chunks * job->acc_item,
                     (char *)&state);
            store_states(job, 0, job->first + i, 1, (const char *)&state);
        }
    }
    gx_free(rt, job->starts);
    gx_free(rt, job->partials);
    return ok;
}

static bool run_rows(gx_fold_job *job) {
    if (job->reduced > GX_FOLD_CHUNK) return long_rows(job);
    job->rows = GX_FOLD_CHUNK / job->reduced;
    return gx_reduce_tasks(job, (job->kept + job->rows - 1) / job->rows, rows_task);
}

/* Folds rows r0 … r1 - 1 of reduced elements into the states of the kept ones at column k0. */
static int64_t fold_columns(gx_fold_job *job, int thread, gx_piece *at, int64_t r0, int64_t r1) {
    const gx_cpu_plan *p = job->p;
    gx_scratch *s = p->cpu->scratch[thread];
    char *buffer = gx_reduce_area(job, thread, 0), *states = gx_reduce_area(job, thread, 1);
    int64_t full = p->shape[p->nd - 1], width = at->nc, item = job->acc_item;
    int64_t high = p->multirow ? GX_FOLD_UNIT / full : 1, k0 = at->idx[p->nd - 1];
    if (high > r1 - r0) high = r1 - r0;
    gx_cpu_walk w;
    gx_piece piece;
    gx_walk_start(p, &w, job->low, r0 * full, (r1 - r0) * full);
    memcpy(w.at.idx, at->idx, sizeof(int64_t) * (size_t)job->low);
    for (bool fresh = true; w.left > 0; fresh = false) {
        /* A walk gives whole rows; a block of columns is cut out of each. */
        if (!gx_walk_next(p, &w, p->multirow ? high * full : full, &piece)) break;
        if (!fresh && gx_reduce_stopped(job)) break;
        piece.idx[p->nd - 1] = k0;
        piece.nc = width;
        const char *values = gx_reduce_piece(job, s, &piece, buffer);
        if (fresh) {
            for (int64_t g = 0; !job->has_identity && g < high; g++)
                memcpy(states + g * width * item, values, (size_t)(width * item));
            if (job->has_identity)
                gx_fill_region(states, job->identity, job->acc_unit, 1, high * width, 0, item);
        }
        job->fold_rows(states, values, (size_t)(piece.nr * width));
    }
    for (int64_t g = 1; g < high; g++)
        job->fold_rows(states, states + g * width * item, (size_t)width);
    return width;
}

/* Columns: `rows` blocks of kept elements, one chunk of the reduced ones. */
static void columns_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    const gx_cpu_plan *p = job->p;
    int64_t chunk = task % job->chunks, from = task / job->chunks * job->rows;
    int64_t full = p->shape[p->nd - 1], planes = job->kept / full;
    int64_t r0 = chunk * job->chunk, r1 = r0 + job->chunk;
    if (r1 > job->reduced) r1 = job->reduced;
    begin(job, thread);
    for (int64_t b = from; b < from + job->rows && b < planes * job->blocks; b++) {
        if (gx_reduce_stopped(job)) return;
        gx_piece at;
        int64_t plane = b / job->blocks, k0 = b % job->blocks * job->width, left = plane;
        for (int d = job->low - 1; d >= 0; d--) {
            at.idx[d] = left % p->shape[d];
            left /= p->shape[d];
        }
        at.idx[p->nd - 1] = k0;
        at.nc = full - k0 < job->width ? full - k0 : job->width;
        int64_t n = fold_columns(job, thread, &at, r0, r1);
        const char *states = gx_reduce_area(job, thread, 1);
        if (job->chunks == 1) store_states(job, thread, plane * full + k0, n, states);
        else
            memcpy(job->partials + (b * job->chunks + chunk) * job->width * job->acc_item, states,
                   (size_t)(n * job->acc_item));
    }
    end(job);
}

/* Adds up the partial results of every block of columns, in their order. */
static void join_columns(gx_fold_job *job) {
    const gx_cpu_plan *p = job->p;
    int64_t full = p->shape[p->nd - 1], planes = job->kept / full;
    int64_t bytes = job->width * job->acc_item;
    for (int64_t b = 0; b < planes * job->blocks; b++) {
        int64_t k0 = b % job->blocks * job->width;
        int64_t n = full - k0 < job->width ? full - k0 : job->width;
        char *states = job->partials + b * job->chunks * bytes;
        for (int64_t c = 1; c < job->chunks; c++)
            job->fold_rows(states, states + c * bytes, (size_t)n);
        store_states(job, 0, b / job->blocks * full + k0, n, states);
    }
}

static bool run_columns(gx_fold_job *job) {
    enum { MOST = 128 };
    gx_cpu_plan *p = job->p;
    gx_rt *rt = p->cpu->base.rt;
    int64_t full = p->shape[p->nd - 1];
    job->width = full < GX_FOLD_UNIT ? full : GX_FOLD_UNIT;
    job->blocks = (full + job->width - 1) / job->width;
    int64_t all = job->kept / full * job->blocks;
    int64_t least = (GX_FOLD_CHUNK + job->width - 1) / job->width;
    int64_t most = MOST / all < 1 ? 1 : MOST / all > 64 ? 64 : MOST / all;
    job->chunks = (job->reduced + least - 1) / least;
    if (job->chunks > most) job->chunks = most;
    job->chunk = (job->reduced + job->chunks - 1) / job->chunks;
    job->chunks = (job->reduced + job->chunk - 1) / job->chunk;
    job->rows = job->chunks > 1 ? 1 : GX_FOLD_CHUNK / (job->reduced * job->width);
    if (job->rows < 1) job->rows = 1;
    if (job->chunks > 1) {
        job->partials = gx_alloc(rt, (size_t)(all * job->chunks * job->width * job->acc_item));
        if (!job->partials) return false;
    }
    bool ok = gx_reduce_tasks(job, (all + job->rows - 1) / job->rows * job->chunks, columns_task);
    if (ok && job->chunks > 1) join_columns(job);
    gx_free(rt, job->partials);
    return ok;
}

/* The input that decides the order of work: the one with the most elements. */
static const gx_port *main_leaf(const gx_cpu_plan *p) {
    const gx_port *best = NULL;
    int64_t most = 0;
    for (int i = 0; i < p->tape->n_leaf; i++) {
        int64_t n = 1;
        for (int d = 0; d < p->nd; d++)
            if (p->port[i].strides[d] != 0) n *= p->shape[d];
        if (n <= most) continue;
        most = n;
        best = &p->port[i];
    }
    return best;
}

static void sort_dims(int *order, int lo, int hi, const int64_t *strides) {
    for (int d = lo; d < hi; d++) {
        int at = d;
        while (at > lo && magnitude(strides[order[at - 1]]) < magnitude(strides[d])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = d;
    }
}

/* Orders and joins dims; true: by columns. */
static bool arrange(gx_cpu_plan *p, bool arg) {
    int order[GX_MAX_DIMS];
    const gx_port *leaf = main_leaf(p);
    if (leaf && p->nd > 1) {
        sort_dims(order, 0, p->kept, leaf->strides);
        if (arg) for (int d = p->kept; d < p->nd; d++) order[d] = d;
        else sort_dims(order, p->kept, p->nd, leaf->strides);
        gx_plan_permute(p, order);
    }
    gx_plan_collapse(p, p->kept, p->nd);
    gx_plan_collapse(p, 0, p->kept);
    if (arg || !leaf || p->kept == 0 || p->kept == p->nd) return false;
    int64_t in = magnitude(leaf->strides[p->kept - 1]);
    return in != 0 && in < magnitude(leaf->strides[p->nd - 1]);
}

static void set_kept(gx_fold_job *job) {
    const gx_cpu_plan *p = job->p;
    const int64_t *strides = p->port[job->t->n_leaf].strides;
    job->kept_dims = p->kept;
    for (int d = 0; d < p->kept; d++) {
        job->kept_shape[d] = p->shape[d];
        job->kept_stride[d] = strides[d];
    }
}

/* The last kept dim goes last: kept…, reduced…, kept. */
static void turn(gx_fold_job *job) {
    gx_cpu_plan *p = job->p;
    int order[GX_MAX_DIMS], n = 0;
    for (int d = 0; d < p->nd; d++)
        if (d != p->kept - 1) order[n++] = d;
    order[n] = p->kept - 1;
    job->low = p->kept - 1;
    gx_plan_permute(p, order);
}

static bool empty_reduction(gx_fold_job *job) {
    if (!job->has_identity)
        return gx_fail(job->p->cpu->base.rt, GX_ValueError, "reduce.empty",
                       "zero-size array to reduction operation %s which has no identity",
                       gx_reds[job->t->red].name);
    char result[16];
    memcpy(result, job->identity, sizeof result);
    if (job->t->acc != job->t->red_dtype)
        job->p->cpu->loops->cast[job->t->acc][job->t->red_dtype](result, job->identity, NULL, NULL,
                                                                 1, 0);
    for (int64_t k = 0; k < job->kept; k++) gx_reduce_store(job, k, 1, result);
    return true;
}

/* Before the dims are arranged: extents, loops and the identity. */
static bool prepare(gx_fold_job *job, gx_cpu *cpu, const gx_tape *t) {
    const gx_loops *loops = cpu->loops;
    gx_plan_dims(job->p, cpu, t, true);
    for (int d = 0; d < t->ndim; d++)
        *(d < t->ndim - t->reduced ? &job->kept : &job->reduced) *= t->shape[d];
    job->acc_unit = gx_unit_of(t->acc);
    job->red_unit = gx_unit_of(t->red_dtype);
    job->acc_item = job->acc_unit.bytes;
    job->red_item = job->red_unit.bytes;
    job->flags = t->fp_mask != 0;
    if (gx_reds[t->red].rule == GX_REDRULE_INDEX) return true;
    job->fold = loops->fold[t->red][t->acc];
    job->fold_rows = loops->fold_rows[t->red][t->acc];
    job->has_identity = loops->identity(t->red, t->acc, job->identity);
    bool cast = t->acc == t->red_dtype || loops->cast[t->acc][t->red_dtype];
    if (!job->fold || !job->fold_rows || !cast)
        return gx_fail(cpu->base.rt, GX_TypeError, "reduce.dtype",
                       "the CPU backend has no %s of %s", gx_reds[t->red].name,
                       gx_dtypes[t->acc].name);
    return true;
}

bool gx_reduce_run(gx_cpu *cpu, const gx_tape *t, int *fp) {
    gx_cpu_plan *p = cpu->plan;
    gx_fold_job job = {.p = p, .t = t, .kept = 1, .reduced = 1};
    bool arg = gx_reds[t->red].rule == GX_REDRULE_INDEX;
    if (!prepare(&job, cpu, t)) return false;
    if (job.kept == 0) return true;
    if (job.reduced == 0) {
        set_kept(&job);
        return empty_reduction(&job);
    }
    bool columns = arrange(p, arg);
    set_kept(&job);
    if (columns) turn(&job);
    p->red_step = t->step[t->out[0].step].dtype == t->acc ? t->out[0].step : t->n_step;
    p->n_code = t->n_step + (p->red_step == t->n_step);
    p->first_out = t->n_out;
    p->multirow = p->nd > 1 && p->shape[p->nd - 1] <= GX_FOLD_UNIT / 2;
    if (arg) p->multirow = p->nd > 1;
    if (!gx_plan_code(p, cpu->base.rt->debug.block, GX_REDUCE_EXTRA)) return false;
    job.parallel = p->total >= 2 * GX_WORK_CHUNK / p->cost;
    if (job.parallel && !gx_cpu_scratch(cpu, cpu->scratch[0]->bytes, true)) return false;
    bool ok = arg ? gx_reduce_arg(&job) : columns ? run_columns(&job) : run_rows(&job);
    *fp |= atomic_load(&job.fp);
    return ok;
}
