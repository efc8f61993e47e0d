/* scipy.signal's waves and peaks: square, sawtooth, chirp, find_peaks. Times and signals are read
   as float64 on the host. */
#include <math.h>
#include <string.h>

#include "runtime/dict.h"
#include "stdlib/np_call_int.h"

extern const gx_native gx_sp_waves_functions[];

static const double pi = 3.14159265358979323846;

/* --- waves --- */

static gx_array *times(gx_np *s, gx_borrowed v, const double **at, double **to) {
    gx_array *t = gx_np_contiguous(s, gx_np_cast(s, gx_np_arr(s, v), GX_f64));
    if (!(*at = gx_np_data(s, t))) return NULL;
    gx_array *r = gx_np_empty(s, GX_f64, t->ndim, gx_shape(t));
    *to = gx_np_data_write(s, r);
    return *to ? r : NULL;
}

/* A second operand: as many numbers as there are times, or one. */
static const double *beside(gx_np *s, gx_borrowed v, const gx_array *t) {
    gx_array *w = gx_np_cast(s, gx_np_arr(s, v), GX_f64);
    return gx_np_data(s, gx_np_contiguous(s, gx_np_broadcast(s, w, t->ndim, gx_shape(t))));
}

static double phase_of(double t) {
    double x = fmod(t, 2 * pi);
    return x < 0 ? x + 2 * pi : x;
}

static bool square_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const double *at, *duty;
    double *to;
    gx_array *r = times(&s, c->argv[0], &at, &to);
    if (!r || !(duty = beside(&s, c->argv[1], r))) return gx_np_end(&s, false);
    for (int64_t i = 0; i < r->count; i++)
        to[i] = !(duty[i] >= 0 && duty[i] <= 1) ? NAN : phase_of(at[i]) < duty[i] * 2 * pi ? 1 : -1;
    return gx_np_give_array(&s, r, out);
}

static bool sawtooth_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const double *at, *width;
    double *to;
    gx_array *r = times(&s, c->argv[0], &at, &to);
    if (!r || !(width = beside(&s, c->argv[1], r))) return gx_np_end(&s, false);
    for (int64_t i = 0; i < r->count; i++) {
        double x = phase_of(at[i]), w = width[i];
        to[i] = !(w >= 0 && w <= 1) ? NAN
                : x < w * 2 * pi    ? x / (pi * w) - 1
                                    : (pi * (w + 1) - x) / (pi * (1 - w));
    }
    return gx_np_give_array(&s, r, out);
}

/* The angle after time t of a tone that goes from f0 to f1 in t1. */
static double swept(char method, double t, double f0, double t1, double f1) {
    if (method == 'q') return 2 * pi * (f0 * t + (f1 - f0) / (t1 * t1) * t * t * t / 3);
    if (method == 'g') {
        double by = t1 / log(f1 / f0);
        return f0 == f1 ? 2 * pi * f0 * t : 2 * pi * by * f0 * (pow(f1 / f0, t / t1) - 1);
    }
    if (method == 'h') {
        double pole = -f1 * t1 / (f0 - f1);
        return f0 == f1 ? 2 * pi * f0 * t : 2 * pi * (-pole * f0) * log(fabs(1 - t / pole));
    }
    return 2 * pi * (f0 * t + (f1 - f0) / t1 * t * t / 2);
}

