/* Pieces of device text, in sections: a line "//: name" begins one, and a kernel gets only those
   that it uses (runtime/backend/gpu/emit.c). Header-free, for NVRTC; GX_FN is scalar_side.h's. */

//: complex
struct alignas(8) gx_c64 {
    float re, im;
};
struct alignas(16) gx_c128 {
    double re, im;
};
GX_FN gx_c64 gx_cplx(float re, float im) {
    gx_c64 r;
    r.re = re;
    r.im = im;
    return r;
}
GX_FN gx_c128 gx_cplx(double re, double im) {
    gx_c128 r;
    r.re = re;
    r.im = im;
    return r;
}
//: vector
/* V elements in one access: the address is a multiple of their bytes. */
template <class S, int V> struct alignas(sizeof(S) * V) gx_pack {
    S v[V];
};
template <int V, class S> GX_FN void gx_load(S *to, const char *from) {
    gx_pack<S, V> got = *(const gx_pack<S, V> *)from;
#pragma unroll
    for (int k = 0; k < V; k++) to[k] = got.v[k];
}
template <int V, class S> GX_FN void gx_store(char *to, const S *from) {
    gx_pack<S, V> put;
#pragma unroll
    for (int k = 0; k < V; k++) put.v[k] = from[k];
    *(gx_pack<S, V> *)to = put;
}
//: bytes
/* Elements at any address. */
template <class S> GX_FN S gx_load_bytes(const char *from) {
    union {
        unsigned char b[sizeof(S)];
        S v;
    } u;
    for (int k = 0; k < (int)sizeof(S); k++) u.b[k] = (unsigned char)from[k];
    return u.v;
}
template <class S> GX_FN void gx_store_bytes(char *to, S v) {
    union {
        unsigned char b[sizeof(S)];
        S v;
    } u;
    u.v = v;
    for (int k = 0; k < (int)sizeof(S); k++) to[k] = (char)u.b[k];
}
//: divide
/* x / d for x below 2^31, with the multiplier and the shift that belong to d. */
GX_FN unsigned gx_quotient(unsigned x, unsigned multiplier, unsigned shift) {
    return (__umulhi(x, multiplier) + x) >> shift;
}
//: half_h
GX_FN float h_wide(unsigned short h) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
}
GX_FN unsigned short h_bits(float f) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
}
GX_FN unsigned short h_bits(double f) {
    unsigned short h;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(f));
    return h;
}
//: half_b
/* The upper half of a float32; not every GPU has an instruction for it. */
GX_FN float b_wide(unsigned short b) {
    return __int_as_float((int)b << 16);
}
GX_FN unsigned short b_bits(float f) {
    unsigned u = (unsigned)__float_as_int(f);
    if (f != f) return (unsigned short)((u >> 16 & 0x8000) | 0x7fc0);
    return (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
GX_FN unsigned short b_bits(double f) {
    return b_bits((float)f);
}
//: half
/* A half is computed in float32; a value is rounded after every step. H begins the names of the
   dtype's conversions. */
#define GX_HALF(H)                                                                                 \
    GX_FN float H##_round(float f) {                                                               \
        return H##_wide(H##_bits(f));                                                              \
    }                                                                                              \
    GX_FN float H##_round(double f) {                                                              \
        return H##_wide(H##_bits(f));                                                              \
    }
//: half_steps
/* To the next number; spacing is measured away from zero or always upwards. */
#define GX_HALF_STEPS(H, QUIET, AWAY)                                                              \
    GX_FN unsigned short H##_step(float x, float towards) {                                        \
        unsigned short bits = H##_bits(x);                                                         \
        if (x != x || towards != towards) return QUIET;                                            \
        if (x == towards) return bits;                                                             \
        if (x == 0) return (unsigned short)((H##_bits(towards) & 0x8000) | 1);                     \
        return (unsigned short)((x < towards) == (x > 0) ? bits + 1 : bits - 1);                   \
    }                                                                                              \
    GX_FN float H##_nextafter(float x, float y) {                                                  \
        return H##_wide(H##_step(x, y));                                                           \
    }                                                                                              \
    GX_FN float H##_spacing(float x) {                                                             \
        if (x - x != 0) return __int_as_float(0x7fc00000);                                         \
        const bool down = AWAY && __float_as_int(x) < 0;                                           \
        const float end = __int_as_float(down ? (int)0xff800000 : 0x7f800000);                     \
        return H##_round(H##_wide(H##_step(x, end)) - x);                                          \
    }
