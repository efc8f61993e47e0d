/* Arithmetic on magnitudes: arrays of base-2^32 digits, least first. It knows neither signs nor
   values of a script; int_ops.c does. Multiplication is Karatsuba's above a size, division is
   Knuth's algorithm D. */
#include <string.h>

#include "runtime/object/heap.h"
#include "runtime/object/number/bigint_int.h"

enum { KARATSUBA = 48, MAX_DIGITS = GX_BIGINT_MAX_BITS / 32 + 2 };

gx_bigint *gx_big_raw(gx_rt *rt, size_t n) {
    if (n > MAX_DIGITS) {
        gx_fail(rt, GX_OverflowError, "int.size", "the result is an int of more than %d bits",
                (int)GX_BIGINT_MAX_BITS);
        return NULL;
    }
    gx_bigint *b = gx_obj_raw(rt, gx_core_types[GX_INT], sizeof *b + n * sizeof(uint32_t));
    if (!b) return NULL;
    b->obj.tag = GX_BIGINT;
    b->negative = false;
    b->count = (uint32_t)n;
    return b;
}

gx_value gx_big_finish(gx_bigint *b) {
    while (b->count > 0 && b->digits[b->count - 1] == 0) b->count--;
    if (b->count <= 2) {
        uint64_t m = 0;
        for (uint32_t i = b->count; i-- > 0;) m = m << 32 | b->digits[i];
        bool fits = b->negative ? m <= (uint64_t)INT64_MAX + 1 : m <= (uint64_t)INT64_MAX;
        if (fits) {
            bool negative = b->negative;
            gx_obj_drop(&b->obj);
            return gx_int(negative ? (int64_t)(0 - m) : (int64_t)m);
        }
    }
    return gx_object(&b->obj);
}

void gx_digits_of(gx_borrowed v, gx_digits *out) {
    if (v.tag == GX_BIGINT) {
        gx_bigint *b = (gx_bigint *)v.obj;
        out->d = b->digits;
        out->n = b->count;
        out->negative = b->negative;
        return;
    }
    int64_t i = gx_small_int(v);
    uint64_t m = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;
    out->negative = i < 0;
    out->own[0] = (uint32_t)m;
    out->own[1] = (uint32_t)(m >> 32);
    out->n = m == 0 ? 0 : m >> 32 ? 2 : 1;
    out->d = out->own;
}

