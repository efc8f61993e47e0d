/* Bins (kernels/ranks.cu): how many elements fall into each, or the sums of their weights. Counts
   are integers, and what weight is added to which is decided by the bins of the elements, whatever
   the threads do: each run gives the same bits, for bins of up to 4096 elements the host's. */
#include <math.h>
#include <string.h>

#include "runtime/backend/gpu/order_int.h"

bool gx_order_in_float(gx_dtype d) {
    return d == GX_f32 || gx_is_half(d) ||
           (gx_dtypes[d].kind < GX_KIND_FLOAT && gx_dtypes[d].bytes <= 2);
}

/* The struct of ranks.cu with F double, and with F float. */
typedef struct wide_params {
    gx_gpu_ptr from, edges, to, words;
    int64_t n;
    uint32_t bins, copies;
    double first, last, scale;
    int32_t shared_edges;
} wide_params;

typedef struct narrow_params {
    gx_gpu_ptr from, edges, to, words;
    int64_t n;
    uint32_t bins, copies;
    float first, last, scale;
    int32_t shared_edges;
} narrow_params;

typedef struct bin_weights_params {
    gx_gpu_ptr words, numbers, weights, to, pieces;
    int64_t n;
    uint32_t bins;
} bin_weights_params;

enum { SHARED = 48 << 10, COUNTS = 32 << 10 };

/* How many tables of counts a block keeps, so that lanes get into each other's way less. */
static uint32_t copies_of(int64_t bins, int64_t room) {
    uint32_t copies = 32;
    while (copies && bins * 4 * copies > room) copies /= 2;
    return copies;
}

static double or_zero(double x) {
    return isfinite(x) ? x : 0;
}

static bool launch_bins(gx_gpu *g, const gx_order_key *key, const char *entry, int64_t blocks,
                        int shared, const wide_params *p) {
    narrow_params q = {.from = p->from, .edges = p->edges, .to = p->to, .words = p->words,
                       .n = p->n, .bins = p->bins, .copies = p->copies, .first = (float)p->first,
                       .last = (float)p->last, .scale = (float)p->scale,
                       .shared_edges = p->shared_edges};
    bool narrow = gx_order_in_float((gx_dtype)key->dtype);
    return gx_order_launch(g, key, entry, blocks, shared,
                           narrow ? (const void *)&q : (const void *)p,
                           narrow ? sizeof q : sizeof *p);
}

/* x >= edge for all x of float where x >= the result. */
static float rounded_up(double edge) {
    float f = (float)edge;
    return (double)f < edge ? nextafterf(f, INFINITY) : f;
}
static float rounded_down(double edge) {
    float f = (float)edge;
    return (double)f > edge ? nextafterf(f, -INFINITY) : f;
}

/* Edges to the device, in what elements are compared in. */
static bool put_edges(gx_gpu *g, const gx_bins *b, bool narrow, wide_params *p,
                      gx_buffer **room) {
    int64_t n = b->count + 1, each = narrow ? 4 : 8;
    float *rounded = narrow ? gx_alloc(g->base.rt, (size_t)n * sizeof *rounded) : NULL;
    if (narrow && !rounded) return false;
    for (int64_t i = 0; narrow && i < n; i++) rounded[i] = rounded_up(b->edges[i]);
    p->first = narrow ? (double)rounded[0] : b->edges[0];
    p->last = narrow ? (double)rounded_down(b->edges[n - 1]) : b->edges[n - 1];
    bool ok = gx_gpu_scratch(g, n * each, room);
    if (ok) {
        p->edges = gx_gpu_address(*room);
        ok = gx_gpu_upload(g, p->edges, narrow ? (const void *)rounded : (const void *)b->edges,
                            n * each);
    }
    gx_free(g->base.rt, rounded);
    return ok;
}

