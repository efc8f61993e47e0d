/* The one place through which sizes, strides and bytes get into an array or a value: elsewhere they
   are const. What came through it can be counted on: the sizes other than 0, multiplied in any
   selection, and the bytes of an element times them, fit int64 with room to spare, and every
   element of an array lies in its storage's bytes. */
#ifndef GX_RUNTIME_GRAPH_EXTENT_H
#define GX_RUNTIME_GRAPH_EXTENT_H

#include "runtime/graph/lazy.h"

/* A fresh head whose sizes are to be put: one element, at the storage's start. */
static inline void gx_extent_begin(gx_array *a, int ndim) {
    *(uint8_t *)(uintptr_t)&a->ndim = (uint8_t)ndim;
    *(int64_t *)(uintptr_t)&a->offset = 0;
    *(int64_t *)(uintptr_t)&a->count = 1;
}
/* Sizes of a value's index space (its kept dims first) and with them its bytes. ValueError when it
   has too many elements. The layout is the caller's to fill. */
GX_CHECK bool gx_extent_value(gx_rt *rt, gx_data *d, const int64_t *shape);
/* The same for a fresh value, which is dropped when the sizes are refused. */
GX_CHECK bool gx_extent_value_take(gx_rt *rt, gx_data *d, const int64_t *shape);
/* MemoryError when no machine of this size could hold the value, whose bytes and shape are set. */
GX_CHECK bool gx_extent_claim(gx_rt *rt, const gx_data *d);
/* The bytes of another value, and its sizes and layout as far as d has dims. */
void gx_extent_as(gx_data *d, const gx_data *like);
/* "maximum supported dimension …" for more than GX_MAX_DIMS. */
bool gx_extent_fail_dims(gx_rt *rt, int64_t n);
/* A STORE into `region`, which is a view of a storage whose value is `whole`. */
void gx_extent_store(gx_data *d, const gx_data *whole, const gx_array *region);
/* A header over a storage: what lies outside the storage's bytes is refused, ValueError. */
GX_CHECK bool gx_extent_view(gx_rt *rt, gx_array *a, const int64_t *shape, const int64_t *strides,
                             int64_t offset);
/* A header over the elements [start, start + n) of a's first axis; over one row of it, without the
   axis. What lies outside of the axis is refused. */
GX_CHECK bool gx_extent_part(gx_rt *rt, gx_array *r, const gx_array *a, int64_t start, int64_t n);
GX_CHECK bool gx_extent_row(gx_rt *rt, gx_array *r, const gx_array *a, int64_t row);
/* A header over a fresh storage: it shows the value as it lies. */
void gx_extent_whole(gx_array *a, const gx_data *d);

/* Sizes of an array that is there, C order: for results of small operations. */
void gx_extent_similar(gx_data *d, gx_array *a, const gx_array *like);

#endif
