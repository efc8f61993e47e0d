/* The values of literals: escapes of strings, digits of numbers. Works on tokens that the lexer
   accepted; what can still be wrong with a string (a bad escape) is reported by place and text. */
#include "lexer/lexer.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/unicode/unicode.h"

typedef struct decoder {
    const char *source;
    const char *at, *end;
    unsigned flags;
    gx_buf *out;
    gx_literal_error *error;
} decoder;

/* Fills in the error; always false. */
static bool wrong(decoder *d, const char *start, const char *end, const char *help,
                  const char *message) {
    gx_literal_error *e = d->error;
    e->start = (uint32_t)(start - d->source);
    e->end = (uint32_t)(end - d->source);
    strncpy(e->message, message, sizeof e->message - 1);
    strncpy(e->help, help, sizeof e->help - 1);
    return false;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* \xhh \uhhhh \Uhhhhhhhh, d->at after the letter. */
static bool hex_escape(decoder *d, const char *start, int digits) {
    uint32_t code = 0;
    for (int i = 0; i < digits; i++, d->at++) {
        int digit = d->at < d->end ? hex_digit(*d->at) : -1;
        if (digit < 0)
            return wrong(d, start, d->at, "",
                         digits == 2 ? "truncated \\xXX escape: two hexadecimal digits follow \\x"
                         : digits == 4
                             ? "truncated \\uXXXX escape: four hexadecimal digits follow \\u"
                             : "truncated \\UXXXXXXXX escape: eight hexadecimal digits "
                               "follow \\U");
        code = code << 4 | (uint32_t)digit;
    }
    if (d->flags & GX_STRING_BYTES) return gx_buf_char(d->out, (char)code);
    if (code > 0x10FFFF)
        return wrong(d, start, d->at, "", "no such character: the last one is \\U0010ffff");
    if (code >= 0xD800 && code <= 0xDFFF)
        return wrong(d, start, d->at, "",
                     "half of a surrogate pair is not a character; write the "
                     "whole one as \\UXXXXXXXX");
    return gx_buf_code(d->out, code);
}

static bool octal_escape(decoder *d) {
    uint32_t code = 0;
    for (int i = 0; i < 3 && d->at < d->end && *d->at >= '0' && *d->at <= '7'; i++)
        code = code << 3 | (uint32_t)(*d->at++ - '0');
    return d->flags & GX_STRING_BYTES ? gx_buf_char(d->out, (char)code) : gx_buf_code(d->out, code);
}

/* \N{NAME}, d->at at the N. */
static bool named_escape(decoder *d, const char *start) {
    uint32_t codes[GX_UNICODE_MOST];
    int n;
    const char *name = d->at + 2, *close = NULL;
    if (d->at + 1 < d->end && d->at[1] == '{') close = memchr(d->at, '}', (size_t)(d->end - d->at));
    if (!close)
        return wrong(d, start, d->at + 1, "", "malformed \\N escape: the name stands in braces");
    if (!gx_unicode_named(d->out->rt, name, (size_t)(close - name), codes, &n)) return false;
    if (n != 1)
        return wrong(d, start, close + 1, "write the character itself, or its number as \\uXXXX",
                     n ? "a sequence of characters has this name, no single one"
                       : "unknown Unicode character name");
    d->at = close + 1;
    return gx_buf_code(d->out, codes[0]);
}

/* A backslash at d->at. */
static bool escape(decoder *d) {
    static const char letters[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    const char *start = d->at++;
    bool bytes = d->flags & GX_STRING_BYTES;
    if (d->at >= d->end) return gx_buf_char(d->out, '\\');
    char c = *d->at;
    const char *simple = c ? strchr(letters, c) : NULL;
    if (simple) {
        d->at++;
        return gx_buf_char(d->out, values[simple - letters]);
    }
    if (c == '\n' || c == '\r') {
        d->at += c == '\r' && d->at + 1 < d->end && d->at[1] == '\n' ? 2 : 1;
        return true;
    }
    if (c >= '0' && c <= '7') return octal_escape(d);
    if (c == 'x' || (!bytes && (c == 'u' || c == 'U'))) {
        d->at++;
        return hex_escape(d, start, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    }
    if (c == 'N' && !bytes) return named_escape(d, start);
    return gx_buf_char(d->out, '\\'); /* not an escape: the backslash stays */
}

/* One step: a run of ordinary text, or one special character. */
static bool decode_some(decoder *d) {
    const char *from = d->at;
    bool format = (d->flags & GX_STRING_FORMAT) != 0, bytes = (d->flags & GX_STRING_BYTES) != 0;
    for (; d->at < d->end; d->at++) {
        char c = *d->at;
        if (c == '\\' || c == '\r' || (format && (c == '{' || c == '}')) ||
            (bytes && (unsigned char)c >= 0x80))
            break;
    }
    if (d->at > from && !gx_buf_add(d->out, from, (size_t)(d->at - from))) return false;
    if (d->at >= d->end) return true;
    char c = *d->at;
    if (c == '\\') {
        if (!(d->flags & GX_STRING_RAW)) return escape(d);
        d->at++;
        return gx_buf_char(d->out, c);
    }
    if (c == '\r') {
        d->at += d->at + 1 < d->end && d->at[1] == '\n' ? 2 : 1;
        return gx_buf_char(d->out, '\n');
    }
    if (bytes) {
        int length;
        (void)gx_utf8_decode(d->at, &length);
        return wrong(d, d->at, d->at + length, "",
                     "bytes can only contain ASCII literal characters");
    }
    d->at += d->at + 1 < d->end && d->at[1] == c ? 2 : 1;
    return gx_buf_char(d->out, c);
}

bool gx_literal_string(gx_rt *rt, const char *source, const gx_token *t, gx_buf *out,
                       gx_literal_error *error) {
    (void)rt;
    *error = (gx_literal_error){.start = 0};
    decoder d = {.source = source, .flags = t->flags, .out = out, .error = error};
    d.at = source + t->start + t->error;
    d.end = source + t->end;
    if (t->kind == GX_TOKEN_STRING) d.end -= t->flags & GX_STRING_TRIPLE ? 3 : 1;
    if (t->flags & GX_STRING_PLAIN) return gx_buf_add(out, d.at, (size_t)(d.end - d.at));
    while (d.at < d.end)
        if (!decode_some(&d)) return false;
    return true;
}

bool gx_literal_int(const char *source, const gx_token *t, gx_buf *out) {
    for (uint32_t i = t->start; i < t->end; i++) {
        char c = source[i];
        if (c == '_') continue;
        if (i == t->start + 1 && c >= 'A' && c <= 'Z') c = (char)(c | 0x20);
        if (!gx_buf_char(out, c)) return false;
    }
    return true;
}

bool gx_literal_float(gx_rt *rt, const char *source, const gx_token *t, double *out) {
    gx_buf digits = gx_buf_new(rt);
    bool ok = false;
    for (uint32_t i = t->start; i < t->end; i++) {
        char c = source[i];
        if (c != '_' && c != 'j' && c != 'J' && !gx_buf_char(&digits, c)) goto done;
    }
    *out = strtod(gx_buf_text(&digits), NULL);
    ok = true;
done:
    gx_buf_free(&digits);
    return ok;
}
