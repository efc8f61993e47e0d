/* Filters along one axis, one pass after the other. */
#include <float.h>
#include <math.h>

#include "runtime/op/whole.h"
#include "stdlib/ndimage/ndimage_int.h"

/* 1: the weights mirror themselves, -1: with the sign changed, 0: neither. */
static int symmetry(const double *w, int64_t size) {
    bool even = size % 2 == 1, odd = even;
    for (int64_t i = 1; (even || odd) && i <= size / 2; i++) {
        double a = w[size / 2 + i], b = w[size / 2 - i];
        even = even && fabs(a - b) <= DBL_EPSILON;
        odd = odd && fabs(a + b) <= DBL_EPSILON;
    }
    return even ? 1 : odd ? -1 : 0;
}

bool gx_nd_pass(gx_nd *k, gx_nd_chain *chain, int axis, const gx_nd_line *line) {
    if (!gx_nd_no_half(k)) return false;
    gx_array *src = chain->now ? chain->now : k->in, *dst = chain->spare;
    gx_filter f = {.kind = line->kind, .edge = (gx_filter_edge)line->mode, .cval = line->cval,
                   .outer = 1, .n = gx_shape(src)[axis], .inner = 1, .size = line->size,
                   .before = line->before, .weights = line->weights};
    if (!dst && gx_array_empty_near(k->c->rt, 1, &k->in, gx_nd_stored(k), k->in->ndim,
                                    gx_shape(k->in), k->s.ns, &dst))
        dst = gx_np_own(&k->s, dst);
    for (int i = 0; i < src->ndim; i++) {
        if (i < axis) f.outer *= gx_shape(src)[i];
        if (i > axis) f.inner *= gx_shape(src)[i];
    }
    if (line->kind == GX_FILTER_WEIGHTS) f.symmetry = symmetry(line->weights, line->size);
    if (!dst || !gx_array_filter(k->c->rt, src, &f, dst)) return false;
    chain->spare = chain->now;
    chain->now = dst;
    return true;
}

gx_dtype gx_nd_stored(const gx_nd *k) {
    return k->to == GX_bool ? GX_u8 : k->to;
}

gx_array *gx_nd_result(gx_nd *k, const gx_nd_chain *chain) {
    if (chain->now) return gx_np_cast(&k->s, chain->now, k->to);
    gx_array *a = gx_np_cast(&k->s, k->in, k->to);
    return a ? gx_np_copy(&k->s, a, 'C') : NULL;
}
