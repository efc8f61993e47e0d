/* Bessel functions of real order and argument, and Airy's; see kernels/each_side.h. */
#define GX_SP_MOST_ORDER 1e6 /* order and argument for which an integral is taken */

GX_EACH_FN double sinh_by(double e) {
    return fabs(e) < 1e-4 ? 1 + e * e / 6 : sinh(e) / e;
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
    double turn = fmod(v / 2 + 0.25, 2.0) * PI, by = sqrt(2 / (PI * x));
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

/* Y of the orders mu and mu + 1 below x = 2: Temme's series. */
GX_EACH_FN void y_near(double mu, double x, double *y, double *next) {
    const temme t = temme_of(mu);
    const double far = log(2 / x), e = mu * far, up = exp(e), half = PI * mu / 2;
    const double sine = fabs(half) < 1e-8 ? 1 : sin(half) / half, r = PI * half * sine * sine;
    double f = 2 / PI * t.turn * (t.odd * cosh(e) + t.even * sinh_by(e) * far);
    double p = up / (t.plus * PI), q = 1 / (up * PI * t.minus), c = 1;
    double sum = f + r * q, sum_next = p;
    for (int i = 1; i < 100; i++) {
        f = (i * f + p + q) / (i * i - mu * mu);
        c *= -x * x / 4 / i;
        p /= i - mu;
        q /= i + mu;
        const double more = c * (f + r * q);
        sum += more;
        sum_next += c * p - i * more;
        if (fabs(more) < 1e-17 * (1 + fabs(sum))) break;
    }
    *y = -sum;
    *next = -sum_next * 2 / x;
}

/* The second continued fraction from x = 2 on: p + iq, the logarithmic derivative of J + iY. */
GX_EACH_FN void second_fraction(double mu, double x, double *p, double *q) {
    double a = 0.25 - mu * mu, re = -0.5 / x, im = 1, br = 2 * x, bi = 2;
    double by = a / x / (re * re + im * im), cr = br + im * by, ci = bi + re * by;
    double size = br * br + bi * bi, dr = br / size, di = -bi / size;
    double fr = cr * dr - ci * di, fi = cr * di + ci * dr, turned = re * fr - im * fi;
    im = re * fi + im * fr;
    re = turned;
    for (int i = 2; i < 10000; i++) {
        a += 2 * (i - 1);
        bi += 2;
        dr = a * dr + br;
        di = a * di + bi;
        if (fabs(dr) + fabs(di) < 1e-290) dr = 1e-290;
        by = a / (cr * cr + ci * ci);
        cr = br + cr * by;
        ci = bi - ci * by;
        if (fabs(cr) + fabs(ci) < 1e-290) cr = 1e-290;
        size = dr * dr + di * di;
        dr /= size;
        di /= -size;
        fr = cr * dr - ci * di;
        fi = cr * di + ci * dr;
        turned = re * fr - im * fi;
        im = re * fi + im * fr;
        re = turned;
        if (fabs(fr - 1) + fabs(fi) < 1e-16) break;
    }
    *p = re;
    *q = im;
}

/* J and Y of an order and an argument that is not 0: the first continued fraction gives J's
   logarithmic derivative and its sign, recurrence downwards J's ratio to a low order, whose values
   come from Temme's series or the second fraction (Steed's), recurrence upwards Y. */
GX_EACH_FN void both(double v, double x, double *j, double *y) {
    const int down = x < 2 ? (int)(v + 0.5) : (int)fmax(0.0, v - x + 1.5);
    const double mu = v - down, tiny = 1e-290;
    double sign = 1, ratio = fmax(v / x, tiny), b = 2 * v / x, c = ratio, d = 0;
    for (int i = 0; i < 2000000; i++) {
        b += 2 / x;
        d = b - d;
        c = b - 1 / c;
        if (fabs(d) < tiny) d = tiny;
        if (fabs(c) < tiny) c = tiny;
        d = 1 / d;
        if (d < 0) sign = -sign;
        const double change = c * d;
        ratio *= change;
        if (fabs(change - 1) < 1e-16) break;
    }
    double now = sign * tiny, slope = ratio * now, at_v = now, order = v / x;
    for (int l = down; l > 0; l--) {
        const double lower = order * now + slope;
        order -= 1 / x;
        slope = order * lower - now;
        now = lower;
        if (fabs(now) > 1e200) {
            now *= 1e-200;
            slope *= 1e-200;
            at_v *= 1e-200;
        }
    }
    if (now == 0) now = 1e-16;
    const double f = slope / now, w = 2 / (PI * x);
    double low, y_mu, y_next;
    if (x < 2) {
        y_near(mu, x, &y_mu, &y_next);
        low = w / (mu / x * y_mu - y_next - f * y_mu);
    } else {
        double p, q;
        second_fraction(mu, x, &p, &q);
        const double turn = (p - f) / q;
        low = copysign(sqrt(w / ((p - f) * turn + q)), now);
        y_mu = low * turn;
        y_next = mu / x * y_mu - (p * y_mu + q * low);
    }
    *j = at_v * (low / now);
    for (int i = 1; i <= down; i++) {
        const double higher = (mu + i) * 2 / x * y_next - y_mu;
        y_mu = y_next;
        y_next = higher;
        if (isinf(y_mu)) break;
    }
    *y = y_mu;
}

GX_EACH_FN double j_of(double v, double x) {
    double j, y;
    if (x == 0) return v == 0;
    if (!is_far(v, x) && x * x < 8 * (v + 1)) return power_series(v, x, -1, 0);
    if (!is_far(v, x) && x + v > GX_SP_MOST_ORDER) return NAN;
    if (is_far(v, x))
        far_out(v, x, &j, &y);
    else
        both(v, x, &j, &y);
    return j;
}

GX_EACH_FN double y_of(double v, double x) {
    double j, y;
    if (x == 0) return -INFINITY;
    if (!is_far(v, x) && x + v > GX_SP_MOST_ORDER) return NAN;
    if (is_far(v, x))
        far_out(v, x, &j, &y);
    else
        both(v, x, &j, &y);
    return y;
}

/* exp(x) K of the orders mu and mu + 1: Temme's series below 2, from there Steed's fraction. */
GX_EACH_FN void k_low(double mu, double x, double *k, double *next) {
    if (x <= 2) {
        const temme t = temme_of(mu);
        const double far = log(2 / x), e = mu * far, up = exp(e), scale = exp(x);
        double f = t.turn * (t.odd * cosh(e) + t.even * sinh_by(e) * far);
        double p = up / (2 * t.plus), q = 1 / (2 * up * t.minus), c = 1, sum = f, sum_next = p;
        for (int i = 1; i < 100; i++) {
            f = (i * f + p + q) / (i * i - mu * mu);
            c *= x * x / 4 / i;
            p /= i - mu;
            q /= i + mu;
            sum += c * f;
            sum_next += c * (p - i * f);
            if (c * f < 1e-17 * sum) break;
        }
        *k = scale * sum;
        *next = scale * sum_next * 2 / x;
        return;
    }
    const double first = 0.25 - mu * mu;
    double a = -first, b = 2 * (1 + x), d = 1 / b, h = d, step = d, q0 = 0, q1 = 1;
    double c = first, q = first, s = 1 + q * step;
    for (int i = 2; i < 10000; i++) {
        a -= 2 * (i - 1);
        c = -a * c / i;
        const double q2 = (q0 - b * q1) / a;
        q0 = q1;
        q1 = q2;
        q += c * q2;
        b += 2;
        d = 1 / (b + a * d);
        step = (b * d - 1) * step;
        h += step;
        s += q * step;
        if (fabs(q * step) < 1e-17 * fabs(s)) break;
    }
    *k = sqrt(PI / (2 * x)) / s;
    *next = *k * (mu + x + 0.5 - first * h) / x;
}

/* exp(x) K */
GX_EACH_FN double k_scaled(double v, double x) {
    double k, next;
    if (x == 0) return INFINITY;
    if (v > GX_SP_MOST_ORDER) return x < v ? INFINITY : NAN;
    const int up = (int)(v + 0.5);
    const double mu = v - up;
    k_low(mu, x, &k, &next);
    for (int i = 1; i <= up && isfinite(k); i++) {
        const double higher = (mu + i) * 2 / x * next + k;
        k = next;
        next = higher;
    }
    return k;
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
    return v == floor(v) ? 0 : sin(fmod(v, 2.0) * PI);
}
GX_EACH_FN double cosine(double v) {
    return v - 0.5 == floor(v) ? 0 : cos(fmod(v, 2.0) * PI);
}

GX_EACH_FN double jv(double v, double x) {
    if (isnan(v) || isnan(x)) return NAN;
    if (isinf(v) || isinf(x)) return isinf(x) || x < 0 ? NAN : 0;
    if (x < 0) return v == floor(v) ? (fmod(v, 2.0) != 0 ? -jv(v, -x) : jv(v, -x)) : NAN;
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
    if (x < 0) return v == floor(v) ? (fmod(v, 2.0) != 0 ? -ive(v, -x) : ive(v, -x)) : NAN;
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

/* Their power series at 0: Ai, its derivative, Bi and its derivative. */
GX_EACH_FN void airy_near(double x, double *out) {
    const double cube = x * x * x, r3 = sqrt(3.0);
    double f = 1, slope_f = 0, g = x, slope_g = 1, a = 1, b = x;
    for (int k = 1; k < 30; k++) {
        slope_f += a * x * x / (3 * k - 1);
        a *= cube / ((3 * k - 1) * (3.0 * k));
        b *= cube / ((3.0 * k) * (3 * k + 1));
        f += a;
        g += b;
        slope_g += x != 0 ? b * (3 * k + 1) / x : 0;
        if (fabs(a) + fabs(b) < 1e-18) break;
    }
    const double one = 0.355028053887817239, two = 0.258819403792806798;
    out[0] = one * f - two * g;
    out[1] = one * slope_f - two * slope_g;
    out[2] = r3 * (one * f + two * g);
    out[3] = r3 * (one * slope_f + two * slope_g);
}

GX_EACH_FN void airy_of(const double *in, double *out) {
    const double x = in[0], r3 = sqrt(3.0), y = fabs(x), z = 2.0 / 3 * y * sqrt(y);
    if (isnan(x)) {
        out[0] = out[1] = out[2] = out[3] = NAN;
    } else if (y < 1) {
        airy_near(x, out);
    } else if (x > 0) { /* K and I of the orders 1/3 and 2/3 */
        const double by = exp(-z), up = exp(z), root = sqrt(x / 3), decay = exp(-2 * z);
        double k1, k2;
        k_low(-1.0 / 3, z, &k1, &k2);
        out[0] = root / PI * k1 * by;
        out[1] = -x / (PI * r3) * k2 * by;
        out[2] = root * (2 * i_scaled(1.0 / 3, z) + r3 / PI * k1 * decay) * up;
        out[3] = x / r3 * (2 * i_scaled(2.0 / 3, z) + r3 / PI * k2 * decay) * up;
    } else { /* J and Y, which give those of the negative orders */
        const double j1 = j_of(1.0 / 3, z), y1 = y_of(1.0 / 3, z), j2 = j_of(2.0 / 3, z);
        const double y2 = y_of(2.0 / 3, z), half = r3 / 2;
        const double low1 = j1 / 2 - half * y1, low2 = -j2 / 2 - half * y2;
        out[0] = sqrt(y) / 3 * (j1 + low1);
        out[1] = y / 3 * (j2 - low2);
        out[2] = sqrt(y / 3) * (low1 - j1);
        out[3] = y / r3 * (low2 + j2);
    }
}
