/* Random number generators: NumPy's two (MT19937 for np.random.seed and RandomState, PCG64 for
   default_rng), bit for bit, and the Philox stream of cp.random and the bare names, whose arrays
   stay pending. */
#ifndef GX_STDLIB_NP_RNG_INT_H
#define GX_STDLIB_NP_RNG_INT_H

#include "stdlib/np_int.h"

typedef enum gx_rng_kind { GX_RNG_PHILOX, GX_RNG_MT, GX_RNG_PCG } gx_rng_kind;

typedef struct gx_rng {
    uint8_t kind;                           /* gx_rng_kind */
    bool seeded, has_gauss, has_word, wide; /* wide: the last Philox draw had 64-bit elements */
    bool legacy; /* who draws is np.random or a RandomState: the older algorithms */
    uint64_t seed, counter;                 /* Philox: the next element */
    uint32_t key[624];                      /* MT19937 */
    int position;
    double gauss;                  /* MT19937: the second of a pair of normals */
    uint32_t word;                 /* PCG64: the unused half of a draw */
    unsigned __int128 state, step; /* PCG64 */
} gx_rng;

/* The generators of one context: the module functions'. */
struct gx_random {
    gx_rng own, numpy;
};

/* Makes a generator of a kind from a seed: an int, a sequence of ints, or None (the OS gives it).
   An MT19937 is seeded as np.random.seed does, or as a bit generator of today. */
GX_CHECK bool gx_rng_seed(gx_rt *rt, gx_rng *r, gx_rng_kind kind, bool legacy, gx_borrowed seed);
/* The generator behind the module functions of a door; seeded by the OS at first use. */
GX_CHECK bool gx_rng_global(gx_rt *rt, gx_door door, gx_rng **out);

/* One draw (MT19937 and PCG64). */
uint32_t gx_rng_u32(gx_rng *r);
uint64_t gx_rng_u64(gx_rng *r);
double gx_rng_double(gx_rng *r); /* [0, 1) */
double gx_rng_normal(gx_rng *r); /* legacy polar method, or the ziggurat */
float gx_rng_normal_single(gx_rng *r);
double gx_rng_exponential(gx_rng *r);
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
