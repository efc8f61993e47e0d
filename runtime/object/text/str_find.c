/* Searching, splitting and stripping: methods that str and bytes share. Positions are found in
   bytes; for a str they are turned into code points only where a script sees them. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/still.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"

static gx_str *self(gx_call *c) {
    return gx_as_str(c->argv[0]);
}

static bool is_bytes(gx_call *c) {
    return c->argv[0].tag == GX_BYTES;
}

bool gx_text_bytes(gx_rt *rt, const gx_str *s, size_t from, size_t to, gx_value *out) {
    if (s->obj.tag == GX_BYTES) return gx_bytes_new(rt, s->text + from, to - from, out);
    if (gx_str_ascii(s)) return gx_str_counted(rt, s->text + from, to - from, to - from, out);
    return gx_str_new(rt, s->text + from, to - from, out);
}

static bool unchanged(gx_call *c, gx_value *out) {
    return gx_plain_value(c->rt, c->argv[0], out);
}

/* A text argument of self's own kind; `own`, declared by GX_STILL, holds the bytes that something
   else stands for. */
static bool text_arg(gx_call *c, int i, gx_value *own, gx_str **out) {
    gx_borrowed v = c->argv[i];
    if (is_bytes(c) && v.tag != GX_BYTES) {
        gx_try is = gx_bytes_like(c->rt, v, own);
        if (is == GX_TRY_ERROR) {
            *own = gx_undef();
            return false;
        }
        if (is == GX_TRY_YES) {
            *out = gx_as_str(*own);
            return true;
        }
        *own = gx_undef();
    }
    if (v.tag != c->argv[0].tag) {
        if (is_bytes(c))
            return gx_fail(c->rt, GX_TypeError, "bytes.type",
                           "a bytes-like object is required, not '%s'", gx_type_name(v));
        return gx_fail(c->rt, GX_TypeError, "str.type", "must be str, not %s", gx_type_name(v));
    }
    *out = gx_as_str(v);
    return true;
}

/* --- find ------------------------------------------------------------------------------------- */

/* start and stop arguments as byte positions; false in *sane: start lies behind the text. */
static bool bounds(gx_call *c, int at, size_t *from, size_t *to, bool *sane) {
    gx_str *s = self(c);
    int64_t n = (int64_t)s->chars, i = 0, j = n;
    *sane = true;
    *from = 0;
    *to = s->length;
    if (!gx_arg_some(c, at) && !gx_arg_some(c, at + 1)) return true;
    if (gx_arg_some(c, at) && !gx_arg_bound(c, at, &i)) return false;
    if (gx_arg_some(c, at + 1) && !gx_arg_bound(c, at + 1, &j)) return false;
    if (i < 0) i = i + n < 0 ? 0 : i + n;
    if (j < 0) j = j + n < 0 ? 0 : j + n;
    if (j > n) j = n;
    *sane = i <= j;
    *from = gx_str_offset(s, (size_t)i);
    *to = gx_str_offset(s, (size_t)j);
    return true;
}

/* What is searched for: a part of self's kind or, in bytes, an int for one byte. */
typedef struct needle {
    const char *text;
    size_t length;
    char byte;
} needle;

static const char *last_match(const char *p, const char *end, const needle *w) {
    if (w->length == 0) return end;
    for (const char *q = end - w->length + 1;
         (q = memrchr(p, w->text[0], (size_t)(q - p)));)
        if (memcmp(q, w->text, w->length) == 0) return q;
    return NULL;
}

static bool sought(gx_call *c, gx_value *own, needle *out) {
    int64_t byte;
    gx_str *s;
    gx_try is = is_bytes(c) && c->argv[1].tag != GX_BYTES ? gx_byte_of(c->rt, c->argv[1], &byte)
                                                          : GX_TRY_NO;
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_YES) {
        out->byte = (char)byte;
        out->text = &out->byte;
        out->length = 1;
        return true;
    }
    if (!text_arg(c, 1, own, &s)) return false;
    out->text = s->text;
    out->length = s->length;
    return true;
}

/* The position in code points, or -1. */
static bool search(gx_call *c, bool last, int64_t *out) {
    gx_str *s = self(c);
    needle w;
    GX_STILL(own);
    size_t from, to;
    bool sane;
    if (!bounds(c, 2, &from, &to, &sane) || !sought(c, &own, &w)) return false;
    const char *found = NULL;
    if (sane && w.length <= to - from)
        found = last ? last_match(s->text + from, s->text + to, &w)
                     : memmem(s->text + from, to - from, w.text, w.length);
    *out = !found ? -1
                  : (int64_t)gx_str_index(s, (size_t)(found - s->text));
    return true;
}

