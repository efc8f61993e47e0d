/* The way to a backend's linear algebra: finds the buffers behind work arrays and says which
   backend lacks what. Computes nothing itself. */
#include "runtime/op/linalg.h"

#include <stdio.h>

#include "runtime/base/slow_call.h"
#include "runtime/graph/lazy.h"

#define LONG_WORK 3e8 /* about a second of a library's time */

static const gx_linalg *library(gx_rt *rt, gx_place place) {
    const gx_backend *b = gx_place_device(rt, place)->backend;
    if (b->linalg) return b->linalg;
    gx_fail(rt, GX_NotImplementedError, "backend.linalg", "the %s backend has no linear algebra",
            b->name);
    return NULL;
}

/* The buffer, at a place, that a work array fills from its start. `fresh`: its elements are not
   looked at. */
static gx_buffer *buffer_of(gx_rt *rt, gx_place place, gx_array *a, bool fresh) {
    gx_buffer *b;
    if (!gx_array_writable(rt, a)) return NULL;
    bool ok = fresh ? gx_storage_renew(rt, a->storage, place, &b)
                    : gx_storage_own(rt, a->storage, place, &b);
    return ok ? b : NULL;
}

static int64_t batch_of(const gx_array *a) {
    int64_t n = 1;
    for (int i = 0; i < a->ndim - 2; i++) n *= gx_shape(a)[i];
    return n;
}

/* Where a job on `a` is done: where the matrix is if the device takes it. */
static gx_place place_of(gx_rt *rt, const gx_array *a, const gx_decomp *job) {
    const gx_place place = gx_array_place(a);
    gx_device *d = gx_place_device(rt, place);
    const gx_linalg *l = d->backend->linalg;
    if (!l) return GX_HOST;
    bool takes = job ? l->takes(d, job)
                     : l->takes_system((gx_dtype)a->dtype, batch_of(a), gx_shape(a)[a->ndim - 1]);
    return takes ? place : GX_HOST;
}

bool gx_linalg_solve(gx_rt *rt, gx_array *a, gx_array *b, int64_t *info) {
    const gx_place place = place_of(rt, a, NULL);
    const gx_linalg *l = library(rt, place);
    gx_buffer *x = l ? buffer_of(rt, place, a, false) : NULL,
              *y = x ? buffer_of(rt, place, b, false) : NULL;
    return y && l->solve(gx_place_device(rt, place), (gx_dtype)a->dtype, batch_of(a),
                         gx_shape(a)[a->ndim - 1], gx_shape(b)[b->ndim - 1], x, y, info);
}

bool gx_linalg_inv(gx_rt *rt, gx_array *a, int64_t *info) {
    const gx_place place = place_of(rt, a, NULL);
    const gx_linalg *l = library(rt, place);
    gx_buffer *x = l ? buffer_of(rt, place, a, false) : NULL;
    return x && l->inv(gx_place_device(rt, place), (gx_dtype)a->dtype, batch_of(a),
                       gx_shape(a)[a->ndim - 1], x, info);
}

bool gx_linalg_lu(gx_rt *rt, gx_array *a, int64_t *pivots, int64_t *info) {
    const gx_place place = place_of(rt, a, NULL);
    const gx_linalg *l = library(rt, place);
    gx_buffer *x = l ? buffer_of(rt, place, a, false) : NULL;
    return x && l->lu(gx_place_device(rt, place), (gx_dtype)a->dtype, batch_of(a),
                      gx_shape(a)[a->ndim - 1], x, pivots, info);
}

bool gx_linalg_triangle(gx_rt *rt, gx_triangle *job, gx_array *a, gx_array *b) {
    const gx_place place = gx_place_near(2, (gx_array *const[]){a, b});
    const gx_linalg *l = library(rt, place);
    gx_buffer *from;
    if (!l || !gx_storage_force(rt, a->storage) ||
        !gx_data_at(rt, a->storage->data, place, &from) ||
        !(job->b = buffer_of(rt, place, b, false)))
        return false;
    job->a = from;
    job->a_at = a->offset;
    return l->triangle(gx_place_device(rt, place), job);
}

static const char *const names[] = {
    [GX_DECOMP_SVD] = "svd",     [GX_DECOMP_EIGH] = "eigh",
    [GX_DECOMP_EIG] = "eig",     [GX_DECOMP_QR] = "qr",
    [GX_DECOMP_QR_RAW] = "qr",   [GX_DECOMP_CHOLESKY] = "cholesky",
    [GX_DECOMP_LSTSQ] = "lstsq", [GX_DECOMP_HESSENBERG] = "hessenberg",
    [GX_DECOMP_SCHUR] = "schur"};

bool gx_linalg_decompose(gx_rt *rt, gx_decomp *job, gx_array *a, gx_array *b, gx_array *x,
                         gx_array *y, gx_array *z) {
    gx_array *arrays[5] = {a, b, x, y, z};
    gx_buffer *bufs[5] = {NULL};
    const gx_place place = place_of(rt, a, job);
    const gx_linalg *l = library(rt, place);
    if (!l) return false;
    for (int i = 0; i < 5; i++)
        if (arrays[i] && !(bufs[i] = buffer_of(rt, place, arrays[i], i >= 2))) return false;
    job->a = bufs[0];
    job->b = bufs[1];
    job->x = bufs[2];
    job->y = bufs[3];
    job->z = bufs[4];
    int64_t m = job->m ? job->m : job->n, n = job->n ? job->n : job->m;
    double work = (double)job->batch * (double)m * (double)n * (double)(m < n ? m : n);
    if (work < LONG_WORK) return l->decompose(gx_place_device(rt, place), job);
    gx_slow_call wait;
    char what[96];
    snprintf(what, sizeof what, "%s of %lld x %lld", names[job->kind], (long long)m, (long long)n);
    gx_slow_call_begin(&wait, rt, what, 1);
    bool ok = l->decompose(gx_place_device(rt, place), job);
    gx_slow_call_end(&wait);
    return ok;
}

bool gx_linalg_prefers_svd(gx_rt *rt, const gx_decomp *job, const gx_array *a) {
    gx_decomp svd = *job;
    svd.kind = GX_DECOMP_SVD;
    const gx_place place = gx_array_place(a);
    return place_of(rt, a, job) != place && place_of(rt, a, &svd) == place;
}
