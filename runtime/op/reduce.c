/* Reductions. Over a whole array the result is a scalar and is computed at once, with the
   expression in front fused into the same tape; over some axes it is one more pending node. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/op/ufunc_int.h"

/* Accumulator and result dtypes. */
static void red_dtypes(gx_redcode red, gx_dtype in, gx_dtype asked, gx_dtype *acc,
                       gx_dtype *result) {
    switch ((gx_redrule)gx_reds[red].rule) {
    case GX_REDRULE_SUM:
        *result = asked != GX_NO_DTYPE ? asked
                  : gx_dtype_kind(in) <= GX_KIND_INT ? GX_i64
                  : gx_dtype_kind(in) == GX_KIND_UINT ? GX_u64 : in;
        *acc = gx_is_half(*result) ? GX_f32 : *result;
        return;
    case GX_REDRULE_SAME: *result = *acc = asked != GX_NO_DTYPE ? asked : in; return;
    case GX_REDRULE_TRUTH: *result = *acc = GX_bool; return;
    case GX_REDRULE_INDEX:
        *acc = in;
        *result = GX_i64;
        return;
    }
}

static bool fail_empty(gx_rt *rt, gx_redcode red) {
    const char *name = gx_reds[red].ufunc ? gx_ops[gx_reds[red].ufunc].name : gx_reds[red].name;
    if (gx_reds[red].rule == GX_REDRULE_INDEX) {
        return gx_fail(rt, GX_ValueError, "reduce.empty", "attempt to get %s of an empty sequence",
                       name);
    }
    gx_fail(rt, GX_ValueError, "reduce.empty",
            "zero-size array to reduction operation %s which has no identity", name);
    return gx_help(rt, "initial= gives a value for empty arrays");
}

/* Kept axes lie in the result as in the array. */
static void kept_order(int ndim, const int64_t *strides, int *order) {
    gx_order_of_operands(ndim, 1, &strides, order);
}

static void kept_layout(gx_data *d, int64_t item) {
    int order[GX_MAX_DIMS];
    kept_order(d->ndim, d->in[0].strides, order);
    gx_order_strides(d->ndim, d->shape, item, order, d->layout);
}

/* The node: kept dims first, then the reduced ones. */
static gx_data *reduce_node(gx_rt *rt, gx_redcode red, const gx_array *a, uint64_t mask,
                            gx_dtype acc, gx_dtype result) {
    int kept[GX_MAX_DIMS], gone[GX_MAX_DIMS], nk = 0, ng = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (mask >> i & 1) gone[ng++] = i;
        else kept[nk++] = i;
    }
    gx_data *d = gx_data_new(rt, GX_DATA_REDUCE, result, nk, a->ndim, 1);
    if (!d) return NULL;
    d->red = (uint8_t)red;
    d->compute = (uint8_t)acc;
    int64_t space[GX_MAX_DIMS];
    for (int i = 0; i < nk + ng; i++) {
        int axis = i < nk ? kept[i] : gone[i - nk];
        space[i] = gx_shape(a)[axis];
        d->in[0].strides[i] = gx_strides(a)[axis];
    }
    if (!gx_extent_value_take(rt, d, space)) return NULL;
    if (gx_reds[red].rule == GX_REDRULE_INDEX)
        gx_contiguous_strides(nk, d->shape, 8, 'C', d->layout);
    else kept_layout(d, gx_dtype_size(result));
    d->in[0].data = gx_data_keep(a->storage->data);
    d->in[0].offset = a->offset;
    d->in[0].dtype = (uint8_t)a->dtype;
    gx_data_count(d);
    return d;
}

/* Is the value computed from one that was taken for dying, and lived on to be used here? Looks at
   some values at the most. */
static bool from_survivor(const gx_data *d, int *looks) {
    for (int k = 0; k < d->arity && --*looks > 0; k++) {
        const gx_data *x = d->in[k].data;
        if (!x || x->kind == GX_DATA_READY) continue;
        if ((x->reads > 0 && x->storages == 0) || from_survivor(x, looks)) return true;
    }
    return false;
}

/* Will nobody read this pending array again? True for the temporary in (x * y).sum(): the evaluator
   holds its only reference. A variable can look the same, so gx relies on it a few times only, and
   not where a loop goes on with what it read: u = 0.5 * u + 1; if float(u.max()) ... */
static gx_data *dying_value(const gx_array *a) {
    const gx_array *owner = a->base ? a->base : a;
    gx_data *d = a->storage->data;
    if (d->kind == GX_DATA_READY || d->storages != 1 || owner->obj.refs != 1) return NULL;
    if (a->storage->refs != (a->base ? 2u : 1u) || d->reads >= 2) return NULL;
    int looks = 32;
    return from_survivor(d, &looks) ? NULL : d;
}

/* The reduced axes kept with size 1; takes r. Their strides are those of a result that lies as a
   does, in C order where positions are reduced to: what NumPy's have. */
