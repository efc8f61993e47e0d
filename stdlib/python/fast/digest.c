/* MD5, SHA-1, SHA-2, SHA-3, SHAKE and BLAKE2: blocks are mixed into a state, the last one says how
   long the message was. */
#include "stdlib/python/fast/digest_int.h"

#include <string.h>

#include "stdlib/python/fast/digest_tables.inc"

static uint32_t left32(uint32_t x, int by) {
    return x << by | x >> (-by & 31);
}
static uint32_t right32(uint32_t x, int by) {
    return x >> by | x << (-by & 31);
}
static uint64_t right64(uint64_t x, int by) {
    return x >> by | x << (-by & 63);
}

static uint32_t big32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static uint64_t big64(const uint8_t *p) {
    return (uint64_t)big32(p) << 32 | big32(p + 4);
}
static uint32_t little32(const uint8_t *p) {
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
static uint64_t little64(const uint8_t *p) {
    return (uint64_t)little32(p + 4) << 32 | little32(p);
}

/* Bytes of a number, the first or the last first. */
static void put_bytes(uint8_t *p, uint64_t x, int n, bool big) {
    for (int i = 0; i < n; i++) p[i] = (uint8_t)(x >> 8 * (big ? n - 1 - i : i));
}

/* --- the end of MD5, SHA-1 and SHA-2: a bit, zeros, the length in bits --- */

static void pad(gx_digest *d, int length, bool big) {
    const size_t block = d->kind->block;
    d->block[d->filled++] = 0x80;
    if (d->filled > block - (size_t)length) {
        memset(d->block + d->filled, 0, block - d->filled);
        d->kind->step(d, d->block);
        d->filled = 0;
    }
    memset(d->block + d->filled, 0, block - d->filled);
    if (length == 16) put_bytes(d->block + block - 16, d->total >> 61, 8, true);
    put_bytes(d->block + block - 8, d->total << 3, 8, big);
    d->kind->step(d, d->block);
}

/* --- MD5 --- */

static void md5_begin(gx_digest *d) {
    static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    memcpy(d->state.w, start, sizeof start);
}

static void md5_step(gx_digest *d, const uint8_t *p) {
    static const uint8_t turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23},
                                        {6, 10, 15, 21}};
    uint32_t *s = d->state.w, a = s[0], b = s[1], c = s[2], e = s[3];
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int at;
        switch (i / 16) {
        case 0: f = (b & c) | (~b & e), at = i; break;
        case 1: f = (e & b) | (~e & c), at = (5 * i + 1) % 16; break;
        case 2: f = b ^ c ^ e, at = (3 * i + 5) % 16; break;
        default: f = c ^ (b | ~e), at = 7 * i % 16; break;
        }
        f += a + sines[i] + little32(p + 4 * at);
        a = e;
        e = c;
        c = b;
        b += left32(f, turns[i / 16][i % 4]);
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += e;
}

static void md5_end(gx_digest *d, uint8_t *out, size_t n) {
    pad(d, 8, false);
    for (size_t i = 0; i < n / 4; i++) put_bytes(out + 4 * i, d->state.w[i], 4, false);
}

/* --- SHA-1 --- */

static void sha1_begin(gx_digest *d) {
    md5_begin(d);
    d->state.w[4] = 0xc3d2e1f0;
}

static void sha1_step(gx_digest *d, const uint8_t *p) {
    uint32_t w[80], *s = d->state.w, a = s[0], b = s[1], c = s[2], e = s[3], f = s[4];
    for (int i = 0; i < 16; i++) w[i] = big32(p + 4 * i);
    for (int i = 16; i < 80; i++) w[i] = left32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        const uint32_t mixed = i < 20   ? ((b & c) | (~b & e)) + 0x5a827999
                               : i < 40 ? (b ^ c ^ e) + 0x6ed9eba1
                               : i < 60 ? ((b & c) | (b & e) | (c & e)) + 0x8f1bbcdc
                                        : (b ^ c ^ e) + 0xca62c1d6;
        const uint32_t next = left32(a, 5) + mixed + f + w[i];
        f = e;
        e = c;
        c = left32(b, 30);
        b = a;
        a = next;
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += e;
    s[4] += f;
}

