/* scipy.signal's peaks: find_peaks, peak_prominences, peak_widths. The signal is read as float64 on
   the host, but on a GPU where peaks are chosen by what is beside them. */
#include <math.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/still.h"
#include "runtime/op/whole.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_sp_peaks_functions[];

/* Peaks that are left; each row of facts has one number of every peak. */
enum {
    PLATEAU,
    LEFT_EDGE,
    RIGHT_EDGE,
    HEIGHT,
    LEFT,
    RIGHT,
    PROMINENCE,
    LEFT_BASE,
    RIGHT_BASE,
    WIDTH,
    WIDTH_HEIGHT,
    LEFT_CROSS,
    RIGHT_CROSS,
    FACTS
};
typedef struct peaks {
    gx_np *s;
    const double *x;
    int64_t n, count, reach; /* reach: how far bases are looked for */
    int64_t *at;
    double *fact[FACTS];
    bool has[FACTS];
} peaks;

/* The middle of every flat top; what is at an end of the signal is none. */
static void find_tops(peaks *p) {
    for (int64_t i = 1, steps = 0; i + 1 < p->n; i++) {
        if (++steps % GX_WORK_LOOK == 0 && gx_work_stops(p->s->rt)) return;
        if (!(p->x[i - 1] < p->x[i])) continue;
        int64_t end = i;
        while (end + 1 < p->n && p->x[end + 1] == p->x[i]) end++;
        if (end + 1 < p->n && p->x[end + 1] < p->x[i]) {
            p->fact[LEFT_EDGE][p->count] = (double)i;
            p->fact[RIGHT_EDGE][p->count] = (double)end;
            p->fact[PLATEAU][p->count] = (double)(end - i + 1);
            p->at[p->count++] = (i + end) / 2;
        }
        i = end;
    }
}

static void keep(peaks *p, const bool *good) {
    int64_t m = 0;
    GX_LONG_LOOP(p->s->rt, i, 0, p->count) {
        if (!good[i]) continue;
        p->at[m] = p->at[i];
        for (int k = 0; k < FACTS; k++) p->fact[k][m] = p->fact[k][i];
        m++;
    }
    p->count = m;
}

/* A bound: a number, or a pair of the least and the greatest, either of them None. */
static bool bounds(gx_call *c, int i, double out[2]) {
    const gx_value *items = &c->argv[i];
    out[0] = -INFINITY;
    out[1] = INFINITY;
    int64_t n;
    GX_STILL(own);
    if (!gx_still_items(c->rt, c->argv[i], &own, &items, &n)) return false;
    if (n >= 0 && n != 2) return gx_arg_wrong(c, i, "a number or a pair");
    if (n < 0) items = &c->argv[i];
    for (int k = 0; k < (n == 2 ? 2 : 1); k++) {
        if (items[k].tag == GX_NONE) continue;
        gx_scalar v;
        if (!gx_scalar_from(c->rt, items[k], GX_f64, &v)) return false;
        out[k] = v.f64;
    }
    return true;
}

static void within(peaks *p, bool *good, const double *low, const double *high, const double b[2]) {
    GX_LONG_LOOP(p->s->rt, i, 0, p->count) good[i] = b[0] <= low[i] && high[i] <= b[1];
    keep(p, good);
}

/* Higher peaks first: others that are nearer than `least` go. */
static bool spread(peaks *p, bool *good, double least) {
    int64_t n = p->count;
    gx_array *h = gx_np_empty(p->s, GX_f64, 1, &n);
    double *to = gx_np_data_write(p->s, h);
    if (!to) return false;
    GX_LONG_LOOP(p->s->rt, i, 0, n) {
        to[i] = p->x[p->at[i]];
        good[i] = true;
    }
    const gx_value argv[1] = {gx_np_value(h)};
    const int64_t *order = gx_np_data(p->s, gx_np_call_values(p->s, "argsort", 1, argv));
    if (!order) return false;
    int64_t gap = (int64_t)ceil(least);
    for (int64_t k = n - 1; k >= 0; k--) {
        int64_t i = order[k];
        if (k % 1024 == 0 && gx_work_stops(p->s->rt)) break;
        if (!good[i]) continue;
        for (int64_t j = i - 1; j >= 0 && p->at[i] - p->at[j] < gap; j--) good[j] = false;
        for (int64_t j = i + 1; j < n && p->at[j] - p->at[i] < gap; j++) good[j] = false;
    }
    keep(p, good);
    return true;
}

