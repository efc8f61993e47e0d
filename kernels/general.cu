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
    case GX_##id: met |= gx_type_##id::run(s); break;
                GX_COMPUTING(X)
#undef X
            case GX_f16:
            case GX_bf16: met |= gx_type_f32::run(s); break;
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

/* --- states --- */

enum { GX_SAW_NAN = 256, GX_SAW_INF = 512 };

template <class S> GX_FN bool gx_is_nan(S v) { return v != v; }
GX_FN bool gx_is_nan(gx_c64 v) { return v.re != v.re || v.im != v.im; }
GX_FN bool gx_is_nan(gx_c128 v) { return v.re != v.re || v.im != v.im; }
template <class S> GX_FN bool gx_odd(S) { return false; }
GX_FN bool gx_odd(float v) { return gx_is_odd(v); }
GX_FN bool gx_odd(double v) { return gx_is_odd(v); }
GX_FN bool gx_odd(gx_c64 v) { return gx_is_odd(v); }
GX_FN bool gx_odd(gx_c128 v) { return gx_is_odd(v); }
template <class S> GX_FN int gx_met_sum(S, S, S) { return 0; }
GX_FN int gx_met_sum(float r, float x, float y) { return gx_met(GX_MET_RANGE, r, x, y); }
GX_FN int gx_met_sum(double r, double x, double y) { return gx_met(GX_MET_RANGE, r, x, y); }
GX_FN int gx_met_sum(gx_c64 r, gx_c64 x, gx_c64 y) { return gx_met(GX_MET_RANGE, r, x, y, 2); }
GX_FN int gx_met_sum(gx_c128 r, gx_c128 x, gx_c128 y) { return gx_met(GX_MET_RANGE, r, x, y, 2); }

/* What a reduction keeps: a value; a value and its place; squared distances from the mean. Each
   says how values and states join, as emit_reduce.c writes it for one kernel. */
template <class F> struct gx_values {
    typedef typename F::value value;
    struct state {
        value v;
    };
    static const bool by_index = false, about = false;
    static __device__ state begin(value v, unsigned long long) {
        state s;
        s.v = v;
        return s;
    }
    static __device__ state identity(const gx_general &g) {
        return begin(F::identity(g.red), 0);
    }
    static __device__ void fold(const gx_general &g, state &s, value v, unsigned long long,
                                int &met) {
        if (g.sums && gx_odd(v)) met |= gx_is_nan(v) ? GX_SAW_NAN : GX_SAW_INF;
        s.v = F::join(g.red, s.v, v);
    }
    static __device__ void merge(const gx_general &g, state &s, const state &o, int &met) {
        const value joined = F::join(g.red, s.v, o.v);
        if (g.sums && gx_odd(joined)) met |= gx_met_sum(joined, s.v, o.v);
        s.v = joined;
    }
    static __device__ void settle(const gx_general &g, state &s, int &met) {
        if (!g.sums || !gx_odd(s.v)) return;
        if (gx_is_nan(s.v) && !(met & GX_SAW_NAN)) met |= 8;
        if (!(met & (GX_SAW_NAN | GX_SAW_INF))) met |= 2;
    }
    static __device__ void give(const gx_general &g, const state &s) {
        gx_put(g.slot, s.v);
    }
};

template <class F> struct gx_places {
    typedef typename F::value value;
    struct state {
        value v;
        unsigned long long at;
    };
    static const bool by_index = true, about = false;
    static __device__ state begin(value v, unsigned long long at) {
        state s;
        s.v = v;
        s.at = at;
        return s;
    }
    static __device__ state identity(const gx_general &) {
        return begin(value(), 0);
    }
    static __device__ void fold(const gx_general &g, state &s, value v, unsigned long long at,
                                int &) {
        if (F::wins(g.red, s.v, v)) s = begin(v, at);
    }
    static __device__ void merge(const gx_general &g, state &s, const state &o, int &) {
        const state a = o.at < s.at ? o : s, b = o.at < s.at ? s : o;
        s = F::wins(g.red, a.v, b.v) ? b : a;
    }
    static __device__ void settle(const gx_general &, state &, int &) {}
    static __device__ void give(const gx_general &g, const state &s) {
        gx_put(g.slot, (long long)s.at);
    }
};

