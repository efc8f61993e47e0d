/* scipy.linalg's special matrices and functions of matrices: block_diag, toeplitz, circulant,
   hankel, solve_triangular, expm; and numpy.linalg's tensorsolve and tensorinv. Told in terms of
   numpy's. */
#include <math.h>
#include <string.h>

#include "stdlib/numpy/base/batch.h"
#include "stdlib/numpy/base/call.h"

extern const gx_native gx_sp_linalg_functions[];
extern const gx_native gx_np_tensor_functions[];

/* --- matrices by rule --- */

/* One more block: its leading axes join those of the others, its size and dtype count. */
static bool add_block(gx_np *s, gx_array *a, gx_array **head, int64_t size[2], gx_dtype *d) {
    const int lead = a->ndim - 2;
    *head = gx_np_empty(s, GX_bool, 0, NULL);
    if (*head && lead) *head = gx_np_broadcast(s, *head, lead, gx_shape(a));
    *d = *d == GX_NO_DTYPE ? (gx_dtype)a->dtype : gx_promote(*d, (gx_dtype)a->dtype);
    size[0] = gx_size_plus(size[0], gx_shape(a)[lead]);
    size[1] = gx_size_plus(size[1], gx_shape(a)[lead + 1]);
    return *head != NULL;
}

static bool put_blocks(gx_np *s, gx_array *r, int64_t count, gx_array *const *parts) {
    const int lead = r->ndim - 2;
    int64_t row = 0, column = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *last = gx_shape(parts[i]) + parts[i]->ndim - 2;
        gx_array *to = gx_np_slice(s, r, lead, row, 1, last[0]);
        to = to ? gx_np_slice(s, to, lead + 1, column, 1, last[1]) : NULL;
        if (!to || !gx_array_store(s->rt, to, parts[i])) return false;
        row += last[0];
        column += last[1];
    }
    return true;
}

static bool block_diag_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_array **parts = gx_np_room(&s, t->count + 1, sizeof *parts);
    gx_array **heads = gx_np_room(&s, t->count + 1, sizeof *heads);
    int64_t shape[GX_MAX_DIMS + 2] = {0}, size[2] = {0, 0};
    int lead = 0;
    gx_dtype d = GX_NO_DTYPE;
    if (!parts || !heads) return gx_np_end(&s, false);
    for (int64_t i = 0; i < t->count; i++) {
        gx_array *a = gx_np_arr(&s, t->items[i]);
        if (a && a->ndim < 2) a = gx_np_expand(&s, a, 2, a->ndim ? 1 : 3);
        if (!(parts[i] = a) || !add_block(&s, a, &heads[i], size, &d)) return gx_np_end(&s, false);
    }
    if (!t->count) size[0] = 1;
    if (t->count && !gx_broadcast_shapes(c->rt, (int)t->count, heads, &lead, shape))
        return gx_np_end(&s, false);
    if (lead + 2 > GX_MAX_DIMS)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "block_diag.dims",
                                     "block_diag: more than %d axes", GX_MAX_DIMS));
    memcpy(shape + lead, size, sizeof size);
    gx_array *r = gx_np_zeros(&s, d == GX_NO_DTYPE ? GX_f64 : d, lead + 2, shape);
    r = gx_np_copy(&s, r, 'C');
    if (!r || !put_blocks(&s, r, t->count, parts)) return gx_np_end(&s, false);
    return gx_np_give_array(&s, r, out);
}

/* The elements of `line` at first + by_row * i + by_column * j. */
static gx_array *spread(gx_np *s, gx_array *line, int64_t rows, int64_t columns, int64_t first,
                        int64_t by_row, int64_t by_column, int64_t around) {
    gx_array *i = gx_np_expand(s, gx_np_iota(s, rows), 2, 2);
    gx_array *j = gx_np_expand(s, gx_np_iota(s, columns), 2, 1);
    i = gx_np_op2(s, GX_OP_multiply, i, gx_np_i64(s, by_row));
    j = gx_np_op2(s, GX_OP_multiply, j, gx_np_i64(s, by_column));
    gx_array *at = gx_np_op2(s, GX_OP_add, gx_np_op2(s, GX_OP_add, i, j), gx_np_i64(s, first));
    if (around) at = gx_np_op2(s, GX_OP_remainder, at, gx_np_i64(s, around));
    return gx_np_take(s, line, at, 0);
}

