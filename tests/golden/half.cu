typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN T add_float32(T x, T y) {
    return x + y;
}
GX_FN T multiply_float32(T x, T y) {
    return x * y;
}
#undef T
#undef R
GX_FN void element(float a0, float &o0) {
    const float v0 = a0;
    const float v1 = h_round(multiply_float32(v0, v0));
    const float v2 = h_round(add_float32(v1, v1));
    o0 = v2;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 8u;
    if (i >= p.total) return;
    const int rest = p.total - i < 8u ? (int)(p.total - i) : 8;
    const bool full = rest == 8;
    unsigned short a0[8];
    {
        const char *at = p.b0 + (long long)(i) * 2;
        if (full) gx_load<8>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 8; k++)
                a0[k] = ((const unsigned short *)at)[k < rest ? k : rest - 1];
    }
    unsigned short o0[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float r0;
        element(h_wide(a0[k]), r0);
        o0[k] = h_bits(r0);
    }
    {
        char *at = p.b1 + (long long)(i) * 2;
        if (full) gx_store<8>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 8; k++)
                if (k < rest) ((unsigned short *)at)[k] = o0[k];
    }
}
