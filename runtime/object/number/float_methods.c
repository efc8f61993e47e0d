/* The float type: float('…'), its methods, hexadecimal text. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/operators.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"

static bool float_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_repr_double(out, gx_plain_number(v).f);
}

static bool float_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_spec s;
    return gx_spec_parse_for(rt, spec, length, "float", &s) &&
           gx_format_double(rt, gx_plain_number(v).f, &s, out);
}

/* --- text to float ---------------------------------------------------------------------------- */

static bool from_text(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_str *s = gx_as_str(v);
    gx_buf plain = gx_buf_new(rt);
    const char *p = s->text, *end = p + s->length;
    if (v.tag == GX_STR && !gx_str_ascii(s)) {
        if (!gx_str_plain_digits(s, &plain)) {
            gx_buf_free(&plain);
            return false;
        }
        p = gx_buf_text(&plain);
        end = p + plain.length;
    }
    while (p < end && isspace((unsigned char)*p)) p++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    double f;
    gx_try r = gx_float_parse(rt, p, end, &f);
    gx_buf_free(&plain);
    if (r == GX_TRY_YES) {
        *out = gx_float(f);
        return true;
    }
    if (r == GX_TRY_ERROR) return false;
    gx_buf b = gx_buf_new(rt);
    if (gx_repr(rt, v, &b))
        gx_fail(rt, GX_ValueError, "float.literal", "could not convert string to float: %s",
                gx_buf_text(&b));
    gx_buf_free(&b);
    return false;
}

static bool construct(gx_call *c, gx_value *out) {
    double f;
    if (!gx_arg_given(c, 0)) {
        *out = gx_float(0);
        return true;
    }
    gx_borrowed v = c->argv[0];
    if (v.tag == GX_STR || v.tag == GX_BYTES) return from_text(c->rt, v, out);
    if (gx_is_bytearray(v)) {
        gx_value bytes;
        if (gx_bytes_like(c->rt, v, &bytes) != GX_TRY_YES) return false;
        bool ok = from_text(c->rt, bytes, out);
        gx_drop(bytes);
        return ok;
    }
    if (gx_is_complex_scalar(v)) {
        if (!gx_scalar_real_part(c->rt, v, &f)) return false;
        *out = gx_float(f);
        return true;
    }
    gx_try r = gx_as_double(c->rt, v, &f);
    if (r == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "float.type",
                       "float() argument must be a string or a real number, not '%s'",
                       gx_type_name(v));
    if (r == GX_TRY_YES) *out = gx_float(f);
    return r == GX_TRY_YES;
}

const gx_native gx_float_construct = {
    "float",
    "float(x=<no value>, /)",
    "A float from a number or from text.",
    "float('1e3')  # 1000.0",
    construct,
    0,
    0,
};

/* --- methods ---------------------------------------------------------------------------------- */

static bool is_integer(gx_call *c, gx_value *out) {
    double f = gx_plain_number(c->argv[0]).f;
    *out = gx_bool(isfinite(f) && floor(f) == f);
    return true;
}

static bool conjugate(gx_call *c, gx_value *out) {
    *out = gx_plain_number(c->argv[0]);
    return true;
}

static bool ratio(gx_call *c, gx_value *out) {
    double f = gx_plain_number(c->argv[0]).f;
    if (!isfinite(f))
        return gx_fail(c->rt, isnan(f) ? GX_ValueError : GX_OverflowError, "float.ratio",
                       "cannot convert %s to integer ratio", isnan(f) ? "NaN" : "Infinity");
    int e;
    double m = frexp(f, &e);
    for (int i = 0; i < 300 && m != floor(m); i++) {
        m *= 2;
        e--;
    }
    gx_value pair[2] = {gx_int((int64_t)m), gx_int(1)}, shifted;
    if (!gx_int_binary(c->rt, GX_LSHIFT, e > 0 ? pair[0] : pair[1], gx_int(e > 0 ? e : -e),
                       &shifted))
        return false;
    pair[e > 0 ? 0 : 1] = shifted;
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool hex(gx_call *c, gx_value *out) {
    double f = gx_plain_number(c->argv[0]).f;
    if (!isfinite(f)) {
        gx_buf b = gx_buf_new(c->rt);
        if (gx_repr_double(&b, f)) return gx_str_take(&b, out);
        gx_buf_free(&b);
        return false;
    }
    const char *sign = signbit(f) ? "-" : "";
    if (f == 0) return gx_str_printf(c->rt, out, "%s0x0.0p+0", sign);
    int e;
    double m = frexp(fabs(f), &e);
    int shift = e < -1021 ? 1 - (-1021 - e) : 1; /* subnormals keep the smallest exponent */
    m = ldexp(m, shift);
    e -= shift;
    int whole = (int)m;
    uint64_t rest = (uint64_t)ldexp(m - whole, 52);
    return gx_str_printf(c->rt, out, "%s0x%d.%013llxp%+d", sign, whole, (unsigned long long)rest,
                         e);
}

static bool from_hex(gx_call *c, gx_value *out) {
    const char *text;
    size_t n;
    if (!gx_arg_str(c, 0, &text, &n)) return false;
    while (isspace((unsigned char)*text)) text++;
    const char *p = text;
    bool negative = *p == '-';
    if (*p == '+' || *p == '-') p++;
    char *end;
    double f;
    gx_buf b = gx_buf_new(c->rt);
    bool prefixed = p[0] == '0' && (p[1] | 0x20) == 'x';
    bool word = (p[0] | 0x20) == 'i' || (p[0] | 0x20) == 'n';
    if (!gx_buf_printf(&b, "%s%s", prefixed || word ? "" : "0x", p)) return false;
    f = strtod(gx_buf_text(&b), &end);
    while (isspace((unsigned char)*end)) end++;
    bool ok = *end == '\0' && end != gx_buf_text(&b);
    gx_buf_free(&b);
    if (!ok)
        return gx_fail(c->rt, GX_ValueError, "float.hex",
                       "invalid hexadecimal floating-point string");
    *out = gx_float(negative ? -f : f);
    return true;
}

static bool self_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_plain_number(self);
    return true;
}

static bool zero_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_float(0);
    return true;
}

const gx_member gx_float_members[] = {
    {"real", self_member, NULL, "The real part."},
    {"imag", zero_member, NULL, "The imaginary part, 0.0."},
    {0},
};

const gx_native gx_float_methods[] = {
    {"is_integer", "is_integer(self, /)", "Is the value whole?", "(2.0).is_integer()  # True",
     is_integer, 0, 0},
    {"as_integer_ratio", "as_integer_ratio(self, /)", "Two ints whose quotient is the value.",
     "(0.75).as_integer_ratio()  # (3, 4)", ratio, 0, 0},
    {"conjugate", "conjugate(self, /)", "The value itself.", NULL, conjugate, 0, 0},
    {"hex", "hex(self, /)", "The value in hexadecimal.", "(1.5).hex()  # '0x1.8000000000000p+0'",
     hex, 0, 0},
    {0},
};

const gx_native gx_float_statics[] = {
    {"fromhex", "fromhex(string, /)", "A float from hexadecimal text.",
     "float.fromhex('0x1.8p+0')  # 1.5", from_hex, 0, 0},
    {0},
};

const gx_type gx_type_float = {
    .name = "float", .tag = GX_FLOAT, .dtype = GX_NO_DTYPE, .doc = "A number of 64 bits.",
    .repr = float_repr, .format = float_format, .construct = &gx_float_construct,
    .methods = gx_float_methods, .members = gx_float_members,
};
