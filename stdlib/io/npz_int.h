/* Zip archives of arrays: what npz.c, npz_zip.c, npz_save.c and npz_zlib.c share. */
#ifndef GX_STDLIB_IO_NPZ_INT_H
#define GX_STDLIB_IO_NPZ_INT_H

#include "stdlib/io/files.h"

enum { GX_ZIP_STORED = 0, GX_ZIP_DEFLATED = 8 };

typedef struct gx_zip_entry {
    char *name; /* owned, NUL-terminated */
    uint32_t crc;
    int method;
    int64_t packed, bytes, at; /* sizes in the archive and unpacked; place of the local header */
} gx_zip_entry;

/* An archive for reading. Every place in it is below size. */
typedef struct gx_zip {
    gx_rt *rt;
    gx_infile file; /* of a path: read by position; else f is NULL and the bytes are here */
    gx_buf bytes;
    int64_t size, shift; /* what precedes the archive in its file */
    gx_zip_entry *entries;
    int64_t count;
    uint32_t table[GX_CRC_TABLE]; /* CRC-32 */
} gx_zip;

/* Takes the source over; first: what was read of it. Reads the directory and checks it. */
GX_CHECK bool gx_zip_open(gx_infile *s, const char *first, size_t n, gx_zip *out);
void gx_zip_close(gx_zip *z);
/* The bytes of an entry; buf holds them while they are inflated ones, or NULL. */
GX_CHECK bool gx_zip_entry_open(gx_zip *z, const gx_zip_entry *e, gx_infile *out, void **inflated);
/* Everything was read: is the checksum right? */
GX_CHECK bool gx_zip_entry_check(const gx_zip_entry *e, const gx_infile *s);

/* zlib, which is opened when it is needed. ImportError when the system lacks it. */
/* Exactly `bytes` bytes out of n. */
GX_CHECK bool gx_inflate(gx_rt *rt, const char *name, const void *from, size_t n, void *to,
                         size_t bytes);
/* All of a gzip file (its members one after another), behind what the buffer holds. */
GX_CHECK bool gx_gunzip(gx_rt *rt, const char *name, const void *from, size_t n, gx_buf *out);
/* A gzip file of n bytes, behind what the buffer holds. */
GX_CHECK bool gx_gzip(gx_rt *rt, const void *from, size_t n, gx_buf *out);
/* Two pieces after another, behind what the buffer holds. */
GX_CHECK bool gx_deflate(gx_rt *rt, const void *const piece[2], const size_t length[2],
                         gx_buf *out);

#endif