/* How far one goes down from a peak before a higher one comes: the higher of the two bases. */
static bool prominences(peaks *p) {
    for (int64_t i = 0; i < p->count; i++) {
        int64_t at = p->at[i], low[2] = {at, at};
        double least[2] = {p->x[at], p->x[at]};
        if (!gx_interrupt_check(p->s->rt)) return false;
        for (int side = 0; side < 2; side++)
            for (int64_t k = at; k >= 0 && k < p->n && k >= at - p->reach && k <= at + p->reach &&
                                 p->x[k] <= p->x[at];
                 k += side ? 1 : -1)
                if (p->x[k] < least[side]) {
                    least[side] = p->x[k];
                    low[side] = k;
                }
        p->fact[PROMINENCE][i] = p->x[at] - fmax(least[0], least[1]);
        p->fact[LEFT_BASE][i] = (double)low[0];
        p->fact[RIGHT_BASE][i] = (double)low[1];
    }
    return true;
}

/* Where the signal crosses the height that is `part` of the prominence below each peak. */
static void widths(peaks *p, double part) {
    GX_LONG_LOOP(p->s->rt, i, 0, p->count) {
        int64_t at = p->at[i], low = (int64_t)p->fact[LEFT_BASE][i],
                high = (int64_t)p->fact[RIGHT_BASE][i], k = at;
        double height = p->x[at] - p->fact[PROMINENCE][i] * part, left, right;
        while (k > low && height < p->x[k]) k--;
        left = (double)k;
        if (p->x[k] < height) left += (height - p->x[k]) / (p->x[k + 1] - p->x[k]);
        for (k = at; k < high && height < p->x[k];) k++;
        right = (double)k;
        if (p->x[k] < height) right -= (height - p->x[k]) / (p->x[k - 1] - p->x[k]);
        p->fact[WIDTH][i] = right - left;
        p->fact[WIDTH_HEIGHT][i] = height;
        p->fact[LEFT_CROSS][i] = left;
        p->fact[RIGHT_CROSS][i] = right;
    }
}

static bool reach_arg(gx_call *c, int i, peaks *p) {
    double length;
    p->reach = p->n;
    if (!gx_arg_some(c, i)) return true;
    if (!gx_arg_float(c, i, &length)) return false;
    if (!(length > 1))
        return gx_fail(c->rt, GX_ValueError, "peaks.wlen", "`wlen` must be larger than 1");
    length = ceil(length);
    if (length < 2 * (double)p->n) p->reach = (int64_t)length / 2;
    return true;
}

static bool portion_arg(gx_call *c, int i, double *part) {
    if (!gx_arg_float(c, i, part)) return false;
    return *part >= 0 || gx_fail(c->rt, GX_ValueError, "peaks.rel_height",
                                 "`rel_height` must be greater or equal to 0.0");
}

