/* The lexer's driver: acts on what lexer.re recognises, keeps the stack of open brackets (inside
   which line ends mean nothing), decides between code and the text of an f-string, and turns
   mistakes into ERROR tokens. It does not look inside numbers (number.c) or strings (strings.c). */
#include "lexer/lexer_int.h"

#include "runtime/base/vec.h"

#include <string.h>

void gx_lexer_emit_text(gx_lexer *x, gx_token_kind kind, const gx_byte *start, const gx_byte *end,
                        unsigned flags, size_t skip) {
    gx_tokens *t = x->out;
    if (x->no_memory) return;
    if (t->count == t->room &&
        !gx_vec_grow(x->rt, (void **)&t->items, &t->room, t->count + 1, sizeof *t->items)) {
        x->no_memory = x->stop = true;
        return;
    }
    t->items[t->count++] = (gx_token){.kind = (uint8_t)kind,
                                      .flags = (uint8_t)flags,
                                      .error = (uint16_t)skip,
                                      .start = (uint32_t)(start - x->text),
                                      .end = (uint32_t)(end - x->text)};
}

void gx_lexer_emit(gx_lexer *x, gx_token_kind kind, const gx_byte *start, const gx_byte *end) {
    gx_lexer_emit_text(x, kind, start, end, 0, 0);
}

void gx_lexer_error(gx_lexer *x, gx_error_kind kind, const gx_byte *start, const gx_byte *end,
                    const char *help, const char *fmt, ...) {
    gx_tokens *t = x->out;
    if (x->no_memory || t->error_count == GX_MAX_LEX_ERRORS) {
        x->stop = true;
        return;
    }
    gx_buf message = gx_buf_new(x->rt), advice = gx_buf_new(x->rt);
    va_list args;
    va_start(args, fmt);
    bool ok = gx_buf_vprintf(&message, fmt, args);
    va_end(args);
    if (!ok || (help && !gx_buf_puts(&advice, help))) {
        gx_buf_free(&message);
        gx_buf_free(&advice);
        x->no_memory = x->stop = true;
        return;
    }
    gx_span at = {t->source, (uint32_t)(start - x->text), (uint32_t)(end - x->text)};
    t->errors[t->error_count] = (gx_lex_error){kind, at, message.data, advice.data};
    gx_lexer_emit_text(x, GX_TOKEN_ERROR, start, end, 0, (size_t)t->error_count++);
}

void gx_lexer_open(gx_lexer *x, const gx_byte *at, bool field) {
    if (x->brackets == GX_MAX_BRACKETS) {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                       "too many nested parentheses (at most %d)", GX_MAX_BRACKETS);
        x->stop = true;
        return;
    }
    x->bracket[x->brackets++] =
        (gx_bracket){.at = (uint32_t)(at - x->text), .open = (char)*at, .field = field};
}

/* A closing bracket: false when it closes nothing, with an error made. */
static bool close_bracket(gx_lexer *x, const gx_byte *at) {
    static const char pairs[] = "()[]{}";
    char closer = (char)*at;
    int floor = x->fstrings ? x->fstring[x->fstrings - 1].depth : 0;
    if (x->brackets <= floor) {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL, "unmatched '%c'", closer);
        return false;
    }
    gx_bracket *top = &x->bracket[--x->brackets];
    if (strchr(pairs, top->open)[1] == closer) return true;
    if (top->field) {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL, "f-string: unmatched '%c'", closer);
        x->brackets++;
        return false;
    }
    gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                   "closing parenthesis '%c' does not match opening parenthesis '%c'", closer,
                   top->open);
    return false;
}

/* Operators, brackets, and what ':' and '!' mean inside a field of an f-string. */
static void punctuation(gx_lexer *x, gx_token_kind kind, const gx_byte *start) {
    gx_bracket *top = x->brackets ? &x->bracket[x->brackets - 1] : NULL;
    bool field = top && top->field;
    if (kind == GX_TOKEN_LPAREN || kind == GX_TOKEN_LBRACKET || kind == GX_TOKEN_LBRACE) {
        gx_lexer_open(x, start, false);
    } else if (kind == GX_TOKEN_RPAREN || kind == GX_TOKEN_RBRACKET || kind == GX_TOKEN_RBRACE) {
        if (!close_bracket(x, start)) return;
    } else if (field && (kind == GX_TOKEN_COLON || kind == GX_TOKEN_WALRUS)) {
        x->at = start + 1;
        top->spec = true;
        kind = GX_TOKEN_SPEC;
    }
    gx_lexer_emit(x, kind, start, x->at);
}

