/* What the files of the CPU's matrix decompositions share: LAPACK's calls (lapack.c, lapack_qr.c)
   and gx's own ways when there is no library (lapack_own*.c). */
#ifndef GX_RUNTIME_BACKEND_CPU_LINALG_LAPACK_INT_H
#define GX_RUNTIME_BACKEND_CPU_LINALG_LAPACK_INT_H

#include "runtime/backend/cpu/cpu_int.h"

enum { GX_LAPACK_ROOMS = 8 };

/* Memory that lives as long as one job. Behind each block are bytes to spare: kernels of OpenBLAS
   0.3.21 (zgemv on AVX-512) read some elements of a row after its last. */
typedef struct gx_lapack_rooms {
    gx_device *device;
    int64_t beyond;
    int count;
    gx_buffer *held[GX_LAPACK_ROOMS];
} gx_lapack_rooms;

/* `count` items of `item` bytes, at least one; NULL: the error is set. */
void *gx_lapack_room(gx_lapack_rooms *rooms, int64_t count, int64_t item);
void gx_lapack_free(gx_lapack_rooms *rooms);

/* A batch on its way through LAPACK. Matrices in a, u and v are in Fortran order. */
typedef struct gx_lapack {
    gx_lapack_rooms rooms;
    const gx_decomp *d;
    gx_blas_fn fn, then; /* the library's function, and the one that follows */
    int m, n, k;
    int64_t item; /* bytes of an element of a, */
    gx_cpu_unit unit; /* and the same for copies */
    char *a, *u, *v;
    double *real; /* rwork; EIG of real matrices: both parts of the values */
    int *ints, int_room, real_room;
    int rank;
    const gx_blas *blas;
    bool halves; /* EIGH: by parts, the library's functions for it */
    gx_blas_fn parts[4];
} gx_lapack;

/* How a kind of decomposition uses LAPACK. */
typedef struct gx_lapack_kind {
    const char *fn[2], *then[2]; /* of real and of complex matrices */
    bool (*rooms)(gx_lapack *j);
    void (*load)(gx_lapack *j, int64_t i);
    /* Matrix i; `room` -1: only asks for the room wanted, which goes to work[0]. */
    int (*call)(gx_lapack *j, int64_t i, void *work, int room);
    void (*store)(gx_lapack *j, int64_t i);
} gx_lapack_kind;

extern const gx_lapack_kind gx_lapack_qr, gx_lapack_qr_raw, gx_lapack_cholesky, gx_lapack_lstsq,
    gx_lapack_hessenberg, gx_lapack_schur;

/* a of matrix i in Fortran order. */
void gx_lapack_load(gx_lapack *j, int64_t i);
/* dst (cols, rows) = transpose of src (rows, cols), both C order. */
void gx_lapack_transpose(char *dst, const char *src, gx_cpu_unit unit, int64_t rows, int64_t cols);
bool gx_lapack_decompose(gx_device *device, const gx_decomp *d);

/* ---- lapack_halves.c: large symmetric matrices ---- */
/* May a job go that way? Finds the library's functions. */
bool gx_lapack_halves_can(gx_lapack *j, const gx_blas *blas);
/* j->a (its triangle `side`) to its vectors, values to w; work as dsyevd wants it, j->real 2n,
   j->ints 6n + 16. False: it could not; a and w are spoilt. */
bool gx_lapack_halves(gx_lapack *j, const char *side, double *w, double *work, int room);

/* ---- without a library: complex128, Fortran order; what has iterations ends at a Ctrl-C ---- */
bool gx_lapack_own(gx_device *device, const gx_decomp *d);

static inline gx_c128 gx_cmul(gx_c128 x, gx_c128 y) {
    return (gx_c128){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static inline gx_c128 gx_cconj(gx_c128 x) {
    return (gx_c128){x.re, -x.im};
}
/* The sum of conj(x[i]) * y[i]. */
gx_c128 gx_own_dot(const gx_c128 *x, const gx_c128 *y, int64_t n);
/* Columns of u from `have` on (of p rows, `want` in all) become a basis of what is missing. */
void gx_own_complete(const gx_rt *rt, gx_c128 *u, int64_t p, int64_t have, int64_t want);
/* g (p, q), p >= q, becomes the left vectors, s the values falling, v (q, q) the right vectors.
   Returns 0, or 1 when that fails. */
int64_t gx_own_svd(const gx_rt *rt, gx_c128 *g, int64_t p, int64_t q, double *s, gx_c128 *v);
/* a (n, n), both triangles: its values rising in w, its vectors in v. */
int64_t gx_own_eigh(const gx_rt *rt, gx_c128 *a, int64_t n, double *w, gx_c128 *v);
/* a (m, n) becomes LAPACK's geqrf of it. */
void gx_own_geqrf(gx_c128 *a, int64_t m, int64_t n, gx_c128 *tau);
/* q (m, cols) from the first k reflectors in a. */
void gx_own_orgqr(const gx_c128 *a, int64_t m, int64_t k, const gx_c128 *tau, gx_c128 *q,
                  int64_t cols);
/* x (n) becomes a reflector I - tau v v', v[0] = 1 left out: x[0] is what the vector is turned
   into. Returns tau; gx_own_reflect applies it to a column: c (n) -= tau * v * (v' c). */
gx_c128 gx_own_reflector(gx_c128 *x, int64_t n);
void gx_own_reflect(const gx_c128 *v, int64_t n, gx_c128 tau, gx_c128 *c);
/* a becomes its form of Hessenberg, q the unitary matrix: a was q form q'. */
void gx_own_hessenberg(gx_c128 *a, int64_t n, gx_c128 *q);
/* A form of Hessenberg becomes Schur's, q is turned along; a real one keeps 2 x 2 blocks unless
   `cplx`. Returns 0, or the row that did not converge (or where Ctrl-C came). */
int64_t gx_own_schur(gx_rt *rt, gx_c128 *h, gx_c128 *q, int64_t n, bool cplx);
/* a (n, n), which is spoilt: its values in w, its vectors in v unless that is NULL; q (n, n), x (n)
   and by (n) are rooms. Returns what gx_own_schur does. */
int64_t gx_own_eig(gx_rt *rt, gx_c128 *a, int64_t n, bool cplx, gx_c128 *w, gx_c128 *v, gx_c128 *q,
                   gx_c128 *x, double *by);
gx_c128 gx_own_divide(gx_c128 x, gx_c128 y);
gx_c128 gx_own_sqrt(gx_c128 x);
/* a's lower triangle becomes the factor, the upper one zero; returns the first bad pivot, or 0. */
int64_t gx_own_cholesky(gx_c128 *a, int64_t n);

#endif
