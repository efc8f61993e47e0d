/* Singular values and Hermitian eigenvalues without a library: Jacobi's rotations, which need no
   cleverness to be accurate. All matrices are complex128 in Fortran order; real ones have imaginary
   parts of zero and keep them. Slow beside LAPACK, and meant for where there is none. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

enum { MAX_SWEEPS = 60, FEW_SWEEPS = 12 };

gx_c128 gx_own_dot(const gx_c128 *x, const gx_c128 *y, int64_t n) {
    gx_c128 sum = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        gx_c128 p = gx_cmul(gx_cconj(x[i]), y[i]);
        sum.re += p.re;
        sum.im += p.im;
    }
    return sum;
}

/* The largest part of any element; NaN or inf when one is not finite. */
static double largest(const gx_c128 *x, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i].re) || !isfinite(x[i].im)) return INFINITY;
        most = fmax(most, fmax(fabs(x[i].re), fabs(x[i].im)));
    }
    return most;
}

static void scale(gx_c128 *x, int64_t n, double by) {
    for (int64_t i = 0; i < n; i++) x[i] = (gx_c128){x[i].re * by, x[i].im * by};
}

/* A rotation of two columns: y is turned by the phase first, so that all else is real. */
typedef struct turn {
    double c, s;
    gx_c128 phase;
} turn;

/* Makes [[alpha, gamma], [conj(gamma), beta]] diagonal. */
static turn turn_for(double alpha, double beta, gx_c128 gamma) {
    double size = hypot(gamma.re, gamma.im), zeta = (beta - alpha) / (2 * size);
    double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + hypot(1, zeta)), c = 1 / hypot(1, t);
    return (turn){c, c * t, {gamma.re / size, -gamma.im / size}};
}

static void rotate(gx_c128 *x, gx_c128 *y, int64_t n, int64_t step, turn t) {
    for (int64_t i = 0; i < n * step; i += step) {
        gx_c128 p = x[i], q = gx_cmul(y[i], t.phase);
        x[i] = (gx_c128){t.c * p.re - t.s * q.re, t.c * p.im - t.s * q.im};
        y[i] = (gx_c128){t.s * p.re + t.c * q.re, t.s * p.im + t.c * q.im};
    }
}

static void set_unit(gx_c128 *v, int64_t n) {
    memset(v, 0, (size_t)(n * n) * sizeof *v);
    for (int64_t i = 0; i < n; i++) v[i * (n + 1)].re = 1;
}

static void swap_columns(gx_c128 *v, int64_t rows, int64_t i, int64_t j) {
    for (int64_t r = 0; r < rows; r++) {
        gx_c128 x = v[i * rows + r];
        v[i * rows + r] = v[j * rows + r];
        v[j * rows + r] = x;
    }
}

/* Sorts values and the columns of both matrices with them (g may be NULL). */
static void sort(double *s, int64_t n, bool falling, gx_c128 *g, int64_t p, gx_c128 *v) {
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < n; j++)
            if (falling ? s[j] > s[best] : s[j] < s[best]) best = j;
        if (best == i) continue;
        double x = s[i];
        s[i] = s[best];
        s[best] = x;
        if (g) swap_columns(g, p, i, best);
        swap_columns(v, n, i, best);
    }
}

/* x loses its parts along the columns u, twice, as once leaves rounding errors. */
static void clean(gx_c128 *x, const gx_c128 *u, int64_t p, int64_t columns) {
    for (int64_t k = 0; k < 2 * columns; k++) {
        const gx_c128 *c = u + k % columns * p;
        gx_c128 part = gx_own_dot(c, x, p);
        for (int64_t i = 0; i < p; i++) {
            gx_c128 y = gx_cmul(c[i], part);
            x[i] = (gx_c128){x[i].re - y.re, x[i].im - y.im};
        }
    }
}

void gx_own_complete(const gx_rt *rt, gx_c128 *u, int64_t p, int64_t have, int64_t want) {
    int64_t refused = 0; /* in a row: vectors lose more the more columns there are */
    for (int64_t at = 0; have < want && refused < 2 * p && !rt->interrupted; at++) {
        gx_c128 *x = u + have * p;
        memset(x, 0, (size_t)p * sizeof *x);
        x[at % p].re = 1;
        clean(x, u, p, have);
        double left = gx_own_dot(x, x, p).re;
        /* Some unit vector keeps the mean part (p - have) / p; half of it will do. */
        if (left * 2 * (double)p < (double)(p - have)) {
            refused++;
            continue;
        }
        scale(x, p, 1 / sqrt(left));
        have++;
        refused = 0;
    }
}

/* One sweep over all pairs of columns; false when none had to be turned, or at a Ctrl-C. A column
   whose squares sum to at most `noise` is left alone. */
