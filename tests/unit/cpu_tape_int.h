/* Tapes by hand, for the unit tests of the CPU backend: a context with a device, buffers, and
   strided leaves and outputs over them. */
#ifndef GX_TESTS_CPU_TAPE_H
#define GX_TESTS_CPU_TAPE_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/backend.h"

typedef struct bench {
    gx_rt *rt;
    gx_device *device;
    gx_tape *tape;
} bench;

static inline bench bench_open(int64_t block, int threads) {
    bench b = {.rt = gx_rt_new()};
    cr_assert_not_null(b.rt);
    b.rt->debug.block = block;
    b.rt->debug.threads = threads;
    cr_assert(gx_cpu_backend.open(b.rt, &b.device));
    b.tape = calloc(1, sizeof *b.tape);
    return b;
}

static inline void bench_close(bench *b) {
    cr_assert_eq(b->device->live_bytes, 0, "%ld bytes of buffers leak",
                 (long)b->device->live_bytes);
    gx_cpu_backend.close(b->device);
    gx_error_clear(b->rt);
    gx_sources_free(b->rt);
    gx_symtab_free(b->rt);
    cr_assert_eq(b->rt->stats.live_blocks, 0, "%ld blocks leak", (long)b->rt->stats.live_blocks);
    gx_rt_free(b->rt);
    free(b->tape);
}

static inline gx_buffer *new_buffer(bench *b, int64_t bytes) {
    gx_buffer *out;
    cr_assert(gx_cpu_backend.alloc(b->device, bytes, &out));
    return out;
}

/* An empty tape over a space. */
static inline gx_tape *new_tape(bench *b, int ndim, const int64_t *shape) {
    gx_tape *t = b->tape;
    memset(t, 0, sizeof *t);
    t->ndim = ndim;
    for (int d = 0; d < ndim; d++) t->shape[d] = shape[d];
    return t;
}

/* A leaf with strides in elements; returns the step that loads it. */
static inline uint16_t add_leaf(gx_tape *t, gx_dtype dtype, gx_buffer *buf, int64_t offset,
                                const int64_t *strides) {
    gx_leaf *l = &t->leaf[t->n_leaf];
    int item = gx_dtypes[dtype].bytes;
    l->kind = GX_LEAF_BUFFER;
    l->dtype = (uint8_t)dtype;
    l->buf = buf;
    l->offset = offset * item;
    for (int d = 0; d < t->ndim; d++) l->strides[d] = strides[d] * item;
    t->step[t->n_step] = (gx_step){.kind = GX_STEP_LOAD, .dtype = (uint8_t)dtype,
                                   .compute = (uint8_t)dtype, .arg = (uint16_t)t->n_leaf};
    t->n_leaf++;
    return (uint16_t)t->n_step++;
}

static inline uint16_t add_const(gx_tape *t, gx_dtype dtype, gx_scalar value) {
    t->imm[t->n_imm] = value;
    t->step[t->n_step] = (gx_step){.kind = GX_STEP_CONST, .dtype = (uint8_t)dtype,
                                   .compute = (uint8_t)dtype, .arg = (uint16_t)t->n_imm};
    t->n_imm++;
    return (uint16_t)t->n_step++;
}

static inline uint16_t add_op(gx_tape *t, gx_opcode op, gx_dtype compute, gx_dtype dtype,
                              uint16_t a, uint16_t b, uint16_t c) {
    t->step[t->n_step] = (gx_step){.kind = GX_STEP_OP, .dtype = (uint8_t)dtype,
                                   .compute = (uint8_t)compute, .arg = (uint16_t)op,
                                   .a = a, .b = b, .c = c};
    return (uint16_t)t->n_step++;
}

static inline uint16_t add_cast(gx_tape *t, gx_dtype from, gx_dtype to, uint16_t a) {
    t->step[t->n_step] =
        (gx_step){.kind = GX_STEP_CAST, .dtype = (uint8_t)to, .compute = (uint8_t)from, .a = a};
    return (uint16_t)t->n_step++;
}

static inline void add_out(gx_tape *t, uint16_t step, gx_buffer *buf, int64_t offset,
                           const int64_t *strides) {
    gx_out *o = &t->out[t->n_out++];
    int item = gx_dtypes[t->step[step].dtype].bytes;
    o->step = step;
    o->buf = buf;
    o->offset = offset * item;
    for (int d = 0; d < t->ndim; d++) o->strides[d] = strides[d] * item;
}

static inline void set_reduction(gx_tape *t, int reduced, gx_redcode red, gx_dtype acc,
                                 gx_dtype result) {
    t->has_red = true;
    t->reduced = reduced;
    t->red = (uint8_t)red;
    t->acc = (uint8_t)acc;
    t->red_dtype = (uint8_t)result;
    int item = gx_dtypes[result].bytes, was = gx_dtypes[t->step[t->out[0].step].dtype].bytes;
    t->out[0].offset = t->out[0].offset / was * item;
    for (int d = 0; d < t->ndim; d++)
        t->out[0].strides[d] =
            d < t->ndim - reduced ? t->out[0].strides[d] / was * item : 0;
}

static inline void run_tape(bench *b) {
    int fp = 0;
    bool ok = gx_cpu_backend.run(b->device, b->tape, &fp);
    cr_assert(ok, "%s", b->rt->error.message ? b->rt->error.message : "failed");
}

/* C-contiguous strides in elements; the number of elements. */
static inline int64_t c_strides(int ndim, const int64_t *shape, int64_t *strides) {
    int64_t n = 1;
    for (int d = ndim - 1; d >= 0; d--) {
        strides[d] = n;
        n *= shape[d];
    }
    return n;
}

/* A small generator of its own, so that tests repeat. */
static inline uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33);
}

#endif
