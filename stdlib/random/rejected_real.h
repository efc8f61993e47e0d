/* Distributions that draw until a draw is accepted, as NumPy makes them: for the host and for a GPU
   (kernels/each_side.h). Who includes this has said what STREAM is and what it gives: stream_double
   in [0, 1), stream_normal, stream_exponential, stream_masked (0 … range); stream_is_old tells
   np.random's and RandomState's older algorithms. Parameters stand in p. */

GX_EACH_CALLED double gamma_of(STREAM *r, double shape) {
    if (shape == 1.0) return stream_exponential(r);
    if (shape == 0.0) return 0.0;
    if (shape < 1.0) {
        for (;;) {
            double u = stream_double(r), v = stream_exponential(r), x;
            if (u <= 1.0 - shape) {
                x = pow(u, 1. / shape);
                if (x <= v) return x;
            } else {
                double y = -log((1 - u) / shape);
                x = pow(1.0 - shape + shape * y, 1. / shape);
                if (x <= v + y) return x;
            }
        }
    }
    const double b = shape - 1. / 3., c = 1. / sqrt(9 * b);
    for (;;) {
        double x, v;
        do {
            x = stream_normal(r);
            v = 1.0 + c * x;
        } while (v <= 0.0);
        v = v * v * v;
        double u = stream_double(r);
        if (u < 1.0 - 0.0331 * (x * x) * (x * x)) return b * v;
        if (log(u) < 0.5 * x * x + b * (1. - v + log(v))) return b * v;
    }
}

GX_EACH_FN double beta_of(STREAM *r, double a, double b) {
    if (!(a <= 1.0 && b <= 1.0)) { /* nan, too */
        double x = gamma_of(r, a), y = gamma_of(r, b);
        return x / (x + y);
    }
    if (!stream_is_old(r) && a < 3e-103 && b < 3e-103)
        return (a + b) * stream_double(r) < a ? 1 : 0;
    for (;;) {
        double u = stream_double(r), v = stream_double(r);
        double x = pow(u, 1.0 / a), y = pow(v, 1.0 / b), sum = x + y;
        if (!(sum <= 1.0) || !(u + v > 0.0)) continue;
        if (sum > 0) return x / sum;
        double p = log(u) / a, q = log(v) / b, top = p > q ? p : q;
        p -= top;
        q -= top;
        return exp(p - log(exp(p) + exp(q)));
    }
}

/* log(gamma(x)) by Stirling's series. */
GX_EACH_CALLED double log_gamma(double x) {
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

GX_EACH_FN double poisson_large(STREAM *r, double lam) {
    const double slam = sqrt(lam), loglam = log(lam), b = 0.931 + 2.53 * slam;
    const double a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4);
    const double vr = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        double u = stream_double(r) - 0.5, v = stream_double(r), us = 0.5 - fabs(u);
        double k = floor((2 * a / us + b) * u + lam + 0.43);
        if (us >= 0.07 && v <= vr) return k;
        if (k < 0 || (us < 0.013 && v > us)) continue;
        if (log(v) + log(inverse) - log(a / (us * us) + b) <= -lam + k * loglam - log_gamma(k + 1))
            return k;
    }
}

GX_EACH_CALLED double poisson_of(STREAM *r, double lam) {
    if (!(lam < 1e300)) return lam; /* the loop would not end */
    if (lam >= 10) return poisson_large(r, lam);
    if (lam == 0) return 0;
    const double least = exp(-lam);
    double x = 0, product = 1.0;
    for (;; x++) {
        product *= stream_double(r);
        if (!(product > least)) return x;
    }
}

GX_EACH_FN double chisquare(STREAM *r, double df) {
    return 2.0 * gamma_of(r, df / 2.0);
}

GX_EACH_FN double noncentral(STREAM *r, double df, double nonc) {
    if (isnan(nonc)) return NAN;
    if (nonc == 0) return chisquare(r, df);
    if (df > 1) {
        double x = chisquare(r, df - 1), n = stream_normal(r) + sqrt(nonc);
        return x + n * n;
    }
    double i = poisson_of(r, nonc / 2.0);
    return chisquare(r, df + 2 * i);
}

