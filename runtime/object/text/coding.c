/* From str to bytes and back: utf-8, ascii, latin-1; other encodings and handlers of errors are in
   the module codecs. */
#include <ctype.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/coding.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

typedef enum coding { UTF8, ASCII, LATIN1, OTHER } coding;

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

/* What bytes.decode and str.encode were asked for. */
typedef struct request {
    coding k;
    const char *name, *errors;
} request;

static bool coding_of(gx_call *c, int at, request *r) {
    char plain[24];
    size_t n = 0;
    *r = (request){UTF8, "utf-8", "strict"};
    if (!gx_coding_texts(c, at, &r->name, &r->errors)) return false;
    for (const char *p = r->name; *p && n + 1 < sizeof plain; p++)
        if (*p != '-' && *p != '_' && *p != ' ') plain[n++] = (char)tolower((unsigned char)*p);
    plain[n] = '\0';
    if (strcmp(plain, "utf8") == 0 || strcmp(plain, "u8") == 0) r->k = UTF8;
    else if (strcmp(plain, "ascii") == 0 || strcmp(plain, "usascii") == 0) r->k = ASCII;
    else if (strcmp(plain, "latin1") == 0 || strcmp(plain, "iso88591") == 0) r->k = LATIN1;
    else r->k = OTHER;
    return true;
}

/* A builtin function, called. */
static bool call_builtin(gx_rt *rt, const char *name, int argc, const gx_borrowed *argv,
                         gx_value *out) {
    gx_value fn;
    const gx_sym sym = gx_sym_c(rt, name);
    if (!sym || !gx_native_builtin(rt, sym, &fn)) return false;
    bool ok = gx_call_value(rt, fn, argc, argv, 0, NULL, out);
    gx_drop(fn);
    return ok;
}

bool gx_codecs_call(gx_rt *rt, const char *function, int argc, const gx_borrowed *argv,
                    gx_value *out) {
    gx_value names[2] = {gx_undef(), gx_undef()}, args[2] = {gx_undef(), gx_undef()};
    gx_value fn = gx_undef();
    bool ok = gx_str_c(rt, "codecs", &names[0]) && gx_str_c(rt, function, &names[1]) &&
              call_builtin(rt, "__import__", 1, names, &args[0]);
    args[1] = names[1];
    ok = ok && call_builtin(rt, "getattr", 2, args, &fn) &&
         gx_call_value(rt, fn, argc, argv, 0, NULL, out);
    gx_drop(names[0]);
    gx_drop(names[1]);
    gx_drop(args[0]);
    gx_drop(fn);
    return ok;
}

static bool ask_codecs(gx_call *c, const char *function, gx_borrowed v, const request *r,
                       gx_value *out) {
    gx_value args[3] = {v, gx_undef(), gx_undef()};
    bool ok = gx_str_c(c->rt, r->name, &args[1]) && gx_str_c(c->rt, r->errors, &args[2]) &&
              gx_codecs_call(c->rt, function, 3, args, out);
    gx_drop(args[1]);
    gx_drop(args[2]);
    return ok;
}

static const char *coding_name(coding k) {
    return k == UTF8 ? "utf-8" : k == ASCII ? "ascii" : "latin-1";
}

/* Bytes that are no character of UTF-8: how many belong together, and what is wrong. */
static size_t bad_utf8(const char *text, size_t n, const char **why) {
    const unsigned char *p = (const unsigned char *)text, first = p[0];
    *why = "invalid start byte";
    if (first < 0xC2 || first > 0xF4) return 1;
    const size_t need = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (size_t i = 1; i < need; i++) {
        *why = "unexpected end of data";
        if (i == n) return i;
        const unsigned low = i > 1           ? 0x80
                             : first == 0xE0 ? 0xA0
                             : first == 0xF0 ? 0x90
                                             : 0x80;
        const unsigned high = i > 1           ? 0xBF
                              : first == 0xED ? 0x9F
                              : first == 0xF4 ? 0x8F
                                              : 0xBF;
        *why = "invalid continuation byte";
        if (p[i] < low || p[i] > high) return i;
    }
    return need;
}

/* The handlers of errors that are written here; the others are in codecs. */
typedef enum handler { STRICT, IGNORE, REPLACE, BACKSLASH, ELSEWHERE } handler;

static handler handler_of(const char *errors) {
    return strcmp(errors, "strict") == 0             ? STRICT
           : strcmp(errors, "ignore") == 0           ? IGNORE
           : strcmp(errors, "replace") == 0          ? REPLACE
           : strcmp(errors, "backslashreplace") == 0 ? BACKSLASH
                                                     : ELSEWHERE;
}

