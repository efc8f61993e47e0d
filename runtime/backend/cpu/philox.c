/* Fills memory with elements of a random stream (kernels/philox.h). Words are made for a batch of
   fours at a time, in vector registers where there is AVX2, then turned into numbers by loops. Any
   position, length and instruction set gives the same bits. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math", "fp-contract=off")
#endif
#include "runtime/backend/cpu/cpu_int.h"

#include <string.h>

#include "kernels/philox.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#endif

enum { BATCH = 64 }; /* fours */

#define NAME(verb) verb##_base
#define TARGET
#include "runtime/backend/cpu/philox_fill.inc"

#if defined(__x86_64__)
#define NAME(verb) verb##_avx2
#define TARGET AVX2
#include "runtime/backend/cpu/philox_fill.inc"

/* The ten rounds' keys in every lane. */
typedef struct lane_keys {
    __m256i a[10], b[10];
} lane_keys;

AVX2 static void spread_keys(uint64_t seed, lane_keys *keys) {
    uint32_t a = (uint32_t)seed, b = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        keys->a[round] = _mm256_set1_epi64x(a);
        keys->b[round] = _mm256_set1_epi64x(b);
        a += 0x9E3779B9U;
        b += 0xBB67AE85U;
    }
}

/* Ten rounds on the counters (c[0] … c[3]) and, side by side, (d[0] … d[3]): one 32-bit word in
   each 64-bit lane; what is above the words is not cleared, as products ignore it. */
AVX2 static inline __attribute__((always_inline)) void rounds_avx2(const lane_keys *keys,
                                                                   __m256i *c, __m256i *d) {
    __m256i m0 = _mm256_set1_epi64x(0xD2511F53LL), m1 = _mm256_set1_epi64x(0xCD9E8D57LL);
    for (int round = 0; round < 10; round++) {
        __m256i p = _mm256_mul_epu32(c[0], m0), q = _mm256_mul_epu32(c[2], m1);
        __m256i r = _mm256_mul_epu32(d[0], m0), s = _mm256_mul_epu32(d[2], m1);
        __m256i a = keys->a[round], b = keys->b[round];
        c[0] = _mm256_xor_si256(_mm256_srli_epi64(q, 32), _mm256_xor_si256(c[1], a));
        c[2] = _mm256_xor_si256(_mm256_srli_epi64(p, 32), _mm256_xor_si256(c[3], b));
        d[0] = _mm256_xor_si256(_mm256_srli_epi64(s, 32), _mm256_xor_si256(d[1], a));
        d[2] = _mm256_xor_si256(_mm256_srli_epi64(r, 32), _mm256_xor_si256(d[3], b));
        c[1] = q;
        c[3] = p;
        d[1] = s;
        d[3] = r;
    }
}

/* Words 0 and 1, and 2 and 3, of each lane's block as pairs. */
AVX2 static inline void pair_up(const __m256i *c, __m256i *first, __m256i *second) {
    __m256i mask = _mm256_set1_epi64x(0xFFFFFFFFLL);
    *first = _mm256_or_si256(_mm256_and_si256(c[0], mask), _mm256_slli_epi64(c[1], 32));
    *second = _mm256_or_si256(_mm256_and_si256(c[2], mask), _mm256_slli_epi64(c[3], 32));
}

AVX2 static inline void start(__m256i *c, __m256i u, int64_t lo_scale, int64_t lo_more) {
    __m256i lo = _mm256_srli_epi64(u, 16);
    if (lo_scale == 2) lo = _mm256_slli_epi64(lo, 1);
    lo = _mm256_add_epi64(lo, _mm256_set1_epi64x(lo_more));
    c[0] = lo;
    c[1] = _mm256_srli_epi64(lo, 32);
    c[2] = _mm256_and_si256(u, _mm256_set1_epi64x(65535));
    c[3] = _mm256_setzero_si256();
}

