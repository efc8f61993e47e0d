/* Elliptic integrals and functions of real numbers, by means of arithmetic and geometric means and
   by Carlson's duplication; see kernels/each_side.h. Parameters are m, the modulus squared. */
/* --- Carlson's forms --- */

GX_EACH_FN double form_f(double x, double y, double z) {
    if (x < 0 || y < 0 || z < 0) return NAN;
    if ((x + y == 0) + (y + z == 0) + (x + z == 0)) return INFINITY;
    if (isinf(x) || isinf(y) || isinf(z)) return 0;
    for (int i = 0; i < 60; i++) {
        double a = (x + y + z) / 3, dx = 1 - x / a, dy = 1 - y / a, dz = 1 - z / a;
        if (fmax(fabs(dx), fmax(fabs(dy), fabs(dz))) < 2e-3) {
            double e2 = dx * dy + dy * dz + dz * dx, e3 = dx * dy * dz;
            return (1 + e2 * (-1.0 / 10 + e2 / 24 - 3 * e3 / 44 - 5 * e2 * e2 / 208) + e3 / 14 +
                    3 * e3 * e3 / 104) /
                   sqrt(a);
        }
        double rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), l = rx * ry + ry * rz + rz * rx;
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
    }
    return NAN;
}

GX_EACH_FN double form_d(double x, double y, double z) {
    double sum = 0, by = 1;
    if (x < 0 || y < 0 || z < 0) return NAN;
    if (z == 0 || x + y == 0) return INFINITY;
    if (isinf(x) || isinf(y) || isinf(z)) return 0;
    for (int i = 0; i < 60; i++) {
        double a = (x + y + 3 * z) / 5, dx = 1 - x / a, dy = 1 - y / a, dz = -(dx + dy) / 3;
        if (fmax(fabs(dx), fmax(fabs(dy), fabs(dz))) < 1e-3) {
            double xy = dx * dy, z2 = dz * dz;
            double e2 = xy - 6 * z2, e3 = (3 * xy - 8 * z2) * dz, e4 = 3 * (xy - z2) * z2,
                   e5 = xy * z2 * dz;
            double series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 -
                            9 * e2 * e3 / 52 + 3 * e5 / 26;
            return 3 * sum + by * series / (a * sqrt(a));
        }
        double rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), l = rx * ry + ry * rz + rz * rx;
        sum += by / (rz * (z + l));
        by /= 4;
        x = (x + l) / 4;
        y = (y + l) / 4;
        z = (z + l) / 4;
    }
    return NAN;
}

GX_EACH_FN double form_c(double x, double y) {
    if (x < 0 || y == 0) return NAN;
    if (y < 0) return sqrt(x / (x - y)) * form_c(x - y, -y);
    return form_f(x, y, y);
}

GX_EACH_FN void elliprf(const double *in, double *out) {
    *out = isnan(in[0] + in[1] + in[2]) ? NAN : form_f(in[0], in[1], in[2]);
}
GX_EACH_FN void elliprd(const double *in, double *out) {
    *out = isnan(in[0] + in[1] + in[2]) ? NAN : form_d(in[0], in[1], in[2]);
}
GX_EACH_FN void elliprc(const double *in, double *out) {
    *out = isnan(in[0] + in[1]) ? NAN : form_c(in[0], in[1]);
}

/* --- complete and incomplete integrals --- */

/* The arithmetic-geometric mean: near the end each step doubles the digits. */
GX_EACH_FN double mean(double a, double b) {
    for (int i = 0; i < 60 && fabs(a - b) > 1e-8 * a; i++) {
        double next = (a + b) / 2;
        b = sqrt(a * b);
        a = next;
    }
    return (a + b) / 2;
}

GX_EACH_FN double complete_k(double rest) { /* rest: 1 - m */
    if (isnan(rest) || rest < 0) return NAN;
    return rest == 0 ? INFINITY : PI / 2 / mean(1, sqrt(rest));
}

GX_EACH_FN double complete_e(double m) {
    if (isnan(m) || m > 1) return NAN;
    if (m == 1) return 1;
    if (isinf(m)) return INFINITY;
    if (m > 0.9) return form_f(0, 1 - m, 1) - m / 3 * form_d(0, 1 - m, 1);
    double a = 1, b = sqrt(1 - m), sum = m / 2, by = 1; /* by the means' differences */
    for (int i = 0; i < 60; i++, by *= 2) {
        const double half = (a - b) / 2, next = (a + b) / 2;
        sum += by * half * half;
        b = sqrt(a * b);
        a = next;
        if (fabs(half) < 1e-8 * a) break;
    }
    return PI / 2 / a * (1 - sum);
}

GX_EACH_FN void ellipkm1(const double *in, double *out) {
    *out = complete_k(in[0]);
}
GX_EACH_FN void ellipe(const double *in, double *out) {
    *out = complete_e(in[0]);
}

