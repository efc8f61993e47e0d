/* Products without BLAS: integers (wrapping), bool (or of ands), tiny matrices, and every dtype on
   a machine that has no OpenBLAS. b is packed into panels once, tiles of c are summed in registers,
   blocks of rows go over the threads. Not as fast as a tuned BLAS, and as right. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include "runtime/backend/cpu/cpu_int.h"

#include <stdatomic.h>

enum { HIGH = 4, DEEP = 256, TINY = 8192 };

#define REAL_MULTIPLY_ADD(sum, x, y) ((sum) += (x) * (y))
#define COMPLEX_MULTIPLY_ADD(sum, x, y)                                                            \
    ((sum).re += (x).re * (y).re - (x).im * (y).im, (sum).im += (x).re * (y).im + (x).im * (y).re)
#define COMPLEX_ADD(sum, x) ((sum).re += (x).re, (sum).im += (x).im)

#define T uint8_t
#define NAME(verb) verb##_bool
#define WRAPS
#define WIDE 32
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) ((sum) = (uint8_t)((sum) | ((x) & (y))))
#define ADD(sum, x) ((sum) = (uint8_t)((sum) | (x)))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T uint8_t
#define NAME(verb) verb##_8
#define WRAPS
#define WIDE 32
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) ((sum) = (uint8_t)((sum) + (unsigned)(x) * (y)))
#define ADD(sum, x) ((sum) = (uint8_t)((sum) + (x)))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T uint16_t
#define NAME(verb) verb##_16
#define WRAPS
#define WIDE 16
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) ((sum) = (uint16_t)((sum) + (unsigned)(x) * (y)))
#define ADD(sum, x) ((sum) = (uint16_t)((sum) + (x)))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T uint32_t
#define NAME(verb) verb##_32
#define WRAPS
#define WIDE 8
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) REAL_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) ((sum) += (x))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T uint64_t
#define NAME(verb) verb##_64
#define WRAPS
#define WIDE 4
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) REAL_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) ((sum) += (x))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T float
#define NAME(verb) verb##_f32
#define WIDE 8
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) REAL_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) ((sum) += (x))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T double
#define NAME(verb) verb##_f64
#define WIDE 4
#define ZERO 0
#define MULTIPLY_ADD(sum, x, y) REAL_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) ((sum) += (x))
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T gx_c64
#define NAME(verb) verb##_c64
#define WIDE 4
#define ZERO {0, 0}
#define MULTIPLY_ADD(sum, x, y) COMPLEX_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) COMPLEX_ADD(sum, x)
#include "runtime/backend/cpu/linalg/matmul_own.inc"

#define T gx_c128
#define NAME(verb) verb##_c128
#define WIDE 2
#define ZERO {0, 0}
#define MULTIPLY_ADD(sum, x, y) COMPLEX_MULTIPLY_ADD(sum, x, y)
#define ADD(sum, x) COMPLEX_ADD(sum, x)
#include "runtime/backend/cpu/linalg/matmul_own.inc"

/* Runs CASE(name, T, WIDE) for the loops of a dtype. */
#define BY_DTYPE(dtype, CASE)                                                                      \
    switch (dtype) {                                                                               \
    case GX_bool: CASE(bool, uint8_t, 32) break;                                                   \
    case GX_i8: case GX_u8: CASE(8, uint8_t, 32) break;                                            \
    case GX_i16: case GX_u16: CASE(16, uint16_t, 16) break;                                        \
    case GX_i32: case GX_u32: CASE(32, uint32_t, 8) break;                                         \
    case GX_i64: case GX_u64: CASE(64, uint64_t, 4) break;                                         \
    case GX_f32: CASE(f32, float, 8) break;                                                        \
    case GX_f64: CASE(f64, double, 4) break;                                                       \
    case GX_c64: CASE(c64, gx_c64, 4) break;                                                       \
    case GX_c128: CASE(c128, gx_c128, 2) break;                                                    \
    GX_HALF_DTYPES(GX_CASE)                                                                        \
    case GX_DTYPES: break;                                                                         \
    }

