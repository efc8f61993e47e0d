/* Image filters (kernels/filter.cu): which kernel, how it is cut into blocks, and its parameters.
   What gx_gpu_takes_filter refuses is the host's. */
#include "kernels/device_text.h"
#include "kernels/image.h"
#include "runtime/backend/gpu/emit_int.h"

#include <string.h>

enum {
    RESULTS = 8, /* of a thread */
    MOST_DIMS = 8,
    TALL = 16,   /* warps of a block of columns */
    MOST_ROW = 512,
    EASY = 100 << 10, /* bytes of shared memory of which two blocks have room */
    FEW = 32,       /* weights that are kept in registers */
    MANY = 1 << 16, /* threads that keep a GPU busy */
    NEAR = 2048,    /* taps whose weights are in shared memory */
    TAPS_SINGLE = 121,
    TAPS_DOUBLE = 64
};

/* The kernels, in the order of their ENTRY. */
typedef enum entry {
    COLUMNS,
    ROWS,
    EXTREME_COLUMNS,
    EXTREME_ROWS,
    FAR,
    SUMS,
    RANK,
    MARCH_COLUMNS,
    MARCH_ROWS
} entry;
static const char *const entries[] = {"gx_columns", "gx_rows", "gx_extreme_columns",
                                      "gx_extreme_rows", "gx_far", "gx_sums", "gx_rank",
                                      "gx_march_columns", "gx_march_rows"};

typedef struct filter_key {
    uint8_t entry, from, to, single, dims, wide;
    uint16_t taps, slot;
    int16_t size, symmetry; /* of few weights */
} filter_key;

typedef struct filter_text {
    filter_key key;
    const gx_filter *f;
} filter_text;

typedef struct line_params {
    gx_gpu_ptr in, out, weights;
    double cval;
    int64_t outer, n, inner, size, before, in_step, out_step, tiles, wide, lines, each;
    int32_t edge, kind;
    int32_t turn, low, high, positions; /* of the marching kernels, as what follows: */
    double f[FEW]; /* only as many as there are weights are passed */
} line_params;

/* --- text --- */

/* Are all values of the dtype floats? */
static bool is_single(int d) {
    return d == GX_f32 || gx_dtypes[d].bytes <= 2;
}

/* Doubles to elements: towards zero, wrapping. */
static bool add_put(gx_buf *out, int to) {
    const char *body = "(Y)gx_trunc_64((double)v)";
    if (gx_dtypes[to].kind == GX_KIND_FLOAT) body = "(Y)v";
    if (to == GX_bool) body = "(Y)((unsigned char)gx_trunc_64((double)v) != 0)";
    if (to == GX_u64)
        body = "(double)v >= 18446744073709551616.0 ? 0 : (Y)gx_trunc_u64((double)v)";
    return gx_buf_printf(out, "template <class T> GX_FN Y gx_put(T v) {\n    return %s;\n}\n",
                         body);
}

static bool add_network(gx_buf *out, const gx_filter *f) {
    if (!gx_buf_printf(out, "#define TAPS %d\n#define SLOT %d\n#define GX_NETWORK",
                       (int)f->taps, (int)f->slot))
        return false;
    for (int64_t i = 0; i < f->swaps; i++) {
        const gx_image_swap *s = &f->network[i];
        const char *name = s->keep_low && s->keep_high ? "both" : s->keep_low ? "low" : "high";
        if (!gx_buf_printf(out, "%s gx_%s(v[%d], v[%d]);", i % 4 ? "" : " \\\n   ", name, s->low,
                           s->high))
            return false;
    }
    return gx_buf_puts(out, "\n");
}

