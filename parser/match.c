/* match statements and their patterns. `match` and `case` are names everywhere else: a match
   statement is recognised by the indented `case` that follows its line. */
#include "parser/parser_int.h"

#include <string.h>

static gx_node *parse_pattern(gx_parser *p);
static gx_node *parse_open(gx_parser *p);

static bool is_word(const gx_parser *p, const gx_token *t, const char *word) {
    return t->kind == GX_TOKEN_NAME && t->end - t->start == strlen(word) &&
           memcmp(p->text + t->start, word, strlen(word)) == 0;
}

bool gx_parser_starts_match(const gx_parser *p) {
    if (!is_word(p, p->tok, "match")) return false;
    int depth = 0;
    for (const gx_token *t = p->tok + 1;; t++) {
        switch ((int)t->kind) {
        case GX_TOKEN_LPAREN:
        case GX_TOKEN_LBRACKET:
        case GX_TOKEN_LBRACE:
            depth++;
            break;
        case GX_TOKEN_RPAREN:
        case GX_TOKEN_RBRACKET:
        case GX_TOKEN_RBRACE:
            depth--;
            break;
        case GX_TOKEN_COLON:
            if (depth == 0 && t[1].kind == GX_TOKEN_NEWLINE)
                return t > p->tok + 1 &&
                       (t[2].kind == GX_TOKEN_END ||
                        (t[2].kind == GX_TOKEN_INDENT && is_word(p, t + 3, "case")));
            break;
        case GX_TOKEN_END:
        case GX_TOKEN_ERROR:
        case GX_TOKEN_NEWLINE:
            return false;
        default:
            break;
        }
    }
}

static gx_node *pattern(gx_parser *p, gx_pattern op, uint32_t start) {
    gx_node *n = gx_parser_node(p, GX_NODE_PATTERN, start);
    if (n) n->op = (uint8_t)op;
    return n;
}

/* A name that captures; _ captures nothing. */
static gx_node *capture(gx_parser *p, gx_pattern op, uint32_t start) {
    bool nothing = is_word(p, p->tok, "_");
    gx_node *name = gx_parser_name(p, "a name in the pattern");
    gx_node *n = name ? pattern(p, op, start) : NULL;
    if (n && !nothing) n->a = name;
    return n;
}

/* The patterns up to a closer, which is taken, into n->list. */
static bool parse_items(gx_parser *p, gx_node *n, gx_token_kind closer) {
    size_t mark = p->pile.count;
    bool rest = false;
    while (p->tok->kind != closer) {
        gx_node *item = parse_open(p);
        if (!item || !gx_parser_push(p, item)) goto fail;
        if (item->op == GX_PATTERN_REST && rest) {
            gx_parser_syntax(p, item->at, "multiple starred expressions in sequence pattern");
            goto fail;
        }
        rest = rest || item->op == GX_PATTERN_REST;
        if (p->tok->kind == closer) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, closer);
            goto fail;
        }
        gx_parser_advance(p);
    }
    gx_parser_advance(p);
    n->at.end = p->last_end;
    return gx_parser_list(p, n, mark);
fail:
    p->pile.count = mark;
    return false;
}

/* (pattern) or a sequence in parentheses. */
static gx_node *parse_group(gx_parser *p, uint32_t start) {
    gx_parser_advance(p);
    if (p->tok->kind != GX_TOKEN_RPAREN) {
        const gx_token *tok = p->tok;
        uint32_t last_end = p->last_end;
        gx_node *only = parse_open(p);
        if (!only) return NULL;
        if (p->tok->kind == GX_TOKEN_RPAREN && only->op != GX_PATTERN_REST) {
            gx_parser_advance(p);
            return only;
        }
        p->tok = tok; /* a sequence: its items are read again */
        p->last_end = last_end;
    }
    gx_node *n = pattern(p, GX_PATTERN_LIST, start);
    return n && parse_items(p, n, GX_TOKEN_RPAREN) ? n : NULL;
}

/* grammar: mapping: '{' [literal ':' pattern (',' …)* [',' '**' NAME]] '}' */
static gx_node *parse_mapping(gx_parser *p, uint32_t start) {
    size_t mark = p->pile.count;
    gx_node *n = pattern(p, GX_PATTERN_DICT, start);
    gx_parser_advance(p);
    while (n && p->tok->kind != GX_TOKEN_RBRACE) {
        if (gx_parser_accept(p, GX_TOKEN_STARSTAR)) {
            n->b = gx_parser_name(p, "a name after '**'");
            if (!n->b) goto fail;
            if (strcmp(gx_sym_text(p->rt, n->b->name), "_") == 0) {
                gx_parser_error(p, GX_SyntaxError, n->b->at, "leave it out: more may be there",
                                "'**_' in a mapping pattern is not allowed");
                goto fail;
            }
            gx_parser_accept(p, GX_TOKEN_COMMA);
            if (p->tok->kind == GX_TOKEN_RBRACE) break;
            gx_parser_unexpected(p, "'**rest' must be the last part of a mapping pattern");
            goto fail;
        } else {
            gx_node *key = gx_parse_binary(p, GX_PREC_BITXOR);
            if (!key || !gx_parser_push(p, key)) goto fail;
            if (!gx_parser_expect(p, GX_TOKEN_COLON, "after the key of a pattern")) goto fail;
            gx_node *value = parse_pattern(p);
            if (!value || !gx_parser_push(p, value)) goto fail;
        }
        if (p->tok->kind == GX_TOKEN_RBRACE) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RBRACE);
            goto fail;
        }
        gx_parser_advance(p);
    }
    if (!n) goto fail;
    gx_parser_advance(p);
    n->at.end = p->last_end;
    return gx_parser_list(p, n, mark) ? n : NULL;
