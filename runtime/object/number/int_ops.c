/* Python's arithmetic on ints of any size: int64 first, big integers when a result does not fit.
   Bools count as 0 and 1. Shifts and bit operations are in int_bits.c, text in int_text.c. */
#include "runtime/object/class/class.h"
#include "runtime/object/number/int_ops.h"

#include <math.h>
#include <string.h>

#include "runtime/object/number/bigint_int.h"

static uint64_t magnitude(int64_t i) {
    return i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
}

/* --- add, subtract, multiply ------------------------------------------------------------------ */

/* a + b, or a - b: signs and magnitudes. */
static bool add_big(gx_rt *rt, gx_borrowed a, gx_borrowed b, bool minus, gx_value *out) {
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    bool y_negative = y.negative != minus;
    bool less = gx_mag_compare(x.d, x.n, y.d, y.n) < 0;
    const gx_digits *big = less ? &y : &x, *small = less ? &x : &y;
    gx_bigint *r = gx_big_raw(rt, big->n + 1);
    if (!r) return false;
    r->negative = less ? y_negative : x.negative;
    if (x.negative == y_negative) {
        gx_mag_add(r->digits, big->d, big->n, small->d, small->n);
    } else {
        gx_mag_sub(r->digits, big->d, big->n, small->d, small->n);
        r->digits[big->n] = 0;
    }
    *out = gx_big_finish(r);
    return true;
}

static bool mul_big(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    if (x.n == 0 || y.n == 0) {
        *out = gx_int(0);
        return true;
    }
    gx_bigint *r = gx_big_raw(rt, x.n + y.n);
    if (!r) return false;
    r->negative = x.negative != y.negative;
    if (!gx_mag_mul(rt, r->digits, x.d, x.n, y.d, y.n)) {
        gx_obj_drop(&r->obj);
        return false;
    }
    *out = gx_big_finish(r);
    return true;
}

/* --- division --------------------------------------------------------------------------------- */

/* Quotient and remainder of magnitudes, with the signs of truncating division. */
static bool divide_big(gx_rt *rt, const gx_digits *x, const gx_digits *y, gx_value *quotient,
                       gx_value *remainder) {
    gx_bigint *q = gx_big_raw(rt, x->n - y->n + 1);
    gx_bigint *r = q ? gx_big_raw(rt, y->n) : NULL;
    if (!r || !gx_mag_divmod(rt, q->digits, r->digits, x->d, x->n, y->d, y->n)) {
        if (q) gx_obj_drop(&q->obj);
        if (r) gx_obj_drop(&r->obj);
        return false;
    }
    q->negative = x->negative != y->negative;
    r->negative = x->negative;
    *quotient = gx_big_finish(q);
    *remainder = gx_big_finish(r);
    return true;
}

static bool divmod_big(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *quotient,
                       gx_value *remainder) {
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    gx_value q = gx_int(0), r = a;
    if (x.n < y.n)
        gx_keep(r);
    else if (!divide_big(rt, &x, &y, &q, &r))
        return false;
    /* Round down: a remainder with the other sign than b takes one b more. */
    if ((r.tag == GX_BIGINT || gx_small_int(r) != 0) && x.negative != y.negative) {
        gx_value q2, r2;
        bool ok = gx_int_binary(rt, GX_SUB, q, gx_int(1), &q2);
        if (ok && !gx_int_binary(rt, GX_ADD, r, b, &r2)) {
            gx_drop(q2);
            ok = false;
        }
        gx_drop(q);
        gx_drop(r);
        if (!ok) return false;
        q = q2;
        r = r2;
    }
    *quotient = q;
    *remainder = r.tag == GX_BOOL ? gx_int(r.b) : r;
    return true;
}

bool gx_int_divmod(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *quotient,
                   gx_value *remainder) {
    a = gx_plain_number(a);
    b = gx_plain_number(b);
    if (b.tag != GX_BIGINT && gx_small_int(b) == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero",
                       "integer division or modulo by zero");
    if (a.tag != GX_BIGINT && b.tag != GX_BIGINT) {
        int64_t x = gx_small_int(a), y = gx_small_int(b);
        if (y != -1) {
            int64_t q = x / y, r = x % y;
            if (r != 0 && (r < 0) != (y < 0)) {
                q--;
                r += y;
            }
            *quotient = gx_int(q);
            *remainder = gx_int(r);
            return true;
        }
        *remainder = gx_int(0);
        return gx_int_neg(rt, a, quotient);
    }
    return divmod_big(rt, a, b, quotient, remainder);
}

