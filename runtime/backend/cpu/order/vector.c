/* The vectorised quicksort for AVX2: ranges are split around a pivot from one buffer into another,
   a vector at a time, and short ones are sorted by networks inside of registers. vector.inc is
   included once an element type; where the CPU lacks AVX2 nothing here runs. */
#include "runtime/backend/cpu/order/vector_int.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

#include "runtime/backend/loop.h"
#include "runtime/backend/cpu/order/vector_tables_int.h"

/* WIDE: elements worth several threads. MOST_PARTS: of a row, with as many sampled splitters. */
enum { WIDE = 65536, MOST_PARTS = 16, MOST_CHUNKS = 16, LOOK = GX_WORK_LOOK };

#define AVX2 __attribute__((target("avx2,bmi2,popcnt")))
#define INLINE static inline __attribute__((always_inline)) AVX2

typedef __m256i vec;

/* Whoever has these loops has AVX2 and BMI2. */
bool gx_cpu_vector_can(gx_device *device, gx_dtype d) {
    const int64_t size = gx_dtypes[d].bytes;
    return (size == 4 || size == 8) && gx_dtypes[d].kind != GX_KIND_CPLX &&
           gx_cpu_of(device)->loops != &gx_loops_v2;
}

/* Lanes picked first by mask go to the front. */
INLINE vec front_of_8(vec v, unsigned mask) {
    __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)&lanes_of_8[mask]);
    return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
}
INLINE vec front_of_4(vec v, unsigned mask) {
    __m128i order = _mm_loadl_epi64((const __m128i *)(const void *)&lanes_of_4[mask]);
    return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(order));
}

#define PS(v) _mm256_castsi256_ps(v)
#define PD(v) _mm256_castsi256_pd(v)
#define SI(v) _mm256_castps_si256(v)
#define DI(v) _mm256_castpd_si256(v)

/* The networks' steps keep -0.0 and 0.0 both: of equal operands min and max give the second. */

#define ELEM int32_t
#define LANES 8
#define FRONT(v, mask) front_of_8(v, mask)
#define FLOATS 0
#define LARGEST INT32_MAX
#define N(x) i32_##x
#define SET1(x) _mm256_set1_epi32(x)
#define MIN(a, b) _mm256_min_epi32(a, b)
#define MAX(a, b) _mm256_max_epi32(a, b)
#define LESS(a, b) (unsigned)_mm256_movemask_ps(PS(_mm256_cmpgt_epi32(b, a)))
#include "runtime/backend/cpu/order/vector.inc"

#define ELEM float
#define LANES 8
#define FRONT(v, mask) front_of_8(v, mask)
#define FLOATS 1
#define LARGEST INFINITY
#define N(x) f32_##x
#define SET1(x) SI(_mm256_set1_ps(x))
#define MIN(a, b) SI(_mm256_min_ps(PS(a), PS(b)))
#define MAX(a, b) SI(_mm256_max_ps(PS(a), PS(b)))
#define LESS(a, b) (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(PS(a), PS(b), _CMP_LT_OQ))
#include "runtime/backend/cpu/order/vector.inc"

INLINE vec min_long(vec a, vec b) {
    return DI(_mm256_blendv_pd(PD(a), PD(b), PD(_mm256_cmpgt_epi64(a, b))));
}
INLINE vec max_long(vec a, vec b) {
    return DI(_mm256_blendv_pd(PD(b), PD(a), PD(_mm256_cmpgt_epi64(a, b))));
}

#define ELEM int64_t
#define LANES 4
#define FRONT(v, mask) front_of_4(v, mask)
#define FLOATS 0
#define LARGEST INT64_MAX
#define N(x) i64_##x
#define SET1(x) _mm256_set1_epi64x(x)
#define MIN(a, b) min_long(a, b)
#define MAX(a, b) max_long(a, b)
#define LESS(a, b) (unsigned)_mm256_movemask_pd(PD(_mm256_cmpgt_epi64(b, a)))
#include "runtime/backend/cpu/order/vector.inc"

#define ELEM double
#define LANES 4
#define FRONT(v, mask) front_of_4(v, mask)
#define FLOATS 1
#define LARGEST INFINITY
#define N(x) f64_##x
#define SET1(x) DI(_mm256_set1_pd(x))
#define MIN(a, b) DI(_mm256_min_pd(PD(a), PD(b)))
#define MAX(a, b) DI(_mm256_max_pd(PD(a), PD(b)))
#define LESS(a, b) (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(PD(a), PD(b), _CMP_LT_OQ))
#include "runtime/backend/cpu/order/vector.inc"

