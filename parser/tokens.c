/* The parser's hands: taking tokens, making nodes and lists, counting depth. Knows no grammar. */
#include "parser/parser_int.h"

#include <stdio.h>
#include <string.h>

void gx_parser_advance(gx_parser *p) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    if (kind == GX_TOKEN_END) return;
    if (kind != GX_TOKEN_NEWLINE && kind != GX_TOKEN_INDENT && kind != GX_TOKEN_DEDENT)
        p->last_end = p->tok->end;
    p->tok++;
}

bool gx_parser_accept(gx_parser *p, gx_token_kind kind) {
    if (p->tok->kind != kind) return false;
    gx_parser_advance(p);
    return true;
}

bool gx_parser_expect(gx_parser *p, gx_token_kind kind, const char *after) {
    if (gx_parser_accept(p, kind)) return true;
    char what[120];
    snprintf(what, sizeof what, "expected %s%s%s", gx_token_name(kind), *after ? " " : "", after);
    return gx_parser_unexpected(p, what) != NULL;
}

gx_token_kind gx_parser_peek(const gx_parser *p, int n) {
    const gx_token *last = p->tokens.items + p->tokens.count - 1;
    return last - p->tok < n ? GX_TOKEN_END : (gx_token_kind)p->tok[n].kind;
}

bool gx_parser_enter(gx_parser *p) {
    if (p->depth >= GX_MAX_NESTING || !gx_stack_ok(p->rt)) {
        gx_parser_syntax(p, gx_parser_token_span(p),
                         "too deeply nested: too many nested "
                         "parentheses, operators or blocks");
        return false;
    }
    p->depth++;
    return true;
}

void gx_parser_leave(gx_parser *p) {
    p->depth--;
}

gx_span gx_parser_span(const gx_parser *p, uint32_t start, uint32_t end) {
    return (gx_span){p->source, start, end > start ? end : start + 1};
}

gx_span gx_parser_token_span(const gx_parser *p) {
    return gx_parser_span(p, p->tok->start, p->tok->end);
}

gx_node *gx_parser_node(gx_parser *p, gx_kind kind, uint32_t start) {
    gx_node *n = gx_arena_alloc(&p->unit->arena, sizeof *n);
    if (!n) return gx_parser_no_memory(p);
    n->kind = (uint16_t)kind;
    n->at = gx_parser_span(p, start, p->last_end);
    return n;
}

bool gx_parser_push(gx_parser *p, gx_node *n) {
    if (gx_vec_push(p->rt, &p->pile, n)) return true;
    return gx_parser_no_memory(p) != NULL;
}

bool gx_parser_list(gx_parser *p, gx_node *n, size_t mark) {
    size_t count = p->pile.count - mark;
    p->pile.count = mark;
    n->n = (int32_t)count;
    if (!count) return true;
    n->list = gx_arena_alloc(&p->unit->arena, count * sizeof *n->list);
    if (!n->list) return gx_parser_no_memory(p) != NULL;
    memcpy(n->list, p->pile.items + mark, count * sizeof *n->list);
    return true;
}

/* __name inside a class C means _C__name, so that a subclass's own __name is another one. */
static gx_sym private_name(gx_parser *p, const char *text, size_t length) {
    char full[160];
    const char *owner = p->class_name;
    while (*owner == '_') owner++;
    int n = snprintf(full, sizeof full, "_%s%.*s", owner, (int)length, text);
    return gx_sym_of(p->rt, full, n < (int)sizeof full ? (size_t)n : sizeof full - 1);
}

static bool is_private(const char *text, size_t length) {
    return length > 2 && memcmp(text, "__", 2) == 0 && memcmp(text + length - 2, "__", 2) != 0;
}

gx_sym gx_parser_sym(gx_parser *p, const gx_token *t) {
    if (GX_UNLIKELY(p->class_name != NULL) && is_private(p->text + t->start, t->end - t->start)) {
        gx_sym own = private_name(p, p->text + t->start, t->end - t->start);
        if (!own) gx_parser_no_memory(p);
        return own;
    }
    gx_sym s = gx_sym_of(p->rt, p->text + t->start, t->end - t->start);
    if (!s) gx_parser_no_memory(p);
    return s;
}

gx_node *gx_parser_name(gx_parser *p, const char *what) {
    if (p->tok->kind != GX_TOKEN_NAME) {
        char message[120];
        snprintf(message, sizeof message, "expected %s", what);
        return gx_parser_unexpected(p, message);
    }
    gx_sym name = gx_parser_sym(p, p->tok);
    if (!name) return NULL;
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, GX_NODE_NAME, start);
    if (n) n->name = name;
    return n;
}

gx_node *gx_parser_annotation(gx_parser *p, uint32_t start) {
    gx_node *n = gx_parser_node(p, GX_NODE_STR, start);
    if (!n) return NULL;
    n->length = p->last_end - start;
    n->text = gx_arena_copy(&p->unit->arena, p->text + start, n->length);
    return n->text ? n : gx_parser_no_memory(p);
}