/* The plateau's size, the height, how far the neighbours are below. */
static bool choose_tops(peaks *p, gx_call *c, bool *good) {
    double b[2];
    if (gx_arg_some(c, 8)) {
        if (!bounds(c, 8, b)) return false;
        p->has[PLATEAU] = p->has[LEFT_EDGE] = p->has[RIGHT_EDGE] = true;
        within(p, good, p->fact[PLATEAU], p->fact[PLATEAU], b);
    }
    if (gx_arg_some(c, 1)) {
        if (!bounds(c, 1, b)) return false;
        GX_LONG_LOOP(p->s->rt, i, 0, p->count) p->fact[HEIGHT][i] = p->x[p->at[i]];
        p->has[HEIGHT] = true;
        within(p, good, p->fact[HEIGHT], p->fact[HEIGHT], b);
    }
    if (gx_arg_some(c, 2)) {
        if (!bounds(c, 2, b)) return false;
        GX_LONG_LOOP(p->s->rt, i, 0, p->count) {
            const double *x = p->x + p->at[i];
            double left = x[0] - x[-1], right = x[0] - x[1];
            p->fact[LEFT][i] = left;
            p->fact[RIGHT][i] = right;
            good[i] = fmin(left, right) >= b[0] && fmax(left, right) <= b[1];
        }
        p->has[LEFT] = p->has[RIGHT] = true;
        keep(p, good);
    }
    return true;
}

static bool choose(peaks *p, gx_call *c) {
    double b[2], least, part;
    bool *good = gx_np_scratch(p->s, (size_t)p->n + 1);
    if (!good) return false;
    find_tops(p);
    if (!choose_tops(p, c, good) || !gx_work_end(c->rt)) return false;
    if (gx_arg_some(c, 3)) {
        if (!gx_arg_float(c, 3, &least)) return false;
        if (!(least >= 1) || least > 1e15)
            return gx_fail(c->rt, GX_ValueError, "peaks.distance",
                           "`distance` must be greater or equal to 1");
        if (p->count && (!spread(p, good, least) || !gx_work_end(c->rt))) return false;
    }
    if (gx_arg_some(c, 4) || gx_arg_some(c, 5)) {
        if (!reach_arg(c, 6, p) || !prominences(p)) return false;
        p->has[PROMINENCE] = p->has[LEFT_BASE] = p->has[RIGHT_BASE] = true;
    }
    if (gx_arg_some(c, 4)) {
        if (!bounds(c, 4, b)) return false;
        within(p, good, p->fact[PROMINENCE], p->fact[PROMINENCE], b);
        if (!gx_work_end(c->rt)) return false;
    }
    if (gx_arg_some(c, 5)) {
        if (!bounds(c, 5, b) || !portion_arg(c, 7, &part)) return false;
        widths(p, part);
        for (int k = WIDTH; k <= RIGHT_CROSS; k++) p->has[k] = true;
        within(p, good, p->fact[WIDTH], p->fact[WIDTH], b);
    }
    return true;
}

static const char *const fact_names[FACTS] = {
    "plateau_sizes",    "left_edges",  "right_edges", "peak_heights", "left_thresholds",
    "right_thresholds", "prominences", "left_bases",  "right_bases",  "widths",
    "width_heights",    "left_ips",    "right_ips"};

/* --- on a GPU: peaks by what is beside them alone --- */

typedef struct tops {
    gx_np *s;
    gx_array *x, *at, *left, *right; /* the signal; middles and ends of flat tops */
} tops;

static gx_array *plus(gx_np *s, gx_array *a, int64_t n) {
    return a ? gx_np_op2(s, GX_OP_add, a, gx_np_i64(s, n)) : NULL;
}

