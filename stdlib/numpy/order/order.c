/* Sorting, ordering, partitioning and searching of arrays along any axis, by the device's entries
   (runtime/op/order.h). Knows no functions of scripts. */
#include "stdlib/numpy/order/order.h"

#include "runtime/device/work.h"
#include "runtime/op/order.h"

/* Moves each of a few behind those that are not larger. */
static void insert_keys(const uint64_t *keys, int64_t n, int64_t *index) {
    for (int64_t i = 1; i < n; i++) {
        const int64_t v = index[i];
        int64_t k = i;
        for (; k > 0 && keys[index[k - 1]] > keys[v]; k--) index[k] = index[k - 1];
        index[k] = v;
    }
}

GX_CHECK bool gx_np_sort_keys(gx_np *s, const uint64_t *keys, int64_t n, int64_t *index) {
    enum { FEW = 32 };
    gx_array *ordered, *order = NULL;
    if (n <= FEW) {
        insert_keys(keys, n, index);
        return true;
    }
    if (!gx_array_empty(s->rt, GX_u64, 1, &n, s->ns, &ordered)) return false;
    char *room;
    const char *at;
    bool ok = gx_array_write(s->rt, ordered, &room);
    if (ok) {
        GX_LONG_LOOP(s->rt, i, 0, n) ((uint64_t *)(void *)room)[i] = keys[index[i]];
    }
    ok = ok && gx_work_end(s->rt) && gx_array_sort(s->rt, ordered, NULL, &order) &&
         gx_array_read(s->rt, order, &at) && gx_work_end(s->rt);
    if (ok) { /* the keys are not needed any more */
        const int64_t *from = (const int64_t *)(const void *)at;
        GX_LONG_LOOP(s->rt, i, 0, n) ((int64_t *)(void *)room)[i] = index[from[i]];
        if (!gx_work_stops(s->rt)) gx_work_copy(s->rt, index, room, (size_t)n * sizeof *index);
    }
    gx_array_drop(order);
    gx_array_drop(ordered);
    return ok && gx_work_end(s->rt);
}

/* The axis last, and back. */
static gx_array *rows_along(gx_np *s, gx_array *a, int axis) {
    return gx_np_moveaxis(s, a, axis, a->ndim - 1);
}
static gx_array *put_back(gx_np *s, gx_array *r, int axis) {
    r = gx_np_own(s, r);
    return r ? gx_np_moveaxis(s, r, r->ndim - 1, axis) : NULL;
}

gx_array *gx_np_argsort(gx_np *s, gx_array *a, int axis) {
    gx_array *rows = a ? rows_along(s, a, axis) : NULL, *r;
    return rows && gx_array_sort(s->rt, rows, NULL, &r) ? put_back(s, r, axis) : NULL;
}

gx_array *gx_np_sorted(gx_np *s, gx_array *a, int axis) {
    gx_array *rows = a ? rows_along(s, a, axis) : NULL, *r;
    return rows && gx_array_sort(s->rt, rows, &r, NULL) ? put_back(s, r, axis) : NULL;
}

gx_array *gx_np_partitioned(gx_np *s, gx_array *a, int axis, int64_t kth) {
    gx_array *rows = a ? rows_along(s, a, axis) : NULL, *r;
    return rows && gx_array_partition(s->rt, rows, kth, false, &r) ? put_back(s, r, axis) : NULL;
}

gx_array *gx_np_argpartitioned(gx_np *s, gx_array *a, int axis, int64_t kth) {
    gx_array *rows = a ? rows_along(s, a, axis) : NULL, *r;
    return rows && gx_array_partition(s->rt, rows, kth, true, &r) ? put_back(s, r, axis) : NULL;
}

gx_array *gx_np_search(gx_np *s, gx_array *a, gx_array *v, bool right) {
    if (!a || !v) return NULL;
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)v->dtype);
    if (gx_dtype_kind(d) == GX_KIND_CPLX) {
        gx_fail(s->rt, GX_TypeError, "search.complex",
                "searchsorted of complex numbers is ambiguous");
        return NULL;
    }
    gx_array *r;
    a = gx_np_cast(s, a, d);
    if (d != GX_f64 || gx_is_half(v->dtype)) v = gx_np_cast(s, v, d);
    return a && v && gx_array_search(s->rt, a, v, right, &r) ? gx_np_own(s, r) : NULL;
}
