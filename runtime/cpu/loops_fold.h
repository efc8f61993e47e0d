/* The reductions of one computing dtype, from the texts of reductions.def. A template, included by
   loops_make.h after loops_type.h with the same macros set. Sums and products of floats follow
   NumPy's pairwise order, a function of the length alone; the others do not depend on order. */

/* NumPy's: fewer than WAYS in a row, up to LEAF in WAYS lanes, else two halves. */
#if defined KIND_CPLX
#define WAYS 4
#else
#define WAYS 8
#endif
#define LEAF (16 * WAYS)
#define WIDE (2 * LANES)

#define FOLD(red, first, ...)                                                                      \
    static inline T FN(join_##red)(T x, T y) {                                                     \
        T r = __VA_ARGS__;                                                                         \
        return r;                                                                                  \
    }                                                                                              \
    static inline void FN(start_##red)(void *state) {                                              \
        T r = first;                                                                               \
        *(T *)state = r;                                                                           \
    }                                                                                              \
    FOLD_ORDER(red)                                                                                \
    static T FN(flat_##red)(const T *in, size_t n) {                                               \
        T r[WIDE], x = in[0];                                                                      \
        size_t i = 1;                                                                              \
        if (n >= WIDE) {                                                                           \
            memcpy(r, in, sizeof r);                                                               \
            for (i = WIDE; i + WIDE <= n; i += WIDE)                                               \
                for (int k = 0; k < WIDE; k++) r[k] = FN(join_##red)(r[k], in[i + k]);             \
            for (int k = 1; k < WIDE; k++) x = FN(join_##red)(k == 1 ? r[0] : x, r[k]);            \
        }                                                                                          \
        for (; i < n; i++) x = FN(join_##red)(x, in[i]);                                           \
        return x;                                                                                  \
    }                                                                                              \
    static void FN(fold_##red)(void *state, const void *in, size_t n) {                            \
        unsigned csr = _mm_getcsr();                                                               \
        if (!n) return;                                                                            \
        *(T *)state = FN(join_##red)(*(T *)state, FOLD_ALL(red)(in, n));                           \
        if (!IS_SUM(red)) _mm_setcsr(csr);                                      \
    }                                                                                              \
    static void FN(rows_##red)(void *state, const void *in, size_t n) {                            \
        unsigned csr = _mm_getcsr();                                                               \
        T *s = state;                                                                              \
        const T *x = in;                                                                           \
        GX_VECTOR_LOOP for (size_t i = 0; i < n; i++) s[i] = FN(join_##red)(s[i], x[i]);           \
        if (!IS_SUM(red)) _mm_setcsr(csr);                                      \
    }

#if defined KIND_FLOAT || defined KIND_CPLX
#define FOLD_ORDER(red)                                                                            \
    static T FN(leaf_##red)(const T *in, size_t n) {                                               \
        T r[WAYS], x = in[0];                                                                      \
        size_t i = 1;                                                                              \
        if (n >= WAYS) {                                                                           \
            memcpy(r, in, sizeof r);                                                               \
            for (i = WAYS; i + WAYS <= n; i += WAYS)                                               \
                for (int k = 0; k < WAYS; k++) r[k] = FN(join_##red)(r[k], in[i + k]);             \
            for (int gap = 1; gap < WAYS; gap *= 2)                                                \
                for (int k = 0; k < WAYS; k += 2 * gap) r[k] = FN(join_##red)(r[k], r[k + gap]);   \
            x = r[0];                                                                              \
        }                                                                                          \
        for (; i < n; i++) x = FN(join_##red)(x, in[i]);                                           \
        return x;                                                                                  \
    }                                                                                              \
    static T FN(tree_##red)(const T *in, size_t n) {                                               \
        if (n <= LEAF) return FN(leaf_##red)(in, n);                                               \
        size_t half = n / 2 - n / 2 % WAYS;                                                        \
        return FN(join_##red)(FN(tree_##red)(in, half), FN(tree_##red)(in + half, n - half));      \
    }
#define FOLD_ALL(red) (IS_SUM(red) ? FN(tree_##red) : FN(flat_##red))
#else
#define FOLD_ORDER(red)
#define FOLD_ALL(red) FN(flat_##red)
#endif

#if defined KIND_BOOL
#define BOOL FOLD
#define ORDER_BOOL ORDERED
#elif defined KIND_INT
#define INT FOLD
#define ORDER_INT ORDERED
#elif defined KIND_UINT
#define UINT FOLD
#define ORDER_UINT ORDERED
#elif defined KIND_FLOAT
#define FLOAT FOLD
#define ORDER_FLOAT ORDERED
#else
#define CPLX FOLD
#define ORDER_CPLX ORDERED
#endif
#ifndef ORDER_BOOL
#define ORDER_BOOL(red, ...)
#endif
#ifndef ORDER_INT
#define ORDER_INT(red, ...)
#endif
#ifndef ORDER_UINT
#define ORDER_UINT(red, ...)
#endif
#ifndef ORDER_FLOAT
#define ORDER_FLOAT(red, ...)
#endif
#ifndef ORDER_CPLX
#define ORDER_CPLX(red, ...)
#endif
#define ORDERED(red, ...)                                                                          \
    static inline int FN(wins_##red)(T x, T y) { return __VA_ARGS__; }
#define ORDER(red, kind, ...) ORDER_##kind(red, __VA_ARGS__)
#include "kernels/reductions.def"

static inline int FN(alike)(T x, T y) {
#if defined KIND_CPLX
    int xn = FN(c_isnan)(x), yn = FN(c_isnan)(y);
    return (xn && yn) || FN(c_eq)(x, y);
#else
#if defined KIND_FLOAT
    if (x != x) return y != y;
#endif
    return x == y;
#endif
}

/* The extreme of a chunk is found at vector speed; only a chunk that wins is searched for it. */
static int64_t FN(arg)(int red, void *best, const void *in, size_t n, bool first) {
    unsigned csr = _mm_getcsr();
    enum { CHUNK = 1024 };
    int64_t at = -1;
    const T *v = in;
    T top = *(T *)best;
    for (size_t i = 0; i < n; i += CHUNK) {
        size_t len = n - i < CHUNK ? n - i : CHUNK, k = 0;
        T x = red == GX_RED_argmin ? FN(flat_min)(v + i, len) : FN(flat_max)(v + i, len);
        if (!first && !(red == GX_RED_argmin ? FN(wins_argmin)(top, x) : FN(wins_argmax)(top, x)))
            continue;
        while (!FN(alike)(v[i + k], x)) k++;
        top = v[i + k];
        at = (int64_t)(i + k);
        first = false;
    }
    *(T *)best = top;
    _mm_setcsr(csr);
    return at;
}

#undef WAYS
#undef LEAF
#undef WIDE
#undef FOLD
#undef FOLD_ORDER
#undef FOLD_ALL
#undef ORDERED
#undef ORDER_BOOL
#undef ORDER_INT
#undef ORDER_UINT
#undef ORDER_FLOAT
#undef ORDER_CPLX
