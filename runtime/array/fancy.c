/* Fancy indexing: integer arrays and masks. A key is turned into one gather or scatter: the
   result's index space, strides of the indexed array over it, and index arrays with the stride that
   each of their units moves. */
#include <string.h>

#include "runtime/array/index_int.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/layout.h"
#include "runtime/array/shape.h"

/* The request of a key: what is common to gather and scatter. */
typedef struct request {
    gx_take take;
    gx_array *owned[GX_MAX_DIMS]; /* index arrays that must live until it ran */
    int n_owned;
    gx_place place; /* of the indexed array */
    int at, index_ndim; /* of the result's dims, those of the indices */
} request;

static void free_request(request *r) {
    for (int i = 0; i < r->n_owned; i++) gx_array_drop(r->owned[i]);
}

/* Can `axes` axes from `axis` on be walked with one stride? */
static bool axes_merge(const gx_array *a, int axis, int axes) {
    for (int i = axis; i < axis + axes - 1; i++) {
        if (gx_strides(a)[i] != gx_strides(a)[i + 1] * gx_shape(a)[i + 1]) return false;
    }
    return true;
}

/* One axis of n ascending linear positions: (position / below) % size, `step` items apart. */
static void coordinates(const int64_t *in, int64_t n, int64_t below, int64_t size, int64_t *to,
                        int64_t step) {
    if (below == 1 && (n == 0 || in[n - 1] < size)) {
        if (step == 1) memcpy(to, in, (size_t)n * sizeof *to);
        else
            for (int64_t i = 0; i < n; i++) to[i * step] = in[i];
    } else if (n == 0 || in[n - 1] / below < size) {
        /* The first axis: the positions ascend, so it counts up. */
        for (int64_t i = 0, at = 0, next = below; i < n; i++) {
            while (in[i] >= next) {
                at++;
                next += below;
            }
            to[i * step] = at;
        }
    } else if (below == 1) {
        for (int64_t i = 0, start = 0; i < n; i++) {
            if (in[i] - start >= size) start = in[i] / size * size;
            to[i * step] = in[i] - start;
        }
    } else {
        for (int64_t i = 0; i < n; i++) to[i * step] = in[i] / below % size;
    }
}

/* The same as an array. */
static bool coordinate(gx_rt *rt, const gx_array *linear, int64_t below, int64_t size,
                       gx_array **out) {
    gx_array *c;
    const char *data;
    if (!gx_array_read(rt, linear, &data)) return false;
    const gx_namespace ns = (gx_namespace)linear->ns;
    if (!gx_array_empty(rt, GX_i64, 1, gx_shape(linear), ns, &c)) return false;
    coordinates((const int64_t *)(const void *)data, linear->count, below, size,
                (int64_t *)(void *)gx_data_bytes(c->storage->data), 1);
    *out = c;
    return true;
}

/* An index array of the request; takes the reference. `a`'s axis moves by `scale` bytes a unit. */
static bool add_index(request *r, gx_array *index, int64_t scale) {
    if (!r->take.size[r->n_owned]) r->take.size[r->n_owned] = INT64_MAX; /* in range already */
    r->take.scale[r->n_owned] = scale;
    r->owned[r->n_owned++] = index;
    return true;
}

static bool add_mask_axes(gx_rt *rt, request *r, const gx_array *a, const gx_pick *p) {
    if (p->axes == 0 || axes_merge(a, p->axis, p->axes)) {
        gx_array_keep(p->index);
        return add_index(r, p->index, p->axes ? gx_strides(a)[p->axis + p->axes - 1] : 0);
    }
    int64_t below = 1;
    for (int i = p->axes - 1; i >= 0; i--) {
        int64_t size = gx_shape(a)[p->axis + i];
        gx_array *c;
        if (!coordinate(rt, p->index, below, size > 0 ? size : 1, &c)) return false;
        if (!add_index(r, c, gx_strides(a)[p->axis + i])) return false;
        below *= size > 0 ? size : 1;
    }
    return true;
}

