/* Image filters. One axis: a block copies a tile with its edges continued to shared memory, as
   doubles, and each thread makes 8 neighbouring results along the axis from two runs of registers
   that move towards each other, in the CPU's order of sums. "Columns" have 32 lanes beside each
   other, "rows" several lines of the last axis. A neighbourhood: each thread reads its taps.
   runtime/backend/gpu/filter.c defines X, Y (elements in and out), V (values of extremes and
   ranks), D (dims), I (positions), gx_put, ENTRY (the one kernel that is wanted), for ranks TAPS,
   SLOT and GX_NETWORK, for few weights SIZE, KIND and W (elements kept in shared memory, made by
   GX_KEEP and taken by GX_GIVE). */

enum { R = 8, GROUP = 8, REFLECT = 0, NEAREST, MIRROR, FILL, WRAP };
typedef long long gx_i64;

struct gx_line {
    const X *in;
    Y *out;
    const double *weights;
    double cval;
    gx_i64 outer, n, inner, size, before, in_step, out_step, tiles, wide, lines, each;
    int edge, kind;
};

/* The source of position i of a line of n; -1: cval. */
GX_FN gx_i64 gx_source(int edge, gx_i64 i, gx_i64 n) {
    if (i >= 0 && i < n) return i;
    if (edge == FILL) return -1;
    if (edge == NEAREST) return i < 0 ? 0 : n - 1;
    gx_i64 period = edge == WRAP ? n : edge == MIRROR ? 2 * n - 2 : 2 * n;
    if (period == 0) return 0;
    i %= period;
    if (i < 0) i += period;
    if (i < n) return i;
    return edge == MIRROR ? period - i : period - 1 - i;
}

/* --- weights and means: results r of a thread, whose elements are x[at(r + j)] --- */

struct gx_down { /* columns: a tile's rows are 32 apart */
    GX_FN int at(int m) { return m * 32; }
};
struct gx_along { /* rows: one place is left out after 8, so that lanes meet different banks */
    GX_FN int at(int m) { return m + (m >> 3); }
};

template <class P> GX_FN void gx_weigh(const gx_line &p, const double *w, const double *x,
                                       double *sum) {
    double a[R];
    const int size = (int)p.size, half = size / 2;
#pragma unroll
    for (int r = 0; r < R; r++) a[r] = x[P::at(r)];
    if (p.kind == 0) {
#pragma unroll
        for (int r = 0; r < R; r++) sum[r] = x[P::at(r + size - 1)] * w[size - 1];
        for (int j = 0; j < size - 1; j += R) {
#pragma unroll
            for (int k = 0; k < R; k++) {
                if (j + k >= size - 1) break;
                const double f = w[j + k];
#pragma unroll
                for (int r = 0; r < R; r++) sum[r] += a[(r + k) % R] * f;
                a[k] = x[P::at(j + k + R)];
            }
        }
        return;
    }
    double b[R];
#pragma unroll
    for (int r = 0; r < R; r++) {
        b[r] = x[P::at(r + size - 1)];
        sum[r] = x[P::at(r + half)] * w[half];
    }
    const double sign = p.kind;
    for (int j = 0; j < half; j += R) {
#pragma unroll
        for (int k = 0; k < R; k++) {
            if (j + k >= half) break;
            const double f = w[j + k];
            if (sign > 0) {
#pragma unroll
                for (int r = 0; r < R; r++) sum[r] += (a[(r + k) % R] + b[(r + R - k) % R]) * f;
            } else {
#pragma unroll
                for (int r = 0; r < R; r++) sum[r] += (a[(r + k) % R] - b[(r + R - k) % R]) * f;
            }
            a[k] = x[P::at(j + k + R)];
            b[R - 1 - k] = x[P::at(size - 2 - j - k)];
        }
    }
}

template <class P> GX_FN void gx_average(const gx_line &p, const double *x, double *sum) {
    const int size = (int)p.size;
    double s = 0;
    for (int j = 0; j < size; j++) s += x[P::at(j)];
    sum[0] = s / (double)size;
#pragma unroll
    for (int r = 1; r < R; r++) {
        s += x[P::at(r + size - 1)] - x[P::at(r - 1)];
        sum[r] = s / (double)size;
    }
}