static bool svd_sweep(const gx_rt *rt, gx_c128 *g, int64_t p, int64_t q, gx_c128 *v, double noise) {
    const double near = DBL_EPSILON * sqrt((double)p); /* what rounding leaves of a product */
    bool any = false;
    for (int64_t i = 0; i < q; i++) {
        if (rt->interrupted) return false;
        for (int64_t j = i + 1; j < q; j++) {
            gx_c128 *x = g + i * p, *y = g + j * p, gamma = gx_own_dot(x, y, p);
            double alpha = gx_own_dot(x, x, p).re, beta = gx_own_dot(y, y, p).re;
            double size = hypot(gamma.re, gamma.im);
            if (size <= near * sqrt(alpha) * sqrt(beta) || size < DBL_MIN) continue;
            if (alpha <= noise || beta <= noise) continue;
            turn t = turn_for(alpha, beta, gamma);
            rotate(x, y, p, 1, t);
            rotate(v + i * q, v + j * q, q, 1, t);
            any = true;
        }
    }
    return any;
}

/* The squares of a column that may be rounding errors of the largest one. */
static double rounding(const gx_c128 *g, int64_t p, int64_t q) {
    double most = 0;
    for (int64_t i = 0; i < q; i++) most = fmax(most, gx_own_dot(g + i * p, g + i * p, p).re);
    return most * (double)p * DBL_EPSILON * DBL_EPSILON;
}

int64_t gx_own_svd(const gx_rt *rt, gx_c128 *g, int64_t p, int64_t q, double *s, gx_c128 *v) {
    double most = largest(g, p * q);
    int sweeps = 0;
    if (!isfinite(most)) return 1;
    set_unit(v, q);
    /* By a power of two, so that squares neither overflow nor vanish and nothing is rounded. */
    int up = most > 0 ? ilogb(most) : 0;
    for (int64_t i = 0; i < p * q; i++)
        g[i] = (gx_c128){scalbn(g[i].re, -up), scalbn(g[i].im, -up)};
    /* Columns of a matrix without full rank become rounding errors of the others, which no turn
       makes orthogonal; true small ones are so after a few sweeps. */
    double noise = 0;
    while (sweeps < MAX_SWEEPS && svd_sweep(rt, g, p, q, v, noise))
        if (++sweeps == FEW_SWEEPS) noise = rounding(g, p, q);
    for (int64_t i = 0; i < q; i++) s[i] = sqrt(gx_own_dot(g + i * p, g + i * p, p).re);
    sort(s, q, true, g, p, v);
    int64_t rank = 0;
    while (rank < q && s[rank] > 0) {
        gx_c128 *x = g + rank * p;
        scale(x, p, 1 / s[rank]);
        if (noise > 0 && s[rank] * s[rank] <= noise) {
            clean(x, g, p, rank);
            double left = gx_own_dot(x, x, p).re;
            if (left < 0.25) break; /* a basis of what is missing serves as well */
            scale(x, p, 1 / sqrt(left));
        }
        rank++;
    }
    gx_own_complete(rt, g, p, rank, q);
    for (int64_t i = 0; i < q; i++) s[i] = scalbn(s[i], up);
    return sweeps < MAX_SWEEPS ? 0 : 1;
}

static bool eigh_sweep(const gx_rt *rt, gx_c128 *a, int64_t n, gx_c128 *v, double tiny) {
    bool any = false;
    for (int64_t i = 0; i < n; i++) {
        if (rt->interrupted) return false;
        for (int64_t j = i + 1; j < n; j++) {
            gx_c128 gamma = a[j * n + i];
            if (hypot(gamma.re, gamma.im) <= tiny) continue;
            turn t = turn_for(a[i * n + i].re, a[j * n + j].re, gamma), back = t;
            back.phase = gx_cconj(t.phase);
            rotate(a + i * n, a + j * n, n, 1, t);
            rotate(a + i, a + j, n, n, back);
            rotate(v + i * n, v + j * n, n, 1, t);
            a[j * n + i] = a[i * n + j] = (gx_c128){0, 0};
            any = true;
        }
    }
    return any;
}

int64_t gx_own_eigh(const gx_rt *rt, gx_c128 *a, int64_t n, double *w, gx_c128 *v) {
    double most = largest(a, n * n);
    int sweeps = 0;
    if (!isfinite(most)) return 1;
    set_unit(v, n);
    while (sweeps < MAX_SWEEPS && eigh_sweep(rt, a, n, v, most * DBL_EPSILON / 16)) sweeps++;
    for (int64_t i = 0; i < n; i++) w[i] = a[i * (n + 1)].re;
    sort(w, n, false, NULL, 0, v);
    return sweeps < MAX_SWEEPS ? 0 : 1;
}
