/* Properties of code points: letters, digits, spaces, case (unicode.c). */
#ifndef GX_RUNTIME_OBJECT_TEXT_UNICODE_H
#define GX_RUNTIME_OBJECT_TEXT_UNICODE_H

#include "runtime/base/buf.h"

bool gx_code_alpha(uint32_t c);
bool gx_code_decimal(uint32_t c);
bool gx_code_digit(uint32_t c);
bool gx_code_numeric(uint32_t c);
bool gx_code_space(uint32_t c);
bool gx_code_printable(uint32_t c);
bool gx_code_upper(uint32_t c);
bool gx_code_lower(uint32_t c);
bool gx_code_title(uint32_t c);
/* A letter of either case or title case. */
bool gx_code_cased(uint32_t c);
/* Looked over where a final sigma is told from others. */
bool gx_code_ignorable(uint32_t c);
bool gx_code_identifier(uint32_t c, bool first);
/* Adds what a code point becomes: one or several. */
typedef enum gx_letter {
    GX_LETTER_UPPER,
    GX_LETTER_LOWER,
    GX_LETTER_TITLE,
    GX_LETTER_FOLDED
} gx_letter;
GX_CHECK bool gx_code_convert(uint32_t c, gx_letter to, gx_buf *out);
/* The same code point for all letters that differ in case alone, as patterns see it. */
uint32_t gx_code_caseless(uint32_t c);
/* The value of a decimal digit of any script; -1: none. */
int gx_code_digit_value(uint32_t c);

#endif
