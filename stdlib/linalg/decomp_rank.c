/* numpy.linalg: what singular values tell: rank, condition number and the pseudo-inverse. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/linalg/decomp.h"

extern const gx_native gx_np_decomp_rank_functions[];

static double eps_of(gx_dtype d) {
    return d == GX_f32 || d == GX_c64 ? (double)FLT_EPSILON : DBL_EPSILON;
}

static int64_t longest(const gx_array *a) {
    int64_t m = gx_shape(a)[a->ndim - 2], n = gx_shape(a)[a->ndim - 1];
    return m > n ? m : n;
}

/* A tolerance argument as one float64 a matrix of the batch of a (…, m, n); NULL: an error. */
static const double *per_matrix(gx_np *s, gx_borrowed v, const gx_array *a) {
    gx_array *t = gx_np_broadcast(s, gx_np_arr_as(s, v, GX_f64), a->ndim - 2, gx_shape(a));
    return gx_np_data(s, gx_np_contiguous(s, t));
}

/* The values as float64, k of each matrix, in an array to be written. */
static double *values_of(gx_np *s, gx_array *values) {
    return gx_np_data_write(s, gx_np_fresh(s, values, GX_f64));
}

/* --- rank ----------------------------------------------------------------------------------- */

/* Of less than a matrix: whether anything is not zero. */
static bool vector_rank(gx_np *s, gx_array *a, gx_value *out) {
    gx_array *zero = gx_np_weak_int(s, (gx_dtype)a->dtype, 0);
    gx_array *any = gx_np_reduce(s, GX_RED_any, gx_np_op2(s, GX_OP_not_equal, a, zero),
                                 gx_np_all(a), false, GX_NO_DTYPE);
    const bool *x = gx_np_data(s, gx_np_contiguous(s, any));
    if (!x) return gx_np_end(s, false);
    *out = gx_int(*x ? 1 : 0);
    return gx_np_end(s, true);
}

static bool matrix_rank_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r[3];
    bool hermitian, some_tol = gx_arg_some(c, 1), some_rtol = gx_arg_some(c, 3);
    if (!a || !gx_arg_bool(c, 2, &hermitian)) return gx_np_end(&s, false);
    if (some_tol && some_rtol)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "rank.tol",
                                     "`tol` and `rtol` can't be both set."));
    if (a->ndim < 2) return vector_rank(&s, a, out);
    if (!gx_np_svd(&s, a, false, false, hermitian, r)) return gx_np_end(&s, false);
    int64_t k = gx_shape(r[1])[r[1]->ndim - 1], batch = gx_np_size(a->ndim - 2, gx_shape(a));
    bool single = r[1]->dtype == GX_f32;
    gx_array *counts = gx_np_empty(&s, GX_i64, a->ndim - 2, gx_shape(a));
    const double *given = NULL, *x = values_of(&s, r[1]);
    if (some_tol || some_rtol) {
        given = per_matrix(&s, c->argv[some_tol ? 1 : 3], a);
        if (!given) return gx_np_end(&s, false);
    }
    int64_t *n = gx_np_data_write(&s, counts);
    if (!x || !n) return gx_np_end(&s, false);
    double rtol = (double)longest(a) * eps_of((gx_dtype)r[1]->dtype);
    for (int64_t i = 0; i < batch; i++, x += k) {
        double most = k > 0 ? x[0] : 0, cut = most * rtol;
        if (some_tol) cut = given[i];
        else if (some_rtol) cut = most * given[i];
        else if (single) cut = (double)(float)cut;
        n[i] = 0;
        for (int64_t j = 0; j < k; j++) n[i] += x[j] > cut;
    }
    return gx_np_give(&s, counts, out);
}

/* --- condition number ----------------------------------------------------------------------- */

/* The ratio of the outer values, largest over least unless `least`. */
static gx_array *value_ratio(gx_np *s, gx_array *a, bool least) {
    gx_array *r[3];
    if (!gx_np_svd(s, a, false, false, false, r)) return NULL;
    int64_t k = gx_shape(r[1])[r[1]->ndim - 1], batch = gx_np_size(a->ndim - 2, gx_shape(a));
    gx_array *ratio = gx_np_empty(s, GX_f64, a->ndim - 2, gx_shape(a));
    const double *x = values_of(s, r[1]);
    double *to = gx_np_data_write(s, ratio);
    if (!x || !to) return NULL;
    for (int64_t i = 0; i < batch; i++, x += k)
        to[i] = least ? x[k - 1] / x[0] : x[0] / x[k - 1];
    return gx_np_cast(s, ratio, (gx_dtype)r[1]->dtype);
}

/* nan that does not come from the matrix means infinitely badly conditioned. */
static gx_array *nan_to_inf(gx_np *s, gx_array *a, gx_array *r) {
    if (!r) return NULL; /* as it is for less than a matrix */
    uint64_t both = UINT64_C(3) << (a->ndim - 2);
    gx_array *known = gx_np_reduce(s, GX_RED_any, gx_np_op1(s, GX_OP_isnan, a), both, false,
                                   GX_NO_DTYPE);
    gx_array *wide = gx_np_fresh(s, r, GX_f64);
    const bool *keep = gx_np_data(s, gx_np_contiguous(s, known));
    double *x = gx_np_data_write(s, wide);
    if (!keep || !x) return NULL;
    for (int64_t i = 0; i < wide->count; i++)
        if (isnan(x[i]) && !keep[i]) x[i] = INFINITY;
    return gx_np_cast(s, wide, (gx_dtype)r->dtype);
}

