/* Order statistics and counts: median, percentile, quantile and their nan forms, bincount,
   histogram. They work on sorted host data; results are NumPy's to the last step of its formulas.
 */
#include <math.h>
#include <string.h>

#include "stdlib/np_int.h"
#include "stdlib/np_order_int.h"
#include "stdlib/np_radix_int.h"
#include "stdlib/np_range_int.h"
#include "stdlib/np_reduce_int.h"

extern const gx_native gx_np_stats_functions[];

/* --- rows of the reduced axes
 * ----------------------------------------------------------------------------- */

/* The axes in mask merged into one that stands last; *kept: the other sizes. */
static gx_array *merged(gx_np *s, gx_array *a, uint64_t mask, int *nkept, int64_t *kept) {
    int perm[GX_MAX_DIMS], n = 0;
    gx_array *t = NULL;
    for (int i = 0; i < a->ndim; i++)
        if (!(mask >> i & 1)) {
            kept[n] = gx_shape(a)[i];
            perm[n++] = i;
        }
    *nkept = n;
    for (int i = 0; i < a->ndim; i++)
        if (mask >> i & 1) perm[n++] = i;
    if (!gx_transpose(s->rt, a, perm, &t)) return NULL;
    int64_t shape[GX_MAX_DIMS + 1];
    memcpy(shape, kept, (size_t)*nkept * sizeof *shape);
    shape[*nkept] = gx_np_fold_count(a, mask);
    return gx_np_reshape(s, gx_np_own(s, t), *nkept + 1, shape);
}

/* The shape with the reduced axes as 1. */
static gx_array *keep_axes(gx_np *s, gx_array *r, gx_array *a, uint64_t mask, int leading) {
    int64_t shape[2 * GX_MAX_DIMS];
    if (!r) return NULL;
    memcpy(shape, gx_shape(r), (size_t)leading * sizeof *shape);
    for (int i = 0; i < a->ndim; i++) shape[leading + i] = mask >> i & 1 ? 1 : gx_shape(a)[i];
    return gx_np_reshape(s, r, leading + a->ndim, shape);
}

/* The elements of rows by rank: from sorted rows, or found one by one in long rows of which few
   are asked for. nan stands last. */
typedef struct ranked {
    gx_rt *rt;
    gx_dtype d;
    int64_t n;
    const double *sorted; /* NULL: */
    const char *data;
    void *spare;
} ranked;

static double *sorted_rows(gx_np *s, gx_array *rows, gx_array **hold) {
    gx_array *sorted = gx_np_sorted(s, rows, rows ? rows->ndim - 1 : 0);
    gx_array *d = gx_np_contiguous(s, gx_np_cast(s, sorted, GX_f64));
    *hold = d;
    return (double *)(uintptr_t)gx_np_data(s, d);
}

/* --- median
 * ------------------------------------------------------------------------------------------------
 */

static int64_t valid_count(const double *row, int64_t n) {
    while (n > 0 && isnan(row[n - 1])) n--;
    return n;
}

static bool rank_rows(gx_np *s, gx_array *rows, int64_t asked, ranked *r) {
    enum { LONG = 16384, FEW = 8 };
    gx_array *hold;
    int64_t n = gx_shape(rows)[rows->ndim - 1];
    *r = (ranked){.rt = s->rt, .d = (gx_dtype)rows->dtype, .n = n};
    if (n < LONG || asked > FEW) {
        r->sorted = sorted_rows(s, rows, &hold);
        return r->sorted != NULL;
    }
    r->data = gx_np_data(s, gx_np_contiguous(s, rows));
    r->spare = gx_np_spare(s, 2 * n * gx_dtype_size(r->d));
    return r->data && r->spare;
}

/* How many elements of a row are not nan. */
static int64_t rank_count(const ranked *r, int64_t row) {
    if (r->sorted) return valid_count(r->sorted + row * r->n, r->n);
    return gx_np_radix_valid(r->d, r->data + row * r->n * gx_dtype_size(r->d), r->n);
}

static double rank_item(const ranked *r, int64_t row, int64_t rank) {
    if (r->sorted) return r->sorted[row * r->n + rank];
    gx_scalar e = {.bits = {0, 0}};
    const char *data = r->data + row * r->n * gx_dtype_size(r->d);
    gx_np_radix_select(r->rt, r->d, data, r->n, 1, &rank, &e, r->spare);
    return gx_scalar_cast(r->d, GX_f64, &e).f64;
}

