/* Distributions whose draws are rows: multinomial, dirichlet, multivariate_normal; bytes, permuted;
   and the tables of all distributions, as functions and as methods. */
#include <math.h>
#include <string.h>

#include "stdlib/library/text.h"
#include "stdlib/library/texts.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/random/dist_int.h"

extern const gx_native gx_np_dist_functions[], gx_np_dist_methods[];

/* The size with one more axis of n; *rows is how many rows there are. */
static bool rows_size(gx_draw *d, int i, int64_t n, int64_t *rows) {
    if (!gx_draw_size(d, i, 0, 0, NULL)) return false;
    if (d->ndim + 1 > GX_MAX_DIMS)
        return gx_fail(d->c->rt, GX_ValueError, "random.size", "too many dimensions");
    *rows = gx_np_size(d->ndim, d->shape);
    d->shape[d->ndim++] = n;
    d->one = false;
    return true;
}

static const double *numbers(gx_draw *d, gx_borrowed v, int64_t *n) {
    gx_array *a = gx_np_contiguous(&d->s, gx_np_arr_as(&d->s, v, GX_f64));
    if (!a) return NULL;
    if (a->ndim != 1) {
        gx_fail(d->c->rt, GX_ValueError, "random.dims", "%s: a vector is needed, not %d dimensions",
                d->c->fn->name, a->ndim);
        return NULL;
    }
    *n = a->count;
    return gx_np_data(&d->s, a);
}

