/* Bessel functions of real order and argument, and Airy's; see kernels/each_side.h. */
#define GX_SP_MOST_ORDER 1e6 /* order and argument for which an integral is taken */

/* --- integrals over a range, by panels of Gauss's rule of 16 points --- */

typedef double (*integrand)(double t, double v, double x);

GX_EACH_FN double integral(integrand f, double v, double x, double end, int panels) {
    static const double at[8] = {
        0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
        0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326};
    static const double weight[8] = {
        0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
        0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};
    double half = end / panels / 2, sum = 0;
    for (int p = 0; p < panels; p++) {
        double mid = (2 * p + 1) * half;
        for (int i = 0; i < 8; i++)
            sum += weight[i] * (f(mid - half * at[i], v, x) + f(mid + half * at[i], v, x));
    }
    return sum * half;
}

GX_EACH_FN double wave_j(double t, double v, double x) {
    return cos(v * t - x * sin(t));
}
GX_EACH_FN double wave_y(double t, double v, double x) {
    return sin(x * sin(t) - v * t);
}
GX_EACH_FN double tail_j(double t, double v, double x) {
    return exp(-x * sinh(t) - v * t);
}
GX_EACH_FN double tail_y(double t, double v, double x) {
    return (exp(v * t - x * sinh(t)) + exp(-v * t - x * sinh(t)) * cos(v * PI));
}

/* Where x sinh t outgrows v t by so much that nothing is left. */
GX_EACH_FN double tail_end(double v, double x) {
    double t = 1;
    for (int i = 0; i < 40; i++) t = asinh((45 + v * t) / x);
    return t;
}

/* --- far out --- */

GX_EACH_FN bool is_far(double v, double x) {
    return x > 25 && x > v * v / 2;
}

