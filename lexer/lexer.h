/* Source text to tokens. The whole text is cut at once; mistakes become ERROR tokens in place, so
   the parser reports them in source order together with its own. Tokens hold byte positions only:
   gx_literal_* decode numbers and strings when a node is made.

   It does not know the grammar. Invariant: a token list ends with NEWLINE (if it has any
   statement), one DEDENT for every INDENT, and END; token positions never decrease, except that an
   ERROR token for something never closed points back to what opened it. */
#ifndef GX_LEXER_LEXER_H
#define GX_LEXER_LEXER_H

#include "runtime/base/buf.h"
#include "runtime/base/rt.h"

typedef enum gx_token_kind {
#define TOKEN(kind, text) GX_TOKEN_##kind,
#define KEYWORD(kind, text) GX_TOKEN_##kind,
#define PUNCT(kind, text) GX_TOKEN_##kind,
#include "lexer/tokens.def"
    GX_TOKEN_KINDS
} gx_token_kind;

/* Flags of STRING and FSTRING_* tokens. */
enum {
    GX_STRING_RAW = 1,
    GX_STRING_BYTES = 2,
    GX_STRING_TRIPLE = 4,
    GX_STRING_FORMAT = 8, /* FSTRING_TEXT outside a format spec: {{ and }} stand for one brace */
    GX_STRING_PLAIN = 16  /* no escapes, no carriage returns: the text is the value */
};

typedef struct gx_token {
    uint8_t kind;        /* gx_token_kind */
    uint8_t flags;       /* strings */
    uint16_t error;      /* ERROR: index into gx_tokens.errors; strings: bytes before the text */
    uint32_t start, end; /* bytes */
} gx_token;

typedef struct gx_lex_error {
    gx_error_kind kind;
    gx_span at;
    char *message, *help; /* owned; help may be NULL */
} gx_lex_error;

enum { GX_MAX_BRACKETS = 200, GX_MAX_INDENTS = 100, GX_MAX_LEX_ERRORS = 40 };

typedef struct gx_tokens {
    gx_rt *rt;
    uint32_t source;
    gx_token *items;
    size_t count, room;
    gx_lex_error errors[GX_MAX_LEX_ERRORS];
    int error_count;
    bool incomplete;      /* the text ends inside a bracket, a triple-quoted string or after a \ */
    bool unclosed;        /* the text ends inside a bracket … */
    uint32_t unclosed_at; /* … that was opened here (the innermost) */
} gx_tokens;

enum { GX_LEX_COMMENTS = 1 }; /* make COMMENT tokens too (for colours); the parser wants none */

/* Cuts a source into tokens. False: MemoryError. Mistakes in the text are ERROR tokens. */
GX_CHECK bool gx_lex(gx_rt *rt, uint32_t source, unsigned flags, gx_tokens *out);
void gx_tokens_free(gx_tokens *t);

/* How a message names a kind: "a name", "'+='", "'if'". */
const char *gx_token_name(gx_token_kind kind);
/* The keyword that a text spells, or GX_TOKEN_NAME. */
gx_token_kind gx_token_keyword(const char *text, size_t length);

/* Why a literal could not be decoded: where in the source and what to say. */
typedef struct gx_literal_error {
    uint32_t start, end;
    char message[160], help[120]; /* help: "" when there is none */
} gx_literal_error;

/* Adds the value of a STRING or FSTRING_TEXT token to out. False: MemoryError pending, or, with
   nothing pending, *error says what is wrong with the text. */
GX_CHECK bool gx_literal_string(gx_rt *rt, const char *source, const gx_token *t, gx_buf *out,
                                gx_literal_error *error);
/* Adds the digits of an INT token: underscores removed, the base prefix in lower case. */
GX_CHECK bool gx_literal_int(const char *source, const gx_token *t, gx_buf *out);
/* The value of a FLOAT or IMAG token. */
GX_CHECK bool gx_literal_float(gx_rt *rt, const char *source, const gx_token *t, double *out);

#endif
