/* From str to bytes and back: utf-8, ascii, latin-1. */
#include <ctype.h>
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"


typedef enum coding { UTF8, ASCII, LATIN1 } coding;

bool gx_coding_texts(gx_call *c, int at, const char **name, const char **errors) {
    const char **into[] = {name, errors};
    size_t n;
    for (int i = 0; i < 2; i++) {
        if (!gx_arg_given(c, at + i)) continue;
        if (!gx_arg_str(c, at + i, into[i], &n)) return false;
        if (strlen(*into[i]) != n)
            return gx_fail(c->rt, GX_ValueError, "str.null", "embedded null character");
    }
    return true;
}

static bool coding_of(gx_call *c, int at, coding *out, const char **errors) {
    const char *name = "utf-8";
    char plain[24];
    size_t n = 0;
    *errors = "strict";
    if (!gx_coding_texts(c, at, &name, errors)) return false;
    for (const char *p = name; *p && n + 1 < sizeof plain; p++)
        if (*p != '-' && *p != '_' && *p != ' ') plain[n++] = (char)tolower((unsigned char)*p);
    plain[n] = '\0';
    if (strcmp(plain, "utf8") == 0 || strcmp(plain, "u8") == 0) *out = UTF8;
    else if (strcmp(plain, "ascii") == 0 || strcmp(plain, "usascii") == 0) *out = ASCII;
    else if (strcmp(plain, "latin1") == 0 || strcmp(plain, "iso88591") == 0) *out = LATIN1;
    else return gx_fail(c->rt, GX_LookupError, "str.encoding", "unknown encoding: %s", name);
    return true;
}

static const char *coding_name(coding k) {
    return k == UTF8 ? "utf-8" : k == ASCII ? "ascii" : "latin-1";
}

/* A byte that has no meaning: by the errors argument. */
static bool bad_byte(gx_call *c, coding k, gx_borrowed v, size_t at, const char *errors,
                     gx_buf *b) {
    const gx_str *s = gx_as_str(v);
    if (strcmp(errors, "ignore") == 0) return true;
    if (strcmp(errors, "replace") == 0) return gx_buf_code(b, 0xFFFD);
    if (strcmp(errors, "backslashreplace") == 0)
        return gx_buf_printf(b, "\\x%02x", (unsigned char)s->text[at]);
    unsigned char byte = (unsigned char)s->text[at];
    const char *why = k == ASCII ? "ordinal not in range(128)"
                      : byte < 0xC2 || byte > 0xF4 ? "invalid start byte"
                                                   : "invalid continuation byte";
    if (k == UTF8 && byte >= 0xC2 && byte <= 0xF4 && at + 1 == s->length)
        why = "unexpected end of data";
    return gx_unicode_error(c->rt, GX_UnicodeDecodeError, coding_name(k), v, at, why);
}

bool gx_bytes_decode(gx_call *c, gx_borrowed v, int at, gx_value *out) {
    gx_str *s = gx_as_str(v);
    coding k;
    const char *errors;
    if (!coding_of(c, at, &k, &errors)) return false;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (size_t i = 0; ok && i < s->length;) {
        unsigned char byte = (unsigned char)s->text[i];
        if (k == UTF8) {
            size_t good = gx_utf8_valid(s->text + i, s->length - i);
            ok = gx_buf_add(&b, s->text + i, good);
            i += good;
            if (i == s->length) break;
            ok = ok && bad_byte(c, k, v, i, errors, &b);
        } else if (k == LATIN1 || byte < 128) {
            ok = gx_buf_code(&b, byte);
        } else {
            ok = bad_byte(c, k, v, i, errors, &b);
        }
        i++;
    }
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool bad_char(gx_call *c, coding k, gx_borrowed v, uint32_t code, size_t at,
                     const char *errors, gx_buf *b) {
    if (strcmp(errors, "ignore") == 0) return true;
    if (strcmp(errors, "replace") == 0) return gx_buf_char(b, '?');
    if (strcmp(errors, "backslashreplace") == 0)
        return gx_buf_printf(b,
                             code < 0x100     ? "\\x%02x"
                             : code < 0x10000 ? "\\u%04x"
                                              : "\\U%08x",
                             code);
    if (strcmp(errors, "xmlcharrefreplace") == 0) return gx_buf_printf(b, "&#%u;", code);
    return gx_unicode_error(c->rt, GX_UnicodeEncodeError, coding_name(k), v, at,
                            k == ASCII ? "ordinal not in range(128)"
                                       : "ordinal not in range(256)");
}

bool gx_str_encode(gx_call *c, gx_borrowed v, int at, gx_value *out) {
    gx_str *s = gx_as_str(v);
    coding k;
    const char *errors;
    if (!coding_of(c, at, &k, &errors)) return false;
    if (k == UTF8 || gx_str_ascii(s)) return gx_bytes_new(c->rt, s->text, s->length, out);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    size_t place = 0;
    for (size_t i = 0; ok && i < s->length; place++) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        ok = code < (k == ASCII ? 128u : 256u) ? gx_buf_char(&b, (char)code)
                                               : bad_char(c, k, v, code, place, errors, &b);
        i += (size_t)n;
    }
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

bool gx_str_decode(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    size_t bad = gx_utf8_valid(text, length);
    if (bad == length) return gx_str_new(rt, text, length, out);
    unsigned char byte = (unsigned char)text[bad];
    const char *why = byte < 0xC2 || byte > 0xF4 ? "invalid start byte"
                      : bad + 1 == length        ? "unexpected end of data"
                                                 : "invalid continuation byte";
    gx_value bytes;
    if (!gx_bytes_new(rt, text, length, &bytes)) return false;
    gx_unicode_error(rt, GX_UnicodeDecodeError, "utf-8", bytes, bad, why);
    gx_drop(bytes);
    return false;
}
