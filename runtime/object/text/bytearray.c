/* bytearray: a row of bytes that grows, shrinks and is stored into. What only looks at the bytes is
   left to bytes: each of its methods serves here too, on a copy of the bytes, with parts of the
   answer made into bytearrays.

   Invariant: while exports is not 0 the length stays as it is, and data where it is. */
#include "runtime/object/text/bytearray.h"

#include <string.h>

#include "runtime/device/work.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/iter.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

/* --- making ----------------------------------------------------------------------------------- */

static gx_bytearray *self(gx_call *c) {
    return gx_as_bytearray(c->argv[0]);
}

bool gx_bytearray_new(gx_rt *rt, const char *data, size_t length, gx_value *out) {
    gx_bytearray *b = gx_obj_new(rt, &gx_type_bytearray, sizeof *b);
    if (!b) return false;
    if (length) {
        b->data = gx_alloc(rt, length);
        if (!b->data) {
            gx_obj_drop(&b->obj);
            return false;
        }
        memcpy(b->data, data, length);
        b->length = b->room = length;
    }
    *out = gx_object(&b->obj);
    return true;
}

static void free_bytearray(gx_rt *rt, gx_obj *o) {
    gx_free(rt, ((gx_bytearray *)o)->data);
    gx_obj_release(rt, o);
}

gx_try gx_bytes_like(gx_rt *rt, gx_borrowed v, gx_value *out) {
    if (v.tag == GX_BYTES) {
        *out = gx_keep(v);
        return GX_TRY_YES;
    }
    if (gx_is_bytearray(v)) {
        const gx_bytearray *b = gx_as_bytearray(v);
        return gx_bytes_new(rt, b->length ? b->data : "", b->length, out) ? GX_TRY_YES
                                                                          : GX_TRY_ERROR;
    }
    gx_try has = gx_special(rt, v, "__bytes__", 0, NULL, out);
    if (has != GX_TRY_YES || out->tag == GX_BYTES) return has;
    gx_fail(rt, GX_TypeError, "class.bytes", "__bytes__ returned non-bytes (type %s)",
            gx_type_name(*out));
    gx_drop(gx_steal(out));
    return GX_TRY_ERROR;
}

/* --- changing the length ---------------------------------------------------------------------- */

static bool is_free(gx_rt *rt, const gx_bytearray *b) {
    return !b->exports || gx_fail(rt, GX_BufferError, "bytes.export",
                                  "Existing exports of data: object cannot be re-sized");
}

static bool reserve(gx_rt *rt, gx_bytearray *b, size_t room) {
    if (room <= b->room) return true;
    if (room < b->room + b->room / 2) room = b->room + b->room / 2;
    char *data = gx_realloc(rt, b->data, room);
    if (!data) return false;
    b->data = data;
    b->room = room;
    return true;
}

/* Puts n bytes in the place of `count` bytes at `at`; `from` is not part of b. */
static bool splice(gx_rt *rt, gx_bytearray *b, size_t at, size_t count, const char *from,
                   size_t n) {
    size_t behind = b->length - at - count;
    if (n != count) {
        if (!is_free(rt, b) || !reserve(rt, b, b->length - count + n)) return false;
        if (behind) memmove(b->data + at + n, b->data + at + count, behind);
        b->length = b->length - count + n;
    }
    if (n) memcpy(b->data + at, from, n);
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool byte_of(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_try is = gx_as_index(rt, v, out);
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "bytes.type",
                       "'%s' object cannot be interpreted as an integer", gx_type_name(v));
    if (is == GX_TRY_ERROR) {
        if (rt->error.kind != GX_OverflowError) return false;
        gx_error_clear(rt);
        *out = -1;
    }
    return (*out >= 0 && *out <= 255) ||
           gx_fail(rt, GX_ValueError, "bytes.range", "byte must be in range(0, 256)");
}

