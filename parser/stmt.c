/* Simple statements: one line, several with ';'. */
#include "parser/parser_int.h"

static bool ends_statement(const gx_parser *p) {
    return p->tok->kind == GX_TOKEN_NEWLINE || p->tok->kind == GX_TOKEN_SEMICOLON ||
           p->tok->kind == GX_TOKEN_END;
}

static gx_node *expression_statement(gx_parser *p, gx_node *a, uint32_t start) {
    gx_node *n = gx_parser_node(p, GX_NODE_EXPRSTMT, start);
    if (n) n->a = a;
    return n;
}

/* grammar: assign: (targets '=')+ exprs */
static gx_node *parse_assign(gx_parser *p, gx_node *first, uint32_t start) {
    size_t mark = p->pile.count;
    gx_span at = gx_parser_token_span(p);
    gx_node *value = first;
    while (p->tok->kind == GX_TOKEN_EQUAL) {
        if (!gx_parser_check_target(p, value, GX_TARGET_ASSIGN)) goto fail;
        if (!gx_parser_push(p, value)) goto fail;
        gx_parser_advance(p);
        value = gx_parse_exprs(p);
        if (!value) goto fail;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_ASSIGN, start);
    if (!n || !gx_parser_list(p, n, mark)) goto fail;
    n->a = value;
    n->op_at = at;
    return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* grammar: augassign: target ('+=' | '-=' | …) exprs */
static gx_node *parse_augassign(gx_parser *p, gx_node *target, uint32_t start) {
    gx_span at = gx_parser_token_span(p);
    int op = p->tok->kind - GX_TOKEN_PLUS_EQUAL;
    if (!gx_parser_check_target(p, target, GX_TARGET_AUGMENT)) return NULL;
    gx_parser_advance(p);
    gx_node *value = gx_parse_exprs(p);
    gx_node *n = value ? gx_parser_node(p, GX_NODE_AUGASSIGN, start) : NULL;
    if (!n) return NULL;
    n->op = (uint8_t)op;
    n->a = target;
    n->b = value;
    n->op_at = at;
    return n;
}

/* grammar: annotated: target ':' expr ['=' exprs] */
static gx_node *parse_annotated(gx_parser *p, gx_node *target, uint32_t start) {
    size_t mark = p->pile.count;
    if (target->kind != GX_NODE_NAME && target->kind != GX_NODE_ATTR &&
        target->kind != GX_NODE_INDEX)
        return gx_parser_syntax(p, target->at,
                                target->kind == GX_NODE_TUPLE
                                    ? "only single target (not tuple) can be annotated"
                                : target->kind == GX_NODE_LIST
                                    ? "only single target (not list) can be annotated"
                                    : "only a name, attribute or subscript can be annotated");
    gx_parser_advance(p);
    uint32_t from = p->tok->start;
    gx_node *text = gx_parse_expr(p) ? gx_parser_annotation(p, from) : NULL;
    if (!text) return NULL;
    if (p->tok->kind == GX_TOKEN_EQUAL) {
        gx_node *assign = parse_assign(p, target, start);
        if (assign && target->kind == GX_NODE_NAME) assign->b = text;
        return assign;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_PASS, start);
    if (!n || target->kind != GX_NODE_NAME) return n;
    n->op = 3;
    n->b = text;
    if (!gx_parser_push(p, target) || !gx_parser_list(p, n, mark)) return NULL;
    return n;
}

/* grammar: expression_statement: exprs | assign | augassign | annotated */
static gx_node *parse_expression_statement(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *first = gx_parse_exprs(p);
    if (!first) return NULL;
    if (first->kind == GX_NODE_WALRUS && p->text[start] != '(')
        return gx_parser_error(p, GX_SyntaxError, first->at, "write '=' instead of ':='",
                               "':=' as a statement of its own needs parentheses around it");
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    if (kind == GX_TOKEN_EQUAL) return parse_assign(p, first, start);
    if (kind >= GX_TOKEN_PLUS_EQUAL && kind <= GX_TOKEN_PIPE_EQUAL)
        return parse_augassign(p, first, start);
    /* `foo():` or `else x:` come from a keyword misspelt, not from an annotation. */
    if (kind == GX_TOKEN_COLON && gx_parser_peek(p, 1) != GX_TOKEN_NEWLINE)
        return parse_annotated(p, first, start);
    return expression_statement(p, first, start);
}

/* grammar: return: 'return' [exprs] */
static gx_node *parse_return(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (!p->functions && !p->salvaging) return gx_parser_syntax(p, at, "'return' outside function");
    if (p->stars) return gx_parser_syntax(p, at, GX_NOT_IN_STAR);
    gx_node *value = NULL;
    if (!ends_statement(p) && !(value = gx_parse_exprs(p))) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_RETURN, at.start);
    if (n) n->a = value;
    return n;
}

/* grammar: break: 'break'   grammar: continue: 'continue' */
static gx_node *parse_jump(gx_parser *p, gx_kind kind) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (!p->loops && p->stars) return gx_parser_syntax(p, at, GX_NOT_IN_STAR);
    if (!p->loops && !p->salvaging)
        return gx_parser_syntax(p, at,
                                kind == GX_NODE_BREAK ? "'break' outside loop"
                                                      : "'continue' not properly in loop");
    return gx_parser_node(p, kind, at.start);
}