/* Parameters for the bins of elements; *edges: their bytes in shared memory. */
static bool open_bins(gx_gpu *g, const gx_elements *from, const gx_bins *b, gx_order_key *key,
                      wide_params *p, gx_buffer **room, int *edges) {
    bool narrow = gx_order_in_float(from->dtype);
    int64_t bytes = (b->count + 1) * (narrow ? 4 : 8);
    *key = gx_order_key_of(from, GX_ORDER_BINS);
    *p = (wide_params){.from = gx_order_address(from), .n = from->n, .bins = (uint32_t)b->count};
    *room = NULL;
    *edges = 0;
    if (!b->edges) {
        key->count = 1;
        return true;
    }
    p->scale = or_zero((double)b->count / (b->edges[b->count] - b->edges[0]));
    if (narrow) p->scale = or_zero((double)(float)p->scale);
    p->shared_edges = bytes <= SHARED - COUNTS;
    if (p->shared_edges) *edges = (int)bytes;
    return put_edges(g, b, narrow, p, room);
}

/* Weights are added in an order that the library's sort of words finds. */
bool gx_gpu_takes_bins(gx_device *d, int64_t n, int64_t bins, bool weighted) {
    return bins < INT32_MAX && (!weighted || gx_gpu_can_sort(d, GX_c64, 1, n));
}

bool gx_gpu_histogram(gx_device *d, const gx_elements *from, const gx_bins *b, gx_buffer *to) {
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *room;
    gx_order_key key;
    wide_params p;
    int edges;
    bool ok = open_bins(g, from, b, &key, &p, &room, &edges);
    p.to = gx_gpu_address(to);
    p.copies = copies_of(b->count, b->edges ? COUNTS : SHARED);
    key.width = gx_order_width(p.from, 1, p.n, gx_dtypes[key.dtype].bytes);
    ok = ok && gx_gpu_fill(g, p.to, 0, b->count * 8) &&
         launch_bins(g, &key, "gx_fill_bins", gx_order_blocks(g, p.n, 4096),
             edges + (int)(b->count * 4 * p.copies), &p);
    gx_buffer_drop(room);
    return ok;
}

bool gx_gpu_count(gx_device *d, const gx_elements *from, int64_t bins, gx_buffer *to) {
    const gx_bins b = {.edges = NULL, .count = bins};
    return gx_gpu_histogram(d, from, &b, to);
}

enum { PIECE = 1024 };

/* Elements are put in the order of their bins, and the weights of each bin are added up. Which bins
   have many elements the device alone knows: the pieces of all are looked at. */
bool gx_gpu_weighted_bincount(gx_device *d, const gx_elements *from, const gx_bins *b,
                   const gx_elements *weights, gx_buffer *to) {
    gx_gpu *g = gx_gpu_of(d);
    gx_buffer *room = NULL, *pieces = NULL;
    gx_order_key key;
    gx_deck deck;
    wide_params p = {.n = from->n, .bins = (uint32_t)b->count};
    int edges, bits = 1;
    const int64_t parts = (from->n + PIECE - 1) / PIECE;
    while (bits < 32 && (INT64_C(1) << bits) <= b->count) bits++;
    if (!gx_deck_open(g, &deck, from->n, 4)) return false;
    bool ok = gx_gpu_scratch(g, parts * 16, &pieces) &&
              open_bins(g, from, b, &key, &p, &room, &edges);
    p.words = gx_deck_words(&deck);
    p.to = gx_deck_numbers(&deck);
    ok = ok && launch_bins(g, &key, "gx_bin_words", (p.n + 255) / 256, edges, &p) &&
         gx_deck_sort(g, &deck, p.n, 0, bits);
    key = gx_order_key_of(weights, GX_ORDER_WEIGH);
    bin_weights_params w = {gx_deck_words(&deck), gx_deck_numbers(&deck), gx_order_address(weights),
                      gx_gpu_address(to), pieces ? gx_gpu_address(pieces) : 0, p.n, p.bins};
    ok = ok && gx_order_launch(g, &key, "gx_sum_pieces", (parts + 7) / 8, 0, &w, sizeof w) &&
         gx_order_launch(g, &key, "gx_sum_weights", (b->count + 7) / 8, 0, &w, sizeof w);
    gx_buffer_drop(room);
    gx_buffer_drop(pieces);
    gx_deck_close(&deck);
    return ok;
}