/* Collects the index arrays; integers beside arrays are constant offsets. */
static bool collect(gx_rt *rt, request *r, const gx_array *a, const gx_key *k) {
    for (int i = 0; i < k->n; i++) {
        const gx_pick *p = &k->pick[i];
        if (p->kind == GX_PICK_INT) r->take.array.offset += p->start * gx_strides(a)[p->axis];
        if (p->kind != GX_PICK_ARRAY) continue;
        if (p->axes != 1) {
            if (!add_mask_axes(rt, r, a, p)) return false;
            continue;
        }
        gx_array_keep(p->index);
        r->take.check = r->take.check || p->late;
        r->take.axis[r->n_owned] = p->axis;
        r->take.size[r->n_owned] = gx_shape(a)[p->axis];
        if (!add_index(r, p->index, gx_strides(a)[p->axis])) return false;
    }
    return true;
}

/* Are the advanced parts (integers count beside arrays) next to each other? Then their axes stand
   in the result where the first of them stood, else in front. */
static bool adjacent(const gx_key *k) {
    int state = 0;
    for (int i = 0; i < k->n; i++) {
        bool advanced = k->pick[i].kind == GX_PICK_ARRAY || k->pick[i].kind == GX_PICK_INT;
        if (advanced && state == 2) return false;
        if (advanced) state = 1;
        else if (state == 1) state = 2;
    }
    return true;
}

static bool fail_indices(gx_rt *rt, const request *r) {
    if (rt->error.kind != GX_ValueError) return false; /* no memory */
    gx_error_clear(rt);
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_buf_puts(
        &text, "shape mismatch: indexing arrays could not be broadcast together with shapes");
    for (int i = 0; i < r->n_owned && ok; i++) {
        ok = gx_buf_char(&text, ' ') &&
             gx_shape_text(&text, r->owned[i]->ndim, gx_shape(r->owned[i]));
    }
    if (ok) gx_fail(rt, GX_IndexError, "index.broadcast", "%s", gx_buf_text(&text));
    gx_buf_free(&text);
    return false;
}

/* Lays out the result's dims: broadcast index dims at their place, basic dims around them. */
static bool layout(gx_rt *rt, request *r, const gx_array *a, const gx_key *k) {
    int64_t shape[GX_MAX_DIMS];
    int ndim, n = 0;
    gx_take *t = &r->take;
    if (!gx_broadcast_shapes(rt, r->n_owned, r->owned, &ndim, shape)) return fail_indices(rt, r);
    bool in_place = adjacent(k), placed = false;
    for (int i = -1; i < k->n; i++) {
        const gx_pick *p = i < 0 ? NULL : &k->pick[i];
        bool advanced = p && (p->kind == GX_PICK_ARRAY || p->kind == GX_PICK_INT);
        if (!placed && (i < 0 ? !in_place : advanced)) {
            placed = true;
            r->at = n;
            for (int d = 0; d < ndim && n < GX_MAX_DIMS; d++, n++) {
                t->shape[n] = shape[d];
                t->array.strides[n] = 0;
                for (int j = 0; j < r->n_owned; j++) {
                    const gx_array *x = r->owned[j];
                    int at = d - (ndim - x->ndim);
                    t->index[j].strides[n] = at < 0 || gx_shape(x)[at] == 1 ? 0 : gx_strides(x)[at];
                }
            }
        }
        if (!p || advanced) continue;
        if (n >= GX_MAX_DIMS)
            return gx_fail(rt, GX_IndexError, "index.count", "the result has too many dimensions");
        bool slice = p->kind == GX_PICK_SLICE;
        t->shape[n] = slice ? p->count : 1;
        t->array.strides[n] = slice ? p->step * gx_strides(a)[p->axis] : 0;
        if (slice && p->count > 0) t->array.offset += p->start * gx_strides(a)[p->axis];
        for (int j = 0; j < r->n_owned; j++) t->index[j].strides[n] = 0;
        n++;
    }
    t->ndim = n;
    r->index_ndim = ndim;
    return true;
}

static void permute(int ndim, const int *order, int64_t *items) {
    int64_t old[GX_MAX_DIMS];
    memcpy(old, items, (size_t)ndim * sizeof *items);
    for (int i = 0; i < ndim; i++) items[i] = old[order[i]];
}

static void permute_dims(gx_take *t, const int *order) {
    permute(t->ndim, order, t->shape);
    permute(t->ndim, order, t->array.strides);
    for (int j = 0; j < t->n_index; j++) permute(t->ndim, order, t->index[j].strides);
}

