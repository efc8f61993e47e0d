/* Runs of equal elements in sorted ones. */
#include <string.h>

#include "runtime/backend/cpu/order/order_int.h"
#include "runtime/backend/cpu/order/radix_int.h"
#include "runtime/backend/cpu/order/vector_int.h"
#include "runtime/backend/loop.h"

/* The places where runs of equal elements start among `valid` sorted ones; how many. Either of
   `starts` and `firsts` (which holds elements) may be NULL. */
static int64_t find_runs(const gx_rt *rt, gx_dtype d, const char *x, int64_t valid,
                         int64_t *starts, char *firsts) {
    bool floats = gx_dtypes[d].kind == GX_KIND_FLOAT;
    int64_t k = 0, item = gx_dtypes[d].bytes;
#define RUNS(T)                                                                                    \
    GX_LONG_LOOP(rt, i, 0, valid) {                                                                \
        const T *v = (const T *)x;                                                                 \
        T top = floats ? (T)(1ull << (8 * sizeof(T) - 1)) : 0, now = v[i];                         \
        if (i && (now == v[i - 1] || (floats && (T)((now | v[i - 1]) & (T)~top) == 0))) continue;  \
        if (starts) starts[k] = i;                                                                 \
        if (firsts) ((T *)firsts)[k] = now;                                                        \
        k++;                                                                                       \
    }                                                                                              \
    break
    switch (item) {
    case 1:
        RUNS(uint8_t);
    case 2:
        RUNS(uint16_t);
    case 4:
        RUNS(uint32_t);
    default:
        RUNS(uint64_t);
    }
#undef RUNS
    return k;
}

/* How many elements are not nan. */
static int64_t valid_of(gx_device *d, const gx_elements *e) {
    if (gx_dtypes[e->dtype].kind != GX_KIND_FLOAT) return e->n;
    return gx_cpu_radix_valid(d->rt, e->dtype, gx_cpu_bytes_of(e), e->n);
}

/* And how many runs the others are. */
static int64_t nan_runs(const gx_runs *r, int64_t valid) {
    return r->equal_nan && valid < r->sorted->n ? 1 : r->sorted->n - valid;
}

bool gx_cpu_count_runs(gx_device *d, gx_runs *r) {
    const gx_dtype dtype = r->sorted->dtype;
    const char *x = gx_cpu_bytes_of(r->sorted);
    const int64_t valid = valid_of(d, r->sorted);
    r->count = nan_runs(r, valid);
    if (gx_cpu_vector_can(d, dtype)) r->count += gx_cpu_vector_count_runs(d->rt, dtype, x, valid);
    else r->count += find_runs(d->rt, dtype, x, valid, NULL, NULL);
    return gx_work_end(d->rt);
}

/* The first element of each of k runs among `valid`, and where they start; either may be NULL. */
static void take_runs(gx_device *d, const gx_runs *r, int64_t valid, int64_t k, int64_t *starts) {
    const gx_dtype dtype = r->sorted->dtype;
    const char *x = gx_cpu_bytes_of(r->sorted);
    char *values = r->values ? r->values->data : NULL;
    if (!gx_cpu_vector_can(d, dtype)) {
        find_runs(d->rt, dtype, x, valid, starts, values);
        return;
    }
    if (values) gx_cpu_vector_runs(d->rt, dtype, x, valid, values, k);
    if (starts) gx_cpu_vector_starts(d->rt, dtype, x, valid, starts);
}

/* From where each run starts: where its first element was, and which run each element has. */
static void write_places(gx_device *d, const gx_runs *r, const int64_t *starts) {
    const int64_t *index = (const int64_t *)(const void *)r->index->data;
    int64_t *first = r->first ? (int64_t *)(void *)r->first->data : NULL;
    int64_t *inverse = r->inverse ? (int64_t *)(void *)r->inverse->data : NULL;
    for (int64_t k = 0; k < r->count && !gx_work_stops(d->rt); k++) {
        const int64_t end = k + 1 < r->count ? starts[k + 1] : r->sorted->n;
        if (first) first[k] = index[starts[k]];
        for (int64_t i = starts[k]; inverse && i < end; i++) inverse[index[i]] = k;
    }
}

bool gx_cpu_write_runs(gx_device *d, const gx_runs *r) {
    const int64_t n = r->sorted->n, item = gx_dtypes[r->sorted->dtype].bytes;
    const int64_t valid = valid_of(d, r->sorted), k = r->count - nan_runs(r, valid);
    gx_buffer *room = NULL;
    int64_t *starts = r->lengths ? (int64_t *)(void *)r->lengths->data : NULL;
    if (gx_work_stops(d->rt)) return gx_work_end(d->rt);
    if (!starts && (r->first || r->inverse)) {
        if (!d->backend->alloc(d, (r->count + 1) * 8, &room)) return false;
        starts = (int64_t *)(void *)room->data;
    }
    take_runs(d, r, valid, k, starts);
    if (r->values)
        gx_work_copy(d->rt, r->values->data + k * item, gx_cpu_bytes_of(r->sorted) + valid * item,
                     (size_t)((r->count - k) * item));
    for (int64_t i = k; starts && i < r->count; i++) starts[i] = valid + (i - k);
    if (!gx_work_stops(d->rt) && (r->first || r->inverse)) write_places(d, r, starts);
    if (r->lengths) /* in place of the starts */
        GX_LONG_LOOP(d->rt, i, 0, r->count)
            starts[i] = (i + 1 < r->count ? starts[i + 1] : n) - starts[i];
    gx_buffer_drop(room);
    return gx_work_end(d->rt);
}
