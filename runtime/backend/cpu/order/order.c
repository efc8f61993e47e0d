/* The order of elements, for a host device that plays the GPU (GX_DEVICE=twin): plain and slow, so
   that what stdlib makes of gx_order_calls is tested on any machine. The host's own sorting is
   stdlib's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/half.h"
#include "runtime/backend/cpu/order/order_int.h"

/* A key whose unsigned order is the elements' order. */
static uint64_t key_at(gx_dtype d, const char *p) {
    int bits = 8 * gx_dtypes[d].bytes, kind = gx_dtypes[d].kind;
    uint64_t u = 0, top = UINT64_C(1) << (bits - 1), infinite;
    memcpy(&u, p, (size_t)bits / 8);
    if (kind == GX_KIND_INT) return u ^ top;
    if (kind != GX_KIND_FLOAT) return u;
    infinite = (top - 1) >> gx_dtypes[d].fraction << gx_dtypes[d].fraction;
    if ((u & ~top) > infinite) return UINT64_MAX;
    if ((u & ~top) == 0) return top;
    return u & top ? ~u & (top | (top - 1)) : u | top;
}

static double number_at(gx_dtype d, const char *p) {
    gx_scalar e = {.bits = {0, 0}};
    memcpy(&e, p, (size_t)gx_dtypes[d].bytes);
    switch ((int)d) {
    GX_HALF_DTYPES(GX_CASE) return (double)gx_half_widen(gx_dtypes[d].fraction, e.half);
    case GX_f32: return (double)e.f32;
    case GX_f64: return e.f64;
    case GX_u64: return (double)e.u64;
    case GX_i64: return (double)e.i64;
    default: break;
    }
    const uint64_t key = key_at(d, p);
    const int bits = 8 * gx_dtypes[d].bytes;
    return (double)key - (gx_dtypes[d].kind == GX_KIND_INT ? ldexp(1, bits - 1) : 0);
}

/* An element's place in a row, with its keys. */
typedef struct entry {
    uint64_t keys[3];
    int64_t at;
} entry;

