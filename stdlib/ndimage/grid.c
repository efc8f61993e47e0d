/* Filters over neighbourhoods of several axes: sums of products (correlate) and ranks (median,
   minimum of a footprint). The input is copied once, with its edges continued, so that each tap of
   the neighbourhood is a fixed distance; then blocks of neighbours of a row are computed at a time,
   rows in tasks on the threads. Sums are of doubles in the order of the taps, as SciPy's. Ranks of
   few taps go through a selection network, of floats where those hold the dtype's values. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/whole.h"
#include "stdlib/ndimage/ndimage_int.h"

enum { FEW = 256, ROOM = GX_IMAGE_BLOCK / 4, TASK = 8192 };

typedef struct grid {
    const gx_nd_window_of *w;
    const gx_image_loops *loops;
    gx_dtype from, to;
    int nd, item;                                                       /* bytes of a cell */
    int64_t shape[GX_MAX_DIMS], padded[GX_MAX_DIMS], step[GX_MAX_DIMS]; /* steps in `cells` */
    int64_t step_from, step_to, rows, taps, room; /* steps between elements of one component */
    const char *src;
    char *dst, *cells;
    int64_t *at;     /* distance of each tap */
    double *weights; /* of each tap */
    gx_image_swap *network;
    int64_t swaps;
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
    int64_t n = g->shape[last], at[GX_MAX_DIMS] = {0}, row = 0, before = g->w->before[last];
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

/* A sorting network (Batcher's merge exchange) for n slots, of which only the steps that slot
   `rank` depends on are kept. The count; with network NULL it is an upper bound. */
static int64_t select_network(int64_t n, int64_t rank, gx_image_swap *network) {
    int64_t top = 1, count = 0;
    while (2 * top < n) top *= 2;
    for (int64_t p = n > 1 ? top : 0; p > 0; p /= 2) {
        int64_t q = top, r = 0, d = p;
        for (;;) {
            for (int64_t i = 0; i + d < n; i++) {
                if ((i & p) != r) continue;
                if (network)
                    network[count] = (gx_image_swap){(uint16_t)i, (uint16_t)(i + d), true, true};
                count++;
            }
            if (q == p) break;
            d = q - p;
            q /= 2;
            r = p;
        }
    }
    if (!network) return count;
    bool needed[FEW] = {false};
    int64_t first = count;
    needed[rank] = true;
    for (int64_t i = count; i-- > 0;) {
        gx_image_swap s = network[i];
        s.keep_low = needed[s.low];
        s.keep_high = needed[s.high];
        if (!s.keep_low && !s.keep_high) continue;
        needed[s.low] = needed[s.high] = true;
        network[--first] = s;
    }
    memmove(network, network + first, (size_t)(count - first) * sizeof *network);
    return count - first;
}

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
    int64_t rank = g->w->rank;
    if (g->item == 4) {
        g->loops->ranks_single((const float *)(const void *)g->cells + at, g->at, g->taps,
                               g->network, g->swaps, rank, (float *)(void *)memory, out);
        return;
    }
    const double *x = (const double *)(const void *)g->cells + at;
    double *values = (void *)memory;
    if (g->network) {
        g->loops->ranks(x, g->at, g->taps, g->network, g->swaps, rank, values, out);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t t = 0; t < g->taps; t++) values[t] = x[i + g->at[t]];
        out[i] = select_rank(values, g->taps, rank);
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
            if (g->w->rank < 0)
                g->loops->sums((const double *)(const void *)g->cells + x + i, g->at, g->weights,
                               g->taps, out);
            else
                ranks(g, x + i, part, memory, out);
            g->loops->store(g->to, out, part,
                            g->dst + (r * n + i) * gx_dtypes[g->to].bytes * g->step_to, g->step_to);
        }
    }
}

static bool spread(gx_rt *rt, grid *g, int64_t rows, int64_t cost, gx_work_fn fn) {
    g->per = 1 + TASK / (cost + 1);
    int64_t tasks = (rows + g->per - 1) / g->per;
    return gx_work_long(rt, tasks, fn, g);
}

static bool component(gx_rt *rt, grid *g) {
    int64_t wide = g->padded[g->nd - 1];
    if (!spread(rt, g, g->room / wide, wide, fill_task)) return false;
    memset(g->cells + g->room * g->item, 0, GX_IMAGE_BLOCK);
    return spread(rt, g, g->rows, g->shape[g->nd - 1] * (g->taps / 8 + 1), rows_task);
}

/* Is every value of the dtype a float? */
static bool is_single(gx_dtype d) {
    return d == GX_f32 || gx_dtypes[d].bytes <= 2;
}

/* Memory for the copy, the taps and the threads. */
static bool room_for(gx_nd *k, grid *g, int64_t places) {
    int64_t threads = gx_work_threads(k->c->rt);
    bool network = g->w->rank >= 0 && places <= FEW;
    g->item = network && is_single(g->from) && g->cval == (double)(float)g->cval ? 4 : 8;
    int64_t cells = g->room * g->item + GX_IMAGE_BLOCK;
    int64_t slots = g->w->rank < 0 ? 0 : network ? places * GX_IMAGE_BLOCK : places * 8;
    g->each = (size_t)((slots + 63) / 64 * 64);
    int64_t memory = (int64_t)g->each * threads + 1;
    g->cells = gx_np_data_write(&k->s, gx_np_empty(&k->s, GX_u8, 1, &cells));
    g->at = gx_np_scratch(&k->s, (size_t)(places + 1) * sizeof(int64_t));
    g->weights = gx_np_scratch(&k->s, (size_t)(places + 1) * sizeof(double));
    g->memory = gx_np_data_write(&k->s, gx_np_empty(&k->s, GX_u8, 1, &memory));
    return g->cells && g->at && g->weights && g->memory;
}

