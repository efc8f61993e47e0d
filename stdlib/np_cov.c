/* Statistics of several variables: cov, corrcoef, histogram2d, histogramdd. */
#include <math.h>
#include <string.h>

#include "stdlib/np_call_int.h"

extern const gx_native gx_np_cov_functions[];

/* --- cov --- */

/* Weights of the observations (n), or NULL where none are given. */
static bool weights_arg(gx_np *s, gx_call *c, int i, int64_t n, bool whole, gx_array **out) {
    const char *name = whole ? "fweights" : "aweights", *wrong = NULL;
    gx_scalar low;
    *out = NULL;
    if (!gx_arg_some(c, i)) return true;
    gx_array *w = gx_np_arr_as(s, c->argv[i], GX_f64);
    if (!w) return false;
    if (w->ndim > 1)
        return gx_fail(c->rt, GX_RuntimeError, "cov.weights", "cannot handle multidimensional %s",
                       name);
    if (w->ndim == 0 || w->count != n)
        return gx_fail(c->rt, GX_RuntimeError, "cov.weights",
                       "incompatible numbers of samples and %s", name);
    if (n) {
        gx_array *least = gx_np_reduce(s, GX_RED_min, w, 1, false, GX_NO_DTYPE);
        gx_array *odd = gx_np_op2(s, GX_OP_not_equal, w, gx_np_op1(s, GX_OP_rint, w));
        gx_scalar any;
        odd = gx_np_reduce(s, GX_RED_any, odd, 1, false, GX_NO_DTYPE);
        if (!least || !odd || !gx_array_item(c->rt, least, &low) ||
            !gx_array_item(c->rt, odd, &any))
            return false;
        if (whole && any.b)
            return gx_fail(c->rt, GX_TypeError, "cov.weights", "fweights must be integer");
        if (low.f64 < 0) wrong = "cannot be negative";
    }
    *out = w;
    return !wrong || gx_fail(c->rt, GX_ValueError, "cov.weights", "%s %s", name, wrong);
}

/* The rows are variables; at least 2-d, float64 or complex128. */
static gx_array *variables(gx_np *s, gx_borrowed v, bool rowvar, gx_dtype d) {
    gx_array *x = gx_np_arr(s, v);
    if (!x) return NULL;
    if (x->ndim > 2) {
        gx_fail(s->rt, GX_ValueError, "cov.dims", "m has more than 2 dimensions");
        return NULL;
    }
    bool turn = !rowvar && x->ndim == 2;
    x = gx_np_cast(s, x, d);
    if (x && x->ndim < 2) x = gx_np_expand(s, x, 2, x->ndim ? 1 : 3);
    return turn ? gx_np_transposed(s, x) : x;
}

static gx_array *number_of(gx_np *s, gx_array *a) { /* the sum of all elements */
    return a ? gx_np_reduce(s, GX_RED_sum, a, gx_np_all(a), false, GX_NO_DTYPE) : NULL;
}

/* What the products are divided by: sum of the weights, less ddof's part. */
static bool divisor(gx_np *s, gx_array *w, gx_array *aweights, int64_t n, double ddof, double *sum,
                    double *out) {
    gx_scalar total = {.f64 = (double)n}, part;
    if (w) {
        gx_array *t = number_of(s, w);
        if (!t || !gx_array_item(s->rt, t, &total)) return false;
    }
    *sum = total.f64;
    *out = total.f64 - ddof;
    if (w && ddof == 0) *out = total.f64;
    if (!w || ddof == 0 || !aweights) return true;
    gx_array *t = number_of(s, gx_np_op2(s, GX_OP_multiply, w, aweights));
    if (!t || !gx_array_item(s->rt, t, &part)) return false;
    *out = total.f64 - ddof * part.f64 / total.f64;
    return true;
}

