/* Blocks and statement lists, and what happens after an error: the rest of the line is skipped; the
   block of a header that was wrong is parsed all the same, for its own errors, and so are clauses
   (else, except …) that have lost their statement. Invariant: every turn of the statement loop
   takes at least one token. */
#include "parser/parser_int.h"

#include <string.h>

static unsigned line_of(const gx_parser *p, uint32_t at) {
    uint32_t line, column;
    gx_source_place(p->rt, gx_parser_span(p, at, at + 1), &line, &column);
    return line;
}

/* Blanks that all lines behind the first begin with. */
static size_t margin_of(const char *text) {
    size_t margin = SIZE_MAX;
    for (const char *line = strchr(text, '\n'); line; line = strchr(line, '\n')) {
        size_t blanks = strspn(++line, " ");
        if (line[blanks] && line[blanks] != '\n' && blanks < margin) margin = blanks;
    }
    return margin;
}

/* The text with blanks up to the next column of eight in the place of each tab. */
static char *without_tabs(gx_parser *p, const char *text) {
    size_t length = 0, column = 0;
    for (const char *c = text; *c; c++) length += *c == '\t' ? 8 : 1;
    char *made = gx_arena_alloc(&p->unit->arena, length + 1), *to = made;
    for (; to && *text; text++) {
        size_t blanks = *text == '\t' ? 8 - column % 8 : 0;
        for (size_t i = 0; i < blanks; i++) *to++ = ' ';
        if (!blanks) *to++ = *text;
        column = *text == '\n' ? 0 : column + (blanks ? blanks : 1);
    }
    if (to) *to = '\0';
    return made;
}

/* A docstring without its margin, as Python 3.13 keeps it. */
const char *gx_parser_doc(gx_parser *p, const gx_node *block) {
    if (!block->n || block->list[0]->kind != GX_NODE_EXPRSTMT) return NULL;
    const gx_node *first = block->list[0]->a;
    if (first->kind != GX_NODE_STR || first->op) return NULL;
    char *text = without_tabs(p, first->text), *to = text;
    if (!text) return NULL;
    const char *from = text + strspn(text, " ");
    size_t margin = margin_of(from);
    while (*from) {
        if ((*to++ = *from++) != '\n') continue;
        for (size_t i = 0; i < margin && *from == ' '; i++) from++;
    }
    *to = '\0';
    return text;
}

/* grammar: block: ':' simple_line | ':' NEWLINE INDENT statement+ DEDENT */
static gx_node *parse_block(gx_parser *p, const char *what, uint32_t header) {
    if (p->tok->kind != GX_TOKEN_COLON) return gx_parser_no_colon(p, what);
    gx_parser_advance(p);
    if (p->tok->kind != GX_TOKEN_NEWLINE) {
        uint32_t start = p->tok->start;
        size_t mark = p->pile.count;
        if (!gx_parse_simple_line(p)) return NULL;
        gx_node *n = gx_parser_node(p, GX_NODE_BLOCK, start);
        return n && gx_parser_list(p, n, mark) ? n : NULL;
    }
    gx_parser_advance(p);
    if (p->tok->kind == GX_TOKEN_ERROR)
        return gx_parser_unexpected(p, "expected an indented block");
    if (p->tok->kind != GX_TOKEN_INDENT)
        return gx_parser_error(p, GX_IndentationError, gx_parser_token_span(p), NULL,
                               "expected an indented block after %s on line %u", what,
                               line_of(p, header));
    if (!gx_parser_enter(p)) return NULL;
    gx_parser_advance(p);
    gx_node *n = gx_parse_statements(p, true);
    gx_parser_leave(p);
    return n;
}

gx_node *gx_parse_block(gx_parser *p, const char *what, uint32_t header) {
    int yields = p->yields;
    gx_node *n = parse_block(p, what, header);
    if (n) n->scope = p->yields > yields;
    return n;
}

