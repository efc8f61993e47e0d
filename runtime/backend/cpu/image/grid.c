/* Filters over neighbourhoods of several axes: sums of products (correlate) and ranks (median,
   minimum of a footprint). The input is copied once, with its edges continued, so that each tap of
   the neighbourhood is a fixed distance; then blocks of neighbours of a row are computed at a time,
   rows in tasks on the threads. Sums are of doubles in the order of the taps, as SciPy's. Ranks of
   few taps go through a selection network, of floats where those hold the dtype's values. */
#include <string.h>

#include "runtime/backend/cpu/image/filter_int.h"

enum { ROOM = GX_IMAGE_BLOCK / 4, TASK = 8192 };

typedef struct grid {
    const gx_filter *f;
    const gx_image_loops *loops;
    gx_dtype from, to;
    int nd, item;                                                       /* bytes of a cell */
    int64_t shape[GX_MAX_DIMS], padded[GX_MAX_DIMS], step[GX_MAX_DIMS]; /* steps in `cells` */
    int64_t before[GX_MAX_DIMS];
    int64_t step_from, step_to, rows, room; /* steps between elements of one component */
    const char *src;
    char *dst, *cells;
    int64_t *at;     /* distance of each tap */
    char *memory; /* `each` bytes for each thread: a line, or the neighbourhoods of a block */
    size_t each;
    int64_t *source[GX_MAX_DIMS];
    double cval;
    int64_t per; /* rows a task */
} grid;

/* The coordinates of row number i over all axes but the last. */
static void row_at(int nd, const int64_t *shape, int64_t i, int64_t *at) {
    for (int d = nd - 2; d >= 0; d--) {
        at[d] = i % shape[d];
        i /= shape[d];
    }
}

/* The cells before and after the n of a row. */
#define CONTINUE(T)                                                                                \
    for (int64_t i = 0; i < g->padded[last]; i++) {                                                \
        if (i == before && row >= 0) i += n;                                                       \
        int64_t from = i < g->padded[last] && row >= 0 ? g->source[last][i] : -1;                  \
        if (i < g->padded[last])                                                                   \
            ((T *)out)[i] = from < 0 ? (T)g->cval : ((T *)out)[before + from];                     \
    }

/* One row of the copy: the input's, with its ends continued. */
static void fill_row(const grid *g, int64_t r) {
    int last = g->nd - 1;
    int64_t n = g->shape[last], at[GX_MAX_DIMS] = {0}, row = 0, before = g->before[last];
    void *out = g->cells + r * g->padded[last] * g->item;
    row_at(g->nd, g->padded, r, at);
    for (int d = 0; d < last && row >= 0; d++) {
        int64_t from = g->source[d][at[d]];
        row = from < 0 ? -1 : row * g->shape[d] + from;
    }
    const char *src = g->src + row * n * gx_dtypes[g->from].bytes * g->step_from;
    if (g->item == 8) {
        if (row >= 0) g->loops->load(g->from, src, g->step_from, n, (double *)out + before);
        CONTINUE(double)
    } else {
        if (row >= 0) g->loops->load_single(g->from, src, g->step_from, n, (float *)out + before);
        CONTINUE(float)
    }
}

static void fill_task(void *arg, int64_t task, int thread) {
    const grid *g = arg;
    int64_t rows = g->room / g->padded[g->nd - 1], end = (task + 1) * g->per;
    (void)thread;
    for (int64_t r = task * g->per; r < end && r < rows; r++) fill_row(g, r);
}

/* --- ranks */

/* The rank-th smallest of n, reordering them. */
static double select_rank(double *v, int64_t n, int64_t rank) {
    int64_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = v[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot) i++;
            while (v[j] > pivot) j--;
            if (i > j) break;
            double t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            break;
    }
    return v[rank];
}

static void ranks(const grid *g, int64_t at, int64_t n, char *memory, double *out) {
    int64_t rank = g->f->slot;
    if (g->item == 4) {
        g->loops->ranks_single((const float *)(const void *)g->cells + at, g->at, g->f->taps,
                               g->f->network, g->f->swaps, rank, (float *)(void *)memory, out);
        return;
    }
    const double *x = (const double *)(const void *)g->cells + at;
    double *values = (void *)memory;
    if (g->f->network) {
        g->loops->ranks(x, g->at, g->f->taps, g->f->network, g->f->swaps, rank, values, out);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t t = 0; t < g->f->taps; t++) values[t] = x[i + g->at[t]];
        out[i] = select_rank(values, g->f->taps, rank);
    }
}

/* --- rows */

