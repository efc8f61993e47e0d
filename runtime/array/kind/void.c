/* numpy.void and numpy.record: the scalars of records. A scalar is an array without axes whose head
   names the type, so that whatever takes an array takes it; it is a view of the array that it
   comes from, as NumPy's. */
#include <stdlib.h>
#include <string.h>

#include "runtime/array/kind/record.h"
#include "runtime/graph/lazy.h"
#include "runtime/object/container/list.h"
#include "runtime/object/iter.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

GX_CHECK bool gx_void_scalar(gx_rt *rt, gx_array *a, gx_value *out) {
    gx_array *v;
    if (!gx_array_view(rt, a, (gx_dtype)a->dtype, 0, NULL, NULL, a->offset, &v)) return false;
    v->ns = GX_NS_NUMPY;
    v->obj.type = gx_of_family(a->dtype, GX_FAMILY_RECORD) ? &gx_type_record : &gx_type_void;
    *out = gx_array_value(v);
    return true;
}

static bool void_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_array *a = gx_as_array(v);
    const bool record = v.obj->type == &gx_type_record;
    if (!gx_buf_puts(out, record ? "np.record(" : "np.void(") || !gx_void_text(rt, a, out))
        return false;
    gx_dtype d;
    if (gx_record_of(a->dtype) &&
        (!gx_record_with(rt, (gx_dtype)a->dtype, false, &d) ||
         !gx_buf_printf(out, ", dtype=%s", gx_dtypes[d].name)))
        return false;
    return gx_buf_char(out, ')');
}

static bool void_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return gx_void_text(rt, gx_as_array(v), out);
}

static bool void_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    if (length == 0) return void_str(rt, v, out);
    (void)spec;
    return gx_fail(rt, GX_TypeError, "format.array",
                   "unsupported format string passed to numpy.void.__format__");
}

static bool void_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    const char *data;
    *out = false;
    if (!gx_array_read(rt, gx_as_array(v), &data)) return false;
    for (int64_t i = 0; i < gx_dtype_size(gx_as_array(v)->dtype); i++) *out = *out || data[i];
    return true;
}

static bool void_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_value plain;
    if (!(gx_as_array(v)->flags & GX_ARRAY_READONLY) && gx_record_of(gx_as_array(v)->dtype))
        return gx_fail(rt, GX_TypeError, "hash.unhashable",
                       "unhashable type: 'writeable void-scalar'");
    if (!gx_kind_element(rt, gx_as_array(v), true, &plain)) return false;
    bool ok = gx_hash(rt, plain, out);
    gx_drop(plain);
    return ok;
}

static int field_count(gx_borrowed v) {
    const gx_record_row *r = gx_record_of(gx_as_array(v)->dtype);
    return r ? r->count : 0;
}

static bool void_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = field_count(v);
    return true;
}

/* The field's element: of numbers a scalar, of parts a view. */
static bool get_field(gx_rt *rt, gx_borrowed v, int field, gx_value *out) {
    gx_array *a;
    return gx_field_view(rt, gx_as_array(v), field, &a) && gx_array_result_take(rt, a, out);
}

/* The field that a key names; -1: an error. */
static int field_at(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    int64_t i;
    if (key.tag == GX_STR)
        return gx_field_find(rt, (gx_dtype)gx_as_array(v)->dtype, gx_as_str(key)->text);
    gx_try t = gx_as_index(rt, key, &i);
    if (t == GX_TRY_ERROR) return -1;
    const int64_t n = field_count(v);
    if (t == GX_TRY_YES && i >= -n && i < n) return (int)(i < 0 ? i + n : i);
    if (t == GX_TRY_YES)
        gx_fail(rt, GX_IndexError, "index.range", "invalid index (%lld)", (long long)i);
    else
        gx_fail(rt, GX_IndexError, "index.type", "invalid index: a record takes names and ints");
    gx_note(rt, "the record has %lld fields", (long long)n);
    return -1;
}

static bool void_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_array *a;
    if (key.tag == GX_LIST && gx_is_field_key(key))
        return gx_fields_get(rt, gx_as_array(v), key, &a) && gx_array_result_take(rt, a, out);
    if (key.tag == GX_TUPLE || key.tag == GX_ELLIPSIS) {
        if (!gx_array_get(rt, gx_as_array(v), key, out)) return false;
        return true;
    }
    const int field = field_at(rt, v, key);
    return field >= 0 && get_field(rt, v, field, out);
}

static bool void_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_array *a;
    gx_value all;
    if (key.tag == GX_LIST && gx_is_field_key(key)) {
        if (!gx_fields_get(rt, gx_as_array(v), key, &a)) return false;
    } else {
        const int field = field_at(rt, v, key);
        if (field < 0 || !gx_field_view(rt, gx_as_array(v), field, &a)) return false;
    }
    bool ok = gx_tuple_new(rt, 0, NULL, &all);
    if (ok && a->ndim) { /* a part takes one value for all */
        gx_drop(all);
        all = (gx_value){.tag = GX_ELLIPSIS};
    }
    ok = ok && gx_array_set(rt, a, all, item);
    if (all.tag != GX_ELLIPSIS) gx_drop(all);
    gx_array_drop(a);
    return ok;
}

