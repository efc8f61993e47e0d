/* Counting: bincount, histogram and the edges of its bins, which may be given, evenly spaced, or as
   many as a rule of statistics finds fit. Works on host data. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/op/device_order.h"
#include "stdlib/numpy/base/range.h"
#include "stdlib/numpy/math/histogram_int.h"

extern const gx_native gx_np_histogram_functions[];

/* Counting in tasks: each has two tables, so that equal neighbours need not wait for each other. */
enum { COUNTERS = 8 };
typedef struct count_job {
    const gx_rt *rt;
    const int64_t *x;
    int64_t n, bins, tasks;
    uint32_t *tables;
} count_job;

static void count_task(void *arg, int64_t task, int thread) {
    const count_job *j = arg;
    int64_t i = j->n * task / j->tasks, end = j->n * (task + 1) / j->tasks;
    uint32_t *a = j->tables + 2 * task * j->bins, *b = a + j->bins;
    (void)thread;
    memset(a, 0, (size_t)(2 * j->bins) * sizeof *a);
    GX_LONG_LOOP(j->rt, k, 0, (end - i) / 2) {
        a[j->x[i + 2 * k]]++;
        b[j->x[i + 2 * k + 1]]++;
    }
    if ((end - i) % 2) a[j->x[end - 1]]++;
}

/* How often each of 0 … bins - 1 occurs, into `to`, which is zero. */
static bool count_each(gx_np *s, const int64_t *x, int64_t n, int64_t *to, int64_t bins) {
    count_job j = {.rt = s->rt, .x = x, .n = n, .bins = bins, .tasks = n < 65536 ? 1 : COUNTERS};
    if (n < 256 || n > UINT32_MAX || bins * j.tasks * 8 > n) {
        GX_LONG_LOOP(s->rt, i, 0, n) to[x[i]]++;
        return true;
    }
    j.tables = gx_np_room(s, 2 * j.tasks * bins, sizeof *j.tables);
    if (!j.tables) return false;
    gx_work_run(s->rt, j.tasks, count_task, &j);
    for (int64_t t = 0; t < 2 * j.tasks && !gx_work_stops(s->rt); t++)
        for (int64_t b = 0; b < bins; b++) to[b] += j.tables[t * bins + b];
    return true;
}

/* Counted, or w added up, on the GPU where x lives there: NULL where not. */
static bool bincount_on_device(gx_np *s, gx_array *x, gx_array *w, int64_t least,
                               gx_array **out) {
    bool done;
    gx_scalar low, high;
    gx_dtype d = (gx_dtype)x->dtype;
    *out = NULL;
    if (!gx_device_extent(s->rt, x, &low, &high, &done)) return false;
    if (!done) return true;
    int64_t first = gx_scalar_cast(d, GX_i64, &low).i64;
    int64_t last = gx_scalar_cast(d, GX_i64, &high).i64;
    if (first < 0 || last < 0)
        return gx_fail(s->rt, GX_ValueError, "bincount.negative",
                       "'list' argument must have no negative elements");
    gx_array *r = NULL;
    int64_t n = last >= least ? last + 1 : least;
    if (!(w ? gx_device_weighted_bincount(s->rt, x, NULL, n, w, &r)
            : gx_device_count(s->rt, x, n, &r)))
        return false;
    if (r) *out = gx_np_own(s, r);
    return !r || *out;
}

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
    gx_array *found;
    if (gx_arg_some(c, 1)) {
        w = gx_np_arr_as(&s, c->argv[1], GX_f64);
        if (w && w->count != x->count)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.weights",
                                         "The weights and list don't have the same length."));
        if (!w) return gx_np_end(&s, false);
    }
    if (!bincount_on_device(&s, x, w, least, &found)) return gx_np_end(&s, false);
    if (found) return gx_np_give_array(&s, found, out);
    w = gx_np_contiguous(&s, w);
    x = gx_np_contiguous(&s, gx_np_cast(&s, x, GX_i64));
    const int64_t *p = gx_np_data(&s, x);
    if (!p) return gx_np_end(&s, false);
    uint64_t most = 0;
    GX_LONG_LOOP(c->rt, i, 0, x->count) most = (uint64_t)p[i] > most ? (uint64_t)p[i] : most;
    if (!gx_work_end(c->rt)) return gx_np_end(&s, false);
    if (most > INT64_MAX)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "bincount.negative",
                                     "'list' argument must have no negative elements"));
    n = x->count && (int64_t)most >= least ? (int64_t)most + 1 : least;
    if (x->count == 0) w = NULL; /* as NumPy: of nothing, integers */
    gx_array *r = gx_np_zeros(&s, w ? GX_f64 : GX_i64, 1, &n);
    const double *weight = w ? gx_np_data(&s, w) : NULL;
    void *to = gx_np_data_write(&s, r);
    if (!to || (w && !weight)) return gx_np_end(&s, false);
    if (weight) {
        GX_LONG_LOOP(c->rt, i, 0, x->count) ((double *)to)[p[i]] += weight[i];
    }
    if (!weight && !count_each(&s, p, x->count, to, n)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, r, out);
}

