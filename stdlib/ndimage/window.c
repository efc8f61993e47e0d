/* Filters over neighbourhoods of several axes: sums of products (correlate) and ranks (median,
   minimum of a footprint). Sums are of doubles in the order of the taps, as SciPy's; ranks of few
   taps go through a selection network. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/op/whole.h"
#include "stdlib/numpy/base/each.h"
#include "stdlib/ndimage/ndimage_int.h"

enum { FEW = 256 };

/* A sorting network (Batcher's merge exchange) for n slots, of which only the steps that slot
   `rank` depends on are kept. The count; with network NULL it is an upper bound. */
int64_t gx_nd_network(int64_t n, int64_t rank, gx_image_swap *network) {
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

/* The places of the window that count, as steps from the element, and their weights. */
static bool list_taps(gx_nd *k, const gx_nd_window_of *w, int64_t places, gx_filter *f) {
    const int nd = f->ndim;
    int64_t at[GX_MAX_DIMS] = {0}, n = 0;
    int64_t *tap = gx_np_room(&k->s, places * nd + 1, sizeof *tap);
    double *weight = gx_np_room(&k->s, places + 1, sizeof *weight);
    if (!tap || !weight) return false;
    for (int64_t i = 0; i < places; i++) {
        if (fabs(w->weights[i]) > DBL_EPSILON) {
            for (int d = 0; d < nd; d++) tap[n * nd + d] = at[d] - w->before[d];
            weight[n++] = w->weights[i];
        }
        for (int d = nd - 1; d >= 0 && ++at[d] == w->shape[d]; d--) at[d] = 0;
    }
    f->tap = tap;
    f->tap_weight = w->rank < 0 ? weight : NULL;
    f->taps = n;
    return true;
}

static bool add_network(gx_nd *k, gx_filter *f) {
    gx_image_swap *network =
        gx_np_room(&k->s, gx_nd_network(f->taps, f->slot, NULL) + 1, sizeof *network);
    if (!network) return false;
    f->swaps = gx_nd_network(f->taps, f->slot, network);
    f->network = network;
    return true;
}

gx_array *gx_nd_grid(gx_nd *k, const gx_nd_window_of *w) {
    gx_array *in = k->in, *out;
    if (!gx_nd_no_half(k)) return NULL;
    if (!gx_array_empty_near(k->c->rt, 1, &in, gx_nd_stored(k), in->ndim, gx_shape(in), k->s.ns,
                             &out))
        return NULL;
    out = gx_np_own(&k->s, out);
    if (!out || in->count == 0) return gx_np_cast(&k->s, out, k->to);
    gx_filter f = {.kind = w->rank < 0 ? GX_FILTER_SUMS : GX_FILTER_RANK,
                   .edge = (gx_filter_edge)(k->count ? k->mode[0] : GX_ND_REFLECT),
                   .cval = k->cval, .ndim = in->ndim ? in->ndim : 1, .slot = w->rank};
    int64_t places = 1;
    for (int d = 0; d < f.ndim; d++) {
        f.shape[d] = in->ndim ? gx_shape(in)[d] : 1;
        if (__builtin_mul_overflow(places, w->shape[d], &places) || places > INT64_C(1) << 40) {
            gx_fail(k->c->rt, GX_MemoryError, "ndimage.size", "the filter window is too large");
            return NULL;
        }
    }
    if (!list_taps(k, w, places, &f)) return NULL;
    if (w->rank >= 0 && places <= FEW && !add_network(k, &f)) return NULL;
    return gx_array_filter(k->c->rt, in, &f, out) ? gx_np_cast(&k->s, out, k->to) : NULL;
}
