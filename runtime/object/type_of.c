/* Which type a value has, and which types lie below which. Types are asked for here by tag, dtype
   or kind of error: their structs, with the slots, lie above (types.c and the files of each type),
   and are named once a process (gx_types_of_core, gx_types_of_arrays). */
#include "runtime/object/class/hooks.h"
#include "runtime/object/heap.h"
#include "runtime/object/types.h"

const gx_type *gx_core_types[GX_TAGS];
static const gx_type *ufunc_type, *scalar_types, *exception_types; /* by dtype; by kind */

void gx_types_of_core(const gx_type *const by_tag[GX_TAGS], const gx_type *ufunc,
                      const gx_type exceptions[GX_ERROR_COUNT]) {
    for (int i = 0; i < GX_TAGS; i++)
        if (by_tag[i]) gx_core_types[i] = by_tag[i];
    ufunc_type = ufunc;
    exception_types = exceptions;
}

void gx_types_of_arrays(const gx_type *dtype, const gx_type *array,
                        const gx_type scalars[GX_DTYPES]) {
    gx_core_types[GX_DTYPE] = dtype;
    gx_core_types[GX_ARRAY] = array;
    scalar_types = scalars;
}

const gx_type *gx_scalar_type(gx_dtype d) {
    return &scalar_types[d];
}

const gx_type gx_type_object = {
    .name = "object", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .doc = "The base of all types.",
};

const gx_type *gx_exception_type(gx_error_kind kind) {
    return &exception_types[kind];
}

bool gx_is_ufunc(const gx_native *fn) {
    return fn->op || fn->flags & GX_NATIVE_UFUNC;
}

const gx_type *gx_type_of_inline(gx_borrowed v) {
    if (v.tag == GX_SCALAR) return &scalar_types[v.dtype];
    if (v.tag == GX_NATIVE && gx_is_ufunc(v.native)) return ufunc_type;
    return gx_core_types[v.tag];
}

bool gx_class_is(const gx_type *t, const gx_type *ancestor) {
    const gx_class *cls = gx_class_of(t);
    for (int32_t i = 0; i < cls->order_count; i++)
        if (cls->order[i] == ancestor) return true;
    return gx_type_is(cls->builtin, ancestor);
}

gx_value gx_class_value(const gx_type *t) {
    gx_class *cls = gx_class_of(t);
    gx_obj_keep(&cls->head.obj);
    return gx_object(&cls->head.obj);
}

const gx_type *gx_as_type(gx_borrowed v) {
    if (v.tag == GX_TYPE) return v.type;
    return gx_is_class(v) ? &gx_as_class(v)->type : NULL;
}

const gx_type *gx_metaclass(gx_borrowed v) {
    const gx_type *meta = gx_is_class(v) ? gx_as_class(v)->meta
                          : v.tag == GX_TYPE ? v.type->meta : NULL;
    return meta ? meta : gx_core_types[GX_TYPE];
}

bool gx_type_is(const gx_type *t, const gx_type *ancestor) {
    if (ancestor == &gx_type_object) return true;
    if (t && t->heap) return gx_class_is(t, ancestor);
    /* AxisError has two parents, which only its kind knows. */
    if (t && t->tag == GX_EXCEPTION && ancestor && ancestor->tag == GX_EXCEPTION && !ancestor->heap)
        return gx_error_is((gx_error_kind)t->error, (gx_error_kind)ancestor->error);
    for (; t; t = t->base)
        if (t == ancestor) return true;
    return false;
}

bool gx_isinstance(gx_borrowed v, const gx_type *type) {
    const gx_type *t = gx_type_of(v);
    if (gx_type_is(t, type)) return true;
    if (t == gx_core_types[GX_TYPE]) return gx_type_is(gx_metaclass(v), type);
    /* numpy.float64 is a float, numpy.complex128 a complex. */
    if (t->dtype == GX_f64 && t->tag != GX_ARRAY) return type == gx_core_types[GX_FLOAT];
    return t->dtype == GX_c128 && t->tag != GX_ARRAY && type == gx_core_types[GX_COMPLEX];
}
