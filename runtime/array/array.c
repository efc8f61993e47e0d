/* Arrays: making them, views, copies, and reading and writing elements on the host. Stores are
   store.c's, whether two share memory is overlap.c's, conversion from values asarray.c's, what the
   type can do array_type.c's. */
#include <string.h>

#include "runtime/array/kind/kind.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/graph/extent.h"
#include "runtime/graph/lazy.h"
#include "runtime/graph/out_of_memory.h"
#include "runtime/object/heap.h"
#include "runtime/object/warn.h"

static inline gx_array *new_head(gx_rt *rt, const gx_type *type, size_t extra, gx_storage *storage,
                                 gx_dtype d, int ndim, gx_namespace ns) {
    const size_t room = (size_t)(ndim < GX_ARRAY_ROOM ? GX_ARRAY_ROOM : ndim);
    gx_array *a = gx_obj_raw(rt, type, sizeof *a + room * 2 * sizeof(int64_t) + extra);
    if (!a) return NULL;
    gx_extent_begin(a, ndim);
    a->storage = storage;
    a->base = NULL;
    a->dtype = (uint16_t)d;
    a->ns = (uint8_t)ns;
    a->flags = 0;
    a->room = (uint8_t)room;
    a->origin = rt->here;
    storage->refs++;
    return a;
}

GX_CHECK gx_array *gx_array_head(gx_rt *rt, gx_storage *storage, gx_dtype d, int ndim,
                                 gx_namespace ns) {
    return new_head(rt, gx_core_types[GX_ARRAY], 0, storage, d, ndim, ns);
}

GX_CHECK gx_array *gx_array_head_as(gx_rt *rt, const gx_type *type, size_t extra,
                                    gx_storage *storage, gx_dtype d, int ndim, gx_namespace ns) {
    return new_head(rt, type, extra, storage, d, ndim, ns);
}

GX_CHECK bool gx_array_of_data_take(gx_rt *rt, gx_data *d, gx_namespace ns, gx_array **out) {
    if (!gx_place_choose(rt, d, &ns)) {
        gx_data_drop(d);
        return false;
    }
    int ndim = d->ndim;
    gx_dtype dtype = (gx_dtype)d->dtype;
    gx_storage *storage;
    if (!gx_storage_new_take(rt, d, &storage)) return false;
    gx_array *a = gx_array_head(rt, storage, dtype, ndim, ns);
    if (!a) {
        gx_storage_drop(rt, storage);
        return false;
    }
    storage->refs--; /* the array's */
    d = storage->data; /* computing it keeps its shape */
    gx_extent_whole(a, d);
    *out = a;
    return true;
}

/* Shape and a contiguous layout into a value; MemoryError when no machine of this size could hold
 * it. */
static bool set_shape(gx_rt *rt, gx_data *v, const int64_t *shape, char order) {
    int64_t item = gx_dtype_size(v->dtype);
    if (!gx_extent_value(rt, v, shape) || !gx_extent_claim(rt, v)) return false;
    if (v->ndim == 1) v->layout[0] = item;
    else gx_contiguous_strides(v->ndim, shape, item, order, v->layout);
    return true;
}

enum { SMALL_COUNT = 256 }; /* elements */

/* A value of a kind with this shape, as an array. */
static bool make_source(gx_rt *rt, gx_data *v, const int64_t *shape, gx_namespace ns,
                        gx_array **out) {
    if (!v) return false;
    if (!set_shape(rt, v, shape, 'C')) {
        gx_data_drop(v);
        return false;
    }
    return gx_array_of_data_take(rt, v, ns, out);
}

