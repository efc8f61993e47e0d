/* Products of arrays: dot, matmul, inner, outer, tensordot, vdot. Sums of products go
   to the runtime's matmul; the rest is broadcasting. */
#include <string.h>

#include "stdlib/numpy/base/scope.h"
#include "stdlib/numpy/object/extras.h"

extern const gx_native gx_np_products_functions[];

static bool may_become(gx_rt *rt, const gx_array *a, int i, gx_dtype d, gx_casting rule) {
    return gx_can_cast((gx_dtype)a->dtype, d, rule) ||
           gx_fail(rt, GX_UFuncTypeError, "dtype.casting",
                   "Cannot cast ufunc 'matmul' input %d from dtype('%s') to dtype('%s') with this "
                   "casting rule",
                   i, gx_dtypes[a->dtype].name, gx_dtypes[d].name);
}

static bool matmul_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    if (!gx_np_dtype_arg(c, 5, &d)) return false;
    if (gx_arg_given(c, 6)) return gx_np_with_axes(c, 6, 2, out);
    gx_borrowed dest;
    if (!gx_np_ufunc_out_arg(c, 2, &dest)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    gx_casting rule;
    char order = 'K';
    if (!a || !b || !gx_casting_of(c->rt, c->argv[3], &rule) || !gx_np_order_arg(c, 4, &order))
        return gx_np_end(&s, false);
    const gx_dtype common = d != GX_NO_DTYPE ? d : gx_promote(a->dtype, b->dtype);
    if (!may_become(c->rt, a, 0, common, rule) || !may_become(c->rt, b, 1, common, rule) ||
        !gx_np_core_out(&s, common, dest))
        return gx_np_end(&s, false);
    if (d != GX_NO_DTYPE) {
        a = gx_np_cast(&s, a, d);
        b = gx_np_cast(&s, b, d);
    }
    gx_array *r = gx_np_product(&s, a, b, "matmul");
    if (r && order != 'K' && r->ndim > 1) r = gx_np_copy(&s, r, order);
    return gx_np_give_core(&s, r, (a->ndim > 1) + (b->ndim > 1), dest, out);
}

/* --- tensordot --- */

/* a with the axes in `last` moved behind the others (or before them), as a matrix. */
static gx_array *as_matrix(gx_np *s, gx_array *a, int n, const int *axes, bool front, int *nfree,
                           int64_t *free_shape) {
    int perm[GX_MAX_DIMS], at = 0;
    uint64_t used = 0;
    int64_t shape[2] = {1, 1}, folded = 1, left = 1;
    gx_array *t = NULL;
    for (int i = 0; i < n; i++) {
        used |= UINT64_C(1) << axes[i];
        folded *= gx_shape(a)[axes[i]];
    }
    if (front)
        for (int i = 0; i < n; i++) perm[at++] = axes[i];
    *nfree = 0;
    for (int i = 0; i < a->ndim; i++)
        if (!(used >> i & 1)) {
            perm[at++] = i;
            free_shape[(*nfree)++] = gx_shape(a)[i];
            left *= gx_shape(a)[i];
        }
    if (!front)
        for (int i = 0; i < n; i++) perm[at++] = axes[i];
    shape[front ? 0 : 1] = folded;
    shape[front ? 1 : 0] = left;
    if (!gx_transpose(s->rt, a, perm, &t)) return NULL;
    return gx_np_reshape(s, gx_np_own(s, t), 2, shape);
}

/* Sum over n pairs of axes. */
static gx_array *tensordot(gx_np *s, gx_array *a, gx_array *b, int n, const int *x, const int *y) {
    int na, nb;
    int64_t shape[2 * GX_MAX_DIMS];
    if (!a || !b) return NULL;
    for (int i = 0; i < n; i++)
        if (gx_shape(a)[x[i]] != gx_shape(b)[y[i]]) {
            gx_fail(s->rt, GX_ValueError, "tensordot.shape", "shape-mismatch for sum");
            return NULL;
        }
    gx_array *m = as_matrix(s, a, n, x, false, &na, shape);
    gx_array *k = m ? as_matrix(s, b, n, y, true, &nb, shape + na) : NULL;
    return k ? gx_np_reshape(s, gx_np_product(s, m, k, "dot"), na + nb, shape) : NULL;
}

static bool blas_computes(const gx_array *r) {
    return gx_np_is_float(r->dtype) && r->dtype != GX_f16;
}

/* An array times a number: of a matrix of floats in C order, as NumPy's, where BLAS computes it. */
static gx_array *scaled(gx_np *s, gx_array *a, gx_array *b) {
    gx_array *r = gx_np_op2(s, GX_OP_multiply, a, b);
    return r && r->ndim <= 2 && blas_computes(r) ? gx_np_contiguous(s, r) : r;
}