//: trunc
/* Floats to integers as x86's instructions: out of range and nan give the lowest integer. */
GX_FN bool gx_fits_32(double x) {
    return x > -2147483649.0 && x < 2147483648.0;
}
GX_FN bool gx_fits_32(float x) {
    return x >= -2147483648.0f && x < 2147483648.0f;
}
GX_FN bool gx_fits_64(double x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0;
}
GX_FN bool gx_fits_64(float x) {
    return x >= -9223372036854775808.0f && x < 9223372036854775808.0f;
}
GX_FN bool gx_fits_u64(double x) {
    return x >= -9223372036854775808.0 && x < 18446744073709551616.0;
}
GX_FN int gx_trunc_32(double x) {
    return gx_fits_32(x) ? (int)x : -2147483647 - 1;
}
GX_FN int gx_trunc_32(float x) {
    return gx_fits_32(x) ? (int)x : -2147483647 - 1;
}
GX_FN long long gx_trunc_64(double x) {
    return gx_fits_64(x) ? (long long)x : -9223372036854775807LL - 1;
}
GX_FN long long gx_trunc_64(float x) {
    return gx_fits_64(x) ? (long long)x : -9223372036854775807LL - 1;
}
GX_FN unsigned long long gx_trunc_u64(double x) {
    if (x >= 9223372036854775808.0)
        return (unsigned long long)gx_trunc_64(x - 9223372036854775808.0) ^ (1ull << 63);
    return (unsigned long long)gx_trunc_64(x);
}
//: conditions
/* NumPy's floating-point conditions from values: nan out of no nan is invalid; what infinity out
   of finite operands is, depends on the class (GX_MET_* in kernels/general.h). */
GX_FN int gx_met_inf(int cls, bool x_zero, bool y_zero) {
    if (cls == 0) return 0;
    if (cls == 1 || (cls == 3 && x_zero) || (cls >= 4 && y_zero)) return 1;
    return cls == 5 ? 2 | 8 : 2;
}
GX_FN bool gx_is_inf(double x) {
    return fabs(x) == (double)__int_as_float(0x7f800000);
}
GX_FN bool gx_is_odd(float x) {
    return !(fabsf(x) < __int_as_float(0x7f800000));
}
GX_FN bool gx_is_odd(double x) {
    return (__double2hiint(x) & 0x7ff00000) == 0x7ff00000;
}
template <class A> GX_FN int gx_met(int cls, A r, A x, A y) {
    int met = 0;
    if (r != r && x == x && y == y) met |= 8;
    if (gx_is_inf(r) && !gx_is_odd(x) && !gx_is_odd(y)) met |= gx_met_inf(cls, x == 0, y == 0);
    return met;
}
/* The word may be the host's memory, where each access takes long: what was told already is known
   here from `told`. */
GX_FN void gx_tell(int *word, int *told, int met) {
    met &= 31;
    if (!met || (*(volatile int *)told & met) == met) return;
    if ((atomicOr(told, met) & met) != met) atomicOr(word, met);
}
/* A finite value that rounding made infinite. */
template <class A, class B> GX_FN int gx_met_narrow(A from, B to) {
    return gx_is_inf(to) && !gx_is_inf(from) ? 2 : 0;
}
//: complex_conditions
GX_FN bool gx_is_odd(gx_c64 x) {
    return gx_is_odd(x.re) || gx_is_odd(x.im);
}
GX_FN bool gx_is_odd(gx_c128 x) {
    return gx_is_odd(x.re) || gx_is_odd(x.im);
}
template <class A, class C> GX_FN int gx_met_part(int cls, A r, C x, C y) {
    int met = 0;
    bool nan = x.re != x.re || x.im != x.im || y.re != y.re || y.im != y.im;
    if (r != r && !nan) met |= 8;
    if (gx_is_inf(r) && !gx_is_odd(x) && !gx_is_odd(y))
        met |= gx_met_inf(cls, x.re == 0 && x.im == 0, y.re == 0 && y.im == 0);
    return met;
}
template <class C> GX_FN int gx_met(int cls, C r, C x, C y, int parts) {
    return gx_met_part(cls, r.re, x, y) | gx_met_part(cls, r.im, x, y);
}
//: select
/* The sum of a value over the 256 threads of a block, for all of them. */
GX_FN unsigned long long gx_block_sum(unsigned long long c, unsigned long long *warps) {
    for (int by = 16; by > 0; by /= 2) c += __shfl_down_sync(0xffffffffu, c, by);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = c;
    __syncthreads();
    c = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) c += warps[k];
    return c;
}
/* A tile's count, the counts of groups of 256 tiles, and the count of all. */
struct gx_found {
    unsigned long long *all, *groups;
    unsigned *tiles;
    char *marks;
};
GX_FN void gx_add_found(const gx_found &f, unsigned found) {
    f.tiles[blockIdx.x] = found;
    if (found == 0) return;
    atomicAdd(f.groups + (blockIdx.x >> 8), (unsigned long long)found);
    atomicAdd(f.all, (unsigned long long)found);
}
/* This thread's share of what the tiles before this one have. */
GX_FN unsigned long long gx_found_before(const gx_found &f) {
    unsigned long long c = 0;
    const unsigned group = blockIdx.x >> 8, tile = group << 8 | threadIdx.x;
    for (unsigned g = threadIdx.x; g < group; g += 256) c += f.groups[g];
    return tile < blockIdx.x ? c + f.tiles[tile] : c;
}
//: random
/* Element `at` of a stream, or V of them where `at` is a multiple of V. Kinds: 0 words, 1 and 2
   uniforms, 3 and 4 normals, of 32 and 64 bits, 5 pairs of words. */
