/* Filters of windows: means, extremes, ranks and medians, and correlation with weights of several
   axes. A full window's mean or extreme is found axis by axis (pass.c); the rest goes over the
   neighbourhood (window.c). */
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"

extern const gx_native gx_nd_filters_functions[];

static bool bad_size(gx_rt *rt) {
    return gx_fail(rt, GX_RuntimeError, "ndimage.size", "incorrect filter size");
}

/* --- axis by axis */

/* `one`: the only axis of a filter along one, whose size must be one. Of several axes those of a
   size below 2 are passed by. */
static gx_array *passes(gx_nd *k, gx_filter_kind kind, const int64_t *size, const int64_t *origin,
                        bool one) {
    gx_nd_chain chain = {NULL, NULL};
    for (int i = 0; i < k->count; i++) {
        if (size[i] <= 1 && !one) continue;
        if (size[i] < 1) {
            (void)bad_size(k->c->rt);
            return NULL;
        }
        gx_nd_line line = {.kind = kind, .mode = k->mode[i], .cval = k->cval, .size = size[i]};
        if (!gx_nd_window(k, size[i], origin[i], &line.before)) return NULL;
        if (size[i] > 1 && !gx_nd_pass(k, &chain, k->axes[i], &line)) return NULL;
    }
    return gx_nd_result(k, &chain);
}

static bool not_complex(gx_nd *k) {
    return gx_dtype_kind(k->in->dtype) != GX_KIND_CPLX ||
           gx_fail(k->c->rt, GX_TypeError, "ndimage.complex", "Complex type not supported");
}

static bool line_filter(gx_call *c, gx_filter_kind kind, gx_value *out) {
    gx_nd k;
    int64_t size, origin = 0;
    if (!gx_nd_open(c, &k, 3, 4, 5, -1)) return false;
    bool ok = gx_nd_one_axis(&k, 2) && gx_arg_int(c, 1, &size) &&
              (!gx_arg_some(c, 6) || gx_arg_int(c, 6, &origin)) &&
              (kind == GX_FILTER_MEAN || not_complex(&k));
    return gx_nd_close(&k, ok ? passes(&k, kind, &size, &origin, true) : NULL, out);
}

static bool uniform_filter1d_fn(gx_call *c, gx_value *out) {
    return line_filter(c, GX_FILTER_MEAN, out);
}
static bool minimum_filter1d_fn(gx_call *c, gx_value *out) {
    return line_filter(c, GX_FILTER_MIN, out);
}
static bool maximum_filter1d_fn(gx_call *c, gx_value *out) {
    return line_filter(c, GX_FILTER_MAX, out);
}

static bool uniform_filter_fn(gx_call *c, gx_value *out) {
    gx_nd k;
    int64_t size[GX_MAX_DIMS], origin[GX_MAX_DIMS];
    if (!gx_nd_open(c, &k, 2, 3, 4, 6)) return false;
    bool ok = gx_nd_ints(&k, 1, 3, size) && gx_nd_ints(&k, 5, 0, origin);
    return gx_nd_close(&k, ok ? passes(&k, GX_FILTER_MEAN, size, origin, false) : NULL, out);
}

/* --- neighbourhoods */

/* A neighbourhood of an array's shape over the axes of the call. `mirrored`: for convolution. */
static bool window_of(gx_nd *k, gx_array *w, const int64_t *origin, bool mirrored,
                      gx_nd_window_of *out) {
    double *x = gx_np_data_write(&k->s, w);
    if (!x) return false;
    for (int d = 0; d < GX_MAX_DIMS; d++) out->shape[d] = 1, out->before[d] = 0;
    for (int i = 0; i < k->count; i++) {
        int64_t n = gx_shape(w)[i], o = origin[i];
        if (mirrored) o = -o - (n % 2 == 0);
        if (i && k->axes[i] < k->axes[i - 1])
            return gx_fail(k->c->rt, GX_ValueError, "ndimage.axes", "axes must ascend here");
        if (i && k->mode[i] != k->mode[0])
            return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.mode",
                           "A sequence of modes is not supported for non-separable footprints");
        out->shape[k->axes[i]] = n;
        if (!gx_nd_window(k, n, o, &out->before[k->axes[i]])) return false;
    }
    for (int64_t i = 0; mirrored && i < w->count / 2; i++) {
        double t = x[i];
        x[i] = x[w->count - 1 - i];
        x[w->count - 1 - i] = t;
    }
    out->weights = x;
    return true;
}