/* Eight fours of 32-bit words. */
AVX2 static void words_avx2(const lane_keys *keys, uint64_t u, uint64_t *out) {
    __m256i at = _mm256_add_epi64(_mm256_set1_epi64x((int64_t)u), _mm256_set_epi64x(3, 2, 1, 0));
    __m256i c[4], d[4], x, y;
    __m256i *to = (__m256i *)(void *)out;
    start(c, at, 1, 0);
    start(d, _mm256_add_epi64(at, _mm256_set1_epi64x(4)), 1, 0);
    rounds_avx2(keys, c, d);
    for (int half = 0; half < 2; half++) {
        pair_up(half ? d : c, &x, &y);
        __m256i low = _mm256_unpacklo_epi64(x, y), high = _mm256_unpackhi_epi64(x, y);
        _mm256_storeu_si256(to + 2 * half, _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256(to + 2 * half + 1, _mm256_permute2x128_si256(low, high, 0x31));
    }
}

/* Four fours of pairs. */
AVX2 static void pairs_avx2(const lane_keys *keys, uint64_t u, uint64_t *out) {
    __m256i at = _mm256_add_epi64(_mm256_set1_epi64x((int64_t)u), _mm256_set_epi64x(3, 2, 1, 0));
    __m256i c[4], d[4], v[4], t[4];
    start(c, at, 2, 0);
    start(d, at, 2, 1);
    rounds_avx2(keys, c, d);
    pair_up(c, &v[0], &v[1]);
    pair_up(d, &v[2], &v[3]);
    t[0] = _mm256_unpacklo_epi64(v[0], v[1]);
    t[1] = _mm256_unpackhi_epi64(v[0], v[1]);
    t[2] = _mm256_unpacklo_epi64(v[2], v[3]);
    t[3] = _mm256_unpackhi_epi64(v[2], v[3]);
    __m256i *to = (__m256i *)(void *)out;
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(t[0], t[2], 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(t[1], t[3], 0x20));
    _mm256_storeu_si256(to + 2, _mm256_permute2x128_si256(t[0], t[2], 0x31));
    _mm256_storeu_si256(to + 3, _mm256_permute2x128_si256(t[1], t[3], 0x31));
}

AVX2 static int many_avx2(uint64_t seed, bool wide, uint64_t u, int fours, uint64_t *out) {
    lane_keys keys;
    int i = 0, step = wide ? 4 : 8;
    if (fours < step) return 0;
    spread_keys(seed, &keys);
    for (; i + step <= fours; i += step) {
        if (wide) pairs_avx2(&keys, u + (uint64_t)i, out + 4 * i);
        else words_avx2(&keys, u + (uint64_t)i, out + 2 * i);
    }
    return i;
}
#endif

typedef struct stream {
    gx_dist dist;
    uint64_t seed;
    bool wide, avx2; /* 64-bit elements */
} stream;

/* Words of `fours` fours from four u on. */
static void make_words(const stream *s, uint64_t u, int fours, uint64_t *words) {
    int i = 0;
#if defined(__x86_64__)
    if (s->avx2) i = many_avx2(s->seed, s->wide, u, fours, words);
#endif
    for (; i < fours; i++) {
        gx_philox_u32 four[4];
        gx_philox_u64 pairs[4];
        if (s->wide) {
            gx_philox_pairs(s->seed, u + (uint64_t)i, pairs);
            memcpy(words + 4 * i, pairs, sizeof pairs);
        } else {
            gx_philox_four(s->seed, u + (uint64_t)i, four);
            memcpy(words + 2 * i, four, sizeof four);
        }
    }
}

#if defined(__x86_64__)
#define CONVERT(verb, ...)                                                                         \
    do {                                                                                           \
        if (s->avx2) verb##_avx2(__VA_ARGS__);                                                     \
        else verb##_base(__VA_ARGS__);                                                             \
    } while (0)
#else
#define CONVERT(verb, ...) verb##_base(__VA_ARGS__)
#endif

/* All elements of `fours` fours, from four u on. */
static void make(const stream *s, uint64_t u, int fours, void *out) {
    uint64_t words[BATCH * 4];
    const uint32_t *half = (const uint32_t *)(const void *)words;
    int n = 4 * fours;
    if (s->dist == GX_DIST_BITS32 || s->dist == GX_DIST_BITS64) {
        make_words(s, u, fours, out);
        return;
    }
    make_words(s, u, fours, words);
    if (s->dist == GX_DIST_UNIFORM32) CONVERT(uniform32, half, out, n);
    else if (s->dist == GX_DIST_UNIFORM64) CONVERT(uniform64, words, out, n);
    else if (s->dist == GX_DIST_NORMAL32) CONVERT(normal32, half, out, n);
    else CONVERT(normal64, words, out, n);
}

void gx_philox_fill(void *out, gx_dist dist, uint64_t seed, uint64_t first, int64_t n) {
    stream s = {.dist = dist, .seed = seed};
    char *to = out;
    s.wide = dist == GX_DIST_UNIFORM64 || dist == GX_DIST_NORMAL64 || dist == GX_DIST_BITS64;
#if defined(__x86_64__)
    s.avx2 = __builtin_cpu_supports("avx2");
#endif
    int64_t item = s.wide ? 8 : 4;
    while (n > 0) {
        uint64_t part[BATCH * 4];
        uint64_t u = first / 4;
        int64_t skip = (int64_t)(first % 4), most = 4 * BATCH - skip;
        int64_t take = n < most ? n : most;
        int fours = (int)((skip + take + 3) / 4);
        if (skip == 0 && take == 4 * (int64_t)fours) {
            make(&s, u, fours, to);
        } else {
            make(&s, u, fours, part);
            memcpy(to, (const char *)part + skip * item, (size_t)(take * item));
        }
        to += take * item;
        first += (uint64_t)take;
        n -= take;
    }
}
