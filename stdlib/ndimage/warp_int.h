/* What the files spline.c, resample.c and warp.c share: resampling of images by splines of
   order 0 to 5. Elements are computed in double. */
#ifndef GX_STDLIB_NDIMAGE_WARP_INT_H
#define GX_STDLIB_NDIMAGE_WARP_INT_H

#include "runtime/backend/filter.h"
#include "runtime/device/work.h"
#include "stdlib/ndimage/warp_mode.h"
#include "stdlib/numpy/base/scope.h"

enum { GX_WARP_ORDER = 5, GX_WARP_PAD = 12 };

/* Coordinates of the input for each element of the output: given ones (nd rows of `count`); or
   matrix (nd x out_nd) times the output's plus offset; or, axis by axis, (k + offset) * scale. */
typedef struct gx_warp {
    gx_np *s;
    int order, nd, out_nd;
    gx_warp_mode mode;
    double cval;
    gx_array *points; /* given coordinates: float64 in C order */
    const double *matrix;
    double offset[GX_MAX_DIMS], scale[GX_MAX_DIMS];
    bool grid;               /* scale pixels, not the distances between their centres */
    bool still[GX_MAX_DIMS]; /* an axis whose coordinates are the output's */
    int64_t out_shape[GX_MAX_DIMS], count;
    bool prefilter;
} gx_warp;

/* ---- spline.c ---- */
/* The real array as float64 in C order with the spline's coefficients of lines along an axis, or
   along all (axis -1) but those that are still (may be NULL). NULL: an error is pending. */
gx_array *gx_nd_splines(gx_np *s, gx_array *a, int axis, const bool *still, int order,
                        gx_warp_mode mode);

/* ---- resample.c ---- */
/* A real array resampled, of dtype `to`. NULL: an error is pending. */
gx_array *gx_nd_resample(const gx_warp *w, gx_array *a, gx_dtype to);

#endif
