/* Float helpers of ops.def, for one real computing type T (see scalar_side.h). Results follow NumPy
   in every case, signed zeros, infinities and nan included. The math functions they call (fmod,
   exp, log1p …) are the same ones that texts call. No include guard: one copy a type. */
#ifndef T
#include <math.h>

#include "kernels/scalar_side.h"
#define T double
#define R T
#define FN(f) f
#endif

GX_FN int FN(f_isfinite)(T x) {
    return fabs(x) < GX_INF;
}
GX_FN int FN(f_isinf)(T x) {
    return fabs(x) == GX_INF;
}
/* Python's and NumPy's: the remainder has the sign of y. */
GX_FN T FN(f_mod)(T x, T y) {
    T m = fmod(x, y);
    if (y == 0) return m;
    if (m == 0) return copysign(K(0), y);
    return (y < 0) != (m < 0) ? m + y : m;
}
/* Not floor(x / y): 1.0 // 0.1 is 9. The quotient is made exact by taking the remainder off first.
 */
GX_FN T FN(f_floordiv)(T x, T y) {
    if (y == 0) return x / y;
    T m = fmod(x, y), q = (x - m) / y;
    if (m != 0 && (y < 0) != (m < 0)) q = q - 1;
    if (q == 0) return copysign(K(0), x / y);
    T whole = floor(q);
    return q - whole > K(0.5) ? whole + 1 : whole;
}
GX_FN T FN(f_clip)(T x, T low, T high) {
    T raised = x > low ? x : low, r;
    raised = x != x ? x : raised;
    r = raised < high ? raised : high;
    return raised != raised ? raised : r;
}
GX_FN T FN(f_logaddexp)(T x, T y) {
    T d = x - y, larger = d > 0 ? x : y;
    T sum = larger + log1p(exp(-fabs(d)));
    return x == y ? x + K(0.69314718055994530942) : d != d ? d : sum;
}
GX_FN T FN(f_logaddexp2)(T x, T y) {
    T d = x - y, larger = d > 0 ? x : y;
    T sum = larger + K(1.44269504088896340736) * log1p(exp2(-fabs(d)));
    return x == y ? x + 1 : d != d ? d : sum;
}
GX_FN T FN(f_sinc)(T x) {
    T a = K(3.14159265358979323846) * (x == 0 ? K(1.0e-20) : x);
    return sin(a) / a;
}
GX_FN T FN(f_xlogy)(T x, T y) {
    T p = x * log(y);
    return x == 0 && y == y ? K(0) : p;
}
GX_FN T FN(f_nextafter)(T x, T y) {
    return nextafter(x, y);
}
/* Away from zero, that is up from -0; nan of an infinity. */
GX_FN T FN(f_spacing)(T x) {
    if (fabs(x) == GX_INF) return GX_NAN;
    return nextafter(x, copysign(GX_INF, x + 0)) - x;
}
/* y holds an integer; beyond 5000 nothing changes any more. */
GX_FN T FN(f_ldexp)(T x, T y) {
    int e = y > 5000 ? 5000 : y < -5000 ? -5000 : (int)y;
    return ldexp(x, e);
}
GX_FN T FN(f_gamma)(T x) {
    if (x == 0) return copysign(GX_INF, x);
    if (x < 0 && x == floor(x)) return GX_NAN;
    return tgamma(x);
}
GX_FN T FN(f_lgamma)(T x) {
    return lgamma(x);
}
GX_FN T FN(f_j0)(T x) {
    return j0(x);
}
GX_FN T FN(f_j1)(T x) {
    return j1(x);
}
GX_FN T FN(f_y0)(T x) {
    return y0(x);
}
GX_FN T FN(f_y1)(T x) {
    return y1(x);
}

/* On the host a text's helper is picked by the suffix of the type at hand. */
#if !defined __CUDACC__ && !defined GX_SCALAR_NAMES
#define GX_SCALAR_NAMES
#define f_isfinite(...) FN(f_isfinite)(__VA_ARGS__)
#define f_isinf(...) FN(f_isinf)(__VA_ARGS__)
#define f_mod(...) FN(f_mod)(__VA_ARGS__)
#define f_floordiv(...) FN(f_floordiv)(__VA_ARGS__)
#define f_clip(...) FN(f_clip)(__VA_ARGS__)
#define f_logaddexp(...) FN(f_logaddexp)(__VA_ARGS__)
#define f_logaddexp2(...) FN(f_logaddexp2)(__VA_ARGS__)
#define f_sinc(...) FN(f_sinc)(__VA_ARGS__)
#define f_xlogy(...) FN(f_xlogy)(__VA_ARGS__)
#define f_nextafter(...) FN(f_nextafter)(__VA_ARGS__)
#define f_spacing(...) FN(f_spacing)(__VA_ARGS__)
#define f_ldexp(...) FN(f_ldexp)(__VA_ARGS__)
#define f_gamma(...) FN(f_gamma)(__VA_ARGS__)
#define f_lgamma(...) FN(f_lgamma)(__VA_ARGS__)
#define f_j0(...) FN(f_j0)(__VA_ARGS__)
#define f_j1(...) FN(f_j1)(__VA_ARGS__)
#define f_y0(...) FN(f_y0)(__VA_ARGS__)
#define f_y1(...) FN(f_y1)(__VA_ARGS__)
#endif
