/* The memory order of results, as NumPy has it (runtime/array/layout.h), and who owns them. */
#include "stdlib/numpy/base/scope.h"

gx_array *gx_np_laid_back(gx_np *s, gx_array *r, const int *order) {
    gx_array *view;
    if (!r || !gx_order_back(s->rt, r, order, &view)) return NULL;
    gx_array_settle(view);
    return gx_np_own(s, view);
}

gx_array *gx_np_laid_in(gx_np *s, gx_array *r, const int *order) {
    gx_array *turned;
    if (!r) return NULL;
    if (!gx_transpose(s->rt, r, order, &turned) || !(turned = gx_np_own(s, turned))) return NULL;
    if (gx_array_is_contiguous(turned, 'C')) return gx_np_settled(s, r);
    return gx_np_laid_back(s, gx_np_copy(s, turned, 'C'), order);
}

gx_array *gx_np_laid_as(gx_np *s, gx_array *r, const gx_array *a) {
    int order[GX_MAX_DIMS];
    if (!r || r->ndim < 2 || r->ndim != a->ndim) return gx_np_settled(s, r);
    if (gx_array_is_contiguous(a, 'C') && gx_array_is_contiguous(r, 'C'))
        return gx_np_settled(s, r);
    gx_array_copy_order(a, order);
    return gx_np_laid_in(s, r, order);
}

gx_array *gx_np_laid_like(gx_np *s, gx_array *r, const gx_array *a) {
    int order[GX_MAX_DIMS];
    const int64_t *strides = gx_strides(a);
    if (!r || r->ndim < 2 || r->ndim != a->ndim) return gx_np_settled(s, r);
    gx_order_of_operands(a->ndim, 1, &strides, order);
    return gx_np_laid_in(s, r, order);
}

gx_array *gx_np_ones_as(gx_np *s, gx_array *r, const gx_array *like) {
    int64_t strides[GX_MAX_DIMS];
    bool differ = false;
    gx_array *view;
    if (!r || r->ndim != like->ndim) return r;
    for (int i = 0; i < r->ndim; i++) {
        const bool one = gx_shape(r)[i] == 1;
        strides[i] = one ? gx_strides(like)[i] : gx_strides(r)[i];
        differ = differ || strides[i] != gx_strides(r)[i];
    }
    if (!differ) return r;
    if (!gx_array_view(s->rt, r, (gx_dtype)r->dtype, r->ndim, gx_shape(r), strides, r->offset,
                       &view))
        return NULL;
    gx_array_settle(view);
    return gx_np_own(s, view);
}

gx_array *gx_np_laid_medians(gx_np *s, gx_array *r, const gx_array *a, uint64_t mask, bool view) {
    int all[GX_MAX_DIMS], order[GX_MAX_DIMS], n = 0;
    view = view && mask != gx_np_all(a);
    if (!r || r->ndim < 2 || r->ndim != a->ndim - 1) return view ? gx_np_viewed(s, r) : r;
    gx_order_of_copy(a->ndim, gx_strides(a), all);
    for (int i = 0; i < a->ndim; i++) {
        if (mask >> all[i] & 1) continue;
        const bool after = mask & (gx_np_first(all[i] + 1));
        order[n++] = all[i] - after;
    }
    r = gx_np_laid_in(s, r, order);
    return view ? gx_np_viewed(s, r) : r;
}

gx_array *gx_np_viewed(gx_np *s, gx_array *r) {
    gx_array *view;
    if (!r || r->base) return r;
    if (!gx_array_view(s->rt, r, (gx_dtype)r->dtype, r->ndim, gx_shape(r), gx_strides(r), r->offset,
                       &view))
        return NULL;
    return gx_np_own(s, view);
}

static bool held_before(gx_np *s, int i, gx_value v) {
    while (--i >= 0)
        if (gx_np_item(s, i)->obj == v.obj && gx_np_item(s, i)->tag == GX_ARRAY) return true;
    return false;
}

gx_array *gx_np_settled(gx_np *s, gx_array *r) {
    if (!r || !r->base) return r;
    uint32_t ours = 0; /* references to the base that this scope holds, itself or by its views */
    for (int i = 0; i < s->use.count; i++) {
        const gx_value v = *gx_np_item(s, i);
        if (v.tag != GX_ARRAY) continue;
        if (gx_as_array(v) == r->base) ours++;
        else if (gx_as_array(v)->base == r->base)
            ours += !held_before(s, i, v);
    }
    if (r->base->obj.refs == ours) gx_array_settle(r);
    return r;
}

gx_array *gx_np_as_fortran(gx_np *s, gx_array *r, const gx_array *a) {
    const bool fortran = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C');
    return r && fortran ? gx_np_copy(s, r, 'F') : gx_np_settled(s, gx_np_contiguous(s, r));
}

gx_array *gx_np_laid_picked(gx_np *s, gx_array *r, const gx_array *a, int axis) {
    int all[GX_MAX_DIMS], order[GX_MAX_DIMS], n = 0;
    if (!r) return NULL;
    gx_order_of_copy(a->ndim, gx_strides(a), all);
    order[n++] = axis;
    for (int i = 0; i < a->ndim; i++)
        if (all[i] != axis) order[n++] = all[i];
    r = gx_np_laid_in(s, r, order);
    return axis ? gx_np_viewed(s, r) : r;
}

gx_array *gx_np_innermost(gx_np *s, gx_array *r, int leading) {
    int order[2 * GX_MAX_DIMS];
    if (!r) return NULL;
    for (int i = 0; i < r->ndim; i++) order[i] = (i + leading) % r->ndim;
    return gx_np_viewed(s, gx_np_laid_in(s, r, order));
}
