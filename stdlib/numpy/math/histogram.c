/* Counting: bincount, histogram and the edges of its bins, which may be given, evenly spaced, or as
   many as a rule of statistics finds fit. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/bins.h"
#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/range.h"

extern const gx_native gx_np_histogram_functions[];

static bool bincount_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]), *w = NULL;
    int64_t least;
    if (x && c->argv[2].tag == GX_BOOL)
        return gx_np_end(&s, gx_arg_wrong(c, 2, "an integer, not a bool"));
    if (!x || !gx_arg_int(c, 2, &least)) return gx_np_end(&s, false);
    if (x->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.dims",
                                     "object of too small depth for desired array"));
    if (gx_np_is_float(x->dtype) && (x->count || gx_is_array(c->argv[0])))
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "bincount.type",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[x->dtype].name));
    if (least < 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.length",
                                     "'minlength' must not be negative"));
    if (gx_arg_some(c, 1) && x->count) {
        w = gx_np_arr(&s, c->argv[1]);
        if (w && w->ndim != 1)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.weights",
                                         "weights must be a line of numbers, one for each "
                                         "value, not an array of %d dimensions", w->ndim));
        if (w && gx_dtype_kind(w->dtype) == GX_KIND_CPLX)
            return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "bincount.weights",
                                         "weights are real numbers, not %s",
                                         gx_dtypes[w->dtype].name));
        w = gx_np_arr_as(&s, c->argv[1], GX_f64);
        if (w && w->count != x->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.weights",
                                         "The weights and list don't have the same length."));
        if (!w) return gx_np_end(&s, false);
    }
    if (x->count == 0)
        x = gx_np_cast(&s, x, GX_i64); /* of nothing, whatever the weights: integers */
    gx_array *r;
    if (!x || !gx_array_bincount(c->rt, x, least, w, &r)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

/* --- edges --- */

/* The range argument; false, with an error or without, when there is none that is good. */
static bool given_range(gx_np *s, gx_call *c, int arg, double *low, double *high) {
    gx_value ends;
    if (!gx_tuple_of(s->rt, c->argv[arg], &ends) || !gx_np_hold(s, ends)) return false;
    gx_array *r = gx_np_contiguous(s, gx_np_arr_as(s, ends, GX_f64));
    const double *e = gx_np_data(s, r);
    if (!e) return false;
    if (r->count != 2)
        return gx_fail(c->rt, GX_ValueError, "histogram.range", "range must be (low, high)");
    *low = e[0];
    *high = e[1];
    if (*low > *high)
        return gx_fail(c->rt, GX_ValueError, "histogram.range",
                       "max must be larger than min in range parameter.");
    if (!isfinite(*low) || !isfinite(*high))
        return gx_fail(c->rt, GX_ValueError, "histogram.range",
                       "supplied range of [%g, %g] is not finite", *low, *high);
    return true;
}

/* The least and the most of the data, nan when there is one. */
static bool data_range(gx_np *s, gx_array *x, double *low, double *high) {
    gx_scalar e[2];
    const gx_dtype d = (gx_dtype)x->dtype;
    if (gx_dtype_kind(d) != GX_KIND_CPLX) {
        if (!gx_array_extent(s->rt, x, &e[0], &e[1])) return false;
    } else {
        for (int i = 0; i < 2; i++) {
            gx_array *r = gx_np_reduce(s, i ? GX_RED_max : GX_RED_min, x, 1, false, GX_NO_DTYPE);
            if (!r || !gx_array_item(s->rt, r, &e[i])) return false;
        }
    }
    *low = gx_scalar_cast(d, GX_f64, &e[0]).f64;
    *high = gx_scalar_cast(d, GX_f64, &e[1]).f64;
    return true;
}

/* The range of the data, or the range argument. */
static bool outer_edges(gx_np *s, gx_call *c, gx_array *x, int arg, double *low, double *high) {
    if (gx_arg_some(c, arg)) {
        if (!given_range(s, c, arg, low, high)) return false;
    } else if (x->count == 0) {
        *low = 0;
        *high = 1;
    } else {
        if (!data_range(s, x, low, high)) return false;
        if (!isfinite(*low) || !isfinite(*high))
            return gx_fail(c->rt, GX_ValueError, "histogram.range",
                           "autodetected range of [%g, %g] is not finite", *low, *high);
    }
    if (*low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
    return true;
}

/* Evenly spaced edges in the dtype of float data: worked out in it when the ends are the data's. */
static gx_array *even_edges(gx_np *s, const gx_array *x, double low, double high, int64_t bins,
                            bool from_data) {
    gx_dtype d = x->dtype == GX_f32 || gx_is_half(x->dtype) ? (gx_dtype)x->dtype : GX_f64;
    gx_array *e;
    if (d == GX_f64 || !from_data || !x->count)
        e = gx_np_cast(s, gx_np_linspace(s, low, high, bins + 1, true), d);
    else {
        gx_array *first = gx_np_cast(s, gx_np_f64(s, low), d);
        gx_array *last = gx_np_cast(s, gx_np_f64(s, high), d);
        gx_array *step = gx_np_op2(s, GX_OP_divide, gx_np_op2(s, GX_OP_subtract, last, first),
                                   gx_np_weak_int(s, d, bins));
        gx_array *steps = gx_np_cast(s, gx_np_iota(s, bins), d), *parts[2];
        parts[0] = gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, steps, step), first);
        parts[1] = last ? gx_np_reshape(s, last, 1, &(int64_t){1}) : NULL;
        if (!parts[0] || !parts[1]) return NULL;
        e = gx_np_concat(s, 2, parts, 0, d);
    }
    gx_array *wide = gx_np_contiguous(s, gx_np_cast(s, e, GX_f64));
    const double *p = gx_np_data(s, wide);
    if (!p) return NULL;
    for (int64_t i = 0; i < bins; i++)
        if (!(p[i] < p[i + 1])) {
            gx_fail(s->rt, GX_ValueError, "histogram.bins",
                    "Too many bins for data range. Cannot create %lld finite-sized bins.",
                    (long long)bins);
            return NULL;
        }
    return e;
}

