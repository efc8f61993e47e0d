/* Unit tests of storages and values: who holds what, when a buffer is taken over, what is computed
   and what is not, and that nothing leaks. */
#include <criterion/criterion.h>
#include <string.h>

#include "interp/eval/interp.h"
#include "runtime/array/shape.h"
#include "runtime/graph/lazy.h"
#include "runtime/op/ufunc.h"

enum { N = 10000 };

static gx_rt *open_rt(void) {
    gx_rt *rt = gx_interp_open();
    cr_assert_not_null(rt);
    rt->debug.eager = rt->debug.nofuse = false;
    rt->debug.small = true;
    rt->debug.verify = true;
    return rt;
}

static void close_rt(gx_rt *rt) {
    gx_error_clear(rt);
    cr_assert_eq(rt->stats.array_bytes, 0, "%ld bytes of arrays leak", (long)rt->stats.array_bytes);
    cr_assert_eq(gx_interp_close(rt, 0), 0);
}

/* 0.0, 1.0, … ready in a buffer of its own. */
static gx_array *ready(gx_rt *rt, int64_t n) {
    gx_array *a;
    char *data;
    cr_assert(gx_array_empty(rt, GX_f64, 1, &n, GX_NS_GX, &a));
    cr_assert(gx_array_write(rt, a, &data));
    for (int64_t i = 0; i < n; i++) ((double *)(void *)data)[i] = (double)i;
    return a;
}

static gx_value value_of(gx_array *a) {
    return (gx_value){.tag = GX_ARRAY, .obj = &a->obj};
}

/* a op number, as a new array. */
static gx_array *with(gx_rt *rt, gx_opcode op, gx_array *a, double number) {
    gx_value v;
    cr_assert(gx_op2(rt, op, value_of(a), gx_float(number), &v));
    return gx_as_array(v);
}

static gx_array *slice(gx_rt *rt, gx_array *a, int64_t start, int64_t count, int64_t step) {
    gx_array *v;
    int64_t stride = step * gx_strides(a)[0];
    int64_t at = a->offset + start * gx_strides(a)[0];
    cr_assert(gx_array_view(rt, a, (gx_dtype)a->dtype, 1, &count, &stride, at, &v));
    return v;
}

static double at(gx_rt *rt, gx_array *a, int64_t i) {
    gx_scalar s;
    cr_assert(gx_array_item_at(rt, a, i, &s));
    return s.f64;
}

static bool pending(const gx_array *a) {
    return a->storage->data->kind != GX_DATA_READY;
}

Test(lazy, a_chain_is_one_loop_over_one_buffer) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *b = with(rt, GX_OP_multiply, a, 2), *c = with(rt, GX_OP_add, b, 1);
    gx_array_drop(b);
    int64_t kernels = rt->stats.kernels, bytes = rt->stats.array_bytes;
    cr_assert(pending(c));
    cr_assert_eq(at(rt, c, 5), 11);
    cr_assert_eq(rt->stats.kernels, kernels + 1);
    cr_assert_leq(rt->stats.array_bytes - bytes, N * 8 + 4096);
    cr_assert_eq(at(rt, c, N - 1), 2 * (N - 1) + 1);
    cr_assert_eq(rt->stats.kernels, kernels + 1);
    gx_array_drop(a);
    gx_array_drop(c);
    close_rt(rt);
}

Test(lazy, a_variable_on_the_way_is_kept_by_the_same_loop) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *b = with(rt, GX_OP_multiply, a, 2), *c = with(rt, GX_OP_add, b, 1);
    int64_t kernels = rt->stats.kernels;
    cr_assert_eq(at(rt, c, 5), 11);
    cr_assert_eq(at(rt, b, 5), 10);
    cr_assert_not(pending(b));
    cr_assert_eq(rt->stats.kernels, kernels + 1);
    gx_array_drop(a);
    gx_array_drop(b);
    gx_array_drop(c);
    close_rt(rt);
}

Test(lazy, readers_keep_what_they_captured) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *v = slice(rt, a, N - 1, N, -1);
    gx_array *old = with(rt, GX_OP_add, v, 0.5), *twice = with(rt, GX_OP_multiply, a, 2);
    gx_scalar seven = {.f64 = 7};
    gx_array *part = slice(rt, a, 10, 3, 1);
    cr_assert(gx_array_fill(rt, part, &seven));
    cr_assert(gx_array_store(rt, a, twice));
    cr_assert(gx_array_fill(rt, part, &seven));
    cr_assert_eq(at(rt, old, N - 1 - 11), 11.5);
    cr_assert_eq(at(rt, v, N - 1 - 11), 7);
    cr_assert_eq(at(rt, twice, 11), 22);
    cr_assert_eq(at(rt, a, 9), 18);
    gx_array_drop(part);
    gx_array_drop(twice);
    gx_array_drop(old);
    gx_array_drop(v);
    gx_array_drop(a);
    close_rt(rt);
}

