typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN unsigned char greater_float32(T x, T y) {
    return x > y;
}
#undef T
#undef R
GX_FN void element(float a0, float s1, unsigned char &o0, float &o1) {
    const float v0 = a0;
    const float v1 = s1;
    const unsigned char v2 = greater_float32(v0, v1);
    o0 = v2;
    o1 = v0;
}
struct gx_params {
    char *b0;
    char *b1;
    char *b2;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_stride t2_0;
    alignas(8) float s1;
    alignas(8) gx_index total;
    unsigned long long *found;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const float s1 = p.s1;
    __shared__ unsigned long long sums[8], before_tile;
    __shared__ alignas(16) char room[sizeof(float) * 4096];
    float *const staged = (float *)room;
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned tile = blockIdx.x;
    unsigned bits[4];
    float kept[4][4];
#pragma unroll
    for (int pack = 0; pack < 4; pack++) {
    bits[pack] = 0;
    const gx_index i = ((gx_index)tile * 1024u + pack * 256u + threadIdx.x) * 4u;
    if (i < p.total) {
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
    unsigned char o0[4];
    float o1[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned char r0;
        float r1;
        element(a0[k], s1, r0, r1);
        o0[k] = r0;
        o1[k] = r1;
        if (k < rest && o0[k]) bits[pack] |= 1u << k;
        kept[pack][k] = o1[k];
    }
    }
    }
    unsigned long long own = 0, upto, before, all = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
        own |= (unsigned long long)__popc(bits[k]) << 16 * k;
    upto = own;
    for (int by = 1; by < 32; by *= 2) {
        const unsigned long long other = __shfl_up_sync(0xffffffffu, upto, by);
        if (lane >= by) upto += other;
    }
    if (lane == 31) sums[warp] = upto;
    __syncthreads();
    before = upto - own;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (k < warp) before += sums[k];
        all += sums[k];
    }
    unsigned found = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned at = found + (unsigned)(before >> 16 * k & 0xffffu);
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (bits[k] >> u & 1) staged[at++] = kept[k][u];
        found += (unsigned)(all >> 16 * k & 0xffffu);
    }
    if (warp == 0) {
        const unsigned long long sum = gx_found_before(p.found + 1, tile, found);
        if (lane == 0) {
            before_tile = sum;
            if (tile == gridDim.x - 1) *p.found = sum + found;
        }
    }
    __syncthreads();
    float *const to = (float *)p.b2 + before_tile;
    for (unsigned k = threadIdx.x; k < found; k += 256) to[k] = staged[k];
}
