/* Order statistics: median, percentile, quantile and their nan forms. Ranks are found where the
   array lives; results are NumPy's to the last step of its formulas. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/math/ranks_int.h"
#include "stdlib/numpy/order/order.h"

extern const gx_native gx_np_stats_functions[];

/* --- median --- */

static double median_of(gx_ranks *x, int64_t row, int64_t n, bool single) {
    if (n == 0) return NAN;
    double high = gx_ranks_item(x, row, n / 2);
    if (n % 2) return high;
    double low = gx_ranks_item(x, row, n / 2 - 1);
    if (single) return (double)((float)((float)low + (float)high) / 2);
    return (low + high) / 2;
}

/* The medians of many rows. */
static gx_array *medians_of(gx_np *s, const gx_ranks *x, bool single) {
    const gx_dtype d = single ? GX_f32 : GX_f64;
    const int64_t n = gx_ranks_counted(x);
    gx_array *high = gx_ranks_column(x, n / 2), *low = n % 2 ? high : gx_ranks_column(x, n / 2 - 1);
    if (n % 2) return gx_ranks_or_nan(x, high);
    gx_array *sum = gx_np_op2(s, GX_OP_add, gx_np_cast(s, low, d), gx_np_cast(s, high, d));
    return gx_ranks_or_nan(x, gx_np_op2(s, GX_OP_divide, sum, gx_np_weak(s, d, 2)));
}

static bool is_nan(gx_c128 x) {
    return isnan(x.re) || isnan(x.im);
}

/* The middle of n sorted numbers, none of them nan. */
static gx_c128 complex_middle(const gx_c128 *x, int64_t n, bool single) {
    gx_c128 low = x[(n - 1) / 2], high = x[n / 2];
    if (n % 2) return high;
    if (single)
        return (gx_c128){(double)((float)low.re + (float)high.re) / 2,
                         (double)((float)low.im + (float)high.im) / 2};
    return (gx_c128){(low.re + high.re) / 2, (low.im + high.im) / 2};
}

/* Complex numbers are ordered by their real parts first, those with a nan last; the last one is the
   median where none is to be skipped. */
static gx_array *complex_median(gx_np *s, gx_array *a, uint64_t mask, bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS];
    gx_array *rows = gx_ranks_merged(s, a, mask, &nkept, kept);
    if (!rows) return NULL;
    const int64_t n = gx_shape(rows)[nkept];
    if (n == 0) return gx_np_mean(s, rows, UINT64_C(1) << nkept, false, GX_NO_DTYPE, NULL);
    gx_array *sorted = gx_np_contiguous(s, gx_np_cast(s, gx_np_sorted(s, rows, nkept), GX_c128));
    const gx_c128 *x = gx_np_data(s, sorted);
    gx_array *r = x ? gx_np_empty(s, GX_c128, nkept, kept) : NULL;
    gx_c128 *to = gx_np_data_write(s, r);
    if (!to) return NULL;
    bool empty = false;
    GX_LONG_LOOP(s->rt, i, 0, r->count) {
        int64_t valid = n;
        while (valid && is_nan(x[i * n + valid - 1])) valid--;
        empty = empty || (skip_nan && valid == 0);
        to[i] = !skip_nan && valid < n ? x[i * n + n - 1]
                : valid                ? complex_middle(x + i * n, valid, a->dtype == GX_c64)
                                       : (gx_c128){NAN, 0};
    }
    if (empty && !gx_warn(s->rt, GX_RuntimeWarning, "All-NaN slice encountered")) return NULL;
    return gx_np_cast(s, r, (gx_dtype)a->dtype);
}

