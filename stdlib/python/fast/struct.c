/* struct: values as bytes of C's types. A format's letters are steps with a place each. */
#include <math.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/still.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/stdlib.h"

typedef struct layout {
    char order; /* '<' or '>' */
    bool aligned, native;
} layout;

typedef struct step {
    char letter;
    int size;
    int64_t count, at; /* s and p: one value of so many bytes */
} step;

/* A format is read step by step; `at` is where the next one lies. */
typedef struct format {
    const char *p, *end;
    layout how;
    int64_t at;
} format;

/* Bytes of a letter's type, and what it is aligned to; 0: no such letter. */
static int size_of(char c, bool native) {
    switch (c) {
    case 'x': case 'c': case 'b': case 'B': case '?': case 's': case 'p': return 1;
    case 'h': case 'H': case 'e': return 2;
    case 'i': case 'I': case 'f': return 4;
    case 'l': case 'L': return native ? 8 : 4;
    case 'q': case 'Q': case 'd': return 8;
    case 'n': case 'N': case 'P': return native ? 8 : 0;
    default: return 0;
    }
}

static bool wrong(gx_rt *rt, const char *message) {
    return gx_raise_of(rt, "struct", "error", "%s", message);
}

static format begin(const char *text, size_t length) {
    format f = {text, text + length, {'<', true, true}, 0};
    if (!length || !*text || !strchr("@=<>!", *text)) return f;
    f.p++;
    if (*text == '@') return f;
    f.how = (layout){*text == '>' || *text == '!' ? '>' : '<', false, false};
    return f;
}

/* The next step: 1, 0 at the end, -1. */
static int next_step(gx_rt *rt, format *f, step *out) {
    while (f->p < f->end && strchr(" \t\n\r\v\f", *f->p) && *f->p) f->p++;
    if (f->p == f->end) return 0;
    bool counted = false;
    int64_t n = 0;
    for (; f->p < f->end && *f->p >= '0' && *f->p <= '9'; f->p++) {
        counted = true;
        n = n * 10 + *f->p - '0';
        if (n > (int64_t)1 << 40) return wrong(rt, "total struct size too long"), -1;
    }
    if (f->p == f->end)
        return wrong(rt, "repeat count given without format specifier"), -1;
    if (!*f->p) return wrong(rt, "embedded null character"), -1;
    const char c = *f->p++;
    const int size = size_of(c, f->how.native);
    if (!size) return wrong(rt, "bad char in struct format"), -1;
    if (f->how.aligned) f->at = (f->at + size - 1) / size * size;
    *out = (step){c, size, counted ? n : 1, f->at};
    f->at += size * out->count;
    if (f->at > (int64_t)1 << 40) return wrong(rt, "total struct size too long"), -1;
    return 1;
}

/* The bytes of a format, and how many values it has. */
static bool measure(gx_rt *rt, format f, int64_t *size, int64_t *values) {
    step s;
    int more;
    *values = 0;
    while ((more = next_step(rt, &f, &s)) > 0)
        if (s.letter != 'x') *values += s.letter == 's' || s.letter == 'p' ? 1 : s.count;
    *size = f.at;
    return more == 0;
}

static void put_uint(char *to, uint64_t v, int size, char order) {
    for (int i = 0; i < size; i++) to[order == '<' ? i : size - 1 - i] = (char)(v >> 8 * i);
}
static uint64_t get_uint(const char *from, int size, char order) {
    uint64_t v = 0;
    for (int i = 0; i < size; i++)
        v |= (uint64_t)(unsigned char)from[order == '<' ? i : size - 1 - i] << 8 * i;
    return v;
}

/* --- floats --- */

static double half_value(uint64_t bits) {
    const int exponent = (int)(bits >> 10 & 31);
    const double part = (double)(bits & 1023);
    const double size = exponent == 31 ? (part > 0 ? (double)NAN : (double)INFINITY)
                        : exponent ? ldexp(1024 + part, exponent - 25)
                                   : ldexp(part, -24);
    return bits >> 15 ? -size : size;
}

/* The nearest half, ties to even; false: too large. */
static bool half_bits(double x, uint64_t *out) {
    const uint64_t sign = signbit(x) ? 0x8000 : 0;
    x = fabs(x);
    if (isnan(x) || isinf(x)) {
        *out = sign | (isnan(x) ? 0x7e00 : 0x7c00);
        return true;
    }
    int exponent;
    frexp(x, &exponent);
    if (exponent < -13) exponent = -13;
    const double part = nearbyint(ldexp(x, 11 - exponent)); /* 1024 … 2048, or subnormal */
    const uint64_t bits = (uint64_t)part + ((uint64_t)(exponent + 13) << 10);
    if (x > 0 && bits >= 0x7c00) return false;
    *out = sign | (x > 0 ? bits : 0);
    return true;
}

static bool too_large(gx_rt *rt, gx_borrowed v, const step *s) {
    if (gx_is_int(v)) return wrong(rt, "int too large to convert");
    return gx_fail(rt, GX_OverflowError, "struct.range", "float too large to pack with %c format",
                   s->letter);
}

