/* What int(x) accepts: texts with signs and prefixes, numbers, what stands for an int. */
#include <ctype.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"

static bool invalid(gx_rt *rt, gx_borrowed original, int base) {
    gx_buf b = gx_buf_new(rt);
    if (gx_repr(rt, original, &b))
        gx_fail(rt, GX_ValueError, "int.literal", "invalid literal for int() with base %d: %s",
                base, gx_buf_text(&b));
    gx_buf_free(&b);
    return false;
}

/* Sign, prefix, digits with single underscores between them. */
static bool parse_literal(gx_rt *rt, const char *p, const char *end, int base, gx_borrowed original,
                          gx_value *out) {
    int shown = base;
    bool negative = false;
    while (p < end && isspace((unsigned char)*p)) p++;
    while (end > p && isspace((unsigned char)end[-1])) end--;
    if (p < end && (*p == '+' || *p == '-')) negative = *p++ == '-';
    int prefix = 0;
    if (end - p > 1 && p[0] == '0') {
        char c = (char)(p[1] | 0x20);
        prefix = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
    }
    bool zeros = base == 0 && prefix == 0 && end - p > 1 && p[0] == '0';
    if (prefix && (base == 0 || base == prefix)) {
        base = prefix;
        p += 2;
        if (p < end && *p == '_') p++;
    } else if (base == 0) {
        base = 10;
    }
    gx_buf digits = gx_buf_new(rt);
    bool ok = p < end, last = false, all_zero = true;
    for (; ok && p < end; p++) {
        if (*p == '_') {
            ok = last;
            last = false;
            continue;
        }
        last = true;
        all_zero = all_zero && *p == '0';
        ok = (unsigned char)*p < 128 && gx_digit_value(*p) < base;
        if (ok && !gx_buf_char(&digits, *p)) {
            gx_buf_free(&digits);
            return false;
        }
    }
    ok = ok && last && !(zeros && !all_zero);
    gx_value v;
    if (!ok)
        invalid(rt, original, shown);
    else
        ok = gx_int_parse(rt, gx_buf_text(&digits), digits.length, base, &v);
    gx_buf_free(&digits);
    if (!ok) return false;
    if (!negative) {
        *out = v;
        return true;
    }
    ok = gx_int_neg(rt, v, out);
    gx_drop(v);
    return ok;
}

static bool from_text(gx_rt *rt, gx_borrowed v, int base, gx_value *out) {
    gx_str *s = gx_as_str(v);
    if (gx_str_ascii(s) || v.tag == GX_BYTES)
        return parse_literal(rt, s->text, s->text + s->length, base, v, out);
    gx_buf b = gx_buf_new(rt);
    bool ok = gx_str_plain_digits(s, &b) &&
              parse_literal(rt, gx_buf_text(&b), gx_buf_text(&b) + b.length, base, v, out);
    gx_buf_free(&b);
    return ok;
}

/* Arrays of one element and scalars answer through as_double; their exact value through index. */
static bool from_other(gx_call *c, gx_borrowed v, gx_value *out) {
    double f;
    if (gx_is_instance(v) || gx_type_of(v)->foreign) {
        gx_try own = gx_special_int(c->rt, v, "__int__", out);
        if (own == GX_TRY_NO) own = gx_special_int(c->rt, v, "__index__", out);
        if (own != GX_TRY_NO) return own == GX_TRY_YES;
    }
    v = gx_plain_number(v);
    if (gx_is_instance(v) && !gx_is_int(v)) goto wrong;
    if (gx_is_int(v)) return gx_plain_value(c->rt, v, out);
    gx_try r = gx_as_integer(c->rt, v, out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    if (gx_is_complex_scalar(v))
        return gx_scalar_real_part(c->rt, v, &f) && gx_int_from_double(c->rt, f, out);
    r = gx_as_double(c->rt, v, &f);
    if (r == GX_TRY_YES) return gx_int_from_double(c->rt, f, out);
    if (r == GX_TRY_ERROR) return false;
wrong:
    return gx_fail(
        c->rt, GX_TypeError, "int.type",
        "int() argument must be a string, a bytes-like object or a real number, not '%s'",
        gx_type_name(v));
}

static bool construct(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0)) {
        *out = gx_int(0);
        return true;
    }
    gx_borrowed v = c->argv[0];
    bool text = v.tag == GX_STR || v.tag == GX_BYTES;
    int64_t base = 10;
    if (gx_is_bytearray(v)) {
        gx_value bytes, argv[2];
        if (gx_bytes_like(c->rt, v, &bytes) != GX_TRY_YES) return false;
        argv[0] = bytes;
        argv[1] = c->argv[1];
        gx_call same = *c;
        same.argv = argv;
        bool ok = construct(&same, out);
        gx_drop(bytes);
        return ok;
    }
    if (gx_arg_given(c, 1)) {
        if (c->argv[1].tag == GX_NONE) return gx_arg_wrong(c, 1, "an integer");
        if (!gx_arg_bound(c, 1, &base)) return false;
        if (base != 0 && (base < 2 || base > 36))
            return gx_fail(c->rt, GX_ValueError, "int.base",
                           "int() base must be >= 2 and <= 36, or 0");
        if (!text)
            return gx_fail(c->rt, GX_TypeError, "int.base",
                           "int() can't convert non-string with explicit base");
    }
    if (text) return from_text(c->rt, v, (int)base, out);
    if (v.tag == GX_FLOAT) return gx_int_from_double(c->rt, v.f, out);
    if (v.tag == GX_BOOL) {
        *out = gx_int(v.b);
        return true;
    }
    if (gx_is_int(v) && !gx_is_instance(v)) return gx_plain_value(c->rt, v, out);
    return from_other(c, v, out);
}

const gx_native gx_int_construct = {
    "int", "int(x=<no value>, /, base=<no value>)",
    "An int from a number (cut towards zero) or from text in a base.", "int('ff', 16)  # 255",
    construct, 0, 0,
};
