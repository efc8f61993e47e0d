/* Images moved, scaled, turned and sampled anywhere: the arguments of SciPy's interpolating
   functions. What lies between the elements is in resample.c. */
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/warp_int.h"

extern const gx_native gx_nd_warp_functions[];

typedef struct warp {
    gx_np s;
    gx_call *c;
    gx_warp w;
    gx_array *in;
    gx_dtype to; /* of the output, when one is given */
    int output;  /* the output= argument when it is an array, or -1 */
} warp;

/* --- arguments */

static bool mode_of(gx_call *c, int arg, gx_warp_mode *out) {
    static const char *const names[] = {"reflect",       "nearest", "mirror",    "constant",
                                        "grid-constant", "wrap",    "grid-wrap", "grid-mirror"};
    const char *text;
    size_t length;
    if (!gx_arg_given(c, arg)) return true;
    if (c->argv[arg].tag == GX_NONE)
        return gx_fail(c->rt, GX_RuntimeError, "ndimage.mode",
                       "boundary mode not supported: None");
    if (!gx_arg_str(c, arg, &text, &length)) return false;
    for (int i = 0; i < 8; i++)
        if (strcmp(names[i], text) == 0) {
            *out = i == 7 ? GX_WARP_REFLECT : (gx_warp_mode)i;
            return true;
        }
    return gx_fail(c->rt, GX_RuntimeError, "ndimage.mode",
                   "boundary mode not supported: '%s' (one of reflect, nearest, mirror, constant, "
                   "grid-constant, wrap, grid-wrap)",
                   text);
}

/* The spline's order, from argument `arg`. */
static bool order_of(gx_call *c, int arg, int least, int *out) {
    int64_t order = 3;
    if (gx_arg_given(c, arg) && !gx_arg_int(c, arg, &order)) return false;
    *out = (int)order;
    return (order >= least && order <= GX_WARP_ORDER) ||
           gx_fail(c->rt, GX_RuntimeError, "ndimage.order",
                   "spline order not supported: %lld (%d to %d)", (long long)order, least,
                   GX_WARP_ORDER);
}

/* None is false, as any other truth value. */
static bool read_prefilter(gx_call *c, int arg, bool *yes) {
    if (!gx_arg_given(c, arg)) return true;
    *yes = false;
    return c->argv[arg].tag == GX_NONE || gx_arg_bool(c, arg, yes);
}

/* Arguments from `output` on: output, order, mode, cval, prefilter. */
static bool open_warp(gx_call *c, warp *k, int output) {
    memset(k, 0, sizeof *k);
    k->c = c;
    k->s = gx_np_begin(c);
    k->output = -1;
    k->w = (gx_warp){.s = &k->s, .mode = GX_WARP_CONSTANT, .prefilter = true};
    k->in = gx_np_arr(&k->s, c->argv[0]);
    bool ok = k->in && order_of(c, output + 1, 0, &k->w.order) &&
              mode_of(c, output + 2, &k->w.mode) &&
              (!gx_arg_some(c, output + 3) || gx_arg_float(c, output + 3, &k->w.cval)) &&
              read_prefilter(c, output + 4, &k->w.prefilter);
    if (!ok) return gx_np_end(&k->s, false);
    if (k->in->ndim == 0 || gx_is_half(k->in->dtype))
        return gx_np_end(&k->s, k->in->ndim
                                    ? gx_fail(c->rt, GX_RuntimeError, "ndimage.dtype",
                                              "array type %s not supported; use float32",
                                              gx_dtypes[k->in->dtype].name)
                                    : gx_fail(c->rt, GX_RuntimeError, "ndimage.rank",
                                              "input and output rank must be > 0"));
    k->w.nd = k->w.out_nd = k->in->ndim;
    memcpy(k->w.out_shape, gx_shape(k->in), k->in->ndim * sizeof(int64_t));
    for (int d = 0; d < k->w.nd; d++) k->w.scale[d] = 1;
    gx_dtype d = GX_NO_DTYPE;
    if (gx_arg_some(c, output) && gx_is_array(c->argv[output])) {
        k->output = output;
        d = gx_as_array(c->argv[output])->dtype;
    } else if (!gx_np_dtype_arg(c, output, &d)) {
        return gx_np_end(&k->s, false);
    }
    k->to = d == GX_NO_DTYPE ? (gx_dtype)k->in->dtype : d;
    return true;
}

