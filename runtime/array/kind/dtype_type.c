/* The type of dtypes: numpy.dtype, with its attributes. */
#include <string.h>

#include "runtime/array/kind/date.h"
#include "runtime/array/kind/record.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

static bool dtype_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    if (gx_record_of(v.dtype) || gx_subarray_of(v.dtype))
        return gx_buf_puts(out, "dtype(") &&
               (gx_record_of(v.dtype) ? gx_record_repr(out, v.dtype)
                                      : gx_buf_puts(out, gx_dtypes[v.dtype].name)) &&
               gx_buf_char(out, ')');
    if (gx_is_time(v.dtype))
        return gx_buf_puts(out, "dtype('") && gx_code_text(out, v.dtype) && gx_buf_puts(out, "')");
    const char *quote = gx_is_extension(v.dtype) ? "" : "'", *name = gx_dtypes[v.dtype].name;
    const int open = gx_dtypes[v.dtype].bytes == 0; /* as wide as it needs to be: '<U' */
    const int shown = (int)strlen(name) - (*name == '|') - open;
    return gx_buf_printf(out, "dtype(%s%.*s%s)", quote, shown, name + (*name == '|'), quote);
}

static bool dtype_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_puts(out, gx_dtypes[v.dtype].name);
}

static bool dtype_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    /* Records that are the same may have two numbers. */
    const gx_record_row *r = gx_record_of(v.dtype);
    const uint64_t what = r ? (uint64_t)r->count * 4096 + gx_dtypes[v.dtype].bytes : v.dtype;
    *out = 0x6478u + what * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}

/* a < b: a may be cast to b safely, and is not b. */
static gx_try dtype_order(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_dtype x, y;
    bool swap = op == GX_GT || op == GX_GE, or_same = op == GX_LE || op == GX_GE;
    if (!gx_dtype_of(rt, swap ? b : a, &x) || !gx_dtype_of(rt, swap ? a : b, &y)) {
        if (rt->error.kind == GX_MemoryError) return GX_TRY_ERROR;
        gx_error_clear(rt);
        return GX_TRY_NO;
    }
    *out = gx_bool(gx_record_same(x, y) ? or_same : gx_can_cast(x, y, GX_CAST_SAFE));
    return GX_TRY_YES;
}

static gx_try dtype_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_dtype x, y;
    gx_value other = a.tag == GX_DTYPE ? b : a;
    bool same = false;
    if (op >= GX_LT && op <= GX_GE) return dtype_order(rt, op, a, b, out);
    if ((op != GX_EQ && op != GX_NE) || other.tag == GX_ARRAY) return GX_TRY_NO;
    if (other.tag == GX_DTYPE || other.tag == GX_TYPE || other.tag == GX_STR ||
        other.tag == GX_LIST || other.tag == GX_TUPLE || other.tag == GX_DICT) {
        same = gx_dtype_of(rt, a, &x) && gx_dtype_of(rt, b, &y) && gx_record_same(x, y);
        gx_error_clear(rt); /* what is no dtype is just not equal */
    }
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_dtype_info *d = &gx_dtypes[self.dtype];
    if (d->kind_letter == 'V' && gx_is_kind(self.dtype)) {
        const char *type = gx_of_family(self.dtype, GX_FAMILY_RECORD) ? "record" : "void";
        return gx_str_printf(rt, out, d->bytes ? "%s%u" : "%s", type, 8 * d->bytes);
    }
    if (!gx_is_text(self.dtype)) return gx_str_c(rt, d->name, out);
    return gx_str_printf(rt, out, d->bytes ? "%s%u" : "%s", d->letter == 'U' ? "str" : "bytes",
                         8 * d->bytes);
}
static bool get_kind(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_new(rt, &gx_dtypes[self.dtype].kind_letter, 1, out);
}
static bool get_char(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_new(rt, &gx_dtypes[self.dtype].letter, 1, out);
}
static bool get_str(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_buf text = gx_buf_new(rt);
    if (gx_code_text(&text, self.dtype)) return gx_str_take(&text, out);
    gx_buf_free(&text);
    return false;
}
static bool get_shape(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_subarray *p = gx_subarray_of(self.dtype);
    return gx_tuple_ints(rt, p ? p->ndim : 0, p ? p->shape : NULL, out);
}