/* The usual case: one dim of indices, in front of others that lie in C order. */
static bool stands_so(const gx_take *t, int at, int index_ndim) {
    const int64_t *strides = t->array.strides;
    if (at > 0 || (index_ndim > 1 && t->ndim == index_ndim)) return false;
    for (int d = index_ndim + 1; d < t->ndim; d++) {
        const int64_t outer = strides[d - 1] < 0 ? -strides[d - 1] : strides[d - 1];
        if (outer < strides[d] || outer < -strides[d]) return false;
    }
    return true;
}

/* The dims of a gather as NumPy walks them, and so as its result lies in memory: those of the
   indices outermost, in C order, then the others as a copy of the array would have them. Without
   others the indices decide as operands do. False: the dims stand so already. */
static bool walk_order(const request *r, int *order) {
    const gx_take *t = &r->take;
    int n = 0, rest[GX_MAX_DIMS];
    const int others = t->ndim - r->index_ndim;
    if (stands_so(t, r->at, r->index_ndim)) return false;
    if (others == 0) {
        const int64_t *strides[GX_MAX_DIMS];
        for (int j = 0; j < t->n_index; j++) strides[j] = t->index[j].strides;
        gx_order_of_operands(t->ndim, t->n_index, strides, order);
    } else {
        int64_t strides[GX_MAX_DIMS];
        for (int d = 0; d < t->ndim; d++)
            if (d < r->at || d >= r->at + r->index_ndim) strides[n++] = t->array.strides[d];
        gx_order_of_copy(others, strides, rest);
        for (int d = 0; d < r->index_ndim; d++) order[d] = r->at + d;
        for (int d = 0; d < others; d++)
            order[r->index_ndim + d] = rest[d] < r->at ? rest[d] : rest[d] + r->index_ndim;
    }
    return !gx_order_is_c(t->ndim, order);
}

/* What the request, whose dims stand in the order, gathered, with its dims where they belong. Index
   dims that are not in front are NumPy's view of an array that has them there. */
static bool place_dims(gx_rt *rt, const request *r, const int *order, gx_array **result) {
    int to_front[GX_MAX_DIMS], n = r->index_ndim;
    gx_array *back, *front;
    if (!gx_order_back(rt, *result, order, &back)) return false;
    gx_array_settle(back);
    gx_array_drop(*result);
    *result = back;
    if (r->at == 0) return true;
    for (int d = 0; d < n; d++) to_front[d] = r->at + d;
    for (int d = 0; d < back->ndim; d++)
        if (d < r->at || d >= r->at + r->index_ndim) to_front[n++] = d;
    if (!gx_transpose(rt, back, to_front, &front)) return false;
    gx_array_settle(front);
    gx_array_drop(back);
    *result = front;
    if (!gx_order_back(rt, front, to_front, &back)) return false;
    gx_array_drop(front);
    *result = back;
    return true;
}

static int64_t count_of(const gx_take *t) {
    int64_t n = 1;
    for (int i = 0; i < t->ndim; i++) n *= t->shape[i];
    return n;
}

/* Where nothing is taken no device looks at the indices: the host does. */
static bool check_unused(gx_rt *rt, const request *r) {
    const gx_take *t = &r->take;
    for (int j = 0; j < r->n_owned; j++) {
        if (t->size[j] != INT64_MAX && r->owned[j]->count > 0 &&
            !gx_index_in_range(rt, r->owned[j], t->axis[j], t->size[j]))
            return false;
    }
    return true;
}

static bool build(gx_rt *rt, request *r, const gx_array *a, const gx_key *k) {
    gx_take *t = &r->take;
    r->n_owned = 0;
    t->check = false;
    memset(t->size, 0, sizeof t->size);
    memset(t->axis, 0, sizeof t->axis);
    r->place = gx_array_place(a);
    t->item.n = gx_dtype_size(a->dtype);
    t->array = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)a->dtype, .offset = a->offset};
    if (!collect(rt, r, a, k) || !layout(rt, r, a, k)) return false;
    t->n_index = r->n_owned;
    if (t->check && count_of(t) == 0 && !check_unused(rt, r)) return false;
    for (int j = 0; j < r->n_owned; j++) {
        if (!gx_storage_force(rt, r->owned[j]->storage)) return false;
        t->index[j].kind = GX_LEAF_BUFFER;
        t->index[j].dtype = GX_i64;
        if (!gx_data_at(rt, r->owned[j]->storage->data, r->place, &t->index[j].buf)) return false;
        t->index[j].offset = r->owned[j]->offset;
    }
    return true;
}

