/* Arrays without a header: tofile, fromfile and fromstring, as bytes or as numbers between
   separators. */
#include <string.h>

#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str.h"
#include "stdlib/io/text_int.h"
#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_raw_functions[], gx_np_raw_methods[];

/* --- numbers between separators --- */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Behind a separator: a blank in it, and its ends, stand for any blanks. NULL: it is not there. */
static const char *skip_separator(const char *p, const char *end, const char *sep, size_t n) {
    while (p < end && is_blank(*p)) p++;
    for (size_t i = 0; i < n; i++) {
        if (is_blank(sep[i])) {
            while (p < end && is_blank(*p)) p++;
        } else {
            if (p == end || *p != sep[i]) return NULL;
            p++;
        }
    }
    return p;
}

static const char *end_of_number(const char *p, const char *end, const char *sep, size_t n) {
    size_t k = 0;
    while (k < n && is_blank(sep[k])) k++;
    while (p < end && !is_blank(*p) && (k == n || *p != sep[k])) p++;
    return p;
}

enum { LONGEST_NUMBER = 1000 };

/* All numbers of a text, at most `most` when that is not negative. */
static bool parse(gx_rt *rt, const char *p, size_t length, const char *sep, size_t n, gx_dtype d,
                  int64_t most, gx_buf *out) {
    const char *end = p + length;
    gx_scalar s;
    for (int64_t count = 0; most < 0 || count < most; count++) {
        while (p < end && is_blank(*p)) p++;
        if (p == end) return true;
        const char *stop = end_of_number(p, end, sep, n);
        bool read = gx_text_number(p, (size_t)(stop - p), d, &s);
        while (!read && count + 1 == most && stop - p > 1) { /* what follows the last is not read */
            stop = stop - p > LONGEST_NUMBER ? p + LONGEST_NUMBER : stop - 1;
            read = gx_text_number(p, (size_t)(stop - p), d, &s);
        }
        if (!read) break;
        if (!gx_buf_add(out, (const char *)&s, (size_t)gx_dtype_size(d))) return false;
        if (count % 4096 == 0 && !gx_interrupt_check(rt)) return false;
        for (p = stop; p < end && is_blank(*p);) p++;
        if (p == end || count + 1 == most) return true;
        p = skip_separator(stop, end, sep, n);
        if (!p) break;
    }
    if (most == 0) return true;
    return gx_fail(rt, GX_ValueError, "text.unmatched",
                   "string or file could not be read to its end due to unmatched data");
}

/* A 1-d array of the elements in a buffer. */
static bool give(gx_call *c, gx_dtype d, const gx_buf *b, gx_value *out) {
    gx_np s = gx_np_begin(c);
    int64_t count = (int64_t)b->length / gx_dtype_size(d);
    gx_array *a = gx_np_empty(&s, d, 1, &count);
    char *data = a ? gx_np_data_write(&s, a) : NULL;
    if (!data) return gx_np_end(&s, false);
    if (count) memcpy(data, b->data, (size_t)(count * gx_dtype_size(d)));
    gx_array_from_outside(a);
    return gx_np_give_array(&s, a, out);
}

static bool fromstring_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    int64_t most;
    const char *text, *sep;
    size_t length, n;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_int(c, 2, &most) || !gx_arg_str(c, 3, &sep, &n))
        return false;
    const uint8_t kind = c->argv[0].tag;
    const bool memory = kind == GX_ARRAY; /* its bytes are a text as any other */
    if (kind != GX_STR && kind != GX_BYTES && !memory && !gx_is_bytearray(c->argv[0]))
        return gx_arg_wrong(c, 0, "text");
    if (n == 0)
        return gx_fail(c->rt, GX_ValueError, "text.sep",
                       "The binary mode of fromstring is removed, use frombuffer instead");
    gx_np s = gx_np_begin(c);
    gx_array *a = memory ? gx_np_contiguous(&s, gx_np_arr(&s, c->argv[0])) : NULL;
    if (memory && (!a || !gx_array_read(c->rt, a, &text))) return gx_np_end(&s, false);
    if (memory) {
        length = (size_t)gx_array_nbytes(a);
    } else if (c->argv[0].tag == GX_BYTES) {
        text = gx_as_str(c->argv[0])->text;
        length = gx_as_str(c->argv[0])->length;
    } else if (!gx_arg_str(c, 0, &text, &length)) {
        return gx_np_end(&s, false);
    }
    if (d == GX_NO_DTYPE) d = GX_f64;
    gx_buf b = gx_buf_new(c->rt);
    bool ok = parse(c->rt, text, length, sep, n, d, most, &b) && give(c, d, &b, out);
    gx_buf_free(&b);
    return gx_np_end(&s, ok);
}

/* --- fromfile --- */

/* A file of known size is read straight into the array. */
static bool read_known(gx_call *c, gx_infile *in, gx_dtype d, int64_t count, gx_value *out) {
    int64_t item = gx_dtype_size(d), n = in->left / item;
    size_t got = 0;
    if (count >= 0 && count < n) n = count;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_empty(&s, d, 1, &n);
    char *data = a ? gx_np_data_write(&s, a) : NULL;
    if (!data || (n && !gx_infile_read(in, data, (size_t)(n * item), &got)))
        return gx_np_end(&s, false);
    gx_array_from_outside(a);
    if ((int64_t)got < n * item) /* the file shrank */
        a = gx_np_slice(&s, a, 0, 0, 1, (int64_t)got / item);
    return gx_np_give_array(&s, a, out);
}

