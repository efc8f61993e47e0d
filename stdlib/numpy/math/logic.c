/* Comparisons of whole arrays and questions about them: allclose, isclose, array_equal, isscalar,
   iscomplexobj, shares_memory, ndim, shape, size. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_logic_functions[];

static bool is_python_number(gx_borrowed v) {
    return v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_COMPLEX || v.tag == GX_BIGINT ||
           v.tag == GX_BOOL;
}

/* The dtype of a Python number beside an array, as a float. */
static gx_dtype beside(gx_borrowed number, const gx_array *a) {
    return gx_promote_weak((gx_dtype)a->dtype,
                           number.tag == GX_COMPLEX ? GX_KIND_CPLX : GX_KIND_FLOAT);
}

/* isclose: |a - b| <= atol + rtol |b|; infinities equal themselves, nan itself when asked. A Python
   number takes the other's dtype; the bound that it gives is found in float64. */
static gx_array *close_mask(gx_np *s, gx_call *c) {
    gx_array *x = gx_np_arr(s, c->argv[0]), *y = gx_np_arr(s, c->argv[1]);
    gx_array *rtol = gx_np_arr(s, c->argv[2]), *atol = gx_np_arr(s, c->argv[3]);
    bool nan;
    if (!x || !y || !rtol || !atol || !gx_arg_bool(c, 4, &nan)) return NULL;
    gx_dtype d = gx_promote((gx_dtype)x->dtype, (gx_dtype)y->dtype);
    if (!gx_np_is_float(d)) d = GX_f64;
    gx_array *fy = gx_np_cast(s, y, gx_np_is_float(y->dtype) ? (gx_dtype)y->dtype : d);
    gx_array *fx = gx_np_cast(s, x, gx_np_is_float(x->dtype) ? (gx_dtype)x->dtype : GX_f64);
    const bool weak_x = is_python_number(c->argv[0]), weak_y = is_python_number(c->argv[1]);
    gx_array *exact = fy;
    if (!fx || !fy) return NULL;
    if (weak_x && !weak_y) x = fx = gx_np_cast(s, fx, beside(c->argv[0], fy));
    if (weak_y && !weak_x) {
        exact = gx_np_cast(s, y, y->dtype == GX_c128 ? GX_c128 : GX_f64);
        y = fy = gx_np_cast(s, exact, beside(c->argv[1], fx));
        x = fx = gx_np_cast(s, fx, beside(c->argv[1], fx));
    }
    gx_array *distance = gx_np_op1(s, GX_OP_absolute, gx_np_op2(s, GX_OP_subtract, fx, fy));
    gx_array *size = gx_np_op1(s, GX_OP_absolute, exact);
    if (!size || !distance) return NULL;
    gx_dtype r = (gx_dtype)size->dtype;
    if (c->argv[2].tag == GX_FLOAT) rtol = gx_np_cast(s, rtol, r);
    if (c->argv[3].tag == GX_FLOAT) atol = gx_np_cast(s, atol, r);
    gx_array *bound = gx_np_op2(s, GX_OP_add, atol, gx_np_op2(s, GX_OP_multiply, rtol, size));
    if (weak_y && is_python_number(c->argv[2]) && is_python_number(c->argv[3]))
        bound = gx_np_cast(s, bound, (gx_dtype)distance->dtype);
    gx_array *near = gx_np_op2(s, GX_OP_less_equal, distance, bound);
    near = gx_np_op2(s, GX_OP_logical_and, near, gx_np_op1(s, GX_OP_isfinite, exact));
    gx_array *r2 = gx_np_op2(s, GX_OP_logical_or, near, gx_np_op2(s, GX_OP_equal, x, y));
    if (!nan) return r2;
    gx_array *both = gx_np_op2(s, GX_OP_logical_and, gx_np_op1(s, GX_OP_isnan, fx),
                               gx_np_op1(s, GX_OP_isnan, fy));
    return gx_np_op2(s, GX_OP_logical_or, r2, both);
}

