/* Without a library: Householder's QR with LAPACK's signs, Cholesky, and the walk over a batch that
   turns each matrix into complex128 in Fortran order and its results back. */
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

gx_c128 gx_own_reflector(gx_c128 *x, int64_t n) {
    double rest = 0;
    for (int64_t i = 1; i < n; i++) rest = hypot(rest, hypot(x[i].re, x[i].im));
    if (rest == 0 && x[0].im == 0) return (gx_c128){0, 0};
    double beta = -copysign(hypot(hypot(x[0].re, x[0].im), rest), x[0].re);
    gx_c128 tau = {(beta - x[0].re) / beta, -x[0].im / beta};
    gx_c128 d = {x[0].re - beta, x[0].im};
    double size = d.re * d.re + d.im * d.im;
    gx_c128 by = {d.re / size, -d.im / size};
    for (int64_t i = 1; i < n; i++) x[i] = gx_cmul(x[i], by);
    x[0] = (gx_c128){beta, 0};
    return tau;
}

void gx_own_reflect(const gx_c128 *v, int64_t n, gx_c128 tau, gx_c128 *c) {
    gx_c128 w = gx_own_dot(v + 1, c + 1, n - 1);
    w = gx_cmul(tau, (gx_c128){w.re + c[0].re, w.im + c[0].im});
    c[0] = (gx_c128){c[0].re - w.re, c[0].im - w.im};
    for (int64_t i = 1; i < n; i++) {
        gx_c128 y = gx_cmul(w, v[i]);
        c[i] = (gx_c128){c[i].re - y.re, c[i].im - y.im};
    }
}

void gx_own_geqrf(gx_c128 *a, int64_t m, int64_t n, gx_c128 *tau) {
    for (int64_t i = 0; i < m && i < n; i++) {
        gx_c128 *v = a + i * m + i;
        tau[i] = gx_own_reflector(v, m - i);
        for (int64_t c = i + 1; c < n; c++)
            gx_own_reflect(v, m - i, gx_cconj(tau[i]), a + c * m + i);
    }
}

void gx_own_orgqr(const gx_c128 *a, int64_t m, int64_t k, const gx_c128 *tau, gx_c128 *q,
                  int64_t cols) {
    memset(q, 0, (size_t)(m * cols) * sizeof *q);
    for (int64_t i = 0; i < cols; i++) q[i * m + i].re = 1;
    for (int64_t i = k - 1; i >= 0; i--)
        for (int64_t c = i; c < cols; c++)
            gx_own_reflect(a + i * m + i, m - i, tau[i], q + c * m + i);
}

int64_t gx_own_cholesky(gx_c128 *a, int64_t n) {
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < j; i++) a[j * n + i] = (gx_c128){0, 0};
        double d = a[j * n + j].re;
        for (int64_t k = 0; k < j; k++) {
            gx_c128 x = a[k * n + j];
            d -= x.re * x.re + x.im * x.im;
        }
        if (!(d > 0)) return j + 1;
        d = sqrt(d);
        a[j * n + j] = (gx_c128){d, 0};
        for (int64_t i = j + 1; i < n; i++) {
            gx_c128 x = a[j * n + i];
            for (int64_t k = 0; k < j; k++) {
                gx_c128 y = gx_cmul(a[k * n + i], gx_cconj(a[k * n + j]));
                x = (gx_c128){x.re - y.re, x.im - y.im};
            }
            a[j * n + i] = (gx_c128){x.re / d, x.im / d};
        }
    }
    return 0;
}

/* --- one matrix of a batch ------------------------------------------------------------------ */

typedef struct own {
    const gx_decomp *d;
    gx_lapack_rooms rooms;
    int64_t m, n, k;
    gx_c128 *a, *u, *v, *w;
    double *s;
} own;

/* Element (r, c) of matrix i of a C-ordered batch of rows x cols. */
static gx_c128 get(const own *o, const gx_buffer *b, int64_t at) {
    const double *x = (const double *)(void *)b->data;
    return o->d->cplx ? (gx_c128){x[2 * at], x[2 * at + 1]} : (gx_c128){x[at], 0};
}

static void put_element(const own *o, gx_buffer *b, int64_t at, gx_c128 value) {
    double *x = (double *)(void *)b->data;
    if (o->d->cplx) memcpy(x + 2 * at, &value, sizeof value);
    else x[at] = value.re;
}

/* Fortran-ordered rows x cols with `stride` rows a column into matrix i of a batch. */
static void store(const own *o, gx_buffer *b, int64_t i, const gx_c128 *x, int64_t rows,
                  int64_t cols, int64_t stride) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            put_element(o, b, (i * rows + r) * cols + c, x[c * stride + r]);
}

