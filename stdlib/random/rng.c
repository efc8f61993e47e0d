/* Seeding, and the words of the Mersenne Twister. The algorithms are the published ones: Mersenne
   Twister (Matsumoto and Nishimura) and seed sequences (O'Neill). The generators of 64 bits are in
   rng_steps.c, jumps of the Twister in rng_jump.c, numbers of other kinds in rng_draw.c.
 */
#include <string.h>
#include <sys/random.h>

#include "stdlib/random/rng_int.h"

/* --- seed words --- */

typedef struct words {
    uint32_t *items; /* owned by a scope */
    int64_t count;
    bool wide; /* an item of a sequence took more than one word */
} words;

static bool push_u64(words *w, uint64_t v) {
    do {
        w->items[w->count++] = (uint32_t)v;
        v >>= 32;
    } while (v);
    return true;
}

static bool add_seed_int(gx_rt *rt, gx_borrowed v, words *w) {
    int64_t i;
    uint64_t big;
    if (v.tag == GX_BIGINT) {
        gx_bigint *b = (gx_bigint *)v.obj;
        if (b->negative || b->count > 64)
            return gx_fail(rt, GX_ValueError, "random.seed", "expected non-negative integer");
        if (b->count <= 2 && gx_bigint_u64(v, &big)) return push_u64(w, big);
        memcpy(w->items + w->count, b->digits, b->count * sizeof(uint32_t));
        w->count += b->count;
        return true;
    }
    gx_try is = gx_as_index(rt, v, &i);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "random.seed",
                       "a seed is None, a non-negative integer or a sequence of them, not %s",
                       gx_type_name(v));
    if (i < 0) return gx_fail(rt, GX_ValueError, "random.seed", "expected non-negative integer");
    return push_u64(w, (uint64_t)i);
}

/* The seed as 32-bit words, least first; *one: it is a single int. */
static bool seed_words(gx_np *s, gx_borrowed seed, words *w, bool *one) {
    gx_rt *rt = s->rt;
    *w = (words){.items = gx_np_scratch(s, 80 * sizeof(uint32_t))};
    *one = false;
    if (!w->items) return false;
    if (seed.tag == GX_NONE || seed.tag == GX_UNDEF) {
        w->count = 4;
        if (getrandom(w->items, 16, 0) != 16)
            return gx_fail(rt, GX_OSError, "random.entropy", "the system gives no random numbers");
        return true;
    }
    if (seed.tag != GX_LIST && seed.tag != GX_TUPLE && !gx_is_array(seed)) {
        *one = true;
        return add_seed_int(rt, seed, w);
    }
    gx_value t;
    if (!gx_tuple_of(rt, seed, &t) || !gx_np_hold(s, t)) return false;
    gx_tuple *items = gx_as_tuple(t);
    w->items = gx_np_scratch(s, (size_t)(items->count * 66 + 1) * sizeof(uint32_t));
    if (!w->items) return false;
    for (int64_t i = 0; i < items->count; i++) {
        const int64_t before = w->count;
        if (!add_seed_int(rt, items->items[i], w)) return false;
        w->wide = w->wide || w->count > before + 1;
    }
    return true;
}

/* --- Mersenne Twister --- */

static void mt_init(gx_rng *r, uint32_t seed) {
    for (int i = 0; i < 624; i++) {
        r->key[i] = seed;
        seed = 1812433253U * (seed ^ seed >> 30) + (uint32_t)i + 1;
    }
    r->position = 624;
}

void gx_rng_twister_words(gx_rng *r, const uint32_t *w, int64_t n) {
    int i = 1;
    int64_t j = 0, k = n > 624 ? n : 624;
    mt_init(r, 19650218U);
    for (; k; k--) {
        uint32_t p = r->key[i - 1];
        r->key[i] = (r->key[i] ^ (p ^ p >> 30) * 1664525U) + w[j] + (uint32_t)j;
        if (++i == 624) {
            r->key[0] = r->key[623];
            i = 1;
        }
        if (++j == n) j = 0;
    }
    for (k = 623; k; k--) {
        uint32_t p = r->key[i - 1];
        r->key[i] = (r->key[i] ^ (p ^ p >> 30) * 1566083941U) - (uint32_t)i;
        if (++i == 624) {
            r->key[0] = r->key[623];
            i = 1;
        }
    }
    r->key[0] = 0x80000000U;
    r->position = 624;
}

static uint32_t mt_mixed(uint32_t high, uint32_t low) {
    uint32_t y = (high & 0x80000000U) | (low & 0x7fffffffU);
    return y >> 1 ^ (-(y & 1) & 0x9908b0dfU);
}

void gx_rng_refill(gx_rng *r) {
    uint32_t *k = r->key;
    for (int i = 0; i < 227; i++) k[i] = k[i + 397] ^ mt_mixed(k[i], k[i + 1]);
    for (int i = 227; i < 623; i++) k[i] = k[i - 227] ^ mt_mixed(k[i], k[i + 1]);
    k[623] = k[396] ^ mt_mixed(k[623], k[0]);
    r->position = 0;
}