GX_EACH_FN void far_out(double v, double x, double *j, double *y) {
    double mu = 4 * v * v, p = 1, q = 0, term = 1;
    for (int k = 1; k < 200; k++) {
        double next = term * (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
        if (k > 2 && fabs(next) > fabs(term)) break;
        term = next;
        if (k % 2)
            q += k % 4 == 1 ? term : -term;
        else
            p += k % 4 == 2 ? -term : term;
        if (fabs(term) < 1e-17) break;
    }
    double turn = fmod(v / 2 + 0.25, 2) * PI, by = sqrt(2 / (PI * x));
    double c = cos(x) * cos(turn) + sin(x) * sin(turn), s = sin(x) * cos(turn) - cos(x) * sin(turn);
    *j = by * (p * c - q * s);
    *y = by * (p * s + q * c);
}

/* --- orders and arguments that are not negative --- */

/* The sum of (sign x^2 / 4)^k / (k! gamma(v + k + 1)) times (x / 2)^v, and its logarithm's part. */
GX_EACH_FN double power_series(double v, double x, double sign, double less) {
    double q = x * x / 4, sum = 1, term = 1, scale = 0;
    for (int k = 1; k < 100000; k++) {
        term *= sign * q / (k * (k + v));
        sum += term;
        if (fabs(term) < 1e-17 * fabs(sum)) break;
        if (fabs(sum) > 1e250) {
            sum *= 1e-250;
            term *= 1e-250;
            scale += 250 * log(10.0);
        }
    }
    if (x < 20 && v < 100 && scale == 0) return pow(x / 2, v) / tgamma(v + 1) * sum * exp(-less);
    return exp(v * log(x / 2) - lgamma(v + 1) - less + scale) * sum;
}

GX_EACH_FN double j_of(double v, double x) {
    double j, y;
    if (x == 0) return v == 0;
    if (is_far(v, x)) {
        far_out(v, x, &j, &y);
        return j;
    }
    if (x * x < 8 * (v + 1)) return power_series(v, x, -1, 0);
    if (x + v > GX_SP_MOST_ORDER) return NAN;
    int panels = (int)((x + v) / 6) + 4;
    j = integral(wave_j, v, x, PI, panels) / PI;
    if (v != floor(v)) j -= sin(v * PI) / PI * integral(tail_j, v, x, tail_end(0, x), 16);
    return j;
}

GX_EACH_FN double y_of(double v, double x) {
    double j, y;
    if (x == 0) return -INFINITY;
    if (is_far(v, x)) {
        far_out(v, x, &j, &y);
        return y;
    }
    if (x + v > GX_SP_MOST_ORDER) return NAN;
    int panels = (int)((x + v) / 6) + 4;
    return (integral(wave_y, v, x, PI, panels) -
            integral(tail_y, v, x, tail_end(v, x), 32 + (int)(v / 2))) /
           PI;
}

/* exp(x) K: trapezoids, which converge fast. */
GX_EACH_FN double k_scaled(double v, double x) {
    const double h = 1.0 / 32;
    double sum = 0.5, peak = asinh(v / x);
    if (x == 0) return INFINITY;
    for (int i = 1; i < 100000; i++) {
        double t = i * h, s = sinh(t / 2), low = -2 * x * s * s;
        double term = (exp(low + v * t) + exp(low - v * t)) / 2;
        sum += term;
        if (t > peak && term < sum * 1e-18) break;
        if (isinf(sum)) break;
    }
    return h * sum;
}

/* exp(-x) I */
GX_EACH_FN double i_scaled(double v, double x) {
    if (x == 0) return v == 0;
    if (!is_far(v, x)) return power_series(v, x, 1, x);
    double mu = 4 * v * v, sum = 1, term = 1;
    for (int k = 1; k < 200; k++) {
        double next = -term * (mu - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
        if (k > 2 && fabs(next) > fabs(term)) break;
        sum += term = next;
        if (fabs(term) < 1e-17) break;
    }
    return sum / sqrt(2 * PI * x);
}

/* --- all real orders --- */

GX_EACH_FN double sine(double v) { /* of v pi, exact where it is 0 */
    return v == floor(v) ? 0 : sin(fmod(v, 2) * PI);
}
GX_EACH_FN double cosine(double v) {
    return v - 0.5 == floor(v) ? 0 : cos(fmod(v, 2) * PI);
}

GX_EACH_FN double jv(double v, double x) {
    if (isnan(v) || isnan(x)) return NAN;
    if (isinf(v) || isinf(x)) return isinf(x) || x < 0 ? NAN : 0;
    if (x < 0) return v == floor(v) ? (fmod(v, 2) != 0 ? -jv(v, -x) : jv(v, -x)) : NAN;
    if (v >= 0) return j_of(v, x);
    double s = sine(v), c = cosine(v);
    return c * j_of(-v, x) + (s != 0 ? s * y_of(-v, x) : 0);
}

GX_EACH_FN double yv(double v, double x) {
    if (x == 0 && isinf(v)) return -INFINITY;
    if (isnan(v) || isnan(x) || x < 0) return NAN;
    if (isinf(v) || isinf(x)) return NAN;
    if (v >= 0) return y_of(v, x);
    double s = sine(v), c = cosine(v);
    return (s != 0 ? -s * j_of(-v, x) : 0) + (c != 0 ? c * y_of(-v, x) : 0);
}

GX_EACH_FN double kve(double v, double x) {
    if (x == 0 && !isfinite(v)) return INFINITY;
    if (isnan(v) || isnan(x) || x < 0) return NAN;
    return isinf(v) || isinf(x) ? NAN : k_scaled(fabs(v), x);
}

GX_EACH_FN double ive(double v, double x) {
    if (isnan(v) || isnan(x)) return NAN;
    if (x < 0) return v == floor(v) ? (fmod(v, 2) != 0 ? -ive(v, -x) : ive(v, -x)) : NAN;
    if (isinf(v) || isinf(x)) return NAN;
    if (v >= 0 || v == floor(v)) return i_scaled(fabs(v), x);
    return i_scaled(-v, x) - 2 / PI * sine(v) * exp(-2 * x) * k_scaled(-v, x);
}

GX_EACH_FN void jv_of(const double *in, double *out) {
    *out = jv(in[0], in[1]);
}
GX_EACH_FN void yv_of(const double *in, double *out) {
    *out = yv(in[0], in[1]);
}
GX_EACH_FN void ive_of(const double *in, double *out) {
    *out = ive(in[0], in[1]);
}
GX_EACH_FN void kve_of(const double *in, double *out) {
    *out = kve(in[0], in[1]);
}
GX_EACH_FN void iv_of(const double *in, double *out) {
    *out = isinf(in[0]) && isfinite(in[1]) ? 0 : ive(in[0], in[1]) * exp(fabs(in[1]));
}
GX_EACH_FN void kv_of(const double *in, double *out) {
    *out = in[1] == INFINITY && isfinite(in[0]) ? 0 : kve(in[0], in[1]) * exp(-in[1]);
}

/* Orders that are not whole are cut. */
GX_EACH_FN void yn_of(const double *in, double *out) {
    const bool beyond = isinf(in[0]) && in[1] > 0 && isfinite(in[1]);
    *out = beyond ? -INFINITY : yv(trunc(in[0]), in[1]);
}
GX_EACH_FN void kn_of(const double *in, double *out) {
    const double whole[2] = {trunc(in[0]), in[1]};
    kv_of(whole, out);
    if (isnan(in[0])) *out = NAN;
    if (isinf(in[0]) && in[1] == INFINITY) *out = 0;
}
GX_EACH_FN void jve_of(const double *in, double *out) {
    *out = isinf(in[0]) ? NAN : jv(in[0], in[1]);
}
GX_EACH_FN void yve_of(const double *in, double *out) {
    *out = in[1] == 0 ? NAN : yv(in[0], in[1]);
}
/* --- Airy's functions --- */

GX_EACH_FN void airy_of(const double *in, double *out) {
    double x = in[0], r3 = sqrt(3.0);
    if (isnan(x)) {
        out[0] = out[1] = out[2] = out[3] = NAN;
    } else if (x == 0) {
        out[0] = 0.355028053887817239;
        out[1] = -0.258819403792806798;
        out[2] = out[0] * r3;
        out[3] = -out[1] * r3;
    } else if (x > 0) {
        double z = 2.0 / 3 * x * sqrt(x), by = exp(-z), up = exp(z), root = sqrt(x / 3);
        out[0] = root / PI * k_scaled(1.0 / 3, z) * by;
        out[1] = -x / (PI * r3) * k_scaled(2.0 / 3, z) * by;
        out[2] = root * (ive(-1.0 / 3, z) + ive(1.0 / 3, z)) * up;
        out[3] = x / r3 * (ive(-2.0 / 3, z) + ive(2.0 / 3, z)) * up;
    } else {
        double y = -x, z = 2.0 / 3 * y * sqrt(y);
        double a = jv(1.0 / 3, z), b = jv(-1.0 / 3, z), c = jv(2.0 / 3, z), d = jv(-2.0 / 3, z);
        out[0] = sqrt(y) / 3 * (a + b);
        out[1] = y / 3 * (c - d);
        out[2] = sqrt(y / 3) * (b - a);
        out[3] = y / r3 * (d + c);
    }
}
