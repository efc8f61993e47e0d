/* The Philox4x32-10 counter generator, in the words and the order of cuRAND's
   CURAND_RNG_PSEUDO_PHILOX4_32_10 with default ordering, and its uniform and normal numbers. In
   the common subset of C11 and CUDA C++: host loops and kernels give the same bits, as only + - * /
   and sqrt on IEEE types are used (compile without contraction). It keeps no state: an element is a
   function of seed and position.

   Words: word i is word i % 4 of block i / 4; block b has the counter (b / 65536, b % 65536), two
   64-bit halves. Doubles take two words: element i is pair i % 2 of block (2 * (g / 65536) +
   i % 4 / 2, g % 65536) with g = i / 4. Normals are made in pairs by Box and Muller's transform
   out of the uniforms at 2 j and 2 j + 1. */
#ifndef GX_KERNELS_PHILOX_H
#define GX_KERNELS_PHILOX_H

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define GX_PHILOX_FN static __device__ __forceinline__
#else
#include <math.h>
#include <string.h>
#define GX_PHILOX_FN static inline __attribute__((always_inline, unused))
#endif

typedef unsigned int gx_philox_u32;
typedef unsigned long long gx_philox_u64;

/* Both halves of a product of words. NVRTC left alone multiplies 64 by 64 bits. */
GX_PHILOX_FN void gx_philox_product(gx_philox_u32 x, gx_philox_u32 y, gx_philox_u32 *low,
                                    gx_philox_u32 *high) {
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
    asm("{\n.reg .u64 p;\nmul.wide.u32 p, %2, %3;\nmov.b64 {%0, %1}, p;\n}"
        : "=r"(*low), "=r"(*high)
        : "r"(x), "r"(y));
#else
    gx_philox_u64 p = (gx_philox_u64)x * y;
    *low = (gx_philox_u32)p;
    *high = (gx_philox_u32)(p >> 32);
#endif
}

/* Four words of the block with counter (lo, hi). */
GX_PHILOX_FN void gx_philox_block(gx_philox_u64 seed, gx_philox_u64 lo, gx_philox_u64 hi,
                                  gx_philox_u32 *words) {
    gx_philox_u32 a = (gx_philox_u32)lo, b = (gx_philox_u32)(lo >> 32);
    gx_philox_u32 c = (gx_philox_u32)hi, d = (gx_philox_u32)(hi >> 32);
    gx_philox_u32 k0 = (gx_philox_u32)seed, k1 = (gx_philox_u32)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        gx_philox_u32 p, q, p_high, q_high;
        gx_philox_product(a, 0xD2511F53U, &p, &p_high);
        gx_philox_product(c, 0xCD9E8D57U, &q, &q_high);
        a = q_high ^ b ^ k0;
        b = q;
        c = p_high ^ d ^ k1;
        d = p;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
}

/* The four words of elements 4 u … 4 u + 3 of 32-bit streams. */
GX_PHILOX_FN void gx_philox_four(gx_philox_u64 seed, gx_philox_u64 u, gx_philox_u32 *words) {
    gx_philox_block(seed, u >> 16, u & 65535U, words);
}

/* The four pairs of words of elements 4 u … 4 u + 3 of 64-bit streams, low word first. */
GX_PHILOX_FN void gx_philox_pairs(gx_philox_u64 seed, gx_philox_u64 u, gx_philox_u64 *pairs) {
    gx_philox_u32 w[4];
    for (int half = 0; half < 2; half++) {
        gx_philox_block(seed, 2 * (u >> 16) + (gx_philox_u64)half, u & 65535U, w);
        pairs[2 * half] = (gx_philox_u64)w[1] << 32 | w[0];
        pairs[2 * half + 1] = (gx_philox_u64)w[3] << 32 | w[2];
    }
}

