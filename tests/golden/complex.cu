typedef unsigned gx_index;
typedef int gx_stride;
#define T gx_c64
#define R float
GX_FN T FN(c_make)(R re, R im) {
    T r;
    r.re = re;
    r.im = im;
    return r;
}
GX_FN T FN(c_mul)(T x, T y) {
    return FN(c_make)(GX_PRODUCT(x.re, y.re) - GX_PRODUCT(x.im, y.im),
                      GX_PRODUCT(x.re, y.im) + GX_PRODUCT(x.im, y.re));
}
GX_FN T multiply_complex64(T x, T y) {
    return c_mul(x, y);
}
#undef T
#undef R
GX_FN void element(gx_c64 a0, gx_c64 &o0) {
    const gx_c64 v0 = a0;
    const gx_c64 v1 = multiply_complex64(v0, v0);
    o0 = v1;
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
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 2u;
    if (i >= p.total) return;
    const int rest = p.total - i < 2u ? (int)(p.total - i) : 2;
    const bool full = rest == 2;
    gx_c64 a0[2];
    {
        const char *at = p.b0 + (long long)(i) * 8;
        if (full) gx_load<2>(a0, at);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                a0[k] = ((const gx_c64 *)at)[k < rest ? k : rest - 1];
    }
    gx_c64 o0[2];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        gx_c64 r0;
        element(a0[k], r0);
        o0[k] = r0;
    }
    {
        char *at = p.b1 + (long long)(i) * 8;
        if (full) gx_store<2>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 2; k++)
                if (k < rest) ((gx_c64 *)at)[k] = o0[k];
    }
}
