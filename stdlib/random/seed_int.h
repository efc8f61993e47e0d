/* Seed sequences, for the files of random. */
#ifndef GX_STDLIB_RANDOM_SEED_INT_H
#define GX_STDLIB_RANDOM_SEED_INT_H

#include "runtime/object/container/dict.h"
#include "stdlib/random/rng_int.h"

typedef struct gx_np_seed {
    gx_obj obj;
    gx_value entropy, spawn_key; /* owned: an int or a sequence of them; a tuple */
    uint32_t *pool;              /* owned: pool_size words */
    int pool_size;
    int64_t children;
} gx_np_seed;

extern const gx_type gx_type_np_seed;
/* The seed sequence that v is, or NULL. */
gx_np_seed *gx_np_seed_of(gx_borrowed v);
/* From entropy; None: from what the system gives. */
GX_CHECK bool gx_np_seed_new(gx_rt *rt, gx_borrowed entropy, gx_value *out);
/* Its first n words. */
void gx_np_seed_words(const gx_np_seed *q, uint32_t *out, int64_t n);
/* Its next child. */
GX_CHECK bool gx_np_seed_child(gx_rt *rt, gx_np_seed *q, gx_value *out);
/* Numbers of 128 bits as Python's ints. */
GX_CHECK bool gx_np_from_u128(gx_rt *rt, unsigned __int128 x, gx_value *out);
GX_CHECK bool gx_np_to_u128(gx_rt *rt, gx_borrowed v, unsigned __int128 *out);

#endif