typedef struct own_job {
    gx_cpu *cpu;
    gx_product p;
    int64_t count, a_batch, b_batch, c_batch; /* in bytes */
    int64_t per;                              /* products or row groups a task */
    char *packed, *rows;
    int64_t wide, rows_bytes;
    bool small; /* for gx_matmul_small */
    atomic_bool stop;
} own_job;

static bool stopped(own_job *job) {
    if (GX_UNLIKELY(job->cpu->base.rt->interrupted)) atomic_store(&job->stop, true);
    return atomic_load_explicit(&job->stop, memory_order_relaxed);
}

static void tiny_task(void *arg, int64_t task, int thread) {
    own_job *job = arg;
    (void)thread;
    if (stopped(job)) return;
    int64_t to = (task + 1) * job->per < job->count ? (task + 1) * job->per : job->count;
    for (int64_t i = task * job->per; i < to; i++) {
        gx_product p = job->p;
        p.a += i * job->a_batch;
        p.b += i * job->b_batch;
        p.c += i * job->c_batch;
        if (job->small) {
            gx_matmul_small(&p);
            continue;
        }
#define CASE(name, T, wide) tiny_##name(&p);
        BY_DTYPE(p.dtype, CASE)
#undef CASE
    }
}

static void pack_task(void *arg, int64_t task, int thread) {
    own_job *job = arg;
    (void)thread;
    int64_t j = task * job->wide;
#define CASE(name, T, wide_) pack_b_##name(&job->p, j, (T *)(void *)job->packed + j * job->p.k);
    BY_DTYPE(job->p.dtype, CASE)
#undef CASE
}

static void rows_task(void *arg, int64_t task, int thread) {
    own_job *job = arg;
    int64_t to = (task + 1) * job->per * HIGH;
    char *rows = job->rows + thread * job->rows_bytes;
    for (int64_t i = task * job->per * HIGH; i < to && i < job->p.m; i += HIGH) {
        if (stopped(job)) return;
#define CASE(name, T, wide)                                                                        \
    rows_##name(&job->p, i, (const T *)(const void *)job->packed, (T *)(void *)rows);
        BY_DTYPE(job->p.dtype, CASE)
#undef CASE
    }
}

/* One element of the result: the loops of an integer dtype, some elements a look at Ctrl-C. */
static void dot(own_job *job, const gx_product *p, int64_t i, int64_t j) {
    enum { PART = 1 << 20 };
#define DOT(name, T)                                                                               \
    {                                                                                              \
        const T *a = (const T *)(const void *)p->a + i * p->a_row;                                 \
        const T *b = (const T *)(const void *)p->b + j * p->b_col;                                 \
        T sum = 0;                                                                                 \
        for (int64_t k = 0; k < p->k && !stopped(job); k += PART) {                                \
            const T part = dot_##name(a + k, b + k, p->k - k < PART ? p->k - k : PART);            \
            sum = (T)(p->dtype == GX_bool ? sum | part : sum + part);                              \
        }                                                                                          \
        ((T *)(void *)p->c)[i * p->c_row + j * p->c_col] = sum;                                    \
        break;                                                                                     \
    }
    switch ((int)p->dtype) {
    case GX_bool: DOT(bool, uint8_t)
    case GX_i8: case GX_u8: DOT(8, uint8_t)
    case GX_i16: case GX_u16: DOT(16, uint16_t)
    case GX_i32: case GX_u32: DOT(32, uint32_t)
    case GX_i64: case GX_u64: DOT(64, uint64_t)
    default: break;
    }
#undef DOT
}

/* Can each element of the result be a product of two vectors without gaps, one of them always the
   same? Then nothing is packed. */
