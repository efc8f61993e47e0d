/* Text objects: making, hashing, comparing, slicing and joining str and bytes. Methods are in
   str_methods.c and its neighbours, bytes' in bytes.c, formatting in format*.c.

   A str is valid UTF-8 and immutable, with one exception that nobody can see: appending to a text
   that only one variable holds extends it in place. Invariant: text[length] is NUL; chars is the
   number of code points; chars == length means ASCII, where indexing is direct. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"

#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

enum { LARGEST = 1 << 30 };

/* --- making ----------------------------------------------------------------------------------- */

gx_str *gx_str_raw(gx_rt *rt, const gx_type *type, size_t length, size_t slack) {
    type = gx_plain_type(type);
    if (length > LARGEST) {
        gx_fail(rt, GX_MemoryError, "memory.text", "a text of %zu bytes is too large", length);
        return NULL;
    }
    gx_str *s = gx_obj_raw(rt, type, sizeof *s + length + slack + 1);
    if (!s) return NULL;
    s->hash = 0;
    s->sym = 0;
    s->slack = (uint32_t)slack;
    s->length = s->chars = length;
    s->text[length] = '\0';
    return s;
}

/* Texts of 0 and 1 bytes exist once. */
static bool shared_str(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    gx_heap *h = rt->heap;
    gx_value *place = length ? &h->chars[(unsigned char)text[0]] : &h->empty_str;
    if (place->tag == GX_UNDEF) {
        gx_str *s = gx_str_raw(rt, gx_core_types[GX_STR], length, 0);
        if (!s) return false;
        if (length) s->text[0] = text[0];
        *place = gx_object(&s->obj);
    }
    *out = gx_keep(*place);
    return true;
}

bool gx_str_counted(gx_rt *rt, const char *text, size_t length, size_t chars, gx_value *out) {
    if (length == 0 || (length == 1 && (unsigned char)text[0] < GX_SHARED_CHARS))
        return shared_str(rt, text, length, out);
    gx_str *s = gx_str_raw(rt, gx_core_types[GX_STR], length, 0);
    if (!s) return false;
    memcpy(s->text, text, length);
    s->chars = chars;
    *out = gx_object(&s->obj);
    return true;
}

bool gx_str_new(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    return gx_str_counted(rt, text, length, gx_utf8_count(text, length), out);
}

bool gx_str_c(gx_rt *rt, const char *text, gx_value *out) {
    return gx_str_new(rt, text, strlen(text), out);
}

bool gx_str_take(gx_buf *b, gx_value *out) {
    bool ok = gx_str_new(b->rt, gx_buf_text(b), b->length, out);
    gx_buf_free(b);
    return ok;
}

bool gx_str_printf(gx_rt *rt, gx_value *out, const char *fmt, ...) {
    gx_buf b = gx_buf_new(rt);
    va_list args;
    va_start(args, fmt);
    bool ok = gx_buf_vprintf(&b, fmt, args);
    va_end(args);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

bool gx_str_of_sym(gx_rt *rt, gx_sym s, gx_value *out) {
    if (!gx_str_new(rt, gx_sym_text(rt, s), gx_sym_length(rt, s), out)) return false;
    gx_as_str(*out)->sym = s;
    return true;
}

gx_sym gx_str_sym(gx_rt *rt, gx_borrowed v) {
    gx_str *s = gx_as_str(v);
    if (!s->sym) s->sym = gx_sym_of(rt, s->text, s->length);
    return s->sym;
}

bool gx_str_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    if (v.tag == GX_STR && !v.obj->type->heap) {
        *out = gx_keep(v);
        return true;
    }
    if (v.tag == GX_INT) {
        char text[24], *p = text + sizeof text;
        uint64_t m = v.i < 0 ? 0 - (uint64_t)v.i : (uint64_t)v.i;
        do *--p = (char)('0' + m % 10);
        while (m /= 10);
        if (v.i < 0) *--p = '-';
        size_t n = (size_t)(text + sizeof text - p);
        return gx_str_counted(rt, p, n, n, out);
    }
    gx_buf b = gx_buf_new(rt);
    if (gx_str_into(rt, v, &b)) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* --- comparing -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

uint64_t gx_str_hash_slow(gx_str *s) {
    uint64_t h = 0x243F6A8885A308D3u ^ s->length;
    const char *p = s->text;
    size_t n = s->length;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = mix(h, word);
    }
    uint64_t word = 0;
    memcpy(&word, p, n);
    h = mix(h, word);
    s->hash = h ? h : 1;
    return s->hash;
}

