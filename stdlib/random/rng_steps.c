/* Generators of 64 bits at a time: PCG64 and PCG64DXSM (O'Neill), SFC64 (Doty-Humphrey) and Philox
   4x64 of ten rounds (Salmon, Moraes, Dror, Shaw): beginnings, steps, and leaps ahead. The steps of
   PCG64 itself are inline in the header. All of them are NumPy's, bit for bit. */
#include <string.h>

#include "stdlib/random/rng_int.h"

typedef unsigned __int128 u128;

static u128 pair(uint64_t high, uint64_t low) {
    return (u128)high << 64 | low;
}

static uint64_t turned(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

/* --- PCG64 and PCG64DXSM --- */

static u128 factor_of(gx_rng_kind kind) {
    return kind == GX_RNG_PCG ? pair(UINT64_C(2549297995355413924), UINT64_C(4865540595714422341))
                              : UINT64_C(0xda942042e4dd58b5);
}

static uint64_t next_dxsm(gx_rng *r) {
    uint64_t high = (uint64_t)(r->state >> 64);
    const uint64_t low = (uint64_t)r->state | 1, by = UINT64_C(0xda942042e4dd58b5);
    high ^= high >> 32;
    high *= by;
    high ^= high >> 48;
    r->state = r->state * by + r->step;
    return high * low;
}

/* delta steps at once: the step's square, the square's square and so on. */
static void leap(gx_rng *r, u128 delta) {
    u128 times = 1, plus = 0, step = r->step, by = factor_of((gx_rng_kind)r->kind);
    for (; delta; delta >>= 1) {
        if (delta & 1) {
            times *= by;
            plus = plus * by + step;
        }
        step *= by + 1;
        by *= by;
    }
    r->state = times * r->state + plus;
}

/* Both begin by PCG64's factor. */
static void begin_pcg(gx_rng *r, const uint64_t *q) {
    const u128 by = factor_of(GX_RNG_PCG);
    r->step = pair(q[2], q[3]) << 1 | 1;
    r->state = (r->step + pair(q[0], q[1])) * by + r->step;
}

/* --- SFC64 --- */

static uint64_t next_sfc(uint64_t *s) {
    const uint64_t sum = s[0] + s[1] + s[3]++;
    s[0] = s[1] ^ s[1] >> 11;
    s[1] = s[2] + (s[2] << 3);
    s[2] = turned(s[2], 24) + sum;
    return sum;
}

static void begin_sfc(gx_rng *r, const uint64_t *q) {
    memcpy(r->lane, q, 3 * sizeof *q);
    r->lane[3] = 1;
    for (int i = 0; i < 12; i++) next_sfc(r->lane);
}

/* --- Philox --- */

/* The counter, a number of 256 bits, plus another. */
static void count_on(uint64_t *counter, const uint64_t *by) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; i++) {
        const u128 sum = (u128)counter[i] + by[i] + carry;
        counter[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

static inline void mixed(uint64_t c[4], uint64_t k0, uint64_t k1) {
    const u128 a = (u128)UINT64_C(0xd2e7470ee14c6c93) * c[0];
    const u128 b = (u128)UINT64_C(0xca5a826395121157) * c[2];
    c[0] = (uint64_t)(b >> 64) ^ c[1] ^ k0;
    c[1] = (uint64_t)b;
    c[2] = (uint64_t)(a >> 64) ^ c[3] ^ k1;
    c[3] = (uint64_t)a;
}

/* Ten rounds, two at a time, so that their numbers stay in registers. */
static void cipher(gx_rng *r) {
    const uint64_t w0 = UINT64_C(0x9e3779b97f4a7c15), w1 = UINT64_C(0xbb67ae8584caa73b);
    uint64_t c[4] = {r->lane[0], r->lane[1], r->lane[2], r->lane[3]};
    uint64_t k0 = r->lock[0], k1 = r->lock[1];
    for (int pair_of_rounds = 0; pair_of_rounds < 5; pair_of_rounds++) {
        mixed(c, k0, k1);
        mixed(c, k0 + w0, k1 + w1);
        k0 += 2 * w0;
        k1 += 2 * w1;
    }
    for (int i = 0; i < 4; i++) r->block[i] = c[i];
}

static uint64_t next_philox(gx_rng *r) {
    if (r->position >= 4) {
        for (int i = 0; i < 4 && ++r->lane[i] == 0; i++) continue;
        cipher(r);
        r->position = 0;
    }
    return r->block[r->position++];
}

/* --- all of them --- */

void gx_rng_init(gx_rng *r, const uint32_t *words) {
    uint64_t q[4];
    for (int i = 0; i < 4; i++) q[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    if (r->kind == GX_RNG_SFC)
        begin_sfc(r, q);
    else if (r->kind == GX_RNG_PHILOX64) {
        memcpy(r->lock, q, sizeof r->lock);
        r->position = 4;
    } else
        begin_pcg(r, q);
}

uint64_t gx_rng_next(gx_rng *r) {
    if (r->kind == GX_RNG_SFC) return next_sfc(r->lane);
    return r->kind == GX_RNG_DXSM ? next_dxsm(r) : next_philox(r);
}

void gx_rng_advance(gx_rng *r, const uint64_t delta[4]) {
    if (r->kind == GX_RNG_PHILOX64) {
        count_on(r->lane, delta);
        memset(r->block, 0, sizeof r->block);
        r->position = 4;
    } else
        leap(r, pair(delta[1], delta[0]));
    r->has_word = false;
    r->word = 0;
}

/* Philox: half of the counter's bits; the others: the golden ratio's part of the whole cycle. */
void gx_rng_jump(gx_rng *r, const uint64_t n[4]) {
    const u128 golden = pair(UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xf39cc0605cedc835));
    const u128 far = pair(n[1], n[0]) * golden;
    const uint64_t by[4] = {(uint64_t)far, (uint64_t)(far >> 64), 0, 0};
    const uint64_t blocks[4] = {0, 0, n[0], n[1]};
    gx_rng_advance(r, r->kind == GX_RNG_PHILOX64 ? blocks : by);
}
