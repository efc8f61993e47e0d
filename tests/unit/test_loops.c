/* The CPU's inner loops: an element's bits depend on nothing but its operands, scalar operands are
   as arrays of one value, reductions agree with a plain loop, conditions are raised by what raises
   them and by nothing else. What each operation means is tests/conformance's business. */
#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cpu/loops/loops.h"

enum { SPAN = 131 * 2 + 10 }; /* a multiple of 4: blocks are aligned to 64 bytes */

static uint64_t next_bits(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

/* Values that exercise fast and special paths alike: mostly moderate, some huge, zero, inf, nan. */
static void fill(char *at, int dtype, size_t n, uint64_t seed) {
    const gx_loops *l = gx_cpu_loops();
    for (size_t i = 0; i < n; i++) {
        uint64_t b = next_bits(&seed);
        double v = (double)(int64_t)b / 0x1p60;
        if (b % 31 == 0) v = ldexp(v, (int)(b >> 8) % 200);
        if (b % 37 == 0) v = b & 1024 ? INFINITY : NAN;
        if (b % 41 == 0) v = b & 1024 ? 0.0 : -0.0;
        gx_c128 z = {v, (double)(int64_t)next_bits(&seed) / 0x1p61};
        l->cast[GX_c128][dtype](at + i * gx_dtypes[dtype].bytes, &z, NULL, NULL, 1, 0);
        if (gx_dtypes[dtype].kind == GX_KIND_INT || gx_dtypes[dtype].kind == GX_KIND_UINT)
            memcpy(at + i * gx_dtypes[dtype].bytes, &b, gx_dtypes[dtype].bytes);
    }
}

static int result_dtype(int op, int dtype) {
    switch ((gx_rule)gx_ops[op].rule) {
    case GX_RULE_TRUTH:
    case GX_RULE_INEXACT_TRUTH: return GX_bool;
    case GX_RULE_COUNT: return GX_u8;
    case GX_RULE_REALPART:
    case GX_RULE_INEXACT_REAL:
        return dtype == GX_c64 ? GX_f32 : dtype == GX_c128 ? GX_f64 : dtype;
    case GX_RULE_COMMON:
    case GX_RULE_INEXACT:
    case GX_RULE_DIVIDE:
    case GX_RULE_SELECT:
    case GX_RULE_SPECIAL:
    case GX_RULE_WIDEN:
    case GX_RULE_ROUND:
    case GX_RULE_FLOAT64:
    case GX_RULE_LDEXP: break;
    }
    return dtype;
}

/* Same bits, or both nan: which nan is nobody's promise. */
static bool same(const char *a, const char *b, int dtype) {
    size_t item = gx_dtypes[dtype].bytes;
    if (memcmp(a, b, item) == 0) return true;
    if (gx_dtypes[dtype].kind < GX_KIND_FLOAT) return false;
    int part = dtype == GX_c64 ? GX_f32 : dtype == GX_c128 ? GX_f64 : dtype;
    size_t bytes = gx_dtypes[part].bytes;
    for (size_t at = 0; at < item; at += bytes) {
        double x, y;
        gx_cpu_loops()->cast[part][GX_f64](&x, a + at, NULL, NULL, 1, 0);
        gx_cpu_loops()->cast[part][GX_f64](&y, b + at, NULL, NULL, 1, 0);
        if (memcmp(a + at, b + at, bytes) != 0 && !(isnan(x) && isnan(y))) return false;
    }
    return true;
}

static char *block(void) {
    char *p = aligned_alloc(64, SPAN * 16);
    cr_assert(p);
    return p;
}

/* Every length and offset from 0 to 130 against the elements one at a time. */
Test(loops, bits_do_not_depend_on_position) {
    const gx_loops *l = gx_cpu_loops();
    char *in[3] = {block(), block(), block()}, *alone = block(), *got = block();
    for (int op = 1; op < GX_OP_COUNT; op++)
        for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
            gx_loop loop = l->op[op][dtype];
            if (!loop) continue;
            int out = result_dtype(op, dtype), arity = gx_ops[op].arity;
            size_t item = gx_dtypes[dtype].bytes, out_item = gx_dtypes[out].bytes, first = item;
            for (int k = 0; k < arity; k++) fill(in[k], dtype, SPAN, 77 + (uint64_t)k);
            if (gx_ops[op].rule == GX_RULE_SELECT) fill(in[0], GX_bool, SPAN, 5), first = 1;
            for (size_t i = 0; i < SPAN; i++)
                loop(alone + i * out_item, in[0] + i * first, in[1] + i * item, in[2] + i * item, 1,
                     0);
            for (size_t n = 0; n <= 130; n++) {
                size_t at = gx_ops[op].cost > 16 ? n : 130 - n;
                for (int turn = 0; turn < 2; turn++, at = (at * 37 + 11) % 131) {
                    memset(got, 0xa5, SPAN * out_item);
                    loop(got + out_item, in[0] + at * first, in[1] + at * item, in[2] + at * item,
                         n, 0);
                    for (size_t i = 0; i < n; i++)
                        cr_assert(same(got + (i + 1) * out_item, alone + (at + i) * out_item, out),
                                  "%s of %s: element %zu of %zu from %zu has other bits",
                                  gx_ops[op].name, gx_dtypes[dtype].name, i, n, at);
                    cr_assert_eq((unsigned char)got[0], 0xa5, "%s wrote before", gx_ops[op].name);
                    cr_assert_eq((unsigned char)got[(n + 1) * out_item], 0xa5,
                                 "%s of %s wrote past %zu", gx_ops[op].name, gx_dtypes[dtype].name,
                                 n);
                }
            }
        }
    for (int k = 0; k < 3; k++) free(in[k]);
    free(alone);
    free(got);
}

