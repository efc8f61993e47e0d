/* What the modules abc and functools have for classes. The objects are
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

const gx_constant gx_py_functools_constants[] = {
    TYPE("cached_property", gx_type_cached_property),
    {.name = NULL},
};
