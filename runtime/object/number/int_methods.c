/* The int and bool types: methods, members, bytes, rounding. */
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/text/str_int.h"

static bool int_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_int_text(rt, v, 10, out);
}

static bool int_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_spec s;
    if (!gx_spec_parse_for(rt, spec, length, gx_type_name(v), &s)) return false;
    bool real = s.type == 'e' || s.type == 'E' || s.type == 'f' || s.type == 'F' || s.type == 'g' ||
                s.type == 'G' || s.type == '%';
    if (!real) return gx_format_int(rt, v, &s, out);
    double f;
    return gx_int_to_double(rt, v, &f) && gx_format_double(rt, f, &s, out);
}

static bool int_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    v = gx_plain_number(v);
    *out = v.tag == GX_BIGINT ? gx_hash_bigint(v) : gx_hash_int(gx_small_int(v));
    return true;
}

static bool int_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    v = gx_plain_number(v);
    *out = v.tag == GX_BIGINT || gx_small_int(v) != 0;
    return true;
}

static bool self_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (self.tag != GX_BOOL) return gx_plain_value(rt, self, out);
    *out = gx_int(self.b);
    return true;
}
static bool zero_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(0);
    return true;
}
static bool one_member(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(1);
    return true;
}

const gx_member gx_int_members[] = {
    {"real", self_member, NULL, "The value itself."},
    {"imag", zero_member, NULL, "The imaginary part, 0."},
    {"numerator", self_member, NULL, "The value itself."},
    {"denominator", one_member, NULL, "1."},
    {0},
};