static gx_array *line_arg(gx_np *s, gx_borrowed v) {
    return gx_np_flat(s, gx_np_arr1(s, v));
}

static bool one_toeplitz(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *col = line_arg(&s, c->argv[0]), *row;
    if (gx_arg_some(c, 1))
        row = line_arg(&s, c->argv[1]);
    else
        row = col && gx_dtype_kind(col->dtype) == GX_KIND_CPLX ? gx_np_op1(&s, GX_OP_conjugate, col)
                                                               : col;
    if (!col || !row) return gx_np_end(&s, false);
    int64_t n = col->count, m = row->count;
    if (!n || !m) {
        const int64_t shape[2] = {n, m};
        return gx_np_give_array(&s, gx_np_zeros(&s, (gx_dtype)col->dtype, 2, shape), out);
    }
    /* The column upwards, then the row without its first. */
    gx_array *const parts[2] = {gx_np_slice(&s, col, 0, n - 1, -1, n),
                                gx_np_slice(&s, row, 0, m > 1, 1, m - 1)};
    gx_array *line = parts[0] && parts[1] ? gx_np_concat(&s, 2, parts, 0, GX_NO_DTYPE) : NULL;
    return gx_np_give_array(&s, spread(&s, line, n, m, n - 1, -1, 1, 0), out);
}

static bool hankel_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *col = line_arg(&s, c->argv[0]), *row = NULL;
    if (!col) return gx_np_end(&s, false);
    row = gx_arg_some(c, 1) ? line_arg(&s, c->argv[1])
                            : gx_np_zeros(&s, (gx_dtype)col->dtype, 1, &col->count);
    if (!row) return gx_np_end(&s, false);
    int64_t n = col->count, m = row->count;
    gx_array *const parts[2] = {col, gx_np_slice(&s, row, 0, m > 0, 1, m ? m - 1 : 0)};
    gx_array *line = parts[1] ? gx_np_concat(&s, 2, parts, 0, GX_NO_DTYPE) : NULL;
    return gx_np_give_array(&s, spread(&s, line, n, m, 0, 1, 1, 0), out);
}

static bool one_circulant(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *col = line_arg(&s, c->argv[0]);
    if (!col) return gx_np_end(&s, false);
    return gx_np_give_array(
        &s, spread(&s, col, col->count, col->count, 0, 1, -1, col->count ? col->count : 1), out);
}

/* --- systems --- */

/* Numbers of 16 bits fit into the float32 of LAPACK. */
static gx_array *for_lapack(gx_np *s, gx_array *a) {
    return a && gx_can_cast((gx_dtype)a->dtype, GX_f32, GX_CAST_SAFE) ? gx_np_cast(s, a, GX_f32)
                                                                      : a;
}

static bool is_finite(gx_np *s, gx_array *a) {
    gx_array *all = a ? gx_np_reduce(s, GX_RED_all, gx_np_op1(s, GX_OP_isfinite, a),
                                     gx_np_first(a->ndim), false, GX_NO_DTYPE)
                      : NULL;
    gx_scalar yes;
    if (!all || !gx_array_item(s->rt, all, &yes)) return false;
    return yes.u8 || gx_fail(s->rt, GX_ValueError, "linalg.finite",
                             "array must not contain infs or NaNs");
}

