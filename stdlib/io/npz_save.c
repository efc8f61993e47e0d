/* numpy.savez and savez_compressed: a zip archive of .npy entries, laid out as Python's zipfile
   does it for NumPy (zip64 fields in each local header, the date 1980-01-01). */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/npz_int.h"

extern const gx_native gx_np_npz_save_functions[];

typedef struct writer {
    gx_rt *rt;
    gx_outfile sink;
    gx_buf directory;
    uint64_t count;
    bool deflate;
    uint32_t table[GX_CRC_TABLE];
} writer;

static bool put_number(gx_buf *b, uint64_t x, int bytes) {
    char t[8];
    for (int i = 0; i < bytes; i++) t[i] = (char)(x >> 8 * i & 255);
    return gx_buf_add(b, t, (size_t)bytes);
}

typedef struct entry {
    gx_borrowed name; /* a str */
    uint32_t crc;
    uint64_t packed, bytes, at;
    bool deflate;
} entry;

static uint64_t flags_of(const entry *e) { /* bit 11: the name is UTF-8 */
    return gx_str_ascii(gx_as_str(e->name)) ? 0 : 0x800;
}

/* Method, time and date, checksum. */
static bool put_common(gx_buf *b, const entry *e) {
    return put_number(b, flags_of(e), 2) &&
           put_number(b, e->deflate ? GX_ZIP_DEFLATED : GX_ZIP_STORED, 2) && put_number(b, 0, 2) &&
           put_number(b, 1 << 5 | 1, 2) && put_number(b, e->crc, 4);
}

static bool put_name(gx_buf *b, const entry *e) {
    const gx_str *name = gx_as_str(e->name);
    return gx_buf_add(b, name->text, name->length) && gx_buf_puts(b, ".npy");
}

static bool put_local(gx_buf *b, const entry *e) {
    return gx_buf_puts(b, "PK\3\4") && put_number(b, 45, 2) && put_common(b, e) &&
           put_number(b, 0xFFFFFFFF, 4) && put_number(b, 0xFFFFFFFF, 4) &&
           put_number(b, gx_as_str(e->name)->length + 4, 2) && put_number(b, 20, 2) &&
           put_name(b, e) && put_number(b, 1, 2) && put_number(b, 16, 2) &&
           put_number(b, e->bytes, 8) && put_number(b, e->packed, 8);
}

/* Python goes over to zip64 at 2 GiB. */
static bool is_large(uint64_t x) {
    return x > 0x7FFFFFFF;
}

static bool put_central(gx_buf *b, const entry *e) {
    bool sizes = is_large(e->bytes) || is_large(e->packed), place = is_large(e->at);
    uint64_t extra = (sizes ? 16u : 0u) + (place ? 8u : 0u);
    bool ok = gx_buf_puts(b, "PK\1\2") && put_number(b, 45, 1) && put_number(b, 3, 1) &&
              put_number(b, 45, 2) && put_common(b, e) &&
              put_number(b, sizes ? 0xFFFFFFFF : e->packed, 4) &&
              put_number(b, sizes ? 0xFFFFFFFF : e->bytes, 4) &&
              put_number(b, gx_as_str(e->name)->length + 4, 2) &&
              put_number(b, extra ? extra + 4 : 0, 2) && put_number(b, 0, 2) &&
              put_number(b, 0, 2) && put_number(b, 0, 2) &&
              put_number(b, UINT64_C(0600) << 16, 4) &&
              put_number(b, place ? 0xFFFFFFFF : e->at, 4) && put_name(b, e);
    if (ok && extra) ok = put_number(b, 1, 2) && put_number(b, extra, 2);
    if (ok && sizes) ok = put_number(b, e->bytes, 8) && put_number(b, e->packed, 8);
    if (ok && place) ok = put_number(b, e->at, 8);
    return ok;
}

static bool put_end(writer *w) {
    uint64_t at = (uint64_t)w->sink.written, n = w->directory.length;
    bool large = is_large(at) || is_large(n) || w->count > 0xFFFF;
    gx_buf *b = &w->directory;
    bool ok = true;
    if (large)
        ok = gx_buf_puts(b, "PK\6\6") && put_number(b, 44, 8) && put_number(b, 45, 2) &&
             put_number(b, 45, 2) && put_number(b, 0, 8) && put_number(b, w->count, 8) &&
             put_number(b, w->count, 8) && put_number(b, n, 8) && put_number(b, at, 8) &&
             gx_buf_puts(b, "PK\6\7") && put_number(b, 0, 4) && put_number(b, at + n, 8) &&
             put_number(b, 1, 4);
    uint64_t count = w->count > 0xFFFF ? 0xFFFF : w->count;
    ok = ok && gx_buf_puts(b, "PK\5\6") && put_number(b, 0, 4) && put_number(b, count, 2) &&
         put_number(b, count, 2) && put_number(b, n > 0xFFFFFFFF ? 0xFFFFFFFF : n, 4) &&
         put_number(b, at > 0xFFFFFFFF ? 0xFFFFFFFF : at, 4) && put_number(b, 0, 2);
    return ok && gx_outfile_write(&w->sink, b->data, b->length);
}

