/* Indentation: the blanks at the start of a logical line become INDENT and DEDENT tokens. A tab
   goes to the next multiple of 8; a second count, where it is one column, finds lines whose meaning
   depends on the width of a tab. Blank lines and comment lines do not count. */
#include "lexer/lexer_int.h"

static void push(gx_lexer *x, int32_t column, int32_t alt, const gx_byte *start) {
    if (x->indents == GX_MAX_INDENTS) {
        gx_lexer_error(x, GX_IndentationError, start, x->at, NULL,
                       "too many levels of indentation (at most %d)", GX_MAX_INDENTS);
        x->stop = true;
        return;
    }
    x->indents++;
    x->indent[x->indents] = column;
    x->alt_indent[x->indents] = alt;
    gx_lexer_emit(x, GX_TOKEN_INDENT, start, x->at);
}

/* Compares the line's columns with the open blocks. */
static void settle(gx_lexer *x, int32_t column, int32_t alt, const gx_byte *start) {
    bool mixed = false;
    if (column > x->indent[x->indents]) {
        mixed = alt <= x->alt_indent[x->indents];
        if (!mixed) push(x, column, alt, start);
    } else {
        while (column < x->indent[x->indents]) {
            x->indents--;
            gx_lexer_emit(x, GX_TOKEN_DEDENT, x->at, x->at);
        }
        if (column != x->indent[x->indents])
            gx_lexer_error(x, GX_IndentationError, start, x->at, NULL,
                           "unindent does not match any outer indentation level");
        else
            mixed = alt != x->alt_indent[x->indents];
    }
    if (mixed)
        gx_lexer_error(x, GX_TabError, start, x->at, NULL,
                       "inconsistent use of tabs and spaces in indentation");
}

void gx_lexer_indent(gx_lexer *x) {
    const gx_byte *start = x->at;
    int32_t column = 0, alt = 0;
    for (;; x->at++) {
        if (*x->at == ' ') {
            column++, alt++;
        } else if (*x->at == '\t') {
            column = (column / 8 + 1) * 8;
            alt++;
        } else if (*x->at == '\f') {
            column = alt = 0;
        } else if (*x->at == '\\' && (x->at[1] == '\n' || x->at[1] == '\r') &&
                   x->at + 2 < x->limit) {
            /* A joined line starts where its first part does: the blanks after it do not count. */
            x->at += x->at[1] == '\r' && x->at[2] == '\n' ? 3 : 2;
            while (*x->at == ' ' || *x->at == '\t' || *x->at == '\f') x->at++;
            break;
        } else {
            break;
        }
    }
    gx_byte c = *x->at;
    if (c == '\n' || c == '\r' || c == '#' || (c == 0 && x->at == x->limit)) return;
    x->line_start = false;
    settle(x, column, alt, start);
}
