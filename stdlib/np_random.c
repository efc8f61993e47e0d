/* random: the functions of np.random, cp.random and the bare `random`, and the same as methods of
   Generator and RandomState. np's numbers are NumPy's own for the same seed; the others are the
   Philox stream, whose arrays stay pending. A draw without a size is one Python number. */
#include <math.h>
#include <string.h>

#include "stdlib/np_order_int.h"
#include "stdlib/np_random_int.h"
#include "stdlib/np_reduce_int.h"
#include "stdlib/np_rng_int.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_random_functions[];
extern const gx_constant gx_np_random_constants[];

/* A call: its generator, and where its own arguments begin. */
typedef struct draw {
    gx_np s;
    gx_call *c;
    gx_rng *r;
    int at;
    bool one; /* no size: a single number */
    int ndim;
    int64_t shape[GX_MAX_DIMS];
} draw;

static bool begin(draw *d, gx_call *c) {
    gx_door door = c->door;
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    d->c = c;
    d->at = g ? 1 : 0;
    if (g) {
        d->r = &g->rng;
        door = g->door;
    } else if (!gx_rng_global(c->rt, door, &d->r))
        return false;
    d->s = gx_np_begin_at(c->rt, door);
    d->s.seen = true; /* operands do not move the result elsewhere */
    d->one = false;
    d->ndim = 0;
    return true;
}

static gx_borrowed arg(const draw *d, int i) {
    return d->c->argv[d->at + i];
}

/* The size argument; without one the result takes the shape of the n parameters from `first` on. */
static bool size_arg(draw *d, int i, int first, int n, gx_array **params) {
    for (int k = 0; k < n; k++)
        if (!(params[k] = gx_np_arr(&d->s, arg(d, first + k)))) return false;
    gx_borrowed v = arg(d, i);
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) {
        if (n && !gx_broadcast_shapes(d->c->rt, n, params, &d->ndim, d->shape)) return false;
        d->one = d->ndim == 0;
        return true;
    }
    return gx_shape_of(d->c->rt, v, false, "size", &d->ndim, d->shape);
}

static bool finish(draw *d, gx_array *a, gx_value *out) {
    if (!d->one || !a) return gx_np_give_array(&d->s, a, out);
    gx_scalar e;
    bool ok =
        gx_array_item(d->c->rt, a, &e) && gx_scalar_item(d->c->rt, (gx_dtype)a->dtype, &e, out);
    return gx_np_end(&d->s, ok);
}

/* A float dtype argument; float64 when not given. */
static bool float_arg(draw *d, int i, gx_dtype *out) {
    if (!gx_np_dtype_arg(d->c, d->at + i, out)) return false;
    if (*out == GX_NO_DTYPE) *out = GX_f64;
    if (*out == GX_f32 || *out == GX_f64) return true;
    return gx_fail(d->c->rt, GX_TypeError, "random.dtype",
                   "Unsupported dtype dtype('%s') for random numbers", gx_dtypes[*out].name);
}

/* --- uniform, normal
 * ------------------------------------------------------------------------------------ */

static bool dims_call(gx_call *c, bool normal, gx_value *out) {
    draw d;
    gx_dtype t;
    if (!begin(&d, c)) return false;
    gx_borrowed dims = arg(&d, 0);
    if (!float_arg(&d, 1, &t)) return gx_np_end(&d.s, false);
    if (gx_as_tuple(dims)->count == 0)
        d.one = true;
    else if (!gx_shape_of(c->rt, dims, false, c->fn->name, &d.ndim, d.shape)) {
        if (gx_as_tuple(dims)->items[0].tag == GX_TUPLE)
            gx_help(c->rt, "random.random(size) takes a shape; %s(2, 3) takes sizes", c->fn->name);
        return gx_np_end(&d.s, false);
    }
    gx_array *a = normal ? gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape)
                         : gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    return finish(&d, a, out);
}

static bool rand_fn(gx_call *c, gx_value *out) {
    return dims_call(c, false, out);
}
static bool randn_fn(gx_call *c, gx_value *out) {
    return dims_call(c, true, out);
}

static bool sized_call(gx_call *c, char what, gx_value *out) {
    draw d;
    gx_dtype t = GX_f64;
    if (!begin(&d, c)) return false;
    if (!size_arg(&d, 0, 0, 0, NULL) || !float_arg(&d, 1, &t)) return gx_np_end(&d.s, false);
    gx_array *a = what == 'n'   ? gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape)
                  : what == 'e' ? gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape)
                                : gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    return finish(&d, a, out);
}

