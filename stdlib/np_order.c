/* Keys and the radix sort behind every ordering of elements. Knows no functions of scripts. */
#include "stdlib/np_order_int.h"

#include <math.h>
#include <string.h>

static uint64_t key_of_double(double x) {
    if (isnan(x)) return UINT64_MAX;
    if (x == 0) x = 0;
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u >> 63 ? ~u : u | UINT64_C(1) << 63;
}

void gx_np_keys(gx_dtype d, const char *data, int64_t stride, int64_t n, uint64_t *keys) {
    size_t item = (size_t)gx_dtype_size(d);
    int kind = gx_dtype_kind(d);
    for (int64_t i = 0; i < n; i++) {
        gx_scalar e = {.bits = {0, 0}};
        memcpy(&e, data + i * stride, item);
        if (kind == GX_KIND_FLOAT) {
            keys[i] = key_of_double(d == GX_f64   ? e.f64
                                    : d == GX_f32 ? (double)e.f32
                                                  : (double)gx_half_to_float(e.f16));
        } else if (kind == GX_KIND_INT) {
            int64_t v = d == GX_i64 ? e.i64 : d == GX_i32 ? e.i32 : d == GX_i16 ? e.i16 : e.i8;
            keys[i] = (uint64_t)v ^ UINT64_C(1) << 63;
        } else {
            keys[i] = d == GX_u64 ? e.u64 : d == GX_u32 ? e.u32 : d == GX_u16 ? e.u16 : e.u8;
        }
    }
}

static void insertion(const uint64_t *keys, int64_t n, int64_t *index) {
    for (int64_t i = 1; i < n; i++) {
        int64_t v = index[i], k = i;
        for (; k > 0 && keys[index[k - 1]] > keys[v]; k--) index[k] = index[k - 1];
        index[k] = v;
    }
}

typedef struct pair {
    uint64_t key;
    int64_t at;
} pair;

