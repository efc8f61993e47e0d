/* Indexing by index arrays, and the positions of true elements. runtime/backend/gpu/index.c puts
   the defines in front: ND dims, NI index arrays, ITEM bytes an element (S its type), GX_FAR when
   the parameters are in memory, and GX_KERNEL_* for the kernel that is wanted. */

#ifdef GX_FAR
#define GX_PARAMS(P) const __grid_constant__ gx_far far
#define GX_TAKE_PARAMS(P) const P &p = *(const P *)far.at;
struct gx_far {
    const void *at;
};
#else
#define GX_PARAMS(P) const __grid_constant__ P p
#define GX_TAKE_PARAMS(P)
#endif

#ifdef GX_TAKE
typedef unsigned long long gx_u64;
struct gx_take {
    gx_u64 total;
    long long shape[ND], array_step[ND], other_step[ND];
    long long index_step[NI > 0 ? NI : 1][ND];
    long long scale[NI > 0 ? NI : 1];
    char *array, *other;
    const char *index[NI > 0 ? NI : 1];
    GX_RANK *rank; /* scatter: for each place its last writer, from 1 on */
    char *first;   /* scatter: the place of rank[0] */
    /* GX_CHECK: the axes' numbers and sizes, the conditions' word, what is told of a take. */
    long long axis[NI > 0 ? NI : 1], size[NI > 0 ? NI : 1];
    int *flag;
    struct gx_outside *outside;
};

/* What runtime/backend/gpu/index.c reads. `owner` is the address of the take's word, 0: nobody;
   `first` is the complement of the first place. */
struct gx_outside {
    gx_u64 owner, first, wrong;
    long long index, axis, size, total;
    unsigned lock;
};

#ifdef GX_CHECK
/* Index k of element i is v, out of range. Only the first take that meets one is told of fully. */
static __device__ __noinline__ void gx_tell_outside(const gx_take &p, gx_u64 i, int k,
                                                    long long v) {
    gx_outside *o = p.outside;
    const gx_u64 me = (gx_u64)p.flag, old = atomicCAS(&o->owner, 0ull, me);
    const gx_u64 rank = ~i;
    if (old == 0 || !(*(volatile int *)p.flag & 32)) atomicOr(p.flag, 32);
    if (old != 0 && old != me) return;
    atomicAdd(&o->wrong, 1ull);
    while (rank > *(volatile gx_u64 *)&o->first) {
        if (atomicCAS(&o->lock, 0u, 1u) != 0) continue;
        if (rank > *(volatile gx_u64 *)&o->first) {
            *(volatile long long *)&o->index = v;
            *(volatile long long *)&o->axis = p.axis[k];
            *(volatile long long *)&o->size = p.size[k];
            *(volatile long long *)&o->total = (long long)p.total;
            *(volatile gx_u64 *)&o->first = rank;
        }
        __threadfence();
        atomicExch(&o->lock, 0u);
    }
}
#endif

/* Where element i of the iteration is, in the indexed array and in the other one. False: an index
   is out of range. */
static __device__ __forceinline__ bool gx_places(const gx_take &p, gx_u64 i, char **array,
                                                 char **other) {
    char *a = p.array, *o = p.other;
    const char *x[NI > 0 ? NI : 1];
#pragma unroll
    for (int k = 0; k < NI; k++) x[k] = p.index[k];
#pragma unroll
    for (int d = ND - 1; d >= 0; d--) {
        long long at = (long long)i;
        if (d > 0) {
#ifdef GX_NARROW
            unsigned q = (unsigned)i / (unsigned)p.shape[d];
            at = (unsigned)i - q * (unsigned)p.shape[d];
#else
            gx_u64 q = i / (gx_u64)p.shape[d];
            at = (long long)(i - q * (gx_u64)p.shape[d]);
#endif
            i = q;
        }
        a += at * p.array_step[d];
        o += at * p.other_step[d];
#pragma unroll
        for (int k = 0; k < NI; k++) x[k] += at * p.index_step[k][d];
    }
    bool inside = true;
#pragma unroll
    for (int k = 0; k < NI; k++) {
        long long v = *(const long long *)x[k];
#ifdef GX_CHECK
        const long long at = v < 0 ? v + p.size[k] : v;
        if ((gx_u64)at >= (gx_u64)p.size[k]) {
#ifdef GX_TELL
            if (inside) gx_tell_outside(p, i, k, v);
#endif
            inside = false;
        }
        v = at;
#endif
        a += v * p.scale[k];
    }
    *array = a;
    *other = o;
    return inside;
}

static __device__ __forceinline__ void gx_copy(char *to, const char *from) {
#ifdef GX_BYTES
    for (int k = 0; k < ITEM; k++) to[k] = from[k];
#else
    *(S *)to = *(const S *)from;
#endif
}

