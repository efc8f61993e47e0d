/* Entries of a GPU's backend for whole arrays. Operands are converted and laid out in C order
   first, on the GPU, which fuses with what is pending. */
#include "runtime/op/device_ops.h"

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"

static const gx_backend *gpu_of(gx_rt *rt, const gx_array *a) {
    if (!rt->gpu || a->storage->data->place != GX_GPU) return NULL;
    return rt->gpu->backend;
}

/* C-contiguous elements of dtype d on the GPU: a new reference. */
static bool laid_out(gx_rt *rt, gx_array *a, gx_dtype d, gx_array **out, gx_buffer **buf) {
    gx_array *cast, *flat;
    if (!gx_array_cast(rt, a, d, false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, &flat);
    gx_array_drop(cast);
    if (!ok) return false;
    if (!gx_storage_force(rt, flat->storage) || !gx_data_at(rt, flat->storage->data, GX_GPU, buf)) {
        gx_array_drop(flat);
        return false;
    }
    *out = flat;
    return true;
}

GX_CHECK bool gx_device_scan(gx_rt *rt, gx_array *a, int axis, bool product, gx_dtype total,
                             gx_array **out) {
    const gx_backend *gpu = gpu_of(rt, a);
    *out = NULL;
    if (!gpu || !gpu->scan || a->ndim == 0 || a->count == 0) return true;
    gx_array *flat, *r;
    gx_buffer *from, *to;
    if (!laid_out(rt, a, total, &flat, &from)) return false;
    const int64_t *shape = gx_shape(a), n = shape[axis];
    int64_t outer = 1, inner = 1;
    for (int d = 0; d < axis; d++) outer *= shape[d];
    for (int d = axis + 1; d < a->ndim; d++) inner *= shape[d];
    bool ok = gx_array_empty_at(rt, GX_GPU, total, a->ndim, shape, (gx_namespace)a->ns, &r);
    if (ok) {
        ok = gx_data_at(rt, r->storage->data, GX_GPU, &to) &&
             gpu->scan(rt->gpu, total, product, outer, n, inner, from, flat->offset, to);
        if (ok) *out = r;
        else gx_array_drop(r);
    }
    gx_array_drop(flat);
    return ok;
}

GX_CHECK bool gx_device_empty(gx_rt *rt, int n, gx_array *const *near, gx_dtype d, int ndim,
                              const int64_t *shape, gx_namespace ns, gx_array **out) {
    gx_place place = GX_HOST;
    for (int i = 0; i < n; i++)
        if (rt->gpu && near[i]->storage->data->place == GX_GPU) place = GX_GPU;
    return gx_array_empty_at(rt, place, d, ndim, shape, ns, out);
}
