/* Keys of x[…]: from values to parsed parts, checked against the shape here and now. */
#include <string.h>

#include "runtime/array/index_int.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"
#include "runtime/device/work.h"
#include "runtime/graph/extent.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/use.h"
#include "runtime/object/number/number.h"

void gx_key_free(gx_key *k) {
    for (int i = 0; i < k->n; i++) gx_array_drop(k->pick[i].index);
    k->n = 0;
}

static bool fail_range(gx_rt *rt, int64_t i, int axis, int64_t size) {
    gx_fail(rt, GX_IndexError, "index.range",
            "index %lld is out of bounds for axis %d with size %lld", (long long)i, axis,
            (long long)size);
    gx_about(rt, 3, (int64_t[]){i, axis, size});
    if (size > 0)
        gx_note(rt, "positions are 0 to %lld; from the end -1 to %lld", (long long)size - 1,
                -(long long)size);
    return false;
}

/* As fail_range for element i of an index array: how many are wrong, and where the first stands. */
static bool fail_indices(gx_rt *rt, const gx_array *a, const int64_t *in, int64_t i, int axis,
                         int64_t size) {
    int64_t wrong = 0, at[GX_MAX_DIMS], rest = i;
    for (int64_t k = i; k < a->count; k++) wrong += in[k] < -size || in[k] >= size;
    fail_range(rt, in[i], axis, size);
    for (int d = a->ndim - 1; d >= 0; d--) {
        at[d] = rest % gx_shape(a)[d];
        rest /= gx_shape(a)[d];
    }
    gx_buf place = gx_buf_new(rt);
    bool ok = true;
    for (int d = 0; ok && d < a->ndim; d++)
        ok = gx_buf_printf(&place, "%s%lld", d ? ", " : "", (long long)at[d]);
    if (ok && a->ndim)
        gx_note(rt, "%lld of %lld indices %s outside; the first is indices[%s] = %lld",
                (long long)wrong, (long long)a->count, wrong == 1 ? "is" : "are",
                gx_buf_text(&place), (long long)in[i]);
    gx_buf_free(&place);
    return false;
}

/* Indices looked at in tasks: any negative ones, any out of range? */
enum { CHECKS = 8 };
typedef struct index_check {
    const int64_t *in;
    int64_t n, size;
    uint64_t wrap[CHECKS], wrong[CHECKS];
    int64_t tasks;
} index_check;

static void check_indices(void *arg, int64_t task, int thread) {
    index_check *c = arg;
    int64_t end = c->n * (task + 1) / c->tasks;
    int64_t i = c->n * task / c->tasks, last = c->size - 1, any[4] = {0};
    uint64_t size = (uint64_t)c->size, wrap = 0, wrong = 0;
    (void)thread;
    const int64_t *in = c->in, from = i;
    /* Nearly always none has its sign bit set, nor has its distance to the last one. */
    for (; i + 4 <= end; i += 4)
        for (int k = 0; k < 4; k++) any[k] |= in[i + k] | (last - in[i + k]);
    for (; i < end; i++) any[0] |= in[i] | (last - in[i]);
    if ((any[0] | any[1] | any[2] | any[3]) >= 0) end = from;
    for (i = from; i < end; i++) {
        uint64_t v = (uint64_t)in[i], negative = v >> 63;
        wrap |= negative;
        wrong |= v + (negative ? size : 0) >= size;
    }
    c->wrap[task] = wrap;
    c->wrong[task] = wrong;
}

