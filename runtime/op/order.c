/* Operands are laid out in C order first, where they live: on a GPU that fuses with what is
   pending. */
#include "runtime/op/order.h"

#include <string.h>

#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/op/laid_out_int.h"

/* A result beside a at a place: an array and its bytes. */
static bool made(gx_rt *rt, gx_place place, const gx_array *a, gx_dtype d, int ndim,
                 const int64_t *shape, gx_array **out, gx_buffer **buf) {
    gx_array *r;
    if (!gx_array_empty_at(rt, place, d, ndim, shape, (gx_namespace)a->ns, &r)) return false;
    if (!gx_data_at(rt, r->storage->data, place, buf)) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

static int64_t row_length(const gx_array *a) {
    return gx_shape(a)[a->ndim - 1];
}

/* Where the rows of n elements of an array are sorted. */
static gx_place place_of_rows(gx_rt *rt, const gx_array *a, int64_t n) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    if (a->count == 0) return GX_HOST;
    return d->backend->order->sorts(d, (gx_dtype)a->dtype, a->count / n, n) ? place : GX_HOST;
}

GX_CHECK bool gx_array_sort(gx_rt *rt, gx_array *a, gx_array **sorted, gx_array **index) {
    gx_array *flat, *r = NULL, *x = NULL;
    gx_buffer *to = NULL, *positions = NULL;
    gx_elements e;
    const int64_t *shape = gx_shape(a), n = row_length(a);
    const gx_place place = place_of_rows(rt, a, n);
    gx_device *d = gx_place_device(rt, place);
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    bool ok = (!sorted || made(rt, place, a, e.dtype, a->ndim, shape, &r, &to)) &&
              (!index || made(rt, place, a, GX_i64, a->ndim, shape, &x, &positions)) &&
              (e.n == 0 || d->backend->order->sort(d, &e, e.n / n, to, positions));
    gx_array_drop(flat);
    if (!ok) {
        gx_array_drop(r);
        gx_array_drop(x);
        return false;
    }
    if (sorted) *sorted = r;
    if (index) *index = x;
    return true;
}

