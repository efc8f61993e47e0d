/* The state of a running lexer, shared by lexer.re, indent.c, scan.c and strings.c. */
#ifndef GX_LEXER_LEXER_INT_H
#define GX_LEXER_LEXER_INT_H

#include "lexer/lexer.h"

typedef unsigned char gx_byte;

typedef struct gx_bracket {
    uint32_t at;
    char open;
    bool field; /* the brace of an f-string's field */
    bool spec;  /* past the field's ':': text again */
} gx_bracket;

typedef struct gx_fstring {
    uint32_t at;    /* its start, prefix included */
    uint16_t depth; /* brackets open where it began */
    char quote;
    uint8_t flags;
} gx_fstring;

typedef struct gx_lexer {
    gx_rt *rt;
    gx_tokens *out;
    const gx_byte *text, *limit;
    const gx_byte *at; /* the next byte */
    unsigned flags;
    bool line_start;
    bool stop; /* a mistake after which nothing can be trusted, or memory is gone */
    bool no_memory;
    int brackets, fstrings, indents;
    gx_bracket bracket[GX_MAX_BRACKETS];
    gx_fstring fstring[GX_MAX_BRACKETS + 1];
    int32_t indent[GX_MAX_INDENTS + 1], alt_indent[GX_MAX_INDENTS + 1];
} gx_lexer;

/* lexer.re: the kind of the token at x->at, which it moves past; NUL and others come back as
   GX_TOKEN_ERROR and are looked at by scan.c. Blanks and joined lines are skipped before. */
typedef enum gx_scan {
    GX_SCAN_TOKEN,  /* *kind */
    GX_SCAN_NUMBER, /* *kind: INT, FLOAT or IMAG, still to be checked */
    GX_SCAN_STRING, /* a prefix and opening quotes */
    GX_SCAN_NAME,   /* a name or keyword */
    GX_SCAN_COMMENT,
    GX_SCAN_NEWLINE,
    GX_SCAN_JOIN, /* a backslash at the end of a line */
    GX_SCAN_OTHER /* nothing known; x->at has not moved */
} gx_scan;
gx_scan gx_lexer_scan(gx_lexer *x, const gx_byte **start, gx_token_kind *kind);

/* scan.c */
void gx_lexer_emit(gx_lexer *x, gx_token_kind kind, const gx_byte *start, const gx_byte *end);
void gx_lexer_emit_text(gx_lexer *x, gx_token_kind kind, const gx_byte *start, const gx_byte *end,
                        unsigned flags, size_t skip);
/* Emits an ERROR token with a message; help may be NULL. */
void gx_lexer_error(gx_lexer *x, gx_error_kind kind, const gx_byte *start, const gx_byte *end,
                    const char *help, const char *fmt, ...) GX_PRINTF(6, 7);
/* Pushes a bracket or says that there are too many. */
void gx_lexer_open(gx_lexer *x, const gx_byte *at, bool field);

/* indent.c: measures the blanks at a line's start and emits INDENT and DEDENT. */
void gx_lexer_indent(gx_lexer *x);

/* strings.c: after the opening quotes; and the text of an f-string or of a format spec. */
void gx_lexer_string(gx_lexer *x, const gx_byte *start);
void gx_lexer_fstring_text(gx_lexer *x);
/* number.c: what is wrong with a number, if anything; moves past the wrong part. */
void gx_lexer_number(gx_lexer *x, const gx_byte *start, gx_token_kind kind);
/* number.c: a name with bytes >= 0x80, or a byte that starts nothing. */
void gx_lexer_other(gx_lexer *x);
/* The length of the prefix of [at, end) that may stand in a name. */
size_t gx_lexer_name_length(const gx_byte *at, const gx_byte *end);

#endif
