/* Halves and brain floats as bits, and their rounding to nearest even. */
#ifndef GX_RUNTIME_BACKEND_SIM_HALF_INT_H
#define GX_RUNTIME_BACKEND_SIM_HALF_INT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t gx_float_bits(float x) {
    uint32_t u;
    memcpy(&u, &x, 4);
    return u;
}
static inline float gx_float_of_bits(uint32_t u) {
    float x;
    memcpy(&x, &u, 4);
    return x;
}

static inline float gx_f16_to(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
    if (e == 31) return gx_float_of_bits(sign | 0x7f800000u | m << 13);
    if (e) return gx_float_of_bits(sign | (e + 112) << 23 | m << 13);
    float x = (float)m * 0x1p-24f;
    return sign ? -x : x;
}

/* A double to the nearest half: one rounding. */
static inline uint16_t gx_f16_of_f64(double x) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x);
    if (x != x) return 0x7fff;
    if (a >= 65520) return (uint16_t)(sign | 0x7c00);
    if (a < 0x1p-14) return (uint16_t)(sign | (uint16_t)nearbyint(a * 0x1p24));
    int e;
    double f = frexp(a, &e);                    /* a = f 2^e, f in [0.5, 1) */
    uint32_t m = (uint32_t)nearbyint(f * 2048); /* 1024 … 2048 */
    return (uint16_t)(sign | (((uint32_t)(e + 14) << 10) + (m - 1024)));
}
static inline uint16_t gx_f16_of(float x) {
    return gx_f16_of_f64(x);
}
/* p + z rounded to odd: a second rounding to fewer bits is then right. */
static inline double gx_sum_to_odd(double p, double z) {
    double s = p + z, b = s - p, low = (p - (s - b)) + (z - b);
    uint64_t u;
    memcpy(&u, &s, 8);
    if (low == 0 || !isfinite(s) || (u & 1)) return s;
    return nextafter(s, low > 0 ? INFINITY : -INFINITY);
}
/* Products of halves are exact in double. */
static inline uint16_t gx_f16_fma(float x, float y, float z) {
    return gx_f16_of_f64(gx_sum_to_odd((double)x * y, z));
}

static inline float gx_bf16_to(uint16_t h) {
    return gx_float_of_bits((uint32_t)h << 16);
}
static inline uint16_t gx_bf16_of(float x) {
    uint32_t u = gx_float_bits(x);
    if (x != x) return 0x7fff;
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
static inline uint16_t gx_bf16_fma(float x, float y, float z) {
    double s = gx_sum_to_odd((double)x * y, z);
    float f = (float)s;
    if ((double)f != s && isfinite(f)) { /* to odd again, in float */
        uint32_t b = gx_float_bits(f);
        if (fabs((double)f) > fabs(s)) b--;
        f = gx_float_of_bits(b | 1);
    }
    return gx_bf16_of(f);
}

#endif
