/* random: distributions with parameters. np's generators draw them one by one as NumPy does, to
   the bit. Of the Philox stream those with a formula for one uniform or normal number are pending
   expressions of it; the others are drawn by a PCG64 that two of its words seed, so that every
   device gives the same. Parameters are checked first, with NumPy's words. */
#include <math.h>
#include <string.h>

#include "stdlib/np_random_int.h"

enum { MOST = 3 }; /* parameters */

/* What a parameter has to be. */
typedef enum bound { ANY, NOT_NEGATIVE, POSITIVE, LAMBDA, CHANCE_OR_0, CHANCE } bound;

typedef struct dist {
    int params;
    bool whole; /* draws integers */
    const char *names[MOST];
    bound bounds[MOST];
    double (*draw)(gx_rng *r, const double *p);
    gx_array *(*formula)(gx_np *s, gx_array *u, gx_array *const *p); /* NULL: draws */
    bool normals;                                                    /* u is normal */
} dist;

/* --- one by one --- */

static double lognormal(gx_rng *r, const double *p) {
    return exp(p[0] + p[1] * gx_rng_normal(r));
}

static double laplace(gx_rng *r, const double *p) {
    double u;
    do u = gx_rng_double(r);
    while (u == 0);
    return u >= 0.5 ? p[0] - p[1] * log(2.0 - u - u) : p[0] + p[1] * log(u + u);
}

static double gumbel(gx_rng *r, const double *p) {
    double u;
    do u = 1.0 - gx_rng_double(r);
    while (u == 1.0);
    return p[0] - p[1] * log(-log(u));
}

static double logistic(gx_rng *r, const double *p) {
    double u;
    do u = gx_rng_double(r);
    while (u == 0);
    return p[0] + p[1] * log(u / (1.0 - u));
}

static double rayleigh(gx_rng *r, const double *p) {
    if (r->legacy) return p[0] * sqrt(-2.0 * log1p(-gx_rng_double(r)));
    return p[0] * sqrt(2.0 * gx_rng_exponential(r));
}

static double pareto(gx_rng *r, const double *p) {
    double e = gx_rng_exponential(r) / p[0];
    return r->legacy ? exp(e) - 1 : expm1(e);
}

static double weibull(gx_rng *r, const double *p) {
    return p[0] == 0 ? 0 : pow(gx_rng_exponential(r), 1. / p[0]);
}

static double power(gx_rng *r, const double *p) {
    double e = gx_rng_exponential(r);
    return pow(r->legacy ? 1 - exp(-e) : -expm1(-e), 1. / p[0]);
}

static double triangular(gx_rng *r, const double *p) {
    double left = p[0], right = p[2], base = right - left, rise = p[1] - left;
    double u = gx_rng_double(r);
    if (u <= rise / base) return left + sqrt(u * (rise * base));
    return right - sqrt((1.0 - u) * ((right - p[1]) * base));
}

static double cauchy(gx_rng *r, const double *p) {
    double above = gx_rng_normal(r);
    (void)p;
    return above / gx_rng_normal(r);
}

static double geometric(gx_rng *r, const double *p) {
    if (p[0] >= 0.333333333333333333333333) {
        double x = 1, term = p[0], sum = p[0], q = 1.0 - p[0], u = gx_rng_double(r);
        while (u > sum) {
            term *= q;
            sum += term;
            x++;
        }
        return x;
    }
    if (r->legacy) return ceil(log1p(-gx_rng_double(r)) / log(1.0 - p[0]));
    return ceil(-gx_rng_exponential(r) / log1p(-p[0]));
}

/* Marsaglia and Tsang's method; for shapes below 1 Ahrens and Dieter's. */
static double standard_gamma(gx_rng *r, double shape) {
    if (shape == 1.0) return gx_rng_exponential(r);
    if (shape == 0.0) return 0;
    while (shape < 1.0) {
        double u = gx_rng_double(r), v = gx_rng_exponential(r);
        if (u <= 1.0 - shape) {
            double x = pow(u, 1. / shape);
            if (x <= v) return x;
        } else {
            double y = -log((1 - u) / shape), x = pow(1.0 - shape + shape * y, 1. / shape);
            if (x <= v + y) return x;
        }
    }
    double b = shape - 1. / 3., c = 1. / sqrt(9 * b);
    for (;;) {
        double x, v;
        do {
            x = gx_rng_normal(r);
            v = 1.0 + c * x;
        } while (v <= 0.0);
        v = v * v * v;
        double u = gx_rng_double(r);
        if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return b * v;
        if (log(u) < 0.5 * x * x + b * (1. - v + log(v))) return b * v;
    }
}