bool gx_str_equal(const gx_str *a, const gx_str *b) {
    if (a == b) return true;
    if (a->length != b->length || (a->hash && b->hash && a->hash != b->hash)) return false;
    return memcmp(a->text, b->text, a->length) == 0;
}

int gx_str_order(const gx_str *a, const gx_str *b) {
    /* UTF-8's byte order is the order of code points. */
    size_t n = a->length < b->length ? a->length : b->length;
    int c = memcmp(a->text, b->text, n);
    if (c) return c;
    return a->length < b->length ? -1 : a->length > b->length;
}

bool gx_order_result(gx_cmpop op, int order) {
    switch ((int)op) {
    case GX_EQ: return order == 0;
    case GX_NE: return order != 0;
    case GX_LT: return order < 0;
    case GX_LE: return order <= 0;
    case GX_GT: return order > 0;
    default: return order >= 0;
    }
}

gx_try gx_text_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if (a.tag != b.tag) return GX_TRY_NO;
    gx_str *x = gx_as_str(a), *y = gx_as_str(b);
    if (op == GX_EQ || op == GX_NE)
        *out = gx_bool(gx_str_equal(x, y) == (op == GX_EQ));
    else
        *out = gx_bool(gx_order_result(op, gx_str_order(x, y)));
    return GX_TRY_YES;
}

/* --- parts ------------------------------------------------------------------------------------ */

bool gx_str_part(gx_rt *rt, const gx_str *s, size_t start, size_t count, gx_value *out) {
    size_t from = gx_str_offset(s, start);
    if (gx_str_ascii(s)) return gx_str_counted(rt, s->text + from, count, count, out);
    size_t to = from;
    for (size_t left = count; left > 0; left--)
        while (((unsigned char)s->text[++to] & 0xC0) == 0x80) {
        }
    return gx_str_counted(rt, s->text + from, to - from, count, out);
}

/* --- joining ---------------------------------------------------------------------------------- */

bool gx_str_concat(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool reuse, gx_value *out) {
    gx_str *x = gx_as_str(a), *y = gx_as_str(b);
    if (x->length == 0 || y->length == 0)
        return gx_plain_value(rt, x->length == 0 ? b : a, out);
    size_t chars = x->chars + y->chars;
    if (reuse && !x->obj.type->heap && x->obj.refs == 1 && x->slack >= y->length) {
        gx_str_forget_places(x);
        memcpy(x->text + x->length, y->text, y->length);
        x->length += y->length;
        x->text[x->length] = '\0';
        x->chars = chars;
        x->slack -= (uint32_t)y->length;
        x->hash = 0;
        x->sym = 0;
        *out = gx_keep(a);
        return true;
    }
    size_t length = x->length + y->length;
    gx_str *s = gx_str_raw(rt, x->obj.type, length, reuse ? length / 2 : 0);
    if (!s) return false;
    memcpy(s->text, x->text, x->length);
    memcpy(s->text + x->length, y->text, y->length);
    s->chars = chars;
    *out = gx_object(&s->obj);
    return true;
}

bool gx_text_repeat(gx_rt *rt, gx_borrowed v, int64_t n, gx_value *out) {
    gx_str *s = gx_as_str(v);
    if (n < 0 || s->length == 0) n = 0;
    if (n == 1) return gx_plain_value(rt, v, out);
    size_t length;
    if (__builtin_mul_overflow(s->length, (size_t)n, &length) || length > LARGEST)
        return gx_fail(rt, GX_MemoryError, "memory.text", "a text of %zu x %lld bytes is too large",
                       s->length, (long long)n);
    if (length == 0 && v.tag == GX_STR) return gx_str_new(rt, "", 0, out);
    gx_str *r = gx_str_raw(rt, s->obj.type, length, 0);
    if (!r) return false;
    if (s->length == 1) {
        gx_work_fill(rt, r->text, s->text[0], length);
    } else {
        GX_LONG_LOOP(rt, i, 0, n) memcpy(r->text + (size_t)i * s->length, s->text, s->length);
    }
    r->chars = s->chars * (size_t)n;
    if (!gx_work_end(rt)) {
        gx_obj_drop(&r->obj);
        return false;
    }
    *out = gx_object(&r->obj);
    return true;
}