static void sha32_end(gx_digest *d, uint8_t *out, size_t n) {
    pad(d, 8, true);
    for (size_t i = 0; i < n / 4; i++) put_bytes(out + 4 * i, d->state.w[i], 4, true);
}

/* --- SHA-2: SHA-256 takes the upper halves of SHA-512's constants --- */

static void sha256_begin(gx_digest *d) {
    for (int i = 0; i < 8; i++) d->state.w[i] = (uint32_t)(roots64[i] >> 32);
}
static void sha224_begin(gx_digest *d) {
    for (int i = 0; i < 8; i++) d->state.w[i] = (uint32_t)roots64[i + 8];
}

static void sha512_begin(gx_digest *d) {
    memcpy(d->state.q, roots64, 8 * sizeof *roots64);
}
static void sha384_begin(gx_digest *d) {
    memcpy(d->state.q, roots64 + 8, 8 * sizeof *roots64);
}

/* One block, in words of 32 or 64 bits: FIRST and SECOND are the two sums of a round, LOW and HIGH
   those of the words that are made of the block's. */
#define SHA2_STEP(name, word, place, rounds, read, bytes, turn, CONSTANT, L1, L2, L3, H1, H2, H3,  \
                  E1, E2, E3, A1, A2, A3)                                                         \
    static void name(gx_digest *d, const uint8_t *p) {                                             \
        word w[rounds], *s = d->state.place, v[8];                                                 \
        for (int i = 0; i < 16; i++) w[i] = read(p + (bytes) * i);                                 \
        for (int i = 16; i < (rounds); i++) {                                                      \
            const word x = w[i - 15], y = w[i - 2];                                                \
            w[i] = w[i - 16] + w[i - 7] + (turn(x, L1) ^ turn(x, L2) ^ x >> (L3)) +                \
                   (turn(y, H1) ^ turn(y, H2) ^ y >> (H3));                                        \
        }                                                                                          \
        memcpy(v, s, sizeof v);                                                                    \
        for (int i = 0; i < (rounds); i++) {                                                       \
            const word one = v[7] + (turn(v[4], E1) ^ turn(v[4], E2) ^ turn(v[4], E3)) +           \
                             ((v[4] & v[5]) ^ (~v[4] & v[6])) + CONSTANT(cubes64[i]) + w[i];       \
            const word two = (turn(v[0], A1) ^ turn(v[0], A2) ^ turn(v[0], A3)) +                  \
                             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));                      \
            for (int k = 7; k > 0; k--) v[k] = v[k - 1];                                           \
            v[4] += one;                                                                           \
            v[0] = one + two;                                                                      \
        }                                                                                          \
        for (int k = 0; k < 8; k++) s[k] += v[k];                                                  \
    }
#define UPPER_HALF(x) (uint32_t)((x) >> 32)
#define WHOLE(x) (x)
SHA2_STEP(sha256_step, uint32_t, w, 64, big32, 4, right32, UPPER_HALF, 7, 18, 3, 17, 19, 10, 6, 11,
          25, 2, 13, 22)
SHA2_STEP(sha512_step, uint64_t, q, 80, big64, 8, right64, WHOLE, 1, 8, 7, 19, 61, 6, 14, 18, 41,
          28, 34, 39)

static void sha64_end(gx_digest *d, uint8_t *out, size_t n) {
    pad(d, 16, true);
    for (size_t i = 0; i < n / 8; i++) put_bytes(out + 8 * i, d->state.q[i], 8, true);
}

/* --- SHA-3 and SHAKE --- */

