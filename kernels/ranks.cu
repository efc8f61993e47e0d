/* What needs the order of elements and no sorting: searching, ranks, the least and the most, bins,
   and the runs of what is sorted. Comes behind order.cu, whose keys it uses; a GX_… for the kernels
   that are wanted. */

#if defined GX_SEARCH
struct gx_search {
    const T *among;
    const N *what; /* as they are, and as doubles when they are other than T */
    long long *to;
    gx_u64 n, count;
};

GX_KERNEL gx_search_each(const __grid_constant__ gx_search p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.count) return;
    const T key = gx_key(GX_AS_T(p.what[i]));
    gx_u64 low = 0, n = p.n;
    while (n > 0) {
        const gx_u64 half = n / 2;
        const T other = gx_key(p.among[low + half]);
        if (RIGHT ? other <= key : other < key) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    p.to[i] = (long long)low;
}
#endif

#if defined GX_SELECT
/* --- ranks --- */
/* A digit of the key at a time, the highest first. Each rank has a table of counts of
   the elements whose key begins as the rank's does; ranks with the same beginning share the first
   one's. A pass counts, then picks. */

enum { DIGIT = 11, TABLE = 1 << DIGIT };
struct gx_select {
    const T *from;
    unsigned *tables; /* (rows, m, TABLE), zero */
    T *begins;        /* (rows, m): the digits known so far */
    gx_u64 *ranks;    /* (rows, m): among those that begin so */
    T *to;
    gx_u64 n;
    int m, blocks; /* blocks a row */
    int low, wide; /* the digit: its lowest bit, its bits */
};

GX_IN void gx_count_key(const gx_select &p, const int *own, unsigned *tables, const T *begins,
                        T key) {
    const unsigned digit = (unsigned)(key >> p.low) & ((1u << p.wide) - 1);
    if (p.low + p.wide == BITS) {
        atomicAdd(&tables[digit], 1u);
        return;
    }
    const T begin = (T)(key >> (p.low + p.wide));
#pragma unroll
    for (int r = 0; r < M; r++)
        if (own[r] && begin == begins[r]) atomicAdd(&tables[r * TABLE + digit], 1u);
}

GX_KERNEL gx_count_digits(const __grid_constant__ gx_select p) {
    extern __shared__ unsigned tables[];
    const gx_u64 row = blockIdx.x / p.blocks, block = blockIdx.x % p.blocks;
    const T *from = p.from + row * p.n;
    T begins[M];
    int own[M];
#pragma unroll
    for (int r = 0; r < M; r++) {
        begins[r] = r < p.m ? p.begins[row * p.m + r] : (T)0;
        own[r] = r < p.m;
#pragma unroll
        for (int k = 0; k < r; k++)
            if (begins[k] == begins[r]) own[r] = 0;
    }
    for (unsigned i = threadIdx.x; i < M * TABLE; i += 256) tables[i] = 0;
    __syncthreads();
    const gx_u64 packs = p.n / V;
    for (gx_u64 i = block * 256 + threadIdx.x; i < packs; i += (gx_u64)p.blocks * 256) {
        const gx_pack<T, V> got = *(const gx_pack<T, V> *)(from + i * V);
#pragma unroll
        for (int k = 0; k < V; k++) gx_count_key(p, own, tables, begins, gx_key(got.v[k]));
    }
    if (block == 0 && packs * V + threadIdx.x < p.n)
        gx_count_key(p, own, tables, begins, gx_key(from[packs * V + threadIdx.x]));
    __syncthreads();
    const int used = p.low + p.wide == BITS ? 1 : M;
    for (unsigned i = threadIdx.x; i < used * TABLE; i += 256)
        if (tables[i]) atomicAdd(&p.tables[row * p.m * TABLE + i], tables[i]);
}

