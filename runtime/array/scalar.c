/* Single elements of a strong dtype: conversions between dtypes, from Python's numbers, to text. As
   values they are scalar_box.c's; their types and operators are scalar_types.c's. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels/half.h"
#include "runtime/array/kind/kind.h"
#include "runtime/array/array.h"
#include "runtime/array/dtype.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/class/class.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/object/warn.h"

GX_CHECK bool gx_scalar_item(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_value *out) {
    switch (d) {
    case GX_bool: *out = gx_bool(s->b != 0); return true;
    case GX_i8: *out = gx_int(s->i8); return true;
    case GX_i16: *out = gx_int(s->i16); return true;
    case GX_i32: *out = gx_int(s->i32); return true;
    case GX_i64: *out = gx_int(s->i64); return true;
    case GX_u8: *out = gx_int(s->u8); return true;
    case GX_u16: *out = gx_int(s->u16); return true;
    case GX_u32: *out = gx_int(s->u32); return true;
    case GX_u64: return gx_int_from_u64(rt, s->u64, out);
    GX_HALF_DTYPES(GX_CASE)
        *out = gx_float((double)gx_half_widen(gx_dtypes[d].fraction, s->half));
        return true;
    case GX_f32: *out = gx_float((double)s->f32); return true;
    case GX_f64: *out = gx_float(s->f64); return true;
    case GX_c64: return gx_complex_new(rt, (double)s->c64.re, (double)s->c64.im, out);
    case GX_c128: return gx_complex_new(rt, s->c128.re, s->c128.im, out);
    case GX_DTYPES: break;
    }
    return gx_fail(rt, GX_RuntimeError, "dtype.broken", "an element of no dtype");
}

double gx_float_max(gx_dtype d) {
    const int fraction = gx_dtypes[d].fraction, exponent = 8 * gx_dtypes[d].bytes - 1 - fraction;
    return ldexp(2 - ldexp(1, -fraction), (1 << (exponent - 1)) - 1);
}

double gx_float_rounded(gx_dtype d, double x) {
    if (gx_is_half(d)) {
        const int fraction = gx_dtypes[d].fraction;
        return (double)gx_half_widen(fraction, gx_half_round(fraction, (double)(float)x));
    }
    return d == GX_f32 ? (double)(float)x : x;
}

/* What every element can be read as before it is converted. */
typedef struct wide {
    int kind; /* gx_dkind; BOOL reads as UINT */
    int64_t i;
    uint64_t u;
    double re, im;
} wide;

static wide widen(gx_dtype d, const gx_scalar *s) {
    wide w = {.kind = gx_dtype_kind(d)};
    switch (d) {
    case GX_bool: w.u = s->b != 0; break;
    case GX_i8: w.i = s->i8; break;
    case GX_i16: w.i = s->i16; break;
    case GX_i32: w.i = s->i32; break;
    case GX_i64: w.i = s->i64; break;
    case GX_u8: w.u = s->u8; break;
    case GX_u16: w.u = s->u16; break;
    case GX_u32: w.u = s->u32; break;
    case GX_u64: w.u = s->u64; break;
    GX_HALF_DTYPES(GX_CASE)
        w.re = (double)gx_half_widen(gx_dtypes[d].fraction, s->half);
        break;
    case GX_f32: w.re = (double)s->f32; break;
    case GX_f64: w.re = s->f64; break;
    case GX_c64: w.re = (double)s->c64.re; w.im = (double)s->c64.im; break;
    case GX_c128: w.re = s->c128.re; w.im = s->c128.im; break;
    case GX_DTYPES: break;
    }
    return w;
}

/* float -> integer out of range follows x86: the "integer indefinite" value. */
static int64_t x86_i64(double x) {
    return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}
static int32_t x86_i32(double x) {
    return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
}
static uint64_t x86_u64(double x) {
    return x >= 0x1p63 ? (uint64_t)x86_i64(x - 0x1p63) ^ (1ull << 63) : (uint64_t)x86_i64(x);
}

