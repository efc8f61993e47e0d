typedef unsigned gx_index;
typedef int gx_stride;
GX_FN void element(double a0, double &o0) {
    const double v0 = a0;
    o0 = v0;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    gx_index n1, m1, h1, z1;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t0_1;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_stride t1_1;
    alignas(8) gx_index total;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    __shared__ double tile0[32][33];
    const gx_index across = (p.n1 + 31) / 32, down = (p.n0 + 31) / 32;
    gx_index q = blockIdx.x;
    const gx_index b0 = q % across * 32;
    q /= across;
    const gx_index a0 = q % down * 32;
    q /= down;
    const unsigned tx = threadIdx.x & 31, ty = threadIdx.x >> 5;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const gx_index x0 = a0 + tx, x1 = b0 + ty + 8 * k;
        if (x0 >= p.n0 || x1 >= p.n1) continue;
        tile0[ty + 8 * k][tx] = *(const double *)(p.b0
                + (long long)(gx_stride)x0 * (long long)p.t0_0
                + (long long)(gx_stride)x1 * (long long)p.t0_1);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const gx_index x0 = a0 + ty + 8 * k, x1 = b0 + tx;
        if (x0 >= p.n0 || x1 >= p.n1) continue;
        double o0;
        double r0;
        element(tile0[tx][ty + 8 * k], r0);
        o0 = r0;
        *(double *)(p.b1
                + (long long)(gx_stride)x0 * (long long)p.t1_0
                + (long long)(gx_stride)x1 * (long long)p.t1_1) = o0;
    }
}
