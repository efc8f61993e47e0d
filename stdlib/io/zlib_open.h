/* The part of the system's zlib that gx uses, opened when it is needed: gx itself links to no
   library for it. The same in every version since 1.2. */
#ifndef GX_STDLIB_IO_ZLIB_OPEN_H
#define GX_STDLIB_IO_ZLIB_OPEN_H

#include "runtime/base/rt.h"

typedef struct gx_zstream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned, unsigned);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler, reserved;
} gx_zstream;

typedef struct gx_zlib {
    void *handle;
    int (*inflate_init)(gx_zstream *, int, const char *, int);
    int (*inflate)(gx_zstream *, int);
    int (*inflate_end)(gx_zstream *);
    int (*inflate_words)(gx_zstream *, const uint8_t *, unsigned);
    int (*deflate_init)(gx_zstream *, int, int, int, int, int, const char *, int);
    int (*deflate)(gx_zstream *, int);
    int (*deflate_end)(gx_zstream *);
    int (*deflate_words)(gx_zstream *, const uint8_t *, unsigned);
    const char *(*version)(void);
} gx_zlib;

/* ImportError where the system has none; `who` needs it. The handle is closed by dlclose. */
GX_CHECK bool gx_zlib_open(gx_rt *rt, const char *who, gx_zlib *out);
/* A stream whose memory is gx_alloc's. */
gx_zstream gx_zlib_stream(gx_rt *rt);

#endif
