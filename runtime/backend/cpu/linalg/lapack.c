/* Singular values and eigenvalues of batches of matrices with LAPACK out of OpenBLAS, and the walk
   that all of its decompositions share: ask for the working room once, then load, call and store
   matrix by matrix. QR, Cholesky and least squares are in lapack_qr.c, the forms of
   Hessenberg and Schur in lapack_schur.c. Signs and orders of vectors are the library's. */
#include "runtime/backend/cpu/linalg/lapack_int.h"

#include <math.h>
#include <string.h>

void *gx_lapack_room(gx_lapack_rooms *rooms, int64_t count, int64_t item) {
    gx_buffer *b;
    if (count < 1) count = 1;
    if (count > INT64_MAX / 64 / item) {
        gx_fail(rooms->device->rt, GX_MemoryError, "linalg.size",
                "a matrix of this size is too large");
        return NULL;
    }
    if (!gx_pool_alloc(rooms->device, count * item + rooms->beyond, &b)) return NULL;
    return (rooms->held[rooms->count++] = b)->data;
}

void gx_lapack_free(gx_lapack_rooms *rooms) {
    while (rooms->count > 0) gx_buffer_drop(rooms->held[--rooms->count]);
}

void gx_lapack_load(gx_lapack *j, int64_t i) {
    int64_t size = (int64_t)j->m * j->n * j->item;
    gx_lapack_transpose(j->a, j->d->a->data + i * size, j->unit, j->m, j->n);
}

/* --- singular values ------------------------------------------------------------------------ */

typedef void dgesdd(const char *, const int *, const int *, void *, const int *, double *, void *,
                    const int *, void *, const int *, void *, const int *, int *, int *, size_t);
typedef void zgesdd(const char *, const int *, const int *, void *, const int *, double *, void *,
                    const int *, void *, const int *, void *, const int *, double *, int *, int *,
                    size_t);

static int u_cols(const gx_lapack *j) {
    return j->d->full ? j->m : j->k;
}

static int v_rows(const gx_lapack *j) {
    return j->d->full ? j->n : j->k;
}

static bool svd_rooms(gx_lapack *j) {
    int64_t k = j->k, most = j->m > j->n ? j->m : j->n, real = 7 * k;
    if (j->d->x) {
        int64_t p = 5 * k + 7, q = 2 * most + 2 * k + 1;
        real = k * (p > q ? p : q);
        j->u = gx_lapack_room(&j->rooms, (int64_t)j->m * u_cols(j), j->item);
        j->v = j->u ? gx_lapack_room(&j->rooms, (int64_t)j->n * v_rows(j), j->item) : NULL;
        if (!j->v) return false;
    }
    j->ints = gx_lapack_room(&j->rooms, 8 * k, sizeof(int));
    if (!j->ints) return false;
    return !j->d->cplx || (j->real = gx_lapack_room(&j->rooms, real, sizeof(double)));
}

static int svd_call(gx_lapack *j, int64_t i, void *work, int room) {
    int v = v_rows(j), info = 0;
    const char *what = !j->d->x ? "N" : j->d->full ? "A" : "S";
    double *s = (double *)(void *)j->d->y->data + i * j->k;
    if (j->d->cplx)
        ((zgesdd *)j->fn)(what, &j->m, &j->n, j->a, &j->m, s, j->u, &j->m, j->v, &v, work, &room,
                          j->real, j->ints, &info, 1);
    else
        ((dgesdd *)j->fn)(what, &j->m, &j->n, j->a, &j->m, s, j->u, &j->m, j->v, &v, work, &room,
                          j->ints, &info, 1);
    return info;
}

static void svd_store(gx_lapack *j, int64_t i) {
    int64_t u = u_cols(j), v = v_rows(j);
    int item = (int)j->item;
    if (!j->d->x) return;
    gx_lapack_transpose(j->d->x->data + i * j->m * u * item, j->u, j->unit, u, j->m);
    gx_lapack_transpose(j->d->z->data + i * j->n * v * item, j->v, j->unit, j->n, v);
}

static const gx_lapack_kind kind_svd = {{"dgesdd_", "zgesdd_"}, {NULL, NULL}, svd_rooms,
                                        gx_lapack_load,         svd_call,     svd_store};

/* --- eigenvalues of Hermitian matrices ------------------------------------------------------ */

typedef void dsyevd(const char *, const char *, const int *, void *, const int *, double *, void *,
                    const int *, int *, const int *, int *, size_t, size_t);
typedef void zheevd(const char *, const char *, const int *, void *, const int *, double *, void *,
                    const int *, double *, const int *, int *, const int *, int *, size_t, size_t);

