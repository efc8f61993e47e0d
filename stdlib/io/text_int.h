/* Numbers written as text: what np_text*.c, genfromtxt.c and raw.c share. */
#ifndef GX_STDLIB_IO_TEXT_INT_H
#define GX_STDLIB_IO_TEXT_INT_H

#include "runtime/base/vec.h"
#include "stdlib/io/files.h"

/* One element, blanks around it allowed; false: the text is no number of this dtype. Reads no
   further than n bytes and asks no locale. */
bool gx_text_number(const char *text, size_t n, gx_dtype d, gx_scalar *out);

typedef enum gx_text_coding {
    GX_TEXT_UTF8,
    GX_TEXT_BYTES, /* as UTF-8; converters get bytes */
    GX_TEXT_ASCII,
    GX_TEXT_LATIN1
} gx_text_coding;
/* An encoding= argument; None is UTF-8. LookupError. */
GX_CHECK bool gx_text_coding_arg(gx_call *c, int i, gx_text_coding *out);
/* A file's bytes as text, in place; UnicodeDecodeError. */
GX_CHECK bool gx_text_decode(gx_rt *rt, gx_text_coding coding, gx_buf *b);
/* Text as a file's bytes, in place; UnicodeEncodeError. */
GX_CHECK bool gx_text_encode(gx_rt *rt, gx_text_coding coding, gx_buf *b);

/* The fields of a line (text_fields.c). */
typedef struct gx_field {
    const char *text;
    size_t n;
} gx_field;

enum { GX_FEW_COMMENTS = 8 };

typedef struct gx_fields {
    gx_rt *rt;
    gx_field comments[GX_FEW_COMMENTS]; /* what begins a comment; borrowed texts */
    int comment_count;
    int delimiter, quote; /* bytes of ASCII; delimiter -1: blanks; quote -1: none */
    GX_VEC(gx_field) list; /* of the line split last */
    gx_buf plain;          /* quoted ones without their quotes */
    bool open;             /* a quoted field did not end with the line */
} gx_fields;
/* The arguments comments=, delimiter= and quotechar=, each checked, and against each other. */
GX_CHECK bool gx_fields_args(gx_call *c, int comments, int delimiter, int quote, gx_fields *f);
void gx_fields_free(gx_fields *f);
/* Cuts a line; the fields are valid until the next call and while the line is. */
GX_CHECK bool gx_fields_split(gx_fields *f, const char *p, size_t n);

/* Lines one after another. */
typedef struct gx_lines {
    gx_rt *rt;
    gx_buf all; /* the whole text, or a copy of one line */
    size_t at;
    gx_value iterator; /* UNDEF: all holds everything */
    int64_t number;    /* of the line given last, from 1 on */
    char name[160];
} gx_lines;

/* A path (also of a packed file), a file object, or anything that yields lines. lazy: no more is
   read than is asked for. */
GX_CHECK bool gx_lines_open(gx_rt *rt, gx_borrowed v, bool lazy, gx_text_coding coding,
                            gx_lines *out);
void gx_lines_close(gx_lines *l);
/* A line without its end, valid until the next call. */
GX_CHECK bool gx_lines_next(gx_lines *l, const char **text, size_t *n, bool *more);

/* ValueError where the elements of a dtype are not read of texts: records and dates. */
GX_CHECK bool gx_text_dtype_ok(gx_call *c, gx_dtype d);

#endif