template <class P> GX_FN void gx_results(const gx_line &p, const double *w, const double *x,
                                         double *sum) {
    if (p.weights) gx_weigh<P>(p, w, x, sum);
    else gx_average<P>(p, x, sum);
}

GX_FN double *gx_weights(const gx_line &p, double *room) {
    if (!p.weights) return room;
    for (int i = (int)threadIdx.x; i < p.size; i += (int)blockDim.x) room[i] = p.weights[i];
    return room + p.size;
}

/* A tile of columns: its corner, and its lane. */
struct gx_block {
    gx_i64 outer, first, column;
    int lane, row, rows; /* this thread's first result and how many the tile has */
    bool real;           /* is there such a column? */
};

GX_FN gx_block gx_column_block(const gx_line &p) {
    gx_block b;
    b.lane = (int)threadIdx.x & 31;
    b.row = ((int)threadIdx.x >> 5) * R;
    gx_i64 i = blockIdx.x, high = (gx_i64)(blockDim.x >> 5) * R;
    b.column = i % p.wide * 32 + b.lane;
    b.real = b.column < p.inner;
    i /= p.wide;
    b.first = i % p.tiles * high;
    b.outer = i / p.tiles;
    b.rows = (int)(p.n - b.first < high ? p.n - b.first : high);
    return b;
}

/* Elements come in groups: their loads are under way together. */
template <class T> GX_FN void gx_fill_columns(const gx_line &p, const gx_block &b, T *tile) {
    const gx_i64 step = p.inner * p.in_step, start = b.first - p.before;
    const X *in = p.in + (b.outer * p.n * p.inner + b.column) * p.in_step;
    const int all = b.rows + (int)p.size - 1, by = (int)blockDim.x >> 5;
    const bool inside = start >= 0 && start + all <= p.n;
    for (int i = (int)threadIdx.x >> 5; i < all; i += GROUP * by) {
        X v[GROUP];
        bool is[GROUP];
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            gx_i64 at = start + i + k * by;
            if (!inside) at = gx_source(p.edge, at, p.n);
            is[k] = at >= 0 && b.real && i + k * by < all;
            v[k] = is[k] ? in[at * step] : (X)0;
        }
#pragma unroll
        for (int k = 0; k < GROUP; k++)
            if (i + k * by < all) tile[(i + k * by) * 32 + b.lane] = is[k] ? (T)v[k] : (T)p.cval;
    }
}

#if ENTRY == 0
extern "C" __global__ void gx_columns(gx_line p) {
    extern __shared__ double room[];
    double *tile = gx_weights(p, room), sum[R];
    const gx_block b = gx_column_block(p);
    gx_fill_columns(p, b, tile);
    __syncthreads();
    if (b.row >= b.rows || !b.real) return;
    gx_results<gx_down>(p, room, tile + b.row * 32 + b.lane, sum);
    Y *out = p.out + ((b.outer * p.n + b.first + b.row) * p.inner + b.column) * p.out_step;
#pragma unroll
    for (int r = 0; r < R; r++)
        if (b.row + r < b.rows) out[(gx_i64)r * p.inner * p.out_step] = gx_put(sum[r]);
}
#endif

/* Rows: a block has `lines` lines, or one tile of `each` results of one line. */
struct gx_stretch {
    gx_i64 line, first;
    int lines, results;
};

GX_FN gx_stretch gx_row_block(const gx_line &p) {
    gx_stretch b;
    gx_i64 i = blockIdx.x, rest;
    b.line = i / p.tiles * p.lines;
    b.first = i % p.tiles * p.each;
    rest = p.outer - b.line;
    b.lines = (int)(rest < p.lines ? rest : p.lines);
    b.results = (int)(p.n - b.first < p.each ? p.n - b.first : p.each);
    return b;
}

/* Where position m of a line's tile is; S: with places left out. */
template <bool S> GX_FN int gx_place(int m) {
    return S ? m + (m >> 3) : m;
}