/* The same of elements that are no numbers: their words. */
static bool empty_kind(gx_rt *rt, gx_place place, gx_dtype d, int ndim, const int64_t *shape,
                       char order, const int *axes, gx_namespace ns, gx_array **out) {
    int64_t sizes[GX_MAX_DIMS];
    int all[GX_MAX_DIMS];
    gx_array *words;
    if (!gx_kind_open(rt, &d)) return false;
    if (ndim + 1 > GX_MAX_DIMS) return gx_extent_fail_dims(rt, ndim + 1);
    const gx_dtype word = gx_kind_word(d);
    for (int i = 0; i < ndim; i++) {
        sizes[i] = shape[i];
        all[i] = axes ? axes[i] : order == 'F' ? ndim - 1 - i : i;
    }
    sizes[ndim] = gx_dtype_size(d) / gx_dtype_size(word);
    all[ndim] = ndim;
    return gx_array_empty_in(rt, place, word, ndim + 1, sizes, all, ns, &words) &&
           gx_array_of_words_take(rt, words, d, out);
}

/* axes: the order in memory that is neither C's nor Fortran's, or NULL. */
static bool make_empty(gx_rt *rt, gx_place place, gx_dtype d, int ndim, const int64_t *shape,
                       char order, const int *axes, gx_namespace ns, gx_array **out) {
    if (gx_is_kind(d)) return empty_kind(rt, place, d, ndim, shape, order, axes, ns, out);
    gx_data *v = gx_data_new(rt, GX_DATA_READY, d, ndim, ndim, 0);
    if (!v) return false;
    v->leaves = 1;
    v->place = (uint8_t)place;
    bool ok = set_shape(rt, v, shape, order);
    if (ok && axes) gx_order_strides(ndim, shape, gx_dtype_size(d), axes, v->layout);
    gx_buffer *b;
    if (ok && !gx_buffer_at(rt, place, v->bytes, &b)) {
        ok = false;
        if (gx_out_of_memory(rt)) {
            gx_memory_reclaim(rt);
            (void)gx_collect(rt); /* arrays in rings of containers; no graph is being computed */
            ok = gx_buffer_at(rt, place, v->bytes, &b) ||
                 (gx_out_of_memory(rt) && gx_out_of_memory_explain(rt, v));
        }
    }
    if (!ok) {
        gx_data_drop(v);
        return false;
    }
    gx_copies_begin_take(&v->copies, b);
    v->held = v->bytes;
    return gx_array_of_data_take(rt, v, ns, out);
}

GX_CHECK bool gx_array_empty(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                             gx_array **out) {
    return make_empty(rt, GX_HOST, d, ndim, shape, 'C', NULL, ns, out);
}

GX_CHECK bool gx_array_empty_at(gx_rt *rt, gx_place place, gx_dtype d, int ndim,
                                const int64_t *shape, gx_namespace ns, gx_array **out) {
    return make_empty(rt, place, d, ndim, shape, 'C', NULL, ns, out);
}

GX_CHECK bool gx_array_empty_in(gx_rt *rt, gx_place place, gx_dtype d, int ndim,
                                const int64_t *shape, const int *order, gx_namespace ns,
                                gx_array **out) {
    const int *axes = gx_order_is_c(ndim, order) ? NULL : order;
    return make_empty(rt, place, d, ndim, shape, 'C', axes, ns, out);
}

GX_CHECK bool gx_array_empty_f(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape,
                               gx_namespace ns, gx_array **out) {
    return make_empty(rt, GX_HOST, d, ndim, shape, 'F', NULL, ns, out);
}

/* A few equal elements are written at once: less work than a plan for them later. */
static bool fill_small(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                       const gx_scalar *fill, gx_array **out) {
    gx_array *a;
    if (!gx_array_empty(rt, d, ndim, shape, ns, &a)) return false;
    size_t item = (size_t)gx_dtype_size(d);
    char *to = gx_data_bytes(a->storage->data);
    for (int64_t i = 0; i < a->count; i++) gx_item_copy(to + (size_t)i * item, fill, item);
    *out = a;
    return true;
}

/* Is a new array so small that the host writes it directly? */
static bool is_small(const gx_rt *rt, int ndim, const int64_t *shape) {
    int64_t count = 1;
    if (!rt->debug.small || !rt->device->backend->small) return false;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] > SMALL_COUNT) return false;
        count *= shape[i];
        if (count > SMALL_COUNT) return false;
    }
    return count > 0;
}

