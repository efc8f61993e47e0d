/* Arrays that show a part of a value which is not computed yet: for array.c and copy.c. */
#ifndef GX_RUNTIME_ARRAY_PART_INT_H
#define GX_RUNTIME_ARRAY_PART_INT_H

#include "runtime/graph/lazy.h"

/* Is this a view of a pending value that is better computed for itself: a part of something huge,
   or of a temporary that nobody else will read? */
static inline bool gx_array_is_part_of_pending(gx_rt *rt, const gx_array *a) {
    const gx_data *d = a->storage->data;
    if (d->kind == GX_DATA_READY || gx_array_nbytes(a) >= d->bytes) return false;
    if (d->bytes > gx_engine_of(rt)->ram / 8) return true;
    return a->base && a->base->obj.refs == 1 && a->storage->refs == 2;
}

#endif
