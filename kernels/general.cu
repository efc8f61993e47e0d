/* The general kernel: it runs the program of any tape (general.h), element by element, until the
   tape's own kernel is compiled. Values are the same bits: steps are the rows of ops.def, compiled
   with the same options, and a reduction meets its elements in the order of
   runtime/backend/gpu/emit_reduce.c. nvcc compiles it when gx is built (tools/gpu-library).

   Values of steps, and states of reductions, are in the block's shared memory, a column a thread,
   since registers cannot be indexed. */
#define gx_c64 gx_host_c64 /* device.cu has them for a GPU */
#define gx_c128 gx_host_c128
#include "kernels/optable.h"
#undef gx_c64
#undef gx_c128
#include "kernels/general.h"
#include "kernels/scalar_side.h"
#define FN(f) f
#include "kernels/philox.h"
#include "kernels/device.cu"
GX_HALF(h)
GX_HALF(b)
GX_HALF_STEPS(h, 0x7e00, 0)
GX_HALF_STEPS(b, 0x7fc0, 1)

extern __shared__ unsigned long long gx_room[];

/* --- slots --- */

template <class S> struct gx_slot {
    static __device__ S get(int s) {
        return (S)gx_room[s * 256 + threadIdx.x];
    }
    static __device__ void put(int s, S v) {
        gx_room[s * 256 + threadIdx.x] = (unsigned long long)v;
    }
};
template <> struct gx_slot<float> {
    static __device__ float get(int s) {
        return __int_as_float((int)gx_room[s * 256 + threadIdx.x]);
    }
    static __device__ void put(int s, float v) {
        gx_room[s * 256 + threadIdx.x] = (unsigned)__float_as_int(v);
    }
};
template <> struct gx_slot<double> {
    static __device__ double get(int s) {
        return __longlong_as_double((long long)gx_room[s * 256 + threadIdx.x]);
    }
    static __device__ void put(int s, double v) {
        gx_room[s * 256 + threadIdx.x] = (unsigned long long)__double_as_longlong(v);
    }
};
template <> struct gx_slot<gx_c64> {
    static __device__ gx_c64 get(int s) {
        const unsigned long long w = gx_room[s * 256 + threadIdx.x];
        return gx_cplx(__int_as_float((int)w), __int_as_float((int)(w >> 32)));
    }
    static __device__ void put(int s, gx_c64 v) {
        gx_room[s * 256 + threadIdx.x] = (unsigned)__float_as_int(v.re) |
                                         (unsigned long long)(unsigned)__float_as_int(v.im) << 32;
    }
};
template <> struct gx_slot<gx_c128> {
    static __device__ gx_c128 get(int s) {
        return gx_cplx(gx_slot<double>::get(s), gx_slot<double>::get(s + 1));
    }
    static __device__ void put(int s, gx_c128 v) {
        gx_slot<double>::put(s, v.re);
        gx_slot<double>::put(s + 1, v.im);
    }
};
template <class S> GX_FN S gx_get(int s) {
    return gx_slot<S>::get(s);
}
template <class S> GX_FN void gx_put(int s, S v) {
    gx_slot<S>::put(s, v);
}

/* --- what steps need --- */

template <class S> GX_FN S gx_nought() {
    return S();
}
template <class S> GX_FN S gx_real(S v) { return v; }
GX_FN float gx_real(gx_c64 v) { return v.re; }
GX_FN double gx_real(gx_c128 v) { return v.re; }
template <class S> GX_FN int gx_imag(S) { return 0; }
GX_FN float gx_imag(gx_c64 v) { return v.im; }
GX_FN double gx_imag(gx_c128 v) { return v.im; }
template <class S> GX_FN bool gx_is_true(S v) { return v != 0; }
GX_FN bool gx_is_true(gx_c64 v) { return (v.re != 0) | (v.im != 0); }
GX_FN bool gx_is_true(gx_c128 v) { return (v.re != 0) | (v.im != 0); }
/* Integers stay as they are. */
template <class S> GX_FN S gx_whole_32(S x) { return x; }
GX_FN int gx_whole_32(float x) { return gx_trunc_32(x); }
GX_FN int gx_whole_32(double x) { return gx_trunc_32(x); }
template <class S> GX_FN S gx_whole_64(S x) { return x; }
GX_FN long long gx_whole_64(float x) { return gx_trunc_64(x); }
GX_FN long long gx_whole_64(double x) { return gx_trunc_64(x); }
template <class S> GX_FN S gx_whole_u64(S x) { return x; }
GX_FN unsigned long long gx_whole_u64(float x) { return gx_trunc_u64((double)x); }
GX_FN unsigned long long gx_whole_u64(double x) { return gx_trunc_u64(x); }
template <class S> GX_FN float gx_number(S x) { return (float)x; }
GX_FN double gx_number(double x) { return x; }
template <class S> GX_FN float gx_round_half(int dtype, S x) {
    return dtype == GX_f16 ? h_round(x) : b_round(x);
}

