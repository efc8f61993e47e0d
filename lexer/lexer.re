/* The rules of gx's tokens, for re2c. This file only recognises; scan.c acts on what was
   recognised, strings.c and number.c look closer at literals. The text ends with NUL bytes, which
   no rule crosses: no bounds check is needed. */
#include "lexer/lexer_int.h"

/* Operators and brackets: the longest that matches. */
static bool scan_operator(const gx_byte **at, gx_token_kind *kind) {
    const gx_byte *YYCURSOR = *at, *YYMARKER;
#define OPERATOR(k)                                                                                \
    do {                                                                                           \
        *kind = GX_TOKEN_##k;                                                                      \
        *at = YYCURSOR;                                                                            \
        return true;                                                                               \
    } while (0)
    /*!re2c
    re2c:define:YYCTYPE = gx_byte;
    re2c:yyfill:enable = 0;
    "("   { OPERATOR(LPAREN); }       ")"   { OPERATOR(RPAREN); }
    "["   { OPERATOR(LBRACKET); }     "]"   { OPERATOR(RBRACKET); }
    "{"   { OPERATOR(LBRACE); }       "}"   { OPERATOR(RBRACE); }
    ","   { OPERATOR(COMMA); }        ":"   { OPERATOR(COLON); }
    ";"   { OPERATOR(SEMICOLON); }    "."   { OPERATOR(DOT); }
    "..." { OPERATOR(ELLIPSIS); }     "->"  { OPERATOR(ARROW); }
    "="   { OPERATOR(EQUAL); }        ":="  { OPERATOR(WALRUS); }
    "+"   { OPERATOR(PLUS); }         "-"   { OPERATOR(MINUS); }
    "*"   { OPERATOR(STAR); }         "/"   { OPERATOR(SLASH); }
    "//"  { OPERATOR(SLASHSLASH); }   "%"   { OPERATOR(PERCENT); }
    "@"   { OPERATOR(AT); }           "**"  { OPERATOR(STARSTAR); }
    "<<"  { OPERATOR(LSHIFT); }       ">>"  { OPERATOR(RSHIFT); }
    "&"   { OPERATOR(AMP); }          "|"   { OPERATOR(PIPE); }
    "^"   { OPERATOR(CARET); }        "~"   { OPERATOR(TILDE); }
    "<"   { OPERATOR(LT); }           ">"   { OPERATOR(GT); }
    "<="  { OPERATOR(LE); }           ">="  { OPERATOR(GE); }
    "=="  { OPERATOR(EQ); }           "!="  { OPERATOR(NE); }
    "!"   { OPERATOR(BANG); }         "&&"  { OPERATOR(AMPAMP); }
    "||"  { OPERATOR(PIPEPIPE); }
    "+="  { OPERATOR(PLUS_EQUAL); }   "-="  { OPERATOR(MINUS_EQUAL); }
    "*="  { OPERATOR(STAR_EQUAL); }   "@="  { OPERATOR(AT_EQUAL); }
    "/="  { OPERATOR(SLASH_EQUAL); }  "//=" { OPERATOR(SLASHSLASH_EQUAL); }
    "%="  { OPERATOR(PERCENT_EQUAL); } "**=" { OPERATOR(STARSTAR_EQUAL); }
    "<<=" { OPERATOR(LSHIFT_EQUAL); } ">>=" { OPERATOR(RSHIFT_EQUAL); }
    "&="  { OPERATOR(AMP_EQUAL); }    "^="  { OPERATOR(CARET_EQUAL); }
    "|="  { OPERATOR(PIPE_EQUAL); }
    *     { return false; }
    */
#undef OPERATOR
}

gx_scan gx_lexer_scan(gx_lexer *x, const gx_byte **start, gx_token_kind *kind) {
    const gx_byte *YYCURSOR = x->at, *YYMARKER, *from;
#define FOUND(what, k) return (*kind = (k), *start = from, x->at = YYCURSOR, (what))
again:
    from = YYCURSOR;
    /*!re2c
    re2c:define:YYCTYPE = gx_byte;
    re2c:yyfill:enable = 0;
    eol       = "\r\n" | "\n" | "\r";
    digits    = [0-9] ("_"? [0-9])*;
    hex       = "0" [xX] ("_"? [0-9a-fA-F])+;
    octal     = "0" [oO] ("_"? [0-7])+;
    binary    = "0" [bB] ("_"? [01])+;
    exponent  = [eE] [+-]? digits;
    point     = digits "." digits? | "." digits;
    float     = point exponent? | digits exponent;
    letter    = [A-Za-z_\x80-\xff];
    prefix    = [rR] [bBfF]? | [bBfF] [rR]? | [uU];
    quotes    = ["] | ['] | ["]{3} | [']{3};

    [ \t\f]+                    { goto again; }
    "\\" eol                    { FOUND(GX_SCAN_JOIN, GX_TOKEN_END); }
    eol                         { FOUND(GX_SCAN_NEWLINE, GX_TOKEN_NEWLINE); }
    "#" [^\r\n\x00]*            { FOUND(GX_SCAN_COMMENT, GX_TOKEN_COMMENT); }
    digits | hex | octal | binary { FOUND(GX_SCAN_NUMBER, GX_TOKEN_INT); }
    float                       { FOUND(GX_SCAN_NUMBER, GX_TOKEN_FLOAT); }
    (float | digits) [jJ]       { FOUND(GX_SCAN_NUMBER, GX_TOKEN_IMAG); }
    letter [A-Za-z0-9_\x80-\xff]* { FOUND(GX_SCAN_NAME, GX_TOKEN_NAME); }
    prefix? quotes              { FOUND(GX_SCAN_STRING, GX_TOKEN_STRING); }
    *                           { goto other; }
    */
other:
    YYCURSOR = from;
    if (scan_operator(&YYCURSOR, kind)) FOUND(GX_SCAN_TOKEN, *kind);
    FOUND(GX_SCAN_OTHER, GX_TOKEN_ERROR);
#undef FOUND
}