/* A block a rank. */
GX_KERNEL gx_pick_digit(const __grid_constant__ gx_select p) {
    __shared__ gx_u64 sums[256];
    const gx_u64 row = blockIdx.x / p.m, rank = blockIdx.x % p.m;
    const T mine = p.begins[row * p.m + rank];
    const gx_u64 wanted = p.ranks[row * p.m + rank];
    gx_u64 first = rank;
    for (gx_u64 r = 0; r < rank && first == rank; r++)
        if (p.begins[row * p.m + r] == mine) first = r;
    if (p.low + p.wide == BITS) first = 0;
    const unsigned *table = p.tables + (row * p.m + first) * TABLE + threadIdx.x * (TABLE / 256);
    gx_u64 sum = 0, before = 0;
    for (int k = 0; k < TABLE / 256; k++) sum += table[k];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned k = 0; k < threadIdx.x; k++) before += sums[k];
    __syncthreads();
    /* Blocks of a row read `begins`: the new ones are written behind them. */
    if (before > wanted || before + sum <= wanted) return;
    int k = 0;
    while (before + table[k] <= wanted) before += table[k++];
    const gx_u64 at = (gx_u64)(gridDim.x + blockIdx.x);
    const T begin = (T)((p.low + p.wide == BITS ? (T)0 : (T)(mine << p.wide)) |
                        (T)(threadIdx.x * (TABLE / 256) + k));
    p.begins[at] = begin;
    p.ranks[at] = wanted - before;
    if (p.low == 0) p.to[blockIdx.x] = gx_element(begin, false);
}
#endif

#if defined GX_EXTENT
struct gx_extent {
    const T *from;
    gx_u64 *ends; /* the least key, the most */
    gx_u64 n;
};

