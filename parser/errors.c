/* Recording syntax errors: at most GX_MAX_SYNTAX_ERRORS, one a place, with the lexer's own errors
   where the parser meets their tokens. The first becomes the context's pending error. A text that
   merely ends too early is noted, for the REPL. */
#include "parser/parser_int.h"

#include <stdio.h>
#include <string.h>

void *gx_parser_no_memory(gx_parser *p) {
    p->fatal = true;
    return NULL;
}

/* Only layout is left before the end of the text. */
static bool at_end(const gx_parser *p) {
    const gx_token *t = p->tok;
    if (t->kind == GX_TOKEN_ERROR)
        return p->tokens.incomplete && t->error == p->tokens.error_count - 1;
    while (t->kind == GX_TOKEN_DEDENT) t++;
    return t->kind == GX_TOKEN_END;
}

static void record(gx_parser *p, gx_error_kind kind, gx_span at, const char *help,
                   const char *message) {
    gx_parse_errors *errors = p->errors;
    for (int i = 0; i < errors->count; i++)
        if (errors->list[i].at.start == at.start) return;
    if (errors->count == GX_MAX_SYNTAX_ERRORS) {
        p->fatal = true;
        return;
    }
    gx_buf text = gx_buf_new(p->rt), advice = gx_buf_new(p->rt);
    if (!gx_buf_puts(&text, message) || (help && *help && !gx_buf_puts(&advice, help))) {
        gx_buf_free(&text);
        gx_buf_free(&advice);
        gx_parser_no_memory(p);
        return;
    }
    if (errors->count == 0) p->at_end = at_end(p);
    errors->list[errors->count++] = (gx_syntax_error){kind, at, text.data, advice.data, NULL};
}

/* An error on a later line than a bracket that is never closed is that bracket's fault. */
static bool locate_bracket(gx_parser *p, gx_span at) {
    const gx_tokens *t = &p->tokens;
    if (!t->unclosed || at.start <= t->unclosed_at) return false;
    const char *from = p->text + t->unclosed_at;
    size_t length = at.start - t->unclosed_at;
    if (!memchr(from, '\n', length) && !memchr(from, '\r', length)) return false;
    const gx_lex_error *e = &t->errors[t->error_count - 1];
    record(p, e->kind, e->at, e->help, e->message);
    return true;
}

static void fail(gx_parser *p, gx_error_kind kind, gx_span at, const char *help, const char *fmt,
                 va_list args) {
    char message[400];
    if (p->fatal || locate_bracket(p, at)) return;
    vsnprintf(message, sizeof message, fmt, args);
    record(p, kind, at, help, message);
}

void *gx_parser_error(gx_parser *p, gx_error_kind kind, gx_span at, const char *help,
                      const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fail(p, kind, at, help, fmt, args);
    va_end(args);
    return NULL;
}

void *gx_parser_syntax(gx_parser *p, gx_span at, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fail(p, GX_SyntaxError, at, NULL, fmt, args);
    va_end(args);
    return NULL;
}

/* What a message calls the current token. */
static void describe(const gx_parser *p, char out[80]) {
    const gx_token *t = p->tok;
    gx_token_kind kind = (gx_token_kind)t->kind;
    bool number = kind == GX_TOKEN_INT || kind == GX_TOKEN_FLOAT || kind == GX_TOKEN_IMAG;
    int length = (int)(t->end - t->start);
    if (kind == GX_TOKEN_NAME && length <= 60)
        snprintf(out, 80, "'%.*s'", length, p->text + t->start);
    else if (number && length <= 60)
        snprintf(out, 80, "the number %.*s", length, p->text + t->start);
    else
        snprintf(out, 80, "%s", gx_token_name(kind));
}

void *gx_parser_unexpected_help(gx_parser *p, const char *help, const char *what) {
    char got[80];
    if (p->fatal) return NULL;
    if (p->tok->kind == GX_TOKEN_ERROR) {
        const gx_lex_error *e = &p->tokens.errors[p->tok->error];
        if (!locate_bracket(p, e->at)) record(p, e->kind, e->at, e->help, e->message);
        return NULL;
    }
    describe(p, got);
    if (p->tok->kind == GX_TOKEN_INDENT)
        return gx_parser_error(p, GX_IndentationError, gx_parser_token_span(p), NULL,
                               "unexpected indent");
    return gx_parser_error(p, GX_SyntaxError, gx_parser_token_span(p), help, "%s, got %s", what,
                           got);
}

void *gx_parser_unexpected(gx_parser *p, const char *what) {
    return gx_parser_unexpected_help(p, NULL, what);
}
