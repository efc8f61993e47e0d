/* Indexing by index arrays: gather, scatter, and the positions of true elements. Rows of the
   iteration space are handled by loops for each element size; a row with one index for all of it is
   a plain copy. An item is an element, or a row of any number of bytes. Indices are in range
   already. Scatter runs in C order in one thread, so that the last of several values for one place
   wins. */
#include "runtime/backend/cpu/cpu_int.h"

#include <immintrin.h>
#include <stdatomic.h>
#include <string.h>

typedef struct item16 {
    uint64_t half[2];
} item16;
typedef struct item32 {
    uint64_t part[4];
} item32;

/* The request with its last dims taken for the item where they hold no index and are contiguous on
   both sides: `ndim` dims of items of `item` bytes. */
typedef struct take_job {
    const gx_take *t;
    gx_cpu *cpu;
    int64_t total, chunk; /* items */
    gx_bytes item;
    int ndim;
    bool scatter;
    atomic_bool stop;
} take_job;

/* One run along the last dim: where things are, and how far apart. */
typedef struct take_run {
    char *array, *other;
    const char *index[GX_MAX_DIMS];
    int64_t n; /* items */
    gx_bytes item;
    int64_t array_step, other_step; /* bytes */
} take_run;

static int64_t load_index(const char *p) {
    int64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* A function of its own: inlined into the one that chooses among them, a loop has no registers left
   and reads its bounds and pointers from the stack at each element. */
#define OWN_LOOP static __attribute__((noinline)) void

/* One index array, or two. Items side by side are the usual case. */
#define RUNS(T, name)                                                                              \
    OWN_LOOP packed_##name(const take_run *r, const int64_t *index) {                              \
        const char *from = r->array;                                                               \
        char *to = r->other;                                                                       \
        int64_t i = 0, n = r->n;                                                                   \
        for (; i + 4 <= n; i += 4) {                                                               \
            T part[4];                                                                             \
            memcpy(part, from + index[i] * (int64_t)sizeof(T), sizeof(T));                         \
            memcpy(part + 1, from + index[i + 1] * (int64_t)sizeof(T), sizeof(T));                 \
            memcpy(part + 2, from + index[i + 2] * (int64_t)sizeof(T), sizeof(T));                 \
            memcpy(part + 3, from + index[i + 3] * (int64_t)sizeof(T), sizeof(T));                 \
            memcpy(to + i * (int64_t)sizeof(T), part, sizeof part);                                \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            memcpy(to + i * (int64_t)sizeof(T), from + index[i] * (int64_t)sizeof(T), sizeof(T));  \
    }                                                                                              \
    OWN_LOOP gather_##name(const take_run *r, int64_t step, int64_t scale) {                       \
        const char *index = r->index[0];                                                           \
        int64_t size = sizeof(T);                                                                  \
        if (!r->array_step && r->other_step == size && scale == size && step == 8) {               \
            packed_##name(r, (const int64_t *)(const void *)index);                                \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < r->n; i++) {                                                       \
            const char *from =                                                                     \
                r->array + i * r->array_step + load_index(index + i * step) * scale;               \
            memcpy(r->other + i * r->other_step, from, sizeof(T));                                 \
        }                                                                                          \
    }                                                                                              \
    OWN_LOOP pairs_##name(const take_run *r, const int64_t *step, const int64_t *scale) {          \
        const char *first = r->index[0], *second = r->index[1];                                    \
        int64_t a = step[0], b = step[1], p = scale[0], q = scale[1];                              \
        for (int64_t i = 0, n = r->n; i < n; i++) {                                                \
            const char *from =                                                                     \
                r->array + load_index(first + i * a) * p + load_index(second + i * b) * q;         \
            memcpy(r->other + i * r->other_step, from, sizeof(T));                                 \
        }                                                                                          \
    }                                                                                              \
    OWN_LOOP spread_##name(const take_run *r, const int64_t *index) {                              \
        const char *from = r->other;                                                               \
        char *to = r->array;                                                                       \
        int64_t i = 0, n = r->n;                                                                   \
        for (; i + 4 <= n; i += 4) {                                                               \
            T part[4];                                                                             \
            memcpy(part, from + i * (int64_t)sizeof(T), sizeof part);                              \
            int64_t a = index[i], b = index[i + 1], c = index[i + 2], d = index[i + 3];            \
            memcpy(to + a * (int64_t)sizeof(T), part, sizeof(T));                                  \
            memcpy(to + b * (int64_t)sizeof(T), part + 1, sizeof(T));                              \
            memcpy(to + c * (int64_t)sizeof(T), part + 2, sizeof(T));                              \
            memcpy(to + d * (int64_t)sizeof(T), part + 3, sizeof(T));                              \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            memcpy(to + index[i] * (int64_t)sizeof(T), from + i * (int64_t)sizeof(T), sizeof(T));  \
    }                                                                                              \
    OWN_LOOP scatter_##name(const take_run *r, int64_t step, int64_t scale) {                      \
        const char *index = r->index[0];                                                           \
        if (!r->array_step && !r->other_step) {                                                    \
            T one;                                                                                 \
            memcpy(&one, r->other, sizeof one);                                                    \
            for (int64_t i = 0, n = r->n; i < n; i++)                                              \
                memcpy(r->array + load_index(index + i * step) * scale, &one, sizeof one);         \
            return;                                                                                \
        }                                                                                          \
        if (!r->array_step && r->other_step == sizeof(T) && scale == sizeof(T) && step == 8) {     \
            spread_##name(r, (const int64_t *)(const void *)index);                                \
            return;                                                                                \
        }                                                                                          \
        for (int64_t i = 0; i < r->n; i++) {                                                       \
            char *to = r->array + i * r->array_step + load_index(index + i * step) * scale;        \
            memcpy(to, r->other + i * r->other_step, sizeof(T));                                   \
        }                                                                                          \
    }