static gx_array *median(gx_np *s, gx_array *a, uint64_t mask, bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS];
    if (!a) return NULL;
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX) return complex_median(s, a, mask, skip_nan);
    gx_dtype d = gx_np_is_float(a->dtype) ? (gx_dtype)a->dtype : GX_f64;
    gx_array *rows = gx_ranks_merged(s, a, mask, &nkept, kept);
    gx_ranks x;
    if (!rows) return NULL;
    int64_t n = gx_shape(rows)[nkept];
    if (n == 0) return gx_np_mean(s, rows, UINT64_C(1) << nkept, false, GX_NO_DTYPE, NULL);
    gx_array *r = gx_np_empty(s, GX_f64, nkept, kept);
    double *to = gx_np_data_write(s, r);
    if (to && !r->count) return gx_np_cast(s, r, d); /* rows may be long where there is none */
    if (!to || !gx_ranks_begin(s, rows, 2, skip_nan, &x)) return NULL;
    if (x.asking) {
        median_of(&x, 0, gx_ranks_count(&x, 0), false);
        if (!gx_ranks_find(s, &x, 2)) return NULL;
        if (gx_ranks_many(&x, skip_nan))
            return gx_np_contiguous(s, gx_np_cast(s, medians_of(s, &x, d != GX_f64), d));
    }
    bool empty = false;
    for (int64_t i = 0; i < r->count && !gx_work_stops(s->rt); i++) {
        int64_t valid = gx_ranks_count(&x, i);
        empty = empty || (skip_nan && valid == 0);
        to[i] = !skip_nan && valid < n ? NAN : median_of(&x, i, valid, d != GX_f64);
    }
    if (x.failed) return NULL;
    if (empty && n && !gx_warn(s->rt, GX_RuntimeWarning, "All-NaN slice encountered")) return NULL;
    return gx_np_cast(s, r, d);
}

static bool median_call(gx_call *c, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    bool keep;
    if (!a || !gx_axes_by_index(c->rt, c->argv[1], a->ndim, &mask) || !gx_np_unused_truth(c, 3) ||
        !gx_arg_bool(c, 4, &keep))
        return gx_np_end(&s, false);
    if (skip_nan && a->count == 0) {
        const gx_value argv[5] = {gx_np_value(a), c->argv[1], gx_none(), c->argv[2], gx_bool(keep)};
        return gx_np_end(&s, gx_np_call(&s, "nanmean", 5, argv, out));
    }
    gx_array *r = gx_np_laid_medians(&s, median(&s, a, mask, skip_nan), a, mask, skip_nan);
    const gx_ranks_giving how = {keep, skip_nan, 0, GX_CAST_UNSAFE};
    return gx_ranks_give(&s, r, a, mask, how, c->argv[2], out);
}

static bool median_fn(gx_call *c, gx_value *out) {
    gx_try times = gx_np_of_times(c, out);
    if (times != GX_TRY_NO) return times == GX_TRY_YES;
    return median_call(c, false, out);
}
static bool nanmedian_fn(gx_call *c, gx_value *out) {
    return median_call(c, true, out);
}

/* --- quantile --- */

typedef struct method {
    const char *name;
    char kind;          /* 'c' continuous, 'd' discrete, or a rounding of linear */
    double alpha, beta; /* continuous */
} method;

static const method methods[] = {
    {"linear", 'c', 1, 1},
    {"lower", 'l', 1, 1},
    {"higher", 'h', 1, 1},
    {"midpoint", 'm', 1, 1},
    {"nearest", 'n', 1, 1},
    {"inverted_cdf", 'd', 0, 0},
    {"averaged_inverted_cdf", 'a', 0, 0},
    {"closest_observation", 'o', 0, 0},
    {"interpolated_inverted_cdf", 'c', 0, 1},
    {"hazen", 'c', 0.5, 0.5},
    {"weibull", 'c', 0, 0},
    {"median_unbiased", 'c', 1.0 / 3, 1.0 / 3},
    {"normal_unbiased", 'c', 3.0 / 8, 3.0 / 8},
};
enum { METHODS = sizeof methods / sizeof *methods };

/* A step's result in the dtype NumPy takes it in. */
static double in_dtype(gx_dtype d, double x) {
    return gx_dtype_kind(d) == GX_KIND_FLOAT ? gx_float_rounded(d, x) : x;
}

/* The dtypes of the data, of q and of the result: each step rounds to one of them. A Python number
   is a q of float64 whose last steps are the data's. */
typedef struct steps {
    gx_dtype data, q, result;
    bool weak;
} steps;

static double between(const steps *in, double a, double b, double t) {
    const double d = in_dtype(in->data, b - a);
    const gx_dtype share = in->weak ? in->result : in->q;
    return t >= 0.5 ? in_dtype(in->result, b - in_dtype(in->result, d * in_dtype(share, 1 - t)))
                    : in_dtype(in->result, a + in_dtype(in->result, d * in_dtype(share, t)));
}

