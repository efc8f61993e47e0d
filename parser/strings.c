/* Literals to nodes: numbers; strings, with adjacent ones joined; f-strings, whose fields are
   parsed as the expressions they are, at their own places in the source. */
#include "parser/parser_int.h"

#include <string.h>

gx_node *gx_parse_number(gx_parser *p) {
    const gx_token *t = p->tok;
    uint32_t start = t->start;
    gx_parser_advance(p);
    if (t->kind == GX_TOKEN_INT) {
        gx_buf digits = gx_buf_new(p->rt);
        gx_node *n = gx_parser_node(p, GX_NODE_INT, start);
        bool ok = n && gx_literal_int(p->text, t, &digits);
        if (ok) {
            n->length = digits.length;
            n->text = gx_arena_copy(&p->unit->arena, digits.data, digits.length);
        }
        gx_buf_free(&digits);
        return ok && n->text ? n : gx_parser_no_memory(p);
    }
    gx_node *n = gx_parser_node(p, t->kind == GX_TOKEN_IMAG ? GX_NODE_IMAG : GX_NODE_FLOAT, start);
    if (!n || !gx_literal_float(p->rt, p->text, t, &n->number)) return gx_parser_no_memory(p);
    return n;
}

/* Adds a token's value to out, or records what is wrong with it. */
static bool decode(gx_parser *p, const gx_token *t, gx_buf *out) {
    gx_literal_error error;
    if (gx_literal_string(p->rt, p->text, t, out, &error)) return true;
    if (gx_failed(&p->rt->error)) return gx_parser_no_memory(p) != NULL;
    return gx_parser_error(p, GX_SyntaxError, gx_parser_span(p, error.start, error.end), error.help,
                           "%s", error.message) != NULL;
}

/* A constant node of the text in `from`, which is emptied. */
static gx_node *text_node(gx_parser *p, gx_kind kind, gx_buf *from, uint32_t start) {
    gx_node *n = gx_parser_node(p, kind, start);
    if (!n) return NULL;
    n->text = gx_arena_copy(&p->unit->arena, gx_buf_text(from), from->length);
    n->length = from->length;
    from->length = 0;
    return n->text ? n : gx_parser_no_memory(p);
}

/* Pushes the text gathered so far, if any, as a STR. */
static bool flush(gx_parser *p, gx_buf *text, uint32_t start) {
    if (!text->length) return true;
    gx_node *n = text_node(p, GX_NODE_STR, text, start);
    return n && gx_parser_push(p, n);
}

static bool parse_parts(gx_parser *p, gx_buf *text, gx_token_kind closer);

/* After ':' in a field, up to the '}': an FSTRING of the format spec. */
static gx_node *parse_spec(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_buf text = gx_buf_new(p->rt);
    gx_node *n = NULL;
    if (!gx_parser_enter(p)) return NULL;
    if (parse_parts(p, &text, GX_TOKEN_RBRACE) && flush(p, &text, start))
        n = gx_parser_node(p, GX_NODE_FSTRING, start);
    if (n && !gx_parser_list(p, n, mark)) n = NULL;
    gx_parser_leave(p);
    gx_buf_free(&text);
    p->pile.count = mark;
    return n;
}

/* `=` at a field's end: the text of the expression, blanks around '=' included. */
static bool parse_echo(gx_parser *p, gx_node *field, uint32_t start) {
    gx_parser_advance(p);
    uint32_t end = p->last_end;
    while (strchr(" \t\r\n", p->text[end]) && p->text[end]) end++;
    field->text = gx_arena_copy(&p->unit->arena, p->text + start, end - start);
    field->length = end - start;
    field->op = 'r'; /* unless a conversion or a spec follows */
    return field->text || gx_parser_no_memory(p);
}

static bool parse_conversion(gx_parser *p, gx_node *field) {
    gx_parser_advance(p);
    const gx_token *t = p->tok;
    char c = p->text[t->start];
    bool known = t->kind == GX_TOKEN_NAME && t->end == t->start + 1 && strchr("rsa", c);
    if (!known)
        return gx_parser_unexpected(p, "f-string: expected a conversion r, s or a after '!'") !=
               NULL;
    gx_parser_advance(p);
    field->op = (uint8_t)c;
    return true;
}