static gx_array *dot(gx_np *s, gx_array *a, gx_array *b) {
    if (!a || !b) return NULL;
    if (a->ndim == 0 || b->ndim == 0) return scaled(s, a, b);
    if (a->ndim <= 2 && b->ndim <= 2) return gx_np_product(s, a, b, "dot");
    const int x = a->ndim - 1, y = b->ndim > 1 ? b->ndim - 2 : 0;
    if (gx_shape(a)[x] != gx_shape(b)[y]) {
        gx_fail(s->rt, GX_ValueError, "shape.dot",
                "shapes not aligned: %lld (dim %d) != %lld (dim %d)", (long long)gx_shape(a)[x], x,
                (long long)gx_shape(b)[y], y);
        return NULL;
    }
    return tensordot(s, a, b, 1, &x, &y);
}

static bool dot_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    gx_array *r = dot(&s, a, b);
    const bool product = r && (!a->ndim || !b->ndim) && (r->ndim > 2 || !blas_computes(r));
    if (r && !product && gx_is_array(c->argv[2])) {
        const gx_array *to = gx_as_array(c->argv[2]);
        if (to->dtype != r->dtype || to->ndim != r->ndim || !gx_array_is_contiguous(to, 'C') ||
            memcmp(gx_shape(to), gx_shape(r), (size_t)r->ndim * sizeof(int64_t)) != 0)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "dot.out",
                                         "output array is not acceptable (must have the right "
                                         "datatype, number of dimensions, and be a C-Array)"));
    }
    if (gx_is_array(c->argv[2]) && gx_as_array(c->argv[2])->ndim == 0)
        return gx_np_store_out(&s, r, c->argv[2]) ? gx_np_give(&s, r, out) : gx_np_end(&s, false);
    return gx_np_give_spread(&s, r, 0, c->argv[2], out);
}

/* An axes item of tensordot: an int or ints. */
static bool axis_items(gx_rt *rt, gx_borrowed v, int ndim, int *n, int *axes) {
    int64_t one;
    gx_try is = gx_as_index(rt, v, &one);
    if (is == GX_TRY_ERROR) return false;
    *n = 1;
    if (is == GX_TRY_YES) return gx_axis(rt, one, ndim, axes);
    gx_value t;
    if (!gx_tuple_of(rt, v, &t)) return false;
    gx_tuple *items = gx_as_tuple(t);
    bool ok = items->count <= ndim ||
              gx_fail(rt, GX_ValueError, "tensordot.axes", "more axes than the array has");
    for (int i = 0; ok && i < (int)items->count; i++) {
        is = gx_as_index(rt, items->items[i], &one);
        if (is == GX_TRY_NO)
            gx_fail(rt, GX_TypeError, "tensordot.axes", "an axis must be an integer");
        ok = is == GX_TRY_YES && gx_axis(rt, one, ndim, &axes[i]);
    }
    *n = (int)items->count;
    gx_drop(t);
    return ok;
}

static bool tensordot_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    int n = 0, m = 0, x[GX_MAX_DIMS], y[GX_MAX_DIMS];
    int64_t k;
    if (!a || !b) return gx_np_end(&s, false);
    gx_try is = gx_as_index(c->rt, c->argv[2], &k);
    if (is == GX_TRY_ERROR) return gx_np_end(&s, false);
    if (is == GX_TRY_YES) {
        if (k > a->ndim || k > b->ndim)
            return gx_np_end(&s, gx_fail(c->rt, GX_AxisError, "tensordot.axes",
                                         "%lld axes to sum over are more than the arrays have",
                                         (long long)k));
        for (n = m = 0; n < k; n++, m++) {
            x[n] = a->ndim - (int)k + n;
            y[n] = n;
        }
    } else {
        gx_value pair;
        if (!gx_tuple_of(c->rt, c->argv[2], &pair) || !gx_np_hold(&s, pair))
            return gx_np_end(&s, false);
        gx_tuple *t = gx_as_tuple(pair);
        if (t->count != 2)
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "tensordot.axes",
                                         "axes must be an integer or a pair of axes"));
        if (!axis_items(c->rt, t->items[0], a->ndim, &n, x) ||
            !axis_items(c->rt, t->items[1], b->ndim, &m, y))
            return gx_np_end(&s, false);
    }
    if (n != m)
        return gx_np_end(&s,
                         gx_fail(c->rt, GX_ValueError, "tensordot.axes", "shape-mismatch for sum"));
    return gx_np_give_array(&s, tensordot(&s, a, b, n, x, y), out);
}

/* --- vectors --- */

static bool inner_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    if (!a || !b) return gx_np_end(&s, false);
    if (a->ndim == 0 || b->ndim == 0)
        return gx_np_give(&s, scaled(&s, a, b), out);
    const int x = a->ndim - 1, y = b->ndim - 1;
    if (gx_shape(a)[x] != gx_shape(b)[y])
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "shape.dot",
                                     "shapes not aligned: %lld (dim %d) != %lld (dim %d)",
                                     (long long)gx_shape(a)[x], x, (long long)gx_shape(b)[y], y));
    return gx_np_give(&s, gx_np_settled(&s, tensordot(&s, a, b, 1, &x, &y)), out);
}

