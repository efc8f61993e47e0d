/* The types of arrays: their slots. Methods and attributes of arrays are stdlib's. */
#include <string.h>

#include "runtime/array/array_class.h"
#include "runtime/object/iter.h"
#include "runtime/graph/lazy.h"
#include "runtime/array/kind/kind.h"
#include "runtime/array/print.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/str.h"

/* --- arrays --- */

void gx_array_free(gx_rt *rt, gx_obj *o) {
    gx_array *a = (gx_array *)(void *)o;
    gx_storage_drop(rt, a->storage);
    gx_array_drop(a->base);
    gx_free(rt, a);
}

/* Of an instance of a script's class: the collector asks no other array. */
static void array_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_array *a = (gx_array *)(void *)o;
    if (a->base) visit(&a->base->obj, ctx);
}

static bool array_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_array_repr(rt, gx_as_array(v), out);
}

static bool array_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_array_str(rt, gx_as_array(v), out);
}

/* The only element as a Python value. */
static bool only_item(gx_rt *rt, const gx_array *a, gx_value *out) {
    gx_scalar s;
    if (gx_is_kind(a->dtype)) return gx_kind_element(rt, a, true, out);
    return gx_array_item(rt, a, &s) && gx_scalar_item(rt, (gx_dtype)a->dtype, &s, out);
}

static bool array_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    const gx_array *a = gx_as_array(v);
    if (length == 0) return gx_array_str(rt, a, out);
    if (a->ndim > 0) {
        return gx_fail(rt, GX_TypeError, "format.array",
                       "unsupported format string passed to numpy.ndarray.__format__; an array has "
                       "no format spec");
    }
    gx_value item;
    if (!only_item(rt, a, &item)) return false;
    bool ok = gx_format(rt, item, spec, length, out);
    gx_drop(item);
    return ok;
}

static bool array_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    const gx_array *a = gx_as_array(v);
    if (a->count == 0) {
        gx_fail(rt, GX_ValueError, "bool.array", "The truth value of an empty array is ambiguous.");
        return gx_help(rt, "use `array.size > 0` to check that an array is not empty");
    }
    if (a->count > 1) {
        gx_fail(rt, GX_ValueError, "bool.array",
                "The truth value of an array with more than one element is ambiguous. Use a.any() "
                "or a.all()");
        return gx_note(rt, "it has %lld elements; & | ~ work element by element",
                       (long long)a->count);
    }
    gx_value item;
    if (!only_item(rt, a, &item)) return false;
    bool ok = gx_truth(rt, item, out);
    gx_drop(item);
    return ok;
}

static bool array_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    const gx_array *a = gx_as_array(v);
    if (a->ndim == 0) return gx_fail(rt, GX_TypeError, "array.len", "len() of unsized object");
    *out = gx_shape(a)[0];
    return true;
}

static bool get_of_class(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_value r;
    return gx_array_get(rt, gx_as_array(v), key, &r) && gx_array_like_take(rt, v, r, out);
}

/* While a file is mapped, reading may meet a page that it has lost. */
static bool get_of_map(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (!gx_array_get(rt, gx_as_array(v), key, out)) return false;
    if (!rt->map_lost) return true;
    gx_drop(*out);
    return gx_stop(rt);
}

static bool array_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    if (GX_UNLIKELY(v.obj->type->heap)) return get_of_class(rt, v, key, out);
    if (GX_UNLIKELY(rt->maps)) return get_of_map(rt, v, key, out);
    return gx_array_get(rt, gx_as_array(v), key, out);
}

static bool set_of_map(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    return gx_array_set(rt, gx_as_array(v), key, item) && (!rt->map_lost || gx_stop(rt));
}

static bool array_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    if (GX_UNLIKELY(rt->maps)) return set_of_map(rt, v, key, item);
    return gx_array_set(rt, gx_as_array(v), key, item);
}

static bool array_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    (void)v;
    (void)key;
    gx_fail(rt, GX_ValueError, "array.delete", "cannot delete array elements");
    return gx_help(rt, "x = np.delete(x, index, axis) makes an array without them");
}

static bool array_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_value same;
    gx_try t = rt->ops->compare(rt, GX_EQ, v, item, &same);
    if (t != GX_TRY_YES) {
        *out = false;
        return t == GX_TRY_NO;
    }
    gx_array *a;
    bool ok = gx_asarray(rt, same, GX_bool, GX_NS_GX, false, &a);
    gx_drop(same);
    if (!ok) return false;
    ok = rt->ops->any(rt, a, out);
    gx_array_drop(a);
    return ok;
}

static bool array_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    if (gx_as_array(v)->ndim == 0)
        return gx_fail(rt, GX_TypeError, "array.iter", "iteration over a 0-d array");
    return gx_seq_iter(rt, v, out);
}

/* --- what Python's functions ask of a number --- */

