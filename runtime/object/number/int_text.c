/* Ints as text: digits in any base both ways. */
#include <ctype.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/format_int.h"
#include "runtime/object/text/str_int.h"

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* --- to text ---------------------------------------------------------------------------------- */

static bool small_text(uint64_t m, bool negative, int base, gx_buf *out) {
    char text[66], *p = text + sizeof text;
    unsigned b = (unsigned)base;
    do *--p = letters[m % b];
    while (m /= b);
    if (negative) *--p = '-';
    return gx_buf_add(out, p, (size_t)(text + sizeof text - p));
}

/* Digits of base 2^bits straight from the words. */
static bool binary_text(const gx_digits *x, int bits, gx_buf *out) {
    size_t total = gx_mag_bits(x->d, x->n);
    size_t count = (total + (size_t)bits - 1) / (size_t)bits;
    if (!gx_buf_reserve(out, count)) return false;
    for (size_t i = count; i-- > 0;) {
        size_t at = i * (size_t)bits, word = at / 32, in = at % 32;
        uint64_t two = x->d[word] | (word + 1 < x->n ? (uint64_t)x->d[word + 1] << 32 : 0);
        if (!gx_buf_char(out, letters[two >> in & ((1u << bits) - 1)])) return false;
    }
    return true;
}

/* Converts to base 10^9 (or the largest power of another base), most significant word first:
   quadratic, with a short inner loop. */
static bool big_text(gx_rt *rt, const gx_digits *x, int base, gx_buf *out) {
    uint32_t power = (uint32_t)base;
    int width = 1;
    while ((uint64_t)power * (uint64_t)base < 1u << 30) {
        power *= (uint32_t)base;
        width++;
    }
    size_t room = x->n * 32 / (size_t)(31 - __builtin_clz(power)) + 2, used = 0;
    uint32_t *part = gx_alloc(rt, room * sizeof *part);
    if (!part) return false;
    bool ok = true;
    for (size_t i = x->n; ok && i-- > 0;) {
        uint64_t carry = x->d[i];
        if (power == 1000000000) { /* a constant divisor is much faster */
            for (size_t j = 0; j < used; j++) {
                uint64_t t = (uint64_t)part[j] << 32 | carry;
                carry = t / 1000000000u;
                part[j] = (uint32_t)(t - carry * 1000000000u);
            }
        } else {
            for (size_t j = 0; j < used; j++) {
                uint64_t t = (uint64_t)part[j] << 32 | carry;
                carry = t / power;
                part[j] = (uint32_t)(t % power);
            }
        }
        for (; carry; carry /= power) part[used++] = (uint32_t)(carry % power);
        ok = gx_interrupt_check(rt);
    }
    ok = ok && gx_buf_reserve(out, used * (size_t)width);
    for (size_t i = used; ok && i-- > 0;) {
        char text[32];
        int n = width;
        for (uint32_t v = part[i]; n > 0; v /= (uint32_t)base)
            text[--n] = letters[v % (uint32_t)base];
        int skip = 0;
        while (i == used - 1 && text[skip] == '0') skip++;
        ok = gx_buf_add(out, text + skip, (size_t)(width - skip));
    }
    gx_free(rt, part);
    return ok;
}

bool gx_int_text(gx_rt *rt, gx_borrowed v, int base, gx_buf *out) {
    v = gx_plain_number(v);
    if (v.tag != GX_BIGINT) {
        int64_t i = gx_small_int(v);
        return small_text(i < 0 ? 0 - (uint64_t)i : (uint64_t)i, i < 0, base, out);
    }
    gx_digits x;
    gx_digits_of(v, &x);
    if (x.negative && !gx_buf_char(out, '-')) return false;
    if (base == 2 || base == 8 || base == 16)
        return binary_text(&x, base == 2 ? 1 : base == 8 ? 3 : 4, out);
    return big_text(rt, &x, base, out);
}

/* --- from text -------------------------------------------------------------------------------- */

/* Digits of base 2^bits straight into the words, the last digit first; b is cleared and long
 * enough. */
static void parse_binary(gx_bigint *b, const char *digits, size_t length, int bits) {
    size_t bit = 0;
    for (size_t i = length; i-- > 0; bit += (size_t)bits) {
        uint64_t d = (uint64_t)gx_digit_value(digits[i]) << bit % 32;
        b->digits[bit / 32] |= (uint32_t)d;
        if (d >> 32) b->digits[bit / 32 + 1] |= (uint32_t)(d >> 32);
    }
    b->count = (uint32_t)((bit + 31) / 32);
}

