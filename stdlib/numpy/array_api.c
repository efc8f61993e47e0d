/* Names that the array API standard added: matvec, vecmat, astype, isdtype, from_dlpack. Those that
   are other words for functions there were stand in standard.gx and linalg_names.gx. */
#include <string.h>

#include "stdlib/linalg/decomp.h"
#include "stdlib/numpy/base/call.h"
#include "stdlib/numpy/base/reduce.h"
#include "stdlib/numpy/object/extras.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_np_array_api_functions[];

/* --- products --- */

static bool matvec_fn(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 3)) return gx_np_with_axes(c, 3, 2, out);
    gx_borrowed dest;
    if (!gx_np_ufunc_out_arg(c, 2, &dest)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *v = gx_np_arr(&s, c->argv[1]);
    if (!a || !v || !gx_np_core_out(&s, gx_promote(a->dtype, v->dtype), dest))
        return gx_np_end(&s, false);
    if (a->ndim < 2 || v->ndim < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "matvec.dims",
                                     "matvec: a matrix and a vector are needed, not arrays of %d "
                                     "and %d dimensions",
                                     a->ndim, v->ndim));
    v = gx_np_expand(&s, v, v->ndim + 1, gx_np_first(v->ndim + 1) & ~gx_np_first(v->ndim));
    gx_array *r = gx_np_product(&s, a, v, "matvec");
    r = gx_np_settled(&s, r ? gx_np_at(&s, r, r->ndim - 1, 0) : NULL);
    return gx_np_give_core(&s, r, 1, dest, out);
}

static bool vecmat_fn(gx_call *c, gx_value *out) {
    if (gx_arg_given(c, 3)) return gx_np_with_axes(c, 3, 2, out);
    gx_borrowed dest;
    if (!gx_np_ufunc_out_arg(c, 2, &dest)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *v = gx_np_arr(&s, c->argv[0]), *a = gx_np_arr(&s, c->argv[1]);
    if (!a || !v || !gx_np_core_out(&s, gx_promote(a->dtype, v->dtype), dest))
        return gx_np_end(&s, false);
    if (a->ndim < 2 || v->ndim < 1)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "vecmat.dims",
                                     "vecmat: a vector and a matrix are needed, not arrays of %d "
                                     "and %d dimensions",
                                     v->ndim, a->ndim));
    if (gx_dtype_kind(v->dtype) == GX_KIND_CPLX) v = gx_np_op1(&s, GX_OP_conjugate, v);
    gx_array *row = v ? gx_np_expand(&s, v, v->ndim + 1, UINT64_C(1) << (v->ndim - 1)) : NULL;
    gx_array *r = gx_np_product(&s, row, a, "vecmat");
    r = gx_np_settled(&s, r ? gx_np_at(&s, r, r->ndim - 2, 0) : NULL);
    return gx_np_give_core(&s, r, 1, dest, out);
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
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_bool(c, 2, &copy) || !gx_np_device_arg(c, 3))
        return gx_np_end(&s, false);
    gx_array *a = gx_np_arr(&s, c->argv[0]), *r = NULL;
    if (!a || !gx_array_cast(c->rt, a, d == GX_NO_DTYPE ? GX_f64 : d, copy, &r))
        return gx_np_end(&s, false);
    r = gx_np_own(&s, r);
    return gx_is_scalar(c->argv[0]) ? gx_np_give(&s, r, out) : gx_np_give_array(&s, r, out);
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

const gx_native gx_np_array_api_functions[] = {
    {"matvec", "matvec(x1, x2, /, out=None, *, axes=<no value>)",
     "Product of matrices (…, m, n) and vectors (…, n), of shape (…, m).",
     "matvec([[1, 2], [3, 4]], [1, 1])  # [3 7]", matvec_fn, GX_NATIVE_UFUNC, 0},
    {"vecmat", "vecmat(x1, x2, /, out=None, *, axes=<no value>)",
     "Product of vectors (…, m), conjugated, and matrices (…, m, n), of shape (…, n).",
     "vecmat([1, 1], [[1, 2], [3, 4]])  # [4 6]", vecmat_fn, GX_NATIVE_UFUNC, 0},
    {"astype", "astype(x, dtype, /, *, copy=True, device=None)",
     "The array converted to a dtype; copy=False returns it as it is when it has that dtype.",
     "astype(array([1.5]), int)  # [1]", astype_fn, 0, 0},
    {"isdtype", "isdtype(dtype, kind)",
     "Whether a dtype is of a kind ('bool', 'integral', 'real floating', 'numeric' …), or one of "
     "several.",
     "isdtype(float32, 'real floating')  # True", isdtype_fn, 0, 0},
    {"from_dlpack", "from_dlpack(x, /, *, device=None, copy=None)",
     "An array over the memory of an object that has __dlpack__, without a copy where possible.",
     "from_dlpack(array([1, 2]))  # [1 2]", from_dlpack_fn, 0, 0},
    {.name = NULL},
};
