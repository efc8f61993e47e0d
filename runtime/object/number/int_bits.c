/* Ints of any size as strings of bits: shifts, and or xor on two's complement, and conversions
   between ints and doubles, which are about bits too. */
#include <math.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/number/bigint_int.h"
#include "runtime/object/operators.h"

bool gx_int_shift_left(gx_rt *rt, gx_borrowed a, uint64_t by, gx_value *out) {
    gx_digits x;
    gx_digits_of(a, &x);
    if (x.n == 0) {
        *out = gx_int(0);
        return true;
    }
    if (x.n == 1 && by < 31) {
        int64_t r = (int64_t)((uint64_t)x.d[0] << by);
        *out = gx_int(x.negative ? -r : r);
        return true;
    }
    if (by > GX_BIGINT_MAX_BITS)
        return gx_fail(rt, GX_OverflowError, "int.size",
                       "the result of << is an int of more than %d bits", (int)GX_BIGINT_MAX_BITS);
    size_t words = by / 32, bits = by % 32;
    gx_bigint *r = gx_big_raw(rt, x.n + words + 1);
    if (!r) return false;
    memset(r->digits, 0, words * sizeof *r->digits);
    uint32_t carry = 0;
    for (size_t i = 0; i < x.n; i++) {
        r->digits[words + i] = x.d[i] << bits | carry;
        carry = bits ? x.d[i] >> (32 - bits) : 0;
    }
    r->digits[words + x.n] = carry;
    r->negative = x.negative;
    *out = gx_big_finish(r);
    return true;
}

bool gx_int_shift_right(gx_rt *rt, gx_borrowed a, uint64_t by, gx_value *out) {
    a = gx_plain_number(a);
    if (a.tag != GX_BIGINT) {
        int64_t x = gx_small_int(a);
        *out = gx_int(by > 63 ? (x < 0 ? -1 : 0) : x >> by);
        return true;
    }
    gx_digits x;
    gx_digits_of(a, &x);
    size_t words = by / 32, bits = by % 32;
    if (words >= x.n) {
        *out = gx_int(x.negative ? -1 : 0);
        return true;
    }
    gx_bigint *r = gx_big_raw(rt, x.n - words + 1);
    if (!r) return false;
    bool lost = bits && x.d[words] << (32 - bits) != 0;
    for (size_t i = 0; i < words; i++) lost = lost || x.d[i] != 0;
    size_t n = x.n - words;
    for (size_t i = 0; i < n; i++) {
        uint32_t above = i + 1 < n ? x.d[words + i + 1] : 0;
        r->digits[i] = bits ? x.d[words + i] >> bits | above << (32 - bits) : x.d[words + i];
    }
    r->digits[n] = 0;
    r->negative = x.negative;
    /* Rounds down: a negative number that lost bits is one further from zero. */
    for (size_t i = 0; lost && x.negative && ++r->digits[i] == 0; i++) {
    }
    *out = gx_big_finish(r);
    return true;
}

/* Digit i of x in two's complement; *carry starts as 1 for a negative number. */
static uint32_t twos_digit(const gx_digits *x, size_t i, uint32_t *carry) {
    uint32_t d = i < x->n ? x->d[i] : 0;
    if (!x->negative) return d;
    uint64_t t = (uint64_t)(uint32_t)~d + *carry;
    *carry = (uint32_t)(t >> 32);
    return (uint32_t)t;
}

bool gx_int_bitwise(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    size_t n = (x.n > y.n ? x.n : y.n) + 1;
    gx_bigint *r = gx_big_raw(rt, n);
    if (!r) return false;
    uint32_t cx = 1, cy = 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t dx = twos_digit(&x, i, &cx), dy = twos_digit(&y, i, &cy);
        r->digits[i] = op == GX_BITAND ? dx & dy : op == GX_BITOR ? dx | dy : dx ^ dy;
    }
    r->negative = r->digits[n - 1] >> 31;
    uint64_t carry = 1;
    for (size_t i = 0; r->negative && i < n; i++) {
        carry += (uint32_t)~r->digits[i];
        r->digits[i] = (uint32_t)carry;
        carry >>= 32;
    }
    *out = gx_big_finish(r);
    return true;
}

/* --- doubles ---------------------------------------------------------------------------------- */

bool gx_int_to_double(gx_rt *rt, gx_borrowed v, double *out) {
    v = gx_plain_number(v);
    if (v.tag != GX_BIGINT) {
        *out = (double)gx_small_int(v);
        return true;
    }
    gx_bigint *b = (gx_bigint *)v.obj;
    int64_t bits = (int64_t)gx_mag_bits(b->digits, b->count);
    double f = bits > 1100 ? HUGE_VAL
                           : ldexp((double)gx_mag_top(b->digits, b->count), (int)bits - 64);
    if (isinf(f))
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "int too large to convert to float");
    *out = b->negative ? -f : f;
    return true;
}

