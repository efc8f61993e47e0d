/* numpy.linalg: inverse, solutions, determinants. Matrices are the last two axes; the axes
   before them are a batch. The work is done by the device's library (runtime/op/linalg.h). */
#include <math.h>
#include <string.h>

#include "runtime/op/linalg.h"
#include "stdlib/linalg/decomp.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_linalg_functions[];
extern const gx_constant gx_np_linalg_constants[];

static int64_t batch_of(const gx_array *a) {
    return gx_np_size(a->ndim - 2, gx_shape(a));
}

static int64_t *info_for(gx_np *s, const gx_array *a) {
    return gx_np_scratch(s, (size_t)(batch_of(a) + 1) * sizeof(int64_t));
}

static bool not_singular(gx_rt *rt, const int64_t *info, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (info[i]) return gx_fail(rt, GX_LinAlgError, "linalg.singular", "Singular matrix");
    return true;
}

static gx_array *inverse(gx_np *s, gx_array *a) {
    gx_dtype d = GX_f64;
    if (!a || !gx_np_need_square(s, a) || !gx_np_linalg_dtype(s->rt, (gx_dtype)a->dtype, &d))
        return NULL;
    gx_array *work = gx_np_fresh(s, a, d);
    int64_t *info = info_for(s, a);
    if (!work || !info) return NULL;
    if (a->count == 0) return work;
    if (!gx_linalg_inv(s->rt, work, info) || !not_singular(s->rt, info, batch_of(a))) return NULL;
    return gx_np_op2(s, GX_OP_add, work, gx_np_weak_int(s, d, 0)); /* no -0 */
}

static bool inv_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return gx_np_give_array(&s, inverse(&s, gx_np_arr(&s, c->argv[0])), out);
}

/* The batch shape of two operands broadcast, followed by each one's own matrix shape. */
static bool same_batch(gx_np *s, gx_array **a, gx_array **b) {
    int64_t batch[GX_MAX_DIMS], shape[GX_MAX_DIMS];
    int nd = (*a)->ndim > (*b)->ndim ? (*a)->ndim : (*b)->ndim;
    gx_array *both[2] = {*a, *b};
    for (int i = 0; i < nd - 2; i++) {
        batch[i] = 1;
        for (int k = 0; k < 2; k++) {
            int at = i - (nd - both[k]->ndim);
            int64_t n = at < 0 ? 1 : gx_shape(both[k])[at];
            if (n == 1 || n == batch[i]) continue;
            if (batch[i] != 1)
                return gx_fail(s->rt, GX_ValueError, "shape.broadcast",
                               "the batches of the operands do not fit: %lld and %lld",
                               (long long)batch[i], (long long)n);
            batch[i] = n;
        }
    }
    for (int k = 0; k < 2; k++) {
        memcpy(shape, batch, (size_t)(nd - 2) * sizeof *shape);
        memcpy(shape + nd - 2, gx_shape(both[k]) + both[k]->ndim - 2, 2 * sizeof *shape);
        if (!(both[k] = gx_np_broadcast(s, both[k], nd, shape))) return false;
    }
    *a = both[0];
    *b = both[1];
    return true;
}

static bool solve_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    gx_dtype left, right; /* that integers become float64 decides before what both have in common */
    if (!a || !b || !gx_np_need_square(&s, a)) return gx_np_end(&s, false);
    if (!gx_np_linalg_dtype(c->rt, (gx_dtype)a->dtype, &left) ||
        !gx_np_linalg_dtype(c->rt, (gx_dtype)b->dtype, &right))
        return gx_np_end(&s, false);
    const gx_dtype d = gx_promote(left, right);
    if (b->ndim == 0)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "solve.dims",
                                     "solve: b must be a vector or a matrix"));
    bool vector = b->ndim == 1;
    if (vector && !(b = gx_np_expand(&s, b, 2, 2))) return gx_np_end(&s, false);
    if (gx_shape(b)[b->ndim - 2] != gx_shape(a)[a->ndim - 1])
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "solve.shape",
                                     "solve: a has %lld columns, b has %lld rows",
                                     (long long)gx_shape(a)[a->ndim - 1],
                                     (long long)gx_shape(b)[b->ndim - 2]));
    if (!same_batch(&s, &a, &b)) return gx_np_end(&s, false);
    gx_array *x = gx_np_fresh(&s, a, d), *y = gx_np_fresh(&s, b, d);
    int64_t *info = info_for(&s, a);
    if (!x || !y || !info) return gx_np_end(&s, false);
    if (x->count && y->count &&
        (!gx_linalg_solve(c->rt, x, y, info) || !not_singular(c->rt, info, batch_of(x))))
        return gx_np_end(&s, false);
    if (vector) y = gx_np_settled(&s, gx_np_squeeze(&s, y, UINT64_C(1) << (y->ndim - 1)));
    return gx_np_give_array(&s, y, out);
}

/* --- determinants --- */

