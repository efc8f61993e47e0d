/* numpy.linalg: QR, Cholesky and least squares. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "stdlib/linalg/decomp.h"

extern const gx_native gx_np_decomp_qr_functions[];

/* --- QR ------------------------------------------------------------------------------------- */

static bool qr_mode(gx_call *c, int i, char *out) {
    static const char *const names[] = {"reduced", "complete", "r",        "raw",
                                        "full",    "f",        "economic", "e"};
    const char *text;
    size_t n;
    if (!gx_arg_str(c, i, &text, &n)) return false;
    for (int k = 0; k < 8; k++) {
        if (strcmp(text, names[k]) != 0) continue;
        *out = "dcrwddee"[k]; /* reduced, complete, r, raw, economic */
        if (k < 4) return true;
        return gx_warn(c->rt, GX_DeprecationWarning,
                       k < 6 ? "The 'full' option is deprecated in favor of 'reduced'.\n"
                               "For backward compatibility let mode default."
                             : "The 'economic' option is deprecated.");
    }
    return gx_fail(c->rt, GX_ValueError, "qr.mode", "Unrecognized mode '%s'", text);
}

/* q without a column to reflect is the identity. */
static bool clear_empty(gx_np *s, gx_array *q) {
    int64_t rows = gx_shape(q)[q->ndim - 2], cols = gx_shape(q)[q->ndim - 1];
    int64_t item = gx_dtypes[q->dtype].bytes;
    char *x = gx_np_data_write(s, q);
    const double one = 1;
    if (!x) return false;
    memset(x, 0, (size_t)(q->count * item));
    for (int64_t i = 0; i < q->count; i++)
        if (i % cols == i / cols % rows) memcpy(x + i * item, &one, sizeof one);
    return true;
}

static bool qr_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"Q", "R"};
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *x = NULL, *y;
    gx_np_decomp p;
    char mode = 0;
    if (!qr_mode(c, 1, &mode) || !gx_np_decomp_begin(&s, GX_DECOMP_QR, a, &p))
        return gx_np_end(&s, false);
    int64_t m = p.job.m, n = p.job.n, k = m < n ? m : n, cols = mode == 'c' ? m : k;
    p.job.full = mode == 'c';
    if (mode == 'w' || mode == 'e') {
        p.job.kind = GX_DECOMP_QR_RAW;
        x = gx_np_decomp_part(&s, &p, false, n, m);
        y = gx_np_decomp_part(&s, &p, false, k, -1);
    } else {
        if (mode != 'r') x = gx_np_decomp_part(&s, &p, false, m, cols);
        y = gx_np_decomp_part(&s, &p, false, cols, n);
    }
    if (!y || (!x && mode != 'r')) return gx_np_end(&s, false);
    if (p.work->count == 0 && x && mode != 'w' && mode != 'e' && !clear_empty(&s, x))
        return gx_np_end(&s, false);
    if (!gx_np_decomp_run(&s, &p, x, y, NULL,
                          "Incorrect argument found while performing QR factorization"))
        return gx_np_end(&s, false);
    gx_array *r[2] = {x ? gx_np_cast(&s, x, p.type) : NULL, gx_np_cast(&s, y, p.type)};
    if (mode == 'r') return gx_np_give_array(&s, r[1], out);
    if (mode == 'w' || mode == 'e') { /* as LAPACK leaves the matrix, seen column by column */
        const int last = r[0] ? r[0]->ndim - 1 : 0;
        gx_array *packed = gx_np_copy(&s, gx_np_swapaxes(&s, r[0], last - 1, last), 'C');
        if (mode == 'e') return gx_np_give_array(&s, packed, out);
        r[0] = gx_np_swapaxes(&s, packed, last - 1, last);
        return gx_np_give_tuple(&s, 2, r, out);
    }
    return gx_np_give_named(&s, "QRResult", 2, names, r, out);
}

/* --- Cholesky ------------------------------------------------------------------------------- */

static bool cholesky_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_np_decomp p;
    bool upper;
    if (!a || !gx_arg_bool(c, 1, &upper) || !gx_np_need_square(&s, a) ||
        !gx_np_decomp_begin(&s, GX_DECOMP_CHOLESKY, a, &p))
        return gx_np_end(&s, false);
    p.job.upper = upper;
    if (!gx_np_decomp_run(&s, &p, NULL, NULL, NULL, "Matrix is not positive definite"))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_cast(&s, p.work, p.type), out);
}

/* --- least squares -------------------------------------------------------------------------- */