/* Of C's own float (@f) nothing is too large: it becomes inf. */
static bool put_float(gx_rt *rt, char *to, gx_borrowed v, const step *s, const layout *how) {
    double x;
    uint64_t bits = 0;
    gx_try is = gx_as_double(rt, v, &x);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO) return wrong(rt, "required argument is not a float");
    if (s->size == 8) memcpy(&bits, &x, 8);
    if (s->size == 4) {
        const float single = (float)x;
        uint32_t word;
        if (isinf(single) && !isinf(x) && !how->native) return too_large(rt, v, s);
        memcpy(&word, &single, 4);
        bits = word;
    }
    if (s->size == 2 && !half_bits(x, &bits)) return too_large(rt, v, s);
    put_uint(to, bits, s->size, how->order);
    return true;
}

static gx_value get_float(const char *from, int size, char order) {
    const uint64_t bits = get_uint(from, size, order);
    if (size == 2) return gx_float(half_value(bits));
    if (size == 4) {
        const uint32_t word = (uint32_t)bits;
        float single;
        memcpy(&single, &word, 4);
        return gx_float((double)single);
    }
    double x;
    memcpy(&x, &bits, 8);
    return gx_float(x);
}

/* --- ints --- */

static bool is_signed(char c) {
    return strchr("bhilqn", c) != NULL;
}

static bool put_int(gx_rt *rt, char *to, gx_borrowed v, const step *s, char order) {
    gx_value i;
    gx_try is = gx_as_integer(rt, v, &i);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO) return wrong(rt, "required argument is not an integer");
    uint64_t bits = 0;
    bool fits = true;
    const int width = 8 * s->size;
    if (i.tag == GX_BIGINT) {
        const gx_bigint *b = (const gx_bigint *)i.obj;
        fits = !is_signed(s->letter) && width == 64 && !b->negative && b->count <= 2 &&
               gx_bigint_u64(i, &bits);
    } else {
        const int64_t n = gx_small_int(i);
        const int64_t half = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
        fits = is_signed(s->letter) ? n >= -half - 1 && n <= half
                                    : n >= 0 && (width == 64 || n <= 2 * half + 1);
        bits = (uint64_t)n;
    }
    gx_drop(i);
    if (!fits) {
        const uint64_t half = (UINT64_C(1) << (width - 1)) - 1;
        return is_signed(s->letter)
                   ? gx_raise_of(rt, "struct", "error",
                                 "'%c' format requires -%llu <= number <= %llu", s->letter,
                                 (unsigned long long)half + 1, (unsigned long long)half)
                   : gx_raise_of(rt, "struct", "error", "'%c' format requires 0 <= number <= %llu",
                                 s->letter, (unsigned long long)half * 2 + 1);
    }
    put_uint(to, bits, s->size, order);
    return true;
}

static bool get_int(gx_rt *rt, const char *from, const step *s, char order, gx_value *out) {
    uint64_t bits = get_uint(from, s->size, order);
    if (!is_signed(s->letter)) return gx_int_from_u64(rt, bits, out);
    if (s->size < 8 && bits >> (8 * s->size - 1)) bits |= ~UINT64_C(0) << 8 * s->size;
    *out = gx_int((int64_t)bits);
    return true;
}

/* --- bytes --- */

static bool put_bytes(gx_rt *rt, char *to, gx_borrowed v, const step *s) {
    gx_value b;
    gx_try is = v.tag == GX_STR ? GX_TRY_NO : gx_bytes_like(rt, v, &b);
    if (v.tag == GX_BYTES && is == GX_TRY_NO) {
        b = gx_keep(v);
        is = GX_TRY_YES;
    }
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO)
        return wrong(rt, s->letter == 'c' ? "char format requires a bytes object of length 1"
                         : s->letter == 's' ? "argument for 's' must be a bytes object"
                                            : "argument for 'p' must be a bytes object");
    const size_t length = gx_as_str(b)->length;
    bool ok = s->letter != 'c' || length == 1 ||
              wrong(rt, "char format requires a bytes object of length 1");
    const size_t room = s->letter == 'c' ? 1 : (size_t)s->count;
    const size_t head = s->letter == 'p' && room ? 1 : 0;
    const size_t n = length < room - head ? length : room - head;
    if (ok && room) {
        if (head) *to = (char)(n > 255 ? 255 : n);
        memcpy(to + head, gx_as_str(b)->text, n);
    }
    gx_drop(b);
    return ok;
}

static bool put_value(gx_rt *rt, char *to, gx_borrowed v, const step *s, const layout *how) {
    bool truth;
    switch (s->letter) {
    case 'c': case 's': case 'p': return put_bytes(rt, to, v, s);
    case '?':
        if (!gx_truth(rt, v, &truth)) return false;
        *to = truth;
        return true;
    case 'e': case 'f': case 'd': return put_float(rt, to, v, s, how);
    default: return put_int(rt, to, v, s, how->order);
    }
}

