/* The math functions that texts of ops.def may call, for each float type, under the names
   m_<function>_<f32|f64> (vector) and s_<function>_<f32|f64> (scalar, for complex helpers), and the
   macros that turn sin(x) in a text into the right one. With gcc the vector ones are calls that the
   vectoriser turns into glibc's libmvec; where libmvec misses exact results (cubes, powers of ten)
   they are mended here. Included by make.inc only. */
#ifndef GX_RUNTIME_BACKEND_CPU_LOOPS_MATH_H
#define GX_RUNTIME_BACKEND_CPU_LOOPS_MATH_H

#include <math.h>

#if defined __GNUC__ && !defined __clang__
#define GX_SIMD __attribute__((simd("notinbranch")))
#else
#define GX_SIMD
#endif

/* In libmvec, one operand and two. */
#define GX_VECTOR_1(X)                                                                             \
    X(sin)                                                                                         \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh)       \
        X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(erf) X(erfc)
#define GX_VECTOR_2(X) X(pow) X(atan2) X(hypot)
/* Instructions or plain libm calls: one version serves. */
#define GX_PLAIN_1(X)                                                                              \
    X(sqrt) X(floor) X(ceil) X(trunc) X(rint) X(fabs) X(tgamma) X(j0) X(j1) X(y0) X(y1)
#define GX_PLAIN_2(X) X(copysign) X(nextafter)

/* The declarations with `simd` are the vector ones; lib_ names reach the scalar functions. */
#define DECLARE_1(fn)                                                                              \
    extern double fn(double) GX_SIMD;                                                              \
    extern float fn##f(float) GX_SIMD;                                                             \
    extern double lib_##fn##_f64(double) __asm__(#fn);                                             \
    extern float lib_##fn##_f32(float) __asm__(#fn "f");
#define DECLARE_2(fn)                                                                              \
    extern double fn(double, double) GX_SIMD;                                                      \
    extern float fn##f(float, float) GX_SIMD;                                                      \
    extern double lib_##fn##_f64(double, double) __asm__(#fn);                                     \
    extern float lib_##fn##_f32(float, float) __asm__(#fn "f");
GX_VECTOR_1(DECLARE_1)
GX_VECTOR_2(DECLARE_2)
extern double lib_fmod_f64(double, double) __asm__("fmod");
extern float lib_fmod_f32(float, float) __asm__("fmodf");

#define MATH static inline __attribute__((always_inline, unused))
#define VECTOR_1(fn)                                                                               \
    MATH double v_##fn##_f64(double x) { return fn(x); }                                           \
    MATH float v_##fn##_f32(float x) { return fn##f(x); }                                          \
    MATH double s_##fn##_f64(double x) { return lib_##fn##_f64(x); }                               \
    MATH float s_##fn##_f32(float x) { return lib_##fn##_f32(x); }
#define VECTOR_2(fn)                                                                               \
    MATH double m_##fn##_f64(double x, double y) { return fn(x, y); }                              \
    MATH float m_##fn##_f32(float x, float y) { return fn##f(x, y); }                              \
    MATH double s_##fn##_f64(double x, double y) { return lib_##fn##_f64(x, y); }                  \
    MATH float s_##fn##_f32(float x, float y) { return lib_##fn##_f32(x, y); }
#define PLAIN_1(fn)                                                                                \
    MATH double m_##fn##_f64(double x) { return fn(x); }                                           \
    MATH float m_##fn##_f32(float x) { return fn##f(x); }                                          \
    MATH double s_##fn##_f64(double x) { return fn(x); }                                           \
    MATH float s_##fn##_f32(float x) { return fn##f(x); }
#define PLAIN_2(fn)                                                                                \
    MATH double m_##fn##_f64(double x, double y) { return fn(x, y); }                              \
    MATH float m_##fn##_f32(float x, float y) { return fn##f(x, y); }                              \
    MATH double s_##fn##_f64(double x, double y) { return fn(x, y); }                              \
    MATH float s_##fn##_f32(float x, float y) { return fn##f(x, y); }
GX_VECTOR_1(VECTOR_1)
GX_VECTOR_2(VECTOR_2)
/* Complex magnitudes have no branch around hypot: vector calls serve them too. */
#define s_hypot_f64 m_hypot_f64
#define s_hypot_f32 m_hypot_f32
GX_PLAIN_1(PLAIN_1)
GX_PLAIN_2(PLAIN_2)

/* libmvec's cube root misses a third of the perfect cubes by an ulp. */
MATH double m_cbrt_f64(double x) {
    double r = v_cbrt_f64(x), t = rint(r);
    return t * t * t == x ? copysign(t, x) : r;
}
MATH float m_cbrt_f32(float x) {
    float r = v_cbrt_f32(x), t = rintf(r);
    return t * t * t == x ? copysignf(t, x) : r;
}
/* log10(1e7) must be 7 and exp10(5) 1e5: libm's are, libmvec's may miss by an ulp. The logarithms
   of the floats beside a power of ten other than 1 round to the same integer, or to one beside
   it. */
MATH double m_log10_f64(double x) {
    double r = v_log10_f64(x), t = rint(r);
    return fabs(r - t) <= 0x1p-52 * fabs(t) ? t : r;
}
MATH double m_exp10_f64(double x) {
    return v_exp10_f64(x);
}
MATH float m_log10_f32(float x) {
    return v_log10_f32(x);
}
MATH float m_exp10_f32(float x) {
    return (float)v_exp10_f64((double)x);
}
#define SAME(fn)                                                                                   \
    MATH double m_##fn##_f64(double x) { return v_##fn##_f64(x); }                                 \
    MATH float m_##fn##_f32(float x) { return v_##fn##_f32(x); }
