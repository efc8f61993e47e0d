/* The objects of random that hold a stream: what default_rng and RandomState give, and NumPy's five
   bit generators, from which a Generator or a RandomState may draw. */
#include <string.h>

#include "stdlib/random/random_int.h"
#include "stdlib/random/seed_int.h"

static void generator_free(gx_rt *rt, gx_obj *o) {
    gx_drop(((gx_np_generator *)o)->source);
    gx_drop(((gx_np_generator *)o)->seq);
    gx_free(rt, o);
}

const char *gx_rng_name(const gx_rng *r) {
    static const char *const names[] = {"Philox",    "MT19937", "PCG64",
                                        "PCG64DXSM", "SFC64",   "Philox"};
    return names[r->kind];
}

const gx_type *gx_np_bits_type(gx_rng_kind kind) {
    switch (kind) {
    case GX_RNG_MT:
        return &gx_type_np_mt19937;
    case GX_RNG_DXSM:
        return &gx_type_np_dxsm;
    case GX_RNG_SFC:
        return &gx_type_np_sfc64;
    case GX_RNG_PHILOX64:
        return &gx_type_np_philox;
    case GX_RNG_PHILOX:
    case GX_RNG_PCG:
        break;
    }
    return &gx_type_np_pcg64;
}

static bool generator_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const char *type = v.obj->type == &gx_type_random_generator ? "Generator" : "RandomState";
    return gx_buf_printf(out, "%s(%s)", type,
                         gx_rng_name(gx_np_generator_rng(gx_np_generator_of(v))));
}

static bool bits_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<numpy.random.%s>", gx_rng_name(&((gx_np_generator *)v.obj)->rng));
}

gx_np_generator *gx_np_generator_of(gx_borrowed v) {
    if (v.tag != GX_OBJECT) return NULL;
    bool is = v.obj->type == &gx_type_random_generator || v.obj->type == &gx_type_np_randomstate;
    return is ? (gx_np_generator *)v.obj : NULL;
}

static gx_np_generator *bits_of(gx_borrowed v) {
    if (v.tag != GX_OBJECT) return NULL;
    return v.obj->type->base == &gx_type_np_bits ? (gx_np_generator *)v.obj : NULL;
}

gx_rng *gx_np_generator_rng(gx_np_generator *g) {
    return g->source.tag == GX_OBJECT ? &((gx_np_generator *)g->source.obj)->rng : &g->rng;
}

/* By a seed sequence, its own or one made from the seed; a RandomState as np.random.seed does. A
   Philox stream begins where it always began for a number. */
static bool seeded(gx_rt *rt, gx_np_generator *g, gx_rng_kind kind, gx_borrowed seed) {
    if (g->obj.type == &gx_type_np_randomstate) return gx_rng_seed(rt, &g->rng, kind, true, seed);
    const bool given = gx_np_seed_of(seed) != NULL;
    if (given)
        g->seq = gx_keep(seed);
    else if (!gx_np_seed_new(rt, seed, &g->seq))
        return false;
    const gx_np_seed *q = gx_np_seed_of(g->seq);
    if (kind == GX_RNG_PHILOX && !given) return gx_rng_seed(rt, &g->rng, kind, false, q->entropy);
    gx_rng_seed_pool(&g->rng, kind, q->pool, q->pool_size);
    return true;
}

bool gx_np_generator_new(gx_rt *rt, const gx_type *type, gx_rng_kind kind, gx_namespace ns,
                         gx_borrowed seed, gx_value *out) {
    gx_np_generator *g = gx_obj_new(rt, type, sizeof *g);
    if (!g) return false;
    g->ns = ns;
    g->source = g->seq = gx_undef();
    if (bits_of(seed))
        g->source = gx_keep(seed);
    else if (!seeded(rt, g, kind, seed)) {
        gx_obj_drop(&g->obj);
        return false;
    }
    *out = gx_object(&g->obj);
    return true;
}

static bool make_randomstate(gx_call *c, gx_value *out) {
    gx_rng_kind kind = c->ns == GX_NS_NUMPY ? GX_RNG_MT : GX_RNG_PHILOX;
    return gx_np_generator_new(c->rt, &gx_type_np_randomstate, kind, c->ns, c->argv[0], out);
}