static bool wide_truth(const wide *w) {
    return w->i != 0 || w->u != 0 || w->re != 0 || w->im != 0;
}

static double wide_double(const wide *w) {
    if (w->kind == GX_KIND_INT) return (double)w->i;
    return w->kind <= GX_KIND_UINT ? (double)w->u : w->re;
}

static float wide_float(const wide *w) {
    if (w->kind == GX_KIND_INT) return (float)w->i;
    return w->kind <= GX_KIND_UINT ? (float)w->u : (float)w->re;
}

/* The integer of 64 bits whose low bytes are the result in a narrower type. */
static uint64_t wide_bits(const wide *w, gx_dtype to) {
    if (w->kind == GX_KIND_INT) return (uint64_t)w->i;
    if (w->kind <= GX_KIND_UINT) return w->u;
    if (to == GX_u64) return x86_u64(w->re);
    if (to == GX_i64 || to == GX_u32) return (uint64_t)x86_i64(w->re);
    return (uint64_t)x86_i32(w->re);
}

gx_scalar gx_scalar_cast(gx_dtype from, gx_dtype to, const gx_scalar *s) {
    if (from == to) return *s;
    wide w = widen(from, s);
    gx_scalar r = {.bits = {0, 0}};
    switch (to) {
    case GX_bool: r.b = wide_truth(&w); break;
    case GX_i8: r.i8 = (int8_t)wide_bits(&w, to); break;
    case GX_i16: r.i16 = (int16_t)wide_bits(&w, to); break;
    case GX_i32: r.i32 = (int32_t)wide_bits(&w, to); break;
    case GX_i64: r.i64 = (int64_t)wide_bits(&w, to); break;
    case GX_u8: r.u8 = (uint8_t)wide_bits(&w, to); break;
    case GX_u16: r.u16 = (uint16_t)wide_bits(&w, to); break;
    case GX_u32: r.u32 = (uint32_t)wide_bits(&w, to); break;
    case GX_u64: r.u64 = wide_bits(&w, to); break;
    GX_HALF_DTYPES(GX_CASE)
        r.half = gx_half_round(gx_dtypes[to].fraction, /* ml_dtypes goes through float32 */
                               gx_is_extension(to) ? (double)wide_float(&w) : wide_double(&w));
        break;
    case GX_f32: r.f32 = wide_float(&w); break;
    case GX_f64: r.f64 = wide_double(&w); break;
    case GX_c64: r.c64 = (gx_c64){wide_float(&w), (float)w.im}; break;
    case GX_c128: r.c128 = (gx_c128){wide_double(&w), w.im}; break;
    case GX_DTYPES: break;
    }
    return r;
}

/* Does an int64 fit an integer dtype? */
static bool int_fits(int64_t i, gx_dtype d) {
    int bits = gx_dtypes[d].bytes * 8;
    if (gx_dtype_kind(d) == GX_KIND_UINT) return i >= 0 && (bits == 64 || i >> bits == 0);
    return bits == 64 || (i >= -(INT64_C(1) << (bits - 1)) && i < (INT64_C(1) << (bits - 1)));
}

static bool fail_bounds(gx_rt *rt, gx_borrowed v, gx_dtype d) {
    gx_buf text = gx_buf_new(rt);
    if (gx_repr(rt, v, &text)) {
        gx_fail(rt, GX_OverflowError, "dtype.range", "Python integer %s out of bounds for %s",
                gx_buf_text(&text), gx_dtypes[d].name);
    }
    gx_buf_free(&text);
    return false;
}