static bool chirp_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"linear",      "lin", "li", "quadratic",  "quad", "q",
                                        "logarithmic", "log", "lo", "hyperbolic", "hyp"};
    gx_np s = gx_np_begin(c);
    const double *at;
    const char *method;
    size_t length;
    double f0, t1, f1, phi, *to;
    char kind = 0;
    if (!gx_arg_float(c, 1, &f0) || !gx_arg_float(c, 2, &t1) || !gx_arg_float(c, 3, &f1) ||
        !gx_arg_str(c, 4, &method, &length) || !gx_arg_float(c, 5, &phi))
        return gx_np_end(&s, false);
    for (int i = 0; i < 11; i++)
        if (strcmp(method, names[i]) == 0) kind = "lllqqqggghh"[i];
    if (!kind)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "chirp.method",
                                     "method must be 'linear', 'quadratic', 'logarithmic', or "
                                     "'hyperbolic', but a value of '%s' was given.",
                                     method));
    if ((kind == 'g' && !(f0 * f1 > 0)) || (kind == 'h' && (f0 == 0 || f1 == 0)))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "chirp.frequencies",
                                     "a %s chirp needs frequencies that are not 0%s",
                                     kind == 'g' ? "logarithmic" : "hyperbolic",
                                     kind == 'g' ? " and have the same sign" : ""));
    gx_array *r = times(&s, c->argv[0], &at, &to);
    for (int64_t i = 0; r && i < r->count; i++)
        to[i] = cos(swept(kind, at[i], f0, t1, f1) + phi * pi / 180);
    return gx_np_give(&s, r, out);
}

/* --- peaks --- */

/* Peaks that are left; each row of facts has one number of every peak. */
enum { HEIGHT, LEFT, RIGHT, PROMINENCE, LEFT_BASE, RIGHT_BASE, FACTS };
typedef struct peaks {
    gx_np *s;
    const double *x;
    int64_t n, count;
    int64_t *at;
    double *fact[FACTS];
    bool has[FACTS];
} peaks;

/* The middle of every flat top; what is at an end of the signal is none. */
static void find_tops(peaks *p) {
    for (int64_t i = 1; i + 1 < p->n; i++) {
        if (!(p->x[i - 1] < p->x[i])) continue;
        int64_t end = i;
        while (end + 1 < p->n && p->x[end + 1] == p->x[i]) end++;
        if (end + 1 < p->n && p->x[end + 1] < p->x[i]) p->at[p->count++] = (i + end) / 2;
        i = end;
    }
}

