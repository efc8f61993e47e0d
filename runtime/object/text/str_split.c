/* Splitting text and joining it again: methods that str and bytes share. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str_int.h"

static gx_str *self(gx_call *c) {
    return gx_as_str(c->argv[0]);
}

static bool push_part(gx_rt *rt, gx_borrowed list, const gx_str *s, size_t from, size_t to) {
    if (!gx_work_end(rt)) return false;
    gx_value part;
    return gx_text_bytes(rt, s, from, to, &part) && gx_list_push_take(rt, list, part);
}

/* Bytes of white space at `at`, 0: none there. */
static size_t space_at(const gx_str *s, size_t at) {
    unsigned char c = (unsigned char)s->text[at];
    if (c < 128 || s->obj.tag == GX_BYTES)
        return c == ' ' || (c >= '\t' && c <= '\r') || (s->obj.tag == GX_STR && c >= 28 && c <= 31);
    int n;
    return gx_code_space(gx_utf8_decode(s->text + at, &n)) ? (size_t)n : 0;
}

static size_t step(const gx_str *s, size_t at) {
    at++;
    while (s->obj.tag == GX_STR && ((unsigned char)s->text[at] & 0xC0) == 0x80) at++;
    return at;
}

static size_t step_back(const gx_str *s, size_t at) {
    at--;
    while (s->obj.tag == GX_STR && ((unsigned char)s->text[at] & 0xC0) == 0x80) at--;
    return at;
}

static bool split_spaces(gx_rt *rt, const gx_str *s, int64_t most, gx_borrowed list) {
    size_t at = 0;
    for (;;) {
        for (size_t n; at < s->length && (n = space_at(s, at));) at += n;
        if (at >= s->length) return true;
        size_t from = at;
        if (most-- == 0) return push_part(rt, list, s, from, s->length);
        while (at < s->length && !space_at(s, at)) at = step(s, at);
        if (!push_part(rt, list, s, from, at)) return false;
    }
}

static bool rsplit_spaces(gx_rt *rt, const gx_str *s, int64_t most, gx_borrowed list) {
    size_t at = s->length;
    for (;;) {
        while (at > 0 && space_at(s, step_back(s, at))) at = step_back(s, at);
        if (at == 0) return true;
        size_t to = at;
        if (most-- == 0) return push_part(rt, list, s, 0, to);
        while (at > 0 && !space_at(s, step_back(s, at))) at = step_back(s, at);
        if (!push_part(rt, list, s, at, to)) return false;
    }
}

static bool split_by(gx_rt *rt, const gx_str *s, const gx_str *sep, int64_t most,
                     gx_borrowed list) {
    size_t at = 0;
    while (most-- != 0) {
        const char *q = memmem(s->text + at, s->length - at, sep->text, sep->length);
        if (!q) break;
        if (!push_part(rt, list, s, at, (size_t)(q - s->text))) return false;
        at = (size_t)(q - s->text) + sep->length;
    }
    return push_part(rt, list, s, at, s->length);
}

/* The last match that ends at or before `to`, or -1. */
static int64_t match_before(const gx_str *s, size_t to, const gx_str *sep) {
    for (int64_t i = (int64_t)to - (int64_t)sep->length; i >= 0; i--)
        if (memcmp(s->text + i, sep->text, sep->length) == 0) return i;
    return -1;
}

static bool rsplit_by(gx_rt *rt, const gx_str *s, const gx_str *sep, int64_t most,
                      gx_borrowed list) {
    size_t to = s->length;
    while (most-- != 0) {
        int64_t i = match_before(s, to, sep);
        if (i < 0) break;
        if (!push_part(rt, list, s, (size_t)i + sep->length, to)) return false;
        to = (size_t)i;
    }
    return push_part(rt, list, s, 0, to);
}

static bool separator(gx_call *c, int i, const char *what, gx_str **out) {
    gx_borrowed v = c->argv[i];
    if (v.tag != c->argv[0].tag) {
        if (c->argv[0].tag == GX_BYTES)
            return gx_fail(c->rt, GX_TypeError, "bytes.type",
                           "a bytes-like object is required, not '%s'", gx_type_name(v));
        return gx_fail(c->rt, GX_TypeError, "str.type", "must be str%s, not %s", what,
                       gx_type_name(v));
    }
    *out = gx_as_str(v);
    if ((*out)->length == 0)
        return gx_fail(c->rt, GX_ValueError, "str.separator", "empty separator");
    return true;
}

