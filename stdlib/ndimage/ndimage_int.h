/* What the files of this folder share: one call of a filter of images (its input, dtype of the
   output, axes and boundary modes), passes along one axis, and neighbourhoods of several axes.
   Elements are computed in double whatever their dtype and converted when stored, as SciPy's are;
   complex ones are two real images. Passes and neighbourhoods are the backend's
   (runtime/backend/filter.h), where the image lives; the rest needs arrays on the host. */
#ifndef GX_STDLIB_NDIMAGE_NDIMAGE_INT_H
#define GX_STDLIB_NDIMAGE_NDIMAGE_INT_H

#include "kernels/image.h"
#include "runtime/device/work.h"
#include "runtime/backend/filter.h"
#include "stdlib/numpy/base/scope.h"

/* What lies beyond an edge. */
typedef enum gx_nd_mode {
    GX_ND_REFLECT = GX_EDGE_REFLECT,
    GX_ND_NEAREST = GX_EDGE_NEAREST,
    GX_ND_MIRROR = GX_EDGE_MIRROR,
    GX_ND_FILL = GX_EDGE_FILL,
    GX_ND_WRAP = GX_EDGE_WRAP
} gx_nd_mode;

typedef struct gx_nd {
    gx_call *c;
    gx_np s;
    gx_array *in; /* C-contiguous */
    gx_dtype to;  /* dtype of the output */
    int output;   /* the output= argument when it is an array, or -1 */
    int count;    /* axes to work along */
    int axes[GX_MAX_DIMS];
    gx_nd_mode mode[GX_MAX_DIMS]; /* of each of them */
    double cval;
} gx_nd;

/* ---- args.c ---- */
/* Opens a call: argument 0 is the input, the others are at these places (-1: there is none). */
GX_CHECK bool gx_nd_open(gx_call *c, gx_nd *k, int output, int mode, int cval, int axes);
/* Passes and neighbourhoods take no float16; where nothing is filtered it is as good as others. */
GX_CHECK bool gx_nd_no_half(const gx_nd *k);
/* Ends it: gives r, stored into output= where that is an array. r NULL: an error is pending. */
GX_CHECK bool gx_nd_close(gx_nd *k, gx_array *r, gx_value *out);
/* A correlation with complex weights (argument 1), where they are that: the function of the call
   with their real and their imaginary parts (negated where `conjugate`), put together. `output`:
   the place of that argument. *done: it was, or it failed. */
GX_CHECK bool gx_nd_complex_weights(gx_call *c, int output, bool conjugate, bool *done,
                                    gx_value *out);
/* A number, or one for each axis; `fallback` where not given. */
GX_CHECK bool gx_nd_numbers(gx_nd *k, int arg, double fallback, double *out);
/* The same of integers. */
GX_CHECK bool gx_nd_ints(gx_nd *k, int arg, int64_t fallback, int64_t *out);
/* Makes an axis argument the only axis of the call. */
GX_CHECK bool gx_nd_one_axis(gx_nd *k, int arg);
/* Where the window of `size` starts before an element; ValueError for an origin outside it. */
GX_CHECK bool gx_nd_window(gx_nd *k, int64_t size, int64_t origin, int64_t *before);

/* ---- pass.c ---- */
/* What a pass makes of the window of `size` elements that starts `before` before each element. */
typedef struct gx_nd_line {
    gx_filter_kind kind; /* of those along one axis */
    gx_nd_mode mode;
    double cval;
    int64_t size, before;
    const double *weights;
} gx_nd_line;
/* Passes one after the other: each reads the array of the one before (at first k->in) and writes
   another of dtype k->to. */
typedef struct gx_nd_chain {
    gx_array *now, *spare; /* NULL: none yet */
} gx_nd_chain;
/* The dtype of what a pass or a neighbourhood stores: k->to, or for bool a byte, which has a sign
   and a size before it is true or false, as in SciPy. */
gx_dtype gx_nd_stored(const gx_nd *k);
/* The chain's array filtered along an axis. */
GX_CHECK bool gx_nd_pass(gx_nd *k, gx_nd_chain *chain, int axis, const gx_nd_line *line);
/* The chain's array, of dtype k->to; when no pass was made, the input converted. */
gx_array *gx_nd_result(gx_nd *k, const gx_nd_chain *chain);

/* ---- binary.c ---- */
/* A structure of 3 along each of at most 16 axes: its middle and the neighbours at most that many
   steps away. */
gx_array *gx_nd_cross(gx_np *s, int64_t rank, int64_t connectivity);
/* A structure argument over the axes of the call as a bool array; by default the neighbours that
   share a face. NULL: an error is pending. */
gx_array *gx_nd_structure(gx_nd *k, int arg);

/* ---- distance.c ---- */
/* The coordinates of the nearest zeros, given by their places in C order (-1: there is none): one
   image of int32 for each axis of a. */
gx_array *gx_nd_places(gx_np *s, const gx_array *a, const int64_t *nearest);

/* ---- window.c ---- */
/* A neighbourhood: `taps` positions (before[] to the first corner), used as weights or ranked. */
typedef struct gx_nd_window_of {
    int64_t shape[GX_MAX_DIMS], before[GX_MAX_DIMS];
    const double *weights; /* of each place in C order; a place of 0 is outside */
    int64_t rank;          /* -1: the sum of products; else the element of that rank */
} gx_nd_window_of;
/* The input filtered with the neighbourhood (one mode for all axes), of dtype k->to; or NULL. */
gx_array *gx_nd_grid(gx_nd *k, const gx_nd_window_of *w);

#endif
