/* Measurements of labelled parts: sums, means, variances, extremes and where they are. Elements are
   sorted into groups once: all of them, those of labels above 0, or those of each label of `index`.
   Sums are of doubles, in the order of the elements. */
#include <math.h>
#include <string.h>

#include "stdlib/ndimage/ndimage_int.h"

extern const gx_native gx_nd_measure_functions[];

typedef struct groups {
    gx_np s;
    gx_array *in, *values; /* values: in as doubles */
    gx_array *index;       /* labels as doubles, or NULL: one group */
    const double *x, *y; /* y: imaginary parts, or NULL */
    int64_t n, results; /* groups, results */
    int64_t *group;     /* of each element, or -1 */
    int64_t *of;        /* the group of each result */
    bool scalar;
} groups;

/* The labels of `index` sorted, with their places behind: pairs. */
static void sort_pairs(const gx_rt *rt, double *pair, int64_t n, double *spare) {
    for (int64_t w = 1; w < n; w *= 2) {
        for (int64_t low = 0; low < n && !gx_work_stops(rt); low += 2 * w) {
            int64_t mid = low + w < n ? low + w : n, end = low + 2 * w < n ? low + 2 * w : n;
            for (int64_t i = low, j = mid, k = low; k < end; k++) {
                bool left = i < mid && (j >= end || pair[2 * i] <= pair[2 * j]);
                int64_t from = left ? i++ : j++;
                spare[2 * k] = pair[2 * from];
                spare[2 * k + 1] = pair[2 * from + 1];
            }
        }
        memcpy(pair, spare, (size_t)n * 2 * sizeof *pair);
    }
}

/* The groups of the labels that `index` names; equal ones share a group. */
static bool by_index(groups *g, const double *label) {
    int64_t n = g->results;
    const double *index = gx_np_data(&g->s, g->index);
    double *pair = gx_np_room(&g->s, 4 * n + 1, sizeof *pair);
    double *known = gx_np_room(&g->s, n + 1, sizeof *known);
    if (!index || !pair || !known) return false;
    for (int64_t i = 0; i < n; i++) pair[2 * i] = index[i], pair[2 * i + 1] = (double)i;
    sort_pairs(g->s.rt, pair, n, pair + 2 * n);
    if (!gx_work_end(g->s.rt)) return false;
    g->n = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || pair[2 * i] != pair[2 * i - 2]) known[g->n++] = pair[2 * i];
        g->of[(int64_t)pair[2 * i + 1]] = g->n - 1;
    }
    int64_t last = -1;
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        if (last < 0 || known[last] != label[i]) {
            int64_t low = 0, high = g->n;
            while (low < high) {
                int64_t mid = low + (high - low) / 2;
                if (known[mid] < label[i])
                    low = mid + 1;
                else
                    high = mid;
            }
            last = low < g->n && known[low] == label[i] ? low : -1;
        }
        g->group[i] = last;
    }
    return gx_work_end(g->s.rt);
}

/* Labels of 0 up to the number of elements are looked up by whole numbers: the parts of an index
   behind the point are dropped, as SciPy does. */
static bool whole_index(groups *g, gx_borrowed index, gx_dtype labels, const double *label) {
    const int kind = gx_dtype_kind(labels);
    if (g->index->ndim == 0 || labels == GX_u64 || !g->in->count ||
        (kind != GX_KIND_INT && kind != GX_KIND_UINT))
        return true;
    bool counts = true;
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        if (label[i] < 0 || label[i] > (double)g->in->count) counts = false;
    }
    if (!gx_work_end(g->s.rt)) return false;
    if (!counts) return true;
    gx_array *a = gx_np_arr(&g->s, index);
    if (a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX) a = gx_np_op1(&g->s, GX_OP_real, a);
    a = a ? gx_np_op1(&g->s, GX_OP_trunc, gx_np_cast(&g->s, a, GX_f64)) : NULL;
    return (g->index = gx_np_contiguous(&g->s, a)) != NULL;
}

