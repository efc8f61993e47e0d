/* Filters over neighbourhoods of several axes: sums of products (correlate) and ranks (median,
   minimum of a footprint). The input is copied once, as doubles and with its edges continued, so
   that each tap of the neighbourhood is a fixed distance; then BLOCK neighbours of a row are
   computed at a time. Sums are in the order of the taps, as SciPy's. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/nd_int.h"

enum { BLOCK = 16, FEW = 64 };

typedef struct grid {
    const gx_nd_window_of *w;
    gx_dtype from, to;
    int nd;
    int64_t shape[GX_MAX_DIMS], padded[GX_MAX_DIMS], step[GX_MAX_DIMS]; /* steps in `cells` */
    int64_t step_from, step_to, rows, taps, room; /* steps between elements of one component */
    const char *src;
    char *dst;
    double *cells, *line;
    int64_t *at;     /* distance of each tap */
    double *weights; /* of each tap */
    double *values;  /* FEW blocks, or one neighbourhood */
    int64_t *source[GX_MAX_DIMS];
    double cval;
} grid;

/* The coordinates of row number i over all axes but the last. */
static void row_at(int nd, const int64_t *shape, int64_t i, int64_t *at) {
    for (int d = nd - 2; d >= 0; d--) {
        at[d] = i % shape[d];
        i /= shape[d];
    }
}

static void fill(grid *g) {
    int last = g->nd - 1;
    int64_t n = g->shape[last], rows = g->room / g->padded[last], at[GX_MAX_DIMS] = {0};
    int64_t bytes = gx_dtypes[g->from].bytes;
    for (int64_t r = 0; r < rows; r++) {
        double *out = g->cells + r * g->padded[last];
        int64_t row = 0;
        row_at(g->nd, g->padded, r, at);
        for (int d = 0; d < last && row >= 0; d++) {
            int64_t from = g->source[d][at[d]];
            row = from < 0 ? -1 : row * g->shape[d] + from;
        }
        if (row >= 0)
            gx_nd_load(g->from, g->src + row * n * bytes * g->step_from, g->step_from, n, g->line);
        for (int64_t i = 0; i < g->padded[last]; i++) {
            int64_t from = g->source[last][i];
            out[i] = row < 0 || from < 0 ? g->cval : g->line[from];
        }
    }
    memset(g->cells + g->room, 0, BLOCK * sizeof *g->cells);
}

static void sums(const grid *g, const double *x, double *out) {
    double sum[BLOCK] = {0};
    for (int64_t t = 0; t < g->taps; t++) {
        const double *y = x + g->at[t];
        double f = g->weights[t];
        for (int k = 0; k < BLOCK; k++) sum[k] += y[k] * f;
    }
    memcpy(out, sum, sizeof sum);
}

/* The smaller elements to a, the larger to b. */
static inline void exchange(double *restrict a, double *restrict b) {
    double low[BLOCK], high[BLOCK];
    for (int k = 0; k < BLOCK; k++) low[k] = b[k] < a[k] ? b[k] : a[k];
    for (int k = 0; k < BLOCK; k++) high[k] = b[k] < a[k] ? a[k] : b[k];
    memcpy(a, low, sizeof low);
    memcpy(b, high, sizeof high);
}

/* The rank-th smallest of each of BLOCK neighbourhoods side by side: the smallest is moved to the
   front as often as needed. From the large end when that is nearer. */
static void few_ranks(const grid *g, const double *x, double *out) {
    int n = (int)g->taps, rank = (int)g->w->rank;
    bool large = rank > n / 2;
    double sign = large ? -1 : 1;
    double *v = g->values;
    for (int t = 0; t < n; t++)
        for (int k = 0; k < BLOCK; k++) v[t * BLOCK + k] = sign * x[g->at[t] + k];
    int stop = large ? n - 1 - rank : rank;
    for (int i = 0; i <= stop; i++)
        for (int t = n - 1; t > i; t--) exchange(v + i * BLOCK, v + t * BLOCK);
    for (int k = 0; k < BLOCK; k++) out[k] = sign * v[stop * BLOCK + k];
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

static void ranks(const grid *g, const double *x, int64_t n, double *out) {
    if (g->taps <= FEW) {
        few_ranks(g, x, out);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t t = 0; t < g->taps; t++) g->values[t] = x[i + g->at[t]];
        out[i] = select_rank(g->values, g->taps, g->w->rank);
    }
}

