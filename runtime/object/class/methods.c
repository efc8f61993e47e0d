/* The types of values by their tags, the methods of Python's types, and the functions of their type
   objects. This lies above all types: what makes a value finds its type in the table that is
   filled here, and a type's own file knows none of the files with its methods. */
#include <pthread.h>

#include "runtime/object/class/hooks.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list_int.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/text/str_int.h"
#include "runtime/object/types.h"

static const struct {
    const gx_type *type;
    const gx_native *methods, *statics;
} rows[] = {
    {&gx_type_int, NULL, gx_int_statics},
    {&gx_type_float, NULL, gx_float_statics},
    {&gx_type_str, gx_str_methods, gx_str_statics},
    {&gx_type_bytes, gx_bytes_methods, gx_bytes_statics},
    {&gx_type_bytearray, NULL, gx_bytearray_statics},
    {&gx_type_list, gx_list_methods, NULL},
    {&gx_type_dict, gx_dict_methods, gx_dict_statics},
    {&gx_type_set, gx_set_methods, NULL},
    {&gx_type_frozenset, gx_frozenset_methods, NULL},
};

static const gx_type *const by_tag[GX_TAGS] = {
    [GX_UNDEF] = &gx_type_none,   [GX_NONE] = &gx_type_none,
    [GX_ELLIPSIS] = &gx_type_ellipsis,
    [GX_BOOL] = &gx_type_bool,    [GX_INT] = &gx_type_int,         [GX_FLOAT] = &gx_type_float,
    [GX_TYPE] = &gx_type_type,    [GX_NATIVE] = &gx_type_native,   [GX_COMPLEX] = &gx_type_complex,
    [GX_BIGINT] = &gx_type_int,   [GX_STR] = &gx_type_str,         [GX_BYTES] = &gx_type_bytes,
    [GX_LIST] = &gx_type_list,    [GX_TUPLE] = &gx_type_tuple,     [GX_DICT] = &gx_type_dict,
    [GX_SET] = &gx_type_set,      [GX_RANGE] = &gx_type_range,     [GX_SLICE] = &gx_type_slice,
    [GX_METHOD] = &gx_type_bound, [GX_MODULE] = &gx_type_module,   [GX_BOX] = &gx_type_box,
};

static void name_types(void) {
    gx_types_of_core(by_tag, &gx_type_ufunc, gx_exception_types);
}

bool gx_methods_open(gx_rt *rt) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (pthread_once(&once, name_types) != 0) return false;
    rt->heap->ops = &gx_class_operations;
    if (!gx_type_extend(rt, &gx_type_object, NULL, gx_object_members)) return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gx_type *t = rows[i].type;
        if (rows[i].methods && !gx_type_extend(rt, t, rows[i].methods, NULL)) return false;
        if (rows[i].statics && !gx_type_extend_statics(rt, t, rows[i].statics)) return false;
    }
    return gx_bytearray_start(rt);
}