GX_KERNEL gx_find_ends(const __grid_constant__ gx_extent p) {
    __shared__ gx_u64 lows[8], highs[8];
    T low = (T)~(T)0, high = 0;
    const gx_u64 packs = p.n / V, from = (gx_u64)blockIdx.x * 256 + threadIdx.x;
#pragma unroll 4
    for (gx_u64 i = from; i < packs; i += (gx_u64)gridDim.x * 256) {
        const gx_pack<T, V> got = *(const gx_pack<T, V> *)(p.from + i * V);
#pragma unroll
        for (int k = 0; k < V; k++) {
            const T key = gx_key(got.v[k]);
            low = key < low ? key : low;
            high = key > high ? key : high;
        }
    }
    if (packs * V + from < p.n) {
        const T key = gx_key(p.from[packs * V + from]);
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    gx_u64 a = low, b = high;
    for (int by = 16; by > 0; by /= 2) {
        const gx_u64 x = __shfl_down_sync(0xffffffffu, a, by);
        const gx_u64 y = __shfl_down_sync(0xffffffffu, b, by);
        a = x < a ? x : a;
        b = y > b ? y : b;
    }
    if ((threadIdx.x & 31) == 0) {
        lows[threadIdx.x >> 5] = a;
        highs[threadIdx.x >> 5] = b;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int k = 1; k < 8; k++) {
        a = lows[k] < a ? lows[k] : a;
        b = highs[k] > b ? highs[k] : b;
    }
    atomicMin(&p.ends[0], a);
    atomicMax(&p.ends[1], b);
}
#endif

#if defined GX_BINS
/* --- bins --- */
/* N is the type of elements as numbers, F what they are compared in. Counts are taken in
   shared memory, in COPIES that lanes share out, or in global memory when bins are too many. */

struct gx_bins {
    const N *from;
    const F *edges; /* bins + 1: rounded up to F, the last down */
    gx_u64 *to;
    unsigned *words; /* GX_WORDS_OF_BINS: each element's bin, or the number of bins */
    gx_u64 n;
    unsigned bins, copies; /* a power of two; 0: none */
    F first, last, scale;
    int shared_edges;
};

/* The bin of a number; p.bins: none. */
GX_IN unsigned gx_bin(const gx_bins &p, const F *edges, N number) {
#ifdef GX_COUNT
    const gx_u64 bin = (gx_u64)number;
    return bin < p.bins ? (unsigned)bin : p.bins;
#else
    const F x = GX_NUMBER(number);
    if (!(x >= p.first && x <= p.last)) return p.bins;
    unsigned bin = (unsigned)((x - p.first) * p.scale);
    bin = bin < p.bins ? bin : p.bins - 1;
    if (x >= edges[bin] && (x < edges[bin + 1] || bin + 1 == p.bins)) return bin;
    unsigned high = p.bins;
    bin = 0;
    while (high - bin > 1) {
        const unsigned mid = bin + (high - bin) / 2;
        if (x >= edges[mid]) bin = mid;
        else high = mid;
    }
    return bin;
#endif
}

GX_IN void gx_into_bin(const gx_bins &p, const F *edges, unsigned *counts, N number) {
    const unsigned bin = gx_bin(p, edges, number);
    if (bin == p.bins) return;
    if (p.copies) atomicAdd(&counts[bin * p.copies + (threadIdx.x & (p.copies - 1))], 1u);
    else atomicAdd(&p.to[bin], 1ull);
}

/* Edges in shared memory, where they have room. */
GX_IN const F *gx_near_edges(const gx_bins &p, F *near) {
    if (!p.shared_edges) return p.edges;
    for (unsigned i = threadIdx.x; i <= p.bins; i += 256) near[i] = p.edges[i];
    return near;
}

/* Packs are taken from the end: what was read last by the kernel that looked for the extent may
   still be in the cache. */
GX_KERNEL gx_fill_bins(const __grid_constant__ gx_bins p) {
    extern __shared__ double room[];
    F *near = (F *)room;
    const F *edges = gx_near_edges(p, near);
    unsigned *counts = (unsigned *)(near + (p.shared_edges ? p.bins + 1 : 0));
    for (unsigned i = threadIdx.x; i < p.bins * p.copies; i += 256) counts[i] = 0;
    __syncthreads();
    const gx_u64 packs = p.n / V, from = (gx_u64)blockIdx.x * 256 + threadIdx.x;
#pragma unroll 2
    for (gx_u64 i = from; i < packs; i += (gx_u64)gridDim.x * 256) {
        const gx_pack<N, V> got = *(const gx_pack<N, V> *)(p.from + (packs - 1 - i) * V);
#pragma unroll
        for (int k = 0; k < V; k++) gx_into_bin(p, edges, counts, got.v[k]);
    }
    if (packs * V + from < p.n) gx_into_bin(p, edges, counts, p.from[packs * V + from]);
    if (!p.copies) return;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < p.bins; i += 256) {
        gx_u64 sum = 0;
        for (unsigned k = 0; k < p.copies; k++)
            sum += counts[i * p.copies + ((k + threadIdx.x) & (p.copies - 1))];
        if (sum) atomicAdd(&p.to[i], sum);
    }
}

/* For weights: the bin of each element as a word, and its number. */
GX_KERNEL gx_bin_words(const __grid_constant__ gx_bins p) {
    extern __shared__ double room[];
    const F *edges = gx_near_edges(p, (F *)room);
    __syncthreads();
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.n) return;
    p.words[i] = gx_bin(p, edges, p.from[i]);
    ((unsigned *)p.to)[i] = (unsigned)i;
}
#endif

#if defined GX_WEIGH
/* --- sums of weights by bin --- */
/* Words are bins, sorted, numbers are where the elements were. Up to
   SHORT elements of a bin are added in their order, by a warp a bin: a lane fetches what lane 0
   adds. Bins with more are added by pieces of PIECE sorted elements, and then pieces in their
   order: what is added to what is a function of the bins alone. */

enum { SHORT = 4096, PIECE = 1024, BATCH = 8 };
struct gx_weigh {
    const unsigned *words, *numbers;
    const double *weights;
    double *to, *pieces; /* of each piece: the bin of its first element, and that of its last */
    gx_u64 n;
    unsigned bins;
};

