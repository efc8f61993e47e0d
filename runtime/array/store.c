/* Stores: x[...] = e makes a new value and puts it into the storage, so that all views see it and
   pending readers keep what they captured. A store that covers the storage is just the expression.
 */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"

/* Is dst the whole of its storage, some permutation of a contiguous block? */
static bool covers_storage(const gx_array *dst) {
    const gx_data *d = dst->storage->data;
    if (dst->offset != 0 || gx_array_nbytes(dst) != d->bytes || d->dtype != dst->dtype)
        return false;
    if (gx_data_is_foreign(d)) return false;
    int64_t expect = gx_dtype_size(dst->dtype);
    bool used[GX_MAX_DIMS] = {false};
    for (int found = 0; found < dst->ndim; found++) {
        int k = -1;
        for (int i = 0; i < dst->ndim && k < 0; i++) {
            if (!used[i] && (gx_shape(dst)[i] == 1 || gx_strides(dst)[i] == expect)) k = i;
        }
        if (k < 0) return false;
        used[k] = true;
        expect *= gx_shape(dst)[k];
    }
    return true;
}

static bool fail_readonly(gx_rt *rt, const gx_array *dst) {
    gx_fail(rt, GX_ValueError, "array.readonly", "assignment destination is read-only");
    if (dst->base)
        gx_note(rt, "it is a broadcast or read-only view; a copy can be written: .copy()");
    return false;
}

/* A MAP over dst's index space that has dst's layout, its input still open. */
static gx_data *covering_map(gx_rt *rt, const gx_array *dst) {
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, (gx_dtype)dst->dtype, dst->ndim, dst->ndim, 1);
    if (!m || !gx_extent_value_take(rt, m, gx_shape(dst))) return NULL;
    m->compute = (uint8_t)dst->dtype;
    for (int i = 0; i < dst->ndim; i++) {
        /* strides of size-1 dims carry no meaning in an array, but a layout must be ordered */
        m->layout[i] = gx_strides(dst)[i] > 0 ? gx_strides(dst)[i] : gx_dtype_size(dst->dtype);
    }
    return m;
}

/* Is src the whole of a value that can stand in dst's storage as it is? */
static bool same_layout(const gx_array *dst, const gx_array *src) {
    const gx_data *d = src->storage->data;
    if (src->dtype != dst->dtype || d->dtype != dst->dtype || src->ndim != dst->ndim ||
        src->offset != 0)
        return false;
    if (d->bytes != gx_array_nbytes(dst) || gx_data_is_foreign(d)) return false;
    if (d->place != gx_array_place(dst)) return false;
    for (int i = 0; i < dst->ndim; i++) {
        if (gx_shape(src)[i] != gx_shape(dst)[i]) return false;
        if (gx_shape(dst)[i] > 1 && gx_strides(src)[i] != gx_strides(dst)[i]) return false;
    }
    return true;
}

/* x[key] += y ends with storing x[key] into itself. */
static bool is_itself(const gx_array *dst, const gx_array *src) {
    return src->storage == dst->storage && src->offset == dst->offset && src->dtype == dst->dtype &&
           src->ndim == dst->ndim &&
           memcmp(src->dims, dst->dims, (size_t)dst->ndim * 2 * sizeof(int64_t)) == 0;
}

static void set_edge(gx_data *m, int k, const gx_array *src) {
    m->in[k].data = gx_data_keep(src->storage->data);
    m->in[k].offset = src->offset;
    m->in[k].dtype = (uint8_t)src->dtype;
    memcpy(m->in[k].strides, gx_strides(src), (size_t)src->ndim * sizeof(int64_t));
}

/* The STORE over dst's region, its expression still open. */
static gx_data *region_store(gx_rt *rt, const gx_array *dst) {
    gx_data *d = gx_data_new(rt, GX_DATA_STORE, (gx_dtype)dst->dtype, dst->ndim, dst->ndim, 2);
    if (!d) return NULL;
    gx_data *old = dst->storage->data;
    gx_extent_store(d, old, dst);
    d->compute = (uint8_t)dst->dtype;
    d->region_offset = dst->offset;
    memset(d->in[0].strides, 0, (size_t)dst->ndim * sizeof(int64_t));
    memset(d->in[1].strides, 0, (size_t)dst->ndim * sizeof(int64_t));
    d->in[0].data = gx_data_keep(old);
    d->in[0].dtype = old->dtype;
    return d;
}

enum { FEW = 512 };