struct gx_spread {
    typedef double value;
    struct state {
        double n, k, s, q;
    };
    static const bool by_index = false, about = true;
    static __device__ state begin(double v, unsigned long long) {
        state s;
        s.n = 1;
        s.k = v;
        s.s = s.q = 0;
        return s;
    }
    static __device__ state identity(const gx_general &) {
        state s = begin(0, 0);
        s.n = 0;
        return s;
    }
    static __device__ void fold(const gx_general &g, state &s, double v, unsigned long long,
                                int &met) {
        if (g.fp && gx_is_odd(v)) met |= v != v ? GX_SAW_NAN : GX_SAW_INF;
        if (s.n == 0) s.k = v;
        const double d = v - s.k;
        s.n += 1;
        s.s += d;
        s.q += d * d;
    }
    static __device__ void close(state &s) {
        if (s.n == 0) return;
        const double m = s.s / s.n;
        if (s.q - s.q == 0 || s.s - s.s != 0) s.q -= m * s.s;
        s.k += m;
        if (s.q < 0) s.q = 0;
        s.s = 0;
    }
    static __device__ void settle(const gx_general &g, state &s, int &met) {
        if (!g.fp) return;
        close(s);
        if (gx_is_odd(s.q) && !(met & GX_SAW_NAN)) met |= met & GX_SAW_INF ? 8 : 2;
    }
    static __device__ void merge(const gx_general &g, state &s, state o, int &met) {
        close(s);
        close(o);
        if (o.n == 0) return;
        if (s.n == 0) {
            s = o;
            return;
        }
        const double n = s.n + o.n, d = o.k - s.k, f = o.n / n;
        const double q = s.q + o.q + d * d * (s.n * f);
        if (g.fp && gx_is_odd(q) && !gx_is_odd(s.q) && !gx_is_odd(o.q))
            met |= s.k != s.k || o.k != o.k ? 0 : gx_is_odd(s.k) || gx_is_odd(o.k) ? 8 : 2;
        s.k += d * f;
        s.q = q;
        s.n = n;
    }
    static __device__ void give(const gx_general &g, state s) {
        close(s);
        gx_put(g.slot, s.q);
    }
};

/* State j of this thread; a block's states follow its slots. */
template <class S> struct gx_states {
    typename S::state *first;
    __device__ gx_states(const gx_general &g)
        : first((typename S::state *)(gx_room + g.state_at * 256)) {}
    __device__ typename S::state &operator()(int j) const {
        return first[j * 256 + threadIdx.x];
    }
    __device__ typename S::state &of(int j, unsigned thread) const {
        return first[j * 256 + thread];
    }
};

/* Elements of a reduction: the j-th of kept element or column k. */
template <class S> static __device__ __noinline__ typename S::value
gx_value(const gx_program *at, unsigned long long k, unsigned long long r, int &met) {
    const int now = gx_run(at, k, r);
    if (at->g.fp) met |= now;
    return gx_get<typename S::value>(at->g.slot);
}

/* Folds this thread's packs i, i + step, … into four times `wide` states, then joins the four:
   states 0 … wide - 1 have all. A pack is `width` elements of a row (`columns`: of as many). */
