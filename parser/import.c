/* import and from … import. A dotted name is one symbol ("os.path"). */
#include "parser/parser_int.h"

/* grammar: dotted: NAME ('.' NAME)*    *first: the first part. 0: an error. */
static gx_sym parse_dotted(gx_parser *p, gx_node **first) {
    gx_buf text = gx_buf_new(p->rt);
    gx_sym name = 0;
    *first = NULL;
    do {
        gx_node *part = gx_parser_name(p, "a module's name");
        if (!part) goto done;
        if (*first && !gx_buf_char(&text, '.')) goto memory;
        if (!*first) *first = part;
        if (!gx_buf_add(&text, gx_sym_text(p->rt, part->name), gx_sym_length(p->rt, part->name)))
            goto memory;
    } while (gx_parser_accept(p, GX_TOKEN_DOT));
    name = gx_sym_of(p->rt, text.data, text.length);
    if (name) goto done;
memory:
    gx_parser_no_memory(p);
done:
    gx_buf_free(&text);
    return name;
}

/* grammar: module: dotted ['as' NAME] */
static gx_node *parse_module(gx_parser *p) {
    uint32_t start = p->tok->start;
    gx_node *target;
    gx_sym name = parse_dotted(p, &target);
    if (!name) return NULL;
    if (gx_parser_accept(p, GX_TOKEN_AS)) target = gx_parser_name(p, "a name after 'as'");
    gx_node *n = target ? gx_parser_node(p, GX_NODE_ALIAS, start) : NULL;
    if (!n) return NULL;
    n->name = name;
    n->a = target;
    return n;
}

/* grammar: import: 'import' module (',' module)* */
gx_node *gx_parse_import(gx_parser *p) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    gx_parser_advance(p);
    do {
        gx_node *module = parse_module(p);
        if (!module || !gx_parser_push(p, module)) goto fail;
    } while (gx_parser_accept(p, GX_TOKEN_COMMA));
    if (p->tok->kind == GX_TOKEN_FROM) {
        gx_parser_unexpected_help(p, "write 'from MODULE import NAME'",
                                  "expected the end of the statement");
        goto fail;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_IMPORT, start);
    if (n && gx_parser_list(p, n, mark)) return n;
fail:
    p->pile.count = mark;
    return NULL;
}

/* grammar: member: NAME ['as' NAME] */
static gx_node *parse_member(gx_parser *p) {
    gx_node *member = gx_parser_name(p, "a name to import"), *target = member;
    if (!member) return NULL;
    if (gx_parser_accept(p, GX_TOKEN_AS)) target = gx_parser_name(p, "a name after 'as'");
    gx_node *n = target ? gx_parser_node(p, GX_NODE_ALIAS, member->at.start) : NULL;
    if (!n) return NULL;
    n->name = member->name;
    n->a = target;
    return n;
}

/* The members, in parentheses or not; pushed. */
static bool parse_members(gx_parser *p) {
    bool grouped = gx_parser_accept(p, GX_TOKEN_LPAREN);
    do {
        if (p->tok->kind == GX_TOKEN_RPAREN && grouped && p->tok[-1].kind == GX_TOKEN_COMMA) break;
        if (p->tok->kind == GX_TOKEN_NEWLINE && p->tok[-1].kind == GX_TOKEN_COMMA)
            return gx_parser_syntax(p, gx_parser_token_span(p),
                                    "trailing comma not allowed without surrounding parentheses") !=
                   NULL;
        gx_node *member = parse_member(p);
        if (!member || !gx_parser_push(p, member)) return false;
    } while (gx_parser_accept(p, GX_TOKEN_COMMA));
    if (!grouped) return true;
    if (p->tok->kind != GX_TOKEN_RPAREN) return gx_parser_no_closer(p, GX_TOKEN_RPAREN) != NULL;
    gx_parser_advance(p);
    return true;
}

/* grammar: origin: ('.' | '...')* [dotted]    "..a.b" is the module's name then. */
static gx_sym parse_origin(gx_parser *p, gx_node **first) {
    gx_buf text = gx_buf_new(p->rt);
    bool ok = true;
    while (ok && (p->tok->kind == GX_TOKEN_DOT || p->tok->kind == GX_TOKEN_ELLIPSIS)) {
        ok = gx_buf_puts(&text, p->tok->kind == GX_TOKEN_DOT ? "." : "...");
        gx_parser_advance(p);
    }
    gx_sym name = 0;
    if (!text.length || p->tok->kind != GX_TOKEN_IMPORT) {
        gx_sym dotted = parse_dotted(p, first);
        if (!dotted) goto done;
        ok = ok && gx_buf_puts(&text, gx_sym_text(p->rt, dotted));
    }
    name = ok ? gx_sym_of(p->rt, text.data, text.length) : 0;
    if (!name) gx_parser_no_memory(p);
done:
    gx_buf_free(&text);
    return name;
}

/* grammar: from: 'from' origin 'import' ('*' | member (',' member)* | '(' member (',' member)*
   [',']
   ')') */
gx_node *gx_parse_from(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    size_t mark = p->pile.count;
    gx_node *first;
    gx_parser_advance(p);
    gx_sym name = parse_origin(p, &first);
    if (!name || !gx_parser_expect(p, GX_TOKEN_IMPORT, "after the module's name")) return NULL;
    bool all = p->tok->kind == GX_TOKEN_STAR;
    if (all) {
        if (p->functions)
            return gx_parser_syntax(p, gx_parser_token_span(p),
                                    "import * only allowed at module level");
        gx_parser_advance(p);
    } else if (!parse_members(p)) {
        p->pile.count = mark;
        return NULL;
    }
    gx_node *n = gx_parser_node(p, GX_NODE_FROM, at.start);
    if (!n || !gx_parser_list(p, n, mark)) {
        p->pile.count = mark;
        return NULL;
    }
    n->name = name;
    n->op = all;
    return n;
}
