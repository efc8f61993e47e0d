typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN unsigned char greater_float32(T x, T y) {
    return x > y;
}
#undef T
#undef R
GX_FN void element(float a0, float s1, unsigned char &o0) {
    const float v0 = a0;
    const float v1 = s1;
    const unsigned char v2 = greater_float32(v0, v1);
    o0 = v2;
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
    gx_found found;
    int *fp, *told;
};
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    const float s1 = p.s1;
    __shared__ unsigned long long sums[8];
    unsigned long long marks = 0;
#pragma unroll
    for (int pack = 0; pack < 4; pack++) {
    const gx_index i =
        ((gx_index)blockIdx.x * 1024u + pack * 256u + threadIdx.x) * 4u;
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
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned char r0;
        element(a0[k], s1, r0);
        o0[k] = r0;
        if (k < rest && o0[k]) marks |= 1ull << (pack * 4 + k);
    }
    }
    }
    ((unsigned short *)p.found.marks)[blockIdx.x * 256ull + threadIdx.x] = (unsigned short)marks;
    const unsigned found = (unsigned)gx_block_sum(__popcll(marks), sums);
    if (threadIdx.x == 0) gx_add_found(p.found, found);
}
