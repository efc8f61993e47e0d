/* Copies of matrices between layouts, whole or a triangle of them, and identities: what the
   libraries' column order asks for. Each is a tape of a few steps. */
#include "runtime/backend/gpu/gpu_int.h"

static gx_leaf counter(int64_t row, int64_t col) {
    gx_leaf l = {.kind = GX_LEAF_IOTA, .dtype = GX_i64};
    l.step.i64 = 1;
    l.strides[0] = row;
    l.strides[1] = col;
    return l;
}

/* Steps after the load at step 0: the element where (row, col) is in the part, else 0. */
static void choose(gx_tape *t, gx_dtype d, gx_gpu_part part) {
    gx_opcode op = part == GX_PART_UPPER   ? GX_OP_less_equal
                   : part == GX_PART_LOWER ? GX_OP_greater_equal
                                           : GX_OP_equal;
    t->leaf[1] = counter(1, 0);
    t->leaf[2] = counter(0, 1);
    t->n_leaf = 3;
    t->n_imm = 1; /* cleared: 0 of any dtype */
    t->step[1] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_i64, .arg = 1};
    t->step[2] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_i64, .arg = 2};
    t->step[3] = (gx_step){.kind = GX_STEP_OP,
                           .dtype = GX_bool,
                           .compute = GX_i64,
                           .arg = (uint16_t)op,
                           .a = 1,
                           .b = 2};
    t->step[4] = (gx_step){.kind = GX_STEP_CONST, .dtype = (uint8_t)d, .arg = 0};
    t->step[5] = (gx_step){.kind = GX_STEP_OP,
                           .dtype = (uint8_t)d,
                           .compute = (uint8_t)d,
                           .arg = GX_OP_where,
                           .a = 3,
                           .b = 0,
                           .c = 4};
    t->n_step = 6;
    t->out[0].step = 5;
}

/* The conjugate of the element at step 0. */
static void conjugate(gx_tape *t, gx_dtype d) {
    t->step[1] = (gx_step){.kind = GX_STEP_OP,
                           .dtype = (uint8_t)d,
                           .compute = (uint8_t)d,
                           .arg = GX_OP_conjugate,
                           .a = 0};
    t->n_step = 2;
    t->out[0].step = 1;
}

/* The identity: 1 where row and column are equal, made from integers. */
static void make_unit(gx_tape *t, gx_dtype d) {
    t->leaf[0] = counter(1, 0);
    t->leaf[1] = counter(0, 1);
    t->n_leaf = 2;
    t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_i64, .arg = 0};
    t->step[1] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_i64, .arg = 1};
    t->step[2] = (gx_step){.kind = GX_STEP_OP,
                           .dtype = GX_bool,
                           .compute = GX_i64,
                           .arg = GX_OP_equal,
                           .a = 0,
                           .b = 1};
    t->step[3] = (gx_step){.kind = GX_STEP_CAST, .dtype = (uint8_t)d, .compute = GX_bool, .a = 2};
    t->n_step = 4;
    t->out[0].step = 3;
}

bool gx_gpu_copy_matrix(gx_gpu *g, gx_dtype d, gx_gpu_part part, int64_t rows, int64_t cols,
                         const char *from, int64_t from_row, int64_t from_col, char *to,
                         int64_t to_row, int64_t to_col) {
    int64_t item = gx_dtypes[d].bytes;
    gx_rt *rt = g->base.rt;
    gx_tape *t = gx_alloc_zero(rt, sizeof *t);
    if (!t) return false;
    gx_buffer source = {.device = &g->base,
                        .refs = 1,
                        .bytes = INT64_MAX / 4,
                        .room = INT64_MAX / 4},
              target = source;
    source.data = (char *)(uintptr_t)from; /* addresses of the device: never read here */
    target.data = to;
    t->ndim = 2;
    t->n_out = 1;
    t->shape[0] = rows;
    t->shape[1] = cols;
    if (part == GX_PART_UNIT) {
        make_unit(t, d);
    } else {
        t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)d, .buf = &source};
        t->leaf[0].strides[0] = from_row * item;
        t->leaf[0].strides[1] = from_col * item;
        t->step[0] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)d};
        t->n_leaf = t->n_step = 1;
        if (part == GX_PART_CONJUGATE)
            conjugate(t, d);
        else if (part != GX_PART_ALL)
            choose(t, d, part);
    }
    t->out[0].buf = &target;
    t->out[0].strides[0] = to_row * item;
    t->out[0].strides[1] = to_col * item;
    int fp = 0;
    bool ok = gx_gpu_run(&g->base, t, &fp);
    gx_free(rt, t);
    return ok;
}
