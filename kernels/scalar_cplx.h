/* Complex helpers of ops.def, for one complex computing type T {re, im} over the real type R (see
   scalar_side.h). Special values follow C99 Annex G; × and ÷ follow NumPy (plain product, Smith's
   quotient), ordering is lexicographic with nan as NumPy has it. Inverse functions use the method
   of Hull, Fairgrieve and Tang: accurate near the branch points, no overflow. No include guard. */
#ifndef T
#include <math.h>

#include "kernels/dtypes.h"
#include "kernels/scalar_side.h"
#define T gx_c128
#define R double
#define FN(f) f
#endif

GX_FN T FN(c_make)(R re, R im) {
    T r;
    r.re = re;
    r.im = im;
    return r;
}
GX_FN T FN(c_add)(T x, T y) {
    return FN(c_make)(x.re + y.re, x.im + y.im);
}
GX_FN T FN(c_sub)(T x, T y) {
    return FN(c_make)(x.re - y.re, x.im - y.im);
}
GX_FN T FN(c_mul)(T x, T y) {
    return FN(c_make)(GX_PRODUCT(x.re, y.re) - GX_PRODUCT(x.im, y.im),
                      GX_PRODUCT(x.re, y.im) + GX_PRODUCT(x.im, y.re));
}
GX_FN T FN(c_div)(T x, T y) {
    R re = fabs(y.re), im = fabs(y.im);
    if (re >= im) {
        if (re == 0 && im == 0) return FN(c_make)(x.re / re, x.im / re);
        R ratio = y.im / y.re, scale = 1 / (y.re + y.im * ratio);
        return FN(c_make)((x.re + GX_PRODUCT(x.im, ratio)) * scale,
                          (x.im - GX_PRODUCT(x.re, ratio)) * scale);
    }
    R ratio = y.re / y.im, scale = 1 / (y.im + y.re * ratio);
    return FN(c_make)((GX_PRODUCT(x.re, ratio) + x.im) * scale,
                      (GX_PRODUCT(x.im, ratio) - x.re) * scale);
}
GX_FN T FN(c_neg)(T x) {
    return FN(c_make)(-x.re, -x.im);
}
GX_FN T FN(c_conj)(T x) {
    return FN(c_make)(x.re, -x.im);
}
GX_FN T FN(c_square)(T x) {
    return FN(c_make)(GX_PRODUCT(x.re, x.re) - GX_PRODUCT(x.im, x.im),
                      GX_PRODUCT(x.re, x.im) + GX_PRODUCT(x.im, x.re));
}
GX_FN T FN(c_recip)(T x) {
    if (fabs(x.im) <= fabs(x.re)) {
        R ratio = x.im / x.re, scale = x.re + x.im * ratio;
        return FN(c_make)(1 / scale, -ratio / scale);
    }
    R ratio = x.re / x.im, scale = x.re * ratio + x.im;
    return FN(c_make)(ratio / scale, -1 / scale);
}
GX_FN R FN(c_abs)(T x) {
#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
    /* Where no square overflows or vanishes, the root of their sum is as good as hypot. */
    const R a = fabs(x.re), b = fabs(x.im), most = a > b ? a : b, least = a > b ? b : a;
    const R big = (R)(sizeof(R) == 8 ? 1e150 : 1e15), small = (R)(sizeof(R) == 8 ? 1e-140 : 1e-15);
    if (most > small && most < big && least < big) return sqrt(fma(most, most, least * least));
    if (a == GX_INF || b == GX_INF) return GX_INF;
    if (a != a || b != b) return a + b;
#endif
    return hypot(x.re, x.im);
}
GX_FN T FN(c_rint)(T x) {
    return FN(c_make)(rint(x.re), rint(x.im));
}
GX_FN int FN(c_isnan)(T x) {
    return x.re != x.re || x.im != x.im;
}
GX_FN int FN(c_isinf)(T x) {
    return fabs(x.re) == GX_INF || fabs(x.im) == GX_INF;
}
GX_FN int FN(c_isfinite)(T x) {
    return fabs(x.re) < GX_INF && fabs(x.im) < GX_INF;
}
GX_FN int FN(c_true)(T x) {
    return x.re != 0 || x.im != 0;
}
GX_FN T FN(c_sign)(T x) {
    R size = hypot(x.re, x.im);
    if (size != size) return FN(c_make)(GX_NAN, GX_NAN);
    if (size == GX_INF && FN(c_isinf)(x)) {
        R re = fabs(x.re) == GX_INF ? copysign(K(1), x.re) : K(0);
        R im = fabs(x.im) == GX_INF ? copysign(K(1), x.im) : K(0);
        return re != 0 && im != 0 ? FN(c_make)(GX_NAN, GX_NAN) : FN(c_make)(re, im);
    }
    return size == 0 ? FN(c_make)(K(0), K(0)) : FN(c_make)(x.re / size, x.im / size);
}
GX_FN int FN(c_eq)(T x, T y) {
    return x.re == y.re && x.im == y.im;
}
GX_FN int FN(c_lt)(T x, T y) {
    return (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im < y.im);
}
GX_FN int FN(c_le)(T x, T y) {
    return (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im <= y.im);
}
GX_FN T FN(c_maximum)(T x, T y) {
    return FN(c_le)(y, x) || FN(c_isnan)(x) ? x : y;
}
GX_FN T FN(c_minimum)(T x, T y) {
    return FN(c_le)(x, y) || FN(c_isnan)(x) ? x : y;
}
GX_FN T FN(c_fmax)(T x, T y) {
    return FN(c_le)(y, x) || FN(c_isnan)(y) ? x : y;
}
GX_FN T FN(c_fmin)(T x, T y) {
    return FN(c_le)(x, y) || FN(c_isnan)(y) ? x : y;
}
GX_FN T FN(c_clip)(T x, T low, T high) {
    T raised = FN(c_lt)(low, x) || FN(c_isnan)(x) ? x : low;
    return FN(c_lt)(raised, high) || FN(c_isnan)(raised) ? raised : high;
}
/* For argmin and argmax: y goes before x so far; nan goes before all, the first of equals stays. */
GX_FN int FN(c_before)(T y, T x) {
    return !FN(c_isnan)(x) && (FN(c_isnan)(y) || FN(c_lt)(y, x));
}
GX_FN int FN(c_after)(T y, T x) {
    return !FN(c_isnan)(x) && (FN(c_isnan)(y) || FN(c_lt)(x, y));
}
/* e to the power x times (cos y, sin y), where e^x alone may overflow. */
GX_FN T FN(c_polar)(R x, R y) {
    R part = exp(x * K(0.5));
    return FN(c_make)(part * cos(y) * part, part * sin(y) * part);
}
GX_FN T FN(c_exp)(T z) {
    R x = z.re, y = z.im, e;
    if (y == 0) return FN(c_make)(exp(x), y);
    if (!(fabs(y) < GX_INF)) {
        if (x == -GX_INF) return FN(c_make)(0, copysign(K(0), y));
        if (x == GX_INF) return FN(c_make)(x, y - y);
        return FN(c_make)(y - y, y - y);
    }
    if (x != x) return FN(c_make)(x, x);
    if (x < GX_INF && x > K(sizeof(R) == 4 ? 88 : 709)) return FN(c_polar)(x, y);
    e = exp(x);
    return FN(c_make)(e * cos(y), e * sin(y));
}
GX_FN T FN(c_exp2)(T z) {
    return FN(c_exp)(
        FN(c_make)(z.re * K(0.69314718055994530942), z.im * K(0.69314718055994530942)));
}
GX_FN T FN(c_expm1)(T z) {
    R s = sin(z.im * K(0.5));
    return FN(c_make)(expm1(z.re) * cos(z.im) - 2 * s * s, exp(z.re) * sin(z.im));
}
/* x*x + y*y - 1 without cancellation, for 0 <= y <= x about 1: squares and sum carry their errors.
 */