/* Rows of k shares, each at most 1 in sum. */
static bool good_shares(gx_rt *rt, const double *p, int64_t rows, int64_t k) {
    for (int64_t i = 0; i < rows * k; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return gx_fail(rt, GX_ValueError, "random.pvals",
                           "pvals < 0, pvals > 1 or pvals contains NaNs");
    for (int64_t i = 0; i < rows; i++, p += k) {
        double sum = 0;
        for (int64_t j = 0; j < k - 1; j++) sum += p[j];
        if (sum > 1.0 + 1e-12)
            return gx_fail(rt, GX_ValueError, "random.pvals", "sum(pvals[:-1]) > 1.0");
    }
    return true;
}

/* The first n arguments to a function of vectors.gx, which draws from a counted stream. */
static bool drawn_at_once(gx_draw *d, const char *name, int n, gx_value *out) {
    gx_call *c = d->c;
    gx_borrowed argv[4] = {d->at ? c->argv[0] : gx_none()};
    for (int i = 0; i < n; i++) argv[1 + i] = gx_draw_arg(d, i);
    return gx_np_end(&d->s, gx_library_pass(c, "random.vectors", gx_library_text_random_vectors,
                                            name, 1 + n, argv, out));
}

/* n and pvals as they are broadcast to the rows of the result; *step: numbers from one row's shares
   to the next (0: all rows have the same). */
typedef struct trials {
    const int64_t *n;
    const double *p;
    int64_t k, rows, step;
} trials;

static bool trials_of(gx_draw *d, trials *t) {
    gx_rt *rt = d->c->rt;
    gx_np *s = &d->s;
    gx_array *p = gx_np_arr(s, gx_draw_arg(d, 1)), *n = gx_np_arr(s, gx_draw_arg(d, 0));
    if (!p || !n) return false;
    if (gx_dtype_kind(p->dtype) == GX_KIND_CPLX)
        return gx_fail(rt, GX_TypeError, "random.pvals", "%s: pvals are real numbers, not %s",
                       d->c->fn->name, gx_dtypes[p->dtype].name);
    if (!(p = gx_np_contiguous(s, gx_np_cast(s, p, GX_f64)))) return false;
    if (d->r->legacy && (n->ndim || p->ndim > 1))
        return gx_fail(rt, n->ndim ? GX_TypeError : GX_ValueError, "random.n",
                       "%s: a RandomState takes a number n and a vector pvals; a Generator "
                       "(np.random.default_rng()) takes arrays of both",
                       d->c->fn->name);
    if (p->ndim == 0 || (!d->r->legacy && gx_shape(p)[p->ndim - 1] == 0))
        return gx_fail(rt, d->r->legacy ? GX_TypeError : GX_ValueError, "random.pvals",
                       "pvals must have at least 1 dimension and the last dimension of pvals must "
                       "be greater than 0.");
    const bool counts = d->r->legacy || gx_can_cast((gx_dtype)n->dtype, GX_i64, GX_CAST_SAFE);
    if (!counts || gx_dtype_kind(n->dtype) == GX_KIND_CPLX)
        return gx_fail(rt, GX_TypeError, "random.n",
                       "%s: n must be an integer or an array of integers, not of %s",
                       d->c->fn->name, gx_dtypes[n->dtype].name);
    t->k = gx_shape(p)[p->ndim - 1];
    const bool single = n->ndim == 0 && p->ndim == 1;
    int64_t one_row[GX_MAX_DIMS];
    memcpy(one_row, gx_shape(p), (size_t)p->ndim * sizeof *one_row);
    one_row[p->ndim - 1] = 1;
    gx_array *first = p;
    if (t->k != 1) first = t->k ? gx_np_slice(s, p, p->ndim - 1, 0, 1, 1) : NULL;
    if (!first && t->k) return false;
    gx_array *lead = first ? gx_np_squeeze(s, first, UINT64_C(1) << (p->ndim - 1)) : NULL;
    if (!t->k) lead = gx_np_zeros(s, GX_f64, p->ndim - 1, one_row);
    gx_array *params[2] = {n, lead};
    const double *x = gx_np_data(s, p);
    if (!lead || !x || !good_shares(rt, x, t->k ? p->count / t->k : 0, t->k) ||
        !gx_draw_size(d, 2, 0, single ? 0 : 2, params))
        return false;
    if (d->r->kind == GX_RNG_PHILOX) return true;
    t->rows = gx_np_size(d->ndim, d->shape);
    n = gx_np_contiguous(s, gx_np_broadcast(s, gx_np_cast(s, n, GX_i64), d->ndim, d->shape));
    if (!(t->n = gx_np_data(s, n))) return false;
    for (int64_t i = 0; i < t->rows; i++)
        if (t->n[i] < 0) return gx_fail(rt, GX_ValueError, "random.n", "n < 0");
    if (d->ndim + 1 > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "random.size", "too many dimensions");
    d->shape[d->ndim++] = t->k;
    d->one = false;
    t->step = p->ndim > 1 ? t->k : 0;
    if (t->step) p = gx_np_contiguous(s, gx_np_broadcast(s, p, d->ndim, d->shape));
    return (t->p = gx_np_data(s, p)) != NULL;
}

static bool multinomial_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    trials t;
    if (!gx_draw_begin(&d, c)) return false;
    if (!trials_of(&d, &t)) return gx_np_end(&d.s, false);
    if (d.r->kind == GX_RNG_PHILOX) return drawn_at_once(&d, "multinomial", 3, out);
    gx_array *a = gx_np_empty(&d.s, GX_i64, d.ndim, d.shape);
    int64_t *to = gx_np_data_write(&d.s, a);
    if (!to) return gx_np_end(&d.s, false);
    memset(to, 0, (size_t)a->count * sizeof *to);
    for (int64_t i = 0; i < t.rows && t.k; i++, to += t.k) {
        const double *p = t.p + i * t.step;
        int64_t left = t.n[i];
        double rest = 1.0;
        for (int64_t j = 0; j < t.k - 1; j++) {
            to[j] = gx_dist_binomial(d.r, left, p[j] / rest > 1 ? 1 : p[j] / rest);
            left -= to[j];
            rest -= p[j];
            if (left <= 0) break;
        }
        if (left > 0) to[t.k - 1] = left;
    }
    return gx_draw_finish(&d, a, out);
}

static void dirichlet_row(gx_rng *r, const double *alpha, int64_t k, bool small, double *to) {
    double rest = 0, sum = 0;
    for (int64_t j = 0; small && j < k; j++) rest += alpha[j];
    if (small) { /* a stick is broken */
        double left = 1;
        for (int64_t j = 0; j < k - 1; j++) {
            rest = 0;
            for (int64_t m = k - 1; m > j; m--) rest += alpha[m];
            double v = gx_dist_beta(r, alpha[j], rest);
            to[j] = left * v;
            left *= 1 - v;
        }
        to[k - 1] = left;
        return;
    }
    for (int64_t j = 0; j < k; j++) sum += to[j] = gx_dist_gamma(r, alpha[j]);
    for (int64_t j = 0; j < k; j++) to[j] *= 1 / sum;
}