/* One pass over a byte of the keys; false: all bytes are equal and nothing moved. */
static bool pass(const pair *from, pair *to, int64_t n, int shift) {
    int64_t count[257] = {0};
    for (int64_t i = 0; i < n; i++) count[(from[i].key >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
        if (count[b + 1] == n) return false;
    for (int b = 0; b < 256; b++) count[b + 1] += count[b];
    for (int64_t i = 0; i < n; i++) to[count[from[i].key >> shift & 255]++] = from[i];
    return true;
}

bool gx_np_sort_keys(gx_rt *rt, const uint64_t *keys, int64_t n, int64_t *index) {
    if (n <= 48) {
        insertion(keys, n, index);
        return true;
    }
    pair *a = gx_alloc(rt, (size_t)n * 2 * sizeof *a);
    if (!a) return false;
    pair *from = a, *to = a + n;
    for (int64_t i = 0; i < n; i++) from[i] = (pair){keys[index[i]], index[i]};
    for (int shift = 0; shift < 64; shift += 8)
        if (pass(from, to, n, shift)) {
            pair *t = from;
            from = to;
            to = t;
        }
    for (int64_t i = 0; i < n; i++) index[i] = from[i].at;
    gx_free(rt, a);
    return true;
}

/* Complex numbers: by class (nan in the real part, in the imaginary part), then real, then
   imaginary part; stable passes from the least important on. */
static bool order_complex(gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                          uint64_t *keys, int64_t *index) {
    gx_dtype part = gx_real_dtype(d);
    int64_t half = gx_dtype_size(part);
    gx_np_keys(part, data + half, stride, n, keys);
    if (!gx_np_sort_keys(rt, keys, n, index)) return false;
    uint64_t *classes = gx_alloc(rt, (size_t)n * sizeof *classes);
    if (!classes) return false;
    for (int64_t i = 0; i < n; i++) classes[i] = keys[i] == UINT64_MAX;
    gx_np_keys(part, data, stride, n, keys);
    for (int64_t i = 0; i < n; i++) classes[i] += keys[i] == UINT64_MAX ? 2 : 0;
    bool ok = gx_np_sort_keys(rt, keys, n, index) && gx_np_sort_keys(rt, classes, n, index);
    gx_free(rt, classes);
    return ok;
}

bool gx_np_order(gx_rt *rt, gx_dtype d, const char *data, int64_t stride, int64_t n,
                 int64_t *index) {
    uint64_t *keys = gx_alloc(rt, (size_t)(n + 1) * sizeof *keys);
    if (!keys) return false;
    bool ok;
    for (int64_t i = 0; i < n; i++) index[i] = i;
    if (gx_dtype_kind(d) == GX_KIND_CPLX)
        ok = order_complex(rt, d, data, stride, n, keys, index);
    else {
        gx_np_keys(d, data, stride, n, keys);
        ok = gx_np_sort_keys(rt, keys, n, index);
    }
    gx_free(rt, keys);
    return ok;
}

/* The rows along an axis as a C-contiguous array, that axis last. */
static gx_array *rows_of(gx_np *s, gx_array *a, int axis) {
    return a ? gx_np_contiguous(s, gx_np_moveaxis(s, a, axis, a->ndim - 1)) : NULL;
}

gx_array *gx_np_argsort(gx_np *s, gx_array *a, int axis) {
    gx_array *rows = rows_of(s, a, axis);
    if (!rows) return NULL;
    gx_array *r = gx_np_empty(s, GX_i64, rows->ndim, gx_shape(rows));
    const char *data = gx_np_data(s, rows);
    int64_t *index = gx_np_data_write(s, r);
    if (!data || !index) return NULL;
    int64_t n = gx_shape(rows)[rows->ndim - 1], item = gx_dtype_size(rows->dtype);
    for (int64_t at = 0; at < rows->count; at += n)
        if (!gx_np_order(s->rt, (gx_dtype)rows->dtype, data + at * item, item, n, index + at))
            return NULL;
    return gx_np_moveaxis(s, r, a->ndim - 1, axis);
}

gx_array *gx_np_sorted(gx_np *s, gx_array *a, int axis) {
    gx_array *rows = rows_of(s, a, axis);
    if (!rows) return NULL;
    gx_array *r = gx_np_empty(s, (gx_dtype)rows->dtype, rows->ndim, gx_shape(rows));
    const char *data = gx_np_data(s, rows);
    char *to = gx_np_data_write(s, r);
    int64_t n = gx_shape(rows)[rows->ndim - 1], item = gx_dtype_size(rows->dtype);
    int64_t *index = gx_np_scratch(s, (size_t)(n + 1) * sizeof *index);
    if (!data || !to || !index) return NULL;
    for (int64_t at = 0; at < rows->count; at += n) {
        const char *row = data + at * item;
        if (!gx_np_order(s->rt, (gx_dtype)rows->dtype, row, item, n, index)) return NULL;
        for (int64_t i = 0; i < n; i++)
            memcpy(to + (at + i) * item, row + index[i] * item, (size_t)item);
    }
    return gx_np_moveaxis(s, r, a->ndim - 1, axis);
}

static int64_t lower(const uint64_t *keys, int64_t n, uint64_t key, bool right) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (right ? keys[mid] <= key : keys[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

gx_array *gx_np_search(gx_np *s, gx_array *a, gx_array *v, bool right) {
    if (!a || !v) return NULL;
    gx_dtype d = gx_promote((gx_dtype)a->dtype, (gx_dtype)v->dtype);
    if (gx_dtype_kind(d) == GX_KIND_CPLX) {
        gx_fail(s->rt, GX_TypeError, "search.complex",
                "searchsorted of complex numbers is ambiguous");
        return NULL;
    }
    a = gx_np_contiguous(s, gx_np_cast(s, a, d));
    v = gx_np_contiguous(s, gx_np_cast(s, v, d));
    const char *from = gx_np_data(s, a), *what = gx_np_data(s, v);
    if (!from || !what) return NULL;
    gx_array *r = gx_np_empty(s, GX_i64, v->ndim, gx_shape(v));
    int64_t *to = gx_np_data_write(s, r), item = gx_dtype_size(d);
    uint64_t *keys = gx_np_scratch(s, (size_t)(a->count + 1) * sizeof *keys);
    if (!to || !keys) return NULL;
    gx_np_keys(d, from, item, a->count, keys);
    for (int64_t i = 0; i < v->count; i++) {
        uint64_t key;
        gx_np_keys(d, what + i * item, item, 1, &key);
        to[i] = lower(keys, a->count, key, right);
    }
    return r;
}