/* a, b (b as a column when it is a vector) and the cut. */
static bool lstsq_args(gx_call *c, gx_np *s, gx_array **a, gx_array **b, bool *vector,
                       double *rcond) {
    *a = gx_np_arr(s, c->argv[0]);
    *b = gx_np_arr(s, c->argv[1]);
    *vector = *b && (*b)->ndim == 1;
    if (*vector) *b = gx_np_expand(s, *b, 2, 2);
    if (!*a || !*b) return false;
    gx_array *both[2] = {*a, *b};
    for (int i = 0; i < 2; i++)
        if (both[i]->ndim != 2)
            return gx_fail(c->rt, GX_LinAlgError, "linalg.dims",
                           "%d-dimensional array given. Array must be two-dimensional",
                           both[i]->ndim);
    int64_t m = gx_shape(*a)[0], n = gx_shape(*a)[1];
    if (m != gx_shape(*b)[0])
        return gx_fail(c->rt, GX_LinAlgError, "lstsq.shape", "Incompatible dimensions");
    for (int i = 0; i < 2; i++) {
        gx_dtype d;
        if (!gx_np_linalg_dtype(c->rt, (gx_dtype)both[i]->dtype, &d)) return false;
    }
    *rcond = DBL_EPSILON * (double)(m > n ? m : n);
    return !gx_arg_some(c, 2) || gx_arg_float(c, 2, rcond);
}

/* The dtype of results: float32 and complex64 only when no operand is wider. */
static gx_dtype common(const gx_array *a, const gx_array *b) {
    gx_dtype d = GX_f32;
    const gx_array *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        d = gx_promote(d, gx_np_is_float(both[i]->dtype) && !gx_is_half(both[i]->dtype)
                              ? (gx_dtype)both[i]->dtype
                              : GX_f64);
    return d;
}

/* LAPACK would complain of such numbers on the terminal. */
static bool need_finite(gx_np *s, gx_array *a) {
    bool finite;
    if (!gx_np_all_finite(s, a, &finite)) return false;
    return finite || gx_fail(s->rt, GX_LinAlgError, "linalg.failed",
                             "SVD did not converge in Linear Least Squares");
}

/* The squared length of each column. */
static gx_array *squares_of(gx_np *s, gx_array *b) {
    gx_array *m = gx_np_op1(s, GX_OP_absolute, b);
    return gx_np_reduce(s, GX_RED_sum, gx_np_op2(s, GX_OP_multiply, m, m), 1, false, GX_NO_DTYPE);
}

typedef struct squares {
    gx_array *x, *left, *values;
    int64_t rank;
} squares;

/* Through the singular values, where a GPU has them but no least squares. */
static bool by_values(gx_np *s, gx_array *a, gx_array *b, double rcond, gx_dtype d, squares *r) {
    gx_array *f[3], *wide, *x, *rest;
    int64_t n = gx_shape(a)[1];
    if (!gx_np_svd(s, a, false, true, false, f) || !(wide = gx_np_fresh(s, f[1], GX_f64)))
        return false;
    double *w = gx_np_data_write(s, wide), most;
    if (!w) return false;
    most = w[0];
    if (rcond < 0) rcond = DBL_EPSILON;
    for (int64_t i = 0; i < wide->count; i++) {
        bool counts = w[i] > rcond * most;
        if (counts) r->rank++;
        w[i] = counts ? 1 / w[i] : 0;
    }
    x = gx_np_matmul(s, gx_np_op1(s, GX_OP_conjugate, gx_np_swapaxes(s, f[0], 0, 1)), b);
    x = gx_np_op2(s, GX_OP_multiply, gx_np_expand(s, wide, 2, 2), x);
    x = gx_np_matmul(s, gx_np_op1(s, GX_OP_conjugate, gx_np_swapaxes(s, f[2], 0, 1)), x);
    rest = gx_np_op2(s, GX_OP_subtract, b, gx_np_matmul(s, a, x));
    gx_array *left = rest ? squares_of(s, rest) : NULL;
    if (left && (r->rank != n || gx_shape(a)[0] <= n)) left = gx_np_slice(s, left, 0, 0, 1, 0);
    r->x = x ? gx_np_cast(s, x, d) : NULL;
    r->left = left ? gx_np_cast(s, left, gx_real_dtype(d)) : NULL;
    r->values = gx_np_cast(s, f[1], gx_real_dtype(d));
    return r->x && r->left && r->values;
}

