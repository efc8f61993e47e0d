/* Arrays in and out: copies of elements that a program has, and views of those that gx has. What is
   lent by DLPack is a value, which never changes: a later store by the script goes elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"
#include "include/gx_dlpack.h"
#include "runtime/array/array.h"
#include "runtime/array/memory.h"
#include "runtime/backend/gpu.h"

static bool dtype_of(gx_rt *rt, const char *name, gx_dtype *out) {
    for (int d = 0; name && d < GX_DTYPES; d++) {
        if (strcmp(gx_dtypes[d].name, name) != 0) continue;
        *out = (gx_dtype)d;
        return true;
    }
    return gx_fail(rt, GX_TypeError, "dtype.unknown", "there is no dtype '%.40s'",
                   name ? name : "");
}

/* Copies elements of `item` bytes into C order. */
static char *copy_axis(char *to, const char *from, int ndim, const int64_t *shape,
                       const int64_t *strides, size_t item) {
    if (ndim == 0) {
        memcpy(to, from, item);
        return to + item;
    }
    for (int64_t i = 0; i < shape[0]; i++)
        to = copy_axis(to, from + i * strides[0], ndim - 1, shape + 1, strides + 1, item);
    return to;
}

/* An array of the elements at `data`; strides NULL: they are in C order. */
static bool array_of(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, const int64_t *strides,
                     const void *data, gx_value *out) {
    gx_array *a;
    char *to;
    if (ndim < 0 || ndim > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "shape.dims", "an array has 0 to %d axes, not %d",
                       GX_MAX_DIMS, ndim);
    for (int i = 0; i < ndim; i++)
        if (shape[i] < 0)
            return gx_fail(rt, GX_ValueError, "shape.negative", "axis %d has %lld elements", i,
                           (long long)shape[i]);
    if (!gx_array_empty(rt, d, ndim, shape, GX_NS_NUMPY, &a)) return false;
    if (!gx_array_write(rt, a, &to)) {
        gx_array_drop(a);
        return false;
    }
    if (a->count && strides)
        copy_axis(to, data, ndim, shape, strides, (size_t)gx_dtype_size(d));
    else if (a->count)
        memcpy(to, data, (size_t)gx_array_nbytes(a));
    gx_array_from_outside(a);
    *out = gx_array_value(a);
    return true;
}

gx_ref *gx_ref_array(gx_state *s, const gx_strided *from) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_undef();
    gx_dtype d;
    bool ok = dtype_of(rt, from->dtype, &d) &&
              array_of(rt, d, from->ndim, from->shape, from->strides, from->data, &v);
    return gx_state_give(s, ok, v);
}

static bool is_array(gx_rt *rt, const gx_ref *r) {
    return gx_is_array(r->value) || gx_fail(rt, GX_TypeError, "arg.type",
                                              "an array is wanted, not %s",
                                            gx_type_name(r->value));
}

static gx_strided elements(const gx_array *a, void *data) {
    return (gx_strided){.dtype = gx_dtypes[a->dtype].name,
                        .ndim = a->ndim,
                        .shape = gx_shape(a),
                        .strides = gx_strides(a),
                        .data = data};
}

bool gx_ref_read(gx_ref *r, gx_strided *out) {
    gx_rt *rt = gx_state_enter(r->state);
    const char *data;
    bool ok = is_array(rt, r) && gx_array_read(rt, gx_as_array(r->value), &data);
    if (ok) *out = elements(gx_as_array(r->value), (void *)(uintptr_t)data);
    return gx_state_done(r->state, ok);
}

bool gx_ref_write(gx_ref *r, gx_strided *out) {
    gx_rt *rt = gx_state_enter(r->state);
    char *data;
    bool ok = is_array(rt, r) && gx_array_write(rt, gx_as_array(r->value), &data);
    if (ok) *out = elements(gx_as_array(r->value), data);
    return gx_state_done(r->state, ok);
}

