typedef unsigned gx_index;
typedef int gx_stride;
#define T double
#define R double
GX_FN T divide_float64(T x, T y) {
    return x / y;
}
#undef T
#undef R
GX_FN void element(double a0, double s1, double &o0, bool &bad) {
    const double v0 = a0;
    const double v1 = s1;
    const double v2 = divide_float64(v1, v0);
    bad |= gx_is_odd(v2);
    o0 = v2;
}
static __device__ __noinline__ int conditions(double a0, double s1) {
    int met = 0;
    const double v0 = a0;
    const double v1 = s1;
    const double v2 = divide_float64(v1, v0);
    met |= gx_met(4, v2, v1, v0);
    return met;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) double s1;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const double s1 = p.s1;
    int met = 0;
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 2u;
    if (i >= p.total) return;
    const int rest = p.total - i < 2u ? (int)(p.total - i) : 2;
    const bool full = rest == 2;
    double a0[2];
    {
        const char *at = p.b0 + (long long)(i) * 8;
        if (full) gx_load<2>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                a0[k] = ((const double *)at)[k < rest ? k : rest - 1];
    }
    double o0[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        double r0;
        bool bad = false;
        element(a0[k], s1, r0, bad);
        if (bad && (*(volatile int *)p.told & 11) != 11)
            met |= conditions(a0[k], s1);
        o0[k] = r0;
    }
    {
        char *at = p.b1 + (long long)(i) * 8;
        if (full) gx_store<2>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                if (k < rest) ((double *)at)[k] = o0[k];
    }
    gx_tell(p.fp, p.told, met);
}
