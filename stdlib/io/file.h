/* The file object of open(), sys.stdin, sys.stdout, sys.stderr. */
#ifndef GX_STDLIB_IO_FILE_H
#define GX_STDLIB_IO_FILE_H

#include <errno.h>
#include <stdio.h>

#include "runtime/object/native.h"

typedef struct gx_file {
    gx_obj obj;
    FILE *f;        /* NULL: closed */
    gx_value name;  /* a str, or the descriptor as an int */
    char mode[4];   /* "r", "w", "rb+" … */
    bool binary, readable, writable;
    bool standard;  /* stdin, stdout, stderr: closing only flushes */
    bool keep_newlines; /* newline='': "\r\n" is not turned into "\n" */
    const char *line_end;  /* what newline= writes for "\n"; NULL: that */
    gx_value encoding, errors; /* str, what codecs does for this file; UNDEF: UTF-8, strictly */
    bool begun;     /* what codecs does has begun: read, or its mark is written */
    bool wrote;     /* the last operation was a write: C wants a seek before a read */
} gx_file;

extern const gx_type gx_type_file;

static inline gx_file *gx_as_file(gx_borrowed v) {
    return (gx_file *)v.obj;
}
static inline bool gx_is_file(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_file;
}
/* Of sys.stdout and sys.stderr. */
static inline gx_channel gx_file_channel(const gx_file *file) {
    return file->f == stderr ? GX_ERR : GX_OUT;
}
/* Hands on what is buffered: 0, or an errno. */
static inline int gx_file_flush(gx_rt *rt, const gx_file *file) {
    if (file->standard && file->writable) return gx_write_flush(rt, gx_file_channel(file));
    errno = 0;
    return fflush(file->f) == 0 ? 0 : errno ? errno : EIO;
}
/* Writes bytes; ValueError when closed or not writable, OSError. */
GX_CHECK bool gx_file_write(gx_rt *rt, gx_file *file, const char *text, size_t length);
/* The rest of the file (limit < 0), or at most limit bytes (binary) or characters (text). */
GX_CHECK bool gx_file_read(gx_rt *rt, gx_file *file, int64_t limit, gx_buf *out);
/* Before a file of codecs' is read or moved in: its text stands in memory. */
GX_CHECK bool gx_file_decode(gx_rt *rt, gx_file *file);
/* A line with its end; empty at the end of the file. */
GX_CHECK bool gx_file_line(gx_rt *rt, gx_file *file, gx_buf *out);
/* Bytes read as the file's kind of text: str (checked UTF-8) or bytes. The buffer is freed. */
GX_CHECK bool gx_file_text(gx_rt *rt, bool binary, gx_buf *b, gx_value *out);

/* print(file=…), csv: writes text to anything with a write method. */
GX_CHECK bool gx_write_to(gx_rt *rt, gx_borrowed target, const char *text, size_t length);

/* writelines(self, lines) of a type whose write(self, text) is given; that one gives a number. */
GX_CHECK bool gx_write_lines(gx_call *c, gx_native_fn write, gx_value *out);

/* The fields of open()'s rows, also those of io.open. */
bool gx_file_open(gx_call *c, gx_value *out);

#endif
