/* The discrete distributions of random, draw by draw as NumPy makes them: poisson, binomial,
   geometric, negative_binomial, logseries, zipf, hypergeometric. */
#include <math.h>

#include "stdlib/random/dist_int.h"

/* log(gamma(x)) by Stirling's series. */
static double log_gamma(double x) {
    static const double a[10] = {8.333333333333333e-02, -2.777777777777778e-03,
                                 7.936507936507937e-04, -5.952380952380952e-04,
                                 8.417508417508418e-04, -1.917526917526918e-03,
                                 6.410256410256410e-03, -2.955065359477124e-02,
                                 1.796443723688307e-01, -1.39243221690590e+00};
    if (x == 1.0 || x == 2.0) return 0.0;
    int64_t n = x < 7.0 ? (int64_t)(7 - x) : 0;
    double y = x + (double)n, q = (1.0 / y) * (1.0 / y), sum = a[9];
    for (int k = 8; k >= 0; k--) {
        sum *= q;
        sum += a[k];
    }
    double r = sum / y + 0.5 * 1.8378770664093453e+00 + (y - 0.5) * log(y) - y;
    for (int64_t k = 1; k <= n; k++) {
        r -= log(y - 1.0);
        y -= 1.0;
    }
    return r;
}

/* --- poisson --- */

static double poisson_large(gx_rng *r, double lam) {
    const double slam = sqrt(lam), loglam = log(lam), b = 0.931 + 2.53 * slam;
    const double a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4);
    const double vr = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = gx_rng_double(r) - 0.5, v = gx_rng_double(r), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + lam + 0.43);
        if (us >= 0.07 && v <= vr) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (log(v) + log(inverse) - log(a / (us * us) + b) <= -lam + k * loglam - log_gamma(k + 1))
            return k;
    }
}

double gx_dist_poisson(gx_rng *r, double lam) {
    if (!(lam < 1e300)) return lam; /* the loop would not end */
    if (lam >= 10) return poisson_large(r, lam);
    if (lam == 0) return 0;
    const double least = exp(-lam);
    double x = 0, product = 1.0;
    for (;; x++) {
        product *= gx_rng_double(r);
        if (!(product > least)) return x;
    }
}

/* --- binomial --- */

static int64_t by_inversion(gx_rng *r, int64_t n, double p) {
    const double q = 1.0 - p, none = exp((double)n * log1p(-p)), np = (double)n * p;
    double most = np + 10.0 * sqrt(np * q + 1), px = none, u = gx_rng_double(r);
    const int64_t bound = (double)n < most ? n : (int64_t)most;
    int64_t x = 0;
    while (u > px) {
        if (++x > bound) {
            x = 0;
            px = none;
            u = gx_rng_double(r);
        } else {
            u -= px;
            px = (double)(n - x + 1) * p * px / ((double)x * q);
        }
    }
    return x;
}

/* What rejection of binomial draws needs to know of n and p. */
typedef struct btpe {
    double r, q, fm, p1, xm, xl, xr, c, laml, lamr, p2, p3, p4, nrq;
    int64_t n, m;
} btpe;

static void btpe_begin(btpe *b, int64_t n, double p) {
    double dn = (double)n;
    b->n = n;
    b->r = p < 1.0 - p ? p : 1.0 - p;
    b->q = 1.0 - b->r;
    b->fm = dn * b->r + b->r;
    b->m = (int64_t)floor(b->fm);
    b->p1 = floor(2.195 * sqrt(dn * b->r * b->q) - 4.6 * b->q) + 0.5;
    b->xm = (double)b->m + 0.5;
    b->xl = b->xm - b->p1;
    b->xr = b->xm + b->p1;
    b->c = 0.134 + 20.5 / (15.3 + (double)b->m);
    double a = (b->fm - b->xl) / (b->fm - b->xl * b->r);
    b->laml = a * (1.0 + a / 2.0);
    a = (b->xr - b->fm) / (b->xr * b->q);
    b->lamr = a * (1.0 + a / 2.0);
    b->p2 = b->p1 * (1.0 + 2.0 * b->c);
    b->p3 = b->p2 + b->c / b->laml;
    b->p4 = b->p3 + b->c / b->lamr;
    b->nrq = dn * b->r * b->q;
}

