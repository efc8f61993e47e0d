/* Where strings end: plain ones, and the text parts of f-strings and of their format specs. The
   value of the text is decoded later, by literal.c. A string that never ends is reported at its
   opening quotes. */
#include "lexer/lexer_int.h"

#include <string.h>

static bool is_eol(gx_byte c) {
    return c == '\n' || c == '\r';
}

/* Past a backslash and what it protects; a line end may be two bytes. */
static const gx_byte *skip_escape(const gx_byte *p, const gx_byte *limit) {
    p++;
    if (p >= limit) return limit;
    if (p[0] == '\r' && p[1] == '\n') p++;
    return p + 1;
}

static bool closes(const gx_byte *p, gx_byte quote, unsigned flags) {
    if (*p != quote) return false;
    return !(flags & GX_STRING_TRIPLE) || (p[1] == quote && p[2] == quote);
}

static unsigned line_of(const gx_lexer *x, const gx_byte *at) {
    uint32_t line, column;
    uint32_t byte = (uint32_t)(at - x->text);
    gx_source_place(x->rt, (gx_span){x->out->source, byte, byte + 1}, &line, &column);
    return line;
}

static void unterminated(gx_lexer *x, const gx_byte *start, const gx_byte *text, unsigned flags) {
    const char *what = flags & GX_STRING_FORMAT ? "f-string" : "string";
    if (flags & GX_STRING_TRIPLE) {
        x->out->incomplete = true;
        gx_lexer_error(x, GX_SyntaxError, start, text, NULL,
                       "unterminated triple-quoted %s literal (detected at line %u)", what,
                       line_of(x, x->at > start ? x->at - 1 : x->at));
    } else {
        gx_lexer_error(x, GX_SyntaxError, start, text, NULL,
                       "unterminated %s literal (detected at line %u)", what,
                       line_of(x, x->at > start ? x->at - 1 : x->at));
    }
}

/* A quote of the f-string's own kind inside a field that has no end on the line was most likely
   meant to end the f-string: the field's brace is what is missing. True when reported so. */
static bool blame_field(gx_lexer *x, const gx_byte *start) {
    if (!x->fstrings) return false;
    gx_fstring *f = &x->fstring[x->fstrings - 1];
    if ((f->flags & GX_STRING_TRIPLE) || (char)*start != f->quote) return false;
    const gx_byte *brace = x->text + x->bracket[f->depth].at;
    gx_lexer_error(x, GX_SyntaxError, brace, brace + 1, NULL, "f-string: '{' was never closed");
    x->brackets = f->depth;
    x->fstrings--;
    return true;
}

static void begin_fstring(gx_lexer *x, const gx_byte *start, unsigned flags) {
    if (x->fstrings > GX_MAX_BRACKETS) {
        gx_lexer_error(x, GX_SyntaxError, start, x->at, NULL, "too many nested f-strings");
        x->stop = true;
        return;
    }
    x->fstring[x->fstrings++] = (gx_fstring){.at = (uint32_t)(start - x->text),
                                             .depth = (uint16_t)x->brackets,
                                             .quote = (char)x->at[-1],
                                             .flags = (uint8_t)flags};
    gx_lexer_emit_text(x, GX_TOKEN_FSTRING_START, start, x->at, flags, 0);
}

void gx_lexer_string(gx_lexer *x, const gx_byte *start) {
    const gx_byte *text = x->at;
    unsigned flags = 0;
    gx_byte quote = text[-1];
    for (const gx_byte *p = start; *p != quote; p++) {
        gx_byte c = *p | 0x20;
        flags |= c == 'r' ? GX_STRING_RAW : 0U;
        flags |= c == 'b' ? GX_STRING_BYTES : 0U;
        flags |= c == 'f' ? GX_STRING_FORMAT : 0U;
    }
    if (text - start >= 3 && text[-3] == quote) flags |= GX_STRING_TRIPLE;
    if (flags & GX_STRING_FORMAT) {
        begin_fstring(x, start, flags);
        return;
    }
    const gx_byte *p = text;
    bool plain = true;
    while (p < x->limit && !closes(p, quote, flags)) {
        if (*p == '\\' || *p == '\r' || *p >= 0x80 || *p == 0) plain = false;
        if (*p == 0) {
            x->at = p + 1;
            gx_lexer_error(x, GX_SyntaxError, p, p + 1, NULL, "the source contains a NUL byte");
        }
        if (!(flags & GX_STRING_TRIPLE) && is_eol(*p)) break;
        p = *p == '\\' ? skip_escape(p, x->limit) : p + 1;
    }
    x->at = p > x->limit ? x->limit : p;
    if (x->at >= x->limit || !closes(p, quote, flags)) {
        if (!blame_field(x, start)) unterminated(x, start, text, flags);
        return;
    }
    x->at += flags & GX_STRING_TRIPLE ? 3 : 1;
    if (plain) flags |= GX_STRING_PLAIN;
    gx_lexer_emit_text(x, GX_TOKEN_STRING, start, x->at, flags, (size_t)(text - start));
}