static bool one_solve_triangular(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    bool lower, unit;
    int64_t trans = 0;
    bool finite;
    if (!a || !b || !gx_arg_bool(c, 3, &lower) || !gx_arg_bool(c, 4, &unit) ||
        !gx_arg_bool(c, 6, &finite))
        return gx_np_end(&s, false);
    a = for_lapack(&s, a);
    b = for_lapack(&s, b);
    if (finite && !(is_finite(&s, a) && is_finite(&s, b))) return gx_np_end(&s, false);
    if (c->argv[2].tag == GX_STR) {
        const char *t = gx_as_str(c->argv[2])->text;
        trans = *t == 'T' ? 1 : *t == 'C' ? 2 : 0;
    } else if (!gx_arg_int(c, 2, &trans))
        return gx_np_end(&s, false);
    if (a->ndim != 2 || gx_shape(a)[0] != gx_shape(a)[1])
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "triangular.square", "expected square matrix"));
    if (!b->ndim || gx_shape(b)[0] != gx_shape(a)[0])
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "triangular.shape",
                                     "shapes of a and b are incompatible: %lld and %lld rows",
                                     (long long)gx_shape(a)[0],
                                     (long long)(b->ndim ? gx_shape(b)[0] : 0)));
    const gx_value argv[2] = {gx_np_value(a), gx_int(unit ? lower ? -1 : 1 : 0)};
    gx_array *half = gx_np_call_values(&s, lower ? "tril" : "triu", 2, argv);
    if (unit) {
        const gx_value n[1] = {gx_int(gx_shape(a)[0])};
        gx_array *one = gx_np_call_values(&s, "eye", 1, n);
        half = half ? gx_np_op2(&s, GX_OP_add, half, gx_np_cast(&s, one, (gx_dtype)half->dtype))
                    : NULL;
    }
    if (trans && half) half = gx_np_transposed(&s, half);
    if (trans == 2 && half && gx_dtype_kind(half->dtype) == GX_KIND_CPLX)
        half = gx_np_op1(&s, GX_OP_conjugate, half);
    return gx_np_give_array(&s, gx_np_call_arrays(&s, "linalg.solve", 2, half, b), out);
}

/* e to a matrix: halved until small, Padé's fraction of degree 13, squared back. */
static gx_array *exponential(gx_np *s, gx_array *a, double norm) {
    static const double b[14] = {64764752532480000.,
                                 32382376266240000.,
                                 7771770303897600.,
                                 1187353796428800.,
                                 129060195264000.,
                                 10559470521600.,
                                 670442572800.,
                                 33522128640.,
                                 1323241920.,
                                 40840800.,
                                 960960.,
                                 16380.,
                                 182.,
                                 1.};
    int times = 0;
    if (norm > 5.371920351148152) times = (int)ceil(log2(norm / 5.371920351148152));
    const gx_value n[1] = {gx_int(gx_shape(a)[0])};
    gx_array *one = gx_np_call_values(s, "eye", 1, n);
    a = gx_np_op2(s, GX_OP_multiply, a, gx_np_f64(s, ldexp(1, -times)));
    gx_array *a2 = gx_np_matmul(s, a, a), *power = one, *u = NULL, *v = NULL;
    for (int k = 0; k < 7; k++) {
        gx_array *even = gx_np_op2(s, GX_OP_multiply, power, gx_np_f64(s, b[2 * k]));
        gx_array *odd = gx_np_op2(s, GX_OP_multiply, power, gx_np_f64(s, b[2 * k + 1]));
        v = k ? gx_np_op2(s, GX_OP_add, v, even) : even;
        u = k ? gx_np_op2(s, GX_OP_add, u, odd) : odd;
        power = gx_np_matmul(s, power, a2);
    }
    u = gx_np_matmul(s, a, u);
    gx_array *r = gx_np_call_arrays(s, "linalg.solve", 2, gx_np_op2(s, GX_OP_subtract, v, u),
                                    gx_np_op2(s, GX_OP_add, v, u));
    for (int i = 0; r && i < times; i++) r = gx_np_matmul(s, r, r);
    return r;
}