Test(loops, scalar_operands) {
    const gx_loops *l = gx_cpu_loops();
    char *in[3] = {block(), block(), block()}, *wide[3] = {block(), block(), block()};
    char *got = block(), *want = block();
    for (int op = 1; op < GX_OP_COUNT; op++)
        for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
            gx_loop loop = l->op[op][dtype];
            if (!loop) continue;
            int out = result_dtype(op, dtype), arity = gx_ops[op].arity;
            size_t n = 75;
            for (int k = 0; k < arity; k++)
                fill(in[k], k == 0 && gx_ops[op].rule == GX_RULE_SELECT ? GX_bool : dtype, SPAN,
                     99 + (uint64_t)k);
            for (unsigned mask = 0; mask < 1u << arity; mask++) {
                for (int k = 0; k < arity; k++) {
                    size_t item =
                        k == 0 && gx_ops[op].rule == GX_RULE_SELECT ? 1 : gx_dtypes[dtype].bytes;
                    for (size_t i = 0; i < n; i++)
                        memcpy(wide[k] + i * item, in[k] + (mask >> k & 1 ? 0 : i) * item, item);
                }
                loop(got, in[0], in[1], in[2], n, mask);
                loop(want, wide[0], wide[1], wide[2], n, 0);
                for (size_t i = 0; i < n; i++)
                    cr_assert(
                        same(got + i * gx_dtypes[out].bytes, want + i * gx_dtypes[out].bytes, out),
                        "%s of %s with scalars %u differs at %zu", gx_ops[op].name,
                        gx_dtypes[dtype].name, mask, i);
            }
        }
    for (int k = 0; k < 3; k++) free(in[k]), free(wide[k]);
    free(got);
    free(want);
}

Test(loops, in_place) {
    const gx_loops *l = gx_cpu_loops();
    char *a = block(), *b = block(), *want = block();
    for (int op = 1; op < GX_OP_COUNT; op++)
        for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
            gx_loop loop = l->op[op][dtype];
            if (!loop || gx_ops[op].arity != 2 || result_dtype(op, dtype) != dtype) continue;
            for (int which = 0; which < 2; which++) {
                fill(a, dtype, SPAN, 3);
                fill(b, dtype, SPAN, 4);
                loop(want, a, b, NULL, 131, 0);
                loop(which ? b : a, a, b, NULL, 131, 0);
                for (size_t i = 0; i < 131; i++)
                    cr_assert(same((which ? b : a) + i * gx_dtypes[dtype].bytes,
                                   want + i * gx_dtypes[dtype].bytes, dtype),
                              "%s of %s in place", gx_ops[op].name, gx_dtypes[dtype].name);
            }
        }
    free(a);
    free(b);
    free(want);
}

Test(loops, every_cast_at_every_length) {
    const gx_loops *l = gx_cpu_loops();
    char *in = block(), *alone = block(), *got = block();
    for (int from = 0; from < GX_DTYPES; from++)
        for (int to = 0; to < GX_DTYPES; to++) {
            size_t item = gx_dtypes[from].bytes, out = gx_dtypes[to].bytes;
            fill(in, from, SPAN, 8);
            for (size_t i = 0; i < SPAN; i++)
                l->cast[from][to](alone + i * out, in + i * item, NULL, NULL, 1, 0);
            for (size_t n = 0; n <= 130; n++) {
                l->cast[from][to](got, in + (130 - n) * item, NULL, NULL, n, 0);
                for (size_t i = 0; i < n; i++)
                    cr_assert(same(got + i * out, alone + (130 - n + i) * out, to), "%s to %s, %zu",
                              gx_dtypes[from].name, gx_dtypes[to].name, n);
            }
            l->cast[from][to](got, in, NULL, NULL, 50, 1);
            for (size_t i = 0; i < 50; i++) cr_assert(same(got + i * out, alone, to));
        }
    free(in);
    free(alone);
    free(got);
}

static double numpy_sum(const double *v, size_t n) {
    if (n < 8) {
        double s = v[0];
        for (size_t i = 1; i < n; i++) s += v[i];
        return s;
    }
    if (n > 128) {
        size_t half = n / 2 - n / 2 % 8;
        return numpy_sum(v, half) + numpy_sum(v + half, n - half);
    }
    double r[8], s;
    memcpy(r, v, sizeof r);
    size_t i = 8;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) r[k] += v[i + (size_t)k];
    s = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; i++) s += v[i];
    return s;
}

