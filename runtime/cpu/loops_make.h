/* All inner loops for one instruction set: included by loops_v2.c, loops_v3.c and loops_v4.c, which
   set GX_LOOPS_TABLE and GX_LOOPS_ISA. It includes loops_type.h and loops_fold.h once a dtype and
   loops_cast.h once, and ends with the table. Invariants: an element's bits do not depend on its
   position or on n; after any loop the sticky flags hold what they held plus NumPy's conditions. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/scalar_side.h"
#include "runtime/cpu/loops.h"
#include "runtime/cpu/loops_math.h"

#define GX_PASTE_(a, b) a##_##b
#define GX_PASTE(a, b) GX_PASTE_(a, b)
#ifdef __clang__
#define GX_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define GX_VECTOR_LOOP _Pragma("GCC ivdep")
#endif

/* The sticky bits of MXCSR. */
enum { MX_INVALID = 1, MX_DIVIDE = 4, MX_OVERFLOW = 8 };

/* Columns of ops.def and reductions.def as constants. */
enum {
#define OP(op, arity, rule, fp, cost, ...)                                                         \
    ARITY_##op = arity, RULE_##op = GX_RULE_##rule, FPC_##op = GX_FPC_##fp, COST_##op = cost,
#include "kernels/ops.def"
#define REDUCTION(red, rule, ...) REDRULE_##red = GX_REDRULE_##rule,
#include "kernels/reductions.def"
    GX_COLUMNS_END
};
#define HAS_RULE(op, rule) ((int)RULE_##op == (int)GX_RULE_##rule)
#define HAS_CLASS(op, fp) ((int)FPC_##op == (int)GX_FPC_##fp)
#define IS_SUM(red) ((int)REDRULE_##red == (int)GX_REDRULE_SUM)

/* One text serves signed and unsigned types; `x < 0` is then plainly false for some. */
#pragma GCC diagnostic ignored "-Wtype-limits"

enum { MOST_LANES = 64, BLOCK_BYTES = 256 };
/* Bytes of an element: the result's, the first operand's, the others'. */
typedef struct shape {
    uint8_t arity, lanes, out, in[2];
} shape;
typedef unsigned (*blocks_fn)(void *out, const void *a, const void *b, const void *c, size_t n,
                              const size_t *step);

static void fill(char *block, const char *from, size_t item, size_t have, size_t want) {
    memcpy(block, from, item * have);
    for (size_t i = have; i < want; i++) memcpy(block + i * item, block + (have - 1) * item, item);
}

/* Runs whole blocks in place and the rest through padded copies; the padding repeats the last
   element, so it can raise nothing of its own. `keep`: the flags that arithmetic raised are right. */
static void drive(blocks_fn run, const shape *s, int keep, void *out, const void *a, const void *b,
                  const void *c, size_t n, unsigned scalars) {
    _Alignas(64) char pad[4][BLOCK_BYTES];
    const char *in[3] = {a, b, c};
    size_t step[3] = {0, 0, 0}, whole = n / s->lanes, rest = n % s->lanes;
    unsigned csr = _mm_getcsr(), flags = 0;
    if (n == 0) return;
    for (int k = 0; k < s->arity; k++) {
        step[k] = s->lanes;
        if (!(scalars >> k & 1)) continue;
        step[k] = 0;
        fill(pad[k], in[k], s->in[k > 0], 1, s->lanes);
        in[k] = pad[k];
    }
    if (whole) flags = run(out, in[0], in[1], in[2], whole, step);
    if (rest) {
        for (int k = 0; k < s->arity; k++) {
            if (!step[k]) continue;
            fill(pad[k], in[k] + whole * s->lanes * s->in[k > 0], s->in[k > 0], rest, s->lanes);
            in[k] = pad[k];
        }
        flags |= run(pad[3], in[0], in[1], in[2], 1, step);
        memcpy((char *)out + whole * s->lanes * s->out, pad[3], rest * s->out);
    }
    if (!keep) _mm_setcsr(csr | flags);
    else if (flags) _mm_setcsr(_mm_getcsr() | flags);
}

#define KIND_BOOL 1
#define T uint8_t
#define R T
#define U unsigned
#define LANES 64
#define ID bool_
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef KIND_BOOL
#undef ID

#define KIND_UINT 1
#define ID u8
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef LANES
#undef ID
#define T uint16_t
#define LANES 32
#define ID u16
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef LANES
#undef ID
#define T uint32_t
#define LANES 16
#define ID u32
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef U
#undef ID
#define T uint64_t
#define U uint64_t
#define ID u64
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef U
#undef LANES
#undef ID
#undef KIND_UINT

#define KIND_INT 1
#define U unsigned
#define T int8_t
#define LANES 64
#define ID i8
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef LANES
#undef ID
#define T int16_t
#define LANES 32
#define ID i16
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef LANES
#undef ID
#define LANES 16
#define T int32_t
#define ID i32
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef U
#undef ID
#define T int64_t
#define U uint64_t
#define ID i64
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef U
#undef R
#undef ID
#undef KIND_INT

#define KIND_FLOAT 1
#define T float
#define R float
#define ID f32
#define GX_MATH(fn) m_##fn##_f32
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef R
#undef ID
#undef GX_MATH
#define T double
#define R double
#define ID f64
#define GX_MATH(fn) m_##fn##_f64
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef R
#undef ID
#undef GX_MATH
#undef KIND_FLOAT