/* grammar: raise: 'raise' [expr ['from' expr]] */
static gx_node *parse_raise(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *a = NULL, *b = NULL;
    gx_parser_advance(p);
    if (!ends_statement(p)) {
        if (!(a = gx_parse_expr(p))) return NULL;
        if (gx_parser_accept(p, GX_TOKEN_FROM) && !(b = gx_parse_expr(p))) return NULL;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_RAISE, start);
    if (!n) return NULL;
    n->a = a;
    n->b = b;
    return n;
}

/* grammar: assert: 'assert' expr [',' expr] */
static gx_node *parse_assert(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *b = NULL;
    gx_parser_advance(p);
    gx_node *a = gx_parse_expr(p);
    if (!a) return NULL;
    if (gx_parser_accept(p, GX_TOKEN_COMMA) && !(b = gx_parse_expr(p))) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_ASSERT, start);
    if (!n) return NULL;
    n->a = a;
    n->b = b;
    return n;
}

/* Pushes the targets inside tuples and lists one by one: deleting them needs no structure. */
static bool push_deleted(gx_parser *p, gx_node *target) {
    if (target->kind != GX_NODE_TUPLE && target->kind != GX_NODE_LIST)
        return gx_parser_push(p, target);
    if (!gx_parser_enter(p)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < target->n; i++) ok = push_deleted(p, target->list[i]);
    gx_parser_leave(p);
    return ok;
}

/* grammar: del: 'del' targets */
static gx_node *parse_del(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    gx_node *targets = gx_parse_targets(p);
    if (!targets || !gx_parser_check_target(p, targets, GX_TARGET_DELETE)) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_DEL, start);
    if (n && push_deleted(p, targets) && gx_parser_list(p, n, mark)) return n;
    p->pile.count = mark;
    return NULL;
}

/* grammar: global: 'global' NAME (',' NAME)*
   grammar: nonlocal: 'nonlocal' NAME (',' NAME)* */
static gx_node *parse_declaration(gx_parser *p, uint8_t op) {
    gx_span at = gx_parser_token_span(p);
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    if (op == 2 && !p->functions && !p->enclosing && !p->salvaging)
        return gx_parser_syntax(p, at, "nonlocal declaration not allowed at module level");
    do {
        gx_node *name =
            gx_parser_name(p, op == 1 ? "a name after 'global'" : "a name after 'nonlocal'");
        if (!name || !gx_parser_push(p, name)) goto fail;
    } while (gx_parser_accept(p, GX_TOKEN_COMMA));
    gx_node *n = gx_parser_node(p, GX_NODE_PASS, at.start);
    if (!n || !gx_parser_list(p, n, mark)) goto fail;
    n->op = op;
    return n;
fail:
    p->pile.count = mark;
    return NULL;
}

static gx_node *parse_simple(gx_parser *p) {
    switch ((int)p->tok->kind) {
    case GX_TOKEN_RETURN:
        return parse_return(p);
    case GX_TOKEN_BREAK:
        return parse_jump(p, GX_NODE_BREAK);
    case GX_TOKEN_CONTINUE:
        return parse_jump(p, GX_NODE_CONTINUE);
    case GX_TOKEN_RAISE:
        return parse_raise(p);
    case GX_TOKEN_ASSERT:
        return parse_assert(p);
    case GX_TOKEN_DEL:
        return parse_del(p);
    case GX_TOKEN_IMPORT:
        return gx_parse_import(p);
    case GX_TOKEN_FROM:
        return gx_parse_from(p);
    case GX_TOKEN_GLOBAL:
        return parse_declaration(p, 1);
    case GX_TOKEN_NONLOCAL:
        return parse_declaration(p, 2);
    case GX_TOKEN_PASS: {
        uint32_t start = p->tok->start;
        gx_parser_advance(p);
        return gx_parser_node(p, GX_NODE_PASS, start);
    }
    default:
        return gx_parser_starts_type(p) ? gx_parse_type(p) : parse_expression_statement(p);
    }
}

/* grammar: simple_line: simple (';' simple)* [';'] NEWLINE */
bool gx_parse_simple_line(gx_parser *p) {
    for (;;) {
        if (gx_parser_starts_compound((gx_token_kind)p->tok->kind))
            return gx_parser_unexpected(p, "expected a simple statement on this line") != NULL;
        p->yield_ok = true;
        p->calls = 0;
        gx_node *n = parse_simple(p);
        p->yield_ok = false;
        if (!n || !gx_parser_flush_yields(p)) return false;
        /* A yield that is all of its statement needs nothing behind it. */
        bool whole = n->kind == GX_NODE_EXPRSTMT && n->a->kind == GX_NODE_YIELD;
        if (!whole && !gx_parser_push(p, n)) return false;
        if (!ends_statement(p)) return gx_parser_no_end(p, n) != NULL;
        if (gx_parser_accept(p, GX_TOKEN_SEMICOLON) && !ends_statement(p)) continue;
        if (p->tok->kind == GX_TOKEN_SEMICOLON)
            return gx_parser_unexpected(p, "expected a statement") != NULL;
        gx_parser_accept(p, GX_TOKEN_NEWLINE);
        return true;
    }
}
