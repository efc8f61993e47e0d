/* Questions about dtypes: finfo, iinfo, result_type, promote_types, can_cast, issubdtype … */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/base/vec.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_dtype_functions[];

/* --- finfo and iinfo: a record of named numbers --- */

typedef struct info {
    gx_obj obj;
    uint8_t dtype;
} info;

static gx_dtype info_dtype(gx_borrowed v) {
    return (gx_dtype)((info *)v.obj)->dtype;
}

static void info_free(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

typedef struct float_facts {
    double eps, epsneg, max, tiny, smallest, resolution;
    int bits, precision, nmant, nexp, maxexp, minexp, machep, negep;
} float_facts;

/* All of them follow from the bits of the dtype and of its fraction. */
static float_facts facts_of(gx_dtype d) {
    const int bits = 8 * (int)gx_dtype_size(d), nmant = gx_dtypes[d].fraction;
    const int nexp = bits - 1 - nmant, maxexp = 1 << (nexp - 1), minexp = 2 - maxexp;
    const int precision = (int)(nmant * log10(2));
    return (float_facts){.eps = ldexp(1, -nmant),
                         .epsneg = ldexp(1, -nmant - 1),
                         .max = gx_float_max(d),
                         .tiny = ldexp(1, minexp),
                         .smallest = ldexp(1, minexp - nmant),
                         .resolution = gx_float_rounded(d, 1 / pow(10, precision)),
                         .bits = bits,
                         .precision = precision,
                         .nmant = nmant,
                         .nexp = nexp,
                         .maxexp = maxexp,
                         .minexp = minexp,
                         .machep = -nmant,
                         .negep = -nmant - 1};
}

static bool give_float(gx_rt *rt, gx_dtype d, double x, gx_value *out) {
    gx_scalar s = {.f64 = x};
    s = gx_scalar_cast(GX_f64, d, &s);
    return gx_scalar_new(rt, d, &s, out);
}

#define FLOAT_MEMBER(name, expression)                                                             \
    static bool name##_get(gx_rt *rt, gx_borrowed self, gx_value *out) {                           \
        const float_facts f = facts_of(info_dtype(self));                                         \
        return give_float(rt, info_dtype(self), expression, out);                                  \
    }
#define INT_MEMBER(name, expression)                                                               \
    static bool name##_get(gx_rt *rt, gx_borrowed self, gx_value *out) {                           \
        (void)rt;                                                                                  \
        const float_facts f = facts_of(info_dtype(self));                                         \
        *out = gx_int(expression);                                                                 \
        return true;                                                                               \
    }
FLOAT_MEMBER(eps, f.eps)
FLOAT_MEMBER(epsneg, f.epsneg)
FLOAT_MEMBER(fmax, f.max)
FLOAT_MEMBER(fmin, -f.max)
FLOAT_MEMBER(tiny, f.tiny)
FLOAT_MEMBER(smallest, f.smallest)
FLOAT_MEMBER(resolution, f.resolution)
INT_MEMBER(fbits, f.bits)
INT_MEMBER(precision, f.precision)
INT_MEMBER(nmant, f.nmant)
INT_MEMBER(nexp, f.nexp)
INT_MEMBER(maxexp, f.maxexp)
INT_MEMBER(minexp, f.minexp)
INT_MEMBER(machep, f.machep)
INT_MEMBER(negep, f.negep)

static bool dtype_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_dtype_value(info_dtype(self));
    return true;
}

static bool finfo_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_dtype d = info_dtype(v);
    const float_facts f = facts_of(d);
    const double numbers[] = {f.resolution, -f.max, f.max};
    static const char *const names[] = {"resolution", "min", "max"};
    if (!gx_buf_puts(out, "finfo(")) return false;
    for (int i = 0; i < 3; i++) {
        gx_scalar s = {.f64 = numbers[i]};
        s = gx_scalar_cast(GX_f64, d, &s);
        bool wide = gx_is_half(d) && i > 0; /* NumPy's text of a half's limits */
        if (!gx_buf_printf(out, "%s=", names[i]) ||
            !(wide ? gx_buf_printf(out, "%.5e", numbers[i]) : gx_scalar_text(rt, d, &s, out)) ||
            !gx_buf_puts(out, ", "))
            return false;
    }
    return gx_buf_printf(out, "dtype=%s)", gx_dtypes[d].name);
}

