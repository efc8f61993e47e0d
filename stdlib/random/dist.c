/* The distributions of random, draw by draw as NumPy makes them, for Generator and for np.random
   (whose older algorithms differ in places), and what they share: reading and checking parameters,
   drawing an array. */
#include <string.h>

#include "kernels/each_side.h"
#include "stdlib/random/dist_int.h"

/* --- one draw --- */

#define STREAM gx_rng

static double stream_double(gx_rng *r) {
    return gx_rng_double(r);
}
static double stream_normal(gx_rng *r) {
    return gx_rng_normal(r);
}
static double stream_exponential(gx_rng *r) {
    return gx_rng_exponential(r);
}
static bool stream_is_old(const gx_rng *r) {
    return r->legacy;
}
static uint64_t stream_masked(gx_rng *r, uint64_t range) {
    const bool old = r->legacy;
    r->legacy = true; /* whose integers are made so */
    const uint64_t v = gx_rng_bounded(r, range);
    r->legacy = old;
    return v;
}

#include "stdlib/random/rejected_real.h"

double gx_dist_gamma(gx_rng *r, double shape) {
    return gamma_of(r, shape);
}
double gx_dist_beta(gx_rng *r, double a, double b) {
    return beta_of(r, a, b);
}
int64_t gx_dist_binomial(gx_rng *r, int64_t n, double p) {
    return binomial_of(r, n, p);
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

static double draw_triangular(gx_rng *r, const double *p) {
    double base = p[2] - p[0], left = p[1] - p[0], u = gx_rng_double(r);
    if (u <= left / base) return p[0] + sqrt(u * (left * base));
    return p[2] - sqrt((1.0 - u) * ((p[2] - p[1]) * base));
}

static double draw_geometric(gx_rng *r, const double *p) {
    if (p[0] >= 0.333333333333333333333333) {
        double x = 1, sum = p[0], product = p[0], q = 1.0 - p[0], u = gx_rng_double(r);
        for (; u > sum; x++) sum += product *= q;
        return x;
    }
    double e = r->legacy ? log1p(-gx_rng_double(r)) : -gx_rng_exponential(r);
    return ceil(e / log1p(-p[0]));
}

static const gx_dist_row distributions[] = {
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
    {"poisson", 1, "l", true, draw_poisson},
    {"binomial", 2, "c0", true, draw_binomial},
    {"negative_binomial", 2, "p1", true, draw_negative_binomial},
    {"geometric", 1, "1", true, draw_geometric},
    {"logseries", 1, "s", true, draw_logseries},
    {"zipf", 1, "z", true, draw_zipf},
    {"hypergeometric", 3, "cch", true, draw_hypergeometric},
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
    const gx_dist_row *t = distributions;
    while (t->name && strcmp(t->name, name) != 0) t++;
    return t->name ? t : NULL;
}

/* 'c': a count; 'h': of a sample, of which RandomState takes none. */
static bool is_count(char must) {
    return must == 'c' || must == 'h';
}

/* What a parameter must be (gx_dist_row): its bounds, whether it may be them, or nan, and what is
   said of those below and of those above. */
typedef struct bounds {
    char must;
    double low, high;
    bool above, below, nan;
    const char *wrong, *beyond;
} bounds;

static const bounds all_bounds[] = {
    {'n', 0, INFINITY, false, false, true, " < 0", ""}, /* -0.0 is below */
    {'p', 0, INFINITY, true, false, true, " <= 0", ""},
    {'c', 0, 9.2e18, false, false, false, " < 0", " is too large"},
    {'h', 0, 9.2e18, false, false, false, " < 0", " is too large"},
    {'l', 0, 9.2e18, false, false, false, " < 0 or lam is NaN", " value too large"},
    {'0', 0, 1, false, false, false, " < 0, p > 1 or p is NaN", NULL},
    {'1', 0, 1, true, false, false, " <= 0, p > 1 or p contains NaNs", NULL},
    {'z', 1, INFINITY, true, false, false, " <= 1 or a is NaN", ""},
    {'s', 0, 1, false, true, false, " < 0, p >= 1 or p is NaN", NULL},
    {.must = '\0'},
};

static const bounds *bounds_of(char must) {
    const bounds *b = all_bounds;
    while (b->must && b->must != must) b++;
    return b->must ? b : NULL;
}

/* What is wrong with a parameter, or NULL. */
static const char *wrong_with(const bounds *b, double x) {
    if (x != x) return b->nan ? NULL : b->wrong;
    if (x < b->low || (b->above && x == b->low)) return b->wrong;
    if (b->must == 'n' && x == 0 && signbit(x)) return b->wrong;
    if (x > b->high || (b->below && x == b->high)) return b->beyond ? b->beyond : b->wrong;
    return NULL;
}

/* Is an element true? One that nobody has computed yet is not asked for by itself. */
static bool is_any(gx_np *s, gx_array *a, bool *out) {
    gx_scalar e;
    a = a ? gx_np_reduce(s, GX_RED_any, a, gx_np_all(a), false, GX_NO_DTYPE) : NULL;
    if (!a || !gx_array_item(s->rt, a, &e)) return false;
    *out = e.b;
    return true;
}

static gx_array *either(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_op2(s, GX_OP_logical_or, a, b);
}

/* Where wrong_with finds something, computed where the array lives. */
static gx_array *wrong_places(gx_np *s, const bounds *b, gx_array *x) {
    gx_array *low = gx_np_f64(s, b->low), *high = gx_np_f64(s, b->high);
    gx_array *wrong =
        either(s, gx_np_op2(s, b->above ? GX_OP_less_equal : GX_OP_less, x, low),
               gx_np_op2(s, b->below ? GX_OP_greater_equal : GX_OP_greater, x, high));
    if (b->must == 'n')
        wrong = either(s, wrong,
                       gx_np_op2(s, GX_OP_logical_and, gx_np_op1(s, GX_OP_signbit, x),
                                 gx_np_op2(s, GX_OP_equal, x, low)));
    return b->nan ? wrong : either(s, wrong, gx_np_op2(s, GX_OP_not_equal, x, x));
}

/* Arrays of the Philox stream are looked at where they live, all others on the host, which also
   says what is wrong. */
static bool on_device(const gx_draw *d, const gx_array *x) {
    return d->r->kind == GX_RNG_PHILOX && x->count > 1;
}

/* Is every element what the k-th parameter must be? */
static bool check_param(gx_draw *d, const gx_dist_row *t, int k, gx_array *p) {
    const bounds *b = bounds_of(t->must[k]);
    const char *name = gx_native_param(d->c->rt, d->c->fn, d->at + k), *wrong = NULL;
    bool any = true;
    if (!b) return true;
    if (on_device(d, p) && !is_any(&d->s, wrong_places(&d->s, b, p), &any)) return false;
    if (!any) return true;
    const double *x = gx_np_data(&d->s, p);
    if (!x) return false;
    for (int64_t i = 0; i < p->count && !wrong; i++) {
        wrong = wrong_with(b, x[i]);
        if (!wrong && b->must == 'h' && d->r->legacy && x[i] < 1)
            wrong = " < 1 or nsample contains NaNs";
    }
    return !wrong ||
           gx_fail(d->c->rt, GX_ValueError, "random.parameter", "%s%s", name ? name : "", wrong);
}

/* The largest mean of a Poisson number of 64 bits, as NumPy draws the line. */
#define MOST_LAMBDA (9223372036854775807.0 - 30370004999.76 * 10)

static const char *wrong_together(const char *name, bool legacy, double a, double b, double c) {
    if (name[0] == 'n') /* negative_binomial */
        return a != a ? "n must not be NaN"
               : (1 - b) / b * (a + 10 * sqrt(a)) > MOST_LAMBDA
                   ? "n too large or p too small, see Generator.negative_binomial Notes"
                   : NULL;
    if (name[0] == 'h') { /* hypergeometric */
        if (!legacy && (a >= 1e9 || b >= 1e9))
            return "both ngood and nbad must be less than 1000000000";
        return a + b < c ? "ngood + nbad < nsample" : NULL;
    }
    return a > b ? "left > mode" : b > c ? "mode > right" : a == c ? "left == right" : NULL;
}

/* Where wrong_together finds something. */
static gx_array *places_together(gx_np *s, bool triangle, gx_array *const *p) {
    if (!triangle) return gx_np_op2(s, GX_OP_less, gx_np_op2(s, GX_OP_add, p[0], p[1]), p[2]);
    return either(s, gx_np_op2(s, GX_OP_equal, p[0], p[2]),
                  either(s, gx_np_op2(s, GX_OP_greater, p[0], p[1]),
                         gx_np_op2(s, GX_OP_greater, p[1], p[2])));
}

/* What the parameters must be together: they are one number each, or have the result's shape. */
static bool check_together(gx_draw *d, const gx_dist_row *t, gx_array *const *p) {
    const bool triangle = strcmp(t->name, "triangular") == 0;
    const bool negative = strcmp(t->name, "negative_binomial") == 0 && !d->r->legacy;
    const double *x[3];
    int64_t n = 1;
    bool any = true;
    if (!triangle && !negative && strcmp(t->name, "hypergeometric") != 0) return true;
    for (int k = 0; k < t->params; k++) n = p[k]->count != 1 ? p[k]->count : n;
    const bool there = n > 1 && d->r->kind == GX_RNG_PHILOX;
    if (there && negative) return true; /* and nothing is fetched for it */
    if (there &&
        !is_any(&d->s, places_together(&d->s, triangle, p), &any))
        return false;
    if (!any) return true;
    for (int k = 0; k < t->params; k++)
        if (!(x[k] = gx_np_data(&d->s, p[k]))) return false;
    for (int64_t i = 0; i < n; i++) {
        double at[3] = {0};
        for (int k = 0; k < t->params; k++) at[k] = x[k][p[k]->count != 1 ? i : 0];
        const char *wrong = wrong_together(t->name, d->r->legacy, at[0], at[1], at[2]);
        if (wrong) return gx_fail(d->c->rt, GX_ValueError, "random.parameter", "%s", wrong);
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
        if (t->must[k] == 'c' || (count && !d->r->legacy))
            p[k] = gx_np_op1(&d->s, GX_OP_trunc, p[k]);
        if (!p[k] || !check_param(d, t, k, p[k])) return false;
        if (count) p[k] = gx_np_cast(&d->s, gx_np_cast(&d->s, p[k], GX_i64), GX_f64);
        if (!p[k]) return false;
    }
    return true;
}

/* Those that are more than one number take the shape of the result. */
static bool spread_params(gx_draw *d, const gx_dist_row *t, gx_array **p) {
    for (int k = 0; k < t->params; k++)
        if (p[k]->count != 1 &&
            !(p[k] = gx_np_contiguous(&d->s, gx_np_broadcast(&d->s, p[k], d->ndim, d->shape))))
            return false;
    return true;
}

/* Drawn on the host, one number after the other. */
static gx_array *drawn_in_turn(gx_draw *d, const gx_dist_row *t, gx_array *const *p) {
    gx_rt *rt = d->c->rt;
    const double *x[3];
    for (int k = 0; k < t->params; k++)
        if (!(x[k] = gx_np_data(&d->s, p[k]))) return NULL;
    gx_array *a = gx_np_empty(&d->s, t->whole ? GX_i64 : GX_f64, d->ndim, d->shape);
    void *to = gx_np_data_write(&d->s, a);
    if (!to) return NULL;
    for (int64_t i = 0; i < a->count; i++) {
        double v[3];
        if (gx_must_stop(rt)) {
            (void)gx_stop(rt);
            return NULL;
        }
        for (int k = 0; k < t->params; k++) v[k] = x[k][p[k]->count != 1 ? i : 0];
        double drawn = t->draw(d->r, v);
        if (t->whole)
            ((int64_t *)to)[i] = drawn >= 9.2233720368547748e18 ? INT64_MAX : (int64_t)drawn;
        else
            ((double *)to)[i] = drawn;
    }
    return a;
}

bool gx_dist_drawn(gx_draw *d, const char *name, gx_array *const *p, gx_array **out) {
    const gx_dist_row *t = row_of(name);
    for (int k = 0; k < t->params; k++)
        if (!check_param(d, t, k, p[k])) return false;
    return gx_random_formula(d, t, p, out);
}

bool gx_dist_call(gx_call *c, gx_value *out) {
    const gx_dist_row *t = row_of(c->fn->name);
    gx_draw d;
    gx_array *p[4] = {NULL}, *a;
    if (!t || !gx_draw_begin(&d, c)) return false;
    if (!read_params(&d, t, p) || !gx_draw_size(&d, t->params, 0, t->params, p) ||
        !spread_params(&d, t, p) || !check_together(&d, t, p) ||
        !(d.r->kind == GX_RNG_PHILOX ? gx_random_formula(&d, t, p, &a)
                                     : (a = drawn_in_turn(&d, t, p)) != NULL))
        return gx_np_end(&d.s, false);
    return gx_draw_finish(&d, a, out);
}