GX_FN R FN(c_norm_less_1)(R x, R y) {
    R s = x * x, t = y * y, es = fma(x, x, -s), et = fma(y, y, -t);
    R d = s - 1, sum = d + t, back = sum - d;
    return sum + ((d - (sum - back)) + (t - back) + (es + et));
}
/* log(hypot(x, y)), accurate near the unit circle and at both ends of the range. */
GX_FN R FN(c_log_abs)(R x, R y) {
    R a = fabs(x), b = fabs(y), larger = a > b ? a : b, smaller = a > b ? b : a;
    if (larger > K(0.5) && larger < 2 && smaller < 2)
        return log1p(FN(c_norm_less_1)(larger, smaller)) * K(0.5);
    if (larger < GX_INF && larger > K(sizeof(R) == 4 ? 1e38 : 1e308))
        return log(hypot(a * K(0.5), b * K(0.5))) + K(0.69314718055994530942);
    if (larger > 0 && larger < K(sizeof(R) == 4 ? 1e-35 : 1e-300)) {
        R up = K(sizeof(R) == 4 ? 18446744073709551616.0 : 0x1p200);
        return log(hypot(a * up, b * up)) - log(up);
    }
    return log(hypot(a, b));
}
GX_FN T FN(c_log)(T z) {
    return FN(c_make)(FN(c_log_abs)(z.re, z.im), atan2(z.im, z.re));
}
GX_FN T FN(c_log2)(T z) {
    T r = FN(c_log)(z);
    return FN(c_make)(r.re * K(1.44269504088896340736), r.im * K(1.44269504088896340736));
}
GX_FN T FN(c_log10)(T z) {
    T r = FN(c_log)(z);
    return FN(c_make)(r.re * K(0.43429448190325182765), r.im * K(0.43429448190325182765));
}
GX_FN T FN(c_log1p)(T z) {
    R x = z.re, y = z.im;
    if (fabs(x) < K(0.5) && fabs(y) < K(0.5))
        return FN(c_make)(log1p(x * (2 + x) + y * y) * K(0.5), atan2(y, x + 1));
    return FN(c_make)(FN(c_log_abs)(x + 1, y), atan2(y, x + 1));
}
GX_FN T FN(c_sqrt)(T z) {
    R x = z.re, y = z.im, t, back = 1;
    if (x == 0 && y == 0) return FN(c_make)(K(0), y);
    if (fabs(y) == GX_INF) return FN(c_make)(GX_INF, y);
    if (x != x) return FN(c_make)(x, x);
    if (x == GX_INF) return FN(c_make)(x, y != y ? y : copysign(K(0), y));
    if (x == -GX_INF) return FN(c_make)(y != y ? y : K(0), copysign(GX_INF, y));
    if (y != y) return FN(c_make)(y, y);
    if (fabs(x) > K(sizeof(R) == 4 ? 5e37 : 4e307) || fabs(y) > K(sizeof(R) == 4 ? 5e37 : 4e307)) {
        x *= K(0.25);
        y *= K(0.25);
        back = 2;
    } else if (fabs(x) < K(sizeof(R) == 4 ? 1e-36 : 1e-290) &&
               fabs(y) < K(sizeof(R) == 4 ? 1e-36 : 1e-290)) {
        x *= K(sizeof(R) == 4 ? 0x1p60 : 0x1p120);
        y *= K(sizeof(R) == 4 ? 0x1p60 : 0x1p120);
        back = K(sizeof(R) == 4 ? 0x1p-30 : 0x1p-60);
    }
    t = sqrt((fabs(x) + hypot(x, y)) * K(0.5));
    if (x >= 0) return FN(c_make)(back * t, back * (y / (2 * t)));
    return FN(c_make)(back * (fabs(y) / (2 * t)), copysign(back * t, y));
}
GX_FN T FN(c_pow)(T x, T y) {
    T r, base;
    if (y.re == 0 && y.im == 0) return FN(c_make)(K(1), K(0));
    if (x.re == 0 && x.im == 0) {
        if (y.re > 0) return FN(c_make)(K(0), K(0));
        return FN(c_make)(GX_INF - GX_INF, GX_INF - GX_INF);
    }
    if (y.im == 0 && y.re == floor(y.re) && fabs(y.re) < 100) {
        int n = (int)fabs(y.re), bits = n;
        if (y.re == 1) return x;
        if (y.re == 2) return FN(c_mul)(x, x);
        if (y.re == 3) return FN(c_mul)(x, FN(c_mul)(x, x));
        r = FN(c_make)(K(1), K(0));
        for (base = x; bits; bits >>= 1) {
            if (bits & 1) r = FN(c_mul)(r, base);
            if (bits > 1) base = FN(c_mul)(base, base);
        }
        return y.re < 0 ? FN(c_div)(FN(c_make)(K(1), K(0)), r) : r;
    }
    return FN(c_exp)(FN(c_mul)(y, FN(c_log)(x)));
}
GX_FN T FN(c_sinh)(T z) {
    R x = z.re, y = z.im;
    T e;
    if (!(fabs(x) < GX_INF) || !(fabs(y) < GX_INF)) {
        if (y == 0) return FN(c_make)(x, y);
        if (fabs(y) < GX_INF)
            return FN(c_make)(x != x ? x : x * cos(y), x != x ? x : GX_INF * sin(y));
        if (x == 0) return FN(c_make)(x, y - y);
        if (fabs(x) == GX_INF) return FN(c_make)(x, y - y);
        return FN(c_make)(y - y, y - y);
    }
    if (y == 0) return FN(c_make)(sinh(x), y);
    if (fabs(x) < K(sizeof(R) == 4 ? 80 : 700))
        return FN(c_make)(sinh(x) * cos(y), cosh(x) * sin(y));
    e = FN(c_polar)(fabs(x) - K(0.69314718055994530942), y);
    return FN(c_make)(x < 0 ? -e.re : e.re, e.im);
}
GX_FN T FN(c_cosh)(T z) {
    R x = z.re, y = z.im;
    T e;
    if (!(fabs(x) < GX_INF) || !(fabs(y) < GX_INF)) {
        if (y == 0) return FN(c_make)(x * x, x != x ? y : copysign(K(0), x) * y);
        if (fabs(y) < GX_INF)
            return FN(c_make)(x != x ? x : GX_INF * cos(y), x != x ? x : x * sin(y));
        if (x == 0) return FN(c_make)(y - y, K(0));
        if (fabs(x) == GX_INF) return FN(c_make)(GX_INF, y - y);
        return FN(c_make)(y - y, y - y);
    }
    if (y == 0) return FN(c_make)(cosh(x), x * y);
    if (fabs(x) < K(sizeof(R) == 4 ? 80 : 700))
        return FN(c_make)(cosh(x) * cos(y), sinh(x) * sin(y));
    e = FN(c_polar)(fabs(x) - K(0.69314718055994530942), y);
    return FN(c_make)(e.re, x < 0 ? -e.im : e.im);
}
GX_FN T FN(c_tanh)(T z) {
    R x = z.re, y = z.im, t, beta, s, rho, below;
    if (x != x) return FN(c_make)(x, y == 0 ? y : x);
    if (fabs(x) == GX_INF)
        return FN(c_make)(copysign(K(1), x),
                          copysign(K(0), fabs(y) < GX_INF ? sin(y) * cos(y) : y));
    if (!(fabs(y) < GX_INF)) return FN(c_make)(x == 0 ? x : y - y, y - y);
    if (fabs(x) >= K(sizeof(R) == 4 ? 11 : 22)) {
        t = exp(-fabs(x));
        return FN(c_make)(copysign(K(1), x), 4 * sin(y) * cos(y) * t * t);
    }
    t = tan(y);
    beta = 1 + t * t;
    s = sinh(x);
    rho = sqrt(1 + s * s);
    below = 1 + beta * s * s;
    return FN(c_make)(beta * rho * s / below, t / below);
}
GX_FN T FN(c_sin)(T z) {
    T w = FN(c_sinh)(FN(c_make)(-z.im, z.re));
    return FN(c_make)(w.im, -w.re);
}
GX_FN T FN(c_sinc)(T z) {
    T a = FN(c_make)(K(3.14159265358979323846) * z.re, K(3.14159265358979323846) * z.im);
    if (a.re == 0 && a.im == 0) a.re = K(1.0e-20);
    return FN(c_div)(FN(c_sin)(a), a);
}
GX_FN T FN(c_cos)(T z) {
    return FN(c_cosh)(FN(c_make)(-z.im, z.re));
}
GX_FN T FN(c_tan)(T z) {
    T w = FN(c_tanh)(FN(c_make)(-z.im, z.re));
    return FN(c_make)(w.im, -w.re);
}
/* arcsin (re) or arccos (re) and the common imaginary part of x + iy, both finite and not negative.
 */
