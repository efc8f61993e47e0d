/* Filters that are passes along each axis with weights: Gaussian and its derivatives, Sobel,
   Prewitt, Laplace, and correlations with given weights. The weights are made here; pass.c
   applies them. Between passes values have the output's dtype, as SciPy's have. */
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"

extern const gx_native gx_nd_gaussian_functions[];

/* --- passes */

static bool weigh(gx_nd *k, gx_nd_chain *chain, int i, const double *w, int64_t n, int64_t origin) {
    gx_nd_line line = {
        .kind = GX_FILTER_WEIGHTS, .mode = k->mode[i], .cval = k->cval, .size = n, .weights = w};
    return gx_nd_window(k, n, origin, &line.before) && gx_nd_pass(k, chain, k->axes[i], &line);
}

/* --- Gaussian */

/* exp(-x**2 / 2 sigma**2) at -radius … radius with sum 1, or its derivative of an order: that is
   the same times a polynomial q, which q' - q x / sigma**2 follows. Mirrored for correlation. */
static double *kernel(gx_nd *k, double sigma, int64_t order, int64_t radius) {
    int64_t n = 2 * radius + 1;
    double *w = gx_np_room(&k->s, n, sizeof *w), total = 0, s2 = sigma * sigma;
    double *q = gx_np_room(&k->s, 2 * order + 4, sizeof *q), *next = q + order + 2;
    if (!w || !q) return NULL;
    for (int64_t i = 0; i < n; i++) {
        double x = (double)(i - radius);
        w[i] = exp(-0.5 / s2 * (x * x));
        total += w[i];
    }
    memset(q, 0, (size_t)(2 * order + 4) * sizeof *q);
    q[0] = 1;
    for (int64_t d = 0; d < order; d++) {
        for (int64_t i = 0; i <= order; i++)
            next[i] = (double)(i + 1) * q[i + 1] + (i ? q[i - 1] / -s2 : 0);
        memcpy(q, next, (size_t)(order + 1) * sizeof *q);
    }
    for (int64_t i = 0; i < n; i++) {
        double x = (double)(radius - i), y = 0;
        for (int64_t p = order; p >= 0; p--) y = y * x + q[p];
        w[i] = w[i] / total * (order ? y : 1);
    }
    return w;
}

/* One axis: sigma, order and radius (-1: truncate * sigma). */
static bool blur(gx_nd *k, gx_nd_chain *chain, int i, double sigma, int64_t order, int64_t radius,
                 double truncate) {
    gx_rt *rt = k->c->rt;
    if (order < 0 || order > 60)
        return gx_fail(rt, GX_ValueError, "ndimage.order", "order must be non-negative%s",
                       order > 0 ? " and at most 60" : "");
    double wide = truncate * sigma + 0.5;
    if (radius < 0 && !(fabs(wide) < 1e9))
        return gx_fail(rt, GX_ValueError, "ndimage.sigma",
                       "sigma and truncate must be finite and not huge; they give a radius of %g",
                       wide);
    if (radius < 0) radius = (int64_t)wide;
    if (radius < 0 || radius > 1000000000)
        return gx_fail(rt, GX_ValueError, "ndimage.radius",
                       "Radius must be a nonnegative integer.");
    double *w = kernel(k, sigma, order, radius);
    return w && weigh(k, chain, i, w, 2 * radius + 1, 0);
}

typedef struct gauss {
    double sigma[GX_MAX_DIMS], truncate;
    int64_t order[GX_MAX_DIMS], radius[GX_MAX_DIMS];
} gauss;

