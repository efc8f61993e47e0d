typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN T multiply_float32(T x, T y) {
    return x * y;
}
GX_FN unsigned char greater_float32(T x, T y) {
    return x > y;
}
#undef T
#undef R
#define T double
#define R double
GX_FN T add_float64(T x, T y) {
    return x + y;
}
#undef T
#undef R
namespace gx_call0 {
static __device__ float call(float, float);
}
namespace gx_call1 {
static __device__ long long call(bool, int, double);
}
GX_FN void element(float a0, float a1, int a2, float s3, double &o0, bool &bad) {
    const float v0 = a0;
    const float v1 = a1;
    const int v2 = a2;
    const float v3 = s3;
    const float v4 = multiply_float32(v0, v3);
    bad |= gx_is_odd(v4);
    const float v5 = gx_call0::call(v4, v1);
    const unsigned char v6 = greater_float32(v0, v1);
    const double v7 = (double)v0;
    const long long v8 = gx_call1::call(v6, v2, v7);
    const double v9 = (double)v8;
    const double v10 = (double)v5;
    const double v11 = add_float64(v10, v9);
    bad |= gx_is_odd(v11);
    o0 = v11;
}
static __device__ __noinline__ int conditions(float a0, float a1, int a2, float s3) {
    int met = 0;
    const float v0 = a0;
    const float v1 = a1;
    const int v2 = a2;
    const float v3 = s3;
    const float v4 = multiply_float32(v0, v3);
    met |= gx_met(2, v4, v0, v3);
    const float v5 = gx_call0::call(v4, v1);
    const unsigned char v6 = greater_float32(v0, v1);
    const double v7 = (double)v0;
    const long long v8 = gx_call1::call(v6, v2, v7);
    const double v9 = (double)v8;
    const double v10 = (double)v5;
    const double v11 = add_float64(v10, v9);
    met |= gx_met(2, v11, v10, v9);
    return met;
}
struct gx_params {
    char *b0;
    char *b1;
    char *b2;
    char *b3;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_stride t2_0;
    alignas(8) gx_stride t3_0;
    alignas(8) float s3;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const float s3 = p.s3;
    int met = 0;
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 2u;
    if (i >= p.total) return;
    const int rest = p.total - i < 2u ? (int)(p.total - i) : 2;
    const bool full = rest == 2;
    float a0[2];
    {
        const char *at = p.b0 + (long long)(i) * 4;
        if (full) gx_load<2>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                a0[k] = ((const float *)at)[k < rest ? k : rest - 1];
    }
    float a1[2];
    {
        const char *at = p.b1 + (long long)(i) * 4;
        if (full) gx_load<2>(a1, at);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                a1[k] = ((const float *)at)[k < rest ? k : rest - 1];
    }
    int a2[2];
    {
        const char *at = p.b2 + (long long)(i) * 4;
        if (full) gx_load<2>(a2, at);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                a2[k] = ((const int *)at)[k < rest ? k : rest - 1];
    }
    double o0[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        double r0;
        bool bad = false;
        element(a0[k], a1[k], a2[k], s3, r0, bad);
        if (bad && (*(volatile int *)p.told & 10) != 10)
            met |= conditions(a0[k], a1[k], a2[k], s3);
        o0[k] = r0;
    }
    {
        char *at = p.b3 + (long long)(i) * 8;
        if (full) gx_store<2>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                if (k < rest) ((double *)at)[k] = o0[k];
    }
    gx_tell(p.fp, p.told, met);
}
namespace gx_call0 {
#undef K
#undef FN

static __device__ __forceinline__ float call(const float x, const float y) {
  float z = 0; {
z = x > y ? x * y + sinf(x) : fmaxf(x, y);
  }
  return z;
}
}
namespace gx_call1 {
#undef K
#undef FN
template <class S> __device__ S K(S v) { return v * v; }
static __device__ __forceinline__ long long call(const bool T, const int R, const double U) {
  typedef double F;
  long long z = 0; {
z = T ? K(R) : (long long)pow(U, (F)2);
  }
  return z;
}
}