static bool get_value(gx_rt *rt, const char *from, const step *s, char order, gx_value *out) {
    switch (s->letter) {
    case 'c': return gx_bytes_new(rt, from, 1, out);
    case 's': return gx_bytes_new(rt, from, (size_t)s->count, out);
    case 'p': {
        size_t n = s->count ? (unsigned char)*from : 0;
        if (s->count && n > (size_t)s->count - 1) n = (size_t)s->count - 1;
        return gx_bytes_new(rt, from + (s->count ? 1 : 0), n, out);
    }
    case '?': *out = gx_bool(*from != 0); return true;
    case 'e': case 'f': case 'd': *out = get_float(from, s->size, order); return true;
    default: return get_int(rt, from, s, order, out);
    }
}

static int64_t repeats(const step *s) {
    return s->letter == 's' || s->letter == 'p' ? 1 : s->letter == 'x' ? 0 : s->count;
}

/* --- functions --- */

static bool format_arg(gx_call *c, format *out) {
    gx_borrowed v = c->argv[0];
    if (v.tag != GX_STR && v.tag != GX_BYTES)
        return gx_fail(c->rt, GX_TypeError, "struct.format",
                       "Struct() argument 1 must be a str or bytes object, not %s",
                       gx_type_name(v));
    *out = begin(gx_as_str(v)->text, gx_as_str(v)->length);
    return true;
}

static bool calcsize(gx_call *c, gx_value *out) {
    format f;
    int64_t size, values;
    if (!format_arg(c, &f) || !measure(c->rt, f, &size, &values)) return false;
    *out = gx_int(size);
    return true;
}

static bool pack(gx_call *c, gx_value *out) {
    format f;
    int64_t size, values, at = 0;
    step s;
    if (!format_arg(c, &f) || !measure(c->rt, f, &size, &values)) return false;
    if (c->rest_count != values)
        return gx_raise_of(c->rt, "struct", "error",
                           "pack expected %lld items for packing (got %d)", (long long)values,
                           c->rest_count);
    gx_buf b = gx_buf_new(c->rt);
    bool ok = gx_buf_fill(&b, 0, (size_t)size);
    while (ok && next_step(c->rt, &f, &s) > 0)
        for (int64_t i = 0; ok && i < repeats(&s); i++)
            ok = put_value(c->rt, b.data + s.at + i * s.size, c->rest[at++], &s, &f.how);
    if (ok) return gx_bytes_take(&b, out);
    gx_buf_free(&b);
    return false;
}

/* The values that lie at the offset of argument 2, or where the bytes are the format's: `whole`. */
static bool values_of(gx_call *c, bool whole, gx_value *out) {
    format f;
    int64_t size, values, offset = 0;
    step s;
    gx_value list, v;
    GX_STILL(data);
    if (!format_arg(c, &f) || !measure(c->rt, f, &size, &values) ||
        !gx_arg_bytes(c, 1, false, &data))
        return false;
    const int64_t length = (int64_t)gx_as_str(data)->length;
    if (!whole && !gx_arg_int(c, 2, &offset)) return false;
    if (whole && size != length)
        return gx_raise_of(c->rt, "struct", "error", "unpack requires a buffer of %lld bytes",
                           (long long)size);
    if (offset < 0 && offset + length < 0)
        return gx_raise_of(c->rt, "struct", "error",
                           "offset %lld out of range for %lld-byte buffer", (long long)offset,
                           (long long)length);
    if (offset < 0 && offset + size > 0)
        return gx_raise_of(c->rt, "struct", "error",
                           "not enough data to unpack %lld bytes at offset %lld", (long long)size,
                           (long long)offset);
    if (offset < 0) offset += length;
    if (length - offset < size)
        return gx_raise_of(
            c->rt, "struct", "error",
            "unpack_from requires a buffer of at least %llu bytes for unpacking %lld "
            "bytes at offset %lld (actual buffer size is %lld)",
            (unsigned long long)size + (unsigned long long)offset, (long long)size,
            (long long)offset, (long long)length);
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    const char *base = gx_as_str(data)->text + offset;
    bool ok = true;
    while (ok && next_step(c->rt, &f, &s) > 0)
        for (int64_t i = 0; ok && i < repeats(&s); i++)
            ok = get_value(c->rt, base + s.at + i * s.size, &s, f.how.order, &v) &&
                 gx_list_push_take(c->rt, list, v);
    ok = ok && gx_tuple_of(c->rt, list, out);
    gx_drop(list);
    return ok;
}

static bool unpack(gx_call *c, gx_value *out) {
    return values_of(c, true, out);
}
static bool unpack_from(gx_call *c, gx_value *out) {
    return values_of(c, false, out);
}

extern const gx_native gx_py_struct_functions[];
const gx_native gx_py_struct_functions[] = {
    {"calcsize", "calcsize(format, /)", "The bytes of a format.", NULL, calcsize, 0, 0},
    {"pack", "pack(format, /, *values)", "Values as bytes.", NULL, pack, GX_NATIVE_REST, 0},
    {"unpack", "unpack(format, buffer, /)", "The values in bytes, as a tuple.", NULL, unpack, 0, 0},
    {"unpack_from", "unpack_from(format, /, buffer, offset=0)", "The values that begin at a place.",
     NULL, unpack_from, 0, 0},
    {.name = NULL},
};