GX_FN T FN(c_hull)(R x, R y, int cosine) {
    R eps = K(sizeof(R) == 4 ? 1.2e-7 : 2.3e-16), half_pi = K(1.57079632679489661923);
    R r, s, a, b, re, im, am1, near;
    if (x > 1 / eps || y > 1 / eps)
        return FN(c_make)(cosine ? atan2(y, x) : atan2(x, y),
                          FN(c_log_abs)(x, y) + K(0.69314718055994530942));
    if (x * x < eps && y * y < eps) return FN(c_make)(cosine ? half_pi - x : x, y);
    if (x == 1 && y < eps) return FN(c_make)(cosine ? sqrt(y) : half_pi - sqrt(y), sqrt(y));
    if (y <= eps * fabs(x - 1)) {
        if (x < 1) return FN(c_make)(cosine ? acos(x) : asin(x), y / sqrt((1 - x) * (1 + x)));
        return FN(c_make)(cosine ? y / sqrt((x - 1) * (x + 1)) : half_pi,
                          log1p((x - 1) + sqrt((x - 1) * (x + 1))));
    }
    r = hypot(x + 1, y);
    s = hypot(x - 1, y);
    a = (r + s) * K(0.5);
    b = x / a;
    if (b <= K(0.6417)) {
        re = cosine ? acos(b) : asin(b);
    } else {
        near = x <= 1 ? sqrt(K(0.5) * (a + x) * (y * y / (r + x + 1) + (s + (1 - x))))
                      : y * sqrt(K(0.5) * ((a + x) / (r + x + 1) + (a + x) / (s + (x - 1))));
        re = cosine ? atan2(near, x) : atan2(x, near);
    }
    if (a <= K(1.5)) {
        am1 = x < 1 ? y * y / (r + x + 1) + y * y / (s + (1 - x))
                    : y * y / (r + x + 1) + (s + (x - 1));
        am1 = am1 * K(0.5);
        im = log1p(am1 + sqrt(am1 * (a + 1)));
    } else {
        im = log(a + sqrt(a * a - 1));
    }
    return FN(c_make)(re, im);
}
GX_FN T FN(c_asin)(T z) {
    R x = fabs(z.re), y = fabs(z.im);
    T r;
    if (x != x || y != y) {
        if (x == 0) return z;
        if (x == GX_INF || y == GX_INF) return FN(c_make)(GX_NAN, copysign(GX_INF, z.im));
        return FN(c_make)(GX_NAN, GX_NAN);
    }
    r = FN(c_hull)(x, y, 0);
    return FN(c_make)(copysign(r.re, z.re), copysign(r.im, z.im));
}
GX_FN T FN(c_acos)(T z) {
    R x = fabs(z.re), y = fabs(z.im);
    T r;
    if (x != x || y != y) {
        if (x == 0) return FN(c_make)(K(1.57079632679489661923), GX_NAN);
        if (x == GX_INF || y == GX_INF) return FN(c_make)(GX_NAN, copysign(GX_INF, -z.im));
        return FN(c_make)(GX_NAN, GX_NAN);
    }
    r = FN(c_hull)(x, y, 1);
    return FN(c_make)(copysign(K(1), z.re) < 0 ? K(3.14159265358979323846) - r.re : r.re,
                      copysign(r.im, -z.im));
}
GX_FN T FN(c_acosh)(T z) {
    T r = FN(c_acos)(z);
    if (z.re == 0 && z.im != z.im) return FN(c_make)(GX_NAN, K(1.57079632679489661923));
    return FN(c_make)(fabs(r.im), copysign(r.re, z.im));
}
GX_FN T FN(c_asinh)(T z) {
    T r = FN(c_asin)(FN(c_make)(-z.im, z.re));
    return FN(c_make)(r.im, -r.re);
}
GX_FN T FN(c_atanh)(T z) {
    R x = fabs(z.re), y = fabs(z.im), eps = K(sizeof(R) == 4 ? 1.2e-7 : 2.3e-16), re, im, h;
    if (x != x || y != y) {
        if (y == GX_INF)
            return FN(c_make)(copysign(K(0), z.re), copysign(K(1.57079632679489661923), z.im));
        if (x == GX_INF || x == 0) return FN(c_make)(copysign(K(0), z.re), GX_NAN);
        return FN(c_make)(GX_NAN, GX_NAN);
    }
    if (x * x < eps && y * y < eps) return z;
    if (x > 1 / eps || y > 1 / eps) {
        h = hypot(x * K(0.5), y * K(0.5)) * 2;
        re = x == GX_INF || y == GX_INF ? K(0) : x / h / h;
        im = K(1.57079632679489661923);
    } else if (x == 1 && y < eps) {
        re = y == 0 ? 1 / y : (K(0.69314718055994530942) - log(y)) * K(0.5);
        im = y == 0 ? y : K(0.78539816339744830962);
    } else {
        re = log1p(4 * x / ((1 - x) * (1 - x) + y * y)) * K(0.25);
        im = atan2(2 * y, -FN(c_norm_less_1)(x > y ? x : y, x > y ? y : x)) * K(0.5);
    }
    return FN(c_make)(copysign(re, z.re), copysign(im, z.im));
}
GX_FN T FN(c_atan)(T z) {
    T r = FN(c_atanh)(FN(c_make)(-z.im, z.re));
    return FN(c_make)(r.im, -r.re);
}