static double median_of(const ranked *x, int64_t row, int64_t n, bool single) {
    if (n == 0) return NAN;
    double high = rank_item(x, row, n / 2);
    if (n % 2) return high;
    double low = rank_item(x, row, n / 2 - 1);
    if (single) return (double)((float)((float)low + (float)high) / 2);
    return (low + high) / 2;
}

/* Complex numbers are ordered by their real parts first; the middle ones are averaged. */
static gx_array *complex_median(gx_np *s, gx_array *a, uint64_t mask) {
    int nkept;
    int64_t kept[GX_MAX_DIMS];
    gx_array *rows = merged(s, a, mask, &nkept, kept);
    gx_array *sorted = rows ? gx_np_sorted(s, rows, nkept) : NULL;
    if (!sorted) return NULL;
    int64_t n = gx_shape(sorted)[nkept], first = n ? (n - 1) / 2 : 0, count = n ? 2 - n % 2 : 0;
    gx_array *middle = gx_np_slice(s, sorted, nkept, first, 1, count);
    return middle ? gx_np_mean(s, middle, UINT64_C(1) << nkept, false, GX_NO_DTYPE, NULL) : NULL;
}

static gx_array *median(gx_np *s, gx_array *a, uint64_t mask, bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS];
    if (!a) return NULL;
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX) return complex_median(s, a, mask);
    gx_dtype d = gx_np_is_float(a->dtype) ? (gx_dtype)a->dtype : GX_f64;
    gx_array *rows = merged(s, a, mask, &nkept, kept);
    ranked x;
    if (!rows) return NULL;
    int64_t n = gx_shape(rows)[nkept];
    if (n == 0 && !gx_warn(s->rt, GX_RuntimeWarning, "Mean of empty slice.")) return NULL;
    gx_array *r = gx_np_empty(s, GX_f64, nkept, kept);
    double *to = gx_np_data_write(s, r);
    if (!to || !rank_rows(s, rows, 2, &x)) return NULL;
    bool empty = false;
    for (int64_t i = 0; i < r->count; i++) {
        int64_t valid = rank_count(&x, i);
        empty = empty || (skip_nan && valid == 0);
        to[i] = !skip_nan && valid < n ? NAN : median_of(&x, i, valid, d != GX_f64);
    }
    if (empty && n && !gx_warn(s->rt, GX_RuntimeWarning, "All-NaN slice encountered")) return NULL;
    return gx_np_cast(s, r, d);
}

static bool median_call(gx_call *c, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    bool keep;
    if (!a || !gx_np_axes_arg(c, 1, a->ndim, &mask) || !gx_arg_bool(c, 4, &keep))
        return gx_np_end(&s, false);
    gx_array *r = median(&s, a, mask, skip_nan);
    if (keep) r = keep_axes(&s, r, a, mask, 0);
    return gx_np_give_out(&s, r, c->argv[2], out);
}

static bool median_fn(gx_call *c, gx_value *out) {
    return median_call(c, false, out);
}
static bool nanmedian_fn(gx_call *c, gx_value *out) {
    return median_call(c, true, out);
}

/* --- quantile
 * -----------------------------------------------------------------------------------------------
 */

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

static double between(double a, double b, double t) {
    double d = b - a;
    return t >= 0.5 ? b - d * (1 - t) : a + d * t;
}

