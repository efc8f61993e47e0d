/* The type str: what the operations on values do with a text. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/format_int.h"
#include "runtime/object/text/str_int.h"

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
    if (gx_arg_given(c, 1) || gx_arg_given(c, 2)) {
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
    "str", "str(object=<no value>, encoding=<no value>, errors=<no value>)",
    "The text of a value; bytes are decoded when an encoding is given.", "str(3.5)  # '3.5'",
    construct, 0, 0,
};

static bool str_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_str *s = gx_as_str(v);
    return gx_str_counted(rt, s->text, s->length, s->chars, out);
}

const gx_type gx_type_str = {
    .name = "str", .tag = GX_STR, .dtype = GX_NO_DTYPE, .doc = "Text: code points in UTF-8.",
    .repr = str_repr, .str = str_str, .format = str_format, .hash = text_hash,
    .compare = gx_text_compare, .binary = str_binary, .length = str_length, .get = str_get,
    .contains = str_contains, .iter = gx_seq_iter, .construct = &str_construct,
    .plain = str_plain,
};
