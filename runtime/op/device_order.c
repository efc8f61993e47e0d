/* Entries of a GPU's backend about the order of elements (runtime/backend/order.h). Operands are
   laid out in C order first, on the GPU, which fuses with what is pending. */
#include "runtime/op/device_order.h"

#include <string.h>

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"

static const gx_order_calls *order_of(gx_rt *rt, const gx_array *a) {
    if (!rt->gpu || a->storage->data->place != GX_GPU) return NULL;
    return rt->gpu->backend->order;
}

/* A C-contiguous operand on the GPU: a new reference, and its elements. */
static bool laid_out(gx_rt *rt, gx_array *a, gx_array **flat, gx_elements *e) {
    gx_array *f;
    gx_buffer *buf;
    if (!gx_array_contiguous(rt, a, &f)) return false;
    if (!gx_storage_force(rt, f->storage) || !gx_data_at(rt, f->storage->data, GX_GPU, &buf)) {
        gx_array_drop(f);
        return false;
    }
    *e = (gx_elements){.buf = buf, .offset = f->offset, .n = f->count, .dtype = (gx_dtype)f->dtype};
    *flat = f;
    return true;
}

/* A result beside a: an array and its bytes. */
static bool made(gx_rt *rt, const gx_array *a, gx_dtype d, int ndim, const int64_t *shape,
                 gx_array **out, gx_buffer **buf) {
    gx_array *r;
    if (!gx_array_empty_at(rt, GX_GPU, d, ndim, shape, (gx_namespace)a->ns, &r)) return false;
    if (!gx_data_at(rt, r->storage->data, GX_GPU, buf)) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

bool gx_device_orders(gx_rt *rt, const gx_array *a) {
    return order_of(rt, a) != NULL;
}

bool gx_device_sorts(gx_rt *rt, const gx_array *a, int axis) {
    const gx_order_calls *order = order_of(rt, a);
    if (!order || a->ndim == 0 || a->count == 0) return false;
    int64_t n = gx_shape(a)[axis];
    return order->sorts(rt->gpu, (gx_dtype)a->dtype, a->count / n, n);
}

GX_CHECK bool gx_device_sort_both(gx_rt *rt, gx_array *a, gx_array **sorted, gx_array **index) {
    gx_array *flat, *r = NULL, *x = NULL;
    gx_buffer *to = NULL, *positions = NULL;
    gx_elements e;
    if (!gx_device_sorts(rt, a, a->ndim - 1)) return true;
    if (!laid_out(rt, a, &flat, &e)) return false;
    const gx_order_calls *order = order_of(rt, flat);
    const int64_t *shape = gx_shape(a);
    bool ok = (!sorted || made(rt, a, e.dtype, a->ndim, shape, &r, &to)) &&
              (!index || made(rt, a, GX_i64, a->ndim, shape, &x, &positions)) &&
              order->sort(rt->gpu, &e, e.n / shape[a->ndim - 1], to, positions);
    gx_array_drop(flat);
    if (!ok) {
        gx_array_drop(r);
        gx_array_drop(x);
        return false;
    }
    if (sorted) *sorted = r;
    if (index) *index = x;
    return true;
}

GX_CHECK bool gx_device_sort(gx_rt *rt, gx_array *a, bool index, gx_array **out) {
    *out = NULL;
    return gx_device_sort_both(rt, a, index ? NULL : out, index ? out : NULL);
}

GX_CHECK bool gx_device_search(gx_rt *rt, gx_array *among, gx_array *v, bool right,
                               gx_array **out) {
    gx_array *a, *x, *r;
    gx_buffer *to;
    gx_elements in, what;
    *out = NULL;
    const gx_order_calls *order = order_of(rt, v);
    if (!order) order = order_of(rt, among);
    if (!order || v->count == 0) return true;
    if (!laid_out(rt, among, &a, &in)) return false;
    bool ok = laid_out(rt, v, &x, &what);
    if (ok) {
        ok = made(rt, v, GX_i64, v->ndim, gx_shape(v), &r, &to);
        if (ok) {
            ok = order->search(rt->gpu, &in, &what, right, to);
            if (ok)
                *out = r;
            else
                gx_array_drop(r);
        }
        gx_array_drop(x);
    }
    gx_array_drop(a);
    return ok;
}

GX_CHECK bool gx_device_select(gx_rt *rt, gx_array *a, int m, const int64_t *ranks,
                               gx_array **out) {
    enum { MOST_TABLES = 1 << 12 };
    gx_array *flat, *r;
    gx_buffer *to;
    gx_elements e;
    int64_t shape[GX_MAX_DIMS + 1];
    const gx_order_calls *order = order_of(rt, a);
    *out = NULL;
    if (!order || a->ndim == 0 || a->count == 0 || m > GX_ORDER_RANKS) return true;
    int64_t n = gx_shape(a)[a->ndim - 1], rows = a->count / n;
    if (rows * m > MOST_TABLES || n > UINT32_MAX) return true;
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[a->ndim - 1] = m;
    if (!laid_out(rt, a, &flat, &e)) return false;
    bool ok = made(rt, a, e.dtype, a->ndim, shape, &r, &to);
    if (ok) {
        ok = order->select(rt->gpu, &e, rows, m, ranks, to);
        if (ok)
            *out = r;
        else
            gx_array_drop(r);
    }
    gx_array_drop(flat);
    return ok;
}

/* The second step of unique, with room for all that is wanted. */
static bool write_runs(gx_rt *rt, gx_array *sorted, gx_runs *r, gx_array **out[4]) {
    int64_t n = sorted->count;
    gx_array *a[4] = {NULL, NULL, NULL, NULL};
    gx_buffer *b[4] = {NULL, NULL, NULL, NULL};
    bool ok = true;
    for (int i = 0; ok && i < 4; i++)
        if (out[i])
            ok = made(rt, sorted, i ? GX_i64 : (gx_dtype)sorted->dtype, 1, i == 3 ? &n : &r->count,
                      &a[i], &b[i]);
    r->values = b[0];
    r->lengths = b[1];
    r->first = b[2];
    r->inverse = b[3];
    ok = ok && order_of(rt, sorted)->write_runs(rt->gpu, r);
    for (int i = 0; i < 4; i++) {
        if (!ok)
            gx_array_drop(a[i]);
        else if (out[i])
            *out[i] = a[i];
    }
    return ok;
}

GX_CHECK bool gx_device_unique(gx_rt *rt, gx_array *a, bool equal_nan, gx_array **values,
                               gx_array **lengths, gx_array **first, gx_array **inverse) {
    gx_array *sorted, *index = NULL, **out[4] = {values, lengths, first, inverse};
    gx_buffer *positions = NULL;
    *values = NULL;
    if (!gx_device_sorts(rt, a, 0)) return true;
    bool wanted = first || inverse;
    if (!gx_device_sort_both(rt, a, &sorted, wanted ? &index : NULL)) return false;
    gx_buffer *buf = NULL;
    bool ok = gx_data_at(rt, sorted->storage->data, GX_GPU, &buf) &&
              (!wanted || gx_data_at(rt, index->storage->data, GX_GPU, &positions));
    if (ok) {
        const gx_elements e = {buf, sorted->offset, sorted->count, (gx_dtype)sorted->dtype};
        gx_runs r = {.sorted = &e, .equal_nan = equal_nan, .index = positions};
        ok = order_of(rt, sorted)->count_runs(rt->gpu, &r) && write_runs(rt, sorted, &r, out);
        gx_buffer_drop(r.before);
    }
    gx_array_drop(sorted);
    gx_array_drop(index);
    return ok;
}
