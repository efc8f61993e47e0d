/* zeta, polygamma, gammainc, gammaincc, betainc, ndtri, erfcinv, k0, k1 and ellipk of real numbers,
   from their series, continued fractions and integrals; see kernels/each_side.h. */
/* --- zeta and polygamma --- */

/* Hurwitz's zeta: terms, then Euler and Maclaurin's formula for the rest. */
GX_EACH_FN double zeta(double x, double q) {
    static const double b[] = {1.0 / 12,          -1.0 / 720,
                               1.0 / 30240,       -1.0 / 1209600,
                               1.0 / 47900160,    -691.0 / 1307674368000,
                               1.0 / 74724249600, -3617.0 / 10670622842880000};
    if (x == 1) return INFINITY;
    if (isinf(x) && x > 0 && q == 1) return 1;
    if (q > 1e8) return (1 / (x - 1) + 1 / (2 * q)) * pow(q, 1 - x);
    if (!(x > 1) && q != 1) return NAN;
    if (x < 0 && fmod(x, 2.0) == 0) return 0;
    if (x < 0) /* Riemann's, continued by reflection */
        return pow(2, x) * pow(PI, x - 1) * sin(PI * x / 2) * tgamma(1 - x) * zeta(1 - x, 1);
    if (q <= 0) {
        if (q == floor(q)) return INFINITY;
        if (x != floor(x)) return NAN;
    }
    if (q < -100) { /* the negative terms are a part of zeta from the other side */
        const double n = ceil(-q), f = 1 - (q + n);
        const double left = zeta(x, f) - zeta(x, 1 - q);
        return zeta(x, q + n) + (fmod(x, 2.0) == 0 ? left : -left);
    }
    double sum = 0, a = q;
    for (int i = 0; i < 12 || a < 12; i++, a++) sum += pow(a, -x);
    double last = pow(a, -x), factor = x, p = last / a;
    sum += last * a / (x - 1) + 0.5 * last;
    for (int k = 0; k < 8; k++) {
        double term = b[k] * factor * p;
        sum += term;
        if (fabs(term) < fabs(sum) * 1e-18) break;
        factor *= (x + 2 * k + 1) * (x + 2 * k + 2);
        p /= a * a;
    }
    return sum;
}

GX_EACH_FN double digamma(double x) {
    if (x == 0) return -copysign(INFINITY, x);
    static const double b[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                               1.0 / 132, -691.0 / 32760, 1.0 / 12};
    if (x <= 0) {
        if (x == floor(x)) return NAN;
        return digamma(1 - x) - PI / tan(PI * x);
    }
    double r = 0;
    for (; x < 12; x++) r -= 1 / x;
    double y = 1 / (x * x), p = y;
    r += log(x) - 0.5 / x;
    for (int k = 0; k < 7; k++, p *= y) r -= b[k] * p;
    return r;
}

GX_EACH_FN double polygamma(double n, double x) {
    if (n < 0 || n != floor(n)) return NAN;
    if (n == 0) return digamma(x);
    double sign = fmod(n, 2.0) == 1 ? 1 : -1;
    return sign * tgamma(n + 1) * zeta(n + 1, x);
}

/* --- incomplete gamma and beta --- */

/* x^a e^-x / gamma(a + 1) */
GX_EACH_FN double gamma_factor(double a, double x) {
    return exp(a * log(x) - x - lgamma(a + 1));
}

GX_EACH_FN double lower_series(double a, double x) {
    double sum = 1, term = 1;
    for (double k = a + 1; term > sum * 1e-17; k++) sum += term *= x / k;
    return sum * gamma_factor(a, x);
}

GX_EACH_FN double upper_fraction(double a, double x) {
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
    for (int i = 1; i < 100000; i++) {
        double an = -i * (i - a);
        b += 2;
        d = an * d + b;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = b + an / c;
        if (fabs(c) < tiny) c = tiny;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-16) break;
    }
    return h * gamma_factor(a, x) * a;
}

/* Q (or P) of a large a, by Temme's uniform expansion around x = a. */
GX_EACH_FN double temme(double a, double x, bool upper) {
    static const double c0[] = {-1.0 / 3, 1.0 / 12, -2.0 / 135, 1.0 / 864, 1.0 / 2835,
                                -139.0 / 777600};
    static const double c1[] = {-1.0 / 540, -1.0 / 288, 25.0 / 12096, -223.0 / 1088640};
    const double mu = (x - a) / a;
    double part = mu - log1p(mu);
    if (fabs(mu) < 0.01) { /* its series: mu^2 / 2 - mu^3 / 3 + … */
        double power = mu * mu;
        part = 0;
        for (int k = 2; k < 12; k++, power *= -mu) part += power / k;
    }
    const double eta = copysign(sqrt(2 * part), mu);
    double first = 0, second = 0;
    for (int k = 5; k >= 0; k--) first = first * eta + c0[k];
    for (int k = 3; k >= 0; k--) second = second * eta + c1[k];
    const double more = exp(-a * part) / sqrt(2 * PI * a) * (first + second / a);
    const double tail = erfc((upper ? eta : -eta) * sqrt(a / 2)) / 2;
    return fabs(eta) > 1 ? tail : tail + (upper ? more : -more);
}