RUNS(uint8_t, 1)
RUNS(uint16_t, 2)
RUNS(uint32_t, 4)
RUNS(uint64_t, 8)
RUNS(item16, 16)
RUNS(item32, 32)

#define BY_ITEM(verb, ...)                                                                         \
    switch (r->item.n) {                                                                           \
    case 1: verb##_1(__VA_ARGS__); return;                                                         \
    case 2: verb##_2(__VA_ARGS__); return;                                                         \
    case 4: verb##_4(__VA_ARGS__); return;                                                         \
    case 8: verb##_8(__VA_ARGS__); return;                                                         \
    case 16: verb##_16(__VA_ARGS__); return;                                                       \
    case 32: verb##_32(__VA_ARGS__); return;                                                       \
    default: break;                                                                                \
    }

/* Rows of fewer than 32 bytes by two moves, which overlap where the size is no power of two. */
static inline void copy_item(char *to, const char *from, gx_bytes item) {
    size_t n = (size_t)item.n;
    if (n >= 32) {
        memcpy(to, from, n);
    } else if (n >= 16) {
        item16 low, high;
        memcpy(&low, from, 16);
        memcpy(&high, from + n - 16, 16);
        memcpy(to, &low, 16);
        memcpy(to + n - 16, &high, 16);
    } else if (n >= 8) {
        uint64_t low, high;
        memcpy(&low, from, 8);
        memcpy(&high, from + n - 8, 8);
        memcpy(to, &low, 8);
        memcpy(to + n - 8, &high, 8);
    } else if (n >= 4) {
        uint32_t low, high;
        memcpy(&low, from, 4);
        memcpy(&high, from + n - 4, 4);
        memcpy(to, &low, 4);
        memcpy(to + n - 4, &high, 4);
    } else {
        for (size_t i = 0; i < n; i++) to[i] = from[i];
    }
}

/* Any number of index arrays, items of any size. */
static void general_run(const gx_take *t, const take_run *r, int last, bool scatter) {
    for (int64_t i = 0; i < r->n; i++) {
        char *at = r->array + i * r->array_step;
        for (int k = 0; k < t->n_index; k++)
            at += load_index(r->index[k] + i * t->index[k].strides[last]) * t->scale[k];
        char *other = r->other + i * r->other_step;
        copy_item(scatter ? at : other, scatter ? other : at, r->item);
    }
}

/* One index for all of the run. */
static void fixed_run(const gx_take *t, take_run *r, bool scatter) {
    for (int k = 0; k < t->n_index; k++) r->array += load_index(r->index[k]) * t->scale[k];
    gx_cpu_unit unit;
    if (r->other_step == r->item.n && gx_unit_fits(r->item, &unit)) {
        if (scatter) gx_store_region(r->array, r->other, unit, 1, r->n, 0, r->array_step);
        else gx_load_region(r->other, r->array, unit, 1, r->n, 0, r->array_step);
        return;
    }
    for (int64_t i = 0; i < r->n; i++) {
        char *a = r->array + i * r->array_step, *b = r->other + i * r->other_step;
        copy_item(scatter ? a : b, scatter ? b : a, r->item);
    }
}

