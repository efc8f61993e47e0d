/* Integer helpers of ops.def, for one computing type T (see scalar_side.h): i_ for signed types and
   where both agree, u_ for unsigned. Arithmetic wraps by going through the unsigned type U;
   division by zero gives 0, MIN / -1 gives MIN, shifts by the width or more give NumPy's values.
   Never traps and never has undefined behaviour, whatever the operands. No include guard: one copy
   a type. */
#ifndef T
#include "kernels/scalar_side.h"
#define T long long
#define R T
#define U unsigned long long
#define FN(f) f
#endif

GX_FN T FN(i_add)(T x, T y) {
    return (T)((U)x + (U)y);
}
GX_FN T FN(i_sub)(T x, T y) {
    return (T)((U)x - (U)y);
}
GX_FN T FN(i_mul)(T x, T y) {
    return (T)((U)x * (U)y);
}
GX_FN T FN(i_neg)(T x) {
    return (T)(0 - (U)x);
}
GX_FN T FN(i_abs)(T x) {
    return x < 0 ? (T)(0 - (U)x) : x;
}
GX_FN T FN(u_mul)(T x, T y) {
    return (T)((U)x * (U)y);
}
GX_FN T FN(u_div)(T x, T y) {
    return y == 0 ? (T)0 : (T)(x / y);
}
GX_FN T FN(u_mod)(T x, T y) {
    return y == 0 ? (T)0 : (T)(x % y);
}
GX_FN T FN(i_floordiv)(T x, T y) {
    if (y == 0) return 0;
    if (y == (T)-1) return (T)(0 - (U)x);
    T q = (T)(x / y), r = (T)(x % y);
    return (T)(q - (T)(r != 0 && (r < 0) != (y < 0)));
}
GX_FN T FN(i_mod)(T x, T y) {
    if (y == 0 || y == (T)-1) return 0;
    T r = (T)(x % y);
    return r != 0 && (r < 0) != (y < 0) ? (T)(r + y) : r;
}
GX_FN T FN(i_fmod)(T x, T y) {
    if (y == 0 || y == (T)-1) return 0;
    return (T)(x % y);
}
GX_FN T FN(i_recip)(T x) {
    if (x == 0) return sizeof(T) < 4 ? (T)0 : (T)((U)1 << (8 * sizeof(T) - 1));
    return x == 1 || x == (T)-1 ? x : (T)0;
}
GX_FN T FN(i_pow)(T x, T y) {
    U base = (U)x, r = 1;
    if (y < 0) return x == 1 ? (T)1 : x == (T)-1 ? (y & 1 ? (T)-1 : (T)1) : (T)0;
    for (T e = y; e != 0; e = (T)(e >> 1)) {
        if (e & 1) r *= base;
        base *= base;
    }
    return (T)r;
}
GX_FN T FN(u_pow)(T x, T y) {
    U base = (U)x, r = 1;
    for (T e = y; e != 0; e = (T)(e >> 1)) {
        if (e & 1) r *= base;
        base *= base;
    }
    return (T)r;
}
GX_FN T FN(i_shl)(T x, T y) {
    return y >= 0 && y < (T)(8 * sizeof(T)) ? (T)((U)x << y) : (T)0;
}
GX_FN T FN(i_shr)(T x, T y) {
    return y >= 0 && y < (T)(8 * sizeof(T)) ? (T)(x >> y) : (T)(x < 0 ? -1 : 0);
}
GX_FN T FN(u_shl)(T x, T y) {
    return y < (T)(8 * sizeof(T)) ? (T)((U)x << y) : (T)0;
}
GX_FN T FN(u_shr)(T x, T y) {
    return y < (T)(8 * sizeof(T)) ? (T)(x >> y) : (T)0;
}
GX_FN T FN(u_gcd)(T x, T y) {
    while (y != 0) {
        T r = (T)(x % y);
        x = y;
        y = r;
    }
    return x;
}
GX_FN T FN(u_lcm)(T x, T y) {
    T g = FN(u_gcd)(x, y);
    return g == 0 ? (T)0 : (T)((U)(x / g) * (U)y);
}
GX_FN T FN(i_gcd)(T x, T y) {
    unsigned long long a = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    unsigned long long b = y < 0 ? 0 - (unsigned long long)y : (unsigned long long)y;
    while (b != 0) {
        unsigned long long r = a % b;
        a = b;
        b = r;
    }
    return (T)a;
}
GX_FN T FN(i_lcm)(T x, T y) {
    unsigned long long a = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    unsigned long long b = y < 0 ? 0 - (unsigned long long)y : (unsigned long long)y;
    unsigned long long p = a, q = b;
    while (q != 0) {
        unsigned long long r = p % q;
        p = q;
        q = r;
    }
    return p == 0 ? (T)0 : (T)(a / p * b);
}
GX_FN T FN(i_clip)(T x, T low, T high) {
    T raised = x > low ? x : low;
    return raised < high ? raised : high;
}
GX_FN T FN(i_popcount)(T x) {
    unsigned long long v = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    v = v - ((v >> 1) & 0x5555555555555555ull);
    v = (v & 0x3333333333333333ull) + ((v >> 2) & 0x3333333333333333ull);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (T)((v * 0x0101010101010101ull) >> 56);
}

/* On the host a text's helper is picked by the suffix of the type at hand. */
#if !defined __CUDACC__ && !defined GX_SCALAR_INT_NAMES
#define GX_SCALAR_INT_NAMES
#define i_add(...) FN(i_add)(__VA_ARGS__)
#define i_sub(...) FN(i_sub)(__VA_ARGS__)
#define i_mul(...) FN(i_mul)(__VA_ARGS__)
#define i_neg(...) FN(i_neg)(__VA_ARGS__)
#define i_abs(...) FN(i_abs)(__VA_ARGS__)
#define u_mul(...) FN(u_mul)(__VA_ARGS__)
#define u_div(...) FN(u_div)(__VA_ARGS__)
#define u_mod(...) FN(u_mod)(__VA_ARGS__)
#define i_floordiv(...) FN(i_floordiv)(__VA_ARGS__)
#define i_mod(...) FN(i_mod)(__VA_ARGS__)
#define i_fmod(...) FN(i_fmod)(__VA_ARGS__)
#define i_recip(...) FN(i_recip)(__VA_ARGS__)
#define i_pow(...) FN(i_pow)(__VA_ARGS__)
#define u_pow(...) FN(u_pow)(__VA_ARGS__)
#define i_shl(...) FN(i_shl)(__VA_ARGS__)
#define i_shr(...) FN(i_shr)(__VA_ARGS__)
#define u_shl(...) FN(u_shl)(__VA_ARGS__)
#define u_shr(...) FN(u_shr)(__VA_ARGS__)
#define u_gcd(...) FN(u_gcd)(__VA_ARGS__)
#define u_lcm(...) FN(u_lcm)(__VA_ARGS__)
#define i_gcd(...) FN(i_gcd)(__VA_ARGS__)
#define i_lcm(...) FN(i_lcm)(__VA_ARGS__)
#define i_clip(...) FN(i_clip)(__VA_ARGS__)
#define i_popcount(...) FN(i_popcount)(__VA_ARGS__)
#endif