enum { LARGE = 100000 };

GX_EACH_SHARED double gx_sp_gammainc(double a, double x) {
    if (isnan(a) || isnan(x) || a < 0 || x < 0) return NAN;
    if (a == 0) return x > 0 ? 1 : NAN;
    if (x == 0) return 0;
    if (isinf(a)) return isinf(x) ? NAN : 0;
    if (isinf(x)) return 1;
    if (a > LARGE) return temme(a, x, false);
    return x < a + 1 ? lower_series(a, x) : 1 - upper_fraction(a, x);
}

GX_EACH_SHARED double gx_sp_gammaincc(double a, double x) {
    if (isnan(a) || isnan(x) || a < 0 || x < 0) return NAN;
    if (a == 0) return x > 0 ? 0 : NAN;
    if (x == 0) return 1;
    if (isinf(a)) return isinf(x) ? NAN : 1;
    if (isinf(x)) return 0;
    if (a > LARGE) return temme(a, x, true);
    return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

GX_EACH_FN double beta_fraction(double a, double b, double x) {
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    h = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + even / c;
        h *= d * (c = fabs(c) < tiny ? tiny : c);
        d = 1 + odd * d;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = 1 + odd / c;
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-16) break;
    }
    return h;
}

GX_EACH_SHARED double gx_sp_betainc(double a, double b, double x) {
    if (isnan(a) || isnan(b) || isnan(x) || a < 0 || b < 0 || x < 0 || x > 1) return NAN;
    if ((a == 0 && b == 0) || (isinf(a) && isinf(b))) return NAN;
    if (a == 0 || isinf(b)) return x > 0;
    if (b == 0 || isinf(a)) return x == 1;
    if (x == 0 || x == 1) return x;
    double factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
    return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

/* --- inverses of the normal distribution --- */

/* The z whose upper tail is p (0 < p <= 0.5): a first guess, then Newton's steps by Halley. */
GX_EACH_FN double upper_tail(double p) {
    double t = sqrt(-2 * log(p));
    double z = t - (2.515517 + 0.802853 * t + 0.010328 * t * t) /
                       (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t);
    for (int i = 0; i < 4; i++) {
        double tail = 0.5 * erfc(z / sqrt(2.0)), density = exp(-z * z / 2) / sqrt(2 * PI);
        if (density == 0) break;
        double u = (tail - p) / density;
        z += u / (1 - z * u / 2);
        if (fabs(u) < 1e-6 * z) break; /* what is left is of its third power */
    }
    return z;
}

/* The z with erf(z) = e, |e| at most 0.5: its power series, then Halley's steps. */
GX_EACH_FN double near_zero(double e) {
    double t = PI * e * e;
    double z = e * sqrt(PI) / 2 * (1 + t * (1.0 / 12 + t * (7.0 / 480 + t * 127.0 / 40320)));
    for (int i = 0; i < 8 && z != 0; i++) {
        double step = (erf(z) - e) * sqrt(PI) / 2 * exp(z * z);
        z -= step / (1 + z * step);
        if (fabs(step) < 1e-6 * fabs(z)) break;
    }
    return z;
}

GX_EACH_FN double ndtri(double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
    if (fabs(p - 0.5) <= 0.25) return near_zero(2 * (p - 0.5)) * sqrt(2.0);
    return p < 0.5 ? -upper_tail(p) : upper_tail(1 - p);
}

GX_EACH_FN double erfcinv(double y) {
    if (!(y >= 0 && y <= 2)) return NAN;
    if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
    if (fabs(y - 1) <= 0.5) return near_zero(1 - y);
    return (y < 1 ? upper_tail(y / 2) : -upper_tail((2 - y) / 2)) / sqrt(2.0);
}

/* --- Bessel functions of the second kind, and the elliptic integral --- */

/* K of order 0 or 1: below 2 the power series beside the logarithm at 0, from there exp(-x) over
   sqrt(x) times a Chebyshev series in 4 / x - 1, whose coefficients come from values at 60 nodes,
   worked out in 40 digits. */
GX_EACH_FN double k_series(int order, double x) {
    const double t = x * x / 4, gamma = 0.57721566490153286, log_half = log(x / 2);
    double term = order ? x / 2 : 1, sum = 0, psi = -gamma, next = order ? 1 - gamma : -gamma;
    for (int k = 0; k < 20; k++) {
        const double mean = (psi + next) / 2 - log_half;
        sum += term * mean;
        if (term < 1e-18) break;
        psi += 1.0 / (k + 1);
        next += 1.0 / (k + 1 + order);
        term *= t / ((k + 1.0) * (k + 1 + order));
    }
    return order ? 1 / x - sum : sum;
}

GX_EACH_FN double bessel_k(int order, double x) {
    static const double tails[2][23] = {
        {
        2.440303082065955455, -0.03144810131196450054, 0.001569883885730053375,
        -0.0001284954958162780264, 0.00001394981371887649936, -1.831755522719119485e-6,
        2.766813639445015076e-7, -4.660489897687947666e-8, 8.574034017414226086e-9,
        -1.697534509389061516e-9, 3.577397281400328447e-10, -7.957489244477397038e-11,
        1.855949114954926555e-11, -4.514597883374519175e-12, 1.140340588207344235e-12,
        -2.980096923148178355e-13, 8.032890775068374369e-14, -2.22751332674629636e-14,
        6.340076476276645966e-15, -1.848593377920907169e-15, 5.512055999404333365e-16,
        -1.678231125754900638e-16, 5.210391777643554113e-17},
        {
        2.720626190484442669, 0.1039237365768172384, -0.002857816859622779387,
        0.0001952155184713516311, -0.0000193619797416608296, 2.406484947837217117e-6,
        -3.501960603087812542e-7, 5.741084125450049292e-8, -1.034576246567809703e-8,
        2.015049755197034616e-9, -4.190354759341925584e-10, 9.218315187605314126e-11,
        -2.129967838427791022e-11, 5.13963967348234354e-12, -1.289173960949822935e-12,
        3.34841966605224312e-13, -8.976705182010146069e-14, 2.477154424219598681e-14,
        -7.019837089214768851e-15, 2.03870316623986088e-15, -6.057047270643017823e-16,
        1.838093575243045426e-16, -5.689462849193648374e-17},
    };
    if (isnan(x) || x < 0) return NAN;
    if (x == 0) return INFINITY;
    if (x <= 2) return k_series(order, x);
    const double *c = tails[order], y = 2 * (4 / x - 1);
    double a = 0, b = 0;
    for (int k = 22; k > 0; k--) {
        const double next = y * a - b + c[k];
        b = a;
        a = next;
    }
    return (y / 2 * a - b + c[0] / 2) * exp(-x) / sqrt(x);
}

GX_EACH_FN double ellipk(double m) {
    if (isnan(m) || m > 1) return NAN;
    if (m == 1) return INFINITY;
    double a = 1, b = sqrt(1 - m);
    for (int i = 0; i < 40 && fabs(a - b) > 1e-8 * a; i++) {
        double next = (a + b) / 2;
        b = sqrt(a * b);
        a = next;
    }
    return PI / (a + b);
}

/* --- elementwise calls --- */

GX_EACH_FN void zeta_of(const double *in, double *out) {
    *out = in[0] < 1 ? NAN : zeta(in[0], in[1]);
}
GX_EACH_FN void riemann_of(const double *in, double *out) {
    *out = zeta(in[0], 1);
}
GX_EACH_FN void polygamma_of(const double *in, double *out) {
    *out = polygamma(in[0], in[1]);
}
GX_EACH_FN void gammainc_of(const double *in, double *out) {
    *out = gx_sp_gammainc(in[0], in[1]);
}
GX_EACH_FN void gammaincc_of(const double *in, double *out) {
    *out = gx_sp_gammaincc(in[0], in[1]);
}
GX_EACH_FN void betainc_of(const double *in, double *out) {
    *out = gx_sp_betainc(in[0], in[1], in[2]);
}
GX_EACH_FN void ndtri_of(const double *in, double *out) {
    *out = ndtri(in[0]);
}
GX_EACH_FN void erfcinv_of(const double *in, double *out) {
    *out = erfcinv(in[0]);
}
GX_EACH_FN void k0_of(const double *in, double *out) {
    *out = bessel_k(0, in[0]);
}
GX_EACH_FN void k1_of(const double *in, double *out) {
    *out = bessel_k(1, in[0]);
}
GX_EACH_FN void ellipk_of(const double *in, double *out) {
    *out = ellipk(in[0]);
}