static bool dirichlet_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    int64_t k, rows;
    double most = 0;
    if (!gx_draw_begin(&d, c)) return false;
    const gx_value given = gx_draw_arg(&d, 0);
    if (gx_operand_kind(given) == GX_OPERAND_WEAK || given.tag == GX_NONE)
        return gx_np_end(&d.s, gx_arg_wrong(c, d.at, "a sequence of numbers"));
    if (given.tag == GX_ARRAY && gx_dtype_kind(gx_as_array(given)->dtype) == GX_KIND_CPLX)
        return gx_np_end(&d.s, gx_arg_wrong(c, d.at, "real numbers"));
    const double *alpha = numbers(&d, gx_draw_arg(&d, 0), &k);
    if (!alpha || !rows_size(&d, 1, k, &rows)) return gx_np_end(&d.s, false);
    for (int64_t j = 0; j < k; j++) {
        if (alpha[j] <= 0 && (d.r->legacy || alpha[j] < 0))
            return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "random.alpha",
                                           d.r->legacy ? "alpha <= 0" : "alpha < 0"));
        most = alpha[j] > most ? alpha[j] : most;
    }
    if (d.r->kind == GX_RNG_PHILOX) return drawn_at_once(&d, "dirichlet", 2, out);
    gx_array *a = gx_np_empty(&d.s, GX_f64, d.ndim, d.shape);
    double *to = gx_np_data_write(&d.s, a);
    if (!to) return gx_np_end(&d.s, false);
    for (int64_t i = 0; i < rows && k; i++)
        dirichlet_row(d.r, alpha, k, !d.r->legacy && most < 0.1, to + i * k);
    return gx_draw_finish(&d, a, out);
}

static bool multivariate_normal_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    double tol;
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_arg_float(c, d.at + 4, &tol)) return gx_np_end(&d.s, false);
    const int own = c->argc - d.at; /* mean, cov, size, check_valid, tol, and method for some */
    gx_borrowed argv[8] = {d.at ? c->argv[0] : gx_none(), gx_bool(d.r->legacy)};
    for (int i = 0; i < own; i++) argv[2 + i] = gx_draw_arg(&d, i);
    return gx_np_end(&d.s, gx_library_pass(c, "random.vectors", gx_library_text_random_vectors,
                                           "multivariate_normal", 2 + own, argv, out));
}

static bool bytes_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    int64_t n;
    gx_rng spare;
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_arg_int(c, d.at, &n)) return gx_np_end(&d.s, false);
    if (n < 0)
        return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "random.bytes",
                                       "bytes: the length must not be negative"));
    char *data = gx_np_scratch(&d.s, (size_t)n + 4);
    if (!data) return gx_np_end(&d.s, false);
    gx_rng *r = gx_dist_stream(d.r, &spare);
    for (int64_t i = 0; i == 0 || i < n; i += 4) { /* no byte takes a word, too */
        uint32_t word = gx_rng_u32(r);
        memcpy(data + i, &word, 4);
    }
    if (r == &spare) d.r->counter += (uint64_t)n;
    return gx_np_end(&d.s, gx_bytes_new(c->rt, data, (size_t)n, out));
}