static void do_run(const gx_take *t, take_run *r, int last, bool scatter) {
    bool fixed = true;
    for (int k = 0; k < t->n_index; k++)
        if (t->index[k].strides[last] != 0) fixed = false;
    if (fixed) {
        fixed_run(t, r, scatter);
        return;
    }
    if (t->n_index == 1) {
        int64_t step = t->index[0].strides[last], scale = t->scale[0];
        if (scatter) BY_ITEM(scatter, r, step, scale)
        else BY_ITEM(gather, r, step, scale)
    } else if (t->n_index == 2 && !scatter && r->array_step == 0) {
        int64_t step[2] = {t->index[0].strides[last], t->index[1].strides[last]};
        BY_ITEM(pairs, r, step, t->scale)
    }
    general_run(t, r, last, scatter);
}

static char *leaf_at(const gx_leaf *l, const int64_t *idx, int nd) {
    int64_t at = l->offset;
    for (int d = 0; d < nd; d++) at += idx[d] * l->strides[d];
    return l->buf->data + at;
}

/* Items start … start + n - 1 in C order. */
static void take_range(const take_job *job, int64_t start, int64_t n) {
    const gx_take *t = job->t;
    int64_t idx[GX_MAX_DIMS];
    int last = job->ndim - 1;
    for (int d = last; d >= 0; d--) {
        idx[d] = start % t->shape[d];
        start /= t->shape[d];
    }
    while (n > 0) {
        take_run r;
        r.item = job->item;
        r.n = t->shape[last] - idx[last];
        if (r.n > n) r.n = n;
        r.array = leaf_at(&t->array, idx, job->ndim);
        r.other = leaf_at(&t->other, idx, job->ndim);
        r.array_step = t->array.strides[last];
        r.other_step = t->other.strides[last];
        for (int k = 0; k < t->n_index; k++) r.index[k] = leaf_at(&t->index[k], idx, job->ndim);
        n -= r.n;
        idx[last] += r.n;
        do_run(t, &r, last, job->scatter);
        for (int d = last; d > 0 && idx[d] == t->shape[d]; d--) {
            idx[d] = 0;
            idx[d - 1]++;
        }
    }
}

static bool has_index(const gx_take *t, int d) {
    for (int k = 0; k < t->n_index; k++)
        if (t->index[k].strides[d] != 0) return true;
    return false;
}

/* Where a run along the last dim has one index and goes from line to line of the array, a few items
   of it are gathered for each index of the dim before: the lines are read while they are at hand.
   A task is one such block. */
enum { TILE = 128, TILED_ITEMS = 4096, LINE = 64, SET = 4096 };

static bool is_tiled(const take_job *job) {
    const gx_take *t = job->t;
    const int last = job->ndim - 1;
    if (job->scatter || last < 1 || job->total < TILED_ITEMS) return false;
    const int64_t step = t->array.strides[last];
    return t->n_index == 1 && t->shape[last] >= TILE && (step >= LINE || step <= -LINE) &&
           t->other.strides[last] == job->item.n && !has_index(t, last) &&
           has_index(t, last - 1) && (job->item.n == 4 || job->item.n == 8 || job->item.n == 16);
}

/* Lines a multiple of SET bytes apart displace each other. */
static int64_t tile_of(const gx_take *t, int last) {
    return t->array.strides[last] % SET == 0 ? TILE / 4 : TILE;
}

/* `runs` runs of n items; the steps are those from run to run. */
typedef struct take_block {
    char *array, *other;
    const char *index;
    int64_t n, runs, step, array_step, other_step, index_step, scale;
} take_block;

#define BLOCKS(T, name)                                                                            \
    OWN_LOOP block_##name(const take_block *b) {                                                   \
        for (int64_t j = 0; j < b->runs; j++) {                                                    \
            const char *from = b->array + j * b->array_step +                                      \
                               load_index(b->index + j * b->index_step) * b->scale;                \
            char *to = b->other + j * b->other_step;                                               \
            for (int64_t i = 0; i < b->n; i++, from += b->step)                                    \
                memcpy(to + i * (int64_t)sizeof(T), from, sizeof(T));                              \
        }                                                                                          \
    }

BLOCKS(uint32_t, 4)
BLOCKS(uint64_t, 8)
BLOCKS(item16, 16)

