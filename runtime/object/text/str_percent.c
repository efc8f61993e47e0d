/* text % args, bytes % args. Each conversion becomes a format spec, so that numbers are laid out in
   one place (format.c, format_float.c). */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/format_int.h"
#include "runtime/object/text/str_int.h"

enum { LARGEST_WIDTH = 1 << 28 };

typedef struct percent {
    gx_rt *rt;
    gx_buf out;
    const char *start, *p, *end;
    const gx_value *items;
    gx_value args, named; /* named: the value of the last key, owned; the arguments from there on */
    int64_t count, used; /* positional arguments */
    bool mapping, bytes;
} percent;

static bool next_arg(percent *f, gx_borrowed *out) {
    if (f->used >= f->count)
        return gx_fail(f->rt, GX_TypeError, "percent.few",
                       "not enough arguments for format string");
    *out = f->items[f->used++];
    return true;
}

/* %(name)… : the value of a key takes the place of the arguments. */
static bool named_arg(percent *f) {
    if (!f->mapping)
        return gx_fail(f->rt, GX_TypeError, "percent.mapping", "format requires a mapping");
    int depth = 1;
    const char *name = ++f->p;
    for (; f->p < f->end; f->p++) {
        if (*f->p == '(') depth++;
        if (*f->p == ')' && --depth == 0) break;
    }
    if (f->p >= f->end)
        return gx_fail(f->rt, GX_ValueError, "percent.key", "incomplete format key");
    gx_value key;
    if (!(f->bytes ? gx_bytes_new : gx_str_new)(f->rt, name, (size_t)(f->p - name), &key))
        return false;
    gx_value v;
    bool ok = gx_get_item(f->rt, f->args, key, &v);
    gx_drop(key);
    f->p++;
    if (!ok) return false;
    gx_drop(f->named);
    f->named = v;
    f->items = &f->named;
    f->count = 1;
    f->used = 0;
    return true;
}

/* A width or precision: digits, or * for the next argument. */
static bool number_or_star(percent *f, int64_t *out, bool width, bool *left) {
    if (f->p < f->end && *f->p == '*') {
        gx_borrowed v;
        f->p++;
        if (!next_arg(f, &v)) return false;
        if (!gx_is_int(v))
            return gx_fail(f->rt, GX_TypeError, "percent.star", "* wants int");
        v = gx_plain_number(v);
        if (v.tag == GX_BIGINT)
            return gx_fail(f->rt, GX_OverflowError, "percent.star",
                           "Python int too large to convert to C %s", width ? "ssize_t" : "int");
        int64_t n = gx_small_int(v);
        if (!width && n != (int32_t)n)
            return gx_fail(f->rt, GX_OverflowError, "percent.star",
                           "Python int too large to convert to C int");
        if (width && n < 0) *left = true;
        *out = n >= 0 ? n : width && n != INT64_MIN ? -n : 0;
    } else {
        int64_t n = 0;
        for (; f->p < f->end && *f->p >= '0' && *f->p <= '9'; f->p++) {
            n = n * 10 + (*f->p - '0');
            if (n > INT64_MAX / 20)
                return gx_fail(f->rt, GX_ValueError, "percent.width", "%s too big",
                               width ? "width" : "precision");
        }
        *out = n;
    }
    return true;
}

static bool put_text(percent *f, const char *text, size_t n, const gx_spec *s) {
    gx_spec plain = {.fill = ' ', .align = s->align == '<' ? '<' : '>', .width = s->width,
                     .precision = s->precision};
    return gx_format_text(f->rt, text, n, &plain, &f->out);
}

/* Bytes in a width, cut to a precision. */
static bool put_bytes(percent *f, const char *text, size_t n, const gx_spec *s) {
    if (s->precision >= 0 && (size_t)s->precision < n) n = (size_t)s->precision;
    size_t rest = s->width > (int64_t)n ? (size_t)s->width - n : 0;
    bool left = s->align == '<';
    return (left || gx_buf_fill(&f->out, ' ', rest)) && gx_buf_add(&f->out, text, n) &&
           (!left || gx_buf_fill(&f->out, ' ', rest));
}

