/* Without a library: the forms of Hessenberg and Schur. Householder's reductions with LAPACK's
   signs, then the shifted QR iteration: with a pair of shifts for real matrices, whose form keeps
   2 x 2 blocks for pairs of values, and with one shift for complex ones. All matrices are
   complex128 in Fortran order; of real ones only the real parts are looked at and changed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

enum { MAX_ROUNDS = 60 }; /* a value; LAPACK allows 30 */

/* a (rows, n) becomes a - (a v) tau v', v[0] = 1 left out. */
static void reflect_right(gx_c128 *a, int64_t rows, const gx_c128 *v, int64_t n, gx_c128 tau) {
    for (int64_t r = 0; r < rows; r++) {
        gx_c128 sum = a[r];
        for (int64_t i = 1; i < n; i++) {
            gx_c128 p = gx_cmul(a[i * rows + r], v[i]);
            sum = (gx_c128){sum.re + p.re, sum.im + p.im};
        }
        sum = gx_cmul(sum, tau);
        a[r] = (gx_c128){a[r].re - sum.re, a[r].im - sum.im};
        for (int64_t i = 1; i < n; i++) {
            gx_c128 p = gx_cmul(sum, gx_cconj(v[i])), *x = a + i * rows + r;
            *x = (gx_c128){x->re - p.re, x->im - p.im};
        }
    }
}

void gx_own_hessenberg(gx_c128 *a, int64_t n, gx_c128 *q) {
    memset(q, 0, (size_t)(n * n) * sizeof *q);
    for (int64_t i = 0; i < n; i++) q[i * n + i].re = 1;
    for (int64_t k = 0; k + 1 < n; k++) {
        gx_c128 *v = a + k * n + k + 1;
        int64_t left = n - k - 1;
        gx_c128 tau = gx_own_reflector(v, left);
        reflect_right(a + (k + 1) * n, n, v, left, tau);
        for (int64_t c = k + 1; c < n; c++)
            gx_own_reflect(v, left, gx_cconj(tau), a + c * n + k + 1);
        reflect_right(q + (k + 1) * n, n, v, left, tau);
        memset(v + 1, 0, (size_t)(left - 1) * sizeof *v);
    }
}

/* --- real matrices -------------------------------------------------------------------------- */

typedef struct real {
    gx_c128 *h, *q;
    int64_t n;
} real;

static double *at(const real *m, int64_t row, int64_t col) {
    return &m->h[col * m->n + row].re;
}

static double value(const real *m, int64_t row, int64_t col) {
    return m->h[col * m->n + row].re;
}

/* (x, y) becomes (c x + s y, c y - s x). */
static void turn_pair(double *x, double *y, double c, double s) {
    double p = *x, q = *y;
    *x = c * p + s * q;
    *y = c * q - s * p;
}

/* Turns rows and columns `row` and row + 1 of the form outside their own block, and q. */
static void turn_around(const real *m, int64_t row, double c, double s) {
    for (int64_t i = row + 2; i < m->n; i++) turn_pair(at(m, row, i), at(m, row + 1, i), c, s);
    for (int64_t i = 0; i < row; i++) turn_pair(at(m, i, row), at(m, i, row + 1), c, s);
    for (int64_t i = 0; i < m->n; i++)
        turn_pair(&m->q[row * m->n + i].re, &m->q[(row + 1) * m->n + i].re, c, s);
}

static double sign_of(double x) {
    return copysign(1, x);
}

/* The 2 x 2 block at `row` becomes triangular, or has equal values on its diagonal and others of
   different signs beside it: what LAPACK's dlanv2 does. */
static void standard_block(const real *m, int64_t row) {
    double *pa = at(m, row, row), *pb = at(m, row, row + 1);
    double *pc = at(m, row + 1, row), *pd = at(m, row + 1, row + 1);
    double a = *pa, b = *pb, c = *pc, d = *pd, cs = 1, sn = 0, half = 0.5 * (a - d);
    if (c == 0) {
        return;
    } else if (b == 0) {
        cs = 0, sn = 1;
        *pa = d, *pd = a, *pb = -c, *pc = 0;
    } else if (a == d && sign_of(b) != sign_of(c)) {
        return;
    } else {
        double most = fmax(fabs(b), fabs(c)), size = fmax(fabs(half), most);
        double least = fmin(fabs(b), fabs(c)) * sign_of(b) * sign_of(c);
        double z = half / size * half + most / size * least;
        if (z >= 4 * DBL_EPSILON) { /* two real values */
            z = half + sign_of(half) * sqrt(size) * sqrt(z);
            double length = hypot(c, z);
            cs = z / length, sn = c / length;
            *pa = d + z, *pd = d - most / z * least, *pb = b - c, *pc = 0;
        } else {
            double sum = b + c, length = hypot(sum, a - d);
            cs = sqrt(0.5 * (1 + fabs(sum) / length));
            sn = -(half / (length * cs)) * sign_of(sum);
            double aa = a * cs + b * sn, bb = b * cs - a * sn;
            double cc = c * cs + d * sn, dd = d * cs - c * sn;
            b = bb * cs + dd * sn, c = cc * cs - aa * sn;
            a = d = 0.5 * (aa * cs + cc * sn + dd * cs - bb * sn);
            if (c != 0 && b != 0 && sign_of(b) == sign_of(c)) { /* nearly equal real values */
                double sab = sqrt(fabs(b)), sac = sqrt(fabs(c)), p = sign_of(c) * sab * sac;
                double tau = 1 / sqrt(fabs(b + c)), cs1 = sab * tau, sn1 = sac * tau, old = cs;
                a += p, d -= p, b -= c, c = 0;
                cs = cs * cs1 - sn * sn1, sn = old * sn1 + sn * cs1;
            } else if (c != 0 && b == 0) {
                double old = cs;
                b = -c, c = 0, cs = -sn, sn = old;
            }
            *pa = a, *pb = b, *pc = c, *pd = d;
        }
    }
    turn_around(m, row, cs, sn);
}