static gx_array *covariance(gx_np *s, gx_array *x, gx_array *w, double sum, double by) {
    gx_array *weighted = w ? gx_np_op2(s, GX_OP_multiply, x, w) : x, *mean;
    mean = gx_np_reduce(s, GX_RED_sum, weighted, 2, true, GX_NO_DTYPE);
    mean = gx_np_op2(s, GX_OP_divide, mean, gx_np_f64(s, sum));
    x = gx_np_op2(s, GX_OP_subtract, x, mean);
    gx_array *y = w ? gx_np_op2(s, GX_OP_multiply, x, w) : x;
    if (y && gx_dtype_kind(y->dtype) == GX_KIND_CPLX) y = gx_np_op1(s, GX_OP_conjugate, y);
    gx_array *r = gx_np_matmul(s, x, y ? gx_np_transposed(s, y) : NULL);
    return gx_np_op2(s, GX_OP_multiply, r, gx_np_f64(s, by > 0 ? 1 / by : INFINITY));
}

/* argv: m, y, rowvar, then of cov (`full`) bias, ddof, fweights, aweights, and last dtype. */
static gx_array *cov_of(gx_np *s, gx_call *c, bool full) {
    bool rowvar, bias = false;
    double ddof = 1, sum, by;
    gx_dtype d = GX_NO_DTYPE, asked = GX_NO_DTYPE;
    gx_array *f = NULL, *a = NULL;
    if (!gx_arg_bool(c, 2, &rowvar)) return NULL;
    if ((full && !gx_arg_bool(c, 3, &bias)) || !gx_np_dtype_arg(c, full ? 7 : 3, &asked))
        return NULL;
    ddof = bias ? 0 : 1;
    if (full && gx_arg_some(c, 4)) {
        if (!gx_arg_float(c, 4, &ddof)) return NULL;
        if (ddof != floor(ddof)) {
            gx_fail(c->rt, GX_ValueError, "cov.ddof", "ddof must be integer");
            return NULL;
        }
    }
    gx_value both[3] = {c->argv[0], gx_dtype_value(GX_f64), c->argv[1]};
    if (!gx_np_result_type(c->rt, gx_arg_some(c, 1) ? 3 : 2, both, &d)) return NULL;
    if (asked != GX_NO_DTYPE) d = asked;
    gx_array *x = variables(s, c->argv[0], rowvar, d);
    if (x && gx_arg_some(c, 1)) {
        gx_array *const parts[2] = {x, variables(s, c->argv[1], rowvar, d)};
        x = parts[1] ? gx_np_concat(s, 2, parts, 0, d) : NULL;
    }
    if (!x) return NULL;
    int64_t n = gx_shape(x)[1];
    if (full && (!weights_arg(s, c, 5, n, true, &f) || !weights_arg(s, c, 6, n, false, &a)))
        return NULL;
    gx_array *w = f && a ? gx_np_op2(s, GX_OP_multiply, f, a) : f ? f : a;
    if (!divisor(s, w, a, n, ddof, &sum, &by)) return NULL;
    if (by <= 0 && !gx_warn(c->rt, GX_RuntimeWarning, "Degrees of freedom <= 0 for slice"))
        return NULL;
    gx_array *r = covariance(s, x, w, sum, by);
    return asked != GX_NO_DTYPE ? gx_np_cast(s, r, asked) : r;
}

/* Axes of size 1 go away. */
static bool give_squeezed(gx_np *s, gx_array *r, gx_value *out) {
    if (r && r->ndim == 2 && gx_shape(r)[0] == 1) r = gx_np_squeeze(s, r, 3);
    return gx_np_give_array(s, r, out);
}

static bool cov_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return give_squeezed(&s, cov_of(&s, c, true), out);
}

/* A part of complex numbers, or real ones, kept within -1 and 1. */
static gx_array *clipped(gx_np *s, gx_array *a) {
    if (!a) return NULL;
    const gx_dtype d = (gx_dtype)a->dtype;
    return gx_np_op2(s, GX_OP_maximum, gx_np_op2(s, GX_OP_minimum, a, gx_np_weak(s, d, 1)),
                     gx_np_weak(s, d, -1));
}

