/* Stores on a GPU that read their array elsewhere than they write it, as in a sweep by slices: the
   expression goes into a fresh buffer, and what lies around the region is copied there, strip by
   strip. That moves each element twice instead of four times. Nothing here runs the expression.

   Invariant: the strips are disjoint, and with the region they are the whole buffer. */
#include <string.h>

#include "runtime/graph/plan.h"

/* The buffer as a box of dims by falling stride, and the region in it. */
typedef struct box {
    int ndim;
    int64_t stride[GX_MAX_DIMS + 1], size[GX_MAX_DIMS + 1]; /* of the buffer */
    int64_t start[GX_MAX_DIMS + 1], count[GX_MAX_DIMS + 1]; /* of the region */
    int item;
    int64_t elements, inside;
} box;

/* False: the region's strides are not those of any box. */
static bool find_box(const gx_data *d, box *b) {
    int order[GX_MAX_DIMS];
    int64_t at = d->region_offset, outer = d->bytes;
    b->ndim = 0;
    b->item = (int)gx_dtype_size(d->dtype);
    b->elements = d->bytes / b->item;
    b->inside = 1;
    for (int k = 0; k < d->ndim; k++)
        if (d->layout[k] <= 0 && d->shape[k] > 1) return false;
    gx_layout_order(d->ndim, d->layout, order);
    for (int k = 0; k < d->ndim; k++) {
        int64_t stride = d->layout[order[k]], count = d->shape[order[k]];
        if (count == 1) continue;
        b->stride[b->ndim] = stride;
        b->count[b->ndim++] = count;
    }
    if (b->ndim == 0 || b->stride[b->ndim - 1] != b->item) {
        b->stride[b->ndim] = b->item;
        b->count[b->ndim++] = 1;
    }
    for (int k = 0; k < b->ndim; k++) {
        if (outer % b->stride[k] != 0 || outer == b->stride[k]) return false;
        b->size[k] = outer / b->stride[k];
        b->start[k] = at / b->stride[k];
        at %= b->stride[k];
        if (b->start[k] + b->count[k] > b->size[k]) return false;
        outer = b->stride[k];
        b->inside *= b->count[k];
    }
    return at == 0;
}

/* Copies a strip: outside the region along dim `along`, from `from` on `n` wide, and again `again`
   further when that is not 0; inside along the dims before, everything along those behind. */
static bool copy_strip(gx_rt *rt, gx_tape *t, const box *b, int along, int64_t from, int64_t n,
                       int64_t again) {
    gx_leaf *l = &t->leaf[0];
    gx_out *o = &t->out[0];
    int nd = 0;
    l->offset = from * b->stride[along];
    if (again) {
        t->shape[nd] = 2;
        l->strides[nd++] = again * b->stride[along];
    }
    for (int k = 0; k < b->ndim; k++) {
        if (k < along) l->offset += b->start[k] * b->stride[k];
        t->shape[nd] = k < along ? b->count[k] : k == along ? n : b->size[k];
        if (t->shape[nd] == 1) continue;
        l->strides[nd++] = b->stride[k];
    }
    if (nd == 0) {
        t->shape[0] = 1;
        l->strides[nd++] = b->item;
    }
    t->ndim = nd;
    o->offset = l->offset;
    memcpy(o->strides, l->strides, sizeof o->strides);
    gx_tape_collapse(t);
    return gx_tape_run(rt, (gx_place)t->out[0].buf->device->place, t, (gx_span){0, 0, 0});
}

static bool copy_strips(gx_rt *rt, const box *b, gx_buffer *from, gx_buffer *to) {
    static const uint8_t bits[] = {[1] = GX_u8, [2] = GX_u16, [4] = GX_u32, [8] = GX_u64,
                                   [16] = GX_c128};
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    bool ok = t != NULL;
    for (int k = 0; k < b->ndim && ok; k++) {
        int64_t low = b->start[k], end = low + b->count[k], high = b->size[k] - end;
        if (k == 0) {
            t->n_leaf = t->n_step = t->n_out = 1;
            t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = bits[b->item], .buf = from};
            t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = bits[b->item]};
            t->out[0] = (gx_out){.buf = to};
        }
        if (low == high && low > 0) ok = copy_strip(rt, t, b, k, 0, low, end);
        else if (low > 0) ok = copy_strip(rt, t, b, k, 0, low, 0);
        if (ok && high > 0 && low != high) ok = copy_strip(rt, t, b, k, end, high, 0);
    }
    gx_free(rt, t);
    return ok;
}

GX_CHECK bool gx_store_frame(gx_rt *rt, const gx_data *d, gx_buffer *held, gx_buffer **out) {
    box *b;
    gx_buffer *to = NULL;
    *out = NULL;
    if (d->place == GX_HOST || rt->debug.nofuse || d->ndim == 0) return true;
    b = gx_alloc(rt, sizeof *b);
    if (!b) return false;
    bool ok = true;
    if (find_box(d, b) && b->inside >= b->elements / 2) {
        ok = gx_buffer_at(rt, (gx_place)d->place, d->bytes, &to) && copy_strips(rt, b, held, to);
        if (!ok) gx_buffer_drop(to);
    }
    gx_free(rt, b);
    if (ok) *out = to;
    return ok;
}
