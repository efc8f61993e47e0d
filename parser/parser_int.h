/* The parser's state and the functions its files share. Parse functions return a node in the unit's
   arena, or NULL after an error has been recorded; the statement loop of parser.c recovers. */
#ifndef GX_PARSER_PARSER_INT_H
#define GX_PARSER_PARSER_INT_H

#include "lexer/lexer.h"
#include "parser/parser.h"
#include "runtime/base/vec.h"

/* How deep expressions and blocks may nest, counting every prefix operator and parenthesis. */
enum { GX_MAX_NESTING = 1000 };

typedef struct gx_parser {
    gx_rt *rt;
    gx_unit *unit;
    gx_tokens tokens;
    const gx_token *tok; /* the next token */
    const char *text;
    uint32_t source;
    uint32_t last_end; /* end of the last token that is not layout */
    gx_parse_errors *errors;
    GX_VEC(gx_node *) pile; /* lists under construction */
    int depth;
    int loops;     /* loops around the current statement, within its function */
    int functions; /* functions around it, within its class */
    int enclosing; /* functions around that class */
    int yields;    /* yields met in the function so far */
    int stars;     /* except* clauses around the current statement, within its function */
    int starred;   /* try statements with except* met so far: each has a hidden name */
    bool yield_ok; /* in a simple statement: a yield may stand there … */
    int no_yield;  /* … unless in a part that may not be reached */
    int calls;     /* that the simple statement makes so far, outside of its yields */
    GX_VEC(gx_node *) suspended; /* YIELDED statements to stand before the current one */
    const char *prefix; /* of qualified names: "Point.", "outer.<locals>."; NULL: none */
    const char *class_name; /* of the innermost class, whose __names are its own; NULL: none */
    int salvaging; /* in a block whose header was wrong: break and return are not judged */
    bool fatal;    /* memory is gone, or the errors are enough */
    bool at_end;   /* the first error is that the text ends too early */
    bool compound; /* the last statement of the module was a compound one */
} gx_parser;

#define GX_NOT_IN_STAR "'break', 'continue' and 'return' cannot appear in an except* block"

/* Binding strengths, loosest first. */
typedef enum gx_precedence {
    GX_PREC_OR = 1,
    GX_PREC_AND,
    GX_PREC_NOT,
    GX_PREC_COMPARE,
    GX_PREC_BITOR,
    GX_PREC_BITXOR,
    GX_PREC_BITAND,
    GX_PREC_SHIFT,
    GX_PREC_ADD,
    GX_PREC_MUL,
    GX_PREC_UNARY
} gx_precedence;

/* tokens.c: the token stream, nodes and lists. */
void gx_parser_advance(gx_parser *p);
bool gx_parser_accept(gx_parser *p, gx_token_kind kind);
/* Takes the token or records what was expected and came. `after`: "after 'del'", or "". */
GX_CHECK bool gx_parser_expect(gx_parser *p, gx_token_kind kind, const char *after);
/* The kind of the n-th token from the current one; END beyond the end. */
gx_token_kind gx_parser_peek(const gx_parser *p, int n);
GX_CHECK bool gx_parser_enter(gx_parser *p);
void gx_parser_leave(gx_parser *p);
gx_span gx_parser_span(const gx_parser *p, uint32_t start, uint32_t end);
gx_span gx_parser_token_span(const gx_parser *p);
/* A node from `start` to the last token taken. NULL: memory. */
gx_node *gx_parser_node(gx_parser *p, gx_kind kind, uint32_t start);
GX_CHECK bool gx_parser_push(gx_parser *p, gx_node *n);
/* Moves what was pushed since `mark` into the node's list; on failure too the pile is at mark. */
GX_CHECK bool gx_parser_list(gx_parser *p, gx_node *n, size_t mark);
gx_sym gx_parser_sym(gx_parser *p, const gx_token *t);
/* A NAME node of the current token, which is taken; an error when it is no name. */
gx_node *gx_parser_name(gx_parser *p, const char *what);

/* errors.c: records an error; the value is always NULL / false. */
void *gx_parser_error(gx_parser *p, gx_error_kind kind, gx_span at, const char *help,
                      const char *fmt, ...) GX_PRINTF(5, 6);
void *gx_parser_syntax(gx_parser *p, gx_span at, const char *fmt, ...) GX_PRINTF(3, 4);
/* "WHAT, got TOKEN" at the current token, or the lexer's error that stands there. */
void *gx_parser_unexpected(gx_parser *p, const char *what);
void *gx_parser_unexpected_help(gx_parser *p, const char *help, const char *what);
void *gx_parser_no_memory(gx_parser *p);
/* hints.c: errors whose cause shows in the tokens around. */
void *gx_parser_no_operand(gx_parser *p);
void *gx_parser_no_end(gx_parser *p, const gx_node *before);
void *gx_parser_no_colon(gx_parser *p, const char *after);
void *gx_parser_no_closer(gx_parser *p, gx_token_kind closer);