enum {
#define OP(name, arity, rule, ...) gx_rule_of_##name = GX_RULE_##rule,
#include "kernels/ops.def"
};
template <int RULE, class S> struct gx_first { typedef S type; };
template <class S> struct gx_first<GX_RULE_SELECT, S> { typedef unsigned char type; };
template <int RULE, class S, class R> struct gx_result { typedef S type; };
template <class S, class R> struct gx_result<GX_RULE_TRUTH, S, R> { typedef unsigned char type; };
template <class S, class R> struct gx_result<GX_RULE_INEXACT_TRUTH, S, R> {
    typedef unsigned char type;
};
template <class S, class R> struct gx_result<GX_RULE_COUNT, S, R> { typedef unsigned char type; };
template <class S, class R> struct gx_result<GX_RULE_REALPART, S, R> { typedef R type; };
template <class S, class R> struct gx_result<GX_RULE_INEXACT_REAL, S, R> { typedef R type; };

GX_FN bool gx_has_identity(int red) {
    switch (red) {
#define REDUCTION(name, rule, ufunc, has_identity, ...)                                            \
    case GX_RED_##name: return has_identity;
#include "kernels/reductions.def"
    }
    return false;
}

#define T unsigned char
#define R unsigned char
#define U unsigned
#define NAME gx_type_bool
#define KIND 0
#include "kernels/general_type.inc"
#define T signed char
#define R signed char
#define U unsigned
#define NAME gx_type_i8
#define KIND 1
#include "kernels/general_type.inc"
#define T short
#define R short
#define U unsigned
#define NAME gx_type_i16
#define KIND 1
#include "kernels/general_type.inc"
#define T int
#define R int
#define U unsigned
#define NAME gx_type_i32
#define KIND 1
#include "kernels/general_type.inc"
#define T long long
#define R long long
#define U unsigned long long
#define NAME gx_type_i64
#define KIND 1
#include "kernels/general_type.inc"
#define T unsigned char
#define R unsigned char
#define U unsigned
#define NAME gx_type_u8
#define KIND 2
#include "kernels/general_type.inc"
#define T unsigned short
#define R unsigned short
#define U unsigned
#define NAME gx_type_u16
#define KIND 2
#include "kernels/general_type.inc"
#define T unsigned int
#define R unsigned int
#define U unsigned
#define NAME gx_type_u32
#define KIND 2
#include "kernels/general_type.inc"
#define T unsigned long long
#define R unsigned long long
#define U unsigned long long
#define NAME gx_type_u64
#define KIND 2
#include "kernels/general_type.inc"
#define T float
#define R float
#define NAME gx_type_f32
#define KIND 3
#include "kernels/general_type.inc"
#define T double
#define R double
#define NAME gx_type_f64
#define KIND 3
#include "kernels/general_type.inc"
#define T gx_c64
#define R float
#define NAME gx_type_c64
#define KIND 4
#include "kernels/general_type.inc"
#define T gx_c128
#define R double
#define NAME gx_type_c128
#define KIND 4
#include "kernels/general_type.inc"

#define GX_COMPUTING(X)                                                                            \
    X(bool) X(i8) X(i16) X(i32) X(i64) X(u8) X(u16) X(u32) X(u64) X(f32) X(f64) X(c64) X(c128)

/* --- elements --- */

struct gx_program {
    gx_general g;
    gx_general_port port[1];
};

GX_FN unsigned long long gx_over(unsigned long long q, unsigned long long n) {
    return (q | n) >> 32 ? q / n : (unsigned)q / (unsigned)n;
}