template <bool S, class T>
GX_FN void gx_fill_rows(const gx_line &p, const gx_stretch &b, T *tile, int far) {
    const int all = b.results + (int)p.size - 1, total = all * b.lines, by = (int)blockDim.x;
    const gx_i64 start = b.first - p.before;
    for (int i = (int)threadIdx.x; i < total; i += GROUP * by) {
        X v[GROUP];
        bool is[GROUP];
        int to[GROUP];
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            int j = i + k * by, l = b.lines > 1 ? j / all : 0, m = j - l * all;
            gx_i64 at = start + m;
            if (at < 0 || at >= p.n) at = gx_source(p.edge, at, p.n);
            is[k] = at >= 0 && j < total;
            to[k] = l * far + gx_place<S>(m);
            v[k] = is[k] ? p.in[((b.line + l) * p.n + at) * p.in_step] : (X)0;
        }
#pragma unroll
        for (int k = 0; k < GROUP; k++)
            if (i + k * by < total) tile[to[k]] = is[k] ? (T)v[k] : (T)p.cval;
    }
}

template <bool S, class T>
GX_FN void gx_empty_rows(const gx_line &p, const gx_stretch &b, const T *tile, int far) {
    const int total = b.results * b.lines;
    for (int i = (int)threadIdx.x; i < total; i += (int)blockDim.x) {
        int l = b.lines > 1 ? i / b.results : 0, m = i - l * b.results;
        p.out[((b.line + l) * p.n + b.first + m) * p.out_step] =
            gx_put(tile[l * far + gx_place<S>(m)]);
    }
}

#if ENTRY == 1
extern "C" __global__ void gx_rows(gx_line p) {
    extern __shared__ double room[];
    double *tile = gx_weights(p, room), sum[R];
    const gx_stretch b = gx_row_block(p);
    const int threads = (int)(p.each + R - 1) / R, far = gx_place<true>(threads * R + (int)p.size);
    const int l = (int)threadIdx.x / threads, t = (int)threadIdx.x % threads;
    gx_fill_rows<true>(p, b, tile, far);
    __syncthreads();
    double *x = tile + l * far + t * (R + 1);
    const bool has = l < b.lines && t * R < b.results;
    if (has) gx_results<gx_along>(p, room, x, sum);
    __syncthreads();
    if (has) {
#pragma unroll
        for (int r = 0; r < R; r++) x[r] = sum[r];
    }
    __syncthreads();
    gx_empty_rows<true>(p, b, tile, far);
}
#endif

/* --- few weights: a window of registers moves along the axis, one new element a step --- */

#ifdef SIZE
struct gx_march {
    gx_line p;
    int turn, low, high, n;
    double f[SIZE];
};

/* gx_source without a branch, for lines no shorter than the window: beyond an edge a position is
   turned round, moved or stopped there. FILL: some position. */
GX_FN int gx_fold(const gx_march &q, int i) {
    const int far = q.turn * i + (i < 0 ? q.low : q.high);
    return (unsigned)i < (unsigned)q.n ? i : far;
}
GX_FN bool gx_is_blank(const gx_march &q, int i) {
    return q.p.edge == FILL && (unsigned)i >= (unsigned)q.n;
}

/* Steps that bring the window's registers back to where they were. */
enum { STEPS = SIZE > 16 ? SIZE : 32 / SIZE * SIZE };

/* The sum at a step k, where element j of the window is in register (j + k) % SIZE. */
GX_FN double gx_step(const double *w, const double *f, int k) {
    double sum;
    if (KIND) {
        sum = w[(SIZE / 2 + k) % SIZE] * f[SIZE / 2];
#pragma unroll
        for (int j = 0; j < SIZE / 2; j++) {
            double a = w[(j + k) % SIZE], b = w[(SIZE - 1 - j + k) % SIZE];
            sum += (KIND > 0 ? a + b : a - b) * f[j];
        }
    } else {
        sum = w[(SIZE - 1 + k) % SIZE] * f[SIZE - 1];
#pragma unroll
        for (int j = 0; j < SIZE - 1; j++) sum += w[(j + k) % SIZE] * f[j];
    }
    return sum;
}