static bool find(gx_call *c, bool last, bool must, gx_value *out) {
    int64_t i;
    if (!search(c, last, &i)) return false;
    if (i < 0 && must)
        return gx_fail(c->rt, GX_ValueError, "str.missing", "%s not found",
                       is_bytes(c) ? "subsection" : "substring");
    *out = gx_int(i);
    return true;
}

bool gx_text_find(gx_call *c, gx_value *out) {
    return find(c, false, false, out);
}
bool gx_text_rfind(gx_call *c, gx_value *out) {
    return find(c, true, false, out);
}
bool gx_text_index(gx_call *c, gx_value *out) {
    return find(c, false, true, out);
}
bool gx_text_rindex(gx_call *c, gx_value *out) {
    return find(c, true, true, out);
}

bool gx_text_count(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    needle w;
    GX_STILL(own);
    size_t from, to;
    bool sane;
    if (!bounds(c, 2, &from, &to, &sane) || !sought(c, &own, &w)) return false;
    int64_t n = 0;
    if (sane && w.length == 0) {
        n = (int64_t)(is_bytes(c) ? to - from : gx_utf8_count(s->text + from, to - from)) + 1;
    } else if (sane) {
        const char *p = s->text + from, *end = s->text + to;
        for (; (p = memmem(p, (size_t)(end - p), w.text, w.length)); p += w.length)
            if (++n % 4096 == 0 && gx_work_stops(c->rt)) break;
    }
    *out = gx_int(n);
    return true;
}

/* --- prefixes and suffixes -------------------------------------------------------------------- */

static bool has_end(const gx_str *s, size_t from, size_t to, const gx_str *w, bool suffix) {
    if (w->length > to - from) return false;
    return memcmp(suffix ? s->text + to - w->length : s->text + from, w->text, w->length) == 0;
}

static bool ends(gx_call *c, bool suffix, gx_value *out) {
    size_t from, to;
    bool sane, yes = false;
    const gx_value *items = &c->argv[1];
    int64_t n = 1;
    if (!bounds(c, 2, &from, &to, &sane)) return false;
    if (c->argv[1].tag == GX_TUPLE) n = gx_sequence_items(c->argv[1], &items);
    for (int64_t i = 0; !yes && i < n; i++) {
        gx_value part = gx_undef();
        if (is_bytes(c) && items[i].tag != GX_BYTES &&
            gx_bytes_like(c->rt, items[i], &part) == GX_TRY_ERROR)
            return false;
        if (part.tag == GX_BYTES) {
            yes = sane && has_end(self(c), from, to, gx_as_str(part), suffix);
            gx_drop(part);
            continue;
        }
        if (items[i].tag != c->argv[0].tag)
            return gx_fail(c->rt, GX_TypeError, "str.type",
                           "%s first arg must be %s or a tuple of %s, not %s",
                           suffix ? "endswith" : "startswith", is_bytes(c) ? "bytes" : "str",
                           is_bytes(c) ? "bytes" : "str", gx_type_name(items[i]));
        yes = sane && has_end(self(c), from, to, gx_as_str(items[i]), suffix);
    }
    *out = gx_bool(yes);
    return true;
}

bool gx_text_startswith(gx_call *c, gx_value *out) {
    return ends(c, false, out);
}
bool gx_text_endswith(gx_call *c, gx_value *out) {
    return ends(c, true, out);
}

bool gx_text_removeprefix(gx_call *c, gx_value *out) {
    gx_str *s = self(c), *w;
    GX_STILL(own);
    if (!text_arg(c, 1, &own, &w)) return false;
    if (!has_end(s, 0, s->length, w, false)) return unchanged(c, out);
    return gx_text_bytes(c->rt, s, w->length, s->length, out);
}
bool gx_text_removesuffix(gx_call *c, gx_value *out) {
    gx_str *s = self(c), *w;
    GX_STILL(own);
    if (!text_arg(c, 1, &own, &w)) return false;
    if (!has_end(s, 0, s->length, w, true)) return unchanged(c, out);
    return gx_text_bytes(c->rt, s, 0, s->length - w->length, out);
}

/* --- strip ------------------------------------------------------------------------------------ */