static bool zeros_of_kind(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                          gx_array **out) {
    static const gx_scalar zero;
    int64_t sizes[GX_MAX_DIMS];
    gx_array *words;
    if (!gx_kind_open(rt, &d)) return false;
    if (ndim + 1 > GX_MAX_DIMS) return gx_extent_fail_dims(rt, ndim + 1);
    const gx_dtype word = gx_kind_word(d);
    for (int i = 0; i < ndim; i++) sizes[i] = shape[i];
    sizes[ndim] = gx_dtype_size(d) / gx_dtype_size(word);
    return gx_array_full(rt, word, ndim + 1, sizes, ns, &zero, &words) &&
           gx_array_of_words_take(rt, words, d, out);
}

/* Of what is no number the fill is zeros. */
GX_CHECK bool gx_array_full(gx_rt *rt, gx_dtype d, int ndim, const int64_t *shape, gx_namespace ns,
                            const gx_scalar *fill, gx_array **out) {
    if (gx_is_kind(d)) return zeros_of_kind(rt, d, ndim, shape, ns, out);
    if (is_small(rt, ndim, shape)) return fill_small(rt, d, ndim, shape, ns, fill, out);
    gx_data *v = gx_data_new(rt, GX_DATA_FILL, d, ndim, ndim, 0);
    if (v) v->imm[0] = *fill;
    return make_source(rt, v, shape, ns, out);
}

/* The same of a few numbers that are counted. */
static bool count_small(gx_rt *rt, gx_dtype d, int64_t n, const gx_scalar *first,
                        const gx_scalar *step, gx_namespace ns, gx_array **out) {
    if (!gx_array_empty(rt, d, 1, &n, ns, out)) return false;
    void *to = gx_data_bytes((*out)->storage->data);
    if (d == GX_f64)
        for (int64_t i = 0; i < n; i++) ((double *)to)[i] = first->f64 + (double)i * step->f64;
    else
        for (int64_t i = 0; i < n; i++)
            ((uint64_t *)to)[i] = (uint64_t)first->i64 + (uint64_t)i * (uint64_t)step->i64;
    return true;
}

GX_CHECK bool gx_array_iota(gx_rt *rt, gx_dtype d, int64_t n, const gx_scalar *first,
                            const gx_scalar *step, gx_namespace ns, gx_array **out) {
    if ((d == GX_i64 || d == GX_f64) && is_small(rt, 1, &n) && !rt->explaining)
        return count_small(rt, d, n, first, step, ns, out);
    gx_data *v = gx_data_new(rt, GX_DATA_IOTA, d, 1, 1, 0);
    if (v) {
        v->imm[0] = *first;
        v->imm[1] = *step;
    }
    return make_source(rt, v, &n, ns, out);
}

GX_CHECK bool gx_array_random(gx_rt *rt, gx_dist dist, int ndim, const int64_t *shape,
                              uint64_t seed, uint64_t counter, gx_namespace ns, gx_array **out) {
    static const uint8_t dtypes[] = {GX_u32, GX_f32, GX_f64, GX_f32, GX_f64, GX_u64};
    gx_data *v = gx_data_new(rt, GX_DATA_RANDOM, (gx_dtype)dtypes[dist], ndim, ndim, 0);
    if (v) {
        v->red = (uint8_t)dist;
        v->seed = seed;
        v->counter = counter;
    }
    return make_source(rt, v, shape, ns, out);
}

GX_CHECK bool gx_array_scalar(gx_rt *rt, gx_dtype d, const gx_scalar *s, gx_namespace ns,
                              gx_array **out) {
    gx_array *a;
    if (!gx_array_empty(rt, d, 0, NULL, ns, &a)) return false;
    if (!rt->device->backend->put(gx_data_on(a->storage->data, GX_HOST), 0, s, gx_dtype_size(d))) {
        gx_array_drop(a);
        return false;
    }
    *out = a;
    return true;
}