static void keep(peaks *p, const bool *good) {
    int64_t m = 0;
    for (int64_t i = 0; i < p->count; i++) {
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
    int64_t n = gx_sequence_items(c->argv[i], &items);
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
    for (int64_t i = 0; i < p->count; i++) good[i] = b[0] <= low[i] && high[i] <= b[1];
    keep(p, good);
}

/* Higher peaks first: others that are nearer than `least` go. */
static bool spread(peaks *p, bool *good, double least) {
    int64_t n = p->count;
    gx_array *h = gx_np_empty(p->s, GX_f64, 1, &n);
    double *to = gx_np_data_write(p->s, h);
    if (!to) return false;
    for (int64_t i = 0; i < n; i++) {
        to[i] = p->x[p->at[i]];
        good[i] = true;
    }
    const gx_value argv[1] = {gx_np_value(h)};
    const int64_t *order = gx_np_data(p->s, gx_np_call_values(p->s, "argsort", 1, argv));
    if (!order) return false;
    int64_t gap = (int64_t)ceil(least);
    for (int64_t k = n - 1; k >= 0; k--) {
        int64_t i = order[k];
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
            for (int64_t k = at; k >= 0 && k < p->n && p->x[k] <= p->x[at]; k += side ? 1 : -1)
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

static bool choose(peaks *p, gx_call *c) {
    double b[2], least;
    bool *good = gx_np_scratch(p->s, (size_t)p->n + 1);
    if (!good) return false;
    find_tops(p);
    if (gx_arg_some(c, 1)) {
        if (!bounds(c, 1, b)) return false;
        for (int64_t i = 0; i < p->count; i++) p->fact[HEIGHT][i] = p->x[p->at[i]];
        p->has[HEIGHT] = true;
        within(p, good, p->fact[HEIGHT], p->fact[HEIGHT], b);
    }
    if (gx_arg_some(c, 2)) {
        if (!bounds(c, 2, b)) return false;
        for (int64_t i = 0; i < p->count; i++) {
            const double *x = p->x + p->at[i];
            double left = x[0] - x[-1], right = x[0] - x[1];
            p->fact[LEFT][i] = left;
            p->fact[RIGHT][i] = right;
            good[i] = fmin(left, right) >= b[0] && fmax(left, right) <= b[1];
        }
        p->has[LEFT] = p->has[RIGHT] = true;
        keep(p, good);
    }
    if (gx_arg_some(c, 3)) {
        if (!gx_arg_float(c, 3, &least)) return false;
        if (!(least >= 1) || least > 1e15)
            return gx_fail(c->rt, GX_ValueError, "peaks.distance",
                           "`distance` must be greater or equal to 1");
        if (p->count && !spread(p, good, least)) return false;
    }
    if (gx_arg_some(c, 4)) {
        if (!bounds(c, 4, b) || !prominences(p)) return false;
        p->has[PROMINENCE] = p->has[LEFT_BASE] = p->has[RIGHT_BASE] = true;
        within(p, good, p->fact[PROMINENCE], p->fact[PROMINENCE], b);
    }
    return true;
}

/* One array of the dict. */
static bool add_fact(peaks *p, gx_value dict, int k) {
    static const char *const names[FACTS] = {"peak_heights", "left_thresholds", "right_thresholds",
                                             "prominences",  "left_bases",      "right_bases"};
    gx_array *a = gx_np_empty(p->s, GX_f64, 1, &p->count);
    double *to = gx_np_data_write(p->s, a);
    if (!to) return false;
    memcpy(to, p->fact[k], (size_t)p->count * sizeof *to);
    if (k == LEFT_BASE || k == RIGHT_BASE) a = gx_np_cast(p->s, a, GX_i64);
    return a && gx_dict_set_c(p->s->rt, dict, names[k], gx_np_value(a));
}

static bool find_peaks_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    peaks p = {.s = &s};
    gx_array *x = gx_np_contiguous(&s, gx_np_cast(&s, gx_np_arr(&s, c->argv[0]), GX_f64));
    if (!x) return gx_np_end(&s, false);
    if (x->ndim != 1)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "peaks.dims", "`x` must be a 1-D array"));
    p.n = x->count;
    size_t room = (size_t)(p.n / 2 + 1);
    p.at = gx_np_scratch(&s, room * sizeof *p.at);
    for (int k = 0; p.at && k < FACTS; k++)
        if ((p.fact[k] = gx_np_scratch(&s, room * sizeof(double))))
            memset(p.fact[k], 0, room * sizeof(double));
        else
            return gx_np_end(&s, false);
    if (!p.at || !(p.x = gx_np_data(&s, x)) || !choose(&p, c)) return gx_np_end(&s, false);
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

const gx_native gx_sp_waves_functions[] = {
    {"square", "square(t, duty=0.5)", "A wave of 1 and -1 with the period 2 pi.",
     "scipy.signal.square([0, 4])  # [ 1. -1.]", square_fn, 0, 0},
    {"sawtooth", "sawtooth(t, width=1)",
     "A wave that rises from -1 to 1 in a part of its period 2 pi, and falls in the rest.",
     "scipy.signal.sawtooth([0, pi])  # [-1.  0.]", sawtooth_fn, 0, 0},
    {"chirp", "chirp(t, f0, t1, f1, method='linear', phi=0)",
     "A cosine whose frequency goes from f0 to f1 in the time t1.",
     "scipy.signal.chirp([0, 0.5], 0, 1, 4).round(6)  # [ 1. -1.]", chirp_fn, 0, 0},
    {"find_peaks", "find_peaks(x, height=None, threshold=None, distance=None, prominence=None)",
     "Where a signal is higher than beside, and facts about these peaks.",
     "scipy.signal.find_peaks([0, 2, 1, 3, 0])[0]  # [1 3]", find_peaks_fn, 0, 0},
    {.name = NULL},
};
