typedef unsigned gx_index;
typedef int gx_stride;
#define T short
#define R short
#define U unsigned
GX_FN bool gx_wins(T x, T y) {
    return y < x;
}
#undef T
#undef R
#undef U
GX_FN void element(short a0, short &o0) {
    const short v0 = a0;
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
    alignas(8) gx_index total;
    alignas(8) gx_index kept;
    alignas(8) gx_index reduced;
    alignas(8) unsigned splits;
    char *parts;
    unsigned *arrived;
    int *fp, *told;
};
struct gx_state {
    short v;
    gx_index at;
};
GX_FN gx_state gx_begin(short v) {
    gx_state s;
    s.v = v;
    s.at = 0;
    return s;
}
GX_FN void gx_fold(gx_state &s, short v, gx_index at, int &met) {
    if (!gx_wins(s.v, v)) return;
    s.v = v;
    s.at = at;
}
GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {
    gx_state a = o.at < s.at ? o : s, b = o.at < s.at ? s : o;
    s = gx_wins(a.v, b.v) ? b : a;
}
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    int met = 0;
    const gx_index lane = threadIdx.x & 31u;
    const gx_index k = (gx_index)blockIdx.x * 8u + (threadIdx.x >> 5);
    const gx_index step = 32;
    gx_index i = lane;
    if (k >= p.kept) return;
    const gx_index packs = p.reduced / 4;
    const char *c0 = p.b0
                + (long long)(gx_stride)(k) * (long long)p.t0_0;
    gx_state state[4][1];
#pragma unroll
    for (int k = 0; k < 1; k++) {
        const gx_index r = 0;
        const int u = 0;
        short a0[1][1];
            {
                const char *at = c0 + (long long)(r) * 2;
                a0[0][0] = *(const short *)(at);
            }
        short value;
        element(a0[u][0], value);
#pragma unroll
        for (int w = 0; w < 4; w++) state[w][k] = gx_begin(value);
    }
    for (; i + 3 * step < packs; i += 4 * step) {
        short a0[4][4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            const gx_index r = (i + u * step) * 4;
            gx_load<4>(a0[u], c0 + (long long)(r) * 2);
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                short value;
                element(a0[u][k], value);
                gx_fold(state[u][0], value, (i + u * step) * 4 + k, met);
            }
        }
    }
    for (; i + 0 * step < packs; i += 1 * step) {
        short a0[1][4];
#pragma unroll
        for (int u = 0; u < 1; u++) {
            const gx_index r = (i + u * step) * 4;
            gx_load<4>(a0[u], c0 + (long long)(r) * 2);
        }
#pragma unroll
        for (int u = 0; u < 1; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                short value;
                element(a0[u][k], value);
                gx_fold(state[u][0], value, (i + u * step) * 4 + k, met);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 1; k++) {
        gx_merge(state[0][k], state[1][k], met);
        gx_merge(state[2][k], state[3][k], met);
        gx_merge(state[0][k], state[2][k], met);
    }
    gx_state mine = state[0][0];
    for (int by = 16; by > 0; by /= 2) gx_merge(mine, gx_shuffle(mine, by), met);
    if (lane == 0) {
        char *at = p.b1
                + (long long)(gx_stride)(k) * (long long)p.t1_0;
        const long long result = mine.at;
        *(long long *)at = result;
    }
}
