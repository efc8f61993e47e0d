/* Types with parameters, list[int], and unions, int | None: objects that annotations are made of.
   What is done with them is done with the type that they were made of. */
#ifndef GX_RUNTIME_OBJECT_CLASS_ALIAS_H
#define GX_RUNTIME_OBJECT_CLASS_ALIAS_H

#include "runtime/object/native.h"

typedef struct gx_alias {
    gx_container head;
    gx_value origin;  /* list; of a union None */
    gx_value args;    /* a tuple */
    gx_value title;   /* a str in place of the origin's name, "typing.List"; None: its own */
    bool starred;     /* *tuple[int, ...] */
} gx_alias;

extern const gx_type gx_type_alias, gx_type_typing_alias, gx_type_union, gx_type_typing_union;

static inline bool gx_is_alias(gx_borrowed v) {
    return v.tag == GX_OBJECT &&
           (v.obj->type == &gx_type_alias || v.obj->type == &gx_type_typing_alias);
}
static inline bool gx_is_union(gx_borrowed v) {
    return v.tag == GX_OBJECT &&
           (v.obj->type == &gx_type_union || v.obj->type == &gx_type_typing_union);
}
static inline gx_alias *gx_as_alias(gx_borrowed v) {
    return (gx_alias *)v.obj;
}
/* origin[args], where args that are no tuple are one argument. */
GX_CHECK bool gx_alias_new(gx_rt *rt, gx_borrowed origin, gx_borrowed args, gx_value *out);
/* a | b; NO: one of them is nothing that a union is made of. */
gx_try gx_union_of(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out);
/* What typing's own names use: typing_alias(origin, args, title), typing_union(args). */
extern const gx_native gx_alias_natives[];

#endif
