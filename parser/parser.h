/* Parsing: a source becomes a gx_unit with resolved names, or several located syntax errors. */
#ifndef GX_PARSER_PARSER_H
#define GX_PARSER_PARSER_H

#include "parser/ast.h"

typedef enum gx_parse_status {
    GX_PARSE_OK,
    GX_PARSE_INCOMPLETE, /* the text is a prefix of a program: the REPL asks for another line */
    GX_PARSE_ERROR       /* see gx_parse_errors; rt->error holds the first one */
} gx_parse_status;

enum { GX_MAX_SYNTAX_ERRORS = 10 };

/* All syntax errors of one parse, in source order; the first is also pending in rt->error. */
typedef struct gx_syntax_error {
    gx_error_kind kind;
    gx_span at;
    char *message, *help; /* owned */
    const char *code;     /* NULL: it has no page */
} gx_syntax_error;
typedef struct gx_parse_errors {
    gx_rt *rt; /* whose memory the texts are; set by gx_parse */
    gx_syntax_error list[GX_MAX_SYNTAX_ERRORS];
    int count;
} gx_parse_errors;

/* Parses and resolves a source. `globals` maps the module's global names to slots and grows: give
   the same map to each unit of a module (each REPL entry). On GX_PARSE_OK *out is owned by the
   caller (gx_unit_free). errors may be NULL; gx_parse fills it anew, the caller frees it. Running
   out of memory is GX_PARSE_ERROR with an empty list. `interactive`: the text is what was typed so
   far, its lines joined by '\n' with none after the last; GX_PARSE_INCOMPLETE only then. A compound
   statement wants a blank line to end it, which is a text that ends in '\n'. */
gx_parse_status gx_parse(gx_rt *rt, uint32_t source, gx_map *globals, bool interactive,
                         gx_unit **out, gx_parse_errors *errors);
void gx_unit_free(gx_unit *unit);
void gx_parse_errors_free(gx_parse_errors *errors);

#endif