/* A number for each axis. */
static bool numbers(warp *k, int arg, double *out) {
    gx_array *a = gx_np_contiguous(&k->s, gx_np_arr_as(&k->s, k->c->argv[arg], GX_f64));
    const double *x = a ? gx_np_data(&k->s, a) : NULL;
    if (!x) return false;
    if (a->ndim > 1 || (a->ndim == 1 && a->count != k->w.nd))
        return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.sequence",
                       "sequence argument must have length equal to input rank");
    for (int d = 0; d < k->w.nd; d++) out[d] = x[a->ndim ? d : 0];
    return true;
}

/* Parts as one complex array of dtype d; the second may not have been made. */
static gx_array *joined(gx_np *s, gx_array *re, gx_array *im, gx_dtype d) {
    gx_array *r = re && im ? gx_np_empty_near(s, re, d, re->ndim, gx_shape(re)) : NULL;
    gx_array *parts[2] = {gx_np_part(s, r, 0), gx_np_part(s, r, 1)};
    if (!parts[0] || !parts[1] || !gx_np_store_as(s, re, parts[0], GX_CAST_SAFE) ||
        !gx_np_store_as(s, im, parts[1], GX_CAST_SAFE))
        return NULL;
    return r;
}

/* Real and imaginary parts, resampled one after the other. */
static gx_array *both(warp *k) {
    bool single = k->to == GX_c64;
    gx_dtype part = single ? GX_f32 : GX_f64;
    gx_array *re = gx_nd_resample(&k->w, gx_np_op1(&k->s, GX_OP_real, k->in), part);
    k->w.cval = 0;
    gx_array *im = re ? gx_nd_resample(&k->w, gx_np_op1(&k->s, GX_OP_imag, k->in), part) : NULL;
    return joined(&k->s, re, im, single ? GX_c64 : GX_c128);
}

static bool close_warp(warp *k, gx_value *out) {
    gx_rt *rt = k->c->rt;
    k->w.count = gx_np_size(k->w.out_nd, k->w.out_shape);
    if (k->output >= 0) {
        gx_array *o = gx_as_array(k->c->argv[k->output]);
        if (o->ndim != k->w.out_nd ||
            memcmp(gx_shape(o), k->w.out_shape, o->ndim * sizeof(int64_t)) != 0)
            return gx_np_end(
                &k->s, gx_fail(rt, GX_RuntimeError, "ndimage.output", "output shape not correct"));
    }
    bool complex = gx_dtype_kind(k->in->dtype) == GX_KIND_CPLX;
    if (complex && gx_dtype_kind(k->to) != GX_KIND_CPLX) {
        if (k->output >= 0)
            return gx_np_end(&k->s, gx_fail(rt, GX_RuntimeError, "ndimage.output",
                                            "output must have complex dtype"));
        k->to = gx_promote(k->to, GX_c64);
    }
    gx_dtype real = gx_dtype_kind(k->to) == GX_KIND_CPLX ? gx_real_dtype(k->to) : k->to;
    gx_array *r = complex ? both(k) : gx_nd_resample(&k->w, k->in, real);
    r = gx_np_cast(&k->s, r, k->to);
    if (!r) return gx_np_end(&k->s, false);
    if (k->output >= 0) return gx_np_give_out(&k->s, r, k->c->argv[k->output], out);
    return gx_np_give_array(&k->s, r, out);
}

/* --- functions */

static bool map_coordinates_fn(gx_call *c, gx_value *out) {
    warp k;
    if (!open_warp(c, &k, 2)) return false;
    gx_array *at = gx_np_arr(&k.s, c->argv[1]);
    if (at && gx_dtype_kind(at->dtype) == GX_KIND_CPLX)
        return gx_np_end(&k.s, gx_fail(c->rt, GX_TypeError, "ndimage.complex",
                                       "coordinates are real numbers"));
    k.w.points = at = gx_np_contiguous(&k.s, gx_np_cast(&k.s, at, GX_f64));
    if (!at) return gx_np_end(&k.s, false);
    if (at->ndim == 1)
        return gx_np_end(&k.s, gx_fail(c->rt, GX_RuntimeError, "ndimage.rank",
                                       "input and output rank must be > 0: the coordinates have "
                                       "one axis for the input's axes, and others for the output"));
    if (at->ndim < 1 || gx_shape(at)[0] != k.w.nd)
        return gx_np_end(&k.s, gx_fail(c->rt, GX_RuntimeError, "ndimage.coordinates",
                                       "invalid shape for coordinate array: its first size must be "
                                       "%d, the input's number of axes",
                                       k.w.nd));
    k.w.out_nd = at->ndim - 1;
    memcpy(k.w.out_shape, gx_shape(at) + 1, (size_t)k.w.out_nd * sizeof(int64_t));
    return close_warp(&k, out);
}