static bool weights_nd(gx_call *c, bool mirrored, gx_value *out) {
    gx_nd k;
    gx_nd_window_of w = {.rank = -1};
    int64_t origin[GX_MAX_DIMS];
    bool done;
    const bool whole = gx_nd_complex_weights(c, 2, !mirrored, &done, out);
    if (done || !whole) return whole;
    if (!gx_nd_open(c, &k, 2, 3, 4, 6)) return false;
    gx_array *a = gx_np_fresh(&k.s, gx_np_arr(&k.s, c->argv[1]), GX_f64);
    if (!a || !gx_nd_ints(&k, 5, 0, origin)) return gx_np_end(&k.s, false);
    if (a->ndim != k.count || a->count == 0)
        return gx_np_end(&k.s,
                         gx_fail(c->rt, GX_RuntimeError, "ndimage.weights",
                                 "weights.ndim (%d) must match len(axes) (%d)", a->ndim, k.count));
    bool ok = window_of(&k, a, origin, mirrored, &w);
    return gx_nd_close(&k, ok ? gx_nd_grid(&k, &w) : NULL, out);
}

static bool correlate_fn(gx_call *c, gx_value *out) {
    return weights_nd(c, false, out);
}
static bool convolve_fn(gx_call *c, gx_value *out) {
    return weights_nd(c, true, out);
}

/* size= or footprint= as an array of ones and zeros; *full: no zeros. `passes`: along an axis
   whose size is below 1 nothing is filtered. */
static gx_array *footprint_of(gx_nd *k, int size_arg, bool passes, bool *full, int64_t *taps) {
    gx_rt *rt = k->c->rt;
    int64_t size[GX_MAX_DIMS];
    gx_array *a = NULL;
    if (gx_arg_some(k->c, size_arg + 1)) {
        a = gx_np_arr_as(&k->s, k->c->argv[size_arg + 1], GX_bool);
        if (a && a->ndim != k->count) {
            gx_fail(rt, GX_RuntimeError, "ndimage.footprint",
                    "footprint.ndim (%d) must match len(axes) (%d)", a->ndim, k->count);
            return NULL;
        }
        a = gx_np_fresh(&k->s, a, GX_f64);
    } else if (!gx_arg_some(k->c, size_arg)) {
        gx_fail(rt, GX_RuntimeError, "ndimage.footprint", "no footprint or filter size provided");
    } else if (gx_nd_ints(k, size_arg, 1, size)) {
        for (int i = 0; i < k->count; i++)
            if (size[i] < 1) {
                if (!passes) (void)bad_size(rt);
                if (!passes) return NULL;
                size[i] = 1;
            }
        a = gx_np_zeros(&k->s, GX_bool, k->count, size);
        a = gx_np_fresh(&k->s, gx_np_op1(&k->s, GX_OP_logical_not, a), GX_f64);
    }
    const double *x = a ? gx_np_data(&k->s, a) : NULL;
    if (!x) return NULL;
    *taps = 0;
    for (int64_t i = 0; i < a->count; i++) *taps += x[i] != 0;
    *full = *taps == a->count;
    if (*taps) return a;
    gx_fail(rt, GX_ValueError, "ndimage.footprint", "All-zero footprint is not supported.");
    return NULL;
}

typedef enum order { MEDIAN, SMALLEST, LARGEST, RANK, PERCENTILE } order;