/* The head of a view of base, whose extent is to be put. */
static inline gx_array *view_head(gx_rt *rt, gx_array *base, gx_dtype d, int ndim) {
    gx_array *a =
        new_head(rt, gx_core_types[GX_ARRAY], 0, base->storage, d, ndim, (gx_namespace)base->ns);
    if (!a) return NULL;
    a->flags = base->flags;
    a->base = base->base ? base->base : base;
    gx_array_keep(a->base);
    return a;
}

/* The view, if its extent was right. */
static inline bool give_view(gx_array *a, bool ok, gx_array **out) {
    if (GX_UNLIKELY(!ok)) {
        gx_array_drop(a);
        return false;
    }
    *out = a;
    return true;
}

GX_CHECK bool gx_array_view(gx_rt *rt, gx_array *base, gx_dtype d, int ndim, const int64_t *shape,
                            const int64_t *strides, int64_t offset, gx_array **out) {
    int64_t count;
    if (ndim > GX_MAX_DIMS) return gx_shape_count(rt, ndim, shape, 1, &count);
    if ((d != base->dtype || gx_is_kind(d)) && !gx_storage_force(rt, base->storage)) return false;
    gx_array *a = view_head(rt, base, d, ndim);
    return a && give_view(a, gx_extent_view(rt, a, shape, strides, offset), out);
}

GX_CHECK bool gx_array_rows(gx_rt *rt, gx_array *base, int64_t start, int64_t n, gx_array **out) {
    gx_array *a = view_head(rt, base, (gx_dtype)base->dtype, base->ndim);
    return a && give_view(a, gx_extent_part(rt, a, base, start, n), out);
}

GX_CHECK bool gx_array_row(gx_rt *rt, gx_array *base, int64_t row, gx_array **out) {
    gx_array *a = view_head(rt, base, (gx_dtype)base->dtype, base->ndim - 1);
    return a && give_view(a, gx_extent_row(rt, a, base, row), out);
}

/* --- elements on the host --- */

/* Is this a view of a pending value that is better computed for itself: a part of something huge,
   or of a temporary that nobody else will read? */
static bool part_of_pending(gx_rt *rt, const gx_array *a) {
    const gx_data *d = a->storage->data;
    if (gx_is_kind(a->dtype)) return false;
    if (d->kind == GX_DATA_READY || gx_array_nbytes(a) >= d->bytes) return false;
    if (d->bytes > gx_engine_of(rt)->ram / 8) return true;
    return a->base && a->base->obj.refs == 1 && a->storage->refs == 2;
}

/* A value that is the view's elements alone, ready, in C order. */
static bool compute_part(gx_rt *rt, const gx_array *a, gx_data **out) {
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, (gx_dtype)a->dtype, a->ndim, a->ndim, 1);
    if (!m) return false;
    if (!gx_extent_value_take(rt, m, gx_shape(a))) return false;
    m->compute = (uint8_t)a->dtype;
    gx_contiguous_strides(a->ndim, gx_shape(a), gx_dtype_size(a->dtype), 'C', m->layout);
    memcpy(m->in[0].strides, gx_strides(a), (size_t)a->ndim * sizeof(int64_t));
    m->in[0].data = gx_data_keep(a->storage->data);
    m->in[0].offset = a->offset;
    m->in[0].dtype = (uint8_t)a->dtype;
    gx_data_count(m);
    /* The variable's value is not wanted as a whole: see plan.c's may_fuse. */
    uint32_t storages = a->storage->data->storages;
    a->storage->data->storages = 0;
    bool ok = gx_data_force(rt, m);
    a->storage->data->storages = storages;
    if (!ok) {
        gx_data_drop(m);
        return false;
    }
    *out = m;
    return true;
}

/* A byte 0 or 1 for each byte of a value. Bytes of a file may have changed since the last time. */
static bool truths_of(gx_rt *rt, gx_data *d, char **out) {
    const gx_buffer *b = gx_data_on(d, GX_HOST);
    bool fresh;
    if (!gx_copies_truths(rt, &d->copies, d->bytes, out, &fresh)) return false;
    const bool known = !fresh && !b->foreign;
    for (int64_t i = 0; !known && i < d->bytes; i++) (*out)[i] = b->data[i] != 0;
    return true;
}