/* What the marching kernels are made for. */
static bool add_march(gx_buf *out, const filter_key *k) {
    bool narrow = is_single(k->from) && is_single(k->to) && k->single;
    return gx_buf_printf(out, "#define SIZE %d\n#define KIND %d\ntypedef %s W;\n"
                              "#define GX_KEEP(x) %s\n#define GX_GIVE(x) %s\n",
                         k->size, k->symmetry, narrow ? "float" : "double",
                         narrow ? "(W)gx_put(x)" : "(x)", narrow ? "(Y)(x)" : "gx_put(x)");
}

bool gx_filter_source(gx_rt *rt, const void *arg, gx_buf *out) {
    const filter_text *t = arg;
    const filter_key *k = &t->key;
    gx_emit e = {.out = out, .ok = true};
    (void)rt;
    gx_emit_text(&e, "#define GX_FN static __device__ __forceinline__\n");
    gx_emit_section(&e, "trunc");
    gx_emit_text(&e, "typedef %s X;\ntypedef %s Y;\ntypedef %s V;\ntypedef %s I;\n"
                 "#define D %d\n#define ENTRY %d\n",
                 gx_dtypes[k->from].cuda, gx_dtypes[k->to].cuda, k->single ? "float" : "double",
                 k->wide ? "unsigned long long" : "unsigned", k->dims ? k->dims : 1,
                 k->entry);
    return e.ok && add_put(out, k->to) && (k->taps == 0 || add_network(out, t->f)) &&
           (k->size == 0 || add_march(out, k)) &&
           gx_buf_puts(out, gx_device_text_filter);
}

/* Lines and sums of any windows. What has the window in its text is compiled when it is needed, but
   for usual medians (gx_gpu_rank_text). */
bool gx_filter_texts(gx_gpu_texts *l) {
    static const uint8_t floats[] = {GX_f32, GX_f64};
    for (size_t i = 0; i < sizeof floats; i++)
        for (int e = COLUMNS; e <= SUMS; e++)
            for (uint8_t dims = 1; dims <= 2; dims++) {
                const filter_text t = {.key = {.entry = (uint8_t)e, .from = floats[i],
                                               .to = floats[i], .single = is_single(floats[i]),
                                               .dims = e == SUMS ? dims : 0}};
                if ((e == SUMS || dims == 1) && !gx_gpu_text(l, &t)) return false;
            }
    return true;
}

bool gx_gpu_rank_text(gx_gpu_texts *l, const gx_filter *f) {
    filter_text t = {.f = f};
    t.key.entry = RANK;
    t.key.from = t.key.to = f->from;
    t.key.single = is_single(f->from);
    t.key.dims = (uint8_t)f->ndim;
    t.key.taps = (uint16_t)f->taps;
    t.key.slot = (uint16_t)f->slot;
    l->family = gx_gpu_family_FILTER();
    return gx_gpu_text(l, &t);
}

static bool launch(gx_gpu *g, const filter_text *t, int64_t blocks, int threads, int64_t shared,
                   const void *params, size_t bytes) {
    gx_gpu_kernel *k;
    return gx_gpu_kernel_get(g, gx_gpu_family_FILTER(), &t->key, sizeof t->key,
                             entries[t->key.entry], t, &k) &&
           gx_gpu_launch(g, k, blocks, threads, (int)shared, params, bytes);
}

/* --- one axis --- */

/* How a pass is launched. */
typedef struct cut {
    entry entry;
    int64_t blocks, shared;
    int threads; /* 0: not this way */
} cut;

/* Columns, 32 of them beside each other. */
static cut cut_columns(const gx_filter *f, line_params *p, int64_t most, bool extreme, int item) {
    cut best = {.threads = 0};
    for (int tall = TALL; tall >= 2; tall /= 2) {
        int64_t high = tall * RESULTS, tile = (high + f->size - 1) * 32 * item;
        int64_t shared = extreme ? 2 * tile : tile + f->size * 8;
        if (shared > most || (tall > 2 && shared > EASY && 2 * f->size < high)) continue;
        if (tall > 2 && high / 2 >= f->n) continue;
        p->wide = (f->inner + 31) / 32;
        p->tiles = (f->n + high - 1) / high;
        best = (cut){extreme ? EXTREME_COLUMNS : COLUMNS, p->wide * p->tiles * f->outer,
                     shared, 32 * tall};
        break;
    }
    return best;
}