#if ENTRY == 7
/* Each thread goes down a part of a column. */
extern "C" __global__ void __launch_bounds__(128, 4) gx_march_columns(gx_march q) {
    const gx_line &p = q.p;
    gx_i64 i = blockIdx.x;
    const gx_i64 column = i % p.wide * 128 + threadIdx.x;
    i /= p.wide;
    const gx_i64 outer = i / p.tiles, step = p.inner * p.in_step;
    const int first = (int)(i % p.tiles * p.each), start = first - (int)p.before;
    const int rows = q.n - first < (int)p.each ? q.n - first : (int)p.each;
    if (column >= p.inner) return;
    const X *in = p.in + (outer * p.n * p.inner + column) * p.in_step;
    Y *out = p.out + ((outer * p.n + first) * p.inner + column) * p.out_step;
    double w[SIZE];
#pragma unroll
    for (int j = 0; j < SIZE - 1; j++) {
        const X v = in[gx_fold(q, start + j) * step];
        w[j] = gx_is_blank(q, start + j) ? p.cval : (double)v;
    }
    for (int base = 0; base < rows; base += STEPS) {
        const int next = start + SIZE - 1 + base;
        X v[STEPS];
        if (next >= 0 && next + STEPS <= q.n) {
            const X *from = in + next * step;
#pragma unroll
            for (int k = 0; k < STEPS; k++) {
                v[k] = *from;
                from += step;
            }
        } else {
#pragma unroll
            for (int k = 0; k < STEPS; k++)
                v[k] = in[(base + k < rows ? gx_fold(q, next + k) : 0) * step];
        }
        const bool blank = p.edge == FILL && (next < 0 || next + STEPS > q.n);
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            if (base + k >= rows) break;
            double x = (double)v[k];
            if (blank && gx_is_blank(q, next + k)) x = p.cval;
            w[(SIZE - 1 + k) % SIZE] = x;
            *out = gx_put(gx_step(w, q.f, k));
            out += p.inner * p.out_step;
        }
    }
}
#endif

#if ENTRY == 8
/* Elements of 32 lines from position `at` on, a row of the tile each; lane: the position. */
GX_FN void gx_fill_tile(const gx_march &q, W *tile, gx_i64 line, int at, int count) {
    const gx_line &p = q.p;
    const int lane = (int)threadIdx.x & 31, left = p.outer - line < 32 ? (int)(p.outer - line) : 32;
    const bool real = lane < count && !gx_is_blank(q, at + lane);
    const X *in = p.in + (line * p.n + (real ? gx_fold(q, at + lane) : 0)) * p.in_step;
    const gx_i64 next = p.n * p.in_step;
#pragma unroll
    for (int half = 0; half < 32; half += 16) {
        X v[16];
#pragma unroll
        for (int l = 0; l < 16; l++) {
            v[l] = real && half + l < left ? *in : (X)0;
            in += next;
        }
#pragma unroll
        for (int l = 0; l < 16; l++) tile[(half + l) * 33 + lane] = real ? (W)v[l] : (W)p.cval;
    }
    __syncwarp();
}

/* Each warp goes along a part of 32 lines, one a lane, through a tile that turns them. */
extern "C" __global__ void __launch_bounds__(128, 4) gx_march_rows(gx_march q) {
    __shared__ W room[4][32 * 33];
    const gx_line &p = q.p;
    const int lane = (int)threadIdx.x & 31;
    W *tile = room[threadIdx.x >> 5], *own = tile + lane * 33;
    const gx_i64 i = (gx_i64)blockIdx.x * 4 + (threadIdx.x >> 5), line = i / p.tiles * 32;
    const int first = (int)(i % p.tiles * p.each), start = first - (int)p.before;
    const int rows = q.n - first < (int)p.each ? q.n - first : (int)p.each;
    if (line >= p.outer) return;
    const int left = p.outer - line < 32 ? (int)(p.outer - line) : 32;
    const gx_i64 next = p.n * p.out_step;
    double w[SIZE];
    gx_fill_tile(q, tile, line, start, SIZE - 1);
#pragma unroll
    for (int j = 0; j < SIZE - 1; j++) w[j] = own[j];
    __syncwarp();
    for (int base = 0; base < rows; base += STEPS) {
        const int count = rows - base < STEPS ? rows - base : STEPS;
        gx_fill_tile(q, tile, line, start + SIZE - 1 + base, count);
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            if (k >= count) break;
            w[(SIZE - 1 + k) % SIZE] = own[k];
            own[k] = GX_KEEP(gx_step(w, q.f, k));
        }
        __syncwarp();
        Y *out = p.out + (line * p.n + first + base + lane) * p.out_step;
#pragma unroll 8
        for (int l = 0; l < 32; l++) {
            if (lane < count && l < left) *out = GX_GIVE(tile[l * 33 + lane]);
            out += next;
        }
        __syncwarp();
    }
}
#endif
#endif

