/* Operands are converted and laid out in C order first, where they live: on a GPU that fuses with
   what is pending. */
#include "runtime/op/whole.h"

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"

/* A ready C-contiguous operand, converted: a new reference. */
static bool laid_out(gx_rt *rt, gx_array *a, gx_dtype d, gx_array **out) {
    gx_array *cast;
    if (!gx_array_cast(rt, a, d, false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, out);
    gx_array_drop(cast);
    if (!ok || gx_storage_force(rt, (*out)->storage)) return ok;
    gx_array_drop(*out);
    return false;
}

/* Totals of `flat` in place, which nobody else has. */
static bool scan_own(gx_rt *rt, gx_device *device, gx_array *flat, gx_totals *j, int *fp) {
    if (!gx_storage_own(rt, flat->storage, GX_HOST, &j->to)) return false;
    j->from = j->to;
    return device->backend->scan(device, j, fp);
}

static bool scan_into(gx_rt *rt, gx_device *device, gx_place place, gx_array *flat, gx_array *to,
                      gx_totals *j, int *fp) {
    gx_buffer *from;
    if (!gx_data_at(rt, flat->storage->data, place, &from) ||
        !gx_data_at(rt, to->storage->data, place, &j->to))
        return false;
    j->from = from;
    j->offset = flat->offset;
    return device->backend->scan(device, j, fp);
}

GX_CHECK bool gx_array_scan(gx_rt *rt, gx_array *a, int axis, bool product, gx_dtype total,
                            gx_array **out) {
    const gx_place place = (gx_place)a->storage->data->place;
    const int64_t *shape = gx_shape(a);
    gx_device *device = gx_place_device(rt, place);
    gx_totals j = {.dtype = (gx_dtype)a->dtype, .total = total, .product = product, .outer = 1,
                   .n = shape[axis], .inner = 1};
    gx_array *flat, *r = NULL;
    int fp = 0;
    if (a->count == 0)
        return gx_array_empty_at(rt, place, total, a->ndim, shape, (gx_namespace)a->ns, out);
    for (int d = 0; d < axis; d++) j.outer *= shape[d];
    for (int d = axis + 1; d < a->ndim; d++) j.inner *= shape[d];
    if (!device->backend->scans(&j)) j.dtype = total;
    if (!laid_out(rt, a, j.dtype, &flat)) return false;
    bool ok;
    if (device->backend->host && j.dtype == total && flat->storage != a->storage &&
        flat->offset == 0) {
        ok = scan_own(rt, device, flat, &j, &fp);
        r = flat;
        flat = NULL;
    } else {
        ok = gx_array_empty_at(rt, place, total, a->ndim, shape, (gx_namespace)a->ns, &r) &&
             scan_into(rt, device, place, flat, r, &j, &fp);
    }
    gx_array_drop(flat);
    ok = ok && (fp == 0 || gx_fp_warn(rt, fp, "accumulate", rt->here));
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_empty_near(gx_rt *rt, int n, gx_array *const *near, gx_dtype d, int ndim,
                              const int64_t *shape, gx_namespace ns, gx_array **out) {
    gx_place place = GX_HOST;
    for (int i = 0; i < n; i++)
        if (rt->gpu && near[i]->storage->data->place == GX_GPU) place = GX_GPU;
    return gx_array_empty_at(rt, place, d, ndim, shape, ns, out);
}
