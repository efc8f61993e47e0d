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
    t->item.n = item;
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

/* Where element (i, j, k) of a request is, by the definition in backend.h. */
static int64_t place_of(const gx_take *t, const gx_leaf *l, const int64_t *at, bool indexed) {
    int64_t to = l->offset;
    for (int d = 0; d < t->ndim; d++) to += at[d] * l->strides[d];
    for (int k = 0; k < t->n_index && indexed; k++) {
        int64_t from = t->index[k].offset, v;
        for (int d = 0; d < t->ndim; d++) from += at[d] * t->index[k].strides[d];
        memcpy(&v, t->index[k].buf->data + from, sizeof v);
        to += v * t->scale[k];
    }
    return to;
}

/* The request by a plain loop over its elements. */
static void plain_take(const gx_take *t, char *array, char *other, bool scatter) {
    size_t item = (size_t)t->item.n;
    for (int64_t i = 0; i < t->shape[0]; i++)
        for (int64_t j = 0; j < t->shape[1]; j++)
            for (int64_t k = 0; k < t->shape[2]; k++) {
                int64_t at[3] = {i, j, k};
                char *a = array + place_of(t, &t->array, at, true);
                char *o = other + place_of(t, &t->other, at, false);
                memcpy(scatter ? a : o, scatter ? o : a, item);
            }
}

/* Rows of `row` elements: an index along the first, the middle or both dims; the other side packed
   or spaced; the array with a hole behind each row. Both directions are compared with the loop, and
   every byte beside the elements with what it was. */
static void check_request(bench *b, int item, int64_t row, int form, bool spaced, bool holes) {
    enum { ROWS = 9, PARTS = 5, N = 13 };
    int64_t pitch = (row + holes) * item, gap = (row + spaced) * item;
    int64_t there = ROWS * PARTS * pitch, here = (int64_t)N * N * gap;
    gx_buffer *a = new_buffer(b, there), *o = new_buffer(b, here), *index = new_buffer(b, N * 8);
    char *seen = malloc((size_t)(there > here ? there : here));
    int64_t *at = (int64_t *)(void *)index->data;
    uint64_t seed = (uint64_t)(row * 100 + form);
    for (int64_t i = 0; i < there; i++) a->data[i] = (char)next_random(&seed);
    for (int64_t i = 0; i < here; i++) o->data[i] = (char)next_random(&seed);
    for (int i = 0; i < N; i++) at[i] = next_random(&seed) % PARTS;
    gx_take *t = calloc(1, sizeof *t);
    t->ndim = 3;
    t->item.n = item;
    t->shape[0] = form == 1 ? ROWS : N;
    t->shape[1] = form == 0 ? PARTS : form == 1 ? N : 3;
    t->shape[2] = row;
    t->n_index = form == 2 ? 2 : 1;
    t->array = leaf_of(a, 0, form == 1 ? PARTS * pitch : 0, form == 0 ? pitch : 0);
    t->array.strides[2] = item;
    t->index[0] = leaf_of(index, 0, form == 1 ? 0 : 8, form == 1 ? 8 : 0);
    t->index[1] = leaf_of(index, (N - 1) * 8, -8, 0);
    t->scale[0] = form == 1 ? pitch : PARTS * pitch;
    t->scale[1] = pitch;
    t->other = leaf_of(o, 0, t->shape[1] * gap, gap);
    t->other.strides[2] = item;
    if (form == 3) { /* one index for each run of rows */
        t->shape[0] = 3;
        t->array.strides[1] = pitch;
        t->other.strides[0] = 3 * gap;
    }
    memcpy(seen, o->data, (size_t)here);
    plain_take(t, a->data, seen, false);
    cr_assert(gx_cpu_backend.gather(b->device, t));
    cr_assert_eq(memcmp(seen, o->data, (size_t)here), 0, "gather: %d bytes, row %d, form %d", item,
                 (int)row, form);
    for (int64_t i = 0; i < here; i++) o->data[i] = (char)next_random(&seed);
    memcpy(seen, a->data, (size_t)there);
    plain_take(t, seen, o->data, true);
    cr_assert(gx_cpu_backend.scatter(b->device, t));
    cr_assert_eq(memcmp(seen, a->data, (size_t)there), 0, "scatter: %d bytes, row %d, form %d",
                 item, (int)row, form);
    free(seen);
    free(t);
    gx_buffer_drop(a);
    gx_buffer_drop(o);
    gx_buffer_drop(index);
}

Test(cpu_take, rows_of_every_number_of_bytes) {
    bench b = bench_open(0, 2);
    for (int item = 1; item <= 16; item *= 2)
        for (int64_t row = 1; row * item <= 66; row++)
            for (int form = 0; form < 4; form++)
                for (int sides = 0; sides < 4; sides++)
                    check_request(&b, item, row, form, sides & 1, sides & 2);
    bench_close(&b);
}

Test(cpu_take, rows_of_every_item_size) {
    for (int item = 1; item <= 16; item *= 2) {
        check_rows(item, 1000, 1);
        check_rows(item, 1000, 3);
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
    t->item.n = 4;
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
    t->item.n = 8;
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
