typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN T multiply_float32(T x, T y) {
    return x * y;
}
#undef T
#undef R
GX_FN void element(float a0, float s1, float &o0) {
    const float v0 = a0;
    const float v1 = s1;
    const float v2 = multiply_float32(v0, v1);
    o0 = v2;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) float s1;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const float s1 = p.s1;
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 4u;
    if (i >= p.total) return;
    const int rest = p.total - i < 4u ? (int)(p.total - i) : 4;
    const bool full = rest == 4;
    float a0[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const gx_index j = i + (gx_index)(k < rest ? k : rest - 1);
        {
            const char *at = p.b0
                + (long long)(gx_stride)(j) * (long long)p.t0_0;
            a0[k] = *(const float *)(at);
        }
    }
    float o0[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float r0;
        element(a0[k], s1, r0);
        o0[k] = r0;
    }
    {
        char *at = p.b1 + (long long)(i) * 4;
        if (full) gx_store<4>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (k < rest) ((float *)at)[k] = o0[k];
    }
}
