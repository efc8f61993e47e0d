/* Unit tests of dtypes: promotion and casting against NumPy's own tables, weak Python numbers, and
   the one-element conversions. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "kernels/half.h"
#include "runtime/array/dtype.h"
#include "runtime/backend/cpu/loops/loops.h"
#include "runtime/base/rt.h"

static gx_half half(uint32_t bits) {
    return (gx_half){.bits = (uint16_t)bits};
}

static const gx_dtype order[14] = {GX_bool, GX_i8,  GX_i16, GX_i32, GX_i64, GX_u8,  GX_u16,
                                   GX_u32,  GX_u64, GX_f16, GX_f32, GX_f64, GX_c64, GX_c128};

/* numpy.promote_types, rows and columns in `order`. */
static const uint8_t promoted[14][14] = {
    {GX_bool, GX_i8, GX_i16, GX_i32, GX_i64, GX_u8, GX_u16, GX_u32, GX_u64, GX_f16, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_i8, GX_i8, GX_i16, GX_i32, GX_i64, GX_i16, GX_i32, GX_i64, GX_f64, GX_f16, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_i16, GX_i16, GX_i16, GX_i32, GX_i64, GX_i16, GX_i32, GX_i64, GX_f64, GX_f32, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_i32, GX_i32, GX_i32, GX_i32, GX_i64, GX_i32, GX_i32, GX_i64, GX_f64, GX_f64, GX_f64, GX_f64,
     GX_c128, GX_c128},
    {GX_i64, GX_i64, GX_i64, GX_i64, GX_i64, GX_i64, GX_i64, GX_i64, GX_f64, GX_f64, GX_f64, GX_f64,
     GX_c128, GX_c128},
    {GX_u8, GX_i16, GX_i16, GX_i32, GX_i64, GX_u8, GX_u16, GX_u32, GX_u64, GX_f16, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_u16, GX_i32, GX_i32, GX_i32, GX_i64, GX_u16, GX_u16, GX_u32, GX_u64, GX_f32, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_u32, GX_i64, GX_i64, GX_i64, GX_i64, GX_u32, GX_u32, GX_u32, GX_u64, GX_f64, GX_f64, GX_f64,
     GX_c128, GX_c128},
    {GX_u64, GX_f64, GX_f64, GX_f64, GX_f64, GX_u64, GX_u64, GX_u64, GX_u64, GX_f64, GX_f64, GX_f64,
     GX_c128, GX_c128},
    {GX_f16, GX_f16, GX_f32, GX_f64, GX_f64, GX_f16, GX_f32, GX_f64, GX_f64, GX_f16, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_f32, GX_f32, GX_f32, GX_f64, GX_f64, GX_f32, GX_f32, GX_f64, GX_f64, GX_f32, GX_f32, GX_f64,
     GX_c64, GX_c128},
    {GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64, GX_f64,
     GX_c128, GX_c128},
    {GX_c64, GX_c64, GX_c64, GX_c128, GX_c128, GX_c64, GX_c64, GX_c128, GX_c128, GX_c64, GX_c64,
     GX_c128, GX_c64, GX_c128},
    {GX_c128, GX_c128, GX_c128, GX_c128, GX_c128, GX_c128, GX_c128, GX_c128, GX_c128, GX_c128,
     GX_c128, GX_c128, GX_c128, GX_c128},
};

/* numpy.result_type(dtype, 1), (dtype, 1.0), (dtype, 1j). */
static const uint8_t weakly[14][3] = {
    {GX_i64, GX_f64, GX_c128}, {GX_i8, GX_f64, GX_c128},    {GX_i16, GX_f64, GX_c128},
    {GX_i32, GX_f64, GX_c128}, {GX_i64, GX_f64, GX_c128},   {GX_u8, GX_f64, GX_c128},
    {GX_u16, GX_f64, GX_c128}, {GX_u32, GX_f64, GX_c128},   {GX_u64, GX_f64, GX_c128},
    {GX_f16, GX_f16, GX_c64},  {GX_f32, GX_f32, GX_c64},    {GX_f64, GX_f64, GX_c128},
    {GX_c64, GX_c64, GX_c64},  {GX_c128, GX_c128, GX_c128},
};