/* Arguments: sigma, order, radius (-1: none), truncate. */
static bool gauss_args(gx_nd *k, int order, int truncate, int radius, gauss *g) {
    g->truncate = 4;
    for (int i = 0; i < k->count; i++) g->radius[i] = -1, g->order[i] = 0;
    if (!gx_nd_numbers(k, 1, 1, g->sigma)) return false;
    bool blurs = false;
    for (int i = 0; i < k->count; i++) blurs |= g->sigma[i] > 1e-15;
    const bool unread = !blurs && order >= 0 && k->c->argv[order].tag == GX_STR; /* as in SciPy */
    if (order >= 0 && !unread && !gx_nd_ints(k, order, 0, g->order)) return false;
    if (radius >= 0 && gx_arg_some(k->c, radius)) {
        const gx_array *given = gx_np_arr(&k->s, k->c->argv[radius]);
        if (!given) return false;
        if (gx_np_is_float((gx_dtype)given->dtype))
            return gx_fail(k->c->rt, GX_ValueError, "ndimage.radius",
                           "Radius must be a nonnegative integer.");
        if (!gx_nd_ints(k, radius, 0, g->radius)) return false;
        for (int i = 0; i < k->count; i++)
            if (g->radius[i] < 0)
                return gx_fail(k->c->rt, GX_ValueError, "ndimage.radius",
                               "Radius must be a nonnegative integer.");
    }
    return !gx_arg_given(k->c, truncate) || gx_arg_float(k->c, truncate, &g->truncate);
}

static gx_array *gaussian(gx_nd *k, const gauss *g) {
    gx_nd_chain chain = {NULL, NULL};
    for (int i = 0; i < k->count; i++)
        if (g->sigma[i] > 1e-15 &&
            !blur(k, &chain, i, g->sigma[i], g->order[i], g->radius[i], g->truncate))
            return NULL;
    return gx_nd_result(k, &chain);
}

static bool gaussian_filter_fn(gx_call *c, gx_value *out) {
    gx_nd k;
    gauss g;
    if (!gx_nd_open(c, &k, 3, 4, 5, 8)) return false;
    if (!gauss_args(&k, 2, 6, 7, &g)) return gx_np_end(&k.s, false);
    return gx_nd_close(&k, gaussian(&k, &g), out);
}

static bool gaussian_filter1d_fn(gx_call *c, gx_value *out) {
    gx_nd k;
    gauss g;
    if (!gx_nd_open(c, &k, 4, 5, 6, -1)) return false;
    if (!gx_nd_one_axis(&k, 2) || !gauss_args(&k, 3, 7, 8, &g)) return gx_np_end(&k.s, false);
    gx_nd_chain chain = {NULL, NULL};
    bool ok = blur(&k, &chain, 0, g.sigma[0], g.order[0], g.radius[0], g.truncate);
    return gx_nd_close(&k, ok ? gx_nd_result(&k, &chain) : NULL, out);
}

/* The sum over the axes of the Gaussian's second derivatives, or the root of the sum of the squares
   of its first ones. As in SciPy the latter are of the input blurred along all axes, also those
   that no derivative is taken along; and one derivative has its axis's mode along all. */
static bool derivatives(gx_call *c, int64_t order, gx_value *out) {
    gx_nd k;
    gauss g, given;
    gx_array *sum = NULL;
    if (!gx_nd_open(c, &k, 2, 3, 4, 5)) return false;
    const gx_nd asked = k;
    if (order == 2 && !gauss_args(&k, -1, 6, -1, &given)) return gx_np_end(&k.s, false);
    k.count = k.in->ndim;
    for (int i = 0; i < k.count; i++) k.axes[i] = i;
    if (order == 1 && !gauss_args(&k, -1, 6, -1, &g)) return gx_np_end(&k.s, false);
    if (order == 2) {
        g = given;
        for (int i = 0; i < k.count; i++) g.sigma[i] = 0, g.order[i] = 0, g.radius[i] = -1;
        for (int i = 0; i < asked.count; i++) g.sigma[asked.axes[i]] = given.sigma[i];
    }
    for (int i = 0; i < asked.count; i++) {
        for (int d = 0; d < k.count; d++) k.mode[d] = asked.mode[i];
        g.order[asked.axes[i]] = order;
        gx_array *part = gaussian(&k, &g);
        g.order[asked.axes[i]] = 0;
        if (order == 1) part = gx_np_op2(&k.s, GX_OP_multiply, part, part);
        sum = i ? gx_np_op2(&k.s, GX_OP_add, sum, part) : part;
        if (!sum) return gx_np_end(&k.s, false);
    }
    if (asked.count == 0) return gx_nd_close(&k, gx_nd_result(&k, &(gx_nd_chain){NULL, NULL}), out);
    if (order == 1) sum = gx_np_cast(&k.s, gx_np_op1(&k.s, GX_OP_sqrt, sum), k.to);
    return gx_nd_close(&k, sum, out);
}