/* Lines of the last axis, several short ones or a part of a long one in a block. */
static cut cut_rows(const gx_filter *f, line_params *p, int64_t most, bool extreme, int item) {
    cut best = {.threads = 0};
    const int64_t room = MOST_ROW * RESULTS;
    p->tiles = (f->n + room - 1) / room;
    p->each = ((f->n + p->tiles - 1) / p->tiles + RESULTS - 1) / RESULTS * RESULTS;
    int64_t threads = p->each / RESULTS, places = p->each + f->size + RESULTS;
    p->lines = p->tiles > 1 || threads > 128 ? 1 : 256 / threads;
    if (p->lines > f->outer) p->lines = f->outer;
    for (;; p->lines = (p->lines + 1) / 2) {
        int64_t tile = p->lines * (places + places / 8 + 1) * item;
        best.shared = extreme ? 2 * tile : tile + f->size * 8;
        if (best.shared <= EASY || p->lines == 1) break;
    }
    if (best.shared > most) return best;
    best.threads = (int)(p->lines * threads);
    if (best.threads < 32) best.threads = 32;
    best.blocks = (f->outer + p->lines - 1) / p->lines * p->tiles;
    best.entry = extreme ? EXTREME_ROWS : ROWS;
    return best;
}

/* Position i beyond an edge is turn * i + low, or + high. */
static void set_edges(const gx_filter *f, line_params *p) {
    const int32_t n = (int32_t)f->n;
    p->positions = n;
    p->turn = p->low = 0;
    p->high = n - 1;
    switch (f->edge) {
    case GX_EDGE_REFLECT:
        p->turn = p->low = -1;
        p->high = 2 * n - 1;
        break;
    case GX_EDGE_MIRROR:
        p->turn = -1;
        p->high = 2 * n - 2;
        break;
    case GX_EDGE_WRAP:
        p->turn = 1;
        p->low = n;
        p->high = -n;
        break;
    case GX_EDGE_NEAREST:
    case GX_EDGE_FILL:
        break;
    }
}

/* Few weights: threads go along parts of lines that are long for the window. Its kernel is made for
   the window: until it is there, the others give the same sums. */
static cut cut_march(const gx_filter *f, line_params *p) {
    cut how = {.threads = 0};
    int64_t beside = f->inner > 1 ? f->inner * f->outer : f->outer, least = 4 * f->size;
    if (f->kind != GX_FILTER_WEIGHTS || f->size < 2 || f->size > FEW || f->size > f->n ||
        f->n > 1 << 29)
        return how;
    if (f->inner > 1 ? f->inner < 32 : f->outer < 32) return how;
    if (least < 64) least = 64;
    int64_t parts = (4 * MANY + beside - 1) / beside, most = f->n / least;
    if (parts > most) parts = most;
    if (parts < 1) parts = 1;
    if (beside * parts < MANY / 4) return how;
    p->each = (f->n + parts - 1) / parts;
    p->tiles = (f->n + p->each - 1) / p->each;
    how.threads = 128;
    if (f->inner > 1) {
        p->wide = (f->inner + 127) / 128;
        how.entry = MARCH_COLUMNS;
        how.blocks = p->wide * p->tiles * f->outer;
    } else {
        how.entry = MARCH_ROWS;
        how.blocks = ((f->outer + 31) / 32 * p->tiles + 3) / 4;
    }
    return how;
}

/* NULL: not yet. */
static bool find_march(gx_gpu *g, const filter_text *t, gx_gpu_kernel **k) {
    const int which = (int)g->base.rt->debug.kernels;
    *k = NULL;
    if (which == GX_KERNELS_GENERAL) return true;
    return (which == GX_KERNELS_OWN ? gx_gpu_kernel_get : gx_gpu_kernel_soon)(
        g, gx_gpu_family_FILTER(), &t->key, sizeof t->key, entries[t->key.entry], t, k);
}

