/* Singular values by cuSOLVER: by the polar decomposition, which is quick and says when it was not
   exact, then the plain way. A matrix much taller than wide is brought to its square factor first.
   A wide one is factored as its transpose, which is how it lies there. */
#include "runtime/backend/cuda/solver_int.h"

/* a (p, q) down columns, p >= q, is destroyed; s its values; u (p, cols), v (q, q) down columns or
   NULL: v itself where `polar`, else its adjoint. */
typedef struct svd {
    bool cplx, polar, vectors; /* vectors: u is wanted in the end */
    int64_t p, q, cols;
    char *a, *s, *u, *v;
} svd;

static bool by_polar(gx_rooms *r, const svd *j, int64_t *info, double *error) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned vectors = j->vectors, t = gx_solver_type(j->cplx ? GX_c128 : GX_f64), real = 1;
    int econ = j->cols == j->q;
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgesvdp_bufferSize(
                               s->solver_handle, s->solver_params, vectors, econ, j->p, j->q, t,
                               j->a, j->p, real, j->s, t, j->u, j->p, t, j->v, j->q, t, &device,
                               &host),
                           "gesvdp") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXgesvdp(
                               s->solver_handle, s->solver_params, vectors, econ, j->p, j->q, t,
                               j->a, j->p, real, j->s, t, j->u, j->p, t, j->v, j->q, t, work,
                               device, r->host, host, gx_rooms_status(r), error),
                           "gesvdp") &&
           gx_rooms_info(r, info);
}

static bool by_plain(gx_rooms *r, const svd *j, int64_t *info) {
    gx_cuda_state *s = r->c->state;
    size_t device = 0, host = 0;
    char *work;
    unsigned t = gx_solver_type(j->cplx ? GX_c128 : GX_f64), real = 1;
    signed char what = !j->vectors ? 'N' : j->cols == j->q ? 'S' : 'A';
    return gx_solver_check(r->c,
                           s->solver.cusolverDnXgesvd_bufferSize(
                               s->solver_handle, s->solver_params, what, what, j->p, j->q, t, j->a,
                               j->p, real, j->s, t, j->u, j->p, t, j->v, j->q, t, &device, &host),
                           "gesvd") &&
           gx_rooms_work(r, device, host, &work) &&
           gx_solver_check(r->c,
                           s->solver.cusolverDnXgesvd(s->solver_handle, s->solver_params, what,
                                                      what, j->p, j->q, t, j->a, j->p, real, j->s,
                                                      t, j->u, j->p, t, j->v, j->q, t, work, device,
                                                      r->host, host, gx_rooms_status(r)),
                           "gesvd") &&
           gx_rooms_info(r, info);
}

/* One way, then, from the copy `kept`, the other. The polar way perturbs singular matrices, and
   then says by how much. */
static bool factor(gx_rooms *r, svd *j, const char *kept, int64_t *info) {
    double error = 0;
    gx_dtype d = j->cplx ? GX_c128 : GX_f64;
    j->polar = true;
    if (!gx_solver_copy(r, d, false, kept, j->p * j->q, j->a) || !by_polar(r, j, info, &error))
        return false;
    if (*info == 0 && error <= 1e-12) return true;
    j->polar = false;
    return gx_solver_copy(r, d, false, kept, j->p * j->q, j->a) && by_plain(r, j, info);
}

/* u (p, q) = q (p, q) @ small (q, q), all down columns: the transposes by rows. */
static bool multiply(gx_rooms *r, const svd *j, char *small, char *q, char *u) {
    gx_buffer home = {.device = &r->c->gpu.base,
                      .refs = 1,
                      .bytes = INT64_MAX / 4,
                      .room = INT64_MAX / 4},
              to = home, x = home;
    x.data = small;
    home.data = q;
    to.data = u;
    const gx_matrix
        a = {.buf = &x, .rows = j->q, .cols = j->q, .row_stride = j->q, .col_stride = 1},
        b = {.buf = &home, .rows = j->q, .cols = j->p, .row_stride = j->p, .col_stride = 1},
        c = {.buf = &to, .rows = j->q, .cols = j->p, .row_stride = j->p, .col_stride = 1};
    return gx_cuda_matmul(&r->c->gpu.base, j->cplx ? GX_c128 : GX_f64, 1, &a, &b, &c);
}