/* A bin count by a rule's name; 0: an error. */
static int64_t ruled_bins(gx_np *s, gx_call *c, gx_array *x, int bins_arg, int range_arg,
                          double low, double high) {
    const gx_value argv[5] = {c->argv[bins_arg], gx_np_value(x), gx_float(low), gx_float(high),
                              gx_bool(gx_arg_some(c, range_arg))};
    gx_value bins;
    int64_t count;
    if (!gx_library_pass(c, "numpy.histogram_rules", gx_library_text_numpy_histogram_rules, "bins",
                         5, argv, &bins) ||
        !gx_np_hold(s, bins))
        return 0;
    return gx_as_index(c->rt, bins, &count) == GX_TRY_YES ? count : 0;
}

static gx_array *given_edges(gx_np *s, gx_call *c, int bins_arg) {
    gx_array *e = gx_np_contiguous(s, gx_np_arr(s, c->argv[bins_arg]));
    if (!e) return NULL;
    if (e->ndim != 1) {
        gx_fail(c->rt, e->ndim ? GX_ValueError : GX_TypeError, "histogram.bins",
                e->ndim ? "`bins` must be 1d, when an array"
                        : "`bins` must be an integer, a string, or an array");
        return NULL;
    }
    gx_array *d = gx_np_contiguous(s, gx_np_cast(s, e, GX_f64));
    const double *p = gx_np_data(s, d);
    if (!p) return NULL;
    for (int64_t i = 1; i < d->count; i++)
        if (p[i] < p[i - 1]) {
            gx_fail(c->rt, GX_ValueError, "histogram.order",
                    "`bins` must increase monotonically, when an array");
            return NULL;
        }
    return e;
}

/* The edges from bins: a count, a rule, or the edges themselves. */
static gx_array *edges_of(gx_np *s, gx_call *c, gx_array *x, int bins_arg, int range_arg) {
    int64_t bins = 0;
    double low, high;
    const bool rule = c->argv[bins_arg].tag == GX_STR;
    if (!rule) {
        gx_try is = gx_as_index(c->rt, c->argv[bins_arg], &bins);
        if (is == GX_TRY_ERROR) return NULL;
        if (is == GX_TRY_NO) return given_edges(s, c, bins_arg);
        if (bins < 1) {
            gx_fail(c->rt, GX_ValueError, "histogram.bins",
                    "`bins` must be positive, when an integer");
            return NULL;
        }
    }
    if (!outer_edges(s, c, x, range_arg, &low, &high)) return NULL;
    if (rule && !(bins = ruled_bins(s, c, x, bins_arg, range_arg, low, high))) return NULL;
    return even_edges(s, x, low, high, bins, !gx_arg_some(c, range_arg));
}

/* The values to count, flat; bools count as numbers. */
static gx_array *values_of(gx_np *s, gx_call *c) {
    gx_array *x = gx_np_flat(s, gx_np_arr(s, c->argv[0]));
    if (!x || x->dtype != GX_bool) return x;
    return gx_warn(c->rt, GX_RuntimeWarning,
                   "Converting input from bool to <class 'numpy.uint8'> for compatibility.")
               ? gx_np_cast(s, x, GX_u8)
               : NULL;
}

/* --- histogram --- */

/* gx_array_histogram as an array of the scope. */
static gx_array *binned(gx_np *s, gx_array *x, const gx_bins *bins, gx_array *weights) {
    gx_array *r;
    return x && gx_array_histogram(s->rt, x, bins, weights, &r) ? gx_np_own(s, r) : NULL;
}

