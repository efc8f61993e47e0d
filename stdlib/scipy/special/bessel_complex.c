/* scipy.special's Bessel functions of complex arguments, and Hankel's. All of them follow from I
   and K in the right half-plane. There K comes from Temme's series near zero and from the second of
   Temme's and Thompson's continued fractions elsewhere, and by recurrence to its order; I from the
   continued fraction of I[v+1] / I[v] and Wronski's determinant; both from Hankel's expansions far
   out. Orders are real. */
#include "kernels/each_side.h"
#include "stdlib/scipy/special/bessel_int.h"
#include "stdlib/scipy/special/complex_int.h"
#include "stdlib/scipy/special/temme_real.h"

typedef double complex cplx;

#define MOST 1e6 /* order and argument for which fractions are evaluated */

static const cplx none = 0;

static cplx point(double re, double im) {
    return gx_sp_complex(re, im);
}

static cplx times_i(cplx z) {
    return point(-cimag(z), creal(z));
}

/* exp(i pi x), exact at multiples of a half. */
static cplx turn(double x) {
    const double r = fmod(x, 2), quarter = 2 * r;
    if (quarter != floor(quarter)) return point(cos(PI * r), sin(PI * r));
    switch ((int)quarter & 3) {
    case 0:
        return point(1, 0);
    case 1:
        return point(0, 1);
    case 2:
        return point(-1, 0);
    default:
        return point(0, -1);
    }
}

/* A number and a power of two that it is to be multiplied by. */
static cplx lifted(cplx z, int power) {
    return point(ldexp(creal(z), power), ldexp(cimag(z), power));
}

/* --- K of the orders u and u + 1, |u| <= 1/2, both times exp(z) --- */

static void temme_series(double u, cplx z, cplx k[2]) {
    const temme t = temme_of(u);
    const cplx l = clog(2 / z), s = u * l, e = cexp(s);
    const cplx sinh_part = cabs(s) > 1e-8 ? csinh(s) / s : 1 + s * s / 6;
    cplx f = t.turn * (t.odd * ccosh(s) + t.even * l * sinh_part);
    cplx p = 0.5 * e / t.plus, q = 0.5 / e / t.minus;
    cplx c = 1, sum = f, next = p;
    for (int i = 1; i < 500; i++) {
        f = (i * f + p + q) / (i * i - u * u);
        c *= z * z / (4.0 * i);
        p /= i - u;
        q /= i + u;
        const cplx a = c * f, b = c * (p - i * f);
        sum += a;
        next += b;
        if (cabs(a) < 1e-17 * cabs(sum) && cabs(b) < 1e-17 * cabs(next)) break;
    }
    k[0] = sum * cexp(z);
    k[1] = next * 2 / z * cexp(z);
}

static void temme_fraction(double u, cplx z, cplx k[2]) {
    const double first = 0.25 - u * u;
    double a = -first;
    cplx b = 2 * (1 + z), d = 1 / b, h = d, step = d, q1 = 0, q2 = 1, q = first, c = first;
    cplx s = 1 + q * step;
    for (int i = 2; i < 100000; i++) {
        a -= 2 * (i - 1);
        c = -a * c / i;
        const cplx next = (q1 - b * q2) / a;
        q1 = q2;
        q2 = next;
        q += c * next;
        b += 2;
        d = 1 / (b + a * d);
        step = (b * d - 1) * step;
        h += step;
        s += q * step;
        if (cabs(q * step) < 1e-17 * cabs(s)) break;
    }
    k[0] = csqrt(PI / (2 * z)) / s;
    k[1] = k[0] * (u + z + 0.5 - first * h) / z;
}

/* --- I exp(-z) and K exp(z) of an order v >= 0 where Re z >= 0 --- */

/* I[v + 1] / I[v], by Lentz's rule. */
static cplx ratio(double v, cplx z) {
    const double tiny = 1e-30;
    cplx f = tiny, c = tiny, d = 0;
    for (int j = 1; j < 3 * (int)MOST; j++) {
        const cplx b = 2 * (v + j) / z;
        d = b + d;
        d = d == none ? 1 / tiny : 1 / d;
        c = b + 1 / c;
        if (c == none) c = tiny;
        f *= c * d;
        if (cabs(c * d - 1) < 2e-16) break;
    }
    return f;
}