static double gamma_of(gx_rng *r, const double *p) {
    return p[1] * standard_gamma(r, p[0]);
}
static double plain_gamma(gx_rng *r, const double *p) {
    return standard_gamma(r, p[0]);
}
static double chisquare(gx_rng *r, const double *p) {
    return 2.0 * standard_gamma(r, p[0] / 2.0);
}
static double f_ratio(gx_rng *r, const double *p) {
    double above = chisquare(r, &p[0]) * p[1];
    return above / (chisquare(r, &p[1]) * p[0]);
}
static double student(gx_rng *r, const double *p) {
    double x = gx_rng_normal(r), g = standard_gamma(r, p[0] / 2);
    return sqrt(p[0] / 2) * x / sqrt(g);
}

/* Jöhnk's method where both are at most 1, else from two gammas. */
static double beta(gx_rng *r, const double *p) {
    double a = p[0], b = p[1];
    if (a > 1.0 || b > 1.0) {
        double x = standard_gamma(r, a), y = standard_gamma(r, b);
        return x / (x + y);
    }
    for (;;) {
        double u = gx_rng_double(r), v = gx_rng_double(r);
        double x = pow(u, 1.0 / a), y = pow(v, 1.0 / b), sum = x + y;
        if (sum > 1.0 || u + v <= 0.0) continue;
        if (sum > 0) return x / sum;
        double lx = log(u) / a, ly = log(v) / b, most = lx > ly ? lx : ly;
        lx -= most;
        ly -= most;
        return exp(lx - log(exp(lx) + exp(ly)));
    }
}

/* The logarithm of gamma by Stirling's series, as NumPy's Poisson draws need it. */
static double log_gamma(double x) {
    static const double series[10] = {8.333333333333333e-02, -2.777777777777778e-03,
                                      7.936507936507937e-04, -5.952380952380952e-04,
                                      8.417508417508418e-04, -1.917526917526918e-03,
                                      6.410256410256410e-03, -2.955065359477124e-02,
                                      1.796443723688307e-01, -1.39243221690590e+00};
    if (x == 1.0 || x == 2.0) return 0;
    int n = x < 7.0 ? (int)(7 - x) : 0;
    double z = x + n, z2 = (1.0 / z) * (1.0 / z), sum = series[9];
    for (int k = 8; k >= 0; k--) sum = sum * z2 + series[k];
    double log_of = sum / z + 0.5 * 1.8378770664093453e+00 + (z - 0.5) * log(z) - z;
    for (int k = 1; x < 7.0 && k <= n; k++) {
        log_of -= log(z - 1.0);
        z -= 1.0;
    }
    return log_of;
}

/* Products of uniforms for small means, Hörmann's transformed rejection for others. */
static double poisson(gx_rng *r, const double *p) {
    double mean = p[0], x = 0, product = 1.0;
    if (mean == 0) return 0;
    if (mean < 10) {
        double least = exp(-mean);
        for (;; x++) {
            product *= gx_rng_double(r);
            if (product <= least) return x;
        }
    }
    double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
    double inverse = 1.1239 + 1.1328 / (b - 3.4), edge = 0.9277 - 3.6224 / (b - 2);
    double log_mean = log(mean);
    for (;;) {
        double u = gx_rng_double(r) - 0.5, v = gx_rng_double(r), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + mean + 0.43);
        if (us >= 0.07 && v <= edge) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (log(v) + log(inverse) - log(a / (us * us) + b) <=
            -mean + k * log_mean - log_gamma(k + 1))
            return k;
    }
}

/* --- formulas of the Philox stream: u is in (0, 1] --- */

