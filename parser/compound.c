/* Compound statements: if, while, for, try, with, def. */
#include "parser/parser_int.h"

bool gx_parser_starts_compound(gx_token_kind kind) {
    return kind == GX_TOKEN_IF || kind == GX_TOKEN_WHILE || kind == GX_TOKEN_FOR ||
           kind == GX_TOKEN_TRY || kind == GX_TOKEN_WITH || kind == GX_TOKEN_DEF ||
           kind == GX_TOKEN_CLASS || kind == GX_TOKEN_AT;
}

/* grammar: else: 'else' block     *out stays NULL when there is none. */
static bool parse_else(gx_parser *p, gx_node **out) {
    uint32_t start = p->tok->start;
    if (!gx_parser_accept(p, GX_TOKEN_ELSE)) return true;
    *out = gx_parse_block(p, "'else' statement", start);
    return *out != NULL;
}

/* grammar: if: 'if' expr block ('elif' expr block)* [else]     A loop, not a recursion, however
   many elif there are. */
static gx_node *parse_if(gx_parser *p) {
    gx_node *root = NULL, *tail = NULL;
    do {
        uint32_t start = p->tok->start;
        const char *what = root ? "'elif' statement" : "'if' statement";
        gx_parser_advance(p);
        gx_node *condition = gx_parse_expr(p);
        gx_node *body = condition ? gx_parse_block(p, what, start) : NULL;
        gx_node *n = body ? gx_parser_node(p, GX_NODE_IF, start) : NULL;
        if (!n) return NULL;
        n->a = condition;
        n->b = body;
        if (tail)
            tail->c = n;
        else
            root = n;
        tail = n;
    } while (p->tok->kind == GX_TOKEN_ELIF);
    if (!parse_else(p, &tail->c)) return NULL;
    root->at.end = p->last_end;
    return root;
}

static gx_node *parse_loop_body(gx_parser *p, const char *what, uint32_t start) {
    p->loops++;
    gx_node *body = gx_parse_block(p, what, start);
    p->loops--;
    return body;
}

/* grammar: while: 'while' expr block [else] */
static gx_node *parse_while(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *other = NULL;
    gx_parser_advance(p);
    gx_node *condition = gx_parse_expr(p);
    gx_node *body = condition ? parse_loop_body(p, "'while' statement", start) : NULL;
    if (!body || !parse_else(p, &other)) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_WHILE, start);
    if (!n) return NULL;
    n->a = condition;
    n->b = body;
    n->c = other;
    return n;
}

/* grammar: for: 'for' targets 'in' exprs block [else] */
static gx_node *parse_for(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *other = NULL;
    gx_parser_advance(p);
    gx_node *target = gx_parse_targets(p);
    if (!target || !gx_parser_check_target(p, target, GX_TARGET_ASSIGN)) return NULL;
    if (!gx_parser_expect(p, GX_TOKEN_IN, "after the target of 'for'")) return NULL;
    gx_node *source = gx_parse_exprs(p);
    gx_node *body = source ? parse_loop_body(p, "'for' statement", start) : NULL;
    if (!body || !parse_else(p, &other)) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_FOR, start);
    if (!n) return NULL;
    size_t mark = p->pile.count;
    if (!gx_parser_push(p, source) || !gx_parser_list(p, n, mark)) return NULL;
    n->a = target;
    n->b = body;
    n->c = other;
    return n;
}

/* grammar: def: 'def' NAME [types] '(' params ')' ['->' expr] block */
gx_node *gx_parse_def(gx_parser *p) {
    uint32_t start = p->tok->start;
    int loops = p->loops, yields = p->yields, stars = p->stars;
    gx_parser_advance(p);
    gx_node *name = gx_parser_name(p, "the function's name after 'def'");
    if (!name) return NULL;
    gx_node *types;
    gx_function *f = gx_parser_function(p, gx_sym_text(p->rt, name->name), start);
    if (!f || !gx_parse_types(p, &types)) return NULL;
    if (!gx_parser_expect(p, GX_TOKEN_LPAREN, "after the function's name")) return NULL;
    if (!gx_parse_params(p, f, GX_TOKEN_RPAREN)) return NULL;
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_ARROW) {
        gx_parser_advance(p);
        uint32_t from = p->tok->start;
        gx_node *text = gx_parse_expr(p) ? gx_parser_annotation(p, from) : NULL;
        if (!text) return NULL;
        f->returns = text->text;
    }
    f->at = gx_parser_span(p, start, p->last_end);
    const char *prefix = p->prefix;
    if (!(p->prefix = gx_parser_joined(p, f->qualname, ".<locals>."))) return NULL;
    p->functions++;
    p->loops = p->yields = p->stars = 0;
    f->body = gx_parse_block(p, "function definition", start);
    f->is_generator = p->yields > 0;
    p->prefix = prefix;
    p->functions--;
    p->loops = loops;
    p->stars = stars;
    p->yields = yields;
    gx_node *n = f->body ? gx_parser_node(p, GX_NODE_DEF, start) : NULL;
    if (!n) return NULL;
    f->doc = gx_parser_doc(p, f->body);
    n->a = name;
    n->c = types;
    n->function = f;
    return n;
}

static gx_node *parse_compound(gx_parser *p) {
    switch ((int)p->tok->kind) {
    case GX_TOKEN_IF:
        return parse_if(p);
    case GX_TOKEN_WHILE:
        return parse_while(p);
    case GX_TOKEN_FOR:
        return parse_for(p);
    case GX_TOKEN_TRY:
        return gx_parse_try(p);
    case GX_TOKEN_WITH:
        return gx_parse_with(p);
    case GX_TOKEN_CLASS:
        return gx_parse_class(p);
    case GX_TOKEN_AT:
        return gx_parse_decorated(p);
    case GX_TOKEN_DEF:
        return gx_parse_def(p);
    default:
        return gx_parse_match(p);
    }
}

gx_node *gx_parse_compound(gx_parser *p) {
    int yields = p->yields;
    bool outer = p->yield_ok;
    p->yield_ok = false;
    gx_node *n = parse_compound(p);
    p->yield_ok = outer;
    if (n) n->scope = p->yields > yields;
    return n;
}