static bool least_squares(gx_np *s, gx_array *a, gx_array *b, double rcond, squares *r) {
    gx_dtype d = common(a, b), real = gx_real_dtype(d);
    bool cplx = gx_dtype_kind(d) == GX_KIND_CPLX;
    int64_t m = gx_shape(a)[0], n = gx_shape(a)[1], more = gx_shape(b)[1], k = m < n ? m : n;
    int64_t info = 0, shape[2] = {n, more};
    gx_decomp job = {.kind = GX_DECOMP_LSTSQ,
                     .cplx = cplx,
                     .batch = 1,
                     .m = m,
                     .n = n,
                     .more = more,
                     .rcond = rcond,
                     .info = &info,
                     .rank = &r->rank};
    gx_dtype work = cplx ? GX_c128 : GX_f64;
    bool empty = k == 0;
    if (more == 0) { /* the values are wanted all the same */
        int64_t column[2] = {m, 1};
        b = gx_np_zeros(s, d, 2, column);
        job.more = shape[1] = 1;
    }
    gx_array *wa = gx_np_fresh(s, a, work), *wb = b ? gx_np_fresh(s, b, work) : NULL;
    gx_array *x = empty ? gx_np_zeros(s, work, 2, shape) : gx_np_empty(s, work, 2, shape);
    gx_array *y = gx_np_empty(s, GX_f64, 1, &k), *z = gx_np_zeros(s, GX_f64, 1, &shape[1]);
    r->rank = 0;
    if (!wa || !wb || !x || !y || !z || !need_finite(s, wa)) return false;
    if (more && !empty && gx_linalg_prefers_svd(s->rt, &job, wa))
        return by_values(s, wa, wb, rcond, d, r);
    if (n == 0) z = squares_of(s, wb);
    if (!empty && !gx_linalg_decompose(s->rt, &job, wa, wb, x, y, z)) return false;
    if (info)
        return gx_fail(s->rt, GX_LinAlgError, "linalg.failed",
                       "SVD did not converge in Linear Least Squares");
    if (more == 0) {
        x = gx_np_slice(s, x, 1, 0, 1, 0);
        z = gx_np_slice(s, z, 0, 0, 1, 0);
    }
    if (r->rank != n || m <= n) z = gx_np_slice(s, z, 0, 0, 1, 0);
    r->x = x ? gx_np_cast(s, x, d) : NULL;
    r->left = z ? gx_np_cast(s, z, real) : NULL;
    r->values = gx_np_cast(s, y, real);
    return r->x && r->left && r->values;
}

static bool lstsq_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a, *b;
    double rcond;
    bool vector;
    squares r;
    if (!lstsq_args(c, &s, &a, &b, &vector, &rcond) || !least_squares(&s, a, b, rcond, &r))
        return gx_np_end(&s, false);
    gx_array *x = vector ? gx_np_settled(&s, gx_np_squeeze(&s, r.x, 2)) : r.x;
    if (!x) return gx_np_end(&s, false);
    gx_array *count = gx_np_cast(&s, gx_np_i64(&s, r.rank), GX_i32); /* LAPACK's int */
    gx_value rank;
    if (!count) return gx_np_end(&s, false);
    gx_array_keep(count);
    if (!gx_array_result_take(c->rt, count, &rank) || !gx_np_hold(&s, rank))
        return gx_np_end(&s, false);
    gx_value items[4] = {gx_np_value(x), gx_np_value(r.left), rank, gx_np_value(r.values)};
    return gx_np_end(&s, gx_tuple_new(c->rt, 4, items, out));
}

const gx_native gx_np_decomp_qr_functions[] = {
    {"qr", "qr(a, mode='reduced')",
     "QR decomposition: a = Q @ R with orthonormal columns of Q and upper triangular R; mode says "
     "which parts.",
     "linalg.qr([[0, 1], [1, 0]]).R.shape  # (2, 2)", qr_fn, 0, 0},
    {"cholesky", "cholesky(a, /, *, upper=False)",
     "Cholesky factor: lower triangular L with L @ L.conj().T = a; LinAlgError unless a is "
     "positive definite.",
     "linalg.cholesky([[4, 0], [0, 9]]).tolist()  # [[2.0, 0.0], [0.0, 3.0]]", cholesky_fn, 0, 0},
    {"lstsq", "lstsq(a, b, rcond=None)",
     "Least-squares solution of a @ x = b: (x, sums of squared residuals, rank, singular values).",
     "linalg.lstsq([[1, 0], [0, 2]], [3, 4])[2]  # 2", lstsq_fn, 0, 0},
    {.name = NULL},
};
