#include "interp/session/scan.h"

/* Is a string opened or closed at p by three quotes? */
static bool is_triple(const char *p, const char *end) {
    return end - p >= 3 && p[1] == p[0] && p[2] == p[0];
}

static const char *in_string(gx_scanned *s, const char *p, const char *end) {
    if (*p == '\\' && p + 1 < end) return p + 2;
    if (*p == s->quote && (!s->triple || is_triple(p, end))) {
        p += s->triple ? 3 : 1;
        s->quote = 0;
        return p;
    }
    if (*p == '\n' && !s->triple) s->quote = 0;
    return p + 1;
}

gx_scanned gx_scan_open(const char *text, size_t at) {
    gx_scanned s = {0};
    const char *end = text + at;
    size_t row = 0;
    for (const char *p = text; p < end;) {
        if (s.quote) {
            p = in_string(&s, p, end);
            s.last = '"';
            continue;
        }
        char c = *p++;
        if (c == '#') {
            while (p < end && *p != '\n') p++;
        } else if (c == '"' || c == '\'') {
            s.quote = c;
            s.quote_at = (size_t)(p - text);
            s.triple = is_triple(p - 1, end);
            p += s.triple ? 2 : 0;
        } else if (c == '(' || c == '[' || c == '{') {
            if (s.depth < GX_SCAN_DEPTH) {
                s.rows[s.depth] = row;
                s.open[s.depth] = (size_t)(p - 1 - text);
            }
            s.depth++;
        } else if ((c == ')' || c == ']' || c == '}') && s.depth) {
            s.depth--;
        } else if (c == '\n') {
            row = (size_t)(p - text);
        }
        if (c != ' ' && c != '\t' && c != '\n' && c != '#') s.last = c;
        if (c == '\n' && s.depth == 0) s.last = 0;
    }
    return s;
}