/* numpy.can_cast(row, column, rule). */
static const char *const safely[14] = {
    "11111111111111", "01111000011111", "00111000001111", "00011000000101", "00001000000101",
    "00111111111111", "00011011101111", "00001001100101", "00000000100101", "00000000011111",
    "00000000001111", "00000000000101", "00000000000011", "00000000000001",
};
static const char *const kindly[14] = {
    "11111111111111", "01111000011111", "01111000011111", "01111000011111", "01111000011111",
    "01111111111111", "01111111111111", "01111111111111", "01111111111111", "00000000011111",
    "00000000011111", "00000000011111", "00000000000011", "00000000000011",
};

Test(dtype, promotion_is_numpys) {
    for (int i = 0; i < 14; i++) {
        for (int j = 0; j < 14; j++) {
            gx_dtype got = gx_promote(order[i], order[j]);
            cr_assert_eq(got, promoted[i][j], "%s with %s: %s", gx_dtypes[order[i]].name,
                         gx_dtypes[order[j]].name, gx_dtypes[got].name);
        }
    }
}

/* What a sum of bfloat16 and each of `order` is with ml_dtypes. */
static const uint8_t with_bf16[14] = {GX_bf16, GX_bf16, GX_f32, GX_f64, GX_f64, GX_bf16, GX_f32,
                                      GX_f64,  GX_f64,  GX_f32, GX_f32, GX_f64, GX_c64,  GX_c128};

Test(dtype, bfloat16_promotes_as_ml_dtypes_does) {
    for (int i = 0; i < 14; i++) {
        cr_assert_eq(gx_promote(GX_bf16, order[i]), with_bf16[i], "%s", gx_dtypes[order[i]].name);
        cr_assert_eq(gx_promote(order[i], GX_bf16), with_bf16[i], "%s", gx_dtypes[order[i]].name);
        cr_assert_eq(gx_can_cast(GX_bf16, order[i], GX_CAST_SAFE), with_bf16[i] == order[i]);
        cr_assert_eq(gx_can_cast(order[i], GX_bf16, GX_CAST_SAFE), with_bf16[i] == GX_bf16);
    }
    cr_assert_eq(gx_promote(GX_bf16, GX_bf16), GX_bf16);
    cr_assert_eq(gx_promote_weak(GX_bf16, GX_KIND_INT), GX_bf16);
    cr_assert_eq(gx_promote_weak(GX_bf16, GX_KIND_FLOAT), GX_f32);
    cr_assert_eq(gx_promote_weak(GX_bf16, GX_KIND_CPLX), GX_c64);
    cr_assert_eq(gx_complex_dtype(GX_bf16), GX_c64);
    cr_assert_eq(gx_real_dtype(GX_bf16), GX_bf16);
}

/* The loops and the conversions of one element agree on every half. */
Test(dtype, loops_convert_halves_as_elements_are) {
    static float wide[65536];
    static gx_half all[65536], back[65536];
    const gx_loops *loops = gx_cpu_loops();
    for (uint32_t h = 0; h < 65536; h++) all[h] = half(h);
    for (int d = 0; d < GX_DTYPES; d++) {
        if (!gx_is_half(d)) continue;
        const int fraction = gx_dtypes[d].fraction;
        loops->cast[d][GX_f32](wide, all, NULL, NULL, 65536, 0);
        loops->cast[GX_f32][d](back, wide, NULL, NULL, 65536, 0);
        for (uint32_t h = 0; h < 65536; h++) {
            const float one = gx_half_widen(fraction, half(h));
            if (isnan(one)) {
                cr_assert(isnan(wide[h]) && isnan(gx_half_widen(fraction, back[h])));
                continue;
            }
            cr_assert_eq(memcmp(&one, &wide[h], 4), 0, "%s %x", gx_dtypes[d].name, (unsigned)h);
            cr_assert_eq(back[h].bits, h, "%s %x", gx_dtypes[d].name, (unsigned)h);
        }
        /* Floats about the middle between two neighbours. */
        for (int side = -1; side <= 1; side++) {
            for (uint32_t h = 0; h < 65535; h++) {
                const double low = (double)wide[h], high = (double)wide[h + 1];
                const float mid = (float)((low + high) / 2);
                wide[h] = side ? nextafterf(mid, side < 0 ? -INFINITY : INFINITY) : mid;
            }
            loops->cast[GX_f32][d](back, wide, NULL, NULL, 65535, 0);
            for (uint32_t h = 0; h < 65535; h++) {
                if (isnan(wide[h])) continue;
                const gx_half one = gx_half_round(fraction, (double)wide[h]);
                cr_assert_eq(back[h].bits, one.bits, "%s %a: %x", gx_dtypes[d].name,
                             (double)wide[h], (unsigned)back[h].bits);
            }
            loops->cast[d][GX_f32](wide, all, NULL, NULL, 65536, 0);
        }
    }
}