static bool corrcoef_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *r = cov_of(&s, c, false), *d = NULL;
    if (!r || !gx_diagonal(c->rt, r, 0, 0, 1, &d)) return gx_np_end(&s, false);
    gx_array *dev = gx_np_op1(&s, GX_OP_sqrt, gx_np_real(&s, gx_np_own(&s, d)));
    if (!dev) return gx_np_end(&s, false);
    r = gx_np_op2(&s, GX_OP_divide, r, gx_np_expand(&s, dev, 2, 2));
    r = gx_np_op2(&s, GX_OP_divide, r, dev);
    if (r && gx_dtype_kind(r->dtype) == GX_KIND_CPLX) {
        gx_array *im = clipped(&s, gx_np_op1(&s, GX_OP_imag, r)), *i = NULL;
        gx_scalar unit = {.c128 = {0, 1}};
        if (!gx_array_scalar(c->rt, GX_c128, &unit, s.door, &i)) return gx_np_end(&s, false);
        i = gx_np_cast(&s, gx_np_own(&s, i), (gx_dtype)r->dtype);
        im = gx_np_op2(&s, GX_OP_multiply, im, i);
        r = gx_np_op2(&s, GX_OP_add, clipped(&s, gx_np_op1(&s, GX_OP_real, r)), im);
    } else {
        r = clipped(&s, r);
    }
    if (r && r->count == 1) r = gx_np_squeeze(&s, r, 3); /* of one variable a number */
    return gx_np_give(&s, r, out);
}

/* --- histograms of several variables --- */

enum { MOST_VARIABLES = 24 };

typedef struct grid_count {
    int n;
    int64_t count; /* samples */
    gx_array *x[MOST_VARIABLES], *edges[MOST_VARIABLES];
} grid_count;

/* Edges given as an array, or so many bins between the least and the greatest. */
static gx_array *edges_of(gx_np *s, gx_array *x, gx_borrowed bins, gx_borrowed range, int k) {
    gx_array *b = gx_np_arr(s, bins);
    if (!b) return NULL;
    if (b->ndim > 1) {
        gx_fail(s->rt, GX_ValueError, "histogram.bins", "`bins[%d]` must be a scalar or 1d array",
                k);
        return NULL;
    }
    if (b->ndim == 1 && b->count == 0) {
        gx_fail(s->rt, GX_IndexError, "histogram.bins",
                "`bins[%d]` is empty: an array of bins has one edge at least", k);
        return NULL;
    }
    if (b->ndim == 1) {
        const gx_value argv[1] = {gx_np_value(b)};
        gx_array *step = gx_np_call_values(s, "diff", 1, argv);
        gx_array *falls = gx_np_op2(s, GX_OP_less, step, gx_np_i64(s, 0));
        gx_scalar any;
        falls = gx_np_reduce(s, GX_RED_any, falls, 1, false, GX_NO_DTYPE);
        if (!falls || !gx_array_item(s->rt, falls, &any)) return NULL;
        if (!any.b) return b;
        gx_fail(s->rt, GX_ValueError, "histogram.bins",
                "`bins[%d]` must be monotonically increasing, when an array", k);
        return NULL;
    }
    /* histogram_bin_edges knows the rest. */
    const gx_value argv[3] = {gx_np_value(x), bins, range};
    int64_t many;
    gx_try is = gx_as_index(s->rt, bins, &many);
    if (is == GX_TRY_ERROR) return NULL;
    if (is == GX_TRY_NO || many < 1) {
        gx_fail(s->rt, is == GX_TRY_NO ? GX_TypeError : GX_ValueError, "histogram.bins",
                is == GX_TRY_NO ? "`bins[%d]` must be an integer, when a scalar"
                                : "`bins[%d]` must be positive, when an integer",
                k);
        return NULL;
    }
    return gx_np_call_values(s, "histogram_bin_edges", 3, argv);
}

/* For each sample the flat number of its cell, in a grid that has a border of one cell. */
static gx_array *cells_of(gx_np *s, const grid_count *g, int64_t *total) {
    gx_array *flat = NULL;
    gx_value right;
    *total = 1;
    if (!gx_str_c(s->rt, "right", &right) || !gx_np_hold(s, right)) return NULL;
    for (int k = 0; k < g->n; k++) {
        int64_t m = g->edges[k]->count;
        const gx_value argv[3] = {gx_np_value(g->edges[k]), gx_np_value(g->x[k]), right};
        gx_array *at = gx_np_call_values(s, "searchsorted", 3, argv);
        gx_array *last = gx_np_op2(s, GX_OP_equal, g->x[k], gx_np_at(s, g->edges[k], 0, m - 1));
        at = gx_np_op2(s, GX_OP_subtract, at, gx_np_cast(s, last, GX_i64));
        if (flat) flat = gx_np_op2(s, GX_OP_multiply, flat, gx_np_i64(s, m + 1));
        flat = flat ? gx_np_op2(s, GX_OP_add, flat, at) : at;
        *total = gx_size_times(*total, m + 1);
        if (!flat) return NULL;
    }
    return flat;
}

