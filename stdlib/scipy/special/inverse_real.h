/* Inverses of the incomplete functions, integrals of one real number, gamma's kin; see
   kernels/each_side.h. several_real.h stands before this. */
/* --- inverses of increasing functions, by halving --- */

/* The x with f(x) = y, f growing (or falling) from low to high. */
GX_EACH_FN double halving(double (*f)(double, double, double), double a, double b, double y,
                      double low, double high, bool falls) {
    for (int i = 0; i < 2200; i++) {
        double mid = low + (high - low) / 2;
        if (low > 0 && high > 4 * low) mid = sqrt(low) * sqrt(high);
        else if (low == 0 && high > 1e-300) mid = high > 1e-3 ? high / 16 : high * 1e-8;
        if (!(mid > low && mid < high)) break;
        if ((f(a, b, mid) < y) != falls) low = mid;
        else high = mid;
    }
    return high;
}

GX_EACH_FN double lower_gamma(double a, double b, double x) {
    (void)b;
    return gx_sp_gammainc(a, x);
}
GX_EACH_FN double upper_gamma(double a, double b, double x) {
    (void)b;
    return gx_sp_gammaincc(a, x);
}
GX_EACH_FN double beyond(double (*f)(double, double, double), double a, double y, bool falls) {
    double high = a + 1;
    while ((f(a, 0, high) < y) != falls && high < 1e300) high *= 2;
    return high;
}

GX_EACH_FN void gammaincinv_of(const double *in, double *out) {
    double a = in[0], y = in[1];
    *out = isnan(a) || isnan(y) || a < 0 || y < 0 || y > 1 ? NAN : y == 0 ? 0 : INFINITY;
    if ((a == 0 || isinf(a)) && y > 0 && y < 1) *out = NAN;
    if (y > 0 && y < 1 && a > 0 && !isinf(a))
        *out = y <= 0.9 ? halving(lower_gamma, a, 0, y, 0, beyond(lower_gamma, a, y, false), false)
                        : halving(upper_gamma, a, 0, 1 - y, 0,
                                  beyond(upper_gamma, a, 1 - y, true), true);
}

GX_EACH_FN void gammainccinv_of(const double *in, double *out) {
    double a = in[0], y = in[1];
    *out = isnan(a) || isnan(y) || a < 0 || y < 0 || y > 1 ? NAN : y == 1 ? 0 : INFINITY;
    if ((a == 0 || isinf(a)) && y > 0 && y < 1) *out = NAN;
    if (y > 0 && y < 1 && a > 0 && !isinf(a))
        *out = halving(upper_gamma, a, 0, y, 0, beyond(upper_gamma, a, y, true), true);
}

GX_EACH_FN void betaincinv_of(const double *in, double *out) {
    double a = in[0], b = in[1], y = in[2];
    *out = !(a > 0) || !(b > 0) || !(y >= 0 && y <= 1) ? NAN : y;
    if (!(y > 0 && y < 1 && a > 0 && b > 0)) return;
    if (b == 1)
        *out = pow(y, 1 / a);
    else if (a == 1)
        *out = -expm1(log1p(-y) / b);
    else if (a > 1e100 || b > 1e100)
        *out = NAN; /* as in SciPy */
    else
        *out = halving(gx_sp_betainc, a, b, y, 0, 1, false);
}

GX_EACH_FN void betaincc_of(const double *in, double *out) {
    double a = in[0], b = in[1], x = in[2];
    *out = a == 0 || b == 0 || isinf(a) || isinf(b) ? 1 - gx_sp_betainc(a, b, x)
                                                    : gx_sp_betainc(b, a, 1 - x);
}

/* --- exponential integrals --- */

GX_EACH_FN double exp1(double x) {
    if (isnan(x) || x < 0) return NAN;
    if (x == 0) return INFINITY;
    if (isinf(x)) return 0;
    if (x <= 1) {
        double sum = -EULER - log(x), term = -1;
        for (int k = 1; k < 40; k++) {
            term *= -x / k;
            sum += term / k;
        }
        return sum;
    }
    double b = x + 1, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 1000; i++) {
        double an = -(double)i * i;
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= c * d;
        if (fabs(c * d - 1) < 1e-16) break;
    }
    return h * exp(-x);
}

GX_EACH_FN double expi(double x) {
    if (isnan(x)) return NAN;
    if (x == 0) return -INFINITY;
    if (x < 0) return -exp1(-x);
    if (isinf(x)) return INFINITY;
    double sum = 0, term = 1;
    if (x < 40) {
        for (int k = 1; k < 500; k++) {
            term *= x / k;
            sum += term / k;
            if (term / k < sum * 1e-17) break;
        }
        return EULER + log(x) + sum;
    }
    for (int k = 0; k < 60 && term > 1e-17; k++) {
        sum += term;
        term *= (k + 1) / x;
    }
    return exp(x) / x * sum;
}