/* Converts to a narrower float; a finite value that becomes infinite is warned of. */
static bool cast_noticing(gx_rt *rt, gx_dtype from, gx_dtype to, const gx_scalar *s,
                          gx_scalar *out) {
    *out = gx_scalar_cast(from, to, s);
    gx_dtype part = gx_real_dtype(to);
    if (part != GX_f32 && !gx_is_half(part)) return true;
    wide before = widen(from, s), after = widen(to, out);
    bool grew = (isinf(after.re) && !isinf(before.re)) || (isinf(after.im) && !isinf(before.im));
    return !grew || gx_fp_warn(rt, GX_FP_OVERFLOW, "cast", rt->here);
}

static bool from_int(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    int kind = gx_dtype_kind(d);
    if (v.tag == GX_BIGINT) {
        gx_scalar s = {.bits = {0, 0}};
        if (kind >= GX_KIND_FLOAT) {
            double x;
            if (!gx_int_to_double(rt, v, &x)) return false;
            s.f64 = x;
            return cast_noticing(rt, GX_f64, d, &s, out);
        }
        if (kind == GX_KIND_BOOL) s.b = 1;
        else if (d != GX_u64 || !gx_bigint_u64(v, &s.u64)) return fail_bounds(rt, v, d);
        *out = s;
        return true;
    }
    gx_scalar s = {.i64 = v.i};
    if ((kind == GX_KIND_INT || kind == GX_KIND_UINT) && !int_fits(v.i, d))
        return fail_bounds(rt, v, d);
    return cast_noticing(rt, GX_i64, d, &s, out);
}

/* The Python type whose constructor reads texts and objects for elements of a dtype. */
static const gx_type *reader_of(gx_dtype d) {
    int kind = gx_dtype_kind(d);
    if (kind == GX_KIND_CPLX) return &gx_type_complex;
    return kind == GX_KIND_FLOAT ? &gx_type_float : &gx_type_int;
}

bool gx_reads_itself(gx_rt *rt, gx_borrowed v, gx_dtype d) {
    const int kind = gx_dtype_kind(d);
    const char *name = kind == GX_KIND_FLOAT                            ? "__float__"
                       : kind == GX_KIND_INT || kind == GX_KIND_UINT ? "__int__"
                                                                        : NULL;
    return name && gx_is_instance(v) && gx_special_find(rt, v, name).tag != GX_UNDEF;
}

/* What is no number, as NumPy takes it where the dtype is known: anything is true or false, None is
   nan, texts and objects are what int, float or complex make of them. */
static bool from_other(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    gx_value number, text = v;
    gx_scalar s = {.bits = {0, 0}};
    if (d == GX_bool) {
        bool truth;
        if (!gx_truth(rt, v, &truth)) return false;
        s.b = truth;
        *out = s;
        return true;
    }
    if (v.tag == GX_NONE && gx_dtype_kind(d) >= GX_KIND_FLOAT) {
        s.c128 = (gx_c128){NAN, NAN};
        *out = gx_scalar_cast(GX_c128, d, &s);
        return true;
    }
    if (v.tag != GX_STR && v.tag != GX_BYTES && !gx_is_instance(v))
        return gx_fail(rt, GX_TypeError, "dtype.value", "%s cannot be an element of a %s array",
                       gx_type_name(v), gx_dtypes[d].name);
    if (v.tag == GX_BYTES &&
        !gx_str_new(rt, gx_as_str(v)->text, gx_as_str(v)->length, &text))
        return false;
    bool ok = gx_call_value(rt, gx_type_value(reader_of(d)), 1, &text, 0, NULL, &number);
    if (v.tag == GX_BYTES) gx_drop(text);
    if (!ok) return false;
    ok = gx_scalar_from(rt, number, d, out);
    gx_drop(number);
    return ok;
}

