/* Running totals. runtime/cuda/scan.c puts in front: T, the type in memory; C, the type that is
   computed with; gx_from and gx_into between them; gx_join; and GX_ONE, the neutral element. Each
   chunk is summed, the sums of a row's chunks are scanned by one block, then every chunk is scanned
   from what lies before it: the same bits at every run. V elements lie in one access. */

struct gx_scan {
    const T *from;
    T *to;
    long long outer, n, inner, chunks; /* chunks a row */
    C *sums;
};

enum { SUBS = V == 1 ? 8 : 4, CHUNK = SUBS * 256 * V };
struct alignas(sizeof(T) * V) gx_pack {
    T v[V];
};

static __device__ __forceinline__ C gx_up(C c, int by) {
    union words {
        C c;
        unsigned w[(sizeof(C) + 3) / 4];
        __device__ words() {}
    } u;
    u.c = c;
#pragma unroll
    for (int k = 0; k < (int)((sizeof(C) + 3) / 4); k++)
        u.w[k] = __shfl_up_sync(0xffffffffu, u.w[k], by);
    return u.c;
}

/* The sum over the lanes up to this one. */
static __device__ __forceinline__ C gx_scan_warp(C c) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
        const C other = gx_up(c, by);
        if (lane >= by) c = gx_join(other, c);
    }
    return c;
}

/* The sum over the threads before this one; *all: over all of them. `warps` is used twice. */
static __device__ __forceinline__ C gx_scan_block(C c, C *warps, C *all) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const C upto = gx_scan_warp(c);
    C before = gx_up(upto, 1);
    if (lane == 0) before = GX_ONE;
    if (lane == 31) warps[warp] = upto;
    __syncthreads();
    C sum = GX_ONE, mine = GX_ONE;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (k == warp) mine = sum;
        sum = gx_join(sum, warps[k]);
    }
    __syncthreads();
    *all = sum;
    return gx_join(mine, before);
}

/* The V elements of this thread in part `sub` of a chunk; beyond the row: nothing. */
static __device__ __forceinline__ void gx_fetch(const gx_scan &p, long long row, long long at,
                                                C *to) {
    const T *from = p.from + row * p.n + at;
    if (V > 1 && at + V <= p.n) {
        const gx_pack got = *(const gx_pack *)from;
#pragma unroll
        for (int k = 0; k < V; k++) to[k] = gx_from(got.v[k]);
        return;
    }
#pragma unroll
    for (int k = 0; k < V; k++) to[k] = at + k < p.n ? gx_from(from[k]) : GX_ONE;
}

extern "C" __global__ void __launch_bounds__(256)
gx_sum_chunks(const __grid_constant__ gx_scan p) {
    __shared__ C warps[8];
    const long long row = blockIdx.x / p.chunks, chunk = blockIdx.x % p.chunks;
    C x[SUBS][V], sum = GX_ONE, all;
#pragma unroll
    for (int s = 0; s < SUBS; s++)
        gx_fetch(p, row, chunk * CHUNK + (s * 256 + (long long)threadIdx.x) * V, x[s]);
#pragma unroll
    for (int s = 0; s < SUBS; s++)
#pragma unroll
        for (int k = 0; k < V; k++) sum = gx_join(sum, x[s][k]);
    gx_scan_block(sum, warps, &all);
    if (threadIdx.x == 0) p.sums[blockIdx.x] = all;
}

/* A block a row: sums become the totals before each chunk. */
extern "C" __global__ void __launch_bounds__(256)
gx_scan_sums(const __grid_constant__ gx_scan p) {
    __shared__ C warps[8];
    C *sums = p.sums + blockIdx.x * p.chunks;
    C carry = GX_ONE, all;
    for (long long from = 0; from < p.chunks; from += 256) {
        const long long i = from + threadIdx.x;
        const C own = i < p.chunks ? sums[i] : GX_ONE;
        const C before = gx_scan_block(own, warps, &all);
        if (i < p.chunks) sums[i] = gx_join(carry, before);
        carry = gx_join(carry, all);
    }
}

extern "C" __global__ void __launch_bounds__(256)
gx_scan_chunks(const __grid_constant__ gx_scan p) {
    __shared__ C warps[8];
    const long long row = blockIdx.x / p.chunks, chunk = blockIdx.x % p.chunks;
    C x[SUBS][V], all;
    C carry = p.chunks > 1 ? p.sums[blockIdx.x] : GX_ONE;
#pragma unroll
    for (int s = 0; s < SUBS; s++)
        gx_fetch(p, row, chunk * CHUNK + (s * 256 + (long long)threadIdx.x) * V, x[s]);
#pragma unroll
    for (int s = 0; s < SUBS; s++) {
        const long long at = chunk * CHUNK + (s * 256 + (long long)threadIdx.x) * V;
#pragma unroll
        for (int k = 1; k < V; k++) x[s][k] = gx_join(x[s][k - 1], x[s][k]);
        const C before = gx_join(carry, gx_scan_block(x[s][V - 1], warps, &all));
        carry = gx_join(carry, all);
        T *to = p.to + row * p.n + at;
        gx_pack put;
#pragma unroll
        for (int k = 0; k < V; k++) put.v[k] = gx_into(gx_join(before, x[s][k]));
        if (V > 1 && at + V <= p.n) {
            *(gx_pack *)to = put;
        } else {
#pragma unroll
            for (int k = 0; k < V; k++)
                if (at + k < p.n) to[k] = put.v[k];
        }
    }
}

/* Short rows: a warp each. */
extern "C" __global__ void __launch_bounds__(256)
gx_scan_rows(const __grid_constant__ gx_scan p) {
    const long long row = (long long)blockIdx.x * 8 + (threadIdx.x >> 5);
    const int lane = threadIdx.x & 31;
    if (row >= p.outer) return;
    C carry = GX_ONE;
    for (long long from = 0; from < p.n; from += 32) {
        const long long i = from + lane;
        C c = i < p.n ? gx_from(p.from[row * p.n + i]) : GX_ONE;
        c = gx_join(carry, gx_scan_warp(c));
        if (i < p.n) p.to[row * p.n + i] = gx_into(c);
        union words {
            C c;
            unsigned w[(sizeof(C) + 3) / 4];
            __device__ words() {}
        } u;
        u.c = c;
#pragma unroll
        for (int k = 0; k < (int)((sizeof(C) + 3) / 4); k++)
            u.w[k] = __shfl_sync(0xffffffffu, u.w[k], 31);
        carry = u.c;
    }
}

/* Along another axis than the last: a thread a column. */
extern "C" __global__ void __launch_bounds__(256)
gx_scan_columns(const __grid_constant__ gx_scan p) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.outer * p.inner) return;
    const long long first = i / p.inner * p.n * p.inner + i % p.inner;
    C sum = GX_ONE;
    for (long long k = 0; k < p.n; k++) {
        sum = gx_join(sum, gx_from(p.from[first + k * p.inner]));
        p.to[first + k * p.inner] = gx_into(sum);
    }
}