GX_CHECK bool gx_array_partition(gx_rt *rt, gx_array *a, int64_t kth, bool index, gx_array **out) {
    gx_array *flat, *r = NULL;
    gx_buffer *to;
    gx_elements e;
    const int64_t n = row_length(a);
    const gx_place place = place_of_rows(rt, a, n);
    gx_device *d = gx_place_device(rt, place);
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    bool ok = made(rt, place, a, index ? GX_i64 : e.dtype, a->ndim, gx_shape(a), &r, &to);
    if (ok && e.n)
        ok = d->backend->order->part(d, &e, e.n / n, kth, index ? NULL : to, index ? to : NULL);
    gx_array_drop(flat);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_search(gx_rt *rt, gx_array *among, gx_array *v, bool right,
                              gx_array **out) {
    gx_array *const both[2] = {v, among};
    const gx_place place = v->count ? gx_place_near(2, both) : GX_HOST;
    gx_device *d = gx_place_device(rt, place);
    gx_array *a, *x = NULL, *r = NULL;
    gx_buffer *to;
    gx_elements in, what;
    if (!gx_laid_out(rt, place, among, &a, &in)) return false;
    const bool ok = gx_laid_out(rt, place, v, &x, &what) &&
                    made(rt, place, v, GX_i64, v->ndim, gx_shape(v), &r, &to) &&
                    (v->count == 0 || d->backend->order->search(d, &in, &what, right, to));
    gx_array_drop(x);
    gx_array_drop(a);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_select(gx_rt *rt, gx_array *a, int m, const int64_t *ranks,
                              gx_array **out) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    const gx_order_calls *order = d->backend->order;
    gx_array *flat, *r = NULL;
    gx_buffer *to;
    gx_elements e;
    int64_t shape[GX_MAX_DIMS + 1];
    *out = NULL;
    if (a->ndim == 0 || a->count == 0) return true;
    const int64_t n = row_length(a), rows = a->count / n;
    if (!order->takes_ranks(d, rows, n, m)) return true;
    memcpy(shape, gx_shape(a), a->ndim * sizeof *shape);
    shape[a->ndim - 1] = m;
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    const bool ok = made(rt, place, a, e.dtype, a->ndim, shape, &r, &to) &&
                    order->select(d, &e, rows, m, ranks, to);
    gx_array_drop(flat);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

/* The second step of unique, with room for all that is wanted: of elements `like` the given ones.
 */
static bool write_runs(gx_rt *rt, gx_place place, gx_array *like, gx_runs *r,
                       bool (*write)(gx_device *, const gx_runs *), gx_array **out[4]) {
    gx_device *d = gx_place_device(rt, place);
    int64_t n = like->count;
    gx_array *a[4] = {NULL, NULL, NULL, NULL};
    gx_buffer *b[4] = {NULL, NULL, NULL, NULL};
    bool ok = true;
    for (int i = 0; ok && i < 4; i++)
        if (out[i])
            ok = made(rt, place, like, i ? GX_i64 : (gx_dtype)like->dtype, 1,
                      i == 3 ? &n : &r->count, &a[i], &b[i]);
    r->values = b[0];
    r->lengths = b[1];
    r->first = b[2];
    r->inverse = b[3];
    ok = ok && write(d, r);
    for (int i = 0; i < 4; i++) {
        if (!ok)
            gx_array_drop(a[i]);
        else if (out[i])
            *out[i] = a[i];
    }
    return ok;
}

/* unique where the device needs no sorting; else *done is false. */
static bool find_unsorted(gx_rt *rt, gx_array *a, gx_array **out[4], bool *done) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    const gx_order_calls *order = d->backend->order;
    gx_array *flat;
    gx_elements e;
    *done = false;
    if (!order->tally || a->count == 0) return true;
    if (!gx_laid_out(rt, place, a, &flat, &e)) return false;
    gx_runs r = {.sorted = &e};
    const bool ok = order->tally(d, &r, out[2] || out[3], done) &&
                    (!*done || write_runs(rt, place, flat, &r, order->write_tally, out));
    gx_buffer_drop(r.before);
    gx_array_drop(flat);
    return ok;
}

GX_CHECK bool gx_array_unique(gx_rt *rt, gx_array *a, bool equal_nan, gx_array **values,
                              gx_array **lengths, gx_array **first, gx_array **inverse) {
    gx_array *sorted, *index = NULL, **out[4] = {values, lengths, first, inverse};
    gx_buffer *positions = NULL, *buf = NULL;
    const bool wanted = first || inverse;
    bool done;
    if (!find_unsorted(rt, a, out, &done)) return false;
    if (done) return true;
    if (!gx_array_sort(rt, a, &sorted, wanted ? &index : NULL)) return false;
    const gx_place place = gx_array_place(sorted);
    gx_device *d = gx_place_device(rt, place);
    bool ok = gx_data_at(rt, sorted->storage->data, place, &buf) &&
              (!wanted || gx_data_at(rt, index->storage->data, place, &positions));
    if (ok) {
        const gx_elements e = {buf, sorted->offset, sorted->count, (gx_dtype)sorted->dtype};
        gx_runs r = {.sorted = &e, .equal_nan = equal_nan, .index = positions};
        ok = d->backend->order->count_runs(d, &r) &&
             write_runs(rt, place, sorted, &r, d->backend->order->write_runs, out);
        gx_buffer_drop(r.before);
    }
    gx_array_drop(sorted);
    gx_array_drop(index);
    return ok;
}

GX_CHECK bool gx_array_members(gx_rt *rt, gx_array *a, gx_array *set, bool invert,
                               gx_array **out) {
    gx_place place = gx_array_place(a);
    const bool sortable = set->count && gx_dtype_kind(set->dtype) != GX_KIND_CPLX;
    gx_array *x, *y = NULL, *r = NULL;
    gx_buffer *to;
    gx_elements what, among;
    *out = NULL;
    if (!gx_place_device(rt, place)->backend->order->members) {
        if (sortable) return true;
        place = GX_HOST;
    }
    gx_device *d = gx_place_device(rt, place);
    if (!gx_laid_out(rt, place, a, &x, &what)) return false;
    const bool ok = gx_laid_out(rt, place, set, &y, &among) &&
                    made(rt, place, a, GX_bool, a->ndim, gx_shape(a), &r, &to) &&
                    d->backend->order->members(d, &what, &among, invert, to);
    gx_array_drop(x);
    gx_array_drop(y);
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}
