/* What builtins and modules of Python share. */
#ifndef GX_STDLIB_PYTHON_BUILTINS_H
#define GX_STDLIB_PYTHON_BUILTINS_H

#include "runtime/object/native.h"

extern const gx_type gx_type_zip, gx_type_map, gx_type_filter, gx_type_enumerate, gx_type_reversed;

/* filter and filterfalse. */
GX_CHECK bool gx_filter_new(gx_rt *rt, const gx_type *type, gx_borrowed fn, gx_borrowed over,
                            bool invert, gx_value *out);
bool gx_filter_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more);

/* functools.c: calls fn with a tuple's items, then argv; with a dict's keywords unless kw has them,
   then kw. */
GX_CHECK bool gx_call_joined(gx_rt *rt, gx_borrowed fn, gx_borrowed first, gx_borrowed keywords,
                             int argc, const gx_borrowed *argv, int kwc, const gx_sym *kw,
                             gx_value *out);

#endif