SAME(sin) SAME(cos) SAME(tan) SAME(asin) SAME(acos) SAME(atan) SAME(sinh) SAME(cosh) SAME(tanh)
SAME(asinh) SAME(acosh) SAME(atanh) SAME(exp) SAME(exp2) SAME(expm1) SAME(log) SAME(log2)
SAME(log1p) SAME(erf) SAME(erfc)

/* lgamma would write the process-wide signgam. */
MATH double m_lgamma_f64(double x) {
    int sign;
    return lgamma_r(x, &sign);
}
MATH float m_lgamma_f32(float x) {
    int sign;
    return lgammaf_r(x, &sign);
}
MATH double two_to(int64_t e) {
    union {
        int64_t bits;
        double value;
    } power = {(e + 1023) << 52};
    return power.value;
}
/* In two or three steps, of which the last alone can round: those before it stay within the normal
   numbers, or are beyond the largest or so small that nothing is left. */
MATH double m_ldexp_f64(double x, int exponent) {
    int64_t e = exponent > 2200 ? 2200 : exponent < -2200 ? -2200 : exponent;
    int64_t up = e > 1023 ? e - 1023 : 0, down = e < -1022 ? e + 969 : 0;
    int64_t more = up > 1023 ? up - 1023 : 0, less = down < -1022 ? down + 969 : 0;
    more = more > 1023 ? 1023 : more;
    less = less < -969 ? -969 : less;
    double r = x * two_to((up ? 1023 : 0) + (down ? -969 : 0));
    r *= two_to((more ? 1023 : 0) + (less ? -969 : 0));
    return r * two_to(up ? (more ? more : up) : down ? (less ? less : down) : e);
}
/* Exact in float64, and rounded once. */
MATH float m_ldexp_f32(float x, int e) {
    return (float)((double)x * two_to(e > 400 ? 400 : e < -400 ? -400 : e));
}
MATH double m_fma_f64(double x, double y, double z) {
    return fma(x, y, z);
}
MATH float m_fma_f32(float x, float y, float z) {
    return fmaf(x, y, z);
}
MATH double s_fma_f64(double x, double y, double z) {
    return fma(x, y, z);
}
MATH float s_fma_f32(float x, float y, float z) {
    return fmaf(x, y, z);
}
/* fmod is exact, so a quick way gives the same bits: with the quotient below 2**52 the remainder
   x - q * y is representable, and one fused step finds it. */
MATH double m_fmod_f64(double x, double y) {
#ifdef __FMA__
    double a = fabs(x), b = fabs(y), q = trunc(a / b);
    if (q < 0x1p51 && b < (double)INFINITY) {
        double r = fma(-q, b, a);
        return copysign(r < 0 ? r + b : r, x);
    }
#endif
    return lib_fmod_f64(x, y);
}
MATH float m_fmod_f32(float x, float y) {
#ifdef __FMA__
    float a = fabsf(x), b = fabsf(y), q = truncf(a / b);
    if (q < 0x1p22f && b < INFINITY) {
        float r = fmaf(-q, b, a);
        return copysignf(r < 0 ? r + b : r, x);
    }
#endif
    return lib_fmod_f32(x, y);
}

/* From here on sin(x) in a text means the function of the computing type at hand. */
#define sin(x) GX_MATH(sin)(x)
#define cos(x) GX_MATH(cos)(x)
#define tan(x) GX_MATH(tan)(x)
#define asin(x) GX_MATH(asin)(x)
#define acos(x) GX_MATH(acos)(x)
#define atan(x) GX_MATH(atan)(x)
#define sinh(x) GX_MATH(sinh)(x)
#define cosh(x) GX_MATH(cosh)(x)
#define tanh(x) GX_MATH(tanh)(x)
#define asinh(x) GX_MATH(asinh)(x)
#define acosh(x) GX_MATH(acosh)(x)
#define atanh(x) GX_MATH(atanh)(x)
#define exp(x) GX_MATH(exp)(x)
#define exp2(x) GX_MATH(exp2)(x)
#define exp10(x) GX_MATH(exp10)(x)
#define expm1(x) GX_MATH(expm1)(x)
#define log(x) GX_MATH(log)(x)
#define log2(x) GX_MATH(log2)(x)
#define log10(x) GX_MATH(log10)(x)
#define log1p(x) GX_MATH(log1p)(x)
#define cbrt(x) GX_MATH(cbrt)(x)
#define erf(x) GX_MATH(erf)(x)
#define erfc(x) GX_MATH(erfc)(x)
#define tgamma(x) GX_MATH(tgamma)(x)
#define lgamma(x) GX_MATH(lgamma)(x)
#define j0(x) GX_MATH(j0)(x)
#define j1(x) GX_MATH(j1)(x)
#define y0(x) GX_MATH(y0)(x)
#define y1(x) GX_MATH(y1)(x)
#define sqrt(x) GX_MATH(sqrt)(x)
#define floor(x) GX_MATH(floor)(x)
#define ceil(x) GX_MATH(ceil)(x)
#define trunc(x) GX_MATH(trunc)(x)
#define rint(x) GX_MATH(rint)(x)
#define fabs(x) GX_MATH(fabs)(x)
#define pow(x, y) GX_MATH(pow)(x, y)
#define atan2(x, y) GX_MATH(atan2)(x, y)
#define hypot(x, y) GX_MATH(hypot)(x, y)
#define fmod(x, y) GX_MATH(fmod)(x, y)
#define copysign(x, y) GX_MATH(copysign)(x, y)
#define nextafter(x, y) GX_MATH(nextafter)(x, y)
#define ldexp(x, e) GX_MATH(ldexp)(x, e)
#define fma(x, y, z) GX_MATH(fma)(x, y, z)

#endif