/* What may be stored into a part: bytes, bytearrays, iterables of ints; as bytes, owned. */
static bool bytes_of(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_try is = gx_bytes_like(rt, v, out);
    if (is != GX_TRY_NO) return is == GX_TRY_YES;
    if (v.tag == GX_STR)
        return gx_fail(rt, GX_TypeError, "bytes.type",
                       "expected iterable of integers; got: 'str'");
    if (gx_is_int(v) || v.tag == GX_FLOAT || v.tag == GX_NONE)
        return gx_fail(rt, GX_TypeError, "bytes.type",
                       "can assign only bytes, buffers, or iterables of ints in range(0, 256)");
    return gx_call_value(rt, gx_type_value(&gx_type_bytes), 1, &v, 0, NULL, out);
}

static bool construct(gx_call *c, gx_value *out) {
    gx_value bytes;
    if (!gx_arg_given(c, 0)) return gx_bytearray_new(c->rt, "", 0, out);
    if (!gx_bytes_made(c, false, &bytes)) return false;
    bool ok = gx_bytearray_new(c->rt, gx_as_str(bytes)->text, gx_as_str(bytes)->length, out);
    gx_drop(bytes);
    return ok;
}

static const gx_native bytearray_construct = {
    "bytearray",
    "bytearray(source=<no value>, encoding=<no value>, errors='strict')",
    "Bytes that can be stored into: from ints, from text in an encoding, or a number of zeros.",
    "bytearray(b'ab')  # bytearray(b'ab')",
    construct,
    0,
    0,
};

/* --- slots ------------------------------------------------------------------------------------ */

static bool array_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_bytearray *b = gx_as_bytearray(v);
    (void)rt;
    return gx_buf_puts(out, "bytearray(") &&
           gx_str_quote(out, b->length ? b->data : "", b->length, true) && gx_buf_char(out, ')');
}

static bool array_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)out;
    return gx_fail(rt, GX_TypeError, "hash.unhashable", "unhashable type: '%s'", gx_type_name(v));
}

static gx_try array_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x, y;
    gx_try is = gx_bytes_like(rt, a, &x);
    if (is != GX_TRY_YES) return is;
    is = gx_bytes_like(rt, b, &y);
    if (is == GX_TRY_YES) {
        is = gx_text_compare(rt, op, x, y, out);
        gx_drop(y);
    }
    gx_drop(x);
    return is;
}

/* Bytes or a bytearray, as the left operand says. */
static gx_try concat(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value x, y, sum;
    gx_try is = gx_bytes_like(rt, a, &x);
    if (is != GX_TRY_YES) return is;
    is = gx_bytes_like(rt, b, &y);
    if (is == GX_TRY_NO) {
        gx_fail(rt, GX_TypeError, "bytes.concat", "can't concat %s to %s", gx_type_name(b),
                gx_type_name(a));
        is = GX_TRY_ERROR;
    }
    if (is == GX_TRY_YES) {
        bool ok = gx_str_concat(rt, x, y, false, &sum);
        if (ok && gx_is_bytearray(a)) {
            ok = gx_bytearray_new(rt, gx_as_str(sum)->text, gx_as_str(sum)->length, out);
            gx_drop(sum);
        } else if (ok) {
            *out = sum;
        }
        is = ok ? GX_TRY_YES : GX_TRY_ERROR;
        gx_drop(y);
    }
    gx_drop(x);
    return is;
}

static bool repeat(gx_rt *rt, gx_borrowed v, int64_t n, gx_value *out) {
    gx_value x, r;
    if (gx_bytes_like(rt, v, &x) != GX_TRY_YES) return false;
    bool ok = gx_text_repeat(rt, x, n, &r);
    gx_drop(x);
    if (!ok) return false;
    ok = gx_bytearray_new(rt, gx_as_str(r)->text, gx_as_str(r)->length, out);
    gx_drop(r);
    return ok;
}

