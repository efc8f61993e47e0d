/* numpy.linalg.norm and its parts, vector_norm and matrix_norm. */
#include <math.h>
#include <string.h>

#include "stdlib/linalg/decomp.h"

extern const gx_native gx_np_norm_functions[];

/* Integers become float64; the magnitude of complex elements is taken where needed. */
static gx_array *as_float(gx_np *s, gx_array *a) {
    return a && !gx_np_is_float(a->dtype) ? gx_np_cast(s, a, GX_f64) : a;
}

static gx_array *total(gx_np *s, gx_array *a, uint64_t mask, bool keep) {
    return gx_np_reduce(s, GX_RED_sum, a, mask, keep, GX_NO_DTYPE);
}

/* All elements of a big array that is ready: its product with itself, as NumPy's. What is pending
   is rather summed while it is computed. */
static bool is_plain(const gx_np *s, const gx_array *a, uint64_t mask, bool keep) {
    enum { MANY = 1 << 14 };
    return !keep && mask == gx_np_all(a) && a->count >= MANY && gx_array_is_contiguous(a, 'C') &&
           gx_array_is_ready(a) && gx_matmul_sums(s->rt, a);
}

/* The root of the sum of squares. */
static gx_array *euclidean(gx_np *s, gx_array *a, uint64_t mask, bool keep) {
    if (!a) return NULL;
    gx_array *sq;
    if (is_plain(s, a, mask, keep)) {
        gx_array *flat = gx_np_flat(s, a);
        return gx_np_op1(s, GX_OP_sqrt, gx_np_matmul(s, flat, flat));
    }
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX) {
        gx_array *re = gx_np_op1(s, GX_OP_real, a), *im = gx_np_op1(s, GX_OP_imag, a);
        sq = gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_multiply, re, re),
                       gx_np_op2(s, GX_OP_multiply, im, im));
    } else
        sq = gx_np_op2(s, GX_OP_multiply, a, a);
    return gx_np_op1(s, GX_OP_sqrt, total(s, sq, mask, keep));
}

/* The largest of magnitudes, 0 of none, or the least. */
static gx_array *extreme(gx_np *s, gx_array *m, uint64_t mask, bool keep, bool least) {
    const gx_scalar zero = {.bits = {0, 0}};
    gx_array *r = NULL;
    if (!m || least) return gx_np_reduce(s, GX_RED_min, m, mask, keep, GX_NO_DTYPE);
    return gx_reduce(s->rt, GX_RED_max, m, mask, keep, GX_NO_DTYPE, &zero, NULL, &r)
               ? gx_np_own(s, r)
               : NULL;
}

static gx_array *vector_norm(gx_np *s, gx_array *a, uint64_t mask, double ord, bool keep) {
    if (ord == 2) return euclidean(s, a, mask, keep);
    gx_array *m = gx_np_op1(s, GX_OP_absolute, a);
    if (!m) return NULL;
    if (isinf(ord)) return extreme(s, m, mask, keep, ord < 0);
    if (ord == 0) {
        gx_array *nonzero =
            gx_np_op2(s, GX_OP_not_equal, m, gx_np_weak_int(s, (gx_dtype)m->dtype, 0));
        return total(s, gx_np_cast(s, nonzero, (gx_dtype)m->dtype), mask, keep);
    }
    if (ord == 1) return total(s, m, mask, keep);
    gx_array *p = gx_np_weak(s, (gx_dtype)m->dtype, ord);
    gx_array *sum = total(s, gx_np_op2(s, GX_OP_power, m, p), mask, keep);
    return sum ? gx_np_op2(s, GX_OP_power, sum, gx_np_weak(s, (gx_dtype)sum->dtype, 1 / ord))
               : NULL;
}

/* Rows are axis r, columns axis k: the largest or smallest sum of magnitudes. */
static gx_array *sum_norm(gx_np *s, gx_array *a, int fold, int over, bool least, bool keep) {
    gx_array *m = gx_np_op1(s, GX_OP_absolute, a);
    gx_array *sums = m ? total(s, m, UINT64_C(1) << fold, true) : NULL;
    gx_array *r = extreme(s, sums, UINT64_C(1) << over, true, least);
    return keep ? r : gx_np_squeeze(s, r, UINT64_C(1) << fold | UINT64_C(1) << over);
}

/* From singular values: the largest, the least or their sum. */
static gx_array *value_norm(gx_np *s, gx_array *a, int row, int column, gx_redcode red, bool keep) {
    gx_array *part[3], *r;
    int64_t shape[GX_MAX_DIMS];
    int last = a->ndim - 1, from = row > column ? row - 1 : row;
    /* The columns go last, then the rows before them. */
    gx_array *moved = gx_np_moveaxis(s, gx_np_moveaxis(s, a, column, last), from, last - 1);
    if (!gx_np_svd(s, moved, false, false, false, part)) return NULL;
    if (red != GX_RED_min && gx_shape(part[1])[last - 1] == 0)
        red = GX_RED_sum; /* of nothing: 0 */
    r = gx_np_reduce(s, red, part[1], UINT64_C(1) << (last - 1), false, GX_NO_DTYPE);
    if (!r || !keep) return r;
    memcpy(shape, gx_shape(a), (size_t)a->ndim * sizeof *shape);
    shape[row] = shape[column] = 1;
    return gx_np_reshape(s, r, a->ndim, shape);
}

