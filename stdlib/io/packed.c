/* Packed text files: bzip2 and xz through the system's libbz2 and liblzma, opened while they are
   needed, as gzip is through zlib (npz_zlib.c). Their memory comes from gx_alloc. What comes out
   may be any amount: it grows under gx_infile_may_hold. */
#include "stdlib/io/packed_int.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

#include "stdlib/io/files.h"
#include "stdlib/io/npz_int.h"

enum { STEP = 1 << 18 };

/* libbz2's interface, as it has been since version 1.0. */
typedef struct bz_stream {
    const char *next_in;
    unsigned avail_in, total_in_low, total_in_high;
    char *next_out;
    unsigned avail_out, total_out_low, total_out_high;
    void *state;
    void *(*alloc)(void *, int, int);
    void (*free)(void *, void *);
    void *opaque;
} bz_stream;

/* liblzma's, of versions 5. */
typedef struct lzma_memory {
    void *(*alloc)(void *, size_t, size_t);
    void (*free)(void *, void *);
    void *opaque;
} lzma_memory;

typedef struct lzma_stream {
    const uint8_t *next_in;
    size_t avail_in;
    uint64_t total_in;
    uint8_t *next_out;
    size_t avail_out;
    uint64_t total_out;
    const lzma_memory *memory;
    void *internal, *reserved_pointer[4];
    uint64_t reserved_long[2];
    size_t reserved_size[2];
    int reserved_enum[2];
} lzma_stream;

/* What a library did in one step, in one language for all of them. */
typedef enum outcome { WENT_ON, WENT_TO_END, WENT_WRONG, WENT_OUT_OF_MEMORY } outcome;

typedef struct coder {
    gx_rt *rt;
    void *handle;
    gx_packing packing;
    bool pack;
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t room;
    bz_stream bz;
    lzma_stream lzma;
    lzma_memory memory;
    int (*bz_pack)(bz_stream *, int);
    int (*bz_unpack)(bz_stream *);
    int (*bz_end)(bz_stream *);
    int (*lzma_step)(lzma_stream *, int);
    void (*lzma_end)(lzma_stream *);
} coder;

gx_packing gx_packing_of(const char *path) {
    static const struct {
        const char *end;
        gx_packing packing;
    } ends[] = {{".gz", GX_PACKED_GZ}, {".bz2", GX_PACKED_BZ2}, {".xz", GX_PACKED_XZ},
                {".lzma", GX_PACKED_XZ}};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t k = strlen(ends[i].end);
        if (n > k && strcmp(path + n - k, ends[i].end) == 0) return ends[i].packing;
    }
    return GX_PACKED_NOT;
}

/* --- the libraries --- */

static void *bz_take(void *rt, int n, int size) {
    return n < 0 || size < 0 ? NULL : gx_alloc(rt, (size_t)n * (size_t)size);
}
static void *lzma_take(void *rt, size_t n, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? NULL : gx_alloc(rt, bytes);
}
static void give(void *rt, void *p) {
    gx_free(rt, p);
}

static bool missing(gx_rt *rt, const char *what, const char *library) {
    gx_fail(rt, GX_ImportError, "text.packed",
            "%s files need the library %s, which is not on this machine", what, library);
    return gx_note(rt, "a .gz file or a plain one does without it");
}

static bool open_bz(coder *c) {
    enum { LEVEL = 9 };
    static const char *const names[] = {"libbz2.so.1.0", "libbz2.so.1", "libbz2.so"};
    int (*start_pack)(bz_stream *, int, int, int) = NULL;
    int (*start_unpack)(bz_stream *, int, int) = NULL;
    for (size_t i = 0; !c->handle && i < sizeof names / sizeof *names; i++)
        c->handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!c->handle) return missing(c->rt, ".bz2", "libbz2.so.1.0 (bzip2)");
    const char *start = c->pack ? "BZ2_bzCompressInit" : "BZ2_bzDecompressInit";
    *(void **)&start_pack = *(void **)&start_unpack = dlsym(c->handle, start);
    *(void **)&c->bz_pack = dlsym(c->handle, "BZ2_bzCompress");
    *(void **)&c->bz_unpack = dlsym(c->handle, "BZ2_bzDecompress");
    *(void **)&c->bz_end = dlsym(c->handle, c->pack ? "BZ2_bzCompressEnd" : "BZ2_bzDecompressEnd");
    if (!start_pack || !c->bz_pack || !c->bz_unpack || !c->bz_end)
        return missing(c->rt, ".bz2", "libbz2.so.1.0 (bzip2)");
    c->bz = (bz_stream){.alloc = bz_take, .free = give, .opaque = c->rt};
    int status = c->pack ? start_pack(&c->bz, LEVEL, 0, 0) : start_unpack(&c->bz, 0, 0);
    if (status != 0) c->bz_end = NULL;
    return status == 0 || gx_no_memory(c->rt);
}

