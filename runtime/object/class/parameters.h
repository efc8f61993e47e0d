/* list[int] and int | None, which stdlib/python/alias.c makes: this is how types get there. */
#ifndef GX_RUNTIME_OBJECT_CLASS_PARAMETERS_H
#define GX_RUNTIME_OBJECT_CLASS_PARAMETERS_H

#include "runtime/object/object.h"

typedef struct gx_parameters {
    /* type[key] */
    bool (*alias)(gx_rt *rt, gx_borrowed type, gx_borrowed key, gx_value *out);
    /* a | b; NO: one of them is nothing that a union is made of. */
    gx_try (*unite)(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out);
} gx_parameters;

/* stdlib sets it; without it there is neither. native.c keeps it. */
void gx_parameters_set(gx_rt *rt, const gx_parameters *p);
const gx_parameters *gx_parameters_of(const gx_rt *rt);

#endif
