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
GX_FN T sqrt_float32(T x) {
    return sqrt(x);
}
#undef T
#undef R
GX_FN void element(float a0, float a1, float &o0) {
    const float v0 = a0;
    const float v1 = a1;
    const float v2 = multiply_float32(v1, v1);
    const float v3 = multiply_float32(v0, v0);
    const float v4 = add_float32(v3, v2);
    const float v5 = sqrt_float32(v4);
    o0 = v5;
}
struct gx_params {
    char *b0;
    char *b1;
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
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 4u;
    if (i >= p.total) return;
    const int rest = p.total - i < 4u ? (int)(p.total - i) : 4;
    const bool full = rest == 4;
    float a0[4];
    {
        const char *at = p.b0 + (long long)(i) * 4;
        if (full) gx_load<4>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                a0[k] = ((const float *)at)[k < rest ? k : rest - 1];
    }
    float a1[4];
    {
        const char *at = p.b1 + (long long)(i) * 4;
        if (full) gx_load<4>(a1, at);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                a1[k] = ((const float *)at)[k < rest ? k : rest - 1];
    }
    float o0[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float r0;
        element(a0[k], a1[k], r0);
        o0[k] = r0;
    }
    {
        char *at = p.b2 + (long long)(i) * 4;
        if (full) gx_store<4>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (k < rest) ((float *)at)[k] = o0[k];
    }
}