/* Contiguous indices, read on the host: are they in range, and do any count from the end? */
static bool read_indices(gx_rt *rt, gx_array *indices, int axis, int64_t size, const int64_t **out,
                         bool *wrap) {
    const char *data;
    if (!gx_array_read(rt, indices, &data)) return false;
    const int64_t *in = *out = (const int64_t *)(const void *)data;
    index_check check = {.in = in, .n = indices->count, .size = size, .tasks = CHECKS};
    uint64_t negative = 0, wrong = 0;
    if (indices->count < CHECKS * 8192) check.tasks = 1;
    gx_work_run(rt, check.tasks, check_indices, &check);
    if (!gx_work_end(rt)) return false;
    for (int64_t k = 0; k < check.tasks; k++) {
        negative |= check.wrap[k];
        wrong |= check.wrong[k];
    }
    *wrap = negative != 0;
    for (int64_t i = 0; wrong && i < indices->count; i++)
        if (in[i] < -size || in[i] >= size) return fail_indices(rt, indices, in, i, axis, size);
    return true;
}

bool gx_index_in_range(gx_rt *rt, gx_array *indices, int axis, int64_t size) {
    const int64_t *in;
    bool wrap;
    return read_indices(rt, indices, axis, size, &in, &wrap);
}

/* Will the device look at the indices while it uses them? */
static bool checked_late(const gx_rt *rt, const gx_array *a, const gx_array *given) {
    const gx_data *d = given->storage->data;
    const gx_place place = gx_array_place(a);
    return place != GX_HOST && d->place == place && !gx_data_on(d, GX_HOST) && given->count > 0 &&
           given->dtype != GX_u64 && gx_place_device(rt, place)->backend->outside &&
           !rt->debug.eager;
}

/* Indices in the memory order of those that were given, which that of the result may follow. */
static bool lay_take(gx_rt *rt, gx_array *index, const gx_array *given, gx_pick *out) {
    int order[GX_MAX_DIMS];
    const int64_t *strides = gx_strides(given);
    gx_array *turned, *copy;
    gx_order_of_operands(given->ndim, 1, &strides, order);
    bool ok = gx_transpose(rt, index, order, &turned);
    gx_array_drop(index);
    if (!ok) return false;
    ok = gx_array_contiguous(rt, turned, &copy);
    gx_array_drop(turned);
    if (!ok) return false;
    ok = gx_order_back(rt, copy, order, &out->index);
    gx_array_drop(copy);
    return ok;
}

GX_CHECK bool gx_index_array(gx_rt *rt, const gx_array *a, gx_array *given, int axis,
                             gx_pick *out) {
    const int64_t size = gx_shape(a)[axis];
    gx_array *cast, *copy;
    out->late = false;
    if (gx_dtype_kind(given->dtype) > GX_KIND_UINT) {
        return gx_fail(rt, GX_IndexError, "index.dtype",
                       "arrays used as indices must be of integer (or boolean) type, not %s",
                       gx_dtypes[given->dtype].name);
    }
    if (!gx_array_cast(rt, given, GX_i64, false, &cast)) return false;
    bool ok = gx_array_contiguous(rt, cast, &copy);
    gx_array_drop(cast);
    if (!ok) return false;
    if (checked_late(rt, a, given)) {
        out->late = true;
        out->index = copy;
        return true;
    }
    const int64_t *in;
    bool wrap;
    if (!read_indices(rt, copy, axis, size, &in, &wrap)) goto fail;
    if (wrap) {
        gx_array *fresh;
        if (!gx_array_empty(rt, GX_i64, copy->ndim, gx_shape(copy), GX_NS_GX, &fresh)) goto fail;
        int64_t *to = (int64_t *)(void *)gx_data_bytes(fresh->storage->data);
        GX_LONG_LOOP(rt, i, 0, copy->count) to[i] = in[i] < 0 ? in[i] + size : in[i];
        gx_array_drop(copy);
        copy = fresh;
        if (!gx_work_end(rt)) goto fail;
    }
    if (given->ndim > 1 && !gx_array_is_contiguous(given, 'C'))
        return lay_take(rt, copy, given, out);
    out->index = copy;
    return true;
fail:
    gx_array_drop(copy);
    return false;
}

