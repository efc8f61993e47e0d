/* Atoms: names, constants and whatever is in brackets. Says what is wrong where none begins. */
#include "parser/parser_int.h"

#include <string.h>

static gx_node *constant(gx_parser *p, gx_kind kind) {
    uint32_t start = p->tok->start;
    gx_parser_advance(p);
    return gx_parser_node(p, kind, start);
}

/* `kernel` is a word of its own only before a string: then it begins the source of a kernel. */
static bool is_kernel_literal(const gx_parser *p) {
    gx_token_kind next = gx_parser_peek(p, 1);
    return (next == GX_TOKEN_STRING || next == GX_TOKEN_FSTRING_START) &&
           p->tok->end - p->tok->start == 6 && memcmp(p->text + p->tok->start, "kernel", 6) == 0;
}

/* Where the text of a string token lies, quotes and prefix off: kernels are raw. */
static void inside_quotes(const gx_parser *p, const gx_token *t, uint32_t *start, uint32_t *end) {
    uint32_t quotes = t->flags & GX_STRING_TRIPLE ? 3 : 1;
    *start = t->start;
    while (p->text[*start] != '"' && p->text[*start] != '\'') (*start)++;
    *start += quotes;
    *end = t->end - quotes;
}

/* The string at hand as it stands; *from: where its text begins. NULL: an error. */
static gx_node *raw_string(gx_parser *p, gx_kind kind, uint32_t start, uint32_t *from) {
    uint32_t to;
    if (p->tok->kind != GX_TOKEN_STRING)
        return gx_parser_syntax(p, gx_parser_token_span(p),
                                "a kernel's text is CUDA C++ as it stands, not an f-string");
    inside_quotes(p, p->tok, from, &to);
    gx_parser_advance(p);
    gx_node *n = gx_parser_node(p, kind, start);
    if (!n) return NULL;
    n->text = gx_arena_copy(&p->unit->arena, p->text + *from, to - *from);
    n->length = to - *from;
    return n->text ? n : gx_parser_no_memory(p);
}

static bool is_string(const gx_parser *p) {
    return p->tok->kind == GX_TOKEN_STRING || p->tok->kind == GX_TOKEN_FSTRING_START;
}

/* grammar: kernel: 'kernel' [STRING] STRING */
static gx_node *kernel_literal(gx_parser *p) {
    uint32_t start = p->tok->start, from;
    gx_parser_advance(p);
    gx_node *signature = NULL, *n = raw_string(p, GX_NODE_KERNEL, start, &from);
    if (n && is_string(p)) { /* the first was the signature of an elementwise kernel */
        signature = n;
        signature->kind = GX_NODE_STR;
        n = raw_string(p, GX_NODE_KERNEL, start, &from);
    }
    if (!n) return NULL;
    if (is_string(p))
        return gx_parser_syntax(p, gx_parser_token_span(p),
                                "a kernel is one string, or a signature and the text of an "
                                "element: kernel \"float32 x -> float32 y\" \"y = x * x\"");
    n->a = signature;
    n->op_at = gx_parser_span(p, from, from + 1);
    return n;
}

/* grammar: atom: NAME | kernel | NUMBER | STRING+ | 'None' | 'True' | 'False' | '...' | paren |
   bracket | brace */
gx_node *gx_parse_atom(gx_parser *p) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    if (kind == GX_TOKEN_NAME && is_kernel_literal(p)) return kernel_literal(p);
    if (kind == GX_TOKEN_NAME) return gx_parser_name(p, "a name");
    if (kind == GX_TOKEN_INT || kind == GX_TOKEN_FLOAT || kind == GX_TOKEN_IMAG)
        return gx_parse_number(p);
    if (kind == GX_TOKEN_STRING || kind == GX_TOKEN_FSTRING_START) return gx_parse_strings(p);
    if (kind == GX_TOKEN_LPAREN) return gx_parse_paren(p);
    if (kind == GX_TOKEN_LBRACKET) return gx_parse_bracket(p);
    if (kind == GX_TOKEN_LBRACE) return gx_parse_brace(p);
    if (kind == GX_TOKEN_NONE) return constant(p, GX_NODE_NONE);
    if (kind == GX_TOKEN_TRUE) return constant(p, GX_NODE_TRUE);
    if (kind == GX_TOKEN_FALSE) return constant(p, GX_NODE_FALSE);
    if (kind == GX_TOKEN_ELLIPSIS) return constant(p, GX_NODE_ELLIPSIS);
    return gx_parser_no_operand(p);
}