static bool shift_fn(gx_call *c, gx_value *out) {
    warp k;
    if (!open_warp(c, &k, 2)) return false;
    if (!numbers(&k, 1, k.w.offset)) return gx_np_end(&k.s, false);
    for (int d = 0; d < k.w.nd; d++) k.w.offset[d] = -k.w.offset[d];
    return close_warp(&k, out);
}

static bool zoom_fn(gx_call *c, gx_value *out) {
    warp k;
    double factor[GX_MAX_DIMS];
    if (!open_warp(c, &k, 2)) return false;
    if (!numbers(&k, 1, factor) || (gx_arg_some(c, 7) && !gx_arg_bool(c, 7, &k.w.grid)))
        return gx_np_end(&k.s, false);
    for (int d = 0; d < k.w.nd; d++) {
        double n = (double)gx_shape(k.in)[d], size = nearbyint(n * factor[d]);
        if (!(size >= 0 && size < 0x1p40))
            return gx_np_end(&k.s, gx_fail(c->rt, GX_ValueError, "ndimage.zoom",
                                           "cannot zoom %g elements by %g", n, factor[d]));
        double from = k.w.grid ? n : n - 1, to = k.w.grid ? size : size - 1;
        k.w.out_shape[d] = (int64_t)size;
        k.w.scale[d] = to != 0 ? from / to : 1;
    }
    return close_warp(&k, out);
}

/* The shape of the output: output_shape=, the output's own, or the input's. */
static bool output_shape(warp *k, int arg) {
    int64_t one;
    if (gx_arg_some(k->c, arg) && gx_as_index(k->c->rt, k->c->argv[arg], &one) == GX_TRY_YES)
        return gx_arg_wrong(k->c, arg, "a sequence of sizes, one for each axis");
    if (gx_arg_some(k->c, arg))
        return gx_shape_of(k->c->rt, k->c->argv[arg], GX_SIZES_PLAIN, "output_shape", &k->w.out_nd,
                           k->w.out_shape);
    if (k->output >= 0) {
        gx_array *o = gx_as_array(k->c->argv[k->output]);
        k->w.out_nd = o->ndim;
        memcpy(k->w.out_shape, gx_shape(o), o->ndim * sizeof(int64_t));
    }
    return true;
}

static bool wrong_matrix(warp *k, const char *what) {
    return gx_fail(k->c->rt, GX_RuntimeError, "ndimage.matrix",
                   "affine matrix has wrong number of %s for an input of %d axes", what, k->w.nd);
}

/* A matrix of nd rows, or with an offset as its last column (and a last row 0 … 0 1). */
static bool full_matrix(warp *k, const gx_array *a, const double *x) {
    int64_t rows = gx_shape(a)[0], columns = gx_shape(a)[1];
    int nd = k->w.nd;
    bool homogeneous = columns == nd + 1 && (rows == nd || rows == nd + 1);
    if (rows != nd && !homogeneous) return wrong_matrix(k, "rows");
    if (!homogeneous && columns != k->w.out_nd) return wrong_matrix(k, "columns");
    if (homogeneous && k->w.out_nd != nd) return wrong_matrix(k, "columns");
    double *m = gx_np_room(&k->s, nd * k->w.out_nd + 1, sizeof *m);
    if (!m) return false;
    for (int64_t e = 0; homogeneous && rows > nd && e < columns; e++)
        if (x[nd * columns + e] != (e == nd))
            return gx_fail(k->c->rt, GX_ValueError, "ndimage.matrix",
                           "the last row of a homogeneous matrix must be 0 … 0 1");
    for (int d = 0; d < nd; d++) {
        for (int e = 0; e < k->w.out_nd; e++) m[d * k->w.out_nd + e] = x[d * columns + e];
        if (homogeneous) k->w.offset[d] = x[d * columns + nd];
    }
    k->w.matrix = m;
    return true;
}

static bool affine_transform_fn(gx_call *c, gx_value *out) {
    warp k;
    if (!open_warp(c, &k, 4)) return false;
    gx_array *a = gx_np_contiguous(&k.s, gx_np_arr_as(&k.s, c->argv[1], GX_f64));
    const double *x = gx_np_data(&k.s, a);
    if (!x || !output_shape(&k, 3) || !numbers(&k, 2, k.w.offset)) return gx_np_end(&k.s, false);
    bool ok = true;
    if (a->ndim == 2) {
        ok = full_matrix(&k, a, x);
    } else if (a->ndim != 1) {
        ok = gx_fail(c->rt, GX_RuntimeError, "ndimage.matrix", "no proper affine matrix provided");
    } else if (a->count != k.w.nd || k.w.out_nd != k.w.nd) {
        ok = wrong_matrix(&k, "rows");
    } else {
        for (int d = 0; d < k.w.nd; d++) {
            k.w.scale[d] = x[d];
            k.w.offset[d] /= x[d];
        }
    }
    return ok ? close_warp(&k, out) : gx_np_end(&k.s, false);
}

