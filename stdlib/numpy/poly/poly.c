/* Polynomials as arrays of coefficients, the highest power first: polyval, polyadd, polysub,
   polymul, polydiv, polyder, polyint, poly, roots. Fitting is polyfit.c. */
#include <math.h>

#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/poly/poly.h"

extern const gx_native gx_np_poly_functions[];

/* a as 1-d coefficients. */
static gx_array *coefficients(gx_np *s, gx_borrowed v) {
    gx_array *a = gx_np_arr1(s, v);
    if (a && a->ndim > 1) {
        gx_fail(s->rt, GX_ValueError, "poly.dims", "Polynomial must be 1d only.");
        return NULL;
    }
    return a;
}

/* Coefficients as they are given back: a poly1d where one of the first n arguments was one. */
static bool give(gx_np *s, gx_call *c, int n, gx_array *a, gx_value *out) {
    for (int i = 0; i < n; i++)
        if (gx_np_poly1d_of(c->argv[i])) return gx_np_give_poly1d(s, a, out);
    return gx_np_give_array(s, a, out);
}

/* --- values --- */

static bool polyval_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_np_poly1d *inner = gx_np_poly1d_of(c->argv[1]);
    gx_array *p = gx_np_arr1(&s, c->argv[0]), *x;
    if (inner) return gx_np_give_poly1d(&s, gx_np_poly1d_at(&s, p, inner->c), out);
    x = gx_np_arr(&s, c->argv[1]);
    if (!p || !x) return gx_np_end(&s, false);
    gx_array *y = gx_np_call_arrays(&s, "zeros_like", 1, x);
    for (int64_t i = 0; y && i < gx_shape(p)[0]; i++)
        y = gx_np_op2(&s, GX_OP_add, gx_np_op2(&s, GX_OP_multiply, y, x), gx_np_at(&s, p, 0, i));
    return gx_np_give(&s, y, out);
}

/* --- sums --- */

/* n zeros before a. */
static gx_array *padded(gx_np *s, gx_array *a, int64_t n) {
    if (n <= 0) return a;
    gx_array *const parts[2] = {gx_np_zeros(s, a ? (gx_dtype)a->dtype : GX_f64, 1, &n), a};
    return gx_np_concat(s, 2, parts, 0, GX_NO_DTYPE);
}

static gx_array *combine(gx_np *s, gx_opcode op, gx_array *a, gx_array *b) {
    if (!a || !b) return NULL;
    if (gx_shape(a)[0] == gx_shape(b)[0]) return gx_np_op2(s, op, a, b); /* of any dimensions */
    if (a->ndim > 1 || b->ndim > 1) {
        gx_fail(s->rt, GX_ValueError, "poly.dims", "Polynomial must be 1d only.");
        return NULL;
    }
    return gx_np_op2(s, op, padded(s, a, b->count - a->count), padded(s, b, a->count - b->count));
}

gx_array *gx_np_poly_plus(gx_np *s, gx_array *a, gx_array *b) {
    return combine(s, GX_OP_add, a, b);
}

static bool polyadd_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr1(&s, c->argv[0]), *b = gx_np_arr1(&s, c->argv[1]);
    return give(&s, c, 2, combine(&s, GX_OP_add, a, b), out);
}

static bool polysub_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr1(&s, c->argv[0]), *b = gx_np_arr1(&s, c->argv[1]);
    return give(&s, c, 2, combine(&s, GX_OP_subtract, a, b), out);
}

/* --- products --- */

/* Is the element at i zero? Only asked of real and complex coefficients on the host. */
static bool zero_at(gx_np *s, gx_array *a, int64_t i, bool *ok) {
    gx_scalar x = {.bits = {0, 0}};
    *ok = *ok && gx_array_item_at(s->rt, a, i, &x);
    gx_scalar y = gx_scalar_cast((gx_dtype)a->dtype, GX_c128, &x);
    return *ok && y.c128.re == 0 && y.c128.im == 0;
}

gx_array *gx_np_poly_trim(gx_np *s, gx_array *a, bool back) {
    bool ok = a != NULL;
    if (!ok) return NULL;
    int64_t first = 0, end = a->count;
    while (first < end && zero_at(s, a, first, &ok)) first++;
    while (back && end > first && zero_at(s, a, end - 1, &ok)) end--;
    return ok ? gx_np_slice(s, a, 0, first, 1, end - first) : NULL;
}

gx_array *gx_np_poly_times(gx_np *s, gx_array *a, gx_array *b) {
    return gx_np_call_arrays(s, "convolve", 2, a, b);
}

