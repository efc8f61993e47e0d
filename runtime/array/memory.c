/* Arrays over another's memory: a storage as that of a memory map (map.c), whose buffer is foreign.
   What lies there in some order of strides is a storage of all bytes from the first to the last
   element, and a view of it. */
#include "runtime/array/memory.h"

#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"

typedef struct outside_buffer {
    gx_buffer head;
    gx_memory memory;
} outside_buffer;

/* Counts the buffers that gx_lazy_outside is about. */
static void count_outside(gx_rt *rt, int by) {
    if (rt->engine) rt->engine->outside += by;
}

static void give_back(gx_buffer *b) {
    outside_buffer *o = (outside_buffer *)b;
    gx_memory memory = o->memory;
    count_outside(b->device->rt, -1);
    gx_free(b->device->rt, o);
    memory.release(memory.owner);
}

/* The bytes from the lowest to the highest element. */
static void extent(const gx_memory *memory, int64_t item, int ndim, const int64_t *shape,
                   const int64_t *strides, char **low, int64_t *bytes) {
    *low = memory->data;
    *bytes = item;
    for (int i = 0; i < ndim; i++) {
        int64_t reach = (shape[i] - 1) * strides[i];
        if (reach < 0) *low += reach;
        *bytes += reach < 0 ? -reach : reach;
    }
}

/* An array of n elements over the buffer, which is taken over. */
static bool row_take(gx_rt *rt, gx_buffer *b, gx_dtype d, int64_t n, gx_namespace ns,
                     gx_array **out) {
    gx_data *v = gx_data_new(rt, GX_DATA_READY, d, 1, 1, 0);
    if (!v) {
        gx_buffer_drop(b);
        return false;
    }
    v->leaves = 1;
    gx_copies_begin_take(&v->copies, b);
    if (!gx_extent_value_take(rt, v, &n)) return false;
    v->held = v->bytes;
    v->layout[0] = gx_dtype_size(d);
    if (!gx_array_of_data_take(rt, v, ns, out)) return false;
    (*out)->storage->mapped = true;
    (*out)->storage->data->place = GX_HOST;
    gx_array_from_outside(*out);
    return true;
}

bool gx_array_outside(gx_rt *rt, const gx_memory *memory, gx_dtype d, int ndim,
                      const int64_t *shape, const int64_t *strides, gx_namespace ns,
                      gx_array **out) {
    int64_t count, item = gx_dtype_size(d), bytes;
    char *low;
    gx_array *row;
    outside_buffer *o = NULL;
    if (gx_shape_count(rt, ndim, shape, item, &count) && count) o = gx_alloc_zero(rt, sizeof *o);
    if (!o) {
        memory->release(memory->owner);
        return !gx_failed(&rt->error) && gx_array_empty(rt, d, ndim, shape, ns, out);
    }
    extent(memory, item, ndim, shape, strides, &low, &bytes);
    *o = (outside_buffer){.head = {.device = rt->device,
                                   .data = low,
                                   .bytes = bytes,
                                   .room = bytes,
                                   .refs = 1,
                                   .foreign = give_back},
                          .memory = *memory};
    count_outside(rt, 1);
    /* Fields of records do not fill the space between them. */
    bool whole = bytes % item == 0;
    if (!row_take(rt, &o->head, whole ? d : GX_u8, whole ? bytes / item : bytes, ns, &row))
        return false;
    bool ok = gx_array_view(rt, row, d, ndim, shape, strides, (char *)memory->data - low, out);
    gx_array_drop(row);
    if (ok && !memory->writable) (*out)->flags |= GX_ARRAY_READONLY;
    return ok;
}

/* --- storages that stay ----------------------------------------------------------------------- */

typedef struct pinned_buffer {
    gx_buffer head;
    gx_buffer *own; /* of the pool */
} pinned_buffer;

static void unpin(gx_buffer *b) {
    pinned_buffer *p = (pinned_buffer *)b;
    gx_buffer_drop(p->own);
    count_outside(b->device->rt, -1);
    gx_free(b->device->rt, p);
}

static bool pin(gx_rt *rt, gx_array *a) {
    gx_buffer *b;
    if (a->storage->mapped) return true;
    if (!gx_storage_own(rt, a->storage, GX_HOST, &b)) return false;
    gx_data *v = a->storage->data;
    pinned_buffer *p = b->foreign ? NULL : gx_alloc_zero(rt, sizeof *p);
    if (!p) return b->foreign != NULL;
    p->head = (gx_buffer){.device = b->device,
                          .data = b->data,
                          .bytes = b->bytes,
                          .room = b->room,
                          .refs = 1,
                          .foreign = unpin};
    count_outside(rt, 1);
    p->own = gx_copies_swap_host(&v->copies, &p->head);
    v->place = GX_HOST;
    gx_copies_keep_only(rt, &v->copies, GX_HOST);
    a->storage->mapped = true;
    return true;
}

bool gx_array_lendable(gx_rt *rt, gx_array *a, gx_array **out) {
    gx_array *host = a;
    if (!gx_array_needs_gpu(a)) gx_array_keep(a);
    else if (!gx_array_to_namespace(rt, a, GX_NS_NUMPY, true, &host)) return false;
    bool ok = pin(rt, host) && gx_array_view(rt, host, (gx_dtype)host->dtype, host->ndim,
                                             gx_shape(host), gx_strides(host), host->offset, out);
    gx_array_drop(host);
    if (ok) (*out)->flags |= a->flags & GX_ARRAY_READONLY;
    return ok;
}

/* --- DLPack ----------------------------------------------------------------------------------- */

DLDataType gx_dlpack_of_dtype(gx_dtype d) {
    static const uint8_t codes[] = {[GX_KIND_BOOL] = kDLBool,   [GX_KIND_INT] = kDLInt,
                                    [GX_KIND_UINT] = kDLUInt,   [GX_KIND_FLOAT] = kDLFloat,
                                    [GX_KIND_CPLX] = kDLComplex};
    const uint8_t code = gx_is_extension(d) ? kDLBfloat : codes[gx_dtype_kind(d)];
    return (DLDataType){code, (uint8_t)(8 * gx_dtype_size(d)), 1};
}

bool gx_dtype_of_dlpack(gx_rt *rt, DLDataType t, gx_dtype *out) {
    for (int d = 0; d < GX_DTYPES; d++) {
        DLDataType own = gx_dlpack_of_dtype((gx_dtype)d);
        if (own.code != t.code || own.bits != t.bits || t.lanes != 1) continue;
        *out = (gx_dtype)d;
        return true;
    }
    return gx_fail(rt, GX_BufferError, "dlpack.dtype",
                   "gx has no dtype of DLPack's code %d with %d bits and %d lanes", t.code, t.bits,
                   t.lanes);
}
