/* Parameter lists of def and lambda, and the gx_function they belong to. Annotations are kept
   as text. */
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
