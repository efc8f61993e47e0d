/* Lines for loadtxt: from a path (read at once), a file object, or an iterable of texts. Ends are
   "\n", "\r\n" or "\r". Knows nothing of numbers. */
#include <string.h>

#include "runtime/object/text/str.h"
#include "stdlib/io/file.h"
#include "stdlib/io/packed_int.h"
#include "stdlib/io/text_int.h"

/* A gzip file is known by its first bytes, others by their names. */
static bool unpack(gx_lines *l, const char *path) {
    gx_buf plain = gx_buf_new(l->rt);
    gx_packing packing = gx_packing_of(path);
    if (packing == GX_PACKED_GZ) packing = GX_PACKED_NOT;
    if (l->all.length > 2 && memcmp(l->all.data, "\x1F\x8B\x08", 3) == 0) packing = GX_PACKED_GZ;
    if (packing == GX_PACKED_NOT) return true;
    bool ok = gx_unpack(l->rt, packing, l->name, l->all.data, l->all.length, &plain);
    gx_buf_free(ok ? &l->all : &plain);
    if (ok) l->all = plain;
    return ok;
}

static bool read_whole(gx_lines *l, gx_borrowed v, gx_text_coding coding) {
    gx_infile f;
    if (!gx_infile_open(l->rt, v, &f)) return false;
    snprintf(l->name, sizeof l->name, "%s", f.name);
    bool ok = gx_infile_rest(&f, &l->all);
    gx_infile_close(&f);
    ok = ok && (v.tag != GX_STR || unpack(l, gx_as_str(v)->text)) &&
         gx_text_decode(l->rt, coding, &l->all);
    if (ok && l->all.length >= 3 && memcmp(l->all.data, "\xEF\xBB\xBF", 3) == 0) l->at = 3;
    return ok;
}

bool gx_lines_open(gx_rt *rt, gx_borrowed v, bool lazy, gx_text_coding coding, gx_lines *out) {
    gx_lines l = {.rt = rt, .all = gx_buf_new(rt)};
    if (v.tag == GX_STR || (gx_is_file(v) && !lazy)) {
        if (!read_whole(&l, v, coding)) {
            gx_lines_close(&l);
            return false;
        }
    } else {
        if (v.tag == GX_BYTES || v.tag == GX_INT || v.tag == GX_FLOAT || v.tag == GX_NONE)
            return gx_fail(rt, v.tag == GX_BYTES ? GX_TypeError : GX_ValueError, "text.source",
                           "fname must be a string, filehandle, list of strings, or generator, "
                           "not %s",
                           gx_type_name(v));
        snprintf(l.name, sizeof l.name, "<%s>", gx_type_name(v));
        if (!gx_iter(rt, v, &l.iterator)) return false;
    }
    *out = l;
    return true;
}

void gx_lines_close(gx_lines *l) {
    gx_buf_free(&l->all);
    gx_drop(gx_steal(&l->iterator));
}

/* The next item as a line in l->all. */
static bool next_item(gx_lines *l, const char **text, size_t *n, bool *more) {
    gx_value item;
    if (!gx_next(l->rt, l->iterator, &item, more) || !*more) return !gx_failed(&l->rt->error);
    if (item.tag != GX_STR && item.tag != GX_BYTES) {
        gx_fail(l->rt, GX_TypeError, "text.item", "non-string returned while reading data: %s",
                gx_type_name(item));
        gx_drop(item);
        return false;
    }
    l->all.length = 0;
    bool ok = gx_buf_add(&l->all, gx_as_str(item)->text, gx_as_str(item)->length) &&
              gx_buf_char(&l->all, 0);
    gx_drop(item);
    if (!ok) return false;
    *text = l->all.data;
    *n = l->all.length - 1;
    if (*n && (*text)[*n - 1] == '\n') --*n;
    if (*n && (*text)[*n - 1] == '\r') --*n;
    if (memchr(*text, '\n', *n) || memchr(*text, '\r', *n))
        return gx_fail(l->rt, GX_ValueError, "text.newline",
                       "Found an unquoted embedded newline within a single line of input.  This "
                       "is currently not supported.");
    return true;
}

bool gx_lines_next(gx_lines *l, const char **text, size_t *n, bool *more) {
    l->number++;
    if (l->iterator.tag != GX_UNDEF) return next_item(l, text, n, more);
    *more = l->at < l->all.length;
    if (!*more) return true;
    const char *p = l->all.data + l->at;
    size_t left = l->all.length - l->at, used;
    const char *end = memchr(p, '\n', left);
    size_t length = end ? (size_t)(end - p) : left;
    const char *cr = memchr(p, '\r', length);
    used = length + (end != NULL);
    if (cr) {
        length = (size_t)(cr - p);
        if (cr + 1 != end) used = length + 1;
    }
    *text = p;
    *n = length;
    l->at += used;
    return true;
}