/* Each line along an axis shuffled by itself (axis None: all elements). */
static bool permuted_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    int axis = 0;
    if (!gx_draw_begin(&d, c)) return false;
    gx_np *s = &d.s;
    gx_array *x = gx_np_arr(s, gx_draw_arg(&d, 0));
    if (!x) return gx_np_end(s, false);
    bool all = gx_draw_arg(&d, 1).tag == GX_NONE;
    if (!all && !gx_np_axis_arg(c, d.at + 1, x->ndim, 0, &axis)) return gx_np_end(s, false);
    gx_array *rows = all ? gx_np_flat(s, x) : gx_np_moveaxis(s, x, axis, x->ndim - 1);
    if (rows && !rows->ndim) rows = gx_np_expand(s, rows, 1, 1);
    if (!rows) return gx_np_end(s, false);
    int64_t n = gx_shape(rows)[rows->ndim - 1], flat[2] = {n ? rows->count / n : 0, n};
    gx_array *line = gx_np_reshape(s, gx_np_copy(s, rows, 'C'), 2, flat);
    for (int64_t i = 0; line && i < flat[0]; i++) {
        gx_np t = gx_np_begin_at(c->rt, s->ns);
        gx_array *order = gx_rng_permutation(&t, d.r, n), *one = gx_np_at(&t, line, 0, i);
        gx_array *moved = gx_np_take(&t, one, order, 0);
        if (!gx_np_end(&t, moved && gx_array_store(c->rt, one, moved))) return gx_np_end(s, false);
    }
    int64_t shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(rows), (size_t)rows->ndim * sizeof *shape);
    gx_array *r = gx_np_reshape(s, line, rows->ndim, shape);
    r = all ? gx_np_reshape(s, r, x->ndim, gx_shape(x))
            : gx_np_contiguous(s, gx_np_moveaxis(s, r, rows->ndim - 1, axis));
    gx_borrowed to = gx_draw_arg(&d, 2);
    return to.tag == GX_NONE ? gx_np_give_array(s, r, out) : gx_np_give_out(s, r, to, out);
}

/* X(name, parameters, doc, body) */
#define DISTRIBUTIONS(X)                                                                           \
    X(gamma, "shape, scale=1.0, size=None",                                                        \
      "Samples of the gamma distribution with a shape and a scale; mean shape * scale.",           \
      gx_dist_call)                                                                                \
    X(beta, "a, b, size=None",                                                                     \
      "Samples of the beta distribution with shapes a and b, float64 in (0, 1).", gx_dist_call)    \
    X(chisquare, "df, size=None",                                                                  \
      "Samples of the chi-square distribution with df degrees of freedom.", gx_dist_call)          \
    X(f, "dfnum, dfden, size=None",                                                                \
      "Samples of the F distribution with dfnum and dfden degrees of freedom.", gx_dist_call)      \
    X(noncentral_chisquare, "df, nonc, size=None",                                                 \
      "Samples of the noncentral chi-square distribution: df degrees of freedom, noncentrality "   \
      "nonc.",                                                                                     \
      gx_dist_call)                                                                                \
    X(noncentral_f, "dfnum, dfden, nonc, size=None",                                               \
      "Samples of the noncentral F distribution: dfnum and dfden degrees of freedom, "             \
      "noncentrality nonc.",                                                                       \
      gx_dist_call)                                                                                \
    X(standard_t, "df, size=None",                                                                 \
      "Samples of Student's t distribution with df degrees of freedom.", gx_dist_call)             \
    X(standard_cauchy, "size=None", "Samples of the standard Cauchy distribution.", gx_dist_call)  \
    X(pareto, "a, size=None",                                                                      \
      "Samples of the Pareto II (Lomax) distribution with shape a, from 0 on.", gx_dist_call)      \
    X(weibull, "a, size=None", "Samples of the Weibull distribution with shape a and scale 1.",    \
      gx_dist_call)                                                                                \
    X(power, "a, size=None",                                                                       \
      "Samples of the power distribution, in [0, 1] with density a * x**(a - 1).", gx_dist_call)   \
    X(laplace, "loc=0.0, scale=1.0, size=None",                                                    \
      "Samples of the Laplace distribution with mean loc and a scale.", gx_dist_call)              \
    X(gumbel, "loc=0.0, scale=1.0, size=None",                                                     \
      "Samples of the Gumbel distribution with mode loc and a scale.", gx_dist_call)               \
    X(logistic, "loc=0.0, scale=1.0, size=None",                                                   \
      "Samples of the logistic distribution with mean loc and a scale.", gx_dist_call)             \
    X(lognormal, "mean=0.0, sigma=1.0, size=None",                                                 \
      "Samples of the log-normal distribution: their log is normal with this mean and deviation "  \
      "sigma.",                                                                                    \
      gx_dist_call)                                                                                \
    X(rayleigh, "scale=1.0, size=None", "Samples of the Rayleigh distribution with mode scale.",   \
      gx_dist_call)                                                                                \
    X(wald, "mean, scale, size=None",                                                              \
      "Samples of the Wald (inverse Gaussian) distribution with a mean and a scale.",              \
      gx_dist_call)                                                                                \
    X(triangular, "left, mode, right, size=None",                                                  \
      "Samples of the triangular distribution from left to right with its peak at mode.",          \
      gx_dist_call)                                                                                \
    X(vonmises, "mu, kappa, size=None",                                                            \
      "Samples of the von Mises distribution: angles in [-pi, pi] around mu, concentration "       \
      "kappa.",                                                                                    \
      gx_dist_call)                                                                                \
    X(poisson, "lam=1.0, size=None", "Samples of the Poisson distribution with mean lam, int64.",  \
      gx_dist_call)                                                                                \
    X(binomial, "n, p, size=None",                                                                 \
      "Samples of the binomial distribution: successes in n trials of probability p, int64.",      \
      gx_dist_call)                                                                                \
    X(negative_binomial, "n, p, size=None",                                                        \
      "Samples of the negative binomial distribution: failures before n successes of probability " \
      "p, int64.",                                                                                 \
      gx_dist_call)                                                                                \
    X(geometric, "p, size=None",                                                                   \
      "Samples of the geometric distribution: trials of probability p up to the first success, "   \
      "int64.",                                                                                    \
      gx_dist_call)                                                                                \
    X(logseries, "p, size=None",                                                                   \
      "Samples of the logarithmic series distribution, 0 <= p < 1, int64 from 1 on.",              \
      gx_dist_call)                                                                                \
    X(zipf, "a, size=None",                                                                        \
      "Samples of the Zipf distribution with exponent a > 1, int64 from 1 on.", gx_dist_call)      \
    X(hypergeometric, "ngood, nbad, nsample, size=None",                                           \
      "Samples of the hypergeometric distribution: good items among nsample drawn of ngood + "     \
      "nbad, int64.",                                                                              \
      gx_dist_call)                                                                                \
    X(multinomial, "n, pvals, size=None",                                                          \
      "Samples of the multinomial distribution: counts of outcomes in n trials, of shape size + "  \
      "(k,).",                                                                                     \
      multinomial_fn)                                                                              \
    X(dirichlet, "alpha, size=None",                                                               \
      "Samples of the Dirichlet distribution: vectors of len(alpha) numbers with sum 1, of shape " \
      "size + (k,).",                                                                              \
      dirichlet_fn)                                                                                \
    X(bytes, "length", "A bytes object of random bytes, length of them.", bytes_fn)

