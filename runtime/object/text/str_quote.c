/* Python's repr of text and bytes: the quote that needs fewer escapes, and escapes for what a
   terminal cannot show. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/text/str_int.h"

static bool escape_code(gx_buf *out, uint32_t c) {
    if (c < 0x100) return gx_buf_printf(out, "\\x%02x", c);
    return gx_buf_printf(out, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

/* Escapes that have a letter; 0: none. */
static char short_escape(char c) {
    return c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\\' ? '\\' : 0;
}

/* At byte i of a long text: false, with KeyboardInterrupt pending, after Ctrl-C. */
static bool go_on(const gx_buf *out, size_t i, size_t *look) {
    if (i < *look) return true;
    *look = i + GX_WORK_LOOK;
    return gx_work_end(out->rt);
}

bool gx_str_quote(gx_buf *out, const char *text, size_t length, bool bytes) {
    bool single = memchr(text, '\'', length) != NULL, twice = memchr(text, '"', length) != NULL;
    char quote = single && !twice ? '"' : '\'';
    if ((bytes && !gx_buf_char(out, 'b')) || !gx_buf_char(out, quote)) return false;
    for (size_t i = 0, look = GX_WORK_LOOK; i < length;) {
        size_t plain = i;
        if (!go_on(out, i, &look)) return false;
        while (plain < length && text[plain] >= ' ' && text[plain] < 127 && text[plain] != '\\' &&
               text[plain] != quote)
            plain++;
        if (plain > i) {
            if (!gx_buf_add(out, text + i, plain - i)) return false;
            i = plain;
            continue;
        }
        char c = text[i];
        int n = 1;
        bool ok;
        if (c == quote || short_escape(c)) {
            char pair[2] = {'\\', c == quote ? c : short_escape(c)};
            ok = gx_buf_add(out, pair, 2);
        } else if (bytes || (unsigned char)c < 128) {
            ok = escape_code(out, (unsigned char)c);
        } else {
            uint32_t code = gx_utf8_decode(text + i, &n);
            ok = gx_code_printable(code) ? gx_buf_add(out, text + i, (size_t)n)
                                         : escape_code(out, code);
        }
        if (!ok) return false;
        i += (size_t)n;
    }
    return gx_buf_char(out, quote);
}

bool gx_str_ascii_escape(gx_buf *out, const char *text, size_t length) {
    for (size_t i = 0, look = GX_WORK_LOOK; i < length;) {
        int n = 1;
        if (!go_on(out, i, &look)) return false;
        uint32_t c = gx_utf8_decode(text + i, &n);
        if (!(c < 128 ? gx_buf_char(out, text[i]) : escape_code(out, c))) return false;
        i += (size_t)n;
    }
    return true;
}