/* A reflector of three rows (or two: v2 is 0 and there is no third). */
typedef struct mirror {
    double v1, v2, tau;
    bool three;
} mirror;

/* x, y, z = the `count` elements from x on and the ones `next` and 2 next behind each. */
static void mirror_lines(gx_c128 *x, int64_t count, int64_t step, int64_t next, mirror by) {
    for (int64_t i = 0; i < count * step; i += step) {
        double *p = &x[i].re, *q = &x[i + next].re, *r = by.three ? &x[i + 2 * next].re : NULL;
        double w = by.tau * (*p + by.v1 * *q + (r ? by.v2 * *r : 0));
        *p -= w, *q -= w * by.v1;
        if (r) *r -= w * by.v2;
    }
}

/* One step with two shifts on rows low to high, three at least; the shifts are the values of
   [[x, 1], [w, y]]. */
static void double_step(const real *m, int64_t low, int64_t high, double x, double y, double w) {
    double p, q, r;
    int64_t n = m->n, from = high - 2;
    for (;; from--) { /* starts lower where two small elements meet */
        double z = value(m, from, from);
        p = ((x - z) * (y - z) - w) / value(m, from + 1, from) + value(m, from, from + 1);
        q = value(m, from + 1, from + 1) - (x - z) - y;
        r = value(m, from + 2, from + 1);
        double size = fabs(p) + fabs(q) + fabs(r);
        p /= size, q /= size, r /= size;
        if (from == low) break;
        double near = fabs(z) + fabs(value(m, from - 1, from - 1)) +
                      fabs(value(m, from + 1, from + 1));
        if (fabs(value(m, from, from - 1)) * (fabs(q) + fabs(r)) <= DBL_EPSILON * fabs(p) * near)
            break;
    }
    for (int64_t k = from; k < high; k++) {
        bool three = k + 2 <= high;
        if (k > from) {
            p = value(m, k, k - 1), q = value(m, k + 1, k - 1);
            r = three ? value(m, k + 2, k - 1) : 0;
        }
        double length = -copysign(hypot(p, hypot(q, r)), p);
        if (length == 0) continue;
        mirror by = {q / (p - length), r / (p - length), (length - p) / length, three};
        if (k > from) {
            *at(m, k, k - 1) = length;
            *at(m, k + 1, k - 1) = 0;
            if (three) *at(m, k + 2, k - 1) = 0;
        } else if (k > low) {
            *at(m, k, k - 1) *= 1 - by.tau;
        }
        int64_t rows = (k + 3 < high ? k + 3 : high) + 1;
        mirror_lines(m->h + k * n + k, n - k, n, 1, by);
        mirror_lines(m->h + k * n, rows, 1, n, by);
        mirror_lines(m->q + k * n, n, 1, n, by);
    }
}

/* The first row of the last block that still hangs together; small elements become zero. */
static int64_t real_start(const real *m, int64_t high) {
    for (int64_t low = high; low > 0; low--) {
        double *below = at(m, low, low - 1);
        double size = fabs(value(m, low - 1, low - 1)) + fabs(value(m, low, low));
        for (int64_t i = 0; size == 0 && i < m->n; i++) size = fabs(value(m, 0, i));
        if (fabs(*below) <= fmax(DBL_EPSILON * size, DBL_MIN)) {
            *below = 0;
            return low;
        }
    }
    return 0;
}

