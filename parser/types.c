/* Type parameters of class, def and type statements. [T: bound = default, *Ts, **P] becomes

       T = typing._type_param("T", KIND, lambda: bound, lambda: default)

   for each, None where there is none, in a scope that the statement has for itself; what a type
   statement names is typing.TypeAliasType("X", lambda: value, (T, …)). The lambdas make them lazy,
   as in Python: a bound may name what is defined later. */
#include "parser/parser_int.h"

#include <string.h>

typedef enum kind { OF_TYPE, OF_CHOICE, OF_MANY, OF_PARAMETERS } kind;

static gx_node *name_of(gx_parser *p, const gx_node *at, gx_sym name) {
    gx_node *n = name ? gx_parser_node(p, GX_NODE_NAME, at->at.start) : NULL;
    if (!n) return NULL;
    n->name = name;
    n->at = at->at;
    return n;
}

static gx_node *typing(gx_parser *p, const gx_node *at, const char *name) {
    gx_node *n = name_of(p, at, gx_sym_c(p->rt, name));
    if (n) n->kind = GX_NODE_TYPING;
    return n;
}

static gx_node *text_of(gx_parser *p, const gx_node *name) {
    gx_node *n = gx_parser_node(p, GX_NODE_STR, name->at.start);
    if (!n) return NULL;
    n->at = name->at;
    n->text = gx_sym_text(p->rt, name->name);
    n->length = strlen(n->text);
    return n;
}

static gx_node *kind_of(gx_parser *p, const gx_node *name, kind k) {
    static const char *const digits[] = {"0", "1", "2", "3"};
    gx_node *n = gx_parser_node(p, GX_NODE_INT, name->at.start);
    if (!n) return NULL;
    n->text = digits[k];
    n->length = 1;
    return n;
}

/* lambda: value, or None where there is no value. */
static gx_node *later(gx_parser *p, const gx_node *name, gx_node *value) {
    if (!value) return gx_parser_node(p, GX_NODE_NONE, name->at.start);
    gx_function *f = gx_parser_function(p, gx_sym_text(p->rt, name->name), name->at.start);
    gx_node *n = f ? gx_parser_node(p, GX_NODE_LAMBDA, value->at.start) : NULL;
    if (!n) return NULL;
    f->body = value;
    f->at = n->at = value->at;
    n->function = f;
    return n;
}

/* maker(arguments), where an argument that is NULL means that memory is gone. */
static gx_node *call(gx_parser *p, const gx_node *at, const char *maker, gx_node *const *arguments,
                     int count) {
    size_t mark = p->pile.count;
    gx_node *callee = typing(p, at, maker);
    gx_node *n = callee ? gx_parser_node(p, GX_NODE_CALL, at->at.start) : NULL;
    for (int i = 0; n && i < count; i++)
        if (!arguments[i] || !gx_parser_push(p, arguments[i])) n = NULL;
    if (!n || !gx_parser_list(p, n, mark)) {
        p->pile.count = mark;
        return NULL;
    }
    n->a = callee;
    n->at = n->op_at = at->at;
    return n;
}

/* A bound, a default or an alias's value; a yield in it would be the lambda's. */
static gx_node *parse_value(gx_parser *p, bool starred) {
    bool yields = p->yield_ok;
    p->yield_ok = false;
    gx_node *n = starred ? gx_parse_item(p) : gx_parse_expr(p);
    p->yield_ok = yields;
    if (!n || n->kind != GX_NODE_STARRED) return n;
    size_t mark = p->pile.count; /* *tuple[int]: what it gives */
    gx_node *tuple = gx_parser_node(p, GX_NODE_TUPLE, n->at.start);
    if (!tuple || !gx_parser_push(p, n) || !gx_parser_list(p, tuple, mark)) return NULL;
    return tuple;
}

/* grammar: type_param: NAME [':' expr] ['=' expr] | '*' NAME ['=' item] | '**' NAME ['=' expr] */
static gx_node *parse_param(gx_parser *p, bool *defaults) {
    gx_node *bound = NULL, *fallback = NULL;
    uint32_t start = p->tok->start;
    kind k = gx_parser_accept(p, GX_TOKEN_STAR)       ? OF_MANY
             : gx_parser_accept(p, GX_TOKEN_STARSTAR) ? OF_PARAMETERS
                                                      : OF_TYPE;
    gx_node *name = gx_parser_name(p, "a type parameter's name");
    if (!name) return NULL;
    if (p->tok->kind == GX_TOKEN_COLON) {
        if (k != OF_TYPE)
            return gx_parser_syntax(p, gx_parser_token_span(p), "cannot use bound with %s",
                                    k == OF_MANY ? "TypeVarTuple" : "ParamSpec");
        gx_parser_advance(p);
        if (!(bound = parse_value(p, false))) return NULL;
        if (bound->kind == GX_NODE_TUPLE) k = OF_CHOICE;
    }
    if (gx_parser_accept(p, GX_TOKEN_EQUAL)) {
        if (!(fallback = parse_value(p, k == OF_MANY))) return NULL;
        *defaults = true;
    } else if (*defaults) {
        return gx_parser_syntax(p, name->at,
                                "non-default type parameter '%s' follows default type parameter",
                                gx_sym_text(p->rt, name->name));
    }
    gx_node *arguments[] = {text_of(p, name), kind_of(p, name, k), later(p, name, bound),
                            later(p, name, fallback)};
    gx_node *made = call(p, name, "_type_param", arguments, 4);
    gx_node *n = made ? gx_parser_node(p, GX_NODE_ASSIGN, start) : NULL;
    size_t mark = p->pile.count;
    if (!n || !gx_parser_push(p, name) || !gx_parser_list(p, n, mark)) return NULL;
    n->a = made;
    n->op_at = name->at;
    return n;
}

