/* The shortest decimal digits that read back as the same float, for 64, 32 and 16 bits, and
   Python's repr made of them.

   The method (Giulietti's "Schubfach") multiplies the significand by a 128-bit power of ten once
   for the value and once for each end of its rounding interval, rounding to odd, which is enough to
   decide every case exactly; pow10.def holds the powers. Invariant: no loop depends on the value
   except the stripping of trailing zeros. */
#include <math.h>
#include <string.h>

#include "runtime/object/text/str.h"

typedef struct power {
    uint64_t high, low;
} power;

enum { FIRST_POWER = -292 };

static const power powers[] = {
#define POWER(k, high, low) {high, low},
#include "runtime/object/number/pow10.def"
#undef POWER
};

/* The upper 64 bits of g * c (192 bits), the lowest of them set when anything below is lost. */
static inline uint64_t round_to_odd(power g, uint64_t c) {
    __extension__ typedef unsigned __int128 wide;
    wide x = (wide)g.low * c, y = (wide)g.high * c;
    uint64_t middle = (uint64_t)y + (uint64_t)(x >> 64);
    uint64_t top = (uint64_t)(y >> 64) + (middle < (uint64_t)y);
    return top | (middle > 1);
}

static inline int floor_log2_pow10(int e) {
    return (e * 1741647) >> 19;
}

/* The shortest significand and its decimal exponent for the value c * 2^q; `edge`: c is the lowest
   of its binade, so that the neighbour below is only half as far. */
static uint64_t shortest(uint64_t c, int q, bool edge, int *exponent) {
    bool even = c % 2 == 0;
    uint64_t left = 4 * c - 2 + edge, middle = 4 * c, right = 4 * c + 2;
    int k = (q * 1262611 - (edge ? 524031 : 0)) >> 22;
    int h = q + floor_log2_pow10(-k) + 1;
    power g = powers[-k - FIRST_POWER];
    uint64_t vl = round_to_odd(g, left << h), v = round_to_odd(g, middle << h),
             vr = round_to_odd(g, right << h);
    uint64_t lower = vl + !even, upper = vr - !even, s = v / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool down = lower <= 40 * tens, up = 40 * tens + 40 <= upper;
        if (down != up) {
            *exponent = k + 1;
            return tens + up;
        }
    }
    *exponent = k;
    bool down = lower <= 4 * s, up = 4 * s + 4 <= upper;
    if (down != up) return s + up;
    uint64_t half = 4 * s + 2;
    return s + (v > half || (v == half && s % 2 == 1));
}

/* Significand and exponent of a positive finite value in a format of so many bits. */
static uint64_t split(double x, int bytes, int *q, bool *edge) {
    int bits = bytes == 8 ? 53 : bytes == 4 ? 24 : 11;
    int lowest = bytes == 8 ? -1074 : bytes == 4 ? -149 : -24;
    uint64_t raw;
    memcpy(&raw, &x, sizeof raw);
    int field = (int)(raw >> 52 & 2047);
    uint64_t c = raw & 0xFFFFFFFFFFFFFu;
    int e = field ? field - 1075 : -1074;
    if (field) c |= (uint64_t)1 << 52;
    if (bytes == 8) {
        *q = e;
        *edge = c == (uint64_t)1 << 52 && field > 1;
        return c;
    }
    /* A narrower value stands in a double: drop the zero bits below its own last one. */
    int drop = 53 - bits;
    if (e + drop < lowest) drop = lowest - e;
    c = drop < 64 ? c >> drop : 0;
    *q = e + drop;
    *edge = c == (uint64_t)1 << (bits - 1) && *q > lowest;
    return c;
}

static int write_digits(uint64_t m, char digits[24]) {
    char text[20], *p = text + sizeof text;
    while (m >= 100) {
        uint64_t next = m / 100;
        unsigned two = (unsigned)(m - next * 100);
        m = next;
        *--p = (char)('0' + two % 10);
        *--p = (char)('0' + two / 10);
    }
    if (m >= 10) {
        *--p = (char)('0' + m % 10);
        m /= 10;
    }
    *--p = (char)('0' + m);
    int n = (int)(text + sizeof text - p);
    memcpy(digits, p, (size_t)n);
    return n;
}

int gx_shortest_digits(double x, int bytes, char digits[24], int *exponent) {
    x = fabs(x);
    if (!(x > 0) || isinf(x)) {
        *exponent = 0;
        return 0;
    }
    int k, n;
    if (bytes == 8 && x < 9007199254740992.0 && x == (double)(int64_t)x) {
        n = write_digits((uint64_t)x, digits); /* whole: its own digits */
        k = 0;
        /* Digits beyond the shortest are zeros only below 2^53. */
    } else {
        int q;
        bool edge;
        uint64_t c = split(x, bytes, &q, &edge);
        n = write_digits(shortest(c, q, edge, &k), digits);
    }
    *exponent = k + n;
    while (n > 1 && digits[n - 1] == '0') n--;
    return n;
}

/* Python's layout: 0.0001 … 1e16 plain, else with an exponent. */
static int layout(char *to, const char *digits, int n, int exponent) {
    char *p = to;
    if (exponent > 16 || exponent < -3) {
        *p++ = digits[0];
        if (n > 1) {
            *p++ = '.';
            memcpy(p, digits + 1, (size_t)(n - 1));
            p += n - 1;
        }
        int e = exponent - 1;
        *p++ = 'e';
        *p++ = e < 0 ? '-' : '+';
        if (e < 0) e = -e;
        if (e >= 100) *p++ = (char)('0' + e / 100);
        *p++ = (char)('0' + e / 10 % 10);
        *p++ = (char)('0' + e % 10);
    } else if (exponent <= 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = exponent; i < 0; i++) *p++ = '0';
        memcpy(p, digits, (size_t)n);
        p += n;
    } else {
        for (int i = 0; i < exponent; i++) *p++ = i < n ? digits[i] : '0';
        *p++ = '.';
        if (n > exponent) {
            memcpy(p, digits + exponent, (size_t)(n - exponent));
            p += n - exponent;
        } else {
            *p++ = '0';
        }
    }
    return (int)(p - to);
}

bool gx_repr_double(gx_buf *out, double x) {
    char text[48], digits[24], *p = text;
    if (isnan(x)) return gx_buf_puts(out, "nan");
    if (signbit(x)) *p++ = '-';
    if (isinf(x)) {
        memcpy(p, "inf", 3);
        return gx_buf_add(out, text, (size_t)(p + 3 - text));
    }
    int exponent, n = gx_shortest_digits(x, 8, digits, &exponent);
    if (n == 0) {
        memcpy(p, "0.0", 3);
        p += 3;
    } else {
        p += layout(p, digits, n, exponent);
    }
    return gx_buf_add(out, text, (size_t)(p - text));
}
