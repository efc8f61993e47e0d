/* argmin and argmax: the position of the first extreme element along the reduced dims, in C order.
   Rows are read in runs; where memory runs along the kept elements instead, several rows are read
   at once as a tile. The best element and its index of each chunk are joined in order. */
#include "runtime/backend/cpu/reduce_int.h"

#include <string.h>

enum { TILE_ROWS = 32 };

typedef struct best {
    gx_scalar value;
    int64_t index;
    bool none;
} best;

static void look(const gx_fold_job *job, best *b, const char *values, int64_t n, int64_t at) {
    int64_t i = job->p->cpu->loops->arg(job->t->red, job->t->acc, &b->value, values, (size_t)n,
                                        b->none);
    if (i >= 0) b->index = at + i;
    b->none = false;
}

static void store_index(const gx_fold_job *job, int thread, int64_t first, int64_t n,
                        const int64_t *index) {
    const gx_tape *t = job->t;
    const char *results = (const char *)index;
    if (t->red_dtype != GX_i64) {
        char *area = gx_reduce_area(job, thread, 2);
        job->p->cpu->loops->cast[GX_i64][t->red_dtype](area, index, NULL, NULL, (size_t)n, 0);
        results = area;
    }
    gx_reduce_store(job, first, n, results);
}

/* One chunk of one row: its best element goes into the partial results. */
static void chunk_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    gx_scratch *s = job->p->cpu->scratch[thread];
    int64_t row = task / job->chunks, at = task % job->chunks * job->chunk;
    int64_t to = at + job->chunk < job->reduced ? at + job->chunk : job->reduced;
    best b = {.none = true};
    if (gx_reduce_stopped(job)) return;
    gx_plan_enter(job->p, s);
    for (int64_t i = at; i < to; i += GX_FOLD_UNIT) {
        if (gx_reduce_stopped(job)) return;
        int64_t n = to - i < GX_FOLD_UNIT ? to - i : GX_FOLD_UNIT;
        const char *values = gx_reduce_range(job, s, (job->first + row) * job->reduced + i, n,
                                             gx_reduce_area(job, thread, 0));
        look(job, &b, values, n, i);
    }
    memcpy(job->partials + task * (int64_t)sizeof b, &b, sizeof b);
}

static bool by_chunks(gx_fold_job *job) {
    enum { MOST = 4096 };
    gx_rt *rt = job->p->cpu->base.rt;
    int64_t least = (job->reduced + MOST / 2 - 1) / (MOST / 2);
    job->chunk = least > GX_FOLD_CHUNK ? (least + GX_FOLD_UNIT - 1) / GX_FOLD_UNIT * GX_FOLD_UNIT
                                       : GX_FOLD_CHUNK;
    job->chunks = (job->reduced + job->chunk - 1) / job->chunk;
    int64_t batch = MOST / job->chunks;
    if (batch > job->kept) batch = job->kept;
    job->partials = gx_alloc(rt, (size_t)(batch * job->chunks) * sizeof(best));
    if (!job->partials) return false;
    bool ok = true;
    for (job->first = 0; ok && job->first < job->kept; job->first += batch) {
        int64_t n = job->kept - job->first < batch ? job->kept - job->first : batch;
        ok = gx_reduce_tasks(job, n * job->chunks, chunk_task);
        for (int64_t i = 0; ok && i < n; i++) {
            const best *from = (const best *)(const void *)job->partials + i * job->chunks;
            best b = from[0];
            for (int64_t c = 1; c < job->chunks; c++)
                if (job->p->cpu->loops->arg(job->t->red, job->t->acc, &b.value, &from[c].value, 1,
                                            false) >= 0)
                    b.index = from[c].index;
            store_index(job, 0, job->first + i, 1, &b.index);
        }
    }
    gx_free(rt, job->partials);
    return ok;
}