Test(dtype, python_numbers_are_weak) {
    static const gx_dkind kinds[3] = {GX_KIND_INT, GX_KIND_FLOAT, GX_KIND_CPLX};
    for (int i = 0; i < 14; i++) {
        for (int k = 0; k < 3; k++) {
            gx_dtype got = gx_promote_weak(order[i], kinds[k]);
            cr_assert_eq(got, weakly[i][k], "%s with kind %d: %s", gx_dtypes[order[i]].name, k,
                         gx_dtypes[got].name);
        }
    }
}

Test(dtype, casting_rules_are_numpys) {
    for (int i = 0; i < 14; i++) {
        for (int j = 0; j < 14; j++) {
            gx_dtype a = order[i], b = order[j];
            cr_assert_eq(gx_can_cast(a, b, GX_CAST_SAFE), safely[i][j] == '1', "safe %s to %s",
                         gx_dtypes[a].name, gx_dtypes[b].name);
            cr_assert_eq(gx_can_cast(a, b, GX_CAST_SAME_KIND), kindly[i][j] == '1',
                         "same_kind %s to %s", gx_dtypes[a].name, gx_dtypes[b].name);
            cr_assert(gx_can_cast(a, b, GX_CAST_UNSAFE));
            cr_assert_eq(gx_can_cast(a, b, GX_CAST_NO), i == j);
            cr_assert_eq(gx_can_cast(a, b, GX_CAST_EQUIV), i == j);
        }
    }
}

Test(dtype, real_and_complex_partners) {
    cr_assert_eq(gx_real_dtype(GX_c64), GX_f32);
    cr_assert_eq(gx_real_dtype(GX_c128), GX_f64);
    cr_assert_eq(gx_real_dtype(GX_i16), GX_i16);
    cr_assert_eq(gx_complex_dtype(GX_f32), GX_c64);
    cr_assert_eq(gx_complex_dtype(GX_f64), GX_c128);
}

Test(dtype, every_half_survives_the_way_to_float_and_back) {
    for (int d = 0; d < GX_DTYPES; d++) {
        const int fraction = gx_dtypes[d].fraction;
        for (uint32_t h = 0; gx_is_half(d) && h < 65536; h++) {
            float x = gx_half_widen(fraction, half(h));
            gx_half back = gx_half_round(fraction, (double)x);
            if (isnan(x))
                cr_assert(isnan(gx_half_widen(fraction, back)));
            else
                cr_assert_eq(back.bits, h, "%s %x: %x", gx_dtypes[d].name, (unsigned)h,
                             (unsigned)back.bits);
        }
    }
}