GX_CHECK bool gx_array_read(gx_rt *rt, const gx_array *a, const char **data) {
    char *bytes;
    if (!gx_storage_force(rt, a->storage) || !gx_data_host(rt, a->storage->data, &bytes))
        return false;
    if (gx_array_is_loose(a) && !truths_of(rt, a->storage->data, &bytes)) return false;
    *data = bytes + a->offset;
    return true;
}

void gx_array_from_outside(gx_array *a) {
    gx_data *d = a->storage->data;
    if (a->dtype != GX_bool) return;
    const gx_buffer *b = gx_data_on(d, GX_HOST);
    bool plain = b && !b->foreign; /* a file's bytes may change later */
    for (int64_t i = 0; plain && i < d->bytes; i++) plain = (b->data[i] & ~1) == 0;
    if (!plain) d->dtype = GX_u8;
}

GX_CHECK bool gx_array_writable(gx_rt *rt, const gx_array *a) {
    return !(a->flags & GX_ARRAY_READONLY) ||
           gx_fail(rt, GX_ValueError, "array.readonly", "assignment destination is read-only");
}

void gx_array_blank(gx_array *a) {
    a->storage->blank = true;
}

GX_CHECK bool gx_array_write(gx_rt *rt, gx_array *a, char **data) {
    gx_buffer *b;
    if (!gx_array_writable(rt, a) || !gx_storage_own(rt, a->storage, GX_HOST, &b)) return false;
    if (a->dtype != GX_bool && a->storage->data->dtype == GX_bool) a->storage->data->dtype = GX_u8;
    *data = b->data + a->offset;
    return true;
}

GX_CHECK bool gx_array_item(gx_rt *rt, const gx_array *a, gx_scalar *out) {
    return gx_array_item_at(rt, a, 0, out);
}

GX_CHECK bool gx_array_item_at(gx_rt *rt, const gx_array *a, int64_t i, gx_scalar *out) {
    int64_t at = 0, item = gx_dtype_size(a->dtype);
    gx_scalar s = {.bits = {0, 0}};
    if (gx_is_kind(a->dtype)) return gx_kind_refuse(rt, (gx_dtype)a->dtype, "a number's element");
    if (part_of_pending(rt, a)) {
        gx_data *part;
        if (!compute_part(rt, a, &part)) return false;
        bool ok = gx_data_peek(rt, part, i * item, &s, (size_t)item);
        gx_data_drop(part);
        if (ok) *out = s;
        return ok;
    }
    for (int k = a->ndim - 1; k >= 0 && i > 0; k--) {
        at += i % gx_shape(a)[k] * gx_strides(a)[k];
        i /= gx_shape(a)[k];
    }
    if (!gx_storage_force(rt, a->storage) ||
        !gx_data_peek(rt, a->storage->data, a->offset + at, &s, (size_t)item))
        return false;
    if (a->dtype == GX_bool) s.b = s.b != 0;
    *out = s;
    return true;
}

/* Does this element stay on the GPU until somebody asks for the number? Of an array whose elements
   are read one by one only the first few do: then it is fetched as a whole. */
static bool stays(gx_rt *rt, const gx_array *a) {
    enum { SMALL = 1 << 16, FEW_OF_SMALL = 2, FEW = 64 };
    gx_data *d = a->storage->data;
    if (d->place == GX_HOST || rt->debug.eager) return false;
    const bool here = gx_data_on(d, GX_HOST) != NULL;
    if (d->kind != GX_DATA_READY || d->bytes == gx_dtype_size(a->dtype)) return !here;
    if (here || d->peeks >= (d->bytes <= SMALL ? FEW_OF_SMALL : FEW)) return false;
    d->peeks++;
    return true;
}