/* A tile of up to TILE_ROWS kept rows, along the whole of the one reduced dim. */
static void tile_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    const gx_cpu_plan *p = job->p;
    gx_scratch *s = p->cpu->scratch[thread];
    int64_t per = (p->shape[p->nd - 2] + TILE_ROWS - 1) / TILE_ROWS, plane = task / per;
    int64_t low = task % per * TILE_ROWS, left = plane, index[TILE_ROWS];
    best b[TILE_ROWS];
    gx_piece piece;
    if (gx_reduce_stopped(job)) return;
    gx_plan_enter(p, s);
    for (int d = p->nd - 3; d >= 0; d--) {
        piece.idx[d] = left % p->shape[d];
        left /= p->shape[d];
    }
    piece.idx[p->nd - 2] = low;
    piece.nr = p->shape[p->nd - 2] - low;
    if (piece.nr > TILE_ROWS) piece.nr = TILE_ROWS;
    for (int64_t r = 0; r < piece.nr; r++) b[r] = (best){.none = true};
    for (int64_t c = 0; c < job->reduced; c += GX_FOLD_UNIT / TILE_ROWS) {
        if (gx_reduce_stopped(job)) return;
        piece.idx[p->nd - 1] = c;
        piece.nc = job->reduced - c;
        if (piece.nc > GX_FOLD_UNIT / TILE_ROWS) piece.nc = GX_FOLD_UNIT / TILE_ROWS;
        const char *values = gx_reduce_piece(job, s, &piece, gx_reduce_area(job, thread, 0));
        for (int64_t r = 0; r < piece.nr; r++)
            look(job, &b[r], values + r * piece.nc * job->acc_item, piece.nc, c);
    }
    for (int64_t r = 0; r < piece.nr; r++) index[r] = b[r].index;
    store_index(job, thread, plane * p->shape[p->nd - 2] + low, piece.nr, index);
}

/* Short rows, many a task. */
static void rows_task(void *arg, int64_t task, int thread) {
    gx_fold_job *job = arg;
    gx_scratch *s = job->p->cpu->scratch[thread];
    int64_t n = job->reduced, group = GX_FOLD_UNIT / n, from = task * job->rows;
    int64_t to = from + job->rows < job->kept ? from + job->rows : job->kept;
    int64_t *index = (int64_t *)(void *)gx_reduce_area(job, thread, 1);
    if (gx_reduce_stopped(job)) return;
    gx_plan_enter(job->p, s);
    for (int64_t k = from; k < to; k += group) {
        int64_t g = to - k < group ? to - k : group;
        const char *values =
            gx_reduce_range(job, s, k * n, g * n, gx_reduce_area(job, thread, 0));
        if (n <= GX_SHORT_ROW)
            job->p->cpu->loops->arg_rows(job->t->red, job->t->acc, values, (size_t)g, (size_t)n,
                                         index);
        for (int64_t i = 0; i < g && n > GX_SHORT_ROW; i++) {
            best b = {.none = true};
            look(job, &b, values + i * n * job->acc_item, n, 0);
            index[i] = b.index;
        }
        store_index(job, thread, k, g, index);
    }
}

/* Does memory run along the last kept dim, with one reduced dim? */
static bool tiled(const gx_fold_job *job) {
    const gx_cpu_plan *p = job->p;
    if (p->kept == 0 || p->nd - p->kept != 1 || p->shape[p->kept - 1] < 8) return false;
    for (int i = 0; i < job->t->n_leaf; i++) {
        int64_t in = p->port[i].strides[p->nd - 2], along = p->port[i].strides[p->nd - 1];
        if (in < 0) in = -in;
        if (along < 0) along = -along;
        if (in != 0 && in < along) return true;
    }
    return false;
}

bool gx_reduce_arg(gx_fold_job *job) {
    const gx_cpu_plan *p = job->p;
    if (tiled(job)) {
        int64_t rows = p->shape[p->nd - 2];
        int64_t tasks = job->kept / rows * ((rows + TILE_ROWS - 1) / TILE_ROWS);
        return gx_reduce_tasks(job, tasks, tile_task);
    }
    if (job->reduced > GX_FOLD_UNIT) return by_chunks(job);
    job->rows = GX_FOLD_CHUNK / job->reduced;
    return gx_reduce_tasks(job, (job->kept + job->rows - 1) / job->rows, rows_task);
}
