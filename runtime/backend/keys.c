#include "runtime/backend/keys.h"

#include <string.h>

#include "kernels/half.h"
#include "runtime/backend/loop.h"

/* Keys of floats whose words are u; a nan is UINT64_MAX, and narrow keys stand at the top. */
#define FLOAT_KEYS(T, BITS, INFINITE)                                                              \
    GX_LONG_LOOP(rt, i, 0, n) {                                                                    \
        T u, top = (T)((T)1 << (BITS - 1));                                                        \
        memcpy(&u, data + i * stride, sizeof u);                                                   \
        T size = (T)(u & (T)~top), sign = (T)(0 - (T)(u >> (BITS - 1)));                           \
        uint64_t key = (uint64_t)(T)((size ? u : 0) ^ (T)((size ? sign : 0) | top))                \
                       << (64 - BITS);                                                             \
        keys[i] = size > (T)INFINITE ? UINT64_MAX : key;                                           \
    }                                                                                              \
    break

#define INT_KEYS(T, FLIP)                                                                          \
    GX_LONG_LOOP(rt, i, 0, n) {                                                                    \
        T v;                                                                                       \
        memcpy(&v, data + i * stride, sizeof v);                                                   \
        keys[i] = (uint64_t)(int64_t)v ^ (FLIP);                                                   \
    }                                                                                              \
    break

void gx_order_keys(const gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                   uint64_t *keys) {
    switch ((int)d) {
    GX_HALF_DTYPES(GX_CASE)
        FLOAT_KEYS(uint16_t, 16, gx_half_infinity(gx_dtypes[d].fraction));
    case GX_f32:
        FLOAT_KEYS(uint32_t, 32, 0x7f800000);
    case GX_f64:
        FLOAT_KEYS(uint64_t, 64, UINT64_C(0x7ff0000000000000));
    case GX_i8:
        INT_KEYS(int8_t, UINT64_C(1) << 63);
    case GX_i16:
        INT_KEYS(int16_t, UINT64_C(1) << 63);
    case GX_i32:
        INT_KEYS(int32_t, UINT64_C(1) << 63);
    case GX_i64:
        INT_KEYS(int64_t, UINT64_C(1) << 63);
    case GX_u16:
        INT_KEYS(uint16_t, 0);
    case GX_u32:
        INT_KEYS(uint32_t, 0);
    case GX_u64:
        INT_KEYS(uint64_t, 0);
    default:
        INT_KEYS(uint8_t, 0);
    }
}