/* expr.c */
gx_node *gx_parse_expr(gx_parser *p);
gx_node *gx_parse_binary(gx_parser *p, gx_precedence least);
/* An expression or *expression; with a comma after it, a TUPLE. */
gx_node *gx_parse_exprs(gx_parser *p);
gx_node *gx_parse_item(gx_parser *p);
bool gx_parser_starts_expr(gx_token_kind kind);
/* atom.c */
gx_node *gx_parse_atom(gx_parser *p);
/* display.c */
gx_node *gx_parse_paren(gx_parser *p);
/* Names, keys and alternatives of a whole pattern; last: nothing comes behind it. */
bool gx_pattern_check(gx_parser *p, const gx_node *pattern, bool last);
gx_node *gx_parse_bracket(gx_parser *p);
gx_node *gx_parse_brace(gx_parser *p);
gx_node *gx_parse_genexp(gx_parser *p, gx_node *element, uint32_t start);
/* trailer.c: attributes, calls and subscripts after an atom. */
gx_node *gx_parse_trailers(gx_parser *p, gx_node *n, uint32_t start);
/* literal.c */
gx_node *gx_parse_number(gx_parser *p);
gx_node *gx_parse_strings(gx_parser *p);
/* params.c */
gx_node *gx_parse_lambda(gx_parser *p);
/* Both texts as one, in the unit's arena; NULL: no memory. */
const char *gx_parser_joined(gx_parser *p, const char *a, const char *b);
gx_function *gx_parser_function(gx_parser *p, const char *name, uint32_t start);
GX_CHECK bool gx_parse_params(gx_parser *p, gx_function *f, gx_token_kind closer);
/* target.c */
typedef enum gx_target_use { GX_TARGET_ASSIGN, GX_TARGET_AUGMENT, GX_TARGET_DELETE } gx_target_use;
GX_CHECK bool gx_parser_check_target(gx_parser *p, const gx_node *n, gx_target_use use);
gx_node *gx_parse_targets(gx_parser *p);
/* stmt.c: one or more simple statements to the end of the line, pushed on the pile. */
GX_CHECK bool gx_parse_simple_line(gx_parser *p);
/* import.c */
gx_node *gx_parse_import(gx_parser *p);
gx_node *gx_parse_from(gx_parser *p);
/* compound.c */
bool gx_parser_starts_compound(gx_token_kind kind);
gx_node *gx_parse_compound(gx_parser *p);
gx_node *gx_parse_try(gx_parser *p);
gx_node *gx_parse_with(gx_parser *p);
/* star.c: the one ordinary clause that does what except* clauses, pushed since mark, say; it takes
   their place. */
GX_CHECK bool gx_parser_unstar(gx_parser *p, size_t mark);
gx_node *gx_parse_def(gx_parser *p);
/* class.c */
gx_node *gx_parse_class(gx_parser *p);
gx_node *gx_parse_decorated(gx_parser *p);
/* params.c: type parameters in brackets, where there are any; *out: TYPES or NULL. */
GX_CHECK bool gx_parse_types(gx_parser *p, gx_node **out);
/* A class with type parameters is below Generic[T, …]. */
GX_CHECK bool gx_parser_generic_base(gx_parser *p, const gx_node *types, gx_node *bases);
/* Whether a type statement begins here; and it. */
bool gx_parser_starts_type(const gx_parser *p);
gx_node *gx_parse_type(gx_parser *p);
/* match.c: whether a match statement begins here; and it. */
bool gx_parser_starts_match(const gx_parser *p);
gx_node *gx_parse_match(gx_parser *p);
/* yield.c */
gx_node *gx_parse_yield(gx_parser *p);
/* Pushes the YIELDED statements of the current statement. */
GX_CHECK bool gx_parser_flush_yields(gx_parser *p);
/* The error for a yield in n, which is evaluated only sometimes. */
void *gx_parser_conditional_yield(gx_parser *p, const gx_node *n);
/* The text of what the parser has taken since `start`, as a STR node; NULL: memory. */
gx_node *gx_parser_annotation(gx_parser *p, uint32_t start);
/* block.c: ':' and what it governs (`what`: "'if' statement", `header`: where it began); and all
   statements up to the DEDENT (`nested`) or the end of the text. */
gx_node *gx_parse_block(gx_parser *p, const char *what, uint32_t header);
gx_node *gx_parse_statements(gx_parser *p, bool nested);
/* The docstring that a block begins with, without its margin, or NULL. */
const char *gx_parser_doc(gx_parser *p, const gx_node *block);

/* scope.c: gives every NAME of a parsed unit its scope and slot. */
GX_CHECK bool gx_scope_resolve(gx_parser *p, gx_map *globals);

#endif