/* A device that looks at the indices tells later: gx_lazy_checkpoint asks. */
static bool note_check(gx_rt *rt, const request *r, gx_device *device) {
    if (!r->take.check) return true;
    gx_engine_of(rt)->checks++;
    if (device->backend->blame) device->backend->blame(device, "take", rt->here);
    return true;
}

/* plain: the result lies in C order. */
static bool fancy_get(gx_rt *rt, gx_array *a, const gx_key *k, bool plain, gx_array **out) {
    request *r = gx_alloc(rt, sizeof *r);
    int order[GX_MAX_DIMS];
    bool moved = false;
    if (!r) return false;
    gx_array *result = NULL;
    bool ok = build(rt, r, a, k) && gx_storage_force(rt, a->storage) &&
              gx_data_at(rt, a->storage->data, r->place, &r->take.array.buf);
    if (ok && !plain && (moved = walk_order(r, order))) permute_dims(&r->take, order);
    ok = ok && gx_array_empty_at(rt, r->place, (gx_dtype)a->dtype, r->take.ndim, r->take.shape,
                                 (gx_namespace)a->ns, &result);
    if (ok && result->count > 0) {
        gx_device *device = gx_place_device(rt, r->place);
        r->take.other = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)a->dtype};
        memcpy(r->take.other.strides, gx_strides(result), (size_t)result->ndim * sizeof(int64_t));
        ok = gx_data_at(rt, result->storage->data, r->place, &r->take.other.buf) &&
             device->backend->gather(device, &r->take) && note_check(rt, r, device);
    }
    ok = ok && (!moved || place_dims(rt, r, order, &result));
    free_request(r);
    gx_free(rt, r);
    if (!ok) {
        gx_array_drop(result);
        return false;
    }
    *out = result;
    return true;
}

/* The key of elements as one of their words. */
static bool key_of_words(gx_rt *rt, const gx_key *k, const gx_array *words, gx_key *out) {
    memcpy(out, k, offsetof(gx_key, pick) + (size_t)k->n * sizeof k->pick[0]);
    out->fancy = k->fancy;
    out->scalar = out->ellipsis = false;
    if (k->n > 3 * GX_MAX_DIMS)
        return gx_fail(rt, GX_IndexError, "index.count", "the result has too many dimensions");
    const int axis = words->ndim - 1;
    out->pick[out->n++] = (gx_pick){.kind = GX_PICK_SLICE, .axis = axis, .axes = 1, .step = 1,
                                    .count = gx_shape(words)[axis]};
    return true;
}

static bool get_of_kind(gx_rt *rt, gx_array *a, const gx_key *k, bool plain, gx_array **out) {
    gx_key wide;
    gx_array *words, *r = NULL;
    if (!gx_array_words(rt, 1, &a, &words)) return false;
    bool ok = key_of_words(rt, k, words, &wide) && fancy_get(rt, words, &wide, plain, &r);
    gx_array_drop(words);
    return ok && gx_array_of_words_take(rt, r, (gx_dtype)a->dtype, out);
}

static bool set_of_kind(gx_rt *rt, gx_array *a, const gx_key *k, gx_array *value) {
    gx_key wide;
    gx_array *cast, *both[2] = {a}, *words[2];
    const gx_record_row *r = gx_record_of(a->dtype);
    if (r && !r->packed) { /* what lies between the fields stays as it is */
        if (!get_of_kind(rt, a, k, false, &cast)) return false;
        if (!gx_array_store(rt, cast, value)) {
            gx_array_drop(cast);
            return false;
        }
    } else if (!gx_array_cast(rt, value, (gx_dtype)a->dtype, false, &cast)) {
        return false;
    }
    both[1] = cast;
    bool ok = gx_array_words(rt, 2, both, words);
    gx_array_drop(cast);
    if (!ok) return false;
    ok = key_of_words(rt, k, words[0], &wide) && gx_fancy_set(rt, words[0], &wide, words[1]);
    gx_array_drop(words[0]);
    gx_array_drop(words[1]);
    return ok;
}

