/* Records: an element is fields, each of any dtype at a place of its own. A field may be a part: an
   array of a fixed shape inside each element. A view of a field, or of some fields, is a view of
   the array's storage.

   numpy.void without fields ('V8') is bytes that mean nothing. */
#ifndef GX_RUNTIME_ARRAY_KIND_RECORD_H
#define GX_RUNTIME_ARRAY_KIND_RECORD_H

#include "runtime/array/kind/kind.h"

typedef struct gx_field_row {
    const char *name, *title; /* title: another name, or NULL */
    gx_dtype dtype;
    int64_t offset;
} gx_field_row;

typedef struct gx_record_row {
    int count;
    bool aligned;      /* made with align=True */
    bool packed;       /* fields lie one behind the other, and nothing else is there */
    uint8_t alignment;
    gx_field_row fields[];
} gx_record_row;

typedef struct gx_subarray {
    gx_dtype base;
    int ndim;
    int64_t count;
    int64_t shape[];
} gx_subarray;

/* Bytes with fields or without. */
static inline bool gx_is_void(int d) {
    return gx_of_family(d, GX_FAMILY_VOID) || gx_of_family(d, GX_FAMILY_RECORD);
}
/* The fields of a dtype; NULL: it has none. */
static inline const gx_record_row *gx_record_of(int d) {
    return gx_is_void(d) ? gx_dtypes[d].more : NULL;
}
static inline const gx_subarray *gx_subarray_of(int d) {
    return gx_of_family(d, GX_FAMILY_SUBARRAY) ? gx_dtypes[d].more : NULL;
}
int gx_dtype_alignment(int d);
/* The first place from `offset` on that is so aligned. */
int64_t gx_dtype_rounded(int64_t offset, int alignment);

/* A dtype of these fields, which are copied. itemsize: -1, as large as they need; else it must
   hold them. `record`: its scalars are numpy.record. */
GX_CHECK bool gx_record_make(gx_rt *rt, int count, const gx_field_row *fields, int64_t itemsize,
                             bool aligned, bool record, gx_dtype *out);
/* The same fields with scalars of numpy.void or of numpy.record. */
GX_CHECK bool gx_record_with(gx_rt *rt, gx_dtype d, bool record, gx_dtype *out);
GX_CHECK bool gx_subarray_make(gx_rt *rt, gx_dtype base, int ndim, const int64_t *shape,
                           gx_dtype *out);
/* Bytes that mean nothing. */
gx_dtype gx_void_dtype(gx_rt *rt, int64_t bytes);
/* Are they the same but for how they are described? */
bool gx_record_same(int a, int b);
/* What stands in a list of fields: "'<i4'", "[('x', '<f4')]". */
GX_CHECK bool gx_field_format(gx_buf *out, int d);
/* dtype.str: "<i4". */
GX_CHECK bool gx_code_text(gx_buf *out, int d);
/* str(d) is the dtype's name; this is what repr(d) has between its brackets. */
GX_CHECK bool gx_record_repr(gx_buf *out, int d);

/* The index of a field by name or title; -1: ValueError with a near name. */
int gx_field_find(gx_rt *rt, gx_dtype d, const char *name);
/* A dtype from a list of fields, a dict, a tuple, a text with commas, numpy.void. NO: it is none of
   them. */
gx_try gx_record_read(gx_rt *rt, gx_borrowed v, bool align, gx_dtype *out);

/* Is the key a name, or a list of names? */
bool gx_is_field_key(gx_borrowed key);
/* A view: a['x'], a[['x', 'y']]. */
GX_CHECK bool gx_field_view(gx_rt *rt, gx_array *a, int field, gx_array **out);
GX_CHECK bool gx_fields_get(gx_rt *rt, gx_array *a, gx_borrowed key, gx_array **out);
/* The dtype of d[['x', 'y']]. */
GX_CHECK bool gx_fields_dtype(gx_rt *rt, gx_dtype d, gx_borrowed names, gx_dtype *out);
/* Stores between records of one dtype with holes between the fields, which stay as they are. */
GX_CHECK bool gx_fields_store(gx_rt *rt, gx_array *dst, gx_array *src);
/* The element of an array without axes as numpy.void: a view of it. */
GX_CHECK bool gx_void_scalar(gx_rt *rt, gx_array *a, gx_value *out);
/* "(1, 2.5)": an element as its scalar is shown. */
GX_CHECK bool gx_void_text(gx_rt *rt, gx_array *a, gx_buf *out);

extern const gx_family gx_family_void, gx_family_record, gx_family_subarray;
extern const gx_type gx_type_flexible, gx_type_void, gx_type_record;

#endif