/* The counts (or sums of weights) of the inner cells. */
static gx_array *count_cells(gx_np *s, const grid_count *g, gx_borrowed weights) {
    int64_t total, shape[MOST_VARIABLES];
    gx_array *flat = cells_of(s, g, &total);
    if (!flat) return NULL;
    const gx_value argv[3] = {gx_np_value(flat), weights, gx_int(total)};
    gx_array *r = gx_np_cast(s, gx_np_call_values(s, "bincount", 3, argv), GX_f64);
    for (int k = 0; k < g->n; k++) shape[k] = g->edges[k]->count + 1;
    r = gx_np_reshape(s, r, g->n, shape);
    for (int k = 0; r && k < g->n; k++) r = gx_np_slice(s, r, k, 1, 1, shape[k] - 2);
    return gx_np_copy(s, r, 'C');
}

static gx_array *as_density(gx_np *s, const grid_count *g, gx_array *r) {
    gx_array *sum = number_of(s, r);
    for (int k = 0; k < g->n; k++) {
        int64_t shape[MOST_VARIABLES], m = g->edges[k]->count;
        for (int i = 0; i < g->n; i++) shape[i] = i == k ? m - 1 : 1;
        gx_array *width = gx_np_op2(s, GX_OP_subtract, gx_np_slice(s, g->edges[k], 0, 1, 1, m - 1),
                                    gx_np_slice(s, g->edges[k], 0, 0, 1, m - 1));
        r = gx_np_op2(s, GX_OP_divide, r, gx_np_reshape(s, width, g->n, shape));
    }
    return gx_np_op2(s, GX_OP_divide, r, sum);
}

/* bins and range: one for all, or a sequence of one each. */
static bool make_edges(gx_np *s, grid_count *g, gx_borrowed bins, gx_borrowed range) {
    const gx_value *each, *ranges;
    gx_value list = gx_undef();
    int64_t many, given;
    if (!gx_np_items(s, bins, &each, &many) || !gx_np_items(s, range, &ranges, &given))
        return false;
    if (many < 0 && gx_is_array(bins) && gx_as_array(bins)->ndim > 0) {
        if (!gx_tuple_of(s->rt, bins, &list) || !gx_np_hold(s, list)) return false;
        many = gx_sequence_items(list, &each);
    }
    if (many >= 0 && many != g->n)
        return gx_fail(s->rt, GX_ValueError, "histogram.bins",
                       "The dimension of bins must be equal to the dimension of the sample x.");
    if (given >= 0 && given != g->n)
        return gx_fail(s->rt, GX_ValueError, "histogram.range",
                       "range argument must have one entry per dimension");
    for (int k = 0; k < g->n; k++) {
        g->edges[k] =
            edges_of(s, g->x[k], many < 0 ? bins : each[k], given < 0 ? gx_none() : ranges[k], k);
        if (!g->edges[k]) return false;
    }
    return true;
}

