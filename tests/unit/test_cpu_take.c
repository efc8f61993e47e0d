/* Unit tests of gather, scatter and nonzero on the CPU. */
#include "tests/unit/cpu_tape_int.h"

static gx_leaf leaf_of(gx_buffer *buf, int64_t offset, int64_t s0, int64_t s1) {
    gx_leaf l = {.kind = GX_LEAF_BUFFER, .buf = buf, .offset = offset};
    l.strides[0] = s0;
    l.strides[1] = s1;
    return l;
}

/* out[i, j] = a[index[i], j] and back, for every size of element. */
static void check_rows(int item, int64_t n, int64_t m) {
    enum { ROWS = 50 };
    bench b = bench_open(0, 2);
    gx_buffer *a = new_buffer(&b, ROWS * m * item), *index = new_buffer(&b, n * 8);
    gx_buffer *out = new_buffer(&b, n * m * item), *back = new_buffer(&b, ROWS * m * item);
    uint64_t seed = 1;
    int64_t *at = (int64_t *)(void *)index->data;
    for (int64_t i = 0; i < ROWS * m * item; i++) a->data[i] = (char)next_random(&seed);
    for (int64_t i = 0; i < n; i++) at[i] = next_random(&seed) % ROWS;
    memset(back->data, 0, (size_t)(ROWS * m * item));
    gx_take *t = calloc(1, sizeof *t);
    t->ndim = 2;
    t->shape[0] = n;
    t->shape[1] = m;
    t->item = item;
    t->array = leaf_of(a, 0, 0, item);
    t->n_index = 1;
    t->index[0] = leaf_of(index, 0, 8, 0);
    t->scale[0] = m * item;
    t->other = leaf_of(out, 0, m * item, item);
    cr_assert(gx_cpu_backend.gather(b.device, t));
    for (int64_t i = 0; i < n; i++)
        cr_assert_eq(
            memcmp(out->data + i * m * item, a->data + at[i] * m * item, (size_t)(m * item)), 0);
    t->array = leaf_of(back, 0, 0, item);
    cr_assert(gx_cpu_backend.scatter(b.device, t));
    for (int64_t i = 0; i < n; i++)
        cr_assert_eq(
            memcmp(back->data + at[i] * m * item, a->data + at[i] * m * item, (size_t)(m * item)),
            0);
    free(t);
    gx_buffer_drop(a);
    gx_buffer_drop(index);
    gx_buffer_drop(out);
    gx_buffer_drop(back);
    bench_close(&b);
}

Test(cpu_take, rows_of_every_item_size) {
    for (int item = 1; item <= 16; item *= 2) {
        check_rows(item, 1000, 1);
        check_rows(item, 100000, 1);
        check_rows(item, 300, 33);
        check_rows(item, 0, 5);
    }
}

/* out[i] = a[p[i], q[i]]: two index arrays, one of them reversed. */
Test(cpu_take, two_index_arrays) {
    bench b = bench_open(0, 1);
    enum { N = 100, M = 7 };
    gx_buffer *a = new_buffer(&b, N * M * 4), *p = new_buffer(&b, N * 8),
              *q = new_buffer(&b, N * 8);
    gx_buffer *out = new_buffer(&b, N * 4);
    int32_t *da = (int32_t *)(void *)a->data;
    int64_t *dp = (int64_t *)(void *)p->data, *dq = (int64_t *)(void *)q->data;
    for (int i = 0; i < N * M; i++) da[i] = i;
    for (int i = 0; i < N; i++) {
        dp[i] = i * 37 % N;
        dq[i] = i % M;
    }
    gx_take *t = calloc(1, sizeof *t);
    t->ndim = 1;
    t->shape[0] = N;
    t->item = 4;
    t->array = leaf_of(a, 0, 0, 0);
    t->n_index = 2;
    t->index[0] = leaf_of(p, 0, 8, 0);
    t->index[1] = leaf_of(q, (N - 1) * 8, -8, 0);
    t->scale[0] = M * 4;
    t->scale[1] = 4;
    t->other = leaf_of(out, 0, 4, 0);
    cr_assert(gx_cpu_backend.gather(b.device, t));
    for (int i = 0; i < N; i++)
        cr_assert_eq(((int32_t *)(void *)out->data)[i], dp[i] * M + dq[N - 1 - i]);
    t->ndim = 0; /* one element */
    cr_assert(gx_cpu_backend.gather(b.device, t));
    cr_assert_eq(*(int32_t *)(void *)out->data, dq[N - 1]);
    free(t);
    gx_buffer_drop(a);
    gx_buffer_drop(p);
    gx_buffer_drop(q);
    gx_buffer_drop(out);
    bench_close(&b);
}

Test(cpu_take, the_last_of_several_values_wins) {
    bench b = bench_open(0, 4);
    enum { N = 200000 };
    gx_buffer *a = new_buffer(&b, 10 * 8), *index = new_buffer(&b, N * 8),
              *v = new_buffer(&b, N * 8);
    for (int64_t i = 0; i < N; i++) {
        ((int64_t *)(void *)index->data)[i] = i % 10;
        ((int64_t *)(void *)v->data)[i] = i;
    }
    gx_take *t = calloc(1, sizeof *t);
    t->ndim = 1;
    t->shape[0] = N;
    t->item = 8;
    t->array = leaf_of(a, 0, 0, 0);
    t->n_index = 1;
    t->index[0] = leaf_of(index, 0, 8, 0);
    t->scale[0] = 8;
    t->other = leaf_of(v, 0, 8, 0);
    cr_assert(gx_cpu_backend.scatter(b.device, t));
    for (int64_t i = 0; i < 10; i++) cr_assert_eq(((int64_t *)(void *)a->data)[i], N - 10 + i);
    free(t);
    gx_buffer_drop(a);
    gx_buffer_drop(index);
    gx_buffer_drop(v);
    bench_close(&b);
}

Test(cpu_take, nonzero_of_all_densities) {
    for (uint32_t density = 0; density <= 4; density++) {
        bench b = bench_open(0, 2);
        enum { N = 500001 };
        gx_buffer *mask = new_buffer(&b, N + 3), *out;
        uint64_t seed = density;
        for (int i = 0; i < N + 3; i++) mask->data[i] = next_random(&seed) % 4 < density;
        int64_t count;
        cr_assert(gx_cpu_backend.nonzero(b.device, mask, 3, N, &out, &count));
        int64_t k = 0;
        for (int64_t i = 0; i < N; i++)
            if (mask->data[i + 3]) cr_assert_eq(((int64_t *)(void *)out->data)[k++], i);
        cr_assert_eq(k, count);
        gx_buffer_drop(mask);
        gx_buffer_drop(out);
        bench_close(&b);
    }
}