/* Labels or their index as doubles. Where they are compared, complex ones that are not real are
   nan, which no label is; else those above 0 count. */
static gx_array *labels_of(gx_np *s, gx_borrowed v, bool compared) {
    gx_array *a = gx_np_arr(s, v);
    if (!a || gx_dtype_kind(a->dtype) != GX_KIND_CPLX)
        return a ? gx_np_cast(s, a, GX_f64) : NULL;
    a = gx_np_fresh(s, a, GX_c128);
    const gx_c128 *z = gx_np_data(s, a);
    gx_array *r = z ? gx_np_empty(s, GX_f64, a->ndim, gx_shape(a)) : NULL;
    double *x = gx_np_data_write(s, r);
    for (int64_t i = 0; x && i < a->count; i++) {
        x[i] = z[i].re;
        if (z[i].im != 0 && compared)
            x[i] = NAN;
        else if (z[i].re == 0)
            x[i] = z[i].im;
    }
    return x ? r : NULL;
}

/* Complex numbers will do where there is one group. */
static bool open_groups(gx_call *c, groups *g) {
    memset(g, 0, sizeof *g);
    g->s = gx_np_begin(c);
    gx_np *s = &g->s;
    gx_array *labels = NULL;
    gx_dtype type = GX_f64; /* of the labels */
    const double *label = NULL;
    bool labelled = gx_arg_some(c, 1), indexed = labelled && gx_arg_some(c, 2);
    g->in = gx_np_arr(s, c->argv[0]);
    const bool complex = g->in && gx_dtype_kind(g->in->dtype) == GX_KIND_CPLX;
    if (g->in && indexed) g->index = gx_np_contiguous(s, labels_of(s, c->argv[2], true));
    if (complex && g->index && g->index->ndim)
        return gx_np_end(s, gx_fail(c->rt, GX_TypeError, "ndimage.complex",
                                    "Complex type not supported where labels are chosen by index"));
    if (g->in && labelled) {
        labels = gx_np_arr(s, c->argv[1]);
        if (labels) type = (gx_dtype)labels->dtype;
        labels = labels ? labels_of(s, c->argv[1], indexed) : NULL;
        gx_array *const both[2] = {g->in, labels};
        int ndim;
        int64_t shape[GX_MAX_DIMS];
        if (!labels || !gx_broadcast_shapes(c->rt, 2, both, &ndim, shape))
            return gx_np_end(s, false);
        g->in = gx_np_broadcast(s, g->in, ndim, shape);
        labels = gx_np_broadcast(s, labels, ndim, shape);
        label = gx_np_data(s, gx_np_contiguous(s, labels));
    }
    g->in = gx_np_contiguous(s, g->in);
    if (complex) {
        gx_array *im = gx_np_fresh(s, gx_np_op1(s, GX_OP_imag, g->in), GX_f64);
        if (!(g->y = gx_np_data(s, im))) return gx_np_end(s, false);
    }
    g->values = gx_np_contiguous(
        s, gx_np_cast(s, complex ? gx_np_op1(s, GX_OP_real, g->in) : g->in, GX_f64));
    g->x = gx_np_data(s, g->values);
    if (!g->x || (labelled && !label) || (indexed && !g->index)) return gx_np_end(s, false);
    if (indexed && !whole_index(g, c->argv[2], type, label)) return gx_np_end(s, false);
    g->scalar = !g->index || g->index->ndim == 0;
    g->results = g->index ? g->index->count : 1;
    g->group = gx_np_room(s, g->in->count + 1, sizeof *g->group);
    g->of = gx_np_room(s, g->results + 1, sizeof *g->of);
    if (!g->group || !g->of) return gx_np_end(s, false);
    g->n = 1;
    g->of[0] = 0;
    if (g->index) return by_index(g, label) || gx_np_end(s, false);
    GX_LONG_LOOP(c->rt, i, 0, g->in->count) g->group[i] = !label || label[i] > 0 ? 0 : -1;
    return gx_work_end(c->rt) || gx_np_end(s, false);
}

