/* Modules: named globals. A script's module and a builtin one are the same object: an array of
   values and a map from names to slots. The interpreter's global slots ARE the module's attributes.
   A builtin module starts empty and fills itself through `lookup`, one name at a time, so that
   importing it costs nothing. */
#ifndef GX_RUNTIME_OBJECT_MODULE_H
#define GX_RUNTIME_OBJECT_MODULE_H

#include "runtime/base/map.h"
#include "runtime/object/object.h"

typedef struct gx_module {
    gx_container head;
    gx_sym name;     /* dotted: "numpy.linalg", "__main__" */
    uint8_t ns;    /* gx_namespace of the functions in it */
    uint8_t builtin; /* made by stdlib */
    uint16_t spare;
    gx_map slots;     /* name -> slot */
    gx_value *values; /* by slot; UNDEF: not bound */
    gx_sym *names;    /* by slot */
    int32_t count, room;
    /* A name that has no value yet: GX_TRY_YES and an owned value, or NO. NULL: nothing more. */
    gx_try (*lookup)(gx_rt *, struct gx_module *, gx_sym name, gx_value *out);
    /* Says of a name that is not there, beside the pending error, what it knows; or NULL. */
    bool (*absent)(gx_rt *, const struct gx_module *, const char *name);
    /* Calls fn for each name that lookup knows. */
    void (*each)(gx_rt *, const struct gx_module *, void (*fn)(const char *name, void *ctx),
                 void *ctx);
    const void *data; /* lookup's own */
    /* Its __dict__, where that is live. NULL: a dict made of its names. */
    bool (*names_view)(gx_rt *, struct gx_module *, gx_value *out);
    gx_value dict;    /* of text that was run with a dict for its globals: its names are in there,
                         and the slots are not used; else UNDEF */
    gx_value view;    /* what globals() gives, once it was asked for */
} gx_module;

static inline gx_module *gx_as_module(gx_borrowed v) {
    return (gx_module *)v.obj;
}
/* An empty module. */
GX_CHECK bool gx_module_new(gx_rt *rt, const char *name, gx_value *out);
/* The slot of a name, made unbound when new. Slots never move; the values array may. */
GX_CHECK bool gx_module_slot(gx_rt *rt, gx_module *m, gx_sym name, int32_t *out);
/* Binds a name. */
GX_CHECK bool gx_module_set(gx_rt *rt, gx_module *m, gx_sym name, gx_borrowed value);
/* The value of a name (owned), looked up on first use. GX_TRY_NO: there is none. */
gx_try gx_module_get(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out);
/* The same, and what the module's own __getattr__ says: an attribute. */
gx_try gx_module_attr(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out);
/* Calls fn for every name of the module, bound ones first; a name may come twice. */
static inline void gx_module_each(gx_rt *rt, const gx_module *m,
                                  void (*fn)(const char *name, void *ctx), void *ctx) {
    for (int32_t i = 0; i < m->count; i++)
        if (m->values[i].tag != GX_UNDEF) fn(gx_sym_text(rt, m->names[i]), ctx);
    if (m->each) m->each(rt, m, fn, ctx);
}
/* Unbinds everything (at exit, before the heap is freed). */
void gx_module_clear(gx_rt *rt, gx_module *m);

#endif