/* One of them may hold numbers. */
static bool set_kinds(gx_rt *rt, gx_array *a, const gx_key *k, gx_array *value) {
    gx_array *cast;
    if (gx_is_kind(a->dtype)) return set_of_kind(rt, a, k, value);
    if (!gx_array_cast(rt, value, (gx_dtype)a->dtype, true, &cast)) return false;
    bool ok = gx_fancy_set(rt, a, k, cast);
    gx_array_drop(cast);
    return ok;
}

GX_CHECK bool gx_fancy_get(gx_rt *rt, gx_array *a, const gx_key *k, gx_array **out) {
    gx_array *strict;
    if (gx_is_kind(a->dtype)) return get_of_kind(rt, a, k, false, out);
    if (!gx_array_strict(rt, a, &strict)) return false;
    bool ok = fancy_get(rt, strict, k, false, out);
    gx_array_drop(strict);
    return ok;
}

static bool plain_get(gx_rt *rt, gx_array *a, const gx_key *k, gx_array **out) {
    gx_array *strict;
    if (gx_is_kind(a->dtype)) return get_of_kind(rt, a, k, true, out);
    if (!gx_array_strict(rt, a, &strict)) return false;
    bool ok = fancy_get(rt, strict, k, true, out);
    gx_array_drop(strict);
    return ok;
}

static bool fail_value_shape(gx_rt *rt, const gx_array *value, const gx_take *t) {
    if (rt->error.kind != GX_ValueError) return false; /* no memory */
    gx_error_clear(rt);
    gx_buf text = gx_buf_new(rt);
    if (gx_buf_puts(&text, "shape mismatch: value array of shape ") &&
        gx_shape_text(&text, value->ndim, gx_shape(value)) &&
        gx_buf_puts(&text, " could not be broadcast to indexing result of shape ") &&
        gx_shape_text(&text, t->ndim, t->shape)) {
        gx_fail(rt, GX_ValueError, "index.value", "%s", gx_buf_text(&text));
    }
    gx_buf_free(&text);
    return false;
}

/* Are there no elements even in one of the parts that lie along the first `more` dims? */
static bool parts_are_empty(const gx_array *a, int more) {
    for (int i = more; i < a->ndim; i++)
        if (gx_shape(a)[i] == 0) return true;
    return false;
}

/* The values as ready elements of a's dtype, over the request's dims. Leading dims that are too
   many are of size 1, or of parts without elements. */
static bool spread_value(gx_rt *rt, const gx_array *a, gx_array *value, gx_take *t,
                         gx_array **out) {
    gx_array *strict, *cast, *less, *wide;
    if (!gx_array_strict(rt, value, &strict)) return false;
    bool is = gx_array_cast(rt, strict, (gx_dtype)a->dtype, false, &cast);
    gx_array_drop(strict);
    if (!is) return false;
    const int more = cast->ndim - t->ndim;
    if (more > 0 && parts_are_empty(cast, more)) {
        bool ok = gx_reshape(rt, cast, t->ndim, gx_shape(cast) + more, 'C', &less);
        gx_array_drop(cast);
        if (!ok) return false;
        cast = less;
    }
    while (cast->ndim > t->ndim && gx_shape(cast)[0] == 1) {
        bool ok = gx_squeeze(rt, cast, 1, &less);
        gx_array_drop(cast);
        if (!ok) return false;
        cast = less;
    }
    bool ok = gx_broadcast_to(rt, cast, t->ndim, t->shape, &wide) || fail_value_shape(rt, value, t);
    gx_array_drop(cast);
    if (!ok) return false;
    if (!gx_storage_force(rt, wide->storage)) {
        gx_array_drop(wide);
        return false;
    }
    t->other = (gx_leaf){
        .kind = GX_LEAF_BUFFER, .dtype = (uint8_t)a->dtype, .offset = wide->offset};
    memcpy(t->other.strides, gx_strides(wide), (size_t)t->ndim * sizeof(int64_t));
    *out = wide;
    return true;
}

