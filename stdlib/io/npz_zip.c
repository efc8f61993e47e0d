/* Reading zip archives: the directory at the end, zip64 included, and the bytes of one entry.
   Nothing of the directory is believed before it is compared with the file's size: places, sizes,
   and what deflate could make of so few bytes. Several disks and encryption are refused. */
#include <stdlib.h>
#include <string.h>

#include "stdlib/io/npz_int.h"

enum { END = 22, END64 = 56, LOCATOR = 20, CENTRAL = 46, LOCAL = 30, MOST_RATIO = 1032 };

static uint64_t number(const char *p, int bytes) {
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;) x = x << 8 | (uint8_t)p[i];
    return x;
}

static bool bad(gx_zip *z, const char *what) {
    return gx_fail(z->rt, GX_ValueError, "npz.damaged", "%s is not a valid .npz archive: %s",
                   z->file.name, what);
}

/* n bytes at a place of the file (not of the archive). */
static bool at(gx_zip *z, int64_t place, void *to, size_t n) {
    size_t got;
    if (place < 0 || place > z->size || (uint64_t)(z->size - place) < n)
        return bad(z, "it ends too early");
    if (!z->file.f) {
        if (n) memcpy(to, z->bytes.data + place, n);
        return true;
    }
    if (fseeko(z->file.f, (off_t)place, SEEK_SET) != 0) return bad(z, "it cannot be read");
    z->file.left = (int64_t)n;
    if (!gx_infile_read(&z->file, to, n, &got)) return false;
    return got == n || bad(z, "it ends too early");
}

typedef struct directory {
    uint64_t count, bytes, place;
    int64_t found; /* where the record stands that tells of the directory */
} directory;

static bool find_end64(gx_zip *z, int64_t end, directory *d) {
    char b[END64];
    if (end < LOCATOR) return true;
    if (!at(z, end - LOCATOR, b, LOCATOR)) return false;
    if (memcmp(b, "PK\6\7", 4) != 0) return true;
    uint64_t place = number(b + 8, 8);
    /* What precedes the archive is not counted in its places. */
    if (place > (uint64_t)z->size || end - LOCATOR < END64) return bad(z, "its zip64 end is lost");
    if (!at(z, (int64_t)place, b, END64)) return false;
    d->found = (int64_t)place;
    if (memcmp(b, "PK\6\6", 4) != 0) {
        d->found = end - LOCATOR - END64;
        if (!at(z, d->found, b, END64)) return false;
        if (memcmp(b, "PK\6\6", 4) != 0) return bad(z, "its zip64 end is lost");
    }
    d->count = number(b + 32, 8);
    d->bytes = number(b + 40, 8);
    d->place = number(b + 48, 8);
    return true;
}

static bool find_end(gx_zip *z, directory *d) {
    size_t n = (size_t)(z->size < END + 65535 ? z->size : END + 65535);
    int64_t end = -1;
    char *tail = gx_alloc(z->rt, n + 1);
    if (!tail) return false;
    bool ok = at(z, z->size - (int64_t)n, tail, n);
    for (int64_t i = (int64_t)n - END; ok && i >= 0; i--)
        if (memcmp(tail + i, "PK\5\6", 4) == 0 &&
            i + END + (int64_t)number(tail + i + 20, 2) <= (int64_t)n) {
            const char *b = tail + i;
            *d = (directory){number(b + 10, 2), number(b + 12, 4), number(b + 16, 4),
                             z->size - (int64_t)n + i};
            end = d->found;
            if (number(b + 4, 2) || number(b + 6, 2)) ok = bad(z, "it spans several disks");
            break;
        }
    gx_free(z->rt, tail);
    if (ok && end < 0) ok = bad(z, "its directory is missing (is the file complete?)");
    return ok && find_end64(z, end, d);
}

/* Sizes that do not fit into 32 bits stand in an extra field. */
static void zip64_sizes(const char *extra, size_t n, gx_zip_entry *e) {
    while (n >= 4) {
        size_t length = number(extra + 2, 2);
        if (length > n - 4) return;
        if (number(extra, 2) == 1) {
            int64_t *const fields[3] = {&e->bytes, &e->packed, &e->at};
            const char *p = extra + 4;
            for (int i = 0; i < 3; i++)
                if (*fields[i] == 0xFFFFFFFF && p + 8 <= extra + 4 + length) {
                    *fields[i] = (int64_t)number(p, 8);
                    p += 8;
                }
            return;
        }
        extra += 4 + length;
        n -= 4 + length;
    }
}

