/* What the module abc has for classes. The objects are
 * runtime/object/class/descriptor.c's. */
#include "runtime/object/class/class.h"
#include "stdlib/common.h"

#define TYPE(n, t)                                                                                 \
    { .name = n, .kind = GX_CONST_TYPE, .type = &t }

const gx_constant gx_py_abc_constants[] = {
    TYPE("ABC", gx_type_abc),
    TYPE("ABCMeta", gx_type_abcmeta),
    TYPE("abstractproperty", gx_type_property),
    {.name = NULL},
};