static int by_keys(const void *x, const void *y) {
    const entry *a = x, *b = y;
    for (int k = 0; k < 3; k++)
        if (a->keys[k] != b->keys[k]) return a->keys[k] < b->keys[k] ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static entry entry_at(gx_dtype d, const char *p, int64_t at) {
    entry e = {.at = at};
    if (gx_dtypes[d].kind != GX_KIND_CPLX) {
        e.keys[0] = key_at(d, p);
        return e;
    }
    gx_dtype part = d == GX_c64 ? GX_f32 : GX_f64;
    e.keys[1] = key_at(part, p);
    e.keys[2] = key_at(part, p + gx_dtypes[part].bytes);
    e.keys[0] = (uint64_t)(e.keys[1] == UINT64_MAX) * 2 + (e.keys[2] == UINT64_MAX);
    return e;
}

static bool sorts(gx_device *d, gx_dtype dtype, int64_t rows, int64_t n) {
    (void)d;
    (void)dtype;
    return rows > 0 && n > 0;
}

static bool sort(gx_device *d, const gx_elements *from, int64_t rows, gx_buffer *to,
                 gx_buffer *index) {
    int64_t n = from->n / rows, item = gx_dtypes[from->dtype].bytes;
    entry *e = gx_alloc(d->rt, (size_t)n * sizeof *e);
    if (!e) return false;
    for (int64_t row = 0; row < from->n; row += n) {
        const char *data = gx_cpu_bytes_of(from) + row * item;
        for (int64_t i = 0; i < n; i++) e[i] = entry_at(from->dtype, data + i * item, i);
        qsort(e, (size_t)n, sizeof *e, by_keys);
        for (int64_t i = 0; i < n; i++) {
            if (to) memcpy(to->data + (row + i) * item, data + e[i].at * item, (size_t)item);
            if (index) memcpy(index->data + (row + i) * 8, &e[i].at, 8);
        }
    }
    gx_free(d->rt, e);
    return true;
}

static bool search(gx_device *d, const gx_elements *among, const gx_elements *what, bool right,
                   gx_buffer *to) {
    int64_t item = gx_dtypes[among->dtype].bytes;
    (void)d;
    for (int64_t i = 0; i < what->n; i++) {
        const char *p = gx_cpu_bytes_of(what) + i * gx_dtypes[what->dtype].bytes;
        double wide = number_at(what->dtype, p);
        uint64_t key = key_at(among->dtype, what->dtype == among->dtype ? p : (char *)&wide);
        int64_t low = 0, high = among->n;
        while (low < high) {
            int64_t mid = low + (high - low) / 2;
            uint64_t other = key_at(among->dtype, gx_cpu_bytes_of(among) + mid * item);
            if (right ? other <= key : other < key) low = mid + 1;
            else high = mid;
        }
        memcpy(to->data + i * 8, &low, 8);
    }
    return true;
}

static bool select_ranks(gx_device *d, const gx_elements *from, int64_t rows, int m,
                         const int64_t *ranks, gx_buffer *to) {
    int64_t n = from->n / rows, item = gx_dtypes[from->dtype].bytes;
    gx_buffer *sorted;
    if (!d->backend->alloc(d, from->n * item, &sorted)) return false;
    bool ok = sort(d, from, rows, sorted, NULL);
    for (int64_t row = 0; ok && row < rows; row++)
        for (int k = 0; k < m; k++)
            memcpy(to->data + (row * m + k) * item, sorted->data + (row * n + ranks[k]) * item,
                   (size_t)item);
    gx_buffer_drop(sorted);
    return ok;
}

/* Does a run start at sorted element i? */
static bool starts(const gx_runs *r, int64_t i) {
    gx_dtype d = r->sorted->dtype;
    int64_t item = gx_dtypes[d].bytes;
    const char *p = gx_cpu_bytes_of(r->sorted) + i * item;
    if (i == 0) return true;
    uint64_t key = key_at(d, p);
    bool nan = key == UINT64_MAX && gx_dtypes[d].kind == GX_KIND_FLOAT;
    return key != key_at(d, p - item) || (nan && !r->equal_nan);
}

static bool count_runs(gx_device *d, gx_runs *r) {
    (void)d;
    r->count = 0;
    for (int64_t i = 0; i < r->sorted->n; i++) r->count += starts(r, i);
    return true;
}

static bool write_runs(gx_device *d, const gx_runs *r) {
    int64_t item = gx_dtypes[r->sorted->dtype].bytes, run = -1;
    int64_t *lengths = r->lengths ? (int64_t *)(void *)r->lengths->data : NULL;
    const int64_t *index = r->index ? (const int64_t *)(const void *)r->index->data : NULL;
    (void)d;
    for (int64_t i = 0; i < r->sorted->n; i++) {
        if (starts(r, i)) {
            run++;
            if (r->values)
                memcpy(r->values->data + run * item, gx_cpu_bytes_of(r->sorted) + i * item,
                       (size_t)item);
            if (lengths) lengths[run] = 0;
            if (r->first) memcpy(r->first->data + run * 8, &index[i], 8);
        }
        if (lengths) lengths[run]++;
        if (r->inverse) memcpy(r->inverse->data + index[i] * 8, &run, 8);
    }
    return true;
}

const gx_order_calls gx_cpu_order = {
    .sorts = sorts,
    .sort = sort,
    .search = search,
    .select = select_ranks,
    .takes_bins = gx_cpu_takes_bins,
    .extent = gx_cpu_extent,
    .histogram = gx_cpu_histogram,
    .count = gx_cpu_count,
    .weighted_bincount = gx_cpu_weighted_bincount,
    .count_runs = count_runs,
    .write_runs = write_runs,
};
