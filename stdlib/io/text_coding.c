/* The encodings of text files: utf-8, ascii and latin-1, from bytes to gx's text and back. Knows
   nothing of lines and numbers. */
#include <ctype.h>
#include <string.h>

#include "runtime/object/text/str.h"
#include "stdlib/io/text_int.h"

bool gx_text_coding_arg(gx_call *c, int i, gx_text_coding *out) {
    static const struct {
        const char *name;
        gx_text_coding coding;
    } names[] = {
        {"utf8", GX_TEXT_UTF8},     {"u8", GX_TEXT_UTF8},         {"utf8sig", GX_TEXT_UTF8},
        {"bytes", GX_TEXT_BYTES},   {"ascii", GX_TEXT_ASCII},     {"usascii", GX_TEXT_ASCII},
        {"latin1", GX_TEXT_LATIN1}, {"iso88591", GX_TEXT_LATIN1}, {"l1", GX_TEXT_LATIN1}};
    const char *name;
    char plain[24];
    size_t n = 0, length;
    *out = GX_TEXT_UTF8;
    if (!gx_arg_some(c, i)) return true;
    if (!gx_arg_str(c, i, &name, &length)) return false;
    for (const char *p = name; *p && n + 1 < sizeof plain; p++)
        if (*p != '-' && *p != '_' && *p != ' ') plain[n++] = (char)tolower((unsigned char)*p);
    plain[n] = '\0';
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(plain, names[k].name) != 0) continue;
        *out = names[k].coding;
        return true;
    }
    return gx_fail(c->rt, GX_LookupError, "str.encoding", "unknown encoding: %s", name);
}

/* The first byte that is not ASCII. */
static size_t ascii_part(const char *p, size_t n) {
    size_t i = 0;
    uint64_t eight;
    for (; i + 8 <= n; i += 8) {
        memcpy(&eight, p + i, 8);
        if (eight & UINT64_C(0x8080808080808080)) break;
    }
    while (i < n && !((unsigned char)p[i] & 0x80)) i++;
    return i;
}

bool gx_text_decode(gx_rt *rt, gx_text_coding coding, gx_buf *b) {
    size_t at = ascii_part(gx_buf_text(b), b->length);
    if (at == b->length) return true;
    if (coding == GX_TEXT_ASCII)
        return gx_fail(rt, GX_UnicodeDecodeError, "str.decode",
                       "'ascii' codec can't decode byte 0x%02x in position %zu: ordinal not in "
                       "range(128)",
                       (unsigned char)b->data[at], at);
    if (coding != GX_TEXT_LATIN1) {
        gx_value text;
        if (at + gx_utf8_valid(b->data + at, b->length - at) == b->length) return true;
        if (gx_str_decode(rt, b->data, b->length, &text)) gx_drop(text); /* says where */
        return gx_note(rt, "encoding='latin1' reads any bytes");
    }
    gx_buf out = gx_buf_new(rt);
    bool ok = gx_buf_add(&out, b->data, at);
    for (; ok && at < b->length; at++) ok = gx_buf_code(&out, (unsigned char)b->data[at]);
    gx_buf old = ok ? *b : out;
    if (ok) *b = out;
    gx_buf_free(&old);
    return ok;
}

bool gx_text_encode(gx_rt *rt, gx_text_coding coding, gx_buf *b) {
    size_t from = ascii_part(gx_buf_text(b), b->length), to = from, place = from;
    bool latin = coding == GX_TEXT_LATIN1;
    if (from == b->length || (!latin && coding != GX_TEXT_ASCII)) return true;
    for (; from < b->length; place++) {
        int n;
        uint32_t code = gx_utf8_decode(b->data + from, &n);
        if (code >= (latin ? 256u : 128u))
            return gx_fail(rt, GX_UnicodeEncodeError, "str.encode",
                           "'%s' codec can't encode character '\\%c%0*x' in position %zu: ordinal "
                           "not in range(%d)",
                           latin ? "latin-1" : "ascii",
                           code < 256     ? 'x'
                           : code < 65536 ? 'u'
                                          : 'U',
                           code < 256     ? 2
                           : code < 65536 ? 4
                                          : 8,
                           code, place, latin ? 256 : 128);
        b->data[to++] = (char)code;
        from += (size_t)n;
    }
    b->data[to] = '\0';
    b->length = to;
    return true;
}
