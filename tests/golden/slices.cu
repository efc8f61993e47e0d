typedef unsigned gx_index;
typedef int gx_stride;
GX_FN void element(short a0, short &o0) {
    const short v0 = a0;
    o0 = v0;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    gx_index n1, m1, h1, z1;
    gx_index n2, m2, h2, z2;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t0_1;
    alignas(8) gx_stride t0_2;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_stride t1_1;
    alignas(8) gx_stride t1_2;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const gx_index i = ((gx_index)blockIdx.x * 256u + threadIdx.x) * 8u;
    if (i >= p.total) return;
    const int rest = p.total - i < 8u ? (int)(p.total - i) : 8;
    const bool full = rest == 8;
    short a0[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const gx_index j = i + (gx_index)(k < rest ? k : rest - 1);
        gx_index x0, x1, x2;
        {
            gx_index q = j, y;
            y = gx_quotient(q, p.m2, p.h2);
            x2 = q - y * p.n2;
            q = y;
            y = gx_quotient(q, p.m1, p.h1);
            x1 = q - y * p.n1;
            q = y;
            x0 = q;
        }
        {
            const char *at = p.b0
                + (long long)(gx_stride)x0 * (long long)p.t0_0
                + (long long)(gx_stride)x1 * (long long)p.t0_1
                + (long long)(gx_stride)x2 * (long long)p.t0_2;
            a0[k] = *(const short *)(at);
        }
    }
    short o0[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        short r0;
        element(a0[k], r0);
        o0[k] = r0;
    }
    {
        char *at = p.b1 + (long long)(i) * 2;
        if (full) gx_store<8>(at, o0);
        else
#pragma unroll
            for (int k = 0; k < 8; k++)
                if (k < rest) ((short *)at)[k] = o0[k];
    }
}