/* Where the element of a port lies that is kept element k's and r in the reduced dims. */
static __device__ __noinline__ long long gx_offset(const gx_general &g, const gx_general_port &p,
                                                   unsigned long long k, unsigned long long r) {
    long long at = p.base;
#pragma unroll 1
    for (int d = g.nd - 1; d >= 0; d--) {
        unsigned long long &q = d >= g.kept ? r : k, x = q;
        if (d != 0 && d != g.kept) {
            q = gx_over(q, (unsigned long long)g.n[d]);
            x -= q * (unsigned long long)g.n[d];
        }
        at += (long long)x * p.strides[d];
    }
    return at;
}

template <class S> GX_FN S gx_fetch(long long at) {
    return at % (long long)sizeof(S) ? gx_load_bytes<S>((const char *)at) : *(const S *)at;
}
template <class S> GX_FN void gx_leave(long long at, S v) {
    if (at % (long long)sizeof(S)) gx_store_bytes((char *)at, v);
    else *(S *)at = v;
}

template <class S> GX_FN S gx_constant(const uint64_t *w) {
    return *(const S *)w;
}
template <> __device__ __forceinline__ gx_c128 gx_constant(const uint64_t *w) {
    return gx_cplx(((const double *)w)[0], ((const double *)w)[1]);
}

static __device__ __noinline__ void gx_put_constant(int slot, int dtype,
                                                    const uint64_t *w) {
    switch (dtype) {
    case GX_bool: gx_put(slot, gx_constant<unsigned char>(w)); break;
    case GX_i8: gx_put(slot, gx_constant<signed char>(w)); break;
    case GX_i16: gx_put(slot, gx_constant<short>(w)); break;
    case GX_i32: gx_put(slot, gx_constant<int>(w)); break;
    case GX_i64: gx_put(slot, gx_constant<long long>(w)); break;
    case GX_u8: gx_put(slot, gx_constant<unsigned char>(w)); break;
    case GX_u16: gx_put(slot, gx_constant<unsigned short>(w)); break;
    case GX_u32: gx_put(slot, gx_constant<unsigned>(w)); break;
    case GX_u64: gx_put(slot, gx_constant<unsigned long long>(w)); break;
    case GX_f16: gx_put(slot, h_wide(gx_constant<unsigned short>(w))); break;
    case GX_bf16: gx_put(slot, b_wide(gx_constant<unsigned short>(w))); break;
    case GX_f32: gx_put(slot, gx_constant<float>(w)); break;
    case GX_f64: gx_put(slot, gx_constant<double>(w)); break;
    case GX_c64: gx_put(slot, gx_constant<gx_c64>(w)); break;
    case GX_c128: gx_put(slot, gx_constant<gx_c128>(w)); break;
    }
}

static __device__ __noinline__ void gx_load_memory(int slot, int dtype, long long at) {
    switch (dtype) {
    case GX_bool: gx_put(slot, gx_fetch<unsigned char>(at)); break;
    case GX_i8: gx_put(slot, gx_fetch<signed char>(at)); break;
    case GX_i16: gx_put(slot, gx_fetch<short>(at)); break;
    case GX_i32: gx_put(slot, gx_fetch<int>(at)); break;
    case GX_i64: gx_put(slot, gx_fetch<long long>(at)); break;
    case GX_u8: gx_put(slot, gx_fetch<unsigned char>(at)); break;
    case GX_u16: gx_put(slot, gx_fetch<unsigned short>(at)); break;
    case GX_u32: gx_put(slot, gx_fetch<unsigned>(at)); break;
    case GX_u64: gx_put(slot, gx_fetch<unsigned long long>(at)); break;
    case GX_f16: gx_put(slot, h_wide(gx_fetch<unsigned short>(at))); break;
    case GX_bf16: gx_put(slot, b_wide(gx_fetch<unsigned short>(at))); break;
    case GX_f32: gx_put(slot, gx_fetch<float>(at)); break;
    case GX_f64: gx_put(slot, gx_fetch<double>(at)); break;
    case GX_c64: gx_put(slot, gx_fetch<gx_c64>(at)); break;
    case GX_c128: gx_put(slot, gx_fetch<gx_c128>(at)); break;
    }
}