#define KIND_CPLX 1
#define T gx_c64
#define R float
#define ID c64
#define GX_MATH(fn) s_##fn##_f32
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef R
#undef ID
#undef GX_MATH
#define T gx_c128
#define R double
#define ID c128
#define GX_MATH(fn) s_##fn##_f64
#include "runtime/cpu/loops_type.h"
#include "runtime/cpu/loops_fold.h"
#undef T
#undef R
#undef ID
#undef GX_MATH
#undef KIND_CPLX
#undef LANES

#include "runtime/cpu/loops_half.h"
#include "runtime/cpu/loops_cast.h"

/* The table. Rows of ops.def and reductions.def name functions by kind; each kind has its dtypes. */
#define BOOLS(X, ...) X(__VA_ARGS__, GX_bool, bool_)
#define INTS(X, ...)                                                                               \
    X(__VA_ARGS__, GX_i8, i8)                                                                      \
    X(__VA_ARGS__, GX_i16, i16)                                                                    \
    X(__VA_ARGS__, GX_i32, i32)                                                                    \
    X(__VA_ARGS__, GX_i64, i64)
#define UINTS(X, ...)                                                                              \
    X(__VA_ARGS__, GX_u8, u8)                                                                      \
    X(__VA_ARGS__, GX_u16, u16)                                                                    \
    X(__VA_ARGS__, GX_u32, u32)                                                                    \
    X(__VA_ARGS__, GX_u64, u64)
#define FLOATS(X, ...)                                                                             \
    X(__VA_ARGS__, GX_f16, f16)                                                                    \
    X(__VA_ARGS__, GX_f32, f32)                                                                    \
    X(__VA_ARGS__, GX_f64, f64)
#define CPLXS(X, ...)                                                                              \
    X(__VA_ARGS__, GX_c64, c64)                                                                    \
    X(__VA_ARGS__, GX_c128, c128)
#define EVERY(X, ...)                                                                              \
    BOOLS(X, __VA_ARGS__)                                                                          \
    INTS(X, __VA_ARGS__)                                                                           \
    UINTS(X, __VA_ARGS__)                                                                          \
    FLOATS(X, __VA_ARGS__)                                                                         \
    CPLXS(X, __VA_ARGS__)

typedef void (*start_fn)(void *state);
static const start_fn starts[GX_RED_COUNT][GX_DTYPES] = {
#define START(red, dtype, id) [GX_RED_##red][dtype] = start_##red##_##id,
#define BOOL(red, ...) BOOLS(START, red)
#define INT(red, ...) INTS(START, red)
#define UINT(red, ...) UINTS(START, red)
#define FLOAT(red, ...) FLOATS(START, red)
#define CPLX(red, ...) CPLXS(START, red)
#include "kernels/reductions.def"
};

static bool identity(int red, int acc, void *state) {
    if (!gx_reds[red].has_identity || !starts[red][acc]) return false;
    starts[red][acc](state);
    return true;
}

static int64_t arg(int red, int dtype, void *best, const void *in, size_t n, bool first) {
    typedef int64_t (*arg_fn)(int, void *, const void *, size_t, bool);
#define ARG(none, dtype, id) [dtype] = arg_##id,
    static const arg_fn args[GX_DTYPES] = {EVERY(ARG, )};
    return args[dtype](red, best, in, n, first);
}

const gx_loops GX_LOOPS_TABLE = {
    .isa = GX_LOOPS_ISA,
    .op =
        {
#define ROW(op, dtype, id) [GX_OP_##op][dtype] = op_##op##_##id,
#define BOOL(op, ...) BOOLS(ROW, op)
#define INT(op, ...) INTS(ROW, op)
#define UINT(op, ...) UINTS(ROW, op)
#define FLOAT(op, ...) FLOATS(ROW, op)
#define CPLX(op, ...) CPLXS(ROW, op)
#include "kernels/ops.def"
        },
    .cast =
        {
#define CASTS(from, dtype, id)                                                                     \
    [dtype] = {[GX_bool] = cast_##id##_bool_, [GX_i8] = cast_##id##_i8,                            \
               [GX_i16] = cast_##id##_i16,    [GX_i32] = cast_##id##_i32,                          \
               [GX_i64] = cast_##id##_i64,    [GX_u8] = cast_##id##_u8,                            \
               [GX_u16] = cast_##id##_u16,    [GX_u32] = cast_##id##_u32,                          \
               [GX_u64] = cast_##id##_u64,    [GX_f16] = cast_##id##_f16,                          \
               [GX_f32] = cast_##id##_f32,    [GX_f64] = cast_##id##_f64,                          \
               [GX_c64] = cast_##id##_c64,    [GX_c128] = cast_##id##_c128},
            EVERY(CASTS, )},
    .fold =
        {
#define FOLD_ROW(red, dtype, id) [GX_RED_##red][dtype] = fold_##red##_##id,
#define BOOL(red, ...) BOOLS(FOLD_ROW, red)
#define INT(red, ...) INTS(FOLD_ROW, red)
#define UINT(red, ...) UINTS(FOLD_ROW, red)
#define FLOAT(red, ...) FLOATS(FOLD_ROW, red)
#define CPLX(red, ...) CPLXS(FOLD_ROW, red)
#include "kernels/reductions.def"
        },
    .fold_rows =
        {
#define ROWS_ROW(red, dtype, id) [GX_RED_##red][dtype] = rows_##red##_##id,
#define BOOL(red, ...) BOOLS(ROWS_ROW, red)
#define INT(red, ...) INTS(ROWS_ROW, red)
#define UINT(red, ...) UINTS(ROWS_ROW, red)
#define FLOAT(red, ...) FLOATS(ROWS_ROW, red)
#define CPLX(red, ...) CPLXS(ROWS_ROW, red)
#include "kernels/reductions.def"
        },
    .identity = identity,
    .arg = arg,
};