static bool check_entry(gx_zip *z, const gx_zip_entry *e, uint64_t flags) {
    if (flags & 1) return bad(z, "an entry is encrypted");
    if (e->method != GX_ZIP_STORED && e->method != GX_ZIP_DEFLATED)
        return gx_fail(z->rt, GX_ValueError, "npz.method",
                       "%s: '%s' is packed by method %d; gx reads stored and deflated entries",
                       z->file.name, e->name, e->method);
    if (e->packed < 0 || e->bytes < 0 || e->at < 0 || e->packed > z->size ||
        e->at > z->size - z->shift)
        return bad(z, "an entry lies outside of the file");
    if (e->method == GX_ZIP_STORED ? e->bytes != e->packed
                                   : e->bytes / MOST_RATIO > e->packed)
        return gx_fail(z->rt, GX_ValueError, "npz.size",
                       "%s: '%s' promises %lld bytes out of %lld, which cannot be", z->file.name,
                       e->name, (long long)e->bytes, (long long)e->packed);
    return true;
}

/* UTF-8 without control characters: names stand in messages. */
static bool is_text(const char *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint8_t c = (uint8_t)p[i];
        if (c < 0x20 || c == 0x7F) return false;
        if (c == 0xC2 && i + 1 < n && (uint8_t)p[i + 1] < 0xA0) return false;
    }
    return gx_utf8_valid(p, n) == n;
}

/* One record of the directory; *used: its length. */
static bool read_record(gx_zip *z, const char *p, size_t n, gx_zip_entry *e, size_t *used) {
    if (n < CENTRAL || memcmp(p, "PK\1\2", 4) != 0) return bad(z, "its directory is damaged");
    size_t name = number(p + 28, 2), extra = number(p + 30, 2), comment = number(p + 32, 2);
    *used = CENTRAL + name + extra + comment;
    if (*used > n) return bad(z, "its directory is damaged");
    if (!is_text(p + CENTRAL, name)) return bad(z, "a name holds bytes that are no text");
    e->name = gx_alloc(z->rt, name + 1);
    if (!e->name) return false;
    memcpy(e->name, p + CENTRAL, name);
    e->name[name] = 0;
    e->method = (int)number(p + 10, 2);
    e->crc = (uint32_t)number(p + 16, 4);
    e->packed = (int64_t)number(p + 20, 4);
    e->bytes = (int64_t)number(p + 24, 4);
    e->at = (int64_t)number(p + 42, 4);
    zip64_sizes(p + CENTRAL + name, extra, e);
    z->count++;
    return check_entry(z, e, number(p + 8, 2));
}

static int by_name(const void *a, const void *b) {
    return strcmp((*(const gx_zip_entry *const *)a)->name, (*(const gx_zip_entry *const *)b)->name);
}