bool gx_int_round(gx_rt *rt, gx_borrowed a, int64_t digits, gx_value *out) {
    if (digits >= 0) {
        if (a.tag != GX_BOOL) return gx_plain_value(rt, a, out);
        *out = gx_int(a.b);
        return true;
    }
    /* More digits than the number has: 0. */
    if (digits < -(gx_int_bits(a) / 3 + 2)) {
        *out = gx_int(0);
        return true;
    }
    gx_value power, q = gx_undef(), r = gx_undef(), twice = gx_undef(), next;
    if (!gx_int_binary(rt, GX_POW, gx_int(10), gx_int(-digits), &power)) return false;
    bool ok = gx_int_divmod(rt, a, power, &q, &r) && gx_int_binary(rt, GX_ADD, r, r, &twice);
    if (ok) {
        int c = gx_int_compare(twice, power);
        bool odd = q.tag == GX_BIGINT ? ((gx_bigint *)q.obj)->digits[0] & 1 : q.i & 1;
        if (c > 0 || (c == 0 && odd)) {
            ok = gx_int_binary(rt, GX_ADD, q, gx_int(1), &next);
            if (ok) {
                gx_drop(q);
                q = next;
            }
        }
        ok = ok && gx_int_binary(rt, GX_MUL, q, power, out);
    }
    gx_drop(power);
    gx_drop(q);
    gx_drop(r);
    gx_drop(twice);
    return ok;
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool bit_length(gx_call *c, gx_value *out) {
    *out = gx_int(gx_int_bits(c->argv[0]));
    return true;
}

static bool bit_count(gx_call *c, gx_value *out) {
    gx_digits x;
    gx_digits_of(c->argv[0], &x);
    int64_t n = 0;
    for (size_t i = 0; i < x.n; i++) n += __builtin_popcount(x.d[i]);
    *out = gx_int(n);
    return true;
}

static bool is_integer(gx_call *c, gx_value *out) {
    (void)c;
    *out = gx_bool(true);
    return true;
}

static bool conjugate(gx_call *c, gx_value *out) {
    return self_member(c->rt, c->argv[0], out);
}

static bool ratio(gx_call *c, gx_value *out) {
    gx_value pair[2];
    if (!self_member(c->rt, c->argv[0], &pair[0])) return false;
    pair[1] = gx_int(1);
    return gx_tuple_take(c->rt, 2, pair, out);
}

static bool byte_order(gx_call *c, int at, bool *little) {
    const char *text;
    size_t n;
    if (!gx_arg_str(c, at, &text, &n)) return false;
    *little = strcmp(text, "little") == 0;
    if (!*little && strcmp(text, "big") != 0)
        return gx_fail(c->rt, GX_ValueError, "int.bytes",
                       "byteorder must be either 'little' or 'big'");
    return true;
}

static bool to_bytes(gx_call *c, gx_value *out) {
    int64_t length;
    bool little, is_signed;
    if (!gx_arg_int(c, 1, &length) || !byte_order(c, 2, &little) || !gx_arg_bool(c, 3, &is_signed))
        return false;
    if (length < 0)
        return gx_fail(c->rt, GX_ValueError, "int.bytes", "length argument must be non-negative");
    gx_digits x;
    gx_digits_of(c->argv[0], &x);
    if (x.negative && !is_signed)
        return gx_fail(c->rt, GX_OverflowError, "int.bytes",
                       "can't convert negative int to unsigned");
    gx_str *s = gx_str_raw(c->rt, gx_core_types[GX_BYTES], (size_t)length, 0);
    if (!s) return false;
    uint32_t carry = 1;
    for (int64_t i = 0; i < length; i++) {
        uint32_t byte = (size_t)(i / 4) < x.n ? x.d[i / 4] >> (i % 4 * 8) & 255 : 0;
        if (x.negative) {
            byte = (~byte & 255) + carry;
            carry = byte >> 8;
        }
        s->text[little ? i : length - 1 - i] = (char)byte;
    }
    int64_t bits = (int64_t)gx_mag_bits(x.d, x.n), room = length * 8;
    bool power = x.negative && bits > 0; /* -2^(room-1) just fits */
    for (size_t i = 0; power && i < x.n; i++)
        power = x.d[i] == (i + 1 == x.n ? 1u << ((bits - 1) % 32) : 0);
    bool fits = !is_signed ? bits <= room : bits < room || (power && bits == room) || bits == 0;
    if (!fits) {
        gx_obj_drop(&s->obj);
        return gx_fail(c->rt, GX_OverflowError, "int.bytes", "int too big to convert");
    }
    *out = gx_object(&s->obj);
    return true;
}

static bool from_bytes(gx_call *c, gx_value *out) {
    bool little, is_signed;
    if (!byte_order(c, 1, &little) || !gx_arg_bool(c, 2, &is_signed)) return false;
    gx_value bytes;
    gx_borrowed arg = c->argv[0];
    if (gx_is_int(arg))
        return gx_fail(c->rt, GX_TypeError, "int.bytes", "cannot convert '%s' object to bytes",
                       gx_type_name(arg));
    if (!gx_call_value(c->rt, gx_type_value(gx_core_types[GX_BYTES]), 1, &arg, 0, NULL, &bytes))
        return false;
    gx_str *s = gx_as_str(bytes);
    size_t n = s->length;
    gx_bigint *b = gx_big_raw(c->rt, n / 4 + 1);
    if (!b) {
        gx_drop(bytes);
        return false;
    }
    memset(b->digits, 0, (n / 4 + 1) * sizeof *b->digits);
    for (size_t i = 0; i < n; i++)
        b->digits[i / 4] |= (uint32_t)(unsigned char)s->text[little ? i : n - 1 - i] << (i % 4 * 8);
    bool negative = is_signed && n && (unsigned char)s->text[little ? n - 1 : 0] > 127;
    gx_drop(bytes);
    gx_value v = gx_big_finish(b), shift, limit;
    if (!negative) {
        *out = v;
        return true;
    }
    shift = gx_int((int64_t)n * 8);
    bool ok = gx_int_binary(c->rt, GX_LSHIFT, gx_int(1), shift, &limit);
    if (ok) {
        ok = gx_int_binary(c->rt, GX_SUB, v, limit, out);
        gx_drop(limit);
    }
    gx_drop(v);
    return ok;
}

const gx_native gx_int_methods[] = {
    {"bit_length", "bit_length(self, /)", "How many bits the magnitude has.",
     "(37).bit_length()  # 6", bit_length, 0, 0},
    {"bit_count", "bit_count(self, /)", "How many bits of the magnitude are 1.",
     "(13).bit_count()  # 3", bit_count, 0, 0},
    {"is_integer", "is_integer(self, /)", "True: an int is whole.", "(3).is_integer()  # True",
     is_integer, 0, 0},
    {"conjugate", "conjugate(self, /)", "The value itself.", NULL, conjugate, 0, 0},
    {"as_integer_ratio", "as_integer_ratio(self, /)", "The value and 1.",
     "(3).as_integer_ratio()  # (3, 1)", ratio, 0, 0},
    {"to_bytes", "to_bytes(self, /, length=1, byteorder='big', *, signed=False)",
     "The bytes of the value.", "(258).to_bytes(2, 'big')  # b'\\x01\\x02'", to_bytes, 0, 0},
    {0},
};

const gx_native gx_int_statics[] = {
    {"from_bytes", "from_bytes(bytes, byteorder='big', *, signed=False)", "An int from its bytes.",
     "int.from_bytes(b'\\x01\\x02', 'big')  # 258", from_bytes, 0, 0},
    {0},
};

/* Of one that does not fit in 64 bits. */
static bool int_plain(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_bigint *from = (const gx_bigint *)v.obj;
    gx_bigint *b = gx_big_raw(rt, from->count);
    if (!b) return false;
    b->negative = from->negative;
    memcpy(b->digits, from->digits, from->count * sizeof *b->digits);
    *out = gx_object(&b->obj);
    return true;
}

const gx_type gx_type_int = {
    .name = "int", .tag = GX_INT, .dtype = GX_NO_DTYPE, .doc = "A whole number of any size.",
    .repr = int_repr, .format = int_format, .truth = int_truth, .hash = int_hash,
    .construct = &gx_int_construct, .plain = int_plain, .methods = gx_int_methods,
    .members = gx_int_members,
};

/* --- bool ------------------------------------------------------------------------------------- */

static bool bool_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_puts(out, v.b ? "True" : "False");
}

static bool bool_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    if (length == 0) return bool_repr(rt, v, out);
    return int_format(rt, v, spec, length, out);
}

static bool bool_construct(gx_call *c, gx_value *out) {
    bool b = false;
    if (gx_arg_given(c, 0) && !gx_truth(c->rt, c->argv[0], &b)) return false;
    *out = gx_bool(b);
    return true;
}

const gx_native gx_bool_construct = {
    "bool", "bool(x=<no value>, /)", "Is a value true?", "bool([])  # False", bool_construct, 0, 0,
};

const gx_type gx_type_bool = {
    .name = "bool", .base = &gx_type_int, .tag = GX_BOOL, .dtype = GX_NO_DTYPE,
    .doc = "True or False.", .repr = bool_repr, .format = bool_format,
    .construct = &gx_bool_construct,
};
