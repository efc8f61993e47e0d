/* What follows an atom: .name, (arguments), [subscript]; any number of them, in a loop. */
#include "parser/parser_int.h"

/* A subscript's item: an expression, *expression, or a slice. */
/* grammar: slice: [expr] ':' [expr] [':' [expr]] */
static gx_node *parse_slice(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *part[3] = {NULL, NULL, NULL};
    if (p->tok->kind != GX_TOKEN_COLON) {
        part[0] = gx_parse_item(p);
        if (!part[0] || p->tok->kind != GX_TOKEN_COLON || part[0]->kind == GX_NODE_STARRED)
            return part[0];
    }
    for (int i = 1; i < 3 && gx_parser_accept(p, GX_TOKEN_COLON); i++) {
        gx_token_kind kind = (gx_token_kind)p->tok->kind;
        if (kind == GX_TOKEN_COLON || kind == GX_TOKEN_COMMA || kind == GX_TOKEN_RBRACKET) continue;
        part[i] = gx_parse_expr(p);
        if (!part[i]) return NULL;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_SLICE, start);
    if (!n) return NULL;
    n->a = part[0];
    n->b = part[1];
    n->c = part[2];
    return n;
}

/* The inside of [ ]: one item, or with a comma a TUPLE. */
static gx_node *parse_subscript(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_node *first = parse_slice(p);
    if (!first) return NULL;
    if (p->tok->kind != GX_TOKEN_COMMA && first->kind != GX_NODE_STARRED) return first;
    if (!gx_parser_push(p, first)) return NULL;
    while (gx_parser_accept(p, GX_TOKEN_COMMA) && p->tok->kind != GX_TOKEN_RBRACKET) {
        gx_node *item = parse_slice(p);
        if (!item || !gx_parser_push(p, item)) goto fail;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_TUPLE, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* grammar: index: '[' slice (',' slice)* [','] ']' */
static gx_node *parse_index(gx_parser *p, gx_node *a, uint32_t start) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_RBRACKET)
        return gx_parser_syntax(p, gx_parser_span(p, at.start, p->tok->end),
                                "expected an index between '[' and ']'");
    gx_node *b = parse_subscript(p);
    if (!b) return NULL;
    if (p->tok->kind != GX_TOKEN_RBRACKET) return gx_parser_no_closer(p, GX_TOKEN_RBRACKET);
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, GX_NODE_INDEX, start);
    if (!n) return NULL;
    n->a = a;
    n->b = b;
    n->op_at = at;
    return n;
}

/* What has been seen of a call's arguments. */
typedef struct arguments {
    gx_map names; /* keywords given */
    bool keyword, doublestar;
} arguments;

/* name=value, with the value's expression parsed as `name` and '=' the current token. */
static gx_node *parse_keyword(gx_parser *p, const gx_node *name, arguments *seen) {
    int32_t old;
    if (name->kind == GX_NODE_TRUE || name->kind == GX_NODE_FALSE || name->kind == GX_NODE_NONE)
        return gx_parser_syntax(p, name->at, "cannot assign to %s",
                                name->kind == GX_NODE_TRUE    ? "True"
                                : name->kind == GX_NODE_FALSE ? "False"
                                                              : "None");
    if (name->kind != GX_NODE_NAME || p->tok[-1].start != name->at.start)
        return gx_parser_error(p, GX_SyntaxError, gx_parser_span(p, name->at.start, p->tok->end),
                               "to compare, write '=='",
                               "only a name can stand before '=' in a call");
    if (gx_map_get(&seen->names, name->name, &old))
        return gx_parser_syntax(p, name->at, "keyword argument repeated: %s",
                                gx_sym_text(p->rt, name->name));
    if (!gx_map_set(p->rt, &seen->names, name->name, 1)) return gx_parser_no_memory(p);
    seen->keyword = true;
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_COMMA || p->tok->kind == GX_TOKEN_RPAREN)
        return gx_parser_unexpected(p, "expected the argument's value after '='");
    gx_node *value = gx_parse_expr(p);
    gx_node *n = value ? gx_parser_node(p, GX_NODE_KEYWORD, name->at.start) : NULL;
    if (!n) return NULL;
    n->name = name->name;
    n->a = value;
    n->op_at = at;
    return n;
}