static bool gaussian_laplace_fn(gx_call *c, gx_value *out) {
    return derivatives(c, 2, out);
}
static bool gaussian_gradient_magnitude_fn(gx_call *c, gx_value *out) {
    return derivatives(c, 1, out);
}

/* --- fixed weights */

static bool edges(gx_call *c, double side, double mid, gx_value *out) {
    const double slope[3] = {-1, 0, 1}, smooth[3] = {side, mid, side};
    gx_nd k;
    int64_t axis = -1;
    int along;
    if (!gx_nd_open(c, &k, 2, 3, 4, -1)) return false;
    if ((gx_arg_given(c, 1) && !gx_arg_int(c, 1, &axis)) ||
        !gx_axis(c->rt, axis, k.in->ndim, &along))
        return gx_np_end(&k.s, false);
    gx_nd_chain chain = {NULL, NULL};
    bool ok = weigh(&k, &chain, along, slope, 3, 0);
    for (int i = 0; ok && i < k.count; i++)
        if (i != along) ok = weigh(&k, &chain, i, smooth, 3, 0);
    return gx_nd_close(&k, ok ? gx_nd_result(&k, &chain) : NULL, out);
}

static bool sobel_fn(gx_call *c, gx_value *out) {
    return edges(c, 1, 2, out);
}
static bool prewitt_fn(gx_call *c, gx_value *out) {
    return edges(c, 1, 1, out);
}

static bool laplace_fn(gx_call *c, gx_value *out) {
    const double second[3] = {1, -2, 1};
    gx_nd k;
    gx_array *sum = NULL;
    if (!gx_nd_open(c, &k, 1, 2, 3, 4)) return false;
    for (int i = 0; i < k.count; i++) {
        gx_nd_chain chain = {NULL, NULL};
        if (!weigh(&k, &chain, i, second, 3, 0)) return gx_np_end(&k.s, false);
        gx_array *part = gx_nd_result(&k, &chain);
        sum = i ? gx_np_op2(&k.s, GX_OP_add, sum, part) : part;
    }
    if (k.count == 0) sum = gx_nd_result(&k, &(gx_nd_chain){NULL, NULL});
    return gx_nd_close(&k, sum, out);
}

/* --- given weights */

static bool weights_1d(gx_call *c, bool mirrored, gx_value *out) {
    gx_nd k;
    int64_t origin = 0;
    bool done;
    const bool whole = gx_nd_complex_weights(c, 3, !mirrored, &done, out);
    if (done || !whole) return whole;
    if (!gx_nd_open(c, &k, 3, 4, 5, -1)) return false;
    gx_array *w = gx_np_fresh(&k.s, gx_np_arr(&k.s, c->argv[1]), GX_f64);
    if (!w || !gx_nd_one_axis(&k, 2) || (gx_arg_some(c, 6) && !gx_arg_int(c, 6, &origin)))
        return gx_np_end(&k.s, false);
    if (w->ndim != 1 || w->count < 1)
        return gx_np_end(
            &k.s, gx_fail(c->rt, GX_RuntimeError, "ndimage.weights", "no filter weights given"));
    double *x = gx_np_data_write(&k.s, w);
    int64_t n = w->count;
    for (int64_t i = 0; x && mirrored && i < n / 2; i++) {
        double t = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = t;
    }
    if (mirrored) origin = -origin - (n % 2 == 0);
    gx_nd_chain chain = {NULL, NULL};
    bool ok = x && weigh(&k, &chain, 0, x, n, origin);
    return gx_nd_close(&k, ok ? gx_nd_result(&k, &chain) : NULL, out);
}