/* --- edges --- */

/* The range argument; false, with an error or without, when there is none that is good. */
static bool given_range(gx_np *s, gx_call *c, int arg, double *low, double *high) {
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
    if (!isfinite(*low) || !isfinite(*high))
        return gx_fail(c->rt, GX_ValueError, "histogram.range",
                       "supplied range of [%g, %g] is not finite", *low, *high);
    return true;
}

/* The least and the most of the data, nan when there is one. */
static bool data_range(gx_np *s, gx_array *x, double *low, double *high) {
    gx_scalar e[2];
    bool done = false;
    if (gx_dtype_kind(x->dtype) != GX_KIND_CPLX &&
        !gx_device_extent(s->rt, x, &e[0], &e[1], &done))
        return false;
    gx_dtype d = (gx_dtype)x->dtype;
    for (int i = 0; i < 2 && !done; i++) {
        gx_redcode red = i ? GX_RED_max : GX_RED_min;
        gx_array *r = gx_np_reduce(s, red, x, 1, false, GX_NO_DTYPE);
        if (!r || !gx_array_item(s->rt, r, &e[i])) return false;
        d = (gx_dtype)r->dtype;
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
    if (d == GX_f64 || !from_data)
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
    const char *name;
    size_t length;
    double width;
    gx_array *xd = gx_np_contiguous(s, gx_np_cast(s, x, GX_f64));
    const double *p = gx_np_data(s, xd);
    double *kept = p ? gx_np_room(s, xd->count + 1, sizeof *kept) : NULL;
    if (!kept || !gx_arg_str(c, bins_arg, &name, &length)) return 0;
    int64_t n = 0;
    GX_LONG_LOOP(c->rt, i, 0, xd->count)
        if (!gx_arg_some(c, range_arg) || (p[i] >= low && p[i] <= high)) kept[n++] = p[i];
    if (!gx_np_bin_width(s, name, kept, n, low, high, &width)) return 0;
    if (n == 0 || width == 0) return 1;
    if (!gx_np_is_float(x->dtype) && width < 1) width = 1;
    double count = ceil((high - low) / width);
    if (!(count < 1e15)) {
        gx_fail(c->rt, GX_ValueError, "histogram.bins",
                "Too many bins for data range. Cannot create %g finite-sized bins.", count);
        return 0;
    }
    return count < 1 ? 1 : (int64_t)count;
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

int64_t gx_np_bin_of(const double *e, int64_t bins, double scale, double x) {
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

typedef struct bins {
    const double *edges, *x;
    const gx_c128 *weight; /* NULL: each value counts 1 */
    int64_t count, values;
} bins;

/* The counts, int64, or the sums of the weights in their dtype. */
static gx_array *counted(gx_np *s, const bins *b, gx_dtype weights) {
    const double *e = b->edges, wide = e[b->count] - e[0];
    double scale = (double)b->count / wide;
    if (!isfinite(scale) || !isfinite(wide)) scale = 0;
    gx_array *h = gx_np_zeros(s, b->weight ? GX_c128 : GX_i64, 1, &b->count);
    void *to = gx_np_data_write(s, h);
    if (!to) return NULL;
    GX_LONG_LOOP(s->rt, i, 0, b->values) {
        int64_t at = gx_np_bin_of(e, b->count, scale, b->x[i]);
        if (at < 0) continue;
        if (b->weight) {
            ((gx_c128 *)to)[at].re += b->weight[i].re;
            ((gx_c128 *)to)[at].im += b->weight[i].im;
        } else
            ((int64_t *)to)[at]++;
    }
    if (!b->weight) return h;
    if (gx_dtype_kind(weights) != GX_KIND_CPLX) h = gx_np_op1(s, GX_OP_real, h);
    return gx_np_cast(s, h, weights);
}

/* As counted, of x, on the GPU where it lives there; weights NULL: none. */
static gx_array *counted_anywhere(gx_np *s, gx_array *x, bins *b, gx_array *weights) {
    gx_array *r = NULL;
    gx_dtype d = weights ? (gx_dtype)weights->dtype : GX_i64;
    if (gx_dtype_kind(x->dtype) != GX_KIND_CPLX && gx_dtype_kind(d) != GX_KIND_CPLX) {
        if (!(weights ? gx_device_weighted_bincount(s->rt, x, b->edges, b->count, weights, &r)
                      : gx_device_histogram(s->rt, x, b->edges, b->count, &r)))
            return NULL;
        if (r) return gx_np_cast(s, gx_np_own(s, r), d);
    }
    x = gx_np_contiguous(s, gx_np_cast(s, x, GX_f64));
    if (weights) {
        b->weight = gx_np_data(s, gx_np_contiguous(s, gx_np_cast(s, weights, GX_c128)));
        if (!b->weight) return NULL;
    }
    b->x = gx_np_data(s, x);
    if (!b->x) return NULL;
    b->values = x->count;
    return counted(s, b, d);
}

static bool weights_arg(gx_np *s, gx_call *c, int64_t values, gx_array **out) {
    *out = NULL;
    if (!gx_arg_some(c, 4)) return true;
    if (c->argv[1].tag == GX_STR)
        return gx_fail(c->rt, GX_TypeError, "histogram.weights",
                       "Automated estimation of the number of bins is not supported for weighted "
                       "data");
    gx_array *w = gx_np_flat(s, gx_np_arr(s, c->argv[4]));
    if (w && w->count != values)
        return gx_fail(c->rt, GX_ValueError, "histogram.weights",
                       "weights should have the same shape as a.");
    *out = w;
    return w != NULL;
}

static bool histogram_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = values_of(&s, c);
    bool density = false;
    bins b = {0};
    gx_array *weights;
    if (!x || (gx_arg_some(c, 3) && !gx_arg_bool(c, 3, &density)) ||
        !weights_arg(&s, c, x->count, &weights))
        return gx_np_end(&s, false);
    gx_array *edges = edges_of(&s, c, x, 1, 2);
    gx_array *ed = gx_np_contiguous(&s, gx_np_cast(&s, edges, GX_f64));
    b.edges = gx_np_data(&s, ed);
    if (!b.edges) return gx_np_end(&s, false);
    b.count = ed->count - 1;
    if (b.count < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "histogram.bins",
                                     "`bins` must have at least two edges"));
    gx_array *h = counted_anywhere(&s, x, &b, weights);
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
    gx_array *x = values_of(&s, c);
    return gx_np_give_array(&s, x ? edges_of(&s, c, x, 1, 2) : NULL, out);
}

const gx_native gx_np_histogram_functions[] = {
    {"bincount", "bincount(x, /, weights=None, minlength=0)", "How often each of 0, 1, 2 … occurs.",
     "bincount([0, 2, 2])  # [1 0 2]", bincount_fn, 0, 0},
    {"histogram", "histogram(a, bins=10, range=None, density=None, weights=None)",
     "How many values fall into each bin, and the edges of the bins.",
     "histogram([1, 2, 2, 3], bins=2)[0]  # [1 3]", histogram_fn, 0, 0},
    {"histogram_bin_edges", "histogram_bin_edges(a, bins=10, range=None, weights=None)",
     "The edges that histogram would use.", "histogram_bin_edges([0, 4], bins=2)  # [0. 2. 4.]",
     histogram_bin_edges_fn, 0, 0},
    {.name = NULL},
};