static const gx_member finfo_members[] = {
    {"eps", eps_get, NULL, "Distance from 1 to the next number."},
    {"epsneg", epsneg_get, NULL, "Distance from 1 to the number before."},
    {"max", fmax_get, NULL, "Largest number."},
    {"min", fmin_get, NULL, "Smallest number."},
    {"tiny", tiny_get, NULL, "Smallest positive normal number."},
    {"smallest_normal", tiny_get, NULL, "Smallest positive normal number."},
    {"smallest_subnormal", smallest_get, NULL, "Smallest positive number."},
    {"resolution", resolution_get, NULL, "10 to the minus precision."},
    {"bits", fbits_get, NULL, "Bits of a number."},
    {"precision", precision_get, NULL, "Decimal digits that are exact."},
    {"nmant", nmant_get, NULL, "Bits of the fraction."},
    {"nexp", nexp_get, NULL, "Bits of the exponent."},
    {"iexp", nexp_get, NULL, "Bits of the exponent."},
    {"maxexp", maxexp_get, NULL, "Smallest power of 2 that overflows."},
    {"minexp", minexp_get, NULL, "Largest negative power of 2 that is normal."},
    {"machep", machep_get, NULL, "The power of 2 that eps is."},
    {"negep", negep_get, NULL, "The power of 2 that epsneg is."},
    {"dtype", dtype_get, NULL, "The dtype."},
    {.name = NULL},
};

static const gx_type finfo_type = {.name = "numpy.finfo",
                                   .tag = GX_OBJECT,
                                   .dtype = GX_NO_DTYPE,
                                   .doc = "Limits of a floating-point dtype.",
                                   .free = info_free,
                                   .repr = finfo_repr,
                                   .members = finfo_members};

static bool imax_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_dtype d = info_dtype(self);
    int bits = (int)gx_dtype_size(d) * 8;
    if (gx_dtype_kind(d) == GX_KIND_UINT)
        return gx_int_from_u64(rt, UINT64_MAX >> (64 - bits), out);
    *out = gx_int((int64_t)(UINT64_MAX >> (65 - bits)));
    return true;
}

static bool imin_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    gx_dtype d = info_dtype(self);
    int bits = (int)gx_dtype_size(d) * 8;
    bool is_unsigned = gx_dtype_kind(d) == GX_KIND_UINT;
    *out = gx_int(is_unsigned ? 0 : -(int64_t)(UINT64_MAX >> (65 - bits)) - 1);
    return true;
}

static bool ibits_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_dtype_size(info_dtype(self)) * 8);
    return true;
}

static bool ikind_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_new(rt, &gx_dtypes[info_dtype(self)].kind_letter, 1, out);
}

static bool ikey_get(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_dtype d = info_dtype(self);
    return gx_str_printf(rt, out, "%c%d", gx_dtypes[d].kind_letter, 8 * (int)gx_dtype_size(d));
}

static bool iinfo_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value low, high = gx_undef();
    if (!imin_get(rt, v, &low) || !imax_get(rt, v, &high)) return false;
    bool ok = gx_buf_puts(out, "iinfo(min=") && gx_repr(rt, low, out) &&
              gx_buf_puts(out, ", max=") && gx_repr(rt, high, out) &&
              gx_buf_printf(out, ", dtype=%s)", gx_dtypes[info_dtype(v)].name);
    gx_drop(high);
    return ok;
}

static const gx_member iinfo_members[] = {
    {"max", imax_get, NULL, "Largest number."},
    {"min", imin_get, NULL, "Smallest number."},
    {"bits", ibits_get, NULL, "Bits of a number."},
    {"kind", ikind_get, NULL, "'i' or 'u'."},
    {"dtype", dtype_get, NULL, "The dtype."},
    {"key", ikey_get, NULL, "Kind and bits: 'i64'."},
    {.name = NULL},
};