/* --- extremes: of 1, 2, 4 … elements, each from two of the ones before --- */

GX_FN V gx_better(V x, V y, int kind) {
    return (kind > 0 ? y > x : y < x) ? y : x;
}

/* The tile that holds the results. by: how far neighbours along the axis are apart. */
GX_FN const V *gx_extremes(const gx_line &p, V *from, V *to, int all, int by) {
    for (int have = 1; have < p.size;) {
        int step = (int)p.size - have < have ? (int)p.size - have : have;
        for (int i = (int)threadIdx.x; i < all - step * by; i += (int)blockDim.x)
            to[i] = gx_better(from[i], from[i + step * by], p.kind);
        have += step;
        all -= step * by;
        __syncthreads();
        V *t = from;
        from = to;
        to = t;
    }
    return from;
}

#if ENTRY == 2
extern "C" __global__ void gx_extreme_columns(gx_line p) {
    extern __shared__ double room[];
    const gx_block b = gx_column_block(p);
    const int all = (b.rows + (int)p.size - 1) * 32, by = (int)blockDim.x >> 5;
    V *tile = (V *)room;
    gx_fill_columns(p, b, tile);
    __syncthreads();
    const V *x = gx_extremes(p, tile, tile + all, all, 32);
    Y *out = p.out + ((b.outer * p.n + b.first) * p.inner + b.column) * p.out_step;
    for (int i = (int)threadIdx.x >> 5; i < b.rows && b.real; i += by)
        out[i * p.inner * p.out_step] = gx_put(x[i * 32 + b.lane]);
}
#endif

#if ENTRY == 3
extern "C" __global__ void gx_extreme_rows(gx_line p) {
    extern __shared__ double room[];
    const gx_stretch b = gx_row_block(p);
    const int far = b.results + (int)p.size - 1;
    V *tile = (V *)room;
    gx_fill_rows<false>(p, b, tile, far);
    __syncthreads();
    const V *x = gx_extremes(p, tile, tile + far * b.lines, far * b.lines, 1);
    gx_empty_rows<false>(p, b, x, far);
}
#endif

/* --- a window too large for shared memory: one result a thread --- */

#if ENTRY == 4
extern "C" __global__ void gx_far(gx_line p) {
    const gx_i64 i = (gx_i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.outer * p.n * p.inner) return;
    const gx_i64 q = i % p.inner, at = i / p.inner % p.n, o = i / p.inner / p.n;
    const X *in = p.in + (o * p.n * p.inner + q) * p.in_step;
    double sum = 0;
    for (gx_i64 j = 0; j < p.size; j++) {
        gx_i64 s = gx_source(p.edge, at - p.before + j, p.n);
        double x = s < 0 ? p.cval : (double)in[s * p.inner * p.in_step];
        if (p.weights) sum += x * p.weights[j];
        else if (p.kind == 0) sum += x;
        else sum = j == 0 ? x : gx_better((V)sum, (V)x, p.kind);
    }
    if (!p.weights && p.kind == 0) sum /= (double)p.size;
    p.out[i * p.out_step] = gx_put(sum);
}
#endif

/* --- neighbourhoods --- */

struct gx_weight {
    double f;
    gx_i64 far; /* in elements */
};
struct gx_grid {
    const X *in;
    Y *out;
    const gx_weight *weights;
    const gx_i64 *tap; /* of each tap, along each axis */
    double cval;
    gx_i64 total, taps, in_step, out_step, shape[D], low[D], high[D];
    int edge;
};

