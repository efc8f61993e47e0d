/* Unit tests of the CPU backend's evaluator: random layouts against element-by-element results,
   for many block sizes and thread counts. */
#include "tests/unit/cpu_tape_int.h"

#include <math.h>

enum { POOL = 1 << 16 };

/* A random layout of a shape inside POOL elements: permuted, sliced, reversed or broadcast. */
static int64_t random_layout(uint64_t *seed, int ndim, const int64_t *shape, bool out,
                             int64_t *strides) {
    int order[8];
    int64_t step = 1, offset = 0;
    for (int d = 0; d < ndim; d++) order[d] = d;
    for (int d = ndim - 1; d > 0 && next_random(seed) % 2; d--) {
        int e = (int)(next_random(seed) % (uint32_t)(d + 1)), x = order[d];
        order[d] = order[e];
        order[e] = x;
    }
    for (int k = ndim - 1; k >= 0; k--) {
        int d = order[k];
        uint32_t choice = next_random(seed) % 8;
        int64_t by = choice == 1 ? 2 : 1;
        strides[d] = step * by;
        if (choice == 2) {
            strides[d] = -step;
            offset += step * (shape[d] - 1);
        } else if (choice == 3 && !out) {
            strides[d] = 0;
            continue;
        }
        step *= shape[d] * by;
    }
    cr_assert_leq(step, POOL);
    return offset;
}

static int64_t position(int ndim, const int64_t *idx, const int64_t *strides, int64_t offset) {
    for (int d = 0; d < ndim; d++) offset += idx[d] * strides[d];
    return offset;
}

static bool advance(int ndim, const int64_t *shape, int64_t *idx) {
    for (int d = ndim - 1; d >= 0; d--) {
        if (++idx[d] < shape[d]) return true;
        idx[d] = 0;
    }
    return false;
}

typedef struct sample {
    int ndim;
    int64_t shape[4], sa[4], sb[4], so[4], oa, ob, oo;
} sample;

static sample random_sample(uint64_t *seed) {
    static const int64_t extents[] = {1, 2, 3, 5, 8, 13, 40, 70};
    sample s = {.ndim = 1 + (int)(next_random(seed) % 4)};
    int64_t n = 1;
    for (int d = 0; d < s.ndim; d++) {
        s.shape[d] = extents[next_random(seed) % 8];
        while (s.shape[d] > 1 && n * s.shape[d] * 16 > POOL) s.shape[d] = (s.shape[d] + 1) / 2;
        if (s.ndim == 1 && next_random(seed) % 2) s.shape[d] = 1 + next_random(seed) % 8000;
        n *= s.shape[d] * 2;
    }
    s.oa = random_layout(seed, s.ndim, s.shape, false, s.sa);
    s.ob = random_layout(seed, s.ndim, s.shape, false, s.sb);
    s.oo = random_layout(seed, s.ndim, s.shape, true, s.so);
    return s;
}

static void fill(gx_buffer *b, uint64_t *seed) {
    double *x = (double *)(void *)b->data;
    for (int64_t i = 0; i < POOL; i++) x[i] = (double)(next_random(seed) % 1000) / 8 + 1;
}

/* (a + b) * a with two outputs: the sum too. */
static void check_map(bench *b, gx_buffer **buf, uint64_t *seed) {
    sample s = random_sample(seed);
    gx_tape *t = new_tape(b, s.ndim, s.shape);
    uint16_t x = add_leaf(t, GX_f64, buf[0], s.oa, s.sa);
    uint16_t y = add_leaf(t, GX_f64, buf[1], s.ob, s.sb);
    uint16_t sum = add_op(t, GX_OP_add, GX_f64, GX_f64, x, y, 0);
    uint16_t product = add_op(t, GX_OP_multiply, GX_f64, GX_f64, sum, x, 0);
    int64_t plain[4];
    c_strides(s.ndim, s.shape, plain);
    add_out(t, product, buf[2], s.oo, s.so);
    add_out(t, sum, buf[3], 0, plain);
    run_tape(b);
    const double *da = (double *)(void *)buf[0]->data, *db = (double *)(void *)buf[1]->data;
    const double *out = (double *)(void *)buf[2]->data, *sums = (double *)(void *)buf[3]->data;
    int64_t idx[4] = {0}, at = 0;
    do {
        double p = da[position(s.ndim, idx, s.sa, s.oa)], q = db[position(s.ndim, idx, s.sb, s.ob)];
        cr_assert_eq(sums[at], p + q);
        cr_assert_eq(out[position(s.ndim, idx, s.so, s.oo)], (p + q) * p);
        at++;
    } while (advance(s.ndim, s.shape, idx));
}

