/* The types of NumPy scalars: numpy.float64 and its brothers, their abstract parents, their slots.
 */
#include <string.h>

#include "runtime/array_ops.h"
#include "runtime/dtype.h"
#include "runtime/number.h"

static void scalar_free(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static bool scalar_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_scalar s = gx_scalar_get(v);
    return gx_scalar_text(rt, gx_scalar_dtype(v), &s, out);
}

/* The scalar as a Python value, for what Python's numbers do as well. */
static bool as_python(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_scalar s = gx_scalar_get(v);
    return gx_scalar_item(rt, gx_scalar_dtype(v), &s, out);
}

static bool scalar_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    if (length == 0) return scalar_repr(rt, v, out);
    gx_value item;
    if (!as_python(rt, v, &item)) return false;
    if (item.tag == GX_BOOL) item = gx_int(item.b);
    bool ok = gx_format(rt, item, spec, length, out);
    gx_drop(item);
    return ok;
}

static bool scalar_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    gx_scalar s = gx_scalar_get(v);
    *out = gx_scalar_cast(gx_scalar_dtype(v), GX_bool, &s).b;
    return true;
}

static bool scalar_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_value item;
    if (!as_python(rt, v, &item)) return false;
    bool ok = gx_hash(rt, item, out);
    gx_drop(item);
    return ok;
}

/* One argument: a number gives a scalar, a list or an array gives an array of that dtype. */
static bool scalar_construct(gx_call *c, gx_value *out) {
    gx_dtype d = (gx_dtype)c->type->dtype;
    gx_value v = c->argv[0], parsed = gx_undef();
    gx_scalar s = {.bits = {0, 0}};
    if (v.tag == GX_UNDEF) return gx_scalar_new(c->rt, d, &s, out);
    if (v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_RANGE ||
        (v.tag == GX_ARRAY && gx_as_array(v)->ndim > 0)) {
        gx_array *a;
        if (!gx_asarray(c->rt, v, d, c->door, true, &a)) return false;
        *out = gx_array_value(a);
        return true;
    }
    if (v.tag == GX_STR) {
        const gx_type *t = gx_dtype_kind(d) == GX_KIND_CPLX ? &gx_type_complex
                           : gx_dtype_kind(d) == GX_KIND_FLOAT ? &gx_type_float : &gx_type_int;
        if (!gx_call_value(c->rt, gx_type_value(t), 1, &v, 0, NULL, &parsed)) return false;
        v = parsed;
    }
    bool truth = false;
    bool ok = d == GX_bool && v.tag != GX_ARRAY ? gx_truth(c->rt, v, &truth)
                                                : gx_scalar_from(c->rt, v, d, &s);
    if (d == GX_bool && v.tag != GX_ARRAY) s.b = truth;
    gx_drop(parsed);
    return ok && gx_scalar_new(c->rt, d, &s, out);
}

#define ABSTRACT(id, text, parent)                                                                 \
    const gx_type gx_type_##id = {.name = "numpy." text, .base = parent, .tag = GX_OBJECT,         \
                                  .dtype = GX_NO_DTYPE, .doc = "A class of NumPy scalars."};
ABSTRACT(generic, "generic", NULL)
ABSTRACT(number, "number", &gx_type_generic)
ABSTRACT(integer, "integer", &gx_type_number)
ABSTRACT(signedinteger, "signedinteger", &gx_type_integer)
ABSTRACT(unsignedinteger, "unsignedinteger", &gx_type_integer)
ABSTRACT(inexact, "inexact", &gx_type_number)
ABSTRACT(floating, "floating", &gx_type_inexact)
ABSTRACT(complexfloating, "complexfloating", &gx_type_inexact)

#define CONSTRUCT(id, text, kind, store, compute, cuda, bytes, letter)                             \
    static const gx_native construct_##id = {.name = text,                                         \
                                             .sig = text "(x=<no value>, /)",                      \
                                             .doc =                                                \
                                                 "A " text " scalar, or an array of that dtype.",  \
                                             .fn = scalar_construct};
GX_ALL_DTYPES(CONSTRUCT)

#define SCALAR(d, make, text, parent, held)                                                        \
    [d] = {.name = "numpy." text,                                                                  \
           .base = parent,                                                                         \
           .tag = held,                                                                            \
           .dtype = d,                                                                             \
           .free = scalar_free,                                                                    \
           .repr = scalar_repr,                                                                    \
           .format = scalar_format,                                                                \
           .truth = scalar_truth,                                                                  \
           .hash = scalar_hash,                                                                    \
           .compare = gx_array_compare,                                                            \
           .binary = gx_array_binary,                                                              \
           .unary = gx_array_unary,                                                                \
           .construct = &make,                                                                     \
           .doc = "A NumPy scalar."},
#define BOOL_TYPE(id, text, kind, store, compute, cuda, bytes, letter)                             \
    SCALAR(GX_##id, construct_##id, text, &gx_type_generic, GX_SCALAR)
#define INT_TYPE(id, text, kind, store, compute, cuda, bytes, letter)                              \
    SCALAR(GX_##id, construct_##id, text, &gx_type_signedinteger, GX_SCALAR)
#define UINT_TYPE(id, text, kind, store, compute, cuda, bytes, letter)                             \
    SCALAR(GX_##id, construct_##id, text, &gx_type_unsignedinteger, GX_SCALAR)
#define FLOAT_TYPE(id, text, kind, store, compute, cuda, bytes, letter)                            \
    SCALAR(GX_##id, construct_##id, text, &gx_type_floating, GX_SCALAR)
#define CPLX_TYPE(id, text, kind, store, compute, cuda, bytes, letter)                             \
    SCALAR(GX_##id, construct_##id, text, &gx_type_complexfloating,                                \
           bytes > 8 ? GX_SCALAR_BOX : GX_SCALAR)

const gx_type gx_scalar_types[GX_DTYPES] = {GX_BOOL_DTYPES(BOOL_TYPE) GX_INT_DTYPES(
    INT_TYPE) GX_UINT_DTYPES(UINT_TYPE) GX_FLOAT_DTYPES(FLOAT_TYPE) GX_CPLX_DTYPES(CPLX_TYPE)};
