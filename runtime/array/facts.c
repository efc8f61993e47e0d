/* What is asked of an array without its elements: who shares its storage, how it is laid out, and
   its description for messages. */
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"

bool gx_array_ready(gx_rt *rt, gx_array *a) {
    return gx_storage_force(rt, a->storage);
}

bool gx_array_is_alone(const gx_array *a) {
    return a->storage->refs == 1;
}

bool gx_array_is_ready(const gx_array *a) {
    return a->storage->data->kind == GX_DATA_READY;
}

int64_t gx_array_storage(const gx_array *a) {
    return a->storage->data->bytes;
}

int64_t gx_array_nbytes(const gx_array *a) {
    return a->count * gx_dtype_size(a->dtype);
}

bool gx_array_is_contiguous(const gx_array *a, char order) {
    if (a->count == 0) return true;
    int64_t expect = gx_dtype_size(a->dtype);
    for (int k = 0; k < a->ndim; k++) {
        int i = order == 'F' ? k : a->ndim - 1 - k;
        if (gx_shape(a)[i] == 1) continue;
        if (gx_strides(a)[i] != expect) return false;
        expect *= gx_shape(a)[i];
    }
    return true;
}

GX_CHECK bool gx_array_describe(const gx_array *a, gx_buf *out) {
    return gx_buf_printf(out, "%s ", gx_dtypes[a->dtype].name) &&
           gx_shape_text(out, a->ndim, gx_shape(a));
}
