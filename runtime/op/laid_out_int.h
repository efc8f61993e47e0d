/* Operands as entries of a backend take them. */
#ifndef GX_RUNTIME_OP_LAID_OUT_INT_H
#define GX_RUNTIME_OP_LAID_OUT_INT_H

#include "runtime/array/array.h"
#include "runtime/backend/order.h"
#include "runtime/graph/lazy.h"

/* A C-contiguous operand at a place: a new reference, and its elements. */
GX_CHECK static inline bool gx_laid_out(gx_rt *rt, gx_place place, gx_array *a, gx_array **flat,
                                        gx_elements *e) {
    gx_array *f;
    gx_buffer *buf;
    if (!gx_array_contiguous(rt, a, &f)) return false;
    if (!gx_storage_force(rt, f->storage) || !gx_data_at(rt, f->storage->data, place, &buf)) {
        gx_array_drop(f);
        return false;
    }
    *e = (gx_elements){.buf = buf, .offset = f->offset, .n = f->count, .dtype = (gx_dtype)f->dtype};
    *flat = f;
    return true;
}

#endif
