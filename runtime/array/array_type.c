/* The types of arrays and of dtypes: their slots. Methods and attributes of arrays are stdlib's. */
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

static void array_free(gx_rt *rt, gx_obj *o) {
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
    .tag = GX_ARRAY, .dtype = GX_NO_DTYPE, .free = array_free, .traverse = array_traverse,         \
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

/* --- dtypes --- */

static bool dtype_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const char *quote = gx_is_extension(v.dtype) ? "" : "'", *name = gx_dtypes[v.dtype].name;
    const int open = gx_dtypes[v.dtype].bytes == 0; /* text as wide as it needs to be: '<U' */
    const int shown = (int)strlen(name) - (*name == '|') - open;
    return gx_buf_printf(out, "dtype(%s%.*s%s)", quote, shown, name + (*name == '|'), quote);
}

static bool dtype_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_puts(out, gx_dtypes[v.dtype].name);
}

static bool dtype_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    *out = 0x6478u + v.dtype * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}

/* a < b: a may be cast to b safely, and is not b. */
static gx_try dtype_order(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_dtype x, y;
    bool swap = op == GX_GT || op == GX_GE, or_same = op == GX_LE || op == GX_GE;
    if (!gx_dtype_of(rt, swap ? b : a, &x) || !gx_dtype_of(rt, swap ? a : b, &y)) {
        if (rt->error.kind == GX_MemoryError) return GX_TRY_ERROR;
        gx_error_clear(rt);
        return GX_TRY_NO;
    }
    *out = gx_bool(x == y ? or_same : gx_can_cast(x, y, GX_CAST_SAFE));
    return GX_TRY_YES;
}

static gx_try dtype_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_dtype x, y;
    gx_value other = a.tag == GX_DTYPE ? b : a;
    bool same = false;
    if (op >= GX_LT && op <= GX_GE) return dtype_order(rt, op, a, b, out);
    if ((op != GX_EQ && op != GX_NE) || other.tag == GX_ARRAY) return GX_TRY_NO;
    if (other.tag == GX_DTYPE || other.tag == GX_TYPE || other.tag == GX_STR) {
        same = gx_dtype_of(rt, a, &x) && gx_dtype_of(rt, b, &y) && x == y;
        gx_error_clear(rt); /* what is no dtype is just not equal */
    }
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_dtype_info *d = &gx_dtypes[self.dtype];
    if (!gx_is_text(self.dtype)) return gx_str_c(rt, d->name, out);
    return gx_str_printf(rt, out, d->bytes ? "%s%u" : "%s", d->letter == 'U' ? "str" : "bytes",
                         8 * d->bytes);
}
static bool get_kind(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_new(rt, &gx_dtypes[self.dtype].kind_letter, 1, out);
}
static bool get_char(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_new(rt, &gx_dtypes[self.dtype].letter, 1, out);
}
static bool get_str(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_dtype_info *d = &gx_dtypes[self.dtype];
    if (gx_is_kind(self.dtype)) return gx_str_c(rt, d->name, out);
    return gx_str_printf(rt, out, "%c%c%d", d->bytes == 1 ? '|' : '<', d->kind_letter, d->bytes);
}
/* [('', '<f4')]: one field without a name. */
static bool get_descr(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value pair[2], field;
    if (!gx_str_c(rt, "", &pair[0])) return false;
    if (!get_str(rt, self, &pair[1])) {
        gx_drop(pair[0]);
        return false;
    }
    if (!gx_tuple_take(rt, 2, pair, &field)) return false;
    bool ok = gx_list_new(rt, 1, &field, out);
    gx_drop(field);
    return ok;
}
static bool get_order(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const bool none =
        gx_dtypes[self.dtype].bytes == 1 || gx_of_family(self.dtype, &gx_family_bytes);
    return gx_str_c(rt, none ? "|" : "=", out);
}
static bool get_itemsize(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_dtypes[self.dtype].bytes);
    return true;
}
static bool get_native(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(true);
    return true;
}
static bool get_type(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_type_value(gx_is_kind(self.dtype) ? gx_dtypes[self.dtype].family->type
                                                : &gx_scalar_types[self.dtype]);
    return true;
}