static bool open_lzma(coder *c) {
    enum { LEVEL = 6, CRC64 = 4, SEVERAL = 8 };
    int (*start_pack)(lzma_stream *, uint32_t, int) = NULL;
    int (*start_unpack)(lzma_stream *, uint64_t, uint32_t) = NULL;
    c->handle = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!c->handle) return missing(c->rt, ".xz", "liblzma.so.5 (xz-utils)");
    const char *start = c->pack ? "lzma_easy_encoder" : "lzma_auto_decoder";
    *(void **)&start_pack = *(void **)&start_unpack = dlsym(c->handle, start);
    *(void **)&c->lzma_step = dlsym(c->handle, "lzma_code");
    *(void **)&c->lzma_end = dlsym(c->handle, "lzma_end");
    if (!start_pack || !c->lzma_step || !c->lzma_end)
        return missing(c->rt, ".xz", "liblzma.so.5 (xz-utils)");
    c->memory = (lzma_memory){lzma_take, give, c->rt};
    c->lzma.memory = &c->memory;
    int status = c->pack ? start_pack(&c->lzma, LEVEL, CRC64)
                         : start_unpack(&c->lzma, UINT64_MAX, SEVERAL);
    return status == 0 || gx_no_memory(c->rt);
}

static void end(coder *c) {
    if (c->bz_end) c->bz_end(&c->bz);
    if (c->lzma_end) c->lzma_end(&c->lzma);
    if (c->handle) dlclose(c->handle);
}

/* --- steps --- */

static outcome bz_step(coder *c) {
    enum { RUN = 0, FINISH = 2, FINISH_OK = 3, STREAM_END = 4, MEMORY = -3 };
    size_t part = c->in_left < INT_MAX ? c->in_left : INT_MAX;
    c->bz.next_in = (const char *)c->in;
    c->bz.avail_in = (unsigned)part;
    c->bz.next_out = (char *)c->out;
    c->bz.avail_out = (unsigned)c->room;
    int status = c->pack ? c->bz_pack(&c->bz, part == c->in_left ? FINISH : RUN)
                         : c->bz_unpack(&c->bz);
    c->in += part - c->bz.avail_in;
    c->in_left -= part - c->bz.avail_in;
    c->room = c->bz.avail_out;
    if (status == STREAM_END) return WENT_TO_END;
    if (status >= 0 && status <= FINISH_OK) return WENT_ON;
    return status == MEMORY ? WENT_OUT_OF_MEMORY : WENT_WRONG;
}

static outcome lzma_step(coder *c) {
    enum { FINISH = 3, STREAM_END = 1, MEMORY = 5, OPENED = 2, CLOSED = 4 };
    c->lzma.next_in = c->in;
    c->lzma.avail_in = c->in_left;
    c->lzma.next_out = c->out;
    c->lzma.avail_out = c->room;
    int status = c->lzma_step(&c->lzma, FINISH);
    c->in = c->lzma.next_in;
    c->in_left = c->lzma.avail_in;
    c->room = c->lzma.avail_out;
    if (status == STREAM_END) return WENT_TO_END;
    if (status == 0 || (status >= OPENED && status <= CLOSED)) return WENT_ON;
    return status == MEMORY ? WENT_OUT_OF_MEMORY : WENT_WRONG;
}

/* One stream to its end, behind what the buffer holds. */
static outcome run_coder(coder *c, const char *name, gx_buf *out) {
    for (;;) {
        if (!gx_infile_may_hold(c->rt, name, out->length) || !gx_buf_reserve(out, STEP) ||
            !gx_interrupt_check(c->rt))
            return WENT_OUT_OF_MEMORY;
        size_t before = c->in_left;
        c->out = (uint8_t *)out->data + out->length;
        c->room = STEP;
        outcome went = c->packing == GX_PACKED_BZ2 ? bz_step(c) : lzma_step(c);
        out->length += STEP - c->room;
        if (went != WENT_ON) return went;
        /* Nothing in and nothing out: the stream breaks off. */
        if (c->in_left == before && c->room == STEP) return WENT_WRONG;
    }
}

static bool code(gx_rt *rt, gx_packing packing, bool pack, const char *name, const uint8_t *from,
                 size_t n, gx_buf *out) {
    outcome went;
    size_t left;
    do {
        coder c = {.rt = rt, .packing = packing, .pack = pack, .in = from, .in_left = n};
        if (!(packing == GX_PACKED_BZ2 ? open_bz(&c) : open_lzma(&c))) {
            end(&c);
            return false;
        }
        went = run_coder(&c, name, out);
        end(&c);
        left = c.in_left;
        from += n - left;
        n = left;
        /* bzip2 files may follow one another in one file. */
    } while (went == WENT_TO_END && !pack && n > 3 && memcmp(from, "BZh", 3) == 0);
    if (gx_failed(&rt->error)) return false;
    if (went == WENT_OUT_OF_MEMORY) return gx_no_memory(rt);
    if (went == WENT_WRONG)
        return gx_fail(rt, GX_ValueError, "text.packed",
                       "'%s' is damaged, or no %s file in spite of its name", name,
                       packing == GX_PACKED_BZ2 ? "bzip2" : "xz");
    if (!gx_buf_reserve(out, 1)) return false;
    out->data[out->length] = '\0';
    return true;
}

GX_CHECK bool gx_unpack(gx_rt *rt, gx_packing packing, const char *name, const void *from, size_t n,
                        gx_buf *out) {
    if (packing == GX_PACKED_GZ) return gx_gunzip(rt, name, from, n, out);
    if (packing == GX_PACKED_NOT) return gx_buf_add(out, from, n);
    return code(rt, packing, false, name, from, n, out);
}

GX_CHECK bool gx_pack(gx_rt *rt, gx_packing packing, const void *from, size_t n, gx_buf *out) {
    if (packing == GX_PACKED_GZ) return gx_gzip(rt, from, n, out);
    if (packing == GX_PACKED_NOT) return gx_buf_add(out, from, n);
    return code(rt, packing, true, "the text", from, n, out);
}
