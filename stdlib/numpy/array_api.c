/* Names that the array API standard added, most of them other words for functions there were:
   cumulative_sum, unique_values, linalg.outer … And astype, isdtype, require, from_dlpack. */
#include <string.h>

#include "stdlib/linalg/decomp.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/object/extras.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_array_api_functions[];
extern const gx_native gx_np_array_api_linalg_functions[];

/* --- cumulative_sum, cumulative_prod --- */

static bool cumulative(gx_call *c, bool product, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr1(&s, c->argv[0]);
    int axis = 0;
    gx_dtype d;
    bool initial;
    if (!a || !gx_np_dtype_arg(c, 2, &d) || !gx_arg_bool(c, 4, &initial) ||
        !gx_np_axis_arg(c, 1, a->ndim, 0, &axis))
        return gx_np_end(&s, false);
    if (a->ndim != 1 && !gx_arg_some(c, 1))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "cumulative.axis",
                                     "For arrays which have more than one dimension ``axis`` "
                                     "argument is required."));
    gx_array *r = gx_np_scan(&s, a, axis, product, d);
    if (r && initial) {
        int64_t shape[GX_MAX_DIMS];
        memcpy(shape, gx_shape(r), (size_t)r->ndim * sizeof *shape);
        shape[axis] = 1;
        gx_array *first = gx_np_weak_int(&s, (gx_dtype)r->dtype, product);
        first = gx_np_cast(&s, first, (gx_dtype)r->dtype);
        gx_array *const parts[2] = {gx_np_broadcast(&s, first, r->ndim, shape), r};
        r = parts[0] ? gx_np_concat(&s, 2, parts, axis, (gx_dtype)r->dtype) : NULL;
    }
    if (gx_arg_some(c, 3)) return gx_np_give_out(&s, r, c->argv[3], out);
    return gx_np_give_array(&s, r, out);
}

static bool cumulative_sum_fn(gx_call *c, gx_value *out) {
    return cumulative(c, false, out);
}
static bool cumulative_prod_fn(gx_call *c, gx_value *out) {
    return cumulative(c, true, out);
}

/* --- unique_* --- */

/* unique with every extra: values, index, inverse, counts; nan are all different. */
static const gx_value *unique_parts(gx_np *s, gx_call *c) {
    static const char *const names[] = {"return_index", "return_inverse", "return_counts",
                                        "equal_nan"};
    gx_value argv[5] = {c->argv[0], gx_bool(true), gx_bool(true), gx_bool(true), gx_bool(false)}, r;
    gx_sym kw[4];
    const gx_native *fn = gx_numpy_function(c->rt, "unique");
    for (int i = 0; i < 4; i++)
        if (!(kw[i] = gx_sym_c(c->rt, names[i]))) return NULL;
    if (!fn || !gx_native_call(c->rt, fn, c->ns, NULL, 1, argv, 4, kw, &r) || !gx_np_hold(s, r))
        return NULL;
    return gx_as_tuple(r)->items;
}

static bool give_unique(gx_call *c, const char *type, int n, const char *const *names,
                        const int *which, gx_value *out) {
    gx_np s = gx_np_begin(c);
    const gx_value *items = unique_parts(&s, c);
    gx_array *parts[4];
    for (int i = 0; items && i < n; i++)
        if (!(parts[i] = gx_np_arr(&s, items[which[i]]))) items = NULL;
    if (!items) return gx_np_end(&s, false);
    if (!type) return gx_np_give_array(&s, parts[0], out);
    return gx_np_give_named(&s, type, n, names, parts, out);
}

static bool unique_values_fn(gx_call *c, gx_value *out) {
    return give_unique(c, NULL, 1, NULL, (const int[]){0}, out);
}
static bool unique_counts_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"values", "counts"};
    return give_unique(c, "UniqueCountsResult", 2, names, (const int[]){0, 3}, out);
}
static bool unique_inverse_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"values", "inverse_indices"};
    return give_unique(c, "UniqueInverseResult", 2, names, (const int[]){0, 2}, out);
}
static bool unique_all_fn(gx_call *c, gx_value *out) {
    static const char *const names[] = {"values", "indices", "inverse_indices", "counts"};
    return give_unique(c, "UniqueAllResult", 4, names, (const int[]){0, 1, 2, 3}, out);
}