static const gx_type iinfo_type = {.name = "numpy.iinfo",
                                   .tag = GX_OBJECT,
                                   .dtype = GX_NO_DTYPE,
                                   .doc = "Limits of an integer dtype.",
                                   .free = info_free,
                                   .repr = iinfo_repr,
                                   .members = iinfo_members};

/* The dtype of an argument: a dtype, or the one a value has. */
static bool subject(gx_call *c, gx_borrowed v, gx_dtype *d) {
    if (v.tag == GX_DTYPE || v.tag == GX_TYPE || v.tag == GX_STR || v.tag == GX_NONE)
        return gx_dtype_of(c->rt, v, d);
    return gx_np_result_type(c->rt, 1, &v, d);
}

static bool make_info(gx_call *c, const gx_type *type, gx_dtype d, gx_value *out) {
    info *i = gx_obj_new(c->rt, type, sizeof *i);
    if (!i) return false;
    i->dtype = (uint8_t)d;
    *out = gx_object(&i->obj);
    return true;
}

/* None, which elsewhere stands for float64, names no dtype here. */
static bool named(gx_call *c, int i) {
    return c->argv[i].tag != GX_NONE || gx_arg_wrong(c, i, "a dtype");
}

/* Is there a list or an array, which has a dtype but is none? */
static bool has_elements(gx_borrowed v) {
    const gx_value *items;
    return gx_is_array(v) || gx_sequence_items(v, &items) >= 0;
}

static bool finfo_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    if (has_elements(c->argv[0]))
        return gx_fail(c->rt, GX_ValueError, "finfo.dtype",
                       "data type dtype('O') not compatible with finfo");
    if (!named(c, 0) || !subject(c, c->argv[0], &d)) return false;
    if (!gx_np_is_float(d))
        return gx_fail(c->rt, GX_ValueError, "finfo.dtype",
                       "data type dtype('%s') not compatible with finfo", gx_dtypes[d].name);
    return make_info(c, &finfo_type, gx_real_dtype(d), out);
}

static bool iinfo_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    if (has_elements(c->argv[0]))
        return gx_fail(c->rt, GX_ValueError, "iinfo.dtype", "Invalid integer data type 'O'.");
    if (!subject(c, c->argv[0], &d)) return false;
    if (gx_np_is_float(d) || d == GX_bool)
        return gx_fail(c->rt, GX_ValueError, "iinfo.dtype", "Invalid integer data type '%c'.",
                       gx_dtypes[d].kind_letter);
    return make_info(c, &iinfo_type, d, out);
}

/* --- promotion and casting --- */

/* A list is no dtype: NumPy's are the fields of a structure. */
static bool no_list(gx_call *c, gx_borrowed v) {
    return (v.tag != GX_TUPLE && v.tag != GX_LIST) ||
           gx_fail(c->rt, GX_TypeError, "dtype.tuple",
                   "a %s is no data type: give arrays, numbers and dtypes one by one",
                   gx_type_name(v));
}

static bool result_type_fn(gx_call *c, gx_value *out) {
    gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_dtype d;
    if (t->count == 0)
        return gx_fail(c->rt, GX_ValueError, "dtype.none",
                       "at least one array or dtype is required");
    for (int64_t i = 0; i < t->count; i++)
        if (!no_list(c, t->items[i])) return false;
    if (!gx_np_result_type(c->rt, (int)t->count, t->items, &d) ||
        !gx_promote_any(c->rt, d, d, &d)) /* of records: without what lies between the fields */
        return false;
    *out = gx_dtype_value(d);
    return true;
}

static bool promote_types_fn(gx_call *c, gx_value *out) {
    gx_dtype a, b;
    if (!named(c, 0) || !named(c, 1)) return false;
    if (!gx_dtype_of(c->rt, c->argv[0], &a) || !gx_dtype_of(c->rt, c->argv[1], &b)) return false;
    gx_dtype both;
    if (!gx_promote_any(c->rt, a, b, &both)) return false;
    *out = gx_dtype_value(both);
    return true;
}

