/* Casts between all pairs of dtypes, with what NumPy gives on x86: floats to integers truncate
   through int32 (8 and 16 bits, int32) or int64 (uint32, int64), out of range and nan give the
   lowest integer of that width; complex to real drops the imaginary part; bool is "not zero", nan
   included. Out of range raises the invalid flag, as the instructions do. Included by loops_make.h. */

/* float to integer: the C text is undefined out of range, the instructions it becomes are not. */
#if defined __clang__ || defined __GNUC__
#define GX_X86_CASTS __attribute__((no_sanitize("float-cast-overflow")))
#else
#define GX_X86_CASTS
#endif

#define TRUNC_i8(x) (int8_t)(int32_t)(x)
#define TRUNC_i16(x) (int16_t)(int32_t)(x)
#define TRUNC_i32(x) (int32_t)(x)
#define TRUNC_i64(x) (int64_t)(x)
#define TRUNC_u8(x) (uint8_t)(int32_t)(x)
#define TRUNC_u16(x) (uint16_t)(int32_t)(x)
#define TRUNC_u32(x) (uint32_t)(int64_t)(x)
#define TRUNC_u64(x) trunc_u64((double)(x))
#define TRUNC_f32(x) (float)(x)
#define TRUNC_f64(x) (double)(x)

static inline GX_X86_CASTS uint64_t trunc_u64(double x) {
    return x >= 0x1p63 ? (uint64_t)_mm_cvttsd_si64(_mm_set_sd(x - 0x1p63)) ^ (1ull << 63)
                       : (uint64_t)_mm_cvttsd_si64(_mm_set_sd(x));
}

#define CAST(from, from_t, to, to_t, ...)                                                          \
    static GX_X86_CASTS void cast_##from##_##to(void *out, const void *a, const void *b,           \
                                                const void *c, size_t n, unsigned scalars) {       \
        const from_t *xs = a;                                                                      \
        to_t *o = out;                                                                             \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        if (scalars & 1) {                                                                         \
            from_t x = xs[0];                                                                      \
            to_t r = __VA_ARGS__;                                                                  \
            for (size_t i = 0; i < n; i++) o[i] = r;                                               \
            return;                                                                                \
        }                                                                                          \
        GX_VECTOR_LOOP for (size_t i = 0; i < n; i++) {                                            \
            from_t x = xs[i];                                                                      \
            o[i] = __VA_ARGS__;                                                                    \
        }                                                                                          \
    }
#define REALS(X)                                                                                   \
    X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t) X(u8, uint8_t) X(u16, uint16_t)  \
    X(u32, uint32_t) X(u64, uint64_t) X(f32, float) X(f64, double)

#define TO_ALL(from, from_t, bool_text, VALUE)                                                     \
    CAST(from, from_t, bool_, uint8_t, bool_text)                                                  \
    CAST(from, from_t, i8, int8_t, VALUE(i8, int8_t))                                              \
    CAST(from, from_t, i16, int16_t, VALUE(i16, int16_t))                                          \
    CAST(from, from_t, i32, int32_t, VALUE(i32, int32_t))                                          \
    CAST(from, from_t, i64, int64_t, VALUE(i64, int64_t))                                          \
    CAST(from, from_t, u8, uint8_t, VALUE(u8, uint8_t))                                            \
    CAST(from, from_t, u16, uint16_t, VALUE(u16, uint16_t))                                        \
    CAST(from, from_t, u32, uint32_t, VALUE(u32, uint32_t))                                        \
    CAST(from, from_t, u64, uint64_t, VALUE(u64, uint64_t))                                        \
    CAST(from, from_t, f32, float, VALUE(f32, float))                                              \
    CAST(from, from_t, f64, double, VALUE(f64, double))
#define OF_INT(id, type) (type)(x)
#define OF_FLOAT(id, type) TRUNC_##id(x)
#define OF_CPLX(id, type) TRUNC_##id(x.re)
#define TO_CPLX(from, from_t, re, im)                                                              \
    CAST(from, from_t, c64, gx_c64, (gx_c64){(float)(re), (float)(im)})                            \
    CAST(from, from_t, c128, gx_c128, (gx_c128){(double)(re), (double)(im)})