/* On the host a text's helper is picked by the suffix of the type at hand. */
#if !defined __CUDACC__ && !defined GX_SCALAR_CPLX_NAMES
#define GX_SCALAR_CPLX_NAMES
#define c_make(...) FN(c_make)(__VA_ARGS__)
#define c_add(...) FN(c_add)(__VA_ARGS__)
#define c_sub(...) FN(c_sub)(__VA_ARGS__)
#define c_mul(...) FN(c_mul)(__VA_ARGS__)
#define c_div(...) FN(c_div)(__VA_ARGS__)
#define c_neg(...) FN(c_neg)(__VA_ARGS__)
#define c_conj(...) FN(c_conj)(__VA_ARGS__)
#define c_square(...) FN(c_square)(__VA_ARGS__)
#define c_recip(...) FN(c_recip)(__VA_ARGS__)
#define c_abs(...) FN(c_abs)(__VA_ARGS__)
#define c_rint(...) FN(c_rint)(__VA_ARGS__)
#define c_isnan(...) FN(c_isnan)(__VA_ARGS__)
#define c_isinf(...) FN(c_isinf)(__VA_ARGS__)
#define c_isfinite(...) FN(c_isfinite)(__VA_ARGS__)
#define c_true(...) FN(c_true)(__VA_ARGS__)
#define c_sign(...) FN(c_sign)(__VA_ARGS__)
#define c_eq(...) FN(c_eq)(__VA_ARGS__)
#define c_lt(...) FN(c_lt)(__VA_ARGS__)
#define c_le(...) FN(c_le)(__VA_ARGS__)
#define c_maximum(...) FN(c_maximum)(__VA_ARGS__)
#define c_minimum(...) FN(c_minimum)(__VA_ARGS__)
#define c_fmax(...) FN(c_fmax)(__VA_ARGS__)
#define c_fmin(...) FN(c_fmin)(__VA_ARGS__)
#define c_clip(...) FN(c_clip)(__VA_ARGS__)
#define c_before(...) FN(c_before)(__VA_ARGS__)
#define c_after(...) FN(c_after)(__VA_ARGS__)
#define c_polar(...) FN(c_polar)(__VA_ARGS__)
#define c_exp(...) FN(c_exp)(__VA_ARGS__)
#define c_exp2(...) FN(c_exp2)(__VA_ARGS__)
#define c_expm1(...) FN(c_expm1)(__VA_ARGS__)
#define c_norm_less_1(...) FN(c_norm_less_1)(__VA_ARGS__)
#define c_log_abs(...) FN(c_log_abs)(__VA_ARGS__)
#define c_log(...) FN(c_log)(__VA_ARGS__)
#define c_log2(...) FN(c_log2)(__VA_ARGS__)
#define c_log10(...) FN(c_log10)(__VA_ARGS__)
#define c_log1p(...) FN(c_log1p)(__VA_ARGS__)
#define c_sqrt(...) FN(c_sqrt)(__VA_ARGS__)
#define c_pow(...) FN(c_pow)(__VA_ARGS__)
#define c_sinh(...) FN(c_sinh)(__VA_ARGS__)
#define c_cosh(...) FN(c_cosh)(__VA_ARGS__)
#define c_tanh(...) FN(c_tanh)(__VA_ARGS__)
#define c_sin(...) FN(c_sin)(__VA_ARGS__)
#define c_sinc(...) FN(c_sinc)(__VA_ARGS__)
#define c_cos(...) FN(c_cos)(__VA_ARGS__)
#define c_tan(...) FN(c_tan)(__VA_ARGS__)
#define c_hull(...) FN(c_hull)(__VA_ARGS__)
#define c_asin(...) FN(c_asin)(__VA_ARGS__)
#define c_acos(...) FN(c_acos)(__VA_ARGS__)
#define c_acosh(...) FN(c_acosh)(__VA_ARGS__)
#define c_asinh(...) FN(c_asinh)(__VA_ARGS__)
#define c_atanh(...) FN(c_atanh)(__VA_ARGS__)
#define c_atan(...) FN(c_atan)(__VA_ARGS__)
#endif