/* %b and %s of bytes % args. */
static bool put_bytes_of(percent *f, gx_borrowed v, const gx_spec *s) {
    gx_value bytes;
    gx_try is = gx_bytes_like(f->rt, v, &bytes);
    if (is == GX_TRY_NO)
        return gx_fail(f->rt, GX_TypeError, "percent.type",
                       "%%b requires a bytes-like object, or an object that implements __bytes__, "
                       "not '%s'",
                       gx_type_name(v));
    if (is == GX_TRY_ERROR) return false;
    bool ok = put_bytes(f, gx_as_str(bytes)->text, gx_as_str(bytes)->length, s);
    gx_drop(bytes);
    return ok;
}

/* %c of bytes % args. */
static bool put_byte(percent *f, gx_borrowed v, const gx_spec *s) {
    gx_value bytes;
    int64_t code;
    gx_spec plain = *s;
    plain.precision = -1;
    gx_try is = gx_is_int(gx_plain_number(v)) ? GX_TRY_NO : gx_bytes_like(f->rt, v, &bytes);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_YES) {
        bool one = gx_as_str(bytes)->length == 1;
        char byte = gx_as_str(bytes)->text[0];
        gx_drop(bytes);
        if (one) return put_bytes(f, &byte, 1, &plain);
    } else {
        is = gx_as_bound(f->rt, v, &code);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_YES && (code < 0 || code > 255))
            return gx_fail(f->rt, GX_OverflowError, "percent.char",
                           "%%c arg not in range(256)");
        if (is == GX_TRY_YES) return put_bytes(f, (char[]){(char)code}, 1, &plain);
    }
    return gx_fail(f->rt, GX_TypeError, "percent.char",
                   "%%c requires an integer in range(256) or a single byte");
}

static bool put_value(percent *f, gx_borrowed v, char kind, const gx_spec *s) {
    gx_buf b = gx_buf_new(f->rt);
    bool ok = kind == 's' ? gx_str_into(f->rt, v, &b) : gx_repr(f->rt, v, &b);
    if (ok && kind == 'a') {
        gx_buf ascii = gx_buf_new(f->rt);
        ok = gx_str_ascii_escape(&ascii, gx_buf_text(&b), b.length);
        gx_buf_free(&b);
        b = ascii;
    }
    ok = ok && put_text(f, gx_buf_text(&b), b.length, s);
    gx_buf_free(&b);
    return ok;
}