/* Where among n the share q lies. */
static double place_of(const steps *in, int64_t n, double q, const method *m) {
    if (m->kind != 'c' || (m->alpha == 1 && m->beta == 1))
        return in_dtype(in->q, (double)(n - 1) * q);
    double more = in_dtype(in->q, q * (1 - m->alpha - m->beta));
    more = in_dtype(in->q, m->alpha + more);
    return in_dtype(in->q, in_dtype(in->q, in_dtype(in->q, (double)n * q) + more) - 1);
}

/* What a quantile is: the element of rank low, or what lies at t between two. */
typedef struct spot {
    int64_t low, high;
    double t;
    bool two;
} spot;

static spot at_rank(double rank) {
    return (spot){.low = (int64_t)rank};
}
static spot between_ranks(double low, double high, double t) {
    return (spot){(int64_t)low, (int64_t)high, t, true};
}

/* The share q of n numbers. */
static spot spot_of(const steps *in, int64_t n, double q, const method *m) {
    double at = place_of(in, n, q, m);
    double last = (double)(n - 1);
    switch (m->kind) {
    case 'l':
        return at_rank(floor(at));
    case 'h':
        return at_rank(ceil(at));
    case 'm':
        return between_ranks(floor(at), ceil(at), floor(at) == at ? 0 : 0.5);
    case 'n':
        return at_rank(rint(at));
    case 'd':
    case 'a':
    case 'o': {
        double p = in_dtype(in->q, (double)n * q), k = ceil(p) - 1;
        if (m->kind == 'o') k = rint(p) - 1;
        if (k < 0) k = 0;
        if (k > last) k = last;
        if (m->kind == 'a' && floor(p) == p && p >= 1 && k < last)
            return between_ranks(k, k + 1, 0.5);
        return at_rank(k);
    }
    default:
        break;
    }
    if (at < 0) return between_ranks(0, 0, 0.5); /* a number and itself: nan for infinities */
    if (at >= last) return between_ranks(last, last, 0.5);
    return between_ranks(floor(at), floor(at) + 1, at - floor(at));
}

static double pick(gx_ranks *x, int64_t row, int64_t n, double q, const method *m,
                   const steps *in) {
    const spot p = spot_of(in, n, q, m);
    const double low = gx_ranks_item(x, row, p.low);
    return p.two ? between(in, low, gx_ranks_item(x, row, p.high), p.t) : low;
}

/* Is each step one of float64? */
static bool all_double(const steps *in) {
    const bool data = gx_dtype_kind(in->data) != GX_KIND_FLOAT || in->data == GX_f64;
    return data && in->q == GX_f64 && in->result == GX_f64;
}

/* As pick, of many rows, in float64. */
static gx_array *pick_many(gx_np *s, const gx_ranks *x, double q, const method *m,
                           const steps *in) {
    const spot p = spot_of(in, gx_ranks_counted(x), q, m);
    gx_array *low = gx_ranks_column(x, p.low);
    if (!p.two) return gx_ranks_or_nan(x, low);
    gx_array *high = gx_ranks_column(x, p.high), *d = gx_np_op2(s, GX_OP_subtract, high, low);
    const bool near = p.t >= 0.5; /* the higher one */
    d = gx_np_op2(s, GX_OP_multiply, d, gx_np_f64(s, near ? 1 - p.t : p.t));
    return gx_ranks_or_nan(x, near ? gx_np_op2(s, GX_OP_subtract, high, d)
                                   : gx_np_op2(s, GX_OP_add, low, d));
}

static const method *method_arg(gx_call *c, int i) {
    const char *name;
    size_t length;
    if (!gx_arg_str(c, i, &name, &length)) return NULL;
    for (int k = 0; k < METHODS; k++)
        if (strcmp(methods[k].name, name) == 0) return &methods[k];
    gx_fail(
        c->rt, GX_ValueError, "quantile.method",
        "'%s' is not a valid method. Use one of: linear, lower, higher, midpoint, nearest, hazen, "
        "weibull, median_unbiased, normal_unbiased, inverted_cdf",
        name);
    return NULL;
}