static void far_out(double v, cplx z, cplx *i, cplx *k) {
    const double mu = 4 * v * v;
    cplx plus = 1, minus = 1, term = 1;
    for (int n = 1; n < 300; n++) {
        const cplx next = term * (mu - (2.0 * n - 1) * (2.0 * n - 1)) / (n * 8 * z);
        if (n > 2 && cabs(next) > cabs(term)) break;
        term = next;
        plus += term;
        minus += n % 2 ? -term : term;
        if (cabs(term) < 1e-17) break;
    }
    const bool below = cimag(z) < 0;
    const cplx other = times_i(turn(below ? -v : v)) * (below ? -1 : 1);
    *k = csqrt(PI / (2 * z)) * plus;
    *i = (minus + other * cexp(-2 * z) * plus) / csqrt(2 * PI * z);
}

static void right_half(double v, cplx z, cplx *i, cplx *k) {
    const double size = cabs(z);
    if (size > 25 && size > v * v / 2) {
        far_out(v, z, i, k);
        return;
    }
    if (!(size + v < MOST)) {
        *i = *k = point(NAN, NAN);
        return;
    }
    const int n = (int)(v + 0.5);
    const double u = v - n;
    int power = 0;
    cplx pair[2];
    if (size <= 2)
        temme_series(u, z, pair);
    else
        temme_fraction(u, z, pair);
    for (int j = 1; j <= n; j++) {
        const cplx next = pair[0] + 2 * (u + j) / z * pair[1];
        pair[0] = pair[1];
        pair[1] = next;
        if (cabs(next) < 1e200) continue;
        pair[0] = lifted(pair[0], -600);
        pair[1] = lifted(pair[1], -600);
        power += 600;
    }
    *k = lifted(pair[0], power);
    *i = lifted(1 / (z * (pair[1] + ratio(v, z) * pair[0])), -power);
}

/* --- the functions --- */

static bool is_lost(double v, cplx z) {
    return isnan(v) || isinf(v) || !isfinite(creal(z)) || !isfinite(cimag(z));
}

/* J and I at zero. */
static cplx at_zero(double v) {
    if (v == 0) return 1;
    return v > 0 || v == floor(v) ? none : point(NAN, NAN);
}

/* I, times exp(-|Re z|) where it is scaled. */
static cplx i_of(double v, cplx z, bool scaled) {
    cplx i, k;
    if (is_lost(v, z)) return point(NAN, NAN);
    if (z == none) return at_zero(v);
    const bool left = creal(z) < 0;
    const cplx w = left ? -z : z, up = scaled ? point(0, cimag(w)) : w;
    right_half(fabs(v), w, &i, &k);
    i *= cexp(up);
    if (v < 0 && v != floor(v)) i += 2 / PI * cimag(turn(-v)) * k * cexp(up - 2 * w);
    return left ? turn(cimag(z) < 0 ? -v : v) * i : i;
}

/* K, times exp(z) where it is scaled. */
static cplx k_of(double v, cplx z, bool scaled) {
    cplx i, k;
    if (is_lost(v, z) || z == none) return point(NAN, NAN);
    v = fabs(v);
    if (creal(z) >= 0) {
        right_half(v, z, &i, &k);
        return scaled ? k : k * cexp(-z);
    }
    right_half(v, -z, &i, &k);
    const bool below = cimag(z) < 0;
    const cplx other = (below ? PI : -PI) * times_i(i);
    const cplx own = turn(below ? v : -v) * k;
    return scaled ? own * cexp(2 * z) + other : own * cexp(z) + other * cexp(-z);
}

/* J, Y or one of Hankel's ('1', '2'; scaled: 'j', 'y', 'a', 'b') where Im z >= 0 and v >= 0, from I
   and K at -i z. */
static cplx upper_half(char what, double v, cplx z) {
    const cplx w = point(cimag(z), -creal(z));
    cplx i, k, up = cexp(w), down = cexp(-w);
    right_half(v, w, &i, &k);
    const cplx a = turn(v / 2) * i, b = times_i(turn(-v / 2) * k) * (-2 / PI);
    if (what == 'j' || what == 'y') {
        up = cexp(point(0, cimag(w)));
        down = cexp(-w - creal(w));
    }
    switch (what) {
    case 'J':
    case 'j':
        return a * up;
    case 'Y':
    case 'y':
        return times_i(a * up - b * down);
    case '1':
        return b * down;
    case '2':
        return 2 * a * up - b * down;
    case 'a':
        return b;
    default:
        return 2 * a - b * cexp(-2 * w);
    }
}

