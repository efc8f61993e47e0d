/* Unit tests of tapes: collapsing of dims, verification of broken ones, text. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "interp/eval/interp.h"
#include "runtime/graph/lazy.h"

/* out = a + b over a shape, with strides of the three. */
static gx_tape *sum_tape(int ndim, const int64_t *shape, const int64_t *a, const int64_t *b,
                         const int64_t *o, gx_buffer *buffer) {
    gx_tape *t = calloc(1, sizeof *t);
    t->ndim = ndim;
    t->n_leaf = 2;
    t->n_step = 3;
    t->n_out = 1;
    for (int i = 0; i < ndim; i++) {
        t->shape[i] = shape[i];
        t->leaf[0].strides[i] = a[i];
        t->leaf[1].strides[i] = b[i];
        t->out[0].strides[i] = o[i];
    }
    for (int k = 0; k < 2; k++) {
        t->leaf[k].dtype = GX_f64;
        t->leaf[k].buf = buffer;
        t->step[k] = (gx_step){.kind = GX_STEP_LOAD, .dtype = GX_f64, .arg = (uint16_t)k};
    }
    t->step[2] = (gx_step){
        .kind = GX_STEP_OP, .dtype = GX_f64, .compute = GX_f64, .arg = GX_OP_add, .a = 0, .b = 1};
    t->out[0].step = 2;
    t->out[0].buf = buffer;
    return t;
}

static void check_shape(const gx_tape *t, int ndim, const int64_t *shape) {
    cr_assert_eq(t->ndim, ndim, "%d dims", t->ndim);
    for (int i = 0; i < ndim; i++) cr_assert_eq(t->shape[i], shape[i], "dim %d", i);
}

Test(tape, contiguous_dims_collapse_to_one) {
    int64_t s[3] = {96, 32, 8};
    gx_tape *t = sum_tape(3, (int64_t[]){2, 3, 4}, s, s, s, NULL);
    gx_tape_collapse(t);
    check_shape(t, 1, (int64_t[]){24});
    cr_assert(t->leaf[1].strides[0] == 8 && t->out[0].strides[0] == 8);
    free(t);
}

Test(tape, a_broadcast_or_transposed_leaf_keeps_dims_apart) {
    int64_t s[3] = {96, 32, 8};
    gx_tape *t = sum_tape(3, (int64_t[]){2, 3, 4}, s, (int64_t[]){0, 0, 8}, s, NULL);
    gx_tape_collapse(t);
    check_shape(t, 2, (int64_t[]){6, 4});
    free(t);
    t = sum_tape(2, (int64_t[]){3, 4}, (int64_t[]){32, 8}, (int64_t[]){8, 24}, (int64_t[]){32, 8},
                 NULL);
    gx_tape_collapse(t);
    check_shape(t, 2, (int64_t[]){3, 4});
    free(t);
    t = sum_tape(2, (int64_t[]){3, 4}, (int64_t[]){0, 0}, (int64_t[]){-32, -8}, (int64_t[]){32, 8},
                 NULL);
    gx_tape_collapse(t);
    check_shape(t, 1, (int64_t[]){12});
    cr_assert(t->leaf[0].strides[0] == 0 && t->leaf[1].strides[0] == -8);
    free(t);
}

Test(tape, dims_of_size_one_go) {
    gx_tape *t = sum_tape(3, (int64_t[]){1, 5, 1}, (int64_t[]){1, 16, 7}, (int64_t[]){3, 8, 9},
                          (int64_t[]){5, 8, 2}, NULL);
    gx_tape_collapse(t);
    check_shape(t, 1, (int64_t[]){5});
    cr_assert(t->leaf[0].strides[0] == 16 && t->leaf[1].strides[0] == 8);
    free(t);
    t = sum_tape(2, (int64_t[]){1, 1}, (int64_t[]){1, 1}, (int64_t[]){1, 1}, (int64_t[]){1, 1},
                 NULL);
    gx_tape_collapse(t);
    check_shape(t, 0, NULL);
    free(t);
}