/* The fraction of exp1 at i x, times exp(-i x), is what is left of the integrals. */
GX_EACH_FN void sici_of(const double *in, double *out) {
    double x = fabs(in[0]), s = 0, c = 0;
    if (isnan(x)) {
        out[0] = out[1] = NAN;
    } else if (x == 0) {
        out[0] = 0;
        out[1] = -INFINITY;
    } else if (x <= 4) {
        double term = 1;
        for (int k = 1; k < 60; k++) {
            term *= x / k;
            double part = term / k;
            if (k % 2) s += k % 4 == 1 ? part : -part;
            else c += k % 4 == 0 ? part : -part;
        }
        out[0] = copysign(s, in[0]);
        out[1] = EULER + log(x) + c;
    } else {
        const cpair none = {0, 0}, turn = {cos(x), -sin(x)};
        cpair b = {1, x}, d = pair_under(1, b, none), h = d, far = {1e300, 0}, step;
        for (int i = 1; i < 500 && !isinf(x); i++) {
            double an = -(double)i * i;
            b.re += 2;
            d.re = an * d.re + b.re;
            d.im = an * d.im + b.im;
            d = pair_under(1, d, none);
            far = pair_under(an, far, b);
            step = pair_times(far, d);
            h = pair_times(h, step);
            if (hypot(step.re - 1, step.im) < 1e-16) break;
        }
        h = isinf(x) ? none : pair_times(h, turn);
        out[0] = copysign(PI / 2 + h.im, in[0]);
        out[1] = 0 - h.re;
    }
    if (in[0] == -INFINITY) out[1] = NAN;
}

GX_EACH_FN void exp1_of(const double *in, double *out) {
    *out = exp1(in[0]);
}
GX_EACH_FN void expi_of(const double *in, double *out) {
    *out = expi(in[0]);
}

/* --- the error function's kin --- */

GX_EACH_FN double dawson(double x) {
    double a = fabs(x), sum = 0;
    if (isnan(x)) return NAN;
    if (a < 0.2) {
        double term = x, q = x * x;
        for (int k = 0; k < 20; k++) {
            sum += term;
            term *= -2 * q / (2 * k + 3);
        }
        return sum;
    }
    if (a > 12) {
        double term = 1 / (2 * x), q = 2 * x * x;
        for (int k = 0; k < 20 && !isinf(x); k++) {
            sum += term;
            term *= (2 * k + 1) / q;
        }
        return sum;
    }
    const double h = 0.2;
    int middle = (int)(a / h);
    for (int n = middle - 34 - (middle % 2 == 0); n <= middle + 36; n += 2)
        if (n % 2) sum += exp(-(a - n * h) * (a - n * h)) / n;
        else n--;
    return copysign(sum / sqrt(PI), x);
}

GX_EACH_FN void dawsn_of(const double *in, double *out) {
    *out = dawson(in[0]);
}
GX_EACH_FN void erfi_of(const double *in, double *out) {
    *out = fabs(in[0]) > 27 ? copysign(INFINITY, in[0])
                            : 2 / sqrt(PI) * exp(in[0] * in[0]) * dawson(in[0]);
    if (isnan(in[0])) *out = NAN;
}
GX_EACH_FN void erfcx_of(const double *in, double *out) {
    double x = in[0];
    if (!(x > 5)) {
        *out = x < -27 ? INFINITY : exp(x * x) * erfc(x);
        return;
    }
    double f = x;
    for (int k = 60; k > 0; k--) f = x + k / 2.0 / f;
    *out = 1 / (sqrt(PI) * f);
}

/* --- gamma's kin --- */

GX_EACH_FN void rgamma_of(const double *in, double *out) {
    double x = in[0];
    *out = x <= 0 && x == floor(x) ? 0 : 1 / tgamma(x);
}
GX_EACH_FN void gammasgn_of(const double *in, double *out) {
    double x = in[0];
    if (isnan(x)) *out = NAN;
    else if (x > 0) *out = 1;
    else if (x == 0) *out = copysign(1.0, x);
    else *out = x == floor(x) ? NAN : fmod(floor(x), 2.0) == 0 ? 1 : -1;
}
GX_EACH_FN double gamma_sign(double x) {
    double sign;
    gammasgn_of(&x, &sign);
    return sign;
}
GX_EACH_FN bool is_gamma_pole(double x) {
    return x <= 0 && x == ceil(x) && fabs(x) < 1e13;
}

/* Whole steps of m first, as far as no factor is 0 or beyond the numbers. */
GX_EACH_FN void poch_of(const double *in, double *out) {
    double a = in[0], m = in[1], r = 1;
    for (; m >= 1 && a + m != 1; ) {
        m -= 1;
        r *= a + m;
        if (!isfinite(r) || r == 0) break;
    }
    for (; m <= -1 && a + m != 0; m += 1) {
        r /= a + m;
        if (!isfinite(r) || r == 0) break;
    }
    *out = r;
    if (m == 0) return;
    if (a > 1e4 && fabs(m) <= 1) /* gamma(a + m) / gamma(a) by powers of 1 / a */
        *out *= pow(a, m) * (1 + m * (m - 1) / (2 * a) +
                             m * (m - 1) * (m - 2) * (3 * m - 1) / (24 * a * a) +
                             m * m * (m - 1) * (m - 1) * (m - 2) * (m - 3) / (48 * a * a * a));
    else if (is_gamma_pole(a + m) && !is_gamma_pole(a) && a + m != m) *out = INFINITY;
    else if (!is_gamma_pole(a + m) && is_gamma_pole(a)) *out = 0;
    else *out *= exp(lgamma(a + m) - lgamma(a)) * gamma_sign(a + m) * gamma_sign(a);
}
GX_EACH_FN void loggamma_of(const double *in, double *out) {
    *out = in[0] < 0 ? NAN : lgamma(in[0]);
}