GX_CHECK bool gx_fancy_set(gx_rt *rt, gx_array *a, const gx_key *k, gx_array *value) {
    if (gx_is_kind(a->dtype) || gx_is_kind(value->dtype)) return set_kinds(rt, a, k, value);
    request *r = gx_alloc(rt, sizeof *r);
    if (!r) return false;
    gx_array *wide = NULL;
    bool ok = build(rt, r, a, k);
    ok = ok && spread_value(rt, a, value, &r->take, &wide);
    if (ok) {
        /* Holding the values' and the indices' bytes makes a write into the same storage go to a
         * copy.
         */
        gx_data *source = gx_data_keep(wide->storage->data), *held[GX_MAX_DIMS];
        gx_device *device = gx_place_device(rt, r->place);
        for (int i = 0; i < r->n_owned; i++) held[i] = gx_data_keep(r->owned[i]->storage->data);
        ok = gx_array_writable(rt, a) &&
             gx_storage_own(rt, a->storage, r->place, &r->take.array.buf) &&
             gx_data_at(rt, source, r->place, &r->take.other.buf);
        for (int i = 0; i < r->n_owned && ok; i++)
            ok = gx_data_at(rt, held[i], r->place, &r->take.index[i].buf);
        if (ok) {
            ok = count_of(&r->take) == 0 || (device->backend->scatter(device, &r->take) &&
                            note_check(rt, r, device));
        }
        gx_data_drop(source);
        for (int i = 0; i < r->n_owned; i++) gx_data_drop(held[i]);
    }
    gx_array_drop(wide);
    free_request(r);
    gx_free(rt, r);
    return ok;
}

GX_CHECK bool gx_take_axis(gx_rt *rt, gx_array *a, gx_array *indices, int axis, gx_array **out) {
    gx_key k; /* of its parts only those that are filled in are ever read */
    k.n = 0;
    k.fancy = true;
    k.scalar = k.ellipsis = false;
    for (int i = 0; i < a->ndim; i++) {
        gx_pick p = {
            .kind = GX_PICK_SLICE, .axis = i, .axes = 1, .step = 1, .count = gx_shape(a)[i]};
        if (i == axis) {
            p.kind = GX_PICK_ARRAY;
            if (!gx_index_array(rt, a, indices, i, &p)) return false;
        }
        k.pick[k.n++] = p;
    }
    bool ok = plain_get(rt, a, &k, out);
    gx_key_free(&k);
    return ok;
}

/* Of a matrix with rows of `size`: both coordinates side by side. */
static void matrix_coordinates(const int64_t *in, int64_t n, int64_t size, int64_t *to) {
    for (int64_t i = 0, row = 0, start = 0; i < n; i++) {
        if (in[i] - start >= size) {
            row = in[i] / size;
            start = row * size;
        }
        to[2 * i] = row;
        to[2 * i + 1] = in[i] - start;
    }
}

GX_CHECK bool gx_nonzero(gx_rt *rt, gx_array *a, char order, gx_array **out) {
    gx_array *mask, *linear, *r = NULL;
    const char *data = NULL;
    if (!gx_array_cast(rt, a, GX_bool, false, &mask)) return false;
    bool ok = gx_true_positions(rt, mask, &linear);
    gx_array_drop(mask);
    if (!ok) return false;
    const int64_t n = linear->count, shape[2] = {n, a->ndim};
    const gx_namespace ns = (gx_namespace)linear->ns;
    if (a->ndim == 1) {
        ok = gx_reshape(rt, linear, 2, shape, 'C', out);
        if (ok) gx_array_settle(*out);
        gx_array_drop(linear);
        return ok;
    }
    ok = gx_array_read(rt, linear, &data) &&
         (order == 'F' ? gx_array_empty_f : gx_array_empty)(rt, GX_i64, 2, shape, ns, &r);
    int64_t below = 1, *to = ok ? (int64_t *)(void *)gx_data_bytes(r->storage->data) : NULL;
    const bool matrix = order == 'C' && a->ndim == 2 && n > 0;
    if (ok && matrix)
        matrix_coordinates((const int64_t *)(const void *)data, n, gx_shape(a)[1], to);
    for (int i = a->ndim - 1; i >= 0 && ok && !matrix; i--) {
        int64_t size = gx_shape(a)[i] > 0 ? gx_shape(a)[i] : 1;
        coordinates((const int64_t *)(const void *)data, n, below, size,
                    order == 'F' ? to + i * n : to + i, order == 'F' ? 1 : a->ndim);
        below *= size;
    }
    gx_array_drop(linear);
    if (ok) *out = r;
    return ok;
}
