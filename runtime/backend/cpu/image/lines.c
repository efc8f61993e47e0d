/* Filters along one axis, in tasks on the threads. Sums with weights are taken row by row where
   rows are long: each result row from pointers to the rows it needs, which are the image's own when
   it is of doubles. Other filters, and short rows, take lines in bundles: W neighbouring lines side
   by side in a buffer with their edges continued, so that the element after x[p] is x[p + W]. What
   a task computes does not depend on the others, so the results do not depend on the threads. */
#include "runtime/backend/cpu/image/filter_int.h"

enum { BUNDLE = 16, COLUMNS = 128, TASK = 16384 };

/* One real component of a pass. */
typedef struct job {
    const gx_filter *line;
    const gx_image_loops *loops;
    gx_dtype from, to;
    int64_t outer, n, inner, step_from, step_to;
    const char *src;
    char *dst;
    const int64_t *beyond; /* source positions before the line, then after it */
    char *memory;          /* `each` bytes for each thread */
    size_t each;
    double cval;
    int64_t wide, blocks; /* of columns */
    int64_t high, chunks; /* of rows */
    int64_t per;          /* lines a task */
    bool direct_in, direct_out;
} job;

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* --- bundles */

/* Extremes of windows of 1, 2, 4 … elements, each from two of the one before, in place. */
static void extremes(const job *j, double *b, int64_t total, int64_t w) {
    const gx_filter *l = j->line;
    for (int64_t have = 1; have < l->size;) {
        int64_t step = least(have, l->size - have);
        int64_t n = total + (l->size - have - step) * w;
        j->loops->extreme(b, step * w, n, l->kind == GX_FILTER_MAX);
        have += step;
    }
}

/* The line with its edges: w lines side by side. */
static void gather(const job *j, const char *src, int64_t w, double *b) {
    const gx_filter *l = j->line;
    int64_t edges = l->size - 1, from = gx_dtypes[j->from].bytes * j->step_from;
    double *x = b + l->before * w;
    if (j->inner == w)
        j->loops->load(j->from, src, j->step_from, j->n * w, x);
    else
        for (int64_t i = 0; i < j->n; i++)
            j->loops->load(j->from, src + i * j->inner * from, j->step_from, w, x + i * w);
    for (int64_t i = 0; i < edges; i++) {
        double *edge = i < l->before ? b + i * w : x + (j->n + i - l->before) * w;
        for (int64_t k = 0; k < w; k++)
            edge[k] = j->beyond[i] < 0 ? j->cval : x[j->beyond[i] * w + k];
    }
}

static void bundle(const job *j, int64_t o, int64_t q, int64_t w, char *memory) {
    const gx_filter *l = j->line;
    int64_t to = gx_dtypes[j->to].bytes * j->step_to;
    const char *src = j->src + (o * j->n * j->inner + q) * gx_dtypes[j->from].bytes * j->step_from;
    char *dst = j->dst + (o * j->n * j->inner + q) * to;
    double *b = (void *)memory, *out = b + (j->n + l->size - 1) * w;
    const double **row = (void *)(out + j->n * w);
    bool direct = j->direct_out && j->inner == w;
    gather(j, src, w, b);
    if (direct) out = (void *)dst;
    switch (l->kind) {
    case GX_FILTER_WEIGHTS:
        for (int64_t i = 0; i < l->size; i++) row[i] = b + i * w;
        j->loops->weigh(row, l->size, l->weights, l->symmetry, j->n * w, out);
        break;
    case GX_FILTER_MEAN:
        j->loops->average(b, l->size, j->n, w, out);
        break;
    case GX_FILTER_MIN:
    case GX_FILTER_MAX:
        extremes(j, b, j->n * w, w);
        out = b;
        direct = false;
        break;
    case GX_FILTER_SUMS:
    case GX_FILTER_RANK: /* of neighbourhoods: grid.c's */
        break;
    }
    if (direct) return;
    if (j->inner == w)
        j->loops->store(j->to, out, j->n * w, dst, j->step_to);
    else
        for (int64_t i = 0; i < j->n; i++)
            j->loops->store(j->to, out + i * w, w, dst + i * j->inner * to, j->step_to);
}

static void bundle_task(void *arg, int64_t task, int thread) {
    const job *j = arg;
    int64_t end = least((task + 1) * j->per, j->outer * j->blocks);
    for (int64_t i = task * j->per; i < end; i++) {
        int64_t q = i % j->blocks * j->wide;
        bundle(j, i / j->blocks, q, least(j->wide, j->inner - q),
               j->memory + (size_t)thread * j->each);
    }
}

/* --- rows */