void gx_cpu_vector_row(gx_rt *rt, bool inside, gx_dtype d, const void *src, void *dst, void *spare,
                      int64_t n) {
    switch ((int)d) {
    case GX_i32:
        i32_row(rt, inside, src, dst, spare, n, 0);
        break;
    case GX_u32:
        i32_row(rt, inside, src, dst, spare, n, INT32_MIN);
        break;
    case GX_i64:
        i64_row(rt, inside, src, dst, spare, n, 0);
        break;
    case GX_u64:
        i64_row(rt, inside, src, dst, spare, n, INT64_MIN);
        break;
    case GX_f32:
        f32_row(rt, inside, src, dst, spare, n, 0);
        break;
    default:
        f64_row(rt, inside, src, dst, spare, n, 0);
    }
}

void gx_cpu_vector_words(gx_rt *rt, bool inside, uint64_t *x, uint64_t *spare, int64_t n) {
    i64_words(rt, inside, (int64_t *)x, (int64_t *)spare, n);
}

void gx_cpu_vector_part(const gx_rt *rt, gx_dtype d, const void *src, void *dst, void *spare,
                       int64_t n, int64_t k) {
    switch ((int)d) {
    case GX_i32:
        i32_part(rt, src, dst, spare, n, k, 0);
        break;
    case GX_u32:
        i32_part(rt, src, dst, spare, n, k, INT32_MIN);
        break;
    case GX_i64:
        i64_part(rt, src, dst, spare, n, k, 0);
        break;
    case GX_u64:
        i64_part(rt, src, dst, spare, n, k, INT64_MIN);
        break;
    case GX_f32:
        f32_part(rt, src, dst, spare, n, k, 0);
        break;
    default:
        f64_part(rt, src, dst, spare, n, k, 0);
    }
}

bool gx_cpu_vector_arg_part(const gx_rt *rt, gx_dtype d, const void *src, int64_t *index,
                           void *spare, int64_t n, int64_t k) {
    switch ((int)d) {
    case GX_i32:
        return i32_arg_part(rt, src, index, spare, n, k, 0);
    case GX_u32:
        return i32_arg_part(rt, src, index, spare, n, k, INT32_MIN);
    case GX_i64:
        return i64_arg_part(rt, src, index, spare, n, k, 0);
    case GX_u64:
        return i64_arg_part(rt, src, index, spare, n, k, INT64_MIN);
    case GX_f32:
        return f32_arg_part(rt, src, index, spare, n, k, 0);
    default:
        return f64_arg_part(rt, src, index, spare, n, k, 0);
    }
}

int64_t gx_cpu_vector_count_runs(const gx_rt *rt, gx_dtype d, const void *x, int64_t n) {
    if (gx_dtypes[d].kind == GX_KIND_FLOAT)
        return gx_dtypes[d].bytes == 4 ? f32_count_runs(rt, x, n) : f64_count_runs(rt, x, n);
    return gx_dtypes[d].bytes == 4 ? i32_count_runs(rt, x, n) : i64_count_runs(rt, x, n);
}

void gx_cpu_vector_runs(const gx_rt *rt, gx_dtype d, const void *x, int64_t n, void *to,
                       int64_t count) {
    bool small = gx_dtypes[d].bytes == 4;
    if (gx_dtypes[d].kind == GX_KIND_FLOAT && small)
        f32_runs(rt, x, n, to, count);
    else if (gx_dtypes[d].kind == GX_KIND_FLOAT)
        f64_runs(rt, x, n, to, count);
    else if (small)
        i32_runs(rt, x, n, to, count);
    else
        i64_runs(rt, x, n, to, count);
}

void gx_cpu_vector_starts(const gx_rt *rt, gx_dtype d, const void *x, int64_t n, int64_t *to) {
    bool small = gx_dtypes[d].bytes == 4;
    if (gx_dtypes[d].kind == GX_KIND_FLOAT && small)
        f32_starts(rt, x, n, to);
    else if (gx_dtypes[d].kind == GX_KIND_FLOAT)
        f64_starts(rt, x, n, to);
    else if (small)
        i32_starts(rt, x, n, to);
    else
        i64_starts(rt, x, n, to);
}
