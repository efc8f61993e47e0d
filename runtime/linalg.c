/* The door to a backend's linear algebra: finds the buffers behind work arrays and says which
   backend lacks what. Computes nothing itself. */
#include "runtime/linalg.h"

#include "runtime/lazy_int.h"

static const gx_linalg *library(gx_rt *rt) {
    const gx_backend *b = rt->device->backend;
    if (b->linalg) return b->linalg;
    gx_fail(rt, GX_NotImplementedError, "backend.linalg", "the %s backend has no linear algebra",
            b->name);
    return NULL;
}

/* The buffer that a work array fills from its start. */
static gx_buffer *buffer_of(gx_rt *rt, gx_array *a) {
    char *data;
    if (!gx_array_write(rt, a, &data)) return NULL;
    return a->cell->data->buf;
}

static int64_t batch_of(const gx_array *a) {
    int64_t n = 1;
    for (int i = 0; i < a->ndim - 2; i++) n *= gx_shape(a)[i];
    return n;
}

bool gx_linalg_solve(gx_rt *rt, gx_array *a, gx_array *b, int64_t *info) {
    const gx_linalg *l = library(rt);
    gx_buffer *x = l ? buffer_of(rt, a) : NULL, *y = x ? buffer_of(rt, b) : NULL;
    return y && l->solve(rt->device, (gx_dtype)a->dtype, batch_of(a), gx_shape(a)[a->ndim - 1],
                         gx_shape(b)[b->ndim - 1], x, y, info);
}

bool gx_linalg_inv(gx_rt *rt, gx_array *a, int64_t *info) {
    const gx_linalg *l = library(rt);
    gx_buffer *x = l ? buffer_of(rt, a) : NULL;
    return x &&
           l->inv(rt->device, (gx_dtype)a->dtype, batch_of(a), gx_shape(a)[a->ndim - 1], x, info);
}

bool gx_linalg_lu(gx_rt *rt, gx_array *a, int64_t *pivots, int64_t *info) {
    const gx_linalg *l = library(rt);
    gx_buffer *x = l ? buffer_of(rt, a) : NULL;
    return x && l->lu(rt->device, (gx_dtype)a->dtype, batch_of(a), gx_shape(a)[a->ndim - 1], x,
                      pivots, info);
}

bool gx_linalg_decompose(gx_rt *rt, gx_decomp *job, gx_array *a, gx_array *b, gx_array *x,
                         gx_array *y, gx_array *z) {
    const gx_linalg *l = library(rt);
    gx_array *arrays[5] = {a, b, x, y, z};
    gx_buffer *bufs[5] = {NULL};
    if (!l) return false;
    if (!l->decompose)
        return gx_fail(rt, GX_NotImplementedError, "backend.linalg",
                       "the %s backend has no matrix decompositions", rt->device->backend->name);
    for (int i = 0; i < 5; i++)
        if (arrays[i] && !(bufs[i] = buffer_of(rt, arrays[i]))) return false;
    job->a = bufs[0];
    job->b = bufs[1];
    job->x = bufs[2];
    job->y = bufs[3];
    job->z = bufs[4];
    return l->decompose(rt->device, job);
}