Test(tape, kept_and_reduced_dims_never_merge) {
    int64_t s[4] = {192, 64, 32, 8};
    gx_tape *t = sum_tape(4, (int64_t[]){2, 3, 2, 4}, s, s, (int64_t[]){24, 8, 0, 0}, NULL);
    t->reduced = 2;
    t->has_red = true;
    t->red = GX_RED_sum;
    t->acc = t->red_dtype = GX_f64;
    gx_tape_collapse(t);
    check_shape(t, 2, (int64_t[]){6, 8});
    cr_assert_eq(t->reduced, 1);
    cr_assert_eq(t->out[0].strides[0], 8);
    free(t);
}

static bool verifies(gx_rt *rt, const gx_tape *t) {
    bool ok = gx_tape_verify(rt, t);
    if (!ok) cr_assert_eq(rt->error.kind, GX_RuntimeError);
    gx_error_clear(rt);
    return ok;
}

Test(tape, broken_tapes_are_found) {
    gx_rt *rt = gx_interp_open();
    gx_buffer *b;
    cr_assert(gx_buffer_new(rt, 24 * 8, &b));
    int64_t s[2] = {32, 8}, shape[2] = {6, 4};
    gx_tape *good = sum_tape(2, shape, s, s, s, b), *t = malloc(sizeof *t);
    cr_assert(verifies(rt, good));
#define BROKEN(...)                                                                                \
    do {                                                                                           \
        memcpy(t, good, sizeof *t);                                                                \
        __VA_ARGS__;                                                                               \
        cr_assert_not(verifies(rt, t));                                                            \
    } while (0)
    BROKEN(t->step[2].a = 2);
    BROKEN(t->step[2].arg = GX_OP_COUNT);
    BROKEN(t->step[2].arg = GX_OP_bitwise_and);
    BROKEN(t->step[2].compute = GX_f32);
    BROKEN(t->step[0].arg = 2);
    BROKEN(t->step[0].dtype = GX_i64);
    BROKEN(t->step[1].kind = 77);
    BROKEN(t->out[0].step = 3);
    BROKEN(t->n_out = 0);
    BROKEN(t->shape[0] = 7);
    BROKEN(t->shape[1] = -1);
    BROKEN(t->leaf[0].offset = 8);
    BROKEN(t->leaf[1].strides[0] = -32);
    BROKEN(t->out[0].offset = -8);
    BROKEN(t->out[0].buf = NULL);
    BROKEN(t->reduced = 3);
    memcpy(t, good, sizeof *t);
    t->shape[0] = 0; /* nothing is touched */
    t->leaf[0].offset = 1000;
    cr_assert(verifies(rt, t));
    free(t);
    free(good);
    gx_buffer_drop(b);
    cr_assert_eq(gx_interp_close(rt, 0), 0);
}

Test(tape, text) {
    gx_rt *rt = gx_interp_open();
    int64_t s[2] = {32, 8};
    gx_tape *t = sum_tape(2, (int64_t[]){3, 4}, s, (int64_t[]){0, 8}, s, NULL);
    t->leaf[1].offset = 16;
    gx_buf text = gx_buf_new(rt);
    cr_assert(gx_tape_text(t, &text));
    cr_assert_str_eq(gx_buf_text(&text), "tape (3, 4)\n"
                                         "  leaf 0: buffer float64 strides (32, 8)\n"
                                         "  leaf 1: buffer float64 at 16 strides (0, 8)\n"
                                         "  v0: float64 = leaf 0\n"
                                         "  v1: float64 = leaf 1\n"
                                         "  v2: float64 = add v0 v1\n"
                                         "  out float64 = v2 strides (32, 8)\n");
    gx_buf_free(&text);
    free(t);
    cr_assert_eq(gx_interp_close(rt, 0), 0);
}
