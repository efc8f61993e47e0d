/* x[key] and x[key] = value: elements fast, views for basic keys, gather and scatter for the rest.
 */
#include <string.h>

#include "runtime/array/index_int.h"
#include "runtime/array/kind/record.h"
#include "runtime/array/shape.h"
#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/use.h"

/* The byte offset of one element when the key is nothing but integers for every axis. GX_TRY_NO: it
   is not, or one is out of range (the general way says which). */
static bool element_offset(const gx_array *a, gx_borrowed key, int64_t *out) {
    const gx_value *parts = &key;
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &parts) : 1, at = a->offset;
    if (n != a->ndim || n == 0) return false;
    for (int64_t i = 0; i < n; i++) {
        if (parts[i].tag != GX_INT) return false;
        int64_t index = parts[i].i, size = gx_shape(a)[i];
        if (index < 0) index += size;
        if (index < 0 || index >= size) return false;
        at += index * gx_strides(a)[i];
    }
    *out = at;
    return true;
}

/* x[i] of more than one dim by an int in range, without a parsed key. GX_TRY_NO: not that. */
static gx_try get_row(gx_rt *rt, gx_array *a, gx_borrowed key, gx_value *out) {
    if (key.tag != GX_INT || a->ndim < 2) return GX_TRY_NO;
    int64_t i = key.i, size = gx_shape(a)[0];
    if (i < 0) i += size;
    if (i < 0 || i >= size) return GX_TRY_NO;
    gx_array *r;
    if (!gx_array_row(rt, a, i, &r)) return GX_TRY_ERROR;
    *out = gx_array_value(r);
    return GX_TRY_YES;
}

/* x[i] of one dim by a short array of int64, both ready on the host. GX_TRY_NO: not that, or an
   index is out of range. */
static gx_try get_few(gx_rt *rt, gx_array *a, gx_borrowed key, gx_value *out) {
    enum { FEW = 1024 };
    if (key.tag != GX_ARRAY || a->ndim != 1 || gx_array_is_loose(a)) return GX_TRY_NO;
    gx_array *k = gx_as_array(key), *r;
    const gx_data *from = a->storage->data, *at = k->storage->data;
    if (k->dtype != GX_i64 || k->count > FEW || at->kind != GX_DATA_READY ||
        !gx_data_on(at, GX_HOST) || from->kind != GX_DATA_READY || !gx_data_on(from, GX_HOST) ||
        from->place != GX_HOST)
        return GX_TRY_NO;
    if (!gx_array_is_contiguous(k, 'C') || at->place != GX_HOST) return GX_TRY_NO;
    if (!gx_array_empty(rt, (gx_dtype)a->dtype, k->ndim, gx_shape(k), (gx_namespace)a->ns, &r))
        return GX_TRY_ERROR;
    const int64_t *index = (const int64_t *)(const void *)(gx_data_bytes(at) + k->offset);
    const char *data = gx_data_bytes(from) + a->offset;
    char *to = gx_data_bytes(r->storage->data);
    int64_t size = gx_shape(a)[0], step = gx_strides(a)[0], item = gx_dtype_size(a->dtype);
    for (int64_t i = 0; i < k->count; i++, to += item) {
        int64_t p = index[i] + (index[i] < 0 ? size : 0);
        if ((uint64_t)p >= (uint64_t)size) {
            gx_array_drop(r);
            return GX_TRY_NO;
        }
        if (item == 8) memcpy(to, data + p * step, 8);
        else if (item == 4) memcpy(to, data + p * step, 4);
        else memcpy(to, data + p * step, (size_t)item);
    }
    *out = gx_array_value(r);
    return GX_TRY_YES;
}

/* A slice's end as a position: from the end when negative, within the axis. */
static int64_t clip(int64_t i, int64_t size) {
    if (i < 0) i += size;
    return i < 0 ? 0 : i > size ? size : i;
}

GX_CHECK bool gx_array_part(gx_rt *rt, gx_array *a, int64_t start, int64_t stop, gx_value *out) {
    int64_t size = gx_shape(a)[0];
    start = clip(start, size);
    stop = clip(stop, size);
    gx_array *r;
    if (!gx_array_rows(rt, a, start, stop > start ? stop - start : 0, &r)) return false;
    *out = gx_array_value(r);
    return true;
}

/* A record is a view of its array. */
static bool element_view(gx_rt *rt, gx_array *a, int64_t at, gx_value *out) {
    gx_array *one;
    if (!gx_array_view(rt, a, (gx_dtype)a->dtype, 0, NULL, NULL, at, &one)) return false;
    bool ok = gx_kind_element(rt, one, false, out);
    gx_array_drop(one);
    return ok;
}

static bool get_fields(gx_rt *rt, gx_array *a, gx_borrowed key, gx_value *out) {
    gx_array *r;
    if (!gx_fields_get(rt, a, key, &r)) return false;
    *out = gx_array_value(r);
    return true;
}

