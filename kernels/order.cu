/* The order of elements: their keys, and what sorting needs. runtime/backend/gpu/order.c puts in
   front: T, an element's bits as an unsigned type; BITS of it; KIND 0 for unsigned integers, 1 for
   signed ones, 2 for floats; INFINITE and QUIET, the bits of infinity and nan; one GX_… for the
   kernels that are wanted. A key's unsigned order is the elements' order: nan last, -0.0 and 0.0
   the same. */

typedef unsigned long long gx_u64;
#define GX_IN static __device__ __forceinline__
#define GX_KERNEL extern "C" __global__ void __launch_bounds__(256)
#define TOP ((T)1 << (BITS - 1))

GX_IN T gx_key(T u) {
    if (KIND == 0) return u;
    if (KIND == 1) return (T)(u ^ TOP);
    const T size = (T)(u & (T)~TOP);
    if (size > (T)INFINITE) return (T)~(T)0;
    if (size == 0) return TOP;
    return u & TOP ? (T)~u : (T)(u | TOP);
}

/* The element of a key; `sign` is a zero's or a nan's. */
GX_IN T gx_element(T key, bool sign) {
    if (KIND == 0) return key;
    if (KIND == 1) return (T)(key ^ TOP);
    const T set = sign ? TOP : (T)0;
    if (key == (T)~(T)0) return (T)(set | (T)QUIET);
    if (key == TOP) return set;
    return key & TOP ? (T)(key ^ TOP) : (T)~key;
}

template <class S, int N> struct alignas(sizeof(S) * N > 16 ? 16 : sizeof(S) * N) gx_pack {
    S v[N];
};

#if defined GX_WORDS
/* --- words that are sorted by the library, and back --- */

struct gx_words {
    const T *from;
    W *words;
    unsigned *numbers;
    T *to;
    long long *index;
    gx_u64 n, total; /* elements a row, and all */
};

/* Bits of a word below those that are sorted by: the sign that a zero's key has lost. */
#define LOW (KIND == 2 && PACKED)

GX_IN W gx_word(T u, gx_u64 i, gx_u64 n) {
    W w = (W)gx_key(u);
    if (LOW) w = (W)(w << LOW | (W)(u >> (BITS - 1)));
#if PACKED == 2
    w |= (W)((unsigned)i / (unsigned)n) << (BITS + LOW);
#endif
    return w;
}

/* V elements become words; NUMBERS: and their numbers 0, 1 … */
GX_KERNEL gx_to_words(const __grid_constant__ gx_words p) {
    const gx_u64 at = ((gx_u64)blockIdx.x * 256 + threadIdx.x) * V;
    if (V > 1 && at + V <= p.total) {
        const gx_pack<T, V> got = *(const gx_pack<T, V> *)(p.from + at);
        gx_pack<W, V> put;
#pragma unroll
        for (int k = 0; k < V; k++) put.v[k] = gx_word(got.v[k], at + k, p.n);
        *(gx_pack<W, V> *)(p.words + at) = put;
#ifdef NUMBERS
        gx_pack<unsigned, V> numbers;
#pragma unroll
        for (int k = 0; k < V; k++) numbers.v[k] = (unsigned)at + k;
        *(gx_pack<unsigned, V> *)(p.numbers + at) = numbers;
#endif
        return;
    }
    for (int k = 0; k < V && at + k < p.total; k++) {
        p.words[at + k] = gx_word(p.from[at + k], at + k, p.n);
#ifdef NUMBERS
        p.numbers[at + k] = (unsigned)at + k;
#endif
    }
}

GX_KERNEL gx_from_words(const __grid_constant__ gx_words p) {
    const gx_u64 at = ((gx_u64)blockIdx.x * 256 + threadIdx.x) * V;
    gx_pack<T, V> put;
#pragma unroll
    for (int k = 0; k < V; k++) {
        const W w = at + k < p.total ? p.words[at + k] : (W)0;
        put.v[k] = gx_element((T)(w >> LOW), LOW && (w & 1));
    }
    if (at + V <= p.total) *(gx_pack<T, V> *)(p.to + at) = put;
    else
        for (int k = 0; k < V && at + k < p.total; k++) p.to[at + k] = put.v[k];
}
#endif

#if defined GX_NUMBERS
/* --- numbers in a sorted order: keys by them, what they stand for --- */

struct gx_numbers {
    const T *from;
    W *words;
    const unsigned *numbers;
    E *to;
    const E *elements;
    long long *index;
    gx_u64 n, total;
};

/* Keys of one part of complex elements, or the class of elements by their nans, in the order so
   far. */
GX_KERNEL gx_part_words(const __grid_constant__ gx_numbers p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i >= p.total) return;
    const gx_u64 at = (gx_u64)p.numbers[i] * 2;
#if PART < 2
    p.words[i] = (W)gx_key(p.from[at + PART]);
#else
    p.words[i] = (W)((gx_key(p.from[at]) == (T)~(T)0) * 2 + (gx_key(p.from[at + 1]) == (T)~(T)0));
