typedef unsigned gx_index;
typedef int gx_stride;
#define T double
#define R double
GX_FN T gx_join(T x, T y) {
    return x + y;
}
GX_FN T gx_identity() {
    return 0;
}
#undef T
#undef R
GX_FN void element(double a0, double &o0) {
    const double v0 = a0;
    o0 = v0;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_index total;
    alignas(8) gx_index kept;
    alignas(8) gx_index reduced;
    alignas(8) unsigned splits;
    char *parts;
    unsigned *arrived;
    int *fp, *told;
};
struct gx_state {
    double v;
};
GX_FN gx_state gx_begin(double v) {
    gx_state s;
    s.v = v;
    return s;
}
GX_FN void gx_fold(gx_state &s, double v, gx_index at, int &met) {
    s.v = gx_join(s.v, v);
}
GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {
    gx_fold(s, o.v, 0, met);
}
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    int met = 0;
    const gx_index lane = threadIdx.x & 255u;
    const gx_index k = blockIdx.x / p.splits, part = blockIdx.x % p.splits;
    const gx_index step = p.splits * 256u;
    gx_index i = part * 256u + lane;
    const gx_index packs = p.reduced / 2;
    const char *c0 = p.b0;
    gx_state state[4][2];
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int u = 0; u < 4; u++)
            state[u][k] = gx_begin(gx_identity());
    for (; i + 3 * step < packs; i += 4 * step) {
        double a0[4][2];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            const gx_index r = (i + u * step) * 2;
            gx_load<2>(a0[u], c0 + (long long)(r) * 8);
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int k = 0; k < 2; k++) {
                double value;
                element(a0[u][k], value);
                gx_fold(state[u][k], value, (i + u * step) * 2 + k, met);
            }
        }
    }
    for (; i + 0 * step < packs; i += 1 * step) {
        double a0[1][2];
#pragma unroll
        for (int u = 0; u < 1; u++) {
            const gx_index r = (i + u * step) * 2;
            gx_load<2>(a0[u], c0 + (long long)(r) * 8);
        }
#pragma unroll
        for (int u = 0; u < 1; u++) {
#pragma unroll
            for (int k = 0; k < 2; k++) {
                double value;
                element(a0[u][k], value);
                gx_fold(state[u][k], value, (i + u * step) * 2 + k, met);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 2; k++) {
        gx_merge(state[0][k], state[1][k], met);
        gx_merge(state[2][k], state[3][k], met);
        gx_merge(state[0][k], state[2][k], met);
    }
    gx_state mine = state[0][0];
    gx_merge(mine, state[0][1], met);
    for (gx_index tail = packs * 2 + lane; tail < p.reduced && part == 0; tail += 256) {
        const gx_index r = tail;
        const int u = 0;
        double a0[1][1];
            {
                const char *at = c0 + (long long)(r) * 8;
                a0[0][0] = *(const double *)(at);
            }
        double value;
        element(a0[u][0], value);
        gx_merge(mine, gx_begin(value), met);
    }
    __shared__ gx_state warps[8];
    for (int by = 16; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = warps[threadIdx.x & 7];
        for (int by = 4; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);
    }
    gx_state *parts = (gx_state *)p.parts + (long long)k * p.splits;
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[part] = mine;
        __threadfence();
        last = atomicInc(&p.arrived[k], p.splits - 1) == p.splits - 1;
    }
    __syncthreads();
    if (!last) {
        return;
    }
    __threadfence();
    unsigned from = threadIdx.x < p.splits ? threadIdx.x : 0;
    mine = gx_fresh(parts + from);
    if (threadIdx.x >= p.splits) mine = gx_begin(gx_identity());
    for (unsigned i = threadIdx.x + 256; i < p.splits; i += 1024) {
        gx_state others[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (i + u * 256 < p.splits) others[u] = gx_fresh(parts + i + u * 256);
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (i + u * 256 < p.splits) gx_merge(mine, others[u], met);
    }
    __syncthreads();
    for (int by = 16; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = warps[threadIdx.x & 7];
        for (int by = 4; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);
    }
    if (lane == 0) {
        char *at = p.b1;
        const double result = mine.v;
        *(double *)at = result;
    }
}