/* --- products --- */

static bool matvec_fn(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 3)) return gx_np_with_axes(c, 3, 2, out);
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *v = gx_np_arr(&s, c->argv[1]);
    if (!a || !v) return gx_np_end(&s, false);
    if (a->ndim < 2 || v->ndim < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "matvec.dims",
                                     "matvec: a matrix and a vector are needed, not arrays of %d "
                                     "and %d dimensions",
                                     a->ndim, v->ndim));
    v = gx_np_expand(&s, v, v->ndim + 1, gx_np_first(v->ndim + 1) & ~gx_np_first(v->ndim));
    gx_array *r = gx_np_product(&s, a, v, "matvec");
    return gx_np_give_out(&s, r ? gx_np_at(&s, r, r->ndim - 1, 0) : NULL, c->argv[2], out);
}

static bool vecmat_fn(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 3)) return gx_np_with_axes(c, 3, 2, out);
    gx_np s = gx_np_begin(c);
    gx_array *v = gx_np_arr(&s, c->argv[0]), *a = gx_np_arr(&s, c->argv[1]);
    if (!a || !v) return gx_np_end(&s, false);
    if (a->ndim < 2 || v->ndim < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "vecmat.dims",
                                     "vecmat: a vector and a matrix are needed, not arrays of %d "
                                     "and %d dimensions",
                                     v->ndim, a->ndim));
    if (gx_dtype_kind(v->dtype) == GX_KIND_CPLX) v = gx_np_op1(&s, GX_OP_conjugate, v);
    gx_array *row = v ? gx_np_expand(&s, v, v->ndim + 1, UINT64_C(1) << (v->ndim - 1)) : NULL;
    gx_array *r = gx_np_product(&s, row, a, "vecmat");
    return gx_np_give_out(&s, r ? gx_np_at(&s, r, r->ndim - 2, 0) : NULL, c->argv[2], out);
}

/* --- dtypes --- */

static bool astype_fn(gx_call *c, gx_value *out) {
    if (!gx_is_array(c->argv[0]) && !gx_is_scalar(c->argv[0]))
        return gx_fail(c->rt, GX_TypeError, "astype.array",
                       "Input should be a NumPy array or scalar. It is a <class '%s'> instead.",
                       gx_type_name(c->argv[0]));
    gx_np s = gx_np_begin(c);
    gx_dtype d;
    bool copy;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_bool(c, 2, &copy)) return gx_np_end(&s, false);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    if (!a || !gx_array_cast(c->rt, a, d == GX_NO_DTYPE ? GX_f64 : d, copy, &r))
        return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

/* Is d of a kind by name ("real floating"), or another dtype? */
static gx_try is_kind(gx_rt *rt, gx_dtype d, gx_borrowed kind) {
    static const struct {
        const char *name;
        unsigned kinds;
    } rows[] = {{"bool", 1u << GX_KIND_BOOL},
                {"signed integer", 1u << GX_KIND_INT},
                {"unsigned integer", 1u << GX_KIND_UINT},
                {"integral", 1u << GX_KIND_INT | 1u << GX_KIND_UINT},
                {"real floating", 1u << GX_KIND_FLOAT},
                {"complex floating", 1u << GX_KIND_CPLX},
                {"numeric", 1u << GX_KIND_INT | 1u << GX_KIND_UINT | 1u << GX_KIND_FLOAT |
                                1u << GX_KIND_CPLX}};
    if (kind.tag != GX_STR) {
        gx_dtype other;
        if (!gx_dtype_of(rt, kind, &other)) return GX_TRY_ERROR;
        return other == d ? GX_TRY_YES : GX_TRY_NO;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, gx_as_str(kind)->text) == 0)
            return rows[i].kinds >> gx_dtype_kind(d) & 1 ? GX_TRY_YES : GX_TRY_NO;
    gx_fail(rt, GX_ValueError, "isdtype.kind",
            "kind argument is a string, but '%s' is not a known kind name.", gx_as_str(kind)->text);
    return GX_TRY_ERROR;
}