/* Results for rows first … first + rows - 1 of w columns. */
static void rows_of(const job *j, int64_t o, int64_t q, int64_t w, int64_t first, char *memory) {
    const gx_filter *l = j->line;
    int64_t rows = least(j->high, j->n - first), count = rows + l->size - 1;
    int64_t from = gx_dtypes[j->from].bytes * j->step_from;
    int64_t to = gx_dtypes[j->to].bytes * j->step_to;
    const char *src = j->src + (o * j->n * j->inner + q) * from;
    char *dst = j->dst + ((o * j->n + first) * j->inner + q) * to;
    const double **row = (void *)memory;
    double *blank = (void *)(row + j->high + l->size), *out = blank + j->wide;
    double *space = out + j->wide;
    for (int64_t k = 0; k < w; k++) blank[k] = j->cval;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = first + i - l->before;
        if (at < 0) at = j->beyond[first + i];
        if (at >= j->n) at = j->beyond[l->before + at - j->n];
        row[i] = blank;
        if (at < 0) continue;
        const char *x = src + at * j->inner * from;
        row[i] = j->direct_in ? (const double *)(const void *)x : space;
        if (j->direct_in) continue;
        j->loops->load(j->from, x, j->step_from, w, space);
        space += w;
    }
    for (int64_t i = 0; i < rows; i++) {
        char *y = dst + i * j->inner * to;
        double *result = j->direct_out ? (double *)(void *)y : out;
        j->loops->weigh(row + i, l->size, l->weights, l->symmetry, w, result);
        if (!j->direct_out) j->loops->store(j->to, out, w, y, j->step_to);
    }
}

static void rows_task(void *arg, int64_t task, int thread) {
    const job *j = arg;
    int64_t q = task % j->blocks * j->wide, rest = task / j->blocks;
    rows_of(j, rest / j->chunks, q, least(j->wide, j->inner - q), rest % j->chunks * j->high,
            j->memory + (size_t)thread * j->each);
}

/* --- a pass */

static bool run_tasks(gx_cpu *cpu, job *j, int64_t tasks, gx_task fn) {
    if (tasks > 1 && j->outer * j->n * j->inner >= TASK)
        return gx_tasks_long(&cpu->base, tasks, fn, j);
    for (int64_t i = 0; i < tasks; i++) fn(j, i, 0);
    return true;
}

/* How the pass is cut into tasks, and memory for them. */
static bool cut(gx_cpu *cpu, job *j, bool by_rows, int64_t *tasks, gx_buffer **memory) {
    int64_t edges = j->line->size - 1;
    if (j->line->size > (INT64_C(1) << 40) / COLUMNS)
        return gx_fail(cpu->base.rt, GX_MemoryError, "ndimage.size",
                       "the filter window is too large");
    if (by_rows) {
        j->wide = least(j->inner, COLUMNS);
        j->blocks = (j->inner + j->wide - 1) / j->wide;
        j->high = least(j->n, edges > 16 ? 4 * edges : 64);
        j->chunks = (j->n + j->high - 1) / j->high;
        *tasks = j->outer * j->blocks * j->chunks;
        int64_t cells = (j->direct_in ? 2 : j->high + edges + 2) * j->wide;
        j->each = (size_t)(j->high + edges + 1 + cells) * sizeof(double);
    } else {
        j->wide = least(j->inner, BUNDLE);
        j->blocks = (j->inner + j->wide - 1) / j->wide;
        j->per = 1 + TASK / (j->n * j->wide);
        *tasks = (j->outer * j->blocks + j->per - 1) / j->per;
        j->each = (size_t)((2 * j->n + edges) * j->wide + edges + 1) * sizeof(double);
    }
    j->each = (j->each + 63) & ~(size_t)63;
    if (!cpu->base.backend->alloc(&cpu->base, (int64_t)j->each * gx_threads_count(cpu), memory))
        return false;
    j->memory = (*memory)->data;
    return true;
}

bool gx_cpu_filter_line(gx_cpu *cpu, const gx_filter *f) {
    job j = {.line = f, .loops = gx_cpu_image(), .from = (gx_dtype)f->from, .to = (gx_dtype)f->to,
             .outer = f->outer, .n = f->n, .inner = f->inner, .step_from = f->in_step,
             .step_to = f->out_step, .src = f->in->data + f->in_at, .dst = f->out->data + f->out_at,
             .cval = f->cval};
    const int64_t edges = f->size - 1;
    const bool by_rows = f->kind == GX_FILTER_WEIGHTS && j.inner > BUNDLE;
    gx_buffer *memory = NULL;
    int64_t tasks = 0;
    j.direct_in = j.from == GX_f64 && f->in_step == 1;
    j.direct_out = j.to == GX_f64 && f->out_step == 1;
    if (j.outer * j.n * j.inner == 0) return true;
    if (!cut(cpu, &j, by_rows, &tasks, &memory)) return false;
    int64_t *beyond = gx_alloc(cpu->base.rt, (size_t)(edges + 1) * sizeof *beyond);
    bool ok = beyond != NULL;
    if (ok) {
        for (int64_t i = 0; i < edges; i++)
            beyond[i] = gx_cpu_edge_source(
                f->edge, i < f->before ? i - f->before : j.n + i - f->before, j.n);
        j.beyond = beyond;
        ok = run_tasks(cpu, &j, tasks, by_rows ? rows_task : bundle_task);
    }
    gx_free(cpu->base.rt, beyond);
    gx_buffer_drop(memory);
    return ok;
}