/* The counts, int64, or the sums of the weights in their dtype. */
static gx_array *counted(gx_np *s, gx_array *x, const gx_bins *bins, gx_array *weights) {
    if (gx_dtype_kind(x->dtype) == GX_KIND_CPLX) x = gx_np_cast(s, x, GX_f64);
    if (!weights) return binned(s, x, bins, NULL);
    const gx_dtype d = (gx_dtype)weights->dtype;
    gx_array *re = binned(s, x, bins, gx_np_real(s, weights));
    if (gx_dtype_kind(d) != GX_KIND_CPLX || !re) return gx_np_cast(s, re, d);
    gx_array *im = binned(s, x, bins, gx_np_op1(s, GX_OP_imag, weights));
    gx_array *r = gx_np_empty(s, GX_c128, 1, &bins->count);
    const double *a = gx_np_data(s, re), *b = gx_np_data(s, im);
    gx_c128 *to = gx_np_data_write(s, r);
    if (!a || !b || !to) return NULL;
    for (int64_t i = 0; i < bins->count; i++) to[i] = (gx_c128){a[i], b[i]};
    return gx_np_cast(s, r, d);
}

static bool weights_arg(gx_np *s, gx_call *c, int at, gx_array **out) {
    *out = NULL;
    if (!gx_arg_some(c, at)) return true;
    if (c->argv[1].tag == GX_STR)
        return gx_fail(c->rt, GX_TypeError, "histogram.weights",
                       "Automated estimation of the number of bins is not supported for weighted "
                       "data");
    gx_array *w = gx_np_arr(s, c->argv[at]), *a = gx_np_arr(s, c->argv[0]);
    if (!w || !a) return false;
    bool same = w->ndim == a->ndim && w->count == a->count;
    for (int i = 0; same && i < a->ndim; i++) same = gx_shape(w)[i] == gx_shape(a)[i];
    w = gx_np_flat(s, w);
    if (!same)
        return gx_fail(c->rt, GX_ValueError, "histogram.weights",
                       "weights should have the same shape as a.");
    *out = w;
    return w != NULL;
}

static bool histogram_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = values_of(&s, c);
    bool density = false;
    gx_bins b = {.edges = NULL};
    gx_array *weights;
    if (!x || (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &density)) ||
        !weights_arg(&s, c, 4, &weights))
        return gx_np_end(&s, false);
    gx_array *edges = edges_of(&s, c, x, 1, 2);
    gx_array *ed = gx_np_contiguous(&s, gx_np_cast(&s, edges, GX_f64));
    b.edges = gx_np_data(&s, ed);
    if (!b.edges) return gx_np_end(&s, false);
    b.count = ed->count - 1;
    if (b.count < 1) { /* fewer than two edges: no bin */
        const gx_dtype d = density ? GX_f64 : weights ? (gx_dtype)weights->dtype : GX_i64;
        gx_array *none[2] = {gx_np_empty(&s, d, 1, (int64_t[]){0}), edges};
        return gx_np_give_tuple(&s, 2, none, out);
    }
    gx_array *h = counted(&s, x, &b, weights);
    if (density) {
        gx_array *width = gx_np_op2(&s, GX_OP_subtract, gx_np_slice(&s, ed, 0, 1, 1, b.count),
                                    gx_np_slice(&s, ed, 0, 0, 1, b.count));
        gx_array *total = gx_np_reduce(&s, GX_RED_sum, h, 1, false, GX_NO_DTYPE);
        h = gx_np_op2(&s, GX_OP_divide, gx_np_op2(&s, GX_OP_divide, h, width), total);
    }
    gx_array *give[2] = {h, edges};
    return gx_np_give_tuple(&s, 2, give, out);
}

static bool histogram_bin_edges_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = values_of(&s, c), *weights;
    if (!x || !weights_arg(&s, c, 3, &weights)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, edges_of(&s, c, x, 1, 2), out);
}

const gx_native gx_np_histogram_functions[] = {
    {"bincount", "bincount(x, /, weights=None, minlength=0)",
     "Counts how often each of 0, 1, 2 … occurs in x, or sums the weights there; x is 1-d, not "
     "negative.",
     "bincount([0, 2, 2])  # [1 0 2]", bincount_fn, 0, 0},
    {"histogram", "histogram(a, bins=10, range=None, density=None, weights=None)",
     "Counts values in bins: (counts, edges), with one more edge than counts; the last bin is "
     "closed.",
     "histogram([1, 2, 2, 3], bins=2)[0]  # [1 3]", histogram_fn, 0, 0},
    {"histogram_bin_edges", "histogram_bin_edges(a, bins=10, range=None, weights=None)",
     "The bin edges that histogram would use, float64, one more than there are bins.",
     "histogram_bin_edges([0, 4], bins=2)  # [0. 2. 4.]", histogram_bin_edges_fn, 0, 0},
    {.name = NULL},
};