static bool isclose_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return gx_np_give(&s, gx_np_viewed(&s, close_mask(&s, c)), out);
}

/* Whether a mask holds everywhere, as a Python bool. */
static bool give_all(gx_np *s, gx_array *mask, gx_value *out) {
    gx_array *all =
        mask ? gx_np_reduce(s, GX_RED_all, mask, gx_np_all(mask), false, GX_NO_DTYPE) : NULL;
    gx_scalar is;
    if (all && s->ns == GX_NS_CUPY) return gx_np_give(s, all, out);
    if (!all || !gx_array_item(s->rt, all, &is)) return gx_np_end(s, false);
    *out = gx_bool(is.b);
    return gx_np_end(s, true);
}

/* NumPy's functions give a bool of Python's. CuPy's give an array, which asks for no element: gx's
   a NumPy scalar, which is not fetched before it is needed. */
static bool give_bool(gx_np *s, bool is, gx_value *out) {
    const gx_scalar value = {.b = is};
    *out = gx_bool(is);
    return gx_np_end(s, s->ns != GX_NS_CUPY || gx_scalar_new(s->rt, GX_bool, &value, out));
}

static bool allclose_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    return give_all(&s, close_mask(&s, c), out);
}

static bool same_shape(const gx_array *a, const gx_array *b) {
    return a->ndim == b->ndim && memcmp(gx_shape(a), gx_shape(b), a->ndim * sizeof(int64_t)) == 0;
}

static gx_array *equal_mask(gx_np *s, gx_array *a, gx_array *b, bool nan) {
    gx_array *eq = gx_np_op2(s, GX_OP_equal, a, b);
    if (!nan || !gx_np_is_float(a->dtype) || !gx_np_is_float(b->dtype)) return eq;
    gx_array *both =
        gx_np_op2(s, GX_OP_logical_and, gx_np_op1(s, GX_OP_isnan, a), gx_np_op1(s, GX_OP_isnan, b));
    return gx_np_op2(s, GX_OP_logical_or, eq, both);
}

static bool is_alone(gx_borrowed v) {
    const gx_value *items;
    return v.tag != GX_ARRAY && gx_operand_kind(v) == GX_OPERAND_NONE &&
           gx_sequence_items(v, &items) < 0;
}

/* What makes no array equals what is no array and is equal to it; false: another error is
   pending. */
static bool unlike(gx_np *s, gx_call *c, gx_value *out) {
    bool same = false;
    if (!gx_error_is(s->rt->error.kind, GX_Exception)) return false;
    gx_error_clear(s->rt);
    if (is_alone(c->argv[0]) && is_alone(c->argv[1]) &&
        !gx_equal(s->rt, c->argv[0], c->argv[1], &same))
        return false;
    *out = gx_bool(same);
    return true;
}

static bool array_equal_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = a ? gx_np_arr(&s, c->argv[1]) : NULL;
    bool nan;
    if (!a || !b) return gx_np_end(&s, unlike(&s, c, out));
    if (!gx_arg_bool(c, 2, &nan)) return gx_np_end(&s, false);
    if (!same_shape(a, b)) return give_bool(&s, false, out);
    return give_all(&s, equal_mask(&s, a, b, nan), out);
}

static bool can_broadcast(const gx_array *a, const gx_array *b) {
    for (int i = 1; i <= a->ndim && i <= b->ndim; i++) {
        int64_t x = gx_shape(a)[a->ndim - i], y = gx_shape(b)[b->ndim - i];
        if (x != y && x != 1 && y != 1) return false;
    }
    return true;
}