extern "C" __global__ void __launch_bounds__(256)
gx_index_kernel(GX_PARAMS(gx_take)) {
    GX_TAKE_PARAMS(gx_take)
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.total) return;
    char *array, *other;
#if defined GX_CHECK && defined GX_SCATTER_LAST
    if (p.outside->owner == (gx_u64)p.flag) return;
#endif
    const bool inside = gx_places(p, i, &array, &other);
#ifdef GX_CHECK
    if (!inside) return;
#endif
#if defined GX_GATHER
    gx_copy(other, array);
#elif defined GX_CLEAR
    p.rank[(array - p.first) / UNIT] = 0;
#elif defined GX_RANK_OF
    atomicMax(&p.rank[(array - p.first) / UNIT], (GX_RANK)(i + 1));
#elif defined GX_SCATTER_LAST
    if (p.rank[(array - p.first) / UNIT] == (GX_RANK)(i + 1)) gx_copy(array, other);
#else
    gx_copy(array, other);
#endif
}
#endif

#ifdef GX_NONZERO
/* A block has CHUNK bytes of the mask, each of its 8 warps an eighth. */
enum { CHUNK = 16384, PART = CHUNK / 8 };
struct gx_mask {
    const unsigned char *mask;
    long long n, blocks;
    unsigned *counts;   /* true elements a block */
    long long *starts;  /* the same, summed over the blocks before; starts[blocks] is the total */
    long long *out;
};

/* True bytes of four. */
static __device__ __forceinline__ int gx_true_bytes(unsigned w) {
    w |= w >> 4;
    w |= w >> 2;
    w |= w >> 1;
    return __popc(w & 0x01010101u);
}

/* True elements of the warp's part from `from` on, in every lane. */
static __device__ __forceinline__ unsigned gx_count_part(const gx_mask &p, long long from) {
    unsigned count = 0;
    const unsigned lane = threadIdx.x & 31;
    if (from + PART <= p.n && ((unsigned long long)(p.mask + from) & 15) == 0) {
#pragma unroll
        for (int k = 0; k < PART / 512; k++) {
            const uint4 w = *(const uint4 *)(p.mask + from + k * 512 + lane * 16);
            count += gx_true_bytes(w.x) + gx_true_bytes(w.y) + gx_true_bytes(w.z) +
                     gx_true_bytes(w.w);
        }
    } else {
        for (long long i = from + lane; i < from + PART && i < p.n; i += 32)
            count += p.mask[i] != 0;
    }
    for (int by = 16; by > 0; by /= 2) count += __shfl_down_sync(0xffffffffu, count, by);
    return __shfl_sync(0xffffffffu, count, 0);
}

extern "C" __global__ void __launch_bounds__(256)
gx_count_true(const __grid_constant__ gx_mask p) {
    __shared__ unsigned parts[8];
    const unsigned warp = threadIdx.x >> 5;
    const unsigned count = gx_count_part(p, (long long)blockIdx.x * CHUNK + warp * PART);
    if ((threadIdx.x & 31) == 0) parts[warp] = count;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned sum = 0;
    for (int k = 0; k < 8; k++) sum += parts[k];
    p.counts[blockIdx.x] = sum;
}

/* One block: thread t sums a run of counts, then all know what lies before them. */
extern "C" __global__ void __launch_bounds__(256)
gx_sum_counts(const __grid_constant__ gx_mask p) {
    __shared__ long long sums[256];
    const long long run = (p.blocks + 255) / 256, from = threadIdx.x * run;
    const long long to = from + run < p.blocks ? from + run : p.blocks;
    long long sum = 0;
    for (long long b = from; b < to; b++) sum += p.counts[b];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long before = 0;
        for (int t = 0; t < 256; t++) {
            const long long own = sums[t];
            sums[t] = before;
            before += own;
        }
        p.starts[p.blocks] = before;
    }
    __syncthreads();
    sum = sums[threadIdx.x];
    for (long long b = from; b < to; b++) {
        p.starts[b] = sum;
        sum += p.counts[b];
    }
}

extern "C" __global__ void __launch_bounds__(256)
gx_write_true(const __grid_constant__ gx_mask p) {
    __shared__ unsigned parts[8];
    const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const long long from = (long long)blockIdx.x * CHUNK + warp * PART;
    const unsigned count = gx_count_part(p, from);
    if (lane == 0) parts[warp] = count;
    __syncthreads();
    long long at = p.starts[blockIdx.x];
    for (unsigned k = 0; k < warp; k++) at += parts[k];
    for (int k = 0; k < PART / 32; k++) {
        const long long i = from + k * 32 + lane;
        const bool set = i < p.n && p.mask[i] != 0;
        const unsigned all = __ballot_sync(0xffffffffu, set);
        if (set) p.out[at + __popc(all & ((1u << lane) - 1))] = i;
        at += __popc(all);
    }
}
#endif