static bool can_cast_fn(gx_call *c, gx_value *out) {
    gx_dtype a = GX_bool, b;
    gx_casting rule;
    gx_borrowed v = c->argv[0];
    if (v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_COMPLEX || v.tag == GX_BIGINT ||
        v.tag == GX_BOOL)
        return gx_fail(c->rt, GX_TypeError, "dtype.cast",
                       "can_cast() does not support Python ints, floats, and complex because the "
                       "result used to depend on the value.");
    const gx_value *fields;
    const bool none = v.tag == GX_LIST && gx_sequence_items(v, &fields) == 0; /* of a structure */
    if (!named(c, 0) || !named(c, 1) || (!none && (!no_list(c, v) || !subject(c, v, &a))) ||
        !gx_dtype_of(c->rt, c->argv[1], &b) || !gx_casting_of(c->rt, c->argv[2], &rule))
        return false;
    *out = gx_bool(!none && gx_can_cast(a, b, rule));
    return true;
}

/* The type a dtype-like names, abstract ones included. */
static bool type_named(gx_call *c, gx_borrowed v, const gx_type **out) {
    gx_dtype d;
    if (v.tag == GX_TYPE && gx_type_is(v.type, &gx_type_generic)) {
        *out = v.type;
        return true;
    }
    if (!gx_dtype_of(c->rt, v, &d)) return false;
    *out = gx_is_kind(d) ? gx_dtypes[d].family->type : &gx_scalar_types[d];
    return true;
}

static bool issubdtype_fn(gx_call *c, gx_value *out) {
    const gx_type *a, *b;
    if (!type_named(c, c->argv[0], &a) || !type_named(c, c->argv[1], &b)) return false;
    *out = gx_bool(gx_type_is(a, b));
    return true;
}

/* The dtype of smallest size that holds a number. */
static bool min_scalar_type_fn(gx_call *c, gx_value *out) {
    gx_value v = c->argv[0], own = gx_undef();
    gx_dtype d;
    gx_scalar one;
    if (gx_is_scalar(v)) { /* a number whose value counts */
        d = gx_scalar_dtype(v);
        if (gx_dtype_kind(d) != GX_KIND_BOOL) {
            if (!gx_scalar_read(c->rt, v, &one)) return false;
            const bool wide = d == GX_u64 && one.u64 > INT64_MAX; /* no value but its dtype's */
            if (!wide && !gx_scalar_item(c->rt, d, &one, &own)) return false;
            if (!wide) v = own;
        }
    } else if (v.tag == GX_ARRAY && gx_as_array(v)->ndim == 0) {
        d = (gx_dtype)gx_as_array(v)->dtype;
        if (gx_dtype_kind(d) != GX_KIND_BOOL) {
            if (!gx_array_item(c->rt, gx_as_array(v), &one)) return false;
            const bool wide = d == GX_u64 && one.u64 > INT64_MAX;
            if (!wide && !gx_scalar_item(c->rt, d, &one, &own)) return false;
            if (!wide) v = own;
        }
    }
    uint64_t wide;
    if (v.tag == GX_BIGINT && gx_bigint_u64(v, &wide)) {
        d = GX_u64;
    } else if (v.tag == GX_INT) {
        static const gx_dtype up[] = {GX_u8, GX_u16, GX_u32, GX_u64},
                              low[] = {GX_i8, GX_i16, GX_i32, GX_i64};
        int k = 0;
        if (v.i >= 0)
            while (k < 3 && (uint64_t)v.i >> (8 << k)) k++;
        else
            while (k < 3 && v.i < -(INT64_C(1) << ((8 << k) - 1))) k++;
        d = v.i >= 0 ? up[k] : low[k];
    } else if (v.tag == GX_FLOAT) {
        double m = v.f < 0 ? -v.f : v.f;
        d = isinf(m) || !(m >= 65000) ? GX_f16 : m > 3.4e38 ? GX_f64 : GX_f32;
    } else if (v.tag == GX_COMPLEX) {
        const gx_complex *z = (gx_complex *)(void *)v.obj;
        d = fabs(z->re) < 3.4e38 && fabs(z->im) < 3.4e38 ? GX_c64 : GX_c128;
    } else if (v.tag == GX_NONE || v.tag == GX_STR || v.tag == GX_DTYPE || v.tag == GX_TYPE ||
               v.tag == GX_ARRAY) {
        if (!gx_np_result_type(c->rt, 1, &v, &d)) return false;
    } else { /* a row of any kind has the dtype of its array */
        gx_np s = gx_np_begin(c);
        const gx_array *a = gx_np_arr(&s, v);
        if (a) d = (gx_dtype)a->dtype;
        if (!gx_np_end(&s, a != NULL)) return false;
    }
    gx_drop(own);
    *out = gx_dtype_value(d);
    return true;
}

