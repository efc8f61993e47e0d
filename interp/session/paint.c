/* The colours of a text: from the lexer's own tokens, so that they never disagree with what is
   run. */
#include <string.h>

#include "interp/session/session.h"
#include "lexer/lexer.h"
#include "stdlib/stdlib.h"

static bool is_builtin(gx_rt *rt, const gx_module *m, const char *text, size_t length) {
    gx_sym name = gx_sym_of(rt, text, length);
    int32_t slot;
    gx_value v;
    if (!name) return false;
    if (gx_map_get(&m->slots, name, &slot) && m->values[slot].tag != GX_UNDEF) return false;
    if (gx_builtin(rt, name, &v) != GX_TRY_YES) {
        gx_error_clear(rt);
        return false;
    }
    gx_drop(v);
    return true;
}

static uint8_t paint_of(gx_session *s, const char *text, const gx_token *t,
                        const gx_token *before) {
    switch ((int)t->kind) {
    case GX_TOKEN_ERROR:
        return GX_PAINT_ERROR;
    case GX_TOKEN_COMMENT:
        return GX_PAINT_COMMENT;
    case GX_TOKEN_INT:
    case GX_TOKEN_FLOAT:
    case GX_TOKEN_IMAG:
        return GX_PAINT_NUMBER;
    case GX_TOKEN_STRING:
    case GX_TOKEN_FSTRING_START:
    case GX_TOKEN_FSTRING_TEXT:
    case GX_TOKEN_FSTRING_END:
        return GX_PAINT_STRING;
    case GX_TOKEN_NAME:
        if (before && before->kind == GX_TOKEN_DOT) return GX_PAINT_PLAIN;
        return is_builtin(s->rt, s->module, text + t->start, t->end - t->start) ? GX_PAINT_BUILTIN
                                                                                : GX_PAINT_PLAIN;
    default:
        break;
    }
    bool letter = (text[t->start] | 32) >= 'a' && (text[t->start] | 32) <= 'z';
    return letter && t->end > t->start ? GX_PAINT_KEYWORD : GX_PAINT_PLAIN;
}

void gx_session_paint(gx_session *s, const char *text, size_t length, uint8_t *out) {
    gx_tokens tokens;
    uint32_t source;
    memset(out, GX_PAINT_PLAIN, length);
    size_t start = strspn(text, " \n");
    if (gx_magic_is(text, length)) {
        size_t end = start + strcspn(text + start, " \n");
        memset(out + start, GX_PAINT_COMMAND, (end < length ? end : length) - start);
        return;
    }
    if (!gx_source_add(s->rt, "<input>", text, length, &source)) {
        gx_error_clear(s->rt);
        return;
    }
    if (gx_lex(s->rt, source, GX_LEX_COMMENTS, &tokens)) {
        for (size_t i = 0; i < tokens.count; i++) {
            const gx_token *t = &tokens.items[i];
            size_t end = t->end < length ? t->end : length;
            /* What is not closed yet is no mistake yet: its text is a string's. */
            uint8_t p = paint_of(s, text, t, i ? t - 1 : NULL);
            if (p == GX_PAINT_ERROR && (t->end >= length || tokens.incomplete)) p = GX_PAINT_STRING;
            if (p == GX_PAINT_STRING && t->kind == GX_TOKEN_ERROR && text[t->start] != '"' &&
                text[t->start] != '\'')
                p = GX_PAINT_PLAIN;
            if (p != GX_PAINT_PLAIN && t->start < end) memset(out + t->start, p, end - t->start);
        }
        gx_tokens_free(&tokens);
    }
    gx_error_clear(s->rt);
    gx_source_forget(s->rt, source);
}
