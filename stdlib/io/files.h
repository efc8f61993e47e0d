/* Where array files are read from and written to: paths, file objects, files in memory, anything
   with read and write. For the formats of arrays and texts. */
#ifndef GX_STDLIB_IO_FILES_H
#define GX_STDLIB_IO_FILES_H

#include <stdio.h>

#include "runtime/array/array.h"
#include "runtime/object/native.h"

/* Bytes to read in order. Exactly one of f, object and data (a length may be 0) is in use. */
typedef struct gx_infile {
    gx_rt *rt;
    FILE *f;
    gx_value object; /* has a read method; borrowed */
    const char *data;
    int64_t left;   /* bytes that follow; -1: nobody knows */
    bool owned;     /* f is closed with the source */
    uint32_t crc;   /* of what was read, while table is not NULL */
    const uint32_t *table;
    char name[160]; /* for messages */
} gx_infile;

/* A path, a file object, or an object with a read method. FileNotFoundError and its kind. */
GX_CHECK bool gx_infile_open(gx_rt *rt, gx_borrowed file, gx_infile *out);
/* Bytes in memory, borrowed. */
gx_infile gx_infile_memory(gx_rt *rt, const char *data, size_t length, const char *name);
void gx_infile_close(gx_infile *s);
/* Up to n bytes; *got is less than n only at the end. */
GX_CHECK bool gx_infile_read(gx_infile *s, void *to, size_t n, size_t *got);
enum { GX_CRC_TABLE = 8 * 256 };
/* CRC-32 by a table. */
void gx_crc_table(uint32_t table[GX_CRC_TABLE]);
uint32_t gx_crc(const uint32_t *table, uint32_t crc, const void *data, size_t n);
/* May a source whose end nobody knows give so many bytes? MemoryError beyond half of the machine's
   memory: such sources (devices, pipes, packed files) could go on until nothing is left. */
GX_CHECK bool gx_infile_may_hold(gx_rt *rt, const char *name, size_t bytes);
/* Skips bytes (back, when negative); only where the source is a file. */
GX_CHECK bool gx_infile_skip(gx_infile *s, int64_t bytes);
/* All that follows, behind what the buffer holds. */
GX_CHECK bool gx_infile_rest(gx_infile *s, gx_buf *out);

/* Where bytes go. A path is written under a temporary name that takes the path's place at the end,
   so that a failure leaves what was there. */
typedef struct gx_outfile {
    gx_rt *rt;
    FILE *f;
    gx_value object; /* a file object or one with a write method; borrowed */
    char *path, *temporary; /* owned; temporary NULL: written directly */
    bool text;       /* the object takes str */
    int64_t written;
} gx_outfile;

/* suffix: added to a path that lacks it, or NULL. text: a text file may be given. */
GX_CHECK bool gx_outfile_open(gx_rt *rt, gx_borrowed file, const char *suffix, bool text,
                           gx_outfile *out);
GX_CHECK bool gx_outfile_write(gx_outfile *s, const void *data, size_t n);
/* Ends the writing: the file takes its place (ok), or nothing is left of it. Passes ok on. */
GX_CHECK bool gx_outfile_done(gx_outfile *s, bool ok);

/* --- .npy (npy.c, npy_header.c) --- */

typedef struct gx_npy {
    gx_dtype dtype;
    bool swapped, fortran; /* the other byte order; the first index runs fastest */
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    int64_t count, bytes;
} gx_npy;

enum { GX_NPY_MAGIC = 6, GX_NPY_HEADER_MAX = 10000 };
extern const char gx_npy_magic[GX_NPY_MAGIC + 1];

/* The header's text; ValueError naming what is wrong, TypeError-free. */
GX_CHECK bool gx_npy_parse(gx_rt *rt, const char *text, size_t n, const char *name, gx_npy *out);
/* Magic, version and header of an array that is stored in an order. */
GX_CHECK bool gx_npy_header(const gx_array *a, bool fortran, gx_buf *out);
/* An array whose magic has been read already. */
GX_CHECK bool gx_npy_read(gx_infile *s, gx_namespace ns, int64_t most, gx_array **out);
/* The elements as they are stored, with the header; both owned by the caller. */
typedef struct gx_npy_image {
    gx_buf header;
    gx_array *array; /* owned */
    const char *data;
    size_t bytes;
} gx_npy_image;
GX_CHECK bool gx_npy_image_of(gx_rt *rt, gx_borrowed v, gx_npy_image *out);
void gx_npy_image_free(gx_npy_image *image);

/* --- memory maps (memmap.c) --- */

enum { GX_MAP_CREATE = 'w' };
/* A mode argument: 'r', 'c', '+' (r+) or GX_MAP_CREATE (w+), or ValueError. */
GX_CHECK bool gx_map_mode(gx_call *c, int i, char *out);
/* An array of h's shape, order and dtype over a file's bytes from `at` on, which are there. */
GX_CHECK bool gx_map_path(gx_rt *rt, const char *path, int64_t at, char mode, const gx_npy *h,
                          gx_namespace ns, gx_array **out);

/* --- .npz (npz.c, npz_zip.c, npz_zlib.c) --- */

/* Opens an archive whose first four bytes have been read; the source is taken over. */
GX_CHECK bool gx_npz_open(gx_infile *s, const char *first, size_t n, gx_namespace ns,
                          gx_value *out);

#endif