GX_CHECK bool gx_true_positions(gx_rt *rt, gx_array *mask, gx_array **out) {
    gx_array *flat;
    gx_buffer *found;
    int64_t count;
    if (!gx_array_contiguous(rt, mask, &flat)) return false;
    const gx_place place = gx_array_place(flat);
    gx_device *device = gx_place_device(rt, place);
    gx_buffer *bytes;
    bool ok = gx_storage_force(rt, flat->storage) &&
              gx_data_at(rt, flat->storage->data, place, &bytes) &&
              device->backend->nonzero(device, bytes, flat->offset, flat->count, &found, &count);
    gx_array_drop(flat);
    if (!ok) return false;
    gx_data *d = gx_data_new(rt, GX_DATA_READY, GX_i64, 1, 1, 0);
    if (!d) {
        gx_buffer_drop(found);
        return false;
    }
    d->place = (uint8_t)place;
    gx_copies_begin_take(&d->copies, found);
    if (!gx_extent_value_take(rt, d, &count)) return false;
    d->held = d->bytes;
    d->leaves = 1;
    d->layout[0] = 8;
    return gx_array_of_data_take(rt, d, (gx_namespace)mask->ns, out);
}

typedef struct parser {
    gx_rt *rt;
    const gx_array *a;
    gx_key *k;
    int axis; /* next axis to consume */
} parser;

static bool too_many(const parser *p) {
    return gx_fail(p->rt, GX_IndexError, "index.count",
                   "too many indices for array: array is %d-dimensional", p->a->ndim);
}

static bool add_int(parser *p, int64_t i) {
    if (p->axis >= p->a->ndim) return too_many(p);
    int64_t size = gx_shape(p->a)[p->axis];
    if (i < -size || i >= size) return fail_range(p->rt, i, p->axis, size);
    p->k->pick[p->k->n++] =
        (gx_pick){.kind = GX_PICK_INT, .axis = p->axis++, .axes = 1, .start = i < 0 ? i + size : i};
    return true;
}

static bool add_slice(parser *p, gx_borrowed s) {
    if (p->axis >= p->a->ndim) return too_many(p);
    gx_pick pick = {.kind = GX_PICK_SLICE, .axis = p->axis, .axes = 1};
    if (!gx_slice_indices(p->rt, s, gx_shape(p->a)[p->axis], &pick.start, &pick.step, &pick.count))
        return false;
    if (pick.count == 0) pick.start = 0, pick.step = 1; /* of nothing, the strides are the axis's */
    p->axis++;
    p->k->pick[p->k->n++] = pick;
    return true;
}

static bool add_whole(parser *p) {
    int64_t size = gx_shape(p->a)[p->axis];
    p->k->pick[p->k->n++] =
        (gx_pick){.kind = GX_PICK_SLICE, .axis = p->axis++, .axes = 1, .step = 1, .count = size};
    return true;
}

/* A mask becomes the positions of its true elements, linear over the axes that it covers. */
static bool add_mask(parser *p, gx_array *mask) {
    if (p->axis + mask->ndim > p->a->ndim) return too_many(p);
    for (int i = 0; i < mask->ndim; i++) {
        int64_t size = gx_shape(p->a)[p->axis + i];
        if (gx_shape(mask)[i] == size || gx_shape(mask)[i] == 0) continue;
        return gx_fail(p->rt, GX_IndexError, "index.mask",
                       "boolean index did not match indexed array along axis %d; size of axis is "
                       "%lld but size of "
                       "corresponding boolean axis is %lld",
                       p->axis + i, (long long)size, (long long)gx_shape(mask)[i]);
    }
    gx_pick pick = {.kind = GX_PICK_ARRAY, .axis = p->axis, .axes = mask->ndim, .mask = true};
    gx_array *strict;
    if (!gx_array_strict(p->rt, mask, &strict)) return false;
    bool ok = gx_true_positions(p->rt, strict, &pick.index);
    gx_array_drop(strict);
    if (!ok) return false;
    p->axis += mask->ndim;
    p->k->pick[p->k->n++] = pick;
    p->k->fancy = true;
    return true;
}