/* May a few elements be written into dst's buffer at once? Only where nobody else reads it. */
static bool is_open(const gx_rt *rt, const gx_array *dst) {
    const gx_data *d = dst->storage->data;
    return dst->count <= FEW && rt->debug.small && rt->device->backend->small &&
           d->kind == GX_DATA_READY && d->refs == 1 && gx_copies_sole_host(&d->copies) &&
           (dst->dtype == GX_bool || d->dtype != GX_bool);
}

/* Writes elements of dst's dtype, element by element; a stride of 0 repeats. */
static void write_few(const gx_array *dst, const char *from, const int64_t *steps) {
    const int64_t *shape = gx_shape(dst), *strides = gx_strides(dst);
    size_t item = (size_t)gx_dtype_size(dst->dtype);
    dst->storage->blank = false;
    char *to = gx_data_bytes(dst->storage->data) + dst->offset;
    int64_t at[GX_MAX_DIMS];
    int last = dst->ndim - 1;
    int64_t inner = last < 0 ? 1 : shape[last], stride = last < 0 ? 0 : strides[last],
            step = last < 0 ? 0 : steps[last];
    for (int k = 0; k < last; k++) at[k] = 0; /* the rest is never read */
    for (;;) {
        for (int64_t i = 0; i < inner; i++) gx_item_copy(to + i * stride, from + i * step, item);
        int k = last - 1;
        for (; k >= 0; k--) {
            to += strides[k];
            from += steps[k];
            if (++at[k] < shape[k]) break;
            to -= strides[k] * shape[k];
            from -= steps[k] * shape[k];
            at[k] = 0;
        }
        if (k < 0) return;
    }
}

/* Ready elements of the same dtype from another storage, a few of them? */
static bool is_plain_copy(const gx_rt *rt, const gx_array *dst, const gx_array *src) {
    const gx_data *d = src->storage->data;
    return src->dtype == dst->dtype && src->storage != dst->storage && !gx_array_is_loose(src) &&
           d->kind == GX_DATA_READY && gx_data_on(d, GX_HOST) &&
           gx_data_on(d, GX_HOST) != gx_data_on(dst->storage->data, GX_HOST) &&
           is_open(rt, dst);
}

/* src's storage is dropped with src, unread: it gives up its value now, so that the store may
   compute the expression into the buffer that it reads. */
static void let_go(gx_rt *rt, const gx_array *src) {
    gx_storage *c = src->storage;
    gx_data *d = c->data;
    c->data = NULL;
    gx_storage_unlist(rt, c);
    d->storages--;
    gx_data_drop(d);
}

static bool store_region(gx_rt *rt, gx_array *dst, const gx_array *src, bool last) {
    if (is_plain_copy(rt, dst, src)) {
        write_few(dst, gx_data_bytes(src->storage->data) + src->offset, gx_strides(src));
        return true;
    }
    gx_data *d = region_store(rt, dst);
    if (!d) return false;
    set_edge(d, 1, src);
    gx_data_count(d);
    d->place = (uint8_t)gx_array_place(dst);
    if (last) let_go(rt, src);
    return gx_storage_put_take(rt, dst->storage, d);
}

/* Into the bytes of a file. The expression is computed apart first: it may read them. */
static bool store_mapped(gx_rt *rt, gx_array *dst, gx_array *src) {
    const char *from;
    gx_array *t = src;
    bool apart = src->dtype != dst->dtype || src->storage == dst->storage;
    if (apart) {
        if (!gx_array_cast(rt, src, (gx_dtype)dst->dtype, true, &t)) return false;
    } else {
        gx_array_keep(t);
    }
    bool ok = gx_array_read(rt, t, &from) && gx_storage_own_map(rt, dst->storage);
    if (ok) write_few(dst, from, gx_strides(t));
    gx_array_drop(t);
    return ok;
}