/* The element's rank among `taps`, from the argument for RANK and PERCENTILE. */
static bool rank_of(gx_nd *k, order what, int64_t taps, int64_t *rank) {
    double percent;
    *rank = what == MEDIAN ? taps / 2 : what == LARGEST ? taps - 1 : 0;
    if (what == PERCENTILE) {
        if (!gx_arg_float(k->c, 1, &percent)) return false;
        if (percent < 0) percent += 100;
        if (!(percent >= 0 && percent <= 100))
            return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.percentile", "invalid percentile");
        *rank = percent == 100 ? taps - 1 : (int64_t)((double)taps * percent / 100);
    }
    if (what == RANK) {
        if (!gx_arg_int(k->c, 1, rank)) return false;
        if (*rank < 0) *rank += taps;
        if (*rank < 0 || *rank >= taps)
            return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.rank",
                           "rank not within filter footprint size");
    }
    return true;
}

/* `at`: the place of size= among the arguments. */
static bool is_wide(gx_nd *k) {
    const gx_dtype d = (gx_dtype)k->in->dtype;
    if ((d != GX_i64 && d != GX_u64) || !k->in->count) return false;
    for (int i = 0; i < k->count; i++)
        if (k->mode[i] == GX_ND_FILL) return false;
    const double edge = 0x1p53;
    for (int largest = 0; largest < 2; largest++) {
        gx_array *m = gx_np_reduce(&k->s, largest ? GX_RED_max : GX_RED_min, k->in,
                                   gx_np_all(k->in), false, GX_NO_DTYPE);
        const double *x = gx_np_data(&k->s, gx_np_cast(&k->s, m, GX_f64));
        if (!x || fabs(*x) >= edge) return x != NULL;
    }
    return false;
}

/* Integers that doubles cannot tell apart are filtered as their places among the sorted ones. */
static gx_array *by_places(gx_nd *k, const gx_nd_window_of *w) {
    const gx_dtype to = k->to;
    gx_array *sorted = gx_np_call_arrays(&k->s, "unique", 1, gx_np_flat(&k->s, k->in));
    gx_array *places = sorted ? gx_np_call_arrays(&k->s, "searchsorted", 2, sorted, k->in) : NULL;
    k->in = gx_np_contiguous(&k->s, places);
    k->to = GX_i64;
    gx_array *r = k->in ? gx_nd_grid(k, w) : NULL;
    return r ? gx_np_cast(&k->s, gx_np_call_arrays(&k->s, "take", 2, sorted, r), to) : NULL;
}

static bool ordered(gx_call *c, order what, int at, gx_value *out) {
    gx_nd k;
    gx_nd_window_of w;
    int64_t origin[GX_MAX_DIMS], size[GX_MAX_DIMS], taps = 0;
    bool full = false;
    if (!gx_nd_open(c, &k, at + 2, at + 3, at + 4, at + 6)) return false;
    gx_array *a = not_complex(&k) && gx_nd_ints(&k, at + 5, 0, origin)
                      ? footprint_of(&k, at, what == SMALLEST || what == LARGEST, &full, &taps)
                      : NULL;
    if (!a || !rank_of(&k, what, taps, &w.rank)) return gx_np_end(&k.s, false);
    for (int i = 0; i < k.count && what != SMALLEST && what != LARGEST; i++)
        if (!gx_nd_window(&k, gx_shape(a)[i], origin[i], &(int64_t){0}))
            return gx_np_end(&k.s, false);
    if (full && (w.rank == 0 || w.rank == taps - 1)) {
        for (int i = 0; i < k.count; i++) size[i] = gx_shape(a)[i];
        gx_filter_kind kind = w.rank == 0 ? GX_FILTER_MIN : GX_FILTER_MAX;
        return gx_nd_close(&k, passes(&k, kind, size, origin, false), out);
    }
    bool ok = window_of(&k, a, origin, false, &w);
    const bool wide = ok && is_wide(&k);
    ok = ok && !gx_failed(&c->rt->error);
    return gx_nd_close(&k, !ok ? NULL : wide ? by_places(&k, &w) : gx_nd_grid(&k, &w), out);
}