static gx_array *times(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_multiply, a, b);
}
static gx_array *plus(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_add, a, b);
}
static gx_array *ratio(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_divide, a, b);
}
static gx_array *minus_log(gx_np *s, gx_array *u) {
    return gx_np_op1(s, GX_OP_negative, gx_np_op1(s, GX_OP_log, u));
}
static gx_array *below_one(gx_np *s, gx_array *u) { /* [0, 1) */
    return gx_np_op2(s, GX_OP_subtract, gx_np_f64(s, 1), u);
}

static gx_array *lognormal_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    return gx_np_op1(s, GX_OP_exp, plus(s, p[0], times(s, p[1], u)));
}

/* u is never 0 and 1 - u at most 1 - 2^-54: both logarithms are finite. */
static gx_array *laplace_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *half = gx_np_f64(s, 0.5), *two = gx_np_f64(s, 2);
    gx_array *low = gx_np_op1(s, GX_OP_log, times(s, two, u));
    gx_array *rest = gx_np_op2(s, GX_OP_maximum, below_one(s, u), gx_np_f64(s, 0x1p-54));
    gx_array *high = minus_log(s, times(s, two, rest));
    gx_array *which = gx_np_op2(s, GX_OP_less, u, half);
    return plus(s, p[0], times(s, p[1], gx_np_op3(s, GX_OP_where, which, low, high)));
}

static gx_array *gumbel_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *e = gx_np_op2(s, GX_OP_maximum, minus_log(s, u), gx_np_f64(s, 0x1p-54));
    return plus(s, p[0], times(s, p[1], minus_log(s, e)));
}

static gx_array *logistic_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *rest = gx_np_op2(s, GX_OP_maximum, below_one(s, u), gx_np_f64(s, 0x1p-54));
    return plus(s, p[0], times(s, p[1], gx_np_op1(s, GX_OP_log, ratio(s, u, rest))));
}

static gx_array *rayleigh_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *e = times(s, gx_np_f64(s, 2), minus_log(s, u));
    return times(s, p[0], gx_np_op1(s, GX_OP_sqrt, e));
}

static gx_array *pareto_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    return gx_np_op1(s, GX_OP_expm1, ratio(s, minus_log(s, u), p[0]));
}

static gx_array *weibull_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *zero = gx_np_f64(s, 0), *one = gx_np_f64(s, 1);
    gx_array *none = gx_np_op2(s, GX_OP_equal, p[0], zero);
    gx_array *a = gx_np_op3(s, GX_OP_where, none, one, p[0]);
    gx_array *x = gx_np_op2(s, GX_OP_power, minus_log(s, u), ratio(s, one, a));
    return gx_np_op3(s, GX_OP_where, none, zero, x);
}

static gx_array *power_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    return gx_np_op2(s, GX_OP_power, u, ratio(s, gx_np_f64(s, 1), p[0]));
}

static gx_array *triangular_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *base = gx_np_op2(s, GX_OP_subtract, p[2], p[0]);
    gx_array *rise = gx_np_op2(s, GX_OP_subtract, p[1], p[0]);
    gx_array *fall = gx_np_op2(s, GX_OP_subtract, p[2], p[1]);
    gx_array *low = gx_np_op1(s, GX_OP_sqrt, times(s, u, times(s, rise, base)));
    gx_array *high = gx_np_op1(s, GX_OP_sqrt, times(s, below_one(s, u), times(s, fall, base)));
    gx_array *which = gx_np_op2(s, GX_OP_less_equal, u, ratio(s, rise, base));
    return gx_np_op3(s, GX_OP_where, which, plus(s, p[0], low),
                     gx_np_op2(s, GX_OP_subtract, p[2], high));
}

static gx_array *cauchy_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *turn = times(s, gx_np_f64(s, 3.141592653589793),
                           gx_np_op2(s, GX_OP_subtract, u, gx_np_f64(s, 0.5)));
    (void)p;
    return gx_np_op1(s, GX_OP_tan, turn);
}

/* p = 1 gives log1p(-1) = -inf, and 0 below: the least is 1. */
static gx_array *geometric_formula(gx_np *s, gx_array *u, gx_array *const *p) {
    gx_array *most = gx_np_f64(s, 1 - 0x1p-53);
    gx_array *q = gx_np_op1(s, GX_OP_negative, gx_np_op2(s, GX_OP_minimum, p[0], most));
    gx_array *x = ratio(s, gx_np_op1(s, GX_OP_log, u), gx_np_op1(s, GX_OP_log1p, q));
    return gx_np_op2(s, GX_OP_maximum, gx_np_op1(s, GX_OP_ceil, x), gx_np_f64(s, 1));
}

