/* scipy.signal's waves: square, sawtooth, chirp. Times are read as float64 on the host. */
#include <math.h>
#include <string.h>

#include "stdlib/numpy/base/call.h"

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

const gx_native gx_sp_waves_functions[] = {
    {"square", "square(t, duty=0.5)", "A wave of 1 and -1 with the period 2 pi.",
     "scipy.signal.square([0, 4])  # [ 1. -1.]", square_fn, 0, 0},
    {"sawtooth", "sawtooth(t, width=1)",
     "A wave that rises from -1 to 1 in a part of its period 2 pi, and falls in the rest.",
     "scipy.signal.sawtooth([0, pi])  # [-1.  0.]", sawtooth_fn, 0, 0},
    {"chirp", "chirp(t, f0, t1, f1, method='linear', phi=0)",
     "A cosine whose frequency goes from f0 to f1 in the time t1.",
     "scipy.signal.chirp([0, 0.5], 0, 1, 4).round(6)  # [ 1. -1.]", chirp_fn, 0, 0},
    {.name = NULL},
};