/* An array of the results' shape. */
static gx_array *results(groups *g, gx_dtype d) {
    return g->index ? gx_np_empty(&g->s, d, g->index->ndim, gx_shape(g->index))
                    : gx_np_empty(&g->s, d, 0, NULL);
}

/* Sum and count of each group; f NULL: of the elements, else of (x - f[group])^2. */
static bool totals(groups *g, const double *f, double **sum, double **count) {
    *sum = gx_np_scratch(&g->s, (size_t)(g->n + 1) * sizeof **sum);
    *count = gx_np_scratch(&g->s, (size_t)(g->n + 1) * sizeof **count);
    if (!*sum || !*count) return false;
    memset(*sum, 0, (size_t)g->n * sizeof **sum);
    memset(*count, 0, (size_t)g->n * sizeof **count);
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        int64_t k = g->group[i];
        if (k < 0) continue;
        double x = g->x[i];
        if (f) x = (x - f[k]) * (x - f[k]);
        (*sum)[k] += x;
        (*count)[k]++;
    }
    return gx_work_end(g->s.rt);
}

static bool give_doubles(groups *g, const double *each, gx_value *out) {
    gx_array *r = results(g, GX_f64);
    double *y = gx_np_data_write(&g->s, r);
    for (int64_t i = 0; y && i < g->results; i++) y[i] = each[g->of[i]];
    return gx_np_give(&g->s, y ? r : NULL, out);
}

/* One group: the sum has the dtype that sum gives. */
static bool sum_of_one(groups *g, gx_value *out) {
    gx_array *in = gx_np_keep(&g->s, g->in);
    gx_array *inside = in ? gx_np_empty(&g->s, GX_bool, in->ndim, gx_shape(in)) : NULL;
    uint8_t *y = gx_np_data_write(&g->s, inside);
    if (!y) return gx_np_end(&g->s, false);
    GX_LONG_LOOP(g->s.rt, i, 0, in->count) y[i] = g->group[i] == 0;
    in = gx_np_op3(&g->s, GX_OP_where, inside, in, gx_np_weak_int(&g->s, in->dtype, 0));
    gx_array *r = gx_np_reduce(&g->s, GX_RED_sum, in, gx_np_all(g->in), false, GX_NO_DTYPE);
    return gx_np_give(&g->s, r, out);
}

static bool sum_fn(gx_call *c, gx_value *out) {
    groups g;
    double *sum, *count;
    if (!open_groups(c, &g)) return false;
    if (g.scalar) return sum_of_one(&g, out);
    if (!totals(&g, NULL, &sum, &count)) return gx_np_end(&g.s, false);
    return give_doubles(&g, sum, out);
}

typedef enum moment { MEAN, VARIANCE, DEVIATION } moment;

/* Of the one group of complex numbers; all three are complex. */
static bool complex_moment(groups *g, moment what, gx_value *out) {
    double re = 0, im = 0, square = 0, n = 0;
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        if (g->group[i] < 0) continue;
        re += g->x[i];
        im += g->y[i];
        n++;
    }
    re /= n;
    im /= n;
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        if (g->group[i] >= 0)
            square += (g->x[i] - re) * (g->x[i] - re) + (g->y[i] - im) * (g->y[i] - im);
    }
    gx_array *r = gx_work_end(g->s.rt) ? results(g, GX_c128) : NULL;
    gx_c128 *to = gx_np_data_write(&g->s, r);
    if (!to) return gx_np_end(&g->s, false);
    square /= n;
    *to = what == MEAN ? (gx_c128){re, im}
                       : (gx_c128){what == VARIANCE ? square : sqrt(square), n > 0 ? 0 : NAN};
    return gx_np_give(&g->s, r, out);
}

