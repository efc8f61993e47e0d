/* Unit tests of big integers: identities that hold for any size. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "runtime/object/number/int_ops.h"
#include "runtime/object/object.h"
#include "runtime/object/operators.h"
#include "runtime/object/types.h"

static gx_rt *rt;
static uint64_t state;

static void begin(void) {
    rt = gx_rt_new();
    cr_assert_not_null(rt);
    cr_assert(gx_heap_new(rt) && gx_methods_open(rt));
    state = 88172645463325252u;
}

static void end(void) {
    cr_assert_eq(gx_live_objects(rt), 0, "%ld objects leak", (long)gx_live_objects(rt));
    gx_heap_free(rt);
    gx_error_clear(rt);
    cr_assert_eq(rt->stats.live_blocks, 0, "%ld blocks leak", (long)rt->stats.live_blocks);
    gx_rt_free(rt);
}

TestSuite(bigint, .init = begin, .fini = end);

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static gx_value op(gx_binop o, gx_value a, gx_value b) {
    gx_value r;
    cr_assert(gx_int_binary(rt, o, a, b, &r), "%s", rt->error.message);
    return r;
}

/* As op; both operands are consumed. */
static gx_value op_take(gx_binop o, gx_value a, gx_value b) {
    gx_value r = op(o, a, b);
    gx_drop(a);
    gx_drop(b);
    return r;
}

/* A number of up to `digits` hexadecimal digits, of either sign. */
static gx_value any(int digits) {
    char text[4096];
    int n = 1 + (int)(next_random() % (uint64_t)digits);
    for (int i = 0; i < n; i++) text[i] = "0123456789abcdef"[next_random() % 16];
    if (next_random() % 8 == 0) memset(text, 'f', (size_t)n);
    gx_value v, r;
    cr_assert(gx_int_parse(rt, text, (size_t)n, 16, &v));
    if (next_random() % 2) return v;
    cr_assert(gx_int_neg(rt, v, &r));
    gx_drop(v);
    return r;
}

static void same(gx_value a, gx_value b) {
    cr_assert_eq(gx_int_compare(a, b), 0);
    cr_assert_eq(a.tag, b.tag, "a small value is not inline");
    gx_drop(a);
    gx_drop(b);
}

Test(bigint, division) {
    for (int i = 0; i < 3000; i++) {
        gx_value a = any(200), b = any(i % 3 ? 100 : 20), q, r;
        if (b.tag == GX_INT && b.i == 0) b.i = 7;
        cr_assert(gx_int_divmod(rt, a, b, &q, &r));
        cr_assert(r.tag != GX_INT || r.i == 0 ||
                  (gx_int_compare(r, gx_int(0)) < 0) == (gx_int_compare(b, gx_int(0)) < 0));
        same(op_take(GX_ADD, op_take(GX_MUL, q, gx_keep(b)), r), gx_keep(a));
        gx_drop(a);
        gx_drop(b);
    }
}

Test(bigint, products) {
    for (int i = 0; i < 60; i++) {
        /* (a + b)^2 - (a - b)^2 is 4ab, with Karatsuba's sizes among them. */
        gx_value a = any(3000), b = any(i % 2 ? 3000 : 900);
        gx_value sum = op(GX_ADD, a, b), difference = op(GX_SUB, a, b);
        gx_value left = op_take(GX_SUB, op(GX_MUL, sum, sum), op(GX_MUL, difference, difference));
        same(left, op_take(GX_MUL, op(GX_MUL, a, b), gx_int(4)));
        gx_drop(sum);
        gx_drop(difference);
        gx_drop(a);
        gx_drop(b);
    }
}

Test(bigint, text_round_trip) {
    static const int bases[] = {2, 3, 7, 8, 10, 16, 36};
    for (int i = 0; i < 400; i++) {
        gx_value a = any(500), back, positive;
        int base = bases[i % 7];
        cr_assert(gx_int_abs(rt, a, &positive));
        gx_buf text = gx_buf_new(rt);
        cr_assert(gx_int_text(rt, positive, base, &text));
        cr_assert(gx_int_parse(rt, gx_buf_text(&text), text.length, base, &back));
        gx_buf_free(&text);
        same(back, positive);
        gx_drop(a);
    }
}

Test(bigint, bits) {
    for (int i = 0; i < 2000; i++) {
        gx_value a = any(100), b = any(60), inverted;
        /* a + b is (a ^ b) + 2 (a & b); a | b is (a & b) + (a ^ b). */
        gx_value and = op(GX_BITAND, a, b), xor = op(GX_BITXOR, a, b);
        same(op(GX_ADD, a, b), op_take(GX_ADD, gx_keep(xor), op(GX_LSHIFT, and, gx_int(1))));
        same(op(GX_BITOR, a, b), op_take(GX_ADD, and, xor));
        cr_assert(gx_int_invert(rt, a, &inverted));
        same(op_take(GX_ADD, inverted, gx_keep(a)), gx_int(-1));
        int64_t by = (int64_t)(next_random() % 300);
        gx_value down = op(GX_RSHIFT, a, gx_int(by)), power = op(GX_LSHIFT, gx_int(1), gx_int(by));
        same(down, op(GX_FLOORDIV, a, power));
        gx_drop(power);
        gx_drop(a);
        gx_drop(b);
    }
}

Test(bigint, doubles) {
    for (int i = 0; i < 2000; i++) {
        double x = ldexp((double)(int64_t)next_random(), (int)(next_random() % 900)), y;
        gx_value v;
        cr_assert(gx_int_from_double(rt, x, &v));
        cr_assert(gx_int_to_double(rt, v, &y));
        cr_assert_eq(x, y);
        cr_assert_eq(gx_int_compare_double(v, x), 0);
        uint64_t hash;
        cr_assert(gx_hash(rt, v, &hash));
        cr_assert_eq(hash, gx_hash_double(x));
        gx_value more = op(GX_ADD, v, gx_int(1));
        cr_assert_eq(gx_int_compare_double(more, x), 1);
        gx_drop(more);
        gx_drop(v);
    }
}

Test(bigint, limits) {
    gx_value r;
    cr_assert_not(gx_int_binary(rt, GX_POW, gx_int(10), gx_int(1LL << 40), &r));
    cr_assert_eq(rt->error.kind, GX_OverflowError);
    gx_error_clear(rt);
    cr_assert_not(gx_int_binary(rt, GX_LSHIFT, gx_int(1), gx_int(1LL << 40), &r));
    cr_assert_eq(rt->error.kind, GX_OverflowError);
    gx_error_clear(rt);
    cr_assert_not(gx_int_binary(rt, GX_FLOORDIV, gx_int(1), gx_int(0), &r));
    cr_assert_eq(rt->error.kind, GX_ZeroDivisionError);
    gx_error_clear(rt);
    same(op_take(GX_SUB, op(GX_ADD, gx_int(INT64_MAX), gx_int(1)), gx_int(1)), gx_int(INT64_MAX));
    same(op(GX_FLOORDIV, gx_int(INT64_MIN), gx_int(-1)), op(GX_ADD, gx_int(INT64_MAX), gx_int(1)));
}