static bool common_type_fn(gx_call *c, gx_value *out) {
    gx_tuple *t = gx_as_tuple(c->argv[0]);
    gx_dtype d = GX_f16, one;
    for (int64_t i = 0; i < t->count; i++) {
        if (!gx_np_result_type(c->rt, 1, &t->items[i], &one)) return false;
        if (one == GX_bool || gx_is_kind(one))
            return gx_fail(c->rt, GX_TypeError, "dtype.common",
                           "can't get common type for non-numeric array");
        d = gx_promote(d, gx_np_is_float(one) ? one : GX_f64);
    }
    *out = gx_type_value(&gx_scalar_types[d]);
    return true;
}

extern const gx_native gx_ml_dtypes_functions[];
const gx_native gx_ml_dtypes_functions[] = {
    {"finfo", "finfo(dtype)",
     "Limits of a floating-point dtype, also bfloat16: eps, max, min, tiny, bits.",
     "ml_dtypes.finfo('bfloat16').eps  # 0.0078125", finfo_fn, 0, 0},
    {"iinfo", "iinfo(type)", "Limits of an integer dtype: max, min, bits.",
     "ml_dtypes.iinfo('int8').max  # 127", iinfo_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_dtype_functions[] = {
    {"finfo", "finfo(dtype)", "Limits of a floating-point dtype: eps, max, min, tiny, bits.",
     "finfo('float32').bits  # 32", finfo_fn, 0, 0},
    {"iinfo", "iinfo(type)", "Limits of an integer dtype: max, min, bits.",
     "iinfo('int8').max  # 127", iinfo_fn, 0, 0},
    {"result_type", "result_type(*arrays_and_dtypes)",
     "The dtype that an operation on all these arrays and dtypes would return.",
     "result_type('int32', 3.0)  # float64", result_type_fn, 0, 0},
    {"promote_types", "promote_types(type1, type2)",
     "The smallest dtype that both dtypes convert to safely; TypeError if there is none.",
     "promote_types('int32', 'float32')  # float64", promote_types_fn, 0, 0},
    {"can_cast", "can_cast(from_, to, casting='safe')",
     "Whether the casting rule ('no', 'equiv', 'safe', 'same_kind', 'unsafe') allows from_ to to.",
     "can_cast('int32', 'float64')  # True", can_cast_fn, 0, 0},
    {"issubdtype", "issubdtype(arg1, arg2)",
     "Whether a dtype is the same as another or below it in the hierarchy of types.",
     "issubdtype('float32', float64)  # False", issubdtype_fn, 0, 0},
    {"min_scalar_type", "min_scalar_type(a)",
     "The smallest dtype that holds a number; of an array its dtype.",
     "min_scalar_type(300)  # uint16", min_scalar_type_fn, 0, 0},
    {"common_type", "common_type(*arrays)",
     "The smallest floating-point or complex type that holds the elements of all arrays.",
     "common_type(array([1.5]))  # <class 'numpy.float64'>", common_type_fn, 0, 0},
    {.name = NULL},
};
