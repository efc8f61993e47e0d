/* Unit tests of float_repr.c: the table of powers, and shortest digits that read back. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/object.h"
#include "runtime/object/text/str.h"
#include "runtime/object/types.h"

static gx_rt *rt;

static void begin(void) {
    rt = gx_rt_new();
    cr_assert_not_null(rt);
    cr_assert(gx_heap_new(rt) && gx_methods_open(rt));
}

static void end(void) {
    gx_heap_free(rt);
    gx_error_clear(rt);
    cr_assert_eq(rt->stats.live_blocks, 0, "%ld blocks leak", (long)rt->stats.live_blocks);
    gx_rt_free(rt);
}

TestSuite(float_repr, .init = begin, .fini = end);

static void check(double x, const char *expected) {
    gx_buf b = gx_buf_new(rt);
    cr_assert(gx_repr_double(&b, x));
    cr_assert_str_eq(gx_buf_text(&b), expected);
    gx_buf_free(&b);
}

Test(float_repr, known) {
    check(0.0, "0.0");
    check(-0.0, "-0.0");
    check(0.1, "0.1");
    check(1e16, "1e+16");
    check(9999999999999998.0, "9999999999999998.0");
    check(1e22, "1e+22");
    check(1e23, "1e+23");
    check(5e-324, "5e-324");
    check(2.2250738585072014e-308, "2.2250738585072014e-308");
    check(1.7976931348623157e308, "1.7976931348623157e+308");
    check(0.0001, "0.0001");
    check(0.00001, "1e-05");
    check(123456789.123, "123456789.123");
    check(HUGE_VAL, "inf");
    check(-HUGE_VAL, "-inf");
}

/* The row for 10^k, bounded from both sides by long division in doubles of 64 bits. */
Test(float_repr, powers) {
    static const struct {
        int k;
        uint64_t high, low;
    } rows[] = {
#define POWER(exponent, upper, lower) {exponent, upper, lower},
#include "runtime/object/number/pow10.def"
#undef POWER
    };
    size_t n = sizeof rows / sizeof *rows;
    cr_assert_eq(n, 617);
    for (size_t i = 1; i < n; i++) {
        cr_assert_eq(rows[i].k, rows[i - 1].k + 1);
        cr_assert(rows[i].high >> 63, "row %d is not normalised", rows[i].k);
        /* Ten times the row before, cut to 64 bits, is this row to one unit. */
        __extension__ unsigned __int128 ten =
            (unsigned __int128)rows[i - 1].high * 10 +
            (uint64_t)(((unsigned __int128)rows[i - 1].low * 10) >> 64);
        int shift = (uint64_t)(ten >> 64) >= 8 ? 4 : 3;
        uint64_t high = (uint64_t)(ten >> shift);
        uint64_t off = high > rows[i].high ? high - rows[i].high : rows[i].high - high;
        cr_assert(off <= 1, "row %d: %llx, expected %llx", rows[i].k,
                  (unsigned long long)rows[i].high, (unsigned long long)high);
    }
}

static void digits_text(double x, int bytes, char *to, int *count) {
    char digits[24];
    int exponent, n = gx_shortest_digits(x, bytes, digits, &exponent);
    *count = n;
    sprintf(to, "0.%.*se%d", n, digits, exponent);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

Test(float_repr, doubles_read_back) {
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = next_random(&state) & ~(1ull << 63);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x) || x == 0) continue;
        char text[64], shorter[64];
        int n;
        digits_text(x, 8, text, &n);
        cr_assert_eq(strtod(text, NULL), x, "%a read back as %s", x, text);
        /* One digit fewer cannot read back. */
        if (n > 1) {
            snprintf(shorter, sizeof shorter, "%.*e", n - 2, x);
            cr_assert_neq(strtod(shorter, NULL), x, "%a: %s is shorter than %s", x, shorter, text);
        }
        /* The digits are the nearest of their length. */
        snprintf(shorter, sizeof shorter, "%.*e", n - 1, x);
        if (strtod(shorter, NULL) == x) {
            char canonical[64];
            snprintf(canonical, sizeof canonical, "%.*e", n - 1, strtod(text, NULL));
            cr_assert_str_eq(shorter, canonical);
        }
    }
}

Test(float_repr, floats_read_back) {
    for (uint64_t bits = 1; bits < 0x7F800000u; bits += 7919) {
        uint32_t half = (uint32_t)bits;
        float f;
        memcpy(&f, &half, sizeof f);
        char text[64], shorter[64];
        int n;
        digits_text((double)f, 4, text, &n);
        cr_assert_eq(strtof(text, NULL), f, "%a read back as %s", (double)f, text);
        if (n > 1) {
            snprintf(shorter, sizeof shorter, "%.*e", n - 2, (double)f);
            cr_assert_neq(strtof(shorter, NULL), f);
        }
    }
}

/* The value of a float16. */
static double half(unsigned bits) {
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    return exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
}

Test(float_repr, every_half_reads_back) {
    for (unsigned bits = 1; bits < 0x7C00; bits++) {
        double x = half(bits), below = half(bits - 1),
               above = bits + 1 < 0x7C00 ? half(bits + 1) : 65536;
        char text[64];
        int n;
        digits_text(x, 2, text, &n);
        double y = strtod(text, NULL);
        cr_assert(fabs(y - x) <= fabs(y - below) && fabs(y - x) <= fabs(above - y),
                  "half %04x: %s is nearer to a neighbour", bits, text);
        cr_assert(n <= 5);
    }
}