Test(dtype, numbers_round_to_the_nearest_half_ties_to_even) {
    for (int d = 0; d < GX_DTYPES; d++) {
        if (!gx_is_half(d)) continue;
        const int fraction = gx_dtypes[d].fraction;
        const uint32_t infinity = gx_half_infinity(fraction);
        for (uint32_t h = 0; h < infinity;
             h++) { /* all finite neighbours, the last is infinity's */
            const double low = (double)gx_half_widen(fraction, half(h));
            const double high = h + 1 < infinity ? (double)gx_half_widen(fraction, half(h + 1))
                                                 : 2 * gx_float_max((gx_dtype)d) -
                                                       (double)gx_half_widen(fraction, half(h - 1));
            const double mid = (low + high) / 2;
            const uint32_t even = h % 2 ? h + 1 : h;
            cr_assert_eq(gx_half_round(fraction, nextafter(mid, 0)).bits, h);
            cr_assert_eq(gx_half_round(fraction, nextafter(mid, 1e300)).bits, h + 1);
            cr_assert_eq(gx_half_round(fraction, mid).bits, even);
            cr_assert_eq(gx_half_round(fraction, -mid).bits, even | 0x8000);
        }
        cr_assert_eq(gx_half_round(fraction, -0.0).bits, 0x8000);
        cr_assert_eq(gx_half_round(fraction, 1).bits, gx_half_one(fraction));
        cr_assert_eq(gx_half_round(fraction, INFINITY).bits, infinity);
        cr_assert_eq(gx_half_round(fraction, 1e300).bits, infinity);
        cr_assert_eq(gx_half_round(fraction, NAN).bits & 0x7fff, gx_half_nan(fraction));
    }
    cr_assert_eq(gx_half_round(10, 65519.99).bits, 0x7bff);
    cr_assert_eq(gx_half_round(10, 65520.0).bits, 0x7c00);
    cr_assert_eq(gx_half_round(10, 2.9e-8).bits, 0);
}

Test(dtype, elements_convert_as_numpy_does) {
    gx_scalar s = {.i64 = 300}, r;
    r = gx_scalar_cast(GX_i64, GX_i8, &s);
    cr_assert_eq(r.i8, 44);
    r = gx_scalar_cast(GX_i64, GX_bool, &s);
    cr_assert(r.b);
    r = gx_scalar_cast(GX_i64, GX_c64, &s);
    cr_assert(r.c64.re == 300 && r.c64.im == 0);
    s.i64 = -1;
    r = gx_scalar_cast(GX_i64, GX_u64, &s);
    cr_assert_eq(r.u64, UINT64_MAX);
    s.u64 = UINT64_MAX;
    r = gx_scalar_cast(GX_u64, GX_f64, &s);
    cr_assert(r.f64 == 0x1p64);
    s.f64 = -1.9;
    r = gx_scalar_cast(GX_f64, GX_i32, &s);
    cr_assert_eq(r.i32, -1);
    s.f64 = 0.1;
    r = gx_scalar_cast(GX_f64, GX_bool, &s);
    cr_assert(r.b);
    s.f64 = NAN;
    r = gx_scalar_cast(GX_f64, GX_bool, &s);
    cr_assert(r.b);
    s.c128 = (gx_c128){2.5, 7};
    r = gx_scalar_cast(GX_c128, GX_f32, &s);
    cr_assert(r.f32 == 2.5f);
}

Test(dtype, loops_of_operations) {
    static const struct {
        gx_opcode op;
        gx_dtype common, compute, result;
    } rows[] = {
        {GX_OP_add, GX_i8, GX_i8, GX_i8},       {GX_OP_divide, GX_i8, GX_f64, GX_f64},
        {GX_OP_divide, GX_f32, GX_f32, GX_f32}, {GX_OP_sin, GX_i8, GX_f16, GX_f16},
        {GX_OP_sin, GX_u16, GX_f32, GX_f32},    {GX_OP_sin, GX_i64, GX_f64, GX_f64},
        {GX_OP_less, GX_f32, GX_f32, GX_bool},  {GX_OP_absolute, GX_c64, GX_c64, GX_f32},
        {GX_OP_power, GX_bool, GX_i8, GX_i8},   {GX_OP_floor_divide, GX_bool, GX_i8, GX_i8},
    };
    gx_dtype compute, result;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_assert(gx_op_dtypes(rows[i].op, rows[i].common, &compute, &result));
        cr_assert_eq(compute, rows[i].compute, "row %zu", i);
        cr_assert_eq(result, rows[i].result, "row %zu", i);
    }
    cr_assert_not(gx_op_dtypes(GX_OP_subtract, GX_bool, &compute, &result));
    cr_assert_not(gx_op_dtypes(GX_OP_bitwise_and, GX_f64, &compute, &result));
    cr_assert_not(gx_op_dtypes(GX_OP_floor_divide, GX_c128, &compute, &result));
}
