typedef unsigned gx_index;
typedef int gx_stride;
GX_FN void element(float a0, float &o1) {
    const float v0 = a0;
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
    alignas(8) gx_index total;
    gx_found found;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    __shared__ unsigned long long sums[8];
    __shared__ alignas(16) char room[sizeof(float) * 4096];
    __shared__ unsigned long long fields[8];
    float *const staged = (float *)room;
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned long long marks =
        ((const unsigned short *)p.found.marks)[blockIdx.x * 256ull + threadIdx.x];
    unsigned long long own = 0, upto, before, all = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
        own |= (unsigned long long)__popc((unsigned)(marks >> 4 * k) & 15u)
               << 16 * k;
    upto = own;
    for (int by = 1; by < 32; by *= 2) {
        const unsigned long long other = __shfl_up_sync(0xffffffffu, upto, by);
        if (lane >= by) upto += other;
    }
    if (lane == 31) fields[warp] = upto;
    const unsigned long long from = gx_block_sum(gx_found_before(p.found), sums);
    before = upto - own;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (k < warp) before += fields[k];
        all += fields[k];
    }
    unsigned found = 0, at[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        at[k] = found + (unsigned)(before >> 16 * k & 0xffffu);
        found += (unsigned)(all >> 16 * k & 0xffffu);
    }
#pragma unroll
    for (int pack = 0; pack < 4; pack++) {
    const gx_index i =
        ((gx_index)blockIdx.x * 1024u + pack * 256u + threadIdx.x) * 4u;
    if (i < p.total && (marks >> pack * 4 & 15u)) {
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
    float o1[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float r1;
        element(a0[k], r1);
        o1[k] = r1;
        if (marks >> (pack * 4 + k) & 1) staged[at[pack]++] = o1[k];
    }
    }
    }
    __syncthreads();
    float *const to = (float *)p.b2 + from;
    for (unsigned k = threadIdx.x; k < found; k += 256) to[k] = staged[k];
}