static bool isdtype_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    gx_value one = c->argv[1];
    const gx_value *items = &one;
    int64_t n = 1;
    if (!gx_dtype_of(c->rt, c->argv[0], &d)) return false;
    if (one.tag == GX_TUPLE) n = gx_sequence_items(one, &items);
    for (int64_t i = 0; i < n; i++) {
        gx_try is = is_kind(c->rt, d, items[i]);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) continue;
        *out = gx_bool(true);
        return true;
    }
    *out = gx_bool(false);
    return true;
}

/* One letter a requirement: C, F, A(ligned), W(riteable), O(wn data), E(nsure an array). */
static bool require_letter(gx_rt *rt, gx_borrowed v, char *out) {
    const char *text = v.tag == GX_STR ? gx_as_str(v)->text : "";
    char letter = (char)(*text & ~0x20);
    if (!*text || !strchr("CFAWOE", letter))
        return gx_fail(rt, GX_KeyError, "require.name",
                       "'%s' is not a requirement: C, F, A, W, O, E", text);
    *out = letter;
    return true;
}

static bool require_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_dtype d;
    gx_array *a;
    char order = 'A';
    bool copy = false;
    if (!gx_np_dtype_arg(c, 1, &d) || !(a = gx_np_arr_as(&s, c->argv[0], d)))
        return gx_np_end(&s, false);
    gx_value list;
    if (c->argv[2].tag == GX_NONE) return gx_np_give_array(&s, a, out);
    if (!gx_tuple_of(c->rt, c->argv[2], &list) || !gx_np_hold(&s, list))
        return gx_np_end(&s, false);
    for (int64_t i = 0; i < gx_as_tuple(list)->count; i++) {
        char letter;
        if (!require_letter(c->rt, gx_as_tuple(list)->items[i], &letter))
            return gx_np_end(&s, false);
        if ((letter == 'C' && order == 'F') || (letter == 'F' && order == 'C'))
            return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "require.order",
                                         "Cannot specify both \"C\" and \"F\" order"));
        if (letter == 'C' || letter == 'F') order = letter;
        copy |= (letter == 'O' && a->base) || (letter == 'W' && (a->flags & GX_ARRAY_READONLY));
    }
    if (order != 'A' && !gx_array_is_contiguous(a, order)) copy = true;
    if (copy) a = gx_np_copy(&s, a, order == 'F' ? 'F' : order == 'C' ? 'C' : 'K');
    return gx_np_give_array(&s, a, out);
}

static bool from_dlpack_fn(gx_call *c, gx_value *out) {
    gx_array *r = NULL, *lent = NULL;
    bool array = gx_is_array(c->argv[0]);
    gx_try has = array ? GX_TRY_YES : gx_np_lent(c->rt, c->argv[0], &lent);
    if (has == GX_TRY_NO)
        gx_fail(c->rt, GX_AttributeError, "dlpack.array",
                "'%s' object has no attribute '__dlpack__'", gx_type_name(c->argv[0]));
    if (has != GX_TRY_YES) return false;
    gx_np s = gx_np_begin(c);
    bool ok =
        gx_array_to_namespace(c->rt, array ? gx_as_array(c->argv[0]) : lent, c->ns, false, &r);
    gx_array_drop(lent);
    if (!ok) return gx_np_end(&s, false);
    return gx_np_give_array(&s, gx_np_own(&s, r), out);
}

/* --- linalg's names of top level functions --- */