Test(loops, sums_in_numpy_order) {
    enum { N = 3001 };
    static double v[N];
    uint64_t seed = 12;
    for (int i = 0; i < N; i++) v[i] = (double)(int64_t)next_bits(&seed) / 0x1p50;
    for (size_t n = 1; n <= N; n++) {
        double s = 0;
        gx_cpu_loops()->fold[GX_RED_sum][GX_f64](&s, v, n);
        cr_assert_eq(s, numpy_sum(v, n), "%zu elements", n);
    }
}

Test(loops, extremes_and_their_indices) {
    const gx_loops *l = gx_cpu_loops();
    enum { N = 2500 };
    static float v[N];
    for (int i = 0; i < N; i++) v[i] = (float)((i * 7919) % 1000);
    for (size_t n = 1; n < N; n += 13) {
        float best, low = v[0], high = v[0];
        int64_t at_low = 0, at_high = 0;
        for (size_t i = 1; i < n; i++) {
            if (v[i] < low) low = v[i], at_low = (int64_t)i;
            if (v[i] > high) high = v[i], at_high = (int64_t)i;
        }
        cr_assert_eq(l->arg(GX_RED_argmin, GX_f32, &best, v, n, true), at_low);
        cr_assert_eq(best, low);
        cr_assert_eq(l->arg(GX_RED_argmax, GX_f32, &best, v, n, true), at_high);
        cr_assert_eq(l->arg(GX_RED_argmax, GX_f32, &best, v, n, false), -1, "equal does not win");
        float s = v[0];
        l->fold[GX_RED_max][GX_f32](&s, v, n);
        cr_assert_eq(s, high);
    }
    v[1500] = NAN;
    float best, s = v[0];
    cr_assert_eq(l->arg(GX_RED_argmax, GX_f32, &best, v, N, true), 1500);
    cr_assert_eq(l->arg(GX_RED_argmin, GX_f32, &best, v, N, false), -1, "nan stays");
    l->fold[GX_RED_min][GX_f32](&s, v, N);
    cr_assert(isnan(s));
    s = v[0];
    l->fold[GX_RED_nanmax][GX_f32](&s, v, N);
    cr_assert_eq(s, 999);
}

Test(loops, folds_of_every_dtype) {
    const gx_loops *l = gx_cpu_loops();
    char *in = block(), *rows = block();
    for (int red = 0; red < GX_RED_COUNT; red++)
        for (int dtype = 0; dtype < GX_DTYPES; dtype++) {
            if (!l->fold[red][dtype]) continue;
            size_t item = gx_dtypes[dtype].bytes;
            if (gx_reds[red].rule == GX_REDRULE_SUM && gx_dtypes[dtype].kind >= GX_KIND_FLOAT)
                continue;
            fill(in, dtype, SPAN, 21);
            for (size_t n = 1; n <= 131; n++) {
                _Alignas(16) char state[16], step[16];
                memcpy(state, in, item);
                memcpy(step, in, item);
                bool starts = l->identity(red, dtype, state);
                cr_assert_eq(starts, gx_reds[red].has_identity);
                memcpy(step, state, item);
                l->fold[red][dtype](state, in, n);
                for (size_t i = 0; i < n; i++) l->fold_rows[red][dtype](step, in + i * item, 1);
                gx_scalar a = {0}, b = {0};
                memcpy(&a, state, item);
                memcpy(&b, step, item);
                double x = 0, y = 0;
                l->cast[dtype][GX_f64](&x, &a, NULL, NULL, 1, 0);
                l->cast[dtype][GX_f64](&y, &b, NULL, NULL, 1, 0);
                cr_assert(x == y || (isnan(x) && isnan(y)), "%s of %s over %zu", gx_reds[red].name,
                          gx_dtypes[dtype].name, n);
            }
            memcpy(rows, in, 131 * item);
            l->fold_rows[red][dtype](rows, in + item, 131);
        }
    free(in);
    free(rows);
}

static int conditions(void) {
    return fetestexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID);
}

/* Ordinary operands raise nothing anywhere, comparisons of nan neither. */
Test(loops, no_conditions_without_cause) {
    const gx_loops *l = gx_cpu_loops();
    double x[33], nan[33], out[33];
    for (int i = 0; i < 33; i++) x[i] = 0.25 + i / 64.0, nan[i] = NAN;
    for (int op = 1; op < GX_OP_COUNT; op++) {
        gx_loop loop = l->op[op][GX_f64];
        if (!loop || op == GX_OP_arccosh || gx_ops[op].rule == GX_RULE_SELECT) continue;
        feclearexcept(FE_ALL_EXCEPT);
        loop(out, x, x, x, 33, 0);
        cr_assert_eq(conditions(), 0, "%s raises %x", gx_ops[op].name, conditions());
        loop(out, nan, nan, nan, 33, 0);
        cr_assert_eq(conditions(), 0, "%s of nan raises %x", gx_ops[op].name, conditions());
    }
    feraiseexcept(FE_DIVBYZERO);
    l->op[GX_OP_less][GX_f64](out, nan, x, NULL, 33, 0);
    cr_assert_eq(conditions(), FE_DIVBYZERO, "what was raised before stays");
}