/* Cosine and sine of degrees, exact at multiples of 90. */
static void turn(double angle, double *cosine, double *sine) {
    static const double ends[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double a = fmod(angle, 360), quarter = nearbyint(a / 90), rest = a - 90 * quarter;
    const double *e = ends[(int)quarter & 3];
    double x = cos(rest * 0.017453292519943295), y = sin(rest * 0.017453292519943295);
    if (rest == 0) x = 1, y = 0;
    *cosine = e[0] * x - e[1] * y;
    *sine = e[1] * x + e[0] * y;
}

/* The size that covers the corners of a turned plane, along (p, q). */
static int64_t covered(double p, double q, double n, double m) {
    double corner[4] = {0, q * m, p * n, p * n + q * m}, low = 0, high = 0;
    for (int i = 0; i < 4; i++) {
        low = fmin(low, corner[i]);
        high = fmax(high, corner[i]);
    }
    return (int64_t)(high - low + 0.5);
}

static bool plane_of(warp *k, int *first, int *second) {
    gx_value t;
    int64_t axis[2] = {1, 0};
    int at[2];
    if (gx_arg_some(k->c, 2)) {
        if (!gx_tuple_of(k->c->rt, k->c->argv[2], &t) || !gx_np_hold(&k->s, t)) return false;
        if (gx_as_tuple(t)->count != 2)
            return gx_fail(k->c->rt, GX_ValueError, "ndimage.axes",
                           "axes should contain only two values");
        for (int i = 0; i < 2; i++)
            if (gx_as_index(k->c->rt, gx_as_tuple(t)->items[i], &axis[i]) != GX_TRY_YES)
                return gx_fail(k->c->rt, GX_ValueError, "ndimage.axes",
                               "axes should contain only integer values");
    }
    if (k->w.nd < 2)
        return gx_fail(k->c->rt, GX_ValueError, "ndimage.rank",
                       "input array should be at least 2D");
    for (int i = 0; i < 2; i++)
        if (!gx_axis(k->c->rt, axis[i], k->w.nd, &at[i])) return false;
    if (at[0] == at[1])
        return gx_fail(k->c->rt, GX_ValueError, "ndimage.axes", "axes must be different");
    *first = at[0] < at[1] ? at[0] : at[1];
    *second = at[0] < at[1] ? at[1] : at[0];
    return true;
}

static bool rotate_fn(gx_call *c, gx_value *out) {
    warp k;
    double angle, p, q;
    bool reshape = true;
    int i, j;
    if (!open_warp(c, &k, 4)) return false;
    int nd = k.w.nd;
    double *m = gx_np_room(&k.s, nd * nd + 1, sizeof *m);
    if (!m || !gx_arg_float(c, 1, &angle) || !plane_of(&k, &i, &j) ||
        (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &reshape)))
        return gx_np_end(&k.s, false);
    if (!(fabs(angle) < 1e15))
        return gx_np_end(&k.s, gx_fail(c->rt, GX_ValueError, "ndimage.angle",
                                       "cannot rotate by %g degrees", angle));
    turn(angle, &p, &q);
    double n = (double)gx_shape(k.in)[i], o = (double)gx_shape(k.in)[j];
    if (reshape) {
        k.w.out_shape[i] = covered(p, q, n, o);
        k.w.out_shape[j] = covered(-q, p, n, o);
    }
    for (int d = 0; d < nd; d++) {
        for (int e = 0; e < nd; e++) m[d * nd + e] = d == e;
        k.w.still[d] = d != i && d != j;
    }
    m[i * nd + i] = m[j * nd + j] = p;
    m[i * nd + j] = q;
    m[j * nd + i] = -q;
    double x = (double)(k.w.out_shape[i] - 1) / 2, y = (double)(k.w.out_shape[j] - 1) / 2;
    k.w.offset[i] = (n - 1) / 2 - (p * x + q * y);
    k.w.offset[j] = (o - 1) / 2 - (-q * x + p * y);
    k.w.matrix = m;
    return close_warp(&k, out);
}

static gx_array *complex_splines(gx_np *s, gx_array *a, int axis, int order, gx_warp_mode mode) {
    gx_array *re = gx_nd_splines(s, gx_np_op1(s, GX_OP_real, a), axis, NULL, order, mode);
    gx_array *im = gx_nd_splines(s, gx_np_op1(s, GX_OP_imag, a), axis, NULL, order, mode);
    return joined(s, re, im, GX_c128);
}

