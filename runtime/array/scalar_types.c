/* The types of NumPy scalars: numpy.float64 and its brothers, and their slots. Their parents stand
   in abstract_types.c. */
#include <string.h>

#include "kernels/half.h"
#include "runtime/array/array.h"
#include "runtime/array/dtype.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

static bool scalar_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_scalar s;
    return gx_scalar_read(rt, v, &s) && gx_scalar_text(rt, gx_scalar_dtype(v), &s, out);
}

/* The scalar as a Python value, for what Python's numbers do as well. */
static bool as_python(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_scalar s;
    return gx_scalar_read(rt, v, &s) && gx_scalar_item(rt, gx_scalar_dtype(v), &s, out);
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
    gx_scalar s;
    if (!gx_scalar_read(rt, v, &s)) return false;
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

/* x[()] is x; like a 0-d array it can grow axes, and has no items. */
static bool scalar_item(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_array *a;
    if (!gx_asarray(rt, v, GX_NO_DTYPE, GX_NS_NUMPY, false, &a)) return false;
    bool ok = gx_array_get(rt, a, key, out);
    gx_array_drop(a);
    if (ok || rt->error.kind != GX_IndexError) return ok;
    gx_error_clear(rt);
    return gx_fail(rt, GX_IndexError, "index.scalar", "invalid index to scalar variable.");
}

/* A method that Python's number of the same value has too. */
static bool python_method(gx_call *c, gx_value *out) {
    gx_value item, fn;
    gx_sym name = gx_sym_c(c->rt, c->fn->name);
    if (!name || !as_python(c->rt, c->argv[0], &item)) return false;
    bool ok = gx_get_attr(c->rt, item, name, &fn);
    gx_drop(item);
    if (!ok) return false;
    ok = gx_call_value(c->rt, fn, 0, NULL, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

static bool whole_method(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_bool(true);
    return true;
}

static const gx_native int_methods[] = {
    {"bit_count", "bit_count(self, /)", "How many bits of the absolute value are 1.", NULL,
     python_method, 0, 0},
    {"is_integer", "is_integer(self, /)", "True: every integer is whole.", NULL, whole_method, 0,
     0},
    {.name = NULL},
};

static const gx_native float_methods[] = {
    {"is_integer", "is_integer(self, /)", "Is the value whole?", NULL, python_method, 0, 0},
    {"as_integer_ratio", "as_integer_ratio(self, /)", "Two ints whose quotient is the value.", NULL,
     python_method, 0, 0},
    {"hex", "hex(self, /)", "The value in hexadecimal.", NULL, python_method, 0, 0},
    {.name = NULL},
};

/* complex64(re, im). */
static bool of_parts(gx_call *c, gx_dtype d, gx_value *out) {
    gx_value number;
    gx_scalar s;
    if (!gx_call_value(c->rt, gx_type_value(&gx_type_complex), 2, c->argv, 0, NULL, &number))
        return false;
    bool ok = gx_scalar_from(c->rt, number, d, &s) && gx_scalar_new(c->rt, d, &s, out);
    gx_drop(number);
    return ok;
}

/* One argument: a number gives a scalar, a list or an array gives an array of that dtype. */
static bool scalar_construct(gx_call *c, gx_value *out) {
    gx_dtype d = (gx_dtype)c->type->dtype;
    gx_value v = c->argv[0], parsed = gx_undef();
    gx_scalar s = {.bits = {0, 0}};
    if (v.tag == GX_UNDEF) return gx_scalar_new(c->rt, d, &s, out);
    if (gx_dtype_kind(d) == GX_KIND_CPLX && gx_arg_given(c, 1)) return of_parts(c, d, out);
    if (v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_RANGE ||
        (v.tag == GX_ARRAY && gx_as_array(v)->ndim > 0)) {
        gx_array *a;
        if (!gx_asarray(c->rt, v, d, c->ns, true, &a)) return false;
        *out = gx_array_value(a);
        return true;
    }
    if (v.tag == GX_STR && d != GX_bool) {
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

/* --- what Python's functions ask of a number --- */

static gx_try scalar_index(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const int kind = gx_dtype_kind(gx_scalar_dtype(v)); /* bools are no integers, unlike Python's */
    if (kind != GX_KIND_INT && kind != GX_KIND_UINT) return GX_TRY_NO;
    return as_python(rt, v, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try scalar_number(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    gx_scalar s;
    if (!gx_scalar_read(rt, v, &s)) return GX_TRY_ERROR;
    *im = 0;
    *re = 0;
    const gx_dtype d = gx_scalar_dtype(v);
    switch (d) {
    case GX_bool: *re = s.b; return GX_TRY_YES;
    case GX_i8: *re = s.i8; return GX_TRY_YES;
    case GX_i16: *re = s.i16; return GX_TRY_YES;
    case GX_i32: *re = s.i32; return GX_TRY_YES;
    case GX_i64: *re = (double)s.i64; return GX_TRY_YES;
    case GX_u8: *re = s.u8; return GX_TRY_YES;
    case GX_u16: *re = s.u16; return GX_TRY_YES;
    case GX_u32: *re = s.u32; return GX_TRY_YES;
    case GX_u64: *re = (double)s.u64; return GX_TRY_YES;
    GX_HALF_DTYPES(GX_CASE)
        *re = (double)gx_half_widen(gx_dtypes[d].fraction, s.half);
        return GX_TRY_YES;
    case GX_f32: *re = (double)s.f32; return GX_TRY_YES;
    case GX_f64: *re = s.f64; return GX_TRY_YES;
    case GX_c64:
        *re = (double)s.c64.re;
        *im = (double)s.c64.im;
        return GX_TRY_YES;
    case GX_c128:
        *re = s.c128.re;
        *im = s.c128.im;
        return GX_TRY_YES;
    case GX_DTYPES: break;
    }
    return GX_TRY_YES;
}

static gx_try scalar_bytes(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_scalar s;
    bool ok = gx_scalar_read(rt, v, &s) &&
              gx_bytes_new(rt, (const char *)&s, (size_t)gx_dtype_size(gx_scalar_dtype(v)), out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

#define CONSTRUCTOR(made, text, arguments)                                                         \
    static const gx_native made = {.name = text,                                                   \
                                   .sig = text arguments,                                          \
                                   .doc = "A " text " scalar, or an array of that dtype.",         \
                                   .fn = scalar_construct};
#define OF_ONE(id, text, kind, store, compute, cuda, bytes, letter, ...)                           \
    CONSTRUCTOR(construct_##id, text, "(x=<no value>, /)")
#define OF_TWO(id, text, kind, store, compute, cuda, bytes, letter, ...)                           \
    CONSTRUCTOR(construct_##id, text, "(x=<no value>, imag=<no value>, /)")
GX_BOOL_DTYPES(OF_ONE)
GX_INT_DTYPES(OF_ONE) GX_UINT_DTYPES(OF_ONE) GX_FLOAT_DTYPES(OF_ONE) GX_CPLX_DTYPES(OF_TWO)
GX_EXTENSION_DTYPES(OF_ONE)

#define SCALAR(d, make, full_name, parent, held, more)                                             \
    [d] = {.name = full_name,                                                                      \
           .base = parent,                                                                         \
           .tag = held,                                                                            \
           .dtype = d,                                                                             \
           .free = gx_scalar_free,                                                                 \
           .repr = scalar_repr,                                                                    \
           .format = scalar_format,                                                                \
           .truth = scalar_truth,                                                                  \
           .hash = scalar_hash,                                                                    \
           .compare = gx_array_compare,                                                            \
           .binary = gx_array_binary,                                                              \
           .unary = gx_array_unary,                                                                \
           .bytes = scalar_bytes,                                                                  \
           .number = scalar_number,                                                                \
           .index = scalar_index,                                                                  \
           .get = scalar_item,                                                                     \
           .methods = more,                                                                        \
           .construct = &make,                                                                     \
           .doc = "A NumPy scalar."},
#define BOOL_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                        \
    SCALAR(GX_##id, construct_##id, "numpy." text, &gx_type_generic, GX_SCALAR, NULL)
#define INT_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                         \
    SCALAR(GX_##id, construct_##id, "numpy." text, &gx_type_signedinteger, GX_SCALAR, int_methods)
#define UINT_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                        \
    SCALAR(GX_##id, construct_##id, "numpy." text, &gx_type_unsignedinteger, GX_SCALAR,            \
           int_methods)
#define FLOAT_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                       \
    SCALAR(GX_##id, construct_##id, "numpy." text, &gx_type_floating, GX_SCALAR, float_methods)
#define EXTENSION_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                   \
    SCALAR(GX_##id, construct_##id, "ml_dtypes." text, &gx_type_generic, GX_SCALAR, NULL)
#define CPLX_TYPE(id, text, kind, store, compute, cuda, bytes, letter, ...)                        \
    SCALAR(GX_##id, construct_##id, "numpy." text, &gx_type_complexfloating,                       \
           bytes > 8 ? GX_SCALAR_BOX : GX_SCALAR, NULL)

const gx_type gx_scalar_types[GX_DTYPES] = {GX_BOOL_DTYPES(BOOL_TYPE) GX_INT_DTYPES(
    INT_TYPE) GX_UINT_DTYPES(UINT_TYPE) GX_FLOAT_DTYPES(FLOAT_TYPE) GX_CPLX_DTYPES(CPLX_TYPE)
        GX_EXTENSION_DTYPES(EXTENSION_TYPE)};