static bool set_fields(gx_rt *rt, gx_array *a, gx_borrowed key, gx_borrowed value) {
    gx_array *r;
    if (!gx_fields_get(rt, a, key, &r)) return false;
    bool ok = gx_array_set(rt, r, (gx_value){.tag = GX_ELLIPSIS}, value);
    gx_array_drop(r);
    return ok;
}

GX_CHECK bool gx_array_get(gx_rt *rt, gx_array *a, gx_borrowed key, gx_value *out) {
    int64_t at;
    if (gx_is_void(a->dtype) && gx_is_field_key(key)) return get_fields(rt, a, key, out);
    const gx_data *d = a->storage->data;
    if (d->kind == GX_DATA_READY && gx_data_on(d, GX_HOST) && element_offset(a, key, &at)) {
        gx_scalar s;
        if (gx_is_void(a->dtype)) return element_view(rt, a, at, out);
        if (gx_is_kind(a->dtype))
            return gx_kind_value(rt, (gx_dtype)a->dtype, gx_data_bytes(d) + at, false, out);
        if (!gx_data_peek(rt, a->storage->data, at, &s, (size_t)gx_dtype_size(a->dtype)))
            return false;
        if (a->dtype == GX_bool) s.b = s.b != 0;
        return gx_scalar_new(rt, (gx_dtype)a->dtype, &s, out);
    }
    gx_try row = get_row(rt, a, key, out);
    if (row != GX_TRY_NO) return row == GX_TRY_YES;
    gx_try few = get_few(rt, a, key, out);
    if (few != GX_TRY_NO) return few == GX_TRY_YES;
    gx_key k;
    gx_array *r = NULL;
    if (key.tag == GX_ARRAY && gx_as_array(key)->dtype == GX_bool && d->place != GX_HOST &&
        !gx_is_kind(a->dtype)) {
        if (!rt->ops->select(rt, a, gx_as_array(key), &r)) return false;
        if (r) {
            *out = gx_array_value(r);
            return true;
        }
    }
    if (!gx_key_parse(rt, a, key, &k)) return false;
    bool ok = k.fancy ? gx_fancy_get(rt, a, &k, &r) : gx_key_view(rt, a, &k, &r);
    bool scalar = !k.fancy && !k.ellipsis, copies = k.scalar && !k.fancy;
    gx_key_free(&k);
    if (!ok) return false;
    if (copies && r->ndim) {
        gx_array *copy;
        ok = gx_array_copy(rt, r, 'K', &copy);
        gx_array_drop(r);
        if (!ok) return false;
        r = copy;
    }
    if (r->ndim == 0 && scalar) return gx_array_result_take(rt, r, out);
    *out = gx_array_value(r);
    return true;
}

/* The value as an array for a store into `a`: a Python number becomes an element of a's dtype. */
static bool value_array(gx_rt *rt, const gx_array *a, gx_borrowed value, gx_array **out) {
    gx_operand kind = gx_operand_kind(value);
    if (!gx_is_kind(a->dtype) && (kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR)) {
        gx_scalar s;
        return gx_scalar_from(rt, value, (gx_dtype)a->dtype, &s) &&
               gx_array_scalar(rt, (gx_dtype)a->dtype, &s, (gx_namespace)a->ns, out);
    }
    if (kind == GX_OPERAND_ARRAY)
        return gx_asarray(rt, value, GX_NO_DTYPE, (gx_namespace)a->ns, false, out);
    gx_use use; /* a's key has been read, and the value may run code of a script */
    const gx_value held = {.tag = GX_ARRAY, .obj = (gx_obj *)(uintptr_t)&a->obj};
    gx_use_begin(rt, &use, &held, 1);
    bool ok = gx_asarray(rt, value, (gx_dtype)a->dtype, (gx_namespace)a->ns, false, out);
    gx_use_end(rt, &use);
    return ok;
}

/* One element of a ready array that nobody else reads: written where it is. */
static bool set_element(gx_rt *rt, gx_array *a, gx_borrowed key, gx_borrowed value, bool *done) {
    int64_t at;
    const gx_data *d = a->storage->data;
    *done = false;
    if (d->kind != GX_DATA_READY || d->refs > 1 || !gx_copies_sole_host(&d->copies) ||
        (a->flags & GX_ARRAY_READONLY) ||
        (d->dtype == GX_bool && a->dtype != GX_bool))
        return true;
    if (gx_is_kind(a->dtype)) {
        const bool plain = (value.tag == GX_STR || value.tag == GX_BYTES) &&
                           !gx_record_of(a->dtype); /* no code is run */
        if (!plain || !element_offset(a, key, &at)) return true;
        *done = true;
        const gx_dtype_info *row = &gx_dtypes[a->dtype];
        return row->family->put(rt, row, value, gx_data_bytes(d) + at);
    }
    if (gx_operand_kind(value) == GX_OPERAND_NONE || value.tag == GX_ARRAY) return true;
    if (!element_offset(a, key, &at)) return true;
    *done = true;
    a->storage->blank = false;
    if (value.tag == GX_FLOAT && a->dtype == GX_f64) {
        memcpy(gx_data_bytes(d) + at, &value.f, sizeof value.f);
        return true;
    }
    gx_scalar s;
    if (!gx_element_from(rt, value, (gx_dtype)a->dtype, &s)) return false;
    memcpy(gx_data_bytes(d) + at, &s, (size_t)gx_dtype_size(a->dtype));
    return true;
}