static bool random_fn(gx_call *c, gx_value *out) {
    return sized_call(c, 'u', out);
}
static bool standard_normal_fn(gx_call *c, gx_value *out) {
    return sized_call(c, 'n', out);
}
static bool standard_exponential_fn(gx_call *c, gx_value *out) {
    return sized_call(c, 'e', out);
}

static bool uniform_fn(gx_call *c, gx_value *out) {
    draw d;
    gx_array *p[2];
    gx_dtype t;
    if (!begin(&d, c)) return false;
    if (!size_arg(&d, 2, 0, 2, p) || !float_arg(&d, 3, &t)) return gx_np_end(&d.s, false);
    gx_array *range = gx_np_op2(&d.s, GX_OP_subtract, gx_np_cast(&d.s, p[1], GX_f64),
                                gx_np_cast(&d.s, p[0], GX_f64));
    gx_array *u = gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    gx_array *a = gx_np_op2(&d.s, GX_OP_add, gx_np_cast(&d.s, p[0], t),
                            gx_np_op2(&d.s, GX_OP_multiply, gx_np_cast(&d.s, range, t), u));
    return finish(&d, a, out);
}

static bool normal_fn(gx_call *c, gx_value *out) {
    draw d;
    gx_array *p[2];
    gx_dtype t;
    if (!begin(&d, c)) return false;
    if (!size_arg(&d, 2, 0, 2, p) || !float_arg(&d, 3, &t)) return gx_np_end(&d.s, false);
    gx_array *low = gx_np_reduce(&d.s, GX_RED_any,
                                 gx_np_op1(&d.s, GX_OP_signbit, gx_np_cast(&d.s, p[1], GX_f64)),
                                 gx_np_all(p[1]), false, GX_NO_DTYPE);
    gx_scalar bad;
    if (!low || !gx_array_item(c->rt, low, &bad)) return gx_np_end(&d.s, false);
    if (bad.b) return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "random.scale", "scale < 0"));
    gx_array *z = gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape);
    gx_array *a = gx_np_op2(&d.s, GX_OP_add, gx_np_cast(&d.s, p[0], t),
                            gx_np_op2(&d.s, GX_OP_multiply, gx_np_cast(&d.s, p[1], t), z));
    return finish(&d, a, out);
}

static bool exponential_fn(gx_call *c, gx_value *out) {
    draw d;
    gx_array *p[1];
    if (!begin(&d, c)) return false;
    if (!size_arg(&d, 1, 0, 1, p)) return gx_np_end(&d.s, false);
    gx_array *e = gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape);
    return finish(&d, gx_np_op2(&d.s, GX_OP_multiply, gx_np_cast(&d.s, p[0], GX_f64), e), out);
}

/* --- integers
 * --------------------------------------------------------------------------------------------- */

static bool int_of(draw *d, gx_borrowed v, int64_t *out) {
    gx_try is = gx_as_index(d->c->rt, v, out);
    if (is == GX_TRY_NO) {
        double f;
        is = gx_as_double(d->c->rt, v, &f);
        if (is == GX_TRY_YES && f == floor(f) && fabs(f) < 9e18)
            *out = (int64_t)f;
        else if (is != GX_TRY_ERROR)
            return gx_fail(d->c->rt, GX_TypeError, "random.bounds",
                           "%s: the bounds must be integers, not %s", d->c->fn->name,
                           gx_type_name(v));
    }
    return is == GX_TRY_YES;
}

static bool integers(gx_call *c, bool closed, gx_value *out) {
    draw d;
    int64_t low = 0, high;
    gx_dtype t;
    if (!begin(&d, c)) return false;
    bool single = arg(&d, 1).tag == GX_NONE;
    if (closed && !gx_arg_bool(c, d.at + 4, &closed)) return gx_np_end(&d.s, false);
    if (!int_of(&d, arg(&d, single ? 0 : 1), &high) || (!single && !int_of(&d, arg(&d, 0), &low)) ||
        !size_arg(&d, 2, 0, 0, NULL) || !gx_np_dtype_arg(c, d.at + 3, &t))
        return gx_np_end(&d.s, false);
    if (closed ? low > high : low >= high)
        return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "random.bounds",
                                       single   ? "high <= 0"
                                       : closed ? "low > high"
                                                : "low >= high"));
    uint64_t range = (uint64_t)high - (uint64_t)low - !closed;
    gx_array *a = gx_rng_integers(&d.s, d.r, low, range, d.ndim, d.shape);
    return finish(&d, gx_np_cast(&d.s, a, t), out);
}