/* Norm of the matrices in axes row and column, by the order given. */
static gx_array *matrix_norm(gx_np *s, gx_array *a, int row, int column, gx_borrowed ord,
                             bool keep) {
    uint64_t both = UINT64_C(1) << row | UINT64_C(1) << column;
    double p = NAN;
    const char *name = ord.tag == GX_STR ? gx_as_str(ord)->text : NULL;
    if (ord.tag == GX_NONE || (name && (strcmp(name, "fro") == 0 || strcmp(name, "f") == 0)))
        return euclidean(s, a, both, keep);
    if (name && strcmp(name, "nuc") == 0)
        return value_norm(s, a, row, column, GX_RED_sum, keep);
    if (!name && gx_as_double(s->rt, ord, &p) == GX_TRY_ERROR) return NULL;
    if (p == 2 || p == -2)
        return value_norm(s, a, row, column, p > 0 ? GX_RED_max : GX_RED_min, keep);
    if (p == 1 || p == -1) return sum_norm(s, a, row, column, p < 0, keep);
    if (isinf(p)) return sum_norm(s, a, column, row, p < 0, keep);
    gx_fail(s->rt, GX_ValueError, "norm.order",
            "Invalid norm order for matrices: use None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf");
    return NULL;
}

/* The axes of a norm: None, a tuple of integers, or what int() makes one. */
static bool norm_axes(gx_call *c, int i, int ndim, uint64_t *mask) {
    double x;
    const gx_value v = c->argv[i];
    if (v.tag == GX_LIST)
        return gx_arg_wrong(c, i, "None, an integer or a tuple of integers");
    if (v.tag == GX_FLOAT || gx_is_scalar(v)) {
        gx_try is = gx_as_double(c->rt, v, &x);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_YES && fabs(x) < 64)
            return gx_axes(c->rt, gx_int((int64_t)x), ndim, mask);
    }
    return v.tag == GX_TUPLE ? gx_axes(c->rt, v, ndim, mask)
                             : gx_axes_by_index(c->rt, v, ndim, mask);
}

static bool norm_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = as_float(&s, gx_np_arr(&s, c->argv[0]));
    bool keep;
    uint64_t mask;
    double ord = 2;
    int axes[GX_MAX_DIMS], n = 0;
    if (!a || !gx_arg_bool(c, 3, &keep) || !norm_axes(c, 2, a->ndim, &mask))
        return gx_np_end(&s, false);
    bool all = !gx_arg_some(c, 2), plain = !gx_arg_some(c, 1);
    if (all && plain) return gx_np_give(&s, euclidean(&s, a, mask, keep), out);
    for (int i = 0; i < a->ndim; i++)
        if (mask >> i & 1) axes[n++] = i;
    const gx_value *items;
    if (n == 2 && gx_sequence_items(c->argv[2], &items) == 2) { /* the order given counts */
        int64_t first;
        int at;
        if (gx_as_index(c->rt, items[0], &first) == GX_TRY_YES &&
            gx_axis(c->rt, first, a->ndim, &at) && at == axes[1]) {
            axes[1] = axes[0];
            axes[0] = at;
        }
    }
    if (n == 2)
        return gx_np_give(&s, matrix_norm(&s, a, axes[0], axes[1], c->argv[1], keep), out);
    if (n != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "norm.dims",
                                     "Improper number of dimensions to norm."));
    if (!plain) {
        gx_try is = gx_as_double(c->rt, c->argv[1], &ord);
        if (is == GX_TRY_ERROR) return gx_np_end(&s, false);
        if (is == GX_TRY_NO)
            return gx_np_end(
                &s, gx_fail(c->rt, GX_ValueError, "norm.order", "Invalid norm order for vectors"));
    }
    return gx_np_give(&s, vector_norm(&s, a, mask, ord, keep), out);
}

static bool vector_norm_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = as_float(&s, gx_np_arr(&s, c->argv[0]));
    bool keep;
    uint64_t mask;
    double ord;
    if (!a || !gx_arg_bool(c, 2, &keep) || !norm_axes(c, 1, a->ndim, &mask) ||
        !gx_arg_float(c, 3, &ord))
        return gx_np_end(&s, false);
    return gx_np_give(&s, vector_norm(&s, a, mask, ord, keep), out);
}

static bool matrix_norm_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = as_float(&s, gx_np_arr(&s, c->argv[0]));
    bool keep;
    if (!a || !gx_arg_bool(c, 1, &keep)) return gx_np_end(&s, false);
    int row;
    if (!gx_axis(c->rt, -2, a->ndim, &row)) return gx_np_end(&s, false);
    return gx_np_give(&s, matrix_norm(&s, a, row, a->ndim - 1, c->argv[2], keep), out);
}

const gx_native gx_np_norm_functions[] = {
    {"norm", "norm(x, ord=None, axis=None, keepdims=False)",
     "Norm of vectors or matrices: by default the root of the sum of squares; ord chooses another.",
     "linalg.norm([3, 4])  # 5.0", norm_fn, 0, 0},
    {"vector_norm", "vector_norm(x, /, *, axis=None, keepdims=False, ord=2)",
     "Norm of vectors along an axis, of any order (2: Euclidean length).",
     "linalg.vector_norm([3, 4])  # 5.0", vector_norm_fn, 0, 0},
    {"matrix_norm", "matrix_norm(x, /, *, keepdims=False, ord='fro')",
     "Norm of matrices (the last two axes): 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2.",
     "linalg.matrix_norm([[3, 4]])  # 5.0", matrix_norm_fn, 0, 0},
    {.name = NULL},
};
