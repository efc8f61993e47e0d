/* try and with: the statements that guard others. */
#include "parser/parser_int.h"

/* The block of a clause; one of except* cannot be left by a jump. */
static gx_node *parse_handler_block(gx_parser *p, bool star, uint32_t start) {
    int loops = p->loops;
    if (star) p->loops = 0;
    p->stars += star;
    gx_node *body = gx_parse_block(p, "'except' statement", start);
    p->stars -= star;
    p->loops = loops;
    return body;
}

/* grammar: except: 'except' [expr ['as' NAME]] block | 'except' '*' expr ['as' NAME] block */
static gx_node *parse_except(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    gx_node *type = NULL, *name = NULL;
    gx_parser_advance(p);
    bool star = gx_parser_accept(p, GX_TOKEN_STAR);
    if (star && p->tok->kind == GX_TOKEN_COLON)
        return gx_parser_unexpected(p, "expected one or more exception types");
    if (p->tok->kind != GX_TOKEN_COLON) {
        if (!(type = gx_parse_expr(p))) return NULL;
        if (p->tok->kind == GX_TOKEN_COMMA)
            return gx_parser_error(
                p, GX_SyntaxError, gx_parser_span(p, type->at.start, p->tok->end),
                "write except (A, B):", "multiple exception types must be parenthesized");
        if (gx_parser_accept(p, GX_TOKEN_AS) && !(name = gx_parser_name(p, "a name after 'as'")))
            return NULL;
    }
    gx_node *body = parse_handler_block(p, star, at.start);
    gx_node *n = body ? gx_parser_node(p, GX_NODE_EXCEPT, at.start) : NULL;
    if (!n) return NULL;
    n->a = type;
    n->b = name;
    n->c = body;
    n->op = star;
    n->op_at = at;
    return n;
}

/* The except clauses, pushed. */
static bool parse_handlers(gx_parser *p) {
    gx_node *bare = NULL, *first = NULL;
    size_t mark = p->pile.count;
    while (p->tok->kind == GX_TOKEN_EXCEPT) {
        if (bare) return gx_parser_syntax(p, bare->op_at, "default 'except:' must be last") != NULL;
        gx_node *handler = parse_except(p);
        if (!handler || !gx_parser_push(p, handler)) return false;
        if (!handler->a) bare = handler;
        if (!first) first = handler;
        if (handler->op != first->op)
            return gx_parser_syntax(p, handler->op_at,
                                    "cannot have both 'except' and 'except*' on the same 'try'");
    }
    return !first || !first->op || gx_parser_unstar(p, mark);
}

/* grammar: try: 'try' block except+ [else] ['finally' block] | 'try' block 'finally' block */
gx_node *gx_parse_try(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_node *other = NULL, *last = NULL;
    gx_parser_advance(p);
    gx_node *body = gx_parse_block(p, "'try' statement", start);
    if (!body) return NULL;
    if (p->tok->kind != GX_TOKEN_EXCEPT && p->tok->kind != GX_TOKEN_FINALLY)
        return gx_parser_unexpected(p, "expected 'except' or 'finally' after the 'try' block");
    if (!parse_handlers(p)) goto fail;
    uint32_t clause = p->tok->start;
    if (p->pile.count > mark && gx_parser_accept(p, GX_TOKEN_ELSE) &&
        !(other = gx_parse_block(p, "'else' statement", clause)))
        goto fail;
    clause = p->tok->start;
    if (gx_parser_accept(p, GX_TOKEN_FINALLY) &&
        !(last = gx_parse_block(p, "'finally' statement", clause)))
        goto fail;
    gx_node *n = gx_parser_node(p, GX_NODE_TRY, start);
    if (!n || !gx_parser_list(p, n, mark)) goto fail;
    n->a = body;
    n->b = other;
    n->c = last;
    return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* Whether the parenthesis that opens here holds the items of a with: an `as` right inside it, and
   ':' after it. */
static bool items_in_parentheses(const gx_parser *p) {
    int depth = 0;
    bool as = false;
    for (const gx_token *t = p->tok;; t++) {
        switch ((int)t->kind) {
        case GX_TOKEN_LPAREN:
        case GX_TOKEN_LBRACKET:
        case GX_TOKEN_LBRACE:
            depth++;
            break;
        case GX_TOKEN_RPAREN:
        case GX_TOKEN_RBRACKET:
        case GX_TOKEN_RBRACE:
            if (--depth == 0) return as && t[1].kind == GX_TOKEN_COLON;
            break;
        case GX_TOKEN_AS:
            as = as || depth == 1;
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

/* grammar: with_item: expr ['as' target] */
static gx_node *parse_item(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *target = NULL;
    gx_node *a = gx_parse_expr(p);
    if (!a) return NULL;
    if (gx_parser_accept(p, GX_TOKEN_AS)) {
        target = gx_parse_binary(p, GX_PREC_BITOR);
        if (!target || !gx_parser_check_target(p, target, GX_TARGET_ASSIGN)) return NULL;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_WITHITEM, start);
    if (!n) return NULL;
    n->a = a;
    n->b = target;
    return n;
}

/* `with (a, b):` is two items, as if the parentheses were not there. */
static bool split_tuple(gx_parser *p, size_t mark) {
    gx_node *only = p->pile.items[mark], *tuple = only->a;
    if (p->pile.count != mark + 1 || only->b || tuple->kind != GX_NODE_TUPLE || !tuple->n)
        return true;
    for (int32_t i = 0; i < tuple->n; i++)
        if (tuple->list[i]->kind == GX_NODE_STARRED) return true;
    p->pile.count = mark;
    for (int32_t i = 0; i < tuple->n; i++) {
        gx_node *n = gx_parser_node(p, GX_NODE_WITHITEM, tuple->list[i]->at.start);
        if (!n || !gx_parser_push(p, n)) return false;
        n->a = tuple->list[i];
        n->at = n->a->at;
    }
    return true;
}

/* grammar: with: 'with' with_item (',' with_item)* block | 'with' '(' with_item (',' with_item)*
   [',']
   ')' block */
gx_node *gx_parse_with(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    bool grouped = p->tok->kind == GX_TOKEN_LPAREN && items_in_parentheses(p);
    if (grouped) gx_parser_advance(p);
    do {
        if (grouped && p->tok->kind == GX_TOKEN_RPAREN) break;
        gx_node *item = parse_item(p);
        if (!item || !gx_parser_push(p, item)) goto fail;
    } while (gx_parser_accept(p, GX_TOKEN_COMMA));
    if (grouped && !gx_parser_accept(p, GX_TOKEN_RPAREN)) {
        gx_parser_no_closer(p, GX_TOKEN_RPAREN);
        goto fail;
    }
    if (p->tok->kind == GX_TOKEN_COLON && !grouped && !split_tuple(p, mark)) goto fail;
    gx_node *body = gx_parse_block(p, "'with' statement", start);
    gx_node *n = body ? gx_parser_node(p, GX_NODE_WITH, start) : NULL;
    if (!n || !gx_parser_list(p, n, mark)) goto fail;
    n->a = body;
    return n;
fail:
    p->pile.count = mark;
    return NULL;
}