static bool run_line(gx_gpu *g, const gx_filter *f, filter_text *t) {
    bool extreme = f->kind == GX_FILTER_MIN || f->kind == GX_FILTER_MAX;
    int item = extreme && t->key.single ? 4 : 8;
    int64_t most = g->shared_block, total = f->outer * f->n * f->inner;
    line_params p = {.in = gx_gpu_address(f->in) + (gx_gpu_ptr)f->in_at,
                     .out = gx_gpu_address(f->out) + (gx_gpu_ptr)f->out_at, .cval = f->cval,
                     .outer = f->outer, .n = f->n, .inner = f->inner, .size = f->size,
                     .before = f->before, .in_step = f->in_step, .out_step = f->out_step,
                     .edge = (int32_t)f->edge, .kind = f->symmetry};
    if (extreme) p.kind = f->kind == GX_FILTER_MAX ? 1 : -1;
    if (f->kind == GX_FILTER_MEAN) p.kind = 0;
    cut how = cut_march(f, &p);
    if (how.threads > 0) {
        gx_gpu_kernel *k;
        set_edges(f, &p);
        memcpy(p.f, f->weights, (size_t)f->size * sizeof(double));
        t->key.size = (int16_t)f->size;
        t->key.symmetry = (int16_t)f->symmetry;
        t->key.entry = (uint8_t)how.entry;
        if (!find_march(g, t, &k)) return false;
        if (k)
            return gx_gpu_launch(g, k, how.blocks, how.threads, 0, &p,
                                 offsetof(line_params, f) + (size_t)f->size * sizeof(double));
        t->key.size = t->key.symmetry = 0;
        how.threads = 0;
    }
    if (f->size < 1 << 20)
        how = f->inner > 1 ? cut_columns(f, &p, most, extreme, item)
                           : cut_rows(f, &p, most, extreme, item);
    if (!how.threads)
        how = (cut){.entry = FAR, .blocks = (total + 255) / 256, .threads = 256};
    t->key.entry = (uint8_t)how.entry;
    gx_buffer *weights = NULL;
    if (f->kind == GX_FILTER_WEIGHTS) {
        if (!gx_gpu_scratch(g, f->size * 8, &weights)) return false;
        p.weights = gx_gpu_address(weights);
    }
    bool ok = (!weights || gx_gpu_put(g, p.weights, f->weights, f->size * 8)) &&
              launch(g, t, how.blocks, how.threads, how.shared, &p, offsetof(line_params, turn));
    gx_buffer_drop(weights);
    return ok;
}

/* --- neighbourhoods --- */

typedef struct grid_params {
    gx_gpu_ptr in, out, weights, tap;
    double cval;
    int64_t total, taps, in_step, out_step;
    int64_t rest[3 * MOST_DIMS + 1]; /* shape, low, high of each dim, then the edge */
} grid_params;

/* The taps as the kernel wants them: weights and distances, then steps along the axes. */
static void lay_out(const gx_filter *f, int64_t *to, grid_params *p) {
    int n = f->ndim;
    int64_t *low = p->rest + n, *high = low + n;
    for (int d = 0; d < n; d++) {
        p->rest[d] = f->shape[d];
        low[d] = high[d] = 0;
    }
    for (int64_t t = 0; t < f->taps; t++) {
        int64_t far = 0;
        for (int d = 0; d < n; d++) {
            int64_t v = f->tap[t * n + d];
            far = far * f->shape[d] + v;
            if (v < low[d]) low[d] = v;
            if (v > high[d]) high[d] = v;
            to[2 * f->taps + t * n + d] = v;
        }
        if (f->tap_weight) memcpy(to + 2 * t, f->tap_weight + t, sizeof(double));
        to[2 * t + 1] = far * f->in_step;
    }
    int32_t edge = (int32_t)f->edge;
    memcpy(p->rest + 3 * n, &edge, sizeof edge);
}

