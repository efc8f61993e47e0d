/* The abstract types of NumPy scalars: numpy.generic and what is between it and numpy.float64. */
#include "runtime/object/object.h"

#define ABSTRACT(id, text, parent)                                                                 \
    const gx_type gx_type_##id = {.name = "numpy." text, .base = parent, .tag = GX_SCALAR,         \
                                  .dtype = GX_NO_DTYPE, .doc = "A class of NumPy scalars."};
ABSTRACT(generic, "generic", NULL)
ABSTRACT(number, "number", &gx_type_generic)
ABSTRACT(integer, "integer", &gx_type_number)
ABSTRACT(signedinteger, "signedinteger", &gx_type_integer)
ABSTRACT(unsignedinteger, "unsignedinteger", &gx_type_integer)
ABSTRACT(inexact, "inexact", &gx_type_number)
ABSTRACT(floating, "floating", &gx_type_inexact)
ABSTRACT(complexfloating, "complexfloating", &gx_type_inexact)
