/* bytearray: bytes that change. And what stands for bytes: bytes, bytearrays and whatever answers
   __bytes__. */
#ifndef GX_RUNTIME_OBJECT_TEXT_BYTEARRAY_H
#define GX_RUNTIME_OBJECT_TEXT_BYTEARRAY_H

#include "runtime/object/native.h"

typedef struct gx_bytearray {
    gx_obj obj;
    char *data; /* NULL: empty and never grown */
    size_t length, room;
    int64_t exports; /* memoryviews that look at it: its length must not change */
} gx_bytearray;

extern const gx_type gx_type_bytearray;
extern const gx_native gx_bytearray_statics[];

static inline bool gx_is_bytearray(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &gx_type_bytearray;
}
static inline gx_bytearray *gx_as_bytearray(gx_borrowed v) {
    return (gx_bytearray *)v.obj;
}
GX_CHECK bool gx_bytearray_new(gx_rt *rt, const char *data, size_t length, gx_value *out);
/* v as bytes, owned: bytes themselves, a copy of a bytearray's, what __bytes__ gives. NO: v does
   not stand for bytes. */
gx_try gx_bytes_like(gx_rt *rt, gx_borrowed v, gx_value *out);
/* The methods of bytes become those of bytearray; once a context. */
GX_CHECK bool gx_bytearray_start(gx_rt *rt);

#endif