/* A field in descr; takes the name. */
static bool describe(gx_rt *rt, gx_borrowed list, gx_value name, int d, gx_value *format) {
    const gx_subarray *p = gx_subarray_of(d);
    gx_value items[3] = {name, *format}, field;
    if (p && !get_shape(rt, gx_dtype_value(d), &items[2])) {
        gx_drop(name);
        gx_drop(*format);
        return false;
    }
    return gx_tuple_take(rt, p ? 3 : 2, items, &field) && gx_list_push_take(rt, list, field);
}

static bool get_descr(gx_rt *rt, gx_borrowed self, gx_value *out);

/* Bytes between fields are fields without names. */
static bool describe_hole(gx_rt *rt, gx_borrowed list, int64_t bytes) {
    gx_value name, format;
    if (bytes <= 0) return true;
    if (!gx_str_c(rt, "", &name)) return false;
    if (!gx_str_printf(rt, &format, "|V%lld", (long long)bytes)) {
        gx_drop(name);
        return false;
    }
    return describe(rt, list, name, GX_f64, &format);
}

static bool field_names(gx_rt *rt, const gx_field_row *f, gx_value *out) {
    gx_value both[2];
    if (!f->title) return gx_str_c(rt, f->name, out);
    if (!gx_str_c(rt, f->title, &both[0])) return false;
    if (!gx_str_c(rt, f->name, &both[1])) {
        gx_drop(both[0]);
        return false;
    }
    return gx_tuple_take(rt, 2, both, out);
}

static bool describe_field(gx_rt *rt, gx_borrowed list, const gx_field_row *f) {
    const gx_subarray *p = gx_subarray_of(f->dtype);
    const gx_value d = gx_dtype_value(p ? p->base : f->dtype);
    gx_value name, format;
    if (!field_names(rt, f, &name)) return false;
    if (!(gx_record_of(d.dtype) ? get_descr(rt, d, &format) : get_str(rt, d, &format))) {
        gx_drop(name);
        return false;
    }
    return describe(rt, list, name, f->dtype, &format);
}

/* [('x', '<f4')]; of what has no fields, one without a name. */
static bool get_descr(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_record_row *r = gx_record_of(self.dtype);
    gx_field_row whole = {.name = "", .dtype = (gx_dtype)self.dtype};
    int64_t at = 0;
    if (gx_subarray_of(self.dtype)) whole.dtype = gx_void_dtype(rt, gx_dtype_size(self.dtype));
    if (whole.dtype == GX_NO_DTYPE || !gx_list_new(rt, 0, NULL, out)) return false;
    bool ok = r || describe_field(rt, *out, &whole);
    for (int i = 0; ok && r && i < r->count; i++) {
        const gx_field_row *f = &r->fields[i];
        if (f->offset < at)
            ok = gx_fail(rt, GX_ValueError, "dtype.fields",
                         "dtype.descr is not defined for types with overlapping or out-of-order "
                         "fields");
        ok = ok && describe_hole(rt, *out, f->offset - at) && describe_field(rt, *out, f);
        at = f->offset + gx_dtype_size(f->dtype);
    }
    ok = ok && (!r || describe_hole(rt, *out, gx_dtype_size(self.dtype) - at));
    if (!ok) gx_drop(*out);
    return ok;
}

static bool get_names(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_record_row *r = gx_record_of(self.dtype);
    gx_value list;
    *out = gx_none();
    if (!r) return true;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) {
        gx_value name;
        ok = gx_str_c(rt, r->fields[i].name, &name) && gx_list_push_take(rt, list, name);
    }
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

/* {'x': (dtype, offset)}, under titles as well. */
static bool add_field(gx_rt *rt, gx_borrowed dict, const gx_field_row *f) {
    gx_value items[3] = {gx_dtype_value(f->dtype), gx_int(f->offset)}, value;
    if (f->title && !gx_str_c(rt, f->title, &items[2])) return false;
    if (!gx_tuple_take(rt, f->title ? 3 : 2, items, &value)) return false;
    bool ok = gx_dict_set_c(rt, dict, f->name, value) &&
              (!f->title || gx_dict_set_c(rt, dict, f->title, value));
    gx_drop(value);
    return ok;
}

