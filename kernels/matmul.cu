/* Products of matrices of integers, modulo 2^bits as NumPy's, and of bools. A block of 16 x 16
   threads makes a tile of TILE x TILE results: pieces of both operands, DEPTH deep, go to shared
   memory while registers already fetch the next, and each thread sums R x R results. With SPLIT,
   several blocks share a tile and add to results that were zero. runtime/backend/gpu/matmul.c
   defines T (elements, without a sign), W (sums), C (results), TILE, SPLIT and BOOLS. */

typedef long long gx_i64;
enum { DEPTH = 16, SIDE = 16, THREADS = 256, R = TILE / SIDE, EACH = TILE * DEPTH / THREADS,
       GROUPS = R / 4 };

struct gx_operand {
    const T *data;
    gx_i64 row, col, batch; /* elements from one to the next; of the second operand, transposed */
};

struct gx_product {
    gx_operand a, b;
    C *c;
    gx_i64 m, n, k, c_row, c_batch, wide, tiles, parts, part;
};

struct alignas(16) gx_four {
    W v[4];
};

/* The place of a thread's element e in a piece: neighbours in memory are taken by neighbouring
   threads. */
__device__ __forceinline__ void gx_place(int e, bool along, int &line, int &deep) {
    const int i = threadIdx.x + e * THREADS;
    line = along ? i / DEPTH : i % TILE;
    deep = along ? i % DEPTH : i / TILE;
}

__device__ __forceinline__ void gx_fetch(const gx_operand &o, gx_i64 first, gx_i64 lines, gx_i64 at,
                                         gx_i64 end, T *to) {
    const bool along = o.col == 1;
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        int line, deep;
        gx_place(e, along, line, deep);
        const bool in = first + line < lines && at + deep < end;
        to[e] = in ? o.data[(first + line) * o.row + (at + deep) * o.col] : 0;
    }
}

__device__ __forceinline__ void gx_keep(W (*to)[TILE + 4], bool along, const T *from) {
#pragma unroll
    for (int e = 0; e < EACH; e++) {
        int line, deep;
        gx_place(e, along, line, deep);
        to[deep][line] = BOOLS ? (W)(from[e] != 0) : (W)from[e];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) gx_matmul(gx_product p) {
    __shared__ alignas(16) W as[DEPTH][TILE + 4];
    __shared__ alignas(16) W bs[DEPTH][TILE + 4];
    gx_i64 block = blockIdx.x;
    const gx_i64 part = block % p.parts;
    block /= p.parts;
    const gx_i64 batch = block / p.tiles, tile = block % p.tiles;
    const gx_i64 row = tile / p.wide * TILE, col = tile % p.wide * TILE;
    gx_i64 at = part * p.part, end = at + p.part < p.k ? at + p.part : p.k;
    p.a.data += batch * p.a.batch;
    p.b.data += batch * p.b.batch;
    const bool a_along = p.a.col == 1, b_along = p.b.col == 1;
    const int x = threadIdx.x % SIDE * 4, y = threadIdx.x / SIDE * 4;
    W sum[R][R] = {};
    T next_a[EACH], next_b[EACH];
    gx_fetch(p.a, row, p.m, at, end, next_a);
    gx_fetch(p.b, col, p.n, at, end, next_b);
    for (; at < end; at += DEPTH) {
        gx_keep(as, a_along, next_a);
        gx_keep(bs, b_along, next_b);
        __syncthreads();
        if (at + DEPTH < end) {
            gx_fetch(p.a, row, p.m, at + DEPTH, end, next_a);
            gx_fetch(p.b, col, p.n, at + DEPTH, end, next_b);
        }
#pragma unroll
        for (int deep = 0; deep < DEPTH; deep++) {
            gx_four a[GROUPS], b[GROUPS];
#pragma unroll
            for (int g = 0; g < GROUPS; g++) {
                a[g] = *(const gx_four *)&as[deep][g * 4 * SIDE + y];
                b[g] = *(const gx_four *)&bs[deep][g * 4 * SIDE + x];
            }
#pragma unroll
            for (int i = 0; i < R; i++)
#pragma unroll
                for (int j = 0; j < R; j++) {
                    const W f = a[i / 4].v[i % 4], g = b[j / 4].v[j % 4];
                    sum[i][j] = BOOLS ? sum[i][j] | (f & g) : sum[i][j] + f * g;
                }
        }
        __syncthreads();
    }
    C *c = p.c + batch * p.c_batch;
#pragma unroll
    for (int i = 0; i < R; i++)
#pragma unroll
        for (int j = 0; j < R; j++) {
            const gx_i64 m = row + i / 4 * 4 * SIDE + y + i % 4;
            const gx_i64 n = col + j / 4 * 4 * SIDE + x + j % 4;
            if (m >= p.m || n >= p.n) continue;
            C *to = &c[m * p.c_row + n];
#if SPLIT && BOOLS
            if (sum[i][j]) *to = 1;
#elif SPLIT
            atomicAdd(to, sum[i][j]);
#else
            *to = (C)sum[i][j];
#endif
        }
}