static double pick(const ranked *x, int64_t row, int64_t n, double q, const method *m) {
    double at = m->kind == 'c' && !(m->alpha == 1 && m->beta == 1)
                    ? (double)n * q + (m->alpha + q * (1 - m->alpha - m->beta)) - 1
                    : (double)(n - 1) * q;
    double last = (double)(n - 1);
    switch (m->kind) {
    case 'l':
        return rank_item(x, row, (int64_t)floor(at));
    case 'h':
        return rank_item(x, row, (int64_t)ceil(at));
    case 'm':
        return between(rank_item(x, row, (int64_t)floor(at)), rank_item(x, row, (int64_t)ceil(at)),
                       floor(at) == at ? 0 : 0.5);
    case 'n':
        return rank_item(x, row, (int64_t)rint(at));
    case 'd':
    case 'a':
    case 'o': {
        double p = (double)n * q, k = ceil(p) - 1;
        if (m->kind == 'o') k = rint(p) - 1;
        if (k < 0) k = 0;
        if (k > last) k = last;
        if (m->kind == 'a' && floor(p) == p && p >= 1 && k < last)
            return between(rank_item(x, row, (int64_t)k), rank_item(x, row, (int64_t)k + 1), 0.5);
        return rank_item(x, row, (int64_t)k);
    }
    default:
        break;
    }
    if (at < 0) return rank_item(x, row, 0);
    if (at >= last) return rank_item(x, row, n - 1);
    double low = floor(at);
    return between(rank_item(x, row, (int64_t)low), rank_item(x, row, (int64_t)low + 1), at - low);
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

/* q as float64 in 0 … 1. */
static gx_array *fractions(gx_np *s, gx_call *c, double scale) {
    gx_array *q = gx_np_arr(s, c->argv[1]);
    q = gx_np_contiguous(s, gx_np_cast(s, q, GX_f64));
    if (q && scale != 1)
        q = gx_np_contiguous(s, gx_np_op2(s, GX_OP_divide, q, gx_np_f64(s, scale)));
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

static gx_array *quantiles(gx_np *s, gx_array *a, gx_array *q, uint64_t mask, const method *m,
                           bool skip_nan) {
    int nkept;
    int64_t kept[GX_MAX_DIMS], shape[2 * GX_MAX_DIMS];
    gx_array *rows = merged(s, a, mask, &nkept, kept);
    ranked x;
    const double *f = gx_np_data(s, q);
    if (!rows || !f) return NULL;
    int64_t n = gx_shape(rows)[nkept], outer = gx_np_size(nkept, kept);
    if (n == 0 && outer) {
        gx_fail(s->rt, GX_IndexError, "quantile.empty",
                "index -1 is out of bounds for axis 0 with size 0");
        return NULL;
    }
    memcpy(shape, gx_shape(q), q->ndim * sizeof *shape);
    memcpy(shape + q->ndim, kept, (size_t)nkept * sizeof *shape);
    gx_array *r = gx_np_empty(s, GX_f64, q->ndim + nkept, shape);
    double *to = gx_np_data_write(s, r);
    if (!to || !rank_rows(s, rows, 2 * q->count, &x)) return NULL;
    for (int64_t k = 0; k < q->count; k++)
        for (int64_t i = 0; i < outer; i++) {
            int64_t valid = rank_count(&x, i);
            to[k * outer + i] =
                valid == 0 || (!skip_nan && valid < n) ? NAN : pick(&x, i, valid, f[k], m);
        }
    return r;
}

static bool quantile_call(gx_call *c, double scale, bool skip_nan, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *q = fractions(&s, c, scale);
    const method *m = method_arg(c, 5);
    uint64_t mask;
    bool keep;
    if (!a || !q || !m || !gx_np_axes_arg(c, 2, a->ndim, &mask) || !gx_arg_bool(c, 6, &keep))
        return gx_np_end(&s, false);
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "quantile.complex",
                                     "a must be an array of real numbers"));
    gx_array *r = quantiles(&s, a, q, mask, m, skip_nan);
    bool weak = gx_operand_kind(c->argv[1]) == GX_OPERAND_WEAK;
    bool whole =
        m->kind == 'l' || m->kind == 'h' || m->kind == 'n' || m->kind == 'd' || m->kind == 'o';
    if (whole || (weak && gx_np_is_float(a->dtype))) r = gx_np_cast(&s, r, (gx_dtype)a->dtype);
    if (keep) r = keep_axes(&s, r, a, mask, q->ndim);
    return gx_np_give_out(&s, r, c->argv[3], out);
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

/* --- counting
 * ------------------------------------------------------------------------------------------------
 */

static bool bincount_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]), *w = NULL;
    int64_t least, n;
    if (!x || !gx_arg_int(c, 2, &least)) return gx_np_end(&s, false);
    if (x->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.dims",
                                     "object of too small depth for desired array"));
    if (least < 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.length",
                                     "'minlength' must not be negative"));
    if (gx_np_is_float(x->dtype) && x->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_TypeError, "bincount.type",
                                     "Cannot cast array data from dtype('%s') to dtype('int64') "
                                     "according to the rule 'safe'",
                                     gx_dtypes[x->dtype].name));
    x = gx_np_contiguous(&s, gx_np_cast(&s, x, GX_i64));
    const int64_t *p = gx_np_data(&s, x);
    if (!p) return gx_np_end(&s, false);
    n = least;
    for (int64_t i = 0; i < x->count; i++) {
        if (p[i] < 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.negative",
                                         "'list' argument must have no negative elements"));
        if (p[i] >= n) n = p[i] + 1;
    }
    if (gx_arg_some(c, 1)) {
        w = gx_np_contiguous(&s, gx_np_arr_as(&s, c->argv[1], GX_f64));
        if (w && w->count != x->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.weights",
                                         "The weights and list don't have the same length."));
        if (!w) return gx_np_end(&s, false);
    }
    gx_array *r = gx_np_zeros(&s, w ? GX_f64 : GX_i64, 1, &n);
    const double *weight = w ? gx_np_data(&s, w) : NULL;
    void *to = gx_np_data_write(&s, r);
    if (!to || (w && !weight)) return gx_np_end(&s, false);
    for (int64_t i = 0; i < x->count; i++) {
        if (weight)
            ((double *)to)[p[i]] += weight[i];
        else
            ((int64_t *)to)[p[i]]++;
    }
    return gx_np_give_array(&s, r, out);
}

