/* What the files spline.c, resample.c and warp.c share: resampling of images by splines of
   order 0 to 5. Elements are computed in double. */
#ifndef GX_STDLIB_NDIMAGE_WARP_INT_H
#define GX_STDLIB_NDIMAGE_WARP_INT_H

#include "runtime/device/work.h"
#include "stdlib/numpy/base/scope.h"

enum { GX_WARP_ORDER = 5, GX_WARP_PAD = 12 };

/* As gx_nd_mode; the grid modes continue the grid of elements, the others the line between them. */
typedef enum gx_warp_mode {
    GX_WARP_REFLECT,
    GX_WARP_NEAREST,
    GX_WARP_MIRROR,
    GX_WARP_CONSTANT,
    GX_WARP_GRID_CONSTANT,
    GX_WARP_WRAP,
    GX_WARP_GRID_WRAP
} gx_warp_mode;

/* Coordinates of the input for each element of the output: given ones (nd rows of `count`); or
   matrix (nd x out_nd) times the output's plus offset; or, axis by axis, (k + offset) * scale. */
typedef struct gx_warp {
    gx_np *s;
    int order, nd, out_nd;
    gx_warp_mode mode;
    double cval;
    const double *coordinates, *matrix;
    double offset[GX_MAX_DIMS], scale[GX_MAX_DIMS];
    bool grid;               /* scale pixels, not the distances between their centres */
    bool still[GX_MAX_DIMS]; /* an axis whose coordinates are the output's */
    int64_t out_shape[GX_MAX_DIMS], count;
    bool prefilter;
} gx_warp;

/* ---- spline.c ---- */
/* The spline's coefficients of lines along an axis of a C-contiguous float64 array, in place. */
GX_CHECK bool gx_nd_spline(gx_np *s, gx_array *a, int axis, int order, gx_warp_mode mode);

/* ---- resample.c ---- */
/* A real array resampled, of dtype `to`. NULL: an error is pending. */
gx_array *gx_nd_resample(const gx_warp *w, gx_array *a, gx_dtype to);

#endif