/* The value of a tap near an edge. */
template <class T> GX_FN T gx_tap(const gx_grid &p, const gx_i64 *at, gx_i64 t) {
    gx_i64 from = 0;
    for (int d = 0; d < D; d++) {
        gx_i64 s = gx_source(p.edge, at[d] + p.tap[t * D + d], p.shape[d]);
        if (s < 0) return (T)p.cval;
        from = from * p.shape[d] + s;
    }
    return (T)p.in[from * p.in_step];
}

/* Where element i is; true: no tap leaves the image. */
GX_FN bool gx_inside(const gx_grid &p, I i, gx_i64 *at) {
    bool all = true;
#pragma unroll
    for (int d = D - 1; d >= 0; d--) {
        const I n = (I)p.shape[d], rest = i / n;
        at[d] = (gx_i64)(i - rest * n);
        i = rest;
        all = all && at[d] + p.low[d] >= 0 && at[d] + p.high[d] < p.shape[d];
    }
    return all;
}

#if ENTRY == 5
enum { TOGETHER = 2, NEAR = 2048 }; /* results of a thread; taps that shared memory takes */

template <int N, class T>
GX_FN void gx_sum_up(const gx_grid &p, const T *taps, const X *const *in, double *sum) {
#pragma unroll 4
    for (int t = 0; t < (int)p.taps; t++) {
        const gx_weight w = taps[t];
#pragma unroll
        for (int u = 0; u < N; u++) sum[u] += (double)in[u][w.far] * w.f;
    }
}

extern "C" __global__ void gx_sums(gx_grid p) {
    extern __shared__ double room[];
    gx_weight *own = (gx_weight *)room;
    const bool near = p.taps <= NEAR;
    for (int t = (int)threadIdx.x; near && t < (int)p.taps; t += (int)blockDim.x)
        own[t] = p.weights[t];
    __syncthreads();
    const I first = (I)blockIdx.x * (blockDim.x * TOGETHER) + threadIdx.x;
    gx_i64 at[TOGETHER][D];
    const X *in[TOGETHER];
    double sum[TOGETHER];
    bool inside[TOGETHER], all = true;
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const I i = first + (I)u * blockDim.x;
        inside[u] = i < (I)p.total && gx_inside(p, i, at[u]);
        all = all && inside[u];
        in[u] = p.in + (gx_i64)i * p.in_step;
        sum[u] = 0;
    }
    if (all && near) gx_sum_up<TOGETHER>(p, own, in, sum);
    else if (all) gx_sum_up<TOGETHER>(p, p.weights, in, sum);
#pragma unroll
    for (int u = 0; u < TOGETHER; u++) {
        const I i = first + (I)u * blockDim.x;
        if (i >= (I)p.total) break;
        if (!all && inside[u]) gx_sum_up<1>(p, p.weights, in + u, sum + u);
        if (!inside[u])
            for (gx_i64 t = 0; t < p.taps; t++)
                sum[u] += gx_tap<double>(p, at[u], t) * p.weights[t].f;
        p.out[(gx_i64)i * p.out_step] = gx_put(sum[u]);
    }
}
#endif

#ifdef GX_NETWORK
GX_FN void gx_low(V &a, V b) {
    a = b < a ? b : a;
}
GX_FN void gx_high(V a, V &b) {
    b = a > b ? a : b;
}
GX_FN void gx_both(V &a, V &b) {
    V low = b < a ? b : a, high = a > b ? a : b;
    a = low;
    b = high;
}

extern "C" __global__ void gx_rank(gx_grid p) {
    const I i = (I)blockIdx.x * blockDim.x + threadIdx.x;
    gx_i64 at[D];
    V v[TAPS];
    if (i >= (I)p.total) return;
    const bool inside = gx_inside(p, i, at);
    const X *in = p.in + (gx_i64)i * p.in_step;
#pragma unroll
    for (int t = 0; t < TAPS; t++)
        v[t] = inside ? (V)in[p.weights[t].far] : gx_tap<V>(p, at, t);
    GX_NETWORK
    p.out[(gx_i64)i * p.out_step] = gx_put(v[SLOT]);
}
#endif