GX_CHECK bool gx_array_element(gx_rt *rt, const gx_array *a, gx_value *out) {
    gx_data *d = a->storage->data;
    gx_scalar s;
    if (gx_is_kind(a->dtype)) return gx_kind_element(rt, a, false, out);
    if (!stays(rt, a))
        return gx_array_item(rt, a, &s) && gx_scalar_new(rt, (gx_dtype)a->dtype, &s, out);
    if (d->bytes != gx_dtype_size(a->dtype) || d->dtype != a->dtype) {
        if (!part_of_pending(rt, a) && !gx_storage_force(rt, a->storage)) return false;
        if (!compute_part(rt, a, &d)) return false;
    } else {
        if (!gx_storage_force(rt, a->storage)) return false;
        d = gx_data_keep(a->storage->data);
    }
    bool ok = gx_scalar_later(rt, d, out);
    gx_data_drop(d);
    return ok;
}

GX_CHECK bool gx_array_result_take(gx_rt *rt, gx_array *a, gx_value *out) {
    if (a->ndim > 0 || GX_UNLIKELY(rt->explaining)) {
        *out = gx_array_value(a);
        return true;
    }
    bool ok = gx_array_element(rt, a, out);
    gx_array_drop(a);
    return ok;
}

/* --- copies --- */

/* A few ready elements one after the other are converted at once. */
static bool can_cast_small(const gx_rt *rt, const gx_array *a, gx_dtype d, gx_namespace ns) {
    const gx_data *from = a->storage->data;
    return d != a->dtype && ns == a->ns && from->kind == GX_DATA_READY &&
           from->place == GX_HOST && gx_data_on(from, GX_HOST) && !gx_array_is_loose(a) &&
           is_small(rt, a->ndim, gx_shape(a)) && gx_array_is_contiguous(a, 'C') && !rt->explaining;
}