/* The tall way: q and r of a, the values of r. j->u is made of q and r's u. */
static bool factor_tall(gx_rooms *r, svd *j, char *a, int64_t *info) {
    gx_dtype d = j->cplx ? GX_c128 : GX_f64;
    int64_t item = gx_dtypes[d].bytes, square = j->q * j->q * item;
    char *tau = gx_rooms_get(r, j->q * item), *root = tau ? gx_rooms_get(r, square) : NULL;
    char *small = root ? gx_rooms_get(r, square) : NULL;
    if (!small || !gx_solver_reflect(r, j->cplx, j->p, j->q, a, tau, info)) return false;
    if (!gx_gpu_copy_matrix(&r->c->gpu, d, GX_PART_UPPER, j->q, j->q, a, 1, j->p, root, 1, j->q))
        return false;
    svd inner = *j;
    inner.p = inner.cols = j->q;
    inner.u = small;
    inner.a = gx_rooms_get(r, square);
    if (!inner.a || !factor(r, &inner, root, info)) return false;
    j->polar = inner.polar;
    if (!j->vectors || *info) return true;
    return gx_solver_expand(r, j->cplx, j->p, j->q, j->q, a, tau, info) &&
           multiply(r, j, small, a, j->u);
}

/* The factors to where they are wanted, by rows. `wide`: a's transpose was factored, a is
   conj(v) s u.T; else a is u s v.H. */
static bool place(gx_rooms *r, const svd *j, bool wide, char *x, char *z) {
    gx_dtype d = j->cplx ? GX_c128 : GX_f64;
    if (wide) {
        if (j->polar) return gx_solver_turn(r, d, j->cplx, j->v, j->q, j->q, x);
        return gx_solver_copy(r, d, false, j->v, j->q * j->q, x);
    }
    if (!gx_solver_turn(r, d, false, j->u, j->p, j->cols, x)) return false;
    if (j->polar) return gx_solver_copy(r, d, j->cplx, j->v, j->q * j->q, z);
    return gx_solver_turn(r, d, false, j->v, j->q, j->q, z);
}

bool gx_solver_svd(gx_rooms *r, const gx_decomp *d, int64_t i) {
    gx_dtype type = gx_decomp_dtype(d);
    int64_t m = d->m, n = d->n, k = m < n ? m : n, uc = d->full ? m : k, vr = d->full ? n : k;
    int64_t item = gx_dtypes[type].bytes;
    bool wide = n >= m, vectors = d->x != NULL;
    char *a = d->a->data + i * m * n * item, *x = vectors ? d->x->data + i * m * uc * item : NULL,
         *z = vectors ? d->z->data + i * vr * n * item : NULL;
    svd j = {.cplx = d->cplx,
             .vectors = vectors,
             .p = wide ? n : m,
             .q = k,
             .cols = wide ? vr : uc,
             .s = d->y->data + i * k * 8};
    bool tall = j.p * 10 > j.q * 16 && (!vectors || j.cols == j.q);
    char *kept = wide ? a : gx_rooms_get(r, m * n * item);
    if (!kept || (!wide && !gx_solver_turn(r, type, false, a, n, m, kept))) return false;
    /* gesvdp wants room for vectors also where none are asked for. */
    if (!vectors) j.cols = k;
    j.u = vectors && wide ? z : gx_rooms_get(r, tall && !vectors ? 64 : j.p * j.cols * item);
    j.v = j.u ? gx_rooms_get(r, k * k * item) : NULL;
    if (!j.v) return false;
    if (tall) {
        if (!factor_tall(r, &j, kept, &d->info[i])) return false;
    } else {
        j.a = gx_rooms_get(r, m * n * item);
        if (!j.a || !factor(r, &j, kept, &d->info[i])) return false;
    }
    return !vectors || d->info[i] || place(r, &j, wide, x, z);
}