/* q as float64 in 0 … 1, with the values of the dtype NumPy would have it in. */
static gx_array *fractions(gx_np *s, gx_call *c, const gx_array *a, double scale, gx_dtype *d) {
    gx_array *q = gx_np_arr(s, c->argv[1]);
    if (!a || !q) return NULL;
    if (q->ndim > 2 && !gx_fail(s->rt, GX_ValueError, "quantile.q", "q must be a scalar or 1d"))
        return NULL;
    if (gx_dtype_kind(q->dtype) == GX_KIND_CPLX) {
        gx_fail(s->rt, GX_TypeError, "quantile.complex", "q must be an array of real numbers");
        return NULL;
    }
    if (!gx_np_is_float(q->dtype)) q = gx_np_cast(s, q, GX_f64);
    *d = q ? (gx_dtype)q->dtype : GX_f64;
    if (scale != 1) q = gx_np_op2(s, GX_OP_divide, q, gx_np_weak(s, *d, scale));
    q = gx_np_contiguous(s, gx_np_cast(s, q, GX_f64));
    const double *x = gx_np_data(s, q);
    if (!x) return NULL;
    for (int64_t i = 0; i < q->count; i++)
        if (!(x[i] >= 0 && x[i] <= 1)) {
            gx_fail(s->rt, GX_ValueError, "quantile.range",
                    scale == 1 ? "Quantiles must be in the range [0, 1]"
                               : "Percentiles must be in the range [0, 100]");
            return NULL;
        }
    return q;
}

/* A row of results for each q. */
static gx_array *quantiles_of_many(gx_np *s, const gx_ranks *x, gx_array *q, const method *m,
                                   const steps *in, int ndim, const int64_t *shape) {
    const double *f = gx_np_data(s, q);
    const int64_t rows[2] = {q->count, q->count ? x->table->count / x->m : 0};
    gx_array *r = gx_np_empty_near(s, x->table, GX_f64, 2, rows);
    for (int64_t k = 0; r && k < q->count; k++) {
        gx_array *to = gx_np_at(s, r, 0, k);
        gx_array *one = gx_np_flat(s, pick_many(s, x, f[k], m, in));
        if (!to || !one || !gx_array_store(s->rt, to, one)) return NULL;
    }
    return gx_np_settled(s, gx_np_reshape(s, r, ndim, shape));
}

static gx_array *quantiles(gx_np *s, gx_array *a, gx_array *q, uint64_t mask, const method *m,
                           const steps *in, bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS], shape[2 * GX_MAX_DIMS];
    gx_array *rows = gx_ranks_merged(s, a, mask, &nkept, kept);
    gx_ranks x;
    const double *f = gx_np_data(s, q);
    if (!rows || !f) return NULL;
    int64_t n = gx_shape(rows)[nkept], outer = gx_np_size(nkept, kept);
    const bool seen = q->count || gx_np_is_float(a->dtype); /* whether it is nan */
    if (n == 0 && outer && seen && !skip_nan) {
        gx_fail(s->rt, GX_IndexError, "quantile.empty",
                "index -1 is out of bounds for axis 0 with size 0");
        return NULL;
    }
    memcpy(shape, gx_shape(q), q->ndim * sizeof *shape);
    memcpy(shape + q->ndim, kept, (size_t)nkept * sizeof *shape);
    gx_array *r = gx_np_empty(s, GX_f64, q->ndim + nkept, shape);
    double *to = gx_np_data_write(s, r);
    if (to && !r->count) return r;
    if (to && n == 0) {
        for (int64_t i = 0; i < r->count; i++) to[i] = NAN;
        return gx_warn(s->rt, GX_RuntimeWarning, "Mean of empty slice") ? r : NULL;
    }
    if (!to || !gx_ranks_begin(s, rows, 2 * q->count, skip_nan, &x)) return NULL;
    if (x.asking) {
        for (int64_t k = 0; k < q->count && gx_ranks_count(&x, 0); k++)
            pick(&x, 0, gx_ranks_count(&x, 0), f[k], m, in);
        if (!gx_ranks_find(s, &x, 2 * q->count)) return NULL;
        if (all_double(in) && gx_ranks_many(&x, skip_nan))
            return quantiles_of_many(s, &x, q, m, in, q->ndim + nkept, shape);
    }
    for (int64_t k = 0; k < q->count; k++)
        for (int64_t i = 0; i < outer; i++) {
            int64_t valid = gx_ranks_count(&x, i);
            to[k * outer + i] =
                valid == 0 || (!skip_nan && valid < n) ? NAN : pick(&x, i, valid, f[k], m, in);
        }
    return x.failed ? NULL : r;
}

