/* Views made from shapes: broadcast, reshape, transpose, squeeze, diagonal. Nothing here computes
   but the copy that a reshape needs when no view can show it. */
#include <string.h>

#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"

GX_CHECK bool gx_broadcast_to(gx_rt *rt, gx_array *a, int ndim, const int64_t *shape,
                              gx_array **out) {
    int64_t strides[GX_MAX_DIMS];
    bool same = ndim == a->ndim, fits = a->ndim <= ndim;
    int shift = ndim - a->ndim;
    for (int i = 0; i < ndim && fits; i++) {
        int64_t size = i < shift ? 1 : gx_shape(a)[i - shift];
        strides[i] = i < shift || (size == 1 && shape[i] != 1) ? 0 : gx_strides(a)[i - shift];
        fits = size == 1 || size == shape[i];
        same = same && size == shape[i];
    }
    if (!fits) {
        gx_buf text = gx_buf_new(rt);
        if (gx_buf_puts(&text, "operands could not be broadcast together with remapped shapes: ") &&
            gx_shape_text(&text, a->ndim, gx_shape(a)) && gx_buf_puts(&text, " does not fit ") &&
            gx_shape_text(&text, ndim, shape)) {
            gx_fail(rt, GX_ValueError, "shape.broadcast", "%s", gx_buf_text(&text));
        }
        gx_buf_free(&text);
        return false;
    }
    if (same) {
        gx_array_keep(a);
        *out = a;
        return true;
    }
    if (!gx_array_view(rt, a, (gx_dtype)a->dtype, ndim, shape, strides, a->offset, out))
        return false;
    (*out)->flags |= GX_ARRAY_READONLY;
    return true;
}

/* Shapes like the one that was asked for that hold `count` elements: one size replaced, else all
   ways to write the count as two sizes. */
static bool put_shapes(gx_buf *out, int64_t count, int ndim, const int64_t *asked) {
    enum { MOST = 6 };
    int64_t shape[GX_MAX_DIMS];
    int found = 0;
    for (int i = 0; i < ndim && found < MOST && ndim > 2; i++) {
        int64_t rest = 1;
        for (int k = 0; k < ndim; k++)
            if (k != i && (asked[k] <= 0 || __builtin_mul_overflow(rest, asked[k], &rest)))
                return false;
        if (rest > count || count % rest) continue;
        memcpy(shape, asked, (size_t)ndim * sizeof(int64_t));
        shape[i] = count / rest;
        if (!gx_buf_puts(out, found++ ? " " : "") || !gx_shape_text(out, ndim, shape)) return false;
    }
    if (found) return true;
    if (count > 1000000 || !gx_shape_text(out, 1, &count)) return false;
    int64_t pairs = 0;
    for (int64_t k = 2; k < count; k++) pairs += count % k == 0;
    for (int64_t k = 2; k < count && pairs <= MOST; k++) {
        if (count % k) continue;
        shape[0] = k;
        shape[1] = count / k;
        if (!gx_buf_char(out, ' ') || !gx_shape_text(out, 2, shape)) return false;
    }
    return true;
}

/* What a failed reshape could have asked for; the sizes are known to be wrong. */
static void help_reshape(gx_rt *rt, int64_t count, int ndim, const int64_t *asked, int open,
                         int64_t known) {
    gx_buf text = gx_buf_new(rt);
    if (open >= 0) {
        if (known > 1)
            gx_note(rt, "the other sizes multiply to %lld, which does not divide %lld",
                    (long long)known, (long long)count);
    } else if (known > 0) {
        gx_note(rt, "that shape holds %lld elements", (long long)known);
        if (count > 0 && put_shapes(&text, count, ndim, asked))
            gx_note(rt, "shapes that hold %lld: %s", (long long)count, gx_buf_text(&text));
        int64_t last = ndim > 1 ? asked[ndim - 1] : 0;
        if (ndim == 2 && last > 0 && count % last == 0)
            gx_help(rt, "reshape(-1, %lld) lets gx work out the other size: %lld", (long long)last,
                    (long long)(count / last));
        else if (ndim == 2 && asked[0] > 0 && count % asked[0] == 0)
            gx_help(rt, "reshape(%lld, -1) lets gx work out the other size: %lld",
                    (long long)asked[0], (long long)(count / asked[0]));
    }
    gx_buf_free(&text);
}