static bool put_char(percent *f, gx_borrowed v, const gx_spec *spec) {
    gx_spec plain = *spec, *s = &plain;
    plain.precision = -1;
    if (v.tag == GX_STR && gx_as_str(v)->chars == 1)
        return put_text(f, gx_as_str(v)->text, gx_as_str(v)->length, s);
    int64_t code;
    v = gx_plain_number(v);
    if (v.tag == GX_BIGINT)
        return gx_fail(f->rt, GX_OverflowError, "percent.char", "%%c arg not in range(0x110000)");
    gx_try r = v.tag == GX_STR ? GX_TRY_NO : gx_as_index(f->rt, v, &code);
    if (r == GX_TRY_ERROR) return false;
    if (r == GX_TRY_NO)
        return gx_fail(f->rt, GX_TypeError, "percent.char", "%%c requires int or char");
    if (code < 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return gx_fail(f->rt, GX_OverflowError, "percent.char", "%%c arg not in range(0x110000)");
    char text[4];
    int n = gx_utf8_encode((uint32_t)code, text);
    return put_text(f, text, (size_t)n, s);
}

/* The int for %d (floats are cut) or %x (ints only); owned. */
static bool int_arg(percent *f, gx_borrowed v, char kind, gx_value *out) {
    bool radix = kind == 'x' || kind == 'X' || kind == 'o';
    int64_t i;
    double x;
    if (v.tag != GX_BOOL && gx_is_int(v)) return gx_plain_value(f->rt, v, out);
    if (v.tag == GX_BOOL) {
        *out = gx_int(v.b);
        return true;
    }
    gx_try r = radix ? GX_TRY_NO : gx_special_int(f->rt, v, "__int__", out);
    if (r == GX_TRY_NO) r = gx_special_int(f->rt, v, "__index__", out);
    if (r != GX_TRY_NO) return r == GX_TRY_YES;
    v = gx_plain_number(v);
    if (v.tag != GX_STR && (!gx_is_instance(v) || gx_is_int(v))) {
        r = gx_as_index(f->rt, v, &i);
        if (r == GX_TRY_YES) *out = gx_int(i);
        if (r == GX_TRY_NO && !radix) r = gx_as_double(f->rt, v, &x);
        else if (r != GX_TRY_NO) return r == GX_TRY_YES;
    }
    if (r == GX_TRY_YES) return gx_int_from_double(f->rt, x, out);
    if (r == GX_TRY_ERROR) return false;
    return gx_fail(f->rt, GX_TypeError, "percent.type",
                   radix ? "%%%c format: an integer is required, not %s"
                         : "%%%c format: a real number is required, not %s",
                   kind, gx_type_name(v));
}

static bool put_int(percent *f, gx_borrowed v, char kind, gx_spec s) {
    gx_value i;
    if (!int_arg(f, v, kind, &i)) return false;
    char type = kind == 'i' || kind == 'u' ? 'd' : kind;
    int base = type == 'd' ? 10 : type == 'o' ? 8 : 16;
    gx_buf b = gx_buf_new(f->rt), zeros = gx_buf_new(f->rt);
    bool ok = gx_int_text(f->rt, i, base, &b);
    if (ok) {
        bool negative = b.data[0] == '-';
        size_t n = b.length - negative;
        if (type == 'X')
            for (char *p = b.data; *p; p++)
                if (*p >= 'a') *p = (char)(*p - 32);
        if (s.precision > (int64_t)n) ok = gx_buf_fill(&zeros, '0', (size_t)s.precision - n);
        ok = ok && gx_buf_add(&zeros, b.data + negative, n);
        gx_number_text t = {
            .sign = negative ? '-' : s.sign,
            .digits = gx_buf_text(&zeros),
            .prefix = !s.alternate || base == 10 ? ""
                      : base == 8                ? "0o"
                      : type == 'X'              ? "0X"
                                                 : "0x",
            .digit_count = zeros.length,
            .rest = "",
            .group_size = 3,
        };
        ok = ok && gx_format_number(f->rt, &t, &s, &f->out);
    }
    gx_buf_free(&b);
    gx_buf_free(&zeros);
    gx_drop(i);
    return ok;
}

static bool put_float(percent *f, gx_borrowed v, char kind, gx_spec s) {
    double x;
    gx_try r = gx_as_double(f->rt, v, &x);
    if (r == GX_TRY_NO)
        return gx_fail(f->rt, GX_TypeError, "percent.type", "must be real number, not %s",
                       gx_type_name(v));
    if (r == GX_TRY_ERROR) return false;
    s.type = kind;
    return gx_format_double(f->rt, x, &s, &f->out);
}

static bool convert(percent *f, gx_borrowed v, char kind, const gx_spec *s) {
    if (strchr("diuoxX", kind)) return put_int(f, v, kind, *s);
    if (strchr("eEfFgG", kind)) return put_float(f, v, kind, *s);
    if (kind == 'c') return f->bytes ? put_byte(f, v, s) : put_char(f, v, s);
    if (f->bytes && (kind == 's' || kind == 'b')) return put_bytes_of(f, v, s);
    if (f->bytes) kind = 'a';
    return put_value(f, v, kind, s);
}

/* Flags, width, precision; p stands at the conversion afterwards. */
static bool parse_spec(percent *f, gx_spec *s) {
    bool left = false, zero = false;
    *s = (gx_spec){.fill = ' ', .width = -1, .precision = -1};
    for (;; f->p++) {
        char c = f->p < f->end ? *f->p : 0;
        if (c == '-') left = true;
        else if (c == '+') s->sign = '+';
        else if (c == ' ') s->sign = s->sign ? s->sign : ' ';
        else if (c == '#') s->alternate = true;
        else if (c == '0') zero = true;
        else break;
    }
    if (!number_or_star(f, &s->width, true, &left)) return false;
    if (f->p < f->end && *f->p == '.') {
        f->p++;
        if (!number_or_star(f, &s->precision, false, &left)) return false;
    }
    while (f->p < f->end && (*f->p == 'h' || *f->p == 'l' || *f->p == 'L')) f->p++;
    if (left) s->align = '<';
    else if (zero) {
        s->zero = true;
        s->fill = '0';
    }
    return true;
}

static bool one_conversion(percent *f) {
    gx_spec s;
    if (f->p < f->end && *f->p == '%') return gx_buf_char(&f->out, *f->p++);
    if (f->p < f->end && *f->p == '(' && !named_arg(f)) return false;
    if (!parse_spec(f, &s)) return false;
    if (f->p >= f->end)
        return gx_fail(f->rt, GX_ValueError, "percent.end", "incomplete format");
    char kind = *f->p;
    gx_borrowed v;
    if (!next_arg(f, &v)) return false;
    if (!kind || !strchr(f->bytes ? "diuoxXeEfFgGcrsab" : "diuoxXeEfFgGcrsa", kind)) {
        int n;
        uint32_t code = gx_utf8_decode(f->p, &n);
        return gx_fail(f->rt, GX_ValueError, "percent.code",
                     "unsupported format character '%.*s' (0x%x) at index %zu", n, f->p, code,
                     gx_utf8_count(f->start, (size_t)(f->p - f->start)));
    }
    f->p++;
    const bool wide = s.width > LARGEST_WIDTH;
    if (!wide && s.precision <= LARGEST_WIDTH) return convert(f, v, kind, &s);
    s.width = s.precision = -1; /* what is wrong with the value goes first */
    return convert(f, v, kind, &s) &&
           gx_fail(f->rt, GX_ValueError, "percent.width", "%s too big",
                   wide ? "width" : "precision");
}

/* Does it have items by name? Of a tuple or a text it is not asked. */
static bool is_mapping(gx_borrowed v) {
    if (v.tag == GX_TUPLE || v.tag == GX_STR) return false;
    for (const gx_type *t = gx_type_of(v); t; t = t->base)
        if (t->get) return true;
    return false;
}

/* The result as a buffer. */
static bool expand(gx_rt *rt, bool bytes, gx_borrowed format, gx_borrowed args, gx_buf *out) {
    gx_str *s = gx_as_str(format);
    percent f = {.rt = rt, .out = gx_buf_new(rt), .start = s->text, .p = s->text,
                 .end = s->text + s->length, .items = &args, .count = 1, .args = args,
                 .named = gx_undef(), .bytes = bytes};
    if (args.tag == GX_TUPLE) f.count = gx_sequence_items(args, &f.items);
    f.mapping = is_mapping(args) && !(bytes && (args.tag == GX_BYTES || gx_is_bytearray(args)));
    bool ok = true;
    while (ok && f.p < f.end) {
        const char *mark = memchr(f.p, '%', (size_t)(f.end - f.p));
        const char *stop = mark ? mark : f.end;
        ok = gx_buf_add(&f.out, f.p, (size_t)(stop - f.p));
        f.p = mark ? mark + 1 : f.end;
        if (ok && mark) ok = one_conversion(&f);
    }
    if (ok && f.used < f.count && !f.mapping)
        ok = gx_fail(rt, GX_TypeError, "percent.many",
                     "not all arguments converted during %s formatting",
                     bytes ? "bytes" : "string");
    gx_drop(f.named);
    *out = f.out;
    if (!ok) gx_buf_free(out);
    return ok;
}

bool gx_str_percent(gx_rt *rt, gx_borrowed format, gx_borrowed args, gx_value *out) {
    gx_buf b;
    return expand(rt, false, format, args, &b) && gx_str_take(&b, out);
}

bool gx_bytes_percent(gx_rt *rt, gx_borrowed format, gx_borrowed args, gx_value *out) {
    gx_buf b;
    if (!expand(rt, true, format, args, &b)) return false;
    bool ok = gx_bytes_new(rt, gx_buf_text(&b), b.length, out);
    gx_buf_free(&b);
    return ok;
}
