/* QR, Cholesky and least squares with LAPACK: kinds for the walk in lapack.c. */
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

/* --- QR ------------------------------------------------------------------------------------- */

typedef void geqrf(const int *, const int *, void *, const int *, void *, void *, const int *,
                   int *);
typedef void orgqr(const int *, const int *, const int *, void *, const int *, const void *, void *,
                   const int *, int *);

static int q_cols(const gx_lapack *j) {
    return j->d->full ? j->m : j->k;
}

/* u holds the factors of the reflectors, v becomes q. */
static bool qr_rooms(gx_lapack *j) {
    if (!(j->u = gx_lapack_room(&j->rooms, j->k, j->item))) return false;
    if (!j->d->x || j->d->kind == GX_DECOMP_QR_RAW) return true;
    return (j->v = gx_lapack_room(&j->rooms, (int64_t)j->m * q_cols(j), j->item)) != NULL;
}

static int raw_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = 0;
    (void)i;
    ((geqrf *)j->fn)(&j->m, &j->n, j->a, &j->m, j->u, work, &room, &info);
    return info;
}

static int qr_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = raw_call(j, i, work, room), cols = q_cols(j);
    if (info || !j->v) return info;
    double first = *(double *)work;
    if (room >= 0)
        memcpy(j->v, j->a, (size_t)((int64_t)j->m * (cols < j->n ? cols : j->n) * j->item));
    ((orgqr *)j->then)(&j->m, &cols, &j->k, j->v, &j->m, j->u, work, &room, &info);
    if (room < 0 && first > *(double *)work) *(double *)work = first;
    return info;
}

static void qr_store(gx_lapack *j, int64_t i) {
    int64_t cols = q_cols(j), n = j->n, item = j->item;
    char *r = j->d->y->data + i * cols * n * item;
    if (j->v)
        gx_lapack_transpose(j->d->x->data + i * j->m * cols * item, j->v, j->unit, cols, j->m);
    gx_load_region(r, j->a, j->unit, cols, n, item, j->m * item);
    for (int64_t row = 1; row < cols; row++)
        memset(r + row * n * item, 0, (size_t)((row < n ? row : n) * item));
}

const gx_lapack_kind gx_lapack_qr = {
    {"dgeqrf_", "zgeqrf_"}, {"dorgqr_", "zungqr_"}, qr_rooms, gx_lapack_load, qr_call, qr_store};

static void raw_store(gx_lapack *j, int64_t i) {
    size_t size = (size_t)((int64_t)j->m * j->n * j->item), tau = (size_t)(j->k * j->item);
    memcpy(j->d->x->data + (size_t)i * size, j->a, size);
    memcpy(j->d->y->data + (size_t)i * tau, j->u, tau);
}

const gx_lapack_kind gx_lapack_qr_raw = {
    {"dgeqrf_", "zgeqrf_"}, {NULL, NULL}, qr_rooms, gx_lapack_load, raw_call, raw_store};

/* --- Cholesky ------------------------------------------------------------------------------- */

typedef void potrf(const char *, const int *, void *, const int *, int *, size_t);

static bool no_rooms(gx_lapack *j) {
    (void)j;
    return true;
}

/* The matrix is factored where it lies: read in Fortran order it is its transpose, whose other
   factor, read in C order again, is the one wanted. */
static void cholesky_load(gx_lapack *j, int64_t i) {
    j->a = j->d->a->data + i * j->n * j->n * j->item;
}

static int cholesky_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = 0;
    (void)i;
    *(double *)work = 1;
    if (room >= 0) ((potrf *)j->fn)(j->d->upper ? "L" : "U", &j->n, j->a, &j->n, &info, 1);
    return info;
}

static void cholesky_store(gx_lapack *j, int64_t i) {
    int64_t n = j->n, item = j->item;
    (void)i;
    for (int64_t row = 0; row < n; row++) {
        int64_t from = j->d->upper ? 0 : row + 1, end = j->d->upper ? row : n;
        memset(j->a + (row * n + from) * item, 0, (size_t)((end - from) * item));
    }
}

const gx_lapack_kind gx_lapack_cholesky = {{"dpotrf_", "zpotrf_"}, {NULL, NULL},  no_rooms,
                                           cholesky_load,          cholesky_call, cholesky_store};

/* --- least squares -------------------------------------------------------------------------- */

typedef void dgelsd(const int *, const int *, const int *, void *, const int *, void *, const int *,
                    double *, const double *, int *, void *, const int *, int *, int *);
typedef void zgelsd(const int *, const int *, const int *, void *, const int *, void *, const int *,
                    double *, const double *, int *, void *, const int *, double *, int *, int *);

static int rows_of_b(const gx_lapack *j) {
    return j->m > j->n ? j->m : j->n;
}

/* Room for a tree of 32 levels with leaves of up to 32: more than any matrix needs. */
static bool lstsq_rooms(gx_lapack *j) {
    int64_t k = j->k, more = j->d->more, leaf = k * (1 + more) + 2 * more;
    int64_t real = 10 * k + 64 * k + 256 * k + 96 * more + (leaf > 1089 ? leaf : 1089);
    j->u = gx_lapack_room(&j->rooms, rows_of_b(j) * more, j->item);
    if (!j->u) return false;
    if (!(j->ints = gx_lapack_room(&j->rooms, 107 * k, sizeof(int)))) return false;
    return !j->d->cplx || (j->real = gx_lapack_room(&j->rooms, real, sizeof(double)));
}

static void lstsq_load(gx_lapack *j, int64_t i) {
    int64_t item = j->item, rows = rows_of_b(j);
    gx_lapack_load(j, i);
    for (int64_t c = 0; c < j->d->more; c++)
        gx_load_region(j->u + c * rows * item, j->d->b->data + c * item, j->unit, 1, j->m, 0,
                       j->d->more * item);
}

static int lstsq_call(gx_lapack *j, int64_t i, void *work, int room) {
    int info = 0, more = (int)j->d->more, rows = rows_of_b(j);
    double *s = (double *)(void *)j->d->y->data;
    (void)i;
    if (j->d->cplx)
        ((zgelsd *)j->fn)(&j->m, &j->n, &more, j->a, &j->m, j->u, &rows, s, &j->d->rcond, &j->rank,
                          work, &room, j->real, j->ints, &info);
    else
        ((dgelsd *)j->fn)(&j->m, &j->n, &more, j->a, &j->m, j->u, &rows, s, &j->d->rcond, &j->rank,
                          work, &room, j->ints, &info);
    return info;
}

/* Below the solution stand the parts of b that no solution reaches. */
static void lstsq_store(gx_lapack *j, int64_t i) {
    int64_t item = j->item, rows = rows_of_b(j), more = j->d->more, parts = j->d->cplx ? 2 : 1;
    double *left = (double *)(void *)j->d->z->data;
    (void)i;
    *j->d->rank = j->rank;
    gx_load_region(j->d->x->data, j->u, j->unit, j->n, more, item, rows * item);
    for (int64_t c = 0; c < more; c++) {
        const double *b = (const double *)(void *)(j->u + c * rows * item);
        left[c] = 0;
        for (int64_t r = j->n * parts; r < j->m * parts; r++) left[c] += b[r] * b[r];
    }
}

const gx_lapack_kind gx_lapack_lstsq = {
    {"dgelsd_", "zgelsd_"}, {NULL, NULL}, lstsq_rooms, lstsq_load, lstsq_call, lstsq_store};