static int64_t real_schur(gx_rt *rt, const real *m) {
    int rounds = 0;
    for (int64_t high = m->n - 1; high > 0;) {
        int64_t low = real_start(m, high);
        if (low >= high - 1) {
            if (low == high - 1) standard_block(m, low);
            high = low - 1;
            rounds = 0;
            continue;
        }
        if (++rounds > MAX_ROUNDS || rt->interrupted) return high + 1;
        double x = value(m, high, high), y = value(m, high - 1, high - 1);
        double w = value(m, high, high - 1) * value(m, high - 1, high);
        if (rounds % 10 == 0) { /* LAPACK's shifts for when the usual ones go round in circles */
            double s = fabs(value(m, high, high - 1)) + fabs(value(m, high - 1, high - 2));
            x = y = 0.75 * s + x;
            w = -0.4375 * s * s;
        }
        double_step(m, low, high, x, y, w);
    }
    return 0;
}

/* --- complex matrices ----------------------------------------------------------------------- */

static double size1(gx_c128 x) {
    return fabs(x.re) + fabs(x.im);
}

static gx_c128 minus(gx_c128 x, gx_c128 y) {
    return (gx_c128){x.re - y.re, x.im - y.im};
}

/* The value of the last 2 x 2 block that is nearer to its last element. */
static gx_c128 shift_of(const gx_c128 *h, int64_t n, int64_t high) {
    gx_c128 d = h[high * n + high], half = minus(h[(high - 1) * n + high - 1], d);
    half = (gx_c128){half.re / 2, half.im / 2};
    gx_c128 bc = gx_cmul(h[high * n + high - 1], h[(high - 1) * n + high]);
    gx_c128 root = gx_cmul(half, half);
    root = gx_own_sqrt((gx_c128){root.re + bc.re, root.im + bc.im});
    if (half.re * root.re + half.im * root.im < 0) root = (gx_c128){-root.re, -root.im};
    gx_c128 by = {half.re + root.re, half.im + root.im};
    return size1(by) == 0 ? d : minus(d, gx_own_divide(bc, by));
}

/* x becomes c x + s y and y becomes c y - conj(s) x, `count` times with strides. */
static void turn_lines(gx_c128 *x, gx_c128 *y, int64_t count, int64_t step, double c, gx_c128 s) {
    for (int64_t i = 0; i < count * step; i += step) {
        gx_c128 p = x[i], q = y[i], sq = gx_cmul(s, q), sp = gx_cmul(gx_cconj(s), p);
        x[i] = (gx_c128){c * p.re + sq.re, c * p.im + sq.im};
        y[i] = (gx_c128){c * q.re - sp.re, c * q.im - sp.im};
    }
}

static void single_step(gx_c128 *h, gx_c128 *q, int64_t n, int64_t low, int64_t high,
                        gx_c128 shift) {
    gx_c128 x = minus(h[low * n + low], shift), y = h[low * n + low + 1];
    for (int64_t k = low; k < high; k++) {
        if (k > low) x = h[(k - 1) * n + k], y = h[(k - 1) * n + k + 1];
        double one = hypot(x.re, x.im), two = hypot(y.re, y.im), length = hypot(one, two);
        if (length == 0) continue;
        double c = one / length;
        gx_c128 phase = one == 0 ? (gx_c128){1, 0} : (gx_c128){x.re / one, x.im / one};
        gx_c128 s = gx_cmul(phase, (gx_c128){y.re / length, -y.im / length});
        int64_t first = k > low ? k - 1 : k, last = k + 2 < high ? k + 2 : high;
        turn_lines(h + first * n + k, h + first * n + k + 1, n - first, n, c, s);
        if (k > low) h[(k - 1) * n + k + 1] = (gx_c128){0, 0};
        turn_lines(h + k * n, h + (k + 1) * n, last + 1, 1, c, gx_cconj(s));
        turn_lines(q + k * n, q + (k + 1) * n, n, 1, c, gx_cconj(s));
    }
}

static int64_t complex_schur(gx_rt *rt, gx_c128 *h, gx_c128 *q, int64_t n) {
    int rounds = 0;
    for (int64_t high = n - 1; high > 0;) {
        int64_t low = high;
        for (; low > 0; low--) {
            gx_c128 *below = h + (low - 1) * n + low;
            double size = size1(h[(low - 1) * n + low - 1]) + size1(h[low * n + low]);
            if (size1(*below) <= fmax(DBL_EPSILON * size, DBL_MIN)) {
                *below = (gx_c128){0, 0};
                break;
            }
        }
        if (low == high) {
            high--;
            rounds = 0;
            continue;
        }
        if (++rounds > MAX_ROUNDS || rt->interrupted) return high + 1;
        gx_c128 shift = shift_of(h, n, high);
        if (rounds % 10 == 0) shift.re += 0.75 * fabs(h[(high - 1) * n + high].re);
        single_step(h, q, n, low, high, shift);
    }
    return 0;
}

int64_t gx_own_schur(gx_rt *rt, gx_c128 *h, gx_c128 *q, int64_t n, bool cplx) {
    if (cplx) return complex_schur(rt, h, q, n);
    return real_schur(rt, &(real){h, q, n});
}
