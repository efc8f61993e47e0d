typedef unsigned gx_index;
typedef int gx_stride;
#define T int
#define R int
#define U unsigned
GX_FN T FN(i_add)(T x, T y) {
    return (T)((U)x + (U)y);
}
GX_FN T add_int32(T x, T y) {
    return i_add(x, y);
}
GX_FN unsigned char greater_int32(T x, T y) {
    return x > y;
}
#undef T
#undef R
#undef U
GX_FN void element(int a0, int s1, unsigned char &o0) {
    const int v0 = a0;
    const int v1 = s1;
    const int v2 = add_int32(v0, v1);
    const unsigned char v3 = greater_int32(v2, v0);
    o0 = v3;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) int s1;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const int s1 = p.s1;
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 4u;
    if (i >= p.total) return;
    const int rest = p.total - i < 4u ? (int)(p.total - i) : 4;
    const bool full = rest == 4;
    int a0[4];
    {
        const char *at = p.b0 + (long long)(i) * 4;
        if (full) gx_load<4>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                a0[k] = ((const int *)at)[k < rest ? k : rest - 1];
    }
    unsigned char o0[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned char r0;
        element(a0[k], s1, r0);
        o0[k] = r0;
    }
    {
        char *at = p.b1 + (long long)(i) * 1;
        if (full) gx_store<4>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 4; k++)
                if (k < rest) ((unsigned char *)at)[k] = o0[k];
    }
}