/* grammar: field: '{' exprs ['='] ['!' NAME] [':' spec] '}' */
static gx_node *parse_field(gx_parser *p) {
    uint32_t start = p->tok->start, inside = p->tok->end;
    gx_parser_advance(p);
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    if (kind == GX_TOKEN_RBRACE || kind == GX_TOKEN_SPEC || kind == GX_TOKEN_BANG ||
        kind == GX_TOKEN_EQUAL)
        return gx_parser_syntax(p, gx_parser_span(p, start, p->tok->end),
                                "f-string: expected an expression after '{'");
    gx_node *value = gx_parse_exprs(p);
    gx_node *n = value ? gx_parser_node(p, GX_NODE_FIELD, start) : NULL;
    if (!n) return NULL;
    n->a = value;
    if (p->tok->kind == GX_TOKEN_EQUAL && !parse_echo(p, n, inside)) return NULL;
    if (p->tok->kind == GX_TOKEN_BANG && !parse_conversion(p, n)) return NULL;
    if (p->tok->kind == GX_TOKEN_SPEC) {
        /* With a spec, `=` alone formats the value itself. */
        if (n->text && p->tok[-1].kind == GX_TOKEN_EQUAL) n->op = 0;
        gx_parser_advance(p);
        n->b = parse_spec(p);
        if (!n->b) return NULL;
    }
    if (p->tok->kind != GX_TOKEN_RBRACE) {
        if (gx_parser_starts_expr(kind = (gx_token_kind)p->tok->kind) || kind == GX_TOKEN_AMPAMP ||
            kind == GX_TOKEN_PIPEPIPE)
            return gx_parser_no_closer(p, GX_TOKEN_RBRACE);
        return gx_parser_unexpected(p, "f-string: expected '=', '!', ':' or '}'");
    }
    gx_parser_advance(p);
    n->at.end = p->last_end;
    return n;
}

/* Texts and fields up to the closer, which stays; texts are gathered in *text. */
static bool parse_parts(gx_parser *p, gx_buf *text, gx_token_kind closer) {
    uint32_t start = p->tok->start;
    while (p->tok->kind != closer) {
        if (p->tok->kind == GX_TOKEN_FSTRING_TEXT) {
            const gx_token *t = p->tok;
            gx_parser_advance(p);
            if (!decode(p, t, text)) return false;
        } else if (p->tok->kind == GX_TOKEN_LBRACE) {
            if (!flush(p, text, start)) return false;
            gx_node *field = parse_field(p);
            if (!field || !gx_parser_push(p, field)) return false;
            start = p->tok->start;
        } else {
            gx_parser_unexpected(p, "f-string: expected text or '{'");
            return false;
        }
    }
    return true;
}

/* One f-string; its last text stays in *text, for a literal that follows. */
static bool parse_fstring(gx_parser *p, gx_buf *text) {
    if (!gx_parser_enter(p)) return false;
    gx_parser_advance(p);
    bool ok = parse_parts(p, text, GX_TOKEN_FSTRING_END);
    if (ok) gx_parser_advance(p);
    gx_parser_leave(p);
    return ok;
}

/* grammar: strings: (STRING | FSTRING)+ */
gx_node *gx_parse_strings(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_buf text = gx_buf_new(p->rt);
    gx_node *n = NULL;
    bool bytes = (p->tok->flags & GX_STRING_BYTES) != 0, format = false;
    while (p->tok->kind == GX_TOKEN_STRING || p->tok->kind == GX_TOKEN_FSTRING_START) {
        const gx_token *t = p->tok;
        if (((t->flags & GX_STRING_BYTES) != 0) != bytes) {
            gx_parser_syntax(p, gx_parser_span(p, start, t->end),
                             "cannot mix bytes and nonbytes literals");
            goto done;
        }
        if (t->kind == GX_TOKEN_FSTRING_START) {
            format = true;
            if (!parse_fstring(p, &text)) goto done;
        } else {
            gx_parser_advance(p);
            if (!decode(p, t, &text)) goto done;
        }
    }
    if (p->pile.count == mark) {
        n = text_node(p, bytes ? GX_NODE_BYTES : GX_NODE_STR, &text, start);
        if (n) n->op = format; /* an f-string without fields is a constant, but no docstring */
        goto done;
    }
    if (!flush(p, &text, start)) goto done;
    n = gx_parser_node(p, GX_NODE_FSTRING, start);
    if (n && !gx_parser_list(p, n, mark)) n = NULL;
done:
    p->pile.count = mark;
    gx_buf_free(&text);
    return n;
}