GX_IN gx_u64 gx_first_of(const gx_weigh &p, unsigned bin) {
    gx_u64 low = 0, n = p.n;
    while (n > 0) {
        const gx_u64 half = n / 2;
        if (p.words[low + half] < bin) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* The total in its order, known to lane 0, of get(from), …, get(end - 1). */
template <class Get>
GX_IN double gx_in_order(double *fetched, gx_u64 from, gx_u64 end, const Get &get) {
    const unsigned lane = threadIdx.x & 31;
    double sum = 0;
    for (; from < end; from += BATCH * 32) {
        double got[BATCH];
#pragma unroll
        for (int k = 0; k < BATCH; k++) {
            const gx_u64 i = from + k * 32 + lane;
            got[k] = i < end ? get(i) : 0;
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < BATCH; k++) fetched[k * 32 + lane] = got[k];
        __syncwarp();
        const int count = (int)(end - from < BATCH * 32 ? end - from : BATCH * 32);
        if (lane == 0) {
            if (count == BATCH * 32) {
#pragma unroll 32
                for (int k = 0; k < BATCH * 32; k++) sum += fetched[k];
            } else {
                for (int k = 0; k < count; k++) sum += fetched[k];
            }
        }
    }
    return sum;
}

/* A warp a piece. A bin that is not short covers a piece's first element or its last one: there is
   no room for it in between. */
GX_KERNEL gx_sum_pieces(const __grid_constant__ gx_weigh p) {
    const unsigned lane = threadIdx.x & 31;
    const gx_u64 piece = blockIdx.x * 8ull + (threadIdx.x >> 5), low = piece * PIECE;
    if (low >= p.n) return;
    const gx_u64 high = low + PIECE < p.n ? low + PIECE : p.n;
    const unsigned one = p.words[low], other = p.words[high - 1];
    const gx_u64 found = gx_first_of(p, (lane & 2 ? other : one) + (lane & 1));
    for (int side = 0; side < 2; side++) {
        const gx_u64 from = __shfl_sync(0xffffffffu, found, 2 * side);
        const gx_u64 end = __shfl_sync(0xffffffffu, found, 2 * side + 1);
        const unsigned bin = side ? other : one;
        if (end - from <= SHORT || bin >= p.bins || (side && one == other)) continue;
        double sum = 0;
#pragma unroll 8
        for (int k = 0; k < PIECE; k += 32) {
            const gx_u64 i = low + k + lane;
            if (i >= from && i < end && i < high) sum += p.weights[p.numbers[i]];
        }
        for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffffu, sum, by);
        if (lane == 0) p.pieces[2 * piece + side] = sum;
    }
}

GX_KERNEL gx_sum_weights(const __grid_constant__ gx_weigh p) {
    __shared__ double fetched[8][BATCH * 32];
    const unsigned warp = threadIdx.x >> 5;
    const unsigned bin = blockIdx.x * 8 + warp;
    if (bin >= p.bins) return;
    const gx_u64 from = gx_first_of(p, bin), end = gx_first_of(p, bin + 1);
    double sum;
    if (end - from <= SHORT) {
        sum = gx_in_order(fetched[warp], from, end,
                          [&](gx_u64 i) { return p.weights[p.numbers[i]]; });
    } else { /* it covers the first element of all its pieces but, maybe, of the first */
        const gx_u64 first = from / PIECE;
        sum = gx_in_order(fetched[warp], first, (end + PIECE - 1) / PIECE, [&](gx_u64 k) {
            return p.pieces[2 * k + (k == first && k * PIECE < from)];
        });
    }
    if ((threadIdx.x & 31) == 0) p.to[bin] = sum;
}
#endif

#if defined GX_RUNS
/* --- runs of equal elements in sorted ones. A block has CHUNK of them, a warp STRIP. --- */

enum { CHUNK = 8192, STRIP = CHUNK / 8 };
struct gx_runs {
    const T *sorted;
    unsigned *counts; /* of each block */
    long long *before;
    T *values;
    long long *starts;
    const long long *index;
    long long *first, *inverse, *lengths;
    gx_u64 n, blocks;
};

/* Does a run start here? */
GX_IN bool gx_starts(const gx_runs &p, gx_u64 i) {
    if (i >= p.n) return false;
    if (i == 0) return true;
    const T key = gx_key(p.sorted[i]);
    return key != gx_key(p.sorted[i - 1]) || (KIND == 2 && !EQUAL_NAN && key == (T)~(T)0);
}

GX_IN unsigned gx_count_part(const gx_runs &p, gx_u64 from) {
    unsigned count = 0;
#pragma unroll 4
    for (int k = 0; k < STRIP; k += 32) count += gx_starts(p, from + k + (threadIdx.x & 31));
    for (int by = 16; by > 0; by /= 2) count += __shfl_xor_sync(0xffffffffu, count, by);
    return count;
}

GX_KERNEL gx_count_runs(const __grid_constant__ gx_runs p) {
    __shared__ unsigned parts[8];
    const unsigned warp = threadIdx.x >> 5;
    const unsigned count = gx_count_part(p, (gx_u64)blockIdx.x * CHUNK + warp * STRIP);
    if ((threadIdx.x & 31) == 0) parts[warp] = count;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned sum = 0;
    for (int k = 0; k < 8; k++) sum += parts[k];
    p.counts[blockIdx.x] = sum;
}

/* One block. */
GX_KERNEL gx_sum_runs(const __grid_constant__ gx_runs p) {
    __shared__ long long sums[256];
    long long carry = 0;
    for (gx_u64 from = 0; from < p.blocks; from += 1024) {
        const gx_u64 at = from + threadIdx.x * 4;
        long long own[4], sum = 0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            own[k] = sum;
            sum += at + k < p.blocks ? p.counts[at + k] : 0;
        }
        sums[threadIdx.x] = sum;
        for (unsigned by = 1; by < 256; by *= 2) {
            __syncthreads();
            const long long other = threadIdx.x >= by ? sums[threadIdx.x - by] : 0;
            __syncthreads();
            sums[threadIdx.x] += other;
        }
        __syncthreads();
        const long long mine = carry + sums[threadIdx.x] - sum;
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (at + k < p.blocks) p.before[at + k] = mine + own[k];
        carry += sums[255];
        __syncthreads();
    }
    if (threadIdx.x == 0) p.before[p.blocks] = carry;
}