/* --- histogram
 * ------------------------------------------------------------------------------------------------
 */

/* The range of the data, or the range argument. */
static bool outer_edges(gx_np *s, gx_call *c, gx_array *x, int arg, double *low, double *high) {
    if (gx_arg_some(c, arg)) {
        gx_array *r = gx_np_contiguous(s, gx_np_arr_as(s, c->argv[arg], GX_f64));
        const double *e = gx_np_data(s, r);
        if (!e) return false;
        if (r->count != 2)
            return gx_fail(c->rt, GX_ValueError, "histogram.range", "range must be (low, high)");
        *low = e[0];
        *high = e[1];
        if (*low > *high)
            return gx_fail(c->rt, GX_ValueError, "histogram.range",
                           "max must be larger than min in range parameter.");
    } else if (x->count == 0) {
        *low = 0;
        *high = 1;
    } else {
        gx_array *both[2] = {gx_np_reduce(s, GX_RED_min, x, 1, false, GX_NO_DTYPE),
                             gx_np_reduce(s, GX_RED_max, x, 1, false, GX_NO_DTYPE)};
        double *to[2] = {low, high};
        gx_scalar e;
        for (int i = 0; i < 2; i++) {
            if (!both[i] || !gx_array_item(c->rt, both[i], &e)) return false;
            *to[i] = gx_scalar_cast((gx_dtype)both[i]->dtype, GX_f64, &e).f64;
        }
    }
    if (!isfinite(*low) || !isfinite(*high))
        return gx_fail(c->rt, GX_ValueError, "histogram.range",
                       "autodetected range of [%g, %g] is not finite", *low, *high);
    if (*low == *high) {
        *low -= 0.5;
        *high += 0.5;
    }
    return true;
}

