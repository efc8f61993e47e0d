/* How many elements are not zero, without the conversions of a tape. */
#include <immintrin.h>
#include <string.h>

#include "runtime/backend/cpu/cpu_int.h"
#include "runtime/backend/loop.h"

enum { PIECES = 8 };

typedef struct count_job {
    const char *data;
    int64_t n, tasks, zeros[PIECES];
    gx_dtype d;
    bool wide; /* the CPU has AVX2 */
} count_job;

static __m128i load(const char *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static int64_t lanes(__m128i total) {
    int64_t part[2];
    memcpy(part, &total, sizeof part);
    return part[0] + part[1];
}

static int64_t zeros_of_bytes(const uint8_t *x, int64_t n) {
    int64_t i = 0, count = 0;
    __m128i zero = _mm_setzero_si128(), total = zero;
    for (; i + 16 <= n; i += 16) {
        __m128i none = _mm_cmpeq_epi8(load((const char *)x + i), zero); /* all ones is -1 */
        total = _mm_add_epi64(total, _mm_sad_epu8(_mm_sub_epi8(zero, none), zero));
    }
    for (; i < n; i++) count += x[i] == 0;
    return count + lanes(total);
}

/* EQUAL: all ones, which is -1, where an element of v is zero. Of 4 bytes each byte counts. */
#define ZEROS(T, EQUAL)                                                                            \
    do {                                                                                           \
        const T *x = (const T *)(const void *)data;                                                \
        int64_t i = 0, step = 16 / (int64_t)sizeof(T), count = 0;                                  \
        __m128i zero = _mm_setzero_si128(), total = zero;                                          \
        for (; i + step <= n; i += step) {                                                         \
            __m128i v = load((const char *)(x + i));                                               \
            if (sizeof(T) == 8)                                                                    \
                total = _mm_sub_epi64(total, EQUAL);                                               \
            else                                                                                   \
                total = _mm_add_epi64(total, _mm_sad_epu8(_mm_sub_epi8(zero, EQUAL), zero));       \
        }                                                                                          \
        count = lanes(total) / (sizeof(T) == 8 ? 1 : (int64_t)sizeof(T));                          \
        for (; i < n; i++) count += x[i] == 0;                                                     \
        return count;                                                                              \
    } while (0)

/* Words of 8 bytes by AVX2; how many were looked at goes to *at. */
static __attribute__((target("avx2"))) int64_t wide_zeros(const char *data, int64_t n, bool floats,
                                                          int64_t *at) {
    __m256i zero = _mm256_setzero_si256(), a = zero, b = zero;
    int64_t i = 0, part[4];
    for (; i + 8 <= n; i += 8) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(data + i * 8));
        __m256i w = _mm256_loadu_si256((const __m256i *)(const void *)(data + i * 8 + 32));
        if (floats) { /* without the sign, which a zero may have */
            v = _mm256_add_epi64(v, v);
            w = _mm256_add_epi64(w, w);
        }
        a = _mm256_sub_epi64(a, _mm256_cmpeq_epi64(v, zero));
        b = _mm256_sub_epi64(b, _mm256_cmpeq_epi64(w, zero));
    }
    a = _mm256_add_epi64(a, b);
    memcpy(part, &a, sizeof part);
    *at = i;
    return part[0] + part[1] + part[2] + part[3];
}

static int64_t zeros_of(gx_dtype d, const char *data, int64_t n) {
    switch ((int)d) {
    case GX_i32:
    case GX_u32:
        ZEROS(int32_t, _mm_cmpeq_epi32(v, zero));
    case GX_i64:
    case GX_u64:
        ZEROS(int64_t, _mm_and_si128(_mm_cmpeq_epi32(v, zero),
                                     _mm_shuffle_epi32(_mm_cmpeq_epi32(v, zero), 0xb1)));
    case GX_f32:
        ZEROS(float, _mm_castps_si128(_mm_cmpeq_ps(_mm_castsi128_ps(v), _mm_setzero_ps())));
    case GX_f64:
        ZEROS(double, _mm_castpd_si128(_mm_cmpeq_pd(_mm_castsi128_pd(v), _mm_setzero_pd())));
    default:
        return zeros_of_bytes((const uint8_t *)data, n);
    }
}

static void count_task(void *arg, int64_t task, int thread) {
    count_job *j = arg;
    int64_t from = j->n * task / j->tasks, to = j->n * (task + 1) / j->tasks;
    (void)thread;
    int64_t item = gx_dtypes[j->d].bytes, at = 0, count = 0;
    if (item == 8 && j->wide)
        count = wide_zeros(j->data + from * item, to - from, j->d == GX_f64, &at);
    from += at;
    j->zeros[task] = count + zeros_of(j->d, j->data + from * item, to - from);
}

bool gx_cpu_nonzeros(gx_device *d, const gx_elements *e, int64_t *count, bool *done) {
    const gx_dtype_info *info = &gx_dtypes[e->dtype];
    *done = info->bytes == 1 || info->bytes == 4 ||
            (info->bytes == 8 && info->kind != GX_KIND_CPLX);
    if (!*done) return true;
    count_job j = {.data = e->buf->data + e->offset, .n = e->n, .d = e->dtype,
                   .tasks = e->n < 65536 ? 1 : PIECES};
    __builtin_cpu_init();
    j.wide = __builtin_cpu_supports("avx2") != 0;
    if (j.tasks == 1) count_task(&j, 0, 0);
    else gx_tasks_run(d, j.tasks, count_task, &j);
    *count = j.n;
    for (int64_t t = 0; t < j.tasks; t++) *count -= j.zeros[t];
    return gx_work_end(d->rt);
}
