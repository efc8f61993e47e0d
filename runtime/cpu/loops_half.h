/* float16: converted to float32 in chunks, computed by the float32 loops, rounded back after every
   operation, as NumPy does. With F16C where the instruction set has it, else the same bits by
   integer arithmetic. Included by loops_make.h after the float32 loops. */

static inline float half_widen(gx_half h) {
    union {
        uint32_t u;
        float f;
    } v = {(uint32_t)(h.bits & 0x7fff) << 13};
    v.f *= 0x1p112f;
    if ((h.bits & 0x7c00) == 0x7c00) v.u |= 0x7f800000;
    if ((h.bits & 0x7fff) > 0x7c00) v.u |= 0x400000;
    v.u |= (uint32_t)(h.bits & 0x8000) << 16;
    return v.f;
}

/* Nearest, halves to even; *overflow is set when a finite value becomes infinite. */
static inline gx_half half_narrow(float f, unsigned *overflow) {
    union {
        float f;
        uint32_t u;
    } v = {f}, w;
    uint32_t sign = v.u >> 16 & 0x8000, a = v.u & 0x7fffffff, r;
    w.u = a;
    w.f += 0.5f;
    uint32_t small = w.u - 0x3f000000;
    uint32_t normal = (a + (a >> 13 & 1) + 0xfff - (112u << 23)) >> 13;
    r = a < 0x38800000 ? small : normal;
    r = a >= 0x477ff000 ? 0x7c00 : r;
    r = a > 0x7f800000 ? 0x7e00 | (a >> 13 & 0x3ff) : r;
    *overflow |= (a >= 0x477ff000) & (a < 0x7f800000);
    return (gx_half){(uint16_t)(sign | r)};
}

static void widen(float *out, const gx_half *in, size_t n) {
    size_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(in + i))));
#endif
    for (; i < n; i++) out[i] = half_widen(in[i]);
}

static void narrow(gx_half *out, const float *in, size_t n) {
    unsigned overflow = 0, csr = _mm_getcsr();
    size_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((void *)(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(in + i), 0));
    csr = _mm_getcsr();
#endif
    for (; i < n; i++) out[i] = half_narrow(in[i], &overflow);
    _mm_setcsr(csr | (overflow ? MX_OVERFLOW : 0));
}

enum { HALF_CHUNK = 256 };

static void half_op(gx_loop op, int arity, bool narrows, void *out, const void *const *in, size_t n,
                    unsigned scalars) {
    float v[3][HALF_CHUNK], r[HALF_CHUNK];
    for (int k = 0; k < arity; k++)
        if (scalars >> k & 1) widen(v[k], in[k], 1);
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        for (int k = 0; k < arity; k++)
            if (!(scalars >> k & 1)) widen(v[k], (const gx_half *)in[k] + i, len);
        if (narrows) {
            op(r, v[0], v[1], v[2], len, scalars);
            narrow((gx_half *)out + i, r, len);
        } else {
            op((uint8_t *)out + i, v[0], v[1], v[2], len, scalars);
        }
    }
}

/* The two whose meaning is about the format's own neighbours. */
static gx_half half_step(gx_half x, gx_half towards) {
    float f = half_widen(x), g = half_widen(towards);
    if (f != f || g != g) return (gx_half){0x7e00};
    if (f == g) return towards;
    if (f == 0) return (gx_half){(uint16_t)((towards.bits & 0x8000) | 1)};
    return (gx_half){(uint16_t)((f < g) == (f > 0) ? x.bits + 1 : x.bits - 1)};
}

static void half_nextafter(void *out, const void *a, const void *b, size_t n,
                           unsigned scalars) {
    const gx_half *x = a, *y = b;
    gx_half *o = out;
    unsigned csr = _mm_getcsr(), flags = 0;
    for (size_t i = 0; i < n; i++) {
        gx_half from = x[scalars & 1 ? 0 : i], to = y[scalars & 2 ? 0 : i];
        gx_half r = half_step(from, to);
        if ((r.bits & 0x7fff) == 0x7c00 && (from.bits & 0x7fff) != 0x7c00 && r.bits != to.bits)
            flags |= MX_OVERFLOW;
        o[i] = r;
    }
    _mm_setcsr(csr | flags);
}

