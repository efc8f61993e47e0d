/* yield. A generator function is run statement by statement, so that a suspended one is plain data;
   therefore a yield inside an expression becomes a statement of its own before the one it stands
   in, and its answer waits in a hidden name. That changes nothing as long as what is evaluated
   before the yield has no effects; where a call stands there, or where the yield might not be
   reached, it is refused. */
#include "parser/parser_int.h"

#include <stdio.h>

static void *refuse(gx_parser *p, gx_span at, const char *why) {
    return gx_parser_error(p, GX_SyntaxError, at, "give it a line of its own: answer = yield value",
                           "%s", why);
}

/* grammar: yield: 'yield' [exprs] | 'yield' 'from' expr */
gx_node *gx_parse_yield(gx_parser *p) {
    gx_span at = gx_parser_token_span(p);
    int calls = p->calls;
    char name[24];
    gx_parser_advance(p);
    if (!p->functions && !p->salvaging) return gx_parser_syntax(p, at, "'yield' outside function");
    if (!p->yield_ok || p->no_yield) return refuse(p, at, "a yield cannot stand here in gx");
    if (calls > 0)
        return refuse(p, at, "a yield cannot stand behind a call on the same line in gx");
    bool from = gx_parser_accept(p, GX_TOKEN_FROM);
    gx_node *a = NULL;
    bool empty = !gx_parser_starts_expr((gx_token_kind)p->tok->kind) &&
                 p->tok->kind != GX_TOKEN_STAR && p->tok->kind != GX_TOKEN_YIELD;
    if (from)
        a = gx_parse_expr(p);
    else if (!empty)
        a = gx_parse_exprs(p);
    if (!a && (from || !empty)) return NULL;
    snprintf(name, sizeof name, ".yield%d", p->yields);
    gx_sym sym = gx_sym_c(p->rt, name);
    if (!sym) return gx_parser_no_memory(p);
    gx_node *statement = gx_parser_node(p, GX_NODE_YIELDED, at.start);
    gx_node *answer = gx_parser_node(p, GX_NODE_YIELD, at.start);
    if (!statement || !answer) return NULL;
    statement->a = a;
    statement->op = from;
    statement->name = answer->name = sym;
    statement->scope = 1;
    if (!gx_vec_push(p->rt, &p->suspended, statement)) return gx_parser_no_memory(p);
    p->yields++;
    p->calls = calls;
    return answer;
}

bool gx_parser_flush_yields(gx_parser *p) {
    for (size_t i = 0; i < p->suspended.count; i++)
        if (!gx_parser_push(p, p->suspended.items[i])) return false;
    p->suspended.count = 0;
    return true;
}

void *gx_parser_conditional_yield(gx_parser *p, const gx_node *n) {
    return refuse(p, n->at, "a yield cannot stand where it may not be reached in gx");
}
