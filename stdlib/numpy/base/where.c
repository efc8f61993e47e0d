/* Elements of one array or another, which may be no numbers. */
#include "runtime/array/kind/kind.h"
#include "stdlib/numpy/base/scope.h"

/* Of what is no number: words where words are. */
static gx_array *where_kinds(gx_np *s, gx_array *cond, gx_array *x, gx_array *y) {
    gx_array *all[3], *w[2], *r;
    gx_dtype d;
    int ndim;
    int64_t shape[GX_MAX_DIMS];
    if (!gx_promote_any(s->rt, (gx_dtype)x->dtype, (gx_dtype)y->dtype, &d)) return NULL;
    all[0] = cond;
    all[1] = gx_np_cast(s, x, d);
    all[2] = gx_np_cast(s, y, d);
    if (!all[1] || !all[2] || !gx_broadcast_shapes(s->rt, 3, all, &ndim, shape)) return NULL;
    for (int i = 0; i < 3; i++)
        if (!(all[i] = gx_np_broadcast(s, all[i], ndim, shape))) return NULL;
    if (!gx_array_words(s->rt, 2, all + 1, w)) return NULL;
    w[0] = gx_np_own(s, w[0]);
    w[1] = gx_np_own(s, w[1]);
    cond = gx_np_expand(s, all[0], ndim + 1, UINT64_C(1) << ndim);
    gx_array *words = w[0] && w[1] ? gx_np_op3(s, GX_OP_where, cond, w[0], w[1]) : NULL;
    if (!words) return NULL;
    gx_array_keep(words);
    return gx_array_of_words_take(s->rt, words, d, &r) ? gx_np_own(s, r) : NULL;
}

gx_array *gx_np_where(gx_np *s, gx_array *cond, gx_array *x, gx_array *y) {
    if (!cond || !x || !y) return NULL;
    if (!gx_is_kind(x->dtype) && !gx_is_kind(y->dtype))
        return gx_np_op3(s, GX_OP_where, cond, x, y);
    cond = gx_np_cast(s, cond, GX_bool);
    return cond ? where_kinds(s, cond, x, y) : NULL;
}