GX_KERNEL gx_write_runs(const __grid_constant__ gx_runs p) {
    __shared__ unsigned parts[8];
    const unsigned warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const gx_u64 from = (gx_u64)blockIdx.x * CHUNK + warp * STRIP;
    const unsigned count = gx_count_part(p, from);
    if (lane == 0) parts[warp] = count;
    __syncthreads();
    long long at = p.before[blockIdx.x];
    for (unsigned k = 0; k < warp; k++) at += parts[k];
    for (int k = 0; k < STRIP; k += 32) {
        const gx_u64 i = from + k + lane;
        const bool start = gx_starts(p, i);
        const unsigned all = __ballot_sync(0xffffffffu, start);
        const long long run = at + __popc(all & (0xffffffffu >> (31 - lane))) - 1;
        if (start) {
            if (p.values) p.values[run] = p.sorted[i];
            if (p.starts) p.starts[run] = (long long)i;
            if (p.first) p.first[run] = p.index[i];
        }
        if (p.inverse && i < p.n) p.inverse[p.index[i]] = run;
        at += __popc(all);
    }
}

/* Where runs start becomes how long they are. */
GX_KERNEL gx_run_lengths(const __grid_constant__ gx_runs p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x, runs = p.before[p.blocks];
    if (i >= runs) return;
    p.lengths[i] = (i + 1 < runs ? p.starts[i + 1] : (long long)p.n) - p.starts[i];
}
#endif
