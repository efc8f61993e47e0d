/* polyfit: least squares on powers of x, by linalg.lstsq, with NumPy's scaling of the columns. */
#include <string.h>

#include "stdlib/numpy/base/call.h"

extern const gx_native gx_np_polyfit_functions[];

/* The columns x**deg … 1, times the weights. */
static gx_array *columns(gx_np *s, gx_array *x, int64_t order, gx_array *w) {
    gx_value argv[2] = {gx_np_value(x), gx_int(order)};
    gx_array *a = x ? gx_np_call_values(s, "vander", 2, argv) : NULL;
    return w ? gx_np_op2(s, GX_OP_multiply, a, gx_np_expand(s, w, 2, 2)) : a;
}

typedef struct fit {
    gx_array *x, *y, *w; /* w NULL: none */
    int64_t order;
    double rcond;
    gx_array *c, *resids, *rank, *values, *scale, *lhs;
} fit;

static bool check(gx_rt *rt, const fit *f, int64_t deg) {
    if (deg < 0) return gx_fail(rt, GX_ValueError, "polyfit.deg", "expected deg >= 0");
    if (f->x->ndim != 1) return gx_fail(rt, GX_TypeError, "polyfit.x", "expected 1D vector for x");
    if (f->x->count == 0)
        return gx_fail(rt, GX_TypeError, "polyfit.x", "expected non-empty vector for x");
    if (f->y->ndim < 1 || f->y->ndim > 2)
        return gx_fail(rt, GX_TypeError, "polyfit.y", "expected 1D or 2D array for y");
    if (gx_shape(f->y)[0] != f->x->count)
        return gx_fail(rt, GX_TypeError, "polyfit.length", "expected x and y to have same length");
    if (f->w && f->w->ndim != 1)
        return gx_fail(rt, GX_TypeError, "polyfit.w", "expected a 1-d array for weights");
    if (f->w && f->w->count != f->x->count)
        return gx_fail(rt, GX_TypeError, "polyfit.w", "expected w and y to have the same length");
    return true;
}

static bool solve(gx_np *s, fit *f) {
    gx_value four;
    f->lhs = columns(s, f->x, f->order, f->w);
    gx_array *square = gx_np_op2(s, GX_OP_multiply, f->lhs, f->lhs);
    f->scale = gx_np_op1(s, GX_OP_sqrt, gx_np_reduce(s, GX_RED_sum, square, 1, false, GX_NO_DTYPE));
    f->lhs = gx_np_op2(s, GX_OP_divide, f->lhs, f->scale);
    gx_array *rhs = f->y;
    if (f->w)
        rhs =
            gx_np_op2(s, GX_OP_multiply, rhs, rhs->ndim == 2 ? gx_np_expand(s, f->w, 2, 2) : f->w);
    if (!f->lhs || !rhs) return false;
    const gx_value argv[3] = {gx_np_value(f->lhs), gx_np_value(rhs), gx_float(f->rcond)};
    if (!gx_np_call(s, "linalg.lstsq", 3, argv, &four) || !gx_np_hold(s, four)) return false;
    const gx_value *items = gx_as_tuple(four)->items;
    f->c = gx_np_arr(s, items[0]);
    f->resids = gx_np_arr(s, items[1]);
    f->rank = gx_np_arr(s, items[2]);
    f->values = gx_np_arr(s, items[3]);
    gx_array *by = f->scale;
    if (f->c && f->c->ndim == 2) by = gx_np_expand(s, by, 2, 2);
    f->c = gx_np_op2(s, GX_OP_divide, f->c, by);
    return f->c && f->resids && f->rank && f->values;
}

/* The covariance of the coefficients; unscaled: as the weights say. */
static gx_array *covariance(gx_np *s, fit *f, bool unscaled) {
    gx_array *inner = gx_np_matmul(s, gx_np_transposed(s, f->lhs), f->lhs);
    gx_array *v = gx_np_call_arrays(s, "linalg.inv", 1, inner);
    v = gx_np_op2(s, GX_OP_divide, v, gx_np_call_arrays(s, "outer", 2, f->scale, f->scale));
    if (unscaled || !v) {
        if (v && f->y->ndim == 2) v = gx_np_expand(s, v, 3, 4);
        return v;
    }
    if (f->x->count <= f->order) {
        gx_fail(s->rt, GX_ValueError, "polyfit.cov",
                "the number of data points must exceed order to scale the covariance matrix");
        return NULL;
    }
    gx_array *factor =
        gx_np_op2(s, GX_OP_divide, f->resids, gx_np_f64(s, (double)(f->x->count - f->order)));
    if (f->y->ndim == 2) v = gx_np_expand(s, v, 3, 4);
    return gx_np_op2(s, GX_OP_multiply, v, factor);
}

static bool give_full(gx_np *s, fit *f, gx_value *out) {
    gx_value rank, items[5];
    if (!gx_np_give(&(gx_np){.rt = s->rt, .ns = s->ns}, f->rank, &rank))
        return gx_np_end(s, false);
    items[0] = gx_np_value(f->c);
    items[1] = gx_np_value(f->resids);
    items[2] = rank;
    items[3] = gx_np_value(f->values);
    items[4] = gx_float(f->rcond);
    bool ok = gx_tuple_new(s->rt, 5, items, out);
    gx_drop(rank);
    return gx_np_end(s, ok);
}

static bool polyfit_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t deg;
    bool full, cov = false, unscaled = false;
    fit f = {0};
    if (!gx_arg_int(c, 2, &deg) || !gx_arg_bool(c, 4, &full)) return gx_np_end(&s, false);
    f.x = gx_np_arr(&s, c->argv[0]);
    f.y = gx_np_arr(&s, c->argv[1]);
    if (gx_arg_some(c, 5) && !(f.w = gx_np_arr(&s, c->argv[5]))) return gx_np_end(&s, false);
    if (!f.x || !f.y || !check(c->rt, &f, deg)) return gx_np_end(&s, false);
    f.x = gx_np_cast(&s, f.x, gx_promote((gx_dtype)f.x->dtype, GX_f64));
    f.y = gx_np_cast(&s, f.y, gx_promote((gx_dtype)f.y->dtype, GX_f64));
    f.order = deg + 1;
    f.rcond = (double)f.x->count * 2.220446049250313e-16;
    if (gx_arg_some(c, 3) && !gx_arg_float(c, 3, &f.rcond)) return gx_np_end(&s, false);
    if (c->argv[6].tag == GX_STR)
        cov = unscaled = strcmp(gx_as_str(c->argv[6])->text, "unscaled") == 0;
    if (!cov && !gx_arg_bool(c, 6, &cov)) return gx_np_end(&s, false);
    if (!solve(&s, &f)) return gx_np_end(&s, false);
    gx_scalar rank;
    if (!gx_array_item(c->rt, f.rank, &rank)) return gx_np_end(&s, false);
    if (rank.i64 != f.order && !full &&
        !gx_warn(c->rt, GX_RankWarning, "Polyfit may be poorly conditioned"))
        return gx_np_end(&s, false);
    if (full) return give_full(&s, &f, out);
    if (!cov) return gx_np_give_array(&s, f.c, out);
    gx_array *const both[2] = {f.c, covariance(&s, &f, unscaled)};
    return gx_np_give_tuple(&s, 2, both, out);
}

const gx_native gx_np_polyfit_functions[] = {
    {"polyfit", "polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False)",
     "The polynomial of a degree that is closest to points, by least squares.",
     "polyfit([0, 1, 2], [1, 3, 5], 1).round(6)  # [2. 1.]", polyfit_fn, 0, 0},
    {.name = NULL},
};
