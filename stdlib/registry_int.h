/* The registry's tables, and what the library opens it with. */
#ifndef GX_STDLIB_REGISTRY_INT_H
#define GX_STDLIB_REGISTRY_INT_H

#include "stdlib/common.h"
#include "stdlib/stdlib.h"

/* Names of tables in modules.def. */
typedef enum group {
#define GROUP(group, module) GROUP_##group,
#include "stdlib/modules.def"
    GROUPS
} group;

typedef struct table {
    group in;
    const gx_native *functions;
    const gx_constant *constants;
} table;


typedef bool (*gx_absent_fn)(gx_rt *, const struct gx_module *, const char *name);
typedef gx_try (*gx_further_fn)(gx_rt *, const struct gx_module *, const char *name, gx_value *out);
typedef void (*gx_further_each_fn)(gx_rt *, const struct gx_module *,
                                   void (*fn)(const char *name, void *ctx), void *ctx);
/* Makes an empty registry of rows; tables.c opens it with the library's. */
GX_CHECK bool gx_registry_new(gx_rt *rt, const table *tables, int count, gx_absent_fn absent,
                              gx_further_fn further, gx_further_each_fn each_further);
void gx_registry_free(gx_rt *rt);
/* Adds the rows that are methods of arrays, too, to ndarray and to NumPy scalars. */
GX_CHECK bool gx_registry_add_methods(gx_rt *rt);

#endif
