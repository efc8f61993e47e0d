/* random: the uniform, normal and exponential functions of np.random, cp.random and the bare
   `random`, and the same as methods of Generator and RandomState; the tables of all of them. np's
   numbers are NumPy's own for the same seed; the others are the Philox stream, whose arrays stay
   pending. A draw without a size is one Python number. Integers are in random_ints.c, choices
   and orders in random_order.c. */
#include <math.h>
#include <string.h>

#include "stdlib/random/random_int.h"
#include "stdlib/random/seed_int.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_random_functions[];
extern const gx_constant gx_np_random_constants[];

bool gx_draw_begin(gx_draw *d, gx_call *c) {
    gx_namespace ns = c->ns;
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    d->c = c;
    d->at = g ? 1 : 0;
    if (g) {
        d->r = gx_np_generator_rng(g);
        d->r->legacy = g->obj.type == &gx_type_np_randomstate;
        ns = g->ns;
    } else if (!gx_rng_global(c->rt, ns, &d->r))
        return false;
    d->s = gx_np_begin_at(c->rt, ns);
    d->s.seen = true; /* operands do not move the result elsewhere */
    d->one = false;
    d->ndim = 0;
    return true;
}

/* A size together with parameters: what they broadcast to has to be it. */
static bool fits_size(gx_draw *d, int n, gx_array **params) {
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!n || !gx_broadcast_shapes(d->c->rt, n, params, &ndim, shape)) return !n;
    bool fits = ndim <= d->ndim;
    for (int i = 1; i <= ndim && fits; i++)
        fits = shape[ndim - i] == 1 || shape[ndim - i] == d->shape[d->ndim - i];
    return fits || gx_fail(d->c->rt, GX_ValueError, "random.size",
                           "shape mismatch: the parameters of %s do not broadcast to its size",
                           d->c->fn->name);
}

/* A distribution's parameter: real numbers; what is none of them, such as None, as a float. */
static gx_array *parameter(gx_draw *d, gx_borrowed v) {
    const gx_value *items;
    if (v.tag == GX_NONE) {
        gx_fail(d->c->rt, GX_TypeError, "random.none",
                "float() argument must be a real number, not 'NoneType': the parameters of %s are "
                "real numbers",
                d->c->fn->name);
        return NULL;
    }
    bool plain = v.tag != GX_BIGINT && (gx_operand_kind(v) != GX_OPERAND_NONE ||
                                        gx_sequence_items(v, &items) >= 0);
    gx_array *a = gx_np_arr_as(&d->s, v, plain ? GX_NO_DTYPE : GX_f64);
    if (!a || gx_dtype_kind(a->dtype) != GX_KIND_CPLX) return a;
    gx_fail(d->c->rt, GX_TypeError, "random.complex",
            "Cannot cast array data from dtype('%s') to dtype('float64') according to the rule "
            "'safe': the parameters of %s are real numbers",
            gx_dtypes[a->dtype].name, d->c->fn->name);
    return NULL;
}

bool gx_draw_params(gx_draw *d, int first, int n, gx_array **params) {
    for (int k = 0; k < n; k++)
        if (!params[k] && !(params[k] = parameter(d, gx_draw_arg(d, first + k)))) return false;
    return true;
}

bool gx_draw_size(gx_draw *d, int i, int first, int n, gx_array **params) {
    if (!gx_draw_params(d, first, n, params)) return false;
    gx_borrowed v = gx_draw_arg(d, i);
    if (v.tag == GX_NONE || v.tag == GX_UNDEF) {
        if (n && !gx_broadcast_shapes(d->c->rt, n, params, &d->ndim, d->shape)) return false;
        d->one = d->ndim == 0;
        return true;
    }
    return gx_shape_of(d->c->rt, v, GX_SIZES_PLAIN, "size", &d->ndim, d->shape) &&
           fits_size(d, n, params);
}