/* The class is that of the reader of such an element: int() and complex() take no list at all. */
static bool fail_sequence(gx_rt *rt, bool reads) {
    return gx_fail(rt, reads ? GX_TypeError : GX_ValueError, "array.scalar",
                   "setting an array element with a sequence.");
}

/* element: the key named one element by its integers. */
static bool store_view(gx_rt *rt, gx_array *view, gx_borrowed value, bool element) {
    gx_operand kind = gx_operand_kind(value);
    const gx_value *items;
    bool truth = view->dtype == GX_bool && kind == GX_OPERAND_ARRAY &&
                 gx_as_array(value)->count == 1; /* an array of one element is true or not */
    if (element && kind == GX_OPERAND_ARRAY && gx_as_array(value)->ndim && !truth)
        return fail_sequence(rt, gx_dtype_kind(view->dtype) == GX_KIND_CPLX);
    if (element && view->dtype == GX_bool && gx_sequence_items(value, &items) >= 0) {
        gx_scalar s = {.b = gx_sequence_items(value, &items) > 0}; /* as any list is true or not */
        return gx_array_fill(rt, view, &s);
    }
    bool there = gx_array_place(view) != GX_HOST && gx_scalar_is_pending(value) &&
                 gx_scalar_dtype(value) == view->dtype;
    const bool itself = element && kind == GX_OPERAND_ARRAY && gx_is_instance(value) &&
                        gx_as_array(value)->ndim == 0 && !gx_is_kind(gx_as_array(value)->dtype);
    if (!there && !gx_is_kind(view->dtype) &&
        (kind == GX_OPERAND_WEAK || kind == GX_OPERAND_SCALAR || itself)) {
        gx_scalar s;
        return gx_element_from(rt, value, (gx_dtype)view->dtype, &s) && gx_array_fill(rt, view, &s);
    }
    gx_array *v;
    if (there ? !gx_scalar_array(rt, value, (gx_namespace)view->ns, &v)
              : !value_array(rt, view, value, &v))
        return false;
    bool deeper = kind == GX_OPERAND_NONE && v->ndim > view->ndim;
    bool reads = element && gx_dtype_kind(view->dtype) != GX_KIND_FLOAT;
    uint32_t holders = value.tag == GX_ARRAY && value.obj == &v->obj ? 2 : 1;
    bool ok = deeper ? fail_sequence(rt, reads) : gx_array_store_of(rt, view, v, holders);
    gx_array_drop(v);
    return ok;
}

/* Values go to the places of a mask one after the other: a table of them would say nothing. */
static bool fail_masked(gx_rt *rt, const gx_array *value) {
    return gx_fail(rt, GX_TypeError, "index.masked",
                   "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
                   "input has %d dimensions",
                   value->ndim);
}

/* Of a value that is none and an index array that goes beyond the axis, the value is told first. */
static bool fail_value_first(gx_rt *rt, const gx_array *a, gx_borrowed key, gx_borrowed value) {
    const gx_value *parts = &key;
    int64_t n = key.tag == GX_TUPLE ? gx_sequence_items(key, &parts) : 1;
    bool arrays = false;
    for (int64_t i = 0; i < n; i++)
        arrays = arrays || parts[i].tag == GX_LIST || parts[i].tag == GX_ARRAY;
    if (!arrays || strcmp(rt->error.code, "index.range") != 0) return false;
    gx_error range = {0};
    gx_array *x;
    gx_error_save(rt, &range);
    if (!value_array(rt, a, value, &x)) {
        gx_error_free(&range);
        return false;
    }
    gx_array_drop(x);
    gx_error_restore(rt, &range);
    return false;
}

GX_CHECK bool gx_array_set(gx_rt *rt, gx_array *a, gx_borrowed key, gx_borrowed value) {
    bool done;
    if (gx_is_void(a->dtype) && gx_is_field_key(key)) return set_fields(rt, a, key, value);
    if (!set_element(rt, a, key, value, &done)) return false;
    if (done) return true;
    if (a->flags & GX_ARRAY_READONLY) {
        return gx_fail(rt, GX_ValueError, "array.readonly", "assignment destination is read-only");
    }
    gx_key k;
    if (!gx_key_parse(rt, a, key, &k)) return fail_value_first(rt, a, key, value);
    gx_array *x = NULL;
    bool ok;
    if (k.fancy) {
        bool mask = k.n == 1 && k.pick[0].mask && k.pick[0].axes == a->ndim;
        ok = value_array(rt, a, value, &x) && (!mask || x->ndim < 2 || fail_masked(rt, x)) &&
             gx_fancy_set(rt, a, &k, x);
    } else {
        ok = gx_key_view(rt, a, &k, &x) && store_view(rt, x, value, x->ndim == 0 && !k.ellipsis);
    }
    gx_array_drop(x);
    gx_key_free(&k);
    return ok;
}
