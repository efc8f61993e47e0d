/* class statements and decorators. A class body is parsed as the body of a function without
   parameters; what it binds are the class's attributes. */
#include "parser/parser_int.h"

/* The arguments of the class statement, as those of a call. */
static gx_node *parse_bases(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_node *n;
    if (!gx_parser_accept(p, GX_TOKEN_LPAREN)) return gx_parser_node(p, GX_NODE_BASES, start);
    while (p->tok->kind != GX_TOKEN_RPAREN) {
        gx_node *item = gx_parse_item(p);
        if (!item) goto fail;
        if (p->tok->kind == GX_TOKEN_EQUAL) {
            gx_node *keyword;
            if (item->kind != GX_NODE_NAME) {
                gx_parser_unexpected(p, "expected a base class");
                goto fail;
            }
            gx_parser_advance(p);
            gx_node *value = gx_parse_expr(p);
            keyword = value ? gx_parser_node(p, GX_NODE_KEYWORD, item->at.start) : NULL;
            if (!keyword) goto fail;
            keyword->name = item->name;
            keyword->a = value;
            item = keyword;
        }
        if (!gx_parser_push(p, item)) goto fail;
        if (p->tok->kind == GX_TOKEN_RPAREN) break;
        if (p->tok->kind != GX_TOKEN_COMMA) {
            gx_parser_no_closer(p, GX_TOKEN_RPAREN);
            goto fail;
        }
        gx_parser_advance(p);
    }
    gx_parser_advance(p);
    n = gx_parser_node(p, GX_NODE_BASES, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* grammar: class: 'class' NAME [types] ['(' arguments ')'] block */
gx_node *gx_parse_class(gx_parser *p) {
    uint32_t start = p->tok->start;
    int loops = p->loops, functions = p->functions;
    const char *outer = p->class_name;
    gx_parser_advance(p);
    gx_node *name = gx_parser_name(p, "the class's name after 'class'");
    if (!name) return NULL;
    gx_node *types;
    gx_function *f = gx_parser_function(p, gx_sym_text(p->rt, name->name), start);
    if (!f || !gx_parse_types(p, &types)) return NULL;
    gx_node *bases = parse_bases(p);
    if (!bases || (types && !gx_parser_generic_base(p, types, bases))) return NULL;
    const char *prefix = p->prefix;
    if (!(p->prefix = gx_parser_joined(p, f->qualname, "."))) return NULL;
    p->enclosing += functions;
    p->loops = p->functions = 0;
    p->class_name = gx_sym_text(p->rt, name->name);
    f->body = gx_parse_block(p, "class definition", start);
    p->class_name = outer;
    p->prefix = prefix;
    p->loops = loops;
    p->functions = functions;
    p->enclosing -= functions;
    gx_node *n = f->body ? gx_parser_node(p, GX_NODE_CLASS, start) : NULL;
    if (!n) return NULL;
    f->at = name->at;
    f->doc = gx_parser_doc(p, f->body);
    n->a = name;
    n->b = bases;
    n->c = types;
    n->function = f;
    n->op_at = name->at;
    return n;
}

/* grammar: decorated: ('@' expr NEWLINE)+ (def | class) */
gx_node *gx_parse_decorated(gx_parser *p) {
    size_t mark = p->pile.count;
    gx_node *n = NULL;
    while (gx_parser_accept(p, GX_TOKEN_AT)) {
        gx_node *decorator = gx_parse_expr(p);
        if (!decorator || !gx_parser_push(p, decorator)) goto done;
        if (p->tok->kind != GX_TOKEN_NEWLINE) {
            gx_parser_unexpected(p, "expected the end of the line after a decorator");
            goto done;
        }
        gx_parser_advance(p);
    }
    if (p->tok->kind == GX_TOKEN_DEF) {
        n = gx_parse_def(p);
    } else if (p->tok->kind == GX_TOKEN_CLASS) {
        n = gx_parse_class(p);
    } else {
        gx_parser_unexpected(p, "expected 'def' or 'class' after a decorator");
        goto done;
    }
    if (n && !gx_parser_list(p, n, mark)) n = NULL;
done:
    p->pile.count = mark;
    return n;
}