static bool keep_axes_take(gx_rt *rt, gx_redcode red, gx_array *r, const gx_array *a,
                           uint64_t mask, gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS], step = gx_dtype_size(r->dtype);
    const int64_t *given = gx_strides(a);
    int order[GX_MAX_DIMS], n = 0;
    if (red == GX_RED_argmax || red == GX_RED_argmin)
        for (int i = 0; i < a->ndim; i++) order[i] = i;
    else
        gx_order_of_operands(a->ndim, 1, &given, order);
    for (int i = 0; i < a->ndim; i++) shape[i] = mask >> i & 1 ? 1 : gx_shape(a)[i];
    for (int k = a->ndim - 1; k >= 0; k--) {
        strides[order[k]] = step;
        step *= shape[order[k]] ? shape[order[k]] : 1;
    }
    for (int i = 0; i < a->ndim; i++)
        if (!(mask >> i & 1)) strides[i] = gx_strides(r)[n++];
        else if (r->count == 0) strides[i] = 0;
    bool ok = gx_array_view(rt, r, (gx_dtype)r->dtype, a->ndim, shape, strides, r->offset, out);
    if (ok) gx_array_settle(*out);
    gx_array_drop(r);
    return ok;
}

/* The result of a reduction of a; takes r. */
static bool give_take(gx_rt *rt, gx_redcode red, gx_array *r, const gx_array *a, uint64_t mask,
                      bool keepdims, gx_array **out) {
    if (keepdims) return keep_axes_take(rt, red, r, a, mask, out);
    *out = r;
    return true;
}

/* about_mean: of squared distances from the mean. */
static bool reduce_plain(gx_rt *rt, gx_redcode red, gx_array *a, uint64_t mask, bool keepdims,
                         gx_dtype asked, bool about_mean, gx_array **out) {
    gx_dtype acc, result;
    red_dtypes(red, (gx_dtype)a->dtype, asked, &acc, &result);
    if (about_mean) acc = GX_f64;
    if (!gx_reds[red].combine[gx_dtype_kind(acc)]) {
        return gx_fail(rt, GX_TypeError, "dtype.loop", "%s is not defined for %s",
                       gx_reds[red].name, gx_dtypes[acc].name);
    }
    if (a->count == 0 && !gx_reds[red].has_identity) {
        int64_t gone = 1;
        for (int i = 0; i < a->ndim; i++) if (mask >> i & 1) gone *= gx_shape(a)[i];
        if (gone == 0) return fail_empty(rt, red);
    }
    int ndim = a->ndim;
    gx_array *r;
    if (ndim > 0 && mask == UINT64_MAX >> (64 - ndim) && !about_mean) {
        const gx_try fast = gx_reduce_fast(rt, red, a, acc, result, &r);
        if (fast == GX_TRY_YES) return give_take(rt, red, r, a, mask, keepdims, out);
        if (fast == GX_TRY_ERROR) return false;
    }
    gx_data *d = reduce_node(rt, red, a, mask, acc, result);
    if (!d) return false;
    d->op = about_mean ? GX_OP_square : 0;
    gx_data *dying = d->ndim == 0 || rt->debug.eager ? dying_value(a) : NULL;
    if (dying) {
        dying->reads++;
        dying->storages--;
    }
    bool ok = d->ndim > 0 || rt->explaining || gx_data_force(rt, d);
    if (dying) dying->storages++;
    if (!ok) {
        gx_data_drop(d);
        return false;
    }
    return gx_array_of_data_take(rt, d, (gx_namespace)a->ns, &r) &&
           give_take(rt, red, r, a, mask, keepdims, out);
}

/* Elements where the mask is false take the identity's place: the reduction's own, or initial. */
static bool apply_where(gx_rt *rt, gx_redcode red, gx_array *a, gx_array *where,
                        const gx_scalar *initial, gx_dtype acc, gx_array **out) {
    gx_scalar id = {.bits = {0, 0}};
    if (red == GX_RED_prod || red == GX_RED_all) {
        gx_scalar one = {.i64 = 1};
        id = gx_scalar_cast(GX_i64, acc, &one);
    } else if (gx_reds[red].has_identity) {
        ; /* 0 */
    } else if (initial) {
        id = *initial;
    } else {
        return gx_fail(
            rt, GX_ValueError, "reduce.where",
            "reduction operation '%s' does not have an identity, so to use a where mask one has to "
            "specify 'initial'",
            gx_ops[gx_reds[red].ufunc].name);
    }
    gx_array *cast = NULL;
    gx_value fill = gx_undef(), v;
    bool ok = gx_array_cast(rt, a, acc, false, &cast) && gx_scalar_new(rt, acc, &id, &fill);
    ok = ok && gx_where(rt, (gx_value){.tag = GX_ARRAY, .obj = &where->obj},
                        (gx_value){.tag = GX_ARRAY, .obj = &cast->obj}, fill, &v);
    if (ok) ok = gx_asarray(rt, v, GX_NO_DTYPE, (gx_namespace)a->ns, false, out), gx_drop(v);
    gx_array_drop(cast);
    gx_drop(fill);
    return ok;
}