static bool void_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value list;
    bool ok = gx_list_new(rt, 0, NULL, &list);
    for (int i = 0; ok && i < field_count(v); i++) {
        gx_value item;
        ok = get_field(rt, v, i, &item) && gx_list_push_take(rt, list, item);
    }
    ok = ok && gx_iter(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool void_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    *out = false;
    for (int i = 0; !*out && i < field_count(v); i++) {
        gx_value own;
        if (!get_field(rt, v, i, &own)) return false;
        bool ok = gx_equal(rt, own, item, out);
        gx_drop(own);
        if (!ok) return false;
    }
    return true;
}

/* np.void(5), np.void(b'abc'), np.void((1, 2.5), dtype=…). */
static bool void_construct(gx_call *c, gx_value *out) {
    gx_dtype d = GX_NO_DTYPE;
    gx_array *a;
    int64_t n;
    const gx_value v = c->argv[0];
    if (gx_arg_some(c, 1)) {
        if (!gx_dtype_of(c->rt, c->argv[1], &d)) return false;
    } else if (v.tag == GX_BYTES) {
        d = gx_void_dtype(c->rt, (int64_t)gx_as_str(v)->length);
    } else if (v.tag == GX_ARRAY && gx_is_void(gx_as_array(v)->dtype)) {
        d = (gx_dtype)gx_as_array(v)->dtype;
    } else {
        gx_try t = gx_as_index(c->rt, v, &n);
        if (t == GX_TRY_ERROR) return false;
        if (t == GX_TRY_NO || n < 0) return gx_arg_wrong(c, 0, "a size, bytes or a record");
        d = gx_void_dtype(c->rt, n);
        if (d == GX_NO_DTYPE || !gx_array_full(c->rt, d, 0, NULL, GX_NS_NUMPY,
                                               &(gx_scalar){.bits = {0, 0}}, &a))
            return false;
        bool ok = gx_void_scalar(c->rt, a, out);
        gx_array_drop(a);
        return ok;
    }
    if (d == GX_NO_DTYPE || (c->type == &gx_type_record && !gx_record_with(c->rt, d, true, &d)) ||
        !gx_asarray(c->rt, v, d, GX_NS_NUMPY, true, &a))
        return false;
    if (a->ndim) {
        *out = gx_array_value(a);
        return true;
    }
    bool ok = gx_void_scalar(c->rt, a, out);
    gx_array_drop(a);
    return ok;
}

/* A record's fields are attributes, too. */
static gx_try record_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_record_row *r = gx_record_of(gx_as_array(v)->dtype);
    for (int i = 0; r && i < r->count; i++)
        if (strcmp(r->fields[i].name, gx_sym_text(rt, name)) == 0)
            return get_field(rt, v, i, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return GX_TRY_NO;
}

static gx_try record_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    const gx_record_row *r = gx_record_of(gx_as_array(v)->dtype);
    gx_value key;
    for (int i = 0; value.tag != GX_UNDEF && r && i < r->count; i++) {
        if (strcmp(r->fields[i].name, gx_sym_text(rt, name)) != 0) continue;
        if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
        bool ok = void_set(rt, v, key, value);
        gx_drop(key);
        return ok ? GX_TRY_YES : GX_TRY_ERROR;
    }
    return GX_TRY_NO;
}

static gx_try no_number(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    (void)rt;
    (void)v;
    (void)re;
    (void)im;
    return GX_TRY_NO;
}

const gx_type gx_type_flexible = {.name = "numpy.flexible", .base = &gx_type_generic,
                                  .tag = GX_ARRAY, .dtype = GX_NO_DTYPE,
                                  .doc = "A class of NumPy scalars whose size is no fixed one."};

static const gx_native void_native = {.name = "void", .sig = "void(length_or_data, /, dtype=None)",
                                      .doc = "A record, or bytes that mean nothing.",
                                      .fn = void_construct};
static const gx_native record_native = {.name = "record",
                                        .sig = "record(length_or_data, /, dtype=None)",
                                        .doc = "A record whose fields are attributes.",
                                        .fn = void_construct};
#define VOID_SLOTS                                                                                 \
    .tag = GX_ARRAY, .dtype = GX_NO_DTYPE, .free = gx_array_free, .repr = void_repr,               \
    .str = void_str,                                                                               \
    .format = void_format, .truth = void_truth, .hash = void_hash, .compare = gx_array_compare,    \
    .binary = gx_array_binary, .unary = gx_array_unary, .number = no_number,                       \
    .length = void_length, .get = void_get, .set = void_set, .iter = void_iter,                    \
    .contains = void_contains
const gx_type gx_type_void = {.name = "numpy.void", .base = &gx_type_flexible,
                              .construct = &void_native,
                              .doc = "An element of an array of records.",
                              VOID_SLOTS};
const gx_type gx_type_record = {.name = "numpy.record", .base = &gx_type_void,
                                .attr = record_attr, .set_attr = record_set_attr,
                                .construct = &record_native,
                                .doc = "A record whose fields are attributes.", VOID_SLOTS};