/* The quotient of two big magnitudes as a correctly rounded double. */
static bool true_divide_big(gx_rt *rt, gx_borrowed a, gx_borrowed b, double *out) {
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    if (x.n == 0) {
        *out = y.negative ? -0.0 : 0.0;
        return true;
    }
    int64_t shift = (int64_t)gx_mag_bits(y.d, y.n) - (int64_t)gx_mag_bits(x.d, x.n) + 66;
    gx_value num = gx_keep(a), den = gx_keep(b), q, r;
    bool ok = true;
    gx_value shifted;
    if (shift > 0) {
        ok = gx_int_shift_left(rt, a, (uint64_t)shift, &shifted);
        if (ok) {
            gx_drop(num);
            num = shifted;
        }
    } else if (shift < 0) {
        ok = gx_int_shift_left(rt, b, (uint64_t)-shift, &shifted);
        if (ok) {
            gx_drop(den);
            den = shifted;
        }
    }
    gx_digits n, d;
    gx_digits_of(num, &n);
    gx_digits_of(den, &d);
    ok = ok && divide_big(rt, &n, &d, &q, &r);
    gx_drop(num);
    gx_drop(den);
    if (!ok) return false;
    gx_digits_of(q, &n);
    uint64_t top = gx_mag_top(n.d, n.n) | (r.tag == GX_BIGINT || r.i != 0);
    int64_t exponent = (int64_t)gx_mag_bits(n.d, n.n) - 64 - shift;
    gx_drop(q);
    gx_drop(r);
    double f = ldexp((double)top, (int)(exponent < -5000  ? -5000
                                        : exponent > 5000 ? 5000
                                                          : exponent));
    if (isinf(f))
        return gx_fail(rt, GX_OverflowError, "number.overflow",
                       "integer division result too large for a float");
    *out = x.negative != y.negative ? -f : f;
    return true;
}

static bool true_divide(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    const int64_t exact = (int64_t)1 << 53;
    double f = 0;
    if (b.tag != GX_BIGINT && gx_small_int(b) == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "division by zero");
    if (a.tag != GX_BIGINT && b.tag != GX_BIGINT) {
        int64_t x = gx_small_int(a), y = gx_small_int(b);
        if (x >= -exact && x <= exact && y >= -exact && y <= exact) {
            *out = gx_float((double)x / (double)y);
            return true;
        }
    }
    if (!true_divide_big(rt, a, b, &f)) return false;
    *out = gx_float(f);
    return true;
}

/* --- powers ----------------------------------------------------------------------------------- */

static bool power(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (gx_int_compare(b, gx_int(0)) < 0) {
        double x, y;
        if (!gx_int_to_double(rt, a, &x) || !gx_int_to_double(rt, b, &y)) return false;
        return gx_float_binary(rt, GX_POW, x, y, out);
    }
    int64_t bits = gx_int_bits(a);
    if (bits <= 1) { /* 0, 1, -1 */
        bool odd = b.tag == GX_BIGINT ? ((gx_bigint *)b.obj)->digits[0] & 1 : gx_small_int(b) & 1;
        bool zero = b.tag != GX_BIGINT && gx_small_int(b) == 0;
        int64_t x = gx_small_int(a);
        *out = gx_int(zero ? 1 : x < 0 && !odd ? 1 : x);
        return true;
    }
    double size = b.tag == GX_BIGINT ? 1e300 : (double)(bits - 1) * (double)gx_small_int(b);
    if (size > GX_BIGINT_MAX_BITS)
        return gx_fail(rt, GX_OverflowError, "int.size",
                       "the result of ** is an int of more than %d bits", (int)GX_BIGINT_MAX_BITS);
    int64_t n = gx_small_int(b);
    gx_value r = gx_int(1), base = gx_keep(a), next;
    for (;;) {
        if (n & 1) {
            if (!gx_int_binary(rt, GX_MUL, r, base, &next)) break;
            gx_drop(r);
            r = next;
        }
        n >>= 1;
        if (n == 0) {
            gx_drop(base);
            *out = r;
            return true;
        }
        if (!gx_int_binary(rt, GX_MUL, base, base, &next)) break;
        gx_drop(base);
        base = next;
    }
    gx_drop(r);
    gx_drop(base);
    return false;
}

/* *x = *x * y mod m; x is replaced. */
static bool mul_mod(gx_rt *rt, gx_value *x, gx_borrowed y, gx_borrowed m) {
    gx_value p, q, r;
    if (!gx_int_binary(rt, GX_MUL, *x, y, &p)) return false;
    bool ok = gx_int_divmod(rt, p, m, &q, &r);
    gx_drop(p);
    if (!ok) return false;
    gx_drop(q);
    gx_drop(*x);
    *x = r;
    return true;
}