static double tail(double x) {
    double x2 = x * x;
    return (13680. - (462. - (132. - (99. - 140. / x2) / x2) / x2) / x2) / x / 166320.;
}

/* Is y, proposed with height v, a draw? */
static bool btpe_accept(const btpe *b, int64_t y, double v) {
    int64_t k = y > b->m ? y - b->m : b->m - y;
    double dk = (double)k, dn = (double)b->n, dm = (double)b->m, dy = (double)y;
    if (!(k > 20 && dk < b->nrq / 2.0 - 1)) {
        double s = b->r / b->q, a = s * (dn + 1), f = 1.0;
        for (int64_t i = b->m + 1; i <= y; i++) f *= a / (double)i - s;
        for (int64_t i = y + 1; i <= b->m; i++) f /= a / (double)i - s;
        return v <= f;
    }
    double rho = (dk / b->nrq) * ((dk * (dk / 3.0 + 0.625) + 0.16666666666666666) / b->nrq + 0.5);
    double t = -dk * dk / (2 * b->nrq), a = log(v);
    if (a < t - rho) return true;
    if (a > t + rho) return false;
    double x1 = dy + 1, f1 = dm + 1, z = dn + 1 - dm, w = dn - dy + 1;
    return !(a > b->xm * log(f1 / x1) + (dn - dm + 0.5) * log(z / w) +
                     (dy - dm) * log(w * b->r / (x1 * b->q)) + tail(f1) + tail(z) + tail(x1) +
                     tail(w));
}

static int64_t by_rejection(gx_rng *r, int64_t n, double p) {
    btpe b;
    btpe_begin(&b, n, p);
    for (;;) {
        double u = gx_rng_double(r) * b.p4, v = gx_rng_double(r);
        int64_t y;
        if (u <= b.p1) return (int64_t)floor(b.xm - b.p1 * v + u);
        if (u <= b.p2) {
            double x = b.xl + (u - b.p1) / b.c;
            v = v * b.c + 1.0 - fabs((double)b.m - x + 0.5) / b.p1;
            if (v > 1.0) continue;
            y = (int64_t)floor(x);
        } else if (u <= b.p3) {
            double x = floor(b.xl + log(v) / b.laml);
            if (x < 0 || v == 0.0) continue;
            y = (int64_t)x;
            v = v * (u - b.p2) * b.laml;
        } else {
            double x = floor(b.xr - log(v) / b.lamr);
            if (x > (double)n || v == 0.0) continue;
            y = (int64_t)x;
            v = v * (u - b.p3) * b.lamr;
        }
        if (btpe_accept(&b, y, v)) return y;
    }
}

int64_t gx_dist_binomial(gx_rng *r, int64_t n, double p) {
    if (n == 0 || p == 0) return 0;
    bool high = p > 0.5;
    double least = high ? 1.0 - p : p;
    int64_t x = least * (double)n <= 30.0 ? by_inversion(r, n, least) : by_rejection(r, n, least);
    return high ? n - x : x;
}

/* --- the others --- */

static double draw_poisson(gx_rng *r, const double *p) {
    return gx_dist_poisson(r, p[0]);
}
static double draw_binomial(gx_rng *r, const double *p) {
    return (double)gx_dist_binomial(r, (int64_t)p[0], p[1]);
}
static double draw_negative_binomial(gx_rng *r, const double *p) {
    return gx_dist_poisson(r, (1 - p[1]) / p[1] * gx_dist_gamma(r, p[0]));
}

static double draw_geometric(gx_rng *r, const double *p) {
    if (p[0] >= 0.333333333333333333333333) {
        double x = 1, sum = p[0], product = p[0], q = 1.0 - p[0], u = gx_rng_double(r);
        for (; u > sum; x++) sum += product *= q;
        return x;
    }
    double e = r->legacy ? log1p(-gx_rng_double(r)) : -gx_rng_exponential(r);
    return ceil(e / log1p(-p[0]));
}

static double draw_logseries(gx_rng *r, const double *p) {
    const double rate = r->legacy ? log(1.0 - p[0]) : log1p(-p[0]);
    for (;;) {
        double v = gx_rng_double(r);
        if (v >= p[0]) return 1;
        double u = gx_rng_double(r), q = r->legacy ? 1.0 - exp(rate * u) : -expm1(rate * u);
        if (v <= q * q) {
            double x = floor(1 + log(v) / log(q));
            if (x < 1 || v == 0.0) continue;
            return x;
        }
        return v >= q ? 1 : 2;
    }
}

