/* Laying out formatted numbers, shared by format.c and format_float.c. */
#ifndef GX_RUNTIME_OBJECT_TEXT_FORMAT_INT_H
#define GX_RUNTIME_OBJECT_TEXT_FORMAT_INT_H

#include "runtime/object/text/str.h"

/* The type of a spec that asks for the shortest digits, as parts of complex numbers have them. */
enum { GX_SPEC_SHORTEST = 1 };

/* A number in pieces: sign, prefix ("0x"), the digits that grouping and zeros apply to, the rest.
 */
typedef struct gx_number_text {
    char sign; /* 0: none */
    const char *prefix;
    const char *digits;
    size_t digit_count;
    const char *rest;
    size_t rest_length;
    int group_size;
} gx_number_text;

GX_CHECK bool gx_format_number(gx_rt *rt, const gx_number_text *n, const gx_spec *spec,
                               gx_buf *out);
/* "Unknown format code 'x' for object of type 'float'". Always returns false. */
bool gx_format_unknown(gx_rt *rt, char code, const char *type);

#endif