/* --- calls --- */

static bool bad(gx_draw *d, const char *name, const char *what) {
    return gx_fail(d->c->rt, GX_ValueError, "random.parameter", "%s%s", name, what);
}

static bool good_value(gx_draw *d, bound b, const char *name, double x) {
    static const double most_mean = 9.223372006484771e+18;
    switch (b) {
    case ANY:
        return true;
    case NOT_NEGATIVE:
        return isnan(x) || !signbit(x) || bad(d, name, " < 0");
    case POSITIVE:
        return !(x <= 0) || bad(d, name, " <= 0");
    case LAMBDA:
        if (!(x >= 0)) return bad(d, name, " < 0 or lam is NaN");
        return x <= most_mean || bad(d, name, " value too large");
    case CHANCE_OR_0:
        return (x >= 0 && x <= 1) || bad(d, name, " < 0, p > 1 or p is NaN");
    case CHANCE:
        return (x > 0 && x <= 1) || bad(d, name, " <= 0, p > 1 or p contains NaNs");
    }
    return true;
}

/* left <= mode <= right of triangular(). */
static bool good_corners(gx_draw *d, const double *p) {
    if (p[0] > p[1]) return bad(d, "left", " > mode");
    if (p[1] > p[2]) return bad(d, "mode", " > right");
    return p[0] != p[2] || bad(d, "left", " == right");
}

/* Parameters as they are laid over the result; `step` 0 for those that are one number. */
typedef struct laid {
    const double *at[MOST];
    int64_t step[MOST];
} laid;

static bool lay(gx_draw *d, const dist *t, gx_array **p, laid *l) {
    gx_np *s = &d->s;
    for (int k = 0; k < t->params; k++) {
        gx_array *a = gx_np_cast(s, p[k], GX_f64);
        l->step[k] = a && a->count != 1;
        if (a && l->step[k]) a = gx_np_broadcast(s, a, d->ndim, d->shape);
        a = gx_np_contiguous(s, a);
        if (!(l->at[k] = gx_np_data(s, a))) return false;
        for (int64_t i = 0; i < a->count; i++)
            if (!good_value(d, t->bounds[k], t->names[k], l->at[k][i])) return false;
        p[k] = gx_np_cast(s, p[k], GX_f64);
    }
    return true;
}

/* What does not fit becomes the nearest that does. */
static int64_t whole(double x) {
    return x >= 0x1p63 ? INT64_MAX : x > -0x1p63 ? (int64_t)x : INT64_MIN;
}

static gx_array *fill(gx_draw *d, const dist *t, const laid *l, gx_rng *r) {
    enum { BETWEEN_LOOKS = 16384 };
    gx_array *a = gx_np_empty(&d->s, t->whole ? GX_i64 : GX_f64, d->ndim, d->shape);
    char *to = gx_np_data_write(&d->s, a);
    if (!to) return NULL;
    for (int64_t i = 0; i < a->count; i++) {
        double p[MOST] = {0};
        for (int k = 0; k < t->params; k++) p[k] = l->at[k][i * l->step[k]];
        double x = t->draw(r, p);
        if (t->whole)
            ((int64_t *)(void *)to)[i] = whole(x);
        else
            ((double *)(void *)to)[i] = x;
        if (i % BETWEEN_LOOKS == 0 && GX_UNLIKELY(d->s.rt->interrupted) &&
            !gx_interrupt_check(d->s.rt))
            return NULL;
    }
    return a;
}

/* A generator that the next two numbers of the Philox stream seed. */
static bool stand_in(gx_draw *d, gx_rng *r) {
    const int64_t two = 2;
    gx_array *words = gx_np_contiguous(&d->s, gx_rng_integers(&d->s, d->r, 0, INT64_MAX, 1, &two));
    const int64_t *w = gx_np_data(&d->s, words);
    gx_value seed;
    if (!w || !gx_int_from_u64(d->s.rt, (uint64_t)w[0] ^ (uint64_t)w[1] << 1, &seed)) return false;
    bool ok = gx_rng_seed(d->s.rt, r, GX_RNG_PCG, false, seed);
    gx_drop(seed);
    return ok;
}

