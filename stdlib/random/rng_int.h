/* Random number generators: NumPy's (MT19937 for np.random.seed and RandomState, PCG64 for
   default_rng, and PCG64DXSM, SFC64 and Philox, which a script may choose), bit for bit, and the
   Philox stream of cp.random and the bare names, whose arrays stay pending. */
#ifndef GX_STDLIB_RANDOM_RNG_INT_H
#define GX_STDLIB_RANDOM_RNG_INT_H

#include "stdlib/numpy/base/scope.h"

/* GX_RNG_PHILOX is the pending stream, of 32-bit words; GX_RNG_PHILOX64 is NumPy's Philox. */
typedef enum gx_rng_kind {
    GX_RNG_PHILOX,
    GX_RNG_MT,
    GX_RNG_PCG,
    GX_RNG_DXSM,
    GX_RNG_SFC,
    GX_RNG_PHILOX64,
} gx_rng_kind;

typedef struct gx_rng {
    uint8_t kind;                           /* gx_rng_kind */
    bool seeded, has_gauss, has_word, wide; /* wide: the last Philox draw had 64-bit elements */
    bool legacy; /* who draws is np.random or a RandomState: the older algorithms */
    uint64_t seed, counter;                 /* Philox: the next element */
    uint32_t key[624];                      /* MT19937 */
    int position;                           /* in key, or in block */
    double gauss;                  /* RandomState: the second of a pair of normals */
    uint32_t word;                 /* the unused half of a draw of 64 bits */
    unsigned __int128 state, step; /* PCG64, PCG64DXSM */
    uint64_t lane[4];              /* SFC64's state; Philox's counter, the least first */
    uint64_t lock[2], block[4];    /* Philox: its key, and what the counter came to */
} gx_rng;

/* The generators of one context: the module functions'. */
struct gx_random {
    gx_rng own, numpy;
};

/* Makes a generator of a kind from a seed: an int, a sequence of ints, or None (the OS gives it).
   An MT19937 is seeded as np.random.seed does, or as a bit generator of today. */
GX_CHECK bool gx_rng_seed(gx_rt *rt, gx_rng *r, gx_rng_kind kind, bool legacy, gx_borrowed seed);
/* The same from the pool of a seed sequence. */
void gx_rng_seed_pool(gx_rng *r, gx_rng_kind kind, const uint32_t *pool, int size);
/* A seed's words of 32 bits, the least first, in memory of the scope. */
GX_CHECK bool gx_rng_words(gx_np *s, gx_borrowed seed, uint32_t **out, int64_t *n);
/* A seed sequence: n words of entropy mixed into a pool, and the words that come out of it. */
void gx_rng_mix(const uint32_t *entropy, int64_t n, uint32_t *pool, int size);
void gx_rng_generate(const uint32_t *pool, int size, uint32_t *out, int64_t count);
/* The generator behind the module functions of a namespace; seeded by the OS at first use. */
GX_CHECK bool gx_rng_global(gx_rt *rt, gx_namespace ns, gx_rng **out);

/* --- one draw (of NumPy's generators) -------------------------------------------------------- */

/* MT19937: begins from n words, n > 0. */
void gx_rng_twister_words(gx_rng *r, const uint32_t *w, int64_t n);
/* MT19937: the next 624 words. */
void gx_rng_refill(gx_rng *r);
/* PCG64DXSM, SFC64 and Philox: the next 64 bits; from words of a seed sequence, 8 of them. */
uint64_t gx_rng_next(gx_rng *r);
void gx_rng_init(gx_rng *r, const uint32_t *words);
/* As if delta numbers of 64 bits had been drawn: PCG64, PCG64DXSM; Philox counts in blocks. */
void gx_rng_advance(gx_rng *r, const uint64_t delta[4]);
/* So far ahead that two streams do not meet: PCG64, PCG64DXSM, Philox; n modulo the cycle. */
void gx_rng_jump(gx_rng *r, const uint64_t n[4]);
/* MT19937: n jumps of 2**128 words; false: interrupted. */
GX_CHECK bool gx_rng_jump_twister(gx_rt *rt, gx_rng *r, int64_t n);

static inline uint32_t gx_rng_twist(gx_rng *r) { /* MT19937 */
    if (r->position == 624) gx_rng_refill(r);
    uint32_t y = r->key[r->position++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
}

static inline void gx_rng_step(gx_rng *r) { /* PCG64 */
    const unsigned __int128 m =
        (unsigned __int128)UINT64_C(2549297995355413924) << 64 | UINT64_C(4865540595714422341);
    r->state = r->state * m + r->step;
}

static inline uint64_t gx_rng_permuted(gx_rng *r) { /* PCG64 */
    gx_rng_step(r);
    const uint64_t high = (uint64_t)(r->state >> 64), x = high ^ (uint64_t)r->state;
    const unsigned turn = (unsigned)(high >> 58);
    return x >> turn | x << (-turn & 63);
}

static inline uint64_t gx_rng_u64(gx_rng *r) {
    if (r->kind == GX_RNG_PCG) return gx_rng_permuted(r);
    if (r->kind != GX_RNG_MT) return gx_rng_next(r);
    const uint64_t high = gx_rng_twist(r);
    return high << 32 | gx_rng_twist(r);
}

static inline uint32_t gx_rng_u32(gx_rng *r) {
    if (r->kind == GX_RNG_MT) return gx_rng_twist(r);
    if (r->has_word) {
        r->has_word = false;
        return r->word;
    }
    const uint64_t v = gx_rng_u64(r);
    r->has_word = true;
    r->word = (uint32_t)(v >> 32);
    return (uint32_t)v;
}

static inline double gx_rng_double(gx_rng *r) { /* [0, 1) */
    if (r->kind != GX_RNG_MT) return (double)(gx_rng_u64(r) >> 11) * (1.0 / 9007199254740992.0);
    const uint32_t a = gx_rng_twist(r) >> 5, b = gx_rng_twist(r) >> 6;
    return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
}

double gx_rng_normal(gx_rng *r); /* legacy polar method, or the ziggurat */
float gx_rng_normal_single(gx_rng *r);
double gx_rng_exponential(gx_rng *r);
float gx_rng_exponential_single(gx_rng *r);
/* [0, 1) in 24 bits. */
static inline float gx_rng_float(gx_rng *r) {
    return (float)(gx_rng_u32(r) >> 8) * (1.0f / 16777216.0f);
}
/* 0 … range, by NumPy's method for this generator. */
uint64_t gx_rng_bounded(gx_rng *r, uint64_t range);

/* Arrays of draws; dtype float32 or float64. */
gx_array *gx_rng_uniforms(gx_np *s, gx_rng *r, gx_dtype d, int ndim, const int64_t *shape);
gx_array *gx_rng_normals(gx_np *s, gx_rng *r, gx_dtype d, int ndim, const int64_t *shape);
gx_array *gx_rng_exponentials(gx_np *s, gx_rng *r, int ndim, const int64_t *shape);
/* int64 in low … low + range. */
gx_array *gx_rng_integers(gx_np *s, gx_rng *r, int64_t low, uint64_t range, int ndim,
                          const int64_t *shape);
/* 0 … n-1 in random order. */
gx_array *gx_rng_permutation(gx_np *s, gx_rng *r, int64_t n);

#endif
