/* The stream of one element of an array: what it draws depends on the seed and its number alone, so
   that a GPU and the host draw the same, in any order (kernels/each_side.h, kernels/philox.h). Its
   blocks have counters that no block of an array's stream has: from 2^63 on. */

#define STREAM counted
typedef struct counted {
    uint64_t seed, element, block; /* the next one */
    double left;                   /* the second number of a block, if has_left */
    bool has_left;
} counted;

/* 53 bits in [0, 1). */
GX_EACH_FN double counted_part(const gx_philox_u32 *words) {
    return gx_philox_exact(((uint64_t)words[1] << 32 | words[0]) >> 11) * 0x1p-53;
}

GX_EACH_FN void counted_block(counted *r, gx_philox_u32 *words) {
    gx_philox_block(r->seed, r->block++, r->element | (uint64_t)1 << 63, words);
}

GX_EACH_CALLED double stream_double(counted *r) {
    gx_philox_u32 words[4];
    r->has_left = !r->has_left;
    if (!r->has_left) return r->left;
    counted_block(r, words);
    r->left = counted_part(words + 2);
    return counted_part(words);
}

GX_EACH_CALLED double stream_normal(counted *r) {
    gx_philox_u32 words[4];
    double one, other;
    counted_block(r, words);
    gx_philox_normal64(1 - counted_part(words), counted_part(words + 2), &one, &other);
    return one;
}

GX_EACH_CALLED double stream_exponential(counted *r) {
    return -gx_philox_log(1 - stream_double(r));
}

/* Bits below the highest of range, until they are no more than it. */
GX_EACH_CALLED uint64_t stream_masked(counted *r, uint64_t range) {
    uint64_t mask = range, v;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    do {
        gx_philox_u32 words[4];
        counted_block(r, words);
        v = ((uint64_t)words[1] << 32 | words[0]) & mask;
    } while (v > range);
    return v;
}

GX_EACH_FN bool stream_is_old(const counted *r) {
    (void)r;
    return false;
}