static bool make_generator(gx_call *c, gx_value *out) {
    if (c->argv[0].tag == GX_TYPE && c->argv[0].type->base == &gx_type_np_bits)
        return gx_fail(c->rt, GX_ValueError, "random.bits",
                       "Invalid bit generator. The bit generator must be instantiated.");
    if (!bits_of(c->argv[0])) return gx_arg_wrong(c, 0, "a bit generator, such as PCG64(seed)");
    return gx_np_generator_new(c->rt, &gx_type_random_generator, GX_RNG_PCG, c->ns, c->argv[0],
                               out);
}

/* --- bit generators --- */

static bool make_bits(gx_call *c, gx_value *out) {
    gx_fail(c->rt, GX_NotImplementedError, "random.bits",
            "BitGenerator is a base class and cannot be instantized");
    gx_help(c->rt, "PCG64(seed) is the bit generator of default_rng");
    (void)out;
    return false;
}

/* A seed or a seed sequence; what a bit generator was made from is not shared. */
static bool make_seeded(gx_call *c, const gx_type *type, gx_rng_kind kind, gx_value *out) {
    if (bits_of(c->argv[0]) || gx_np_generator_of(c->argv[0]))
        return gx_arg_wrong(c, 0, "None, an integer, a sequence of them or a SeedSequence");
    return gx_np_generator_new(c->rt, type, kind, c->ns, c->argv[0], out);
}

static bool make_pcg64(gx_call *c, gx_value *out) {
    return make_seeded(c, &gx_type_np_pcg64, GX_RNG_PCG, out);
}

static bool make_dxsm(gx_call *c, gx_value *out) {
    return make_seeded(c, &gx_type_np_dxsm, GX_RNG_DXSM, out);
}

static bool make_mt19937(gx_call *c, gx_value *out) {
    return make_seeded(c, &gx_type_np_mt19937, GX_RNG_MT, out);
}

static bool make_sfc64(gx_call *c, gx_value *out) {
    return make_seeded(c, &gx_type_np_sfc64, GX_RNG_SFC, out);
}

/* An int below 2**(64 n), or an array of n words. */
static bool words_arg(gx_call *c, int i, int n, uint64_t *to) {
    const gx_borrowed v = c->argv[i];
    const char *name = i == 1 ? "counter" : "key";
    gx_np s = gx_np_begin_at(c->rt, GX_NS_NUMPY);
    if (v.tag == GX_LIST || v.tag == GX_TUPLE || (gx_is_array(v) && gx_as_array(v)->ndim)) {
        gx_array *a = gx_np_contiguous(&s, gx_np_arr_as(&s, v, GX_u64));
        const uint64_t *from = gx_np_data(&s, a);
        if (!from) return gx_np_end(&s, false);
        if (a->ndim != 1 || a->count != n)
            return gx_np_end(&s,
                             gx_fail(c->rt, GX_ValueError, "random.words",
                                     "%s must have %d elements when using array form", name, n));
        memcpy(to, from, (size_t)n * sizeof *to);
        return gx_np_end(&s, true);
    }
    uint32_t *w;
    int64_t count, small;
    bool fits = v.tag != GX_BIGINT || !((const gx_bigint *)v.obj)->negative;
    if (v.tag != GX_BIGINT) {
        if (!gx_arg_int(c, i, &small)) return gx_np_end(&s, false);
        fits = small >= 0;
    } else if (((const gx_bigint *)v.obj)->count > (uint32_t)(2 * n))
        fits = false;
    if (!fits)
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "random.words",
                                     "%s must be positive and less than 2**%d.", name, 64 * n));
    if (!gx_rng_words(&s, v, &w, &count)) return gx_np_end(&s, false);
    memset(to, 0, (size_t)n * sizeof *to);
    for (int64_t k = 0; k < count; k++) to[k / 2] |= (uint64_t)w[k] << 32 * (k % 2);
    return gx_np_end(&s, true);
}

/* A key stands in place of a seed, and then there is no seed sequence. */
static bool make_philox(gx_call *c, gx_value *out) {
    const bool keyed = gx_arg_some(c, 2);
    uint64_t counter[4] = {0}, key[2] = {0};
    gx_value v;
    if (keyed && gx_arg_some(c, 0))
        return gx_fail(c->rt, GX_ValueError, "random.key", "seed and key cannot be both used");
    if ((gx_arg_some(c, 1) && !words_arg(c, 1, 4, counter)) ||
        (keyed && !words_arg(c, 2, 2, key)) ||
        !make_seeded(c, &gx_type_np_philox, GX_RNG_PHILOX64, &v))
        return false;
    gx_np_generator *g = bits_of(v);
    memcpy(g->rng.lane, counter, sizeof counter);
    if (keyed) {
        memcpy(g->rng.lock, key, sizeof key);
        gx_drop(g->seq);
        g->seq = gx_undef();
    }
    *out = v;
    return true;
}

