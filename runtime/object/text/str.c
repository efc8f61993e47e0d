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

bool gx_str_decode(gx_rt *rt, const char *text, size_t length, gx_value *out) {
    size_t bad = gx_utf8_valid(text, length);
    if (bad == length) return gx_str_new(rt, text, length, out);
    unsigned char byte = (unsigned char)text[bad];
    const char *why = byte < 0xC2 || byte > 0xF4 ? "invalid start byte"
                      : bad + 1 == length        ? "unexpected end of data"
                                                 : "invalid continuation byte";
    gx_value bytes;
    if (!gx_bytes_new(rt, text, length, &bytes)) return false;
    gx_unicode_error(rt, GX_UnicodeDecodeError, "utf-8", bytes, bad, why);
    gx_drop(bytes);
    return false;
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

static bool part_with_step(gx_rt *rt, const gx_str *s, int64_t start, int64_t step, int64_t count,
                           gx_value *out) {
    gx_buf b = gx_buf_new(rt);
    bool ok = gx_buf_reserve(&b, (size_t)count);
    if (ok && gx_str_ascii(s)) {
        GX_LONG_LOOP(rt, i, 0, count) b.data[i] = s->text[start + i * step];
        b.length = (size_t)count;
        if (gx_work_end(rt)) return gx_str_take(&b, out);
        gx_buf_free(&b);
        return false;
    }
    size_t at = count > 0 ? gx_str_offset(s, (size_t)start) : 0;
    for (int64_t i = 0; ok && i < count && !gx_work_stops(rt); i++) {
        size_t end = at + 1;
        while (((unsigned char)s->text[end] & 0xC0) == 0x80) end++;
        ok = gx_buf_add(&b, s->text + at, end - at);
        for (int64_t k = i + 1 < count ? step : 0; k > 0; k--)
            while (((unsigned char)s->text[++at] & 0xC0) == 0x80) {
            }
        for (int64_t k = i + 1 < count ? step : 0; k < 0; k++)
            while (((unsigned char)s->text[--at] & 0xC0) == 0x80) {
            }
    }
    ok = ok && gx_work_end(rt);
    if (ok) return gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}

static bool str_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_str *s = gx_as_str(v);
    int64_t n = (int64_t)s->chars;
    if (key.tag == GX_SLICE) {
        int64_t start, step, count;
        if (!gx_slice_indices(rt, key, n, &start, &step, &count)) return false;
        if (count == n && step == 1) return gx_plain_value(rt, v, out);
        if (step == 1) return gx_str_part(rt, s, (size_t)start, (size_t)count, out);
        return part_with_step(rt, s, start, step, count, out);
    }
    int64_t i;
    gx_try r = key.tag == GX_INT ? (i = key.i, GX_TRY_YES) : gx_as_index(rt, key, &i);
    if (r == GX_TRY_ERROR && rt->error.kind == GX_OverflowError) {
        gx_error_clear(rt);
        return gx_fail(rt, GX_IndexError, "index.large",
                       "cannot fit '%s' into an index-sized integer", gx_type_name(key));
    }
    if (r == GX_TRY_ERROR) return false;
    if (r == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "index.type", "string indices must be integers, not '%s'",
                       gx_type_name(key));
    if (i < 0) i += n;
    if (i < 0 || i >= n)
        return gx_fail(rt, GX_IndexError, "index.range", "string index out of range");
    return gx_str_part(rt, s, (size_t)i, 1, out);
}

static bool str_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = (int64_t)gx_as_str(v)->chars;
    return true;
}

static bool str_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    if (item.tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "str.contains",
                       "'in <string>' requires string as left operand, not %s", gx_type_name(item));
    gx_str *s = gx_as_str(v), *w = gx_as_str(item);
    *out = memmem(s->text, s->length, w->text, w->length) != NULL;
    return true;
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

static bool join_items(gx_rt *rt, const gx_str *sep, const gx_value *items, int64_t n,
                       gx_value *out) {
    size_t length = 0, chars = 0;
    GX_LONG_LOOP(rt, i, 0, n) {
        if (items[i].tag != sep->obj.tag)
            return gx_fail(rt, GX_TypeError, "str.join",
                           sep->obj.tag == GX_STR
                               ? "sequence item %lld: expected str instance, %s found"
                               : "sequence item %lld: expected a bytes-like object, %s found",
                           (long long)i, gx_type_name(items[i]));
        length += gx_as_str(items[i])->length + (i ? sep->length : 0);
        chars += gx_as_str(items[i])->chars + (i ? sep->chars : 0);
    }
    if (!gx_work_end(rt)) return false;
    if (n == 1) return gx_plain_value(rt, items[0], out);
    if (length == 0 && sep->obj.tag == GX_STR) return gx_str_new(rt, "", 0, out);
    gx_str *r = gx_str_raw(rt, sep->obj.type, length, 0);
    if (!r) return false;
    r->chars = chars;
    char *p = r->text;
    GX_LONG_LOOP(rt, i, 0, n) {
        if (i) p = (char *)memcpy(p, sep->text, sep->length) + sep->length;
        gx_str *s = gx_as_str(items[i]);
        p = (char *)memcpy(p, s->text, s->length) + s->length;
    }
    *out = gx_object(&r->obj);
    if (gx_work_end(rt)) return true;
    gx_drop(*out);
    return false;
}

