/* The CRC-32 of zip archives: eight bytes at once by tables, and where the CPU multiplies without
   carries, 64 bytes at once. Knows bytes alone. */
#include <string.h>

#include "stdlib/io/files.h"

void gx_crc_table(uint32_t table[GX_CRC_TABLE]) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    for (int i = 256; i < GX_CRC_TABLE; i++)
        table[i] = table[table[i - 256] & 255] ^ table[i - 256] >> 8;
}

/* Eight bytes at once: the j-th part of the table is what a byte becomes j bytes later. The state
   is the sum's complement. */
static uint32_t by_table(const uint32_t *table, uint32_t crc, const uint8_t *p, size_t n) {
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + 4, 4);
        low ^= crc;
        crc = table[1792 + (low & 255)] ^ table[1536 + (low >> 8 & 255)] ^
              table[1280 + (low >> 16 & 255)] ^ table[1024 + (low >> 24)] ^
              table[768 + (high & 255)] ^ table[512 + (high >> 8 & 255)] ^
              table[256 + (high >> 16 & 255)] ^ table[high >> 24];
    }
    while (n--) crc = table[(crc ^ *p++) & 255] ^ crc >> 8;
    return crc;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define FOLDING __attribute__((target("pclmul,sse4.1")))

/* What stands `distance` bits before `next`, folded onto it: by holds x^distance mod P twice. */
FOLDING static inline __m128i fold(__m128i x, __m128i by, __m128i next) {
    __m128i low = _mm_clmulepi64_si128(x, by, 0x00), high = _mm_clmulepi64_si128(x, by, 0x11);
    return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/* Folds n (a multiple of 64, not 0) bytes into 16 that leave the same remainder, which the tables
   then take. */
FOLDING static uint32_t by_folding(const uint32_t *table, uint32_t crc, const uint8_t *p,
                                   size_t n) {
    const __m128i far = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);  /* 512 bits */
    const __m128i near = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0); /* 128 bits */
    __m128i x[4];
    uint8_t left[16];
    for (int i = 0; i < 4; i++) x[i] = _mm_loadu_si128((const __m128i *)(p + 16 * i));
    x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)crc));
    for (p += 64, n -= 64; n; p += 64, n -= 64)
        for (int i = 0; i < 4; i++)
            x[i] = fold(x[i], far, _mm_loadu_si128((const __m128i *)(p + 16 * i)));
    for (int i = 1; i < 4; i++) x[i] = fold(x[i - 1], near, x[i]);
    _mm_storeu_si128((__m128i *)left, x[3]);
    return by_table(table, 0, left, sizeof left);
}

static size_t folded(size_t n) {
    if (n < 128 || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1")) return 0;
    return n & ~(size_t)63;
}
#else
static size_t folded(size_t n) {
    (void)n;
    return 0;
}
static uint32_t by_folding(const uint32_t *table, uint32_t crc, const uint8_t *p, size_t n) {
    return by_table(table, crc, p, n);
}
#endif

uint32_t gx_crc(const uint32_t *table, uint32_t crc, const void *data, size_t n) {
    const uint8_t *p = data;
    size_t first = folded(n);
    crc = ~crc;
    if (first) crc = by_folding(table, crc, p, first);
    return ~by_table(table, crc, p + first, n - first);
}