/* Bytes at..end that have no meaning. */
static bool bad_bytes(gx_call *c, coding k, gx_borrowed v, size_t at, size_t end, const char *why,
                      handler how, gx_buf *b) {
    const gx_str *s = gx_as_str(v);
    bool ok = true;
    if (how == IGNORE) return true;
    if (how == REPLACE) return gx_buf_code(b, 0xFFFD);
    if (how == STRICT)
        return gx_unicode_error(c->rt, GX_UnicodeDecodeError, coding_name(k), v, at, end, why);
    for (; ok && at < end; at++) ok = gx_buf_printf(b, "\\x%02x", (unsigned char)s->text[at]);
    return ok;
}

bool gx_bytes_decode(gx_call *c, gx_borrowed v, int at, gx_value *out) {
    gx_str *s = gx_as_str(v);
    request r;
    if (!coding_of(c, at, &r)) return false;
    if (s->length == 0) return gx_str_new(c->rt, "", 0, out); /* whatever the encoding */
    if (r.k == OTHER) return ask_codecs(c, "_decode", v, &r, out);
    const handler how = handler_of(r.errors);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    for (size_t i = 0; ok && i < s->length;) {
        const char *why = "ordinal not in range(128)";
        unsigned char byte = (unsigned char)s->text[i];
        size_t bad = 1;
        if (r.k == UTF8) {
            size_t good = gx_utf8_valid(s->text + i, s->length - i);
            ok = gx_buf_add(&b, s->text + i, good);
            i += good;
            if (i == s->length) break;
            bad = bad_utf8(s->text + i, s->length - i, &why);
        } else if (r.k == LATIN1 || byte < 128) {
            ok = gx_buf_code(&b, byte);
            i++;
            continue;
        }
        if (how == ELSEWHERE) {
            gx_buf_free(&b);
            return ok && ask_codecs(c, "_decode", v, &r, out);
        }
        ok = ok && bad_bytes(c, r.k, v, i, i + bad, why, how, &b);
        i += bad;
    }
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* How many characters from byte i on do not fit. */
static size_t bad_run(const gx_str *s, size_t i, uint32_t limit) {
    size_t run = 0;
    for (int n; i < s->length && gx_utf8_decode(s->text + i, &n) >= limit; run++) i += (size_t)n;
    return run;
}

static bool bad_char(uint32_t code, handler how, gx_buf *b) {
    if (how == IGNORE) return true;
    if (how == REPLACE) return gx_buf_char(b, '?');
    return gx_buf_printf(b,
                         code < 0x100     ? "\\x%02x"
                         : code < 0x10000 ? "\\u%04x"
                                          : "\\U%08x",
                         code);
}

bool gx_str_encode(gx_call *c, gx_borrowed v, int at, gx_value *out) {
    gx_str *s = gx_as_str(v);
    request r;
    if (!coding_of(c, at, &r)) return false;
    if (r.k == OTHER) return ask_codecs(c, "_encode", v, &r, out);
    if (r.k == UTF8 || gx_str_ascii(s)) return gx_bytes_new(c->rt, s->text, s->length, out);
    const handler how = handler_of(r.errors);
    const uint32_t limit = r.k == ASCII ? 128 : 256;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    size_t place = 0;
    for (size_t i = 0; ok && i < s->length; place++) {
        int n;
        uint32_t code = gx_utf8_decode(s->text + i, &n);
        if (code >= limit && how == ELSEWHERE) {
            gx_buf_free(&b);
            return ask_codecs(c, "_encode", v, &r, out);
        }
        if (code >= limit && how == STRICT) {
            ok = gx_unicode_error(c->rt, GX_UnicodeEncodeError, coding_name(r.k), v, place,
                                  place + bad_run(s, i, limit),
                                  r.k == ASCII ? "ordinal not in range(128)"
                                               : "ordinal not in range(256)");
            break;
        }
        ok = code < limit ? gx_buf_char(&b, (char)code) : bad_char(code, how, &b);
        i += (size_t)n;
    }
    ok = ok && gx_bytes_new(c->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

bool gx_str_decode(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    size_t bad = gx_utf8_valid(text, length);
    if (bad == length) return gx_str_new(rt, text, length, out);
    const char *why;
    const size_t end = bad + bad_utf8(text + bad, length - bad, &why);
    gx_value bytes;
    if (!gx_bytes_new(rt, text, length, &bytes)) return false;
    gx_unicode_error(rt, GX_UnicodeDecodeError, "utf-8", bytes, bad, end, why);
    gx_drop(bytes);
    return false;
}