/* An indented block that belongs to no correct header. */
static void salvage_block(gx_parser *p) {
    size_t mark = p->pile.count;
    p->salvaging++;
    gx_parser_advance(p);
    if (gx_parser_enter(p)) {
        gx_parse_statements(p, true);
        gx_parser_leave(p);
    } else {
        p->fatal = true;
    }
    p->salvaging--;
    p->pile.count = mark;
}

static void skip_line(gx_parser *p) {
    while (p->tok->kind != GX_TOKEN_NEWLINE && p->tok->kind != GX_TOKEN_END) gx_parser_advance(p);
    gx_parser_accept(p, GX_TOKEN_NEWLINE);
}

static bool is_clause(const gx_parser *p) {
    return p->tok->kind == GX_TOKEN_ELIF || p->tok->kind == GX_TOKEN_ELSE ||
           p->tok->kind == GX_TOKEN_EXCEPT || p->tok->kind == GX_TOKEN_FINALLY;
}

/* At the start of a line, with nothing of it taken. */
static bool at_line_start(const gx_parser *p) {
    gx_token_kind kind = (gx_token_kind)p->tok[-1].kind;
    return kind == GX_TOKEN_NEWLINE || kind == GX_TOKEN_DEDENT || kind == GX_TOKEN_INDENT;
}

static void recover(gx_parser *p, const gx_token *start) {
    if (p->tok == start || !at_line_start(p)) skip_line(p);
    for (;;) {
        if (p->tok->kind == GX_TOKEN_INDENT)
            salvage_block(p);
        else if (is_clause(p))
            skip_line(p);
        else
            break;
    }
}

/* grammar: statement: compound | simple_line */
static bool parse_statement(gx_parser *p) {
    gx_token_kind kind = (gx_token_kind)p->tok->kind;
    p->compound = false;
    if (kind == GX_TOKEN_INDENT || kind == GX_TOKEN_ERROR)
        return gx_parser_unexpected(p, "expected a statement") != NULL;
    if (is_clause(p)) {
        const char *owner = kind == GX_TOKEN_ELIF   ? "'if'"
                            : kind == GX_TOKEN_ELSE ? "'if', 'for', 'while' or 'try'"
                                                    : "'try'";
        return gx_parser_syntax(p, gx_parser_token_span(p), "%s without %s before it",
                                gx_token_name(kind), owner) != NULL;
    }
    if (kind == GX_TOKEN_ASYNC)
        return gx_parser_no_operand(p) != NULL;
    if (!gx_parser_starts_compound(kind) && !gx_parser_starts_match(p))
        return gx_parse_simple_line(p);
    gx_node *n = gx_parse_compound(p);
    if (!n || !gx_parser_push(p, n)) return false;
    p->compound = true;
    return true;
}

gx_node *gx_parse_statements(gx_parser *p, bool nested) {
    uint32_t start = p->tok->start;
    size_t mark = p->pile.count;
    int depth = p->depth, loops = p->loops, functions = p->functions, enclosing = p->enclosing;
    const char *class_name = p->class_name;
    while (!p->fatal && p->tok->kind != GX_TOKEN_END) {
        const gx_token *first = p->tok;
        size_t before = p->pile.count;
        if (p->tok->kind == GX_TOKEN_DEDENT) {
            gx_parser_advance(p);
            if (nested) break;
            continue;
        }
        if (parse_statement(p)) continue;
        p->pile.count = before;
        p->depth = depth;
        p->loops = loops;
        p->functions = functions;
        p->enclosing = enclosing;
        p->class_name = class_name;
        p->no_yield = 0;
        p->suspended.count = 0;
        if (!p->fatal) recover(p, first);
    }
    if (p->fatal) return NULL;
    gx_node *n = gx_parser_node(p, GX_NODE_BLOCK, start);
    return n && gx_parser_list(p, n, mark) ? n : NULL;
}
