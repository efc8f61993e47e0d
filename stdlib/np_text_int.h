/* Numbers written as text: what np_text.c, np_text_lines.c and np_text_number.c share. */
#ifndef GX_STDLIB_NP_TEXT_INT_H
#define GX_STDLIB_NP_TEXT_INT_H

#include "stdlib/np_files_int.h"

/* One element, blanks around it allowed; false: the text is no number of this dtype. Reads no
   further than n bytes and asks no locale. */
bool gx_text_number(const char *text, size_t n, gx_dtype d, gx_scalar *out);

/* Lines one after another. */
typedef struct gx_lines {
    gx_rt *rt;
    gx_buf all; /* the whole text, or a copy of one line */
    size_t at;
    gx_value iterator; /* UNDEF: all holds everything */
    int64_t number;    /* of the line given last, from 1 on */
    char name[160];
} gx_lines;

/* A path, a file object, or anything that yields lines. lazy: no more is read than is asked for. */
GX_CHECK bool gx_lines_open(gx_rt *rt, gx_borrowed v, bool lazy, gx_lines *out);
void gx_lines_close(gx_lines *l);
/* A line without its end, valid until the next call. */
GX_CHECK bool gx_lines_next(gx_lines *l, const char **text, size_t *n, bool *more);

#endif