GX_PHILOX_FN double gx_philox_as_double(gx_philox_u64 bits) {
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
    return __longlong_as_double((long long)bits);
#else
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

GX_PHILOX_FN gx_philox_u64 gx_philox_as_bits(double x) {
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
    return (gx_philox_u64)__double_as_longlong(x);
#else
    gx_philox_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}

/* An integer below 2^53 as a double, by its two halves: exact, and vector units have it. */
GX_PHILOX_FN double gx_philox_exact(gx_philox_u64 z) {
    double high = gx_philox_as_double(z >> 32 | 0x4530000000000000U);
    double low = gx_philox_as_double((z & 0xFFFFFFFFU) | 0x4330000000000000U);
    return (high - 0x1.00000001p84) + low;
}

/* A word as float32 in (0, 1]. */
GX_PHILOX_FN float gx_philox_uniform32(gx_philox_u32 x) {
    return (float)x * 2.3283064e-10F + 2.3283064e-10F / 2;
}

/* A pair of words as float64 in (0, 1]. */
GX_PHILOX_FN double gx_philox_uniform64(gx_philox_u64 pair) {
    gx_philox_u64 z = (pair & 0xFFFFFFFFU) ^ (pair >> 32) << 21;
    return gx_philox_exact(z) * 0x1p-53 + 0x1p-54;
}

/* log(u) for a normal u in (0, 1], within 2 ulp. With u = 2^e m, m in [sqrt 1/2, sqrt 2), and
   s = (m - 1) / (m + 1): e log 2 + 2 s + s^3 P(s^2). */
GX_PHILOX_FN double gx_philox_log(double u) {
    gx_philox_u64 bits = gx_philox_as_bits(u);
    gx_philox_u64 up = (bits & 0x000FFFFFFFFFFFFFU) >= 0x0006A09E667F3BCDU ? 1U : 0U;
    double e = gx_philox_as_double(((bits >> 52) + up) | 0x4330000000000000U) - (0x1p52 + 1023);
    double m =
        gx_philox_as_double((bits & 0x000FFFFFFFFFFFFFU) | (0x3FF0000000000000U - (up << 52)));
    double s = (m - 1) / (m + 1), z = s * s;
    double p = 0x1.2b584aae78a57p-3;
    p = p * z + 0x1.39fe606542ddep-3;
    p = p * z + 0x1.7462b4ab2ef6bp-3;
    p = p * z + 0x1.c71c62e5800a1p-3;
    p = p * z + 0x1.2492492df148dp-2;
    p = p * z + 0x1.99999999952e2p-2;
    p = p * z + 0x1.5555555555558p-1;
    return e * 0x1.62e42fee00000p-1 + (2 * s + (s * z * p + e * 0x1.a39ef35793c76p-33));
}

/* sin(pi v) and cos(pi v) for v in [0, 2], within 1 ulp of 1. */
GX_PHILOX_FN void gx_philox_sincospi(double v, double *sine, double *cosine) {
    double shifted = 2 * v + 0x1.8p52;
    gx_philox_u64 quadrant = gx_philox_as_bits(shifted);
    double r = v - (shifted - 0x1.8p52) * 0.5, z = r * r;
    double p = 0.00046221110224187623, q = -0.00010370082971594627;
    p = p * z - 0.0073701436435937495;
    p = p * z + 0.08214587730641625;
    p = p * z - 0.5992645291845385;
    p = p * z + 2.5501640398766154;
    p = p * z - 5.167712780049969;
    q = q * z + 0.001929493874894941;
    q = q * z - 0.025806887964701878;
    q = q * z + 0.23533063028399223;
    q = q * z - 1.3352627688538095;
    q = q * z + 4.058712126416765;
    q = q * z - 4.934802200544679;
    double s = r * 3.141592653589793 + r * (z * p), c = 1 + z * q;
    gx_philox_u64 swap = 0 - (quadrant & 1U);
    gx_philox_u64 sb = gx_philox_as_bits(s), cb = gx_philox_as_bits(c);
    gx_philox_u64 a = (sb & ~swap) | (cb & swap), b = (cb & ~swap) | (sb & swap);
    *sine = gx_philox_as_double(a ^ (quadrant & 2U) << 62);
    *cosine = gx_philox_as_double(b ^ ((quadrant + 1) & 2U) << 62);
}

/* Two normal numbers of two uniform ones. */
GX_PHILOX_FN void gx_philox_normal64(double u, double w, double *first, double *second) {
    double s = sqrt(-2 * gx_philox_log(u)), a, b;
    gx_philox_sincospi(2 * w, &a, &b);
    *first = a * s;
    *second = b * s;
}

/* Two normal float32 of two words: the transform in float64, rounded where cuRAND rounds. */
GX_PHILOX_FN void gx_philox_normal32(gx_philox_u32 x, gx_philox_u32 y, float *first,
                                     float *second) {
    float u = gx_philox_uniform32(x);
    float v = (float)y * (2.3283064e-10F * 6.2831855F) + 2.3283064e-10F * 6.2831855F / 2;
    float s = (float)sqrt((double)(-2 * (float)gx_philox_log((double)u)));
    double a, b;
    gx_philox_sincospi((double)v * 0.3183098861837907, &a, &b);
    *first = (float)a * s;
    *second = (float)b * s;
}

#endif