/* Works out one -1 and checks the count. */
static bool complete_shape(gx_rt *rt, const gx_array *a, int ndim, const int64_t *asked,
                           int64_t *shape) {
    int64_t known = 1;
    int open = -1;
    bool fits = true;
    if (ndim > GX_MAX_DIMS) return gx_shape_count(rt, ndim, asked, 1, &known);
    for (int i = 0; i < ndim; i++) {
        shape[i] = asked[i];
        if (asked[i] == -1) {
            if (open >= 0)
                return gx_fail(rt, GX_ValueError, "shape.reshape",
                               "can only specify one unknown dimension");
            open = i;
        } else if (fits) {
            fits = !__builtin_mul_overflow(known, asked[i], &known);
        }
    }
    if (open >= 0) {
        fits = fits && known > 0 && a->count % known == 0;
        if (fits) shape[open] = a->count / known;
    } else {
        fits = fits && known == a->count;
    }
    if (fits) return true;
    gx_buf text = gx_buf_new(rt);
    if (gx_buf_printf(&text, "cannot reshape array of size %lld into shape ",
                      (long long)a->count) &&
        gx_shape_text(&text, ndim, asked)) {
        gx_fail(rt, GX_ValueError, "shape.reshape", "%s", gx_buf_text(&text));
        help_reshape(rt, a->count, ndim, asked, open, known);
    }
    gx_buf_free(&text);
    return false;
}

/* NumPy's rule: can the elements, in the order, be seen with the new shape through strides alone?
   Runs of old axes are matched with runs of new axes of the same product; within a run the old axes
   must be contiguous with each other. */
static bool view_strides(const gx_array *a, int ndim, const int64_t *shape, bool fortran,
                         int64_t *strides) {
    int64_t old_shape[GX_MAX_DIMS], old_strides[GX_MAX_DIMS];
    int n = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (gx_shape(a)[i] == 1) continue;
        old_shape[n] = gx_shape(a)[i];
        old_strides[n++] = gx_strides(a)[i];
    }
    int oi = 0, ni = 0;
    while (oi < n && ni < ndim) {
        int oj = oi + 1, nj = ni + 1;
        int64_t po = old_shape[oi], pn = shape[ni];
        while (po != pn) {
            if (pn < po) pn *= shape[nj++];
            else po *= old_shape[oj++];
        }
        for (int k = oi; k < oj - 1; k++) {
            if (fortran ? old_strides[k + 1] != old_shape[k] * old_strides[k]
                        : old_strides[k] != old_shape[k + 1] * old_strides[k + 1]) {
                return false;
            }
        }
        if (fortran) {
            strides[ni] = old_strides[oi];
            for (int k = ni + 1; k < nj; k++) strides[k] = strides[k - 1] * shape[k - 1];
        } else {
            strides[nj - 1] = old_strides[oj - 1];
            for (int k = nj - 1; k > ni; k--) strides[k - 1] = strides[k] * shape[k];
        }
        oi = oj;
        ni = nj;
    }
    int64_t last = ni > 0 ? strides[ni - 1] : gx_dtype_size(a->dtype);
    if (fortran && ni > 0) last *= shape[ni - 1];
    for (int k = ni; k < ndim; k++) strides[k] = last;
    return true;
}

GX_CHECK bool gx_reshape(gx_rt *rt, gx_array *a, int ndim, const int64_t *asked, char order,
                         gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    if (!complete_shape(rt, a, ndim, asked, shape)) return false;
    if (order == 'A')
        order = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C') ? 'F' : 'C';
    if (a->count == 0) {
        gx_contiguous_strides(ndim, shape, gx_dtype_size(a->dtype), 'C', strides);
        return gx_array_view(rt, a, (gx_dtype)a->dtype, ndim, shape, strides, a->offset, out);
    }
    if (view_strides(a, ndim, shape, order == 'F', strides)) {
        return gx_array_view(rt, a, (gx_dtype)a->dtype, ndim, shape, strides, a->offset, out);
    }
    gx_array *copy;
    if (!gx_array_copy(rt, a, order, &copy)) return false;
    gx_contiguous_strides(ndim, shape, gx_dtype_size(a->dtype), order, strides);
    bool ok = gx_array_view(rt, copy, (gx_dtype)a->dtype, ndim, shape, strides, 0, out);
    gx_array_drop(copy);
    return ok;
}

GX_CHECK bool gx_transpose(gx_rt *rt, gx_array *a, const int *perm, gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    for (int i = 0; i < a->ndim; i++) {
        shape[i] = gx_shape(a)[perm[i]];
        strides[i] = gx_strides(a)[perm[i]];
    }
    return gx_array_view(rt, a, (gx_dtype)a->dtype, a->ndim, shape, strides, a->offset, out);
}

