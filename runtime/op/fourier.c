/* The way to a backend's Fourier transforms: finds the buffers. Computes nothing itself. */
#include "runtime/op/fourier.h"

#include "runtime/graph/lazy.h"

enum { ALIGNED = 16 }; /* what the library wants of an address */

bool gx_fourier_joins(const gx_rt *rt, const gx_array *a) {
    return gx_place_device(rt, gx_array_place(a))->backend->fourier != NULL;
}

/* The input's buffer on the GPU; *moved is the array that owns it where a copy was needed. */
static bool input_of(gx_rt *rt, gx_array *a, gx_fourier *job, gx_array **moved) {
    bool spoilt = gx_dtypes[job->to].kind == GX_KIND_FLOAT;
    *moved = NULL;
    if (a->offset % ALIGNED != 0) {
        if (!gx_array_copy(rt, a, 'C', moved)) return false;
        a = *moved;
    }
    job->offset = a->offset;
    const gx_place place = gx_array_place(a);
    if (spoilt) return gx_storage_own(rt, a->storage, place, &job->in);
    return gx_storage_force(rt, a->storage) && gx_data_at(rt, a->storage->data, place, &job->in);
}

GX_CHECK bool gx_array_fourier(gx_rt *rt, gx_array *a, gx_fourier *job, int ndim,
                               const int64_t *shape, gx_array **out) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    gx_array *r, *moved;
    if (!gx_array_empty_at(rt, place, (gx_dtype)job->to, ndim, shape, (gx_namespace)a->ns, &r))
        return false;
    bool ok = true;
    if (r->count) {
        ok = input_of(rt, a, job, &moved) && gx_data_at(rt, r->storage->data, place, &job->out) &&
             d->backend->fourier(d, job);
        gx_array_drop(moved);
    }
    if (ok) *out = r;
    else gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_fourier_lines(gx_rt *rt, gx_array *a, gx_fourier_lines *job,
                                     gx_array *out) {
    gx_place place = gx_array_place(a);
    if (!gx_place_device(rt, place)->backend->fourier_lines) place = GX_HOST;
    gx_device *d = gx_place_device(rt, place);
    if (!gx_storage_own(rt, out->storage, place, &job->out) ||
        !gx_storage_force(rt, a->storage) ||
        !gx_data_at(rt, a->storage->data, place, &job->in))
        return false;
    job->in_at = a->offset;
    job->out_at = out->offset;
    return d->backend->fourier_lines(d, job);
}