/* The angle without whole half turns, and how many those are. */
GX_EACH_FN double half_turns(double *phi) {
    double n = nearbyint(*phi / PI);
    *phi -= n * PI;
    return n;
}

GX_EACH_FN void ellipkinc(const double *in, double *out) {
    double phi = in[0], m = in[1];
    *out = NAN;
    if (isnan(phi) || isnan(m) || m > 1) return;
    if (isinf(phi) || isinf(m)) {
        if (isinf(m)) *out = isinf(phi) ? NAN : 0;
        else *out = phi;
        return;
    }
    if (m == 1) {
        *out = fabs(phi) >= PI / 2 ? INFINITY : asinh(tan(phi));
        return;
    }
    double n = half_turns(&phi), s = sin(phi), c = cos(phi);
    *out = s * form_f(c * c, 1 - m * s * s, 1) + (n != 0 ? 2 * n * complete_k(1 - m) : 0);
}

GX_EACH_FN void ellipeinc(const double *in, double *out) {
    double phi = in[0], m = in[1];
    *out = NAN;
    if (isnan(phi) || isnan(m) || m > 1) return;
    if (isinf(phi) || isinf(m)) {
        *out = isinf(phi) ? phi : INFINITY;
        return;
    }
    double n = half_turns(&phi), s = sin(phi), c = cos(phi), d = 1 - m * s * s;
    *out = s * (form_f(c * c, d, 1) - m * s * s / 3 * form_d(c * c, d, 1)) +
           (n != 0 ? 2 * n * complete_e(m) : 0);
}

/* --- Jacobi's functions sn, cn, dn and the amplitude --- */

GX_EACH_FN void ellipj(const double *in, double *out) {
    double u = in[0], m = in[1], a[20], c[20], b, phi;
    int n = 0;
    if (!(m >= 0 && m <= 1) || isnan(u) || isinf(u) || (m == 1 && isinf(cosh(u)))) {
        out[0] = out[1] = out[2] = out[3] = NAN;
        return;
    }
    if (m == 1) {
        out[0] = tanh(u);
        out[1] = out[2] = 1 / cosh(u);
        out[3] = atan(sinh(u));
        return;
    }
    a[0] = 1;
    b = sqrt(1 - m);
    c[0] = sqrt(m);
    while (fabs(c[n] / a[n]) > 1e-16 && n < 18) {
        c[n + 1] = (a[n] - b) / 2;
        a[n + 1] = (a[n] + b) / 2;
        b = sqrt(a[n] * b);
        n++;
    }
    phi = ldexp(a[n] * u, n);
    double before = phi;
    for (int i = n; i > 0; i--) {
        before = phi;
        phi = (asin(c[i] * sin(phi) / a[i]) + phi) / 2;
    }
    out[0] = sin(phi);
    out[1] = cos(phi);
    out[3] = phi;
    /* cn / cos(difference) is dn, but 0 / 0 at quarters. */
    double by = cos(before - phi);
    out[2] = n == 0 || fabs(by) < 0.1 ? sqrt(1 - m * out[0] * out[0]) : out[1] / by;
    if (n == 0) out[2] = 1;
}

/* --- Fresnel's integrals --- */

/* Series near zero, else the fraction of the complementary error function, by Lentz's method from
   far down. */
GX_EACH_FN void fresnel(const double *in, double *out) {
    double x = fabs(in[0]), s = 0, c = 0;
    if (isnan(x)) {
        out[0] = out[1] = x;
        return;
    }
    if (x < 1.8) {
        double t = PI / 2 * x * x, term = x;
        for (int k = 0; k < 60; k++) {
            double part = term / (2 * k + 1);
            if (k % 2 == 0) c += k % 4 ? -part : part;
            else s += k % 4 == 1 ? part : -part;
            term *= t / (k + 1);
            if (term < 1e-18 * x) break;
        }
    } else if (x > 1e8) {
        s = c = 0.5;
    } else {
        const cpair none = {0, 0}, half = {0.5, 0.5}, slant = {x, -x};
        const double angle = fmod(x * x, 4.0) * PI / 2;
        cpair b = {1, -PI * x * x}, d = pair_under(1, b, none), h = d, far = {1e300, 0}, step;
        for (int k = 1; k < 2000; k++) {
            double an = -(2.0 * k - 1) * (2.0 * k);
            b.re += 4;
            d.re = an * d.re + b.re;
            d.im = an * d.im + b.im;
            d = pair_under(1, d, none);
            far = pair_under(an, far, b);
            step = pair_times(far, d);
            h = pair_times(h, step);
            if (fabs(step.re - 1) + fabs(step.im) < 1e-16) break;
        }
        cpair e = {cos(angle), sin(angle)};
        e = pair_times(e, pair_times(slant, h));
        e.re = 1 - e.re;
        e.im = -e.im;
        e = pair_times(half, e);
        c = e.re;
        s = e.im;
    }
    out[0] = copysign(s, in[0]);
    out[1] = copysign(c, in[0]);
}