static bool cast_small(gx_rt *rt, const gx_array *a, gx_dtype d, gx_namespace ns, gx_array **out) {
    const gx_data *from = a->storage->data;
    const void *in[3] = {gx_data_bytes(from) + a->offset, NULL, NULL};
    gx_array *r;
    int fp = 0;
    if (!gx_array_empty(rt, d, a->ndim, gx_shape(a), ns, &r)) return false;
    if (!rt->device->backend->small(rt->device, GX_OP_NONE, (gx_dtype)a->dtype, d,
                                    gx_data_bytes(r->storage->data), in, a->count, 0, &fp) ||
        (fp && !gx_fp_warn(rt, fp, "cast", rt->here))) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

void gx_array_copy_order(const gx_array *a, int *order) {
    const bool c = gx_array_is_contiguous(a, 'C');
    if (!c && !gx_array_is_contiguous(a, 'F')) gx_order_of_copy(a->ndim, gx_strides(a), order);
    else
        for (int i = 0; i < a->ndim; i++) order[i] = c ? i : a->ndim - 1 - i;
}

/* A copy of a's elements, converted to d, in an order; pending, if they are many. */
static bool copy_as(gx_rt *rt, gx_array *a, gx_dtype d, char order, gx_namespace ns,
                    gx_array **out) {
    if (gx_is_kind(a->dtype) || gx_is_kind(d)) return gx_kind_copy(rt, a, d, order, ns, out);
    if ((order == 'C' || order == 'K') && can_cast_small(rt, a, d, ns))
        return cast_small(rt, a, d, ns, out);
    gx_data *m = gx_data_new(rt, GX_DATA_MAP, d, a->ndim, a->ndim, 1);
    if (!m) return false;
    if (!gx_extent_value_take(rt, m, gx_shape(a))) return false;
    m->compute = (uint8_t)d;
    memcpy(m->in[0].strides, gx_strides(a), (size_t)a->ndim * sizeof(int64_t));
    m->in[0].data = gx_data_keep(a->storage->data);
    m->in[0].offset = a->offset;
    m->in[0].dtype = (uint8_t)a->dtype;
    gx_data_count(m);
    if (order == 'K') {
        int axes[GX_MAX_DIMS];
        gx_array_copy_order(a, axes);
        gx_order_strides(a->ndim, gx_shape(a), gx_dtype_size(d), axes, m->layout);
    } else {
        gx_contiguous_strides(a->ndim, gx_shape(a), gx_dtype_size(d), order, m->layout);
    }
    return gx_array_of_data_take(rt, m, ns, out);
}

/* Is the array exactly its storage's value, so that a copy can share it? Values are immutable: the
   first store into either makes them part. */
static bool is_whole_value(const gx_array *a) {
    const gx_data *d = a->storage->data;
    return d->dtype == a->dtype && a->offset == 0 && d->bytes == gx_array_nbytes(a) &&
           !gx_data_is_foreign(d);
}

/* Are the strides those of a new array, along axes of one element too? */
static bool is_laid(const gx_array *a, char order) {
    int64_t strides[GX_MAX_DIMS];
    if (a->ndim < 2) return gx_array_is_contiguous(a, 'C');
    gx_contiguous_strides(a->ndim, gx_shape(a), gx_dtype_size(a->dtype), order, strides);
    return memcmp(strides, gx_strides(a), (size_t)a->ndim * sizeof *strides) == 0;
}

static bool share_value(gx_rt *rt, const gx_array *a, gx_namespace ns, gx_array **out) {
    gx_storage *storage;
    if (!gx_storage_new_take(rt, gx_data_keep(a->storage->data), &storage)) return false;
    gx_array *c = gx_array_head(rt, storage, (gx_dtype)a->dtype, a->ndim, ns);
    gx_storage_drop(rt, storage);
    if (!c) return false;
    gx_array_become(c, a);
    *out = c;
    return true;
}

GX_CHECK bool gx_array_strict(gx_rt *rt, gx_array *a, gx_array **out) {
    if (gx_array_is_loose(a)) return copy_as(rt, a, GX_bool, 'K', (gx_namespace)a->ns, out);
    gx_array_keep(a);
    *out = a;
    return true;
}

GX_CHECK bool gx_array_copy(gx_rt *rt, gx_array *a, char order, gx_array **out) {
    if (order == 'A')
        order = gx_array_is_contiguous(a, 'F') && !gx_array_is_contiguous(a, 'C') ? 'F' : 'C';
    const bool kept = order == 'K' && gx_array_is_contiguous(a, 'C');
    if ((kept || (order != 'K' && is_laid(a, order))) && is_whole_value(a))
        return share_value(rt, a, (gx_namespace)a->ns, out);
    return copy_as(rt, a, (gx_dtype)a->dtype, kept ? 'C' : order, (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_cast(gx_rt *rt, gx_array *a, gx_dtype d, bool copy, gx_array **out) {
    if (d == a->dtype) {
        if (copy) return gx_array_copy(rt, a, 'K', out);
        gx_array_keep(a);
        *out = a;
        return true;
    }
    return copy_as(rt, a, d, 'K', (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_contiguous(gx_rt *rt, gx_array *a, gx_array **out) {
    if (gx_array_is_contiguous(a, 'C') && !part_of_pending(rt, a) &&
        !gx_array_is_loose(a)) {
        gx_array_keep(a);
        *out = a;
        return true;
    }
    return copy_as(rt, a, (gx_dtype)a->dtype, 'C', (gx_namespace)a->ns, out);
}

GX_CHECK bool gx_array_to_namespace(gx_rt *rt, gx_array *a, gx_namespace ns, bool copy,
                                    gx_array **out) {
    if (!copy && a->ns == ns) {
        gx_array_keep(a);
        *out = a;
        return true;
    }
    gx_array *r;
    if (!gx_array_copy(rt, a, 'K', &r)) return false;
    r->ns = (uint8_t)ns;
    if (!gx_place_settle(rt, r)) {
        gx_array_drop(r);
        return false;
    }
    *out = r;
    return true;
}

int64_t gx_array_held(const gx_array *a) {
    return (int64_t)a->storage->data->bytes;
}