static bool eigh_rooms(gx_lapack *j) {
    int64_t n = j->n, ints = j->d->x ? 3 + 5 * n : 1;
    int64_t real = j->d->x ? 1 + 5 * n + 2 * n * n : n;
    if (real > INT32_MAX)
        return gx_fail(j->rooms.device->rt, GX_ValueError, "linalg.size",
                       "a matrix of this size is too large");
    j->int_room = (int)ints;
    j->real_room = (int)real;
    j->halves = gx_lapack_halves_can(j, j->blas);
    if (j->halves) {
        ints = 6 * n + 16;
        if (!(j->real = gx_lapack_room(&j->rooms, 2 * n, sizeof(double)))) return false;
    }
    if (!(j->ints = gx_lapack_room(&j->rooms, ints, sizeof(int)))) return false;
    return !j->d->cplx || (j->real = gx_lapack_room(&j->rooms, real, sizeof(double)));
}

static int eigh_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = 0;
    const char *what = j->d->x ? "V" : "N", *side = j->d->upper ? "U" : "L";
    double *w = (double *)(void *)j->d->y->data + i * j->n;
    if (j->halves && room >= 0) {
        if (gx_lapack_halves(j, side, w, work, room)) return 0;
        gx_lapack_load(j, i);
    }
    if (j->d->cplx)
        ((zheevd *)j->fn)(what, side, &j->n, j->a, &j->n, w, work, &room, j->real, &j->real_room,
                          j->ints, &j->int_room, &info, 1, 1);
    else
        ((dsyevd *)j->fn)(what, side, &j->n, j->a, &j->n, w, work, &room, j->ints, &j->int_room,
                          &info, 1, 1);
    return info;
}

static void eigh_store(gx_lapack *j, int64_t i) {
    int64_t size = (int64_t)j->n * j->n * j->item;
    if (j->d->x) gx_lapack_transpose(j->d->x->data + i * size, j->a, j->unit, j->n, j->n);
}

static const gx_lapack_kind kind_eigh = {{"dsyevd_", "zheevd_"}, {NULL, NULL}, eigh_rooms,
                                         gx_lapack_load,         eigh_call,    eigh_store};

/* --- eigenvalues of any square matrix ------------------------------------------------------- */

typedef void dgeev(const char *, const char *, const int *, void *, const int *, double *, double *,
                   void *, const int *, void *, const int *, void *, const int *, int *, size_t,
                   size_t);
typedef void zgeev(const char *, const char *, const int *, void *, const int *, void *, void *,
                   const int *, void *, const int *, void *, const int *, double *, int *, size_t,
                   size_t);

static bool eig_rooms(gx_lapack *j) {
    int64_t n = j->n;
    if (!(j->real = gx_lapack_room(&j->rooms, 2 * n, sizeof(double)))) return false;
    return !j->d->x || (j->v = gx_lapack_room(&j->rooms, n * n, j->item));
}

static int eig_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = 0;
    const char *what = j->d->x ? "V" : "N";
    gx_c128 *w = (gx_c128 *)(void *)j->d->y->data + i * j->n;
    if (j->d->cplx)
        ((zgeev *)j->fn)("N", what, &j->n, j->a, &j->n, w, NULL, &j->n, j->v, &j->n, work, &room,
                         j->real, &info, 1, 1);
    else
        ((dgeev *)j->fn)("N", what, &j->n, j->a, &j->n, j->real, j->real + j->n, NULL, &j->n, j->v,
                         &j->n, work, &room, &info, 1, 1);
    return info;
}

/* dgeev gives a conjugate pair's vectors as two columns: the real and the imaginary part. */
static void eig_store(gx_lapack *j, int64_t i) {
    int64_t n = j->n;
    gx_c128 *w = (gx_c128 *)(void *)j->d->y->data + i * n;
    gx_c128 *x = j->d->x ? (gx_c128 *)(void *)j->d->x->data + i * n * n : NULL;
    const double *re = j->real, *im = j->real + n, *v = (const double *)(void *)j->v;
    if (j->d->cplx) {
        if (x) gx_lapack_transpose((char *)x, j->v, j->unit, n, n);
        return;
    }
    for (int64_t c = 0; c < n; c++) w[c] = (gx_c128){re[c], im[c]};
    for (int64_t c = 0; x && c < n; c++) {
        bool pair = im[c] != 0 && c + 1 < n;
        for (int64_t r = 0; r < n; r++) {
            double p = v[c * n + r], q = pair ? v[(c + 1) * n + r] : 0;
            x[r * n + c] = (gx_c128){p, q};
            if (pair) x[r * n + c + 1] = (gx_c128){p, -q};
        }
        if (pair) c++;
    }
}

