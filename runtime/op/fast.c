/* The short way for small arrays: one or two ready, contiguous operands of one shape and dtype, or
   one of them and a Python number of a fitting kind, and reductions of one. It decides nothing that
   ufunc.c and reduce.c do not decide the same way; whatever it does not know it leaves to them
   (GX_TRY_NO). */
#include <math.h>
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/graph/extent.h"
#include "runtime/op/ufunc_int.h"

enum { FAST_BYTES = 4096 };

/* A ready, small, C-contiguous array of numbers? */
static inline bool is_plain(const gx_array *a) {
    const gx_data *d = a->storage->data;
    if (gx_is_kind(a->dtype)) return false;
    int64_t expect = gx_dtypes[a->dtype].bytes;
    if (d->kind != GX_DATA_READY || !gx_data_on(d, GX_HOST) || a->count * expect > FAST_BYTES)
        return false;
    if (gx_array_is_loose(a)) return false;
    for (int i = a->ndim - 1; i >= 0; i--) {
        if (gx_strides(a)[i] != expect) return false;
        expect *= gx_shape(a)[i];
    }
    return a->ndim > 0 && a->count > 0;
}

/* A Python number as an element, where no rule beyond its kind is needed. */
static bool plain_number(gx_borrowed v, gx_dtype d, gx_scalar *out) {
    if (v.tag == GX_FLOAT) {
        if (d == GX_f64) out->f64 = v.f;
        else if (d == GX_f32) out->f32 = (float)v.f;
        else return false;
        return d == GX_f64 || !isinf(out->f32) || isinf(v.f); /* an overflow is warned of */
    }
    if (v.tag != GX_INT) return false;
    if (d == GX_i64) out->i64 = v.i;
    else if (d == GX_f64) out->f64 = (double)v.i;
    else if (d == GX_f32) out->f32 = (float)v.i;
    else return false;
    return true;
}

/* An uninitialised array shaped like `like`, skipping the checks that its size makes needless. */
static gx_array *similar(gx_rt *rt, const gx_array *like, gx_dtype d, char **data) {
    int ndim = like->ndim;
    gx_data *v = gx_data_new(rt, GX_DATA_READY, d, ndim, ndim, 0);
    if (!v) return NULL;
    v->held = like->count * gx_dtypes[d].bytes;
    v->leaves = 1;
    gx_buffer *b;
    gx_storage *storage = NULL;
    if (gx_buffer_new(rt, v->held, &b)) {
        gx_copies_begin_take(&v->copies, b);
        storage = gx_alloc_zero(rt, sizeof *storage);
    }
    if (!storage) {
        gx_data_drop(v);
        return NULL;
    }
    storage->data = v;
    v->storages = 1;
    gx_array *a = gx_array_head(rt, storage, d, ndim, (gx_namespace)like->ns);
    if (!a) {
        storage->refs = 1;
        gx_storage_drop(rt, storage);
        return NULL;
    }
    gx_extent_similar(v, a, like);
    *data = b->data;
    return a;
}

gx_try gx_op_fast(gx_rt *rt, gx_opcode op, const gx_borrowed *v, gx_value *out) {
    const gx_op_info *info = &gx_ops[op];
    const gx_backend *backend = rt->device->backend;
    if (info->arity > 2 || !rt->debug.small || !backend->small || op == GX_OP_power)
        return GX_TRY_NO;
    const gx_array *first = NULL;
    for (int k = 0; k < info->arity; k++) {
        if (v[k].tag != GX_ARRAY) continue;
        const gx_array *a = gx_as_array(v[k]);
        if (!is_plain(a)) return GX_TRY_NO;
        if (!first) first = a;
        else if (a->dtype != first->dtype || a->ndim != first->ndim || a->ns != first->ns ||
                 memcmp(a->dims, first->dims, (size_t)a->ndim * sizeof(int64_t)) != 0) {
            return GX_TRY_NO;
        }
    }
    if (!first) return GX_TRY_NO;
    gx_scalar s[2];
    const void *in[3] = {NULL, NULL, NULL};
    unsigned scalars = 0;
    for (int k = 0; k < info->arity; k++) {
        if (v[k].tag == GX_ARRAY) {
            in[k] = gx_data_bytes(gx_as_array(v[k])->storage->data) + gx_as_array(v[k])->offset;
        } else {
            if (!plain_number(v[k], (gx_dtype)first->dtype, &s[k])) return GX_TRY_NO;
            in[k] = &s[k];
            scalars |= 1u << k;
        }
    }
    gx_dtype compute, result;
    if (info->rule == GX_RULE_LDEXP || !gx_op_dtypes(op, (gx_dtype)first->dtype, &compute, &result))
        return GX_TRY_NO;
    if (compute != first->dtype) return GX_TRY_NO;
    char *data;
    gx_array *r = similar(rt, first, result, &data);
    if (!r) return GX_TRY_ERROR;
    int fp = 0;
    bool ok = backend->small(rt->device, op, compute, result, data, in, first->count, scalars, &fp);
    if (GX_UNLIKELY(!ok || (fp && !gx_fp_warn(rt, fp, info->name, rt->here)))) {
        gx_array_drop(r);
        return GX_TRY_ERROR;
    }
    *out = gx_array_value(r);
    return GX_TRY_YES;
}

gx_try gx_reduce_fast(gx_rt *rt, gx_redcode red, const gx_array *a, gx_dtype acc, gx_dtype result,
                      gx_array **out) {
    const gx_backend *backend = rt->device->backend;
    if (!rt->debug.small || !backend->fold || rt->explaining || a->count > GX_FOLD_FEW ||
        gx_reds[red].rule == GX_REDRULE_INDEX || !is_plain(a))
        return GX_TRY_NO;
    gx_scalar r;
    int fp = 0;
    const void *in = gx_data_bytes(a->storage->data) + a->offset;
    if (!backend->fold(rt->device, red, (gx_dtype)a->dtype, acc, result, &r, in, a->count, &fp) ||
        (GX_UNLIKELY(fp) && !gx_fp_warn(rt, fp, "reduce", rt->here)) ||
        !gx_array_scalar(rt, result, &r, (gx_namespace)a->ns, out))
        return GX_TRY_ERROR;
    return GX_TRY_YES;
}