/* Coefficients along one axis, or all of them. */
static bool filter(gx_call *c, int axis_arg, int output, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_dtype d = GX_f64;
    gx_warp_mode mode = GX_WARP_MIRROR;
    int order, axis = -1;
    if (!a || !order_of(c, 1, 0, &order) || !mode_of(c, output + 1, &mode) ||
        (axis_arg >= 0 && !gx_np_axis_arg(c, axis_arg, a->ndim, a->ndim - 1, &axis)))
        return gx_np_end(&s, false);
    if (axis_arg < 0 && order < 2)
        return gx_np_end(&s, gx_fail(c->rt, GX_RuntimeError, "ndimage.order",
                                     "spline order not supported: %d", order));
    if (a->dtype == GX_f16)
        return gx_np_end(&s, gx_fail(c->rt, GX_RuntimeError, "ndimage.dtype",
                                     "array type float16 not supported; use float32"));
    bool array = gx_arg_some(c, output) && gx_is_array(c->argv[output]);
    if (!array && gx_arg_given(c, output)) d = (gx_dtype)a->dtype;
    if (!array && gx_arg_some(c, output) && !gx_np_dtype_arg(c, output, &d))
        return gx_np_end(&s, false);
    const bool complex = gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    if (complex && gx_dtype_kind(d) != GX_KIND_CPLX) d = gx_promote(d, GX_c64);
    gx_array *r = complex ? complex_splines(&s, a, axis, order, mode)
                          : gx_nd_splines(&s, a, axis, NULL, order, mode);
    if (array) return gx_np_give_out(&s, r, c->argv[output], out);
    return gx_np_give_array(&s, gx_np_cast(&s, r, d), out);
}

static bool spline_filter_fn(gx_call *c, gx_value *out) {
    return filter(c, -1, 2, out);
}
static bool spline_filter1d_fn(gx_call *c, gx_value *out) {
    return filter(c, 2, 3, out);
}

#define TAIL "output=None, order=3, mode='constant', cval=0.0, prefilter=True"
const gx_native gx_nd_warp_functions[] = {
    {"map_coordinates", "map_coordinates(input, coordinates, " TAIL ")",
     "The input at coordinates (axes, …), between its elements by splines of an order.",
     "map_coordinates([0.0, 10.0, 20.0], [[0.5, 1.25]], order=1)  # [ 5.  12.5]",
     map_coordinates_fn, 0, 0},
    {"affine_transform", "affine_transform(input, matrix, offset=0.0, output_shape=None, " TAIL ")",
     "Affine transform: the output at o is the input at matrix @ o + offset, by splines of an "
     "order.",
     "affine_transform([0.0, 10.0, 20.0], [0.5], order=1)  # [ 0.  5. 10.]", affine_transform_fn, 0,
     0},
    {"shift", "shift(input, shift, " TAIL ")",
     "Shifts by numbers of elements, whole or not, along the axes, by splines of an order.",
     "shift([1.0, 2.0, 3.0], 0.5, order=1)  # [0.  1.5 2.5]", shift_fn, 0, 0},
    {"zoom", "zoom(input, zoom, " TAIL ", *, grid_mode=False)",
     "Resizes by factors along the axes, by splines of an order.",
     "zoom([0.0, 10.0, 20.0], 5 / 3, order=1)  # [ 0.  5. 10. 15. 20.]", zoom_fn, 0, 0},
    {"rotate", "rotate(input, angle, axes=(1, 0), reshape=True, " TAIL ")",
     "Rotates by an angle in degrees in the plane of two axes, by splines; reshape makes room for "
     "all of it.",
     "rotate([[1.0, 2.0], [3.0, 4.0]], 90, order=1)  # [[2. 4.]\n [1. 3.]]", rotate_fn, 0, 0},
    {"spline_filter", "spline_filter(input, order=3, output='float64', mode='mirror')",
     "B-spline coefficients of an order for the input along all axes: what prefilter=True "
     "computes.",
     "spline_filter([1.0, 2.0, 2.0]).round(3)  # [0.25 2.5  1.75]", spline_filter_fn, 0, 0},
    {"spline_filter1d", "spline_filter1d(input, order=3, axis=-1, output='float64', mode='mirror')",
     "B-spline coefficients of an order for the input along an axis.",
     "spline_filter1d([1.0, 2.0, 1.0], 2).round(3)  # [0.5 2.5 0.5]", spline_filter1d_fn, 0, 0},
    {.name = NULL},
};
