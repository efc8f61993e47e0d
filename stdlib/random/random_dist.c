/* random: distributions of the Philox stream as expressions of one uniform or normal number each,
   so that they stay pending, fuse with what follows and are drawn where their array lives. Those
   without such a formula are in drawn.c. Parameters have been checked. */
#include <string.h>

#include "stdlib/random/dist_int.h"

/* u is in (0, 1], or normal. */
typedef struct formula {
    const char *name;
    bool normals, whole;
    gx_array *(*make)(gx_np *s, gx_array *u, gx_array *const *p);
} formula;

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

static const formula formulas[] = {
    {"lognormal", true, false, lognormal_formula},
    {"laplace", false, false, laplace_formula},
    {"gumbel", false, false, gumbel_formula},
    {"logistic", false, false, logistic_formula},
    {"rayleigh", false, false, rayleigh_formula},
    {"pareto", false, false, pareto_formula},
    {"weibull", false, false, weibull_formula},
    {"power", false, false, power_formula},
    {"triangular", false, false, triangular_formula},
    {"standard_cauchy", false, false, cauchy_formula},
    {"geometric", false, true, geometric_formula},
    {.name = NULL},
};

bool gx_random_formula(gx_draw *d, const gx_dist_row *t, gx_array *const *p, gx_array **out) {
    const formula *f = formulas;
    gx_np *s = &d->s;
    while (f->name && strcmp(f->name, t->name) != 0) f++;
    if (!f->name) return gx_random_drawn(d, t, p, out);
    gx_array *u = f->normals ? gx_rng_normals(s, d->r, GX_f64, d->ndim, d->shape)
                             : below_one(s, gx_rng_uniforms(s, d->r, GX_f64, d->ndim, d->shape));
    gx_array *a = f->make(s, u, p);
    *out = f->whole ? gx_np_cast(s, a, GX_i64) : a;
    return *out != NULL;
}
