/* Expressions by precedence climbing: lambda and conditional, then the binary operators from one
   table, prefix operators, power. Chains of one strength are loops, so that a long sum needs no
   deep C stack; every recursion counts its depth. Atoms are in atom.c. */
#include "parser/parser_int.h"

#include <string.h>

typedef struct binary_rule {
    uint8_t precedence; /* 0: no binary operator */
    uint8_t op;
} binary_rule;

static const binary_rule rules[GX_TOKEN_KINDS] = {
    [GX_TOKEN_OR] = {GX_PREC_OR, 0},
    [GX_TOKEN_AND] = {GX_PREC_AND, 0},
    [GX_TOKEN_LT] = {GX_PREC_COMPARE, GX_LT},
    [GX_TOKEN_GT] = {GX_PREC_COMPARE, GX_GT},
    [GX_TOKEN_LE] = {GX_PREC_COMPARE, GX_LE},
    [GX_TOKEN_GE] = {GX_PREC_COMPARE, GX_GE},
    [GX_TOKEN_EQ] = {GX_PREC_COMPARE, GX_EQ},
    [GX_TOKEN_NE] = {GX_PREC_COMPARE, GX_NE},
    [GX_TOKEN_IS] = {GX_PREC_COMPARE, GX_IS},
    [GX_TOKEN_IN] = {GX_PREC_COMPARE, GX_IN},
    [GX_TOKEN_NOT] = {GX_PREC_COMPARE, GX_NOT_IN},
    [GX_TOKEN_PIPE] = {GX_PREC_BITOR, GX_BITOR},
    [GX_TOKEN_CARET] = {GX_PREC_BITXOR, GX_BITXOR},
    [GX_TOKEN_AMP] = {GX_PREC_BITAND, GX_BITAND},
    [GX_TOKEN_LSHIFT] = {GX_PREC_SHIFT, GX_LSHIFT},
    [GX_TOKEN_RSHIFT] = {GX_PREC_SHIFT, GX_RSHIFT},
    [GX_TOKEN_PLUS] = {GX_PREC_ADD, GX_ADD},
    [GX_TOKEN_MINUS] = {GX_PREC_ADD, GX_SUB},
    [GX_TOKEN_STAR] = {GX_PREC_MUL, GX_MUL},
    [GX_TOKEN_SLASH] = {GX_PREC_MUL, GX_DIV},
    [GX_TOKEN_SLASHSLASH] = {GX_PREC_MUL, GX_FLOORDIV},
    [GX_TOKEN_PERCENT] = {GX_PREC_MUL, GX_MOD},
    [GX_TOKEN_AT] = {GX_PREC_MUL, GX_MATMUL},
};

bool gx_parser_starts_expr(gx_token_kind kind) {
    return kind == GX_TOKEN_NAME || kind == GX_TOKEN_INT || kind == GX_TOKEN_FLOAT ||
           kind == GX_TOKEN_IMAG || kind == GX_TOKEN_STRING || kind == GX_TOKEN_FSTRING_START ||
           kind == GX_TOKEN_NONE || kind == GX_TOKEN_TRUE || kind == GX_TOKEN_FALSE ||
           kind == GX_TOKEN_ELLIPSIS || kind == GX_TOKEN_LPAREN || kind == GX_TOKEN_LBRACKET ||
           kind == GX_TOKEN_LBRACE || kind == GX_TOKEN_MINUS || kind == GX_TOKEN_PLUS ||
           kind == GX_TOKEN_TILDE || kind == GX_TOKEN_NOT || kind == GX_TOKEN_LAMBDA;
}

/* grammar: power: atom trailer* ['**' unary] */
static gx_node *parse_power(gx_parser *p);

/* grammar: unary: ('-' | '+' | '~') unary | power */
static gx_node *parse_unary(gx_parser *p) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    gx_span sign = gx_parser_token_span(p);
    if (kind != GX_TOKEN_MINUS && kind != GX_TOKEN_PLUS && kind != GX_TOKEN_TILDE)
        return parse_power(p);
    if (!gx_parser_enter(p)) return NULL;
    gx_parser_advance(p);
    gx_node *a = parse_unary(p);
    gx_parser_leave(p);
    gx_node *n = a ? gx_parser_node(p, GX_NODE_UNARY, sign.start) : NULL;
    if (!n) return NULL;
    n->op = kind == GX_TOKEN_MINUS ? GX_NEG : kind == GX_TOKEN_PLUS ? GX_POS : GX_INVERT;
    n->a = a;
    n->op_at = sign;
    return n;
}