GX_EACH_FN double draw_gamma(STREAM *r, const double *p) {
    return p[1] * gamma_of(r, p[0]);
}
GX_EACH_FN double draw_standard_gamma(STREAM *r, const double *p) {
    return gamma_of(r, p[0]);
}
GX_EACH_FN double draw_beta(STREAM *r, const double *p) {
    return beta_of(r, p[0], p[1]);
}
GX_EACH_FN double draw_chisquare(STREAM *r, const double *p) {
    return chisquare(r, p[0]);
}
GX_EACH_FN double draw_f(STREAM *r, const double *p) {
    double x = chisquare(r, p[0]) * p[1], y = chisquare(r, p[1]) * p[0];
    return x / y;
}
GX_EACH_FN double draw_noncentral_chisquare(STREAM *r, const double *p) {
    return noncentral(r, p[0], p[1]);
}
GX_EACH_FN double draw_noncentral_f(STREAM *r, const double *p) {
    double x = noncentral(r, p[0], p[2]) * p[1];
    return x / (chisquare(r, p[1]) * p[0]);
}
GX_EACH_FN double draw_standard_t(STREAM *r, const double *p) {
    double x = stream_normal(r), y = gamma_of(r, p[0] / 2);
    return sqrt(p[0] / 2) * x / sqrt(y);
}
GX_EACH_FN double draw_wald(STREAM *r, const double *p) {
    double mean = p[0], scale = p[1], y = stream_normal(r), x;
    if (stream_is_old(r)) {
        y = mean * y * y;
        x = mean + mean / (2 * scale) * (y - sqrt(4 * scale * y + y * y));
        return stream_double(r) <= mean / (mean + x) ? x : mean * mean / x;
    }
    y = mean * y * y;
    double d = 1 + sqrt(1 + 4 * scale / y);
    x = mean * (1 - 2 / d);
    return stream_double(r) <= mean / (mean + x) ? x : mean * mean / x;
}

GX_EACH_FN double vonmises_scale(double kappa) {
    if (kappa < 1e-5) return 1. / kappa + kappa;
    double q = 1 + sqrt(1 + 4 * kappa * kappa), rho = (q - sqrt(2 * q)) / (2 * kappa);
    return (1 + rho * rho) / (2 * rho);
}

GX_EACH_FN double draw_vonmises(STREAM *r, const double *p) {
    double mu = p[0], kappa = p[1], w;
    if (isnan(kappa)) return NAN;
    if (kappa < 1e-8) return PI * (2 * stream_double(r) - 1);
    if (kappa > (stream_is_old(r) ? 1e15 : 1e6)) { /* the loop below would not end */
        double x = mu + sqrt(1. / kappa) * stream_normal(r);
        return x < -PI ? x + 2 * PI : x > PI ? x - 2 * PI : x;
    }
    const double s = vonmises_scale(kappa);
    for (;;) {
        double z = cos(PI * stream_double(r));
        w = (1 + s * z) / (s + z);
        double y = kappa * (s - w), v = stream_double(r);
        if (y * (2 - y) - v >= 0 || log(y / v) + 1 - y >= 0) break;
    }
    double u = stream_double(r), x = acos(w);
    x = (u < 0.5 ? -x : x) + mu;
    double turn = fmod(fabs(x) + PI, 2 * PI) - PI;
    return x < 0 ? -turn : turn;
}

/* --- binomial --- */

