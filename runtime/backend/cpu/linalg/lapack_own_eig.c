/* Without a library: values and vectors of any square matrix. Rows and columns are made of like
   size, Schur's form is taken, and a vector of the form is found from its value's row upwards.
   Vectors have length 1; of a complex one the largest element is real, as LAPACK has it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "runtime/backend/cpu/linalg/lapack_int.h"

gx_c128 gx_own_divide(gx_c128 x, gx_c128 y) {
    double re = fabs(y.re), im = fabs(y.im);
    if (re >= im) {
        double r = y.im / y.re, d = y.re + r * y.im;
        return (gx_c128){(x.re + r * x.im) / d, (x.im - r * x.re) / d};
    }
    double r = y.re / y.im, d = y.im + r * y.re;
    return (gx_c128){(r * x.re + x.im) / d, (r * x.im - x.re) / d};
}

gx_c128 gx_own_sqrt(gx_c128 x) {
    double size = hypot(x.re, x.im), part = sqrt((size + fabs(x.re)) / 2);
    if (part == 0) return (gx_c128){0, 0};
    double other = fabs(x.im) / (2 * part);
    return x.re >= 0 ? (gx_c128){part, copysign(other, x.im)}
                     : (gx_c128){other, copysign(part, x.im)};
}

/* Powers of two by which row i is divided and column i multiplied, so that both are of like size:
   nothing is rounded. */
static void balance(gx_c128 *a, int64_t n, double *by) {
    for (int64_t i = 0; i < n; i++) by[i] = 1;
    for (bool again = true; again;) {
        again = false;
        for (int64_t i = 0; i < n; i++) {
            double row = 0, col = 0;
            for (int64_t j = 0; j < n; j++) {
                if (j == i) continue;
                row = hypot(row, hypot(a[j * n + i].re, a[j * n + i].im));
                col = hypot(col, hypot(a[i * n + j].re, a[i * n + j].im));
            }
            if (!(row > DBL_MIN && col > DBL_MIN) || !isfinite(row + col)) continue;
            int up = (ilogb(row) - ilogb(col)) / 2;
            double f = scalbn(1, up);
            if (up == 0 || hypot(row / f, col * f) >= 0.95 * hypot(row, col)) continue;
            if (!isnormal(by[i] * f)) continue;
            by[i] *= f;
            again = true;
            for (int64_t j = 0; j < n; j++) {
                gx_c128 *x = a + j * n + i, *y = a + i * n + j;
                *x = (gx_c128){x->re / f, x->im / f};
                *y = (gx_c128){y->re * f, y->im * f};
            }
        }
    }
}

/* A form of Schur, real (with 2 x 2 blocks) or complex. */
typedef struct form {
    const gx_c128 *t;
    int64_t n;
    double least; /* what counts as zero beside the form's elements */
} form;

static gx_c128 element(const form *f, int64_t row, int64_t col) {
    return f->t[col * f->n + row];
}

/* Is there a block of two rows at `row`? */
static bool is_block(const form *f, int64_t row) {
    return row >= 0 && row + 1 < f->n && element(f, row + 1, row).re != 0;
}

/* Row `row` of form - value, times x, for the columns from `from` to `to`. */
static gx_c128 along(const form *f, int64_t row, int64_t from, int64_t to, const gx_c128 *x) {
    gx_c128 sum = {0, 0};
    for (int64_t c = from; c <= to; c++) {
        gx_c128 p = gx_cmul(element(f, row, c), x[c]);
        sum = (gx_c128){sum.re + p.re, sum.im + p.im};
    }
    return sum;
}

static gx_c128 away(const form *f, gx_c128 x, gx_c128 value) {
    gx_c128 d = {x.re - value.re, x.im - value.im};
    return hypot(d.re, d.im) < f->least ? (gx_c128){f->least, 0} : d;
}

static gx_c128 negative(gx_c128 x) {
    return (gx_c128){-x.re, -x.im};
}

/* Keeps x far from overflow. */
static void calm(gx_c128 *x, int64_t from, int64_t to) {
    double most = 0;
    for (int64_t i = from; i <= to; i++) most = fmax(most, hypot(x[i].re, x[i].im));
    if (most < 0x1p300) return;
    for (int64_t i = from; i <= to; i++)
        x[i] = (gx_c128){scalbn(x[i].re, -300), scalbn(x[i].im, -300)};
}