static bool polymul_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_poly_trim(&s, coefficients(&s, c->argv[0]), false);
    gx_array *b = gx_np_poly_trim(&s, coefficients(&s, c->argv[1]), false);
    const int64_t one = 1;
    if (a && !a->count) a = gx_np_zeros(&s, (gx_dtype)a->dtype, 1, &one);
    if (b && !b->count) b = gx_np_zeros(&s, (gx_dtype)b->dtype, 1, &one);
    return give(&s, c, 2, gx_np_poly_times(&s, a, b), out);
}

/* Quotient and remainder: poly1d where an operand was one. */
static bool give_pair(gx_np *s, gx_call *c, gx_array *q, gx_array *r, gx_value *out) {
    gx_array *const both[2] = {q, r};
    gx_value pair[2];
    if (!gx_np_poly1d_of(c->argv[0]) && !gx_np_poly1d_of(c->argv[1]))
        return gx_np_give_tuple(s, 2, both, out);
    for (int i = 0; i < 2; i++) {
        gx_np one = gx_np_begin_at(s->rt, s->ns);
        if (!both[i] || !gx_np_give_poly1d(&one, both[i], &pair[i]) || !gx_np_hold(s, pair[i]))
            return gx_np_end(s, false);
    }
    return gx_np_end(s, gx_tuple_new(s->rt, 2, pair, out));
}

static bool polydiv_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *u = coefficients(&s, c->argv[0]), *v = coefficients(&s, c->argv[1]);
    gx_array *w =
        u && v ? gx_np_op2(&s, GX_OP_add, gx_np_at(&s, u, 0, 0), gx_np_at(&s, v, 0, 0)) : NULL;
    if (!w) return gx_np_end(&s, false);
    gx_dtype d = gx_np_is_float(w->dtype) ? (gx_dtype)w->dtype : GX_f64;
    int64_t m = u->count - 1, n = v->count - 1, count = m - n + 1 > 1 ? m - n + 1 : 1;
    gx_array *q = gx_np_zeros(&s, d, 1, &count), *r = gx_np_fresh(&s, u, d);
    gx_array *scale = gx_np_op2(&s, GX_OP_divide, gx_np_f64(&s, 1), gx_np_at(&s, v, 0, 0));
    scale = gx_np_cast(&s, scale, d);
    for (int64_t k = 0; q && r && scale && k <= m - n; k++) {
        gx_array *e = gx_np_op2(&s, GX_OP_multiply, scale, gx_np_at(&s, r, 0, k));
        gx_array *to = gx_np_slice(&s, r, 0, k, 1, n + 1), *at = gx_np_at(&s, q, 0, k);
        gx_array *less = gx_np_op2(&s, GX_OP_subtract, to, gx_np_op2(&s, GX_OP_multiply, e, v));
        if (!less || !at || !gx_array_store(c->rt, at, e) || !gx_array_store(c->rt, to, less))
            return gx_np_end(&s, false);
    }
    /* What is left, without the zeros before it (to the rounding that allclose allows). */
    while (r && r->count > 1) {
        gx_scalar x;
        if (!gx_array_item_at(c->rt, r, 0, &x)) return gx_np_end(&s, false);
        x = gx_scalar_cast(d, GX_c128, &x);
        if (!(hypot(x.c128.re, x.c128.im) <= 1e-8)) break;
        r = gx_np_slice(&s, r, 0, 1, 1, r->count - 1);
    }
    return give_pair(&s, c, q, r, out);
}

/* --- derivatives and integrals --- */

static bool order_arg(gx_call *c, const char *what, int64_t *m) {
    if (!gx_arg_int(c, 1, m)) return false;
    return *m >= 0 ||
           gx_fail(c->rt, GX_ValueError, "poly.order", "Order of %s must be positive (see %s)",
                   what, c->fn->name[4] == 'd' ? "polyint" : "polyder");
}

static bool polyder_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *p = coefficients(&s, c->argv[0]);
    int64_t m;
    if (!p || !order_arg(c, "derivative", &m)) return gx_np_end(&s, false);
    for (; p && m > 0; m--) {
        int64_t n = p->count - 1;
        if (n < 1) {
            n = 0;
            p = gx_np_zeros(&s, gx_promote((gx_dtype)p->dtype, GX_i64), 1, &n);
            break;
        }
        gx_array *powers = gx_np_slice(&s, gx_np_iota(&s, n + 1), 0, n, -1, n);
        p = gx_np_op2(&s, GX_OP_multiply, gx_np_slice(&s, p, 0, 0, 1, n), powers);
    }
    return give(&s, c, 1, p, out);
}