static __device__ __noinline__ void gx_store_memory(int slot, int dtype, long long at) {
    switch (dtype) {
    case GX_bool:
    case GX_i8:
    case GX_u8: gx_leave(at, gx_get<unsigned char>(slot)); break;
    case GX_i16:
    case GX_u16: gx_leave(at, gx_get<unsigned short>(slot)); break;
    case GX_i32:
    case GX_u32: gx_leave(at, gx_get<unsigned>(slot)); break;
    case GX_i64:
    case GX_u64: gx_leave(at, gx_get<unsigned long long>(slot)); break;
    case GX_f16: gx_leave(at, h_bits(gx_get<float>(slot))); break;
    case GX_bf16: gx_leave(at, b_bits(gx_get<float>(slot))); break;
    case GX_f32: gx_leave(at, gx_get<float>(slot)); break;
    case GX_f64: gx_leave(at, gx_get<double>(slot)); break;
    case GX_c64: gx_leave(at, gx_get<gx_c64>(slot)); break;
    case GX_c128: gx_leave(at, gx_get<gx_c128>(slot)); break;
    }
}

/* Counting: first + position * step in the leaf's dtype. */
template <class S> GX_FN S gx_count_whole(const gx_general_port &p, long long at) {
    return (S)((unsigned long long)gx_constant<S>(p.first) +
               (unsigned long long)at * (unsigned long long)gx_constant<S>(p.step));
}
template <class S> GX_FN S gx_count(const S &first, const S &step, long long at) {
    return first + (S)at * step;
}
static __device__ __noinline__ void gx_load_count(int slot, const gx_general_port &p,
                                                  long long at) {
    switch (p.dtype) {
    case GX_bool:
        gx_put(slot, (unsigned char)((p.first[0] & 255) != 0 || ((p.step[0] & 255) != 0 && at)));
        break;
    case GX_i8: gx_put(slot, gx_count_whole<signed char>(p, at)); break;
    case GX_i16: gx_put(slot, gx_count_whole<short>(p, at)); break;
    case GX_i32: gx_put(slot, gx_count_whole<int>(p, at)); break;
    case GX_i64: gx_put(slot, gx_count_whole<long long>(p, at)); break;
    case GX_u8: gx_put(slot, gx_count_whole<unsigned char>(p, at)); break;
    case GX_u16: gx_put(slot, gx_count_whole<unsigned short>(p, at)); break;
    case GX_u32: gx_put(slot, gx_count_whole<unsigned>(p, at)); break;
    case GX_u64: gx_put(slot, gx_count_whole<unsigned long long>(p, at)); break;
    case GX_f16:
    case GX_bf16: {
        gx_put_constant(slot, p.dtype, p.first);
        const float first = gx_get<float>(slot);
        gx_put_constant(slot, p.dtype, p.step);
        gx_put(slot, gx_round_half(p.dtype, gx_count(first, gx_get<float>(slot), at)));
        break;
    }
    case GX_f32:
        gx_put(slot, gx_count(gx_constant<float>(p.first), gx_constant<float>(p.step), at));
        break;
    case GX_f64:
        gx_put(slot, gx_count(gx_constant<double>(p.first), gx_constant<double>(p.step), at));
        break;
    case GX_c64: {
        const gx_c64 f = gx_constant<gx_c64>(p.first), s = gx_constant<gx_c64>(p.step);
        gx_put(slot, gx_cplx(gx_count(f.re, s.re, at), gx_count(f.im, s.im, at)));
        break;
    }
    case GX_c128: {
        const gx_c128 f = gx_constant<gx_c128>(p.first), s = gx_constant<gx_c128>(p.step);
        gx_put(slot, gx_cplx(gx_count(f.re, s.re, at), gx_count(f.im, s.im, at)));
        break;
    }
    }
}

template <int D, class S> GX_FN void gx_put_random(int slot, const gx_general_port &p,
                                                   long long at) {
    S v;
    gx_random<D, 1>(&v, p.seed, (unsigned long long)at);
    gx_put(slot, v);
}
static __device__ __noinline__ void gx_load_random(int slot, const gx_general_port &p,
                                                   long long at) {
    switch (p.dist) {
    case 0: gx_put_random<0, unsigned>(slot, p, at); break;
    case 1: gx_put_random<1, float>(slot, p, at); break;
    case 2: gx_put_random<2, double>(slot, p, at); break;
    case 3: gx_put_random<3, float>(slot, p, at); break;
    case 4: gx_put_random<4, double>(slot, p, at); break;
    case 5: gx_put_random<5, unsigned long long>(slot, p, at); break;
    }
}