static const gx_native randomstate_row = {"RandomState",
                                          "RandomState(seed=None)",
                                          "A generator with the functions of np.random.",
                                          NULL,
                                          make_randomstate,
                                          0,
                                          0};
static const gx_native generator_row = {"Generator",
                                        "Generator(bit_generator)",
                                        "A generator that draws from a bit generator.",
                                        NULL,
                                        make_generator,
                                        0,
                                        0};
static const gx_native bits_row = {"BitGenerator",
                                   "BitGenerator(seed=None)",
                                   "What all bit generators are.",
                                   NULL,
                                   make_bits,
                                   0,
                                   0};
static const gx_native pcg64_row = {"PCG64",
                                    "PCG64(seed=None)",
                                    "The bit generator of default_rng.",
                                    "np.random.PCG64(1).random_raw()  # 9441442522235856127",
                                    make_pcg64,
                                    0,
                                    0};
static const gx_native dxsm_row = {"PCG64DXSM",
                                   "PCG64DXSM(seed=None)",
                                   "PCG64 with stronger output.",
                                   "np.random.PCG64DXSM(1).random_raw()  # 5001773312344742047",
                                   make_dxsm,
                                   0,
                                   0};
static const gx_native mt19937_row = {"MT19937",
                                      "MT19937(seed=None)",
                                      "The Mersenne Twister.",
                                      "np.random.MT19937(1).random_raw()  # 1033693557",
                                      make_mt19937,
                                      0,
                                      0};
static const gx_native sfc64_row = {
    "SFC64",
    "SFC64(seed=None)",
    "Small and fast, with a counter in its state.",
    "np.random.Generator(np.random.SFC64(1)).random()  # 0.9956200510286735",
    make_sfc64,
    0,
    0};
static const gx_native philox_row = {
    "Philox",
    "Philox(seed=None, counter=None, key=None)",
    "A counter put through a cipher: any place of the stream can be reached at once.",
    "np.random.Philox(key=5, counter=7).random_raw()  # 14843759927929523615",
    make_philox,
    0,
    0};

const gx_type gx_type_random_generator = {
    .name = "numpy.random.Generator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Random numbers of a stream of their own.",
    .free = generator_free,
    .repr = generator_repr,
    .construct = &generator_row,
    .methods = gx_np_generator_methods,
};

const gx_type gx_type_np_randomstate = {
    .name = "numpy.random.RandomState",
    .base = &gx_type_random_generator,
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Random numbers of a stream of their own, as np.random gives them.",
    .free = generator_free,
    .repr = generator_repr,
    .construct = &randomstate_row,
    .methods = gx_np_randomstate_methods,
};

const gx_type gx_type_np_bits = {
    .name = "numpy.random.BitGenerator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A source of random bits for Generator.",
    .free = generator_free,
    .repr = bits_repr,
    .methods = gx_np_bits_methods,
    .members = gx_np_bits_members,
    .construct = &bits_row,
};

#define BITS(variable, title, about, rows, row)                                                    \
    const gx_type variable = {                                                                     \
        .name = "numpy.random." title,                                                             \
        .base = &gx_type_np_bits,                                                                  \
        .tag = GX_OBJECT,                                                                          \
        .dtype = GX_NO_DTYPE,                                                                      \
        .doc = "A source of random bits for Generator: " about,                                    \
        .free = generator_free,                                                                    \
        .repr = bits_repr,                                                                         \
        .methods = rows,                                                                           \
        .construct = &row,                                                                         \
    }

BITS(gx_type_np_pcg64, "PCG64", "permuted congruential, 128 bits of state.", gx_np_leap_methods,
     pcg64_row);
BITS(gx_type_np_dxsm, "PCG64DXSM", "permuted congruential, with stronger output.",
     gx_np_leap_methods, dxsm_row);
BITS(gx_type_np_mt19937, "MT19937", "the Mersenne Twister.", gx_np_jumped_methods, mt19937_row);
BITS(gx_type_np_sfc64, "SFC64", "small and fast, 256 bits of state.", NULL, sfc64_row);
BITS(gx_type_np_philox, "Philox", "a counter put through a cipher.", gx_np_leap_methods,
     philox_row);
