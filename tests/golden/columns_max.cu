typedef unsigned gx_index;
typedef int gx_stride;
#define T float
#define R float
GX_FN T multiply_float32(T x, T y) {
    return x * y;
}
GX_FN T gx_join(T x, T y) {
    return x > y || x != x ? x : y;
}
#undef T
#undef R
GX_FN void element(float a0, float &o0) {
    const float v0 = a0;
    const float v1 = multiply_float32(v0, v0);
    o0 = v1;
}
struct gx_params {
    char *b0;
    char *b1;
    gx_index n0, m0, h0, z0;
    gx_index n1, m1, h1, z1;
    alignas(8) gx_stride t0_0;
    alignas(8) gx_stride t0_1;
    alignas(8) gx_stride t1_0;
    alignas(8) gx_index total;
    alignas(8) gx_index kept;
    alignas(8) gx_index reduced;
    alignas(8) unsigned splits;
    char *parts;
    unsigned *arrived;
    int *fp, *told;
};
struct gx_state {
    float v;
};
GX_FN gx_state gx_begin(float v) {
    gx_state s;
    s.v = v;
    return s;
}
GX_FN void gx_fold(gx_state &s, float v, gx_index at, int &met) {
    s.v = gx_join(s.v, v);
}
GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {
    gx_fold(s, o.v, 0, met);
}
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    int met = 0;
    const unsigned lane = threadIdx.x & 31u, team = threadIdx.x / 32u;
    __shared__ gx_state all[8][4][32];
    const unsigned part = blockIdx.x % p.splits;
    gx_index k = ((gx_index)(blockIdx.x / p.splits) * 32u + lane) * 4;
    const bool valid = k < p.kept;
    if (!valid) k = 0;
    const gx_index step = p.splits * 8u, packs = valid ? p.reduced : 0;
    gx_index i = part * 8u + team;
    const char *c0 = p.b0 + (long long)(k) * 4;
    gx_state state[4][4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const gx_index r = 0;
        const int u = 0;
        float a0[1][1];
            {
                const char *at = c0
                + (long long)(gx_stride)(r) * (long long)p.t0_1
                + (long long)k * (long long)p.t0_0;
                a0[0][0] = *(const float *)(at);
            }
        float value;
        element(a0[u][0], value);
#pragma unroll
        for (int w = 0; w < 4; w++) state[w][k] = gx_begin(value);
    }
    for (; i + 3 * step < packs; i += 4 * step) {
        float a0[4][4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            const gx_index r = (i + u * step);
            gx_load<4>(a0[u], c0
                + (long long)(gx_stride)(r) * (long long)p.t0_1);
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float value;
                element(a0[u][k], value);
                gx_fold(state[u][k], value, i + u * step, met);
            }
        }
    }
    for (; i + 0 * step < packs; i += 1 * step) {
        float a0[1][4];
#pragma unroll
        for (int u = 0; u < 1; u++) {
            const gx_index r = (i + u * step);
            gx_load<4>(a0[u], c0
                + (long long)(gx_stride)(r) * (long long)p.t0_1);
        }
#pragma unroll
        for (int u = 0; u < 1; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float value;
                element(a0[u][k], value);
                gx_fold(state[u][k], value, i + u * step, met);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        gx_merge(state[0][k], state[1][k], met);
        gx_merge(state[2][k], state[3][k], met);
        gx_merge(state[0][k], state[2][k], met);
    }
#pragma unroll
    for (int v = 0; v < 4; v++) all[team][v][lane] = state[0][v];
    __syncthreads();
    if (team == 0)
        for (int o = 1; o < 8; o++)
#pragma unroll
            for (int v = 0; v < 4; v++)
                gx_merge(state[0][v], all[o][v][lane], met);
    gx_state *parts = (gx_state *)p.parts;
    __shared__ bool last;
    if (team == 0 && valid) {
#pragma unroll
        for (int v = 0; v < 4; v++)
            parts[(long long)part * p.kept + k + v] = state[0][v];
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(&p.arrived[blockIdx.x / p.splits], p.splits - 1) == p.splits - 1;
    __syncthreads();
    if (!last) {
        return;
    }
    __threadfence();
    if (valid) {
        const unsigned first = team < p.splits ? team : 0;
#pragma unroll
        for (int v = 0; v < 4; v++) {
            state[0][v] = gx_fresh(parts + (long long)first * p.kept + k + v);
            for (unsigned o = team + 8; o < p.splits; o += 32) {
                gx_state others[4];
#pragma unroll
                for (int u = 0; u < 4; u++)
                    if (o + u * 8 < p.splits)
                        others[u] = gx_fresh(
                            parts + (long long)(o + u * 8) * p.kept + k + v);
#pragma unroll
                for (int u = 0; u < 4; u++)
                    if (o + u * 8 < p.splits) gx_merge(state[0][v], others[u], met);
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int v = 0; v < 4; v++) all[team][v][lane] = state[0][v];
    __syncthreads();
    if (team == 0)
        for (int o = 1; o < 8; o++)
#pragma unroll
            for (int v = 0; v < 4; v++)
                gx_merge(state[0][v], all[o][v][lane], met);
    if (team == 0 && valid) {
#pragma unroll
        for (int v = 0; v < 4; v++) {
            char *at = p.b1 + (long long)(k) * 4
                + (long long)v * (long long)p.t1_0;
            const float result = state[0][v].v;
            *(float *)at = result;
        }
    }
}