static bool array_equiv_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = a ? gx_np_arr(&s, c->argv[1]) : NULL;
    if (!a || !b) {
        if (!unlike(&s, c, out)) return gx_np_end(&s, false);
        const gx_array *some = a ? a : gx_np_arr(&s, c->argv[1]);
        if (!some) gx_error_clear(c->rt);
        if (some && !some->count) *out = gx_bool(true);
        return gx_np_end(&s, true);
    }
    if (!can_broadcast(a, b)) return give_bool(&s, false, out);
    return give_all(&s, equal_mask(&s, a, b, false), out);
}

/* --- questions --- */

static bool isscalar_fn(gx_call *c, gx_value *out) {
    gx_borrowed v = c->argv[0];
    *out =
        gx_bool(v.tag == GX_BOOL || v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_COMPLEX ||
                v.tag == GX_BIGINT || v.tag == GX_STR || v.tag == GX_BYTES || gx_is_scalar(v));
    return true;
}

static bool is_complex(gx_call *c, bool *out) {
    const gx_value v = c->argv[0];
    if (v.tag == GX_STR || v.tag == GX_BYTES || gx_is_array(v)) { /* of whatever dtype */
        *out = gx_is_array(v) && gx_dtype_kind(gx_as_array(v)->dtype) == GX_KIND_CPLX;
        return true;
    }
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, v);
    *out = a && gx_dtype_kind(a->dtype) == GX_KIND_CPLX;
    return gx_np_end(&s, a != NULL);
}

static bool iscomplexobj_fn(gx_call *c, gx_value *out) {
    bool is;
    if (!is_complex(c, &is)) return false;
    *out = gx_bool(is);
    return true;
}

static bool isrealobj_fn(gx_call *c, gx_value *out) {
    bool is;
    if (!is_complex(c, &is)) return false;
    *out = gx_bool(!is);
    return true;
}

/* A Python number gives a Python bool for real numbers: its own imag is compared. */
static bool imag_is_zero(gx_call *c, bool want, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_value v = c->argv[0];
    if (is_python_number(v) && want) {
        *out = gx_bool(v.tag != GX_COMPLEX || ((gx_complex *)(void *)v.obj)->im == 0);
        return gx_np_end(&s, true);
    }
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (!a) return gx_np_end(&s, false);
    if (gx_dtype_kind(a->dtype) == GX_KIND_CPLX) {
        gx_array *im = gx_np_op1(&s, GX_OP_imag, a);
        gx_array *zero = gx_np_weak_int(&s, gx_real_dtype((gx_dtype)a->dtype), 0);
        return gx_np_give(&s, gx_np_op2(&s, want ? GX_OP_equal : GX_OP_not_equal, im, zero), out);
    }
    const bool empty = gx_is_text(a->dtype) || gx_of_family(a->dtype, GX_FAMILY_DATE);
    gx_scalar fill = {.b = want && !empty}; /* the imaginary part of such elements is not 0 */
    gx_array *r = NULL;
    if (!gx_array_full(c->rt, GX_bool, a->ndim, gx_shape(a), (gx_namespace)a->ns, &fill, &r))
        return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    return gx_np_give(&s, want && r ? gx_np_as_fortran(&s, r, a) : gx_np_viewed(&s, r), out);
}

static bool isreal_fn(gx_call *c, gx_value *out) {
    return imag_is_zero(c, true, out);
}
static bool iscomplex_fn(gx_call *c, gx_value *out) {
    return imag_is_zero(c, false, out);
}

static bool isfortran_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    *out = gx_bool(a && gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C'));
    return gx_np_end(&s, a != NULL);
}

static bool iterable_fn(gx_call *c, gx_value *out) {
    gx_value it;
    bool is = gx_iter(c->rt, c->argv[0], &it);
    if (is)
        gx_drop(it);
    else if (gx_error_is(c->rt->error.kind, GX_TypeError))
        gx_error_clear(c->rt);
    else
        return false;
    *out = gx_bool(is);
    return true;
}