/* What reducing nothing gives: `initial` everywhere, laid out as another result is. */
static bool all_initial(gx_rt *rt, gx_redcode red, const gx_array *a, uint64_t mask, bool keepdims,
                        gx_dtype d, const gx_scalar *initial, gx_array **out) {
    int order[GX_MAX_DIMS], n = 0;
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    gx_array *r;
    for (int i = 0; i < a->ndim; i++)
        if (!(mask >> i & 1)) {
            shape[n] = gx_shape(a)[i];
            strides[n++] = gx_strides(a)[i];
        }
    kept_order(n, strides, order);
    return gx_order_full(rt, d, n, shape, order, (gx_namespace)a->ns, initial, &r) &&
           give_take(rt, red, r, a, mask, keepdims, out);
}

/* The result combined with `initial`. */
static bool combine_initial(gx_rt *rt, gx_redcode red, const gx_scalar *initial, gx_array **r) {
    gx_array *s, *both;
    if (!gx_array_scalar(rt, (gx_dtype)(*r)->dtype, initial, (gx_namespace)(*r)->ns, &s))
        return false;
    gx_array *pair[2] = {*r, s};
    bool ok = gx_op_arrays(rt, (gx_opcode)gx_reds[red].ufunc, 2, pair, &both);
    gx_array_drop(s);
    if (!ok) return false;
    gx_array_drop(*r);
    *r = both;
    return true;
}

GX_CHECK bool gx_reduce_spread(gx_rt *rt, gx_array *a, uint64_t mask, bool keepdims, gx_dtype d,
                               gx_array **out) {
    const bool there = gx_place_device(rt, gx_array_place(a))->backend->about_mean &&
                       !rt->debug.nofuse && a->count > 0 && (d == GX_f32 || d == GX_f64) &&
                       gx_dtype_kind(a->dtype) <= GX_KIND_FLOAT;
    *out = NULL;
    return !there || reduce_plain(rt, GX_RED_sum, a, mask, keepdims, d, true, out);
}

GX_CHECK bool gx_reduce(gx_rt *rt, gx_redcode red, gx_array *a, uint64_t mask, bool keepdims,
                        gx_dtype dtype, const gx_scalar *initial, gx_array *where, gx_array **out) {
    gx_dtype acc, result;
    if (dtype == GX_bool && gx_reds[red].rule == GX_REDRULE_SUM) { /* + is or, * is and */
        gx_array *truth;
        if (!gx_array_cast(rt, a, GX_bool, false, &truth)) return false;
        const gx_redcode of = red == GX_RED_prod ? GX_RED_all : GX_RED_any;
        bool ok = gx_reduce(rt, of, truth, mask, keepdims, GX_NO_DTYPE, initial, where, out);
        gx_array_drop(truth);
        return ok;
    }
    if (gx_is_text(a->dtype) && (red == GX_RED_all || red == GX_RED_any)) {
        gx_array *truth;
        if (!gx_array_cast(rt, a, GX_bool, false, &truth)) return false;
        bool ok = gx_reduce(rt, red, truth, mask, keepdims, dtype, initial, where, out);
        gx_array_drop(truth);
        return ok;
    }
    if (gx_is_kind(a->dtype) || gx_is_kind(dtype))
        return gx_kind_refuse(rt, (gx_dtype)(gx_is_kind(a->dtype) ? a->dtype : dtype),
                              gx_reds[red].name);
    red_dtypes(red, (gx_dtype)a->dtype, dtype, &acc, &result);
    gx_array *masked = NULL;
    /* Of nothing a mask leaves nothing out. */
    const bool masks = where && (a->count > 0 || (!initial && !gx_reds[red].has_identity));
    if (masks && !apply_where(rt, red, a, where, initial, result, &masked)) return false;
    gx_array *source = masked ? masked : a;
    bool ok;
    if (initial && source->count == 0 && !gx_reds[red].has_identity) {
        ok = all_initial(rt, red, source, mask, keepdims, result, initial, out);
    } else {
        gx_array *r;
        ok = reduce_plain(rt, red, source, mask, keepdims, dtype, false, &r);
        if (ok && initial && !combine_initial(rt, red, initial, &r)) {
            gx_array_drop(r);
            ok = false;
        }
        if (ok) *out = r;
    }
    gx_array_drop(masked);
    return ok;
}

GX_CHECK gx_try gx_count_nonzero(gx_rt *rt, gx_array *a, int64_t *out) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    const gx_data *v = a->storage->data;
    gx_buffer *buf;
    bool done;
    if (!d->backend->nonzeros || v->kind != GX_DATA_READY || gx_array_is_loose(a) ||
        !gx_array_is_contiguous(a, 'C'))
        return GX_TRY_NO;
    if (!gx_data_at(rt, a->storage->data, place, &buf)) return GX_TRY_ERROR;
    const gx_elements e = {buf, a->offset, a->count, (gx_dtype)a->dtype};
    if (!d->backend->nonzeros(d, &e, out, &done)) return GX_TRY_ERROR;
    return done ? GX_TRY_YES : GX_TRY_NO;
}