/* --- weights --- */

/* The weights in the shape of a. */
static gx_array *weights_of(gx_np *s, gx_call *c, gx_array *a, uint64_t mask, const method *m) {
    gx_array *w = gx_np_arr_as(s, c->argv[7], GX_f64);
    if (!w) return NULL;
    if (m->kind != 'd') {
        gx_fail(s->rt, GX_ValueError, "quantile.weights",
                "Only method 'inverted_cdf' supports weights. Got: %s.", m->name);
        return NULL;
    }
    w = gx_np_weights_along(s, w, a, mask, c->argv[2]);
    gx_array *flat = gx_np_contiguous(s, w);
    const double *x = gx_np_data(s, flat);
    if (!x) return NULL;
    for (int64_t i = 0; i < flat->count; i++)
        if (x[i] < 0) {
            gx_fail(s->rt, GX_ValueError, "quantile.weights", "Weights must be non-negative.");
            return NULL;
        }
    return w;
}

/* Where the running share of the weights of sorted values reaches q. */
static gx_array *weighted(gx_np *s, gx_array *a, gx_array *w, gx_array *q, uint64_t mask,
                          const steps *in, bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS], shape[2 * GX_MAX_DIMS];
    gx_array *rows =
        gx_np_contiguous(s, gx_ranks_merged(s, gx_np_cast(s, a, GX_f64), mask, &nkept, kept));
    gx_array *order = rows ? gx_np_argsort(s, rows, nkept) : NULL;
    gx_array *weights = gx_np_contiguous(s, gx_ranks_merged(s, w, mask, &nkept, kept));
    const double *x = gx_np_data(s, rows), *v = gx_np_data(s, weights), *f = gx_np_data(s, q);
    const int64_t *at = gx_np_data(s, gx_np_contiguous(s, order));
    if (!x || !v || !f || !at) return NULL;
    const int64_t n = gx_shape(rows)[nkept], outer = gx_np_size(nkept, kept);
    memcpy(shape, gx_shape(q), q->ndim * sizeof *shape);
    memcpy(shape + q->ndim, kept, (size_t)nkept * sizeof *shape);
    gx_array *r = gx_np_empty(s, GX_f64, q->ndim + nkept, shape);
    double *to = gx_np_data_write(s, r), *cdf = gx_np_room(s, n + 1, sizeof *cdf);
    if (!to || !cdf) return NULL;
    for (int64_t i = 0; i < outer; i++, x += n, v += n, at += n) {
        int64_t valid = n;
        while (valid && isnan(x[at[valid - 1]])) valid--;
        double total = 0;
        for (int64_t k = 0; k < valid; k++) cdf[k] = total += v[at[k]];
        if (valid && !(total > 0 && isfinite(total))) {
            gx_fail(s->rt, GX_ValueError, "quantile.weights",
                    "Weights included NaN, inf or were all zero.");
            return NULL;
        }
        for (int64_t k = 0; k < q->count; k++) {
            int64_t p = 0;
            while (p < valid - 1 && (cdf[p] == 0 || in_dtype(in->q, cdf[p] / total) < f[k])) p++;
            to[k * outer + i] = valid && (skip_nan || valid == n) ? x[at[p]] : NAN;
        }
    }
    return r;
}