static bool shares_memory_fn(gx_call *c, gx_value *out) {
    const bool both = gx_is_array(c->argv[0]) && gx_is_array(c->argv[1]);
    int64_t work = -1;
    gx_np s = gx_np_begin(c);
    const bool arrays = gx_np_arr(&s, c->argv[0]) && gx_np_arr(&s, c->argv[1]);
    if (!gx_np_end(&s, arrays)) return false;
    const int kind = gx_arg_some(c, 2) ? c->argv[2].tag : GX_INT;
    const bool number = kind == GX_INT || kind == GX_BOOL || kind == GX_BIGINT;
    if (number && gx_arg_some(c, 2) && !gx_arg_int(c, 2, &work)) return false;
    if (!number || work < -2)
        return gx_fail(c->rt, GX_ValueError, "arg.range", "Invalid value for max_work");
    const gx_array *a = both ? gx_as_array(c->argv[0]) : NULL,
                   *b = both ? gx_as_array(c->argv[1]) : NULL;
    *out = gx_bool(both && (work == 0 ? gx_arrays_meet(a, b) : gx_arrays_share(a, b)));
    return true;
}

static bool ndim_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    if (a) *out = gx_int(a->ndim);
    return gx_np_end(&s, a != NULL);
}

static bool shape_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    return gx_np_end(&s, a && gx_tuple_ints(c->rt, a->ndim, gx_shape(a), out));
}

static bool size_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]);
    uint64_t mask;
    int64_t n = 1;
    if (!a || !gx_axes_by_index(c->rt, c->argv[1], a->ndim, &mask)) return gx_np_end(&s, false);
    for (int i = 0; i < a->ndim; i++)
        if (mask >> i & 1) n *= gx_shape(a)[i];
    *out = gx_int(n);
    return gx_np_end(&s, true);
}

static gx_array *replaced(gx_np *s, gx_array *x, gx_call *c) {
    if (!x || !gx_np_is_float(x->dtype)) return x;
    gx_dtype d = (gx_dtype)x->dtype;
    static const gx_opcode is[3] = {GX_OP_isnan, GX_OP_isposinf, GX_OP_isneginf};
    const double big = gx_float_max(gx_real_dtype(d)), fill[3] = {0, big, -big};
    gx_array *from = x;
    for (int i = 0; i < 3 && x; i++) { /* a number each, or as many as there are elements */
        gx_array *by = gx_arg_some(c, 2 + i) ? gx_np_cast(s, gx_np_arr(s, c->argv[2 + i]), d)
                                             : gx_np_weak(s, d, fill[i]);
        by = gx_np_less_axes(s, by, from->ndim);
        if (by && by->ndim) by = gx_np_broadcast(s, by, from->ndim, gx_shape(from));
        x = gx_np_op3(s, GX_OP_where, gx_np_op1(s, is[i], from), by, x);
    }
    return x;
}

static bool nan_to_num_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *x = gx_np_arr(&s, c->argv[0]), *r;
    int given;
    if (!x || !gx_np_copy_arg(c, 1, &given)) return gx_np_end(&s, false);
    const bool copy = given < 0 ? !gx_is_array(c->argv[0]) : given;
    if (!copy && !gx_is_array(c->argv[0]))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "array.copy",
                                     "Unable to avoid copy while creating an array as requested."));
    if (gx_is_kind(x->dtype)) {
        r = x;
    } else if (gx_dtype_kind(x->dtype) == GX_KIND_CPLX) {
        gx_array *re = replaced(&s, gx_np_op1(&s, GX_OP_real, x), c);
        gx_array *im = replaced(&s, gx_np_op1(&s, GX_OP_imag, x), c);
        r = gx_np_fresh(&s, x, GX_NO_DTYPE);
        gx_array *first = gx_np_part(&s, r, 0), *second = gx_np_part(&s, r, 1);
        if (!re || !im || !first || !second || !gx_array_store(c->rt, first, re) ||
            !gx_array_store(c->rt, second, im))
            return gx_np_end(&s, false);
    } else
        r = replaced(&s, x, c);
    if (copy && r == x && gx_is_array(c->argv[0])) r = gx_np_copy(&s, x, 'K');
    if (!copy && r && r != x && !gx_array_store(c->rt, x, r)) return gx_np_end(&s, false);
    return gx_np_give(&s, copy && r ? gx_np_laid_as(&s, r, x) : copy ? NULL : x, out);
}