GX_CHECK bool gx_transpose_all(gx_rt *rt, gx_array *a, gx_array **out) {
    int perm[GX_MAX_DIMS];
    for (int i = 0; i < a->ndim; i++) perm[i] = a->ndim - 1 - i;
    return gx_transpose(rt, a, perm, out);
}

GX_CHECK bool gx_moveaxis(gx_rt *rt, gx_array *a, int from, int to, gx_array **out) {
    int perm[GX_MAX_DIMS], n = 0;
    for (int i = 0; i < a->ndim; i++) if (i != from) perm[n++] = i;
    for (int i = n; i > to; i--) perm[i] = perm[i - 1];
    perm[to] = from;
    return gx_transpose(rt, a, perm, out);
}

GX_CHECK bool gx_swapaxes(gx_rt *rt, gx_array *a, int i, int j, gx_array **out) {
    int perm[GX_MAX_DIMS];
    for (int k = 0; k < a->ndim; k++) perm[k] = k == i ? j : k == j ? i : k;
    return gx_transpose(rt, a, perm, out);
}

GX_CHECK bool gx_squeeze(gx_rt *rt, gx_array *a, uint64_t mask, gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    int n = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (mask >> i & 1) {
            if (gx_shape(a)[i] == 1) continue;
            return gx_fail(rt, GX_ValueError, "shape.squeeze",
                           "cannot select an axis to squeeze out which has size not equal to one: "
                           "axis %d has size %lld",
                           i, (long long)gx_shape(a)[i]);
        }
        shape[n] = gx_shape(a)[i];
        strides[n++] = gx_strides(a)[i];
    }
    return gx_array_view(rt, a, (gx_dtype)a->dtype, n, shape, strides, a->offset, out);
}

GX_CHECK bool gx_expand_dims(gx_rt *rt, gx_array *a, int result_ndim, uint64_t mask,
                             gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS], count;
    int n = 0;
    if (result_ndim > GX_MAX_DIMS) return gx_shape_count(rt, result_ndim, NULL, 1, &count);
    for (int i = 0; i < result_ndim; i++) {
        bool fresh = mask >> i & 1;
        shape[i] = fresh ? 1 : gx_shape(a)[n];
        strides[i] = fresh ? 0 : gx_strides(a)[n++];
    }
    return gx_array_view(rt, a, (gx_dtype)a->dtype, result_ndim, shape, strides, a->offset, out);
}

GX_CHECK bool gx_diagonal(gx_rt *rt, gx_array *a, int64_t offset, int axis1, int axis2,
                          gx_array **out) {
    int64_t shape[GX_MAX_DIMS], strides[GX_MAX_DIMS];
    int n = 0;
    for (int i = 0; i < a->ndim; i++) {
        if (i == axis1 || i == axis2) continue;
        shape[n] = gx_shape(a)[i];
        strides[n++] = gx_strides(a)[i];
    }
    int64_t rows = gx_shape(a)[axis1], cols = gx_shape(a)[axis2], at = a->offset;
    if (offset >= 0) {
        cols = offset < cols ? cols - offset : 0;
        if (cols) at += offset * gx_strides(a)[axis2];
    } else {
        rows = offset > -rows ? rows + offset : 0;
        if (rows) at -= offset * gx_strides(a)[axis1];
    }
    shape[n] = rows < cols ? rows : cols;
    strides[n++] = gx_strides(a)[axis1] + gx_strides(a)[axis2];
    if (!gx_array_view(rt, a, (gx_dtype)a->dtype, n, shape, strides, at, out)) return false;
    (*out)->flags |= GX_ARRAY_READONLY; /* as NumPy's */
    return true;
}

GX_CHECK bool gx_order_full(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape,
                            const int *order, gx_namespace ns, const gx_scalar *fill,
                            gx_array **out) {
    int64_t sizes[GX_MAX_DIMS];
    gx_array *r, *back;
    for (int i = 0; i < ndim; i++) sizes[i] = shape[order[i]];
    if (!gx_array_full(rt, d, ndim, sizes, ns, fill, &r)) return false;
    if (gx_order_is_c(ndim, order)) {
        *out = r;
        return true;
    }
    const bool ok = gx_order_back(rt, r, order, &back);
    gx_array_drop(r);
    if (!ok) return false;
    gx_array_settle(back);
    *out = back;
    return true;
}
