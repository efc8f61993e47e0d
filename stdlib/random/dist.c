/* The continuous distributions of random, draw by draw as NumPy makes them, for Generator and for
   np.random (whose older algorithms differ in places), and what all distributions share: reading
   and checking parameters, drawing an array. */
#include <math.h>
#include <string.h>

#include "stdlib/random/dist_int.h"

#define PI 3.14159265358979323846

double gx_dist_gamma(gx_rng *r, double shape) {
    if (shape == 1.0) return gx_rng_exponential(r);
    if (shape == 0.0) return 0.0;
    if (shape < 1.0) {
        for (;;) {
            double u = gx_rng_double(r), v = gx_rng_exponential(r), x;
            if (u <= 1.0 - shape) {
                x = pow(u, 1. / shape);
                if (x <= v) return x;
            } else {
                double y = -log((1 - u) / shape);
                x = pow(1.0 - shape + shape * y, 1. / shape);
                if (x <= v + y) return x;
            }
        }
    }
    const double b = shape - 1. / 3., c = 1. / sqrt(9 * b);
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

double gx_dist_beta(gx_rng *r, double a, double b) {
    if (!(a <= 1.0 && b <= 1.0)) { /* nan, too */
        double x = gx_dist_gamma(r, a), y = gx_dist_gamma(r, b);
        return x / (x + y);
    }
    if (!r->legacy && a < 3e-103 && b < 3e-103) return (a + b) * gx_rng_double(r) < a ? 1 : 0;
    for (;;) {
        double u = gx_rng_double(r), v = gx_rng_double(r);
        double x = pow(u, 1.0 / a), y = pow(v, 1.0 / b), sum = x + y;
        if (!(sum <= 1.0) || !(u + v > 0.0)) continue;
        if (sum > 0) return x / sum;
        double p = log(u) / a, q = log(v) / b, top = p > q ? p : q;
        p -= top;
        q -= top;
        return exp(p - log(exp(p) + exp(q)));
    }
}

static double chisquare(gx_rng *r, double df) {
    return 2.0 * gx_dist_gamma(r, df / 2.0);
}

static double noncentral(gx_rng *r, double df, double nonc) {
    if (isnan(nonc)) return NAN;
    if (nonc == 0) return chisquare(r, df);
    if (df > 1) {
        double x = chisquare(r, df - 1), n = gx_rng_normal(r) + sqrt(nonc);
        return x + n * n;
    }
    double i = gx_dist_poisson(r, nonc / 2.0);
    return chisquare(r, df + 2 * i);
}

static double draw_gamma(gx_rng *r, const double *p) {
    return p[1] * gx_dist_gamma(r, p[0]);
}
static double draw_standard_gamma(gx_rng *r, const double *p) {
    return gx_dist_gamma(r, p[0]);
}
static double draw_beta(gx_rng *r, const double *p) {
    return gx_dist_beta(r, p[0], p[1]);
}
static double draw_chisquare(gx_rng *r, const double *p) {
    return chisquare(r, p[0]);
}
static double draw_f(gx_rng *r, const double *p) {
    double x = chisquare(r, p[0]) * p[1], y = chisquare(r, p[1]) * p[0];
    return x / y;
}
static double draw_noncentral_chisquare(gx_rng *r, const double *p) {
    return noncentral(r, p[0], p[1]);
}
static double draw_noncentral_f(gx_rng *r, const double *p) {
    double x = noncentral(r, p[0], p[2]) * p[1];
    return x / (chisquare(r, p[1]) * p[0]);
}
static double draw_standard_t(gx_rng *r, const double *p) {
    double x = gx_rng_normal(r), y = gx_dist_gamma(r, p[0] / 2);
    return sqrt(p[0] / 2) * x / sqrt(y);
}
static double draw_standard_cauchy(gx_rng *r, const double *p) {
    (void)p;
    double x = gx_rng_normal(r), y = gx_rng_normal(r);
    return x / y;
}
static double draw_pareto(gx_rng *r, const double *p) {
    double e = gx_rng_exponential(r) / p[0];
    return r->legacy ? exp(e) - 1 : expm1(e);
}
static double draw_weibull(gx_rng *r, const double *p) {
    return p[0] == 0 ? 0 : pow(gx_rng_exponential(r), 1. / p[0]);
}
static double draw_power(gx_rng *r, const double *p) {
    double e = -gx_rng_exponential(r);
    return pow(r->legacy ? 1 - exp(e) : -expm1(e), 1. / p[0]);
}
static double draw_laplace(gx_rng *r, const double *p) {
    for (;;) {
        double u = gx_rng_double(r);
        if (u >= 0.5) return p[0] - p[1] * log(2.0 - u - u);
        if (u > 0.0) return p[0] + p[1] * log(u + u);
    }
}
static double draw_gumbel(gx_rng *r, const double *p) {
    for (;;) {
        double u = 1.0 - gx_rng_double(r);
        if (u < 1.0) return p[0] - p[1] * log(-log(u));
    }
}
static double draw_logistic(gx_rng *r, const double *p) {
    for (;;) {
        double u = gx_rng_double(r);
        if (u > 0.0) return p[0] + p[1] * log(u / (1.0 - u));
    }
}
static double draw_lognormal(gx_rng *r, const double *p) {
    return exp(p[0] + p[1] * gx_rng_normal(r));
}
static double draw_rayleigh(gx_rng *r, const double *p) {
    if (r->legacy) return p[0] * sqrt(-2.0 * log1p(-gx_rng_double(r)));
    return p[0] * sqrt(2.0 * gx_rng_exponential(r));
}

static double draw_wald(gx_rng *r, const double *p) {
    double mean = p[0], scale = p[1], y = gx_rng_normal(r), x;
    if (r->legacy) {
        y = mean * y * y;
        x = mean + mean / (2 * scale) * (y - sqrt(4 * scale * y + y * y));
        return gx_rng_double(r) <= mean / (mean + x) ? x : mean * mean / x;
    }
    y = mean * y * y;
    double d = 1 + sqrt(1 + 4 * scale / y);
    x = mean * (1 - 2 / d);
    return gx_rng_double(r) <= mean / (mean + x) ? x : mean * mean / x;
}

static double draw_triangular(gx_rng *r, const double *p) {
    double base = p[2] - p[0], left = p[1] - p[0], u = gx_rng_double(r);
    if (u <= left / base) return p[0] + sqrt(u * (left * base));
    return p[2] - sqrt((1.0 - u) * ((p[2] - p[1]) * base));
}

static double vonmises_scale(double kappa) {
    if (kappa < 1e-5) return 1. / kappa + kappa;
    double q = 1 + sqrt(1 + 4 * kappa * kappa), rho = (q - sqrt(2 * q)) / (2 * kappa);
    return (1 + rho * rho) / (2 * rho);
}

static double draw_vonmises(gx_rng *r, const double *p) {
    double mu = p[0], kappa = p[1], w;
    if (isnan(kappa)) return NAN;
    if (kappa < 1e-8) return PI * (2 * gx_rng_double(r) - 1);
    if (kappa > (r->legacy ? 1e15 : 1e6)) { /* the loop below would not end */
        double x = mu + sqrt(1. / kappa) * gx_rng_normal(r);
        return x < -PI ? x + 2 * PI : x > PI ? x - 2 * PI : x;
    }
    const double s = vonmises_scale(kappa);
    for (;;) {
        double z = cos(PI * gx_rng_double(r));
        w = (1 + s * z) / (s + z);
        double y = kappa * (s - w), v = gx_rng_double(r);
        if (y * (2 - y) - v >= 0 || log(y / v) + 1 - y >= 0) break;
    }
    double u = gx_rng_double(r), x = acos(w);
    x = (u < 0.5 ? -x : x) + mu;
    double turn = fmod(fabs(x) + PI, 2 * PI) - PI;
    return x < 0 ? -turn : turn;
}

static const gx_dist_row continuous[] = {
    {"gamma", 2, "nn", false, draw_gamma},
    {"standard_gamma", 1, "n", false, draw_standard_gamma},
    {"beta", 2, "pp", false, draw_beta},
    {"chisquare", 1, "p", false, draw_chisquare},
    {"f", 2, "pp", false, draw_f},
    {"noncentral_chisquare", 2, "pn", false, draw_noncentral_chisquare},
    {"noncentral_f", 3, "ppn", false, draw_noncentral_f},
    {"standard_t", 1, "p", false, draw_standard_t},
    {"standard_cauchy", 0, "", false, draw_standard_cauchy},
    {"pareto", 1, "p", false, draw_pareto},
    {"weibull", 1, "n", false, draw_weibull},
    {"power", 1, "p", false, draw_power},
    {"laplace", 2, "un", false, draw_laplace},
    {"gumbel", 2, "un", false, draw_gumbel},
    {"logistic", 2, "un", false, draw_logistic},
    {"lognormal", 2, "un", false, draw_lognormal},
    {"rayleigh", 1, "n", false, draw_rayleigh},
    {"wald", 2, "pp", false, draw_wald},
    {"triangular", 3, "uuu", false, draw_triangular},
    {"vonmises", 2, "un", false, draw_vonmises},
    {.name = NULL},
};

/* --- drawing arrays --- */

gx_rng *gx_dist_stream(gx_rng *r, gx_rng *spare) {
    if (r->kind != GX_RNG_PHILOX) return r;
    *spare = (gx_rng){.kind = GX_RNG_PCG};
    spare->state = (unsigned __int128)r->seed << 64 | (r->counter * 2 + 1);
    spare->step = (unsigned __int128)r->counter << 65 | 1;
    for (int i = 0; i < 4; i++) gx_rng_step(spare);
    return spare;
}

static const gx_dist_row *row_of(const char *name) {
    for (const gx_dist_row *t = continuous; t->name; t++)
        if (strcmp(t->name, name) == 0) return t;
    for (const gx_dist_row *t = gx_dist_counts; t->name; t++)
        if (strcmp(t->name, name) == 0) return t;
    return NULL;
}

/* 'c': a count; 'h': of a sample, of which RandomState takes none. */
static bool is_count(char must) {
    return must == 'c' || must == 'h';
}

/* Is every element what the k-th parameter must be? */
static bool check_param(gx_draw *d, const gx_dist_row *t, int k, const double *x, int64_t n) {
    const char *name = gx_native_param(d->c->rt, d->c->fn, d->at + k), *wrong = NULL;
    char must = t->must[k];
    for (int64_t i = 0; i < n && !wrong; i++) {
        if (must == 'n' && (x[i] < 0 || (x[i] == 0 && signbit(x[i])))) wrong = " < 0";
        if (must == 'p' && x[i] <= 0) wrong = " <= 0";
        if (is_count(must) && !(x[i] >= 0)) wrong = " < 0";
        if (is_count(must) && x[i] > 9.2e18) wrong = " is too large";
        if (must == 'h' && d->r->legacy && x[i] < 1) wrong = " < 1 or nsample contains NaNs";
        if (must == 'l' && !(x[i] >= 0)) wrong = " < 0 or lam is NaN";
        if (must == 'l' && x[i] > 9.2e18) wrong = " value too large";
        if (must == '0' && !(x[i] >= 0 && x[i] <= 1)) wrong = " < 0, p > 1 or p is NaN";
        if (must == '1' && !(x[i] > 0 && x[i] <= 1)) wrong = " <= 0, p > 1 or p contains NaNs";
        if (must == 'z' && !(x[i] > 1)) wrong = " <= 1 or a is NaN";
        if (must == 's' && !(x[i] >= 0 && x[i] < 1)) wrong = " < 0, p >= 1 or p is NaN";
    }
    return !wrong ||
           gx_fail(d->c->rt, GX_ValueError, "random.parameter", "%s%s", name ? name : "", wrong);
}

/* What the parameters must be together. */
static bool check_together(gx_rt *rt, const gx_dist_row *t, const double *const *x,
                           const int64_t *step, int64_t n) {
    bool triangle = strcmp(t->name, "triangular") == 0;
    bool hyper = strcmp(t->name, "hypergeometric") == 0;
    for (int64_t i = 0; (triangle || hyper) && i < n; i++) {
        double a = x[0][i * step[0]], b = x[1][i * step[1]], c = x[2][i * step[2]];
        if (hyper && a + b < c)
            return gx_fail(rt, GX_ValueError, "random.parameter", "ngood + nbad < nsample");
        if (hyper) continue;
        const char *wrong = a > b    ? "left > mode"
                            : b > c  ? "mode > right"
                            : a == c ? "left == right"
                                     : NULL;
        if (wrong) return gx_fail(rt, GX_ValueError, "random.parameter", "%s", wrong);
    }
    return true;
}

/* The parameters as arrays of float64, each checked by itself. */
static bool read_params(gx_draw *d, const gx_dist_row *t, gx_array **p) {
    if (!gx_draw_params(d, 0, t->params, p)) return false;
    for (int k = 0; k < t->params; k++) {
        const bool count = is_count(t->must[k]);
        if (count && gx_is_array(gx_draw_arg(d, k)) &&
            !gx_can_cast((gx_dtype)p[k]->dtype, GX_i64, GX_CAST_SAFE))
            return gx_fail(d->c->rt, GX_TypeError, "random.n",
                           "Cannot cast array data from dtype('%s') to dtype('int64') according "
                           "to the rule 'safe'",
                           gx_dtypes[p[k]->dtype].name);
        p[k] = gx_np_contiguous(&d->s, gx_np_cast(&d->s, p[k], GX_f64));
        if (t->must[k] == 'c' && d->r->legacy) p[k] = gx_np_op1(&d->s, GX_OP_trunc, p[k]);
        const double *x = gx_np_data(&d->s, p[k]);
        if (!x || !check_param(d, t, k, x, p[k]->count)) return false;
        if (count) p[k] = gx_np_cast(&d->s, gx_np_cast(&d->s, p[k], GX_i64), GX_f64);
        if (!p[k]) return false;
    }
    return true;
}

/* Their data in the shape of the result; step 0 for those that are one number. */
static bool spread_params(gx_draw *d, const gx_dist_row *t, gx_array **p, const double **x,
                          int64_t *step) {
    for (int k = 0; k < t->params; k++) {
        step[k] = p[k]->count != 1;
        if (step[k])
            p[k] = gx_np_contiguous(&d->s, gx_np_broadcast(&d->s, p[k], d->ndim, d->shape));
        if (!(x[k] = gx_np_data(&d->s, p[k]))) return false;
    }
    return true;
}

bool gx_dist_call(gx_call *c, gx_value *out) {
    const gx_dist_row *t = row_of(c->fn->name);
    gx_draw d;
    gx_array *p[4] = {NULL};
    const double *x[4];
    int64_t step[4];
    gx_rng spare;
    if (!t || !gx_draw_begin(&d, c)) return false;
    if (!read_params(&d, t, p) || !gx_draw_size(&d, t->params, 0, t->params, p) ||
        !spread_params(&d, t, p, x, step))
        return gx_np_end(&d.s, false);
    gx_array *a;
    bool many = false;
    for (int k = 0; k < t->params; k++) many |= step[k] != 0;
    if (!check_together(c->rt, t, x, step, many ? gx_np_size(d.ndim, d.shape) : 1) ||
        !gx_random_formula(&d, t->name, p, &a))
        return gx_np_end(&d.s, false);
    if (a) return gx_draw_finish(&d, a, out);
    a = gx_np_empty(&d.s, t->whole ? GX_i64 : GX_f64, d.ndim, d.shape);
    void *to = gx_np_data_write(&d.s, a);
    if (!to) return gx_np_end(&d.s, false);
    gx_rng *r = gx_dist_stream(d.r, &spare);
    for (int64_t i = 0; i < a->count; i++) {
        double v[4];
        if (gx_must_stop(c->rt)) return gx_np_end(&d.s, gx_stop(c->rt));
        for (int k = 0; k < t->params; k++) v[k] = x[k][i * step[k]];
        double drawn = t->draw(r, v);
        if (t->whole)
            ((int64_t *)to)[i] = drawn >= 9.2233720368547748e18 ? INT64_MAX : (int64_t)drawn;
        else
            ((double *)to)[i] = drawn;
    }
    if (r == &spare) d.r->counter += (uint64_t)a->count;
    return gx_draw_finish(&d, a, out);
}
