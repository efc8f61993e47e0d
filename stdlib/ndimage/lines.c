/* Filters along one axis, in tasks on the threads. Sums with weights are taken row by row where
   rows are long: each result row from pointers to the rows it needs, which are the image's own when
   it is of doubles. Other filters, and short rows, take lines in bundles: W neighbouring lines side
   by side in a buffer with their edges continued, so that the element after x[p] is x[p + W]. What
   a task computes does not depend on the others, so the results do not depend on the threads. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/ndimage/ndimage_int.h"

enum { BUNDLE = 16, COLUMNS = 128, TASK = 16384 };

/* One real component of a pass. */
typedef struct job {
    const gx_nd_line *line;
    const gx_image_loops *loops;
    gx_dtype from, to;
    int64_t outer, n, inner, step_from, step_to;
    const char *src;
    char *dst;
    const int64_t *beyond; /* source positions before the line, then after it */
    char *memory;          /* `each` bytes for each thread */
    size_t each;
    double cval;
    int kind;             /* of weights: symmetry() */
    int64_t wide, blocks; /* of columns */
    int64_t high, chunks; /* of rows */
    int64_t per;          /* lines a task */
    bool direct_in, direct_out;
} job;

/* 1: the weights mirror themselves, -1: with the sign changed, 0: neither. */
static int symmetry(const double *w, int64_t size) {
    bool even = size % 2 == 1, odd = even;
    for (int64_t i = 1; (even || odd) && i <= size / 2; i++) {
        double a = w[size / 2 + i], b = w[size / 2 - i];
        even = even && fabs(a - b) <= DBL_EPSILON;
        odd = odd && fabs(a + b) <= DBL_EPSILON;
    }
    return even ? 1 : odd ? -1 : 0;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* --- bundles */

/* Extremes of windows of 1, 2, 4 … elements, each from two of the one before, in place. */
static void extremes(const job *j, double *b, int64_t total, int64_t w) {
    const gx_nd_line *l = j->line;
    for (int64_t have = 1; have < l->size;) {
        int64_t step = least(have, l->size - have);
        int64_t n = total + (l->size - have - step) * w;
        j->loops->extreme(b, step * w, n, l->kind == GX_ND_MAX);
        have += step;
    }
}

/* The line with its edges: w lines side by side. */
static void gather(const job *j, const char *src, int64_t w, double *b) {
    const gx_nd_line *l = j->line;
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
    const gx_nd_line *l = j->line;
    int64_t to = gx_dtypes[j->to].bytes * j->step_to;
    const char *src = j->src + (o * j->n * j->inner + q) * gx_dtypes[j->from].bytes * j->step_from;
    char *dst = j->dst + (o * j->n * j->inner + q) * to;
    double *b = (void *)memory, *out = b + (j->n + l->size - 1) * w;
    const double **row = (void *)(out + j->n * w);
    bool direct = j->direct_out && j->inner == w;
    gather(j, src, w, b);
    if (direct) out = (void *)dst;
    switch (l->kind) {
    case GX_ND_WEIGHTS:
        for (int64_t i = 0; i < l->size; i++) row[i] = b + i * w;
        j->loops->weigh(row, l->size, l->weights, j->kind, j->n * w, out);
        break;
    case GX_ND_MEAN:
        j->loops->average(b, l->size, j->n, w, out);
        break;
    case GX_ND_MIN:
    case GX_ND_MAX:
        extremes(j, b, j->n * w, w);
        out = b;
        direct = false;
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
    const gx_nd_line *l = j->line;
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
        j->loops->weigh(row + i, l->size, l->weights, j->kind, w, result);
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

static bool run_tasks(gx_rt *rt, job *j, int64_t tasks, gx_work_fn fn) {
    if (tasks > 1 && j->outer * j->n * j->inner >= TASK) return gx_work_long(rt, tasks, fn, j);
    for (int64_t i = 0; i < tasks; i++) fn(j, i, 0);
    return true;
}

/* How the pass is cut into tasks, and memory for them. */
static bool cut(gx_nd *k, job *j, bool by_rows, int64_t *tasks) {
    int64_t edges = j->line->size - 1, threads = gx_work_threads(k->c->rt);
    if (j->line->size > (INT64_C(1) << 40) / COLUMNS)
        return gx_fail(k->c->rt, GX_MemoryError, "ndimage.size", "the filter window is too large");
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
    int64_t bytes = (int64_t)j->each * threads;
    j->memory = gx_np_data_write(&k->s, gx_np_empty(&k->s, GX_u8, 1, &bytes));
    return j->memory != NULL;
}

static gx_dtype part_dtype(int d) {
    return gx_dtype_kind(d) == GX_KIND_CPLX ? gx_real_dtype((gx_dtype)d) : (gx_dtype)d;
}

static bool filter(gx_nd *k, gx_array *src, gx_array *dst, int axis, const gx_nd_line *line) {
    job j = {.line = line, .loops = gx_image_kernels(), .outer = 1, .inner = 1};
    int64_t edges = line->size - 1, tasks = 0;
    j.from = part_dtype(src->dtype);
    j.to = part_dtype(dst->dtype);
    j.n = gx_shape(src)[axis];
    for (int i = 0; i < src->ndim; i++) {
        if (i < axis) j.outer *= gx_shape(src)[i];
        if (i > axis) j.inner *= gx_shape(src)[i];
    }
    bool complex = gx_dtype_kind(src->dtype) == GX_KIND_CPLX;
    j.step_from = complex ? 2 : 1;
    j.step_to = gx_dtype_kind(dst->dtype) == GX_KIND_CPLX ? 2 : 1;
    j.direct_in = src->dtype == GX_f64;
    j.direct_out = dst->dtype == GX_f64;
    j.cval = line->cval;
    j.kind = line->kind == GX_ND_WEIGHTS ? symmetry(line->weights, line->size) : 0;
    bool by_rows = line->kind == GX_ND_WEIGHTS && j.inner > BUNDLE;
    int64_t *beyond = gx_np_room(&k->s, edges + 1, sizeof *beyond);
    j.dst = gx_np_data_write(&k->s, dst);
    j.src = gx_np_data(&k->s, src);
    if (!beyond || !j.dst || !j.src || !cut(k, &j, by_rows, &tasks)) return false;
    for (int64_t i = 0; i < edges; i++)
        beyond[i] = gx_nd_source(line->mode,
                                 i < line->before ? i - line->before : j.n + i - line->before, j.n);
    j.beyond = beyond;
    for (int part = 0; part < (complex ? 2 : 1); part++) {
        if (!run_tasks(k->c->rt, &j, tasks, by_rows ? rows_task : bundle_task)) return false;
        j.src += gx_dtypes[j.from].bytes;
        j.dst += gx_dtypes[j.to].bytes;
        j.cval = 0;
    }
    return true;
}

/* The same by the GPU. */
static bool filter_on_device(gx_nd *k, gx_array *src, gx_array *dst, int axis,
                             const gx_nd_line *line, bool *done) {
    static const gx_filter_kind kinds[] = {[GX_ND_WEIGHTS] = GX_FILTER_WEIGHTS,
                                           [GX_ND_MEAN] = GX_FILTER_MEAN,
                                           [GX_ND_MIN] = GX_FILTER_MIN,
                                           [GX_ND_MAX] = GX_FILTER_MAX};
    gx_filter f = {.kind = kinds[line->kind], .edge = (gx_filter_edge)line->mode,
                   .cval = line->cval, .outer = 1, .n = gx_shape(src)[axis], .inner = 1,
                   .size = line->size, .before = line->before, .weights = line->weights};
    for (int i = 0; i < src->ndim; i++) {
        if (i < axis) f.outer *= gx_shape(src)[i];
        if (i > axis) f.inner *= gx_shape(src)[i];
    }
    if (line->kind == GX_ND_WEIGHTS) f.symmetry = symmetry(line->weights, line->size);
    return gx_device_filter(k->c->rt, src, &f, dst, done);
}

bool gx_nd_pass(gx_nd *k, gx_nd_chain *chain, int axis, const gx_nd_line *line) {
    gx_array *src = chain->now ? chain->now : k->in, *dst = chain->spare;
    if (!dst && gx_array_empty_near(k->c->rt, 1, &k->in, k->to, k->in->ndim, gx_shape(k->in),
                                k->s.ns, &dst))
        dst = gx_np_own(&k->s, dst);
    bool done = false;
    if (!dst || (gx_device_has_filters(k->c->rt, k->in) &&
                 !filter_on_device(k, src, dst, axis, line, &done)))
        return false;
    if (!done && src->count && !filter(k, src, dst, axis, line)) return false;
    chain->spare = chain->now;
    chain->now = dst;
    return true;
}

gx_array *gx_nd_result(gx_nd *k, const gx_nd_chain *chain) {
    if (chain->now) return chain->now;
    gx_array *a = gx_np_cast(&k->s, k->in, k->to);
    return a ? gx_np_copy(&k->s, a, 'C') : NULL;
}