TO_ALL(bool_, uint8_t, x != 0, OF_INT)
TO_ALL(i8, int8_t, x != 0, OF_INT)
TO_ALL(i16, int16_t, x != 0, OF_INT)
TO_ALL(i32, int32_t, x != 0, OF_INT)
TO_ALL(i64, int64_t, x != 0, OF_INT)
TO_ALL(u8, uint8_t, x != 0, OF_INT)
TO_ALL(u16, uint16_t, x != 0, OF_INT)
TO_ALL(u32, uint32_t, x != 0, OF_INT)
TO_ALL(u64, uint64_t, x != 0, OF_INT)
TO_ALL(f32, float, x != 0, OF_FLOAT)
TO_ALL(f64, double, x != 0, OF_FLOAT)
TO_ALL(c64, gx_c64, (x.re != 0) | (x.im != 0), OF_CPLX)
TO_ALL(c128, gx_c128, (x.re != 0) | (x.im != 0), OF_CPLX)
TO_CPLX(bool_, uint8_t, x, 0)
#define X(id, type) TO_CPLX(id, type, x, 0)
REALS(X)
#undef X
TO_CPLX(c64, gx_c64, x.re, x.im)
TO_CPLX(c128, gx_c128, x.re, x.im)

/* To and from float16 by way of float32. */
static void cast_to_half(gx_loop to_float, size_t item, void *out, const void *a, size_t n,
                         unsigned scalars) {
    float v[HALF_CHUNK];
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        to_float(v, (const char *)a + (scalars & 1 ? 0 : i * item), NULL, NULL, len, scalars);
        narrow((gx_half *)out + i, v, len);
    }
}

static void cast_from_half(gx_loop from_float, size_t item, void *out, const void *a, size_t n,
                           unsigned scalars) {
    float v[HALF_CHUNK];
    if (scalars & 1) widen(v, a, 1);
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        if (!(scalars & 1)) widen(v, (const gx_half *)a + i, len);
        from_float((char *)out + i * item, v, NULL, NULL, len, scalars);
    }
}

/* double to float, rounded to odd: rounding that to float16 is then as if done once. */
static inline float to_odd(double x) {
    union {
        float f;
        uint32_t u;
    } v = {(float)x};
    double back = (double)v.f;
    uint32_t odd = (v.u - (__builtin_fabs(back) > __builtin_fabs(x))) | 1;
    v.u = back != x && x == x ? odd : v.u;
    return v.f;
}

static void narrow_f64(void *out, const void *a, const void *b, const void *c, size_t n,
                    unsigned scalars) {
    const double *x = a;
    float *o = out;
    (void)b;
    (void)c;
    for (size_t i = 0; i < n; i++) o[i] = to_odd(x[scalars & 1 ? 0 : i]);
}

static void narrow_c128(void *out, const void *a, const void *b, const void *c, size_t n,
                     unsigned scalars) {
    const gx_c128 *x = a;
    float *o = out;
    (void)b;
    (void)c;
    for (size_t i = 0; i < n; i++) o[i] = to_odd(x[scalars & 1 ? 0 : i].re);
}

#define HALVES(id, type, via)                                                                      \
    static void cast_##id##_f16(void *out, const void *a, const void *b, const void *c, size_t n,  \
                                unsigned scalars) {                                                \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        cast_to_half(via, sizeof(type), out, a, n, scalars);                                       \
    }                                                                                              \
    static void cast_f16_##id(void *out, const void *a, const void *b, const void *c, size_t n,    \
                              unsigned scalars) {                                                  \
        (void)b;                                                                                   \
        (void)c;                                                                                   \
        cast_from_half(cast_f32_##id, sizeof(type), out, a, n, scalars);                           \
    }
HALVES(bool_, uint8_t, cast_bool__f32)
HALVES(i8, int8_t, cast_i8_f32)
HALVES(i16, int16_t, cast_i16_f32)
HALVES(i32, int32_t, cast_i32_f32)
HALVES(i64, int64_t, cast_i64_f32)
HALVES(u8, uint8_t, cast_u8_f32)
HALVES(u16, uint16_t, cast_u16_f32)
HALVES(u32, uint32_t, cast_u32_f32)
HALVES(u64, uint64_t, cast_u64_f32)
HALVES(f32, float, cast_f32_f32)
HALVES(f64, double, narrow_f64)
HALVES(c64, gx_c64, cast_c64_f32)
HALVES(c128, gx_c128, narrow_c128)
#define cast_f16_f16 cast_u16_u16