GX_CHECK bool gx_scalar_from(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    gx_scalar s = {.bits = {0, 0}};
    if (gx_is_kind(d)) return gx_kind_refuse(rt, d, "a number");
    v = gx_plain_number(v);
    switch (v.tag) {
    case GX_BOOL:
        s.b = v.b;
        *out = gx_scalar_cast(GX_bool, d, &s);
        return true;
    case GX_INT:
    case GX_BIGINT: return from_int(rt, v, d, out);
    case GX_FLOAT:
        if (gx_dtype_kind(d) == GX_KIND_INT || gx_dtype_kind(d) == GX_KIND_UINT) {
            if (v.f != v.f)
                return gx_fail(rt, GX_ValueError, "dtype.nan",
                               "cannot convert float NaN to integer");
            if (isinf(v.f)) {
                return gx_fail(rt, GX_OverflowError, "dtype.inf",
                               "cannot convert float infinity to integer");
            }
            double end = d == GX_u64 ? 0x1p64 : 0x1p63;
            if (v.f >= end || v.f < -0x1p63)
                return gx_fail(rt, GX_OverflowError, "dtype.large",
                               "Python float %g is too large for %s", v.f, gx_dtypes[d].name);
            if (v.f >= -0x1p63 && v.f < 0x1p63 && !int_fits((int64_t)v.f, d))
                return fail_bounds(rt, gx_int((int64_t)v.f), d);
        }
        s.f64 = v.f;
        return cast_noticing(rt, GX_f64, d, &s, out);
    case GX_COMPLEX:
        if (gx_dtype_kind(d) != GX_KIND_CPLX && d != GX_bool) {
            return gx_fail(rt, GX_TypeError, "dtype.complex",
                           "a complex number cannot be stored in %s; take its .real",
                           gx_dtypes[d].name);
        }
        s.c128 = (gx_c128){((gx_complex *)(void *)v.obj)->re, ((gx_complex *)(void *)v.obj)->im};
        return cast_noticing(rt, GX_c128, d, &s, out);
    case GX_SCALAR:
    case GX_SCALAR_BOX:
        return gx_scalar_read(rt, v, &s) && cast_noticing(rt, gx_scalar_dtype(v), d, &s, out);
    case GX_ARRAY:
        if (gx_reads_itself(rt, v, d)) return from_other(rt, v, d, out);
        if (gx_as_array(v)->count == 1) {
            if (!gx_array_item(rt, gx_as_array(v), &s)) return false;
            *out = gx_scalar_cast((gx_dtype)gx_as_array(v)->dtype, d, &s);
            return true;
        }
        return gx_fail(rt, GX_ValueError, "array.scalar",
                       "setting an array element with a sequence.");
    case GX_LIST:
    case GX_TUPLE:
        return gx_fail(rt, gx_dtype_kind(d) == GX_KIND_FLOAT ? GX_ValueError : GX_TypeError,
                       "array.scalar",
                       "setting an array element with a sequence.");
    default: return from_other(rt, v, d, out);
    }
}

GX_CHECK bool gx_element_from(gx_rt *rt, gx_borrowed v, gx_dtype d, gx_scalar *out) {
    bool is_int = v.tag == GX_INT;
    if (GX_LIKELY((is_int || v.tag == GX_FLOAT) && (d == GX_f64 || (is_int && d == GX_i64)))) {
        *out = (gx_scalar){.bits = {0, 0}};
        if (d == GX_i64) out->i64 = v.i;
        else out->f64 = is_int ? (double)v.i : v.f;
        return true;
    }
    int kind = gx_dtype_kind(d);
    if (v.tag == GX_INT || v.tag == GX_FLOAT || (kind != GX_KIND_INT && kind != GX_KIND_UINT))
        return gx_scalar_from(rt, v, d, out);
    gx_borrowed n = gx_plain_number(v);
    if ((n.tag != GX_SCALAR && n.tag != GX_SCALAR_BOX) || gx_scalar_dtype(n) == d ||
        gx_dtype_kind(gx_scalar_dtype(n)) == GX_KIND_CPLX)
        return gx_scalar_from(rt, v, d, out);
    gx_scalar s;
    gx_value plain;
    if (!gx_scalar_read(rt, n, &s) || !gx_scalar_item(rt, gx_scalar_dtype(n), &s, &plain))
        return false;
    bool ok = gx_scalar_from(rt, kind == GX_KIND_UINT ? v : plain, d, out); /* which wraps */
    gx_drop(plain);
    return ok;
}

