/* Filters of images as a backend is asked for them: one pass along an axis of a C-contiguous
   array, or a neighbourhood of several axes. Elements are computed in double whatever their dtype
   and converted when stored. `step` elements apart: 2 for one part of complex numbers. */
#ifndef GX_RUNTIME_BACKEND_FILTER_H
#define GX_RUNTIME_BACKEND_FILTER_H

#include "runtime/backend/tape.h"

struct gx_buffer;
struct gx_image_swap;

typedef enum gx_filter_kind {
    GX_FILTER_WEIGHTS, /* along one axis: the sum of products, … */
    GX_FILTER_MEAN,
    GX_FILTER_MIN,
    GX_FILTER_MAX,
    GX_FILTER_SUMS, /* of a neighbourhood: the sum of products in the order of the taps, … */
    GX_FILTER_RANK  /* what a selection network leaves in `slot` */
} gx_filter_kind;

/* What lies beyond an edge (abcd): dcba|abcd|dcba, aaaa|abcd|dddd, dcb|abcd|cba, cval, abcd. */
typedef enum gx_filter_edge {
    GX_EDGE_REFLECT,
    GX_EDGE_NEAREST,
    GX_EDGE_MIRROR,
    GX_EDGE_FILL,
    GX_EDGE_WRAP
} gx_filter_edge;

typedef struct gx_filter {
    gx_filter_kind kind;
    gx_filter_edge edge;
    uint8_t from, to; /* gx_dtype: real ones, not float16 */
    double cval;
    struct gx_buffer *in, *out;
    int64_t in_at, out_at; /* bytes to the first element */
    int in_step, out_step;
    /* Along one axis of (outer, n, inner): `size` elements that start `before` before each. */
    int64_t outer, n, inner, size, before;
    const double *weights;
    int symmetry; /* 1: the weights mirror themselves, -1: with the sign changed, 0: neither */
    /* A neighbourhood of taps: for each the steps from the element along every axis (ndim * taps
       of them), and its weight. */
    int ndim;
    int64_t shape[GX_MAX_DIMS], taps;
    const int64_t *tap;
    const double *tap_weight;
    const struct gx_image_swap *network; /* of RANK; NULL: there are too many taps for one */
    int64_t swaps, slot;
} gx_filter;

#endif