/* The k-th constant of integration of m: one stands for all. */
static gx_array *constant_of(gx_np *s, gx_array *k, int64_t i, int64_t m) {
    if (!k) return gx_np_f64(s, 0);
    if (k->count == 1 && m > 1) i = 0;
    return gx_np_at(s, k, 0, i);
}

static bool polyint_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *p = coefficients(&s, c->argv[0]), *k = NULL;
    int64_t m;
    if (!p || !order_arg(c, "integral", &m)) return gx_np_end(&s, false);
    if (gx_arg_some(c, 2) && !(k = gx_np_flat(&s, gx_np_arr1(&s, c->argv[2]))))
        return gx_np_end(&s, false);
    if (k && k->count != 1 && k->count < m)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "poly.constants",
                                     "k must be a scalar or a rank-1 array of length 1 or >m."));
    for (int64_t i = 0; p && i < m; i++) {
        int64_t n = p->count;
        gx_array *powers = gx_np_op2(
            &s, GX_OP_add, gx_np_slice(&s, gx_np_iota(&s, n + 1), 0, n, -1, n), gx_np_i64(&s, 0));
        gx_array *last = gx_np_expand(&s, constant_of(&s, k, i, m), 1, 1);
        gx_array *const parts[2] = {gx_np_op2(&s, GX_OP_divide, p, powers), last};
        p = parts[0] && last ? gx_np_concat(&s, 2, parts, 0, GX_NO_DTYPE) : NULL;
    }
    return give(&s, c, 1, p, out);
}

/* --- roots --- */

/* The eigenvalues of a; of a real one whose values are all real, their real parts. */
static gx_array *values_of(gx_np *s, gx_array *a) {
    gx_array *z = gx_np_call_arrays(s, "linalg.eigvals", 1, a);
    if (!a || !z || gx_dtype_kind((gx_dtype)a->dtype) == GX_KIND_CPLX) return z;
    gx_array *turned = gx_np_op2(s, GX_OP_not_equal, gx_np_op1(s, GX_OP_conjugate, z), z);
    gx_scalar any;
    turned = gx_np_reduce(s, GX_RED_any, turned, 1, false, GX_NO_DTYPE);
    if (!turned || !gx_array_item(s->rt, turned, &any)) return NULL;
    return any.b ? z : gx_np_copy(s, gx_np_real(s, z), 'C');
}

/* The eigenvalues of the companion matrix, and 0 for each zero at the end. */
static gx_array *roots_of(gx_np *s, gx_array *p) {
    gx_array *bare = gx_np_poly_trim(s, p, false);
    gx_array *inner = gx_np_poly_trim(s, p, true);
    int64_t none = 0;
    if (!bare || !inner) return NULL;
    if (!inner->count) return gx_np_zeros(s, GX_f64, 1, &none);
    int64_t zeros = bare->count - inner->count, n = inner->count;
    gx_dtype d = gx_np_is_float(inner->dtype) ? (gx_dtype)inner->dtype : GX_f64;
    gx_array *r = gx_np_zeros(s, GX_f64, 1, &none);
    inner = gx_np_cast(s, inner, d);
    if (n > 1) {
        const int64_t shape[2] = {n - 1, n - 1};
        gx_array *a = gx_np_zeros(s, d, 2, shape), *low = NULL;
        gx_array *row = gx_np_op2(
            s, GX_OP_divide, gx_np_op1(s, GX_OP_negative, gx_np_slice(s, inner, 0, 1, 1, n - 1)),
            gx_np_at(s, inner, 0, 0));
        gx_array *top = gx_np_at(s, a, 0, 0);
        if (!row || !top || !gx_array_store(s->rt, top, row)) return NULL;
        if (!gx_diagonal(s->rt, a, -1, 0, 1, &low)) return NULL;
        low = gx_np_own(s, low);
        gx_array *one = gx_np_weak_int(s, d, 1);
        if (!low || !one) return NULL;
        low->flags &= (uint8_t)~GX_ARRAY_READONLY;
        if (!gx_array_store(s->rt, low, one)) return NULL;
        r = values_of(s, a);
    }
    if (!zeros || !r) return r;
    gx_array *const parts[2] = {r, gx_np_zeros(s, (gx_dtype)r->dtype, 1, &zeros)};
    return gx_np_concat(s, 2, parts, 0, GX_NO_DTYPE);
}

