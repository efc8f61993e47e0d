/* pickle: what pickle.c shows beside unpickle.c. */
#ifndef GX_STDLIB_PYTHON_FAST_PICKLE_INT_H
#define GX_STDLIB_PYTHON_FAST_PICKLE_INT_H

#include "runtime/object/native.h"

/* dump(obj, protocol, describe): a value as bytes. */
bool gx_pickle_dump(gx_call *c, gx_value *out);

#endif