static bool add_array(parser *p, gx_array *index) {
    if (index->dtype == GX_bool) return add_mask(p, index);
    if (p->axis >= p->a->ndim) return too_many(p);
    gx_pick pick = {.kind = GX_PICK_ARRAY, .axis = p->axis, .axes = 1};
    if (!gx_index_array(p->rt, p->a, index, p->axis, &pick)) return false;
    p->axis++;
    p->k->pick[p->k->n++] = pick;
    p->k->fancy = true;
    return true;
}

static bool fail_type(gx_rt *rt, gx_borrowed v) {
    gx_fail(rt, GX_IndexError, "index.type",
            "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`) and integer or "
            "boolean arrays are valid indices, not %s",
            gx_type_name(v));
    if (gx_plain_number(v).tag == GX_BIGINT) gx_note(rt, "the integer has more than 64 bits");
    if (v.tag == GX_FLOAT) gx_help(rt, "int(i) makes a whole number of it, and // divides to one");
    return false;
}

static bool add_list(parser *p, gx_borrowed v) {
    gx_array *index;
    if (!gx_asarray(p->rt, v, GX_NO_DTYPE, GX_NS_GX, false, &index)) {
        if (p->rt->error.kind != GX_OverflowError) return false;
        gx_error_clear(p->rt);
        return fail_type(p->rt, v);
    }
    if (index->count == 0 && index->dtype != GX_bool) { /* [] is an array of no integers */
        gx_array *ints;
        bool cast = gx_array_cast(p->rt, index, GX_i64, false, &ints);
        gx_array_drop(index);
        if (!cast) return false;
        index = ints;
    }
    bool ok = add_array(p, index);
    gx_array_drop(index);
    return ok;
}

static bool add_bool(parser *p, bool b) {
    gx_scalar s = {.b = b};
    gx_array *mask;
    if (!gx_array_scalar(p->rt, GX_bool, &s, GX_NS_GX, &mask)) return false;
    bool ok = add_mask(p, mask);
    gx_array_drop(mask);
    return ok;
}

static bool add_part(parser *p, gx_borrowed v) {
    int64_t i;
    switch (v.tag) {
    case GX_INT: return add_int(p, v.i);
    case GX_SLICE: return add_slice(p, v);
    case GX_NONE:
        p->k->pick[p->k->n++] = (gx_pick){.kind = GX_PICK_NEWAXIS, .axis = p->axis};
        return true;
    case GX_BOOL: return add_bool(p, v.b);
    case GX_LIST:
    case GX_TUPLE:
    case GX_RANGE: return add_list(p, v);
    case GX_ARRAY:
        if (gx_as_array(v)->ndim == 0 && gx_dtype_kind(gx_as_array(v)->dtype) != GX_KIND_BOOL) {
            p->k->scalar = true;
            break;
        }
        return add_array(p, gx_as_array(v));
    case GX_SCALAR:
        if (v.dtype == GX_bool) return add_bool(p, v.b);
        break;
    default: break;
    }
    if (gx_plain_number(v).tag == GX_BIGINT) return fail_type(p->rt, v);
    gx_try t = gx_as_index(p->rt, v, &i);
    if (t == GX_TRY_ERROR) return false;
    return t == GX_TRY_YES ? add_int(p, i) : fail_type(p->rt, v);
}

/* Axes that a part will consume, to know what `...` stands for. -1: an error is pending. */
static int axes_of(gx_rt *rt, gx_borrowed v) {
    if (v.tag == GX_NONE || v.tag == GX_ELLIPSIS || v.tag == GX_BOOL) return 0;
    if (v.tag == GX_SCALAR && v.dtype == GX_bool) return 0;
    if (v.tag == GX_ARRAY && gx_as_array(v)->dtype == GX_bool) return gx_as_array(v)->ndim;
    if (v.tag != GX_LIST) return 1;
    gx_array *index;
    if (!gx_asarray(rt, v, GX_NO_DTYPE, GX_NS_GX, false, &index)) return -1;
    int n = index->dtype == GX_bool && index->count ? index->ndim : 1;
    gx_array_drop(index);
    return n;
}

