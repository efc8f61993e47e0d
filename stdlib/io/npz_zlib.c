/* Deflate and inflate through the system's zlib, opened while it is needed: gx itself links to no
   library for it. Memory of zlib comes from gx_alloc. */
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "stdlib/io/npz_int.h"
#include "stdlib/io/zlib_open.h"

enum {
    FINISH = 4,
    NO_FLUSH = 0,
    STREAM_END = 1,
    OK = 0,
    BUF_ERROR = -5,
    MEM_ERROR = -4,
    RAW = -15,
    GZIP = 15 + 16
};

static void *take(void *rt, unsigned n, unsigned size) {
    size_t bytes;
    return __builtin_mul_overflow((size_t)n, (size_t)size, &bytes) ? NULL : gx_alloc(rt, bytes);
}

static void give(void *rt, void *p) {
    gx_free(rt, p);
}

bool gx_zlib_open(gx_rt *rt, const char *who, gx_zlib *z) {
    static const char *const names[] = {"libz.so.1", "libz.so", "libz-ng.so.2"};
    memset(z, 0, sizeof *z);
    for (size_t i = 0; !z->handle && i < sizeof names / sizeof *names; i++)
        z->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (z->handle) {
        *(void **)&z->inflate_init = dlsym(z->handle, "inflateInit2_");
        *(void **)&z->inflate = dlsym(z->handle, "inflate");
        *(void **)&z->inflate_end = dlsym(z->handle, "inflateEnd");
        *(void **)&z->inflate_words = dlsym(z->handle, "inflateSetDictionary");
        *(void **)&z->deflate_words = dlsym(z->handle, "deflateSetDictionary");
        *(void **)&z->version = dlsym(z->handle, "zlibVersion");
        *(void **)&z->deflate_init = dlsym(z->handle, "deflateInit2_");
        *(void **)&z->deflate = dlsym(z->handle, "deflate");
        *(void **)&z->deflate_end = dlsym(z->handle, "deflateEnd");
        if (z->inflate_init && z->inflate && z->inflate_end && z->deflate_init && z->deflate &&
            z->deflate_end && z->inflate_words && z->deflate_words && z->version)
            return true;
        dlclose(z->handle);
        z->handle = NULL;
    }
    gx_fail(rt, GX_ImportError, "npz.zlib",
            "%s need%s the library libz.so.1 (zlib), which is not on this machine", who,
            strcmp(who, "zlib") ? "" : "s");
    return gx_note(rt, "savez writes arrays as they are, without it");
}

gx_zstream gx_zlib_stream(gx_rt *rt) {
    return (gx_zstream){.zalloc = take, .zfree = give, .opaque = rt};
}

static bool failed(gx_rt *rt, const char *name, const gx_zstream *s, int status) {
    if (gx_failed(&rt->error)) return false;
    if (status == MEM_ERROR) return gx_no_memory(rt);
    return gx_fail(rt, GX_ValueError, "npz.deflate", "'%s' is damaged: %s", name,
                   s->msg ? s->msg : "its compressed data ends too early or too late");
}

static unsigned part_of(size_t n) {
    return n < (1u << 24) ? (unsigned)n : 1u << 24;
}

bool gx_inflate(gx_rt *rt, const char *name, const void *from, size_t n, void *to, size_t bytes) {
    gx_zlib z;
    uint8_t spare;
    gx_zstream s = {.zalloc = take, .zfree = give, .opaque = rt, .next_in = from, .next_out = to};
    if (!gx_zlib_open(rt, "compressed arrays", &z)) return false;
    int status = z.inflate_init(&s, RAW, "1.2.11", (int)sizeof s);
    if (status == OK) {
        size_t in = n, room = bytes;
        do {
            unsigned give_in = part_of(in), give_out = part_of(room);
            if (!gx_interrupt_check(rt)) break;
            s.avail_in = give_in;
            s.avail_out = give_out;
            if (room == 0) { /* a byte too many shows itself here */
                s.next_out = &spare;
                s.avail_out = give_out = 1;
            }
            status = z.inflate(&s, NO_FLUSH);
            in -= give_in - s.avail_in;
            if (room == 0 && s.avail_out == 0) status = BUF_ERROR;
            if (room) room -= give_out - s.avail_out;
        } while (status == OK);
        z.inflate_end(&s);
        if (status == STREAM_END && room) status = BUF_ERROR;
    }
    bool ok = status == STREAM_END && !gx_failed(&rt->error);
    if (!ok) failed(rt, name, &s, status);
    dlclose(z.handle);
    return ok;
}