static gx_node *parse_power(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *a = gx_parse_atom(p);
    if (a) a = gx_parse_trailers(p, a, start);
    if (!a || p->tok->kind != GX_TOKEN_STARSTAR) return a;
    gx_span at = gx_parser_token_span(p);
    if (!gx_parser_enter(p)) return NULL;
    gx_parser_advance(p);
    gx_node *b = parse_unary(p);
    gx_parser_leave(p);
    gx_node *n = b ? gx_parser_node(p, GX_NODE_BINARY, start) : NULL;
    if (!n) return NULL;
    n->op = GX_POW;
    n->a = a;
    n->b = b;
    n->op_at = at;
    return n;
}

/* Takes a comparison operator, of two words perhaps: not in, is not. */
static bool take_comparison(gx_parser *p, uint8_t *op, gx_span *at) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    *op = rules[kind].op;
    *at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (kind == GX_TOKEN_NOT) {
        if (!gx_parser_expect(p, GX_TOKEN_IN, "after 'not'")) return false;
        at->end = p->last_end;
    } else if (kind == GX_TOKEN_IS && gx_parser_accept(p, GX_TOKEN_NOT)) {
        *op = GX_IS_NOT;
        at->end = p->last_end;
    }
    return true;
}

/* The rest of a chain a < b < c, from its second operator. */
static gx_node *parse_chain(gx_parser *p, gx_node *first, uint32_t start) {
    size_t mark = p->pile.count;
    gx_buf ops = gx_buf_new(p->rt);
    gx_node *n = NULL, *chain = NULL;
    if (!gx_buf_char(&ops, (char)first->op)) goto memory;
    if (!gx_parser_push(p, first->a) || !gx_parser_push(p, first->b)) goto done;
    while (rules[p->tok->kind].precedence == GX_PREC_COMPARE) {
        uint8_t op;
        gx_span at;
        if (!take_comparison(p, &op, &at)) goto done;
        gx_node *operand = gx_parse_binary(p, GX_PREC_BITOR);
        if (!operand || !gx_parser_push(p, operand)) goto done;
        if (!gx_buf_char(&ops, (char)op)) goto memory;
    }
    chain = gx_parser_node(p, GX_NODE_CHAIN, start);
    if (!chain || !gx_parser_list(p, chain, mark)) goto done;
    chain->op_at = first->op_at;
    chain->ops = gx_arena_alloc(&p->unit->arena, ops.length);
    if (!chain->ops) goto memory;
    memcpy(chain->ops, ops.data, ops.length);
    n = chain;
    goto done;
memory:
    gx_parser_no_memory(p);
done:
    p->pile.count = mark;
    gx_buf_free(&ops);
    return n;
}

/* grammar: not: 'not' not | comparison */
static gx_node *parse_not(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    if (!gx_parser_enter(p)) return NULL;
    gx_parser_advance(p);
    gx_node *a = gx_parse_binary(p, GX_PREC_NOT);
    gx_parser_leave(p);
    gx_node *n = a ? gx_parser_node(p, GX_NODE_NOT, at.start) : NULL;
    if (!n) return NULL;
    n->a = a;
    n->op_at = at;
    return n;
}

static gx_kind kind_of(binary_rule rule) {
    if (rule.precedence == GX_PREC_OR) return GX_NODE_OR;
    if (rule.precedence == GX_PREC_AND) return GX_NODE_AND;
    return rule.precedence == GX_PREC_COMPARE ? GX_NODE_COMPARE : GX_NODE_BINARY;
}

/* grammar: or: and ('or' and)*
   grammar: and: not ('and' not)*
   grammar: comparison: bitor (('<' | '>' | '<=' | '>=' | '==' | '!=' | ['not'] 'in' | 'is' ['not'])
   bitor)*
   grammar: bitor: bitxor ('|' bitxor)*
   grammar: bitxor: bitand ('^' bitand)*
   grammar: bitand: shift ('&' shift)*
   grammar: shift: sum (('<<' | '>>') sum)*
   grammar: sum: term (('+' | '-') term)*
   grammar: term: unary (('*' | '/' | '//' | '%' | '@') unary)* */
gx_node *gx_parse_binary(gx_parser *p, gx_precedence least) {
    uint32_t start = p->tok->start;
    gx_node *left;
    if (p->tok->kind == GX_TOKEN_NOT && least <= GX_PREC_NOT)
        left = parse_not(p);
    else
        left = parse_unary(p);
    while (left) {
        binary_rule rule = rules[p->tok->kind];
        if (rule.precedence == 0 || rule.precedence < (int)least) break;
        gx_span at;
        if (rule.precedence == GX_PREC_COMPARE) {
            if (!take_comparison(p, &rule.op, &at)) return NULL;
        } else {
            at = gx_parser_token_span(p);
            gx_parser_advance(p);
        }
        bool maybe = rule.precedence <= GX_PREC_AND; /* is evaluated only sometimes */
        p->no_yield += maybe;
        gx_node *right = gx_parse_binary(p, (gx_precedence)(rule.precedence + 1));
        p->no_yield -= maybe;
        gx_node *n = right ? gx_parser_node(p, kind_of(rule), start) : NULL;
        if (!n) return NULL;
        n->op = rule.op;
        n->a = left;
        n->b = right;
        n->op_at = at;
        left = n;
        if (n->kind == GX_NODE_COMPARE && rules[p->tok->kind].precedence == GX_PREC_COMPARE)
            left = parse_chain(p, n, start);
    }
    return left;
}

