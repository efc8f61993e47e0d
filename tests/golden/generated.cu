typedef unsigned gx_index;
typedef int gx_stride;
#define T double
#define R double
GX_FN T add_float64(T x, T y) {
    return x + y;
}
#undef T
#undef R
GX_FN void element(double a0, double a1, double &o0) {
    const double v0 = a0;
    const double v1 = a1;
    const double v2 = add_float64(v0, v1);
    o0 = v2;
}
struct gx_params {
    long long b0;
    unsigned long long seed0;
    long long b1;
    alignas(8) double first1;
    alignas(8) double step1;
    char *b2;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_stride t2_0;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const double f1 = p.first1;
    const double g1 = p.step1;
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 2u;
    if (i >= p.total) return;
    const int rest = p.total - i < 2u ? (int)(p.total - i) : 2;
    const bool full = rest == 2;
    double a0[2];
    {
        gx_random<2, 2>(a0, p.seed0, (unsigned long long)(p.b0
                + (long long)(gx_stride)(i) * (long long)p.t0_0));
    }
    double a1[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const gx_index j = i + (gx_index)(k < rest ? k : rest - 1);
        {
            long long at = p.b1
                + (long long)(gx_stride)(j) * (long long)p.t1_0;
            a1[k] = f1 + (double)(int)(at) * g1;
        }
    }
    double o0[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        double r0;
        element(a0[k], a1[k], r0);
        o0[k] = r0;
    }
    {
        char *at = p.b2 + (long long)(i) * 8;
        if (full) gx_store<2>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                if (k < rest) ((double *)at)[k] = o0[k];
    }
}