/* NumPy's number of each dtype. */
static bool get_num(gx_rt *rt, gx_borrowed self, gx_value *out) {
    static const uint16_t numbers[GX_DTYPES] = {
        [GX_bool] = 0, [GX_i8] = 1,   [GX_u8] = 2,   [GX_i16] = 3,  [GX_u16] = 4,
        [GX_i32] = 5,  [GX_u32] = 6,  [GX_i64] = 7,  [GX_u64] = 8,  [GX_f32] = 11,
        [GX_f64] = 12, [GX_c64] = 14, [GX_c128] = 15, [GX_f16] = 23,
        [GX_bf16] = 256 /* the first that a package gets */};
    (void)rt;
    const gx_family *family = gx_dtypes[self.dtype].family;
    *out = gx_int(family ? family->number : numbers[self.dtype]);
    return true;
}
static bool get_alignment(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_family *family = gx_dtypes[self.dtype].family;
    *out = gx_int(family ? family->alignment
                         : (int)gx_dtypes[gx_real_dtype((gx_dtype)self.dtype)].bytes);
    return true;
}
static bool get_self(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = self;
    return true;
}
static bool get_none(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}
static bool get_no_shape(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)self;
    return gx_tuple_new(rt, 0, NULL, out);
}
static bool get_zero(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(0);
    return true;
}
static bool get_builtin(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(1);
    return true;
}
static bool get_false(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(false);
    return true;
}

/* newbyteorder: only the machine's order exists. */
static bool byte_order(gx_call *c, gx_value *out) {
    gx_dtype d = (gx_dtype)c->argv[0].dtype;
    const char *text = c->argv[1].tag == GX_STR ? gx_as_str(c->argv[1])->text : "";
    bool native = *text && strchr("=|<IinNlL", *text) != NULL;
    if (!native && gx_dtypes[d].bytes > 1)
        return gx_fail(c->rt, GX_ValueError, "dtype.order",
                       "gx arrays have the machine's byte order, '<'");
    *out = c->argv[0];
    return true;
}

static const gx_native dtype_methods[] = {
    {"newbyteorder", "newbyteorder(self, new_order='S', /)",
     "The dtype in another byte order; gx has the machine's only.", NULL, byte_order, 0, 0},
    {.name = NULL},
};

static const gx_member dtype_members[] = {
    {"name", get_name, NULL, "The dtype's name: 'float32'."},
    {"kind", get_kind, NULL, "One of b i u f c."},
    {"char", get_char, NULL, "NumPy's one-letter code."},
    {"str", get_str, NULL, "Byte order, kind and bytes: '<f4'."},
    {"descr", get_descr, NULL, "What a file of arrays says: [('', '<f4')]."},
    {"byteorder", get_order, NULL, "'=' (native), or '|' for one byte."},
    {"itemsize", get_itemsize, NULL, "Bytes an element."},
    {"alignment", get_alignment, NULL, "Bytes an element is aligned to."},
    {"num", get_num, NULL, "NumPy's number of the dtype."},
    {"base", get_self, NULL, "The dtype itself: gx has no sub-arrays."},
    {"subdtype", get_none, NULL, "None: gx has no sub-arrays."},
    {"shape", get_no_shape, NULL, "(): gx has no sub-arrays."},
    {"ndim", get_zero, NULL, "0: gx has no sub-arrays."},
    {"names", get_none, NULL, "None: gx has no records."},
    {"fields", get_none, NULL, "None: gx has no records."},
    {"hasobject", get_false, NULL, "False: gx has no arrays of objects."},
    {"isbuiltin", get_builtin, NULL, "1: a builtin dtype."},
    {"isnative", get_native, NULL, "True: gx arrays have the machine's byte order."},
    {"type", get_type, NULL, "The type of its scalars."},
    {NULL, NULL, NULL, NULL},
};

static bool dtype_construct(gx_call *c, gx_value *out) {
    gx_dtype d;
    if (!gx_dtype_of(c->rt, c->argv[0], &d)) return false;
    *out = gx_dtype_value(d);
    return true;
}

static const gx_native dtype_native = {.name = "dtype",
                                       .sig = "dtype(dtype, align=False, copy=False)",
                                       .doc =
                                           "A dtype from a name, a code, a Python or NumPy type.",
                                       .example = "dtype('f4')  # float32",
                                       .fn = dtype_construct};

const gx_type gx_type_dtype = {.name = "numpy.dtype",
                               .tag = GX_DTYPE,
                               .dtype = GX_NO_DTYPE,
                               .repr = dtype_repr,
                               .str = dtype_str,
                               .hash = dtype_hash,
                               .compare = dtype_compare,
                               .methods = dtype_methods,
                               .members = dtype_members,
                               .construct = &dtype_native,
                               .doc = "The type of an array's elements."};
