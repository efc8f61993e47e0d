typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN T add_float32(T x, T y) {
    return x + y;
}
#undef T
#undef R
GX_FN void element(float a0, float a1, float &o0) {
    const float v0 = a0;
    const float v1 = a1;
    const float v2 = add_float32(v0, v1);
    o0 = v2;
}
struct gx_params {
    char *b0;
    char *b1;
    char *b2;
    gx_index n0, m0, h0, z0;
    gx_index n1, m1, h1, z1;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_1;
    alignas(8) gx_stride t2_0;
    alignas(8) gx_stride t2_1;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 4u;
    if (i >= p.total) return;
    gx_index x0, x1;
    {
        gx_index q = i, y;
        y = gx_quotient(q, p.m1, p.h1);
        x1 = q - y * p.n1;
        q = y;
        x0 = q;
    }
    float a1[4];
    {
        const char *at = p.b1
                + (long long)(gx_stride)x1 * (long long)p.t1_1;
        gx_load<4>(a1, at);
    }
    float a0;
    {
        const char *at = p.b0
                + (long long)(gx_stride)x0 * (long long)p.t0_0;
        a0 = *(const float *)(at);
    }
    float o0[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float r0;
        element(a0, a1[k], r0);
        o0[k] = r0;
    }
    {
        char *at = p.b2 + (long long)(i) * 4;
        gx_store<4>(at, o0);
    }
}