static gx_try array_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (op == GX_ADD) return concat(rt, a, b, out);
    int64_t n;
    if (op == GX_MUL) {
        gx_borrowed v = gx_is_bytearray(a) ? a : b, count = gx_is_bytearray(a) ? b : a;
        if (count.tag == GX_ARRAY) return GX_TRY_NO;
        gx_try is = gx_as_index(rt, count, &n);
        if (is == GX_TRY_NO) {
            gx_fail(rt, GX_TypeError, "sequence.repeat",
                    "can't multiply sequence by non-int of type '%s'", gx_type_name(count));
            return GX_TRY_ERROR;
        }
        if (is != GX_TRY_YES) return is;
        return repeat(rt, v, n, out) ? GX_TRY_YES : GX_TRY_ERROR;
    }
    if (op == GX_MOD && gx_is_bytearray(a)) {
        gx_value x, r;
        if (gx_bytes_like(rt, a, &x) != GX_TRY_YES) return GX_TRY_ERROR;
        gx_try is = gx_type_bytes.binary(rt, op, x, b, &r);
        gx_drop(x);
        if (is != GX_TRY_YES) return is;
        bool ok = gx_bytearray_new(rt, gx_as_str(r)->text, gx_as_str(r)->length, out);
        gx_drop(r);
        return ok ? GX_TRY_YES : GX_TRY_ERROR;
    }
    return GX_TRY_NO;
}

static bool array_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    *out = gx_as_bytearray(v)->length != 0;
    return true;
}

static bool array_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = (int64_t)gx_as_bytearray(v)->length;
    return true;
}

/* A slice of the length that b has once the bounds are known: they may run a script's __index__. */
static bool part_of(gx_rt *rt, const gx_bytearray *b, gx_borrowed key, int64_t *start,
                    int64_t *step, int64_t *count) {
    for (int tries = 0; tries < 4; tries++) {
        size_t n = b->length;
        if (!gx_slice_indices(rt, key, (int64_t)n, start, step, count)) return false;
        if (b->length == n) return true;
    }
    return gx_fail(rt, GX_RuntimeError, "bytes.changed", "bytearray changed size during indexing");
}

static bool array_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const gx_bytearray *b = gx_as_bytearray(v);
    int64_t start, step, count;
    if (key.tag != GX_SLICE) {
        int64_t n = (int64_t)b->length;
        if (!gx_sequence_index(rt, key, n, "bytearray index", "bytearray", &start)) return false;
        if (start >= (int64_t)b->length)
            return gx_fail(rt, GX_IndexError, "index.range", "bytearray index out of range");
        *out = gx_int((unsigned char)b->data[start]);
        return true;
    }
    if (!part_of(rt, b, key, &start, &step, &count)) return false;
    if (!gx_bytearray_new(rt, "", 0, out)) return false;
    gx_bytearray *r = gx_as_bytearray(*out);
    if (!reserve(rt, r, (size_t)count)) {
        gx_drop(*out);
        return false;
    }
    r->length = (size_t)count;
    for (int64_t i = 0; i < count; i++) r->data[i] = b->data[start + i * step];
    return true;
}

/* b[start:stop:step] = from; from NULL: deletes. Calls nothing of the script. */
static bool store_part(gx_rt *rt, gx_bytearray *b, int64_t start, int64_t step, int64_t count,
                       const gx_str *from) {
    size_t n = from ? from->length : 0;
    if (step == 1) return splice(rt, b, (size_t)start, (size_t)count, from ? from->text : "", n);
    if (from && n == 0) from = NULL;
    if (from) {
        if ((int64_t)n != count)
            return gx_fail(rt, GX_ValueError, "bytes.slice",
                           "attempt to assign bytes of size %zu to extended slice of size %lld", n,
                           (long long)count);
        for (int64_t i = 0; i < count; i++) b->data[start + i * step] = from->text[i];
        return true;
    }
    if (!is_free(rt, b)) return false;
    if (!count) return true;
    if (step < 0) {
        start += (count - 1) * step;
        step = -step;
    }
    size_t to = (size_t)start;
    for (size_t i = to; i < b->length; i++) {
        int64_t k = (int64_t)i - start;
        if (k % step == 0 && k / step < count) continue;
        b->data[to++] = b->data[i];
    }
    b->length = to;
    return true;
}