static double draw_zipf(gx_rng *r, const double *p) {
    if (p[0] >= 1025) return 1;
    const double most = 9223372036854775807.0, less = p[0] - 1.0, b = pow(2.0, less);
    const double least = pow(most, -less);
    for (;;) {
        double u = gx_rng_double(r), v;
        u = r->legacy ? 1.0 - u : u * least + (1 - u);
        v = r->legacy ? gx_rng_double(r) : 0;
        double x = floor(pow(u, -1.0 / less));
        if (x > most || x < 1.0) continue;
        double t = pow(1.0 + 1.0 / x, less);
        if (!r->legacy) v = gx_rng_double(r);
        if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return x;
    }
}

static double log_factorial(double k) {
    return log_gamma(k + 1);
}

static double by_ratio(gx_rng *r, double good, double bad, double sample) {
    const double all = good + bad, m = sample < all - sample ? sample : all - sample;
    const double low = good < bad ? good : bad, high = good < bad ? bad : good;
    const double p = low / all, q = high / all, a = m * p + 0.5;
    const double c = sqrt((all - m) * m * p * q / (all - 1) + 0.5);
    const double h = 1.7155277699214135 * c + 0.8989161620588988;
    const double mode = floor((m + 1) * (low + 1) / (all + 2));
    const double g = log_factorial(mode) + log_factorial(low - mode) + log_factorial(m - mode) +
                     log_factorial(high - m + mode);
    const double edge = (m < low ? m : low) + 1, far = floor(a + 16 * c);
    const double end = edge < far ? edge : far;
    double k;
    for (;;) {
        double u = gx_rng_double(r), v = gx_rng_double(r), x = a + h * (v - 0.5) / u;
        if (x < 0.0 || x >= end) continue;
        k = floor(x);
        double t = g - (log_factorial(k) + log_factorial(low - k) + log_factorial(m - k) +
                        log_factorial(high - m + k));
        if (u * (4.0 - u) - 3.0 <= t) break;
        if (u * (u - t) >= 1) continue;
        if (2.0 * log(u) <= t) break;
    }
    if (good > bad) k = m - k;
    return m < sample ? good - k : k;
}

/* One after the other is taken out of the urn. */
static double one_by_one(gx_rng *r, double good, double bad, double sample) {
    if (r->legacy) {
        double low = good < bad ? good : bad, y = low, k = sample, rest = good + bad - sample;
        while (y > 0.0 && k > 0) {
            y -= floor(gx_rng_double(r) + y / (rest + k));
            k--;
        }
        return good > bad ? sample - (low - y) : low - y;
    }
    const double all = good + bad;
    const bool flip = sample > floor(all / 2);
    double many = flip ? all - sample : sample, left = all, left_good = good;
    r->legacy = true; /* random_interval: the masked draw */
    while (many > 0 && left_good > 0 && left > left_good) {
        left--;
        if ((double)gx_rng_bounded(r, (uint64_t)left) < left_good) left_good--;
        many--;
    }
    r->legacy = false;
    if (left == left_good) left_good -= many;
    return flip ? left_good : good - left_good;
}

static double draw_hypergeometric(gx_rng *r, const double *p) {
    bool large = r->legacy ? p[2] > 10 : p[2] >= 10 && p[2] <= p[0] + p[1] - 10;
    if (p[2] == 0) return 0;
    return large ? by_ratio(r, p[0], p[1], p[2]) : one_by_one(r, p[0], p[1], p[2]);
}

const gx_dist_row gx_dist_counts[] = {
    {"poisson", 1, "l", true, draw_poisson},
    {"binomial", 2, "c0", true, draw_binomial},
    {"negative_binomial", 2, "p1", true, draw_negative_binomial},
    {"geometric", 1, "1", true, draw_geometric},
    {"logseries", 1, "s", true, draw_logseries},
    {"zipf", 1, "z", true, draw_zipf},
    {"hypergeometric", 3, "cch", true, draw_hypergeometric},
    {.name = NULL},
};