bool gx_int_parse(gx_rt *rt, const char *digits, size_t length, int base, gx_value *out) {
    uint64_t m = 0;
    size_t i = 0;
    for (; i < length && m <= (UINT64_MAX >> 8) / 64; i++)
        m = m * (uint64_t)base + (uint64_t)gx_digit_value(digits[i]);
    if (i == length) return gx_int_from_u64(rt, m, out);
    /* bits a digit, rounded up to eighths */
    size_t eighths = 8;
    while (eighths < 48 && (1ull << (eighths / 8)) < (uint64_t)base) eighths += 8;
    if (base == 10) eighths = 27;
    if (length / 4 > GX_BIGINT_MAX_BITS / eighths * 2 + 8)
        return gx_fail(rt, GX_OverflowError, "int.size", "an int of %zu digits is too large",
                       length);
    gx_bigint *b = gx_big_raw(rt, length * eighths / 256 + 3);
    if (!b) return false;
    if ((base & (base - 1)) == 0) {
        size_t words = length * eighths / 256 + 3;
        memset(b->digits, 0, words * sizeof b->digits[0]);
        parse_binary(b, digits, length, __builtin_ctz((unsigned)base));
        *out = gx_big_finish(b);
        return true;
    }
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        uint64_t factor = 1, chunk = 0;
        for (; at < length && factor * (uint64_t)base < 1ull << 32; at++) {
            factor *= (uint64_t)base;
            chunk = chunk * (uint64_t)base + (uint64_t)gx_digit_value(digits[at]);
        }
        uint64_t carry = chunk;
        for (size_t j = 0; j < used; j++) {
            carry += factor * b->digits[j];
            b->digits[j] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry) b->digits[used++] = (uint32_t)carry;
        if (!gx_interrupt_check(rt)) {
            gx_obj_drop(&b->obj);
            return false;
        }
    }
    b->count = (uint32_t)used;
    *out = gx_big_finish(b);
    return true;
}

/* Digits of any script become ASCII; a str of spaces and digits only grows shorter. */
bool gx_str_plain_digits(const gx_str *s, gx_buf *out) {
    for (size_t i = 0; i < s->length;) {
        int n;
        uint32_t c = gx_utf8_decode(s->text + i, &n);
        i += (size_t)n;
        int d = c < 128 ? -1 : gx_code_digit_value(c);
        if (d >= 0) c = (uint32_t)('0' + d);
        else if (c >= 128 && gx_code_space(c)) c = ' ';
        if (!gx_buf_code(out, c)) return false;
    }
    return true;
}

/* --- format(int, spec) ------------------------------------------------------------------------ */

static bool format_char(gx_rt *rt, gx_borrowed x, const gx_spec *s, gx_buf *out) {
    if (s->sign)
        return gx_fail(rt, GX_ValueError, "format.sign",
                       "Sign not allowed with integer format specifier 'c'");
    if (s->alternate)
        return gx_fail(rt, GX_ValueError, "format.alternate",
                       "Alternate form (#) not allowed with integer format specifier 'c'");
    x = gx_plain_number(x);
    int64_t code = x.tag == GX_BIGINT ? -1 : gx_small_int(x);
    if (code < 0 || code > 0x10FFFF)
        return gx_fail(rt, GX_OverflowError, "format.char", "%%c arg not in range(0x110000)");
    if (code >= 0xD800 && code < 0xE000)
        return gx_fail(rt, GX_ValueError, "str.surrogate", "a surrogate is not a character");
    char text[4];
    int n = gx_utf8_encode((uint32_t)code, text);
    char align = s->align && s->align != '=' ? s->align : '>';
    gx_spec plain = {.fill = s->fill, .align = align, .width = s->width, .precision = -1};
    return gx_format_text(rt, text, (size_t)n, &plain, out);
}

bool gx_format_int(gx_rt *rt, gx_borrowed x, const gx_spec *s, gx_buf *out) {
    if (s->type && !strchr("bcdnoxX", s->type))
        return gx_format_unknown(rt, s->type, x.tag == GX_BOOL ? "bool" : "int");
    if (s->precision >= 0)
        return gx_fail(rt, GX_ValueError, "format.precision",
                       "Precision not allowed in integer format specifier");
    if (s->positive_zero)
        return gx_fail(rt, GX_ValueError, "format.sign",
                       "Negative zero coercion (z) not allowed in integer format specifier");
    if (s->type == 'c') return format_char(rt, x, s, out);
    int base = s->type == 'b' ? 2 : s->type == 'o' ? 8 : s->type == 'x' || s->type == 'X' ? 16 : 10;
    gx_buf digits = gx_buf_new(rt);
    if (!gx_int_text(rt, x, base, &digits)) {
        gx_buf_free(&digits);
        return false;
    }
    const char *text = gx_buf_text(&digits);
    bool negative = *text == '-';
    gx_number_text n = {
        .sign = negative ? '-' : s->sign == '+' || s->sign == ' ' ? s->sign : 0,
        .prefix = !s->alternate || base == 10 ? "" : base == 2 ? "0b" : base == 8 ? "0o" : "0x",
        .digits = text + negative, .digit_count = digits.length - negative, .rest = "",
        .group_size = base == 10 ? 3 : 4,
    };
    if (s->type == 'X') {
        for (char *p = digits.data; *p; p++)
            if (*p >= 'a') *p = (char)(*p - 32);
        if (s->alternate) n.prefix = "0X";
    }
    bool ok = gx_format_number(rt, &n, s, out);
    gx_buf_free(&digits);
    return ok;
}