/* The conjugate transpose of x (rows, cols), Fortran order. */
static void flip(gx_c128 *to, const gx_c128 *x, int64_t rows, int64_t cols) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++) to[r * cols + c] = gx_cconj(x[c * rows + r]);
}

/* a = u diag(s) v': u in o->u, v in o->v, both with all the columns that their rooms hold. */
static int64_t svd_parts(own *o) {
    bool wide = o->m < o->n;
    int64_t p = wide ? o->n : o->m, q = o->k;
    gx_c128 *left = wide ? o->v : o->u, *right = wide ? o->u : o->v;
    if (wide) flip(left, o->a, o->m, o->n);
    else memcpy(left, o->a, (size_t)(p * q) * sizeof *left);
    int64_t info = gx_own_svd(o->rooms.device->rt, left, p, q, o->s, right);
    if (info == 0 && o->d->full) gx_own_complete(o->rooms.device->rt, left, p, q, p);
    return info;
}

static int64_t own_svd(own *o, int64_t i) {
    int64_t info = svd_parts(o), u = o->d->full ? o->m : o->k, v = o->d->full ? o->n : o->k;
    memcpy(o->d->y->data + i * o->k * 8, o->s, (size_t)o->k * sizeof *o->s);
    if (info || !o->d->x) return info;
    store(o, o->d->x, i, o->u, o->m, u, o->m);
    flip(o->w, o->v, o->n, v);
    store(o, o->d->z, i, o->w, v, o->n, v);
    return 0;
}

static int64_t own_eigh(own *o, int64_t i) {
    int64_t n = o->n;
    for (int64_t c = 0; c < n; c++) {
        o->a[c * n + c].im = 0;
        for (int64_t r = c + 1; r < n; r++) {
            if (o->d->upper) o->a[c * n + r] = gx_cconj(o->a[r * n + c]);
            else o->a[r * n + c] = gx_cconj(o->a[c * n + r]);
        }
    }
    int64_t info = gx_own_eigh(o->rooms.device->rt, o->a, n, o->s, o->v);
    memcpy(o->d->y->data + i * n * 8, o->s, (size_t)n * sizeof *o->s);
    if (o->d->x) store(o, o->d->x, i, o->v, n, n, n);
    return info;
}

static int64_t own_qr(own *o, int64_t i) {
    int64_t cols = o->d->full ? o->m : o->k;
    gx_own_geqrf(o->a, o->m, o->n, o->w);
    if (o->d->kind == GX_DECOMP_QR_RAW) {
        for (int64_t at = 0; at < o->m * o->n; at++)
            put_element(o, o->d->x, i * o->m * o->n + at, o->a[at]);
        for (int64_t at = 0; at < o->k; at++) put_element(o, o->d->y, i * o->k + at, o->w[at]);
        return 0;
    }
    if (o->d->x) {
        gx_own_orgqr(o->a, o->m, o->k, o->w, o->u, cols);
        store(o, o->d->x, i, o->u, o->m, cols, o->m);
    }
    for (int64_t c = 0; c < o->n; c++)
        for (int64_t r = c + 1; r < o->m; r++) o->a[c * o->m + r] = (gx_c128){0, 0};
    store(o, o->d->y, i, o->a, cols, o->n, o->m);
    return 0;
}

static int64_t own_cholesky(own *o, int64_t i) {
    int64_t n = o->n;
    if (o->d->upper) {
        flip(o->w, o->a, n, n);
        memcpy(o->a, o->w, (size_t)(n * n) * sizeof *o->a);
    }
    int64_t info = gx_own_cholesky(o->a, n);
    if (o->d->upper) flip(o->w, o->a, n, n);
    if (info == 0) store(o, o->d->a, i, o->d->upper ? o->w : o->a, n, n, n);
    return info;
}