static cplx whole(char what, double v, cplx z) {
    if (is_lost(v, z)) return point(NAN, NAN);
    if (z == none) {
        if (what == 'J' || what == 'j') return at_zero(v);
        if (what != 'Y' || (v < 0 && v != floor(v))) return point(NAN, NAN);
        return point(v < 0 && fmod(v, 2) != 0 ? INFINITY : -INFINITY, 0);
    }
    if (cimag(z) < 0) { /* the mirror image, in which Hankel's two change places */
        static const char *const from = "12ab", *const to = "21ba";
        const char *at = strchr(from, what);
        return conj(whole(at ? to[at - from] : what, v, conj(z)));
    }
    if (v >= 0) return upper_half(what, v, z);
    const cplx t = turn(-v);
    switch (what) {
    case '1':
    case 'a':
        return t * upper_half(what, -v, z);
    case '2':
    case 'b':
        return conj(t) * upper_half(what, -v, z);
    default:
        break;
    }
    const bool scaled = what == 'j' || what == 'y', first = what == 'J' || what == 'j';
    const cplx j = upper_half(scaled ? 'j' : 'J', -v, z), y = upper_half(scaled ? 'y' : 'Y', -v, z);
    const cplx by_j = (first ? creal(t) : cimag(t)) * j, by_y = (first ? -cimag(t) : creal(t)) * y;
    if ((first ? cimag(t) : creal(t)) == 0) return by_j;
    return (first ? creal(t) : cimag(t)) == 0 ? by_y : by_j + by_y;
}

static void put_complex(cplx z, double *out) {
    out[0] = creal(z);
    out[1] = cimag(z);
}

#define WAVE(name, what)                                                                           \
    void name(const double *in, double *out) {                                                     \
        put_complex(whole(what, in[0], point(in[2], in[3])), out);                                 \
    }

WAVE(gx_sp_jv, 'J')
WAVE(gx_sp_jve, 'j')
WAVE(gx_sp_yv, 'Y')
WAVE(gx_sp_yve, 'y')
WAVE(gx_sp_hankel1, '1')
WAVE(gx_sp_hankel2, '2')
WAVE(gx_sp_hankel1e, 'a')
WAVE(gx_sp_hankel2e, 'b')

void gx_sp_iv(const double *in, double *out) {
    put_complex(i_of(in[0], point(in[2], in[3]), false), out);
}

void gx_sp_ive(const double *in, double *out) {
    put_complex(i_of(in[0], point(in[2], in[3]), true), out);
}

void gx_sp_kv(const double *in, double *out) {
    put_complex(k_of(in[0], point(in[2], in[3]), false), out);
}

void gx_sp_kve(const double *in, double *out) {
    put_complex(k_of(in[0], point(in[2], in[3]), true), out);
}

/* --- Airy's functions --- */

/* Ai and Ai' by their series, for |z| up to 1. */
static void airy_near_zero(cplx z, cplx ai[2]) {
    const double at = 0.355028053887817239, slope = 0.258819403792806798;
    const cplx z3 = z * z * z;
    cplx f = 1, g = z, df = 0, dg = 1, f_term = 1, g_term = z;
    for (int k = 1; k < 12; k++) {
        df += f_term * z * z / (3 * k - 1);
        f += f_term *= z3 / (3 * k * (3 * k - 1));
        dg += g_term * z * z / (3 * k);
        g += g_term *= z3 / (3 * k * (3 * k + 1));
    }
    ai[0] = at * f - slope * g;
    ai[1] = at * df - slope * dg;
}

/* Ai and Ai': from K where |arg z| is up to 2 pi / 3, elsewhere by the two points a third of a
   circle away, with which the sum is zero. */
static void airy_at(cplx z, cplx ai[2]) {
    if (cabs(z) <= 1) {
        airy_near_zero(z, ai);
    } else if (creal(z) >= -0.5 * cabs(z)) {
        const cplx root = csqrt(z), zeta = 2.0 / 3 * z * root;
        ai[0] = root / (PI * sqrt(3.0)) * k_of(1.0 / 3, zeta, false);
        ai[1] = -z / (PI * sqrt(3.0)) * k_of(2.0 / 3, zeta, false);
    } else {
        const cplx third = turn(2.0 / 3), back = turn(-2.0 / 3);
        cplx a[2], b[2];
        airy_at(z * third, a);
        airy_at(z * back, b);
        ai[0] = -third * a[0] - back * b[0];
        ai[1] = -back * a[1] - third * b[1];
    }
}

void gx_sp_airy_complex(const double *in, double *out) {
    const cplx z = point(in[0], in[1]);
    cplx ai[2], a[2], b[2];
    if (isnan(in[0]) || isnan(in[1])) {
        for (int k = 0; k < 8; k++) out[k] = NAN;
        return;
    }
    airy_at(z, ai);
    airy_at(z * turn(2.0 / 3), a);
    airy_at(z * turn(-2.0 / 3), b);
    put_complex(ai[0], out);
    put_complex(ai[1], out + 2);
    put_complex(turn(1.0 / 6) * a[0] + turn(-1.0 / 6) * b[0], out + 4);
    put_complex(turn(5.0 / 6) * a[1] + turn(-5.0 / 6) * b[1], out + 6);
}