static bool add(writer *w, gx_borrowed name, gx_borrowed v) {
    gx_npy_image m;
    gx_buf local = gx_buf_new(w->rt), packed = gx_buf_new(w->rt);
    if (gx_as_str(name)->length > 60000)
        return gx_fail(w->rt, GX_ValueError, "npz.name", "the name of an array is too long");
    if (!gx_npy_image_of(w->rt, v, &m)) return false;
    uint64_t bytes = m.header.length + m.bytes;
    entry e = {.name = name, .bytes = bytes, .packed = bytes, .deflate = w->deflate,
               .at = (uint64_t)w->sink.written};
    e.crc = gx_crc(w->table, 0, m.header.data, m.header.length);
    e.crc = gx_crc(w->table, e.crc, m.data, m.bytes);
    const void *const piece[2] = {m.header.data, m.data};
    const size_t length[2] = {m.header.length, m.bytes};
    bool ok = !w->deflate || gx_deflate(w->rt, piece, length, &packed);
    if (w->deflate) e.packed = packed.length;
    ok = ok && put_local(&local, &e) && gx_outfile_write(&w->sink, local.data, local.length);
    if (w->deflate)
        ok = ok && gx_outfile_write(&w->sink, packed.data, packed.length);
    else
        ok = ok && gx_outfile_write(&w->sink, m.header.data, m.header.length) &&
             gx_outfile_write(&w->sink, m.data, m.bytes);
    ok = ok && put_central(&w->directory, &e);
    w->count++;
    gx_buf_free(&local);
    gx_buf_free(&packed);
    gx_npy_image_free(&m);
    return ok;
}

/* Names of the arrays: those of the keywords, then arr_0, arr_1 … as NumPy orders them. */
static bool add_all(writer *w, gx_borrowed args, gx_borrowed kwds) {
    gx_entry *e;
    int64_t at = 0;
    const gx_tuple *t = gx_as_tuple(args);
    bool ok = true;
    while (ok && (e = gx_dict_next(gx_as_dict(kwds), &at))) ok = add(w, e->key, e->value);
    for (int64_t i = 0; ok && i < t->count; i++) {
        gx_value name, seen;
        if (!gx_str_printf(w->rt, &name, "arr_%lld", (long long)i)) return false;
        gx_try is = gx_dict_find(w->rt, kwds, name, &seen);
        if (is == GX_TRY_YES) gx_drop(seen);
        ok = is == GX_TRY_NO ||
             (is == GX_TRY_YES && gx_fail(w->rt, GX_ValueError, "npz.name",
                                          "Cannot use un-named variables and keyword %s",
                                          gx_as_str(name)->text));
        ok = ok && add(w, name, t->items[i]);
        gx_drop(name);
    }
    return ok;
}

static bool save(gx_call *c, bool deflate, gx_value *out) {
    writer *w = gx_alloc_zero(c->rt, sizeof *w);
    if (!w) return false;
    w->rt = c->rt;
    w->deflate = deflate;
    w->directory = gx_buf_new(c->rt);
    gx_crc_table(w->table);
    bool ok = gx_outfile_open(c->rt, c->argv[0], ".npz", false, &w->sink);
    if (ok) ok = gx_outfile_done(&w->sink, add_all(w, c->argv[1], c->argv[3]) && put_end(w));
    gx_buf_free(&w->directory);
    gx_free(c->rt, w);
    if (ok) *out = gx_none();
    return ok;
}

static bool savez_fn(gx_call *c, gx_value *out) {
    return save(c, false, out);
}

static bool savez_compressed_fn(gx_call *c, gx_value *out) {
    return save(c, true, out);
}

const gx_native gx_np_npz_save_functions[] = {
    {"savez", "savez(file, *args, allow_pickle=True, **kwds)",
     "Writes several arrays to one .npz file, by keyword name or as arr_0, arr_1 …", NULL, savez_fn,
     GX_NATIVE_HOST, 0},
    {"savez_compressed", "savez_compressed(file, *args, allow_pickle=True, **kwds)",
     "Writes several arrays to one compressed .npz file, by keyword name or as arr_0, arr_1 …",
     NULL, savez_compressed_fn, GX_NATIVE_HOST, 0},
    {.name = NULL},
};
