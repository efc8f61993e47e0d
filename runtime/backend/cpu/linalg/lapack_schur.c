/* The forms of Hessenberg and Schur with LAPACK: kinds for the walk in lapack.c. */
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

/* Form and vectors go out in C order; a of Schur is in the form already. */
static void store_both(gx_lapack *j, int64_t i) {
    int64_t n = j->n, size = n * n * j->item;
    gx_lapack_transpose(j->d->y->data + i * size, j->a, j->unit, n, n);
    if (j->v) gx_lapack_transpose(j->d->x->data + i * size, j->v, j->unit, n, n);
}

static bool vector_rooms(gx_lapack *j) {
    return !j->d->x || (j->v = gx_lapack_room(&j->rooms, (int64_t)j->n * j->n, j->item));
}

/* --- Hessenberg ----------------------------------------------------------------------------- */

typedef void gehrd(const int *, const int *, const int *, void *, const int *, void *, void *,
                   const int *, int *);

/* u holds the factors of the reflectors. */
static bool hessenberg_rooms(gx_lapack *j) {
    return (j->u = gx_lapack_room(&j->rooms, j->n, j->item)) && vector_rooms(j);
}

static int hessenberg_call(gx_lapack *j, int64_t i, void *work, int room) {
    const int one = 1;
    int info = 0;
    (void)i;
    ((gehrd *)j->fn)(&j->n, &one, &j->n, j->a, &j->n, j->u, work, &room, &info);
    if (info || !j->v) return info;
    double first = *(double *)work;
    if (room >= 0) memcpy(j->v, j->a, (size_t)((int64_t)j->n * j->n * j->item));
    ((gehrd *)j->then)(&j->n, &one, &j->n, j->v, &j->n, j->u, work, &room, &info);
    if (room < 0 && first > *(double *)work) *(double *)work = first;
    return info;
}

/* Below its first subdiagonal a holds reflectors. */
static void hessenberg_store(gx_lapack *j, int64_t i) {
    for (int64_t col = 0; col + 2 < j->n; col++)
        memset(j->a + (col * j->n + col + 2) * j->item, 0, (size_t)((j->n - col - 2) * j->item));
    store_both(j, i);
}

const gx_lapack_kind gx_lapack_hessenberg = {{"dgehrd_", "zgehrd_"}, {"dorghr_", "zunghr_"},
                                             hessenberg_rooms,       gx_lapack_load,
                                             hessenberg_call,        hessenberg_store};

/* --- Schur ---------------------------------------------------------------------------------- */

typedef void dgees(const char *, const char *, void *, const int *, void *, const int *, int *,
                   double *, double *, void *, const int *, void *, const int *, int *, int *,
                   size_t, size_t);
typedef void zgees(const char *, const char *, void *, const int *, void *, const int *, int *,
                   void *, void *, const int *, void *, const int *, double *, int *, int *, size_t,
                   size_t);

/* u and real: values, which nobody asks for, and rwork. */
static bool schur_rooms(gx_lapack *j) {
    j->u = gx_lapack_room(&j->rooms, j->n, j->item);
    j->real = j->u ? gx_lapack_room(&j->rooms, 2 * (int64_t)j->n, sizeof(double)) : NULL;
    j->ints = j->real ? gx_lapack_room(&j->rooms, j->n, sizeof(int)) : NULL;
    return j->ints && vector_rooms(j);
}

static int schur_call(gx_lapack *j, int64_t i, void *work, int room) {
    const char *what = j->v ? "V" : "N";
    int info = 0, sorted = 0;
    (void)i;
    if (j->d->cplx)
        ((zgees *)j->fn)(what, "N", NULL, &j->n, j->a, &j->n, &sorted, j->u, j->v, &j->n, work,
                         &room, j->real, j->ints, &info, 1, 1);
    else
        ((dgees *)j->fn)(what, "N", NULL, &j->n, j->a, &j->n, &sorted, j->real, j->real + j->n,
                         j->v, &j->n, work, &room, j->ints, &info, 1, 1);
    return info;
}

const gx_lapack_kind gx_lapack_schur = {{"dgees_", "zgees_"}, {NULL, NULL}, schur_rooms,
                                        gx_lapack_load,       schur_call,   store_both};