GX_EACH_FN int64_t by_inversion(STREAM *r, int64_t n, double p) {
    const double q = 1.0 - p, none = exp((double)n * log1p(-p)), np = (double)n * p;
    double most = np + 10.0 * sqrt(np * q + 1), px = none, u = stream_double(r);
    const int64_t bound = (double)n < most ? n : (int64_t)most;
    int64_t x = 0;
    while (u > px) {
        if (++x > bound) {
            x = 0;
            px = none;
            u = stream_double(r);
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

GX_EACH_FN void btpe_begin(btpe *b, int64_t n, double p) {
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

GX_EACH_FN double tail(double x) {
    double x2 = x * x;
    return (13680. - (462. - (132. - (99. - 140. / x2) / x2) / x2) / x2) / x / 166320.;
}

/* Is y, proposed with height v, a draw? */
GX_EACH_FN bool btpe_accept(const btpe *b, int64_t y, double v) {
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

GX_EACH_FN int64_t by_rejection(STREAM *r, int64_t n, double p) {
    btpe b;
    btpe_begin(&b, n, p);
    for (;;) {
        double u = stream_double(r) * b.p4, v = stream_double(r);
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

/* np.random and RandomState draw for no trial, too. */
GX_EACH_FN int64_t binomial_of(STREAM *r, int64_t n, double p) {
    if (!stream_is_old(r) && (n == 0 || p == 0)) return 0;
    bool high = p > 0.5;
    double least = high ? 1.0 - p : p;
    int64_t x = least * (double)n <= 30.0 ? by_inversion(r, n, least) : by_rejection(r, n, least);
    return high ? n - x : x;
}

/* --- the others --- */

GX_EACH_FN double draw_poisson(STREAM *r, const double *p) {
    return poisson_of(r, p[0]);
}
GX_EACH_FN double draw_binomial(STREAM *r, const double *p) {
    return (double)binomial_of(r, (int64_t)p[0], p[1]);
}
GX_EACH_FN double draw_negative_binomial(STREAM *r, const double *p) {
    const double most = 9223372036854775807.0, rate = (1 - p[1]) / p[1] * gamma_of(r, p[0]);
    if (rate != rate) {
        stream_double(r);
        return 0;
    }
    const double drawn = poisson_of(r, rate);
    return drawn < most ? drawn : -most; /* as processors convert what 64 bits do not hold */
}

GX_EACH_FN double draw_logseries(STREAM *r, const double *p) {
    const double rate = stream_is_old(r) ? log(1.0 - p[0]) : log1p(-p[0]);
    for (;;) {
        double v = stream_double(r);
        if (v >= p[0]) return 1;
        double u = stream_double(r), q = stream_is_old(r) ? 1.0 - exp(rate * u) : -expm1(rate * u);
        if (v <= q * q) {
            double x = floor(1 + log(v) / log(q));
            if (x < 1 || v == 0.0) continue;
            return x;
        }
        return v >= q ? 1 : 2;
    }
}

GX_EACH_FN double draw_zipf(STREAM *r, const double *p) {
    if (p[0] >= 1025) return 1;
    const double most = 9223372036854775807.0, less = p[0] - 1.0, b = pow(2.0, less);
    const double least = pow(most, -less);
    for (;;) {
        double u = stream_double(r), v;
        u = stream_is_old(r) ? 1.0 - u : u * least + (1 - u);
        v = stream_is_old(r) ? stream_double(r) : 0;
        double x = floor(pow(u, -1.0 / less));
        if (x > most || x < 1.0) continue;
        double t = pow(1.0 + 1.0 / x, less);
        if (!stream_is_old(r)) v = stream_double(r);
        if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return x;
    }
}

GX_EACH_FN double log_factorial(double k) {
    return log_gamma(k + 1);
}

GX_EACH_FN double by_ratio(STREAM *r, double good, double bad, double sample) {
    const double all = good + bad, m = sample < all - sample ? sample : all - sample;
    const double low = good < bad ? good : bad, high = good < bad ? bad : good;
    const double p = low / all, q = high / all, a = m * p + 0.5;
    const double taken = stream_is_old(r) ? sample : m;
    const double c = sqrt((all - m) * taken * p * q / (all - 1) + 0.5);
    const double h = 1.7155277699214135 * c + 0.8989161620588988;
    const double mode = floor((m + 1) * (low + 1) / (all + 2));
    const double g = log_factorial(mode) + log_factorial(low - mode) + log_factorial(m - mode) +
                     log_factorial(high - m + mode);
    const double edge = (m < low ? m : low) + 1, far = floor(a + 16 * c);
    const double end = edge < far ? edge : far;
    double k;
    for (;;) {
        double u = stream_double(r), v = stream_double(r), x = a + h * (v - 0.5) / u;
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
GX_EACH_FN double one_by_one(STREAM *r, double good, double bad, double sample) {
    if (stream_is_old(r)) {
        double low = good < bad ? good : bad, y = low, k = sample, rest = good + bad - sample;
        while (y > 0.0 && k > 0) {
            y -= floor(stream_double(r) + y / (rest + k));
            k--;
        }
        return good > bad ? sample - (low - y) : low - y;
    }
    const double all = good + bad;
    const bool flip = sample > floor(all / 2);
    double many = flip ? all - sample : sample, left = all, left_good = good;
    while (many > 0 && left_good > 0 && left > left_good) {
        left--;
        if ((double)stream_masked(r, (uint64_t)left) < left_good) left_good--;
        many--;
    }
    if (left == left_good) left_good -= many;
    return flip ? left_good : good - left_good;
}

GX_EACH_FN double draw_hypergeometric(STREAM *r, const double *p) {
    bool large = stream_is_old(r) ? p[2] > 10 : p[2] >= 10 && p[2] <= p[0] + p[1] - 10;
    if (p[2] == 0) return 0;
    return large ? by_ratio(r, p[0], p[1], p[2]) : one_by_one(r, p[0], p[1], p[2]);
}