/* Whole elements, in steps: a size that cannot be checked costs no memory. */
static bool read_bytes(gx_infile *s, int64_t item, int64_t count, gx_buf *b) {
    size_t part = 1 << 20, got, want;
    uint64_t all = s->left >= 0 ? (uint64_t)(s->left / item) : UINT64_MAX / (uint64_t)item;
    if (count >= 0 && (uint64_t)count < all) all = (uint64_t)count;
    all *= (uint64_t)item;
    if (s->left >= 0) part = all;
    while (b->length < all) {
        want = all - b->length < part ? all - b->length : part;
        if ((s->left < 0 && !gx_infile_may_hold(s->rt, s->name, b->length)) ||
            !gx_buf_reserve(b, want) || !gx_infile_read(s, b->data + b->length, want, &got))
            return false;
        b->length += got;
        if (got < want) break;
        part *= 2;
    }
    b->length -= b->length % (size_t)item;
    return true;
}

static bool fromfile_fn(gx_call *c, gx_value *out) {
    gx_dtype d;
    int64_t count, offset;
    const char *sep;
    size_t n;
    gx_infile s;
    if (!gx_np_dtype_arg(c, 1, &d) || !gx_arg_int(c, 2, &count) || !gx_arg_str(c, 3, &sep, &n) ||
        !gx_arg_int(c, 4, &offset))
        return false;
    if (d == GX_NO_DTYPE) d = GX_f64;
    if (n && offset)
        return gx_fail(c->rt, GX_TypeError, "file.offset",
                       "'offset' argument only permitted for binary files");
    if (!gx_infile_open(c->rt, c->argv[0], &s)) return false;
    gx_buf raw = gx_buf_new(c->rt), b = gx_buf_new(c->rt);
    bool ok = !offset || gx_infile_skip(&s, offset);
    if (ok && !n && s.left >= 0) {
        ok = read_known(c, &s, d, count, out);
        gx_infile_close(&s);
        return ok;
    }
    if (ok && n)
        ok = gx_infile_rest(&s, &raw) &&
             parse(c->rt, gx_buf_text(&raw), raw.length, sep, n, d, count, &b);
    else
        ok = ok && read_bytes(&s, gx_dtype_size(d), count, &b);
    gx_infile_close(&s);
    ok = ok && give(c, d, &b, out);
    gx_buf_free(&raw);
    gx_buf_free(&b);
    return ok;
}

/* --- tofile --- */

static bool put_element(gx_rt *rt, gx_dtype d, const char *at, gx_borrowed format, gx_buf *out) {
    gx_scalar s = {0};
    gx_value v, text;
    memcpy(&s, at, (size_t)gx_dtype_size(d));
    if (!gx_scalar_item(rt, d, &s, &v)) return false;
    bool ok = strcmp(gx_as_str(format)->text, "%s") == 0;
    if (ok) {
        ok = gx_str_into(rt, v, out);
    } else if (gx_str_percent(rt, format, v, &text)) {
        ok = gx_buf_add(out, gx_as_str(text)->text, gx_as_str(text)->length);
        gx_drop(text);
    }
    gx_drop(v);
    return ok;
}

static bool put_text(gx_outfile *to, gx_array *a, const char *data, const char *sep, size_t n,
                     gx_borrowed format) {
    enum { FLUSH = 1 << 16 };
    int64_t item = gx_dtype_size(a->dtype);
    gx_buf b = gx_buf_new(to->rt);
    bool ok = true;
    for (int64_t i = 0; ok && i < a->count; i++) {
        ok = (i == 0 || gx_buf_add(&b, sep, n)) &&
             put_element(to->rt, (gx_dtype)a->dtype, data + i * item, format, &b);
        if (ok && b.length >= FLUSH) {
            ok = gx_outfile_write(to, b.data, b.length);
            b.length = 0;
        }
    }
    ok = ok && gx_outfile_write(to, gx_buf_text(&b), b.length);
    gx_buf_free(&b);
    return ok;
}

static bool tofile_fn(gx_call *c, gx_value *out) {
    const char *sep, *format;
    size_t n, length;
    gx_outfile to;
    if (!gx_arg_str(c, 2, &sep, &n) || !gx_arg_str(c, 3, &format, &length)) return false;
    gx_np s = gx_np_begin(c);
    gx_array *a = gx_np_contiguous(&s, gx_np_arr(&s, c->argv[0]));
    const char *data = a ? gx_np_data(&s, a) : NULL;
    bool ok = data && gx_outfile_open(c->rt, c->argv[1], NULL, n > 0, &to);
    if (ok) {
        ok = n ? put_text(&to, a, data, sep, n, c->argv[3])
               : gx_outfile_write(&to, data, (size_t)gx_array_nbytes(a));
        ok = gx_outfile_done(&to, ok);
    }
    if (ok) *out = gx_none();
    return gx_np_end(&s, ok);
}

const gx_native gx_np_raw_functions[] = {
    {"fromfile", "fromfile(file, dtype=None, count=-1, sep='', offset=0, *, like=None)",
     "A 1-d array from the raw bytes of a file, or with sep from numbers in text; OSError if it is "
     "missing.",
     NULL, fromfile_fn, 0, 0},
    {"fromstring", "fromstring(string, dtype=None, count=-1, *, sep='', like=None)",
     "A 1-d array from numbers in a string, with sep between them.",
     "fromstring('1, 2, 3', sep=',')  # [1. 2. 3.]", fromstring_fn, 0, 0},
    {.name = NULL},
};

const gx_native gx_np_raw_methods[] = {
    {"tofile", "tofile(self, fid, sep='', format='%s')",
     "Writes the elements, in C order, as bytes or as text between separators.", NULL, tofile_fn,
     GX_NATIVE_HOST, 0},
    {.name = NULL},
};
