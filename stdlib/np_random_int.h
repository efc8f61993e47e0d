/* Generator and RandomState objects. */
#ifndef GX_STDLIB_NP_RANDOM_INT_H
#define GX_STDLIB_NP_RANDOM_INT_H

#include "stdlib/np_rng_int.h"

typedef struct gx_np_generator {
    gx_obj obj;
    gx_door door; /* of the arrays it makes */
    gx_rng rng;
} gx_np_generator;

extern const gx_type gx_type_random_generator, gx_type_np_randomstate;
extern const gx_native gx_np_generator_methods[], gx_np_randomstate_methods[];
/* The generator that v is, or NULL. */
gx_np_generator *gx_np_generator_of(gx_borrowed v);
GX_CHECK bool gx_np_generator_new(gx_rt *rt, const gx_type *type, gx_rng_kind kind, gx_door door,
                                  gx_borrowed seed, gx_value *out);

#endif
