/* Copies of arrays: shared values, other orders in memory, other dtypes. */
#include <string.h>

#include "runtime/array/layout.h"
#include "runtime/array/part_int.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/warn.h"

enum { FEW = 256 };

/* A few ready elements one after the other are converted at once. */
static bool can_cast_small(const gx_rt *rt, const gx_array *a, gx_dtype d, gx_namespace ns) {
    const gx_data *from = a->storage->data;
    return d != a->dtype && ns == a->ns && from->kind == GX_DATA_READY &&
           from->place == GX_HOST && gx_data_on(from, GX_HOST) && !gx_array_is_loose(a) &&
           a->count > 0 && a->count <= FEW && rt->debug.small && rt->device->backend->small &&
           gx_array_is_contiguous(a, 'C') && !rt->explaining;
}

static bool cast_small(gx_rt *rt, const gx_array *a, gx_dtype d, gx_namespace ns, gx_array **out) {
    const gx_data *from = a->storage->data;
    const void *in[3] = {gx_data_bytes(from) + a->offset, NULL, NULL};
    gx_array *r;
    int fp = 0;
    if (!gx_array_empty(rt, d, a->ndim, gx_shape(a), ns, &r)) return false;
    if (!rt->device->backend->small(rt->device, GX_OP_NONE, (gx_dtype)a->dtype, d,
                                    gx_data_bytes(r->storage->data), in, a->count, 0, &fp) ||
        (fp && !gx_fp_warn(rt, fp, "cast", rt->here))) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

/* A copy of a's elements, converted to d, in an order; pending, if they are many. */
static bool copy_as(gx_rt *rt, gx_array *a, gx_dtype d, char order, gx_namespace ns,
                    gx_array **out) {
    if ((order == 'C' || order == 'K') && can_cast_small(rt, a, d, ns))
        return cast_small(rt, a, d, ns, out);
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, d, a->ndim, a->ndim, 1);
    if (!m) return false;
    if (!gx_extent_value_take(rt, m, gx_shape(a))) return false;
    m->compute = (uint8_t)d;
    memcpy(m->in[0].strides, gx_strides(a), (size_t)a->ndim * sizeof(int64_t));
    m->in[0].data = gx_data_keep(a->storage->data);
    m->in[0].offset = a->offset;
    m->in[0].dtype = a->dtype;
    gx_data_count(m);
    if (order == 'K' && gx_array_is_contiguous(a, 'C')) order = 'C'; /* axes of one element aside */
    if (order == 'K') {
        int axes[GX_MAX_DIMS];
        gx_order_of_copy(a->ndim, gx_strides(a), axes);
        gx_order_strides(a->ndim, gx_shape(a), gx_dtype_size(d), axes, m->layout);
    } else {
        gx_contiguous_strides(a->ndim, gx_shape(a), gx_dtype_size(d), order, m->layout);
    }
    return gx_array_of_data_take(rt, m, ns, out);
}

/* Is the array exactly its storage's value, so that a copy can share it? Values are immutable: the
   first store into either makes them part. */
static bool is_whole_value(const gx_array *a, char order) {
    const gx_data *d = a->storage->data;
    return d->dtype == a->dtype && a->offset == 0 && d->bytes == gx_array_nbytes(a) &&
           gx_array_is_contiguous(a, order == 'F' ? 'F' : 'C') && !gx_data_is_foreign(d);
}

static bool share_value(gx_rt *rt, const gx_array *a, gx_namespace ns, gx_array **out) {
    gx_storage *storage;
    if (!gx_storage_new_take(rt, gx_data_keep(a->storage->data), &storage)) return false;
    gx_array *c = gx_array_head(rt, storage, (gx_dtype)a->dtype, a->ndim, ns);
    gx_storage_drop(rt, storage);
    if (!c) return false;
    gx_array_become(c, a);
    *out = c;
    return true;
}

GX_CHECK bool gx_array_strict(gx_rt *rt, gx_array *a, gx_array **out) {
    if (gx_array_is_loose(a)) return copy_as(rt, a, GX_bool, 'K', (gx_namespace)a->ns, out);
    gx_array_keep(a);
    *out = a;
    return true;
}

GX_CHECK bool gx_array_copy(gx_rt *rt, gx_array *a, char order, gx_array **out) {
    if (order == 'A')
        order = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C') ? 'F' : 'C';
    if (order == 'K' && gx_array_is_contiguous(a, 'C')) order = 'C';
    if (order != 'K' && is_whole_value(a, order))
        return share_value(rt, a, (gx_namespace)a->ns, out);
    return copy_as(rt, a, (gx_dtype)a->dtype, order, (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_cast(gx_rt *rt, gx_array *a, gx_dtype d, bool copy, gx_array **out) {
    if (d == a->dtype) {
        if (copy) return gx_array_copy(rt, a, 'K', out);
        gx_array_keep(a);
        *out = a;
        return true;
    }
    return copy_as(rt, a, d, 'K', (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_contiguous(gx_rt *rt, gx_array *a, gx_array **out) {
    if (gx_array_is_contiguous(a, 'C') && !gx_array_is_part_of_pending(rt, a) &&
        !gx_array_is_loose(a)) {
        gx_array_keep(a);
        *out = a;
        return true;
    }
    return copy_as(rt, a, (gx_dtype)a->dtype, 'C', (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_to_namespace(gx_rt *rt, gx_array *a, gx_namespace ns, bool copy,
                                    gx_array **out) {
    if (!copy && a->ns == ns) {
        gx_array_keep(a);
        *out = a;
        return true;
    }
    gx_array *r;
    if (!gx_array_copy(rt, a, 'K', &r)) return false;
    r->ns = (uint8_t)ns;
    if (!gx_place_settle(rt, r)) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}