static bool randint_fn(gx_call *c, gx_value *out) {
    return integers(c, false, out);
}
static bool integers_fn(gx_call *c, gx_value *out) {
    return integers(c, true, out);
}

/* --- order
 * ------------------------------------------------------------------------------------------------
 */

static bool permutation_fn(gx_call *c, gx_value *out) {
    draw d;
    int64_t n;
    if (!begin(&d, c)) return false;
    gx_try is = gx_as_index(c->rt, arg(&d, 0), &n);
    if (is == GX_TRY_ERROR) return gx_np_end(&d.s, false);
    if (is == GX_TRY_YES) {
        if (n < 0)
            return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "shape.negative",
                                           "negative dimensions are not allowed"));
        return finish(&d, gx_rng_permutation(&d.s, d.r, n), out);
    }
    gx_array *a = gx_np_arr(&d.s, arg(&d, 0));
    if (a && a->ndim == 0)
        return gx_np_end(&d.s, gx_fail(c->rt, GX_TypeError, "random.permutation",
                                       "x must be an integer or at least 1-dimensional"));
    if (!a) return gx_np_end(&d.s, false);
    return finish(&d, gx_np_take(&d.s, a, gx_rng_permutation(&d.s, d.r, gx_shape(a)[0]), 0), out);
}

static bool shuffle_list(draw *d, gx_borrowed list) {
    gx_list *l = gx_as_list(list);
    int64_t n = l->count;
    gx_array *p = gx_rng_permutation(&d->s, d->r, n);
    const int64_t *order = gx_np_data(&d->s, p);
    gx_value *old = gx_np_scratch(&d->s, (size_t)(n + 1) * sizeof *old);
    if (!order || !old) return false;
    memcpy(old, l->items, (size_t)n * sizeof *old);
    for (int64_t i = 0; i < n; i++) l->items[i] = old[order[i]];
    return true;
}

static bool shuffle_fn(gx_call *c, gx_value *out) {
    draw d;
    if (!begin(&d, c)) return false;
    gx_borrowed x = arg(&d, 0);
    *out = gx_none();
    if (x.tag == GX_LIST) return gx_np_end(&d.s, shuffle_list(&d, x));
    if (!gx_is_array(x) || gx_as_array(x)->ndim == 0)
        return gx_np_end(&d.s, gx_arg_wrong(c, d.at, "an array or a list"));
    gx_array *a = gx_as_array(x);
    gx_array *r = gx_np_take(&d.s, a, gx_rng_permutation(&d.s, d.r, gx_shape(a)[0]), 0);
    return gx_np_end(&d.s, r && gx_array_store(c->rt, a, r));
}

/* --- choice
 * -----------------------------------------------------------------------------------------------
 */

/* The running sum of the weights, scaled to end at 1. */
static gx_array *distribution(draw *d, gx_borrowed p, int64_t n) {
    gx_array *w = gx_np_arr_as(&d->s, p, GX_f64);
    if (!w) return NULL;
    if (w->ndim != 1 || w->count != n) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "'a' and 'p' must have same size");
        return NULL;
    }
    gx_array *cdf = gx_np_scan(&d->s, w, 0, false, GX_NO_DTYPE);
    const double *x = gx_np_data(&d->s, cdf);
    if (!x) return NULL;
    double total = n ? x[n - 1] : 0;
    for (int64_t i = 0; i < n; i++)
        if (i && x[i] < x[i - 1]) total = -1;
    if (total < 0 || (n && x[0] < 0)) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "Probabilities are not non-negative");
        return NULL;
    }
    if (fabs(total - 1) > 1.5e-8) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "Probabilities do not sum to 1");
        return NULL;
    }
    return gx_np_op2(&d->s, GX_OP_divide, cdf, gx_np_f64(&d->s, total));
}

