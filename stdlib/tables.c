/* The library as the registry is opened with it: all tables of modules.def, and what the rooms of
   the library tell the runtime. */
#include "runtime/array/array.h"
#include "runtime/object/class/parameters.h"
#include "runtime/object/text/bytearray.h"
#include "runtime/object/warn.h"
#include "runtime/op/ufunc.h"
#include "stdlib/registry_int.h"

#define FUNCTIONS(group, table) extern const gx_native table[];
#define CONSTANTS(group, table) extern const gx_constant table[];
#define METHODS(type, table) extern const gx_native table[];
#define MEMBERS(type, table) extern const gx_member table[];
#include "stdlib/modules.def"

static const table tables[] = {
#define FUNCTIONS(group, table) {GROUP_##group, table, NULL},
#define CONSTANTS(group, table) {GROUP_##group, NULL, table},
#include "stdlib/modules.def"
};
enum { TABLES = sizeof tables / sizeof *tables };

typedef struct method_row {
    const gx_type *type;
    const gx_native *rows;
    const gx_member *members;
} method_row;

static const method_row method_rows[] = {
#define METHODS(type, table) {&type, table, NULL},
#define MEMBERS(type, table) {&type, NULL, table},
#include "stdlib/modules.def"
    {NULL, NULL, NULL},
};

static bool is_vector(gx_borrowed array) {
    return gx_as_array(array)->ndim == 1;
}

bool gx_stdlib_new(gx_rt *rt) {
    if (!gx_registry_new(rt, tables, TABLES, gx_np_missing, gx_library_further,
                         gx_library_each_further))
        return false;
    gx_natives_set_numpy(rt, gx_numpy_function, is_vector);
    gx_natives_set_override(rt, gx_np_override);
    gx_parameters_set(rt, &gx_alias_parameters);
    gx_op_set_special(rt, gx_sp_ufunc);
    for (const method_row *r = method_rows; r->type; r++)
        if (!gx_type_extend(rt, r->type, r->rows, r->members)) return false;
    return gx_registry_add_methods(rt);
}

void gx_stdlib_free(gx_rt *rt) {
    if (!rt->modules) return;
    gx_warn_free(rt);
    gx_python_free(rt);
    gx_registry_free(rt);
    gx_free(rt, rt->random);
    rt->random = NULL;
}