/* A TUPLE of the parameters' names. */
static gx_node *names_of(gx_parser *p, const gx_node *types) {
    size_t mark = p->pile.count;
    gx_node *n = gx_parser_node(p, GX_NODE_TUPLE, types->at.start);
    for (int32_t i = 0; n && i < types->n; i++) {
        const gx_node *target = types->list[i]->list[0];
        gx_node *name = name_of(p, target, target->name);
        if (!name || !gx_parser_push(p, name)) n = NULL;
    }
    if (n && gx_parser_list(p, n, mark)) return n;
    p->pile.count = mark;
    return NULL;
}

static bool is_twice(const gx_parser *p, size_t mark, const gx_node *param) {
    for (size_t i = mark; i < p->pile.count; i++)
        if (p->pile.items[i]->list[0]->name == param->list[0]->name) return true;
    return false;
}

/* grammar: types: '[' type_param (',' type_param)* [','] ']' */
bool gx_parse_types(gx_parser *p, gx_node **out) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    bool defaults = false;
    *out = NULL;
    if (!gx_parser_accept(p, GX_TOKEN_LBRACKET)) return true;
    if (p->tok->kind == GX_TOKEN_RBRACKET)
        return gx_parser_syntax(p, gx_parser_span(p, start, p->tok->end),
                                "Type parameter list cannot be empty") != NULL;
    while (p->tok->kind != GX_TOKEN_RBRACKET) {
        gx_node *param = parse_param(p, &defaults);
        if (!param) goto fail;
        if (is_twice(p, mark, param)) {
            gx_parser_syntax(p, param->list[0]->at, "duplicate type parameter '%s'",
                             gx_sym_text(p->rt, param->list[0]->name));
            goto fail;
        }
        if (!gx_parser_push(p, param)) goto fail;
        if (p->tok->kind == GX_TOKEN_RBRACKET) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RBRACKET);
            goto fail;
        }
        gx_parser_advance(p);
    }
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, GX_NODE_TYPES, start);
    if (!n || !gx_parser_list(p, n, mark) || !(n->a = names_of(p, n))) goto fail;
    *out = n;
    return true;
fail:
    p->pile.count = mark;
    return false;
}

bool gx_parser_generic_base(gx_parser *p, const gx_node *types, gx_node *bases) {
    size_t mark = p->pile.count;
    int32_t at = bases->n;
    while (at > 0 && bases->list[at - 1]->kind == GX_NODE_KEYWORD) at--;
    gx_node *n = gx_parser_node(p, GX_NODE_INDEX, types->at.start);
    if (!n || !(n->a = typing(p, types, "Generic"))) return false;
    if (!(n->b = names_of(p, types))) return false;
    n->at = n->op_at = types->at;
    bool ok = true;
    for (int32_t i = 0; ok && i <= bases->n; i++) {
        if (i == at) ok = gx_parser_push(p, n);
        if (ok && i < bases->n) ok = gx_parser_push(p, bases->list[i]);
    }
    if (ok && gx_parser_list(p, bases, mark)) return true;
    p->pile.count = mark;
    return false;
}

/* `type` is a name everywhere else. */
bool gx_parser_starts_type(const gx_parser *p) {
    const gx_token *t = p->tok;
    return t->kind == GX_TOKEN_NAME && t->end - t->start == 4 &&
           memcmp(p->text + t->start, "type", 4) == 0 && t[1].kind == GX_TOKEN_NAME &&
           (t[2].kind == GX_TOKEN_EQUAL || t[2].kind == GX_TOKEN_LBRACKET);
}

/* grammar: type: 'type' NAME [types] '=' expr */
gx_node *gx_parse_type(gx_parser *p) {
    gx_node *types, *value;
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    gx_node *name = gx_parser_name(p, "a name after 'type'");
    if (!name || !gx_parse_types(p, &types) ||
        !gx_parser_expect(p, GX_TOKEN_EQUAL, "after the type's name"))
        return NULL;
    if (!(value = parse_value(p, false))) return NULL;
    gx_node *params = types ? names_of(p, types) : gx_parser_node(p, GX_NODE_TUPLE, start);
    gx_node *arguments[] = {text_of(p, name), later(p, name, value), params};
    gx_node *made = call(p, name, "TypeAliasType", arguments, 3);
    gx_node *n = made ? gx_parser_node(p, GX_NODE_TYPE, start) : NULL;
    if (!n) return NULL;
    n->a = name;
    n->b = made;
    n->c = types;
    return n;
}
