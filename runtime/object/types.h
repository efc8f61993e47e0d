/* The table of types: which type a value has, how types are related, and the functions that a type
   object itself has (int.from_bytes). The slots' meaning is in object.h. */
#ifndef GX_RUNTIME_OBJECT_TYPES_H
#define GX_RUNTIME_OBJECT_TYPES_H

#include "runtime/object/native.h"

/* The type's parent: its base, else object; NULL above object. */
static inline const gx_type *gx_type_parent(const gx_type *t) {
    if (t->base) return t->base;
    return t == &gx_type_object ? NULL : &gx_type_object;
}
/* Functions reached through the type object only, or NULL. */
const gx_native *gx_type_statics(const gx_type *t);
/* May it be subscripted in annotations, as list[int]? Containers may, and what is below them. */
bool gx_type_takes_parameters(const gx_type *t);
/* `a is b`. */
bool gx_is(gx_borrowed a, gx_borrowed b);
/* Calls fn for each field name of a named tuple. */
void gx_tuple_each_field(gx_rt *rt, gx_borrowed tuple, void (*fn)(const char *name, void *ctx),
                         void *ctx);

extern const gx_native gx_str_statics[], gx_bytes_statics[], gx_dict_statics[];

#endif
