/* What brackets make: tuples, lists, sets, dicts, and the comprehensions in them. */
#include "parser/parser_int.h"

/* grammar: for_clause: 'for' targets 'in' or ('if' or)* */
static gx_node *parse_clause(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    gx_node *target = gx_parse_targets(p);
    if (!target || !gx_parser_check_target(p, target, GX_TARGET_ASSIGN)) return NULL;
    if (!gx_parser_expect(p, GX_TOKEN_IN, "after the target of 'for'")) return NULL;
    gx_node *source = gx_parse_binary(p, GX_PREC_OR);
    if (!source) return NULL;
    size_t mark = p->pile.count;
    while (gx_parser_accept(p, GX_TOKEN_IF)) {
        gx_node *condition = gx_parse_binary(p, GX_PREC_OR);
        if (!condition || !gx_parser_push(p, condition)) goto fail;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_COMPFOR, start);
    if (!n || !gx_parser_list(p, n, mark)) goto fail;
    n->a = target;
    n->b = source;
    return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* The clauses of a comprehension into n->list. */
static bool parse_clauses(gx_parser *p, gx_node *n) {
    size_t mark = p->pile.count;
    while (p->tok->kind == GX_TOKEN_FOR) {
        gx_node *clause = parse_clause(p);
        if (!clause || !gx_parser_push(p, clause)) {
            p->pile.count = mark;
            return false;
        }
    }
    if (p->tok->kind == GX_TOKEN_ASYNC) {
        p->pile.count = mark;
        return gx_parser_no_operand(p) != NULL;
    }
    return gx_parser_list(p, n, mark);
}

static bool starts_clause(const gx_parser *p) {
    return p->tok->kind == GX_TOKEN_FOR || p->tok->kind == GX_TOKEN_ASYNC;
}

static bool not_unpacked(gx_parser *p, const gx_node *element) {
    if (element->kind != GX_NODE_STARRED) return true;
    return gx_parser_syntax(p, element->at, "iterable unpacking cannot be used in comprehension") !=
           NULL;
}

/* A yield in the element of a comprehension that began at `start`: recorded as an error. */
static bool has_yield(gx_parser *p, uint32_t start) {
    for (size_t i = 0; i < p->suspended.count; i++)
        if (p->suspended.items[i]->at.start >= start)
            return gx_parser_conditional_yield(p, p->suspended.items[i]) == NULL;
    return false;
}

/* A list, set or dict comprehension, after its element and up to the closing bracket. */
static gx_node *parse_comprehension(gx_parser *p, gx_kind kind, gx_node *a, gx_node *b,
                                    uint32_t start, gx_token_kind closer) {
    if (!not_unpacked(p, a) || has_yield(p, start)) return NULL;
    gx_node *n = gx_parser_node(p, kind, start);
    if (!n || !parse_clauses(p, n)) return NULL;
    n->a = a;
    n->b = b;
    if (p->tok->kind != closer) return gx_parser_no_closer(p, closer);
    gx_parser_advance(p);
    n->at.end = p->last_end;
    return n;
}

/* A generator expression after its element, up to the closing parenthesis, which stays. It is a
   function whose only parameter is the outermost iterable. */
gx_node *gx_parse_genexp(gx_parser *p, gx_node *element, uint32_t start) {
    if (!not_unpacked(p, element) || has_yield(p, start)) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_GENEXP, start);
    if (!n || !parse_clauses(p, n)) return NULL;
    gx_function *f = gx_parser_function(p, "<genexpr>", start);
    if (!f) return NULL;
    gx_node *first = n->list[0], *parameter = gx_parser_node(p, GX_NODE_NAME, start);
    f->params = gx_arena_alloc(&p->unit->arena, sizeof *f->params);
    gx_sym name = gx_sym_c(p->rt, ".0");
    if (!parameter || !f->params || !name) return gx_parser_no_memory(p);
    parameter->name = name;
    parameter->at = first->b->at;
    f->params[0] = (gx_param){.name = name, .kind = GX_PARAM_POSONLY, .at = first->b->at};
    f->param_count = 1;
    f->body = n;
    f->is_generator = true;
    n->a = first->b;
    first->b = parameter;
    n->b = element;
    n->function = f;
    n->at.end = f->at.end = p->last_end;
    return n;
}

/* The items after the first (already pushed at mark), and the closer. */
static gx_node *parse_items(gx_parser *p, gx_kind kind, uint32_t start, size_t mark,
                            gx_token_kind closer) {
    while (p->tok->kind != closer) {
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, closer);
            goto fail;
        }
        gx_parser_advance(p);
        if (p->tok->kind == closer) break;
        gx_node *item = gx_parse_item(p);
        if (!item || !gx_parser_push(p, item)) goto fail;
    }
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, kind, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* grammar: paren: '(' yield ')' */
static gx_node *parse_yield(gx_parser *p, uint32_t start) {
    gx_parser_advance(p);
    gx_node *n = gx_parse_yield(p);
    if (!n) return NULL;
    if (p->tok->kind != GX_TOKEN_RPAREN) return gx_parser_no_closer(p, GX_TOKEN_RPAREN);
    gx_parser_advance(p);
    n->at = gx_parser_span(p, start, p->last_end);
    return n;
}

/* grammar: paren: '(' ')' | '(' expr ')' | '(' expr for_clause+ ')' | '(' item (',' item)* [',']
 * ')' */