/* Runs the program for one element; what conditions it met. */
static __device__ __noinline__ int gx_run(const gx_program *at, unsigned long long k,
                                          unsigned long long r) {
    const gx_general &g = at->g;
    const gx_general_step *step = (const gx_general_step *)(at->port + g.n_port);
    const uint64_t *constants =
        (const uint64_t *)(step + g.n_step + (g.form != GX_GENERAL_MAP));
    int met = 0;
#pragma unroll 1
    for (int i = 0; i < g.n_step; i++) {
        const gx_general_step &s = step[i];
        switch (s.kind) {
        case GX_GENERAL_LOAD: {
            const gx_general_port &p = at->port[s.arg];
            const long long place = gx_offset(g, p, k, r);
            if (p.kind == 0) gx_load_memory(s.to, s.dtype, place);
            else if (p.kind == 1) gx_load_count(s.to, p, place);
            else gx_load_random(s.to, p, place);
            break;
        }
        case GX_GENERAL_CONST: gx_put_constant(s.to, s.dtype, constants + 2 * s.arg); break;
        case GX_GENERAL_CAST:
            switch (s.compute) {
#define X(id)                                                                                      \
    case GX_##id: met |= gx_type_##id::cast(s); break;
                GX_COMPUTING(X)
#undef X
            case GX_f16:
            case GX_bf16: met |= gx_type_f32::cast(s); break;
            }
            break;
        default:
            switch (s.compute) {
#define X(id)                                                                                      \
    case GX_##id: met |= gx_type_##id::operate(s); break;
                GX_COMPUTING(X)
#undef X
            case GX_f16:
            case GX_bf16: met |= gx_type_f32::operate(s); break;
            }
        }
    }
    return met;
}

GX_FN void gx_finish(const gx_general &g, int met) {
    if (g.fp) gx_tell(g.fp, g.told, met);
}

GX_FN void gx_map(const gx_program *at) {
    const gx_general &g = at->g;
    const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
    if (i >= (unsigned long long)g.total) return;
    const int met = gx_run(at, i, 0);
#pragma unroll 1
    for (int k = g.n_leaf; k < g.n_port; k++)
        gx_store_memory(at->port[k].slot, at->port[k].dtype, gx_offset(g, at->port[k], i, 0));
    gx_finish(g, met);
}

#include "kernels/general_fold.inc"

/* --- the kernels --- */

struct gx_at {
    const gx_program *at;
};
extern "C" __global__ void __launch_bounds__(256) gx_general_map(const __grid_constant__ gx_at p) {
    gx_map(p.at);
}
template <class F> GX_FN void gx_fold_as(const gx_program *at) {
    if (at->g.index) gx_reduce<gx_places<F>>(at);
    else gx_reduce<gx_values<F>>(at);
}
extern "C" __global__ void __launch_bounds__(256)
    gx_general_reduce(const __grid_constant__ gx_at p) {
    if (p.at->g.about) {
        gx_reduce<gx_spread>(p.at);
        return;
    }
    switch (p.at->g.acc) {
    case GX_bool: gx_fold_as<gx_type_bool::folds>(p.at); break;
    case GX_i8:
    case GX_i16:
    case GX_i32:
    case GX_i64: gx_fold_as<gx_type_i64::folds>(p.at); break;
    case GX_u8:
    case GX_u16:
    case GX_u32:
    case GX_u64: gx_fold_as<gx_type_u64::folds>(p.at); break;
    case GX_f16:
    case GX_bf16:
    case GX_f32: gx_fold_as<gx_type_f32::folds>(p.at); break;
    case GX_f64: gx_fold_as<gx_type_f64::folds>(p.at); break;
    case GX_c64: gx_fold_as<gx_type_c64::folds>(p.at); break;
    case GX_c128: gx_fold_as<gx_type_c128::folds>(p.at); break;
    }
}