static bool array_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_bytearray *b = gx_as_bytearray(v);
    int64_t start, step, count, byte;
    gx_value from;
    if (key.tag != GX_SLICE) {
        gx_try is = gx_as_index(rt, key, &start); /* the item is read before places are counted */
        if (is == GX_TRY_NO)
            return gx_sequence_index(rt, key, 0, "bytearray index", "bytearray", &start);
        if (is == GX_TRY_ERROR || !byte_of(rt, item, &byte)) return false;
        if (start < 0) start += (int64_t)b->length;
        if (start < 0 || start >= (int64_t)b->length)
            return gx_fail(rt, GX_IndexError, "index.range", "bytearray index out of range");
        b->data[start] = (char)byte;
        return true;
    }
    /* The slice is read first, and again after code that making bytes of the item may run. */
    if (!part_of(rt, b, key, &start, &step, &count) || !bytes_of(rt, item, &from)) return false;
    bool ok = gx_is_bytearray(item) || part_of(rt, b, key, &start, &step, &count);
    ok = ok && store_part(rt, b, start, step, count, gx_as_str(from));
    gx_drop(from);
    return ok;
}

static bool array_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    gx_bytearray *b = gx_as_bytearray(v);
    int64_t start, step = 1, count = 1;
    if (key.tag != GX_SLICE) {
        if (!gx_sequence_index(rt, key, (int64_t)b->length, "bytearray index", "bytearray", &start))
            return false;
    } else if (!part_of(rt, b, key, &start, &step, &count)) {
        return false;
    }
    if (key.tag != GX_SLICE && start >= (int64_t)b->length)
        return gx_fail(rt, GX_IndexError, "index.range", "bytearray index out of range");
    return store_part(rt, b, start, step, count, NULL);
}

static bool array_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_value x, y = gx_undef();
    if (gx_bytes_like(rt, v, &x) != GX_TRY_YES) return false;
    gx_try is = gx_is_bytearray(item) ? gx_bytes_like(rt, item, &y) : GX_TRY_NO;
    bool ok = is != GX_TRY_ERROR &&
              gx_type_bytes.contains(rt, x, is == GX_TRY_YES ? y : item, out);
    gx_drop(x);
    gx_drop(y);
    return ok;
}

/* --- methods that change it ------------------------------------------------------------------- */

static bool none(gx_value *out) {
    *out = gx_none();
    return true;
}

static bool append(gx_call *c, gx_value *out) {
    int64_t byte;
    char one;
    if (!byte_of(c->rt, c->argv[1], &byte)) return false;
    one = (char)byte;
    return splice(c->rt, self(c), self(c)->length, 0, &one, 1) && none(out);
}

static bool extend(gx_call *c, gx_value *out) {
    gx_value from;
    gx_borrowed v = c->argv[1];
    if (gx_is_int(v) || v.tag == GX_FLOAT || v.tag == GX_NONE)
        return gx_fail(c->rt, GX_TypeError, "bytes.type", "can't extend bytearray with %s",
                       gx_type_name(v));
    if (!bytes_of(c->rt, v, &from)) return false;
    bool ok = splice(c->rt, self(c), self(c)->length, 0, gx_as_str(from)->text,
                     gx_as_str(from)->length);
    gx_drop(from);
    return ok && none(out);
}

static bool insert(gx_call *c, gx_value *out) {
    int64_t at, byte;
    char one;
    if (!gx_arg_int(c, 1, &at) || !byte_of(c->rt, c->argv[2], &byte)) return false;
    int64_t n = (int64_t)self(c)->length;
    if (at < 0) at = at + n < 0 ? 0 : at + n;
    if (at > n) at = n;
    one = (char)byte;
    return splice(c->rt, self(c), (size_t)at, 0, &one, 1) && none(out);
}

static bool pop(gx_call *c, gx_value *out) {
    int64_t at = -1;
    if (gx_arg_given(c, 1) && !gx_arg_int(c, 1, &at)) return false;
    gx_bytearray *b = self(c);
    int64_t n = (int64_t)b->length;
    if (n == 0) return gx_fail(c->rt, GX_IndexError, "bytes.empty", "pop from empty bytearray");
    if (at < 0) at += n;
    if (at < 0 || at >= n)
        return gx_fail(c->rt, GX_IndexError, "index.range", "pop index out of range");
    const gx_value byte = gx_int((unsigned char)b->data[at]);
    if (!splice(c->rt, b, (size_t)at, 1, "", 0)) return false;
    *out = byte;
    return true;
}