/* The inverse of a modulo m (m > 0), by Euclid's algorithm. */
static bool inverse(gx_rt *rt, gx_borrowed a, gx_borrowed m, gx_value *out) {
    gx_value r0 = gx_keep(m), r1 = gx_undef(), t0 = gx_int(0), t1 = gx_int(1), q = gx_undef();
    bool ok = gx_int_divmod(rt, a, m, &q, &r1);
    while (ok && (r1.tag == GX_BIGINT || r1.i != 0)) {
        gx_value r2, product, t2;
        gx_drop(gx_steal(&q));
        if (!(ok = gx_int_divmod(rt, r0, r1, &q, &r2))) break;
        gx_drop(r0);
        r0 = r1;
        r1 = r2;
        if (!(ok = gx_int_binary(rt, GX_MUL, q, t1, &product))) break;
        ok = gx_int_binary(rt, GX_SUB, t0, product, &t2);
        gx_drop(product);
        if (!ok) break;
        gx_drop(t0);
        t0 = t1;
        t1 = t2;
    }
    if (ok && (r0.tag == GX_BIGINT || r0.i != 1))
        ok = gx_fail(rt, GX_ValueError, "int.inverse",
                     "base is not invertible for the given modulus");
    if (ok) *out = gx_keep(t0);
    gx_drop(r0);
    gx_drop(r1);
    gx_drop(t0);
    gx_drop(t1);
    gx_drop(q);
    return ok;
}

/* *r = base ** n mod m for n >= 0; *r is 1 before. */
static bool power_mod(gx_rt *rt, gx_borrowed base, gx_borrowed n, gx_borrowed m, gx_value *r) {
    gx_digits e;
    gx_digits_of(n, &e);
    size_t bits = gx_mag_bits(e.d, e.n);
    if (bits == 0) return mul_mod(rt, r, gx_int(1), m);
    for (size_t i = bits; i-- > 0;) {
        gx_value square = gx_keep(*r);
        bool ok = mul_mod(rt, r, square, m);
        gx_drop(square);
        if (!ok) return false;
        if ((e.d[i / 32] >> (i % 32) & 1) && !mul_mod(rt, r, base, m)) return false;
    }
    return true;
}

bool gx_int_powmod(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_borrowed m, gx_value *out) {
    a = gx_plain_number(a);
    b = gx_plain_number(b);
    m = gx_plain_number(m);
    if (m.tag != GX_BIGINT && gx_small_int(m) == 0)
        return gx_fail(rt, GX_ValueError, "int.modulus", "pow() 3rd argument cannot be 0");
    gx_value start, n, base = gx_undef(), q = gx_undef(), r = gx_int(1);
    if (gx_int_compare(b, gx_int(0)) < 0) {
        gx_value size;
        if (!gx_int_abs(rt, m, &size)) return false;
        bool ok = inverse(rt, a, size, &start);
        gx_drop(size);
        if (!ok) return false;
        if (!gx_int_neg(rt, b, &n)) {
            gx_drop(start);
            return false;
        }
    } else {
        start = gx_keep(a);
        n = gx_keep(b);
    }
    bool ok = gx_int_divmod(rt, start, m, &q, &base) && power_mod(rt, base, n, m, &r);
    gx_drop(start);
    gx_drop(q);
    gx_drop(base);
    gx_drop(n);
    if (ok) *out = r;
    else gx_drop(r);
    return ok;
}

/* --- sign, order ------------------------------------------------------------------------------ */

bool gx_int_neg(gx_rt *rt, gx_borrowed a, gx_value *out) {
    a = gx_plain_number(a);
    if (a.tag != GX_BIGINT && gx_small_int(a) != INT64_MIN) {
        *out = gx_int(-gx_small_int(a));
        return true;
    }
    gx_digits x;
    gx_digits_of(a, &x);
    gx_bigint *r = gx_big_raw(rt, x.n);
    if (!r) return false;
    memcpy(r->digits, x.d, x.n * sizeof *x.d);
    r->negative = !x.negative;
    *out = gx_big_finish(r);
    return true;
}

