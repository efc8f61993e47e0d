/* The objects of random that hold a stream: what default_rng and RandomState give, and the bit
   generators PCG64 and MT19937, from which a Generator or a RandomState may draw. */
#include "stdlib/np_random_int.h"
#include "stdlib/np_seed_int.h"

static void generator_free(gx_rt *rt, gx_obj *o) {
    gx_drop(((gx_np_generator *)o)->source);
    gx_drop(((gx_np_generator *)o)->seq);
    gx_free(rt, o);
}

static const char *kind_name(const gx_rng *r) {
    static const char *const names[] = {"Philox", "MT19937", "PCG64"};
    return names[r->kind];
}

static bool generator_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const char *type = v.obj->type == &gx_type_random_generator ? "Generator" : "RandomState";
    return gx_buf_printf(out, "%s(%s)", type,
                         kind_name(gx_np_generator_rng(gx_np_generator_of(v))));
}

static bool bits_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<numpy.random.%s>", kind_name(&((gx_np_generator *)v.obj)->rng));
}

gx_np_generator *gx_np_generator_of(gx_borrowed v) {
    if (v.tag != GX_OBJECT) return NULL;
    bool is = v.obj->type == &gx_type_random_generator || v.obj->type == &gx_type_np_randomstate;
    return is ? (gx_np_generator *)v.obj : NULL;
}

static gx_np_generator *bits_of(gx_borrowed v) {
    if (v.tag != GX_OBJECT) return NULL;
    bool is = v.obj->type == &gx_type_np_pcg64 || v.obj->type == &gx_type_np_mt19937;
    return is ? (gx_np_generator *)v.obj : NULL;
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

bool gx_np_generator_new(gx_rt *rt, const gx_type *type, gx_rng_kind kind, gx_door door,
                         gx_borrowed seed, gx_value *out) {
    gx_np_generator *g = gx_obj_new(rt, type, sizeof *g);
    if (!g) return false;
    g->door = door;
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
    gx_rng_kind kind = c->door == GX_DOOR_NUMPY ? GX_RNG_MT : GX_RNG_PHILOX;
    return gx_np_generator_new(c->rt, &gx_type_np_randomstate, kind, c->door, c->argv[0], out);
}

static bool make_generator(gx_call *c, gx_value *out) {
    if (!bits_of(c->argv[0])) return gx_arg_wrong(c, 0, "a bit generator, such as PCG64(seed)");
    return gx_np_generator_new(c->rt, &gx_type_random_generator, GX_RNG_PCG, c->door, c->argv[0],
                               out);
}

static bool make_pcg64(gx_call *c, gx_value *out) {
    return gx_np_generator_new(c->rt, &gx_type_np_pcg64, GX_RNG_PCG, c->door, c->argv[0], out);
}

static bool make_mt19937(gx_call *c, gx_value *out) {
    return gx_np_generator_new(c->rt, &gx_type_np_mt19937, GX_RNG_MT, c->door, c->argv[0], out);
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
static const gx_native pcg64_row = {
    "PCG64", "PCG64(seed=None)", "The bit generator of default_rng.", NULL, make_pcg64, 0, 0};
static const gx_native mt19937_row = {
    "MT19937", "MT19937(seed=None)", "The Mersenne Twister.", NULL, make_mt19937, 0, 0};

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

const gx_type gx_type_np_pcg64 = {
    .name = "numpy.random.PCG64",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A source of random bits for Generator: permuted congruential, 128 bits of state.",
    .free = generator_free,
    .repr = bits_repr,
    .methods = gx_np_bits_methods,
    .members = gx_np_bits_members,
    .construct = &pcg64_row,
};

const gx_type gx_type_np_mt19937 = {
    .name = "numpy.random.MT19937",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A source of random bits for Generator: the Mersenne Twister.",
    .free = generator_free,
    .repr = bits_repr,
    .methods = gx_np_bits_methods,
    .members = gx_np_bits_members,
    .construct = &mt19937_row,
};