/* A list of the items with bytes for what stands for them; UNDEF: they are bytes. */
static bool as_bytes(gx_rt *rt, const gx_value *items, int64_t n, gx_value *out) {
    int64_t i = 0;
    while (i < n && items[i].tag == GX_BYTES) i++;
    if (i == n) return true;
    if (!gx_list_new(rt, n, items, out)) return false;
    for (; i < n; i++) {
        gx_value *place = &gx_as_list(*out)->items[i], bytes, old = *place;
        gx_try is = gx_bytes_like(rt, old, &bytes);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO) continue;
        *place = bytes;
        gx_drop(old);
    }
    return true;
}

bool gx_str_join(gx_rt *rt, gx_borrowed sep, gx_borrowed iterable, gx_value *out) {
    gx_value list = gx_undef();
    const gx_value *items;
    int64_t n = gx_iterates_plainly(iterable) ? gx_sequence_items(iterable, &items) : -1;
    if (n < 0) {
        if (!gx_list_walked(rt, iterable, &list)) return false;
        n = gx_sequence_items(list, &items);
    }
    gx_value plain = gx_undef();
    bool ok = sep.tag != GX_BYTES || as_bytes(rt, items, n, &plain);
    if (ok && plain.tag != GX_UNDEF) n = gx_sequence_items(plain, &items);
    ok = ok && join_items(rt, gx_as_str(sep), items, n, out);
    gx_drop(plain);
    gx_drop(list);
    return ok;
}

static gx_try str_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD && a.tag == GX_STR) {
        if (b.tag == GX_STR) return gx_str_concat(rt, a, b, false, out) ? GX_TRY_YES : GX_TRY_ERROR;
        gx_fail(rt, GX_TypeError, "str.concat", "can only concatenate str (not \"%s\") to str",
                gx_type_name(b));
        if (b.tag == GX_INT || b.tag == GX_FLOAT)
            gx_help(rt, "convert the number first: str(x), or write an f-string");
        return GX_TRY_ERROR;
    }
    if (op == GX_MOD && a.tag == GX_STR)
        return gx_str_percent(rt, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (op == GX_MUL) return gx_sequence_repeat(rt, a, b, gx_text_repeat, out);
    return GX_TRY_NO;
}

/* --- the type --------------------------------------------------------------------------------- */

static bool str_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_str_quote(out, gx_as_str(v)->text, gx_as_str(v)->length, false);
}

static bool str_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_add(out, gx_as_str(v)->text, gx_as_str(v)->length);
}

static bool str_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_spec s;
    if (!gx_spec_parse_for(rt, spec, length, "str", &s)) return false;
    return gx_format_text(rt, gx_as_str(v)->text, gx_as_str(v)->length, &s, out);
}

static bool text_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    *out = gx_str_hash(gx_as_str(v));
    return true;
}

static bool construct(gx_call *c, gx_value *out) {
    if (!gx_arg_given(c, 0)) return gx_str_new(c->rt, "", 0, out);
    gx_borrowed v = c->argv[0];
    if (gx_arg_given(c, 1)) {
        const char *name, *errors;
        gx_value bytes;
        if (!gx_coding_texts(c, 1, &name, &errors)) return false;
        gx_try is = gx_bytes_like(c->rt, v, &bytes);
        if (is == GX_TRY_NO)
            return gx_fail(c->rt, GX_TypeError, "str.decode",
                           "decoding to str: need a bytes-like object, %s found", gx_type_name(v));
        if (is == GX_TRY_ERROR) return false;
        bool ok = gx_bytes_decode(c, bytes, 1, out);
        gx_drop(bytes);
        return ok;
    }
    return gx_str_of(c->rt, v, out);
}

static const gx_native str_construct = {
    "str", "str(object=<no value>, encoding=<no value>, errors='strict')",
    "The text of a value; bytes are decoded when an encoding is given.", "str(3.5)  # '3.5'",
    construct, 0, 0,
};

const gx_type gx_type_str = {
    .name = "str", .tag = GX_STR, .dtype = GX_NO_DTYPE, .doc = "Text: code points in UTF-8.",
    .repr = str_repr, .str = str_str, .format = str_format, .hash = text_hash,
    .compare = gx_text_compare, .binary = str_binary, .length = str_length, .get = str_get,
    .contains = str_contains, .iter = gx_seq_iter, .construct = &str_construct,
};