/* k of n without repeats by weight: draws again with the found ones' weight at zero. */
static gx_array *weighted_once(draw *d, gx_borrowed p, int64_t n, int64_t k) {
    gx_array *w = gx_np_fresh(&d->s, gx_np_arr_as(&d->s, p, GX_f64), GX_f64);
    gx_array *r = gx_np_empty(&d->s, GX_i64, 1, &k);
    double *weight = gx_np_data_write(&d->s, w);
    int64_t *found = gx_np_data_write(&d->s, r), have = 0, positive = 0;
    double *cdf = gx_np_scratch(&d->s, (size_t)(n + 1) * sizeof *cdf);
    if (!weight || !found || !cdf) return NULL;
    for (int64_t i = 0; i < n; i++) positive += weight[i] > 0;
    if (positive < k) {
        gx_fail(d->c->rt, GX_ValueError, "choice.p", "Fewer non-zero entries in p than size");
        return NULL;
    }
    while (have < k) {
        int64_t want = k - have, first = have;
        gx_array *u = gx_np_contiguous(&d->s, gx_rng_uniforms(&d->s, d->r, GX_f64, 1, &want));
        const double *x = gx_np_data(&d->s, u);
        if (!x) return NULL;
        for (int64_t i = 0; i < first; i++) weight[found[i]] = 0;
        double total = 0;
        for (int64_t i = 0; i < n; i++) cdf[i] = total += weight[i];
        for (int64_t j = 0; j < want; j++) {
            int64_t low = 0, high = n;
            while (low < high) {
                int64_t mid = low + (high - low) / 2;
                if (cdf[mid] / total <= x[j])
                    low = mid + 1;
                else
                    high = mid;
            }
            bool seen = low >= n;
            for (int64_t i = first; i < have && !seen; i++) seen = found[i] == low;
            if (!seen) found[have++] = low;
        }
    }
    return r;
}

/* PCG64's k of n: the end of a partial shuffle, or Floyd's algorithm and a shuffle. */
static gx_array *few_of_many(draw *d, int64_t n, int64_t k) {
    gx_np *s = &d->s;
    if (n > 10000 && k > n / 50) {
        gx_array *all = gx_np_copy(s, gx_np_iota(s, n), 'C');
        int64_t *x = gx_np_data_write(s, all);
        if (!x) return NULL;
        for (int64_t i = n - 1, least = n - k > 1 ? n - k : 1; i >= least; i--) {
            int64_t j = (int64_t)gx_rng_bounded(d->r, (uint64_t)i), t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        return gx_np_slice(s, all, 0, n - k, 1, k);
    }
    uint64_t mask = (uint64_t)(1.2 * (double)k);
    for (int b = 1; b < 64; b *= 2) mask |= mask >> b;
    gx_array *r = gx_np_empty(s, GX_i64, 1, &k);
    int64_t *found = gx_np_data_write(s, r);
    int64_t *set = gx_np_scratch(s, (size_t)(mask + 1) * sizeof *set);
    if (!found || !set) return NULL;
    for (uint64_t i = 0; i <= mask; i++) set[i] = -1;
    for (int64_t j = n - k; j < n; j++) {
        int64_t v = (int64_t)gx_rng_bounded(d->r, (uint64_t)j);
        uint64_t at = (uint64_t)v & mask;
        while (set[at] != -1 && set[at] != v) at = (at + 1) & mask;
        if (set[at] == v) {
            v = j;
            at = (uint64_t)j & mask;
            while (set[at] != -1) at = (at + 1) & mask;
        }
        set[at] = v;
        found[j - n + k] = v;
    }
    for (int64_t i = k - 1; i > 0; i--) {
        int64_t j = (int64_t)gx_rng_bounded(d->r, (uint64_t)i), t = found[i];
        found[i] = found[j];
        found[j] = t;
    }
    return r;
}

static gx_array *choose(draw *d, int64_t n, bool replace, bool weights, gx_borrowed p) {
    gx_np *s = &d->s;
    int64_t k = gx_np_size(d->ndim, d->shape);
    if (n == 0 && k > 0) {
        gx_fail(d->c->rt, GX_ValueError, "choice.empty",
                "a cannot be empty unless no samples are taken");
        return NULL;
    }
    if (!replace && k > n) {
        gx_fail(d->c->rt, GX_ValueError, "choice.size",
                "Cannot take a larger sample than population when 'replace=False'");
        return NULL;
    }
    gx_array *cdf = weights ? distribution(d, p, n) : NULL, *i;
    if (weights && !cdf) return NULL;
    if (replace && weights)
        return gx_np_search(s, cdf, gx_rng_uniforms(s, d->r, GX_f64, d->ndim, d->shape), true);
    if (replace) return gx_rng_integers(s, d->r, 0, n ? (uint64_t)n - 1 : 0, d->ndim, d->shape);
    if (weights)
        i = weighted_once(d, p, n, k);
    else if (d->r->kind == GX_RNG_PCG)
        i = few_of_many(d, n, k);
    else
        i = gx_np_slice(s, gx_rng_permutation(s, d->r, n), 0, 0, 1, k);
    return gx_np_reshape(s, i, d->ndim, d->shape);
}

static bool choice_fn(gx_call *c, gx_value *out) {
    draw d;
    int64_t n;
    bool replace;
    gx_array *a = NULL;
    if (!begin(&d, c)) return false;
    if (!size_arg(&d, 1, 0, 0, NULL) || !gx_arg_bool(c, d.at + 2, &replace))
        return gx_np_end(&d.s, false);
    gx_try is = gx_as_index(c->rt, arg(&d, 0), &n);
    if (is == GX_TRY_ERROR) return gx_np_end(&d.s, false);
    if (is == GX_TRY_YES && n < 0)
        return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "choice.population",
                                       "a must be greater than 0 unless no samples are taken"));
    if (is == GX_TRY_NO) {
        if (!(a = gx_np_arr(&d.s, arg(&d, 0)))) return gx_np_end(&d.s, false);
        if (a->ndim == 0 || (a->ndim != 1 && d.at == 0))
            return gx_np_end(&d.s, gx_fail(c->rt, GX_ValueError, "choice.population",
                                           "a must be 1-dimensional"));
        n = gx_shape(a)[0];
    }
    gx_array *i = choose(&d, n, replace, arg(&d, 3).tag != GX_NONE, arg(&d, 3));
    if (!a) return finish(&d, i, out);
    d.one = false;
    return gx_np_give(&d.s, gx_np_take(&d.s, a, i, 0), out);
}