static bool outer_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    gx_array *b = gx_np_flat(&s, gx_np_arr(&s, c->argv[1]));
    gx_array *r =
        gx_np_op2(&s, GX_OP_multiply, gx_np_expand(&s, a, 2, 2), gx_np_expand(&s, b, 2, 1));
    return gx_np_give_spread(&s, r, 0, c->argv[2], out);
}

static gx_array *conjugated(gx_np *s, gx_array *a) {
    return a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX ? gx_np_op1(s, GX_OP_conjugate, a) : a;
}

static bool vdot_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_flat(&s, gx_np_arr(&s, c->argv[0]));
    gx_array *b = gx_np_flat(&s, gx_np_arr(&s, c->argv[1]));
    return gx_np_give(&s, gx_np_matmul(&s, conjugated(&s, a), b), out);
}

/* vecdot: along the last axis (or another), with broadcasting. */
static bool vecdot_fn(gx_call *c, gx_value *out) {
    gx_borrowed dest;
    if (!gx_np_ufunc_out_arg(c, 2, &dest)) return false;
    if (gx_arg_given(c, 4)) {
        if (gx_arg_given(c, 3))
            return gx_fail(c->rt, GX_TypeError, "ufunc.axes",
                           "cannot specify both 'axis' and 'axes'");
        return gx_np_with_axes(c, 4, 2, out);
    }
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    int i, k;
    if (a && b && !gx_np_core_out(&s, gx_promote(a->dtype, b->dtype), dest))
        return gx_np_end(&s, false);
    if (a && b && (a->ndim == 0 || b->ndim == 0))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "vecdot.dims",
                                     "vecdot needs arrays of at least one dimension"));
    if (!a || !b || !gx_np_axis_arg(c, 3, a->ndim, a->ndim - 1, &i) ||
        !gx_np_axis_arg(c, 3, b->ndim, b->ndim - 1, &k))
        return gx_np_end(&s, false);
    if (gx_shape(a)[i] != gx_shape(b)[k])
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "vecdot.size",
                                     "vecdot: Input operand 1 has a mismatch in its core dimension "
                                     "0, with gufunc signature (n),(n)->() (size %lld is different "
                                     "from %lld)",
                                     (long long)gx_shape(b)[k], (long long)gx_shape(a)[i]));
    gx_array *p =
        gx_np_op2(&s, GX_OP_multiply, conjugated(&s, gx_np_moveaxis(&s, a, i, a->ndim - 1)),
                  gx_np_moveaxis(&s, b, k, b->ndim - 1));
    if (!p) return gx_np_end(&s, false);
    const gx_redcode sum = p->dtype == GX_bool ? GX_RED_any : GX_RED_sum; /* True + True is True */
    gx_array *r =
        gx_np_reduce(&s, sum, p, UINT64_C(1) << (p->ndim - 1), false, (gx_dtype)p->dtype);
    if (r && gx_is_array(dest)) r = gx_np_less_axes(&s, r, gx_as_array(dest)->ndim);
    return gx_np_give_core(&s, r, 0, dest, out);
}

const gx_native gx_np_products_functions[] = {
    {"matmul",
     "matmul(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, "
     "axes=<no value>)",
     "Matrix product over the last two axes, the axes before broadcast; ValueError if sizes do not "
     "match.",
     "matmul([[1, 2], [3, 4]], [1, 1])  # [3 7]", matmul_fn, GX_NATIVE_UFUNC, 0},
    {"dot", "dot(a, b, out=None)",
     "Dot product: of vectors their inner product, of matrices a @ b; else over a's last and b's "
     "next-to-last axis.",
     "dot([1, 2], [3, 4])  # 11", dot_fn, GX_NATIVE_METHOD, 0},
    {"inner", "inner(a, b)",
     "Inner product: the sum of products over the last axes of a and b, which must be equally "
     "long.",
     "inner([1, 2], [3, 4])  # 11", inner_fn, 0, 0},
    {"outer", "outer(a, b, out=None)",
     "Outer product: each element of the flattened a times each of b, of shape (a.size, b.size).",
     "outer([1, 2], [3, 4]).tolist()  # [[3, 4], [6, 8]]", outer_fn, 0, 0},
    {"tensordot", "tensordot(a, b, axes=2)",
     "Tensor product summed over a's last and b's first `axes` axes, or over a pair of lists of "
     "axes.",
     "tensordot([1, 2], [3, 4], axes=1)  # 11", tensordot_fn, 0, 0},
    {"vdot", "vdot(a, b, /)",
     "Dot product of the flattened arrays, as one number; a is conjugated.",
     "vdot([1j, 2], [1j, 3])  # (7+0j)", vdot_fn, 0, 0},
    {"vecdot", "vecdot(x1, x2, /, out=None, *, axis=-1, axes=<no value>)",
     "Dot product of vectors along an axis, other axes broadcast; x1 is conjugated.",
     "vecdot([[1, 2], [3, 4]], [1, 1])  # [3 7]", vecdot_fn, GX_NATIVE_UFUNC, 0},
    {.name = NULL},
};