static gx_try array_index(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_array *a = gx_as_array(v);
    const int kind = gx_dtype_kind(a->dtype);
    if (a->ndim != 0 || (kind != GX_KIND_INT && kind != GX_KIND_UINT)) return GX_TRY_NO;
    return only_item(rt, a, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* What x.item() gives: the number in an array without axes. */
static gx_try item_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "item");
    if (!name) return GX_TRY_ERROR;
    if (v.tag == GX_ARRAY && gx_as_array(v)->ndim > 0) {
        gx_fail(rt, GX_TypeError, "array.scalar",
                "only 0-dimensional arrays can be converted to Python scalars");
        if (gx_as_array(v)->count == 1) gx_help(rt, "a.item() is the only element");
        return GX_TRY_ERROR;
    }
    gx_value fn;
    gx_try r = gx_try_attr(rt, v, name, &fn);
    if (r != GX_TRY_YES) return r;
    bool ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, out);
    gx_drop(fn);
    if (ok) return GX_TRY_YES;
    if (rt->error.kind == GX_ValueError) {
        gx_error_clear(rt);
        gx_fail(rt, GX_TypeError, "array.scalar",
                "only length-1 arrays can be converted to Python scalars");
    }
    return GX_TRY_ERROR;
}

static gx_try array_number(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    gx_value item;
    gx_try r = item_of(rt, v, &item);
    if (r != GX_TRY_YES) return r;
    r = item.tag == GX_ARRAY ? GX_TRY_NO : im ? gx_as_complex(rt, item, re, im)
                                              : gx_as_double(rt, item, re);
    gx_drop(item);
    return r;
}

/* The elements in C order. */
static gx_try array_bytes(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_array *a;
    const char *data;
    if (!gx_array_copy(rt, gx_as_array(v), 'C', &a)) return GX_TRY_ERROR;
    bool ok = gx_array_read(rt, a, &data) &&
              gx_bytes_new(rt, data, (size_t)gx_array_nbytes(a), out);
    gx_array_drop(a);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- operators --- */

/* A float64 scalar is a float for the operators of Python's complex, which stands left of it. */
static bool left_of_float(gx_rt *rt, gx_borrowed b, gx_value *plain, bool *ok) {
    gx_scalar s;
    if (gx_operand_kind(b) != GX_OPERAND_SCALAR ||
        gx_scalar_dtype(gx_plain_number(b)) != GX_f64)
        return false;
    *ok = gx_scalar_read(rt, gx_plain_number(b), &s);
    *plain = gx_float(s.f64);
    return true;
}

gx_try gx_array_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    bool equality = op == GX_EQ || op == GX_NE;
    if (equality && b.tag == GX_NONE && gx_operand_kind(a) == GX_OPERAND_SCALAR) {
        *out = gx_bool(op == GX_NE); /* a number is not None; an array answers for each element */
        return GX_TRY_YES;
    }
    return rt->ops->compare(rt, op, a, b, out);
}

static gx_try complex_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value plain;
    bool ok;
    if (left_of_float(rt, b, &plain, &ok))
        return ok && gx_binary(rt, op, a, plain, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return rt->ops->binary(rt, op, a, b, out);
}

gx_try gx_array_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (GX_UNLIKELY(a.tag == GX_COMPLEX)) return complex_binary(rt, op, a, b, out);
    return rt->ops->binary(rt, op, a, b, out);
}
static gx_try array_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return rt->ops->inplace(rt, op, a, b, out);
}
gx_try gx_array_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    return rt->ops->unary(rt, op, a, out);
}

static const gx_type *array_shown(gx_borrowed v) {
    return gx_array_type((gx_namespace)gx_as_array(v)->ns);
}

#define ARRAY_SLOTS                                                                                \
    .tag = GX_ARRAY, .dtype = GX_NO_DTYPE, .free = gx_array_free, .traverse = array_traverse,      \
    .repr = array_repr, .str = array_str, .format = array_format, .truth = array_truth,            \
    .compare = gx_array_compare, .binary = gx_array_binary, .inplace = array_inplace,              \
    .unary = gx_array_unary, .index = array_index, .number = array_number, .bytes = array_bytes,   \
    .subclassing = &gx_array_subclassing, .length = array_length, .get = array_get,                \
    .set = array_set, .del = array_del, .contains = array_contains, .iter = array_iter,            \
    .construct = &gx_ndarray_native, .doc = "An n-dimensional array of one dtype."

const gx_type gx_type_array = {.name = "numpy.ndarray", .shown = array_shown, ARRAY_SLOTS};

static const gx_type namespace_types[] = {
    [GX_NS_GX] = {.name = "gx.ndarray", .base = &gx_type_array, ARRAY_SLOTS},
    [GX_NS_NUMPY] = {.name = "numpy.ndarray", .base = &gx_type_array, ARRAY_SLOTS},
    [GX_NS_CUPY] = {.name = "cupy.ndarray", .base = &gx_type_array, ARRAY_SLOTS},
};

const gx_type *gx_array_type(gx_namespace ns) {
    return &namespace_types[ns];
}
