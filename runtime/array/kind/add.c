/* Texts put together, element by element. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/lazy.h"

/* An operand over the result's shape, its elements one after the other. */
static bool lay_out(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape, gx_array **out,
                    const char **data) {
    gx_array *wide;
    if (!gx_broadcast_to(rt, a, ndim, shape, &wide)) return false;
    bool ok = gx_array_contiguous(rt, wide, out);
    gx_array_drop(wide);
    return ok && gx_array_read(rt, *out, data);
}

static bool put_together(gx_rt *rt, gx_array *a, gx_array *b, gx_array **out) {
    gx_array *both[2] = {a, b}, *x = NULL, *y = NULL, *r = NULL;
    const gx_dtype_info *p = &gx_dtypes[a->dtype], *q = &gx_dtypes[b->dtype];
    int64_t shape[GX_MAX_DIMS];
    int ndim;
    const char *from, *more;
    char *to;
    if (!gx_broadcast_shapes(rt, 2, both, &ndim, shape)) return false;
    const gx_dtype d = p->family->of(rt, p->parameter + q->parameter);
    if (d == GX_NO_DTYPE) return false;
    bool ok = lay_out(rt, a, ndim, shape, &x, &from) && lay_out(rt, b, ndim, shape, &y, &more) &&
              gx_array_empty(rt, d, ndim, shape, (gx_namespace)a->ns, &r) &&
              (r->count == 0 || gx_array_write(rt, r, &to));
    const size_t all = gx_dtypes[d].bytes, unit = p->family == &gx_family_str ? 4 : 1;
    if (ok) {
        GX_LONG_LOOP(rt, i, 0, r->count) {
            const size_t n = unit * (size_t)gx_text_length(p, from + i * p->bytes);
            char *at = to + (size_t)i * all;
            memcpy(at, from + i * p->bytes, n);
            memcpy(at + n, more + i * q->bytes, q->bytes);
            memset(at + n + q->bytes, 0, all - n - q->bytes);
        }
        ok = gx_work_end(rt);
    }
    gx_array_drop(x);
    gx_array_drop(y);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

gx_try gx_kind_add(gx_rt *rt, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_array *x = NULL, *y = NULL, *r;
    gx_namespace ns = GX_NS_NUMPY;
    if (b.tag == GX_ARRAY) ns = (gx_namespace)gx_as_array(b)->ns;
    if (a.tag == GX_ARRAY) ns = (gx_namespace)gx_as_array(a)->ns;
    bool ok = gx_asarray(rt, a, GX_NO_DTYPE, ns, false, &x) &&
              gx_asarray(rt, b, GX_NO_DTYPE, ns, false, &y);
    if (ok && (!gx_is_text(x->dtype) || gx_dtypes[x->dtype].family != gx_dtypes[y->dtype].family))
        ok = gx_fail(rt, GX_UFuncTypeError, "dtype.kind",
                     "ufunc 'add' did not contain a loop with signature matching types "
                     "(dtype('%s'), dtype('%s')) -> None",
                     gx_dtypes[x->dtype].name, gx_dtypes[y->dtype].name);
    ok = ok && put_together(rt, x, y, &r);
    gx_array_drop(x);
    gx_array_drop(y);
    return ok && gx_array_result_take(rt, r, out) ? GX_TRY_YES : GX_TRY_ERROR;
}