bool gx_int_abs(gx_rt *rt, gx_borrowed a, gx_value *out) {
    if (gx_int_compare(a, gx_int(0)) < 0) return gx_int_neg(rt, a, out);
    a = gx_plain_number(a);
    if (gx_is_instance(a)) return gx_int_binary(rt, GX_ADD, a, gx_int(0), out);
    *out = a.tag == GX_BIGINT ? gx_keep(a) : gx_int(gx_small_int(a));
    return true;
}

int gx_int_compare(gx_borrowed a, gx_borrowed b) {
    a = gx_plain_number(a);
    b = gx_plain_number(b);
    if (a.tag != GX_BIGINT && b.tag != GX_BIGINT) {
        int64_t x = gx_small_int(a), y = gx_small_int(b);
        return x < y ? -1 : x > y;
    }
    gx_digits x, y;
    gx_digits_of(a, &x);
    gx_digits_of(b, &y);
    if (x.negative != y.negative) return x.negative ? -1 : 1;
    int c = gx_mag_compare(x.d, x.n, y.d, y.n);
    return x.negative ? -c : c;
}

int64_t gx_int_bits(gx_borrowed a) {
    a = gx_plain_number(a);
    if (a.tag != GX_BIGINT) {
        uint64_t m = magnitude(gx_small_int(a));
        return m ? 64 - __builtin_clzll(m) : 0;
    }
    gx_bigint *b = (gx_bigint *)a.obj;
    return (int64_t)gx_mag_bits(b->digits, b->count);
}

/* --- the namespace --- */

static bool shift(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    if (gx_int_compare(b, gx_int(0)) < 0)
        return gx_fail(rt, GX_ValueError, "int.shift", "negative shift count");
    if (b.tag == GX_BIGINT) {
        if (op == GX_LSHIFT && gx_int_bits(a) > 0)
            return gx_fail(rt, GX_OverflowError, "int.shift", "too many digits in integer");
        *out = gx_int(op == GX_RSHIFT && gx_int_compare(a, gx_int(0)) < 0 ? -1 : 0);
        return true;
    }
    uint64_t by = (uint64_t)gx_small_int(b);
    return op == GX_LSHIFT ? gx_int_shift_left(rt, a, by, out) : gx_int_shift_right(rt, a, by, out);
}

static bool divide(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_value q, r;
    if (op == GX_MOD && b.tag != GX_BIGINT && gx_small_int(b) == 0)
        return gx_fail(rt, GX_ZeroDivisionError, "number.zero", "integer modulo by zero");
    if (!gx_int_divmod(rt, a, b, &q, &r)) return false;
    *out = op == GX_MOD ? r : q;
    gx_drop(op == GX_MOD ? q : r);
    return true;
}

bool gx_int_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    a = gx_plain_number(a);
    b = gx_plain_number(b);
    bool small = a.tag != GX_BIGINT && b.tag != GX_BIGINT;
    int64_t x = small ? gx_small_int(a) : 0, y = small ? gx_small_int(b) : 0, r;
    switch ((int)op) {
    case GX_ADD:
        if (!small || __builtin_add_overflow(x, y, &r)) return add_big(rt, a, b, false, out);
        break;
    case GX_SUB:
        if (!small || __builtin_sub_overflow(x, y, &r)) return add_big(rt, a, b, true, out);
        break;
    case GX_MUL:
        if (!small || __builtin_mul_overflow(x, y, &r)) return mul_big(rt, a, b, out);
        break;
    case GX_DIV: return true_divide(rt, a, b, out);
    case GX_FLOORDIV:
    case GX_MOD: return divide(rt, op, a, b, out);
    case GX_POW: return power(rt, a, b, out);
    case GX_LSHIFT:
    case GX_RSHIFT: return shift(rt, op, a, b, out);
    default:
        if (a.tag == GX_BOOL && b.tag == GX_BOOL) {
            *out = gx_bool(op == GX_BITAND ? a.b & b.b : op == GX_BITOR ? a.b | b.b : a.b ^ b.b);
            return true;
        }
        if (!small) return gx_int_bitwise(rt, op, a, b, out);
        r = op == GX_BITAND ? x & y : op == GX_BITOR ? x | y : x ^ y;
    }
    *out = gx_int(r);
    return true;
}

bool gx_int_invert(gx_rt *rt, gx_borrowed a, gx_value *out) {
    a = gx_plain_number(a);
    if (a.tag != GX_BIGINT) {
        *out = gx_int(~gx_small_int(a));
        return true;
    }
    gx_value negative;
    if (!gx_int_neg(rt, a, &negative)) return false;
    bool ok = gx_int_binary(rt, GX_SUB, negative, gx_int(1), out);
    gx_drop(negative);
    return ok;
}
