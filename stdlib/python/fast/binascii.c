/* binascii: bytes as letters, and sums of bytes. */
#include <string.h>

#include "runtime/object/still.h"
#include "stdlib/io/files.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/stdlib.h"

/* binascii.Error is a class of binascii.gx: a mistake here is a ValueError of this code there. */
static bool wrong(gx_rt *rt, const char *message) {
    return gx_fail(rt, GX_ValueError, "binascii.error", "%s", message);
}

/* --- base 16 --- */

static bool to_hex(gx_call *c, gx_value *out) {
    static const char digits[] = "0123456789abcdef";
    GX_STILL(data);
    if (!gx_arg_bytes(c, 0, false, &data)) return false;
    const gx_str *s = gx_as_str(data);
    gx_buf b = gx_buf_new(c->rt);
    if (!gx_buf_fill(&b, 0, 2 * s->length)) return false;
    for (size_t i = 0; i < s->length; i++) {
        b.data[2 * i] = digits[(unsigned char)s->text[i] >> 4];
        b.data[2 * i + 1] = digits[s->text[i] & 15];
    }
    return gx_bytes_take(&b, out);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool from_hex(gx_call *c, gx_value *out) {
    GX_STILL(data);
    if (!gx_arg_bytes(c, 0, true, &data)) return false;
    const gx_str *s = gx_as_str(data);
    if (s->length % 2) return wrong(c->rt, "Odd-length string");
    gx_buf b = gx_buf_new(c->rt);
    if (!gx_buf_fill(&b, 0, s->length / 2)) return false;
    for (size_t i = 0; i < s->length / 2; i++) {
        const int high = hex_digit(s->text[2 * i]), low = hex_digit(s->text[2 * i + 1]);
        if (high < 0 || low < 0) {
            gx_buf_free(&b);
            return wrong(c->rt, "Non-hexadecimal digit found");
        }
        b.data[i] = (char)(high << 4 | low);
    }
    return gx_bytes_take(&b, out);
}

/* --- base 64 --- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static bool to_base64(gx_call *c, gx_value *out) {
    bool newline;
    GX_STILL(data);
    if (!gx_arg_bytes(c, 0, false, &data) || !gx_arg_bool(c, 1, &newline)) return false;
    const gx_str *s = gx_as_str(data);
    const unsigned char *p = (const unsigned char *)s->text;
    gx_buf b = gx_buf_new(c->rt);
    if (!gx_buf_fill(&b, '=', (s->length + 2) / 3 * 4)) return false;
    char *to = b.data;
    for (size_t i = 0; i < s->length; i += 3, to += 4) {
        const size_t left = s->length - i;
        const uint32_t v = (uint32_t)p[i] << 16 | (uint32_t)(left > 1 ? p[i + 1] : 0) << 8 |
                           (left > 2 ? p[i + 2] : 0);
        to[0] = letters[v >> 18];
        to[1] = letters[v >> 12 & 63];
        if (left > 1) to[2] = letters[v >> 6 & 63];
        if (left > 2) to[3] = letters[v & 63];
    }
    if (newline && !gx_buf_char(&b, '\n')) {
        gx_buf_free(&b);
        return false;
    }
    return gx_bytes_take(&b, out);
}

/* A letter's six bits; -1: it is none. */
static int letter_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* What base 64 says, in strict mode without anything else around it. */
static bool decode64(gx_rt *rt, const gx_str *s, bool strict, gx_buf *b) {
    uint32_t held = 0;
    int quad = 0, pads = 0;
    size_t letters_seen = 0;
    if (!gx_buf_reserve(b, s->length)) return false;
    if (strict && s->length && s->text[0] == '=')
        return wrong(rt, "Leading padding not allowed");
    for (size_t i = 0; i < s->length; i++) {
        const char c = s->text[i];
        if (c == '=') {
            if (quad >= 2 && quad + ++pads >= 4) {
                if (strict && i + 1 < s->length) return wrong(rt, "Excess data after padding");
                return true;
            }
            if (strict && quad < 2)
                return wrong(rt, pads || quad == 0 ? "Excess padding not allowed"
                                                   : "Discontinuous padding not allowed");
            continue;
        }
        const int value = letter_value(c);
        if (value < 0) {
            if (strict) return wrong(rt, "Only base64 data is allowed");
            continue;
        }
        if (strict && pads) return wrong(rt, "Discontinuous padding not allowed");
        pads = 0;
        letters_seen++;
        held = held << 6 | (uint32_t)value;
        quad = (quad + 1) % 4;
        if (quad != 1) {
            const int over = quad == 2 ? 4 : quad == 3 ? 2 : 0;
            b->data[b->length++] = (char)(held >> over); /* there is room: see above */
        }
    }
    if (quad == 0) return true;
    if (quad == 1)
        return gx_fail(rt, GX_ValueError, "binascii.error",
                       "Invalid base64-encoded string: number of data characters (%zu) cannot be 1 "
                       "more than a multiple of 4",
                       letters_seen);
    return wrong(rt, "Incorrect padding");
}

static bool from_base64(gx_call *c, gx_value *out) {
    bool strict;
    GX_STILL(data);
    if (!gx_arg_bytes(c, 0, true, &data) || !gx_arg_bool(c, 1, &strict)) return false;
    gx_buf b = gx_buf_new(c->rt);
    if (decode64(c->rt, gx_as_str(data), strict, &b)) return gx_bytes_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* --- sums --- */

static bool sum_args(gx_call *c, gx_value *data, uint32_t *start) {
    int64_t first = 0;
    if (!gx_arg_bytes(c, 0, false, data) || (gx_arg_given(c, 1) && !gx_arg_int(c, 1, &first)))
        return false;
    *start = (uint32_t)first;
    return true;
}

static bool crc32(gx_call *c, gx_value *out) {
    uint32_t start, table[GX_CRC_TABLE];
    GX_STILL(data);
    if (!sum_args(c, &data, &start)) return false;
    gx_crc_table(table);
    const gx_str *s = gx_as_str(data);
    *out = gx_int(gx_crc(table, start, s->text, s->length));
    return true;
}

static bool adler32(gx_call *c, gx_value *out) {
    uint32_t start = 1;
    GX_STILL(data);
    if (!gx_arg_given(c, 1) ? !gx_arg_bytes(c, 0, false, &data) : !sum_args(c, &data, &start))
        return false;
    uint32_t a = start & 0xffff, b = start >> 16;
    const gx_str *s = gx_as_str(data);
    for (size_t i = 0; i < s->length;) {
        const size_t end = s->length - i < 5552 ? s->length : i + 5552;
        for (; i < end; i++) b += a += (unsigned char)s->text[i];
        a %= 65521;
        b %= 65521;
    }
    *out = gx_int((int64_t)b << 16 | a);
    return true;
}

static bool crc_hqx(gx_call *c, gx_value *out) {
    uint32_t sum;
    GX_STILL(data);
    if (!sum_args(c, &data, &sum)) return false;
    const gx_str *s = gx_as_str(data);
    sum &= 0xffff;
    for (size_t i = 0; i < s->length; i++) {
        sum ^= (uint32_t)(unsigned char)s->text[i] << 8;
        for (int k = 0; k < 8; k++) sum = (sum << 1 ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
    }
    *out = gx_int(sum);
    return true;
}

extern const gx_native gx_py_binascii_functions[];
const gx_native gx_py_binascii_functions[] = {
    {"to_hex", "to_hex(data, /)", "Bytes in base 16.", NULL, to_hex, 0, 0},
    {"from_hex", "from_hex(text, /)", "The bytes that base 16 says.", NULL, from_hex, 0, 0},
    {"to_base64", "to_base64(data, newline, /)", "Bytes in base 64.", NULL, to_base64, 0, 0},
    {"from_base64", "from_base64(text, strict, /)", "The bytes that base 64 says.", NULL,
     from_base64, 0, 0},
    {"crc32", "crc32(data, value=0, /)", "The CRC-32 of bytes.", NULL, crc32, 0, 0},
    {"adler32", "adler32(data, value=1, /)", "The Adler-32 of bytes.", NULL, adler32, 0, 0},
    {"crc_hqx", "crc_hqx(data, value, /)", "The CRC-CCITT of bytes.", NULL, crc_hqx, 0, 0},
    {.name = NULL},
};