static void rows_task(void *arg, int64_t task, int thread) {
    const grid *g = arg;
    int last = g->nd - 1;
    int64_t n = g->shape[last], at[GX_MAX_DIMS] = {0}, end = (task + 1) * g->per;
    int64_t block = GX_IMAGE_BLOCK / g->item;
    char *memory = g->memory + (size_t)thread * g->each;
    double out[ROOM];
    for (int64_t r = task * g->per; r < end && r < g->rows; r++) {
        int64_t x = 0;
        row_at(g->nd, g->shape, r, at);
        for (int d = 0; d < last; d++) x += at[d] * g->step[d];
        for (int64_t i = 0; i < n; i += block) {
            int64_t part = n - i < block ? n - i : block;
            if (g->f->kind == GX_FILTER_SUMS)
                g->loops->sums((const double *)(const void *)g->cells + x + i, g->at,
                               g->f->tap_weight, g->f->taps, out);
            else
                ranks(g, x + i, part, memory, out);
            g->loops->store(g->to, out, part,
                            g->dst + (r * n + i) * gx_dtypes[g->to].bytes * g->step_to, g->step_to);
        }
    }
}

static bool spread(gx_cpu *cpu, grid *g, int64_t rows, int64_t cost, gx_task fn) {
    g->per = 1 + TASK / (cost + 1);
    int64_t tasks = (rows + g->per - 1) / g->per;
    return gx_tasks_long(&cpu->base, tasks, fn, g);
}

static bool run_grid(gx_cpu *cpu, grid *g) {
    int64_t wide = g->padded[g->nd - 1];
    if (!spread(cpu, g, g->room / wide, wide, fill_task)) return false;
    memset(g->cells + g->room * g->item, 0, GX_IMAGE_BLOCK);
    return spread(cpu, g, g->rows, g->shape[g->nd - 1] * (g->f->taps / 8 + 1), rows_task);
}

/* Is every value of the dtype a float? */
static bool is_single(gx_dtype d) {
    return d == GX_f32 || gx_dtypes[d].bytes <= 2;
}

/* How far the taps reach, and the extents of the copy; *places: those it takes along its dims. */
static bool measure(gx_rt *rt, grid *g, int64_t *places) {
    const gx_filter *f = g->f;
    *places = 0;
    g->room = g->rows = 1;
    for (int d = g->nd - 1; d >= 0; d--) {
        int64_t low = 0, high = 0;
        for (int64_t t = 0; t < f->taps; t++) {
            const int64_t at = f->tap[t * g->nd + d];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        g->shape[d] = f->shape[d];
        g->before[d] = -low;
        g->padded[d] = g->shape[d] + high - low;
        g->step[d] = g->room;
        *places += g->padded[d];
        if (__builtin_mul_overflow(g->room, g->padded[d], &g->room) || g->room > INT64_C(1) << 48)
            return gx_fail(rt, GX_MemoryError, "ndimage.size", "the filter window is too large");
        if (d < g->nd - 1) g->rows *= g->shape[d];
    }
    return true;
}

/* The sources of the copy's places along each dim, and the taps' distances. */
static void place_taps(grid *g, int64_t *words) {
    const gx_filter *f = g->f;
    for (int d = 0; d < g->nd; d++) {
        g->source[d] = words;
        for (int64_t i = 0; i < g->padded[d]; i++)
            *words++ = gx_cpu_edge_source(f->edge, i - g->before[d], g->shape[d]);
    }
    g->at = words;
    for (int64_t t = 0; t < f->taps; t++) {
        words[t] = 0;
        for (int d = 0; d < g->nd; d++)
            words[t] += (f->tap[t * g->nd + d] + g->before[d]) * g->step[d];
    }
}

bool gx_cpu_filter_grid(gx_cpu *cpu, const gx_filter *f) {
    gx_rt *rt = cpu->base.rt;
    grid g = {.f = f, .loops = gx_cpu_image(), .from = (gx_dtype)f->from, .to = (gx_dtype)f->to,
              .nd = f->ndim, .step_from = f->in_step, .step_to = f->out_step,
              .src = f->in->data + f->in_at, .dst = f->out->data + f->out_at, .cval = f->cval};
    gx_buffer *cells = NULL, *memory = NULL;
    int64_t places;
    for (int d = 0; d < g.nd; d++)
        if (f->shape[d] == 0) return true;
    if (!measure(rt, &g, &places)) return false;
    g.item = f->network && is_single(g.from) && g.cval == (double)(float)g.cval ? 4 : 8;
    const int64_t slots = f->kind == GX_FILTER_SUMS ? 0
                          : f->network              ? f->taps * GX_IMAGE_BLOCK
                                                    : f->taps * 8;
    g.each = (size_t)((slots + 63) / 64 * 64);
    int64_t *words = gx_alloc(rt, (size_t)(places + f->taps + 1) * sizeof *words);
    bool ok =
        words && cpu->base.backend->alloc(&cpu->base, g.room * g.item + GX_IMAGE_BLOCK, &cells) &&
        cpu->base.backend->alloc(&cpu->base, (int64_t)g.each * gx_threads_count(cpu) + 1, &memory);
    if (ok) {
        place_taps(&g, words);
        g.cells = cells->data;
        g.memory = memory->data;
        ok = run_grid(cpu, &g);
    }
    gx_free(rt, words);
    gx_buffer_drop(cells);
    gx_buffer_drop(memory);
    return ok;
}