static bool run_grid(gx_gpu *g, const gx_filter *f, const filter_text *t) {
    gx_rt *rt = g->base.rt;
    int64_t all = f->taps * (2 + f->ndim), total = 1;
    for (int d = 0; d < f->ndim; d++) total *= f->shape[d];
    grid_params p = {.in = gx_gpu_address(f->in) + (gx_gpu_ptr)f->in_at,
                     .out = gx_gpu_address(f->out) + (gx_gpu_ptr)f->out_at, .cval = f->cval,
                     .total = total, .taps = f->taps, .in_step = f->in_step,
                     .out_step = f->out_step};
    gx_buffer *b;
    int64_t *host = gx_alloc_zero(rt, (size_t)(all * 8 + 8));
    if (!host) return false;
    if (!gx_gpu_scratch(g, all * 8 + 8, &b)) {
        gx_free(rt, host);
        return false;
    }
    p.weights = gx_gpu_address(b);
    p.tap = p.weights + (gx_gpu_ptr)(f->taps * 16);
    lay_out(f, host, &p);
    bool sums = f->kind == GX_FILTER_SUMS;
    int64_t each = sums ? 512 : 256, shared = sums && f->taps <= NEAR ? f->taps * 16 : 0;
    size_t bytes = offsetof(grid_params, rest) + (size_t)(3 * f->ndim + 1) * 8;
    bool ok = gx_gpu_put(g, p.weights, host, all * 8) &&
              launch(g, t, (total + each - 1) / each, 256, shared, &p, bytes);
    gx_buffer_drop(b);
    gx_free(rt, host);
    return ok;
}

bool gx_gpu_filter_text(gx_rt *rt, const gx_filter *f, int kernel, gx_buf *out) {
    filter_text t = {.f = f, .key = {.entry = (uint8_t)kernel, .from = f->from, .to = f->to}};
    t.key.single = is_single(f->from);
    t.key.dims = (uint8_t)f->ndim;
    if (kernel == RANK) t.key.taps = (uint16_t)f->taps;
    if (kernel >= MARCH_COLUMNS) {
        t.key.size = (int16_t)f->size;
        t.key.symmetry = (int16_t)f->symmetry;
    }
    return kernel < (int)(sizeof entries / sizeof *entries) && gx_filter_source(rt, &t, out);
}

bool gx_gpu_takes_filter(const gx_filter *f) {
    if (f->kind != GX_FILTER_SUMS && f->kind != GX_FILTER_RANK) return true;
    if (f->ndim > MOST_DIMS) return false;
    return f->kind == GX_FILTER_SUMS ||
           (f->network && f->taps <= (is_single(f->from) ? TAPS_SINGLE : TAPS_DOUBLE));
}

bool gx_gpu_filter(gx_device *d, const gx_filter *f) {
    gx_gpu *g = gx_gpu_of(d);
    bool rank = f->kind == GX_FILTER_RANK, grid = rank || f->kind == GX_FILTER_SUMS;
    int64_t total = 1;
    for (int i = 0; i < f->ndim && grid; i++) total *= f->shape[i];
    filter_text t = {.f = f};
    t.key.from = f->from;
    t.key.to = f->to;
    t.key.single = is_single(f->from) && f->cval == (double)(float)f->cval;
    t.key.entry = rank ? RANK : SUMS;
    if (grid) t.key.dims = (uint8_t)f->ndim;
    t.key.wide = total >= INT32_MAX;
    if (rank) {
        t.key.taps = (uint16_t)f->taps;
        t.key.slot = (uint16_t)f->slot;
    }
    if (!g->driver->usable(g)) return false;
    return grid ? run_grid(g, f, &t) : run_line(g, f, &t);
}