static bool one_expm(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    gx_scalar norm = {.f64 = 0};
    if (!a) return gx_np_end(&s, false);
    if (a->ndim != 2 || gx_shape(a)[0] != gx_shape(a)[1])
        return gx_np_end(
            &s, gx_fail(c->rt, GX_LinAlgError, "expm.square", "expm: a square matrix is needed"));
    gx_dtype d = gx_np_is_float(a->dtype) ? (gx_dtype)a->dtype : GX_f64;
    if (gx_is_half(d)) d = GX_f32;
    a = gx_np_cast(&s, a, gx_dtype_kind(d) == GX_KIND_CPLX ? GX_c128 : GX_f64);
    if (!a || !a->count) return gx_np_give_array(&s, a, out);
    gx_array *sums =
        gx_np_reduce(&s, GX_RED_sum, gx_np_op1(&s, GX_OP_absolute, a), 1, false, GX_NO_DTYPE);
    sums = gx_np_reduce(&s, GX_RED_max, sums, 1, false, GX_NO_DTYPE);
    if (!sums || !gx_array_item(c->rt, sums, &norm)) return gx_np_end(&s, false);
    if (!isfinite(norm.f64)) /* nan all over */
        return gx_np_give_array(
            &s, gx_np_cast(&s, gx_np_op3(&s, GX_OP_where, gx_np_op1(&s, GX_OP_isnan, a), a,
                                         gx_np_weak(&s, (gx_dtype)a->dtype, NAN)), d), out);
    return gx_np_give_array(&s, gx_np_cast(&s, exponential(&s, a, norm.f64), d), out);
}

/* --- tensors --- */

static bool tensorsolve_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    if (!a || !b) return gx_np_end(&s, false);
    if (gx_arg_some(c, 2)) { /* axes that go to the end */
        gx_value t;
        if (!gx_tuple_of(c->rt, c->argv[2], &t) || !gx_np_hold(&s, t)) return gx_np_end(&s, false);
        uint64_t mask = 0;
        int perm[GX_MAX_DIMS], n = 0;
        for (int64_t i = 0; i < gx_as_tuple(t)->count; i++) {
            int axis;
            int64_t k;
            gx_try is = gx_as_index(c->rt, gx_as_tuple(t)->items[i], &k);
            if (is == GX_TRY_NO) gx_arg_wrong(c, 2, "integers");
            if (is != GX_TRY_YES || !gx_axis(c->rt, k, a->ndim, &axis)) return gx_np_end(&s, false);
            mask |= UINT64_C(1) << axis;
        }
        for (int i = 0; i < a->ndim; i++)
            if (!(mask >> i & 1)) perm[n++] = i;
        for (int i = 0; i < a->ndim; i++)
            if (mask >> i & 1) perm[n++] = i;
        gx_array *turned = NULL;
        if (!gx_transpose(c->rt, a, perm, &turned)) return gx_np_end(&s, false);
        a = gx_np_own(&s, turned);
    }
    int more = a ? a->ndim - b->ndim : 0;
    int64_t n = more >= 0 && a ? gx_np_size(more, gx_shape(a) + b->ndim) : -1;
    if (n < 0 || n * n != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_LinAlgError, "tensorsolve.shape",
                                     "Input arrays must satisfy the requirement             prod("
                                     "a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"));
    int64_t square[2] = {n, n}, shape[GX_MAX_DIMS];
    memcpy(shape, gx_shape(a) + b->ndim, (size_t)more * sizeof *shape);
    gx_array *r = gx_np_call_arrays(&s, "linalg.solve", 2, gx_np_reshape(&s, a, 2, square),
                                    gx_np_flat(&s, b));
    return gx_np_give_array(&s, gx_np_reshape(&s, r, more, shape), out);
}