static void take_tile(void *arg, int64_t task, int thread) {
    take_job *job = arg;
    const gx_take *t = job->t;
    const int last = job->ndim - 1, runs = last - 1;
    const int64_t tile = tile_of(t, last), blocks = (t->shape[last] + tile - 1) / tile;
    int64_t idx[GX_MAX_DIMS], outer = task / blocks;
    (void)thread;
    if (GX_UNLIKELY(job->cpu->base.rt->interrupted)) {
        atomic_store(&job->stop, true);
        gx_threads_enough(job->cpu);
    }
    if (atomic_load_explicit(&job->stop, memory_order_relaxed)) return;
    for (int d = runs - 1; d >= 0; d--) {
        idx[d] = outer % t->shape[d];
        outer /= t->shape[d];
    }
    idx[runs] = 0;
    idx[last] = task % blocks * tile;
    const int64_t rest = t->shape[last] - idx[last];
    const take_block b = {.array = leaf_at(&t->array, idx, job->ndim),
                          .other = leaf_at(&t->other, idx, job->ndim),
                          .index = leaf_at(&t->index[0], idx, job->ndim),
                          .n = rest < tile ? rest : tile,
                          .runs = t->shape[runs],
                          .step = t->array.strides[last],
                          .array_step = t->array.strides[runs],
                          .other_step = t->other.strides[runs],
                          .index_step = t->index[0].strides[runs],
                          .scale = t->scale[0]};
    if (job->item.n == 4) block_4(&b);
    else if (job->item.n == 8) block_8(&b);
    else block_16(&b);
}

static void take_task(void *arg, int64_t task, int thread) {
    take_job *job = arg;
    (void)thread;
    if (GX_UNLIKELY(job->cpu->base.rt->interrupted)) {
        atomic_store(&job->stop, true);
        gx_threads_enough(job->cpu);
    }
    if (atomic_load_explicit(&job->stop, memory_order_relaxed)) return;
    int64_t start = task * job->chunk, n = job->total - start;
    take_range(job, start, n < job->chunk ? n : job->chunk);
}

/* No dims: one item. */
static void take_one(const take_job *job) {
    const gx_take *t = job->t;
    char *at = leaf_at(&t->array, NULL, 0), *other = leaf_at(&t->other, NULL, 0);
    for (int k = 0; k < t->n_index; k++)
        at += load_index(leaf_at(&t->index[k], NULL, 0)) * t->scale[k];
    memcpy(job->scatter ? at : other, job->scatter ? other : at, (size_t)job->item.n);
}

static bool take(gx_device *device, const gx_take *t, bool scatter) {
    gx_cpu *cpu = gx_cpu_of(device);
    take_job job = {.t = t, .cpu = cpu, .total = 1, .ndim = t->ndim, .item = t->item};
    job.scatter = scatter;
    for (; job.ndim > 0; job.ndim--) {
        int d = job.ndim - 1;
        if (t->array.strides[d] != job.item.n || t->other.strides[d] != job.item.n ||
            has_index(t, d))
            break;
        job.item.n *= t->shape[d];
    }
    for (int d = 0; d < job.ndim; d++) job.total *= t->shape[d];
    if (job.total == 0 || job.item.n == 0) return true;
    if (job.ndim == 0) {
        take_one(&job);
        return true;
    }
    if (is_tiled(&job)) {
        const int64_t tile = tile_of(t, job.ndim - 1);
        int64_t tiles = (t->shape[job.ndim - 1] + tile - 1) / tile;
        for (int d = 0; d < job.ndim - 2; d++) tiles *= t->shape[d];
        gx_threads_run(cpu, tiles, job.total > GX_WORK_CHUNK, take_tile, &job);
        return !atomic_load(&job.stop) || gx_run_interrupted(device->rt);
    }
    job.chunk = GX_WORK_CHUNK / 2 * t->item.n / job.item.n + 1;
    int64_t tasks = (job.total + job.chunk - 1) / job.chunk;
    gx_threads_run(cpu, tasks, !scatter && tasks > 1, take_task, &job);
    return !atomic_load(&job.stop) || gx_run_interrupted(device->rt);
}

bool gx_take_gather(gx_device *device, const gx_take *t) {
    return take(device, t, false);
}

bool gx_take_scatter(gx_device *device, const gx_take *t) {
    return take(device, t, true);
}

/* ---- nonzero: count in chunks, then fill each chunk's part ---- */

typedef struct nonzero_job {
    const gx_rt *rt;
    const uint8_t *mask;
    int64_t n, chunk;
    int64_t *counts; /* of each chunk, then where its part begins */
    int64_t *out, total;
    int64_t tasks;
    bool wide; /* with AVX2 */
} nonzero_job;

