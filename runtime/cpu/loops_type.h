/* The loops of one computing dtype, from the texts of ops.def and reductions.def. A template:
   loops_make.h includes it once a dtype, with these macros set and undefined again at the end.

   ID     the dtype (f32), which is also the suffix of every name made here
   T R U  computing type; its real type; its unsigned type (integers)
   KIND_* one of KIND_BOOL KIND_INT KIND_UINT KIND_FLOAT KIND_CPLX, defined as 1
   LANES  elements a block

   Every loop works in blocks of LANES elements with a constant trip count, so the vectoriser leaves
   no scalar remainder: an element's bits do not depend on its position. drive() turns any length and
   any mix of arrays and scalars into whole blocks. */
#define FN(f) GX_PASTE(f, ID)

#if defined KIND_INT || defined KIND_UINT || defined KIND_BOOL
#include "kernels/scalar_int.h"
#elif defined KIND_FLOAT
#include "kernels/scalar.h"
#else
#include "kernels/scalar_cplx.h"
#endif

/* Does a block hold an infinity or nan? Only then are its elements looked at one by one. */
#if defined KIND_FLOAT || defined KIND_CPLX
static inline int FN(odd)(const R *r, int n) {
    int bad = 0;
    for (int i = 0; i < n; i++) bad |= !(fabs(r[i]) < GX_INF);
    return bad;
}
#endif

#if defined KIND_FLOAT
static __attribute__((noinline)) unsigned FN(conditions)(int cls, int arity, const T *r, const T *x,
                                                         const T *y) {
    unsigned flags = 0;
    for (int i = 0; i < LANES; i++) {
        int nan = x[i] != x[i], finite = fabs(x[i]) < GX_INF;
        if (arity > 1) {
            nan |= y[i] != y[i];
            finite &= fabs(y[i]) < GX_INF;
        }
        if (r[i] != r[i] && !nan) flags |= MX_INVALID;
        if (fabs(r[i]) == GX_INF && finite) {
            int pole = cls == GX_FPC_POLE || (cls == GX_FPC_POWER && x[i] == 0) ||
                       (cls == GX_FPC_QUOTIENT && y[i] == 0);
            if (cls >= GX_FPC_POLE) flags |= pole ? MX_DIVIDE : MX_OVERFLOW;
        }
    }
    return flags;
}
#elif defined KIND_CPLX
static __attribute__((noinline)) unsigned FN(conditions)(int cls, int arity, const R *rs, int parts,
                                                         const T *x, const T *y) {
    unsigned flags = 0;
    for (int i = 0; i < LANES; i++) {
        int nan = FN(c_isnan)(x[i]), finite = FN(c_isfinite)(x[i]);
        if (arity > 1) {
            nan |= FN(c_isnan)(y[i]);
            finite &= FN(c_isfinite)(y[i]);
        }
        for (int part = 0; part < parts; part++) {
            R r = rs[i * parts + part];
            if (r != r && !nan) flags |= MX_INVALID;
            if (fabs(r) == GX_INF && finite)
                flags |= cls == GX_FPC_POLE || (cls == GX_FPC_POWER && !FN(c_true)(x[i]))
                             ? MX_DIVIDE
                             : MX_OVERFLOW;
        }
    }
    return flags;
}
#endif

/* The result type, by the operation's rule. */
#define OUT(op)                                                                                    \
    __typeof__(__builtin_choose_expr(                                                              \
        HAS_RULE(op, TRUTH) || HAS_RULE(op, INEXACT_TRUTH) ||                        \
            HAS_RULE(op, COUNT),                                                            \
        (uint8_t)0,                                                                                \
        __builtin_choose_expr(HAS_RULE(op, REALPART) || HAS_RULE(op, INEXACT_REAL),  \
                              *(R *)0, *(T *)0)))
/* The first operand's type. */
#define FIRST(op)                                                                                  \
    __typeof__(__builtin_choose_expr(HAS_RULE(op, SELECT), (uint8_t)0, *(T *)0))

/* One operation: its blocks, then the entry that the table holds. PLAIN stores what it computes;
   CHECKED looks at the values for NumPy's conditions before they are stored (out may be an operand). */