/* The edges from bins: a count, or the edges themselves. */
static gx_array *edges_of(gx_np *s, gx_call *c, gx_array *x, int bins_arg, int range_arg) {
    int64_t bins = 0;
    double low, high;
    gx_try is = gx_as_index(c->rt, c->argv[bins_arg], &bins);
    if (is == GX_TRY_ERROR) return NULL;
    if (c->argv[bins_arg].tag == GX_STR) {
        gx_arg_wrong(c, bins_arg, "an integer or a list of edges");
        return NULL;
    }
    if (is == GX_TRY_YES) {
        if (bins < 1) {
            gx_fail(c->rt, GX_ValueError, "histogram.bins",
                    "`bins` must be positive, when an integer");
            return NULL;
        }
        if (!outer_edges(s, c, x, range_arg, &low, &high)) return NULL;
        return gx_np_linspace(s, low, high, bins + 1, true);
    }
    gx_array *e = gx_np_contiguous(s, gx_np_arr(s, c->argv[bins_arg]));
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

static int64_t bin_of(const double *e, int64_t bins, double scale, double x) {
    if (!(x >= e[0] && x <= e[bins])) return -1;
    /* Right at once when the bins are of one width. */
    if (scale > 0) {
        int64_t guess = (int64_t)((x - e[0]) * scale);
        guess = guess < bins ? guess : bins - 1;
        if (x >= e[guess] && x < e[guess + 1]) return guess;
    }
    int64_t low = 0, high = bins;
    while (high - low > 1) {
        int64_t mid = low + (high - low) / 2;
        if (x >= e[mid])
            low = mid;
        else
            high = mid;
    }
    return low;
}

static bool histogram_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_flat(&s, gx_np_arr(&s, c->argv[0])), *w = NULL;
    bool density;
    if (!x || !gx_arg_bool(c, 3, &density)) return gx_np_end(&s, false);
    gx_array *edges = edges_of(&s, c, x, 1, 2);
    gx_array *ed = gx_np_contiguous(&s, gx_np_cast(&s, edges, GX_f64));
    gx_array *xd = gx_np_contiguous(&s, gx_np_cast(&s, x, GX_f64));
    const double *e = gx_np_data(&s, ed), *p = e ? gx_np_data(&s, xd) : NULL, *weight = NULL;
    if (!p) return gx_np_end(&s, false);
    if (gx_arg_some(c, 4)) {
        w = gx_np_contiguous(&s, gx_np_flat(&s, gx_np_arr_as(&s, c->argv[4], GX_f64)));
        weight = gx_np_data(&s, w);
        if (!weight) return gx_np_end(&s, false);
        if (w->count != x->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "histogram.weights",
                                         "weights should have the same shape as a."));
    }
    int64_t bins = ed->count - 1;
    if (bins < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "histogram.bins",
                                     "`bins` must have at least two edges"));
    gx_array *h = gx_np_zeros(&s, weight ? GX_f64 : GX_i64, 1, &bins);
    void *to = gx_np_data_write(&s, h);
    if (!to) return gx_np_end(&s, false);
    double scale = (double)bins / (e[bins] - e[0]);
    if (!isfinite(scale) || !isfinite(e[bins] - e[0])) scale = 0;
    for (int64_t i = 0; i < xd->count; i++) {
        int64_t b = bin_of(e, bins, scale, p[i]);
        if (b < 0) continue;
        if (weight)
            ((double *)to)[b] += weight[i];
        else
            ((int64_t *)to)[b]++;
    }
    if (density) {
        gx_array *width = gx_np_op2(&s, GX_OP_subtract, gx_np_slice(&s, ed, 0, 1, 1, bins),
                                    gx_np_slice(&s, ed, 0, 0, 1, bins));
        gx_array *total = gx_np_reduce(&s, GX_RED_sum, h, 1, false, GX_NO_DTYPE);
        h = gx_np_op2(&s, GX_OP_divide, gx_np_op2(&s, GX_OP_divide, h, width), total);
    }
    gx_array *give[2] = {h, edges};
    return gx_np_give_tuple(&s, 2, give, out);
}

static bool histogram_bin_edges_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    return gx_np_give_array(&s, x ? edges_of(&s, c, x, 1, 2) : NULL, out);
}

#define QUANTILE_SIG                                                                               \
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, "      \
    "weights=None)"
const gx_native gx_np_stats_functions[] = {
    {"median", "median(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
     "The middle of the sorted values.", "median([5, 1, 2])  # 2.0", median_fn, 0, 0},
    {"nanmedian", "nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
     "Median of the elements that are not nan.", "nanmedian([5, nan, 1])  # 3.0", nanmedian_fn, 0,
     0},
    {"percentile", "percentile" QUANTILE_SIG, "The value below which q percent of the values lie.",
     "percentile([1, 2, 3], 50)  # 2.0", percentile_fn, 0, 0},
    {"quantile", "quantile" QUANTILE_SIG, "The value below which the share q of the values lies.",
     "quantile([1, 2, 3], 0.5)  # 2.0", quantile_fn, 0, 0},
    {"nanpercentile", "nanpercentile" QUANTILE_SIG, "Percentile of the elements that are not nan.",
     "nanpercentile([1, nan, 3], 50)  # 2.0", nanpercentile_fn, 0, 0},
    {"nanquantile", "nanquantile" QUANTILE_SIG, "Quantile of the elements that are not nan.",
     "nanquantile([1, nan, 3], 0.5)  # 2.0", nanquantile_fn, 0, 0},
    {"bincount", "bincount(x, /, weights=None, minlength=0)", "How often each of 0, 1, 2 … occurs.",
     "bincount([0, 2, 2])  # [1 0 2]", bincount_fn, 0, 0},
    {"histogram", "histogram(a, bins=10, range=None, density=False, weights=None)",
     "How many values fall into each bin, and the edges of the bins.",
     "histogram([1, 2, 2, 3], bins=2)[0]  # [1 3]", histogram_fn, 0, 0},
    {"histogram_bin_edges", "histogram_bin_edges(a, bins=10, range=None, weights=None)",
     "The edges that histogram would use.", "histogram_bin_edges([0, 4], bins=2)  # [0. 2. 4.]",
     histogram_bin_edges_fn, 0, 0},
    {.name = NULL},
};
