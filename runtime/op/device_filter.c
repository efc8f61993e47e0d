/* The way to a GPU's image filters: finds the buffers and goes over the parts of complex numbers.
   Computes nothing itself. */
#include "runtime/op/device_filter.h"

#include "runtime/graph/lazy.h"

bool gx_device_has_filters(const gx_rt *rt, const gx_array *a) {
    return rt->gpu && rt->gpu->backend->filter && a->storage->data->place == GX_GPU;
}

/* The dtype of a part, and how many of them an element has. */
static gx_dtype part_of(const gx_array *a, int *step) {
    bool cplx = gx_dtypes[a->dtype].kind == GX_KIND_CPLX;
    *step = cplx ? 2 : 1;
    return cplx ? gx_real_dtype((gx_dtype)a->dtype) : (gx_dtype)a->dtype;
}

bool gx_device_filter(gx_rt *rt, gx_array *from, gx_filter *job, gx_array *to, bool *taken) {
    const gx_backend *gpu = rt->gpu->backend;
    job->from = (uint8_t)part_of(from, &job->in_step);
    job->to = (uint8_t)part_of(to, &job->out_step);
    *taken = gpu->takes_filter(job);
    if (!*taken || to->count == 0) return true;
    if (!gx_storage_force(rt, from->storage) ||
        !gx_data_at(rt, from->storage->data, GX_GPU, &job->in) ||
        !gx_storage_renew(rt, to->storage, GX_GPU, &job->out))
        return false;
    job->in_at = from->offset;
    job->out_at = to->offset;
    for (int part = 0; part < job->in_step; part++) {
        if (!gpu->filter(rt->gpu, job)) return false;
        job->in_at += gx_dtypes[job->from].bytes;
        job->out_at += gx_dtypes[job->to].bytes;
        job->cval = 0;
    }
    return true;
}