static void component(grid *g) {
    int last = g->nd - 1;
    int64_t n = g->shape[last], at[GX_MAX_DIMS] = {0};
    double block[BLOCK];
    fill(g);
    for (int64_t r = 0; r < g->rows; r++) {
        row_at(g->nd, g->shape, r, at);
        const double *x = g->cells;
        for (int d = 0; d < last; d++) x += at[d] * g->step[d];
        for (int64_t i = 0; i < n; i += BLOCK) {
            int64_t part = n - i < BLOCK ? n - i : BLOCK;
            if (g->w->rank < 0)
                sums(g, x + i, block);
            else
                ranks(g, x + i, part, block);
            gx_nd_store(g->to, block, part,
                        g->dst + (r * n + i) * gx_dtypes[g->to].bytes * g->step_to, g->step_to);
        }
    }
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
    g->cells = gx_np_scratch(&k->s, (size_t)(g->room + BLOCK) * sizeof(double));
    g->line = gx_np_scratch(&k->s, (size_t)(g->shape[g->nd - 1] + 1) * sizeof(double));
    g->at = gx_np_scratch(&k->s, (size_t)(places + 1) * sizeof(int64_t));
    g->weights = gx_np_scratch(&k->s, (size_t)(places + 1) * sizeof(double));
    g->values = gx_np_scratch(&k->s, (size_t)(places < FEW * BLOCK ? FEW * BLOCK : places) *
                                         sizeof(double));
    if (!g->cells || !g->line || !g->at || !g->weights || !g->values) return false;
    for (int64_t i = 0; i < places; i++) {
        if (fabs(w->weights[i]) > DBL_EPSILON) {
            int64_t far = 0;
            for (int d = 0; d < g->nd; d++) far += at[d] * g->step[d];
            g->weights[g->taps] = w->weights[i];
            g->at[g->taps++] = far;
        }
        for (int d = g->nd - 1; d >= 0 && ++at[d] == w->shape[d]; d--) at[d] = 0;
    }
    return true;
}

static gx_dtype part_dtype(int d) {
    return gx_dtype_kind(d) == GX_KIND_CPLX ? gx_real_dtype((gx_dtype)d) : (gx_dtype)d;
}

gx_array *gx_nd_grid(gx_nd *k, const gx_nd_window_of *w) {
    gx_array *in = k->in;
    bool complex = gx_dtype_kind(in->dtype) == GX_KIND_CPLX;
    bool to_complex = gx_dtype_kind(k->to) == GX_KIND_CPLX;
    gx_array *out = gx_np_zeros(&k->s, k->to, in->ndim, gx_shape(in));
    grid g = {.w = w,
              .from = part_dtype(in->dtype),
              .to = part_dtype(k->to),
              .nd = in->ndim ? in->ndim : 1,
              .step_from = complex ? 2 : 1,
              .step_to = to_complex ? 2 : 1,
              .cval = k->cval};
    if (!out || in->count == 0) return out;
    for (int d = 0; d < g.nd; d++) g.shape[d] = in->ndim ? gx_shape(in)[d] : 1;
    g.dst = gx_np_data_write(&k->s, out);
    g.src = gx_np_data(&k->s, in);
    if (!g.dst || !g.src || !prepare(k, &g)) return NULL;
    for (int part = 0; part < (complex ? 2 : 1); part++) {
        component(&g);
        g.src += gx_dtypes[g.from].bytes;
        g.dst += gx_dtypes[g.to].bytes;
        g.cval = 0;
    }
    return out;
}