Test(cpu_run, maps_of_random_layouts) {
    static const int64_t blocks[] = {0, 3, 1, 100};
    for (int k = 0; k < 4; k++) {
        bench b = bench_open(blocks[k], 1 + k % 3);
        gx_buffer *buf[4];
        uint64_t seed = 11 + (uint64_t)k;
        for (int i = 0; i < 4; i++) buf[i] = new_buffer(&b, POOL * 8);
        fill(buf[0], &seed);
        fill(buf[1], &seed);
        for (int i = 0; i < 1500; i++) check_map(&b, buf, &seed);
        for (int i = 0; i < 4; i++) gx_buffer_drop(buf[i]);
        bench_close(&b);
    }
}

/* Sums and argmax of a + b over random trailing dims, into a random layout. */
static void check_reduction(bench *b, gx_buffer **buf, uint64_t *seed, gx_redcode red) {
    sample s = random_sample(seed);
    gx_tape *t = new_tape(b, s.ndim, s.shape);
    int reduced = 1 + (int)(next_random(seed) % (uint32_t)s.ndim), kept = s.ndim - reduced;
    bool arg = red == GX_RED_argmax;
    uint16_t x = add_leaf(t, GX_f64, buf[0], s.oa, s.sa);
    uint16_t y = add_leaf(t, GX_f64, buf[1], s.ob, s.sb);
    uint16_t sum = add_op(t, GX_OP_add, GX_f64, GX_f64, x, y, 0);
    add_out(t, sum, buf[2], s.oo, s.so);
    set_reduction(t, reduced, red, GX_f64, arg ? GX_i64 : GX_f64);
    run_tape(b);
    const double *da = (double *)(void *)buf[0]->data, *db = (double *)(void *)buf[1]->data;
    int64_t idx[4] = {0};
    do {
        double total = 0, best = -1, least = 1e300;
        int64_t at = 0, where = 0;
        int64_t inner[4];
        memcpy(inner, idx, sizeof inner);
        do {
            double v = da[position(s.ndim, inner, s.sa, s.oa)] +
                       db[position(s.ndim, inner, s.sb, s.ob)];
            total += v;
            if (v > best) {
                best = v;
                where = at;
            }
            if (v < least) least = v;
            at++;
        } while (advance(reduced, s.shape + kept, inner + kept));
        const char *out = buf[2]->data + position(kept, idx, s.so, s.oo) * 8;
        double value;
        int64_t index;
        memcpy(&value, out, 8);
        memcpy(&index, out, 8);
        if (arg) cr_assert_eq(index, where);
        else cr_assert_eq(value, red == GX_RED_sum ? total : least); /* eighths: exact */
    } while (advance(kept, s.shape, idx));
}

Test(cpu_run, reductions_of_random_layouts) {
    static const gx_redcode reds[] = {GX_RED_sum, GX_RED_min, GX_RED_argmax};
    static const int64_t blocks[] = {0, 3, 1, 100};
    for (int k = 0; k < 4; k++) {
        bench b = bench_open(blocks[k], 1 + k % 3);
        gx_buffer *buf[3];
        uint64_t seed = 5 + (uint64_t)k;
        for (int i = 0; i < 3; i++) buf[i] = new_buffer(&b, POOL * 8);
        fill(buf[0], &seed);
        fill(buf[1], &seed);
        for (int i = 0; i < 1500; i++) check_reduction(&b, buf, &seed, reds[i % 3]);
        for (int i = 0; i < 3; i++) gx_buffer_drop(buf[i]);
        bench_close(&b);
    }
}

/* The bits of a large float32 sum, all or by an axis, for one setting. */
static uint32_t sum_bits(int64_t block, int threads, int64_t rows, int64_t cols, int axis) {
    bench b = bench_open(block, threads);
    int64_t n = rows * cols, shape[2] = {rows, cols}, strides[2] = {cols, 1}, kept[2] = {1, 0};
    gx_buffer *in = new_buffer(&b, n * 4), *out = new_buffer(&b, (rows + cols) * 4);
    uint64_t seed = 3;
    for (int64_t i = 0; i < n; i++)
        ((float *)(void *)in->data)[i] = (float)next_random(&seed) / 1e6F;
    if (axis == 0) { /* kept dims lead */
        shape[0] = cols;
        shape[1] = rows;
        strides[0] = 1;
        strides[1] = cols;
    }
    gx_tape *t = new_tape(&b, 2, shape);
    uint16_t x = add_leaf(t, GX_f32, in, 0, strides);
    add_out(t, x, out, 0, kept);
    set_reduction(t, axis < 0 ? 2 : 1, GX_RED_sum, GX_f32, GX_f32);
    run_tape(&b);
    uint32_t hash = 0, word;
    for (int64_t i = 0; i < (axis < 0 ? 1 : axis == 0 ? cols : rows); i++) {
        memcpy(&word, out->data + i * 4, 4);
        hash = hash * 31 + word;
    }
    gx_buffer_drop(in);
    gx_buffer_drop(out);
    bench_close(&b);
    return hash;
}

