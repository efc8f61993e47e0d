/* Elements that are no numbers by their ranks. */
#include "stdlib/numpy/base/ranked.h"

#include "runtime/array/kind/kind.h"

enum { MOST = 2 };

GX_CHECK bool gx_np_ranked(gx_np *s, int n, gx_array **a, gx_array **values) {
    gx_array *flat[MOST], *all, *ranks, *firsts;
    bool any = false;
    *values = NULL;
    for (int i = 0; i < n; i++) any = any || gx_is_kind(a[i]->dtype);
    if (!any) return true;
    for (int i = 0; i < n; i++)
        if (!(flat[i] = gx_np_flat(s, a[i]))) return false;
    all = gx_np_contiguous(s, n == 1 ? flat[0] : gx_np_concat(s, n, flat, 0, GX_NO_DTYPE));
    if (!all || !gx_kind_ranks(s->rt, all, &ranks, &firsts)) return false;
    ranks = gx_np_own(s, ranks);
    firsts = gx_np_own(s, firsts);
    if (!ranks || !firsts || !(*values = gx_np_take(s, all, firsts, 0))) return false;
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        gx_array *part = gx_np_slice(s, ranks, 0, at, 1, a[i]->count);
        at += a[i]->count;
        if (!(a[i] = gx_np_reshape(s, part, a[i]->ndim, gx_shape(a[i])))) return false;
    }
    return true;
}