/* x with form x = value x; the value is that of row `last`, or of the block that ends there. */
static void vector_of(const form *f, int64_t last, gx_c128 value, gx_c128 *x) {
    int64_t row = last - 1;
    memset(x, 0, (size_t)f->n * sizeof *x);
    x[last].re = 1;
    if (is_block(f, last - 1)) {
        double b = element(f, last - 1, last).re, c = element(f, last, last - 1).re;
        x[last] = fabs(b) >= fabs(c) ? (gx_c128){0, value.im / b} : (gx_c128){0, 1};
        x[last - 1] = fabs(b) >= fabs(c) ? (gx_c128){1, 0} : (gx_c128){-value.im / c, 0};
        row--;
    }
    for (; row >= 0; row--) {
        gx_c128 right = negative(along(f, row, row + 1, last, x));
        if (!is_block(f, row - 1)) {
            x[row] = gx_own_divide(right, away(f, element(f, row, row), value));
        } else { /* two rows at once */
            gx_c128 upper = negative(along(f, row - 1, row + 1, last, x));
            gx_c128 b = element(f, row - 1, row), c = element(f, row, row - 1);
            gx_c128 a = element(f, row - 1, row - 1), d = element(f, row, row);
            a = (gx_c128){a.re - value.re, a.im - value.im};
            d = (gx_c128){d.re - value.re, d.im - value.im};
            gx_c128 ad = gx_cmul(a, d), bc = gx_cmul(b, c);
            gx_c128 det = away(f, ad, bc), ur = gx_cmul(upper, d), br = gx_cmul(b, right);
            gx_c128 ar = gx_cmul(a, right), cu = gx_cmul(c, upper);
            x[row - 1] = gx_own_divide((gx_c128){ur.re - br.re, ur.im - br.im}, det);
            x[row] = gx_own_divide((gx_c128){ar.re - cu.re, ar.im - cu.im}, det);
            row--;
        }
        calm(x, row, last);
    }
}

/* v = diag(by) q x, of length 1; `turn`: the largest element becomes real. */
static void finish(const gx_c128 *q, int64_t n, const gx_c128 *x, int64_t last, const double *by,
                   bool turn, gx_c128 *v) {
    double length = 0;
    int64_t most = 0;
    for (int64_t r = 0; r < n; r++) {
        gx_c128 sum = {0, 0};
        for (int64_t c = 0; c <= last; c++) {
            gx_c128 p = gx_cmul(q[c * n + r], x[c]);
            sum = (gx_c128){sum.re + p.re, sum.im + p.im};
        }
        v[r] = (gx_c128){sum.re * by[r], sum.im * by[r]};
        length = hypot(length, hypot(v[r].re, v[r].im));
        if (hypot(v[r].re, v[r].im) > hypot(v[most].re, v[most].im)) most = r;
    }
    double size = hypot(v[most].re, v[most].im);
    gx_c128 phase = {1, 0};
    if (turn && size > 0) phase = (gx_c128){v[most].re / size, -v[most].im / size};
    for (int64_t r = 0; r < n; r++) {
        v[r] = (gx_c128){v[r].re / length, v[r].im / length};
        if (turn) v[r] = gx_cmul(v[r], phase);
    }
    if (turn) v[most].im = 0;
}

int64_t gx_own_eig(gx_rt *rt, gx_c128 *a, int64_t n, bool cplx, gx_c128 *w, gx_c128 *v, gx_c128 *q,
                   gx_c128 *x, double *by) {
    balance(a, n, by);
    gx_own_hessenberg(a, n, q);
    int64_t info = gx_own_schur(rt, a, q, n, cplx);
    if (info) return info;
    form f = {a, n, DBL_MIN / DBL_EPSILON};
    for (int64_t i = 0; i < n * n; i++)
        f.least = fmax(f.least, DBL_EPSILON * hypot(a[i].re, a[i].im));
    for (int64_t i = 0; i < n; i++) {
        gx_c128 value = element(&f, i, i);
        if (!cplx) value.im = 0;
        bool pair = !cplx && is_block(&f, i);
        int64_t last = pair ? i + 1 : i;
        if (pair)
            value.im = sqrt(fabs(element(&f, i, i + 1).re)) * sqrt(fabs(element(&f, i + 1, i).re));
        w[i] = value;
        if (pair) w[i + 1] = gx_cconj(value);
        if (v) {
            vector_of(&f, last, value, x);
            finish(q, n, x, last, by, cplx || pair, v + i * n);
            for (int64_t r = 0; pair && r < n; r++) v[(i + 1) * n + r] = gx_cconj(v[i * n + r]);
        }
        if (pair) i++;
    }
    return 0;
}
