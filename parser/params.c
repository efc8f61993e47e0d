/* Parameter lists of def and lambda, and the gx_function they belong to. Annotations are kept
   as text. Also type parameters. */
#include "parser/parser_int.h"

#include <string.h>

const char *gx_parser_joined(gx_parser *p, const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    char *text = gx_arena_alloc(&p->unit->arena, n + m + 1);
    if (!text) return gx_parser_no_memory(p);
    memcpy(text, a, n);
    memcpy(text + n, b, m + 1);
    return text;
}

gx_function *gx_parser_function(gx_parser *p, const char *name, uint32_t start) {
    gx_function *f = gx_arena_alloc(&p->unit->arena, sizeof *f);
    if (!f || !(f->name = gx_sym_c(p->rt, name))) return gx_parser_no_memory(p);
    f->unit = p->unit;
    f->qualname = gx_parser_joined(p, p->prefix ? p->prefix : "", name);
    if (!f->qualname) return NULL;
    f->at = gx_parser_span(p, start, p->last_end);
    return f;
}

/* A parameter list while it is read. */
typedef struct reader {
    GX_VEC(gx_param) list;
    gx_map names;
    gx_token_kind closer;
    bool slash, star, bare, doublestar; /* seen */
    bool fallback;                      /* a default was given before */
} reader;

/* The parameter's name, with its annotation. */
static bool read_name(gx_parser *p, reader *r, gx_param_kind kind) {
    int32_t old;
    gx_span at = gx_parser_token_span(p);
    if (p->tok->kind != GX_TOKEN_NAME) {
        const char *what = r->closer == GX_TOKEN_COLON ? "expected a parameter's name or ':'"
                                                       : "expected a parameter's name or ')'";
        return gx_parser_unexpected(p, what) != NULL;
    }
    gx_sym name = gx_parser_sym(p, p->tok);
    if (!name) return false;
    if (gx_map_get(&r->names, name, &old))
        return gx_parser_syntax(p, at, "duplicate argument '%s' in function definition",
                                gx_sym_text(p->rt, name)) != NULL;
    gx_param param = {.name = name, .kind = (uint8_t)kind, .at = at};
    if (!gx_map_set(p->rt, &r->names, name, 1) || !gx_vec_push(p->rt, &r->list, param))
        return gx_parser_no_memory(p) != NULL;
    gx_parser_advance(p);
    if (r->closer == GX_TOKEN_RPAREN && gx_parser_accept(p, GX_TOKEN_COLON)) {
        uint32_t from = p->tok->start;
        bool starred = kind == GX_PARAM_STAR && p->tok->kind == GX_TOKEN_STAR;
        gx_node *text = starred ? gx_parse_item(p) : gx_parse_expr(p);
        if (text) text = gx_parser_annotation(p, from);
        if (!text) return false;
        r->list.items[r->list.count - 1].annotation = text->text;
    }
    return true;
}

static bool read_slash(gx_parser *p, reader *r) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (r->slash) return gx_parser_syntax(p, at, "/ may appear only once") != NULL;
    if (r->star) return gx_parser_syntax(p, at, "/ must be ahead of *") != NULL;
    if (!r->list.count)
        return gx_parser_syntax(p, at, "at least one argument must precede /") != NULL;
    for (size_t i = 0; i < r->list.count; i++) r->list.items[i].kind = GX_PARAM_POSONLY;
    r->slash = true;
    return true;
}

/* `*`, `*args` or `**kwargs`. */
static bool read_star(gx_parser *p, reader *r, bool twice) {
    gx_span at = gx_parser_token_span(p);
    gx_parser_advance(p);
    if (twice) {
        r->doublestar = true;
        if (r->bare) {
            return gx_parser_syntax(p, at, "named arguments must follow bare *") != NULL;
        }
        if (!read_name(p, r, GX_PARAM_STARSTAR)) return false;
    } else {
        if (r->star) return gx_parser_syntax(p, at, "* argument may appear only once") != NULL;
        r->star = true;
        r->bare = p->tok->kind == GX_TOKEN_COMMA;
        if (r->bare) return true;
        if (p->tok->kind == r->closer)
            return gx_parser_syntax(p, at, "named arguments must follow bare *") != NULL;
        if (!read_name(p, r, GX_PARAM_STAR)) return false;
    }
    if (p->tok->kind == GX_TOKEN_EQUAL)
        return gx_parser_syntax(p, gx_parser_token_span(p),
                                "var-%s argument cannot have default value",
                                twice ? "keyword" : "positional") != NULL;
    return true;
}