int gx_mag_compare(const uint32_t *a, size_t an, const uint32_t *b, size_t bn) {
    if (an != bn) return an < bn ? -1 : 1;
    for (size_t i = an; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

void gx_mag_add(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn) {
    uint64_t carry = 0;
    for (size_t i = 0; i < an; i++) {
        carry += (uint64_t)a[i] + (i < bn ? b[i] : 0);
        r[i] = (uint32_t)carry;
        carry >>= 32;
    }
    r[an] = (uint32_t)carry;
}

void gx_mag_sub(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < an; i++) {
        uint64_t d = (uint64_t)a[i] - (i < bn ? b[i] : 0) - borrow;
        r[i] = (uint32_t)d;
        borrow = d >> 63;
    }
}

static void mul_plain(uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b, size_t bn) {
    memset(r, 0, (an + bn) * sizeof *r);
    for (size_t i = 0; i < an; i++) {
        uint64_t carry = 0, x = a[i];
        for (size_t j = 0; j < bn; j++) {
            carry += x * b[j] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r[i + bn] = (uint32_t)carry;
    }
}

/* r += a at place 0; r is long enough for the carry. */
static void add_to(uint32_t *r, const uint32_t *a, size_t n) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n || carry; i++) {
        carry += (uint64_t)r[i] + (i < n ? a[i] : 0);
        r[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void sub_from(uint32_t *r, const uint32_t *a, size_t n) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < n || borrow; i++) {
        uint64_t d = (uint64_t)r[i] - (i < n ? a[i] : 0) - borrow;
        r[i] = (uint32_t)d;
        borrow = d >> 63;
    }
}

/* Equal lengths: three products of half the length. */
static bool karatsuba(gx_rt *rt, uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
    size_t low = n / 2, high = n - low;
    if (!gx_interrupt_check(rt)) return false;
    uint32_t *work = gx_alloc(rt, (4 * high + 8) * sizeof *work);
    if (!work) return false;
    uint32_t *sa = work, *sb = work + high + 1, *m = work + 2 * high + 2;
    gx_mag_add(sa, a + low, high, a, low);
    gx_mag_add(sb, b + low, high, b, low);
    bool ok = gx_mag_mul(rt, r, a, low, b, low) &&
              gx_mag_mul(rt, r + 2 * low, a + low, high, b + low, high) &&
              gx_mag_mul(rt, m, sa, high + 1, sb, high + 1);
    if (ok) {
        sub_from(m, r, 2 * low);
        sub_from(m, r + 2 * low, 2 * high);
        size_t mn = 2 * high + 2;
        while (mn > 0 && m[mn - 1] == 0) mn--;
        add_to(r + low, m, mn);
    }
    gx_free(rt, work);
    return ok;
}

bool gx_mag_mul(gx_rt *rt, uint32_t *r, const uint32_t *a, size_t an, const uint32_t *b,
                size_t bn) {
    if (an < bn) return gx_mag_mul(rt, r, b, bn, a, an);
    if (bn < KARATSUBA) {
        mul_plain(r, a, an, b, bn);
        return true;
    }
    if (an == bn) return karatsuba(rt, r, a, b, an);
    /* Unequal lengths: pieces of a as long as b. */
    uint32_t *piece = gx_alloc(rt, 2 * bn * sizeof *piece);
    if (!piece) return false;
    memset(r, 0, (an + bn) * sizeof *r);
    bool ok = true;
    for (size_t at = 0; ok && at < an; at += bn) {
        size_t n = an - at < bn ? an - at : bn;
        ok = gx_mag_mul(rt, piece, b, bn, a + at, n);
        size_t length = bn + n;
        while (length > 0 && piece[length - 1] == 0) length--;
        if (ok) add_to(r + at, piece, length);
    }
    gx_free(rt, piece);
    return ok;
}

uint32_t gx_mag_div_small(uint32_t *a, size_t n, uint32_t by) {
    uint64_t rest = 0;
    for (size_t i = n; i-- > 0;) {
        rest = rest << 32 | a[i];
        a[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

/* One quotient digit of algorithm D: u[0 … n] -= q * v, q estimated from the top digits. */
static uint32_t divide_step(uint32_t *u, const uint32_t *v, size_t n) {
    uint64_t top = (uint64_t)u[n] << 32 | u[n - 1];
    uint64_t q = top / v[n - 1], rest = top % v[n - 1];
    while (q >> 32 || q * v[n - 2] > (rest << 32 | u[n - 2])) {
        q--;
        rest += v[n - 1];
        if (rest >> 32) break;
    }
    uint64_t borrow = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t p = q * v[i] + borrow;
        uint32_t low = (uint32_t)p;
        borrow = (p >> 32) + (u[i] < low);
        u[i] -= low;
    }
    bool negative = u[n] < borrow;
    u[n] -= (uint32_t)borrow;
    if (!negative) return (uint32_t)q;
    uint64_t carry = 0;
    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)u[i] + v[i];
        u[i] = (uint32_t)carry;
        carry >>= 32;
    }
    u[n] += (uint32_t)carry;
    return (uint32_t)q - 1;
}

bool gx_mag_divmod(gx_rt *rt, uint32_t *q, uint32_t *rem, const uint32_t *a, size_t an,
                   const uint32_t *b, size_t bn) {
    if (bn == 1) {
        memcpy(q, a, an * sizeof *q);
        rem[0] = gx_mag_div_small(q, an, b[0]);
        return true;
    }
    uint32_t *u = gx_alloc(rt, (an + bn + 1) * sizeof *u);
    if (!u) return false;
    uint32_t *v = u + an + 1;
    int shift = __builtin_clz(b[bn - 1]);
    uint32_t carry = 0;
    for (size_t i = 0; i < an; i++) {
        u[i] = a[i] << shift | carry;
        carry = shift ? a[i] >> (32 - shift) : 0;
    }
    u[an] = carry;
    carry = 0;
    for (size_t i = 0; i < bn; i++) {
        v[i] = b[i] << shift | carry;
        carry = shift ? b[i] >> (32 - shift) : 0;
    }
    bool ok = true;
    for (size_t i = an - bn + 1; ok && i-- > 0;) {
        q[i] = divide_step(u + i, v, bn);
        ok = gx_interrupt_check(rt);
    }
    for (size_t i = 0; i < bn; i++)
        rem[i] = shift ? u[i] >> shift | u[i + 1] << (32 - shift) : u[i];
    gx_free(rt, u);
    return ok;
}

size_t gx_mag_bits(const uint32_t *a, size_t n) {
    return n ? n * 32 - (size_t)__builtin_clz(a[n - 1]) : 0;
}

uint64_t gx_mag_top(const uint32_t *a, size_t n) {
    uint64_t top = 0;
    int shift = __builtin_clz(a[n - 1]);
    top = (uint64_t)a[n - 1] << 32 | (n > 1 ? a[n - 2] : 0);
    uint32_t third = n > 2 ? a[n - 3] : 0;
    bool sticky = shift < 32 && third << shift != 0;
    if (shift) top = top << shift | third >> (32 - shift);
    for (size_t i = 0; !sticky && i + 3 < n; i++) sticky = a[i] != 0;
    return top | sticky;
}
