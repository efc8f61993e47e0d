/* Operands are converted and laid out in C order first, where they live: on a GPU that fuses with
   what is pending. */
#include "runtime/op/whole.h"

#include "runtime/array/layout.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/warn.h"

/* A ready C-contiguous operand, converted: a new reference. */
static bool laid_out(gx_rt *rt, gx_array *a, gx_dtype d, gx_array **out) {
    gx_array *cast;
    if (!gx_array_cast(rt, a, d, false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, out);
    gx_array_drop(cast);
    if (!ok || gx_storage_force(rt, (*out)->storage)) return ok;
    gx_array_drop(*out);
    return false;
}

/* Totals of `flat` in place, which nobody else has. */
static bool scan_own(gx_rt *rt, gx_device *device, gx_array *flat, gx_totals *j, int *fp) {
    if (!gx_storage_own(rt, flat->storage, GX_HOST, &j->to)) return false;
    j->from = j->to;
    return device->backend->scan(device, j, fp);
}

static bool scan_into(gx_rt *rt, gx_device *device, gx_place place, gx_array *flat, gx_array *to,
                      gx_totals *j, int *fp) {
    gx_buffer *from;
    if (!gx_data_at(rt, flat->storage->data, place, &from) ||
        !gx_data_at(rt, to->storage->data, place, &j->to))
        return false;
    j->from = from;
    j->offset = flat->offset;
    return device->backend->scan(device, j, fp);
}

GX_CHECK bool gx_array_scan(gx_rt *rt, gx_array *a, int axis, bool product, gx_dtype total,
                            gx_array **out) {
    const gx_place place = gx_array_place(a);
    const int64_t *shape = gx_shape(a);
    gx_device *device = gx_place_device(rt, place);
    gx_totals j = {.dtype = (gx_dtype)a->dtype, .total = total, .product = product, .outer = 1,
                   .n = shape[axis], .inner = 1};
    gx_array *flat, *r = NULL;
    int fp = 0;
    if (a->count == 0)
        return gx_array_empty_at(rt, place, total, a->ndim, shape, (gx_namespace)a->ns, out);
    for (int d = 0; d < axis; d++) j.outer *= shape[d];
    for (int d = axis + 1; d < a->ndim; d++) j.inner *= shape[d];
    if (!device->backend->scans(&j)) j.dtype = total;
    if (!laid_out(rt, a, j.dtype, &flat)) return false;
    bool ok;
    if (device->backend->host && j.dtype == total && flat->storage != a->storage &&
        flat->offset == 0) {
        ok = scan_own(rt, device, flat, &j, &fp);
        r = flat;
        flat = NULL;
    } else {
        ok = gx_array_empty_at(rt, place, total, a->ndim, shape, (gx_namespace)a->ns, &r) &&
             scan_into(rt, device, place, flat, r, &j, &fp);
    }
    gx_array_drop(flat);
    ok = ok && (fp == 0 || gx_fp_warn(rt, fp, "accumulate", rt->here));
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

/* The dtype of a part, and how many of them an element has. */
static uint8_t part_of(const gx_array *a, int *step) {
    const bool cplx = gx_dtypes[a->dtype].kind == GX_KIND_CPLX;
    *step = cplx ? 2 : 1;
    return (uint8_t)(cplx ? gx_real_dtype((gx_dtype)a->dtype) : (gx_dtype)a->dtype);
}

GX_CHECK bool gx_array_filter(gx_rt *rt, gx_array *from, gx_filter *job, gx_array *to) {
    gx_place place = gx_array_place(from);
    job->from = part_of(from, &job->in_step);
    job->to = part_of(to, &job->out_step);
    if (to->count == 0) return true;
    if (!gx_place_device(rt, place)->backend->takes_filter(job)) place = GX_HOST;
    gx_device *device = gx_place_device(rt, place);
    if (!gx_storage_force(rt, from->storage) ||
        !gx_data_at(rt, from->storage->data, place, &job->in) ||
        !gx_storage_renew(rt, to->storage, place, &job->out))
        return false;
    job->in_at = from->offset;
    job->out_at = to->offset;
    for (int part = 0; part < job->in_step; part++) {
        if (!device->backend->filter(device, job)) return false;
        job->in_at += gx_dtypes[job->from].bytes;
        job->out_at += gx_dtypes[job->to].bytes;
        job->cval = 0;
    }
    return true;
}

/* Where an operand's elements are on a device. */
static bool find_elements(gx_rt *rt, gx_array *a, gx_place place, const gx_buffer **buf,
                          int64_t *offset) {
    gx_buffer *b;
    if (!gx_storage_force(rt, a->storage) || !gx_data_at(rt, a->storage->data, place, &b))
        return false;
    *buf = b;
    *offset = a->offset;
    return true;
}

/* New results like d, ndim and shape say, and the job done; its operands are set. */
static bool run_each(gx_rt *rt, gx_place place, gx_each *j, gx_dtype d, int ndim,
                     const int64_t *shape, gx_namespace ns, gx_array **out) {
    gx_device *device = gx_place_device(rt, place);
    bool ok = true;
    int made = 0;
    for (; ok && made < j->n_out; made += ok) {
        if (!(ok = gx_array_empty_at(rt, place, d, ndim, shape, ns, &out[made]))) break;
        ok = gx_data_at(rt, out[made]->storage->data, place, &j->out[made]);
        if (!ok) gx_array_drop(out[made]);
        j->n = out[0]->count;
    }
    ok = ok && (j->n == 0 || device->backend->each(device, j));
    for (int k = 0; !ok && k < made; k++) gx_array_drop(out[k]);
    return ok;
}

GX_CHECK bool gx_array_each(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *in,
                            int results, gx_array **out) {
    const gx_array *like = in[0];
    gx_place place = gx_place_near(n, in);
    if (!gx_place_device(rt, place)->backend->has_each(f)) place = GX_HOST;
    gx_each j = {.function = f, .n_in = n, .n_out = results,
                 .wide = gx_dtypes[like->dtype].kind == GX_KIND_CPLX ? 2 : 1};
    for (int k = 0; k < n; k++)
        if (!find_elements(rt, in[k], place, &j.in[k], &j.offset[k])) return false;
    return run_each(rt, place, &j, (gx_dtype)like->dtype, like->ndim, gx_shape(like),
                    (gx_namespace)like->ns, out);
}

bool gx_array_is_away(gx_rt *rt, const gx_array *a) {
    return !gx_place_device(rt, gx_array_place(a))->backend->host;
}

bool gx_array_looks(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *a) {
    const gx_backend *backend = gx_place_device(rt, gx_place_near(n, a))->backend;
    return !backend->host && backend->has_each(f);
}

static bool look_at(gx_rt *rt, gx_place place, const gx_each_function *f, gx_array *in, int n,
                    gx_array *const *lines, int ndim, const int64_t *shape, gx_namespace ns,
                    gx_array **out) {
    gx_each j = {.function = f, .n_in = in ? 1 : 0, .n_out = 1, .n_line = n, .wide = 1};
    if (in && !find_elements(rt, in, place, &j.in[0], &j.offset[0])) return false;
    for (int k = 0; k < n; k++) {
        if (!find_elements(rt, lines[k], place, &j.line[k], &j.line_offset[k])) return false;
        j.size[k] = lines[k]->count;
    }
    return run_each(rt, place, &j, GX_f64, ndim, shape, ns, out);
}

GX_CHECK bool gx_array_look(gx_rt *rt, const gx_each_function *f, gx_array *in, int n,
                            gx_array *const *lines, int ndim, const int64_t *shape,
                            gx_array **out) {
    gx_array *all[GX_EACH_MOST + 1];
    for (int k = 0; k < n; k++) all[k] = lines[k];
    all[n] = in;
    return look_at(rt, gx_place_near(in ? n + 1 : n, all), f, in, n, lines, ndim, shape,
                   (gx_namespace)lines[0]->ns, out);
}

GX_CHECK bool gx_array_make(gx_rt *rt, const gx_each_function *f, int n, gx_array *const *lines,
                            int ndim, const int64_t *shape, gx_namespace ns, gx_array **out) {
    gx_place place = gx_place_near(n, lines);
    int64_t count;
    if (!gx_shape_count(rt, ndim, shape, sizeof(double), &count)) return false;
    if (gx_place_device(rt, place)->backend->host &&
        !gx_place_fresh(rt, ns, count * (int64_t)sizeof(double), &place))
        return false;
    if (!gx_place_device(rt, place)->backend->has_each(f)) place = GX_HOST;
    return look_at(rt, place, f, NULL, n, lines, ndim, shape, ns, out);
}

GX_CHECK bool gx_array_empty_near(gx_rt *rt, int n, gx_array *const *near, gx_dtype d, int ndim,
                              const int64_t *shape, gx_namespace ns, gx_array **out) {
    return gx_array_empty_at(rt, gx_place_near(n, near), d, ndim, shape, ns, out);
}

GX_CHECK bool gx_array_empty_joined(gx_rt *rt, int n, gx_array *const *parts, gx_dtype d,
                                    const int64_t *shape, gx_namespace ns, gx_array **out) {
    int order[GX_MAX_DIMS];
    gx_order_of_joined(n, parts, order);
    return gx_array_empty_in(rt, gx_place_near(n, parts), d, parts[0]->ndim, shape, order, ns,
                             out);
}