/* Calls numpy's function of the same name with the arguments as they are. */
static bool same_name(gx_call *c, int positional, const char *const *keywords, gx_value *out) {
    const gx_native *fn = gx_numpy_function(c->rt, c->fn->name);
    gx_sym kw[4];
    int n = 0;
    for (; fn && keywords && keywords[n]; n++)
        if (!(kw[n] = gx_sym_c(c->rt, keywords[n]))) return false;
    return fn && gx_native_call(c->rt, fn, c->ns, NULL, positional, c->argv, n, kw, out);
}

static bool two_fn(gx_call *c, gx_value *out) {
    return same_name(c, 2, NULL, out);
}
static bool one_fn(gx_call *c, gx_value *out) {
    return same_name(c, 1, NULL, out);
}
static bool tensordot_fn(gx_call *c, gx_value *out) {
    return same_name(c, 2, (const char *const[]){"axes", NULL}, out);
}
static bool vecdot_fn(gx_call *c, gx_value *out) {
    return same_name(c, 2, (const char *const[]){"axis", NULL}, out);
}

static bool outer_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    if (a && b && (a->ndim != 1 || b->ndim != 1))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "outer.dims",
                                     "Input arrays must be one-dimensional, but they are "
                                     "x1.ndim=%d and x2.ndim=%d.",
                                     a->ndim, b->ndim));
    return gx_np_give_array(&s, gx_np_call_arrays(&s, "outer", 2, a, b), out);
}

static bool cross_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *b = gx_np_arr(&s, c->argv[1]);
    int i, j;
    if (!a || !b || !gx_np_axis_arg(c, 2, a->ndim, 0, &i) || !gx_np_axis_arg(c, 2, b->ndim, 0, &j))
        return gx_np_end(&s, false);
    if (gx_shape(a)[i] != 3 || gx_shape(b)[j] != 3)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "cross.dims",
                                     "Both input arrays must be (arrays of) 3-dimensional vectors, "
                                     "but they are %lld and %lld dimensional instead.",
                                     (long long)gx_shape(a)[i], (long long)gx_shape(b)[j]));
    const gx_value argv[6] = {gx_np_value(a), gx_np_value(b), c->argv[2],
                              c->argv[2],     c->argv[2],     gx_none()};
    gx_value r;
    if (!gx_np_call(&s, "cross", 6, argv, &r)) return gx_np_end(&s, false);
    *out = r;
    return gx_np_end(&s, true);
}

/* trace and diagonal of the last two axes. */
static bool last_axes(gx_call *c, gx_value *out) {
    const gx_native *fn = gx_numpy_function(c->rt, c->fn->name);
    static const char *const names[] = {"offset", "axis1", "axis2", "dtype"};
    gx_value argv[5] = {c->argv[0], c->argv[1], gx_int(-2), gx_int(-1),
                        c->fn->name[0] == 't' ? c->argv[2] : gx_none()};
    gx_sym kw[4];
    for (int i = 0; i < 4; i++)
        if (!(kw[i] = gx_sym_c(c->rt, names[i]))) return false;
    return fn && gx_native_call(c->rt, fn, c->ns, NULL, 1, argv, c->fn->name[0] == 't' ? 4 : 3,
                                kw, out);
}