/* Runs of equal elements that are higher than the runs beside them. */
static bool find_tops_there(tops *t) {
    gx_np *s = t->s;
    const int64_t one = 1, n = t->x->count;
    gx_array *first = gx_np_reshape(s, gx_np_cast(s, gx_np_i64(s, 1), GX_bool), 1, &one);
    gx_array *differ = gx_np_op2(s, GX_OP_not_equal, gx_np_slice(s, t->x, 0, 1, 1, n - 1),
                                 gx_np_slice(s, t->x, 0, 0, 1, n - 1));
    gx_array *const both[2] = {first, differ};
    if (!first || !differ) return false;
    gx_array *starts = gx_np_places(s, gx_np_concat(s, 2, both, 0, GX_bool));
    if (!starts) return false;
    const int64_t runs = starts->count, inner = runs > 2 ? runs - 2 : 0;
    gx_array *v = gx_np_take(s, t->x, starts, 0);
    if (!v) return false;
    gx_array *top = gx_np_slice(s, v, 0, inner ? 1 : 0, 1, inner);
    gx_array *is = gx_np_op2(s, GX_OP_bitwise_and,
                             gx_np_op2(s, GX_OP_greater, top, gx_np_slice(s, v, 0, 0, 1, inner)),
                             gx_np_op2(s, GX_OP_greater, top,
                                       gx_np_slice(s, v, 0, inner ? 2 : 0, 1, inner)));
    gx_array *run = is ? gx_np_places(s, is) : NULL, *next = plus(s, run, 2);
    if (!next) return false;
    t->left = gx_np_take(s, starts, plus(s, run, 1), 0);
    t->right = plus(s, gx_np_take(s, starts, next, 0), -1);
    t->at = t->left && t->right ? gx_np_op2(s, GX_OP_add, t->left, t->right) : NULL;
    t->at = t->at ? gx_np_op2(s, GX_OP_floor_divide, t->at, gx_np_i64(s, 2)) : NULL;
    return t->at != NULL;
}

/* x at the peak less x beside it. */
static gx_array *above(const tops *t, int64_t step) {
    gx_array *other = gx_np_take(t->s, t->x, plus(t->s, t->at, step), 0);
    return other ? gx_np_op2(t->s, GX_OP_subtract, gx_np_take(t->s, t->x, t->at, 0), other) : NULL;
}

static gx_array *fact_there(const tops *t, int k) {
    switch (k) {
    case PLATEAU:
        return plus(t->s, gx_np_op2(t->s, GX_OP_subtract, t->right, t->left), 1);
    case LEFT_EDGE:
        return t->left;
    case RIGHT_EDGE:
        return t->right;
    case HEIGHT:
        return gx_np_take(t->s, t->x, t->at, 0);
    default:
        return above(t, k == LEFT ? -1 : 1);
    }
}

/* Keeps peaks whose fact (and that of `other`) is in the bounds of argument i. */
static bool within_there(tops *t, gx_call *c, int i, int k, int other) {
    gx_np *s = t->s;
    double b[2];
    if (!gx_arg_some(c, i)) return true;
    if (!bounds(c, i, b)) return false;
    gx_array *low = fact_there(t, k), *high = other == k ? low : fact_there(t, other);
    if (!low || !high) return false;
    gx_array *least = gx_np_op2(s, GX_OP_fmin, low, high);
    gx_array *most = gx_np_op2(s, GX_OP_fmax, low, high);
    gx_array *good = gx_np_op2(s, GX_OP_bitwise_and,
                               gx_np_op2(s, GX_OP_greater_equal, least, gx_np_f64(s, b[0])),
                               gx_np_op2(s, GX_OP_less_equal, most, gx_np_f64(s, b[1])));
    gx_array *kept = good ? gx_np_places(s, good) : NULL;
    if (!kept) return false;
    t->at = gx_np_take(s, t->at, kept, 0);
    t->left = gx_np_take(s, t->left, kept, 0);
    t->right = gx_np_take(s, t->right, kept, 0);
    return t->at && t->left && t->right;
}

static bool find_peaks_there(gx_np *s, gx_call *c, gx_array *x, gx_value *out) {
    static const int arguments[] = {8, 8, 8, 1, 2, 2};
    tops t = {.s = s, .x = x};
    gx_value dict;
    if (!find_tops_there(&t) || !within_there(&t, c, 8, PLATEAU, PLATEAU) ||
        !within_there(&t, c, 1, HEIGHT, HEIGHT) || !within_there(&t, c, 2, LEFT, RIGHT) ||
        !gx_dict_new(c->rt, &dict) || !gx_np_hold(s, dict))
        return gx_np_end(s, false);
    for (int k = PLATEAU; k <= RIGHT; k++) {
        gx_array *a = gx_arg_some(c, arguments[k]) ? fact_there(&t, k) : NULL;
        if (gx_arg_some(c, arguments[k]) &&
            (!a || !gx_dict_set_c(c->rt, dict, fact_names[k], gx_np_value(a))))
            return gx_np_end(s, false);
    }
    const gx_value both[2] = {gx_np_value(t.at), dict};
    return gx_np_end(s, gx_tuple_new(c->rt, 2, both, out));
}