/* Ends the f-string on the stack's top, together with a format spec left open in it. */
static void drop_fstring(gx_lexer *x) {
    gx_fstring *f = &x->fstring[--x->fstrings];
    x->brackets = f->depth;
}

static void emit_part(gx_lexer *x, const gx_byte *start, const gx_byte *end, unsigned flags,
                      bool spec) {
    if (spec) flags &= ~(unsigned)GX_STRING_FORMAT;
    if (end > start) gx_lexer_emit_text(x, GX_TOKEN_FSTRING_TEXT, start, end, flags, 0);
}

/* The end of a text part: a field begins, the spec or the string ends, or something is wrong. */
static void end_text(gx_lexer *x, const gx_byte *p, gx_fstring f, bool spec) {
    x->at = p;
    if (p < x->limit && *p == '{') {
        x->at++;
        gx_lexer_open(x, p, true);
        gx_lexer_emit(x, GX_TOKEN_LBRACE, p, x->at);
    } else if (p < x->limit && *p == '}') {
        x->at++;
        if (spec) {
            x->brackets--;
            gx_lexer_emit(x, GX_TOKEN_RBRACE, p, x->at);
        } else {
            gx_lexer_error(x, GX_SyntaxError, p, p + 1, "write '}}' for a brace in the text",
                           "f-string: single '}' is not allowed");
        }
    } else if (p < x->limit && closes(p, (gx_byte)f.quote, f.flags)) {
        x->at += f.flags & GX_STRING_TRIPLE ? 3 : 1;
        if (spec) {
            const gx_byte *brace = x->text + x->bracket[x->brackets - 1].at;
            gx_lexer_error(x, GX_SyntaxError, brace, brace + 1, NULL,
                           "f-string: '{' was never closed");
        }
        drop_fstring(x);
        gx_lexer_emit(x, GX_TOKEN_FSTRING_END, p, x->at);
    } else {
        const gx_byte *start = x->text + f.at, *text = start;
        while (*text != (gx_byte)f.quote) text++;
        drop_fstring(x);
        unterminated(x, start, text + (f.flags & GX_STRING_TRIPLE ? 3 : 1), f.flags);
    }
}

void gx_lexer_fstring_text(gx_lexer *x) {
    gx_fstring f = x->fstring[x->fstrings - 1];
    bool spec = x->brackets > f.depth;
    const gx_byte *p = x->at;
    while (p < x->limit && !closes(p, (gx_byte)f.quote, f.flags)) {
        if (*p == 0) {
            gx_lexer_error(x, GX_SyntaxError, p, p + 1, NULL, "the source contains a NUL byte");
        } else if (!(f.flags & GX_STRING_TRIPLE) && is_eol(*p)) {
            break;
        } else if ((*p == '{' || *p == '}') && !spec && p[1] == *p) {
            p += 2;
            continue;
        } else if (*p == '{' || *p == '}') {
            break;
        } else if (*p == '\\') {
            /* `\N{` is an escape, other braces after a backslash are braces. */
            bool named = p[1] == 'N' && p[2] == '{' && !(f.flags & GX_STRING_RAW);
            if (named)
                while (p < x->limit && *p != '}' && !is_eol(*p)) p++;
            else if (p[1] == '{' || p[1] == '}')
                p++;
            else
                p = skip_escape(p, x->limit);
            if (named && *p == '}') p++;
            continue;
        }
        p++;
    }
    if (p > x->limit) p = x->limit;
    emit_part(x, x->at, p, f.flags, spec);
    end_text(x, p, f, spec);
}