bool gx_ref_device(gx_ref *r, gx_strided *out, int *device) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_lent lent;
    bool ok = is_array(rt, r) && gx_array_lend(rt, gx_as_array(r->value), &lent);
    if (ok) {
        *out = elements(gx_as_array(r->value), lent.on_gpu ? lent.data : NULL);
        if (device) *device = lent.device;
        gx_lent_drop(&lent);
    }
    return gx_state_done(r->state, ok);
}

/* --- DLPack ----------------------------------------------------------------------------------- */

typedef struct lending {
    DLManagedTensorVersioned tensor;
    gx_lent lent;
    int64_t dims[]; /* shape, then strides in elements */
} lending;

static void give_back(DLManagedTensorVersioned *tensor) {
    lending *l = (lending *)(void *)tensor;
    gx_lent_drop(&l->lent);
    free(l);
}

DLManagedTensorVersioned *gx_ref_to_dlpack(gx_ref *r) {
    gx_rt *rt = gx_state_enter(r->state);
    lending *l = NULL;
    bool ok = is_array(rt, r);
    if (ok) {
        gx_array *a = gx_as_array(r->value);
        l = calloc(1, sizeof *l + 2 * a->ndim * sizeof *l->dims);
        ok = l ? gx_array_lend(rt, a, &l->lent) : gx_no_memory(rt);
        if (ok) {
            const int64_t item = gx_dtype_size(a->dtype);
            memcpy(l->dims, gx_shape(a), a->ndim * sizeof *l->dims);
            for (int i = 0; i < a->ndim && ok; i++) {
                l->dims[a->ndim + i] = gx_strides(a)[i] / item;
                if (gx_strides(a)[i] % item)
                    ok = gx_fail(rt, GX_BufferError, "dlpack.strides",
                                 "the strides are no multiples of the elements' size");
            }
            if (!ok) gx_lent_drop(&l->lent);
            l->tensor = (DLManagedTensorVersioned){
                .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                .deleter = give_back,
                .flags = DLPACK_FLAG_BITMASK_READ_ONLY,
                .dl_tensor = {.data = l->lent.data,
                              .device = {l->lent.on_gpu ? kDLCUDA : kDLCPU, l->lent.device},
                              .ndim = a->ndim,
                              .dtype = gx_dlpack_of_dtype((gx_dtype)a->dtype),
                              .shape = l->dims,
                              .strides = l->dims + a->ndim}};
        }
    }
    if (gx_state_done(r->state, ok)) return &l->tensor;
    free(l);
    return NULL;
}

static bool from_tensor(gx_rt *rt, const DLManagedTensorVersioned *m, gx_value *out) {
    const DLTensor *t = &m->dl_tensor;
    int64_t strides[GX_MAX_DIMS];
    gx_dtype d;
    if (m->version.major != DLPACK_MAJOR_VERSION)
        return gx_fail(rt, GX_BufferError, "dlpack.version", "DLPack %u is not understood, %d is",
                       m->version.major, DLPACK_MAJOR_VERSION);
    if (t->device.device_type != kDLCPU && t->device.device_type != kDLCUDAHost &&
        t->device.device_type != kDLCUDAManaged)
        return gx_fail(rt, GX_BufferError, "dlpack.device",
                       "a tensor of the host is taken, not of DLPack's device %d",
                       (int)t->device.device_type);
    if (!gx_dtype_of_dlpack(rt, t->dtype, &d)) return false;
    if (t->ndim < 0 || t->ndim > GX_MAX_DIMS)
        return gx_fail(rt, GX_ValueError, "shape.dims", "an array has 0 to %d axes, not %d",
                       GX_MAX_DIMS, (int)t->ndim);
    for (int i = 0; t->strides && i < t->ndim; i++) strides[i] = t->strides[i] * gx_dtype_size(d);
    return array_of(rt, d, t->ndim, t->shape, t->strides ? strides : NULL,
                    (const char *)t->data + t->byte_offset, out);
}

gx_ref *gx_ref_from_dlpack(gx_state *s, DLManagedTensorVersioned *tensor) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_undef();
    bool ok = from_tensor(rt, tensor, &v);
    if (tensor->deleter) tensor->deleter(tensor);
    return gx_state_give(s, ok, v);
}
