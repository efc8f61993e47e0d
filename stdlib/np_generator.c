/* The objects default_rng and RandomState give: a generator of random numbers with its own state.
 */
#include "stdlib/np_random_int.h"

static void generator_free(gx_rt *rt, gx_obj *o) {
    gx_free(rt, o);
}

static bool generator_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    static const char *const names[] = {"Philox", "MT19937", "PCG64"};
    const char *type = v.obj->type == &gx_type_random_generator ? "Generator" : "RandomState";
    return gx_buf_printf(out, "%s(%s)", type, names[gx_np_generator_of(v)->rng.kind]);
}

gx_np_generator *gx_np_generator_of(gx_borrowed v) {
    if (v.tag != GX_OBJECT) return NULL;
    bool is = v.obj->type == &gx_type_random_generator || v.obj->type == &gx_type_np_randomstate;
    return is ? (gx_np_generator *)v.obj : NULL;
}

bool gx_np_generator_new(gx_rt *rt, const gx_type *type, gx_rng_kind kind, gx_door door,
                         gx_borrowed seed, gx_value *out) {
    gx_np_generator *g = gx_obj_new(rt, type, sizeof *g);
    if (!g) return false;
    g->door = door;
    if (!gx_rng_seed(rt, &g->rng, kind, seed)) {
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

static const gx_native randomstate_row = {"RandomState",
                                          "RandomState(seed=None)",
                                          "A generator with the functions of np.random.",
                                          NULL,
                                          make_randomstate,
                                          0,
                                          0};

const gx_type gx_type_random_generator = {
    .name = "numpy.random.Generator",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "Random numbers of a stream of their own.",
    .free = generator_free,
    .repr = generator_repr,
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
