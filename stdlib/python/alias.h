/* Types with parameters, list[int], and unions, int | None: objects that annotations are made of.
   What is done with them is done with the type that they were made of. */
#ifndef GX_STDLIB_PYTHON_ALIAS_H
#define GX_STDLIB_PYTHON_ALIAS_H

#include "runtime/object/class/parameters.h"
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
/* What typing's own names use: typing_alias(origin, args, title), typing_union(args). */
extern const gx_native gx_alias_natives[];

#endif