static void half_spacing(void *out, const void *a, size_t n, unsigned scalars) {
    const gx_half *x = a;
    gx_half *o = out;
    unsigned csr = _mm_getcsr(), flags = 0;
    for (size_t i = 0; i < n; i++) {
        gx_half from = x[scalars & 1 ? 0 : i];
        if ((from.bits & 0x7fff) == 0x7c00) {
            o[i] = (gx_half){0x7e00};
            flags |= MX_INVALID;
            continue;
        }
        gx_half to = half_step(from, (gx_half){(uint16_t)((from.bits & 0x8000) | 0x7c00)});
        unsigned over = 0;
        o[i] = half_narrow(half_widen(to) - half_widen(from), &over);
    }
    _mm_setcsr(csr | flags);
}

#define FLOAT(op, ...)                                                                             \
    static void op_##op##_f16(void *out, const void *a, const void *b, const void *c, size_t n,    \
                              unsigned scalars) {                                                  \
        if (HAS_RULE(op, SELECT)) op_where_u16(out, a, b, c, n, scalars);                          \
        else if ((int)GX_OP_##op == GX_OP_nextafter) half_nextafter(out, a, b, n, scalars);        \
        else if ((int)GX_OP_##op == GX_OP_spacing) half_spacing(out, a, n, scalars);               \
        else half_op(op_##op##_f32, ARITY_##op,                                                    \
                !(HAS_RULE(op, TRUTH) || HAS_RULE(op, INEXACT_TRUTH)), out,          \
                (const void *const[3]){a, b, c}, n, scalars);                                      \
    }
#include "kernels/ops.def"

/* Folds of float16 states; sums of float16 arrays accumulate in float32 and do not come here. */
static void half_fold(gx_fold fold, void *state, const gx_half *in, size_t n) {
    float v[HALF_CHUNK], s = half_widen(*(gx_half *)state);
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        widen(v, in + i, len);
        fold(&s, v, len);
    }
    narrow(state, &s, 1);
}

static void half_rows(gx_fold_rows rows, gx_half *state, const gx_half *in, size_t n) {
    float v[HALF_CHUNK], s[HALF_CHUNK];
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        widen(v, in + i, len);
        widen(s, state + i, len);
        rows(s, v, len);
        narrow(state + i, s, len);
    }
}

#define FLOAT(red, ...)                                                                            \
    static void fold_##red##_f16(void *state, const void *in, size_t n) {                          \
        half_fold(fold_##red##_f32, state, in, n);                                                 \
    }                                                                                              \
    static void rows_##red##_f16(void *state, const void *in, size_t n) {                          \
        half_rows(rows_##red##_f32, state, in, n);                                                 \
    }                                                                                              \
    static void start_##red##_f16(void *state) {                                                   \
        float s;                                                                                   \
        start_##red##_f32(&s);                                                                     \
        narrow(state, &s, 1);                                                                      \
    }
#include "kernels/reductions.def"

static int64_t arg_f16(int red, void *best, const void *in, size_t n, bool first) {
    float v[HALF_CHUNK], top = half_widen(*(const gx_half *)best);
    int64_t at = -1;
    for (size_t i = 0; i < n; i += HALF_CHUNK) {
        size_t len = n - i < HALF_CHUNK ? n - i : HALF_CHUNK;
        widen(v, (const gx_half *)in + i, len);
        int64_t k = arg_f32(red, &top, v, len, first);
        if (k >= 0) at = (int64_t)i + k;
        first = false;
    }
    if (at >= 0) memcpy(best, (const gx_half *)in + at, sizeof(gx_half));
    return at;
}