static bool cond_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r;
    double p = 2;
    if (!a) return gx_np_end(&s, false);
    if (a->ndim >= 2 && gx_np_size(2, gx_shape(a) + a->ndim - 2) == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_LinAlgError, "cond.empty",
                                     "cond is not defined on empty arrays"));
    if (c->argv[1].tag == GX_STR) p = NAN;
    else if (gx_arg_some(c, 1) && !gx_arg_float(c, 1, &p)) return gx_np_end(&s, false);
    if (p == 2 || p == -2) {
        r = value_ratio(&s, a, p < 0);
    } else {
        gx_array *inverse = gx_np_inverse_or_nan(&s, a);
        if (!inverse) return gx_np_end(&s, false);
        int last = a->ndim - 1;
        gx_array *work = gx_np_cast(&s, a, (gx_dtype)inverse->dtype);
        gx_array *x = work ? gx_np_matrix_norm(&s, work, last - 1, last, c->argv[1], false) : NULL;
        gx_array *y = x ? gx_np_matrix_norm(&s, inverse, last - 1, last, c->argv[1], false) : NULL;
        r = gx_np_op2(&s, GX_OP_multiply, x, y);
    }
    return gx_np_give(&s, nan_to_inf(&s, a, r), out);
}

/* --- pseudo-inverse ------------------------------------------------------------------------- */

/* What values are cut at, as a part of the largest: one number a matrix. */
static const double *pinv_cuts(gx_call *c, gx_np *s, const gx_array *a) {
    bool some = gx_arg_some(c, 1), given = gx_arg_given(c, 3);
    if (some && given) {
        gx_fail(c->rt, GX_ValueError, "pinv.tol", "`rtol` and `rcond` can't be both set.");
        return NULL;
    }
    if (some || gx_arg_some(c, 3)) return per_matrix(s, c->argv[some ? 1 : 3], a);
    double cut = given ? (double)longest(a) * eps_of((gx_dtype)a->dtype) : 1e-15;
    int64_t batch = gx_np_size(a->ndim - 2, gx_shape(a));
    double *x = gx_np_room(s, batch + 1, sizeof *x);
    for (int64_t i = 0; x && i < batch; i++) x[i] = cut;
    return x;
}

static bool pinv_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r[3];
    bool hermitian;
    if (!a || !gx_arg_bool(c, 2, &hermitian)) return gx_np_end(&s, false);
    if (a->ndim < 2)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_LinAlgError, "linalg.dims",
                        "%d-dimensional array given. Array must be at least two-dimensional",
                        a->ndim));
    int row = a->ndim - 2, column = a->ndim - 1;
    const double *cuts = pinv_cuts(c, &s, a);
    if (!cuts) return gx_np_end(&s, false);
    if (a->count == 0)
        return gx_np_give_array(&s, gx_np_copy(&s, gx_np_swapaxes(&s, a, row, column), 'C'), out);
    gx_array *conj = gx_dtype_kind(a->dtype) == GX_KIND_CPLX ? gx_np_op1(&s, GX_OP_conjugate, a)
                                                             : a;
    if (!gx_np_svd(&s, conj, false, true, hermitian, r)) return gx_np_end(&s, false);
    int64_t k = gx_shape(r[1])[row], batch = gx_np_size(row, gx_shape(a));
    gx_array *wide = gx_np_fresh(&s, r[1], GX_f64);
    double *x = gx_np_data_write(&s, wide);
    if (!x) return gx_np_end(&s, false);
    for (int64_t i = 0; i < batch; i++, x += k) {
        double cut = cuts[i] * x[0];
        for (int64_t j = 0; j < k; j++) x[j] = x[j] > cut ? 1 / x[j] : 0;
    }
    gx_array *values = gx_np_cast(&s, wide, (gx_dtype)r[1]->dtype);
    gx_array *u = gx_np_op2(&s, GX_OP_multiply,
                            gx_np_expand(&s, values, a->ndim, UINT64_C(1) << column),
                            gx_np_swapaxes(&s, r[0], row, column));
    return gx_np_give_array(&s, gx_np_matmul(&s, gx_np_swapaxes(&s, r[2], row, column), u), out);
}

const gx_native gx_np_decomp_rank_functions[] = {
    {"pinv", "pinv(a, rcond=None, hermitian=False, *, rtol=<no value>)",
     "The Moore-Penrose pseudo-inverse.",
     "linalg.pinv([[2, 0], [0, 4]]).round(3).tolist()  # [[0.5, 0.0], [0.0, 0.25]]", pinv_fn, 0, 0},
    {"matrix_rank", "matrix_rank(A, tol=None, hermitian=False, *, rtol=None)",
     "Number of columns that are independent.", "linalg.matrix_rank([[1, 2], [2, 4]])  # 1",
     matrix_rank_fn, 0, 0},
    {"cond", "cond(x, p=None)", "Condition number: how much solving magnifies errors.",
     "linalg.cond([[2, 0], [0, 4]])  # 2.0", cond_fn, 0, 0},
    {.name = NULL},
};
