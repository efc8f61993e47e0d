#include "runtime/op/bins.h"

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/op/laid_out_int.h"

GX_CHECK bool gx_array_extent(gx_rt *rt, gx_array *a, gx_scalar *low, gx_scalar *high) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    gx_array *flat;
    gx_elements e;
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    const bool ok = d->backend->order->extent(d, &e, low, high);
    gx_array_drop(flat);
    return ok;
}

/* Where elements are put into bins. */
static gx_place place_of_bins(gx_rt *rt, const gx_array *a, int64_t bins, bool weighted) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    const bool takes = a->count && d->backend->order->takes_bins(d, a->count, bins, weighted);
    return takes ? place : GX_HOST;
}

/* With elements that are laid out at a place. */
static bool fill_bins(gx_rt *rt, gx_place place, const gx_elements *e, const gx_bins *b,
                      gx_array *weights, gx_array *like, gx_array **out) {
    gx_device *d = gx_place_device(rt, place);
    const gx_order_calls *order = d->backend->order;
    gx_array *wide = NULL, *flat = NULL, *r;
    gx_elements w;
    gx_buffer *to;
    if (!gx_array_empty_at(rt, place, weights ? GX_f64 : GX_i64, 1, &b->count,
                           (gx_namespace)like->ns, &r))
        return false;
    bool ok = gx_data_at(rt, r->storage->data, place, &to);
    if (ok && weights)
        ok = gx_array_cast(rt, weights, GX_f64, false, &wide) &&
             gx_laid_out(rt, place, wide, &flat, &w) && order->weighted_bincount(d, e, b, &w, to);
    else if (ok)
        ok = b->edges ? order->histogram(d, e, b, to) : order->count(d, e, b->count, to);
    gx_array_drop(wide);
    gx_array_drop(flat);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_histogram(gx_rt *rt, gx_array *a, const gx_bins *b, gx_array *weights,
                                 gx_array **out) {
    const gx_place place = place_of_bins(rt, a, b->count, weights != NULL);
    gx_array *flat;
    gx_elements e;
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    const bool ok = fill_bins(rt, place, &e, b, weights, a, out);
    gx_array_drop(flat);
    return ok;
}

/* How many bins integers need. */
static bool bins_needed(gx_rt *rt, gx_place place, const gx_elements *e, int64_t least,
                        int64_t *out) {
    gx_device *d = gx_place_device(rt, place);
    gx_scalar low, high;
    *out = least;
    if (e->n == 0) return true;
    if (!d->backend->order->extent(d, e, &low, &high)) return false;
    const int64_t first = gx_scalar_cast(e->dtype, GX_i64, &low).i64;
    const int64_t last = gx_scalar_cast(e->dtype, GX_i64, &high).i64;
    if (first < 0 || last < 0) /* a large uint64 */
        return gx_fail(rt, GX_ValueError, "bincount.negative",
                       "'list' argument must have no negative elements");
    if (last >= least) *out = last + 1;
    return true;
}

GX_CHECK bool gx_array_bincount(gx_rt *rt, gx_array *a, int64_t least, gx_array *weights,
                                gx_array **out) {
    const gx_place place = gx_array_place(a);
    gx_bins b = {.edges = NULL};
    gx_array *flat;
    gx_elements e;
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    bool ok = bins_needed(rt, place, &e, least, &b.count);
    if (ok)
        ok = place_of_bins(rt, a, b.count, weights != NULL) == place
                 ? fill_bins(rt, place, &e, &b, weights, a, out)
                 : gx_array_histogram(rt, flat, &b, weights, out);
    gx_array_drop(flat);
    return ok;
}