static bool histogramdd_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    grid_count g = {0};
    gx_array *a, *r;
    bool density;
    gx_value list;
    if (!gx_arg_bool(c, 3, &density)) return gx_np_end(&s, false);
    if (gx_is_array(c->argv[0])) { /* (N, D) */
        a = gx_np_arr(&s, c->argv[0]);
        if (a && a->ndim == 1) a = gx_np_expand(&s, a, 2, 2);
    } else { /* D sequences */
        a = gx_np_arr(&s, c->argv[0]);
        a = a && a->ndim < 2 ? gx_np_expand(&s, a, 2, a->ndim ? 1 : 3) : a;
        a = a ? gx_np_transposed(&s, a) : NULL;
    }
    if (!a) return gx_np_end(&s, false);
    if (a->ndim != 2 || gx_shape(a)[1] > MOST_VARIABLES || gx_shape(a)[1] == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "histogram.sample",
                                     "histogramdd: the sample must be (N, D), D from 1 to %d",
                                     MOST_VARIABLES));
    g.n = (int)gx_shape(a)[1];
    for (int k = 0; k < g.n; k++)
        if (!(g.x[k] = gx_np_at(&s, a, 1, k))) return gx_np_end(&s, false);
    if (!make_edges(&s, &g, c->argv[1], c->argv[2])) return gx_np_end(&s, false);
    r = count_cells(&s, &g, c->argv[4]);
    if (density) r = as_density(&s, &g, r);
    if (!r || !gx_np_give_list(&(gx_np){.rt = c->rt, .door = s.door}, g.n, g.edges, &list))
        return gx_np_end(&s, false);
    const gx_value both[2] = {gx_np_value(r), list};
    bool ok = gx_tuple_new(c->rt, 2, both, out);
    gx_drop(list);
    return gx_np_end(&s, ok);
}

static bool histogram2d_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    grid_count g = {.n = 2};
    bool density;
    const gx_value *items;
    for (int k = 0; k < 2; k++)
        if (!(g.x[k] = gx_np_flat(&s, gx_np_arr(&s, c->argv[k])))) return gx_np_end(&s, false);
    gx_dtype d = gx_promote((gx_dtype)g.x[0]->dtype, (gx_dtype)g.x[1]->dtype);
    for (int k = 0; k < 2; k++) /* one sample of one dtype */
        if (!(g.x[k] = gx_np_cast(&s, g.x[k], d))) return gx_np_end(&s, false);
    if (g.x[0]->count != g.x[1]->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "histogram.length",
                                     "x and y must have the same length."));
    if (!gx_arg_bool(c, 4, &density)) return gx_np_end(&s, false);
    /* A list of edges serves both; two items are one each. */
    gx_value bins = c->argv[2], pair = gx_undef();
    int64_t many = gx_sequence_items(bins, &items);
    if (gx_is_array(bins)) many = gx_as_array(bins)->ndim ? gx_shape(gx_as_array(bins))[0] : -1;
    if (many >= 0 && many != 1 && many != 2) {
        const gx_value two[2] = {bins, bins};
        if (!gx_tuple_new(c->rt, 2, two, &pair) || !gx_np_hold(&s, pair))
            return gx_np_end(&s, false);
        bins = pair;
    }
    if (!make_edges(&s, &g, bins, c->argv[3])) return gx_np_end(&s, false);
    gx_array *r = count_cells(&s, &g, c->argv[5]);
    if (density) r = as_density(&s, &g, r);
    gx_array *const three[3] = {r, g.edges[0], g.edges[1]};
    return gx_np_give_tuple(&s, 3, three, out);
}

const gx_native gx_np_cov_functions[] = {
    {"cov",
     "cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, "
     "dtype=None)",
     "Covariances of variables (rows) over observations (columns).",
     "cov([[0, 1, 2], [2, 1, 0]]).tolist()  # [[1.0, -1.0], [-1.0, 1.0]]", cov_fn, 0, 0},
    {"corrcoef", "corrcoef(x, y=None, rowvar=True, *, dtype=None)",
     "Correlation coefficients of variables (rows).",
     "corrcoef([0, 1, 2], [2, 1, 0])[0, 1]  # -1.0", corrcoef_fn, 0, 0},
    {"histogram2d", "histogram2d(x, y, bins=10, range=None, density=False, weights=None)",
     "How many points lie in each cell of a grid.",
     "histogram2d([0, 1, 1], [0, 1, 1], bins=2)[0].tolist()  # [[1.0, 0.0], [0.0, 2.0]]",
     histogram2d_fn, 0, 0},
    {"histogramdd", "histogramdd(sample, bins=10, range=None, density=False, weights=None)",
     "How many points lie in each cell of a grid of any dimension.",
     "histogramdd(array([[0, 1], [2, 3]]), bins=1)[0].tolist()  # [[2.0]]", histogramdd_fn, 0, 0},
    {.name = NULL},
};
