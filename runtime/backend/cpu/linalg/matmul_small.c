/* Products of small float32 and float64 matrices, for batches of them above all: a library's call
   costs more than the product there. Blocks of rows are summed in registers. Needs AVX2; what is
   larger than gx_matmul_small_can allows is done elsewhere. The sums have the bits of the plain
   loops (matmul_own.inc). */
#include "runtime/backend/cpu/cpu_int.h"

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

enum { MOST_VECTORS = 4, MOST_SIDE = 64, MOST_WORK = 4096, LEAST_WORK = 64 };

#define T float
#define LANES 8
#define MASKED(p, mask) _mm256_maskload_ps(p, mask)
#define V 1
#define R 4
#define NAME(verb) verb##_f32_1x4
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 1
#define R 1
#define NAME(verb) verb##_f32_1x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 2
#define R 4
#define NAME(verb) verb##_f32_2x4
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 2
#define R 1
#define NAME(verb) verb##_f32_2x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 3
#define R 2
#define NAME(verb) verb##_f32_3x2
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 3
#define R 1
#define NAME(verb) verb##_f32_3x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 4
#define R 2
#define NAME(verb) verb##_f32_4x2
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 4
#define R 1
#define NAME(verb) verb##_f32_4x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#undef T
#undef LANES
#undef MASKED

#define T double
#define LANES 4
#define MASKED(p, mask) _mm256_maskload_pd(p, mask)
#define V 1
#define R 4
#define NAME(verb) verb##_f64_1x4
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 1
#define R 1
#define NAME(verb) verb##_f64_1x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 2
#define R 4
#define NAME(verb) verb##_f64_2x4
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 2
#define R 1
#define NAME(verb) verb##_f64_2x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 3
#define R 2
#define NAME(verb) verb##_f64_3x2
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 3
#define R 1
#define NAME(verb) verb##_f64_3x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 4
#define R 2
#define NAME(verb) verb##_f64_4x2
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#define V 4
#define R 1
#define NAME(verb) verb##_f64_4x1
#include "runtime/backend/cpu/linalg/matmul_small.inc"
#undef T
#undef LANES
#undef MASKED

bool gx_matmul_small_can(const gx_cpu *cpu, gx_dtype dtype, int64_t m, int64_t n, int64_t k) {
    if (dtype != GX_f32 && dtype != GX_f64) return false;
    int64_t most = MOST_VECTORS * (dtype == GX_f32 ? 8 : 4);
    if (n > most || k > MOST_SIDE || m > MOST_SIDE) return false;
    if (m * n * k > MOST_WORK || m * n * k < LEAST_WORK) return false;
    return strcmp(cpu->loops->isa, "x86-64-v2") != 0;
}

/* Ones for the first bytes of a vector. */
static AVX2 __m256i mask_of(int64_t bytes) {
    static const int64_t ones[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return _mm256_loadu_si256((const __m256i *)(const void *)((const char *)ones + 32 - bytes));
}

#define ROWS(name, V, R)                                                                           \
    for (; i + R <= p->m; i += R)                                                                  \
        block_##name##_##V##x##R(a + i * p->a_row, p->a_row, p->a_col, b, b_row, p->k, mask,       \
                                 to + i * to_row, to_row);                                         \
    for (; i < p->m; i++)                                                                          \
        block_##name##_##V##x1(a + i * p->a_row, 0, p->a_col, b, b_row, p->k, mask,                \
                               to + i * to_row, to_row);                                           \
    break;

#define SMALL(T, name, LANES)                                                                      \
    static AVX2 void small_##name(const gx_product *p) {                                           \
        const T *a = (const T *)(const void *)p->a, *b = (const T *)(const void *)p->b;            \
        T *const c = (T *)(void *)p->c, *to = c;                                                   \
        T packed[MOST_SIDE * MOST_VECTORS * LANES], result[MOST_SIDE * MOST_VECTORS * LANES];      \
        const int64_t n = p->n, vectors = (n + LANES - 1) / LANES, wide = vectors * LANES;         \
        const __m256i mask = mask_of((n - wide + LANES) * (int64_t)sizeof(T));                     \
        int64_t b_row = p->b_row, to_row = p->c_row, i = 0;                                        \
        if (p->b_col != 1) {                                                                       \
            for (int64_t k = 0; k < p->k; k++)                                                     \
                for (int64_t j = 0; j < n; j++)                                                    \
                    packed[k * n + j] = b[k * p->b_row + j * p->b_col];                            \
            b = packed;                                                                            \
            b_row = n;                                                                             \
        }                                                                                          \
        if (n != wide || p->c_col != 1) {                                                          \
            to = result;                                                                           \
            to_row = wide;                                                                         \
        }                                                                                          \
        switch (vectors) {                                                                         \
        case 1: ROWS(name, 1, 4)                                                                   \
        case 2: ROWS(name, 2, 4)                                                                   \
        case 3: ROWS(name, 3, 2)                                                                   \
        default: ROWS(name, 4, 2)                                                                  \
        }                                                                                          \
        for (int64_t r = 0; to == result && r < p->m; r++) {                                       \
            if (p->c_col == 1)                                                                     \
                memcpy(c + r * p->c_row, to + r * wide, (size_t)n * sizeof(T));                    \
            else                                                                                   \
                for (int64_t j = 0; j < n; j++) c[r * p->c_row + j * p->c_col] = to[r * wide + j]; \
        }                                                                                          \
    }

SMALL(float, f32, 8)
SMALL(double, f64, 4)

void gx_matmul_small(const gx_product *p) {
    if (p->dtype == GX_f32)
        small_f32(p);
    else
        small_f64(p);
}