Test(cpu_run, sums_have_the_same_bits_for_all_threads_and_blocks) {
    static const int64_t shapes[][2] = {{1, 300000}, {700, 513}, {3, 200001}, {150001, 3}};
    for (int s = 0; s < 4; s++) {
        for (int axis = -1; axis < 2; axis++) {
            uint32_t one = sum_bits(0, 1, shapes[s][0], shapes[s][1], axis);
            cr_assert_eq(one, sum_bits(0, 3, shapes[s][0], shapes[s][1], axis));
            cr_assert_eq(one, sum_bits(3, 2, shapes[s][0], shapes[s][1], axis));
            cr_assert_eq(one, sum_bits(1000, 2, shapes[s][0], shapes[s][1], axis));
        }
    }
}

Test(cpu_run, outputs_may_be_inputs) {
    bench b = bench_open(0, 2);
    enum { N = 100000 };
    int64_t shape[1] = {N}, one[1] = {1};
    gx_buffer *x = new_buffer(&b, N * 8), *y = new_buffer(&b, N * 8);
    double *dx = (double *)(void *)x->data, *dy = (double *)(void *)y->data;
    for (int i = 0; i < N; i++) {
        dx[i] = i;
        dy[i] = 3 * i;
    }
    gx_tape *t = new_tape(&b, 1, shape);
    uint16_t a = add_leaf(t, GX_f64, x, 0, one), c = add_leaf(t, GX_f64, y, 0, one);
    uint16_t sum = add_op(t, GX_OP_add, GX_f64, GX_f64, a, c, 0);
    uint16_t more = add_op(t, GX_OP_add, GX_f64, GX_f64, sum, a, 0);
    add_out(t, sum, x, 0, one);  /* x is read again by the next step */
    add_out(t, more, y, 0, one);
    run_tape(&b);
    for (int i = 0; i < N; i++) {
        cr_assert_eq(dx[i], 4.0 * i);
        cr_assert_eq(dy[i], 5.0 * i);
    }
    t = new_tape(&b, 1, shape); /* a swap */
    a = add_leaf(t, GX_f64, x, 0, one);
    c = add_leaf(t, GX_f64, y, 0, one);
    add_out(t, c, x, 0, one);
    add_out(t, a, y, 0, one);
    run_tape(&b);
    for (int i = 0; i < N; i++) {
        cr_assert_eq(dx[i], 5.0 * i);
        cr_assert_eq(dy[i], 4.0 * i);
    }
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

Test(cpu_run, a_space_larger_than_memory_is_reduced) {
    bench b = bench_open(0, 2);
    int64_t shape[3] = {3, 1 << 14, 1 << 13}, strides[3] = {1, 0, 0}, out[3] = {1, 0, 0};
    gx_buffer *x = new_buffer(&b, 24), *y = new_buffer(&b, 24);
    double *dx = (double *)(void *)x->data, *dy = (double *)(void *)y->data;
    for (int i = 0; i < 3; i++) dx[i] = i + 1;
    gx_tape *t = new_tape(&b, 3, shape);
    add_out(t, add_leaf(t, GX_f64, x, 0, strides), y, 0, out);
    set_reduction(t, 2, GX_RED_sum, GX_f64, GX_f64);
    run_tape(&b);
    for (int i = 0; i < 3; i++) cr_assert_eq(dy[i], (i + 1) * 134217728.0);
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}

Test(cpu_run, an_interrupt_stops_the_work) {
    bench b = bench_open(0, 2);
    enum { N = 1 << 20 };
    int64_t shape[1] = {N}, one[1] = {1};
    gx_buffer *x = new_buffer(&b, N * 8);
    memset(x->data, 0, N * 8);
    gx_tape *t = new_tape(&b, 1, shape);
    uint16_t a = add_leaf(t, GX_f64, x, 0, one);
    add_out(t, add_op(t, GX_OP_add, GX_f64, GX_f64, a, a, 0), x, 0, one);
    b.rt->interrupted = 1;
    int fp;
    cr_assert_not(gx_cpu_backend.run(b.device, t, &fp));
    cr_assert_eq(b.rt->error.kind, GX_KeyboardInterrupt);
    gx_buffer_drop(x);
    bench_close(&b);
}

Test(cpu_run, what_cannot_fit_is_refused) {
    bench b = bench_open(0, 2);
    gx_buffer *x = NULL;
    cr_assert_not(gx_cpu_backend.alloc(b.device, (int64_t)1 << 50, &x));
    cr_assert_eq(b.rt->error.kind, GX_MemoryError);
    cr_assert_not_null(strstr(b.rt->error.message, "1.0 PiB"));
    cr_assert_null(x);
    bench_close(&b);
}

Test(cpu_run, freed_memory_is_used_again) {
    bench b = bench_open(0, 1);
    for (int64_t bytes = 1; bytes < (64 << 20); bytes = bytes * 3 + 1) {
        gx_buffer *x = new_buffer(&b, bytes);
        char *at = x->data;
        cr_assert_eq((uintptr_t)at % 64, 0);
        cr_assert_geq(x->room, bytes);
        memset(at, 1, (size_t)bytes);
        gx_buffer_drop(x);
        x = new_buffer(&b, bytes);
        cr_assert_eq(at, x->data);
        gx_buffer_drop(x);
    }
    bench_close(&b);
}

/* An allocation that fails anywhere is a MemoryError and leaks nothing. */
Test(cpu_run, every_allocation_may_fail) {
    int64_t shape[2] = {400, 300}, strides[2] = {300, 1}, out[2] = {1, 0};
    int failures = 0;
    for (int64_t n = 1; n < 40; n++) {
        gx_rt *rt = gx_rt_new();
        gx_device *device = NULL;
        gx_buffer *x = NULL, *y = NULL;
        rt->debug.threads = 2;
        rt->debug.fail_alloc = n;
        bench b = {.rt = rt, .tape = calloc(1, sizeof *b.tape)};
        if (gx_cpu_backend.open(rt, &device)) {
            bool ok = gx_cpu_backend.alloc(device, 400 * 300 * 8, &x) &&
                      gx_cpu_backend.alloc(device, 400 * 8, &y);
            if (ok) {
                gx_tape *t = new_tape(&b, 2, shape);
                memset(x->data, 0, 400 * 300 * 8);
                add_out(t, add_leaf(t, GX_f64, x, 0, strides), y, 0, out);
                set_reduction(t, 2, GX_RED_sum, GX_f64, GX_f64);
                ok = gx_cpu_backend.run(device, t, NULL);
                gx_matrix m = {
                    .buf = x, .rows = 100, .cols = 100, .row_stride = 1, .col_stride = 300};
                gx_matrix r = {.buf = x, .offset = 240000, .rows = 100, .cols = 100,
                               .row_stride = 100, .col_stride = 1};
                ok = ok && gx_cpu_backend.matmul(device, GX_i64, 1, &m, &m, &r);
            }
            if (!ok) {
                failures++;
                cr_assert_eq(rt->error.kind, GX_MemoryError);
            }
            gx_buffer_drop(x);
            gx_buffer_drop(y);
            cr_assert_eq(device->live_bytes, 0);
            gx_cpu_backend.close(device);
        } else {
            failures++;
            cr_assert_eq(rt->error.kind, GX_MemoryError);
        }
        free(b.tape);
        gx_error_clear(rt);
        gx_sources_free(rt);
        gx_symtab_free(rt);
        cr_assert_eq(rt->stats.live_blocks, 0);
        gx_rt_free(rt);
    }
    cr_assert_gt(failures, 8);
}

/* The conditions of a tape that asks for them, whatever thread met them. */
Test(cpu_run, conditions_are_reported) {
    bench b = bench_open(0, 2);
    enum { N = 300000 };
    int64_t shape[1] = {N}, one[1] = {1};
    gx_buffer *x = new_buffer(&b, N * 8), *y = new_buffer(&b, N * 8);
    double *dx = (double *)(void *)x->data, *dy = (double *)(void *)y->data;
    for (int i = 0; i < N; i++) dx[i] = dy[i] = 1;
    static const struct {
        double x, y;
        int fp;
    } cases[] = {
        {1, 1, 0}, {1, 0, GX_FP_DIVIDE}, {0, 0, GX_FP_INVALID}, {1e300, 1e-300, GX_FP_OVERFLOW}};
    for (int k = 0; k < 4; k++) {
        dx[N - 3] = cases[k].x;
        dy[N - 3] = cases[k].y;
        gx_tape *t = new_tape(&b, 1, shape);
        t->fp_mask = GX_FP_DIVIDE | GX_FP_INVALID | GX_FP_OVERFLOW;
        uint16_t p = add_leaf(t, GX_f64, x, 0, one), q = add_leaf(t, GX_f64, y, 0, one);
        gx_buffer *z = new_buffer(&b, N * 8);
        add_out(t, add_op(t, GX_OP_divide, GX_f64, GX_f64, p, q, 0), z, 0, one);
        int fp = -1;
        cr_assert(gx_cpu_backend.run(b.device, t, &fp));
        cr_assert_eq(fp, cases[k].fp);
        gx_buffer_drop(z);
    }
    gx_buffer_drop(x);
    gx_buffer_drop(y);
    bench_close(&b);
}