bool gx_draw_finish(gx_draw *d, gx_array *a, gx_value *out) {
    if (!d->one || !a) return gx_np_give_array(&d->s, a, out);
    gx_scalar e;
    bool ok =
        gx_array_item(d->c->rt, a, &e) && gx_scalar_item(d->c->rt, (gx_dtype)a->dtype, &e, out);
    return gx_np_end(&d->s, ok);
}

/* A float dtype argument; float64 when not given. */
static bool float_arg(gx_draw *d, int i, gx_dtype *out) {
    if (!gx_np_dtype_arg(d->c, d->at + i, out)) return false;
    if (*out == GX_NO_DTYPE) *out = GX_f64;
    if (*out == GX_f32 || *out == GX_f64) return true;
    return gx_fail(d->c->rt, GX_TypeError, "random.dtype", "Unsupported dtype dtype('%s') for %s",
                   gx_dtypes[*out].name, d->c->fn->name);
}

/* --- uniform, normal --- */

static bool dims_call(gx_call *c, bool normal, gx_value *out) {
    gx_draw d;
    gx_dtype t;
    if (!gx_draw_begin(&d, c)) return false;
    gx_borrowed dims = gx_draw_arg(&d, 0);
    if (!float_arg(&d, 1, &t)) return gx_np_end(&d.s, false);
    if (gx_as_tuple(dims)->count == 0)
        d.one = true;
    else if (!gx_shape_of(c->rt, dims, GX_SIZES_PLAIN, c->fn->name, &d.ndim, d.shape)) {
        if (gx_as_tuple(dims)->items[0].tag == GX_TUPLE)
            gx_help(c->rt, "random.random(size) takes a shape; %s(2, 3) takes sizes", c->fn->name);
        return gx_np_end(&d.s, false);
    }
    gx_array *a = normal ? gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape)
                         : gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    return gx_draw_finish(&d, a, out);
}

static bool rand_fn(gx_call *c, gx_value *out) {
    return dims_call(c, false, out);
}
static bool randn_fn(gx_call *c, gx_value *out) {
    return dims_call(c, true, out);
}

/* The out argument: its shape is the result's, and so has to be its dtype. */
bool gx_draw_out(gx_draw *d, gx_dtype t, gx_borrowed v) {
    gx_rt *rt = d->c->rt;
    if (!gx_is_array(v))
        return gx_fail(rt, GX_TypeError, "random.out", "%s: out must be an array, not %s",
                       d->c->fn->name, gx_type_name(v));
    const gx_array *a = gx_as_array(v);
    if (a->dtype != t)
        return gx_fail(rt, GX_TypeError, "random.out",
                       "Supplied output array has the wrong type. Expected %s, got %s",
                       gx_dtypes[t].name, gx_dtypes[a->dtype].name);
    const size_t bytes = (size_t)a->ndim * sizeof(int64_t);
    if (!d->one && (d->ndim != a->ndim || memcmp(d->shape, gx_shape(a), bytes) != 0))
        return gx_fail(rt, GX_ValueError, "random.out",
                       "size must match out.shape when used together");
    d->one = false;
    d->ndim = a->ndim;
    memcpy(d->shape, gx_shape(a), bytes);
    return true;
}

static bool sized_call(gx_call *c, char what, gx_value *out) {
    gx_draw d;
    gx_dtype t = GX_f64;
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_draw_size(&d, 0, 0, 0, NULL) || !float_arg(&d, 1, &t)) return gx_np_end(&d.s, false);
    gx_borrowed to = c->argc > d.at + 2 ? gx_draw_arg(&d, 2) : gx_none();
    if (to.tag != GX_NONE && !gx_draw_out(&d, t, to)) return gx_np_end(&d.s, false);
    gx_array *a = what == 'n'   ? gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape)
                  : what == 'e' ? gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape)
                                : gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    return to.tag == GX_NONE ? gx_draw_finish(&d, a, out) : gx_np_give_out(&d.s, a, to, out);
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