static bool moments(gx_call *c, moment what, gx_value *out) {
    groups g;
    double *sum, *square, *count;
    if (!open_groups(c, &g)) return false;
    if (g.y) return complex_moment(&g, what, out);
    bool ok = totals(&g, NULL, &sum, &count);
    for (int64_t k = 0; ok && k < g.n; k++) sum[k] /= count[k];
    square = sum;
    if (ok && what != MEAN) {
        ok = totals(&g, sum, &square, &count);
        for (int64_t k = 0; ok && k < g.n; k++) {
            square[k] /= count[k];
            if (what == DEVIATION) square[k] = sqrt(square[k]);
        }
    }
    return ok ? give_doubles(&g, square, out) : gx_np_end(&g.s, false);
}

static bool mean_fn(gx_call *c, gx_value *out) {
    return moments(c, MEAN, out);
}
static bool variance_fn(gx_call *c, gx_value *out) {
    return moments(c, VARIANCE, out);
}
static bool standard_deviation_fn(gx_call *c, gx_value *out) {
    return moments(c, DEVIATION, out);
}

/* --- extremes */

/* The place of each group's smallest or largest element, or -1. Of equal ones it is the first; but
   of several labels SciPy sorts the elements: the largest is the last, and nan the largest. */
static int64_t *extremes(groups *g, bool largest) {
    int64_t *at = gx_np_room(&g->s, g->n + 1, sizeof *at);
    if (!at) return NULL;
    for (int64_t k = 0; k < g->n; k++) at[k] = -1;
    GX_LONG_LOOP(g->s.rt, i, 0, g->in->count) {
        int64_t k = g->group[i];
        if (k < 0) continue;
        double x = g->x[i], best = at[k] < 0 ? 0 : g->x[at[k]];
        if (g->y && at[k] >= 0 && x == best) { /* imaginary parts decide */
            x = g->y[i];
            best = g->y[at[k]];
        }
        bool better = largest ? x > best : x < best;
        if (g->scalar)
            better = better || (x != x && best == best);
        else
            better = largest ? !(x < best) && (best == best || x != x)
                             : better || (x == x && best != best);
        if (at[k] < 0 || better) at[k] = i;
    }
    return gx_work_end(g->s.rt) ? at : NULL;
}

/* The elements at the results' places; 0 where a label is missing. */
static gx_array *elements(groups *g, const int64_t *at) {
    gx_array *r = results(g, g->in->dtype);
    size_t bytes = (size_t)gx_dtypes[g->in->dtype].bytes;
    char *y = gx_np_data_write(&g->s, r);
    const char *x = gx_np_data(&g->s, g->in);
    if (!x || !y) return NULL;
    for (int64_t i = 0; i < g->results; i++) {
        int64_t from = at[g->of[i]];
        if (from < 0)
            memset(y + (size_t)i * bytes, 0, bytes);
        else
            memcpy(y + (size_t)i * bytes, x + (size_t)from * bytes, bytes);
    }
    return r;
}

/* nd of NumPy's integers as a tuple. */
static bool give_point(gx_rt *rt, int nd, const int64_t *whole, gx_value *out) {
    gx_value v[GX_MAX_DIMS];
    int made = 0;
    bool ok = true;
    for (; ok && made < nd; made += ok) {
        const gx_scalar x = {.i64 = whole[made]};
        ok = gx_scalar_new(rt, GX_i64, &x, &v[made]);
    }
    ok = ok && gx_tuple_new(rt, nd, v, out);
    for (int d = 0; d < made; d++) gx_drop(v[d]);
    return ok;
}