/* Sign (or phase) and log of the magnitude of each determinant, from LU factors. */
static bool factors(gx_np *s, gx_array *a, gx_array **sign, gx_array **logdet) {
    gx_dtype d = GX_f64;
    if (!a || !gx_np_need_square(s, a) || !gx_np_linalg_dtype(s->rt, (gx_dtype)a->dtype, &d))
        return false;
    gx_array *lu = gx_np_fresh(s, a, d);
    int64_t n = gx_shape(a)[a->ndim - 1], batch = batch_of(a);
    int64_t *info = info_for(s, a);
    int64_t *pivots = gx_np_room(s, batch * n + 1, sizeof *pivots);
    if (!lu || !info || !pivots) return false;
    if (a->count && !gx_linalg_lu(s->rt, lu, pivots, info)) return false;
    const int64_t rows[2] = {batch, n * n};
    gx_array *diagonal = gx_np_slice(s, gx_np_reshape(s, lu, 2, rows), 1, 0, n + 1, n);
    gx_array *wide = gx_np_contiguous(s, gx_np_cast(s, diagonal, GX_c128));
    const gx_c128 *x = gx_np_data(s, wide);
    *sign = gx_np_empty(s, GX_c128, a->ndim - 2, gx_shape(a));
    *logdet = gx_np_empty(s, GX_f64, a->ndim - 2, gx_shape(a));
    gx_c128 *sg = gx_np_data_write(s, *sign);
    double *lg = gx_np_data_write(s, *logdet);
    if (!x || !sg || !lg) return false;
    for (int64_t b = 0; b < batch; b++) {
        gx_c128 phase = {1, 0};
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            gx_c128 p = x[b * n + i];
            double m = p.im == 0 ? fabs(p.re) : hypot(p.re, p.im);
            if (pivots[b * n + i] != i) phase = (gx_c128){-phase.re, -phase.im};
            gx_c128 u = m > 0 ? (gx_c128){p.re / m, p.im / m} : (gx_c128){0, 0};
            if (isnan(m)) u = p;
            phase = (gx_c128){phase.re * u.re - phase.im * u.im, phase.re * u.im + phase.im * u.re};
            sum += log(m);
        }
        sg[b] = phase;
        lg[b] = sum;
    }
    if (gx_dtype_kind(d) != GX_KIND_CPLX) *sign = gx_np_op1(s, GX_OP_real, *sign);
    *sign = gx_np_cast(s, *sign, d);
    *logdet = gx_np_cast(s, *logdet, gx_real_dtype(d));
    return *sign && *logdet;
}

/* NumPy's: the sign times the exponential of the logarithm. */
static gx_array *determinant(gx_np *s, gx_array *a) {
    gx_array *sign = NULL, *logdet = NULL;
    if (!factors(s, a, &sign, &logdet)) return NULL;
    return gx_np_op2(s, GX_OP_multiply, sign, gx_np_op1(s, GX_OP_exp, logdet));
}

static bool det_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return gx_np_give(&s, determinant(&s, gx_np_arr(&s, c->argv[0])), out);
}

static bool slogdet_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *both[2];
    gx_value pair[2];
    if (!factors(&s, gx_np_arr(&s, c->argv[0]), &both[0], &both[1])) return gx_np_end(&s, false);
    for (int i = 0; i < 2; i++) {
        gx_array_keep(both[i]);
        if (!gx_array_result_take(c->rt, both[i], &pair[i]) || !gx_np_hold(&s, pair[i]))
            return gx_np_end(&s, false);
    }
    const gx_sym fields[2] = {gx_sym_c(c->rt, "sign"), gx_sym_c(c->rt, "logabsdet")};
    if (!fields[0] || !fields[1]) return gx_np_end(&s, false);
    return gx_np_end(&s, gx_tuple_named(c->rt, "SlogdetResult", 2, fields, pair, out));
}

const gx_native gx_np_linalg_functions[] = {
    {"inv", "inv(a)", "Inverse of square matrices (…, n, n); LinAlgError if one is singular.",
     "linalg.inv([[2, 0], [0, 4]]).tolist()  # [[0.5, 0.0], [0.0, 0.25]]", inv_fn, 0, 0},
    {"solve", "solve(a, b)",
     "Solves a @ x = b for a square a (n, n) and b (n,) or (n, k); LinAlgError if a is singular.",
     "linalg.solve([[2, 0], [0, 4]], [2, 4])  # [1. 1.]", solve_fn, 0, 0},
    {"det", "det(a)", "Determinant of square matrices (…, n, n).",
     "linalg.det([[1, 2], [3, 4]])  # -2.0000000000000004", det_fn, 0, 0},
    {"slogdet", "slogdet(a)",
     "Sign and natural log of |determinant| of square matrices, without overflow: (sign, "
     "logabsdet).",
     "linalg.slogdet([[1, 0], [0, -1]])[0]  # -1.0", slogdet_fn, 0, 0},
    {.name = NULL},
};

const gx_constant gx_np_linalg_constants[] = {
    {.name = "LinAlgError", .kind = GX_CONST_TYPE, .type = &gx_exception_types[GX_LinAlgError]},
    {.name = NULL},
};