const gx_native gx_np_array_api_functions[] = {
    {"cumulative_sum",
     "cumulative_sum(x, /, *, axis=None, dtype=None, out=None, include_initial=False)",
     "Running total along an axis.", "cumulative_sum([1, 2], include_initial=True)  # [0 1 3]",
     cumulative_sum_fn, 0, 0},
    {"cumulative_prod",
     "cumulative_prod(x, /, *, axis=None, dtype=None, out=None, include_initial=False)",
     "Running product along an axis.", "cumulative_prod([2, 3])  # [2 6]", cumulative_prod_fn, 0,
     0},
    {"unique_values", "unique_values(x)", "The distinct elements.",
     "unique_values([1, 1, 2])  # [1 2]", unique_values_fn, 0, 0},
    {"unique_counts", "unique_counts(x)", "The distinct elements and how often each occurs.",
     "unique_counts([1, 1, 2]).counts  # [2 1]", unique_counts_fn, 0, 0},
    {"unique_inverse", "unique_inverse(x)",
     "The distinct elements, and the indices that rebuild the array from them.",
     "unique_inverse([1, 1, 2]).inverse_indices  # [0 0 1]", unique_inverse_fn, 0, 0},
    {"unique_all", "unique_all(x)",
     "The distinct elements, the index of the first of each, the inverse, and the counts.",
     "unique_all([1, 1, 2]).indices  # [0 2]", unique_all_fn, 0, 0},
    {"matvec", "matvec(x1, x2, /, out=None, *, axes=<no value>)", "Matrix times vector.",
     "matvec([[1, 2], [3, 4]], [1, 1])  # [3 7]", matvec_fn, GX_NATIVE_UFUNC, 0},
    {"vecmat", "vecmat(x1, x2, /, out=None, *, axes=<no value>)",
     "Vector times matrix; the vector is conjugated.", "vecmat([1, 1], [[1, 2], [3, 4]])  # [4 6]",
     vecmat_fn, GX_NATIVE_UFUNC, 0},
    {"astype", "astype(x, dtype, /, *, copy=True, device=None)", "An array in another dtype.",
     "astype(array([1.5]), int)  # [1]", astype_fn, 0, 0},
    {"isdtype", "isdtype(dtype, kind)", "Is a dtype of a kind, such as 'real floating'?",
     "isdtype(float32, 'real floating')  # True", isdtype_fn, 0, 0},
    {"require", "require(a, dtype=None, requirements=None, *, like=None)",
     "An array with a dtype and properties: C, F, A, W, O, E.",
     "require([1], requirements='C')  # [1]", require_fn, 0, 0},
    {"from_dlpack", "from_dlpack(x, /, *, device=None, copy=None)",
     "An array of another namespace or library, sharing its memory where possible.",
     "from_dlpack(array([1, 2]))  # [1 2]", from_dlpack_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_array_api_linalg_functions[] = {
    {"matmul", "matmul(x1, x2, /)", "Matrix product.",
     "linalg.matmul([[1, 2]], [[3], [4]])  # [[11]]", two_fn, 0, 0},
    {"matrix_transpose", "matrix_transpose(x, /)", "The last two axes exchanged.",
     "linalg.matrix_transpose([[1, 2]]).tolist()  # [[1], [2]]", one_fn, 0, 0},
    {"tensordot", "tensordot(x1, x2, /, *, axes=2)", "Sum of products over axes.",
     "linalg.tensordot([1, 2], [3, 4], axes=1)  # 11", tensordot_fn, 0, 0},
    {"vecdot", "vecdot(x1, x2, /, *, axis=-1)", "Sum of products along an axis; x1 is conjugated.",
     "linalg.vecdot([1, 2], [3, 4])  # 11", vecdot_fn, 0, 0},
    {"outer", "outer(x1, x2, /)", "All products of two vectors' elements.",
     "linalg.outer([1, 2], [3, 4]).tolist()  # [[3, 4], [6, 8]]", outer_fn, 0, 0},
    {"cross", "cross(x1, x2, /, *, axis=-1)", "Cross product of vectors of 3 elements.",
     "linalg.cross([1, 0, 0], [0, 1, 0])  # [0 0 1]", cross_fn, 0, 0},
    {"trace", "trace(x, /, *, offset=0, dtype=None)", "Sum of a diagonal of the last two axes.",
     "linalg.trace([[1, 2], [3, 4]])  # 5", last_axes, 0, 0},
    {"diagonal", "diagonal(x, /, *, offset=0)", "A diagonal of the last two axes.",
     "linalg.diagonal([[1, 2], [3, 4]])  # [1 4]", last_axes, 0, 0},
    {.name = NULL},
};