Test(lazy, a_chain_in_place_takes_its_own_buffer) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *view = slice(rt, a, 0, N, 1);
    gx_value r;
    cr_assert(gx_storage_force(rt, a->storage));
    const char *before = gx_data_bytes(a->storage->data);
    int64_t kernels = rt->stats.kernels;
    rt->stats.array_peak = rt->stats.array_bytes;
    int64_t bytes = rt->stats.array_bytes;
    cr_assert(rt->ops->inplace(rt, GX_MUL, gx_array_value(a), gx_float(5), &r) == GX_TRY_YES);
    gx_drop(r);
    cr_assert(rt->ops->inplace(rt, GX_MUL, gx_array_value(a), value_of(a), &r) == GX_TRY_YES);
    gx_drop(r);
    cr_assert(rt->ops->inplace(rt, GX_ADD, gx_array_value(a), value_of(a), &r) == GX_TRY_YES);
    gx_drop(r);
    cr_assert(pending(a));
    cr_assert_eq(at(rt, view, 3), 450);
    cr_assert_eq(rt->stats.kernels, kernels + 1);
    cr_assert_eq(gx_data_bytes(a->storage->data), before);
    cr_assert_eq(rt->stats.array_peak, bytes);
    gx_array_drop(view);
    gx_array_drop(a);
    close_rt(rt);
}

Test(lazy, a_buffer_that_somebody_holds_is_not_taken) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *later = with(rt, GX_OP_add, a, 1);
    gx_value r;
    cr_assert(rt->ops->inplace(rt, GX_MUL, gx_array_value(a), gx_float(5), &r) == GX_TRY_YES);
    gx_drop(r);
    cr_assert_eq(at(rt, a, 3), 15);
    cr_assert_eq(at(rt, later, 3), 4);
    gx_array *copy;
    cr_assert(gx_array_copy(rt, a, 'C', &copy));
    cr_assert_eq(copy->storage->data, a->storage->data); /* shared until one is stored into */
    cr_assert(rt->ops->inplace(rt, GX_ADD, gx_array_value(copy), gx_float(1), &r) == GX_TRY_YES);
    gx_drop(r);
    cr_assert_eq(at(rt, copy, 3), 16);
    cr_assert_eq(at(rt, a, 3), 15);
    gx_array_drop(copy);
    gx_array_drop(later);
    gx_array_drop(a);
    close_rt(rt);
}

Test(lazy, stores_into_part_of_a_buffer_happen_in_it) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *low = slice(rt, a, 0, N - 1, 1), *high = slice(rt, a, 1, N - 1, 1);
    const char *before = gx_data_bytes(a->storage->data);
    gx_scalar s = {.f64 = 3};
    cr_assert(gx_array_fill(rt, high, &s));
    cr_assert_eq(gx_data_bytes(a->storage->data), before);
    cr_assert(gx_array_store(rt, low, high)); /* reads where it writes: through a temporary */
    cr_assert_eq(at(rt, a, 0), 3);
    cr_assert_eq(gx_data_bytes(a->storage->data), before);
    int64_t kernels = rt->stats.kernels;
    cr_assert(gx_array_store(rt, low, low)); /* nothing to do */
    cr_assert_eq(rt->stats.kernels, kernels);
    gx_array_drop(high);
    gx_array_drop(low);
    gx_array_drop(a);
    close_rt(rt);
}

Test(lazy, sources_take_no_memory_until_looked_at) {
    gx_rt *rt = open_rt();
    gx_array *z;
    gx_scalar zero = {.f64 = 0};
    int64_t n = gx_engine_of(rt)->ram / 4; /* twice the memory of this machine */
    cr_assert(gx_array_full(rt, GX_f64, 1, &n, GX_NS_GX, &zero, &z));
    gx_array *some = slice(rt, z, n - 10, 10, 1);
    cr_assert_eq(at(rt, some, 9), 0);
    cr_assert(pending(z));
    cr_assert_eq(rt->stats.array_bytes, 0);
    gx_array_drop(some);
    gx_array_drop(z);
    n = gx_engine_of(rt)->ram;
    int64_t shape[2] = {9, n / 8 + 1};
    cr_assert_not(gx_array_full(rt, GX_f64, 2, shape, GX_NS_GX, &zero, &z));
    cr_assert_eq(rt->error.kind, GX_MemoryError);
    close_rt(rt);
}

Test(lazy, long_chains_are_computed_on_the_way) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N);
    int64_t live = rt->stats.live_blocks;
    for (int i = 0; i < 5000; i++) {
        gx_array *b = with(rt, GX_OP_add, a, 1);
        gx_array_drop(a);
        a = b;
        cr_assert_leq(a->storage->data->nodes, 300);
    }
    cr_assert_leq(rt->stats.live_blocks - live, 2000);
    cr_assert_leq(rt->stats.array_peak, 4 * (N * 8 + 4096));
    cr_assert_eq(at(rt, a, 1), 5001);
    gx_array_drop(a);
    close_rt(rt);
}

Test(lazy, a_condition_that_is_an_error_loses_nothing) {
    gx_rt *rt = open_rt();
    gx_array *a = ready(rt, N), *b = with(rt, GX_OP_add, a, 1);
    gx_array_drop(a);
    gx_array *c = with(rt, GX_OP_multiply, b, 2);
    gx_array_drop(b);
    cr_assert(gx_lazy_flush(rt));
    cr_assert_not(pending(c));
    cr_assert_eq(at(rt, c, 4), 10);
    gx_array_drop(c);
    close_rt(rt);
}