static bool roots_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *p = gx_np_arr1(&s, c->argv[0]);
    if (p && p->ndim != 1)
        return gx_np_end(
            &s, gx_fail(c->rt, GX_ValueError, "poly.dims", "Input must be a rank-1 array."));
    return gx_np_give_array(&s, roots_of(&s, p), out);
}

/* Are the complex numbers pairs of a number and its conjugate? */
static bool conjugate_pairs(gx_np *s, gx_array *z, bool *out) {
    gx_array *a = gx_np_call_arrays(s, "sort", 1, z);
    gx_array *b = gx_np_call_arrays(s, "sort", 1, gx_np_op1(s, GX_OP_conjugate, z));
    gx_array *equal = gx_np_op2(s, GX_OP_equal, a, b);
    gx_scalar all;
    equal = gx_np_reduce(s, GX_RED_all, equal, 1, false, GX_NO_DTYPE);
    if (!equal || !gx_array_item(s->rt, equal, &all)) return false;
    *out = all.b;
    return true;
}

static bool poly_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *z = gx_np_arr1(&s, c->argv[0]);
    const int64_t one = 1;
    if (!z) return gx_np_end(&s, false);
    if (z->ndim == 2 && gx_shape(z)[0] == gx_shape(z)[1] && gx_shape(z)[0])
        z = values_of(&s, z);
    else if (z->ndim != 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "poly.dims",
                                     "input must be 1d or non-empty square 2d array."));
    if (!z) return gx_np_end(&s, false);
    if (!z->count) {
        *out = gx_float(1);
        return gx_np_end(&s, true);
    }
    gx_dtype d = gx_np_is_float(z->dtype) && !gx_is_half(z->dtype) ? (gx_dtype)z->dtype : GX_f64;
    bool pairs = false;
    z = gx_np_cast(&s, z, d);
    gx_array *ones = gx_np_expand(&s, gx_np_weak_int(&s, d, 1), 1, 1),
             *p = gx_np_weak_int(&s, d, 1);
    p = gx_np_broadcast(&s, p, 1, &one);
    for (int64_t i = 0; p && i < z->count; i++) {
        gx_array *root = gx_np_op1(&s, GX_OP_negative, gx_np_slice(&s, z, 0, i, 1, 1));
        gx_array *const parts[2] = {ones, root};
        if (!root) return gx_np_end(&s, false);
        p = gx_np_poly_times(&s, p, gx_np_concat(&s, 2, parts, 0, d));
    }
    if (p && gx_dtype_kind(d) == GX_KIND_CPLX && !conjugate_pairs(&s, z, &pairs))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, pairs ? gx_np_copy(&s, gx_np_real(&s, p), 'C') : p, out);
}

const gx_native gx_np_poly_functions[] = {
    {"polyval", "polyval(p, x)", "The value of a polynomial at x.", "polyval([1, 0, 2], 3)  # 11",
     polyval_fn, 0, 0},
    {"polyadd", "polyadd(a1, a2)", "The sum of two polynomials.",
     "polyadd([1, 2], [9, 5, 4])  # [9 6 6]", polyadd_fn, 0, 0},
    {"polysub", "polysub(a1, a2)", "The difference of two polynomials.",
     "polysub([2, 10, -2], [3, 10, -4])  # [-1  0  2]", polysub_fn, 0, 0},
    {"polymul", "polymul(a1, a2)", "The product of two polynomials.",
     "polymul([1, 2, 3], [9, 5, 1])  # [ 9 23 38 17  3]", polymul_fn, 0, 0},
    {"polydiv", "polydiv(u, v)", "Quotient and remainder of two polynomials.",
     "polydiv([3.0, 5.0, 2.0], [2.0, 1.0])[0]  # [1.5  1.75]", polydiv_fn, 0, 0},
    {"polyder", "polyder(p, m=1)", "The m-th derivative of a polynomial.",
     "polyder([1, 1, 1, 1])  # [3 2 1]", polyder_fn, 0, 0},
    {"polyint", "polyint(p, m=1, k=None)", "The m-th integral of a polynomial, with constants k.",
     "polyint([3, 2, 1])  # [1. 1. 1. 0.]", polyint_fn, 0, 0},
    {"roots", "roots(p)", "The roots of a polynomial.", "roots([1, -3, 2])  # [2. 1.]", roots_fn,
     0, 0},
    {"poly", "poly(seq_of_zeros)", "The polynomial with given roots, or of a matrix.",
     "poly([1, 2])  # [ 1. -3.  2.]", poly_fn, 0, 0},
    {.name = NULL},
};
