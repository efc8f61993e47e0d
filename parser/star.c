/* except* clauses, made of ordinary statements, so that nothing behind the parser knows of them.
   The clauses of one try become

       except BaseException as .star0:
           .star0 = .star(.star0)
           if .star0.take(TYPES):          a clause
               try:
                   try: raise .star0.match
                   except BaseException as NAME: BODY
               except BaseException as .star0e: .star0.add(.star0e)
           …
           .star0.finish()

   with names that no script can write; `.star` is a class of the library. */
#include <stdio.h>

#include "parser/parser_int.h"

typedef struct maker {
    gx_parser *p;
    gx_span at; /* of what is made */
    gx_sym state, failed;
} maker;

static gx_node *make(maker *m, gx_kind kind) {
    gx_node *n = gx_parser_node(m->p, kind, m->at.start);
    if (n) n->at = n->op_at = m->at;
    return n;
}

static gx_node *name(maker *m, gx_sym sym) {
    gx_node *n = sym ? make(m, GX_NODE_NAME) : NULL;
    if (n) n->name = sym;
    return n;
}

static gx_node *text_name(maker *m, const char *text) {
    return name(m, gx_sym_c(m->p->rt, text));
}

static gx_node *list_of(maker *m, gx_node *n, gx_node *item) {
    size_t mark = m->p->pile.count;
    if (!n || !item || !gx_parser_push(m->p, item)) return NULL;
    return gx_parser_list(m->p, n, mark) ? n : NULL;
}

static gx_node *with_a(gx_node *n, gx_node *a) {
    if (!n || !a) return NULL;
    n->a = a;
    return n;
}

static gx_node *attr(maker *m, const char *member) {
    gx_node *n = with_a(make(m, GX_NODE_ATTR), name(m, m->state));
    if (n && !(n->name = gx_sym_c(m->p->rt, member))) return NULL;
    return n;
}

/* callee(argument); without one callee(). */
static gx_node *call(maker *m, gx_node *callee, gx_node *argument) {
    gx_node *n = with_a(make(m, GX_NODE_CALL), callee);
    return argument ? list_of(m, n, argument) : n;
}

static gx_node *block(maker *m, gx_node *only) {
    gx_node *n = list_of(m, make(m, GX_NODE_BLOCK), only);
    if (n) n->scope = only->scope;
    return n;
}

/* try: body, except BaseException as `as`: handler. */
static gx_node *guard(maker *m, gx_node *body, gx_node *as, gx_node *handler) {
    gx_node *clause = with_a(make(m, GX_NODE_EXCEPT), text_name(m, ".base"));
    gx_node *n = with_a(make(m, GX_NODE_TRY), body);
    if (!clause || !handler) return NULL;
    clause->b = as;
    clause->c = handler;
    n = list_of(m, n, clause);
    if (n) n->scope = body->scope || handler->scope;
    return n;
}

/* One clause as an if. */
static gx_node *one(maker *m, const gx_node *clause) {
    m->at = clause->op_at;
    gx_node *take = call(m, attr(m, "take"), clause->a);
    gx_node *raise = with_a(make(m, GX_NODE_RAISE), attr(m, "match"));
    gx_node *inner = raise ? guard(m, block(m, raise), clause->b, clause->c) : NULL;
    gx_node *add = call(m, attr(m, "add"), name(m, m->failed));
    gx_node *note = with_a(make(m, GX_NODE_EXPRSTMT), add);
    if (!inner || !note) return NULL;
    gx_node *outer = guard(m, block(m, inner), name(m, m->failed), block(m, note));
    gx_node *n = outer ? with_a(make(m, GX_NODE_IF), take) : NULL;
    if (!n || !(n->b = block(m, outer))) return NULL;
    n->scope = n->b->scope;
    return n;
}

bool gx_parser_unstar(gx_parser *p, size_t mark) {
    char text[32];
    gx_node **clauses = p->pile.items + mark;
    size_t count = p->pile.count - mark, from = p->pile.count;
    maker m = {.p = p, .at = clauses[0]->op_at};
    snprintf(text, sizeof text, ".star%d", p->starred);
    m.state = gx_sym_c(p->rt, text);
    snprintf(text, sizeof text, ".star%de", p->starred++);
    m.failed = gx_sym_c(p->rt, text);
    gx_node *made = call(&m, text_name(&m, ".star"), name(&m, m.state));
    gx_node *start = with_a(make(&m, GX_NODE_ASSIGN), made);
    start = list_of(&m, start, name(&m, m.state));
    if (!start || !gx_parser_push(p, start)) return false;
    bool yields = false;
    for (size_t i = 0; i < count; i++) {
        gx_node *n = one(&m, p->pile.items[mark + i]);
        if (!n || !gx_parser_push(p, n)) return false;
        yields = yields || n->scope;
    }
    gx_node *finish = with_a(make(&m, GX_NODE_EXPRSTMT), call(&m, attr(&m, "finish"), NULL));
    gx_node *body = make(&m, GX_NODE_BLOCK);
    if (!finish || !body || !gx_parser_push(p, finish) || !gx_parser_list(p, body, from))
        return false;
    body->scope = yields;
    gx_node *clause = with_a(make(&m, GX_NODE_EXCEPT), text_name(&m, ".base"));
    if (!clause || !(clause->b = name(&m, m.state))) return false;
    clause->c = body;
    p->pile.count = mark;
    return gx_parser_push(p, clause);
}
