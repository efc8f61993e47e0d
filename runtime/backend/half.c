/* float16 <-> float32 and float64, one by one; the loops convert many at once. */
#include "runtime/backend/half.h"

#include <math.h>
#include <string.h>

float gx_half_to_float(gx_half h) {
    uint32_t sign = (uint32_t)(h.bits & 0x8000u) << 16, e = (h.bits >> 10) & 31u,
             m = h.bits & 1023u;
    uint32_t bits;
    if (e == 31) bits = sign | 0x7f800000u | (m << 13);
    else if (e) bits = sign | ((e + 112) << 23) | (m << 13);
    else {
        float f = (float)m * 0x1p-24f;
        return sign ? -f : f;
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

gx_half gx_half_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    uint16_t sign = (uint16_t)((bits >> 48) & 0x8000u);
    double a = fabs(x);
    if (x != x) return (gx_half){(uint16_t)(sign | 0x7e00u)};
    if (a >= 65520.0) return (gx_half){(uint16_t)(sign | 0x7c00u)};
    int e;
    frexp(a, &e);
    if (a == 0 || e < -25) return (gx_half){sign};
    int shift = e - 1 < -14 ? -24 : e - 11; /* value of the last bit: 2^shift */
    double scaled = nearbyint(ldexp(a, -shift));
    uint32_t m = (uint32_t)scaled;
    uint32_t h = shift == -24 ? m : ((uint32_t)(shift + 25) << 10) + (m - 1024);
    return (gx_half){(uint16_t)(sign | h)};
}

gx_half gx_float_to_half(float x) {
    return gx_half_of_double((double)x);
}