static bool network_of(gx_nd *k, grid *g) {
    int64_t most = select_network(g->taps, g->w->rank, NULL);
    g->network = gx_np_room(&k->s, most + 1, sizeof *g->network);
    if (!g->network) return false;
    g->swaps = select_network(g->taps, g->w->rank, g->network);
    return true;
}

/* Sizes, distances and memory. */
static bool prepare(gx_nd *k, grid *g) {
    const gx_nd_window_of *w = g->w;
    int64_t places = 1, at[GX_MAX_DIMS] = {0};
    g->room = g->rows = 1;
    for (int d = g->nd - 1; d >= 0; d--) {
        g->padded[d] = g->shape[d] + w->shape[d] - 1;
        g->step[d] = g->room;
        places *= w->shape[d];
        if (__builtin_mul_overflow(g->room, g->padded[d], &g->room) || g->room > INT64_C(1) << 48)
            return gx_fail(k->c->rt, GX_MemoryError, "ndimage.size",
                           "the filter window is too large");
        if (d < g->nd - 1) g->rows *= g->shape[d];
        g->source[d] = gx_np_scratch(&k->s, (size_t)g->padded[d] * sizeof(int64_t));
        if (!g->source[d]) return false;
        for (int64_t i = 0; i < g->padded[d]; i++)
            g->source[d][i] =
                gx_nd_source(k->count ? k->mode[0] : GX_ND_REFLECT, i - w->before[d], g->shape[d]);
    }
    if (!room_for(k, g, places)) return false;
    for (int64_t i = 0; i < places; i++) {
        if (fabs(w->weights[i]) > DBL_EPSILON) {
            int64_t far = 0;
            for (int d = 0; d < g->nd; d++) far += at[d] * g->step[d];
            g->weights[g->taps] = w->weights[i];
            g->at[g->taps++] = far;
        }
        for (int d = g->nd - 1; d >= 0 && ++at[d] == w->shape[d]; d--) at[d] = 0;
    }
    if (w->rank < 0 || places > FEW) return true;
    return network_of(k, g);
}

static gx_dtype part_dtype(int d) {
    return gx_dtype_kind(d) == GX_KIND_CPLX ? gx_real_dtype((gx_dtype)d) : (gx_dtype)d;
}

/* The whole by the GPU. */
static bool grid_on_device(gx_nd *k, grid *g, gx_array *out, bool *done) {
    const gx_nd_window_of *w = g->w;
    gx_filter f = {.kind = w->rank < 0 ? GX_FILTER_SUMS : GX_FILTER_RANK,
                   .edge = (gx_filter_edge)(k->count ? k->mode[0] : GX_ND_REFLECT),
                   .cval = k->cval, .ndim = g->nd, .slot = w->rank};
    int64_t places = 1, at[GX_MAX_DIMS] = {0}, n = 0;
    if (g->nd > GX_FILTER_DIMS) return true;
    for (int d = 0; d < g->nd; d++) {
        f.shape[d] = g->shape[d];
        places *= w->shape[d];
    }
    int64_t *tap = gx_np_room(&k->s, places * g->nd + 1, sizeof *tap);
    double *weight = gx_np_room(&k->s, places + 1, sizeof *weight);
    if (!tap || !weight) return false;
    for (int64_t i = 0; i < places; i++) {
        if (fabs(w->weights[i]) > DBL_EPSILON) {
            for (int d = 0; d < g->nd; d++) tap[n * g->nd + d] = at[d] - w->before[d];
            weight[n++] = w->weights[i];
        }
        for (int d = g->nd - 1; d >= 0 && ++at[d] == w->shape[d]; d--) at[d] = 0;
    }
    f.tap = tap;
    f.tap_weight = w->rank < 0 ? weight : NULL;
    f.taps = g->taps = n;
    if (w->rank >= 0 && places <= FEW) {
        if (!network_of(k, g)) return false;
        f.network = g->network;
        f.swaps = g->swaps;
    }
    return gx_device_filter(k->c->rt, k->in, &f, out, done);
}

gx_array *gx_nd_grid(gx_nd *k, const gx_nd_window_of *w) {
    gx_array *in = k->in;
    bool complex = gx_dtype_kind(in->dtype) == GX_KIND_CPLX;
    bool to_complex = gx_dtype_kind(k->to) == GX_KIND_CPLX;
    gx_array *out = NULL;
    if (!gx_array_empty_near(k->c->rt, 1, &in, k->to, in->ndim, gx_shape(in), k->s.ns, &out))
        return NULL;
    out = gx_np_own(&k->s, out);
    grid g = {.w = w,
              .loops = gx_image_kernels(),
              .from = part_dtype(in->dtype),
              .to = part_dtype(k->to),
              .nd = in->ndim ? in->ndim : 1,
              .step_from = complex ? 2 : 1,
              .step_to = to_complex ? 2 : 1,
              .cval = k->cval};
    if (in->count == 0) return out;
    for (int d = 0; d < g.nd; d++) g.shape[d] = in->ndim ? gx_shape(in)[d] : 1;
    bool done = false;
    if (gx_device_has_filters(k->c->rt, in) && !grid_on_device(k, &g, out, &done)) return NULL;
    if (done) return out;
    g.taps = 0;
    g.dst = gx_np_data_write(&k->s, out);
    g.src = gx_np_data(&k->s, in);
    if (!g.dst || !g.src || !prepare(k, &g)) return NULL;
    for (int part = 0; part < (complex ? 2 : 1); part++) {
        if (!component(k->c->rt, &g)) return NULL;
        g.src += gx_dtypes[g.from].bytes;
        g.dst += gx_dtypes[g.to].bytes;
        g.cval = 0;
    }
    return out;
}
