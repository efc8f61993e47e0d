/* Sizes, strides and bytes of arrays and values: the only file that writes them. */
#include "runtime/graph/extent.h"

#include <string.h>

#include "runtime/array/shape.h"

/* Fields that are const everywhere else. */
static inline void put_field(const int64_t *field, int64_t value) {
    *(int64_t *)(uintptr_t)field = value;
}

static inline void put_all(const int64_t *fields, const int64_t *values, int n) {
    for (int i = 0; i < n; i++) put_field(&fields[i], values[i]);
}

static inline void put_head(gx_array *a, int ndim, int64_t offset, int64_t count) {
    *(uint8_t *)(uintptr_t)&a->ndim = (uint8_t)ndim;
    put_field(&a->offset, offset);
    put_field(&a->count, count);
}

bool gx_extent_fail_dims(gx_rt *rt, int64_t n) {
    return gx_fail(rt, GX_ValueError, "shape.dims",
                   "maximum supported dimension for an ndarray is currently %d, found %lld",
                   GX_MAX_DIMS, (long long)n);
}

/* The elements of sizes; false: too many of them, or of dims. */
static inline bool count_elements(int ndim, const int64_t *shape, int64_t item, int64_t *out) {
    int64_t count = 1, bytes;
    bool over = false, empty = false;
    if (ndim > GX_MAX_DIMS) return false;
    for (int i = 0; i < ndim; i++) {
        if (GX_UNLIKELY(shape[i] == 0)) empty = true;
        else over |= __builtin_mul_overflow(count, shape[i], &count);
    }
    over |= __builtin_mul_overflow(count, item, &bytes);
    *out = empty ? 0 : count;
    return !over && bytes <= GX_MAX_BYTES;
}

static bool fail_count(gx_rt *rt, int ndim, const int64_t *shape, int64_t item) {
    int64_t bytes = item;
    bool fits = true;
    if (ndim > GX_MAX_DIMS) return gx_extent_fail_dims(rt, ndim);
    for (int i = 0; i < ndim; i++)
        if (shape[i])
            fits = !__builtin_mul_overflow(bytes, shape[i], &bytes) && shape[i] < INT64_MAX && fits;
    if (fits)
        return gx_fail(rt, GX_MemoryError, "memory.size",
                       "Unable to allocate %.3g GiB for an array: no machine has so much memory",
                       (double)bytes / 0x1p30);
    return gx_fail(rt, GX_ValueError, "shape.size",
                   "array is too big; `arr.size * arr.dtype.itemsize` is larger than the "
                   "maximum possible size.");
}

GX_CHECK bool gx_shape_count(gx_rt *rt, int ndim, const int64_t *shape, int64_t item,
                             int64_t *out) {
    return GX_LIKELY(count_elements(ndim, shape, item, out)) || fail_count(rt, ndim, shape, item);
}

GX_CHECK bool gx_extent_value(gx_rt *rt, gx_data *d, const int64_t *shape) {
    int64_t count, all, item = gx_dtype_size(d->dtype);
    int ndim = d->ndim + d->reduced;
    if (GX_UNLIKELY(!count_elements(d->ndim, shape, item, &count)))
        return fail_count(rt, d->ndim, shape, item);
    if (d->reduced && !count_elements(ndim, shape, 1, &all)) return fail_count(rt, ndim, shape, 1);
    put_all(d->shape, shape, ndim);
    put_field(&d->bytes, count * item);
    return true;
}

enum { RAM_FACTOR = 8 }; /* a single array may claim so many times the machine's memory */

GX_CHECK bool gx_extent_claim(gx_rt *rt, const gx_data *d) {
    if (GX_LIKELY(d->bytes / RAM_FACTOR <= gx_engine_of(rt)->ram)) return true;
    gx_buf shape = gx_buf_new(rt);
    bool ok = true;
    for (int i = 0; ok && i < d->ndim; i++)
        ok = gx_buf_printf(&shape, "%s%lld", i ? ", " : "", (long long)d->shape[i]);
    if (ok)
        gx_fail(rt, GX_MemoryError, "memory.size",
                "Unable to allocate %.3g GiB for an array with shape (%s%s) and data type %s",
                (double)d->bytes / 0x1p30, gx_buf_text(&shape), d->ndim == 1 ? "," : "",
                gx_dtypes[d->dtype].name);
    gx_buf_free(&shape);
    return false;
}

GX_CHECK bool gx_extent_value_take(gx_rt *rt, gx_data *d, const int64_t *shape) {
    if (gx_extent_value(rt, d, shape)) return true;
    gx_data_drop(d);
    return false;
}

void gx_extent_as(gx_data *d, const gx_data *like) {
    put_field(&d->bytes, like->bytes);
    put_all(d->shape, like->shape, d->ndim);
    put_all(d->layout, like->layout, d->ndim);
}

void gx_extent_store(gx_data *d, const gx_data *whole, const gx_array *region) {
    put_field(&d->bytes, whole->bytes);
    put_all(d->shape, gx_shape(region), d->ndim);
    put_all(d->layout, gx_strides(region), d->ndim);
}