/* Two entries of one name: which is meant would depend on the reader. */
static bool check_names(gx_zip *z) {
    const gx_zip_entry **sorted = gx_alloc(z->rt, (size_t)(z->count + 1) * sizeof *sorted);
    if (!sorted) return false;
    for (int64_t i = 0; i < z->count; i++) sorted[i] = &z->entries[i];
    qsort(sorted, (size_t)z->count, sizeof *sorted, by_name);
    bool ok = true;
    for (int64_t i = 1; ok && i < z->count; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            ok = gx_fail(z->rt, GX_ValueError, "npz.names", "%s holds two entries named '%s'",
                         z->file.name, sorted[i]->name);
    gx_free(z->rt, sorted);
    return ok;
}

static bool read_directory(gx_zip *z, const directory *d) {
    if (d->bytes > (uint64_t)d->found || d->count > d->bytes / CENTRAL)
        return bad(z, "its directory is larger than the file");
    int64_t place = d->found - (int64_t)d->bytes;
    if (d->place > (uint64_t)place) return bad(z, "its directory is not where it should be");
    z->shift = place - (int64_t)d->place;
    char *b = gx_alloc(z->rt, (size_t)d->bytes + 1);
    z->entries = b ? gx_alloc_zero(z->rt, (size_t)(d->count + 1) * sizeof *z->entries) : NULL;
    bool ok = z->entries && at(z, place, b, (size_t)d->bytes);
    size_t from = 0, used = 0;
    for (uint64_t i = 0; ok && i < d->count; i++) {
        ok = read_record(z, b + from, (size_t)d->bytes - from, &z->entries[i], &used);
        from += ok ? used : 0;
    }
    gx_free(z->rt, b);
    return ok && check_names(z);
}

bool gx_zip_open(gx_infile *s, const char *first, size_t n, gx_zip *out) {
    directory d = {0};
    gx_zip z = {.rt = s->rt, .file = *s, .bytes = gx_buf_new(s->rt)};
    bool ok = true;
    if (s->owned && s->left >= 0) {
        z.size = s->left + (int64_t)n;
    } else { /* a file object may be closed or moved by its owner: all is read now */
        ok = gx_buf_add(&z.bytes, first, n) && gx_infile_rest(s, &z.bytes);
        gx_infile_close(s);
        z.file.f = NULL;
        z.file.owned = false;
        z.file.object = gx_undef();
        z.size = (int64_t)z.bytes.length;
    }
    gx_crc_table(z.table);
    ok = ok && find_end(&z, &d) && read_directory(&z, &d);
    if (ok)
        *out = z;
    else
        gx_zip_close(&z);
    return ok;
}

void gx_zip_close(gx_zip *z) {
    gx_infile_close(&z->file);
    gx_buf_free(&z->bytes);
    for (int64_t i = 0; i < z->count; i++) gx_free(z->rt, z->entries[i].name);
    gx_free(z->rt, z->entries);
    z->entries = NULL;
    z->count = 0;
    z->size = 0;
}

static bool inflate_entry(gx_zip *z, const gx_zip_entry *e, int64_t place, void **inflated) {
    char *packed = gx_alloc(z->rt, (size_t)e->packed + 1);
    char *plain = packed ? gx_alloc(z->rt, (size_t)e->bytes + 1) : NULL;
    bool ok = plain && at(z, place, packed, (size_t)e->packed) &&
              gx_inflate(z->rt, e->name, packed, (size_t)e->packed, plain, (size_t)e->bytes);
    gx_free(z->rt, packed);
    if (ok)
        *inflated = plain;
    else
        gx_free(z->rt, plain);
    return ok;
}

bool gx_zip_entry_open(gx_zip *z, const gx_zip_entry *e, gx_infile *out, void **inflated) {
    char b[LOCAL];
    int64_t place = z->shift + e->at;
    *inflated = NULL;
    if (!at(z, place, b, LOCAL)) return false;
    if (memcmp(b, "PK\3\4", 4) != 0) return bad(z, "an entry is not where it should be");
    place += LOCAL + (int64_t)number(b + 26, 2) + (int64_t)number(b + 28, 2);
    if (place > z->size || e->packed > z->size - place)
        return bad(z, "an entry ends behind the file");
    if (e->method == GX_ZIP_DEFLATED) {
        if (!inflate_entry(z, e, place, inflated)) return false;
        *out = gx_infile_memory(z->rt, *inflated, (size_t)e->bytes, e->name);
    } else if (z->file.f) {
        if (fseeko(z->file.f, (off_t)place, SEEK_SET) != 0) return bad(z, "it cannot be read");
        *out = (gx_infile){.rt = z->rt, .f = z->file.f, .left = e->bytes};
        snprintf(out->name, sizeof out->name, "%s", e->name);
    } else {
        *out = gx_infile_memory(z->rt, z->bytes.data + place, (size_t)e->bytes, e->name);
    }
    out->table = z->table;
    return true;
}

bool gx_zip_entry_check(const gx_zip_entry *e, const gx_infile *s) {
    if (s->left != 0 || s->crc == e->crc) return true;
    return gx_fail(s->rt, GX_ValueError, "npz.crc",
                   "Bad CRC-32 for file '%s': its bytes have changed since it was written",
                   e->name);
}