fail:
    p->pile.count = mark;
    return NULL;
}

/* The patterns in the parentheses of Class(…). */
static gx_node *parse_class(gx_parser *p, gx_node *cls, uint32_t start) {
    size_t mark = p->pile.count;
    gx_node *n = pattern(p, GX_PATTERN_CLASS, start);
    bool keywords = false;
    gx_parser_advance(p);
    while (n && p->tok->kind != GX_TOKEN_RPAREN) {
        bool keyword = p->tok->kind == GX_TOKEN_NAME && gx_parser_peek(p, 1) == GX_TOKEN_EQUAL;
        uint32_t from = p->tok->start;
        gx_node *name = keyword ? gx_parser_name(p, "a name") : NULL;
        if (keyword) gx_parser_advance(p);
        gx_node *item = parse_pattern(p);
        if (!item) goto fail;
        if (keyword) {
            gx_node *wrapped = gx_parser_node(p, GX_NODE_KEYWORD, from);
            if (!wrapped || !name) goto fail;
            wrapped->name = name->name;
            wrapped->a = item;
            item = wrapped;
        } else if (keywords) {
            gx_parser_syntax(p, item->at, "positional patterns follow keyword patterns");
            goto fail;
        }
        keywords = keywords || keyword;
        if (!gx_parser_push(p, item)) goto fail;
        if (p->tok->kind == GX_TOKEN_RPAREN) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RPAREN);
            goto fail;
        }
        gx_parser_advance(p);
    }
    if (!n) goto fail;
    gx_parser_advance(p);
    n->a = cls;
    n->at.end = p->last_end;
    return gx_parser_list(p, n, mark) ? n : NULL;
fail:
    p->pile.count = mark;
    return NULL;
}

/* A dotted name is a value, a plain one captures, and either may be a class. */
static gx_node *parse_name(gx_parser *p, uint32_t start) {
    gx_token_kind next = gx_parser_peek(p, 1);
    if (next != GX_TOKEN_DOT && next != GX_TOKEN_LPAREN)
        return capture(p, GX_PATTERN_CAPTURE, start);
    gx_node *n = gx_parser_name(p, "a name");
    while (n && gx_parser_accept(p, GX_TOKEN_DOT)) {
        gx_node *name = gx_parser_name(p, "a name after '.'");
        gx_node *attr = name ? gx_parser_node(p, GX_NODE_ATTR, start) : NULL;
        if (!attr) return NULL;
        attr->a = n;
        attr->name = name->name;
        attr->op_at = name->at;
        n = attr;
    }
    if (!n) return NULL;
    if (p->tok->kind == GX_TOKEN_LPAREN) return parse_class(p, n, start);
    gx_node *value = pattern(p, GX_PATTERN_VALUE, start);
    if (value) value->a = n;
    return value;
}

static gx_node *parse_closed(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *n;
    switch ((int)p->tok->kind) {
    case GX_TOKEN_NAME:
        return parse_name(p, start);
    case GX_TOKEN_LPAREN:
        return parse_group(p, start);
    case GX_TOKEN_LBRACE:
        return parse_mapping(p, start);
    case GX_TOKEN_LBRACKET:
        gx_parser_advance(p);
        n = pattern(p, GX_PATTERN_LIST, start);
        return n && parse_items(p, n, GX_TOKEN_RBRACKET) ? n : NULL;
    case GX_TOKEN_NONE:
    case GX_TOKEN_TRUE:
    case GX_TOKEN_FALSE:
    case GX_TOKEN_MINUS:
    case GX_TOKEN_INT:
    case GX_TOKEN_FLOAT:
    case GX_TOKEN_IMAG:
    case GX_TOKEN_STRING: {
        bool is = p->tok->kind == GX_TOKEN_NONE || p->tok->kind == GX_TOKEN_TRUE ||
                  p->tok->kind == GX_TOKEN_FALSE;
        gx_node *value = gx_parse_binary(p, GX_PREC_BITXOR);
        n = value ? pattern(p, is ? GX_PATTERN_IS : GX_PATTERN_VALUE, start) : NULL;
        if (n) n->a = value;
        return n;
    }
    default:
        return gx_parser_unexpected(p, "expected a pattern");
    }
}

