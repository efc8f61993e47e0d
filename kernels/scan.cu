/* Running totals. runtime/backend/gpu/scan.c puts in front: T, the type in memory; C, the type that
   is computed with; gx_from and gx_into between them; gx_join; and GX_ONE, the neutral element.
   Each chunk is summed, the sums of a row's chunks are scanned by one block, then every chunk is
   scanned from what lies before it; or, where a total fits 8 bytes, chunks are read once and each
   waits for what lies before it. The same bits at every run: what is added to what depends on
   extents alone. V elements lie in one access. */

struct gx_scan {
    const T *from;
    T *to;
    long long outer, n, inner, chunks; /* chunks a row */
    C *sums;
    struct gx_total *totals, *starts; /* of chunks, and before groups of chunks */
};

/* A total that others wait for: there once `known` is not 0. */
struct alignas(16) gx_total {
    unsigned long long value, known;
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

#ifdef GX_ONCE
/* Chunks of a group know the totals of those before them in the group, groups know the total before
   them: a chain of one link a group, in a fixed order. */
enum { ONCE = V >= 16 ? 2 : V == 8 ? 4 : 8, GROUP = 128, PARTS = ONCE * 8 };

static __device__ __forceinline__ void gx_give(gx_total *to, C c) {
    union words {
        unsigned long long u;
        C c;
        __device__ words() {}
    } w;
    w.u = 0;
    w.c = c;
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(w.u), "l"(1ull)
                 : "memory");
}

static __device__ __forceinline__ C gx_wait(const gx_total *from) {
    union words {
        unsigned long long u;
        C c;
        __device__ words() {}
    } w;
    unsigned long long known;
    do {
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(w.u), "=l"(known)
                     : "l"(from)
                     : "memory");
    } while (!known);
    return w.c;
}

static __device__ __forceinline__ C gx_of_lane(C c, int lane) {
    union words {
        C c;
        unsigned w[(sizeof(C) + 3) / 4];
        __device__ words() {}
    } u;
    u.c = c;
#pragma unroll
    for (int k = 0; k < (int)((sizeof(C) + 3) / 4); k++)
        u.w[k] = __shfl_sync(0xffffffffu, u.w[k], lane);
    return u.c;
}

/* The total before a chunk whose own is `all`, for one warp. */
static __device__ __forceinline__ C gx_total_before(const gx_scan &p, long long row,
                                                    long long chunk, C all) {
    const int lane = threadIdx.x & 31, in = (int)(chunk % GROUP);
    const long long group = chunk / GROUP, groups = (p.chunks + GROUP - 1) / GROUP;
    gx_total *totals = p.totals + row * p.chunks, *starts = p.starts + row * groups;
    if (lane == 0) gx_give(totals + chunk, all);
    C sum = GX_ONE;
#pragma unroll
    for (int k = 0; k < GROUP / 32; k++) {
        const int i = lane * (GROUP / 32) + k;
        if (i < in) sum = gx_join(sum, gx_wait(totals + group * GROUP + i));
    }
    sum = gx_of_lane(gx_scan_warp(sum), 31);
    if (group > 0) sum = gx_join(gx_wait(starts + group), sum);
    if (in == GROUP - 1 && lane == 0 && chunk + 1 < p.chunks)
        gx_give(starts + group + 1, gx_join(sum, all));
    return sum;
}

extern "C" __global__ void __launch_bounds__(256)
gx_scan_once(const __grid_constant__ gx_scan p) {
    __shared__ C parts[PARTS]; /* a warp's part of a pass: its total, then what lies before it */
    const long long row = blockIdx.x / p.chunks, chunk = blockIdx.x % p.chunks;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const long long from = chunk * (ONCE * 256 * V) + (long long)threadIdx.x * V;
    C x[ONCE][V], own[ONCE];
#pragma unroll
    for (int s = 0; s < ONCE; s++) gx_fetch(p, row, from + s * 256 * V, x[s]);
#pragma unroll
    for (int s = 0; s < ONCE; s++) {
#pragma unroll
        for (int k = 1; k < V; k++) x[s][k] = gx_join(x[s][k - 1], x[s][k]);
        const C upto = gx_scan_warp(x[s][V - 1]);
        own[s] = gx_up(upto, 1);
        if (lane == 0) own[s] = GX_ONE;
        if (lane == 31) parts[s * 8 + warp] = upto;
    }
    __syncthreads();
    if (warp == 0) {
        const bool any = 2 * lane < PARTS;
        const C a = any ? parts[2 * lane] : GX_ONE, b = any ? parts[2 * lane + 1] : GX_ONE;
        const C upto = gx_scan_warp(gx_join(a, b));
        C before = gx_up(upto, 1);
        if (lane == 0) before = GX_ONE;
        before = gx_join(gx_total_before(p, row, chunk, gx_of_lane(upto, 31)), before);
        __syncwarp();
        if (any) {
            parts[2 * lane] = before;
            parts[2 * lane + 1] = gx_join(before, a);
        }
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < ONCE; s++) {
        const long long at = from + s * 256 * V;
        const C before = gx_join(parts[s * 8 + warp], own[s]);
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
#endif

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

#ifdef GX_OVERFLOW
struct gx_scan_result {
    const T *from, *to;
    long long outer, n, inner;
    int *fp, *told;
};

/* The first of a row's totals that is not finite (or that is nan), which all behind it are, too. */
static __device__ __forceinline__ long long gx_first(const gx_scan_result &p, long long first,
                                                     long long low, bool nan) {
    long long high = p.n - 1;
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const C c = gx_from(p.to[first + middle * p.inner]);
        if (nan ? c == c : c - c == 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What a row met is seen by its last total; where, by halving: a thread a row. */
extern "C" __global__ void __launch_bounds__(256)
gx_scan_tell(const __grid_constant__ gx_scan_result p) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.outer * p.inner) return;
    const long long first = i / p.inner * p.n * p.inner + i % p.inner;
    const C last = gx_from(p.to[first + (p.n - 1) * p.inner]);
    if (last - last == 0) return;
    const long long at = gx_first(p, first, 0, false);
    const C in = gx_from(p.from[first + at * p.inner]);
    int met = in - in == 0 ? GX_OVERFLOW : 0;
    if (last != last) {
        const long long lost = gx_first(p, first, at, true);
        const C x = gx_from(p.from[first + lost * p.inner]);
        if (x == x) met |= GX_INVALID;
    }
    if (!met || (*(volatile int *)p.told & met) == met) return;
    if ((atomicOr(p.told, met) & met) != met) atomicOr(p.fp, met);
}
#endif