#define CLOSE_SIG "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)"
const gx_native gx_np_logic_functions[] = {
    {"isclose", "isclose" CLOSE_SIG,
     "Where |a - b| <= atol + rtol * |b|, as an array of bool in the broadcast shape.",
     "isclose([1.0, 2.0], [1.0, 2.1])  # [ True False]", isclose_fn, 0, 0},
    {"allclose", "allclose" CLOSE_SIG,
     "Whether |a - b| <= atol + rtol * |b| holds for all elements, as one bool.",
     "allclose(0.1 + 0.2, 0.3)  # True", allclose_fn, 0, 0},
    {"array_equal", "array_equal(a1, a2, equal_nan=False)",
     "Whether two arrays have the same shape and elements.", "array_equal([1, 2], [1, 2])  # True",
     array_equal_fn, 0, 0},
    {"array_equiv", "array_equiv(a1, a2)",
     "Whether two arrays have equal elements after broadcasting to one shape.",
     "array_equiv([1, 1], 1)  # True", array_equiv_fn, 0, 0},
    {"isscalar", "isscalar(element)",
     "Whether a value is a scalar: a number or a string, no array or sequence.",
     "isscalar(3)  # True", isscalar_fn, 0, 0},
    {"iscomplexobj", "iscomplexobj(x)", "Whether the dtype is complex.", "iscomplexobj(1j)  # True",
     iscomplexobj_fn, 0, 0},
    {"isrealobj", "isrealobj(x)", "Whether the dtype is not complex.", "isrealobj(1.0)  # True",
     isrealobj_fn, 0, 0},
    {"isreal", "isreal(x)", "Where the imaginary part is zero.", "isreal([1, 1j])  # [ True False]",
     isreal_fn, 0, 0},
    {"iscomplex", "iscomplex(x)", "Where the imaginary part is not zero.",
     "iscomplex([1, 1j])  # [False  True]", iscomplex_fn, 0, 0},
    {"isfortran", "isfortran(a)",
     "Whether the array is contiguous in Fortran order and not in C order.",
     "isfortran(zeros((2, 3), order='F'))  # True", isfortran_fn, 0, 0},
    {"iterable", "iterable(y)", "Whether a value can be iterated over.", "iterable([1])  # True",
     iterable_fn, 0, 0},
    {"shares_memory", "shares_memory(a, b, /, max_work=-1)",
     "Whether two arrays share the memory of an element: an exact test.",
     "shares_memory(arange(3), arange(3))  # False", shares_memory_fn, 0, 0},
    {"may_share_memory", "may_share_memory(a, b, /, max_work=0)",
     "Whether two arrays may share memory: a quick test of their bounds.",
     "may_share_memory(arange(3), arange(3))  # False", shares_memory_fn, 0, 0},
    {"ndim", "ndim(a)", "Number of axes.", "ndim([[1, 2]])  # 2", ndim_fn, 0, 0},
    {"shape", "shape(a)", "The sizes of the axes, as a tuple.", "shape([[1, 2]])  # (1, 2)",
     shape_fn, 0, 0},
    {"size", "size(a, axis=None)", "Number of elements, in all or along an axis.",
     "size([[1, 2]])  # 2", size_fn, 0, 0},
    {"nan_to_num", "nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)",
     "Replaces nan by 0 and infinities by the largest finite numbers, or by the numbers given.",
     "nan_to_num([nan, 1])  # [0. 1.]", nan_to_num_fn, 0, 0},
    {.name = NULL},
};