static bool read_plain(gx_parser *p, reader *r) {
    if (!read_name(p, r, r->star ? GX_PARAM_KWONLY : GX_PARAM_PLAIN)) return false;
    r->bare = false;
    gx_span at = r->list.items[r->list.count - 1].at;
    if (gx_parser_accept(p, GX_TOKEN_EQUAL)) {
        if (p->tok->kind == GX_TOKEN_COMMA || p->tok->kind == r->closer)
            return gx_parser_unexpected(p, "expected a default value after '='") != NULL;
        gx_node *value = gx_parse_expr(p);
        if (!value) return false;
        r->list.items[r->list.count - 1].fallback = value;
        r->fallback = r->fallback || !r->star;
    } else if (r->fallback && !r->star) {
        return gx_parser_syntax(p, at, "non-default argument follows default argument") != NULL;
    }
    return true;
}

static bool read_param(gx_parser *p, reader *r) {
    if (r->doublestar)
        return gx_parser_syntax(p, gx_parser_token_span(p),
                                "arguments cannot follow var-keyword argument") != NULL;
    if (p->tok->kind == GX_TOKEN_SLASH) return read_slash(p, r);
    if (p->tok->kind == GX_TOKEN_STAR) return read_star(p, r, false);
    if (p->tok->kind == GX_TOKEN_STARSTAR) return read_star(p, r, true);
    return read_plain(p, r);
}

/* grammar: params: [param (',' param)* [',']]
   grammar: param: NAME [':' expr] ['=' expr] | '/' | '*' [NAME] | '**' NAME */
bool gx_parse_params(gx_parser *p, gx_function *f, gx_token_kind closer) {
    reader r = {.closer = closer};
    bool ok = false;
    while (p->tok->kind != closer) {
        if (!read_param(p, &r)) goto done;
        if (p->tok->kind == closer) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, closer);
            goto done;
        }
        gx_parser_advance(p);
    }
    if (r.bare) {
        gx_parser_syntax(p, gx_parser_token_span(p), "named arguments must follow bare *");
        goto done;
    }
    if (r.list.count) {
        f->params = gx_arena_alloc(&p->unit->arena, r.list.count * sizeof *f->params);
        if (!f->params) {
            gx_parser_no_memory(p);
            goto done;
        }
        memcpy(f->params, r.list.items, r.list.count * sizeof *f->params);
    }
    f->param_count = (int32_t)r.list.count;
    ok = true;
done:
    gx_vec_free(p->rt, &r.list);
    gx_map_free(p->rt, &r.names);
    return ok;
}

/* grammar: lambda: 'lambda' params ':' expr */
gx_node *gx_parse_lambda(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    gx_function *f = gx_parser_function(p, "<lambda>", start);
    if (!f || !gx_parse_params(p, f, GX_TOKEN_COLON)) return NULL;
    if (!gx_parser_expect(p, GX_TOKEN_COLON, "after the parameters of 'lambda'")) return NULL;
    f->body = gx_parse_expr(p);
    gx_node *n = f->body ? gx_parser_node(p, GX_NODE_LAMBDA, start) : NULL;
    if (!n) return NULL;
    f->at = n->at;
    n->function = f;
    return n;
}

/* --- type parameters -------------------------------------------------------------------------- */

/* Of class, def and type statements: [T: bound = default, *Ts, **P] becomes

       T = typing._type_param("T", KIND, lambda: bound, lambda: default)

   for each, None where there is none, in a scope that the statement has for itself; what a type
   statement names is typing.TypeAliasType("X", lambda: value, (T, …)). The lambdas make them lazy,
   as in Python: a bound may name what is defined later. */

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