/* grammar: pattern: closed ('|' closed)* ['as' NAME] */
static gx_node *parse_pattern(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    if (!gx_parser_enter(p)) return NULL;
    gx_node *n = parse_closed(p);
    if (n && p->tok->kind == GX_TOKEN_PIPE) {
        bool ok = gx_parser_push(p, n);
        while (ok && gx_parser_accept(p, GX_TOKEN_PIPE)) {
            n = parse_closed(p);
            ok = n && gx_parser_push(p, n);
        }
        n = ok ? pattern(p, GX_PATTERN_OR, start) : NULL;
        if (n && !gx_parser_list(p, n, mark)) n = NULL;
        p->pile.count = mark;
    }
    if (n && gx_parser_accept(p, GX_TOKEN_AS)) {
        gx_node *name = gx_parser_name(p, "a name after 'as'");
        gx_node *as = name ? pattern(p, GX_PATTERN_AS, start) : NULL;
        if (as) {
            as->a = n;
            as->b = name;
        }
        n = as;
    }
    gx_parser_leave(p);
    return n;
}

/* A pattern, or *name. */
static gx_node *parse_open(gx_parser *p) {
    uint32_t start = p->tok->start;
    if (gx_parser_accept(p, GX_TOKEN_STAR)) return capture(p, GX_PATTERN_REST, start);
    return parse_pattern(p);
}

/* The pattern of a case: with a comma, a sequence without brackets. */
static gx_node *parse_case_pattern(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_node *first = parse_open(p);
    if (!first) return NULL;
    if (p->tok->kind != GX_TOKEN_COMMA && first->op != GX_PATTERN_REST) return first;
    if (!gx_parser_push(p, first)) return NULL;
    while (gx_parser_accept(p, GX_TOKEN_COMMA)) {
        if (p->tok->kind == GX_TOKEN_COLON || p->tok->kind == GX_TOKEN_IF) break;
        gx_node *item = parse_open(p);
        if (!item || !gx_parser_push(p, item)) {
            p->pile.count = mark;
            return NULL;
        }
    }
    gx_node *n = pattern(p, GX_PATTERN_LIST, start);
    if (n && gx_parser_list(p, n, mark)) return n;
    p->pile.count = mark;
    return NULL;
}

/* grammar: case: 'case' pattern (',' pattern)* ['if' expr] block */
static gx_node *parse_case(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *guard = NULL;
    if (!is_word(p, p->tok, "case")) return gx_parser_unexpected(p, "expected 'case'");
    gx_parser_advance(p);
    gx_node *test = parse_case_pattern(p);
    if (!test) return NULL;
    if (!gx_pattern_check(p, test, true)) return NULL;
    if (gx_parser_accept(p, GX_TOKEN_IF) && !(guard = gx_parse_expr(p))) return NULL;
    gx_node *body = gx_parse_block(p, "'case' statement", start);
    gx_node *n = body ? gx_parser_node(p, GX_NODE_CASE, start) : NULL;
    if (!n) return NULL;
    n->a = test;
    n->b = guard;
    n->c = body;
    return n;
}

/* After an error: the rest of the statement says nothing more. */
static void skip_cases(gx_parser *p) {
    int depth = 1;
    while (depth > 0 && p->tok->kind != GX_TOKEN_END) {
        depth += (p->tok->kind == GX_TOKEN_INDENT) - (p->tok->kind == GX_TOKEN_DEDENT);
        gx_parser_advance(p);
    }
}

/* grammar: match: 'match' exprs ':' NEWLINE INDENT case+ DEDENT */
gx_node *gx_parse_match(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    gx_node *subject = gx_parse_exprs(p);
    if (!subject || !gx_parser_expect(p, GX_TOKEN_COLON, "after the subject of 'match'"))
        return NULL;
    gx_parser_advance(p);
    if (p->tok->kind != GX_TOKEN_INDENT)
        return gx_parser_error(p, GX_IndentationError, gx_parser_token_span(p), NULL,
                               "expected indented 'case' lines after 'match'");
    gx_parser_advance(p);
    while (p->tok->kind != GX_TOKEN_DEDENT && p->tok->kind != GX_TOKEN_END) {
        gx_node *last = p->pile.count > mark ? p->pile.items[p->pile.count - 1] : NULL;
        gx_node *one = NULL;
        if (!last || last->b || gx_pattern_check(p, last->a, false)) one = parse_case(p);
        if (!one || !gx_parser_push(p, one)) {
            p->pile.count = mark;
            skip_cases(p);
            return NULL;
        }
    }
    gx_parser_accept(p, GX_TOKEN_DEDENT);
    gx_node *n = gx_parser_node(p, GX_NODE_MATCH, start);
    if (!n || !gx_parser_list(p, n, mark)) return NULL;
    n->a = subject;
    return n;
}