/* from + by * draws: in place where both are numbers and the draws are on the host. */
static gx_array *scaled(gx_draw *d, gx_array *draws, gx_array *from, gx_array *by, gx_dtype t) {
    gx_np *s = &d->s;
    from = gx_np_cast(s, from, t);
    by = gx_np_cast(s, by, t);
    gx_scalar a, b;
    if (!draws || !from || !by) return NULL;
    if (d->r->kind == GX_RNG_PHILOX || t != GX_f64 || from->ndim || by->ndim)
        return gx_np_op2(s, GX_OP_add, from, gx_np_op2(s, GX_OP_multiply, by, draws));
    double *x = gx_np_data_write(s, draws);
    if (!x || !gx_array_item(s->rt, from, &a) || !gx_array_item(s->rt, by, &b)) return NULL;
    for (int64_t i = 0; i < draws->count; i++) x[i] = a.f64 + b.f64 * x[i];
    return draws;
}

static bool too_wide(gx_draw *d) {
    return gx_fail(d->c->rt, GX_OverflowError, "random.range", "%s",
                   d->at && !d->r->legacy ? "high - low range exceeds valid bounds"
                                          : "Range exceeds valid bounds");
}

/* The widths high - low are finite; a Generator wants none below 0. */
static bool good_range(gx_draw *d, gx_array *range) {
    gx_np *s = &d->s;
    gx_scalar fits, low;
    gx_array *all = range ? gx_np_reduce(s, GX_RED_all, gx_np_op1(s, GX_OP_isfinite, range),
                                         gx_np_all(range), false, GX_NO_DTYPE)
                          : NULL;
    if (!all || !gx_array_item(s->rt, all, &fits)) return false;
    if (!fits.b) return too_wide(d);
    if (d->r->kind == GX_RNG_PHILOX || d->r->legacy) return true;
    gx_array *below = gx_np_op2(s, GX_OP_less, range, gx_np_f64(s, 0));
    gx_array *any = below ? gx_np_reduce(s, GX_RED_any, below, gx_np_all(range), false,
                                         GX_NO_DTYPE)
                          : NULL;
    if (!any || !gx_array_item(s->rt, any, &low)) return false;
    return !low.b || gx_fail(d->c->rt, GX_ValueError, "random.range", "high - low < 0");
}

/* One draw, its two parameters being Python's numbers: no array is needed. */
static bool is_single(const gx_draw *d, double *x, double *y) {
    double *const to[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        const gx_borrowed v = gx_draw_arg(d, i), none = gx_draw_arg(d, 2 + i);
        if (none.tag != GX_NONE || (v.tag != GX_FLOAT && v.tag != GX_INT)) return false;
        *to[i] = v.tag == GX_FLOAT ? v.f : (double)v.i;
    }
    return d->r->kind != GX_RNG_PHILOX;
}

static bool uniform_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    gx_array *p[2] = {NULL, NULL};
    gx_dtype t;
    double low, high;
    if (!gx_draw_begin(&d, c)) return false;
    const bool single = is_single(&d, &low, &high);
    if (single && !isfinite(high - low)) return gx_np_end(&d.s, too_wide(&d));
    if (single && high >= low) {
        *out = gx_float(low + (high - low) * gx_rng_double(d.r));
        return gx_np_end(&d.s, true);
    }
    if (!gx_draw_size(&d, 2, 0, 2, p) || !float_arg(&d, 3, &t)) return gx_np_end(&d.s, false);
    gx_array *range = gx_np_op2(&d.s, GX_OP_subtract, gx_np_cast(&d.s, p[1], GX_f64),
                                gx_np_cast(&d.s, p[0], GX_f64));
    if (!good_range(&d, range)) return gx_np_end(&d.s, false);
    gx_array *u = gx_rng_uniforms(&d.s, d.r, t, d.ndim, d.shape);
    return gx_draw_finish(&d, scaled(&d, u, p[0], range, t), out);
}