/* `last`: nobody but the caller has src or its storage, and it will not read them again. */
static bool store(gx_rt *rt, gx_array *dst, gx_array *src, bool last) {
    if (dst->flags & GX_ARRAY_READONLY) return fail_readonly(rt, dst);
    gx_array *wide = NULL;
    const gx_array *given = src;
    while (src->ndim > dst->ndim &&
           gx_shape(src)[0] == 1) { /* leading 1s may be dropped, as NumPy does */
        gx_array *less;
        if (!gx_squeeze(rt, wide ? wide : src, 1, &less)) {
            gx_array_drop(wide);
            return false;
        }
        gx_array_drop(wide);
        src = wide = less;
    }
    gx_array *b;
    bool ok = gx_broadcast_to(rt, src, dst->ndim, gx_shape(dst), &b);
    gx_array_drop(wide);
    if (!ok) {
        if (rt->error.kind != GX_ValueError) return false; /* no memory */
        gx_error_clear(rt);
        gx_buf text = gx_buf_new(rt);
        if (gx_buf_puts(&text, "could not broadcast input array from shape ") &&
            gx_shape_text(&text, given->ndim, gx_shape(given)) &&
            gx_buf_puts(&text, " into shape ") && gx_shape_text(&text, dst->ndim, gx_shape(dst))) {
            gx_fail(rt, GX_ValueError, "shape.store", "%s", gx_buf_text(&text));
        }
        gx_buf_free(&text);
        return false;
    }
    if (dst->count == 0 || is_itself(dst, b)) ok = true;
    else if (gx_is_kind(dst->dtype) || gx_is_kind(b->dtype)) ok = gx_kind_store(rt, dst, b);
    else if (dst->storage->mapped) ok = store_mapped(rt, dst, b);
    else if (!covers_storage(dst)) ok = store_region(rt, dst, b, last);
    else if (same_layout(dst, b))
        ok = gx_storage_put_take(rt, dst->storage, gx_data_keep(b->storage->data));
    else {
        gx_data *m = covering_map(rt, dst);
        ok = m != NULL;
        if (ok) {
            set_edge(m, 0, b);
            gx_data_count(m);
            m->place = (uint8_t)gx_array_place(dst);
            ok = gx_storage_put_take(rt, dst->storage, m);
        }
    }
    gx_array_drop(b);
    return ok;
}

/* Will nobody read this pending expression again? As reduce.c's dying_value: the temporary in
   x[key] = a + b has one owner, or, while it is stored, `holders`. */
static gx_data *dying_value(const gx_array *dst, const gx_array *src, uint32_t holders) {
    gx_data *d = src->storage->data;
    if (d->kind == GX_DATA_READY || d->storages != 1 || src->base || src->storage == dst->storage)
        return NULL;
    if (gx_array_place(dst) == GX_HOST || src->obj.refs != holders || src->storage->refs != 1)
        return NULL;
    return d->reads < 2 ? d : NULL;
}

GX_CHECK bool gx_array_store(gx_rt *rt, gx_array *dst, gx_array *src) {
    return gx_array_store_of(rt, dst, src, 1);
}

GX_CHECK bool gx_array_store_of(gx_rt *rt, gx_array *dst, gx_array *src, uint32_t holders) {
    gx_data *dying = covers_storage(dst) ? NULL : dying_value(dst, src, holders);
    if (!dying) return store(rt, dst, src, false);
    dying->reads++;
    dying->storages--;
    gx_data_keep(dying);
    bool ok = store(rt, dst, src, false);
    dying->storages++;
    gx_data_drop(dying);
    return ok;
}

GX_CHECK bool gx_array_store_take(gx_rt *rt, gx_array *dst, gx_array *src) {
    bool last = src->obj.refs == 1 && src->storage->refs == 1 && src->storage != dst->storage &&
                !src->base && src->storage->data->kind == GX_DATA_MAP;
    bool ok = last ? store(rt, dst, src, true) : gx_array_store(rt, dst, src);
    gx_array_drop(src);
    return ok;
}

GX_CHECK bool gx_array_fill(gx_rt *rt, gx_array *dst, const gx_scalar *s) {
    if (dst->flags & GX_ARRAY_READONLY) return fail_readonly(rt, dst);
    if (gx_is_kind(dst->dtype)) return gx_kind_refuse(rt, (gx_dtype)dst->dtype, "fill");
    if (dst->count == 0) return true;
    if (is_open(rt, dst)) {
        static const int64_t same[GX_MAX_DIMS];
        write_few(dst, (const char *)s, same);
        return true;
    }
    if (dst->storage->mapped) {
        static const int64_t same[GX_MAX_DIMS];
        if (!gx_storage_own_map(rt, dst->storage)) return false;
        write_few(dst, (const char *)s, same);
        return true;
    }
    if (!covers_storage(dst)) {
        gx_data *d = region_store(rt, dst);
        if (!d) return false;
        d->imm[1] = *s;
        gx_data_count(d);
        d->place = (uint8_t)gx_array_place(dst);
        return gx_storage_put_take(rt, dst->storage, d);
    }
    gx_data *m = covering_map(rt, dst);
    if (!m) return false;
    m->kind = GX_DATA_FILL;
    m->arity = 0;
    m->imm[0] = *s;
    gx_data_count(m);
    m->place = (uint8_t)gx_array_place(dst);
    return gx_storage_put_take(rt, dst->storage, m);
}
