/* The bits of halves: floats of 16 bits, computed in float32 and rounded after every step. A format
   is told by its bits of fraction (gx_dtypes[d].fraction); the sign is the first bit and the
   exponent what is left, as in IEEE 754. */
#ifndef GX_KERNELS_HALF_H
#define GX_KERNELS_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/dtypes.h"

static inline uint16_t gx_half_infinity(int fraction) {
    return (uint16_t)(0x7fff >> fraction << fraction);
}
static inline uint16_t gx_half_nan(int fraction) {
    return (uint16_t)(gx_half_infinity(fraction) | 1 << (fraction - 1));
}
static inline uint16_t gx_half_one(int fraction) {
    return (uint16_t)(gx_half_infinity(fraction) >> 1 & gx_half_infinity(fraction));
}
/* The exponent of 1 as it is stored: 15 where 5 bits are the exponent. */
static inline int gx_half_bias(int fraction) {
    return gx_half_one(fraction) >> fraction;
}

static inline float gx_half_widen(int fraction, gx_half h) {
    const int bias = gx_half_bias(fraction);
    const uint32_t e = (h.bits & 0x7fffu) >> fraction, m = h.bits & ((1u << fraction) - 1);
    uint32_t bits = (h.bits & 0x8000u) << 16 | m << (23 - fraction);
    if (e == 0) {
        const float f = ldexpf((float)m, 1 - bias - fraction);
        return bits >> 31 ? -f : f;
    }
    bits |= e == 2 * (uint32_t)bias + 1 ? 0x7f800000u : (e + 127 - (uint32_t)bias) << 23;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

/* Rounds a double's value once: to nearest, ties to even. */
static inline gx_half gx_half_round(int fraction, double x) {
    const int bias = gx_half_bias(fraction), least = 1 - bias - fraction;
    const double a = fabs(x);
    const uint32_t infinity = gx_half_infinity(fraction);
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (x != x) return (gx_half){(uint16_t)(sign | gx_half_nan(fraction))};
    if (a == 0) return (gx_half){sign};
    if (isinf(a)) return (gx_half){(uint16_t)(sign | infinity)};
    int e;
    frexp(a, &e);
    const int last = e - 1 - fraction > least ? e - 1 - fraction : least; /* its bit is 2^last */
    const uint32_t m = (uint32_t)nearbyint(ldexp(a, -last));
    const uint32_t r = ((uint32_t)(last - least) << fraction) + m;
    return (gx_half){(uint16_t)(sign | (r < infinity ? r : infinity))};
}

#endif