#endif
}

/* The rows that elements come from. */
GX_KERNEL gx_row_words(const __grid_constant__ gx_numbers p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i < p.total) p.words[i] = (W)(p.numbers[i] / (unsigned)p.n);
}

GX_KERNEL gx_count_up(const __grid_constant__ gx_numbers p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i < p.total) ((unsigned *)p.numbers)[i] = (unsigned)i;
}

GX_KERNEL gx_give_index(const __grid_constant__ gx_numbers p) {
    const gx_u64 at = ((gx_u64)blockIdx.x * 256 + threadIdx.x) * 4;
    long long first[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        first[k] = p.n == p.total ? 0 : (unsigned)(at + k) / (unsigned)p.n * p.n;
    if (at + 4 <= p.total) {
        const uint4 got = *(const uint4 *)(p.numbers + at);
        longlong2 a, b;
        a.x = (long long)got.x - first[0];
        a.y = (long long)got.y - first[1];
        b.x = (long long)got.z - first[2];
        b.y = (long long)got.w - first[3];
        *(longlong2 *)(p.index + at) = a;
        *(longlong2 *)(p.index + at + 2) = b;
        return;
    }
    for (int k = 0; at + k < p.total; k++)
        p.index[at + k] = (long long)p.numbers[at + k] - first[k];
}

GX_KERNEL gx_give_elements(const __grid_constant__ gx_numbers p) {
    const gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x;
    if (i < p.total) p.to[i] = p.elements[p.numbers[i]];
}
#endif

#if defined GX_NANS
/* --- a row that was sorted as floats: nans below -inf belong behind the others --- */

struct gx_nans {
    T *row, *spare;
    gx_u64 n;
};

GX_IN bool gx_is_nan(T u) {
    return (T)(u & (T)~TOP) > (T)INFINITE;
}

GX_KERNEL gx_keep_row(const __grid_constant__ gx_nans p) {
    if (!gx_is_nan(p.row[0])) return;
    for (gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x; i < p.n; i += (gx_u64)gridDim.x * 256)
        p.spare[i] = p.row[i];
}

GX_KERNEL gx_turn_row(const __grid_constant__ gx_nans p) {
    __shared__ gx_u64 found;
    if (threadIdx.x == 0) {
        gx_u64 low = 0, high = 0;
        if (gx_is_nan(p.spare[0]) && gx_is_nan(p.row[0])) {
            high = p.n;
            while (low < high) {
                const gx_u64 mid = (low + high) / 2;
                if (gx_is_nan(p.spare[mid]) && (p.spare[mid] & TOP)) low = mid + 1;
                else high = mid;
            }
        }
        found = low;
    }
    __syncthreads();
    const gx_u64 nans = found;
    if (nans == 0) return;
    for (gx_u64 i = (gx_u64)blockIdx.x * 256 + threadIdx.x; i < p.n; i += (gx_u64)gridDim.x * 256)
        p.row[i] = p.spare[i + nans < p.n ? i + nans : i + nans - p.n];
}
#endif

#if defined GX_ROWS
/* --- short rows --- */
/* A network in shared memory. WIDTH places a row, a power of two; a block has
   PLACES of them. A place is (key, number), so that equal keys keep their order. */

struct gx_rows {
    const T *from;
    T *to;
    long long *index;
    gx_u64 n, rows;
};

GX_KERNEL gx_sort_rows(const __grid_constant__ gx_rows p) {
    __shared__ T keys[PLACES];
    __shared__ unsigned short numbers[PLACES];
    const gx_u64 first = (gx_u64)blockIdx.x * (PLACES / WIDTH);
    for (unsigned i = threadIdx.x; i < PLACES; i += 256) {
        const gx_u64 row = first + i / WIDTH;
        const unsigned at = i % WIDTH;
        const bool real = row < p.rows && at < p.n;
        keys[i] = real ? gx_key(p.from[row * p.n + at]) : (T)~(T)0;
        numbers[i] = (unsigned short)at;
    }
    for (unsigned size = 2; size <= WIDTH; size *= 2)
        for (unsigned by = size / 2; by > 0; by /= 2) {
            __syncthreads();
            for (unsigned k = threadIdx.x; k < PLACES / 2; k += 256) {
                const unsigned i = 2 * k - (k & (by - 1)), j = i + by;
                const bool up = (i % WIDTH & size) == 0;
                const T a = keys[i], b = keys[j];
                const unsigned short x = numbers[i], y = numbers[j];
                if ((a > b || (a == b && x > y)) == up) {
                    keys[i] = b;
                    keys[j] = a;
                    numbers[i] = y;
                    numbers[j] = x;
                }
            }
        }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < PLACES; i += 256) {
        const gx_u64 row = first + i / WIDTH;
        const unsigned at = i % WIDTH;
        if (row >= p.rows || at >= p.n) continue;
        if (p.to) p.to[row * p.n + at] = p.from[row * p.n + numbers[i]];
        if (p.index) p.index[row * p.n + at] = numbers[i];
    }
}
#endif