static void keccak(uint64_t *s) {
    for (int round = 0; round < 24; round++) {
        uint64_t column[5], moved = s[1];
        for (int x = 0; x < 5; x++) column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
        for (int x = 0; x < 5; x++)
            for (int y = 0; y < 25; y += 5)
                s[x + y] ^= column[(x + 4) % 5] ^ right64(column[(x + 1) % 5], 63);
        moved = s[1];
        for (int i = 0; i < 24; i++) {
            const uint64_t next = s[keccak_lanes[i]];
            s[keccak_lanes[i]] = right64(moved, -keccak_turns[i] & 63);
            moved = next;
        }
        for (int y = 0; y < 25; y += 5) {
            uint64_t row[5];
            memcpy(row, s + y, sizeof row);
            for (int x = 0; x < 5; x++) s[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
        s[0] ^= keccak_rounds[round];
    }
}

static void keccak_begin(gx_digest *d) {
    memset(&d->state, 0, sizeof d->state);
}

static void keccak_step(gx_digest *d, const uint8_t *p) {
    for (size_t i = 0; i < d->kind->block / 8u; i++) d->state.q[i] ^= little64(p + 8 * i);
    keccak(d->state.q);
}

static void keccak_end(gx_digest *d, uint8_t *out, size_t n) {
    const size_t block = d->kind->block;
    memset(d->block + d->filled, 0, block - d->filled);
    d->block[d->filled] = d->kind->bytes ? 0x06 : 0x1f;
    d->block[block - 1] |= 0x80;
    keccak_step(d, d->block);
    for (size_t i = 0; i < n; i++) {
        if (i && i % block == 0) keccak(d->state.q);
        out[i] = (uint8_t)(d->state.q[i % block / 8] >> 8 * (i % 8));
    }
}

/* --- BLAKE2 --- */

static void blake_begin(gx_digest *d) {
    uint8_t plain[64] = {(uint8_t)d->kind->bytes, 0, 1, 1};
    gx_digest_begin_blake(d, d->kind, plain, false);
}

static void mix64(uint64_t *v, int a, int b, int c, int e, uint64_t x, uint64_t y) {
    v[a] += v[b] + x;
    v[e] = right64(v[e] ^ v[a], 32);
    v[c] += v[e];
    v[b] = right64(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[e] = right64(v[e] ^ v[a], 16);
    v[c] += v[e];
    v[b] = right64(v[b] ^ v[c], 63);
}

static void mix32(uint32_t *v, int a, int b, int c, int e, uint32_t x, uint32_t y) {
    v[a] += v[b] + x;
    v[e] = right32(v[e] ^ v[a], 16);
    v[c] += v[e];
    v[b] = right32(v[b] ^ v[c], 12);
    v[a] += v[b] + y;
    v[e] = right32(v[e] ^ v[a], 8);
    v[c] += v[e];
    v[b] = right32(v[b] ^ v[c], 7);
}

#define BLAKE(mix)                                                                                 \
    for (int round = 0; round < rounds; round++) {                                                 \
        const uint8_t *o = blake_order[round % 10];                                                \
        for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[o[2 * i]], m[o[2 * i + 1]]); \
        for (int i = 0; i < 4; i++)                                                                \
            mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[o[8 + 2 * i]],         \
                m[o[9 + 2 * i]]);                                                                  \
    }

/* `total` bytes came in with this block; it is the last one. */
static void blake2b_block(gx_digest *d, const uint8_t *p, bool end) {
    enum { rounds = 12 };
    uint64_t v[16], m[16], *h = d->state.q;
    for (int i = 0; i < 16; i++) m[i] = little64(p + 8 * i);
    memcpy(v, h, 8 * sizeof *h);
    memcpy(v + 8, roots64, 8 * sizeof *roots64);
    v[12] ^= h[8];
    if (end) v[14] = ~v[14];
    if (end && d->last) v[15] = ~v[15];
    BLAKE(mix64)
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

static void blake2s_block(gx_digest *d, const uint8_t *p, bool end) {
    enum { rounds = 10 };
    uint32_t v[16], m[16], *h = d->state.w;
    const uint64_t count = d->state.q[8];
    for (int i = 0; i < 16; i++) m[i] = little32(p + 4 * i);
    memcpy(v, h, 8 * sizeof *h);
    for (int i = 0; i < 8; i++) v[8 + i] = (uint32_t)(roots64[i] >> 32);
    v[12] ^= (uint32_t)count;
    v[13] ^= (uint32_t)(count >> 32);
    if (end) v[14] = ~v[14];
    if (end && d->last) v[15] = ~v[15];
    BLAKE(mix32)
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}

static void blake2b_step(gx_digest *d, const uint8_t *p) {
    d->state.q[8] += d->kind->block;
    blake2b_block(d, p, false);
}
static void blake2s_step(gx_digest *d, const uint8_t *p) {
    d->state.q[8] += d->kind->block;
    blake2s_block(d, p, false);
}

static void blake_end(gx_digest *d, uint8_t *out, size_t n) {
    const bool wide = d->kind->block == 128;
    d->state.q[8] += d->filled;
    memset(d->block + d->filled, 0, d->kind->block - d->filled);
    (wide ? blake2b_block : blake2s_block)(d, d->block, true);
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(wide ? d->state.q[i / 8] >> 8 * (i % 8)
                                : d->state.w[i / 4] >> 8 * (i % 4));
}

void gx_digest_begin_blake(gx_digest *d, const gx_digest_kind *kind, const uint8_t *parameters,
                           bool last) {
    memset(d, 0, sizeof *d);
    d->kind = kind;
    d->last = last;
    d->size = parameters[0];
    for (int i = 0; i < 8; i++)
        if (kind->block == 128) d->state.q[i] = roots64[i] ^ little64(parameters + 8 * i);
        else d->state.w[i] = (uint32_t)(roots64[i] >> 32) ^ little32(parameters + 4 * i);
}

/* --- all of them --- */

const gx_digest_kind gx_digest_kinds[] = {
    {"md5", 64, 16, md5_begin, md5_step, md5_end},
    {"sha1", 64, 20, sha1_begin, sha1_step, sha32_end},
    {"sha224", 64, 28, sha224_begin, sha256_step, sha32_end},
    {"sha256", 64, 32, sha256_begin, sha256_step, sha32_end},
    {"sha384", 128, 48, sha384_begin, sha512_step, sha64_end},
    {"sha512", 128, 64, sha512_begin, sha512_step, sha64_end},
    {"sha3_224", 144, 28, keccak_begin, keccak_step, keccak_end},
    {"sha3_256", 136, 32, keccak_begin, keccak_step, keccak_end},
    {"sha3_384", 104, 48, keccak_begin, keccak_step, keccak_end},
    {"sha3_512", 72, 64, keccak_begin, keccak_step, keccak_end},
    {"shake_128", 168, 0, keccak_begin, keccak_step, keccak_end},
    {"shake_256", 136, 0, keccak_begin, keccak_step, keccak_end},
    {"blake2b", 128, 64, blake_begin, blake2b_step, blake_end},
    {"blake2s", 64, 32, blake_begin, blake2s_step, blake_end},
    {.name = NULL},
};

void gx_digest_begin(gx_digest *d, const gx_digest_kind *kind) {
    memset(d, 0, sizeof *d);
    d->kind = kind;
    kind->begin(d);
}

void gx_digest_add(gx_digest *d, const void *data, size_t n) {
    const uint8_t *p = data;
    const size_t block = d->kind->block;
    const bool keep = d->kind->end == blake_end; /* its last block is whole, if any is */
    d->total += n;
    while (n) {
        if (d->filled == block) {
            d->kind->step(d, d->block);
            d->filled = 0;
        }
        while (!d->filled && (keep ? n > block : n >= block)) {
            d->kind->step(d, p);
            p += block;
            n -= block;
        }
        const size_t part = n < block - d->filled ? n : block - d->filled;
        if (part) memcpy(d->block + d->filled, p, part);
        d->filled += part;
        p += part;
        n -= part;
        if (d->filled == block && !keep) {
            d->kind->step(d, d->block);
            d->filled = 0;
        }
    }
}

void gx_digest_get(const gx_digest *d, uint8_t *out, size_t n) {
    gx_digest copy = *d;
    copy.kind->end(&copy, out, n);
}