static bool split(gx_call *c, bool right, gx_value *out) {
    gx_str *s = self(c), *sep = NULL;
    int64_t most;
    if (!gx_arg_int(c, 2, &most)) return false;
    if (gx_arg_some(c, 1) && !separator(c, 1, " or None", &sep)) return false;
    if (most < 0) most = -1;
    gx_value list;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok;
    if (sep) ok = (right ? rsplit_by : split_by)(c->rt, s, sep, most, list);
    else ok = (right ? rsplit_spaces : split_spaces)(c->rt, s, most, list);
    if (!ok) {
        gx_drop(list);
        return false;
    }
    gx_list *l = gx_as_list(list);
    for (int64_t i = 0, j = l->count - 1; right && i < j; i++, j--) {
        gx_value t = l->items[i];
        l->items[i] = l->items[j];
        l->items[j] = t;
    }
    *out = list;
    return true;
}

bool gx_text_split(gx_call *c, gx_value *out) {
    return split(c, false, out);
}
bool gx_text_rsplit(gx_call *c, gx_value *out) {
    return split(c, true, out);
}

/* Bytes of a line end at `at`, 0: none. */
static size_t line_end(const gx_str *s, size_t at) {
    unsigned char c = (unsigned char)s->text[at];
    if (c == '\r') return at + 1 < s->length && s->text[at + 1] == '\n' ? 2 : 1;
    if (c == '\n') return 1;
    if (s->obj.tag == GX_BYTES) return 0;
    if (c == 0x0b || c == 0x0c || (c >= 0x1c && c <= 0x1e)) return 1;
    if (c < 128) return 0;
    int n;
    uint32_t code = gx_utf8_decode(s->text + at, &n);
    return code == 0x85 || code == 0x2028 || code == 0x2029 ? (size_t)n : 0;
}

bool gx_text_splitlines(gx_call *c, gx_value *out) {
    gx_str *s = self(c);
    bool keep;
    gx_value list;
    if (!gx_arg_bool(c, 1, &keep) || !gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    size_t from = 0;
    for (size_t at = 0; ok && at < s->length;) {
        size_t n = line_end(s, at);
        if (n) {
            ok = push_part(c->rt, list, s, from, keep ? at + n : at);
            from = at += n;
        } else {
            at = step(s, at);
        }
    }
    if (ok && from < s->length) ok = push_part(c->rt, list, s, from, s->length);
    if (!ok) {
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static bool partition(gx_call *c, bool right, gx_value *out) {
    gx_str *s = self(c), *sep;
    if (!separator(c, 1, "", &sep)) return false;
    int64_t at;
    if (right) {
        at = match_before(s, s->length, sep);
    } else {
        const char *q = memmem(s->text, s->length, sep->text, sep->length);
        at = q ? q - s->text : -1;
    }
    size_t cuts[4] = {0, s->length, s->length, s->length};
    if (at >= 0) {
        cuts[1] = (size_t)at;
        cuts[2] = (size_t)at + sep->length;
    } else if (right) {
        cuts[1] = cuts[2] = 0;
    }
    gx_value parts[3];
    for (int i = 0; i < 3; i++)
        if (!gx_text_bytes(c->rt, s, cuts[i], cuts[i + 1], &parts[i])) {
            while (i-- > 0) gx_drop(parts[i]);
            return false;
        }
    return gx_tuple_take(c->rt, 3, parts, out);
}

bool gx_text_partition(gx_call *c, gx_value *out) {
    return partition(c, false, out);
}
bool gx_text_rpartition(gx_call *c, gx_value *out) {
    return partition(c, true, out);
}

bool gx_text_join(gx_call *c, gx_value *out) {
    gx_try iterable = GX_TRY_NO;
    for (const gx_type *t = gx_type_of(c->argv[1]); t; t = t->base)
        if (t->iter || t->next) iterable = GX_TRY_YES;
    if (iterable == GX_TRY_NO)
        return gx_fail(c->rt, GX_TypeError, "str.join", "can only join an iterable");
    return gx_str_join(c->rt, c->argv[0], c->argv[1], out);
}