/* No scale is below 0, nor is it -0.0. */
static bool good_scale(gx_draw *d, gx_array *scale) {
    gx_array *sign = gx_np_op1(&d->s, GX_OP_signbit, gx_np_cast(&d->s, scale, GX_f64));
    gx_array *low = sign ? gx_np_reduce(&d->s, GX_RED_any, sign, gx_np_all(sign), false,
                                        GX_NO_DTYPE)
                         : NULL;
    gx_scalar bad;
    if (!low || !gx_array_item(d->c->rt, low, &bad)) return false;
    return !bad.b || gx_fail(d->c->rt, GX_ValueError, "random.scale", "scale < 0");
}

static bool normal_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    gx_array *p[2] = {NULL, NULL};
    gx_dtype t;
    double loc, scale;
    if (!gx_draw_begin(&d, c)) return false;
    if (is_single(&d, &loc, &scale) && scale >= 0 && !signbit(scale)) {
        *out = gx_float(loc + scale * gx_rng_normal(d.r));
        return gx_np_end(&d.s, true);
    }
    if (!gx_draw_params(&d, 0, 2, p) || !good_scale(&d, p[1]) || !gx_draw_size(&d, 2, 0, 2, p) ||
        !float_arg(&d, 3, &t))
        return gx_np_end(&d.s, false);
    gx_array *z = gx_rng_normals(&d.s, d.r, t, d.ndim, d.shape);
    return gx_draw_finish(&d, scaled(&d, z, p[0], p[1], t), out);
}

static bool exponential_fn(gx_call *c, gx_value *out) {
    gx_draw d;
    gx_array *p[1] = {NULL};
    if (!gx_draw_begin(&d, c)) return false;
    if (!gx_draw_params(&d, 0, 1, p) || !good_scale(&d, p[0]) || !gx_draw_size(&d, 1, 0, 1, p))
        return gx_np_end(&d.s, false);
    gx_array *e = gx_rng_exponentials(&d.s, d.r, d.ndim, d.shape);
    return gx_draw_finish(&d, gx_np_op2(&d.s, GX_OP_multiply, gx_np_cast(&d.s, p[0], GX_f64), e),
                          out);
}

/* --- seeds --- */

static bool seed_fn(gx_call *c, gx_value *out) {
    gx_rng *r;
    gx_np_generator *g = c->argc ? gx_np_generator_of(c->argv[0]) : NULL;
    *out = gx_none();
    if (g) {
        gx_rng *own = gx_np_generator_rng(g);
        if (own->kind != GX_RNG_MT && own->kind != GX_RNG_PHILOX)
            return gx_fail(c->rt, GX_TypeError, "random.seed",
                           "can only re-seed a MT19937 BitGenerator");
        return gx_rng_seed(c->rt, own, (gx_rng_kind)own->kind, true, c->argv[1]);
    }
    return gx_rng_global(c->rt, c->ns, &r) &&
           gx_rng_seed(c->rt, r, (gx_rng_kind)r->kind, true, c->argv[0]);
}

static bool default_rng_fn(gx_call *c, gx_value *out) {
    gx_np_generator *g = gx_np_generator_of(c->argv[0]);
    if (g && g->obj.type == &gx_type_np_randomstate &&
        gx_np_generator_rng(g)->kind != GX_RNG_PHILOX) {
        gx_value bits;
        if (!gx_np_generator_bits(c->rt, c->argv[0], &bits)) return false;
        bool ok =
            gx_np_generator_new(c->rt, &gx_type_random_generator, GX_RNG_PCG, g->ns, bits, out);
        gx_drop(bits);
        return ok;
    }
    if (g) {
        *out = gx_keep(c->argv[0]);
        return true;
    }
    gx_rng_kind kind = c->ns == GX_NS_NUMPY ? GX_RNG_PCG : GX_RNG_PHILOX;
    return gx_np_generator_new(c->rt, &gx_type_random_generator, kind, c->ns, c->argv[0], out);
}