static const gx_lapack_kind kind_eig = {{"dgeev_", "zgeev_"}, {NULL, NULL}, eig_rooms,
                                        gx_lapack_load,       eig_call,     eig_store};

/* --- the walk ------------------------------------------------------------------------------- */

static const gx_lapack_kind *const kinds[] = {
    [GX_DECOMP_SVD] = &kind_svd,
    [GX_DECOMP_EIGH] = &kind_eigh,
    [GX_DECOMP_EIG] = &kind_eig,
    [GX_DECOMP_QR] = &gx_lapack_qr,
    [GX_DECOMP_QR_RAW] = &gx_lapack_qr_raw,
    [GX_DECOMP_CHOLESKY] = &gx_lapack_cholesky,
    [GX_DECOMP_LSTSQ] = &gx_lapack_lstsq,
    [GX_DECOMP_HESSENBERG] = &gx_lapack_hessenberg,
    [GX_DECOMP_SCHUR] = &gx_lapack_schur,
};

static bool too_large(gx_device *device) {
    return gx_fail(device->rt, GX_ValueError, "linalg.size", "a matrix of this size is too large");
}

/* One call, on a copy of the job. */
typedef struct one_call {
    gx_lapack j;
    gx_decomp d;
    const gx_lapack_kind *kind;
    int64_t i;
    void *work;
    int room, info;
} one_call;

static void make_call(void *args) {
    one_call *c = args;
    c->j.d = &c->d;
    c->info = c->kind->call(&c->j, c->i, c->work, c->room);
}

/* As kind->call; one that may take long can be left behind. */
static bool call(gx_lapack *j, const gx_lapack_kind *kind, int64_t i, void *work, int room,
                 int64_t *info) {
    const gx_decomp *d = j->d;
    gx_rt *rt = j->rooms.device->rt;
    if ((double)d->m * (double)d->n * j->k < GX_LEAVE_WORK) {
        *info = kind->call(j, i, work, room);
        return !rt->interrupted || gx_run_interrupted(rt);
    }
    one_call c = {.j = *j, .d = *d, .kind = kind, .i = i, .work = work, .room = room};
    gx_buffer *held[GX_LAPACK_ROOMS + 5] = {d->a, d->b, d->x, d->y, d->z};
    for (int k = 0; k < j->rooms.count; k++) held[5 + k] = j->rooms.held[k];
    if (!gx_leave_call(gx_cpu_of(j->rooms.device), make_call, &c, sizeof c, held,
                       5 + j->rooms.count))
        return false;
    *j = c.j;
    j->d = d;
    *info = c.info;
    return true;
}

static bool run_routine(gx_lapack *j, const gx_lapack_kind *kind) {
    gx_device *device = j->rooms.device;
    const gx_decomp *d = j->d;
    double wanted[4] = {0};
    if (!(j->a = gx_lapack_room(&j->rooms, d->m * d->n, j->item)) || !kind->rooms(j)) return false;
    kind->call(j, 0, wanted, -1);
    if (!(wanted[0] < INT32_MAX)) return too_large(device);
    int room = wanted[0] < 1 ? 1 : (int)wanted[0];
    void *work = gx_lapack_room(&j->rooms, room, j->item);
    if (!work) return false;
    for (int64_t i = 0; i < d->batch; i++) {
        kind->load(j, i);
        if (!call(j, kind, i, work, room, &d->info[i])) return false;
        if (d->info[i] == 0) kind->store(j, i);
    }
    return true;
}

bool gx_lapack_decompose(gx_device *device, const gx_decomp *d) {
    const gx_lapack_kind *kind = kinds[d->kind];
    const gx_blas *blas = gx_blas_open(gx_cpu_of(device), d->m > d->n ? d->m : d->n);
    if (d->m > 40000000 || d->n > 40000000 || d->more > 40000000) return too_large(device);
    gx_lapack j = {.rooms = {.device = device}, .d = d, .m = (int)d->m, .n = (int)d->n};
    j.k = j.m < j.n ? j.m : j.n;
    j.unit = gx_unit_of(d->cplx ? GX_c128 : GX_f64);
    j.item = j.unit.bytes;
    j.rooms.beyond = 4 * (int64_t)(j.m > j.n ? j.m : j.n) * j.item;
    j.blas = blas;
    if (blas) j.fn = gx_blas_find(blas, kind->fn[d->cplx]);
    if (j.fn && kind->then[0]) {
        j.then = gx_blas_find(blas, kind->then[d->cplx]);
        if (!j.then) j.fn = NULL;
    }
    if (!j.fn) return gx_lapack_own(device, d);
    bool ok = run_routine(&j, kind);
    gx_lapack_free(&j.rooms);
    return ok;
}