/* One place, or the list of all results' places. */
static bool points(groups *g, const int64_t *at, gx_value *out) {
    gx_rt *rt = g->s.rt;
    int nd = g->in->ndim;
    int64_t made = 0;
    bool ok = true;
    gx_value *list = gx_np_room(&g->s, g->results + 1, sizeof *list);
    if (!list) return false;
    for (; ok && made < g->results && !gx_work_stops(rt); made += ok) {
        int64_t k = g->of[made], rest = at[k] > 0 ? at[k] : 0, place[GX_MAX_DIMS];
        for (int d = nd - 1; d >= 0; d--) {
            int64_t size = gx_shape(g->in)[d] ? gx_shape(g->in)[d] : 1;
            place[d] = rest % size;
            rest /= size;
        }
        ok = give_point(rt, nd, place, &list[made]);
    }
    ok = ok && gx_work_end(rt);
    if (ok && g->scalar)
        *out = gx_keep(list[0]);
    else
        ok = ok && gx_list_new(rt, g->results, list, out);
    for (int64_t i = 0; i < made; i++) gx_drop(list[i]);
    return ok;
}

static bool no_elements(groups *g, const char *name) {
    return gx_fail(g->s.rt, GX_ValueError, "ndimage.empty", "%s: there is no element", name);
}

static bool extreme(gx_call *c, bool largest, bool position, gx_value *out) {
    groups g;
    if (!open_groups(c, &g)) return false;
    int64_t *at = extremes(&g, largest);
    if (at && g.scalar && at[0] < 0) return gx_np_end(&g.s, no_elements(&g, c->fn->name));
    if (!at) return gx_np_end(&g.s, false);
    if (position) return gx_np_end(&g.s, points(&g, at, out));
    return gx_np_give(&g.s, elements(&g, at), out);
}

static bool minimum_fn(gx_call *c, gx_value *out) {
    return extreme(c, false, false, out);
}
static bool maximum_fn(gx_call *c, gx_value *out) {
    return extreme(c, true, false, out);
}
static bool minimum_position_fn(gx_call *c, gx_value *out) {
    return extreme(c, false, true, out);
}
static bool maximum_position_fn(gx_call *c, gx_value *out) {
    return extreme(c, true, true, out);
}

#define LABELS "(input, labels=None, index=None)"
const gx_native gx_nd_measure_functions[] = {
    {"sum_labels", "sum_labels" LABELS, "Sums of the elements of each label of index.",
     "sum_labels([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [3. 4.]", sum_fn, 0, 0},
    {"sum", "sum" LABELS, "Sums of the elements of each label of index.",
     "sum([1, 2, 3, 4], [1, 1, 0, 2])  # 7", sum_fn, 0, 0},
    {"mean", "mean" LABELS, "Means of the elements of each label of index.",
     "mean([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [1.5 4. ]", mean_fn, 0, 0},
    {"variance", "variance" LABELS, "Variances of the elements of each label of index.",
     "variance([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [0.25 0.  ]", variance_fn, 0, 0},
    {"standard_deviation", "standard_deviation" LABELS,
     "Standard deviations of the elements of each label of index.",
     "standard_deviation([1, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [0.5 0. ]", standard_deviation_fn,
     0, 0},
    {"minimum", "minimum" LABELS, "The smallest element of each label of index.",
     "minimum([3, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [2 4]", minimum_fn, 0, 0},
    {"maximum", "maximum" LABELS, "The largest element of each label of index.",
     "maximum([3, 2, 3, 4], [1, 1, 0, 2], [1, 2])  # [3 4]", maximum_fn, 0, 0},
    {"minimum_position", "minimum_position" LABELS,
     "Where the smallest element of each label of index is.",
     "minimum_position([3, 2, 3, 4], [1, 1, 0, 2])  # (1,)", minimum_position_fn, 0, 0},
    {"maximum_position", "maximum_position" LABELS,
     "Where the largest element of each label of index is.",
     "maximum_position([3, 2, 3, 4], [1, 1, 0, 2])  # (3,)", maximum_position_fn, 0, 0},
    {.name = NULL},
};
