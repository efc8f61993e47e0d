/* The methods of Python's types, and the functions of their type objects. They lie above all types:
   a type's own file has its slots, and knows none of the files with its methods. */
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

bool gx_methods_open(gx_rt *rt) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gx_type *t = rows[i].type;
        if (rows[i].methods && !gx_type_extend(rt, t, rows[i].methods, NULL)) return false;
        if (rows[i].statics && !gx_type_extend_statics(rt, t, rows[i].statics)) return false;
    }
    return gx_bytearray_start(rt);
}