template <int D, class S>
GX_FN void gx_random_four(S *to, unsigned long long seed, unsigned long long u) {
    if (D == 0 || D == 1 || D == 3) {
        gx_philox_u32 w[4];
        gx_philox_four(seed, u, w);
        if (D == 3) {
            float a, b;
            gx_philox_normal32(w[0], w[1], &a, &b);
            to[0] = (S)a;
            to[1] = (S)b;
            gx_philox_normal32(w[2], w[3], &a, &b);
            to[2] = (S)a;
            to[3] = (S)b;
            return;
        }
#pragma unroll
        for (int k = 0; k < 4; k++) to[k] = D == 0 ? (S)w[k] : (S)gx_philox_uniform32(w[k]);
    }
}
template <int D, class S>
GX_FN void gx_random_two(S *to, unsigned long long seed, unsigned long long at) {
    gx_philox_u32 w[4];
    unsigned long long u = at / 4;
    gx_philox_block(seed, 2 * (u >> 16) + (at % 4) / 2, u & 65535U, w);
    gx_philox_u64 a = (gx_philox_u64)w[1] << 32 | w[0], b = (gx_philox_u64)w[3] << 32 | w[2];
    if (D == 5) {
        to[0] = (S)a;
        to[1] = (S)b;
    } else if (D == 2) {
        to[0] = (S)gx_philox_uniform64(a);
        to[1] = (S)gx_philox_uniform64(b);
    } else {
        double x, y;
        gx_philox_normal64(gx_philox_uniform64(a), gx_philox_uniform64(b), &x, &y);
        to[0] = (S)x;
        to[1] = (S)y;
    }
}
template <int D, int V, class S>
GX_FN void gx_random(S *to, unsigned long long seed, unsigned long long at) {
    if (D == 0 || D == 1 || D == 3) {
        S four[4];
        gx_random_four<D>(four, seed, at / 4);
        if (V >= 4) {
#pragma unroll
            for (int k = 0; k < V && k < 4; k++) to[k] = four[k];
        } else {
#pragma unroll
            for (int k = 0; k < V; k++) {
                int j = (int)(at + (unsigned long long)k) & 3;
                to[k] = j == 0 ? four[0] : j == 1 ? four[1] : j == 2 ? four[2] : four[3];
            }
        }
    } else {
        S two[2];
        gx_random_two<D>(two, seed, at);
        if (V == 1) to[0] = at & 1 ? two[1] : two[0];
        else {
            to[0] = two[0];
            to[V > 1 ? 1 : 0] = two[1];
        }
    }
}
//: reduce
/* A state moved down a warp, whatever its size. */
template <class S> GX_FN S gx_shuffle(S s, int by) {
    union words {
        S s;
        unsigned w[(sizeof(S) + 3) / 4];
        __device__ words() {}
    } u;
    u.s = s;
#pragma unroll
    for (int k = 0; k < (int)((sizeof(S) + 3) / 4); k++)
        u.w[k] = __shfl_down_sync(0xffffffffu, u.w[k], by);
    return u.s;
}
/* Read past the first-level cache: another block has written it. */
template <class S> GX_FN S gx_fresh(const S *from) {
    union words {
        S s;
        unsigned char b[sizeof(S)];
        unsigned short h[(sizeof(S) + 1) / 2];
        unsigned w[(sizeof(S) + 3) / 4];
        __device__ words() {}
    } u;
    if (sizeof(S) % 4 == 0) {
#pragma unroll
        for (int k = 0; k < (int)(sizeof(S) / 4); k++)
            u.w[k] = *((const volatile unsigned *)from + k);
    } else if (sizeof(S) % 2 == 0) {
        u.h[0] = *(const volatile unsigned short *)from;
    } else {
        u.b[0] = *(const volatile unsigned char *)from;
    }
    return u.s;
}