static bool get_fields(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_record_row *r = gx_record_of(self.dtype);
    *out = gx_none();
    if (!r) return true;
    if (!gx_dict_new(rt, out)) return false;
    bool ok = true;
    for (int i = 0; ok && i < r->count; i++) ok = add_field(rt, *out, &r->fields[i]);
    if (!ok) gx_drop(*out);
    return ok;
}

static bool get_order(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const bool none =
        gx_dtypes[self.dtype].bytes == 1 || gx_of_family(self.dtype, GX_FAMILY_BYTES) ||
        gx_is_void(self.dtype) || gx_subarray_of(self.dtype);
    return gx_str_c(rt, none ? "|" : "=", out);
}
static bool get_itemsize(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_dtypes[self.dtype].bytes);
    return true;
}
static bool get_native(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(true);
    return true;
}
static bool get_type(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_type_value(gx_is_kind(self.dtype) ? gx_dtypes[self.dtype].family->type
                                                : &gx_scalar_types[self.dtype]);
    return true;
}

/* NumPy's number of each dtype. */
static bool get_num(gx_rt *rt, gx_borrowed self, gx_value *out) {
    static const uint16_t numbers[GX_DTYPES] = {
        [GX_bool] = 0, [GX_i8] = 1,   [GX_u8] = 2,   [GX_i16] = 3,  [GX_u16] = 4,
        [GX_i32] = 5,  [GX_u32] = 6,  [GX_i64] = 7,  [GX_u64] = 8,  [GX_f32] = 11,
        [GX_f64] = 12, [GX_c64] = 14, [GX_c128] = 15, [GX_f16] = 23,
        [GX_bf16] = 256 /* the first that a package gets */};
    (void)rt;
    const gx_family *family = gx_dtypes[self.dtype].family;
    *out = gx_int(family ? family->number : numbers[self.dtype]);
    return true;
}
static bool get_alignment(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_dtype_alignment(self.dtype));
    return true;
}
static bool get_base(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_subarray *p = gx_subarray_of(self.dtype);
    *out = gx_dtype_value(p ? p->base : self.dtype);
    return true;
}
static bool get_subdtype(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value both[2];
    *out = gx_none();
    if (!gx_subarray_of(self.dtype)) return true;
    return get_base(rt, self, &both[0]) && get_shape(rt, self, &both[1]) &&
           gx_tuple_take(rt, 2, both, out);
}
static bool get_ndim(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_subarray *p = gx_subarray_of(self.dtype);
    *out = gx_int(p ? p->ndim : 0);
    return true;
}
static bool get_aligned(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_record_row *r = gx_record_of(self.dtype);
    *out = gx_bool(r && r->aligned);
    return true;
}
static bool get_builtin(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(!gx_is_void(self.dtype) && !gx_subarray_of(self.dtype));
    return true;
}
static bool get_false(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_bool(false);
    return true;
}

/* newbyteorder: only the machine's order exists. */
static bool byte_order(gx_call *c, gx_value *out) {
    gx_dtype d = (gx_dtype)c->argv[0].dtype;
    const char *text = c->argv[1].tag == GX_STR ? gx_as_str(c->argv[1])->text : "";
    bool native = *text && strchr("=|<IinNlL", *text) != NULL;
    if (!native && gx_dtypes[d].bytes > 1)
        return gx_fail(c->rt, GX_ValueError, "dtype.order",
                       "gx arrays have the machine's byte order, '<'");
    *out = c->argv[0];
    return true;
}

static const gx_native dtype_methods[] = {
    {"newbyteorder", "newbyteorder(self, new_order='S', /)",
     "The dtype in another byte order; gx has the machine's only.", NULL, byte_order, 0, 0},
    {.name = NULL},
};