#define BLOCKS(op, STORE)                                                                          \
    static unsigned FN(blocks_##op)(void *out, const void *a, const void *b, const void *c,        \
                                    size_t n, const size_t *step) {                                \
        OUT(op) *o = out;                                                                          \
        const FIRST(op) *xs = a;                                                                   \
        const T *ys = b, *zs = c;                                                                  \
        unsigned flags = 0;                                                                        \
        (void)ys;                                                                                  \
        (void)zs;                                                                                  \
        for (; n; n--, o += LANES) {                                                               \
            STORE;                                                                                 \
            xs += step[0];                                                                         \
            if (ARITY_##op > 1) ys += step[1];                                                     \
            if (ARITY_##op > 2) zs += step[2];                                                     \
        }                                                                                          \
        return flags;                                                                              \
    }
#define EACH(op, to, ...)                                                                          \
    GX_VECTOR_LOOP for (int i = 0; i < LANES; i++) {                                               \
        FIRST(op) x = xs[i];                                                                       \
        T y = ys[ARITY_##op > 1 ? i : 0], z = zs[ARITY_##op > 2 ? i : 0];                          \
        (void)x;                                                                                   \
        (void)y;                                                                                   \
        (void)z;                                                                                   \
        to[i] = __VA_ARGS__;                                                                       \
    }
#define ENTRY(op, keep)                                                                            \
    static void FN(op_##op)(void *out, const void *a, const void *b, const void *c, size_t n,      \
                            unsigned scalars) {                                                    \
        static const shape s = {ARITY_##op, LANES, sizeof(OUT(op)), {sizeof(FIRST(op)), sizeof(T)}}; \
        drive(FN(blocks_##op), &s, keep, out, a, b, c, n, scalars);                                \
    }

#if defined KIND_FLOAT || defined KIND_CPLX
/* Complex helpers compare and scale freely, so all but plain arithmetic are judged by values. */
#if defined KIND_CPLX
#define CLASS(op)                                                                                  \
    (HAS_CLASS(op, HARDWARE) && COST_##op >= 4 ? (int)GX_FPC_POLE : (int)FPC_##op)
#define FLAGS_OF(op, r)                                                                            \
    FN(conditions)(CLASS(op), ARITY_##op, (const R *)r, sizeof(OUT(op)) / sizeof(R), (const T *)xs, ys)
#else
#define CLASS(op) (int)FPC_##op
#define FLAGS_OF(op, r) FN(conditions)(CLASS(op), ARITY_##op, (const T *)r, (const T *)xs, ys)
#endif
#define LINE(op, ...)                                                                              \
    BLOCKS(op, if (CLASS(op) >= (int)GX_FPC_VALUES) {                                                   \
        OUT(op) r[LANES];                                                                          \
        EACH(op, r, __VA_ARGS__)                                                                   \
        if (FN(odd)((const R *)r, LANES * sizeof(OUT(op)) / sizeof(R))) flags |= FLAGS_OF(op, r);  \
        memcpy(o, r, sizeof r);                                                                    \
    } else EACH(op, o, __VA_ARGS__))                                                               \
    ENTRY(op, CLASS(op) == (int)GX_FPC_HARDWARE)
#elif defined KIND_BOOL
#define LINE(op, ...)                                                                              \
    BLOCKS(op, EACH(op, o, __VA_ARGS__))                                                           \
    ENTRY(op, 1)
#else
/* Integer division: by zero, and MIN // -1. */
#define LINE(op, ...)                                                                              \
    BLOCKS(op, {                                                                                   \
        if (HAS_CLASS(op, QUOTIENT) || HAS_CLASS(op, INVALID)) {                           \
            for (int i = 0; i < LANES; i++) {                                                      \
                flags |= ys[i] == 0 ? MX_DIVIDE : 0;                                               \
                if (HAS_CLASS(op, QUOTIENT) && (T)-1 < 0)                                      \
                    flags |= ys[i] == (T)-1 && xs[i] < 0 && xs[i] == (T)(0 - (U)xs[i])             \
                                 ? MX_OVERFLOW                                                     \
                                 : 0;                                                              \
            }                                                                                      \
        }                                                                                          \
        EACH(op, o, __VA_ARGS__)                                                                   \
    })                                                                                             \
    ENTRY(op, 1)
#endif

#if defined KIND_BOOL
#define BOOL LINE
#elif defined KIND_INT
#define INT LINE
#elif defined KIND_UINT
#define UINT LINE
#elif defined KIND_FLOAT
#define FLOAT LINE
#else
#define CPLX LINE
#endif
#include "kernels/ops.def"

#undef LINE
#undef EACH
#undef BLOCKS
#undef ENTRY
#undef CLASS
#undef FLAGS_OF