static bool correlate1d_fn(gx_call *c, gx_value *out) {
    return weights_1d(c, false, out);
}
static bool convolve1d_fn(gx_call *c, gx_value *out) {
    return weights_1d(c, true, out);
}

#define TAIL "output=None, mode='reflect', cval=0.0"
const gx_native gx_nd_gaussian_functions[] = {
    {"gaussian_filter",
     "gaussian_filter(input, sigma, order=0, " TAIL ", truncate=4.0, *, radius=None, axes=None)",
     "Gaussian filter of standard deviation sigma (in elements) along every axis; order > 0 takes "
     "derivatives.",
     "gaussian_filter([0.0, 0.0, 1.0, 0.0, 0.0], 1, mode='constant').round(3)  "
     "# [0.054 0.242 0.399 0.242 0.054]",
     gaussian_filter_fn, 0, 0},
    {"gaussian_filter1d",
     "gaussian_filter1d(input, sigma, axis=-1, order=0, " TAIL ", truncate=4.0, *, radius=None)",
     "Gaussian filter of standard deviation sigma (in elements) along one axis; order > 0 takes "
     "derivatives.",
     "gaussian_filter1d([0.0, 1.0, 0.0], 0.5, mode='constant').round(3)  # [0.106 0.787 0.106]",
     gaussian_filter1d_fn, 0, 0},
    {"gaussian_laplace", "gaussian_laplace(input, sigma, " TAIL ", *, axes=None, truncate=4.0)",
     "Laplacian (sum of second derivatives), from Gaussian derivatives of standard deviation "
     "sigma.",
     "gaussian_laplace([0.0, 0.0, 1.0, 0.0, 0.0], 1).round(3)  "
     "# [ 0.197  0.002 -0.399  0.002  0.197]",
     gaussian_laplace_fn, 0, 0},
    {"gaussian_gradient_magnitude",
     "gaussian_gradient_magnitude(input, sigma, " TAIL ", *, axes=None, truncate=4.0)",
     "Magnitude of the gradient, from Gaussian derivatives of standard deviation sigma.",
     "gaussian_gradient_magnitude([0.0, 0.0, 1.0, 0.0, 0.0], 1).round(3)  "
     "# [0.095 0.241 0.    0.241 0.095]",
     gaussian_gradient_magnitude_fn, 0, 0},
    {"sobel", "sobel(input, axis=-1, " TAIL ")",
     "Sobel filter: differences along an axis, smoothed along the others; it shows edges.",
     "sobel([1, 2, 4, 8])  # [1 3 6 4]", sobel_fn, 0, 0},
    {"prewitt", "prewitt(input, axis=-1, " TAIL ")",
     "Prewitt filter: differences along an axis, averaged along the others; it shows edges.",
     "prewitt([1, 2, 4, 8])  # [1 3 6 4]", prewitt_fn, 0, 0},
    {"laplace", "laplace(input, " TAIL ", *, axes=None)",
     "Laplacian: the sum of second differences along the axes.",
     "laplace([1, 2, 4, 8])  # [ 1  1  2 -4]", laplace_fn, 0, 0},
    {"correlate1d", "correlate1d(input, weights, axis=-1, " TAIL ", origin=0)",
     "Correlation with 1-d weights along an axis, in the shape of the input.",
     "correlate1d([1, 2, 4, 8], [1, 2, 3])  # [ 9 17 34 44]", correlate1d_fn, 0, 0},
    {"convolve1d", "convolve1d(input, weights, axis=-1, " TAIL ", origin=0)",
     "Convolution with 1-d weights along an axis, in the shape of the input.",
     "convolve1d([1, 2, 4, 8], [1, 2, 3])  # [ 7 11 22 36]", convolve1d_fn, 0, 0},
    {.name = NULL},
};
