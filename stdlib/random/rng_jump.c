/* Jumps of the Mersenne Twister: 2**128 words at once, for streams that do not meet. Going one word
   on is a linear map over the field of two elements whose characteristic polynomial is known
   (Matsumoto and Nishimura, 1998, appendix B). So 2**128 words on is t**(2**128) modulo it, a
   polynomial that 128 squarings give, applied to the state by Horner's rule. */
#include <string.h>

#include "stdlib/random/rng_int.h"

enum { WORDS = 624, AHEAD = 397, DEGREE = 19937, LIMBS = 312, MOST_TERMS = 600 };

/* --- polynomials over two elements, their bits in limbs of 64 --- */

static void flip(uint64_t *p, int bit) {
    p[bit / 64] ^= UINT64_C(1) << bit % 64;
}

static bool has(const uint64_t *p, int bit) {
    return p[bit / 64] >> bit % 64 & 1;
}

/* The 64 bits from a place on. */
static uint64_t bits_at(const uint64_t *p, int at) {
    const int turn = at % 64;
    return p[at / 64] >> turn | (turn ? p[at / 64 + 1] << (64 - turn) : 0);
}

static void flip_bits(uint64_t *p, int at, uint64_t bits) {
    const int turn = at % 64;
    p[at / 64] ^= bits << turn;
    if (turn) p[at / 64 + 1] ^= bits >> (64 - turn);
}

/* p += v**k, or u v**k, where u = t**624 + t**397 = t v: a binomial of k is odd where k has the
   lower number's bits. */
static void add_power(uint64_t *p, int k, bool times_u) {
    for (int j = 0; j <= k; j++)
        if ((j & ~k) == 0) {
            const int power = (AHEAD - 1) * k + (WORDS - AHEAD) * j;
            if (!times_u) {
                flip(p, power);
                continue;
            }
            flip(p, power + WORDS);
            flip(p, power + AHEAD);
        }
}

/* The exponents of the characteristic polynomial below DEGREE; how many. */
static int characteristic(int *terms) {
    const uint32_t twist = 0x9908b0dfU;
    uint64_t p[LIMBS + 1] = {0};
    int n = 0;
    add_power(p, 31, true);
    for (int i = 0; i < 31; i++)
        if (twist >> i & 1) add_power(p, 30 - i, true);
    add_power(p, 0, false);
    for (int i = 0; i < DEGREE && n < MOST_TERMS; i++)
        if (has(p, i)) terms[n++] = i;
    return n;
}

/* p = p * p: its bits stand apart, then 64 at a time what is too high is replaced by the rest of
   the characteristic polynomial, which begins 227 powers below. */
static void square(uint64_t *p, const int *terms, int n) {
    uint64_t wide[2 * LIMBS + 2] = {0};
    for (int i = 0; i < DEGREE; i++)
        if (has(p, i)) flip(wide, 2 * i);
    for (int k = LIMBS - 1; k >= 0; k--) {
        const uint64_t high = bits_at(wide, DEGREE + 64 * k);
        if (!high) continue;
        flip_bits(wide, DEGREE + 64 * k, high);
        for (int i = 0; i < n; i++) flip_bits(wide, terms[i] + 64 * k, high);
    }
    memcpy(p, wide, LIMBS * sizeof *p);
}

/* --- the state --- */

/* One word on, in place: the oldest word, at the position, is replaced. */
static void go_on(gx_rng *r) {
    const int i = r->position, next = i + 1 < WORDS ? i + 1 : 0;
    const uint32_t y = (r->key[i] & 0x80000000U) | (r->key[next] & 0x7fffffffU);
    r->key[i] = r->key[(i + AHEAD) % WORDS] ^ y >> 1 ^ (-(y & 1) & 0x9908b0dfU);
    r->position = next;
}

static void add_state(gx_rng *r, const gx_rng *from) {
    const int turn = from->position - r->position + WORDS;
    for (int i = 0; i < WORDS; i++) r->key[i] ^= from->key[(i + turn) % WORDS];
}

static void jump(gx_rng *r, const uint64_t *p) {
    int top = DEGREE - 1;
    while (top > 0 && !has(p, top)) top--;
    if (r->position >= WORDS) r->position = 0;
    const gx_rng from = *r;
    for (int i = top - 1; i >= 0; i--) {
        go_on(r);
        if (has(p, i)) add_state(r, &from);
    }
}

bool gx_rng_jump_twister(gx_rt *rt, gx_rng *r, int64_t n) {
    int terms[MOST_TERMS];
    uint64_t p[LIMBS + 1] = {2}; /* t */
    if (n <= 0) return true;
    const int count = characteristic(terms);
    for (int i = 0; i < 128; i++) square(p, terms, count);
    for (; n > 0; n--) {
        if (gx_must_stop(rt) && !gx_stop(rt)) return false;
        jump(r, p);
    }
    return true;
}