static bool median_filter_fn(gx_call *c, gx_value *out) {
    return ordered(c, MEDIAN, 1, out);
}
static bool minimum_filter_fn(gx_call *c, gx_value *out) {
    return ordered(c, SMALLEST, 1, out);
}
static bool maximum_filter_fn(gx_call *c, gx_value *out) {
    return ordered(c, LARGEST, 1, out);
}
static bool rank_filter_fn(gx_call *c, gx_value *out) {
    return ordered(c, RANK, 2, out);
}
static bool percentile_filter_fn(gx_call *c, gx_value *out) {
    return ordered(c, PERCENTILE, 2, out);
}

#define TAIL "output=None, mode='reflect', cval=0.0, origin=0"
#define WINDOW "size=None, footprint=None, " TAIL ", *, axes=None)"
const gx_native gx_nd_filters_functions[] = {
    {"uniform_filter", "uniform_filter(input, size=3, " TAIL ", *, axes=None)",
     "Uniform filter: the mean of each neighbourhood of a size.",
     "uniform_filter([3.0, 6.0, 9.0])  # [4. 6. 8.]", uniform_filter_fn, 0, 0},
    {"uniform_filter1d", "uniform_filter1d(input, size, axis=-1, " TAIL ")",
     "Uniform filter along one axis: the mean of each window of size elements.",
     "uniform_filter1d([3.0, 6.0, 9.0], 3)  # [4. 6. 8.]", uniform_filter1d_fn, 0, 0},
    {"minimum_filter1d", "minimum_filter1d(input, size, axis=-1, " TAIL ")",
     "Minimum filter along one axis: the smallest of each window of size elements.",
     "minimum_filter1d([4, 1, 5, 9], 3)  # [1 1 1 5]", minimum_filter1d_fn, 0, 0},
    {"maximum_filter1d", "maximum_filter1d(input, size, axis=-1, " TAIL ")",
     "Maximum filter along one axis: the largest of each window of size elements.",
     "maximum_filter1d([4, 1, 5, 9], 3)  # [4 5 9 9]", maximum_filter1d_fn, 0, 0},
    {"correlate", "correlate(input, weights, " TAIL ", *, axes=None)",
     "Correlation of an n-d array with weights of as many axes, in the shape of the input.",
     "correlate([1, 2, 4, 8], [1, 2, 3])  # [ 9 17 34 44]", correlate_fn, 0, 0},
    {"convolve", "convolve(input, weights, " TAIL ", *, axes=None)",
     "Convolution of an n-d array with weights of as many axes, in the shape of the input.",
     "convolve([1, 2, 4, 8], [1, 2, 3])  # [ 7 11 22 36]", convolve_fn, 0, 0},
    {"median_filter", "median_filter(input, " WINDOW,
     "Median filter: the median of each neighbourhood of a size or footprint.",
     "median_filter([4, 1, 5, 9], 3)  # [4 4 5 9]", median_filter_fn, 0, 0},
    {"minimum_filter", "minimum_filter(input, " WINDOW,
     "Minimum filter: the smallest element of each neighbourhood of a size or footprint.",
     "minimum_filter([4, 1, 5, 9], 3)  # [1 1 1 5]", minimum_filter_fn, 0, 0},
    {"maximum_filter", "maximum_filter(input, " WINDOW,
     "Maximum filter: the largest element of each neighbourhood of a size or footprint.",
     "maximum_filter([4, 1, 5, 9], 3)  # [4 5 9 9]", maximum_filter_fn, 0, 0},
    {"rank_filter", "rank_filter(input, rank, " WINDOW,
     "Rank filter: the element of a rank in each neighbourhood, 0 the smallest, -1 the largest.",
     "rank_filter([4, 1, 5, 9], 1, 3)  # [4 4 5 9]", rank_filter_fn, 0, 0},
    {"percentile_filter", "percentile_filter(input, percentile, " WINDOW,
     "Percentile filter: the element at a percentile (0 to 100) of each neighbourhood.",
     "percentile_filter([4, 1, 5, 9], 50, 3)  # [4 4 5 9]", percentile_filter_fn, 0, 0},
    {.name = NULL},
};