/* One piece; all of it has gone in when this ends well. */
static int feed(gx_rt *rt, const gx_zlib *z, gx_zstream *s, const uint8_t *p, size_t n, int flush,
                gx_buf *out) {
    int status = OK;
    s->next_in = p;
    do {
        unsigned part = part_of(n);
        s->avail_in = part;
        bool last = part == n;
        do {
            if (!gx_buf_reserve(out, 65536) || !gx_interrupt_check(rt)) return MEM_ERROR;
            s->next_out = (uint8_t *)out->data + out->length;
            s->avail_out = 65536;
            status = z->deflate(s, last ? flush : NO_FLUSH);
            out->length += 65536 - s->avail_out;
        } while (status == OK && (s->avail_out == 0 || s->avail_in));
        n -= part;
    } while (n && (status == OK || status == BUF_ERROR));
    return status == BUF_ERROR ? OK : status;
}

static bool deflate_as(gx_rt *rt, int format, const char *name, const void *const piece[2],
                       const size_t length[2], gx_buf *out) {
    enum { DEFAULT_LEVEL = -1, DEFLATED = 8, MEMORY = 8, STRATEGY = 0 };
    gx_zlib z;
    gx_zstream s = {.zalloc = take, .zfree = give, .opaque = rt};
    if (!gx_zlib_open(rt, "compressed arrays", &z)) return false;
    int status = z.deflate_init(&s, DEFAULT_LEVEL, DEFLATED, format, MEMORY, STRATEGY, "1.2.11",
                                (int)sizeof s);
    if (status == OK) {
        status = feed(rt, &z, &s, piece[0], length[0], NO_FLUSH, out);
        if (status == OK) status = feed(rt, &z, &s, piece[1], length[1], FINISH, out);
        z.deflate_end(&s);
    }
    if (status != STREAM_END) failed(rt, name, &s, status);
    dlclose(z.handle);
    return status == STREAM_END;
}

bool gx_deflate(gx_rt *rt, const void *const piece[2], const size_t length[2], gx_buf *out) {
    return deflate_as(rt, RAW, "the array", piece, length, out);
}

bool gx_gzip(gx_rt *rt, const void *from, size_t n, gx_buf *out) {
    const void *piece[2] = {from, from};
    const size_t length[2] = {0, n};
    return deflate_as(rt, GZIP, "the text", piece, length, out);
}

/* One member; *left: what follows it. */
static int gunzip_member(gx_rt *rt, const gx_zlib *z, const char *name, const uint8_t *from,
                         size_t n, gx_zstream *s, gx_buf *out, size_t *left) {
    enum { STEP = 1 << 18 };
    int status = z->inflate_init(s, GZIP, "1.2.11", (int)sizeof *s);
    if (status != OK) return status;
    s->next_in = from;
    do {
        unsigned give_in = part_of(n);
        if (!gx_infile_may_hold(rt, name, out->length) || !gx_buf_reserve(out, STEP) ||
            !gx_interrupt_check(rt)) {
            status = MEM_ERROR;
            break;
        }
        s->next_out = (uint8_t *)out->data + out->length;
        s->avail_in = give_in;
        s->avail_out = STEP;
        status = z->inflate(s, NO_FLUSH);
        n -= give_in - s->avail_in;
        out->length += STEP - s->avail_out;
        if (status == BUF_ERROR && n) status = OK;
    } while (status == OK);
    z->inflate_end(s);
    *left = n;
    return status;
}

bool gx_gunzip(gx_rt *rt, const char *name, const void *from, size_t n, gx_buf *out) {
    gx_zlib z;
    const uint8_t *p = from;
    gx_zstream s = {.opaque = NULL};
    int status;
    if (!gx_zlib_open(rt, "compressed arrays", &z)) return false;
    do {
        size_t left = 0;
        s = (gx_zstream){.zalloc = take, .zfree = give, .opaque = rt};
        status = gunzip_member(rt, &z, name, p, n, &s, out, &left);
        p += n - left;
        n = left;
    } while (status == STREAM_END && n > 2 && p[0] == 0x1F && p[1] == 0x8B);
    bool ok = status == STREAM_END && !gx_failed(&rt->error);
    if (ok)
        ok = gx_buf_reserve(out, 1);
    else
        failed(rt, name, &s, status);
    if (ok) out->data[out->length] = '\0';
    dlclose(z.handle);
    return ok;
}
