/* Text: str (UTF-8, immutable, hash and length in code points cached) and bytes. */
#ifndef GX_RUNTIME_OBJECT_TEXT_STR_H
#define GX_RUNTIME_OBJECT_TEXT_STR_H

#include "runtime/object/object.h"

typedef struct gx_str {
    gx_obj obj;
    uint64_t hash; /* 0: not computed */
    gx_sym sym;    /* its interned name, 0: not looked up */
    uint32_t slack; /* unused bytes behind the NUL: appending in place */
    size_t length; /* bytes */
    size_t chars;  /* code points (bytes objects: length) */
    char text[];   /* NUL-terminated */
} gx_str;

static inline gx_str *gx_as_str(gx_borrowed v) {
    return (gx_str *)v.obj;
}
static inline bool gx_str_ascii(const gx_str *s) {
    return s->chars == s->length;
}
uint64_t gx_str_hash_slow(gx_str *s);
/* The hash of text or bytes, computed once. */
static inline uint64_t gx_str_hash(gx_str *s) {
    return s->hash ? s->hash : gx_str_hash_slow(s);
}
bool gx_str_equal(const gx_str *a, const gx_str *b);
/* Order by code point: negative, 0, positive. */
int gx_str_order(const gx_str *a, const gx_str *b);
/* Bytes before the index-th code point (0 ≤ index ≤ chars). */
size_t gx_str_offset(const gx_str *s, size_t index);
/* The inverse: code points before a byte. */
size_t gx_str_index(const gx_str *s, size_t offset);
/* The part of s of `count` code points from `start`. */
GX_CHECK bool gx_str_part(gx_rt *rt, const gx_str *s, size_t start, size_t count, gx_value *out);
/* a + b; `reuse`: a may be extended in place when nobody else holds it. */
GX_CHECK bool gx_str_concat(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool reuse, gx_value *out);
/* Text that is not yet valid UTF-8 for sure: bad bytes are UnicodeDecodeError. */
GX_CHECK bool gx_str_decode(gx_rt *rt, const char *text, size_t length, gx_value *out);
/* sep.join(iterable). */
GX_CHECK bool gx_str_join(gx_rt *rt, gx_borrowed sep, gx_borrowed iterable, gx_value *out);
/* str(v) as a value. */
GX_CHECK bool gx_str_of(gx_rt *rt, gx_borrowed v, gx_value *out);
/* A new str of valid UTF-8 (one-byte and empty ones are shared). */
GX_CHECK bool gx_str_new(gx_rt *rt, const char *text, size_t length, gx_value *out);
GX_CHECK bool gx_str_c(gx_rt *rt, const char *text, gx_value *out);
GX_CHECK bool gx_str_printf(gx_rt *rt, gx_value *out, const char *fmt, ...) GX_PRINTF(3, 4);
/* The buffer's text as a str; the buffer is freed either way. */
GX_CHECK bool gx_str_take(gx_buf *b, gx_value *out);
GX_CHECK bool gx_str_of_sym(gx_rt *rt, gx_sym s, gx_value *out);
/* The interned name of a str; 0: MemoryError. */
gx_sym gx_str_sym(gx_rt *rt, gx_borrowed s);
GX_CHECK bool gx_bytes_new(gx_rt *rt, const char *data, size_t length, gx_value *out);
/* Python's repr of text, quotes and escapes included. */
GX_CHECK bool gx_str_quote(gx_buf *out, const char *text, size_t length, bool bytes);
/* str % args. */
GX_CHECK bool gx_str_percent(gx_rt *rt, gx_borrowed format, gx_borrowed args, gx_value *out);
/* A parsed format spec: [[fill]align][sign][#][0][width][,_][.precision][type]. */
typedef struct gx_spec {
    uint32_t fill; /* code point */
    char align, sign, type, group; /* 0: not given */
    bool alternate, zero, positive_zero; /* '#', '0', 'z' */
    int64_t width, precision; /* -1: not given */
} gx_spec;
GX_CHECK bool gx_spec_parse(gx_rt *rt, const char *spec, size_t length, gx_spec *out);
/* As gx_spec_parse; the message of a bad one names the type that was formatted. */
GX_CHECK bool gx_spec_parse_for(gx_rt *rt, const char *spec, size_t length, const char *type,
                                gx_spec *out);
/* Formats numbers as Python does (float.__format__ …); text is padded as numbers are. */
GX_CHECK bool gx_format_double(gx_rt *rt, double x, const gx_spec *spec, gx_buf *out);
GX_CHECK bool gx_format_int(gx_rt *rt, gx_borrowed x, const gx_spec *spec, gx_buf *out);
GX_CHECK bool gx_format_text(gx_rt *rt, const char *text, size_t length, const gx_spec *spec,
                             gx_buf *out);

/* Shortest digits that read back as x (runtime/object/number/float_repr.c). f32, f16: shortest for
 * that type. */
GX_CHECK bool gx_repr_double(gx_buf *out, double x);           /* Python's repr: 1e+16, 0.1 */
/* The shortest decimal digits of |x| and the decimal exponent: 0.d1d2d3… × 10^exponent. Returns
   the number of digits (0 for zero). bytes: 2, 4 or 8, the precision meant. */
int gx_shortest_digits(double x, int bytes, char digits[24], int *exponent);

#endif
