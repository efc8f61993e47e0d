/* Eigenvalues of Hermitian matrices, QR and Cholesky by cuSOLVER. A Hermitian matrix by rows is its
   conjugate down columns. */
#include "runtime/backend/cuda/solver_int.h"

static unsigned type_of(bool cplx) {
    return gx_solver_type(cplx ? GX_c128 : GX_f64);
}

bool gx_solver_eigh(gx_rooms *r, const gx_decomp *d, int64_t i) {
    gx_cuda_state *s = r->c->state;
    gx_dtype type = gx_decomp_dtype(d);
    int64_t n = d->n, size = n * n * gx_dtypes[type].bytes;
    char *a = d->a->data + i * size, *w = d->y->data + i * n * 8, *work;
    size_t device = 0, host = 0;
    unsigned vectors = d->x != NULL, fill = d->upper ? GX_FILL_LOWER : GX_FILL_UPPER;
    unsigned t = type_of(d->cplx), real = 1;
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXsyevd_bufferSize(s->solver_handle, s->solver_params,
                                                                 vectors, fill, n, t, a, n, real, w,
                                                                 t, &device, &host),
                           "syevd") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXsyevd(s->solver_handle, s->solver_params, vectors,
                                                      fill, n, t, a, n, real, w, t, work, device,
                                                      r->host, host, gx_rooms_status(r)),
                           "syevd") &&
           gx_rooms_info(r, &d->info[i]) &&
           (!vectors || gx_solver_turn(r, type, d->cplx, a, n, n, d->x->data + i * size));
}

bool gx_solver_cholesky(gx_rooms *r, const gx_decomp *d, int64_t i) {
    gx_cuda_state *s = r->c->state;
    gx_dtype type = gx_decomp_dtype(d);
    int64_t n = d->n;
    char *a = d->a->data + i * n * n * gx_dtypes[type].bytes, *work;
    size_t device = 0, host = 0;
    unsigned fill = d->upper ? GX_FILL_LOWER : GX_FILL_UPPER, t = type_of(d->cplx);
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXpotrf_bufferSize(s->solver_handle, s->solver_params,
                                                                 fill, n, t, a, n, t, &device,
                                                                 &host),
                           "potrf") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXpotrf(s->solver_handle, s->solver_params, fill, n,
                                                      t, a, n, t, work, device, r->host, host,
                                                      gx_rooms_status(r)),
                           "potrf") &&
           gx_rooms_info(r, &d->info[i]) &&
           gx_gpu_copy_matrix(&r->c->gpu, type, d->upper ? GX_PART_UPPER : GX_PART_LOWER, n, n, a,
                              n, 1, a, n, 1);
}

/* --- QR --- */

bool gx_solver_reflect(gx_rooms *r, bool cplx, int64_t m, int64_t n, char *a, char *tau,
                       int64_t *info) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned t = type_of(cplx);
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgeqrf_bufferSize(s->solver_handle, s->solver_params,
                                                                 m, n, t, a, m, t, tau, t, &device,
                                                                 &host),
                           "geqrf") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXgeqrf(s->solver_handle, s->solver_params, m, n, t,
                                                      a, m, t, tau, t, work, device, r->host, host,
                                                      gx_rooms_status(r)),
                           "geqrf") &&
           (!info || gx_rooms_info(r, info));
}

bool gx_solver_expand(gx_rooms *r, bool cplx, int64_t m, int64_t cols, int64_t k, char *a,
                      char *tau, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    int want = 0, mi = (int)m, ci = (int)cols, ki = (int)k;
    char *work;
    double *q = (double *)(void *)a, *t = (double *)(void *)tau;
    struct double2 *qz = (struct double2 *)(void *)a, *tz = (struct double2 *)(void *)tau;
    unsigned status =
        cplx
            ? s->solver.cusolverDnZungqr_bufferSize(s->solver_handle, mi, ci, ki, qz, mi, tz, &want)
            : s->solver.cusolverDnDorgqr_bufferSize(s->solver_handle, mi, ci, ki, q, mi, t, &want);
    if (!gx_solver_check(r->c, status, "orgqr") ||
        !gx_rooms_work(r, (size_t)want * (cplx ? 16 : 8), 0, &work))
        return false;
    status =
        cplx ? s->solver.cusolverDnZungqr(s->solver_handle, mi, ci, ki, qz, mi, tz,
                                          (struct double2 *)(void *)work, want, gx_rooms_status(r))
             : s->solver.cusolverDnDorgqr(s->solver_handle, mi, ci, ki, q, mi, t,
                                          (double *)(void *)work, want, gx_rooms_status(r));
    return gx_solver_check(r->c, status, "orgqr") && gx_rooms_info(r, info);
}

bool gx_solver_qr(gx_rooms *r, const gx_decomp *d, int64_t i) {
    gx_dtype type = gx_decomp_dtype(d);
    int64_t m = d->m, n = d->n, k = m < n ? m : n, qc = d->full ? m : k,
            item = gx_dtypes[type].bytes;
    int64_t wide = qc > n ? qc : n;
    char *tau = gx_rooms_get(r, k * item), *a = tau ? gx_rooms_get(r, m * wide * item) : NULL;
    bool ok = a && gx_solver_turn(r, type, false, d->a->data + i * m * n * item, n, m, a) &&
              gx_solver_reflect(r, d->cplx, m, n, a, tau, d->x ? NULL : &d->info[i]) &&
              gx_gpu_copy_matrix(&r->c->gpu, type, GX_PART_UPPER, qc, n, a, 1, m,
                                  d->y->data + i * qc * n * item, n, 1);
    if (!ok || !d->x) return ok;
    return gx_solver_expand(r, d->cplx, m, qc, k, a, tau, &d->info[i]) &&
           gx_solver_turn(r, type, false, a, m, qc, d->x->data + i * m * qc * item);
}