template <class S> static __device__ __noinline__ void
gx_walk(const gx_program *at, bool columns, unsigned long long k, unsigned long long i,
        unsigned long long step, unsigned long long packs, int &met) {
    const gx_general &g = at->g;
    const gx_states<S> state(g);
    const int width = g.width, wide = columns || !(S::by_index || S::about) ? width : 1;
    const bool none = S::about || gx_has_identity(g.red);
#pragma unroll 1
    for (int j = 0; j < wide; j++) {
        const typename S::state start =
            none ? S::identity(g) : S::begin(gx_value<S>(at, columns ? k + j : k, 0, met), 0);
#pragma unroll 1
        for (int u = 0; u < (S::about ? 1 : 4); u++) state(u * wide + j) = start;
    }
#pragma unroll 1
    for (int four = 4; four > 0; four -= 3)
        for (; i + (four - 1) * step < packs; i += four * step)
#pragma unroll 1
            for (int u = 0; u < four; u++)
#pragma unroll 1
                for (int j = 0; j < width; j++) {
                    const unsigned long long r = columns ? i + u * step : (i + u * step) * width + j;
                    const typename S::value v = gx_value<S>(at, columns ? k + j : k, r, met);
                    S::fold(g, state((S::about ? 0 : u) * wide + (wide == width ? j : 0)), v, r,
                            met);
                }
#pragma unroll 1
    for (int j = 0; j < wide; j++)
#pragma unroll 1
        for (int u = 0; u < (S::about ? 1 : 4); u++) S::settle(g, state(u * wide + j), met);
#pragma unroll 1
    for (int j = 0; j < wide && !S::about; j++) {
        S::merge(g, state(j), state(wide + j), met);
        S::merge(g, state(2 * wide + j), state(3 * wide + j), met);
        S::merge(g, state(j), state(2 * wide + j), met);
    }
}

template <class S> static __device__ __noinline__ void
gx_store_state(const gx_program *at, unsigned long long k, const typename S::state &state,
               int &met) {
    const gx_general &g = at->g;
    const gx_general_step *step = (const gx_general_step *)(at->port + g.n_port);
    const gx_general_step &cast = step[g.n_step];
    const gx_general_port &out = at->port[g.n_leaf];
    S::give(g, state);
    switch (cast.compute) {
#define X(id)                                                                                      \
    case GX_##id: met |= gx_type_##id::cast(cast); break;
        GX_COMPUTING(X)
#undef X
    case GX_f16:
    case GX_bf16: met |= gx_type_f32::cast(cast); break;
    }
    gx_store_memory(out.slot, out.dtype, gx_offset(g, out, k, 0));
}

template <class S> GX_FN void gx_fold_warp(const gx_general &g, typename S::state &mine, int from,
                                           int &met) {
#pragma unroll 1
    for (int by = from; by > 0; by /= 2) S::merge(g, mine, gx_shuffle(mine, by), met);
}

template <class S> GX_FN void gx_fold_block(const gx_general &g, typename S::state &mine,
                                            typename S::state *warps, int &met) {
    gx_fold_warp<S>(g, mine, 16, met);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = warps[threadIdx.x & 7];
        gx_fold_warp<S>(g, mine, 4, met);
    }
}