static void name(gx_lexer *x, const gx_byte *start) {
    size_t length = (size_t)(x->at - start);
    size_t fine = gx_lexer_name_length(start, x->at);
    if (fine == length) {
        gx_lexer_emit(x, gx_token_keyword((const char *)start, length), start, x->at);
        return;
    }
    x->at = start + fine;
    if (fine)
        gx_lexer_emit(x, gx_token_keyword((const char *)start, fine), start, x->at);
    else
        gx_lexer_other(x);
}

static void code(gx_lexer *x) {
    const gx_byte *start;
    gx_token_kind kind;
    switch (gx_lexer_scan(x, &start, &kind)) {
    case GX_SCAN_TOKEN:
        punctuation(x, kind, start);
        break;
    case GX_SCAN_NUMBER:
        gx_lexer_number(x, start, kind);
        break;
    case GX_SCAN_STRING:
        gx_lexer_string(x, start);
        break;
    case GX_SCAN_NAME:
        name(x, start);
        break;
    case GX_SCAN_COMMENT:
        if (x->flags & GX_LEX_COMMENTS) gx_lexer_emit(x, kind, start, x->at);
        break;
    case GX_SCAN_NEWLINE:
        if (x->brackets) break;
        if (!x->line_start) gx_lexer_emit(x, kind, start, x->at);
        x->line_start = true;
        break;
    case GX_SCAN_JOIN:
        if (x->at < x->limit) break;
        x->out->incomplete = true;
        gx_lexer_error(x, GX_SyntaxError, start, start + 1, NULL,
                       "the text ends after a line continuation '\\'");
        break;
    case GX_SCAN_OTHER:
        gx_lexer_other(x);
        break;
    }
}

/* NEWLINE, DEDENTs and END; first a word about what was never closed. */
static void finish(gx_lexer *x) {
    gx_tokens *t = x->out;
    if (x->brackets && !x->stop) {
        gx_bracket *top = &x->bracket[x->brackets - 1];
        const gx_byte *at = x->text + top->at;
        bool incomplete = t->incomplete; /* which was told already */
        t->incomplete = t->unclosed = true;
        t->unclosed_at = top->at;
        if (!incomplete) gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                       top->field ? "f-string: '%c' was never closed" : "'%c' was never closed",
                       top->open);
    }
    if (!x->line_start) gx_lexer_emit(x, GX_TOKEN_NEWLINE, x->at, x->at);
    for (; x->indents; x->indents--) gx_lexer_emit(x, GX_TOKEN_DEDENT, x->at, x->at);
    gx_lexer_emit(x, GX_TOKEN_END, x->at, x->at);
}

static void scan_source(gx_lexer *x) {
    while (!x->stop) {
        bool text = x->fstrings && x->brackets == x->fstring[x->fstrings - 1].depth;
        text = text || (x->brackets && x->bracket[x->brackets - 1].spec);
        if (text) {
            gx_lexer_fstring_text(x);
            continue;
        }
        if (x->line_start && !x->brackets) gx_lexer_indent(x);
        if (x->at >= x->limit) break;
        code(x);
    }
    finish(x);
}

/* The first byte that is not UTF-8 is the only error of such a text. */
static bool check_utf8(gx_lexer *x, size_t length) {
    size_t bad = gx_utf8_valid((const char *)x->text, length);
    if (bad == length) return true;
    uint32_t line, column;
    gx_span at = {x->out->source, (uint32_t)bad, (uint32_t)bad + 1};
    gx_source_place(x->rt, at, &line, &column);
    gx_lexer_error(x, GX_SyntaxError, x->text + bad, x->text + bad + 1, "save the file as UTF-8",
                   "byte 0x%02x at line %u is not UTF-8", x->text[bad], line);
    x->stop = true;
    return false;
}

bool gx_lex(gx_rt *rt, uint32_t source, unsigned flags, gx_tokens *out) {
    *out = (gx_tokens){.rt = rt, .source = source};
    const gx_source *s = gx_source_of(rt, (gx_span){source, 0, 1});
    gx_lexer *x = gx_alloc_zero(rt, sizeof *x);
    if (!x) return false;
    x->rt = rt;
    x->out = out;
    x->flags = flags;
    x->text = x->at = (const gx_byte *)s->text;
    x->limit = x->text + s->length;
    x->line_start = true;
    if (check_utf8(x, s->length))
        scan_source(x);
    else
        finish(x);
    bool ok = !x->no_memory;
    gx_free(rt, x);
    if (!ok) gx_tokens_free(out);
    return ok;
}

void gx_tokens_free(gx_tokens *t) {
    for (int i = 0; i < t->error_count; i++) {
        gx_free(t->rt, t->errors[i].message);
        gx_free(t->rt, t->errors[i].help);
    }
    gx_free(t->rt, t->items);
    t->items = NULL;
    t->count = t->room = 0;
    t->error_count = 0;
}