/* Is the byte white space of its own? */
static inline bool is_space(const gx_str *s, char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r') ||
           (s->obj.tag == GX_STR && byte >= 28 && byte <= 31);
}

/* Is the character of n bytes at p to be stripped? set NULL: white space. */
static bool strippable(const gx_str *s, const char *p, size_t n, const gx_str *set) {
    if (set) return memmem(set->text, set->length, p, n) != NULL;
    if (n == 1) return is_space(s, *p);
    int bytes;
    return gx_code_space(gx_utf8_decode(p, &bytes));
}

static size_t char_bytes(const gx_str *s, size_t at) {
    if (s->obj.tag == GX_BYTES) return 1;
    size_t n = 1;
    while (((unsigned char)s->text[at + n] & 0xC0) == 0x80) n++;
    return n;
}

static bool strip(gx_call *c, bool left, bool right, gx_value *out) {
    gx_str *s = self(c), *set = NULL;
    GX_STILL(own);
    if (gx_arg_some(c, 1)) {
        if (c->argv[1].tag != c->argv[0].tag && !is_bytes(c))
            return gx_fail(c->rt, GX_TypeError, "str.type", "%s arg must be None or str",
                           c->fn->name);
        if (!text_arg(c, 1, &own, &set)) return false;
    }
    size_t from = 0, to = s->length;
    while (left && from < to && !gx_work_stops(c->rt)) {
        if (!set && (unsigned char)s->text[from] < 128) {
            if (!is_space(s, s->text[from])) break;
            from++;
            continue;
        }
        size_t n = char_bytes(s, from);
        if (!strippable(s, s->text + from, n, set)) break;
        from += n;
    }
    while (right && to > from && !gx_work_stops(c->rt)) {
        size_t at = to - 1;
        if (!set && (unsigned char)s->text[at] < 128) {
            if (!is_space(s, s->text[at])) break;
            to = at;
            continue;
        }
        while (s->obj.tag == GX_STR && ((unsigned char)s->text[at] & 0xC0) == 0x80) at--;
        if (!strippable(s, s->text + at, to - at, set)) break;
        to = at;
    }
    if (!gx_work_end(c->rt)) return false;
    if (from == 0 && to == s->length) return unchanged(c, out);
    return gx_text_bytes(c->rt, s, from, to, out);
}

bool gx_text_strip(gx_call *c, gx_value *out) {
    return strip(c, true, true, out);
}
bool gx_text_lstrip(gx_call *c, gx_value *out) {
    return strip(c, true, false, out);
}
bool gx_text_rstrip(gx_call *c, gx_value *out) {
    return strip(c, false, true, out);
}

/* --- replace ---------------------------------------------------------------------------------- */

/* An empty pattern stands before every character and at the end. */
static bool replace_empty(const gx_str *s, const gx_str *with, int64_t most, gx_buf *b) {
    size_t at = 0;
    for (; most > 0; most--) {
        if (!gx_buf_add(b, with->text, with->length)) return false;
        if (at == s->length) return true;
        size_t n = char_bytes(s, at);
        if (!gx_buf_add(b, s->text + at, n)) return false;
        at += n;
    }
    return gx_buf_add(b, s->text + at, s->length - at);
}

bool gx_text_replace(gx_call *c, gx_value *out) {
    gx_str *s = self(c), *old, *with;
    int64_t most;
    GX_STILL(own);
    GX_STILL(own_with);
    if (!text_arg(c, 1, &own, &old) || !text_arg(c, 2, &own_with, &with) ||
        !gx_arg_int(c, 3, &most))
        return false;
    if (most < 0) most = INT64_MAX;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = true;
    if (old->length == 0) {
        ok = replace_empty(s, with, most, &b);
    } else {
        const char *p = s->text, *end = p + s->length, *q;
        if (most == 0 || !(q = memmem(p, s->length, old->text, old->length)))
            return unchanged(c, out);
        for (; ok && q && most > 0 && !gx_work_stops(c->rt); most--) {
            ok = gx_buf_add(&b, p, (size_t)(q - p)) && gx_buf_add(&b, with->text, with->length);
            p = q + old->length;
            q = memmem(p, (size_t)(end - p), old->text, old->length);
        }
        ok = ok && gx_work_end(c->rt) && gx_buf_add(&b, p, (size_t)(end - p));
    }
    if (!ok) {
        gx_buf_free(&b);
        return false;
    }
    if (!is_bytes(c)) return gx_str_take(&b, out);
    ok = gx_bytes_new(c->rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}
