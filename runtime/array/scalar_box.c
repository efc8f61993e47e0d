/* NumPy scalars as values: inline up to 8 bytes, else in a box. A box of any dtype may also be
   pending: its element is the GPU's, which may still be computing it, and is fetched when somebody
   asks for the number. An operation on the GPU reads it there.

   Invariant: `pending` is NULL, or a ready value of one element; once it is NULL `value` is it. */
#include <string.h>

#include "runtime/array/dtype.h"
#include "runtime/graph/lazy.h"

typedef struct scalar_box {
    gx_obj obj;
    gx_data *pending;
    gx_scalar value;
} scalar_box;

static scalar_box *box_of(gx_borrowed v) {
    return v.tag == GX_SCALAR_BOX ? (scalar_box *)(void *)v.obj : NULL;
}

static scalar_box *new_box(gx_rt *rt, gx_dtype d) {
    scalar_box *box = gx_obj_new(rt, gx_scalar_type(d), sizeof *box);
    if (!box) return NULL;
    box->obj.tag = GX_SCALAR_BOX;
    box->pending = NULL;
    memset(&box->value, 0, sizeof box->value);
    return box;
}

GX_CHECK bool gx_scalar_new(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_value *out) {
    if (gx_dtypes[d].bytes <= 8) {
        gx_value v = {.tag = GX_SCALAR, .dtype = (uint8_t)d};
        memcpy(&v.u, s, gx_dtypes[d].bytes);
        *out = v;
        return true;
    }
    scalar_box *box = new_box(rt, d);
    if (!box) return false;
    box->value = *s;
    *out = gx_object(&box->obj);
    return true;
}

GX_CHECK bool gx_scalar_later(gx_rt *rt, gx_data *d, gx_value *out) {
    scalar_box *box = new_box(rt, (gx_dtype)d->dtype);
    if (!box) return false;
    box->pending = gx_data_keep(d);
    *out = gx_object(&box->obj);
    return true;
}

void gx_scalar_free(gx_rt *rt, gx_obj *o) {
    gx_data_drop(((scalar_box *)(void *)o)->pending);
    gx_free(rt, o);
}

bool gx_scalar_is_pending(gx_borrowed v) {
    const scalar_box *box = box_of(v);
    return box && box->pending;
}

GX_CHECK bool gx_scalar_read(gx_rt *rt, gx_borrowed v, gx_scalar *out) {
    scalar_box *box = box_of(v);
    if (!box) {
        *out = (gx_scalar){.bits = {v.u, 0}};
        return true;
    }
    if (box->pending) {
        /* What the GPU has to tell may run a script's code that drops the value. */
        gx_data *d = gx_data_keep(box->pending);
        gx_scalar s = {.bits = {0, 0}};
        bool ok = gx_data_peek(rt, d, 0, &s, (size_t)gx_dtypes[d->dtype].bytes);
        gx_data_drop(d);
        if (!ok) return false;
        box->value = s;
        gx_data_drop(box->pending);
        box->pending = NULL;
    }
    *out = box->value;
    return true;
}

GX_CHECK bool gx_scalar_array(gx_rt *rt, gx_borrowed v, gx_namespace ns, gx_array **out) {
    const scalar_box *box = box_of(v);
    if (box && box->pending) {
        /* A product of vectors is computed as one of matrices and has axes; the number has none. */
        gx_array *all;
        if (!gx_array_of_data_take(rt, gx_data_keep(box->pending), ns, &all)) return false;
        const gx_dtype d = (gx_dtype)all->dtype;
        bool ok = true;
        *out = all;
        if (all->ndim > 0) {
            ok = gx_array_view(rt, all, d, 0, all->dims, all->dims, all->offset, out);
            gx_array_drop(all);
        }
        return ok;
    }
    gx_scalar s;
    return gx_scalar_read(rt, v, &s) && gx_array_scalar(rt, gx_scalar_dtype(v), &s, ns, out);
}