gx_node *gx_parse_paren(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    if (gx_parser_peek(p, 1) == GX_TOKEN_YIELD) return parse_yield(p, start);
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_RPAREN)
        return parse_items(p, GX_NODE_TUPLE, start, mark, GX_TOKEN_RPAREN);
    gx_node *first = gx_parse_item(p);
    if (!first) return NULL;
    if (starts_clause(p)) {
        gx_node *n = gx_parse_genexp(p, first, start);
        if (!n) return NULL;
        if (p->tok->kind != GX_TOKEN_RPAREN) return gx_parser_no_closer(p, GX_TOKEN_RPAREN);
        gx_parser_advance(p);
        n->at.end = n->function->at.end = p->last_end;
        return n;
    }
    if (p->tok->kind == GX_TOKEN_COMMA) {
        if (!gx_parser_push(p, first)) return NULL;
        return parse_items(p, GX_NODE_TUPLE, start, mark, GX_TOKEN_RPAREN);
    }
    if (p->tok->kind != GX_TOKEN_RPAREN) return gx_parser_no_closer(p, GX_TOKEN_RPAREN);
    gx_parser_advance(p);
    if (first->kind == GX_NODE_STARRED)
        return gx_parser_syntax(p, first->at, "cannot use a starred expression here");
    return first;
}

/* grammar: bracket: '[' ']' | '[' expr for_clause+ ']' | '[' item (',' item)* [','] ']' */
gx_node *gx_parse_bracket(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_RBRACKET)
        return parse_items(p, GX_NODE_LIST, start, mark, GX_TOKEN_RBRACKET);
    gx_node *first = gx_parse_item(p);
    if (!first) return NULL;
    if (starts_clause(p))
        return parse_comprehension(p, GX_NODE_LISTCOMP, first, NULL, start, GX_TOKEN_RBRACKET);
    if (!gx_parser_push(p, first)) return NULL;
    return parse_items(p, GX_NODE_LIST, start, mark, GX_TOKEN_RBRACKET);
}

/* `key: value` or `**mapping` (a NULL key), pushed as two. */
static bool parse_pair(gx_parser *p) {
    gx_node *key = NULL, *value;
    if (gx_parser_accept(p, GX_TOKEN_STARSTAR)) {
        value = gx_parse_binary(p, GX_PREC_BITOR);
    } else {
        key = gx_parse_expr(p);
        if (!key) return false;
        if (!gx_parser_expect(p, GX_TOKEN_COLON, "after the key of a dict")) return false;
        value = gx_parse_expr(p);
    }
    return value && gx_parser_push(p, key) && gx_parser_push(p, value);
}

/* The pairs of a dict from the current one; what is on the pile from mark on came before. */
static gx_node *parse_pairs(gx_parser *p, uint32_t start, size_t mark) {
    while (p->tok->kind != GX_TOKEN_RBRACE) {
        if (!parse_pair(p)) goto fail;
        if (starts_clause(p) && p->pile.count == mark + 2) {
            gx_node *key = p->pile.items[mark], *value = p->pile.items[mark + 1];
            p->pile.count = mark;
            if (!key)
                return gx_parser_syntax(p, value->at,
                                        "dict unpacking cannot be used in dict comprehension");
            return parse_comprehension(p, GX_NODE_DICTCOMP, key, value, start, GX_TOKEN_RBRACE);
        }
        if (p->tok->kind == GX_TOKEN_RBRACE) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RBRACE);
            goto fail;
        }
        gx_parser_advance(p);
    }
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, GX_NODE_DICT, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* A set from its first element, which is parsed. */
static gx_node *parse_set(gx_parser *p, gx_node *first, uint32_t start) {
    size_t mark = p->pile.count;
    if (starts_clause(p))
        return parse_comprehension(p, GX_NODE_SETCOMP, first, NULL, start, GX_TOKEN_RBRACE);
    if (!gx_parser_push(p, first)) return NULL;
    return parse_items(p, GX_NODE_SET, start, mark, GX_TOKEN_RBRACE);
}

/* grammar: brace: '{' '}' | '{' pair (',' pair)* [','] '}' | '{' expr ':' expr for_clause+ '}' |
   '{' item (',' item)* [','] '}' | '{' expr for_clause+ '}'
   grammar: pair: expr ':' expr | '**' bitor */
gx_node *gx_parse_brace(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_RBRACE || p->tok->kind == GX_TOKEN_STARSTAR)
        return parse_pairs(p, start, mark);
    gx_node *first = gx_parse_item(p);
    if (!first) return NULL;
    if (p->tok->kind != GX_TOKEN_COLON || first->kind == GX_NODE_STARRED)
        return parse_set(p, first, start);
    gx_parser_advance(p);
    gx_node *value = gx_parse_expr(p);
    if (!value) return NULL;
    if (starts_clause(p))
        return parse_comprehension(p, GX_NODE_DICTCOMP, first, value, start, GX_TOKEN_RBRACE);
    if (!gx_parser_push(p, first) || !gx_parser_push(p, value)) {
        p->pile.count = mark;
        return NULL;
    }
    if (p->tok->kind != GX_TOKEN_RBRACE) {
        if (p->tok->kind != GX_TOKEN_COMMA) {
            p->pile.count = mark;
            return gx_parser_no_closer(p, GX_TOKEN_RBRACE);
        }
        gx_parser_advance(p);
    }
    return parse_pairs(p, start, mark);
}