/* `b if a else c`, with b parsed and `if` the current token. */
static gx_node *parse_conditional(gx_parser *p, gx_node *then, uint32_t start) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    gx_node *condition = gx_parse_binary(p, GX_PREC_OR);
    if (!condition) return NULL;
    if (p->tok->kind != GX_TOKEN_ELSE)
        return gx_parser_unexpected(p, "expected 'else' after the condition of 'if'");
    gx_parser_advance(p);
    p->no_yield++;
    gx_node *other = gx_parse_expr(p);
    p->no_yield--;
    gx_node *n = other ? gx_parser_node(p, GX_NODE_IFEXP, start) : NULL;
    if (!n) return NULL;
    n->a = condition;
    n->b = then;
    n->c = other;
    n->op_at = at;
    return n;
}

/* `name := value`, with the name parsed and ':=' the current token. */
static gx_node *parse_walrus(gx_parser *p, gx_node *name, uint32_t start) {
    gx_span at = gx_parser_token_span(p);
    if (name->kind != GX_NODE_NAME || p->tok[-1].start != name->at.start)
        return gx_parser_syntax(p, name->at, "only a name can stand before ':='");
    gx_parser_advance(p);
    gx_node *value = gx_parse_expr(p);
    gx_node *n = value ? gx_parser_node(p, GX_NODE_WALRUS, start) : NULL;
    if (!n) return NULL;
    n->a = name;
    n->b = value;
    n->op_at = at;
    return n;
}

/* grammar: expr: lambda | NAME ':=' expr | or ['if' or 'else' expr] */
gx_node *gx_parse_expr(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t yields = p->suspended.count;
    if (!gx_parser_enter(p)) return NULL;
    gx_node *n;
    if (p->tok->kind == GX_TOKEN_LAMBDA) {
        p->no_yield++;
        n = gx_parse_lambda(p);
        p->no_yield--;
    } else {
        n = gx_parse_binary(p, GX_PREC_OR);
        if (n && p->tok->kind == GX_TOKEN_WALRUS) {
            n = parse_walrus(p, n, start);
        } else if (n && p->tok->kind == GX_TOKEN_IF) {
            bool maybe = p->suspended.count > yields;
            if (maybe && gx_parser_conditional_yield(p, n) == NULL) n = NULL;
            if (n) n = parse_conditional(p, n, start);
        }
    }
    gx_parser_leave(p);
    return n;
}

/* grammar: item: '*' bitor | expr */
gx_node *gx_parse_item(gx_parser *p) {
    if (p->tok->kind != GX_TOKEN_STAR) return gx_parse_expr(p);
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    gx_node *a = gx_parse_binary(p, GX_PREC_BITOR);
    gx_node *n = a ? gx_parser_node(p, GX_NODE_STARRED, at.start) : NULL;
    if (!n) return NULL;
    n->a = a;
    n->op_at = at;
    return n;
}

/* grammar: exprs: item (',' item)* [','] */
gx_node *gx_parse_exprs(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    if (p->tok->kind == GX_TOKEN_YIELD) return gx_parse_yield(p);
    gx_node *first = gx_parse_item(p);
    if (!first) return NULL;
    if (p->tok->kind != GX_TOKEN_COMMA) {
        if (first->kind != GX_NODE_STARRED) return first;
        return gx_parser_syntax(p, first->at,
                                p->tok->kind == GX_TOKEN_EQUAL
                                    ? "starred assignment target must be in a list or tuple"
                                    : "cannot use a starred expression here");
    }
    if (!gx_parser_push(p, first)) return NULL;
    while (gx_parser_accept(p, GX_TOKEN_COMMA)) {
        if (!gx_parser_starts_expr((gx_token_kind)p->tok->kind) && p->tok->kind != GX_TOKEN_STAR)
            break;
        gx_node *item = gx_parse_item(p);
        if (!item || !gx_parser_push(p, item)) {
            p->pile.count = mark;
            return NULL;
        }
    }
    gx_node *n = gx_parser_node(p, GX_NODE_TUPLE, start);
    if (!n || !gx_parser_list(p, n, mark)) {
        p->pile.count = mark;
        return NULL;
    }
    return n;
}