static bool draws(gx_call *c, const dist *t, gx_value *out) {
    gx_draw d;
    gx_array *p[MOST] = {NULL, NULL, NULL}, *a = NULL;
    laid l;
    gx_rng own;
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_draw_size(&d, t->params, 0, t->params, p) || !lay(&d, t, p, &l))
        return gx_np_end(&d.s, false);
    if (t->draw == triangular) {
        int64_t n = gx_np_size(d.ndim, d.shape);
        if (!l.step[0] && !l.step[1] && !l.step[2]) n = 1;
        for (int64_t i = 0; i < n; i++) {
            double q[3];
            for (int k = 0; k < 3; k++) q[k] = l.at[k][i * l.step[k]];
            if (!good_corners(&d, q)) return gx_np_end(&d.s, false);
        }
    }
    if (d.r->kind != GX_RNG_PHILOX) {
        a = fill(&d, t, &l, d.r);
    } else if (t->formula) {
        gx_array *u = t->normals ? gx_rng_normals(&d.s, d.r, GX_f64, d.ndim, d.shape)
                                 : gx_rng_uniforms(&d.s, d.r, GX_f64, d.ndim, d.shape);
        if (!t->normals) u = gx_np_op2(&d.s, GX_OP_subtract, gx_np_f64(&d.s, 1), u);
        a = t->formula(&d.s, u, p);
        if (t->whole) a = gx_np_cast(&d.s, a, GX_i64);
    } else if (stand_in(&d, &own)) {
        a = fill(&d, t, &l, &own);
    }
    return gx_draw_finish(&d, a, out);
}

#define DIST(fn, ...)                                                                              \
    bool gx_random_##fn(gx_call *c, gx_value *out) {                                               \
        static const dist t = __VA_ARGS__;                                                         \
        return draws(c, &t, out);                                                                  \
    }
DIST(lognormal,
     {2, false, {"mean", "sigma"}, {ANY, NOT_NEGATIVE}, lognormal, lognormal_formula, true})
DIST(laplace, {2, false, {"loc", "scale"}, {ANY, NOT_NEGATIVE}, laplace, laplace_formula, false})
DIST(gumbel, {2, false, {"loc", "scale"}, {ANY, NOT_NEGATIVE}, gumbel, gumbel_formula, false})
DIST(logistic, {2, false, {"loc", "scale"}, {ANY, NOT_NEGATIVE}, logistic, logistic_formula, false})
DIST(rayleigh, {1, false, {"scale"}, {NOT_NEGATIVE}, rayleigh, rayleigh_formula, false})
DIST(pareto, {1, false, {"a"}, {POSITIVE}, pareto, pareto_formula, false})
DIST(weibull, {1, false, {"a"}, {NOT_NEGATIVE}, weibull, weibull_formula, false})
DIST(power, {1, false, {"a"}, {POSITIVE}, power, power_formula, false})
DIST(triangular,
     {3, false, {"left", "mode", "right"}, {ANY, ANY, ANY}, triangular, triangular_formula, false})
DIST(cauchy, {0, false, {NULL}, {ANY}, cauchy, cauchy_formula, false})
DIST(geometric, {1, true, {"p"}, {CHANCE}, geometric, geometric_formula, false})
DIST(gamma, {2, false, {"shape", "scale"}, {NOT_NEGATIVE, NOT_NEGATIVE}, gamma_of, NULL, false})
DIST(standard_gamma, {1, false, {"shape"}, {NOT_NEGATIVE}, plain_gamma, NULL, false})
DIST(chisquare, {1, false, {"df"}, {POSITIVE}, chisquare, NULL, false})
DIST(f, {2, false, {"dfnum", "dfden"}, {POSITIVE, POSITIVE}, f_ratio, NULL, false})
DIST(standard_t, {1, false, {"df"}, {POSITIVE}, student, NULL, false})
DIST(beta, {2, false, {"a", "b"}, {POSITIVE, POSITIVE}, beta, NULL, false})
DIST(poisson, {1, true, {"lam"}, {LAMBDA}, poisson, NULL, false})