static bool tensorinv_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    int64_t ind, shape[GX_MAX_DIMS];
    if (!a || !gx_arg_int(c, 1, &ind)) return gx_np_end(&s, false);
    if (a->ndim == 0 && ind > 0)
        return gx_np_end(&s, gx_arg_wrong(c, 0, "an array of at least one dimension"));
    if (ind <= 0)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "tensorinv.ind", "Invalid ind argument."));
    int k = ind > a->ndim ? a->ndim : (int)ind, more = a->ndim - k;
    int64_t n = gx_np_size(more, gx_shape(a) + k), square[2] = {n, n};
    if (n * n != a->count)
        return gx_np_end(&s, gx_fail(c->rt, GX_LinAlgError, "linalg.square",
                                     "Last 2 dimensions of the array must be square"));
    memcpy(shape, gx_shape(a) + k, (size_t)more * sizeof *shape);
    memcpy(shape + more, gx_shape(a), (size_t)k * sizeof *shape);
    gx_array *r = gx_np_call_arrays(&s, "linalg.inv", 1, gx_np_reshape(&s, a, 2, square));
    return gx_np_give_array(&s, gx_np_reshape(&s, r, a->ndim, shape), out);
}

/* --- stacks of them --- */

static bool toeplitz_fn(gx_call *c, gx_value *out) {
    return gx_sp_batch(c, one_toeplitz, out);
}

static bool circulant_fn(gx_call *c, gx_value *out) {
    return gx_sp_batch(c, one_circulant, out);
}

static bool solve_triangular_fn(gx_call *c, gx_value *out) {
    return gx_sp_batch(c, one_solve_triangular, out);
}

static bool expm_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (a && a->count == 1 && a->ndim < 2) { /* a number is a matrix of one element */
        const int64_t one[2] = {1, 1};
        const bool complex = gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
        a = gx_np_cast(&s, gx_np_reshape(&s, a, 2, one), complex ? GX_c128 : GX_f64);
        return gx_np_give_array(&s, gx_np_op1(&s, GX_OP_exp, a), out);
    }
    if (!gx_np_end(&s, a != NULL)) return false;
    return gx_sp_batch(c, one_expm, out);
}

const gx_native gx_np_tensor_functions[] = {
    {"tensorsolve", "tensorsolve(a, b, axes=None)",
     "The x with tensordot(a, x, x.ndim) equal to b.",
     "linalg.tensorsolve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0])  # [1.  0.5]", tensorsolve_fn, 0, 0},
    {"tensorinv", "tensorinv(a, ind=2)", "The inverse for tensordot of a tensor.",
     "linalg.tensorinv([[2.0, 0.0], [0.0, 4.0]], ind=1).tolist()  # [[0.5, 0.0], [0.0, 0.25]]",
     tensorinv_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_sp_linalg_functions[] = {
    {"block_diag", "block_diag(*arrs)", "Matrices along a diagonal, zeros elsewhere.",
     "block_diag([[1]], [[2, 3]]).tolist()  # [[1, 0, 0], [0, 2, 3]]", block_diag_fn, 0, 0},
    {"toeplitz", "toeplitz(c, r=None)",
     "The matrix with equal elements along each diagonal, from its first column and row.",
     "toeplitz([1, 2], [1, 5, 6]).tolist()  # [[1, 5, 6], [2, 1, 5]]", toeplitz_fn, 0, 0},
    {"hankel", "hankel(c, r=None)",
     "The matrix with equal elements along each antidiagonal, from its first column and last row.",
     "hankel([1, 2], [9, 3]).tolist()  # [[1, 2], [2, 3]]", hankel_fn, 0, 0},
    {"circulant", "circulant(c)", "The matrix whose columns are c, each shifted down by one more.",
     "circulant([1, 2, 3]).tolist()  # [[1, 3, 2], [2, 1, 3], [3, 2, 1]]", circulant_fn, 0, 0},
    {"solve_triangular",
     "solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, "
     "check_finite=True)",
     "The solution of a triangular system.",
     "solve_triangular([[2.0, 0.0], [1.0, 1.0]], [2.0, 3.0], lower=True)  # [1. 2.]",
     solve_triangular_fn, 0, 0},
    {"expm", "expm(A)", "The exponential of a matrix.",
     "expm([[0.0, 1.0], [0.0, 0.0]]).round(6).tolist()  # [[1.0, 1.0], [0.0, 1.0]]", expm_fn, 0, 0},
    {.name = NULL},
};
