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
const gx_native *gx_type_statics(const gx_rt *rt, const gx_type *t);
GX_CHECK bool gx_type_extend_statics(gx_rt *rt, const gx_type *type, const gx_native *statics);
/* What a name means on a type; never NULL. */
const struct gx_attr_entry *gx_type_look_up(gx_rt *rt, const gx_type *type, gx_sym name);
void gx_each_row(const gx_native *methods, const gx_member *members,
                 void (*fn)(const char *name, void *ctx), void *ctx);
/* Calls fn for each method and member of the type's own, not of its bases. */
void gx_type_each(gx_rt *rt, const gx_type *t, void (*fn)(const char *name, void *ctx), void *ctx);
/* What object has: __class__ and __doc__. */
extern const gx_member gx_object_members[];
/* What the files of methods add to the types below them (methods.c); once a context. */
GX_CHECK bool gx_methods_open(gx_rt *rt);
/* `a is b`. */
bool gx_is(gx_borrowed a, gx_borrowed b);
/* Calls fn for each field name of a named tuple. */
void gx_tuple_each_field(gx_rt *rt, gx_borrowed tuple, void (*fn)(const char *name, void *ctx),
                         void *ctx);

#endif
