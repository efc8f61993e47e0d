/* Linear algebra of many small matrices (extents to 32). runtime/backend/gpu/batch.c puts in front:
   R, the real type; CPLX; GX_TINY, the unit of rounding; and which kernel is wanted. A matrix is a
   warp's, or (singular values) a group's of G lanes. Lane r has row r. */

#if CPLX
struct alignas(2 * sizeof(R)) S {
    R re, im;
};
GX_IN S gx_make(R re, R im) {
    S s;
    s.re = re;
    s.im = im;
    return s;
}
GX_IN S gx_of(R x) { return gx_make(x, 0); }
GX_IN S operator+(S x, S y) { return gx_make(x.re + y.re, x.im + y.im); }
GX_IN S operator-(S x, S y) { return gx_make(x.re - y.re, x.im - y.im); }
GX_IN S operator*(S x, S y) {
    return gx_make(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
}
GX_IN S gx_times(S x, R y) { return gx_make(x.re * y, x.im * y); }
GX_IN S gx_conj(S x) { return gx_make(x.re, -x.im); }
GX_IN R gx_real(S x) { return x.re; }
GX_IN R gx_square(S x) { return x.re * x.re + x.im * x.im; }
GX_IN R gx_taxi(S x) { return fabs(x.re) + fabs(x.im); }
GX_IN R gx_most(S x) { return fmax(fabs(x.re), fabs(x.im)); }
GX_IN S operator/(S x, S y) {
    if (fabs(y.re) >= fabs(y.im)) {
        const R t = y.im / y.re, d = y.re + y.im * t;
        return gx_make((x.re + x.im * t) / d, (x.im - x.re * t) / d);
    }
    const R t = y.re / y.im, d = y.re * t + y.im;
    return gx_make((x.re * t + x.im) / d, (x.im * t - x.re) / d);
}
#else
typedef R S;
GX_IN S gx_of(R x) { return x; }
GX_IN S gx_times(S x, R y) { return x * y; }
GX_IN S gx_conj(S x) { return x; }
GX_IN R gx_real(S x) { return x; }
GX_IN R gx_square(S x) { return x * x; }
GX_IN R gx_taxi(S x) { return fabs(x); }
GX_IN R gx_most(S x) { return fabs(x); }
#endif

struct gx_batch {
    S *a, *b, *x, *z;
    R *y;
    long long *pivots;
    int *info;
    long long batch;
    int m, n, more, cols, upper, wide; /* wide: m < n; cols: of u */
};

template <class T> GX_IN T gx_lane(T x, int from) {
    union words {
        T t;
        unsigned w[sizeof(T) / 4];
        __device__ words() {}
    } u;
    u.t = x;
#pragma unroll
    for (int k = 0; k < (int)(sizeof(T) / 4); k++) u.w[k] = __shfl_sync(0xffffffffu, u.w[k], from);
    return u.t;
}
/* Sums over the G lanes of a group, the same in each. */
GX_IN R gx_sum(R x, int G) {
    const int lane = threadIdx.x;
    for (int by = G / 2; by > 0; by /= 2) x += gx_lane(x, lane ^ by);
    return x;
}
#if CPLX
GX_IN S gx_sum(S x, int G) { return gx_make(gx_sum(x.re, G), gx_sum(x.im, G)); }
#endif
/* The lane of a group whose x is the largest, the first of them; nan is nothing. */
GX_IN int gx_best(R x, int G) {
    int at = threadIdx.x;
    for (int by = G / 2; by > 0; by /= 2) {
        const R other = gx_lane(x, (int)threadIdx.x ^ by);
        const int where = gx_lane(at, (int)threadIdx.x ^ by);
        if (other > x || (other == x && where < at)) {
            x = other;
            at = where;
        }
    }
    return at;
}
extern __shared__ __align__(16) char gx_memory[];

#if GX_SYSTEMS
/* LU factors of the n rows at a (steps of ld); each lane learns which row of the matrix is now its
   own. The number of the first pivot that is zero, or 0. */
GX_IN int gx_factor(S *a, int n, int ld, int *row, long long *pivots) {
    const int lane = threadIdx.x;
    int info = 0;
    *row = lane;
    for (int k = 0; k < n; k++) {
        int at = gx_best(lane >= k && lane < n ? gx_taxi(a[lane * ld + k]) : (R)-1, 32);
        at = gx_lane(at, k); /* nan: lanes may differ */
        if (at < k || at >= n) at = k;
        if (pivots && lane == 0) pivots[k] = at;
        const int here = gx_lane(*row, k), there = gx_lane(*row, at);
        if (lane == k) *row = there;
        else if (lane == at) *row = here;
        if (at != k && lane < n) {
            const S s = a[k * ld + lane];
            a[k * ld + lane] = a[at * ld + lane];
            a[at * ld + lane] = s;
        }
        __syncwarp();
        const S d = a[k * ld + k];
        if (gx_taxi(d) == 0) {
            if (!info) info = k + 1;
        } else if (lane > k && lane < n) {
            const S f = a[lane * ld + k] / d;
            a[lane * ld + k] = f;
            for (int j = k + 1; j < n; j++)
                a[lane * ld + j] = a[lane * ld + j] - f * a[k * ld + j];
        }
        __syncwarp();
    }
    return info;
}

/* Column `lane` of b (n rows in steps of 33), permuted already. */
GX_IN void gx_substitute(const S *a, int n, int ld, S *b) {
    const int lane = threadIdx.x;
    for (int i = 1; i < n; i++) {
        S s = b[i * 33 + lane];
        for (int k = 0; k < i; k++) s = s - a[i * ld + k] * b[k * 33 + lane];
        b[i * 33 + lane] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
        S s = b[i * 33 + lane];
        for (int k = i + 1; k < n; k++) s = s - a[i * ld + k] * b[k * 33 + lane];
        b[i * 33 + lane] = s / a[i * ld + i];
    }
}

/* more < 0: the inverse. pivots: the factors alone. */
extern "C" __global__ void __launch_bounds__(32) gx_batch_systems(gx_batch p) {
    const int n = p.n, ld = n + 1, lane = threadIdx.x;
    S *a = (S *)gx_memory, *b = a + n * ld, *home = p.a + (long long)blockIdx.x * n * n;
    int row;
    for (int i = lane; i < n * n; i += 32) a[i / n * ld + i % n] = home[i];
    __syncwarp();
    long long *pivots = p.pivots ? p.pivots + (long long)blockIdx.x * n : 0;
    const int info = gx_factor(a, n, ld, &row, pivots);
    if (lane == 0) p.info[blockIdx.x] = info;
    if (pivots) {
        for (int i = lane; i < n * n; i += 32) home[i] = a[i / n * ld + i % n];
        return;
    }
    if (info) return;
    const int m = p.more < 0 ? n : p.more;
    S *to = p.more < 0 ? home : p.b + (long long)blockIdx.x * n * m;
    for (int j = 0; j < m; j += 32) {
        for (int r = 0; r < n; r++) {
            const int from = gx_lane(row, r);
            S s = gx_of(0);
            if (p.more < 0) s = gx_of(from == lane ? 1 : 0);
            else if (j + lane < m) s = to[from * m + j + lane];
            b[r * 33 + lane] = s;
        }
        gx_substitute(a, n, ld, b);
        if (j + lane < m)
            for (int r = 0; r < n; r++) to[r * m + j + lane] = b[r * 33 + lane];
        __syncwarp();
    }
}
#endif

#if GX_CHOLESKY
extern "C" __global__ void __launch_bounds__(32) gx_batch_cholesky(gx_batch p) {
    const int n = p.n, ld = n + 1, lane = threadIdx.x;
    S *a = (S *)gx_memory, *home = p.a + (long long)blockIdx.x * n * n;
    int info = 0;
    for (int i = lane; i < n * n; i += 32) {
        const int r = i / n, c = i % n;
        if (p.upper) a[c * ld + r] = gx_conj(home[i]);
        else a[r * ld + c] = home[i];
    }
    __syncwarp();
    for (int k = 0; k < n && !info; k++) {
        const R d = gx_real(a[k * ld + k]);
        __syncwarp();
        if (!(d > 0)) {
            info = k + 1;
            break;
        }
        const R root = sqrt(d);
        if (lane == k) a[k * ld + k] = gx_of(root);
        if (lane > k && lane < n) a[lane * ld + k] = gx_times(a[lane * ld + k], 1 / root);
        __syncwarp();
        if (lane > k && lane < n) {
            const S f = a[lane * ld + k];
            for (int j = k + 1; j <= lane; j++)
                a[lane * ld + j] = a[lane * ld + j] - f * gx_conj(a[j * ld + k]);
        }
        __syncwarp();
    }
    if (lane == 0) p.info[blockIdx.x] = info;
    for (int i = lane; i < n * n; i += 32) {
        const int r = i / n, c = i % n;
        if (p.upper) home[i] = c >= r ? gx_conj(a[c * ld + r]) : gx_of(0);
        else home[i] = c <= r ? a[r * ld + c] : gx_of(0);
    }
}
#endif

/* The rotation that makes [[alpha, g], [g, beta]] diagonal, g > 0. */
GX_IN void gx_rotation(R alpha, R beta, R g, R *cosine, R *sine, R *tangent) {
    const R zeta = (beta - alpha) / (2 * g);
    const R t = (zeta >= 0 ? (R)1 : (R)-1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    *tangent = t;
    *cosine = 1 / sqrt(1 + t * t);
    *sine = t * *cosine;
}

#if GX_EIGH
/* Jacobi's method: rotations of rows and columns until nothing is left beside the diagonal. */
extern "C" __global__ void __launch_bounds__(32) gx_batch_eigh(gx_batch p) {
    const int n = p.n, ld = n + 1;
    int G = 4;
    while (G < n) G *= 2;
    const int lane = threadIdx.x % G, group = threadIdx.x / G, first = threadIdx.x - lane;
    long long item = (long long)blockIdx.x * (32 / G) + group;
    const bool real = item < p.batch; /* else: nobody's, kept for the others */
    if (!real) item = 0;
    S *a = (S *)gx_memory + 2 * group * n * ld, *v = a + n * ld;
    const S *home = p.a + item * n * n;
    for (int i = lane; i < n * n; i += G) {
        const int r = i / n, c = i % n;
        v[r * ld + c] = gx_of(r == c ? 1 : 0);
        if (r == c) a[r * ld + c] = gx_of(gx_real(home[i]));
        else if (p.upper ? c > r : c < r) {
            a[r * ld + c] = home[i];
            a[c * ld + r] = gx_conj(home[i]);
        }
    }
    __syncwarp();
    R most = 0;
    for (int j = 0; j < n && lane < n; j++) most = fmax(most, gx_most(a[lane * ld + j]));
    most = gx_lane(most, gx_best(most, G));
    const R scale = most > (R)GX_HUGE || (most > 0 && most < 1 / (R)GX_HUGE) ? most : (R)1;
    R all = 0;
    for (int j = 0; j < n && lane < n; j++) {
        if (scale != 1) a[lane * ld + j] = gx_times(a[lane * ld + j], 1 / scale);
        all += gx_square(a[lane * ld + j]);
    }
    all = gx_sum(all, G);
    __syncwarp();
    const R small = (R)GX_TINY * (R)GX_TINY * all / (16 * n);
    const bool bad = !(all <= (R)GX_HUGE * (R)GX_HUGE * n * n);
    bool more = true;
    for (int sweep = 0; sweep < 40 && more; sweep++) {
        more = false;
        for (int r = 0; r < n - 1; r++) {
            for (int c = r + 1; c < n; c++) {
                const S g = a[r * ld + c];
                const R alpha = gx_real(a[r * ld + r]), beta = gx_real(a[c * ld + c]);
                const R square = gx_square(g);
                const bool turns = square > small && !bad;
                if (!__any_sync(0xffffffffu, turns)) continue;
                R co = 1, si = 0, ta = 0, length = 0;
                S turn = gx_of(1);
                if (turns) {
                    more = true;
                    length = sqrt(square);
                    turn = gx_times(g, 1 / length);
                    gx_rotation(alpha, beta, length, &co, &si, &ta);
                }
                if (turns && lane < n) {
                    S x = a[lane * ld + r], y = a[lane * ld + c] * gx_conj(turn);
                    a[lane * ld + r] = gx_times(x, co) - gx_times(y, si);
                    a[lane * ld + c] = gx_times(x, si) + gx_times(y, co);
                    x = v[lane * ld + r], y = v[lane * ld + c] * gx_conj(turn);
                    v[lane * ld + r] = gx_times(x, co) - gx_times(y, si);
                    v[lane * ld + c] = gx_times(x, si) + gx_times(y, co);
                }
                __syncwarp();
                S x = gx_of(0), y = x;
                if (turns && lane < n) {
                    x = a[r * ld + lane], y = a[c * ld + lane] * turn;
                    S up = gx_times(x, co) - gx_times(y, si);
                    S down = gx_times(x, si) + gx_times(y, co);
                    if (lane == r) {
                        up = gx_of(alpha - ta * length);
                        down = gx_of(0);
                    } else if (lane == c) {
                        up = gx_of(0);
                        down = gx_of(beta + ta * length);
                    }
                    a[r * ld + lane] = up;
                    a[c * ld + lane] = down;
                }
                __syncwarp();
            }
        }
        more = __any_sync(0xffffffffu, more);
    }
    if (real && lane == 0) p.info[item] = bad || more ? 1 : 0;
    const R w = lane < n ? gx_real(a[lane * ld + lane]) : (R)0;
    int place = 0;
    for (int k = 0; k < n; k++) {
        const R other = gx_lane(w, first + k);
        if (other < w || (other == w && k < lane)) place++;
    }
    if (!real || lane >= n || bad) return;
    p.y[item * n + place] = w * scale;
    if (!p.x) return;
    S *to = p.x + item * n * n;
    for (int r = 0; r < n; r++) to[r * n + place] = v[r * ld + lane];
}
#endif

#if GX_SVD
/* One-sided Jacobi: columns of the taller of a and its adjoint are rotated until they are
   orthogonal; their lengths are the values. A lane keeps row r of b and of v in memory that no
   other lane looks at: element c at c * 32. */
struct gx_svd {
    S *b, *v;
    int m, n, G;
    R all; /* the norm */
};

/* Was it a turn that counts? What is left of rounding alone may turn for ever: some 7 of 100,000
   random 8x8 matrices would. */
GX_IN bool gx_rotate(gx_svd *s, int i, int j) {
    const S x = s->b[i * 32], y = s->b[j * 32];
    const R alpha = gx_sum(gx_square(x), s->G), beta = gx_sum(gx_square(y), s->G);
    const S g = gx_sum(gx_conj(x) * y, s->G);
    const R square = gx_square(g), tiny = (R)GX_TINY * s->all;
    if (!(square > (R)GX_TINY * (R)GX_TINY * alpha * beta) || !(alpha > tiny * tiny) ||
        !(beta > tiny * tiny))
        return false;
    const R length = sqrt(square);
    const S turn = gx_conj(gx_times(g, 1 / length));
    R co, si, ta;
    gx_rotation(alpha, beta, length, &co, &si, &ta);
    s->b[i * 32] = gx_times(x, co) - gx_times(y * turn, si);
    s->b[j * 32] = gx_times(x, si) + gx_times(y * turn, co);
    const S u = s->v[i * 32], w = s->v[j * 32] * turn;
    s->v[i * 32] = gx_times(u, co) - gx_times(w, si);
    s->v[j * 32] = gx_times(u, si) + gx_times(w, co);
    return square > 4 * s->m * (R)GX_TINY * (R)GX_TINY * alpha * beta;
}

/* Column k of b becomes a unit vector orthogonal to those before it: of the axes, the one that
   they reach least. */
GX_IN S gx_complete(const gx_svd *s, int k, int row) {
    R left = row < s->m ? (R)1 : (R)-1;
    for (int i = 0; i < k && row < s->m; i++) left -= gx_square(s->b[i * 32]);
    S w = gx_of(gx_best(left, s->G) == (int)threadIdx.x ? 1 : 0);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < k; i++) {
            const S dot = gx_sum(gx_conj(s->b[i * 32]) * w, s->G);
            w = w - s->b[i * 32] * dot;
        }
    return gx_times(w, 1 / sqrt(gx_sum(gx_square(w), s->G)));
}

extern "C" __global__ void __launch_bounds__(32) gx_batch_svd(gx_batch p) {
    const int lane = threadIdx.x, m = p.wide ? p.n : p.m, n = p.wide ? p.m : p.n;
    int G = 4;
    while (G < m) G *= 2;
    const int row = lane % G, first = lane - row;
    long long item = (long long)blockIdx.x * (32 / G) + lane / G;
    const bool real = item < p.batch; /* else: nobody's, kept for the others */
    if (!real) item = 0;
    gx_svd s = {(S *)gx_memory + lane, (S *)gx_memory + lane + p.cols * 32, m, n, G, 0};
    const S *home = p.a + item * m * n;
    R most = 0;
    for (int c = 0; c < n; c++) {
        S x = gx_of(0);
        if (row < m) x = p.wide ? gx_conj(home[c * m + row]) : home[row * n + c];
        s.b[c * 32] = x;
        s.v[c * 32] = gx_of(row == c ? 1 : 0);
        most = fmax(most, gx_most(x));
        if (!(gx_taxi(x) - gx_taxi(x) == 0)) s.all = gx_taxi(x) - gx_taxi(x);
    }
    most = gx_lane(most, gx_best(most, G));
    const R scale = most > (R)GX_HUGE || (most > 0 && most < 1 / (R)GX_HUGE) ? most : (R)1;
    for (int c = 0; c < n; c++) {
        if (scale != 1) s.b[c * 32] = gx_times(s.b[c * 32], 1 / scale);
        s.all += gx_square(s.b[c * 32]);
    }
    s.all = sqrt(gx_sum(s.all, G));
    const bool bad = !(s.all - s.all == 0);
    bool more = true;
    for (int sweep = 0; sweep < 40 && more; sweep++) {
        more = false;
        for (int i = 0; i < n - 1; i++)
            for (int j = i + 1; j < n; j++)
                if (gx_rotate(&s, i, j)) more = true;
        more = __any_sync(0xffffffffu, more && !bad);
    }
    if (real && row == 0) p.info[item] = bad || more ? 1 : 0;
    R mine = -1; /* lane c: the length of column c */
    for (int c = 0; c < n; c++) {
        const R length = sqrt(gx_sum(gx_square(s.b[c * 32]), G));
        if (row == c) mine = length;
    }
    for (int k = 0; k < n; k++) { /* the longest first */
        const R best = row >= k && row < n ? mine : (R)-1;
        int at = gx_best(best, G);
        if (at < first + k || at >= first + n) at = first + k;
        const R here = gx_lane(mine, first + k), there = gx_lane(mine, at);
        if (row == k) mine = there;
        else if (lane == at) mine = here;
        at -= first;
        S x = s.b[k * 32];
        s.b[k * 32] = s.b[at * 32];
        s.b[at * 32] = x;
        x = s.v[k * 32];
        s.v[k * 32] = s.v[at * 32];
        s.v[at * 32] = x;
    }
    if (real && row < n && !bad) p.y[item * n + row] = mine * scale;
    if (!p.x) return;
    for (int k = 0; k < p.cols; k++) {
        const R length = gx_lane(mine, first + (k < n ? k : 0));
        const bool none = k >= n || !(length > n * (R)GX_TINY * s.all);
        S w = gx_of(0);
        if (__any_sync(0xffffffffu, none)) w = gx_complete(&s, k, row);
        s.b[k * 32] = none ? w : gx_times(s.b[k * 32], 1 / length);
    }
    if (!real || bad) return;
    S *u = p.wide ? p.z : p.x, *v = p.wide ? p.x : p.z;
    if (row < m)
        for (int c = 0; c < p.cols; c++) {
            if (p.wide) u[item * p.cols * m + c * m + row] = gx_conj(s.b[c * 32]);
            else u[item * p.cols * m + row * p.cols + c] = s.b[c * 32];
        }
    if (row < n)
        for (int c = 0; c < n; c++) {
            if (p.wide) v[item * n * n + row * n + c] = s.v[c * 32];
            else v[item * n * n + c * n + row] = gx_conj(s.v[c * 32]);
        }
}
#endif