static bool quantile_call(gx_call *c, double scale, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *w = NULL;
    gx_dtype qd = GX_f64;
    if (a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "quantile.complex",
                                     "a must be an array of real numbers"));
    gx_array *q = fractions(&s, c, a, scale, &qd);
    uint64_t mask;
    bool keep;
    if (!a || !q || !gx_axes_by_index(c->rt, c->argv[2], a->ndim, &mask) ||
        !gx_np_unused_truth(c, 4) || !gx_arg_bool(c, 6, &keep))
        return gx_np_end(&s, false);
    const bool nothing = skip_nan && a->count == 0; /* q and the method count for nothing */
    const method *m = nothing ? methods : method_arg(c, 5);
    if (!m) return gx_np_end(&s, false);
    if (gx_arg_some(c, 7) && !(w = weights_of(&s, c, a, mask, m))) return gx_np_end(&s, false);
    if (nothing) {
        const gx_value argv[5] = {gx_np_value(a), c->argv[2], gx_none(), c->argv[3], gx_bool(keep)};
        return gx_np_end(&s, gx_np_call(&s, "nanmean", 5, argv, out));
    }
    const bool end = scale == 1 && strcmp(m->name, "linear") == 0 && gx_np_is_whole(c->argv[1]);
    if (end) m = &methods[1]; /* lower: the least or the largest element itself */
    const bool whole =
        m->kind == 'l' || m->kind == 'h' || m->kind == 'n' || m->kind == 'd' || m->kind == 'o';
    if (a->dtype == GX_bool && !whole) { /* what lies between needs differences */
        gx_fail(c->rt, GX_TypeError, "quantile.bool",
                "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, "
                "the `^` operator, or the logical_xor function instead.");
        gx_help(c->rt, "method='nearest' takes one of the values; x.astype(int) counts");
        return gx_np_end(&s, false);
    }
    steps in = {(gx_dtype)a->dtype, qd, gx_promote((gx_dtype)a->dtype, qd), false};
    in.weak = gx_operand_kind(c->argv[1]) == GX_OPERAND_WEAK && c->argv[1].tag != GX_BOOL;
    if (in.weak && gx_np_is_float(a->dtype)) in.result = in.data;
    gx_array *r = w ? weighted(&s, a, w, q, mask, &in, skip_nan)
                    : quantiles(&s, a, q, mask, m, &in, skip_nan);
    r = gx_np_cast(&s, r, whole ? in.data : in.result);
    if (skip_nan && mask != gx_np_all(a)) r = gx_np_innermost(&s, r, q->ndim);
    const gx_ranks_giving how = {keep, !w && (!whole || skip_nan), q->ndim,
                                 skip_nan ? GX_CAST_UNSAFE : GX_CAST_SAME_KIND};
    return gx_ranks_give(&s, r, a, mask, how, c->argv[3], out);
}

static bool percentile_fn(gx_call *c, gx_value *out) {
    return quantile_call(c, 100, false, out);
}
static bool quantile_fn(gx_call *c, gx_value *out) {
    return quantile_call(c, 1, false, out);
}
static bool nanpercentile_fn(gx_call *c, gx_value *out) {
    return quantile_call(c, 100, true, out);
}
static bool nanquantile_fn(gx_call *c, gx_value *out) {
    return quantile_call(c, 1, true, out);
}

#define QUANTILE_SIG                                                                               \
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, "      \
    "weights=None)"
const gx_native gx_np_stats_functions[] = {
    {"median", "median(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
     "Median, over all axes or those given: the middle value, or the mean of the two middle ones.",
     "median([5, 1, 2])  # 2.0", median_fn, 0, 0},
    {"nanmedian", "nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
     "Median of the elements that are not nan.", "nanmedian([5, nan, 1])  # 3.0", nanmedian_fn, 0,
     0},
    {"percentile", "percentile" QUANTILE_SIG,
     "The q-th percentiles (q from 0 to 100), over all axes or those given; method says how to "
     "interpolate.",
     "percentile([1, 2, 3], 50)  # 2.0", percentile_fn, 0, 0},
    {"quantile", "quantile" QUANTILE_SIG,
     "The q-quantiles (q from 0 to 1), over all axes or those given; method says how to "
     "interpolate.",
     "quantile([1, 2, 3], 0.5)  # 2.0", quantile_fn, 0, 0},
    {"nanpercentile", "nanpercentile" QUANTILE_SIG, "Percentile of the elements that are not nan.",
     "nanpercentile([1, nan, 3], 50)  # 2.0", nanpercentile_fn, 0, 0},
    {"nanquantile", "nanquantile" QUANTILE_SIG, "Quantile of the elements that are not nan.",
     "nanquantile([1, nan, 3], 0.5)  # 2.0", nanquantile_fn, 0, 0},
    {.name = NULL},
};