static void count_task(void *arg, int64_t task, int thread) {
    nonzero_job *job = arg;
    (void)thread;
    if (GX_UNLIKELY(job->rt->interrupted)) return;
    int64_t from = task * job->chunk, to = from + job->chunk < job->n ? from + job->chunk : job->n;
    int64_t count = 0, i = from;
    __m128i zero = _mm_setzero_si128(), total = zero;
    for (; i + 16 <= to; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(job->mask + i));
        __m128i none = _mm_cmpeq_epi8(v, zero); /* all ones, which is -1 */
        total = _mm_add_epi64(total, _mm_sad_epu8(_mm_sub_epi8(zero, none), zero));
    }
    for (int64_t k = i; k < to; k++) count += job->mask[k] != 0;
    int64_t zeros[2];
    memcpy(zeros, &total, sizeof zeros);
    job->counts[task] = count + (i - from) - zeros[0] - zeros[1];
}

/* Eight bytes at a time from *at on, while eight positions can be stored: how many were. */
static __attribute__((target("avx2,bmi2,popcnt"))) int64_t fill_wide(const nonzero_job *job,
                                                                     int64_t *at, int64_t k,
                                                                     int64_t end) {
    const uint64_t ones = UINT64_C(0x0101010101010101), low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    int64_t i = *at;
    for (; k + 8 <= end && i + 8 <= job->n; i += 8) {
        uint64_t m;
        memcpy(&m, job->mask + i, sizeof m);
        m = ((((m & low) + low) | m) >> 7) & ones;
        __m128i lanes = _mm_cvtsi64_si128(
            (long long)_pext_u64(UINT64_C(0x0706050403020100), m * 255));
        __m256i base = _mm256_set1_epi64x(i);
        __m256i a = _mm256_add_epi64(base, _mm256_cvtepu8_epi64(lanes));
        __m256i b = _mm256_add_epi64(base, _mm256_cvtepu8_epi64(_mm_srli_si128(lanes, 4)));
        _mm256_storeu_si256((__m256i *)(void *)(job->out + k), a);
        _mm256_storeu_si256((__m256i *)(void *)(job->out + k + 4), b);
        k += __builtin_popcountll(m);
    }
    *at = i;
    return k;
}

static void fill_task(void *arg, int64_t task, int thread) {
    nonzero_job *job = arg;
    (void)thread;
    if (GX_UNLIKELY(job->rt->interrupted)) return;
    int64_t k = job->counts[task], i = task * job->chunk;
    int64_t end = task + 1 < job->tasks ? job->counts[task + 1] : job->total;
    if (job->wide) k = fill_wide(job, &i, k, end);
    for (; k < end; i++) {
        job->out[k] = i;
        k += job->mask[i] != 0;
    }
}

bool gx_take_nonzero(gx_device *device, const gx_buffer *mask, int64_t offset, int64_t n,
                     gx_buffer **out, int64_t *count) {
    gx_cpu *cpu = gx_cpu_of(device);
    nonzero_job job = {
        .rt = device->rt, .mask = (const uint8_t *)mask->data + offset, .n = n, .chunk = 65536};
    job.tasks = (n + job.chunk - 1) / job.chunk;
    job.wide = strcmp(cpu->loops->isa, "x86-64-v2") != 0;
    job.counts = gx_alloc(device->rt, (size_t)(job.tasks + 1) * sizeof(int64_t));
    if (!job.counts) return false;
    bool parallel = job.tasks > 4;
    gx_threads_run(cpu, job.tasks, parallel, count_task, &job);
    if (device->rt->interrupted) {
        gx_free(device->rt, job.counts);
        return gx_run_interrupted(device->rt);
    }
    for (int64_t i = 0; i < job.tasks; i++) {
        int64_t here = job.counts[i];
        job.counts[i] = job.total;
        job.total += here;
    }
    gx_buffer *result = NULL;
    bool ok = gx_pool_alloc(device, job.total * 8, &result);
    if (ok) {
        job.out = (int64_t *)(void *)result->data;
        gx_threads_run(cpu, job.tasks, parallel, fill_task, &job);
        ok = !device->rt->interrupted || gx_run_interrupted(device->rt);
    }
    if (ok) {
        *out = result;
        *count = job.total;
    } else {
        gx_buffer_drop(result);
    }
    gx_free(device->rt, job.counts);
    return ok;
}