template <class S> static __device__ __noinline__ void gx_rows(const gx_program *at) {
    const gx_general &g = at->g;
    const gx_states<S> state(g);
    typename S::state *const warps = state.first; /* when the states are done with */
    const unsigned team = 1u << g.team, lane = threadIdx.x & (team - 1);
    const unsigned long long splits = (unsigned long long)g.splits;
    const unsigned long long n = (unsigned long long)g.n_reduced, width = g.width;
    unsigned long long k = blockIdx.x, part = 0;
    if (splits > 1) {
        part = k % splits;
        k /= splits;
    } else {
        k = k * (256 >> g.team) + (threadIdx.x >> g.team);
    }
    if (k >= (unsigned long long)g.n_kept) return;
    int met = 0;
    gx_walk<S>(at, false, k, part * team + lane, splits * team, n / width, met);
    typename S::state mine = state(0);
#pragma unroll 1
    for (int j = 1; j < (S::by_index || S::about ? 1 : g.width); j++)
        S::merge(g, mine, state(j), met);
#pragma unroll 1
    for (unsigned long long r = n / width * width + lane; r < n && part == 0; r += team)
        S::merge(g, mine, S::begin(gx_value<S>(at, k, r, met), r), met);
    if (g.team == 5) gx_fold_warp<S>(g, mine, 16, met);
    if (g.team == 8) {
        __syncthreads();
        gx_fold_block<S>(g, mine, warps, met);
    }
    if (splits > 1) {
        typename S::state *const parts = (typename S::state *)g.parts + k * splits;
        bool last = false;
        if (threadIdx.x == 0) {
            parts[part] = mine;
            __threadfence();
            last = atomicInc(&g.arrived[k], (unsigned)splits - 1) == (unsigned)splits - 1;
        }
        if (!__syncthreads_or(last)) {
            gx_finish(g, met);
            return;
        }
        __threadfence();
        mine = gx_fresh(parts + (threadIdx.x < splits ? threadIdx.x : 0));
        if (threadIdx.x >= splits && (S::about || gx_has_identity(g.red))) mine = S::identity(g);
#pragma unroll 1
        for (unsigned long long i = threadIdx.x + 256; i < splits; i += 256)
            S::merge(g, mine, gx_fresh(parts + i), met);
        __syncthreads();
        gx_fold_block<S>(g, mine, warps, met);
    }
    if (lane == 0) gx_store_state<S>(at, k, mine, met);
    gx_finish(g, met);
}

template <class S> static __device__ __noinline__ void gx_columns(const gx_program *at) {
    const gx_general &g = at->g;
    const gx_states<S> state(g);
    const unsigned teams = 1u << g.team, lanes = 256 >> g.team;
    const unsigned lane = threadIdx.x % lanes, team = threadIdx.x / lanes;
    const unsigned long long splits = (unsigned long long)g.splits;
    const unsigned long long kept = (unsigned long long)g.n_kept;
    const unsigned long long part = blockIdx.x % splits;
    unsigned long long k = (blockIdx.x / splits * lanes + lane) * g.width;
    const bool valid = k < kept;
    int met = 0;
    if (!valid) k = 0;
    gx_walk<S>(at, true, k, part * teams + team, splits * teams,
               valid ? (unsigned long long)g.n_reduced : 0, met);
#pragma unroll 1
    for (int turn = 0; turn < (splits > 1 ? 2 : 1); turn++) {
        __syncthreads();
        if (team == 0) /* the teams' states join in order */
#pragma unroll 1
            for (unsigned o = 1; o < teams; o++)
#pragma unroll 1
                for (int v = 0; v < g.width; v++)
                    S::merge(g, state(v), state.of(v, o * lanes + lane), met);
        if (splits == 1 || turn == 1) break;
        typename S::state *const parts = (typename S::state *)g.parts;
        bool last = false;
        if (team == 0 && valid) {
#pragma unroll 1
            for (int v = 0; v < g.width; v++) parts[part * kept + k + v] = state(v);
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == 0)
            last = atomicInc(&g.arrived[blockIdx.x / splits], (unsigned)splits - 1) ==
                   (unsigned)splits - 1;
        if (!__syncthreads_or(last)) {
            gx_finish(g, met);
            return;
        }
        __threadfence();
        if (valid)
#pragma unroll 1
            for (int v = 0; v < g.width; v++) {
                state(v) = gx_fresh(parts + (team < splits ? team : 0) * kept + k + v);
                if (team >= splits && (S::about || gx_has_identity(g.red)))
                    state(v) = S::identity(g);
#pragma unroll 1
                for (unsigned long long o = team + teams; o < splits; o += teams)
                    S::merge(g, state(v), gx_fresh(parts + o * kept + k + v), met);
            }
    }
    if (team == 0 && valid)
#pragma unroll 1
        for (int v = 0; v < g.width; v++) gx_store_state<S>(at, k + v, state(v), met);
    gx_finish(g, met);
}

template <class S> GX_FN void gx_reduce(const gx_program *at) {
    if (at->g.form == GX_GENERAL_ROWS) gx_rows<S>(at);
    else gx_columns<S>(at);
}

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