/* --- seeds
 * ---------------------------------------------------------------------------------------------
 */

static bool seed_fn(gx_call *c, gx_value *out) {
    gx_rng *r;
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    *out = gx_none();
    if (g) return gx_rng_seed(c->rt, &g->rng, (gx_rng_kind)g->rng.kind, c->argv[1]);
    return gx_rng_global(c->rt, c->door, &r) &&
           gx_rng_seed(c->rt, r, (gx_rng_kind)r->kind, c->argv[0]);
}

static bool default_rng_fn(gx_call *c, gx_value *out) {
    if (gx_np_generator_of(c->argv[0])) {
        *out = gx_keep(c->argv[0]);
        return true;
    }
    gx_rng_kind kind = c->door == GX_DOOR_NUMPY ? GX_RNG_PCG : GX_RNG_PHILOX;
    return gx_np_generator_new(c->rt, &gx_type_random_generator, kind, c->door, c->argv[0], out);
}

#define DIMS "(*dims, dtype=None)"
#define M_DIMS "(self, *dims, dtype=None)"
const gx_native gx_np_random_functions[] = {
    {"seed", "seed(seed=None)", "Starts the stream of numbers anew.", NULL, seed_fn, 0, 0},
    {"default_rng", "default_rng(seed=None)", "A new generator of random numbers.",
     "random.default_rng(1).random(3).shape  # (3,)", default_rng_fn, 0, 0},
    {"rand", "rand" DIMS, "Uniform numbers in [0, 1), by sizes.",
     "random.rand(2, 3).shape  # (2, 3)", rand_fn, 0, 0},
    {"randn", "randn" DIMS, "Normal numbers, by sizes.", "random.randn(2, 3).shape  # (2, 3)",
     randn_fn, 0, 0},
    {"random", "random(size=None, dtype=None)", "Uniform numbers in [0, 1).",
     "random.random((2, 3)).shape  # (2, 3)", random_fn, 0, 0},
    {"random_sample", "random_sample(size=None, dtype=None)", "Uniform numbers in [0, 1).",
     "random.random_sample(3).shape  # (3,)", random_fn, 0, 0},
    {"sample", "sample(size=None, dtype=None)", "Uniform numbers in [0, 1).",
     "random.sample(3).shape  # (3,)", random_fn, 0, 0},
    {"ranf", "ranf(size=None, dtype=None)", "Uniform numbers in [0, 1).",
     "random.ranf(3).shape  # (3,)", random_fn, 0, 0},
    {"uniform", "uniform(low=0.0, high=1.0, size=None, dtype=None)",
     "Uniform numbers in [low, high).", "random.uniform(2, 3, 4).shape  # (4,)", uniform_fn, 0, 0},
    {"normal", "normal(loc=0.0, scale=1.0, size=None, dtype=None)",
     "Normal numbers with mean loc and deviation scale.", "random.normal(0, 1, 4).shape  # (4,)",
     normal_fn, 0, 0},
    {"standard_normal", "standard_normal(size=None, dtype=None)",
     "Normal numbers with mean 0 and deviation 1.", "random.standard_normal(4).shape  # (4,)",
     standard_normal_fn, 0, 0},
    {"exponential", "exponential(scale=1.0, size=None)", "Exponential numbers with mean scale.",
     "random.exponential(2, 4).shape  # (4,)", exponential_fn, 0, 0},
    {"standard_exponential", "standard_exponential(size=None, dtype=None)",
     "Exponential numbers with mean 1.", "random.standard_exponential(4).shape  # (4,)",
     standard_exponential_fn, 0, 0},
    {"randint", "randint(low, high=None, size=None, dtype=None)",
     "Integers from low (0) up to but not including high.", "random.randint(5, 6, 3)  # [5 5 5]",
     randint_fn, 0, 0},
    {"permutation", "permutation(x)", "The elements in random order, or 0 … x-1.",
     "sort(random.permutation(3))  # [0 1 2]", permutation_fn, 0, 0},
    {"shuffle", "shuffle(x)", "Puts the elements into random order, in place.", NULL, shuffle_fn, 0,
     0},
    {"choice", "choice(a, size=None, replace=True, p=None)", "Random elements of a, or of 0 … a-1.",
     "random.choice([7], 2)  # [7 7]", choice_fn, 0, 0},
    {.name = NULL},
};