gx_operand gx_operand_kind(gx_borrowed v) {
    if (v.tag == GX_OBJECT) v = gx_plain_number(v);
    switch (v.tag) {
    case GX_BOOL:
    case GX_INT:
    case GX_BIGINT:
    case GX_FLOAT:
    case GX_COMPLEX: return GX_OPERAND_WEAK;
    case GX_SCALAR:
    case GX_SCALAR_BOX: return GX_OPERAND_SCALAR;
    case GX_ARRAY: return GX_OPERAND_ARRAY;
    default: return GX_OPERAND_NONE;
    }
}

static bool real_text(gx_buf *out, double x, int bytes, bool complex_part) {
    if (bytes == 8 && !complex_part) return gx_repr_double(out, x);
    if (x != x) return gx_buf_puts(out, "nan");
    if (isinf(x)) return gx_buf_puts(out, x < 0 ? "-inf" : "inf");
    char digits[24];
    int exponent, n = gx_shortest_digits(x, bytes, digits, &exponent);
    if (signbit(x) && !gx_buf_char(out, '-')) return false;
    if (n == 0) return gx_buf_puts(out, complex_part ? "0" : "0.0");
    int point = exponent; /* the value is 0.digits × 10^exponent */
    int limit = bytes == 2   ? 3
                : bytes == 4 ? 6
                             : 16; /* NumPy writes no digits that a type cannot hold */
    if (point < -3 || point > limit) {
        if (!gx_buf_char(out, digits[0])) return false;
        if (n > 1 && !(gx_buf_char(out, '.') && gx_buf_add(out, digits + 1, (size_t)n - 1)))
            return false;
        return gx_buf_printf(out, "e%+03d", point - 1);
    }
    if (point <= 0) {
        return gx_buf_puts(out, "0.") && gx_buf_fill(out, '0', (size_t)-point) &&
               gx_buf_add(out, digits, (size_t)n);
    }
    if (n <= point) {
        return gx_buf_add(out, digits, (size_t)n) && gx_buf_fill(out, '0', (size_t)(point - n)) &&
               (complex_part || gx_buf_puts(out, ".0"));
    }
    return gx_buf_add(out, digits, (size_t)point) && gx_buf_char(out, '.') &&
           gx_buf_add(out, digits + point, (size_t)(n - point));
}

static bool complex_text(gx_buf *out, double re, double im, int bytes) {
    if (re == 0 && !signbit(re)) return real_text(out, im, bytes, true) && gx_buf_char(out, 'j');
    if (!gx_buf_char(out, '(') || !real_text(out, re, bytes, true)) return false;
    if (!(signbit(im) && im == im) && !gx_buf_char(out, '+')) return false;
    return real_text(out, im, bytes, true) && gx_buf_puts(out, "j)");
}

GX_CHECK bool gx_scalar_text(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_buf *out) {
    (void)rt;
    wide w = widen(d, s);
    switch ((gx_dkind)gx_dtype_kind(d)) {
    case GX_KIND_BOOL: return gx_buf_puts(out, w.u ? "True" : "False");
    case GX_KIND_INT: return gx_buf_printf(out, "%lld", (long long)w.i);
    case GX_KIND_UINT: return gx_buf_printf(out, "%llu", (unsigned long long)w.u);
    case GX_KIND_FLOAT:
        if (gx_is_extension(d)) return gx_buf_printf(out, "%g", w.re != w.re ? NAN : w.re);
        return real_text(out, w.re, gx_dtypes[d].bytes, false);
    case GX_KIND_CPLX: return complex_text(out, w.re, w.im, gx_dtypes[d].bytes / 2);
    }
    return true;
}
