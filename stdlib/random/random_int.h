/* Generator and RandomState objects, bit generators, and what the functions of random share. */
#ifndef GX_STDLIB_RANDOM_RANDOM_INT_H
#define GX_STDLIB_RANDOM_RANDOM_INT_H

#include "stdlib/random/rng_int.h"

typedef struct gx_np_generator {
    gx_obj obj;
    gx_namespace ns; /* of the arrays it makes */
    gx_rng rng;   /* unused when there is a source */
    gx_value source; /* owned: the bit generator it draws from, or UNDEF */
    gx_value seq;    /* owned: the SeedSequence it was made from, or UNDEF */
} gx_np_generator;

extern const gx_type gx_type_random_generator, gx_type_np_randomstate, gx_type_np_bits,
    gx_type_np_pcg64, gx_type_np_dxsm, gx_type_np_mt19937, gx_type_np_sfc64, gx_type_np_philox;
extern const gx_native gx_np_generator_methods[], gx_np_randomstate_methods[];
extern const gx_native gx_np_bits_methods[], gx_np_spawn_methods[], gx_np_state_methods[];
extern const gx_native gx_np_jumped_methods[], gx_np_leap_methods[];
extern const gx_member gx_np_bits_members[], gx_np_generator_members[];
/* The generator that v is, or NULL; a bit generator is none. */
gx_np_generator *gx_np_generator_of(gx_borrowed v);
/* Where it draws from: its own stream or its bit generator's. */
gx_rng *gx_np_generator_rng(gx_np_generator *g);
/* From a seed, or over a bit generator. */
GX_CHECK bool gx_np_generator_new(gx_rt *rt, const gx_type *type, gx_rng_kind kind, gx_namespace ns,
                                  gx_borrowed seed, gx_value *out);

/* The type of bit generators of a kind. */
const gx_type *gx_np_bits_type(gx_rng_kind kind);
/* The bit generator that a generator draws from, as an object. */
GX_CHECK bool gx_np_generator_bits(gx_rt *rt, gx_borrowed self, gx_value *out);
/* NumPy's name of a stream; its state as a dict, and from one: on a mistake r is as it was. */
const char *gx_rng_name(const gx_rng *r);
GX_CHECK bool gx_rng_state(gx_rt *rt, const gx_rng *r, bool gauss, gx_value *out);
GX_CHECK bool gx_rng_set_state(gx_rt *rt, gx_borrowed v, gx_rng *r);

/* A call: its generator, and where its own arguments begin. */
typedef struct gx_draw {
    gx_np s;
    gx_call *c;
    gx_rng *r;
    int at;
    bool one; /* no size: a single number */
    int ndim;
    int64_t shape[GX_MAX_DIMS];
} gx_draw;

static inline gx_borrowed gx_draw_arg(const gx_draw *d, int i) {
    return d->c->argv[d->at + i];
}
/* Finds the generator of a call and begins its scope. */
GX_CHECK bool gx_draw_begin(gx_draw *d, gx_call *c);
/* The size argument; without one the result takes the shape of the n parameters from `first` on,
   which are made unless they are there. */
/* Those arguments as params, where these are NULL: what is checked before a size is looked at. */
GX_CHECK bool gx_draw_params(gx_draw *d, int first, int n, gx_array **params);
GX_CHECK bool gx_draw_size(gx_draw *d, int i, int first, int n, gx_array **params);
/* The out argument of a dtype: its shape is the result's. */
GX_CHECK bool gx_draw_out(gx_draw *d, gx_dtype t, gx_borrowed out);
/* Gives the array, or the Python number where no size was asked for. */
GX_CHECK bool gx_draw_finish(gx_draw *d, gx_array *a, gx_value *out);

/* --- functions of other files, for the tables in random.c */
GX_CHECK bool gx_random_randint(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_integers(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_permutation(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_shuffle(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_choice(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_standard_exponential(gx_call *c, gx_value *out);
GX_CHECK bool gx_random_standard_gamma(gx_call *c, gx_value *out);

#endif