/* x = v diag(1 / s) u' b without the values that count as zero. */
static int64_t own_lstsq(own *o, int64_t i) {
    const gx_decomp *d = o->d;
    double *left = (double *)(void *)d->z->data;
    int64_t info = svd_parts(o), rank = 0;
    (void)i;
    memcpy(d->y->data, o->s, (size_t)o->k * sizeof *o->s);
    while (rank < o->k && o->s[rank] > d->rcond * o->s[0]) rank++;
    *d->rank = rank;
    for (int64_t c = 0; c < d->more; c++) {
        gx_c128 *b = o->a, *x = o->w;
        memset(x, 0, (size_t)o->n * sizeof *x);
        for (int64_t r = 0; r < o->m; r++) b[r] = get(o, d->b, r * d->more + c);
        for (int64_t j = 0; j < rank; j++) {
            gx_c128 part = gx_own_dot(o->u + j * o->m, b, o->m);
            for (int64_t r = 0; r < o->m; r++) {
                gx_c128 y = gx_cmul(part, o->u[j * o->m + r]);
                b[r] = (gx_c128){b[r].re - y.re, b[r].im - y.im};
            }
            for (int64_t r = 0; r < o->n; r++) {
                gx_c128 y = gx_cmul(part, o->v[j * o->n + r]);
                x[r].re += y.re / o->s[j];
                x[r].im += y.im / o->s[j];
            }
        }
        left[c] = gx_own_dot(b, b, o->m).re;
        for (int64_t r = 0; r < o->n; r++) put_element(o, d->x, r * d->more + c, x[r]);
    }
    return info;
}

/* The form is in o->a, the vectors in o->v. */
static int64_t own_form(own *o, int64_t i) {
    int64_t n = o->n, info = 0;
    gx_own_hessenberg(o->a, n, o->v);
    if (o->d->kind == GX_DECOMP_SCHUR)
        info = gx_own_schur(o->rooms.device->rt, o->a, o->v, n, o->d->cplx);
    if (info) return info;
    store(o, o->d->y, i, o->a, n, n, n);
    if (o->d->x) store(o, o->d->x, i, o->v, n, n, n);
    return 0;
}

/* Values and vectors go out complex, whatever the matrix is. */
static int64_t own_eig(own *o, int64_t i) {
    int64_t n = o->n;
    gx_c128 *w = (gx_c128 *)(void *)o->d->y->data + i * n;
    gx_c128 *v = o->d->x ? o->u : NULL,
            *x = v ? (gx_c128 *)(void *)o->d->x->data + i * n * n : NULL;
    int64_t info = gx_own_eig(o->rooms.device->rt, o->a, n, o->d->cplx, w, v, o->v, o->w, o->s);
    for (int64_t r = 0; x && r < n; r++)
        for (int64_t c = 0; c < n; c++) x[r * n + c] = v[c * n + r];
    return info;
}

static bool own_rooms(own *o) {
    int64_t most = o->m > o->n ? o->m : o->n, u = o->d->full ? o->m : o->k;
    int64_t v = o->d->full ? o->n : o->k, c = (int64_t)sizeof(gx_c128);
    if (o->d->kind == GX_DECOMP_EIGH) v = o->n;
    o->a = gx_lapack_room(&o->rooms, o->m * o->n, c);
    if (o->a) o->u = gx_lapack_room(&o->rooms, o->m * u, c);
    if (o->u) o->v = gx_lapack_room(&o->rooms, o->n * v, c);
    if (o->v) o->w = gx_lapack_room(&o->rooms, o->n * most, c);
    if (o->w) o->s = gx_lapack_room(&o->rooms, most, (int64_t)sizeof(double));
    return o->s != NULL;
}

static int64_t decompose(own *o, int64_t i) {
    switch (o->d->kind) {
    case GX_DECOMP_SVD: return own_svd(o, i);
    case GX_DECOMP_EIGH: return own_eigh(o, i);
    case GX_DECOMP_CHOLESKY: return own_cholesky(o, i);
    case GX_DECOMP_LSTSQ: return own_lstsq(o, i);
    case GX_DECOMP_QR:
    case GX_DECOMP_QR_RAW: return own_qr(o, i);
    case GX_DECOMP_HESSENBERG:
    case GX_DECOMP_SCHUR: return own_form(o, i);
    case GX_DECOMP_EIG: return own_eig(o, i);
    }
    return 1;
}

bool gx_lapack_own(gx_device *device, const gx_decomp *d) {
    own o = {.d = d, .rooms = {.device = device}, .m = d->m, .n = d->n};
    o.k = d->m < d->n ? d->m : d->n;
    bool ok = own_rooms(&o);
    for (int64_t i = 0; ok && i < d->batch; i++) {
        for (int64_t r = 0; r < o.m; r++)
            for (int64_t c = 0; c < o.n; c++)
                o.a[c * o.m + r] = get(&o, d->a, (i * o.m + r) * o.n + c);
        d->info[i] = decompose(&o, i);
        if (device->rt->interrupted) ok = gx_run_interrupted(device->rt);
    }
    gx_lapack_free(&o.rooms);
    return ok;
}