static bool fail_outside(gx_rt *rt, int64_t bytes) {
    gx_fail(rt, GX_ValueError, "strides.bounds",
            "the shape and strides reach outside of the array's memory");
    return gx_note(rt, "the array has %lld bytes", (long long)bytes);
}

/* gx_extent_view of an array without elements, or of one that is refused. */
static bool view_slowly(gx_rt *rt, gx_array *a, const int64_t *shape, const int64_t *strides,
                        int64_t offset) {
    int64_t count, item = gx_dtype_size(a->dtype);
    int ndim = a->ndim;
    if (!gx_shape_count(rt, ndim, shape, item, &count)) return false;
    if (count) return fail_outside(rt, a->storage->data->bytes);
    put_head(a, ndim, offset, 0);
    put_all(a->dims, shape, ndim);
    put_all(a->dims + ndim, strides, ndim);
    return true;
}

GX_CHECK bool gx_extent_view(gx_rt *rt, gx_array *a, const int64_t *shape, const int64_t *strides,
                             int64_t offset) {
    int64_t item = gx_dtype_size(a->dtype), count = 1, all, low = offset, high = offset, reach;
    int ndim = a->ndim;
    for (int i = 0; i < ndim; i++) {
        put_field(&a->dims[i], shape[i]);
        put_field(&a->dims[ndim + i], strides[i]);
        if (shape[i] == 0 || __builtin_mul_overflow(count, shape[i], &count) ||
            __builtin_mul_overflow(strides[i], shape[i] - 1, &reach))
            goto slow;
        if (reach >= 0 ? __builtin_add_overflow(high, reach, &high)
                       : __builtin_add_overflow(low, reach, &low))
            goto slow;
    }
    if (GX_LIKELY(!__builtin_mul_overflow(count, item, &all) && all <= GX_MAX_BYTES &&
                  !__builtin_add_overflow(high, item, &high) && low >= 0 &&
                  high <= a->storage->data->bytes)) {
        put_head(a, ndim, offset, count);
        return true;
    }
slow:
    return view_slowly(rt, a, shape, strides, offset);
}

/* The axes of a after its first, as r's from axis 1 - from on: n elements along the first. */
static inline void put_along(gx_array *r, const gx_array *a, int64_t start, int64_t n, int from) {
    int ndim = a->ndim;
    int64_t count = n;
    for (int i = 1; i < ndim; i++) {
        put_field(&r->dims[i - from], a->dims[i]);
        put_field(&r->dims[ndim - from + i - from], a->dims[ndim + i]);
        count *= a->dims[i];
    }
    put_head(r, ndim - from, count ? a->offset + start * a->dims[ndim] : a->offset, count);
}

GX_CHECK bool gx_extent_part(gx_rt *rt, gx_array *r, const gx_array *a, int64_t start, int64_t n) {
    if (GX_UNLIKELY(start < 0 || n < 0 || n > a->dims[0] - start))
        return fail_outside(rt, a->storage->data->bytes);
    put_field(&r->dims[0], n);
    put_field(&r->dims[a->ndim], a->dims[a->ndim]);
    put_along(r, a, start, n, 0);
    return true;
}

GX_CHECK bool gx_extent_row(gx_rt *rt, gx_array *r, const gx_array *a, int64_t row) {
    if (GX_UNLIKELY(row < 0 || row >= a->dims[0]))
        return fail_outside(rt, a->storage->data->bytes);
    put_along(r, a, row, 1, 1);
    return true;
}

/* A fresh array without elements, as NumPy's. */
static void no_strides(gx_array *a) {
    for (int i = 0; i < a->ndim; i++) put_field(&a->dims[a->ndim + i], 0);
}

void gx_extent_whole(gx_array *a, const gx_data *d) {
    int ndim = d->ndim;
    int64_t count = 1;
    for (int i = 0; i < ndim; i++) {
        put_field(&a->dims[i], d->shape[i]);
        put_field(&a->dims[ndim + i], d->layout[i]);
        count *= d->shape[i];
    }
    put_head(a, ndim, 0, count);
    if (GX_UNLIKELY(a->count == 0)) no_strides(a);
}

void gx_extent_similar(gx_data *d, gx_array *a, const gx_array *like) {
    int ndim = like->ndim;
    int64_t item = gx_dtypes[a->dtype].bytes;
    put_head(a, ndim, 0, like->count);
    put_field(&d->bytes, like->count * item);
    for (int i = ndim - 1; i >= 0; i--) {
        put_field(&d->shape[i], like->dims[i]);
        put_field(&a->dims[i], like->dims[i]);
        put_field(&a->dims[ndim + i], item);
        d->layout[i] = item;
        item *= like->dims[i];
    }
    if (GX_UNLIKELY(a->count == 0)) no_strides(a);
}

void gx_array_become(gx_array *a, const gx_array *r) {
    put_head(a, r->ndim, r->offset, r->count);
    put_all(a->dims, r->dims, 2 * r->ndim);
}
