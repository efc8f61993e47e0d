/* A tape: a short, straight-line, typed list of steps over one iteration space. It is all that a
   backend sees of an expression: the CPU block evaluator, CUDA emission, the kernel cache and the
   golden tests read the same tape. Scalars are parameters (imm), never text.

   The iteration space is shape[0 … ndim-1], C order, already collapsed. Every step gives one value
   an element. With `red` set, the last `reduced` dims are reduced: outs[0] is then indexed by the
   first ndim - reduced dims only. */
#ifndef GX_RUNTIME_BACKEND_TAPE_H
#define GX_RUNTIME_BACKEND_TAPE_H

#include "kernels/optable.h"
#include "runtime/base/buf.h"

enum {
    GX_MAX_DIMS = 64,
    GX_TAPE_LEAVES = 32,
    GX_TAPE_IMMS = 128,
    GX_TAPE_STEPS = 640,
    GX_TAPE_OUTS = 8,
    GX_TAPE_CALLS = 8,
    GX_INLINE_INPUTS = 3
};

/* Memory on a device, counted. Bytes are 64-byte aligned and padded to a multiple of 64. */
typedef struct gx_buffer {
    struct gx_device *device;
    char *data;     /* host address, or the device's */
    int64_t bytes;  /* asked for */
    int64_t room;   /* really there, for the pool */
    uint32_t refs;
    void (*foreign)(struct gx_buffer *); /* not from the pool (memory maps): gives it back */
} gx_buffer;

typedef enum gx_leaf_kind { GX_LEAF_BUFFER, GX_LEAF_IOTA, GX_LEAF_RANDOM } gx_leaf_kind;

/* What a GX_LEAF_RANDOM element is, as a function of (seed, counter + element index): cuRAND's
   Philox4x32-10 stream. */
typedef enum gx_dist {
    GX_DIST_BITS32,     /* uint32: the stream's words */
    GX_DIST_UNIFORM32,  /* float32 in (0, 1] as cuRAND */
    GX_DIST_UNIFORM64,  /* float64 in (0, 1] as cuRAND */
    GX_DIST_NORMAL32,   /* float32 */
    GX_DIST_NORMAL64,   /* float64 */
    GX_DIST_BITS64      /* uint64 */
} gx_dist;

/* A source of elements. Element at index i: position e = offset + sum(strides[d] * i[d]).
   BUFFER: bytes of buf. IOTA and RANDOM: e counts elements; IOTA's value is first + e * step in
   the leaf's dtype. */
typedef struct gx_leaf {
    uint8_t kind;  /* gx_leaf_kind */
    uint8_t dtype; /* gx_dtype */
    uint8_t dist;  /* gx_dist */
    gx_buffer *buf;
    int64_t offset;
    gx_scalar first, step;  /* IOTA */
    uint64_t seed, counter; /* RANDOM */
    int64_t strides[GX_MAX_DIMS];
} gx_leaf;

/* The function of one element that an elementwise kernel of a script becomes: CUDA C++ that defines
   call(x0, …), to stand in a namespace of its own. Made once for a text; lives as long as gx. */
typedef struct gx_inline {
    struct gx_inline *next;
    const char *name, *text;
    uint8_t arity, in[GX_INLINE_INPUTS], out; /* dtypes */
    int cost;                                 /* of an element, in additions: a guess */
} gx_inline;

typedef enum gx_step_kind {
    GX_STEP_LOAD,  /* arg: leaf (of any kind); dtype: the leaf's */
    GX_STEP_CONST, /* arg: imm */
    GX_STEP_CAST,  /* a, from `compute` to `dtype` */
    /* arg: gx_opcode; operands a, b, c of dtype `compute` (GX_RULE_SELECT: a is bool) */
    GX_STEP_OP,
    GX_STEP_CALL /* arg: call; operands a, b, c of its dtypes. Tapes for a GPU alone have it */
} gx_step_kind;

typedef struct gx_step {
    uint8_t kind;    /* gx_step_kind */
    uint8_t dtype;   /* of the result */
    uint8_t compute; /* of the operands */
    uint8_t spare;   /* CALL: how many operands */
    uint16_t arg;
    uint16_t a, b, c; /* earlier steps */
} gx_step;

static inline int gx_step_arity(const gx_step *s) {
    return s->kind == GX_STEP_OP     ? gx_ops[s->arg].arity
           : s->kind == GX_STEP_CAST ? 1
           : s->kind == GX_STEP_CALL ? s->spare
                                     : 0;
}

/* A destination: the value of a step is stored at offset + sum(strides[d] * i[d]) bytes of buf.
   The step's dtype is the destination's. */
typedef struct gx_out {
    uint16_t step;
    gx_buffer *buf;
    int64_t offset;
    int64_t strides[GX_MAX_DIMS];
} gx_out;

typedef struct gx_tape {
    int ndim, reduced; /* reduced: 0, or how many trailing dims `red` folds */
    int n_leaf, n_imm, n_step, n_out, n_call;
    bool has_red;
    uint8_t red;       /* gx_redcode when has_red */
    uint8_t acc;       /* accumulator dtype; outs[0] has the reduction's result dtype red_dtype */
    uint8_t red_dtype;
    int64_t shape[GX_MAX_DIMS];
    gx_leaf leaf[GX_TAPE_LEAVES];
    gx_scalar imm[GX_TAPE_IMMS];
    gx_step step[GX_TAPE_STEPS];
    gx_out out[GX_TAPE_OUTS];
    const gx_inline *call[GX_TAPE_CALLS];
    bool about_mean; /* red is the sum of squared distances from the mean; acc is float64 */
    bool whole; /* overwrites an input: once begun it must not be interrupted */
    int64_t fp_mask; /* floating-point conditions to report (GX_FP_*), 0: none */
} gx_tape;

/* Floating-point conditions a tape met, NumPy's four warnings. */
enum {
    GX_FP_DIVIDE = 1,
    GX_FP_OVERFLOW = 2,
    GX_FP_UNDERFLOW = 4,
    GX_FP_INVALID = 8,
    GX_FP_INTDIV = 16,
    GX_FP_INDEX = 32 /* an index out of range */
};

/* Text of a tape, one step a line, without addresses: for golden tests and GX_TRACE=tape. */
GX_CHECK bool gx_tape_text(const gx_tape *t, gx_buf *out);
/* Checks every index, dtype and extent of a tape; a broken one is RuntimeError [tape.broken]. */
GX_CHECK bool gx_tape_verify(gx_rt *rt, const gx_tape *t);

#endif