/* --- */

static gx_array *fact(peaks *p, int k) {
    gx_array *a = gx_np_empty(p->s, GX_f64, 1, &p->count);
    double *to = gx_np_data_write(p->s, a);
    if (!to) return NULL;
    gx_work_copy(p->s->rt, to, p->fact[k], (size_t)p->count * sizeof *to);
    bool whole = k <= RIGHT_EDGE || k == LEFT_BASE || k == RIGHT_BASE;
    return whole ? gx_np_cast(p->s, a, GX_i64) : a;
}

/* One array of the dict. */
static bool add_fact(peaks *p, gx_value dict, int k) {
    gx_array *a = fact(p, k);
    return a && gx_dict_set_c(p->s->rt, dict, fact_names[k], gx_np_value(a));
}

/* Reads the signal and makes room for as many peaks. */
static bool open(gx_np *s, gx_call *c, peaks *p, int64_t most) {
    gx_array *x = gx_np_contiguous(s, gx_np_cast(s, gx_np_arr(s, c->argv[0]), GX_f64));
    p->s = s;
    if (!x) return false;
    if (x->ndim != 1)
        return gx_fail(c->rt, GX_ValueError, "peaks.dims", "`x` must be a 1-D array");
    p->n = x->count;
    size_t room = (size_t)(most < 0 ? p->n / 2 + 1 : most + 1);
    if (!(p->at = gx_np_scratch(s, room * sizeof *p->at))) return false;
    for (int k = 0; k < FACTS; k++) {
        if (!(p->fact[k] = gx_np_scratch(s, room * sizeof(double)))) return false;
        gx_work_fill(s->rt, p->fact[k], 0, room * sizeof(double));
    }
    return (p->x = gx_np_data(s, x)) != NULL;
}

static bool find_peaks_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    peaks p = {0};
    gx_array *x = gx_np_arr(&s, c->argv[0]);
    const bool beside = !gx_arg_some(c, 3) && !gx_arg_some(c, 4) && !gx_arg_some(c, 5);
    if (x && beside && x->ndim == 1 && x->count > 2 && gx_array_is_away(c->rt, x)) {
        x = gx_np_contiguous(&s, gx_np_cast(&s, x, GX_f64));
        return x ? find_peaks_there(&s, c, x, out) : gx_np_end(&s, false);
    }
    if (!open(&s, c, &p, -1) || !choose(&p, c)) return gx_np_end(&s, false);
    gx_array *at = gx_np_empty(&s, GX_i64, 1, &p.count);
    void *to = gx_np_data_write(&s, at);
    gx_value dict;
    if (!to || !gx_dict_new(c->rt, &dict) || !gx_np_hold(&s, dict)) return gx_np_end(&s, false);
    memcpy(to, p.at, (size_t)p.count * sizeof *p.at);
    for (int k = 0; k < FACTS; k++)
        if (p.has[k] && !add_fact(&p, dict, k)) return gx_np_end(&s, false);
    const gx_value both[2] = {gx_np_value(at), dict};
    return gx_np_end(&s, gx_tuple_new(c->rt, 2, both, out));
}