/* --- seed sequences --- */

static uint32_t hash_mix(uint32_t v, uint32_t *constant) {
    v ^= *constant;
    *constant *= 0x931e8875U;
    v *= *constant;
    return v ^ v >> 16;
}

static uint32_t mix(uint32_t x, uint32_t y) {
    uint32_t v = 0xca01f9ddU * x - 0x4973f715U * y;
    return v ^ v >> 16;
}

void gx_rng_mix(const uint32_t *entropy, int64_t n, uint32_t *pool, int size) {
    uint32_t constant = 0x43b0d7e5U;
    for (int i = 0; i < size; i++) pool[i] = hash_mix(i < n ? entropy[i] : 0, &constant);
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++)
            if (from != to) pool[to] = mix(pool[to], hash_mix(pool[from], &constant));
    for (int64_t from = size; from < n; from++)
        for (int to = 0; to < size; to++)
            pool[to] = mix(pool[to], hash_mix(entropy[from], &constant));
}

void gx_rng_generate(const uint32_t *pool, int size, uint32_t *out, int64_t count) {
    uint32_t constant = 0x8b51f9ddU;
    for (int64_t i = 0; i < count; i++) {
        uint32_t v = pool[i % size] ^ constant;
        constant *= 0x58f38dedU;
        v *= constant;
        out[i] = v ^ v >> 16;
    }
}

static void seed_sequence(const uint32_t *entropy, int64_t n, uint32_t *out, int count) {
    uint32_t pool[4];
    gx_rng_mix(entropy, n, pool, 4);
    gx_rng_generate(pool, 4, out, count);
}

/* --- the generators --- */

bool gx_rng_seed(gx_rt *rt, gx_rng *r, gx_rng_kind kind, bool legacy, gx_borrowed seed) {
    gx_np s = gx_np_begin_at(rt, GX_NS_NUMPY);
    words w;
    bool one;
    if (!seed_words(&s, seed, &w, &one)) return gx_np_end(&s, false);
    if (kind == GX_RNG_MT && legacy && (one ? w.count > 1 : w.wide))
        return gx_np_end(
            &s, gx_fail(rt, GX_ValueError, "random.seed", "Seed must be between 0 and 2**32 - 1"));
    if (w.count == 0 && legacy)
        return gx_np_end(&s, gx_fail(rt, GX_ValueError, "random.seed", "Seed must be non-empty"));
    memset(r, 0, sizeof *r);
    r->kind = (uint8_t)kind;
    r->seeded = true;
    r->legacy = legacy;
    switch (kind) {
    case GX_RNG_PHILOX: {
        uint32_t mixed[2] = {w.count ? w.items[0] : 0, w.count > 1 ? w.items[1] : 0};
        if (w.count > 2) seed_sequence(w.items, w.count, mixed, 2);
        r->seed = mixed[0] | (uint64_t)mixed[1] << 32;
        break;
    }
    case GX_RNG_MT:
        if (!legacy) {
            seed_sequence(w.items, w.count, r->key, 624);
            r->key[0] = 0x80000000U;
            r->position = 623;
        } else if (one)
            mt_init(r, w.items[0]);
        else
            gx_rng_twister_words(r, w.items, w.count);
        break;
    case GX_RNG_PCG:
    case GX_RNG_DXSM:
    case GX_RNG_SFC:
    case GX_RNG_PHILOX64: {
        uint32_t mixed[8];
        seed_sequence(w.items, w.count, mixed, 8);
        gx_rng_init(r, mixed);
        break;
    }
    }
    return gx_np_end(&s, true);
}

void gx_rng_seed_pool(gx_rng *r, gx_rng_kind kind, const uint32_t *pool, int size) {
    uint32_t w[8];
    memset(r, 0, sizeof *r);
    r->kind = (uint8_t)kind;
    r->seeded = true;
    if (kind == GX_RNG_MT) {
        gx_rng_generate(pool, size, r->key, 624);
        r->key[0] = 0x80000000U;
        r->position = 623;
        return;
    }
    gx_rng_generate(pool, size, w, 8);
    r->seed = w[0] | (uint64_t)w[1] << 32;
    if (kind != GX_RNG_PHILOX) gx_rng_init(r, w);
}

bool gx_rng_words(gx_np *s, gx_borrowed seed, uint32_t **out, int64_t *n) {
    words w;
    bool one;
    if (!seed_words(s, seed, &w, &one)) return false;
    *out = w.items;
    *n = w.count;
    return true;
}

bool gx_rng_global(gx_rt *rt, gx_namespace ns, gx_rng **out) {
    if (!rt->random) {
        rt->random = gx_alloc_zero(rt, sizeof *rt->random);
        if (!rt->random) return false;
    }
    bool numpy = ns == GX_NS_NUMPY;
    gx_rng *r = numpy ? &rt->random->numpy : &rt->random->own;
    *out = r;
    return r->seeded || gx_rng_seed(rt, r, numpy ? GX_RNG_MT : GX_RNG_PHILOX, true, gx_none());
}