#define DIMS "(*dims, dtype=None)"
#define M_DIMS "(self, *dims, dtype=None)"
const gx_native gx_np_random_functions[] = {
    {"seed", "seed(seed=None)",
     "Restarts the global generator from a seed, for numbers that can be repeated.", NULL, seed_fn,
     0, 0},
    {"default_rng", "default_rng(seed=None)",
     "A new np.random.Generator (PCG64); the same seed gives the same numbers.",
     "random.default_rng(1).random(3).shape  # (3,)", default_rng_fn, 0, 0},
    {"rand", "rand" DIMS, "Uniform random numbers in [0, 1), in the shape of the sizes given.",
     "random.rand(2, 3).shape  # (2, 3)", rand_fn, 0, 0},
    {"randn", "randn" DIMS,
     "Samples of the standard normal distribution, in the shape of the sizes given.",
     "random.randn(2, 3).shape  # (2, 3)", randn_fn, 0, 0},
    {"random", "random(size=None, *, dtype=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.",
     "random.random((2, 3)).shape  # (2, 3)", random_fn, 0, 0},
    {"random_sample", "random_sample(size=None, *, dtype=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.",
     "random.random_sample(3).shape  # (3,)", random_fn, 0, 0},
    {"sample", "sample(size=None, *, dtype=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.",
     "random.sample(3).shape  # (3,)", random_fn, 0, 0},
    {"ranf", "ranf(size=None, *, dtype=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.",
     "random.ranf(3).shape  # (3,)", random_fn, 0, 0},
    {"uniform", "uniform(low=0.0, high=1.0, size=None, *, dtype=None)",
     "Uniform random numbers in [low, high), in the shape size.",
     "random.uniform(2, 3, 4).shape  # (4,)", uniform_fn, 0, 0},
    {"normal", "normal(loc=0.0, scale=1.0, size=None, *, dtype=None)",
     "Samples of the normal distribution with mean loc and standard deviation scale.",
     "random.normal(0, 1, 4).shape  # (4,)", normal_fn, 0, 0},
    {"standard_normal", "standard_normal(size=None, *, dtype=None)",
     "Samples of the standard normal distribution: mean 0, standard deviation 1.",
     "random.standard_normal(4).shape  # (4,)", standard_normal_fn, 0, 0},
    {"exponential", "exponential(scale=1.0, size=None)",
     "Samples of the exponential distribution with mean scale.",
     "random.exponential(2, 4).shape  # (4,)", exponential_fn, 0, 0},
    {"standard_exponential", "standard_exponential(size=None, *, dtype=None)",
     "Samples of the exponential distribution with mean 1.",
     "random.standard_exponential(4).shape  # (4,)", standard_exponential_fn, 0, 0},
    {"randint", "randint(low, high=None, size=None, dtype=None)",
     "Random integers from low up to but not including high; of one bound, from 0 up to it.",
     "random.randint(5, 6, 3)  # [5 5 5]", gx_random_randint, 0, 0},
    {"permutation", "permutation(x)",
     "A copy with the first axis in random order; of an integer, range(x) in random order.",
     "sort(random.permutation(3))  # [0 1 2]", gx_random_permutation, 0, 0},
    {"shuffle", "shuffle(x)", "Puts the elements along the first axis into random order, in place.",
     NULL, gx_random_shuffle, 0, 0},
    {"choice", "choice(a, size=None, replace=True, p=None)",
     "Random elements of a, or of range(a), in the shape size; p gives their probabilities.",
     "random.choice([7], 2)  # [7 7]", gx_random_choice, 0, 0},
    {.name = NULL},
};