static bool is_thin(const gx_product *p) {
    const int kind = gx_dtypes[p->dtype].kind;
    return (p->m == 1 || p->n == 1) && p->a_col == 1 && p->b_row == 1 &&
           (kind == GX_KIND_BOOL || kind == GX_KIND_INT || kind == GX_KIND_UINT);
}

static void thin_task(void *arg, int64_t task, int thread) {
    own_job *job = arg;
    const int64_t each = job->p.m * job->p.n, all = each * job->count;
    const int64_t to = (task + 1) * job->per < all ? (task + 1) * job->per : all;
    (void)thread;
    for (int64_t at = task * job->per; at < to && !stopped(job); at++) {
        gx_product p = job->p;
        const int64_t i = at / each, e = at % each;
        p.a += i * job->a_batch;
        p.b += i * job->b_batch;
        p.c += i * job->c_batch;
        dot(job, &p, p.n == 1 ? e : 0, p.n == 1 ? 0 : e);
    }
}

static void thin(own_job *job) {
    const int64_t all = job->p.m * job->p.n * job->count;
    job->per = 1 + GX_WORK_CHUNK / (job->p.k + 8);
    const int64_t tasks = (all + job->per - 1) / job->per;
    gx_threads_run(job->cpu, tasks, tasks > 1, thin_task, job);
}

static int64_t panel_width(gx_dtype dtype) {
#define CASE(name, T, wide) return wide;
    BY_DTYPE(dtype, CASE)
#undef CASE
    return 1;
}

static bool large(own_job *job) {
    gx_cpu *cpu = job->cpu;
    int item = gx_dtypes[job->p.dtype].bytes;
    gx_buffer *packed, *rows;
    gx_product first = job->p;
    job->wide = panel_width(first.dtype);
    int64_t panels = (first.n + job->wide - 1) / job->wide, k = first.k;
    job->rows_bytes = (HIGH * k * item + 63) / 64 * 64;
    if (!gx_pool_alloc(&cpu->base, panels * job->wide * k * item, &packed)) return false;
    if (!gx_pool_alloc(&cpu->base, job->rows_bytes * cpu->threads, &rows)) {
        gx_buffer_drop(packed);
        return false;
    }
    job->packed = packed->data;
    job->rows = rows->data;
    job->per = 4;
    bool parallel = (double)first.m * (double)first.n * (double)k > 1e5;
    int64_t tasks = (first.m + job->per * HIGH - 1) / (job->per * HIGH);
    for (int64_t i = 0; i < job->count && !atomic_load(&job->stop); i++) {
        job->p.a = first.a + i * job->a_batch;
        job->p.b = first.b + i * job->b_batch;
        job->p.c = first.c + i * job->c_batch;
        if (i == 0 || job->b_batch != 0) gx_threads_run(cpu, panels, parallel, pack_task, job);
        gx_threads_run(cpu, tasks, parallel, rows_task, job);
    }
    gx_buffer_drop(packed);
    gx_buffer_drop(rows);
    return true;
}

bool gx_matmul_own(gx_cpu *cpu, const gx_product *product, int64_t count, int64_t a_batch,
                   int64_t b_batch, int64_t c_batch) {
    int item = gx_dtypes[product->dtype].bytes;
    own_job job = {.cpu = cpu, .p = *product, .count = count};
    job.a_batch = a_batch * item;
    job.b_batch = b_batch * item;
    job.c_batch = c_batch * item;
    double work = (double)product->m * (double)product->n * (double)product->k;
    job.small = gx_matmul_small_can(cpu, product->dtype, product->m, product->n, product->k);
    if (work > TINY && is_thin(product)) {
        thin(&job);
    } else if (work > TINY) {
        if (!large(&job)) return false;
    } else {
        job.per = 1 + (int64_t)(GX_WORK_CHUNK / (work + 8));
        int64_t tasks = (count + job.per - 1) / job.per;
        gx_threads_run(cpu, tasks, tasks > 1, tiny_task, &job);
    }
    return !atomic_load(&job.stop) || gx_run_interrupted(cpu->base.rt);
}