static gx_node *parse_doublestar(gx_parser *p, arguments *seen) {
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    gx_node *a = gx_parse_expr(p);
    gx_node *n = a ? gx_parser_node(p, GX_NODE_DOUBLESTAR, start) : NULL;
    if (!n) return NULL;
    n->a = a;
    seen->doublestar = true;
    return n;
}

/* grammar: argument: expr | NAME '=' expr | '*' expr | '**' expr | expr for_clause+ (alone) */
static gx_node *parse_argument(gx_parser *p, arguments *seen, bool alone) {
    uint32_t start = p->tok->start;
    gx_span at = gx_parser_token_span(p);
    if (p->tok->kind == GX_TOKEN_STARSTAR) return parse_doublestar(p, seen);
    if (gx_parser_accept(p, GX_TOKEN_STAR)) {
        if (seen->doublestar)
            return gx_parser_syntax(
                p, at, "iterable argument unpacking follows keyword argument unpacking");
        gx_node *a = gx_parse_expr(p);
        gx_node *n = a ? gx_parser_node(p, GX_NODE_STARRED, start) : NULL;
        if (n) n->a = a;
        return n;
    }
    gx_node *n = gx_parse_expr(p);
    if (!n) return NULL;
    if (p->tok->kind == GX_TOKEN_EQUAL) return parse_keyword(p, n, seen);
    if (p->tok->kind == GX_TOKEN_FOR || p->tok->kind == GX_TOKEN_ASYNC) {
        n = gx_parse_genexp(p, n, start);
        if (!n || (alone && p->tok->kind == GX_TOKEN_RPAREN)) return n;
        return gx_parser_syntax(p, n->at,
                                "a generator expression must be parenthesized when it is "
                                "not the only argument");
    }
    if (!seen->keyword && !seen->doublestar) return n;
    return gx_parser_syntax(p, n->at,
                            seen->doublestar
                                ? "positional argument follows keyword argument unpacking"
                                : "positional argument follows keyword argument");
}

/* grammar: call: '(' [argument (',' argument)* [',']] ')' */
static gx_node *parse_call(gx_parser *p, gx_node *a, uint32_t start) {
    gx_span at = gx_parser_token_span(p);
    size_t mark = p->pile.count;
    arguments seen = {.keyword = false};
    gx_node *n = NULL, *call;
    gx_parser_advance(p);
    while (p->tok->kind != GX_TOKEN_RPAREN) {
        gx_node *argument = parse_argument(p, &seen, p->pile.count == mark);
        if (!argument || !gx_parser_push(p, argument)) goto done;
        if (p->tok->kind == GX_TOKEN_RPAREN) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RPAREN);
            goto done;
        }
        gx_parser_advance(p);
    }
    gx_parser_advance(p);
    call = gx_parser_node(p, GX_NODE_CALL, start);
    if (!call || !gx_parser_list(p, call, mark)) goto done;
    call->a = a;
    call->op_at = at;
    n = call;
    p->calls++;
done:
    p->pile.count = mark;
    gx_map_free(p->rt, &seen.names);
    return n;
}

/* grammar: attribute: '.' NAME */
static gx_node *parse_attribute(gx_parser *p, gx_node *a, uint32_t start) {
    gx_parser_advance(p);
    if (p->tok->kind != GX_TOKEN_NAME) return gx_parser_unexpected(p, "expected a name after '.'");
    gx_sym name = gx_parser_sym(p, p->tok);
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    gx_node *n = name ? gx_parser_node(p, GX_NODE_ATTR, start) : NULL;
    if (!n) return NULL;
    n->name = name;
    n->a = a;
    n->op_at = at;
    return n;
}

/* grammar: trailer: attribute | call | index */
gx_node *gx_parse_trailers(gx_parser *p, gx_node *n, uint32_t start) {
    while (n) {
        if (p->tok->kind == GX_TOKEN_DOT)
            n = parse_attribute(p, n, start);
        else if (p->tok->kind == GX_TOKEN_LPAREN)
            n = parse_call(p, n, start);
        else if (p->tok->kind == GX_TOKEN_LBRACKET)
            n = parse_index(p, n, start);
        else
            break;
    }
    return n;
}