/* Methods of Generator; with the rows after them, of RandomState. */
const gx_native gx_np_generator_methods[] = {
    {"random", "random(self, size=None, dtype=None, out=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.", NULL, random_fn, 0,
     0},
    {"integers", "integers(self, low, high=None, size=None, dtype=None, endpoint=False)",
     "Integers from low (0) up to high.", NULL, gx_random_integers, 0, 0},
    {"uniform", "uniform(self, low=0.0, high=1.0, size=None, *, dtype=None)",
     "Uniform random numbers in [low, high), in the shape size.", NULL, uniform_fn, 0, 0},
    {"normal", "normal(self, loc=0.0, scale=1.0, size=None, *, dtype=None)",
     "Samples of the normal distribution with mean loc and standard deviation scale.", NULL,
     normal_fn, 0, 0},
    {"standard_normal", "standard_normal(self, size=None, dtype=None, out=None)",
     "Samples of the standard normal distribution: mean 0, standard deviation 1.", NULL,
     standard_normal_fn, 0, 0},
    {"exponential", "exponential(self, scale=1.0, size=None)",
     "Samples of the exponential distribution with mean scale.", NULL, exponential_fn, 0, 0},
    {"standard_exponential",
     "standard_exponential(self, size=None, dtype=None, method='zig', out=None)",
     "Samples of the exponential distribution with mean 1.", NULL, gx_random_standard_exponential,
     0, 0},
    {"standard_gamma", "standard_gamma(self, shape, size=None, dtype=None, out=None)",
     "Samples of the gamma distribution with a shape and scale 1.", NULL, gx_random_standard_gamma,
     0, 0},
    {"permutation", "permutation(self, x, axis=0)", "The elements in random order.", NULL,
     gx_random_permutation, 0, 0},
    {"shuffle", "shuffle(self, x, axis=0)",
     "Puts the elements along the first axis into random order, in place.", NULL, gx_random_shuffle,
     0, 0},
    {"choice", "choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True)",
     "Random elements of a, or of range(a), in the shape size; p gives their probabilities.", NULL,
     gx_random_choice, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_randomstate_methods[] = {
    {"seed", "seed(self, seed=None)",
     "Restarts the global generator from a seed, for numbers that can be repeated.", NULL, seed_fn,
     0, 0},
    {"rand", "rand" M_DIMS, "Uniform random numbers in [0, 1), in the shape of the sizes given.",
     NULL, rand_fn, 0, 0},
    {"randn", "randn" M_DIMS,
     "Samples of the standard normal distribution, in the shape of the sizes given.", NULL,
     randn_fn, 0, 0},
    {"random_sample", "random_sample(self, size=None, dtype=None)",
     "Uniform random numbers in [0, 1), float64 or float32, in the shape size.", NULL, random_fn, 0,
     0},
    {"randint", "randint(self, low, high=None, size=None, dtype=None)",
     "Random integers from low up to but not including high; of one bound, from 0 up to it.", NULL,
     gx_random_randint, 0, 0},
    {.name = NULL},
};

const gx_constant gx_np_random_constants[] = {
    {.name = "Generator", .kind = GX_CONST_TYPE, .type = &gx_type_random_generator},
    {.name = "RandomState", .kind = GX_CONST_TYPE, .type = &gx_type_np_randomstate},
    {.name = "BitGenerator", .kind = GX_CONST_TYPE, .type = &gx_type_np_bits},
    {.name = "PCG64", .kind = GX_CONST_TYPE, .type = &gx_type_np_pcg64},
    {.name = "PCG64DXSM", .kind = GX_CONST_TYPE, .type = &gx_type_np_dxsm},
    {.name = "Philox", .kind = GX_CONST_TYPE, .type = &gx_type_np_philox},
    {.name = "SFC64", .kind = GX_CONST_TYPE, .type = &gx_type_np_sfc64},
    {.name = "MT19937", .kind = GX_CONST_TYPE, .type = &gx_type_np_mt19937},
    {.name = "SeedSequence", .kind = GX_CONST_TYPE, .type = &gx_type_np_seed},
    {.name = NULL},
};
