/* The type bytes: what makes bytes of a value, and what the operations do with them. */
#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/hooks.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

static bool from_items(gx_rt *rt, gx_borrowed iterable, bool hears, gx_value *out) {
    gx_value it, x;
    if (!gx_iter(rt, iterable, &it)) return false;
    gx_buf b = gx_buf_new(rt);
    bool ok = !hears || gx_length_heard(rt, iterable), more;
    while (ok && (ok = gx_next(rt, it, &x, &more)) && more) {
        int64_t i = 0;
        gx_try r = gx_as_bound(rt, x, &i);
        if (r == GX_TRY_NO)
            gx_fail(rt, GX_TypeError, "bytes.type",
                    "'%s' object cannot be interpreted as an integer", gx_type_name(x));
        else if (r == GX_TRY_YES && (i < 0 || i > 255))
            r = gx_fail(rt, GX_ValueError, "bytes.range", "bytes must be in range(0, 256)");
        gx_drop(x);
        if (!(ok = r == GX_TRY_YES && gx_buf_char(&b, (char)i))) break;
    }
    gx_drop(it);
    ok = ok && gx_bytes_new(rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}

/* bytes(x) of an array or a NumPy scalar: an integer is a number of zeros. */
static gx_try of_elements(gx_call *c, gx_borrowed v, gx_value *out) {
    const gx_type *plain = gx_plain_type(gx_type_of(v));
    int64_t count;
    if (!plain || !plain->bytes) return GX_TRY_NO;
    gx_try whole = gx_as_index(c->rt, v, &count);
    if (whole == GX_TRY_NO) return plain->bytes(c->rt, v, out);
    if (whole == GX_TRY_ERROR) return whole;
    const gx_value n = gx_int(count);
    return gx_call_value(c->rt, gx_type_value(&gx_type_bytes), 1, &n, 0, NULL, out)
               ? GX_TRY_YES
               : GX_TRY_ERROR;
}

bool gx_bytes_made(gx_call *c, bool hears, gx_value *out) {
    if (!gx_arg_given(c, 0)) return gx_bytes_new(c->rt, "", 0, out);
    gx_borrowed v = c->argv[0];
    if (v.tag == GX_STR) {
        if (gx_arg_given(c, 1)) return gx_str_encode(c, v, 1, out);
        return gx_fail(c->rt, GX_TypeError, "bytes.encoding",
                       "string argument without an encoding");
    }
    if (v.tag == GX_BYTES) return gx_plain_value(c->rt, v, out);
    int64_t n;
    gx_try like = gx_bytes_like(c->rt, v, out);
    if (like == GX_TRY_NO) like = of_elements(c, v, out);
    if (like != GX_TRY_NO) return like == GX_TRY_YES;
    gx_try r = gx_is_int(v) || gx_is_instance(v) ? gx_as_index(c->rt, v, &n) : GX_TRY_NO;
    if (r == GX_TRY_ERROR && (gx_is_int(v) || c->rt->error.kind != GX_TypeError)) return false;
    if (r == GX_TRY_ERROR) gx_error_clear(c->rt); /* no count; it may have items */
    if (r == GX_TRY_YES) {
        if (n < 0) return gx_fail(c->rt, GX_ValueError, "bytes.count", "negative count");
        gx_str *s = gx_str_raw(c->rt, gx_core_types[GX_BYTES], (size_t)n, 0);
        if (!s) return false;
        memset(s->text, 0, (size_t)n);
        *out = gx_object(&s->obj);
        return true;
    }
    if (!gx_type_of(v)->iter && !gx_type_of(v)->next && !gx_type_of(v)->base)
        return gx_fail(c->rt, GX_TypeError, "bytes.type", "cannot convert '%s' object to bytes",
                       gx_type_name(v));
    return from_items(c->rt, v, hears, out);
}

static bool construct(gx_call *c, gx_value *out) {
    return gx_bytes_made(c, true, out);
}

static const gx_native bytes_construct = {
    "bytes",
    "bytes(source=<no value>, encoding=<no value>, errors='strict')",
    "Bytes from ints, from text in an encoding, or a number of zeros.",
    "bytes([1, 2])  # b'\\x01\\x02'",
    construct,
    0,
    0,
};

static bool bytes_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_str_quote(out, gx_as_str(v)->text, gx_as_str(v)->length, true);
}

static bool bytes_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    *out = gx_str_hash(gx_as_str(v));
    return true;
}

static bool bytes_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = (int64_t)gx_as_str(v)->length;
    return true;
}

static bool bytes_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_str *s = gx_as_str(v);
    int64_t start, step, count, n = (int64_t)s->length;
    if (key.tag != GX_SLICE) {
        if (!gx_sequence_index(rt, key, n, "index", "byte", &start)) return false;
        *out = gx_int((unsigned char)s->text[start]);
        return true;
    }
    if (!gx_slice_indices(rt, key, n, &start, &step, &count)) return false;
    if (step == 1) return gx_bytes_new(rt, s->text + start, (size_t)count, out);
    gx_str *r = gx_str_raw(rt, gx_core_types[GX_BYTES], (size_t)count, 0);
    if (!r) return false;
    for (int64_t i = 0; i < count; i++) r->text[i] = s->text[start + i * step];
    *out = gx_object(&r->obj);
    return true;
}

static bool bytes_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_str *s = gx_as_str(v);
    int64_t byte;
    gx_value part;
    gx_try is = gx_byte_of(rt, item, &byte);
    if (is == GX_TRY_YES) {
        *out = memchr(s->text, (int)byte, s->length) != NULL;
        return true;
    }
    if (is == GX_TRY_NO) is = gx_bytes_like(rt, item, &part);
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "bytes.type", "a bytes-like object is required, not '%s'",
                       gx_type_name(item));
    if (is == GX_TRY_ERROR) return false;
    *out = memmem(s->text, s->length, gx_as_str(part)->text, gx_as_str(part)->length) != NULL;
    gx_drop(part);
    return true;
}

static gx_try bytes_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD && a.tag == GX_BYTES) {
        if (b.tag == GX_BYTES)
            return gx_str_concat(rt, a, b, false, out) ? GX_TRY_YES : GX_TRY_ERROR;
        gx_value other;
        gx_try is = gx_bytes_like(rt, b, &other);
        if (is == GX_TRY_YES) {
            is = gx_str_concat(rt, a, other, false, out) ? GX_TRY_YES : GX_TRY_ERROR;
            gx_drop(other);
        }
        if (is != GX_TRY_NO) return is;
        gx_fail(rt, GX_TypeError, "bytes.concat", "can't concat %s to bytes", gx_type_name(b));
        return GX_TRY_ERROR;
    }
    if (op == GX_MUL) return gx_sequence_repeat(rt, a, b, gx_text_repeat, out);
    if (op == GX_MOD && a.tag == GX_BYTES)
        return gx_bytes_percent(rt, a, b, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return GX_TRY_NO;
}

static bool bytes_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_bytes_new(rt, gx_as_str(v)->text, gx_as_str(v)->length, out);
}

const gx_type gx_type_bytes = {
    .name = "bytes", .tag = GX_BYTES, .dtype = GX_NO_DTYPE, .doc = "A sequence of bytes.",
    .repr = bytes_repr, .hash = bytes_hash, .compare = gx_text_compare, .binary = bytes_binary,
    .length = bytes_length, .get = bytes_get, .contains = bytes_contains, .iter = gx_seq_iter,
    .construct = &bytes_construct, .plain = bytes_plain,
};
