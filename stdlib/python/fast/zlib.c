/* zlib: streams that are packed or unpacked, by the system's library (stdlib/io/zlib_open.h). What
   the module makes of them is in stdlib/python/everyday/zlib.gx. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/still.h"
#include "stdlib/io/zlib_open.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/stdlib.h"

enum { STREAM_END = 1, NEED_WORDS = 2, DATA_ERROR = -3, BUF_ERROR = -5, STEP = 1 << 16 };

typedef struct packer {
    gx_obj obj;
    gx_zlib z;
    gx_zstream s;
    gx_value words; /* a dictionary that an unpacker may be asked for, or None */
    bool packs, open;
} packer;

static const gx_type packer_type;

/* zlib.error is a class of zlib.gx: a mistake here is a ValueError of this code there. */
static bool wrong(gx_rt *rt, const packer *p, int status, const char *what) {
    if (gx_failed(&rt->error)) return false;
    const char *said = p->s.msg              ? p->s.msg
                       : status == BUF_ERROR ? "incomplete or truncated stream"
                       : status == -2        ? "inconsistent stream state"
                       : status == DATA_ERROR ? "invalid input data"
                                              : NULL;
    return said ? gx_fail(rt, GX_ValueError, "zlib.error", "Error %d %s: %s", status, what, said)
                : gx_fail(rt, GX_ValueError, "zlib.error", "Error %d %s", status, what);
}

static bool begin(gx_call *c, packer *p) {
    int64_t v[4];
    for (int i = 0; i < 4; i++)
        if (!gx_arg_int(c, i + 1, &v[i])) return false;
    p->s = gx_zlib_stream(c->rt);
    const int size = (int)sizeof p->s, bits = (int)v[1];
    const int status = p->packs ? p->z.deflate_init(&p->s, (int)v[0], 8, bits, (int)v[2], (int)v[3],
                                                    "1.2.11", size)
                                : p->z.inflate_init(&p->s, bits, "1.2.11", size);
    if (status == -2)
        return gx_fail(c->rt, GX_ValueError, "zlib.options", "Invalid initialization option");
    if (status) return wrong(c->rt, p, status, "while preparing the stream");
    p->open = true;
    if (p->words.tag != GX_BYTES || (!p->packs && bits >= 0)) return true;
    const gx_str *w = gx_as_str(p->words);
    const int set = (p->packs ? p->z.deflate_words : p->z.inflate_words)(
        &p->s, (const uint8_t *)w->text, (unsigned)w->length);
    return set == 0 || gx_fail(c->rt, GX_ValueError, "zlib.options", "Invalid dictionary");
}

static bool new_packer(gx_call *c, gx_value *out) {
    bool packs;
    if (!gx_arg_bool(c, 0, &packs)) return false;
    if (c->argv[5].tag != GX_NONE && c->argv[5].tag != GX_BYTES)
        return gx_arg_wrong(c, 5, "bytes or None");
    packer *p = gx_obj_new(c->rt, &packer_type, sizeof *p);
    if (!p) return false;
    p->packs = packs;
    p->words = gx_keep(c->argv[5]);
    if (gx_zlib_open(c->rt, "zlib", &p->z) && begin(c, p)) {
        *out = gx_object(&p->obj);
        return true;
    }
    gx_obj_drop(&p->obj);
    return false;
}

static void free_packer(gx_rt *rt, gx_obj *o) {
    packer *p = (packer *)o;
    if (p->open) (p->packs ? p->z.deflate_end : p->z.inflate_end)(&p->s);
    if (p->z.handle) dlclose(p->z.handle);
    gx_drop(p->words);
    gx_free(rt, o);
}

/* Runs the stream over n bytes, to at most `most` bytes of output (-1: all): the status. */
static int run_stream(gx_rt *rt, packer *p, size_t n, int flush, int64_t most, gx_buf *out) {
    int status = 0;
    for (;;) {
        const unsigned give_in = n < STEP * 16 ? (unsigned)n : STEP * 16;
        size_t room = STEP;
        if (most >= 0 && (size_t)most - out->length < room) room = (size_t)most - out->length;
        if (!room) return 0;
        if (!gx_buf_reserve(out, STEP) || !gx_interrupt_check(rt)) return -4;
        p->s.avail_in = give_in;
        p->s.next_out = (uint8_t *)out->data + out->length;
        p->s.avail_out = (unsigned)room;
        status = p->packs ? p->z.deflate(&p->s, give_in == n ? flush : 0)
                          : p->z.inflate(&p->s, flush == 4 ? 2 : flush);
        const size_t made = room - p->s.avail_out;
        n -= give_in - p->s.avail_in;
        out->length += made;
        if (status == NEED_WORDS && p->words.tag == GX_BYTES) {
            const gx_str *w = gx_as_str(p->words);
            status = p->z.inflate_words(&p->s, (const uint8_t *)w->text, (unsigned)w->length);
            if (status == 0) continue;
        }
        if (status == BUF_ERROR) return 0; /* nothing more to do: no mistake */
        if (status != 0) return status;
        if (!n && p->s.avail_out && (!p->packs || flush != 4)) return 0;
    }
}

/* feed(data, flush, most): (output, bytes taken in, at the end?). */
static bool feed(gx_call *c, gx_value *out) {
    packer *p = (packer *)c->argv[0].obj;
    int64_t flush, most;
    GX_STILL(data);
    if (!gx_arg_bytes(c, 1, false, &data) || !gx_arg_int(c, 2, &flush) || !gx_arg_int(c, 3, &most))
        return false;
    gx_buf b = gx_buf_new(c->rt);
    const gx_str *s = gx_as_str(data);
    p->s.next_in = (const uint8_t *)s->text;
    const int status = run_stream(c->rt, p, s->length, (int)flush, most, &b);
    if (status != 0 && status != STREAM_END) {
        gx_buf_free(&b);
        return wrong(c->rt, p, status,
                     p->packs ? "while compressing data" : "while decompressing data");
    }
    gx_value parts[3];
    parts[1] = gx_int((int64_t)(p->s.next_in - (const uint8_t *)s->text));
    parts[2] = gx_bool(status == STREAM_END);
    return gx_bytes_take(&b, &parts[0]) && gx_tuple_take(c->rt, 3, parts, out);
}

static bool version(gx_call *c, gx_value *out) {
    gx_zlib z;
    if (!gx_zlib_open(c->rt, "zlib", &z)) return false;
    bool ok = gx_str_c(c->rt, z.version(), out);
    dlclose(z.handle);
    return ok;
}

static const gx_native packer_methods[] = {
    {"feed", "feed(self, data, flush, most, /)", "Packs or unpacks more bytes.", NULL, feed, 0, 0},
    {.name = NULL},
};
static const gx_type packer_type = {
    .name = "_zlib.Packer", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_packer,
    .methods = packer_methods,
};

extern const gx_native gx_py_zlib_functions[];
const gx_native gx_py_zlib_functions[] = {
    {"Packer", "Packer(packs, level, wbits, mem_level, strategy, words, /)",
     "A stream that packs, or unpacks.", NULL, new_packer, 0, 0},
    {"version", "version()", "The library's version.", NULL, version, 0, 0},
    {.name = NULL},
};