static const gx_member dtype_members[] = {
    {"name", get_name, NULL, "The dtype's name: 'float32'."},
    {"kind", get_kind, NULL, "One of b i u f c, S and U of text, V of records, M and m of dates."},
    {"char", get_char, NULL, "NumPy's one-letter code."},
    {"str", get_str, NULL, "Byte order, kind and bytes: '<f4'."},
    {"descr", get_descr, NULL, "What a file of arrays says: [('', '<f4')]."},
    {"byteorder", get_order, NULL, "'=' (native), or '|' for one byte."},
    {"itemsize", get_itemsize, NULL, "Bytes an element."},
    {"alignment", get_alignment, NULL, "Bytes an element is aligned to."},
    {"num", get_num, NULL, "NumPy's number of the dtype."},
    {"base", get_base, NULL, "The dtype of the elements of a part, else the dtype itself."},
    {"subdtype", get_subdtype, NULL, "The base and shape of a part of records, else None."},
    {"shape", get_shape, NULL, "The shape of a part of records, else ()."},
    {"ndim", get_ndim, NULL, "The number of axes of a part of records, else 0."},
    {"names", get_names, NULL, "The names of a record's fields, else None."},
    {"fields", get_fields, NULL, "A dict: the dtype and offset of each field, else None."},
    {"isalignedstruct", get_aligned, NULL, "Was it made with align=True?"},
    {"hasobject", get_false, NULL, "False: gx has no arrays of objects."},
    {"isbuiltin", get_builtin, NULL, "1: a builtin dtype; 0 of records."},
    {"isnative", get_native, NULL, "True: gx arrays have the machine's byte order."},
    {"type", get_type, NULL, "The type of its scalars."},
    {NULL, NULL, NULL, NULL},
};

static bool dtype_construct(gx_call *c, gx_value *out) {
    gx_dtype d;
    bool align = false;
    const gx_value v = c->argv[0];
    if (gx_arg_some(c, 1) && !gx_arg_bool(c, 1, &align)) return false;
    gx_try t = align ? gx_record_read(c->rt, v, true, &d) : GX_TRY_NO;
    if (t == GX_TRY_ERROR || (t == GX_TRY_NO && !gx_dtype_of(c->rt, v, &d))) return false;
    *out = gx_dtype_value(d);
    return true;
}

static bool dtype_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    (void)rt;
    *out = gx_record_of(v.dtype) ? gx_record_of(v.dtype)->count : 0;
    return true;
}

static bool dtype_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    (void)rt;
    (void)v;
    *out = true;
    return true;
}

/* d['x'], d[0], d[['x', 'y']]. */
static bool dtype_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    const gx_record_row *r = gx_record_of(v.dtype);
    int64_t i;
    gx_dtype d;
    if (!r) {
        return gx_fail(rt, GX_KeyError, "index.field", "'There are no fields in dtype %s.'",
                       gx_dtypes[v.dtype].name);
    }
    if (key.tag == GX_LIST && gx_is_field_key(key)) {
        if (!gx_fields_dtype(rt, (gx_dtype)v.dtype, key, &d)) return false;
        *out = gx_dtype_value(d);
        return true;
    }
    if (key.tag == GX_STR) {
        i = gx_field_find(rt, (gx_dtype)v.dtype, gx_as_str(key)->text);
        if (i < 0) {
            rt->error.kind = GX_KeyError;
            return false;
        }
    } else {
        gx_try t = gx_as_index(rt, key, &i);
        if (t == GX_TRY_NO)
            gx_fail(rt, GX_TypeError, "index.type",
                    "Field key must be an integer field offset, single field name, or list of "
                    "fields, not %s",
                    gx_type_name(key));
        if (t != GX_TRY_YES) return false;
        if (i < -r->count || i >= r->count)
            return gx_fail(rt, GX_IndexError, "index.range",
                           "Field index %lld out of range: there are %d fields", (long long)i,
                           r->count);
        if (i < 0) i += r->count;
    }
    *out = gx_dtype_value(r->fields[i].dtype);
    return true;
}

static const gx_native dtype_native = {.name = "dtype",
                                       .sig = "dtype(dtype, align=False, copy=False)",
                                       .doc =
                                           "A dtype from a name, a code, a type, or fields.",
                                       .example = "dtype('f4')  # float32",
                                       .fn = dtype_construct};

const gx_type gx_type_dtype = {.name = "numpy.dtype",
                               .tag = GX_DTYPE,
                               .dtype = GX_NO_DTYPE,
                               .repr = dtype_repr,
                               .str = dtype_str,
                               .hash = dtype_hash,
                               .compare = dtype_compare,
                               .truth = dtype_truth,
                               .length = dtype_length,
                               .get = dtype_get,
                               .methods = dtype_methods,
                               .members = dtype_members,
                               .construct = &dtype_native,
                               .doc = "The type of an array's elements."};