/* Methods of Generator; with the rows after them, of RandomState. */
const gx_native gx_np_generator_methods[] = {
    {"random", "random(self, size=None, dtype=None, out=None)", "Uniform numbers in [0, 1).", NULL,
     random_fn, 0, 0},
    {"integers", "integers(self, low, high=None, size=None, dtype=None, endpoint=False)",
     "Integers from low (0) up to high.", NULL, integers_fn, 0, 0},
    {"uniform", "uniform(self, low=0.0, high=1.0, size=None, dtype=None)",
     "Uniform numbers in [low, high).", NULL, uniform_fn, 0, 0},
    {"normal", "normal(self, loc=0.0, scale=1.0, size=None, dtype=None)",
     "Normal numbers with mean loc and deviation scale.", NULL, normal_fn, 0, 0},
    {"standard_normal", "standard_normal(self, size=None, dtype=None, out=None)",
     "Normal numbers with mean 0 and deviation 1.", NULL, standard_normal_fn, 0, 0},
    {"exponential", "exponential(self, scale=1.0, size=None)",
     "Exponential numbers with mean scale.", NULL, exponential_fn, 0, 0},
    {"standard_exponential", "standard_exponential(self, size=None, dtype=None)",
     "Exponential numbers with mean 1.", NULL, standard_exponential_fn, 0, 0},
    {"permutation", "permutation(self, x, axis=0)", "The elements in random order.", NULL,
     permutation_fn, 0, 0},
    {"shuffle", "shuffle(self, x, axis=0)", "Puts the elements into random order, in place.", NULL,
     shuffle_fn, 0, 0},
    {"choice", "choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True)",
     "Random elements of a, or of 0 … a-1.", NULL, choice_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_randomstate_methods[] = {
    {"seed", "seed(self, seed=None)", "Starts the stream of numbers anew.", NULL, seed_fn, 0, 0},
    {"rand", "rand" M_DIMS, "Uniform numbers in [0, 1), by sizes.", NULL, rand_fn, 0, 0},
    {"randn", "randn" M_DIMS, "Normal numbers, by sizes.", NULL, randn_fn, 0, 0},
    {"random_sample", "random_sample(self, size=None, dtype=None)", "Uniform numbers in [0, 1).",
     NULL, random_fn, 0, 0},
    {"randint", "randint(self, low, high=None, size=None, dtype=None)",
     "Integers from low (0) up to but not including high.", NULL, randint_fn, 0, 0},
    {.name = NULL},
};

const gx_constant gx_np_random_constants[] = {
    {.name = "Generator", .kind = GX_CONST_TYPE, .type = &gx_type_random_generator},
    {.name = "RandomState", .kind = GX_CONST_TYPE, .type = &gx_type_np_randomstate},
    {.name = NULL},
};