bool gx_int_from_double(gx_rt *rt, double x, gx_value *out) {
    if (isnan(x))
        return gx_fail(rt, GX_ValueError, "number.nan", "cannot convert float NaN to integer");
    if (isinf(x))
        return gx_fail(rt, GX_OverflowError, "number.inf",
                       "cannot convert float infinity to integer");
    if (x >= -9223372036854775808.0 && x < 9223372036854775808.0) {
        *out = gx_int((int64_t)x);
        return true;
    }
    int e;
    double m = frexp(fabs(x), &e);
    gx_value top, r;
    if (!gx_int_from_u64(rt, (uint64_t)ldexp(m, 53), &top)) return false;
    if (!gx_int_shift_left(rt, top, (uint64_t)(e - 53), &r)) return false;
    if (x < 0) ((gx_bigint *)r.obj)->negative = true;
    *out = r;
    return true;
}

bool gx_int_from_u64(gx_rt *rt, uint64_t x, gx_value *out) {
    if (x <= INT64_MAX) {
        *out = gx_int((int64_t)x);
        return true;
    }
    gx_bigint *b = gx_big_raw(rt, 2);
    if (!b) return false;
    b->digits[0] = (uint32_t)x;
    b->digits[1] = (uint32_t)(x >> 32);
    *out = gx_object(&b->obj);
    return true;
}

bool gx_bigint_u64(gx_borrowed v, uint64_t *out) {
    gx_bigint *b = (gx_bigint *)v.obj;
    uint64_t m = b->digits[0] | (b->count > 1 ? (uint64_t)b->digits[1] << 32 : 0);
    *out = b->negative ? 0 - m : m;
    return !b->negative && b->count <= 2;
}

/* |a| against a positive double below infinity. */
static int compare_magnitude(const gx_bigint *a, double b) {
    int e;
    double m = frexp(b, &e);
    int64_t bits = (int64_t)gx_mag_bits(a->digits, a->count);
    if (bits != e) return bits < e ? -1 : 1;
    uint64_t top = gx_mag_top(a->digits, a->count), other = (uint64_t)ldexp(m, 64);
    return top < other ? -1 : top > other;
}

int gx_int_compare_double(gx_borrowed a, double b) {
    a = gx_plain_number(a);
    if (a.tag == GX_BIGINT) {
        gx_bigint *x = (gx_bigint *)a.obj;
        if (isinf(b)) return b > 0 ? -1 : 1;
        if (b == 0 || x->negative != (b < 0)) return x->negative ? -1 : 1;
        int c = compare_magnitude(x, fabs(b));
        return x->negative ? -c : c;
    }
    int64_t i = gx_small_int(a);
    if (b >= 9223372036854775808.0) return -1;
    if (b < -9223372036854775808.0) return 1;
    int64_t whole = (int64_t)b;
    if (i != whole) return i < whole ? -1 : 1;
    double rest = b - (double)whole;
    return rest > 0 ? -1 : rest < 0;
}

/* --- hashes ----------------------------------------------------------------------------------- */

static const uint64_t modulus = ((uint64_t)1 << 61) - 1;

uint64_t gx_hash_bigint(gx_borrowed v) {
    gx_bigint *b = (gx_bigint *)v.obj;
    uint64_t h = 0;
    for (uint32_t i = b->count; i-- > 0;) {
        /* h * 2^32 modulo 2^61 - 1 is a rotation of 61 bits. */
        h = ((h << 32) & modulus) | h >> 29;
        h += b->digits[i];
        if (h >= modulus) h -= modulus;
    }
    int64_t r = b->negative ? -(int64_t)h : (int64_t)h;
    return (uint64_t)(r == -1 ? -2 : r);
}

uint64_t gx_hash_double(double x) {
    if (isinf(x)) return (uint64_t)(x > 0 ? 314159 : -314159);
    if (isnan(x)) return 0;
    if (x >= -1e15 && x <= 1e15 && (double)(int64_t)x == x) return gx_hash_int((int64_t)x);
    int e;
    double m = frexp(fabs(x), &e);
    uint64_t h = 0;
    while (m != 0) {
        h = ((h << 28) & modulus) | h >> 33;
        m *= 268435456.0; /* 28 bits at a time */
        e -= 28;
        uint64_t part = (uint64_t)m;
        m -= (double)part;
        h += part;
        if (h >= modulus) h -= modulus;
    }
    e = e >= 0 ? e % 61 : 60 - ((-1 - e) % 61);
    if (e) h = ((h << e) & modulus) | h >> (61 - e);
    int64_t r = x < 0 ? -(int64_t)h : (int64_t)h;
    return (uint64_t)(r == -1 ? -2 : r);
}