#define FUNCTION(name, params, doc, body) {#name, #name "(" params ")", doc, NULL, body, 0, 0},
#define METHOD(name, params, doc, body) {#name, #name "(self, " params ")", doc, NULL, body, 0, 0},

#define NORMALS "mean, cov, size=None, check_valid='warn', tol=1e-08"

const gx_native gx_np_dist_functions[] = {
    DISTRIBUTIONS(FUNCTION){"multivariate_normal", "multivariate_normal(" NORMALS ")",
                            "Samples of the multivariate normal distribution: vectors with this "
                            "mean and covariance matrix.",
                            NULL, multivariate_normal_fn, 0, 0},
    {"standard_gamma", "standard_gamma(shape, size=None)",
     "Samples of the gamma distribution with a shape and scale 1.", NULL, gx_dist_call, 0, 0},
    {.name = NULL},
};
const gx_native gx_np_dist_methods[] = {
    DISTRIBUTIONS(METHOD){"multivariate_normal",
                          "multivariate_normal(self, " NORMALS ", *, method='svd')",
                          "Samples of the multivariate normal distribution: vectors with this mean "
                          "and covariance matrix.",
                          NULL, multivariate_normal_fn, 0, 0},
    {"permuted", "permuted(self, x, *, axis=None, out=None)",
     "A copy with each slice along an axis in a random order of its own.", NULL, permuted_fn, 0, 0},
    {.name = NULL},
};