static bool remove_byte(gx_call *c, gx_value *out) {
    int64_t byte;
    if (!byte_of(c->rt, c->argv[1], &byte)) return false;
    gx_bytearray *b = self(c);
    const char *at = b->length ? memchr(b->data, (int)byte, b->length) : NULL;
    if (!at) return gx_fail(c->rt, GX_ValueError, "bytes.missing", "value not found in bytearray");
    return splice(c->rt, b, (size_t)(at - b->data), 1, "", 0) && none(out);
}

static bool reverse(gx_call *c, gx_value *out) {
    gx_bytearray *b = self(c);
    for (size_t i = 0, n = b->length; i < n / 2; i++) {
        char t = b->data[i];
        b->data[i] = b->data[n - 1 - i];
        b->data[n - 1 - i] = t;
    }
    return none(out);
}

static bool clear(gx_call *c, gx_value *out) {
    return splice(c->rt, self(c), 0, self(c)->length, "", 0) && none(out);
}

static bool copy(gx_call *c, gx_value *out) {
    return gx_bytearray_new(c->rt, self(c)->data, self(c)->length, out);
}

static gx_try bytearray_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b,
                                gx_value *out) {
    gx_bytearray *x = gx_as_bytearray(a);
    gx_value other;
    gx_try is = GX_TRY_NO;
    bool ok = false;
    if (op == GX_ADD) {
        is = gx_bytes_like(rt, b, &other);
        if (is != GX_TRY_YES) return is;
        ok = splice(rt, x, x->length, 0, gx_as_str(other)->text, gx_as_str(other)->length);
    } else if (op == GX_MUL) {
        is = array_binary(rt, op, a, b, &other);
        if (is != GX_TRY_YES) return is;
        ok = splice(rt, x, 0, x->length, gx_as_bytearray(other)->data,
                    gx_as_bytearray(other)->length);
    }
    if (is == GX_TRY_NO) return is;
    gx_drop(other);
    if (ok) *out = gx_keep(a);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* What a memoryview says when it begins and when it ends: +1, -1. */
static bool hold(gx_call *c, gx_value *out) {
    int64_t n;
    if (!gx_arg_int(c, 1, &n)) return false;
    self(c)->exports += n;
    return none(out);
}

static const gx_native changing[] = {
    {"append", "append(self, item, /)", "Adds a byte at the end.", NULL, append, 0, 0},
    {"extend", "extend(self, iterable_of_ints, /)", "Adds bytes at the end.", NULL, extend, 0, 0},
    {"insert", "insert(self, index, item, /)", "Puts a byte before an index.", NULL, insert, 0, 0},
    {"pop", "pop(self, index=<no value>, /)", "Takes a byte out, the last one by default.", NULL,
     pop, 0, 0},
    {"remove", "remove(self, value, /)", "Takes the first byte of a value out.", NULL, remove_byte,
     0, 0},
    {"reverse", "reverse(self, /)", "Turns the order round.", NULL, reverse, 0, 0},
    {"clear", "clear(self, /)", "Takes everything out.", NULL, clear, 0, 0},
    {"copy", "copy(self, /)", "Another bytearray of the same bytes.", NULL, copy, 0, 0},
    {"_hold", "_hold(self, by, /)", "Counts the views of the bytes.", NULL, hold, 0, 0},
    {0},
};

const gx_type gx_type_bytearray = {
    .name = "bytearray",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A sequence of bytes that can be stored into.",
    .free = free_bytearray,
    .repr = array_repr,
    .hash = array_hash,
    .compare = array_compare,
    .binary = array_binary,
    .inplace = bytearray_inplace,
    .truth = array_truth,
    .length = array_length,
    .get = array_get,
    .set = array_set,
    .del = array_del,
    .contains = array_contains,
    .iter = gx_seq_iter,
    .construct = &bytearray_construct,
    .methods = changing,
};
