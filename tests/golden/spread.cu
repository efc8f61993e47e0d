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
GX_FN void element(float a0, double &o0) {
    const float v0 = a0;
    o0 = (double)v0;
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
enum { GX_SAW_NAN = 256, GX_SAW_INF = 512 };
struct gx_state {
    double n, k, s, q;
};
GX_FN gx_state gx_begin(double v) {
    gx_state s;
    s.n = 1;
    s.k = v;
    s.s = s.q = 0;
    return s;
}
GX_FN gx_state gx_nothing() {
    gx_state s = gx_begin(0);
    s.n = 0;
    return s;
}
GX_FN void gx_fold(gx_state &s, double v, int &met) {
    if (gx_is_odd(v)) met |= v != v ? GX_SAW_NAN : GX_SAW_INF;
    if (s.n == 0) s.k = v;
    const double d = v - s.k;
    s.n += 1;
    s.s += d;
    s.q += d * d;
}
GX_FN void gx_settle(gx_state &s) {
    if (s.n == 0) return;
    const double m = s.s / s.n;
    if (s.q - s.q == 0 || s.s - s.s != 0) s.q -= m * s.s;
    s.k += m;
    if (s.q < 0) s.q = 0;
    s.s = 0;
}
GX_FN void gx_merge(gx_state &s, gx_state o, int &met) {
    gx_settle(s);
    gx_settle(o);
    if (o.n == 0) return;
    if (s.n == 0) {
        s = o;
        return;
    }
    const double n = s.n + o.n, d = o.k - s.k, f = o.n / n;
    const double q = s.q + o.q + d * d * (s.n * f);
    if (gx_is_odd(q) && !gx_is_odd(s.q) && !gx_is_odd(o.q))
        met |= s.k != s.k || o.k != o.k           ? 0
               : gx_is_odd(s.k) || gx_is_odd(o.k) ? 8
                                                  : 2;
    s.k += d * f;
    s.q = q;
    s.n = n;
}
GX_FN void gx_settle_met(gx_state &s, int &met) {
    gx_settle(s);
    if (gx_is_odd(s.q) && !(met & GX_SAW_NAN))
        met |= met & GX_SAW_INF ? 8 : 2;
}
extern "C" __global__ void __launch_bounds__(256)
gx_kernel(const __grid_constant__ gx_params p) {
    int met = 0;
    const gx_index lane = threadIdx.x & 255u;
    const gx_index k = blockIdx.x / p.splits, part = blockIdx.x % p.splits;
    const gx_index step = p.splits * 256u;
    gx_index i = part * 256u + lane;
    const gx_index packs = p.reduced / 4;
    const char *c0 = p.b0;
    gx_state state[1][1];
#pragma unroll
    for (int k = 0; k < 1; k++) state[0][k] = gx_nothing();
    for (; i + 3 * step < packs; i += 4 * step) {
        float a0[4][4];
#pragma unroll
        for (int u = 0; u < 4; u++) {
            const gx_index r = (i + u * step) * 4;
            gx_load<4>(a0[u], c0 + (long long)(r) * 4);
        }
#pragma unroll
        for (int u = 0; u < 4; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                double value;
                element(a0[u][k], value);
                gx_fold(state[0][0], value, met);
            }
        }
    }
    for (; i + 0 * step < packs; i += 1 * step) {
        float a0[1][4];
#pragma unroll
        for (int u = 0; u < 1; u++) {
            const gx_index r = (i + u * step) * 4;
            gx_load<4>(a0[u], c0 + (long long)(r) * 4);
        }
#pragma unroll
        for (int u = 0; u < 1; u++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                double value;
                element(a0[u][k], value);
                gx_fold(state[0][0], value, met);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 1; k++) gx_settle_met(state[0][k], met);
    gx_state mine = state[0][0];
    for (gx_index tail = packs * 4 + lane; tail < p.reduced && part == 0; tail += 256) {
        const gx_index r = tail;
        const int u = 0;
        float a0[1][1];
            {
                const char *at = c0 + (long long)(r) * 4;
                a0[0][0] = *(const float *)(at);
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
        gx_tell(p.fp, p.told, met);
        return;
    }
    __threadfence();
    unsigned from = threadIdx.x < p.splits ? threadIdx.x : 0;
    mine = gx_fresh(parts + from);
    if (threadIdx.x >= p.splits) mine = gx_nothing();
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
        gx_settle(mine);
        const float result = (float)mine.q;
        *(float *)at = result;
    }
    gx_tell(p.fp, p.told, met);
}