static bool parse(gx_rt *rt, const gx_array *a, int64_t n, const gx_value *parts, gx_key *out) {
    parser p = {.rt = rt, .a = a, .k = out};
    out->n = 0;
    out->fancy = out->ellipsis = out->scalar = false;
    int used = 0, dots = 0;
    if (n > 2 * GX_MAX_DIMS) return too_many(&p);
    for (int64_t i = 0; i < n; i++) {
        dots += parts[i].tag == GX_ELLIPSIS;
        int axes = axes_of(rt, parts[i]);
        if (axes < 0) return false;
        used += axes;
    }
    if (dots > 1) {
        return gx_fail(rt, GX_IndexError, "index.ellipsis",
                       "an index can only have a single ellipsis ('...')");
    }
    if (used > a->ndim) {
        return gx_fail(rt, GX_IndexError, "index.count",
                       "too many indices for array: array is %d-dimensional, but %d were indexed",
                       a->ndim, used);
    }
    out->ellipsis = dots > 0;
    bool ok = true;
    for (int64_t i = 0; i < n && ok; i++) {
        if (parts[i].tag != GX_ELLIPSIS) ok = add_part(&p, parts[i]);
        else for (int left = a->ndim - used; left > 0 && ok; left--) ok = add_whole(&p);
    }
    while (ok && p.axis < a->ndim) ok = add_whole(&p);
    if (!ok) gx_key_free(out);
    return ok;
}

/* May reading a part of a key run code of a script? */
static bool runs_code(gx_borrowed v) {
    if (v.tag != GX_SLICE) return v.tag >= GX_FIRST_OBJECT && v.tag != GX_ARRAY;
    const gx_slice *s = (const gx_slice *)(void *)v.obj;
    return s->start.tag >= GX_FIRST_OBJECT || s->stop.tag >= GX_FIRST_OBJECT ||
           s->step.tag >= GX_FIRST_OBJECT;
}

GX_CHECK bool gx_key_parse(gx_rt *rt, const gx_array *a, gx_borrowed key, gx_key *out) {
    const gx_value *parts = &key;
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &parts) : 1;
    bool runs = false;
    for (int64_t i = 0; i < n; i++) runs |= runs_code(parts[i]);
    if (!runs) return parse(rt, a, n, parts, out);
    gx_use use;
    const gx_value held = {.tag = GX_ARRAY, .obj = (gx_obj *)(uintptr_t)&a->obj};
    gx_use_begin(rt, &use, &held, 1);
    bool ok = parse(rt, a, n, parts, out);
    gx_use_end(rt, &use);
    return ok;
}

GX_CHECK bool gx_key_view(gx_rt *rt, gx_array *a, const gx_key *k, gx_array **out) {
    int64_t shape[3 * GX_MAX_DIMS + 1], strides[3 * GX_MAX_DIMS + 1], at = a->offset;
    int n = 0;
    for (int i = 0; i < k->n; i++) {
        const gx_pick *p = &k->pick[i];
        if (p->kind == GX_PICK_NEWAXIS) {
            shape[n] = 1;
            strides[n++] = 0;
            continue;
        }
        int64_t stride = gx_strides(a)[p->axis];
        if (p->kind == GX_PICK_INT || p->count > 0) at += p->start * stride;
        if (p->kind == GX_PICK_INT) continue;
        shape[n] = p->count;
        strides[n++] = p->step * stride;
    }
    if (n > GX_MAX_DIMS) {
        return gx_fail(rt, GX_IndexError, "index.count",
                       "number of dimensions must be within [0, %d], indexing result would have %d",
                       GX_MAX_DIMS, n);
    }
    return gx_array_view(rt, a, (gx_dtype)a->dtype, n, shape, strides, at, out);
}