/* The signal and the peaks that were given. */
static bool given(gx_np *s, gx_call *c, peaks *p) {
    gx_array *a = gx_np_arr(s, c->argv[1]);
    if (a && a->count && gx_np_is_float(a->dtype))
        return gx_arg_wrong(c, 1, "positions, which are integers");
    a = gx_np_contiguous(s, gx_np_cast(s, a, GX_i64));
    const int64_t *at = gx_np_data(s, a);
    if (!at || !open(s, c, p, a->count)) return false;
    if (a->ndim != 1)
        return gx_fail(c->rt, GX_ValueError, "peaks.dims", "`peaks` must be a 1-D array");
    p->count = a->count;
    for (int64_t i = 0; i < p->count; i++) {
        if (at[i] < 0 || at[i] >= p->n)
            return gx_fail(c->rt, GX_ValueError, "peaks.index",
                           "%lld is not a valid index for `x`", (long long)at[i]);
        p->at[i] = at[i];
    }
    return true;
}

static bool peak_prominences_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    peaks p = {0};
    if (!given(&s, c, &p) || !reach_arg(c, 2, &p) || !prominences(&p)) return gx_np_end(&s, false);
    gx_array *const three[3] = {fact(&p, PROMINENCE), fact(&p, LEFT_BASE), fact(&p, RIGHT_BASE)};
    return gx_np_give_tuple(&s, 3, three, out);
}

/* What peak_prominences gave, instead of looking anew. */
static bool known(gx_np *s, gx_call *c, int i, peaks *p) {
    const gx_value *items;
    int64_t n;
    if (!gx_np_items(s, c->argv[i], &items, &n)) return false;
    if (n != 3)
        return gx_arg_wrong(c, i, "the three arrays of peak_prominences");
    for (int k = 0; k < 3; k++) {
        gx_array *a = gx_np_contiguous(s, gx_np_cast(s, gx_np_arr(s, items[k]), GX_f64));
        const double *from = gx_np_data(s, a);
        if (!from) return false;
        if (a->count != p->count)
            return gx_fail(c->rt, GX_ValueError, "peaks.data",
                           "arrays in `prominence_data` must have as many elements as `peaks`");
        for (int64_t j = 0; j < p->count; j++) {
            if (k && !(from[j] >= 0 && from[j] < (double)p->n))
                return gx_fail(c->rt, GX_ValueError, "peaks.data",
                               "prominence data is invalid for peak %lld", (long long)p->at[j]);
            p->fact[PROMINENCE + k][j] = from[j];
        }
    }
    return true;
}

static bool peak_widths_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    peaks p = {0};
    double part;
    bool ok = given(&s, c, &p) && portion_arg(c, 2, &part);
    if (ok && gx_arg_some(c, 3)) ok = known(&s, c, 3, &p);
    else ok = ok && reach_arg(c, 4, &p) && prominences(&p);
    if (!ok) return gx_np_end(&s, false);
    widths(&p, part);
    gx_array *const four[4] = {fact(&p, WIDTH), fact(&p, WIDTH_HEIGHT), fact(&p, LEFT_CROSS),
                               fact(&p, RIGHT_CROSS)};
    return gx_np_give_tuple(&s, 4, four, out);
}

const gx_native gx_sp_peaks_functions[] = {
    {"find_peaks",
     "find_peaks(x, height=None, threshold=None, distance=None, prominence=None, width=None, "
     "wlen=None, rel_height=0.5, plateau_size=None)",
     "Indices of the peaks of a 1-d signal that meet the conditions, and a dict of their "
     "properties.",
     "scipy.signal.find_peaks([0, 2, 1, 3, 0])[0]  # [1 3]", find_peaks_fn, 0, 0},
    {"peak_prominences", "peak_prominences(x, peaks, wlen=None)",
     "Prominence of each peak: (prominences, left bases, right bases).",
     "scipy.signal.peak_prominences([0, 2, 1, 3, 0], [1, 3])[0]  # [1. 3.]", peak_prominences_fn, 0,
     0},
    {"peak_widths", "peak_widths(x, peaks, rel_height=0.5, prominence_data=None, wlen=None)",
     "Width of each peak in samples, at rel_height of its prominence: (widths, heights, left ends, "
     "right ends).",
     "scipy.signal.peak_widths([0, 2, 0], [1])[0]  # [1.]", peak_widths_fn, 0, 0},
    {.name = NULL},
};
